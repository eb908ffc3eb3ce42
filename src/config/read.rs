//! The tree of a configuration to [`Config`], collecting every problem on the way: an unknown key or a bad value keeps
//! nothing else from being read.

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};

use super::glob::{Kind, Pattern, PatternError};
use super::tree::{self, Node, Value};
use super::value::{AI, CASES, Entry, Reader, SECTIONS, TOP, WORDS, items, similar};
use super::{Ai, CaseGroup, Config, ConfigError, Globs, PATHS, Pins, Problem, Words, default_shape};
use crate::cases::Shape;
use crate::diagnostic::Level;
use crate::manual;
use crate::source::{SourceId, Span};

const PINS: [(&str, Pins); 2] = [("inline", Pins::Inline), ("file", Pins::File)];
const LEVELS: [(&str, Option<Level>); 4] =
    [("error", Some(Level::Error)), ("warning", Some(Level::Warning)), ("note", Some(Level::Note)), ("off", None)];

/// How much memory a pattern may take; a pull request can bring its own.
const REGEX_SIZE: usize = 1 << 20;

/// How many patterns and groups there may be, for the same reason.
const MOST: usize = 100;

/// Reads a configuration, or tells everything that is wrong with it. An empty text is the default configuration.
///
/// `rule_names` are the rules that `rules` may set.
pub(crate) fn read(source: SourceId, text: &str, rule_names: &[&str]) -> Result<Config, ConfigError> {
    let root = tree::parse(source, text).map_err(|problem| ConfigError { problems: vec![problem] })?;
    let mut reader = Reader::default();
    let config = reader.config(&root, rule_names);
    if reader.problems.is_empty() {
        return Ok(config);
    }
    reader.problems.sort_by_key(|problem| (problem.span.start, problem.span.end));
    Err(ConfigError { problems: reader.problems })
}

impl Reader {
    fn config(&mut self, root: &Node, rule_names: &[&str]) -> Config {
        let root = Entry { key: PATHS[0], key_span: root.span, value: root };
        let Some(top) = self.fields(root, &TOP) else { return Config::default() };
        let default = Config::default();
        Config {
            manuals: top.get("manuals").and_then(|it| self.globs(*it, Kind::Markdown)).unwrap_or(default.manuals),
            cases: top.get("cases").map_or(default.cases, |it| self.cases(*it)),
            base_urls: top.get("base-urls").map(|it| self.base_urls(*it)).unwrap_or_default(),
            sections: top.get("sections").map(|it| self.sections(*it)).unwrap_or_default(),
            pins: top.get("pins").and_then(|it| self.choice(*it, &PINS)).unwrap_or_default(),
            rules: top.get("rules").map(|it| self.rules(*it, rule_names)).unwrap_or_default(),
            words: top.get("words").map(|it| self.words(*it)).unwrap_or_default(),
            ai: top.get("ai").and_then(|it| self.ai(*it)),
        }
    }

    fn cases(&mut self, entry: Entry<'_>) -> Vec<CaseGroup> {
        let items = items(entry);
        if items.is_empty() {
            self.problem(entry.span(), "`cases` is empty, so no case would be checked", "list at least one group");
        }
        self.bounded(entry, items).into_iter().filter_map(|item| self.case_group(item)).collect()
    }

    fn case_group(&mut self, entry: Entry<'_>) -> Option<CaseGroup> {
        if let Value::Text(text) = &entry.value.value {
            let help = format!("write `files: {text}`");
            self.problem(entry.span(), "expected a mapping in `cases`, found text", &help);
            return None;
        }
        let fields = self.fields(entry, &CASES)?;
        let default = default_shape();
        let files = match fields.get("files") {
            Some(files) => self.globs(*files, Kind::Yaml)?,
            None => Globs::cases(),
        };
        Some(CaseGroup {
            files,
            shape: Shape {
                id: fields.get("id").map_or(default.id, |it| self.key_paths(*it)),
                cites: fields.get("cites").map_or(default.cites, |it| self.cites(*it)),
                cite_pattern: fields.get("cite-pattern").and_then(|it| self.regex(*it)),
            },
        })
    }

    fn cites(&mut self, entry: Entry<'_>) -> Vec<String> {
        if items(entry).is_empty() {
            self.problem(entry.span(), "`cites` is empty, so no case would be found", "name at least one key");
        }
        self.key_paths(entry)
    }

    /// Keys, dotted where they are nested.
    fn key_paths(&mut self, entry: Entry<'_>) -> Vec<String> {
        let mut paths = Vec::new();
        for (path, span) in self.texts(entry) {
            if path.split('.').any(|key| key.trim().is_empty()) {
                let message = format!("`{}` holds a path with an empty key", entry.key);
                self.problem(span, &message, "write nested keys as `links.verifies`");
            }
            paths.push(path);
        }
        paths
    }

    fn globs(&mut self, entry: Entry<'_>, kind: Kind) -> Option<Globs> {
        if items(entry).is_empty() {
            let message = format!("`{}` is empty, so nothing would be checked", entry.key);
            self.problem(entry.span(), &message, "list a pattern, or remove the key for the default");
            return None;
        }
        let mut patterns = Vec::new();
        for (text, span) in self.texts(entry) {
            // Compiled once alone, so that the one that fails is known.
            let pattern = Pattern::new(&text, Some(span));
            match pattern.and_then(|pattern| Globs::new(vec![pattern.clone()], kind).map(|_| pattern)) {
                Ok(pattern) => patterns.push(pattern),
                Err(error) => self.pattern_problem(span, error),
            }
        }
        Globs::new(patterns, kind).map_err(|error| self.pattern_problem(entry.span(), error)).ok()
    }

    fn pattern_problem(&mut self, span: Span, error: PatternError) {
        self.problems.push(Problem { message: error.message, span, help: error.help });
    }

