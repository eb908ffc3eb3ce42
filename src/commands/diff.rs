//! `citecheck diff`: what changed in the manual, section by section.

use std::io::Write;
use std::mem::ManuallyDrop;

use super::chosen::ChosenPaths;
use super::reporting::say;
use super::targets::{Compared, Targets};
use super::{Context, OutputFile, empty_range};
use crate::diagnostic::{ChangeFact, DiffSummary, EndFact};
use crate::diff::{Change, Magnitude, Outcome};
use crate::error::{Error, Exit};
use crate::git::{self, Repo, Selection};
use crate::pipeline::{self, Revision, Session};
use crate::report::{DiffFormat, DiffReport, Looks, render_diff};
use crate::rules::facts;
use crate::source::RepoPath;

const EXAMPLES: &str = "\
Examples:
  citecheck diff                       what you edited since the last commit
  citecheck diff v1.0 --stat           all since a release, in short
  citecheck diff v1.0..v1.1            what changed between two releases
  citecheck diff main... docs/pump.md  what this branch changed in one file
  citecheck diff --staged              what the next commit will change
  citecheck diff v1.0.. --format json  for a program";

/// Show what changed in the manual, and which cases cite it
///
/// Each section is followed where it is reworded, moved, renamed, renumbered, split or merged. Each change has a magnitude
/// (trivial, minor, substantive) and the signals behind it: a number, a modal verb, a negation that changed.
///
/// Without a range the work tree, with untracked files that are not ignored, is compared with HEAD; with one revision,
/// with that.
#[derive(Debug, clap::Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "citecheck diff [OPTIONS] [RANGE|REV] [PATH]... [-- PATH...]"
)]
pub(crate) struct Args {
    #[command(flatten)]
    targets: Targets,

    /// Show what is staged: the index instead of the work tree
    #[arg(long, alias = "cached")]
    staged: bool,

    /// One line for each section
    #[arg(long)]
    pub(crate) stat: bool,

    /// Show sections that did not change, too
    #[arg(long)]
    pub(crate) all: bool,

    /// How the results look on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: DiffFormat,

    /// Write the results to a file as well, in this format; can be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = OutputFile::<DiffFormat>::parse)]
    pub(crate) output: Vec<OutputFile<DiffFormat>>,
}

/// Compares two revisions of the manual and reports what happened to each section.
pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let repo = context.repo()?;
    let targets = args.targets.tell(|path| context.has_path(path), |first| is_revision(&repo, first));
    targets.ensure_one_choice(args.staged.then_some("--staged"))?;
    // The process ends when this is told: taking its memory apart piece by piece would take a tenth of the time.
    let mut session = ManuallyDrop::new(context.open_in(&repo, &args.selection(targets.compared.as_ref()))?);
    let (diff, before, after) = session.diff(args.all)?;
    let chosen = ChosenPaths::new(&session, context, &targets.paths, &[])?;
    let pair = facts::Pair { before: &before.manual, after: &after.manual };
    let citing = session.citing(&before, &after);
    let is_wanted = |change: &&Change| {
        let befores = change.befores().into_iter().map(|at| &before.manual.document(at).path);
        let afters = change.afters().into_iter().map(|at| &after.manual.document(at).path);
        befores.chain(afters).any(|path| chosen.has(path))
    };
    let changes: Vec<&Change> = diff.changes.iter().filter(is_wanted).collect();
    let sections: Vec<ChangeFact> = changes
        .iter()
        .filter(|change| args.all || !change.is_nothing())
        .map(|change| facts::change(pair, change, citing.cases(change)))
        .collect();
    let report = DiffReport {
        base: pipeline::end(session.before.as_ref()),
        head: pipeline::end(Some(&session.after)),
        sections: &sections,
        summary: summary(&changes),
    };
    let looks = Looks { stat: args.stat, ..context.looks };
    say(&unread(&session, (&before, &after)), looks)?;
    say(&empty_range(&session).map(|empty| format!("note: {empty}")).into_iter().collect::<Vec<_>>(), looks)?;
    render_diff(args.format, &report, looks, out).map_err(|error| Error::io("write the results", error))?;
    for output in &args.output {
        let plain = Looks { color: false, unicode: false, ..looks };
        output.write(&mut |file| render_diff(output.format, &report, plain, file))?;
    }
    Ok(if after.manual.documents.is_empty() && before.manual.documents.is_empty() {
        Exit::NothingChecked
    } else {
        Exit::Clean
    })
}

/// The manuals that could not be read, and where: each once, if that is so at both ends.
fn unread(session: &Session, (before, after): (&Revision, &Revision)) -> Vec<String> {
    let (there, here) = (before.unread_manuals(&session.sources), after.unread_manuals(&session.sources));
    let told = |(path, why): &(&RepoPath, &str), other: &[(&RepoPath, &str)], end: &EndFact| {
        let place = if other.contains(&(*path, *why)) { String::new() } else { format!(" at {}", end.rev) };
        format!("warning: `{path}`{place}: {why}")
    };
    let (base, head) = (pipeline::end(session.before.as_ref()), pipeline::end(Some(&session.after)));
    let only_there = there.iter().filter(|file| !here.contains(file)).map(|file| told(file, &here, &base));
    here.iter().map(|file| told(file, &there, &head)).chain(only_there).collect()
}

/// Whether a text names a revision, or something else of the repository, which it is an error to compare with.
fn is_revision(repo: &Repo, text: &str) -> bool {
    match repo.resolve(text) {
        Ok(_) => true,
        Err(error) => matches!(error, git::Error::NotACommit { .. } | git::Error::AmbiguousRevision(_)),
    }
}

impl Args {
    fn selection(&self, compared: Option<&Compared<'_>>) -> Selection {
        match (compared, self.staged) {
            (Some(Compared::Range { range, .. }), _) => Selection::Range(range.clone()),
            (Some(Compared::Revision(revision)), false) => Selection::WorktreeSince((*revision).to_owned()),
            (Some(Compared::Revision(revision)), true) => Selection::StagedSince((*revision).to_owned()),
            (None, false) => Selection::Worktree,
            (None, true) => Selection::Staged,
        }
    }
}

fn summary(changes: &[&Change]) -> DiffSummary {
    let mut summary = DiffSummary { sections: changes.len(), ..DiffSummary::default() };
    for change in changes {
        match &change.outcome {
            Outcome::Added { .. } => summary.added += 1,
            Outcome::Removed { .. } => summary.removed += 1,
            Outcome::Same { .. } | Outcome::Split { .. } | Outcome::Merged { .. } | Outcome::Ambiguous { .. } => {
                match change.edit.magnitude {
                    Magnitude::None if change.kinds().is_empty() => summary.unchanged += 1,
                    Magnitude::None => {}
                    Magnitude::Trivial => summary.trivial += 1,
                    Magnitude::Minor => summary.minor += 1,
                    Magnitude::Substantive => summary.substantive += 1,
                }
            }
        }
        summary.moved += usize::from(change.relation().moved);
    }
    summary
}
