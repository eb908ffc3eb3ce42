//! What is told of each citation: the facts about it, of the range or of the time before, for the rules to look at.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::reviewing::Reviews;
use crate::cases::CaseFile;
use crate::diagnostic::Diagnostic;
use crate::diff::{Change, Compared, Diff, Magnitude};
use crate::git::End;
use crate::impact::{self, Cited, Home, Passage};
use crate::manual::{Manual, SectionRef};
use crate::review::{Basis, Edition, Review, Route, covered};
use crate::rules::{self, Examined, facts};
use crate::source::{Sources, Span};

/// Sections at both ends of a range that a case cites.
#[derive(Debug, Default)]
pub(crate) struct CitedSections {
    before: BTreeSet<SectionRef>,
    after: BTreeSet<SectionRef>,
}

impl CitedSections {
    /// Whether a change speaks of one of them.
    pub(crate) fn are_touched(&self, change: &Change) -> bool {
        change.befores().iter().any(|at| self.before.contains(at))
            || change.afters().iter().any(|at| self.after.contains(at))
    }
}

/// What the facts about each citation are made from.
pub(super) struct Telling<'a> {
    pub(super) sources: &'a Sources,
    pub(super) start: Option<&'a End>,
    pub(super) checked: &'a Edition,
    /// Where the range starts.
    pub(super) before: Option<&'a Edition>,
    /// What the range did.
    pub(super) diff: &'a Diff,
}

impl<'a> Telling<'a> {
    /// One for each review.
    pub(super) fn passages(&self, reviews: impl Iterator<Item = Option<&'a Review>>) -> Vec<Passage<'a>> {
        static NOTHING: LazyLock<(Manual, Compared)> = LazyLock::new(Default::default);
        let after = || (&self.checked.manual, &*self.checked.index);
        let passage = |review: Option<&'a Review>| match review.and_then(|review| review.way.as_ref()) {
            None => Passage::new(&NOTHING.0, after(), &NOTHING.1),
            Some(way) => match &way.route {
                Route::Still(_) => Passage::new(&way.from.manual, after(), &NOTHING.1),
                Route::Changed(compared) => Passage::new(&way.from.manual, after(), compared),
            },
        };
        reviews.map(passage).collect()
    }

    /// What is told of each citation: what happened in the range, and if nothing did, what happened before. Nothing where
    /// the text is what it was at the last review, as far as that was asked.
    pub(super) fn examine(
        &self,
        files: &'a [CaseFile],
        reviews: &'a Reviews,
        (passages, last_passages): (&'a [Passage<'a>], &'a [Passage<'a>]),
    ) -> Vec<Examined<'a>> {
        let changed = LazyCell::new(|| self.changed());
        let examined = all_cited(files).enumerate().map(|(at, cited)| {
            let review = &reviews.first[at];
            let first = self.first(cited, review, &passages[at]);
            let Some(last_review) = &reviews.last[at] else { return first };
            let told = |impacted| self.examined(cited, last_review, &last_passages[at], impacted);
            if first.is_news() {
                // Who takes a change back that nobody reviewed makes nothing stale.
                let last = told(false);
                let is_fresh = last.impact.home != Home::Unasked && !last.is_news();
                return if is_fresh { last } else { first };
            }
            // Of what leads nowhere and is new, only the whole history knows whether it ever led somewhere.
            let is_new = matches!(review.basis, Basis::Now | Basis::Commit(_));
            let mut last = told(is_new && last_review.way.is_none());
            // What led nowhere when the range began may have led to what it changed.
            let is_changed = |home: &Home| {
                let sections = home.sections(&self.checked.manual, cited.citation.scope);
                sections.iter().any(|at| changed.contains(at))
            };
            last.impacted |= review.way.is_none() && is_changed(&last.impact.home);
            last
        });
        examined.collect()
    }

    /// The citations of which the range alone cannot tell: those that it seems to put out of date, which may read again as
    /// they did at their last review, and those that lead nowhere, or did where the range starts.
    pub(super) fn doubtful(&self, files: &'a [CaseFile], range: &'a [Review]) -> BTreeSet<usize> {
        let passages = self.passages(range.iter().map(Some));
        let is_doubtful = |(at, cited): &(usize, Cited<'a>)| {
            let first = self.first(*cited, &range[*at], &passages[*at]);
            let is_new = matches!(first.review.basis, Basis::Now | Basis::Commit(_));
            let is_nowhere = first.review.way.is_none() && (!is_new || first.impact.now.target().is_none());
            first.is_news() || is_nowhere
        };
        all_cited(files).enumerate().filter(is_doubtful).map(|(at, _)| at).collect()
    }

    /// What the range did to a citation; without a range, what happened since its last review.
    fn first<'p>(&self, cited: Cited<'p>, review: &'p Review, passage: &'p Passage<'p>) -> Examined<'p> {
        let mut first = self.examined(cited, review, passage, self.start.is_some());
        first.impacted &= !is_standing(&first);
        first
    }

    /// The sections whose text the range changed.
    fn changed(&self) -> BTreeSet<SectionRef> {
        let changes = self.diff.changes.iter().filter(|change| impact::weight(change) >= Magnitude::Minor);
        changes.flat_map(Change::afters).collect()
    }

    fn examined<'p>(
        &self,
        cited: Cited<'p>,
        review: &'p Review,
        passage: &'p Passage<'p>,
        impacted: bool,
    ) -> Examined<'p> {
        let reviewed = review.way.as_ref().map(|way| impact::Reviewed {
            target: way.target,
            still: match way.route {
                Route::Still(target) => Some(target),
                Route::Changed(_) => None,
            },
            heir: way.heir,
            rival: way.rival,
        });
        let impact = impact::follow(passage, cited, self.sources, reviewed);
        let reviewed_at = match &review.basis {
            Basis::Start => self.start.map_or_else(String::new, |end| end.name.clone()),
            Basis::Commit(id) => id.as_str().to_owned(),
            Basis::Pin(pin)
            | Basis::UnknownSection(pin)
            | Basis::UnknownText(pin)
            | Basis::UnknownRevision { spec: pin, .. } => pin.clone(),
            Basis::Now | Basis::Older | Basis::CutOff => String::new(),
        };
        let since = review.since.iter().map(facts::commit).collect();
        Examined { passage, impact, review, reviewed_at, impacted, since }
    }

    /// The sections that a case cites, where the range starts and where it ends. One that was cited there by another
    /// spelling is among them.
    pub(super) fn cited(&self, citations: &[Examined<'_>]) -> CitedSections {
        let mut found = CitedSections::default();
        let Some(before) = self.before else { return found };
        for examined in citations {
            let cited = examined.impact.cited;
            let path = &self.sources.get(cited.file.source).path;
            let there = before.index.resolve(&cited.citation.text, Some(path)).target();
            let followed = examined.impact.before.filter(|_| std::ptr::eq(examined.passage.before, &before.manual));
            let sections = |manual, target| covered(manual, target, cited.citation.scope);
            found.before.extend(there.into_iter().chain(followed).flat_map(|it| sections(&before.manual, it)));
            let now = examined.impact.now.target();
            found.after.extend(now.into_iter().flat_map(|it| sections(&self.checked.manual, it)));
        }
        found
    }
}

