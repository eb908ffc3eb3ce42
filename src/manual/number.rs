//! The automatic numbers of headings: `5.2 Limits` is the number `5.2` and the title `Limits`.
//! Decides on the text of one heading alone; never looks at its neighbours.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

/// A number with a word that says what it counts: `Chapter 3`, `§ 5a`, `Article R*234-27`, `Annex A`.
static LABELLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<number>(?:(?i:chapter|section|clause|appendix|annex|article|part|title
            |kapitel|abschnitt|artikel|anhang|anlage|teil|chapitre|annexe|partie|titre|livre
            |capítulo|sección|artículo|anexo|parte|título|глава|раздел|статья|приложение|art\.|sec\.|ch\.)\ |§§?\ ?)
            (?:[A-Z]{0,3}\.?\ ?\*?-?\d+[a-z]{0,2}(?:[.\-–]\d+[a-z]?)*(?:\ (?:bis|ter|quater))?
            |[A-ZА-Я](?:\.\d+)*|[IVXLC]+(?:er)?))
          (?P<mark>[.:)]?)(?:\ (?P<title>.+))?",
    )
});

/// `5.2`, `5.2.1.`, `A.1`, `1.2.3a`; at least two parts. The second part of `X.509` and `H.264` is too long for one.
static DOTTED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<number>\d{1,3}(?P<deep>(?:[.．]\d{1,3}[a-z]?)+)|[A-Z](?:\.\d{1,2}[a-z]?)+)(?P<mark>[.．:)]?)
          (?:\ (?P<title>.+))?",
    )
});

/// `5`, `5.`, `5)`: no more than two digits, because `404` and `2024` are no counters.
static PLAIN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?P<number>\d{1,2})(?P<mark>[.．:)]?)(?:[\ ](?P<title>.+))?"));

/// `100.`, `100)`: of three digits only with a mark.
static LONG: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?P<number>\d{3})(?P<mark>[.．)])\ (?P<title>.+)"));

/// `B.`, `IV.`, `IV)`: nothing without a mark, because `I am` and `A person` are words.
static LETTERED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?P<number>[A-Z]|[IVXL]+|[ivx]+|[a-z])(?P<mark>[.)])\ (?P<title>.+)"));

/// `(a)`, `(12)`, `(iv)`.
static BRACKETED: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?P<number>\((?:[A-Za-z]|\d{1,2}|[ivx]+|[IVX]+)\))(?P<mark>)\ (?P<title>.+)"));

/// `第3章`, `第十二条の二`, `一、`: the title may follow without a space.
static EAST_ASIAN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?P<number>第[\d〇零一二三四五六七八九十百千]+[章条節节编編部篇款項项]
            (?:の[\d一二三四五六七八九十]+)*|[一二三四五六七八九十]+、)(?P<mark>[：:]?)\ ?(?P<title>.+)?",
    )
});

/// One token that carries digits between separators: `MS.AAD.1.1v1`, `REQ-12`, with a title after a colon or without.
static IDENTIFIER: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\[?[\p{L}\d]+(?:[.\-_*/]+[\p{L}\d]+)+\]?(?::\ .+|\]\ .+)?"));

/// A number inside an identifier, with its revision: `1.1v1`.
static COUNTER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\d+[a-z]?(?:[.\-_]?v?\d+[a-z]?)*").expect("the pattern is a constant"));

/// A quantity's unit: `5 G` and `3.3 V supply` are no section numbers.
const UNITS: [&str; 19] = [
    "G", "V", "W", "K", "N", "Hz", "kHz", "MHz", "GHz", "KB", "MB", "GB", "TB", "MiB", "GiB", "MPa", "Mbit/s",
    "Gbit/s", "°C",
];

