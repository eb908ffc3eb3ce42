//! Sections that became several and several that became one.
//! Runs when the pairs stand: parts are taken from what no pair explains.

use std::collections::{BTreeMap, HashMap};

use super::feature::Feature;
use super::side::{Pairing, Side};
use super::thresholds::{COMMON_SHINGLE, PART, PART_OF_WHOLE, WEIGHTY, WHOLE};
use crate::manual::Fingerprint;

/// The parts found: a whole and all its parts on the other side, in document order.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// A section before and the sections after that hold its text.
    pub(super) splits: BTreeMap<usize, Vec<usize>>,
    /// A section after and the sections before whose text it holds.
    pub(super) merges: BTreeMap<usize, Vec<usize>>,
}

pub(super) fn parts(pairing: &Pairing<'_>) -> Parts {
    let mut parts = Parts::default();
    let mut used_after = vec![false; pairing.to_before.len()];
    let mut used_before = vec![false; pairing.to_after.len()];
    for (before, into) in copies(pairing) {
        if into.iter().all(|after| !used_after[*after]) && !parts.splits.contains_key(&before) {
            into.iter().for_each(|after| used_after[*after] = true);
            parts.splits.insert(before, into);
        }
    }
    for (whole, found) in wholes(&pairing.before, &pairing.after, &pairing.to_after, &pairing.open_after()) {
        if found.iter().all(|after| !used_after[*after]) && !parts.splits.contains_key(&whole) {
            found.iter().for_each(|after| used_after[*after] = true);
            used_before[whole] = true;
            parts.splits.insert(whole, found);
        }
    }
    let open_before: Vec<usize> = pairing.open_before().into_iter().filter(|at| !used_before[*at]).collect();
    for (whole, found) in wholes(&pairing.after, &pairing.before, &pairing.to_before, &open_before) {
        let primary_is_split = found.iter().any(|before| parts.splits.contains_key(before));
        if !used_after[whole] && !primary_is_split && found.iter().all(|before| !used_before[*before]) {
            found.iter().for_each(|before| used_before[*before] = true);
            parts.merges.insert(whole, found);
        }
    }
    parts
}

/// Pairs a title that stayed with nothing or only a part of its text, where the rest now stands under a heading below it
/// or right behind it, with itself: the section is where it was, and the other heading holds a part of it.
pub(super) fn keep_stubs(pairing: &mut Pairing<'_>) {
    for stub in pairing.open_after() {
        let nodes = &pairing.after.nodes;
        let below = (stub + 1..nodes.len()).take_while(|at| is_below(&pairing.after, stub, *at));
        let behind = (stub + 1..nodes.len()).take(1).filter(|at| nodes[*at].parent == nodes[stub].parent);
        let took_the_text = below.chain(behind).filter_map(|after| pairing.to_before[after]).find(|before| {
            let body = pairing.before.nodes[*before].body();
            let is_rest = !nodes[stub].is_weighty() || nodes[stub].body().contained_in(body) >= PART;
            pairing.before.nodes[*before].is_weighty()
                && is_rest
                && pairing.same_title(*before, stub)
                && pairing.same_parent(*before, stub)
        });
        if let Some(before) = took_the_text {
            pairing.pair_again(before, stub);
        }
    }
}

/// A section that is gone from its place and stands, word for word, in several new places of equal standing.
fn copies(pairing: &Pairing<'_>) -> Vec<(usize, Vec<usize>)> {
    let mut homes: HashMap<Fingerprint, usize> = HashMap::new();
    for (before, after) in pairing.to_after.iter().enumerate() {
        let Some(after) = *after else { continue };
        let node = &pairing.before.nodes[before];
        if node.section.own == pairing.after.nodes[after].section.own
            && !pairing.same_file(before, after)
            && node.is_weighty()
        {
            homes.insert(node.section.own, before);
        }
    }
    let mut copies: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for after in pairing.open_after() {
        let Some(before) = homes.get(&pairing.after.nodes[after].section.own).copied() else { continue };
        if pairing.same_title(before, after) {
            copies.entry(before).or_default().push(after);
        }
    }
    for (before, into) in &mut copies {
        into.extend(pairing.to_after[*before]);
        into.sort_unstable();
    }
    copies.into_iter().collect()
}

/// For each whole: its partner, if it has one, and the open sections on the other side that hold the rest of it.
fn wholes(from: &Side<'_>, to: &Side<'_>, partner: &[Option<usize>], open: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
    for at in open {
        if to.nodes[*at].body().len() >= WEIGHTY {
            for shingle in to.nodes[*at].body().shingles() {
                holders.entry(*shingle).or_default().push(*at);
            }
        }
    }
    let mut found = Vec::new();
    for (whole, node) in from.nodes.iter().enumerate() {
        if holders.is_empty() {
            break;
        }
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for shingle in node.body().shingles() {
            for at in holders.get(shingle).filter(|at| at.len() <= COMMON_SHINGLE).into_iter().flatten() {
                *shared.entry(*at).or_default() += 1;
            }
        }
        let mut together: Vec<usize> =
            shared.into_keys().filter(|at| is_part(from, to, whole, *at, partner[whole])).collect();
        together.extend(partner[whole]);
        together.sort_unstable();
        if together.len() > 1 && hold_the_whole(from, to, whole, &together) {
            found.push((whole, together));
        }
    }
    found
}

/// Whether most of `part` comes from `whole`, it is a good share of it, and it is not simply what the partner kept: where
/// both say much the same, it has to explain what the partner does not.
fn is_part(from: &Side<'_>, to: &Side<'_>, whole: usize, part: usize, partner: Option<usize>) -> bool {
    let (whole, part) = (from.nodes[whole].body(), to.nodes[part].body());
    let partner = partner.map(|partner| to.nodes[partner].body());
    part.contained_in(whole) >= PART
        && whole.contained_in(part) >= PART_OF_WHOLE
        && partner.is_none_or(|partner| part.contained_in(partner) < PART || explains_the_rest(whole, partner, part))
}

fn explains_the_rest(whole: &Feature, partner: &Feature, part: &Feature) -> bool {
    let rest = whole.without(partner);
    whole.contained_in(&rest) >= PART_OF_WHOLE && rest.contained_in(part) >= WHOLE
}

fn hold_the_whole(from: &Side<'_>, to: &Side<'_>, whole: usize, parts: &[usize]) -> bool {
    let bodies: Vec<_> = parts.iter().map(|at| to.nodes[*at].body()).collect();
    from.nodes[whole].body().contained_in_all(&bodies) >= WHOLE
}

fn is_below(side: &Side<'_>, root: usize, mut at: usize) -> bool {
    while let Some(parent) = side.nodes[at].parent {
        if parent == root {
            return true;
        }
        at = parent;
    }
    false
}
