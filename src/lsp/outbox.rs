//! Messages to the client. Does not know when something is said.

use std::io::{self, Write};

use lsp_server::{ErrorCode, Message, Notification, RequestId, Response};
use lsp_types::{Diagnostic, LogMessageParams, MessageType, PublishDiagnosticsParams, ShowMessageParams, Uri};
use serde_json::Value;

use crate::sanitize::{sanitize, sanitize_lines};

/// Where messages go.
pub(super) struct Outbox<'o> {
    out: &'o mut dyn Write,
}

/// Why a request has no result.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) code: ErrorCode,
    pub(super) message: String,
}

impl<'o> Outbox<'o> {
    pub(super) fn new(out: &'o mut dyn Write) -> Self {
        Self { out }
    }

    pub(super) fn answer(&mut self, id: RequestId, answer: Result<Value, Refusal>) -> io::Result<()> {
        let response = match answer {
            Ok(value) => Response { id, response_result: Ok(value) },
            Err(Refusal { code, message }) => Response::new_err(id, code as i32, sanitize(&message).into_owned()),
        };
        Message::from(response).write(&mut self.out)
    }

    /// The diagnostics of one file, in the place of those that it had. They are of the file on disk, which is no version
    /// of an open text.
    pub(super) fn publish(&mut self, uri: Uri, diagnostics: Vec<Diagnostic>) -> io::Result<()> {
        self.notify("textDocument/publishDiagnostics", &PublishDiagnosticsParams { uri, version: None, diagnostics })
    }

    /// A line in the client's log.
    pub(super) fn log(&mut self, kind: MessageType, message: &str) -> io::Result<()> {
        self.notify("window/logMessage", &LogMessageParams { kind, message: sanitize_lines(message).into_owned() })
    }

    /// A message that the user sees.
    pub(super) fn show(&mut self, kind: MessageType, message: &str) -> io::Result<()> {
        self.notify("window/showMessage", &ShowMessageParams { kind, message: sanitize_lines(message).into_owned() })
    }

    fn notify(&mut self, method: &str, params: &impl serde::Serialize) -> io::Result<()> {
        let params = serde_json::to_value(params)?;
        Message::from(Notification { method: method.to_owned(), params }).write(&mut self.out)
    }
}

impl Refusal {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}
