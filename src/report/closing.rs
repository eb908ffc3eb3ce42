//! What a run comes to, in one line: effect first, then what was looked at and compared. Formats for people and logs end
//! with it.

use super::CheckReport;
use super::layout::{DIM, ERROR, NOTE, PLAIN, Styled, WARNING, count, thousands};
use crate::diagnostic::{Diagnostic, EndFact, Level};
use crate::sanitize::sanitize;

/// The closing line: effect first, then what was looked at.
pub(super) fn closing(report: &CheckReport<'_>) -> Styled {
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
        (summary.suppressed, "finding is suppressed", "findings are suppressed"),
        (summary.elsewhere, "finding is about other files", "findings are about other files"),
    ];
    let bystanders: Vec<String> = bystanders
        .iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| count(*number, one, many))
        .collect();
    if !bystanders.is_empty() {
        line.push(PLAIN, format!("; {}", bystanders.join(", ")));
    }
    let manuals = count(summary.manuals, "manual", "manuals");
    let scope = [
        match summary.changed_manuals {
            Some(changed) => format!("{} of {manuals} changed", thousands(changed)),
            None => manuals,
        },
        count(summary.sections, "section", "sections"),
        count(summary.citations, "citation", "citations"),
    ];
    line.with(DIM, format!(" ({}; {})", scope.join(", "), range(&report.base, &report.head)))
}

/// Where more is said about the rules of the findings, once for all of them.
pub(super) fn more(report: &CheckReport<'_>) -> Option<Styled> {
    let mut names: Vec<&str> = report.findings.iter().map(|finding| finding.rule.name).collect();
    names.sort_unstable();
    names.dedup();
    let text = match names.as_slice() {
        [] => return None,
        [name] => format!("`citecheck explain {name}` says more about this rule"),
        [_, ..] => "`citecheck explain RULE` says more about each rule".to_owned(),
    };
    Some(Styled::new().with(DIM, text))
}

/// What a person has to do something about, worst first.
fn effects(report: &CheckReport<'_>) -> Vec<(anstyle::Style, String)> {
    let number = |holds: &dyn Fn(&Diagnostic) -> bool| report.findings.iter().filter(|it| holds(it)).count();
    // Errors of files have no case that could need a look; a fixable warning is told as remappable.
    let elsewhere = number(&|it| it.level == Level::Error && it.facts.case.is_none());
    let told_only = |level: Level| number(&|it: &Diagnostic| it.level == level && it.fix.is_none());
    let cases = report.summary.cases_to_look_at;
    let other = if cases == 0 { ("error", "errors") } else { ("other error", "other errors") };
    let effects = [
        (cases, ERROR, "case needs a look", "cases need a look"),
        (elsewhere, ERROR, other.0, other.1),
        (report.summary.fixable, WARNING, "citation can be remapped", "citations can be remapped"),
        (told_only(Level::Warning), WARNING, "warning", "warnings"),
        (told_only(Level::Note), NOTE, "note", "notes"),
    ];
    let told = effects.into_iter().filter(|(number, ..)| *number > 0);
    told.map(|(number, style, one, many)| (style, count(number, one, many))).collect()
}

fn all_fresh(report: &CheckReport<'_>) -> String {
    if report.summary.elsewhere > 0 {
        return "nothing to look at in these files".to_owned();
    }
    match (report.summary.citations, report.summary.changed_manuals) {
        (0, Some(_)) => "no case cites what changed".to_owned(),
        (0, None) => "no citation was found".to_owned(),
        _ if report.summary.older > 0 || report.summary.is_range_only => {
            "this range makes no citation stale".to_owned()
        }
        (1, _) => "the 1 citation is fresh".to_owned(),
        (number, _) => format!("all {} are fresh", count(number, "citation", "citations")),
    }
}

/// `(12 manuals, …; a1b2c3d..worktree)`: what was compared.
pub(super) fn range(base: &EndFact, head: &EndFact) -> String {
    // Checked by itself, a revision is compared with the last review of each case.
    if base.commit.is_none() && base.rev == "nothing" && head.commit.is_none() && head.rev == "worktree" {
        return end(head);
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::CheckSummary;
    use crate::report::sample::Sample;

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
        let older = CheckSummary { older: 1, citations: 2, ..CheckSummary::default() };
        let report = CheckReport { findings: &[], summary: older, ..sample.report() };
        assert!(closing(&report).paint(false).starts_with("this range makes no citation stale ("));
        let note = Diagnostic { level: Level::Note, ..sample.findings[5].clone() };
        check(&[note], 0, 2, "1 note (1 manual, 4 sections, 2 citations");
    }
}
