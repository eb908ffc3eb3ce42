//! What a citation that names nothing may have meant: sections whose id or title is spelt nearly like it.
//! Only for telling people; nothing is decided by likeness.

use super::resolve::last_component;
use super::slug::slug;
use super::{Manual, Section, SectionKind, SectionRef};

/// How many are told.
const MOST: usize = 3;

/// The sections that are spelt most nearly like a citation, best first.
pub(super) fn nearest(manual: &Manual, cited: &str) -> Vec<SectionRef> {
    let wanted = Wanted::new(cited);
    let mut found: Vec<(usize, usize, SectionRef)> = manual
        .sections()
        .filter_map(|(at, section)| wanted.distance(section).map(|distance| (distance, section.path.len(), at)))
        .collect();
    found.sort();
    found.into_iter().take(MOST).map(|(_, _, at)| at).collect()
}

struct Wanted {
    whole: Vec<char>,
    /// The last component, as a slug would spell it.
    last: Vec<char>,
}

impl Wanted {
    fn new(cited: &str) -> Self {
        let inside = cited.rsplit('#').next().unwrap_or(cited);
        let last = slug(last_component(inside));
        Self { whole: inside.to_lowercase().chars().collect(), last: last.chars().collect() }
    }

    /// How far the section's names are from this one, if that is near.
    fn distance(&self, section: &Section) -> Option<usize> {
        if section.kind == SectionKind::Preamble {
            return None;
        }
        let explicit = if section.explicit { distance(&self.whole, &section.id.0) } else { None };
        let last = distance(&self.last, last_component(&section.path));
        explicit.into_iter().chain(last).min()
    }
}

/// The edit distance, if it is at most a quarter of the length (one for short names, four for long ones).
fn distance(wanted: &[char], name: &str) -> Option<usize> {
    let limit = (wanted.len() / 4).clamp(1, 4);
    if wanted.len() < 2 || name.len() + limit < wanted.len() || name.len() > (wanted.len() + limit) * 4 {
        return None;
    }
    let name: Vec<char> = name.to_lowercase().chars().collect();
    if name.len().abs_diff(wanted.len()) > limit {
        return None;
    }
    let mut row: Vec<usize> = (0..=name.len()).collect();
    for (at, letter) in wanted.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, other) in name.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(diagonal + 1).min(row[column] + 1);
        }
        if row.iter().min().is_some_and(|least| *least > limit) {
            return None;
        }
    }
    row.last().copied().filter(|distance| *distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_told_from_far_ones() {
        let check = |wanted: &str, name: &str, expected: Option<usize>| {
            assert_eq!(distance(&wanted.chars().collect::<Vec<_>>(), name), expected, "{wanted} {name}");
        };
        check("type.dyn.compat", "type.dyn-compat", Some(1));
        check("limits", "limits", Some(0));
        check("limts", "limits", Some(1));
        check("limits", "alarms", None);
        check("a", "b", None);
        check("größe", "grosse", None);
        check("größe", "große", Some(1));
        check("", "", None);
    }
}
