//! The documents of `--format json`: `citecheck.check/1` and `citecheck.diff/1`. They only grow: keys are never removed
//! or renamed within a version. Absent things are null and lists are lists, so that a script need not ask which keys
//! there are. The types are this file's own, so that ours can change without breaking anyone.
//!
//! A document is one line, as `json_line.rs` writes it. Values are the texts as they are.

use std::io::{self, Write};

use serde::Serialize;

use super::excerpt::line_column;
use super::json_line::write;
use super::statistics::Statistics;
use super::{CheckReport, DiffReport};
use crate::diagnostic::{
    ChangeFact, CommitFact, Diagnostic, EndFact, Facts, FragmentFact, JudgementFact, SectionFact, SignalFact, TextFact,
    WordFact,
};
use crate::source::Sources;

pub(super) fn render_check(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    write(&Check { findings: Some(findings(report).collect()), ..Check::new(report) }, out)
}

pub(super) fn render_diff(report: &DiffReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    write(&Diff { sections: Some(sections(report).collect()), ..Diff::new(report) }, out)
}

/// The entries of a check, one by one.
pub(super) fn findings<'a>(report: &CheckReport<'a>) -> impl Iterator<Item = Finding<'a>> {
    let sources = report.sources;
    report.findings.iter().map(move |finding| Finding::new(finding, sources))
}

/// The entries of a diff, one by one.
pub(super) fn sections<'a>(report: &DiffReport<'a>) -> impl Iterator<Item = Change<'a>> {
    report.sections.iter().map(Change::from)
}

#[derive(Serialize)]
pub(super) struct Check<'a> {
    schema: &'static str,
    base: End<'a>,
    head: End<'a>,
    /// Left out where they stand on lines of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<Finding<'a>>>,
    notes: &'a [String],
    summary: CheckCounts,
    /// Where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Statistics<'a>>,
    tool: Tool,
    /// What `column` counts.
    column_unit: &'static str,
}

#[derive(Serialize)]
struct CheckCounts {
    cases: usize,
    citations: usize,
    fresh: usize,
    suppressed: usize,
    findings: usize,
    errors: usize,
    warnings: usize,
}

#[derive(Serialize)]
pub(super) struct Diff<'a> {
    schema: &'static str,
    base: End<'a>,
    head: End<'a>,
    /// Left out where they stand on lines of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    sections: Option<Vec<Change<'a>>>,
    summary: DiffCounts,
    tool: Tool,
}

#[derive(Serialize)]
struct DiffCounts {
    sections: usize,
    unchanged: usize,
    trivial: usize,
    minor: usize,
    substantive: usize,
    moved: usize,
    added: usize,
    removed: usize,
}

#[derive(Serialize)]
pub(super) struct Tool {
    name: &'static str,
    version: &'static str,
}

pub(super) const TOOL: Tool = Tool { name: "citecheck", version: env!("CARGO_PKG_VERSION") };

impl<'a> Check<'a> {
    /// A document with everything but its findings.
    pub(super) fn new(report: &'a CheckReport<'_>) -> Self {
        let summary = &report.summary;
        Self {
            schema: "citecheck.check/1",
            statistics: report.statistics.then(|| Statistics::new(report)),
            base: End::from(&report.base),
            head: End::from(&report.head),
            findings: None,
            notes: report.notes,
            summary: CheckCounts {
                cases: summary.cases,
                citations: summary.citations,
                fresh: summary.fresh,
                suppressed: summary.suppressed,
                findings: summary.findings,
                errors: summary.errors,
                warnings: summary.warnings,
            },
            tool: TOOL,
            column_unit: "characters",
        }
    }
}

impl<'a> Diff<'a> {
    /// A document with everything but its sections.
    pub(super) fn new(report: &'a DiffReport<'_>) -> Self {
        let summary = &report.summary;
        Self {
            schema: "citecheck.diff/1",
            base: End::from(&report.base),
            head: End::from(&report.head),
            sections: None,
            summary: DiffCounts {
                sections: summary.sections,
                unchanged: summary.unchanged,
                trivial: summary.trivial,
                minor: summary.minor,
                substantive: summary.substantive,
                moved: summary.moved,
                added: summary.added,
                removed: summary.removed,
            },
            tool: TOOL,
        }
    }
}

