//! What the template shows, as it shows it: every text from the repository sanitized, every place a link. Decides nothing
//! but wording.

use serde::Serialize;

use super::chart::{Bar, Trend};
use crate::diagnostic::coverage::{
    CaseCover, CaseTally, CiteAt, Coverage, Differs, Extent, Paragraph, Place, ReviewedFact, State, Tally, TextCover,
    TrendPoint,
};
use crate::report::coverage::{CoverageReport, case_numbers, headline, name, percent, revision};
use crate::report::layout::{count, list, thousands};
use crate::sanitize::{sanitize, sanitize_lines};

/// With more sections than this, files are folded at first.
const MOST_UNFOLDED: usize = 300;
/// Cases named in one sentence.
const MOST_CASES: usize = 6;

#[derive(Serialize)]
pub(super) struct Page {
    headline: String,
    revision: String,
    commit: String,
    /// Each as runs of words, and whether they are code.
    notes: Vec<Vec<(bool, String)>>,
    functional: String,
    stale: String,
    sections: String,
    backlog: String,
    cases: String,
    states: Vec<StateRow>,
    bar: Bar,
    manuals: Vec<ManualRow>,
    total: ManualRow,
    category_heads: Vec<&'static str>,
    categories: Vec<CategoryRow>,
    case_total: CategoryRow,
    trend: Option<Trend>,
    points: Vec<PointRow>,
    files: Vec<FileRow>,
    case_rows: Vec<CaseRow>,
    is_folded: bool,
}

#[derive(Serialize)]
struct StateRow {
    name: &'static str,
    count: String,
    meaning: &'static str,
}

#[derive(Serialize)]
struct ManualRow {
    name: String,
    anchor: String,
    counts: Vec<String>,
    functional: String,
    stale: String,
    bar: Bar,
}

#[derive(Serialize)]
struct CategoryRow {
    name: String,
    counts: Vec<String>,
}

#[derive(Serialize)]
struct PointRow {
    name: String,
    date: String,
    counts: [String; 3],
    percents: [String; 2],
}

/// A manual file with its sections in order.
#[derive(Serialize)]
struct FileRow {
    name: String,
    anchor: String,
    summary: String,
    bar: Bar,
    cites: Vec<CiteRow>,
    sections: Vec<SectionRow>,
}

#[derive(Serialize)]
struct SectionRow {
    anchor: String,
    name: String,
    place: String,
    state: &'static str,
    counts: bool,
    in_backlog: bool,
    fingerprint: String,
    cites: Vec<CiteRow>,
    /// Other places whose citations cover it.
    through: Vec<Link>,
    texts: Vec<TextRow>,
    has_children: bool,
    has_more: bool,
    /// One for each list of subsections that ends with it.
    closes: Vec<()>,
}

#[derive(Serialize)]
struct Link {
    anchor: String,
    text: String,
}

/// A citation as a section shows it.
#[derive(Serialize)]
struct CiteRow {
    case: Link,
    title: String,
    citation: String,
    is_own: bool,
    is_draft: bool,
    standing: &'static str,
    rules: String,
    reviewed: Reviewed,
}

#[derive(Serialize)]
struct Reviewed {
    at: String,
    fingerprint: String,
}

#[derive(Serialize)]
struct CaseRow {
    anchor: String,
    id: String,
    title: String,
    place: String,
    status: String,
    is_draft: bool,
    /// Empty for a case without one.
    category: String,
    by_model: bool,
    standing: &'static str,
    citations: Vec<CitationRow>,
}

#[derive(Serialize)]
struct CitationRow {
    citation: String,
    targets: Vec<Link>,
    is_own: bool,
    standing: &'static str,
    rules: String,
    reviewed: Reviewed,
}

#[derive(Serialize)]
struct TextRow {
    label: String,
    title_before: String,
    before: Vec<ParagraphRow>,
    after: Vec<ParagraphRow>,
}

#[derive(Serialize)]
struct ParagraphRow {
    context: String,
    change: &'static str,
    parts: Vec<(bool, String)>,
}

impl Page {
    pub(super) fn new(report: &CoverageReport<'_>) -> Self {
        let coverage = report.coverage;
        let total = &coverage.total;
        let manuals = coverage.files.iter().enumerate().filter(|(_, file)| file.tally.sections > 0);
        Self {
            headline: headline(total),
            revision: clean(&revision(coverage)),
            commit: clean(coverage.commit.as_deref().unwrap_or_default()),
            notes: report.notes.iter().map(|note| parts(note)).collect(),
            functional: percent(total.functional_percent()),
            stale: percent(total.stale_percent()),
            sections: thousands(total.sections),
            backlog: thousands(total.backlog),
            cases: thousands(coverage.case_total.cases),
            states: State::ALL.into_iter().map(|state| StateRow::new(state, total)).collect(),
            bar: Bar::new(total),
            manuals: manuals.map(|(at, file)| ManualRow::new(&file.path, format!("f{at}"), &file.tally)).collect(),
            total: ManualRow::new("all manuals", String::new(), total),
            category_heads: case_numbers(coverage, &coverage.case_total).into_iter().map(|(head, _)| head).collect(),
            categories: coverage
                .categories
                .iter()
                .map(|(name, tally)| CategoryRow::new(coverage, name, tally))
                .collect(),
            case_total: CategoryRow::new(coverage, "all categories", &coverage.case_total),
            trend: (!coverage.trend.is_empty()).then(|| Trend::new(&coverage.trend)),
            points: coverage.trend.iter().map(PointRow::from).collect(),
            files: (0..coverage.files.len()).map(|file| file_row(coverage, file)).collect(),
            case_rows: coverage.cases.iter().enumerate().map(|(at, case)| case_row(coverage, at, case)).collect(),
            is_folded: coverage.sections.len() > MOST_UNFOLDED,
        }
    }
}

