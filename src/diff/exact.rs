//! Pairing by equality: same place and text, same text elsewhere, same place with another text. No similarity searches here.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::side::{Node, Pairing};
use super::thresholds::SAME_ID;
use crate::manual::Fingerprint;
use crate::source::RepoPath;

/// Groups larger than this on both sides are paired in order instead of by affinity, so that cost stays linear.
const LARGE_GROUP: usize = 32;

/// Same file, same id, same canonical form.
pub(super) fn same_place_same_text(pairing: &mut Pairing<'_>) {
    pair_by_place(pairing, |pairing, before, after| {
        pairing.before.nodes[before].section.own == pairing.after.nodes[after].section.own
    });
}

/// Same file, same id, and still much of the same text.
pub(super) fn same_place_similar_text(pairing: &mut Pairing<'_>) {
    pair_by_place(pairing, |pairing, before, after| {
        let (before, after) = (&pairing.before.nodes[before], &pairing.after.nodes[after]);
        before.body().similarity(after.body()) >= SAME_ID
    });
}

/// Same file, same id, whatever the text says: rewritten. Then the same title, or between the same neighbours the same
/// number, under the same parent.
pub(super) fn same_place(pairing: &mut Pairing<'_>) {
    pair_by_place(pairing, |_, _, _| true);
    for before in pairing.open_before() {
        // A provision that was repealed keeps its number and its place, not its title.
        let Some(after) = before.checked_sub(1).and_then(|previous| pairing.to_after[previous]).map(|at| at + 1) else {
            continue;
        };
        if after < pairing.to_before.len()
            && pairing.are_open(before, after)
            && pairing.same_parent(before, after)
            && pairing.same_number(before, after)
            && pairing.neighbours(before, after) == 2
        {
            pairing.pair(before, after);
        }
    }
    let mut places: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
    for after in pairing.open_after() {
        let node = &pairing.after.nodes[after];
        if let Some(parent) = node.parent {
            places.entry((parent, node.section.title.as_str())).or_default().push(after);
        }
    }
    for before in pairing.open_before() {
        let node = &pairing.before.nodes[before];
        let parent = node.parent.and_then(|parent| pairing.to_after[parent]);
        let Some(there) = parent.and_then(|parent| places.get(&(parent, node.section.title.as_str()))) else {
            continue;
        };
        if let [after] = there[..]
            && pairing.are_open(before, after)
        {
            pairing.pair(before, after);
        }
    }
}

/// Files that are gone and files that are new, paired by how much equal text they hold: a renamed file is the same file.
pub(super) fn renamed_files(pairing: &mut Pairing<'_>) {
    let before_files: BTreeSet<&RepoPath> = pairing.before.nodes.iter().map(|node| node.file).collect();
    let after_files: BTreeSet<&RepoPath> = pairing.after.nodes.iter().map(|node| node.file).collect();
    let mut there: HashMap<Fingerprint, Vec<&RepoPath>> = HashMap::new();
    for after in pairing.open_after() {
        let node = &pairing.after.nodes[after];
        if !before_files.contains(node.file) && node.is_weighty() {
            there.entry(node.section.own).or_default().push(node.file);
        }
    }
    let mut shared: BTreeMap<(&RepoPath, &RepoPath), usize> = BTreeMap::new();
    for before in pairing.open_before() {
        let node = &pairing.before.nodes[before];
        if after_files.contains(node.file) {
            continue;
        }
        for file in there.get(&node.section.own).into_iter().flatten().take(LARGE_GROUP) {
            *shared.entry((node.file, file)).or_default() += node.body().len();
        }
    }
    let mut ranked: Vec<_> = shared.into_iter().collect();
    ranked.sort_by(|before, after| after.1.cmp(&before.1).then(before.0.cmp(&after.0)));
    let mut taken = BTreeSet::new();
    for ((before, after), _) in ranked {
        if !pairing.files.contains_key(before) && taken.insert(after) {
            pairing.files.insert(before, after);
        }
    }
}

