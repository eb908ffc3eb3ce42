//! Why a revision could not be read, and the way out. A failure here stops the run; it is never a finding.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::source::RepoPath;

/// Everything that can go wrong between a repository and its bytes.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("`{}` is not in a git repository", .0.display())]
    NotARepository(PathBuf),
    #[error("the repository at `{}` belongs to another user", .0.display())]
    NotOwned(PathBuf),
    #[error("the repository at `{}` uses {feature}, which citecheck cannot read", .path.display())]
    Unsupported { path: PathBuf, feature: Feature },
    #[error("the repository at `{}` has no work tree", .0.display())]
    Bare(PathBuf),
    #[error("GIT_INDEX_FILE names `{}`, which does not exist", .0.display())]
    NoIndexFile(PathBuf),
    #[error("unknown revision `{spec}`")]
    UnknownRevision {
        spec: String,
        /// A remote branch of that name.
        instead: Option<String>,
        /// Whether a file or folder has that name.
        is_path: bool,
    },
    #[error("revision `{0}` is ambiguous")]
    AmbiguousRevision(String),
    #[error("revision `{spec}` is a {kind}, not a commit")]
    NotACommit { spec: String, kind: &'static str },
    /// The answer lies behind the boundary of a shallow clone.
    #[error("{0}: history is cut off (shallow clone)")]
    Shallow(String),
    #[error("`{one}` and `{other}` have no common ancestor")]
    NoMergeBase { one: String, other: String },
    #[error("`{since}` is not in the history of `{head}`")]
    NotInHistory { since: String, head: String },
    #[error("object {id}{} is missing from the repository", of_path(.path.as_ref()))]
    MissingObject {
        id: String,
        path: Option<RepoPath>,
        /// Whether the clone is a partial one, which leaves out objects on purpose.
        partial_clone: bool,
    },
    #[error("{} unresolved merge conflicts", have(.0))]
    Unmerged(Vec<RepoPath>),
    /// Nothing real is that big; a tree that contains itself many times over is.
    #[error("the tree {0} holds too many files to be read")]
    TooManyFiles(String),
    #[error("cannot read `{}`: {source}", .path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("cannot {doing}: {}", .source.message())]
    Git { doing: String, source: git2::Error },
}

/// What git writes and libgit2 does not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Feature {
    SplitIndex,
    SparseIndex,
    Reftable,
    /// A shared git directory named by GIT_COMMON_DIR alone.
    CommonDir,
    /// An extension, as `extensions.foo`, or what libgit2 says.
    Other(String),
}

