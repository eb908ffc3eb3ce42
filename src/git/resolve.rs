//! From what people write for a commit to the commit.

use git2::{ErrorCode, ObjectType, Oid};

use super::error::{Error, is_short_hex, missing_object};
use super::open::Repo;
use crate::source::CommitId;

impl Repo {
    /// The commit that HEAD is at; `None` before the first commit.
    pub(crate) fn head(&self) -> Result<Option<CommitId>, Error> {
        match self.git.head() {
            // Not peeled: a branch names a commit, and only looking for that says which one is missing.
            Ok(head) => match head.target() {
                Some(id) => Ok(Some(commit_id(self.find_commit(id)?.id()))),
                None => Ok(None),
            },
            Err(error) if error.code() == ErrorCode::UnbornBranch => Ok(None),
            Err(source) => Err(Error::Git { doing: "read HEAD".into(), source }),
        }
    }

    /// The commit that a revision expression names: a branch, a tag (peeled), `HEAD~2`, `:/fix`, an id or at least four
    /// digits of one.
    pub(crate) fn resolve(&self, spec: &str) -> Result<CommitId, Error> {
        let object = self.git.revparse_single(spec).map_err(|source| self.unresolved(spec, source))?;
        let kind = object.kind();
        match object.peel_to_commit() {
            Ok(commit) => Ok(commit_id(commit.id())),
            Err(error) if error.code() == ErrorCode::NotFound => Err(self.unresolved(spec, error)),
            Err(_) => Err(Error::NotACommit { spec: spec.to_owned(), kind: kind_name(kind) }),
        }
    }

    pub(super) fn oid(&self, id: &CommitId) -> Result<Oid, Error> {
        Oid::from_str_ext(id.as_str(), self.git.object_format()).map_err(|_| Error::UnknownRevision {
            spec: id.to_string(),
            instead: None,
            is_path: false,
        })
    }

    pub(super) fn find_commit(&self, id: Oid) -> Result<git2::Commit<'_>, Error> {
        self.objects()
            .find_commit(id)
            .map_err(|source| self.object_error(&format!("read the commit {id}"), None, source))
    }

    fn unresolved(&self, spec: &str, source: git2::Error) -> Error {
        let spec = spec.to_owned();
        let code = source.code();
        if code == ErrorCode::Ambiguous && !is_short_hex(&spec) {
            return Error::AmbiguousRevision(spec);
        }
        if !matches!(code, ErrorCode::Ambiguous | ErrorCode::NotFound | ErrorCode::InvalidSpec) {
            return Error::Git { doing: format!("resolve the revision `{spec}`"), source };
        }
        if let Some(id) = missing_object(source.message()).filter(|id| !self.is_shallow() && !spec.starts_with(id)) {
            // The revision leads to it, as `HEAD~2` does where a commit on the way was lost.
            return Error::MissingObject { id: id.to_owned(), path: None, partial_clone: self.is_partial_clone() };
        }
        let instead = self.remote_branch(&spec);
        if instead.is_none() && self.is_shallow() {
            Error::Shallow(format!("unknown revision `{spec}`"))
        } else {
            let is_path = !spec.is_empty() && self.start.join(&spec).symlink_metadata().is_ok();
            Error::UnknownRevision { spec, instead, is_path }
        }
    }

    /// `origin/main` for `main`: a CI checkout has remote branches only.
    fn remote_branch(&self, name: &str) -> Option<String> {
        let remotes = self.git.remotes().ok()?;
        let branch = |remote: &str| format!("{remote}/{name}");
        let exists = |branch: &String| self.git.find_reference(&format!("refs/remotes/{branch}")).is_ok();
        remotes.iter().filter_map(|remote| remote.ok()?.map(branch)).find(exists)
    }
}

pub(super) fn commit_id(id: Oid) -> CommitId {
    CommitId::new(&id.to_string())
}

