//! The lists of one language, ready to be asked. Words are given as folded tokens ([`Token::fold`]), phrases are found
//! in runs of them; tokens in code are no words and are not to be asked about.
//!
//! [`Token::fold`]: crate::diff::token::Token::fold

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::language::Language;
use super::list::{Entry, entries};
use super::phrase::{Meaning, PhraseBook, Priority, split};
use super::sense::{self, Quantifier, Sense, Strength};
use super::spelling::{self, Slips};
use crate::diff::token::fold;

/// Everything the lists say of one language. English is part of every language but `Other`, where its words are not
/// other words there: specifications mix it in.
#[derive(Clone, Debug)]
pub(crate) struct Lexicon {
    language: Language,
    phrases: PhraseBook,
    /// Words in their plain form to their opposites, both ways.
    antonyms: HashMap<String, HashSet<String>>,
    /// Words to what they are one of, as `red` is one of the colours: any two of them are opposites.
    classes: HashMap<String, String>,
    negation_prefixes: Vec<String>,
    /// Words that say what a negation beside another one says, to that one.
    complements: HashMap<String, String>,
    /// Words that read the same, to their common spelling.
    same: HashMap<String, String>,
    /// Forms that no ending tells, to the plain form.
    irregular: HashMap<String, String>,
    /// Endings of inflected forms, with what the plain form has instead.
    endings: Vec<(String, String)>,
    misspellings: HashSet<(String, String)>,
    fillers: HashSet<String>,
    stops: HashSet<String>,
    /// Words known to exist: no misspelling of one another.
    known: HashSet<String>,
    /// Phrases that join alternatives.
    conjunctions: HashSet<String>,
    /// How lines about the document open.
    editorial_lines: HashSet<String>,
    /// Titles of sections about the document.
    editorial_titles: HashSet<String>,
    /// Titles of sections that say what is still to be written.
    pending_titles: HashSet<String>,
    /// What a document calls itself.
    documents: HashSet<String>,
    /// What a line about the document says before its date.
    editorial_dates: HashSet<String>,
    /// Lines that say how far a document got.
    statuses: HashSet<String>,
    /// Labels of text that says why something is required.
    reasons: HashSet<String>,
    /// Labels of text that only informs.
    notes: HashSet<String>,
    /// How labels end, or open, of lines that name the same thing elsewhere.
    mappings: HashSet<String>,
    /// How sentences open that give an example.
    examples: HashSet<String>,
    /// What stands before examples within a sentence.
    example_openings: HashSet<String>,
    /// What stands before a link that a reader shall follow.
    pointers: HashSet<String>,
    /// How sentences open that say where to read on.
    pointer_openings: HashSet<String>,
    /// Words by which a sentence says what will be done.
    promises: HashSet<String>,
    /// What stands before the reason within a sentence.
    reason_openings: HashSet<String>,
    /// Words before the one who acts, in the passive.
    agent_markers: HashSet<String>,
    /// Words that stand before the name of a thing.
    articles: HashSet<String>,
    /// Words that stand for one said before.
    pronouns: HashSet<String>,
    /// What stands where nothing is said, without marks.
    placeholders: HashSet<String>,
    /// What stands where nothing is said yet.
    pending: HashSet<String>,
}

/// Words that a configuration adds to the lists (key `words`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExtraWords {
    /// Each obliges in its own way: replacing one by another is a change.
    pub(crate) modality: Vec<String>,
    pub(crate) negation: Vec<String>,
    pub(crate) quantifier: Vec<String>,
    /// Words that may come and go.
    pub(crate) filler: Vec<String>,
}

/// A phrase with a meaning in a run of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sensed {
    pub(crate) sense: Sense,
    /// Index of the first word, and how many belong to it.
    pub(crate) start: usize,
    pub(crate) count: usize,
}

static LEXICONS: [LazyLock<Lexicon>; Language::ALL.len()] = [
    LazyLock::new(|| Lexicon::read(Language::English)),
    LazyLock::new(|| Lexicon::read(Language::German)),
    LazyLock::new(|| Lexicon::read(Language::French)),
    LazyLock::new(|| Lexicon::read(Language::Spanish)),
    LazyLock::new(|| Lexicon::read(Language::Chinese)),
    LazyLock::new(|| Lexicon::read(Language::Japanese)),
    LazyLock::new(|| Lexicon::read(Language::Other)),
];

