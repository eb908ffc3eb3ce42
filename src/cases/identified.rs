//! The mappings of a text that have an id as a case would, whether or not they cite anything: to tell a case that was taken
//! out from one that is still there and lost its citations. Reads no citations.

use super::citation::Context;
use super::expand::{Expander, Place, child};
use super::shape::Keys;
use super::tree::{self, Comments, Kind, NodeId};
use super::{CaseId, Shape};
use crate::source::{SourceId, Span};

/// A mapping with an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identified {
    pub(crate) id: CaseId,
    pub(crate) id_span: Span,
    /// The whole mapping.
    pub(crate) span: Span,
    /// A key that is nearly a citation key, and the citation key.
    pub(crate) misspelt: Option<(String, String)>,
}

/// Every mapping with an id, an outer one before those in it. What is not YAML is left out.
pub(crate) fn identified(source: SourceId, text: &str, shape: &Shape) -> Vec<Identified> {
    let tree = tree::read(text, Comments::Skip);
    let keys = [Keys::of(shape)];
    let context = Context::new(source, text, Expander::new(&tree), &keys);
    let mut reader = Reader { context, found: Vec::new() };
    for document in &tree.documents {
        reader.walk(Place { node: document.root, alias: None, depth: 0 }, None);
    }
    reader.found
}

struct Reader<'c, 't, 's> {
    context: Context<'c, 't, 's>,
    found: Vec<Identified>,
}

impl Reader<'_, '_, '_> {
    /// `own_key` is the key under which the node stands, if it is a value.
    fn walk(&mut self, place: Place, own_key: Option<NodeId>) {
        match &self.context.expander.tree.get(place.node).kind {
            Kind::Scalar(_) | Kind::Alias(_) => {}
            Kind::Sequence { items, .. } => items.iter().for_each(|&item| self.walk(child(place, item), None)),
            Kind::Mapping { entries, .. } => {
                let identified = self.identify(place, own_key);
                self.found.extend(identified);
                for &(key, value) in entries {
                    self.walk(child(place, key), None);
                    self.walk(child(place, value), Some(key));
                }
            }
        }
    }

    fn identify(&mut self, mapping: Place, own_key: Option<NodeId>) -> Option<Identified> {
        let keys = &self.context.shapes[0];
        let node = self.context.id_in(mapping, keys).or_else(|| self.context.own_key(mapping, own_key))?;
        let id = self.context.spanned(node)?;
        let misspelt = self.context.misspelt(mapping, &keys.citing());
        Some(Identified {
            id: CaseId(id.text),
            id_span: id.span,
            span: self.context.node_span(mapping.node),
            misspelt: misspelt.map(|(_, typed, meant)| (typed.to_owned(), meant.to_owned())),
        })
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
            let slip = found.misspelt.map(|(typed, meant)| format!(" {typed}={meant}"));
            format!("{}{}", found.id.0, slip.unwrap_or_default())
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_mapping_has_the_id_that_it_would_have_as_a_case() {
        let default = Shape::default();
        check(&default, "- {id: T, cite: a}\n- {key: U, note: b}\n- {cites: c}\n", &["T cite=cites", "U"]);
        check(&default, "T: {cites: a}\nU: {id: V, Cites: a}\n", &["T", "V Cites=cites"]);
        check(&default, "cases:\n  T: {steps: [{id: S}]}\nlist: [{id: T}]\n", &["cases", "T", "S", "T"]);
        check(&default, "- {id: ~}\n- {id: [x]}\n- &a {id: T}\n- *a\n", &["T"]);
        let nested = shape(&["meta.id"], &["links.verifies", "covers"], None);
        check(&nested, "- {meta: {id: T}, cover: [a]}\n", &["T cover=covers", "meta"]);
    }
}
