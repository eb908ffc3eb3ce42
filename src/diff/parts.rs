//! Sections that became several and several that became one.
//! Runs when the pairs stand: parts are taken from what no pair explains. Which section stayed at its place while others
//! came to it or left it is settled next door, in `places.rs`.

use std::collections::{BTreeMap, HashMap};

use super::feature::{Feature, has_words};
use super::side::{Pairing, Side};
use super::thresholds::{COMMON_SHINGLE, PART, PART_OF_WHOLE, SHINGLE, WEIGHTY, WHOLE};
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
    for before in open_before.into_iter().filter(|at| !used_before[*at]) {
        let Some(whole) = unmarked_in(pairing, before).filter(|whole| !used_after[*whole]) else { continue };
        let partner = pairing.to_before[whole].filter(|partner| !parts.splits.contains_key(partner));
        if let Some(partner) = partner {
            let from = parts.merges.entry(whole).or_insert_with(|| vec![partner]);
            from.push(before);
            from.sort_unstable();
        }
    }
    parts
}

/// Where the text of a section stands now that lost no more than its heading or the marker with its id, however short it
/// is: in the section that it stood behind, or in one above it, word for word.
fn unmarked_in(pairing: &Pairing<'_>, before: usize) -> Option<usize> {
    let node = &pairing.before.nodes[before];
    if !has_words(node.texts(), SHINGLE) {
        return None;
    }
    let previous = (0..before).rev().find(|at| pairing.to_after[*at].is_some());
    let above = std::iter::successors(node.parent, |at| pairing.before.nodes[*at].parent);
    let took_it_in = |host: &usize| {
        let (there, host) = (&pairing.before.nodes[*host], pairing.to_after[*host]);
        let Some(here) = host.map(|after| &pairing.after.nodes[after]) else { return false };
        // That all shingles are there is quick to see, and seldom so.
        there.file == node.file
            && node.body().is_within(here.body())
            && stands_in(&node.text(), &here.text())
            && !stands_in(&node.text(), &there.text())
    };
    previous.into_iter().chain(above).find(took_it_in).and_then(|host| pairing.to_after[host])
}

/// Whether a text stands in another one as words of its own.
fn stands_in(text: &str, whole: &str) -> bool {
    let is_inside = |it: Option<char>| it.is_some_and(char::is_alphanumeric);
    whole.match_indices(text).any(|(at, _)| {
        let (left, right) = (&whole[..at], &whole[at + text.len()..]);
        !is_inside(left.chars().next_back()) && !is_inside(right.chars().next())
    })
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
