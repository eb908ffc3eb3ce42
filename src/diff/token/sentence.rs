//! Where sentences begin and end in a canonical text.

use unicode_segmentation::UnicodeSegmentation;

use super::fold;
use crate::diff::words;
use crate::manual::Inline;

/// The sentences of a canonical text as byte ranges, ascending, without the whitespace around them.
///
/// Unicode's sentence bounds, but none after an abbreviation or inside code, a link or a tag. Parts of a sentence that
/// semicolons separate stay together.
pub(crate) fn sentences(text: &str, inlines: &[Inline]) -> Vec<(usize, usize)> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut inlines = inlines.iter().peekable();
    for (at, sentence) in text.split_sentence_bound_indices() {
        let end = at + sentence.len();
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
    let next = after.split_whitespace().next().unwrap_or_default();
    // `31. Januar`: an ordinal in German.
    let is_ordinal = word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit()) && words::is_month(next);
    is_ordinal || words::is_abbreviation(&word)
}
