//! What files a revision holds, and their contents. Listing reads no blob; contents are read one by one on demand.

use std::collections::BTreeMap;
use std::fmt;

use git2::{ErrorCode, IndexEntry, ObjectType, Oid};

use super::error::{Error, missing_object};
use super::open::Repo;
use super::place::os_path;
use super::{tree, worktree};
use crate::source::{CommitId, RepoPath, Rev};

/// Nobody writes a manual or a case file of this size. Bigger files are reported, not loaded.
pub(super) const MAX_TEXT: u64 = 16 << 20;

/// A [git LFS pointer](https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md) starts like this and is short.
const LFS_START: &[u8] = b"version https://git-lfs.github.com/spec/";
const LFS_LONGEST: usize = 1024;

/// Set in the index for `git add -N`: the path is announced, its content is not part of the next commit.
const INTENT_TO_ADD: u16 = 1 << 13;
/// Set in the index for files that a sparse checkout leaves out of the work tree.
const SKIP_WORKTREE: u16 = 1 << 14;

/// Some or all files of one revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    pub(crate) rev: Rev,
    pub(crate) entries: BTreeMap<RepoPath, Entry>,
}

/// One file of a revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) mode: Mode,
    /// Equal ids: equal text. In the work tree that is true but for line ends, as git may store a file with CRLF in LF
    /// form; so offsets into a text hold only for the revision that it was read from. `None` only in the work tree: a
    /// file too big to be read.
    pub(crate) id: Option<BlobId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Mode {
    File,
    Executable,
    Link,
    Submodule,
}

/// The id of a file's content; of a submodule, its commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct BlobId(Oid);

/// What a file of a revision turned out to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// The bytes as they are: not necessarily UTF-8, line ends and byte order mark kept.
    Text(Vec<u8>),
    /// The text is in git LFS; only a pointer to it is here.
    LfsPointer,
    /// A symbolic link, not followed: it may lead out of the repository.
    Link {
        target: Vec<u8>,
    },
    /// The files are in another repository.
    Submodule,
    TooLarge {
        size: u64,
    },
}

/// A file that differs between two revisions; at least one side has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Delta {
    pub(crate) path: RepoPath,
    pub(crate) before: Option<Entry>,
    pub(crate) after: Option<Entry>,
}

impl Repo {
    /// Lists the files of a revision whose path is wanted.
    ///
    /// The index is what a commit would take: intent-to-add entries are left out, an unmerged file is an error. The
    /// work tree is what `git add --all` would take: tracked files that are there, and untracked ones that are not
    /// ignored; files that a sparse checkout leaves out count as there.
    pub(crate) fn snapshot(&self, rev: &Rev, want: &dyn Fn(&RepoPath) -> bool) -> Result<Snapshot, Error> {
        let entries = match rev {
            Rev::Nothing => BTreeMap::new(),
            Rev::Commit(id) => self.tree_entries(id, want)?,
            Rev::Index => self.index_entries(want)?,
            Rev::Worktree => worktree::entries(self, want)?,
        };
        Ok(Snapshot { rev: rev.clone(), entries })
    }

    /// Those of some files that a revision has, as a snapshot lists them: the cost does not grow with the repository.
    pub(crate) fn named(&self, rev: &Rev, paths: &[RepoPath]) -> Result<Snapshot, Error> {
        let entries = match rev {
            Rev::Nothing => BTreeMap::new(),
            Rev::Commit(id) => self.named_in_tree(self.commit_tree(id)?, paths)?,
            Rev::Index => {
                let raw = self.index_entries_of(paths)?;
                let listed = raw.into_iter().filter(|raw| !is_intent_to_add(raw));
                listed.map(|raw| (RepoPath::new(&raw.path), Entry::of_index(&raw))).collect()
            }
            Rev::Worktree => worktree::named(self, paths)?,
        };
        Ok(Snapshot { rev: rev.clone(), entries })
    }

    fn named_in_tree(&self, tree: Oid, paths: &[RepoPath]) -> Result<BTreeMap<RepoPath, Entry>, Error> {
        let failed = |source| self.object_error(&format!("read the tree {tree}"), None, source);
        let root = self.objects().find_tree(tree).map_err(failed)?;
        let mut entries = BTreeMap::new();
        for path in paths {
            let Some(relative) = os_path(path.as_bytes()) else { continue };
            match root.get_path(&relative) {
                Ok(found) if found.kind() == Some(ObjectType::Tree) => {}
                Ok(found) => {
                    let mode = Mode::from_git(found.filemode().unsigned_abs());
                    entries.insert(path.clone(), Entry { mode, id: Some(BlobId(found.id())) });
                }
                Err(error) if error.code() == ErrorCode::NotFound && missing_object(error.message()).is_none() => {}
                Err(source) => return Err(self.object_error(&format!("read `{path}`"), Some(path), source)),
            }
        }
        Ok(entries)
    }

