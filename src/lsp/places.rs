//! Where something is, said as the client says it: files as addresses, offsets as lines and columns from 0. The counting
//! itself is `columns`', the spelling of addresses the library's.

use std::path::{Path, PathBuf};

use lsp_types::{Position, Range, Uri};

use crate::columns::{self, Unit};
use crate::source::{LineColumn, RepoPath, SourceId, Sources, Span};

/// How the client and the repository name the same files.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The top of the work tree as git knows it, without links.
    top: PathBuf,
    /// The same as the client names it.
    shown: PathBuf,
    unit: Unit,
}

impl Places {
    /// `folder` is how the client names a folder in the work tree.
    pub(super) fn new(top: &Path, folder: &Path, unit: Unit) -> Self {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let top = real(top);
        let below = real(folder).strip_prefix(&top).map(Path::to_path_buf).unwrap_or_default();
        let mut shown = folder.to_path_buf();
        let is_named_alike = folder.ends_with(&below);
        below.components().for_each(|_| _ = shown.pop());
        let shown = if is_named_alike { shown } else { top.clone() };
        Self { top, shown, unit }
    }

    /// A file of the client's as git knows it; `None` outside of the work tree.
    pub(super) fn inside(&self, uri: &Uri) -> Option<RepoPath> {
        let file = file(uri)?;
        let below = |file: &Path| {
            let inside = file.strip_prefix(&self.shown).or_else(|_| file.strip_prefix(&self.top)).ok()?;
            let parts: Vec<&[u8]> = inside.components().map(|part| part.as_os_str().as_encoded_bytes()).collect();
            Some(RepoPath::new(parts.join(&b'/')))
        };
        below(&file).or_else(|| below(&file.parent()?.canonicalize().ok()?.join(file.file_name()?)))
    }

    /// A file on disk.
    pub(super) fn on_disk(&self, path: &RepoPath) -> Option<PathBuf> {
        joined(&self.top, path)
    }

    /// A file as an address; `None` where its name can be none.
    pub(super) fn uri(&self, path: &RepoPath) -> Option<Uri> {
        Uri::from_file_path(joined(&self.shown, path)?).ok()
    }

    /// Where a span is: without a line end at its end.
    pub(super) fn range(&self, span: Span, sources: &Sources) -> Range {
        let region = columns::region(span, sources, self.unit);
        Range { start: position(region.start), end: position(region.end) }
    }

    pub(super) fn position(&self, offset: usize, source: SourceId, sources: &Sources) -> Position {
        position(columns::place(offset, source, sources, self.unit))
    }

    pub(super) fn offset(&self, position: Position, source: SourceId, sources: &Sources) -> usize {
        let from_one = |number: u32| usize::try_from(number).unwrap_or(usize::MAX).saturating_add(1);
        let place = LineColumn { line: from_one(position.line), column: from_one(position.character) };
        columns::offset(place, source, sources, self.unit)
    }
}

/// The file that an address names.
pub(super) fn file(uri: &Uri) -> Option<PathBuf> {
    if uri.scheme() == "file" { uri.to_file_path().ok() } else { None }
}

fn position(place: LineColumn) -> Position {
    let from_zero = |number: usize| u32::try_from(number - 1).unwrap_or(u32::MAX);
    Position { line: from_zero(place.line), character: from_zero(place.column) }
}

#[cfg(unix)]
fn joined(top: &Path, path: &RepoPath) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(top.join(std::ffi::OsStr::from_bytes(path.as_bytes())))
}

/// Where names are no bytes, one that is no text names nothing.
#[cfg(not(unix))]
fn joined(top: &Path, path: &RepoPath) -> Option<PathBuf> {
    let path = std::str::from_utf8(path.as_bytes()).ok()?;
    Some(path.split('/').fold(top.to_path_buf(), |folder, part| folder.join(part)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn inside(places: &Places, uri: &str) -> Option<String> {
        let uri = Uri::parse(uri).expect(uri);
        places.inside(&uri).map(|path| path.to_string())
    }

    #[test]
    fn addresses_and_paths_lead_to_each_other() {
        let places = Places::new(Path::new("/nowhere/a b"), Path::new("/nowhere/a b/docs"), Unit::Utf16);
        let check = |path: &[u8], uri: &str| {
            assert_eq!(places.uri(&RepoPath::new(path)).unwrap().as_str(), uri);
            assert_eq!(inside(&places, uri), Some(RepoPath::new(path).to_string()));
        };
        check(b"cases.yaml", "file:///nowhere/a%20b/cases.yaml");
        check("docs/prüf#1 %.md".as_bytes(), "file:///nowhere/a%20b/docs/pr%C3%BCf%231%20%25.md");
        check(b"a/\xff.md", "file:///nowhere/a%20b/a/%FF.md");
        assert_eq!(inside(&places, "file:///nowhere/a%20b/docs/x%3A%5by%5d.md").as_deref(), Some("docs/x:[y].md"));
        assert_eq!(inside(&places, "file://localhost/nowhere/a%20b/c").as_deref(), Some("c"));
        assert_eq!(inside(&places, "file:///nowhere/other/c"), None);
        assert_eq!(inside(&places, "untitled:Untitled-1"), None);
        assert_eq!(inside(&places, "git:/nowhere/a%20b/c?x"), None);
    }

    #[test]
    fn a_work_tree_behind_a_link_keeps_the_name_that_the_client_has_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::create_dir_all(real.join("docs")).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let places = Places::new(&real, &link.join("docs"), Unit::Utf16);
        let (path, named) = (RepoPath::new("docs/a.md"), Uri::from_file_path(link.join("docs/a.md")).unwrap());
        assert_eq!(places.uri(&path), Some(named.clone()));
        assert_eq!(places.inside(&named), Some(path.clone()));
        assert_eq!(places.inside(&Uri::from_file_path(real.join("docs/a.md")).unwrap()), Some(path));
    }
}
