//! Words and numbers by their letters alone: stems of inflected forms, how near two spellings are, grouped digits.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Shorter stems are chance.
const MIN_STEM: usize = 3;

/// Longer words are not compared letter by letter.
const MAX_WORD: usize = 40;

/// Which slips of the pen a correction may undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slips {
    /// Letters left out, added, swapped or replaced.
    Any,
    NoReplacement,
}

/// The word and what it may be without each of the endings, which are given with what stands in their place in the
/// plain form. Two forms of a word have one in common.
pub(super) fn stems(word: &str, endings: &[(String, String)]) -> Vec<String> {
    let mut stems = vec![word.to_string()];
    for (ending, plain) in endings {
        let Some(stem) = word.strip_suffix(ending.as_str()) else { continue };
        // `process` has no ending `s`.
        if ending == "s" && stem.ends_with('s') {
            continue;
        }
        stems.push(format!("{stem}{plain}"));
        // `stopped`, `stopping`.
        let mut last = stem.char_indices().rev();
        if let (true, Some((at, one)), Some((_, other))) = (plain.is_empty(), last.next(), last.next())
            && matches!(ending.as_str(), "ed" | "ing")
            && one == other
        {
            stems.push(stem[..at].to_string());
        }
    }
    stems.retain(|stem| stem == word || stem.chars().count() >= MIN_STEM);
    stems
}

/// Whether two spellings are so near that one may be a slip of the other: one slip in words of 4 to 7 letters, two in
/// longer ones, two letters swapped from 3 letters on; the first letter is the same or swapped.
pub(super) fn is_near(before: &str, after: &str, slips: Slips) -> bool {
    let before: Vec<char> = before.chars().collect();
    let after: Vec<char> = after.chars().collect();
    let shorter = before.len().min(after.len());
    let longer = before.len().max(after.len());
    let letters = before.iter().chain(&after).all(|character| character.is_alphabetic() || *character == '\'');
    if before == after || !letters || longer > MAX_WORD || shorter < MIN_STEM {
        return false;
    }
    if is_swap(&before, &after) {
        return true;
    }
    let allowed = if longer < 8 { 1 } else { 2 };
    let slipped = distance(&before, &after, slips);
    // Two slips at the end make another ending, and so another word: `aggregator`, `aggregation`.
    shorter >= 4 && before[0] == after[0] && slipped <= allowed && (slipped < 2 || before.last() == after.last())
}

/// Whether two words differ in nothing but how their letters are marked: `Äußerung`, `Aeusserung`, `événement`, `evenement`.
pub(super) fn is_marked_otherwise(before: &str, after: &str) -> bool {
    /// Of shorter words the mark may make another one: `ou`, `où`.
    const SHORTEST: usize = 4;
    let is_long = |word: &str| word.chars().count() >= SHORTEST;
    let bare = |word: &str| word.nfd().filter(|letter| !is_combining_mark(*letter)).collect::<String>();
    let spread = |word: &str| word.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss");
    let has_marks = !before.is_ascii() || !after.is_ascii();
    has_marks && is_long(before) && is_long(after) && (bare(before) == bare(after) || spread(before) == spread(after))
}

/// Whether a letter was left out or two were swapped, however short the words are.
pub(super) fn is_one_letter_off(before: &str, after: &str) -> bool {
    let letters = |word: &str| -> Vec<char> { word.chars().take(MAX_WORD).collect() };
    let (before, after) = (letters(before), letters(after));
    let is_word = before.iter().chain(&after).all(|character| character.is_alphabetic());
    is_word && before.len().abs_diff(after.len()) <= 1 && distance(&before, &after, Slips::NoReplacement) == 1
}

/// A number without the marks that group its digits by three, given as the tokens it was cut into: `250.000`, `250 000`
/// and `250000` are the same where `.` groups. None if it is no whole number.
pub(super) fn ungrouped(words: &[Cow<'_, str>], group: char) -> Option<String> {
    let mut parts = words.iter().flat_map(|word| word.split([group, '\'']));
    let mut number = parts.next()?.to_string();
    let is_first_short = number.len() <= 3;
    for part in parts {
        if !is_first_short || part.len() != 3 {
            return None;
        }
        number.push_str(part);
    }
    number.bytes().all(|digit| digit.is_ascii_digit()).then_some(number)
}

/// Whether two neighbouring letters changed places, and nothing else.
fn is_swap(before: &[char], after: &[char]) -> bool {
    let Some(at) = before.iter().zip(after).position(|(before, after)| before != after) else { return false };
    before.len() == after.len()
        && before.get(at + 1) == Some(&after[at])
        && after.get(at + 1) == Some(&before[at])
        && before[at + 2..] == after[at + 2..]
}

/// Slips between two spellings: letters left out, added, replaced, or swapped with their neighbour.
fn distance(before: &[char], after: &[char], slips: Slips) -> usize {
    let replacement = match slips {
        Slips::Any => 1,
        Slips::NoReplacement => 3,
    };
    let width = after.len() + 1;
    let mut rows = vec![0; (before.len() + 1) * width];
    for (at, cell) in rows.iter_mut().take(width).enumerate() {
        *cell = at;
    }
    for row in 1..=before.len() {
        rows[row * width] = row;
        for column in 1..width {
            let cost = if before[row - 1] == after[column - 1] { 0 } else { replacement };
            let cell = |up: usize, left: usize| rows[(row - up) * width + column - left];
            let mut best = (cell(1, 1) + cost).min(cell(1, 0) + 1).min(cell(0, 1) + 1);
            if row > 1 && column > 1 && before[row - 1] == after[column - 2] && before[row - 2] == after[column - 1] {
                best = best.min(cell(2, 2) + 1);
            }
            rows[row * width + column] = best;
        }
    }
    rows[before.len() * width + after.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips() {
        let near = |before: &str, after: &str| is_near(before, after, Slips::Any);
        assert!(near("recieve", "receive") && near("teh", "the") && near("psuedo", "pseudo"));
        assert!(near("enviroment", "environment") && near("satisfication", "satisfaction"));
        assert!(!near("cat", "car") && !near("tow", "town") && !near("ensure", "insure"));
        assert!(!near("aggregator", "aggregation") && !near("abc1", "abc2") && !near("", "a"));
        assert!(!is_near("anlage", "ablage", Slips::NoReplacement));
    }

    #[test]
    fn grouped_digits() {
        let check = |words: &[&str], group: char, expected: Option<&str>| {
            let words: Vec<_> = words.iter().map(|word| Cow::Borrowed(*word)).collect();
            assert_eq!(ungrouped(&words, group).as_deref(), expected, "{words:?}");
        };
        check(&["250.000"], '.', Some("250000"));
        check(&["250", "000"], '.', Some("250000"));
        check(&["1,000"], ',', Some("1000"));
        check(&["1.000"], ',', None);
        check(&["1.0"], '.', None);
        check(&["2024", "100"], '.', None);
    }
}
