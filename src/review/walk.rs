//! Walks back from the checked revision to where each case was last touched: each goes back along its history for as long
//! as a parent has it the same, by history simplification as `git log -- path` does it for files.
//!
//! A citation that is spelled differently in a parent may still be the same one. Which sections the two spellings lead
//! to is not known here: both ends are noted, and [`points`](super::points) decides.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::archive::{Archive, Roll, Stand};
use super::lineage::{Edge, Lineage};
use crate::cases::CaseId;
use crate::git::Error;
use crate::source::{CommitId, RepoPath};

/// One citation on its way back.
#[derive(Clone, Debug)]
pub(crate) struct Track {
    pub(crate) path: RepoPath,
    pub(crate) id: CaseId,
    pub(crate) ordinal: usize,
    pub(crate) content: [u8; 32],
    /// What is cited, as spelled here.
    pub(crate) text: String,
    /// The node that mended the file, while the versions before it do not show the case because they could not be read.
    pub(crate) mended: Option<usize>,
}

/// Where a track of [`Tracks`] stands.
pub(crate) type TrackId = usize;

/// Where the way back ended.
#[derive(Debug)]
pub(crate) enum TrackEnd {
    /// No parent of this node has the case and the citation as they are: here it was looked at.
    Reviewed(usize),
    /// No parent of this node has this spelling, but the case is the same and had others that are gone here. They go
    /// on as tracks of their own.
    Respelled { node: usize, before: Vec<TrackId> },
    /// It stood the same in this commit, which lies before the range.
    Before(CommitId),
    /// The rest of the history is not in the clone.
    CutOff,
}

/// All tracks and where they ended.
pub(crate) struct Tracks {
    pub(crate) tracks: Vec<Track>,
    pub(crate) ends: Vec<Option<TrackEnd>>,
}

/// The tracks that arrived at a node, by file.
type Waiting = BTreeMap<RepoPath, Vec<TrackId>>;

struct Walk<'w, 'r> {
    archive: &'w mut Archive<'r>,
    lineage: &'w Lineage,
    found: Tracks,
    waiting: Vec<Waiting>,
}

/// Follows citations of the first node back. Ends are in the order of `tracks`; tracks that were added come after.
pub(crate) fn walk(archive: &mut Archive<'_>, lineage: &Lineage, tracks: Vec<Track>) -> Result<Tracks, Error> {
    let ends = tracks.iter().map(|_| None).collect();
    let waiting = lineage.nodes.iter().map(|_| Waiting::new()).collect();
    let mut walk = Walk { archive, lineage, found: Tracks { tracks, ends }, waiting };
    let Some(first) = walk.waiting.first_mut() else { return Ok(walk.found) };
    for (at, track) in walk.found.tracks.iter().enumerate() {
        first.entry(track.path.clone()).or_default().push(at);
    }
    for node in 0..lineage.nodes.len() {
        walk.visit(node)?;
    }
    Ok(walk.found)
}

impl Walk<'_, '_> {
    fn visit(&mut self, node: usize) -> Result<(), Error> {
        let waiting = std::mem::take(&mut self.waiting[node]);
        let lineage = self.lineage;
        let at = &lineage.nodes[node];
        if let [only] = &at.parents[..]
            && !waiting.keys().any(|path| only.changed.contains_key(path))
        {
            self.pass(only, waiting);
            return Ok(());
        }
        for (path, tracks) in waiting {
            if at.cut_off {
                tracks.into_iter().for_each(|track| self.found.ends[track] = Some(TrackEnd::CutOff));
            } else if let Some(edge) = at.parents.first().filter(|edge| !edge.changed.contains_key(&path)) {
                self.pass(edge, BTreeMap::from([(path, tracks)]));
            } else {
                for track in tracks {
                    match self.compare(node, track) {
                        // A partial clone left it out.
                        Err(Error::MissingObject { .. }) => self.found.ends[track] = Some(TrackEnd::CutOff),
                        ended => ended?,
                    }
                }
            }
        }
        Ok(())
    }

    /// Hands tracks on to a parent.
    fn pass(&mut self, edge: &Edge, waiting: Waiting) {
        let Some(to) = edge.to else {
            let before = || Some(TrackEnd::Before(edge.parent.clone()));
            waiting.into_values().flatten().for_each(|track| self.found.ends[track] = before());
            return;
        };
        if self.waiting[to].is_empty() {
            self.waiting[to] = waiting;
            return;
        }
        for (path, tracks) in waiting {
            self.waiting[to].entry(path).or_default().extend(tracks);
        }
    }

