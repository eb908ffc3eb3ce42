//! The only place that knows annotate-snippets: from one diagnostic to rustc's picture of it.
//!
//! The library panics on spans that it does not like, passes some texts on raw and hides headings where it cuts long
//! lines, so it gets sanitized excerpts with clamped marks and nothing to cut.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level as Mood, Origin, Patch, Renderer, Snippet as Picture,
};
use unicode_width::UnicodeWidthStr as _;

use super::excerpt::{self, Mark, Room, excerpt};
use super::layout::{PLAIN, Styled, cut};
use super::{Looks, told};
use crate::columns::clamp;
use crate::diagnostic::{Diagnostic, Fix, Label, Level};
use crate::sanitize::{sanitize, sanitize_lines};
use crate::source::{Rev, SourceId, Sources, Span};

/// Ends a place that we wrote; the library's own, which counts in the excerpt, follows and is taken out.
const OWN_PLACE: char = '\u{1}';
/// A mark over more lines than this is drawn on its first line.
const MOST_LINES: usize = 6;
/// Cutting is ours: nothing is too wide for the library.
const UNLIMITED: usize = 1 << 20;
/// Characters of a note or help: more than a command with many cases has.
const ENDLESS: usize = 20_000;

/// A diagnostic as text, without a line break at its end. `also` are notes that only this way of printing adds.
pub(super) fn draw(diagnostic: &Diagnostic, also: &[String], sources: &Sources, looks: Looks) -> String {
    let canvas = Canvas::new(diagnostic, sources, looks);
    let mut groups = vec![
        mood(diagnostic.level)
            .primary_title(told::sentence(&diagnostic.message))
            .id(diagnostic.rule.name)
            .elements(canvas.pictures(std::slice::from_ref(&diagnostic.primary), &[], AnnotationKind::Primary)),
    ];
    for snippet in &diagnostic.snippets {
        let title = Mood::NOTE.secondary_title(told::sentence(&snippet.title));
        let pictures = canvas.pictures(&snippet.labels, &snippet.visible, AnnotationKind::Context);
        groups.push(Group::with_title(title).elements(pictures));
    }
    if let Some(last) = groups.pop() {
        let notes = diagnostic.notes.iter().chain(also);
        groups.push(notes.fold(last, |group, note| group.element(Mood::NOTE.message(canvas.wrapped(note)))));
    }
    for help in &diagnostic.helps {
        groups.push(Group::with_title(Mood::HELP.secondary_title(canvas.hanging(help))));
    }
    groups.extend(diagnostic.fix.as_ref().map(|fix| canvas.patch(fix)));
    let renderer = if looks.color { Renderer::styled() } else { Renderer::plain() };
    let decor = if looks.unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
    drop_library_places(&renderer.decor_style(decor).term_width(UNLIMITED).render(&groups))
}

/// `docs/manual.md:12:9`, with the revision where it is not `checked`: `docs/manual.md@a1b2c3d:12:9`.
pub(super) fn place(span: Span, checked: &Rev, sources: &Sources) -> String {
    let file = sources.get(span.source);
    let at = excerpt::line_column(span, sources);
    let path = sanitize(&file.path.to_string()).into_owned();
    let revision = if file.rev == *checked { String::new() } else { format!("@{}", file.rev) };
    format!("{path}{revision}:{}:{}", at.line, at.column)
}

type Marked = Picture<'static, Annotation<'static>>;

/// What all pictures of a diagnostic have in common.
struct Canvas<'a> {
    sources: &'a Sources,
    looks: Looks,
    /// The revision of the primary place.
    checked: &'a Rev,
    primary: Span,
    /// Digits of the largest line number.
    digits: usize,
}

impl<'a> Canvas<'a> {
    fn new(diagnostic: &Diagnostic, sources: &'a Sources, looks: Looks) -> Self {
        let labels = diagnostic.snippets.iter().flat_map(|snippet| &snippet.labels).map(|label| label.span);
        let visible = diagnostic.snippets.iter().flat_map(|snippet| snippet.visible.iter().copied());
        let largest = labels
            .chain(visible)
            .chain([diagnostic.primary.span])
            .map(|span| {
                let text = &sources.get(span.source).text;
                let end = clamp(text, drawn(text, span)).end;
                sources.line(span.source, end).0
            })
            .max()
            .unwrap_or(1);
        let checked = &sources.get(diagnostic.primary.span.source).rev;
        Self { sources, looks, checked, primary: diagnostic.primary.span, digits: largest.to_string().len() }
    }

