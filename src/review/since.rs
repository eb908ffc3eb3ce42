//! Which commits changed a section since its review: the answer to "since when".
//! Looks only at commits that touched the section's file, and reads each version of it once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::git::{Commit, Content, Error, Repo, Step};
use crate::manual::{self, Document, Fingerprint};
use crate::source::{CommitId, RepoPath, Rev, Sources};

/// Versions of one file that are read to answer for one section, at most; what is older is not named.
const MOST_VERSIONS: usize = 50;

/// The commits of a range, ready to be asked.
pub(crate) struct Since<'r> {
    repo: &'r Repo,
    options: &'r manual::Options,
    steps: Vec<Step>,
    versions: BTreeMap<(CommitId, RepoPath), Option<Arc<Document>>>,
}

impl<'r> Since<'r> {
    /// The commits of `after` that `before` does not have. An index or a work tree stands on HEAD.
    pub(crate) fn new(
        repo: &'r Repo,
        options: &'r manual::Options,
        range: (&Rev, &Rev),
        files: &BTreeSet<RepoPath>,
    ) -> Result<Self, Error> {
        let head = match range.1 {
            Rev::Commit(id) => Some(id.clone()),
            Rev::Index | Rev::Worktree => repo.head()?,
            Rev::Nothing => None,
        };
        let exclude: Vec<CommitId> = match range.0 {
            Rev::Commit(id) => vec![id.clone()],
            Rev::Index | Rev::Worktree | Rev::Nothing => Vec::new(),
        };
        let steps = match head {
            Some(head) if !exclude.contains(&head) => repo.log(&head, &exclude, &|path| files.contains(path))?.steps,
            Some(_) | None => Vec::new(),
        };
        Ok(Self { repo, options, steps, versions: BTreeMap::new() })
    }

    /// The commits that changed the own text of a section, latest first. The section is looked for by its id.
    pub(crate) fn commits(&mut self, file: &RepoPath, id: &str) -> Vec<Commit> {
        let touching: Vec<Commit> = self
            .steps
            .iter()
            .filter(|step| step.changed.contains(file))
            .take(MOST_VERSIONS)
            .map(|step| step.commit.clone())
            .collect();
        touching
            .into_iter()
            .filter(|commit| {
                let now = self.text(&commit.id, file, id);
                commit.parents.iter().all(|parent| self.text(parent, file, id) != now)
            })
            .collect()
    }

    fn text(&mut self, commit: &CommitId, file: &RepoPath, id: &str) -> Option<Fingerprint> {
        let key = (commit.clone(), file.clone());
        if !self.versions.contains_key(&key) {
            let version = self.read(commit, file);
            self.versions.insert(key.clone(), version);
        }
        let document = self.versions.get(&key)?.as_ref()?;
        document.sections.iter().find(|section| section.id.0 == id).map(|section| section.own)
    }

    /// A version that can't be read counts as absent: the commit is then named rather than left out.
    fn read(&self, commit: &CommitId, file: &RepoPath) -> Option<Arc<Document>> {
        let rev = Rev::Commit(commit.clone());
        let snapshot = self.repo.snapshot(&rev, &|path| path == file).ok()?;
        let content = self.repo.read(&rev, file, snapshot.entries.get(file)?).ok()?;
        let Content::Text(bytes) = content else { return None };
        let text = String::from_utf8(bytes).ok()?;
        let mut sources = Sources::default();
        let source = sources.add(rev, file.clone(), text.as_str());
        Some(Arc::new(manual::parse(source, file, &text, self.options).value))
    }
}
