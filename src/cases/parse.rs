//! A case file to its cases: finds the mappings that cite, and reads id, title and the like. What a citation key may
//! hold is `citation.rs`.

use std::collections::{HashMap, HashSet};

use crate::source::{Parsed, SourceId, Span};

use super::citation::{Cited, Context, Found};
use super::content;
use super::expand::{Entry, Expander, Place, child};
use super::identified;
use super::keys;
use super::mention;
use super::shape::{Keys, Path};
use super::tree::{self, Comments, Kind, NodeId, Tree};
use super::{Case, CaseFile, CaseId, Problem, Shape, Spanned};

/// What a comment to citecheck starts with.
const ADDRESS: &str = "citecheck:";

/// Reads all cases of a file: mappings with a citation key.
pub(crate) fn parse(source: SourceId, text: &str, shape: &Shape) -> Parsed<CaseFile, Problem> {
    let comments = if text.contains(ADDRESS) { Comments::Keep } else { Comments::Skip };
    let tree = tree::read(text, comments);
    let keys = Keys::of(shape);
    let context = Context::new(source, text, Expander::new(&tree), &keys);
    let mut reader = Reader { context, cases: Vec::new(), cited: HashSet::new() };
    for document in &tree.documents {
        reader.walk(Place { node: document.root, alias: None, depth: 0 }, None);
    }
    let (mut cases, Found { mut problems, mut doubts }) = reader.finish();
    number(&mut cases);
    syntax_problems(source, &tree, &mut problems);
    problems.sort_by_key(|problem| problem.span());
    // What an alias repeats is wrong in one place.
    problems.dedup();
    doubts.sort_by_key(|doubt| doubt.problem.span());
    let strays = if cases.is_empty() { identified::strays(source, text, &tree, &keys) } else { Vec::new() };
    let comments = addressed(source, text, &tree);
    Parsed { value: CaseFile { source, cases, comments, doubts, strays }, problems }
}

/// Walks the documents and collects the cases.
struct Reader<'c, 't, 's> {
    context: Context<'c, 't, 's>,
    cases: Vec<Case>,
    /// Values of citation keys; no cases are looked for inside them.
    cited: HashSet<NodeId>,
}

/// What a node of a document is, as far as cases go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Walked {
    Case,
    /// A mapping that cites nothing.
    Mapping,
    Other,
}

impl<'t> Reader<'_, 't, '_> {
    fn finish(mut self) -> (Vec<Case>, Found) {
        if let Some((alias, why)) = self.context.expander.refused.take() {
            let range = self.context.node_range(alias);
            let message = format!("alias `{}` {why}, so it was not followed", &self.context.text[range.clone()]);
            self.context.problem(message, range);
        }
        (self.cases, self.context.found)
    }

    /// `own_key` is the key under which the node stands, if it is a value. Aliases are not followed: what they stand
    /// for is read where it is defined.
    fn walk(&mut self, place: Place, own_key: Option<NodeId>) -> Walked {
        if self.cited.contains(&place.node) {
            return Walked::Other;
        }
        let tree: &'t Tree<'_> = self.context.expander.tree;
        match &tree.get(place.node).kind {
            Kind::Scalar(_) | Kind::Alias(_) => Walked::Other,
            Kind::Sequence { items, .. } => {
                self.walk_beside(place, items.iter().map(|&item| (item, None)));
                Walked::Other
            }
            Kind::Mapping { entries, .. } => {
                keys::check(self.context.source, tree, entries, &mut self.context.found.problems);
                let citing = self.citing_entries(place);
                if !citing.is_empty() {
                    self.cited.extend(citing.iter().map(|entry| entry.value.node));
                    self.read_case(place, own_key, &citing);
                }
                let inside = entries.iter().flat_map(|&(key, value)| [(key, None), (value, Some(key))]);
                self.walk_beside(place, inside);
                if citing.is_empty() { Walked::Mapping } else { Walked::Case }
            }
        }
    }

    /// Walks what stands in one collection, each with its own key. Where some of it are cases, what is none may be a slip.
    fn walk_beside(&mut self, parent: Place, nodes: impl Iterator<Item = (NodeId, Option<NodeId>)>) {
        let (mut cases, mut others) = (Vec::new(), Vec::new());
        for (node, own_key) in nodes {
            let place = child(parent, node);
            match self.walk(place, own_key) {
                Walked::Case => cases.push(place),
                Walked::Mapping => others.push(place),
                Walked::Other => {}
            }
        }
        self.context.doubt_keys(&cases, &others);
    }

