//! What git is about to do, for hooks and for whoever checks the index: where hooks live, what is staged and what is not,
//! which merge is under way, and where a branch that is pushed for the first time left the branches that the remote has.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use git2::{AttrCheckFlags, ErrorClass, Oid};

use super::error::Error;
use super::open::Repo;
use super::resolve::commit_id;
use super::worktree;
use crate::source::{CommitId, RepoPath};

/// Files of which the index does not hold what is on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unstaged {
    pub(crate) differing: Vec<RepoPath>,
    /// With `git add -N`: in the index without content.
    pub(crate) announced: Vec<RepoPath>,
}

impl Repo {
    /// The folder in which git looks for hooks. It need not exist.
    pub(crate) fn hooks_dir(&self) -> Result<PathBuf, Error> {
        let failed = |source| Error::Git { doing: "read `core.hooksPath`".into(), source };
        let config = self.git.config().and_then(|mut config| config.snapshot()).map_err(failed)?;
        match config.get_path("core.hooksPath") {
            // Relative to where hooks are run.
            Ok(path) => Ok(self.workdir().unwrap_or(self.git_dir()).join(path)),
            Err(error) if error.code() == git2::ErrorCode::NotFound => Ok(self.git.commondir().join("hooks")),
            Err(source) => Err(failed(source)),
        }
    }

    /// What `.gitattributes` and the like say of a file: the value of an attribute, if it has one.
    pub(crate) fn attribute(&self, path: &RepoPath, name: &str) -> Result<Option<String>, Error> {
        let failed = |source| Error::Git { doing: format!("read the attributes of `{path}`"), source };
        let value = self.git.get_attr(Path::new(&path.to_string()), name, AttrCheckFlags::FILE_THEN_INDEX);
        Ok(value.map_err(failed)?.map(str::to_owned))
    }

    /// Whether the next commit would change any file.
    pub(crate) fn has_staged(&self) -> Result<bool, Error> {
        let staged = self.index_listing()?;
        staged.ensure_merged(&|_| true)?;
        match self.head()? {
            Some(head) => Ok(*self.tree_listing(self.commit_tree(&head)?)? != staged.files),
            None => Ok(!staged.files.is_empty()),
        }
    }

    /// The wanted files that are in the index and not as they are on disk. Untracked files are not among them.
    pub(crate) fn unstaged(&self, want: &dyn Fn(&RepoPath) -> bool) -> Result<Unstaged, Error> {
        let announced = self.index_listing()?.announced.iter().filter(|path| want(path)).cloned().collect();
        Ok(Unstaged { differing: worktree::differing(self, want)?, announced })
    }

