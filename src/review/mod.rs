//! The review point of each citation: the revision against which it was last looked at (design §7.1), and the way its
//! section took from there to the checked revision. Says nothing about how much that matters.

mod archive;
mod chain;
mod follow;
mod lineage;
mod points;
mod since;
mod standing;
mod walk;

use std::collections::HashMap;
use std::rc::Rc;

use crate::cases::{Case, CaseFile, Citation};
use crate::git::{Commit, Error};
use crate::manual::{Resolution, Target};
use crate::source::{CommitId, RepoPath, Rev};

pub(crate) use archive::{Archive, Edition, Reading};
pub(crate) use follow::{Compared, Route, covered};
pub(crate) use lineage::Lineage;
pub(crate) use standing::Standing;

use follow::{Follower, Stop};
use points::{Point, Points};
use since::Asked;
use walk::Track;

/// How a citation was reviewed, and what became of its section since.
pub(crate) struct Review {
    pub(crate) basis: Basis,
    /// What was cited then, if the citation led somewhere.
    pub(crate) way: Option<Way>,
    /// The commits that changed the text since, latest first.
    pub(crate) since: Vec<Commit>,
}

/// Against what a citation was reviewed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Basis {
    /// The case or the citation is new in what is checked: it is being reviewed.
    Now,
    /// The last commit that touched the case.
    Commit(CommitId),
    /// The start of the range: what happened before is not asked.
    Start,
    /// Not asked: before the range, and not as it stands at its start.
    Older,
    /// Not known: the history that would tell is not in the clone.
    CutOff,
}

/// From a target at the review point to the checked revision.
pub(crate) struct Way {
    pub(crate) from: Rc<Edition>,
    pub(crate) target: Target,
    pub(crate) route: Route,
}

/// Finds review points and follows sections; remembers what it read and compared.
pub(crate) struct Reviewer<'r> {
    pub(crate) archive: Archive<'r>,
    pub(crate) lineage: Lineage,
    follower: Follower,
    editions: HashMap<usize, Rc<Edition>>,
    /// Where the range starts, if there is one.
    start: Option<(CommitId, Stop)>,
    asked: Asked,
}

impl<'r> Reviewer<'r> {
    pub(crate) fn new(archive: Archive<'r>, lineage: Lineage, checked: Rc<Edition>) -> Self {
        let editions = HashMap::from([(0, checked)]);
        Self { archive, lineage, follower: Follower::default(), editions, start: None, asked: Asked::default() }
    }

    /// Looks at a range only: a case that stood the same at its start counts as reviewed there.
    pub(crate) fn starting_at(mut self, start: Rc<Edition>, compared: Rc<Compared>) -> Self {
        if let (Rev::Commit(id), Some(checked)) = (&start.rev, self.editions.get(&0)) {
            self.follower.keep(&start, checked, compared);
            self.start = Some((id.clone(), Stop { node: None, edition: start }));
        }
        self
    }

    /// The review of every citation, in the order of files, cases and citations.
    pub(crate) fn review(&mut self, files: &[CaseFile]) -> Result<Vec<Review>, Error> {
        let citations: Vec<(Track, &Citation)> = files.iter().flat_map(|file| self.tracks(file)).collect();
        let tracks = citations.iter().map(|(track, _)| track.clone()).collect();
        let walked = walk::walk(&mut self.archive, &self.lineage, tracks)?;
        let mut points = Points::new(walked);
        let mut reviews = Vec::new();
        for (at, (_, citation)) in citations.into_iter().enumerate() {
            let point = points.of(self, at, citation.scope)?;
            reviews.push(self.at(point, citation)?);
        }
        Ok(reviews)
    }

    fn tracks<'c>(&self, file: &'c CaseFile) -> Vec<(Track, &'c Citation)> {
        let path = &self.archive.sources.get(file.source).path;
        let track = |case: &Case, citation: &Citation| Track {
            path: path.clone(),
            id: case.id.clone(),
            ordinal: case.ordinal,
            content: case.content,
            text: citation.text.clone(),
        };
        let cases = file.cases.iter();
        cases.flat_map(|case| case.citations.iter().map(move |citation| (track(case, citation), citation))).collect()
    }

    fn at(&mut self, point: Point, citation: &Citation) -> Result<Review, Error> {
        let nothing = |basis| Ok(Review { basis, way: None, since: Vec::new() });
        let (basis, stop, (path, text)) = match point {
            Point::At { node, path, text } => match &self.lineage.nodes[node].rev {
                Rev::Commit(id) if node > 0 => (Basis::Commit(id.clone()), self.stop(node)?, (path, text)),
                Rev::Commit(_) | Rev::Index | Rev::Worktree | Rev::Nothing => return nothing(Basis::Now),
            },
            Point::Start { path, text } => match &self.start {
                Some((_, stop)) => (Basis::Start, stop.clone(), (path, text)),
                None => return nothing(Basis::Older),
            },
            Point::Older => return nothing(Basis::Older),
            Point::CutOff => return nothing(Basis::CutOff),
        };
        let base = stop.node;
        let way = self.way(stop, (&path, &text), citation)?;
        let since = match &way {
            Some(way) => self.since(base, way, citation.scope)?,
            None => Vec::new(),
        };
        Ok(Review { basis, way, since })
    }

    fn way(
        &mut self,
        from: Stop,
        (path, text): (&RepoPath, &str),
        citation: &Citation,
    ) -> Result<Option<Way>, Error> {
        let Some(target) = self.target(&from.edition, text, path) else { return Ok(None) };
        let to = self.stop(0)?;
        let route = self.route(&from, &to, target, citation)?;
        Ok(Some(Way { from: from.edition, target, route }))
    }

    fn route(&mut self, from: &Stop, to: &Stop, target: Target, citation: &Citation) -> Result<Route, Error> {
        let wanted = (target, citation.scope);
        self.follower.route(&mut self.archive, &self.lineage, (from, to), wanted)
    }

    fn target(&self, edition: &Edition, text: &str, path: &RepoPath) -> Option<Target> {
        match edition.index(self.archive.reading.base_urls).resolve(text, Some(path)) {
            Resolution::Found { target, .. } => Some(target),
            Resolution::Ambiguous { .. } | Resolution::Unknown { .. } => None,
        }
    }

    fn stop(&mut self, node: usize) -> Result<Stop, Error> {
        if let Some(edition) = self.editions.get(&node) {
            return Ok(Stop { node: Some(node), edition: Rc::clone(edition) });
        }
        let entries = self.lineage.entries(node);
        let edition = self.archive.edition(&self.lineage.nodes[node].rev, &entries)?;
        self.editions.insert(node, Rc::clone(&edition));
        Ok(Stop { node: Some(node), edition })
    }
}
