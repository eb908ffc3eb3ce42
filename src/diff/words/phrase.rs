//! Phrases and what each means by itself: the longest one that stands at a place of a text.

use std::borrow::Cow;
use std::collections::HashMap;

use super::list::Entry;
use super::sense::{self, Sense, Strength};
use crate::diff::token::{fold, tokens};

/// Phrases by their first word; the longest first, then in order of the lists.
#[derive(Clone, Debug, Default)]
pub(super) struct PhraseBook {
    by_first: HashMap<String, Vec<Phrase>>,
}

#[derive(Clone, Debug)]
struct Phrase {
    /// The words after the first.
    rest: Vec<String>,
    meaning: Meaning,
}

/// What a phrase means by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Meaning {
    /// None: it means nothing, and neither do the words in it.
    pub(super) sense: Option<Sense>,
    /// For a modality, what a negation beside it makes of it.
    pub(super) negated: Option<Strength>,
    /// For a negation, whether it makes one obligation with a modality beside it.
    pub(super) particle: bool,
    pub(super) before_number: bool,
}

/// Where a phrase goes among those of equal length.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Priority {
    First,
    Last,
}

impl PhraseBook {
    pub(super) fn add(&mut self, phrase: &str, meaning: Meaning, priority: Priority) {
        let mut words = split(phrase).into_iter();
        let Some(first) = words.next() else { return };
        let phrases = self.by_first.entry(first).or_default();
        let rest: Vec<_> = words.collect();
        let at = phrases.partition_point(|other| {
            other.rest.len() > rest.len() || (priority == Priority::Last && other.rest.len() == rest.len())
        });
        phrases.insert(at, Phrase { rest, meaning });
    }

    /// The longest phrase at a word, and how many words it has.
    pub(super) fn longest(&self, words: &[Cow<'_, str>], at: usize) -> Option<(Meaning, usize)> {
        let matches = |phrase: &&Phrase| {
            let end = at + 1 + phrase.rest.len();
            words.get(at + 1..end).is_some_and(|rest| rest == phrase.rest)
                && (!phrase.meaning.before_number || words.get(end).is_some_and(|word| self.is_number(word)))
        };
        let phrase = self.beginning(words.get(at)?).iter().find(matches)?;
        Some((phrase.meaning, 1 + phrase.rest.len()))
    }

    /// Whether the word alone means something.
    pub(super) fn has_sense(&self, word: &str) -> bool {
        self.beginning(word).iter().any(|phrase| phrase.rest.is_empty() && phrase.meaning.sense.is_some())
    }

    fn beginning(&self, word: &str) -> &[Phrase] {
        self.by_first.get(word).map_or(&[], Vec::as_slice)
    }

    fn is_number(&self, word: &str) -> bool {
        let is_word = |phrase: &Phrase| matches!(phrase.meaning.sense, Some(Sense::Number(_)));
        word.trim_start_matches(['+', '-', '$', '€', '£']).starts_with(char::is_numeric)
            || self.beginning(word).iter().any(is_word)
    }
}

impl Meaning {
    pub(super) fn of(sense: Sense) -> Meaning {
        Meaning { sense: Some(sense), negated: None, particle: false, before_number: false }
    }

    pub(super) fn modality(strength: Strength, negated: Strength) -> Meaning {
        Meaning { negated: Some(negated), ..Meaning::of(Sense::Modality(strength)) }
    }

    /// The meaning that an entry's section gives it, if it gives one.
    pub(super) fn read(entry: &Entry<'_>) -> Option<Meaning> {
        let (name, before_number) = match entry.name.strip_suffix(" before-number") {
            Some(name) => (name, true),
            None => (entry.name, false),
        };
        let meaning = match entry.section {
            "modality" => {
                let (strength, negated) = sense::modality(name)?;
                Meaning::modality(strength, negated)
            }
            "negation" if name != "prefix" => Meaning { particle: name == "particle", ..Meaning::of(Sense::Negation) },
            "quantifier" => Meaning::of(Sense::Quantifier(sense::quantifier(name)?)),
            "comparator" => Meaning::of(Sense::Comparator(sense::comparator(name)?)),
            "condition" => Meaning::of(Sense::Condition(sense::condition(name)?)),
            "number" => Meaning::of(Sense::Number(entry.canonical.parse().ok()?)),
            "neutral" => Meaning { sense: None, negated: None, particle: false, before_number: false },
            _ => return None,
        };
        Some(Meaning { before_number, ..meaning })
    }
}

/// A phrase as tokens would come out of a text.
pub(super) fn split(phrase: &str) -> Vec<String> {
    // An elided article alone (`n'`) is a token only before its word.
    if phrase.ends_with('\'') {
        return vec![fold(phrase).into_owned()];
    }
    tokens(phrase, &[]).iter().map(|token| token.fold(phrase).into_owned()).collect()
}
