//! What changed in the own body of each section: fragments aligned, those that left for other sections told apart, each
//! change judged. The judging itself is next door in [`magnitude`](super::magnitude).

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::align::{self, Alignment};
use super::footnotes::{self, Relabelled};
use super::heading;
use super::hunks::{Hunk, hunks};
use super::magnitude::{Case, Finding, Judgement, judge};
use super::moves::Moves;
use super::passage::states_something;
use super::sides::{Renumbered, plain_number};
use super::stream::Stream;
use super::thresholds::LONGEST;
use super::words::{Language, Lexicon, Lexicons};
use super::{
    Edit, FragmentChange, FragmentChangeKind, FragmentRef, Magnitude, Outcome, Signal, SignalKind, WordChange,
};
use crate::manual::{Fragment, Manual, Section, SectionRef};
use crate::source::Sources;

/// The manual of one revision with its source texts.
pub(super) struct Text {
    pub(super) manual: Manual,
    /// Of each document.
    sources: Vec<Arc<str>>,
}

/// Judges what became of single sections, in any order. What a section's edit depends on beside its own text is known
/// from the start: fragments that went to other sections, and numbers that changed.
pub(super) struct Editor {
    before: Text,
    after: Text,
    outcomes: Vec<Outcome>,
    alignments: Vec<Option<Alignment>>,
    lexicons: Arc<Lexicons>,
    moves: Moves,
    renumbered: Renumbered,
}

/// The manuals of the two revisions.
#[derive(Clone, Copy)]
struct Texts<'m> {
    before: &'m Manual,
    after: &'m Manual,
}

impl Text {
    pub(super) fn new(manual: Manual, sources: &Sources) -> Self {
        let sources = manual.documents.iter().map(|document| Arc::clone(&sources.get(document.source).text)).collect();
        Self { manual, sources }
    }

    /// The source of a section.
    fn source(&self, at: SectionRef) -> &str {
        let extent = self.manual.section(at).extent;
        &self.sources[at.document][extent.start..extent.end]
    }

    /// The source of a section below its heading.
    fn below(&self, at: SectionRef) -> &str {
        let Section { heading, extent, .. } = self.manual.section(at);
        &self.sources[at.document][heading.end.clamp(extent.start, extent.end)..extent.end]
    }
}

impl Editor {
    pub(super) fn new([before, after]: [Text; 2], outcomes: Vec<Outcome>, lexicons: &Arc<Lexicons>) -> Self {
        let texts = Texts { before: &before.manual, after: &after.manual };
        let renumbered = renumbered(texts, &outcomes);
        let mut alignments: Vec<Option<Alignment>> =
            outcomes.par_iter().map(|outcome| alignment(texts, outcome)).collect();
        let moves = Moves::take_out((texts.before, texts.after), &outcomes, &mut alignments);
        let lexicons = Arc::clone(lexicons);
        Self { before, after, outcomes, alignments, lexicons, moves, renumbered }
    }

    /// What one of the outcomes did to the text.
    pub(super) fn edit(&self, at: usize) -> Edit {
        let outcome = &self.outcomes[at];
        let edit = match &self.alignments[at] {
            Some(alignment) => self.judged(outcome, alignment),
            None => Edit { magnitude: self.whole(outcome), ..Edit::default() },
        };
        Edit { heading: self.heading(outcome), ..edit }
    }

    fn texts(&self) -> Texts<'_> {
        Texts { before: &self.before.manual, after: &self.after.manual }
    }
}

/// The numbers that sections had, and those that they have; so of names that are one word, as an id is.
fn renumbered(texts: Texts<'_>, outcomes: &[Outcome]) -> Renumbered {
    let pairs = outcomes.iter().flat_map(|outcome| match outcome {
        Outcome::Same { before, after, relation } if relation.renumbered || relation.renamed => {
            let (there, here) = (texts.before.section(*before), texts.after.section(*after));
            let numbers = there.number.as_deref().zip(here.number.as_deref());
            let titles = (is_id(&there.title) && is_id(&here.title)).then_some((&*there.title, &*here.title));
            [numbers, titles].into_iter().flatten().collect()
        }
        Outcome::Same { .. }
        | Outcome::Split { .. }
        | Outcome::Merged { .. }
        | Outcome::Ambiguous { .. }
        | Outcome::Removed { .. }
        | Outcome::Added { .. } => Vec::new(),
    });
    pairs.map(|(before, after)| (plain_number(before), plain_number(after))).collect()
}

