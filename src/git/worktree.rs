//! The work tree: which files of it git would take, and their bytes on disk. Directories are walked, never followed
//! through a link; nothing is hashed unless it is wanted and differs from the index by its stat data; nothing is written.
//!
//! Filters other than line ends (`working-tree-encoding`, `filter=` drivers) are not applied.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, DirEntry, Metadata};
use std::io::{self, ErrorKind};
use std::ops::Bound;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use git2::{IndexEntry, IndexTime, ObjectType, Oid, Repository};

use super::error::Error;
use super::open::Repo;
use super::place::{Astray, locate, os_path};
use super::snapshot::{BlobId, Content, Entry, MAX_TEXT, Mode, is_intent_to_add, is_skip_worktree, is_unmerged};
use crate::source::RepoPath;
use crate::whole;

/// What the walk needs to know.
struct Walk<'r> {
    repo: &'r Repo,
    want: &'r dyn Fn(&RepoPath) -> bool,
    tracked: BTreeMap<RepoPath, IndexEntry>,
    /// When the index was written. Files touched since then may have changed without a trace in their stat data.
    index_written: Option<SystemTime>,
    /// Whether the file system keeps the executable bit and links, by git's own findings.
    keeps_mode: bool,
    keeps_links: bool,
}

/// What a path holds on disk.
enum OnDisk {
    Bytes(Vec<u8>),
    Link(Vec<u8>),
    TooLarge(u64),
}

/// The wanted files, tracked or untracked and not ignored.
pub(super) fn entries(repo: &Repo, want: &dyn Fn(&RepoPath) -> bool) -> Result<BTreeMap<RepoPath, Entry>, Error> {
    let top = repo.require_workdir()?.to_path_buf();
    let walk = Walk::new(repo, want)?;
    let mut entries = walk.left_out();
    let mut directories = vec![(top, Vec::new())];
    while let Some((directory, prefix)) = directories.pop() {
        for item in walk.list(&directory, &prefix)? {
            let item = item.map_err(|error| Error::io(&directory, error))?;
            let name = bytes_of(&item.file_name());
            if name.eq_ignore_ascii_case(b".git") {
                continue;
            }
            let path = RepoPath::new([&prefix[..], &name].concat());
            let file = item.path();
            let kind = item.file_type().map_err(|error| Error::io(&file, error))?;
            if kind.is_dir() && walk.enters(&path, &file)? {
                directories.push((file, [path.as_bytes(), b"/"].concat()));
                continue;
            }
            let entry = if kind.is_dir() {
                walk.submodule(&path)
            } else if kind.is_file() || kind.is_symlink() {
                walk.file(&path, &file)?
            } else {
                None
            };
            entries.extend(entry.map(|entry| (path, entry)));
        }
    }
    Ok(entries)
}

/// Those of some files that are there.
pub(super) fn named(repo: &Repo, paths: &[RepoPath]) -> Result<BTreeMap<RepoPath, Entry>, Error> {
    let top = repo.require_workdir()?.to_path_buf();
    let want = |path: &RepoPath| paths.contains(path);
    let walk = Walk::over(repo, &want, repo.index_entries_of(paths)?.into_iter())?;
    let mut entries = walk.left_out();
    for path in paths {
        let Some(file) = repo.file_on_disk(path) else { continue };
        let folders = || file.ancestors().skip(1).take_while(|folder| *folder != top);
        if walk.tracked_mode(path).is_none() && folders().any(is_repository) {
            continue;
        }
        let entry = match fs::symlink_metadata(&file) {
            Ok(metadata) if metadata.is_dir() => walk.submodule(path),
            Ok(metadata) if metadata.is_file() || metadata.is_symlink() => walk.file(path, &file)?,
            Ok(_) => None,
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => None,
            Err(error) => return Err(Error::io(&file, error)),
        };
        entries.extend(entry.map(|entry| (path.clone(), entry)));
    }
    Ok(entries)
}

