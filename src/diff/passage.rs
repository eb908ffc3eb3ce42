//! What a fragment is for, by its form and its opening: an entry of a list, links to other places, a line about the
//! document. Says nothing about what a change of it means.

use std::borrow::Cow;

use super::stream::Stream;
use super::token::Place;
use super::words::Lexicon;
use crate::manual::{Fragment, FragmentKind};

/// Whether a fragment is one of several of a kind.
pub(super) fn is_entry(fragment: &Fragment) -> bool {
    matches!(fragment.kind, FragmentKind::ListItem | FragmentKind::TableRow)
}

/// Whether a fragment is only links to other places: a table of contents, a "see also". Its words follow the headings.
pub(super) fn is_navigation(stream: &Stream<'_>, part: usize) -> bool {
    let mut linked = false;
    let only_links = stream.tokens_of(part).all(|at| match stream.place(at) {
        Place::Label => true,
        Place::Target => {
            linked = true;
            stream.spelling(at).starts_with('#')
        }
        Place::Prose | Place::Code | Place::Html | Place::Struck => stream.is_mark(at),
    });
    only_links && linked
}

/// Whether a fragment is a line about the document: when it was last changed, what is still to do.
pub(super) fn is_editorial(lexicon: &Lexicon, stream: &Stream<'_>, part: usize) -> bool {
    /// No opening phrase is longer.
    const OPENING: usize = 8;
    let words = stream.tokens_of(part).filter(|at| !stream.is_mark(*at));
    let words: Vec<Cow<'_, str>> = words.take(OPENING).map(|at| Cow::Borrowed(stream.key(at))).collect();
    lexicon.is_editorial_line(&words)
}
