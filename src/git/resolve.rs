//! From what people write for a commit to the commit.

use git2::{ErrorCode, ObjectType, Oid};

use super::error::{Error, is_short_hex};
use super::open::Repo;
use crate::source::CommitId;

impl Repo {
    /// The commit that HEAD is at; `None` before the first commit.
    pub(crate) fn head(&self) -> Result<Option<CommitId>, Error> {
        match self.git.head() {
            Ok(head) => {
                let commit = head.peel_to_commit().map_err(|source| self.object_error("read HEAD", None, source))?;
                Ok(Some(commit_id(commit.id())))
            }
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
        Oid::from_str_ext(id.as_str(), self.git.object_format())
            .map_err(|_| Error::UnknownRevision { spec: id.to_string(), instead: None })
    }

    pub(super) fn find_commit(&self, id: Oid) -> Result<git2::Commit<'_>, Error> {
        self.objects()
            .find_commit(id)
            .map_err(|source| self.object_error(&format!("read the commit {id}"), None, source))
    }

    fn unresolved(&self, spec: &str, source: git2::Error) -> Error {
        let spec = spec.to_owned();
        match source.code() {
            ErrorCode::Ambiguous if !is_short_hex(&spec) => Error::AmbiguousRevision(spec),
            ErrorCode::Ambiguous | ErrorCode::NotFound | ErrorCode::InvalidSpec => {
                let instead = self.remote_branch(&spec);
                if instead.is_none() && self.is_shallow() {
                    Error::Shallow(format!("unknown revision `{spec}`"))
                } else {
                    Error::UnknownRevision { spec, instead }
                }
            }
            _ => Error::Git { doing: format!("resolve the revision `{spec}`"), source },
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
