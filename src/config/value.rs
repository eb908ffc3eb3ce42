//! Values of each type out of the tree of a configuration, and what is said where there is another one.

use std::collections::{BTreeMap, BTreeSet};

use super::Problem;
use super::tree::{Node, Value};
use crate::nearest::nearest;
use crate::source::Span;

/// A mapping with keys of ours.
pub(super) struct Schema {
    /// Where it stands, as told to people; empty for the top.
    name: &'static str,
    keys: &'static [&'static str],
}

pub(super) const TOP: Schema = Schema {
    name: "",
    keys: &["manuals", "cases", "base-urls", "sections", "pins", "rules", "words", "coverage", "ai"],
};
pub(super) const CASES: Schema =
    Schema { name: "cases", keys: &["files", "id", "cites", "cite-pattern", "title", "status", "category"] };
pub(super) const SECTIONS: Schema = Schema { name: "sections", keys: &["id-patterns", "numbered-paragraphs"] };
pub(super) const WORDS: Schema = Schema { name: "words", keys: &["modality", "negation", "quantifier", "filler"] };
pub(super) const COVERAGE: Schema = Schema { name: "coverage", keys: &["taxonomy", "drafts"] };
pub(super) const AI: Schema = Schema { name: "ai", keys: &["endpoint", "model", "api-key-env"] };
const SCHEMAS: [&Schema; 6] = [&TOP, &CASES, &SECTIONS, &WORDS, &COVERAGE, &AI];

/// Collects problems while values are taken out.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) problems: Vec<Problem>,
}

/// A value and the key that leads to it.
#[derive(Clone, Copy)]
pub(super) struct Entry<'n> {
    pub(super) key: &'n str,
    pub(super) key_span: Span,
    pub(super) value: &'n Node,
}

/// The entries of a mapping by key.
pub(super) type Fields<'n> = BTreeMap<&'n str, Entry<'n>>;

impl Entry<'_> {
    /// Where to point: a collection's own place is often empty.
    pub(super) fn span(&self) -> Span {
        let span = self.value.span;
        if span.start == span.end { self.key_span } else { span }
    }
}

