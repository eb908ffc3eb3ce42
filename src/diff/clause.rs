//! What explains a text and obliges to nothing: examples and the reason at the end of a sentence, sentences that say where
//! to read on. Finds it where it came or went; how much that matters is said in `magnitude`.

use std::borrow::Cow;
use std::ops::Range;
use std::slice;

use super::SignalKind;
use super::event::Event;
use super::hunks::Hunk;
use super::passage::is_entry;
use super::sides::{Sides, touching};
use super::stream::Stream;
use super::token::{Place, fold};
use super::words::{Quantifier, Strength};

/// One side of a difference, where the other one has nothing.
struct Put<'s, 'm> {
    stream: &'s Stream<'m>,
    events: &'s [Event],
    run: &'s Range<usize>,
    sentence: &'s Range<usize>,
}

impl<'m> Sides<'_, 'm> {
    /// Whether a hunk puts in, or takes out, an explanation: `It must be shut, such as by a lid`, `It must be shut, because it
    /// leaks`; or puts in `See [Lids](lids.md)`. One that counts, limits or obliges says more.
    pub(super) fn is_explanation(&self, hunk: &Hunk) -> bool {
        /// Longer sentences are lists.
        const LONGEST: usize = 400;
        let put = match (hunk.before.is_empty(), hunk.after.is_empty()) {
            (true, false) => (self.after, &*self.after_events, &hunk.after),
            (false, true) => (self.before, &*self.before_events, &hunk.before),
            (true, true) | (false, false) => return false,
        };
        let (stream, events, run) = put;
        // A pointer that is gone may have led to the rules.
        if hunk.before.is_empty() && self.only_points(stream, events, run) {
            return true;
        }
        let [sentence] = stream.sentences(run) else { return false };
        let put = Put { stream, events, run, sentence };
        sentence.len() <= LONGEST
            && !put.decides()
            && !put.has_full_stop()
            && (self.is_in_examples(&put) || self.is_because(&put))
    }

    /// Whether a run is whole sentences, each of which only says where to read on: `For more on it, see [Lids](lids.md).`
    fn only_points(&self, stream: &Stream<'m>, events: &[Event], run: &Range<usize>) -> bool {
        let points = |sentence: &Range<usize>| {
            // As an entry of a list or a table, `See [the keeper](keeper.md)` may be what the list is about.
            let opens_entry = is_entry(stream.fragment(sentence.start))
                && sentence.start == stream.tokens_of(stream.part(sentence.start)).start;
            let is_whole = sentence.start >= run.start && sentence.end <= run.end;
            let inside = sentence.start + 1..sentence.end;
            let put = Put { stream, events, run: &inside, sentence };
            !opens_entry && is_whole && self.is_pointer_sentence(&put) && !put.decides() && !put.has_full_stop()
        };
        let sentences = stream.sentences(run);
        !sentences.is_empty() && sentences.iter().all(points)
    }

    /// Whether a sentence opens like one that says where to read on, and says so right before its link. `The pump heats the
    /// oil, see [Oil](oil.md)` says more.
    fn is_pointer_sentence(&self, put: &Put<'_, 'm>) -> bool {
        let Some(label) = put.sentence.clone().find(|at| put.stream.place(*at) == Place::Label) else { return false };
        let words = put.words(put.sentence.start..label).filter(|word| !self.lexicon.is_article(word));
        // `See [Oil](oil.md) and drain the tank` says more, `See [Oil](oil.md) and [Lids](lids.md)` does not.
        let is_label = |at: usize| put.stream.place(at) == Place::Label;
        let goes_on = |at: usize| {
            let joins = self.lexicon.joins(&[fold(put.stream.key(at))]);
            joins && !is_label(at) && put.said(at + 1..put.sentence.end).next().is_some_and(|next| !is_label(next))
        };
        self.lexicon.points(&words.collect::<Vec<_>>()) && !(label..put.sentence.end).any(goes_on)
    }

    /// Whether what came or went are the examples that end the sentence, or one more of them. What follows them is none:
    /// `lids, such as tubs, in the hall`.
    fn is_in_examples(&self, put: &Put<'_, 'm>) -> bool {
        if !put.is_at_end() && !put.is_set_off() {
            return false;
        }
        let said: Vec<usize> = put.said(put.sentence.clone()).collect();
        let words: Vec<_> = put.words(put.sentence.clone()).collect();
        let opens = |at: &usize| self.lexicon.opens_examples(&words[*at..]);
        // A sentence that opens so is an example as a whole, and says what it says.
        let Some(open) = (1..words.len()).filter(opens).map(|at| said[at]).take_while(|at| *at < put.run.end).last()
        else {
            return false;
        };
        let before: Vec<_> = put.words(open..put.run.start).collect();
        let first = put.words(put.run.clone()).find(|word| !self.lexicon.joins(slice::from_ref(word)));
        let is_one_more = || {
            let joint = put.stream.key(put.run.start);
            let is_joined = joint == "," || self.lexicon.joins(&[Cow::Borrowed(joint)]);
            is_joined && first.is_some_and(|word| self.names(&word)) && !self.lexicon.joins(&before)
        };
        let opens_run = put.said(put.run.clone()).next() == Some(open);
        let is_all = opens_run && (put.is_at_end() || put.is_set_off());
        (is_all || (open < put.run.start && put.is_at_end() && is_one_more()))
            && !put.touched(&(open..put.run.start.max(open))).iter().any(Event::is_phrase)
            && !self.breaks_off(put, open)
    }

    /// Whether a word may be the first one of a name of something: no preposition.
    fn names(&self, word: &str) -> bool {
        !self.lexicon.is_stop(word) || self.lexicon.is_article(word)
    }

    /// Whether the examples from a place on end before the run does, and the sentence goes on with something else.
    fn breaks_off(&self, put: &Put<'_, 'm>, open: usize) -> bool {
        let examples = open..put.run.end;
        let next = |at: usize| put.words(at + 1..examples.end).next();
        let mut commas = 0;
        examples.clone().any(|at| match put.stream.key(at) {
            ";" | ":" | "—" => true,
            ")" => at < put.run.start || next(at).is_some(),
            "," => {
                commas += 1;
                // `tubs, pots, and pans`, but `tubs, and grease the hinges`.
                next(at).is_some_and(|word| match self.lexicon.joins(slice::from_ref(&word)) {
                    true => commas == 1,
                    false => !self.names(&word),
                })
            }
            _ => false,
        })
    }

    /// Whether what came or went is the reason for what the sentence demands. The reason for which something may be done is
    /// a condition.
    fn is_because(&self, put: &Put<'_, 'm>) -> bool {
        let words: Vec<_> = put.words(put.run.clone()).take(2).collect();
        let demands = [Strength::Required, Strength::Prohibited, Strength::Recommended, Strength::Discouraged]
            .map(|strength| format!("{strength:?}"));
        let before = put.sentence.start..put.run.start;
        let mut duties = put.touched(&before).iter().filter(|event| event.kind == SignalKind::Modality).peekable();
        let is_demanded = duties.peek().is_some() && duties.all(|event| demands.contains(&event.value));
        is_demanded && self.lexicon.opens_reason(&words) && (put.is_at_end() || put.is_set_off())
    }
}

