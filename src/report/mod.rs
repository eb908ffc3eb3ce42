//! The formats: from diagnostics and facts to bytes. One file per format, one sanitizer for all.
//! Knows only sources and diagnostics: never what a section, a case or a rule is.

mod excerpt;
mod human;
mod human_diff;
mod json;
mod layout;
#[cfg(test)]
mod sample;
mod sanitize;
mod snippet;
mod words;

use std::io::{self, Write};

use crate::diagnostic::{ChangeFact, CheckSummary, Diagnostic, DiffSummary, EndFact};
use crate::source::Sources;

pub(crate) use sanitize::{mute_commands, sanitize};

/// What `check` tells.
#[derive(Debug)]
pub(crate) struct CheckReport<'a> {
    pub(crate) base: EndFact,
    pub(crate) head: EndFact,
    /// Sorted by place and rule.
    pub(crate) findings: &'a [Diagnostic],
    /// Sentences about the run: staleness from before the range, files left out.
    pub(crate) notes: &'a [String],
    pub(crate) sources: &'a Sources,
    pub(crate) summary: CheckSummary,
}

/// What `diff` tells.
#[derive(Debug)]
pub(crate) struct DiffReport<'a> {
    pub(crate) base: EndFact,
    pub(crate) head: EndFact,
    pub(crate) sections: &'a [ChangeFact],
    pub(crate) summary: DiffSummary,
}

/// An output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub(crate) enum Format {
    /// Diagnostics with source lines, for people.
    Human,
    /// One JSON document.
    Json,
}

/// How human output looks; decided once, from the terminal and the options.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looks {
    pub(crate) color: bool,
    /// Columns.
    pub(crate) width: usize,
    /// Box-drawing characters instead of ASCII.
    pub(crate) unicode: bool,
    /// Whether one change that hits several cases is one diagnostic.
    pub(crate) grouped: bool,
    /// `diff --stat`: one line a section.
    pub(crate) stat: bool,
    /// Whether what is printed goes to a log that obeys commands in it, as that of GitHub Actions.
    pub(crate) ci_log: bool,
}

pub(crate) fn render_check(
    format: Format,
    report: &CheckReport<'_>,
    looks: Looks,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Human => guarded(looks, out, |out| human::render(report, looks, out)),
        Format::Json => json::render_check(report, out),
    }
}

pub(crate) fn render_diff(
    format: Format,
    report: &DiffReport<'_>,
    looks: Looks,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Human => guarded(looks, out, |out| human_diff::render(report, looks, out)),
        Format::Json => json::render_diff(report, out),
    }
}

/// Diagnostics by themselves, for people: what is wrong with a configuration.
pub(crate) fn render_problems(
    problems: &[Diagnostic],
    sources: &Sources,
    looks: Looks,
    out: &mut dyn Write,
) -> io::Result<()> {
    guarded(looks, out, |out| {
        problems.iter().try_for_each(|problem| writeln!(out, "{}\n", snippet::draw(problem, &[], sources, looks)))
    })
}

/// Writes for people; where the log obeys commands, with every command in it muted, whoever wrote it.
fn guarded(looks: Looks, out: &mut dyn Write, render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if !looks.ci_log {
        return render(out);
    }
    let mut page = Vec::new();
    render(&mut page)?;
    out.write_all(sanitize::mute_commands(&String::from_utf8_lossy(&page)).as_bytes())
}
