//! Citations that lead nowhere: whether they ever led somewhere, which commit ended that, and where the text is now.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::follow::destination;
use super::walk::Track;
use super::{Loss, Review, Reviewer};
use crate::cases::{Citation, Scope};
use crate::git::{Delta, Error};
use crate::manual::{Document, Index, Manual, Resolution, SectionRef, Target};
use crate::source::{RepoPath, Rev, SourceId};

/// Versions of manual files that are searched, at most.
const MOST_VERSIONS: usize = 10_000;

/// What single versions of files can be cited by.
pub(super) type Indexes = HashMap<SourceId, Index>;

/// A citation that leads nowhere, as spelled, and the file it stands in.
type Nowhere = (String, RepoPath);

/// Such a citation, and the file and section that it led to; the whole file where there is no section.
type Found = (Nowhere, RepoPath, Option<usize>);

impl Reviewer<'_> {
    /// Looks through the history for citations that lead nowhere and did not at their review point either.
    pub(super) fn find_lost(&mut self, citations: &[(Track, &Citation)], reviews: &mut [Review]) -> Result<(), Error> {
        if self.start.is_some() {
            return Ok(());
        }
        let checked = self.stop(0)?;
        let index = &checked.edition.index;
        let mut open: BTreeMap<Nowhere, Vec<usize>> = BTreeMap::new();
        for (at, (track, citation)) in citations.iter().enumerate().filter(|(at, _)| reviews[*at].way.is_none()) {
            if !index.has(&citation.text, Some(&track.path)) {
                open.entry((citation.text.clone(), track.path.clone())).or_default().push(at);
            }
        }
        let mut indexes = Indexes::new();
        let mut read = 0;
        for node in 0..self.lineage.nodes.len() {
            if open.is_empty() || read > MOST_VERSIONS {
                break;
            }
            let parents = self.lineage.nodes[node].parents.len();
            let mut found: Vec<Found> = Vec::new();
            for parent in 0..parents {
                let (here, versions) = self.lost_at((node, parent), &open, &mut indexes)?;
                read += versions;
                // What one side of a merge had lost already was lost there.
                match parent {
                    0 => found = here,
                    _ => found.retain(|(nowhere, ..)| here.iter().any(|(other, ..)| other == nowhere)),
                }
            }
            for (nowhere, path, section) in found {
                let loss = self.loss((node, 0), &path, section)?;
                for at in open.remove(&nowhere).into_iter().flatten() {
                    reviews[at].loss = loss.clone();
                }
            }
        }
        let is_whole = read <= MOST_VERSIONS && self.lineage.nodes.iter().all(|node| !node.cut_off);
        for at in open.into_values().flatten().filter(|_| is_whole) {
            reviews[at].loss = Loss::Never;
        }
        Ok(())
    }

    /// The citations that led to a section of a file before a commit changed it, and no more after; how many versions
    /// were read.
    fn lost_at(
        &mut self,
        (node, parent): (usize, usize),
        open: &BTreeMap<Nowhere, Vec<usize>>,
        indexes: &mut Indexes,
    ) -> Result<(Vec<Found>, usize), Error> {
        let edge = &self.lineage.nodes[node].parents[parent];
        let is_manual = self.archive.reading.is_manual;
        let (before, after) = (edge.rev(), self.lineage.nodes[node].rev.clone());
        let was_manual = |delta: &&Delta| is_manual(&before, &delta.path);
        let deltas: Vec<Delta> = edge.changed.values().filter(was_manual).cloned().collect();
        let (mut found, mut read) = (Vec::new(), 0);
        for delta in deltas {
            let there = self.version(&before, &delta.path, delta.before)?;
            let here = self.version(&after, &delta.path, delta.after)?;
            let Some(there) = there else { continue };
            read += 1;
            for nowhere in open.keys() {
                let (text, citing) = nowhere;
                let urls = self.archive.reading.base_urls;
                if !index_of(indexes, &there, urls).has(text, Some(citing)) {
                    continue;
                }
                let stays = here.as_ref().is_some_and(|here| index_of(indexes, here, urls).has(text, Some(citing)));
                if stays || found.iter().any(|(other, _, _)| other == nowhere) {
                    continue;
                }
                match index_of(indexes, &there, urls).resolve(text, Some(citing)) {
                    Resolution::Found { target: Target::Section(at), .. } => {
                        found.push((nowhere.clone(), delta.path.clone(), Some(at.section)));
                    }
                    Resolution::Found { target: Target::File(_), .. } => {
                        found.push((nowhere.clone(), delta.path.clone(), None));
                    }
                    Resolution::Ambiguous { .. } | Resolution::Unknown { .. } => {}
                }
            }
        }
        Ok((found, read))
    }

    fn version(
        &mut self,
        rev: &Rev,
        path: &RepoPath,
        entry: Option<crate::git::Entry>,
    ) -> Result<Option<Arc<Document>>, Error> {
        entry.map_or(Ok(None), |entry| self.archive.document(rev, path, entry))
    }

    /// What became of a section, or of a file, that stood in a parent of a node.
    fn loss(&mut self, (node, parent): (usize, usize), path: &RepoPath, section: Option<usize>) -> Result<Loss, Error> {
        let commit = match &self.lineage.nodes[node].rev {
            Rev::Commit(id) => Some(self.archive.reading.repo.commit(id)?),
            Rev::Index | Rev::Worktree | Rev::Nothing => None,
        };
        let Some(before) = self.lineage.nodes[node].parents[parent].to else { return Ok(Loss::Unknown) };
        let (from, to) = (self.stop(before)?, self.stop(0)?);
        let Some(document) = from.edition.file(path) else { return Ok(Loss::Unknown) };
        let (target, title) = match section {
            Some(section) => {
                let at = SectionRef { document, section };
                (Target::Section(at), from.edition.manual.section(at).title.clone())
            }
            None => (Target::File(document), path.to_string()),
        };
        let wanted = (target, Scope::Own);
        let route = self.follower.route(&mut self.archive, &self.lineage, (&from, &to), wanted)?;
        Ok(Loss::Lost { commit, title, home: destination(&route, &from.edition, &to.edition, target) })
    }
}

pub(super) fn index_of<'i>(
    indexes: &'i mut Indexes,
    document: &Arc<Document>,
    base_urls: &[(String, String)],
) -> &'i Index {
    indexes
        .entry(document.source)
        .or_insert_with(|| Index::new(&Manual { documents: vec![Arc::clone(document)] }, base_urls))
}