#[derive(Serialize)]
pub(super) struct End<'a> {
    rev: &'a str,
    commit: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct Finding<'a> {
    rule: &'static str,
    level: &'static str,
    impacted: bool,
    /// Null where a file is at fault, not a case; `place` is always there.
    case: Option<Case<'a>>,
    citation: Option<&'a str>,
    section: Sides<'a>,
    change: Option<CitedChange<'a>>,
    reviewed_at: Option<&'a str>,
    since: Vec<Commit<'a>>,
    message: &'a str,
    /// All helps, one a line.
    help: Option<String>,
    fix: Option<Fix<'a>>,
    place: Place,
    /// Null where no model was asked.
    judgement: Option<Judgement<'a>>,
}

#[derive(Serialize)]
struct Judgement<'a> {
    holds: bool,
    reason: &'a str,
    model: &'a str,
}

#[derive(Serialize)]
struct Case<'a> {
    id: &'a str,
    file: String,
    line: usize,
    column: usize,
}

/// Where to look: line and column from 1, the column in characters; start and end in bytes.
#[derive(Serialize)]
struct Place {
    file: String,
    line: usize,
    column: usize,
    start: usize,
    end: usize,
}

#[derive(Serialize)]
struct Sides<'a> {
    before: Option<Section<'a>>,
    after: Option<Section<'a>>,
}

#[derive(Serialize)]
struct CitedChange<'a> {
    kinds: &'a [&'static str],
    magnitude: &'static str,
    signals: Vec<Signal<'a>>,
    fragments: Vec<Fragment<'a>>,
}

#[derive(Serialize)]
struct Commit<'a> {
    commit: &'a str,
    date: &'a str,
    author: &'a str,
    subject: &'a str,
}

/// An edit: bytes `start..end` of `file` become `text`.
#[derive(Serialize)]
struct Fix<'a> {
    file: String,
    start: usize,
    end: usize,
    text: &'a str,
}

#[derive(Serialize)]
pub(super) struct Change<'a> {
    kinds: &'a [&'static str],
    magnitude: &'static str,
    with_parent: bool,
    before: Option<Section<'a>>,
    after: Option<Section<'a>>,
    into: Vec<Section<'a>>,
    from: Vec<Section<'a>>,
    candidates: Vec<Candidate<'a>>,
    signals: Vec<Signal<'a>>,
    fragments: Vec<Fragment<'a>>,
    cases: &'a [String],
}

#[derive(Serialize)]
struct Candidate<'a> {
    section: Section<'a>,
    similarity: f64,
}

#[derive(Serialize)]
pub(super) struct Section<'a> {
    file: &'a str,
    id: &'a str,
    number: Option<&'a str>,
    title: &'a str,
    line: usize,
}

#[derive(Serialize)]
struct Signal<'a> {
    kind: &'static str,
    before: &'a str,
    after: &'a str,
}

#[derive(Serialize)]
struct Fragment<'a> {
    change: &'static str,
    magnitude: &'static str,
    before: Option<Text<'a>>,
    after: Option<Text<'a>>,
    signals: Vec<Signal<'a>>,
    words: Vec<Words>,
}

#[derive(Serialize)]
struct Text<'a> {
    line: usize,
    text: &'a str,
    /// Null where it is the section of the change.
    section: Option<Section<'a>>,
}

/// Bytes of the text before that became bytes of the text after.
#[derive(Serialize)]
struct Words {
    before: [usize; 2],
    after: [usize; 2],
}

