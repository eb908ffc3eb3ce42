//! How much a change of text matters, and by what signs.
//!
//! Judges the differing text of one section as a whole: what was replaced, put in or taken out, wherever the borders of
//! its paragraphs are. What the words of a language mean is data, in `words`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::event::{Event, events};
use super::hunks::{Hunk, hunks};
use super::passage::{gives_reason, is_editorial, is_entry, is_navigation, is_pointer, obliges};
use super::phrases::{Phrases, is_doubled};
use super::stream::Stream;
use super::thresholds::{EXTENT, POINTER_WORDS, SCOPE_WORDS, SENTENCE, SENTENCE_EXTENT, STATEMENT_WORDS};
use super::token::{Place, TokenKind};
use super::words::{self, Lexicon};
use super::{Magnitude, Signal, SignalKind};
use crate::manual::Fragment;

/// One section before and after: all of its text, and the parts of it that differ.
pub(super) struct Case<'m> {
    pub(super) before: Vec<&'m Fragment>,
    pub(super) after: Vec<&'m Fragment>,
    pub(super) differs_before: Vec<&'m Fragment>,
    pub(super) differs_after: Vec<&'m Fragment>,
    /// Titles that text became, or that became text.
    pub(super) titles_before: &'m [Fragment],
    pub(super) titles_after: &'m [Fragment],
    /// The section is about the document, as a change log is.
    pub(super) editorial: bool,
    pub(super) renumbered: &'m Renumbered,
}

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

pub(super) fn judge<'m>(lexicon: &Lexicon, case: Case<'m>) -> Judgement<'m> {
    let differing = |fragments: &[&'m Fragment], titles: &'m [Fragment]| {
        Stream::of(fragments.iter().copied().chain(titles).collect())
    };
    let before = differing(&case.differs_before, case.titles_before);
    let after = differing(&case.differs_after, case.titles_after);
    let hunks = hunks(&before, &after);
    let court = Court::new(lexicon, &before, &after, &hunks);
    let whole = Whole::new(&case);
    let (mut changed, mut findings) = (0, Vec::new());
    for hunk in hunks {
        let standing = court.standing(&hunk, &whole);
        let weight = court.weight(&hunk, standing);
        changed += weight;
        findings.push(court.judge(hunk, (standing, weight), &whole));
    }
    let differing = (words_in(&before, case.differs_before.len())).max(words_in(&after, case.differs_after.len()));
    let extent = extent(changed, differing, &whole);
    Judgement { before, after, findings, extent }
}

/// What the amount of change says. The differing text is a part of the whole: where the change is small beside it alone,
/// the rest need not be read.
fn extent(changed: usize, differing: usize, whole: &Whole<'_>) -> Option<Signal> {
    let share = |words: usize| changed as f64 / words.max(1) as f64;
    if share(differing) <= EXTENT {
        return None;
    }
    let share = share(whole.before.len().max(whole.after.len()));
    (share > EXTENT).then(|| {
        let percent = (share * 100.0).round().min(100.0);
        Signal { kind: SignalKind::Extent, before: String::new(), after: format!("{percent} % of the words") }
    })
}

/// How many words stand in the first fragments of a stream.
fn words_in(stream: &Stream<'_>, fragments: usize) -> usize {
    (0..stream.len()).filter(|at| stream.part(*at) < fragments && !stream.is_mark(*at)).count()
}

/// The whole text of a section, for what the differing parts don't show.
struct Whole<'m> {
    before: Phrases<'m>,
    after: Phrases<'m>,
    editorial: bool,
    renumbered: &'m Renumbered,
}

impl<'m> Whole<'m> {
    fn new(case: &Case<'m>) -> Self {
        let (before, after) = (Phrases::of(case.before.clone()), Phrases::of(case.after.clone()));
        Self { before, after, editorial: case.editorial, renumbered: case.renumbered }
    }
}

/// The tokens of a hunk that a strong sign speaks of.
#[derive(Default)]
struct Told {
    before: BTreeSet<usize>,
    after: BTreeSet<usize>,
}

