//! Which part of a section a citation went on leading to: the section is followed commit by commit, and where one commit
//! split it, or made it part of another one, the spelling of the citation decides. Whoever respells a citation so that it
//! leads to that part again has only kept up with its name; whoever cites another part has chosen.

use super::chain::{Course, MOST_STEPS};
use super::follow::Stop;
use super::points::Point;
use super::since::SectionKey;
use super::{Reviewer, Route};
use crate::diff::Outcome;
use crate::git::Error;
use crate::manual::{SectionRef, Target};
use crate::source::RepoPath;

impl Reviewer<'_> {
    /// Where a section is at `to` that a citation led to, where it stood `since` as it is spelled there. `None` if a commit
    /// on the way took it from under the citation.
    pub(super) fn heir(&mut self, since: &Point, to: &Stop) -> Result<Option<Target>, Error> {
        let Some((from, path, text)) = self.spelled(since)? else { return Ok(None) };
        let Some(mut place) = self.cited(&from, path, text)? else { return Ok(None) };
        let Some(course) = Course::between(&self.lineage, &from.edition.rev, to.node) else { return Ok(None) };
        let mut compared = 0;
        for (node, parent) in course.into_steps() {
            if !self.lineage.nodes[node].parents[parent].changed.contains_key(&place.0) {
                continue;
            }
            compared += 1;
            if compared > MOST_STEPS {
                return Ok(None);
            }
            let arrived = self.follower.step(&mut self.archive, &self.lineage, (node, parent), &place)?;
            place = match &arrived.places[..] {
                [only] if !arrived.is_merged => only.clone(),
                parts => {
                    let at = self.stop(node)?;
                    let led = self.cited(&at, path, text)?.filter(|led| parts.contains(led));
                    let Some(led) = led else { return Ok(None) };
                    led
                }
            };
        }
        Ok(at(to, &place).map(Target::Section))
    }

    /// A point in the history, and how the citation is spelled there.
    pub(super) fn spelled<'p>(&mut self, point: &'p Point) -> Result<Option<(Stop, &'p RepoPath, &'p str)>, Error> {
        Ok(match (point, &self.start) {
            (Point::At { node, path, text }, _) => Some((self.stop(*node)?, path, text)),
            (Point::Start { path, text }, Some((_, start))) => Some((start.clone(), path, text)),
            (Point::Start { .. } | Point::Older | Point::CutOff, _) => None,
        })
    }

    /// The section that a citation leads to.
    fn cited(&mut self, at: &Stop, path: &RepoPath, text: &str) -> Result<Option<SectionKey>, Error> {
        let manual = &at.edition.manual;
        let key = |target| match target {
            Target::Section(at) => Some((manual.document(at).path.clone(), manual.section(at).id.0.clone())),
            Target::File(_) => None,
        };
        Ok(self.target(&at.edition, text, path)?.and_then(key))
    }
}

/// Whether a route leads from a section to several, or into another one: then an heir may be asked for.
pub(super) fn is_parted(route: &Route, target: Target) -> bool {
    match (route, target) {
        (Route::Changed(compared), Target::Section(section)) => {
            matches!(compared.outcome_of(section), Some(Outcome::Split { .. } | Outcome::Merged { .. }))
        }
        (Route::Still(_), _) | (_, Target::File(_)) => false,
    }
}

fn at(to: &Stop, (file, id): &SectionKey) -> Option<SectionRef> {
    let document = to.edition.file(file)?;
    let section = to.edition.manual.documents[document].sections.iter().position(|section| section.id.0 == *id)?;
    Some(SectionRef { document, section })
}
