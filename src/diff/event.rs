//! Where in a stream of tokens something stands that an obligation depends on: numbers, duties, negations, names.
//! What such a thing means is data (`words`); whether a change of it matters is judged next door.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{OnceLock, PoisonError, RwLock};

use super::SignalKind;
use super::stream::Stream;
use super::token::{Place, TokenKind};
use super::words::{Extra, Language, Lexicon, Sense};
use crate::manual::{Document, FragmentKind};
use crate::source::SourceId;

/// The lists of every language, with the words of the configuration; and which language each text of a run is in.
#[derive(Debug, Default)]
pub(crate) struct Lexicons {
    extra: Option<Extra>,
    extended: [OnceLock<Lexicon>; 7],
    languages: RwLock<HashMap<SourceId, Language>>,
}

/// Blocks of a document that its language is guessed from.
const SAMPLE: usize = 200;

/// Something that an obligation depends on.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) kind: SignalKind,
    /// What it says: equal values replace each other without a change.
    pub(super) value: String,
    pub(super) tokens: Range<usize>,
}

impl Lexicons {
    pub(crate) fn new(extra: Extra) -> Self {
        let is_empty = extra.modality.is_empty()
            && extra.negation.is_empty()
            && extra.quantifier.is_empty()
            && extra.filler.is_empty();
        Self { extra: (!is_empty).then_some(extra), ..Self::default() }
    }

    pub(super) fn of(&self, language: Language) -> &Lexicon {
        match &self.extra {
            None => Lexicon::of(language),
            Some(extra) => self.extended[language as usize].get_or_init(|| Lexicon::of(language).with(extra)),
        }
    }
}

impl Lexicons {
    /// The language of a document, guessed from its prose the first time it is asked for.
    pub(super) fn language(&self, document: &Document) -> Language {
        let known = |languages: &HashMap<SourceId, Language>| languages.get(&document.source).copied();
        if let Some(language) = known(&self.languages.read().unwrap_or_else(PoisonError::into_inner)) {
            return language;
        }
        let prose = document.sections.iter().flat_map(|section| &section.fragments);
        let prose = prose.filter(|fragment| fragment.kind != FragmentKind::Code).map(|fragment| &*fragment.text);
        let language = Language::guess(prose.take(SAMPLE));
        self.languages.write().unwrap_or_else(PoisonError::into_inner).insert(document.source, language);
        language
    }
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
    let mut events: Vec<Event> = Vec::new();
    let mut start = 0;
    while start < stream.len() {
        let end = (start..stream.len()).find(|at| stream.part(*at) != stream.part(start)).unwrap_or(stream.len());
        sensed(stream, lexicon, start..end, &mut events);
        start = end;
    }
    let mut taken = vec![false; stream.len()];
    for event in &events {
        taken[event.tokens.clone()].fill(true);
    }
    events.extend((0..stream.len()).filter(|at| !taken[*at]).filter_map(|at| token_event(stream, at)));
    events.sort_by_key(|event| event.tokens.start);
    events
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

/// What a single token says by what it is.
fn token_event(stream: &Stream<'_>, at: usize) -> Option<Event> {
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
        TokenKind::Symbol if stream.place(at) == Place::Code => SignalKind::Code,
        TokenKind::Word | TokenKind::Html | TokenKind::Punctuation | TokenKind::Symbol => return None,
    };
    Some(Event { kind, value: stream.key(at).to_owned(), tokens: at..at + 1 })
}