impl Reader {
    /// The entries of a mapping of ours, without those that have no value: they count as absent.
    pub(super) fn fields<'n>(&mut self, entry: Entry<'n>, schema: &Schema) -> Option<Fields<'n>> {
        let entries = self.entries(entry)?;
        let (known, unknown): (Vec<_>, Vec<_>) = entries.into_iter().partition(|it| schema.keys.contains(&it.key));
        for it in unknown {
            let place = if schema.name.is_empty() { String::new() } else { format!(" in `{}`", schema.name) };
            self.problem(it.key_span, &format!("unknown key `{}`{place}", it.key), &schema.help(it.key));
        }
        Some(known.into_iter().filter(|it| !matches!(it.value.value, Value::Nothing)).map(|it| (it.key, it)).collect())
    }

    /// The entries of a mapping with any keys, each key once. No value at all is an empty mapping.
    pub(super) fn entries<'n>(&mut self, entry: Entry<'n>) -> Option<Vec<Entry<'n>>> {
        let pairs: &[(Node, Node)] = match &entry.value.value {
            Value::Map(pairs) => pairs,
            Value::Nothing => &[],
            Value::Bool(_) | Value::Text(_) | Value::List(_) => {
                self.mismatch(entry, "a mapping");
                return None;
            }
        };
        let mut entries: Vec<Entry<'n>> = Vec::new();
        let mut seen = BTreeSet::new();
        for (key, value) in pairs {
            let Value::Text(name) = &key.value else {
                self.problem(key.span, "a key is text", "put it in quotes");
                continue;
            };
            if seen.insert(name) {
                entries.push(Entry { key: name, key_span: key.span, value });
            } else {
                self.problem(key.span, &format!("key `{name}` stands twice"), "remove one of them");
            }
        }
        Some(entries)
    }

    pub(super) fn texts(&mut self, entry: Entry<'_>) -> Vec<(String, Span)> {
        items(entry).into_iter().filter_map(|item| self.text(item)).collect()
    }

    pub(super) fn nonempty_texts(&mut self, entry: Entry<'_>) -> Vec<String> {
        items(entry).into_iter().filter_map(|item| self.nonempty_text(item)).collect()
    }

    pub(super) fn nonempty_text(&mut self, entry: Entry<'_>) -> Option<String> {
        let (text, span) = self.text(entry)?;
        if text.trim().is_empty() {
            self.problem(span, &format!("`{}` holds an empty text", entry.key), "write a word, or remove it");
        }
        Some(text)
    }

    pub(super) fn text(&mut self, entry: Entry<'_>) -> Option<(String, Span)> {
        match &entry.value.value {
            Value::Text(text) => Some((text.clone(), entry.span())),
            Value::Nothing | Value::Bool(_) | Value::List(_) | Value::Map(_) => {
                self.mismatch(entry, "text");
                None
            }
        }
    }

    pub(super) fn bool(&mut self, entry: Entry<'_>) -> bool {
        match &entry.value.value {
            Value::Bool(value) => *value,
            Value::Nothing | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                self.mismatch(entry, "`true` or `false`");
                false
            }
        }
    }

    pub(super) fn choice<T: Copy>(&mut self, entry: Entry<'_>, choices: &[(&str, T)]) -> Option<T> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let Value::Text(text) = &entry.value.value else {
            self.mismatch(entry, &format!("one of {}", listed(&names)));
            return None;
        };
        let chosen = choices.iter().find(|(name, _)| name == text).map(|(_, value)| *value);
        if chosen.is_none() {
            let help = similar("value", text, &names).unwrap_or_else(|| format!("write one of {}", listed(&names)));
            self.problem(entry.span(), &format!("unknown value `{text}` for `{}`", entry.key), &help);
        }
        chosen
    }

    fn mismatch(&mut self, entry: Entry<'_>, expected: &str) {
        let found = match &entry.value.value {
            Value::Nothing => "nothing",
            Value::Bool(true) => "`true`",
            Value::Bool(false) => "`false`",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
        };
        let message = format!("expected {expected} for `{}`, found {found}", entry.key);
        self.problems.push(Problem { message, span: entry.span(), help: None });
    }

    pub(super) fn problem(&mut self, span: Span, message: &str, help: &str) {
        self.problems.push(Problem { message: message.to_owned(), span, help: Some(help.to_owned()) });
    }
}

impl Schema {
    pub(super) fn has(&self, key: &str) -> bool {
        self.keys.contains(&key)
    }

    /// What to do about a key that is not in it: the nearest one, the mapping it belongs to, or all there are.
    pub(super) fn help(&self, key: &str) -> String {
        let elsewhere = SCHEMAS.iter().find(|schema| schema.keys.contains(&key)).map(|schema| match schema.name {
            "" => format!("`{key}` stands at the top level"),
            name => format!("`{key}` stands under `{name}`"),
        });
        let near = || similar("key", key, self.keys);
        elsewhere.or_else(near).unwrap_or_else(|| format!("the keys here are {}", listed(self.keys)))
    }
}

/// A list's items; a single value stands for a list of one.
pub(super) fn items(entry: Entry<'_>) -> Vec<Entry<'_>> {
    match &entry.value.value {
        Value::List(items) => items.iter().map(|value| Entry { value, ..entry }).collect(),
        Value::Nothing | Value::Bool(_) | Value::Text(_) | Value::Map(_) => vec![entry],
    }
}

pub(super) fn similar(what: &str, name: &str, candidates: &[&str]) -> Option<String> {
    nearest(name, candidates).map(|near| format!("a {what} with a similar name exists: `{near}`"))
}

/// "`a`, `b`, `c`".
fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
