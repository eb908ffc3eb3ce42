//! From when on a citation leads somewhere that led nowhere at its review point: a case that was there before its section,
//! or before its manual. Whoever wrote it can't have looked at an earlier text, so the first one counts as reviewed, and
//! what changes after is told. Asked of such citations alone.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use super::lost::{Indexes, index_of};
use super::points::Point;
use super::walk::Track;
use super::{Basis, Led, Loss, Review, Reviewer};
use crate::cases::Citation;
use crate::git::Error;
use crate::source::{CommitId, RepoPath, Rev};

/// What was found out so far.
#[derive(Default)]
pub(super) struct Onsets {
    /// What single versions of files can be cited by.
    indexes: Indexes,
    /// The nodes that have a commit in their history.
    after: HashMap<CommitId, Rc<BTreeSet<usize>>>,
}

/// A node, and one of its parents.
#[derive(Clone, Copy)]
struct Step {
    node: usize,
    parent: usize,
    /// Where the parent stands.
    to: usize,
}

impl Reviewer<'_> {
    /// Follows citations that led somewhere only for a while after their review point from where that began.
    pub(super) fn follow_lost(
        &mut self,
        citations: &[(Track, &Citation)],
        reviews: &mut [Review],
    ) -> Result<(), Error> {
        for ((Track { path, text, .. }, citation), review) in citations.iter().zip(reviews) {
            let (Basis::Commit(reviewed), Loss::Lost { commit, .. }) = (&review.basis, &review.loss) else { continue };
            let end = commit.as_ref().map_or(Some(0), |commit| self.lineage.place(&commit.id));
            let (Some(node), Some(end)) = (self.lineage.place(reviewed), end) else { continue };
            let at = |node| Point::At { node, path: path.clone(), text: text.clone() };
            let Some(first) = self.onset(&at(node), end, (path, text))?.map(at) else { continue };
            if let Led::To { basis, stop, target, spelled } = self.at(first.clone(), Some(first))? {
                *review = self.from((basis, stop, target), citation, spelled.as_ref())?;
            }
        }
        Ok(())
    }

    /// The earliest node after `point` from which on a citation that led nowhere there led somewhere without a break, as
    /// it is spelled before `end`. `None` if it led somewhere at its review point, or in no node before `end`.
    pub(super) fn onset(
        &mut self,
        point: &Point,
        end: usize,
        (path, text): (&RepoPath, &str),
    ) -> Result<Option<usize>, Error> {
        let Some((from, there, spelled)) = self.spelled(point)? else { return Ok(None) };
        if !from.edition.index.named(spelled, Some(there)).is_empty() {
            return Ok(None);
        }
        let Some(within) = self.after(&from.edition.rev) else { return Ok(None) };
        let (mut at, mut witness) = (end, None);
        while let Some((before, file)) = self.earlier(at, &within, (path, text), witness.as_ref())? {
            (at, witness) = (before, Some(file));
        }
        Ok((at != end).then_some(at))
    }

    /// The nodes that may be gone back to. Where the start of a range is no part of its history, all of it may.
    fn after(&mut self, from: &Rev) -> Option<Rc<BTreeSet<usize>>> {
        let Rev::Commit(commit) = from else { return None };
        let lineage = &self.lineage;
        let within = self.onsets.after.entry(commit.clone()).or_insert_with(|| {
            let after = lineage.descendants(commit);
            Rc::new(if after.is_empty() { (0..lineage.nodes.len()).collect() } else { after })
        });
        Some(Rc::clone(within))
    }

    /// The first parent of a node in which a citation leads somewhere, and a file that it leads to there.
    fn earlier(
        &mut self,
        node: usize,
        within: &BTreeSet<usize>,
        cited: (&RepoPath, &str),
        witness: Option<&RepoPath>,
    ) -> Result<Option<(usize, RepoPath)>, Error> {
        for parent in 0..self.lineage.nodes[node].parents.len() {
            let to = self.lineage.nodes[node].parents[parent].to.filter(|to| within.contains(to));
            let Some(to) = to else { continue };
            if let Some(file) = self.leads_to(Step { node, parent, to }, cited, witness)? {
                return Ok(Some((to, file)));
            }
        }
        Ok(None)
    }

    /// A file that a citation leads to in a parent of a node; first of all, whether it is the one that it leads to in the
    /// node. Most commits change another one.
    fn leads_to(
        &mut self,
        Step { node, parent, to }: Step,
        (path, text): (&RepoPath, &str),
        witness: Option<&RepoPath>,
    ) -> Result<Option<RepoPath>, Error> {
        if let Some(file) = witness {
            let edge = &self.lineage.nodes[node].parents[parent];
            let Some(delta) = edge.changed.get(file) else { return Ok(Some(file.clone())) };
            let version = delta.before.map(|entry| self.archive.document(&edge.rev(), file, entry));
            if let Some(document) = version.transpose()?.flatten() {
                let index = index_of(&mut self.onsets.indexes, &document, self.archive.reading.base_urls);
                if index.has(text, Some(path)) {
                    return Ok(Some(file.clone()));
                }
            }
        }
        let edition = self.stop(to)?.edition;
        let named = edition.index.named(text, Some(path));
        let file = named.first().map(|target| Arc::clone(&edition.manual.documents[target.document()]));
        Ok(file.map(|document| document.path.clone()))
    }
}
