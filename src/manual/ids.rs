//! From drafts to sections: ids, paths, anchors, numbers and fingerprints.
//! Decides names only; which block belongs where is settled before.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;

use super::canonical::fold;
use super::fingerprint::own_body;
use super::number::split_number;
use super::outline::Draft;
use super::parse::Lines;
use super::slug::{Slugger, slug};
use super::{Problem, Section, SectionId, SectionKind};
use crate::source::{SourceId, Span};

/// Names every section of a file.
pub(super) fn name(drafts: Vec<Draft>, source: SourceId, lines: &Lines, end: usize) -> (Vec<Section>, Vec<Problem>) {
    let ends: Vec<usize> = drafts.iter().skip(1).map(|draft| draft.start).chain([end]).collect();
    let mut namer = Namer {
        source,
        lines,
        explicit: drafts.iter().filter_map(|draft| draft.ids.first()).map(|id| composed(id)).collect(),
        paths: Slugger::default(),
        anchors: Slugger::default(),
        first_with: HashMap::new(),
        sections: Vec::with_capacity(drafts.len()),
        problems: Vec::new(),
    };
    for (draft, end) in drafts.into_iter().zip(ends) {
        namer.add(draft, end);
    }
    (namer.sections, namer.problems)
}

struct Namer<'t> {
    source: SourceId,
    lines: &'t Lines,
    /// Every explicit id of the file: no derived one may be the same.
    explicit: HashSet<String>,
    paths: Slugger,
    anchors: Slugger,
    /// The section that carries an explicit id first.
    first_with: HashMap<String, usize>,
    sections: Vec<Section>,
    problems: Vec<Problem>,
}

impl Namer<'_> {
    fn add(&mut self, draft: Draft, end: usize) {
        let (number, title) = split(&draft);
        let path = self.path(&draft, &title);
        let explicit_id = draft.ids.first().map(|id| composed(id));
        let id = explicit_id.clone().unwrap_or_else(|| path.clone());
        let heading = Span::new(self.source, draft.heading.start, draft.heading.end);
        if let Some(id) = &explicit_id {
            self.note_explicit(id, heading);
        }
        let anchors = self.anchors(&draft);
        let mut fragments = draft.fragments;
        for fragment in &mut fragments {
            fragment.line = self.lines.line(fragment.span.start);
        }
        let line = if draft.kind == SectionKind::Preamble { 1 } else { self.lines.line(draft.heading.start) };
        self.sections.push(Section {
            kind: draft.kind,
            id: SectionId(id),
            explicit: explicit_id.is_some(),
            path,
            number,
            title,
            level: draft.level,
            parent: draft.parent,
            anchors,
            heading,
            line,
            extent: Span::new(self.source, draft.start, end.max(draft.start)),
            own: own_body(&fragments),
            fragments,
        });
    }

    fn path(&mut self, draft: &Draft, title: &str) -> String {
        let own = match draft.kind {
            SectionKind::Preamble => return String::new(),
            SectionKind::Clause => title.to_string(),
            SectionKind::Heading => heading_slug(draft),
            SectionKind::Paragraph if draft.number.as_deref() == Some(title) => title.to_lowercase().replace(' ', "-"),
            SectionKind::Paragraph => named(slug(title)),
        };
        let own = shortened(&own);
        let wanted = match draft.parent.map(|parent| self.sections[parent].path.as_str()) {
            None | Some("") => own.to_string(),
            Some(parent) => format!("{parent}/{own}"),
        };
        if draft.ids.is_empty() && self.explicit.contains(&wanted) {
            self.paths.unique(wanted.clone());
        }
        self.paths.unique(wanted)
    }

    fn note_explicit(&mut self, id: &str, heading: Span) {
        match self.first_with.get(id) {
            Some(first) => self.problems.push(Problem::DuplicateId {
                id: id.to_string(),
                first: self.sections[*first].heading,
                second: heading,
            }),
            None => {
                self.first_with.insert(id.to_string(), self.sections.len());
            }
        }
    }

    /// GitHub's anchors count every heading of the file, those in quotes and list items too.
    fn anchors(&mut self, draft: &Draft) -> Vec<String> {
        let mut anchors = Vec::new();
        match draft.kind {
            SectionKind::Heading => anchors.push(self.anchors.slug(&draft.rendered)),
            SectionKind::Preamble | SectionKind::Clause | SectionKind::Paragraph => {}
        }
        anchors.extend(draft.inner_headings.iter().map(|rendered| self.anchors.slug(rendered)));
        let mut seen: HashSet<String> = anchors.iter().cloned().collect();
        let named = draft.ids.iter().chain(&draft.anchors);
        anchors.extend(named.filter(|name| seen.insert((*name).clone())).cloned());
        // That of a heading without a word, which no link reaches.
        anchors.retain(|anchor| !anchor.is_empty());
        anchors
    }
}

fn split(draft: &Draft) -> (Option<String>, String) {
    match draft.kind {
        SectionKind::Heading => {
            let (number, title) = split_number(&draft.title);
            (number, title.to_string())
        }
        SectionKind::Paragraph => (draft.number.clone(), draft.title.clone()),
        SectionKind::Preamble => (None, String::new()),
        SectionKind::Clause => (None, composed(&draft.title)),
    }
}

/// The slug of a heading without its number.
fn heading_slug(draft: &Draft) -> String {
    let rendered = fold(&draft.rendered);
    named(slug(split_number(&rendered).1))
}

/// A heading of punctuation alone still needs a name.
fn named(slug: String) -> String {
    if slug.is_empty() { "-".to_string() } else { slug }
}

/// A component as it stands in paths: bounded, because every section below repeats it.
fn shortened(component: &str) -> &str {
    const LONGEST: usize = 200;
    &component[..component.floor_char_boundary(LONGEST)]
}

/// The spelling under which equal names are equal bytes.
pub(super) fn composed(name: &str) -> String {
    if name.is_ascii() { name.to_owned() } else { name.nfc().collect() }
}
