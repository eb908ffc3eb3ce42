//! Where in a stream of tokens something stands that an obligation depends on: numbers, duties, negations, names.
//! What such a thing means is data (`words`); whether a change of it matters is judged next door.

use std::borrow::Cow;
use std::ops::Range;

use super::SignalKind;
use super::stream::Stream;
use super::token::{Place, TokenKind};
use super::words::{Lexicon, Sense};

/// Something that an obligation depends on.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) kind: SignalKind,
    /// What it says: equal values replace each other without a change.
    pub(super) value: String,
    pub(super) tokens: Range<usize>,
}

impl Event {
    /// Whether it is made of words that the lists give a meaning, not of a value or a name.
    pub(super) fn is_phrase(&self) -> bool {
        matches!(
            self.kind,
            SignalKind::Modality
                | SignalKind::Negation
                | SignalKind::Quantifier
                | SignalKind::Condition
                | SignalKind::Comparator
        )
    }
}

/// The events of a stream, in order.
pub(super) fn events(stream: &Stream<'_>, lexicon: &Lexicon) -> Vec<Event> {
    let mut taken = vec![false; stream.len()];
    let mut events = labels(stream);
    take(&mut taken, &events);
    let mut phrases: Vec<Event> = Vec::new();
    let mut start = 0;
    while start < stream.len() {
        let end = (start..stream.len()).find(|at| stream.part(*at) != stream.part(start)).unwrap_or(stream.len());
        sensed(stream, lexicon, start..end, &mut phrases);
        start = end;
    }
    phrases.retain(|phrase| !taken[phrase.tokens.clone()].contains(&true));
    take(&mut taken, &phrases);
    events.extend(phrases);
    events.extend((0..stream.len()).filter(|at| !taken[*at]).filter_map(|at| token_event(stream, at)));
    events.sort_by_key(|event| event.tokens.start);
    events
}

fn take(taken: &mut [bool], events: &[Event]) {
    for event in events {
        taken[event.tokens.clone()].fill(true);
    }
}

/// What a reader looks for on the screen. Whatever its words mean elsewhere, here they are a name.
fn labels(stream: &Stream<'_>) -> Vec<Event> {
    let labels = stream.labels().into_iter().filter(|tokens| tokens.clone().all(|at| is_word(stream, at)));
    let named = labels.map(|tokens| {
        let words = tokens.clone().filter(|at| !stream.is_mark(*at)).map(|at| stream.key(at));
        Event { kind: SignalKind::Identifier, value: words.collect::<Vec<_>>().join(" "), tokens }
    });
    named.collect()
}

/// The phrases of one fragment that the lists give a meaning. Words in code and in addresses are none.
fn sensed(stream: &Stream<'_>, lexicon: &Lexicon, run: Range<usize>, events: &mut Vec<Event>) {
    let words: Vec<Cow<'_, str>> = run
        .clone()
        .map(|at| match (stream.kind(at), stream.place(at)) {
            (TokenKind::Comparator, _) => Cow::Borrowed(stream.key(at)),
            (TokenKind::Html, _) | (_, Place::Code | Place::Target) => Cow::Borrowed("\u{0}"),
            (_, Place::Prose | Place::Label | Place::Struck | Place::Html) => Cow::Borrowed(stream.key(at)),
        })
        .collect();
    for found in lexicon.senses(&words) {
        let tokens = run.start + found.start..run.start + found.start + found.count;
        let (kind, value) = match found.sense {
            Sense::Modality(strength) => (SignalKind::Modality, format!("{strength:?}")),
            Sense::Negation => (SignalKind::Negation, "not".to_owned()),
            Sense::Quantifier(quantifier) => (SignalKind::Quantifier, format!("{quantifier:?}")),
            Sense::Comparator(comparator) => (SignalKind::Comparator, format!("{comparator:?}")),
            Sense::Condition(condition) => (SignalKind::Condition, format!("{condition:?}")),
            Sense::Number(number) => (SignalKind::Number, number.to_string()),
        };
        events.push(Event { kind, value, tokens });
    }
}

fn is_word(stream: &Stream<'_>, at: usize) -> bool {
    stream.place(at) == Place::Prose && (stream.kind(at) == TokenKind::Word || stream.is_mark(at))
}

/// The value of a number: `0.50` is `0.5`, `5.00 €` is `5 €`, `22:00` is `22`. A number that is no amount may be a name, as
/// `3.10` is of a release.
fn amount<'s>(stream: &'s Stream<'_>, at: usize) -> &'s str {
    /// More digits behind a separator may be thousands.
    const DECIMALS: usize = 2;
    let number = stream.key(at);
    let is_amount = || {
        let part = stream.tokens_of(stream.part(at));
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        beside.filter(|other| part.contains(other)).any(|other| stream.kind(other) == TokenKind::Unit)
    };
    let plain = match number.split_once(['.', ',']) {
        Some((whole, decimals)) if decimals.bytes().all(|digit| digit.is_ascii_digit()) => {
            let is_fraction = whole == "0" || (decimals.len() <= DECIMALS && is_amount());
            let short = number.trim_end_matches('0').trim_end_matches(['.', ',']);
            // `1,0` may be another number than `1.0`; `5,00` is a price.
            let is_doubtful = short == whole && number.contains(',') && decimals.len() < DECIMALS;
            (is_fraction && !is_doubtful).then_some(short)
        }
        Some(_) => None,
        None => number.strip_suffix(":00").filter(|hour| hour.len() <= 2),
    };
    plain.unwrap_or(number)
}

/// What a single token says by what it is.
fn token_event(stream: &Stream<'_>, at: usize) -> Option<Event> {
    if stream.is_mark(at) {
        return None;
    }
    let kind = match stream.kind(at) {
        TokenKind::Number => SignalKind::Number,
        TokenKind::Unit => SignalKind::Unit,
        TokenKind::Comparator => SignalKind::Comparator,
        TokenKind::Code => SignalKind::Code,
        TokenKind::Identifier => SignalKind::Identifier,
        TokenKind::LinkTarget => SignalKind::LinkTarget,
        TokenKind::Date => SignalKind::Date,
        TokenKind::Version => SignalKind::Version,
        TokenKind::Reference => SignalKind::CrossReference,
        TokenKind::Symbol if stream.place(at) == Place::Code || stream.is_raised(at) => SignalKind::Code,
        TokenKind::Word | TokenKind::Html | TokenKind::Punctuation | TokenKind::Symbol => return None,
    };
    let value = if kind == SignalKind::Number { amount(stream, at) } else { stream.key(at) };
    Some(Event { kind, value: value.to_owned(), tokens: at..at + 1 })
}
