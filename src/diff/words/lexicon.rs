//! The word lists, read once.
//!
//! The format of a list: `[section]` or `[section name]` opens a section; below it stand entries separated by commas,
//! over as many lines as it takes. In `[unit]` and `[number]` a line is `canonical = spelling, spelling`. `#` opens a
//! comment.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::LazyLock;

use crate::diff::token::fold;

const FILES: [&str; 7] = [
    include_str!("units.txt"),
    include_str!("en.txt"),
    include_str!("de.txt"),
    include_str!("fr.txt"),
    include_str!("es.txt"),
    include_str!("zh.txt"),
    include_str!("ja.txt"),
];

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
    abbreviations: HashSet<String>,
}

/// One entry of a list: its section with the section's name, and for `canonical = spelling` the canonical form.
pub(super) struct Entry<'f> {
    pub(super) section: &'f str,
    pub(super) name: &'f str,
    pub(super) canonical: &'f str,
    pub(super) spelling: &'f str,
}

/// The entries of a list in order.
pub(super) fn entries(file: &str) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    let (mut section, mut name) = ("", "");
    for line in file.lines().map(|line| line.split(" #").next().unwrap_or_default().trim()) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            (section, name) = header.split_once(' ').unwrap_or((header, ""));
            continue;
        }
        let (canonical, spellings) = line.split_once(" = ").unwrap_or(("", line));
        for spelling in spellings.split(',').map(str::trim).filter(|spelling| !spelling.is_empty()) {
            entries.push(Entry { section, name, canonical, spelling });
        }
    }
    entries
}

impl Common {
    fn read() -> Common {
        let mut common = Common::default();
        for entry in FILES.into_iter().flat_map(entries) {
            let spelling = fold(entry.spelling).into_owned();
            match entry.section {
                "unit" => {
                    common.units.insert(entry.canonical.to_string(), entry.canonical.to_string());
                    common.units.insert(entry.spelling.to_string(), entry.canonical.to_string());
                }
                "currency" => {
                    common.currencies.insert(entry.spelling.to_string());
                    common.units.insert(entry.spelling.to_string(), entry.spelling.to_string());
                }
                "month" => _ = common.months.insert(spelling),
                "reference" => {
                    if entry.name == "lettered" {
                        common.lettered.insert(spelling.clone());
                    }
                    common.references.insert(spelling);
                }
                "version" => _ = common.versions.insert(spelling),
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

/// Whether a dot after this word, without the dot, does not end the sentence.
pub(crate) fn is_abbreviation(word: &str) -> bool {
    COMMON.abbreviations.contains(word)
}
