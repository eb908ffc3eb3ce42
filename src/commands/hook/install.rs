//! `citecheck hook install`, `uninstall` and `status`. Writes where git looks for hooks, and only files that are not there
//! or that it wrote itself; removes none that somebody else wrote or edited.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Stage;
use crate::commands::Context;
use crate::error::{Error, Exit, Kind};
use crate::git::Repo;
use crate::sanitize::sanitize;
use crate::whole::{self, Access, Unfinished, Worth};

/// The same text for every hook: it goes by its name.
const SCRIPT: &str = include_str!("../../../hooks/pre-commit");
/// The line by which a hook is known to be ours, whichever version wrote it.
const MARK: &str = "# citecheck hook. ";
/// What is installed where nothing else is asked for: one of the two runs before each commit.
const USUAL: [Stage; 2] = [Stage::Commit, Stage::Merge];

/// What pre-commit puts behind the name of a hook that it takes the place of.
const REPLACED: &str = ".legacy";

/// Words in the hooks of other managers, and how citecheck gets into them.
const MANAGERS: [(&str, &str); 3] = [
    ("pre-commit.com", "pre-commit wrote it: add citecheck to `.pre-commit-config.yaml`, see the README"),
    ("prek", "prek wrote it: add citecheck to `.pre-commit-config.yaml`, see the README"),
    ("lefthook", "lefthook wrote it: add a command with `run: citecheck hook run` to `lefthook.yml`"),
];

const EXAMPLES: &str = "\
Examples:
  citecheck hook install                  check each commit and each merge
  citecheck hook install --hook pre-push  check each push";

/// Write the hooks where git looks for them
///
/// A hook that somebody else put there stays as it is, and the message has the line to add to it. Running it again brings
/// our hooks up to date.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Install this hook; can be repeated [default: pre-commit and pre-merge-commit]
    #[arg(long = "hook", value_name = "HOOK")]
    stages: Vec<Stage>,
}

const REMOVAL_EXAMPLES: &str = "\
Examples:
  citecheck hook uninstall                  take away each hook of ours
  citecheck hook uninstall --hook pre-push  only the one that checks pushes";

/// Take away the hooks that `citecheck hook install` wrote
///
/// Looks where git looks for them. A hook that somebody else put there, or that was edited, stays as it is; the exit
/// status is 1 if one of these names citecheck.
#[derive(Debug, clap::Args)]
#[command(after_help = REMOVAL_EXAMPLES)]
pub(crate) struct RemovalArgs {
    /// Take away this hook; can be repeated [default: each that is there]
    #[arg(long = "hook", value_name = "HOOK")]
    stages: Vec<Stage>,
}

/// What stands where a hook would.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Missing,
    Current,
    /// Ours, and git would not run it.
    NotExecutable,
    /// Ours, from another version.
    Outdated,
    /// Somebody else's, with its text as far as it is one.
    Foreign(String),
    Folder,
    /// Nobody can tell whose it is.
    Unreadable,
}

/// A hook as git would find it.
#[derive(Clone, Debug)]
pub(crate) struct Hook {
    pub(crate) name: &'static str,
    path: PathBuf,
    /// Whether git runs citecheck by it.
    pub(crate) runs: bool,
    pub(crate) told: &'static str,
    /// Whether it belongs to those that are installed where nothing else is asked for.
    pub(crate) is_usual: bool,
}

pub(super) fn install(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let folder = context.repo()?.hooks_dir()?;
    let mut stages = if args.stages.is_empty() { USUAL.to_vec() } else { args.stages.clone() };
    stages.sort_unstable();
    stages.dedup();
    let states = stages.iter().map(|stage| look(&folder.join(stage.name()))).collect::<Vec<_>>();
    // All or none, so that a refusal leaves nothing half done.
    for (stage, state) in stages.iter().zip(&states) {
        if let Some(refusal) = refusal(*stage, &folder, state) {
            return Err(refusal);
        }
    }
    fs::create_dir_all(&folder).map_err(|error| Error::io(&format!("make `{}`", folder.display()), error))?;
    for (stage, state) in stages.iter().zip(&states) {
        let path = folder.join(stage.name());
        let done = match state {
            State::Current => "is up to date",
            State::Missing => write(&folder, &path, false).map(|()| "installed")?,
            State::Outdated | State::NotExecutable => write(&folder, &path, true).map(|()| "brought up to date")?,
            State::Foreign(_) | State::Folder | State::Unreadable => continue,
        };
        tell(out, &format!("{}: {done} ({})", stage.name(), path.display()))?;
    }
    Ok(Exit::Clean)
}

