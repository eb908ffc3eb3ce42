//! What changed in the own body of each section: fragments aligned, fragments that left for other sections found, each
//! change judged. The judging itself is next door in [`magnitude`](super::magnitude).

use std::collections::{BTreeMap, BTreeSet};

use super::align::{self, Alignment, Item};
use super::magnitude::{Judge, Judgement};
use super::{Edit, FragmentChange, FragmentChangeKind, FragmentRef, Magnitude, Outcome, Signal};
use crate::manual::{Manual, Section, SectionRef};
use crate::source::Sources;

/// The two revisions and their texts.
#[derive(Clone, Copy)]
pub(super) struct Texts<'m> {
    pub(super) before: &'m Manual,
    pub(super) after: &'m Manual,
    pub(super) sources: &'m Sources,
}

/// The edit of each outcome, in the order given.
pub(super) fn edits(texts: Texts<'_>, outcomes: &[Outcome], judge: &Judge<'_>) -> Vec<Edit> {
    let mut alignments: Vec<Option<Alignment>> = outcomes.iter().map(|outcome| alignment(texts, outcome)).collect();
    let moves = moves(texts, outcomes, &alignments);
    for alignment in alignments.iter_mut().flatten() {
        alignment.removed.retain(|before| !moves.to.contains_key(before));
        alignment.added.retain(|after| !moves.from.contains_key(after));
    }
    outcomes
        .iter()
        .zip(alignments)
        .map(|(outcome, alignment)| match alignment {
            Some(alignment) => edit(texts, outcome, alignment, &moves, judge),
            None => Edit { magnitude: same_text(texts, outcome), ..Edit::default() },
        })
        .collect()
}

/// Fragments that stand word for word in another section than before.
#[derive(Default)]
struct Moves {
    to: BTreeMap<FragmentRef, FragmentRef>,
    from: BTreeMap<FragmentRef, FragmentRef>,
}

/// The fragments before against those after; `None` where the own bodies read the same or there is only one side.
fn alignment(texts: Texts<'_>, outcome: &Outcome) -> Option<Alignment> {
    let (befores, afters) = match outcome {
        Outcome::Same { before, after, .. } => {
            if texts.before.section(*before).own == texts.after.section(*after).own {
                return None;
            }
            (vec![*before], vec![*after])
        }
        Outcome::Split { before, into, .. } => (vec![*before], into.clone()),
        Outcome::Merged { from, after, .. } => (from.clone(), vec![*after]),
        Outcome::Ambiguous { .. } | Outcome::Removed { .. } | Outcome::Added { .. } => return None,
    };
    Some(align::align(&align::items(texts.before, &befores), &align::items(texts.after, &afters)))
}

/// Pairs what went from one section with what came to another.
fn moves(texts: Texts<'_>, outcomes: &[Outcome], alignments: &[Option<Alignment>]) -> Moves {
    let (mut removed, mut added): (Vec<Item<'_>>, Vec<Item<'_>>) = (Vec::new(), Vec::new());
    for (outcome, alignment) in outcomes.iter().zip(alignments) {
        match (outcome, alignment) {
            (_, Some(alignment)) => {
                removed.extend(alignment.removed.iter().map(|at| item(texts.before, *at)));
                added.extend(alignment.added.iter().map(|at| item(texts.after, *at)));
            }
            (Outcome::Removed { before } | Outcome::Ambiguous { before, .. }, None) => {
                removed.extend(align::items(texts.before, &[*before]));
            }
            (Outcome::Added { after }, None) => added.extend(align::items(texts.after, &[*after])),
            (Outcome::Same { .. } | Outcome::Split { .. } | Outcome::Merged { .. }, None) => {}
        }
    }
    let mut moves = Moves::default();
    for (before, after) in align::across(&removed, &added) {
        moves.to.insert(before, after);
        moves.from.insert(after, before);
    }
    moves
}

fn item(manual: &Manual, at: FragmentRef) -> Item<'_> {
    Item { at, fragment: &manual.section(at.section).fragments[at.fragment] }
}

