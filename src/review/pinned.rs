//! Review points that are written down: pins in citations and in the pins file. A fingerprint tells fresh
//! from changed by itself; where there is history, it also finds the text that it was taken from.

use std::collections::HashMap;
use std::rc::Rc;

use super::follow::Stop;
use super::lineage::Edge;
use super::points::{Point, Points};
use super::walk::{self, Track};
use super::{Basis, Edition, Led, Review, Reviewer, Route, Way};
use crate::cases::{Citation, Pin, PinKind, Problem, Scope};
use crate::git::Error;
use crate::manual::{Document, SectionRef, Target};
use crate::source::{RepoPath, Rev};

/// Versions of manual files in which the text of one pin is looked for, at most.
const MOST_VERSIONS: usize = 2_000;

/// The first digits of a fingerprint that are compared by look-up.
const DIGITS: usize = 16;

/// Sections of the checked revision by the first digits of their fingerprints; by scope.
#[derive(Default)]
pub(super) struct ByText {
    whole: Option<HashMap<String, Vec<SectionRef>>>,
    own: Option<HashMap<String, Vec<SectionRef>>>,
}

/// The pin that counts: a fingerprint says more than a revision.
pub(super) fn pin(pins: &[Pin]) -> Option<&Pin> {
    let is_fingerprint = |pin: &&Pin| matches!(pin.kind, PinKind::Fingerprint(_));
    pins.iter().find(is_fingerprint).or_else(|| pins.first())
}

/// Pins of one citation that cannot both be right.
pub(crate) fn contradiction(citation: &Citation) -> Option<Problem> {
    let (first, others) = citation.pins.split_first()?;
    let other = others.iter().find(|other| match (&first.kind, &other.kind) {
        (PinKind::Revision(first), PinKind::Revision(other)) => first != other,
        (PinKind::Fingerprint(first), PinKind::Fingerprint(other)) => {
            let most = first.len().min(other.len());
            !first[..most].eq_ignore_ascii_case(&other[..most])
        }
        (PinKind::Revision(_), PinKind::Fingerprint(_)) | (PinKind::Fingerprint(_), PinKind::Revision(_)) => false,
    })?;
    let message = format!("`{}` is pinned twice, to different review points; remove one", citation.text);
    Some(Problem::Case { message, span: other.span })
}

