//! Both sides of a section's differing text and what is asked of them: words, events, sentences. Decides nothing.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::Range;

use super::SignalKind;
use super::event::{Event, events};
use super::hunks::Hunk;
use super::passage::{gives_example, obliges};
use super::phrases::Phrases;
use super::stream::Stream;
use super::thresholds::{COMPARED_WORDS, SENTENCE, TITLE_WORDS};
use super::token::{Place, TokenKind};
use super::words::{self, Lexicon, Quantifier, Strength};
use crate::manual::Fragment;

/// Numbers and ids of sections before, and what they are after, where they differ.
pub(super) type Renumbered = BTreeMap<String, String>;

/// A number as references and headings have it in common: `§ 5.2`, `5.2.` and `5.2` are one. The label of a footnote is no
/// such number.
pub(super) fn plain_number(number: &str) -> String {
    if number.starts_with("[^") {
        return number.to_owned();
    }
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
    pub(super) pending: bool,
    pub(super) enacted: bool,
    pub(super) renumbered: &'m Renumbered,
}

/// The tokens of a hunk that a strong sign speaks of.
#[derive(Default)]
pub(super) struct Told {
    pub(super) before: BTreeSet<usize>,
    pub(super) after: BTreeSet<usize>,
}

impl Told {
    /// Of words before and after those that no sign speaks of.
    pub(super) fn untold(&self, (gone, come): &Content) -> Content {
        let left =
            |words: &[usize], told: &BTreeSet<usize>| words.iter().copied().filter(|at| !told.contains(at)).collect();
        (left(gone, &self.before), left(come, &self.after))
    }
}

/// Words of a hunk, before and after.
pub(super) type Content = (Vec<usize>, Vec<usize>);

/// A word as it is compared with others.
struct Read<'s> {
    at: usize,
    reads_as: &'s str,
    /// In code each letter counts.
    literal: bool,
    /// Spelled as programs spell names.
    named: bool,
}

/// What became of the one who acts in a sentence that went into the passive, or out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// `The keeper checks the lid`, `the lid is checked by the keeper`.
    SameRoles,
    /// `The keeper checks the guard`, `the keeper is checked by the guard`.
    OtherRoles,
}

/// A sentence in its text.
struct Spoken<'s, 'm> {
    stream: &'s Stream<'m>,
    events: &'s [Event],
    sentence: Range<usize>,
}

