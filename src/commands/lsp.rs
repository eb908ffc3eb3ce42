//! `citecheck lsp`: the language server, for editors.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use super::Context;
use crate::error::{Error, Exit};
use crate::git::Selection;
use crate::lsp::{self, Start};

const EXAMPLES: &str = "\
Examples:
  citecheck lsp                what an editor starts in the project
  citecheck lsp --config FILE  with settings from another file";

/// Serve editors: findings, the text behind citations, edits
///
/// Speaks the Language Server Protocol on standard input and output; an editor starts it and ends it. The work tree of the
/// first workspace folder that lies in a git repository is checked at the start and whenever a file is saved, as
/// `citecheck check` does. The README leads to settings for some editors.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Use standard input and output, as is done without it: for editors that always say so
    #[arg(long)]
    pub(crate) stdio: bool,
}

pub(crate) fn run(context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let (folder, env, started) = (context.start.clone(), context.env.clone(), context.clone());
    let open = move |folder: &Path| {
        let config = started.config.as_ref().map(|config| started.start.join(config));
        let context = Context { start: folder.to_path_buf(), config, ..started.clone() };
        context.open(&Selection::Checkout)
    };
    lsp::serve(Start { folder, env, open: Arc::new(open) }, out)
}
