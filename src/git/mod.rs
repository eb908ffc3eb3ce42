//! Revisions of a repository as trees of bytes: commits, the index, the work tree; which two are compared; and the
//! history of paths. Reads only and takes no lock. Knows nothing of manuals or cases.
//!
//! - The repository: `open.rs` finds it; `error.rs` says why something could not be read, and the way out.
//! - What is compared: `compare.rs`, by names that `resolve.rs` reads; `moments.rs` has points in the past.
//! - What a revision holds: `snapshot.rs` for all of them, `worktree.rs` for the one on disk, `tree.rs` for what differs;
//!   `listing.rs` and `peek.rs` save reading things twice or dearly, `place.rs` says where a file is on disk.
//! - What happened and what will: `history.rs` has the commits, `hooks.rs` what git is about to do.

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

pub(crate) use compare::{End, Range, Selection, select};
pub(crate) use error::Error;
#[cfg(feature = "ai")]
pub(crate) use history::date;
pub(crate) use history::{Ancestor, Commit};
pub(crate) use moments::Moment;
pub(crate) use open::{Env, Repo};
pub(crate) use peek::Peek;
pub(crate) use place::{AstrayBy, is_link, locate};
pub(crate) use snapshot::{BlobId, Content, Delta, Entry, Snapshot};