impl Error {
    /// What the reader can do about it, where that is known.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            Error::NotARepository(_) => "run citecheck inside a clone; `git init` makes a new repository".into(),
            Error::NotOwned(path) => {
                let path = path.to_string_lossy();
                let path = path.strip_suffix('/').unwrap_or(&path);
                format!("if you trust it, run `git config --global --add safe.directory {}`", quote(path))
            }
            Error::Unsupported { feature, .. } => return feature.hint(),
            Error::Bare(_) => {
                "run citecheck in a clone with files, or name the revisions to compare, as in `main..topic`".into()
            }
            Error::NoIndexFile(_) => "unset GIT_INDEX_FILE, or give it relative to the top of the work tree".into(),
            Error::UnknownRevision { instead: Some(name), .. } => format!("`{name}` exists"),
            Error::UnknownRevision { spec, is_path: true, .. } => {
                format!("`{spec}` is a path; a branch, a tag or a commit is expected here")
            }
            Error::UnknownRevision { spec, .. } if is_short_hex(spec) => {
                "an abbreviated commit id needs at least four digits".into()
            }
            Error::UnknownRevision { spec, .. } if spec.contains("..") => {
                format!("`{spec}` looks like a range; one revision is expected here")
            }
            Error::UnknownRevision { spec, .. } if spec.contains(['~', '^']) => {
                "the history may not go back so far; `git log --oneline` shows it".into()
            }
            Error::UnknownRevision { .. } => "`git fetch --tags` brings branches and tags of the remote".into(),
            Error::AmbiguousRevision(spec) => {
                format!("several objects start with it; write more digits (`git rev-parse --disambiguate={spec}`)")
            }
            Error::NotACommit { .. } => "name a commit, a branch or a tag".into(),
            Error::Shallow(_) => {
                "fetch the rest with `fetch-depth: 0` in actions/checkout, or with `git fetch --unshallow`".into()
            }
            Error::NoMergeBase { one, other } => format!("compare the two as they are with `{one}..{other}`"),
            Error::NotInHistory { .. } => "give a revision that the checked one descends from, or a day".into(),
            Error::MissingObject { id, partial_clone: true, .. } => {
                format!(
                    "this is a partial clone: clone without `--filter`, or fetch the object with `git cat-file -e {id}`"
                )
            }
            Error::MissingObject { partial_clone: false, .. } => "`git fsck` tells what else is missing".into(),
            Error::Unmerged(_) => "resolve the conflicts, then `git add` the files".into(),
            Error::Git { source, .. } => return damage_hint(source).map(str::to_owned),
            Error::TooManyFiles(_) | Error::Io { .. } => return None,
        };
        Some(hint)
    }

    /// Sorts a failure to open the repository at `path`.
    pub(super) fn opening(path: &Path, source: git2::Error) -> Self {
        let path = path.to_path_buf();
        let message = source.message();
        if source.code() == git2::ErrorCode::Owner {
            return Error::NotOwned(owned_path(message).unwrap_or(path));
        }
        if message.contains("refstorage") {
            return Error::Unsupported { path, feature: Feature::Reftable };
        }
        if let Some(what) = message.strip_prefix("unsupported ").or_else(|| message.strip_prefix("unknown ")) {
            let what = what.strip_prefix("extension name ").map_or(what.to_owned(), |name| format!("`{name}`"));
            return Error::Unsupported { path, feature: Feature::Other(what) };
        }
        if source.code() == git2::ErrorCode::NotFound {
            return Error::NotARepository(path);
        }
        Error::Git { doing: format!("open the repository at `{}`", path.display()), source }
    }

    /// Sorts a failure to read the index of the repository at `path`.
    pub(super) fn index(path: &Path, source: git2::Error) -> Self {
        let feature = if source.message().contains("'link'") {
            Feature::SplitIndex
        } else if source.message().contains("'sdir'") {
            Feature::SparseIndex
        } else {
            return Error::Git { doing: "read the index".into(), source };
        };
        Error::Unsupported { path: path.to_path_buf(), feature }
    }

    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        Error::Io { path: path.to_path_buf(), source }
    }
}

impl Feature {
    fn hint(&self) -> Option<String> {
        let hint = match self {
            Feature::SplitIndex => "`git update-index --no-split-index` writes the index in one piece",
            Feature::SparseIndex => "`git sparse-checkout reapply --no-sparse-index` writes the full index",
            Feature::Reftable => "clone it with `git clone --ref-format=files`",
            Feature::CommonDir => "run citecheck inside the work tree, without GIT_COMMON_DIR",
            Feature::Other(_) => return None,
        };
        Some(hint.to_owned())
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Feature::SplitIndex => out.write_str("a split index"),
            Feature::SparseIndex => out.write_str("a sparse index"),
            Feature::Reftable => out.write_str("the reftable format"),
            Feature::CommonDir => out.write_str("GIT_COMMON_DIR"),
            Feature::Other(what) => out.write_str(what),
        }
    }
}

/// The way out where what git keeps is damaged, or where it looks for its settings cannot be looked at.
fn damage_hint(source: &git2::Error) -> Option<&'static str> {
    use git2::ErrorClass::{Config, Index, Object, Odb, Os, Reference, Tree, Zlib};
    let class = source.class();
    if class == Index {
        return Some("if `git status` fails as well, move the file away and run `git reset`, which writes it anew");
    }
    if matches!(class, Object | Odb | Reference | Tree | Zlib) {
        return Some("`git fsck --full` says what is damaged; a clone from elsewhere has it whole");
    }
    let is_of_user = matches!(class, Config | Os) && source.message().contains(".gitconfig");
    is_of_user.then_some("HOME has to name a folder whose files this user may read, or one that does not exist")
}

