//! What formats share in telling findings: where one is shown in a change under review, which are shown as one, which come
//! first, and a finding in plain sentences.

use std::collections::{BTreeMap, BTreeSet};

use super::{CheckReport, layout, shown, snippet};
use crate::diagnostic::Diagnostic;
use crate::sanitize::sanitize;
use crate::source::{RepoPath, SourceId, Span};

/// How many cases one message names.
const MOST_CASES: usize = 12;
/// Characters of one sentence: whoever wrote a commit's subject or a citation decides how long it is.
const SENTENCE: usize = 1_000;

/// A sentence made harmless, and cut if it is endless.
pub(super) fn sentence(text: &str) -> String {
    sanitize(&layout::cut(text, SENTENCE)).into_owned()
}

/// Where a finding is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Anchor {
    pub(super) span: Span,
    /// Whether that is the changed text and not the case, which then has to be named.
    pub(super) on_manual: bool,
}

/// The case's place; the changed lines of the manual where the case's line is not part of the change. Reviewers see
/// nothing that is attached to a line outside of the change.
pub(super) fn anchor(finding: &Diagnostic, report: &CheckReport<'_>) -> Anchor {
    let at_case = finding.primary.span;
    let is_changed = report.changed_files.contains(&report.sources.get(at_case.source).path);
    let is_seen = is_changed && !report.kept_places.contains(&at_case);
    let on_manual = (!report.changed_files.is_empty() && !is_seen).then(|| in_manual(finding, report)).flatten();
    Anchor { span: on_manual.unwrap_or(at_case), on_manual: on_manual.is_some() }
}

/// Where a change of the manual can be seen: what it brought, else the line that stands now where it took something away,
/// else the heading that moved or has another name. `None` where the file is gone, or is not part of the change.
fn in_manual(finding: &Diagnostic, report: &CheckReport<'_>) -> Option<Span> {
    let checked = &report.sources.get(finding.primary.span.source).rev;
    let labels = || finding.snippets.iter().flat_map(|snippet| &snippet.labels).map(|label| label.span);
    let is_changed = |span: &Span| report.changed_files.contains(&report.sources.get(span.source).path);
    let is_here = |span: &Span| report.sources.get(span.source).rev == *checked;
    let now = |path: &RepoPath| report.sources.find(checked, path).filter(|_| report.changed_files.contains(path));
    let where_it_stood = |span: Span| {
        let before = report.sources.get(span.source);
        let (line, _) = report.sources.line(span.source, span.start);
        let after = now(&before.path)?;
        let [near, _] = shown::find(&before.text, &report.sources.get(after).text, [line, line]);
        line_span(after, near.number(), report)
    };
    let moved = finding.facts.after.as_ref();
    labels()
        .find(|span| is_here(span) && is_changed(span))
        .or_else(|| labels().filter(|span| !is_here(span)).find_map(where_it_stood))
        .or_else(|| moved.and_then(|section| line_span(now(&RepoPath::new(&section.file))?, section.line, report)))
}

/// A line without its end.
fn line_span(source: SourceId, line: usize, report: &CheckReport<'_>) -> Option<Span> {
    let start = report.sources.line_start(source, line)?;
    let rest = &report.sources.get(source).text[start..];
    let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
    Some(Span::new(source, start, start + length))
}

/// A finding and others that are shown with it.
pub(super) type Group<'a> = (&'a Diagnostic, Vec<&'a Diagnostic>);

/// Findings that are shown as one, each with the others of its group, at the place of the first.
/// A group never hides an error behind a warning, nor one rule behind another.
pub(super) fn grouped<'a, K: Ord>(
    findings: impl IntoIterator<Item = &'a Diagnostic>,
    key: impl Fn(&'a Diagnostic) -> Option<K>,
) -> Vec<Group<'a>> {
    let mut shown: Vec<Group<'a>> = Vec::new();
    let mut first = BTreeMap::new();
    for finding in findings {
        let key = key(finding).map(|key| (key, finding.rule.name, finding.level));
        match key.as_ref().and_then(|key| first.get(key)).copied() {
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

/// As many groups as are wanted, the most serious, in the order in which they were; and in words how many findings the
/// others hold.
pub(super) fn most_serious<'a>(groups: Vec<Group<'a>>, most: Option<usize>) -> (Vec<Group<'a>>, Option<String>) {
    let Some(most) = most.filter(|most| *most < groups.len()) else { return (groups, None) };
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(groups[*at].0.level));
    let shown: BTreeSet<usize> = order.into_iter().take(most).collect();
    let (kept, left): (Vec<_>, Vec<_>) = groups.into_iter().enumerate().partition(|(at, _)| shown.contains(at));
    let left: usize = left.iter().map(|(_, (_, others))| 1 + others.len()).sum();
    let more = layout::count(left, "more finding", "more findings");
    let left = match left {
        1 => format!("… and {more}; `--max-diagnostics {most}` leaves it out"),
        _ => format!("… and {more}; `--max-diagnostics {most}` leaves them out"),
    };
    (kept.into_iter().map(|(_, group)| group).collect(), Some(left))
}

