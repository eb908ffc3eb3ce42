//! `citecheck sections`: what can be cited, and how.

const EXAMPLES: &str = "\
Examples:
  citecheck sections                  every section of the work tree
  citecheck sections alarm            the sections with `alarm` in their id, title or file
  citecheck sections --rev v1.0       as they were in a release";

/// List the sections of the manual with the shortest citation that names each
///
/// Each line has the citation, the number and title of the section, and its file and line.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only sections with this text in their id, title or file
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: Option<String>,

    /// List the sections of this revision instead of the work tree
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,
}
