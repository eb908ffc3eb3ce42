//! The options that `check`, `ci` and hooks share: how the results are told, how loud, and when they fail the run.

use std::collections::BTreeSet;

use clap::builder::NonEmptyStringValueParser;

use super::levels::Levels;
use super::{Context, OutputFile};
use crate::diagnostic::{Diagnostic, Level};
use crate::error::Error;
use crate::git::Selection;
use crate::pipeline::Session;
use crate::report::Format;
use crate::source::RepoPath;

/// How the results are told, and when they fail the run.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Reporting {
    /// How the results look on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
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

    #[command(flatten)]
    pub(crate) loudness: Loudness,
}

/// What is told at which level, and from which on it fails the run.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Loudness {
    /// The least level that makes the exit status 1
    #[arg(long, value_name = "LEVEL", default_value = "error")]
    pub(crate) fail_on: FailOn,

    #[command(flatten)]
    pub(crate) levels: Levels,
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
        Self { format: Format::Human, output, sarif_category, all: false, ungrouped: false, loudness }
    }

    /// The files that differ between the two revisions; none where nothing is compared or no format asks.
    pub(super) fn changed_files(&self, session: &Session) -> Result<BTreeSet<RepoPath>, Error> {
        let mut formats = std::iter::once(self.format).chain(self.output.iter().map(|output| output.format));
        let before = session.before.as_ref().filter(|_| formats.any(Format::is_for_review));
        let Some(before) = before else { return Ok(BTreeSet::new()) };
        let deltas = session.repo.changed(&before.rev, &session.after.rev)?;
        Ok(deltas.into_iter().map(|delta| delta.path).collect())
    }
}

impl Loudness {
    /// Opens what is to be checked, with the levels of this run.
    pub(super) fn open(&self, selection: &Selection, context: &Context) -> Result<Session, Error> {
        let mut session = context.open(selection)?;
        session.levels = self.levels.by_rule();
        Ok(session)
    }
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
