//! The review point of each citation: the revision against which it was last looked at, and the way its
//! section took from there to the checked revision. Says nothing about how much that matters.
//!
//! In the order in which a review comes about:
//!
//! - `lineage.rs` is the history as a graph, `archive.rs` what files said at its revisions, each version read once.
//! - `walk.rs` goes back from each citation to where its case was last touched; `points.rs` makes review points of that,
//!   where a citation was respelled on the way, too; `onset.rs` where it led nowhere at first.
//! - `pinned.rs` has the review points that are written down instead, `pins.rs` the file in which they may stand;
//!   `origin.rs` finds a section in a revision that has it by another name, `by_text.rs` what a fingerprint was taken from.
//! - `follow.rs` follows a section from there to the checked revision, `chain.rs` commit by commit where a direct
//!   comparison loses it, `heir.rs` with its citation where a commit split it. `rival.rs` knows where another text stands at
//!   the place of a section, while its own is elsewhere, `copies.rs` where a loss may be none.
//! - `since.rs` names the commits that changed it, wherever it stood on its `trail.rs`, `lost.rs` what became of citations
//!   that lead nowhere.
//! - `counterparts.rs` stands apart: how the cases of one revision stood at another one, without history.

mod archive;
mod by_text;
mod chain;
mod copies;
mod counterparts;
mod follow;
mod heir;
mod lineage;
mod lost;
mod onset;
mod origin;
mod pinned;
pub(crate) mod pins;
mod points;
mod rival;
mod since;
#[cfg(test)]
mod tests;
mod trail;
mod walk;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use crate::cases::{Case, CaseFile, CaseId, Citation, Pin};
use crate::diff::Compared;
use crate::git::{BlobId, Commit, Entry, Error};
use crate::manual::{Manual, Resolution, SectionRef, Target};
use crate::source::{CommitId, RepoPath, Rev};

pub(crate) use archive::{Archive, Edition, Reading, same_outline};
pub(crate) use counterparts::Counterparts;
pub(crate) use follow::{Route, covered};
pub(crate) use lineage::Lineage;
pub(crate) use pinned::{contradiction, pin as pinned};

use by_text::ByText;
use follow::{Follower, Stop};
use onset::Onsets;
use points::{Point, Points};
use since::Memory;
use walk::Track;

/// How a citation was reviewed, and what became of its section since.
#[derive(Clone)]
pub(crate) struct Review {
    pub(crate) basis: Basis,
    /// What was cited then, if the citation led somewhere.
    pub(crate) way: Option<Way>,
    /// The commits that changed the text since, latest first.
    pub(crate) since: Vec<Commit>,
    /// Asked where the citation leads nowhere and did so at its review point, too.
    pub(crate) loss: Loss,
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
    /// A pin, as it is written.
    Pin(String),
    /// A pin to a revision in which the citation led nowhere, and that has no section from which its own came.
    UnknownSection(String),
    /// A pin to a revision that does not exist.
    UnknownRevision { spec: String, why: String },
    /// A pin to a text that is nowhere, in the checked revision or before.
    UnknownText(String),
    /// Not known: the history that would tell is not in the clone.
    CutOff,
}

/// What is known of a citation that leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// It led to a section until this commit; where that is now, if that is known, and by what name it went.
    Lost { commit: Option<Commit>, title: String, home: Option<Target> },
    /// It never led anywhere.
    Never,
    /// Not looked for, or the history does not reach far enough.
    Unknown,
}

/// From a target at the review point to the checked revision.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) from: Rc<Edition>,
    pub(crate) target: Target,
    pub(crate) route: Route,
    /// Of a target that was split or merged, the part that the citation went on leading to.
    pub(crate) heir: Option<Target>,
    /// What stands at the place of a section whose text is elsewhere now, where only a person can say which is meant.
    pub(crate) rival: Option<SectionRef>,
}

/// Finds review points and follows sections; remembers what it read and compared.
pub(crate) struct Reviewer<'r> {
    pub(crate) archive: Archive<'r>,
    pub(crate) lineage: Lineage,
    follower: Follower,
    editions: HashMap<usize, Rc<Edition>>,
    /// Revisions that are not in the history of the checked one.
    outside: HashMap<Rev, Rc<Edition>>,
    by_text: ByText,
    onsets: Onsets,
    /// Where the range starts, if there is one.
    start: Option<(CommitId, Stop)>,
    /// What was found out about commits since reviews.
    memory: Memory,
}

/// The pin of a case's citation that stands in the pins file.
pub(crate) type PinOf<'p> = &'p dyn Fn(&CaseId, &str) -> Option<Pin>;

/// What a citation led to at its review point.
enum Led {
    /// It is not followed from there.
    Told(Review),
    To {
        basis: Basis,
        stop: Stop,
        target: Target,
        /// Since when the citation is spelled as it is; of pins that is not asked.
        spelled: Option<Point>,
    },
}

