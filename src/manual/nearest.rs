//! What a citation that names nothing may have meant: sections whose id, title or anchor is spelt nearly like it, or whose
//! number it begins with. Only for telling people; nothing is decided by likeness.

use std::sync::LazyLock;

use regex::Regex;

use super::resolve::{Index, Resolution, Target, last_component};
use super::slug::slug;
use super::{Manual, Section, SectionKind, SectionRef};
use crate::source::RepoPath;

/// How many are told.
const MOST: usize = 3;

/// Where a citation is cut to find a number in front, at most: numbers are short, citations need not be.
const MOST_CUTS: usize = 8;

/// What follows a section's number where a place inside it is named: `(1)`, `Abs. 1`, `para 2`, `.9`.
static INSIDE: LazyLock<Regex> = LazyLock::new(|| {
    let words = "abs|absatz|al|alinéa|item|lit|no|nr|para|paragraph|satz|sentence";
    Regex::new(&format!(r"(?i)\s*\(|\s+(?:{words})\b|[.-]\d")).expect("the pattern is a constant")
});

impl Index {
    /// The sections that a citation may have meant that names none, best first.
    pub(super) fn nearest(&self, cited: &str) -> Vec<SectionRef> {
        let spelt = nearest(&self.manual, cited);
        if spelt.is_empty() { self.around(cited) } else { spelt }
    }

    /// The sections in which a place is named by its number: `§ 2 (1)` is in `§ 2`.
    fn around(&self, cited: &str) -> Vec<SectionRef> {
        let cuts: Vec<usize> = INSIDE.find_iter(cited).map(|inside| inside.start()).take(MOST_CUTS).collect();
        let number = cuts.into_iter().rev().find_map(|at| self.by_number(&cited[..at]));
        match number {
            Some(Resolution::Found { target: Target::Section(at), .. }) => vec![at],
            Some(Resolution::Ambiguous { candidates, .. }) => candidates.into_iter().take(MOST).collect(),
            Some(Resolution::Found { target: Target::File(_), .. } | Resolution::Unknown { .. }) | None => Vec::new(),
        }
    }
}

/// The sections that are spelt most nearly like a citation, best first.
fn nearest(manual: &Manual, cited: &str) -> Vec<SectionRef> {
    let wanted = Wanted::new(cited);
    let mut found: Vec<(usize, bool, usize, SectionRef)> = manual
        .sections()
        .filter_map(|(at, section)| {
            let distance = wanted.distance(section)?;
            Some((distance, !wanted.is_in(&manual.document(at).path), section.path.len(), at))
        })
        .collect();
    found.sort();
    found.into_iter().take(MOST).map(|(_, _, _, at)| at).collect()
}

struct Wanted {
    whole: String,
    /// The last component, as a slug would spell it.
    last: String,
    /// The name of the file, without its folders, if one is named.
    file: Option<String>,
}

impl Wanted {
    fn new(cited: &str) -> Self {
        let (file, inside) = match cited.rsplit_once('#') {
            Some((file, inside)) => (Some(last_component(file).to_lowercase()), inside),
            None => (None, cited),
        };
        let last = slug(last_component(inside));
        Self { whole: inside.to_lowercase(), last, file }
    }

    /// Whether a file has the name that is wanted.
    fn is_in(&self, path: &RepoPath) -> bool {
        self.file.as_ref().is_some_and(|file| *file == last_component(&path.to_string()).to_lowercase())
    }

    /// How far the section's names are from this one, if that is near.
    fn distance(&self, section: &Section) -> Option<usize> {
        if section.kind == SectionKind::Preamble {
            return None;
        }
        let explicit = if section.explicit { distance(&self.whole, &section.id.0) } else { None };
        let name = last_component(&section.path);
        // Anchors of numbered headings begin with the number, which is no part of their names.
        let anchors = section.anchors.iter().filter(|anchor| *anchor != name);
        let anchored = anchors.filter_map(|anchor| distance(&self.last, anchor));
        explicit.into_iter().chain(distance(&self.last, name)).chain(anchored).min()
    }
}

/// The edit distance, if it is at most a quarter of the length (one for short names, four for long ones).
fn distance(wanted: &str, name: &str) -> Option<usize> {
    let length = wanted.chars().count();
    let limit = (length / 4).clamp(1, 4);
    // Most names are told apart by their length in bytes, which costs nothing.
    if length < 2 || name.len() + limit < length || name.len() > (length + limit) * 4 {
        return None;
    }
    let name = name.to_lowercase();
    if name.chars().count().abs_diff(length) > limit {
        return None;
    }
    Some(strsim::osa_distance(wanted, &name)).filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manual::resolve::tests::manual;

    #[test]
    fn a_place_in_a_numbered_section_is_near_to_that() {
        let text = "# Pump\n\n## § 2 Limits\n\nx\n\n## 5.2 Alarms\n\ny\n\n## 7 Notes\n\nz\n";
        let index = Index::new(&manual(&[("docs/a.md", text)]), &[]);
        let check = |cited: &str, expected: &[&str]| {
            let found = index.nearest(cited).into_iter().map(|at| index.manual.section(at).title.as_str());
            assert_eq!(found.collect::<Vec<_>>(), expected, "{cited}");
        };
        for cited in ["§ 2 (1)", "§2(1)", "§ 2 Abs. 1", "§ 2 (1) lit. a", "§ 2 Absatz 1"] {
            check(cited, &["Limits"]);
        }
        for cited in ["5.2 (a)", "5.2.9", "Section 5.2 para 3"] {
            check(cited, &["Alarms"]);
        }
        for cited in ["7 apples", "§ 3 (1)", "(1)", ".2", "2024-10"] {
            check(cited, &[]);
        }
    }

    #[test]
    fn near_names_are_told_from_far_ones() {
        let check = |wanted: &str, name: &str, expected: Option<usize>| {
            assert_eq!(distance(wanted, name), expected, "{wanted} {name}");
        };
        check("type.dyn.compat", "type.dyn-compat", Some(1));
        check("limits", "limits", Some(0));
        check("limts", "limits", Some(1));
        check("limist", "limits", Some(1));
        check("limits", "alarms", None);
        check("a", "b", None);
        check("größe", "grosse", None);
        check("größe", "große", Some(1));
        check("", "", None);
    }
}