impl Reviewer<'_> {
    /// The review of a citation with a pin.
    pub(super) fn pinned(&mut self, track: &Track, citation: &Citation, pin: &Pin) -> Result<Led, Error> {
        match &pin.kind {
            PinKind::Revision(spec) => self.at_revision(&track.path, citation, spec),
            PinKind::Fingerprint(digits) => self.at_text(track, citation, digits),
        }
    }

    fn at_revision(&mut self, path: &RepoPath, citation: &Citation, spec: &str) -> Result<Led, Error> {
        let nothing = |basis| Ok(Led::nowhere(basis));
        let commit = match self.archive.reading.repo.resolve(spec) {
            Ok(commit) => commit,
            Err(Error::Shallow(_) | Error::MissingObject { .. }) => return nothing(Basis::CutOff),
            Err(error) => {
                let why = error.to_string();
                return nothing(Basis::UnknownRevision { spec: spec.to_owned(), why });
            }
        };
        let (stop, is_stand_in) = match (self.lineage.place(&commit), &self.start) {
            (Some(node), _) => (self.stop(node)?, false),
            (None, Some((id, start))) => (start.clone(), *id != commit),
            (None, None) => (self.elsewhere(&Rev::Commit(commit))?, false),
        };
        let basis = Basis::Pin(spec.to_owned());
        let led = self.led(basis.clone(), stop.clone(), (path, &citation.text), None)?;
        let checked = self.stop(0)?.edition;
        let now = self.target(&checked, &citation.text, path)?;
        let (Led::Told(_), Some(now)) = (&led, now) else { return Ok(led) };
        match self.origin(&stop, now, citation.scope)? {
            Some(target) => Ok(Led::To { basis, stop, target, spelled: None }),
            // What came within a range was not there when it began.
            None if is_stand_in => self.since_it_led(path, citation),
            None => nothing(Basis::UnknownSection(spec.to_owned())),
        }
    }

    /// Where within a range a citation first led somewhere that did not at its start.
    fn since_it_led(&mut self, path: &RepoPath, citation: &Citation) -> Result<Led, Error> {
        let (path, text) = (path.clone(), citation.text.clone());
        let start = Point::Start { path: path.clone(), text: text.clone() };
        match self.onset(&start, 0, (&path, &text))? {
            Some(node) => self.at(Point::At { node, path, text }, None),
            None => Ok(Led::nowhere(Basis::Start)),
        }
    }

    /// A revision that is not in the history of the checked one.
    fn elsewhere(&mut self, rev: &Rev) -> Result<Stop, Error> {
        if let Some(edition) = self.outside.get(rev) {
            return Ok(Stop { node: None, edition: Rc::clone(edition) });
        }
        let entries = self.archive.reading.repo.snapshot(rev, self.archive.reading.is_manual)?.entries;
        let edition = self.archive.edition(rev, &Rc::new(entries))?;
        self.outside.insert(rev.clone(), Rc::clone(&edition));
        Ok(Stop { node: None, edition })
    }

    fn at_text(&mut self, track: &Track, citation: &Citation, digits: &str) -> Result<Led, Error> {
        let path = &track.path;
        let pin = || PinKind::Fingerprint(digits.to_owned()).spelled();
        let basis = Basis::Pin(pin());
        let checked = self.stop(0)?;
        let now = self.target(&checked.edition, &citation.text, path)?;
        if let Some(target) = now.filter(|target| reads(&checked.edition, *target, citation.scope, digits)) {
            return Ok(Led::Told(still(basis, checked.edition, target)));
        }
        if let Some((_, start)) = self.start.clone()
            && let Some(target) = self.target(&start.edition, &citation.text, path)?
            && reads(&start.edition, target, citation.scope, digits)
        {
            return Ok(Led::To { basis, stop: start, target, spelled: None });
        }
        // What the citation leads to may be the text, changed; only history knows. What leads nowhere was moved.
        let file = now.map(|target| checked.edition.manual.documents[target.document()].path.clone());
        if file.is_some()
            && let Some((stop, target)) = self.latest_with(file.as_ref(), citation.scope, digits)?
        {
            return Ok(Led::To { basis, stop, target, spelled: None });
        }
        if let Some(target) = self.moved(&checked.edition, citation.scope, digits) {
            return Ok(Led::Told(still(basis, checked.edition, target)));
        }
        if let Some((stop, target)) = self.latest_with(None, citation.scope, digits)? {
            return Ok(Led::To { basis, stop, target, spelled: None });
        }
        // The text is older than the range. What the range did to the section is its doing all the same.
        match self.start.clone() {
            Some((_, start)) => {
                let (path, text) = self.spelled_at_start(track, &start, citation.scope)?;
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

    /// The latest revision before the checked one in which a section of the file, or of any file, had this text.
    fn latest_with(
        &mut self,
        file: Option<&RepoPath>,
        scope: Scope,
        digits: &str,
    ) -> Result<Option<(Stop, Target)>, Error> {
        let is_manual = self.archive.reading.is_manual;
        let mut read = 0;
        for node in 0..self.lineage.nodes.len() {
            for parent in 0..self.lineage.nodes[node].parents.len() {
                let edge = &self.lineage.nodes[node].parents[parent];
                let is_start = self.start.as_ref().is_some_and(|(start, _)| *start == edge.parent);
                let to = edge.to;
                if to.is_none() && !is_start {
                    continue;
                }
                let deltas = edge.changed.values().filter(|delta| match file {
                    Some(file) => delta.path == *file,
                    None => is_manual(&delta.path),
                });
                let versions: Vec<_> = deltas.filter_map(|delta| Some((delta.path.clone(), delta.before?))).collect();
                let rev = Edge::rev(edge);
                for (path, entry) in versions {
                    read += 1;
                    let Some(document) = self.archive.document(&rev, &path, entry)? else { continue };
                    let Some(section) = section_with(&document, scope, digits) else { continue };
                    let stop = match (to, &self.start) {
                        (Some(to), _) => self.stop(to)?,
                        (None, Some((_, start))) => start.clone(),
                        (None, None) => continue,
                    };
                    let Some(document) = stop.edition.file(&path) else { continue };
                    return Ok(Some((stop, Target::Section(SectionRef { document, section }))));
                }
                if read > MOST_VERSIONS {
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }
}

fn still(basis: Basis, edition: Rc<Edition>, target: Target) -> Review {
    let way = Way { from: edition, target, route: Route::Still(target), heir: None };
    Review { way: Some(way), ..Review::without_way(basis) }
}

/// Whether a target reads as the pin says.
fn reads(edition: &Edition, target: Target, scope: Scope, digits: &str) -> bool {
    edition.manual.fingerprint(target, scope == Scope::Whole).matches(digits)
}

fn section_with(document: &Document, scope: Scope, digits: &str) -> Option<usize> {
    (0..document.sections.len()).find(|section| document.fingerprint(*section, scope == Scope::Whole).matches(digits))
}
