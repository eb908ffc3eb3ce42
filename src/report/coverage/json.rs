//! The document of `coverage --format json`: `citecheck.coverage/1`. It only grows, as the others do; places in it are
//! named, not numbered, but for the parent of a section.

use std::io::{self, Write};

use serde::Serialize;

use super::CoverageReport;
use crate::diagnostic::coverage::{
    CaseCover, CaseTally, CitationCover, Coverage, Place, SectionCover, Tally, TrendPoint,
};
use crate::report::json::{End, Section, TOOL, Tool};
use crate::report::json_line::write;

pub(super) fn render(report: &CoverageReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let coverage = report.coverage;
    let sections = coverage.sections.iter().enumerate();
    let citations = coverage.cases.iter().map(|case| case.citations.len()).sum();
    let summary = Summary {
        manuals: coverage.files.len(),
        sections: Sections::from(&coverage.total),
        cases: Cases::from(&coverage.case_total),
        citations,
    };
    let document = Document {
        schema: "citecheck.coverage/1",
        head: End::from(&coverage.head),
        date: coverage.date.as_deref(),
        summary,
        manuals: coverage.files.iter().map(|file| File { file: &file.path, sections: (&file.tally).into() }).collect(),
        categories: coverage.categories.iter().map(|(name, tally)| Category { name, cases: tally.into() }).collect(),
        sections: sections.map(|(at, section)| Cover::new(coverage, at, section)).collect(),
        cases: coverage.cases.iter().map(|case| Case::new(coverage, case)).collect(),
        trend: coverage.trend.iter().map(Point::from).collect(),
        notes: report.notes,
        tool: TOOL,
    };
    write(&document, out)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    head: End<'a>,
    date: Option<&'a str>,
    summary: Summary,
    manuals: Vec<File<'a>>,
    categories: Vec<Category<'a>>,
    sections: Vec<Cover<'a>>,
    cases: Vec<Case<'a>>,
    trend: Vec<Point<'a>>,
    notes: &'a [String],
    tool: Tool,
}

#[derive(Serialize)]
struct Summary {
    manuals: usize,
    sections: Sections,
    cases: Cases,
    citations: usize,
}

/// Sections by state.
#[derive(Serialize)]
struct Sections {
    total: usize,
    covered: usize,
    stale: usize,
    partial: usize,
    uncovered: usize,
    backlog: usize,
    functional_percent: f64,
    stale_percent: f64,
}

#[derive(Serialize)]
struct Cases {
    total: usize,
    drafts: usize,
    stale: usize,
    nowhere: usize,
    suppressed: usize,
    by_model: usize,
}

#[derive(Serialize)]
struct File<'a> {
    file: &'a str,
    sections: Sections,
}

#[derive(Serialize)]
struct Category<'a> {
    name: &'a str,
    cases: Cases,
}

#[derive(Serialize)]
struct Cover<'a> {
    section: Section<'a>,
    /// The place of the enclosing section in this list.
    parent: Option<usize>,
    counts: bool,
    state: Option<&'static str>,
    backlog: bool,
    fingerprint: &'a str,
    cases: Vec<CoveredBy<'a>>,
}

#[derive(Serialize)]
struct CoveredBy<'a> {
    case: &'a str,
    citation: &'a str,
    /// What the citation names, where that is not this section.
    with: Option<Target<'a>>,
    /// Whether this section is stale because of it.
    stale: bool,
}

/// A section, or a whole file: without id.
#[derive(Serialize)]
struct Target<'a> {
    file: &'a str,
    id: Option<&'a str>,
}

#[derive(Serialize)]
struct Case<'a> {
    id: &'a str,
    file: &'a str,
    line: usize,
    title: Option<&'a str>,
    status: Option<&'a str>,
    draft: bool,
    category: &'a str,
    /// Whether a model gave it.
    category_by_model: bool,
    standing: Option<&'static str>,
    citations: Vec<Citation<'a>>,
}

