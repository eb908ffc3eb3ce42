//! The commands: one file or folder each, with the arguments it takes and what it runs, by its name but for `config`,
//! which is in `settings.rs`. Parsing the command line itself is `cli`'s.
//!
//! Beside them what commands share. Options: `reporting.rs`, `levels.rs`, `output.rs`, `targets.rs`, `chosen.rs`. Checks:
//! `checking.rs` runs and reports one, `merge.rs` checks a merge against both sides, `kept.rs` recalls what an earlier run
//! printed, `shown.rs` and `unstaged.rs` say what the page of a change shows and what the index leaves out. Models: `model.rs`,
//! `judging.rs`, `classifying.rs`. Files: `write_back.rs` writes edits in a turn that `turn.rs` gives, `patch.rs` shows
//! them.

pub(crate) mod accept;
pub(crate) mod check;
mod checking;
mod chosen;
pub(crate) mod ci;
#[cfg(feature = "ai")]
mod classifying;
#[cfg(feature = "http")]
pub(crate) mod comment;
pub(crate) mod completions;
pub(crate) mod coverage;
pub(crate) mod diff;
pub(crate) mod doctor;
#[cfg(feature = "ai")]
pub(crate) mod draft;
pub(crate) mod explain;
pub(crate) mod fix;
pub(crate) mod hook;
pub(crate) mod init;
#[cfg(feature = "ai")]
mod judging;
mod kept;
mod levels;
pub(crate) mod lsp;
pub(crate) mod man;
mod merge;
#[cfg(feature = "ai")]
mod model;
mod output;
mod patch;
mod reporting;
pub(crate) mod rules;
pub(crate) mod schema;
pub(crate) mod sections;
pub(crate) mod settings;
mod shown;
mod targets;
mod turn;
mod unstaged;
mod write_back;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub(crate) use output::OutputFile;

use crate::error::{Error, Kind};
use crate::git::{Env, Repo, Selection};
use crate::pipeline::{Configured, Session};
use crate::report::Looks;
use crate::source::RepoPath;

/// Where and how a command runs: decided once, from the global options and the environment.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// The directory it was started in.
    pub(crate) start: PathBuf,
    pub(crate) env: Env,
    /// The file given with `--config`.
    pub(crate) config: Option<PathBuf>,
    /// The revision given with `--config-from`.
    pub(crate) config_from: Option<String>,
    /// Whether no configuration is read, by `--isolated`.
    pub(crate) isolated: bool,
    /// The settings given with `--config KEY=VALUE`.
    pub(crate) settings: Vec<String>,
    pub(crate) looks: Looks,
    /// The environment, for the commands that other programs run: hooks and CI.
    pub(crate) variables: BTreeMap<String, String>,
}

/// For a command that has nothing to work on: silence would look like "done".
fn say_nothing_was_read(out: &mut dyn Write) -> Result<(), Error> {
    writeln!(out, "no manual or no case could be read; `citecheck check` says why")
        .map_err(|error| Error::io("write to standard output", error))
}

/// `1 case`, `2 cases`.
fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Whether an id is all zeros, as git and GitHub write one for a ref or commit that does not exist.
fn names_nothing(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte == b'0')
}

/// What is to be said of a range in which nothing lies.
fn empty_range(session: &Session) -> Option<String> {
    let is_empty = session.before.as_ref().is_some_and(|before| before.rev == session.after.rev);
    is_empty.then(|| "the range is empty: both its ends are the same commit".to_owned())
}

fn no_work_tree() -> Error {
    Error::new(Kind::Usage, "this repository has no work tree").hint("run citecheck in a clone with files")
}

impl Context {
    /// The repository that it was started in.
    pub(crate) fn repo(&self) -> Result<Rc<Repo>, Error> {
        Ok(Rc::new(Repo::open(&self.start, &self.env)?))
    }

    pub(crate) fn open(&self, selection: &Selection) -> Result<Session, Error> {
        self.open_in(&self.repo()?, selection)
    }

    /// The same in a repository that is open already.
    pub(crate) fn open_in(&self, repo: &Rc<Repo>, selection: &Selection) -> Result<Session, Error> {
        let file = self.config.as_ref().map(|config| self.inside(repo, config)).transpose()?;
        let (rev, settings) = (self.config_from.clone(), self.settings.clone());
        Session::open(Rc::clone(repo), selection, Configured { file, rev, isolated: self.isolated, settings })
    }

    /// Whether something is there under a path as it was typed.
    fn has_path(&self, path: &Path) -> bool {
        self.start.join(path).symlink_metadata().is_ok()
    }

    /// A variable of the environment; one without a value is as good as none.
    #[cfg(feature = "http")]
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The top of the work tree.
    pub(crate) fn top(&self) -> Result<PathBuf, Error> {
        let repo = self.repo()?;
        let top = repo.workdir().map(Path::to_path_buf);
        top.ok_or_else(no_work_tree)
    }

    /// A path as git knows it, from one as typed: relative to where we were started.
    fn inside(&self, repo: &Repo, path: &Path) -> Result<RepoPath, Error> {
        let outside = || {
            let error = Error::new(Kind::Usage, format!("`{}` is not in the repository", path.display()));
            error.hint("a path is relative to where you are, and names something below the top of the repository")
        };
        let top = repo.workdir().unwrap_or(&self.start);
        let top = top.canonicalize().map_err(|error| Error::io("find the work tree", error))?;
        let mut full = self.start.canonicalize().map_err(|error| Error::io("find the current directory", error))?;
        for part in path.components() {
            match part {
                std::path::Component::ParentDir => _ = full.pop(),
                std::path::Component::Normal(name) => full.push(name),
                std::path::Component::RootDir | std::path::Component::Prefix(_) => {
                    full = PathBuf::from(part.as_os_str())
                }
                std::path::Component::CurDir => {}
            }
        }
        let inside = full.strip_prefix(&top).map_err(|_| outside())?;
        let parts: Vec<&[u8]> = inside.components().map(|part| part.as_os_str().as_encoded_bytes()).collect();
        Ok(RepoPath::new(parts.join(&b'/')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_stand_for_no_commit() {
        assert!(names_nothing(&"0".repeat(40)) && names_nothing(&"0".repeat(64)));
        assert!(!names_nothing("") && !names_nothing("0a"));
    }
}
