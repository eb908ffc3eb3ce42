//! `citecheck doctor`: whether citecheck is set up so that nothing slips through, check by check, each with what to do
//! next. Changes nothing; what is out of date is `check`'s business.

mod checks;
mod fragile;

use std::io::Write;

use super::Context;
use crate::config::{Config, PATHS};
use crate::error::{Error, Exit};
use crate::git::{Repo, Selection};
use crate::manual::Index;
use crate::pipeline::{Revision, Session};
use crate::report::Looks;
use crate::sanitize::sanitize;
use crate::source::{RepoPath, Rev};

const EXAMPLES: &str = "\
Exit status:
  0  no problem, though perhaps something to look at
  1  a problem
  2  could not run

Examples:
  citecheck doctor          how it is set up, and what to do next
  citecheck doctor --quiet  only what is not in order";

/// Tell whether citecheck is set up well, and what to do next
///
/// Looks at hooks, CI, history and configuration, at cases that cite nothing, and at citations that may find another
/// section one day. Each line is in order, worth a look, or a problem, and says what to run next. The files are read as
/// they are on disk.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Leave out what is in order
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What is looked at.
struct Patient<'a> {
    repo: &'a Repo,
    session: &'a Session,
    revision: &'a Revision,
    index: Index,
    has_config: bool,
}

impl Patient<'_> {
    fn config(&self) -> &Config {
        &self.session.config
    }
}

/// How it is with one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    InOrder,
    /// Something may slip through, or go wrong one day.
    Attention,
    /// Something does slip through, or nothing works.
    Problem,
}

/// What one check says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    state: State,
    text: String,
    /// Places, each on a line of its own.
    places: Vec<String>,
    /// What to run or to write.
    next: Option<String>,
}

impl Item {
    fn new(state: State, text: impl Into<String>) -> Self {
        Self { state, text: text.into(), places: Vec::new(), next: None }
    }

    fn in_order(text: impl Into<String>) -> Self {
        Self::new(State::InOrder, text)
    }

    fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }

    fn places(mut self, places: Vec<String>) -> Self {
        self.places = places;
        self
    }
}

/// Runs every check and prints what each says.
pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let repo = context.repo()?;
    let mut told = Vec::new();
    for (name, check) in checks::OF_THE_CLONE {
        told.extend(check(&repo)?.into_iter().map(|item| (*name, item)));
    }
    match open(context) {
        Ok((session, revision)) => {
            let has_config = context.config.is_some() || has_config(&repo)?;
            let index = Index::new(&revision.manual, &session.base_urls());
            let patient = Patient { repo: &repo, session: &session, revision: &revision, index, has_config };
            for (name, check) in checks::OF_THE_CASES {
                told.extend(check(&patient)?.into_iter().map(|item| (*name, item)));
            }
        }
        Err(error) if error.is_configuration() => told.push(("configuration", checks::broken(&error))),
        Err(error) => return Err(error),
    }
    print(&told, args.quiet, context.looks, out).map_err(|error| Error::io("write what was found", error))?;
    let is_bad = told.iter().any(|(_, item)| item.state == State::Problem);
    Ok(if is_bad { Exit::Findings } else { Exit::Clean })
}

fn has_config(repo: &Repo) -> Result<bool, Error> {
    let known = PATHS.map(RepoPath::new);
    Ok(!repo.snapshot(&Rev::Worktree, &|path| known.contains(path))?.entries.is_empty())
}

/// The work tree, as `check` reads it.
fn open(context: &Context) -> Result<(Session, Revision), Error> {
    let mut session = context.open(&Selection::Worktree)?;
    let revision = session.load_after()?;
    Ok((session, revision))
}

fn print(told: &[(&str, Item)], quiet: bool, looks: Looks, out: &mut dyn Write) -> std::io::Result<()> {
    for (name, item) in told.iter().filter(|(_, item)| !quiet || item.state != State::InOrder) {
        let (word, color) = match item.state {
            State::InOrder => ("ok", anstyle::AnsiColor::BrightGreen),
            State::Attention => ("attention", anstyle::AnsiColor::Yellow),
            State::Problem => ("problem", anstyle::AnsiColor::BrightRed),
        };
        let style = if looks.color { color.on_default().bold() } else { anstyle::Style::new() };
        writeln!(out, "{style}{word:9}{style:#}  {name:13}  {}", sanitize(&item.text))?;
        for place in &item.places {
            writeln!(out, "{:26}{}", "", sanitize(place))?;
        }
        if let Some(next) = &item.next {
            writeln!(out, "{:26}next: {}", "", sanitize(next))?;
        }
    }
    let count = |state| told.iter().filter(|(_, item)| item.state == state).count();
    let (problems, attention) = (count(State::Problem), count(State::Attention));
    let plural = if problems == 1 { "" } else { "s" };
    writeln!(out, "\n{problems} problem{plural}, {attention} to look at, {} in order", count(State::InOrder))
}
