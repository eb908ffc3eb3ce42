//! What a citation's impact means for its case, as a table: the fate of the text, and beside it whether the citation still
//! leads there.

use crate::diff::Magnitude;
use crate::impact::{Home, Impact, Quoted};
use crate::manual::{Resolution, SectionRef, Target};

/// What happened to the cited text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Fresh,
    Reworded,
    Changed,
    Removed,
    /// The parts.
    Split(Vec<SectionRef>),
    Merged(SectionRef),
    Lost(Vec<SectionRef>),
    /// The words that the case depends on are gone from the text, which is there.
    QuoteMissing,
}

/// Whether the citation still leads to the section that it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Leads {
    /// It does, or there is nothing to lead to.
    There,
    /// It leads nowhere, or to several sections; the section is here.
    Nowhere { home: Target },
    /// It leads to another section than before; the section is here.
    Elsewhere { home: Target, now: Target },
}

pub(super) fn fate(impact: &Impact<'_>) -> Fate {
    match (&impact.home, impact.quoted) {
        // Where the text is gone, that is more than that words of it are.
        (Home::Removed, _) => Fate::Removed,
        (Home::Lost(candidates), _) => Fate::Lost(candidates.clone()),
        (Home::Unasked | Home::Here(_) | Home::Parts(_) | Home::Merged(_), Quoted::Gone) => Fate::QuoteMissing,
        (Home::Unasked | Home::Here(_) | Home::Parts(_) | Home::Merged(_), Quoted::Here)
        | (Home::Unasked, Quoted::Nothing | Quoted::Elsewhere) => Fate::Fresh,
        (Home::Parts(parts), Quoted::Nothing | Quoted::Elsewhere) => Fate::Split(parts.clone()),
        (Home::Merged(whole), Quoted::Nothing | Quoted::Elsewhere) => Fate::Merged(*whole),
        (Home::Here(_), Quoted::Nothing | Quoted::Elsewhere) => match impact.magnitude {
            Magnitude::None | Magnitude::Trivial => Fate::Fresh,
            Magnitude::Minor => Fate::Reworded,
            Magnitude::Substantive => Fate::Changed,
        },
    }
}

pub(super) fn leads(impact: &Impact<'_>) -> Leads {
    let home = match impact.home {
        Home::Here(home) => Some(home),
        Home::Parts(_) | Home::Merged(_) => impact.heir,
        Home::Unasked | Home::Removed | Home::Lost(_) => None,
    };
    let Some(home) = home else { return Leads::There };
    match &impact.now {
        Resolution::Found { target, .. } if *target == home => Leads::There,
        Resolution::Found { target, .. } => Leads::Elsewhere { home, now: *target },
        Resolution::Ambiguous { .. } | Resolution::Unknown { .. } => Leads::Nowhere { home },
    }
}
