//! citecheck tells which test cases may be out of date when the manual they cite changes.
//!
//! A repository holds a manual (Markdown) and cases (YAML) that cite its sections. citecheck reads two revisions straight
//! from git, follows every cited section from one to the other, says how much the change matters and why, and points at
//! both places like a compiler does.
//!
//! # How it flows
//!
//! ```text
//! git ──► manual, cases ──► diff ──► review ──► impact ──► rules ──► report
//! ```
//!
//! [`pipeline`] calls the stages in this order; read it first. Each stage is a folder that opens with its types.
//!
//! 1. [`git`] finds out which two [ends](git::End) are compared and lists the files of each as a [snapshot](git::Snapshot):
//!    paths and ids of contents. What has the same id is the same and is read once at most.
//! 2. [`manual`] makes each text a [document](manual::Document) of sections and fragments, and finds the section that a
//!    citation [names](manual::Index). [`cases`] makes each text a [file of cases](cases::CaseFile), every id and citation
//!    with its place.
//! 3. [`diff`](mod@diff) says which section is which between two states of the manual, and gives each a
//!    [change](diff::Change): kinds, a [magnitude](diff::Magnitude), and the [signals](diff::Signal) behind it.
//! 4. [`review`] answers for each citation against which revision it was last [reviewed](review::Review): its pin, or the
//!    last commit that changed its case. It reads the manual as it was then, and asks `diff` for the [way](review::Way) of
//!    the section from there, so that nothing is compared that no case cites.
//! 5. [`impact`] joins citations and changes: what [happened](impact::Impact) to the text behind each citation.
//! 6. [`rules`] look at these facts, and at what was wrong in the files, and give [diagnostics](diagnostic::Diagnostic):
//!    when something is told, how loud, in which words.
//! 7. [`report`] makes bytes of diagnostics. A command writes them, and takes its exit status from their levels.
//!
//! The command `diff` needs steps 1, 2, 3 and 7; `coverage` and the language server use the same check; `fix` and `accept` hand
//! its [remedies](rules::Remedy) to [`edits`].
//!
//! # Which module may import which
//!
//! A test reads this table and compares it with every `use crate::`. *Stages* are `source`, `diagnostic` and all from
//! `git` to `rules`. `fuzzing` stands beside it: what must hold for any input, asked by tests and fuzzers alone.
//!
//! | module | holds | may import |
//! |---|---|---|
//! | [`source`] | texts and places | nothing |
//! | [`ahead`] | work on all cores while the next piece is fetched | nothing |
//! | [`nearest`] | the name that was probably meant | nothing |
//! | [`sanitize`] | text from outside made harmless to look at | nothing |
//! | [`whole`] | files written whole or not at all | nothing |
//! | [`hash`](mod@hash) | hashes over several pieces, and their digits | nothing |
//! | [`columns`] | places as each format counts them | source |
//! | [`diagnostic`] | what is told, as data | source |
//! | [`git`] | revisions as trees of bytes; which two are compared; history | source, whole |
//! | [`manual`] | Markdown to sections and fragments; ids; the canonical form; what a citation names | source, hash |
//! | [`cases`] | YAML to cases with places; edits spliced back | source, nearest |
//! | [`diff`](mod@diff) | which section is which, what changed in it, how much that matters | source, manual |
//! | [`review`] | against what each citation was last reviewed; since when it changed | source, ahead, git, manual, cases, diff |
//! | [`impact`] | what happened to the text behind each citation | source, manual, cases, diff, review |
//! | [`rules`] | one file a rule: when it is told, in which words | source, nearest, diagnostic, git, manual, cases, diff, review, impact |
//! | [`report`] | one file a format | source, hash, columns, sanitize, diagnostic |
//! | [`config`] | the settings, as each stage wants them | source, nearest, diagnostic, manual, cases, diff, rules |
//! | [`survey`] | what a repository without a configuration shows, for `init` | source, manual, cases, config |
//! | [`error`](mod@error) | why a run could not happen; exit status | source, git, config |
//! | `http` | requests to a server, for `comment` and what asks a model alone | nothing |
//! | [`coverage`] | how well the manual is covered by cases | stages, config |
//! | `ai` | questions to a model, for `draft`, `check --judge` and `coverage --classify` alone | stages, config, error, http, whole, hash |
//! | [`pipeline`] | the stages in their order, for those who want them all | stages, ahead, hash, config, error, ai |
//! | [`edits`] | citations and pins rewritten, categories put in: what `fix`, `accept` and `coverage` write | stages, config, error, pipeline |
//! | [`lsp`] | the language server: one file a feature | stages, columns, sanitize, config, error, pipeline, edits |
//! | [`commands`] | one file a command: its arguments and what it runs | stages, nearest, sanitize, whole, hash, report, config, survey, error, http, coverage, ai, pipeline, edits, lsp |
//! | [`cli`] | the command line as typed | sanitize, diagnostic, git, rules, report, config, error, commands |
//!
//! # Words
//!
//! - *manual*, *section*, *fragment*: Markdown files; a heading with its own body, or a block with an id; one block of it.
//! - *case*, *citation*: a YAML mapping with a citation key; one entry under that key.
//! - *revision*: a commit, the index or the work tree ([`source::Rev`]). *Before* and *after* are the two compared; after is
//!   the checked one. An *edition* is the manual at one of them ([`review::Edition`]).
//! - *review point*: the revision against which a citation counts as reviewed ([`review::Basis`]). A *pin* is one that is
//!   written down, in the citation or in the pins file ([`cases::Pin`]).
//! - *stale*, *fresh*: the cited text is another one than at the review point, or not.
//! - *home*: where a cited section is after ([`impact::Home`]).
//! - *change*, *magnitude*, *signal*: what happened to a section, how much that matters, and by what sign.
//! - *finding*: what a rule tells ([`diagnostic::Diagnostic`]); an *error* is what stops the run.
//!
//! # What never happens
//!
//! - The stages do no IO and read no clock and no environment, but for `git`, which reads the repository. `review` asks it
//!   for the revisions that it needs.
//! - Parsing never fails: it returns what it understood and what was wrong.
//! - Something wrong in the user's files is a finding with a place. What stops a run is an [`error`](mod@error) with a way
//!   out. One is never the other.
//! - Facts don't depend on opinions: what changed and whom it reaches is found before any rule looks at it, and levels
//!   change nothing but levels.
//! - Formats know sections and rules as data of `diagnostic` only. No order of a hash or of threads reaches the output.
//! - Core types are not serialized. The JSON has types of its own and only grows.
//! - No run depends on what an earlier one kept. Two things are kept, beside the objects of the repository and safe to
//!   delete: `.git/citecheck/checks` has what checks of a whole revision printed (`src/commands/kept.rs`), `.git/citecheck/ai`
//!   the answers of a model (`src/ai/store.rs`).
//!
//! # Where things go
//!
//! - A rule: a file in `src/rules/`, its name in the list of `src/rules/mod.rs`, and its line in the test of
//!   `src/rules/kinds.rs`, which asks whether it tells staleness, can be suppressed and the like. It has a row in the README's
//!   table of rules; the example in its text is run by a test, and `SNAPSHOTS=overwrite cargo test --test it golden` draws how
//!   it looks.
//! - A format: a file in `src/report/`, and in `src/report/mod.rs` a variant of [`report::Format`], its line in
//!   `Format::traits` and an arm where checks are rendered; of [`report::DiffFormat`] too, if it has a place for changes; what
//!   a column counts in it, in [`columns`]; its name in the README. Tests that ask the
//!   program for its formats take it in by themselves; those that list some name it where it belongs.
//! - A command: a file in `src/commands/`, a variant and an arm in `src/cli.rs`.
//! - A key of the configuration: a field of [`config::Config`], its name in `src/config/value.rs`, where it is read in
//!   `src/config/read.rs`, printed in `src/config/dump.rs` and proposed in `src/config/template.rs`, and
//!   `src/report/schema/config.json`.
//! - What reads the same however it is typed: `src/manual/canonical.rs`, and nowhere else. Fingerprints depend on it, so a
//!   change there is a new version of pins.
//! - A kind of signal: a variant of [`diff::SignalKind`] and the place where it is found in `src/diff/`.
//! - A word that carries a duty, a quantity, a unit: a line in a list of `src/diff/words/`. A number that decides: a
//!   constant with its reason in `src/diff/thresholds.rs`.
//! - A check of `doctor`: a function in `src/commands/doctor/` and a line in a table of
//!   `src/commands/doctor/checks.rs`.
//! - A shape that `init` has to know: a folder in `fixtures/init/` with a repository, and what shows it in `src/survey/`.
//! - A way to write into the user's files: [`edits`] decides which bytes, [`cases`] splices them, a command writes.

mod ahead;
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
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod git;
mod hash;
#[cfg(feature = "http")]
mod http;
mod impact;
mod lsp;
mod manual;
mod nearest;
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