pub(super) fn all_cited(files: &[CaseFile]) -> impl Iterator<Item = Cited<'_>> {
    files.iter().flat_map(|file| {
        let cases = file.cases.iter();
        cases.flat_map(move |case| case.citations.iter().map(move |citation| Cited { file, case, citation }))
    })
}

/// Whether whatever is wrong with a citation was so where the range starts: it led nowhere, or to a text without the
/// quoted words, and does so still.
fn is_standing(examined: &Examined<'_>) -> bool {
    let is_old = match examined.review.basis {
        Basis::Start | Basis::Older => true,
        Basis::Now
        | Basis::Commit(_)
        | Basis::Pin(_)
        | Basis::UnknownSection(_)
        | Basis::UnknownRevision { .. }
        | Basis::UnknownText(_)
        | Basis::CutOff => false,
    };
    let was_nowhere = examined.review.way.is_none();
    is_old && examined.impact.is_as_it_was() && (was_nowhere || examined.impact.home != Home::Unasked)
}

/// Takes out what was stale before the range, and says so in notes; with the citations that this is about. Those that led
/// nowhere are among them where `knows_nowhere`: somebody asked whether they ever led somewhere.
pub(super) fn withhold_older(
    findings: &mut Vec<Diagnostic>,
    knows_nowhere: bool,
) -> (BTreeSet<(String, Span)>, Vec<String>) {
    let is_nowhere = |finding: &Diagnostic| rules::is_nowhere(finding.rule);
    let is_older = |finding: &Diagnostic| {
        !finding.facts.impacted && (rules::is_staleness(finding.rule) || (knows_nowhere && is_nowhere(finding)))
    };
    let (older, told) = std::mem::take(findings).into_iter().partition::<Vec<_>, _>(is_older);
    *findings = told;
    let about = |want: &dyn Fn(&Diagnostic) -> bool| -> BTreeSet<(&str, Span)> {
        older.iter().filter(|finding| want(finding)).filter_map(Diagnostic::about).collect()
    };
    let is_unknown = |finding: &Diagnostic| rules::is_history_missing(finding.rule);
    let stale = about(&|finding| !is_unknown(finding) && !is_nowhere(finding));
    let more = if findings.is_empty() { "" } else { "more " };
    let mut notes = match stale.len() {
        0 => Vec::new(),
        1 => vec![format!("1 {more}citation was stale before this range; `--all` shows it")],
        count => vec![format!("{count} {more}citations were stale before this range; `--all` shows them")],
    };
    match about(&is_nowhere).len() {
        0 => {}
        1 => notes.push(format!("1 {more}citation leads nowhere, as before this range; `--all` shows it")),
        count => notes.push(format!("{count} {more}citations lead nowhere, as before this range; `--all` shows them")),
    }
    if older.iter().any(is_unknown) {
        notes.push("the history is cut off: what was stale before this range is not known".to_owned());
    }
    (about(&|_| true).into_iter().map(|(case, at)| (case.to_owned(), at)).collect(), notes)
}
