//! From ids to a regular expression for ids like them, and what looks like an id at all. Text only.

use std::collections::BTreeSet;
use std::fmt::Write;

use regex::Regex;

use crate::config::compile;

/// So many words that differ are listed; more are said by their letters.
const LISTED_WORDS: usize = 6;

/// A longer pattern is better written by hand.
const LONGEST_PATTERN: usize = 400;

/// A part of an id.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Run<'t> {
    Letters(&'t str),
    Digits,
    Mark(char),
}

/// Whether a word can only be meant as an id: letters and digits joined by marks, as `REQ-12`, `MS.AAD.1.1v1`.
pub(super) fn is_identifier(word: &str) -> bool {
    let inner = |character: char| "-._:/".contains(character);
    let has = |test: fn(char) -> bool| word.chars().any(test);
    word.len() >= 3
        && word.chars().all(|character| character.is_alphanumeric() || inner(character))
        && word.starts_with(char::is_alphanumeric)
        && word.ends_with(char::is_alphanumeric)
        && has(char::is_alphabetic)
        && has(|character| character.is_ascii_digit())
        && word.contains(inner)
}

/// Whether a word names a file of a manual.
pub(super) fn is_file_reference(word: &str) -> bool {
    let file = word.split('#').next().unwrap_or(word);
    file.ends_with(".md") || file.ends_with(".markdown")
}

/// A regular expression for files of a manual in a longer text, with an anchor or without: below the folders that these
/// ones start with, so that a file of that name elsewhere on the web is none.
pub(super) fn file_pattern(references: &[&str]) -> String {
    let inside = |reference: &&str| reference.trim_start_matches("../").trim_start_matches("./").to_owned();
    let paths: Vec<String> = references.iter().map(inside).collect();
    let file = |path: &str| path.split('#').next().unwrap_or_default().trim_start_matches('/').to_owned();
    let tops: Option<BTreeSet<String>> =
        paths.iter().map(|path| file(path).split_once('/').map(|(top, _)| top.to_owned())).collect();
    let end = r"\.(?:md|markdown)(?:#[\w.%-]*[\w-])?";
    match tops.filter(|tops| tops.len() <= LISTED_WORDS) {
        Some(tops) => {
            let tops = choice(&tops.iter().map(String::as_str).collect());
            format!(r"(?:\.{{0,2}}/)*\b{tops}/[\w./-]*{end}")
        }
        None if paths.iter().all(|path| !file(path).contains('/')) => format!(r"[\w.-]+{end}"),
        None => format!(r"[\w./-]+{end}"),
    }
}

/// A regular expression, without anchors, that each of the ids matches as a whole.
pub(super) fn pattern<'t>(ids: impl Iterator<Item = &'t str>) -> String {
    let ids: BTreeSet<&str> = ids.collect();
    let runs: Vec<Vec<Run<'_>>> = ids.iter().map(|id| runs(id)).collect();
    let Some(first) = runs.first() else { return String::new() };
    let alike = |one: &Run<'_>, other: &Run<'_>| match (one, other) {
        (Run::Letters(_), Run::Letters(_)) | (Run::Digits, Run::Digits) => true,
        (Run::Mark(one), Run::Mark(other)) => one == other,
        (Run::Letters(_) | Run::Digits | Run::Mark(_), _) => false,
    };
    let is_one_form =
        runs.iter().all(|it| it.len() == first.len() && it.iter().zip(first).all(|(one, other)| alike(one, other)));
    if is_one_form { (0..first.len()).map(|at| column(&runs, at)).collect() } else { loose(&runs, &ids) }
}

/// A pattern as the configuration would have it, if it is one that a person could read.
pub(super) fn compiled(pattern: &str) -> Option<Regex> {
    compile(pattern).ok().filter(|_| pattern.len() <= LONGEST_PATTERN)
}

