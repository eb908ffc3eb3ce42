//! What a citation's impact means for its case, as a table: the fate of the text, and beside it whether the citation still
//! leads there, and whether it may be rewritten so that it does.

use super::{Examined, Input, describe, reason};
use crate::cases::Scope;
use crate::diff::Magnitude;
use crate::impact::{Home, Impact, Quoted};
use crate::manual::{Manual, Resolution, SectionRef, Target};
use crate::review::{Basis, covered};

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

/// Where the section is that the citation does not lead to, unless the citation may mean what it does lead to.
pub(super) fn astray(examined: &Examined<'_>, input: &Input<'_>) -> Option<Target> {
    let home = match leads(&examined.impact) {
        Leads::There => None,
        Leads::Nowhere { home } => Some(home),
        // A pin that was taken from another section tells nothing of this one.
        Leads::Elsewhere { home, .. } => Some(home).filter(|_| has_led_there(examined, input)),
    };
    home.filter(|_| examined.impact.rival.is_none())
}

/// What `fix` may make the citation lead to. Which of several sections is meant is certain only where nothing else happened.
/// A section whose heading states something else is left to a person: pins hold no headings, so that a rewritten citation
/// would count as fresh. Text before a file's first heading has no name, but where it is the whole file.
pub(super) fn rewritable(examined: &Examined<'_>, input: &Input<'_>) -> Option<Target> {
    let is_ambiguous = matches!(examined.impact.now, Resolution::Ambiguous { .. });
    let is_restated = reason::is_restated(examined);
    let home = astray(examined, input).filter(|home| !is_restated && can_be_named(examined, input, *home))?;
    (!is_ambiguous || is_as_it_was(examined, home)).then_some(home)
}

/// Whether some citation leads to a target, or to what is nothing but it.
fn can_be_named(examined: &Examined<'_>, input: &Input<'_>, home: Target) -> bool {
    let (citing, passage) = (input.citing(examined), examined.passage);
    let citation = describe::citation_for(examined, citing, home);
    let named = passage.after_resolver.resolve(&citation, Some(citing)).target();
    named.is_some_and(|named| named == home || covered(passage.after, named, Scope::Whole).len() == 1)
}

/// Whether the citation, as it is spelled, led to the section at its review point. A pinned text is found by itself,
/// whatever the citation says.
pub(super) fn has_led_there(examined: &Examined<'_>, input: &Input<'_>) -> bool {
    if !matches!(examined.review.basis, Basis::Pin(_)) {
        return true;
    }
    examined.review.way.as_ref().is_none_or(|way| {
        let named = way.from.index.named(&examined.impact.cited.citation.text, Some(input.citing(examined)));
        named.contains(&way.target)
    })
}

/// Whether a section is where it was, and says what it said.
fn is_as_it_was(examined: &Examined<'_>, home: Target) -> bool {
    let place = |manual: &Manual, target: Target| match target {
        Target::Section(at) => (manual.document(at).path.clone(), Some(manual.section(at).id.clone())),
        Target::File(file) => (manual.documents[file].path.clone(), None),
    };
    let (there, here) = (examined.passage.before, examined.passage.after);
    examined.impact.magnitude <= Magnitude::Trivial
        && examined.impact.before.is_some_and(|before| place(there, before) == place(here, home))
}