/// Removes the hooks that read as we write them. What another version wrote is not told from an edit. Where one cannot be
/// removed, the others are.
pub(super) fn uninstall(args: &RemovalArgs, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let folder = context.repo()?.hooks_dir()?;
    let is_wanted = |stage: &Stage| args.stages.is_empty() || args.stages.contains(stage);
    let (mut exit, mut failed) = (Exit::Clean, None);
    for stage in Stage::ALL.into_iter().filter(is_wanted) {
        // Where pre-commit took the place of our hook, it goes on running it under another name.
        let replaced = format!("{}{REPLACED}", stage.name());
        for name in [stage.name(), &replaced] {
            let path = folder.join(name);
            let state = look(&path);
            if state == State::Missing && name == replaced {
                continue;
            }
            match remove(&path, &state) {
                Ok(removal) => {
                    if removal.is_left {
                        exit = Exit::Findings;
                    }
                    tell(out, &format!("{name}: {} ({})", removal.told, path.display()))?;
                }
                Err(error) => failed = failed.or(Some(error)),
            }
        }
    }
    failed.map_or(Ok(exit), Err)
}

/// What became of a hook that was to be removed.
struct Removal {
    told: &'static str,
    /// Whether citecheck is still named there.
    is_left: bool,
}

fn remove(path: &Path, state: &State) -> Result<Removal, Error> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    let (told, is_left) = match state {
        State::Missing => ("not installed", false),
        State::Current | State::NotExecutable if is_link => ("a link, which stays; delete it to be rid of it", true),
        State::Current | State::NotExecutable => {
            fs::remove_file(path).map_err(|error| Error::io(&format!("remove `{}`", path.display()), error))?;
            ("removed", false)
        }
        State::Outdated => (
            "edited, or of another version, so it stays; \
             delete it, or let `citecheck hook install` write it anew and try again",
            true,
        ),
        State::Foreign(text) if text.contains("citecheck") => {
            ("somebody else's hook, which stays; take out what names citecheck", true)
        }
        State::Foreign(_) => ("somebody else's hook, which does not name citecheck and stays", false),
        State::Folder => ("a folder, which git does not run and which stays", false),
        State::Unreadable => ("cannot be read, so it stays; it may be ours", true),
    };
    Ok(Removal { told, is_left })
}

/// Lists the hooks; the exit status is 1 if one of the usual ones would not run.
pub(super) fn status(context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let mut exit = Exit::Clean;
    let repo = context.repo()?;
    for hook in hooks(&repo)? {
        if !hook.runs && hook.is_usual {
            exit = Exit::Findings;
        }
        tell(out, &format!("{}: {} ({})", hook.name, hook.told, hook.path.display()))?;
    }
    Ok(exit)
}

/// Every hook that citecheck can be, and whether it runs citecheck.
pub(crate) fn hooks(repo: &Repo) -> Result<Vec<Hook>, Error> {
    let folder = repo.hooks_dir()?;
    let hook = |stage: Stage| {
        let path = folder.join(stage.name());
        let (runs, told) = match look(&path) {
            State::Current => (true, "installed"),
            State::Outdated => (true, "installed by another version; `citecheck hook install` brings it up to date"),
            State::NotExecutable => (false, "not executable, so git ignores it; `citecheck hook install` repairs it"),
            State::Foreign(text) if text.contains("citecheck") => (true, "somebody else's hook, which runs citecheck"),
            State::Foreign(_) => (false, "somebody else's hook, which does not name citecheck"),
            State::Folder => (false, "a folder, which git does not run"),
            State::Unreadable => (false, "cannot be read"),
            State::Missing => (false, "not installed"),
        };
        Hook { name: stage.name(), path, runs, told, is_usual: USUAL.contains(&stage) }
    };
    Ok(Stage::ALL.into_iter().map(hook).collect())
}

