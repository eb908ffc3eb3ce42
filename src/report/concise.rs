//! One line a finding, `path:line:column: level[rule] message [case TC-1]`, for editors, `grep` and problem matchers; then
//! the notes of the run and its closing line.

use std::io::{self, Write};

use super::closing::closing;
use super::excerpt::line_column;
use super::layout::{ERROR, NOTE, Styled, WARNING};
use super::{CheckReport, Looks, statistics, told};
use crate::diagnostic::{Diagnostic, Level};
use crate::sanitize::sanitize;

pub(super) fn render(report: &CheckReport<'_>, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    match report.statistics {
        true => statistics::render(report, looks, out)?,
        false => lines(report, looks, out)?,
    }
    for note in report.told_notes(looks.quiet) {
        writeln!(out, "note: {}", told::sentence(note))?;
    }
    match looks.quiet {
        true => Ok(()),
        false => writeln!(out, "{}", closing(report).paint(looks.color)),
    }
}

fn lines(report: &CheckReport<'_>, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    let (findings, left) = told::most_serious(told::grouped(report.findings, |_| None::<()>), looks.most);
    for (finding, _) in findings {
        writeln!(out, "{}", line(finding, report, looks))?;
    }
    if let Some(left) = left {
        writeln!(out, "{left}")?;
    }
    Ok(())
}

fn line(finding: &Diagnostic, report: &CheckReport<'_>, looks: Looks) -> String {
    let path = report.sources.get(finding.primary.span.source).path.to_string();
    let at = line_column(finding.primary.span, report.sources);
    let style = match finding.level {
        Level::Error => ERROR,
        Level::Warning => WARNING,
        Level::Note => NOTE,
    };
    let level = Styled::new().with(style, format!("{}[{}]", finding.level.name(), finding.rule.name));
    let case = finding.facts.case.as_ref().map_or_else(String::new, |case| format!(" [case {}]", told::sentence(case)));
    let (path, message) = (sanitize(&path), told::sentence(&finding.message));
    format!("{path}:{}:{}: {} {message}{case}", at.line, at.column, level.paint(looks.color))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::{Sample, looks};
    use crate::report::{Format, render_check};

    fn page(looks: Looks) -> String {
        let mut page = Vec::new();
        render_check(Format::Concise, &Sample::new().report(), looks, &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn a_finding_is_a_line() {
        let expected = r"cases.yaml:4:9: error[text-changed] `safety-limits/thermal-cut-off` changed since it was reviewed [case TC-017]
cases.yaml:7:9: error[text-changed] `safety-limits/thermal-cut-off` changed since it was reviewed [case TC-018]
cases.yaml:8:9: warning[section-moved] `docs/manual.md#alarms` moved to docs/alarms.md, same text [case TC-018]
cases.yaml:10:13: error[text-changed] `safety-limits/thermal-cut-off` changed since it was reviewed [case TC-019]
cases.yaml:10:44: error[section-removed] `safety-limits/over-pressure` was removed [case TC-019]
tests/::error::\u{1b}[31m漢.yaml:2:1: error[invalid-yaml] tabs cannot indent YAML
note: 2 citations were stale before a1b2c3d already; `citecheck check --all` shows them
3 cases need a look, 1 other error, 1 citation can be remapped; 290 renumbered headings touch nobody (12 manuals, 340 sections, 1,204 citations; a1b2c3d..worktree)
";
        assert_eq!(page(looks()), expected);
    }

    #[test]
    fn less_can_be_told() {
        let page = page(Looks { quiet: true, most: Some(1), ..looks() });
        let left = "… and 5 more findings; `--max-diagnostics 1` leaves them out\n";
        assert!(page.starts_with("cases.yaml:4:9: error[text-changed] ") && page.ends_with(left), "{page}");
        assert_eq!(page.lines().count(), 2);
    }

    #[test]
    fn the_level_stands_out_in_colour() {
        let page = page(Looks { color: true, ..looks() });
        assert!(page.starts_with("cases.yaml:4:9: \u{1b}[1m\u{1b}[91merror[text-changed]\u{1b}[0m `"), "{page}");
    }
}
