//! What happened to the text behind each citation: citations joined with the changes of the sections they cite.
//! Facts only: no levels, no wording, no advice. `quote.rs` looks for the words that a citation quotes.

mod quote;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::cases::{Case, CaseFile, Citation, Scope};
use crate::diff::{Change, Compared, Magnitude, Outcome};
use crate::manual::{Index, Manual, Resolution, SectionKind, SectionRef, Target};
use crate::review::covered;
use crate::source::{Sources, Span};

/// The manual at two revisions and what happened in between; or to the part of it that is asked about.
pub(crate) struct Passage<'a> {
    pub(crate) before: &'a Manual,
    pub(crate) after: &'a Manual,
    pub(crate) after_resolver: &'a Index,
    compared: &'a Compared,
}

/// What a citation led to when it was reviewed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reviewed {
    pub(crate) target: Target,
    /// Its place after, where it is known to read the same; else the changes tell.
    pub(crate) still: Option<Target>,
    /// Where it was split or merged, the part that the citation went on leading to.
    pub(crate) heir: Option<Target>,
    /// Where its text is elsewhere now, what stands at its place, if only a person can say which is meant.
    pub(crate) rival: Option<SectionRef>,
}

/// One citation of one case, as it stands in the checked revision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cited<'a> {
    pub(crate) file: &'a CaseFile,
    pub(crate) case: &'a Case,
    pub(crate) citation: &'a Citation,
}

impl<'a> Cited<'a> {
    /// The same as [`Diagnostic::about`](crate::diagnostic::Diagnostic::about) has.
    pub(crate) fn key(&self) -> (&'a str, Span) {
        (&self.case.id.0, self.citation.span)
    }
}

/// What happened to what one citation cites.
#[derive(Debug)]
pub(crate) struct Impact<'a> {
    pub(crate) cited: Cited<'a>,
    /// What it led to at its review, if that is known.
    pub(crate) before: Option<Target>,
    /// What it resolves to after.
    pub(crate) now: Resolution,
    /// Where the section that was cited is after.
    pub(crate) home: Home,
    /// Where that is not one section of its own, the part that the citation went on leading to, if it did.
    pub(crate) heir: Option<Target>,
    /// Where that is another place, what stands at its former one, if only a person can say which is meant.
    pub(crate) rival: Option<SectionRef>,
    /// Changes of the cited text, that of the cited section itself first, then those of its subsections in order.
    pub(crate) changes: Vec<Weighed<'a>>,
    /// The largest weight among `changes`.
    pub(crate) magnitude: Magnitude,
    pub(crate) quoted: Quoted,
}

/// A change, and what it matters to who cites the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weighed<'a> {
    pub(crate) change: &'a Change,
    /// By its words, its place or its heading, whichever matters most.
    pub(crate) weight: Magnitude,
}

impl Weighed<'_> {
    /// Whether its words alone matter as much.
    pub(crate) fn is_of_words(&self) -> bool {
        weight(self.change) == self.weight
    }
}

/// Where the words are that a citation quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoted {
    /// It quotes nothing, or nobody asked.
    Nothing,
    /// In the cited text.
    Here,
    /// In a text that the cited one became a part of, or a part of it became: the citation leads to another.
    Elsewhere,
    Gone,
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
    pub(crate) fn new(
        before: &'a Manual,
        (after, after_resolver): (&'a Manual, &'a Index),
        compared: &'a Compared,
    ) -> Self {
        Self { before, after, after_resolver, compared }
    }

    pub(crate) fn change_of(&self, before: SectionRef) -> Option<&'a Change> {
        self.compared.change_of(before)
    }
}

impl Home {
    /// The sections that the text is in, none if that is not known.
    pub(crate) fn sections(&self, after: &Manual, scope: Scope) -> Vec<SectionRef> {
        match self {
            Home::Here(target) => covered(after, *target, scope),
            Home::Parts(parts) => parts.clone(),
            Home::Merged(whole) => covered(after, Target::Section(*whole), scope),
            Home::Removed | Home::Lost(_) | Home::Unasked => Vec::new(),
        }
    }
}

