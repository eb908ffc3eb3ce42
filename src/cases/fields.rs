//! A YAML text as mappings and what stands in them, for those who don't know yet which keys matter. Decides nothing;
//! cases are read by `parse.rs`.

use super::expand::{Expander, Place, child};
use super::mention::{self, Commas};
use super::tree::{self, Comments, Kind, NodeId};

/// One mapping of a YAML text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mapping {
    /// The mapping that it stands in, directly or through lists, and under which of its keys.
    pub(crate) parent: Option<(usize, String)>,
    /// Whether it is a value itself and not an item of a list; then the key is its name.
    pub(crate) is_named: bool,
    pub(crate) fields: Vec<Field>,
}

/// A key and the scalars directly under it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) key: String,
    /// The scalar, or those of the list. Empty where something else stands there.
    pub(crate) values: Vec<String>,
    pub(crate) is_list: bool,
}

/// Reads the mappings of a text, an outer one before those in it. What is not YAML is left out.
pub(crate) fn mappings(text: &str) -> Vec<Mapping> {
    let tree = tree::read(text, Comments::Skip);
    let mut reader = Reader { expander: Expander::new(&tree), mappings: Vec::new() };
    for document in &tree.documents {
        reader.walk(Place { node: document.root, alias: None, depth: 0 }, None, false);
    }
    reader.mappings
}

/// What a scalar cites where no pattern is configured, without pins.
pub(crate) fn cited(text: &str) -> Vec<&str> {
    let mentions = mention::mentions(text, None, Commas::Split);
    let unpinned = |cited| mention::pinned(cited).map_or(cited, |pinned| &cited[..pinned.cited]);
    mentions.into_iter().map(|mention| unpinned(&text[mention.range])).collect()
}

struct Reader<'t, 's> {
    expander: Expander<'t, 's>,
    mappings: Vec<Mapping>,
}

impl<'t> Reader<'t, '_> {
    fn walk(&mut self, place: Place, parent: Option<(usize, String)>, is_named: bool) {
        match &self.expander.tree.get(place.node).kind {
            Kind::Scalar(_) | Kind::Alias(_) => {}
            Kind::Sequence { items, .. } => {
                for &item in items {
                    self.walk(child(place, item), parent.clone(), false);
                }
            }
            Kind::Mapping { entries, .. } => {
                let here = self.mappings.len();
                self.mappings.push(Mapping { parent, is_named, fields: Vec::new() });
                for &(key, value) in entries {
                    let Some(key) = self.expander.tree.scalar(key).map(|key| key.text.to_string()) else { continue };
                    let (values, is_list) = self.values(child(place, value));
                    self.mappings[here].fields.push(Field { key: key.clone(), values, is_list });
                    self.walk(child(place, value), Some((here, key)), true);
                }
            }
        }
    }

    fn values(&mut self, value: Place) -> (Vec<String>, bool) {
        let Some(value) = self.expander.resolve(value) else { return (Vec::new(), false) };
        match &self.expander.tree.get(value.node).kind {
            Kind::Scalar(_) => (self.text(value.node).into_iter().collect(), false),
            Kind::Sequence { items, .. } => {
                let places: Vec<Place> =
                    items.iter().filter_map(|&item| self.expander.resolve(child(value, item))).collect();
                (places.into_iter().filter_map(|place| self.text(place.node)).collect(), true)
            }
            Kind::Mapping { .. } | Kind::Alias(_) => (Vec::new(), false),
        }
    }

    /// The text of a scalar that says something.
    fn text(&self, node: NodeId) -> Option<String> {
        let scalar = self.expander.tree.scalar(node).filter(|scalar| !scalar.is_null())?;
        let text = scalar.text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares each mapping, as `parent.key: fields`.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let shown = mappings(text).into_iter().map(|mapping| {
            let parent =
                mapping.parent.map(|(at, key)| format!("{at}.{key}{}", if mapping.is_named { "" } else { "[]" }));
            let fields = mapping.fields.iter().map(|field| format!("{}={}", field.key, field.values.join("|")));
            format!("{}: {}", parent.unwrap_or_default(), fields.collect::<Vec<_>>().join(" "))
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn mappings_know_what_they_stand_in() {
        check(
            "cases:\n- id: 5.10\n  cites: [a, 'b']\n- {id: T}\n",
            &[": cases=", "0.cases[]: id=5.10 cites=a|b", "0.cases[]: id=T"],
        );
        check("TC-1: {links: {verifies: a}}\n", &[": TC-1=", "0.TC-1: links=", "1.links: verifies=a"]);
        check("a: ~\nb: ''\nc: {\n", &[]);
    }

    #[test]
    fn aliases_of_scalars_are_followed() {
        check("x: &x REQ-1\ny: [*x, *x]\nz: *unknown\n", &[": x=REQ-1 y=REQ-1|REQ-1 z="]);
    }

    #[test]
    fn a_scalar_cites_as_in_a_case() {
        let check = |text: &str, expected: &[&str]| assert_eq!(cited(text), expected, "{text}");
        check("REQ-1, REQ-2", &["REQ-1", "REQ-2"]);
        check("see [A](docs/a.md#b)", &["docs/a.md#b"]);
        check("a/b@v2", &["a/b"]);
    }
}