/// The wanted files of the index that are another on disk, or gone, or cannot be read.
pub(super) fn differing(repo: &Repo, want: &dyn Fn(&RepoPath) -> bool) -> Result<Vec<RepoPath>, Error> {
    let staged = repo.index_listing()?;
    staged.ensure_merged(want)?;
    let is_as_indexed = |path: &RepoPath, entry: &Entry| {
        entry.mode == Mode::Submodule || entry.id.is_some_and(|id| repo.checked_out(path, entry.mode, id).is_some())
    };
    let doubtful = staged.files.iter().filter(|(path, entry)| want(path) && !is_as_indexed(path, entry));
    let doubtful: Vec<RepoPath> = doubtful.map(|(path, _)| path.clone()).collect();
    let walk = Walk::over(repo, want, repo.index_entries_of(&doubtful)?.into_iter())?;
    let differs = |(path, raw): &(&RepoPath, &IndexEntry)| {
        let on_disk = || walk.file(path, &repo.file_on_disk(path)?).ok().flatten();
        !is_skip_worktree(raw) && on_disk() != Some(Entry::of_index(raw))
    };
    Ok(walk.tracked.iter().filter(differs).map(|(path, _)| path.clone()).collect())
}

/// Reads a file from disk; one that a sparse checkout left out, from the index.
pub(super) fn read(repo: &Repo, path: &RepoPath, mode: Mode) -> Result<Content, Error> {
    let astray = |Astray { at, .. }| Error::io(&at, io::Error::other("the path leads out of the work tree"));
    let file = locate(repo.require_workdir()?, path).map_err(astray)?;
    match read_file(&file) {
        Ok(OnDisk::Bytes(bytes)) => Ok(Content::new(mode, bytes)),
        Ok(OnDisk::Link(target)) => Ok(Content::Link { target }),
        Ok(OnDisk::TooLarge(size)) => Ok(Content::TooLarge { size }),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let index = repo.index()?;
            let tracked = os_path(path.as_bytes()).and_then(|path| index.get_path(&path, 0));
            match tracked.filter(is_skip_worktree) {
                Some(entry) => repo.read_blob(path, Mode::from_git(entry.mode), BlobId::new(entry.id)),
                None => Err(Error::io(&file, error)),
            }
        }
        Err(error) => Err(Error::io(&file, error)),
    }
}

impl<'r> Walk<'r> {
    fn new(repo: &'r Repo, want: &'r dyn Fn(&RepoPath) -> bool) -> Result<Self, Error> {
        Self::over(repo, want, repo.index()?.iter())
    }

    /// A walk that meets no more tracked files than these.
    fn over(
        repo: &'r Repo,
        want: &'r dyn Fn(&RepoPath) -> bool,
        known: impl Iterator<Item = IndexEntry>,
    ) -> Result<Self, Error> {
        let index = repo.index()?;
        let mut tracked = BTreeMap::new();
        let mut unmerged = BTreeSet::new();
        for entry in known {
            let path = RepoPath::new(&entry.path);
            if is_unmerged(&entry) && want(&path) {
                unmerged.insert(path.clone());
            }
            tracked.insert(path, entry);
        }
        if !unmerged.is_empty() {
            return Err(Error::Unmerged(unmerged.into_iter().collect()));
        }
        let index_written =
            index.path().and_then(|path| fs::metadata(path).ok()).and_then(|metadata| metadata.modified().ok());
        let keeps_mode = cfg!(unix) && setting(&repo.git, "core.filemode");
        let keeps_links = setting(&repo.git, "core.symlinks");
        Ok(Self { repo, want, tracked, index_written, keeps_mode, keeps_links })
    }

    /// The wanted files that a sparse checkout keeps off the disk; those that are there all the same replace these.
    fn left_out(&self) -> BTreeMap<RepoPath, Entry> {
        let left_out = self.tracked.iter().filter(|(path, raw)| is_skip_worktree(raw) && (self.want)(path));
        left_out.map(|(path, raw)| (path.clone(), Entry::of_index(raw))).collect()
    }

