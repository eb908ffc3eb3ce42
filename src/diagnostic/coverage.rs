//! What `coverage` tells, as data: the sections of one revision with their states, the cases with what each of their
//! citations came to, the texts of stale sections, and the figures. Everything refers to everything else by its place in
//! these lists. How states are found is `coverage`'s, how they look is `report`'s.

use super::{EndFact, SectionFact};

/// How well a section is covered, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum State {
    /// No case cites it.
    Uncovered,
    /// Only drafts cite it, or only some subsections of it are cited.
    Partial,
    /// Cases cite it, and something about them is out of date.
    Stale,
    /// Cases cite it, and all of them are up to date.
    Covered,
}

/// The coverage of one revision.
#[derive(Clone, Debug)]
pub(crate) struct Coverage {
    pub(crate) head: EndFact,
    /// The day of the commit that is looked at, or that the index or work tree is based on, and that commit.
    pub(crate) date: Option<String>,
    pub(crate) commit: Option<String>,
    /// In the order of their paths.
    pub(crate) files: Vec<FileCover>,
    /// In the order of files and text; a parent stands before its children.
    pub(crate) sections: Vec<SectionCover>,
    /// In the order of files and text.
    pub(crate) cases: Vec<CaseCover>,
    pub(crate) texts: Vec<TextCover>,
    pub(crate) total: Tally,
    pub(crate) case_total: CaseTally,
    /// The categories of the taxonomy in its order, also those without a case.
    pub(crate) categories: Vec<(String, CaseTally)>,
    /// Earliest first, the looked-at revision last; empty unless asked for.
    pub(crate) trend: Vec<TrendPoint>,
}

/// One manual file.
#[derive(Clone, Debug)]
pub(crate) struct FileCover {
    pub(crate) path: String,
    /// Its sections: the first, and the one behind the last.
    pub(crate) sections: (usize, usize),
    pub(crate) tally: Tally,
    /// Citations of the whole file.
    pub(crate) cited_by: Vec<CiteAt>,
}

/// One section.
#[derive(Clone, Debug)]
pub(crate) struct SectionCover {
    pub(crate) section: SectionFact,
    pub(crate) file: usize,
    pub(crate) parent: Option<usize>,
    /// How deep it lies below the file's top, from 0.
    pub(crate) depth: usize,
    /// Whether it counts: it has text of its own that can be tested.
    pub(crate) counts: bool,
    /// Of a section that does not count, what its subsections come to together; `None` where none of them counts.
    pub(crate) state: Option<State>,
    /// Whether its text changed after the newest review.
    pub(crate) in_backlog: bool,
    /// As a pin to it would be written.
    pub(crate) fingerprint: String,
    /// Citations of this very section. Those of the sections above and of the file may cover it, too.
    pub(crate) cited_by: Vec<CiteAt>,
    /// Its text as it was when cases were reviewed, and as it is.
    pub(crate) texts: Vec<usize>,
}

/// One citation of one case, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CiteAt {
    pub(crate) case: usize,
    pub(crate) citation: usize,
}

/// One case.
#[derive(Clone, Debug)]
pub(crate) struct CaseCover {
    pub(crate) id: String,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) title: Option<String>,
    pub(crate) status: Option<String>,
    pub(crate) is_draft: bool,
    /// One of the taxonomy.
    pub(crate) category: String,
    /// Whether that is what a model says, as the case itself names none.
    pub(crate) is_category_by_model: bool,
    /// The worst of its citations; `None` where it has none.
    pub(crate) standing: Option<Standing>,
    pub(crate) citations: Vec<CitationCover>,
}

/// What a citation came to, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Standing {
    Fresh,
    /// `check` would have a finding, which a comment suppresses: counts as fresh.
    Suppressed,
    /// `check` has a finding.
    Stale,
    /// It leads to no section, or to several.
    Nowhere,
}

/// One citation.
#[derive(Clone, Debug)]
pub(crate) struct CitationCover {
    /// As written, without its pin.
    pub(crate) text: String,
    pub(crate) line: usize,
    /// Whether it leaves out subsections.
    pub(crate) is_own: bool,
    /// Where the cited text is.
    pub(crate) targets: Vec<Place>,
    pub(crate) standing: Standing,
    /// The rules of its findings.
    pub(crate) rules: Vec<&'static str>,
    pub(crate) reviewed: ReviewedFact,
    pub(crate) reach: Reach,
}

/// A section or a whole file, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Section(usize),
    File(usize),
}

/// Against what a citation was reviewed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReviewedFact {
    /// A commit, a pin as it is written, or the looked-at revision; empty where it is not known.
    pub(crate) at: String,
    /// The commit that has the reviewed text, if one does.
    pub(crate) commit: Option<String>,
    /// The fingerprint of the reviewed text.
    pub(crate) fingerprint: Option<String>,
}

/// What a citation means for the sections that it covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Those that are stale because of it.
    pub(crate) stale: Extent,
    /// Those whose text is not the reviewed one, or not known to be.
    pub(crate) changed: Extent,
}

/// Some of the sections that a citation covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Extent {
    #[default]
    None,
    All,
    Sections(Vec<usize>),
}

/// A section's text before and after.
#[derive(Clone, Debug)]
pub(crate) struct TextCover {
    /// Where the text before is from, as [`ReviewedFact::at`].
    pub(crate) reviewed_at: String,
    /// Empty where the text is new, or gone.
    pub(crate) before: Vec<Paragraph>,
    pub(crate) after: Vec<Paragraph>,
    /// The title before, where it was another.
    pub(crate) title_before: Option<String>,
    /// The cases that were reviewed against the text before.
    pub(crate) cases: Vec<usize>,
}

