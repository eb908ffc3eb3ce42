//! `citecheck init`: looks at the repository and writes a configuration that fits it to its root, with every key
//! explained. What is found is the survey's business; here are the files that it looks at, and the one that is written.

mod words;

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use super::Context;
use crate::config::{PATHS, template};
use crate::error::{Error, Exit, Kind};
use crate::git::{Content, Repo};
use crate::report::Looks;
use crate::sanitize::sanitize;
use crate::source::{RepoPath, Rev};
use crate::survey::{self, Sample, Survey, Text};
use crate::whole::{self, Access, Unfinished, Worth};

const EXAMPLES: &str = "\
Examples:
  citecheck init --dry-run  look at it first
  citecheck init            write citecheck.yaml";

/// Files of more bytes are left out of the look: nobody writes cases or a page by hand of that size.
const LONGEST: usize = 4 << 20;

/// Look at the repository and write a configuration that fits it
///
/// Looks at the files that are tracked, or could be: where the manual is, which keys of the YAML files name its
/// sections, which ids it has. Says what it found and what it is unsure of, and writes citecheck.yaml with comments.
/// The files are read as they are on disk; of very many only some.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Replace a configuration that exists
    #[arg(long)]
    pub(crate) force: bool,

    /// Print the configuration and write nothing; what was found goes to standard error
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Looks, says what it found, and writes the configuration or prints it.
pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let root = context.top()?;
    if !args.dry_run {
        // Before the look: it takes a while.
        refuse_a_second(args.force, &root)?;
    }
    let repo = context.repo()?;
    let (survey, sample) = look(&repo)?;
    let text = proposal(&survey);
    let told = tell(&survey, &sample, context.looks);
    let failed = |error| Error::io("write what was found", error);
    if args.dry_run {
        io::stderr().write_all(told.as_bytes()).map_err(failed)?;
        out.write_all(text.as_bytes()).map_err(failed)?;
    } else {
        write(&root, &text, args.force)?;
        write!(out, "{told}\nwrote {}; `citecheck check` uses it\n", PATHS[0]).map_err(failed)?;
    }
    Ok(Exit::Clean)
}

/// The configuration for what was found.
pub(crate) fn proposal(survey: &Survey) -> String {
    template(&words::found(survey))
}

/// Reads what the survey wants to see of the work tree.
fn look(repo: &Repo) -> Result<(Survey, Sample), Error> {
    let is_wanted = |path: &RepoPath| survey::is_page(path) || survey::is_yaml(path);
    let snapshot = repo.snapshot(&Rev::Worktree, &is_wanted)?;
    let sample = survey::sample(snapshot.entries.keys());
    let read = |path: &RepoPath| -> Result<Option<Text>, Error> {
        let Content::Text(bytes) = repo.read(&Rev::Worktree, path, &snapshot.entries[path])? else { return Ok(None) };
        let text = String::from_utf8(bytes).ok().filter(|text| text.len() <= LONGEST);
        Ok(text.map(|text| Text { path: path.clone(), text }))
    };
    let texts =
        |paths: &[RepoPath]| paths.iter().filter_map(|path| read(path).transpose()).collect::<Result<Vec<_>, _>>();
    let survey = survey::survey(&texts(&sample.pages)?, &texts(&sample.yaml)?, &sample.other_pages);
    Ok((survey, sample))
}

/// One block for each part, its name before it.
fn tell(survey: &Survey, sample: &Sample, looks: Looks) -> String {
    let bold = if looks.color { anstyle::Style::new().bold() } else { anstyle::Style::new() };
    let mut told = String::new();
    for part in words::parts(survey, sample) {
        for (at, line) in part.lines.iter().enumerate() {
            let name = if at == 0 { part.name } else { "" };
            told.push_str(&format!("{bold}{name:10}{bold:#} {}\n", sanitize(line)));
        }
    }
    told
}

