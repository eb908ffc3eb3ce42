//! The coverage of a manual in the formats for it: one file per format. What the facts mean is decided where they are
//! found.

mod csv;
mod html;
mod human;
mod json;
mod markdown;
#[cfg(test)]
pub(super) mod sample;

use std::io::{self, Write};

use super::{Looks, guarded};
use crate::diagnostic::SectionFact;
use crate::diagnostic::coverage::{CaseTally, Coverage, Place, State, Tally};

/// What `coverage` tells.
#[derive(Debug)]
pub(crate) struct CoverageReport<'a> {
    pub(crate) coverage: &'a Coverage,
    /// What the figures don't tell by themselves.
    pub(crate) notes: &'a [String],
}

/// A format for coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
pub(crate) enum CoverageFormat {
    /// Tables and lists, for people
    Human,
    /// A page for a job summary or a comment
    Markdown,
    /// One JSON document
    Json,
    /// The traceability matrix from sections to cases, one row for each pair
    Csv,
    /// The traceability matrix from cases to sections, one row for each pair
    CsvByCase,
    /// A page by itself, to read, filter and print
    Html,
}

pub(crate) fn render_coverage(
    format: CoverageFormat,
    report: &CoverageReport<'_>,
    looks: Looks,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        CoverageFormat::Human => guarded(looks, out, |out| human::render(report, looks, out)),
        CoverageFormat::Markdown => guarded(looks, out, |out| markdown::render(report, out)),
        CoverageFormat::Json => json::render(report, out),
        CoverageFormat::Csv => guarded(looks, out, |out| csv::render_by_section(report, out)),
        CoverageFormat::CsvByCase => guarded(looks, out, |out| csv::render_by_case(report, out)),
        CoverageFormat::Html => guarded(looks, out, |out| html::render(report, out)),
    }
}

/// `5.2 Over-pressure`: as a reader knows the section. The text before a file's first heading goes by the file.
fn name(section: &SectionFact) -> String {
    match &section.number {
        // A heading that is nothing but a number has it as its title.
        Some(number) if !section.title.is_empty() && *number != section.title => format!("{number} {}", section.title),
        _ if !section.title.is_empty() => section.title.clone(),
        _ if section.id.is_empty() => "text before the first heading".to_owned(),
        _ => section.id.clone(),
    }
}

/// `worktree on a1b2c3d of 2026-11-30`, `v1, a1b2c3d of 2026-11-30`.
fn revision(coverage: &Coverage) -> String {
    let short = |id: &String| id.get(..7).unwrap_or(id).to_owned();
    let (Some(commit), Some(date)) = (coverage.commit.as_ref().map(short), &coverage.date) else {
        return coverage.head.rev.clone();
    };
    match &coverage.head.commit {
        None => format!("{} on {commit} of {date}", coverage.head.rev),
        Some(id) if id.starts_with(&coverage.head.rev) => format!("{commit} of {date}"),
        Some(_) => format!("{}, {commit} of {date}", coverage.head.rev),
    }
}

/// `87.5 %`.
fn percent(value: f64) -> String {
    match value.fract() == 0.0 {
        true => format!("{value:.0} %"),
        false => format!("{value:.1} %"),
    }
}

/// The sections of a state that count, in order.
fn sections_in(coverage: &Coverage, state: State) -> impl Iterator<Item = usize> {
    let sections = coverage.sections.iter().enumerate();
    sections.filter(move |(_, it)| it.counts && it.state == Some(state)).map(|(at, _)| at)
}

/// The ids of the cases that cover a section, each once, in order.
fn case_ids(coverage: &Coverage, section: usize) -> Vec<&str> {
    let mut cases: Vec<usize> = coverage.covering(section).map(|(_, at)| at.case).collect();
    cases.sort_unstable();
    cases.dedup();
    let mut ids: Vec<&str> = cases.into_iter().map(|case| coverage.cases[case].id.as_str()).collect();
    // Where the id is the citation, several cases have it.
    ids.dedup();
    ids
}

/// What is told of the cases of a category, each with its head. What a model said is a column of its own where one was
/// asked.
fn case_numbers(coverage: &Coverage, tally: &CaseTally) -> Vec<(&'static str, usize)> {
    let mut numbers =
        vec![("cases", tally.cases), ("drafts", tally.drafts), ("stale", tally.stale), ("lead nowhere", tally.nowhere)];
    if coverage.case_total.by_model > 0 {
        numbers.push(("by model", tally.by_model));
    }
    numbers
}

/// The two figures in a sentence.
fn headline(tally: &Tally) -> String {
    let functional = percent(tally.functional_percent());
    let stale = percent(tally.stale_percent());
    let sections = super::layout::count(tally.sections, "section", "sections");
    format!("{functional} of {sections} are covered by cases, {stale} of the covered are stale")
}

/// The number, title and file of a section or file as one text.
fn place(coverage: &Coverage, place: Place) -> String {
    match place {
        Place::Section(at) => name(&coverage.sections[at].section),
        Place::File(file) => coverage.files[file].path.clone(),
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::sample::Sample;
    use super::*;
    use crate::report::sample::looks;

    #[test]
    fn percentages_are_shown_with_a_decimal_where_there_is_one() {
        assert_eq!([percent(0.0), percent(33.3), percent(100.0)], ["0 %", "33.3 %", "100 %"]);
    }

    #[test]
    fn a_section_is_named_as_readers_know_it() {
        let check = |number: Option<&str>, title: &str, id: &str, expected: &str| {
            let number = number.map(str::to_owned);
            let section = SectionFact { file: "m.md".into(), id: id.into(), number, title: title.into(), line: 1 };
            assert_eq!(name(&section), expected);
        };
        check(Some("5.2"), "Limits", "limits", "5.2 Limits");
        check(Some("5.2"), "5.2", "5-2", "5.2");
        check(None, "Limits", "limits", "Limits");
        check(None, "", "", "text before the first heading");
        check(None, "", "r.x", "r.x");
    }

    #[test]
    fn a_log_obeys_no_format() {
        let mut sample = Sample::new();
        let hostile = "##[error]x\n::error::y";
        sample.coverage.sections[1].section.title = hostile.to_owned();
        sample.coverage.cases[0].id = hostile.to_owned();
        sample.coverage.files[0].path = hostile.to_owned();
        sample.notes.push(hostile.to_owned());
        let looks = Looks { ci_log: true, ..looks() };
        for format in CoverageFormat::value_variants() {
            let mut page = Vec::new();
            render_coverage(*format, &sample.report(), looks, &mut page).unwrap();
            let page = String::from_utf8(page).unwrap();
            assert!(!page.contains("##["), "{format:?}: {page}");
            assert!(!page.lines().any(|line| line.trim_start().starts_with("::")), "{format:?}: {page}");
        }
    }
}
