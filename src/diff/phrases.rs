//! Whether a phrase stands somewhere in the text of a section. Looks at words in a row, not at what they mean.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use super::stream::Stream;
use super::thresholds::{MOST_INITIALS, REPEATED_PHRASE};
use crate::manual::{Fragment, FragmentKind};

/// The words of a text, and where each of them stands. Most texts are never asked: they are cut into words when they are.
pub(super) struct Phrases<'m> {
    parts: Vec<&'m Fragment>,
    text: OnceCell<Text<'m>>,
    /// For each word its indices in [`Text::words`].
    places: OnceCell<HashMap<String, Vec<usize>>>,
}

struct Text<'m> {
    stream: Stream<'m>,
    /// The tokens that are no mere marks.
    words: Vec<usize>,
}

impl<'m> Phrases<'m> {
    pub(super) fn of(parts: Vec<&'m Fragment>) -> Self {
        Self { parts, text: OnceCell::new(), places: OnceCell::new() }
    }

    /// How many words the text has.
    pub(super) fn len(&self) -> usize {
        self.text().words.len()
    }

    /// How often the text has a word.
    pub(super) fn count(&self, word: &str) -> usize {
        self.places().get(word).map_or(0, Vec::len)
    }

    /// Whether the text has a fragment of a kind.
    pub(super) fn have(&self, kind: FragmentKind) -> bool {
        self.parts.iter().any(|fragment| fragment.kind == kind)
    }

    /// What stands before the list that an item of this text is in.
    pub(super) fn before_list(&self, item: &Fragment) -> Option<&'m Fragment> {
        let at = self.parts.iter().position(|fragment| std::ptr::eq(*fragment, item))?;
        self.parts[..at].iter().rev().find(|fragment| fragment.kind != FragmentKind::ListItem).copied()
    }

    fn text(&self) -> &Text<'m> {
        self.text.get_or_init(|| {
            let stream = Stream::of(self.parts.clone());
            let words = words(&stream, 0..stream.len());
            Text { stream, words }
        })
    }

    /// Whether the words of a run of another text, enough not to be chance, stand in a row in this one.
    pub(super) fn hold(&self, other: &Stream<'_>, run: &Range<usize>) -> bool {
        let wanted = words(other, run.clone());
        if wanted.len() < REPEATED_PHRASE {
            return false;
        }
        let places = |at: &usize| self.places().get(other.key(*at)).map_or(&[][..], Vec::as_slice);
        // Looking only where the rarest word stands keeps this from going through the whole text for each phrase.
        let rarest = wanted.iter().enumerate().min_by_key(|(_, at)| places(at).len());
        rarest.is_some_and(|(offset, at)| places(at).iter().any(|place| self.stands_at(*place, offset, other, &wanted)))
    }

    fn stands_at(&self, place: usize, offset: usize, other: &Stream<'_>, wanted: &[usize]) -> bool {
        let Text { stream, words } = self.text();
        let here = place.checked_sub(offset).and_then(|from| words.get(from..from + wanted.len()));
        here.is_some_and(|here| here.iter().zip(wanted).all(|(at, wanted)| stream.key(*at) == other.key(*wanted)))
    }

    fn places(&self) -> &HashMap<String, Vec<usize>> {
        self.places.get_or_init(|| {
            let Text { stream, words } = self.text();
            let mut places: HashMap<String, Vec<usize>> = HashMap::new();
            for (place, at) in words.iter().enumerate() {
                places.entry(stream.key(*at).to_owned()).or_default().push(place);
            }
            places
        })
    }
}

fn words(stream: &Stream<'_>, run: Range<usize>) -> Vec<usize> {
    run.filter(|at| !stream.is_mark(*at)).collect()
}

