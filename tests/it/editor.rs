//! A small editor: starts the language server and speaks with it as editors do. Holds no expectations but that it answers.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::Repo;

/// What an editor of today can do.
pub(crate) fn modern() -> Value {
    json!({
        "textDocument": {
            "publishDiagnostics": {"relatedInformation": true},
            "hover": {"contentFormat": ["markdown", "plaintext"]},
            "definition": {"linkSupport": true},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
        },
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}},
    })
}

/// An editor with a server.
pub(crate) struct Editor<'r> {
    repo: &'r Repo,
    server: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Notifications that nobody has asked for yet.
    pub(crate) pending: VecDeque<Value>,
    requests: i32,
}

impl<'r> Editor<'r> {
    /// Starts a server and does not greet it.
    pub(crate) fn silent(repo: &'r Repo) -> Self {
        let mut command = repo.citecheck_command();
        let mut server =
            command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn().unwrap();
        let (sender, messages) = channel();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = server.stdin.take();
        Self { repo, server, input, messages, pending: VecDeque::new(), requests: 0 }
    }

    /// One that has greeted its server; with the answer to that.
    pub(crate) fn greeting(repo: &'r Repo, capabilities: &Value) -> (Self, Value) {
        let mut editor = Self::silent(repo);
        let folder = json!({"uri": editor.uri(""), "name": "repository"});
        let params = json!({"processId": null, "capabilities": capabilities, "workspaceFolders": [folder]});
        let greeting = editor.request("initialize", params);
        editor.notify("initialized", json!({}));
        (editor, greeting)
    }

    /// One with a server that has checked the repository.
    pub(crate) fn checked(repo: &'r Repo) -> Self {
        let (mut editor, _) = Self::greeting(repo, &modern());
        editor.await_check();
        editor
    }

    pub(crate) fn uri(&self, path: &str) -> String {
        lsp_uri(self.repo, path)
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_bytes(frame(message).as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The whole response to a request.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.response(id)
    }

    pub(crate) fn response(&mut self, id: i32) -> Value {
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.pending.push_back(message);
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let response = self.ask(method, params);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    fn receive(&self) -> Value {
        self.messages.recv_timeout(Duration::from_secs(120)).expect("the server says something")
    }

    /// The parameters of the next notification of that method.
    pub(crate) fn next(&mut self, method: &str) -> Value {
        self.next_where(|message| message["method"] == method)
    }

    pub(crate) fn next_where(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.pending.iter().position(&is_wanted) {
            return self.pending.remove(at).unwrap()["params"].take();
        }
        loop {
            let mut message = self.receive();
            if is_wanted(&message) {
                return message["params"].take();
            }
            self.pending.push_back(message);
        }
    }

    /// Waits for the end of a check; what it says about it.
    pub(crate) fn await_check(&mut self) -> String {
        loop {
            let log = self.next("window/logMessage");
            let message = log["message"].as_str().unwrap();
            if message.contains("checked") {
                return message.to_owned();
            }
        }
    }

    /// The next diagnostics of a file.
    pub(crate) fn diagnostics(&mut self, path: &str) -> Value {
        let uri = self.uri(path);
        self.next_where(|message| message["params"]["uri"] == uri)["diagnostics"].take()
    }

    pub(crate) fn open(&mut self, path: &str) {
        let text = self.repo.read(path);
        let item = json!({"uri": self.uri(path), "languageId": "x", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    pub(crate) fn change(&mut self, path: &str, version: i32, text: &str) {
        let document = json!({"uri": self.uri(path), "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": [{"text": text}]}));
    }

    /// Writes a file as the editor does, and says so.
    pub(crate) fn save(&mut self, path: &str, text: &str) {
        self.repo.write(path, text);
        self.notify("textDocument/didSave", json!({"textDocument": {"uri": self.uri(path)}}));
    }

    /// A request about a place in a file.
    pub(crate) fn at(&mut self, method: &str, path: &str, line: u32, character: u32) -> Value {
        let position = json!({"line": line, "character": character});
        self.request(method, json!({"textDocument": {"uri": self.uri(path)}, "position": position}))
    }

    /// The code actions for a line.
    pub(crate) fn actions(&mut self, path: &str, line: u32) -> Vec<Value> {
        let range = json!({"start": {"line": line, "character": 0}, "end": {"line": line, "character": 200}});
        let params = json!({"textDocument": {"uri": self.uri(path)}, "range": range, "context": {"diagnostics": []}});
        self.request("textDocument/codeAction", params).as_array().unwrap().clone()
    }

    /// Says goodbye; the exit status of the server.
    pub(crate) fn close(mut self) -> i32 {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        self.status()
    }

    pub(crate) fn status(mut self) -> i32 {
        drop(self.input.take());
        self.server.wait().unwrap().code().unwrap()
    }
}

impl Drop for Editor<'_> {
    fn drop(&mut self) {
        _ = self.server.kill();
        _ = self.server.wait();
    }
}

/// A message as it is sent.
pub(crate) fn frame(message: &Value) -> String {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", bytes)) => length = bytes.parse().ok(),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length?];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

/// The address of a file as editors spell it: everything that may mean something else is escaped.
pub(crate) fn lsp_uri(repo: &Repo, path: &str) -> String {
    let full = repo.path().join(path).to_str().unwrap().replace('\\', "/");
    let full = full.trim_end_matches('/');
    let escaped = full.bytes().map(|byte| match byte {
        b'/' | b':' | b'-' | b'_' | b'.' | b'~' => char::from(byte).to_string(),
        _ if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    let root = if full.starts_with('/') { "" } else { "/" };
    format!("file://{root}{}", escaped.collect::<String>())
}
