//! What must hold for any input, one function a fuzz target: each takes bytes and panics where a promise is broken.
//! `tests/fuzz` hands them to a fuzzer that is guided by coverage; the tests here replay what it found. No part of the
//! program.

mod bytes;
mod cases;
#[cfg(feature = "ai")]
mod categories;
mod citations;
mod config;
mod coverage;
mod diff;
mod facts;
mod page;
mod reports;
mod sanitize;
mod sections;
mod splice;
mod xml;

use crate::source::{RepoPath, Rev, SourceId, Sources, Span};

pub use cases::cases;
pub use citations::citations;
pub use config::config;
pub use diff::diff;
pub use reports::reports;
pub use sanitize::sanitize;
pub use sections::sections;
pub use splice::splice;

/// A function that takes the input of a fuzzer.
pub type Target = fn(&[u8]);

/// Every target with the name of its folder in `tests/fuzz/corpus`.
pub const TARGETS: &[(&str, Target)] = &[
    ("cases", cases),
    ("citations", citations),
    ("config", config),
    ("diff", diff),
    ("reports", reports),
    ("sanitize", sanitize),
    ("sections", sections),
    ("splice", splice),
];

/// A line that stands between the texts of one input.
const DIVIDER: &str = "\n%%\n";

/// The input as text; files that are no text never reach a parser.
fn text_of(input: &[u8]) -> Option<&str> {
    std::str::from_utf8(input).ok()
}

fn parts_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(DIVIDER)
}

fn is_place(text: &str, span: Span) -> bool {
    text.get(span.start..span.end).is_some()
}

/// The sources of a run that read this text and nothing else.
fn worktree(path: &str, text: &str) -> (Sources, SourceId) {
    let mut sources = Sources::default();
    let source = sources.add(Rev::Worktree, RepoPath::new(path), text);
    (sources, source)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The corpora reach what the fuzzer reached, and inputs that once failed are among them under telling names.
    #[test]
    fn every_input_that_was_kept_holds() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus");
        let mut failed = Vec::new();
        for (name, target) in TARGETS {
            let inputs: Vec<_> = fs::read_dir(corpus.join(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
            assert!(!inputs.is_empty(), "no inputs of `{name}`");
            for path in inputs {
                let input = fs::read(&path).unwrap();
                failed.extend(std::panic::catch_unwind(|| target(&input)).is_err().then_some(path));
            }
        }
        assert!(failed.is_empty(), "{failed:#?}");
    }
}
