//! The loop: takes what the client sends and what checks find, one after the other, and answers. What the answers are is
//! found elsewhere.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId};
use lsp_types::{
    CodeActionParams, CompletionParams, DefinitionParams, Diagnostic, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, HoverParams, MessageType, TextDocumentPositionParams, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::actions::{self, Desk};
use super::checks::{self, Checks, Found};
use super::cited::Query;
use super::client::Client;
use super::diagnostics::{self, ByFile};
use super::documents::Documents;
use super::outbox::{Outbox, Refusal};
use super::places::Places;
use super::project::{Failure, Project};
use super::transport::Incoming;
use super::view::View;
use super::{Start, completion, definition, hover};
use crate::error::{Error, Exit};
use crate::source::RepoPath;

/// What the loop waits for.
pub(super) enum Event {
    Incoming(Incoming),
    /// The client is gone.
    Closed,
    Checked(Result<Box<Found>, Box<Failure>>),
}

/// What the client may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    BeforeInitialize,
    Running,
    /// After `shutdown`: only `exit` is left.
    ShutDown,
}

pub(super) struct Server<'o> {
    start: Arc<Start>,
    events: Sender<Event>,
    out: Outbox<'o>,
    phase: Phase,
    client: Client,
    documents: Documents,
    checks: Checks,
    /// What the last check that could run found.
    project: Option<Project>,
    /// The manual as it is in the editor; made anew when it is asked for.
    view: Option<View>,
    /// The findings that the client was told last, and where.
    findings: ByFile,
    published: Vec<Uri>,
    /// What the user was shown last: the same trouble is shown once.
    shown: Option<String>,
    has_told_of_malformed: bool,
}

impl<'o> Server<'o> {
    pub(super) fn new(start: Start, events: Sender<Event>, out: &'o mut dyn io::Write) -> Self {
        Self {
            start: Arc::new(start),
            events,
            out: Outbox::new(out),
            phase: Phase::BeforeInitialize,
            client: Client::read(&Value::Null),
            documents: Documents::default(),
            checks: Checks::default(),
            project: None,
            view: None,
            findings: ByFile::new(),
            published: Vec::new(),
            shown: None,
            has_told_of_malformed: false,
        }
    }

    /// Serves until the client says `exit`, or is gone. The protocol wants status 1 where that comes without `shutdown`.
    pub(super) fn run(mut self, events: &Receiver<Event>) -> Result<Exit, Error> {
        let mut waiting = VecDeque::new();
        loop {
            waiting.extend(events.try_iter());
            let next = waiting.pop_front().or_else(|| events.recv().ok());
            let goes_on = match next.unwrap_or(Event::Closed) {
                Event::Incoming(Incoming::Message(message)) => self.receive(message, &waiting),
                Event::Incoming(Incoming::Malformed(why)) => self.malformed(&why).map(|()| true),
                Event::Checked(checked) => self.checked(checked).map(|()| true),
                Event::Closed => Ok(false),
            };
            if !goes_on.map_err(|error| Error::io("write to the client", error))? {
                return Ok(if self.phase == Phase::ShutDown { Exit::Clean } else { Exit::Findings });
            }
        }
    }

    /// Whether the server goes on.
    fn receive(&mut self, message: Message, waiting: &VecDeque<Event>) -> io::Result<bool> {
        match message {
            Message::Request(request) => {
                let id = request.id.clone();
                let answer = match is_cancelled(&id, waiting) {
                    true => Err(Refusal::new(ErrorCode::RequestCanceled, "cancelled by the client")),
                    false => self.request(request),
                };
                self.out.answer(id, answer)?;
                Ok(true)
            }
            Message::Notification(notification) if notification.method == "exit" => Ok(false),
            Message::Notification(notification) if self.phase == Phase::Running => {
                self.notification(notification)?;
                Ok(true)
            }
            Message::Notification(_) | Message::Response(_) => Ok(true),
        }
    }

