//! What `check` found, for people: each finding as rustc draws it, then the notes of the run, then one line that says
//! what it all comes to. Wording of findings is the rules'; that of the closing line is here.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::layout::{self, BOLD, DIM, ERROR, NOTE, PLAIN, Styled, WARNING, count};
use super::{CheckReport, Looks, sanitize, snippet};
use crate::diagnostic::{Diagnostic, EndFact, Level};

/// How many further cases a grouped finding names.
const MOST_CASES: usize = 5;

pub(super) fn render(report: &CheckReport<'_>, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    for (first, others) in grouped(report.findings, looks.grouped) {
        let also = also_cited(first, &others, report);
        writeln!(out, "{}\n", snippet::draw(first, also.as_slice(), report.sources, looks))?;
    }
    for note in report.notes {
        let text = Styled::new().with(NOTE, "note").with(BOLD, ": ").with(PLAIN, sanitize(note));
        write_hanging(&text, "      ", looks, out)?;
    }
    if !report.notes.is_empty() {
        writeln!(out)?;
    }
    write_hanging(&closing(report), "", looks, out)
}

/// Writes wrapped lines, those after the first after an indentation.
pub(super) fn write_hanging(text: &Styled, indent: &str, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    for (at, line) in text.wrap(looks.width.saturating_sub(indent.len())).iter().enumerate() {
        writeln!(out, "{}{}", if at == 0 { "" } else { indent }, line.paint(looks.color))?;
    }
    Ok(())
}

/// `(12 manuals, …; a1b2c3d..worktree)`: what was compared.
pub(super) fn range(base: &EndFact, head: &EndFact) -> String {
    format!("{}..{}", end(base), end(head))
}

/// A name as given; a full commit id, or `HEAD`, which says little in a log, as the short id.
fn end(end: &EndFact) -> String {
    let id = |text: &str| text.get(..7).unwrap_or(text).to_owned();
    match &end.commit {
        Some(commit) if end.rev == "HEAD" || end.rev == *commit => id(commit),
        Some(_) | None => sanitize(&end.rev).into_owned(),
    }
}

/// Findings that are shown as one, each with the others of its group, at the place of the first.
/// A group never hides an error behind a warning, nor one rule behind another.
fn grouped(findings: &[Diagnostic], grouped: bool) -> Vec<(&Diagnostic, Vec<&Diagnostic>)> {
    let mut shown: Vec<(&Diagnostic, Vec<&Diagnostic>)> = Vec::new();
    let mut first = BTreeMap::new();
    for finding in findings {
        let key = finding.group.as_deref().filter(|_| grouped).map(|group| (group, finding.rule.name, finding.level));
        match key.and_then(|key| first.get(&key)).copied() {
            Some(at) => {
                let (_, others): &mut (&Diagnostic, Vec<&Diagnostic>) = &mut shown[at];
                others.push(finding);
            }
            None => {
                first.extend(key.map(|key| (key, shown.len())));
                shown.push((finding, Vec::new()));
            }
        }
    }
    shown
}

/// `also cited by TC-018 (cases.yaml:12:9), …`.
fn also_cited(first: &Diagnostic, others: &[&Diagnostic], report: &CheckReport<'_>) -> Option<String> {
    let checked = &report.sources.get(first.primary.span.source).rev;
    let name = |other: &&Diagnostic| {
        let place = snippet::place(other.primary.span, checked, report.sources);
        match &other.facts.case {
            Some(case) => format!("{case} ({place})"),
            None => place,
        }
    };
    let names: Vec<String> = others.iter().map(name).collect();
    (!names.is_empty()).then(|| format!("also cited by {}", layout::list(&names, MOST_CASES)))
}

