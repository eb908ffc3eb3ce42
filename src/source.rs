//! Texts and places: every text that was read, which revision and path it came from, and spans that point into it.
//! Knows nothing of git, Markdown or YAML.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// A path inside the repository, `/`-separated, as git stores it: bytes, not necessarily UTF-8.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RepoPath(Arc<[u8]>);

/// The full hexadecimal id of a commit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CommitId(Arc<str>);

/// A state of the repository.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Rev {
    /// The state before the first commit: no files.
    Nothing,
    Commit(CommitId),
    Index,
    Worktree,
}

impl Rev {
    pub(crate) fn commit(&self) -> Option<&CommitId> {
        match self {
            Rev::Commit(id) => Some(id),
            Rev::Nothing | Rev::Index | Rev::Worktree => None,
        }
    }
}

/// Which text of [`Sources`] a span points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SourceId(u32);

/// A range of bytes in one text, always on character boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) source: SourceId,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// One text as it was read.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    pub(crate) rev: Rev,
    pub(crate) path: RepoPath,
    pub(crate) text: Arc<str>,
}

/// All texts of a run. Only grows; read-only once loading is over.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sources {
    files: Vec<SourceFile>,
    /// Where the lines of each text start; found when it is first asked for, as reports ask thousands of times.
    lines: Vec<OnceLock<Vec<usize>>>,
}

/// A place as people count: both from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LineColumn {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// What a parser understood, and what it could not. Parsing never fails.
#[derive(Clone, Debug)]
pub(crate) struct Parsed<T, P> {
    pub(crate) value: T,
    pub(crate) problems: Vec<P>,
}

impl RepoPath {
    pub(crate) fn new(bytes: impl AsRef<[u8]>) -> Self {
        Self(Arc::from(bytes.as_ref()))
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The path as text; bytes that are not UTF-8 as `\xNN`.
impl fmt::Display for RepoPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            out.write_str(chunk.valid())?;
            for byte in chunk.invalid() {
                write!(out, "\\x{byte:02x}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for RepoPath {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.to_string())
    }
}

impl CommitId {
    pub(crate) fn new(hex: &str) -> Self {
        Self(Arc::from(hex))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The first seven digits, as git shows them.
    pub(crate) fn short(&self) -> &str {
        self.0.get(..7).unwrap_or(&self.0)
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// `a1b2c3d`, `index`, `worktree`, `nothing`.
impl fmt::Display for Rev {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rev::Nothing => out.write_str("nothing"),
            Rev::Commit(id) => out.write_str(id.short()),
            Rev::Index => out.write_str("index"),
            Rev::Worktree => out.write_str("worktree"),
        }
    }
}

impl Span {
    pub(crate) fn new(source: SourceId, start: usize, end: usize) -> Self {
        debug_assert!(start <= end, "a span ends where it starts or later");
        Self { source, start, end }
    }
}

impl Sources {
    pub(crate) fn add(&mut self, rev: Rev, path: RepoPath, text: impl Into<Arc<str>>) -> SourceId {
        let id = SourceId(u32::try_from(self.files.len()).expect("a run reads fewer than 2^32 texts"));
        self.files.push(SourceFile { rev, path, text: text.into() });
        self.lines.push(OnceLock::new());
        id
    }

    /// Every text, in the order in which they were added.
    pub(crate) fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    pub(crate) fn get(&self, id: SourceId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// The text of a file in a revision, if it was read.
    pub(crate) fn find(&self, rev: &Rev, path: &RepoPath) -> Option<SourceId> {
        let at = self.files.iter().position(|file| file.path == *path && file.rev == *rev)?;
        Some(SourceId(u32::try_from(at).expect("a run reads fewer than 2^32 texts")))
    }

    /// The text that a span points at.
    #[cfg(any(test, feature = "ai"))]
    pub(crate) fn slice(&self, span: Span) -> &str {
        &self.get(span.source).text[span.start..span.end]
    }

    /// The place of a byte offset in a text. A byte order mark counts as no column.
    pub(crate) fn line_column(&self, id: SourceId, offset: usize) -> LineColumn {
        let (line, start) = self.line(id, offset);
        let head = &self.get(id).text[start..offset];
        let column = head.strip_prefix('\u{feff}').unwrap_or(head).chars().count() + 1;
        LineColumn { line, column }
    }

    /// The line that a byte offset is in, from 1, and where it starts; `\n`, `\r\n` and a lone `\r` end lines.
    pub(crate) fn line(&self, id: SourceId, offset: usize) -> (usize, usize) {
        let starts = self.starts(id);
        let line = starts.partition_point(|start| *start <= offset);
        (line, starts[line - 1])
    }

    /// Where a line, counted from 1, starts.
    pub(crate) fn line_start(&self, id: SourceId, line: usize) -> Option<usize> {
        self.starts(id).get(line.checked_sub(1)?).copied()
    }

    fn starts(&self, id: SourceId) -> &[usize] {
        self.lines[id.0 as usize].get_or_init(|| line_starts(&self.get(id).text))
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
    let ends = ends.filter(|at| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
    std::iter::once(0).chain(ends.map(|at| at + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_are_counted_as_people_do() {
        let check = |text: &str, offset, line, column| {
            let mut sources = Sources::default();
            let source = sources.add(Rev::Worktree, RepoPath::new("a"), text);
            assert_eq!(sources.line_column(source, offset), LineColumn { line, column }, "{text:?} at {offset}");
        };
        check("", 0, 1, 1);
        check("ab\ncd", 4, 2, 2);
        check("ab\r\ncd", 4, 2, 1);
        check("a\rb", 2, 2, 1);
        check("é漢x", 5, 1, 3);
        check("\u{feff}ab", 3, 1, 1);
        check("\u{feff}ab", 4, 1, 2);
    }

    #[test]
    fn paths_that_are_not_utf8_are_shown_escaped() {
        assert_eq!(RepoPath::new(b"a/\xffb").to_string(), "a/\\xffb");
        assert_eq!(RepoPath::new("prüf.md").to_string(), "prüf.md");
    }
}
