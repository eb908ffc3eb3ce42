//! Cases that were never checked, as the key with which they cite is misspelt in their whole file. A key like `cite` may
//! be somebody's own: it is taken for a slip where the mapping has an id and everything under the key names a section.
//! Beside cases that do cite, such a key is told as a finding; cases that cited before are told by `dropped.rs`.

use super::Session;
use super::dropped::Dropped;
use crate::cases::{CaseFile, Identified, Misspelt};
use crate::manual::Index;
use crate::review::Edition;
use crate::source::RepoPath;

/// How many files have a note of their own.
const MOST_FILES: usize = 3;

/// The cases of one file that cite nothing, as their key is misspelt: what is told of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Strays {
    pub(crate) file: RepoPath,
    /// Where the first one is.
    pub(crate) line: usize,
    first: String,
    count: usize,
    /// What to write.
    pub(crate) hint: String,
}

impl Session {
    /// The files of which no case is checked for a slip.
    pub(crate) fn strays(&self, files: &[CaseFile], index: &Index) -> Vec<Strays> {
        files.iter().filter_map(|file| self.strays_of(file, index)).collect()
    }

    /// What is told of them: of a range what it touched, and what it does not tell as dropped.
    pub(super) fn stray_notes(
        &self,
        files: &[CaseFile],
        (start, checked): (Option<&Edition>, &Edition),
        dropped: &[Dropped],
    ) -> Vec<String> {
        let is_same =
            |start: &Edition, file: &RepoPath| start.blob(file).is_some() && start.blob(file) == checked.blob(file);
        let mut strays = self.strays(files, &checked.index);
        strays.retain(|Strays { file, .. }| {
            start.filter(|start| is_same(start, file)).is_none() && !dropped.iter().any(|it| it.is_uncited_in(file))
        });
        Strays::notes(&strays)
    }

    fn strays_of(&self, file: &CaseFile, index: &Index) -> Option<Strays> {
        let path = &self.sources.get(file.source).path;
        let is_meant = |misspelt: &Misspelt| {
            !misspelt.names.is_empty() && misspelt.names.iter().all(|name| index.has(name, Some(path)))
        };
        let slip = |found: &'_ Identified| found.misspelt.clone().filter(is_meant);
        let mut found = file.strays.iter().filter_map(|found| Some((found, slip(found)?)));
        let (first, Misspelt { typed, meant, .. }) = found.next()?;
        Some(Strays {
            file: path.clone(),
            line: self.sources.line(file.source, first.id_span.start).0,
            first: first.id.0.clone(),
            count: 1 + found.count(),
            hint: format!("write `{meant}` for `{typed}`"),
        })
    }
}

impl Strays {
    /// A line for each of the first files, and one for the others.
    fn notes(strays: &[Self]) -> Vec<String> {
        let places = strays.iter().take(MOST_FILES).map(|it| format!("{}:{}: {}", it.file, it.line, it.told()));
        let (others, more) =
            strays.iter().skip(MOST_FILES).fold((0, 0), |(files, cases), it| (files + 1, cases + it.count));
        let more = match (others, more) {
            (0, _) => None,
            (1, 1) => Some("1 more case is not checked for such a key, in another file".to_owned()),
            (1, more) => Some(format!("{more} more cases are not checked for such a key, in another file")),
            (files, more) => Some(format!("{more} more cases are not checked for such a key, in {files} other files")),
        };
        places.chain(more).collect()
    }

    pub(crate) fn told(&self) -> String {
        let told = match self.count - 1 {
            0 => format!("`{}` is not checked: it cites nothing", self.first),
            1 => format!("`{}` and 1 more case are not checked: they cite nothing", self.first),
            more => format!("`{}` and {more} more cases are not checked: they cite nothing", self.first),
        };
        format!("{told}; {}", self.hint)
    }
}
