//! Where sections start and end while a text is read: the stack of headings and clauses, and the ids that wait for a
//! heading. Knows drafts of sections only, not the parser's events.

use std::ops::Range;

use super::footnote;
use super::inline::Anchor;
use super::numbered::Nesting;
use super::{Fragment, SectionKind};

/// A section before its id is known.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) kind: SectionKind,
    pub(super) level: u8,
    pub(super) parent: Option<usize>,
    /// Ids that the author gave, the strongest first.
    pub(super) ids: Vec<String>,
    /// Other names of places in the section.
    pub(super) anchors: Vec<String>,
    /// The rendered texts of headings in quotes and list items of the body, which take up anchors too.
    pub(super) inner_headings: Vec<String>,
    /// For a numbered paragraph its number; those of headings are still part of the title.
    pub(super) number: Option<String>,
    /// The heading's canonical text; for a clause its id.
    pub(super) title: String,
    /// The heading's rendered text.
    pub(super) rendered: String,
    pub(super) heading: Range<usize>,
    /// Where the section starts: at its heading, or at the marker before it.
    pub(super) start: usize,
    pub(super) fragments: Vec<Fragment>,
}

/// The sections so far, and which of them are open.
#[derive(Debug)]
pub(super) struct Outline {
    drafts: Vec<Draft>,
    /// Where the text starts, after front matter.
    body: usize,
    /// Open headings, outermost first.
    headings: Vec<usize>,
    /// The clause that runs to the next clause or heading.
    clause: Option<usize>,
    /// Clauses that are list items, outermost first, with the depth of their item.
    items: Vec<(usize, usize)>,
    /// Numbers of the open paragraphs, in a text that has those instead of headings.
    nesting: Nesting,
    /// The depth of the list item that opened the current numbered paragraph, while it lasts.
    numbered_item: usize,
    /// Anchors on lines of their own: the next heading's, if nothing visible comes before it.
    waiting: Vec<Anchor>,
    waiting_start: usize,
}

/// A heading as it was read.
#[derive(Debug)]
pub(super) struct Heading {
    pub(super) level: u8,
    /// From `{#id}`, or from an id pattern.
    pub(super) id: Option<String>,
    pub(super) anchors: Vec<Anchor>,
    pub(super) title: String,
    pub(super) rendered: String,
    /// Where it starts with an id's line before it.
    pub(super) start: usize,
    pub(super) range: Range<usize>,
}

impl Outline {
    pub(super) fn new(body: usize) -> Self {
        Self {
            drafts: Vec::new(),
            body,
            headings: Vec::new(),
            clause: None,
            items: Vec::new(),
            nesting: Nesting::default(),
            numbered_item: 0,
            waiting: Vec::new(),
            waiting_start: body,
        }
    }

    pub(super) fn open_heading(&mut self, heading: Heading) {
        let mut ids: Vec<String> = heading.id.into_iter().collect();
        let mut start = heading.start;
        if let Some(marker) = self.take_marker_before_heading() {
            ids.push(marker.title);
            start = marker.start;
        }
        if !self.waiting.is_empty() {
            start = start.min(self.waiting_start);
        }
        let mut anchors = Vec::new();
        for anchor in heading.anchors.into_iter().chain(std::mem::take(&mut self.waiting)) {
            if anchor.deliberate { ids.push(anchor.id) } else { anchors.push(anchor.id) }
        }
        while self.headings.last().is_some_and(|open| self.drafts[*open].level >= heading.level) {
            self.headings.pop();
        }
        self.clause = None;
        self.items.clear();
        let parent = self.headings.last().copied();
        self.headings.push(self.drafts.len());
        self.drafts.push(Draft {
            ids,
            anchors,
            title: heading.title,
            rendered: heading.rendered,
            start,
            ..Draft::new(SectionKind::Heading, heading.level, parent, heading.range)
        });
    }

    /// Opens a clause; `item` is the depth of the list item that it is.
    pub(super) fn open_clause(&mut self, id: String, marker: Range<usize>, item: Option<usize>) {
        if let Some(depth) = item {
            self.end_items_from(depth);
            if self.items.is_empty() && self.headings.is_empty() {
                self.preamble();
            }
        }
        self.clause = None;
        let outer = self.items.last().map(|(section, _)| *section);
        let parent = outer.or(self.headings.last().copied()).or_else(|| self.existing_preamble());
        let level = parent.map_or(0, |parent| self.drafts[parent].level).saturating_add(1);
        let section = self.drafts.len();
        match item {
            Some(depth) => self.items.push((section, depth)),
            None => self.clause = Some(section),
        }
        self.drafts.push(Draft {
            ids: vec![id.clone()],
            title: id,
            ..Draft::new(SectionKind::Clause, level, parent, marker)
        });
        self.settle_waiting(section);
    }

