//! Citations whose pin a range put in, changed or took out, so that they are held to another text than before. The range
//! itself may not have touched that text at all, so these few are asked against their last review, with the pin that they
//! have and with the one that they had.

use std::collections::BTreeMap;

use super::telling::all_cited;
use super::{Ends, PinsFile, Session};
use crate::cases::{CaseFile, Citation, Pin, PinKind, Scope};
use crate::error::Error;
use crate::impact::Cited;
use crate::manual::Fingerprint;
use crate::review::{Basis, Counterparts, Edition, PinOf, Review, Reviewer, Way};
use crate::source::Sources;

/// Such citations, by their place among all, each with the pin that it had; new ones had none.
#[derive(Default)]
pub(super) struct Repinned(BTreeMap<usize, Option<Pin>>);

impl Session {
    /// The citations that have another pin than where the range starts.
    pub(super) fn repinned(&self, ends: &Ends, pins: &PinsFile) -> Repinned {
        let Some(range) = &ends.range else { return Repinned::default() };
        let text = |file: &PinsFile| &self.sources.get(file.source).text;
        let has_same_pins = text(&range.pins) == text(pins);
        let there = Counterparts::new(&ends.before.cases, &self.sources);
        let mut found = BTreeMap::new();
        for (at, Cited { file, case, citation }) in all_cited(&ends.after.cases).enumerate() {
            let path = &self.sources.get(file.source).path;
            let is_same_file = range.start.entries.get(path) == ends.tip.entries.get(path);
            if is_same_file && has_same_pins {
                continue;
            }
            let stood = if is_same_file { Some(case) } else { there.of(case, path) };
            let stood = stood.map(|case| case.citations.as_slice()).unwrap_or_default();
            let pin_of = |citation: &Citation, pins: &PinsFile| pins.of(case, citation).cloned();
            let is_same = |was: &Option<Pin>, is: &Option<Pin>| {
                was.as_ref().map(|pin| &pin.kind) == is.as_ref().map(|pin| &pin.kind)
            };
            let is = pin_of(citation, pins);
            // Whoever respells citations leaves them their pins.
            let was = match stood.iter().find(|before| before.text == citation.text) {
                Some(before) => pin_of(before, &range.pins),
                None => match only_gone(stood, &case.citations) {
                    Some(before) => pin_of(before, &range.pins),
                    None => {
                        stood.iter().map(|before| pin_of(before, &range.pins)).find(|was| is_same(was, &is)).flatten()
                    }
                },
            };
            if !is_same(&was, &is) {
                found.insert(at, was);
            }
        }
        Repinned(found)
    }
}

/// The citation that a case had and has no more, where it has one instead.
fn only_gone<'c>(before: &'c [Citation], after: &[Citation]) -> Option<&'c Citation> {
    let lacks = |there: &[Citation], citation: &Citation| there.iter().all(|other| other.text != citation.text);
    let mut gone = before.iter().filter(|citation| lacks(after, citation));
    let came = after.iter().filter(|citation| lacks(before, citation)).count();
    match (gone.next(), gone.next(), came) {
        (Some(gone), None, 1) => Some(gone),
        (_, _, _) => None,
    }
}

impl Repinned {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Without those that read as their pin says: whoever reviewed a text pins it.
    pub(super) fn unless_fresh(
        mut self,
        (files, pins): (&[CaseFile], &PinsFile),
        checked: &Edition,
        sources: &Sources,
    ) -> Self {
        for (at, Cited { file, case, citation }) in all_cited(files).enumerate() {
            if !self.0.contains_key(&at) {
                continue;
            }
            let path = &sources.get(file.source).path;
            let is_fresh = pins.of(case, citation).is_some_and(|pin| match &pin.kind {
                PinKind::Fingerprint(digits) => {
                    let target = checked.index.resolve(&citation.text, Some(path)).target();
                    let whole = citation.scope == Scope::Whole;
                    target.is_some_and(|target| checked.manual.fingerprint(target, whole).matches(digits))
                }
                PinKind::Revision(_) => false,
            });
            if is_fresh {
                self.0.remove(&at);
            }
        }
        self
    }

    /// The case files with the pins that these citations had, wherever these stood.
    fn as_pinned_before(&self, files: &[CaseFile]) -> Vec<CaseFile> {
        let mut files = files.to_vec();
        let citations = files.iter_mut().flat_map(|file| &mut file.cases).flat_map(|case| &mut case.citations);
        for (at, citation) in citations.enumerate() {
            if let Some(was) = self.0.get(&at) {
                citation.pins = was.iter().cloned().collect();
            }
        }
        files
    }

    /// Puts the last reviews of these citations in the place of what the range tells, where the pin holds them to another
    /// text than they were held to.
    pub(super) fn settle(
        &self,
        range: &mut [Review],
        files: &[CaseFile],
        (reviewer, pin_of): (&mut Reviewer<'_>, PinOf<'_>),
    ) -> Result<(), Error> {
        if self.is_empty() {
            return Ok(());
        }
        let is_repinned = |at: usize| self.0.contains_key(&at);
        let last = reviewer.review(files, &is_repinned, pin_of)?;
        let former = reviewer.review(&self.as_pinned_before(files), &is_repinned, &|_, _| None)?;
        let citations = files.iter().flat_map(|file| &file.cases).flat_map(|case| &case.citations);
        let scopes: Vec<Scope> = citations.map(|citation| citation.scope).collect();
        for ((at, last), former) in self.0.keys().zip(last).zip(former) {
            let reviewed = |review: &Review| review.way.as_ref().map(|way| text(way, scopes[*at]));
            let is_another = reviewed(&last).map_or(is_nowhere(&last.basis), |text| reviewed(&former) != Some(text));
            if is_another {
                range[*at] = last;
            }
        }
        Ok(())
    }
}

/// The text that was reviewed.
fn text(way: &Way, scope: Scope) -> Fingerprint {
    way.from.manual.fingerprint(way.target, scope == Scope::Whole)
}

/// Whether a pin names nothing that there is or was.
fn is_nowhere(basis: &Basis) -> bool {
    match basis {
        Basis::UnknownSection(_) | Basis::UnknownRevision { .. } | Basis::UnknownText(_) | Basis::CutOff => true,
        Basis::Now | Basis::Commit(_) | Basis::Start | Basis::Older | Basis::Pin(_) => false,
    }
}