/// Whether a title is one word with a digit in it: `MS.AAD.1.1v1`.
fn is_id(title: &str) -> bool {
    !title.contains(char::is_whitespace) && title.contains(|character: char| character.is_ascii_digit())
}

/// The fragments before against those after; `None` where the own bodies read the same or there is only one side.
fn alignment(texts: Texts<'_>, outcome: &Outcome) -> Option<Alignment> {
    let (befores, afters) = match outcome {
        Outcome::Same { before, after, .. } => {
            if texts.before.section(*before).own == texts.after.section(*after).own {
                return None;
            }
            (vec![*before], vec![*after])
        }
        Outcome::Split { before, into, .. } => (vec![*before], into.clone()),
        Outcome::Merged { from, after, .. } => (from.clone(), vec![*after]),
        Outcome::Ambiguous { .. } | Outcome::Removed { .. } | Outcome::Added { .. } => return None,
    };
    Some(align::align(&align::items(texts.before, &befores), &align::items(texts.after, &afters)))
}

impl Editor {
    /// The magnitude of an outcome that has no two texts to compare.
    fn whole(&self, outcome: &Outcome) -> Magnitude {
        let Outcome::Added { after } = outcome else { return self.same_text(outcome) };
        let lexicon = self.lexicons.of(self.language(after.document));
        let fragments = &self.after.manual.section(*after).fragments;
        let is_stated = || heading::is_statement(lexicon, &heading::title(&self.after.manual, *after));
        match fragments.iter().any(|fragment| states_something(lexicon, fragment)) {
            true => Magnitude::Substantive,
            false if !fragments.is_empty() => Magnitude::Minor,
            false if is_stated() => Magnitude::Substantive,
            false => Magnitude::None,
        }
    }

    /// What the title of a section says differently.
    fn heading(&self, outcome: &Outcome) -> Vec<Signal> {
        let Outcome::Same { before, after, relation } = outcome else { return Vec::new() };
        if !relation.renamed {
            return Vec::new();
        }
        let lexicon = self.lexicons.of(self.language(after.document));
        let titles = (heading::title(&self.before.manual, *before), heading::title(&self.after.manual, *after));
        heading::signals(lexicon, [&titles.0, &titles.1])
    }

    /// Judges what differs in one section and tells it by fragments.
    fn judged(&self, outcome: &Outcome, alignment: &Alignment) -> Edit {
        let texts = self.texts();
        let (befores, afters) = sides(outcome);
        let there = open(alignment.changed.iter().map(|(before, _)| *before).chain(alignment.removed.iter().copied()));
        let here = open(alignment.changed.iter().map(|(_, after)| *after).chain(alignment.added.iter().copied()));
        if is_too_long(texts, &there, &here) {
            return unread(alignment);
        }
        let language = afters.first().map_or(Language::Other, |at| self.language(at.document));
        let lexicon = self.lexicons.of(language);
        let (before, after) = (texts.before, texts.after);
        let (titles_before, titles_after) = titles(texts, outcome);
        let relabelled = self.relabelled(&befores, &afters, &there);
        let all_titled = |is: &dyn Fn(&str) -> bool| {
            befores.iter().chain(&afters).next().is_some() && afters.iter().all(|at| is_titled(after, *at, is))
        };
        let judgement = judge(
            lexicon,
            Case {
                before: all(before, &befores),
                after: all(after, &afters),
                differs_before: fragments(before, &there),
                differs_after: fragments(after, &here),
                titles_before: &titles_before,
                titles_after: &titles_after,
                editorial: all_titled(&|title| lexicon.is_editorial_title(title)),
                pending: all_titled(&|title| lexicon.is_pending_title(title)),
                enacted: afters.iter().any(|at| after.section(*at).number.as_deref().is_some_and(is_provision)),
                renumbered: &self.renumbered,
                relabelled: &relabelled,
            },
        );
        let mut told = self.told(alignment, &Places { judgement: &judgement, there: &there, here: &here });
        told.extend(self.moved(&befores, &afters, lexicon));
        told.sort_by_key(|change| place(&change.kind));
        let mut signals: BTreeSet<Signal> = told.iter().flat_map(|change| change.signals.iter().cloned()).collect();
        let mut magnitude = told.iter().map(|change| change.magnitude).max().unwrap_or_default();
        if let Some(extent) = judgement.extent.filter(|_| !told.is_empty()) {
            magnitude = Magnitude::Substantive;
            if !signals.iter().any(|signal| signal.kind.is_strong()) {
                signals.insert(extent);
            }
        }
        Edit { magnitude, signals: signals.into_iter().collect(), fragments: told, ..Edit::default() }
    }

