//! The options that `check`, `ci` and hooks share: how the results are told, how loud, and when they fail the run.

use std::collections::BTreeSet;
use std::io;

use clap::builder::NonEmptyStringValueParser;

use super::OutputFile;
use super::levels::Levels;
use crate::diagnostic::{Diagnostic, Level};
use crate::error::{Error, Kind};
use crate::pipeline::Session;
use crate::report::{Format, Looks, render_lines};
use crate::source::RepoPath;

/// How the results are told, and when they fail the run.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Reporting {
    /// How the results look on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human", env = "CITECHECK_FORMAT", hide_env_values = true)]
    pub(crate) format: Format,

    /// Write the results to a file as well, in this format; can be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = OutputFile::<Format>::parse)]
    pub(crate) output: Vec<OutputFile>,

    /// The category of SARIF; uploads of one category replace each other
    #[arg(long, value_name = "NAME", default_value = "citecheck", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) sarif_category: String,

    /// Show what was stale before the range, too, and look at files that the range did not touch
    #[arg(long)]
    pub(crate) all: bool,

    /// Show one diagnostic for each case, even where one change hits several
    #[arg(long)]
    pub(crate) ungrouped: bool,

    /// Count findings by rule, manual and section: instead of telling them in human and concise, besides in json and jsonl
    #[arg(long)]
    pub(crate) statistics: bool,

    #[command(flatten)]
    pub(crate) loudness: Loudness,
}

/// What is told at which level, and from which on it fails the run.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Loudness {
    /// The least level that makes the exit status 1
    #[arg(long, value_name = "LEVEL", default_value = "error", env = "CITECHECK_FAIL_ON", hide_env_values = true)]
    pub(crate) fail_on: FailOn,

    #[command(flatten)]
    pub(crate) levels: Levels,

    /// Print findings and nothing else: no notes and no closing line, in the formats for people
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Say on standard error what is compared, why, and by which configuration
    #[arg(long, short, conflicts_with = "quiet")]
    pub(crate) verbose: bool,

    /// Show so many diagnostics at most, the most serious, and count the others; human and concise only
    #[arg(long, value_name = "N", env = "CITECHECK_MAX_DIAGNOSTICS", hide_env_values = true)]
    pub(crate) max_diagnostics: Option<usize>,
}

/// From which level on findings fail the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FailOn {
    /// Errors
    Error,
    /// Warnings and errors
    Warning,
    /// No finding fails the run
    Never,
}

impl Reporting {
    /// For people and nobody else.
    pub(crate) fn human(loudness: Loudness) -> Self {
        let (output, sarif_category) = (Vec::new(), String::new());
        let (all, ungrouped, statistics) = (false, false, false);
        Self { format: Format::Human, output, sarif_category, all, ungrouped, statistics, loudness }
    }

    fn formats(&self) -> impl Iterator<Item = Format> {
        std::iter::once(self.format).chain(self.output.iter().map(|output| output.format))
    }

    /// The files that differ between the two revisions; none where nothing is compared or no format asks.
    pub(super) fn changed_files(&self, session: &Session) -> Result<BTreeSet<RepoPath>, Error> {
        let before = session.before.as_ref().filter(|_| self.formats().any(Format::is_for_review));
        let Some(before) = before else { return Ok(BTreeSet::new()) };
        let deltas = session.repo.changed(&before.rev, &session.after.rev)?;
        Ok(deltas.into_iter().map(|delta| delta.path).collect())
    }

    /// An error where statistics are asked for and no format tells them.
    pub(super) fn refuse_lost_statistics(&self) -> Result<(), Error> {
        if self.statistics && !self.formats().any(Format::tells_statistics) {
            let error = Error::new(Kind::Usage, "`--statistics` has no place in this format");
            return Err(error.hint("human, concise, json and jsonl have one; `--output json=FILE` adds a format"));
        }
        Ok(())
    }

    /// How the formats for people look with these options.
    pub(super) fn looks(&self, looks: Looks) -> Looks {
        let (quiet, most) = (self.loudness.quiet, self.loudness.max_diagnostics);
        Looks { grouped: !self.ungrouped, quiet, most, ..looks }
    }
}

/// Writes lines to standard error that speak of the run itself. A log that obeys commands gets them muted.
pub(super) fn say(lines: &[String], looks: Looks) -> Result<(), Error> {
    let told = render_lines(lines.iter().map(String::as_str), looks, &mut io::stderr().lock());
    told.map_err(|error| Error::io("write the notes of the run", error))
}

impl FailOn {
    pub(super) fn is_reached(self, findings: &[Diagnostic]) -> bool {
        let least = match self {
            FailOn::Error => Level::Error,
            FailOn::Warning => Level::Warning,
            FailOn::Never => return false,
        };
        findings.iter().any(|finding| finding.level >= least)
    }
}
