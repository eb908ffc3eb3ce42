//! What was asked and answered, kept under `.git/citecheck/ai`: answers that count serve again, those that do not can be
//! looked at. Files are written whole or not at all, so that several runs can share them and one that is ended leaves
//! none half written. Safe to delete. Does not know what an answer means.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Attempt, PROMPT, Question, SCHEMA};
use crate::error::Error;
use crate::git;
use crate::whole::{self, Access, Unfinished, Worth};

/// The folder of a repository's answers.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    folder: PathBuf,
}

/// Whether the last answer counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    Valid,
    Invalid,
}

/// One question and all answers to it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Record {
    pub(super) model: String,
    pub(super) prompt: u32,
    pub(super) schema: u32,
    /// `2026-11-30T09:00:00Z`.
    pub(super) time: String,
    /// The first request, as it was sent.
    pub(super) request: Value,
    pub(super) attempts: Vec<Attempt>,
}

/// Bytes of a file that is read: two answers and what was asked.
const MOST: u64 = 16 * 1024 * 1024;

impl Store {
    /// `git_dir` is the repository's own, which its work trees share.
    pub(crate) fn new(git_dir: &Path) -> Self {
        let folder = git_dir.join("citecheck").join("ai");
        for kind in fs::read_dir(&folder).into_iter().flatten().flatten() {
            whole::sweep(&kind.path());
        }
        Self { folder }
    }

    pub(super) fn path(&self, question: &Question, kept: Kept) -> PathBuf {
        let name = match kept {
            Kept::Valid => format!("{}.json", question.key),
            Kept::Invalid => format!("{}.invalid.json", question.key),
        };
        self.folder.join(question.kind).join(name)
    }

    /// What was answered before. A file that cannot be read is as good as none: it is asked again.
    pub(super) fn load(&self, question: &Question) -> Option<Record> {
        let path = self.path(question, Kept::Valid);
        if fs::metadata(&path).ok()?.len() > MOST {
            return None;
        }
        let record: Record = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        (record.prompt == PROMPT && record.schema == SCHEMA).then_some(record)
    }

    pub(super) fn save(&self, question: &Question, record: &Record, kept: Kept) -> Result<PathBuf, Error> {
        let path = self.path(question, kept);
        let written = || -> io::Result<()> {
            fs::create_dir_all(whole::folder_of(&path))?;
            let mut unfinished = Unfinished::beside(&path, Access::Private, Worth::Repeatable)?;
            unfinished.write_all(&serde_json::to_vec(record)?)?;
            unfinished.replace(&path)
        };
        written().map_err(|error| Error::io(&format!("keep an answer in `{}`", path.display()), error))?;
        Ok(path)
    }
}

/// This second in UTC.
pub(super) fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (day, second) = (seconds / 86_400, seconds % 86_400);
    let date = git::date(i64::try_from(day).unwrap_or_default());
    format!("{date}T{:02}:{:02}:{:02}Z", second / 3_600, second / 60 % 60, second % 60)
}