    /// What the index has under these paths; one with a conflict is an error.
    pub(super) fn index_entries_of(&self, paths: &[RepoPath]) -> Result<Vec<IndexEntry>, Error> {
        let index = self.index()?;
        let at = |path: &RepoPath, stage: i32| index.get_path(&os_path(path.as_bytes())?, stage);
        let is_unmerged = |path: &&RepoPath| (1..=3).any(|stage| at(path, stage).is_some());
        let unmerged: Vec<RepoPath> = paths.iter().filter(is_unmerged).cloned().collect();
        match unmerged.is_empty() {
            true => Ok(paths.iter().filter_map(|path| at(path, 0)).collect()),
            false => Err(Error::Unmerged(unmerged)),
        }
    }

    /// Reads the content of a file that a snapshot of `rev` lists.
    pub(crate) fn read(&self, rev: &Rev, path: &RepoPath, entry: &Entry) -> Result<Content, Error> {
        match (rev, entry.mode, entry.id) {
            (_, Mode::Submodule, _) => Ok(Content::Submodule),
            (Rev::Worktree, _, _) | (_, _, None) => worktree::read(self, path, entry.mode),
            (_, mode, Some(id)) => match self.blob_on_disk(path, mode, id) {
                Some(bytes) => Ok(Content::new(mode, bytes)),
                None => self.read_blob(path, mode, id),
            },
        }
    }

    /// The files that differ between two revisions, by path. Renames are not looked for.
    pub(crate) fn changed(&self, before: &Rev, after: &Rev) -> Result<Vec<Delta>, Error> {
        let mut deltas = Vec::new();
        if let (Some(before), Some(after)) = (self.tree_of(before)?, self.tree_of(after)?) {
            tree::compare(self, before, after, &mut |path, before, after| {
                deltas.push(Delta { path, before, after });
            })?;
            deltas.sort_by(|one, other| one.path.cmp(&other.path));
            return Ok(deltas);
        }
        let mut gone = self.snapshot(before, &|_| true)?.entries;
        for (path, entry) in self.snapshot(after, &|_| true)?.entries {
            deltas.push(Delta { before: gone.remove(&path), path, after: Some(entry) });
        }
        deltas.retain(|delta| !delta.is_same());
        deltas.extend(gone.into_iter().map(|(path, entry)| Delta { path, before: Some(entry), after: None }));
        deltas.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(deltas)
    }

    /// The tree of a commit.
    pub(super) fn commit_tree(&self, id: &CommitId) -> Result<Oid, Error> {
        Ok(self.find_commit(self.oid(id)?)?.tree_id())
    }

    pub(super) fn read_blob(&self, path: &RepoPath, mode: Mode, id: BlobId) -> Result<Content, Error> {
        let failed = |source| self.object_error(&format!("read `{path}` ({id})"), Some(path), source);
        let odb = self.objects().odb().map_err(failed)?;
        let (size, kind) = odb.read_header(id.0).map_err(failed)?;
        if kind != ObjectType::Blob {
            let source = git2::Error::from_str("the object is not a file");
            return Err(failed(source));
        }
        let size = size as u64;
        if size > MAX_TEXT {
            return Ok(Content::TooLarge { size });
        }
        let bytes = odb.read(id.0).map_err(failed)?.data().to_vec();
        Ok(Content::new(mode, bytes))
    }

    /// The tree of a revision that has one; the inner `None` is the empty tree.
    fn tree_of(&self, rev: &Rev) -> Result<Option<Option<Oid>>, Error> {
        Ok(match rev {
            Rev::Nothing => Some(None),
            Rev::Commit(id) => Some(Some(self.commit_tree(id)?)),
            Rev::Index | Rev::Worktree => None,
        })
    }

    fn tree_entries(
        &self,
        id: &CommitId,
        want: &dyn Fn(&RepoPath) -> bool,
    ) -> Result<BTreeMap<RepoPath, Entry>, Error> {
        let listing = self.tree_listing(self.commit_tree(id)?)?;
        Ok(listing.iter().filter(|(path, _)| want(path)).cloned().collect())
    }

