//! `--statistics`: how many findings there are of each rule and about each manual and section, the most first; as data for
//! JSON, and as tables for people, which are cut. Counts and judges nothing.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::layout::{self, BOLD, DIM, ERROR, NOTE, PLAIN, Styled, WARNING, count, thousands};
use super::{CheckReport, Looks};
use crate::diagnostic::{Diagnostic, Level, SectionFact};
use crate::sanitize::sanitize;

/// Lines of one table for people.
const MOST: usize = 10;
/// Characters of a name in it.
const NAME: usize = 100;

#[derive(Serialize)]
pub(super) struct Statistics<'a> {
    rules: Vec<Row<Rule>>,
    manuals: Vec<Row<Manual<'a>>>,
    sections: Vec<Row<Section<'a>>>,
}

/// What is counted, and the findings about it.
#[derive(Serialize)]
struct Row<K> {
    #[serde(flatten)]
    of: K,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Clone, Copy, Default, Serialize)]
struct Counts {
    findings: usize,
    errors: usize,
    warnings: usize,
    fixable: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Rule {
    rule: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Manual<'a> {
    file: &'a str,
}

/// A section as it is now, where it still is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Section<'a> {
    file: &'a str,
    id: &'a str,
}

impl<'a> Statistics<'a> {
    /// Of every finding; those about no section count by rule alone.
    pub(super) fn new(report: &CheckReport<'a>) -> Self {
        let findings = report.findings;
        Self {
            rules: rows(findings, |finding| Some(Rule { rule: finding.rule.name })),
            manuals: rows(findings, |finding| section(finding).map(|section| Manual { file: &section.file })),
            sections: rows(findings, |finding| {
                section(finding).map(|section| Section { file: &section.file, id: &section.id })
            }),
        }
    }
}

/// Writes the tables.
pub(super) fn render(report: &CheckReport<'_>, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    let Statistics { rules, manuals, sections } = Statistics::new(report);
    table("rule", &rules, &|it| it.rule.to_owned(), looks, out)?;
    table("manual", &manuals, &|it| it.file.to_owned(), looks, out)?;
    table("section", &sections, &|it| format!("{} {}", it.file, it.id), looks, out)
}

fn section(finding: &Diagnostic) -> Option<&SectionFact> {
    finding.facts.after.as_ref().or(finding.facts.before.as_ref())
}

fn rows<'a, K: Ord>(findings: &'a [Diagnostic], key: impl Fn(&'a Diagnostic) -> Option<K>) -> Vec<Row<K>> {
    let mut counted: BTreeMap<K, Counts> = BTreeMap::new();
    for finding in findings {
        let Some(key) = key(finding) else { continue };
        let counts = counted.entry(key).or_default();
        counts.findings += 1;
        counts.errors += usize::from(finding.level == Level::Error);
        counts.warnings += usize::from(finding.level == Level::Warning);
        counts.fixable += usize::from(finding.fix.is_some());
    }
    let mut rows: Vec<Row<K>> = counted.into_iter().map(|(of, counts)| Row { of, counts }).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.counts.findings));
    rows
}

fn table<K>(
    title: &str,
    rows: &[Row<K>],
    name: &dyn Fn(&K) -> String,
    looks: Looks,
    out: &mut dyn Write,
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let shown = &rows[..rows.len().min(MOST)];
    let names: Vec<String> =
        shown.iter().map(|row| sanitize(&layout::cut(&name(&row.of), NAME)).into_owned()).collect();
    let numbers: Vec<String> = shown.iter().map(|row| thousands(row.counts.findings)).collect();
    let widest = |texts: &[String]| texts.iter().map(|text| text.width()).max().unwrap_or_default();
    let (wide, most) = (widest(&names), widest(&numbers));
    writeln!(out, "{}", Styled::new().with(BOLD, format!("findings by {title}")).paint(looks.color))?;
    for (row, (name, number)) in shown.iter().zip(names.iter().zip(&numbers)) {
        let pad = " ".repeat(wide - name.width());
        let line =
            Styled::new().with(style(row.counts), format!("{number:>most$}")).with(PLAIN, format!("  {name}{pad}  "));
        writeln!(out, "{}", line.with(DIM, row.counts.words()).paint(looks.color))?;
    }
    if let Some(left) = rows.len().checked_sub(MOST).filter(|left| *left > 0) {
        writeln!(out, "{:most$}  … and {} more", "", thousands(left))?;
    }
    writeln!(out)
}

fn style(counts: Counts) -> anstyle::Style {
    match (counts.errors, counts.warnings) {
        (0, 0) => NOTE,
        (0, _) => WARNING,
        (_, _) => ERROR,
    }
}

impl Counts {
    /// `1 error, 2 warnings, 1 fixable`.
    fn words(self) -> String {
        let notes = self.findings - self.errors - self.warnings;
        let parts = [
            (self.errors, "error", "errors"),
            (self.warnings, "warning", "warnings"),
            (notes, "note", "notes"),
            (self.fixable, "fixable", "fixable"),
        ];
        let parts = parts.into_iter().filter(|(number, ..)| *number > 0);
        parts.map(|(number, one, many)| count(number, one, many)).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::{Sample, looks};
    use crate::report::{Format, render_check};

    fn page(sample: &Sample, format: Format, looks: Looks) -> String {
        let mut page = Vec::new();
        let report = CheckReport { statistics: true, ..sample.report() };
        render_check(format, &report, looks, &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn counts_stand_in_the_place_of_findings() {
        let expected = "\
findings by rule
3  text-changed     3 errors
1  invalid-yaml     1 error
1  section-moved    1 warning, 1 fixable
1  section-removed  1 error

findings by manual
3  docs/manual.md  3 errors

findings by section
3  docs/manual.md safety-limits/thermal-cut-off  3 errors

";
        let sample = Sample::new();
        for format in [Format::Human, Format::Concise] {
            let page = page(&sample, format, looks());
            assert!(page.starts_with(&format!("{expected}note: 2 citations were stale")), "{page}");
            assert!(!page.contains("cases.yaml:"), "{page}");
        }
        assert_eq!(page(&sample, Format::Human, Looks { quiet: true, ..looks() }), expected);
    }

    #[test]
    fn a_long_table_is_cut_for_people_and_whole_for_programs() {
        let mut sample = Sample::new();
        for at in 0..1200 {
            let mut finding = sample.findings[0].clone();
            let section = finding.facts.after.as_mut().unwrap();
            section.id = format!("\u{1b}[31m{at}");
            sample.findings.push(finding);
        }
        let people = page(&sample, Format::Concise, Looks { quiet: true, ..looks() });
        assert!(people.starts_with("findings by rule\n1,203  text-changed     1,203 errors\n"), "{people}");
        assert!(people.contains("   … and 1,191 more\n") && !people.contains('\u{1b}'), "{people}");
        let programs: serde_json::Value = serde_json::from_str(&page(&sample, Format::Json, looks())).unwrap();
        assert_eq!(programs["statistics"]["sections"].as_array().unwrap().len(), 1201);
        let first =
            serde_json::json!({"rule": "text-changed", "findings": 1203, "errors": 1203, "warnings": 0, "fixable": 0});
        assert_eq!(programs["statistics"]["rules"][0], first);
    }
}
