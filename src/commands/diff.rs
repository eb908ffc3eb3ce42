//! `citecheck diff`: what changed in the manual, section by section.

use std::path::PathBuf;

use super::OutputFile;
use crate::report::Format;

const EXAMPLES: &str = "\
Examples:
  citecheck diff v1.0..v1.1                what changed between two releases
  citecheck diff main... docs/pump.md      what this branch changed in one file
  citecheck diff HEAD~1.. --stat           the last commit, one line for each section
  citecheck diff v1.0.. --format json      for a program";

/// Show what changed in the manual, section by section, and which cases cite it
///
/// Sections are followed where they are reworded, moved, renamed, renumbered, split or merged. Each change has a magnitude
/// (trivial, minor, substantive) and the signals behind it: a number, a modal verb, a negation that changed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The commits to compare: A..B, or A...B from the merge base; a side left out is HEAD
    #[arg(value_name = "RANGE")]
    pub(crate) range: String,

    /// Only sections in these files and folders
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// One line for each section
    #[arg(long)]
    pub(crate) stat: bool,

    /// Show sections that did not change, too
    #[arg(long)]
    pub(crate) all: bool,

    /// How the results look on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,

    /// Write the results to a file as well, in this format; can be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = OutputFile::parse)]
    pub(crate) output: Vec<OutputFile>,
}