/// Splits the number off a heading's text. A heading that is only a number keeps it as its title too.
pub(crate) fn split_number(title: &str) -> (Option<String>, &str) {
    let kinds: [(&LazyLock<Regex>, Needs); 7] = [
        (&LABELLED, Needs::MarkOrCapital),
        (&DOTTED, Needs::MarkOrCapital),
        (&PLAIN, Needs::MarkOrCapital),
        (&LONG, Needs::Nothing),
        (&LETTERED, Needs::Capital),
        (&BRACKETED, Needs::Nothing),
        (&EAST_ASIAN, Needs::Nothing),
    ];
    kinds.iter().find_map(|(pattern, needs)| split(title, pattern, *needs)).unwrap_or((None, title))
}

/// A heading that is an identifier or nothing but a number, with its numbers taken out; any other as it is.
/// Two titles that differ, but not here, differ in their numbering only: `MS.AAD.1.1v1` and `MS.AAD.1.1v2`,
/// `Article 5` and `Article 7`. A title that mentions a version, `OpenAPI 2.2.0`, is not numbered by it.
pub(crate) fn numbering_stem(title: &str) -> Cow<'_, str> {
    if let (Some(number), rest) = split_number(title)
        && number == rest
    {
        let words = number.rfind(' ').map_or(0, |space| space + 1);
        return Cow::Owned(format!("{}#", &title[..words]));
    }
    // `MS.AAD.1.1v1 Instructions`: an identifier that opens a title.
    let first = title.split(' ').next().unwrap_or(title);
    let end = if IDENTIFIER.is_match(title) {
        title.find([':', ']']).unwrap_or(title.len())
    } else if first.matches(['.', '-', '_']).count() > 1 && IDENTIFIER.is_match(first) {
        first.len()
    } else {
        return Cow::Borrowed(title);
    };
    Cow::Owned(COUNTER.replace_all(&title[..end], "#").into_owned() + &title[end..])
}

/// What must follow a number for it to be one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Needs {
    Nothing,
    /// A title that does not start in lower case: `C. elegans` is a name.
    Capital,
    /// That, or a mark such as `.` or `:` after the number: `802.11 radios` is no section.
    MarkOrCapital,
}

fn split<'t>(title: &'t str, pattern: &Regex, needs: Needs) -> Option<(Option<String>, &'t str)> {
    let found = pattern.captures(title)?;
    let number = found.name("number")?.as_str();
    let Some(rest) = found.name("title").map(|rest| rest.as_str()) else {
        return Some((Some(number.to_string()), title));
    };
    let (dashed, rest) = match rest.trim_start_matches(['-', '–', '—', ':']) {
        shorter if shorter.len() < rest.len() && shorter.starts_with(' ') => (true, shorter.trim_start()),
        _ => (false, rest),
    };
    let marked = dashed || found.name("mark").is_some_and(|mark| !mark.is_empty());
    let deep = found.name("deep").is_some_and(|deep| deep.as_str().matches(['.', '．']).count() > 1);
    let fits = match needs {
        Needs::Nothing => true,
        Needs::Capital => is_capital(rest),
        Needs::MarkOrCapital => marked || deep || (is_capital(rest) && !is_quantity(rest)),
    };
    // A date is no title: `1.1.0 (2018-04-19)` names a release.
    let titled = rest.chars().any(char::is_alphabetic);
    (fits && titled).then(|| (Some(number.to_string()), rest))
}

fn is_capital(title: &str) -> bool {
    title.chars().next().is_some_and(|first| !first.is_lowercase())
}

fn is_quantity(title: &str) -> bool {
    title.split(' ').next().is_some_and(|word| UNITS.contains(&word))
}

