//! Which revisions an event on GitHub is about. The environment and the event file come in as values, the choice goes
//! out; nothing is fetched. What GitHub lists as the commits of an event is not used: the list is cut at some length.

use std::fs;

use serde_json::Value;

use crate::commands::names_nothing;
use crate::error::{Error, Kind};
use crate::git::{Repo, Selection};
use crate::source::CommitId;

/// An event as GitHub hands it to a job: <https://docs.github.com/en/actions/reference/events-that-trigger-workflows>
#[derive(Debug)]
pub(super) struct Event {
    name: String,
    /// The commit that GitHub would have checked out.
    sha: Option<String>,
    payload: Value,
}

/// What to check for an event, and why that.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// `None` where there is nothing: a branch was deleted.
    pub(super) compared: Option<Compared>,
    pub(super) why: String,
    /// The commit whose files the page of a pull request shows, where that is not the one that is checked.
    pub(super) page: Option<CommitId>,
}

/// Two revisions, or one by itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Compared {
    pub(super) base: Option<String>,
    pub(super) head: String,
}

impl Event {
    /// Reads the event from the variables that a job has.
    pub(super) fn read(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Error> {
        let outside = |name: &str| {
            let error = Error::new(Kind::Usage, format!("`{name}` is not set, so this is no job of GitHub Actions"));
            error.hint("elsewhere, name the range: `citecheck check origin/main...`")
        };
        let name = variable("GITHUB_EVENT_NAME").ok_or_else(|| outside("GITHUB_EVENT_NAME"))?;
        let path = variable("GITHUB_EVENT_PATH").ok_or_else(|| outside("GITHUB_EVENT_PATH"))?;
        let text = fs::read(&path).map_err(|error| Error::io(&format!("read the event in `{path}`"), error))?;
        let payload = serde_json::from_slice(&text).map_err(|error| {
            Error::new(Kind::Io, format!("the event in `{path}` is not JSON: {error}"))
                .hint("GITHUB_EVENT_PATH names a file that the runner writes for each job")
        })?;
        Ok(Self { name, sha: variable("GITHUB_SHA"), payload })
    }

    /// Chooses what to check. Events that say nothing of two revisions check all of HEAD.
    pub(super) fn choose(&self, repo: &Repo) -> Result<Choice, Error> {
        match self.name.as_str() {
            "pull_request" => self.pull_request(repo),
            "pull_request_target" => Err(refuse_target()),
            "merge_group" => self.merge_group(repo),
            "push" => self.push(repo),
            name => Ok(Choice::everything(format!("`{name}` compares no revisions"))),
        }
    }

    fn text(&self, pointer: &str) -> Option<&str> {
        self.payload.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    /// The base that the event names grows stale; the merge commit that GitHub made has the one it was made on.
    fn pull_request(&self, repo: &Repo) -> Result<Choice, Error> {
        let head = head(repo)?;
        let parents = repo.commit(&head)?.parents;
        let is_merge_ref = self.sha.as_deref() == Some(head.as_str());
        let topic = self.text("/pull_request/head/sha");
        match parents.as_slice() {
            [base, second, ..] if is_merge_ref || topic == Some(second.as_str()) => {
                let choice = Choice::between(base, "HEAD", "the merge of the pull request, with its base");
                return Ok(Choice { page: Some(second.clone()), ..choice });
            }
            [] if is_merge_ref && repo.is_shallow() => {
                let error = "the base of the pull request is missing: history is cut off (shallow clone)";
                let hint = "set `fetch-depth: 2` for actions/checkout: the merge commit with its parents";
                return Err(Error::new(Kind::Git, error).hint(hint));
            }
            _ => {}
        }
        let why = "the head of the pull request, with where it left its base";
        let base = self.text("/pull_request/base/ref").map(|base| repo.resolve(&format!("origin/{base}")));
        let base = match (base, self.text("/pull_request/base/sha")) {
            (Some(Ok(base)), _) => base,
            (_, Some(sha)) => repo.resolve(sha)?,
            (Some(Err(error)), None) => return Err(error.into()),
            (None, None) => return Err(self.lacks("pull_request.base")),
        };
        match repo.merge_base(&base, &head)? {
            Some(base) => Ok(Choice::between(&base, "HEAD", why)),
            None => Ok(Choice::everything("the pull request shares no history with its base".to_owned())),
        }
    }

    fn merge_group(&self, repo: &Repo) -> Result<Choice, Error> {
        let sha = |key: &str| self.text(&format!("/merge_group/{key}")).ok_or_else(|| self.lacks("merge_group"));
        let (base, head) = (repo.resolve(sha("base_sha")?)?, repo.resolve(sha("head_sha")?)?);
        Ok(Choice::between(&base, head.as_str(), "the merge group, with its base"))
    }

    fn push(&self, repo: &Repo) -> Result<Choice, Error> {
        let after = self.text("/after").ok_or_else(|| self.lacks("after"))?;
        if names_nothing(after) {
            return Ok(Choice { compared: None, why: "the push deletes a branch or tag".to_owned(), page: None });
        }
        if self.text("/ref").is_some_and(|name| name.starts_with("refs/tags/")) {
            return Ok(Choice::everything("the push is one of a tag".to_owned()).of(after));
        }
        let after = repo.resolve(after)?;
        let Some(before) = self.text("/before").filter(|before| !names_nothing(before)) else {
            return self.since_default_branch(repo, &after, "a new branch");
        };
        match repo.resolve(before) {
            Ok(before) if repo.is_ancestor(&before, &after)? => {
                Ok(Choice::between(&before, after.as_str(), "the push, with what was there before"))
            }
            // Shallow, the commit may be an ancestor that was left out: an answer would be a guess.
            Err(error) if repo.is_shallow() => Err(error.into()),
            Ok(_) | Err(_) => self.since_default_branch(repo, &after, "a forced push"),
        }
    }

    fn since_default_branch(&self, repo: &Repo, after: &CommitId, what: &str) -> Result<Choice, Error> {
        let everything = |why: &str| Ok(Choice::everything(format!("{what}{why}")).of(after.as_str()));
        let Some(name) = self.text("/repository/default_branch") else { return everything("") };
        if self.text("/ref") == Some(&format!("refs/heads/{name}")) {
            return everything(" to the default branch");
        }
        let default = match repo.resolve(&format!("origin/{name}")) {
            Ok(default) => default,
            Err(error) if repo.is_shallow() => return Err(error.into()),
            Err(_) => return everything(", and the default branch is not here"),
        };
        match repo.merge_base(&default, after)? {
            Some(base) => Ok(Choice::between(&base, after.as_str(), &format!("{what}, with where it left `{name}`"))),
            None => everything(", without common history with the default branch"),
        }
    }

    fn lacks(&self, key: &str) -> Error {
        Error::new(Kind::Usage, format!("the event `{}` has no `{key}`", self.name))
            .hint("name the revisions with --base and --head")
    }
}

impl Choice {
    fn between(base: &CommitId, head: &str, why: &str) -> Self {
        let compared = Compared { base: Some(base.as_str().to_owned()), head: head.to_owned() };
        Self { compared: Some(compared), why: format!("compared: {why}"), page: None }
    }

    fn everything(why: String) -> Self {
        let compared = Compared { base: None, head: "HEAD".to_owned() };
        Self { compared: Some(compared), why: format!("compared with nothing: {why}"), page: None }
    }

    /// The same, of a revision other than HEAD.
    fn of(self, rev: &str) -> Self {
        Self { compared: Some(Compared { base: None, head: rev.to_owned() }), ..self }
    }
}

impl Compared {
    pub(super) fn selection(&self) -> Selection {
        match &self.base {
            Some(base) => Selection::Between { base: base.clone(), head: self.head.clone() },
            None => Selection::Rev(self.head.clone()),
        }
    }
}

fn head(repo: &Repo) -> Result<CommitId, Error> {
    repo.head()?.ok_or_else(|| Error::new(Kind::Git, "HEAD has no commit").hint("run actions/checkout first"))
}

/// There the job holds a token that can write, and GitHub checks out the base: what would be read is not the change.
fn refuse_target() -> Error {
    Error::new(Kind::Usage, "`pull_request_target` is not supported: it does not check out the change")
        .hint("use `pull_request`: reading is all that citecheck needs, so forks work, too")
}
