//! Categories put into case files: a line comes in, everything else stays, and only the one case has the category then.

use super::cases::{SHAPES, citation_said, read};
use crate::cases::{Case, CaseId, insert, slots};

/// Puts a category into each of the first cases that has none, one by one.
pub(super) fn check(text: &str, cases: &[Case], category: &str) {
    if category.trim().is_empty() {
        return;
    }
    let all: Vec<&Case> = cases.iter().collect();
    for (nth, slot) in slots(text, &all, &SHAPES[0].id, "category").into_iter().enumerate().take(4) {
        let Ok(slot) = slot else { continue };
        let Some(out) = insert(text, "category", &[(slot, category)]) else { continue };
        let kept = common(text.bytes(), out.bytes());
        let behind = common(text.bytes().rev(), out.bytes().rev());
        assert!(out.len() > text.len() && kept + behind >= text.len(), "{text:?} gives {out:?}");
        let again = read(&out, &SHAPES[0]).value.cases;
        assert_eq!(again.iter().map(said).collect::<Vec<_>>(), cases.iter().map(said).collect::<Vec<_>>(), "{out:?}");
        for (at, (before, after)) in cases.iter().zip(&again).enumerate() {
            let (before, after) = (category_of(before), category_of(after));
            let expected = if at == nth { Some(category.trim()) } else { before };
            assert_eq!(after, expected, "case {at} of {out:?}");
        }
    }
}

/// How much is the same from here on.
fn common(one: impl Iterator<Item = u8>, other: impl Iterator<Item = u8>) -> usize {
    one.zip(other).take_while(|(one, other)| one == other).count()
}

/// What a category must not change.
fn said(case: &Case) -> (&CaseId, usize, [u8; 32], Vec<String>) {
    (&case.id, case.ordinal, case.content, case.citations.iter().map(citation_said).collect())
}

fn category_of(case: &Case) -> Option<&str> {
    case.category.as_ref().map(|it| it.text.as_str())
}
