//! `citecheck fix`: citations whose section moved, rewritten to lead there again.

use std::io::{self, Write};

use super::edits::{NewPin, Respelling, place, rewrites};
use super::write_back::write_back;
use super::{Context, edits};
use crate::cases::PinKind;
use crate::error::{Error, Exit};
use crate::git::Selection;
use crate::pipeline::{Checked, Session};
use crate::report::sanitize;
use crate::rules::Remedy;

const EXAMPLES: &str = "\
Examples:
  citecheck fix --dry-run   look at it first
  citecheck fix             rewrite the citations in the work tree";

/// Rewrite citations whose section moved, so that they lead to it again
///
/// Looks at the work tree, as `citecheck check` does, and changes the citations in it and nothing else: quotes, comments
/// and layout stay, and nothing is staged. A citation whose text changed as well keeps its review point, as a pin where
/// it has none, so that it is still reported.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Print what would be rewritten and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Whether files are written, or only told about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Write,
    DryRun,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let mut session = context.open(&Selection::Worktree)?;
    let checked = session.check()?;
    let mode = if args.dry_run { Mode::DryRun } else { Mode::Write };
    let fixed = fix(&session, &checked, mode)?;
    tell(&session, &fixed, mode, out).map_err(|error| Error::io("write the results", error))?;
    let nothing = checked.after.manual.documents.is_empty() || checked.after.cases.iter().all(|file| file.cases.is_empty());
    Ok(if nothing { Exit::NothingChecked } else { Exit::Clean })
}

/// Rewrites the citations of a check of the work tree; says which. All at once, so that no citation is followed twice
/// where one takes another's old name.
pub(crate) fn fix(session: &Session, checked: &Checked, mode: Mode) -> Result<Vec<Respelling>, Error> {
    let fixed: Vec<Respelling> =
        checked.remedies.iter().filter_map(|remedy| respelling(remedy, checked.pins.pins.get(&remedy.case, &remedy.citation.text).is_some())).collect();
    let rewrites = rewrites(session, &checked.after.cases, &checked.pins, &fixed)?;
    if mode == Mode::Write {
        write_back(edits::top(session)?, &rewrites)?;
    }
    Ok(fixed)
}

/// A citation that leads to its section again. One whose text changed keeps its review point: its pin, or else the
/// fingerprint of the text that was reviewed. A revision is replaced by a fingerprint, too: it says nothing under the
/// section's new name.
fn respelling(remedy: &Remedy, is_listed: bool) -> Option<Respelling> {
    let text = remedy.moved_to.clone()?;
    let by_text = remedy.citation.pins.iter().any(|pin| matches!(pin.kind, PinKind::Fingerprint(_)));
    let by_revision = remedy.citation.pins.iter().any(|pin| matches!(pin.kind, PinKind::Revision(_)));
    let pin = match remedy.before {
        Some(before) if by_revision || (!by_text && !is_listed && remedy.now != Some(before)) => {
            NewPin::Set(before.pin())
        }
        Some(_) | None => NewPin::Keep,
    };
    Some(Respelling { case: remedy.case.clone(), citation: remedy.citation.clone(), text, pin })
}

fn tell(session: &Session, fixed: &[Respelling], mode: Mode, out: &mut dyn Write) -> io::Result<()> {
    for respelling in fixed {
        let Respelling { case, citation, text, pin } = respelling;
        let pin = match pin {
            NewPin::Keep => String::new(),
            NewPin::Set(fingerprint) => format!(" (its text changed: stays pinned to {fingerprint})"),
        };
        let line = format!("{}: {}: {} -> {text}{pin}", place(session, citation.span), case.0, citation.text);
        writeln!(out, "{}", sanitize(&line))?;
    }
    let would = if mode == Mode::DryRun { "would be " } else { "" };
    match fixed.len() {
        0 => writeln!(out, "no citation has to be rewritten"),
        1 => writeln!(out, "1 citation {would}rewritten"),
        count => writeln!(out, "{count} citations {would}rewritten"),
    }
}
