//! What files a revision holds, and their contents. Listing reads no blob; contents are read one by one on demand.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use git2::{ObjectType, Oid};

use super::error::Error;
use super::open::Repo;
use super::{tree, worktree};
use crate::source::{CommitId, RepoPath, Rev};

/// Nobody writes a manual or a case file of this size. Bigger files are reported, not loaded.
pub(super) const MAX_TEXT: u64 = 64 << 20;

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

    /// Reads the content of a file that a snapshot of `rev` lists.
    pub(crate) fn read(&self, rev: &Rev, path: &RepoPath, entry: &Entry) -> Result<Content, Error> {
        match (rev, entry.mode, entry.id) {
            (_, Mode::Submodule, _) => Ok(Content::Submodule),
            (Rev::Worktree, _, _) | (_, _, None) => worktree::read(self, path, entry.mode),
            (_, mode, Some(id)) => self.read_blob(path, mode, id),
        }
    }

    /// The files that differ between two revisions, by path. Renames are not looked for.
    pub(crate) fn changed(&self, before: &Rev, after: &Rev) -> Result<Vec<Delta>, Error> {
        let mut deltas = Vec::new();
        if let (Some(before), Some(after)) = (self.tree_of(before)?, self.tree_of(after)?) {
            tree::compare(self, vec![before], after, &mut |path, before, after| {
                deltas.push(Delta { path, before, after });
            })?;
            deltas.sort_by(|one, other| one.path.cmp(&other.path));
            return Ok(deltas);
        }
        let before = self.snapshot(before, &|_| true)?.entries;
        let after = self.snapshot(after, &|_| true)?.entries;
        let paths: BTreeSet<&RepoPath> = before.keys().chain(after.keys()).collect();
        for path in paths {
            let delta =
                Delta { path: path.clone(), before: before.get(path).copied(), after: after.get(path).copied() };
            if !delta.is_same() {
                deltas.push(delta);
            }
        }
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
        let mut entries = BTreeMap::new();
        let tree = self.commit_tree(id)?;
        tree::compare(self, vec![None], Some(tree), &mut |path, _, after| {
            if let Some(entry) = after.filter(|_| want(&path)) {
                entries.insert(path, entry);
            }
        })?;
        Ok(entries)
    }

    fn index_entries(&self, want: &dyn Fn(&RepoPath) -> bool) -> Result<BTreeMap<RepoPath, Entry>, Error> {
        let mut entries = BTreeMap::new();
        let mut unmerged = BTreeSet::new();
        for raw in self.index()?.iter() {
            let path = RepoPath::new(&raw.path);
            if !want(&path) {
                continue;
            }
            if is_unmerged(&raw) {
                unmerged.insert(path);
            } else if !is_intent_to_add(&raw) {
                entries.insert(path, Entry { mode: Mode::from_git(raw.mode), id: Some(BlobId(raw.id)) });
            }
        }
        if unmerged.is_empty() { Ok(entries) } else { Err(Error::Unmerged(unmerged.into_iter().collect())) }
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
