//! Gitignore-style patterns over paths of the repository. Selects among paths it is given; walks no folder.
//!
//! A pattern without `/` matches at any depth, one with a `/` at its start or in its middle from the root. `*` and `?`
//! stop at `/`, `**` does not, `{md,markdown}` and `[0-9]` choose, `\` takes the special meaning from what follows. A
//! pattern that matches a folder selects what is in it. A leading `!` excludes; the last pattern that matches decides.
//! Unlike in a `.gitignore`, an exclusion also works inside a folder that is excluded itself.

use globset::{Candidate, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::source::{RepoPath, Span};

/// An ordered list of patterns, for files of one kind.
#[derive(Clone, Debug)]
pub(crate) struct Globs {
    patterns: Vec<Pattern>,
    /// One glob for each of the patterns.
    set: GlobSet,
    names: Vec<Matched>,
    kind: Kind,
}

/// One pattern as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    text: String,
    span: Option<Span>,
    excludes: bool,
}

/// What is selected where a pattern names only folders, as `docs/` and `docs/**` do: nobody means the images in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Markdown,
    Yaml,
}

/// What is wrong with a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PatternError {
    pub(super) message: String,
    pub(super) help: Option<String>,
}

/// What a glob matches. A folder that it matches selects what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matched {
    /// Files and folders with a certain name.
    These,
    /// Files and folders with any name.
    Any,
    /// Folders alone.
    Folders,
}

impl Pattern {
    /// Reads a pattern as far as that is possible without compiling it.
    pub(super) fn new(text: &str, span: Option<Span>) -> Result<Self, PatternError> {
        let pattern = Self { text: text.to_owned(), span, excludes: text.starts_with('!') };
        pattern.validate()?;
        Ok(pattern)
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Where it stands in the configuration; `None` for a default.
    pub(crate) fn span(&self) -> Option<Span> {
        self.span
    }

    fn validate(&self) -> Result<(), PatternError> {
        let body = self.body();
        if body.trim_matches('/').is_empty() {
            return Err(PatternError::new("the pattern is empty", "write `**` for every file"));
        }
        if body.split('/').any(|part| part == "..") {
            return Err(PatternError::new(
                "the pattern leaves the repository",
                "paths start at the root of the repository",
            ));
        }
        if has_drive(body) {
            return Err(PatternError::new(
                "the pattern is a path outside the repository",
                "start it at the root of the repository",
            ));
        }
        if has_folder_backslash(body) {
            return Err(PatternError::new(
                "`\\` in the pattern is followed by a plain character",
                "write `/` between folders",
            ));
        }
        Ok(())
    }

    /// The pattern without `!` and a leading `./`.
    fn body(&self) -> &str {
        let body = self.text.strip_prefix('!').unwrap_or(&self.text);
        body.strip_prefix("./").map_or(body, |rest| if rest.is_empty() { body } else { rest })
    }

    /// The glob that says which paths the pattern names, and for which of them.
    fn glob(&self) -> (String, Matched) {
        let body = self.body();
        let folder = body.ends_with('/');
        let path = body.trim_end_matches('/');
        let written_from_root = self.text.trim_start_matches('!').starts_with("./");
        let anchored = written_from_root || path.contains('/');
        let path = path.trim_start_matches('/');
        let glob = if anchored { path.to_owned() } else { format!("**/{path}") };
        let any_name = matches!(path.rsplit('/').next(), Some("*" | "**"));
        let names = match (folder, any_name) {
            (true, _) => Matched::Folders,
            (false, true) => Matched::Any,
            (false, false) => Matched::These,
        };
        (glob, names)
    }
}

impl PatternError {
    fn new(message: &str, help: &str) -> Self {
        Self { message: message.to_owned(), help: Some(help.to_owned()) }
    }
}

impl Globs {
    /// The manuals that hold without a configuration.
    pub(super) fn manuals() -> Self {
        Self::new(Vec::new(), Kind::Markdown).expect("the default patterns are valid")
    }

    /// The case files that hold without a configuration.
    pub(super) fn cases() -> Self {
        Self::new(Vec::new(), Kind::Yaml).expect("the default patterns are valid")
    }

    /// The patterns as written.
    pub(super) fn spelled(&self) -> Vec<&str> {
        self.patterns.iter().map(Pattern::text).collect()
    }

    /// The manuals that patterns select; none without a pattern, or where one is not valid.
    pub(crate) fn of_manuals(patterns: &[String]) -> Option<Self> {
        Self::of(patterns, Kind::Markdown)
    }

