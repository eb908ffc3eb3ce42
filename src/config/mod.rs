//! The settings: `citecheck.yaml` to the options that each stage defines, with the place of everything that is wrong in
//! it. Reads no files (the text comes from the revision that is checked) and does not know what the stages do with it.
//!
//! `tree.rs` makes a tree of the text, `setting.rs` puts those of the command line into it, `value.rs` and `read.rs` read
//! it; `groups.rs`, `glob.rs`, `coverage.rs` and `ai.rs` are keys with more behind them. Back to text: `dump.rs` for what holds,
//! `template.rs` for what `init` proposes.

mod ai;
mod coverage;
mod dump;
mod glob;
mod groups;
mod read;
mod setting;
mod template;
mod tree;
mod value;

use std::collections::BTreeMap;
use std::fmt;

use crate::cases::Shape;
use crate::diagnostic::Level;
use crate::diff::ExtraWords;
use crate::manual;
use crate::source::{RepoPath, Span};

pub(crate) use coverage::Coverage;
pub(crate) use dump::dump;
pub(crate) use glob::{Globs, Pattern};
#[cfg(test)]
pub(crate) use read::read;
pub(crate) use read::{compile, read_with};
pub(crate) use setting::{Setting, is_setting, setting_help};
#[cfg(feature = "ai")]
pub(crate) use template::quoted;
pub(crate) use template::{Found, FoundCases, template};

/// Where the configuration may stand, seen from the root of the repository.
pub(crate) const PATHS: [&str; 2] = ["citecheck.yaml", ".github/citecheck.yaml"];

/// The name of the file with the pins, beside the configuration.
pub(crate) const PINS_FILE: &str = "citecheck.pins.yaml";

/// Names that a configuration is often given by mistake; ignoring one would silently check with the defaults.
const MISNAMED: [&str; 4] = ["citecheck.yml", ".citecheck.yaml", ".citecheck.yml", ".github/citecheck.yml"];

/// The settings of a run. [`Config::default`] is what holds without a configuration file.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// Which files are the manual.
    pub(crate) manuals: Globs,
    /// Which files hold cases, and how each group is read.
    pub(crate) cases: Vec<CaseGroup>,
    /// Published addresses of manual files: the start of a URL, and the path in the repository that replaces it.
    pub(crate) base_urls: BTreeMap<String, String>,
    pub(crate) sections: manual::Options,
    pub(crate) pins: PinPlace,
    /// Rules whose level differs from their own; `None` is off.
    pub(crate) rules: BTreeMap<String, Option<Level>>,
    pub(crate) words: ExtraWords,
    pub(crate) coverage: Coverage,
    /// The endpoint for `--judge` and `draft`; nothing is sent unless asked for.
    pub(crate) ai: Option<Ai>,
}

/// Case files that are read the same way.
#[derive(Clone, Debug)]
pub(crate) struct CaseGroup {
    pub(crate) files: Globs,
    pub(crate) shape: Shape,
}

/// Where `accept` writes pins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PinPlace {
    /// Into the citation.
    #[default]
    Inline,
    /// Into [`PINS_FILE`].
    File,
}

/// An OpenAI-compatible endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ai {
    pub(crate) endpoint: String,
    pub(crate) model: String,
    /// The environment variable that holds the key; the key itself never stands in a file.
    pub(crate) api_key_env: Option<String>,
}

/// Everything that is wrong with a configuration, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConfigError {
    /// At least one.
    pub(crate) problems: Vec<Problem>,
}

/// One thing that is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Lower case, no full stop, stands alone.
    pub(crate) message: String,
    pub(crate) span: Span,
    /// What to write instead.
    pub(crate) help: Option<String>,
}

/// Why it is not clear which file is the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LocateError {
    /// Both of [`PATHS`] exist.
    Both,
    /// There is none, but a file that looks as if it was meant to be one.
    Misnamed(&'static str),
}

/// Where the pins file is: beside the configuration, without one at the root.
pub(crate) fn pins_path(config: Option<&RepoPath>) -> RepoPath {
    let path = config.map_or(&[][..], RepoPath::as_bytes);
    let folder = path.iter().rposition(|byte| *byte == b'/').map_or(&[][..], |slash| &path[..=slash]);
    RepoPath::new([folder, PINS_FILE.as_bytes()].concat())
}

