//! The manual: Markdown text to a tree of sections and fragments, their ids, and how a citation finds one.
//! A text goes in, a tree comes out; no files are read here and parsing never fails.
//!
//! - From text to sections: `parse.rs` begins, `blocks.rs` walks the parser's events, `inline.rs` and `canonical.rs` make
//!   text of what is in a block, `outline.rs` opens and ends sections; `clause.rs`, `numbered.rs`, `footnote.rs` and
//!   `html.rs` know what is special, `slips.rs` what breaks a text by mistake.
//! - Their names: `ids.rs`, with the numbers of `number.rs` and the anchors of `slug.rs`; `fingerprint.rs` hashes them.
//! - From a citation to a section: `resolve.rs`, for addresses with `published.rs`; `nearest.rs` has what may have been
//!   meant. `recite.rs` writes citations of a section, `fragile.rs` tells which may break, and `names.rs` whether a
//!   text that was not parsed may hold a name.

mod blocks;
mod canonical;
mod clause;
mod fingerprint;
mod footnote;
mod fragile;
mod html;
mod ids;
mod inline;
#[cfg(any(test, fuzzing))]
pub(crate) mod invariants;
mod names;
mod nearest;
mod number;
mod numbered;
mod outline;
mod parse;
mod published;
mod recite;
mod resolve;
mod slips;
mod slug;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use unicode_normalization::char::is_combining_mark;

use crate::source::{RepoPath, SourceId, Span};

pub(crate) use canonical::{fold, is_written_without_spaces};
pub(crate) use fingerprint::Fingerprint;
pub(crate) use fragile::Fragility;
pub(crate) use names::Names;
pub(crate) use number::numbering_stem;
pub(crate) use parse::parse;
pub(crate) use resolve::{Index, Resolution, Target, heading_key};

/// How the text of a manual is read (configuration key `sections`).
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Patterns with a group `id`: a block whose first line starts with one is a clause.
    pub(crate) id_patterns: Vec<regex::Regex>,
    /// Whether paragraphs that start with a number open sections in a text without headings.
    pub(crate) numbered_paragraphs: bool,
}

/// All manual files of one revision, sorted by path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manual {
    pub(crate) documents: Vec<Arc<Document>>,
}

/// One manual file.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) source: SourceId,
    pub(crate) path: RepoPath,
    /// In document order; a parent stands before its children.
    pub(crate) sections: Vec<Section>,
}

/// Where a section stands in a [`Manual`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SectionRef {
    pub(crate) document: usize,
    pub(crate) section: usize,
}

/// The id of a section, unique in its file: explicit, or the slugs of the headings above it joined by `/`.
/// Empty for a preamble.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SectionId(pub(crate) String);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SectionKind {
    /// The text before the first heading or clause; only where there is some.
    Preamble,
    Heading,
    /// A block that an id pattern made citeable.
    Clause,
    /// A numbered paragraph.
    Paragraph,
}

/// A heading with its own body (up to the next heading of any level), or a clause.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) kind: SectionKind,
    pub(crate) id: SectionId,
    /// Whether the id was written by an author.
    pub(crate) explicit: bool,
    /// The slugs of the section and its ancestors joined by `/`, whatever its explicit id is. Unique in its file.
    pub(crate) path: String,
    /// The automatic number as it is shown: `5.2`, `B`, `§ 5`, `Appendix B`; not part of the title.
    pub(crate) number: Option<String>,
    /// The heading's canonical words without its number, link targets and tags; a heading that is only a number keeps
    /// it here too. For a clause its id; for a numbered paragraph without a title its number.
    pub(crate) title: String,
    /// 0 for a preamble, 1 to 6 for headings, one more than the section it stands in for a clause or a numbered paragraph.
    pub(crate) level: u8,
    /// Index of the enclosing section in the document.
    pub(crate) parent: Option<usize>,
    /// Every fragment identifier that a browser would accept: GitHub's for the heading, `<a id>`, explicit ids.
    pub(crate) anchors: Vec<String>,
    /// The heading's source lines or the clause's marker; empty at the start of the text for a preamble.
    pub(crate) heading: Span,
    /// Line of `heading` from 1.
    pub(crate) line: usize,
    /// Heading (with an id's line before it) and own body, up to where the next section of any kind starts.
    pub(crate) extent: Span,
    /// The blocks of the own body.
    pub(crate) fragments: Vec<Fragment>,
    /// Fingerprint of the canonical form of the own body (fragments in order, no title).
    pub(crate) own: Fingerprint,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FragmentKind {
    Paragraph,
    ListItem,
    /// A table's header row.
    TableHead,
    TableRow,
    Code,
    Quote,
    Html,
    Rule,
    Footnote,
    /// A heading inside a quote or list item, or a whole text that could not be parsed.
    Other,
}

/// One block of a section's own body.
///
/// A list item's fragment is its first paragraph; further blocks in it are fragments of their own with a deeper
/// [`context`](Fragment::context). The same holds for quotes.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) kind: FragmentKind,
    /// Where the block stands, in canonical spelling: `- `, `> `, `2. `, nested ones joined, list markers only on the
    /// item's first block. Equal context and text means: reads the same.
    pub(crate) context: String,
    /// The canonical text: what a reader reads.
    pub(crate) text: String,
    /// Parts of `text` that are not plain prose, in order, not overlapping.
    pub(crate) inlines: Vec<Inline>,
    /// Parts of `text` that are printed bold, as the labels of a screen are. No reader takes the text for another one by it.
    pub(crate) strong: Vec<Range<usize>>,
    /// The block in the source. Not on its own lines where a paragraph continues after a clause's marker.
    pub(crate) span: Span,
    /// Line of `span`'s start, from 1.
    pub(crate) line: usize,
    /// `(offset in text, offset in source)` where runs of unchanged bytes start, ascending in both.
    pub(crate) map: Vec<(u32, u32)>,
}

