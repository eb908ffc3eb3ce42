//! A key put into cases that lack it, each on a line of its own behind the line of the case's id. Every other byte stays.
//! Says where that can't be done, and reads the result back before it hands it out. Writes no files.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use super::Case;
use super::encode;
use super::expand::is_merge;
use super::tree::{self, Comments, Kind, NodeId, Scalar, Tree};

/// Where a line can go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Slot {
    /// The end of the line of the id, before its line break.
    at: usize,
    /// How far the keys of the case are indented.
    margin: usize,
}

/// Where a line with `key` can go in each of some cases of a text, or why none can. `ids` are the keys that hold ids.
pub(crate) fn slots(text: &str, cases: &[&Case], ids: &[String], key: &str) -> Vec<Result<Slot, String>> {
    let tree = tree::read(text, Comments::Skip);
    if !tree.errors.is_empty() {
        return cases.iter().map(|_| Err("the file is not valid YAML".to_owned())).collect();
    }
    let finder = Finder::new(text, &tree, ids, key);
    cases.iter().map(|case| finder.slot(case)).collect()
}

/// The text with a line `key: value` in each slot; `None` if it would say anything else besides.
pub(crate) fn insert(text: &str, key: &str, values: &[(Slot, &str)]) -> Option<String> {
    let mut values = values.to_vec();
    values.sort_unstable();
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    let mut inserted = BTreeMap::new();
    for (Slot { at, margin }, value) in values {
        out += &text[from..at];
        out += line_break(text, at);
        out += &" ".repeat(margin);
        inserted.insert(out.len(), value);
        // What is plain in braces is plain outside of them, too.
        out += &format!("{}: {}", encode::in_flow(key), encode::in_flow(value));
        from = at;
    }
    out += &text[from..];
    let (before, after) = (tree::read(text, Comments::Keep), tree::read(&out, Comments::Keep));
    let added = added(&after, &inserted, key)?;
    let comments = |tree: &Tree<'_>, text: &str| -> Vec<String> {
        tree.comments.iter().map(|range| text[range.clone()].to_owned()).collect()
    };
    let is_same = before.errors.is_empty()
        && after.errors.is_empty()
        && outline(&before, &BTreeSet::new()) == outline(&after, &added)
        && comments(&before, text) == comments(&after, &out);
    is_same.then_some(out)
}

/// Finds slots in one text.
struct Finder<'a> {
    text: &'a str,
    tree: &'a Tree<'a>,
    ids: &'a [String],
    key: &'a str,
    mappings: HashMap<(usize, usize), NodeId>,
    /// What each node stands in.
    parents: HashMap<NodeId, NodeId>,
    /// The key under which each value stands.
    keys: HashMap<NodeId, NodeId>,
    /// What an alias stands for or a merge key merges: a line in there would be one of others, too.
    shared: HashSet<NodeId>,
}

impl<'a> Finder<'a> {
    fn new(text: &'a str, tree: &'a Tree<'a>, ids: &'a [String], key: &'a str) -> Self {
        let (mappings, parents, keys, shared) = (HashMap::new(), HashMap::new(), HashMap::new(), HashSet::new());
        let mut finder = Self { text, tree, ids, key, mappings, parents, keys, shared };
        for (id, node) in tree.ids() {
            match &node.kind {
                Kind::Scalar(_) | Kind::Alias(None) => {}
                Kind::Alias(Some(target)) => _ = finder.shared.insert(*target),
                Kind::Sequence { items, .. } => finder.parents.extend(items.iter().map(|item| (*item, id))),
                Kind::Mapping { entries, .. } => {
                    finder.mappings.insert((node.range.start, node.range.end), id);
                    for (key, value) in entries {
                        finder.parents.extend([(*key, id), (*value, id)]);
                        finder.keys.insert(*value, *key);
                        finder.shared.extend(is_merge(tree, *key).then_some(*value));
                    }
                }
            }
        }
        finder
    }