    /// One picture for each text that the places are in, in the order they are told.
    fn pictures(&self, labels: &[Label], visible: &[Span], kind: AnnotationKind) -> Vec<Element<'static>> {
        let mut texts: Vec<SourceId> = Vec::new();
        for source in labels.iter().map(|label| label.span.source).chain(visible.iter().map(|span| span.source)) {
            if !texts.contains(&source) {
                texts.push(source);
            }
        }
        let picture = |source: SourceId| {
            let labels: Vec<&Label> = labels.iter().filter(|label| label.span.source == source).collect();
            let visible: Vec<Span> = visible.iter().copied().filter(|span| span.source == source).collect();
            // Of a file that could not be read there is no text to show.
            let is_empty = self.sources.get(source).text.is_empty();
            match labels.first().filter(|label| is_empty && label.text.is_empty()) {
                Some(label) => Element::from(Origin::path(place(label.span, self.checked, self.sources))),
                None => Element::from(self.picture(source, &labels, &visible, kind)),
            }
        };
        texts.into_iter().map(picture).collect()
    }

    fn picture(&self, source: SourceId, labels: &[&Label], visible: &[Span], kind: AnnotationKind) -> Marked {
        let text = &self.sources.get(source).text;
        let words = |label: &Label| sanitize(&label.text).into_owned();
        let mark = |label: &&Label| Mark { range: drawn(text, label.span), label: words(label).width() };
        let marks: Vec<Mark> = labels.iter().map(mark).collect();
        let headings: Vec<Range<usize>> = visible.iter().map(|span| drawn(text, *span)).collect();
        let lines = excerpt(text, &marks, &headings, self.room());
        let marked = labels.iter().zip(&marks).map(|(label, mark)| {
            let annotation = kind.span(lines.range(&mark.range));
            if label.text.is_empty() { annotation } else { annotation.label(words(label)) }
        });
        let shown = headings.iter().map(|range| AnnotationKind::Visible.span(lines.range(range)));
        let annotations: Vec<Annotation<'static>> = marked.chain(shown).collect();
        let first = labels.first().map(|label| label.span).or(visible.first().copied());
        let place = first.map(|span| format!("{}{OWN_PLACE}", place(span, self.checked, self.sources)));
        let (line, _) = self.sources.line(source, lines.start);
        Picture::source(lines.text).line_start(line).path(place).annotations(annotations)
    }

    /// The edit, drawn like a diff.
    fn patch(&self, fix: &Fix) -> Group<'static> {
        let text = &self.sources.get(fix.span.source).text;
        let range = clamp(text, fix.span.start..fix.span.end);
        let replacement = sanitize_lines(&fix.replacement).into_owned();
        // Both lines have to fit.
        let longer = replacement.width().saturating_sub(text[range.clone()].width());
        let room = self.room();
        let room = Room { columns: room.columns.saturating_sub(longer), ..room };
        let mark = Mark { range, label: 0 };
        let lines = excerpt(text, std::slice::from_ref(&mark), &[], room);
        let patch = Patch::new(lines.range(&mark.range), replacement);
        // The library names the place of a patch only where it is not the place of the diagnostic.
        let near = fix.span.source == self.primary.source;
        let place = place(if near { self.primary } else { fix.span }, self.checked, self.sources);
        let (line, _) = self.sources.line(fix.span.source, lines.start);
        let picture = Picture::source(lines.text).line_start(line).path(format!("{place}{OWN_PLACE}")).patch(patch);
        Group::with_title(Mood::HELP.secondary_title(self.hanging(&fix.title))).element(picture)
    }

    fn room(&self) -> Room {
        // `12 | ` and, for the mark of a span over several lines, two more.
        let frame = self.digits + 3;
        Room {
            columns: self.looks.width.saturating_sub(frame), ellipsis: if self.looks.unicode { "…" } else { "..." }
        }
    }

    /// A note, wrapped to stand after `= note: `.
    fn wrapped(&self, note: &str) -> String {
        wrapped(note, self.looks.width.saturating_sub(self.digits + 1 + "= note: ".len()))
    }

    /// A title, wrapped to stand after `help: `.
    fn hanging(&self, title: &str) -> String {
        wrapped(title, self.looks.width.saturating_sub("help: ".len()))
    }
}