    fn index_entries(&self, want: &dyn Fn(&RepoPath) -> bool) -> Result<BTreeMap<RepoPath, Entry>, Error> {
        let staged = self.index_listing()?;
        staged.ensure_merged(want)?;
        Ok(staged.files.iter().filter(|(path, _)| want(path)).cloned().collect())
    }
}

impl Entry {
    /// Whether it has a text of its own: it is neither a link nor a submodule.
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.mode, Mode::File | Mode::Executable)
    }

    pub(super) fn of_index(raw: &IndexEntry) -> Self {
        Self { mode: Mode::from_git(raw.mode), id: Some(BlobId(raw.id)) }
    }
}

impl Content {
    /// The content of a file that was read.
    pub(super) fn new(mode: Mode, bytes: Vec<u8>) -> Self {
        match mode {
            Mode::Link => Content::Link { target: bytes },
            Mode::Submodule => Content::Submodule,
            Mode::File | Mode::Executable if bytes.len() < LFS_LONGEST && bytes.starts_with(LFS_START) => {
                Content::LfsPointer
            }
            Mode::File | Mode::Executable => Content::Text(bytes),
        }
    }
}

impl Mode {
    /// The mode as git writes it in trees and in the index.
    pub(super) fn from_git(mode: u32) -> Self {
        match mode & 0o170_000 {
            0o120_000 => Mode::Link,
            0o160_000 => Mode::Submodule,
            _ if mode & 0o100 != 0 => Mode::Executable,
            _ => Mode::File,
        }
    }
}