    /// Footnotes with another label, where the text refers to any.
    fn relabelled(&self, befores: &[SectionRef], afters: &[SectionRef], there: &[FragmentRef]) -> Relabelled {
        let texts = self.texts();
        let refers = |at: &FragmentRef| at.of(texts.before).text.contains("[^");
        match (befores.first(), afters.first()) {
            (Some(before), Some(after)) if there.iter().any(refers) => {
                footnotes::relabelled(texts.before.document(*before), texts.after.document(*after))
            }
            (_, _) => Relabelled::new(),
        }
    }

    fn told(&self, alignment: &Alignment, places: &Places<'_, '_>) -> Vec<FragmentChange> {
        let texts = self.texts();
        let mut told = Vec::new();
        for (before, after) in &alignment.changed {
            let (there, here) = (before.of(texts.before), after.of(texts.after));
            let kind = FragmentChangeKind::Changed { before: *before, after: *after, words: word_changes(there, here) };
            told.push(places.change(kind, Some(*before), Some(*after)));
        }
        for before in &alignment.removed {
            told.push(places.change(FragmentChangeKind::Removed { before: *before }, Some(*before), None));
        }
        for after in &alignment.added {
            told.push(places.change(FragmentChangeKind::Added { after: *after }, None, Some(*after)));
        }
        for (before, after) in &alignment.moved {
            let (there, here) = (before.of(texts.before), after.of(texts.after));
            let kind = FragmentChangeKind::Moved { before: *before, after: *after };
            told.push(if there.is_step() && here.is_step() {
                reordered(kind, here)
            } else {
                plain(kind, Magnitude::Minor)
            });
        }
        told
    }

    /// Fragments that left for another section, and those that came from one.
    fn moved(&self, befores: &[SectionRef], afters: &[SectionRef], lexicon: &Lexicon) -> Vec<FragmentChange> {
        let texts = self.texts();
        let left = befores.iter().flat_map(|at| self.moves.left(*at));
        let came = afters.iter().flat_map(|at| self.moves.came(*at));
        let left = left.map(|(before, after)| {
            // What went down into a subsection is still a part of the section.
            let below = afters.iter().any(|home| is_below(texts.after, *home, after.section));
            let magnitude = if below { Magnitude::Minor } else { Magnitude::Substantive };
            plain(FragmentChangeKind::Moved { before, after }, magnitude)
        });
        let came = came.map(|(before, after)| {
            let obliges = states_something(lexicon, after.of(texts.after));
            let magnitude = if obliges { Magnitude::Substantive } else { Magnitude::Minor };
            plain(FragmentChangeKind::Moved { before, after }, magnitude)
        });
        left.chain(came).collect()
    }

    /// The language of a document after.
    fn language(&self, document: usize) -> Language {
        self.lexicons.language(&self.after.manual.documents[document])
    }

    /// The canonical forms are equal: whether the source is.
    fn same_text(&self, outcome: &Outcome) -> Magnitude {
        let Outcome::Same { before, after, relation } = outcome else { return Magnitude::None };
        let named_alike = !relation.renamed && !relation.renumbered;
        let (there, here) = (&self.before, &self.after);
        let same = match named_alike {
            true => there.source(*before).trim_end() == here.source(*after).trim_end(),
            false => there.below(*before).trim() == here.below(*after).trim(),
        };
        if same { Magnitude::None } else { Magnitude::Trivial }
    }
}

/// The judged differences, and which fragments the streams are made of.
struct Places<'j, 'm> {
    judgement: &'j Judgement<'m>,
    there: &'j [FragmentRef],
    here: &'j [FragmentRef],
}

