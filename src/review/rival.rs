//! A section that is still at its place with another text, while its former text stands elsewhere: edited there, with the
//! former text kept as a copy, or moved, with another section in its place. By texts alone the former text is the section.
//! Where the history shows that it was edited, or the two texts are alike, it was; else nobody but a person can say, and
//! the section at the place is its rival.

use std::rc::Rc;

use super::archive::{Archive, Edition};
use super::chain::{Course, relation};
use super::follow::{Follower, Route, Stop};
use super::lineage::Lineage;
use crate::diff::{self, Compared, Magnitude, Outcome};
use crate::git::Error;
use crate::manual::{Manual, Section, SectionRef, Target};

/// A section that was followed to its former text, and what stands at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contest {
    before: SectionRef,
    /// Where the former text is.
    home: SectionRef,
    /// What has the place.
    pub(super) place: SectionRef,
}

/// Which of the two is the section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The one at the place.
    Edited,
    /// The one with the former text.
    Moved,
    /// Nobody but a person can say.
    Open,
}

impl Follower {
    /// The same route, or one to the section that is still at its place, where that is what became of the target.
    pub(super) fn settled(
        &mut self,
        archive: &mut Archive<'_>,
        lineage: &Lineage,
        (from, to): (&Stop, &Stop),
        (compared, target): (Rc<Compared>, Target),
    ) -> Result<Route, Error> {
        let (before, after) = (&from.edition.manual, &to.edition.manual);
        let Some(contest) = contest(&compared, (before, after), target) else { return Ok(Route::Changed(compared)) };
        let known = match Course::between(lineage, &from.edition.rev, to.node) {
            Some(course) => self.steps.follow(archive, &course, (&from.edition, &to.edition), contest.before)?,
            None => None,
        };
        let is_edited = match known {
            Some(Outcome::Same { after, .. }) => after == contest.place,
            Some(
                Outcome::Split { .. }
                | Outcome::Merged { .. }
                | Outcome::Ambiguous { .. }
                | Outcome::Removed { .. }
                | Outcome::Added { .. },
            )
            | None => contest.verdict(before, after) == Verdict::Edited,
        };
        if !is_edited {
            return Ok(Route::Changed(compared));
        }
        let relation = relation((before, contest.before), (after, contest.place));
        let edited = Outcome::Same { before: contest.before, after: contest.place, relation };
        let copied = Outcome::Added { after: contest.home };
        let change = |outcome| diff::change(before, after, outcome, &archive.sources, archive.reading.lexicons);
        Ok(Route::Changed(Rc::new(compared.amended([edited, copied].map(change).into()))))
    }
}

/// What stands at the place of a target whose former text is elsewhere, where a person has to say which is meant.
pub(super) fn rival(route: &Route, from: &Edition, to: &Edition, target: Target) -> Option<SectionRef> {
    let Route::Changed(compared) = route else { return None };
    let contest = contest(compared, (&from.manual, &to.manual), target)?;
    (contest.verdict(&from.manual, &to.manual) != Verdict::Moved).then_some(contest.place)
}

/// Whether a target is still at its place with another text, while its former text stands elsewhere.
pub(super) fn contest(compared: &Compared, (before, after): (&Manual, &Manual), target: Target) -> Option<Contest> {
    let Target::Section(at) = target else { return None };
    let Outcome::Same { after: home, .. } = compared.outcome_of(at)? else { return None };
    let (path, id) = (&before.document(at).path, &before.section(at).id);
    if after.document(*home).path == *path && after.section(*home).id == *id {
        return None;
    }
    let document = after.documents.binary_search_by(|document| document.path.cmp(path)).ok()?;
    let section = after.documents[document].sections.iter().position(|section| section.id == *id)?;
    let place = SectionRef { document, section };
    // What came there from elsewhere is known as another section, and a heading without a text says nothing.
    let has_text = |section: &Section| !section.fragments.is_empty();
    let is_new = compared.arrival_of(place).is_some_and(|change| matches!(change.outcome, Outcome::Added { .. }));
    if !is_new || !has_text(before.section(at)) || !has_text(after.section(place)) {
        return None;
    }
    let keeps_text = compared.change_of(at).is_some_and(|change| change.edit.magnitude < Magnitude::Substantive);
    keeps_text.then_some(Contest { before: at, home: *home, place })
}

impl Contest {
    /// What the texts say. Of two sections with one heading under one parent, both have the place.
    pub(super) fn verdict(self, before: &Manual, after: &Manual) -> Verdict {
        let (home, place) = (after.section(self.home), after.section(self.place));
        let same_parent = self.home.document == self.place.document && home.parent == place.parent;
        let is_alike = diff::is_alike(before.section(self.before), place);
        match (is_alike, same_parent && home.title == place.title) {
            (true, false) => Verdict::Edited,
            (false, true) => Verdict::Moved,
            (true, true) | (false, false) => Verdict::Open,
        }
    }
}
