//! Sections that stayed at their place while the pairs went elsewhere: a heading that still stands where it stood is the
//! section that it was, whether its text left it or that of another section came to stand under it.
//! Runs when the pairs stand; where the rest of the text is, `parts.rs` finds.

use std::collections::HashMap;

use super::side::{Pairing, Side};
use super::thresholds::PART;
use crate::manual::SectionKind;
use crate::source::RepoPath;

/// Pairs a title that stayed with nothing or only a part of its text, where the rest now stands under a heading below it
/// or right behind it, with itself: the section is where it was, and the other heading holds a part of it. A heading before
/// one of the same title that has none of the text is another section, which came.
pub(super) fn keep_stubs(pairing: &mut Pairing<'_>) {
    for stub in pairing.open_after() {
        let nodes = &pairing.after.nodes;
        let below = (stub + 1..nodes.len()).take_while(|at| is_below(&pairing.after, stub, *at));
        let behind = (stub + 1..nodes.len()).take(1).filter(|at| nodes[*at].parent == nodes[stub].parent);
        let has_part_of = |before: usize| {
            let is_empty = nodes[stub].section.fragments.is_empty();
            !is_empty && nodes[stub].body().contained_in(pairing.before.nodes[before].body()) >= PART
        };
        let mut others = below.chain(behind).filter_map(|after| Some((after, pairing.to_before[after]?)));
        let took_the_text = others.find(|(after, before)| {
            let is_twin = nodes[*after].section.title == nodes[stub].section.title;
            pairing.before.nodes[*before].is_weighty()
                && (has_part_of(*before) || (!is_twin && !nodes[stub].is_weighty()))
                && pairing.same_title(*before, stub)
                && pairing.same_parent(*before, stub)
        });
        if let Some((_, before)) = took_the_text {
            pairing.pair_again(before, stub);
        }
    }
}

/// Pairs a heading that still stands at its place with itself, where the text of a section of another name came to stand
/// under it and was taken for it: a clause that lost the marker with its id is a part of the section that it stood in, and
/// no new place for its id.
pub(super) fn keep_hosts(pairing: &mut Pairing<'_>) {
    let open = pairing.open_before();
    if open.is_empty() {
        return;
    }
    let mut named: HashMap<(&RepoPath, &str), Vec<usize>> = HashMap::new();
    for (after, node) in pairing.after.nodes.iter().enumerate() {
        named.entry((node.file, node.section.title.as_str())).or_default().push(after);
    }
    for host in open {
        let node = &pairing.before.nodes[host];
        let there = named.get(&(pairing.file_after(node.file), node.section.title.as_str()));
        let stands = there.into_iter().flatten().copied().find(|after| is_host(pairing, host, *after));
        if let Some(after) = stands.or_else(|| around_its_children(pairing, host)) {
            let came = pairing.to_before[after].expect("another section was paired with it");
            pairing.part(came, after);
            pairing.pair(host, after);
        }
    }
}

/// Whether a heading stands where it stood with what text it had, and a section of another name was taken for it.
fn is_host(pairing: &Pairing<'_>, host: usize, after: usize) -> bool {
    let node = &pairing.before.nodes[host];
    let keeps_its_text = || !node.is_weighty() || node.body().contained_in(pairing.after.nodes[after].body()) >= PART;
    pairing.to_before[after].is_some_and(|came| !pairing.same_title(came, after))
        && pairing.same_title(host, after)
        && pairing.same_parent(host, after)
        && keeps_its_text()
}

/// The heading around most of what stood below a heading without text of its own, where one of those sections was taken
/// for it.
fn around_its_children(pairing: &Pairing<'_>, host: usize) -> Option<usize> {
    let (before, after) = (&pairing.before.nodes, &pairing.after.nodes);
    if before[host].section.kind != SectionKind::Heading || !before[host].section.fragments.is_empty() {
        return None;
    }
    let below = (host + 1..before.len()).take_while(|at| is_below(&pairing.before, host, *at));
    let children: Vec<usize> = below.filter(|at| before[*at].parent == Some(host)).collect();
    let around = |at: &usize| pairing.to_after[*at].and_then(|child| after[child].parent);
    children.iter().filter_map(|came| pairing.to_after[*came]).find(|place| {
        let stayed = children.iter().filter(|at| around(at) == Some(*place)).count();
        after[*place].section.kind == SectionKind::Heading && stayed > 0 && stayed * 2 > children.len() - 1
    })
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