    /// Opens a numbered paragraph; `item` is the depth of the list item that it is, or 0.
    pub(super) fn open_paragraph(&mut self, number: String, marker: Range<usize>, item: usize) {
        self.headings.truncate(self.nesting.open(&number));
        self.clause = None;
        self.items.clear();
        self.numbered_item = item;
        let parent = self.headings.last().copied();
        let level = parent.map_or(0, |parent| self.drafts[parent].level).saturating_add(1);
        let section = self.drafts.len();
        self.headings.push(section);
        self.drafts.push(Draft {
            title: number.clone(),
            number: Some(number),
            ..Draft::new(SectionKind::Paragraph, level, parent, marker)
        });
        self.settle_waiting(section);
    }

    /// Whether a list starting with this number consists of numbered paragraphs.
    pub(super) fn expects(&self, number: u64) -> bool {
        self.nesting.expects(number)
    }

    /// What follows the number turned out to be a title.
    pub(super) fn name_paragraph(&mut self, title: String) {
        if let Some(last) = self.drafts.last_mut() {
            last.title = title;
        }
    }

    /// A list item at this depth ends, and with it the clause that it is.
    pub(super) fn end_items_from(&mut self, depth: usize) {
        while self.items.last().is_some_and(|(_, open)| *open >= depth) {
            self.items.pop();
        }
        if self.numbered_item >= depth {
            self.numbered_item = 0;
        }
    }

    /// How many containers around the text belong to the clause's item, not to its text.
    pub(super) fn hidden_depth(&self) -> usize {
        self.items.last().map_or(self.numbered_item, |(_, depth)| *depth)
    }

    pub(super) fn add(&mut self, fragment: Fragment) {
        let current = self.current();
        self.settle_waiting(current);
        self.drafts[current].fragments.push(fragment);
    }

    /// Names of places in the text just read.
    pub(super) fn add_anchors(&mut self, anchors: Vec<Anchor>) {
        if !anchors.is_empty() {
            let current = self.current();
            self.drafts[current].anchors.extend(anchors.into_iter().map(|anchor| anchor.id));
        }
    }

    /// Names on a line of their own, from `start` on.
    pub(super) fn wait_with(&mut self, anchors: Vec<Anchor>, start: usize) {
        if self.waiting.is_empty() {
            self.waiting_start = start;
        }
        self.waiting.extend(anchors);
    }

    /// The rendered text of a heading that stands in the body, if the text just read is one.
    pub(super) fn add_inner_headings(&mut self, rendered: Option<String>) {
        let current = self.current();
        self.drafts[current].inner_headings.extend(rendered);
    }

    /// All drafts; a text without any visible block still has a preamble.
    pub(super) fn finish(mut self) -> Vec<Draft> {
        if !self.waiting.is_empty() || self.drafts.is_empty() {
            let current = self.current();
            self.settle_waiting(current);
        }
        footnote::settle(&mut self.drafts);
        self.drafts
    }

    fn current(&mut self) -> usize {
        let item = self.items.last().map(|(section, _)| *section);
        item.or(self.clause).or(self.headings.last().copied()).unwrap_or_else(|| self.preamble())
    }

    /// The preamble, which is there only if something needs it. It comes first, so nothing may have come before.
    fn preamble(&mut self) -> usize {
        if self.drafts.is_empty() {
            self.drafts.push(Draft::new(SectionKind::Preamble, 0, None, self.body..self.body));
        }
        0
    }

    fn existing_preamble(&self) -> Option<usize> {
        self.drafts.first().filter(|first| first.kind == SectionKind::Preamble).map(|_| 0)
    }

    fn settle_waiting(&mut self, section: usize) {
        let waiting = std::mem::take(&mut self.waiting);
        self.drafts[section].anchors.extend(waiting.into_iter().map(|anchor| anchor.id));
    }

    /// A clause without any text, right before a heading, is the heading's id.
    fn take_marker_before_heading(&mut self) -> Option<Draft> {
        let clause = self.clause?;
        let is_bare = clause + 1 == self.drafts.len() && self.drafts[clause].fragments.is_empty();
        is_bare.then(|| self.drafts.pop()).flatten()
    }
}

impl Draft {
    fn new(kind: SectionKind, level: u8, parent: Option<usize>, heading: Range<usize>) -> Self {
        Self {
            kind,
            level,
            parent,
            ids: Vec::new(),
            anchors: Vec::new(),
            inner_headings: Vec::new(),
            number: None,
            title: String::new(),
            rendered: String::new(),
            start: heading.start,
            heading,
            fragments: Vec::new(),
        }
    }
}
