//! The model that the configuration names, for the commands that ask one. Says what keeps it from being asked before
//! anything is sent.

use std::io::Write;
use std::time::Duration;

use super::Context;
use crate::ai::{Model, Store};
use crate::config::Ai;
use crate::error::{Error, Kind};
use crate::git::Selection;
use crate::http::Secret;
use crate::pipeline::Session;
use crate::report::write_json;
use crate::source::Rev;

/// Whether requests go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sending {
    For(Duration),
    /// They are only shown, so no key is needed.
    Never,
}

/// The model, with its key.
pub(super) fn model(session: &Session, sending: Sending, context: &Context) -> Result<Model, Error> {
    let ai = session.config.ai.as_ref().ok_or_else(|| {
        Error::new(Kind::Config, "the configuration names no model")
            .hint("add `ai: { endpoint: \"http://127.0.0.1:8080/v1\", model: NAME }` to citecheck.yaml")
    })?;
    let store = Store::new(session.repo.common_dir());
    match sending {
        Sending::Never => Model::new(ai, None, Duration::from_secs(1), store),
        Sending::For(timeout) => Model::new(ai, key(ai, session, context)?, timeout, store),
    }
}

/// Prints what would be sent, one request a line behind its address.
pub(super) fn show(model: &Model, requests: &[serde_json::Value], out: &mut dyn Write) -> Result<(), Error> {
    let written = |error| Error::io("write to standard output", error);
    for request in requests {
        writeln!(out, "POST {}", model.address()).map_err(written)?;
        write_json(request, out).map_err(written)?;
    }
    if requests.is_empty() {
        writeln!(out, "nothing would be sent").map_err(written)?;
    }
    Ok(())
}

/// The key goes where the configuration says, and that is part of what is checked: of a range the start has to say the
/// same, or a change could have the key sent anywhere.
fn key(ai: &Ai, session: &Session, context: &Context) -> Result<Option<Secret>, Error> {
    let Some(name) = &ai.api_key_env else { return Ok(None) };
    let value = context.variable(name).ok_or_else(|| {
        Error::new(Kind::Usage, format!("there is no key: `{name}` is not set"))
            .hint("`api-key-env` in `ai` names the variable that holds it; an endpoint without a key needs none")
    })?;
    if let Some(Rev::Commit(start)) = session.before.as_ref().map(|end| &end.rev) {
        let before = context.open(&Selection::Rev(start.as_str().to_owned()));
        if !before.is_ok_and(|before| before.config.ai.as_ref() == Some(ai)) {
            let message = "`ai` in the configuration is not what it was where the range starts, so the key is not sent";
            return Err(Error::new(Kind::Config, message).hint("look at it, then use a range that starts with it"));
        }
    }
    let secret = Secret::new(value).ok_or_else(|| Error::new(Kind::Usage, format!("what `{name}` holds is no key")))?;
    Ok(Some(secret))
}
