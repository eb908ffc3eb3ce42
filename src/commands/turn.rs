//! One run at a time writes into the work tree: between the last look at a file and its replacement no other run's change
//! may come in, or one of the two would be lost without a word. Reading takes no turn. Other programs know nothing of it;
//! against their changes stands that last look.
//!
//! The lock is the kernel's and ends with the process. What is in the file are the folders that the run writes to, so
//! that the next one finds what a killed one left there.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{Error, Kind};
use crate::whole;

/// How long another run may write before this one gives up: that takes milliseconds, seconds on a slow disk.
const PATIENCE: Duration = Duration::from_secs(10);

/// The right to write, until it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    /// `None` where the git directory cannot be written to.
    lock: Option<File>,
}

impl Turn {
    /// Waits for the runs that write now. `git_dir` is the one that all work trees share.
    pub(super) fn take(git_dir: &Path) -> Result<Self, Error> {
        Self::take_within(git_dir, PATIENCE)
    }

    fn take_within(git_dir: &Path, patience: Duration) -> Result<Self, Error> {
        let Some(lock) = open(&path(git_dir)) else { return Ok(Self { lock: None }) };
        let start = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => return Ok(Self { lock: Some(lock) }),
                Err(fs::TryLockError::WouldBlock) if start.elapsed() < patience => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(fs::TryLockError::WouldBlock) => {
                    let error = Error::new(Kind::Io, "another citecheck is writing in this repository");
                    return Err(error.hint("nothing was written; run the command again when it has ended"));
                }
                // A file system without locks.
                Err(fs::TryLockError::Error(_)) => return Ok(Self { lock: None }),
            }
        }
    }

    /// Notes the folders that are written to, and removes what a killed run left in those it had noted and in these.
    pub(super) fn begin(&mut self, folders: &BTreeSet<PathBuf>) {
        for folder in self.noted().iter().chain(folders) {
            whole::sweep(folder);
        }
        let names: Vec<&str> = folders.iter().filter_map(|folder| folder.to_str()).collect();
        self.note(&names.join("\n"));
    }

    /// Everything that was begun has been written or given up.
    pub(super) fn end(mut self) {
        self.note("");
    }

    fn noted(&mut self) -> Vec<PathBuf> {
        let mut text = String::new();
        if let Some(lock) = &mut self.lock {
            _ = lock.rewind().and_then(|()| lock.read_to_string(&mut text));
        }
        text.lines().map(PathBuf::from).collect()
    }

    /// A note that cannot be kept only leaves more behind if this run is killed.
    fn note(&mut self, text: &str) {
        if let Some(lock) = &mut self.lock {
            _ = lock.set_len(0).and_then(|()| lock.rewind()).and_then(|()| lock.write_all(text.as_bytes()));
        }
    }
}

/// Removes what a killed run left, for a run that has nothing to write and so waits for nobody.
pub(super) fn clean_up(git_dir: &Path) {
    let has_note = fs::metadata(path(git_dir)).is_ok_and(|metadata| metadata.len() > 0);
    if has_note && let Ok(mut turn) = Turn::take_within(git_dir, Duration::ZERO) {
        turn.begin(&BTreeSet::new());
        turn.end();
    }
}

fn path(git_dir: &Path) -> PathBuf {
    git_dir.join("citecheck").join("lock")
}

/// For somebody who may read the git directory only, a file that is there locks as well.
fn open(path: &Path) -> Option<File> {
    let make = || -> io::Result<File> {
        fs::create_dir_all(whole::folder_of(path))?;
        File::options().read(true).write(true).create(true).truncate(false).open(path)
    };
    make().or_else(|_| File::open(path)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_runs_take_turns() {
        let folder = tempfile::tempdir().unwrap();
        let turn = Turn::take(folder.path()).unwrap();
        let error = Turn::take_within(folder.path(), Duration::from_millis(20)).unwrap_err();
        assert_eq!(error.to_string(), "another citecheck is writing in this repository");
        let waiting = thread::spawn({
            let folder = folder.path().to_owned();
            move || Turn::take(&folder).is_ok()
        });
        drop(turn);
        assert!(waiting.join().unwrap());
    }

    #[test]
    fn what_a_killed_run_left_is_removed_wherever_it_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        for name in ["git", "there", "here"] {
            fs::create_dir(at(name)).unwrap();
        }
        let mut killed = Turn::take(&at("git")).unwrap();
        killed.begin(&BTreeSet::from([at("there")]));
        fs::write(at("there/.citecheck-1.tmp"), "half").unwrap();
        clean_up(&at("git"));
        assert!(at("there/.citecheck-1.tmp").exists(), "it still runs");
        drop(killed);
        clean_up(&at("git"));
        assert!(!at("there/.citecheck-1.tmp").exists());
        fs::write(at("there/.citecheck-1.tmp"), "not noted").unwrap();
        Turn::take(&at("git")).unwrap().begin(&BTreeSet::from([at("here")]));
        assert!(at("there/.citecheck-1.tmp").exists());
    }

    #[test]
    fn without_a_folder_for_the_lock_nobody_waits() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("citecheck"), "in the way").unwrap();
        let (one, other) = (Turn::take(folder.path()).unwrap(), Turn::take(folder.path()).unwrap());
        assert!(one.lock.is_none() && other.lock.is_none());
    }
}
