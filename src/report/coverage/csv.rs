//! The traceability matrix as CSV (RFC 4180): a row for each pair of a section and a case that covers it, and one for each
//! section without a case and each case without a section, so that gaps show in both directions.
//!
//! A spreadsheet runs a cell that starts with `=`, `+`, `-`, `@` or their full-width forms as a formula, and titles come
//! from whoever can open a pull request. Such a cell gets a `'` in front, which spreadsheets take for "this is text";
//! control characters, tab and carriage return among them, are escaped by the sanitizer; and every field is quoted.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};

use super::CoverageReport;
use crate::diagnostic::coverage::{CiteAt, Coverage, Place};
use crate::sanitize::sanitize;

const HEAD: [&str; 22] = [
    "section_file",
    "section_id",
    "section_number",
    "section_title",
    "section_line",
    "section_state",
    "section_fingerprint",
    "review_backlog",
    "case_id",
    "case_title",
    "case_file",
    "case_line",
    "case_status",
    "case_category",
    "citation",
    "cited_with",
    "standing",
    "rules",
    "reviewed_at",
    "reviewed_commit",
    "reviewed_fingerprint",
    "category_by_model",
];

/// How many columns tell of the section.
const SECTION: usize = 8;

/// From sections to cases, in the order of the manual; then the cases that no section has.
pub(super) fn render_by_section(report: &CoverageReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let coverage = report.coverage;
    let mut rows = Rows::new(coverage, out)?;
    for (at, section) in coverage.sections.iter().enumerate() {
        let mut covering: Vec<(Place, CiteAt)> = coverage.covering(at).collect();
        covering.sort_by_key(|(_, at)| *at);
        for (with, cite) in &covering {
            rows.write(Some(at), Some((*with, *cite)))?;
        }
        if covering.is_empty() && section.counts {
            rows.write(Some(at), None)?;
        }
    }
    for (case, citation) in citations(coverage) {
        if citation.is_none_or(|citation| coverage.cases[case].citations[citation].targets.is_empty()) {
            rows.write_case(case, citation)?;
        }
    }
    rows.flush()
}

/// From cases to sections, in the order of the case files; then the sections that no case has.
pub(super) fn render_by_case(report: &CoverageReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let coverage = report.coverage;
    let mut rows = Rows::new(coverage, out)?;
    let mut covered: Vec<(CiteAt, usize, Place)> = Vec::new();
    for section in 0..coverage.sections.len() {
        covered.extend(coverage.covering(section).map(|(with, at)| (at, section, with)));
    }
    covered.sort_unstable();
    let mut pairs = covered.into_iter().peekable();
    for (case, citation) in citations(coverage) {
        let at = CiteAt { case, citation: citation.unwrap_or_default() };
        let mut is_alone = true;
        while let Some((_, section, with)) = pairs.next_if(|(pair, ..)| *pair == at && citation.is_some()) {
            rows.write(Some(section), Some((with, at)))?;
            is_alone = false;
        }
        if is_alone {
            rows.write_case(case, citation)?;
        }
    }
    for (at, section) in coverage.sections.iter().enumerate() {
        if section.counts && coverage.covering(at).next().is_none() {
            rows.write(Some(at), None)?;
        }
    }
    rows.flush()
}

/// Every citation of every case, and every case without one.
fn citations(coverage: &Coverage) -> impl Iterator<Item = (usize, Option<usize>)> {
    coverage.cases.iter().enumerate().flat_map(|(at, case)| {
        let none = case.citations.is_empty().then_some((at, None));
        (0..case.citations.len()).map(move |citation| (at, Some(citation))).chain(none)
    })
}

struct Rows<'a, 'o> {
    coverage: &'a Coverage,
    writer: Writer<&'o mut dyn Write>,
}

impl<'a, 'o> Rows<'a, 'o> {
    fn new(coverage: &'a Coverage, out: &'o mut dyn Write) -> io::Result<Self> {
        let mut builder = WriterBuilder::new();
        let mut writer = builder.quote_style(QuoteStyle::Always).terminator(Terminator::CRLF).from_writer(out);
        writer.write_record(HEAD)?;
        Ok(Self { coverage, writer })
    }

    fn write(&mut self, section: Option<usize>, cite: Option<(Place, CiteAt)>) -> io::Result<()> {
        let mut row = match section {
            Some(at) => self.section(at),
            None => vec![String::new(); SECTION],
        };
        match cite {
            Some((with, at)) => {
                row.extend(self.case(at.case));
                row.extend(self.citation(at, Some(with).filter(|with| section.map(Place::Section) != Some(*with))));
                row.push(self.by_model(at.case));
            }
            None => row.resize(HEAD.len(), String::new()),
        }
        self.row(row)
    }

