//! Two manuals compared: every section is in one outcome, a text does not differ from itself, marks are places, and what is
//! told of it can be shown in every format.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::page;
use super::sections::OPTIONS;
use super::{parts_of, text_of};
use crate::diagnostic::{ChangeFact, DiffSummary, EndFact};
use crate::diff::{Change, Diff, FragmentChangeKind, FragmentRef, Magnitude, Outcome, diff as compared};
use crate::manual::{self, Manual, SectionRef};
use crate::report::DiffReport;
use crate::rules::facts::{self, Pair};
use crate::source::{RepoPath, Rev, Sources};

/// The input is, between dividers, `a.md` before and after, and `b.md` before and after.
pub fn diff(input: &[u8]) {
    let Some(text) = text_of(input) else { return };
    let parts: Vec<&str> = parts_of(text).take(4).collect();
    let mut sources = Sources::default();
    let before = manual([parts.first(), parts.get(2)], &mut sources);
    let after = manual([parts.get(1), parts.get(3)], &mut sources);
    let found = compared(&before, &after, &sources, &Arc::default());
    check_outcomes(&before, &after, &found);
    found.changes.iter().for_each(|change| check_edit(&before, &after, change));
    let again = compared(&before, &after, &sources, &Arc::default());
    assert_eq!(format!("{:?}", again.changes), format!("{:?}", found.changes), "{parts:?}");
    let same = compared(&after, &after, &sources, &Arc::default());
    assert!(same.changes.iter().all(Change::is_nothing), "{:?} of {parts:?} and itself", same.changes);
    if parts.iter().all(|part| !part.contains('\r')) {
        check_line_ends(&parts);
    }
    show(Pair { before: &before, after: &after }, &found);
}

/// A manual of `a.md` and `b.md`.
fn manual(texts: [Option<&&str>; 2], sources: &mut Sources) -> Manual {
    let files = ["a.md", "b.md"].into_iter().zip(texts).filter_map(|(path, text)| Some((path, *text?)));
    let documents = files.map(|(path, text)| {
        let path = RepoPath::new(path);
        let source = sources.add(Rev::Worktree, path.clone(), text);
        Arc::new(manual::parse(source, &path, text, &OPTIONS[1]).value)
    });
    Manual { documents: documents.collect() }
}

/// Other line ends move, rename and edit nothing.
fn check_line_ends(parts: &[&str]) {
    let mut sources = Sources::default();
    let others: Vec<String> = parts.iter().map(|part| part.replace('\n', "\r\n")).collect();
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    let before = manual([parts.first(), parts.get(2)], &mut sources);
    let after = manual([others.first(), others.get(2)], &mut sources);
    let found = compared(&before, &after, &sources, &Arc::default());
    assert!(found.changes.iter().all(|change| change.kinds().is_empty()), "{:?} of {parts:?}", found.changes);
}

/// Every section before and every section after is in exactly one outcome.
fn check_outcomes(before: &Manual, after: &Manual, diff: &Diff) {
    let once = |manual: &Manual| manual.sections().map(|(at, _)| (at, 1)).collect::<BTreeMap<SectionRef, usize>>();
    let counted = |places: Vec<SectionRef>| {
        let mut counts = BTreeMap::new();
        places.into_iter().for_each(|at| *counts.entry(at).or_default() += 1);
        counts
    };
    assert_eq!(counted(diff.changes.iter().flat_map(Change::befores).collect()), once(before), "{diff:?}");
    assert_eq!(counted(diff.changes.iter().flat_map(Change::afters).collect()), once(after), "{diff:?}");
}

fn check_edit(before: &Manual, after: &Manual, change: &Change) {
    let edit = &change.edit;
    if let Outcome::Same { before: there, after: here, .. } = change.outcome {
        let reads_the_same = before.section(there).own == after.section(here).own;
        assert_eq!(edit.magnitude <= Magnitude::Trivial, reads_the_same, "{change:?}");
    }
    let text = |manual: &Manual, at: FragmentRef| at.of(manual).text.clone();
    for fragment in &edit.fragments {
        assert!(fragment.magnitude <= edit.magnitude, "{change:?}");
        match &fragment.kind {
            FragmentChangeKind::Changed { before: there, after: here, words } => {
                let (there, here) = (text(before, *there), text(after, *here));
                for word in words {
                    let is_place = there.get(word.before.0..word.before.1).is_some()
                        && here.get(word.after.0..word.after.1).is_some();
                    assert!(is_place, "{word:?} of {there:?} and {here:?}");
                }
                let in_order = |first: (usize, usize), second: (usize, usize)| first.1 <= second.0;
                assert!(words.is_sorted_by(|one, next| in_order(one.before, next.before)), "{words:?}");
                assert!(words.is_sorted_by(|one, next| in_order(one.after, next.after)), "{words:?}");
            }
            FragmentChangeKind::Moved { before: there, after: here } => {
                assert_eq!(text(before, *there), text(after, *here), "{change:?}");
            }
            FragmentChangeKind::Added { after: here } => drop(text(after, *here)),
            FragmentChangeKind::Removed { before: there } => drop(text(before, *there)),
        }
    }
}

fn show(pair: Pair<'_>, diff: &Diff) {
    let sections: Vec<ChangeFact> =
        diff.changes.iter().map(|it| facts::change(pair, it, vec!["TC-1".to_owned()])).collect();
    let end = |rev: &str| EndFact { rev: rev.to_owned(), commit: None };
    let report = DiffReport { base: end("v1"), head: end("v2"), sections: &sections, summary: DiffSummary::default() };
    page::check_diff(&report);
}