/// A part of a fragment's text with a meaning of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inline {
    pub(crate) kind: InlineKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum InlineKind {
    /// Code, without its backticks.
    Code,
    /// A link's or an image's target, without the parentheses.
    Target,
    /// The label of a link.
    Label,
    /// Raw HTML: a tag.
    Html,
    Strikethrough,
}

/// What is wrong with a manual file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// Two sections of one file carry the same explicit id.
    DuplicateId { id: String, first: Span, second: Span },
    /// The Markdown was not parsed; the file counts as one preamble.
    Unreadable { span: Span, why: &'static str },
    /// A merge that was not finished: the lines that open and close the conflict.
    Unmerged { first: Span, second: Span },
    /// A fence that is never closed, and the headings that are code for it, as they are typed.
    OpenFence { span: Span, headings: Vec<String> },
}

impl Manual {
    pub(crate) fn section(&self, at: SectionRef) -> &Section {
        &self.documents[at.document].sections[at.section]
    }

    pub(crate) fn document(&self, at: SectionRef) -> &Document {
        &self.documents[at.document]
    }

    /// Every section of every file, in order.
    pub(crate) fn sections(&self) -> impl Iterator<Item = (SectionRef, &Section)> {
        self.documents.iter().enumerate().flat_map(|(document, file)| {
            file.sections.iter().enumerate().map(move |(section, it)| (SectionRef { document, section }, it))
        })
    }

    /// A section and those that it stands in, up to the outermost.
    pub(crate) fn lineage(&self, at: SectionRef) -> impl Iterator<Item = SectionRef> {
        std::iter::successors(Some(at), |at| self.parent(*at))
    }

    pub(crate) fn parent(&self, at: SectionRef) -> Option<SectionRef> {
        self.section(at).parent.map(|section| SectionRef { section, ..at })
    }
}

impl Section {
    /// Whether the section says something by itself that can be cited and tested: it has text of its own that is more than
    /// a table of contents, a list of nothing but links to other places of the manual.
    pub(crate) fn says_something(&self) -> bool {
        self.fragments.iter().any(|fragment| fragment.kind != FragmentKind::Rule && !fragment.is_pointer())
    }
}

impl Document {
    /// The section and everything below it, in document order.
    pub(crate) fn subtree(&self, root: usize) -> impl Iterator<Item = usize> {
        let inside = move |mut at: usize| loop {
            if at == root {
                return true;
            }
            match self.sections[at].parent {
                Some(parent) if parent >= root => at = parent,
                _ => return false,
            }
        };
        (root..self.sections.len()).take_while(move |at| inside(*at))
    }
}

impl Fragment {
    /// Whether it is a list item that is a link into the manual, and nothing else.
    fn is_pointer(&self) -> bool {
        let is_inside = |target: &str| !target.contains("://") && !target.starts_with("mailto:");
        let mut rest = 0;
        let mut targets = 0;
        for inline in &self.inlines {
            let is_between = |text: &str| !text.contains(char::is_alphanumeric);
            let text = &self.text[inline.start..inline.end];
            let is_part = match inline.kind {
                InlineKind::Target => is_inside(text),
                InlineKind::Label | InlineKind::Code | InlineKind::Html | InlineKind::Strikethrough => true,
            };
            if !is_part || (inline.start > rest && !is_between(&self.text[rest..inline.start])) {
                return false;
            }
            targets += usize::from(inline.kind == InlineKind::Target);
            rest = rest.max(inline.end);
        }
        self.kind == FragmentKind::ListItem && targets > 0 && !self.text[rest..].contains(char::is_alphanumeric)
    }

    /// Whether it is an item of a numbered list, whose order means something.
    pub(crate) fn is_step(&self) -> bool {
        self.kind == FragmentKind::ListItem && self.context.trim_end().ends_with('.')
    }

    /// The source offset of an offset in the canonical text.
    pub(crate) fn source_offset(&self, offset: usize) -> usize {
        let at = self.map.partition_point(|(text, _)| *text as usize <= offset);
        let Some((text, source)) = at.checked_sub(1).map(|at| self.map[at]) else { return self.span.start };
        // The text may be longer than its source: of a tab, spaces are left that all stand where it stood.
        let next = self.map.get(at).map(|(_, next)| *next as usize).filter(|next| *next >= source as usize);
        (source as usize + offset - text as usize).min(next.unwrap_or(self.span.end)).min(self.span.end)
    }

    /// Where a part of the canonical text stands in the text that was read, its last character with the accents on it.
    pub(crate) fn source_range(&self, source: &str, (start, end): (usize, usize)) -> Range<usize> {
        let from = self.source_offset(start);
        let last = self.text[start..end].char_indices().next_back().map(|(at, _)| self.source_offset(start + at));
        let Some(last) = last else { return from..from };
        let mut rest = source[last..self.span.end.max(last)].chars();
        let width = rest.next().map_or(0, char::len_utf8);
        let accents: usize = rest.take_while(|it| is_combining_mark(*it)).map(char::len_utf8).sum();
        from..(last + width + accents).max(from)
    }
}
