//! What the last check of the work tree found, kept until the next one. The check itself is `check`'s: everything stale,
//! the work tree by itself. Nothing of the repository stays open.

use std::path::PathBuf;

use super::Start;
use super::client::Client;
use super::places::Places;
use crate::cases::{Case, CaseFile, Citation};
use crate::config::Config;
use crate::diagnostic::{Diagnostic, SectionFact};
use crate::edits::Ground;
use crate::error::{Error, Kind};
use crate::git::Repo;
use crate::pipeline::{Checked, Session};
use crate::source::{RepoPath, Rev, SourceId, Sources, Span};

/// A checked work tree.
pub(super) struct Project {
    pub(super) config: Config,
    pub(super) base_urls: Vec<(String, String)>,
    pins_path: RepoPath,
    pub(super) sources: Sources,
    pub(super) checked: Checked,
    pub(super) places: Places,
}

/// Why there is nothing to tell.
pub(super) struct Failure {
    pub(super) error: Error,
    /// Where the work tree is, if there is one.
    pub(super) places: Option<Places>,
}

/// Checks the work tree of the first of the folders that lies in one.
pub(super) fn check(start: &Start, client: &Client) -> Result<Project, Box<Failure>> {
    let folders = match client.folders.as_slice() {
        [] => std::slice::from_ref(&start.folder),
        folders => folders,
    };
    let opened = folders.iter().find_map(|folder| Some((folder, Repo::open(folder, &start.env).ok()?)));
    let fail = |error, places| Box::new(Failure { error, places });
    let Some((folder, repo)) = opened else { return Err(fail(outside(start, folders), None)) };
    let places = repo.workdir().map(|top| Places::new(top, folder, client.unit));
    let Some(places) = places else {
        let error = Error::new(Kind::Git, format!("the repository of `{}` has no work tree", folder.display()));
        return Err(fail(error, None));
    };
    let checked = (start.open)(folder).and_then(|mut session| session.check(true).map(|checked| (session, checked)));
    match checked {
        Ok((session, checked)) => {
            let base_urls = session.base_urls();
            let Session { config, pins_path, sources, .. } = session;
            Ok(Project { config, base_urls, pins_path, sources, checked, places })
        }
        Err(error) => Err(fail(error, Some(places))),
    }
}

/// No folder is in a repository: why the first is not.
fn outside(start: &Start, folders: &[PathBuf]) -> Error {
    let error = match folders.first().map(|folder| Repo::open(folder, &start.env)) {
        Some(Err(error)) => Error::from(error),
        Some(Ok(_)) | None => Error::new(Kind::Git, "no folder is open"),
    };
    error.hint("open a folder of a git repository")
}

impl Project {
    /// How much was checked, for the log.
    pub(super) fn summary(&self) -> String {
        let Checked { after, findings, .. } = &self.checked;
        let cases: usize = after.cases.iter().map(|file| file.cases.len()).sum();
        let (sections, citations) = (after.manual.sections().count(), after.citations());
        let counts = format!("{sections} sections, {cases} cases, {citations} citations, {} findings", findings.len());
        match sections == 0 || cases == 0 {
            true => format!("nothing was checked: no manual or no case was found ({counts})"),
            false => format!("checked {counts}"),
        }
    }

    /// What edits are made in.
    pub(super) fn ground(&self) -> Ground<'_> {
        Ground { sources: &self.sources, config: &self.config, pins_path: &self.pins_path }
    }

    /// Whether a text is one of the work tree, and not of another revision.
    pub(super) fn is_current(&self, source: SourceId) -> bool {
        self.sources.get(source).rev == Rev::Worktree
    }

    pub(super) fn path(&self, source: SourceId) -> &RepoPath {
        &self.sources.get(source).path
    }

    /// The case file of that path, as it was checked.
    pub(super) fn case_file(&self, path: &RepoPath) -> Option<&CaseFile> {
        self.checked.after.cases.iter().find(|file| self.path(file.source) == path)
    }

    /// Where the section is that a finding speaks of: its heading, or the start of a whole file.
    pub(super) fn heading(&self, fact: &SectionFact) -> Option<Span> {
        let manual = &self.checked.after.manual;
        let document = manual.documents.iter().find(|document| document.path.to_string() == fact.file)?;
        let section = document.sections.iter().find(|it| it.id.0 == fact.id && it.line == fact.line);
        let is_file = fact.id.is_empty() && fact.title.is_empty();
        let start = is_file.then(|| Span::new(document.source, 0, 0));
        section.map(|section| section.heading).or(start)
    }

    /// What was found about a citation.
    pub(super) fn findings<'p>(
        &'p self,
        case: &'p Case,
        citation: &'p Citation,
    ) -> impl Iterator<Item = &'p Diagnostic> {
        self.checked.findings.iter().filter(move |it| it.about() == Some((case.id.0.as_str(), citation.span)))
    }
}
