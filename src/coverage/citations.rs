//! What each citation came to: where the text is that it cites, whether `check` tells something about it, against what it
//! was reviewed, and which sections are stale because of it.

use std::collections::{BTreeMap, BTreeSet};

use super::texts::Texts;
use super::{Looked, Places};
use crate::cases::Scope;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::coverage::{CitationCover, Extent, Place, Reach, ReviewedFact, Standing};
use crate::diff::{Change, Magnitude};
use crate::impact::Home;
use crate::manual::{Manual, Resolution, SectionRef, Target};
use crate::review::{Basis, covered};
use crate::rules::{Examined, is_about_text};
use crate::source::{Rev, Span};

/// Findings by the case and the citation that they are about.
type ByCitation<'a> = BTreeMap<(&'a str, Span), Vec<&'a Diagnostic>>;

/// Looks citations up.
pub(super) struct Citations<'a> {
    looked: &'a Looked<'a>,
    places: &'a Places,
    findings: ByCitation<'a>,
    suppressed: ByCitation<'a>,
}

impl<'a> Citations<'a> {
    pub(super) fn new(looked: &'a Looked<'a>, places: &'a Places) -> Self {
        let findings = by_citation(&looked.told.findings);
        Self { looked, places, findings, suppressed: by_citation(&looked.told.suppressed) }
    }

    /// One citation of the case with this number.
    pub(super) fn cover(&self, examined: &Examined<'_>, case: usize, texts: &mut Texts) -> CitationCover {
        let cited = examined.impact.cited;
        let findings = self.findings.get(&cited.key()).map_or(&[][..], Vec::as_slice);
        let targets = targets(examined);
        let standing = match (targets.is_empty(), findings.is_empty()) {
            (true, _) => Standing::Nowhere,
            (false, false) => Standing::Stale,
            (false, true) if self.suppressed.contains_key(&cited.key()) => Standing::Suppressed,
            (false, true) => Standing::Fresh,
        };
        let reviewed = self.reviewed(examined);
        let mut reach = Reach::default();
        if standing == Standing::Stale {
            let changes: Vec<&Change> = examined
                .impact
                .changes
                .iter()
                .filter(|it| it.weight > Magnitude::Trivial)
                .map(|it| it.change)
                .collect();
            let is_in_text = findings.iter().all(|finding| is_about_text(finding.rule));
            reach = self.reach(examined, &targets, &changes, is_in_text);
            let home = targets.first().and_then(|target| self.first_section(*target));
            for change in changes {
                texts.add(examined.passage, change, self.places, (home, case, &reviewed.at));
            }
        }
        CitationCover {
            text: cited.citation.text.clone(),
            line: self.looked.input.sources.line(cited.citation.span.source, cited.citation.span.start).0,
            is_own: cited.citation.scope == Scope::Own,
            targets: targets.iter().map(|target| self.places.place(*target)).collect(),
            standing,
            rules: findings.iter().map(|finding| finding.rule.name).collect(),
            reviewed,
            reach,
        }
    }

    /// The sections that a stale citation makes stale.
    fn reach(&self, examined: &Examined<'_>, targets: &[Target], changes: &[&Change], is_in_text: bool) -> Reach {
        let manual = examined.passage.after;
        let scope = examined.impact.cited.citation.scope;
        let covers: BTreeSet<SectionRef> = targets.iter().flat_map(|target| covered(manual, *target, scope)).collect();
        let changed: BTreeSet<SectionRef> = changes.iter().flat_map(|change| change.afters()).collect();
        let changed: Vec<usize> = changed.intersection(&covers).map(|at| self.places.section(*at)).collect();
        // What was followed from its review is known; where the pin or the history is missing, nothing is.
        let is_known = examined.review.way.is_some() || examined.review.basis == Basis::Now;
        let mut stale = changed.clone();
        stale.extend(targets.iter().filter_map(|target| match target {
            Target::Section(at) => Some(self.places.section(*at)),
            Target::File(_) => None,
        }));
        let is_in_text = is_in_text && is_known && !changes.is_empty() && !stale.is_empty();
        Reach {
            stale: if is_in_text { Extent::Sections(stale) } else { Extent::All },
            changed: if is_known { Extent::Sections(changed) } else { Extent::All },
        }
    }

    fn first_section(&self, target: Target) -> Option<usize> {
        match self.places.place(target) {
            Place::Section(at) => Some(at),
            Place::File(file) => Some(self.places.starts[file]).filter(|first| *first < self.places.starts[file + 1]),
        }
    }

    fn reviewed(&self, examined: &Examined<'_>) -> ReviewedFact {
        let whole = examined.impact.cited.citation.scope == Scope::Whole;
        let at = |at: &str| at.to_owned();
        if let Some(way) = &examined.review.way {
            let commit = match &way.from.rev {
                Rev::Commit(id) => Some(id.as_str().to_owned()),
                Rev::Nothing | Rev::Index | Rev::Worktree => self.looked.head.commit.clone(),
            };
            let fingerprint = Some(way.from.manual.fingerprint(way.target, whole).pin());
            return ReviewedFact { at: at(&examined.reviewed_at), commit, fingerprint };
        }
        match (&examined.review.basis, &examined.impact.now) {
            (Basis::Now, Resolution::Found { target, .. }) => ReviewedFact {
                at: at(&self.looked.head.rev),
                commit: self.looked.head.commit.clone(),
                fingerprint: Some(examined.passage.after.fingerprint(*target, whole).pin()),
            },
            (Basis::Now, Resolution::Ambiguous { .. } | Resolution::Unknown { .. }) => ReviewedFact {
                at: at(&self.looked.head.rev),
                commit: self.looked.head.commit.clone(),
                fingerprint: None,
            },
            (Basis::Commit(id), _) => {
                ReviewedFact { at: at(id.as_str()), commit: Some(at(id.as_str())), fingerprint: None }
            }
            (
                Basis::Start
                | Basis::Older
                | Basis::Pin(_)
                | Basis::UnknownSection(_)
                | Basis::UnknownRevision { .. }
                | Basis::UnknownText(_)
                | Basis::CutOff,
                _,
            ) => ReviewedFact { at: at(&examined.reviewed_at), commit: None, fingerprint: None },
        }
    }
}

fn by_citation(findings: &[Diagnostic]) -> ByCitation<'_> {
    let mut found = ByCitation::new();
    for finding in findings {
        if let Some(citation) = finding.about() {
            found.entry(citation).or_default().push(finding);
        }
    }
    found
}

/// Where the cited text is. That is where it came to, and only where that is not known, what the citation leads to: no case
/// was written against another section that took its name or number.
fn targets(examined: &Examined<'_>) -> Vec<Target> {
    match (&examined.impact.home, &examined.impact.now) {
        (Home::Here(home), _) => vec![*home],
        (Home::Parts(parts), _) => outermost(examined.passage.after, parts),
        (Home::Merged(whole), _) => vec![Target::Section(*whole)],
        (Home::Unasked | Home::Removed | Home::Lost(_), Resolution::Found { target, .. }) => vec![*target],
        (Home::Unasked | Home::Removed | Home::Lost(_), Resolution::Ambiguous { .. } | Resolution::Unknown { .. }) => {
            Vec::new()
        }
    }
}

/// The sections without those that stand below another of them.
fn outermost(manual: &Manual, sections: &[SectionRef]) -> Vec<Target> {
    let is_below = |at: &SectionRef| manual.lineage(*at).skip(1).any(|around| sections.contains(&around));
    sections.iter().filter(|at| !is_below(at)).map(|at| Target::Section(*at)).collect()
}
