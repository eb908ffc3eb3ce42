//! What an earlier check printed, kept under `.git/citecheck/checks` for when nothing has changed since: a check of a
//! whole revision asks the whole history, and is run again and again on the same state. Same input gives the same
//! output, so the output is kept by a hash of every input. Safe to delete, and no run depends on it: what cannot be read
//! or does not hold what it says is as good as nothing, and what cannot be written is not kept.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::checking::{Asked, Run};
use crate::cases::PinKind;
use crate::error::{Error, Exit};
use crate::git::Selection;
use crate::hash::Hex;
use crate::pipeline::{Checked, Session};
use crate::whole::{self, Access, Unfinished, Worth};

/// Fewer citations than this are checked about as fast as a result is recalled.
const FEW: usize = 200;

/// Results that are kept, at most; the latest stay.
const MOST: usize = 8;

/// Bytes of one result, at most.
const LONGEST: usize = 64 << 20;

/// The first line of a kept result: the version of the form, the exit status, and the hash of what follows.
const FORM: &str = "citecheck.kept/1";

/// The place of one run's result.
#[derive(PartialEq, Eq)]
pub(super) struct Kept {
    file: PathBuf,
}

/// A result as it was printed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Printed {
    pub(super) text: Vec<u8>,
    pub(super) exit: Exit,
}

impl Kept {
    /// Where the result of this run is, or will be. `None` where the output depends on more than is hashed, or goes to
    /// other places than standard output; and in a hook, which writes nothing.
    pub(super) fn of(session: &Session, run: Run<'_>, asked: &Asked<'_>) -> Result<Option<Self>, Error> {
        let Run { reporting, context, .. } = run;
        let is_plain = matches!(asked.selection, Selection::Checkout | Selection::Rev(_))
            && asked.paths.is_empty()
            && asked.page.is_none()
            && reporting.output.is_empty()
            && reporting.format.tells_notes()
            && !context.env.is_committing();
        let Some(program) = program().filter(|_| is_plain) else { return Ok(None) };
        let Some(mut inputs) = session.inputs()? else { return Ok(None) };
        inputs.add(program);
        inputs.add(format!("{reporting:?} {:?} {:?}", asked.notes, context.looks));
        Ok(Some(Self { file: folder(session).join(inputs.to_string()) }))
    }

    /// The result, if this was run before.
    pub(super) fn recall(&self) -> Option<Printed> {
        read(&self.file)
    }

    /// Keeps a result, if finding it was much work and it depends on nothing but what was hashed. `now` is its place as
    /// things stand: another one where something was saved or committed meanwhile, of which it may hold a part.
    pub(super) fn keep(&self, checked: &Checked, printed: &Printed, now: impl FnOnce() -> Option<Self>) {
        let is_worth_it = checked.after.citations() >= FEW && printed.text.len() <= LONGEST;
        if is_worth_it && !names_revisions(checked) && now().as_ref() == Some(self) {
            // A read-only repository or a full disk only costs the next run its time.
            _ = write(&self.file, printed).and_then(|()| forget_older(&self.file));
        }
    }
}

/// Where results are kept: beside the objects, which all work trees share.
fn folder(session: &Session) -> PathBuf {
    session.repo.common_dir().join("citecheck").join("checks")
}

/// Another build may find other things: the version, and which file it is.
fn program() -> Option<String> {
    let file = std::env::current_exe().and_then(fs::metadata).ok()?;
    Some(format!("{} {} {:?}", env!("CARGO_PKG_VERSION"), file.len(), file.modified().ok()?))
}

/// Whether a citation is pinned to a revision: tags and branches may name another one tomorrow.
fn names_revisions(checked: &Checked) -> bool {
    let is_revision = |kind: &PinKind| match kind {
        PinKind::Revision(_) => true,
        PinKind::Fingerprint(_) => false,
    };
    let citations = checked.after.cases.iter().flat_map(|file| &file.cases).flat_map(|case| &case.citations);
    citations.flat_map(|citation| &citation.pins).any(|pin| is_revision(&pin.kind))
        || checked.pins.pins.iter().any(|(_, _, entry)| is_revision(&entry.pin.kind))
}

fn read(file: &Path) -> Option<Printed> {
    let bytes = fs::read(file).ok()?;
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (first, text) = (std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]);
    let exit =
        [Exit::Clean, Exit::Findings, Exit::NothingChecked].into_iter().find(|exit| heading(*exit, text) == first);
    exit.map(|exit| Printed { text: text.to_vec(), exit })
}

/// Whole or not at all: other runs may read it, and this one may be ended.
fn write(file: &Path, printed: &Printed) -> io::Result<()> {
    fs::create_dir_all(whole::folder_of(file))?;
    whole::sweep(whole::folder_of(file));
    let mut unfinished = Unfinished::beside(file, Access::Private, Worth::Repeatable)?;
    writeln!(unfinished, "{}", heading(printed.exit, &printed.text))?;
    unfinished.write_all(&printed.text)?;
    unfinished.replace(file)
}

fn heading(exit: Exit, text: &[u8]) -> String {
    format!("{FORM} {} {}", exit as u8, Hex(&Sha256::digest(text)))
}

/// Removes the oldest results beside this one.
fn forget_older(file: &Path) -> io::Result<()> {
    let mut others = Vec::new();
    for entry in fs::read_dir(whole::folder_of(file))? {
        let entry = entry?;
        others.push((entry.metadata()?.modified()?, entry.path()));
    }
    others.sort();
    let surplus = others.len().saturating_sub(MOST);
    others.iter().take(surplus).filter(|(_, other)| other != file).try_for_each(|(_, other)| fs::remove_file(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> Printed {
        Printed { text: text.into(), exit: Exit::Findings }
    }

    #[test]
    fn what_was_kept_is_recalled_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("checks/a");
        assert_eq!(read(&file), None);
        for text in ["", "one\ntwo\n", "no end"] {
            write(&file, &printed(text)).unwrap();
            assert_eq!(read(&file), Some(printed(text)));
        }
    }

    #[test]
    fn what_does_not_hold_what_it_says_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        write(&file, &printed("a finding\n")).unwrap();
        let whole = fs::read(&file).unwrap();
        for length in 0..whole.len() {
            fs::write(&file, &whole[..length]).unwrap();
            assert_eq!(read(&file), None, "cut to {length} bytes");
        }
        let mut changed = whole.clone();
        changed.extend(b"more");
        fs::write(&file, changed).unwrap();
        assert_eq!(read(&file), None);
        fs::write(&file, String::from_utf8(whole).unwrap().replacen(" 1 ", " 2 ", 1)).unwrap();
        assert_eq!(read(&file), None, "an exit status that nothing is kept with");
    }

    #[test]
    fn only_the_latest_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        for at in 0..MOST + 3 {
            let file = folder.path().join(at.to_string());
            write(&file, &printed("text")).unwrap();
            forget_older(&file).unwrap();
            assert!(file.exists());
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), MOST);
    }
}
