//! YAML text to a tree of nodes with their exact places. The only file that knows the parser of case files, but for the
//! kinds of its errors, of which `syntax.rs` tells.
//! Aliases stay aliases (`expand.rs` follows them), and nothing is typed: a scalar is its text.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, StructureStyle};

use super::syntax::{self, Stop, SyntaxError};

/// Collections nested deeper than this are an error: deeper than any file a person reads, and little enough that
/// every walk over a tree may recurse.
pub(super) const MAX_DEPTH: usize = 64;

/// Comments between two entries that the parser holds back at most; its own limit of 96 refuses real files.
const MAX_BUFFERED_COMMENTS: usize = 1_000_000;

/// A node of one [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

/// All documents of one text.
#[derive(Debug, Default)]
pub(super) struct Tree<'s> {
    /// In the order in which they start.
    nodes: Vec<Node<'s>>,
    pub(super) documents: Vec<Document>,
    /// Each from its `#` to the end of its line; only if they were asked for.
    pub(super) comments: Vec<Range<usize>>,
    pub(super) errors: Vec<SyntaxError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Document {
    pub(super) root: NodeId,
    /// Whether a `---` opens it.
    pub(super) explicit: bool,
}

#[derive(Debug)]
pub(super) struct Node<'s> {
    /// Without anchor and tag; a block scalar with its header and without the line break at its end. Empty where
    /// the node has no text.
    pub(super) range: Range<usize>,
    pub(super) anchored: bool,
    pub(super) tag: Option<Box<str>>,
    pub(super) kind: Kind<'s>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind<'s> {
    Scalar(Scalar<'s>),
    Sequence {
        items: Vec<NodeId>,
        flow: bool,
    },
    Mapping {
        entries: Vec<(NodeId, NodeId)>,
        flow: bool,
    },
    /// `None` where no anchor of that name stands before it; that is among the errors too.
    Alias(Option<NodeId>),
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Scalar<'s> {
    /// Decoded: quotes, escapes, folding and indentation are gone.
    pub(super) text: Cow<'s, str>,
    pub(super) style: Style,
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Not at all, as the value of `key:`.
    Absent,
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comments {
    Keep,
    Skip,
}

/// Reads all documents. A document with an error is left out, and reading goes on at the next `---`.
pub(super) fn read(text: &str, comments: Comments) -> Tree<'_> {
    let mut options = granit_parser::options! {
        emit_unresolved_aliases: true,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
        max_buffered_comment_events: MAX_BUFFERED_COMMENTS,
    };
    options.set_emit_comments(comments == Comments::Keep);
    let mut parser = Parser::new_from_str_with_options(text, options);
    let mut builder = Builder::new(text);
    loop {
        let failure = match parser.next_event() {
            None => break,
            Some(Ok((event, span))) => match builder.add(event, span.byte_range().unwrap_or(0..0)) {
                Ok(()) => continue,
                Err(error) => error,
            },
            Some(Err(error)) => builder.syntax_error(&error),
        };
        builder.abandon_document(failure);
        match parser.proceed_next_document() {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                let error = builder.syntax_error(&error);
                builder.tree.errors.push(error);
                break;
            }
        }
    }
    builder.tree
}

impl NodeId {
    /// Its place in [`Tree::nodes`].
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl<'s> Tree<'s> {
    pub(super) fn get(&self, id: NodeId) -> &Node<'s> {
        &self.nodes[id.index()]
    }

    /// All nodes of all documents, in the order in which they start.
    pub(super) fn nodes(&self) -> &[Node<'s>] {
        &self.nodes
    }

    /// The same with their ids.
    pub(super) fn ids(&self) -> impl Iterator<Item = (NodeId, &Node<'s>)> {
        (0..).map(NodeId).zip(&self.nodes)
    }

