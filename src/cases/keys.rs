//! What can be wrong with a mapping's keys, whether it is a case or not: the same key twice, a merge of nothing.

use std::collections::HashMap;

use crate::source::{SourceId, Span};

use super::Problem;
use super::expand::is_merge;
use super::tree::{Kind, NodeId, Tree};

/// Mappings with more keys than this are searched by a table.
const FEW_KEYS: usize = 16;

/// Reports keys that stand twice, and merge keys that merge nothing.
pub(super) fn check(source: SourceId, tree: &Tree<'_>, entries: &[(NodeId, NodeId)], problems: &mut Vec<Problem>) {
    let span = |node: NodeId| {
        let range = &tree.get(node).range;
        Span::new(source, range.start, range.end)
    };
    let (merges, named): (Vec<_>, Vec<_>) = entries.iter().partition(|(key, _)| is_merge(tree, *key));
    for (key, value) in merges {
        if !can_be_merged(tree, value) {
            let message = "`<<` merges a mapping or a list of mappings; quote it if it is a key".to_owned();
            problems.push(Problem::Case { message, span: span(key) });
        }
    }
    let named: Vec<(&str, NodeId)> = named.iter().filter_map(|&(key, _)| Some((tree.key(key)?, key))).collect();
    for (first, second) in repeated(&named) {
        let key = tree.key(second).unwrap_or_default().to_owned();
        problems.push(Problem::DuplicateKey { key, first: span(first), second: span(second) });
    }
}

/// Each key that repeats an earlier one, with the first of that name.
fn repeated(named: &[(&str, NodeId)]) -> Vec<(NodeId, NodeId)> {
    if named.len() <= FEW_KEYS {
        let pairs = named.iter().enumerate().filter_map(|(at, (name, key))| {
            let (_, first) = named[..at].iter().find(|(earlier, _)| earlier == name)?;
            Some((*first, *key))
        });
        return pairs.collect();
    }
    let mut seen: HashMap<&str, NodeId> = HashMap::with_capacity(named.len());
    let pairs = named.iter().map(|&(name, key)| (*seen.entry(name).or_insert(key), key));
    pairs.filter(|(first, key)| first != key).collect()
}

/// A mapping, an alias of one, or a list of these. An unknown alias is told elsewhere.
fn can_be_merged(tree: &Tree<'_>, value: NodeId) -> bool {
    let is_mapping = |node: NodeId| match &tree.target(node).kind {
        Kind::Mapping { .. } | Kind::Alias(_) => true,
        Kind::Scalar(_) | Kind::Sequence { .. } => false,
    };
    match &tree.target(value).kind {
        Kind::Sequence { items, .. } => items.iter().all(|&item| is_mapping(item)),
        Kind::Scalar(_) | Kind::Mapping { .. } | Kind::Alias(_) => is_mapping(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::tree::{self, Comments};
    use crate::source::{RepoPath, Rev, Sources};

    /// Compares the problems of the outermost mapping's keys, each as `message or key@offset`.
    #[track_caller]
    fn check_root(text: &str, expected: &[&str]) {
        let source = Sources::default().add(Rev::Worktree, RepoPath::new("cases.yaml"), "");
        let tree = tree::read(text, Comments::Skip);
        let mut problems = Vec::new();
        if let Kind::Mapping { entries, .. } = &tree.get(tree.documents[0].root).kind {
            check(source, &tree, entries, &mut problems);
        }
        let shown = problems.iter().map(|problem| match problem {
            Problem::Yaml { message, span } | Problem::Case { message, span } => format!("{message}@{}", span.start),
            Problem::DuplicateKey { key, first, second } => format!("{key}@{},{}", first.start, second.start),
        });
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn repeated_keys_are_told() {
        check_root("{a: 1, b: 2}", &[]);
        check_root("{a: 1, 'a': 2, a: 3}", &["a@1,7", "a@1,15"]);
        check_root("{&k a: 1, *k : 2}", &["a@4,10"]);
        check_root("{[a]: 1, [a]: 2, {}: 3}", &[]);
        let many: String = (10..50).map(|n| format!("{n}: 1\n")).collect();
        check_root(&format!("{many}17: 2\n"), &["17@42,240"]);
    }

    #[test]
    fn merges_need_mappings() {
        check_root("{<<: {}, <<: [{}, {}]}", &[]);
        check_root("{m: &m {}, l: &l [*m], <<: *m, <<: *l, <<: [*m]}", &[]);
        let message = "`<<` merges a mapping or a list of mappings; quote it if it is a key@1";
        check_root("{<<: 1}", &[message]);
        check_root("{<<: [1]}", &[message]);
        check_root("{'<<': 1}", &[]);
    }
}
