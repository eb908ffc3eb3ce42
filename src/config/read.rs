//! The tree of a configuration to [`Config`], collecting every problem on the way: an unknown key or a bad value keeps
//! nothing else from being read.

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};

use super::ai::is_url;
use super::glob::{Kind, Pattern, PatternError};
use super::setting::{Setting, merge};
use super::tree::{self, Node};
use super::value::{Entry, Reader, SECTIONS, TOP, WORDS, items, similar};
use super::{Config, ConfigError, Globs, PATHS, PinPlace, Problem};
use crate::diagnostic::Level;
use crate::diff::ExtraWords;
use crate::manual;
use crate::source::{SourceId, Span};

const PINS: [(&str, PinPlace); 2] = [("inline", PinPlace::Inline), ("file", PinPlace::File)];
const LEVELS: [(&str, Option<Level>); 4] =
    [("error", Some(Level::Error)), ("warning", Some(Level::Warning)), ("note", Some(Level::Note)), ("off", None)];

/// How much memory a pattern may take; a pull request can bring its own.
const REGEX_SIZE: usize = 1 << 20;

/// How many patterns and groups there may be, for the same reason.
const MOST: usize = 100;

/// Reads a configuration by itself.
#[cfg(test)]
pub(crate) fn read(source: SourceId, text: &str, rule_names: &[&str]) -> Result<Config, ConfigError> {
    read_with((source, text), &[], rule_names)
}