    /// The items of a directory. One that cannot be read and holds nothing tracked is passed over, as by `git status`.
    fn list(&self, directory: &Path, prefix: &[u8]) -> Result<impl Iterator<Item = io::Result<DirEntry>>, Error> {
        let items = match fs::read_dir(directory) {
            Ok(items) => Some(items),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) if error.kind() == ErrorKind::PermissionDenied && !self.tracks_below(prefix) => None,
            Err(error) => return Err(Error::io(directory, error)),
        };
        Ok(items.into_iter().flatten())
    }

    fn tracks_below(&self, prefix: &[u8]) -> bool {
        let from = (Bound::Included(RepoPath::new(prefix)), Bound::Unbounded);
        self.tracked.range(from).next().is_some_and(|(path, _)| path.as_bytes().starts_with(prefix))
    }

    /// Whether a directory belongs to this repository and may hold files of interest.
    fn enters(&self, path: &RepoPath, directory: &Path) -> Result<bool, Error> {
        if self.tracked_mode(path) == Some(Mode::Submodule) {
            return Ok(false);
        }
        let prefix = [path.as_bytes(), b"/"].concat();
        if self.tracks_below(&prefix) {
            return Ok(true);
        }
        Ok(!is_repository(directory) && !self.ignores(&prefix)?)
    }

    fn submodule(&self, path: &RepoPath) -> Option<Entry> {
        let raw = self.tracked.get(path).filter(|raw| Mode::from_git(raw.mode) == Mode::Submodule)?;
        (self.want)(path).then(|| Entry { mode: Mode::Submodule, id: Some(BlobId::new(raw.id)) })
    }

    /// The entry of a file or link; `None` if it is not wanted, not git's business, or gone meanwhile.
    fn file(&self, path: &RepoPath, file: &Path) -> Result<Option<Entry>, Error> {
        let tracked = self.tracked.get(path);
        if !(self.want)(path) || (tracked.is_none() && (is_left_over(path) || self.ignores(path.as_bytes())?)) {
            return Ok(None);
        }
        let found = fs::symlink_metadata(file).and_then(|metadata| {
            let mode = self.mode(tracked, &metadata);
            let is_same = |raw: &IndexEntry| {
                !is_intent_to_add(raw)
                    && mode == Mode::from_git(raw.mode)
                    && is_unchanged(raw, &metadata, self.index_written)
            };
            if let Some(raw) = tracked.filter(|raw| is_same(raw)) {
                return Ok((mode, Some(raw.id)));
            }
            let id = match read_file(file)? {
                OnDisk::Bytes(bytes) | OnDisk::Link(bytes) => self.hash(tracked, &bytes),
                OnDisk::TooLarge(_) => None,
            };
            Ok((mode, id))
        });
        match found {
            Ok((mode, id)) => Ok(Some(Entry { mode, id: id.map(BlobId::new) })),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io(file, error)),
        }
    }

    /// Where the file system does not tell, the index knows.
    fn mode(&self, tracked: Option<&IndexEntry>, metadata: &Metadata) -> Mode {
        let recorded = tracked.map(|raw| Mode::from_git(raw.mode));
        if metadata.is_symlink() || (!self.keeps_links && recorded == Some(Mode::Link)) {
            Mode::Link
        } else if self.keeps_mode {
            if is_executable(metadata) { Mode::Executable } else { Mode::File }
        } else if recorded == Some(Mode::Executable) {
            Mode::Executable
        } else {
            Mode::File
        }
    }

    /// The id of the bytes; that of the index if they differ from it in line ends only.
    fn hash(&self, tracked: Option<&IndexEntry>, bytes: &[u8]) -> Option<Oid> {
        let hash = |bytes: &[u8]| Oid::hash_object_ext(ObjectType::Blob, bytes, self.repo.git.object_format()).ok();
        let id = hash(bytes)?;
        let recorded = tracked.map(|raw| raw.id).filter(|recorded| *recorded != id && bytes.contains(&b'\r'));
        recorded.filter(|recorded| hash(&fold_line_ends(bytes)).as_ref() == Some(recorded)).or(Some(id))
    }

    fn tracked_mode(&self, path: &RepoPath) -> Option<Mode> {
        self.tracked.get(path).map(|raw| Mode::from_git(raw.mode))
    }

    fn ignores(&self, path: &[u8]) -> Result<bool, Error> {
        let Some(path) = os_path(path) else { return Ok(false) };
        self.repo
            .git
            .is_path_ignored(&path)
            .map_err(|source| Error::Git { doing: format!("match `{}` with .gitignore", path.display()), source })
    }
}

/// Whether a file is what a run of ours is writing, or left when it was killed. It would be read as a case a second time.
fn is_left_over(path: &RepoPath) -> bool {
    path.as_bytes().rsplit(|byte| *byte == b'/').next().is_some_and(whole::is_unfinished)
}

