//! What a citation means: the text that it names, and what the last check found about it.
//!
//! All of it comes from the repository, so none of it is live: sentences have their signs escaped, and the manual's text
//! is shown as source, where no picture is fetched and no link hides where it leads.

use lsp_types::{Hover, MarkupContent, MarkupKind};

use super::cited::{self, Cited, Query};
use super::project::Project;
use super::view::View;
use crate::cases::{Case, CaseFile};
use crate::diagnostic::Diagnostic;
use crate::manual::{Resolution, SectionRef, Target};
use crate::sanitize::{sanitize, sanitize_lines};

/// How much of a section is shown.
const MOST_LINES: usize = 40;
const MOST_BYTES: usize = 4_000;

/// One part of a hover.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Heading(String),
    Sentence(String),
    Source(String),
}

pub(super) fn hover(query: &Query<'_>) -> Option<Hover> {
    let found = cited::find(query)?;
    let Query { project, view, client, .. } = query;
    let resolution = view.index.resolve(&found.citation.text, Some(&found.file));
    let mut parts = Vec::new();
    match &resolution {
        Resolution::Found { target, .. } => {
            parts.push(Part::Heading(format!("{} ({})", view.name(*target), view.place(*target))));
            parts.extend(state(project, &found));
            parts.extend(unsaved(project, view, *target));
            parts.push(Part::Source(text(view, &found, *target)));
        }
        Resolution::Ambiguous { candidates, .. } => {
            parts.push(Part::Heading("an ambiguous citation: it names several sections".to_owned()));
            parts.extend(named(view, candidates));
            parts.extend(state(project, &found));
        }
        Resolution::Unknown { nearest } => {
            parts.push(Part::Heading("an unknown section".to_owned()));
            parts.extend(state(project, &found));
            if !nearest.is_empty() {
                parts.push(Part::Sentence("similar names:".to_owned()));
                parts.extend(named(view, nearest));
            }
        }
    }
    let range = Some(found.range);
    Some(Hover { contents: rendered(&parts, client.markdown).into(), range })
}

fn named(view: &View, sections: &[SectionRef]) -> Vec<Part> {
    let line = |at: &SectionRef| {
        let target = Target::Section(*at);
        Part::Sentence(format!("{}: {} ({})", view.index.shortest(*at), view.name(target), view.place(target)))
    };
    sections.iter().take(5).map(line).collect()
}

/// What the last check found, and since when it is so.
fn state(project: &Project, found: &Cited) -> Vec<Part> {
    let Some((file, case, citation)) = found.as_checked(project) else {
        return vec![Part::Sentence("not checked yet: the check runs when the file is saved".to_owned())];
    };
    let findings: Vec<&Diagnostic> = project.findings(case, citation).collect();
    if findings.is_empty() {
        let word = match suppresses(project, file, case) {
            true => "no finding; a comment at this case suppresses some",
            false => "fresh: it reads as it did when the case was last reviewed",
        };
        return vec![Part::Sentence(word.to_owned())];
    }
    let mut parts = Vec::new();
    for finding in findings {
        let Diagnostic { level, rule, message, notes, .. } = finding;
        parts.push(Part::Sentence(format!("{} ({}): {message}", word(rule.name), level.name())));
        parts.extend(
            finding.facts.reviewed_at.iter().map(|at| Part::Sentence(format!("last reviewed at {}", short(at)))),
        );
        parts.extend(notes.iter().cloned().map(Part::Sentence));
    }
    parts
}

/// `text-changed` in a word.
fn word(rule: &str) -> &str {
    rule.strip_prefix("text-").or_else(|| rule.strip_prefix("section-")).unwrap_or(rule)
}

/// A commit as git shows it, a pin as it is.
fn short(reviewed_at: &str) -> &str {
    let is_commit = reviewed_at.len() >= 40 && reviewed_at.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_commit { &reviewed_at[..7] } else { reviewed_at }
}

/// Whether a comment at the case, or in the line above it, speaks to citecheck.
fn suppresses(project: &Project, file: &CaseFile, case: &Case) -> bool {
    let line = |at: usize| project.sources.line(file.source, at).0;
    let (first, last) = (line(case.span.start).saturating_sub(1), line(case.span.end));
    file.comments.iter().map(|comment| line(comment.span.start)).any(|at| first <= at && at <= last)
}

