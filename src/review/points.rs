//! From where the ways back ended to review points: decides whether a citation that was spelled differently before is the
//! same one, by the sections that the spellings lead to (respelling a citation is no review).

use std::collections::BTreeSet;

use super::Reviewer;
use super::follow::{Stop, destination};
use super::heir::is_parted;
use super::rival::rival;
use super::walk::{Track, TrackEnd, TrackId, Tracks};
use crate::cases::Scope;
use crate::git::Error;
use crate::manual::Target;
use crate::source::{CommitId, RepoPath};

/// Where a citation was last looked at, and as what it stood there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Point {
    At {
        node: usize,
        path: RepoPath,
        text: String,
    },
    /// At the start of the range or before.
    Start {
        path: RepoPath,
        text: String,
    },
    /// Before the start of the range, where it does not stand as it does now.
    Older,
    CutOff,
}

/// The ends of a walk, and what was decided so far.
pub(super) struct Points {
    walked: Tracks,
    known: Vec<Option<Point>>,
}

impl Points {
    pub(super) fn new(walked: Tracks) -> Self {
        let known = vec![None; walked.tracks.len()];
        Self { walked, known }
    }

    /// Every node at which something may have been reviewed.
    pub(super) fn nodes(&self) -> BTreeSet<usize> {
        let node = |end: &TrackEnd| match end {
            TrackEnd::Reviewed(node) | TrackEnd::Respelled { node, .. } => Some(*node),
            TrackEnd::Before(_) | TrackEnd::CutOff => None,
        };
        self.walked.ends.iter().flatten().filter_map(node).collect()
    }

    /// The review point of a track. Goes from the oldest spelling to the latest, so that a long row of them costs no
    /// stack.
    pub(super) fn of(&mut self, reviewer: &mut Reviewer<'_>, track: TrackId, scope: Scope) -> Result<Point, Error> {
        let mut open = vec![track];
        while let Some(&next) = open.last() {
            let waits: Vec<TrackId> = match &self.walked.ends[next] {
                Some(TrackEnd::Respelled { before, .. }) => {
                    before.iter().copied().filter(|before| self.known[*before].is_none()).collect()
                }
                Some(TrackEnd::Reviewed(_) | TrackEnd::Before(_) | TrackEnd::CutOff) | None => Vec::new(),
            };
            if !waits.is_empty() {
                open.extend(waits);
                continue;
            }
            if self.known[next].is_none() {
                let point = self.decide(reviewer, next, scope)?;
                self.known[next] = Some(point);
            }
            open.pop();
        }
        Ok(self.known[track].clone().unwrap_or(Point::CutOff))
    }

    /// Where a citation was first spelled as in a track, whose review point is known: there, or where it was respelled
    /// later.
    pub(super) fn spelled(&self, track: TrackId) -> Option<Point> {
        match &self.walked.ends[track] {
            Some(TrackEnd::Respelled { node, .. }) => {
                let Track { path, text, .. } = &self.walked.tracks[track];
                Some(Point::At { node: *node, path: path.clone(), text: text.clone() })
            }
            Some(TrackEnd::Reviewed(_) | TrackEnd::Before(_) | TrackEnd::CutOff) | None => self.known[track].clone(),
        }
    }

    /// The review point of an earlier spelling, and where it was first spelled so; or, where it led nowhere there, the node
    /// from which on it led somewhere until it was respelled.
    fn landed(
        &self,
        reviewer: &mut Reviewer<'_>,
        (point, spelling): (Point, TrackId),
        respelled: usize,
    ) -> Result<(Point, Option<Point>), Error> {
        let Track { path, text, .. } = &self.walked.tracks[spelling];
        Ok(match reviewer.onset(&point, respelled, (path, text))? {
            Some(node) => {
                let first = Point::At { node, path: path.clone(), text: text.clone() };
                (first.clone(), Some(first))
            }
            None => (point, self.spelled(spelling)),
        })
    }

    fn decide(&self, reviewer: &mut Reviewer<'_>, track: TrackId, scope: Scope) -> Result<Point, Error> {
        let (path, text) = (self.walked.tracks[track].path.clone(), self.walked.tracks[track].text.clone());
        Ok(match &self.walked.ends[track] {
            Some(TrackEnd::Reviewed(node)) => Point::At { node: *node, path, text },
            Some(TrackEnd::Before(commit)) if reviewer.stood(commit, &self.walked.tracks[track])? => {
                Point::Start { path, text }
            }
            Some(TrackEnd::Before(_)) => Point::Older,
            Some(TrackEnd::CutOff) | None => Point::CutOff,
            Some(TrackEnd::Respelled { node, before }) => {
                for spelling in before {
                    let point = self.known[*spelling].clone().unwrap_or(Point::CutOff);
                    if point == Point::CutOff {
                        return Ok(point);
                    }
                    let (point, spelled) = self.landed(reviewer, (point, *spelling), *node)?;
                    if same_section(reviewer, (&point, spelled), (*node, &path, &text), scope)? {
                        return Ok(point);
                    }
                }
                Point::At { node: *node, path, text }
            }
        })
    }
}

impl Reviewer<'_> {
    /// Whether a citation that stands as it is in `commit` does so where the range starts.
    fn stood(&mut self, commit: &CommitId, track: &Track) -> Result<bool, Error> {
        let Some((start, stop)) = self.start.clone() else { return Ok(false) };
        if start == *commit {
            return Ok(true);
        }
        let Some(entry) = stop.edition.entries.get(&track.path) else { return Ok(false) };
        let roll = self.archive.roll(&stop.edition.rev, &track.path, *entry)?;
        let stands =
            roll.with_id(&track.id).any(|case| case.content == track.content && case.citations.contains(&track.text));
        Ok(stands)
    }
}

/// Whether what was cited at a review point, and as it is spelled later, is what is cited at a node now.
fn same_section(
    reviewer: &mut Reviewer<'_>,
    (point, spelled_since): (&Point, Option<Point>),
    (node, path, text): (usize, &RepoPath, &str),
    scope: Scope,
) -> Result<bool, Error> {
    let (from, there, spelled) = match point {
        Point::At { node, path, text } => (reviewer.stop(*node)?, path, text),
        Point::Start { path, text } => match &reviewer.start {
            Some((_, stop)) => (stop.clone(), path, text),
            None => return Ok(false),
        },
        Point::Older | Point::CutOff => return Ok(false),
    };
    let to: Stop = reviewer.stop(node)?;
    let Some(now) = reviewer.target(&to.edition, text, path)? else { return Ok(false) };
    if reviewer.target(&to.edition, spelled, there)? == Some(now) {
        return Ok(true);
    }
    let Some(before) = reviewer.target(&from.edition, spelled, there)? else { return Ok(false) };
    let route = reviewer.follower.route(&mut reviewer.archive, &reviewer.lineage, (&from, &to), (before, scope))?;
    let place = rival(&route, &from.edition, &to.edition, before);
    if place.is_some_and(|place| now == Target::Section(place)) {
        return Ok(true);
    }
    match spelled_since.filter(|_| is_parted(&route, before)) {
        Some(since) => Ok(reviewer.heir(&since, &to)? == Some(now)),
        None => Ok(destination(&route, &from.edition, &to.edition, before) == Some(now)),
    }
}