/// Whether a run repeats what stands right before or behind it.
pub(super) fn is_doubled(stream: &Stream<'_>, run: &Range<usize>) -> bool {
    let length = run.len();
    let same = |other: Range<usize>| other.clone().zip(run.clone()).all(|(a, b)| stream.key(a) == stream.key(b));
    let before = run.start.checked_sub(length).map(|start| start..run.start);
    let behind = run.end..run.end + length;
    length > 0 && (before.is_some_and(same) || (behind.end <= stream.len() && same(behind)))
}

/// Whether a run gives the initials of the words before it in brackets, or the words that initials beside it stand for:
/// `Content Security Policy (CSP)`, `CSP (Content Security Policy)`.
pub(super) fn is_abbreviation(stream: &Stream<'_>, run: &Range<usize>) -> bool {
    let said = words(stream, run.clone());
    let opens = |at: usize| at < stream.len() && stream.key(at) == "(";
    let spells = |short: usize, words: Vec<usize>| is_initials(stream.spelling(short), &words, stream);
    let before = |at: usize| words(stream, at.saturating_sub(MOST_INITIALS)..at);
    let beside = run.start.checked_sub(1).filter(|_| opens(run.start));
    let behind = words(stream, run.end..stream.len().min(run.end + 2)).first().copied();
    match said[..] {
        [short] if short > 0 && opens(short - 1) => spells(short, before(short)),
        [] => false,
        _ => {
            beside.is_some_and(|short| spells(short, said.clone()))
                || behind.is_some_and(|short| short > 0 && opens(short - 1) && spells(short, said.clone()))
        }
    }
}

/// Whether a run is initials, and the one in its place the words that they stand for: `ESD`, `electrostatic discharge`.
pub(super) fn is_initialism(
    stream: &Stream<'_>,
    run: &Range<usize>,
    (other, words_of): (&Stream<'_>, &Range<usize>),
) -> bool {
    let said = words(other, words_of.clone());
    match words(stream, run.clone())[..] {
        [short] => {
            let spelling = stream.spelling(short);
            let initial = |text: &str| text.chars().next().map(|first| first.to_lowercase().to_string());
            let opens_alike = said.first().is_some_and(|at| initial(other.spelling(*at)) == initial(spelling));
            (2..=MOST_INITIALS).contains(&said.len()) && opens_alike && is_initials(spelling, &said, other)
        }
        _ => false,
    }
}

/// Whether the last of some words have these initials; a short one, as `of`, may stand between.
fn is_initials(short: &str, words: &[usize], stream: &Stream<'_>) -> bool {
    const SHORT: usize = 3;
    // `CSPs` are several.
    let short = short.strip_suffix('s').unwrap_or(short);
    let is_short = short.chars().count() >= 2 && short.chars().all(char::is_uppercase);
    let mut left = short.chars().rev().peekable();
    for word in words.iter().rev().map(|at| stream.spelling(*at)) {
        let Some(letter) = left.peek() else { break };
        let initial = word.chars().next().is_some_and(|initial| initial.to_uppercase().eq(letter.to_uppercase()));
        match initial {
            true => _ = left.next(),
            false if word.chars().count() <= SHORT => {}
            false => return false,
        }
    }
    is_short && left.peek().is_none()
}

/// Whether two texts are one designation, set with other marks between its letters and its number: `RFC 2119`, `RFC2119`,
/// `L. 121-3`, `L121-3`.
pub(super) fn same_designation(before: &str, after: &str) -> bool {
    let parts = |text: &'_ str| -> Option<(String, String)> {
        let (letters, rest) = text.split_at(text.find(|it: char| !it.is_ascii_uppercase())?);
        let number = rest.strip_prefix(". ").or_else(|| rest.strip_prefix(['.', '-', ' '])).unwrap_or(rest);
        let is_name = !letters.is_empty() && number.starts_with(|first: char| first.is_ascii_digit());
        is_name.then(|| (letters.to_owned(), number.to_owned()))
    };
    parts(before).is_some_and(|name| parts(after) == Some(name))
}