/// How a difference stands to what its section is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Its words say the same before and after.
    Same,
    /// It lies in text that is not the section's subject.
    Aside,
    /// It lies in text that says why something is required and requires nothing: only its figures count.
    Reason,
    Subject,
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

    fn standing(&self, hunk: &Hunk, whole: &Whole<'_>) -> Standing {
        if self.reads_the_same(hunk, whole) {
            Standing::Same
        } else if self.is_aside(hunk, whole) {
            Standing::Aside
        } else if self.is_in(hunk, |stream, part| gives_reason(self.lexicon, stream, part)) {
            Standing::Reason
        } else {
            Standing::Subject
        }
    }

    /// Whether a hunk lies in fragments of a kind, on both sides.
    fn is_in(&self, hunk: &Hunk, is: impl Fn(&Stream<'_>, usize) -> bool) -> bool {
        let all = |stream: &Stream<'_>, run: &Range<usize>| run.clone().all(|at| is(stream, stream.part(at)));
        all(self.before, &hunk.before) && all(self.after, &hunk.after)
    }

    /// How many words of a section differ in a hunk, once what reads the same is set aside.
    fn weight(&self, hunk: &Hunk, standing: Standing) -> usize {
        match standing {
            Standing::Same | Standing::Aside | Standing::Reason => 0,
            Standing::Subject => {
                let (gone, come) = self.content(hunk);
                gone.len().max(come.len())
            }
        }
    }

    fn judge(&self, hunk: Hunk, (standing, weight): (Standing, usize), whole: &Whole<'_>) -> Finding {
        if standing == Standing::Same {
            return Finding { hunk, magnitude: Magnitude::Minor, signals: Vec::new() };
        }
        // What a sign tells already, none after it tells again.
        let mut told = Told::default();
        let mut signals = self.event_signals(&hunk, whole.renumbered, &mut told);
        signals.extend(self.opposites(&hunk, &mut told));
        signals.extend(self.alternative(&hunk));
        signals.extend(self.lost_statements(&hunk));
        signals.extend(self.other_statement(&hunk, weight, &told));
        signals.extend(self.other_scope(&hunk, &told));
        if !signals.iter().any(|signal| signal.kind.is_strong()) {
            signals.extend(self.new_entries(&hunk, whole));
        }
        signals.sort();
        signals.dedup();
        let is_figure = |kind| matches!(kind, SignalKind::Number | SignalKind::Unit);
        match standing {
            Standing::Same | Standing::Aside => signals.retain(|signal| !signal.kind.is_strong()),
            Standing::Reason => signals.retain(|signal| !signal.kind.is_strong() || is_figure(signal.kind)),
            Standing::Subject => {}
        }
        let normative = self.is_normative(&hunk);
        // The version or the date that an obligation names is a value like any other.
        let is_value = |kind| normative && matches!(kind, SignalKind::Version | SignalKind::Date);
        let matters = |signal: &Signal| signal.kind.is_strong() || is_value(signal.kind);
        let magnitude = if signals.iter().any(matters) && standing != Standing::Aside {
            Magnitude::Substantive
        } else {
            Magnitude::Minor
        };
        Finding { hunk, magnitude, signals }
    }

    /// Whether the words of a hunk say the same before and after: another spelling, a slip corrected, a doubled word,
    /// a phrase that stands in the section already.
    fn reads_the_same(&self, hunk: &Hunk, whole: &Whole<'_>) -> bool {
        let (gone, come) = (self.words(self.before, &hunk.before), self.words(self.after, &hunk.after));
        // Code is taken to the letter.
        let is_literal = |stream: &Stream<'_>, run: &Range<usize>| run.clone().any(|at| stream.is_literal(at));
        let is_read = !is_literal(self.before, &hunk.before) && !is_literal(self.after, &hunk.after);
        let is_respelled = || {
            self.lexicon.same(&gone, &come)
                || self.is_correction(&gone, &come)
                || is_doubled(self.before, &hunk.before) && come.is_empty()
                || is_doubled(self.after, &hunk.after) && gone.is_empty()
        };
        (is_read && is_respelled())
            || (come.is_empty() && whole.after.hold(self.before, &hunk.before))
            || (gone.is_empty() && whole.before.hold(self.after, &hunk.after))
    }

    /// Whether each word is the one before, its slip corrected.
    fn is_correction(&self, gone: &[Cow<'_, str>], come: &[Cow<'_, str>]) -> bool {
        let corrects = |(before, after): (&Cow<'_, str>, &Cow<'_, str>)| {
            before == after || self.lexicon.typo(before, after) || self.lexicon.inflection(before, after)
        };
        !gone.is_empty() && gone.len() == come.len() && gone.iter().zip(come).all(corrects)
    }

    /// Whether a hunk lies in text that is not the section's subject: lines about the document, lists of links.
    fn is_aside(&self, hunk: &Hunk, whole: &Whole<'_>) -> bool {
        let whole_items = hunk.before.is_empty() || hunk.after.is_empty();
        let aside = |stream: &Stream<'_>, run: &Range<usize>, text: &Phrases<'_>| {
            // A table of contents may stand below any paragraph; one with a colon is about what follows.
            let is_led =
                |part, end| self.duty_before(text, stream.fragment_of(part)).is_some_and(|lead| lead.ends_with(end));
            let parts: BTreeSet<usize> = run.clone().map(|at| stream.part(at)).collect();
            parts.into_iter().all(|part| {
                (is_navigation(stream, part) && !is_led(part, ":"))
                    || (whole_items && is_pointer(stream, part) && !is_led(part, ""))
                    || is_editorial(self.lexicon, stream, part)
            })
        };
        // What is written into a change log is not the subject; what is rewritten there may be.
        (whole.editorial && hunk.before.is_empty())
            || (aside(self.before, &hunk.before, &whole.before) && aside(self.after, &hunk.after, &whole.after))
    }

    /// The obligation that the list of an item is what it is about: "The following MUST be dropped:".
    fn duty_before<'t>(&self, text: &Phrases<'t>, item: &Fragment) -> Option<&'t str> {
        let lead = text.before_list(item).filter(|lead| obliges(self.lexicon, lead))?;
        Some(lead.text.trim_end())
    }

    /// Whether the sentence around a hunk obliges to something.
    fn is_normative(&self, hunk: &Hunk) -> bool {
        let obliges = |stream: &Stream<'_>, events: &[Event], run: &Range<usize>| {
            stream.sentences(run).iter().any(|sentence| {
                touching(events, sentence).into_iter().any(|at| events[at].kind == SignalKind::Modality)
            })
        };
        obliges(self.before, &self.before_events, &hunk.before) || obliges(self.after, &self.after_events, &hunk.after)
    }

    /// The keys of the words and values of a run, without punctuation.
    fn words(&self, stream: &'a Stream<'m>, run: &Range<usize>) -> Vec<Cow<'a, str>> {
        run.clone().filter(|at| !stream.is_mark(*at)).map(|at| Cow::Borrowed(stream.key(at))).collect()
    }

    /// The words that differ once spelling, inflection and fillers are set aside.
    fn content(&self, hunk: &Hunk) -> (Vec<usize>, Vec<usize>) {
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
            let word = self.before.key(at);
            let same = |other: &usize| {
                let is_read = !self.before.is_literal(at) && !self.after.is_literal(*other);
                let other = self.after.key(*other);
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
    fn untold(&self, hunk: &Hunk, told: &Told) -> (Vec<usize>, Vec<usize>) {
        let (mut gone, mut come) = self.content(hunk);
        gone.retain(|at| !told.before.contains(at));
        come.retain(|at| !told.after.contains(at));
        (gone, come)
    }

    /// What an obligation depends on and is another one after.
    fn event_signals(&self, hunk: &Hunk, renumbered: &Renumbered, told: &mut Told) -> Vec<Signal> {
        let (befores, afters) = self.involved(hunk);
        let mut kinds: BTreeMap<SignalKind, (Vec<&Event>, Vec<&Event>)> = BTreeMap::new();
        for event in befores.into_iter().map(|at| &self.before_events[at]) {
            if !is_set_otherwise(event, self.before, (self.after, &hunk.after)) {
                kinds.entry(event.kind).or_default().0.push(event);
            }
        }
        for event in afters.into_iter().map(|at| &self.after_events[at]) {
            if !is_set_otherwise(event, self.after, (self.before, &hunk.before)) {
                kinds.entry(event.kind).or_default().1.push(event);
            }
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
                let follows = renumbered.get(&plain_number(before)).is_some_and(|now| *now == plain_number(after));
                let in_label = gone.get(at).is_some_and(|event| self.before.place(event.tokens.start) == Place::Label);
                let renamed = !before.is_empty() && !after.is_empty() && !follows && !in_label;
                let is_other = kind == SignalKind::CrossReference && renamed;
                // The id of a section that has another one now.
                let went_along = kind == SignalKind::Identifier && follows;
                let kind = if is_other { SignalKind::Reference } else { kind };
                let kind = if went_along { SignalKind::CrossReference } else { kind };
                if kind.is_strong() {
                    told.before.extend(gone.get(at).into_iter().flat_map(|event| event.tokens.clone()));
                    told.after.extend(come.get(at).into_iter().flat_map(|event| event.tokens.clone()));
                }
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
    fn opposites(&self, hunk: &Hunk, told: &mut Told) -> Vec<Signal> {
        /// In longer replacements any word finds an opposite somewhere.
        const MOST: usize = 12;
        let words = |stream: &Stream<'m>, run: &Range<usize>| -> Vec<usize> {
            run.clone().filter(|at| !stream.is_mark(*at)).collect()
        };
        let (gone, come) = (words(self.before, &hunk.before), words(self.after, &hunk.after));
        let mut signals = Vec::new();
        if gone.len() > MOST || come.len() > MOST {
            return signals;
        }
        let stayed_before = |at: &usize| come.iter().any(|other| self.after.key(*other) == self.before.key(*at));
        let stayed_after = |at: &usize| gone.iter().any(|other| self.before.key(*other) == self.after.key(*at));
        for &there in gone.iter().filter(|at| !stayed_before(at)) {
            for &here in come.iter().filter(|at| !stayed_after(at)) {
                let (before, after) = (self.before.key(there), self.after.key(here));
                let is_told = told.before.contains(&there) && told.after.contains(&here);
                if !is_told && self.lexicon.antonyms(before, after) {
                    let (before, after) = (before.to_owned(), after.to_owned());
                    signals.push(Signal { kind: SignalKind::Opposite, before, after });
                    told.before.insert(there);
                    told.after.insert(here);
                }
            }
        }
        signals
    }

    /// `or of the Union` put in or taken out; `2 and 5` that became `2 to 5`.
    fn alternative(&self, hunk: &Hunk) -> Option<Signal> {
        let (gone, come) = (self.words(self.before, &hunk.before), self.words(self.after, &hunk.after));
        let (run, stream, words) = match (gone.is_empty(), come.is_empty()) {
            (false, true) => (&hunk.before, self.before, &gone),
            (true, false) => (&hunk.after, self.after, &come),
            (false, false) => {
                let between =
                    is_between_values(self.before, &hunk.before) && is_between_values(self.after, &hunk.after);
                let (before, after) = (self.before.text(&hunk.before), self.after.text(&hunk.after));
                let kind = SignalKind::Alternative;
                return between.then(|| Signal { kind, before: before.to_owned(), after: after.to_owned() });
            }
            (true, true) => return None,
        };
        let says = |at: &usize| {
            let reference = stream.kind(*at) == TokenKind::Reference;
            reference || (!stream.is_mark(*at) && !self.lexicon.is_stop(stream.key(*at)))
        };
        let widens = self.lexicon.joins(words) && run.clone().any(|at| says(&at));
        // A sentence of its own is judged as one.
        let part = stream.sentences(run).iter().all(|sentence| !self.covers(stream, run, sentence));
        let text = stream.text(run).to_owned();
        (widens && part).then(|| match gone.is_empty() {
            true => Signal { kind: SignalKind::Alternative, before: String::new(), after: text },
            false => Signal { kind: SignalKind::Alternative, before: text, after: String::new() },
        })
    }

    /// Whole sentences that were taken out and said something.
    fn lost_statements(&self, hunk: &Hunk) -> Vec<Signal> {
        let lost = |sentence: &&Range<usize>| {
            // An item that left a list, or a row that left a table, says something however short it is.
            let enough = if is_entry(self.before.fragment(sentence.start)) { 1 } else { STATEMENT_WORDS };
            self.covers(self.before, &hunk.before, sentence) && self.content_words(self.before, sentence) >= enough
        };
        let replaced = self.words(self.after, &hunk.after).len() * 2 > self.words(self.before, &hunk.before).len();
        let sentences = self.before.sentences(&hunk.before).iter().filter(lost).filter(|_| !replaced);
        sentences
            .map(|sentence| Signal {
                kind: SignalKind::Statement,
                before: self.before.text(sentence).to_owned(),
                after: String::new(),
            })
            .collect()
    }

    /// Items put into a list and rows put into a table: what is said of the others holds for one more. One that opens with
    /// a link only tells where to read on, but where the list is what an obligation is about.
    fn new_entries(&self, hunk: &Hunk, whole: &Whole<'_>) -> Vec<Signal> {
        let come = |sentence: &&Range<usize>| {
            let (fragment, part) = (self.after.fragment(sentence.start), self.after.part(sentence.start));
            let entry = self.after.tokens_of(part);
            let opening = entry.clone().find(|at| !self.after.is_mark(*at));
            let opens_with_link = opening.is_none_or(|at| self.after.place(at) == Place::Label);
            // A sentence put into a step is one more step.
            let is_new =
                fragment.is_step() || (sentence.start == entry.start && self.covers(self.after, &hunk.after, &entry));
            is_entry(fragment)
                && is_new
                && whole.before.have(fragment.kind)
                && self.covers(self.after, &hunk.after, sentence)
                && ((!opens_with_link && self.says_something(sentence))
                    || self.duty_before(&whole.after, fragment).is_some())
                && !is_editorial(self.lexicon, self.after, part)
        };
        let replaces = self.words(self.before, &hunk.before).len() * 2 > self.words(self.after, &hunk.after).len();
        let entries = self.after.sentences(&hunk.after).iter().filter(come).filter(|_| !replaces);
        entries
            .map(|sentence| Signal {
                kind: SignalKind::Statement,
                before: String::new(),
                after: self.after.text(sentence).to_owned(),
            })
            .collect()
    }

    /// A sentence most of whose words are others says something else.
    fn other_statement(&self, hunk: &Hunk, weight: usize, told: &Told) -> Option<Signal> {
        let (gone, come) = (self.words(self.before, &hunk.before), self.words(self.after, &hunk.after));
        let is_told = || matches!(&self.untold(hunk, told), (gone, come) if gone.is_empty() && come.is_empty());
        if gone.is_empty() || come.is_empty() || weight == 0 || is_told() {
            return None;
        }
        let before = self.before.sentences(&hunk.before).first()?;
        let after = self.after.sentences(&hunk.after).first()?;
        let size = self.content_words(self.before, before).max(self.content_words(self.after, after));
        (weight as f64 >= SENTENCE_EXTENT * size as f64).then(|| Signal {
            kind: SignalKind::Statement,
            before: self.before.text(before).to_owned(),
            after: self.after.text(after).to_owned(),
        })
    }

    /// Words put into or taken out of a sentence that obliges say to whom, when or how far it does; so do several words
    /// replaced in it. One word for another is more often a better word.
    fn other_scope(&self, hunk: &Hunk, told: &Told) -> Option<Signal> {
        let (gone, come) = self.content(hunk);
        let words = gone.len() + come.len();
        let replaced = !gone.is_empty() && !come.is_empty();
        let phrase = |stream: &Stream<'_>, run: &Range<usize>| run.clone().filter(|at| !stream.is_mark(*at)).count();
        let whole_phrase = phrase(self.before, &hunk.before).min(phrase(self.after, &hunk.after)) >= SCOPE_WORDS;
        let matters = words > 0 && (!replaced || words >= SCOPE_WORDS || whole_phrase) && self.is_normative(hunk);
        // `must tell automatically` and `must automatically tell` are one; several words may swap their parts.
        let only_moved = words == 1 && self.is_reordered(hunk);
        let (gone, come) = if matters && !only_moved { self.untold(hunk, told) } else { return None };
        let text =
            |stream: &Stream<'m>, words: &[usize]| words.iter().map(|at| stream.key(*at)).collect::<Vec<_>>().join(" ");
        let (before, after) = (text(self.before, &gone), text(self.after, &come));
        (!gone.is_empty() || !come.is_empty()).then_some(Signal { kind: SignalKind::Scope, before, after })
    }

    /// Whether the sentence around a hunk has the same words that carry content before and after.
    fn is_reordered(&self, hunk: &Hunk) -> bool {
        let sentence = |stream: &Stream<'_>, run: &Range<usize>| match stream.sentences(run) {
            [sentence] => Some(sentence.clone()),
            _ => None,
        };
        let sentences = sentence(self.before, &hunk.before).zip(sentence(self.after, &hunk.after));
        let differing = sentences.map(|(before, after)| self.content(&Hunk { before, after }));
        differing.is_some_and(|(gone, come)| gone.is_empty() && come.is_empty())
    }

    /// Whether a run holds most of a sentence.
    fn covers(&self, stream: &Stream<'_>, run: &Range<usize>, sentence: &Range<usize>) -> bool {
        let words = |range: Range<usize>| range.filter(|at| !stream.is_mark(*at)).count();
        let inside = sentence.start.max(run.start)..sentence.end.min(run.end).max(sentence.start.max(run.start));
        words(inside) as f64 >= SENTENCE * words(sentence.clone()) as f64
    }

    /// Whether a sentence after says more than where to read on: `See [this](a.md)`, `For more, see [that](b.md)`.
    fn says_something(&self, sentence: &Range<usize>) -> bool {
        let (linked, plain): (Vec<usize>, Vec<usize>) =
            sentence.clone().partition(|at| matches!(self.after.place(*at), Place::Label | Place::Target));
        let words = plain.into_iter().filter(|at| self.content_words(self.after, &(*at..at + 1)) > 0).count();
        words > if linked.is_empty() { 0 } else { POINTER_WORDS }
    }

    /// Words of a sentence that carry content.
    fn content_words(&self, stream: &Stream<'_>, sentence: &Range<usize>) -> usize {
        let says = |at: &usize| {
            let target = stream.kind(*at) == TokenKind::LinkTarget;
            let key = stream.key(*at);
            !target && !stream.is_mark(*at) && !self.lexicon.is_stop(key) && !self.lexicon.is_filler(key)
        };
        sentence.clone().filter(says).count()
    }
}

/// Whether a name stands on the other side in other type: as plain text instead of code, in an attribute instead of text.
fn is_set_otherwise(event: &Event, stream: &Stream<'_>, (other, run): (&Stream<'_>, &Range<usize>)) -> bool {
    if event.kind == SignalKind::Unit {
        // `five seconds` has the unit of `5 seconds`, although no figure says so.
        return run.clone().any(|at| words::unit(other.spelling(at)) == Some(event.value.as_str()));
    }
    let is_name = matches!(event.kind, SignalKind::Code | SignalKind::Identifier) && event.tokens.len() == 1;
    let other_type = |at: usize| {
        other.spelling(at) == stream.spelling(event.tokens.start)
            && (other.kind(at), other.place(at)) != (stream.kind(event.tokens.start), stream.place(event.tokens.start))
    };
    is_name && run.clone().any(other_type)
}

/// Whether a run stands between two values.
fn is_between_values(stream: &Stream<'_>, run: &Range<usize>) -> bool {
    let value = |at: usize| match stream.kind(at) {
        TokenKind::Number | TokenKind::Reference | TokenKind::Date | TokenKind::Version => true,
        TokenKind::Word
        | TokenKind::Unit
        | TokenKind::Comparator
        | TokenKind::Code
        | TokenKind::Identifier
        | TokenKind::LinkTarget
        | TokenKind::Html
        | TokenKind::Punctuation
        | TokenKind::Symbol => false,
    };
    run.start > 0 && run.end < stream.len() && value(run.start - 1) && value(run.end)
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
