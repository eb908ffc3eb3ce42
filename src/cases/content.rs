//! What a case says, as a hash: whether a case was touched is decided by comparing two of these. Layout, quoting, the
//! order of keys, and how the citations are spelled have no part in it, nor have the titles beside them, which follow the
//! manual, and the category: how cases are sorted says nothing of whether they hold.

use std::borrow::Cow;

use regex::Regex;
use sha2::{Digest, Sha256};

use super::expand::{Entry, Expander, Place, child};
use super::shape::Keys;
use super::tree::{Kind, NodeId};

/// What the citations of a case say besides what they cite: quotes, scopes, words around a match.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras(Vec<u8>);

/// Hashes the mapping at `case`. `cited` are the values of its citation keys, sorted; `extras` stand for them.
pub(super) fn content(
    expander: &mut Expander<'_, '_>,
    keys: &Keys<'_>,
    case: Place,
    cited: &[NodeId],
    extras: &Extras,
) -> [u8; 32] {
    let mut writer = Writer { expander, keys, cited, out: Vec::new() };
    writer.mapping(case);
    writer.out.extend(&extras.0);
    Sha256::digest(&writer.out).into()
}

/// Whether a mapping inside a case is one itself. Where citations stand inside longer texts, a key that may hold one is
/// no sign yet: `name: Span` is a field of its case, `name: see REQ-1` cites.
fn is_case(expander: &mut Expander<'_, '_>, keys: &Keys<'_>, mapping: Place) -> bool {
    let mut found = Vec::new();
    keys.cites.iter().for_each(|path| expander.values(mapping, path, &mut found));
    found.iter().any(|entry| keys.cite_pattern.is_none_or(|pattern| cites(expander, entry.value, pattern)))
}

/// Whether a value of a citation key has a match of the pattern. The map form names a section whatever its text is.
fn cites(expander: &mut Expander<'_, '_>, value: Place, pattern: &Regex) -> bool {
    let Some(value) = expander.resolve(value) else { return false };
    match &expander.tree.get(value.node).kind {
        Kind::Scalar(scalar) => pattern.is_match(&scalar.text),
        Kind::Sequence { items, .. } => items.iter().any(|item| cites(expander, child(value, *item), pattern)),
        Kind::Mapping { .. } | Kind::Alias(_) => true,
    }
}

impl Extras {
    pub(super) fn add(&mut self, key: &str, value: &str) {
        text(&mut self.0, key);
        text(&mut self.0, value);
    }

    /// An entry of the map form that is the user's own.
    pub(super) fn add_node(&mut self, expander: &mut Expander<'_, '_>, keys: &Keys<'_>, key: &str, value: Place) {
        text(&mut self.0, key);
        let mut writer = Writer { expander, keys, cited: &[], out: std::mem::take(&mut self.0) };
        writer.node(value);
        self.0 = writer.out;
    }
}

/// Writes nodes so that equal bytes mean equal content: every text with its length, every collection with its ends.
struct Writer<'w, 't, 's> {
    expander: &'w mut Expander<'t, 's>,
    keys: &'w Keys<'w>,
    cited: &'w [NodeId],
    out: Vec<u8>,
}

impl<'t> Writer<'_, 't, '_> {
    fn node(&mut self, place: Place) {
        let Some(place) = self.expander.resolve(place) else {
            self.out.push(b'?');
            return;
        };
        let tree = self.expander.tree;
        match &tree.get(place.node).kind {
            Kind::Scalar(scalar) => text(&mut self.out, &scalar.text),
            Kind::Sequence { items, .. } => {
                self.out.push(b'[');
                for &item in items {
                    let item = child(place, item);
                    if !self.is_left_out(item) {
                        self.node(item);
                    }
                }
                self.out.push(b']');
            }
            Kind::Mapping { .. } => self.mapping(place),
            Kind::Alias(_) => self.out.push(b'?'),
        }
    }