/// A pattern for a whole heading, written with spaces for reading.
fn pattern(verbose: &str) -> Regex {
    Regex::new(&format!("(?x)^(?:{verbose})$")).expect("the pattern is a constant")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(heading: &str, number: &str, title: &str) {
        let expected = if number.is_empty() { None } else { Some(number.to_string()) };
        assert_eq!(split_number(heading), (expected, title), "{heading}");
    }

    #[test]
    fn automatic_numbers_are_no_part_of_the_title() {
        check("5.2 Limits", "5.2", "Limits");
        check("5.2. Limits", "5.2", "Limits");
        check("5 Limits", "5", "Limits");
        check("5. limits", "5", "limits");
        check("1) Intro", "1", "Intro");
        check("100. Limits", "100", "Limits");
        check("1 – Intro", "1", "Intro");
        check("1.2.3 limits of use", "1.2.3", "limits of use");
        check("A.1 Scope", "A.1", "Scope");
        check("B. Limits", "B", "Limits");
        check("IV. Limits", "IV", "Limits");
        check("(a) Limits", "(a)", "Limits");
        check("(iv) limits", "(iv)", "limits");
        check("Appendix B. Limits", "Appendix B", "Limits");
        check("Annex A (normative) Tests", "Annex A", "(normative) Tests");
        check("Chapter 3: Limits", "Chapter 3", "Limits");
        check("Chapter 3 - limits", "Chapter 3", "limits");
        check("§ 5 Limits", "§ 5", "Limits");
        check("§5a Limits", "§5a", "Limits");
        check("Article 7. Scope", "Article 7", "Scope");
        check("Artikel 7 Geltung", "Artikel 7", "Geltung");
        check("第3章 限界", "第3章", "限界");
        check("第十二条の二 目的", "第十二条の二", "目的");
        check("一、总则", "一、", "总则");
        check("5.2 `retry`", "5.2", "`retry`");
        check("5.2 限界", "5.2", "限界");
    }

    #[test]
    fn a_heading_of_a_number_alone_keeps_it() {
        check("5.2", "5.2", "5.2");
        check("Article R*234-27", "Article R*234-27", "Article R*234-27");
        check("Article 1315-1", "Article 1315-1", "Article 1315-1");
        check("第3章", "第3章", "第3章");
        check("§ 5", "§ 5", "§ 5");
    }

    #[test]
    fn titles_that_only_start_with_a_number_keep_it() {
        for title in [
            "3D printing",
            "2024 roadmap",
            "2024 Roadmap",
            "802.11 radios",
            "7-bit",
            "5 G",
            "I am",
            "A person",
            "C. elegans",
            "4 eyes principle",
            "404 Not Found",
            "404: Not Found",
            "3.3 V supply",
            "X.509 Certificates",
            "v1.2.0",
            "1.1.0 (2018-04-19)",
            "OpenAPI 2.2.0",
            "MS.AAD.1.1v1",
            "Part of the system",
            "Section 5 of the act",
            "1.0.0-rc1",
            "",
            " ",
            "Articles",
            "Chapter",
            "§",
            "(see) below",
        ] {
            check(title, "", title);
        }
    }

    #[test]
    fn numbering_is_told_from_naming() {
        let check = |before: &str, after: &str, only_numbers: bool| {
            assert_eq!(numbering_stem(before) == numbering_stem(after), only_numbers, "{before} {after}");
        };
        check("MS.TEAMS.1.2v1", "MS.TEAMS.1.2v2", true);
        check("MS.TEAMS.1.2v1", "MS.TEAMS.1.3v1", true);
        check("MS.TEAMS.1.2v1", "MS.AAD.1.2v1", false);
        check("Article R*234-33", "Article R*434-36", true);
        check("Article 5", "Chapter 5", false);
        check("MS.TEAMS.1.2v1 Instructions", "MS.TEAMS.1.2v2 Instructions", true);
        check("MS.TEAMS.1.2v1 Instructions", "MS.TEAMS.1.2v1 Notes", false);
        check("REQ-12: Pump", "REQ-13: Pump", true);
        check("REQ-12: Pump", "REQ-12: Valve", false);
        check("[REQ-12] Pump", "[REQ-13] Pump", true);
        check("OpenAPI 2.2.0", "OpenAPI 2.3.0", false);
        check("IPv4", "IPv6", false);
        check("5.2", "5.3", true);
        check("Limits", "Limits", true);
    }
}