/// Reads a configuration with settings that go over it, or tells everything that is wrong. An empty text is the default
/// configuration.
///
/// `rule_names` are the rules that `rules` may set.
pub(crate) fn read_with(
    (source, text): (SourceId, &str),
    settings: &[Setting<'_>],
    rule_names: &[&str],
) -> Result<Config, ConfigError> {
    let mut root = tree::parse(source, text).map_err(|problem| ConfigError { problems: vec![problem] })?;
    let mut reader = Reader::default();
    let merged = settings.iter().map(|setting| merge(&mut root, *setting));
    reader.problems = merged.filter_map(Result::err).collect();
    let config = reader.config(&root, rule_names);
    if reader.problems.is_empty() {
        return Ok(config);
    }
    reader.problems.sort_by_key(|problem| (problem.span.source, problem.span.start, problem.span.end));
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
            coverage: top.get("coverage").map(|it| self.coverage(*it)).unwrap_or_default(),
            ai: top.get("ai").and_then(|it| self.ai(*it)),
        }
    }

    pub(super) fn globs(&mut self, entry: Entry<'_>, kind: Kind) -> Option<Globs> {
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

    pub(super) fn bounded<'n>(&mut self, entry: Entry<'_>, mut items: Vec<Entry<'n>>) -> Vec<Entry<'n>> {
        if items.len() > MOST {
            let message = format!("`{}` lists more than {MOST} entries", entry.key);
            self.problem(entry.span(), &message, "join some of them");
            items.truncate(MOST);
        }
        items
    }

    pub(super) fn regex(&mut self, entry: Entry<'_>) -> Option<Regex> {
        let (text, span) = self.text(entry)?;
        match compile(&text) {
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

    fn words(&mut self, entry: Entry<'_>) -> ExtraWords {
        let Some(fields) = self.fields(entry, &WORDS) else { return ExtraWords::default() };
        let mut list = |key| fields.get(key).map(|it| self.nonempty_texts(*it)).unwrap_or_default();
        ExtraWords {
            modality: list("modality"),
            negation: list("negation"),
            quantifier: list("quantifier"),
            filler: list("filler"),
        }
    }
}

/// Compiles a pattern as one of the configuration: of bounded size.
pub(crate) fn compile(pattern: &str) -> Result<Regex, regex::Error> {
    RegexBuilder::new(pattern).size_limit(REGEX_SIZE).dfa_size_limit(REGEX_SIZE).build()
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::cases::Shape;
    use crate::config::{Found, template};
    use crate::source::{RepoPath, Rev, Sources};

    const RULES: [&str; 2] = ["text-reworded", "uncovered-section"];

    fn read_text(text: &str) -> (Sources, Result<Config, ConfigError>) {
        let mut sources = Sources::default();
        let source = sources.add(Rev::Worktree, RepoPath::new("citecheck.yaml"), text);
        (sources, read(source, text, &RULES))
    }

    fn valid(text: &str) -> Config {
        let (_, config) = read_text(text);
        config.unwrap_or_else(|error| panic!("{text}: {error:?}"))
    }

    /// Expects problems as `(message, text at the place, help)`.
    fn check(text: &str, expected: &[(&str, &str, &str)]) {
        let (sources, config) = read_text(text);
        let problems = config.map_or_else(|error| error.problems, |_| Vec::new());
        let found: Vec<_> = problems
            .iter()
            .map(|it| (it.message.as_str(), sources.slice(it.span), it.help.as_deref().unwrap_or("")))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn an_empty_text_is_the_default_configuration() {
        let default = format!("{:?}", Config::default());
        for text in ["", "# nothing yet\n", "\u{feff}", "{}", "manuals:\ncases:\n  # - files: a\nrules:\nwords: ~\n"] {
            assert_eq!(format!("{:?}", valid(text)), default, "{text:?}");
        }
        assert_eq!(format!("{:?}", valid(&template(&Found::default()))), default);
    }

    #[test]
    fn every_key_is_read() {
        let config = valid(
            r##"
manuals: ["docs/**/*.md", "!docs/drafts/"]
cases:
  - files: tests/**/*.yaml
    id: [id, key]
    cites: [cites, links.verifies]
    cite-pattern: 'REQ-\d+'
  - files: [more/*.yml]
base-urls: { "https://docs.example.org/manual/": "docs/" }
sections:
  id-patterns: ['^r\[(?P<id>[^\]]+)\]$', '^(?P<id>REQ-\d+)']
  numbered-paragraphs: true
pins: file
rules: { text-reworded: note, uncovered-section: off }
words: { modality: [shall], negation: no, filler: [5.10] }
coverage: { taxonomy: [safety, Third-party software], drafts: [draft, proposed] }
ai: { endpoint: "http://127.0.0.1:8080/v1", model: 4, api-key-env: CITECHECK_API_KEY }
"##,
        );
        let manual = |path: &str| config.is_manual(&RepoPath::new(path));
        assert_eq!((manual("docs/a/b.md"), manual("docs/drafts/c.md"), manual("a.md")), (true, false, false));
        let [first, second] = &config.cases[..] else { panic!("two groups") };
        assert_eq!(first.shape.cites, ["cites", "links.verifies"]);
        assert_eq!(first.shape.cite_pattern.as_ref().map(Regex::as_str), Some(r"REQ-\d+"));
        assert_eq!(
            (&second.shape.id[..], &second.shape.cites[..]),
            (&Shape::default().id[..], &Shape::default().cites[..])
        );
        assert_eq!((second.shape.status[0].as_str(), config.coverage.has_taxonomy), ("status", true));
        assert_eq!(config.base_urls["https://docs.example.org/manual/"], "docs/");
        assert_eq!((config.sections.id_patterns.len(), config.sections.numbered_paragraphs), (2, true));
        assert_eq!(config.pins, PinPlace::File);
        let rules = [("text-reworded".to_owned(), Some(Level::Note)), ("uncovered-section".to_owned(), None)];
        assert_eq!(config.rules, BTreeMap::from(rules));
        assert_eq!(config.words.modality, ["shall"]);
        assert_eq!(
            (&config.words.negation[..], &config.words.filler[..]),
            (&["no".to_owned()][..], &["5.10".to_owned()][..])
        );
        let ai = config.ai.expect("an endpoint");
        assert_eq!((ai.endpoint.as_str(), ai.model.as_str()), ("http://127.0.0.1:8080/v1", "4"));
        assert_eq!(ai.api_key_env.as_deref(), Some("CITECHECK_API_KEY"));
    }

    #[test]
    fn anchors_and_merge_keys_hold() {
        let config = valid("cases: [&a {files: a/*.yaml, cites: [x, y]}, {<<: *a, files: b/*.yaml}]\n");
        assert_eq!(config.cases[1].shape.cites, ["x", "y"]);
        check(
            "rules: {text-reworded: &x loud}\npins: *x\n",
            &[
                ("unknown value `loud` for `text-reworded`", "loud", "write one of `error`, `warning`, `note`, `off`"),
                ("unknown value `loud` for `pins`", "*x", "write one of `inline`, `file`"),
            ],
        );
    }

    #[test]
    fn an_unknown_key_is_told_with_the_nearest_one() {
        let near = |key: &str| format!("a key with a similar name exists: `{key}`");
        check("manuls: a", &[("unknown key `manuls`", "manuls", &near("manuals"))]);
        check("'Base_URLs': {}", &[("unknown key `Base_URLs`", "'Base_URLs'", &near("base-urls"))]);
        check("cases: {file: a.yaml}", &[("unknown key `file` in `cases`", "file", &near("files"))]);
        check(
            "id-patterns: a",
            &[("unknown key `id-patterns`", "id-patterns", "`id-patterns` stands under `sections`")],
        );
        check(
            "ai: {endpoint: 'http://x', model: m, pins: a}",
            &[("unknown key `pins` in `ai`", "pins", "`pins` stands at the top level")],
        );
        check(
            "sections: {é: 1}",
            &[("unknown key `é` in `sections`", "é", "the keys here are `id-patterns`, `numbered-paragraphs`")],
        );
    }

    #[test]
    fn a_key_stands_once_and_is_text() {
        check("pins: file\npins: inline", &[("key `pins` stands twice", "pins", "remove one of them")]);
        check(
            "rules: {text-reworded: off, text-reworded: off}",
            &[("key `text-reworded` stands twice", "text-reworded", "remove one of them")],
        );
        check("true: 1", &[("a key is text", "true", "put it in quotes")]);
        check("? [a]\n: 1", &[("a key is text", "[", "put it in quotes")]);
    }

    #[test]
    fn a_value_of_another_type_is_told_by_its_key() {
        check("- a", &[("expected a mapping for `citecheck.yaml`, found a list", "", "")]);
        check("manuals: {a: b}", &[("expected text for `manuals`, found a mapping", "{", "")]);
        check("manuals: [a, [b]]", &[("expected text for `manuals`, found a list", "[", "")]);
        check("manuals:\n- a\n-\n", &[("expected text for `manuals`, found nothing", "manuals", "")]);
        check("sections:\n  - a", &[("expected a mapping for `sections`, found a list", "sections", "")]);
        check(
            "sections: {numbered-paragraphs: yes}",
            &[("expected `true` or `false` for `numbered-paragraphs`, found text", "yes", "")],
        );
        check(
            "rules: {text-reworded: false}",
            &[("expected one of `error`, `warning`, `note`, `off` for `text-reworded`, found `false`", "false", "")],
        );
        check(
            "cases: [tests/*.yaml]",
            &[("expected a mapping in `cases`, found text", "tests/*.yaml", "write `files: tests/*.yaml`")],
        );
    }

    #[test]
    fn a_bad_value_is_told_with_the_way_out() {
        check(
            "pins: flie",
            &[("unknown value `flie` for `pins`", "flie", "a value with a similar name exists: `file`")],
        );
        check(
            "rules: {text-rewordd: off}",
            &[("unknown rule `text-rewordd`", "text-rewordd", "a rule with a similar name exists: `text-reworded`")],
        );
        check("rules: {x: off}", &[("unknown rule `x`", "x", "`citecheck rules` lists them")]);
        check(
            "cases: {id: [a..b]}",
            &[("`id` holds a path with an empty key", "a..b", "write nested keys as `links.verifies`")],
        );
        check("words: {negation: ['']}", &[("`negation` holds an empty text", "''", "write a word, or remove it")]);
        check(
            "base-urls: {docs: a, 'https://x.example/': ../b}",
            &[
                ("`docs` is not a URL", "docs", "start it with `https://` or `http://`"),
                ("`../b` is not a path in the repository", "../b", "start it at the root, without `/`"),
            ],
        );
    }

    #[test]
    fn a_list_that_would_check_nothing_is_an_error() {
        let default = "list a pattern, or remove the key for the default";
        check("manuals: []", &[("`manuals` is empty, so nothing would be checked", "[", default)]);
        check("cases: []", &[("`cases` is empty, so no case would be checked", "[", "list at least one group")]);
        check("cases: {files: []}", &[("`files` is empty, so nothing would be checked", "[", default)]);
        check("cases: {cites: []}", &[("`cites` is empty, so no case would be found", "[", "name at least one key")]);
    }

    #[test]
    fn a_pattern_is_told_with_its_flaw() {
        check(
            "sections: {id-patterns: ['(a', 'a*', REQ]}",
            &[
                ("not a regular expression: unclosed group", "'(a'", ""),
                ("the pattern matches an empty text", "'a*'", "let it match at least one character"),
                ("the pattern has no group `id`", "REQ", "mark the id with `(?P<id>…)`"),
            ],
        );
        check(
            r"cases: {cite-pattern: '\w{9000}'}",
            &[("the pattern is too big", r"'\w{9000}'", r"repeat fewer times, or write `[0-9]` for `\d`")],
        );
        check(
            "manuals: ['[a', docs, ../b]",
            &[
                (
                    "`[a` is not a pattern: unclosed character class; missing ']'",
                    "'[a'",
                    r"put `\` before a character that stands for itself",
                ),
                ("the pattern leaves the repository", "../b", "paths start at the root of the repository"),
            ],
        );
        let many = format!("sections: {{id-patterns: [{}]}}", "'(?P<id>a)',".repeat(101));
        check(&many, &[("`id-patterns` lists more than 100 entries", "[", "join some of them")]);
    }

    #[test]
    fn an_endpoint_is_complete_and_its_key_stays_out_of_the_message() {
        check(
            "ai: {}",
            &[
                ("`ai` has no `endpoint`", "ai", "add `endpoint`, or remove `ai`"),
                ("`ai` has no `model`", "ai", "add `model`, or remove `ai`"),
            ],
        );
        check(
            "ai: {endpoint: localhost, model: m, api-key-env: sk-123}",
            &[
                ("`localhost` is not a URL", "localhost", "start it with `https://` or `http://`"),
                (
                    "`api-key-env` is not the name of an environment variable",
                    "sk-123",
                    "name the variable that holds the key, as `CITECHECK_API_KEY`",
                ),
            ],
        );
    }

    #[test]
    fn text_that_is_not_yaml_is_told_at_its_place() {
        check("é: [1", &[("not YAML: unclosed bracket `[`", "[", "close it with `]`")]);
        check("pins: inline: file", &[("not YAML: `: ` inside a value", ":", "put the value in quotes")]);
        let unknown = "not YAML: unknown anchor `x`: no `&x` stands before this in the document";
        check("pins: *x", &[(unknown, "*x", "put the value in quotes if it is text")]);
        check("pins: file\n---\npins: file", &[("a second YAML document starts in the configuration", "p", "")]);
        check(&"[".repeat(100_000), &[("not YAML: nested deeper than 64 levels", "[", "")]);
        let bomb: String =
            (1..20).map(|at| format!("a{at}: &a{at} [{}]\n", format!("*a{},", at - 1).repeat(9))).collect();
        check(&format!("a0: &a0 x\n{bomb}"), &[("the configuration is too big", "x", "")]);
    }

    #[test]
    fn problems_come_in_the_order_of_the_text() {
        let (sources, config) = read_text("pins: x\nrules: {a: off}\nmanuals: []\ncasse: 1\nai: {}\n");
        let problems = config.expect_err("five keys are wrong").problems;
        let places: Vec<&str> = problems.iter().map(|it| sources.slice(it.span)).collect();
        assert_eq!(places, ["x", "a", "[", "casse", "ai", "ai"]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_told(text in any::<String>()) {
            read_or_tell(&text);
        }

        #[test]
        fn any_yaml_is_read_or_told(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)) {
            read_or_tell(&pieces.concat());
        }
    }

    /// Every problem has a place that can be shown.
    fn read_or_tell(text: &str) {
        let (sources, config) = read_text(text);
        if let Err(error) = config {
            assert!(!error.problems.is_empty(), "{text:?}");
            error.problems.iter().for_each(|problem| assert!(sources.slice(problem.span).len() <= text.len()));
        }
    }

    const PIECES: &[&str] = &[
        "manuals",
        "cases",
        "files",
        "cites",
        "cite-pattern",
        "sections",
        "id-patterns",
        "rules",
        "ai",
        "base-urls",
        ": ",
        ":\n  ",
        ", ",
        "[",
        "]",
        "{",
        "}",
        "\n",
        "- ",
        "&a ",
        "*a",
        "<<: *a",
        "'",
        "\"",
        "|\n  ",
        "(?P<id>x)",
        "**",
        "!",
        "é",
        "\u{feff}",
        "\r\n",
        "5.10",
        "true",
        "~",
        "---\n",
        "# ",
        "\\",
    ];
}