impl Spoken<'_, '_> {
    /// What its duties, negations and the like say, in whatever order.
    fn phrases(&self) -> Vec<&str> {
        let found = self.events[touching(self.events, &self.sentence)].iter().filter(|event| event.is_phrase());
        let mut values: Vec<&str> = found.map(|event| event.value.as_str()).collect();
        values.sort_unstable();
        values
    }
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
    /// Whether a sentence before and one after, by their first tokens, have the same words; kept, as many hunks ask.
    reordered: RefCell<HashMap<(usize, usize), bool>>,
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
        let reordered = RefCell::default();
        Self { lexicon, before, after, before_events, after_events, to_after, to_before, reordered, whole }
    }

    /// The keys of the words and values of a run, without punctuation.
    pub(super) fn words(&self, stream: &'a Stream<'m>, run: &Range<usize>) -> Vec<Cow<'a, str>> {
        run.clone().filter(|at| !stream.is_mark(*at)).map(|at| Cow::Borrowed(stream.key(at))).collect()
    }

    /// The words that differ once spelling, inflection and fillers are set aside.
    pub(super) fn content(&self, hunk: &Hunk) -> Content {
        let (gone, come) = self.differing(hunk);
        let places = |words: Vec<Read<'_>>| words.into_iter().map(|word| word.at).collect();
        (places(gone), places(come))
    }

    fn differing(&self, hunk: &Hunk) -> (Vec<Read<'_>>, Vec<Read<'_>>) {
        let mut come = self.read(self.after, &self.after_events, &hunk.after);
        let mut gone = self.read(self.before, &self.before_events, &hunk.before);
        take_equal(&mut gone, &mut come);
        if gone.len().saturating_mul(come.len()) <= COMPARED_WORDS {
            gone.retain(|word| match come.iter().position(|other| self.is_alike(word, other)) {
                Some(at) => {
                    come.remove(at);
                    false
                }
                None => true,
            });
        }
        (gone, come)
    }

    /// The words of a run that say something.
    fn read<'s>(&self, stream: &'s Stream<'m>, events: &'s [Event], run: &Range<usize>) -> Vec<Read<'s>> {
        let says = |word: &str| !self.lexicon.is_filler(word) && !self.lexicon.is_stop(word);
        // Words of duty and condition are judged by what they mean, not as words.
        let meant = |at: usize| event_at(events, at).is_some_and(Event::is_phrase);
        let told = run.clone().filter(|at| !stream.is_mark(*at) && stream.kind(*at) != TokenKind::LinkTarget);
        let told = told.filter(|at| says(stream.key(*at)) && !meant(*at));
        let read = |at| {
            let (literal, named) = (stream.is_literal(at), stream.kind(at) == TokenKind::Identifier);
            Read { at, reads_as: reading(stream, events, at), literal, named }
        };
        told.map(read).collect()
    }

    /// Whether one word is a form of another, or a slip of it. Code is taken to the letter, and in a name as `PumpA` no
    /// letter is a slip.
    fn is_alike(&self, word: &Read<'_>, other: &Read<'_>) -> bool {
        let may_slip = !word.named && !other.named;
        !word.literal && !other.literal && self.is_form(word.reads_as, other.reads_as, may_slip)
    }

    /// Whether one word is a form of another or, where a letter may be one, a slip of it.
    pub(super) fn is_form(&self, word: &str, other: &str, may_slip: bool) -> bool {
        self.lexicon.inflection(word, other) || may_slip && self.lexicon.typo(word, other)
    }

    /// The events that a hunk touches, and those that stand in their place on the other side: `not` put in behind
    /// `must` makes another duty of it although `must` stayed.
    pub(super) fn involved(&self, hunk: &Hunk) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let mut befores: BTreeSet<usize> = touching(&self.before_events, &hunk.before).collect();
        let mut afters: BTreeSet<usize> = touching(&self.after_events, &hunk.after).collect();
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

    /// Whether a hunk makes a duty of another kind of one: `must not` of `must`.
    pub(super) fn turns_duty(&self, hunk: &Hunk) -> bool {
        let (befores, afters) = self.involved(hunk);
        let duties = |events: &[Event], touched: BTreeSet<usize>| -> Vec<String> {
            let touched = touched.into_iter().map(|at| &events[at]).filter(|event| event.kind == SignalKind::Modality);
            touched.map(|event| event.value.clone()).collect()
        };
        let (before, after) = (duties(&self.before_events, befores), duties(&self.after_events, afters));
        let demand = [Strength::Required, Strength::Prohibited].map(|strength| format!("{strength:?}"));
        before.iter().any(|value| demand.contains(value)) && !after.is_empty() && before != after
    }

    /// Whether the sentence around a hunk obliges to something.
    pub(super) fn is_normative(&self, hunk: &Hunk) -> bool {
        let obliges = |stream: &Stream<'_>, events: &[Event], run: &Range<usize>| {
            // An example obliges to nothing, whatever it says of duties.
            let sentences =
                stream.sentences(run).iter().filter(|sentence| !gives_example(self.lexicon, stream, sentence));
            let mut touched = sentences.flat_map(|sentence| &events[touching(events, sentence)]);
            touched.any(|event| event.kind == SignalKind::Modality)
        };
        self.whole.enacted
            || obliges(self.before, &self.before_events, &hunk.before)
            || obliges(self.after, &self.after_events, &hunk.after)
    }

    /// Whether the sentence around a hunk says what will be done.
    pub(super) fn promises(&self, hunk: &Hunk) -> bool {
        let Some(sentences) = self.sentence(hunk) else { return false };
        let promises = |stream: &Stream<'_>, sentence: &Range<usize>| {
            let is_promise = |at: usize| stream.place(at) == Place::Prose && self.lexicon.is_promise(stream.key(at));
            sentence.clone().any(is_promise)
        };
        promises(self.before, &sentences.before) && promises(self.after, &sentences.after)
    }

    /// Whether a number and its unit only changed sides: `5 €`, `€5`. The event is one of them, in the first text; `map` has
    /// the counterparts of what stayed.
    fn changes_sides(event: &Event, stream: &Stream<'_>, other: &Stream<'_>, map: &[Option<usize>]) -> bool {
        let at = event.tokens.start;
        let is_amount = |kind| matches!(kind, TokenKind::Number | TokenKind::Unit);
        let beside = |at: usize, stream: &Stream<'_>| {
            let places = [at.checked_sub(1), Some(at + 1).filter(|next| *next < stream.len())];
            places.into_iter().flatten().collect::<Vec<_>>()
        };
        let is_partner = |place: &usize| is_amount(stream.kind(*place)) && stream.kind(*place) != stream.kind(at);
        let partners = beside(at, stream).into_iter().filter(is_partner).filter_map(|place| map[place]);
        let reads_alike = |place: usize| other.kind(place) == stream.kind(at) && other.key(place) == stream.key(at);
        event.tokens.len() == 1
            && is_amount(stream.kind(at))
            && partners.flat_map(|place| beside(place, other)).any(reads_alike)
    }

    /// Whether an amount that a hunk touches before, or after, is the same on the other side, the unit before or behind it.
    pub(super) fn is_set_around(&self, event: &Event, is_before: bool) -> bool {
        match is_before {
            true => Self::changes_sides(event, self.before, self.after, &self.to_after),
            false => Self::changes_sides(event, self.after, self.before, &self.to_before),
        }
    }

    /// Whether a run of the text after obliges to something, or says where something does not hold.
    pub(super) fn limits(&self, run: &Range<usize>) -> bool {
        let able = format!("{:?}", Strength::Able);
        self.after_events[touching(&self.after_events, run)].iter().any(|event| match event.kind {
            SignalKind::Modality => event.value != able,
            SignalKind::Negation | SignalKind::Condition => true,
            SignalKind::Quantifier => event.value == format!("{:?}", Quantifier::Only),
            SignalKind::Number
            | SignalKind::Unit
            | SignalKind::Comparator
            | SignalKind::Opposite
            | SignalKind::Alternative
            | SignalKind::Code
            | SignalKind::Identifier
            | SignalKind::Reference
            | SignalKind::Order
            | SignalKind::Scope
            | SignalKind::Statement
            | SignalKind::Extent
            | SignalKind::LinkTarget
            | SignalKind::CrossReference
            | SignalKind::Date
            | SignalKind::Version => false,
        })
    }

    /// Whether a hunk only names what a bare address leads to, or names it no longer: `https://e.org/a`, `[The
    /// rules](https://e.org/a)`. A name that obliges, limits or counts something says more.
    pub(super) fn is_link_title(&self, hunk: &Hunk) -> bool {
        let is_title = |stream: &Stream<'m>, run: &Range<usize>, (other, map): (&Stream<'m>, &[Option<usize>])| {
            let target = labelled(stream, run).and_then(|target| map[target]);
            let is_bare = |target: usize| {
                let before = target.checked_sub(1).filter(|before| other.part(*before) == other.part(target));
                before.is_none_or(|before| labelled(other, &(before..target)).is_none())
            };
            target.is_some_and(is_bare)
        };
        let says_more = |events: &[Event], run: &Range<usize>| {
            events[touching(events, run)]
                .iter()
                .any(|event| event.is_phrase() || matches!(event.kind, SignalKind::Unit))
        };
        match (hunk.before.is_empty(), hunk.after.is_empty()) {
            (true, false) => {
                is_title(self.after, &hunk.after, (self.before, &self.to_before))
                    && !says_more(&self.after_events, &hunk.after)
            }
            (false, true) => {
                is_title(self.before, &hunk.before, (self.after, &self.to_after))
                    && !says_more(&self.before_events, &hunk.before)
            }
            (true, true) | (false, false) => false,
        }
    }

    /// Whether a hunk lies in the title of what a link leads to before and after. A word or two may be what is said: `Status:
    /// [Stable](s.md)`.
    pub(super) fn is_title_of_same_link(&self, hunk: &Hunk) -> bool {
        let title = |stream: &Stream<'m>, run: &Range<usize>| {
            let target = labelled(stream, run)?;
            let is_in_label = |at: &usize| matches!(stream.place(*at), Place::Label | Place::Code);
            let start = (0..run.start).rev().take_while(is_in_label).last().unwrap_or(run.start);
            self.has_more_words(stream, &(start..target), TITLE_WORDS - 1).then_some(target)
        };
        let (there, here) = (title(self.before, &hunk.before), title(self.after, &hunk.after));
        there.zip(here).is_some_and(|(there, here)| self.to_after[there] == Some(here))
    }

    /// The sentences around a hunk, where it is one on each side.
    pub(super) fn sentence(&self, hunk: &Hunk) -> Option<Hunk> {
        let one = |stream: &Stream<'_>, run: &Range<usize>| match stream.sentences(run) {
            [sentence] => Some(sentence.clone()),
            _ => None,
        };
        Some(Hunk { before: one(self.before, &hunk.before)?, after: one(self.after, &hunk.after)? })
    }

    /// Whether the sentence around a hunk has one event of a kind before and after, which says the same of the same word:
    /// it only moved. `The pump must stop, and the valve opens` has another duty than `The pump stops, and the valve must
    /// open`.
    pub(super) fn keeps_its_only(&self, kind: SignalKind, hunk: &Hunk) -> bool {
        let Some(Hunk { before, after }) = self.sentence(hunk) else { return false };
        let only = |events: &'_ [Event], sentence: &Range<usize>| -> Option<usize> {
            let mut found = touching(events, sentence).filter(|at| events[*at].kind == kind);
            found.next().filter(|_| found.next().is_none())
        };
        let (Some(there), Some(here)) = (only(&self.before_events, &before), only(&self.after_events, &after)) else {
            return false;
        };
        let (there, here) = (&self.before_events[there], &self.after_events[here]);
        let word = self.governed(self.before, &self.before_events, there.tokens.end..before.end);
        let other = self.governed(self.after, &self.after_events, here.tokens.end..after.end);
        let is_same = || match (&word, &other) {
            (Some(word), Some(other)) => word.reads_as == other.reads_as || self.is_alike(word, other),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        there.value == here.value && is_same()
    }

    /// The word that what stands before a run is about: `stop` behind `must, if it is wet, stop`.
    fn governed<'s>(&self, stream: &'s Stream<'m>, events: &'s [Event], run: Range<usize>) -> Option<Read<'s>> {
        let is_comma = |at: &usize| stream.key(*at) == ",";
        let inserted = run.clone().next().filter(is_comma).and_then(|comma| (comma + 1..run.end).find(is_comma));
        let from = inserted.unwrap_or(run.start);
        (from..run.end).find_map(|at| self.read(stream, events, &(at..at + 1)).pop())
    }

    /// Whether the sentence around a hunk has the same words that carry content before and after.
    pub(super) fn is_reordered(&self, hunk: &Hunk) -> bool {
        let Some(sentences) = self.sentence(hunk) else { return false };
        *self.reordered.borrow_mut().entry((sentences.before.start, sentences.after.start)).or_insert_with(|| {
            let (gone, come) = self.differing(&sentences);
            gone.is_empty() && come.is_empty()
        })
    }

    /// What became of the one who acts where the sentence around a hunk went into the passive, or out of it, with the same
    /// words otherwise.
    pub(super) fn turn(&self, hunk: &Hunk) -> Option<Turn> {
        /// Longer ones are lists.
        const LONGEST: usize = 400;
        let Hunk { before, after } = self.sentence(hunk)?;
        if before.len().max(after.len()) > LONGEST || !self.is_reordered(hunk) {
            return None;
        }
        let marker = |spoken: &Spoken<'_, 'm>| {
            spoken.sentence.clone().find(|at| self.lexicon.is_agent_marker(spoken.stream.key(*at)))
        };
        let there = Spoken { stream: self.before, events: &self.before_events, sentence: before };
        let here = Spoken { stream: self.after, events: &self.after_events, sentence: after };
        let (by, passive, active) = match (marker(&there), marker(&here)) {
            (Some(by), None) => (by, &there, &here),
            (None, Some(by)) => (by, &here, &there),
            (Some(_), Some(_)) | (None, None) => return None,
        };
        let actor = self.first(active, active.sentence.start)?;
        let is_actor = |other: Read<'_>| actor.reads_as == other.reads_as || self.is_alike(&actor, &other);
        if self.first(passive, by + 1).is_some_and(is_actor) {
            return (there.phrases() == here.phrases()).then_some(Turn::SameRoles);
        }
        // The verb has another form in the passive; in `due by noon` nothing acts.
        let verb =
            by.checked_sub(1).filter(|verb| passive.sentence.contains(verb)).map(|verb| passive.stream.key(verb))?;
        let is_turned = !active.sentence.clone().any(|at| active.stream.key(at) == verb);
        (is_turned && self.first(passive, passive.sentence.start).is_some_and(is_actor)).then_some(Turn::OtherRoles)
    }

    /// The first word from a place of a sentence on that says something.
    fn first<'s>(&self, spoken: &Spoken<'s, 'm>, from: usize) -> Option<Read<'s>> {
        self.read(spoken.stream, spoken.events, &(from..spoken.sentence.end)).into_iter().next()
    }

    /// Whether a run holds most of a sentence.
    pub(super) fn covers(&self, stream: &Stream<'_>, run: &Range<usize>, sentence: &Range<usize>) -> bool {
        let words = |range: Range<usize>| range.filter(|at| !stream.is_mark(*at)).count();
        let inside = sentence.start.max(run.start)..sentence.end.min(run.end).max(sentence.start.max(run.start));
        words(inside) as f64 >= SENTENCE * words(sentence.clone()) as f64
    }

    /// Whether a sentence has more words that carry content than so many.
    pub(super) fn has_more_words(&self, stream: &Stream<'_>, sentence: &Range<usize>, than: usize) -> bool {
        let says = |at: &usize| {
            let target = stream.kind(*at) == TokenKind::LinkTarget;
            let key = stream.key(*at);
            !target && !stream.is_mark(*at) && !self.lexicon.is_stop(key) && !self.lexicon.is_filler(key)
        };
        // No further than it takes: a long sentence is asked for each hunk in it.
        sentence.clone().filter(says).nth(than).is_some()
    }
}

