//! The cases that a range drops: those that were checked where it starts and are not where it ends. A case that was taken
//! out is in order, and a count tells it; one that is still there and cites nothing any more may be a slip, as where a key
//! was respelled, and is told with its place. What cannot be read is told as that.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{Revision, Session};
use crate::cases::{self, Case, CaseFile, CaseId, Identified, Misspelt, Problem};
use crate::review::Edition;
use crate::source::{RepoPath, Span};

/// How many files a note names.
const MOST_FILES: usize = 3;

/// A case that is no longer checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dropped {
    case: CaseId,
    /// Where it is, or was.
    file: RepoPath,
    how: How,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum How {
    WithFile,
    FromFile,
    /// It is still there: at which line, and what to write, if that is known.
    Uncited {
        line: usize,
        hint: Option<String>,
    },
}

/// Case files of one end.
type Files<'a> = BTreeMap<&'a RepoPath, &'a CaseFile>;

impl Session {
    pub(super) fn dropped(
        &self,
        (start, checked): (&Edition, &Edition),
        (before, after): (&Revision, &Revision),
    ) -> Vec<Dropped> {
        let is_same = |path: &RepoPath| start.blob(path).is_some() && start.blob(path) == checked.blob(path);
        let (mut there, mut here) = (self.case_files(before), self.case_files(after));
        [&mut there, &mut here].into_iter().for_each(|files| files.retain(|path, _| !is_same(path)));
        let mut dropped = self.emptied((&there, &here), after);
        let lost = self.lost((&there, &here), (before, after));
        let standing = if lost.is_empty() { BTreeMap::new() } else { self.standing((&there, &here)) };
        for (path, case) in lost {
            match standing.get(&case.id) {
                // What is wrong with it is told.
                Some((_, found)) if has_problem(after, found.span) => {}
                Some((file, found)) => {
                    dropped.push(self.uncited(file, &case.id, found.id_span, self.hint(file, found)));
                }
                None => {
                    let how = if checked.entries.contains_key(path) { How::FromFile } else { How::WithFile };
                    dropped.push(Dropped { case: case.id.clone(), file: path.clone(), how });
                }
            }
        }
        dropped
    }

    /// The cases that cited something, and that no case has the id of now; each with the file it was in. Of cases with a
    /// citation for their id, those count that a file has less of than before: such an id changes where the citation is
    /// respelled.
    fn lost<'a>(
        &self,
        (there, here): (&Files<'a>, &Files<'a>),
        (before, after): (&Revision, &Revision),
    ) -> Vec<(&'a RepoPath, &'a Case)> {
        let (known, unread) = (ids(after), self.unread_cases(after));
        let is_lost = |case: &&Case| !case.citations.is_empty() && !known.contains(&case.id);
        let mut known_before = None;
        let mut lost = Vec::new();
        for (path, file) in there.iter().filter(|(path, _)| !unread.contains(*path)) {
            let (listed, own): (Vec<&Case>, Vec<&Case>) =
                file.cases.iter().filter(is_lost).partition(|case| case.cited_id);
            let came = here.get(path).filter(|_| !listed.is_empty()).map_or(0, |file| {
                let known = known_before.get_or_insert_with(|| ids(before));
                file.cases.iter().filter(|case| case.cited_id && !known.contains(&case.id)).count()
            });
            lost.extend(own.into_iter().chain(listed.into_iter().skip(came)).map(|case| (*path, case)));
        }
        lost
    }

    fn case_files<'a>(&'a self, revision: &'a Revision) -> Files<'a> {
        revision.cases.iter().map(|file| (&self.sources.get(file.source).path, file)).collect()
    }

    /// The case files that cannot be read, or not to their end.
    fn unread_cases<'a>(&'a self, revision: &Revision) -> BTreeSet<&'a RepoPath> {
        let broken = revision.case_problems.iter().filter_map(|problem| match problem {
            Problem::Yaml { span, .. } => Some(*span),
            Problem::Case { .. } | Problem::DuplicateKey { .. } => None,
        });
        let unread = revision.unreadable.iter().map(|file| file.span);
        broken.chain(unread).map(|span| &self.sources.get(span.source).path).collect()
    }

    /// The cases that cited something and have nothing under their citation keys now.
    fn emptied(&self, (there, here): (&Files<'_>, &Files<'_>), after: &Revision) -> Vec<Dropped> {
        let cited = there.values().flat_map(|file| &file.cases).filter(|case| !case.citations.is_empty());
        let cited: BTreeSet<&CaseId> = cited.map(|case| &case.id).collect();
        let cases = here.iter().flat_map(|(path, file)| file.cases.iter().map(move |case| (*path, case)));
        let emptied = cases.filter(|(_, case)| case.citations.is_empty() && cited.contains(&case.id));
        emptied
            .filter(|(_, case)| !has_problem(after, case.span))
            .map(|(path, case)| self.uncited(path, &case.id, case.id_span, None))
            .collect()
    }

    fn uncited(&self, file: &RepoPath, case: &CaseId, place: Span, hint: Option<String>) -> Dropped {
        let (line, _) = self.sources.line(place.source, place.start);
        Dropped { case: case.clone(), file: file.clone(), how: How::Uncited { line, hint } }
    }

    /// The mappings that have an id at least as often as before: where it is had less often, the case was taken out, and
    /// what is left is something else that has its id.
    fn standing<'a>(&self, (there, here): (&Files<'a>, &Files<'a>)) -> BTreeMap<CaseId, (&'a RepoPath, Identified)> {
        let mut before: BTreeMap<CaseId, usize> = BTreeMap::new();
        for (path, file) in there {
            self.identified(path, file).into_iter().for_each(|found| *before.entry(found.id).or_default() += 1);
        }
        let mut standing: BTreeMap<CaseId, (&RepoPath, Identified)> = BTreeMap::new();
        for (path, file) in here {
            for found in self.identified(path, file) {
                if let Some(left) = before.get_mut(&found.id) {
                    *left = left.saturating_sub(1);
                    standing.entry(found.id.clone()).or_insert((path, found));
                }
            }
        }
        standing.retain(|id, _| before.get(id) == Some(&0));
        standing
    }

    fn identified(&self, path: &RepoPath, file: &CaseFile) -> Vec<Identified> {
        let Some(group) = self.config.case_group(path) else { return Vec::new() };
        cases::identified(file.source, &self.sources.get(file.source).text, &group.shape)
    }

    /// What to write where a case has no citation key.
    fn hint(&self, path: &RepoPath, found: &Identified) -> Option<String> {
        if let Some(Misspelt { typed, meant, .. }) = &found.misspelt {
            return Some(format!("write `{meant}` for `{typed}`"));
        }
        let keys: Vec<String> =
            self.config.case_group(path)?.shape.cites.iter().map(|key| format!("`{key}`")).collect();
        Some(format!("cases cite with {}", keys.join(" or ")))
    }
}

