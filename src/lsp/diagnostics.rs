//! What a check found, as the editor shows it: each finding at its citation, and at each section of the manual the cases
//! that its text makes stale. Finds nothing itself.

use std::collections::{BTreeMap, BTreeSet};

use lsp_types::{Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location};

use super::client::Client;
use super::places::Places;
use super::project::Project;
use crate::diagnostic::{Diagnostic as Finding, Label, Level, Snippet};
use crate::error;
use crate::rules::is_staleness;
use crate::sanitize::sanitize;
use crate::source::{RepoPath, Span};

/// Who says it, in the editor.
pub(super) const SOURCE: &str = "citecheck";
/// Cases named at a section; the others are counted.
const MOST_CASES: usize = 10;

/// The diagnostics of each file that has any.
pub(super) type ByFile = BTreeMap<RepoPath, Vec<Diagnostic>>;

/// All of a check.
pub(super) fn diagnostics(project: &Project, client: &Client) -> ByFile {
    let mut files = ByFile::new();
    for finding in &project.checked.findings {
        let path = project.path(finding.primary.span.source).clone();
        files.entry(path).or_default().push(at_citation(project, client, finding));
    }
    for (heading, findings) in by_heading(project) {
        let path = project.path(heading.source).clone();
        files.entry(path).or_default().push(at_heading(project, client, heading, &findings));
    }
    files
}

/// What is wrong with the configuration.
pub(super) fn problems(wrong: &error::Places, places: &Places) -> ByFile {
    let mut files = ByFile::new();
    for problem in &wrong.problems {
        let path = wrong.sources.get(problem.span.source).path.clone();
        let help = problem.help.iter().map(|help| format!("help: {help}"));
        let diagnostic = Diagnostic {
            range: places.range(problem.span, &wrong.sources),
            severity: Some(DiagnosticSeverity::Error),
            code: Some("configuration".to_owned().into()),
            source: Some(SOURCE.to_owned()),
            message: lines(std::iter::once(problem.message.clone()).chain(help)).into(),
            ..Diagnostic::default()
        };
        files.entry(path).or_default().push(diagnostic);
    }
    files
}

fn at_citation(project: &Project, client: &Client, finding: &Finding) -> Diagnostic {
    let told = std::iter::once(finding.message.clone())
        .chain(finding.notes.iter().cloned())
        .chain(finding.helps.iter().map(|help| format!("help: {help}")));
    Diagnostic {
        range: project.places.range(finding.primary.span, &project.sources),
        severity: Some(severity(finding.level)),
        code: Some(finding.rule.name.to_owned().into()),
        source: Some(SOURCE.to_owned()),
        message: lines(told).into(),
        related_information: client.related.then(|| related(project, finding)),
        ..Diagnostic::default()
    }
}

/// Each harmless, and one below the other.
fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.map(|line| sanitize(&line).into_owned()).collect::<Vec<_>>().join("\n")
}

fn severity(level: Level) -> DiagnosticSeverity {
    match level {
        Level::Error => DiagnosticSeverity::Error,
        Level::Warning => DiagnosticSeverity::Warning,
        Level::Note => DiagnosticSeverity::Information,
    }
}

/// The further places of a finding that are in the work tree; without one in the manual also the section itself.
fn related(project: &Project, finding: &Finding) -> Vec<DiagnosticRelatedInformation> {
    let labels = finding.snippets.iter().flat_map(|snippet| snippet.labels.iter().map(move |label| (snippet, label)));
    let named = |(snippet, label): (&Snippet, &Label)| {
        let text = if label.text.is_empty() { &snippet.title } else { &label.text };
        (label.span, text.clone())
    };
    let current = labels.filter(|(_, label)| project.is_current(label.span.source));
    let mut places: Vec<(Span, String)> = current.map(named).collect();
    if !places.iter().any(|(span, _)| project.config.is_manual(project.path(span.source))) {
        let heading = finding.facts.after.as_ref().and_then(|fact| project.heading(fact));
        places.extend(heading.map(|heading| (heading, "the section is here".to_owned())));
    }
    places.iter().filter_map(|(span, text)| information(project, *span, text)).collect()
}

fn information(project: &Project, span: Span, text: &str) -> Option<DiagnosticRelatedInformation> {
    let uri = project.places.uri(project.path(span.source))?;
    let location = Location { uri, range: project.places.range(span, &project.sources) };
    Some(DiagnosticRelatedInformation { location, message: sanitize(text).into_owned() })
}

/// The findings of stale cases by the heading of the section that made them so, as far as it is there.
fn by_heading(project: &Project) -> BTreeMap<Span, Vec<&Finding>> {
    let mut headings: BTreeMap<Span, Vec<&Finding>> = BTreeMap::new();
    for finding in project.checked.findings.iter().filter(|finding| is_staleness(finding.rule)) {
        if let Some(heading) = finding.facts.after.as_ref().and_then(|fact| project.heading(fact)) {
            headings.entry(heading).or_default().push(finding);
        }
    }
    headings
}

fn at_heading(project: &Project, client: &Client, heading: Span, findings: &[&Finding]) -> Diagnostic {
    let cases: BTreeSet<String> = findings.iter().filter_map(|finding| stale_case(finding)).collect();
    let named: Vec<&str> = cases.iter().take(MOST_CASES).map(String::as_str).collect();
    let more = match cases.len().saturating_sub(MOST_CASES) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let message = match cases.len() {
        1 => format!("a case that cites this section is stale: {}", named.join(", ")),
        count => format!("{count} cases that cite this section are stale: {}{more}", named.join(", ")),
    };
    let citation = |finding: &&Finding| information(project, finding.primary.span, &finding.message);
    Diagnostic {
        range: project.places.range(heading, &project.sources),
        severity: Some(DiagnosticSeverity::Information),
        code: Some("stale-cases".to_owned().into()),
        source: Some(SOURCE.to_owned()),
        message: sanitize(&message).into_owned().into(),
        related_information: client.related.then(|| findings.iter().take(MOST_CASES).filter_map(citation).collect()),
        ..Diagnostic::default()
    }
}

/// `TC-017 (text-changed)`.
fn stale_case(finding: &Finding) -> Option<String> {
    finding.facts.case.as_ref().map(|case| format!("{case} ({})", finding.rule.name))
}
