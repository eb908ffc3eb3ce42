//! Files written whole or not at all: a reader, another run, and whoever comes after one that was killed find the file
//! before or the file after, never a part of one. Knows neither what is in them nor which of them belong together.
//!
//! A file is written under a name of its own in the folder of its target and renamed when it is complete. It is locked
//! until then, and the lock ends with the process, whatever ends that. So what a killed run left is told from what a
//! living one is writing without asking a clock, and the next run that writes there removes it.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

const PREFIX: &str = ".citecheck-";
const SUFFIX: &str = ".tmp";

/// A file that is not complete yet. Dropped, it is gone.
#[derive(Debug)]
pub(crate) struct Unfinished {
    file: NamedTempFile,
    worth: Worth,
}

/// Whether a file has to outlast a loss of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Worth {
    /// The work of people: it is on the disk before its name leads to it. File systems write names and contents back in
    /// any order, and a rename alone can leave an empty file behind; editors and git's own objects wait for the disk, too.
    Lasting,
    /// Found again by work alone, or told as missing by who reads it: not worth the wait for the disk.
    Repeatable,
}

/// Who may do what with a file that is new, as far as the umask lets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Private,
    Shared,
    Executable,
}

impl Unfinished {
    /// A file in the folder of `target`.
    pub(crate) fn beside(target: &Path, access: Access, worth: Worth) -> io::Result<Self> {
        loop {
            let file = create(folder_of(target), access)?;
            // Who sweeps may have been quicker than the lock; then this one is lost.
            let is_taken = matches!(file.as_file().try_lock(), Err(fs::TryLockError::WouldBlock));
            if !is_taken {
                return Ok(Self { file, worth });
            }
        }
    }

    /// Gives it the owner, as far as that is allowed, and the mode of the file that it will replace.
    pub(crate) fn take_after(&self, metadata: &Metadata) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            let own = self.file.as_file().metadata()?;
            if (own.uid(), own.gid()) != (metadata.uid(), metadata.gid()) {
                // Only the administrator gives files away; a group can be kept by who belongs to it.
                _ = fchown(self.file.as_file(), Some(metadata.uid()), Some(metadata.gid()))
                    .or_else(|_| fchown(self.file.as_file(), None, Some(metadata.gid())));
            }
        }
        self.file.as_file().set_permissions(metadata.permissions())
    }

    /// Brings the content to the disk, where that is worth it. What can still fail after this is the rename.
    pub(crate) fn settle(&self) -> io::Result<()> {
        match self.worth {
            Worth::Lasting => self.file.as_file().sync_all(),
            Worth::Repeatable => Ok(()),
        }
    }

    /// Puts it in the place of whatever has the name.
    pub(crate) fn replace(self, target: &Path) -> io::Result<()> {
        self.settle()?;
        self.file.persist(target)?;
        settle_name(target, self.worth);
        Ok(())
    }

    /// Gives it the name, if nothing has it.
    pub(crate) fn create(self, target: &Path) -> io::Result<()> {
        self.settle()?;
        self.file.persist_noclobber(target)?;
        settle_name(target, self.worth);
        Ok(())
    }
}

impl Write for Unfinished {
    // To the file itself: on the way around it, failures would name it.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

/// Whether a file of this name is one that was not completed.
pub(crate) fn is_unfinished(name: &[u8]) -> bool {
    name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes())
}

/// Removes what killed runs left in a folder. What cannot be removed stays: it does no harm.
pub(crate) fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_ours =
            is_unfinished(entry.file_name().as_encoded_bytes()) && entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_ours && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            _ = fs::remove_file(entry.path());
        }
    }
}

/// The folder that a file is in, or would be.
pub(crate) fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| *folder != OsStr::new("")).unwrap_or(Path::new("."))
}

fn create(folder: &Path, access: Access) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(access.mode()));
    // They would name it, too.
    builder.tempfile_in(folder).map_err(|error| {
        let told = error.to_string();
        io::Error::new(error.kind(), told.split(" at path ").next().unwrap_or(&told).to_owned())
    })
}

/// The name reaches the disk, too. Not every system lets a folder be synced, and the content is safe without.
fn settle_name(target: &Path, worth: Worth) {
    if let (Worth::Lasting, Ok(folder)) = (worth, File::open(folder_of(target))) {
        _ = folder.sync_all();
    }
}

#[cfg(unix)]
impl Access {
    fn mode(self) -> u32 {
        match self {
            Access::Private => 0o600,
            Access::Shared => 0o666,
            Access::Executable => 0o777,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn unfinished(target: &Path) -> Unfinished {
        let mut file = Unfinished::beside(target, Access::Shared, Worth::Lasting).unwrap();
        file.write_all(b"after").unwrap();
        file
    }

    #[test]
    fn a_file_has_its_name_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        let file = unfinished(&target);
        assert!(!target.exists());
        file.create(&target).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"after");
        fs::write(&target, "mine").unwrap();
        assert_eq!(unfinished(&target).create(&target).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&target).unwrap(), b"mine");
        unfinished(&target).replace(&target).unwrap();
        drop(unfinished(&target));
        assert_eq!((fs::read(&target).unwrap(), names(folder.path())), (b"after".to_vec(), vec!["a".to_owned()]));
    }

    #[test]
    fn only_what_nobody_writes_any_more_is_swept() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a");
        let living = unfinished(&target);
        let (_, killed) = unfinished(&target).file.keep().unwrap();
        assert!(is_unfinished(killed.file_name().unwrap().as_encoded_bytes()));
        for other in ["a", ".citecheck", ".citecheck-note.md", "x.tmp"] {
            fs::write(folder.path().join(other), "mine").unwrap();
        }
        fs::create_dir(folder.path().join(".citecheck-folder.tmp")).unwrap();
        assert_eq!(names(folder.path()).len(), 7);
        sweep(folder.path());
        assert!(!killed.exists());
        assert_eq!(names(folder.path()).len(), 6);
        living.replace(&target).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"after");
    }

    #[test]
    fn a_file_name_alone_lies_in_the_current_folder() {
        assert_eq!(folder_of(Path::new("a")), Path::new("."));
        assert_eq!(folder_of(Path::new("b/a")), Path::new("b"));
        assert_eq!(folder_of(Path::new("/a")), Path::new("/"));
    }
}
