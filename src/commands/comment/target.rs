//! Which pull request a comment belongs to: as the options say, else as the job of GitHub does. Reads the event file and
//! nothing of a report, which may be anybody's.

use std::fs;

use serde_json::Value;

use crate::commands::Context;
use crate::error::{Error, Kind};

/// A pull request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Target {
    pub(super) owner: String,
    pub(super) name: String,
    pub(super) number: u64,
    /// Whether the change comes from another repository, so that the job's token can only read.
    pub(super) is_fork: bool,
}

/// A repository as `OWNER/NAME`; clap shows the error behind the value.
pub(super) fn repository(text: &str) -> Result<(String, String), String> {
    let is_name = |name: &str| {
        let is_plain = name.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.'));
        is_plain && !name.is_empty() && name != "." && name != ".."
    };
    match text.split_once('/') {
        Some((owner, name)) if is_name(owner) && is_name(name) => Ok((owner.to_owned(), name.to_owned())),
        Some(_) | None => Err("write it as OWNER/NAME".to_owned()),
    }
}

/// The pull request that is meant.
pub(super) fn target(repo: Option<&(String, String)>, number: Option<u64>, context: &Context) -> Result<Target, Error> {
    let (owner, name) = match (repo, context.variable("GITHUB_REPOSITORY")) {
        (Some(repo), _) => repo.clone(),
        (None, Some(text)) => repository(text)
            .map_err(|_| Error::new(Kind::Usage, format!("`GITHUB_REPOSITORY` is `{text}`, which is no repository")))?,
        (None, None) => {
            let error = Error::new(Kind::Usage, "the repository is not known: `GITHUB_REPOSITORY` is not set");
            return Err(error.hint("name it with --repo OWNER/NAME"));
        }
    };
    let event = match (number, context.variable("GITHUB_EVENT_PATH")) {
        (_, Some(path)) => read(path)?,
        (Some(_), None) => Value::Null,
        (None, None) => {
            let error = Error::new(Kind::Usage, "the pull request is not known: `GITHUB_EVENT_PATH` is not set");
            return Err(error.hint("name it with --pr N"));
        }
    };
    let event_number = of_event(&event);
    let number = number.or(event_number).ok_or_else(|| {
        let event = context.variable("GITHUB_EVENT_NAME").unwrap_or_default();
        Error::new(Kind::Usage, format!("the event `{event}` is about no single pull request"))
            .hint("run it for `pull_request` only, or name the pull request with --pr N")
    })?;
    let is_fork = event_number == Some(number) && is_fork(&event);
    Ok(Target { owner, name, number, is_fork })
}

fn read(path: &str) -> Result<Value, Error> {
    let text = fs::read(path).map_err(|error| Error::io(&format!("read the event in `{path}`"), error))?;
    serde_json::from_slice(&text)
        .map_err(|error| Error::new(Kind::Io, format!("the event in `{path}` is not JSON: {error}")))
}

/// The number in the event: of a pull request itself, of a comment on one, or of a run for exactly one.
fn of_event(event: &Value) -> Option<u64> {
    let number = |pointer: &str| event.pointer(pointer).and_then(Value::as_u64);
    let of_run = event.pointer("/workflow_run/pull_requests").and_then(Value::as_array);
    number("/pull_request/number")
        .or_else(|| event.pointer("/issue/pull_request").and_then(|_| number("/issue/number")))
        .or_else(|| of_run.filter(|it| it.len() == 1).and_then(|it| it[0].pointer("/number")).and_then(Value::as_u64))
}

fn is_fork(event: &Value) -> bool {
    let repo = |side: &str| event.pointer(&format!("/pull_request/{side}/repo/full_name")).and_then(Value::as_str);
    // The repository of a change may be gone.
    event.pointer("/pull_request/head").is_some() && repo("head") != repo("base")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_repository_has_two_plain_parts() {
        assert_eq!(repository("a-b/c.d_e"), Ok(("a-b".to_owned(), "c.d_e".to_owned())));
        for text in ["", "a", "/", "a/", "a/b/c", "../x", "a/..", "a/b?c", "a b/c"] {
            assert!(repository(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_number_stands_in_the_event() {
        let check = |event: Value, expected| assert_eq!(of_event(&event), expected, "{event}");
        check(json!({"pull_request": {"number": 7}}), Some(7));
        check(json!({"issue": {"number": 8, "pull_request": {}}}), Some(8));
        check(json!({"issue": {"number": 8}}), None);
        check(json!({"workflow_run": {"pull_requests": [{"number": 9}]}}), Some(9));
        check(json!({"workflow_run": {"pull_requests": [{"number": 9}, {"number": 10}]}}), None);
        check(json!({"pull_request": {"number": "7"}}), None);
        check(json!({"ref": "refs/heads/main"}), None);
    }

    #[test]
    fn a_fork_is_another_repository_or_one_that_is_gone() {
        let event =
            |head: Value| json!({"pull_request": {"head": {"repo": head}, "base": {"repo": {"full_name": "a/b"}}}});
        assert!(!is_fork(&event(json!({"full_name": "a/b"}))));
        assert!(is_fork(&event(json!({"full_name": "c/b"}))));
        assert!(is_fork(&event(Value::Null)));
        assert!(!is_fork(&json!({"issue": {}})));
    }
}
