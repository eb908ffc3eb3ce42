//! What `check` found, for people: each finding as rustc draws it, then the notes of the run, then one line that says
//! what it all comes to. Words nothing itself.

use std::io::{self, Write};

use rayon::prelude::*;

use super::closing::{closing, more};
use super::layout::{self, BOLD, NOTE, PLAIN, Styled};
use super::told::grouped;
use super::{CheckReport, Looks, snippet, statistics, told};
use crate::diagnostic::Diagnostic;

/// How many further cases a grouped finding names.
const MOST_CASES: usize = 5;

/// Fewer findings than this are drawn sooner than another thread has begun.
const FEW: usize = 32;

/// How many findings are drawn before they are written.
const AT_ONCE: usize = 512;

pub(super) fn render(report: &CheckReport<'_>, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    match report.statistics {
        true => statistics::render(report, looks, out)?,
        false => findings(report, looks, out)?,
    }
    let notes = report.told_notes(looks.quiet);
    for note in notes {
        let text = Styled::new().with(NOTE, "note").with(BOLD, ": ").with(PLAIN, told::sentence(note));
        write_hanging(&text, "      ", looks, out)?;
    }
    if looks.quiet {
        return Ok(());
    }
    if !notes.is_empty() {
        writeln!(out)?;
    }
    if let Some(more) = more(report) {
        write_hanging(&more, "", looks, out)?;
    }
    write_hanging(&closing(report), "", looks, out)
}

fn findings(report: &CheckReport<'_>, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    let groups = grouped(report.findings, |finding| finding.group.as_deref().filter(|_| looks.grouped));
    let (groups, left) = told::most_serious(groups, looks.most);
    let draw = |(first, others): &(&Diagnostic, Vec<&Diagnostic>)| {
        let also = also_cited(first, others, report);
        snippet::draw(first, also.as_slice(), report.sources, looks)
    };
    for groups in groups.chunks(AT_ONCE) {
        let drawn: Vec<String> = groups.par_iter().with_min_len(FEW).map(draw).collect();
        for finding in drawn {
            writeln!(out, "{finding}\n")?;
        }
    }
    if let Some(left) = left {
        write_hanging(&Styled::new().with(BOLD, left), "", looks, out)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Writes wrapped lines, those after the first after an indentation.
pub(super) fn write_hanging(text: &Styled, indent: &str, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    for (at, line) in text.wrap(looks.width.saturating_sub(indent.len())).iter().enumerate() {
        writeln!(out, "{}{}", if at == 0 { "" } else { indent }, line.paint(looks.color))?;
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Level;
    use crate::report::sample::{Sample, looks};
    use crate::report::{Format, render_check};

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
5 | ...and the heater shall switch off at 45 °C within 2 s; the display then...
  |                   ----- modality      -- number
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

`citecheck explain RULE` says more about each rule
3 cases need a look, 1 other error, 1 citation can be remapped; 290 renumbered
headings touch nobody (12 manuals, 340 sections, 1,204 citations;
a1b2c3d..worktree)
";

    fn page(sample: &Sample, looks: Looks) -> String {
        let mut page = Vec::new();
        render_check(Format::Human, &sample.report(), looks, &mut page).unwrap();
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
    fn what_is_left_out_is_counted_and_the_most_serious_stay() {
        let most = |most| page(&Sample::new(), Looks { most: Some(most), width: 120, ..looks() });
        let cut = most(2);
        let left = "… and 2 more findings; `--max-diagnostics 2` leaves them out\n";
        assert!(cut.contains(left) && cut.contains("1 other error"), "{cut}");
        assert_eq!(cut.matches("\nerror[").count() + cut.matches("\nwarning[").count(), 1, "{cut}");
        assert!(cut.contains("error[section-removed]") && !cut.contains("section-moved"), "{cut}");
        assert!(most(0).starts_with("… and 6 more findings;"));
        assert!(most(3).contains("… and 1 more finding;"));
        assert_eq!(most(4), most(1000));
    }

    #[test]
    fn quiet_is_findings_and_nothing_else() {
        let quiet = |sample: &Sample| page(sample, Looks { quiet: true, ..looks() });
        let findings = &PAGE[..PAGE.find("note: 2 citations").unwrap()];
        assert_eq!(quiet(&Sample::new()), findings);
        let mut page = Vec::new();
        let sample = Sample::new();
        let mut report = CheckReport { findings: &[], ..sample.report() };
        render(&report, Looks { quiet: true, ..looks() }, &mut page).unwrap();
        assert_eq!(page, b"");
        report.summary.has_cases = false;
        render(&report, Looks { quiet: true, ..looks() }, &mut page).unwrap();
        assert!(page.starts_with(b"note: "), "why nothing was checked is told");
    }

    #[test]
    fn a_group_hides_no_error_behind_a_warning() {
        let mut sample = Sample::new();
        sample.findings[0].level = Level::Warning;
        assert_eq!(page(&sample, looks()).matches("error[text-changed]").count(), 1);
    }

    #[test]
    fn a_log_obeys_nothing() {
        let page = page(&Sample::new(), Looks { ci_log: true, width: 30, ..looks() });
        assert!(!page.contains("##["));
        assert!(!page.lines().any(|line| line.trim_start().starts_with("::")), "{page}");
    }
}
