//! Repositories to run citecheck in, built so that nothing of the machine has a say: environment cleared, no git
//! settings of user or system, fixed author, dates and locale. Holds no expectations.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A git repository in a temporary folder that goes away with it.
pub(crate) struct Repo {
    /// Holds the repository and, beside it, an empty home.
    folder: TempDir,
    commits: Cell<u64>,
}

/// What a run of citecheck gave.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Repo {
    /// An empty repository on branch `main`.
    pub(crate) fn new() -> Self {
        let repo = Self::bare_folder();
        repo.git(["init", "--quiet", "--template=", "."]);
        repo.git(["symbolic-ref", "HEAD", "refs/heads/main"]);
        repo
    }

    /// A folder that is no repository.
    pub(crate) fn bare_folder() -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("home")).unwrap();
        fs::create_dir(folder.path().join("repository")).unwrap();
        Self { folder, commits: Cell::new(0) }
    }

    /// The shipped example: tags `v1`, `v2` and `v3`.
    pub(crate) fn example() -> Self {
        let repo = Self::bare_folder();
        fs::remove_dir(repo.path()).unwrap();
        let script = root().join("fixtures/example/build.sh");
        run(repo.command("sh", repo.folder.path()).arg(script).arg(repo.path()));
        repo
    }

    /// A repository with one commit: a manual and a case that cites its sections by `cites`.
    pub(crate) fn with_manual(manual: &str, cites: &str) -> Self {
        let repo = Self::new();
        repo.write("docs/manual.md", manual);
        repo.write("cases.yaml", format!("cases:\n  - id: TC-1\n    cites: [{cites}]\n"));
        repo.commit("Add manual and cases");
        repo
    }

    /// Puts a clone with the last commit only in its place, which can fetch the rest.
    pub(crate) fn make_shallow(&self) {
        let whole = self.folder.path().join("whole");
        fs::rename(self.path(), &whole).unwrap();
        fs::create_dir(self.path()).unwrap();
        self.git(["clone", "--quiet", "--no-local", "--depth", "1", whole.to_str().unwrap(), "."]);
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        String::from_utf8_lossy(&fs::read(self.path().join(path)).unwrap()).into_owned()
    }

    /// Commits the whole work tree, a day after the commit before.
    pub(crate) fn commit(&self, message: &str) {
        let count = self.commits.get();
        self.commits.set(count + 1);
        let date = format!("{} +0000", 1_767_258_000 + count * 86_400);
        run(self.command("git", self.path()).args(["add", "--all", "--force"]));
        run(self
            .command("git", self.path())
            .args(["commit", "--quiet", "--allow-empty", "--no-verify", "-m", message])
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date));
    }

    /// Runs git and gives what it printed.
    pub(crate) fn git<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        run(self.command("git", self.path()).args(arguments))
    }

    /// A run of citecheck at the top of the repository, without terminal and input.
    pub(crate) fn citecheck<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Output {
        output(self.citecheck_command().args(arguments))
    }

    /// For runs with more to set than arguments.
    pub(crate) fn citecheck_command(&self) -> Command {
        self.command(citecheck(), self.path())
    }

    /// The document that a command prints with `--format json`; its findings are no failure.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let out = self.citecheck(arguments.iter().chain(&["--format", "json"]));
        assert!(out.code <= 1, "{arguments:?} ends with {}:\n{}", out.code, out.stderr);
        serde_json::from_str(&out.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}:\n{}", out.stdout))
    }

    pub(crate) fn command(&self, program: impl AsRef<OsStr>, folder: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(folder).stdin(Stdio::null()).env_clear();
        for name in ["PATH", "SystemRoot", "TMPDIR", "TEMP", "TMP"] {
            if let Some(value) = std::env::var_os(name) {
                command.env(name, value);
            }
        }
        command
            .env("HOME", self.folder.path().join("home"))
            .env("LC_ALL", "C")
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("GIT_CEILING_DIRECTORIES", self.folder.path());
        for role in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{role}_NAME"), "Ada Example").env(format!("GIT_{role}_EMAIL"), "ada@example.org");
        }
        command
    }
}

/// The program under test.
pub(crate) fn citecheck() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("citecheck").to_path_buf()
}

/// The formats of a command, as it names them itself: so a format that is added is in every test of all of them.
pub(crate) fn formats(command: &str) -> Vec<String> {
    let refused = Repo::bare_folder().citecheck([command, "--output", "?=x"]).stderr;
    let (_, names) = refused.split_once("the formats are ").unwrap_or_else(|| panic!("{refused}"));
    names.lines().next().unwrap().split(", ").map(str::to_owned).collect()
}

/// The top of the source tree.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below a folder of the source tree, sorted, as paths relative to its top.
pub(crate) fn files(folder: &str, extension: &str) -> Vec<String> {
    fn collect(folder: &Path, extension: &str, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            // `target` is what a build left behind.
            if path.is_dir() && !path.ends_with("target") {
                collect(&path, extension, found);
            } else if path.extension() == Some(OsStr::new(extension)) {
                let relative = path.strip_prefix(root()).unwrap_or(&path);
                found.push(relative.to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    let mut found = Vec::new();
    collect(&root().join(folder), extension, &mut found);
    found.sort();
    found
}

/// Runs to the end, whatever the status.
pub(crate) fn output(command: &mut Command) -> Output {
    let out = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    Output {
        code: out.status.code().unwrap_or_else(|| panic!("{command:?} was ended by a signal")),
        stdout: String::from_utf8(out.stdout).unwrap(),
        stderr: String::from_utf8(out.stderr).unwrap(),
    }
}

/// Runs to a good end and gives what was printed.
pub(crate) fn run(command: &mut Command) -> String {
    let out = output(command);
    assert_eq!(out.code, 0, "{command:?}:\n{}{}", out.stdout, out.stderr);
    out.stdout
}
