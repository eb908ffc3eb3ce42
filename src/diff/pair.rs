//! Which section is which: the steps in order, and the outcome of each section.
//! Each step settles pairs that later steps no longer touch. Does not look at what changed in a text.

use std::collections::BTreeMap;

use super::candidate::{self, Lead};
use super::parts::{self, Parts};
use super::side::Pairing;
use super::{Candidate, Outcome, Relation, exact, places, relation};
use crate::manual::{Manual, SectionRef};

/// Each section before and each section after in exactly one outcome, in the order in which they are told.
pub(super) fn outcomes(before: &Manual, after: &Manual) -> Vec<Outcome> {
    let mut pairing = Pairing::new(before, after);
    follow(&mut pairing);
    places::keep_stubs(&mut pairing);
    places::keep_hosts(&mut pairing);
    let parts = parts::parts(&pairing);
    let near = candidate::near_misses(&pairing);
    let mut outcomes = settled(&pairing, &parts, &near);
    outcomes.sort_by_key(place);
    outcomes
}

fn follow(pairing: &mut Pairing<'_>) {
    exact::same_place_same_text(pairing);
    exact::renamed_files(pairing);
    exact::same_place_same_text(pairing);
    exact::same_text(pairing);
    pairing.cut_open();
    exact::same_place_similar_text(pairing);
    candidate::similar(pairing);
    exact::containers(pairing);
    // What was found says where parents are: texts that did not identify alone may do so with them.
    exact::same_text(pairing);
    candidate::similar(pairing);
    exact::same_place(pairing);
    exact::containers(pairing);
}

fn settled(pairing: &Pairing<'_>, parts: &Parts, near: &BTreeMap<usize, Vec<Lead>>) -> Vec<Outcome> {
    let relations = relation::relations(pairing);
    let before_at = |at: &usize| pairing.before.nodes[*at].at;
    let after_at = |at: &usize| pairing.after.nodes[*at].at;
    let mut outcomes = Vec::new();
    let (mut told_before, mut told_after) = (vec![false; pairing.to_after.len()], vec![false; pairing.to_before.len()]);
    for (before, into) in &parts.splits {
        told_before[*before] = true;
        into.iter().for_each(|after| told_after[*after] = true);
        let relation = pairing.to_after[*before].and_then(|after| relations[after]).unwrap_or_default();
        outcomes.push(Outcome::Split {
            before: before_at(before),
            into: into.iter().map(after_at).collect(),
            relation,
        });
    }
    for (after, from) in &parts.merges {
        told_after[*after] = true;
        from.iter().for_each(|before| told_before[*before] = true);
        let relation = match from.iter().find(|before| kept_its_name(pairing, **before, *after)) {
            Some(before) => relation::relation(pairing, &relations, *before, *after),
            None => relations[*after].unwrap_or_else(|| arrival(pairing, from, *after)),
        };
        outcomes.push(Outcome::Merged { from: from.iter().map(before_at).collect(), after: after_at(after), relation });
    }
    for (before, after) in pairing.to_after.iter().enumerate() {
        if told_before[before] {
            continue;
        }
        outcomes.push(match (after, near.get(&before)) {
            (Some(after), _) => {
                told_after[*after] = true;
                let relation = relations[*after].unwrap_or_default();
                Outcome::Same { before: before_at(&before), after: after_at(after), relation }
            }
            (None, Some(leads)) => {
                let candidates = leads
                    .iter()
                    .map(|lead| Candidate { section: after_at(&lead.after), similarity: lead.similarity })
                    .collect();
                Outcome::Ambiguous { before: before_at(&before), candidates }
            }
            (None, None) => Outcome::Removed { before: before_at(&before) },
        });
    }
    let added = (0..told_after.len()).filter(|after| !told_after[*after]);
    outcomes.extend(added.map(|after| Outcome::Added { after: after_at(&after) }));
    outcomes
}

/// Whether the others came to this section, however much of the text they brought.
fn kept_its_name(pairing: &Pairing<'_>, before: usize, after: usize) -> bool {
    pairing.same_title(before, after) && pairing.same_parent(before, after) && pairing.same_file(before, after)
}

/// How several sections came to a place that none of them had.
fn arrival(pairing: &Pairing<'_>, from: &[usize], after: usize) -> Relation {
    let moved = from.iter().all(|before| !pairing.same_file(*before, after) || !pairing.same_parent(*before, after));
    let renamed = from.iter().all(|before| !pairing.same_title(*before, after));
    Relation { moved, renamed, renumbered: false, with_parent: false }
}

/// Where an outcome is told: by its place after, what is gone by its place before, at the end.
fn place(outcome: &Outcome) -> (bool, Vec<SectionRef>, Vec<SectionRef>) {
    (outcome.afters().is_empty(), outcome.afters(), outcome.befores())
}
