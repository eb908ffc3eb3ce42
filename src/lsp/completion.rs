//! The sections that a citation may name, offered where one is being written.
//!
//! Whether the cursor is in a citation only the parser of the cases knows, and it may be in a citation of no letter yet. So
//! the text is read with a word of our own at the cursor: the citation that has the word in it is the one.

use std::collections::BTreeSet;
use std::ops::Range;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionList, CompletionResponse, InsertTextFormat, TextEdit};

use super::cited::Query;
use super::view::Citable;
use crate::cases::{self, Citation, Shape};
use crate::sanitize::sanitize;
use crate::source::{Rev, Sources};

/// In no text, and plain wherever it stands.
const WORD: &str = "citecheck\u{10ffff}here";
/// What a line may need behind the cursor to be YAML.
const CLOSINGS: [&str; 3] = ["", "]", "}"];
/// How many sections are offered; more only as more letters are written.
const MOST: usize = 500;

/// A citation that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Started {
    /// What an item takes the place of: the citation, without its pin.
    range: Range<usize>,
    /// What of it is written before the cursor.
    written: String,
    style: Style,
}

/// How the citation is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// A plain scalar, all of it: it may be quoted.
    Plain,
    /// A part of a scalar that can't be quoted by itself.
    Part,
    SingleQuoted,
    DoubleQuoted,
    /// The target of a Markdown link, which has to be one for other readers, too.
    Link,
}

pub(super) fn completion(query: &Query<'_>) -> Option<CompletionResponse> {
    let Query { project, view, document, at, .. } = query;
    let path = project.places.inside(&document.uri)?;
    let shape = &project.config.case_group(&path)?.shape;
    let mut sources = Sources::default();
    let source = sources.add(Rev::Worktree, path, document.text.as_ref());
    let cursor = project.places.offset(*at, source, &sources);
    let started = started(&document.text, cursor, shape)?;
    let position = |at: usize| project.places.position(at, source, &sources);
    let range = lsp_types::Range { start: position(started.range.start), end: position(started.range.end) };
    if range.start.line != range.end.line {
        return None;
    }
    let all = view.citable();
    let is_incomplete = all.len() > MOST;
    let numbered = all.iter().enumerate();
    let offered = numbered.filter(|(_, it)| !is_incomplete || is_named(it, &started.written));
    let items = offered.filter_map(|(nth, it)| item(nth, it, &started, range)).take(MOST).collect();
    Some(CompletionList { is_incomplete, items, ..CompletionList::default() }.into())
}

/// Whether what is written is a part of one of the names.
fn is_named(citable: &Citable, written: &str) -> bool {
    let written = written.to_lowercase();
    citable.others.iter().chain([&citable.citation]).any(|name| name.to_lowercase().contains(&written))
}

fn item(nth: usize, citable: &Citable, started: &Started, range: lsp_types::Range) -> Option<CompletionItem> {
    let Citable { name, place, others, .. } = citable;
    let [_, anchor, _] = others;
    let citation = if started.style == Style::Link { anchor } else { &citable.citation };
    // What can't be shown as it is should not be put into a file unseen.
    if sanitize(citation) != citation.as_str() {
        return None;
    }
    let edit = TextEdit { range, new_text: spelled(citation, started.style)? };
    let mut names: Vec<&str> = std::iter::once(citation).chain(others).map(String::as_str).collect();
    // Some editors look at the beginning only.
    names.sort_by_key(|name| !name.starts_with(&started.written));
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(*name));
    Some(CompletionItem {
        label: citation.clone(),
        kind: Some(CompletionItemKind::Reference),
        detail: Some(sanitize(&format!("{name} · {place}")).into_owned()),
        // As in the manual, and not by name.
        sort_text: Some(format!("{nth:06}")),
        filter_text: Some(sanitize(&names.join(" ")).into_owned()),
        insert_text_format: Some(InsertTextFormat::PlainText),
        text_edit: Some(edit.into()),
        ..CompletionItem::default()
    })
}

/// A citation as it is written in that place; `None` where it can't be.
fn spelled(citation: &str, style: Style) -> Option<String> {
    match style {
        Style::Plain => Some(cases::in_flow(citation)),
        Style::Part => (cases::in_flow(citation) == citation).then(|| citation.to_owned()),
        Style::SingleQuoted => Some(citation.replace('\'', "''")),
        Style::DoubleQuoted => Some(citation.replace('\\', "\\\\").replace('"', "\\\"")),
        Style::Link => {
            (!citation.contains(|it: char| it.is_whitespace() || "()<>'\"\\".contains(it))).then(|| citation.to_owned())
        }
    }
}

/// The citation that the cursor is in.
fn started(text: &str, cursor: usize, shape: &Shape) -> Option<Started> {
    // A pattern would find its citations only once they are written.
    let shape = Shape { cite_pattern: None, ..shape.clone() };
    CLOSINGS.iter().find_map(|closing| {
        let probe = format!("{}{WORD}{closing}{}", &text[..cursor], &text[cursor..]);
        let source = Sources::default().add(Rev::Worktree, crate::source::RepoPath::new(""), "");
        let read = cases::parse(source, &probe, &shape).value;
        let mut citations = read.cases.iter().flat_map(|case| &case.citations);
        let found = citations.find(|citation| citation.text.contains(WORD) && citation.alias.is_none())?;
        measured(&probe, cursor, found)
    })
}

