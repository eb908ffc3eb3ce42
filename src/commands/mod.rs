//! The commands: one file each, with the arguments it takes and what it runs. Parsing the command line itself is
//! `cli`'s.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod init;
mod output;
pub(crate) mod rules;
pub(crate) mod sections;

pub(crate) use output::OutputFile;