/// A configuration at the root beside one in `.github` would stop every run.
fn refuse_a_second(force: bool, root: &Path) -> Result<(), Error> {
    let [at_root, github] = PATHS;
    // A dangling link is there as well.
    let exists = |path: &str| fs::symlink_metadata(root.join(path)).is_ok();
    if exists(github) {
        let error = Error::new(Kind::Usage, format!("`{github}` exists already"));
        return Err(error.hint("edit it, or remove it first; there can be only one configuration"));
    }
    if exists(at_root) && !force { Err(already_there()) } else { Ok(()) }
}

fn already_there() -> Error {
    let error = Error::new(Kind::Usage, format!("`{}` exists already", PATHS[0]));
    error.hint("`citecheck init --dry-run` prints the proposal").hint("`citecheck init --force` replaces the file")
}

/// Writes all or nothing: a reader sees the file before or the file after.
fn write(root: &Path, text: &str, force: bool) -> Result<(), Error> {
    let failed = |error: io::Error| Error::io(&format!("write `{}`", PATHS[0]), error);
    let path = root.join(PATHS[0]);
    whole::sweep(root);
    let mut file = Unfinished::beside(&path, Access::Shared, Worth::Lasting).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    let written = if force { file.replace(&path) } else { file.create(&path) };
    match written {
        Ok(()) => Ok(()),
        // It came into being since we looked.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(already_there()),
        Err(error) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "manuals: docs/\n";

    struct Root(tempfile::TempDir);

    impl Root {
        fn new() -> Self {
            Self(tempfile::tempdir().expect("a temporary folder"))
        }

        /// Nothing, or what went wrong.
        fn write(&self, force: bool) -> String {
            let root = self.0.path();
            let written = refuse_a_second(force, root).and_then(|()| write(root, TEXT, force));
            written.map_or_else(|error| error.render(), |()| String::new())
        }

        fn put(&self, path: &str, text: &str) {
            let path = self.0.path().join(path);
            fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
            fs::write(path, text).expect("the file can be written");
        }

        /// The names in the folder and the text of the configuration.
        fn state(&self) -> (Vec<String>, String) {
            let entries = fs::read_dir(self.0.path()).expect("the folder can be read");
            let mut names: Vec<String> =
                entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            (names, fs::read_to_string(self.0.path().join(PATHS[0])).unwrap_or_default())
        }
    }

    #[test]
    fn the_configuration_is_written_to_the_root() {
        let root = Root::new();
        assert_eq!(root.write(false), "");
        assert_eq!(root.state(), (vec!["citecheck.yaml".to_owned()], TEXT.to_owned()));
    }

    #[test]
    fn a_configuration_is_replaced_only_by_force() {
        let root = Root::new();
        root.put("citecheck.yaml", "mine");
        let refusal = "error: `citecheck.yaml` exists already\n  hint: `citecheck init --dry-run` prints the proposal\n  hint: \
                       `citecheck init --force` replaces the file\n";
        assert_eq!(root.write(false), refusal);
        assert_eq!(root.state(), (vec!["citecheck.yaml".to_owned()], "mine".to_owned()));
        assert_eq!(root.write(true), "");
        assert_eq!(root.state(), (vec!["citecheck.yaml".to_owned()], TEXT.to_owned()));
    }

    #[test]
    fn a_second_configuration_is_refused_even_by_force() {
        let root = Root::new();
        root.put(".github/citecheck.yaml", "");
        assert!(root.write(true).starts_with("error: `.github/citecheck.yaml` exists already\n"));
        assert_eq!(root.state().0, [".github"]);
    }

    #[cfg(unix)]
    #[test]
    fn others_can_read_the_file_and_a_link_is_not_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let root = Root::new();
        let outside = Root::new();
        symlink(outside.0.path().join("target"), root.0.path().join("citecheck.yaml")).expect("a link can be made");
        assert!(root.write(false).starts_with("error: `citecheck.yaml` exists already\n"));
        root.write(true);
        assert!(outside.state().0.is_empty());
        let path = root.0.path().join("citecheck.yaml");
        let mode = fs::symlink_metadata(&path).expect("the file is there").permissions().mode();
        root.put("plain", "");
        let plain = fs::metadata(root.0.path().join("plain")).expect("the file is there").permissions().mode();
        assert_eq!(mode, plain);
    }
}
