//! The configuration that `init` proposes: every key with a line on what it does. Writes no file.

use std::fmt::Write;

/// What was found in a repository beyond the defaults; empty proposes the defaults. Notes are sentences that say how it
/// was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    /// Patterns of manual files.
    pub(crate) manuals: Vec<String>,
    pub(crate) manual_notes: Vec<String>,
    pub(crate) cases: Vec<FoundCases>,
    /// Published addresses and the folders behind them.
    pub(crate) base_urls: Vec<(String, String)>,
    pub(crate) base_url_notes: Vec<String>,
    pub(crate) id_patterns: Vec<String>,
    pub(crate) numbered_paragraphs: bool,
    pub(crate) section_notes: Vec<String>,
    /// What a person has to look at.
    pub(crate) doubts: Vec<String>,
}

/// Case files of one shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FoundCases {
    pub(crate) files: Vec<String>,
    pub(crate) id: Vec<String>,
    pub(crate) cites: Vec<String>,
    pub(crate) cite_pattern: Option<String>,
    pub(crate) notes: Vec<String>,
}

// A line of prose is `# prose`; a commented-out one is `#key: value`, so that it holds once its `#` is gone.

const HEAD: &str = "\
# Configuration of citecheck, which tells the test cases that may be out of date when the manual changes.
# Everything is optional: what is commented out shows the default, or an example where the default is nothing.
# Patterns are as in .gitignore: without / they match at any depth, a leading ! excludes, the last match decides.
";

const MANUALS: &str = "
# The Markdown files that make up the manual.
";

const CASES: &str = "
# The YAML files with the test cases, in groups of one shape. The first group that selects a file decides.
# `id`: keys that may hold the id of a case; without one it is the key of the case in its parent.
# `cites`: keys that hold citations, one or a list of them; links.verifies is the key verifies in the mapping links.
# `cite-pattern`: a regular expression for the citation in a longer text; every match is one.
# `title`, `status`, `category`: keys for what `citecheck coverage` tells of a case.
";

const CITE_PATTERN: &str = "#  cite-pattern: 'REQ-\\d+'\n";

const FURTHER: &str = "\
#  title: [title]
#  status: [status]
#  category: [category]
";

const BASE_URLS: &str = "
# Published addresses of manual files: a citation that starts with one cites the file in the repository.
";

const NO_BASE_URLS: &str = "\
#base-urls:
#  \"https://docs.example.org/manual/\": \"docs/\"
";

const SECTIONS: &str = "
# How sections are found beside headings.
# `id-patterns`: regular expressions with a group id; a block that starts with a match is a section with that id.
# `numbered-paragraphs`: whether paragraphs that start with a number, as 1.1, are sections in a text without headings.
";

const NO_SECTIONS: &str = r"#sections:
#  id-patterns: ['^\*\*(?P<id>REQ-\d+)\*\*']
#  numbered-paragraphs: false
";

/// Before what was seen in the repository, which is no explanation of a key.
const FOUND: &str = "Found: ";

const PINS: &str = "
# Where `citecheck accept` records that a citation was reviewed: inline, in the citation itself, or file, in
# citecheck.pins.yaml beside this file, for case files that other programs read.
";

const TAIL: &str = r#"
# Levels of rules: error, warning, note or off. `citecheck rules` lists the rules with their own levels.
#rules:
#  text-reworded: warning
#  uncovered-section: off

# Words that signal a change of meaning, beside the built-in ones.
#words:
#  modality: []
#  negation: []
#  quantifier: []
#  filler: []

# What `citecheck coverage` counts by: the categories that a case may have, and the statuses of cases that are not
# finished. `check` looks at categories only where a taxonomy is written down.
#coverage:
#  taxonomy:
#  - software lifecycle
#  - risk management
#  - design control
#  - usability
#  - electrical safety
#  - alarms
#  - third-party software
#  - maintenance
#  - unclassified
#  drafts: [draft]
"#;

