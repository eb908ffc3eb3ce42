//! `citecheck hook`: puts the hooks into a repository, takes them out, says which are there, and is what they run. The hooks
//! themselves are shell, in `hooks/`.

mod install;
mod run;

use std::io::{BufRead, Write};

use super::Context;
use crate::error::{Error, Exit};
pub(crate) use install::hooks;

const EXAMPLES: &str = "\
Examples:
  citecheck hook install                  check each commit and each merge
  citecheck hook install --hook pre-push  check each push
  citecheck hook status                   which hooks are installed, and where
  citecheck hook uninstall                take them away again
  citecheck hook run                      what a hook runs";

/// Install the git hooks, take them away, or run as one
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Install(install::Args),
    Uninstall(install::RemovalArgs),
    /// Show which hooks are installed, and where
    #[command(after_help = "Examples:\n  citecheck hook status  which of the three run citecheck")]
    Status,
    Run(run::Args),
}

/// A hook that git has and citecheck can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Stage {
    /// Before a commit: what is staged
    #[value(name = "pre-commit")]
    Commit,
    /// Before the commit of a merge without conflicts, for which git does not run pre-commit
    #[value(name = "pre-merge-commit")]
    Merge,
    /// Before a push: what the remote does not have yet
    #[value(name = "pre-push")]
    Push,
}

impl Args {
    /// Whether this is a hook at work.
    pub(crate) fn is_run(&self) -> bool {
        match self.action {
            Action::Run(_) => true,
            Action::Install(_) | Action::Uninstall(_) | Action::Status => false,
        }
    }
}

impl Stage {
    const ALL: [Stage; 3] = [Stage::Commit, Stage::Merge, Stage::Push];

    fn name(self) -> &'static str {
        match self {
            Stage::Commit => "pre-commit",
            Stage::Merge => "pre-merge-commit",
            Stage::Push => "pre-push",
        }
    }
}

/// Runs the subcommand; `input` is what git writes to a hook.
pub(crate) fn run(args: &Args, context: &Context, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Exit, Error> {
    match &args.action {
        Action::Install(args) => install::install(args, context, out),
        Action::Uninstall(args) => install::uninstall(args, context, out),
        Action::Status => install::status(context, out),
        Action::Run(args) => run::run(args, context, input, out),
    }
}
