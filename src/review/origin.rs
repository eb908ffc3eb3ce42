//! What a section was in a revision in which its citation leads nowhere: it stood in another file then, or had another
//! name. Followed from the checked revision back.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::follow::{Stop, still};
use super::{Edition, Reviewer};
use crate::cases::Scope;
use crate::diff::{Change, Compared, Outcome};
use crate::git::Error;
use crate::manual::{SectionRef, Target};

impl Reviewer<'_> {
    /// From what at a revision the section came that is `now` the target.
    pub(super) fn origin(&mut self, at: &Stop, now: Target, scope: Scope) -> Result<Option<Target>, Error> {
        let to = self.stop(0)?;
        if let Some(same) = still(&to.edition, &at.edition, now, scope) {
            return Ok(Some(same));
        }
        let compared = self.follower.manual_diff(&self.archive, at, &to);
        Ok(match now {
            Target::Section(section) => before(&compared, section).map(Target::Section),
            Target::File(file) => file_before(&compared, &to.edition, file).map(Target::File),
        })
    }
}

fn before(compared: &Compared, section: SectionRef) -> Option<SectionRef> {
    match &compared.arrival_of(section)?.outcome {
        Outcome::Same { before, .. } | Outcome::Split { before, .. } => Some(*before),
        Outcome::Merged { from, .. } => from.first().copied(),
        Outcome::Ambiguous { .. } | Outcome::Removed { .. } | Outcome::Added { .. } => None,
    }
}

/// A file came from where most of its sections did.
fn file_before(compared: &Compared, to: &Edition, file: usize) -> Option<usize> {
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    for section in 0..to.manual.documents[file].sections.len() {
        let change = compared.arrival_of(SectionRef { document: file, section });
        for before in change.into_iter().flat_map(Change::befores) {
            *votes.entry(before.document).or_default() += 1;
        }
    }
    votes.into_iter().max_by_key(|(document, votes)| (*votes, Reverse(*document))).map(|(document, _)| document)
}
