//! Annotations: workflow commands that GitHub Actions reads from the log and shows beside the lines of a change.
//!
//! A runner keeps ten annotations of each level a step and drops the rest without a word, so the most serious are told and
//! the rest is counted. A message is cut at 4,096 characters by the runner; by us before that, between characters.

use std::io::{self, Write};

use super::CheckReport;
use super::closing::closing;
use super::layout::{count, cut};
use super::shown::{self, Line};
use super::told::{self, Anchor};
use crate::columns::{self, GITHUB, Region};
use crate::diagnostic::{Diagnostic, Level};
use crate::sanitize::{mute_commands, sanitize};
use crate::source::Span;

/// Annotations of one level that a runner shows for a step.
const MOST: usize = 10;
/// Characters of a message, with room for what escaping adds on the other side.
const MOST_CHARACTERS: usize = 4_000;

pub(super) fn render(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (mut left_out, mut room) = (0, [MOST, MOST, MOST - 1]);
    for (first, others) in annotations(report) {
        let left = match first.level {
            Level::Error => &mut room[0],
            Level::Warning => &mut room[1],
            Level::Note => &mut room[2],
        };
        if *left == 0 {
            left_out += 1 + others.len();
            continue;
        }
        *left -= 1;
        writeln!(out, "{}", annotation(first, &others, report))?;
    }
    // One notice is kept for the last line.
    for note in report.notes.iter().take(room[2]) {
        writeln!(out, "::notice title=citecheck::{}", data(&sanitize(note)))?;
    }
    let notes = report.notes.len().saturating_sub(room[2]);
    if let Some(more) = more(left_out, notes) {
        writeln!(out, "::notice title=citecheck::{}", data(&more))?;
    }
    writeln!(out, "{}", mute_commands(&closing(report).paint(false)))
}

/// What was left out, in words.
fn more(findings: usize, notes: usize) -> Option<String> {
    let findings = (findings > 0).then(|| count(findings, "more finding", "more findings"));
    let notes = (notes > 0).then(|| count(notes, "more note", "more notes"));
    let more: Vec<String> = findings.into_iter().chain(notes).collect();
    (!more.is_empty()).then(|| format!("{} in the job summary", more.join(" and ")))
}

/// The most serious first; of equals by place. Cases that one change hits are one annotation where it stands on the
/// change, or where nobody said what the change consists of.
fn annotations<'a>(report: &CheckReport<'a>) -> Vec<(&'a Diagnostic, Vec<&'a Diagnostic>)> {
    told::grouped(told::ranked(report.findings), |finding| {
        let together = report.changed_files.is_empty() || told::anchor(finding, report).on_manual;
        finding.group.as_deref().filter(|_| together)
    })
}

fn annotation(first: &Diagnostic, others: &[&Diagnostic], report: &CheckReport<'_>) -> String {
    let Anchor { span, on_manual } = told::anchor(first, report);
    let level = match first.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let path = report.sources.get(span.source).path.to_string();
    let command = format!("::{level} file={},{}", property(&sanitize(&path)), place(span, report));
    let name_cases = on_manual || !others.is_empty();
    let cases =
        name_cases.then(|| told::cited_by(std::iter::once(first).chain(others.iter().copied()), report)).flatten();
    let message = cut(&told::sentences(first, cases).join("\n"), MOST_CHARACTERS).into_owned();
    format!("{command},title={}::{}", property(&format!("citecheck: {}", first.rule.name)), data(&message))
}

/// The place as the page has it. Columns over several lines would mean nothing to GitHub, which then drops the place;
/// those of a line that the page has not would mark something else.
fn place(span: Span, report: &CheckReport<'_>) -> String {
    let Region { start, end } = columns::region(span, report.sources, GITHUB);
    let file = report.sources.get(span.source);
    let lines = match report.shown.get(&file.path) {
        Some(shown) => shown::find(&file.text, shown, [start.line, end.line]),
        None => [Line::Same(start.line), Line::Same(end.line)],
    };
    match lines {
        [Line::Same(first), Line::Same(last)] if first == last => {
            format!("line={first},endLine={last},col={},endColumn={}", start.column, end.column)
        }
        [first, last] => format!("line={},endLine={}", first.number(), last.number()),
    }
}

