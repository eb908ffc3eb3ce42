//! What happened to the text behind each citation: citations joined with the changes of the sections they cite.
//! Facts only: no levels, no wording, no advice.

use std::collections::{BTreeMap, BTreeSet};

use crate::cases::{Case, CaseFile, Citation, Scope};
use crate::diff::{Change, Diff, Magnitude, Outcome};
use crate::manual::{Index, Manual, Resolution, SectionRef, Target, fold};
use crate::source::{RepoPath, Sources};

/// The manual at two revisions and what happened in between.
pub(crate) struct Passage<'a> {
    pub(crate) before: &'a Manual,
    pub(crate) after: &'a Manual,
    pub(crate) before_resolver: &'a Index,
    pub(crate) after_resolver: &'a Index,
    pub(crate) diff: &'a Diff,
    /// The change that speaks of each section before, by place.
    changes: BTreeMap<SectionRef, usize>,
    /// The change that speaks of each section after.
    arrivals: BTreeMap<SectionRef, usize>,
}

/// One citation of one case, as it stands in the checked revision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cited<'a> {
    pub(crate) file: &'a CaseFile,
    pub(crate) case: &'a Case,
    pub(crate) citation: &'a Citation,
}

/// What happened to what one citation cites.
#[derive(Debug)]
pub(crate) struct Impact<'a> {
    pub(crate) cited: Cited<'a>,
    /// What it resolved to before, if the case stood there and it resolved.
    pub(crate) before: Option<Target>,
    /// What it resolves to after.
    pub(crate) now: Resolution,
    /// Where the section that was cited is after.
    pub(crate) home: Home,
    /// Changes of the cited text, that of the cited section itself first, then those of its subsections in order.
    pub(crate) changes: Vec<&'a Change>,
    /// The largest magnitude among `changes`.
    pub(crate) magnitude: Magnitude,
    /// Whether the words that the citation quotes still stand in the cited text; `None` without a quote.
    pub(crate) quote_holds: Option<bool>,
}

/// Where a cited section is after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// It was not looked for: the citation is new, its case changed, or it resolved to nothing before.
    Unasked,
    /// One section, or one file.
    Here(Target),
    /// Several that hold its parts.
    Parts(Vec<SectionRef>),
    /// Part of a bigger one.
    Merged(SectionRef),
    Removed,
    /// Perhaps one of these.
    Lost(Vec<SectionRef>),
}

impl<'a> Passage<'a> {
    pub(crate) fn new(before: (&'a Manual, &'a Index), after: (&'a Manual, &'a Index), diff: &'a Diff) -> Self {
        let (mut changes, mut arrivals) = (BTreeMap::new(), BTreeMap::new());
        for (at, change) in diff.changes.iter().enumerate() {
            changes.extend(change.befores().into_iter().map(|section| (section, at)));
            arrivals.extend(change.afters().into_iter().map(|section| (section, at)));
        }
        let ((before, before_resolver), (after, after_resolver)) = (before, after);
        Self { before, after, before_resolver, after_resolver, diff, changes, arrivals }
    }

    pub(crate) fn change_of(&self, before: SectionRef) -> Option<&'a Change> {
        self.changes.get(&before).map(|at| &self.diff.changes[*at])
    }

    /// The change that speaks of a section after.
    pub(crate) fn arrival_of(&self, after: SectionRef) -> Option<&'a Change> {
        self.arrivals.get(&after).map(|at| &self.diff.changes[*at])
    }
}

/// Follows one citation. `reviewed` says whether it stood in its case, as it is, at the revision before.
pub(crate) fn follow<'a>(passage: &Passage<'a>, cited: Cited<'a>, sources: &Sources, reviewed: bool) -> Impact<'a> {
    let file = &sources.get(cited.file.source).path;
    let now = passage.after_resolver.resolve(&cited.citation.text, Some(file));
    let before = if reviewed { resolved(passage.before_resolver, cited.citation, file) } else { None };
    let Some(target) = before else {
        let quote_holds = quote_holds(passage.after, &now_home(&now), cited.citation);
        let home = Home::Unasked;
        return Impact { cited, before, now, home, changes: Vec::new(), magnitude: Magnitude::None, quote_holds };
    };
    let home = home(passage, target);
    let changes = changes(passage, target, &home, cited.citation.scope);
    let magnitude = changes.iter().map(|change| weight(change)).max().unwrap_or_default();
    let quote_holds = quote_holds(passage.after, &home, cited.citation);
    Impact { cited, before, now, home, changes, magnitude, quote_holds }
}

fn now_home(now: &Resolution) -> Home {
    match now {
        Resolution::Found { target, .. } => Home::Here(*target),
        Resolution::Ambiguous { .. } | Resolution::Unknown { .. } => Home::Unasked,
    }
}