fn look(path: &Path) -> State {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(_) if path.is_dir() => return State::Folder,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A link that leads nowhere is somebody's, too.
            let is_free = fs::symlink_metadata(path).is_err();
            return if is_free { State::Missing } else { State::Foreign(String::new()) };
        }
        Err(_) => return State::Unreadable,
    };
    let text = String::from_utf8_lossy(&bytes);
    let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    let (is_ours, is_current) = (text.lines().any(|line| line.starts_with(MARK)), text == SCRIPT);
    match (is_ours, is_current, is_executable(path)) {
        (true, true, true) => State::Current,
        // What a link leads to is not ours to replace.
        (true, _, _) if !is_link && is_current => State::NotExecutable,
        (true, _, _) if !is_link => State::Outdated,
        (_, _, _) => State::Foreign(text.into_owned()),
    }
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;

    fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 0o111 != 0)
}

/// Where files have no such bit, git goes by the first line.
#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}

/// Why a hook is not written where something stands that is not ours.
fn refusal(stage: Stage, folder: &Path, state: &State) -> Option<Error> {
    let name = stage.name();
    let path = folder.join(name);
    let error = |what: &str| Error::new(Kind::Usage, format!("`{}` {what}", path.display()));
    match state {
        State::Missing | State::Current | State::NotExecutable | State::Outdated => None,
        State::Folder => Some(error("is a folder and stays as it is").hint("move it away, and run this again")),
        State::Unreadable => {
            Some(error("cannot be read, so it stays as it is").hint("make it readable, and run this again"))
        }
        State::Foreign(text) => {
            let hint = if text.contains("citecheck") {
                "it names citecheck already; `citecheck hook status` lists the hooks".to_owned()
            } else if let Some((_, hint)) = MANAGERS.iter().find(|(word, _)| text.to_lowercase().contains(word)) {
                (*hint).to_owned()
            } else {
                format!("to check there, too, add this line to it: citecheck hook run {name} \"$@\" || exit")
            };
            Some(error("is somebody else's hook and stays as it is").hint(hint))
        }
    }
}

/// Writes all or nothing: git finds the whole hook or none.
fn write(folder: &Path, path: &Path, replace: bool) -> Result<(), Error> {
    let failed = |error: io::Error| Error::io(&format!("write `{}`", path.display()), error);
    whole::sweep(folder);
    let mut file = Unfinished::beside(path, Access::Executable, Worth::Lasting).map_err(failed)?;
    file.write_all(SCRIPT.as_bytes()).map_err(failed)?;
    if replace { file.replace(path) } else { file.create(path) }.map_err(failed)
}

fn tell(out: &mut dyn Write, line: &str) -> Result<(), Error> {
    writeln!(out, "{}", sanitize(line)).map_err(|error| Error::io("write to standard output", error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hook_is_the_same_text_and_known_as_ours() {
        assert_eq!(SCRIPT, include_str!("../../../hooks/pre-merge-commit"));
        assert_eq!(SCRIPT, include_str!("../../../hooks/pre-push"));
        assert!(SCRIPT.lines().any(|line| line.starts_with(MARK)));
    }

    #[test]
    fn the_way_into_another_hook_is_told() {
        let check = |text: &str, expected: &str| {
            let state = State::Foreign(text.to_owned());
            let told = refusal(Stage::Commit, Path::new("h"), &state).expect("it stays").render();
            assert!(told.contains("somebody else's") && told.contains(expected), "{text}: {told}");
        };
        check("#!/bin/sh\nmake lint\n", "add this line to it: citecheck hook run pre-commit \"$@\" || exit");
        check("# File generated by pre-commit: https://pre-commit.com\n", ".pre-commit-config.yaml");
        check("call_lefthook run \"pre-commit\"\n", "lefthook.yml");
        check("citecheck check --staged\n", "already");
    }
}