    /// The case files that patterns select; none without a pattern, or where one is not valid.
    pub(crate) fn of_cases(patterns: &[String]) -> Option<Self> {
        Self::of(patterns, Kind::Yaml)
    }

    fn of(patterns: &[String], kind: Kind) -> Option<Self> {
        let patterns: Vec<Pattern> =
            patterns.iter().map(|text| Pattern::new(text, None).ok()).collect::<Option<_>>()?;
        if patterns.is_empty() { None } else { Self::new(patterns, kind).ok() }
    }

    /// Compiles a list of patterns. If it only excludes, it takes from the kind's default.
    pub(super) fn new(patterns: Vec<Pattern>, kind: Kind) -> Result<Self, PatternError> {
        let mut all = Vec::new();
        if patterns.iter().all(|pattern| pattern.excludes) {
            all.extend(kind.default_patterns().map(|text| Pattern { text, span: None, excludes: false }));
        }
        all.extend(patterns);
        let (set, names) = compile(&all)?;
        Ok(Self { patterns: all, set, names, kind })
    }

    pub(super) fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// Whether one of the patterns is written so.
    pub(super) fn has(&self, text: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.text() == text)
    }

    /// Whether a file is selected.
    pub(crate) fn matches(&self, path: &RepoPath) -> bool {
        let selects = |pattern: usize| !self.patterns[pattern].excludes;
        let of_kind = self.kind.is_extension_of(path);
        let named = self.naming(path, of_kind).max();
        // Nothing stands behind the last pattern, and folders select only files of the kind.
        let is_decided = named == self.patterns.len().checked_sub(1) || (!of_kind && !named.is_some_and(selects));
        let deciding = if is_decided { named } else { named.max(self.around(path, of_kind).max()) };
        deciding.is_some_and(selects)
    }

    /// The patterns of a configuration that match none of the files. Exclusions are left out: one that matches nothing
    /// hides nothing, and it may well be about files that are not tracked.
    pub(crate) fn unused<'a>(&self, paths: impl Iterator<Item = &'a RepoPath>) -> Vec<&Pattern> {
        let mut used: Vec<bool> =
            self.patterns.iter().map(|pattern| pattern.excludes || pattern.span.is_none()).collect();
        for path in paths {
            if used.iter().all(|used| *used) {
                break;
            }
            self.matching(path).for_each(|pattern| used[pattern] = true);
        }
        self.patterns.iter().zip(used).filter(|(_, used)| !used).map(|(pattern, _)| pattern).collect()
    }

    fn matching(&self, path: &RepoPath) -> impl Iterator<Item = usize> {
        let of_kind = self.kind.is_extension_of(path);
        self.naming(path, of_kind).chain(self.around(path, of_kind))
    }

    /// The patterns that match the file itself.
    fn naming(&self, path: &RepoPath, of_kind: bool) -> impl Iterator<Item = usize> {
        self.hits(path.as_bytes()).into_iter().filter(move |hit| match self.names[*hit] {
            Matched::These => true,
            Matched::Any => self.takes_any(*hit, of_kind),
            Matched::Folders => false,
        })
    }

    /// The patterns that match a folder which the file is in.
    fn around(&self, path: &RepoPath, of_kind: bool) -> impl Iterator<Item = usize> {
        folders(path.as_bytes()).flat_map(|folder| self.hits(folder)).filter(move |hit| self.takes_any(*hit, of_kind))
    }

    /// Whether a pattern that names no files takes one: it selects those of the kind alone.
    fn takes_any(&self, pattern: usize, of_kind: bool) -> bool {
        of_kind || self.patterns[pattern].excludes
    }

    /// The patterns whose globs match a path.
    fn hits(&self, path: &[u8]) -> Vec<usize> {
        let path = Candidate::from_bytes(path);
        if self.set.is_match_candidate(&path) { self.set.matches_candidate(&path) } else { Vec::new() }
    }
}

impl Kind {
    fn extensions(self) -> &'static [&'static str] {
        match self {
            Kind::Markdown => &["md", "markdown"],
            Kind::Yaml => &["yaml", "yml"],
        }
    }

    fn default_patterns(self) -> impl Iterator<Item = String> {
        self.extensions().iter().map(|extension| format!("**/*.{extension}"))
    }

    fn is_extension_of(self, path: &RepoPath) -> bool {
        let path = path.as_bytes();
        let extension = path.iter().rposition(|byte| *byte == b'.').map(|dot| &path[dot + 1..]);
        extension
            .is_some_and(|extension| self.extensions().iter().any(|it| it.as_bytes().eq_ignore_ascii_case(extension)))
    }
}

