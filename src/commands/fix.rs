//! `citecheck fix`: citations whose section moved, rewritten to lead there again.

use std::io::{self, Write};

use super::write_back::write_back;
use super::{Context, patch};
use crate::edits::{Ground, NewPin, Respelling, fixes, place, rewrites};
use crate::error::{Error, Exit};
use crate::git::Selection;
use crate::pipeline::{Checked, Session};
use crate::rules::is_history_missing;
use crate::sanitize::sanitize;

const EXAMPLES: &str = "\
Examples:
  citecheck fix --dry-run  look at it first
  citecheck fix            rewrite the citations in the work tree";

/// Rewrite citations whose section moved
///
/// Looks at the work tree, as `citecheck check` does, and rewrites the citations in it that lead elsewhere or nowhere
/// now, and nothing else: quotes, comments and layout stay, and nothing is staged. A citation whose text changed as
/// well keeps its review point, as a pin where it has none, so that it is still reported.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Print what would be rewritten and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let mut session = context.open(&Selection::Checkout)?;
    let checked = session.check(true)?;
    let failed = |error| Error::io("write the results", error);
    let fixed = if args.dry_run {
        let fixed = fixes(&checked);
        patch::show(&rewrites(Ground::of(&session), &checked, &fixed)?, out).map_err(failed)?;
        fixed
    } else {
        fix(&session, &checked)?
    };
    if checked.after.manual.documents.is_empty() || checked.after.cases.iter().all(|file| file.cases.is_empty()) {
        super::say_nothing_was_read(out)?;
        return Ok(Exit::NothingChecked);
    }
    tell(&session, &fixed, args.dry_run, out).map_err(failed)?;
    if let Some(told) = unknown(&checked) {
        writeln!(out, "{told}").map_err(failed)?;
    }
    Ok(Exit::Clean)
}

/// Rewrites what has to be rewritten after a check of the work tree, and says what that was.
pub(crate) fn fix(session: &Session, checked: &Checked) -> Result<Vec<Respelling>, Error> {
    let fixed = fixes(checked);
    write_back(&session.repo, &rewrites(Ground::of(session), checked, &fixed)?)?;
    Ok(fixed)
}

/// What could not be followed: "nothing to rewrite" would be a guess there.
fn unknown(checked: &Checked) -> Option<String> {
    match checked.findings.iter().filter(|finding| is_history_missing(finding.rule)).count() {
        0 => None,
        1 => Some("1 citation could not be followed: its history is not in this clone".to_owned()),
        count => Some(format!("{count} citations could not be followed: their history is not in this clone")),
    }
}

/// `2 citations rewritten`.
pub(crate) fn count(fixed: usize) -> String {
    match fixed {
        0 => "no citation has to be rewritten".to_owned(),
        1 => "1 citation rewritten".to_owned(),
        count => format!("{count} citations rewritten"),
    }
}

fn tell(session: &Session, fixed: &[Respelling], dry_run: bool, out: &mut dyn Write) -> io::Result<()> {
    for respelling in fixed {
        let Respelling { case, citation, text, title, pin } = respelling;
        let pin = match pin {
            NewPin::Keep => String::new(),
            NewPin::Set(fingerprint) => format!("@{fingerprint} (reviewed against that text)"),
        };
        let title = title.as_ref().map(|title| format!(", title `{title}`")).unwrap_or_default();
        let line =
            format!("{}: {}: {} -> {text}{pin}{title}", place(&session.sources, citation.span), case.0, citation.text);
        writeln!(out, "{}", sanitize(&line))?;
    }
    let dry = if dry_run && !fixed.is_empty() { " (dry run: nothing was written)" } else { "" };
    writeln!(out, "{}{dry}", count(fixed.len()))
}
