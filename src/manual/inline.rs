//! The text inside one block: from the parser's inline events to canonical text.
//! Knows nothing of blocks; `blocks.rs` says where a text starts and ends.
#![expect(clippy::wildcard_enum_match_arm, reason = "most of the parser's events belong to blocks")]

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, Tag as Markdown, TagEnd};

use super::InlineKind;
use super::canonical::{Source, Writer, Written};
use super::html::Tag;
use super::published::percent_encoded;

/// A name of a place in a text, from HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Anchor {
    pub(super) id: String,
    /// Written as `<a id>` or `<a name>`, the way authors name a heading; not the `id` of some other tag.
    pub(super) deliberate: bool,
}

/// Collects one block's text.
#[derive(Debug)]
pub(super) struct Collector<'t> {
    source: &'t str,
    writer: Writer,
    purpose: Purpose,
    /// What stands before this offset is a clause's marker and no part of the text.
    pub(super) skip: usize,
    /// The rendered text of a heading, unfolded.
    rendered: Option<String>,
    open: Vec<Open>,
    /// For each open `<a>`, whether it was left out.
    links: Vec<bool>,
    /// Inside an HTML block, whether a comment has not ended yet.
    in_comment: bool,
    pub(super) anchors: Vec<Anchor>,
}

/// What a text is collected for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Body,
    /// A heading: its words alone, no targets and no tags.
    Title,
    /// A table cell: `|` is escaped, because it separates cells.
    Cell,
}

/// A link, an image, a strikethrough or bold text that has begun.
#[derive(Clone, Debug)]
struct Open {
    /// Where its mark stands in the text.
    mark: usize,
    /// Where what it holds starts in the text.
    inside: usize,
    target: String,
}

enum HtmlPiece {
    Comment,
    Tag,
    Prose,
}

impl<'t> Collector<'t> {
    pub(super) fn new(source: &'t str, purpose: Purpose) -> Self {
        Self {
            source,
            writer: Writer::default(),
            purpose,
            skip: 0,
            rendered: None,
            open: Vec::new(),
            links: Vec::new(),
            in_comment: false,
            anchors: Vec::new(),
        }
    }

    /// For a heading: keeps its rendered text as well, for its anchor.
    pub(super) fn of_heading(source: &'t str, purpose: Purpose) -> Self {
        Self { rendered: Some(String::new()), ..Self::new(source, purpose) }
    }

