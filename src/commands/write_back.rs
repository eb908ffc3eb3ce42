//! Files of the work tree replaced by edited ones: all or nothing for each file, and never a file that somebody else
//! changed meanwhile or that a link leads away from the repository. Stages nothing and does not know what an edit means.
//!
//! No file system replaces several files at once. What holds over all of them: a failure leaves every file as it was, but
//! for one of a rename itself; and of a run that is killed among the renames the first files are the ones after, the
//! others the ones before, so that the same command, run again, does the rest. Whoever orders the files sees to it that
//! each such state is one that a check tells right.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::turn::{self, Turn};
use crate::edits::Rewrite;
use crate::error::{Error, Kind};
use crate::git::{self, AstrayBy, Repo};
use crate::source::RepoPath;
use crate::whole::{self, Access, Unfinished, Worth};

/// A rewritten file beside the one that it will replace.
struct Prepared<'r> {
    rewrite: &'r Rewrite,
    target: PathBuf,
    unfinished: Unfinished,
}

/// Writes all of them, in their order. Of two runs at once one waits for the other, and is refused if that changed what
/// it read.
pub(crate) fn write_back(repo: &Repo, rewrites: &[Rewrite]) -> Result<(), Error> {
    let top = repo.workdir().ok_or_else(super::no_work_tree)?;
    if rewrites.is_empty() {
        turn::clean_up(repo.common_dir());
        return Ok(());
    }
    let targets = rewrites.iter().map(|rewrite| locate(top, &rewrite.path)).collect::<Result<Vec<_>, _>>()?;
    let mut turn = Turn::take(repo.common_dir())?;
    turn.begin(&targets.iter().map(|target| whole::folder_of(target).to_owned()).collect::<BTreeSet<_>>());
    let written = write_all(top, rewrites);
    turn.end();
    written
}

/// Everything that can fail comes first for every file, the renames last: a full disk or a folder without permission
/// leaves every file as it was.
fn write_all(top: &Path, rewrites: &[Rewrite]) -> Result<(), Error> {
    let prepared = rewrites.iter().map(|rewrite| prepare(top, rewrite)).collect::<Result<Vec<_>, _>>()?;
    for (done, file) in prepared.into_iter().enumerate() {
        let told = |error: Error| match done {
            0 => error,
            _ => error.hint(format!("{done} other files were written already; run the command again for the rest")),
        };
        replace(file).map_err(told)?;
    }
    Ok(())
}

fn prepare<'r>(top: &Path, rewrite: &'r Rewrite) -> Result<Prepared<'r>, Error> {
    let failed = |error: io::Error| failure(&rewrite.path, error);
    let target = locate(top, &rewrite.path)?;
    ensure_unchanged(rewrite, &target)?;
    let replaced = rewrite.before.as_ref().map(|_| writable(&target)).transpose().map_err(failed)?;
    let mut unfinished = Unfinished::beside(&target, Access::Shared, Worth::Lasting).map_err(failed)?;
    unfinished.write_all(rewrite.after.as_bytes()).map_err(failed)?;
    if let Some(metadata) = replaced {
        unfinished.take_after(&metadata).map_err(failed)?;
    }
    unfinished.settle().map_err(failed)?;
    Ok(Prepared { rewrite, target, unfinished })
}

fn replace(file: Prepared<'_>) -> Result<(), Error> {
    let Prepared { rewrite, target, unfinished } = file;
    ensure_unchanged(rewrite, &target)?;
    let written = match rewrite.before {
        Some(_) => unfinished.replace(&target),
        None => unfinished.create(&target),
    };
    written.map_err(|error| failure(&rewrite.path, error))
}

/// What is known of a file that may be written to. A rename asks only its folder, and would go past the wish of who made
/// the file read-only.
fn writable(target: &Path) -> io::Result<Metadata> {
    File::options().write(true).open(target)?.metadata()
}

fn ensure_unchanged(rewrite: &Rewrite, target: &Path) -> Result<(), Error> {
    let now = match fs::read(target) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(failure(&rewrite.path, error)),
    };
    if now.as_deref() == rewrite.before.as_deref().map(str::as_bytes) {
        return Ok(());
    }
    if now.is_none() {
        let error = Error::new(Kind::Io, format!("`{}` is not on disk", rewrite.path));
        return Err(error.hint("`git sparse-checkout add` brings what a sparse checkout left out; nothing was written"));
    }
    let error = Error::new(Kind::Io, format!("`{}` changed while citecheck was running", rewrite.path));
    Err(error.hint("nothing was written to it; run the command again"))
}

/// Where the file is on disk. One that is a link is refused, too: replacing it would make it a file.
fn locate(top: &Path, path: &RepoPath) -> Result<PathBuf, Error> {
    let refused = |why: AstrayBy| {
        let why = match why {
            AstrayBy::Name => "its name is not UTF-8",
            AstrayBy::Part => "the path leads out of the repository",
            AstrayBy::Link => "it is, or lies behind, a symbolic link",
        };
        Error::new(Kind::Io, format!("`{path}` is not written: {why}"))
    };
    if std::str::from_utf8(path.as_bytes()).is_err() {
        return Err(refused(AstrayBy::Name));
    }
    let file = git::locate(top, path).map_err(|astray| refused(astray.why))?;
    if git::is_link(&file) { Err(refused(AstrayBy::Link)) } else { Ok(file) }
}