/// The closing line: effect first, then what was looked at.
fn closing(report: &CheckReport<'_>) -> Styled {
    let summary = &report.summary;
    let effects = effects(report);
    let mut line = match effects.is_empty() {
        true => Styled::new().with(NOTE, all_fresh(report)),
        false => Styled::new(),
    };
    for (at, (style, effect)) in effects.into_iter().enumerate() {
        line = line.with(PLAIN, if at == 0 { "" } else { ", " }).with(style, effect);
    }
    let bystanders = [
        (summary.uncited_substantive, "changed section is cited by nobody", "changed sections are cited by nobody"),
        (summary.renumbered, "renumbered heading touches nobody", "renumbered headings touch nobody"),
    ];
    let bystanders: Vec<String> = bystanders
        .iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| count(*number, one, many))
        .collect();
    if !bystanders.is_empty() {
        line.push(PLAIN, format!("; {}", bystanders.join(", ")));
    }
    let scope = [
        count(summary.manuals, "manual", "manuals"),
        count(summary.sections, "section", "sections"),
        count(summary.citations, "citation", "citations"),
    ];
    line.with(DIM, format!(" ({}; {})", scope.join(", "), range(&report.base, &report.head)))
}

/// What a person has to do something about, worst first.
fn effects(report: &CheckReport<'_>) -> Vec<(anstyle::Style, String)> {
    let number = |holds: &dyn Fn(&Diagnostic) -> bool| report.findings.iter().filter(|it| holds(it)).count();
    // Errors of files have no case that could need a look; a fixable warning is told as remappable.
    let elsewhere = number(&|it| it.level == Level::Error && it.facts.case.is_none());
    let warnings = number(&|it| it.level == Level::Warning && it.fix.is_none());
    let cases = report.summary.cases_to_look_at;
    let other = if cases == 0 { ("error", "errors") } else { ("other error", "other errors") };
    let effects = [
        (cases, ERROR, "case needs a look", "cases need a look"),
        (elsewhere, ERROR, other.0, other.1),
        (report.summary.fixable, WARNING, "citation can be remapped", "citations can be remapped"),
        (warnings, WARNING, "warning", "warnings"),
    ];
    let told = effects.into_iter().filter(|(number, ..)| *number > 0);
    told.map(|(number, style, one, many)| (style, count(number, one, many))).collect()
}

