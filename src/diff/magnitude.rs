//! How much a change of text matters, by the signs that `signs.rs` finds.
//!
//! Judges the differing text of one section as a whole: what was replaced, put in or taken out, wherever the borders of
//! its paragraphs are. What the words of a language mean is data, in `words`.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::footnotes::Relabelled;
use super::hunks::{Hunk, hunks};
use super::passage::{
    gives_reason, is_editorial, is_machinery, is_mapping, is_navigation, is_note, is_pointer, is_status, lead_of,
    leads_to_pointers,
};
use super::phrases::{Phrases, is_abbreviation, is_doubled, is_initialism, same_designation};
use super::sides::{Renumbered, Sides, Turn, Whole};
use super::stream::Stream;
use super::thresholds::EXTENT;
use super::token::TokenKind;
use super::words::Lexicon;
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
    /// The section says what its authors still have to do.
    pub(super) pending: bool,
    /// The section is a provision of a law, in which the indicative obliges.
    pub(super) enacted: bool,
    pub(super) renumbered: &'m Renumbered,
    pub(super) relabelled: &'m Relabelled,
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
    let before = differing(&case.differs_before, case.titles_before).relabelled(case.relabelled);
    let after = differing(&case.differs_after, case.titles_after);
    let hunks = hunks(&before, &after);
    let whole = Whole {
        before: Phrases::of(case.before),
        after: Phrases::of(case.after),
        editorial: case.editorial,
        pending: case.pending,
        enacted: case.enacted,
        renumbered: case.renumbered,
    };
    let sides = Sides::new(lexicon, (&before, &after), &hunks, &whole);
    let (mut changed, mut findings) = (0, Vec::new());
    for hunk in hunks {
        let (finding, weight) = sides.judge(hunk);
        changed += weight;
        findings.push(finding);
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

impl Sides<'_, '_> {
    fn standing(&self, hunk: &Hunk) -> Standing {
        if self.reads_the_same(hunk) {
            Standing::Same
        } else if self.is_aside(hunk) || self.is_added_note(hunk) || self.is_explanation(hunk) {
            Standing::Aside
        } else if self.is_reason(hunk) {
            Standing::Reason
        } else {
            Standing::Subject
        }
    }

    /// Whether a hunk lies in text that says why something is required, on both sides, and makes no other duty of one that
    /// stands there all the same: `Rationale: It leaks, so it must be shut`.
    fn is_reason(&self, hunk: &Hunk) -> bool {
        let all = |stream: &Stream<'_>, run: &Range<usize>| {
            let parts: BTreeSet<usize> = run.clone().map(|at| stream.part(at)).collect();
            parts.into_iter().all(|part| gives_reason(self.lexicon, stream, part))
        };
        all(self.before, &hunk.before) && all(self.after, &hunk.after) && !self.turns_duty(hunk)
    }

    /// Whether a hunk puts in notes that inform, as whole fragments, and neither oblige nor limit anything.
    fn is_added_note(&self, hunk: &Hunk) -> bool {
        let run = &hunk.after;
        let parts: BTreeSet<usize> = run.clone().map(|at| self.after.part(at)).collect();
        let is_whole = |part: &usize| {
            let tokens = self.after.tokens_of(*part);
            let informs = || is_note(self.lexicon, self.after, *part) || is_mapping(self.lexicon, self.after, *part);
            run.start <= tokens.start && tokens.end <= run.end && informs()
        };
        hunk.before.is_empty() && parts.iter().all(is_whole) && !self.limits(run)
    }

    /// What a hunk comes to, and how many words of the section differ in it, once what reads the same is set aside.
    fn judge(&self, hunk: Hunk) -> (Finding, usize) {
        let standing = self.standing(&hunk);
        if standing == Standing::Same {
            return (Finding { hunk, magnitude: Magnitude::Minor, signals: Vec::new() }, 0);
        }
        let content = self.content(&hunk);
        let weight = match standing {
            Standing::Same | Standing::Aside | Standing::Reason => 0,
            // What leads to the same place may be called otherwise.
            Standing::Subject if self.is_title_of_same_link(&hunk) => 0,
            Standing::Subject => content.0.len().max(content.1.len()),
        };
        let mut signals = self.signals(&hunk, &content, weight);
        let is_figure = |kind| matches!(kind, SignalKind::Number | SignalKind::Unit);
        match standing {
            Standing::Same | Standing::Aside => signals.retain(|signal| !signal.kind.is_strong()),
            // A figure that comes into a reason was not relied on; one that is another one now may have been.
            Standing::Reason => signals
                .retain(|signal| !signal.kind.is_strong() || (is_figure(signal.kind) && !signal.before.is_empty())),
            Standing::Subject => {}
        }
        // The version or the date that an obligation names, or a sentence states, is a value like any other.
        let is_stated = self.is_normative(&hunk) || (standing == Standing::Subject && self.states_stamp(&hunk));
        let is_value = |kind| is_stated && matches!(kind, SignalKind::Version | SignalKind::Date);
        let matters = |signal: &Signal| signal.kind.is_strong() || is_value(signal.kind);
        let magnitude = if signals.iter().any(matters) && standing != Standing::Aside {
            Magnitude::Substantive
        } else {
            Magnitude::Minor
        };
        (Finding { hunk, magnitude, signals }, weight)
    }

    /// Whether the words of a hunk say the same before and after: another spelling, a slip corrected, a doubled word,
    /// a phrase that stands in the section already.
    fn reads_the_same(&self, hunk: &Hunk) -> bool {
        let (gone, come) = (self.words(self.before, &hunk.before), self.words(self.after, &hunk.after));
        // Code is taken to the letter.
        let is_literal = |stream: &Stream<'_>, run: &Range<usize>| run.clone().any(|at| stream.is_literal(at));
        let is_read = !is_literal(self.before, &hunk.before) && !is_literal(self.after, &hunk.after);
        let is_name =
            |stream: &Stream<'_>, run: &Range<usize>| run.clone().any(|at| stream.kind(at) == TokenKind::Identifier);
        let has_name = is_name(self.before, &hunk.before) || is_name(self.after, &hunk.after);
        let is_respelled = || {
            self.lexicon.same(&gone, &come)
                || self.is_correction(&gone, &come, !has_name)
                || is_doubled(self.before, &hunk.before) && come.is_empty()
                || is_doubled(self.after, &hunk.after) && gone.is_empty()
                || is_abbreviation(self.before, &hunk.before) && come.is_empty()
                || is_abbreviation(self.after, &hunk.after) && gone.is_empty()
                || is_initialism(self.before, &hunk.before, (self.after, &hunk.after))
                || is_initialism(self.after, &hunk.after, (self.before, &hunk.before))
                || self.is_hyphenated(hunk)
                || self.is_noun_for_pronoun(hunk)
                || self.turn(hunk) == Some(Turn::SameRoles)
                || self.is_link_title(hunk)
                || self.is_negated_otherwise(hunk)
                || same_designation(self.before.text(&hunk.before), self.after.text(&hunk.after))
        };
        (is_read && is_respelled())
            || (come.is_empty() && self.whole.after.hold(self.before, &hunk.before))
            || (gone.is_empty() && self.whole.before.hold(self.after, &hunk.after))
    }

    /// Whether a hunk has a word that is negated for the one that says so: `not compatible`, `incompatible`. Before a
    /// conjunction the negation may be of more words than one.
    fn is_negated_otherwise(&self, hunk: &Hunk) -> bool {
        let (gone, come) = (self.words(self.before, &hunk.before), self.words(self.after, &hunk.after));
        let (negated, word) = if gone.len() > come.len() { (&gone, &come) } else { (&come, &gone) };
        let next = (hunk.after.end < self.after.len()).then(|| Cow::Borrowed(self.after.key(hunk.after.end)));
        let is_one_of_several = next.is_some_and(|next| self.lexicon.joins(&[next]));
        matches!(&word[..], [word] if self.lexicon.is_complement(word, negated)) && !is_one_of_several
    }

    /// Whether a hunk has a pronoun for a noun: `the keeper`, `you`.
    fn is_noun_for_pronoun(&self, hunk: &Hunk) -> bool {
        /// More words say more than a noun.
        const WORDS: usize = 4;
        let is_word = |stream: &Stream<'_>, at: usize| stream.kind(at) == TokenKind::Word;
        let has_pronoun = |stream: &Stream<'_>, run: &Range<usize>| {
            run.len() <= WORDS && run.clone().any(|at| is_word(stream, at) && self.lexicon.is_pronoun(stream.key(at)))
        };
        let (before, after) = (has_pronoun(self.before, &hunk.before), has_pronoun(self.after, &hunk.after));
        if !(before || after) || hunk.before.len().max(hunk.after.len()) > WORDS {
            return false;
        }
        let (gone, come) = self.content(hunk);
        let is_noun = match (&gone[..], &come[..]) {
            ([noun], []) => after && is_word(self.before, *noun),
            ([], [noun]) => before && is_word(self.after, *noun),
            _ => false,
        };
        let (befores, afters) = self.involved(hunk);
        is_noun && befores.is_empty() && afters.is_empty()
    }

    /// Whether a hunk is nothing but the hyphen of a compound: `de facto`, `de-facto`.
    fn is_hyphenated(&self, hunk: &Hunk) -> bool {
        let joins = |stream: &Stream<'_>, run: &Range<usize>| {
            let is_word = |at: usize| at < stream.len() && stream.kind(at) == TokenKind::Word;
            run.len() == 1
                && matches!(stream.key(run.start), "-" | "‐" | "‑")
                && run.start.checked_sub(1).is_some_and(is_word)
                && is_word(run.end)
        };
        (hunk.before.is_empty() && joins(self.after, &hunk.after))
            || (hunk.after.is_empty() && joins(self.before, &hunk.before))
    }

    /// Whether each word is the one before, in another form or its slip corrected. No letter of a name is a slip.
    fn is_correction(&self, gone: &[Cow<'_, str>], come: &[Cow<'_, str>], may_slip: bool) -> bool {
        let corrects =
            |(before, after): (&Cow<'_, str>, &Cow<'_, str>)| before == after || self.is_form(before, after, may_slip);
        !gone.is_empty() && gone.len() == come.len() && gone.iter().zip(come).all(corrects)
    }

    /// Whether a hunk lies in text that is not the section's subject: lines about the document, lists of links.
    fn is_aside(&self, hunk: &Hunk) -> bool {
        let parts = |stream: &Stream<'_>, run: &Range<usize>| -> BTreeSet<usize> {
            run.clone().map(|at| stream.part(at)).collect()
        };
        let all_of = |stream: &Stream<'_>, run: &Range<usize>, is: &dyn Fn(usize) -> bool| {
            parts(stream, run).into_iter().all(is)
        };
        // Where there is no list to read, `None` may stand.
        let is_blank = |stream: &Stream<'_>, run: &Range<usize>| {
            all_of(stream, run, &|part| is_editorial(self.lexicon, stream, part))
        };
        let is_whole = is_blank(self.before, &hunk.before) || is_blank(self.after, &hunk.after);
        let aside = |stream: &Stream<'_>, run: &Range<usize>, text: &Phrases<'_>| {
            all_of(stream, run, &|part| {
                self.is_beside(stream, part, text) || (is_whole && self.is_to_read_on(stream, (part, run), text))
            })
        };
        // What is written into a change log is not the subject; what is rewritten there may be.
        self.whole.pending
            || (self.whole.editorial && hunk.before.is_empty())
            || (aside(self.before, &hunk.before, &self.whole.before)
                && aside(self.after, &hunk.after, &self.whole.after))
    }

    /// Whether a fragment is not about the section's subject, whatever becomes of it.
    fn is_beside(&self, stream: &Stream<'_>, part: usize, text: &Phrases<'_>) -> bool {
        // A table of contents may stand below any paragraph; one with a colon is about what follows.
        (is_navigation(stream, part) && !self.is_led(stream, part, (text, ":")))
            || is_machinery(stream.fragment_of(part))
            || is_editorial(self.lexicon, stream, part)
    }

    /// Whether a fragment that came or went as a whole only says where to read on, or how far the document got.
    fn is_to_read_on(&self, stream: &Stream<'_>, (part, run): (usize, &Range<usize>), text: &Phrases<'_>) -> bool {
        let is_whole_lead = |part| {
            run.contains(&stream.tokens_of(part).start)
                && leads_to_pointers(self.lexicon, stream, part)
                && !self.is_led(stream, part, (text, ":"))
        };
        let is_below_lead = || lead_of(stream, part).is_some_and(is_whole_lead);
        is_whole_lead(part)
            || (is_pointer(stream, part) && (!self.is_led(stream, part, (text, "")) || is_below_lead()))
            || is_status(self.lexicon, stream, part)
    }

    /// Whether an obligation that ends so stands before the list that a fragment is in.
    fn is_led(&self, stream: &Stream<'_>, part: usize, (text, end): (&Phrases<'_>, &str)) -> bool {
        self.duty_before(text, stream.fragment_of(part)).is_some_and(|lead| lead.ends_with(end))
    }
}