fn kind_name(kind: Option<ObjectType>) -> &'static str {
    match kind {
        Some(ObjectType::Blob) => "file",
        Some(ObjectType::Tree) => "tree",
        Some(ObjectType::Tag) => "tag of something else",
        Some(ObjectType::Commit | ObjectType::Any) | None => "different object",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::git::Env;
    use crate::git::testing::{TestRepo, git};

    #[test]
    fn revisions_are_what_git_says_they_are() {
        let test = TestRepo::new();
        test.commit("first fix");
        test.git(&["tag", "-a", "-m", "release", "v1"]);
        test.git(&["tag", "-a", "-m", "of a tag", "v1-signed", "v1"]);
        test.commit("second");
        let repo = test.open();
        let full = test.id("HEAD").as_str().to_owned();
        let specs =
            ["HEAD", "main", "HEAD~1", "v1", "v1-signed", "v1^{commit}", "@{0}", "HEAD^{/first}", &full, &full[..4]];
        for spec in specs {
            let expected = test.git(&["rev-parse", &format!("{spec}^{{commit}}")]);
            assert_eq!(repo.resolve(spec).unwrap().as_str(), expected.trim(), "{spec}");
        }
    }

    #[test]
    fn what_is_no_commit_says_what_it_is() {
        let test = TestRepo::new();
        test.write("m.md", "m");
        test.commit("first");
        test.git(&["update-ref", "refs/remotes/origin/stable", "HEAD"]);
        test.git(&["config", "remote.origin.url", "."]);
        let repo = test.open();
        let check = |spec: &str, message: &str, hint: &str| {
            let error = repo.resolve(spec).unwrap_err();
            assert_eq!(error.to_string(), message);
            assert!(error.hint().unwrap_or_default().contains(hint), "{error}: {:?}", error.hint());
        };
        check("HEAD:m.md", "revision `HEAD:m.md` is a file, not a commit", "name a commit");
        check("HEAD^{tree}", "revision `HEAD^{tree}` is a tree, not a commit", "name a commit");
        check("nosuch", "unknown revision `nosuch`", "git fetch");
        check("HEAD~7", "unknown revision `HEAD~7`", "may not go back so far");
        check("a..b", "unknown revision `a..b`", "looks like a range");
        check("--all", "unknown revision `--all`", "");
        check("", "unknown revision ``", "");
        check("abc", "unknown revision `abc`", "at least four digits");
        check("stable", "unknown revision `stable`", "`origin/stable` exists");
        check(
            "a\0b",
            "cannot resolve the revision `a\0b`: data contained a nul byte that could not be represented as a string",
            "",
        );
        let gone = "1".repeat(40);
        check(&gone, &format!("unknown revision `{gone}`"), "");
    }

    #[test]
    fn an_abbreviation_of_several_objects_is_ambiguous() {
        let test = TestRepo::new();
        let repo = test.open();
        let mut seen = BTreeMap::new();
        let (prefix, pair) = (0..)
            .find_map(|count: u32| {
                let text = count.to_string();
                let id = Oid::hash_object(ObjectType::Blob, text.as_bytes()).unwrap().to_string();
                let prefix = id[..4].to_owned();
                seen.insert(prefix.clone(), text.clone()).map(|other| (prefix, [other, text]))
            })
            .unwrap();
        for text in pair {
            repo.git.blob(text.as_bytes()).unwrap();
        }
        let error = repo.resolve(&prefix).unwrap_err();
        assert_eq!(error.to_string(), format!("revision `{prefix}` is ambiguous"));
        assert!(error.hint().unwrap().contains(&format!("--disambiguate={prefix}")));
    }

    #[test]
    fn a_revision_that_a_shallow_clone_left_out_says_so() {
        let test = TestRepo::new();
        test.commit("first");
        test.commit("second");
        let url = format!("file://{}", test.top.display());
        git(&test.root, &["clone", "--quiet", "--depth=1", &url, "shallow"]);
        let repo = Repo::open(&test.root.join("shallow"), &Env::default()).unwrap();
        assert!(repo.is_shallow() && !test.open().is_shallow());
        for spec in ["HEAD~1", test.id("HEAD~1").as_str(), "v1"] {
            let error = repo.resolve(spec).unwrap_err();
            assert_eq!(error.to_string(), format!("unknown revision `{spec}`: history is cut off (shallow clone)"));
            assert!(error.hint().unwrap().contains("fetch-depth: 0"));
        }
    }
}
