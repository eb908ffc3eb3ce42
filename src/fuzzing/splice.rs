//! Edits of case files: what comes out is YAML, differs where it was edited and nowhere else, and says what was meant.

use super::cases::{SHAPES, citation_said, read};
use super::{parts_of, text_of};
use crate::cases::{Case, Citation, Edit, Problem, splice as spliced};

/// Citations that are tried one by one.
const MOST: usize = 4;

/// The input is a case file, and behind each divider a text for its citations, in turn.
pub fn splice(input: &[u8]) {
    let Some(text) = text_of(input) else { return };
    let mut parts = parts_of(text);
    let Some(text) = parts.next() else { return };
    let others: Vec<&str> = parts.collect();
    let parsed = read(text, &SHAPES[0]);
    let is_yaml = !parsed.problems.iter().any(|it| matches!(it, Problem::Yaml { .. }));
    let citations: Vec<&Citation> = parsed.value.cases.iter().flat_map(|case| &case.citations).collect();
    for citation in citations.iter().take(MOST) {
        put_back(text, citation, is_yaml);
    }
    for (citation, with) in citations.iter().take(MOST).zip(others.iter().cycle()) {
        replace(text, &parsed.value.cases, citation, with);
    }
    #[cfg(feature = "ai")]
    others.iter().for_each(|it| super::categories::check(text, &parsed.value.cases, it));
    let edits = citations.iter().zip(others.iter().cycle());
    let edits: Vec<Edit> = edits.map(|(it, with)| Edit { span: it.span, text: (*with).to_owned() }).collect();
    if let Ok(out) = spliced(text, &edits) {
        let scalars = || edits.iter().zip(&citations).map(|(_, citation)| citation.scalar);
        let (start, end) = (scalars().map(|it| it.start).min(), scalars().map(|it| it.end).max());
        assert!(out.starts_with(&text[..start.unwrap_or(text.len())]), "{text:?} {out:?}");
        assert!(out.ends_with(&text[end.unwrap_or(0)..]), "{text:?} {out:?}");
    }
}

/// What a citation says already changes nothing but its spelling.
fn put_back(text: &str, citation: &Citation, is_yaml: bool) {
    if !is_yaml || !citation.pins.is_empty() {
        return;
    }
    let out = spliced(text, &[Edit { span: citation.span, text: citation.text.clone() }]);
    match &text[citation.span.start..citation.span.end] == citation.text.as_str() {
        true => assert_eq!(out.as_deref(), Ok(text), "{citation:?}"),
        false => assert!(out.is_ok(), "{out:?}: {citation:?} of {text:?}"),
    }
}

fn replace(text: &str, cases: &[Case], citation: &Citation, with: &str) {
    let edit = Edit { span: citation.span, text: with.to_owned() };
    let Ok(out) = spliced(text, &[edit]) else { return };
    let scalar = citation.scalar;
    let (head, tail) = (&text[..scalar.start], &text[scalar.end..]);
    assert!(out.len() >= head.len() + tail.len() && out.starts_with(head) && out.ends_with(tail), "{text:?} {out:?}");
    let again = read(&out, &SHAPES[0]);
    assert!(!again.problems.iter().any(|it| matches!(it, Problem::Yaml { .. })), "{:?}: {out:?}", again.problems);
    // Of a key that an alias makes a citation, the case depends.
    let is_key = citation.alias.is_some() && tail.trim_start().starts_with(':');
    if !is_name(with) || is_key {
        return;
    }
    let expected: Vec<String> = cases
        .iter()
        .flat_map(|case| &case.citations)
        .map(|it| match it.span == citation.span {
            true => {
                let pins = it.pins.iter().filter(|pin| pin.key.is_some()).cloned().collect();
                citation_said(&Citation { text: with.to_owned(), pins, ..it.clone() })
            }
            false => citation_said(it),
        })
        .collect();
    let said: Vec<String> = again.value.cases.iter().flat_map(|case| &case.citations).map(citation_said).collect();
    assert_eq!(said, expected, "{with:?} for {citation:?} in {text:?} gives {out:?}");
}

/// Whether a text can only be a name, wherever it stands: in a map whose keys are citations, no key of the map form.
fn is_name(text: &str) -> bool {
    !["section", "rev", "fingerprint", "quote", "title", "scope"].contains(&text)
        && text.starts_with(|it: char| it.is_ascii_alphabetic())
        && text.ends_with(|it: char| it.is_ascii_alphanumeric())
        && text.bytes().all(|it| it.is_ascii_alphanumeric() || b"-_/.#".contains(&it))
}
