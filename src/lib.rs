//! citecheck tells which test cases may be out of date when the manual they cite changes.
//!
//! A repository holds a manual (Markdown) and cases (YAML) that cite its sections. citecheck reads two revisions straight
//! from git, follows every cited section from one to the other, says how much the change matters and why, and points at
//! both places like a compiler does.
//!
//! # How it flows
//!
//! ```text
//! git ──► manual, cases ──► review ──► diff ──► impact ──► rules ──► report
//! ```
//!
//! [`pipeline`] calls the stages in this order; read it first. Each stage is a folder whose `mod.rs` holds its types.
//!
//! | module | holds | may import |
//! |---|---|---|
//! | [`source`] | texts and places | nothing |
//! | [`columns`] | places as each format counts them | source |
//! | [`sanitize`] | text from outside made harmless to look at | nothing |
//! | [`whole`] | files written whole or not at all | nothing |
//! | [`git`] | revisions as trees of bytes; which two are compared; history | source, whole |
//! | [`manual`] | Markdown to sections and fragments; ids; the canonical form; what a citation names | source |
//! | [`cases`] | YAML to cases with places; edits spliced back | source, manual |
//! | [`diff`](mod@diff) | which section is which, what changed in it, how much that matters | source, manual |
//! | [`review`] | against what each citation was last reviewed; since when it changed | source, git, manual, cases, diff |
//! | [`impact`] | what happened to the text behind each citation | all above |
//! | [`diagnostic`] | what is told, as data | source |
//! | [`rules`] | one file a rule: when it is told, in which words | all above |
//! | [`report`] | one file a format | source, columns, sanitize, diagnostic |
//! | [`config`] | the settings, as each stage wants them | source, diagnostic, manual, cases, git, rules |
//! | [`survey`] | what a repository without a configuration shows, for `init` | source, manual, cases, config |
//! | [`coverage`] | how well the manual is covered by cases | source, manual, cases, diff, review, impact, diagnostic, rules, config |
//! | [`error`](mod@error) | why a run could not happen; exit status | source, git, config, diagnostic |
//! | `ai` | questions to a model, for `draft`, `check --judge` and `coverage --classify` alone | all stages but report, config, error, http |
//! | `http` | requests to a server, for `comment` and what asks a model alone | nothing |
//! | [`edits`] | citations and pins rewritten, categories put in: what `fix`, `accept` and `coverage` write | all above but report |
//! | [`lsp`] | the language server: one file a feature | all above but report |
//! | [`commands`], [`cli`] | one file a command; the command line as typed | all |
//!
//! A test compares every `use crate::` with this table.
//!
//! # What never happens
//!
//! - The stages from `manual` to `report` do no IO, read no clock and no environment. Only `git` reads the repository.
//! - Parsing never fails: it returns what it understood and what was wrong.
//! - Something wrong in the user's files is a finding with a place. What stops a run is an [`error`](mod@error) with a way
//!   out. One is never the other.
//! - Facts don't depend on opinions: what changed and whom it reaches is found before any rule looks at it, and levels
//!   change nothing but levels.
//! - No format knows what a section or a rule is, and no hash order reaches the output.
//! - Core types are not serialized. The JSON has types of its own and only grows.
//!
//! # How to add
//!
//! - a rule: a file in `rules/` and its name in the list of `rules/mod.rs`;
//! - a format: a file in `report/` and three lines in `report/mod.rs`;
//! - a command: a file in `commands/`, a variant and an arm in `cli.rs`;
//! - a check of `doctor`: a function in `commands/doctor` and a line in the table of its `checks.rs`;
//! - a shape that `init` has to know: a folder in `fixtures/init` with a repository, and what shows it in `survey`;
//! - a kind of signal: a variant of [`diff::SignalKind`] and the place where it is found in `diff`.

#[cfg(feature = "ai")]
mod ai;
mod cases;
mod cli;
mod columns;
mod commands;
mod config;
mod coverage;
mod diagnostic;
mod diff;
mod edits;
mod error;
mod git;
#[cfg(feature = "http")]
mod http;
mod impact;
mod lsp;
mod manual;
mod pipeline;
mod report;
mod review;
mod rules;
mod sanitize;
mod source;
mod survey;
mod whole;

use std::process::ExitCode;

/// Runs the program with the arguments, the environment and the streams of the process.
pub fn run() -> ExitCode {
    cli::run().into()
}