/// Whether a file is as git last saw it, by its stat data. A doubt costs a read, never a wrong answer: a file that was
/// written when the index was, or later, is not trusted.
pub(super) fn is_unchanged(raw: &IndexEntry, metadata: &Metadata, index_written: Option<SystemTime>) -> bool {
    let Ok(modified) = metadata.modified() else { return false };
    index_written.is_some_and(|written| modified < written)
        && metadata.len() & u64::from(u32::MAX) == u64::from(raw.file_size)
        && is_same_time(raw.mtime, modified)
        && is_same_inode(raw, metadata)
}

fn read_file(file: &Path) -> io::Result<OnDisk> {
    let metadata = fs::symlink_metadata(file)?;
    if metadata.is_symlink() {
        return Ok(OnDisk::Link(bytes_of(fs::read_link(file)?.as_os_str())));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("not a file"));
    }
    if metadata.len() > MAX_TEXT {
        return Ok(OnDisk::TooLarge(metadata.len()));
    }
    fs::read(file).map(OnDisk::Bytes)
}

/// Whether a directory is a repository of its own, whose files are not ours.
fn is_repository(directory: &Path) -> bool {
    let missing = |error: git2::Error| error.code() == git2::ErrorCode::NotFound;
    directory.join(".git").exists() && !Repository::open(directory).is_err_and(missing)
}

fn setting(git: &Repository, name: &str) -> bool {
    git.config().and_then(|config| config.get_bool(name)).unwrap_or(true)
}

fn fold_line_ends(bytes: &[u8]) -> Vec<u8> {
    let mut folded = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            folded.push(*byte);
        }
    }
    folded
}

fn is_same_time(recorded: IndexTime, time: SystemTime) -> bool {
    let Ok(since) = time.duration_since(UNIX_EPOCH) else { return false };
    // The index keeps the low 32 bits of the seconds.
    since.as_secs() & u64::from(u32::MAX) == u64::from(recorded.seconds().cast_unsigned())
        && since.subsec_nanos() == recorded.nanoseconds()
}

#[cfg(unix)]
fn is_same_inode(raw: &IndexEntry, metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.ino() & u64::from(u32::MAX) == u64::from(raw.ino)
        && metadata.ctime() & i64::from(u32::MAX) == i64::from(raw.ctime.seconds().cast_unsigned())
}

#[cfg(not(unix))]
fn is_same_inode(_raw: &IndexEntry, _metadata: &Metadata) -> bool {
    true
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn bytes_of(name: &OsStr) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    name.as_bytes().to_vec()
}

