//! A coverage with any texts, of what comes next in an input: one file, its sections in a row of a depth each, and cases
//! that cite them.

use super::facts::Maker;
use crate::diagnostic::coverage::{
    CaseCover, CaseTally, CitationCover, CiteAt, Coverage, Differs, Extent, FileCover, Paragraph, Place, Reach,
    ReviewedFact, SectionCover, Standing, State, Tally, TextCover, TrendPoint,
};

impl Maker<'_> {
    pub(super) fn coverage(&mut self) -> Coverage {
        let mut sections = self.several(Self::covered_section);
        for at in 1..sections.len() {
            let parent = self.some(|it| it.bytes.below(at));
            sections[at].parent = parent;
            sections[at].depth = parent.map_or(0, |parent| sections[parent].depth + 1);
        }
        let cases = self.several(|it| it.covering_case(sections.len()));
        for (case, citation, cited) in places(&cases) {
            sections[cited].cited_by.push(CiteAt { case, citation });
        }
        let texts = if sections.is_empty() { Vec::new() } else { self.several(|it| it.covered_text(cases.len())) };
        for at in 0..texts.len() {
            let section = self.bytes.below(sections.len());
            sections[section].texts.push(at);
        }
        let cited_by = cases.iter().enumerate().filter(|(_, it)| !it.citations.is_empty());
        let cited_by: Vec<CiteAt> = cited_by.map(|(case, _)| CiteAt { case, citation: 0 }).take(1).collect();
        let cited_by = if self.bytes.yes() { cited_by } else { Vec::new() };
        let file = FileCover { path: self.text(), sections: (0, sections.len()), tally: self.tally(), cited_by };
        Coverage {
            head: self.end(),
            date: self.some(Self::date),
            commit: self.some(Self::commit),
            files: vec![file],
            sections,
            cases,
            texts,
            total: self.tally(),
            case_total: self.case_tally(),
            categories: self.several(|it| (it.text(), it.case_tally())),
            trend: self.several(|it| TrendPoint {
                name: it.text(),
                commit: it.some(Self::commit),
                date: it.date(),
                sections: it.tally(),
                cases: it.case_tally(),
            }),
        }
    }

    fn covered_section(&mut self) -> SectionCover {
        SectionCover {
            section: self.section(),
            file: 0,
            parent: None,
            depth: 0,
            counts: self.bytes.yes(),
            state: self.some(|it| it.bytes.one_of(&State::ALL)),
            in_backlog: self.bytes.yes(),
            fingerprint: self.text(),
            cited_by: Vec::new(),
            texts: Vec::new(),
        }
    }

    fn covering_case(&mut self, sections: usize) -> CaseCover {
        let citations = self.several(|it| it.covering_citation(sections));
        CaseCover {
            id: self.text(),
            file: self.text(),
            line: self.number(),
            title: self.some(Self::text),
            status: self.some(Self::text),
            is_draft: self.bytes.yes(),
            category: self.text(),
            is_category_by_model: self.bytes.yes(),
            standing: citations.iter().map(|it| it.standing).max(),
            citations,
        }
    }

    fn covering_citation(&mut self, sections: usize) -> CitationCover {
        let standings = [Standing::Fresh, Standing::Suppressed, Standing::Stale, Standing::Nowhere];
        let extent = |it: &mut Self| match it.bytes.below(3) {
            0 => Extent::None,
            1 => Extent::All,
            _ => Extent::Sections((0..sections).filter(|_| it.bytes.yes()).collect()),
        };
        let target = self.some(|it| (sections > 0).then(|| Place::Section(it.bytes.below(sections)))).flatten();
        CitationCover {
            text: self.text(),
            line: self.number(),
            is_own: self.bytes.yes(),
            targets: target.into_iter().collect(),
            standing: self.bytes.one_of(&standings),
            rules: self.several(|it| it.bytes.one_of(&["text-changed", "section-moved"])),
            reviewed: ReviewedFact {
                at: self.text(),
                commit: self.some(Self::commit),
                fingerprint: self.some(Self::text),
            },
            reach: Reach { stale: extent(self), changed: extent(self) },
        }
    }

    fn covered_text(&mut self, cases: usize) -> TextCover {
        TextCover {
            reviewed_at: self.text(),
            before: self.several(Self::paragraph),
            after: self.several(Self::paragraph),
            title_before: self.some(Self::text),
            cases: (0..cases).filter(|_| self.bytes.yes()).collect(),
        }
    }

    fn paragraph(&mut self) -> Paragraph {
        let text = self.text();
        Paragraph {
            context: self.bytes.one_of(&["", "- ", "> "]).to_owned(),
            change: self.bytes.one_of(&[Differs::Not, Differs::InWords, Differs::InPlace, Differs::Wholly]),
            marks: self.some(|it| it.range(&text)).into_iter().collect(),
            text,
        }
    }

    /// Numbers that add up.
    fn tally(&mut self) -> Tally {
        let mut tally = Tally::default();
        for _ in 0..self.bytes.below(9) {
            tally.add(self.bytes.one_of(&State::ALL), self.bytes.yes());
        }
        tally
    }

    fn case_tally(&mut self) -> CaseTally {
        CaseTally { cases: self.number(), by_model: self.number(), ..CaseTally::default() }
    }
}

/// Every citation that leads to a section, with that.
fn places(cases: &[CaseCover]) -> Vec<(usize, usize, usize)> {
    let mut places = Vec::new();
    for (case, it) in cases.iter().enumerate() {
        for (citation, it) in it.citations.iter().enumerate() {
            places.extend(it.targets.iter().filter_map(|target| match target {
                Place::Section(section) => Some((case, citation, *section)),
                Place::File(_) => None,
            }));
        }
    }
    places
}
