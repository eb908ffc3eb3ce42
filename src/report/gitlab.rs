//! The code quality report of GitLab: a list of issues, shown in the widget and the diff of a merge request. Issues with
//! the same fingerprint are dropped there, so each has its own.

use std::io::{self, Write};

use serde::Serialize;

use super::fingerprint::fingerprints;
use super::told::{self, Anchor};
use super::{CheckReport, json_line};
use crate::columns;
use crate::diagnostic::{Diagnostic, Level};

pub(super) fn render(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let fingerprints = fingerprints(report.findings, report.sources);
    let issues: Vec<Issue> = report
        .findings
        .iter()
        .zip(fingerprints)
        .map(|(finding, fingerprint)| Issue::new(finding, fingerprint, report))
        .collect();
    json_line::write(&issues, out)
}

#[derive(Serialize)]
struct Issue {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
    end: usize,
}

impl Issue {
    fn new(finding: &Diagnostic, fingerprint: String, report: &CheckReport<'_>) -> Self {
        let Anchor { span, .. } = told::anchor(finding, report);
        let region = columns::region(span, report.sources, columns::Unit::Characters);
        let cases = told::cited_by([finding], report);
        let severity = match finding.level {
            Level::Error => "major",
            Level::Warning => "minor",
            Level::Note => "info",
        };
        Self {
            description: told::sentences(finding, cases).join("\n"),
            check_name: finding.rule.name,
            fingerprint,
            severity,
            location: Location {
                path: report.sources.get(span.source).path.to_string(),
                lines: Lines { begin: region.start.line, end: region.end.line },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;
    use crate::report::sample::{BROKEN_PATH, Sample};

    fn issues() -> (String, Vec<Value>) {
        let mut page = Vec::new();
        render(&Sample::new().report(), &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        let issues = serde_json::from_str(&page).unwrap();
        (page, issues)
    }

    #[test]
    fn an_issue_has_what_gitlab_asks_for() {
        let (_, mut issues) = issues();
        let prints: BTreeSet<String> = issues.iter().map(|it| it["fingerprint"].as_str().unwrap().to_owned()).collect();
        assert_eq!(prints.len(), 6);
        issues[2]["fingerprint"] = Value::Null;
        let expected = json!({
            "description": "`docs/manual.md#alarms` moved to docs/alarms.md, same text\ncited by TC-018 (cases.yaml:8:9)\n\
                help: cite the section where it is now",
            "check_name": "section-moved",
            "fingerprint": null,
            "severity": "minor",
            "location": {"path": "cases.yaml", "lines": {"begin": 8, "end": 8}}
        });
        assert_eq!(issues[2], expected);
        assert_eq!(issues[5]["location"]["path"], BROKEN_PATH);
    }

    #[test]
    fn a_log_obeys_nothing() {
        let (page, issues) = issues();
        assert!(!page.contains("##[") && !page.contains('\u{1b}') && page.lines().count() == 1, "{page}");
        assert!(issues.iter().all(|issue| !issue["description"].as_str().unwrap().contains('\u{1b}')));
    }
}
