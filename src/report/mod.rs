//! The formats: from diagnostics and facts to bytes. Knows what is told as data, and nothing of how it was found out.
//!
//! One file per format, those of coverage in a folder of their own, and beside them what formats share: which findings are
//! shown as one in `told.rs`, which are the same from run to run in `fingerprint.rs`, how many there are in
//! `statistics.rs`, the last line in `closing.rs`; source lines in `excerpt.rs`, `snippet.rs` and `shown.rs`, changed words
//! in `words.rs`, text in `layout.rs` and `markup.rs`, JSON in `json_line.rs`.

mod closing;
#[cfg(feature = "http")]
mod comment;
mod concise;
mod coverage;
mod excerpt;
mod fingerprint;
mod github;
mod gitlab;
mod human;
mod human_diff;
mod json;
mod json_line;
mod jsonl;
mod junit;
mod layout;
mod markdown;
mod markup;
mod rdjson;
mod rule_list;
#[cfg(test)]
mod sample;
mod sarif;
mod sarif_rules;
pub(crate) mod schema;
mod shown;
mod snippet;
mod statistics;
mod told;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::diagnostic::{ChangeFact, CheckSummary, Diagnostic, DiffSummary, EndFact};
use crate::sanitize::{mute_commands, sanitize};
use crate::source::{RepoPath, Sources, Span};

#[cfg(feature = "http")]
pub(crate) use comment::comment;
pub(crate) use coverage::{CoverageFormat, CoverageReport, render_coverage};
#[cfg(feature = "ai")]
pub(crate) use json_line::write as write_json;
pub(crate) use layout::fill;
pub(crate) use rule_list::{RuleFact, render_rules};

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
    /// Every case that was looked at, for formats that tell of those without a finding too.
    pub(crate) cases: &'a [CasePlace],
    /// The files that differ between the two revisions; empty where that is not known or nothing was compared.
    pub(crate) changed_files: &'a BTreeSet<RepoPath>,
    /// Of the findings in these files the places on lines that are as they were: no page of a change shows them.
    pub(crate) kept_places: &'a BTreeSet<Span>,
    /// The texts of files that the page of a pull request shows in another state than the one that was checked.
    pub(crate) shown: &'a BTreeMap<RepoPath, String>,
    /// Whether findings are counted: in the formats for people instead of telling them.
    pub(crate) statistics: bool,
    /// What distinguishes this run from others of the same commit where a platform keeps the last one of each.
    pub(crate) category: &'a str,
}

/// A case by its id, and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct CasePlace {
    pub(crate) id: String,
    pub(crate) span: Span,
}

/// What `diff` tells.
#[derive(Debug)]
pub(crate) struct DiffReport<'a> {
    pub(crate) base: EndFact,
    pub(crate) head: EndFact,
    pub(crate) sections: &'a [ChangeFact],
    pub(crate) summary: DiffSummary,
}

/// A format for findings: what `check` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub(crate) enum Format {
    /// Diagnostics with source lines, for people
    Human,
    /// One line a finding, `path:line:column: level[rule] message`
    Concise,
    /// One JSON document
    Json,
    /// JSON, one line a finding, then a summary
    Jsonl,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// The code quality report of GitLab
    Gitlab,
    /// JUnit XML: a suite a case file, a test a case
    Junit,
    /// The diagnostic format of reviewdog
    Rdjson,
    /// A page for a job summary or a comment
    Markdown,
}

/// A format for changes: what happened to a section is no finding, so those for findings have no place for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub(crate) enum DiffFormat {
    /// Sections with their changed words, for people
    Human,
    /// One JSON document
    Json,
    /// JSON, one line a section, then a summary
    Jsonl,
    /// A page for a job summary or a comment
    Markdown,
}

impl CheckReport<'_> {
    /// Whether there was anything to check.
    pub(crate) fn is_about_nothing(&self) -> bool {
        self.summary.manuals == 0 || !self.summary.has_cases
    }

    /// The notes that are told: where quiet is wanted, those that say why nothing was checked, as silence would look like
    /// "all is well".
    pub(crate) fn told_notes(&self, quiet: bool) -> &[String] {
        if quiet && !self.is_about_nothing() { &[] } else { self.notes }
    }
}

/// What a format is for, and what it has a place for beside findings.
#[derive(Clone, Copy)]
struct Traits {
    is_for_review: bool,
    tells_notes: bool,
    tells_statistics: bool,
}

impl Format {
    const fn traits(self) -> Traits {
        const FINDINGS: Traits = Traits { is_for_review: false, tells_notes: false, tells_statistics: false };
        match self {
            Format::Human | Format::Concise | Format::Json | Format::Jsonl => {
                Traits { tells_notes: true, tells_statistics: true, ..FINDINGS }
            }
            Format::Sarif | Format::Github => Traits { is_for_review: true, tells_notes: true, ..FINDINGS },
            Format::Gitlab | Format::Rdjson => Traits { is_for_review: true, ..FINDINGS },
            Format::Junit => FINDINGS,
            Format::Markdown => Traits { tells_notes: true, ..FINDINGS },
        }
    }

