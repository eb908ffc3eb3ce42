//! Repositories for tests: made by the real git, in an environment of their own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

use tempfile::TempDir;

use super::{Content, Env, Repo, Snapshot};
use crate::source::{CommitId, RepoPath, Rev};

/// A repository in a folder of its own, which goes with it.
pub(crate) struct TestRepo {
    /// The folder that holds the repository, and others made from it.
    pub(crate) root: PathBuf,
    /// The work tree.
    pub(crate) top: PathBuf,
    _folder: TempDir,
}

impl TestRepo {
    pub(crate) fn new() -> Self {
        Self::init(&["--quiet"])
    }

    pub(crate) fn init(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let top = root.join("main");
        let repo = Self { root, top, _folder: folder };
        git(&repo.root, &[&["init", "--initial-branch=main"], options, &["main"]].concat());
        // libgit2 reads the settings of the machine as well.
        repo.git(&["config", "core.excludesFile", "/dev/null"]);
        repo
    }

    /// `base` with `main` one commit ahead and `topic` another.
    pub(crate) fn forked() -> Self {
        let test = Self::new();
        test.commit("base");
        test.git(&["switch", "--quiet", "-c", "topic"]);
        test.commit("topic");
        test.git(&["switch", "--quiet", "main"]);
        test.commit("main");
        test
    }

    /// Runs git in the work tree; panics if it fails. Returns what it printed.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(&self.top, arguments)
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let file = self.top.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Stages everything and commits it.
    pub(crate) fn commit(&self, message: &str) -> CommitId {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", message]);
        self.id("HEAD")
    }

    /// An empty commit that was made at this time.
    pub(crate) fn commit_at(&self, message: &str, time: &str) -> CommitId {
        let output = run_at(&self.top, time, &["commit", "--quiet", "--allow-empty", "-m", message]);
        assert!(output.status.success(), "{output:?}");
        self.id("HEAD")
    }

    pub(crate) fn id(&self, spec: &str) -> CommitId {
        CommitId::new(self.git(&["rev-parse", spec]).trim())
    }

    pub(crate) fn open(&self) -> Repo {
        Repo::open(&self.top, &Env::default()).unwrap()
    }
}

/// Runs git in a folder, apart from the machine's settings. Panics if it fails; returns what it printed.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {problems}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs a git command that stops halfway, as a merge with conflicts does.
pub(crate) fn git_fails(folder: &Path, arguments: &[&str]) {
    assert!(!run(folder, arguments).status.success(), "git {arguments:?} should fail");
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    run_at(folder, "2026-02-02T12:00:00 +0000", arguments)
}

fn run_at(folder: &Path, committed: &str, arguments: &[&str]) -> Output {
    Command::new("git")
        .current_dir(folder)
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .env("HOME", folder)
        .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("LC_ALL", "C")])
        .envs([("GIT_AUTHOR_NAME", "Ada"), ("GIT_AUTHOR_EMAIL", "ada@example.org")])
        .envs([("GIT_COMMITTER_NAME", "Cleo"), ("GIT_COMMITTER_EMAIL", "cleo@example.org")])
        .env("GIT_AUTHOR_DATE", "2026-01-31T23:30:00 -0500")
        .env("GIT_COMMITTER_DATE", committed)
        .args(["-c", "protocol.file.allow=always", "-c", "core.autocrlf=false"])
        .args(arguments)
        .output()
        .unwrap()
}

pub(crate) fn env(variables: &[(&str, &Path)]) -> Env {
    let variables: BTreeMap<&str, OsString> =
        variables.iter().map(|(name, value)| (*name, value.as_os_str().to_owned())).collect();
    Env::from_lookup(|name| variables.get(name).cloned())
}

pub(crate) fn all(_: &RepoPath) -> bool {
    true
}

/// The whole of a revision as text: one `path: content` a line.
pub(crate) fn show(repo: &Repo, rev: &Rev) -> String {
    let snapshot = repo.snapshot(rev, &all).unwrap();
    let mut paths = vec![RepoPath::new("no/such.md"), RepoPath::new("m.md/below")];
    paths.extend(repo.index().into_iter().flat_map(git2::Index::iter).map(|raw| RepoPath::new(&raw.path)));
    let top = repo.workdir().filter(|top| top.is_dir());
    let on_disk = top.map(listing).unwrap_or_default().into_keys();
    paths.extend(on_disk.filter_map(|file| Some(RepoPath::new(file.strip_prefix(top?).ok()?.to_str()?))));
    paths.extend(snapshot.entries.keys().cloned());
    paths.retain(|path| !path.as_bytes().starts_with(b".git/") && path.as_bytes() != b".git");
    assert_eq!(repo.named(rev, &paths).unwrap(), snapshot, "asked for by name");
    let line = |path: &RepoPath| format!("{path}: {}\n", content(repo, &snapshot, path));
    snapshot.entries.keys().map(line).collect()
}

fn content(repo: &Repo, snapshot: &Snapshot, path: &RepoPath) -> String {
    match repo.read(&snapshot.rev, path, &snapshot.entries[path]).unwrap() {
        Content::Text(bytes) => format!("{:?}", String::from_utf8_lossy(&bytes)),
        Content::Link { target } => format!("-> {}", String::from_utf8_lossy(&target)),
        other @ (Content::LfsPointer | Content::Submodule | Content::TooLarge { .. }) => format!("{other:?}"),
    }
}

/// Every file below a folder with its size and time of change.
pub(crate) fn listing(folder: &Path) -> BTreeMap<PathBuf, (u64, SystemTime)> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(folder).unwrap() {
            let item = item.unwrap();
            let metadata = item.metadata().unwrap();
            files.insert(item.path(), (metadata.len(), metadata.modified().unwrap()));
            if metadata.is_dir() {
                folders.push(item.path());
            }
        }
    }
    files
}