    fn base_urls(&mut self, entry: Entry<'_>) -> BTreeMap<String, String> {
        let mut base_urls = BTreeMap::new();
        for it in self.entries(entry).unwrap_or_default() {
            if !is_url(it.key) {
                self.problem(
                    it.key_span,
                    &format!("`{}` is not a URL", it.key),
                    "start it with `https://` or `http://`",
                );
            }
            let Some((path, span)) = self.text(it) else { continue };
            if path.starts_with('/') || path.split('/').any(|part| part == "..") {
                self.problem(
                    span,
                    &format!("`{path}` is not a path in the repository"),
                    "start it at the root, without `/`",
                );
            }
            base_urls.insert(it.key.to_owned(), path);
        }
        base_urls
    }

    fn sections(&mut self, entry: Entry<'_>) -> manual::Options {
        let Some(fields) = self.fields(entry, &SECTIONS) else { return manual::Options::default() };
        let id_patterns = fields.get("id-patterns").map(|it| self.bounded(*it, items(*it))).unwrap_or_default();
        manual::Options {
            id_patterns: id_patterns.into_iter().filter_map(|it| self.id_pattern(it)).collect(),
            numbered_paragraphs: fields.get("numbered-paragraphs").is_some_and(|it| self.bool(*it)),
        }
    }

    fn id_pattern(&mut self, entry: Entry<'_>) -> Option<Regex> {
        let regex = self.regex(entry)?;
        if !regex.capture_names().any(|name| name == Some("id")) {
            self.problem(entry.span(), "the pattern has no group `id`", "mark the id with `(?P<id>…)`");
        }
        Some(regex)
    }

    fn bounded<'n>(&mut self, entry: Entry<'_>, mut items: Vec<Entry<'n>>) -> Vec<Entry<'n>> {
        if items.len() > MOST {
            let message = format!("`{}` lists more than {MOST} entries", entry.key);
            self.problem(entry.span(), &message, "join some of them");
            items.truncate(MOST);
        }
        items
    }

    fn regex(&mut self, entry: Entry<'_>) -> Option<Regex> {
        let (text, span) = self.text(entry)?;
        match RegexBuilder::new(&text).size_limit(REGEX_SIZE).dfa_size_limit(REGEX_SIZE).build() {
            Ok(regex) if regex.is_match("") => {
                self.problem(span, "the pattern matches an empty text", "let it match at least one character");
                None
            }
            Ok(regex) => Some(regex),
            Err(error) => {
                self.problems.push(regex_problem(&error, span));
                None
            }
        }
    }

    fn rules(&mut self, entry: Entry<'_>, names: &[&str]) -> BTreeMap<String, Option<Level>> {
        let mut rules = BTreeMap::new();
        for it in self.entries(entry).unwrap_or_default() {
            if !names.contains(&it.key) {
                let help = similar("rule", it.key, names);
                let help = help.unwrap_or_else(|| "`citecheck rules` lists them".to_owned());
                self.problem(it.key_span, &format!("unknown rule `{}`", it.key), &help);
            }
            if let Some(level) = self.choice(it, &LEVELS) {
                rules.insert(it.key.to_owned(), level);
            }
        }
        rules
    }

    fn words(&mut self, entry: Entry<'_>) -> Words {
        let Some(fields) = self.fields(entry, &WORDS) else { return Words::default() };
        let mut list = |key| fields.get(key).map(|it| self.nonempty_texts(*it)).unwrap_or_default();
        Words {
            modality: list("modality"),
            negation: list("negation"),
            quantifier: list("quantifier"),
            comparator: list("comparator"),
            unit: list("unit"),
        }
    }

    fn ai(&mut self, entry: Entry<'_>) -> Option<Ai> {
        let fields = self.fields(entry, &AI)?;
        for key in ["endpoint", "model"] {
            if !fields.contains_key(key) {
                self.problem(entry.key_span, &format!("`ai` has no `{key}`"), &format!("add `{key}`, or remove `ai`"));
            }
        }
        let endpoint = fields.get("endpoint").and_then(|it| self.endpoint(*it));
        let model = fields.get("model").and_then(|it| self.nonempty_text(*it));
        let api_key_env = fields.get("api-key-env").and_then(|it| self.variable(*it));
        Some(Ai { endpoint: endpoint?, model: model?, api_key_env })
    }

    fn endpoint(&mut self, entry: Entry<'_>) -> Option<String> {
        let (endpoint, span) = self.text(entry)?;
        if !is_url(&endpoint) {
            self.problem(span, &format!("`{endpoint}` is not a URL"), "start it with `https://` or `http://`");
        }
        Some(endpoint)
    }

    /// The name of an environment variable. A value that is no name may be the secret itself: it is not repeated.
    fn variable(&mut self, entry: Entry<'_>) -> Option<String> {
        let (name, span) = self.text(entry)?;
        let is_name = name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        if name.is_empty() || !is_name || name.as_bytes()[0].is_ascii_digit() {
            let message = format!("`{}` is not the name of an environment variable", entry.key);
            self.problem(span, &message, "name the variable that holds the key, as `CITECHECK_API_KEY`");
        }
        Some(name)
    }
}

fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/') && !text.contains(char::is_whitespace))
}

fn regex_problem(error: &regex::Error, span: Span) -> Problem {
    if let regex::Error::CompiledTooBig(_) = error {
        let help = "repeat fewer times, or write `[0-9]` for `\\d`".to_owned();
        return Problem { message: "the pattern is too big".to_owned(), span, help: Some(help) };
    }
    // The library draws the pattern with a caret over several lines; the last one has the reason.
    let text = error.to_string();
    let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
    Problem { message: format!("not a regular expression: {reason}"), span, help: None }
}
