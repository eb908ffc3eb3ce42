//! A model behind an OpenAI-compatible address: one question, one answer, one correction. Does not know what is asked.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use super::store::{Kept, Record, now};
use super::{Attempt, Invalid, PROMPT, Question, ReadAnswer, Reply, SCHEMA, Store, cut};
use crate::config::Ai;
use crate::error::{Error, Kind};
use crate::http::{Answer, Client, Failure, Limits, Method, Request, Secret};

/// A model, and where its answers are kept.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) name: String,
    client: Client,
    store: Store,
    /// Whether to ask again what was answered before.
    force: bool,
}

/// How often a question is asked: once, and once more with what was wrong.
const ATTEMPTS: usize = 2;
/// How long all tries of one request may wait for a server that is busy.
const PATIENCE: Duration = Duration::from_secs(60);
/// Bytes of an answer.
const MOST_ANSWER: u64 = 1024 * 1024;

impl Model {
    /// The model of the configuration; `key` goes along if the endpoint wants one.
    pub(crate) fn new(ai: &Ai, key: Option<Secret>, timeout: Duration, store: Store) -> Result<Self, Error> {
        let limits = Limits { timeout, patience: PATIENCE, answer: MOST_ANSWER };
        let client = Client::new(&ai.endpoint, key, &[("accept", "application/json")], limits).map_err(|failure| {
            let hint = "`endpoint` in `ai` is an address as `https://api.example.org/v1`; a key goes over https alone";
            Error::new(Kind::Config, failure.to_string()).hint(hint)
        })?;
        Ok(Self { name: ai.model.clone(), client, store, force: false })
    }

    /// The same, asking again what was answered before.
    pub(crate) fn forced(self) -> Self {
        Self { force: true, ..self }
    }

    /// Where requests go.
    pub(crate) fn address(&self) -> String {
        self.client.url(&["chat", "completions"]).to_string()
    }

    /// The request that asking would send first; none where the answer is known.
    pub(crate) fn request<T>(&self, question: &Question, read: ReadAnswer<'_, T>) -> Option<Value> {
        self.known(question, read).is_none().then(|| self.body(question, &[]))
    }

    /// Asks, or takes the answer that was given before. An error is a failure of the server or the disk, never of an
    /// answer.
    pub(crate) fn ask<T>(&self, question: &Question, read: ReadAnswer<'_, T>) -> Result<Reply<T>, Error> {
        if let Some((answer, time)) = self.known(question, read) {
            return Ok(Reply::Answered { answer, time });
        }
        let mut attempts: Vec<Attempt> = Vec::new();
        let mut answered = None;
        while answered.is_none() && attempts.len() < ATTEMPTS {
            let message = match self.send(&self.body(question, &attempts)) {
                Ok(message) => message,
                Err(error) if attempts.is_empty() => return Err(error),
                // What came before the failure can still be looked at.
                Err(error) => {
                    self.keep(question, attempts, Kept::Invalid)?;
                    return Err(error);
                }
            };
            let (answer, error) = match message {
                Message::Text(text) => {
                    let outcome = read(&text);
                    let error = outcome.as_ref().err().cloned();
                    answered = outcome.ok();
                    (text, error)
                }
                Message::Unusable { raw, why } => (raw, Some(why.to_owned())),
            };
            attempts.push(Attempt { answer, error });
        }
        let errors = attempts.iter().filter_map(|attempt| attempt.error.clone()).collect();
        match answered {
            Some(answer) => Ok(Reply::Answered { answer, time: self.keep(question, attempts, Kept::Valid)?.1 }),
            None => Ok(Reply::Invalid(Invalid { errors, kept: self.keep(question, attempts, Kept::Invalid)?.0 })),
        }
    }

