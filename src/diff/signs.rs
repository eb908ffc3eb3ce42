//! By what signs a difference matters: what an obligation depends on that is another one after, an opposite, an
//! alternative, a statement. How much a sign weighs is said in `magnitude`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::event::Event;
use super::hunks::Hunk;
use super::passage::{is_editorial, is_entry};
use super::sides::{Content, Sides, Told, Turn, plain_number};
use super::stream::Stream;
use super::thresholds::{POINTER_WORDS, PROMISE_WORDS, SCOPE_WORDS, SENTENCE_EXTENT, STATEMENT_WORDS};
use super::token::{Place, TokenKind};
use super::words::{self, Condition};
use super::{Signal, SignalKind};

impl<'m> Sides<'_, 'm> {
    /// The signs of a hunk whose words that say something are known, and how many of them carry weight; sorted.
    pub(super) fn signals(&self, hunk: &Hunk, content: &Content, weight: usize) -> Vec<Signal> {
        // What a sign tells already, none after it tells again.
        let mut told = Told::default();
        let mut signals = self.event_signals(hunk, &mut told);
        signals.extend(self.opposites(hunk, &mut told));
        signals.extend(self.alternative(hunk, content, &mut told));
        signals.extend(self.lost_statements(hunk));
        signals.extend(self.other_statement(hunk, (content, weight), &told));
        signals.extend(self.other_cell(hunk, content, &told));
        signals.extend(self.other_scope(hunk, content, &told));
        signals.extend(self.swapped(hunk, content, &mut told));
        signals.extend(self.other_thing(hunk, content, &told));
        signals.extend(self.turned(hunk));
        if !signals.iter().any(|signal| signal.kind.is_strong()) {
            signals.extend(self.new_entries(hunk));
        }
        signals.sort();
        signals.dedup();
        signals
    }

    /// What an obligation depends on and is another one after.
    fn event_signals(&self, hunk: &Hunk, told: &mut Told) -> Vec<Signal> {
        let (befores, afters) = self.involved(hunk);
        let mut kinds: BTreeMap<SignalKind, (Vec<&Event>, Vec<&Event>)> = BTreeMap::new();
        for event in befores.into_iter().map(|at| &self.before_events[at]) {
            if !is_set_otherwise(event, self.before, (self.after, &hunk.after)) && !self.is_set_around(event, true) {
                kinds.entry(event.kind).or_default().0.push(event);
            }
        }
        for event in afters.into_iter().map(|at| &self.after_events[at]) {
            if !is_set_otherwise(event, self.after, (self.before, &hunk.before)) && !self.is_set_around(event, false) {
                kinds.entry(event.kind).or_default().1.push(event);
            }
        }
        let mut signals = Vec::new();
        for (kind, (mut gone, mut come)) in kinds {
            // `The pump must, if it is wet, stop`: where in its sentence the only duty stands says nothing.
            if matches!(kind, SignalKind::Modality | SignalKind::Condition | SignalKind::Negation)
                && self.keeps_its_only(kind, hunk)
            {
                continue;
            }
            gone.retain(|event| match come.iter().position(|other| other.value == event.value) {
                Some(at) => {
                    come.remove(at);
                    false
                }
                None => true,
            });
            if kind == SignalKind::Condition && self.is_span_after(hunk) {
                continue;
            }
            for at in 0..gone.len().max(come.len()) {
                let before = gone.get(at).map_or("", |event| self.before.text(&event.tokens));
                let after = come.get(at).map_or("", |event| self.after.text(&event.tokens));
                let follows =
                    self.whole.renumbered.get(&plain_number(before)).is_some_and(|now| *now == plain_number(after));
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

    /// Whether a hunk has another word for what a span of time follows: `30 days of the order`, `30 days after the order`.
    fn is_span_after(&self, hunk: &Hunk) -> bool {
        let is_behind_unit = |stream: &Stream<'m>, run: &Range<usize>| {
            run.start.checked_sub(1).is_some_and(|before| stream.kind(before) == TokenKind::Unit)
        };
        let follows = |stream: &Stream<'m>, events: &[Event], run: &Range<usize>| {
            let after = format!("{:?}", Condition::After);
            run.len() == 1
                && (self.lexicon.is_filler(stream.key(run.start))
                    || events.iter().any(|event| event.tokens == *run && event.value == after))
        };
        is_behind_unit(self.before, &hunk.before)
            && is_behind_unit(self.after, &hunk.after)
            && follows(self.before, &self.before_events, &hunk.before)
            && follows(self.after, &self.after_events, &hunk.after)
    }

    /// Whether a word is a name: in capitals, as `CSP` or a state `IDLE`, the letter of one of several, as in `class B`, or
    /// alone in quotes.
    fn is_designation(&self, stream: &Stream<'_>, at: usize) -> bool {
        /// Longer ones may be words that are shouted.
        const LONGEST: usize = 6;
        let spelling = stream.spelling(at);
        let is_capital = spelling.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let is_behind_word = || {
            let before = at.checked_sub(1).filter(|before| stream.part(*before) == stream.part(at));
            before.is_some_and(|before| stream.kind(before) == TokenKind::Word)
        };
        let is_short = || match spelling.len() {
            1 => is_behind_word(),
            2..=LONGEST if !self.lexicon.knows(stream.key(at)) => true,
            _ => !self.lexicon.is_signal(stream.key(at)) && stands_out(stream, at),
        };
        stream.is_quoted(at) || (stream.kind(at) == TokenKind::Word && is_capital && is_short())
    }

    /// Words replaced by their opposites, and designations by others.
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
        // What has a longer name now may be the same thing: `AAD`, `Azure AD`.
        let is_one_for_one = gone.len() == 1 && come.len() == 1;
        let stayed_before = |at: &usize| come.iter().any(|other| self.after.key(*other) == self.before.key(*at));
        let stayed_after = |at: &usize| gone.iter().any(|other| self.before.key(*other) == self.after.key(*at));
        for &there in gone.iter().filter(|at| !stayed_before(at)) {
            for &here in come.iter().filter(|at| !stayed_after(at)) {
                let (before, after) = (self.before.key(there), self.after.key(here));
                let is_told = told.before.contains(&there) && told.after.contains(&here);
                if is_told {
                    continue;
                }
                let kind = if self.lexicon.antonyms(before, after) {
                    SignalKind::Opposite
                } else if is_one_for_one
                    && self.is_designation(self.before, there)
                    && self.is_designation(self.after, here)
                {
                    SignalKind::Identifier
                } else {
                    continue;
                };
                let (before, after) = (self.before.spelling(there).to_owned(), self.after.spelling(here).to_owned());
                signals.push(Signal { kind, before, after });
                told.before.insert(there);
                told.after.insert(here);
            }
        }
        signals
    }

    /// `or of the Union` put in or taken out; `2 and 5` that became `2 to 5`.
    fn alternative(&self, hunk: &Hunk, content: &Content, told: &mut Told) -> Option<Signal> {
        let kind = SignalKind::Alternative;
        let (gone, come) = (self.words(self.before, &hunk.before), self.words(self.after, &hunk.after));
        let joins_more = self.joins_more(hunk, content);
        if !gone.is_empty() && !come.is_empty() && !joins_more {
            let between = is_between_values(self.before, &hunk.before) && is_between_values(self.after, &hunk.after);
            let (before, after) = (self.before.text(&hunk.before), self.after.text(&hunk.after));
            return between.then(|| Signal { kind, before: before.to_owned(), after: after.to_owned() });
        }
        let is_gone = if joins_more { content.1.is_empty() } else { come.is_empty() };
        let (stream, run) = if is_gone { (self.before, &hunk.before) } else { (self.after, &hunk.after) };
        let joined = self.lexicon.joins(if is_gone { &gone } else { &come });
        let is_other = (joined && self.names_another(stream, run)) || self.is_enumerated(stream, run);
        // A sentence of its own is judged as one; `long and wide` is `wide and long`.
        let part = stream.sentences(run).iter().all(|sentence| !self.covers(stream, run, sentence));
        if !is_other || !part || self.is_reordered(hunk) {
            return None;
        }
        let text = stream.text(run).to_owned();
        told.before.extend(hunk.before.clone());
        told.after.extend(hunk.after.clone());
        Some(match is_gone {
            false => Signal { kind, before: String::new(), after: text },
            true => Signal { kind, before: text, after: String::new() },
        })
    }

    /// Whether one side of a hunk says no more than the other side and what that joins to it: `class`, `classes B and`.
    fn joins_more(&self, hunk: &Hunk, (gone, come): &Content) -> bool {
        /// A longer run is a clause.
        const WORDS: usize = 4;
        let more = |words: &[Cow<'_, str>], fewer: &[Cow<'_, str>]| {
            words.len() <= WORDS && !fewer.is_empty() && self.lexicon.joins(words) && !self.lexicon.joins(fewer)
        };
        let (before, after) = (self.words(self.before, &hunk.before), self.words(self.after, &hunk.after));
        match (gone.is_empty(), come.is_empty()) {
            (true, false) => more(&after, &before),
            (false, true) => more(&before, &after),
            (true, true) | (false, false) => false,
        }
    }

    /// Whether a run names something that the words around it don't: not `the chairwoman or` before `the chairman`.
    fn names_another(&self, stream: &Stream<'m>, run: &Range<usize>) -> bool {
        /// How far the other form of a word is from it at most.
        const NEAR: usize = 4;
        let around = || (run.start.saturating_sub(NEAR)..run.start).chain(run.end..(run.end + NEAR).min(stream.len()));
        let is_form = |at: usize| {
            let word = stream.key(at);
            around().map(|other| stream.key(other)).any(|other| other != word && self.lexicon.inflection(word, other))
        };
        run.clone().any(|at| {
            let says = !stream.is_mark(at) && !self.lexicon.is_stop(stream.key(at));
            stream.kind(at) == TokenKind::Reference || (says && !is_form(at))
        })
    }

    /// Whether a run is one of the things that its sentence lists: `valves,` in `pumps, valves, and pipes`.
    fn is_enumerated(&self, stream: &Stream<'m>, run: &Range<usize>) -> bool {
        /// A longer run is a clause.
        const WORDS: usize = 4;
        /// How far the word that ends a list is looked for.
        const FAR: usize = 200;
        let Some(sentence) = stream.sentences(run).first().filter(|_| !run.is_empty()) else { return false };
        let is_comma = |at: usize| matches!(stream.key(at), "," | "、");
        let joins = |at: usize| self.lexicon.joins(&[Cow::Borrowed(stream.key(at))]);
        let rest = run.end..sentence.end.min(run.end + FAR);
        let is_item = match (is_comma(run.start), is_comma(run.end - 1)) {
            (true, true) => rest.clone().next().is_some_and(joins),
            (starts, ends) => starts || ends,
        };
        let inside = run.start + 1..run.end - 1;
        // `In this case, the pump and the lamp stop` opens with no pump.
        let opening = stream.key(run.start);
        let is_adverbial =
            run.start == sentence.start && self.lexicon.is_stop(opening) && !self.lexicon.is_filler(opening);
        is_item
            && !is_adverbial
            && self.words(stream, run).len() <= WORDS
            && self.has_more_words(stream, run, 0)
            && !inside.clone().any(is_comma)
            && rest.clone().any(joins)
            && !rest.clone().any(|at| matches!(stream.key(at), ";" | ":" | "("))
    }

    /// Whole sentences that were taken out and said something.
    fn lost_statements(&self, hunk: &Hunk) -> Vec<Signal> {
        let lost = |sentence: &&Range<usize>| {
            // An item that left a list, or a row that left a table, says something however short it is.
            let enough = if is_entry(self.before.fragment(sentence.start)) { 1 } else { STATEMENT_WORDS };
            self.covers(self.before, &hunk.before, sentence) && self.has_more_words(self.before, sentence, enough - 1)
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
    fn new_entries(&self, hunk: &Hunk) -> Vec<Signal> {
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
                && self.whole.before.have(fragment.kind)
                && self.covers(self.after, &hunk.after, sentence)
                && ((!opens_with_link && self.says_something(sentence))
                    || self.duty_before(&self.whole.after, fragment).is_some())
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
    fn other_statement(&self, hunk: &Hunk, (content, weight): (&Content, usize), told: &Told) -> Option<Signal> {
        let (gone, come) = (self.words(self.before, &hunk.before), self.words(self.after, &hunk.after));
        let is_told = || matches!(&told.untold(content), (gone, come) if gone.is_empty() && come.is_empty());
        if gone.is_empty() || come.is_empty() || weight == 0 || is_told() {
            return None;
        }
        let before = self.before.sentences(&hunk.before).first()?;
        let after = self.after.sentences(&hunk.after).first()?;
        let most = (weight as f64 / SENTENCE_EXTENT) as usize;
        let is_longer = self.has_more_words(self.before, before, most) || self.has_more_words(self.after, after, most);
        (!is_longer).then(|| Signal {
            kind: SignalKind::Statement,
            before: self.before.text(before).to_owned(),
            after: self.after.text(after).to_owned(),
        })
    }

    /// Words put into or taken out of a sentence that obliges say to whom, when or how far it does; so do several words
    /// replaced in it. One word for another is more often a better word.
    fn other_scope(&self, hunk: &Hunk, content: &Content, told: &Told) -> Option<Signal> {
        let (gone, come) = content;
        let words = gone.len() + come.len();
        let replaced = !gone.is_empty() && !come.is_empty();
        let phrase = |stream: &Stream<'_>, run: &Range<usize>| run.clone().filter(|at| !stream.is_mark(*at)).count();
        let whole_phrase = phrase(self.before, &hunk.before).min(phrase(self.after, &hunk.after)) >= SCOPE_WORDS;
        let obliges = || self.is_normative(hunk) || (!replaced && words >= PROMISE_WORDS && self.promises(hunk));
        let matters = words > 0 && (!replaced || words >= SCOPE_WORDS || whole_phrase) && obliges();
        // `must tell automatically` and `must automatically tell` are one; several words may swap their parts.
        let only_moved = words == 1 && self.is_reordered(hunk);
        let (gone, come) = if matters && !only_moved { told.untold(content) } else { return None };
        let (gone, come) = self.not_repeated(hunk, (gone, come));
        let text =
            |stream: &Stream<'m>, words: &[usize]| words.iter().map(|at| stream.key(*at)).collect::<Vec<_>>().join(" ");
        let (before, after) = (text(self.before, &gone), text(self.after, &come));
        (!gone.is_empty() || !come.is_empty()).then_some(Signal { kind: SignalKind::Scope, before, after })
    }

    /// Words without those that a sentence cut in two says twice, or that two sentences made one say once: `a key. The key
    /// is told`, `a key, which is told`.
    fn not_repeated(&self, hunk: &Hunk, (gone, come): Content) -> Content {
        /// Longer ones are lists.
        const LONGEST: usize = 400;
        let around = |stream: &Stream<'m>, run: &Range<usize>| -> Option<(usize, Range<usize>)> {
            let sentences = stream.sentences(run);
            let whole = sentences.first()?.start..sentences.last()?.end;
            (whole.len() <= LONGEST).then_some((sentences.len(), whole))
        };
        let (Some((there, before)), Some((here, after))) =
            (around(self.before, &hunk.before), around(self.after, &hunk.after))
        else {
            return (gone, come);
        };
        if there == here {
            return (gone, come);
        }
        let left = |words: Vec<usize>, stream: &Stream<'m>, other: &Stream<'m>, around: &Range<usize>| {
            let stands = |at: usize| around.clone().any(|place| other.key(place) == stream.key(at));
            words.into_iter().filter(|at| !stands(*at)).collect::<Vec<_>>()
        };
        (left(gone, self.before, self.after, &after), left(come, self.after, self.before, &before))
    }

    /// One word put in the place of another of the same sentence: `the pump tells the valve`, `the valve tells the pump`.
    fn swapped(&self, hunk: &Hunk, content: &Content, told: &mut Told) -> Option<Signal> {
        if hunk.before.is_empty() || hunk.after.is_empty() {
            return None;
        }
        let (gone, come) = told.untold(content);
        let is_swap = matches!((&gone[..], &come[..]), ([_], [_])) && self.is_reordered(hunk);
        is_swap.then(|| {
            told.before.extend(gone);
            told.after.extend(come);
            Signal {
                kind: SignalKind::Order,
                before: self.before.text(&hunk.before).to_owned(),
                after: self.after.text(&hunk.after).to_owned(),
            }
        })
    }

    /// A sentence put into the passive with the one who acts still first: the other one acts now.
    fn turned(&self, hunk: &Hunk) -> Option<Signal> {
        let has_marker = |stream: &Stream<'m>, run: &Range<usize>| {
            run.clone().any(|at| self.lexicon.is_agent_marker(stream.key(at)))
        };
        let is_marked = has_marker(self.before, &hunk.before) || has_marker(self.after, &hunk.after);
        (is_marked && self.turn(hunk) == Some(Turn::OtherRoles)).then(|| Signal {
            kind: SignalKind::Order,
            before: self.before.text(&hunk.before).to_owned(),
            after: self.after.text(&hunk.after).to_owned(),
        })
    }

    /// One word for another where the two are not the same thing: both have their uses elsewhere in the section, or they
    /// name what a step is done with. Any other word may be a better word for the same.
    fn other_thing(&self, hunk: &Hunk, content: &Content, told: &Told) -> Option<Signal> {
        let (gone, come) = told.untold(content);
        let ([there], [here]) = (&gone[..], &come[..]) else { return None };
        let is_word =
            |stream: &Stream<'m>, at: usize| stream.kind(at) == TokenKind::Word && stream.place(at) == Place::Prose;
        let (before, after) = (self.before.key(*there), self.after.key(*here));
        if !is_word(self.before, *there) || !is_word(self.after, *here) || open_alike(before, after) {
            return None;
        }
        // What is called otherwise now is called so everywhere.
        let (there_of, here_of) = (|word| self.whole.before.count(word), |word| self.whole.after.count(word));
        let is_once = there_of(before) <= here_of(before) + 1 && here_of(after) <= there_of(after) + 1;
        let is_thing =
            |stream: &Stream<'m>, at: usize| stream.fragment(at).is_step() && self.is_behind_article(stream, at);
        let is_tool = is_thing(self.before, *there) && is_thing(self.after, *here);
        let are_two = here_of(before) > 0 && there_of(after) > 0 && self.is_normative(hunk);
        let in_name = self.is_in_name(self.before, *there) && self.is_in_name(self.after, *here);
        (in_name || (is_once && (is_tool || are_two))).then(|| Signal {
            kind: SignalKind::Scope,
            before: self.before.spelling(*there).to_owned(),
            after: self.after.spelling(*here).to_owned(),
        })
    }

    /// Whether a word stands right behind an article or the like: `the crane`, but not `carefully`.
    fn is_behind_article(&self, stream: &Stream<'m>, at: usize) -> bool {
        let before = at.checked_sub(1).filter(|before| stream.part(*before) == stream.part(at));
        before.is_some_and(|before| self.lexicon.is_article(stream.key(before)))
    }

    /// Whether a sentence after says more than where to read on: `See [this](a.md)`, `For more, see [that](b.md)`.
    fn says_something(&self, sentence: &Range<usize>) -> bool {
        let (linked, plain): (Vec<usize>, Vec<usize>) =
            sentence.clone().partition(|at| matches!(self.after.place(*at), Place::Label | Place::Target));
        let words = plain.into_iter().filter(|at| self.has_more_words(self.after, &(*at..at + 1), 0)).count();
        words > if linked.is_empty() { 0 } else { POINTER_WORDS }
    }
}