    /// The commits that the merge under way brings in besides HEAD.
    pub(crate) fn merge_heads(&self) -> Result<Vec<CommitId>, Error> {
        let path = self.git_dir().join("MERGE_HEAD");
        let recorded = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(source) => return Err(Error::io(&path, source)),
        };
        let mut heads = Vec::new();
        for spec in recorded.lines().chain(self.merging.iter().map(String::as_str)) {
            let head = self.resolve(spec)?;
            if !heads.contains(&head) {
                heads.push(head);
            }
        }
        Ok(heads)
    }

    /// Where `tip` left what the remote is known to have; `None` if nothing is known of it or nothing is shared.
    pub(crate) fn fork_from_remote(&self, tip: &CommitId, remote: &str) -> Result<Option<CommitId>, Error> {
        let failed = |source| Error::Git { doing: format!("find what `{remote}` has"), source };
        let mut ids = vec![self.oid(tip)?];
        for reference in self.git.references_glob(&format!("refs/remotes/{remote}/*")).map_err(failed)? {
            let commit = reference.map_err(failed)?.peel_to_commit();
            ids.extend(commit.ok().map(|commit| commit.id()));
        }
        self.best_base(&ids)
    }

    fn best_base(&self, ids: &[Oid]) -> Result<Option<CommitId>, Error> {
        if ids.len() < 2 {
            return Ok(None);
        }
        match self.objects().merge_base_many(ids) {
            Ok(base) => Ok(Some(commit_id(base))),
            Err(error) if error.class() == ErrorClass::Merge => Ok(None),
            // In a shallow clone the history ends before the common ancestor.
            Err(_) if self.is_shallow() => Ok(None),
            Err(source) => Err(Error::Git { doing: "find a common ancestor".into(), source }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::git::open::Env;
    use crate::git::testing::TestRepo;

    #[test]
    fn hooks_live_where_the_configuration_says() {
        let test = TestRepo::new();
        test.commit("first");
        assert_eq!(test.open().hooks_dir().unwrap(), test.top.join(".git/hooks"));
        test.git(&["config", "core.hooksPath", ".githooks"]);
        assert_eq!(test.open().hooks_dir().unwrap(), test.top.join(".githooks"));
        test.git(&["config", "core.hooksPath", "/elsewhere"]);
        assert_eq!(test.open().hooks_dir().unwrap(), PathBuf::from("/elsewhere"));
    }

    #[test]
    fn what_is_staged_is_what_the_commit_would_change() {
        let test = TestRepo::new();
        assert!(!test.open().has_staged().unwrap());
        test.write("m.md", "one");
        assert!(!test.open().has_staged().unwrap());
        test.git(&["add", "--intent-to-add", "m.md"]);
        assert!(!test.open().has_staged().unwrap());
        test.git(&["add", "m.md"]);
        assert!(test.open().has_staged().unwrap());
        test.commit("first");
        assert!(!test.open().has_staged().unwrap());
        fs::remove_file(test.top.join("m.md")).unwrap();
        test.git(&["add", "--all"]);
        assert!(test.open().has_staged().unwrap());
    }

    #[test]
    fn what_is_on_disk_only_is_known() {
        let test = TestRepo::new();
        for path in ["same.md", "other.md", "gone.md", "folder.md", "unwanted.md"] {
            test.write(path, "one");
        }
        test.commit("first");
        let unstaged = || test.open().unstaged(&|path| path != &RepoPath::new("unwanted.md")).unwrap();
        assert_eq!(unstaged(), Unstaged::default());
        test.write("other.md", "two");
        test.write("unwanted.md", "two");
        test.write("untracked.md", "two");
        test.write("announced.md", "two");
        test.git(&["add", "--intent-to-add", "announced.md"]);
        fs::remove_file(test.top.join("gone.md")).unwrap();
        fs::remove_file(test.top.join("folder.md")).unwrap();
        fs::create_dir(test.top.join("folder.md")).unwrap();
        let paths = |names: &[&str]| names.iter().map(RepoPath::new).collect::<Vec<_>>();
        let differing = paths(&["folder.md", "gone.md", "other.md"]);
        assert_eq!(unstaged(), Unstaged { differing, announced: paths(&["announced.md"]) });
    }

    #[test]
    fn a_merge_under_way_is_known_by_its_other_side() {
        let test = TestRepo::forked();
        assert!(test.open().merge_heads().unwrap().is_empty());
        // Before a clean merge is committed, git says it in the environment alone.
        let names = [format!("GITHEAD_{}", test.id("topic").as_str()), "GIT_DIR".to_owned()];
        let env = Env::default().merging(names.into_iter());
        assert_eq!(Repo::open(&test.top, &env).unwrap().merge_heads().unwrap(), [test.id("topic")]);
        test.git(&["merge", "--quiet", "--no-commit", "topic"]);
        assert_eq!(test.open().merge_heads().unwrap(), [test.id("topic")]);
    }

    #[test]
    fn a_branch_forks_where_the_remote_was_last_seen() {
        let test = TestRepo::new();
        let base = test.commit("base");
        let tip = test.commit("tip");
        assert_eq!(test.open().fork_from_remote(&tip, "origin").unwrap(), None);
        test.git(&["update-ref", "refs/remotes/origin/main", base.as_str()]);
        assert_eq!(test.open().fork_from_remote(&tip, "origin").unwrap(), Some(base));
        test.git(&["update-ref", "refs/remotes/origin/topic", tip.as_str()]);
        assert_eq!(test.open().fork_from_remote(&tip, "origin").unwrap(), Some(tip));
    }
}
