//! The files and folders that a run is limited to, as they were typed: which those are for git, and which findings are
//! about them.

use std::path::Path;

use super::Context;
use crate::cases::CaseFile;
use crate::diagnostic::Diagnostic;
use crate::error::{Error, Kind};
use crate::pipeline::Session;
use crate::source::{RepoPath, Sources};

/// The files and folders that a run was limited to.
pub(crate) struct ChosenPaths {
    /// From the top of the repository, without a slash at the end.
    paths: Vec<Vec<u8>>,
}

impl ChosenPaths {
    /// The paths as git knows them. One that names nothing in either revision is an error: a slip of the keyboard must not
    /// look like "nothing found". `cases` are files with a case that may have been meant.
    pub(crate) fn new(
        session: &Session,
        context: &Context,
        paths: &[&Path],
        cases: &[CaseFile],
    ) -> Result<Self, Error> {
        let mut chosen = Self { paths: Vec::new() };
        for path in paths {
            let inside = context.inside(&session.repo, path)?;
            let one = Self { paths: vec![inside.as_bytes().to_vec()] };
            let mut found = false;
            for end in session.before.iter().chain([&session.after]) {
                found = found || !session.repo.snapshot(&end.rev, &|file| one.has(file))?.entries.is_empty();
            }
            if !found {
                return Err(no_file(session, path, cases));
            }
            chosen.paths.extend(one.paths);
        }
        Ok(chosen)
    }

    pub(crate) fn is_everything(&self) -> bool {
        self.paths.is_empty()
    }

    pub(crate) fn has(&self, path: &RepoPath) -> bool {
        self.has_bytes(path.as_bytes())
    }

    /// Whether a finding is about a chosen file: the case's, or the manual's that it cites.
    pub(crate) fn concerns(&self, finding: &Diagnostic, sources: &Sources) -> bool {
        let sections = [&finding.facts.before, &finding.facts.after];
        self.has(&sources.get(finding.primary.span.source).path)
            || sections.into_iter().flatten().any(|section| self.has_bytes(section.file.as_bytes()))
    }

    fn has_bytes(&self, path: &[u8]) -> bool {
        let under = |chosen: &Vec<u8>| {
            chosen.is_empty() || path.strip_prefix(&chosen[..]).is_some_and(|rest| rest.is_empty() || rest[0] == b'/')
        };
        self.is_everything() || self.paths.iter().any(under)
    }
}

/// For a path that names no file in the revisions that are compared.
fn no_file(session: &Session, path: &Path, cases: &[CaseFile]) -> Error {
    let message = format!("`{}` names no file in the compared revisions", path.display());
    if let Some(file) = path.to_str().and_then(|id| file_with(cases, id)) {
        let file = &session.sources.get(file.source).path;
        let error = Error::new(Kind::Usage, format!("{message}, but a case in `{file}`"));
        return error.hint("give the file, from where you are, to look at its cases alone");
    }
    let Some(revision) = path.to_str().filter(|spec| session.repo.resolve(spec).is_ok()) else {
        let hint = "a path is relative to where you are; a range has the form A..B";
        return Error::new(Kind::Usage, message).hint(hint);
    };
    let error = Error::new(Kind::Usage, format!("{message}, but a revision"));
    if let Some(before) = &session.before {
        return error.hint(format!("`{}..{revision}` compares the two revisions", before.name));
    }
    let error = error.hint(format!("`citecheck check --rev {revision}` checks it by itself"));
    match session.repo.range_of(revision) {
        Some(range) => error.hint(format!("a range is written {range}")),
        None => error,
    }
}

/// The first file with a case of this id.
fn file_with<'c>(files: &'c [CaseFile], id: &str) -> Option<&'c CaseFile> {
    files.iter().find(|file| file.cases.iter().any(|case| case.id.0 == id))
}