    /// A case that leads to no section.
    fn write_case(&mut self, case: usize, citation: Option<usize>) -> io::Result<()> {
        let mut row = vec![String::new(); SECTION];
        row.extend(self.case(case));
        match citation {
            Some(citation) => row.extend(self.citation(CiteAt { case, citation }, None)),
            None => row.resize(HEAD.len() - 1, String::new()),
        }
        row.push(self.by_model(case));
        self.row(row)
    }

    fn row(&mut self, row: Vec<String>) -> io::Result<()> {
        self.writer.write_record(row.iter().map(|cell| harmless(cell).into_owned()))?;
        Ok(())
    }

    fn section(&self, at: usize) -> Vec<String> {
        let cover = &self.coverage.sections[at];
        let section = &cover.section;
        vec![
            section.file.clone(),
            section.id.clone(),
            section.number.clone().unwrap_or_default(),
            section.title.clone(),
            section.line.to_string(),
            cover.state.map_or("", |state| state.name()).to_owned(),
            cover.fingerprint.clone(),
            if cover.in_backlog { "yes" } else { "no" }.to_owned(),
        ]
    }

    fn case(&self, at: usize) -> Vec<String> {
        let case = &self.coverage.cases[at];
        vec![
            case.id.clone(),
            case.title.clone().unwrap_or_default(),
            case.file.clone(),
            case.line.to_string(),
            case.status.clone().unwrap_or_default(),
            case.category.clone(),
        ]
    }

    /// Whether a model gave the category. Stands last, as the columns before it have their numbers.
    fn by_model(&self, case: usize) -> String {
        if self.coverage.cases[case].is_category_by_model { "yes" } else { "no" }.to_owned()
    }

    /// A citation; `with` is what it names, where that is not the row's section.
    fn citation(&self, at: CiteAt, with: Option<Place>) -> Vec<String> {
        let citation = self.coverage.citation(at);
        let reviewed = &citation.reviewed;
        vec![
            citation.text.clone(),
            with.map(|place| super::place(self.coverage, place)).unwrap_or_default(),
            citation.standing.name().to_owned(),
            citation.rules.join(" "),
            reviewed.at.clone(),
            reviewed.commit.clone().unwrap_or_default(),
            reviewed.fingerprint.clone().unwrap_or_default(),
        ]
    }

    fn flush(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A cell that no spreadsheet runs.
fn harmless(cell: &str) -> Cow<'_, str> {
    let cell = sanitize(cell);
    let is_formula = cell.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    if is_formula { Cow::Owned(format!("'{cell}")) } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::coverage::sample::Sample;

    fn rows(render: fn(&CoverageReport<'_>, &mut dyn Write) -> io::Result<()>) -> Vec<Vec<String>> {
        let sample = Sample::new();
        let mut page = Vec::new();
        render(&sample.report(), &mut page).unwrap();
        let text = String::from_utf8(page.clone()).unwrap();
        assert!(text.ends_with("\"\r\n") && text.lines().count() > 1, "{text}");
        let mut reader = csv::Reader::from_reader(page.as_slice());
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    }

    /// Section, case, citation and what it is cited with, of each row.
    fn pairs(rows: &[Vec<String>]) -> Vec<String> {
        rows.iter().map(|row| [1, 8, 14, 15].map(|column| row[column].clone()).join("|")).collect()
    }

    #[test]
    fn both_directions_have_the_same_pairs_and_show_the_gaps() {
        let (by_section, by_case) = (rows(render_by_section), rows(render_by_case));
        let expected = [
            "limits|TC-1|limits|",
            "limits/cut-off|TC-1|limits|5 Limits",
            "limits/cut-off|TC-2|limits/cut-off|",
            "=alarms|||",
            "|TC-2|nowhere|",
            "|@TC-3||",
        ];
        let mut expected: Vec<String> =
            expected.iter().map(|row| row.replace("=a", "'=a").replace("|@", "|'@")).collect();
        assert_eq!(pairs(&by_section), expected);
        let mut found = pairs(&by_case);
        assert_eq!(found[0], "limits|TC-1|limits|");
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_row_has_what_the_case_was_reviewed_against() {
        let row = &rows(render_by_section)[1];
        let reviewed = ["TC-1", "stale", "text-changed", "v1", "c1-1111111111111111"];
        assert_eq!([8, 16, 17, 18, 20].map(|column| row[column].as_str()), reviewed);
    }

    #[test]
    fn no_cell_is_a_formula() {
        let check = |cell: &str, expected: &str| assert_eq!(harmless(cell), expected);
        check("=HYPERLINK(\"x\")", "'=HYPERLINK(\"x\")");
        check("@SUM(A1)", "'@SUM(A1)");
        check("-1+1|cmd", "'-1+1|cmd");
        check("＝x", "'＝x");
        check("\t=x", "\\t=x");
        check("\r=x", "\\r=x");
        check("5.2", "5.2");
        check("a = b", "a = b");
    }
}
