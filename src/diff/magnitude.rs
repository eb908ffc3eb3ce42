//! How much a change of text matters, and by what signs (design §6.3).
//!
//! Judges the differing text of one section as a whole: what was replaced, put in or taken out, wherever the borders of
//! its paragraphs are. What the words of a language mean is data, in `words`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::event::{Event, Lexicons, events};
use super::hunks::{Hunk, hunks};
use super::stream::Stream;
use super::thresholds::{EXTENT, SENTENCE, STATEMENT_WORDS};
use super::token::TokenKind;
use super::words::{Language, Lexicon};
use super::{Magnitude, Signal, SignalKind};
use crate::manual::Fragment;

/// One difference and what it comes to.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) hunk: Hunk,
    pub(super) magnitude: Magnitude,
    pub(super) signals: Vec<Signal>,
}

/// The judged differences of one section's text.
pub(super) struct Judgement<'m> {
    pub(super) before: Stream<'m>,
    pub(super) after: Stream<'m>,
    pub(super) findings: Vec<Finding>,
    /// Set where it is the amount of change that matters, not a single sign.
    pub(super) extent: Option<Signal>,
}

/// The words of the whole section, unchanged ones too: what the amount of change is a share of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) before: usize,
    pub(super) after: usize,
}

/// Compares the fragments of a section that differ.
pub(super) fn judge<'m>(
    lexicons: &Lexicons,
    language: Language,
    before: Vec<&'m Fragment>,
    after: Vec<&'m Fragment>,
    size: Size,
) -> Judgement<'m> {
    let (before, after) = (Stream::of(before), Stream::of(after));
    let hunks = hunks(&before, &after);
    let court = Court::new(lexicons.of(language), &before, &after, &hunks);
    let mut changed = 0;
    let mut findings = Vec::new();
    for hunk in hunks {
        let (finding, weight) = court.judge(hunk);
        changed += weight;
        findings.push(finding);
    }
    let total = size.before.max(size.after).max(1);
    let share = changed as f64 / total as f64;
    let extent = (share > EXTENT).then(|| {
        let percent = (share * 100.0).round().min(100.0);
        Signal { kind: SignalKind::Extent, before: String::new(), after: format!("{percent} % of the words") }
    });
    Judgement { before, after, findings, extent }
}

/// What is known while the differences of one section are judged.
struct Court<'a, 'm> {
    lexicon: &'a Lexicon,
    before: &'a Stream<'m>,
    after: &'a Stream<'m>,
    before_events: Vec<Event>,
    after_events: Vec<Event>,
    /// For tokens that stayed, their counterpart.
    to_after: Vec<Option<usize>>,
    to_before: Vec<Option<usize>>,
}

impl<'a, 'm> Court<'a, 'm> {
    fn new(lexicon: &'a Lexicon, before: &'a Stream<'m>, after: &'a Stream<'m>, hunks: &[Hunk]) -> Self {
        let (to_after, to_before) = counterparts(before, after, hunks);
        let (before_events, after_events) = (events(before, lexicon), events(after, lexicon));
        Self { lexicon, before, after, before_events, after_events, to_after, to_before }
    }

    /// A finding, and how many words changed in it.
    fn judge(&self, hunk: Hunk) -> (Finding, usize) {
        let (gone, come) = (self.words(self.before, &hunk.before), self.words(self.after, &hunk.after));
        if self.lexicon.same(&gone, &come) {
            return (Finding { hunk, magnitude: Magnitude::Minor, signals: Vec::new() }, 0);
        }
        let mut signals = self.event_signals(&hunk);
        signals.extend(self.opposites(&gone, &come));
        signals.extend(self.statements(&hunk));
        signals.sort();
        signals.dedup();
        let (gone, come) = self.content(gone, come);
        let weight = gone.len().max(come.len());
        let strong = signals.iter().any(|signal| signal.kind.is_strong());
        let magnitude = if strong { Magnitude::Substantive } else { Magnitude::Minor };
        (Finding { hunk, magnitude, signals }, weight)
    }

