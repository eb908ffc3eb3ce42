//! What citecheck does, seen from outside: its commands on real repositories, the shipped example, the evaluation data,
//! and what the source tree promises about itself. One binary, so that it links once.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod about;
mod accept;
mod action;
#[cfg(feature = "ai")]
mod ai;
mod annotated;
mod ci;
mod cli;
#[cfg(feature = "http")]
mod comment;
mod coverage;
mod coverage_histories;
mod damaged;
mod doctor;
mod dropped;
mod editor;
#[cfg(unix)]
mod errors;
mod evaluation;
mod example;
mod explained;
mod first_text;
mod fix;
mod formats;
mod golden;
mod headings;
mod hook_install;
mod hooks;
mod hostile;
mod init;
mod kept;
#[cfg(unix)]
mod killed;
mod loosened;
mod lsp;
mod mended;
mod mutations;
mod options;
mod past;
mod pins;
mod plans;
mod properties;
mod ranges;
#[cfg(unix)]
mod readme;
#[cfg(unix)]
mod release;
mod repinned;
mod reports;
mod rivals;
mod scenes;
#[cfg(feature = "http")]
mod server;
mod slips;
mod stale;
mod standing;
mod support;
mod suppress;
#[cfg(unix)]
mod surroundings;
mod tidy;
mod together;
mod touched;
mod unmarked;
mod wandering;
mod wide;
