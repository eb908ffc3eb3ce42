//! Pins that are fingerprints. One tells fresh from changed by itself; where there is history, it also finds the text that
//! it was taken from: the latest one that the citation led to, however it was spelled then. A text that the citation never
//! led to counts only where there is no such, as many sections may say the same.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::follow::Stop;
use super::lineage::Edge;
use super::points::{Point, Points};
use super::walk::{self, Track};
use super::{Basis, Edition, Led, Review, Reviewer, Route, Way};
use crate::cases::{Citation, PinKind, Scope};
use crate::git::Error;
use crate::manual::{Document, SectionId, SectionRef, Target};
use crate::source::RepoPath;

/// Versions of manual files in which the text of one pin is looked for, at most.
const MOST_VERSIONS: usize = 2_000;

/// Versions with the text in which it is asked whether the citation led to it, at most.
const MOST_TRIES: usize = 32;

/// The first digits of a fingerprint that are compared by look-up.
const DIGITS: usize = 16;

/// Sections of the checked revision by the first digits of their fingerprints; by scope.
#[derive(Default)]
pub(super) struct ByText {
    whole: Option<HashMap<String, Vec<SectionRef>>>,
    own: Option<HashMap<String, Vec<SectionRef>>>,
}

/// The text of a pin, and who has it.
struct Sought<'s> {
    track: &'s Track,
    scope: Scope,
    digits: &'s str,
    /// The section that the citation leads to now.
    id: Option<SectionId>,
    /// Whether it counts only if the citation led there, and nowhere else.
    is_ambiguous: bool,
}

/// A revision in which some text is looked for: one parent of a node, or the start of the range.
#[derive(Clone)]
enum There {
    Node(usize),
    Start(Stop),
}

/// What was found so far on the way back.
#[derive(Default)]
struct Search {
    read: usize,
    tries: usize,
    /// How the citation was spelled at one time or another, once that was asked.
    spellings: Option<Vec<(RepoPath, String)>>,
    /// A section with the text to which the citation did not lead.
    near: Option<(Stop, Target)>,
}

