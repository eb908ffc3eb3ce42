//! Coverage as a page for a job summary or a comment: the figures, tables, and folded lists of what needs work. Bounded, as
//! a summary that is too large vanishes; what is left out is counted.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{CoverageReport, case_ids, case_numbers, headline, name, percent, revision, sections_in};
use crate::diagnostic::coverage::{Coverage, State, Tally};
use crate::report::layout::{count, cut, thousands};
use crate::report::markup::{code, prose};

/// Rows of a table, sections of a list, cases of a section.
const MOST_FILES: usize = 50;
const MOST_SECTIONS: usize = 50;
const MOST_CASES: usize = 5;
/// Bytes from which on no section is added: comments hold 65,536 characters.
const PAGE: usize = 55_000;
/// Characters of a name.
const NAME: usize = 80;

pub(super) fn render(report: &CoverageReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let coverage = report.coverage;
    let mut page = format!(
        "## Coverage of the manual\n\n**{}**, {}\n",
        prose(&headline(&coverage.total)),
        prose(&revision(coverage))
    );
    for note in report.notes {
        page.push_str(&format!("\n> {}\n", prose(note)));
    }
    files(coverage, &mut page);
    categories(coverage, &mut page);
    trend(coverage, &mut page);
    sections(coverage, "stale", sections_in(coverage, State::Stale), &mut page);
    sections(coverage, "partial", sections_in(coverage, State::Partial), &mut page);
    sections(coverage, "uncovered", sections_in(coverage, State::Uncovered), &mut page);
    out.write_all(page.as_bytes())
}

fn files(coverage: &Coverage, page: &mut String) {
    page.push_str(
        "\n| manual | sections | covered | stale | partial | uncovered | to review | covered % | stale % |\n",
    );
    page.push_str("|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    let files: Vec<_> = coverage.files.iter().filter(|file| file.tally.sections > 0).collect();
    for file in files.iter().take(MOST_FILES) {
        tally(&code(&cut(&file.path, NAME)), &file.tally, page);
    }
    if files.len() > MOST_FILES {
        let more = count(files.len() - MOST_FILES, "more file", "more files");
        page.push_str(&format!("| _{more}_ | | | | | | | | |\n"));
    }
    tally("**total**", &coverage.total, page);
}

fn tally(name: &str, tally: &Tally, page: &mut String) {
    let numbers = [tally.sections, tally.covered, tally.stale, tally.partial, tally.uncovered, tally.backlog];
    let numbers = numbers.map(thousands).join(" | ");
    let (functional, stale) = (percent(tally.functional_percent()), percent(tally.stale_percent()));
    // Writing to a string does not fail.
    let _ = writeln!(page, "| {name} | {numbers} | {functional} | {stale} |");
}

fn categories(coverage: &Coverage, page: &mut String) {
    let total = case_numbers(coverage, &coverage.case_total);
    let heads: Vec<&str> = total.iter().map(|(head, _)| *head).collect();
    let _ = writeln!(page, "\n| category | {} |\n|---{}|", heads.join(" | "), "|--:".repeat(heads.len()));
    let mut row = |name: &str, numbers: Vec<(&str, usize)>| {
        let numbers: Vec<String> = numbers.into_iter().map(|(_, number)| thousands(number)).collect();
        let _ = writeln!(page, "| {name} | {} |", numbers.join(" | "));
    };
    for (name, tally) in coverage.categories.iter().filter(|(_, tally)| tally.cases > 0) {
        row(&code(&cut(name, NAME)), case_numbers(coverage, tally));
    }
    row("**total**", total);
}

fn trend(coverage: &Coverage, page: &mut String) {
    if coverage.trend.is_empty() {
        return;
    }
    page.push_str("\n| revision | date | sections | covered % | stale % | to review |\n|---|---|--:|--:|--:|--:|\n");
    for point in &coverage.trend {
        let tally = &point.sections;
        let (functional, stale) = (percent(tally.functional_percent()), percent(tally.stale_percent()));
        let numbers = format!("{} | {functional} | {stale} | {}", thousands(tally.sections), thousands(tally.backlog));
        let _ = writeln!(page, "| {} | {} | {numbers} |", code(&cut(&point.name, NAME)), point.date);
    }
}

fn sections(coverage: &Coverage, title: &str, sections: impl Iterator<Item = usize>, page: &mut String) {
    let sections: Vec<usize> = sections.collect();
    if sections.is_empty() {
        return;
    }
    let number = count(sections.len(), "section", "sections");
    let _ = writeln!(page, "\n<details><summary>{number} {title}</summary>\n");
    let mut shown_sections = 0;
    for at in sections.iter().take(MOST_SECTIONS) {
        if page.len() > PAGE {
            break;
        }
        let section = &coverage.sections[*at].section;
        let place = code(&format!("{}:{}", cut(&section.file, NAME), section.line));
        let cases = case_ids(coverage, *at);
        let shown: Vec<String> = cases.iter().take(MOST_CASES).map(|id| code(&cut(id, NAME))).collect();
        let more = cases.len() - shown.len();
        let more = if more > 0 { format!(" and {} more", thousands(more)) } else { String::new() };
        let cases = if shown.is_empty() { String::new() } else { format!(": {}{more}", shown.join(", ")) };
        let review = if coverage.sections[*at].in_backlog { ", to review" } else { "" };
        let _ = writeln!(page, "- {} ({place}){cases}{review}", code(&cut(&name(section), NAME)));
        shown_sections += 1;
    }
    if sections.len() > shown_sections {
        let more = count(sections.len() - shown_sections, "section", "sections");
        let _ = writeln!(page, "\n_{more} left out here for room; `citecheck coverage --format csv` shows all_");
    }
    page.push_str("\n</details>\n");
}
