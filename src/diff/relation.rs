//! What a pair's places and titles say: moved, renamed, renumbered, or only gone along with the parent.
//! Looks at no text below the headings.

use super::Relation;
use super::side::{Pairing, Side};
use crate::manual::{Section, SectionKind, numbering_stem};

/// The relation of every pair, by the section after.
pub(super) fn relations(pairing: &Pairing<'_>) -> Vec<Option<Relation>> {
    let mut relations: Vec<Option<Relation>> = vec![None; pairing.to_before.len()];
    for after in 0..pairing.to_before.len() {
        let Some(before) = pairing.to_before[after] else { continue };
        relations[after] = Some(relation(pairing, &relations, before, after));
    }
    relations
}

/// The relation of two sections, by those of the sections that stand above.
pub(super) fn relation(pairing: &Pairing<'_>, relations: &[Option<Relation>], before: usize, after: usize) -> Relation {
    let parent = pairing.after.nodes[after].parent.and_then(|parent| relations[parent]);
    let (there, here) = (&pairing.before.nodes[before], &pairing.after.nodes[after]);
    let along = pairing.same_parent(before, after) && here.parent.is_some();
    let moved = match along {
        true => there.file != here.file || parent.is_some_and(|parent| parent.moved),
        false => there.file != here.file || !same_place(pairing, before, after),
    };
    let (renamed, renumbered) = names(there.section, here.section);
    Relation { moved, renamed, renumbered, with_parent: moved && along }
}

/// Whether the enclosing sections are the same, where a file's only top heading counts as the file itself: putting one on
/// top of a file moves nothing.
fn same_place(pairing: &Pairing<'_>, before: usize, after: usize) -> bool {
    let parent = |side: &Side<'_>, at: usize| side.nodes[at].parent.filter(|parent| !side.is_file_title(*parent));
    match (parent(&pairing.before, before), parent(&pairing.after, after)) {
        (Some(before), Some(after)) => pairing.to_after[before] == Some(after),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// Whether the title, and whether only the number, is another one.
fn names(before: &Section, after: &Section) -> (bool, bool) {
    let other_title = before.title != after.title;
    let only_numbers = other_title && numbering_stem(&before.title) == numbering_stem(&after.title);
    let other_explicit_id =
        before.explicit && after.explicit && before.id != after.id && before.kind == SectionKind::Heading;
    let renamed = (other_title && !only_numbers) || (other_explicit_id && !other_title);
    let both_headings = before.kind == after.kind;
    (renamed, only_numbers || (both_headings && before.number != after.number))
}