/// The part of a span that is drawn.
fn drawn(text: &str, span: Span) -> Range<usize> {
    let range = clamp(text, span.start..span.end);
    let mut breaks = text[range.clone()].match_indices(['\n', '\r']);
    match (breaks.next(), breaks.nth(MOST_LINES - 2)) {
        (Some((first, _)), Some(_)) => range.start..range.start + first,
        (Some(_) | None, _) => range,
    }
}

fn wrapped(text: &str, width: usize) -> String {
    let lines = Styled::new().with(PLAIN, sanitize(&cut(text, ENDLESS))).wrap(width);
    lines.iter().map(|line| line.paint(false)).collect::<Vec<_>>().join("\n")
}

fn mood(level: Level) -> Mood<'static> {
    match level {
        Level::Note => Mood::NOTE,
        Level::Warning => Mood::WARNING,
        Level::Error => Mood::ERROR,
    }
}

/// Takes out the `:line:column` that the library wrote after a place of ours.
fn drop_library_places(page: &str) -> String {
    let mut parts = page.split(OWN_PLACE);
    let mut kept = parts.next().unwrap_or("").to_owned();
    for part in parts {
        kept.push_str(part.trim_start_matches(|it: char| it == ':' || it.is_ascii_digit()));
    }
    kept
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::diagnostic::Snippet;
    use crate::report::sample::{Sample, looks};
    use crate::sanitize::is_hostile;
    use crate::source::RepoPath;

    /// Draws one finding on `text` with its primary place at the first range and a snippet of all.
    fn drawing(text: &str, ranges: &[Range<usize>], looks: Looks) -> String {
        let mut sources = Sources::default();
        let source = sources.add(Rev::Worktree, RepoPath::new("a\u{1b}\nb.md"), text);
        let span = |range: &Range<usize>| Span { source, start: range.start, end: range.end };
        let label = |range: &Range<usize>| Label { span: span(range), text: "it".to_owned() };
        let mut finding = Sample::new().findings.remove(0);
        finding.primary = label(&ranges[0]);
        finding.snippets = vec![Snippet {
            title: text.to_owned(),
            labels: ranges.iter().map(label).collect(),
            visible: ranges.iter().map(span).collect(),
        }];
        finding.notes = vec![text.to_owned()];
        finding.fix = Some(Fix { title: text.to_owned(), span: span(&ranges[0]), replacement: text.to_owned() });
        draw(&finding, &[], &sources, looks)
    }

    fn check(text: &str, range: Range<usize>, expected: &str) {
        let page = drawing(text, &[range], looks());
        let picture: Vec<&str> = page.lines().skip(1).take_while(|line| !line.starts_with("note")).collect();
        assert_eq!(picture.join("\n"), expected);
    }

    #[test]
    fn marks_stay_under_their_words() {
        check("\u{feff}ab c\r\n", 6..7, " --> a\\u{1b}\\nb.md:1:4\n  |\n1 | ab c\n  |    ^ it\n  |");
        check("漢字\tx\n", 7..8, " --> a\\u{1b}\\nb.md:1:4\n  |\n1 | 漢字    x\n  |         ^ it\n  |");
        check("one\rtwo\r", 8..8, " --> a\\u{1b}\\nb.md:2:4\n  |\n2 | two\n  |    ^ it\n  |");
    }

    #[test]
    fn a_mark_over_many_lines_is_drawn_on_its_first() {
        let text = "line of text\n".repeat(40);
        check(&text, 5..500, "  --> a\\u{1b}\\nb.md:1:6\n   |\n 1 | line of text\n   |      ^^^^^^^ it\n   |");
    }

    #[test]
    fn what_is_far_behind_the_text_is_its_end() {
        check("ab", 90..99, " --> a\\u{1b}\\nb.md:1:3\n  |\n1 | ab\n  |   ^ it\n  |");
        check("", 0..5, " --> a\\u{1b}\\nb.md:1:1\n  |\n1 |\n  | ^ it\n  |");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn any_text_and_any_places(
            text in "[a é漢\u{1b}\u{9b}\u{202e}\u{200d}👩\r\n\t\u{feff}\u{2028}`:#]{0,80}",
            places in prop::collection::vec((0_usize..320, 0_usize..320), 1..4),
            width in 0_usize..90,
            unicode in any::<bool>(),
        ) {
            let ranges: Vec<Range<usize>> = places.iter().map(|(start, end)| *start..*end).collect();
            let page = drawing(&text, &ranges, Looks { width, unicode, ..looks() });
            prop_assert!(!page.contains(|it| it != '\n' && is_hostile(it)), "{page:?}");
        }
    }
}
