//! What a hook checks: the range that a framework names, the commits that are pushed, the merge under way, else what is
//! staged. Writes nothing into the repository and takes no lock.

use std::collections::BTreeSet;
use std::io::{BufRead, Write};

use clap::builder::Resettable;

use super::Stage;
use crate::commands::checking::{Asked, Run};
use crate::commands::reporting::{Loudness, Reporting};
use crate::commands::{Context, merge, names_nothing};
use crate::error::{Error, Exit, Kind};
use crate::git::{Repo, Selection};
use crate::sanitize::sanitize;
use crate::source::CommitId;

const EXAMPLES: &str = "\
Examples:
  citecheck hook run                         what a hook manager runs
  citecheck hook run pre-merge-commit        before the commit of a merge
  citecheck hook run --deny text-reworded    stop for other words, too";

/// Check what git is about to commit, merge or push
///
/// Compares the range in PRE_COMMIT_FROM_REF and PRE_COMMIT_TO_REF, which hook managers set; else, before a push, what
/// git says on standard input; else, in a merge, the result with both sides; else HEAD with the index. Where nothing is
/// staged and no commit is being made, everything in the index is checked. What it decides by is in the repository and in
/// its arguments: of the variables of other commands only those count that change how it looks.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, mut_arg("fail_on", |it| it.env(Resettable::Reset).help("The least level that stops the commit, merge or push")))]
pub(crate) struct Args {
    /// The hook to be
    #[arg(value_name = "HOOK", default_value = "pre-commit")]
    stage: Stage,

    /// The remote, as git names it to pre-push
    #[arg(value_name = "REMOTE")]
    remote: Option<String>,

    /// The address of the remote, as git names it to pre-push
    #[arg(value_name = "URL")]
    url: Option<String>,

    #[command(flatten)]
    loudness: Loudness,
}

/// One thing to check.
enum Choice {
    Comparison(Asked<'static>),
    /// What is staged is a merge of HEAD with these.
    Merge(Vec<CommitId>),
    /// Nothing, and why.
    Nothing(String),
}

/// A ref that is pushed: one line of what git writes to pre-push.
#[derive(Debug, PartialEq, Eq)]
struct Pushed<'a> {
    local: &'a str,
    tip: &'a str,
    /// What the remote ref points to.
    there: &'a str,
}