fn failure(path: &RepoPath, error: io::Error) -> Error {
    Error::io(&format!("write `{path}`"), error).hint("the file is as it was")
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Top(tempfile::TempDir);

    impl Top {
        fn new() -> Self {
            let top = Self(tempfile::tempdir().unwrap());
            fs::create_dir(top.path("sub")).unwrap();
            fs::write(top.path("sub/a.yaml"), "before").unwrap();
            top
        }

        fn path(&self, path: &str) -> PathBuf {
            self.0.path().join(path)
        }

        fn write(&self, rewrites: &[Rewrite]) -> String {
            write_all(self.0.path(), rewrites).map_or_else(|error| error.to_string(), |()| "written".to_owned())
        }

        /// Every file with its text.
        fn state(&self) -> Vec<(String, String)> {
            let mut files: Vec<_> =
                fs::read_dir(self.path("sub")).unwrap().map(|entry| entry.unwrap().path()).collect();
            files.sort();
            let name = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().to_owned();
            files.iter().map(|file| (name(file), fs::read_to_string(file).unwrap())).collect()
        }
    }

    fn rewrite(path: &str, before: Option<&str>) -> Rewrite {
        Rewrite { path: RepoPath::new(path), before: before.map(str::to_owned), after: "after".to_owned() }
    }

    fn files(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn files_are_replaced_and_created() {
        let top = Top::new();
        assert_eq!(top.write(&[rewrite("sub/a.yaml", Some("before")), rewrite("sub/b.yaml", None)]), "written");
        assert_eq!(top.state(), files(&[("a.yaml", "after"), ("b.yaml", "after")]));
    }

    #[test]
    fn a_file_that_changed_is_left_alone_with_all_others() {
        let top = Top::new();
        fs::write(top.path("sub/b.yaml"), "mine").unwrap();
        let check = |other: Rewrite, expected: &str| {
            assert_eq!(top.write(&[rewrite("sub/a.yaml", Some("before")), other]), expected);
            assert_eq!(top.state(), files(&[("a.yaml", "before"), ("b.yaml", "mine")]));
        };
        check(rewrite("sub/b.yaml", Some("theirs")), "`sub/b.yaml` changed while citecheck was running");
        check(rewrite("sub/b.yaml", None), "`sub/b.yaml` changed while citecheck was running");
        check(rewrite("sub/c.yaml", Some("")), "`sub/c.yaml` is not on disk");
        check(rewrite("../a.yaml", None), "`../a.yaml` is not written: the path leads out of the repository");
        check(rewrite("/a.yaml", None), "`/a.yaml` is not written: the path leads out of the repository");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_refused_and_modes_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (top, outside) = (Top::new(), Top::new());
        symlink(outside.path("sub"), top.path("away")).unwrap();
        symlink(outside.path("sub/a.yaml"), top.path("sub/link.yaml")).unwrap();
        for path in ["away/a.yaml", "sub/link.yaml"] {
            let expected = format!("`{path}` is not written: it is, or lies behind, a symbolic link");
            assert_eq!(top.write(&[rewrite(path, Some("before"))]), expected);
        }
        assert_eq!(outside.state(), files(&[("a.yaml", "before")]));
        let mode = |path: &str| fs::metadata(top.path(path)).unwrap().permissions().mode() & 0o777;
        fs::set_permissions(top.path("sub/a.yaml"), fs::Permissions::from_mode(0o750)).unwrap();
        fs::write(top.path("plain"), "").unwrap();
        top.write(&[rewrite("sub/a.yaml", Some("before")), rewrite("sub/new.yaml", None)]);
        assert_eq!((mode("sub/a.yaml"), mode("sub/new.yaml")), (0o750, mode("plain")));
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_cannot_be_written_to_leaves_every_file_as_it_was() {
        use std::os::unix::fs::PermissionsExt;
        let top = Top::new();
        fs::create_dir(top.path("locked")).unwrap();
        fs::write(top.path("locked/b.yaml"), "before").unwrap();
        fs::set_permissions(top.path("locked"), fs::Permissions::from_mode(0o555)).unwrap();
        // The administrator may write everywhere.
        if File::create(top.path("locked/probe")).is_err() {
            let told = top.write(&[rewrite("sub/a.yaml", Some("before")), rewrite("locked/b.yaml", Some("before"))]);
            assert!(told.starts_with("cannot write `locked/b.yaml`"), "{told}");
            assert_eq!(top.state(), files(&[("a.yaml", "before")]));
        }
        fs::set_permissions(top.path("locked"), fs::Permissions::from_mode(0o755)).unwrap();
    }
}
