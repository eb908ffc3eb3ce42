//! `check --judge`, `draft` and `coverage --classify` against a server that speaks the protocol: a repository whose manual
//! changed, and a model that answers by a script.

mod classifying;
mod drafting;
mod judging;

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::server::{Asked, Reply, Server};
use crate::support::{Output, Repo, output};

const MANUAL: &str = "# Pump\n\n## Limits\n\nThe pump shall stop within 30 s.\n\n## Alarms\n\nThe alarm is red.\n";
const KEY: &str = "sk-0123456789secret";
/// A repository with a changed manual, and a model.
struct Bench {
    repo: Repo,
    server: Server,
    /// Contents of the answers, in their order; whole replies where the protocol itself is at fault.
    script: Arc<Mutex<VecDeque<Reply>>>,
}

fn chat(content: &str) -> Reply {
    let message = json!({"role": "assistant", "content": content});
    Reply::new(200, json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}))
}

impl Bench {
    fn new(answers: &[&str]) -> Self {
        Self::replying(answers.iter().map(|answer| chat(answer)).collect())
    }

    fn replying(replies: Vec<Reply>) -> Self {
        let script = Arc::new(Mutex::new(VecDeque::from(replies)));
        let next = Arc::clone(&script);
        let answer = move |_: &Asked| {
            let through = || Reply::new(418, json!({"error": {"message": "the script is through"}}));
            next.lock().unwrap().pop_front().unwrap_or_else(through)
        };
        Self::served(Server::start(answer), script)
    }

    fn served(server: Server, script: Arc<Mutex<VecDeque<Reply>>>) -> Self {
        let repo = Repo::new();
        repo.write("docs/manual.md", MANUAL);
        repo.write(
            "cases.yaml",
            "cases:\n  - id: TC-1\n    cites: [pump/limits]\n    expected: It stops within 30 s.\n",
        );
        repo.write("citecheck.yaml", config(&server, ""));
        repo.commit("Add manual and cases");
        repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
        repo.commit("Raise the limit");
        Self { repo, server, script }
    }

    fn script(&self, answers: &[&str]) {
        self.script.lock().unwrap().extend(answers.iter().map(|answer| chat(answer)));
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let out = output(self.command(arguments));
        assert!(!out.stdout.contains("0123456789") && !out.stderr.contains("0123456789"), "{out:?}");
        out
    }

    fn command<'a>(&self, arguments: &[&str]) -> &'a mut Command {
        let command = Box::leak(Box::new(self.repo.citecheck_command()));
        command.args(arguments).env("CITECHECK_KEY", KEY)
    }

    /// Judges the range and gives its only finding.
    #[track_caller]
    fn judged(&self, code: i32, level: &str) -> Value {
        let out = self.run(&["check", "HEAD~1..HEAD", "--judge", "--format", "json"]);
        assert_eq!(out.code, code, "{out:?}");
        let check: Value = serde_json::from_str(&out.stdout).unwrap();
        let findings = check["findings"].as_array().unwrap();
        assert_eq!((findings.len(), &findings[0]["rule"]), (1, &json!("text-changed")), "{check}");
        assert_eq!(findings[0]["level"], level, "{check}");
        assert!(check["notes"].to_string().contains("judged: "), "{check}");
        let mut finding = findings[0].clone();
        finding["notes"] = check["notes"].clone();
        finding
    }

    fn asked(&self) -> Vec<Value> {
        self.server.asked().iter().map(Asked::json).collect()
    }

    /// The kept answers of one kind: names and contents.
    fn kept(&self, kind: &str) -> Vec<(PathBuf, Value)> {
        let folder = self.repo.path().join(".git/citecheck/ai").join(kind);
        let files = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
        files.map(|path| (path.clone(), serde_json::from_slice(&fs::read(path).unwrap()).unwrap())).collect()
    }
}

fn config(server: &Server, more: &str) -> String {
    format!("ai: {{ endpoint: '{}/v1', model: small{more} }}\n", server.url())
}
