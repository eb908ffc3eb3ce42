//! How well the manual is covered by cases: a state for each section, what each citation came to, and the figures.
//! Takes what `check` found and told as it is; how it is shown is decided elsewhere.
//!
//! # Which sections count
//!
//! Those that say something that can be cited: with text of their own, up to the next heading. So do clauses, numbered
//! paragraphs, and the text before a file's first heading, which is cited with its file. Headings without text, and tables
//! of contents, don't count: they are shown with what their subsections come to together. `uncovered-section` looks at the
//! same sections.
//!
//! # States
//!
//! A section's state is about its own text; its subsections have states of their own. A citation covers the section that it
//! names and those below it, with `scope: own` the section alone; one of a file covers every section in it.
//!
//! - *uncovered*: no case covers it, nor any section below it.
//! - *partial*: only drafts cover it; or nothing does, and something below it is covered.
//! - *stale*: finished cases cover it, and a citation that covers it is stale on its account.
//! - *covered*: finished cases cover it, and none is.
//!
//! A citation is stale where `check` has a finding about it. It makes stale what it names and, of what else it covers, the
//! sections whose text changed: another subsection is as well covered as it was. Where nobody can tell, because the pin or
//! the history is missing, or the citation is at fault, it makes stale all that it covers. A finding that a comment
//! suppresses, or whose rule is off, makes nothing stale, as `check` tells nothing; suppressed ones are counted and shown.
//! Where the cited text moved and the citation does not lead there yet, the case covers the text where it is.
//!
//! The *review backlog* are the sections that changed after their newest review: those with a case of which no citation was
//! reviewed against the text as it is.

mod citations;
mod states;
mod texts;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cases::{Case, Spanned};
use crate::config;
use crate::diagnostic::coverage::{
    CaseCover, CaseTally, CitationCover, CiteAt, Coverage, FileCover, Place, SectionCover, Standing, Tally,
};
use crate::diagnostic::{CommitFact, EndFact};
use crate::manual::{Document, Manual, SectionRef, Target};
use crate::rules::{self, Input, Told, facts};

use citations::Citations;
use texts::Texts;

/// What the coverage is taken from.
pub(crate) struct Looked<'a> {
    pub(crate) input: &'a Input<'a>,
    pub(crate) told: &'a Told,
    pub(crate) settings: &'a config::Coverage,
    pub(crate) head: EndFact,
    /// The commit that is looked at, or that the index or the work tree is based on.
    pub(crate) commit: Option<CommitFact>,
}

/// The coverage of the revision that was looked at.
pub(crate) fn coverage(looked: &Looked<'_>) -> Coverage {
    let places = Places::new(looked.input.manual);
    let mut texts = Texts::default();
    let cases = cases(looked, &places, &mut texts);
    let mut coverage = Coverage {
        head: looked.head.clone(),
        date: looked.commit.as_ref().map(|commit| commit.date.clone()),
        commit: looked.commit.as_ref().map(|commit| commit.id.clone()),
        files: files(looked.input.manual, &places),
        sections: sections(looked.input.manual, &places),
        categories: Vec::new(),
        cases,
        texts: Vec::new(),
        total: Tally::default(),
        case_total: CaseTally::default(),
        trend: Vec::new(),
    };
    texts.hand_over(&mut coverage);
    link(&mut coverage);
    states::settle(&mut coverage);
    count_cases(&mut coverage, looked.settings);
    coverage
}

/// Gives cases the categories that a model found, by the places of the cases, and counts them anew.
#[cfg(feature = "ai")]
pub(crate) fn categorize(coverage: &mut Coverage, settings: &config::Coverage, categories: &BTreeMap<usize, String>) {
    for (at, category) in categories {
        if let Some(case) = coverage.cases.get_mut(*at) {
            category.clone_into(&mut case.category);
            case.is_category_by_model = true;
        }
    }
    count_cases(coverage, settings);
}

/// Where the sections of a manual stand in one list.
struct Places {
    /// The first section of each file, and the number of all.
    starts: Vec<usize>,
}

impl Places {
    fn new(manual: &Manual) -> Self {
        let mut starts = vec![0];
        for document in &manual.documents {
            starts.push(starts[starts.len() - 1] + document.sections.len());
        }
        Self { starts }
    }

    fn section(&self, at: SectionRef) -> usize {
        self.starts[at.document] + at.section
    }

