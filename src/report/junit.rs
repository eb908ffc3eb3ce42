//! JUnit XML, for CI systems that show tests: a suite a case file, a test a case. An error fails the test; a warning stands
//! in its output, so that the run is as red here as its exit status says. A file that cannot be read is a test in error.
//!
//! Only what the schema of Jenkins (`junit-10.xsd`) has: its xUnit plugin refuses a file with anything else. So a test
//! has neither file nor line of its own; the suite has the file, and a failure says the line.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::CheckReport;
use super::told;
use crate::columns;
use crate::diagnostic::{Diagnostic, Level};
use crate::sanitize::{mute_commands, sanitize};
use crate::source::RepoPath;

pub(super) fn render(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let suites = suites(report);
    let all: Counts = suites.values().map(Suite::counts).fold(Counts::default(), Counts::plus);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"citecheck\" {all} time=\"0\">")?;
    for (path, suite) in &suites {
        suite.write(&path.to_string(), report, out)?;
    }
    writeln!(out, "</testsuites>")
}

/// The tests of one file, in order.
#[derive(Default)]
struct Suite<'a> {
    tests: Vec<Test<'a>>,
}

struct Test<'a> {
    name: String,
    /// Whether it stands for the file and not for a case.
    is_file: bool,
    findings: Vec<&'a Diagnostic>,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
}

/// All cases, each with its findings; then what was found of files themselves, a test for each.
fn suites<'a>(report: &CheckReport<'a>) -> BTreeMap<&'a RepoPath, Suite<'a>> {
    let mut suites: BTreeMap<&RepoPath, Suite<'_>> = BTreeMap::new();
    let sources = report.sources;
    let mut at: BTreeMap<(&RepoPath, &str), usize> = BTreeMap::new();
    let mut add = |path: &'a RepoPath, test: Test<'a>| {
        let suite = suites.entry(path).or_default();
        suite.tests.push(test);
        suite.tests.len() - 1
    };
    for case in report.cases {
        let path = &sources.get(case.span.source).path;
        let test = Test { name: case.id.clone(), is_file: false, findings: Vec::new() };
        let nth = add(path, test);
        at.entry((path, &case.id)).or_insert(nth);
    }
    let mut of_cases: Vec<(&RepoPath, usize, &Diagnostic)> = Vec::new();
    for finding in report.findings {
        let span = finding.primary.span;
        let path = &sources.get(span.source).path;
        match &finding.facts.case {
            Some(case) => {
                let nth = *at
                    .entry((path, case))
                    .or_insert_with(|| add(path, Test { name: case.clone(), is_file: false, findings: Vec::new() }));
                of_cases.push((path, nth, finding));
            }
            None => {
                let name = format!("{} at line {}", finding.rule.name, columns::line(span, sources));
                add(path, Test { name, is_file: true, findings: vec![finding] });
            }
        }
    }
    for (path, nth, finding) in of_cases {
        suites.entry(path).or_default().tests[nth].findings.push(finding);
    }
    suites
}

impl Suite<'_> {
    fn counts(&self) -> Counts {
        self.tests.iter().map(Test::counts).fold(Counts::default(), Counts::plus)
    }

    fn write(&self, path: &str, report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
        let path = attribute(path);
        writeln!(out, "  <testsuite name=\"{path}\" file=\"{path}\" {} skipped=\"0\" time=\"0\">", self.counts())?;
        for test in &self.tests {
            test.write(&path, report, out)?;
        }
        writeln!(out, "  </testsuite>")
    }
}

impl Test<'_> {
    fn failed(&self) -> bool {
        self.findings.iter().any(|finding| finding.level == Level::Error)
    }

    fn counts(&self) -> Counts {
        let failed = usize::from(self.failed());
        match self.is_file {
            true => Counts { tests: 1, failures: 0, errors: failed },
            false => Counts { tests: 1, failures: failed, errors: 0 },
        }
    }

    fn write(&self, path: &str, report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
        let name = attribute(&self.name);
        write!(out, "    <testcase name=\"{name}\" classname=\"{path}\" time=\"0\"")?;
        if self.findings.is_empty() {
            return writeln!(out, "/>");
        }
        writeln!(out, ">")?;
        // A test fails once, whatever it fails of: several elements would be several failures to some readers.
        let errors: Vec<&Diagnostic> = self.findings.iter().copied().filter(|it| it.level == Level::Error).collect();
        if let Some(first) = errors.first() {
            let element = if self.is_file { "error" } else { "failure" };
            let (message, rule) = (attribute(&first.message), first.rule.name);
            let text = body(&errors, report);
            writeln!(out, "      <{element} message=\"{message}\" type=\"{rule}\">{text}</{element}>")?;
        }
        let others: Vec<&Diagnostic> = self.findings.iter().copied().filter(|it| it.level != Level::Error).collect();
        if !others.is_empty() {
            writeln!(out, "      <system-out>{}</system-out>", body(&others, report))?;
        }
        writeln!(out, "    </testcase>")
    }
}

