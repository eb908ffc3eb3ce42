//! Edits to case files: replaces citations, or whole scalars, and leaves every other byte alone. Reads the result back
//! before it hands it out. Writes no files, and does not ask who else uses a scalar through an alias.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::source::Span;

use super::encode::{self, Site};
use super::tree::{self, Comments, Kind, Node, NodeId, Style, Tree};

/// What to put in the place of a citation or a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    /// As the parser gave it: of a citation, a pin, or a scalar with or without its quotes.
    pub(crate) span: Span,
    /// The new text, decoded: quotes and escapes are put as the place needs them.
    pub(crate) text: String,
}

/// Why nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SpliceError {
    pub(crate) message: String,
    pub(crate) span: Span,
}

/// Applies `edits` to `text`. The quotes stay where they can hold the new text. Equal edits count once.
pub(crate) fn splice(text: &str, edits: &[Edit]) -> Result<String, SpliceError> {
    let Some(first) = edits.first() else { return Ok(text.to_owned()) };
    let before = tree::read(text, Comments::Keep);
    if let Some(error) = before.errors.first() {
        let span = Span { start: error.range.start, end: error.range.end, ..first.span };
        return Err(SpliceError { message: format!("the file is not valid YAML: {}", error.message), span });
    }
    let sites = sites(&before);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    let mut expected = BTreeMap::new();
    for (id, parts) in by_scalar(&before, edits)? {
        let node = before.get(id);
        let Some(scalar) = before.scalar(id) else { continue };
        let source = &text[node.range.clone()];
        let parts = relative(&parts, node.range.start)?;
        let rewritten = encode::rewrite(source, scalar, sites[id.index()], &parts).map_err(|message| SpliceError {
            message: message.to_owned(),
            span: Span { start: node.range.start, end: node.range.end, ..first.span },
        })?;
        out += &text[from..node.range.start];
        out += &rewritten.source;
        from = node.range.end;
        expected.insert(id, rewritten.decoded);
    }
    out += &text[from..];
    let after = tree::read(&out, Comments::Keep);
    match difference(&before, text, &after, &out, &expected) {
        None => Ok(out),
        Some(range) => Err(SpliceError {
            message: "the edit would change more than the citation".to_owned(),
            span: Span { start: range.start, end: range.end, ..first.span },
        }),
    }
}

/// The scalar that each edit lies in, and its edits from front to back.
fn by_scalar<'e>(tree: &Tree<'_>, edits: &'e [Edit]) -> Result<BTreeMap<NodeId, Vec<&'e Edit>>, SpliceError> {
    let scalars: Vec<(NodeId, &Node<'_>)> = tree.ids().filter(|(_, node)| is_written(node)).collect();
    let mut found: BTreeMap<NodeId, Vec<&Edit>> = BTreeMap::new();
    for edit in edits {
        let behind = scalars.partition_point(|(_, node)| node.range.start <= edit.span.start);
        let scalar = behind.checked_sub(1).map(|at| scalars[at]).filter(|(_, node)| edit.span.end <= node.range.end);
        let Some((id, _)) = scalar else {
            return Err(SpliceError { message: "no scalar stands here".to_owned(), span: edit.span });
        };
        found.entry(id).or_default().push(edit);
    }
    for parts in found.values_mut() {
        parts.sort_by_key(|edit| edit.span);
        parts.dedup();
    }
    Ok(found)
}

fn is_written(node: &Node<'_>) -> bool {
    match &node.kind {
        Kind::Scalar(scalar) => scalar.style != Style::Absent,
        Kind::Sequence { .. } | Kind::Mapping { .. } | Kind::Alias(_) => false,
    }
}

/// The edits of one scalar, counted from its start.
fn relative<'e>(parts: &[&'e Edit], start: usize) -> Result<Vec<(Range<usize>, &'e str)>, SpliceError> {
    let overlapping = parts.windows(2).find(|pair| pair[1].span.start < pair[0].span.end);
    if let Some([_, second]) = overlapping {
        return Err(SpliceError { message: "two edits change the same text".to_owned(), span: second.span });
    }
    Ok(parts.iter().map(|edit| (edit.span.start - start..edit.span.end - start, &*edit.text)).collect())
}

/// What surrounds each node, by its index.
fn sites(tree: &Tree<'_>) -> Vec<Site> {
    let mut sites = vec![Site::default(); tree.nodes().len()];
    // Collections start before what is in them, so theirs is known when it is needed.
    for (id, node) in tree.ids() {
        let around = sites[id.index()].flow;
        match &node.kind {
            Kind::Sequence { items, flow } => {
                items.iter().for_each(|item| sites[item.index()].flow = around || *flow);
            }
            Kind::Mapping { entries, flow } => {
                for (key, value) in entries {
                    sites[key.index()] = Site { flow: around || *flow, key: true };
                    sites[value.index()].flow = around || *flow;
                }
            }
            Kind::Scalar(_) | Kind::Alias(_) => {}
        }
    }
    sites
}