    /// Whether findings are attached to the lines of a change, and so want to know which files it consists of.
    pub(crate) fn is_for_review(self) -> bool {
        self.traits().is_for_review
    }

    /// Whether it has a place for notes on the run itself; of the others the notes go elsewhere.
    pub(crate) fn tells_notes(self) -> bool {
        self.traits().tells_notes
    }

    /// Whether it tells how many findings there are of what.
    pub(crate) fn tells_statistics(self) -> bool {
        self.traits().tells_statistics
    }
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
    /// `--quiet`: findings and nothing else.
    pub(crate) quiet: bool,
    /// `--max-diagnostics`: how many diagnostics are shown at most.
    pub(crate) most: Option<usize>,
}

pub(crate) fn render_check(
    format: Format,
    report: &CheckReport<'_>,
    looks: Looks,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Human => guarded(looks, out, |out| human::render(report, looks, out)),
        Format::Concise => guarded(looks, out, |out| concise::render(report, looks, out)),
        Format::Json => json::render_check(report, out),
        Format::Jsonl => jsonl::render_check(report, out),
        Format::Sarif => sarif::render(report, out),
        Format::Github => github::render(report, out),
        Format::Gitlab => gitlab::render(report, out),
        Format::Junit => junit::render(report, out),
        Format::Rdjson => rdjson::render(report, out),
        Format::Markdown => guarded(looks, out, |out| markdown::render_check(report, out)),
    }
}

pub(crate) fn render_diff(
    format: DiffFormat,
    report: &DiffReport<'_>,
    looks: Looks,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        DiffFormat::Human => guarded(looks, out, |out| human_diff::render(report, looks, out)),
        DiffFormat::Json => json::render_diff(report, out),
        DiffFormat::Jsonl => jsonl::render_diff(report, out),
        DiffFormat::Markdown => guarded(looks, out, |out| markdown::render_diff(report, out)),
    }
}

/// Changes by themselves, for people: what is about to be accepted.
pub(crate) fn render_changes(changes: &[ChangeFact], looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    guarded(looks, out, |out| human_diff::blocks(changes, looks, out))
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

/// Lines that speak of the run itself, for people. What else is in a line can't break out of it.
pub(crate) fn render_lines<'l>(
    lines: impl IntoIterator<Item = &'l str>,
    looks: Looks,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut lines = lines.into_iter();
    guarded(looks, out, |out| lines.try_for_each(|line| writeln!(out, "{}", sanitize(line))))
}

/// Writes for people; where the log obeys commands, with every command in it muted, whoever wrote it.
fn guarded(looks: Looks, out: &mut dyn Write, render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if !looks.ci_log {
        return render(out);
    }
    let mut page = Vec::new();
    render(&mut page)?;
    out.write_all(mute_commands(&String::from_utf8_lossy(&page)).as_bytes())
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::sample::{Sample, changes, diff_report, looks};
    use super::*;
    use crate::sanitize::is_hostile;

    /// Expects that neither a terminal nor the log of a runner obeys anything in a page but our own annotations.
    fn check(format: &str, page: &[u8]) {
        let page = std::str::from_utf8(page).unwrap();
        let hostile = page.chars().find(|it| !matches!(it, '\n' | '\t') && is_hostile(*it));
        assert_eq!(hostile, None, "{format}: {page}");
        assert!(!page.contains("##["), "{format}: {page}");
        let ours = ["::error file=", "::warning file=", "::notice title="];
        for line in page.lines().filter(|line| line.trim_start().starts_with("::")) {
            let is_ours = format == "Github" && ours.iter().any(|command| line.starts_with(command));
            assert!(is_ours, "{format}: {line}");
        }
    }

    #[test]
    fn nothing_hostile_comes_through_in_any_format() {
        let mut sample = Sample::new();
        let hostile = "\u{1b}]8;;x\u{7}\u{9b}2J\u{202e}\n::add-mask::y\r\n##[group]z\u{2028}::error::";
        let mut changes = changes();
        for finding in &mut sample.findings {
            finding.message.push_str(hostile);
            finding.notes.push(hostile.to_owned());
            finding.helps.push(hostile.to_owned());
            finding.facts.case = Some(hostile.to_owned());
            finding.facts.citation = Some(hostile.to_owned());
            finding.facts.reviewed_at = Some(hostile.to_owned());
            finding.primary.text = hostile.to_owned();
        }
        sample.notes.push(hostile.to_owned());
        for text in changes.iter_mut().flat_map(|it| &mut it.fragments).filter_map(|it| it.after.as_mut()) {
            text.text.push_str(hostile);
        }
        let looks = Looks { ci_log: true, ..looks() };
        for format in Format::value_variants() {
            let mut page = Vec::new();
            render_check(*format, &sample.report(), looks, &mut page).unwrap();
            check(&format!("{format:?}"), &page);
        }
        for format in DiffFormat::value_variants() {
            let mut page = Vec::new();
            render_diff(*format, &diff_report(&changes), looks, &mut page).unwrap();
            check(&format!("diff as {format:?}"), &page);
        }
    }
}