    /// The node, or what it stands for if it is an alias.
    pub(super) fn target(&self, id: NodeId) -> &Node<'s> {
        let node = self.get(id);
        match node.kind {
            Kind::Alias(Some(target)) => self.get(target),
            Kind::Alias(None) | Kind::Scalar(_) | Kind::Sequence { .. } | Kind::Mapping { .. } => node,
        }
    }

    /// The text of a key, through an alias.
    pub(super) fn key(&self, id: NodeId) -> Option<&str> {
        match &self.target(id).kind {
            Kind::Scalar(scalar) => Some(&scalar.text),
            Kind::Sequence { .. } | Kind::Mapping { .. } | Kind::Alias(_) => None,
        }
    }

    pub(super) fn scalar(&self, id: NodeId) -> Option<&Scalar<'s>> {
        match &self.get(id).kind {
            Kind::Scalar(scalar) => Some(scalar),
            Kind::Sequence { .. } | Kind::Mapping { .. } | Kind::Alias(_) => None,
        }
    }
}

impl Scalar<'_> {
    /// Whether it stands for no value.
    pub(super) fn is_null(&self) -> bool {
        match self.style {
            Style::Absent => true,
            Style::Plain => matches!(&*self.text, "~" | "null" | "Null" | "NULL"),
            Style::SingleQuoted | Style::DoubleQuoted | Style::Literal | Style::Folded => false,
        }
    }
}

/// Turns the parser's events into nodes.
struct Builder<'s> {
    text: &'s str,
    tree: Tree<'s>,
    open: Vec<Open>,
    anchors: HashMap<usize, NodeId>,
    /// Where the last node's text ended: between there and a block scalar's text stands its header.
    end: usize,
    /// How many nodes stood before this document.
    kept: usize,
    explicit: bool,
}

/// A collection that has not ended.
struct Open {
    node: NodeId,
    /// The key that waits for its value.
    key: Option<NodeId>,
}

impl<'s> Builder<'s> {
    fn new(text: &'s str) -> Self {
        let (tree, open, anchors) = (Tree::default(), Vec::new(), HashMap::new());
        Self { text, tree, open, anchors, end: 0, kept: 0, explicit: false }
    }

