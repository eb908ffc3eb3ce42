//! Which fragment of a section before is which fragment after: equal ones in order, equal ones elsewhere,
//! similar ones. Does not judge what a difference means.

use std::collections::HashMap;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::FragmentRef;
use super::feature::Feature;
use super::thresholds::{SAME_FRAGMENT, SAME_FRAGMENT_ALONE};
use crate::manual::{Fragment, FragmentKind, Manual};

/// Where each fragment went. Fragments that stand in both lists unchanged and in order are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Alignment {
    /// Other text, or the same text in another context (nesting, item number).
    pub(super) changed: Vec<(FragmentRef, FragmentRef)>,
    /// Same text, another place.
    pub(super) moved: Vec<(FragmentRef, FragmentRef)>,
    pub(super) removed: Vec<FragmentRef>,
    pub(super) added: Vec<FragmentRef>,
}

/// A fragment and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Item<'m> {
    pub(super) at: FragmentRef,
    pub(super) fragment: &'m Fragment,
}

/// Beyond this many comparisons only fragments at about the same position are compared: a table of thousands of rows
/// rewritten at once must not cost the square.
const MOST_COMPARISONS: usize = 40_000;

/// The fragments of some sections, in order.
pub(super) fn items<'m>(manual: &'m Manual, sections: &[crate::manual::SectionRef]) -> Vec<Item<'m>> {
    sections
        .iter()
        .flat_map(|section| {
            let fragments = manual.section(*section).fragments.iter().enumerate();
            fragments.map(|(at, fragment)| Item { at: FragmentRef { section: *section, fragment: at }, fragment })
        })
        .collect()
}

pub(super) fn align(before: &[Item<'_>], after: &[Item<'_>]) -> Alignment {
    let mut alignment = Alignment::default();
    let mut open = Open { before: vec![true; before.len()], after: vec![true; after.len()] };
    in_order(before, after, &mut open, &mut alignment);
    elsewhere(before, after, &mut open, &mut alignment);
    similar_ones(before, after, &mut open, &mut alignment);
    alone_in_a_gap(before, after, &mut open, &mut alignment);
    alignment.removed = open.before.iter().zip(before).filter(|(open, _)| **open).map(|(_, item)| item.at).collect();
    alignment.added = open.after.iter().zip(after).filter(|(open, _)| **open).map(|(_, item)| item.at).collect();
    alignment.changed.sort_unstable_by_key(|(_, after)| *after);
    alignment.moved.sort_unstable_by_key(|(_, after)| *after);
    alignment
}

/// Which fragments have no partner yet.
struct Open {
    before: Vec<bool>,
    after: Vec<bool>,
}

impl Open {
    fn take(&mut self, before: usize, after: usize) -> bool {
        let both = self.before[before] && self.after[after];
        if both {
            self.before[before] = false;
            self.after[after] = false;
        }
        both
    }
}

/// The longest common run of equal texts.
fn in_order(before: &[Item<'_>], after: &[Item<'_>], open: &mut Open, alignment: &mut Alignment) {
    let (befores, afters): (Vec<_>, Vec<_>) = (before.iter().map(key).collect(), after.iter().map(key).collect());
    for op in capture_diff_slices(Algorithm::Myers, &befores, &afters) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for k in 0..len {
                let (there, here) = (&before[old_index + k], &after[new_index + k]);
                open.take(old_index + k, new_index + k);
                if there.fragment.context != here.fragment.context {
                    alignment.changed.push((there.at, here.at));
                }
            }
        }
    }
}

fn key<'m>(item: &Item<'m>) -> (FragmentKind, &'m str) {
    (item.fragment.kind, item.fragment.text.as_str())
}