    fn request(&mut self, request: Request) -> Result<Value, Refusal> {
        match (self.phase, request.method.as_str()) {
            (Phase::BeforeInitialize, "initialize") => {
                self.client = Client::read(&request.params);
                self.phase = Phase::Running;
                value(&self.client.greeting())
            }
            (Phase::BeforeInitialize, _) => {
                Err(Refusal::new(ErrorCode::ServerNotInitialized, "the first request has to be `initialize`"))
            }
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::Running, "initialize") => {
                Err(Refusal::new(ErrorCode::InvalidRequest, "`initialize` was asked for already"))
            }
            (Phase::Running, _) => {
                let answer = catch_unwind(AssertUnwindSafe(|| self.answer(request)));
                answer.unwrap_or_else(|_| Err(Refusal::new(ErrorCode::InternalError, "the answer ended unexpectedly")))
            }
            (Phase::ShutDown, _) => Err(Refusal::new(ErrorCode::InvalidRequest, "the server was shut down")),
        }
    }

    /// The answer about an open text; before the first check is done there is none.
    fn answer(&mut self, request: Request) -> Result<Value, Refusal> {
        let Request { method, params, .. } = request;
        match method.as_str() {
            "textDocument/hover" => {
                let params: HoverParams = read(params)?;
                self.about(&params.text_document_position_params, |query| value(&hover::hover(query)))
            }
            "textDocument/definition" => {
                let params: DefinitionParams = read(params)?;
                self.about(&params.text_document_position_params, |query| value(&definition::definition(query)))
            }
            "textDocument/completion" => {
                let params: CompletionParams = read(params)?;
                self.about(&params.text_document_position_params, |query| value(&completion::completion(query)))
            }
            "textDocument/codeAction" => self.actions(&read(params)?),
            _ => Err(Refusal::new(ErrorCode::MethodNotFound, format!("there is no method `{method}`"))),
        }
    }

    /// An answer about a position in an open text.
    fn about(
        &mut self,
        params: &TextDocumentPositionParams,
        answer: impl FnOnce(&Query<'_>) -> Result<Value, Refusal>,
    ) -> Result<Value, Refusal> {
        let Self { project: Some(project), documents, client, view, .. } = self else { return Ok(Value::Null) };
        let Some(document) = documents.get(&params.text_document.uri) else { return Ok(Value::Null) };
        let view = view.get_or_insert_with(|| View::new(project, documents));
        answer(&Query { project, view, client, document, at: params.position })
    }

    fn actions(&self, params: &CodeActionParams) -> Result<Value, Refusal> {
        let Some(project) = &self.project else { return Ok(Value::Null) };
        let on_disk = |path: &RepoPath| std::fs::read_to_string(project.places.on_disk(path)?).ok();
        let desk = Desk { project, client: &self.client, documents: &self.documents, on_disk: &on_disk };
        value(&actions::actions(&desk, params))
    }

    fn notification(&mut self, notification: Notification) -> io::Result<()> {
        let Notification { method, params } = notification;
        let read = match method.as_str() {
            "initialized" | "textDocument/didSave" => {
                self.check();
                Ok(())
            }
            "textDocument/didOpen" => read(params).map(|params: DidOpenTextDocumentParams| {
                self.forget_view(&params.text_document.uri);
                self.documents.open(params);
            }),
            "textDocument/didChange" => read(params).map(|params: DidChangeTextDocumentParams| {
                self.forget_view(&params.text_document.text_document_identifier.uri);
                self.documents.change(params);
            }),
            "textDocument/didClose" => read(params).map(|params: DidCloseTextDocumentParams| {
                self.forget_view(&params.text_document.uri);
                self.documents.close(&params);
            }),
            // A request that is cancelled was answered already, or is when its turn comes.
            _ => Ok(()),
        };
        read.or_else(|refusal: Refusal| self.malformed(&format!("`{method}`: {}", refusal.message)))
    }

    /// The manual in the editor is not what it was.
    fn forget_view(&mut self, uri: &Uri) {
        let is_manual =
            |project: &Project| project.places.inside(uri).is_some_and(|path| project.config.is_manual(&path));
        if self.project.as_ref().is_some_and(is_manual) {
            self.view = None;
        }
    }

    fn check(&mut self) {
        if self.checks.want() {
            checks::start(&self.start, &self.client, &self.events);
        }
    }

    /// Takes over what a check found. One that could not run leaves what the last one found: it may still hold.
    fn checked(&mut self, checked: Result<Box<Found>, Box<Failure>>) -> io::Result<()> {
        if self.checks.done() {
            checks::start(&self.start, &self.client, &self.events);
        }
        match checked {
            Ok(found) => {
                let Found { project, findings } = *found;
                self.view = None;
                self.shown = None;
                self.out.log(MessageType::Info, &project.summary())?;
                self.publish(&project.places, findings.clone())?;
                self.findings = findings;
                self.project = Some(project);
                Ok(())
            }
            Err(failure) => self.failed(&failure),
        }
    }

    fn failed(&mut self, failure: &Failure) -> io::Result<()> {
        if let Some(places) = &failure.places {
            let mut told = self.findings.clone();
            let problems = failure.error.places().map(|wrong| diagnostics::problems(wrong, places));
            for (path, problems) in problems.into_iter().flatten() {
                told.entry(path).or_default().extend(problems);
            }
            self.publish(places, told)?;
        }
        let told = failure.error.render();
        let message = format!("citecheck cannot check: {}", told.strip_prefix("error: ").unwrap_or(&told).trim_end());
        if self.shown.as_ref() == Some(&message) {
            return Ok(());
        }
        self.out.show(MessageType::Error, &message)?;
        self.shown = Some(message);
        Ok(())
    }

    /// Puts diagnostics in the place of those that were published last.
    fn publish(&mut self, places: &Places, files: ByFile) -> io::Result<()> {
        let open = self.documents.by_file(places);
        let uri = |path: &RepoPath| match open.get(path) {
            Some(open) => Some(open.uri.clone()),
            None => places.uri(path),
        };
        let told: BTreeMap<Uri, Vec<Diagnostic>> =
            files.into_iter().filter_map(|(path, diagnostics)| Some((uri(&path)?, diagnostics))).collect();
        for gone in self.published.iter().filter(|uri| !told.contains_key(uri)) {
            self.out.publish(gone.clone(), Vec::new())?;
        }
        self.published = told.keys().cloned().collect();
        told.into_iter().try_for_each(|(uri, diagnostics)| self.out.publish(uri, diagnostics))
    }

    /// Says once that something could not be understood: a client that makes a mistake makes it again.
    fn malformed(&mut self, why: &str) -> io::Result<()> {
        if std::mem::replace(&mut self.has_told_of_malformed, true) {
            return Ok(());
        }
        self.out.log(MessageType::Warning, &format!("left out a message that is not as the protocol says: {why}"))
    }
}

/// Whether the client took a request back while it waited.
fn is_cancelled(id: &RequestId, waiting: &VecDeque<Event>) -> bool {
    waiting.iter().any(|event| match event {
        Event::Incoming(Incoming::Message(Message::Notification(it))) if it.method == "$/cancelRequest" => {
            serde_json::from_value(it.params["id"].clone()).is_ok_and(|cancelled: RequestId| cancelled == *id)
        }
        Event::Incoming(_) | Event::Closed | Event::Checked(_) => false,
    })
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params).map_err(|error| Refusal::new(ErrorCode::InvalidParams, error.to_string()))
}

fn value(answer: &impl serde::Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(answer).map_err(|error| Refusal::new(ErrorCode::InternalError, error.to_string()))
}