    fn add(&mut self, event: Event<'s>, range: Range<usize>) -> Result<(), SyntaxError> {
        let tag_of = |tag: Option<Cow<'s, granit_parser::Tag>>| tag.map(|tag| tag.original().into_boxed_str());
        match event {
            Event::StreamStart | Event::StreamEnd | Event::Anchor(..) => {}
            Event::DocumentStart(explicit, _) => {
                self.explicit = explicit;
                self.anchors.clear();
                self.end = self.end.max(range.end);
            }
            Event::DocumentEnd => self.kept = self.tree.nodes.len(),
            Event::Comment(..) => self.tree.comments.push(range),
            Event::Scalar(text, style, anchor, tag) => {
                let (scalar, range) = self.scalar(text, style, range);
                self.push(Kind::Scalar(scalar), range, anchor, tag_of(tag));
            }
            Event::SequenceStart(style, anchor, tag) => {
                let kind = Kind::Sequence { items: Vec::new(), flow: style == StructureStyle::Flow };
                self.open(kind, range, anchor, tag_of(tag))?;
            }
            Event::MappingStart(style, anchor, tag) => {
                let kind = Kind::Mapping { entries: Vec::new(), flow: style == StructureStyle::Flow };
                self.open(kind, range, anchor, tag_of(tag))?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(range),
            Event::Alias(anchor) => {
                let target = self.anchors.get(&anchor).copied();
                self.push(Kind::Alias(target), range, 0, None);
            }
            Event::UnresolvedAlias(name) => {
                let message = format!(
                    "unknown anchor `{name}`: no `&{name}` stands before this in the document; put the value in quotes if it is text"
                );
                self.tree.errors.push(SyntaxError { message, range: range.clone() });
                self.push(Kind::Alias(None), range, 0, None);
            }
            // The enum may grow; what we do not know is no node of a tree that we understand.
            _ => return Err(SyntaxError { message: "YAML feature that is not supported".into(), range }),
        }
        Ok(())
    }

    fn scalar(&self, text: Cow<'s, str>, style: ScalarStyle, range: Range<usize>) -> (Scalar<'s>, Range<usize>) {
        let style = match style {
            ScalarStyle::Plain if range.is_empty() => {
                return (Scalar { text: Cow::Borrowed(""), style: Style::Absent }, range);
            }
            ScalarStyle::Plain => Style::Plain,
            ScalarStyle::SingleQuoted => Style::SingleQuoted,
            ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
            ScalarStyle::Literal => Style::Literal,
            ScalarStyle::Folded => Style::Folded,
        };
        let range = match style {
            Style::Literal | Style::Folded => self.block_scalar(range),
            Style::Absent | Style::Plain | Style::SingleQuoted | Style::DoubleQuoted => range,
        };
        (Scalar { text, style }, range)
    }

    /// The parser's range starts behind the header and ends behind the next line's indentation.
    fn block_scalar(&self, range: Range<usize>) -> Range<usize> {
        // Between the last node's end and the text.
        let Some(header) = word_starting(self.text, self.end..range.start, &['|', '>']) else { return range };
        let mut end = range.end.max(header);
        while let Some(at) = self.text[header..end].rfind(['\n', '\r']) {
            if !self.text[header + at..end].trim_matches([' ', '\t', '\n', '\r']).is_empty() {
                break;
            }
            end = header + at;
        }
        header..end
    }

    fn open(
        &mut self,
        kind: Kind<'s>,
        range: Range<usize>,
        anchor: usize,
        tag: Option<Box<str>>,
    ) -> Result<(), SyntaxError> {
        if self.open.len() == MAX_DEPTH {
            return Err(SyntaxError { message: syntax::too_deep(), range });
        }
        let node = self.push(kind, range, anchor, tag);
        self.open.push(Open { node, key: None });
        Ok(())
    }

    fn close(&mut self, range: Range<usize>) {
        let Some(open) = self.open.pop() else { return };
        // In block style the end event stands somewhere behind; the last child's end is the end.
        let flow = match &self.tree.get(open.node).kind {
            Kind::Sequence { flow, .. } | Kind::Mapping { flow, .. } => *flow,
            Kind::Scalar(_) | Kind::Alias(_) => false,
        };
        if flow {
            self.end = self.end.max(range.end);
        }
        let node = &mut self.tree.nodes[open.node.index()];
        node.range.end = self.end.max(node.range.start);
    }

    fn push(&mut self, kind: Kind<'s>, range: Range<usize>, anchor: usize, tag: Option<Box<str>>) -> NodeId {
        let id = NodeId(u32::try_from(self.tree.nodes.len()).expect("a text has fewer than 2^32 nodes"));
        self.end = self.end.max(range.end);
        self.tree.nodes.push(Node { range, anchored: anchor != 0, tag, kind });
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        let Some(parent) = self.open.last_mut() else {
            self.tree.documents.push(Document { root: id, explicit: self.explicit });
            return id;
        };
        match &mut self.tree.nodes[parent.node.index()].kind {
            Kind::Sequence { items, .. } => items.push(id),
            Kind::Mapping { entries, .. } => match parent.key.take() {
                None => parent.key = Some(id),
                Some(key) => entries.push((key, id)),
            },
            Kind::Scalar(_) | Kind::Alias(_) => {}
        }
        id
    }

    /// Forgets what was read of the document: half a case is no case.
    fn abandon_document(&mut self, error: SyntaxError) {
        self.tree.nodes.truncate(self.kept);
        let kept = self.kept;
        self.tree.documents.retain(|document| document.root.index() < kept);
        self.open.clear();
        self.anchors.clear();
        self.tree.errors.push(error);
    }

    /// An error of the parser, which stopped where this has come to.
    fn syntax_error(&self, error: &ScanError) -> SyntaxError {
        let mut at = error.marker().byte_offset().unwrap_or(0).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let bracket = self.open.last().map(|open| self.tree.get(open.node)).filter(|node| match &node.kind {
            Kind::Sequence { flow, .. } | Kind::Mapping { flow, .. } => *flow,
            Kind::Scalar(_) | Kind::Alias(_) => false,
        });
        let bracket = bracket.map(|node| node.range.start);
        syntax::told(error.kind(), Stop { text: self.text, at, read: self.end, bracket })
    }
}

/// The first word in `range` that starts with one of `marks`, comments aside.
pub(super) fn word_starting(text: &str, range: Range<usize>, marks: &[char]) -> Option<usize> {
    let (mut start_of_word, mut comment) = (true, false);
    for (at, character) in text.get(range.clone())?.char_indices() {
        match character {
            '\n' | '\r' => (start_of_word, comment) = (true, false),
            _ if comment => {}
            ' ' | '\t' => start_of_word = true,
            '#' if start_of_word => comment = true,
            mark if start_of_word && marks.contains(&mark) => return Some(range.start + at),
            _ => start_of_word = false,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares each scalar of `text`, as `source=decoded`, with `expected`.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let tree = read(text, Comments::Skip);
        let scalars: Vec<String> = tree
            .nodes()
            .iter()
            .filter_map(|node| match &node.kind {
                Kind::Scalar(scalar) => Some(format!("{}={}", &text[node.range.clone()], scalar.text)),
                Kind::Alias(_) => Some(text[node.range.clone()].to_owned()),
                Kind::Sequence { .. } | Kind::Mapping { .. } => None,
            })
            .collect();
        assert_eq!(scalars, expected, "{text:?}");
    }

    #[test]
    fn block_scalars_have_their_header_and_no_last_line_break() {
        check("a: |\nb: x\n", &["a=a", "|=", "b=b", "x=x"]);
        check("a: |\n\n\n  x\n\n\nb: y\n", &["a=a", "|\n\n\n  x=\n\nx\n", "b=b", "y=y"]);
        check("a: >-\n  x\n  y\n# c\nb: 1\n", &["a=a", ">-\n  x\n  y=x y", "b=b", "1=1"]);
        check("a: |+\n\n\nb: x", &["a=a", "|+=\n\n", "b=b", "x=x"]);
        check("- |\n a\n- >\n b\n", &["|\n a=a\n", ">\n b=b\n"]);
        check("a: # | x\n  | # c\n  y", &["a=a", "| # c\n  y=y\n"]);
        check("a: &x !!str |2\n    y\n  z\n", &["a=a", "|2\n    y\n  z=  y\nz\n"]);
        check("a: |\r\n  l1\r\n  l2\r\nb: 1\r\n", &["a=a", "|\r\n  l1\r\n  l2=l1\nl2\n", "b=b", "1=1"]);
        check("? |\n  k\n: v\n", &["|\n  k=k\n", "v=v"]);
    }

    #[test]
    fn other_scalars_have_their_quotes_and_nothing_else() {
        check("", &[]);
        check("a: 'x' \nb: \"y\" # c\nc:\nd: ''", &["a=a", "'x'=x", "b=b", "\"y\"=y", "c=c", "=", "d=d", "''="]);
        check("{a: &x !!str 5.10 , b: *x}", &["a=a", "5.10=5.10", "b=b", "*x"]);
        check("\u{feff}a:\tb\rc: é", &["a=a", "b=b", "c=c", "é=é"]);
        check("a: x\n  y\n", &["a=a", "x\n  y=x y"]);
    }

    #[test]
    fn collections_reach_to_their_last_text() {
        let text = "- k: v\n  w: [1, 2 ] # c\n\n-\n  a:\n    - b\n";
        let tree = read(text, Comments::Skip);
        let collections = tree.nodes().iter().filter(|node| !matches!(node.kind, Kind::Scalar(_)));
        let sources: Vec<&str> = collections.map(|node| &text[node.range.clone()]).collect();
        let expected = [text.trim_end(), "k: v\n  w: [1, 2 ]", "[1, 2 ]", "a:\n    - b", "- b"];
        assert_eq!(sources, expected);
    }

    #[test]
    fn comments_have_their_places() {
        let many = "# c\n".repeat(500);
        let text = format!("a: # x é\n{many}  - b # y\n");
        let tree = read(&text, Comments::Keep);
        assert_eq!(tree.errors, []);
        let comments: Vec<&str> = tree.comments.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!((comments.len(), comments[0], comments[501]), (502, "# x é", "# y"));
    }

    #[test]
    fn errors_have_places_and_words() {
        let check = |text: &str, expected: &str| {
            let tree = read(text, Comments::Skip);
            let shown: Vec<String> =
                tree.errors.iter().map(|error| format!("{} @{}", error.message, error.range.start)).collect();
            assert_eq!(shown.join("; "), expected, "{text:?}");
        };
        check("a: 'x\n", "unclosed quote; close it where the text ends @3");
        let unknown = "unknown anchor `a`: no `&a` stands before this in the document";
        check("[*a]", &format!("{unknown}; put the value in quotes if it is text @1"));
        check(&"[".repeat(100), "nested deeper than 64 levels @64");
        check(&"[".repeat(64), "unclosed bracket `[`; close it with `]` @63");
    }
}
