//! What a fragment is for, by its form and its opening: an entry of a list, links to other places, a line about the
//! document. Says nothing about what a change of it means.

use std::borrow::Cow;
use std::ops::Range;

use super::SignalKind;
use super::event::events;
use super::stream::Stream;
use super::token::{Place, TokenKind, fold};
use super::words::{Lexicon, Sense, Strength};
use crate::manual::{Fragment, FragmentKind};

/// No opening phrase, no placeholder and no status is longer.
const OPENING: usize = 8;

/// Whether a fragment is one of several of a kind.
pub(super) fn is_entry(fragment: &Fragment) -> bool {
    matches!(fragment.kind, FragmentKind::ListItem | FragmentKind::TableRow)
}

/// Whether a fragment, which came to a section from another one, carries something that obliges.
pub(super) fn states_something(lexicon: &Lexicon, fragment: &Fragment) -> bool {
    let stream = Stream::of(vec![fragment]);
    let strong = events(&stream, lexicon).iter().any(|event| event.kind.is_strong());
    strong && !is_navigation(&stream, 0) && !is_editorial(lexicon, &stream, 0)
}

/// Whether a fragment says what must, should or may be. What can be is a fact: "More can be found here:".
pub(super) fn obliges(lexicon: &Lexicon, fragment: &Fragment) -> bool {
    let stream = Stream::of(vec![fragment]);
    events(&stream, lexicon)
        .iter()
        .any(|event| event.kind == SignalKind::Modality && event.value != format!("{:?}", Strength::Able))
}

/// Whether a fragment is only links to other places here: a table of contents. Its words follow the headings.
pub(super) fn is_navigation(stream: &Stream<'_>, part: usize) -> bool {
    is_links(stream, part, |target| target.starts_with('#'))
}

/// Whether a fragment is an item of a list of links to read on: within this document, or to what others have written.
/// Links to other documents of the manual may be what a list is about.
pub(super) fn is_pointer(stream: &Stream<'_>, part: usize) -> bool {
    stream.fragment_of(part).kind == FragmentKind::ListItem
        && is_links(stream, part, |target| target.starts_with('#') || target.contains("://"))
}

/// Whether a fragment is nothing but links, all to targets of a kind.
fn is_links(stream: &Stream<'_>, part: usize, leads: fn(&str) -> bool) -> bool {
    let (mut linked, mut in_label) = (false, false);
    let only_links = stream.tokens_of(part).all(|at| match stream.place(at) {
        Place::Label => {
            in_label = true;
            true
        }
        // Code in a label stands behind its backtick, which is a part of the label.
        Place::Code => in_label || stream.is_mark(at),
        Place::Target => {
            linked = true;
            leads(stream.spelling(at))
        }
        Place::Prose | Place::Html | Place::Struck => {
            in_label = false;
            stream.is_mark(at)
        }
    });
    only_links && linked
}

/// Whether a fragment is a line about the document: when it was last changed, what is still to do, that nothing is said.
pub(super) fn is_editorial(lexicon: &Lexicon, stream: &Stream<'_>, part: usize) -> bool {
    let tokens = stream.tokens_of(part);
    let label = label(stream, part);
    let start = opening(stream, tokens.clone());
    // `Revision date must be shown` is about its subject, `To do: say what must be shown` is not.
    let named = if label.is_empty() { &start } else { &opening(stream, label.clone()) };
    (lexicon.is_editorial_line(&start) && !obliges_in(lexicon, named))
        || is_dated(lexicon, stream, tokens.clone())
        || lexicon.is_placeholder(&opening(stream, label.clone()), &opening(stream, label.end..tokens.end))
}

/// Whether all that some text says is when it was written: `Revised May 9, 2024`.
fn is_dated(lexicon: &Lexicon, stream: &Stream<'_>, tokens: Range<usize>) -> bool {
    let Some(date) = tokens.clone().find(|at| stream.kind(*at) == TokenKind::Date) else { return false };
    let before = opening(stream, tokens.start..date);
    lexicon.is_before_editorial_date(&before) && opening(stream, date + 1..tokens.end).is_empty()
}

/// Whether a fragment is a line that says how far the document, or this part of it, got: `Status: draft`.
pub(super) fn is_status(lexicon: &Lexicon, stream: &Stream<'_>, part: usize) -> bool {
    let is_said = |at: &usize| !stream.is_mark(*at) && stream.kind(*at) != TokenKind::LinkTarget;
    let words = stream.tokens_of(part).filter(is_said);
    lexicon.is_status(&words.take(OPENING).map(|at| fold(stream.key(at))).collect::<Vec<_>>())
}