/// What a token reads as: `four` as `4`, `weeks` as `week`, whether or not it stands behind a figure.
fn reading<'s>(stream: &'s Stream<'_>, events: &'s [Event], at: usize) -> &'s str {
    let number = event_at(events, at).filter(|event| event.kind == SignalKind::Number);
    let value = number.map(|event| event.value.as_str());
    value.or_else(|| words::unit(stream.spelling(at))).unwrap_or_else(|| stream.key(at))
}

/// Takes out the words that read the same on both sides.
fn take_equal(gone: &mut Vec<Read<'_>>, come: &mut Vec<Read<'_>>) {
    let mut places: HashMap<&str, VecDeque<usize>> = HashMap::new();
    for (at, word) in come.iter().enumerate() {
        places.entry(word.reads_as).or_default().push_back(at);
    }
    let mut taken = HashSet::new();
    gone.retain(|word| match places.get_mut(word.reads_as).and_then(VecDeque::pop_front) {
        Some(at) => !taken.insert(come[at].at),
        None => true,
    });
    come.retain(|word| !taken.contains(&word.at));
}

/// The target of the link in whose text a run lies as a whole.
fn labelled(stream: &Stream<'_>, run: &Range<usize>) -> Option<usize> {
    let is_label = |at: usize| stream.place(at) == Place::Label;
    let is_of_label = |at: usize| is_label(at) || stream.is_mark(at);
    let first = run.clone().find(|at| is_label(*at))?;
    let target = (first..stream.len()).find(|at| !is_of_label(*at) && stream.place(*at) != Place::Code)?;
    let is_target = stream.place(target) == Place::Target && stream.part(target) == stream.part(first);
    (is_target && run.end <= target && run.clone().all(is_of_label)).then_some(target)
}

/// The event that a token is in.
fn event_at(events: &[Event], at: usize) -> Option<&Event> {
    events.get(events.partition_point(|event| event.tokens.end <= at)).filter(|event| event.tokens.start <= at)
}

/// The indices of events that share a token with a run.
pub(super) fn touching(events: &[Event], run: &Range<usize>) -> Range<usize> {
    // Events are in order and share no tokens.
    let from = events.partition_point(|event| event.tokens.end <= run.start);
    let to = events.partition_point(|event| event.tokens.start < run.end);
    from..to.max(from)
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