impl Dropped {
    /// Whether the case is there and cites nothing.
    pub(super) fn is_uncited(&self) -> bool {
        match self.how {
            How::Uncited { .. } => true,
            How::WithFile | How::FromFile => false,
        }
    }

    pub(super) fn is_uncited_in(&self, file: &RepoPath) -> bool {
        self.is_uncited() && self.file == *file
    }

    /// What is told of several: a line for each of the first files with cases that are still there, and one for cases that
    /// are not.
    pub(super) fn notes(dropped: &[Self]) -> Vec<String> {
        let mut uncited: BTreeMap<&RepoPath, Vec<(usize, &Self)>> = BTreeMap::new();
        let mut gone: BTreeMap<&RepoPath, Vec<&Self>> = BTreeMap::new();
        for it in dropped {
            match it.how {
                How::Uncited { line, .. } => uncited.entry(&it.file).or_default().push((line, it)),
                How::WithFile | How::FromFile => gone.entry(&it.file).or_default().push(it),
            }
        }
        let places = uncited.iter().take(MOST_FILES).filter_map(|(file, cases)| still_there(file, cases));
        let others = uncited.len().saturating_sub(MOST_FILES);
        let more: usize = uncited.values().skip(MOST_FILES).map(Vec::len).sum();
        let more = match (more, others) {
            (_, 0) => None,
            (1, _) => Some("1 more case cites nothing any more, in another file".to_owned()),
            (_, 1) => Some(format!("{more} more cases cite nothing any more, in another file")),
            (_, _) => Some(format!("{more} more cases cite nothing any more, in {others} other files")),
        };
        places.chain(more).chain(taken_out(&gone)).collect()
    }
}

/// The cases of a file that are there and cite nothing, at the place of the first.
fn still_there(file: &RepoPath, cases: &[(usize, &Dropped)]) -> Option<String> {
    let (line, first) = cases.iter().min_by_key(|(line, _)| *line)?;
    let id = &first.case.0;
    let told = match cases.len() - 1 {
        0 => format!("`{id}` is no longer checked: it cites nothing any more"),
        1 => format!("`{id}` and 1 more case are no longer checked: they cite nothing any more"),
        more => format!("`{id}` and {more} more cases are no longer checked: they cite nothing any more"),
    };
    let hint = match &first.how {
        How::Uncited { hint: Some(hint), .. } => format!("; {hint}"),
        How::Uncited { hint: None, .. } | How::WithFile | How::FromFile => String::new(),
    };
    Some(format!("{file}:{line}: {told}{hint}"))
}

/// One line, however much was taken out.
fn taken_out(gone: &BTreeMap<&RepoPath, Vec<&Dropped>>) -> Option<String> {
    let total: usize = gone.values().map(Vec::len).sum();
    let mut files = gone.iter().map(|(file, cases)| {
        let whence = match cases.as_slice() {
            [Dropped { how: How::WithFile, .. }, ..] => format!("with {file}"),
            _ => format!("from {file}"),
        };
        match cases.as_slice() {
            [one] => (format!("`{}`", one.case.0), "is", whence),
            several => (several.len().to_string(), "cases are", whence),
        }
    });
    if gone.len() <= 1 {
        return files.next().map(|(who, are, whence)| format!("{who} {are} gone {whence}"));
    }
    let more: usize = gone.values().skip(MOST_FILES).map(Vec::len).sum();
    let named = files.take(MOST_FILES).map(|(who, _, whence)| format!("{who} {whence}"));
    let places: Vec<String> = named.chain((more > 0).then(|| format!("{more} from other files"))).collect();
    Some(format!("{total} cases are gone: {}", places.join(", ")))
}

fn ids(revision: &Revision) -> HashSet<&CaseId> {
    revision.cases.iter().flat_map(|file| &file.cases).map(|case| &case.id).collect()
}

/// Whether a reader of files has told something of a place.
fn has_problem(revision: &Revision, place: Span) -> bool {
    let spans = revision.case_problems.iter().map(Problem::span);
    spans.into_iter().any(|span| span.source == place.source && place.start <= span.start && span.end <= place.end)
}
