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
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use git2::{Oid, Repository, RepositoryOpenFlags};

use super::error::{Error, Feature, missing_object};
use super::listing::Listings;
use super::peek::KnownOnDisk;
use crate::source::RepoPath;

const GIT_DIR: &str = "GIT_DIR";
const GIT_WORK_TREE: &str = "GIT_WORK_TREE";
const GIT_INDEX_FILE: &str = "GIT_INDEX_FILE";
const GIT_COMMON_DIR: &str = "GIT_COMMON_DIR";
const GIT_OBJECT_DIRECTORY: &str = "GIT_OBJECT_DIRECTORY";
const GIT_ALTERNATES: &str = "GIT_ALTERNATE_OBJECT_DIRECTORIES";
const GIT_CEILING: &str = "GIT_CEILING_DIRECTORIES";

/// The variables by which git tells its hooks where the repository is, and what it is about to merge.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    variables: BTreeMap<&'static str, OsString>,
    /// The commits of the variables `GITHEAD_<commit id>`: before `pre-merge-commit` git has not written MERGE_HEAD yet.
    merging: Vec<String>,
}

/// An open repository. Reads only and takes no lock. One thread at a time; opening another is cheap.
pub(crate) struct Repo {
    pub(super) git: Repository,
    /// Where it was opened from: what is typed is relative to it.
    pub(super) start: PathBuf,
    /// In a linked worktree of a shallow clone, the main repository: libgit2 looks for the boundary only there.
    main: Option<Repository>,
    /// The index that GIT_INDEX_FILE names.
    index_file: Option<PathBuf>,
    index: OnceCell<git2::Index>,
    pub(super) on_disk: KnownOnDisk,
    pub(super) listings: Listings,
    /// Commits whose parents the clone left out.
    pub(super) boundary: BTreeSet<Oid>,
    /// Commits that git says it is about to merge.
    pub(super) merging: Vec<String>,
}