    fn place(&self, target: Target) -> Place {
        match target {
            Target::Section(at) => Place::Section(self.section(at)),
            Target::File(file) => Place::File(file),
        }
    }
}

fn files(manual: &Manual, places: &Places) -> Vec<FileCover> {
    let files = manual.documents.iter().enumerate();
    let file = |(at, document): (usize, &Arc<Document>)| FileCover {
        path: document.path.to_string(),
        sections: (places.starts[at], places.starts[at + 1]),
        tally: Tally::default(),
        cited_by: Vec::new(),
    };
    files.map(file).collect()
}

fn sections(manual: &Manual, places: &Places) -> Vec<SectionCover> {
    let mut sections: Vec<SectionCover> = Vec::with_capacity(places.starts[places.starts.len() - 1]);
    for (at, section) in manual.sections() {
        let parent = manual.parent(at).map(|parent| places.section(parent));
        sections.push(SectionCover {
            section: facts::section(manual, at),
            file: at.document,
            parent,
            depth: parent.map_or(0, |parent| sections[parent].depth + 1),
            counts: section.says_something(),
            state: None,
            in_backlog: false,
            fingerprint: manual.fingerprint(Target::Section(at), true).pin(),
            cited_by: Vec::new(),
            texts: Vec::new(),
        });
    }
    sections
}

fn cases(looked: &Looked<'_>, places: &Places, texts: &mut Texts) -> Vec<CaseCover> {
    let input = looked.input;
    let citations = Citations::new(looked, places);
    let mut examined = input.citations.iter();
    let mut cases = Vec::new();
    for file in input.case_files {
        let path = input.sources.get(file.source).path.to_string();
        for case in &file.cases {
            let number = cases.len();
            let own = examined.by_ref().take(case.citations.len());
            let citations: Vec<CitationCover> = own.map(|it| citations.cover(it, number, texts)).collect();
            cases.push(case_cover(looked, case, &path, citations));
        }
    }
    cases
}

fn case_cover(looked: &Looked<'_>, case: &Case, path: &str, citations: Vec<CitationCover>) -> CaseCover {
    let said = |it: &Option<Spanned>| it.as_ref().map(|it| it.text.clone());
    let taxonomy = &looked.settings.taxonomy;
    let category = case.category.as_ref().and_then(|category| taxonomy.find(&category.text));
    CaseCover {
        id: case.id.0.clone(),
        file: path.to_owned(),
        line: looked.input.sources.line(case.id_span.source, case.id_span.start).0,
        title: said(&case.title),
        status: said(&case.status),
        is_draft: case.status.as_ref().is_some_and(|status| looked.settings.is_draft(&status.text)),
        category: category.unwrap_or(taxonomy.unclassified()).to_owned(),
        is_category_by_model: false,
        standing: citations.iter().map(|citation| citation.standing).max(),
        citations,
    }
}

/// Tells sections and files who cites them.
fn link(coverage: &mut Coverage) {
    for (case, cover) in coverage.cases.iter().enumerate() {
        for (citation, cited) in cover.citations.iter().enumerate() {
            let at = CiteAt { case, citation };
            for target in &cited.targets {
                match target {
                    Place::Section(section) => coverage.sections[*section].cited_by.push(at),
                    Place::File(file) => coverage.files[*file].cited_by.push(at),
                }
            }
        }
    }
}

fn count_cases(coverage: &mut Coverage, settings: &config::Coverage) {
    coverage.case_total = CaseTally::default();
    let mut tallies: BTreeMap<&str, CaseTally> = BTreeMap::new();
    for case in &coverage.cases {
        for tally in [&mut coverage.case_total, tallies.entry(&case.category).or_default()] {
            let has = |standing| usize::from(case.citations.iter().any(|citation| citation.standing == standing));
            tally.cases += 1;
            tally.drafts += usize::from(case.is_draft);
            tally.stale += has(Standing::Stale);
            tally.nowhere += has(Standing::Nowhere);
            tally.suppressed += has(Standing::Suppressed);
            tally.by_model += usize::from(case.is_category_by_model);
        }
    }
    let tally = |name: &str| tallies.get(name).copied().unwrap_or_default();
    coverage.categories = settings.taxonomy.names().map(|name| (name.to_owned(), tally(name))).collect();
}

/// Findings that say that something was not read as it is written: figures without it are not the whole truth.
pub(crate) fn unread(told: &Told) -> usize {
    told.findings.iter().filter(|finding| rules::is_unread(finding.rule)).count()
}
