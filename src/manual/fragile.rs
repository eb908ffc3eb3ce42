//! Citations that find their section today and may find another one after a change somewhere else, and what to write
//! instead. Whether a citation is right is not asked here.

use super::published::decode;
use super::resolve::{Index, MatchKind, Resolution, Target, last_component, suffixes};
use super::{SectionKind, SectionRef};
use crate::source::RepoPath;

/// Slugs of headings that every manual has more than once, sooner or later.
const COMMON: &[&str] = &[
    "overview",
    "introduction",
    "general",
    "notes",
    "note",
    "rationale",
    "scope",
    "purpose",
    "description",
    "summary",
    "examples",
    "example",
    "references",
    "background",
    "requirements",
    "definitions",
    "details",
    "usage",
    "configuration",
    "limitations",
    "instructions",
    "implementation",
];

/// Why a citation may find another section one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fragility {
    /// It is a number, which shifts.
    Number,
    /// It counts headings of one name: `#alarms-1`.
    Position,
    /// It names the first of several headings of one name.
    Duplicate,
    /// One more heading of that name, or one fewer, and it means another section or several.
    Neighbour,
}

impl Index {
    /// Whether a citation that names one section is fragile.
    pub(crate) fn fragility(&self, citation: &str, citing: &RepoPath) -> Option<Fragility> {
        let Resolution::Found { target: Target::Section(at), by } = self.resolve(citation, Some(citing)) else {
            return None;
        };
        let inside =
            decode(citation.rsplit_once('#').map_or(citation, |(_, inside)| inside).trim().trim_start_matches('/'));
        match by {
            MatchKind::Number if self.is_known_by_number(at) => None,
            MatchKind::Number => Some(Fragility::Number),
            MatchKind::ExplicitId | MatchKind::Heading | MatchKind::File => None,
            MatchKind::Anchor if self.is_explicit(at, &inside) => None,
            MatchKind::Anchor => self.of_anchor(at, &inside),
            MatchKind::PathInFile => self.of_path(at, &inside),
            MatchKind::Path => self.of_path(at, &inside).or_else(|| self.of_neighbours(at, citation.trim())),
        }
    }

    /// The shortest citation of the section that is not fragile, written like `citation`: with the file if it has one.
    pub(crate) fn robust(&self, citation: &str, citing: &RepoPath) -> Option<String> {
        let Resolution::Found { target: Target::Section(at), .. } = self.resolve(citation, Some(citing)) else {
            return None;
        };
        let section = self.manual.section(at);
        let explicit = section.explicit.then(|| section.id.0.clone());
        let inside: Vec<String> = explicit.into_iter().chain(suffixes(&section.path).map(str::to_owned)).collect();
        let file = citation.rsplit_once('#').map(|(file, _)| file.to_owned());
        let path = self.manual.document(at).path.to_string();
        let with = |file: &str| inside.iter().map(|inside| format!("{file}#{inside}")).collect::<Vec<_>>();
        let candidates = match file {
            Some(file) => with(&file),
            None => inside.iter().cloned().chain(with(&path)).collect(),
        };
        let leads = |candidate: &String| self.resolve(candidate, Some(citing)).target() == Some(Target::Section(at));
        candidates.into_iter().find(|it| leads(it) && self.fragility(it, citing).is_none())
    }

    /// A numbered paragraph without a title has no other name.
    fn is_known_by_number(&self, at: SectionRef) -> bool {
        let section = self.manual.section(at);
        section.kind == SectionKind::Paragraph && section.number.as_deref() == Some(&section.title)
    }

    fn is_explicit(&self, at: SectionRef, inside: &str) -> bool {
        let section = self.manual.section(at);
        // The first anchor is the heading's own, which is made of its words.
        section.explicit && section.id.0 == inside || section.anchors.iter().skip(1).any(|anchor| anchor == inside)
    }

    fn of_anchor(&self, at: SectionRef, anchor: &str) -> Option<Fragility> {
        let others = || self.manual.document(at).sections.iter().enumerate().filter(|(other, _)| *other != at.section);
        let has = |anchor: &str| others().any(|(_, section)| section.anchors.iter().any(|it| it == anchor));
        match uncounted(anchor) {
            Some(first) if has(first) => Some(Fragility::Position),
            Some(_) | None => has(&format!("{anchor}-1")).then_some(Fragility::Duplicate),
        }
    }