/// The findings as a list that may be cut: the most serious first, else as they were.
pub(super) fn ranked(findings: &[Diagnostic]) -> Vec<&Diagnostic> {
    let mut ranked: Vec<&Diagnostic> = findings.iter().collect();
    ranked.sort_by_key(|finding| std::cmp::Reverse(finding.level));
    ranked
}

/// What a finding says beside its places, a sentence a line: the fact, whom it concerns where that is not plain from the
/// place, why, and what to do. Sanitized.
pub(super) fn sentences(finding: &Diagnostic, cases: Option<String>) -> Vec<String> {
    let helps = finding.helps.iter().chain(finding.fix.as_ref().map(|fix| &fix.title));
    std::iter::once(sentence(&finding.message))
        .chain(cases)
        .chain(finding.notes.iter().map(|note| sentence(note)))
        .chain(helps.map(|help| sentence(&format!("help: {help}"))))
        .collect()
}

/// `cited by TC-017 (cases.yaml:4:9), TC-018 (cases.yaml:7:9)`; nothing where no case is concerned.
pub(super) fn cited_by<'a>(
    findings: impl IntoIterator<Item = &'a Diagnostic>,
    report: &CheckReport<'_>,
) -> Option<String> {
    let names: Vec<String> = findings.into_iter().filter_map(|finding| case_and_place(finding, report)).collect();
    (!names.is_empty()).then(|| format!("cited by {}", layout::list(&names, MOST_CASES)))
}

fn case_and_place(finding: &Diagnostic, report: &CheckReport<'_>) -> Option<String> {
    let checked = &report.sources.get(finding.primary.span.source).rev;
    let place = snippet::place(finding.primary.span, checked, report.sources);
    finding.facts.case.as_deref().map(|case| format!("{} ({place})", sanitize(case)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns;
    use crate::report::sample::Sample;

    fn check(changed: &[&str], expected: &[&str]) {
        let sample = Sample::new();
        let changed_files: BTreeSet<RepoPath> = changed.iter().map(RepoPath::new).collect();
        let report = CheckReport { changed_files: &changed_files, ..sample.report() };
        let places: Vec<String> = report
            .findings
            .iter()
            .take(5)
            .map(|finding| {
                let anchor = anchor(finding, &report);
                let line = columns::line(anchor.span, report.sources);
                format!("{}:{line} {}", report.sources.get(anchor.span.source).path, anchor.on_manual)
            })
            .collect();
        assert_eq!(places, expected, "{changed:?}");
    }

    #[test]
    fn a_finding_is_shown_where_the_change_is() {
        let at_cases = [
            "cases.yaml:4 false",
            "cases.yaml:7 false",
            "cases.yaml:8 false",
            "cases.yaml:10 false",
            "cases.yaml:10 false",
        ];
        check(&[], &at_cases);
        check(&["cases.yaml", "docs/manual.md"], &at_cases);
        check(&["other.md"], &at_cases);
        // What was removed is told where it stood; what moved to a file that is no part of the change is told at its case.
        check(
            &["docs/manual.md"],
            &[
                "docs/manual.md:7 true",
                "docs/manual.md:7 true",
                "cases.yaml:8 false",
                "docs/manual.md:7 true",
                "docs/manual.md:9 true",
            ],
        );
    }

    #[test]
    fn a_case_on_a_line_that_did_not_change_is_not_seen() {
        let sample = Sample::new();
        let changed_files = ["cases.yaml", "docs/manual.md"].map(RepoPath::new).into();
        let kept_places = BTreeSet::from([sample.findings[0].primary.span, sample.findings[2].primary.span]);
        let report = CheckReport { changed_files: &changed_files, kept_places: &kept_places, ..sample.report() };
        let on_manual: Vec<bool> =
            report.findings.iter().take(4).map(|finding| anchor(finding, &report).on_manual).collect();
        // What moved did so to a file that is no part of the change.
        assert_eq!(on_manual, [true, false, false, false]);
    }

    #[test]
    fn errors_come_first_and_else_the_order_stays() {
        let sample = Sample::new();
        let ranked: Vec<&str> = ranked(&sample.findings).iter().map(|finding| finding.rule.name).collect();
        let expected =
            ["text-changed", "text-changed", "text-changed", "section-removed", "invalid-yaml", "section-moved"];
        assert_eq!(ranked, expected);
    }
}