/// Letters from which on a slip in a word that obliges is told from another word.
const MIN_SIGNAL: usize = 6;

/// English words that look like a misspelling of another one.
static DISTINCT: LazyLock<HashSet<&str>> =
    LazyLock::new(|| entries(include_str!("en-distinct.txt")).into_iter().map(|entry| entry.spelling).collect());

impl Lexicon {
    /// The built-in lists of a language.
    pub(crate) fn of(language: Language) -> &'static Lexicon {
        &LEXICONS[language as usize]
    }

    /// The lists with the words of a configuration, which come before the built-in ones.
    pub(crate) fn with(&self, extra: &ExtraWords) -> Lexicon {
        let mut lexicon = self.clone();
        for (at, word) in (0u16..).zip(&extra.modality) {
            let meaning = Meaning::modality(Strength::Configured(at), Strength::ConfiguredNot(at));
            lexicon.phrases.add(word, meaning, Priority::First);
        }
        for word in &extra.negation {
            let meaning = Meaning { particle: true, ..Meaning::of(Sense::Negation) };
            lexicon.phrases.add(word, meaning, Priority::First);
        }
        for (at, word) in (0u16..).zip(&extra.quantifier) {
            lexicon.phrases.add(word, Meaning::of(Sense::Quantifier(Quantifier::Configured(at))), Priority::First);
        }
        lexicon.fillers.extend(extra.filler.iter().map(|word| fold(word).into_owned()));
        lexicon
    }

    /// The phrases that mean something, in order and not overlapping. A modality includes the negation beside it.
    pub(crate) fn senses(&self, words: &[Cow<'_, str>]) -> Vec<Sensed> {
        let mut senses = Vec::new();
        let mut at = 0;
        while at < words.len() {
            match self.phrases.longest(words, at) {
                Some((meaning, count)) => {
                    let found =
                        self.obligation(words, at, count, meaning).or(meaning.sense.map(|sense| (sense, count)));
                    let (sense, count) = found.map_or((None, count), |(sense, count)| (Some(sense), count));
                    senses.extend(sense.map(|sense| Sensed { sense, start: at, count }));
                    at += count;
                }
                None => {
                    let symbol = sense::symbol(&words[at]).map(Sense::Comparator);
                    senses.extend(symbol.map(|sense| Sensed { sense, start: at, count: 1 }));
                    at += 1;
                }
            }
        }
        senses
    }

    /// Whether two words are opposites, in whatever form: `enabled` and `disable`, `possible` and `impossible`.
    pub(crate) fn antonyms(&self, before: &str, after: &str) -> bool {
        let opposites: Vec<&HashSet<String>> =
            spelling::stems(before, &self.endings).iter().filter_map(|stem| self.antonyms.get(stem)).collect();
        let listed = || {
            let is_listed = |stem: &String| opposites.iter().any(|listed| listed.contains(stem));
            !opposites.is_empty() && spelling::stems(after, &self.endings).iter().any(is_listed)
        };
        before != after
            && (listed()
                || self.negates(before, after)
                || self.negates(after, before)
                || self.are_of_one_class(before, after))
    }

    /// Whether both words are one of the same few, but not the same one: `red` and `green`, `daily` and `weekly`.
    fn are_of_one_class(&self, before: &str, after: &str) -> bool {
        let member = |word: &str| {
            let stems = spelling::stems(word, &self.endings);
            stems.into_iter().find_map(|stem| Some((self.classes.get(&stem)?, stem)))
        };
        member(before).zip(member(after)).is_some_and(|((there, was), (here, is))| there == here && was != is)
    }

    /// Whether the word is the plain one with a negating prefix or ending: `incompatible` of `compatible`.
    pub(crate) fn negates(&self, word: &str, plain: &str) -> bool {
        let long_enough = plain.chars().count() >= 4;
        let prefixed = self.negation_prefixes.iter().any(|prefix| word.strip_prefix(prefix.as_str()) == Some(plain));
        let ending = plain.strip_suffix("ful").is_some_and(|stem| word.strip_suffix("less") == Some(stem));
        long_enough && (prefixed || ending)
    }

    /// Whether a word says what a negation with another word says: `incompatible`, `not compatible`.
    pub(crate) fn is_complement(&self, word: &str, negated: &[Cow<'_, str>]) -> bool {
        let [negation, plain] = negated else { return false };
        let senses = self.senses(std::slice::from_ref(negation));
        self.complements.get(word).is_some_and(|of| of == plain)
            && senses.first().is_some_and(|found| found.sense == Sense::Negation)
    }

    /// Whether the word may come and go without touching an obligation.
    pub(crate) fn is_filler(&self, word: &str) -> bool {
        self.fillers.contains(word)
    }

    /// Whether the word carries no content of its own.
    pub(crate) fn is_stop(&self, word: &str) -> bool {
        self.stops.contains(word)
    }

    /// Whether a run of words holds one that joins alternatives: `and`, `as well as`.
    pub(crate) fn joins(&self, words: &[Cow<'_, str>]) -> bool {
        let phrase = |at: usize, length: usize| words.get(at..at + length).map(|words| words.join(" "));
        let joins = |phrase: Option<String>| phrase.is_some_and(|phrase| self.conjunctions.contains(&phrase));
        (0..words.len()).any(|at| (1..=3).any(|length| joins(phrase(at, length))))
    }

    /// Whether a line that opens with these words is about the document, not about its subject.
    pub(crate) fn is_editorial_line(&self, words: &[Cow<'_, str>]) -> bool {
        (1..=words.len().min(8)).any(|length| self.editorial_lines.contains(&words[..length].join(" ")))
    }

    /// Whether a date behind these words is one of the document: `Revised May 9, 2024`.
    pub(crate) fn is_before_editorial_date(&self, words: &[Cow<'_, str>]) -> bool {
        self.editorial_dates.contains(&words.join(" "))
    }

    /// Whether a sentence of these words speaks of the document that it stands in: `this manual`.
    pub(crate) fn is_about_document(&self, words: &[Cow<'_, str>]) -> bool {
        words.windows(2).any(|words| self.documents.contains(&words.join(" ")))
    }

    /// Whether these words, a whole line, say how far a document got.
    pub(crate) fn is_status(&self, words: &[Cow<'_, str>]) -> bool {
        self.statuses.contains(&words.join(" "))
    }

    /// Whether these words are the label of text that informs and requires nothing by itself.
    pub(crate) fn is_note(&self, label: &[Cow<'_, str>]) -> bool {
        self.notes.contains(&label.join(" "))
    }

    /// Whether a label that opens or ends with the word is one of a line that names the same thing elsewhere: `Baseline
    /// mapping`, `Related rules`.
    pub(crate) fn is_mapping(&self, word: &str) -> bool {
        self.mappings.contains(word)
    }

    /// Whether a sentence that opens with these words gives an example.
    pub(crate) fn is_example(&self, words: &[Cow<'_, str>]) -> bool {
        open_with(&self.examples, words, 4)
    }

    /// Whether examples follow within a sentence: `such as`.
    pub(crate) fn opens_examples(&self, words: &[Cow<'_, str>]) -> bool {
        open_with(&self.example_openings, words, 3)
    }

    /// Whether these words before a link, all of its sentence, only say to follow it: `see`, `for more on it refer to`.
    pub(crate) fn points(&self, words: &[Cow<'_, str>]) -> bool {
        let pointer = (1..=words.len().min(2)).find(|length| {
            let last = &words[words.len() - length..];
            self.pointers.contains(&last.join(" "))
        });
        pointer.is_some_and(|length| {
            let rest = &words[..words.len() - length];
            rest.iter().all(|word| self.is_filler(word)) || open_with(&self.pointer_openings, rest, 2)
        })
    }

    /// Whether a sentence with the word says what will be done.
    pub(crate) fn is_promise(&self, word: &str) -> bool {
        self.promises.contains(word)
    }

    /// Whether a reason follows within a sentence: `because`, but not `because of`.
    pub(crate) fn opens_reason(&self, words: &[Cow<'_, str>]) -> bool {
        open_with(&self.reason_openings, words, 2) && words.get(1).is_none_or(|word| word != "of")
    }

    /// Whether the word stands before the one who acts, in the passive: `by`.
    pub(crate) fn is_agent_marker(&self, word: &str) -> bool {
        self.agent_markers.contains(word)
    }

    /// Whether the word stands before the name of a thing: `the`, `each`.
    pub(crate) fn is_article(&self, word: &str) -> bool {
        self.articles.contains(word)
    }

    /// Whether the word stands for one said before: `it`, `you`.
    pub(crate) fn is_pronoun(&self, word: &str) -> bool {
        self.pronouns.contains(word)
    }

    /// Whether these words are the label of text that says why something is required.
    pub(crate) fn is_reason(&self, label: &[Cow<'_, str>]) -> bool {
        self.reasons.contains(&label.join(" "))
    }

    /// Whether these words fill a place where nothing is said. `Exceptions: none` says something, `Reason: TBD` does not.
    pub(crate) fn is_placeholder(&self, label: &[Cow<'_, str>], words: &[Cow<'_, str>]) -> bool {
        let words = words.join(" ");
        self.pending.contains(&words) || (label.is_empty() && self.placeholders.contains(&words))
    }

    /// Whether a section of this title is about the document.
    pub(crate) fn is_editorial_title(&self, title: &str) -> bool {
        self.editorial_titles.contains(&spaced(title))
    }

    /// Whether a section of this title says what its authors still have to do.
    pub(crate) fn is_pending_title(&self, title: &str) -> bool {
        self.pending_titles.contains(&spaced(title))
    }

    /// Whether a list gives the word, alone, a meaning.
    pub(crate) fn is_signal(&self, word: &str) -> bool {
        self.phrases.has_sense(word)
    }

    /// Whether two runs of words read the same: joined or split compounds (`set up`, `set-up`, `setup`), contractions
    /// and listed spellings (`e.g.` and `for example`), a number's digits grouped or not (`1,000` and `1000`).
    pub(crate) fn same(&self, before: &[Cow<'_, str>], after: &[Cow<'_, str>]) -> bool {
        let listed = |words: &[Cow<'_, str>]| {
            // The dot of an abbreviation may be the sentence's.
            let phrase = words.join(" ").trim_end_matches(" .").to_string();
            self.same.get(&phrase).cloned().unwrap_or(phrase)
        };
        let senses = |words| self.senses(words).into_iter().map(|found| found.sense).collect::<Vec<_>>();
        // `may be` is not `maybe`, while `can not` is `cannot`.
        let compound = same_compound(before, after) && senses(before) == senses(after);
        let group = match self.language {
            Language::German | Language::French | Language::Spanish => '.',
            Language::English | Language::Chinese | Language::Japanese | Language::Other => ',',
        };
        let number = spelling::ungrouped(before, group);
        compound
            || (number.is_some() && number == spelling::ungrouped(after, group))
            || (!before.is_empty() && !after.is_empty() && listed(before) == listed(after))
    }

    /// Whether one word is the other one spelled wrong. Never for words that mean something to an obligation, for two
    /// words that both exist, for numbers and names.
    pub(crate) fn typo(&self, before: &str, after: &str) -> bool {
        let pair = (before.to_string(), after.to_string());
        if self.misspellings.contains(&pair) || self.misspellings.contains(&(pair.1, pair.0)) {
            return true;
        }
        if !self.is_signal(before) && !self.is_signal(after) && spelling::is_marked_otherwise(before, after) {
            return true;
        }
        let slips = match self.language {
            Language::English => Slips::Any,
            // Without a list of words that differ by a letter, a replaced letter may well make another word.
            Language::German | Language::French | Language::Spanish => Slips::NoReplacement,
            Language::Chinese | Language::Japanese | Language::Other => return false,
        };
        // A word of grammar can't stand where another word stood: `depends hat it stops`.
        if self.is_stop(before) != self.is_stop(after) && !self.is_signal(before) && !self.is_signal(after) {
            return spelling::is_one_letter_off(before, after);
        }
        let both_known = self.knows(before) && self.knows(after);
        let nearly = |slips| !both_known && spelling::is_near(before, after, slips) && !self.antonyms(before, after);
        match (self.is_signal(before), self.is_signal(after)) {
            (false, false) => nearly(slips),
            // A long word that obliges, letters swapped or left out: `reuqires`. A replaced letter may be another word.
            (true, false) | (false, true) => {
                before.len().min(after.len()) >= MIN_SIGNAL && nearly(Slips::NoReplacement)
            }
            (true, true) => false,
        }
    }

    /// Whether a list has the word.
    pub(crate) fn knows(&self, word: &str) -> bool {
        self.known.contains(word) || DISTINCT.contains(word)
    }

    /// Whether two words are forms of one: number, tense, participle, possessive.
    pub(crate) fn inflection(&self, before: &str, after: &str) -> bool {
        let (before, after) = (self.plain(before), self.plain(after));
        if before == after {
            return true;
        }
        let inflects = |word: &str| {
            let is_word = word.chars().all(|character| character.is_alphabetic() || character == '\'');
            is_word && !self.is_stop(word) && !self.is_signal(word)
        };
        let share_stem = || {
            let stems = spelling::stems(after, &self.endings);
            spelling::stems(before, &self.endings).iter().any(|stem| stems.contains(stem))
        };
        inflects(before) && inflects(after) && share_stem() && !self.antonyms(before, after)
    }

    /// The plain form of a word that no ending tells it by; of all others, the word.
    fn plain<'w>(&'w self, word: &'w str) -> &'w str {
        self.irregular.get(word).map_or(word, String::as_str)
    }

    /// A modality with a negation directly beside it, or with one filler between.
    fn obligation(&self, words: &[Cow<'_, str>], at: usize, count: usize, meaning: Meaning) -> Option<(Sense, usize)> {
        let beside = at + count;
        // `able` is a filler, and the first word of `able to`.
        let behind_filler = || words.get(beside).filter(|word| self.is_filler(word)).map(|_| beside + 1);
        let joined = |next: usize| {
            let (second, second_count) = self.phrases.longest(words, next)?;
            let negated = match (meaning.sense?, second.sense?) {
                (Sense::Modality(_), Sense::Negation) if second.particle => meaning.negated,
                (Sense::Negation, Sense::Modality(_)) if meaning.particle => second.negated,
                _ => None,
            };
            negated.map(|strength| (Sense::Modality(strength), next + second_count - at))
        };
        joined(beside).or_else(|| joined(behind_filler()?))
    }
}

impl Lexicon {
    fn read(language: Language) -> Lexicon {
        let mut lexicon = Lexicon::empty(language);
        if language == Language::Other {
            return lexicon;
        }
        let own = entries(language.list());
        for entry in &own {
            lexicon.add(entry);
        }
        if language != Language::English {
            let homonyms: HashSet<_> =
                own.iter().filter(|entry| entry.section == "homonym").map(|entry| entry.spelling).collect();
            for entry in entries(Language::English.list()) {
                if !homonyms.contains(entry.spelling) && !homonyms.contains(entry.canonical) {
                    lexicon.add(&entry);
                }
            }
        }
        lexicon
    }

    fn empty(language: Language) -> Lexicon {
        Lexicon {
            language,
            phrases: PhraseBook::default(),
            antonyms: HashMap::new(),
            classes: HashMap::new(),
            negation_prefixes: Vec::new(),
            complements: HashMap::new(),
            same: HashMap::new(),
            irregular: HashMap::new(),
            endings: Vec::new(),
            misspellings: HashSet::new(),
            fillers: HashSet::new(),
            stops: HashSet::new(),
            known: HashSet::new(),
            conjunctions: HashSet::new(),
            editorial_lines: HashSet::new(),
            editorial_titles: HashSet::new(),
            pending_titles: HashSet::new(),
            documents: HashSet::new(),
            editorial_dates: HashSet::new(),
            statuses: HashSet::new(),
            reasons: HashSet::new(),
            notes: HashSet::new(),
            mappings: HashSet::new(),
            examples: HashSet::new(),
            example_openings: HashSet::new(),
            pointers: HashSet::new(),
            pointer_openings: HashSet::new(),
            promises: HashSet::new(),
            reason_openings: HashSet::new(),
            agent_markers: HashSet::new(),
            articles: HashSet::new(),
            pronouns: HashSet::new(),
            placeholders: HashSet::new(),
            pending: HashSet::new(),
        }
    }

    fn add(&mut self, entry: &Entry<'_>) {
        let spelling = fold(entry.spelling).into_owned();
        let canonical = fold(entry.canonical).into_owned();
        let is_word = !matches!(entry.section, "misspelling" | "ending");
        if is_word && !spelling.contains(' ') {
            self.known.insert(spelling.clone());
            self.known.insert(canonical.clone());
        }
        if let Some(meaning) = Meaning::read(entry) {
            return self.phrases.add(entry.spelling, meaning, Priority::Last);
        }
        match (entry.section, entry.name) {
            ("negation", "prefix") => self.negation_prefixes.push(spelling),
            ("complement", _) => _ = self.complements.insert(spelling, canonical),
            ("antonym", _) => self.add_antonym(&canonical, &spelling),
            ("class", name) => _ = self.classes.insert(spelling, name.to_owned()),
            ("same", _) => _ = self.same.insert(spaced(&spelling), spaced(&canonical)),
            ("inflection", _) => _ = self.irregular.entry(spelling).or_insert(canonical),
            ("ending", _) => self.endings.push((spelling, canonical.replace('-', ""))),
            ("misspelling", _) => _ = self.misspellings.insert((canonical, spelling)),
            ("filler", _) => _ = self.fillers.insert(spelling),
            ("stop", _) => _ = self.stops.insert(spelling),
            ("conjunction", _) => _ = self.conjunctions.insert(spaced(&spelling)),
            ("editorial", "line") => _ = self.editorial_lines.insert(spaced(&spelling)),
            ("document", _) => _ = self.documents.insert(spaced(&spelling)),
            ("editorial", "date") => _ = self.editorial_dates.insert(spaced(&spelling)),
            ("editorial", "status") => _ = self.statuses.insert(spaced(&spelling)),
            ("note", _) => _ = self.notes.insert(spaced(&spelling)),
            ("mapping", _) => _ = self.mappings.insert(spelling),
            ("example", "clause") => _ = self.example_openings.insert(spoken(&spelling)),
            ("pointer", "opening") => _ = self.pointer_openings.insert(spoken(&spelling)),
            ("pointer", _) => _ = self.pointers.insert(spoken(&spelling)),
            ("promise", _) => _ = self.promises.insert(spelling),
            ("reason", "clause") => _ = self.reason_openings.insert(spaced(&spelling)),
            ("example", _) => _ = self.examples.insert(spoken(&spelling)),
            ("agent", _) => _ = self.agent_markers.insert(spelling),
            ("article", _) => _ = self.articles.insert(spelling),
            ("pronoun", _) => _ = self.pronouns.insert(spelling),
            ("reason", _) => _ = self.reasons.insert(spaced(&spelling)),
            ("placeholder", "") => _ = self.placeholders.insert(spaced(&spelling).replace(" / ", " ")),
            ("placeholder", "pending") => _ = self.pending.insert(spaced(&spelling)),
            ("editorial", "title pending") => _ = self.pending_titles.insert(spaced(&spelling)),
            ("editorial", "title") => _ = self.editorial_titles.insert(spaced(&spelling)),
            _ => {}
        }
    }

    fn add_antonym(&mut self, word: &str, opposite: &str) {
        for (from, to) in [(word, opposite), (opposite, word)] {
            self.antonyms.entry(from.to_string()).or_default().insert(to.to_string());
        }
    }
}

/// Whether the first of some words, at most so many of them, are one of these phrases.
fn open_with(phrases: &HashSet<String>, words: &[Cow<'_, str>], most: usize) -> bool {
    (1..=words.len().min(most)).any(|length| phrases.contains(&words[..length].join(" ")))
}

/// The words of a phrase without the marks between them: `e g`.
fn spoken(phrase: &str) -> String {
    let is_word = |token: &String| token.contains(char::is_alphanumeric);
    split(phrase).into_iter().filter(is_word).collect::<Vec<_>>().join(" ")
}

fn spaced(phrase: &str) -> String {
    split(phrase).join(" ")
}

/// Whether two runs of words differ only in spaces and hyphens: `set up`, `set-up` and `setup`.
fn same_compound(before: &[Cow<'_, str>], after: &[Cow<'_, str>]) -> bool {
    let join = |words: &[Cow<'_, str>]| -> String {
        let is_hyphen = |word: &str| matches!(word, "-" | "‐" | "‑");
        words.iter().filter(|word| !is_hyphen(word)).map(|word| &**word).collect()
    };
    let is_word = |word: &Cow<'_, str>| !word.contains(char::is_numeric);
    before.len() != after.len()
        && before.iter().chain(after).all(is_word)
        && join(before) == join(after)
        && !join(before).is_empty()
}
