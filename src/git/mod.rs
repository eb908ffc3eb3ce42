//! Revisions of a repository as trees of bytes: commits, the index, the work tree; which two are compared; and the
//! history of paths. Reads only and takes no lock. Knows nothing of manuals or cases.

mod compare;
mod error;
mod open;
mod snapshot;

pub(crate) use compare::{Comparison, Selection, select};
pub(crate) use error::Error;
pub(crate) use open::Repo;
pub(crate) use snapshot::{Content, Entry, Mode, Snapshot};