pub(super) fn run(args: &Args, context: &Context, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Exit, Error> {
    let reporting = Reporting::human(args.loudness.clone());
    let repo = context.repo()?;
    let run = Run { reporting: &reporting, context, repo: &repo };
    let (mut exit, mut is_lost) = (Exit::Clean, false);
    for choice in choose(args, context, &repo, input)? {
        let outcome = match choice {
            Choice::Comparison(asked) => run.check(&asked, out)?,
            Choice::Merge(others) => merge::check(run, &others, out)?,
            Choice::Nothing(_) if reporting.loudness.quiet => continue,
            Choice::Nothing(why) => {
                say(&why, out)?;
                continue;
            }
        };
        exit = exit.worst(outcome.exit);
        is_lost |= outcome.is_lost;
    }
    // A repository to which manual and cases come later, or that is rid of both; the report says that nothing was checked.
    // A manual that loses its last case, to another spelling of the key perhaps, would never be checked again.
    let may_come_later = exit == Exit::NothingChecked && context.env.is_committing() && !is_lost;
    Ok(if may_come_later { Exit::Clean } else { exit })
}

fn choose(args: &Args, context: &Context, repo: &Repo, input: &mut dyn BufRead) -> Result<Vec<Choice>, Error> {
    let variable = |name: &str| context.variables.get(name).filter(|value| !value.is_empty()).cloned();
    if let (Some(base), Some(head)) = (variable("PRE_COMMIT_FROM_REF"), variable("PRE_COMMIT_TO_REF")) {
        let why = "PRE_COMMIT_FROM_REF and PRE_COMMIT_TO_REF name it";
        return Ok(vec![Choice::Comparison(Asked::new(Selection::Between { base, head }, why))]);
    }
    match args.stage {
        Stage::Push => {
            let mut text = String::new();
            input.read_to_string(&mut text).map_err(|error| Error::io("read what is pushed", error))?;
            pushed(&text, args.remote.as_deref(), repo)
        }
        Stage::Commit | Stage::Merge => committed(context, repo),
    }
}

/// In a merge, HEAD against the index is all that the other side did, which was checked there. So both are compared.
fn committed(context: &Context, repo: &Repo) -> Result<Vec<Choice>, Error> {
    let others = repo.merge_heads()?;
    if others.is_empty() || repo.head()?.is_none() {
        return Ok(vec![Choice::Comparison(Asked::staged(repo, context)?)]);
    }
    Ok(vec![Choice::Merge(others)])
}

/// What a push brings to the remote, each stretch of history once.
fn pushed(text: &str, remote: Option<&str>, repo: &Repo) -> Result<Vec<Choice>, Error> {
    let mut chosen = Vec::new();
    let mut seen = BTreeSet::new();
    for line in text.lines() {
        let push = Pushed::read(line)?;
        if names_nothing(push.tip) {
            continue;
        }
        let (selection, note) = push.selection(remote, repo)?;
        match selection {
            None => chosen.push(Choice::Nothing(note)),
            Some(selection) if seen.insert(format!("{selection:?}")) => {
                chosen.push(Choice::Comparison(Asked::noted(selection, note)));
            }
            Some(_) => {}
        }
    }
    Ok(chosen)
}

impl<'a> Pushed<'a> {
    /// Reads `LOCAL-REF LOCAL-ID REMOTE-REF REMOTE-ID`.
    fn read(line: &'a str) -> Result<Self, Error> {
        let mut words = line.split(' ');
        match (words.next(), words.next(), words.next(), words.next(), words.next()) {
            (Some(local), Some(tip), Some(_), Some(there), None) => Ok(Self { local, tip, there }),
            _ => {
                let error = Error::new(Kind::Usage, format!("`{line}` is not what git tells pre-push"));
                Err(error.hint("git writes `LOCAL-REF LOCAL-ID REMOTE-REF REMOTE-ID` to standard input"))
            }
        }
    }

    /// What to compare, and why. What the remote has and we have not, nothing can be compared with.
    fn selection(&self, remote: Option<&str>, repo: &Repo) -> Result<(Option<Selection>, String), Error> {
        let (local, head) = (self.local, self.tip.to_owned());
        if !names_nothing(self.there) && repo.resolve(self.there).is_ok() {
            let note = format!("`{local}` is compared with what the remote has");
            return Ok((Some(Selection::Between { base: self.there.to_owned(), head }), note));
        }
        let tip = repo.resolve(self.tip)?;
        let fork = match remote {
            Some(remote) => repo.fork_from_remote(&tip, remote)?,
            None => None,
        };
        Ok(match fork {
            Some(fork) if fork == tip => (None, format!("the remote has all of `{local}` already: nothing to check")),
            Some(fork) => {
                let note = format!("`{local}` is compared with where it left the branches of the remote");
                (Some(Selection::Between { base: fork.as_str().to_owned(), head }), note)
            }
            None => {
                let note = format!("the remote has nothing of `{local}`, so all of it was checked");
                (Some(Selection::Rev(head)), note)
            }
        })
    }
}

fn say(why: &str, out: &mut dyn Write) -> Result<(), Error> {
    writeln!(out, "{}", sanitize(why)).map_err(|error| Error::io("write the results", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_push_has_four_words() {
        let read = |line| Pushed::read(line).map_err(|error| error.to_string());
        let push = Pushed { local: "refs/heads/a", tip: "1", there: "0" };
        assert_eq!(read("refs/heads/a 1 refs/heads/a 0"), Ok(push));
        assert_eq!(read("(delete) 0 refs/heads/a 1").map(|push| names_nothing(push.tip)), Ok(true));
        for line in ["", "a", "a b c", "a b c d e"] {
            assert_eq!(read(line), Err(format!("`{line}` is not what git tells pre-push")));
        }
    }
}
