//! What a fragment is for, by its form and its opening: an entry of a list, links to other places, a line about the
//! document. Says nothing about what a change of it means.

use std::borrow::Cow;
use std::ops::Range;

use super::SignalKind;
use super::event::events;
use super::stream::Stream;
use super::token::Place;
use super::words::{Lexicon, Strength};
use crate::manual::{Fragment, FragmentKind};

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
    /// No opening phrase and no placeholder is longer.
    const OPENING: usize = 8;
    let words = |tokens: Range<usize>| -> Vec<Cow<'_, str>> {
        let words = tokens.filter(|at| !stream.is_mark(*at));
        words.take(OPENING).map(|at| Cow::Borrowed(stream.key(at))).collect()
    };
    let tokens = stream.tokens_of(part);
    let label = tokens.clone().find(|at| stream.key(*at) == ":").unwrap_or(tokens.start);
    lexicon.is_editorial_line(&words(tokens.clone()))
        || lexicon.is_placeholder(&words(tokens.start..label), &words(label..tokens.end))
}
