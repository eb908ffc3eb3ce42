//! How the cases of one revision stood at another one, by comparing the two directly: no history is asked.

use std::collections::BTreeMap;

use crate::cases::{Case, CaseFile, CaseId, Citation};
use crate::source::{RepoPath, Sources};

/// The cases of one revision, to ask how another revision's cases stood there.
pub(crate) struct Counterparts<'a> {
    exact: BTreeMap<(&'a CaseId, usize, &'a RepoPath), &'a Case>,
    /// By id alone, so that a case is found after a move to another file.
    anywhere: BTreeMap<(&'a CaseId, usize), Vec<&'a Case>>,
}

impl<'a> Counterparts<'a> {
    pub(crate) fn new(files: &'a [CaseFile], sources: &'a Sources) -> Self {
        let (mut exact, mut anywhere) = (BTreeMap::new(), BTreeMap::new());
        for file in files {
            let path = &sources.get(file.source).path;
            for case in &file.cases {
                exact.insert((&case.id, case.ordinal, path), case);
                let there: &mut Vec<&Case> = anywhere.entry((&case.id, case.ordinal)).or_default();
                there.push(case);
            }
        }
        Self { exact, anywhere }
    }

    /// The case as it stood here; in the same file, or, where the id is unique, in another one.
    pub(crate) fn of(&self, case: &Case, path: &RepoPath) -> Option<&'a Case> {
        let exact = self.exact.get(&(&case.id, case.ordinal, path)).copied();
        exact.or_else(|| match self.anywhere.get(&(&case.id, case.ordinal)).map(Vec::as_slice) {
            Some([only]) => Some(*only),
            Some(_) | None => None,
        })
    }

    /// Whether the case said here what it says there, and had this citation: then a change of the cited text since is
    /// one that nobody has looked at. The spelling of the other citations has no part in it.
    pub(crate) fn had(&self, case: &Case, citation: &Citation, path: &RepoPath) -> bool {
        self.of(case, path).is_some_and(|stood| {
            stood.content == case.content && stood.citations.iter().any(|other| other.text == citation.text)
        })
    }
}
