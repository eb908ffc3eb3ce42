//! Which model is asked, and where, as the key `ai` has it. Nothing is asked here; whether something is, the command says.

use super::Ai;
use super::value::{AI, Entry, Reader};

impl Reader {
    pub(super) fn ai(&mut self, entry: Entry<'_>) -> Option<Ai> {
        let fields = self.fields(entry, &AI)?;
        for key in ["endpoint", "model"] {
            if !fields.contains_key(key) {
                self.problem(entry.key_span, &format!("`ai` has no `{key}`"), &format!("add `{key}`, or remove `ai`"));
            }
        }
        let endpoint = fields.get("endpoint").and_then(|it| self.endpoint(*it));
        let model = fields.get("model").and_then(|it| self.nonempty_text(*it));
        let api_key_env = fields.get("api-key-env").and_then(|it| self.variable(*it));
        Some(Ai { endpoint: endpoint?, model: model?, api_key_env })
    }

    fn endpoint(&mut self, entry: Entry<'_>) -> Option<String> {
        let (endpoint, span) = self.text(entry)?;
        if !is_url(&endpoint) {
            self.problem(span, &format!("`{endpoint}` is not a URL"), "start it with `https://` or `http://`");
        }
        Some(endpoint)
    }

    /// The name of an environment variable. A value that is no name may be the secret itself: it is not repeated.
    fn variable(&mut self, entry: Entry<'_>) -> Option<String> {
        let (name, span) = self.text(entry)?;
        let is_name = name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        if name.is_empty() || !is_name || name.as_bytes()[0].is_ascii_digit() {
            let message = format!("`{}` is not the name of an environment variable", entry.key);
            self.problem(span, &message, "name the variable that holds the key, as `CITECHECK_API_KEY`");
        }
        Some(name)
    }
}

pub(super) fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/') && !text.contains(char::is_whitespace))
}
