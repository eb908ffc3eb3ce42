//! Looks things up in a tree as a YAML reader sees it: through aliases and merge keys. Bounded, so that a few lines
//! that expand to millions of nodes (billion laughs) cost no more than any other file.

use super::shape::Path;
use super::tree::{Kind, MAX_DEPTH, NodeId, Scalar, Style, Tree};

/// How many nodes the aliases of one file may bring in, each time they are looked at. 60,000 cases that merge one
/// anchor of ten keys stay below it.
const MAX_EXPANDED: usize = 8_000_000;

/// This much scalar text costs as much as a node.
const TEXT_PER_NODE: usize = 64;

/// Looking at this many keys costs as much as a node.
const ENTRIES_PER_NODE: usize = 16;

/// A node and how it was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) node: NodeId,
    /// The outermost alias that led here.
    pub(super) alias: Option<NodeId>,
    /// How many collections and aliases lie around it.
    pub(super) depth: usize,
}

/// A mapping's entry, merged ones included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: NodeId,
    pub(super) value: Place,
}

#[derive(Debug)]
pub(super) struct Expander<'t, 's> {
    pub(super) tree: &'t Tree<'s>,
    left: usize,
    /// The mappings whose merge keys are being followed: one that names itself brings in nothing.
    merging: Vec<NodeId>,
    /// The first alias that was not followed, and why.
    pub(super) refused: Option<(NodeId, String)>,
}

impl<'t, 's> Expander<'t, 's> {
    pub(super) fn new(tree: &'t Tree<'s>) -> Self {
        Self { tree, left: MAX_EXPANDED, merging: Vec::new(), refused: None }
    }

    /// The node itself, or what the alias stands for; `None` where the alias is unknown or asks for too much.
    pub(super) fn resolve(&mut self, place: Place) -> Option<Place> {
        let tree = self.tree;
        let (node, alias) = match tree.get(place.node).kind {
            Kind::Alias(target) => (target?, Some(place.alias.unwrap_or(place.node))),
            Kind::Scalar(_) | Kind::Sequence { .. } | Kind::Mapping { .. } => (place.node, place.alias),
        };
        if let Some(alias) = alias {
            let text = tree.scalar(node).map_or(0, |scalar| scalar.text.len());
            self.charge(alias, 1 + text / TEXT_PER_NODE)?;
            if place.depth > 2 * MAX_DEPTH {
                let limit = 2 * MAX_DEPTH;
                self.refused.get_or_insert_with(|| (alias, format!("expands deeper than {limit} levels")));
                return None;
            }
        }
        Some(Place { node, alias, depth: place.depth })
    }

    /// Pays for work that an alias causes.
    pub(super) fn charge(&mut self, alias: NodeId, cost: usize) -> Option<()> {
        match self.left.checked_sub(cost) {
            Some(left) => {
                self.left = left;
                Some(())
            }
            None => {
                self.left = 0;
                self.refused.get_or_insert_with(|| (alias, "expands to too many nodes".to_owned()));
                None
            }
        }
    }

    pub(super) fn scalar(&mut self, place: Place) -> Option<&'t Scalar<'s>> {
        let tree = self.tree;
        self.resolve(place).and_then(|place| tree.scalar(place.node))
    }

    /// The value under `key`; the mapping's own entries win over merged ones, earlier merges over later ones.
    pub(super) fn find(&mut self, mapping: Place, key: &str) -> Option<Entry> {
        let entries = self.entries(mapping);
        if let Some(&(key, value)) = entries.iter().find(|(found, _)| self.tree.key(*found) == Some(key)) {
            return Some(Entry { key, value: child(mapping, value) });
        }
        let merged = entries.iter().filter(|(key, _)| is_merge(self.tree, *key));
        let merged: Vec<NodeId> = merged.map(|&(_, value)| value).collect();
        self.merging.push(mapping.node);
        let found = merged.into_iter().find_map(|value| {
            let sources = self.merge_sources(child(mapping, value));
            sources.into_iter().find_map(|source| self.find(source, key))
        });
        self.merging.pop();
        found
    }

    /// All values under a path; sequences on the way are looked through, item by item.
    pub(super) fn values(&mut self, mapping: Place, path: &Path<'_>, out: &mut Vec<Entry>) {
        match self.find(mapping, path.whole) {
            Some(entry) => out.push(entry),
            None => self.nested(mapping, &path.steps, out),
        }
    }

    /// The same under keys one inside the other.
    pub(super) fn nested(&mut self, mapping: Place, steps: &[&str], out: &mut Vec<Entry>) {
        let [step, rest @ ..] = steps else { return };
        let Some(entry) = self.find(mapping, step) else { return };
        if rest.is_empty() {
            out.push(entry);
            return;
        }
        let Some(value) = self.resolve(entry.value) else { return };
        match &self.tree.get(value.node).kind {
            Kind::Mapping { .. } => self.nested(value, rest, out),
            Kind::Sequence { items, .. } => {
                for &item in items {
                    if let Some(item) = self.resolve(child(value, item)) {
                        self.nested(item, rest, out);
                    }
                }
            }
            Kind::Scalar(_) | Kind::Alias(_) => {}
        }
    }

    /// Every entry, the mapping's own first, merged ones behind them even where they are overridden.
    pub(super) fn all_entries(&mut self, mapping: Place, out: &mut Vec<Entry>) {
        let entries = self.entries(mapping);
        for &(key, value) in entries {
            if !is_merge(self.tree, key) {
                out.push(Entry { key, value: child(mapping, value) });
            }
        }
        self.merging.push(mapping.node);
        for &(key, value) in entries {
            if is_merge(self.tree, key) {
                for source in self.merge_sources(child(mapping, value)) {
                    self.all_entries(source, out);
                }
            }
        }
        self.merging.pop();
    }

    /// The mappings that a merge key's value names: one, or a list of them.
    fn merge_sources(&mut self, value: Place) -> Vec<Place> {
        let Some(value) = self.resolve(value) else { return Vec::new() };
        let mut sources = match &self.tree.get(value.node).kind {
            Kind::Mapping { .. } => vec![value],
            Kind::Sequence { items, .. } => items.iter().filter_map(|&item| self.resolve(child(value, item))).collect(),
            Kind::Scalar(_) | Kind::Alias(_) => Vec::new(),
        };
        sources.retain(|source| !self.merging.contains(&source.node));
        sources
    }

    fn entries(&mut self, mapping: Place) -> &'t [(NodeId, NodeId)] {
        let tree = self.tree;
        match &tree.get(mapping.node).kind {
            Kind::Mapping { entries, .. } => match mapping.alias {
                // Looking through a long mapping again and again is work that an alias causes, too.
                Some(alias) if self.charge(alias, entries.len() / ENTRIES_PER_NODE).is_none() => &[],
                Some(_) | None => entries,
            },
            Kind::Scalar(_) | Kind::Sequence { .. } | Kind::Alias(_) => &[],
        }
    }
}

/// The place of a node inside the collection at `parent`.
pub(super) fn child(parent: Place, node: NodeId) -> Place {
    Place { node, alias: parent.alias, depth: parent.depth + 1 }
}

/// A merge key: `<<`, unless quoted.
pub(super) fn is_merge(tree: &Tree<'_>, key: NodeId) -> bool {
    tree.scalar(key).is_some_and(|scalar| scalar.style == Style::Plain && scalar.text == "<<")
}
