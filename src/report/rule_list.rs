//! Rules as JSON, `citecheck.rules/1`: for editors and pages that show what a finding means. Only grows, like the other
//! documents.

use std::io::{self, Write};

use serde::Serialize;

use super::json::{TOOL, Tool};
use super::json_line;
use crate::diagnostic::{Level, Rule};

/// A rule with what only `rules` knows of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleFact {
    pub(crate) rule: &'static Rule,
    /// The most serious level that it has by itself; `None` is off.
    pub(crate) most: Option<Level>,
    /// Whether its findings can have a fix that `citecheck fix` applies.
    pub(crate) fixable: bool,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    rules: Vec<Entry>,
    tool: Tool,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    level: &'static str,
    max_level: &'static str,
    fixable: bool,
    summary: &'static str,
    /// Markdown.
    explanation: &'static str,
    examples: Vec<String>,
}

/// Writes the document with these rules.
pub(crate) fn render_rules(rules: &[RuleFact], out: &mut dyn Write) -> io::Result<()> {
    let rules = rules.iter().map(Entry::from).collect();
    json_line::write(&Document { schema: "citecheck.rules/1", rules, tool: TOOL }, out)
}

impl From<&RuleFact> for Entry {
    fn from(fact: &RuleFact) -> Self {
        let Rule { name, level, summary, explain } = fact.rule;
        let word = |level: Option<Level>| level.map_or("off", Level::name);
        Self {
            name,
            level: word(*level),
            max_level: word(fact.most),
            fixable: fact.fixable,
            summary,
            explanation: explain.trim(),
            examples: examples(explain),
        }
    }
}

/// What an explanation shows: the states in which a finding is not there, is reported, and is corrected, with their
/// blocks of code.
fn examples(explain: &str) -> Vec<String> {
    let heads = ["\nReviewed:\n", "\nReported:\n", "\nCorrected:\n"];
    let mut starts: Vec<usize> = heads.iter().filter_map(|head| explain.find(head)).collect();
    starts.sort_unstable();
    let ends = starts.iter().copied().skip(1).chain([explain.len()]);
    starts.iter().zip(ends).map(|(start, end)| explain[*start..end].trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    static MOVED: Rule = Rule {
        name: "section-moved",
        level: Some(Level::Warning),
        summary: "it moved",
        explain: "\nIt moved.\n\nReported:\n\n```yaml c.yaml\ncites: a/b\n```\n\nCorrected:\n\n```yaml c.yaml\ncites: c/b\n```\n",
    };

    #[test]
    fn a_rule_has_all_its_texts() {
        let mut out = Vec::new();
        render_rules(&[RuleFact { rule: &MOVED, most: Some(Level::Error), fixable: true }], &mut out).unwrap();
        let document: serde_json::Value = serde_json::from_slice(&out).unwrap();
        let expected = serde_json::json!({
            "name": "section-moved", "level": "warning", "max_level": "error", "fixable": true, "summary": "it moved",
            "explanation":
                "It moved.\n\nReported:\n\n```yaml c.yaml\ncites: a/b\n```\n\nCorrected:\n\n```yaml c.yaml\ncites: c/b\n```",
            "examples": ["Reported:\n\n```yaml c.yaml\ncites: a/b\n```", "Corrected:\n\n```yaml c.yaml\ncites: c/b\n```"],
        });
        assert_eq!((&document["schema"], &document["rules"][0]), (&"citecheck.rules/1".into(), &expected));
    }
}
