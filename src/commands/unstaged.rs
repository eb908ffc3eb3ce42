//! What a check of the index leaves out, told so that nobody looks for it in the result: text that is on disk only.

use crate::config;
use crate::error::Error;
use crate::pipeline::Session;
use crate::source::{RepoPath, Rev};

/// Notes on manuals, cases, pins and the configuration that differ on disk from the index that was checked.
pub(super) fn notes(session: &Session) -> Result<Vec<String>, Error> {
    if session.after.rev != Rev::Index || session.repo.workdir().is_none() {
        return Ok(Vec::new());
    }
    let is_read = |path: &RepoPath| {
        let is_text = session.config.is_manual(path) || session.config.case_group(path).is_some();
        is_text || *path == session.pins_path || config::may_be_configuration(path)
    };
    let unstaged = session.repo.unstaged(&is_read)?;
    let differing = told(&unstaged.differing, "on disk differs", "on disk differ", "from what was checked, the index");
    let announced = told(&unstaged.announced, "was", "were", "only announced with `git add -N` and not checked");
    Ok(differing.into_iter().chain(announced).collect())
}

fn told(paths: &[RepoPath], one: &str, several: &str, what: &str) -> Option<String> {
    match paths {
        [] => None,
        [path] => Some(format!("`{path}` {one} {what}")),
        [first, others @ ..] => Some(format!("`{first}` and {} more {several} {what}", others.len())),
    }
}
