//! A section followed commit by commit, where a direct comparison loses it: reworded and moved in many small steps, no
//! two of which are hard to follow.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use super::archive::{Archive, Edition};
use super::follow::is_certain;
use super::lineage::{Edge, Lineage};
use super::rival::{Verdict, contest};
use super::since::SectionKey;
use crate::diff::{Candidate, Compared, Files, Outcome, Relation};
use crate::git::Error;
use crate::manual::{Document, Manual, SectionRef, Target};
use crate::source::{RepoPath, Rev};

/// Commits that touched the section's file and are compared for one section, at most. What needs more is lost.
pub(super) const MOST_STEPS: usize = 400;

/// A way through the history, oldest step first: a node, and which of its parents it comes from.
pub(crate) struct Course<'l> {
    lineage: &'l Lineage,
    steps: Vec<(usize, usize)>,
}

/// What single commits did to the manual; each is compared once.
#[derive(Default)]
pub(crate) struct Steps {
    known: HashMap<(usize, usize, Option<RepoPath>), Rc<Step>>,
}

/// The manual files that a commit changed, or one of them.
struct Step {
    before: Manual,
    after: Manual,
    compared: Compared,
}

/// Where one commit took a section.
pub(super) struct Arrived {
    pub(super) places: Vec<SectionKey>,
    /// Whether it became part of another one.
    pub(super) is_merged: bool,
}

/// A section of a version of a file.
#[derive(Clone)]
struct Place {
    document: Arc<Document>,
    section: usize,
    /// How alike it is to what it may have been, where a commit on the way left open which section is which; else 1.
    likeness: f64,
}

impl<'l> Course<'l> {
    /// The way from a commit to a later node, along first parents where there is a choice. The commit may be the one right
    /// before the history that is looked at.
    pub(crate) fn between(lineage: &'l Lineage, from: &Rev, to: Option<usize>) -> Option<Self> {
        let (Rev::Commit(start), Some(mut at)) = (from, to) else { return None };
        let between = lineage.descendants(start);
        let mut steps = Vec::new();
        while lineage.nodes[at].rev != *from {
            let parents = &lineage.nodes[at].parents;
            let leads = |edge: &Edge| edge.parent == *start || edge.to.is_some_and(|to| between.contains(&to));
            let parent = parents.iter().position(leads)?;
            steps.push((at, parent));
            match parents[parent].to {
                Some(next) => at = next,
                None => break,
            }
        }
        steps.reverse();
        Some(Self { lineage, steps })
    }

    /// Its steps: a node, and which of its parents it comes from.
    pub(super) fn into_steps(self) -> Vec<(usize, usize)> {
        self.steps
    }
}

impl Steps {
    /// Where a section went, or `None` if a step on the way loses it too. Where a step leaves open which section is which,
    /// its candidates are followed.
    pub(crate) fn follow(
        &mut self,
        archive: &mut Archive<'_>,
        course: &Course<'_>,
        (from, to): (&Edition, &Edition),
        section: SectionRef,
    ) -> Result<Option<Outcome>, Error> {
        let document = Arc::clone(&from.manual.documents[section.document]);
        let mut places = vec![Place { document, section: section.section, likeness: 1.0 }];
        let mut is_merged = false;
        let mut compared = 0;
        for &(node, parent) in &course.steps {
            let edge = &course.lineage.nodes[node].parents[parent];
            let mut next: Vec<Place> = Vec::new();
            for place in places {
                if !edge.changed.contains_key(&place.document.path) {
                    next.push(place);
                    continue;
                }
                compared += 1;
                let (arrived, merged) = self.step(archive, course.lineage, (node, parent), &place)?;
                is_merged |= merged;
                next.extend(arrived);
            }
            if next.is_empty() || compared > MOST_STEPS {
                return Ok(None);
            }
            places = next;
        }
        Ok(outcome((from, to), section, &places, is_merged))
    }

    /// Where one commit took a section that stands in a parent of it under this id.
    pub(super) fn single(
        &mut self,
        archive: &mut Archive<'_>,
        lineage: &Lineage,
        (node, parent): (usize, usize),
        (file, id): &SectionKey,
    ) -> Result<Arrived, Error> {
        let nowhere = || Ok(Arrived { places: Vec::new(), is_merged: false });
        let edge = &lineage.nodes[node].parents[parent];
        let Some(entry) = edge.changed.get(file).and_then(|delta| delta.before) else { return nowhere() };
        let Some(document) = archive.document(&edge.rev(), file, entry)? else { return nowhere() };
        let Some(section) = document.sections.iter().position(|section| section.id.0 == *id) else {
            return nowhere();
        };
        let place = Place { document, section, likeness: 1.0 };
        let (places, is_merged) = self.step(archive, lineage, (node, parent), &place)?;
        let named = |place: &Place| (place.document.path.clone(), place.document.sections[place.section].id.0.clone());
        let known = places.iter().filter(|place| place.is_known());
        Ok(Arrived { places: known.map(named).collect(), is_merged })
    }

    /// Where one commit took a section; and whether it became part of another one.
    fn step(
        &mut self,
        archive: &mut Archive<'_>,
        lineage: &Lineage,
        (node, parent): (usize, usize),
        place: &Place,
    ) -> Result<(Vec<Place>, bool), Error> {
        let path = &place.document.path;
        let alone = self.compared(archive, lineage, (node, parent), Some(path))?;
        if alone.is_certain(place) {
            return Ok(alone.follow(place));
        }
        let all = self.compared(archive, lineage, (node, parent), None)?;
        Ok(all.follow(place))
    }

