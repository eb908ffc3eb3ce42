//! Footnotes belong to the section that refers to them: a reader finds them by the reference, wherever a formatter put
//! the definition. What nothing refers to stays where it stands.

use std::collections::BTreeMap;

use super::outline::Draft;
use super::{Fragment, FragmentKind};

/// Moves each definition to the end of the first section that refers to it.
pub(super) fn settle(drafts: &mut [Draft]) {
    let is_footnote = |fragment: &Fragment| fragment.kind == FragmentKind::Footnote;
    if !drafts.iter().any(|draft| draft.fragments.iter().any(is_footnote)) {
        return;
    }
    let homes = references(drafts);
    let mut moved: Vec<(usize, Fragment)> = Vec::new();
    for (at, draft) in drafts.iter_mut().enumerate() {
        let mut home = at;
        for fragment in std::mem::take(&mut draft.fragments) {
            if let Some(label) = defined(&fragment) {
                home = homes.get(label).copied().unwrap_or(at);
            }
            match is_footnote(&fragment) && home != at {
                true => moved.push((home, fragment)),
                false => draft.fragments.push(fragment),
            }
        }
    }
    for (home, fragment) in moved {
        drafts[home].fragments.push(fragment);
    }
}

/// The first section that refers to each label.
fn references(drafts: &[Draft]) -> BTreeMap<String, usize> {
    let mut homes = BTreeMap::new();
    for (at, draft) in drafts.iter().enumerate() {
        for fragment in draft.fragments.iter().filter(|fragment| fragment.kind != FragmentKind::Code) {
            for rest in fragment.text.split("[^").skip(1) {
                if let Some((label, _)) = rest.split_once(']') {
                    homes.entry(label.to_owned()).or_insert(at);
                }
            }
        }
    }
    homes
}

/// The label of the definition that a fragment opens.
fn defined(fragment: &Fragment) -> Option<&str> {
    let (_, marker) = fragment.context.rsplit_once("[^").filter(|_| fragment.kind == FragmentKind::Footnote)?;
    marker.strip_suffix("]: ")
}

#[cfg(test)]
mod tests {
    use crate::manual::parse::tests::document;

    /// Each section's title with the texts of its fragments.
    fn check(text: &str, expected: &[&str]) {
        let parsed = document(text, &[]);
        let told: Vec<String> = parsed
            .value
            .sections
            .iter()
            .map(|section| {
                let texts: Vec<&str> = section.fragments.iter().map(|fragment| fragment.text.as_str()).collect();
                format!("{}: {}", section.title, texts.join(" | "))
            })
            .collect();
        assert_eq!(told, expected, "{text:?}");
    }

    #[test]
    fn a_footnote_belongs_where_it_is_referred_to() {
        check("# A\n\nx[^1]\n\n# B\n\ny\n\n[^1]: note\n", &["A: x[^1] | note", "B: y"]);
        check("# A\n\nx[^1]\n\n[^1]: note\n\n# B\n\ny\n", &["A: x[^1] | note", "B: y"]);
        check("# A\n\nx\n\n# B\n\ny\n\n[^1]: note\n", &["A: x", "B: y | note"]);
    }

    #[test]
    fn all_of_a_footnote_goes_along() {
        check("# A\n\nx[^n]\n\n# B\n\n[^n]: one\n\n    two\n\ny\n", &["A: x[^n] | one | two", "B: y"]);
    }
}