impl Impact<'_> {
    /// Whether nothing happened: the text is what it was and the citation leads there.
    pub(crate) fn is_untouched(&self) -> bool {
        self.quoted != Quoted::Gone && self.is_as_it_was()
    }

    /// The same, whatever is quoted.
    pub(crate) fn is_as_it_was(&self) -> bool {
        let leads_there = |home| matches!(&self.now, Resolution::Found { target, .. } if *target == home);
        match self.home {
            Home::Unasked => true,
            Home::Here(home) => leads_there(home) && self.magnitude <= Magnitude::Trivial,
            Home::Parts(_) | Home::Merged(_) | Home::Removed | Home::Lost(_) => false,
        }
    }
}

/// Follows one citation. `reviewed` is what it led to at the revision before, if that is known.
pub(crate) fn follow<'a>(
    passage: &Passage<'a>,
    cited: Cited<'a>,
    sources: &Sources,
    reviewed: Option<Reviewed>,
) -> Impact<'a> {
    let file = &sources.get(cited.file.source).path;
    let now = passage.after_resolver.resolve(&cited.citation.text, Some(file));
    let before = reviewed.map(|reviewed| reviewed.target);
    let heir = reviewed.and_then(|reviewed| reviewed.heir);
    let rival = reviewed.and_then(|reviewed| reviewed.rival);
    let (home, changes) = match reviewed {
        None => (Home::Unasked, Vec::new()),
        Some(Reviewed { still: Some(target), .. }) => (Home::Here(target), Vec::new()),
        Some(Reviewed { target, still: None, .. }) => {
            let (scope, wrapped) = (cited.citation.scope, wrapped(passage, target, &now));
            let (text, home) = wrapped.filter(|_| scope == Scope::Whole).unwrap_or((target, home(passage, target)));
            let changes = changes(passage, text, &home, scope);
            (home, changes)
        }
    };
    let extent = before.map(|target| Extent::new(passage, target, &home, cited.citation.scope)).unwrap_or_default();
    let weighed = |change: &'a Change| Weighed { change, weight: weight(change).max(extent.crossing(passage, change)) };
    let changes: Vec<Weighed<'_>> = changes.into_iter().map(weighed).collect();
    let magnitude = changes.iter().map(|it| it.weight).max().unwrap_or_default();
    let quoted = quoted(passage.after, (&home, &now_home(&now)), cited.citation);
    Impact { cited, before, now, home, heir, rival, changes, magnitude, quoted }
}

fn now_home(now: &Resolution) -> Home {
    match now {
        Resolution::Found { target, .. } => Home::Here(*target),
        Resolution::Ambiguous { .. } | Resolution::Unknown { .. } => Home::Unasked,
    }
}

/// Where the quoted words are, of the section's home and of what the citation leads to now.
fn quoted(after: &Manual, (home, now): (&Home, &Home), citation: &Citation) -> Quoted {
    let Some(quote) = &citation.quote else { return Quoted::Nothing };
    let holds = |home: &Home| {
        let sections = home.sections(after, citation.scope);
        quote::holds(sections.iter().flat_map(|at| &after.section(*at).fragments), &quote.text)
    };
    match home {
        Home::Unasked if *now == Home::Unasked => Quoted::Nothing,
        Home::Unasked if holds(now) => Quoted::Here,
        Home::Here(_) | Home::Parts(_) | Home::Merged(_) if !holds(home) => Quoted::Gone,
        Home::Parts(_) | Home::Merged(_) if !holds(now) => Quoted::Elsewhere,
        Home::Here(_) | Home::Parts(_) | Home::Merged(_) => Quoted::Here,
        Home::Unasked | Home::Removed | Home::Lost(_) => Quoted::Gone,
    }
}

/// How much a change matters to who cites the text: text that came or went whole counts by what it says.
pub(crate) fn weight(change: &Change) -> Magnitude {
    match &change.outcome {
        Outcome::Removed { .. } | Outcome::Ambiguous { .. } => Magnitude::Substantive,
        Outcome::Added { .. } | Outcome::Same { .. } | Outcome::Split { .. } | Outcome::Merged { .. } => {
            change.edit.magnitude
        }
    }
}

/// The sections that a citation covers, before and after.
#[derive(Default)]
struct Extent {
    root: Option<SectionRef>,
    before: BTreeSet<SectionRef>,
    after: BTreeSet<SectionRef>,
}