    /// What a mapping has under the citation keys, each value once.
    fn citing_entries(&mut self, mapping: Place) -> Vec<Entry> {
        let keys = self.context.keys;
        let mut citing = Vec::new();
        keys.cites.iter().for_each(|path| self.context.expander.values(mapping, path, &mut citing));
        let mut seen = HashSet::new();
        citing.retain(|entry: &Entry| seen.insert(entry.value.node));
        citing
    }

    fn read_case(&mut self, mapping: Place, own_key: Option<NodeId>, citing: &[Entry]) {
        let keys = self.context.keys;
        let mut cited = Cited::default();
        citing.iter().for_each(|entry| self.context.read_citations(entry.value, keys, &mut cited));
        let id_node = self.context.id_in(mapping, keys).or_else(|| self.context.own_key(mapping, own_key));
        let Some(id_node) = id_node else {
            let range = self.context.node_range(citing[0].key);
            let message = format!("the case has no id; give it one of the keys {}", id_keys(keys));
            self.context.problem(message, range);
            return;
        };
        let Some(Spanned { text, span: id_span }) = self.context.spanned(id_node) else { return };
        let scalar = self.context.node_span(id_node);
        let cited_id = cited.citations.iter().any(|citation| citation.scalar == scalar);
        let id = if cited_id { self.label(id_node) } else { text };
        let mut nodes: Vec<NodeId> = citing.iter().map(|entry| entry.value.node).collect();
        let (category, category_node) = self.said(mapping, &keys.category);
        nodes.extend(category_node);
        nodes.sort_unstable();
        let content = content::content(&mut self.context.expander, keys, mapping, &nodes, &cited.extras);
        let (title, _) = self.said(mapping, &keys.title);
        let (status, _) = self.said(mapping, &keys.status);
        let case = Case {
            id: CaseId(id),
            id_span,
            cited_id,
            ordinal: 0,
            span: self.context.node_span(mapping.node),
            citations: cited.citations,
            title,
            status,
            category,
            content,
        };
        self.cases.push(case);
    }

    /// What a case says of itself under the first of some keys that has a text, and the value there.
    fn said(&mut self, mapping: Place, paths: &[Path<'_>]) -> (Option<Spanned>, Option<NodeId>) {
        let mut found = Vec::new();
        paths.iter().for_each(|path| self.context.expander.values(mapping, path, &mut found));
        for Entry { value, .. } in found {
            let node = self.context.expander.resolve(value).map(|place| place.node);
            if let Some(node) = node.filter(|node| self.context.names(*node)) {
                return (self.context.spanned(node), Some(value.node));
            }
        }
        (None, None)
    }

    /// A cited id as it is shown: of a link its text, and without a pin, as a review changes no id.
    fn label(&self, node: NodeId) -> String {
        let Some(scalar) = self.context.expander.tree.scalar(node) else { return String::new() };
        let mut label = String::new();
        let mut from = 0;
        for mention in self.context.mentions(node, self.context.keys) {
            label += &scalar.text[from..mention.outer.start];
            let cited = &scalar.text[mention.range.clone()];
            label += match mention.label {
                Some(range) => &scalar.text[range],
                None => mention::pinned(cited).map_or(cited, |pinned| &cited[..pinned.cited]),
            };
            from = mention.outer.end;
        }
        label += &scalar.text[from..];
        label.trim().to_owned()
    }
}

fn id_keys(keys: &Keys<'_>) -> String {
    keys.id.iter().map(|path| format!("`{}`", path.whole)).collect::<Vec<_>>().join(", ")
}

impl Context<'_, '_, '_> {
    /// The scalar under the first of the keys that may hold an id.
    pub(super) fn id_in(&mut self, mapping: Place, keys: &Keys<'_>) -> Option<NodeId> {
        let mut found = Vec::new();
        keys.id.iter().for_each(|path| self.expander.values(mapping, path, &mut found));
        let nodes = found.into_iter().filter_map(|entry| self.expander.resolve(entry.value)).map(|place| place.node);
        let nodes: Vec<NodeId> = nodes.collect();
        nodes.into_iter().find(|&node| self.names(node))
    }

