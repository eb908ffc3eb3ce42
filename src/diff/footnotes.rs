//! Footnotes that have another label and are what they were: a reader sees their numbers, which stay. Knows labels and texts
//! of footnotes only, not where they are referred to.

use std::collections::BTreeMap;

use crate::manual::{Document, FragmentKind};

/// The labels of footnotes before, as they are referred to, and what they are after, where they differ.
pub(super) type Relabelled = BTreeMap<String, String>;

/// Those of footnotes with the same text, or where one went and one came.
pub(super) fn relabelled(before: &Document, after: &Document) -> Relabelled {
    let (there, here) = (texts(before), texts(after));
    let mut gone: Vec<(&String, &String)> =
        there.iter().filter(|(label, text)| here.get(*label) != Some(text)).collect();
    let mut come: Vec<(&String, &String)> =
        here.iter().filter(|(label, text)| there.get(*label) != Some(text)).collect();
    let mut found = Relabelled::new();
    gone.retain(|(label, text)| match come.iter().position(|(_, other)| other == text) {
        Some(at) => {
            found.insert((*label).clone(), come.remove(at).0.clone());
            false
        }
        None => true,
    });
    if let ([(label, _)], [(other, _)]) = (&gone[..], &come[..])
        && label != other
    {
        found.insert((*label).clone(), (*other).clone());
    }
    found
}

/// What each footnote says, by `[^label]`.
fn texts(document: &Document) -> BTreeMap<String, String> {
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut label = String::new();
    let fragments = document.sections.iter().flat_map(|section| &section.fragments);
    for fragment in fragments.filter(|fragment| fragment.kind == FragmentKind::Footnote) {
        if let Some(opened) = fragment.context.rsplit_once("[^").and_then(|(_, it)| it.strip_suffix("]: ")) {
            label = format!("[^{opened}]");
        }
        let text = texts.entry(label.clone()).or_default();
        text.push_str(&fragment.text);
        text.push('\n');
    }
    texts
}