impl<'a> Finding<'a> {
    fn new(finding: &'a Diagnostic, sources: &Sources) -> Self {
        let facts: &'a Facts = &finding.facts;
        let span = finding.primary.span;
        let file = sources.get(span.source).path.to_string();
        let at = line_column(span, sources);
        Self {
            rule: finding.rule.name,
            level: finding.level.name(),
            impacted: facts.impacted,
            case: facts.case.as_deref().map(|id| Case { id, file: file.clone(), line: at.line, column: at.column }),
            citation: facts.citation.as_deref(),
            section: Sides {
                before: facts.before.as_ref().map(Section::from),
                after: facts.after.as_ref().map(Section::from),
            },
            change: facts.change.as_ref().map(CitedChange::from),
            reviewed_at: facts.reviewed_at.as_deref(),
            since: facts.since.iter().map(Commit::from).collect(),
            message: &finding.message,
            help: (!finding.helps.is_empty()).then(|| finding.helps.join("\n")),
            fix: finding.fix.as_ref().map(|fix| Fix {
                file: sources.get(fix.span.source).path.to_string(),
                start: fix.span.start,
                end: fix.span.end,
                text: &fix.replacement,
            }),
            place: Place { file, line: at.line, column: at.column, start: span.start, end: span.end },
            judgement: facts.judgement.as_ref().map(Judgement::from),
        }
    }
}

impl<'a> From<&'a EndFact> for End<'a> {
    fn from(end: &'a EndFact) -> Self {
        Self { rev: &end.rev, commit: end.commit.as_deref() }
    }
}

impl<'a> From<&'a ChangeFact> for CitedChange<'a> {
    fn from(change: &'a ChangeFact) -> Self {
        Self {
            kinds: &change.kinds,
            magnitude: change.magnitude,
            signals: all(&change.signals),
            fragments: all(&change.fragments),
        }
    }
}

impl<'a> From<&'a ChangeFact> for Change<'a> {
    fn from(change: &'a ChangeFact) -> Self {
        Self {
            kinds: &change.kinds,
            magnitude: change.magnitude,
            with_parent: change.with_parent,
            before: change.before.as_ref().map(Section::from),
            after: change.after.as_ref().map(Section::from),
            into: all(&change.into),
            from: all(&change.from),
            candidates: all(&change.candidates),
            signals: all(&change.signals),
            fragments: all(&change.fragments),
            cases: &change.cases,
        }
    }
}

impl<'a> From<&'a (SectionFact, f64)> for Candidate<'a> {
    fn from((section, similarity): &'a (SectionFact, f64)) -> Self {
        // More digits would tell rounding apart, not texts.
        Self { section: section.into(), similarity: (similarity * 100.0).round() / 100.0 }
    }
}

impl<'a> From<&'a SectionFact> for Section<'a> {
    fn from(section: &'a SectionFact) -> Self {
        Self {
            file: &section.file,
            id: &section.id,
            number: section.number.as_deref(),
            title: &section.title,
            line: section.line,
        }
    }
}

impl<'a> From<&'a SignalFact> for Signal<'a> {
    fn from(signal: &'a SignalFact) -> Self {
        Self { kind: signal.kind, before: &signal.before, after: &signal.after }
    }
}

impl<'a> From<&'a FragmentFact> for Fragment<'a> {
    fn from(fragment: &'a FragmentFact) -> Self {
        Self {
            change: fragment.change,
            magnitude: fragment.magnitude,
            before: fragment.before.as_ref().map(Text::from),
            after: fragment.after.as_ref().map(Text::from),
            signals: all(&fragment.signals),
            words: all(&fragment.words),
        }
    }
}

impl<'a> From<&'a TextFact> for Text<'a> {
    fn from(text: &'a TextFact) -> Self {
        Self { line: text.line, text: &text.text, section: text.section.as_ref().map(Section::from) }
    }
}

impl From<&WordFact> for Words {
    fn from(words: &WordFact) -> Self {
        Self { before: words.before.into(), after: words.after.into() }
    }
}

impl<'a> From<&'a JudgementFact> for Judgement<'a> {
    fn from(judgement: &'a JudgementFact) -> Self {
        Self { holds: judgement.holds, reason: &judgement.reason, model: &judgement.model }
    }
}

