//! A YAML list of flat mappings, as `- {case: TC-1, cites: a/b}`, with the place of every value: the form of the pins
//! file. Does not know which keys there should be.

use std::ops::Range;

use crate::source::{Parsed, SourceId, Span};

use super::offsets::Offsets;
use super::tree::{self, Comments, Kind, NodeId, Tree};
use super::{Problem, Spanned};

/// One mapping of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The mapping, without the dash before it.
    pub(crate) span: Span,
    /// Keys and values in the order of the text. Values are without quotes; so are their places.
    pub(crate) fields: Vec<(String, Spanned)>,
}

impl Record {
    pub(crate) fn get(&self, key: &str) -> Option<&Spanned> {
        self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

/// Reads the list; what is no flat mapping is a problem, and the others are read all the same.
pub(crate) fn records(source: SourceId, text: &str) -> Parsed<Vec<Record>, Problem> {
    let tree = tree::read(text, Comments::Skip);
    let span = |range: Range<usize>| Span::new(source, range.start, range.end);
    let mut problems: Vec<Problem> = Vec::new();
    for error in &tree.errors {
        problems.push(Problem::Yaml { message: error.message.clone(), span: span(error.range.clone()) });
    }
    let mut records = Vec::new();
    for document in &tree.documents {
        let root = tree.get(document.root);
        let items = match &root.kind {
            Kind::Sequence { items, .. } => items.as_slice(),
            Kind::Scalar(scalar) if scalar.is_null() => &[],
            Kind::Scalar(_) | Kind::Mapping { .. } | Kind::Alias(_) => {
                problems.push(Problem::Case { message: "not a list".to_owned(), span: span(root.range.clone()) });
                &[]
            }
        };
        for &item in items {
            match record(source, text, &tree, item) {
                Ok(record) => records.push(record),
                Err(node) => problems.push(Problem::Case {
                    message: "not a mapping of single values".to_owned(),
                    span: span(tree.get(node).range.clone()),
                }),
            }
        }
    }
    Parsed { value: records, problems }
}

/// One mapping; the node that makes it none where it is none.
fn record(source: SourceId, text: &str, tree: &Tree<'_>, item: NodeId) -> Result<Record, NodeId> {
    let node = tree.get(item);
    let Kind::Mapping { entries, .. } = &node.kind else { return Err(item) };
    let mut fields = Vec::new();
    for &(key, value) in entries {
        let name = tree.scalar(key).ok_or(key)?;
        let scalar = tree.scalar(value).ok_or(value)?;
        let range = tree.get(value).range.clone();
        let content = Offsets::of(text, range.clone(), scalar).map_or(range, |offsets| offsets.content());
        let span = Span::new(source, content.start, content.end);
        fields.push((name.text.to_string(), Spanned { text: scalar.text.to_string(), span }));
    }
    Ok(Record { span: Span::new(source, node.range.start, node.range.end), fields })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{RepoPath, Rev, Sources};

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let source = Sources::default().add(Rev::Worktree, RepoPath::new("list.yaml"), text);
        let parsed = records(source, text);
        let slice = |span: Span| &text[span.start..span.end];
        let mut shown: Vec<String> = Vec::new();
        for record in &parsed.value {
            let fields = record.fields.iter().map(|(key, value)| format!("{key}={}|{}", value.text, slice(value.span)));
            shown.push(fields.collect::<Vec<_>>().join(" "));
        }
        shown.extend(parsed.problems.iter().map(|problem| format!("! {problem:?}").chars().take(8).collect()));
        assert_eq!(shown, expected, "{text:?}");
    }

    #[test]
    fn flat_mappings_are_read_with_their_places() {
        check("", &[]);
        check("# c\n", &[]);
        check("- {case: T, cites: 'it''s'}\n- case: 5.10\n", &["case=T|T cites=it's|it''s", "case=5.10|5.10"]);
        check("\u{feff}- {a: b}\r\n- {c: \"\\u00e9\"}", &["a=b|b", "c=é|\\u00e9"]);
    }

    #[test]
    fn what_is_none_is_a_problem() {
        check("a: b\n", &["! Case {"]);
        check("- a\n- {b: [c]}\n- {d: e}\n", &["d=e|e", "! Case {", "! Case {"]);
        check("- {a: b\n", &["! Yaml {"]);
    }
}
