//! Where sentences begin and end in a canonical text.

use unicode_segmentation::UnicodeSegmentation;

use super::fold;
use super::scan::prefix;
use crate::diff::words;
use crate::manual::Inline;

/// How much text is segmented at once: the segmenter may look ahead to the end for every dot. Longer sentences are put
/// together again.
const WINDOW: usize = 2048;

/// The sentences of a canonical text as byte ranges, ascending, without the whitespace around them.
///
/// Unicode's sentence bounds, but none after an abbreviation or inside code, a link or a tag. Parts of a sentence that
/// semicolons separate stay together.
pub(crate) fn sentences(text: &str, inlines: &[Inline]) -> Vec<(usize, usize)> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut inlines = inlines.iter().peekable();
    for end in bounds(text) {
        while inlines.next_if(|inline| inline.end <= end).is_some() {}
        let is_inside = inlines.peek().is_some_and(|inline| inline.start < end);
        if end < text.len() && (is_inside || continues(&text[start..end], &text[end..])) {
            continue;
        }
        let trimmed = text[start..end].trim_end();
        let begin = end - text[start..end].trim_start().len();
        if begin < start + trimmed.len() {
            sentences.push((begin, start + trimmed.len()));
        }
        start = end;
    }
    sentences
}

/// Unicode's sentence bounds, the end of the text included.
fn bounds(text: &str) -> Vec<usize> {
    let mut bounds = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let window = prefix(&text[at..], WINDOW);
        let mut starts: Vec<usize> = window.split_sentence_bound_indices().map(|(start, _)| start).skip(1).collect();
        if at + window.len() == text.len() {
            starts.push(window.len());
        }
        bounds.extend(starts.iter().map(|start| at + start));
        // What the window cut off begins the next one; one sentence longer than it goes on.
        at += starts.last().copied().unwrap_or(window.len());
    }
    bounds
}

/// Whether the text before a bound does not end a sentence.
fn continues(before: &str, after: &str) -> bool {
    if before.ends_with('\n') {
        return false;
    }
    let Some(stem) = before.trim_end().strip_suffix('.') else { return false };
    let word_start = stem
        .rfind(|c: char| c.is_whitespace() || "([\"'“„".contains(c))
        .map_or(0, |at| at + stem[at..].chars().next().map_or(1, char::len_utf8));
    let word = fold(&stem[word_start..]);
    let next = prefix(after, 64).split_whitespace().next().unwrap_or_default();
    // `31. Januar`: an ordinal in German.
    let is_ordinal = word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit()) && words::is_month(next);
    is_ordinal || words::is_abbreviation(&word)
}
