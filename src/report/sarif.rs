//! SARIF 2.1.0, as code scanning of GitHub and others read it: the rules with their texts, one result a finding, places
//! relative to the top of the repository.
//!
//! A platform shows the first location only, drops a result that is not on changed lines, and shows related places only
//! where the message links them. `primaryLocationLineHash` is GitHub's own to compute and not written here.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::Serialize;

use super::fingerprint::fingerprints;
use super::layout::count;
use super::told::{self, Anchor};
use super::{CheckReport, json_line, sarif_rules};
use crate::columns::{self, Region, SARIF};
use crate::diagnostic::{Diagnostic, EndFact, Fix as Edit};
use crate::sanitize::sanitize;
use crate::source::{RepoPath, Sources, Span};

/// Results that GitHub shows; it refuses a file with five times as many.
const MOST_RESULTS: usize = 5_000;
/// Related places of one result.
const MOST_RELATED: usize = 50;
const ROOT: &str = "%SRCROOT%";

pub(super) fn render(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let fingerprints = fingerprints(report.findings, report.sources);
    let rules = sarif_rules::rules(report.findings);
    let indices: BTreeMap<&str, usize> = rules.iter().enumerate().map(|(at, rule)| (rule.id, at)).collect();
    let mut ranked: Vec<(&Diagnostic, String)> = report.findings.iter().zip(fingerprints).collect();
    let left_out = ranked.len().saturating_sub(MOST_RESULTS);
    if left_out > 0 {
        ranked.sort_by_key(|(finding, _)| std::cmp::Reverse(finding.level));
        ranked.truncate(MOST_RESULTS);
    }
    let results = ranked.into_iter().map(|(finding, fingerprint)| {
        let index = indices.get(finding.rule.name).copied().unwrap_or_default();
        SarifResult::new(finding, index, fingerprint, report)
    });
    let run = Run {
        tool: Tool { driver: Driver { name: "citecheck", semantic_version: env!("CARGO_PKG_VERSION"), rules } },
        automation_details: Id { id: category(report.category) },
        column_kind: "unicodeCodePoints",
        newline_sequences: ["\r\n", "\n", "\r"],
        original_uri_base_ids: BTreeMap::from([(ROOT, Base { description: text("the top of the repository") })]),
        invocations: [Invocation { execution_successful: true, notifications: notifications(report, left_out) }],
        results: results.collect(),
        properties: RunProperties {
            base: End::from(&report.base),
            head: End::from(&report.head),
            cases: report.summary.cases,
            citations: report.summary.citations,
            fresh: report.summary.fresh,
        },
    };
    let log = Log { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
    json_line::write(&log, out)
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    automation_details: Id,
    column_kind: &'static str,
    newline_sequences: [&'static str; 3],
    original_uri_base_ids: BTreeMap<&'static str, Base>,
    invocations: [Invocation; 1],
    results: Vec<SarifResult>,
    properties: RunProperties,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<sarif_rules::Descriptor>,
}

#[derive(Serialize)]
struct Id {
    id: String,
}

#[derive(Serialize)]
struct Base {
    description: Text,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(rename = "toolExecutionNotifications")]
    notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Text,
}

#[derive(Serialize)]
struct RunProperties {
    base: End,
    head: End,
    cases: usize,
    citations: usize,
    fresh: usize,
}

#[derive(Serialize)]
struct End {
    rev: String,
    commit: Option<String>,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Fix>,
    properties: Properties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Lines,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Lines {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Fix {
    description: Text,
    artifact_changes: [ArtifactChange; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactChange {
    artifact_location: Artifact,
    replacements: [Replacement; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Lines,
    inserted_content: Text,
}

/// What a reader of SARIF may filter and count by.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties {
    #[serde(skip_serializing_if = "Option::is_none")]
    case: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    citation: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    magnitude: Option<&'static str>,
    impacted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reviewed_at: Option<String>,
}

impl SarifResult {
    fn new(finding: &Diagnostic, rule_index: usize, fingerprint: String, report: &CheckReport<'_>) -> Self {
        let Anchor { span, .. } = told::anchor(finding, report);
        let related = related(finding, span, report);
        let facts = &finding.facts;
        let value = |text: &Option<String>| text.as_deref().map(|text| sanitize(text).into_owned());
        let section = facts.after.as_ref().or(facts.before.as_ref());
        Self {
            rule_id: finding.rule.name,
            rule_index,
            level: finding.level.name(),
            message: Text { text: message(finding, &related, report.sources) },
            locations: [location(None, span, report.sources, String::new())],
            related_locations: related
                .into_iter()
                .enumerate()
                .map(|(at, (span, text))| location(Some(at + 1), span, report.sources, text))
                .collect(),
            partial_fingerprints: BTreeMap::from([("citecheck/v1", fingerprint)]),
            fixes: finding.fix.iter().map(|fix| Fix::new(fix, report.sources)).collect(),
            properties: Properties {
                case: value(&facts.case),
                citation: value(&facts.citation),
                section: section.map(|section| sanitize(&format!("{}#{}", section.file, section.id)).into_owned()),
                magnitude: facts.change.as_ref().map(|change| change.magnitude),
                impacted: facts.impacted,
                reviewed_at: value(&facts.reviewed_at),
            },
        }
    }
}

impl Fix {
    fn new(fix: &Edit, sources: &Sources) -> Self {
        Self {
            description: text(&fix.title),
            artifact_changes: [ArtifactChange {
                artifact_location: artifact(&sources.get(fix.span.source).path),
                replacements: [Replacement {
                    deleted_region: lines(fix.span, sources),
                    inserted_content: Text { text: fix.replacement.clone() },
                }],
            }],
        }
    }
}

impl From<&EndFact> for End {
    fn from(end: &EndFact) -> Self {
        Self { rev: sanitize(&end.rev).into_owned(), commit: end.commit.clone() }
    }
}

/// The other places in the checked revision, with a word on each; those in another one would point at wrong lines.
fn related(finding: &Diagnostic, shown: Span, report: &CheckReport<'_>) -> Vec<(Span, String)> {
    let checked = &report.sources.get(finding.primary.span.source).rev;
    let primary = match (&finding.facts.case, finding.primary.text.is_empty()) {
        (Some(case), _) => format!("case {case}"),
        (None, false) => finding.primary.text.clone(),
        (None, true) => "here".to_owned(),
    };
    let labels = finding.snippets.iter().flat_map(|snippet| {
        snippet.labels.iter().map(|label| match label.text.is_empty() {
            true => (label.span, snippet.title.clone()),
            false => (label.span, format!("{}: {}", snippet.title, label.text)),
        })
    });
    let mut seen = BTreeSet::from([shown]);
    std::iter::once((finding.primary.span, primary))
        .chain(labels)
        .filter(|(span, _)| report.sources.get(span.source).rev == *checked && seen.insert(*span))
        .take(MOST_RELATED)
        .map(|(span, text)| (span, sanitize(&text).into_owned()))
        .collect()
}

/// The fact as the first sentence, then a link to each related place, then why and what to do.
fn message(finding: &Diagnostic, related: &[(Span, String)], sources: &Sources) -> String {
    let mut sentences = told::sentences(finding, None).into_iter().map(|line| escape(&line));
    let mut message = sentences.next().unwrap_or_default();
    message.push('.');
    for (at, (span, text)) in related.iter().enumerate() {
        let path = sanitize(&sources.get(span.source).path.to_string()).into_owned();
        let line = columns::line(*span, sources);
        message.push_str(&format!("\n[{}:{line}]({}) {}", escape(&path), at + 1, escape(text)));
    }
    sentences.fold(message, |message, line| format!("{message}\n{line}"))
}

/// Square brackets are links in a message of SARIF; ours alone are meant to be.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut backslashes = 0;
    for it in text.chars() {
        if matches!(it, '[' | ']') {
            // Backslashes before a bracket would undo the one that is added.
            escaped.extend(std::iter::repeat_n('\\', backslashes + 1));
        }
        backslashes = if it == '\\' { backslashes + 1 } else { 0 };
        escaped.push(it);
    }
    escaped
}

fn notifications(report: &CheckReport<'_>, left_out: usize) -> Vec<Notification> {
    let cut = format!("{} left out here; `citecheck check` shows all", count(left_out, "finding is", "findings are"));
    let cut = (left_out > 0).then(|| Notification { level: "warning", message: text(&cut) });
    let notes = report.notes.iter().map(|note| Notification { level: "note", message: text(note) });
    cut.into_iter().chain(notes).collect()
}

fn text(text: &str) -> Text {
    Text { text: escape(&sanitize(text)) }
}

fn location(id: Option<usize>, span: Span, sources: &Sources, message: String) -> Location {
    Location {
        id,
        physical_location: Physical {
            artifact_location: artifact(&sources.get(span.source).path),
            region: lines(span, sources),
        },
        message: (!message.is_empty()).then(|| Text { text: escape(&message) }),
    }
}

/// What stands before the last slash is the category; behind it is room for an id of the run, which nobody needs.
fn category(name: &str) -> String {
    format!("{}/", sanitize(name.trim_end_matches('/')))
}

fn lines(span: Span, sources: &Sources) -> Lines {
    let Region { start, end } = columns::region(span, sources, SARIF);
    Lines { start_line: start.line, start_column: start.column, end_line: end.line, end_column: end.column }
}

/// A path as a relative URI: every byte but letters, digits, `-._~` and the slashes as `%NN`.
fn artifact(path: &RepoPath) -> Artifact {
    let mut uri = String::new();
    for byte in path.as_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => uri.push(char::from(*byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Artifact { uri, uri_base_id: ROOT }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::*;
    use crate::report::sample::Sample;

    fn page(report: &CheckReport<'_>) -> (String, Value) {
        let mut page = Vec::new();
        render(report, &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        let run = serde_json::from_str::<Value>(&page).unwrap()["runs"][0].take();
        (page, run)
    }

    #[test]
    fn a_result_has_its_place_its_fix_and_its_rule() {
        let (_, run) = page(&Sample::new().report());
        let region = json!({"startLine": 8, "startColumn": 9, "endLine": 8, "endColumn": 30});
        let file = json!({"uri": "cases.yaml", "uriBaseId": "%SRCROOT%"});
        let mut result = run["results"][2].clone();
        result["partialFingerprints"]["citecheck/v1"] = Value::Null;
        let expected = json!({
            "ruleId": "section-moved",
            "ruleIndex": 1,
            "level": "warning",
            "message": {
                "text": "`docs/manual.md#alarms` moved to docs/alarms.md, same text.\nhelp: cite the section where it is now"
            },
            "locations": [{"physicalLocation": {"artifactLocation": file, "region": region}}],
            "partialFingerprints": {"citecheck/v1": null},
            "fixes": [{
                "description": {"text": "cite the section where it is now"},
                "artifactChanges": [{
                    "artifactLocation": file,
                    "replacements": [
                        {"deletedRegion": region, "insertedContent": {"text": "docs/alarms.md#alarms"}}
                    ]
                }]
            }],
            "properties": {"case": "TC-018", "impacted": true}
        });
        assert_eq!(result, expected);
        assert_eq!(run["tool"]["driver"]["rules"][1]["id"], "section-moved");
        assert_eq!(run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn related_places_are_linked_and_in_the_checked_revision() {
        let (_, run) = page(&Sample::new().report());
        let first = &run["results"][0];
        let text = first["message"]["text"].as_str().unwrap();
        let start = "`safety-limits/thermal-cut-off` changed since it was reviewed.\n\
            [docs/manual.md:7](1) the manual now says: modality\n[docs/manual.md:7](2) the manual now says: number\n\
            changed by 9f8e7d6 on 2026-11-30 (Kim Doe): Lower the limit \\u{1b}\\[31m##\\[warning\\]and more words\n";
        assert!(text.starts_with(start), "{text}");
        let ids: Vec<&Value> = first["relatedLocations"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
        assert_eq!(ids, [1, 2]);
        assert_eq!(run["results"][4].get("relatedLocations"), None);
    }

    #[test]
    fn on_the_manual_the_case_is_related() {
        let sample = Sample::new();
        let changed_files: BTreeSet<RepoPath> = [RepoPath::new("docs/manual.md")].into();
        let (_, run) = page(&CheckReport { changed_files: &changed_files, ..sample.report() });
        let first = &run["results"][0];
        assert_eq!(first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "docs/manual.md");
        assert!(first["message"]["text"].as_str().unwrap().contains("\n[cases.yaml:4](1) case TC-017\n"), "{first}");
    }

    #[test]
    fn the_category_stands_before_the_last_slash() {
        let sample = Sample::new();
        let id = |category| page(&CheckReport { category, ..sample.report() }).1["automationDetails"]["id"].clone();
        assert_eq!(["citecheck", "pump/docs", "pump/"].map(id), ["citecheck/", "pump/docs/", "pump/"]);
    }

    #[test]
    fn paths_are_relative_uris() {
        let check = |path: &[u8], expected: &str| assert_eq!(artifact(&RepoPath::new(path)).uri, expected);
        check(b"docs/a b.md", "docs/a%20b.md");
        check("c:/é#?%[x](y).md".as_bytes(), "c%3A/%C3%A9%23%3F%25%5Bx%5D%28y%29.md");
        check(b"a\xff\n", "a%FF%0A");
    }

    #[test]
    fn no_link_of_others_is_live() {
        let check = |text: &str, expected: &str| assert_eq!(escape(text), expected);
        check("[x](javascript:y)", "\\[x\\](javascript:y)");
        check("\\[x\\](1)", "\\\\\\[x\\\\\\](1)");
        check("a\\b", "a\\b");
    }

    #[test]
    fn what_a_platform_would_refuse_is_left_out_and_told() {
        let mut sample = Sample::new();
        let warning = sample.findings[2].clone();
        sample.findings.extend(std::iter::repeat_n(warning, MOST_RESULTS));
        let (_, run) = page(&sample.report());
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), MOST_RESULTS);
        assert_eq!(results[4]["ruleId"], "invalid-yaml");
        let told = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
        assert_eq!(told, "6 findings are left out here; `citecheck check` shows all");
    }

    #[test]
    fn a_log_obeys_nothing() {
        let (page, _) = page(&Sample::new().report());
        assert!(!page.contains("##[") && !page.contains('\u{1b}') && page.lines().count() == 1, "{page}");
    }
}