fn runs(id: &str) -> Vec<Run<'_>> {
    let mut runs = Vec::new();
    let mut rest = id;
    while let Some(first) = rest.chars().next() {
        let end = |test: fn(char) -> bool| rest.find(|character| !test(character)).unwrap_or(rest.len());
        let length = if first.is_ascii_digit() {
            let length = end(|character| character.is_ascii_digit());
            runs.push(Run::Digits);
            length
        } else if first.is_alphabetic() {
            let length = end(char::is_alphabetic);
            runs.push(Run::Letters(&rest[..length]));
            length
        } else {
            runs.push(Run::Mark(first));
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    runs
}

/// What stands at one place of ids of one form.
fn column(runs: &[Vec<Run<'_>>], at: usize) -> String {
    match &runs[0][at] {
        Run::Digits => r"\d+".to_owned(),
        Run::Mark(mark) => escaped(&mark.to_string()),
        Run::Letters(_) => {
            let words = runs.iter().filter_map(|it| match it[at] {
                Run::Letters(word) => Some(word),
                Run::Digits | Run::Mark(_) => None,
            });
            choice(&words.collect())
        }
    }
}

fn choice(words: &BTreeSet<&str>) -> String {
    let all = |test: fn(char) -> bool| words.iter().all(|word| word.chars().all(test));
    match words.len() {
        1 => words.iter().map(|word| escaped(word)).collect(),
        2..=LISTED_WORDS => format!("(?:{})", words.iter().map(|word| escaped(word)).collect::<Vec<_>>().join("|")),
        _ if all(|letter| letter.is_ascii_uppercase()) => "[A-Z]+".to_owned(),
        _ if all(|letter| letter.is_ascii_lowercase()) => "[a-z]+".to_owned(),
        _ => r"\p{L}+".to_owned(),
    }
}

/// As it matches itself; a hyphen needs no escape outside of brackets.
pub(super) fn escaped(text: &str) -> String {
    regex::escape(text).replace(r"\-", "-")
}

/// For ids of several forms: what all start with, then words joined by the marks that they have.
fn loose(runs: &[Vec<Run<'_>>], ids: &BTreeSet<&str>) -> String {
    let first = &runs[0];
    let same = |at: usize| {
        first.get(at).is_some_and(|run| *run != Run::Digits) && runs.iter().all(|it| it.get(at) == first.get(at))
    };
    let shared = (0..first.len()).take_while(|at| same(*at)).count();
    let mut out = String::new();
    for run in &first[..shared] {
        match run {
            Run::Letters(word) => out.push_str(&escaped(word)),
            Run::Mark(mark) => out.push_str(&escaped(&mark.to_string())),
            Run::Digits => {}
        }
    }
    let marks: BTreeSet<char> =
        ids.iter().flat_map(|id| id.chars()).filter(|it| !it.is_alphanumeric() && *it != '_').collect();
    let marks: String = marks.into_iter().map(|mark| regex::escape(&mark.to_string())).collect();
    let ends_in_word = matches!(first[..shared].last(), Some(Run::Letters(_)));
    if !ends_in_word {
        out.push_str(r"\w+");
    }
    if !marks.is_empty() {
        let many = if ends_in_word { "*" } else { "+" };
        let many = if runs.iter().any(|it| it.len() <= shared + 1) { "*" } else { many };
        write!(out, r"{}(?:[{marks}]\w+){many}", if ends_in_word { r"\w*" } else { "" })
            .expect("writing to a string does not fail");
    }
    out
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    #[track_caller]
    fn check(ids: &[&str], expected: &str) {
        let found = pattern(ids.iter().copied());
        assert_eq!(found, expected);
        let whole = Regex::new(&format!("^(?:{found})$")).unwrap_or_else(|error| panic!("{error}"));
        ids.iter().for_each(|id| assert!(whole.is_match(id), "{found} on {id}"));
    }

    #[test]
    fn ids_of_one_form_make_a_narrow_pattern() {
        check(&["REQ-12", "REQ-7"], r"REQ-\d+");
        check(&["SYS-1", "HW-20"], r"(?:HW|SYS)-\d+");
        check(&["MS.AAD.1.1v1", "MS.EXO.10.2v2"], r"MS\.(?:AAD|EXO)\.\d+\.\d+v\d+");
        check(&["A-1", "B-1", "C-1", "D-1", "E-1", "F-1", "G-1"], r"[A-Z]+-\d+");
    }

    #[test]
    fn ids_of_several_forms_make_a_loose_one() {
        check(&["items.fn.intro", "items.fn"], r"items\.fn\w*(?:[\.]\w+)*");
        check(&["safety.power", "alarms.sound.level"], r"\w+(?:[\.]\w+)+");
        check(&["REQ-1", "REQ-1.2"], r"REQ-\w+(?:[\-\.]\w+)*");
    }

    #[test]
    fn files_are_found_below_their_folders() {
        let pattern = Regex::new(&file_pattern(&["docs/a.md#b", "./docs/c/d.md"])).expect("a valid pattern");
        let find = |text: &'static str| pattern.find(text).map(|found| found.as_str());
        assert_eq!(find("see [x](docs/a.md#b-1)."), Some("docs/a.md#b-1"));
        assert_eq!(find("../docs/c/e.md"), Some("../docs/c/e.md"));
        assert_eq!(find("https://example.org/other/a.md"), None);
        let anywhere = Regex::new(&file_pattern(&["a.md", "docs/b.md"])).expect("a valid pattern");
        assert!(anywhere.is_match("a.md") && !anywhere.is_match("a.txt"));
    }

    #[test]
    fn identifiers_are_told_from_words() {
        for word in ["REQ-12", "MS.AAD.1.1v1", "scs-0100", "a/b-1"] {
            assert!(is_identifier(word), "{word}");
        }
        for word in ["alarms", "5.2", "cut-off", "2024-01-01", "REQ-", "(a-1)", "v2"] {
            assert!(!is_identifier(word), "{word}");
        }
    }
}