/// The id in "object not found - no match for id (ab12)".
pub(super) fn missing_object(message: &str) -> Option<&str> {
    let (_, rest) = message.strip_prefix("object not found")?.rsplit_once('(')?;
    rest.split_once(')').map(|(id, _)| id)
}

/// Whether a spec is a commit id too short to be looked up.
pub(super) fn is_short_hex(spec: &str) -> bool {
    spec.len() < 4 && spec.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The path in "repository path '/x/y/' is not owned by current user": the one that `safe.directory` must name.
fn owned_path(message: &str) -> Option<PathBuf> {
    let (_, rest) = message.split_once('\'')?;
    let (path, _) = rest.rsplit_once('\'')?;
    Some(PathBuf::from(path))
}

/// A path as one word of a shell command.
fn quote(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,@%".contains(c);
    if !path.is_empty() && path.chars().all(plain) { path.into() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

fn of_path(path: Option<&RepoPath>) -> String {
    path.map(|path| format!(" (`{path}`)")).unwrap_or_default()
}

/// `` `a.md` has `` or `` `a.md`, `b.md` and 3 more have ``.
fn have(paths: &[RepoPath]) -> String {
    const SHOWN: usize = 5;
    let names: Vec<String> = paths.iter().take(SHOWN).map(|path| format!("`{path}`")).collect();
    let names = names.join(", ");
    match paths.len() {
        0 | 1 => format!("{names} has"),
        len if len <= SHOWN => format!("{names} have"),
        len => format!("{names} and {} more have", len - SHOWN),
    }
}

#[cfg(test)]
mod tests {
    use git2::{ErrorClass, ErrorCode};

    use super::*;

    fn check(error: &Error, text: &str, hint: &str) {
        assert_eq!(error.to_string(), text);
        let told = error.hint().unwrap_or_default();
        assert!(told.contains(hint), "{told:?} should name {hint:?}");
    }

    #[test]
    fn a_repository_of_somebody_else_names_the_exact_command() {
        let message = "repository path '/srv/it's/m/' is not owned by current user";
        let source = git2::Error::new(ErrorCode::Owner, ErrorClass::Config, message);
        check(
            &Error::opening(Path::new("/srv"), source),
            "the repository at `/srv/it's/m/` belongs to another user",
            r"git config --global --add safe.directory '/srv/it'\''s/m'",
        );
    }

    #[test]
    fn formats_that_cannot_be_read_are_named() {
        let error = |message| git2::Error::new(ErrorCode::GenericError, ErrorClass::Repository, message);
        check(
            &Error::opening(Path::new("/m"), error("unsupported extension name extensions.refstorage")),
            "the repository at `/m` uses the reftable format, which citecheck cannot read",
            "--ref-format=files",
        );
        check(
            &Error::opening(Path::new("/m"), error("unsupported extension name extensions.foo")),
            "the repository at `/m` uses `extensions.foo`, which citecheck cannot read",
            "",
        );
    }

    #[test]
    fn conflicts_name_the_files() {
        let paths = |n: usize| (0..n).map(|i| RepoPath::new(format!("{i}.md"))).collect();
        check(&Error::Unmerged(paths(1)), "`0.md` has unresolved merge conflicts", "git add");
        check(&Error::Unmerged(paths(2)), "`0.md`, `1.md` have unresolved merge conflicts", "git add");
        assert!(Error::Unmerged(paths(7)).to_string().contains("`4.md` and 2 more have"));
    }

    #[test]
    fn missing_objects_name_the_object_and_the_file() {
        let missing = |partial_clone| Error::MissingObject {
            id: "ab12".into(),
            path: Some(RepoPath::new("m.md")),
            partial_clone,
        };
        check(&missing(true), "object ab12 (`m.md`) is missing from the repository", "git cat-file -e ab12");
        check(&missing(false), "object ab12 (`m.md`) is missing from the repository", "git fsck");
    }
}
