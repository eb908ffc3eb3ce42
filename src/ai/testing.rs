//! For tests: a server on this machine that gives the answers of a script, one after the other.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Model, Store};
use crate::config::Ai;

/// A model that says what the script says, and refuses when it is through.
pub(super) struct Scripted {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Value>>>,
    folder: TempDir,
}

impl Scripted {
    pub(super) fn start(answers: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let mut script: Vec<String> = answers.iter().rev().map(|answer| (*answer).to_owned()).collect();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let Some(request) = read(&stream) else { continue };
                log.lock().expect("a log").push(request);
                let (status, body) = match script.pop() {
                    Some(answer) => (200, json!({"choices": [{"message": {"content": answer}}]})),
                    None => (400, json!({"error": {"message": "the script is through"}})),
                };
                let body = body.to_string();
                let head =
                    format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
                // A client that is gone has failed its test already.
                _ = stream.write_all((head + &body).as_bytes());
            }
        });
        Self { address, asked, folder: TempDir::new().expect("a folder") }
    }

    pub(super) fn model(&self) -> Model {
        let ai = Ai { endpoint: format!("http://{}/v1", self.address), model: "m".to_owned(), api_key_env: None };
        Model::new(&ai, None, Duration::from_secs(10), Store::new(self.folder.path())).expect("a model")
    }

    pub(super) fn asked(&self) -> Vec<Value> {
        self.asked.lock().expect("a log").clone()
    }
}

fn read(stream: &TcpStream) -> Option<Value> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            if line.trim().is_empty() {
                break;
            }
            continue;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