    /// The key under which a mapping stands, if it can be an id.
    pub(super) fn own_key(&mut self, mapping: Place, own_key: Option<NodeId>) -> Option<NodeId> {
        let key = self.expander.resolve(Place { node: own_key?, ..mapping })?.node;
        self.names(key).then_some(key)
    }

    /// Whether a node is a scalar that can be an id.
    fn names(&self, node: NodeId) -> bool {
        let scalar = self.expander.tree.scalar(node);
        scalar.is_some_and(|scalar| !scalar.is_null() && !scalar.text.trim().is_empty())
    }
}

/// Counts the cases of one id.
fn number(cases: &mut [Case]) {
    let mut seen: HashMap<CaseId, usize> = HashMap::new();
    for case in cases {
        let next = seen.entry(case.id.clone()).or_default();
        case.ordinal = *next;
        *next += 1;
    }
}

fn syntax_problems(source: SourceId, tree: &Tree<'_>, problems: &mut Vec<Problem>) {
    problems.extend(tree.errors.iter().map(|error| Problem::Yaml {
        message: error.message.clone(),
        span: Span::new(source, error.range.start, error.range.end),
    }));
}

fn addressed(source: SourceId, text: &str, tree: &Tree<'_>) -> Vec<Spanned> {
    let comments = tree.comments.iter().filter_map(|range| {
        let body = text[range.clone()].trim_start_matches('#').trim();
        let text = body.strip_prefix(ADDRESS)?.trim().to_owned();
        Some(Spanned { text, span: Span::new(source, range.start, range.end) })
    });
    comments.collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::cases::{PinKind, Scope};
    use crate::source::{RepoPath, Rev, Sources};
    use proptest::prelude::*;

    pub(in crate::cases) fn shape(id: &[&str], cites: &[&str], pattern: Option<&str>) -> Shape {
        Shape {
            id: id.iter().map(ToString::to_string).collect(),
            cites: cites.iter().map(ToString::to_string).collect(),
            cite_pattern: pattern.map(|pattern| regex::Regex::new(pattern).expect("a regex")),
            ..Shape::default()
        }
    }

    pub(in crate::cases) fn read(text: &str, shape: &Shape) -> Parsed<CaseFile, Problem> {
        let source = Sources::default().add(Rev::Worktree, RepoPath::new("cases.yaml"), text);
        parse(source, text, shape)
    }

    /// Each case as `id: citation, citation`, then each problem as `! message @ source`. A citation is shown as its
    /// source, with what it decodes to where that differs.
    fn shown(text: &str, shape: &Shape) -> Vec<String> {
        let parsed = read(text, shape);
        let slice = |span: Span| &text[span.start..span.end];
        let mut lines: Vec<String> = Vec::new();
        for case in &parsed.value.cases {
            let citations: Vec<String> = case
                .citations
                .iter()
                .map(|citation| {
                    let source = slice(citation.span);
                    assert!(slice(citation.scalar).contains(source), "{citation:?}");
                    let decoded = if citation.pins.is_empty() && citation.text != source {
                        format!("={}", citation.text)
                    } else {
                        String::new()
                    };
                    let alias = citation.alias.map_or("", |alias| slice(alias));
                    format!("{alias}{source}{decoded}")
                })
                .collect();
            lines.push(format!("{}: {}", case.id.0, citations.join(", ")));
        }
        for problem in &parsed.problems {
            let at = slice(problem.span());
            lines.push(match problem {
                Problem::Yaml { message, .. } | Problem::Case { message, .. } => format!("! {message} @ {at}"),
                Problem::DuplicateKey { key, first, .. } => format!("! {key} twice @ {} {at}", slice(*first)),
            });
        }
        lines
    }

    #[track_caller]
    pub(in crate::cases) fn check(text: &str, expected: &[&str]) {
        assert_eq!(shown(text, &Shape::default()), expected, "{text}");
    }

    #[track_caller]
    pub(in crate::cases) fn check_shape(shape: &Shape, text: &str, expected: &[&str]) {
        assert_eq!(shown(text, shape), expected, "{text}");
    }

    #[test]
    fn the_default_shape() {
        check(
            "cases:\n  - id: TC-1\n    cites:\n      - a/b\n      - m.md#c@v2.1\n      - section: d\n        quote: at 3 bar\n  - key: TC-2\n    cites: e\n",
            &["TC-1: a/b, m.md#c@v2.1, d", "TC-2: e"],
        );
        check(
            "TC-1: {cites: [a, [b, [c]]]}\nTC-2:\n  cites:\nTC-3: {cites: ''}\nTC-4: {cites: [~, ]}",
            &["TC-1: a, b, c", "TC-2: ", "TC-3: ", "TC-4: "],
        );
        check("- {id: 5.10, cites: [6.1, 6.10, 0x1F, no, 1e3]}", &["5.10: 6.1, 6.10, 0x1F, no, 1e3"]);
        check("- cites: a\n", &["! the case has no id; give it one of the keys `id`, `key` @ cites"]);
        check("- id: [x]\n  cites: a\n", &["! the case has no id; give it one of the keys `id`, `key` @ cites"]);
        check("a: 1\n---\nid: x\ncites: y\n...\n", &["x: y"]);
        check("", &[]);
        check("plain", &[]);
    }

    #[test]
    fn cases_inside_cases() {
        check("id: A\ncites: x\nsteps:\n  - id: B\n    cites: [y]\n", &["A: x", "B: y"]);
    }

    #[test]
    fn spans_are_exact_however_a_scalar_is_written() {
        check(
            "- id: 'it''s'\n  cites: ['a''b', \"x\\ty\\u00e9z\", \"\\\"q\\\"\"]\n",
            &["it's: a''b=a'b, x\\ty\\u00e9z=x\tyéz, \\\"q\\\"=\"q\""],
        );
        check("- id: é漢\n  cites: 'one\n\n    two'\n", &["é漢: one, two"]);
        check("- id: a\n  cites: one\n    two\n    three\n", &["a: one\n    two\n    three=one two three"]);
        check(
            "- id: a\n  cites: \"one\n    two\\\n    \\ three\"\n",
            &["a: one\n    two\\\n    \\ three=one two three"],
        );
        check("- id: a\n  cites: |\n    one\n    two\n  x: 1\n", &["a: one, two"]);
        check("- id: a\n  cites: >-\n\n    one\n    two\n\n\n    three\n", &["a: one\n    two=one two, three"]);
        check(
            "\u{feff}- id: a\r\n  cites: |\r\n    b\r\n    c\r\n- id:\td\r\n  cites: [\"e\r\n    f\"]",
            &["a: b, c", "d: e\r\n    f=e f"],
        );
        check("- id: a # é\n  cites: &x !!str b # c\n  n: *x\n", &["a: b"]);
    }

    #[test]
    fn spans_inside_scalars_are_exact() {
        let links = shape(&["heading"], &["heading"], None);
        check_shape(
            &links,
            "- heading: '[It''s `T`](a/b.md#t),\n    [U](c.md#u)'\n  features: []\n- heading: Plain\n",
            &["It's `T`, U: a/b.md#t, c.md#u", "Plain: Plain"],
        );
        check_shape(&links, "- heading: \"[\\u00e9](a.md#\\x62)\"\n", &["é: a.md#\\x62=a.md#b"]);
        let policy = shape(&["PolicyId"], &["PolicyId", "Text"], Some(r"MS\.\d+v\d+"));
        check_shape(
            &policy,
            "- PolicyId: MS.1v1\n- PolicyId: MS.1v1@c1-0123456789abcdef\n  Text: |\n    as MS.2v1 and\n    MS.3v1, too\n",
            &["MS.1v1: MS.1v1", "MS.1v1: MS.1v1@c1-0123456789abcdef, MS.2v1, MS.3v1"],
        );
    }

    #[test]
    fn other_peoples_shapes() {
        let nested = shape(&["id"], &["link.verifies", "refs.cis"], None);
        check_shape(
            &nested,
            "/one:\n  link: [{verifies: /a}, {note: x}, {verifies: [/b]}]\n/two: {refs: {cis: ['1.1']}}\n/three: {link: /c}",
            &["/one: /a, /b", "/two: 1.1"],
        );
        check_shape(
            &shape(&["id"], &["links"], None),
            "id: T\nlinks:\n- REQ3: 9TcF=\n- REQ4: c1-0123456789abcdef\n- REQ5: null\n  REQ6:\n",
            &["T: REQ3, REQ4, REQ5, REQ6"],
        );
        check_shape(&shape(&["id"], &["a.b"], None), "{id: x, a.b: y}", &["x: y"]);
        let several = shape(&["id", "name"], &["a", "b"], None);
        check_shape(&several, "{name: x, a: y, b: z}", &["x: y, z"]);
        check_shape(&several, "{name: x, a: &it y, b: *it}", &["x: y"]);
    }

    #[test]
    fn the_map_form() {
        let text = "id: T\ncites: {section: a@v1, rev: v2, fingerprint: c1-0123456789ABCDEF, quote: 'it''s', title: B, scope: own, mine: 1}";
        let parsed = read(text, &Shape::default());
        let citation = &parsed.value.cases[0].citations[0];
        let pins: Vec<(PinKind, &str)> =
            citation.pins.iter().map(|pin| (pin.kind.clone(), &text[pin.span.start..pin.span.end])).collect();
        assert_eq!(
            pins,
            [
                (PinKind::Revision("v1".into()), "v1"),
                (PinKind::Fingerprint("0123456789abcdef".into()), "c1-0123456789ABCDEF"),
                (PinKind::Revision("v2".into()), "v2"),
            ]
        );
        assert!(citation.scope == Scope::Own);
        let quote = citation.quote.as_ref().expect("a quote");
        assert_eq!((&*quote.text, &text[quote.span.start..quote.span.end]), ("it's", "it''s"));
        assert_eq!(parsed.problems, []);
    }

    #[test]
    fn aliases_and_merges() {
        check(
            "base: &b\n  id: B\n  cites: &c [x, y]\nT: {cites: *c}\nU: {<<: *b, id: U}\nV: {<<: [{id: V}, *b]}\nW: {cites: [*s]}\n",
            &[
                "B: x, y",
                "T: *cx, *cy",
                "U: *bx, *by",
                "V: *bx, *by",
                "W: ",
                "! unknown anchor `s`: no `&s` stands before this in the document; put the value in quotes if it is text @ *s",
            ],
        );
        check("- &a {id: A, cites: x}\n- {<<: *a, cites: z, id: B}\n- *a\n", &["A: x", "B: z"]);
        check(
            "a: &a {id: A, cites: x}\n---\nB: {cites: *a}\n",
            &[
                "A: x",
                "B: ",
                "! unknown anchor `a`: no `&a` stands before this in the document; put the value in quotes if it is text @ *a",
            ],
        );
        check(
            "T: {<<: 1, cites: x}",
            &["T: x", "! `<<` merges a mapping or a list of mappings; quote it if it is a key @ <<"],
        );
    }

    #[test]
    fn a_broken_document_does_not_hide_the_next() {
        let lines = shown("a: [1\n---\nid: x\ncites: y\n", &Shape::default());
        assert_eq!(lines[0], "x: y");
        assert!(lines[1].starts_with("! "), "{lines:?}");
        let lines = shown("id: w\ncites: v\n---\nid: x\ncites: y\n\tb: 1\n---\nid: z\ncites: q", &Shape::default());
        assert_eq!(lines.len(), 3, "{lines:?}");
    }

    #[test]
    fn hostile_files_are_bounded() {
        let deep = |open: &str, count| shown(&open.repeat(count), &Shape::default());
        for open in ["[", "{a: ", "- ", "? ", "{"] {
            assert!(!deep(open, 100_000).is_empty(), "{open}");
        }
        let nine = |name: &str, of: &str| format!("{name}: &{name} [{}]\n", [of; 9].join(", "));
        let mut laughs = "a0: &a0 [x]\n".to_owned();
        for level in 1..15 {
            laughs += &nine(&format!("a{level}"), &format!("*a{}", level - 1));
        }
        let lines = shown(&format!("{laughs}T: {{cites: *a14}}"), &Shape::default());
        assert_eq!(lines, ["T: *a14x"]);
        let lines = shown(&format!("{laughs}T: {{cites: x, y: *a14}}"), &Shape::default());
        assert_eq!(lines.len(), 2);
        let mut merges = "m0: &m0 {x: 1}\n".to_owned();
        for level in 1..30 {
            merges += &format!("m{level}: &m{level} {{<<: [*m{0}, *m{0}, *m{0}], k{level}: 1}}\n", level - 1);
        }
        assert_eq!(shown(&merges, &Shape::default()).len(), 1);
        // What merges itself brings in nothing: neither work nor a key that stands twice.
        check("- &a {id: T, <<: *a, cites: z, <<: [*a, *a]}\n- *a\n", &["T: z"]);
        check("- &a {id: T, x: &b {<<: *a, y: *b}, <<: *b, cites: z}\n", &["T: z", "T: *az"]);
        check(
            "T: &t {cites: [a], self: *t, all: [*t, *t]}\nU: &u {cites: *u}\nV: &v [*v]",
            &[
                "T: a",
                "U: ",
                "! not a citation; write a section's name, a map with the keys `section`, `rev`, `fingerprint`, `quote`, `title`, `scope`, or `section: fingerprint` @ cites",
            ],
        );
    }

    /// Shapes under which many mappings of [`yaml`] are cases.
    pub(in crate::cases) fn citing() -> [Shape; 2] {
        [Shape::default(), shape(&["a"], &["a", "b.c"], Some("[a-c]+1?"))]
    }

    /// Text that is often YAML: pieces that matter to it, put together at random.
    pub(in crate::cases) fn yaml() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            4 => "(id|cites|a|b|c|section|rev|quote): ",
            2 => "\r?\n( |  |    )?(- )?",
            2 => "[a-c1é]{1,4}",
            1 => "'[a-c \n]{0,5}(''|\\[a\\]\\(b\\))?'",
            1 => "\"[a-c \n]{0,5}(\\\\t|\\\\u00e9|\\\\\n)?[a-c]?\"",
            1 => "[|>][-+]?\n  [a-c]{1,3}\n\n? {2,3}[a-c]{1,3}\n",
            1 => "[\\[\\]{},:#&*!@?-]|<<: |\\*a|&a |# c|---\n|\t|\u{feff}",
            1 => "- id: x\n  cites: ([a-c], |\\[a\\]\\(b@c1-0123456789abcdef\\)|y@v1)[a-c]\n",
        ];
        let noise = proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat());
        let value = prop_oneof![
            "[a-cé]{1,3}([ ,#:-][a-c]{1,2}|\n    [a-c]{1,2}|@v1){0,2}( # c)?",
            "'[a-c]{1,2}(''|, |\n    |\n\n  |[a-c,]|\\[a\\]\\(b''\\)){0,4}[a-c]'",
            "\"[a-c]{1,2}(\\\\t|\\\\u00e9|, |\n    |\\\\\n   |[a-c,]|\\[a\\]\\(\\\\x61\\)){0,4}[a-c]\"",
            "[|>][-+]?( # c)?\n    [a-cé]{1,3}(\n\n?    [a-c ]{1,3}){0,2}\n{0,2}",
            "\\[[a-c]{1,2}, '[a-c]( |''|\n  )[a-c]', \\{section: a@v1, quote: b\\}, \\{[a-c]: \"c1-0123456789abcdef\"\\}\\]",
        ];
        let case = ("[&]?", value.clone(), value).prop_map(|(anchor, first, second)| {
            let anchor = if anchor.is_empty() { "" } else { "&a !t " };
            format!("- id: x\n  cites: {anchor}{first}\n  b:\n    c: {second}\n")
        });
        let cases = proptest::collection::vec(case, 1..4).prop_map(|cases| cases.concat());
        let endings = prop_oneof![Just("\n"), Just("\r\n")];
        let cases = (cases, endings).prop_map(|(cases, ending)| cases.replace('\n', ending));
        prop_oneof![noise, cases]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

        #[test]
        fn every_place_lies_in_the_text(text in prop_oneof![yaml(), ".{0,60}"], shape in 0..2_usize) {
            let source = Sources::default().add(Rev::Worktree, RepoPath::new("c"), "");
            let parsed = parse(source, &text, &citing()[shape]);
            let inside = |span: Span| prop_assert_ok(text.get(span.start..span.end));
            for case in &parsed.value.cases {
                inside(case.id_span)?;
                inside(case.span)?;
                for citation in &case.citations {
                    inside(citation.span)?;
                    let scalar = citation.scalar;
                    prop_assert!(scalar.start <= citation.span.start && citation.span.end <= scalar.end);
                    citation.pins.iter().try_for_each(|pin| inside(pin.span))?;
                    citation.quote.iter().try_for_each(|quote| inside(quote.span))?;
                }
            }
            let doubts = parsed.value.doubts.iter().map(|doubt| &doubt.problem);
            parsed.problems.iter().chain(doubts).try_for_each(|problem| inside(problem.span()))?;
        }
    }

    fn prop_assert_ok(slice: Option<&str>) -> Result<(), TestCaseError> {
        prop_assert!(slice.is_some());
        Ok(())
    }
}
