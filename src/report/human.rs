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

    fn page(sample: &Sample, looks: Looks) -> String {
        let mut page = Vec::new();
        super::super::render_check(super::super::Format::Human, &sample.report(), looks, &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    #[test]
    fn look() {
        println!("{}", page(&Sample::new(), looks()));
        println!("{}", page(&Sample::new(), Looks { unicode: true, color: true, ..looks() }));
        println!("{}", page(&Sample::new(), Looks { ci_log: true, grouped: false, width: 40, ..looks() }));
    }
}
