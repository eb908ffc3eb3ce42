//! Spellings that mean the same whatever the language of the text: units, months, the words before a reference.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::language::Language;
use super::list::entries;
use crate::diff::token::fold;

const UNITS: &str = include_str!("units.txt");

static COMMON: LazyLock<Common> = LazyLock::new(Common::read);

/// What is spelled the same whatever the language of the text.
#[derive(Default)]
struct Common {
    units: HashMap<String, String>,
    currencies: HashSet<String>,
    months: HashSet<String>,
    references: HashSet<String>,
    /// Those of them that are numbered by letters.
    lettered: HashSet<String>,
    versions: HashSet<String>,
    /// Whether only units of time follow.
    rates: HashMap<String, bool>,
    abbreviations: HashSet<String>,
}

impl Common {
    fn read() -> Common {
        let mut common = Common::default();
        for entry in Language::ALL.into_iter().map(Language::list).chain([UNITS]).flat_map(entries) {
            let spelling = fold(entry.spelling).into_owned();
            match entry.section {
                "unit" => {
                    common.units.insert(entry.canonical.to_string(), entry.canonical.to_string());
                    common.units.insert(entry.spelling.to_string(), entry.canonical.to_string());
                }
                "currency" => {
                    common.currencies.insert(entry.spelling.to_string());
                    // `EUR` is `€` already.
                    common.units.entry(entry.spelling.to_string()).or_insert_with(|| entry.spelling.to_string());
                }
                "month" => _ = common.months.insert(spelling),
                "reference" => {
                    if entry.name == "lettered" {
                        common.lettered.insert(spelling.clone());
                    }
                    common.references.insert(spelling);
                }
                "version" => _ = common.versions.insert(spelling),
                "rate" => _ = common.rates.insert(spelling, entry.name == "time"),
                "abbreviation" => _ = common.abbreviations.insert(spelling),
                _ => {}
            }
        }
        common
    }
}

/// The canonical symbol of a unit (`seconds` and `s` are `s`). Symbols are told apart by case (`mW`, `MW`), names are not.
pub(crate) fn unit(spelling: &str) -> Option<&'static str> {
    let units = &COMMON.units;
    let found = units.get(spelling).or_else(|| {
        let folded = fold(spelling);
        (folded.chars().count() > 3).then(|| units.get(&*folded)).flatten()
    });
    found.map(String::as_str)
}

/// `€`, `USD`: what may stand before its number.
pub(crate) fn is_currency(spelling: &str) -> bool {
    COMMON.currencies.contains(spelling)
}

pub(crate) fn is_month(word: &str) -> bool {
    COMMON.months.contains(&*fold(word))
}

/// Whether a number after this word names a place of the text.
pub(crate) fn is_reference(word: &str) -> bool {
    COMMON.references.contains(&*fold(word))
}

/// Whether a letter or Roman number after this word names a place of the text: `appendix B`, `Chapter IV`, but not
/// `the section I wrote`.
pub(crate) fn is_lettered(word: &str) -> bool {
    COMMON.lettered.contains(&*fold(word)) || (word.starts_with(char::is_uppercase) && is_reference(word))
}

pub(crate) fn is_version(word: &str) -> bool {
    COMMON.versions.contains(&*fold(word))
}

/// The unit in a rate, which has no number before it: `per bar`, `every hour`. Of time alone behind `every`, and not the
/// second, as in `every second valve`.
pub(crate) fn unit_of_rate(word: &str, spelling: &str) -> Option<&'static str> {
    let is_of_time = *COMMON.rates.get(&*fold(word))?;
    unit(spelling).filter(|unit| !is_of_time || ["ms", "min", "h", "d", "week", "month", "year"].contains(unit))
}

/// Whether a dot after this word, without the dot, does not end the sentence.
pub(crate) fn is_abbreviation(word: &str) -> bool {
    COMMON.abbreviations.contains(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_by_symbol_and_name() {
        let check = |spelling: &str, expected: Option<&str>| assert_eq!(unit(spelling), expected, "{spelling}");
        check("seconds", Some("s"));
        check("Seconds", Some("s"));
        check("Sekunden", Some("s"));
        check("%", Some("%"));
        check("percent", Some("%"));
        check("mW", Some("mW"));
        check("MW", Some("MW"));
        check("in", None);
        check("pages", None);
    }

    #[test]
    fn units_of_rates() {
        let check = |word: &str, spelling: &str, expected| assert_eq!(unit_of_rate(word, spelling), expected);
        check("per", "hour", Some("h"));
        check("every", "day", Some("d"));
        check("every", "second", None);
        check("each", "bar", None);
        check("the", "hour", None);
    }

    #[test]
    fn words_before_numbers() {
        assert!(is_reference("Section") && is_reference("abschnitt") && !is_reference("step"));
        assert!(is_lettered("appendix") && is_lettered("Table") && !is_lettered("table"));
        assert!(is_version("Version") && is_month("März") && is_abbreviation("e.g"));
    }
}