    fn compared(
        &mut self,
        archive: &mut Archive<'_>,
        lineage: &Lineage,
        (node, parent): (usize, usize),
        only: Option<&RepoPath>,
    ) -> Result<Rc<Step>, Error> {
        let key = (node, parent, only.cloned());
        if let Some(step) = self.known.get(&key) {
            return Ok(Rc::clone(step));
        }
        let edge = &lineage.nodes[node].parents[parent];
        let (before, after) = sides(archive, edge, (&edge.rev(), &lineage.nodes[node].rev), only)?;
        let (there, here) = (Files::all(&before), Files::all(&after));
        let compared = Compared::new(there, here, &archive.sources, archive.reading.lexicons);
        let step = Rc::new(Step { before, after, compared });
        self.known.insert(key, Rc::clone(&step));
        Ok(step)
    }
}

impl Step {
    fn at(&self, place: &Place) -> Option<SectionRef> {
        let document = self.before.documents.iter().position(|document| document.path == place.document.path)?;
        Some(SectionRef { document, section: place.section })
    }

    fn is_certain(&self, place: &Place) -> bool {
        self.at(place).is_some_and(|at| is_certain(&self.compared, (&self.before, at), &self.after))
    }

    fn follow(&self, place: &Place) -> (Vec<Place>, bool) {
        let alike = |at: &SectionRef, likeness: f64| Place {
            document: Arc::clone(&self.after.documents[at.document]),
            section: at.section,
            likeness: likeness.min(place.likeness),
        };
        let here = |at: &SectionRef| alike(at, 1.0);
        let Some(at) = self.at(place) else { return (Vec::new(), false) };
        match self.compared.outcome_of(at) {
            Some(Outcome::Same { after, .. }) => (self.settled(at, *after).iter().map(here).collect(), false),
            Some(Outcome::Merged { after, .. }) => (vec![here(after)], true),
            Some(Outcome::Split { into, .. }) => (into.iter().map(here).collect(), false),
            Some(Outcome::Ambiguous { candidates, .. }) => {
                (candidates.iter().map(|near| alike(&near.section, near.similarity)).collect(), false)
            }
            Some(Outcome::Removed { .. } | Outcome::Added { .. }) | None => (Vec::new(), false),
        }
    }

    /// The section that a section is now; `None` where only a person can say.
    fn settled(&self, at: SectionRef, after: SectionRef) -> Option<SectionRef> {
        let Some(contest) = contest(&self.compared, (&self.before, &self.after), Target::Section(at)) else {
            return Some(after);
        };
        match contest.verdict(&self.before, &self.after) {
            Verdict::Edited => Some(contest.place),
            Verdict::Moved => Some(after),
            Verdict::Open => None,
        }
    }
}

impl Place {
    /// Whether it is known to be the section, or a part of it.
    fn is_known(&self) -> bool {
        self.likeness >= 1.0
    }
}

/// The versions of the changed manual files before and after a commit.
fn sides(
    archive: &mut Archive<'_>,
    edge: &Edge,
    (before, after): (&Rev, &Rev),
    only: Option<&RepoPath>,
) -> Result<(Manual, Manual), Error> {
    let (mut there, mut here) = (Manual::default(), Manual::default());
    let is_manual = archive.reading.is_manual;
    for delta in edge.changed.values().filter(|delta| only.is_none_or(|only| *only == delta.path)) {
        if let Some(entry) = delta.before.filter(|_| is_manual(before, &delta.path)) {
            there.documents.extend(archive.document(before, &delta.path, entry)?);
        }
        if let Some(entry) = delta.after.filter(|_| is_manual(after, &delta.path)) {
            here.documents.extend(archive.document(after, &delta.path, entry)?);
        }
    }
    Ok((there, here))
}

fn outcome(
    (from, to): (&Edition, &Edition),
    section: SectionRef,
    places: &[Place],
    is_merged: bool,
) -> Option<Outcome> {
    let place = |place: &Place| {
        let document = to.file(&place.document.path)?;
        let known = place.section < to.manual.documents[document].sections.len();
        known.then_some(SectionRef { document, section: place.section })
    };
    let mut afters = places.iter().map(place).collect::<Option<Vec<_>>>()?;
    if !places.iter().all(Place::is_known) {
        let likenesses = places.iter().map(|place| place.likeness);
        let candidates =
            afters.into_iter().zip(likenesses).map(|(section, similarity)| Candidate { section, similarity });
        return Some(Outcome::Ambiguous { before: section, candidates: best_first(candidates.collect()) });
    }
    afters.sort();
    afters.dedup();
    match afters[..] {
        [] => None,
        [after] if is_merged => {
            let relation = relation((&from.manual, section), (&to.manual, after));
            Some(Outcome::Merged { from: vec![section], after, relation })
        }
        [after] => {
            let relation = relation((&from.manual, section), (&to.manual, after));
            Some(Outcome::Same { before: section, after, relation })
        }
        [first, ..] => {
            let relation = relation((&from.manual, section), (&to.manual, first));
            Some(Outcome::Split { before: section, into: afters, relation })
        }
    }
}

/// Each candidate once, the most similar first.
fn best_first(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|one, other| other.similarity.total_cmp(&one.similarity).then(one.section.cmp(&other.section)));
    let mut seen = BTreeSet::new();
    candidates.retain(|candidate| seen.insert(candidate.section));
    candidates
}

/// What places and titles say of two ends of a way. The steps in between may have moved and moved back.
pub(super) fn relation((from, before): (&Manual, SectionRef), (to, after): (&Manual, SectionRef)) -> Relation {
    let parent = |manual: &Manual, at| manual.parent(at).map(|parent| manual.section(parent).path.clone());
    let (there, here) = (from.section(before), to.section(after));
    Relation {
        moved: from.document(before).path != to.document(after).path || parent(from, before) != parent(to, after),
        renamed: there.title != here.title,
        renumbered: there.number != here.number,
        with_parent: false,
    }
}