    /// Keeps what was asked and answered; gives where, and the time.
    fn keep(&self, question: &Question, attempts: Vec<Attempt>, kept: Kept) -> Result<(PathBuf, String), Error> {
        let (request, time) = (self.body(question, &[]), now());
        let record =
            Record { model: self.name.clone(), prompt: PROMPT, schema: SCHEMA, time: time.clone(), request, attempts };
        Ok((self.store.save(question, &record, kept)?, time))
    }

    /// The stored answer, read anew: what would not count today does not.
    fn known<T>(&self, question: &Question, read: ReadAnswer<'_, T>) -> Option<(T, String)> {
        let record = self.store.load(question).filter(|record| !self.force && record.model == self.name)?;
        let answer = read(&record.attempts.last()?.answer).ok()?;
        Some((answer, record.time))
    }

    fn body(&self, question: &Question, attempts: &[Attempt]) -> Value {
        let form = json!({"name": question.kind, "strict": true, "schema": question.schema});
        json!({
            "model": self.name,
            "messages": question.messages(attempts),
            "response_format": {"type": "json_schema", "json_schema": form},
        })
    }

    fn send(&self, body: &Value) -> Result<Message, Error> {
        let body = body.to_string();
        let request = Request::new(Method::POST, self.client.url(&["chat", "completions"]), Some(&body));
        match self.client.send(&request) {
            Ok(answer) if answer.is_success() => Ok(self.message(&answer)),
            Ok(answer) => Err(self.refused(&answer)),
            // Too much is an answer, and none that counts.
            Err(Failure::TooLarge { .. }) => {
                Ok(Message::Unusable { raw: String::new(), why: "the answer is far too long" })
            }
            Err(failure @ Failure::TimedOut { .. }) => {
                Err(Error::new(Kind::Network, failure.to_string()).hint("--timeout gives it more time"))
            }
            Err(failure) => {
                Err(Error::new(Kind::Network, failure.to_string()).hint("`endpoint` in `ai` names the address"))
            }
        }
    }

    /// The text of an answer; should the server have repeated the key, without it.
    fn message(&self, answer: &Answer) -> Message {
        let raw = || self.client.without_secret(&String::from_utf8_lossy(&answer.body));
        let unusable = |why| Message::Unusable { raw: raw(), why };
        let Some(value) = answer.json() else { return unusable("the server sent no JSON") };
        let choice = &value["choices"][0];
        match (choice["message"]["content"].as_str(), choice["finish_reason"].as_str()) {
            (_, Some("length")) => unusable("the answer is cut off"),
            (_, Some("content_filter")) => unusable("the answer is withheld"),
            (Some(text), _) => Message::Text(self.client.without_secret(text)),
            (None, _) => unusable("the answer has no text"),
        }
    }

    /// Puts a refusal into words, with the server's own reason.
    fn refused(&self, answer: &Answer) -> Error {
        let value = answer.json().unwrap_or_default();
        let said = ["/error/message", "/message", "/error", "/detail"];
        let said = said.iter().find_map(|pointer| value.pointer(pointer)?.as_str()).unwrap_or_default();
        let said = self.client.without_secret(cut(said, 200));
        let reason = if said.is_empty() { format!("status {}", answer.status) } else { said };
        let host = self.client.host();
        let error = |text: String| Error::new(Kind::Network, text);
        if answer.rate_limit().is_some() {
            return error(format!("`{host}` gets too many requests: {reason}")).hint("try again later");
        }
        match answer.status {
            401 | 403 => error(format!("`{host}` does not accept the key: {reason}"))
                .hint("`api-key-env` in `ai` names the variable that holds it"),
            404 => error(format!("`{host}` has no such address or model: {reason}"))
                .hint("`endpoint` in `ai` ends where `/chat/completions` goes on, often in `/v1`"),
            500.. => error(format!("`{host}` fails: {reason}")).hint("try again later"),
            _ => error(format!("`{host}` refuses the request: {reason}")),
        }
    }
}

/// What stands in an answer of the protocol.
enum Message {
    Text(String),
    /// No text that could be read as an answer.
    Unusable {
        raw: String,
        why: &'static str,
    },
}