impl BlobId {
    pub(super) fn new(id: Oid) -> Self {
        Self(id)
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Delta {
    /// An unknown id is never the same as another.
    fn is_same(&self) -> bool {
        self.before == self.after && self.before.is_none_or(|entry| entry.id.is_some())
    }
}

/// Whether an index entry is one side of a merge conflict.
pub(super) fn is_unmerged(entry: &git2::IndexEntry) -> bool {
    (entry.flags >> 12) & 3 != 0
}

pub(super) fn is_intent_to_add(entry: &git2::IndexEntry) -> bool {
    entry.flags_extended & INTENT_TO_ADD != 0
}

pub(super) fn is_skip_worktree(entry: &git2::IndexEntry) -> bool {
    entry.flags_extended & SKIP_WORKTREE != 0
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::git::testing::{TestRepo, all, env, git, git_fails, listing, show};

    /// Compares index and work tree with what is expected of each.
    fn check(test: &TestRepo, index: &str, worktree: &str) {
        let repo = test.open();
        assert_eq!(show(&repo, &Rev::Index), index, "index");
        assert_eq!(show(&repo, &Rev::Worktree), worktree, "work tree");
    }

    #[test]
    fn each_revision_shows_its_own_state() {
        let test = TestRepo::new();
        test.write("docs/m.md", "one\n");
        test.write("gone.md", "x");
        let first = test.commit("first");
        test.write("docs/m.md", "two\n");
        test.git(&["add", "docs"]);
        test.write("docs/m.md", "three\n");
        fs::remove_file(test.top.join("gone.md")).unwrap();
        test.write("new.md", "n");
        check(&test, "docs/m.md: \"two\\n\"\ngone.md: \"x\"\n", "docs/m.md: \"three\\n\"\nnew.md: \"n\"\n");
        assert_eq!(show(&test.open(), &Rev::Commit(first)), "docs/m.md: \"one\\n\"\ngone.md: \"x\"\n");
        assert_eq!(show(&test.open(), &Rev::Nothing), "");
    }

    #[test]
    fn intent_to_add_is_not_part_of_the_commit() {
        let test = TestRepo::new();
        test.commit("first");
        test.write("n.md", "soon");
        test.git(&["add", "--intent-to-add", "n.md"]);
        check(&test, "", "n.md: \"soon\"\n");
    }

    #[test]
    fn before_the_first_commit_the_index_can_be_read() {
        let test = TestRepo::new();
        check(&test, "", "");
        test.write("a.md", "a");
        test.git(&["add", "a.md"]);
        check(&test, "a.md: \"a\"\n", "a.md: \"a\"\n");
        assert_eq!(test.open().head().unwrap(), None);
    }

    #[test]
    fn an_unmerged_file_is_an_error_only_where_it_is_wanted() {
        let test = TestRepo::new();
        test.write("m.md", "base\n");
        test.write("n.md", "n\n");
        test.commit("base");
        test.git(&["switch", "--quiet", "-c", "topic"]);
        test.write("m.md", "topic\n");
        test.commit("topic");
        test.git(&["switch", "--quiet", "main"]);
        test.write("m.md", "main\n");
        test.commit("main");
        git_fails(&test.top, &["merge", "--quiet", "topic"]);
        let repo = test.open();
        for rev in [Rev::Index, Rev::Worktree] {
            let error = repo.snapshot(&rev, &all).unwrap_err();
            assert_eq!(error.to_string(), "`m.md` has unresolved merge conflicts");
            let other = repo.snapshot(&rev, &|path| path.as_bytes() == b"n.md").unwrap();
            assert_eq!(other.entries.len(), 1, "{rev}");
        }
    }

    #[test]
    fn lfs_pointers_and_submodules_are_no_text() {
        let test = TestRepo::new();
        let other = TestRepo::new();
        other.write("sub.md", "s");
        other.commit("sub");
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n";
        test.write("big.md", pointer);
        test.git(&["submodule", "--quiet", "add", other.top.to_str().unwrap(), "lib"]);
        fs::remove_file(test.top.join(".gitmodules")).unwrap();
        test.commit("pointers");
        let expected = "big.md: LfsPointer\nlib: Submodule\n";
        check(&test, expected, expected);
        let inside = Repo::open(&test.top.join("lib"), &crate::git::Env::default()).unwrap();
        assert_eq!(inside.workdir().unwrap(), test.top.join("lib"));
        assert_eq!(show(&inside, &Rev::Worktree), "sub.md: \"s\"\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn names_in_any_alphabet_or_none_are_read() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let test = TestRepo::new();
        for name in [&b"pr\xc3\xbcf.md"[..], b"a b\n.md", b"\xff.md", "規則/漢.md".as_bytes()] {
            let file = test.top.join(OsStr::from_bytes(name));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "x").unwrap();
        }
        let id = test.commit("names");
        let repo = test.open();
        let entries = repo.snapshot(&Rev::Index, &all).unwrap().entries;
        let names: Vec<&[u8]> = entries.keys().map(RepoPath::as_bytes).collect();
        assert_eq!(names, [&b"a b\n.md"[..], b"pr\xc3\xbcf.md", "規則/漢.md".as_bytes(), b"\xff.md"]);
        for rev in [Rev::Worktree, Rev::Commit(id)] {
            assert_eq!(repo.snapshot(&rev, &all).unwrap().entries, entries, "{rev}");
            assert_eq!(show(&repo, &rev).matches("\"x\"").count(), 4);
        }
    }

    #[test]
    fn changes_between_commits_are_listed_by_path() {
        let test = TestRepo::new();
        test.write("a", "file before, folder after");
        test.write("keep/x", "x");
        test.write("z.md", "z");
        let before = Rev::Commit(test.commit("before"));
        fs::remove_file(test.top.join("a")).unwrap();
        test.write("a/b", "b");
        test.write("a.b", "sorts between the two");
        test.write("z.md", "Z");
        let after = Rev::Commit(test.commit("after"));
        let repo = test.open();
        let show = |before: &Rev, after: &Rev| -> Vec<String> {
            let sign = |delta: &Delta| match (delta.before, delta.after) {
                (None, _) => '+',
                (_, None) => '-',
                (Some(_), Some(_)) => '~',
            };
            let deltas = repo.changed(before, after).unwrap();
            deltas.iter().map(|delta| format!("{}{}", sign(delta), delta.path)).collect()
        };
        assert_eq!(show(&before, &after), ["-a", "+a.b", "+a/b", "~z.md"]);
        assert_eq!(show(&before, &Rev::Index), show(&before, &after));
        assert_eq!(show(&before, &Rev::Worktree), show(&before, &after));
        assert_eq!(show(&Rev::Nothing, &before), ["+a", "+keep/x", "+z.md"]);
        assert_eq!(show(&after, &after), [""; 0]);
    }

    #[test]
    fn a_missing_object_is_named_with_its_path() {
        let test = TestRepo::new();
        test.write("docs/m.md", "m");
        let rev = Rev::Commit(test.commit("first"));
        let delete = |spec: &str| {
            let id = test.git(&["rev-parse", spec]).trim().to_owned();
            fs::remove_file(test.top.join(format!(".git/objects/{}/{}", &id[..2], &id[2..]))).unwrap();
            id
        };
        let path = RepoPath::new("docs/m.md");
        let entry = test.open().snapshot(&rev, &all).unwrap().entries[&path];
        let blob = delete("HEAD:docs/m.md");
        // The work tree still has it.
        assert_eq!(test.open().read(&rev, &path, &entry).unwrap(), Content::Text(b"m".to_vec()));
        test.write("docs/m.md", "another");
        let error = test.open().read(&rev, &path, &entry).unwrap_err().to_string();
        assert_eq!(error, format!("object {blob} (`docs/m.md`) is missing from the repository"));
        let tree = delete("HEAD:docs");
        let error = test.open().snapshot(&rev, &all).unwrap_err().to_string();
        assert_eq!(error, format!("object {tree} (`docs`) is missing from the repository"));
    }

    #[test]
    fn a_partial_clone_says_so() {
        let test = TestRepo::new();
        test.write("m.md", "one");
        test.commit("first");
        test.write("m.md", "two");
        test.commit("second");
        test.git(&["config", "uploadpack.allowFilter", "true"]);
        let url = format!("file://{}", test.top.display());
        git(&test.root, &["clone", "--quiet", "--filter=blob:none", &url, "partial"]);
        let repo = Repo::open(&test.root.join("partial"), &crate::git::Env::default()).unwrap();
        let rev = Rev::Commit(repo.resolve("HEAD~1").unwrap());
        let path = RepoPath::new("m.md");
        let entry = repo.snapshot(&rev, &all).unwrap().entries[&path];
        let error = repo.read(&rev, &path, &entry).unwrap_err();
        assert!(error.hint().unwrap().starts_with("this is a partial clone"), "{error}");
    }

    #[test]
    fn a_split_index_names_the_command_that_joins_it() {
        let test = TestRepo::new();
        test.write("a.md", "a");
        test.commit("a");
        test.git(&["update-index", "--split-index"]);
        let error = test.open().snapshot(&Rev::Index, &all).unwrap_err();
        assert!(error.hint().unwrap().contains("git update-index --no-split-index"), "{error}");
        test.git(&["update-index", "--no-split-index"]);
        assert_eq!(show(&test.open(), &Rev::Index), "a.md: \"a\"\n");
    }

    #[test]
    fn sha256_repositories_work() {
        let test = TestRepo::init(&["--quiet", "--object-format=sha256"]);
        test.write("m.md", "one");
        let first = test.commit("first");
        assert_eq!(first.as_str().len(), 64);
        test.write("m.md", "two");
        let repo = test.open();
        assert_eq!(repo.resolve("HEAD").unwrap(), first);
        let index = env(&[("GIT_INDEX_FILE", &test.top.join(".git/index"))]);
        let by_env = Repo::open(&test.top, &index).unwrap();
        assert_eq!(show(&by_env, &Rev::Index), show(&repo, &Rev::Commit(first.clone())));
        let deltas = repo.changed(&Rev::Commit(first.clone()), &Rev::Worktree).unwrap();
        let id = deltas[0].after.unwrap().id.unwrap().to_string();
        assert_eq!(id, test.git(&["hash-object", "m.md"]).trim());
        assert_eq!(repo.lineage(std::slice::from_ref(&first), &[], &all).unwrap().len(), 1);
    }

    #[test]
    fn reading_writes_nothing() {
        let test = TestRepo::new();
        test.write(".gitattributes", "*.md text=auto\n");
        test.write("m.md", "one\n");
        let first = test.commit("first");
        test.write("m.md", "two\r\n");
        test.write("new.md", "n");
        let before = listing(&test.top);
        let repo = test.open();
        for rev in [Rev::Commit(first.clone()), Rev::Index, Rev::Worktree] {
            show(&repo, &rev);
            repo.changed(&Rev::Nothing, &rev).unwrap();
        }
        repo.lineage(std::slice::from_ref(&first), &[], &all).unwrap();
        repo.merge_base(&first, &first).unwrap();
        assert_eq!(listing(&test.top), before);
        // A lock of git's own is no obstacle.
        test.write(".git/index.lock", "");
        show(&test.open(), &Rev::Index);
    }

    #[test]
    fn the_mode_is_part_of_an_entry() {
        let check = |mode, expected| assert_eq!(Mode::from_git(mode), expected, "{mode:o}");
        check(0o100_644, Mode::File);
        check(0o100_664, Mode::File);
        check(0o100_755, Mode::Executable);
        check(0o120_000, Mode::Link);
        check(0o160_000, Mode::Submodule);
    }
}