impl<'a> From<&'a CommitFact> for Commit<'a> {
    fn from(commit: &'a CommitFact) -> Self {
        Self { commit: &commit.id, date: &commit.date, author: &commit.author, subject: &commit.subject }
    }
}

fn all<'a, T, U: From<&'a T>>(items: &'a [T]) -> Vec<U> {
    items.iter().map(U::from).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::report::sample::{BROKEN_PATH, Sample, changes, diff_report};
    use crate::sanitize::is_hostile;

    fn check_document() -> (String, Value) {
        let mut bytes = Vec::new();
        render_check(&Sample::new().report(), &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let value = serde_json::from_str(&text).unwrap();
        (text, value)
    }

    fn diff_document() -> (String, Value) {
        let changes = changes();
        let mut bytes = Vec::new();
        render_diff(&diff_report(&changes), &mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let value = serde_json::from_str(&text).unwrap();
        (text, value)
    }

    fn keys(value: &Value) -> Vec<&str> {
        value.as_object().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn a_check_has_the_keys_it_promises() {
        let (text, value) = check_document();
        assert!(text.starts_with(r#"{"schema":"citecheck.check/1","base":{"rev":"HEAD","commit":"a1b2c3d4"#), "{text}");
        assert!(text.ends_with("}\n") && text.lines().count() == 1);
        let promised = [
            "case",
            "change",
            "citation",
            "fix",
            "help",
            "impacted",
            "judgement",
            "level",
            "message",
            "place",
            "reviewed_at",
            "rule",
            "section",
            "since",
        ];
        let mut found = keys(&value["findings"][0]);
        found.sort_unstable();
        assert_eq!(found, promised);
        for finding in value["findings"].as_array().unwrap() {
            assert_eq!(keys(finding), keys(&value["findings"][0]));
        }
    }

    #[test]
    fn a_finding_tells_case_change_and_fix() {
        let (_, value) = check_document();
        let [changed, .., broken] = value["findings"].as_array().unwrap().as_slice() else { panic!("findings") };
        assert_eq!(changed["case"], serde_json::json!({"id": "TC-017", "file": "cases.yaml", "line": 4, "column": 9}));
        assert_eq!(
            changed["change"]["signals"][1],
            serde_json::json!({"kind": "number", "before": "45", "after": "40"})
        );
        assert_eq!(changed["since"][0]["author"], "Kim Doe");
        assert_eq!(changed["fix"], Value::Null);
        let moved = &value["findings"][2];
        assert_eq!(moved["fix"]["text"], "docs/alarms.md#alarms");
        assert_eq!(moved["fix"]["end"].as_u64().unwrap() - moved["fix"]["start"].as_u64().unwrap(), 21);
        assert_eq!((&moved["change"], &moved["since"]), (&Value::Null, &serde_json::json!([])));
        assert_eq!((&broken["case"], &broken["place"]["file"]), (&Value::Null, &Value::from(BROKEN_PATH)));
    }

    #[test]
    fn a_diff_has_every_key_in_every_section() {
        let (text, value) = diff_document();
        assert!(text.starts_with(r#"{"schema":"citecheck.diff/1","base":{"rev":"v1","commit":"a1b2c3d4"#), "{text}");
        let mut promised = vec![
            "kinds",
            "magnitude",
            "with_parent",
            "before",
            "after",
            "into",
            "from",
            "candidates",
            "signals",
            "fragments",
            "cases",
        ];
        promised.sort_unstable();
        for section in value["sections"].as_array().unwrap() {
            let mut found = keys(section);
            found.sort_unstable();
            assert_eq!(found, promised);
        }
        let lost = value["sections"].as_array().unwrap().iter().find(|it| it["kinds"][0] == "ambiguous").unwrap();
        assert_eq!(lost["candidates"][0]["similarity"], 0.47);
    }

    #[test]
    fn no_terminal_and_no_log_obeys_a_document() {
        for (text, _) in [check_document(), diff_document()] {
            assert!(!text.contains("##["), "{text}");
            assert!(!text.trim_end().contains(is_hostile), "{text}");
        }
    }
}