/// Whether a fragment is a script or a style sheet, which nobody reads.
pub(super) fn is_machinery(fragment: &Fragment) -> bool {
    let opens = |tag: &str| fragment.text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    fragment.kind == FragmentKind::Html && (opens("<script") || opens("<style"))
}

/// Whether a fragment says only by which names others know what is said: `Baseline mapping: AC-6(10), CM-11`.
pub(super) fn is_mapping(lexicon: &Lexicon, stream: &Stream<'_>, part: usize) -> bool {
    let label = label(stream, part);
    let is_name = |at: usize| {
        let is_named = matches!(
            stream.kind(at),
            TokenKind::Identifier | TokenKind::Number | TokenKind::Reference | TokenKind::Version
        );
        is_named || stream.is_mark(at) || matches!(stream.place(at), Place::Label | Place::Target)
    };
    let mut words = label.clone().filter(|at| !stream.is_mark(*at)).map(|at| fold(stream.key(at)));
    let (first, last) = (words.next(), words.next_back());
    let is_labelled = [first, last].into_iter().flatten().any(|word| lexicon.is_mapping(&word));
    is_labelled && (label.end..stream.tokens_of(part).end).all(is_name)
}

/// Whether a fragment only informs, by its label or as a part of a note: `Note: Old pumps are louder.`
pub(super) fn is_note(lexicon: &Lexicon, stream: &Stream<'_>, part: usize) -> bool {
    let named = |part: usize| {
        let tokens = stream.tokens_of(part);
        let start = opening(stream, tokens);
        lexicon.is_note(&opening(stream, label(stream, part)))
            || lexicon.is_note(&start)
            || lexicon.is_note(&start[..start.len().min(2)])
    };
    // The mark of a note stands in a block of its own: `[!NOTE]`.
    let quote = &stream.fragment_of(part).context;
    let marked = |above: usize| stream.fragment_of(above).text.starts_with("[!") && named(above);
    let in_quote = |above: &usize| stream.fragment_of(*above).context == *quote;
    named(part) || (!quote.is_empty() && (0..part).rev().take_while(in_quote).any(marked))
}

/// Whether a fragment leads to others by a colon: `See also:`.
fn is_lead(stream: &Stream<'_>, part: usize) -> bool {
    stream.fragment_of(part).text.trim_end().ends_with(':')
}

/// The lead below which a fragment stands, whatever items are between.
pub(super) fn lead_of(stream: &Stream<'_>, part: usize) -> Option<usize> {
    let depth = |part: usize| stream.fragment_of(part).context.len();
    let mut below = depth(part);
    for above in (0..part).rev() {
        if below == 0 {
            break;
        }
        if depth(above) < below {
            below = depth(above);
            if is_lead(stream, above) {
                return Some(above);
            }
        }
    }
    None
}

/// Whether a fragment only leads to links to read on, or to nothing, and obliges to nothing.
pub(super) fn leads_to_pointers(lexicon: &Lexicon, stream: &Stream<'_>, part: usize) -> bool {
    let below = part + 1;
    is_lead(stream, part)
        && stream.has_part(below)
        && (is_pointer(stream, below) || is_editorial(lexicon, stream, below))
        && lead_of(stream, below) == Some(part)
        && !obliges(lexicon, stream.fragment_of(part))
}

/// Whether some words say what must, should or may be.
fn obliges_in(lexicon: &Lexicon, words: &[Cow<'_, str>]) -> bool {
    lexicon.senses(words).iter().any(|found| match found.sense {
        Sense::Modality(strength) => strength != Strength::Able,
        Sense::Negation | Sense::Quantifier(_) | Sense::Comparator(_) | Sense::Condition(_) | Sense::Number(_) => false,
    })
}

/// Whether a fragment says, by its label, why something is required: `Rationale: a worn seal leaks.`
pub(super) fn gives_reason(lexicon: &Lexicon, stream: &Stream<'_>, part: usize) -> bool {
    lexicon.is_reason(&opening(stream, label(stream, part)))
}

/// Whether a sentence opens as an example: `For example, the pump may stop.`
pub(super) fn gives_example(lexicon: &Lexicon, stream: &Stream<'_>, sentence: &Range<usize>) -> bool {
    lexicon.is_example(&opening(stream, sentence.clone()))
}

/// What stands before the first colon of a fragment.
fn label(stream: &Stream<'_>, part: usize) -> Range<usize> {
    let mut tokens = stream.tokens_of(part);
    let start = tokens.start;
    start..tokens.find(|at| stream.key(*at) == ":").unwrap_or(start)
}

/// The first words of a run.
fn opening<'s>(stream: &'s Stream<'_>, run: Range<usize>) -> Vec<Cow<'s, str>> {
    let words = run.filter(|at| !stream.is_mark(*at));
    words.take(OPENING).map(|at| fold(stream.key(at))).collect()
}
