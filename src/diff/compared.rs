//! What happened between two manuals, or some of their files, to be asked section by section. Which section is which is
//! settled at once; what that did to a text is judged when it is first asked for: of the sections of an old version of a
//! file few are cited, and judging is the dearest part.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;

use super::edit::{Editor, Text};
use super::words::Lexicons;
use super::{Candidate, Change, Diff, Edit, FragmentChangeKind, FragmentRef, Outcome, pair};
use crate::manual::{Document, Manual, SectionRef};
use crate::source::Sources;

/// Fewer changes than this are judged sooner than another thread has begun.
const FEW: usize = 64;

/// Some files of a manual.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    documents: Vec<Arc<Document>>,
    /// Where each stands in the manual.
    places: Vec<usize>,
}

/// What happened between two manuals, as if the files that were left out did not exist. Places are those of the whole
/// manuals.
#[derive(Default)]
pub(crate) struct Compared {
    /// In the order in which changes are told.
    entries: Vec<Entry>,
    /// The change that speaks of each section before.
    departures: HashMap<SectionRef, usize>,
    /// The change that speaks of each section after.
    arrivals: HashMap<SectionRef, usize>,
}

#[derive(Clone)]
struct Entry {
    outcome: Outcome,
    change: OnceLock<Change>,
    /// Who judges it, and its place there; `None` where the change was given.
    judge: Option<(Arc<Judge>, usize)>,
}

/// Two texts that are compared, and where their files are in the whole manuals.
struct Judge {
    editor: Editor,
    before: Vec<usize>,
    after: Vec<usize>,
}

impl Compared {
    pub(crate) fn new(before: Files, after: Files, sources: &Sources, lexicons: &Arc<Lexicons>) -> Self {
        let texts = [before.documents, after.documents].map(|documents| Text::new(Manual { documents }, sources));
        let (before, after) = (before.places, after.places);
        let [there, here] = &texts;
        let outcomes = pair::outcomes(&there.manual, &here.manual);
        let place = |outcome: &Outcome| {
            let mut outcome = outcome.clone();
            relocate(&mut outcome, &|at| in_whole(&before, at), &|at| in_whole(&after, at));
            outcome
        };
        let placed: Vec<Outcome> = outcomes.iter().map(place).collect();
        let editor = Editor::new(texts, outcomes, lexicons);
        let judge = Arc::new(Judge { editor, before, after });
        let entries = placed.into_iter().enumerate().map(|(at, outcome)| Entry {
            outcome,
            change: OnceLock::new(),
            judge: Some((Arc::clone(&judge), at)),
        });
        Self::of(entries.collect())
    }

    /// The same but for the sections that these changes speak of: what was told of them as the same, lost, gone or new is
    /// replaced.
    pub(crate) fn amended(&self, found: Vec<Change>) -> Self {
        let befores: BTreeSet<SectionRef> = found.iter().flat_map(Change::befores).collect();
        let afters: BTreeSet<SectionRef> = found.iter().flat_map(Change::afters).collect();
        let is_settled = |outcome: &Outcome| match outcome {
            Outcome::Added { after } => afters.contains(after),
            Outcome::Removed { before } | Outcome::Ambiguous { before, .. } | Outcome::Same { before, .. } => {
                befores.contains(before)
            }
            Outcome::Split { .. } | Outcome::Merged { .. } => false,
        };
        let others = self.entries.iter().filter(|entry| !is_settled(&entry.outcome)).cloned();
        let given = found.into_iter().map(|change| Entry {
            outcome: change.outcome.clone(),
            change: OnceLock::from(change),
            judge: None,
        });
        Self::of(others.chain(given).collect())
    }

    fn of(entries: Vec<Entry>) -> Self {
        let (mut departures, mut arrivals) = (HashMap::new(), HashMap::new());
        for (at, entry) in entries.iter().enumerate() {
            departures.extend(entry.outcome.befores().into_iter().map(|section| (section, at)));
            arrivals.extend(entry.outcome.afters().into_iter().map(|section| (section, at)));
        }
        Self { entries, departures, arrivals }
    }

    /// Everything that happened, every change judged; on all cores.
    pub(crate) fn diff(&self) -> Diff {
        Diff { changes: self.entries.par_iter().with_min_len(FEW).map(|entry| entry.change().clone()).collect() }
    }

    /// Where a section before went.
    pub(crate) fn outcome_of(&self, before: SectionRef) -> Option<&Outcome> {
        self.departures.get(&before).map(|at| &self.entries[*at].outcome)
    }

    /// The change that speaks of a section before.
    pub(crate) fn change_of(&self, before: SectionRef) -> Option<&Change> {
        self.departures.get(&before).map(|at| self.entries[*at].change())
    }

    /// The change that speaks of a section after.
    pub(crate) fn arrival_of(&self, after: SectionRef) -> Option<&Change> {
        self.arrivals.get(&after).map(|at| self.entries[*at].change())
    }
}

impl Entry {
    fn change(&self) -> &Change {
        self.change.get_or_init(|| Change {
            outcome: self.outcome.clone(),
            edit: self.judge.as_ref().map(|(judge, at)| judge.edit(*at)).unwrap_or_default(),
        })
    }
}

impl Judge {
    fn edit(&self, at: usize) -> Edit {
        let mut edit = self.editor.edit(at);
        let there = |at: &mut FragmentRef| at.section = in_whole(&self.before, at.section);
        let here = |at: &mut FragmentRef| at.section = in_whole(&self.after, at.section);
        for fragment in &mut edit.fragments {
            match &mut fragment.kind {
                FragmentChangeKind::Changed { before, after, .. } | FragmentChangeKind::Moved { before, after } => {
                    there(before);
                    here(after);
                }
                FragmentChangeKind::Added { after } => here(after),
                FragmentChangeKind::Removed { before } => there(before),
            }
        }
        edit
    }
}

impl Files {
    /// The files at these places of a manual.
    pub(crate) fn new(manual: &Manual, places: Vec<usize>) -> Self {
        Self { documents: places.iter().map(|file| Arc::clone(&manual.documents[*file])).collect(), places }
    }

    pub(crate) fn all(manual: &Manual) -> Self {
        Self::new(manual, (0..manual.documents.len()).collect())
    }
}

/// A change whose outcome is known, with what it did to the text.
pub(crate) fn change(
    before: &Manual,
    after: &Manual,
    outcome: Outcome,
    sources: &Sources,
    lexicons: &Arc<Lexicons>,
) -> Change {
    let texts = [before, after].map(|manual| Text::new(manual.clone(), sources));
    let edit = Editor::new(texts, vec![outcome.clone()], lexicons).edit(0);
    Change { outcome, edit }
}

/// What happened to every section between two revisions.
pub(crate) fn diff(before: &Manual, after: &Manual, sources: &Sources, lexicons: &Arc<Lexicons>) -> Diff {
    Compared::new(Files::all(before), Files::all(after), sources, lexicons).diff()
}

fn in_whole(files: &[usize], at: SectionRef) -> SectionRef {
    SectionRef { document: files[at.document], ..at }
}

type Place<'p> = &'p dyn Fn(SectionRef) -> SectionRef;

fn relocate(outcome: &mut Outcome, before_at: Place<'_>, after_at: Place<'_>) {
    let candidates = |candidates: &mut Vec<Candidate>| {
        candidates.iter_mut().for_each(|candidate| candidate.section = after_at(candidate.section));
    };
    match outcome {
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
}