/// The folders that a path lies in.
fn folders(path: &[u8]) -> impl Iterator<Item = &[u8]> {
    memchr::memchr_iter(b'/', path).map(|slash| &path[..slash])
}

fn compile(patterns: &[Pattern]) -> Result<(GlobSet, Vec<Matched>), PatternError> {
    let mut set = GlobSetBuilder::new();
    let mut kinds = Vec::new();
    for pattern in patterns {
        let (glob, names) = pattern.glob();
        let glob = GlobBuilder::new(&glob).literal_separator(true).backslash_escape(true).build();
        set.add(glob.map_err(|error| not_a_glob(pattern, &error))?);
        kinds.push(names);
    }
    let set =
        set.build().map_err(|_| PatternError::new("the patterns are too big together", "use fewer or shorter ones"))?;
    Ok((set, kinds))
}

fn not_a_glob(pattern: &Pattern, error: &globset::Error) -> PatternError {
    // The advice in parentheses is a question; ours is the help.
    let reason = error.kind().to_string();
    let reason = reason.split(" (").next().unwrap_or_default();
    PatternError {
        message: format!("`{}` is not a pattern: {reason}", pattern.text),
        help: Some("put `\\` before a character that stands for itself".to_owned()),
    }
}

/// `C:\docs`, `C:/docs`.
fn has_drive(body: &str) -> bool {
    let bytes = body.as_bytes();
    bytes.len() > 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'/' | b'\\')
}

