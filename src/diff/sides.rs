//! Both sides of a section's differing text and what is asked of them: words, events, sentences. Decides nothing.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::SignalKind;
use super::event::{Event, events};
use super::hunks::Hunk;
use super::passage::obliges;
use super::phrases::Phrases;
use super::stream::Stream;
use super::thresholds::SENTENCE;
use super::token::TokenKind;
use super::words::{self, Lexicon};
use crate::manual::Fragment;

/// Numbers and ids of sections before, and what they are after, where they differ.
pub(super) type Renumbered = BTreeMap<String, String>;

/// A number as references and headings have it in common: `§ 5.2`, `5.2.` and `5.2` are one.
pub(super) fn plain_number(number: &str) -> String {
    number
        .chars()
        .filter(|character| character.is_alphanumeric() || *character == '.')
        .collect::<String>()
        .trim_matches('.')
        .to_owned()
}

/// The whole text of a section, for what the differing parts don't show.
pub(super) struct Whole<'m> {
    pub(super) before: Phrases<'m>,
    pub(super) after: Phrases<'m>,
    pub(super) editorial: bool,
    pub(super) enacted: bool,
    pub(super) renumbered: &'m Renumbered,
}

/// The tokens of a hunk that a strong sign speaks of.
#[derive(Default)]
pub(super) struct Told {
    pub(super) before: BTreeSet<usize>,
    pub(super) after: BTreeSet<usize>,
}

/// What is known while the differences of one section are judged.
pub(super) struct Sides<'a, 'm> {
    pub(super) lexicon: &'a Lexicon,
    pub(super) before: &'a Stream<'m>,
    pub(super) after: &'a Stream<'m>,
    pub(super) before_events: Vec<Event>,
    pub(super) after_events: Vec<Event>,
    /// For tokens that stayed, their counterpart.
    to_after: Vec<Option<usize>>,
    to_before: Vec<Option<usize>>,
    pub(super) whole: &'a Whole<'m>,
}

impl<'a, 'm> Sides<'a, 'm> {
    pub(super) fn new(
        lexicon: &'a Lexicon,
        (before, after): (&'a Stream<'m>, &'a Stream<'m>),
        hunks: &[Hunk],
        whole: &'a Whole<'m>,
    ) -> Self {
        let (to_after, to_before) = counterparts(before, after, hunks);
        let (before_events, after_events) = (events(before, lexicon), events(after, lexicon));
        Self { lexicon, before, after, before_events, after_events, to_after, to_before, whole }
    }

