//! `citecheck config`: the settings that a run would have.

use std::io::Write;

use super::Context;
use crate::config::dump;
use crate::error::{Error, Exit};
use crate::git::Selection;
use crate::rules::RULES;
use crate::sanitize::sanitize;

const EXAMPLES: &str = "\
Examples:
  citecheck config                     what holds in the work tree
  citecheck config --rev v1.0          what held in a release
  citecheck config --isolated          the defaults
  citecheck config --config pins=file  with a setting of the command line";

/// Print the settings that hold, defaults included
///
/// What is printed can be read as citecheck.yaml and means the same. Rules that the configuration gives no level stand in
/// comments.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Print the settings of this revision instead of the work tree
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let selection = args.rev.clone().map_or(Selection::Checkout, Selection::Rev);
    let session = context.open(&selection)?;
    let origin = match &session.config_path {
        Some(path) => format!("# From {path}, with the defaults."),
        None => "# No configuration was read: the defaults.".to_owned(),
    };
    let settings: String = context.settings.iter().map(|it| format!("# --config {}\n", sanitize(it))).collect();
    let text = dump(&session.config, RULES);
    write!(out, "{}\n{settings}{text}", sanitize(&origin)).map_err(|error| Error::io("write the settings", error))?;
    Ok(Exit::Clean)
}