    /// A path counts headings where it, or one above that it names, differs from another only by a number.
    fn of_path(&self, at: SectionRef, inside: &str) -> Option<Fragility> {
        let document = self.manual.document(at);
        let has = |path: &str| document.sections.iter().any(|section| section.path == path);
        let named = self.manual.lineage(at).take(inside.split('/').count());
        let paths: Vec<&str> = named.map(|at| self.manual.section(at).path.as_str()).collect();
        if paths.iter().any(|path| uncounted(path).is_some_and(has)) {
            Some(Fragility::Position)
        } else {
            paths.iter().any(|path| has(&format!("{path}-1"))).then_some(Fragility::Duplicate)
        }
    }

    fn of_neighbours(&self, at: SectionRef, cited: &str) -> Option<Fragility> {
        let wanted = cited.trim_start_matches('/');
        let is_common = cited == wanted && COMMON.contains(&wanted);
        let ends_with = |path: &str| suffixes(path).any(|end| end == wanted);
        let alike = self.paths.get(last_component(wanted)).map(Vec::as_slice).unwrap_or_default();
        let has_other = alike.iter().any(|other| *other != at && ends_with(&self.manual.section(*other).path));
        // A leading slash asks for a whole path, which no end of another can be.
        let decides_by_length = cited == wanted && has_other;
        (is_common && wanted == last_component(wanted) || decides_by_length).then_some(Fragility::Neighbour)
    }
}

/// `alarms` for `alarms-1`.
fn uncounted(name: &str) -> Option<&str> {
    let (first, count) = name.rsplit_once('-')?;
    (!count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit())).then_some(first)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::manual::{Manual, Options, parse};
    use crate::source::{Rev, Sources};

    fn index() -> Index {
        let texts = [
            (
                "docs/a.md",
                "# A\n\n## 1 Heat\n\n### Rationale\n\nx\n\n## 2 Air\n\n### Rationale\n\ny\n\n## Horn\n\n## Horn\n",
            ),
            (
                "docs/b.md",
                "# B\n\n## Overview\n\n### Cut-off {#cut}\n\n## A\n\n## Step 2\n\n<a id=\"old\"></a>\n## Rest\n",
            ),
        ];
        let mut sources = Sources::default();
        let documents = texts.map(|(path, text)| {
            let path = RepoPath::new(path);
            let source = sources.add(Rev::Worktree, path.clone(), text);
            Arc::new(parse(source, &path, text, &Options::default()).value)
        });
        Index::new(&Manual { documents: documents.to_vec() }, &[])
    }

    #[track_caller]
    fn check(citation: &str, expected: Option<(Fragility, Option<&str>)>) {
        let (index, citing) = (index(), RepoPath::new("t.yaml"));
        let found = index.fragility(citation, &citing);
        assert_eq!(found, expected.map(|(fragility, _)| fragility), "{citation}");
        if let Some((_, instead)) = expected {
            assert_eq!(index.robust(citation, &citing).as_deref(), instead, "{citation}");
        }
    }

    #[test]
    fn what_says_its_section_by_name_is_robust() {
        let robust = [
            "heat/rationale",
            "docs/a.md#heat/rationale",
            "cut",
            "docs/b.md#cut",
            "docs/b.md#old",
            "docs/a.md",
            "Rest",
        ];
        robust.into_iter().for_each(|citation| check(citation, None));
        check("docs/b.md#step-2", None);
        check("step-2", None);
        check("no-such", None);
        check("rationale", None);
    }

    #[test]
    fn fragile_ones_have_a_better_form() {
        check("§2", Some((Fragility::Number, Some("air"))));
        check("docs/a.md#rationale-1", Some((Fragility::Position, Some("docs/a.md#air/rationale"))));
        check("docs/a.md#rationale", Some((Fragility::Duplicate, Some("docs/a.md#heat/rationale"))));
        check("overview", Some((Fragility::Neighbour, Some("b/overview"))));
        // The file's title, and a section of the other file.
        check("a", Some((Fragility::Neighbour, Some("docs/a.md#a"))));
    }

    #[test]
    fn where_only_the_order_tells_there_is_none() {
        check("docs/a.md#horn-1", Some((Fragility::Position, None)));
        check("horn", Some((Fragility::Duplicate, None)));
    }
}