/// The place in `before` of the first node that is not as it should be in `after`.
fn difference(
    before: &Tree<'_>,
    text: &str,
    after: &Tree<'_>,
    out: &str,
    expected: &BTreeMap<NodeId, String>,
) -> Option<Range<usize>> {
    let mut after_nodes = after.nodes().iter();
    for (id, node) in before.ids() {
        let same = after_nodes.next().is_some_and(|after| {
            let same_kind = match (expected.get(&id), &after.kind) {
                (Some(expected), Kind::Scalar(scalar)) => scalar.text == *expected,
                (Some(_), Kind::Sequence { .. } | Kind::Mapping { .. } | Kind::Alias(_)) => false,
                (None, kind) => *kind == node.kind,
            };
            same_kind && after.anchored == node.anchored && after.tag == node.tag
        });
        if !same {
            return Some(node.range.clone());
        }
    }
    // The parser tells of no comment behind a block scalar's header; after the edit it may be an ordinary one.
    let mut comments = after.comments.iter().map(|range| &out[range.clone()]);
    let whole = after_nodes.next().is_none()
        && after.errors.is_empty()
        && before.documents == after.documents
        && before.comments.iter().all(|range| comments.any(|comment| *comment == text[range.clone()]));
    (!whole).then_some(0..0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::{Shape, parse};
    use crate::source::{RepoPath, Rev, SourceId, Sources};

    fn source() -> SourceId {
        Sources::default().add(Rev::Worktree, RepoPath::new("cases.yaml"), "")
    }

    /// Replaces every citation of `text` by `with`.
    #[track_caller]
    fn check(text: &str, with: &str, expected: &str) {
        let parsed = parse(source(), text, &Shape::default());
        let edits: Vec<Edit> = (parsed.value.cases.iter().flat_map(|case| &case.citations))
            .map(|citation| Edit { span: citation.span, text: with.to_owned() })
            .collect();
        assert!(!edits.is_empty());
        assert_eq!(splice(text, &edits).as_deref(), Ok(expected));
    }

    #[test]
    fn quotes_stay_where_they_can() {
        check("- id: T # c\n  cites: 5.10   # é\n", "5.11", "- id: T # c\n  cites: 5.11   # é\n");
        check("- {id: T, cites: '5.10', x: 1}", "it's", "- {id: T, cites: 'it''s', x: 1}");
        check("- {id: T, cites: \"5.10\"}", "a \"b\"", "- {id: T, cites: \"a \\\"b\\\"\"}");
        check("- {id: T, cites: &x !!str a , y: *x}", "b", "- {id: T, cites: &x !!str b , y: *x}");
        check("\u{feff}id: T\r\ncites:\r\n- a\r\n- b", "c@v1", "\u{feff}id: T\r\ncites:\r\n- c@v1\r\n- c@v1");
        check("id: T\ncites: |\n  a\n  b\n", "c", "id: T\ncites: |\n  c\n  c\n");
        check("id: T\ncites: >- # c\n  a\n  b\nx: 1", "c", "id: T\ncites: >- # c\n  c\nx: 1");
        check("id: T\ncites: a b\n  c\nx: 1", "d", "id: T\ncites: d\nx: 1");
        check(
            "id: T\ncites: {REQ3: abc=}\n",
            "REQ3@c1-0123456789abcdef",
            "id: T\ncites: {REQ3@c1-0123456789abcdef: abc=}\n",
        );
    }

    #[test]
    fn what_cannot_stay_plain_is_quoted() {
        check("id: T\ncites: a # c\n", "a: b #c", "id: T\ncites: 'a: b #c' # c\n");
        check("id: T\ncites: [a, b]\n", "x, y", "id: T\ncites: ['x, y', 'x, y']\n");
        check("id: T\ncites:\n- a\n", "- b", "id: T\ncites:\n- '- b'\n");
        check("id: T\ncites: a", "no", "id: T\ncites: 'no'");
        check("id: T\ncites: a", "", "id: T\ncites: ''");
        check("id: T\ncites: 'a'", "a\tb\n", "id: T\ncites: \"a\\tb\\n\"");
        check("id: T\ncites: {a: }", "b: c", "id: T\ncites: {'b: c': }");
        check("id: T\ncites: |- # c\n  a\nx: 1\n", " b", "id: T\ncites: ' b' # c\nx: 1\n");
    }

    #[test]
    fn parts_of_a_scalar() {
        check("id: T\ncites: a, b/c\n", "d", "id: T\ncites: d, d\n");
        check(
            "id: T\ncites: '[It''s](a.md),\n  [B](b.md#c)'\n",
            "d.md#e",
            "id: T\ncites: '[It''s](d.md#e),\n  [B](d.md#e)'\n",
        );
        check("id: T\ncites: \"\\u00e9 [x](\\x61)\"\n", "b", "id: T\ncites: \"\\u00e9 [x](b)\"\n");
        check("id: T\ncites: {section: a, rev: v1}\n", "b", "id: T\ncites: {section: b, rev: v1}\n");
        // The parser overlooks a comment behind a tab.
        check("id: T\ncites: a\n\t#c\n b\n", "d", "id: T\ncites: d\n\t#c\n d\n");
        check("id: T\ncites: a\r\t#\r b\n", "d", "id: T\ncites: d\r\t#\r d\n");
        // A line that is deeper keeps its line breaks, though nothing stands in it.
        check("id: T\ncites: >-\n\n   a=>\n\n    \n    b\n", "c", "id: T\ncites: >-\n\n   c\n\n    \n    c\n");
        check("id: T\ncites: >\n  a\n   \n  b\n   \nx: 1\n", "c", "id: T\ncites: >\n  c\n   \n  c\n   \nx: 1\n");
        check("id: T\ncites: |1+\n   \n\n  a\n b\n   ", "c", "id: T\ncites: |1+\n   \n\n  c\n c\n   ");
        check("a: &a {id: A, cites: x}\nb: {<<: *a, id: B}\n", "z", "a: &a {id: A, cites: z}\nb: {<<: *a, id: B}\n");
    }

    #[test]
    fn a_text_that_cannot_be_followed_is_left_alone() {
        let scalar = tree::Scalar { text: "a, b".into(), style: Style::Plain };
        let why = encode::rewrite("a; b", &scalar, Site::default(), &[(0..4, "c")]).expect_err("refused");
        assert_eq!(why, "it is not clear where in this scalar the text stands");
    }

    mod properties {
        use super::*;
        use crate::cases::parse::tests::{citing, yaml};
        use proptest::prelude::*;

        proptest! {
            #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

            #[test]
            fn putting_back_what_is_there_changes_nothing(text in yaml(), shape in 0..2_usize) {
                let parsed = parse(source(), &text, &citing()[shape]);
                if parsed.problems.iter().any(|problem| matches!(problem, crate::cases::Problem::Yaml { .. })) {
                    return Ok(());
                }
                for citation in parsed.value.cases.iter().flat_map(|case| &case.citations) {
                    if citation.pins.is_empty() {
                        let edit = Edit { span: citation.span, text: citation.text.clone() };
                        let out = splice(&text, &[edit]);
                        if text[citation.span.start..citation.span.end] == citation.text {
                            prop_assert_eq!(out.as_deref(), Ok(&*text));
                        } else {
                            prop_assert!(out.is_ok(), "{:?}", out);
                        }
                    }
                }
            }

            #[test]
            fn an_edit_changes_its_citation_only(text in yaml(), shape in 0..2_usize, with in "[ -~é\n]{0,8}") {
                let parsed = parse(source(), &text, &citing()[shape]);
                for citation in parsed.value.cases.iter().flat_map(|case| &case.citations) {
                    let span = citation.scalar;
                    if let Ok(out) = splice(&text, &[Edit { span: citation.span, text: with.clone() }]) {
                        prop_assert_eq!(&out[..span.start], &text[..span.start]);
                        prop_assert!(out.ends_with(&text[span.end..]));
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_not_safe_is_refused() {
        let fails = |text: &str, edits: &[(usize, usize, &str)]| {
            let source = source();
            let edits: Vec<Edit> = (edits.iter())
                .map(|&(start, end, text)| Edit { span: Span::new(source, start, end), text: text.to_owned() })
                .collect();
            splice(text, &edits).expect_err("refused").message
        };
        assert_eq!(fails("a: b\r\t#\r c\n", &[(3, 9, "x")]), "the edit would change more than the citation");
        assert_eq!(
            fails("a: [1\n", &[(0, 1, "b")]),
            "the file is not valid YAML: unclosed bracket `[`; close it with `]`"
        );
        assert_eq!(fails("a: bcd", &[(3, 5, "x"), (4, 6, "y")]), "two edits change the same text");
        assert_eq!(fails("a: b", &[(1, 3, "x")]), "no scalar stands here");
        assert_eq!(fails("a:\nb: c", &[(1, 1, "x")]), "the place cuts through an escape or a line break");
        assert_eq!(fails("a: \"\\u00e9\"", &[(6, 8, "x")]), "the place cuts through an escape or a line break");
    }
}
