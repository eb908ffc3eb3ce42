//! The configuration that `init` proposes: every key with a line on what it does. Writes no file.

use std::fmt::Write;

/// What was found in a repository beyond the defaults; empty proposes the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// Patterns of manual files.
    pub(crate) manuals: Vec<String>,
    pub(crate) cases: Vec<FoundCases>,
}

/// Case files of one shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FoundCases {
    pub(crate) files: Vec<String>,
    pub(crate) id: Vec<String>,
    pub(crate) cites: Vec<String>,
}

const HEAD: &str = "\
# Configuration of citecheck, which tells the test cases that may be out of date when the manual changes.
# Everything is optional: what is commented out shows the default or an example. A key that does not exist is an error.
# Patterns are as in .gitignore: without / they match at any depth, a leading ! excludes, the last match decides.
";

const MANUALS: &str = "
# The Markdown files that make up the manual.
";

const CASES: &str = "
# The YAML files with the test cases, in groups of one shape. The first group that selects a file decides.
#   id: keys that may hold the id of a case; without one it is the key of the case in its parent.
#   cites: keys that hold citations, one or a list of them; links.verifies is the key verifies in the mapping links.
#   cite-pattern: a regular expression for the citation in a longer text; every match is one.
";

const CITE_PATTERN: &str = "#   cite-pattern: 'REQ-\\d+'\n";

const REST: &str = r#"
# Published addresses of manual files: a citation that starts with one cites the file in the repository.
# base-urls:
#   "https://docs.example.org/manual/": "docs/"

# How sections are found beside headings.
#   id-patterns: regular expressions with a group id; a block whose first line starts with a match is a section.
#   numbered-paragraphs: whether paragraphs that start with a number, as 1.1, are sections in a text without headings.
# sections:
#   id-patterns: ['^\*\*(?P<id>REQ-\d+)\*\*']
#   numbered-paragraphs: false
"#;

const PINS: &str = "
# Where `citecheck accept` records that a citation was reviewed: inline, in the citation itself, or file, in
# citecheck.pins.yaml beside this file, for case files that other programs read.
";

const TAIL: &str = r#"
# Levels of rules: error, warning, note or off. `citecheck rules` lists the rules with their own levels.
# rules:
#   text-reworded: warning
#   uncovered-section: off

# Words that signal a change of meaning, beside the built-in ones.
# words:
#   modality: []
#   negation: []
#   quantifier: []
#   comparator: []
#   unit: []

# An OpenAI-compatible endpoint for `check --judge` and `draft`. Nothing is sent unless one of them is used.
# ai:
#   endpoint: "http://127.0.0.1:8080/v1"
#   model: some-model
#   api-key-env: CITECHECK_API_KEY
"#;

/// The text of a configuration, with what was found as values and everything else commented out.
pub(crate) fn template(found: &Found) -> String {
    let own_citations = found.cases.iter().all(|group| group.cites.iter().all(|key| key == "cites"));
    let pins = if own_citations { "# pins: inline\n" } else { "pins: file\n" };
    let mut out = String::from(HEAD);
    out.push_str(MANUALS);
    out.push_str(&manuals(&found.manuals));
    out.push_str(CASES);
    out.push_str(&cases(&found.cases));
    for part in [REST, PINS, pins, TAIL] {
        out.push_str(part);
    }
    out
}

fn manuals(patterns: &[String]) -> String {
    match patterns {
        [] => "# manuals: [\"**/*.md\", \"**/*.markdown\"]\n".to_owned(),
        patterns => format!("manuals: {}\n", list(patterns)),
    }
}

fn cases(groups: &[FoundCases]) -> String {
    if groups.iter().all(|group| *group == FoundCases::default()) {
        return format!(
            "# cases:\n# - files: [\"**/*.yaml\", \"**/*.yml\"]\n#   id: [id, key]\n#   cites: [cites]\n{CITE_PATTERN}"
        );
    }
    let mut out = String::from("cases:\n");
    for group in groups {
        let lists = [("files", &group.files), ("id", &group.id), ("cites", &group.cites)];
        // A key without values would be an error; left out, its default holds.
        let found = lists.into_iter().filter(|(_, values)| !values.is_empty());
        let lines: Vec<String> = found.map(|(key, values)| format!("{key}: {}\n", list(values))).collect();
        if !lines.is_empty() {
            write!(out, "- {}", lines.join("  ")).expect("writing to a string does not fail");
        }
    }
    out.push_str(CITE_PATTERN);
    out
}

fn list(values: &[String]) -> String {
    format!("[{}]", values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(", "))
}

/// A YAML scalar in double quotes, whatever the text is: names of files come from the repository.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            ' '..='~' | '\u{a1}'..='\u{1fff}' | '\u{3001}'..='\u{d7ff}' => out.push(character),
            _ => write!(out, "\\U{:08x}", u32::from(character)).expect("writing to a string does not fail"),
        }
    }
    out.push('"');
    out
}