    /// Takes one event. Events that are not inline are none of its business.
    pub(super) fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        if range.end <= self.skip {
            return;
        }
        match event {
            Event::Text(text) => self.words(&text, range),
            Event::Code(code) => self.code(&code, range),
            Event::InlineHtml(tag) => self.html(&tag, range.start),
            Event::Html(line) => self.html_line(&line, range.start),
            Event::SoftBreak => self.line_end(range.start),
            Event::HardBreak => self.space(range.start),
            Event::FootnoteReference(label) => self.literal(&format!("[^{label}]"), range.start),
            Event::Start(tag) => self.start(tag, &range),
            Event::End(tag) => self.end(tag, &range),
            _ => {}
        }
    }

    /// A further table cell.
    pub(super) fn next_cell(&mut self, at: usize) {
        self.writer.cell_end(at);
    }

    /// Text that the parser left out, as it is written.
    pub(super) fn literal(&mut self, text: &str, at: usize) {
        self.writer.literal(text, Source { text: self.source, at });
    }

    /// The canonical text, and the rendered text of a heading.
    pub(super) fn finish(self) -> (Written, Option<String>) {
        (self.writer.finish(), self.rendered)
    }

    fn words(&mut self, text: &str, range: Range<usize>) {
        let mut text = text;
        let source = self.source.get(range.clone()).unwrap_or_default();
        // The value differs from the source where entities were resolved, and for `<https://example.org>`.
        let mut at = range.start + if source == text { 0 } else { source.find(text).unwrap_or(0) };
        if at < self.skip && source == text {
            text = text.get(self.skip - at..).unwrap_or_default();
            at = self.skip;
        }
        self.render(text);
        self.prose(text, at);
    }

    fn render(&mut self, text: &str) {
        if let Some(rendered) = &mut self.rendered {
            rendered.push_str(text);
        }
    }

    fn prose(&mut self, text: &str, at: usize) {
        match self.purpose {
            Purpose::Cell => {
                for piece in text.split_inclusive('|') {
                    let start = at + (piece.as_ptr() as usize - text.as_ptr() as usize);
                    let words = piece.strip_suffix('|').unwrap_or(piece);
                    self.writer.prose(words, start);
                    if words.len() < piece.len() {
                        self.writer.mark("\\|", start + words.len());
                    }
                }
            }
            Purpose::Body | Purpose::Title => self.writer.prose(text, at),
        }
    }

    fn code(&mut self, code: &str, range: Range<usize>) {
        // Of a line end of Windows in it the parser makes two spaces, of space before any line end one more.
        let is_broken = self.source.get(range.clone()).is_some_and(|source| source.contains(['\n', '\r']));
        let words = || code.split_whitespace().collect::<Vec<_>>().join(" ");
        self.render(&if is_broken { Cow::Owned(words()) } else { Cow::Borrowed(code) });
        self.writer.mark("`", range.start);
        let start = self.writer.position();
        self.writer.literal(code.trim(), Source { text: self.source, at: range.start });
        self.writer.drop_gap();
        self.writer.note(InlineKind::Code, start);
        self.writer.mark("`", range.end.saturating_sub(1));
    }

    fn html(&mut self, raw: &str, at: usize) {
        if raw.starts_with("<!--") {
            return;
        }
        let Some(tag) = Tag::read(raw) else {
            return self.tag(raw, at);
        };
        if let Some(anchor) = tag.anchor() {
            self.anchors.push(Anchor { id: anchor.to_string(), deliberate: tag.is("a") });
        }
        if tag.is("br") {
            return self.space(at);
        }
        let unseen = if tag.is("a") && tag.closing {
            self.links.pop().unwrap_or(false)
        } else {
            if tag.is("a") {
                self.links.push(tag.is_mere_anchor());
            }
            tag.is_mere_anchor()
        };
        if !unseen {
            self.tag(raw, at);
        }
    }

    /// A line of an HTML block: tags and comments as such, the rest as prose.
    fn html_line(&mut self, line: &str, at: usize) {
        let mut rest = line;
        while !rest.is_empty() {
            let here = at + (rest.as_ptr() as usize - line.as_ptr() as usize);
            let (length, piece) = self.html_piece(rest);
            match piece {
                HtmlPiece::Comment => {}
                HtmlPiece::Tag => self.html(&rest[..length], here),
                HtmlPiece::Prose => self.writer.prose(&rest[..length], here),
            }
            rest = &rest[length..];
        }
    }

    /// What a line of HTML goes on with, and how long it is.
    fn html_piece(&mut self, rest: &str) -> (usize, HtmlPiece) {
        if self.in_comment || rest.starts_with("<!--") {
            let end = rest.find("-->");
            self.in_comment = end.is_none();
            return (end.map_or(rest.len(), |end| end + 3), HtmlPiece::Comment);
        }
        let end = if rest.starts_with('<') { rest.find('>') } else { None };
        match end {
            Some(end) => (end + 1, HtmlPiece::Tag),
            None if rest.starts_with('<') => (rest.len(), HtmlPiece::Prose),
            None => (rest.find('<').unwrap_or(rest.len()), HtmlPiece::Prose),
        }
    }

    fn tag(&mut self, raw: &str, at: usize) {
        if self.purpose != Purpose::Title {
            let start = self.writer.position();
            self.writer.literal(raw, Source { text: self.source, at });
            self.writer.note(InlineKind::Html, start);
        }
    }

    fn line_end(&mut self, at: usize) {
        self.render(" ");
        self.writer.space(at);
    }

    fn space(&mut self, at: usize) {
        self.render(" ");
        self.writer.space(at);
    }

    fn start(&mut self, tag: Markdown<'_>, range: &Range<usize>) {
        let (mark, target) = match tag {
            Markdown::Link { dest_url, .. } => ("[", dest_url.to_string()),
            Markdown::Image { dest_url, .. } => ("![", dest_url.to_string()),
            Markdown::Strikethrough => ("~~", String::new()),
            Markdown::Strong => {
                let here = self.writer.text().len();
                return self.open.push(Open { mark: here, inside: here, target: String::new() });
            }
            _ => return,
        };
        let before = self.writer.position();
        let shown = self.purpose != Purpose::Title || mark == "~~";
        if shown {
            self.writer.mark(mark, range.start);
        }
        self.open.push(Open { mark: before, inside: self.writer.position(), target });
    }

    fn end(&mut self, tag: TagEnd, range: &Range<usize>) {
        match tag {
            TagEnd::Link | TagEnd::Image => {
                if let Some(open) = self.open.pop() {
                    self.end_link(&open, tag == TagEnd::Image, range);
                }
            }
            TagEnd::Strikethrough => {
                if let Some(open) = self.open.pop() {
                    self.writer.note(InlineKind::Strikethrough, open.inside);
                    self.writer.mark("~~", self.source.floor_char_boundary(range.end.saturating_sub(2)));
                }
            }
            TagEnd::Strong => {
                if let Some(open) = self.open.pop() {
                    self.writer.note_strong(open.inside);
                }
            }
            _ => {}
        }
    }

    fn end_link(&mut self, open: &Open, image: bool, range: &Range<usize>) {
        if self.purpose == Purpose::Title {
            return;
        }
        let label = self.writer.text().get(open.inside..).unwrap_or_default();
        if !image && is_same_address(label, &open.target) {
            self.writer.note(InlineKind::Target, open.inside);
            self.writer.remove(open.mark, open.inside);
            return;
        }
        let source = self.source.get(range.clone()).unwrap_or_default();
        let at = source.rfind(open.target.as_str()).map_or(range.end, |at| range.start + at);
        if !image {
            self.writer.note(InlineKind::Label, open.inside);
        }
        self.writer.mark("](", self.source.floor_char_boundary(at.saturating_sub(2)));
        let start = self.writer.position();
        self.writer.literal(&readable(&open.target), Source { text: self.source, at });
        self.writer.drop_gap();
        self.writer.note(InlineKind::Target, start);
        self.writer.mark(")", range.end.saturating_sub(1));
    }
}

/// An address as a browser shows it: what is percent-encoded without need is decoded, so that both spellings are one.
fn readable(target: &str) -> Cow<'_, str> {
    if !target.contains('%') {
        return Cow::Borrowed(target);
    }
    let mut bytes = Vec::with_capacity(target.len());
    let mut rest = target.as_bytes();
    while let [first, tail @ ..] = rest {
        let byte = percent_encoded(rest);
        // Reserved characters and spaces mean something else once they are decoded.
        match byte.filter(|byte| *byte >= 0x80 || b"{}|^~-_.".contains(byte) || byte.is_ascii_alphanumeric()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &rest[3..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(target), Cow::Owned)
}

/// Whether a link only shows its own address, as `<https://example.org>` does.
fn is_same_address(label: &str, target: &str) -> bool {
    !label.is_empty() && (label == target || target.strip_prefix("mailto:") == Some(label))
}