/// Same canonical form under another id or in another file. A body that does not identify needs the title or the parent
/// to agree too.
pub(super) fn same_text(pairing: &mut Pairing<'_>) {
    let mut there: HashMap<(Fingerprint, &str), Vec<usize>> = HashMap::new();
    let mut anywhere: HashMap<Fingerprint, Vec<usize>> = HashMap::new();
    for after in pairing.open_after() {
        let section = pairing.after.nodes[after].section;
        there.entry((section.own, section.title.as_str())).or_default().push(after);
        anywhere.entry(section.own).or_default().push(after);
    }
    let mut same_title = Vec::new();
    let mut other_title = Vec::new();
    for before in pairing.open_before() {
        let section = pairing.before.nodes[before].section;
        let titled = there.get(&(section.own, section.title.as_str())).map_or(&[][..], Vec::as_slice);
        same_title.extend(titled.iter().take(LARGE_GROUP).map(|after| (before, *after)));
        let untitled = anywhere.get(&section.own).map_or(&[][..], Vec::as_slice);
        other_title.extend(untitled.iter().take(LARGE_GROUP).map(|after| (before, *after)));
    }
    same_title.retain(|(before, after)| {
        pairing.before.nodes[*before].is_weighty()
            || pairing.same_parent(*before, *after)
            || pairing.title_is_rare(*before, *after)
    });
    best_first(pairing, same_title);
    other_title.retain(|(before, after)| {
        pairing.body_is_rare(*before, *after)
            || (pairing.same_parent(*before, *after)
                && (pairing.body_is_unique(*before, *after)
                    || pairing.same_stem(*before, *after)
                    || pairing.titles_agree(*before, *after)))
    });
    best_first(pairing, other_title);
}

/// A heading without text of its own is where most of its subsections are.
pub(super) fn containers(pairing: &mut Pairing<'_>) {
    let mut votes: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut children: HashMap<usize, usize> = HashMap::new();
    for (before, after) in pairing.to_after.iter().enumerate() {
        let Some(parent) = pairing.before.nodes[before].parent else { continue };
        *children.entry(parent).or_default() += 1;
        if let Some(after) = after.and_then(|after| pairing.after.nodes[after].parent) {
            *votes.entry((parent, after)).or_default() += 1;
        }
    }
    let mut ranked: Vec<_> = votes.into_iter().filter(|((before, _), n)| n * 2 > children[before]).collect();
    ranked.sort_by(|before, after| after.1.cmp(&before.1).then(before.0.cmp(&after.0)));
    for ((before, after), _) in ranked {
        let is_bare = |node: &Node<'_>| node.body().len() == 0;
        if pairing.are_open(before, after)
            && is_bare(&pairing.before.nodes[before])
            && is_bare(&pairing.after.nodes[after])
        {
            pairing.pair(before, after);
        }
    }
}

/// Pairs what stands under the same id in the same file, in order, where `holds` says so.
fn pair_by_place(pairing: &mut Pairing<'_>, holds: impl Fn(&Pairing<'_>, usize, usize) -> bool) {
    let mut there: HashMap<(&RepoPath, &str), Vec<usize>> = HashMap::new();
    for after in pairing.open_after() {
        let node = &pairing.after.nodes[after];
        there.entry((node.file, node.section.id.0.as_str())).or_default().push(after);
    }
    for before in pairing.open_before() {
        let node = &pairing.before.nodes[before];
        let place = (pairing.file_after(node.file), node.section.id.0.as_str());
        let open = there
            .get(&place)
            .into_iter()
            .flatten()
            .copied()
            .find(|after| pairing.to_before[*after].is_none() && holds(pairing, before, *after));
        if let Some(after) = open {
            pairing.pair(before, after);
        }
    }
}

/// Pairs equals by what else speaks for them, then by how little the order changes.
fn best_first(pairing: &mut Pairing<'_>, pairs: Vec<(usize, usize)>) {
    let mut ranked: Vec<_> = pairs
        .into_iter()
        .filter(|(before, after)| pairing.are_open(*before, *after))
        .map(|(before, after)| {
            (std::cmp::Reverse(pairing.affinity(before, after)), before.abs_diff(after), before, after)
        })
        .collect();
    ranked.sort_unstable();
    for (_, _, before, after) in ranked {
        if pairing.are_open(before, after) {
            pairing.pair(before, after);
        }
    }
}