impl Places<'_, '_> {
    /// A fragment's change with what the judgement says of its text; a difference that reaches over several fragments
    /// counts for each, its signals are told with the first.
    fn change(
        &self,
        kind: FragmentChangeKind,
        before: Option<FragmentRef>,
        after: Option<FragmentRef>,
    ) -> FragmentChange {
        let (streams, findings) = ((&self.judgement.before, &self.judgement.after), &self.judgement.findings);
        let place = |at: Option<FragmentRef>, places: &[FragmentRef]| at.and_then(|at| places.binary_search(&at).ok());
        let there = place(before, self.there).map_or(0..0, |part| streams.0.tokens_of(part));
        let here = place(after, self.here).map_or(0..0, |part| streams.1.tokens_of(part));
        // Findings are in order on both sides.
        let by_before = touching(findings, &there, |finding| &finding.hunk.before);
        let by_after = touching(findings, &here, |finding| &finding.hunk.after);
        let (mut magnitude, mut signals) = (Magnitude::Minor, BTreeSet::new());
        for at in by_before.clone().chain(by_after.clone().filter(|at| !by_before.contains(at))) {
            let Finding { hunk, magnitude: found, signals: told } = &findings[at];
            if (hunk.before.is_empty() || !by_before.contains(&at))
                && (hunk.after.is_empty() || !by_after.contains(&at))
            {
                continue;
            }
            magnitude = magnitude.max(*found);
            let starts = |run: &Range<usize>, part: &Range<usize>| !run.is_empty() && part.contains(&run.start);
            if starts(&hunk.before, &there) || (starts(&hunk.after, &here) && hunk.before.is_empty()) {
                signals.extend(told.iter().cloned());
            }
        }
        FragmentChange { kind, magnitude, signals: signals.into_iter().collect() }
    }
}

/// The findings whose runs share tokens with a part of a text.
fn touching(findings: &[Finding], part: &Range<usize>, run: fn(&Finding) -> &Range<usize>) -> Range<usize> {
    let from = findings.partition_point(|finding| run(finding).end <= part.start);
    let to = findings.partition_point(|finding| run(finding).start < part.end);
    from..to.max(from)
}

fn plain(kind: FragmentChangeKind, magnitude: Magnitude) -> FragmentChange {
    FragmentChange { kind, magnitude, signals: Vec::new() }
}

/// Whether the differing text is longer than anybody writes: comparing its words would take memory without bound.
fn is_too_long(texts: Texts<'_>, there: &[FragmentRef], here: &[FragmentRef]) -> bool {
    let length =
        |manual: &Manual, places: &[FragmentRef]| -> usize { places.iter().map(|at| at.of(manual).text.len()).sum() };
    length(texts.before, there) + length(texts.after, here) > LONGEST
}

/// What differs, taken for substantive without a look at its words.
fn unread(alignment: &Alignment) -> Edit {
    let changed = alignment.changed.iter().map(|(before, after)| FragmentChangeKind::Changed {
        before: *before,
        after: *after,
        words: Vec::new(),
    });
    let removed = alignment.removed.iter().map(|before| FragmentChangeKind::Removed { before: *before });
    let added = alignment.added.iter().map(|after| FragmentChangeKind::Added { after: *after });
    let told = changed.chain(removed).chain(added).map(|kind| plain(kind, Magnitude::Substantive));
    let signal = Signal {
        kind: SignalKind::Extent,
        before: String::new(),
        after: "a text too long to compare by words".to_owned(),
    };
    Edit { magnitude: Magnitude::Substantive, signals: vec![signal], fragments: told.collect(), ..Edit::default() }
}

fn reordered(kind: FragmentChangeKind, step: &Fragment) -> FragmentChange {
    let signal = Signal { kind: SignalKind::Order, before: String::new(), after: step.text.clone() };
    FragmentChange { kind, magnitude: Magnitude::Substantive, signals: vec![signal] }
}

/// The words to mark in two texts of one fragment. Where all words are the same, the texts differ in how one is written.
fn word_changes(before: &Fragment, after: &Fragment) -> Vec<WordChange> {
    let (there, here) = (Stream::of(vec![before]), Stream::of(vec![after]));
    let mark = |hunk: &Hunk| WordChange { before: there.marked(&hunk.before), after: here.marked(&hunk.after) };
    let marked: Vec<WordChange> = hunks(&there, &here).iter().map(mark).collect();
    match marked.is_empty() && before.text != after.text {
        true => vec![spelled_otherwise(&before.text, &after.text)],
        false => marked,
    }
}