/// A block of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Paragraph {
    /// `- `, `> ` and the like.
    pub(crate) context: String,
    pub(crate) text: String,
    pub(crate) change: Differs,
    /// The ranges of `text` that were replaced.
    pub(crate) marks: Vec<(usize, usize)>,
}

/// How a block differs from the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Differs {
    Not,
    InWords,
    InPlace,
    /// It is only on this side.
    Wholly,
}

/// Sections by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) sections: usize,
    pub(crate) uncovered: usize,
    pub(crate) partial: usize,
    pub(crate) stale: usize,
    pub(crate) covered: usize,
    /// Sections whose text changed after their newest review.
    pub(crate) backlog: usize,
}

/// Cases in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CaseTally {
    pub(crate) cases: usize,
    pub(crate) drafts: usize,
    /// Cases with a stale citation.
    pub(crate) stale: usize,
    /// Cases with a citation that leads nowhere.
    pub(crate) nowhere: usize,
    /// Cases with a suppressed finding.
    pub(crate) suppressed: usize,
    /// Cases whose category a model gave.
    pub(crate) by_model: usize,
}

/// One point of a trend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TrendPoint {
    /// A tag, a commit's first digits, or the looked-at revision as it was asked for.
    pub(crate) name: String,
    pub(crate) commit: Option<String>,
    pub(crate) date: String,
    pub(crate) sections: Tally,
    pub(crate) cases: CaseTally,
}

impl Coverage {
    pub(crate) fn citation(&self, at: CiteAt) -> &CitationCover {
        &self.cases[at.case].citations[at.citation]
    }

    /// The citations that cover a section: its own, and, with where they stand, those of the sections around it and of its
    /// file that do not leave out subsections.
    pub(crate) fn covering(&self, section: usize) -> impl Iterator<Item = (Place, CiteAt)> {
        let around = std::iter::successors(Some(section), |at| self.sections[*at].parent);
        let file = self.sections[section].file;
        let cites =
            |place: Place, cited_by: &'_ [CiteAt]| cited_by.iter().map(move |at| (place, *at)).collect::<Vec<_>>();
        let sections = around.flat_map(move |at| cites(Place::Section(at), &self.sections[at].cited_by));
        let sections =
            sections.filter(move |(place, at)| *place == Place::Section(section) || !self.citation(*at).is_own);
        sections.chain(cites(Place::File(file), &self.files[file].cited_by))
    }
}

impl State {
    pub(crate) const ALL: [Self; 4] = [Self::Covered, Self::Stale, Self::Partial, Self::Uncovered];

    pub(crate) fn name(self) -> &'static str {
        match self {
            State::Uncovered => "uncovered",
            State::Partial => "partial",
            State::Stale => "stale",
            State::Covered => "covered",
        }
    }
}

impl Standing {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Standing::Fresh => "fresh",
            Standing::Suppressed => "suppressed",
            Standing::Stale => "stale",
            Standing::Nowhere => "nowhere",
        }
    }
}

impl Extent {
    /// Whether a covered section is among them.
    pub(crate) fn has(&self, section: usize) -> bool {
        match self {
            Extent::None => false,
            Extent::All => true,
            Extent::Sections(sections) => sections.contains(&section),
        }
    }
}

impl Tally {
    pub(crate) fn add(&mut self, state: State, in_backlog: bool) {
        self.sections += 1;
        *self.count_mut(state) += 1;
        self.backlog += usize::from(in_backlog);
    }

    pub(crate) fn count(&self, state: State) -> usize {
        let mut tally = *self;
        *tally.count_mut(state)
    }

    fn count_mut(&mut self, state: State) -> &mut usize {
        match state {
            State::Uncovered => &mut self.uncovered,
            State::Partial => &mut self.partial,
            State::Stale => &mut self.stale,
            State::Covered => &mut self.covered,
        }
    }

    /// How many of a hundred sections have cases: (covered + stale + partial) / all. Without sections there is none.
    pub(crate) fn functional_percent(&self) -> f64 {
        percent(self.covered + self.stale + self.partial, self.sections)
    }

    /// How many of a hundred sections with finished cases are stale: stale / (covered + stale).
    pub(crate) fn stale_percent(&self) -> f64 {
        percent(self.stale, self.covered + self.stale)
    }
}

/// To one decimal, as it is shown; 0 of nothing. Only all is 100, and only none is 0.
fn percent(part: usize, whole: usize) -> f64 {
    match whole {
        0 => 0.0,
        whole if part == whole => 100.0,
        _ if part == 0 => 0.0,
        whole => ((part as f64 * 1000.0 / whole as f64).round() / 10.0).clamp(0.1, 99.9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_those_of_the_definition() {
        let check = |[covered, stale, partial, uncovered]: [usize; 4], functional: f64, stale_percent: f64| {
            let mut tally = Tally::default();
            for (state, number) in State::ALL.into_iter().zip([covered, stale, partial, uncovered]) {
                (0..number).for_each(|_| tally.add(state, false));
            }
            let found = (tally.functional_percent(), tally.stale_percent());
            assert_eq!(found, (functional, stale_percent), "{tally:?}");
            assert_eq!(tally.sections, covered + stale + partial + uncovered);
        };
        check([0, 0, 0, 0], 0.0, 0.0);
        check([0, 0, 0, 3], 0.0, 0.0);
        check([0, 0, 1, 3], 25.0, 0.0);
        check([2, 1, 0, 0], 100.0, 33.3);
        check([1, 1, 1, 1], 75.0, 50.0);
        check([9999, 0, 0, 1], 99.9, 0.0);
        check([9999, 1, 0, 90_000], 10.0, 0.1);
    }
}
