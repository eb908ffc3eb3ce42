//! From the parser's events to fragments: which block is what, and where it stands.
//! Sections are kept by `outline.rs`, the text of a block is collected by `inline.rs`.
#![expect(clippy::wildcard_enum_match_arm, reason = "most of the parser's events belong to extensions that stay off")]

use std::ops::Range;

use pulldown_cmark::{BlockQuoteKind, CodeBlockKind, Event, HeadingLevel, Options as Extensions, Parser, Tag, TagEnd};

use super::canonical::{Written, code};
use super::clause::Markers;
use super::inline::{Collector, Purpose};
use super::numbered::number_at;
use super::outline::{Draft, Heading, Outline};
use super::{Fragment, FragmentKind, Options};
use crate::source::{SourceId, Span};

/// Smart punctuation, metadata and task lists stay off: the first rewrites the text, the second swallows it in the
/// middle of a file, and the third can make the parser panic.
fn extensions() -> Extensions {
    Extensions::ENABLE_TABLES
        | Extensions::ENABLE_FOOTNOTES
        | Extensions::ENABLE_STRIKETHROUGH
        | Extensions::ENABLE_HEADING_ATTRIBUTES
        | Extensions::ENABLE_GFM
}

/// Reads the text from `body` on.
pub(super) fn read(source: SourceId, text: &str, body: usize, options: &Options) -> Vec<Draft> {
    let events = || Parser::new_ext(&text[body..], extensions());
    let is_heading = |event| matches!(event, Event::Start(Tag::Heading { .. }));
    let mut walker = Walker {
        source,
        text,
        markers: Markers::new(&options.id_patterns),
        numbered: options.numbered_paragraphs && !events().any(is_heading),
        outline: Outline::new(body),
        containers: Vec::new(),
        leaf: None,
        heading: None,
        code: None,
        unnamed: false,
    };
    for (event, range) in events().into_offset_iter() {
        walker.event(event, range.start + body..range.end + body);
    }
    walker.end_implicit();
    walker.outline.finish()
}

struct Walker<'t> {
    source: SourceId,
    text: &'t str,
    markers: Markers<'t>,
    /// Whether numbered paragraphs are sections.
    numbered: bool,
    outline: Outline,
    containers: Vec<Container>,
    leaf: Option<Leaf<'t>>,
    heading: Option<OpenHeading<'t>>,
    code: Option<Raw>,
    /// Whether the text being read is the start of a numbered paragraph, which may be its title.
    unnamed: bool,
}

/// Something that holds blocks.
#[derive(Debug)]
enum Container {
    Quote,
    /// A list, with the number of its next item if it is ordered; perhaps its items are numbered paragraphs.
    List {
        next: Option<u64>,
        numbered: bool,
    },
    /// A list item or a footnote definition: its marker goes to its first block.
    Marked {
        marker: String,
        used: bool,
        kind: FragmentKind,
        start: usize,
    },
}

/// A block of text that is being read.
struct Leaf<'t> {
    kind: FragmentKind,
    range: Range<usize>,
    collector: Collector<'t>,
    /// Opened by its first word: the text of a tight list item is in no paragraph.
    implicit: bool,
    /// For a heading in the body its mark.
    mark: &'static str,
    /// Where the last table cell ended.
    cell_end: Option<usize>,
}

struct OpenHeading<'t> {
    level: HeadingLevel,
    id: Option<String>,
    start: usize,
    range: Range<usize>,
    collector: Collector<'t>,
    begun: bool,
}

impl OpenHeading<'_> {
    /// A heading may itself start with an id. Before an underlined title the id's own line is no part of the title.
    fn read_marker(&mut self, text: &str, start: usize, markers: Markers<'_>) {
        let Some(marker) = markers.at(text, start) else { return };
        self.id.get_or_insert(marker.id);
        let title = text[start..self.range.end].find('\n').map(|at| start + at + 1);
        let underline = text[self.range.clone()].trim_end().rfind('\n').map(|at| self.range.start + at + 1);
        if let (true, Some(title), Some(underline)) = (marker.alone, title, underline)
            && title < underline
        {
            self.collector.skip = title;
            self.range.start = title;
        }
    }
}

/// The text of a block whose lines count, in pieces with their places.
struct Raw {
    kind: FragmentKind,
    range: Range<usize>,
    pieces: Vec<(String, usize)>,
}

