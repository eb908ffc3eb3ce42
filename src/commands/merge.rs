//! A merge, checked against both sides. Against one side alone, everything that the other side did is news: its changes
//! of the manual, which were checked there, too. What a merge itself puts out of date is a case of one side that cites a
//! text of the other: fine there, fine here, stale together.

use std::collections::BTreeSet;
use std::io::Write;

use super::checking::{Asked, Outcome, Run};
use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::git::Selection;
use crate::pipeline::{Checked, Loosened, Session};
use crate::review::Counterparts;
use crate::source::{CommitId, RepoPath};

/// The result of the merge, compared with one of the commits that are merged.
struct Side {
    session: Session,
    checked: Checked,
    /// What has a finding about a change since this side.
    changed: BTreeSet<Key>,
}

/// Which file, of it which case, and where that has the citation. All sides read the same case files.
type Key = (RepoPath, Option<String>, Option<usize>);

/// Checks the index against HEAD and against what is merged into it. One report for HEAD, and one for each other side
/// on which something remains to be told.
pub(crate) fn check(run: Run<'_>, others: &[CommitId], out: &mut dyn Write) -> Result<Outcome, Error> {
    let selections = others.iter().map(|id| Selection::StagedSince(id.as_str().to_owned()));
    let mut sides = std::iter::once(Selection::Staged)
        .chain(selections)
        .enumerate()
        .map(|(at, selection)| Side::new(run, &Asked::noted(selection, note(at == 0))))
        .collect::<Result<Vec<_>, _>>()?;
    let kept: Vec<Vec<bool>> = (0..sides.len()).map(|at| kept(&sides, at)).collect();
    let loosened = loosened(&sides);
    let mut told: Option<Outcome> = None;
    for (side, kept) in sides.iter_mut().zip(kept) {
        let mut flags = kept.into_iter();
        side.checked.findings.retain(|_| flags.next().unwrap_or(true));
        side.checked.loosened = if told.is_none() { loosened.clone() } else { Loosened::default() };
        if told.is_some() && side.checked.findings.is_empty() {
            continue;
        }
        let asked = Asked::noted(Selection::Staged, note(told.is_none()));
        let outcome = run.report(&asked, (&side.session, &side.checked), out)?;
        told = Some(match told {
            Some(first) => Outcome { exit: first.exit.worst(outcome.exit), ..first },
            None => outcome,
        });
    }
    Ok(told.expect("HEAD is one of the sides"))
}

fn note(is_first: bool) -> &'static str {
    if is_first {
        "a merge: what was checked on one of its sides is not told again"
    } else {
        "the same merge, compared with its other side"
    }
}

/// What the merge itself loosens: what one of its sides has done was told there.
fn loosened(sides: &[Side]) -> Loosened {
    let (head, others) = sides.split_first().expect("HEAD is one of the sides");
    let mut loosened = head.checked.loosened.clone();
    if others.iter().any(|side| side.checked.loosened.configuration.is_empty()) {
        loosened.configuration.clear();
    }
    loosened.suppressions.retain(|note| others.iter().all(|side| side.checked.loosened.suppressions.contains(note)));
    loosened.cases.retain(|case| others.iter().all(|side| side.checked.loosened.cases.contains(case)));
    loosened
}

/// Which findings of a side are told: those that no other side has settled and no side before tells.
fn kept(sides: &[Side], at: usize) -> Vec<bool> {
    let side = &sides[at];
    let is_kept = |finding: &Diagnostic| {
        let key = side.key(finding);
        let is_told = sides[..at].iter().any(|before| before.tells(finding.rule.name, &key));
        let is_settled = |other: &Side| side.stood(finding, other) && !other.changed.contains(&key);
        let mut others = sides.iter().enumerate().filter(|(index, _)| *index != at).map(|(_, other)| other);
        !is_told && !others.any(is_settled)
    };
    side.checked.findings.iter().map(is_kept).collect()
}

impl Side {
    fn new(run: Run<'_>, asked: &Asked<'_>) -> Result<Self, Error> {
        let mut session = run.open(asked)?;
        let checked = session.check(false)?;
        let mut side = Self { session, checked, changed: BTreeSet::new() };
        let findings = side.checked.findings.iter().filter(|finding| finding.facts.impacted);
        side.changed = findings.map(|finding| side.key(finding)).collect();
        Ok(side)
    }

    fn key(&self, finding: &Diagnostic) -> Key {
        let file = self.session.sources.get(finding.primary.span.source).path.clone();
        (file, finding.facts.case.clone(), finding.facts.cited_at.map(|at| at.start))
    }

    fn tells(&self, rule: &str, key: &Key) -> bool {
        self.checked.findings.iter().any(|finding| finding.rule.name == rule && self.key(finding) == *key)
    }

    /// Whether the case and its citation stood on the other side as they do in the merge.
    fn stood(&self, finding: &Diagnostic, other: &Side) -> bool {
        let there = Counterparts::new(&other.checked.before.cases, &other.session.sources);
        let source = finding.primary.span.source;
        let path = &self.session.sources.get(source).path;
        if other.checked.touched.as_ref().is_some_and(|touched| !touched.paths.contains(path)) {
            return true;
        }
        let file = self.checked.after.cases.iter().find(|file| file.source == source);
        file.into_iter().flat_map(|file| &file.cases).any(|case| {
            let citation = case.citations.iter().find(|citation| finding.facts.cited_at == Some(citation.span));
            citation.is_some_and(|citation| there.had(case, citation, path))
        })
    }
}
