//! Finished pages of every format: neither a terminal nor the log of a runner obeys them, and programs can read them.

use std::io;

use clap::ValueEnum as _;

use super::xml;
use crate::report::{
    CheckReport, CoverageFormat, CoverageReport, DiffFormat, DiffReport, Format, Looks, render_check, render_coverage,
    render_diff,
};
use crate::sanitize::is_hostile;

/// What our own commands start with.
const ANNOTATIONS: &[&str] = &["::error file=", "::warning file=", "::notice file=", "::notice title="];

const LOOKS: [Looks; 2] = [
    Looks {
        color: false,
        width: 80,
        unicode: false,
        grouped: true,
        stat: false,
        ci_log: true,
        quiet: false,
        most: None,
    },
    Looks {
        color: false,
        width: 20,
        unicode: true,
        grouped: false,
        stat: true,
        ci_log: true,
        quiet: true,
        most: Some(1),
    },
];

/// Renders findings in every format.
pub(super) fn check_findings(report: &CheckReport<'_>) {
    for format in Format::value_variants() {
        let looks = if *format == Format::Human { &LOOKS[..] } else { &LOOKS[..1] };
        for looks in looks {
            let page = written(|page| render_check(*format, report, *looks, page));
            let ours = if *format == Format::Github { ANNOTATIONS } else { &[] };
            check_characters(&page);
            check_commands(&page, ours);
            check_readable(*format, &page);
        }
    }
}

/// Renders changes in every format that tells them.
pub(super) fn check_diff(report: &DiffReport<'_>) {
    for format in DiffFormat::value_variants() {
        for looks in LOOKS {
            let page = written(|page| render_diff(*format, report, looks, page));
            check_characters(&page);
            check_commands(&page, &[]);
            match format {
                DiffFormat::Json => check_json(&page),
                DiffFormat::Jsonl => page.lines().for_each(check_json),
                DiffFormat::Human | DiffFormat::Markdown => {}
            }
        }
    }
}

/// Renders a coverage in every format.
pub(super) fn check_coverage(report: &CoverageReport<'_>) {
    for format in CoverageFormat::value_variants() {
        let page = written(|page| render_coverage(*format, report, LOOKS[0], page));
        match format {
            CoverageFormat::Json => check_json(&page),
            CoverageFormat::Csv | CoverageFormat::CsvByCase => check_table(&page),
            CoverageFormat::Human | CoverageFormat::Markdown => check_commands(&page, &[]),
            CoverageFormat::Html => assert_eq!(page.matches("<script").count(), 1, "{page}"),
        }
        // The rows of a table end as RFC 4180 says.
        check_characters(&page.replace("\"\r\n", "\"\n"));
    }
}

fn written(render: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut page = Vec::new();
    render(&mut page).expect("writing to memory does not fail");
    String::from_utf8(page).expect("a page is text")
}

fn check_characters(page: &str) {
    let hostile = page.chars().find(|it| !matches!(it, '\n' | '\t') && is_hostile(*it));
    assert_eq!(hostile, None, "{page}");
}

/// Nothing in the page is a command to a runner but what starts with one of these.
fn check_commands(page: &str, ours: &[&str]) {
    assert!(!page.contains("##["), "{page}");
    for line in page.lines().filter(|line| line.trim_start().starts_with("::")) {
        assert!(ours.iter().any(|command| line.starts_with(command)), "{line}");
    }
}

fn check_readable(format: Format, page: &str) {
    match format {
        Format::Jsonl => page.lines().for_each(check_json),
        // Nothing is written where a format cannot tell what there is.
        Format::Json | Format::Sarif | Format::Gitlab | Format::Rdjson if !page.is_empty() => check_json(page),
        Format::Junit if !page.is_empty() => assert_eq!(xml::check(page), Ok(()), "{page}"),
        Format::Json | Format::Sarif | Format::Gitlab | Format::Rdjson | Format::Junit => {}
        Format::Human | Format::Concise | Format::Github | Format::Markdown => {}
    }
}

fn check_json(page: &str) {
    let read: Result<serde_json::Value, _> = serde_json::from_str(page);
    assert!(read.is_ok(), "{read:?}: {page}");
}

/// Every row has every column, and a spreadsheet takes no cell for a formula.
fn check_table(page: &str) {
    let mut rows = csv::ReaderBuilder::new().from_reader(page.as_bytes());
    for row in rows.records() {
        let row = row.expect("rows are of one length");
        assert!(!row.iter().any(|cell| cell.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])), "{row:?}");
    }
}