impl Led {
    fn nowhere(basis: Basis) -> Self {
        Led::Told(Review::without_way(basis))
    }
}

impl Review {
    /// A citation that led nowhere at its review point, or is not followed from there.
    fn without_way(basis: Basis) -> Self {
        Self { basis, way: None, since: Vec::new(), loss: Loss::Unknown }
    }
}

impl<'r> Reviewer<'r> {
    pub(crate) fn new(archive: Archive<'r>, lineage: Lineage, checked: Rc<Edition>) -> Self {
        let editions = HashMap::from([(0, checked)]);
        Self {
            archive,
            lineage,
            follower: Follower::default(),
            editions,
            outside: HashMap::new(),
            by_text: ByText::default(),
            onsets: Onsets::default(),
            start: None,
            memory: Memory::default(),
        }
    }

    /// Looks at a range only: a case that stood the same at its start counts as reviewed there.
    pub(crate) fn starting_at(mut self, start: Rc<Edition>, compared: Rc<Compared>) -> Self {
        if let (Rev::Commit(id), Some(checked)) = (&start.rev, self.editions.get(&0)) {
            self.follower.keep(&start, checked, compared);
            self.start = Some((id.clone(), Stop { node: None, edition: start }));
        }
        self
    }

    /// The review of every citation that is wanted by its place among all, in the order of files, cases and citations.
    /// `pin` knows the pins that stand in no citation.
    pub(crate) fn review(
        &mut self,
        files: &[CaseFile],
        is_wanted: &dyn Fn(usize) -> bool,
        pin: PinOf<'_>,
    ) -> Result<Vec<Review>, Error> {
        let all = files.iter().flat_map(|file| self.tracks(file)).enumerate();
        let citations: Vec<(Track, &Citation)> = all.filter(|(at, _)| is_wanted(*at)).map(|(_, it)| it).collect();
        let pins: Vec<Option<Pin>> = citations
            .iter()
            .map(|(track, citation)| pinned::pin(&citation.pins).cloned().or_else(|| pin(&track.id, &citation.text)))
            .collect();
        let open = |at: &usize| pins[*at].is_none();
        let unpinned: Vec<usize> = (0..citations.len()).filter(open).collect();
        let tracks = unpinned.iter().map(|at| citations[*at].0.clone()).collect();
        let mut points = Points::new(walk::walk(&mut self.archive, &self.lineage, tracks)?);
        self.prefetch(&points.nodes())?;
        let mut unpinned = 0..unpinned.len();
        let mut led = Vec::new();
        for ((track, citation), pin) in citations.iter().zip(pins) {
            let found = match pin {
                Some(pin) => self.pinned(track, citation, &pin),
                None => match unpinned.next() {
                    Some(at) => self.unpinned(&mut points, at, (track, citation)),
                    None => Ok(Led::nowhere(Basis::CutOff)),
                },
            };
            led.push(if_there(found, || Led::nowhere(Basis::CutOff))?);
        }
        self.compare_ahead(&citations, &led)?;
        let mut reviews = Vec::new();
        for (led, (_, citation)) in led.into_iter().zip(&citations) {
            let review = match led {
                Led::Told(review) => Ok(review),
                Led::To { basis, stop, target, spelled } => {
                    self.from((basis, stop, target), citation, spelled.as_ref())
                }
            };
            reviews.push(if_there(review, || Review::without_way(Basis::CutOff))?);
        }
        self.find_lost(&citations, &mut reviews)?;
        self.follow_lost(&citations, &mut reviews)?;
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
            mended: None,
        };
        let cases = file.cases.iter();
        cases.flat_map(|case| case.citations.iter().map(move |citation| (track(case, citation), citation))).collect()
    }

    /// Compares files that were cited with what became of them, before it is asked one by one.
    fn compare_ahead(&mut self, citations: &[(Track, &Citation)], led: &[Led]) -> Result<(), Error> {
        let to = self.stop(0)?;
        let origins = led.iter().zip(citations).filter_map(|(led, (_, citation))| match led {
            Led::Told(_) => None,
            Led::To { stop, target, .. } => Some(follow::Origin { from: stop, target: *target, scope: citation.scope }),
        });
        self.follower.compare_ahead(&mut self.archive, origins.collect(), &to);
        Ok(())
    }

    /// What a citation led to where its case was last touched, or else where it first led somewhere.
    fn unpinned(
        &mut self,
        points: &mut Points,
        at: usize,
        (track, citation): (&Track, &Citation),
    ) -> Result<Led, Error> {
        let point = points.of(self, at, citation.scope)?;
        let led = self.at(point.clone(), points.spelled(at))?;
        let Led::Told(_) = led else { return Ok(led) };
        let (path, text) = (&track.path, &track.text);
        if !self.stop(0)?.edition.index.has(text, Some(path)) {
            return Ok(led);
        }
        match self.onset(&point, 0, (path, text))? {
            Some(node) => {
                let first = Point::At { node, path: path.clone(), text: text.clone() };
                self.at(first.clone(), Some(first))
            }
            None => Ok(led),
        }
    }

    fn at(&mut self, point: Point, spelled: Option<Point>) -> Result<Led, Error> {
        let nothing = |basis| Ok(Led::nowhere(basis));
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
        self.led(basis, stop, (&path, &text), spelled)
    }

    /// What a citation that was spelled like this led to.
    fn led(
        &mut self,
        basis: Basis,
        stop: Stop,
        (path, text): (&RepoPath, &str),
        spelled: Option<Point>,
    ) -> Result<Led, Error> {
        Ok(match self.target(&stop.edition, text, path)? {
            Some(target) => Led::To { basis, stop, target, spelled },
            None => Led::nowhere(basis),
        })
    }

    /// The review of a citation that led to `target` at its review point.
    fn from(
        &mut self,
        (basis, stop, target): (Basis, Stop, Target),
        citation: &Citation,
        spelled: Option<&Point>,
    ) -> Result<Review, Error> {
        let to = self.stop(0)?;
        let route = self.route(&stop, &to, target, citation)?;
        let heir = match spelled.filter(|_| heir::is_parted(&route, target)) {
            Some(spelled) => if_there(self.heir(spelled, &to), || None)?,
            None => None,
        };
        let rival = rival::rival(&route, &stop.edition, &to.edition, target);
        let way = Way { from: stop.edition, target, route, heir, rival };
        let since = self.since(stop.node, &way, citation.scope)?;
        Ok(Review { way: Some(way), since, ..Review::without_way(basis) })
    }

    fn route(&mut self, from: &Stop, to: &Stop, target: Target, citation: &Citation) -> Result<Route, Error> {
        let wanted = (target, citation.scope);
        self.follower.route(&mut self.archive, &self.lineage, (from, to), wanted)
    }

    fn target(&mut self, edition: &Edition, text: &str, path: &RepoPath) -> Result<Option<Target>, Error> {
        Ok(match edition.index.resolve(text, Some(path)) {
            Resolution::Found { target, .. } => Some(target),
            Resolution::Ambiguous { candidates, .. } => {
                let now = self.stop(0)?.edition;
                let led = now.index.resolve(text, Some(path));
                perhaps_meant((edition, &candidates), (&now, &led))
            }
            Resolution::Unknown { .. } => None,
        })
    }

    /// Reads the manuals of these nodes, file by file: git keeps the versions of a file as differences from each other,
    /// and reads one the faster the shorter ago it read its neighbour.
    fn prefetch(&mut self, nodes: &BTreeSet<usize>) -> Result<(), Error> {
        let mut versions: BTreeMap<(RepoPath, usize), Entry> = BTreeMap::new();
        let mut seen: HashSet<(RepoPath, Option<BlobId>)> = HashSet::new();
        for &node in nodes {
            let entries = self.lineage.entries(node);
            let (is_manual, rev) = (self.archive.reading.is_manual, &self.lineage.nodes[node].rev);
            for (path, entry) in entries.iter().filter(|(path, _)| is_manual(rev, path)) {
                if seen.insert((path.clone(), entry.id)) {
                    versions.insert((path.clone(), node), *entry);
                }
            }
        }
        let rev = |node: usize| self.lineage.nodes[node].rev.clone();
        self.archive.read_ahead(versions.into_iter().map(|((path, node), entry)| (rev(node), path, entry)).collect())
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

/// What was found, or something else where a partial clone left out what it takes.
fn if_there<T>(found: Result<T, Error>, missing: impl FnOnce() -> T) -> Result<T, Error> {
    match found {
        Err(Error::MissingObject { .. }) => Ok(missing()),
        found => found,
    }
}

/// Of the sections that a citation may have meant, one that it does not lead to now: that only one of them is left does
/// not tell that it was meant. `None` where it still leads to several, which is told by itself.
fn perhaps_meant(
    (edition, candidates): (&Edition, &[SectionRef]),
    (now, led): (&Edition, &Resolution),
) -> Option<Target> {
    let target = led.target()?;
    let place = |manual: &Manual, at: SectionRef| (manual.document(at).path.clone(), manual.section(at).id.clone());
    let leads_to = match target {
        Target::Section(at) => Some(place(&now.manual, at)),
        Target::File(_) => None,
    };
    let other = candidates.iter().find(|at| Some(place(&edition.manual, **at)) != leads_to);
    other.or(candidates.first()).map(|at| Target::Section(*at))
}