impl Extent {
    fn new(passage: &Passage<'_>, target: Target, home: &Home, scope: Scope) -> Self {
        let root = match target {
            Target::Section(section) => Some(section),
            Target::File(_) => None,
        };
        let after = match home {
            Home::Here(home) => covered(passage.after, *home, scope),
            Home::Unasked | Home::Parts(_) | Home::Merged(_) | Home::Removed | Home::Lost(_) => return Self::default(),
        };
        let before = covered(passage.before, target, scope).into_iter().collect();
        Self { root, before, after: after.into_iter().collect() }
    }

    /// What a change matters by its place and name alone: text that left the cited section for another one, or came to it
    /// from there, is other text to whoever cites it; so is a heading that states something else, and to a lesser degree
    /// another title of a subsection, or that it has none any more.
    fn crossing(&self, passage: &Passage<'_>, change: &Change) -> Magnitude {
        let there = |at: SectionRef| (self.before.contains(&at), passage.before.section(at));
        let here = |at: SectionRef| (self.after.contains(&at), passage.after.section(at));
        match &change.outcome {
            Outcome::Same { before, after, relation } => {
                let ((was, there), (is, here)) = (there(*before), here(*after));
                // An id that an author gave is no text.
                let is_retitled = relation.renamed && there.title != here.title;
                match was == is {
                    false if !here.fragments.is_empty() => Magnitude::Substantive,
                    true if was && !change.edit.heading.is_empty() => Magnitude::Substantive,
                    true if was && is_retitled && self.root != Some(*before) => Magnitude::Minor,
                    true | false => Magnitude::None,
                }
            }
            Outcome::Split { before, into, .. } => {
                let (was, _) = there(*before);
                let crosses = |part: &SectionRef| here(*part).0 != was && !here(*part).1.fragments.is_empty();
                if into.iter().any(crosses) { Magnitude::Substantive } else { Magnitude::None }
            }
            Outcome::Merged { from, after, .. } => {
                let (is, whole) = here(*after);
                let crosses = |part: &SectionRef| there(*part).0 != is && !there(*part).1.fragments.is_empty();
                let is_heading = |part: &SectionRef| {
                    let section = there(*part).1;
                    section.kind == SectionKind::Heading && section.title != whole.title
                };
                match from.iter().any(crosses) {
                    true => Magnitude::Substantive,
                    false if is && from.iter().any(is_heading) => Magnitude::Minor,
                    false => Magnitude::None,
                }
            }
            Outcome::Ambiguous { .. } | Outcome::Removed { .. } | Outcome::Added { .. } => Magnitude::None,
        }
    }
}

fn home(passage: &Passage<'_>, target: Target) -> Home {
    match target {
        Target::Section(section) => match passage.compared.outcome_of(section) {
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

/// What a citation covers under headings of its title without text of their own, and where the citation leads, if only such
/// headings came above it or went from there: then it leads where it led.
fn wrapped(passage: &Passage<'_>, target: Target, now: &Resolution) -> Option<(Target, Home)> {
    let (Target::Section(before), Some(Target::Section(after))) = (target, now.target()) else { return None };
    let (there, here) = (holder(passage.before, before), holder(passage.after, after));
    let is_same = matches!(passage.compared.outcome_of(there), Some(Outcome::Same { after, .. }) if *after == here);
    let is_wrapped = there != before || here != after;
    (is_wrapped && is_same).then_some((Target::Section(there), Home::Here(Target::Section(after))))
}

/// The section below headings of its title that hold nothing but it.
fn holder(manual: &Manual, mut at: SectionRef) -> SectionRef {
    loop {
        let document = manual.document(at);
        let mut below =
            document.subtree(at.section).skip(1).filter(|child| document.sections[*child].parent == Some(at.section));
        match (manual.section(at).fragments.is_empty(), below.next(), below.next()) {
            (true, Some(section), None) if document.sections[section].title == manual.section(at).title => {
                at = SectionRef { section, ..at };
            }
            (_, _, _) => return at,
        }
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
    let befores = covered(passage.before, target, scope);
    let mut found: Vec<&Change> = befores.iter().filter_map(|section| passage.change_of(*section)).collect();
    if let (Home::Here(after), Scope::Whole) = (home, scope) {
        let arrivals = covered(passage.after, *after, scope).into_iter();
        found.extend(arrivals.filter_map(|section| passage.compared.arrival_of(section)));
    }
    let mut seen = HashSet::new();
    found.retain(|change| seen.insert(std::ptr::from_ref(*change)) && !change.is_nothing());
    found
}
