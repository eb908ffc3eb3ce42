//! Changes between some of the files of two manuals, and between two sections that are known to be one: for following a
//! section through history without comparing everything with everything.

use std::sync::Arc;

use super::edit::{self, Texts};
use super::event::Lexicons;
use super::{Candidate, Change, Diff, FragmentChangeKind, FragmentRef, Outcome, diff};
use crate::manual::{Manual, SectionRef};
use crate::source::Sources;

/// Some files of a manual, by their places in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Files<'m> {
    pub(crate) manual: &'m Manual,
    pub(crate) files: &'m [usize],
}

/// What happened between these files, as if there were no others. Places are those of the whole manuals.
pub(crate) fn diff_files(before: Files<'_>, after: Files<'_>, sources: &Sources, lexicons: &Lexicons) -> Diff {
    let mut found = diff(&before.alone(), &after.alone(), sources, lexicons);
    for change in &mut found.changes {
        relocate(change, &|at| before.place(at), &|at| after.place(at));
    }
    found
}

/// A change whose outcome is known, with what it did to the text.
pub(crate) fn change(
    before: &Manual,
    after: &Manual,
    outcome: Outcome,
    sources: &Sources,
    lexicons: &Lexicons,
) -> Change {
    let outcomes = [outcome];
    let edit = edit::edits(Texts { before, after, sources }, &outcomes, lexicons).pop().unwrap_or_default();
    let [outcome] = outcomes;
    Change { outcome, edit }
}

impl Files<'_> {
    fn alone(&self) -> Manual {
        Manual { documents: self.files.iter().map(|file| Arc::clone(&self.manual.documents[*file])).collect() }
    }

    fn place(&self, at: SectionRef) -> SectionRef {
        SectionRef { document: self.files[at.document], ..at }
    }
}

type Place<'p> = &'p dyn Fn(SectionRef) -> SectionRef;

fn relocate(change: &mut Change, before_at: Place<'_>, after_at: Place<'_>) {
    let candidates = |candidates: &mut Vec<Candidate>| {
        candidates.iter_mut().for_each(|candidate| candidate.section = after_at(candidate.section));
    };
    match &mut change.outcome {
        Outcome::Same { before, after, .. } => (*before, *after) = (before_at(*before), after_at(*after)),
        Outcome::Split { before, into, .. } => {
            *before = before_at(*before);
            into.iter_mut().for_each(|after| *after = after_at(*after));
        }
        Outcome::Merged { from, after, .. } => {
            from.iter_mut().for_each(|before| *before = before_at(*before));
            *after = after_at(*after);
        }
        Outcome::Ambiguous { before, candidates: near } => {
            *before = before_at(*before);
            candidates(near);
        }
        Outcome::Removed { before } => *before = before_at(*before),
        Outcome::Added { after } => *after = after_at(*after),
    }
    let there = |at: &mut FragmentRef| at.section = before_at(at.section);
    let here = |at: &mut FragmentRef| at.section = after_at(at.section);
    for fragment in &mut change.edit.fragments {
        match &mut fragment.kind {
            FragmentChangeKind::Changed { before, after, .. } | FragmentChangeKind::Moved { before, after } => {
                there(before);
                here(after);
            }
            FragmentChangeKind::Added { after } => here(after),
            FragmentChangeKind::Removed { before } => there(before),
        }
    }
}
