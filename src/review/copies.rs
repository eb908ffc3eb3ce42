//! Sections that are lost on the way while another section had the same text where the way starts. A copy that was made
//! before a range looks like that, and so do two texts that were always the same: the last review of the case tells one
//! from the other, the range alone cannot.

use super::{Review, Route, Way};
use crate::diff::Outcome;
use crate::manual::{SectionRef, Target};

/// Bytes below which a text is no copy of another one, as `To be defined.`: the whole history is not asked for it.
const SHORT: usize = 24;

impl Review {
    /// Whether the cited section is lost, and another one had its text.
    pub(crate) fn left_a_copy(&self) -> bool {
        self.way.as_ref().is_some_and(|way| way.lost().is_some_and(|section| has_copy(way, section)))
    }

    /// The sections that the cited one is, or is part of, in the checked revision; none if that is not known.
    pub(crate) fn homes(&self) -> Vec<SectionRef> {
        match self.way.as_ref().map(|way| (&way.route, way.target)) {
            Some((Route::Still(Target::Section(at)), _)) => vec![*at],
            Some((Route::Changed(compared), Target::Section(section))) => {
                compared.outcome_of(section).map(Outcome::afters).unwrap_or_default()
            }
            Some((Route::Still(Target::File(_)), _) | (_, Target::File(_))) | None => Vec::new(),
        }
    }
}

impl Way {
    fn lost(&self) -> Option<SectionRef> {
        let (Route::Changed(compared), Target::Section(section)) = (&self.route, self.target) else { return None };
        match compared.outcome_of(section)? {
            Outcome::Removed { .. } | Outcome::Ambiguous { .. } => Some(section),
            Outcome::Same { .. } | Outcome::Split { .. } | Outcome::Merged { .. } | Outcome::Added { .. } => None,
        }
    }
}

fn has_copy(way: &Way, section: SectionRef) -> bool {
    let manual = &way.from.manual;
    let lost = manual.section(section);
    let length: usize = lost.fragments.iter().map(|fragment| fragment.text.len()).sum();
    length >= SHORT && manual.sections().any(|(at, other)| at != section && other.own == lost.own)
}
