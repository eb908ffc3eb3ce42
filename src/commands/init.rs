//! `citecheck init`: a configuration with every key explained, at the root of the repository. What is proposed is
//! decided elsewhere.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::config::{Found, PATHS, template};
use crate::error::{Error, Exit, Kind};

const EXAMPLES: &str = "\
Examples:
  citecheck init --dry-run   look at it first
  citecheck init             write citecheck.yaml";

/// Write a commented configuration, citecheck.yaml, to the root of the repository
///
/// Nothing has to be configured: what the file proposes is what holds without it.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Replace a configuration that exists
    #[arg(long)]
    pub(crate) force: bool,

    /// Print the configuration and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Writes the configuration, or prints it. `root` is the top of the work tree.
pub(crate) fn run(args: &Args, root: &Path, found: &Found, out: &mut dyn Write) -> Result<Exit, Error> {
    let text = template(found);
    let told = if args.dry_run {
        text
    } else {
        refuse_a_second(args, root)?;
        write(root, &text, args.force)?;
        format!("wrote {}\n", PATHS[0])
    };
    out.write_all(told.as_bytes()).map_err(|error| Error::io("write to standard output", error))?;
    Ok(Exit::Clean)
}

/// A configuration at the root beside one in `.github` would stop every run.
fn refuse_a_second(args: &Args, root: &Path) -> Result<(), Error> {
    let [at_root, github] = PATHS;
    // A dangling link is there as well.
    let exists = |path: &str| fs::symlink_metadata(root.join(path)).is_ok();
    if exists(github) {
        let error = Error::new(Kind::Usage, format!("`{github}` exists already"));
        return Err(error.hint("edit it, or remove it first; there can be only one configuration"));
    }
    if exists(at_root) && !args.force { Err(already_there()) } else { Ok(()) }
}

fn already_there() -> Error {
    let error = Error::new(Kind::Usage, format!("`{}` exists already", PATHS[0]));
    error.hint("`citecheck init --dry-run` prints the proposal").hint("`citecheck init --force` replaces the file")
}

/// Writes all or nothing: a reader sees the file before or the file after.
fn write(root: &Path, text: &str, force: bool) -> Result<(), Error> {
    let failed = |error: io::Error| Error::io(&format!("write `{}`", PATHS[0]), error);
    let mut file = temporary_file(root).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    let path = root.join(PATHS[0]);
    let written = if force { file.persist(path) } else { file.persist_noclobber(path) };
    match written {
        Ok(_) => Ok(()),
        // It came into being since we looked.
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(already_there()),
        Err(error) => Err(failed(error.error)),
    }
}

/// A file in the folder, for everybody to read as far as the umask lets them; temporary files are private by default.
fn temporary_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".citecheck-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Root(tempfile::TempDir);

    impl Root {
        fn new() -> Self {
            Self(tempfile::tempdir().expect("a temporary folder"))
        }

        fn run(&self, force: bool, dry_run: bool) -> String {
            let mut out = Vec::new();
            let result = run(&Args { force, dry_run }, self.0.path(), &Found::default(), &mut out);
            result.map_or_else(|error| error.render(), |_| String::from_utf8_lossy(&out).into_owned())
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

    fn proposal() -> String {
        template(&Found::default())
    }

    #[test]
    fn the_configuration_is_written_to_the_root() {
        let root = Root::new();
        assert_eq!(root.run(false, false), "wrote citecheck.yaml\n");
        assert_eq!(root.state(), (vec!["citecheck.yaml".to_owned()], proposal()));
    }

    #[test]
    fn a_dry_run_prints_and_writes_nothing() {
        let root = Root::new();
        root.put("citecheck.yaml", "mine");
        assert_eq!(root.run(false, true), proposal());
        assert_eq!(root.state().1, "mine");
    }

    #[test]
    fn a_configuration_is_replaced_only_by_force() {
        let root = Root::new();
        root.put("citecheck.yaml", "mine");
        let refusal = "error: `citecheck.yaml` exists already\n  hint: `citecheck init --dry-run` prints the proposal\n  hint: \
                       `citecheck init --force` replaces the file\n";
        assert_eq!(root.run(false, false), refusal);
        assert_eq!(root.state(), (vec!["citecheck.yaml".to_owned()], "mine".to_owned()));
        assert_eq!(root.run(true, false), "wrote citecheck.yaml\n");
        assert_eq!(root.state(), (vec!["citecheck.yaml".to_owned()], proposal()));
    }

    #[test]
    fn a_second_configuration_is_refused_even_by_force() {
        let root = Root::new();
        root.put(".github/citecheck.yaml", "");
        assert!(root.run(true, false).starts_with("error: `.github/citecheck.yaml` exists already\n"));
        assert_eq!(root.state().0, [".github"]);
    }

    #[cfg(unix)]
    #[test]
    fn others_can_read_the_file_and_a_link_is_not_followed() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let root = Root::new();
        let outside = Root::new();
        symlink(outside.0.path().join("target"), root.0.path().join("citecheck.yaml")).expect("a link can be made");
        assert!(root.run(false, false).starts_with("error: `citecheck.yaml` exists already\n"));
        root.run(true, false);
        assert!(outside.state().0.is_empty());
        let path = root.0.path().join("citecheck.yaml");
        let mode = fs::symlink_metadata(&path).expect("the file is there").permissions().mode();
        root.put("plain", "");
        let plain = fs::metadata(root.0.path().join("plain")).expect("the file is there").permissions().mode();
        assert_eq!(mode, plain);
    }
}
