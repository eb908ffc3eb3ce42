//! Review points that are written down: pins in citations and in the pins file. Which of several counts, and those to
//! revisions; what a fingerprint was taken from is found in `by_text.rs`.

use std::rc::Rc;

use super::follow::Stop;
use super::points::Point;
use super::walk::Track;
use super::{Basis, Led, Reviewer};
use crate::cases::{Citation, Pin, PinKind, Problem};
use crate::git::Error;
use crate::source::{RepoPath, Rev};

/// The pin that counts: a fingerprint says more than a revision.
pub(crate) fn pin(pins: &[Pin]) -> Option<&Pin> {
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
        let reading = self.archive.reading;
        let entries = reading.repo.snapshot(rev, &|path| (reading.is_manual)(rev, path))?.entries;
        let edition = self.archive.edition(rev, &Rc::new(entries))?;
        self.outside.insert(rev.clone(), Rc::clone(&edition));
        Ok(Stop { node: None, edition })
    }
}