/// The text of a configuration, with what was found as values and everything else commented out.
pub(crate) fn template(found: &Found) -> String {
    let own_citations = found.cases.iter().all(|group| group.cites.iter().all(|key| key == "cites"));
    let pins = if own_citations { "#pins: inline\n" } else { "pins: file\n" };
    let mut out = String::from(HEAD);
    if !found.doubts.is_empty() {
        out.push_str("#\n# Look at these, where the proposal may be wrong:\n");
        notes("- ", &found.doubts, &mut out);
    }
    out.push_str(MANUALS);
    manuals(found, &mut out);
    out.push_str(CASES);
    cases(&found.cases, &mut out);
    out.push_str(BASE_URLS);
    base_urls(found, &mut out);
    out.push_str(SECTIONS);
    sections(found, &mut out);
    for part in [PINS, pins, TAIL] {
        out.push_str(part);
    }
    out
}

fn manuals(found: &Found, out: &mut String) {
    notes(FOUND, &found.manual_notes, out);
    match found.manuals.as_slice() {
        [] => out.push_str("#manuals: [\"**/*.md\", \"**/*.markdown\"]\n"),
        patterns => line(out, "", "manuals", &list(patterns)),
    }
}

fn cases(groups: &[FoundCases], out: &mut String) {
    let is_found = |group: &&FoundCases| ![&group.files, &group.id, &group.cites].iter().all(|it| it.is_empty());
    let groups: Vec<&FoundCases> = groups.iter().filter(is_found).collect();
    if groups.is_empty() {
        out.push_str("#cases:\n#- files: [\"**/*.yaml\", \"**/*.yml\"]\n#  id: [id, key]\n#  cites: [cites]\n");
        out.push_str(CITE_PATTERN);
        out.push_str(FURTHER);
        return;
    }
    out.push_str("cases:\n");
    for group in &groups {
        notes(FOUND, &group.notes, out);
        let lists = [("files", &group.files), ("id", &group.id), ("cites", &group.cites)];
        // A key without values would be an error; left out, its default holds.
        let found = lists.into_iter().filter(|(_, values)| !values.is_empty());
        for (at, (key, values)) in found.enumerate() {
            line(out, if at == 0 { "- " } else { "  " }, key, &list(values));
        }
        if let Some(pattern) = &group.cite_pattern {
            line(out, "  ", "cite-pattern", &quoted(pattern));
        }
    }
    if groups.iter().all(|group| group.cite_pattern.is_none()) {
        out.push_str(CITE_PATTERN);
    }
    out.push_str(FURTHER);
}

fn base_urls(found: &Found, out: &mut String) {
    if found.base_urls.is_empty() {
        return out.push_str(NO_BASE_URLS);
    }
    notes(FOUND, &found.base_url_notes, out);
    out.push_str("base-urls:\n");
    found.base_urls.iter().for_each(|(url, folder)| line(out, "  ", &quoted(url), &quoted(folder)));
}

fn sections(found: &Found, out: &mut String) {
    notes(FOUND, &found.section_notes, out);
    if found.id_patterns.is_empty() && !found.numbered_paragraphs {
        return out.push_str(NO_SECTIONS);
    }
    out.push_str("sections:\n");
    if !found.id_patterns.is_empty() {
        line(out, "  ", "id-patterns", &list(&found.id_patterns));
    }
    if found.numbered_paragraphs {
        line(out, "  ", "numbered-paragraphs", "true");
    }
}

pub(super) fn line(out: &mut String, indent: &str, key: &str, value: &str) {
    writeln!(out, "{indent}{key}: {value}").expect("writing to a string does not fail");
}

/// Comment lines. What comes from the repository can't end its line.
fn notes(before: &str, notes: &[String], out: &mut String) {
    for note in notes {
        let note: String = note.chars().map(|it| if is_plain(it) { it } else { '\u{fffd}' }).collect();
        writeln!(out, "# {before}{note}").expect("writing to a string does not fail");
    }
}

/// Whether a character can stand in YAML as it is, and is seen as what it is.
fn is_plain(character: char) -> bool {
    matches!(character, ' '..='~' | '\u{a1}'..='\u{1fff}' | '\u{2010}'..='\u{2027}' | '\u{3001}'..='\u{d7ff}')
}

