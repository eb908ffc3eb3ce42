//! Revisions of a repository as trees of bytes: commits, the index, the work tree; which two are compared; and the
//! history of paths. Reads only and takes no lock. Knows nothing of manuals or cases.

mod compare;
mod error;
mod history;
mod hooks;
mod listing;
mod moments;
mod open;
mod peek;
mod place;
mod resolve;
mod snapshot;
#[cfg(test)]
pub(crate) mod testing;
mod tree;
mod worktree;

#[cfg(any(test, fuzzing))]
pub(crate) use compare::Sides;
pub(crate) use compare::{End, Selection, select};
pub(crate) use error::Error;
#[cfg(feature = "ai")]
pub(crate) use history::date;
pub(crate) use history::{Ancestor, Commit};
pub(crate) use moments::Moment;
pub(crate) use open::{Env, Repo};
pub(crate) use peek::Peek;
pub(crate) use place::{AstrayBy, is_link, locate};
pub(crate) use snapshot::{BlobId, Content, Delta, Entry, Snapshot};
