//! Numbered paragraphs: in a text without headings, `1.1 The pump…`, `§ 4` and `Article 7` open sections.
//! Finds numbers and nests them; what a section is made of is decided in `blocks.rs` and `outline.rs`.

use std::sync::LazyLock;

use regex::Regex;

/// A number at the start of a paragraph, bold or not. A lone `1` needs a mark, and after `2.5` no lower case may follow:
/// `2.5 bar is enough.` is a sentence.
static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^(?:\*\*|__)?(?:
            (?P<marked>\d{1,3}(?:\.\d{1,3})+[a-z]?)[.):](?:[\s*_]|$)
            |(?P<plain>\d{1,3})\\?[.)](?:[\s*_]|$)
            |(?P<dotted>\d{1,3}(?:\.\d{1,3})+[a-z]?)(?:\*\*|__)?(?:\ +[^\p{Ll}\s]|\s*$)
            |(?P<labelled>(?:§§?\ ?|(?i:article|artikel|art\.|section|clause|chapter|kapitel|abschnitt|artículo|annex
                |appendix|anhang)\ )(?:\d+(?:[.\-]\d+)*[a-z]?|[A-Z])|第[\d一二三四五六七八九十百]+[章条節节])(?:[.:)\s*_]|$)
        )",
    )
    .expect("the pattern is a constant")
});

/// A number at the start of a paragraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Numbered {
    /// As shown: `1.1`, `§ 4`.
    pub(super) number: String,
    /// How much of the source line it takes, with its mark.
    pub(super) skip: usize,
}

/// The number at `start` of a text.
pub(super) fn number_at(text: &str, start: usize) -> Option<Numbered> {
    let rest = text.get(start..)?;
    let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
    let line = &rest[..end];
    let found = NUMBER.captures(line)?;
    let number = ["plain", "marked", "dotted", "labelled"].iter().find_map(|group| found.name(group))?;
    let mark = line[number.end()..].trim_start_matches('\\');
    let after = mark.trim_start_matches(['.', ')', ':']).trim_start();
    Some(Numbered { number: number.as_str().to_string(), skip: line.len() - after.len() })
}

/// Which numbers are open, outermost first.
#[derive(Clone, Debug, Default)]
pub(super) struct Nesting {
    open: Vec<Number>,
}

/// A number taken apart: `§ 4.2` is the word `§` and the parts 4 and 2.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Number {
    word: String,
    parts: Vec<String>,
}

impl Nesting {
    /// Opens a number and tells how many are open around it. A number goes below what it continues (`1.1` below `1`); a
    /// word goes beside its like (`Article 2` beside `Article 1`), else below what is open.
    pub(super) fn open(&mut self, number: &str) -> usize {
        let number = Number::read(number);
        let alike = self.open.iter().position(|open| open.word == number.word);
        if number.word.is_empty() {
            while self.open.last().is_some_and(|open| open.word.is_empty() && !open.is_above(&number)) {
                self.open.pop();
            }
        } else if let Some(alike) = alike {
            self.open.truncate(alike);
        }
        let depth = self.open.len();
        self.open.push(number);
        depth
    }

    /// Whether a list that starts with this number goes on with the numbers so far, rather than being just a list.
    pub(super) fn expects(&self, number: u64) -> bool {
        let counted = self.open.iter().rev().find(|open| open.word.is_empty());
        match counted.and_then(|open| open.parts.first()).and_then(|part| part.parse::<u64>().ok()) {
            Some(last) => last.checked_add(1) == Some(number),
            None => number == 1,
        }
    }
}

impl Number {
    fn read(text: &str) -> Self {
        let digits = text.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
        let (word, parts) = text.rsplit_once(' ').unwrap_or(text.split_at(digits));
        Self { word: word.trim().to_lowercase(), parts: parts.split(['.', '-']).map(str::to_string).collect() }
    }

    fn is_above(&self, other: &Number) -> bool {
        self.parts.len() < other.parts.len() && other.parts.starts_with(&self.parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_start_with_numbers() {
        let check = |text: &str, expected: Option<(&str, &str)>| {
            let found = number_at(text, 0);
            let shown = found.as_ref().map(|it| (it.number.as_str(), &text[it.skip..]));
            assert_eq!(shown, expected, "{text}");
        };
        check("1.1 The pump", Some(("1.1", "The pump")));
        check("1.1. the pump", Some(("1.1", "the pump")));
        check("1.1.1 Title\nmore", Some(("1.1.1", "Title\nmore")));
        check("**5.1 Title**", Some(("5.1", "Title**")));
        check("**5.1** Title", Some(("5.1", "** Title")));
        check("1\\. Title", Some(("1", "Title")));
        check("**1. Title**", Some(("1", "Title**")));
        check("§ 4 Scope", Some(("§ 4", "Scope")));
        check("Article 7", Some(("Article 7", "")));
        check("第3条 目的", Some(("第3条", "目的")));
        check("2.5 bar is enough.", None);
        check("30 s later", None);
        check("Articles", None);
        check("Section five", None);
    }

    #[test]
    fn numbers_nest() {
        let check = |numbers: &[&str], expected: &[usize]| {
            let mut nesting = Nesting::default();
            assert_eq!(numbers.iter().map(|number| nesting.open(number)).collect::<Vec<_>>(), expected, "{numbers:?}");
        };
        check(&["1", "1.1", "1.1.1", "1.2", "2", "2.1.1"], &[0, 1, 2, 1, 0, 1]);
        check(&["Chapter 1", "Article 1", "1", "2", "Article 2", "Chapter 2", "Article 3"], &[0, 1, 2, 2, 1, 0, 1]);
        check(&["§ 1", "§ 2", "§2a"], &[0, 0, 0]);
        check(&["Article 7", "7.1", "7.2", "Article 8"], &[0, 1, 1, 0]);
    }

    #[test]
    fn a_list_goes_on_with_the_numbers_or_not() {
        let mut nesting = Nesting::default();
        assert!(nesting.expects(1) && !nesting.expects(2));
        nesting.open("1");
        nesting.open("1.1");
        assert!(nesting.expects(2) && !nesting.expects(1));
    }
}