pub(super) fn list(values: &[String]) -> String {
    format!("[{}]", values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(", "))
}

/// A YAML scalar in quotes, whatever the text is: names of files come from the repository. Single ones where there is a
/// backslash, as a pattern is easier to read without a second one.
pub(crate) fn quoted(text: &str) -> String {
    if text.contains('\\') && text.chars().all(is_plain) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            _ if is_plain(character) => out.push(character),
            _ => write!(out, "\\U{:08x}", u32::from(character)).expect("writing to a string does not fail"),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::{Config, PinPlace, read};
    use crate::source::{RepoPath, Rev, Sources};

    fn configure(text: &str) -> Config {
        let mut sources = Sources::default();
        let source = sources.add(Rev::Worktree, RepoPath::new("citecheck.yaml"), text);
        let rules = ["text-reworded", "uncovered-section"];
        read(source, text, &rules).unwrap_or_else(|error| panic!("{text}: {error:?}"))
    }

    fn cites(keys: &[&str]) -> Found {
        let cites = keys.iter().map(|key| (*key).to_owned()).collect();
        Found { cases: vec![FoundCases { cites, ..FoundCases::default() }], ..Found::default() }
    }

    #[test]
    fn what_is_commented_out_is_valid_too() {
        let proposed = template(&Found::default());
        let is_prose = |line: &str| line.starts_with(' ') && !line.starts_with("  ");
        let values = proposed.lines().filter_map(|line| line.strip_prefix('#')).filter(|line| !is_prose(line));
        let text: String = values.map(|line| format!("{line}\n")).collect();
        let config = configure(&text);
        assert_eq!((config.cases.len(), config.rules.len(), config.base_urls.len()), (1, 2, 1), "{text}");
        assert!(config.cases[0].shape.cite_pattern.is_some(), "{text}");
    }

    #[test]
    fn what_was_found_is_proposed() {
        let found = Found {
            manuals: vec!["docs/".to_owned()],
            cases: vec![FoundCases {
                files: vec!["tests/*.yaml".to_owned()],
                id: Vec::new(),
                cites: vec!["links.verifies".to_owned()],
                cite_pattern: Some(r"it's\d".to_owned()),
                notes: vec!["line\nid: [x]".to_owned()],
            }],
            base_urls: vec![("https://a.example.org/".to_owned(), String::new())],
            id_patterns: vec![r"^(?P<id>R\d)".to_owned()],
            numbered_paragraphs: true,
            ..Found::default()
        };
        let config = configure(&template(&found));
        assert!(config.is_manual(&RepoPath::new("docs/a.md")) && !config.is_manual(&RepoPath::new("a.md")));
        let group = config.case_group(&RepoPath::new("tests/a.yaml")).expect("a case file");
        assert_eq!(
            (group.shape.cites.join(" "), group.shape.id.join(" ")),
            ("links.verifies".to_owned(), "id key".to_owned())
        );
        assert_eq!(group.shape.cite_pattern.as_ref().map(regex::Regex::as_str), Some(r"it's\d"));
        assert_eq!(config.base_urls.get("https://a.example.org/").map(String::as_str), Some(""));
        assert!(config.sections.numbered_paragraphs && config.sections.id_patterns[0].is_match("R1"));
    }

    #[test]
    fn pins_go_to_a_file_where_other_programs_read_the_citations() {
        let check = |found: &Found, expected| assert_eq!(configure(&template(found)).pins, expected, "{found:?}");
        check(&Found::default(), PinPlace::Inline);
        check(&cites(&["cites"]), PinPlace::Inline);
        check(&cites(&["cites", "requirements"]), PinPlace::File);
    }

    proptest! {
        #[test]
        fn any_key_survives_quoting(key in r"[^.\s][^.]{0,8}|[\x00-\x20.a\u{85}\u{a0}\u{2028}\u{feff}\u{ffff}]{0,3}x") {
            prop_assume!(key.split('.').all(|part| !part.trim().is_empty()));
            let config = configure(&template(&cites(&[&key])));
            prop_assert_eq!(&config.cases[0].shape.cites, &[key]);
        }
    }
}