impl StateRow {
    fn new(state: State, tally: &Tally) -> Self {
        let meaning = match state {
            State::Covered => "cases cite it, and all of them are up to date with it",
            State::Stale => "cases cite it, and one was reviewed against another text",
            State::Partial => "only drafts cite it, or only some of its subsections are cited",
            State::Uncovered => "no case cites it",
        };
        Self { name: state.name(), count: thousands(tally.count(state)), meaning }
    }
}

impl ManualRow {
    fn new(name: &str, anchor: String, tally: &Tally) -> Self {
        let counts = [tally.sections, tally.covered, tally.stale, tally.partial, tally.uncovered, tally.backlog];
        Self {
            name: clean(name),
            anchor,
            counts: counts.map(thousands).to_vec(),
            functional: percent(tally.functional_percent()),
            stale: percent(tally.stale_percent()),
            bar: Bar::new(tally),
        }
    }
}

impl CategoryRow {
    fn new(coverage: &Coverage, name: &str, tally: &CaseTally) -> Self {
        let counts = case_numbers(coverage, tally).into_iter().map(|(_, number)| thousands(number));
        Self { name: clean(name), counts: counts.collect() }
    }
}

impl From<&TrendPoint> for PointRow {
    fn from(point: &TrendPoint) -> Self {
        let tally = &point.sections;
        Self {
            name: clean(&point.name),
            date: clean(&point.date),
            counts: [tally.sections, tally.backlog, point.cases.cases].map(thousands),
            percents: [percent(tally.functional_percent()), percent(tally.stale_percent())],
        }
    }
}

fn file_row(coverage: &Coverage, at: usize) -> FileRow {
    let file = &coverage.files[at];
    let sections = file.sections.0..file.sections.1;
    let number = count(file.tally.sections, "section", "sections");
    FileRow {
        name: clean(&file.path),
        anchor: format!("f{at}"),
        summary: format!("{number}, {} covered", percent(file.tally.functional_percent())),
        bar: Bar::new(&file.tally),
        cites: file.cited_by.iter().map(|cite| cite_row(coverage, *cite, &|extent| *extent != Extent::None)).collect(),
        sections: sections.map(|section| section_row(coverage, section, file.sections.1)).collect(),
    }
}

fn section_row(coverage: &Coverage, at: usize, end: usize) -> SectionRow {
    let cover = &coverage.sections[at];
    let depth = |section: usize| if section < end { coverage.sections[section].depth } else { 0 };
    let next = depth(at + 1);
    let has_children = at + 1 < end && next > cover.depth;
    let through = through(coverage, at);
    let texts: Vec<TextRow> = cover.texts.iter().map(|text| text_row(coverage, &coverage.texts[*text])).collect();
    SectionRow {
        anchor: format!("s{at}"),
        name: clean(&name(&cover.section)),
        place: format!("line {}", cover.section.line),
        state: cover.state.map_or("none", State::name),
        counts: cover.counts,
        in_backlog: cover.in_backlog,
        fingerprint: cover.fingerprint.clone(),
        cites: cover.cited_by.iter().map(|cite| cite_row(coverage, *cite, &|extent| extent.has(at))).collect(),
        has_more: has_children || !cover.cited_by.is_empty() || !through.is_empty() || !texts.is_empty(),
        through,
        texts,
        has_children,
        closes: vec![(); if has_children { 0 } else { cover.depth.saturating_sub(next) }],
    }
}

/// The sections around, and the file, whose citations cover a section.
fn through(coverage: &Coverage, at: usize) -> Vec<Link> {
    let mut places: Vec<(Place, usize)> = Vec::new();
    for (place, _) in coverage.covering(at).filter(|(place, _)| *place != Place::Section(at)) {
        match places.last_mut().filter(|(last, _)| *last == place) {
            Some((_, number)) => *number += 1,
            None => places.push((place, 1)),
        }
    }
    let link = |(place, number): (Place, usize)| {
        let Link { anchor, text } = link(coverage, place);
        Link { anchor, text: format!("{text} ({})", count(number, "citation", "citations")) }
    };
    places.into_iter().map(link).collect()
}

