//! The two manuals laid flat, and which section of one is which of the other so far.
//! The steps that decide are next door: [`exact`](super::exact), [`candidate`](super::candidate), [`parts`](super::parts).

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use rayon::prelude::*;

use super::feature::{Feature, has_words};
use super::thresholds::{SAME_ID, TITLE, WEIGHTY};
use crate::manual::{Fingerprint, Manual, Section, SectionKind, SectionRef, numbering_stem};
use crate::source::RepoPath;

/// All sections of one revision, in order of file and place.
pub(super) struct Side<'m> {
    pub(super) nodes: Vec<Node<'m>>,
    /// How many sections have each canonical body.
    bodies: HashMap<Fingerprint, usize>,
    /// How many sections have each title.
    titles: HashMap<&'m str, usize>,
    /// How many sections stand at the top of each file, preambles aside.
    tops: HashMap<&'m RepoPath, usize>,
}

/// One section and what it is compared by.
pub(super) struct Node<'m> {
    pub(super) at: SectionRef,
    pub(super) section: &'m Section,
    pub(super) file: &'m RepoPath,
    /// Index of the enclosing section among the side's nodes.
    pub(super) parent: Option<usize>,
    body: OnceLock<Feature>,
    title: OnceLock<Feature>,
}

/// Which section before is which section after. One to one; open ends are `None`.
pub(super) struct Pairing<'m> {
    pub(super) before: Side<'m>,
    pub(super) after: Side<'m>,
    pub(super) to_after: Vec<Option<usize>>,
    pub(super) to_before: Vec<Option<usize>>,
    /// Files that were renamed, before to after.
    pub(super) files: BTreeMap<&'m RepoPath, &'m RepoPath>,
}

/// Whether two bodies are as alike as those of one section that was edited at its place.
pub(crate) fn is_alike(before: &Section, after: &Section) -> bool {
    let [before, after] = [before, after].map(|section| Feature::of(texts(section)));
    before.similarity(&after) >= SAME_ID
}

impl<'m> Side<'m> {
    fn new(manual: &'m Manual) -> Self {
        let mut nodes: Vec<Node<'m>> = Vec::new();
        let mut first = 0;
        for (at, section) in manual.sections() {
            if at.section == 0 {
                first = nodes.len();
            }
            let parent = section.parent.map(|parent| first + parent);
            let file = &manual.document(at).path;
            nodes.push(Node { at, section, file, parent, body: OnceLock::new(), title: OnceLock::new() });
        }
        let (mut bodies, mut titles, mut tops) = (HashMap::new(), HashMap::new(), HashMap::new());
        for node in &nodes {
            if node.parent.is_none() && node.section.kind != SectionKind::Preamble {
                *tops.entry(node.file).or_default() += 1;
            }
            *bodies.entry(node.section.own).or_default() += 1;
            *titles.entry(node.section.title.as_str()).or_default() += 1;
        }
        Self { nodes, bodies, titles, tops }
    }

    fn bodies_like(&self, node: &Node<'_>) -> usize {
        self.bodies.get(&node.section.own).copied().unwrap_or(0)
    }

    /// Whether a section is the only one at the top of its file beside a preamble.
    pub(super) fn is_file_title(&self, at: usize) -> bool {
        let node = &self.nodes[at];
        node.parent.is_none() && self.tops.get(node.file) == Some(&1)
    }

    fn titles_like(&self, node: &Node<'_>) -> usize {
        self.titles.get(node.section.title.as_str()).copied().unwrap_or(0)
    }
}

impl Node<'_> {
    /// The words of the own body.
    pub(super) fn body(&self) -> &Feature {
        self.body.get_or_init(|| Feature::of(self.texts()))
    }

    fn title(&self) -> &Feature {
        self.title.get_or_init(|| Feature::of([self.section.title.as_str()]))
    }

    /// Whether the own body is long enough to tell the section from others.
    pub(super) fn is_weighty(&self) -> bool {
        match self.body.get() {
            Some(body) => body.len() >= WEIGHTY,
            // The first words answer it; of most sections nothing else is ever asked.
            None => has_words(self.texts(), WEIGHTY),
        }
    }

    /// The own body in one piece.
    pub(super) fn text(&self) -> String {
        self.texts().collect::<Vec<_>>().join(" ")
    }

    /// The blocks of the own body.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        texts(self.section)
    }
}

fn texts(section: &Section) -> impl Iterator<Item = &str> {
    section.fragments.iter().map(|fragment| fragment.text.as_str())
}

impl<'m> Pairing<'m> {
    pub(super) fn new(before: &'m Manual, after: &'m Manual) -> Self {
        let (before, after) = rayon::join(|| Side::new(before), || Side::new(after));
        let (to_after, to_before) = (vec![None; before.nodes.len()], vec![None; after.nodes.len()]);
        Self { before, after, to_after, to_before, files: BTreeMap::new() }
    }

    pub(super) fn pair(&mut self, before: usize, after: usize) {
        debug_assert!(self.to_after[before].is_none() && self.to_before[after].is_none(), "a section is paired once");
        self.to_after[before] = Some(after);
        self.to_before[after] = Some(before);
    }

    pub(super) fn part(&mut self, before: usize, after: usize) {
        self.to_after[before] = None;
        self.to_before[after] = None;
    }

