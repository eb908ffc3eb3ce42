//! `citecheck ci`: `check` for a job on GitHub, which finds out by itself what to compare.

mod event;

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use self::event::{Choice, Compared, Event};
use super::Context;
use super::checking::{Asked, Outcome, Run};
use super::reporting::Reporting;
use crate::error::{Error, Exit};
use crate::report::Format;
use crate::sanitize::{mute_commands, sanitize};

const EXAMPLES: &str = "\
Examples:
  citecheck ci                           in a job: check what the event changes
  citecheck ci --print                   only tell what would be compared
  citecheck ci --output json=check.json  the same run, also in a file
  citecheck ci --base origin/main        compare with another revision";

/// Check what a GitHub event changes
///
/// Reads GITHUB_EVENT_NAME and GITHUB_EVENT_PATH. A pull request is compared with its base, a merge group with the one
/// it is queued on, a push with what was there before, a new branch with where it left the default branch. For other
/// events all of HEAD is checked. Nothing is fetched: where the clone is too shallow, the error names the depth.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Compare from this revision, whatever the event says
    #[arg(long, value_name = "REV")]
    base: Option<String>,

    /// Check this revision, whatever the event says; HEAD if only --base is given
    #[arg(long, value_name = "REV", requires = "base")]
    head: Option<String>,

    /// Print what would be compared, and why, and check nothing
    #[arg(long)]
    print: bool,

    /// Append the counts and the compared commits to this file as lines `name=value`, as for GITHUB_OUTPUT
    #[arg(long, value_name = "FILE")]
    outputs: Option<PathBuf>,

    #[command(flatten)]
    reporting: Reporting,
}

/// Chooses what to compare and checks it.
pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let choice = choose(args, context)?;
    let told = |error| Error::io("write the results", error);
    let Some(compared) = choice.compared.as_ref().filter(|_| !args.print) else {
        print(&choice, out).map_err(told)?;
        return Ok(Exit::Clean);
    };
    let asked = Asked { page: choice.page.clone(), ..Asked::new(compared.selection(), choice.why.as_str()) };
    // For the log. Elsewhere the compared commits say it, and an annotation on every run would be noise.
    if args.reporting.format == Format::Human && !args.reporting.loudness.quiet {
        writeln!(out, "{}\n", mute_commands(&sanitize(&choice.why))).map_err(told)?;
    }
    let run = Run { reporting: &args.reporting, context, repo: &context.repo()? };
    let outcome = run.check(&asked, out)?;
    if let Some(path) = &args.outputs {
        append(path, &outcome).map_err(|error| Error::io(&format!("write `{}`", path.display()), error))?;
    }
    Ok(outcome.exit)
}

fn choose(args: &Args, context: &Context) -> Result<Choice, Error> {
    if let Some(base) = &args.base {
        let head = args.head.clone().unwrap_or_else(|| "HEAD".to_owned());
        let compared = Compared { base: Some(base.clone()), head };
        return Ok(Choice {
            compared: Some(compared),
            why: "compared as --base and --head say".to_owned(),
            page: None,
        });
    }
    let variable = |name: &str| context.variables.get(name).filter(|value| !value.is_empty()).cloned();
    let repo = context.repo()?;
    Event::read(&variable)?.choose(&repo)
}

fn print(choice: &Choice, out: &mut dyn Write) -> io::Result<()> {
    match &choice.compared {
        Some(Compared { base, head }) => {
            let base = base.as_deref().unwrap_or("nothing");
            writeln!(out, "base: {base}\nhead: {head}\nwhy: {}", choice.why)
        }
        None => writeln!(out, "nothing to check: {}", choice.why),
    }
}

/// Numbers and commit ids alone, so that no text of the repository can bring in a line of its own.
fn append(path: &Path, outcome: &Outcome) -> io::Result<()> {
    let commit = |commit: &Option<String>| commit.clone().unwrap_or_default();
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    let Outcome { errors, warnings, impacted, stale, .. } = outcome;
    let (base, head) = (commit(&outcome.base.commit), commit(&outcome.head.commit));
    let text = format!(
        "errors={errors}\nwarnings={warnings}\nimpacted-cases={impacted}\nstale-cases={stale}\nbase={base}\nhead={head}\n"
    );
    file.write_all(text.as_bytes())
}