impl Reviewer<'_> {
    pub(super) fn at_text(&mut self, track: &Track, citation: &Citation, digits: &str) -> Result<Led, Error> {
        let (path, scope) = (&track.path, citation.scope);
        let pin = || PinKind::Fingerprint(digits.to_owned()).spelled();
        let basis = Basis::Pin(pin());
        let checked = self.stop(0)?.edition;
        let named = checked.index.named(&citation.text, Some(path));
        let now = match named[..] {
            [only] => Some(only),
            [] | [_, _, ..] => None,
        };
        if let Some(target) = now.filter(|target| reads(&checked, *target, scope, digits)) {
            return Ok(Led::Told(still(basis, checked, target)));
        }
        if let Some((_, start)) = self.start.clone()
            && let Some(target) = self.target(&start.edition, &citation.text, path)?
            && reads(&start.edition, target, scope, digits)
        {
            return Ok(Led::To { basis, stop: start, target, spelled: None });
        }
        let id = match now {
            Some(Target::Section(at)) => Some(checked.manual.section(at).id.clone()),
            Some(Target::File(_)) | None => None,
        };
        let sought = Sought { track, scope, digits, id, is_ambiguous: named.len() > 1 };
        // What the citation leads to may be the text, changed; only history knows. What leads nowhere was moved.
        let files = named.iter().map(|target| checked.manual.documents[target.document()].path.clone()).collect();
        if !named.is_empty()
            && let Some((stop, target)) = self.latest_with(Some(&files), &sought)?
        {
            return Ok(Led::To { basis, stop, target, spelled: None });
        }
        if now.is_some()
            && let Some((stop, target)) = self.latest_with(None, &sought)?
        {
            return Ok(Led::To { basis, stop, target, spelled: None });
        }
        let is_whole = self.lineage.nodes.iter().all(|node| !node.cut_off);
        if (!sought.is_ambiguous || is_whole)
            && let Some(target) = self.moved(&checked, scope, digits)
        {
            return Ok(Led::Told(still(basis, checked, target)));
        }
        if named.is_empty()
            && let Some((stop, target)) = self.latest_with(None, &sought)?
        {
            return Ok(Led::To { basis, stop, target, spelled: None });
        }
        // The text is older than the range. What the range did to the section is its doing all the same.
        match self.start.clone() {
            Some((_, start)) => {
                let (path, text) = self.spelled_at_start(track, &start, scope)?;
                self.led(Basis::Start, start, (&path, &text), None)
            }
            None => Ok(Led::nowhere(Basis::UnknownText(pin()))),
        }
    }

    /// How a citation is spelled where the range starts: whoever gave it its pin may have followed its section, too. As it
    /// is now if it did not stand there.
    fn spelled_at_start(&mut self, track: &Track, start: &Stop, scope: Scope) -> Result<(RepoPath, String), Error> {
        let now = (track.path.clone(), track.text.clone());
        let blob = start.edition.blob(&track.path);
        if blob.is_some() && blob == self.stop(0)?.edition.blob(&track.path) {
            return Ok(now);
        }
        let walked = walk::walk(&mut self.archive, &self.lineage, vec![track.clone()])?;
        Ok(match Points::new(walked).of(self, 0, scope)? {
            Point::Start { path, text } => (path, text),
            Point::At { .. } | Point::Older | Point::CutOff => now,
        })
    }

    /// The only section of the checked revision with this text.
    fn moved(&mut self, checked: &Edition, scope: Scope, digits: &str) -> Option<Target> {
        let known = match scope {
            Scope::Whole => &mut self.by_text.whole,
            Scope::Own => &mut self.by_text.own,
        };
        let by_text = known.get_or_insert_with(|| {
            let mut by_text: HashMap<String, Vec<SectionRef>> = HashMap::new();
            for (at, _) in checked.manual.sections() {
                let fingerprint = checked.manual.document(at).fingerprint(at.section, scope == Scope::Whole);
                by_text.entry(fingerprint.to_string()[..DIGITS].to_owned()).or_default().push(at);
            }
            by_text
        });
        let found = by_text.get(&digits.get(..DIGITS)?.to_ascii_lowercase())?;
        let mut found = found.iter().filter(|at| reads(checked, Target::Section(**at), scope, digits));
        match (found.next(), found.next()) {
            (Some(only), None) => Some(Target::Section(*only)),
            (_, _) => None,
        }
    }

    /// The latest revision before the checked one in which the citation led to the text, or else a section of one of the
    /// files, or of any, had it.
    fn latest_with(
        &mut self,
        files: Option<&BTreeSet<RepoPath>>,
        sought: &Sought<'_>,
    ) -> Result<Option<(Stop, Target)>, Error> {
        let is_manual = self.archive.reading.is_manual;
        let mut search = Search::default();
        for node in 0..self.lineage.nodes.len() {
            for parent in 0..self.lineage.nodes[node].parents.len() {
                let edge = &self.lineage.nodes[node].parents[parent];
                let there = match (edge.to, &self.start) {
                    (Some(to), _) => There::Node(to),
                    (None, Some((start, stop))) if *start == edge.parent => There::Start(stop.clone()),
                    (None, _) => continue,
                };
                let rev = Edge::rev(edge);
                let is_asked =
                    |path: &RepoPath| files.map_or_else(|| is_manual(&rev, path), |files| files.contains(path));
                let deltas = edge.changed.values().filter(|delta| is_asked(&delta.path));
                let versions: Vec<_> = deltas.map(|delta| (delta.path.clone(), delta.before)).collect();
                for (path, entry) in versions {
                    search.read += 1;
                    let document = entry.map(|entry| self.archive.document(&rev, &path, entry)).transpose()?.flatten();
                    let has_text = document.as_ref().is_some_and(|document| sought.is_in(document));
                    // A file that came may have made the citation ambiguous.
                    let is_news = has_text || (sought.is_ambiguous && document.is_none());
                    if !is_news {
                        continue;
                    }
                    let found = self.led_to_text(&there, sought, &mut search)?;
                    if found.is_some() {
                        return Ok(found);
                    }
                    if search.near.is_none()
                        && !sought.is_ambiguous
                        && let Some(section) = document.and_then(|document| sought.section_in(&document))
                    {
                        let stop = self.stop_at(&there)?;
                        let document = stop.edition.file(&path);
                        search.near =
                            document.map(|document| (stop, Target::Section(SectionRef { document, section })));
                    }
                }
                if search.read > MOST_VERSIONS || search.tries > MOST_TRIES {
                    return Ok(search.near);
                }
            }
        }
        Ok(search.near)
    }

    /// What the citation led to in a revision, as it is spelled now or was before, if that is the text.
    fn led_to_text(
        &mut self,
        there: &There,
        sought: &Sought<'_>,
        search: &mut Search,
    ) -> Result<Option<(Stop, Target)>, Error> {
        search.tries += 1;
        let stop = self.stop_at(there)?;
        let led = |(path, text): &(RepoPath, String)| {
            let target = stop.edition.index.resolve(text, Some(path)).target();
            target.filter(|target| reads(&stop.edition, *target, sought.scope, sought.digits))
        };
        let track = sought.track;
        if let Some(target) = led(&(track.path.clone(), track.text.clone())) {
            return Ok(Some((stop, target)));
        }
        if search.spellings.is_none() {
            let walked = walk::walk(&mut self.archive, &self.lineage, vec![track.clone()])?;
            search.spellings = Some(walked.tracks.into_iter().map(|track| (track.path, track.text)).collect());
        }
        let target = search.spellings.iter().flatten().find_map(led);
        Ok(target.map(|target| (stop, target)))
    }

    fn stop_at(&mut self, there: &There) -> Result<Stop, Error> {
        match there {
            There::Node(node) => self.stop(*node),
            There::Start(stop) => Ok(stop.clone()),
        }
    }
}

impl Sought<'_> {
    /// Whether a version of a file has the text.
    fn is_in(&self, document: &Document) -> bool {
        self.section_in(document).is_some() || document.file_fingerprint().matches(self.digits)
    }

    /// Of the sections of a version of a file with the text, the one that the citation leads to now, or the first.
    fn section_in(&self, document: &Document) -> Option<usize> {
        let reads = |section: &usize| document.fingerprint(*section, self.scope == Scope::Whole).matches(self.digits);
        let mut sections = (0..document.sections.len()).filter(reads);
        let first = sections.next()?;
        let is_cited = |section: &usize| self.id.as_ref() == Some(&document.sections[*section].id);
        Some([first].into_iter().chain(sections).find(is_cited).unwrap_or(first))
    }
}

fn still(basis: Basis, edition: Rc<Edition>, target: Target) -> Review {
    let way = Way { from: edition, target, route: Route::Still(target), heir: None, rival: None };
    Review { way: Some(way), ..Review::without_way(basis) }
}

/// Whether a target reads as the pin says.
fn reads(edition: &Edition, target: Target, scope: Scope, digits: &str) -> bool {
    edition.manual.fingerprint(target, scope == Scope::Whole).matches(digits)
}
