//! Why a run could not happen, and how a run ends. What is wrong in the user's files is a finding, never an error.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::process::ExitCode;

use crate::config::{self, LocateError};
use crate::git;
use crate::source::Sources;

/// How a run ends. The same in every output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Nothing at or above the threshold.
    #[default]
    Clean = 0,
    /// Findings at or above the threshold.
    Findings = 1,
    /// Usage, configuration, git or history that is cut off.
    CouldNotRun = 2,
    /// There is no manual or no case.
    NothingChecked = 3,
}

/// Why a run stopped ([`Exit::CouldNotRun`]): one sentence, its cause, and what to do about it.
#[derive(Debug)]
pub(crate) struct Error {
    kind: Kind,
    message: String,
    source: Option<Box<dyn StdError + Send + Sync>>,
    hints: Vec<String>,
    places: Option<Box<Places>>,
}

/// What is wrong with the configuration, where: shown above the error.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) problems: Vec<config::Problem>,
    pub(crate) sources: Sources,
}

/// Whose business an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The command line.
    Usage,
    /// The configuration file.
    Config,
    /// The repository.
    Git,
    /// Reading and writing files and streams.
    Io,
    /// Other machines.
    #[cfg_attr(not(feature = "http"), expect(dead_code, reason = "nothing asks another machine"))]
    Network,
}

impl Exit {
    /// The one that matters more where parts of a run ended differently: a run that could not happen is no answer at
    /// all, one that checked nothing is a wrong one.
    pub(crate) fn worst(self, other: Exit) -> Exit {
        if other.weight() > self.weight() { other } else { self }
    }

    fn weight(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::NothingChecked => 2,
            Exit::CouldNotRun => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

impl Error {
    /// A message in lower case, without full stop.
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), source: None, hints: Vec::new(), places: None }
    }

    /// A failure of the system; `doing` continues "cannot".
    pub(crate) fn io(doing: &str, source: io::Error) -> Self {
        let hints = way_out(source.kind()).map(str::to_owned).into_iter().collect();
        Self { source: Some(Box::new(source)), hints, ..Self::new(Kind::Io, format!("cannot {doing}")) }
    }

    /// A configuration with problems.
    pub(crate) fn config(error: config::ConfigError, sources: &Sources) -> Self {
        let message = match error.problems.len() {
            1 => "the configuration has an error".to_owned(),
            count => format!("the configuration has {count} errors"),
        };
        let places = Places { problems: error.problems, sources: sources.clone() };
        Self { places: Some(Box::new(places)), ..Self::new(Kind::Config, message) }
    }

    pub(crate) fn places(&self) -> Option<&Places> {
        self.places.as_deref()
    }

    /// Adds what can be done about it.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Whether the configuration is at fault: the rest of the repository can still be looked at.
    pub(crate) fn is_configuration(&self) -> bool {
        self.kind == Kind::Config
    }

    /// The whole text for a terminal: `error: …`, and a line `  hint: …` for each. Quotes file names and other text from
    /// outside as it is; who prints it makes it harmless.
    pub(crate) fn render(&self) -> String {
        let mut text = format!("error: {self}\n");
        for hint in &self.hints {
            text.push_str("  hint: ");
            text.push_str(hint);
            text.push('\n');
        }
        if self.kind == Kind::Usage && self.hints.is_empty() {
            text.push_str("  hint: `citecheck help` shows the commands and their options\n");
        }
        text
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)?;
        match &self.source {
            Some(source) => write!(out, ": {source}"),
            None => Ok(()),
        }
    }
}

// The cause is part of the text, so it is not told again as `source`.
impl StdError for Error {}

impl From<git::Error> for Error {
    fn from(error: git::Error) -> Self {
        Self { hints: error.hint().into_iter().collect(), ..Self::new(Kind::Git, error.to_string()) }
    }
}

impl From<LocateError> for Error {
    fn from(error: LocateError) -> Self {
        Self::new(Kind::Config, error.to_string()).hint(error.hint())
    }
}

/// What helps against a failure of the system, where that is the same whatever was being done.
fn way_out(kind: io::ErrorKind) -> Option<&'static str> {
    use io::ErrorKind::{FileTooLarge, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    let ways = [
        (StorageFull, "make room, then run the command again"),
        (QuotaExceeded, "make room, then run the command again"),
        (FileTooLarge, "raise the limit for the size of files (`ulimit -f`)"),
        (ReadOnlyFilesystem, "run it in a clone on a file system that is not read-only"),
        (PermissionDenied, "the permissions of the file and of its folder have to allow it"),
    ];
    ways.into_iter().find(|(known, _)| *known == kind).map(|(_, way)| way)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_status_is_what_the_manual_says() {
        let check = |exit: Exit, status: u8| {
            assert_eq!(format!("{:?}", ExitCode::from(exit)), format!("{:?}", ExitCode::from(status)));
        };
        check(Exit::Clean, 0);
        check(Exit::Findings, 1);
        check(Exit::CouldNotRun, 2);
        check(Exit::NothingChecked, 3);
    }

    #[test]
    fn the_worst_exit_does_not_depend_on_the_order() {
        let ascending = [Exit::Clean, Exit::Findings, Exit::NothingChecked, Exit::CouldNotRun];
        for (at, one) in ascending.into_iter().enumerate() {
            for (other_at, other) in ascending.into_iter().enumerate() {
                assert_eq!(one.worst(other), ascending[at.max(other_at)], "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn an_error_is_told_with_its_cause_and_hints() {
        let check = |error: Error, expected: &str| assert_eq!(error.render(), expected);
        check(
            Error::new(Kind::Usage, "unknown rule `x`"),
            "error: unknown rule `x`\n  hint: `citecheck help` shows the commands and their options\n",
        );
        check(
            Error::io("write `a`", io::Error::other("disk full")).hint("make room").hint("or not"),
            "error: cannot write `a`: disk full\n  hint: make room\n  hint: or not\n",
        );
        check(
            Error::io("write `a`", io::ErrorKind::StorageFull.into()),
            "error: cannot write `a`: no storage space\n  hint: make room, then run the command again\n",
        );
        check(
            LocateError::Both.into(),
            "error: two configurations: `citecheck.yaml` and `.github/citecheck.yaml`\n  hint: keep one of them\n",
        );
        check(
            LocateError::Misnamed(".github/citecheck.yml").into(),
            "error: `.github/citecheck.yml` is not read as a configuration\n  hint: rename it to `.github/citecheck.yaml`\n",
        );
        let none = config::ConfigError { problems: Vec::new() };
        check(Error::config(none, &Sources::default()), "error: the configuration has 0 errors\n");
    }
}