/// Whether the quoted words stand in the text of the section's home, as one reads it.
fn quote_holds(after: &Manual, home: &Home, citation: &Citation) -> Option<bool> {
    let quote = fold(&citation.quote.as_ref()?.text);
    let sections = match home {
        Home::Here(target) => subtree(after, *target, citation.scope),
        Home::Parts(parts) => parts.clone(),
        Home::Merged(whole) => subtree(after, Target::Section(*whole), citation.scope),
        Home::Removed | Home::Lost(_) => return Some(false),
        Home::Unasked => return None,
    };
    let texts = sections.iter().flat_map(|at| &after.section(*at).fragments).map(|fragment| fragment.text.as_str());
    Some(texts.collect::<Vec<_>>().join(" ").contains(&quote))
}

/// How much a change matters to who cites the text: text that came or went whole counts by what it says.
fn weight(change: &Change) -> Magnitude {
    match &change.outcome {
        Outcome::Removed { .. } | Outcome::Ambiguous { .. } => Magnitude::Substantive,
        Outcome::Added { .. } | Outcome::Same { .. } | Outcome::Split { .. } | Outcome::Merged { .. } => {
            change.edit.magnitude
        }
    }
}

fn resolved(resolver: &Index, citation: &Citation, file: &RepoPath) -> Option<Target> {
    match resolver.resolve(&citation.text, Some(file)) {
        Resolution::Found { target, .. } => Some(target),
        Resolution::Ambiguous { .. } | Resolution::Unknown { .. } => None,
    }
}

fn home(passage: &Passage<'_>, target: Target) -> Home {
    match target {
        Target::Section(section) => match passage.change_of(section).map(|change| &change.outcome) {
            Some(Outcome::Same { after, .. }) => Home::Here(Target::Section(*after)),
            Some(Outcome::Split { into, .. }) => Home::Parts(into.clone()),
            Some(Outcome::Merged { after, .. }) => Home::Merged(*after),
            Some(Outcome::Ambiguous { candidates, .. }) => {
                Home::Lost(candidates.iter().map(|candidate| candidate.section).collect())
            }
            Some(Outcome::Removed { .. }) | Some(Outcome::Added { .. }) | None => Home::Removed,
        },
        Target::File(file) => file_home(passage, file),
    }
}

/// A cited file is where most of its sections are.
fn file_home(passage: &Passage<'_>, file: usize) -> Home {
    let path = &passage.before.documents[file].path;
    if let Some(same) = passage.after.documents.iter().position(|document| document.path == *path) {
        return Home::Here(Target::File(same));
    }
    let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
    for section in 0..passage.before.documents[file].sections.len() {
        let change = passage.change_of(SectionRef { document: file, section });
        for after in change.into_iter().flat_map(Change::afters) {
            *votes.entry(after.document).or_default() += 1;
        }
    }
    match votes.into_iter().max_by_key(|(document, votes)| (*votes, std::cmp::Reverse(*document))) {
        Some((document, _)) => Home::Here(Target::File(document)),
        None => Home::Removed,
    }
}

/// The changes of the cited text: the section's own, and with the scope those of its subsections before and of what was
/// added below it.
fn changes<'a>(passage: &Passage<'a>, target: Target, home: &Home, scope: Scope) -> Vec<&'a Change> {
    let mut found: Vec<usize> = Vec::new();
    let befores = subtree(passage.before, target, scope);
    found.extend(befores.iter().filter_map(|section| passage.changes.get(section)));
    if let (Home::Here(after), Scope::Whole) = (home, scope) {
        let added =
            subtree(passage.after, *after, scope).into_iter().filter_map(|section| passage.arrivals.get(&section));
        found.extend(added.filter(|at| matches!(passage.diff.changes[**at].outcome, Outcome::Added { .. })));
    }
    let mut seen = BTreeSet::new();
    found.retain(|at| seen.insert(*at));
    found.into_iter().map(|at| &passage.diff.changes[at]).filter(|change| !change.is_nothing()).collect()
}

/// The sections that a target covers.
pub(crate) fn subtree(manual: &Manual, target: Target, scope: Scope) -> Vec<SectionRef> {
    match (target, scope) {
        (Target::Section(section), Scope::Own) => vec![section],
        (Target::Section(SectionRef { document, section }), Scope::Whole) => {
            manual.documents[document].subtree(section).map(|section| SectionRef { document, section }).collect()
        }
        (Target::File(document), _) => {
            (0..manual.documents[document].sections.len()).map(|section| SectionRef { document, section }).collect()
        }
    }
}