    /// The keys of the words and values of a run, without punctuation.
    pub(super) fn words(&self, stream: &'a Stream<'m>, run: &Range<usize>) -> Vec<Cow<'a, str>> {
        run.clone().filter(|at| !stream.is_mark(*at)).map(|at| Cow::Borrowed(stream.key(at))).collect()
    }

    /// The words that differ once spelling, inflection and fillers are set aside.
    pub(super) fn content(&self, hunk: &Hunk) -> (Vec<usize>, Vec<usize>) {
        let says = |word: &str| !self.lexicon.is_filler(word) && !self.lexicon.is_stop(word);
        let words = |stream: &Stream<'m>, events: &[Event], run: &Range<usize>| -> Vec<usize> {
            // Words of duty and condition are judged by what they mean, not as words.
            let meant = touching(events, run).into_iter().filter(|at| events[*at].is_phrase());
            let meant: BTreeSet<usize> = meant.flat_map(|at| events[at].tokens.clone()).collect();
            let told = run.clone().filter(|at| !stream.is_mark(*at) && stream.kind(*at) != TokenKind::LinkTarget);
            let told = told.filter(|at| !meant.contains(at));
            told.filter(|at| says(stream.key(*at))).collect()
        };
        let mut come = words(self.after, &self.after_events, &hunk.after);
        let mut left = Vec::new();
        for at in words(self.before, &self.before_events, &hunk.before) {
            let word = reading(self.before, &self.before_events, at);
            let same = |other: &usize| {
                let is_read = !self.before.is_literal(at) && !self.after.is_literal(*other);
                let other = reading(self.after, &self.after_events, *other);
                other == word || (is_read && (self.lexicon.inflection(word, other) || self.lexicon.typo(word, other)))
            };
            match come.iter().position(same) {
                Some(at) => _ = come.remove(at),
                None => left.push(at),
            }
        }
        (left, come)
    }

    /// The same without what is told already.
    pub(super) fn untold(&self, hunk: &Hunk, told: &Told) -> (Vec<usize>, Vec<usize>) {
        let (mut gone, mut come) = self.content(hunk);
        gone.retain(|at| !told.before.contains(at));
        come.retain(|at| !told.after.contains(at));
        (gone, come)
    }

    /// The events that a hunk touches, and those that stand in their place on the other side: `not` put in behind
    /// `must` makes another duty of it although `must` stayed.
    pub(super) fn involved(&self, hunk: &Hunk) -> (BTreeSet<usize>, BTreeSet<usize>) {
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

    /// The obligation that the list of an item is what it is about: "The following MUST be dropped:".
    pub(super) fn duty_before<'t>(&self, text: &Phrases<'t>, item: &Fragment) -> Option<&'t str> {
        let lead = text.before_list(item).filter(|lead| obliges(self.lexicon, lead))?;
        Some(lead.text.trim_end())
    }

    /// Whether the sentence around a hunk obliges to something.
    pub(super) fn is_normative(&self, hunk: &Hunk) -> bool {
        let obliges = |stream: &Stream<'_>, events: &[Event], run: &Range<usize>| {
            stream.sentences(run).iter().any(|sentence| {
                touching(events, sentence).into_iter().any(|at| events[at].kind == SignalKind::Modality)
            })
        };
        self.whole.enacted
            || obliges(self.before, &self.before_events, &hunk.before)
            || obliges(self.after, &self.after_events, &hunk.after)
    }

    /// The sentences around a hunk, where it is one on each side.
    pub(super) fn sentence(&self, hunk: &Hunk) -> Option<Hunk> {
        let one = |stream: &Stream<'_>, run: &Range<usize>| match stream.sentences(run) {
            [sentence] => Some(sentence.clone()),
            _ => None,
        };
        Some(Hunk { before: one(self.before, &hunk.before)?, after: one(self.after, &hunk.after)? })
    }

    /// Whether the sentence around a hunk has one event of a kind before and after, with the same value: it only moved.
    pub(super) fn keeps_its_only(&self, kind: SignalKind, hunk: &Hunk) -> bool {
        let values = |events: &[Event], sentence: &Range<usize>| -> Vec<String> {
            let found = touching(events, sentence).into_iter().map(|at| &events[at]).filter(|event| event.kind == kind);
            found.map(|event| event.value.clone()).collect()
        };
        self.sentence(hunk).is_some_and(|sentence| {
            let before = values(&self.before_events, &sentence.before);
            before.len() == 1 && before == values(&self.after_events, &sentence.after)
        })
    }

    /// Whether the sentence around a hunk has the same words that carry content before and after.
    pub(super) fn is_reordered(&self, hunk: &Hunk) -> bool {
        let differing = self.sentence(hunk).map(|sentences| self.content(&sentences));
        differing.is_some_and(|(gone, come)| gone.is_empty() && come.is_empty())
    }

    /// Whether a run holds most of a sentence.
    pub(super) fn covers(&self, stream: &Stream<'_>, run: &Range<usize>, sentence: &Range<usize>) -> bool {
        let words = |range: Range<usize>| range.filter(|at| !stream.is_mark(*at)).count();
        let inside = sentence.start.max(run.start)..sentence.end.min(run.end).max(sentence.start.max(run.start));
        words(inside) as f64 >= SENTENCE * words(sentence.clone()) as f64
    }

    /// Words of a sentence that carry content.
    pub(super) fn content_words(&self, stream: &Stream<'_>, sentence: &Range<usize>) -> usize {
        let says = |at: &usize| {
            let target = stream.kind(*at) == TokenKind::LinkTarget;
            let key = stream.key(*at);
            !target && !stream.is_mark(*at) && !self.lexicon.is_stop(key) && !self.lexicon.is_filler(key)
        };
        sentence.clone().filter(says).count()
    }
}

/// What a token reads as: `four` as `4`, `weeks` as `week`, whether or not it stands behind a figure.
fn reading<'s>(stream: &'s Stream<'_>, events: &'s [Event], at: usize) -> &'s str {
    let number = touching(events, &(at..at + 1)).into_iter().find(|event| events[*event].kind == SignalKind::Number);
    let value = number.map(|event| events[event].value.as_str());
    value.or_else(|| words::unit(stream.spelling(at))).unwrap_or_else(|| stream.key(at))
}

/// The indices of events that share a token with a run.
fn touching(events: &[Event], run: &Range<usize>) -> BTreeSet<usize> {
    // Events are in order and share no tokens.
    let from = events.partition_point(|event| event.tokens.end <= run.start);
    let to = events.partition_point(|event| event.tokens.start < run.end);
    (from..to).collect()
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