/// The words between what two texts have in common at their starts and at their ends.
fn spelled_otherwise(before: &str, after: &str) -> WordChange {
    let same = |(one, other): &(char, char)| one == other;
    let start: usize = before.chars().zip(after.chars()).take_while(same).map(|(it, _)| it.len_utf8()).sum();
    let ends = before[start..].chars().rev().zip(after[start..].chars().rev());
    let end: usize = ends.take_while(same).map(|(it, _)| it.len_utf8()).sum();
    let whole = |text: &str| {
        let (head, tail) = (&text[..start], &text[text.len() - end..]);
        let word = |part: Option<&str>| part.map_or(0, str::len);
        let (before, behind) = (head.rsplit(char::is_whitespace).next(), tail.split(char::is_whitespace).next());
        (start - word(before), text.len() - end + word(behind))
    };
    WordChange { before: whole(before), after: whole(after) }
}

fn open(fragments: impl Iterator<Item = FragmentRef>) -> Vec<FragmentRef> {
    let mut fragments: Vec<FragmentRef> = fragments.collect();
    fragments.sort_unstable();
    fragments
}

fn fragments<'m>(manual: &'m Manual, places: &[FragmentRef]) -> Vec<&'m Fragment> {
    places.iter().map(|at| at.of(manual)).collect()
}

fn all<'m>(manual: &'m Manual, sections: &[SectionRef]) -> Vec<&'m Fragment> {
    sections.iter().flat_map(|at| &manual.section(*at).fragments).collect()
}

/// Titles that text became, or that became text, where sections were split or merged: a heading put over a paragraph that
/// was introduced by its words takes nothing away.
fn titles(texts: Texts<'_>, outcome: &Outcome) -> (Vec<Fragment>, Vec<Fragment>) {
    let title = |manual: &Manual, at: &SectionRef| heading::title(manual, *at);
    match outcome {
        Outcome::Split { before, into, .. } => {
            let kept = &texts.before.section(*before).title;
            let put_in = into.iter().filter(|at| texts.after.section(**at).title != *kept);
            (Vec::new(), put_in.map(|at| title(texts.after, at)).collect())
        }
        Outcome::Merged { from, after, .. } => {
            let kept = &texts.after.section(*after).title;
            let taken_out = from.iter().filter(|at| texts.before.section(**at).title != *kept);
            (taken_out.map(|at| title(texts.before, at)).collect(), Vec::new())
        }
        Outcome::Same { .. } | Outcome::Ambiguous { .. } | Outcome::Removed { .. } | Outcome::Added { .. } => {
            (Vec::new(), Vec::new())
        }
    }
}

/// Whether the title of a section, of one it stands in, or the name of its file is one of a kind.
fn is_titled(manual: &Manual, at: SectionRef, is: &dyn Fn(&str) -> bool) -> bool {
    let path = manual.document(at).path.to_string();
    let name = path.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or("");
    let mut next = Some(at);
    while let Some(section) = next {
        if is(&manual.section(section).title) {
            return true;
        }
        next = manual.parent(section);
    }
    is(name)
}

/// Whether the number of a heading is that of a provision of a law: `§ 5`, `Article R214-5`.
fn is_provision(number: &str) -> bool {
    let name = number.split(' ').next().unwrap_or_default().to_lowercase();
    name.starts_with('§') || ["art.", "article", "artikel", "artículo"].contains(&&*name)
}

fn is_below(manual: &Manual, root: SectionRef, mut at: SectionRef) -> bool {
    while let Some(parent) = manual.parent(at) {
        if parent == root {
            return true;
        }
        at = parent;
    }
    false
}

fn sides(outcome: &Outcome) -> (Vec<SectionRef>, Vec<SectionRef>) {
    match outcome {
        Outcome::Same { before, after, .. } => (vec![*before], vec![*after]),
        Outcome::Split { before, into, .. } => (vec![*before], into.clone()),
        Outcome::Merged { from, after, .. } => (from.clone(), vec![*after]),
        Outcome::Ambiguous { before, .. } | Outcome::Removed { before } => (vec![*before], Vec::new()),
        Outcome::Added { after } => (Vec::new(), vec![*after]),
    }
}

/// The order in which fragments are told: as they stand after, what is gone where it stood.
fn place(kind: &FragmentChangeKind) -> (usize, bool, FragmentRef) {
    match kind {
        FragmentChangeKind::Changed { after, .. }
        | FragmentChangeKind::Moved { after, .. }
        | FragmentChangeKind::Added { after } => (after.fragment, true, *after),
        FragmentChangeKind::Removed { before } => (before.fragment, false, *before),
    }
}
