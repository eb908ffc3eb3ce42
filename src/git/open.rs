//! Finds and opens a repository the way git would: by the environment that git gives its hooks, or by searching upwards.
//! The environment comes in as a value and nothing is written.
//!
//! libgit2's own reading of the environment is not used: it resolves a relative GIT_WORK_TREE against the git directory
//! and a relative GIT_INDEX_FILE against the current directory, where git resolves them against the current directory
//! and the top of the work tree.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use git2::{Oid, Repository, RepositoryOpenFlags};

use super::error::{Error, Feature};
use crate::source::RepoPath;

const GIT_DIR: &str = "GIT_DIR";
const GIT_WORK_TREE: &str = "GIT_WORK_TREE";
const GIT_INDEX_FILE: &str = "GIT_INDEX_FILE";
const GIT_COMMON_DIR: &str = "GIT_COMMON_DIR";
const GIT_OBJECT_DIRECTORY: &str = "GIT_OBJECT_DIRECTORY";
const GIT_ALTERNATES: &str = "GIT_ALTERNATE_OBJECT_DIRECTORIES";
const GIT_CEILING: &str = "GIT_CEILING_DIRECTORIES";

/// The variables by which git tells its hooks where the repository is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env(BTreeMap<&'static str, OsString>);

/// An open repository. Reads only and takes no lock. One thread at a time; opening another is cheap.
pub(crate) struct Repo {
    pub(super) git: Repository,
    /// In a linked worktree of a shallow clone, the main repository: libgit2 looks for the boundary only there.
    main: Option<Repository>,
    /// The index that GIT_INDEX_FILE names.
    index_file: Option<PathBuf>,
    index: OnceCell<git2::Index>,
    /// Commits whose parents the clone left out.
    pub(super) boundary: BTreeSet<Oid>,
}

impl Env {
    const NAMES: [&'static str; 7] =
        [GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, GIT_COMMON_DIR, GIT_OBJECT_DIRECTORY, GIT_ALTERNATES, GIT_CEILING];

    /// The variables of this process.
    pub(crate) fn from_process() -> Self {
        Self::from_lookup(|name| std::env::var_os(name))
    }

    /// The variables that `lookup` knows; empty ones count as unset.
    pub(crate) fn from_lookup(lookup: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name| lookup(name).filter(|value| !value.is_empty()).map(|value| (name, value));
        Self(Self::NAMES.into_iter().filter_map(set).collect())
    }

    fn path(&self, name: &str) -> Option<&Path> {
        self.0.get(name).map(Path::new)
    }

    fn paths(&self, name: &str) -> Vec<PathBuf> {
        self.0.get(name).map(|list| std::env::split_paths(list).collect()).unwrap_or_default()
    }
}

impl Repo {
    /// Opens the repository that `env` names, else the one that `start`, the current directory, lies in.
    pub(crate) fn open(start: &Path, env: &Env) -> Result<Self, Error> {
        let git = match env.path(GIT_DIR) {
            Some(dir) => open_at(&start.join(dir))?,
            None => discover(start, &env.paths(GIT_CEILING))?,
        };
        check_common_dir(&git, start, env)?;
        set_work_tree(&git, start, env)?;
        add_object_directories(&git, start, env)?;
        let index_file = index_file(&git, start, env)?;
        let boundary = read_boundary(&git)?;
        let main = match git.is_worktree() && !boundary.is_empty() {
            true => Some(open_at(git.commondir())?),
            false => None,
        };
        Ok(Self { git, main, index_file, index: OnceCell::new(), boundary })
    }

    /// The top of the work tree; `None` in a bare repository.
    pub(crate) fn workdir(&self) -> Option<&Path> {
        self.git.workdir()
    }

    /// Where HEAD and the index are; in a linked worktree not where the objects are.
    pub(crate) fn git_dir(&self) -> &Path {
        self.git.path()
    }

    /// Whether commits were left out when the repository was cloned.
    pub(crate) fn is_shallow(&self) -> bool {
        !self.boundary.is_empty()
    }

    /// Where commits and trees are read.
    pub(super) fn objects(&self) -> &Repository {
        self.main.as_ref().unwrap_or(&self.git)
    }

    /// The top of the work tree, where one is needed.
    pub(super) fn require_workdir(&self) -> Result<&Path, Error> {
        self.workdir().ok_or_else(|| Error::Bare(self.git_dir().to_path_buf()))
    }

    /// The index as it was when it was first asked for.
    pub(super) fn index(&self) -> Result<&git2::Index, Error> {
        if let Some(index) = self.index.get() {
            return Ok(index);
        }
        if self.index_file.is_none() {
            self.require_workdir()?;
        }
        let index = match &self.index_file {
            Some(path) => git2::Index::open_ext(path, self.git.object_format()),
            None => self.git.index(),
        };
        let index = index.map_err(|source| Error::index(self.git_dir(), source))?;
        Ok(self.index.get_or_init(|| index))
    }