#[derive(Serialize)]
struct Citation<'a> {
    citation: &'a str,
    line: usize,
    scope: &'static str,
    standing: &'static str,
    rules: &'a [&'static str],
    reviewed: Reviewed<'a>,
    cites: Vec<Target<'a>>,
}

#[derive(Serialize)]
struct Reviewed<'a> {
    at: Option<&'a str>,
    commit: Option<&'a str>,
    fingerprint: Option<&'a str>,
}

#[derive(Serialize)]
struct Point<'a> {
    rev: &'a str,
    commit: Option<&'a str>,
    date: &'a str,
    sections: Sections,
    cases: Cases,
}

impl<'a> Cover<'a> {
    fn new(coverage: &'a Coverage, at: usize, cover: &'a SectionCover) -> Self {
        let covered_by = |(with, cite)| {
            let citation: &CitationCover = coverage.citation(cite);
            CoveredBy {
                case: &coverage.cases[cite.case].id,
                citation: &citation.text,
                with: Some(with).filter(|with| *with != Place::Section(at)).map(|with| Target::new(coverage, with)),
                stale: citation.reach.stale.has(at),
            }
        };
        Self {
            section: Section::from(&cover.section),
            parent: cover.parent,
            counts: cover.counts,
            state: cover.state.map(|state| state.name()),
            backlog: cover.in_backlog,
            fingerprint: &cover.fingerprint,
            cases: coverage.covering(at).map(covered_by).collect(),
        }
    }
}

impl<'a> Target<'a> {
    fn new(coverage: &'a Coverage, place: Place) -> Self {
        match place {
            Place::Section(at) => {
                let section = &coverage.sections[at].section;
                Self { file: &section.file, id: Some(&section.id) }
            }
            Place::File(file) => Self { file: &coverage.files[file].path, id: None },
        }
    }
}

impl<'a> Case<'a> {
    fn new(coverage: &'a Coverage, case: &'a CaseCover) -> Self {
        let citation = |citation: &'a CitationCover| Citation {
            citation: &citation.text,
            line: citation.line,
            scope: if citation.is_own { "own" } else { "whole" },
            standing: citation.standing.name(),
            rules: &citation.rules,
            reviewed: Reviewed {
                at: Some(citation.reviewed.at.as_str()).filter(|at| !at.is_empty()),
                commit: citation.reviewed.commit.as_deref(),
                fingerprint: citation.reviewed.fingerprint.as_deref(),
            },
            cites: citation.targets.iter().map(|target| Target::new(coverage, *target)).collect(),
        };
        Self {
            id: &case.id,
            file: &case.file,
            line: case.line,
            title: case.title.as_deref(),
            status: case.status.as_deref(),
            draft: case.is_draft,
            category: &case.category,
            category_by_model: case.is_category_by_model,
            standing: case.standing.map(|standing| standing.name()),
            citations: case.citations.iter().map(citation).collect(),
        }
    }
}

impl From<&Tally> for Sections {
    fn from(tally: &Tally) -> Self {
        Self {
            total: tally.sections,
            covered: tally.covered,
            stale: tally.stale,
            partial: tally.partial,
            uncovered: tally.uncovered,
            backlog: tally.backlog,
            functional_percent: tally.functional_percent(),
            stale_percent: tally.stale_percent(),
        }
    }
}

impl From<&CaseTally> for Cases {
    fn from(tally: &CaseTally) -> Self {
        let CaseTally { cases, drafts, stale, nowhere, suppressed, by_model } = *tally;
        Self { total: cases, drafts, stale, nowhere, suppressed, by_model }
    }
}

impl<'a> From<&'a TrendPoint> for Point<'a> {
    fn from(point: &'a TrendPoint) -> Self {
        Self {
            rev: &point.name,
            commit: point.commit.as_deref(),
            date: &point.date,
            sections: (&point.sections).into(),
            cases: (&point.cases).into(),
        }
    }
}
