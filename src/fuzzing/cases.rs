//! YAML to cases: places are places, Windows' line ends change nothing, and what sifts files before they are read never
//! says no to one that cites.

use std::sync::LazyLock;

use super::{is_place, text_of, worktree};
use crate::cases::{self, Case, CaseFile, Citation, Identified, Problem, Shape, Spanned};
use crate::manual::Names;
use crate::source::Parsed;

/// citecheck's own shape, and one with nested keys and a pattern.
pub(super) static SHAPES: LazyLock<[Shape; 2]> = LazyLock::new(|| {
    let keys = |keys: &[&str]| keys.iter().map(ToString::to_string).collect();
    let cite_pattern = regex::Regex::new("[a-c]+1?").ok();
    let other = Shape { id: keys(&["a"]), cites: keys(&["a", "b.c"]), cite_pattern, ..Shape::default() };
    [Shape::default(), other]
});

/// The input is a case file.
pub fn cases(input: &[u8]) {
    let Some(text) = text_of(input) else { return };
    SHAPES.iter().for_each(|shape| check_cases((input, text), shape));
    let (_, source) = worktree("cases.yaml", text);
    let found = cases::identified(source, text, &SHAPES[0]);
    for case in read(text, &SHAPES[0]).value.cases.iter().filter(|case| !case.cited_id) {
        let is_case = |it: &Identified| it.id == case.id && it.id_span == case.id_span && it.span == case.span;
        assert!(found.iter().any(is_case), "{case:?} of {text:?}");
    }
    for record in cases::records(source, text).value {
        assert!(is_place(text, record.span), "{record:?} of {text:?}");
        assert!(record.fields.iter().all(|(_, value)| is_place(text, value.span)), "{record:?} of {text:?}");
    }
    for (at, mapping) in cases::mappings(text).iter().enumerate() {
        assert!(mapping.parent.as_ref().is_none_or(|(parent, _)| *parent < at), "{mapping:?} of {text:?}");
    }
}

fn check_cases((input, text): (&[u8], &str), shape: &Shape) {
    let parsed = read(text, shape);
    parsed.value.cases.iter().for_each(|case| check_places(text, case));
    let doubts = parsed.value.doubts.iter().map(|doubt| &doubt.problem);
    for problem in parsed.problems.iter().chain(doubts) {
        assert!(is_place(text, problem.span()), "{problem:?} of {text:?}");
    }
    // A key may have 1,024 characters, in which the line ends of one that is in brackets count.
    if !text.contains('\r') && text.len() < 500 {
        let other = read(&text.replace('\n', "\r\n"), shape);
        assert_eq!(said(&other), said(&parsed), "line ends have an effect on {text:?}");
    }
    for citation in parsed.value.cases.iter().flat_map(|case| &case.citations) {
        let mut names = Names::default();
        names.add(&citation.text);
        assert!(names.search().may_be_in(input), "{:?} is not looked for in {text:?}", citation.text);
    }
}

pub(super) fn read(text: &str, shape: &Shape) -> Parsed<CaseFile, Problem> {
    let (_, source) = worktree("cases.yaml", text);
    cases::parse(source, text, shape)
}

fn check_places(text: &str, case: &Case) {
    let said = [&case.title, &case.status, &case.category].into_iter().flatten().map(|it| it.span);
    for span in [case.id_span, case.span].into_iter().chain(said) {
        assert!(is_place(text, span), "{case:?} of {text:?}");
    }
    for Citation { span, scalar, alias, pins, quote, title, .. } in &case.citations {
        assert!(is_place(text, *span) && is_place(text, *scalar), "{case:?} of {text:?}");
        assert!(scalar.start <= span.start && span.end <= scalar.end, "{case:?} of {text:?}");
        let pins = pins.iter().flat_map(|pin| [Some(pin.span), pin.key]);
        let others = [quote, title].map(|it| it.as_ref().map(|it| it.span));
        assert!(pins.chain(others).chain([*alias]).flatten().all(|span| is_place(text, span)), "{case:?} of {text:?}");
    }
}

/// Everything but the places.
fn said(parsed: &Parsed<CaseFile, Problem>) -> Vec<String> {
    let cases = parsed.value.cases.iter().map(|case| {
        let citations: Vec<String> = case.citations.iter().map(citation_said).collect();
        let said = [&case.title, &case.status, &case.category].map(text);
        format!("{:?} {} {} {said:?} {citations:?} {:?}", case.id, case.cited_id, case.ordinal, case.content)
    });
    let problems = parsed.problems.iter().map(|problem| match problem {
        Problem::Yaml { message, .. } | Problem::Case { message, .. } => message.replace('\r', ""),
        Problem::DuplicateKey { key, .. } => format!("{key} twice"),
    });
    let comments = parsed.value.comments.iter().map(|comment| comment.text.clone());
    cases.chain(problems).chain(comments).collect()
}

/// Everything that a citation says.
pub(super) fn citation_said(citation: &Citation) -> String {
    let pins: Vec<String> = citation.pins.iter().map(|pin| pin.kind.spelled()).collect();
    format!("{:?} {pins:?} {:?} {:?} {:?}", citation.text, text(&citation.quote), text(&citation.title), citation.scope)
}

fn text(said: &Option<Spanned>) -> Option<&str> {
    said.as_ref().map(|it| it.text.as_str())
}