/// Finds the configuration among the files of a revision; `exists` takes paths from the root.
pub(crate) fn locate(exists: impl Fn(&str) -> bool) -> Result<Option<&'static str>, LocateError> {
    let [root, github] = PATHS;
    match (exists(root), exists(github)) {
        (true, true) => Err(LocateError::Both),
        (true, false) => Ok(Some(root)),
        (false, true) => Ok(Some(github)),
        (false, false) => match MISNAMED.into_iter().find(|path| exists(path)) {
            Some(path) => Err(LocateError::Misnamed(path)),
            None => Ok(None),
        },
    }
}

/// The files that are a configuration or seem to be meant as one.
pub(crate) fn candidates() -> Vec<RepoPath> {
    PATHS.iter().chain(&MISNAMED).map(|name| RepoPath::new(*name)).collect()
}

/// Whether a file is one of these.
pub(crate) fn may_be_configuration(path: &RepoPath) -> bool {
    PATHS.iter().chain(&MISNAMED).any(|name| path.as_bytes() == name.as_bytes())
}

impl Config {
    /// Whether a file belongs to the manual.
    pub(crate) fn is_manual(&self, path: &RepoPath) -> bool {
        self.manuals.matches(path)
    }

    /// How a file is read for cases: by the first group that selects it. `None` if it is no case file.
    ///
    /// A configuration given with `--config` under another name is the caller's to leave out: its own key `cites`
    /// would make it look like a case.
    pub(crate) fn case_group(&self, path: &RepoPath) -> Option<&CaseGroup> {
        if is_never_cases(path) {
            return None;
        }
        self.cases.iter().find(|group| group.files.matches(path))
    }

    /// Whether the same files are read, and cases of them by the same keys.
    pub(crate) fn reads_like(&self, other: &Self) -> bool {
        let is_like = |(one, other): (&CaseGroup, &CaseGroup)| {
            let pattern = |group: &CaseGroup| group.shape.cite_pattern.as_ref().map(ToString::to_string);
            one.files.spelled() == other.files.spelled()
                && (&one.shape.id, &one.shape.cites) == (&other.shape.id, &other.shape.cites)
                && pattern(one) == pattern(other)
        };
        self.manuals.spelled() == other.manuals.spelled()
            && self.cases.len() == other.cases.len()
            && self.cases.iter().zip(&other.cases).all(is_like)
    }

    /// Refuses patterns that select nothing among the files of a revision. A folder that was renamed would otherwise
    /// leave its manuals or cases unchecked without a word.
    pub(crate) fn check_patterns<'a>(
        &self,
        paths: impl Iterator<Item = &'a RepoPath> + Clone,
    ) -> Result<(), ConfigError> {
        let manuals = self.manuals.unused(paths.clone());
        let case_files = paths.filter(|path| !is_never_cases(path));
        let cases: Vec<&Pattern> = self.cases.iter().flat_map(|group| group.files.unused(case_files.clone())).collect();
        // What holds without a configuration may be written down in one.
        let defaults = [Globs::manuals(), Globs::cases()];
        let is_default = |pattern: &&Pattern| defaults.iter().any(|globs| globs.has(pattern.text()));
        let unused = manuals.into_iter().chain(cases).filter(|pattern| !is_default(pattern));
        let problems: Vec<Problem> = unused.filter_map(unused_problem).collect();
        if problems.is_empty() { Ok(()) } else { Err(ConfigError { problems }) }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            manuals: Globs::manuals(),
            cases: vec![CaseGroup { files: Globs::cases(), shape: Shape::default() }],
            base_urls: BTreeMap::new(),
            sections: manual::Options::default(),
            pins: PinPlace::default(),
            rules: BTreeMap::new(),
            words: ExtraWords::default(),
            coverage: Coverage::default(),
            ai: None,
        }
    }
}

impl fmt::Display for LocateError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [root, github] = PATHS;
        match self {
            LocateError::Both => write!(out, "two configurations: `{root}` and `{github}`"),
            LocateError::Misnamed(path) => write!(out, "`{path}` is not read as a configuration"),
        }
    }
}

impl std::error::Error for LocateError {}