fn all_fresh(report: &CheckReport<'_>) -> String {
    match report.summary.citations {
        0 => "no citation was found".to_owned(),
        1 => "the 1 citation is fresh".to_owned(),
        number => format!("all {} are fresh", count(number, "citation", "citations")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Sample, looks};
    use super::*;
    use crate::diagnostic::CheckSummary;

    const PAGE: &str = r"error[text-changed]: `safety-limits/thermal-cut-off` changed since it was reviewed
 --> cases.yaml:4:9
  |
4 |       - safety-limits/thermal-cut-off
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ reviewed at a1b2c3d
  |
note: the manual said
 --> docs/manual.md@a1b2c3d:5:102
  |
3 | ## 5.2 Thermal cut-off
4 |
5 | ...the heater shall switch off at 45 °C within 2 s; the display then...
  |               ----- modality      -- number
note: the manual now says
 --> docs/manual.md:7:102
  |
5 | ## 5.2 Thermal cut-off
6 |
7 | ...the heater should switch off at 40 °C within 2 s; the display then...
  |               ------ modality      -- number
  = note: changed by 9f8e7d6 on 2026-11-30 (Kim Doe): Lower the limit
          \u{1b}[31m##[warning]and more words
  = note: also cited by TC-018 (cases.yaml:7:9), TC-019 (cases.yaml:10:13)
help: review the case, then run `citecheck accept TC-017`

warning[section-moved]: `docs/manual.md#alarms` moved to docs/alarms.md, same text
 --> cases.yaml:8:9
  |
8 |       - docs/manual.md#alarms
  |         ^^^^^^^^^^^^^^^^^^^^^ no longer resolves
  |
help: cite the section where it is now
  |
8 -       - docs/manual.md#alarms
8 +       - docs/alarms.md#alarms
  |

error[section-removed]: `safety-limits/over-pressure` was removed
  --> cases.yaml:10:44
   |
10 |     cites: [safety-limits/thermal-cut-off, safety-limits/over-pressure]
   |                                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
note: the manual said
  --> docs/manual.md@a1b2c3d:9:5
   |
 7 | ## 5.3 Over-pressure 過圧 ⚠️
 8 |
 9 |     弁は 3.5 bar で開く。
   |          ------- gone
help: cite another section, or delete the case

error[invalid-yaml]: tabs cannot indent YAML
 --> tests/::error::\u{1b}[31m漢.yaml:2:1
  |
2 |     - id: 漢字 \u{1b}[31m ::error::x ##[error]y \u{202e}evil
  | ^^^^ a tab
  |
note: \u{202e}evil\ntitle
 --> tests/::error::\u{1b}[31m漢.yaml:2:8
  |
2 |     - id: 漢字 \u{1b}[31m ::error::x ##[error]y \u{202e}evil
  |           ---- evil \u{9b}2J label\n::error::z
  = note: the other files were checked

note: 2 citations were stale before a1b2c3d already;
      `citecheck check --all` shows them

3 cases need a look, 1 other error, 1 citation can be remapped; 290 renumbered
headings touch nobody (12 manuals, 340 sections, 1,204 citations;
a1b2c3d..worktree)
";

    fn page(sample: &Sample, looks: Looks) -> String {
        let mut page = Vec::new();
        super::super::render_check(super::super::Format::Human, &sample.report(), looks, &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn findings_are_drawn_as_rustc_does() {
        assert_eq!(page(&Sample::new(), looks()), PAGE);
    }

    #[test]
    fn colours_are_those_of_rustc() {
        let page = page(&Sample::new(), Looks { unicode: true, color: true, ..looks() }).replace('\u{1b}', "^");
        let expected = "\
^[1m^[91merror[text-changed]^[0m^[1m: `safety-limits/thermal-cut-off` changed since it was reviewed^[0m
 ^[1m^[94m ╭▸ ^[0mcases.yaml:4:9
";
        assert_eq!(&page[..expected.len()], expected);
        assert!(
            page.contains("\n^[1m^[91m3 cases need a look^[0m, ^[1m^[91m1 other error^[0m, ^[1m^[33m1 citation"),
            "{page}"
        );
    }

    #[test]
    fn ungrouped_findings_stand_alone() {
        let page = page(&Sample::new(), Looks { grouped: false, ..looks() });
        assert_eq!(page.matches("error[text-changed]").count(), 3);
        assert!(!page.contains("also cited by"), "{page}");
    }

    #[test]
    fn long_groups_are_cut() {
        let mut sample = Sample::new();
        let other = sample.findings[1].clone();
        sample.findings.extend(std::iter::repeat_n(other, 40));
        let page = page(&sample, Looks { width: 300, ..looks() });
        assert!(page.contains("TC-018 (cases.yaml:7:9), … and 37 more\n"), "{page}");
    }

    #[test]
    fn a_group_hides_no_error_behind_a_warning() {
        let mut sample = Sample::new();
        sample.findings[0].level = Level::Warning;
        assert_eq!(page(&sample, looks()).matches("error[text-changed]").count(), 1);
    }

    #[test]
    fn the_closing_line_says_what_it_comes_to() {
        let sample = Sample::new();
        let check = |findings: &[Diagnostic], cases: usize, citations: usize, expected: &str| {
            let mut report = CheckReport { findings, ..sample.report() };
            report.summary =
                CheckSummary { manuals: 1, sections: 4, citations, cases_to_look_at: cases, ..CheckSummary::default() };
            assert_eq!(closing(&report).paint(false), format!("{expected}; a1b2c3d..worktree)"));
        };
        check(&[], 0, 14, "all 14 citations are fresh (1 manual, 4 sections, 14 citations");
        check(&[], 0, 1, "the 1 citation is fresh (1 manual, 4 sections, 1 citation");
        check(&[], 0, 0, "no citation was found (1 manual, 4 sections, 0 citations");
        check(&sample.findings[..1], 1, 2, "1 case needs a look (1 manual, 4 sections, 2 citations");
        check(&sample.findings[5..], 0, 2, "1 error (1 manual, 4 sections, 2 citations");
    }

    #[test]
    fn a_log_obeys_nothing() {
        let page = page(&Sample::new(), Looks { ci_log: true, width: 30, ..looks() });
        assert!(!page.contains("##["));
        assert!(!page.lines().any(|line| line.trim_start().starts_with("::")), "{page}");
    }
}
