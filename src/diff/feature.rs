//! What a text is compared by: its words and its shingles, and how alike two texts are.
//! Says nothing about which sections are compared; thresholds are next door.

use unicode_segmentation::UnicodeSegmentation;

use super::thresholds::{MOST_WORDS, SHINGLE, SHORT};

/// The words of a text as a sorted bag, and its shingles (runs of three words) as a sorted set; both hashed.
#[derive(Clone, Debug, Default)]
pub(super) struct Feature {
    words: Vec<u64>,
    shingles: Vec<u64>,
}

impl Feature {
    pub(super) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut words = Vec::new();
        for text in texts {
            words.extend(text.unicode_words().map(word).take(MOST_WORDS.saturating_sub(words.len())));
        }
        let mut shingles: Vec<u64> = words.windows(SHINGLE).map(shingle).collect();
        shingles.sort_unstable();
        shingles.dedup();
        words.sort_unstable();
        Self { words, shingles }
    }

    /// How many words the text has.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    pub(super) fn shingles(&self) -> &[u64] {
        &self.shingles
    }

    /// From 0 to 1. Jaccard over shingles; over the bag of words where one of the texts is short.
    pub(super) fn similarity(&self, other: &Self) -> f64 {
        if self.len().min(other.len()) < SHORT {
            jaccard(&self.words, &other.words)
        } else {
            jaccard(&self.shingles, &other.shingles)
        }
    }

    /// From 0 to 1: how much of the words the two texts share, whatever their order.
    pub(super) fn word_similarity(&self, other: &Self) -> f64 {
        jaccard(&self.words, &other.words)
    }

    /// From 0 to 1: how much of this text stands in the other one.
    pub(super) fn contained_in(&self, other: &Self) -> f64 {
        let (part, whole) =
            if self.len() < SHORT { (&self.words, &other.words) } else { (&self.shingles, &other.shingles) };
        if part.is_empty() { 0.0 } else { common(part, whole) as f64 / part.len() as f64 }
    }

    /// Whether every shingle of this text stands in the other one.
    pub(super) fn is_within(&self, other: &Self) -> bool {
        self.shingles.iter().all(|shingle| other.shingles.binary_search(shingle).is_ok())
    }

    /// What this text has beyond another one.
    pub(super) fn without(&self, other: &Self) -> Self {
        Self { words: difference(&self.words, &other.words), shingles: difference(&self.shingles, &other.shingles) }
    }

    /// From 0 to 1: how much of this text stands in the others together.
    pub(super) fn contained_in_all(&self, others: &[&Self]) -> f64 {
        let mut union: Vec<u64> = others.iter().flat_map(|other| other.shingles.iter().copied()).collect();
        union.sort_unstable();
        union.dedup();
        let (part, whole) = if self.shingles.is_empty() {
            let mut words: Vec<u64> = others.iter().flat_map(|other| other.words.iter().copied()).collect();
            words.sort_unstable();
            (&self.words, words)
        } else {
            (&self.shingles, union)
        };
        if part.is_empty() { 0.0 } else { common(part, &whole) as f64 / part.len() as f64 }
    }
}

/// Whether texts have so many words together. Reads no further than it has to.
pub(super) fn has_words<'a>(texts: impl IntoIterator<Item = &'a str>, count: usize) -> bool {
    texts.into_iter().flat_map(UnicodeSegmentation::unicode_words).take(count).count() == count
}

/// FNV-1a over the letters in lower case. Not keyed: the same text gives the same value on every run.
fn word(word: &str) -> u64 {
    let add = |hash: u64, letter: u64| (hash ^ letter).wrapping_mul(0x0100_0000_01b3);
    let start = 0xcbf2_9ce4_8422_2325;
    // Most words are ASCII, whose lower case needs no table.
    match word.is_ascii() {
        true => word.bytes().fold(start, |hash, letter| add(hash, letter.to_ascii_lowercase().into())),
        false => word.chars().flat_map(char::to_lowercase).fold(start, |hash, letter| add(hash, letter.into())),
    }
}

fn shingle(words: &[u64]) -> u64 {
    words.iter().fold(0, |hash: u64, word| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95))
}

/// Two empty texts are no evidence of anything: 0.
fn jaccard(before: &[u64], after: &[u64]) -> f64 {
    let shared = common(before, after);
    let union = before.len() + after.len() - shared;
    if union == 0 { 0.0 } else { shared as f64 / union as f64 }
}

/// How many elements two sorted bags share.
fn common(before: &[u64], after: &[u64]) -> usize {
    let (mut i, mut k, mut shared) = (0, 0, 0);
    while i < before.len() && k < after.len() {
        match before[i].cmp(&after[k]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => k += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                i += 1;
                k += 1;
            }
        }
    }
    shared
}

/// The elements of a sorted bag that are left when those of another one are taken out.
fn difference(from: &[u64], taken: &[u64]) -> Vec<u64> {
    let mut taken = taken.iter().peekable();
    let mut left = Vec::new();
    for value in from {
        while taken.next_if(|it| *it < value).is_some() {}
        if taken.next_if_eq(&value).is_none() {
            left.push(*value);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &str, after: &str, at_least: f64, at_most: f64) {
        let value = Feature::of([before]).similarity(&Feature::of([after]));
        assert!((at_least..=at_most).contains(&value), "{value} for {before:?} and {after:?}");
    }

    #[test]
    fn similarity_is_between_none_and_all() {
        check("", "", 0.0, 0.0);
        check("None.", "TBD", 0.0, 0.0);
        check("The valve opens at 3 bar.", "The valve opens at 4 bar.", 0.7, 0.8);
        check("The valve opens", "the VALVE opens.", 1.0, 1.0);
        let long = "the pump stops when the tank is full and the alarm sounds until an operator has acknowledged it on the panel or the power is cut";
        check(long, &long.replace("full", "empty"), 0.7, 0.9);
        check(
            long,
            "an entirely different text about how the display shows the time of day and the date in the language of the operator or else in English",
            0.0,
            0.05,
        );
    }

    #[test]
    fn words_are_counted_as_they_are_compared() {
        for text in ["", "None.", "one, two -- three", "Ähnlich wie 3,5 bar"] {
            let words = Feature::of([text, text]).len();
            assert!(has_words([text, text], words) && !has_words([text, text], words + 1), "{text:?}");
        }
    }

    #[test]
    fn containment_sees_the_part_in_the_whole() {
        let whole = Feature::of(["a b c d e f g h i j k l m n o p q r s t u v w x y z"]);
        let part = Feature::of(["a b c d e f g h i j k l m"]);
        assert!(part.contained_in(&whole) > 0.99);
        assert!(whole.contained_in(&part) < 0.5);
        let rest = Feature::of(["n o p q r s t u v w x y z"]);
        assert!(whole.contained_in_all(&[&part, &rest]) > 0.9);
        assert_eq!(whole.without(&part).len(), 13);
        assert!(whole.without(&part).contained_in(&rest) > 0.99);
    }
}