    /// The keys of the words and values of a run, without punctuation.
    fn words(&self, stream: &'a Stream<'m>, run: &Range<usize>) -> Vec<Cow<'a, str>> {
        run.clone().filter(|at| !stream.is_mark(*at)).map(|at| Cow::Borrowed(stream.key(at))).collect()
    }

    /// The words that differ once spelling, inflection, fillers and joined words are set aside.
    fn content(&self, gone: Vec<Cow<'a, str>>, come: Vec<Cow<'a, str>>) -> (Vec<Cow<'a, str>>, Vec<Cow<'a, str>>) {
        let says = |word: &Cow<'_, str>| !self.lexicon.is_filler(word) && !self.lexicon.is_stop(word);
        let mut come: Vec<Cow<'a, str>> = come.into_iter().filter(says).collect();
        let mut left = Vec::new();
        for word in gone.into_iter().filter(says) {
            let same = |other: &Cow<'_, str>| {
                *other == word || self.lexicon.inflection(&word, other) || self.lexicon.typo(&word, other)
            };
            match come.iter().position(same) {
                Some(at) => _ = come.remove(at),
                None => left.push(word),
            }
        }
        (left, come)
    }

    /// What an obligation depends on and is another one now.
    fn event_signals(&self, hunk: &Hunk) -> Vec<Signal> {
        let (befores, afters) = self.involved(hunk);
        let mut kinds: BTreeMap<SignalKind, (Vec<&Event>, Vec<&Event>)> = BTreeMap::new();
        for at in befores {
            let event = &self.before_events[at];
            kinds.entry(event.kind).or_default().0.push(event);
        }
        for at in afters {
            let event = &self.after_events[at];
            kinds.entry(event.kind).or_default().1.push(event);
        }
        let mut signals = Vec::new();
        for (kind, (mut gone, mut come)) in kinds {
            gone.retain(|event| match come.iter().position(|other| other.value == event.value) {
                Some(at) => {
                    come.remove(at);
                    false
                }
                None => true,
            });
            for at in 0..gone.len().max(come.len()) {
                let before = gone.get(at).map_or("", |event| self.before.text(&event.tokens));
                let after = come.get(at).map_or("", |event| self.after.text(&event.tokens));
                signals.push(Signal { kind, before: before.to_owned(), after: after.to_owned() });
            }
        }
        signals
    }

    /// The events that a hunk touches, and those that stand in their place on the other side: `not` put in behind
    /// `must` makes another duty of it although `must` stayed.
    fn involved(&self, hunk: &Hunk) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let mut befores = touching(&self.before_events, &hunk.before);
        let mut afters = touching(&self.after_events, &hunk.after);
        for at in befores.clone() {
            let tokens = self.before_events[at].tokens.clone();
            for token in tokens.filter_map(|token| self.to_after[token]) {
                afters.extend(touching(&self.after_events, &(token..token + 1)));
            }
        }
        for at in afters.clone() {
            let tokens = self.after_events[at].tokens.clone();
            for token in tokens.filter_map(|token| self.to_before[token]) {
                befores.extend(touching(&self.before_events, &(token..token + 1)));
            }
        }
        (befores, afters)
    }

    /// Words replaced by their opposites.
    fn opposites(&self, gone: &[Cow<'_, str>], come: &[Cow<'_, str>]) -> Vec<Signal> {
        /// In longer replacements any word finds an opposite somewhere.
        const MOST: usize = 12;
        let mut signals = Vec::new();
        if gone.len() > MOST || come.len() > MOST {
            return signals;
        }
        for before in gone.iter().filter(|word| !come.contains(word)) {
            for after in come.iter().filter(|word| !gone.contains(word)) {
                if self.lexicon.antonyms(before, after) {
                    signals.push(Signal {
                        kind: SignalKind::Opposite,
                        before: before.to_string(),
                        after: after.to_string(),
                    });
                }
            }
        }
        signals
    }

    /// Whole sentences that were taken out, and those that were put in and oblige to something.
    fn statements(&self, hunk: &Hunk) -> Vec<Signal> {
        let mut signals = Vec::new();
        for sentence in self.before.sentences(&hunk.before) {
            if self.covers(self.before, &hunk.before, sentence) && self.says_something(self.before, sentence) {
                let text = self.before.text(sentence).to_owned();
                signals.push(Signal { kind: SignalKind::Statement, before: text, after: String::new() });
            }
        }
        signals
    }

    /// Whether a run holds most of a sentence.
    fn covers(&self, stream: &Stream<'_>, run: &Range<usize>, sentence: &Range<usize>) -> bool {
        let words = |range: Range<usize>| range.filter(|at| !stream.is_mark(*at)).count();
        let inside = sentence.start.max(run.start)..sentence.end.min(run.end).max(sentence.start.max(run.start));
        words(inside) as f64 >= SENTENCE * words(sentence.clone()) as f64
    }

    /// Whether a sentence has words enough to state something.
    fn says_something(&self, stream: &Stream<'_>, sentence: &Range<usize>) -> bool {
        let says = |at: &usize| {
            stream.kind(*at) != TokenKind::LinkTarget && !stream.is_mark(*at) && !self.lexicon.is_stop(stream.key(*at))
        };
        sentence.clone().filter(says).count() >= STATEMENT_WORDS
    }
}

/// The indices of events that share a token with a run.
fn touching(events: &[Event], run: &Range<usize>) -> BTreeSet<usize> {
    let overlaps = |event: &Event| event.tokens.start < run.end && run.start < event.tokens.end;
    (0..events.len()).filter(|at| overlaps(&events[*at])).collect()
}

/// For each token that stayed in order, its counterpart on the other side.
fn counterparts(before: &Stream<'_>, after: &Stream<'_>, hunks: &[Hunk]) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
    let (mut to_after, mut to_before) = (vec![None; before.len()], vec![None; after.len()]);
    let end = Hunk { before: before.len()..before.len(), after: after.len()..after.len() };
    let (mut there, mut here) = (0, 0);
    for hunk in hunks.iter().chain([&end]) {
        while there < hunk.before.start && here < hunk.after.start && before.key(there) == after.key(here) {
            to_after[there] = Some(here);
            to_before[here] = Some(there);
            there += 1;
            here += 1;
        }
        (there, here) = (hunk.before.end.max(there), hunk.after.end.max(here));
    }
    (to_after, to_before)
}
