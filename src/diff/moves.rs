//! Fragments that stand word for word in another section than before. What it means for either section is judged in
//! `edit.rs`.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

use super::align::{Alignment, Item, items};
use super::feature::Feature;
use super::thresholds::WEIGHTY;
use super::{FragmentRef, Outcome};
use crate::manual::{Manual, SectionRef};

/// Where fragments went, and where they came from.
#[derive(Default)]
pub(super) struct Moves {
    to: BTreeMap<FragmentRef, FragmentRef>,
    from: BTreeMap<FragmentRef, FragmentRef>,
}

impl Moves {
    /// Pairs what went from one section with what came to another, and takes it out of the alignments.
    pub(super) fn take_out(
        (before, after): (&Manual, &Manual),
        outcomes: &[Outcome],
        alignments: &mut [Option<Alignment>],
    ) -> Self {
        let (removed, added) = unpaired((before, after), outcomes, alignments);
        let mut moves = Self::default();
        for (before, after) in equal(&removed, &added) {
            moves.to.insert(before, after);
            moves.from.insert(after, before);
        }
        for alignment in alignments.iter_mut().flatten() {
            alignment.removed.retain(|before| !moves.to.contains_key(before));
            alignment.added.retain(|after| !moves.from.contains_key(after));
        }
        moves
    }

    /// What left a section for another one: where it stood, and where it stands.
    pub(super) fn left(&self, section: SectionRef) -> impl Iterator<Item = (FragmentRef, FragmentRef)> {
        self.to.range(all_of(section)).map(|(before, after)| (*before, *after))
    }

    /// What came to a section from another one: where it stood, and where it stands.
    pub(super) fn came(&self, section: SectionRef) -> impl Iterator<Item = (FragmentRef, FragmentRef)> {
        self.from.range(all_of(section)).map(|(after, before)| (*before, *after))
    }
}

/// The places of all fragments of a section.
fn all_of(section: SectionRef) -> RangeInclusive<FragmentRef> {
    FragmentRef { section, fragment: 0 }..=FragmentRef { section, fragment: usize::MAX }
}

/// What is gone from any section, and what is new in any.
fn unpaired<'m>(
    (before, after): (&'m Manual, &'m Manual),
    outcomes: &[Outcome],
    alignments: &[Option<Alignment>],
) -> (Vec<Item<'m>>, Vec<Item<'m>>) {
    let (mut removed, mut added) = (Vec::new(), Vec::new());
    for (outcome, alignment) in outcomes.iter().zip(alignments) {
        match (outcome, alignment) {
            (_, Some(alignment)) => {
                removed.extend(alignment.removed.iter().map(|at| Item { at: *at, fragment: at.of(before) }));
                added.extend(alignment.added.iter().map(|at| Item { at: *at, fragment: at.of(after) }));
            }
            (Outcome::Removed { before: gone } | Outcome::Ambiguous { before: gone, .. }, None) => {
                removed.extend(items(before, &[*gone]));
            }
            (Outcome::Added { after: came }, None) => added.extend(items(after, &[*came])),
            (Outcome::Same { .. } | Outcome::Split { .. } | Outcome::Merged { .. }, None) => {}
        }
    }
    (removed, added)
}

/// Pairs of what is gone here and came there with the same text. Short texts say too little.
fn equal(removed: &[Item<'_>], added: &[Item<'_>]) -> Vec<(FragmentRef, FragmentRef)> {
    let mut there: HashMap<&str, Vec<FragmentRef>> = HashMap::new();
    for item in added.iter().rev() {
        there.entry(item.fragment.text.as_str()).or_default().push(item.at);
    }
    let mut pairs = Vec::new();
    for item in removed {
        if Feature::of([item.fragment.text.as_str()]).len() < WEIGHTY {
            continue;
        }
        if let Some(after) = there.get_mut(item.fragment.text.as_str()).and_then(Vec::pop) {
            pairs.push((item.at, after));
        }
    }
    pairs
}