    fn slot(&self, case: &Case) -> Result<Slot, String> {
        let no = |why: &str| Err(why.to_owned());
        let Some(mapping) = self.mappings.get(&(case.span.start, case.span.end)).copied() else {
            return no("its place is not clear");
        };
        let Kind::Mapping { entries, flow } = &self.tree.get(mapping).kind else { return no("its place is not clear") };
        if *flow {
            return no("it is written in braces");
        }
        if std::iter::successors(Some(mapping), |at| self.parents.get(at).copied()).any(|at| self.shared.contains(&at))
        {
            return no("an alias or a merge key shares its text");
        }
        if entries.iter().any(|(key, _)| self.tree.key(*key) == Some(self.key)) {
            return Err(format!("it has a key `{}` without a text", self.key));
        }
        let is_id = |node: &NodeId| {
            let range = &self.tree.target(*node).range;
            range.start <= case.id_span.start && case.id_span.end <= range.end
        };
        let names = |key: &NodeId| self.ids.iter().any(|id| self.tree.key(*key) == Some(id));
        let own = entries.iter().find(|(key, value)| names(key) && is_id(value));
        let slot = match (own, self.keys.get(&mapping).filter(|key| is_id(key)), entries.first()) {
            (Some((key, value)), ..) => self.below_entry(*key, *value),
            (None, Some(name), Some((first, _))) => self.below_name(*name, *first),
            (None, ..) => return no("its id is not among its own keys"),
        };
        slot.ok_or_else(|| "its id does not stand on a line of its own".to_owned())
    }

    /// Below `id: TC-1`.
    fn below_entry(&self, key: NodeId, value: NodeId) -> Option<Slot> {
        let start = self.tree.get(key).range.start;
        let line = line(self.text, start);
        let is_on_line = self.tree.get(value).range.end <= line.end;
        Some(Slot { at: line.end, margin: margin(&self.text[line.start..start]).filter(|_| is_on_line)? })
    }

    /// Below `TC-1:`, where that is the key of the case; only comments may stand between it and the case's first key.
    fn below_name(&self, name: NodeId, first: NodeId) -> Option<Slot> {
        let (name, first) = (&self.tree.get(name).range, self.tree.get(first).range.start);
        let (above, below) = (line(self.text, name.start), line(self.text, first));
        let between = self.text.get(above.end..below.start)?;
        let is_comment = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
        let is_plain = self.text.get(name.end..above.end)?.trim_start().starts_with(':')
            && between.split(['\n', '\r']).all(is_comment);
        Some(Slot { at: above.end, margin: margin(&self.text[below.start..first]).filter(|_| is_plain)? })
    }
}

/// The line around a place, without its break.
fn line(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let end = text[at..].find(['\n', '\r']).map_or(text.len(), |length| at + length);
    start..end
}

/// How far a key is indented, by what stands before it on its line: the dashes of lists count, its anchor and tag don't.
fn margin(before: &str) -> Option<usize> {
    let before = before.strip_prefix('\u{feff}').unwrap_or(before);
    let rest = before.trim_start_matches([' ', '-']);
    (rest.is_empty() || rest.starts_with(['&', '!'])).then_some(before.len() - rest.len())
}

/// The line break at a place; at the end of the text the one before it.
fn line_break(text: &str, at: usize) -> &str {
    let known = |rest: &str| ["\r\n", "\n", "\r"].into_iter().find(|line_break| rest.starts_with(line_break));
    let before = || text[..at].find(['\n', '\r']).and_then(|first| known(&text[first..]));
    known(&text[at..]).or_else(before).unwrap_or("\n")
}