impl<'s> Put<'s, '_> {
    fn said(&self, run: Range<usize>) -> impl Iterator<Item = usize> {
        run.filter(|at| !self.stream.is_mark(*at))
    }

    fn words(&self, run: Range<usize>) -> impl Iterator<Item = Cow<'s, str>> {
        let stream = self.stream;
        run.filter(move |at| !stream.is_mark(*at)).map(move |at| fold(stream.key(at)))
    }

    /// The sentence ends behind it, or the brackets that it stands in.
    fn is_at_end(&self) -> bool {
        let rest = self.run.end..self.sentence.end;
        self.said(rest.clone()).next().is_none() || rest.clone().next().is_some_and(|at| self.stream.key(at) == ")")
    }

    /// Whether it stands between commas that came or went with it.
    fn is_set_off(&self) -> bool {
        let is_comma = |at: usize| self.stream.key(at) == ",";
        let next = (self.run.end..self.sentence.end).next();
        is_comma(self.run.start) && (is_comma(self.run.end - 1) || next.is_some_and(is_comma))
    }

    /// Whether a full stop stands before it, or in it: before code, as in `Stop. `x` is red`, it ends no sentence.
    fn has_full_stop(&self) -> bool {
        // `e.g.` is no end.
        let is_letter = |at: usize| !self.stream.is_mark(at) && self.stream.spelling(at).chars().nth(1).is_none();
        let ends = |at: usize| self.stream.key(at) == "." && at.checked_sub(1).is_some_and(|before| !is_letter(before));
        let goes_on = |at: usize| self.said(at + 1..self.run.end).next().is_some();
        (self.run.start.saturating_sub(1)..self.run.end).any(|at| ends(at) && goes_on(at))
    }

    /// The events in a run.
    fn touched(&self, run: &Range<usize>) -> &'s [Event] {
        &self.events[touching(self.events, run)]
    }

    /// Whether it holds something that more than words decide.
    fn decides(&self) -> bool {
        let able = format!("{:?}", Strength::Able);
        let only = format!("{:?}", Quantifier::Only);
        self.touched(self.run).iter().any(|event| match event.kind {
            SignalKind::Modality => event.value != able,
            SignalKind::Quantifier => event.value == only,
            SignalKind::Negation
            | SignalKind::Condition
            | SignalKind::Comparator
            | SignalKind::Number
            | SignalKind::Unit
            | SignalKind::Date
            | SignalKind::Version => true,
            SignalKind::Opposite
            | SignalKind::Alternative
            | SignalKind::Code
            | SignalKind::Identifier
            | SignalKind::Reference
            | SignalKind::Order
            | SignalKind::Scope
            | SignalKind::Statement
            | SignalKind::Extent
            | SignalKind::LinkTarget
            | SignalKind::CrossReference => false,
        })
    }
}