fn link(coverage: &Coverage, place: Place) -> Link {
    let text = clean(&crate::report::coverage::place(coverage, place));
    match place {
        Place::Section(at) => Link { anchor: format!("s{at}"), text },
        Place::File(file) => Link { anchor: format!("f{file}"), text },
    }
}

/// A citation where it is shown with what it cites; stale where it makes that stale.
fn cite_row(coverage: &Coverage, at: CiteAt, is_stale: &dyn Fn(&Extent) -> bool) -> CiteRow {
    let (case, citation) = (&coverage.cases[at.case], coverage.citation(at));
    CiteRow {
        case: Link { anchor: format!("c{}", at.case), text: clean(&case.id) },
        title: clean(case.title.as_deref().unwrap_or_default()),
        citation: clean(&citation.text),
        is_own: citation.is_own,
        is_draft: case.is_draft,
        standing: citation.standing.name(),
        rules: if is_stale(&citation.reach.stale) { citation.rules.join(", ") } else { String::new() },
        reviewed: Reviewed::from(&citation.reviewed),
    }
}

fn case_row(coverage: &Coverage, at: usize, case: &CaseCover) -> CaseRow {
    let citation = |citation: &crate::diagnostic::coverage::CitationCover| CitationRow {
        citation: clean(&citation.text),
        targets: citation.targets.iter().map(|target| link(coverage, *target)).collect(),
        is_own: citation.is_own,
        standing: citation.standing.name(),
        rules: citation.rules.join(", "),
        reviewed: Reviewed::from(&citation.reviewed),
    };
    CaseRow {
        anchor: format!("c{at}"),
        id: clean(&case.id),
        title: clean(case.title.as_deref().unwrap_or_default()),
        place: clean(&format!("{}:{}", case.file, case.line)),
        status: clean(case.status.as_deref().unwrap_or_default()),
        is_draft: case.is_draft,
        category: Some(&case.category)
            .filter(|it| !it.eq_ignore_ascii_case("unclassified"))
            .map_or_else(String::new, |it| clean(it)),
        by_model: case.is_category_by_model,
        standing: case.standing.map_or("nowhere", |standing| standing.name()),
        citations: case.citations.iter().map(citation).collect(),
    }
}

impl From<&ReviewedFact> for Reviewed {
    fn from(reviewed: &ReviewedFact) -> Self {
        let is_id = reviewed.at.len() >= 40 && reviewed.at.bytes().all(|byte| byte.is_ascii_hexdigit());
        let at = if is_id { &reviewed.at[..7] } else { &reviewed.at };
        let commit = reviewed.commit.as_deref().and_then(|id| id.get(..7)).filter(|id| *id != at);
        let at = match commit {
            Some(commit) if !at.is_empty() => format!("{at}, {commit}"),
            Some(_) | None => at.to_owned(),
        };
        Self { at: clean(&at), fingerprint: clean(reviewed.fingerprint.as_deref().unwrap_or_default()) }
    }
}

fn text_row(coverage: &Coverage, text: &TextCover) -> TextRow {
    let cases: Vec<String> = text.cases.iter().map(|case| coverage.cases[*case].id.clone()).collect();
    let reviewed = Reviewed::from(&ReviewedFact { at: text.reviewed_at.clone(), ..ReviewedFact::default() }).at;
    let at = if reviewed.is_empty() { String::new() } else { format!(" in {reviewed}") };
    TextRow {
        label: format!("as reviewed{at} by {}", clean(&list(&cases, MOST_CASES))),
        title_before: clean(text.title_before.as_deref().unwrap_or_default()),
        before: text.before.iter().map(ParagraphRow::from).collect(),
        after: text.after.iter().map(ParagraphRow::from).collect(),
    }
}

impl From<&Paragraph> for ParagraphRow {
    fn from(paragraph: &Paragraph) -> Self {
        let text = &paragraph.text;
        let mut parts = Vec::new();
        let mut done = 0;
        for (start, end) in &paragraph.marks {
            let (Some(between), Some(marked)) = (text.get(done..*start), text.get(*start..*end)) else { continue };
            parts.push((false, sanitize_lines(between).into_owned()));
            parts.push((true, sanitize_lines(marked).into_owned()));
            done = *end;
        }
        parts.push((false, sanitize_lines(text.get(done..).unwrap_or_default()).into_owned()));
        parts.retain(|(_, text)| !text.is_empty());
        let change = match paragraph.change {
            Differs::Not => "same",
            Differs::InWords => "words",
            Differs::InPlace => "moved",
            Differs::Wholly => "whole",
        };
        Self { context: clean(&paragraph.context), change, parts }
    }
}

/// A sentence with code between backquotes.
fn parts(note: &str) -> Vec<(bool, String)> {
    note.split('`').enumerate().map(|(nth, part)| (nth % 2 == 1, clean(part))).collect()
}

fn clean(text: &str) -> String {
    sanitize(text).into_owned()
}