/// The keys and values at the inserted places; `None` if one is not there.
fn added(tree: &Tree<'_>, inserted: &BTreeMap<usize, &str>, key: &str) -> Option<BTreeSet<NodeId>> {
    let mut added = BTreeSet::new();
    for (_, node) in tree.ids() {
        let Kind::Mapping { entries, .. } = &node.kind else { continue };
        for (name, value) in entries {
            let wanted = inserted.get(&tree.get(*name).range.start).copied();
            let is_meant = |wanted: &str| {
                tree.key(*name) == Some(key) && tree.scalar(*value).is_some_and(|value| value.text == wanted)
            };
            if wanted.is_some_and(is_meant) {
                added.extend([*name, *value]);
            }
        }
    }
    (added.len() == 2 * inserted.len()).then_some(added)
}

/// What a node says, without what is in it.
#[derive(Debug, PartialEq, Eq)]
enum Said<'t> {
    Scalar(&'t Scalar<'t>),
    /// How many items it has, and whether it is written in brackets.
    Sequence(usize, bool),
    Mapping(usize, bool),
    /// Of which node.
    Alias(Option<usize>),
}

/// A tree without some nodes: each node with its anchor and tag. With their numbers of entries that is the whole of it.
fn outline<'t>(tree: &'t Tree<'t>, without: &BTreeSet<NodeId>) -> Vec<(Said<'t>, bool, Option<&'t str>)> {
    let mut outline = Vec::new();
    let mut places: HashMap<NodeId, usize> = HashMap::new();
    for (id, node) in tree.ids().filter(|(id, _)| !without.contains(id)) {
        places.insert(id, outline.len());
        let said = match &node.kind {
            Kind::Scalar(scalar) => Said::Scalar(scalar),
            Kind::Sequence { items, flow } => Said::Sequence(items.len(), *flow),
            Kind::Mapping { entries, flow } => {
                Said::Mapping(entries.iter().filter(|(key, _)| !without.contains(key)).count(), *flow)
            }
            Kind::Alias(target) => Said::Alias(target.and_then(|target| places.get(&target).copied())),
        };
        outline.push((said, node.anchored, node.tag.as_deref()));
    }
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::Shape;
    use crate::cases::parse::tests::{citing, read, yaml};
    use proptest::prelude::*;

    /// Puts `category: x` into every case of a text: what comes out, and why it could not be done for the others.
    fn inserted(text: &str) -> (String, Vec<String>) {
        let (shape, cases) = (Shape::default(), read(text, &Shape::default()).value.cases);
        let cases: Vec<&Case> = cases.iter().collect();
        let slots = slots(text, &cases, &shape.id, "category");
        let values: Vec<(Slot, &str)> = slots.iter().flatten().map(|slot| (*slot, "x")).collect();
        (insert(text, "category", &values).expect("says the same"), slots.into_iter().filter_map(Result::err).collect())
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(inserted(text), (expected.to_owned(), Vec::new()));
    }

    #[test]
    fn the_line_is_as_its_neighbours_are() {
        check("- id: T # c\n  cites: a\n", "- id: T # c\n  category: x\n  cites: a\n");
        check("id: T\r\ncites: [a]\r\n", "id: T\r\ncategory: x\r\ncites: [a]\r\n");
        check("\u{feff}- id: T\n  cites: a", "\u{feff}- id: T\n  category: x\n  cites: a");
        check("\u{feff}id: T\rcites: a", "\u{feff}id: T\rcategory: x\rcites: a");
        check("cites: a\r\nid: T", "cites: a\r\nid: T\r\ncategory: x");
        check("-   cites: a\n    'id' :  \"T\"  \n", "-   cites: a\n    'id' :  \"T\"  \n    category: x\n");
        check("- - id: T\n    cites: a\n", "- - id: T\n    category: x\n    cites: a\n");
        check(
            "- &k id: &v !!str T\n  cites: [*k , *v ]\n",
            "- &k id: &v !!str T\n  category: x\n  cites: [*k , *v ]\n",
        );
        check("a: &a T\nb:\n  id: *a\n  cites: c\n", "a: &a T\nb:\n  id: *a\n  category: x\n  cites: c\n");
        check("- <<: {title: t}\n  id: T\n  cites: a\n", "- <<: {title: t}\n  id: T\n  category: x\n  cites: a\n");
        check("id: T\n# of the next line\n\ncites: a\n", "id: T\ncategory: x\n# of the next line\n\ncites: a\n");
    }

    #[test]
    fn a_case_under_its_name_gets_it_below_the_name() {
        check("T: # c\n  cites: a\n", "T: # c\n  category: x\n  cites: a\n");
        check("T:\n\n    # c\n\n    cites: a\n", "T:\n    category: x\n\n    # c\n\n    cites: a\n");
        check(
            "T: !!map\n  cites: a\n\nU:\n  cites: b",
            "T: !!map\n  category: x\n  cites: a\n\nU:\n  category: x\n  cites: b",
        );
        check(
            "T:\n  cites: a\n  U:\n    cites: b\n",
            "T:\n  category: x\n  cites: a\n  U:\n    category: x\n    cites: b\n",
        );
    }

    #[test]
    fn where_a_line_would_say_more_it_is_left_out() {
        let left = |text: &str, why: &str| {
            assert_eq!(inserted(text), (text.to_owned(), vec![why.to_owned()]), "{text}");
        };
        left("- {id: T, cites: a}\n", "it is written in braces");
        left("T: {cites: a}\n", "it is written in braces");
        left("- &t\n  id: T\n  cites: a\n- *t\n", "an alias or a merge key shares its text");
        left("a: &t\n- id: T\n  cites: a\nb: *t\n", "an alias or a merge key shares its text");
        left("id: T\ncites: a\ncategory:\n", "it has a key `category` without a text");
        left("id: T\ncites: a\ncategory: [x]\n", "it has a key `category` without a text");
        left("- <<: {id: T}\n  cites: a\n", "its id is not among its own keys");
        let line = "its id does not stand on a line of its own";
        left("id: T\n  U\ncites: a\n", line);
        left("id: |\n  T\ncites: a\n", line);
        left("- ? id\n  : T\n  cites: a\n", line);
        left("? T\n: cites: a\n", line);
        left("T:\n  &a\n  cites: a\n", line);
    }

    #[test]
    fn what_reads_otherwise_is_quoted() {
        let slot = Slot { at: 5, margin: 0 };
        let line = |key, value| insert("id: T\ncites: a\n", key, &[(slot, value)]);
        assert_eq!(line("a: b", "no").as_deref(), Some("id: T\n'a: b': 'no'\ncites: a\n"));
        assert_eq!(line("kind", "x # y\n").as_deref(), Some("id: T\nkind: \"x # y\\n\"\ncites: a\n"));
        assert_eq!(insert("id: T\ncites:\n  a\n", "kind", &[(Slot { at: 12, margin: 0 }, "x")]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

        #[test]
        fn only_whole_lines_are_added(text in yaml()) {
            for shape in citing() {
                let parsed = read(&text, &shape).value.cases;
                let cases: Vec<&Case> = parsed.iter().collect();
                let slots = slots(&text, &cases, &shape.id, "category");
                let values: Vec<(Slot, &str)> = slots.into_iter().flatten().map(|slot| (slot, "xyz")).collect();
                let Some(out) = insert(&text, "category", &values) else {
                    prop_assert!(!tree::read(&text, Comments::Skip).errors.is_empty(), "{:?} is refused", text);
                    continue;
                };
                let category = |line: &&str| !line.trim().starts_with("category: xyz");
                let kept: String = out.split_inclusive('\n').filter(category).collect();
                let breaks = ['\r', '\n'];
                prop_assert_eq!(kept.trim_end_matches(breaks), text.trim_end_matches(breaks));
                prop_assert_eq!(read(&out, &shape).value.cases.len(), parsed.len());
            }
        }
    }
}