impl Env {
    const NAMES: [&'static str; 7] =
        [GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, GIT_COMMON_DIR, GIT_OBJECT_DIRECTORY, GIT_ALTERNATES, GIT_CEILING];

    /// The variables of this process.
    pub(crate) fn from_process() -> Self {
        let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        Self::from_lookup(|name| std::env::var_os(name)).merging(names)
    }

    /// The variables that `lookup` knows; empty ones count as unset.
    pub(crate) fn from_lookup(lookup: impl Fn(&str) -> Option<OsString>) -> Self {
        let set = |name| lookup(name).filter(|value| !value.is_empty()).map(|value| (name, value));
        Self { variables: Self::NAMES.into_iter().filter_map(set).collect(), merging: Vec::new() }
    }

    /// The same, with the commits that git names in variables of these names.
    pub(super) fn merging(self, names: impl Iterator<Item = String>) -> Self {
        let mut merging: Vec<String> =
            names.filter_map(|name| name.strip_prefix("GITHEAD_").map(str::to_owned)).collect();
        merging.sort_unstable();
        Self { merging, ..self }
    }

    /// Whether git runs us while it makes a commit: it names the index then, and not otherwise.
    pub(crate) fn is_committing(&self) -> bool {
        self.variables.contains_key(GIT_INDEX_FILE)
    }

    fn path(&self, name: &str) -> Option<&Path> {
        self.variables.get(name).map(Path::new)
    }

    fn paths(&self, name: &str) -> Vec<PathBuf> {
        self.variables.get(name).map(|list| std::env::split_paths(list).collect()).unwrap_or_default()
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
        let needs_main = git.is_worktree() && !boundary.is_empty();
        let main = if needs_main { Some(open_at(git.commondir())?) } else { None };
        let merging = env.merging.clone();
        Ok(Self {
            git,
            start: start.to_path_buf(),
            main,
            index_file,
            index: OnceCell::new(),
            on_disk: KnownOnDisk::default(),
            listings: Listings::default(),
            boundary,
            merging,
        })
    }

    /// The top of the work tree; `None` in a bare repository.
    pub(crate) fn workdir(&self) -> Option<&Path> {
        self.git.workdir()
    }

    /// Where HEAD and the index are; in a linked worktree not where the objects are.
    pub(crate) fn git_dir(&self) -> &Path {
        self.git.path()
    }

    /// Where what all work trees share is: the objects, and what is kept beside them.
    pub(crate) fn common_dir(&self) -> &Path {
        self.git.commondir()
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
        match missing_object(source.message()).map(str::to_owned) {
            Some(id) => Error::MissingObject { id, path: path.cloned(), partial_clone: self.is_partial_clone() },
            None => Error::Git { doing: doing.to_owned(), source },
        }
    }

    /// Whether nothing that happened is missing from the clone, and nothing is grafted onto it: then the id of a commit
    /// stands for everything before it.
    pub(crate) fn has_whole_history(&self) -> bool {
        !self.is_shallow() && !self.is_partial_clone() && !self.git.commondir().join("info/grafts").exists()
    }

    pub(crate) fn is_partial_clone(&self) -> bool {
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

/// The commits in git's list of shallow roots, but for those that have no parents to leave out.
fn read_boundary(git: &Repository) -> Result<BTreeSet<Oid>, Error> {
    let path = git.commondir().join("shallow");
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(Error::io(&path, error)),
    };
    let mut boundary = BTreeSet::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let id = Oid::from_str_ext(line, git.object_format())
            .map_err(|source| Error::Git { doing: format!("read `{}`", path.display()), source })?;
        if !git.find_commit(id).is_ok_and(|commit| is_root(&commit)) {
            boundary.insert(id);
        }
    }
    Ok(boundary)
}

/// Whether a commit was made without a parent; libgit2 shows none for shallow roots either.
fn is_root(commit: &git2::Commit<'_>) -> bool {
    !commit.raw_header_bytes().split(|byte| *byte == b'\n').any(|line| line.starts_with(b"parent "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::{TestRepo, env, git, show};
    use crate::source::Rev;

    fn open(start: &Path, variables: &[(&str, &Path)]) -> Repo {
        Repo::open(start, &env(variables)).unwrap()
    }

    fn open_fails(start: &Path, variables: &[(&str, &Path)]) -> String {
        Repo::open(start, &env(variables)).err().unwrap().to_string()
    }

    #[test]
    fn the_repository_is_searched_upwards() {
        let test = TestRepo::new();
        test.write("docs/deep/m.md", "m");
        let repo = open(&test.top.join("docs/deep"), &[]);
        assert_eq!(repo.workdir(), Some(&*test.top.join("")));
        assert_eq!(repo.git_dir(), test.top.join(".git/"));
        let error = open_fails(&test.root, &[]);
        assert_eq!(error, format!("`{}` is not in a git repository", test.root.display()));
        let ceiling = [("GIT_CEILING_DIRECTORIES", &*test.top.join("docs"))];
        assert!(open_fails(&test.top.join("docs/deep"), &ceiling).ends_with("is not in a git repository"));
    }

    #[test]
    fn the_index_of_a_hook_is_read_from_wherever_it_runs() {
        let test = TestRepo::new();
        test.write("sub/m.md", "one");
        test.commit("first");
        fs::copy(test.top.join(".git/index"), test.top.join(".git/next-index-1.lock")).unwrap();
        test.write("sub/m.md", "two");
        test.git(&["add", "--all"]);
        for (index, expected) in [
            (PathBuf::from(".git/index"), "two"),
            (PathBuf::from(".git/next-index-1.lock"), "one"),
            (test.top.join(".git/next-index-1.lock"), "one"),
        ] {
            for start in [&test.top, &test.top.join("sub")] {
                let repo = open(start, &[("GIT_INDEX_FILE", &index)]);
                assert_eq!(show(&repo, &Rev::Index), format!("sub/m.md: {expected:?}\n"), "{}", index.display());
            }
        }
        let error = open_fails(&test.top, &[("GIT_INDEX_FILE", Path::new("sub/none"))]);
        assert_eq!(
            error,
            format!("GIT_INDEX_FILE names `{}`, which does not exist", test.top.join("sub/none").display())
        );
    }

    #[test]
    fn the_usual_index_may_be_missing() {
        let test = TestRepo::new();
        let repo = open(&test.top, &[("GIT_INDEX_FILE", Path::new(".git/index"))]);
        assert_eq!(show(&repo, &Rev::Index), "");
    }

    #[test]
    fn git_dir_and_work_tree_are_found_as_git_finds_them() {
        let test = TestRepo::new();
        test.write("sub/m.md", "m");
        test.commit("first");
        fs::create_dir(test.root.join("elsewhere")).unwrap();
        let dot_git = test.top.join(".git");
        let check = |start: &Path, variables: &[(&str, &Path)], top: &Path| {
            assert_eq!(open(start, variables).workdir(), Some(&*top.join("")), "{variables:?}");
        };
        check(&test.top, &[("GIT_DIR", Path::new(".git"))], &test.top);
        check(&test.top, &[("GIT_DIR", Path::new(".git")), ("GIT_WORK_TREE", Path::new("."))], &test.top);
        check(
            &test.top.join("sub"),
            &[("GIT_DIR", Path::new("../.git")), ("GIT_WORK_TREE", Path::new(".."))],
            &test.top,
        );
        check(
            &test.root,
            &[("GIT_DIR", &dot_git), ("GIT_WORK_TREE", Path::new("elsewhere"))],
            &test.root.join("elsewhere"),
        );
        // Alone, GIT_DIR makes the current directory the top, unless it lies in the recorded work tree.
        check(&test.root.join("elsewhere"), &[("GIT_DIR", &dot_git)], &test.root.join("elsewhere"));
        check(&test.top.join("sub"), &[("GIT_DIR", &dot_git)], &test.top);
        assert!(open_fails(&test.top, &[("GIT_DIR", Path::new("none"))]).ends_with("is not in a git repository"));
        assert!(open_fails(&test.top, &[("GIT_COMMON_DIR", &test.root)]).contains("uses GIT_COMMON_DIR"));
        check(&test.top, &[("GIT_COMMON_DIR", Path::new(".git"))], &test.top);
    }

    #[test]
    fn a_linked_worktree_has_its_own_head_and_index() {
        let test = TestRepo::new();
        test.write("m.md", "one");
        test.commit("first");
        test.git(&["worktree", "add", "--quiet", "-b", "topic", "../linked"]);
        let linked = test.root.join("linked");
        fs::create_dir(linked.join("sub")).unwrap();
        fs::write(linked.join("m.md"), "two").unwrap();
        git(&linked, &["commit", "--quiet", "--all", "-m", "second"]);
        let dot_git = test.top.join(".git/worktrees/linked");
        let index = dot_git.join("index");
        // git sets GIT_DIR in the hooks of a linked worktree; some tools start them in a subdirectory.
        let hook: [(&str, &Path); 2] = [("GIT_DIR", &dot_git), ("GIT_INDEX_FILE", &index)];
        for (start, variables) in [(&linked, &[][..]), (&linked, &hook[..]), (&linked.join("sub"), &hook[..])] {
            let repo = open(start, variables);
            assert_eq!(repo.workdir(), Some(&*linked.join("")));
            assert_eq!(show(&repo, &Rev::Index), "m.md: \"two\"\n");
            assert_eq!(show(&repo, &Rev::Worktree), "m.md: \"two\"\n");
            assert_eq!(repo.head().unwrap(), Some(test.id("topic")));
        }
    }

    #[test]
    fn a_bare_repository_has_commits_only() {
        let test = TestRepo::new();
        test.write("m.md", "one");
        let first = test.commit("first");
        test.git(&["clone", "--quiet", "--bare", ".", "../bare"]);
        let repo = open(&test.root.join("bare"), &[]);
        assert_eq!(repo.workdir(), None);
        assert_eq!(show(&repo, &Rev::Commit(first)), "m.md: \"one\"\n");
        for rev in [Rev::Index, Rev::Worktree] {
            let error = repo.snapshot(&rev, &|_| true).unwrap_err();
            assert!(error.to_string().ends_with("has no work tree"), "{error}");
        }
    }

    #[test]
    fn objects_in_quarantine_are_read() {
        let test = TestRepo::new();
        test.write("m.md", "one");
        let first = test.commit("first");
        fs::rename(test.top.join(".git/objects"), test.root.join("quarantine")).unwrap();
        fs::create_dir(test.top.join(".git/objects")).unwrap();
        let repo = open(&test.top, &[("GIT_OBJECT_DIRECTORY", Path::new("../quarantine"))]);
        assert_eq!(show(&repo, &Rev::Commit(first)), "m.md: \"one\"\n");
    }

    #[test]
    fn formats_that_are_not_known_are_named() {
        let test = TestRepo::init(&["--quiet", "--ref-format=reftable"]);
        assert!(open_fails(&test.top, &[]).contains("uses the reftable format"));
        let test = TestRepo::new();
        test.git(&["config", "core.repositoryformatversion", "1"]);
        test.git(&["config", "extensions.future", "true"]);
        assert!(open_fails(&test.top, &[]).contains("uses `extensions.future`"));
    }
}
