//! The Reviewdog Diagnostic Format, one document: reviewdog takes it to whatever platform there is. Columns count bytes of
//! UTF-8 and ends are exclusive, as the format says.
//!
//! Only fields that every reviewdog knows: it refuses a document with one that it does not.

use std::io::{self, Write};

use serde::Serialize;

use super::told::{self, Anchor};
use super::{CheckReport, json_line};
use crate::columns::{self, RDJSON, Region};
use crate::diagnostic::{Diagnostic, Level};
use crate::source::{LineColumn, Sources, Span};

pub(super) fn render(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let worst = report.findings.iter().map(|finding| finding.level).max().unwrap_or(Level::Note);
    let document = Document {
        source: Tool { name: "citecheck" },
        severity: severity(worst),
        diagnostics: report.findings.iter().map(|finding| Entry::new(finding, report)).collect(),
    };
    json_line::write(&document, out)
}

#[derive(Serialize)]
struct Document {
    source: Tool,
    severity: &'static str,
    diagnostics: Vec<Entry>,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
}

#[derive(Serialize)]
struct Entry {
    message: String,
    location: Location,
    severity: &'static str,
    code: Code,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion>,
}

#[derive(Serialize)]
struct Code {
    value: &'static str,
}

#[derive(Serialize)]
struct Location {
    path: String,
    range: Range,
}

#[derive(Serialize)]
struct Range {
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    line: usize,
    column: usize,
}

/// An edit of the file that the finding's location is in.
#[derive(Serialize)]
struct Suggestion {
    range: Range,
    text: String,
}

impl Entry {
    fn new(finding: &Diagnostic, report: &CheckReport<'_>) -> Self {
        let Anchor { span, on_manual } = told::anchor(finding, report);
        let cases = on_manual.then(|| told::cited_by([finding], report)).flatten();
        let fix = finding.fix.iter().filter(|fix| fix.span.source == span.source);
        Self {
            message: told::sentences(finding, cases).join("\n"),
            location: location(span, report.sources),
            severity: severity(finding.level),
            code: Code { value: finding.rule.name },
            suggestions: fix
                .map(|fix| Suggestion { range: range(fix.span, report.sources), text: fix.replacement.clone() })
                .collect(),
        }
    }
}

fn location(span: Span, sources: &Sources) -> Location {
    Location { path: sources.get(span.source).path.to_string(), range: range(span, sources) }
}

fn range(span: Span, sources: &Sources) -> Range {
    let Region { start, end } = columns::region(span, sources, RDJSON);
    let position = |at: LineColumn| Position { line: at.line, column: at.column };
    Range { start: position(start), end: position(end) }
}

fn severity(level: Level) -> &'static str {
    match level {
        Level::Error => "ERROR",
        Level::Warning => "WARNING",
        Level::Note => "INFO",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;
    use crate::report::sample::Sample;
    use crate::source::RepoPath;

    fn document() -> (String, Value) {
        let mut page = Vec::new();
        render(&Sample::new().report(), &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        let document = serde_json::from_str(&page).unwrap();
        (page, document)
    }

    #[test]
    fn a_fix_is_a_suggestion() {
        let (_, document) = document();
        assert_eq!((&document["source"]["name"], &document["severity"]), (&json!("citecheck"), &json!("ERROR")));
        let range = json!({"start": {"line": 8, "column": 9}, "end": {"line": 8, "column": 30}});
        let expected = json!({
            "message": "`docs/manual.md#alarms` moved to docs/alarms.md, same text\nhelp: cite the section where it is now",
            "location": {"path": "cases.yaml", "range": range},
            "severity": "WARNING",
            "code": {"value": "section-moved"},
            "suggestions": [{"range": range, "text": "docs/alarms.md#alarms"}]
        });
        assert_eq!(document["diagnostics"][2], expected);
    }

    #[test]
    fn columns_count_bytes_and_the_cases_are_named_on_the_manual() {
        let sample = Sample::new();
        let changed_files: BTreeSet<RepoPath> = [RepoPath::new("docs/manual.md")].into();
        let mut page = Vec::new();
        render(&CheckReport { changed_files: &changed_files, ..sample.report() }, &mut page).unwrap();
        let document: Value = serde_json::from_slice(&page).unwrap();
        let first = &document["diagnostics"][0];
        assert_eq!(first["location"]["path"], "docs/manual.md");
        assert_eq!(first["location"]["range"]["start"], json!({"line": 7, "column": 102}));
        assert!(first["message"].as_str().unwrap().contains("\ncited by TC-017 (cases.yaml:4:9)\n"), "{first}");
        // The fix is in another file than the place would be.
        assert_eq!(document["diagnostics"][2]["location"]["path"], "cases.yaml");
    }

    #[test]
    fn a_log_obeys_nothing() {
        let (page, _) = document();
        assert!(!page.contains("##[") && !page.contains('\u{1b}') && page.lines().count() == 1, "{page}");
    }
}