    pub(super) fn are_open(&self, before: usize, after: usize) -> bool {
        self.to_after[before].is_none() && self.to_before[after].is_none()
    }

    pub(super) fn open_before(&self) -> Vec<usize> {
        (0..self.to_after.len()).filter(|at| self.to_after[*at].is_none()).collect()
    }

    pub(super) fn open_after(&self) -> Vec<usize> {
        (0..self.to_before.len()).filter(|at| self.to_before[*at].is_none()).collect()
    }

    /// Cuts into words, on all cores, the bodies that are about to be compared.
    pub(super) fn cut_open(&self) {
        /// Fewer are cut sooner than another thread has begun.
        const FEW: usize = 32;
        let befores = self.open_before().into_iter().map(|at| &self.before.nodes[at]);
        let afters = self.open_after().into_iter().map(|at| &self.after.nodes[at]);
        let nodes: Vec<&Node<'_>> = befores.chain(afters).collect();
        nodes.par_iter().with_min_len(FEW).for_each(|node| _ = node.body());
    }

    /// The path of the file after that a file before became.
    pub(super) fn file_after(&self, before: &'m RepoPath) -> &'m RepoPath {
        self.files.get(before).copied().unwrap_or(before)
    }

    pub(super) fn same_file(&self, before: usize, after: usize) -> bool {
        self.file_after(self.before.nodes[before].file) == self.after.nodes[after].file
    }

    /// Whether the enclosing sections are known to be the same; at the top, whether the files are.
    pub(super) fn same_parent(&self, before: usize, after: usize) -> bool {
        match (self.before.nodes[before].parent, self.after.nodes[after].parent) {
            (Some(before), Some(after)) => self.to_after[before] == Some(after),
            (None, None) => self.same_file(before, after),
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    pub(super) fn same_title(&self, before: usize, after: usize) -> bool {
        let (before, after) = (self.before.nodes[before].section, self.after.nodes[after].section);
        before.title == after.title && before.kind == after.kind
    }

    /// Whether both have a number, and it is the same.
    pub(super) fn same_number(&self, before: usize, after: usize) -> bool {
        let (before, after) = (self.before.nodes[before].section, self.after.nodes[after].section);
        before.number.is_some() && before.number == after.number
    }

    /// Pairs a section with another one than before.
    pub(super) fn pair_again(&mut self, before: usize, after: usize) {
        if let Some(partner) = self.to_after[before] {
            self.to_before[partner] = None;
        }
        self.to_after[before] = None;
        self.pair(before, after);
    }

    /// Whether the titles say the same but for their numbers, or share most of their words.
    pub(super) fn titles_agree(&self, before: usize, after: usize) -> bool {
        let (before, after) = (&self.before.nodes[before], &self.after.nodes[after]);
        let preambles = [before, after].map(|node| node.section.kind == SectionKind::Preamble);
        if preambles.contains(&true) {
            return preambles == [true, true];
        }
        before.section.title == after.section.title || before.title().word_similarity(after.title()) >= TITLE
    }

    /// Whether only numbers differ in the titles, as in `Article R12-3` and `Article R14-3`.
    pub(super) fn same_stem(&self, before: usize, after: usize) -> bool {
        let (before, after) = (&self.before.nodes[before].section, &self.after.nodes[after].section);
        before.title == after.title || numbering_stem(&before.title) == numbering_stem(&after.title)
    }

    /// Whether a title occurs once in both revisions, so that it identifies.
    pub(super) fn title_is_rare(&self, before: usize, after: usize) -> bool {
        let (before, after) = (&self.before.nodes[before], &self.after.nodes[after]);
        !before.section.title.is_empty() && self.before.titles_like(before) == 1 && self.after.titles_like(after) == 1
    }

    /// Whether a body is long and occurs once in both revisions, so that it identifies.
    pub(super) fn body_is_rare(&self, before: usize, after: usize) -> bool {
        let node = &self.before.nodes[before];
        node.is_weighty() && self.before.bodies_like(node) == 1 && self.after.bodies_like(&self.after.nodes[after]) == 1
    }

    /// Whether a body, however short, occurs once in both revisions.
    pub(super) fn body_is_unique(&self, before: usize, after: usize) -> bool {
        let (before, after) = (&self.before.nodes[before], &self.after.nodes[after]);
        !before.section.fragments.is_empty()
            && self.before.bodies_like(before) == 1
            && self.after.bodies_like(after) == 1
    }

    /// How many of the two neighbours in document order are known to be the same.
    pub(super) fn neighbours(&self, before: usize, after: usize) -> usize {
        let previous = before > 0 && after > 0 && self.to_after[before - 1] == Some(after - 1);
        let next = self.to_after.get(before + 1).is_some_and(|next| *next == Some(after + 1));
        usize::from(previous) + usize::from(next)
    }

    /// What speaks for two sections being the same beside their text; only for ranking equals.
    pub(super) fn affinity(&self, before: usize, after: usize) -> usize {
        let same_id = self.before.nodes[before].section.id == self.after.nodes[after].section.id;
        4 * usize::from(self.same_title(before, after))
            + 3 * usize::from(self.same_parent(before, after))
            + 2 * usize::from(self.same_file(before, after))
            + 2 * usize::from(same_id)
            + self.neighbours(before, after)
    }
}
