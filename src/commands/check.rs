//! `citecheck check`: which cases may be out of date.

use std::io::Write;

use super::checking::{Asked, Run};
#[cfg(feature = "ai")]
use super::judging::{self, Judging};
use super::kept::{Kept, Printed};
use super::reporting::{Reporting, say};
use super::targets::Targets;
use super::{Context, fix};
use crate::error::{Error, Exit, Kind};
use crate::git::{Range, Selection};

const EXAMPLES: &str = "\
Examples:
  citecheck check                           every stale case of the work tree
  citecheck check --staged                  what the next commit changes
  citecheck check main...                   since this branch left main
  citecheck check v1.0..v1.1 tests/pump     between two tags, for some cases
  citecheck check --statistics              how many of what
  citecheck check --output json=check.json  the same run, also in a file";

/// Report cases whose cited text changed since they were reviewed
///
/// Follows every citation from the revision it was last reviewed against to the one that is checked: without a range the
/// work tree, with untracked files that are not ignored. With a range, what changed in it is told in full, and what was
/// stale before in one note. --staged leaves that note out, as a hook has to be fast; --all tells all of it.
///
/// Nothing is written but the files of --output. What was printed is kept in `.git` for as long as nothing changes, and
/// with --judge the answers of the model.
#[derive(Debug, clap::Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "citecheck check [OPTIONS] [RANGE] [PATH]... [-- PATH...]"
)]
pub(crate) struct Args {
    #[command(flatten)]
    targets: Targets,

    /// Check the index against HEAD: exactly what would be committed
    #[arg(long, alias = "cached", conflicts_with_all = ["worktree", "rev", "base"])]
    pub(crate) staged: bool,

    /// Check the work tree against HEAD
    #[arg(long, conflicts_with_all = ["rev", "base"])]
    pub(crate) worktree: bool,

    /// Check one revision, comparing it with nothing
    #[arg(long, value_name = "REV", conflicts_with = "base")]
    pub(crate) rev: Option<String>,

    /// Compare from this revision, together with --head
    #[arg(long, value_name = "REV", requires = "head")]
    pub(crate) base: Option<String>,

    /// Compare up to this revision, together with --base
    #[arg(long, value_name = "REV", requires = "base")]
    pub(crate) head: Option<String>,

    /// First rewrite citations whose section moved, as `citecheck fix` does; for the work tree only
    #[arg(long, conflicts_with_all = ["staged", "rev", "base"])]
    pub(crate) fix: bool,

    #[cfg(feature = "ai")]
    #[command(flatten)]
    judging: Judging,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

impl Args {
    /// Why the revisions are compared that are.
    fn why(&self, range: Option<&str>) -> String {
        match range.map(|range| format!("the range `{range}`")).or(self.selecting_option().map(|it| format!("`{it}`")))
        {
            Some(given) => format!("{given} was given"),
            None => "no range was given, so each case is compared with its last review".to_owned(),
        }
    }

    /// The option that says what is compared.
    fn selecting_option(&self) -> Option<&'static str> {
        let options = [
            (self.staged, "--staged"),
            (self.worktree, "--worktree"),
            (self.rev.is_some(), "--rev"),
            (self.base.is_some(), "--base"),
        ];
        options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }
}

/// Runs the check and reports it in every format that was asked for.
pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let targets = args.targets.tell(|path| context.has_path(path), |_| false);
    targets.ensure_one_choice(args.selecting_option())?;
    let (typed, range) = targets.range().unzip();
    if let Some(typed) = typed.filter(|_| args.fix) {
        let message = format!("`--fix` rewrites the work tree, and the range `{typed}` ends in a commit");
        return Err(Error::new(Kind::Usage, message).hint("leave out the range, or `--fix`"));
    }
    let selection = args.selection(range);
    let repo = context.repo()?;
    let run = Run { reporting: &args.reporting, context, repo: &repo };
    let mut asked = match selection == Selection::Staged {
        true => Asked::staged(&repo, context)?,
        false => Asked::new(selection, args.why(typed)),
    };
    asked.paths = targets.paths;
    if args.fix {
        // A repository remembers what it saw of the work tree, which is rewritten here.
        let before = Run { repo: &context.repo()?, ..run };
        let mut session = before.open(&asked)?;
        let checked = session.check(true)?;
        let fixed = fix::fix(&session, &checked)?;
        asked.notes.extend((!fixed.is_empty()).then(|| fix::count(fixed.len())));
    }
    #[cfg(feature = "ai")]
    if args.judging.judge {
        return judging::run(&args.judging, run, asked, out);
    }
    run_or_recall(run, &asked, out)
}

/// Prints what was printed for the same state before, or else checks it.
fn run_or_recall(run: Run<'_>, asked: &Asked<'_>, out: &mut dyn Write) -> Result<Exit, Error> {
    let mut session = run.open(asked)?;
    let Some(kept) = Kept::of(&session, run, asked)? else {
        let checked = session.check(run.reporting.all)?;
        return Ok(run.report(asked, (&session, &checked), out)?.exit);
    };
    let printed = match kept.recall() {
        Some(printed) => {
            let told = "recalled: nothing has changed since an earlier run";
            if run.reporting.loudness.verbose {
                say(&[told.to_owned()], run.context.looks)?;
            }
            printed
        }
        None => {
            let checked = session.check(run.reporting.all)?;
            let mut text = Vec::new();
            let exit = run.report(asked, (&session, &checked), &mut text)?.exit;
            let printed = Printed { text, exit };
            let now = || Kept::of(&run.context.open(&asked.selection).ok()?, run, asked).ok()?;
            kept.keep(&checked, &printed, now);
            printed
        }
    };
    out.write_all(&printed.text).map_err(|error| Error::io("write the results", error))?;
    Ok(printed.exit)
}

impl Args {
    fn selection(&self, range: Option<&Range>) -> Selection {
        match (range, self.staged, &self.rev, &self.base, &self.head) {
            (Some(range), ..) => Selection::Range(range.clone()),
            (None, true, ..) => Selection::Staged,
            (None, false, Some(rev), ..) => Selection::Rev(rev.clone()),
            (None, false, None, Some(base), Some(head)) => {
                Selection::Between { base: base.clone(), head: head.clone() }
            }
            (None, false, None, _, _) if self.worktree => Selection::Worktree,
            (None, false, None, _, _) => Selection::Checkout,
        }
    }
}