    fn mapping(&mut self, mapping: Place) {
        let mut entries: Vec<Entry> = Vec::new();
        self.expander.all_entries(mapping, &mut entries);
        let mut keyed: Vec<(Cow<'t, [u8]>, Entry)> =
            entries.into_iter().map(|entry| (self.key(mapping, entry), entry)).collect();
        // Stable, so that of equal keys the one that wins stays first.
        keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
        keyed.dedup_by(|(second, _), (first, _)| first == second);
        self.out.push(b'{');
        for (key, entry) in keyed {
            if !self.is_left_out(entry.value) {
                bytes(&mut self.out, &key);
                self.node(entry.value);
            }
        }
        self.out.push(b'}');
    }

    /// A scalar key's text, or another key's content behind a byte that no text starts with.
    fn key(&mut self, mapping: Place, entry: Entry) -> Cow<'t, [u8]> {
        if let Some(text) = self.expander.tree.key(entry.key) {
            return Cow::Borrowed(text.as_bytes());
        }
        let out = std::mem::replace(&mut self.out, vec![0xff]);
        self.node(child(mapping, entry.key));
        Cow::Owned(std::mem::replace(&mut self.out, out))
    }

    /// Citations, which `Extras` stand for, and cases inside this one, which speak for themselves.
    fn is_left_out(&mut self, place: Place) -> bool {
        if self.cited.binary_search(&place.node).is_ok() {
            return true;
        }
        let Some(place) = self.expander.resolve(place) else { return false };
        match &self.expander.tree.get(place.node).kind {
            Kind::Mapping { .. } => is_case(self.expander, self.keys, place),
            Kind::Scalar(_) | Kind::Sequence { .. } | Kind::Alias(_) => false,
        }
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    bytes(out, text.as_bytes());
}

fn bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    out.push(b'"');
    out.extend(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
    out.extend(bytes);
}

#[cfg(test)]
mod tests {
    use crate::cases::Shape;
    use crate::cases::parse::tests::read;

    #[test]
    fn a_mapping_inside_that_cites_nothing_is_a_field_of_its_case() {
        let shape = || Shape {
            id: vec!["heading".into(), "name".into()],
            cites: vec!["heading".into(), "name".into()],
            cite_pattern: Some(regex::Regex::new(r"docs/[^)\s]+").unwrap()),
            ..Shape::default()
        };
        let hash = |inner: &str| {
            let text = format!("- heading: '[Span](docs/m.md#span)'\n  features:\n  - {inner}\n");
            read(&text, &shape()).value.cases[0].content
        };
        assert_ne!(hash("{name: IsValid, status: '?'}"), hash("{name: IsValid, status: '+'}"));
        let (before, after) = ("{name: 'docs/m.md#valid', status: '?'}", "{name: 'docs/m.md#valid', status: '+'}");
        assert_eq!(hash(before), hash(after), "what cites speaks for itself");
    }

    #[test]
    fn content_is_what_a_case_says() {
        let hash = |text: &str| read(text, &Shape::default()).value.cases[0].content;
        let base = hash("id: T\ncites: [a]\nsteps: [1, 2]\nexpected: x y\n");
        for same in [
            "expected: 'x y'\nid: T # c\nsteps:\n- 1\n- \"2\"\ncites: b@v2\n",
            "id: T\ncites:\n- {section: a, rev: v1}\n- b\nsteps: [1, 2]\nexpected: x\n  y\n",
            "id: T\ncites: [a]\nsteps: &s [1, 2]\nexpected: x y\nsub: {id: U, cites: q, steps: *s}\n",
            "<<: {expected: x y, id: no}\nid: T\ncites: [a]\nsteps: [1, 2]\n",
            "id: T\ncategory: alarms\ncites: [a]\nsteps: [1, 2]\nexpected: x y\n",
            "<<: {category: alarms}\nid: T\ncites: [a]\nsteps: [1, 2]\nexpected: x y\n",
        ] {
            assert_eq!(hash(same), base, "{same}");
        }
        for other in [
            "id: T\ncites: [a]\nsteps: [2, 1]\nexpected: x y\n",
            "id: T\ncites: [a]\nsteps: [1, 2]\nexpected: x yz\n",
            "id: T\ncites: [{section: a, quote: q}]\nsteps: [1, 2]\nexpected: x y\n",
            "id: T\ncites: [a]\nsteps: [1, [2]]\nexpected: x y\n",
            "id: T\ncites: [a]\nsteps: [1, 2]\nexpected: x y\nsub: {category: alarms}\n",
        ] {
            assert_ne!(hash(other), base, "{other}");
        }
    }
}
