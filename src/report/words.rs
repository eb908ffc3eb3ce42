//! What changed inside one fragment, word by word, as styled text: only the changed words and a little around them.
//! Knows nothing of places and blocks.

use unicode_segmentation::UnicodeSegmentation as _;

use super::layout::{ADDED, BOLD, PLAIN, REMOVED, Styled};
use crate::diagnostic::WordFact;
use crate::sanitize::sanitize_lines;

/// Columns of unchanged text that stay beside a change.
const CONTEXT: usize = 32;

/// One text with some words changed: `at [-45-]{+40+} °C`.
pub(super) fn merged(before: &str, after: &str, words: &[WordFact]) -> Styled {
    let mut text = Styled::new();
    let mut at = 0;
    for (nth, word) in words.iter().enumerate() {
        let removed = slice(before, word.before);
        let (start, end) = bounds(after, word.after, at);
        text.push(PLAIN, unchanged(&after[at..start], nth > 0, true));
        if !removed.is_empty() {
            text.push(REMOVED, format!("[-{}-]", clean(removed)));
        }
        if start < end {
            text.push(ADDED, format!("{{+{}+}}", clean(&after[start..end])));
        }
        at = end;
    }
    text.with(PLAIN, unchanged(&after[at..], !words.is_empty(), false))
}

/// The text before or after, with the words that went or came standing out.
pub(super) fn side(text: &str, words: impl IntoIterator<Item = (usize, usize)>, style: anstyle::Style) -> Styled {
    let mut styled = Styled::new();
    let mut at = 0;
    let mut first = true;
    for word in words {
        let (start, end) = bounds(text, word, at);
        styled.push(PLAIN, unchanged(&text[at..start], !first, true));
        styled.push(style | BOLD.get_effects(), clean(&text[start..end]));
        (at, first) = (end, false);
    }
    styled.with(PLAIN, unchanged(&text[at..], !first, false))
}

/// Repository text for several lines, tabs as spaces.
pub(super) fn clean(text: &str) -> String {
    sanitize_lines(text).replace('\t', "    ")
}

/// A range as the text allows it: behind `from`, on character boundaries.
fn bounds(text: &str, range: (usize, usize), from: usize) -> (usize, usize) {
    let floor = |at: usize| text.floor_char_boundary(at.min(text.len())).max(from);
    let start = floor(range.0);
    (start, floor(range.1).max(start))
}

fn slice(text: &str, range: (usize, usize)) -> &str {
    let (start, end) = bounds(text, range, 0);
    &text[start..end]
}

/// Unchanged text with its middle, or where no change stands on that side its end, left out if it is long.
fn unchanged(text: &str, change_before: bool, change_after: bool) -> String {
    let text = clean(text);
    let keep = |side: bool| if side { CONTEXT } else { 0 };
    let length = text.graphemes(true).count();
    if length <= keep(change_before) + keep(change_after) + WORTH {
        return text;
    }
    let head = if change_before { head(&text) } else { "" };
    let tail = if change_after { tail(&text) } else { "" };
    format!("{head}…{tail}")
}

/// Fewer characters than this are not worth leaving out.
const WORTH: usize = 8;

/// The first words, where there are words.
fn head(text: &str) -> &str {
    let end = text.grapheme_indices(true).nth(CONTEXT).map_or(text.len(), |(at, _)| at);
    let word = text[..end].rfind(char::is_whitespace).filter(|at| *at > 0);
    &text[..word.unwrap_or(end)]
}

/// The last words, where there are words.
fn tail(text: &str) -> &str {
    let start = text.grapheme_indices(true).nth_back(CONTEXT - 1).map_or(0, |(at, _)| at);
    let word =
        text[start..].char_indices().find(|(_, it)| it.is_whitespace()).map(|(at, it)| start + at + it.len_utf8());
    let start = word.filter(|at| *at < text.len()).unwrap_or(start);
    &text[start..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn word(before: (usize, usize), after: (usize, usize)) -> WordFact {
        WordFact { before, after }
    }

    fn check(before: &str, after: &str, words: &[WordFact], expected: &str) {
        assert_eq!(merged(before, after, words).paint(false), expected);
    }

    #[test]
    fn changed_words_are_marked() {
        check("at 45 °C", "at 40 °C", &[word((3, 5), (3, 5))], "at [-45-]{+40+} °C");
        check("a b", "a", &[word((1, 3), (1, 1))], "a[- b-]");
        check("a", "a b", &[word((1, 1), (1, 3))], "a{+ b+}");
        check("开", "关", &[word((0, 3), (0, 3))], "[-开-]{+关+}");
        check("same", "same", &[], "same");
    }

    #[test]
    fn long_unchanged_text_is_left_out() {
        let words = "lorem ipsum dolor sit amet consectetur ".repeat(3);
        let (before, after) = (format!("{words}x {words}y"), format!("{words}z {words}w"));
        let at = words.len();
        let last = before.len() - 1;
        check(
            &before,
            &after,
            &[word((at, at + 1), (at, at + 1)), word((last, last + 1), (last, last + 1))],
            "…dolor sit amet consectetur [-x-]{+z+} lorem ipsum dolor sit amet…dolor sit amet consectetur [-y-]{+w+}",
        );
    }

    #[test]
    fn sides_stand_out_in_colour() {
        let text = side("at 45 °C", [(3, 5)], REMOVED);
        assert_eq!(text.paint(true), "at \u{1b}[1m\u{1b}[31m45\u{1b}[0m °C");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn any_ranges(text in "[a漢 \u{1b}\n👩]{0,50}", ranges in prop::collection::vec((0_usize..200, 0_usize..200, 0_usize..200, 0_usize..200), 0..4)) {
            let words: Vec<WordFact> = ranges.iter().map(|(a, b, c, d)| word((*a, *b), (*c, *d))).collect();
            merged(&text, &text, &words);
            side(&text, words.iter().map(|word| word.after), ADDED);
        }
    }
}
