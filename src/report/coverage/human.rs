//! Coverage for people: the figures, a table of the manual files and one of the categories, and what needs work.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr as _;

use super::{CoverageReport, case_ids, case_numbers, headline, name, percent, revision, sections_in};
use crate::diagnostic::coverage::{CaseTally, Coverage, Standing, State, Tally};
use crate::report::Looks;
use crate::report::layout::{BOLD, DIM, NOTE, PLAIN, Styled, WARNING, count, cut, list, thousands};
use crate::sanitize::sanitize;

/// Sections in one list.
const MOST: usize = 20;
/// Cases named of one section.
const MOST_CASES: usize = 5;

pub(super) fn render(report: &CoverageReport<'_>, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    let coverage = report.coverage;
    let title = Styled::new().with(BOLD, headline(&coverage.total));
    let of = format!(" ({})", sanitize(&revision(coverage)));
    writeln!(out, "{}\n", title.with(DIM, of).paint(looks.color))?;
    write_table(&files(coverage), looks, out)?;
    write_table(&categories(coverage), looks, out)?;
    if !coverage.trend.is_empty() {
        write_table(&trend(coverage), looks, out)?;
    }
    write_list("stale", &rows(coverage, sections_in(coverage, State::Stale)), looks, out)?;
    write_list("partial", &rows(coverage, sections_in(coverage, State::Partial)), looks, out)?;
    write_list("uncovered", &rows(coverage, sections_in(coverage, State::Uncovered)), looks, out)?;
    write_list("citations that lead nowhere", &nowhere(coverage), looks, out)?;
    for note in report.notes {
        writeln!(out, "{}{}", Styled::new().with(NOTE, "note").paint(looks.color), sanitize(&format!(": {note}")))?;
    }
    Ok(())
}

/// A table; the first row is its head, the last one may be a total.
struct Table {
    rows: Vec<Vec<String>>,
    has_total: bool,
}

fn files(coverage: &Coverage) -> Table {
    let head = ["manual", "sections", "covered", "stale", "partial", "uncovered", "to review", "covered %", "stale %"];
    let row = |name: &str, tally: &Tally| {
        let numbers =
            [tally.sections, tally.covered, tally.stale, tally.partial, tally.uncovered, tally.backlog].map(thousands);
        let percents = [percent(tally.functional_percent()), percent(tally.stale_percent())];
        [vec![name.to_owned()], numbers.to_vec(), percents.to_vec()].concat()
    };
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(coverage.files.iter().filter(|file| file.tally.sections > 0).map(|file| row(&file.path, &file.tally)));
    rows.push(row("total", &coverage.total));
    Table { rows, has_total: true }
}

fn categories(coverage: &Coverage) -> Table {
    let row = |name: &str, tally: &CaseTally| {
        let numbers = case_numbers(coverage, tally).into_iter().map(|(_, number)| thousands(number));
        [name.to_owned()].into_iter().chain(numbers).collect()
    };
    let heads = case_numbers(coverage, &coverage.case_total).into_iter().map(|(head, _)| head);
    let mut rows: Vec<Vec<String>> = vec![["category"].into_iter().chain(heads).map(str::to_owned).collect()];
    rows.extend(coverage.categories.iter().filter(|(_, tally)| tally.cases > 0).map(|(name, tally)| row(name, tally)));
    rows.push(row("total", &coverage.case_total));
    Table { rows, has_total: true }
}

fn trend(coverage: &Coverage) -> Table {
    let head = ["revision", "date", "sections", "covered %", "stale %", "to review", "cases"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for point in &coverage.trend {
        let tally = &point.sections;
        rows.push(vec![
            point.name.clone(),
            point.date.clone(),
            thousands(tally.sections),
            percent(tally.functional_percent()),
            percent(tally.stale_percent()),
            thousands(tally.backlog),
            thousands(point.cases.cases),
        ]);
    }
    Table { rows, has_total: false }
}

/// Names to the left, numbers to the right.
fn write_table(table: &Table, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<Vec<String>> =
        table.rows.iter().map(|row| row.iter().map(|cell| sanitize(cell).into_owned()).collect()).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    for (nth, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let gap = " ".repeat(width - cell.width());
            line.push_str(&if column == 0 { format!("{cell}{gap}") } else { format!("  {gap}{cell}") });
        }
        let is_total = table.has_total && nth + 1 == rows.len();
        let style = if nth == 0 {
            DIM
        } else if is_total {
            BOLD
        } else {
            PLAIN
        };
        writeln!(out, "{}", Styled::new().with(style, line.trim_end()).paint(looks.color))?;
    }
    writeln!(out)
}

/// The lines of a list, and how many more there are.
struct List {
    lines: Vec<String>,
    total: usize,
}

fn rows(coverage: &Coverage, sections: impl Iterator<Item = usize>) -> List {
    let sections: Vec<usize> = sections.collect();
    let line = |at: &usize| {
        let section = &coverage.sections[*at].section;
        let cases: Vec<String> = case_ids(coverage, *at).into_iter().map(str::to_owned).collect();
        let place = format!("{}:{}  {}", section.file, section.line, cut(&name(section), 60));
        let place = match cases.is_empty() {
            true => place,
            false => format!("{place}  {}", list(&cases, MOST_CASES)),
        };
        if coverage.sections[*at].in_backlog { format!("{place}  (to review)") } else { place }
    };
    List { lines: sections.iter().take(MOST).map(line).collect(), total: sections.len() }
}

fn nowhere(coverage: &Coverage) -> List {
    let mut lines = Vec::new();
    for case in &coverage.cases {
        for citation in case.citations.iter().filter(|citation| citation.standing == Standing::Nowhere) {
            lines.push(format!("{}:{}  {}  {}", case.file, citation.line, case.id, cut(&citation.text, 60)));
        }
    }
    let total = lines.len();
    lines.truncate(MOST);
    List { lines, total }
}

fn write_list(title: &str, list: &List, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    if list.total == 0 {
        return Ok(());
    }
    let head = Styled::new().with(WARNING, title).with(DIM, format!(" ({})", thousands(list.total)));
    writeln!(out, "{}", head.paint(looks.color))?;
    for line in &list.lines {
        writeln!(out, "  {}", sanitize(line))?;
    }
    if list.total > list.lines.len() {
        let more = count(list.total - list.lines.len(), "more", "more");
        writeln!(
            out,
            "  {}",
            Styled::new().with(DIM, format!("and {more}; `--format csv` has all")).paint(looks.color)
        )?;
    }
    writeln!(out)
}