#[cfg(not(unix))]
fn bytes_of(name: &OsStr) -> Vec<u8> {
    name.to_string_lossy().into_owned().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::{TestRepo, all, git, show};
    use crate::source::Rev;

    fn check(test: &TestRepo, expected: &str) {
        assert_eq!(show(&test.open(), &Rev::Worktree), expected);
    }

    #[test]
    fn ignored_files_are_left_out_unless_tracked() {
        let test = TestRepo::new();
        test.write(".gitignore", "build/\n*.log\n!keep.log\n");
        test.write("build/kept.md", "kept");
        test.git(&["add", "--force", "build/kept.md"]);
        test.write("build/out.md", "out");
        test.write("sub/.gitignore", "x.md\n");
        test.write("sub/x.md", "x");
        test.write("sub/y.md", "y");
        test.write("keep.log", "k");
        test.write("a.log", "l");
        let wanted = |path: &RepoPath| !path.to_string().ends_with(".gitignore");
        let entries = test.open().snapshot(&Rev::Worktree, &wanted).unwrap().entries;
        let paths: Vec<String> = entries.keys().map(ToString::to_string).collect();
        assert_eq!(paths, ["build/kept.md", "keep.log", "sub/y.md"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_told_and_never_followed() {
        use std::os::unix::fs::symlink;
        let test = TestRepo::new();
        test.write("docs/m.md", "m");
        symlink("/etc/passwd", test.top.join("out.md")).unwrap();
        symlink("docs", test.top.join("also")).unwrap();
        let id = test.commit("links");
        let expected = "also: -> docs\ndocs/m.md: \"m\"\nout.md: -> /etc/passwd\n";
        for rev in [Rev::Commit(id), Rev::Index, Rev::Worktree] {
            assert_eq!(show(&test.open(), &rev), expected, "{rev}");
        }
        fs::remove_dir_all(test.top.join("docs")).unwrap();
        fs::create_dir(test.root.join("elsewhere")).unwrap();
        fs::write(test.root.join("elsewhere/m.md"), "secret").unwrap();
        symlink("../elsewhere", test.top.join("docs")).unwrap();
        let repo = test.open();
        check(&test, "also: -> docs\ndocs: -> ../elsewhere\nout.md: -> /etc/passwd\n");
        let entry = Entry { mode: Mode::File, id: None };
        for path in ["docs/m.md", "../elsewhere/m.md", "/etc/passwd", ".."] {
            let error = repo.read(&Rev::Worktree, &RepoPath::new(path), &entry).unwrap_err();
            assert!(error.to_string().ends_with("leads out of the work tree"), "{path}: {error}");
        }
    }

    #[test]
    fn repositories_inside_the_work_tree_are_not_ours() {
        let test = TestRepo::new();
        test.write("a.md", "a");
        git(&test.top, &["init", "--quiet", "vendored"]);
        test.write("vendored/v.md", "v");
        test.write("odd/.git/o.md", "a folder of that name alone makes no repository");
        test.write("odd/o.md", "o");
        check(&test, "a.md: \"a\"\nodd/o.md: \"o\"\n");
    }

    #[test]
    fn line_ends_are_kept_and_do_not_count_as_a_change() {
        let test = TestRepo::new();
        test.write("m.md", "a\nb\n");
        test.commit("lf");
        test.write("m.md", "a\r\nb\r\n");
        check(&test, "m.md: \"a\\r\\nb\\r\\n\"\n");
        assert_eq!(test.open().changed(&Rev::Index, &Rev::Worktree).unwrap(), []);
        test.write("m.md", "a\r\nc\r\n");
        assert_eq!(test.open().changed(&Rev::Index, &Rev::Worktree).unwrap().len(), 1);
    }

    #[test]
    fn unchanged_files_have_the_id_of_the_index_and_changed_ones_their_own() {
        let test = TestRepo::new();
        test.write("a.md", "aaa");
        test.write("b.md", "bbb");
        test.commit("first");
        // Same length and second: only the content tells.
        test.write("b.md", "BBB");
        let repo = test.open();
        let deltas = repo.changed(&Rev::Index, &Rev::Worktree).unwrap();
        let paths: Vec<String> = deltas.iter().map(|delta| delta.path.to_string()).collect();
        assert_eq!(paths, ["b.md"]);
        let id = deltas[0].after.unwrap().id.unwrap().to_string();
        assert_eq!(id, test.git(&["hash-object", "b.md"]).trim());
    }

    #[test]
    fn files_that_a_sparse_checkout_leaves_out_are_there() {
        let test = TestRepo::new();
        test.write("in/a.md", "a");
        test.write("out/b.md", "b");
        test.commit("both");
        test.git(&["sparse-checkout", "set", "in"]);
        assert!(!test.top.join("out").exists());
        check(&test, "in/a.md: \"a\"\nout/b.md: \"b\"\n");
        test.git(&["sparse-checkout", "reapply", "--sparse-index"]);
        let error = test.open().snapshot(&Rev::Index, &all).unwrap_err();
        assert!(error.hint().unwrap().contains("reapply --no-sparse-index"), "{error}");
    }

    #[test]
    fn stat_data_are_trusted_only_if_the_file_is_older_than_the_index() {
        let test = TestRepo::new();
        test.write("m.md", "one");
        let file = test.top.join("m.md");
        let touch = |age: u64| {
            let time = SystemTime::now() - std::time::Duration::from_secs(age);
            fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
        };
        let is_unchanged = || {
            let repo = test.open();
            let walk = Walk::new(&repo, &all).unwrap();
            let raw = &walk.tracked[&RepoPath::new("m.md")];
            is_unchanged(raw, &fs::symlink_metadata(&file).unwrap(), walk.index_written)
        };
        touch(60);
        test.git(&["add", "m.md"]);
        assert!(is_unchanged());
        touch(50);
        assert!(!is_unchanged(), "another time");
        test.git(&["add", "m.md"]);
        test.write("m.md", "longer");
        touch(50);
        assert!(!is_unchanged(), "another size");
    }
}