/// Says that the section has words that no check has seen.
fn unsaved(project: &Project, view: &View, target: Target) -> Option<Part> {
    let (Target::Section(SectionRef { document, .. }) | Target::File(document)) = target;
    let (shown, checked) = (&view.manual().documents[document], &project.checked.after.manual.documents[document]);
    let is_same = shown.source == checked.source;
    (!is_same).then(|| Part::Sentence("the manual has changes that are not saved and not checked yet".to_owned()))
}

/// The text of the section, cut where it is long.
fn text(view: &View, found: &Cited, target: Target) -> String {
    let extent = view.extent(target, found.citation.scope);
    let text = view.sources.get(extent.source).text[extent.start..extent.end].trim_end();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut shown = String::new();
    let mut lines = text.lines();
    for line in lines.by_ref().take(MOST_LINES) {
        let room = MOST_BYTES.saturating_sub(shown.len());
        if line.len() > room {
            shown.push_str(&line[..line.floor_char_boundary(room)]);
            shown.push_str(" …\n");
            break;
        }
        shown.push_str(line);
        shown.push('\n');
    }
    match lines.count() {
        0 => {}
        1 => shown.push_str("… 1 more line\n"),
        more => shown.push_str(&format!("… {more} more lines\n")),
    }
    shown
}

fn rendered(parts: &[Part], markdown: bool) -> MarkupContent {
    let page: Vec<String> = parts.iter().map(|part| if markdown { live(part) } else { plain(part) }).collect();
    let kind = if markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    MarkupContent { kind, value: page.join("\n\n") }
}

fn plain(part: &Part) -> String {
    match part {
        Part::Heading(text) | Part::Sentence(text) => sanitize(text).into_owned(),
        Part::Source(text) => sanitize_lines(text).trim_end().to_owned(),
    }
}

fn live(part: &Part) -> String {
    match part {
        Part::Heading(text) => format!("**{}**", escaped(text)),
        Part::Sentence(text) => escaped(text),
        Part::Source(text) => {
            let text = sanitize_lines(text);
            let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
            let fence = "`".repeat(longest.max(2) + 1);
            format!("{fence}markdown\n{}\n{fence}", text.trim_end())
        }
    }
}

/// A line of text that means itself: behind a backslash no sign of ASCII is markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in sanitize(text).chars() {
        if character.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use pulldown_cmark::{Event, Options, Parser, Tag};

    use super::*;

    /// Everything in a page that a reader does not see as text.
    fn live_parts(page: &str) -> Vec<String> {
        let is_text = |event: &Event<'_>| {
            let structure =
                matches!(event, Event::Start(Tag::Paragraph | Tag::Strong | Tag::CodeBlock(_)) | Event::End(_));
            structure || matches!(event, Event::Text(_) | Event::SoftBreak)
        };
        let events = Parser::new_ext(page, Options::all());
        events.filter(|event| !is_text(event)).map(|event| format!("{event:?}")).collect()
    }

    #[test]
    fn nothing_from_the_repository_is_live() {
        let hostile =
            "`a` ```` <img src=x> ![x](http://e.org/x.png) [y](command:z) *b* \u{202e}| # $x$ &amp; http://e.org";
        let parts = [
            Part::Heading(hostile.to_owned()),
            Part::Sentence(format!("# {hostile}")),
            Part::Source(format!("## T\n\n````\n{hostile}\n````\n~~~\n\u{1b}[2J")),
        ];
        let page = rendered(&parts, true);
        assert_eq!(live_parts(&page.value), Vec::<String>::new(), "{}", page.value);
        for text in [page.value, rendered(&parts, false).value] {
            assert!(!text.contains(['\u{202e}', '\u{1b}']), "{text}");
            assert!(text.contains("\\u{202e}") || text.contains("\\\\u\\{202e\\}"), "{text}");
        }
    }

    #[test]
    fn plain_text_has_no_signs_of_markup() {
        let page = rendered(&[Part::Heading("a*b".to_owned()), Part::Source("# c\n".to_owned())], false);
        assert_eq!((page.kind, page.value.as_str()), (MarkupKind::PlainText, "a*b\n\n# c"));
    }

    #[test]
    fn rules_are_said_in_a_word() {
        assert_eq!(["text-changed", "section-moved", "quote-missing"].map(word), ["changed", "moved", "quote-missing"]);
    }
}
