//! The places where a section stood on its way from a review point: those that commits took it to. Only commits that took
//! it away from its place are compared.

use std::collections::BTreeSet;

use super::Reviewer;
use super::since::SectionKey;
use crate::git::Error;
use crate::manual::Fingerprint;
use crate::source::Rev;

/// Places of one section, at most: more come about where it is split again and again.
const MOST_PLACES: usize = 16;

/// What became of a section, commit by commit.
#[derive(Debug, Default)]
pub(super) struct Trail {
    pub(super) places: BTreeSet<SectionKey>,
    /// Nodes that took it elsewhere, or gave it another name, and left its text alone.
    pub(super) movers: BTreeSet<usize>,
}

/// Where a node took a section.
struct Departure {
    node: usize,
    to: Vec<SectionKey>,
    is_move: bool,
}

impl Reviewer<'_> {
    /// Follows a section from place to place, through the commits after `base`.
    pub(super) fn trail(&mut self, base: Option<usize>, start: SectionKey) -> Result<Trail, Error> {
        let mut trail = Trail::default();
        // A place, and the node that brought the section there. What came before has higher numbers.
        let mut open = vec![(start, self.lineage.nodes.len())];
        for _ in 0..MOST_PLACES {
            let Some((place, since)) = open.pop() else { break };
            if let Some(Departure { node, to, is_move }) = self.departure(base, &place, since)? {
                trail.movers.extend(is_move.then_some(node));
                open.extend(to.into_iter().map(|place| (place, node)));
            }
            trail.places.insert(place);
        }
        trail.places.extend(open.into_iter().map(|(place, _)| place));
        Ok(trail)
    }

    /// The first node after `since` that took a section from its place to another one. What is not committed is not asked:
    /// nothing comes after it, and no commit is to be named for it.
    fn departure(&mut self, base: Option<usize>, place: &SectionKey, since: usize) -> Result<Option<Departure>, Error> {
        let nodes = self.changed(base, place.clone())?;
        for node in nodes.into_iter().rev().filter(|node| *node < since) {
            let is_commit = matches!(self.lineage.nodes[node].rev, Rev::Commit(_));
            if !is_commit || self.own_at(node, place)?.is_some() {
                continue;
            }
            for parent in 0..self.lineage.nodes[node].parents.len() {
                let Some(before) = self.own_in_parent((node, parent), place)? else { continue };
                let to = self.follower.step(&mut self.archive, &self.lineage, (node, parent), place)?.places;
                let is_move = match &to[..] {
                    [] => continue,
                    [only] => self.own_at(node, only)? == Some(before),
                    [_, _, ..] => false,
                };
                return Ok(Some(Departure { node, to, is_move }));
            }
        }
        Ok(None)
    }

    /// The own text of a section in a node that changed its file.
    fn own_at(&mut self, node: usize, (file, id): &SectionKey) -> Result<Option<Fingerprint>, Error> {
        let rev = self.lineage.nodes[node].rev.clone();
        let entry = self.lineage.nodes[node].parents.iter().find_map(|edge| edge.changed.get(file)?.after);
        self.own(&rev, entry, file, id)
    }

    /// The own text of a section in a parent of a node that changed its file.
    fn own_in_parent(
        &mut self,
        (node, parent): (usize, usize),
        (file, id): &SectionKey,
    ) -> Result<Option<Fingerprint>, Error> {
        let edge = &self.lineage.nodes[node].parents[parent];
        let (rev, entry) = (edge.rev(), edge.changed.get(file).and_then(|delta| delta.before));
        self.own(&rev, entry, file, id)
    }
}