/// `docs\manual.md`: the escape of a character that means nothing special, so a separator was meant.
fn has_folder_backslash(body: &str) -> bool {
    let mut characters = body.chars();
    while let Some(character) = characters.next() {
        if character == '\\' && characters.next().is_some_and(char::is_alphanumeric) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::source::{Rev, Sources};

    fn globs(patterns: &[&str]) -> Globs {
        let patterns = patterns.iter().map(|text| Pattern::new(text, None).expect("a valid pattern")).collect();
        Globs::new(patterns, Kind::Markdown).expect("valid patterns")
    }

    /// Which of the paths, separated by blanks, the patterns select.
    fn check(patterns: &[&str], paths: &str, expected: &str) {
        let globs = globs(patterns);
        let selected: Vec<&str> = paths.split(' ').filter(|path| globs.matches(&RepoPath::new(path))).collect();
        assert_eq!(selected.join(" "), expected, "{patterns:?}");
    }

    #[test]
    fn a_pattern_without_a_slash_matches_at_any_depth() {
        check(&["*.md"], "a.md b/a.md b/c/.a.md a.markdown amd", "a.md b/a.md b/c/.a.md");
        check(&["manual.md"], "manual.md b/manual.md b/manual.md.bak", "manual.md b/manual.md");
        check(&["/manual.md"], "manual.md b/manual.md", "manual.md");
        check(&["./manual.md"], "manual.md b/manual.md", "manual.md");
    }

    #[test]
    fn a_pattern_with_a_slash_starts_at_the_root() {
        check(&["docs/*.md"], "docs/a.md docs/b/a.md x/docs/a.md", "docs/a.md");
        check(&["docs/**/*.md"], "docs/a.md docs/b/c/a.md x/docs/a.md", "docs/a.md docs/b/c/a.md");
        check(&["**/docs/*.md"], "docs/a.md x/y/docs/a.md docs/b/a.md", "docs/a.md x/y/docs/a.md");
        check(&["a?c/x.md"], "abc/x.md a/c/x.md", "abc/x.md");
    }

    #[test]
    fn a_folder_selects_the_files_of_the_kind_in_it() {
        let paths = "docs/a.md docs/b/a.MD docs/b/c.png x/docs/a.markdown docs.md";
        let anywhere = "docs/a.md docs/b/a.MD x/docs/a.markdown";
        check(&["docs"], paths, anywhere);
        check(&["docs/"], paths, anywhere);
        check(&["/docs/"], paths, "docs/a.md docs/b/a.MD");
        check(&["docs/**"], paths, "docs/a.md docs/b/a.MD");
        check(&["docs/*"], paths, "docs/a.md docs/b/a.MD");
        check(&["**"], paths, "docs/a.md docs/b/a.MD x/docs/a.markdown docs.md");
        check(&["README"], "README docs/README README/a.md", "README docs/README README/a.md");
        check(&["docs/README/"], "docs/README", "");
    }

    #[test]
    fn the_last_pattern_that_matches_decides() {
        let paths = "docs/a.md docs/drafts/b.md docs/drafts/keep.md";
        check(&["docs/", "!drafts/"], paths, "docs/a.md");
        check(&["docs/", "!drafts", "docs/drafts/keep.md"], paths, "docs/a.md docs/drafts/keep.md");
        check(&["!drafts/", "docs/"], paths, paths);
        check(&["docs/**", "!*.md"], paths, "");
    }

    #[test]
    fn patterns_that_only_exclude_take_from_the_default() {
        check(&["!CHANGELOG.md"], "a.md b/c.markdown b/CHANGELOG.md x.txt", "a.md b/c.markdown");
    }

    #[test]
    fn special_characters_can_be_escaped() {
        check(&[r"\!a.md"], "!a.md a.md", "!a.md");
        check(&[r"a\*.md"], "a*.md ab.md", "a*.md");
        check(&[r"a\[1\].md"], "a[1].md a1.md", "a[1].md");
        check(&["a[0-9].md", "b[!0-9].md"], "a1.md ax.md b1.md bx.md", "a1.md bx.md");
        check(&["*.{md,txt}"], "a.md a.txt a.rst", "a.md a.txt");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_bytes() {
        assert!(globs(&["docs/*.md"]).matches(&RepoPath::new(b"docs/\xff.md")));
        assert!(globs(&["docs/é*.md"]).matches(&RepoPath::new("docs/éa.md")));
    }

    #[test]
    fn a_pattern_that_selects_no_file_of_the_repository_is_refused() {
        let check = |text: &str, expected: &str| {
            let pattern = Pattern::new(text, None);
            let error = pattern.and_then(|it| Globs::new(vec![it], Kind::Yaml)).expect_err(text);
            assert_eq!(error.message, expected, "{text}");
        };
        check("", "the pattern is empty");
        check("!", "the pattern is empty");
        check("/", "the pattern is empty");
        check("../a.md", "the pattern leaves the repository");
        check("!docs/../a.md", "the pattern leaves the repository");
        check("C:/docs/a.md", "the pattern is a path outside the repository");
        check(r"docs\manual.md", r"`\` in the pattern is followed by a plain character");
        check("a]{", "`a]{` is not a pattern: unclosed alternate group; missing '}'");
        check("a\\", "`a\\` is not a pattern: dangling '\\'");
    }

    #[test]
    fn unused_patterns_are_known() {
        let span = Span::new(Sources::default().add(Rev::Worktree, RepoPath::new("c.yaml"), ""), 0, 0);
        let written = ["docs/", "*.txt", "!drafts/", "guide.md"].map(|text| Pattern::new(text, Some(span)).unwrap());
        let globs = Globs::new(written.to_vec(), Kind::Markdown).unwrap();
        let paths = ["docs/a.md", "docs/guide.md"].map(RepoPath::new);
        let unused: Vec<&str> = globs.unused(paths.iter()).into_iter().map(Pattern::text).collect();
        assert_eq!(unused, ["*.txt"]);
    }

    proptest! {
        /// Whatever is not looked at could not have decided otherwise.
        #[test]
        fn the_last_of_all_that_match_decides(
            patterns in prop::collection::vec("!?/?(a|b|\\*|\\*\\*|a/\\*\\*|\\*\\.md|a/b)(/|/a|/\\*\\.md)?", 1..5),
            path in "([ab]/){0,3}[ab](\\.md|\\.txt)?",
        ) {
            let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
            let (globs, path) = (globs(&patterns), RepoPath::new(path));
            let last = globs.matching(&path).max();
            prop_assert_eq!(globs.matches(&path), last.is_some_and(|last| !globs.patterns[last].excludes));
        }

        #[test]
        fn any_pattern_matches_or_is_refused(text in r"[a!/.*?\[\]{},\\é-]{0,12}|\PC{0,12}", path in any::<Vec<u8>>()) {
            if let Ok(globs) = Pattern::new(&text, None).and_then(|it| Globs::new(vec![it], Kind::Yaml)) {
                globs.matches(&RepoPath::new(path));
            }
        }
    }
}