/// Text behind the `::` of a command, as the official toolkit escapes it; commands inside are muted for whoever prints
/// the message again.
fn data(text: &str) -> String {
    mute_commands(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::report::sample::Sample;
    use crate::source::{RepoPath, Rev};

    fn page(report: &CheckReport<'_>) -> String {
        let mut page = Vec::new();
        render(report, &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn findings_stand_where_they_are() {
        let page = page(&Sample::new().report());
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines.len(), 6, "{page}");
        let expected = "::error file=cases.yaml,line=4,endLine=4,col=9,endColumn=38,title=citecheck%3A text-changed::\
            `safety-limits/thermal-cut-off` changed since it was reviewed%0Acited by TC-017 (cases.yaml:4:9), \
            TC-018 (cases.yaml:7:9), TC-019 (cases.yaml:10:13)%0A\
            changed by 9f8e7d6 on 2026-11-30 (Kim Doe): Lower the limit \\u{1b}[31m#♯[warning]and more words%0A\
            help: review the case, then run `citecheck accept TC-017`";
        assert_eq!(lines[0], expected);
        assert_eq!(
            lines[2],
            "::error file=tests/%3A%3Aerror%3A%3A\\u{1b}[31m漢.yaml,line=2,endLine=2,col=1,endColumn=2,\
            title=citecheck%3A invalid-yaml::tabs cannot indent YAML%0Athe other files were checked"
        );
        assert!(lines[3].starts_with("::warning file=cases.yaml,line=8,"), "{page}");
        assert!(lines[4].starts_with("::notice title=citecheck::2 citations were stale"), "{page}");
        assert!(lines[5].starts_with("3 cases need a look, "), "{page}");
    }

    #[test]
    fn a_change_of_the_manual_alone_is_told_on_its_lines() {
        let sample = Sample::new();
        let changed_files: BTreeSet<RepoPath> = [RepoPath::new("docs/manual.md")].into();
        let page = page(&CheckReport { changed_files: &changed_files, ..sample.report() });
        let first = page.lines().next().unwrap();
        let place = "::error file=docs/manual.md,line=7,endLine=7,col=102,endColumn=108,";
        assert!(first.starts_with(place) && first.contains("cited by TC-017 (cases.yaml:4:9), TC-018"), "{first}");
        assert_eq!(page.matches("text-changed").count(), 1, "{page}");
    }

    #[test]
    fn cases_that_are_part_of_the_change_are_told_one_by_one() {
        let sample = Sample::new();
        let changed_files: BTreeSet<RepoPath> = [RepoPath::new("cases.yaml")].into();
        let page = page(&CheckReport { changed_files: &changed_files, ..sample.report() });
        assert_eq!(page.matches("title=citecheck%3A text-changed").count(), 3, "{page}");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let mut sample = Sample::new();
        let warning = sample.findings[2].clone();
        let error = sample.findings[4].clone();
        sample.findings.extend(std::iter::repeat_n(warning, 25));
        sample.findings.extend(std::iter::repeat_n(error, 14));
        let page = page(&sample.report());
        let of = |command: &str| page.matches(command).count();
        assert_eq!((of("::error file"), of("::warning file"), of("::notice")), (10, 10, 2), "{page}");
        assert!(page.contains("::notice title=citecheck::23 more findings in the job summary\n"), "{page}");
        sample.notes = vec!["a note".to_owned(); 11];
        let page = self::page(&sample.report());
        assert_eq!(page.matches("::notice title=citecheck::a note").count(), 9, "{page}");
        assert!(page.contains("::23 more findings and 2 more notes in the job summary\n"), "{page}");
    }

    #[test]
    fn lines_are_those_of_the_page() {
        let sample = Sample::new();
        let report = sample.report();
        let path = RepoPath::new("cases.yaml");
        let places = report.findings.iter().map(|finding| report.sources.get(finding.primary.span.source));
        let file = places.into_iter().find(|file| file.path == path).unwrap();
        let shown = BTreeMap::from([(path, format!("# one\n# more\n{}", file.text))]);
        let page = page(&CheckReport { shown: &shown, ..sample.report() });
        assert!(page.contains("::error file=cases.yaml,line=6,endLine=6,col=9,endColumn=38,"), "{page}");
        let shown = BTreeMap::from([(RepoPath::new("cases.yaml"), String::new())]);
        let page = self::page(&CheckReport { shown: &shown, ..sample.report() });
        assert!(page.contains("::error file=cases.yaml,line=1,endLine=1,title="), "{page}");
    }

    #[test]
    fn nothing_in_a_text_is_a_command() {
        let mut sample = Sample::new();
        let path = RepoPath::new("a,b:c%0A::error::x\n::stop-commands::t.md");
        let source = sample.sources.add(Rev::Worktree, path, "x");
        sample.findings.truncate(1);
        let finding = &mut sample.findings[0];
        finding.primary.span = crate::source::Span { source, start: 0, end: 1 };
        finding.message = "100 %\r\n::add-mask::y ##[group]".to_owned();
        finding.group = None;
        let page = page(&sample.report());
        let first = page.lines().next().unwrap();
        let expected = "::error file=a%2Cb%3Ac%250A%3A%3Aerror%3A%3Ax\\n%3A%3Astop-commands%3A%3At.md,line=1,endLine=1,\
            col=1,endColumn=2,title=citecheck%3A text-changed::100 %25\\r\\n::add-mask::y #♯[group]%0A";
        assert!(first.starts_with(expected), "{first}");
        for line in page.lines().filter(|line| line.trim_start().starts_with("::")) {
            assert!(["::error file=", "::notice title="].iter().any(|command| line.starts_with(command)), "{line}");
        }
        assert!(!page.contains("##["), "{page}");
    }

    #[test]
    fn an_endless_message_is_cut_between_characters() {
        let mut sample = Sample::new();
        sample.findings.truncate(1);
        sample.findings[0].message = "漢".repeat(9_000);
        assert!(page(&sample.report()).lines().next().unwrap().chars().count() < 4_096 + 200);
    }
}
