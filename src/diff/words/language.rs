//! Which language a text is written in, guessed from its script and its most frequent words.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_segmentation::UnicodeSegmentation;

use super::list::entries;
use crate::diff::token::fold;

/// A language with word lists. Of other languages only numbers, symbols, code and identifiers are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Language {
    English,
    German,
    French,
    Spanish,
    Chinese,
    Japanese,
    Other,
}

/// How many words decide; more do not make it surer.
const SAMPLE: usize = 3000;

/// From so many words on, a text of a known language has this share of its frequent words at least (English prose has
/// 40 %, terse tables 10 %).
const ENOUGH: usize = 40;
const SHARE: f64 = 0.06;

/// The frequent words. Languages without lists count as `Other` together, each by its own name.
struct Frequent {
    languages: Vec<(Language, &'static str)>,
    /// For each word the places in `languages` of those that have it.
    words: HashMap<String, Vec<usize>>,
}

static FREQUENT: LazyLock<Frequent> = LazyLock::new(|| {
    let mut frequent = Frequent { languages: Vec::new(), words: HashMap::new() };
    for language in Language::ALL {
        for entry in entries(language.list()).into_iter().filter(|entry| entry.section == "stop") {
            let named = (language, entry.name);
            let place = frequent.languages.iter().position(|known| *known == named).unwrap_or_else(|| {
                frequent.languages.push(named);
                frequent.languages.len() - 1
            });
            frequent.words.entry(fold(entry.spelling).into_owned()).or_default().push(place);
        }
    }
    frequent
});

impl Language {
    pub(super) const ALL: [Language; 7] = [
        Language::English,
        Language::German,
        Language::French,
        Language::Spanish,
        Language::Chinese,
        Language::Japanese,
        Language::Other,
    ];

    pub(super) fn list(self) -> &'static str {
        match self {
            Language::English => include_str!("en.txt"),
            Language::German => include_str!("de.txt"),
            Language::French => include_str!("fr.txt"),
            Language::Spanish => include_str!("es.txt"),
            Language::Chinese => include_str!("zh.txt"),
            Language::Japanese => include_str!("ja.txt"),
            Language::Other => include_str!("other.txt"),
        }
    }

    /// The language of most of a text, given in pieces. Short texts without evidence count as English; other scripts as
    /// `Other`.
    pub(crate) fn guess<'t>(text: impl IntoIterator<Item = &'t str>) -> Language {
        let frequent = &*FREQUENT;
        let mut scripts = Scripts::default();
        let mut words = 0usize;
        let mut counts = vec![0usize; frequent.languages.len()];
        for word in text.into_iter().flat_map(UnicodeSegmentation::unicode_words).take(SAMPLE) {
            scripts.count(word);
            if !word.starts_with(char::is_alphabetic) {
                continue;
            }
            words += 1;
            for place in frequent.words.get(&*fold(word)).into_iter().flatten() {
                counts[*place] += 1;
            }
        }
        let counts = frequent.languages.iter().copied().zip(counts).filter(|(_, count)| *count > 0);
        scripts.language().unwrap_or_else(|| latin(words, counts.collect()))
    }
}

/// The language of a text in Latin letters. Of equal counts the first in order wins, so English before others.
fn latin(words: usize, mut counts: Vec<((Language, &str), usize)>) -> Language {
    counts.sort_by_key(|(candidate, count)| (std::cmp::Reverse(*count), *candidate));
    match counts.first() {
        None if words < ENOUGH => Language::English,
        None => Language::Other,
        Some((_, count)) if words >= ENOUGH && (*count as f64) < words as f64 * SHARE => Language::Other,
        Some(((language, _), _)) => *language,
    }
}

/// How many words (characters, where there are no spaces) of each script a text has.
#[derive(Default)]
struct Scripts {
    latin: usize,
    han: usize,
    kana: usize,
    other: usize,
}

impl Scripts {
    fn count(&mut self, word: &str) {
        let Some(first) = word.chars().find(|first| first.is_alphabetic()) else { return };
        let script = match first {
            '\u{3040}'..='\u{30ff}' | '\u{ff66}'..='\u{ff9f}' => &mut self.kana,
            '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}' => &mut self.han,
            '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => &mut self.latin,
            _ => &mut self.other,
        };
        *script += 1;
    }

    /// The language, where the script decides. A Chinese word takes about two characters, so two count as one.
    fn language(&self) -> Option<Language> {
        let eastern = (self.han + self.kana) / 2;
        if self.other > self.latin && self.other > eastern {
            return Some(Language::Other);
        }
        if eastern * 2 <= self.latin {
            return None;
        }
        Some(if self.kana * 10 > self.han { Language::Japanese } else { Language::Chinese })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Language) {
        assert_eq!(Language::guess([text]), expected, "{text}");
    }

    #[test]
    fn by_frequent_words() {
        check("The pump shall stop when the pressure of the line is above the limit.", Language::English);
        check("Die Pumpe muss anhalten, wenn der Druck in der Leitung über dem Grenzwert liegt.", Language::German);
        check("La pompe doit s'arrêter lorsque la pression dans la conduite dépasse le seuil.", Language::French);
        check("La bomba debe detenerse cuando la presión de la línea supera el límite.", Language::Spanish);
        check(
            "De pomp moet stoppen als de druk in het leidingnet te hoog is, en niet eerder dan dat.",
            Language::Other,
        );
        check(
            "La pompa deve fermarsi quando la pressione nella linea è più alta del limite che è dato.",
            Language::Other,
        );
    }

    #[test]
    fn by_script() {
        check("当压力超过限值时,泵必须停止。", Language::Chinese);
        check("圧力が制限値を超えた場合、ポンプは停止しなければならない。", Language::Japanese);
        check("Насос должен остановиться.", Language::Other);
        check("圧力は API の GET で読む。値は 5 である。", Language::Japanese);
    }

    #[test]
    fn without_evidence() {
        check("", Language::English);
        check("Pump off", Language::English);
        check(&"lorem ipsum dolor sit amet ".repeat(20), Language::Other);
    }
}
