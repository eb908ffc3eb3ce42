//! What a cited text changed by, in the words that a message ends with: its signals, or else the subsections that came, went
//! or have another title. Whether that matters is not decided here.

use std::collections::BTreeSet;

use super::{Examined, describe, facts};
use crate::diff::{Change, Magnitude, Outcome};
use crate::impact::{Home, Weighed};
use crate::manual::{Manual, SectionRef, Target};
use crate::review::covered;

/// How many subsections are named.
const MOST: usize = 3;

/// ``: number `30` is now `40` ``, to stand behind what happened; empty where there is nothing to name.
pub(super) fn signals_or_subsections(examined: &Examined<'_>) -> String {
    let worst = describe::worst(&examined.impact.changes);
    let signals = worst.map(|it| describe::signals(&it.change.edit.signals)).unwrap_or_default();
    let other = [heading(examined), subsections(examined)];
    // Where the place or the heading matters more, harmless words are no reason.
    let reasons = match worst.is_some_and(Weighed::is_of_words) {
        true => [signals].into_iter().chain(other).collect::<Vec<_>>(),
        false => other.into_iter().chain([signals]).collect(),
    };
    behind_colon(reasons.into_iter().find(|reason| !reason.is_empty()).unwrap_or_default())
}

/// The same of a text of which no words changed.
pub(super) fn subsections_alone(examined: &Examined<'_>) -> String {
    let is_reworded =
        |change: &Change| matches!(change.outcome, Outcome::Same { .. }) && change.edit.magnitude >= Magnitude::Minor;
    match examined.impact.changes.iter().any(|it| is_reworded(it.change)) {
        true => String::new(),
        false => behind_colon(subsections(examined)),
    }
}

fn behind_colon(reason: String) -> String {
    if reason.is_empty() { reason } else { format!(": {reason}") }
}

/// Whether the heading of the cited section itself says something else.
pub(super) fn is_restated(examined: &Examined<'_>) -> bool {
    !heading(examined).is_empty()
}

/// ``in the heading, modality `may` is now `must` ``: of the cited section itself; those of others are told whole.
fn heading(examined: &Examined<'_>) -> String {
    let Some(Target::Section(root)) = examined.impact.before else { return String::new() };
    let own = examined.impact.changes.iter().find(|it| it.change.befores().contains(&root));
    let signals = own.map(|it| describe::signals(&it.change.edit.heading)).unwrap_or_default();
    if signals.is_empty() { signals } else { format!("in the heading, {signals}") }
}

/// ``subsection `Lamp` removed, subsection `Horn` added``; the first few.
fn subsections(examined: &Examined<'_>) -> String {
    let extent = Extent::of(examined);
    let told = examined.impact.changes.iter().filter_map(|it| extent.told(examined, it.change));
    let told: Vec<String> = told.collect();
    let shown = told.iter().take(MOST).cloned().collect::<Vec<_>>().join(", ");
    match told.len() {
        0..=MOST => shown,
        more => format!("{shown}, and {} more", more - MOST),
    }
}

/// The sections that a citation covers, at its review and now.
struct Extent {
    /// The cited one itself.
    root: Option<SectionRef>,
    before: BTreeSet<SectionRef>,
    after: BTreeSet<SectionRef>,
}

impl Extent {
    fn of(examined: &Examined<'_>) -> Self {
        let Examined { passage, impact, .. } = examined;
        let sections = |manual, target| covered(manual, target, impact.cited.citation.scope).into_iter().collect();
        let after = match impact.home {
            Home::Here(home) => sections(passage.after, home),
            Home::Unasked | Home::Parts(_) | Home::Merged(_) | Home::Removed | Home::Lost(_) => BTreeSet::new(),
        };
        let before = impact.before.map(|target| sections(passage.before, target)).unwrap_or_default();
        let root = match impact.before {
            Some(Target::Section(section)) => Some(section),
            Some(Target::File(_)) | None => None,
        };
        Self { root, before, after }
    }

    /// What a change did to the subsections, if it did anything to them as such.
    fn told(&self, examined: &Examined<'_>, change: &Change) -> Option<String> {
        let named = |manual: &Manual, at: &SectionRef| describe::name(&facts::section(manual, *at));
        let (there, here) = (examined.passage.before, examined.passage.after);
        // Of a file that is cited as a whole.
        let part = if self.root.is_some() { "subsection" } else { "section" };
        match &change.outcome {
            Outcome::Removed { before } => Some(format!("{part} {} removed", named(there, before))),
            Outcome::Added { after } => Some(format!("{part} {} added", named(here, after))),
            Outcome::Same { before, after, .. } => match (self.before.contains(before), self.after.contains(after)) {
                (true, false) => Some(format!("{part} {} moved away", named(there, before))),
                (false, true) => Some(format!("{part} {} moved here", named(here, after))),
                (true, true)
                    if self.root != Some(*before) && there.section(*before).title != here.section(*after).title =>
                {
                    Some(format!("{part} {} is now {}", named(there, before), named(here, after)))
                }
                (true, true) | (false, false) => None,
            },
            Outcome::Split { before, into, .. } => {
                let was = self.before.contains(before);
                let crosses = into.iter().any(|part| self.after.contains(part) != was);
                crosses
                    .then(|| format!("a part of {} moved {}", named(there, before), if was { "away" } else { "here" }))
            }
            Outcome::Merged { from, after, .. } => {
                let is = self.after.contains(after);
                let came = from.iter().filter(|before| self.root != Some(**before));
                let (same, crossing): (Vec<_>, Vec<_>) = came.partition(|before| self.before.contains(before) == is);
                let is_other = |before: &&&SectionRef| there.section(***before).title != here.section(*after).title;
                match (crossing.first(), same.iter().find(is_other)) {
                    (Some(before), _) if is => Some(format!("{} moved here", named(there, before))),
                    (Some(before), _) => Some(format!("{part} {} moved away", named(there, before))),
                    (None, Some(before)) if is => {
                        Some(format!("{part} {} is now part of {}", named(there, before), named(here, after)))
                    }
                    (None, _) => None,
                }
            }
            Outcome::Ambiguous { .. } => None,
        }
    }
}
