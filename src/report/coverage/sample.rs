//! A small coverage for the tests of the formats: a manual of one file, three cases, one of them stale.

use super::CoverageReport;
use crate::diagnostic::coverage::{
    CaseCover, CaseTally, CitationCover, CiteAt, Coverage, Differs, Extent, FileCover, Paragraph, Place, Reach,
    ReviewedFact, SectionCover, Standing, State, Tally, TextCover, TrendPoint,
};
use crate::diagnostic::{EndFact, SectionFact};

pub(crate) struct Sample {
    pub(crate) coverage: Coverage,
    pub(crate) notes: Vec<String>,
}

impl Sample {
    pub(crate) fn new() -> Self {
        let total = Tally { sections: 3, uncovered: 1, partial: 0, stale: 2, covered: 0, backlog: 1 };
        let case_total = CaseTally { cases: 3, drafts: 1, stale: 1, nowhere: 1, suppressed: 0, by_model: 1 };
        let coverage = Coverage {
            head: EndFact { rev: "v2".into(), commit: Some("b".repeat(40)) },
            date: Some("2026-01-02".into()),
            commit: Some("b".repeat(40)),
            files: vec![FileCover { path: "m.md".into(), sections: (0, 3), tally: total, cited_by: Vec::new() }],
            sections: vec![
                section(("limits", "Limits", Some("5")), None, State::Stale, &[(0, 0)]),
                section(("limits/cut-off", "Cut-off", None), Some(0), State::Stale, &[(1, 0)]),
                section(("=alarms", "Alarms", None), None, State::Uncovered, &[]),
            ],
            cases: vec![
                case("TC-1", false, vec![citation("limits", Some(0), Standing::Stale)]),
                case(
                    "TC-2",
                    false,
                    vec![
                        citation("limits/cut-off", Some(1), Standing::Fresh),
                        citation("nowhere", None, Standing::Nowhere),
                    ],
                ),
                case("@TC-3", true, Vec::new()),
            ],
            texts: vec![TextCover {
                reviewed_at: "v1".into(),
                before: vec![paragraph("It opens at 30 bar.", (12, 14))],
                after: vec![paragraph("It opens at 300 bar.", (12, 15))],
                title_before: None,
                cases: vec![0],
            }],
            total,
            case_total,
            categories: vec![("safety".into(), case_total), ("unclassified".into(), CaseTally::default())],
            trend: vec![point("v1", Tally { uncovered: 3, sections: 3, ..Tally::default() }), point("v2", total)],
        };
        Self { coverage, notes: vec!["1 file could not be read".to_owned()] }
    }

    pub(crate) fn report(&self) -> CoverageReport<'_> {
        CoverageReport { coverage: &self.coverage, notes: &self.notes }
    }
}

fn section(
    (id, title, number): (&str, &str, Option<&str>),
    parent: Option<usize>,
    state: State,
    cited_by: &[(usize, usize)],
) -> SectionCover {
    let number = number.map(str::to_owned);
    SectionCover {
        section: SectionFact { file: "m.md".into(), id: id.into(), number, title: title.into(), line: 3 },
        file: 0,
        parent,
        depth: usize::from(parent.is_some()),
        counts: true,
        state: Some(state),
        in_backlog: parent.is_some(),
        fingerprint: "c1-2222222222222222".into(),
        cited_by: cited_by.iter().map(|(case, citation)| CiteAt { case: *case, citation: *citation }).collect(),
        texts: if parent.is_some() { vec![0] } else { Vec::new() },
    }
}

fn case(id: &str, is_draft: bool, citations: Vec<CitationCover>) -> CaseCover {
    CaseCover {
        id: id.into(),
        file: "cases.yaml".into(),
        line: 2,
        title: Some(format!("Title of {id}")),
        status: is_draft.then(|| "draft".to_owned()),
        is_draft,
        category: "safety".into(),
        is_category_by_model: is_draft,
        standing: citations.iter().map(|citation| citation.standing).max(),
        citations,
    }
}

fn citation(text: &str, target: Option<usize>, standing: Standing) -> CitationCover {
    let is_stale = standing == Standing::Stale;
    CitationCover {
        text: text.into(),
        line: 4,
        is_own: false,
        targets: target.into_iter().map(Place::Section).collect(),
        standing,
        rules: if is_stale { vec!["text-changed"] } else { Vec::new() },
        reviewed: ReviewedFact {
            at: "v1".into(),
            commit: Some("a".repeat(40)),
            fingerprint: Some("c1-1111111111111111".into()),
        },
        reach: match is_stale {
            true => Reach { stale: Extent::Sections(vec![0, 1]), changed: Extent::Sections(vec![1]) },
            false => Reach::default(),
        },
    }
}

fn paragraph(text: &str, mark: (usize, usize)) -> Paragraph {
    Paragraph { context: String::new(), text: text.into(), change: Differs::InWords, marks: vec![mark] }
}

fn point(name: &str, sections: Tally) -> TrendPoint {
    let date = "2026-01-01".to_owned();
    TrendPoint { name: name.into(), commit: None, date, sections, cases: CaseTally::default() }
}