    /// Looks for a case in the parents of a node. The first one that has it the same and cites it the same is followed,
    /// whether or not its file is the same there: what else stands in a file has no say.
    fn compare(&mut self, node: usize, track: TrackId) -> Result<(), Error> {
        let lineage = self.lineage;
        let (mut respelled, mut unread) = (None, None);
        for edge in &lineage.nodes[node].parents {
            let path = &self.found.tracks[track].path;
            if !edge.changed.contains_key(path) {
                self.pass(edge, BTreeMap::from([(path.clone(), vec![track])]));
                return Ok(());
            }
            let Some((path, stand)) = self.stand(node, edge, track)? else {
                unread = unread.or(self.may_hide(edge, track)?.then_some(edge));
                continue;
            };
            let wanted = &mut self.found.tracks[track];
            let same_id = stand.id == wanted.id;
            if same_id && stand.citations.contains(&wanted.text) {
                (wanted.path, wanted.ordinal, wanted.mended) = (path.clone(), stand.ordinal, None);
                self.pass(edge, BTreeMap::from([(path, vec![track])]));
                return Ok(());
            }
            respelled = respelled.or(Some((edge, path, stand)));
        }
        let wanted = &mut self.found.tracks[track];
        let end = match (respelled, unread) {
            (Some((edge, path, stand)), _) => self.respelled(node, track, edge, (path, stand))?,
            (None, Some(edge)) => {
                wanted.mended = wanted.mended.or(Some(node));
                let waiting = BTreeMap::from([(wanted.path.clone(), vec![track])]);
                self.pass(edge, waiting);
                return Ok(());
            }
            (None, None) => TrackEnd::Reviewed(wanted.mended.unwrap_or(node)),
        };
        self.found.ends[track] = Some(end);
        Ok(())
    }

    /// Whether a parent's version of the file does not show the case only because it could not be read. Who mends it has
    /// looked at no case.
    fn may_hide(&mut self, edge: &Edge, track: TrackId) -> Result<bool, Error> {
        let Track { path, id, .. } = self.found.tracks[track].clone();
        let there = self.there(edge, &path)?;
        Ok(there.is_broken && there.with_id(&id).next().is_none())
    }

    /// The citations that a parent's version of the case has and the node's has not, each on its way further back.
    fn respelled(
        &mut self,
        node: usize,
        track: TrackId,
        edge: &Edge,
        (path, stand): (RepoPath, Stand),
    ) -> Result<TrackEnd, Error> {
        let here = self.here(node, edge, &self.found.tracks[track].path.clone())?;
        let wanted = &self.found.tracks[track];
        let kept: Vec<&String> = here
            .with_id(&wanted.id)
            .filter(|case| case.content == wanted.content)
            .flat_map(|case| &case.citations)
            .collect();
        let gone: Vec<&String> = stand.citations.iter().filter(|text| !kept.contains(text)).collect();
        let before: Vec<Track> = gone
            .into_iter()
            .map(|text| Track {
                path: path.clone(),
                id: stand.id.clone(),
                ordinal: stand.ordinal,
                content: stand.content,
                text: text.clone(),
                mended: None,
            })
            .collect();
        if before.is_empty() {
            return Ok(TrackEnd::Reviewed(node));
        }
        let from = self.found.tracks.len();
        let ids: Vec<TrackId> = (from..from + before.len()).collect();
        self.found.ends.extend(before.iter().map(|_| None));
        self.found.tracks.extend(before);
        self.pass(edge, BTreeMap::from([(path, ids.clone())]));
        Ok(TrackEnd::Respelled { node, before: ids })
    }

    /// The case in a parent, and its file there, if it says the same.
    fn stand(&mut self, node: usize, edge: &Edge, track: TrackId) -> Result<Option<(RepoPath, Stand)>, Error> {
        let wanted = self.found.tracks[track].clone();
        let there = self.there(edge, &wanted.path)?;
        if there.with_id(&wanted.id).next().is_some() {
            return Ok(best(there.with_id(&wanted.id), &wanted).map(|stand| (wanted.path, stand.clone())));
        }
        let here = self.here(node, edge, &wanted.path)?;
        for path in edge.changed.keys().filter(|path| **path != wanted.path) {
            let there = self.there(edge, path)?;
            let Some(stand) = best(there.with_id(&wanted.id), &wanted) else { continue };
            let stays = self.here(node, edge, path)?.with_id(&wanted.id).any(|case| case.content == wanted.content);
            if !stays {
                return Ok(Some((path.clone(), stand.clone())));
            }
        }
        // An id that is a citation is respelled with it.
        let renamed = there.cases().iter().find(|stand| {
            stand.cited_id && stand.content == wanted.content && here.with_id(&stand.id).next().is_none()
        });
        let is_cited = here.with_id(&wanted.id).any(|case| case.cited_id);
        Ok(renamed.filter(|_| is_cited).map(|stand| (wanted.path, stand.clone())))
    }

    /// A file as it is in the parent at the end of an edge, if it differs there.
    fn there(&mut self, edge: &Edge, path: &RepoPath) -> Result<Rc<Roll>, Error> {
        match edge.changed.get(path).and_then(|delta| delta.before) {
            Some(entry) => self.archive.roll(&edge.rev(), path, entry),
            None => Ok(Rc::default()),
        }
    }

    /// A file as it is in the child of an edge, if it differs there.
    fn here(&mut self, node: usize, edge: &Edge, path: &RepoPath) -> Result<Rc<Roll>, Error> {
        match edge.changed.get(path).and_then(|delta| delta.after) {
            Some(entry) => self.archive.roll(&self.lineage.nodes[node].rev, path, entry),
            None => Ok(Rc::default()),
        }
    }
}

/// Of the cases with one id the one that says the same; where several do, the one that has the citation and the place.
fn best<'s>(stands: impl Iterator<Item = &'s Stand>, wanted: &Track) -> Option<&'s Stand> {
    stands.filter(|stand| stand.content == wanted.content).max_by_key(|stand| {
        let cites = stand.citations.contains(&wanted.text);
        (cites, stand.ordinal == wanted.ordinal, std::cmp::Reverse(stand.ordinal))
    })
}