impl LocateError {
    /// What to do about it.
    pub(crate) fn hint(&self) -> String {
        let [root, github] = PATHS;
        match self {
            LocateError::Both => "keep one of them".to_owned(),
            LocateError::Misnamed(path) if path.starts_with(".github/") => format!("rename it to `{github}`"),
            LocateError::Misnamed(_) => format!("rename it to `{root}`"),
        }
    }
}

/// citecheck's own files and GitHub's workflows. A configuration has a key `cites` and would pass for a case.
fn is_never_cases(path: &RepoPath) -> bool {
    let path = path.as_bytes();
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    path.starts_with(b".github/") || name == PATHS[0].as_bytes() || name == PINS_FILE.as_bytes()
}

fn unused_problem(pattern: &Pattern) -> Option<Problem> {
    Some(Problem {
        message: format!("pattern `{}` matches no file", pattern.text()),
        span: pattern.span()?,
        help: Some("correct or remove it; paths start at the root, and files that git ignores do not count".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Rev, Sources};

    #[test]
    fn the_configuration_stands_in_one_of_two_places() {
        let check = |files: &[&str], expected| {
            assert_eq!(locate(|path| files.contains(&path)), expected, "{files:?}");
        };
        check(&[], Ok(None));
        check(&["citecheck.yaml", "citecheck.yml"], Ok(Some("citecheck.yaml")));
        check(&[".github/citecheck.yaml"], Ok(Some(".github/citecheck.yaml")));
        check(&["citecheck.yaml", ".github/citecheck.yaml"], Err(LocateError::Both));
        check(&[".citecheck.yml"], Err(LocateError::Misnamed(".citecheck.yml")));
    }

    #[test]
    fn without_a_configuration_markdown_is_the_manual_and_yaml_holds_cases() {
        let config = Config::default();
        let check = |path: &str, manual: bool, cases: bool| {
            let path = RepoPath::new(path);
            assert_eq!((config.is_manual(&path), config.case_group(&path).is_some()), (manual, cases), "{path}");
        };
        check("README.md", true, false);
        check("docs/a/manual.markdown", true, false);
        check("tests/cases.yaml", false, true);
        check("cases.yml", false, true);
        check("src/main.rs", false, false);
        check("citecheck.yaml", false, false);
        check("citecheck.pins.yaml", false, false);
        check("hardware/citecheck.pins.yaml", false, false);
        check(".github/workflows/ci.yml", false, false);
        check(".github/CONTRIBUTING.md", true, false);
    }

    #[test]
    fn the_first_group_that_selects_a_file_decides_how_it_is_read() {
        let text = "cases: [{files: 'a/*.yaml', cites: one}, {files: '*.yaml', cites: two}]";
        let mut sources = Sources::default();
        let source = sources.add(Rev::Worktree, RepoPath::new("citecheck.yaml"), text);
        let config = read(source, text, &[]).expect("a valid configuration");
        let cites = |path: &str| config.case_group(&RepoPath::new(path)).map(|group| group.shape.cites[0].clone());
        assert_eq!(cites("a/x.yaml").as_deref(), Some("one"));
        assert_eq!(cites("b/x.yaml").as_deref(), Some("two"));
        assert_eq!(cites("b/x.yml"), None);
    }

    #[test]
    fn a_pattern_that_selects_nothing_is_told_with_its_place() {
        let text = "manuals: ['docs/*.md', 'guide/**', '!drafts/']\ncases: {files: ['.github/*.yaml', 't/*.yaml']}";
        let mut sources = Sources::default();
        let source = sources.add(Rev::Worktree, RepoPath::new("citecheck.yaml"), text);
        let config = read(source, text, &[]).expect("a valid configuration");
        let paths = [".github/ci.yaml", "docs/a.md", "t/a.yaml"].map(RepoPath::new);
        let error = config.check_patterns(paths.iter()).expect_err("two patterns select nothing");
        let slices: Vec<&str> = error.problems.iter().map(|problem| sources.slice(problem.span)).collect();
        assert_eq!(slices, ["'guide/**'", "'.github/*.yaml'"]);
        assert_eq!(error.problems[0].message, "pattern `guide/**` matches no file");
        assert_eq!(Config::default().check_patterns([].iter()), Ok(()));
    }
}
