//! The language server: what `check` finds, `fix` and `accept` write and `sections` lists, offered to editors through the
//! Language Server Protocol over standard input and output.
//!
//! Finds out nothing by itself. A check of the work tree runs beside the loop that answers the editor, once at the start
//! and after each save, and what it found stays until the next one is done. Positions are looked up in the texts as they
//! stand in the editor, saved or not. Nothing is written to disk: edits go to the editor, which applies them.
//!
//! - The loop: `server.rs` takes messages from `transport.rs` and answers through `outbox.rs`; `checks.rs` starts a check.
//! - What is known: `client.rs` of the editor, `documents.rs` of its texts, `project.rs` of the last check, `view.rs` of
//!   the manual as it is typed; `places.rs` turns their places into the protocol's.
//! - The features: `diagnostics.rs`, `actions.rs`, `hover.rs`, `definition.rs` and `completion.rs`; what is under the cursor
//!   is `cited.rs`.

mod actions;
mod checks;
mod cited;
mod client;
mod completion;
mod definition;
mod diagnostics;
mod documents;
mod hover;
mod outbox;
mod places;
mod project;
mod server;
mod transport;
mod view;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Exit};
use crate::git::Env;
use crate::pipeline::Session;

/// Opens the work tree that a folder lies in.
pub(crate) type Open = Arc<dyn Fn(&Path) -> Result<Session, Error> + Send + Sync>;

/// How a server starts.
pub(crate) struct Start {
    /// The folder of a client that names none.
    pub(crate) folder: PathBuf,
    pub(crate) env: Env,
    pub(crate) open: Open,
}

/// Serves one client on standard input and `out` until it says goodbye.
pub(crate) fn serve(start: Start, out: &mut dyn Write) -> Result<Exit, Error> {
    let (sender, events) = std::sync::mpsc::channel();
    transport::listen(sender.clone());
    server::Server::new(start, sender, out).run(&events)
}
