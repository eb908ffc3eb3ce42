//! The bytes of a file from where they are cheapest: the work tree has most of them ready, where the object database
//! inflates them out of chains of deltas. What git's index vouches for is taken from disk.
//!
//! What the index vouches for may still not be the stored bytes, as where git converts line ends or a filter decrypts. So
//! bytes that are read count only with the right hash; bytes that are only looked at need none.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use git2::{IndexEntry, ObjectType, Oid};

use super::open::Repo;
use super::place::os_path;
use super::snapshot::{BlobId, Entry, MAX_TEXT, Mode, is_intent_to_add, is_skip_worktree};
use super::worktree::is_unchanged;
use crate::source::{RepoPath, Rev};

/// What is known of the work tree, found out when it is first needed.
#[derive(Default)]
pub(super) struct KnownOnDisk {
    /// When the index was written; `None` if there is none.
    index_written: OnceCell<Option<SystemTime>>,
    /// Directories below the top, and whether they are reached without following a link.
    directories: RefCell<BTreeMap<PathBuf, bool>>,
    /// Files that were looked at, if they are as the index says.
    files: RefCell<HashMap<RepoPath, Option<Peek>>>,
}

/// A file on disk that has the text of a file of a revision; may be read by any thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Peek {
    file: PathBuf,
    size: u64,
}

impl Peek {
    /// The bytes; `None` if the file changed meanwhile.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        let bytes = fs::read(&self.file).ok()?;
        (bytes.len() as u64 == self.size).then_some(bytes)
    }
}

impl Repo {
    /// Where the bytes of a file of a revision are on disk, or what its checked out form has in their place: good for
    /// looking whether something may stand in it, not for reading it. `None` where they are not there.
    pub(crate) fn peek(&self, rev: &Rev, path: &RepoPath, entry: &Entry) -> Option<Peek> {
        if *rev != Rev::Worktree {
            return self.checked_out(path, entry.mode, entry.id?);
        }
        let file = self.file_on_disk(path)?;
        let metadata = fs::symlink_metadata(&file).ok()?;
        let size = metadata.len();
        (metadata.is_file() && size <= MAX_TEXT).then_some(Peek { file, size })
    }

    /// The stored bytes, if the work tree has them.
    pub(super) fn blob_on_disk(&self, path: &RepoPath, mode: Mode, id: BlobId) -> Option<Vec<u8>> {
        let bytes = self.checked_out(path, mode, id)?.bytes()?;
        let hash = Oid::hash_object_ext(ObjectType::Blob, &bytes, self.git.object_format()).ok()?;
        (BlobId::new(hash) == id).then_some(bytes)
    }

    /// What is on disk for this content, by what the index says.
    pub(super) fn checked_out(&self, path: &RepoPath, mode: Mode, id: BlobId) -> Option<Peek> {
        if !matches!(mode, Mode::File | Mode::Executable) {
            return None;
        }
        let raw = self.index().ok()?.get_path(&os_path(path.as_bytes())?, 0)?;
        if BlobId::new(raw.id) != id || is_skip_worktree(&raw) || is_intent_to_add(&raw) {
            return None;
        }
        if let Some(known) = self.on_disk.files.borrow().get(path) {
            return known.clone();
        }
        let found = self.as_indexed(path, &raw);
        self.on_disk.files.borrow_mut().insert(path.clone(), found.clone());
        found
    }

    /// A file on disk, if by its stat data it is the one that the index speaks of.
    fn as_indexed(&self, path: &RepoPath, raw: &IndexEntry) -> Option<Peek> {
        let file = self.file_on_disk(path)?;
        let metadata = fs::symlink_metadata(&file).ok()?;
        let written = *self.on_disk.index_written.get_or_init(|| {
            let path = self.index().ok()?.path()?;
            fs::metadata(path).ok()?.modified().ok()
        });
        if !metadata.is_file() || metadata.len() > MAX_TEXT || !is_unchanged(raw, &metadata, written) {
            return None;
        }
        Some(Peek { file, size: metadata.len() })
    }

    /// How many bytes a file in the work tree has; `None` if it is not there.
    pub(crate) fn size_on_disk(&self, path: &RepoPath) -> Option<u64> {
        Some(fs::symlink_metadata(self.file_on_disk(path)?).ok()?.len())
    }

    /// Where a path is on disk, as [`locate`](super::locate) says it, by what was seen of directories before: each is looked
    /// at once, so it serves to look at many files, and not to read one.
    pub(super) fn file_on_disk(&self, path: &RepoPath) -> Option<PathBuf> {
        let (top, relative) = (self.workdir()?, os_path(path.as_bytes())?);
        let is_plain = relative.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        (is_plain && self.is_plain_directory(top, relative.parent()?)).then(|| top.join(&relative))
    }

    fn is_plain_directory(&self, top: &Path, directory: &Path) -> bool {
        if directory.as_os_str().is_empty() {
            return true;
        }
        if let Some(known) = self.on_disk.directories.borrow().get(directory) {
            return *known;
        }
        let is_plain = fs::symlink_metadata(top.join(directory)).is_ok_and(|metadata| metadata.is_dir())
            && directory.parent().is_none_or(|parent| self.is_plain_directory(top, parent));
        self.on_disk.directories.borrow_mut().insert(directory.to_path_buf(), is_plain);
        is_plain
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Content;
    use crate::git::testing::{TestRepo, all};

    #[test]
    fn bytes_are_those_that_were_stored() {
        let test = TestRepo::new();
        test.write("a/m.md", "one\n");
        let rev = Rev::Commit(test.commit("first"));
        let path = RepoPath::new("a/m.md");
        let entry = test.open().snapshot(&rev, &all).unwrap().entries[&path];
        let stored = || test.open().read(&rev, &path, &entry).unwrap();
        let peeked = || test.open().peek(&rev, &path, &entry);
        let one = Content::Text(b"one\n".to_vec());
        assert_eq!(stored(), one);
        // Another text of the same length, behind git's back or not.
        test.write("a/m.md", "two\n");
        assert_eq!((stored(), peeked()), (one.clone(), None));
        test.git(&["add", "a/m.md"]);
        assert_eq!((stored(), peeked()), (one.clone(), None));
        // On disk in another form.
        test.git(&["reset", "--quiet", "--hard"]);
        test.write(".gitattributes", "*.md text eol=crlf\n");
        fs::remove_file(test.top.join("a/m.md")).unwrap();
        test.git(&["checkout", "--quiet", "--", "a"]);
        assert_eq!(fs::read(test.top.join("a/m.md")).unwrap(), b"one\r\n");
        assert_eq!(stored(), one);
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere() {
        let test = TestRepo::new();
        test.write("a/m.md", "one\n");
        let rev = Rev::Commit(test.commit("first"));
        let entry = test.open().snapshot(&rev, &all).unwrap().entries[&RepoPath::new("a/m.md")];
        fs::rename(test.top.join("a"), test.root.join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(test.root.join("elsewhere"), test.top.join("a")).unwrap();
        assert_eq!(test.open().peek(&rev, &RepoPath::new("a/m.md"), &entry), None);
    }
}
