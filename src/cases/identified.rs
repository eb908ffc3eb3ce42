//! The mappings of a text that have an id as a case would, whether or not they cite anything: to tell a case that was taken
//! out from one that is still there and lost its citations, and one that never had any from one whose citation key is
//! misspelt. Judges neither.

use std::collections::HashSet;

use super::citation::Context;
use super::expand::{Expander, Place, child};
use super::shape::Keys;
use super::tree::{self, Comments, Kind, NodeId, Tree};
use super::{CaseId, Shape};
use crate::nearest::slip;
use crate::source::{SourceId, Span};

/// A mapping with an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identified {
    pub(crate) id: CaseId,
    pub(crate) id_span: Span,
    /// The whole mapping.
    pub(crate) span: Span,
    pub(crate) misspelt: Option<Misspelt>,
}

/// A key that is nearly a citation key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misspelt {
    pub(crate) typed: String,
    /// The citation key.
    pub(crate) meant: String,
    /// What it would cite.
    pub(crate) names: Vec<String>,
}

/// Every mapping with an id, an outer one before those in it. What is not YAML is left out.
pub(crate) fn identified(source: SourceId, text: &str, shape: &Shape) -> Vec<Identified> {
    let tree = tree::read(text, Comments::Skip);
    let keys = Keys::of(shape);
    Reader::new(source, text, &tree, &keys).read(&tree)
}

/// Those with nearly a citation key, in a text that was read.
pub(super) fn strays<'s>(source: SourceId, text: &'s str, tree: &Tree<'s>, keys: &Keys<'_>) -> Vec<Identified> {
    let near = near_keys(tree, &keys.citing());
    if near.is_empty() {
        return Vec::new();
    }
    let mut reader = Reader::new(source, text, tree, keys);
    reader.wanted = Some(near);
    reader.read(tree)
}

/// The keys of a text that are nearly one of these. Most texts have few keys, again and again, and none of them is.
fn near_keys<'t>(tree: &'t Tree<'_>, names: &[&str]) -> HashSet<&'t str> {
    let mut keys = HashSet::new();
    for (_, node) in tree.ids() {
        if let Kind::Mapping { entries, .. } = &node.kind {
            keys.extend(entries.iter().filter_map(|(key, _)| tree.key(*key)));
        }
    }
    keys.retain(|key| !names.contains(key) && slip(key, names).is_some());
    keys
}

struct Reader<'c, 't, 's> {
    context: Context<'c, 't, 's>,
    /// Of the mappings only those that have one of these keys.
    wanted: Option<HashSet<&'t str>>,
    found: Vec<Identified>,
}

impl<'c, 't, 's> Reader<'c, 't, 's> {
    fn new(source: SourceId, text: &'s str, tree: &'t Tree<'s>, keys: &'c Keys<'c>) -> Self {
        Self { context: Context::new(source, text, Expander::new(tree), keys), wanted: None, found: Vec::new() }
    }

    fn read(mut self, tree: &Tree<'_>) -> Vec<Identified> {
        for document in &tree.documents {
            self.walk(Place { node: document.root, alias: None, depth: 0 }, None);
        }
        self.found
    }

    /// `own_key` is the key under which the node stands, if it is a value.
    fn walk(&mut self, place: Place, own_key: Option<NodeId>) {
        match &self.context.expander.tree.get(place.node).kind {
            Kind::Scalar(_) | Kind::Alias(_) => {}
            Kind::Sequence { items, .. } => items.iter().for_each(|&item| self.walk(child(place, item), None)),
            Kind::Mapping { entries, .. } => {
                if self.is_wanted(entries) {
                    let identified = self.identify(place, own_key);
                    self.found.extend(identified);
                }
                for &(key, value) in entries {
                    self.walk(child(place, key), None);
                    self.walk(child(place, value), Some(key));
                }
            }
        }
    }

    fn is_wanted(&self, entries: &[(NodeId, NodeId)]) -> bool {
        let tree = self.context.expander.tree;
        self.wanted
            .as_ref()
            .is_none_or(|wanted| entries.iter().any(|(key, _)| tree.key(*key).is_some_and(|key| wanted.contains(key))))
    }

    fn identify(&mut self, mapping: Place, own_key: Option<NodeId>) -> Option<Identified> {
        let keys = self.context.keys;
        let misspelt = self.context.misspelt(mapping, &keys.citing());
        let node = self.context.id_in(mapping, keys).or_else(|| self.context.own_key(mapping, own_key))?;
        let id = self.context.spanned(node)?;
        let misspelt = misspelt.map(|(entry, typed, meant)| Misspelt {
            typed: typed.to_owned(),
            meant: meant.to_owned(),
            names: self.context.names_under(entry, keys),
        });
        Some(Identified { id: CaseId(id.text), id_span: id.span, span: self.context.node_span(mapping.node), misspelt })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::parse::tests::shape;
    use crate::source::{RepoPath, Rev, Sources};

    /// Compares each mapping, as `id`, with the keys that may be meant for one another.
    #[track_caller]
    fn check(shape: &Shape, text: &str, expected: &[&str]) {
        let source = Sources::default().add(Rev::Worktree, RepoPath::new("cases.yaml"), text);
        let shown = identified(source, text, shape).into_iter().map(|found| {
            assert!(text[found.span.start..found.span.end].len() > found.id.0.len() || text.starts_with(&found.id.0));
            let slip = found.misspelt.map(|it| format!(" {}={}: {}", it.typed, it.meant, it.names.join(" ")));
            format!("{}{}", found.id.0, slip.unwrap_or_default())
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_mapping_has_the_id_that_it_would_have_as_a_case() {
        let default = Shape::default();
        check(&default, "- {id: T, cite: a}\n- {key: U, note: b}\n- {cites: c}\n", &["T cite=cites: a", "U"]);
        check(&default, "T: {cites: a}\nU: {id: V, Cites: a}\n", &["T", "V Cites=cites: a"]);
        check(&default, "cases:\n  T: {steps: [{id: S}]}\nlist: [{id: T}]\n", &["cases", "T", "S", "T"]);
        check(&default, "- {id: ~}\n- {id: [x]}\n- &a {id: T}\n- *a\n", &["T"]);
        let nested = shape(&["meta.id"], &["links.verifies", "covers"], None);
        check(&nested, "- {meta: {id: T}, cover: [a]}\n", &["T cover=covers: a", "meta"]);
    }
}