/// Whether a word between others is in capitals, and they are not: `goes to IDLE when it`.
fn stands_out(stream: &Stream<'_>, at: usize) -> bool {
    let is_plain = |at: &usize| stream.spelling(*at).chars().any(char::is_lowercase);
    let around = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
    let words: Vec<usize> = around
        .filter(|at| *at < stream.len() && stream.kind(*at) == TokenKind::Word)
        .filter(|other| stream.part(*other) == stream.part(at))
        .collect();
    !words.is_empty() && words.iter().all(is_plain)
}

/// Whether two words have most letters in common, from the first on: one is a short form of the other, or a form of it.
fn open_alike(before: &str, after: &str) -> bool {
    let common = before.chars().zip(after.chars()).take_while(|(one, other)| one == other).count();
    let shorter = before.chars().count().min(after.chars().count());
    common * 3 >= shorter * 2
}

/// Whether a name stands on the other side in other type: as plain text instead of code, in an attribute instead of text.
fn is_set_otherwise(event: &Event, stream: &Stream<'_>, (other, run): (&Stream<'_>, &Range<usize>)) -> bool {
    if event.kind == SignalKind::Unit {
        // `five seconds` has the unit of `5 seconds`, although no figure says so.
        let is_unit = |name: &str| words::unit(name) == Some(event.value.as_str());
        let in_two_words =
            |at: usize| at + 1 < run.end && is_unit(&format!("{} {}", other.spelling(at), other.spelling(at + 1)));
        return run.clone().any(|at| is_unit(other.spelling(at)) || in_two_words(at));
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