/// Judges every fragment and sums up.
fn edit(texts: Texts<'_>, outcome: &Outcome, alignment: Alignment, moves: &Moves, judge: &Judge<'_>) -> Edit {
    let (befores, afters) = sides(outcome);
    let mut fragments = Vec::new();
    for (before, after) in alignment.changed {
        let (there, here) = (item(texts.before, before).fragment, item(texts.after, after).fragment);
        let (judgement, words) = judge.changed(there, here);
        fragments.push(told(FragmentChangeKind::Changed { before, after, words }, judgement));
    }
    for (before, after) in alignment.moved {
        let judgement = judge.moved_inside(item(texts.after, after).fragment);
        fragments.push(told(FragmentChangeKind::Moved { before, after }, judgement));
    }
    for before in alignment.removed {
        let judgement = judge.removed(item(texts.before, before).fragment);
        fragments.push(told(FragmentChangeKind::Removed { before }, judgement));
    }
    for after in alignment.added {
        let judgement = judge.added(item(texts.after, after).fragment);
        fragments.push(told(FragmentChangeKind::Added { after }, judgement));
    }
    for (before, after) in moves.to.iter().filter(|(before, _)| befores.contains(&before.section)) {
        let judgement = judge.left(item(texts.before, *before).fragment);
        fragments.push(told(FragmentChangeKind::Moved { before: *before, after: *after }, judgement));
    }
    for (after, before) in moves.from.iter().filter(|(after, _)| afters.contains(&after.section)) {
        let judgement = judge.arrived(item(texts.after, *after).fragment);
        fragments.push(told(FragmentChangeKind::Moved { before: *before, after: *after }, judgement));
    }
    fragments.sort_by_key(|change| place(&change.kind));
    let signals: BTreeSet<Signal> = fragments.iter().flat_map(|change| change.signals.iter().cloned()).collect();
    let magnitude = fragments.iter().map(|change| change.magnitude).max().unwrap_or(same_text(texts, outcome));
    judge.whole(Edit { magnitude, signals: signals.into_iter().collect(), fragments }, body(texts.before, &befores), body(texts.after, &afters))
}

fn told(kind: FragmentChangeKind, judgement: Judgement) -> FragmentChange {
    FragmentChange { kind, magnitude: judgement.magnitude, signals: judgement.signals }
}

fn sides(outcome: &Outcome) -> (Vec<SectionRef>, Vec<SectionRef>) {
    match outcome {
        Outcome::Same { before, after, .. } => (vec![*before], vec![*after]),
        Outcome::Split { before, into, .. } => (vec![*before], into.clone()),
        Outcome::Merged { from, after, .. } => (from.clone(), vec![*after]),
        Outcome::Ambiguous { before, .. } | Outcome::Removed { before } => (vec![*before], Vec::new()),
        Outcome::Added { after } => (Vec::new(), vec![*after]),
    }
}

fn body<'m>(manual: &'m Manual, sections: &[SectionRef]) -> Vec<&'m str> {
    sections.iter().flat_map(|at| &manual.section(*at).fragments).map(|fragment| fragment.text.as_str()).collect()
}

/// The order in which fragments are told: as they stand after, what is gone where it stood.
fn place(kind: &FragmentChangeKind) -> (usize, bool, FragmentRef) {
    match kind {
        FragmentChangeKind::Changed { after, .. }
        | FragmentChangeKind::Moved { after, .. }
        | FragmentChangeKind::Added { after } => (after.fragment, true, *after),
        FragmentChangeKind::Removed { before } => (before.fragment, false, *before),
    }
}

/// The canonical forms are equal: whether the source is.
fn same_text(texts: Texts<'_>, outcome: &Outcome) -> Magnitude {
    let Outcome::Same { before, after, relation } = outcome else { return Magnitude::None };
    let (there, here) = (texts.before.section(*before), texts.after.section(*after));
    let named_alike = !relation.renamed && !relation.renumbered;
    let source = |section: &Section| texts.sources.slice(section.extent).trim_end().to_owned();
    let below = |section: &Section| {
        let start = section.heading.end.clamp(section.extent.start, section.extent.end);
        let span = crate::source::Span { start, ..section.extent };
        texts.sources.slice(span).trim().to_owned()
    };
    let same = if named_alike { source(there) == source(here) } else { below(there) == below(here) };
    if same { Magnitude::None } else { Magnitude::Trivial }
}
