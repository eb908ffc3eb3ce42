//! What holds for whatever was read from any text: places are places, and sections tile the text. For tests and fuzzers.

use std::collections::BTreeSet;

use super::{Document, Fragment};
use crate::source::Span;

/// Panics where the document is none that can come of the text.
pub(crate) fn check(text: &str, document: &Document) {
    let sections = &document.sections;
    for pair in sections.windows(2) {
        assert_eq!(pair[0].extent.end, pair[1].extent.start, "extents tile the text: {text:?}");
    }
    if let Some(last) = sections.last() {
        assert_eq!(last.extent.end, text.len());
    }
    for (at, section) in sections.iter().enumerate() {
        assert!(is_place(text, section.heading) && is_place(text, section.extent), "{text:?}");
        assert!(section.parent.is_none_or(|parent| parent < at && sections[parent].level < section.level));
        section.fragments.iter().for_each(|fragment| check_fragment(text, fragment));
    }
    let derived: Vec<_> = sections.iter().filter(|it| !it.explicit).map(|it| &it.id).collect();
    assert_eq!(derived.iter().collect::<BTreeSet<_>>().len(), derived.len(), "derived ids are unique: {text:?}");
}

fn check_fragment(text: &str, fragment: &Fragment) {
    let Fragment { text: read, map, inlines, strong, .. } = fragment;
    assert!(is_place(text, fragment.span), "{text:?} {fragment:?}");
    assert!(map.is_sorted_by(|first, second| first.0 < second.0), "{text:?} {fragment:?}");
    assert!(map.iter().all(|(at, _)| *at as usize <= read.len()), "{text:?} {fragment:?}");
    assert!(inlines.is_sorted_by(|first, second| first.end <= second.start), "{text:?} {fragment:?}");
    assert!(inlines.iter().all(|it| read.get(it.start..it.end).is_some()), "{text:?} {fragment:?}");
    assert!(strong.iter().all(|it| read.get(it.clone()).is_some()), "{text:?} {fragment:?}");
    for (at, _) in read.char_indices() {
        assert!(text.is_char_boundary(fragment.source_offset(at)), "{at} of {text:?} {fragment:?}");
    }
}

fn is_place(text: &str, span: Span) -> bool {
    text.get(span.start..span.end).is_some()
}