/// Equal texts out of order.
fn elsewhere(before: &[Item<'_>], after: &[Item<'_>], open: &mut Open, alignment: &mut Alignment) {
    let mut there: HashMap<(FragmentKind, &str), Vec<usize>> = HashMap::new();
    for (at, item) in after.iter().enumerate().rev().filter(|(at, _)| open.after[*at]) {
        there.entry(key(item)).or_default().push(at);
    }
    for (at, item) in before.iter().enumerate() {
        if !open.before[at] {
            continue;
        }
        let same = there.get_mut(&key(item)).and_then(Vec::pop);
        if let Some(same) = same.filter(|same| open.take(at, *same)) {
            alignment.moved.push((item.at, after[same].at));
        }
    }
}

/// The most similar ones first.
fn similar_ones(before: &[Item<'_>], after: &[Item<'_>], open: &mut Open, alignment: &mut Alignment) {
    let features = |items: &[Item<'_>], open: &[bool]| -> Vec<(usize, Feature)> {
        let open = items.iter().enumerate().filter(|(at, _)| open[*at]);
        open.map(|(at, item)| (at, Feature::of([item.fragment.text.as_str()]))).collect()
    };
    let (befores, afters) = (features(before, &open.before), features(after, &open.after));
    let reach = if befores.len() * afters.len() > MOST_COMPARISONS {
        MOST_COMPARISONS / befores.len().max(1)
    } else {
        afters.len()
    };
    let mut pairs = Vec::new();
    for (rank, (there, feature)) in befores.iter().enumerate() {
        let around = rank * afters.len() / befores.len().max(1);
        let window = &afters[around.saturating_sub(reach)..(around + reach + 1).min(afters.len())];
        for (here, other) in window {
            let same_first_cell = first_cell(before[*there].fragment) == first_cell(after[*here].fragment);
            let bonus =
                if before[*there].fragment.kind == FragmentKind::TableRow && same_first_cell { 0.3 } else { 0.0 };
            let similarity = feature.word_similarity(other) + bonus;
            if similarity >= SAME_FRAGMENT && alike(before[*there].fragment.kind, after[*here].fragment.kind) {
                pairs.push((similarity, there.abs_diff(*here), *there, *here));
            }
        }
    }
    pairs.sort_by(|before, after| after.0.total_cmp(&before.0).then((before.1, before.2).cmp(&(after.1, after.2))));
    for (_, _, there, here) in pairs {
        if open.take(there, here) {
            alignment.changed.push((before[there].at, after[here].at));
        }
    }
}

/// One fragment went and one of its kind came between the same neighbours.
fn alone_in_a_gap(before: &[Item<'_>], after: &[Item<'_>], open: &mut Open, alignment: &mut Alignment) {
    let open_before: Vec<usize> = (0..before.len()).filter(|at| open.before[*at]).collect();
    let open_after: Vec<usize> = (0..after.len()).filter(|at| open.after[*at]).collect();
    if let ([there], [here]) = (&open_before[..], &open_after[..]) {
        let (gone, come) = (before[*there].fragment, after[*here].fragment);
        let similarity = Feature::of([gone.text.as_str()]).word_similarity(&Feature::of([come.text.as_str()]));
        if alike(gone.kind, come.kind) && similarity >= SAME_FRAGMENT_ALONE && open.take(*there, *here) {
            alignment.changed.push((before[*there].at, after[*here].at));
        }
    }
}

/// Prose may turn from paragraph to list item; a table row or code stays what it is.
fn alike(before: FragmentKind, after: FragmentKind) -> bool {
    let prose = |kind| match kind {
        FragmentKind::Paragraph
        | FragmentKind::ListItem
        | FragmentKind::Quote
        | FragmentKind::Footnote
        | FragmentKind::Other => true,
        FragmentKind::Html
        | FragmentKind::TableHead
        | FragmentKind::TableRow
        | FragmentKind::Code
        | FragmentKind::Rule => false,
    };
    before == after || (prose(before) && prose(after))
}

fn first_cell(fragment: &Fragment) -> &str {
    fragment.text.split(" | ").next().unwrap_or("")
}