    /// Tells a missing object from other failures to read one.
    pub(super) fn object_error(&self, doing: &str, path: Option<&RepoPath>, source: git2::Error) -> Error {
        let id = source.message().strip_prefix("object not found").and_then(|rest| {
            let (_, rest) = rest.rsplit_once('(')?;
            rest.split_once(')').map(|(id, _)| id.to_owned())
        });
        match id {
            Some(id) => Error::MissingObject { id, path: path.cloned(), partial_clone: self.is_partial_clone() },
            None => Error::Git { doing: doing.to_owned(), source },
        }
    }

    fn is_partial_clone(&self) -> bool {
        let Ok(config) = self.git.config() else { return false };
        let Ok(mut promisors) = config.entries(Some("remote\\..*\\.promisor")) else { return false };
        let mut found = false;
        while let Some(Ok(entry)) = promisors.next() {
            found |= entry.value().is_ok_and(|value| value != "false");
        }
        found
    }
}

fn open_at(path: &Path) -> Result<Repository, Error> {
    Repository::open(path).map_err(|source| Error::opening(path, source))
}

fn discover(start: &Path, ceilings: &[PathBuf]) -> Result<Repository, Error> {
    Repository::open_ext(start, RepositoryOpenFlags::empty(), ceilings).map_err(|source| Error::opening(start, source))
}

/// libgit2 finds the shared directory by itself; one that it would not find cannot be honoured.
fn check_common_dir(git: &Repository, start: &Path, env: &Env) -> Result<(), Error> {
    let Some(asked) = env.path(GIT_COMMON_DIR) else { return Ok(()) };
    if same_file(&start.join(asked), git.commondir()) {
        return Ok(());
    }
    Err(Error::Unsupported { path: git.path().to_path_buf(), feature: Feature::CommonDir })
}

/// With GIT_DIR alone git takes the current directory for the top of the work tree. That is kept, unless the repository
/// records a top that holds the current directory: tools start hooks of linked worktrees in subdirectories.
fn set_work_tree(git: &Repository, start: &Path, env: &Env) -> Result<(), Error> {
    let top = match (env.path(GIT_WORK_TREE), env.path(GIT_DIR)) {
        (Some(top), _) => start.join(top),
        (None, Some(_)) if git.is_bare() || records_work_tree(git) || lies_in(start, git.workdir()) => return Ok(()),
        (None, Some(_)) => start.to_path_buf(),
        (None, None) => return Ok(()),
    };
    git.set_workdir(&top, false)
        .map_err(|source| Error::Git { doing: format!("use the work tree `{}`", top.display()), source })
}

fn records_work_tree(git: &Repository) -> bool {
    git.config().and_then(|config| config.get_path("core.worktree")).is_ok()
}

fn lies_in(path: &Path, top: Option<&Path>) -> bool {
    let Some(Ok(top)) = top.map(Path::canonicalize) else { return false };
    path.canonicalize().is_ok_and(|path| path.starts_with(top))
}

/// Objects that `git receive-pack` keeps apart until its hooks have agreed.
fn add_object_directories(git: &Repository, start: &Path, env: &Env) -> Result<(), Error> {
    let mut directories = env.paths(GIT_ALTERNATES);
    directories.extend(env.path(GIT_OBJECT_DIRECTORY).map(Path::to_path_buf));
    for directory in directories {
        let directory = start.join(directory);
        let name = directory.to_string_lossy();
        git.odb()
            .and_then(|objects| objects.add_disk_alternate(&name))
            .map_err(|source| Error::Git { doing: format!("read the objects in `{name}`"), source })?;
    }
    Ok(())
}

/// The file that GIT_INDEX_FILE names. One that does not exist would read as an empty index, in which every check
/// passes; only the repository's usual index may be missing, as it is before the first `git add`.
fn index_file(git: &Repository, start: &Path, env: &Env) -> Result<Option<PathBuf>, Error> {
    let Some(asked) = env.path(GIT_INDEX_FILE) else { return Ok(None) };
    let path = git.workdir().unwrap_or(start).join(asked);
    if path.exists() {
        return Ok(Some(path));
    }
    let usual = git.path().join("index");
    let is_usual = path.file_name() == Some(OsStr::new("index"))
        && path.parent().zip(usual.parent()).is_some_and(|(one, other)| same_file(one, other));
    if is_usual { Ok(None) } else { Err(Error::NoIndexFile(path)) }
}

fn same_file(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().zip(other.canonicalize().ok()).is_some_and(|(one, other)| one == other)
}

/// The commits in git's list of shallow roots.
fn read_boundary(git: &Repository) -> Result<BTreeSet<Oid>, Error> {
    let path = git.commondir().join("shallow");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(Error::io(&path, error)),
    };
    let parse = |line: &str| Oid::from_str_ext(line.trim(), git.object_format());
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(parse)
        .collect::<Result<_, _>>()
        .map_err(|source| Error::Git { doing: format!("read `{}`", path.display()), source })
}