/// A citation of the text with our word, as it stands in the text without.
fn measured(probe: &str, cursor: usize, citation: &Citation) -> Option<Started> {
    let (start, end) = (citation.span.start, citation.span.end);
    let pin = citation.pins.iter().map(|pin| pin.span.start).find(|pin| (start..end).contains(pin));
    // The `@` before a pin is no part of the citation.
    let end = pin.map_or(end, |pin| pin - 1).checked_sub(WORD.len()).filter(|end| start <= cursor && cursor <= *end)?;
    let scalar = &probe[citation.scalar.start..citation.scalar.end];
    let is_whole = probe[start..citation.span.end].len() == scalar.len() && pin.is_none();
    let style = match scalar.chars().next() {
        _ if probe[..start].ends_with("](") => Style::Link,
        Some('\'') => Style::SingleQuoted,
        Some('"') => Style::DoubleQuoted,
        Some(_) | None if is_whole => Style::Plain,
        Some(_) | None => Style::Part,
    };
    Some(Started { range: start..end, written: probe[start..cursor].to_owned(), style })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `|` is the cursor; what would be replaced stands between `<` and `>` in `expected`.
    fn check(marked: &str, expected: &str, style: Style) {
        let cursor = marked.find('|').unwrap();
        let text = marked.replacen('|', "", 1);
        let started = started(&text, cursor, &Shape::default()).unwrap_or_else(|| panic!("no citation in {marked:?}"));
        let mut shown = text.clone();
        shown.insert(started.range.end, '>');
        shown.insert(started.range.start, '<');
        assert_eq!((shown.as_str(), started.style), (expected, style));
    }

    fn check_none(marked: &str) {
        let cursor = marked.find('|').unwrap();
        assert_eq!(started(&marked.replacen('|', "", 1), cursor, &Shape::default()), None, "{marked:?}");
    }

    #[test]
    fn a_citation_is_found_wherever_it_is_written() {
        check("- id: T\n  cites:\n    - |\n", "- id: T\n  cites:\n    - <>\n", Style::Plain);
        check("- id: T\n  cites: pu|mp\n", "- id: T\n  cites: <pump>\n", Style::Plain);
        check("- id: é\n  cites: [a, pu|mp]\n", "- id: é\n  cites: [a, <pump>]\n", Style::Plain);
        check("- id: T\n  cites: ['pu|']\n", "- id: T\n  cites: ['<pu>']\n", Style::SingleQuoted);
        check("- id: T\n  cites: \"|\"\n", "- id: T\n  cites: \"<>\"\n", Style::DoubleQuoted);
        check("- id: T\n  cites: {section: pu|}\n", "- id: T\n  cites: {section: <pu>}\n", Style::Plain);
        check("- id: T\n  cites: a, b|\n", "- id: T\n  cites: a, <b>\n", Style::Part);
        check(
            "- id: T\n  cites: a|b@c1-0123456789abcdef\n",
            "- id: T\n  cites: <ab>@c1-0123456789abcdef\n",
            Style::Part,
        );
    }

    #[test]
    fn a_link_gets_a_target_that_is_one() {
        check("- id: T\n  cites: '[Pump](docs/|)'\n", "- id: T\n  cites: '[Pump](<docs/>)'\n", Style::Link);
        assert_eq!(spelled("m.md#a-b", Style::Link).as_deref(), Some("m.md#a-b"));
        assert_eq!(spelled("docs ä/m.md#a", Style::Link), None);
    }

    #[test]
    fn what_is_not_closed_yet_is_no_hindrance() {
        check("- id: T\n  cites: [|", "- id: T\n  cites: [<>", Style::Plain);
        check("- id: T\n  cites: [a, pu|\n", "- id: T\n  cites: [a, <pu>\n", Style::Plain);
        check("- {id: T, cites: pu|\n", "- {id: T, cites: <pu>\n", Style::Plain);
    }

    #[test]
    fn elsewhere_there_is_none() {
        check_none("- id: T|\n  cites: a\n");
        check_none("- id: T\n  expected: |\n  cites: a\n");
        check_none("|");
        check_none("- id: T\n  cites: a@c1-0123|456789abcdef\n");
        check_none("- id: T\n  cites: {section: a, quote: wo|rds}\n");
        check_none("- id: [|\n  cites: 'a\n");
    }

    #[test]
    fn a_citation_is_spelled_as_its_place_asks_for() {
        let check = |citation, style, expected: Option<&str>| assert_eq!(spelled(citation, style).as_deref(), expected);
        check("pump/limits", Style::Plain, Some("pump/limits"));
        check("a: b", Style::Plain, Some("'a: b'"));
        check("a: b", Style::Part, None);
        check("it's", Style::SingleQuoted, Some("it''s"));
        check("a\"b", Style::DoubleQuoted, Some("a\\\"b"));
    }
}