impl Counts {
    fn plus(self, other: Self) -> Self {
        Self {
            tests: self.tests + other.tests,
            failures: self.failures + other.failures,
            errors: self.errors + other.errors,
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "tests=\"{}\" failures=\"{}\" errors=\"{}\"", self.tests, self.failures, self.errors)
    }
}

/// `cases.yaml:4: error[text-changed] …` and what else each says.
fn body(findings: &[&Diagnostic], report: &CheckReport<'_>) -> String {
    let one = |finding: &&Diagnostic| {
        let span = finding.primary.span;
        let (path, line) = (&report.sources.get(span.source).path, columns::line(span, report.sources));
        let head = format!("{}:{line}: {}[{}]", sanitize(&path.to_string()), finding.level.name(), finding.rule.name);
        format!("{head} {}", told::sentences(finding, None).join("\n"))
    };
    escape(&mute_commands(&findings.iter().map(one).collect::<Vec<_>>().join("\n\n")))
}

/// Repository text in an attribute.
fn attribute(text: &str) -> String {
    escape(&mute_commands(&sanitize(text)))
}

/// Sanitized text for XML, which cannot hold the two last characters of a plane's first either.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => escaped.extend(it.escape_unicode()),
            _ => escaped.push(it),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::CasePlace;
    use crate::report::sample::Sample;

    fn page(sample: &Sample) -> String {
        let at =
            |id: &str, finding: usize| CasePlace { id: id.to_owned(), span: sample.findings[finding].primary.span };
        let cases = [at("TC-016", 0), at("TC-017", 0), at("TC-018", 1), at("TC-019", 3)];
        let mut page = Vec::new();
        render(&CheckReport { cases: &cases, ..sample.report() }, &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn a_case_is_a_test() {
        let mut sample = Sample::new();
        sample.findings.remove(1);
        sample.findings[2].notes.clear();
        sample.findings[0].notes.clear();
        let expected = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="citecheck" tests="5" failures="2" errors="1" time="0">
  <testsuite name="cases.yaml" file="cases.yaml" tests="4" failures="2" errors="0" skipped="0" time="0">
    <testcase name="TC-016" classname="cases.yaml" time="0"/>
    <testcase name="TC-017" classname="cases.yaml" time="0">
      <failure message="`safety-limits/thermal-cut-off` changed since it was reviewed" type="text-changed">cases.yaml:4: error[text-changed] `safety-limits/thermal-cut-off` changed since it was reviewed
help: review the case, then run `citecheck accept TC-017`</failure>
    </testcase>
    <testcase name="TC-018" classname="cases.yaml" time="0">
      <system-out>cases.yaml:8: warning[section-moved] `docs/manual.md#alarms` moved to docs/alarms.md, same text
help: cite the section where it is now</system-out>
    </testcase>
    <testcase name="TC-019" classname="cases.yaml" time="0">
      <failure message="`safety-limits/thermal-cut-off` changed since it was reviewed" type="text-changed">cases.yaml:10: error[text-changed] `safety-limits/thermal-cut-off` changed since it was reviewed
help: review the case, then run `citecheck accept TC-017`

cases.yaml:10: error[section-removed] `safety-limits/over-pressure` was removed
help: cite another section, or delete the case</failure>
    </testcase>
  </testsuite>
  <testsuite name="tests/::error::\u{1b}[31m漢.yaml" file="tests/::error::\u{1b}[31m漢.yaml" tests="1" failures="0" errors="1" skipped="0" time="0">
    <testcase name="invalid-yaml at line 2" classname="tests/::error::\u{1b}[31m漢.yaml" time="0">
      <error message="tabs cannot indent YAML" type="invalid-yaml">tests/::error::\u{1b}[31m漢.yaml:2: error[invalid-yaml] tabs cannot indent YAML
the other files were checked</error>
    </testcase>
  </testsuite>
</testsuites>
"#;
        assert_eq!(page(&sample), expected);
    }

    #[test]
    fn what_xml_or_a_log_would_obey_is_escaped() {
        let mut sample = Sample::new();
        sample.findings[5].message = "]]></error><x a='\"'>&amp; \u{0}\u{fffe}\n::error::y ##[group]".to_owned();
        let page = page(&sample);
        let expected =
            "message=\"]]&gt;&lt;/error&gt;&lt;x a='&quot;'&gt;&amp;amp; \\u{0}\\u{fffe}\\n::error::y #♯[group]\"";
        assert!(page.contains(expected), "{page}");
        assert!(!page.contains("##[") && !page.lines().any(|line| line.trim_start().starts_with("::")), "{page}");
    }
}