impl<'t> Walker<'t> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) if is_block(&tag.to_end()) => self.start(tag, range),
            Event::End(tag) if is_block(&tag) => self.end(tag, range),
            Event::Rule => {
                self.end_implicit();
                let text = Written { text: "---".to_string(), ..Written::default() };
                self.add(FragmentKind::Rule, "", text, range);
            }
            Event::Text(text) | Event::Html(text) if self.code.is_some() => {
                if let Some(code) = &mut self.code {
                    code.pieces.push((text.into_string(), range.start));
                }
            }
            inline => self.inline(inline, range),
        }
    }

    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) {
        self.end_implicit();
        match tag {
            Tag::Paragraph => self.begin_text(range),
            Tag::Heading { level, id, .. } => self.begin_heading(level, id.map(|id| id.to_string()), range),
            Tag::BlockQuote(kind) => self.begin_quote(kind, range),
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                self.code = Some(Raw { kind: FragmentKind::Code, range, pieces: Vec::new() });
            }
            Tag::HtmlBlock if keeps_line_ends(&self.text[range.start..]) => {
                self.code = Some(Raw { kind: FragmentKind::Html, range, pieces: Vec::new() });
            }
            Tag::HtmlBlock => self.begin(FragmentKind::Html, Purpose::Body, range),
            Tag::List(next) => self.begin_list(next),
            Tag::Item => self.begin_item(range.start),
            Tag::FootnoteDefinition(label) => self.containers.push(Container::Marked {
                marker: format!("[^{label}]: "),
                used: false,
                kind: FragmentKind::Footnote,
                start: range.start,
            }),
            Tag::TableHead => self.begin(FragmentKind::TableHead, Purpose::Cell, range),
            Tag::TableRow => self.begin(FragmentKind::TableRow, Purpose::Cell, range),
            Tag::TableCell => {
                if let Some(leaf) = &mut self.leaf
                    && leaf.cell_end.is_some()
                {
                    leaf.collector.next_cell(range.start);
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::TableCell => {
                if let Some(leaf) = &mut self.leaf {
                    leaf.cell_end = Some(range.end);
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                self.keep_excess_cells();
                self.end_leaf();
            }
            TagEnd::CodeBlock | TagEnd::HtmlBlock if self.code.is_some() => self.end_code(),
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.end_leaf(),
            TagEnd::Heading(_) if self.heading.is_some() => self.end_heading(),
            TagEnd::Heading(_) => self.end_leaf(),
            TagEnd::Item | TagEnd::FootnoteDefinition => self.end_marked(range),
            TagEnd::BlockQuote(_) | TagEnd::List(_) => {
                self.end_implicit();
                self.containers.pop();
            }
            _ => {}
        }
    }

    fn inline(&mut self, event: Event<'_>, range: Range<usize>) {
        if let Some(heading) = &mut self.heading {
            if !heading.begun {
                heading.begun = true;
                heading.read_marker(self.text, range.start, self.markers);
            }
            return heading.collector.event(event, range);
        }
        if self.leaf.is_none() {
            if matches!(event, Event::End(_)) {
                return;
            }
            self.begin_text(range.clone());
            if let Some(leaf) = &mut self.leaf {
                leaf.implicit = true;
            }
        }
        if let Some(leaf) = &mut self.leaf {
            leaf.range.end = leaf.range.end.max(range.end);
            leaf.collector.event(event, range);
        }
    }

    /// Begins prose, which may be a clause or a numbered paragraph.
    fn begin_text(&mut self, range: Range<usize>) {
        let text = self.open_clause(&range).or_else(|| self.open_numbered(&range));
        let start = text.unwrap_or(range.start);
        self.begin(self.text_kind(), Purpose::Body, start..range.end.max(start));
        if let (Some(leaf), Some(text)) = (&mut self.leaf, text) {
            leaf.collector.skip = text;
        }
    }

    /// Opens a clause where the text starts with a marker, and tells where it goes on.
    fn open_clause(&mut self, range: &Range<usize>) -> Option<usize> {
        let marker = self.markers.at(self.text, range.start)?;
        let is_item = |it: &Container| matches!(it, Container::Marked { kind: FragmentKind::ListItem, .. });
        let item = self.containers.iter().rposition(is_item).map(|at| at + 1);
        self.outline.open_clause(marker.id, range.start..range.start + marker.length, item);
        self.use_markers(item.unwrap_or(0));
        Some(range.start + marker.skip)
    }

    /// The same for a numbered paragraph: one outside of all lists and quotes, or an item of a list that goes on with
    /// the numbers.
    fn open_numbered(&mut self, range: &Range<usize>) -> Option<usize> {
        let (number, start, text) = match &self.containers[..] {
            _ if !self.numbered => return None,
            [] => {
                let found = number_at(self.text, range.start)?;
                (found.number, range.start, range.start + found.skip)
            }
            [Container::List { numbered: true, .. }, Container::Marked { marker, used: false, start, .. }] => {
                (marker.trim_end_matches(['.', ' ']).to_string(), *start, range.start)
            }
            _ => return None,
        };
        let depth = self.containers.len();
        self.outline.open_paragraph(number, start..text, depth);
        self.use_markers(depth);
        self.unnamed = true;
        Some(text)
    }

    fn begin(&mut self, kind: FragmentKind, purpose: Purpose, range: Range<usize>) {
        let collector = Collector::new(self.text, purpose);
        self.leaf = Some(Leaf { kind, range, collector, implicit: false, mark: "", cell_end: None });
    }

    fn begin_heading(&mut self, level: HeadingLevel, id: Option<String>, range: Range<usize>) {
        if self.containers.is_empty() {
            let collector = Collector::of_heading(self.text, Purpose::Title);
            self.heading = Some(OpenHeading { level, id, start: range.start, range, collector, begun: false });
            return;
        }
        self.begin(FragmentKind::Other, Purpose::Body, range);
        if let Some(leaf) = &mut self.leaf {
            leaf.mark = heading_mark(level);
            leaf.collector = Collector::of_heading(self.text, Purpose::Body);
        }
    }

    fn begin_quote(&mut self, kind: Option<BlockQuoteKind>, range: Range<usize>) {
        self.containers.push(Container::Quote);
        if let Some(kind) = kind {
            let line = self.text[range.clone()].find('\n').map_or(range.end, |at| range.start + at);
            let text = Written { text: format!("[!{}]", alert_word(kind)), ..Written::default() };
            self.add(FragmentKind::Quote, "", text, range.start..line);
        }
    }

    fn begin_list(&mut self, next: Option<u64>) {
        let goes_on = next.is_some_and(|next| self.outline.expects(next));
        let numbered = self.numbered && self.containers.is_empty() && goes_on;
        self.containers.push(Container::List { next, numbered });
    }

    fn begin_item(&mut self, start: usize) {
        let marker = match self.containers.last_mut() {
            Some(Container::List { next: Some(next), .. }) => {
                let marker = format!("{next}. ");
                *next = next.saturating_add(1);
                marker
            }
            Some(Container::List { next: None, .. } | Container::Quote | Container::Marked { .. }) | None => {
                "- ".to_string()
            }
        };
        self.containers.push(Container::Marked { marker, used: false, kind: FragmentKind::ListItem, start });
    }

    fn end_implicit(&mut self) {
        if self.leaf.as_ref().is_some_and(|leaf| leaf.implicit) {
            self.end_leaf();
        }
    }

    fn end_leaf(&mut self) {
        let Some(mut leaf) = self.leaf.take() else { return };
        let anchors = std::mem::take(&mut leaf.collector.anchors);
        let (written, rendered) = leaf.collector.finish();
        if std::mem::take(&mut self.unnamed) && is_title(&written.text, &self.text[leaf.range.clone()]) {
            self.outline.name_paragraph(written.text);
            return self.outline.add_anchors(anchors);
        }
        if !written.text.is_empty() {
            self.add(leaf.kind, leaf.mark, written, leaf.range);
            self.outline.add_inner_headings(rendered);
            self.outline.add_anchors(anchors);
        } else if self.containers.is_empty() && anchors.iter().any(|anchor| anchor.deliberate) {
            self.outline.wait_with(anchors, leaf.range.start);
        } else {
            self.outline.add_anchors(anchors);
        }
    }

    fn end_heading(&mut self) {
        let Some(mut heading) = self.heading.take() else { return };
        let anchors = std::mem::take(&mut heading.collector.anchors);
        let (title, rendered) = heading.collector.finish();
        self.outline.open_heading(Heading {
            level: heading.level as u8,
            id: heading.id,
            anchors,
            title: title.text,
            rendered: rendered.unwrap_or_default(),
            start: heading.start,
            range: heading.range,
        });
    }

    fn end_code(&mut self) {
        if let Some(raw) = self.code.take() {
            self.add(raw.kind, "", code(&raw.pieces), raw.range);
        }
    }

    fn end_marked(&mut self, range: Range<usize>) {
        self.end_implicit();
        if let Some(Container::Marked { used: false, kind, .. }) = self.containers.last() {
            self.add(*kind, "", Written::default(), range);
        }
        self.outline.end_items_from(self.containers.len());
        self.containers.pop();
    }

    /// The parser drops the cells of a row that has more than the head; a reader of the source does not.
    fn keep_excess_cells(&mut self) {
        let Some(leaf) = &mut self.leaf else { return };
        let Some(end) = leaf.cell_end else { return };
        let rest = self.text.get(end..leaf.range.end).unwrap_or_default();
        let excess = rest.trim_matches(|c: char| c == '|' || c.is_whitespace());
        if !excess.is_empty() {
            let at = end + rest.find(excess).unwrap_or(0);
            leaf.collector.next_cell(end);
            leaf.collector.literal(excess, at);
        }
    }

    fn text_kind(&self) -> FragmentKind {
        match self.containers.last() {
            Some(Container::Quote) => FragmentKind::Quote,
            Some(Container::Marked { kind: FragmentKind::Footnote, .. }) => FragmentKind::Footnote,
            Some(Container::Marked { kind, used: false, .. }) => *kind,
            Some(Container::Marked { used: true, .. } | Container::List { .. }) | None => FragmentKind::Paragraph,
        }
    }

    fn add(&mut self, kind: FragmentKind, mark: &str, written: Written, range: Range<usize>) {
        let context = self.context() + mark;
        let range = trimmed(self.text, range);
        let span = Span::new(self.source, range.start, range.end);
        let Written { text, map, inlines, strong } = written;
        self.outline.add(Fragment { kind, context, text, inlines, strong, span, line: 0, map });
    }

    /// Where the next block stands; the markers that it shows are used up.
    fn context(&mut self) -> String {
        let hidden = self.outline.hidden_depth();
        let mut context = String::new();
        for container in self.containers.iter().skip(hidden) {
            match container {
                Container::Quote => context.push_str("> "),
                Container::List { .. } => {}
                Container::Marked { marker, used: false, .. } => context.push_str(marker),
                Container::Marked { used: true, .. } => context.push_str("  "),
            }
        }
        self.use_markers(self.containers.len());
        context
    }

    fn use_markers(&mut self, depth: usize) {
        for container in self.containers.iter_mut().take(depth) {
            if let Container::Marked { used, .. } = container {
                *used = true;
            }
        }
    }
}

fn is_block(tag: &TagEnd) -> bool {
    !matches!(
        tag,
        TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Link
            | TagEnd::Image
            | TagEnd::Superscript
            | TagEnd::Subscript
    )
}

/// Whether the text after a paragraph's number is its title: one short line that is no sentence.
fn is_title(text: &str, source: &str) -> bool {
    const LONGEST: usize = 80;
    let is_sentence = text.ends_with(['.', ';', ':', ',', '?', '!', '。', '；', '：', '、']);
    !text.is_empty() && !is_sentence && text.chars().count() <= LONGEST && !source.trim().contains('\n')
}

/// The HTML in which white space means something.
fn keeps_line_ends(html: &str) -> bool {
    ["<pre", "<script", "<style", "<textarea"]
        .iter()
        .any(|tag| html.trim_start().get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag)))
}

fn alert_word(kind: BlockQuoteKind) -> &'static str {
    match kind {
        BlockQuoteKind::Note => "NOTE",
        BlockQuoteKind::Tip => "TIP",
        BlockQuoteKind::Important => "IMPORTANT",
        BlockQuoteKind::Warning => "WARNING",
        BlockQuoteKind::Caution => "CAUTION",
    }
}

fn heading_mark(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 => "# ",
        HeadingLevel::H2 => "## ",
        HeadingLevel::H3 => "### ",
        HeadingLevel::H4 => "#### ",
        HeadingLevel::H5 => "##### ",
        HeadingLevel::H6 => "###### ",
    }
}

/// The range without white space at its ends, inside the text and on character boundaries.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let start = text.floor_char_boundary(range.start);
    let end = text.floor_char_boundary(range.end).max(start);
    let inside = &text[start..end];
    let start = start + (inside.len() - inside.trim_start().len());
    start..start + inside.trim().len()
}
