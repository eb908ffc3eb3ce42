//! The tokens of a canonical text: what can change separately (a word, a number, its unit, an identifier), and the
//! sentences they stand in. Knows how things are written, not what they mean: that is `words`.

mod code;
mod context;
mod html;
mod number;
mod scan;
mod sentence;

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, is_nfkc};

use crate::diff::words;
use crate::manual::{Inline, InlineKind};

pub(super) use code::quoted_sentences;
pub(super) use context::is_raising;
pub(crate) use sentence::sentences;

/// The smallest part of a text that changes as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) place: Place,
    /// Byte range in the canonical text.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// What a token is, judged by its spelling and its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum TokenKind {
    /// A word; of scripts without spaces a single character, or a run of katakana.
    Word,
    /// `5`, `-1`, `1,000`, `0x1F`, `1e3`, `½`, `5th`, `12:30`, digits of any script.
    Number,
    /// A known unit right after its number (`50ms`, `3.5 bar`, `%`), or a currency sign beside it.
    Unit,
    /// `<`, `<=`, `≤`, `=`, `!=`, `±`, `~5`, …
    Comparator,
    /// A word, identifier, flag or path inside code. Numbers and comparators in code keep their kinds.
    Code,
    /// CamelCase, `snake_case`, `dotted.name`, `SHA256`, `REQ-12`, `--flag`, `/path`, `$VAR`, `@scope/name`.
    Identifier,
    /// A link's target as a whole, or a bare URL.
    LinkTarget,
    /// One HTML tag.
    Html,
    /// `2024-01-31`, `31 January 2024`, `January 2024`, `2024年1月31日`.
    Date,
    /// `v1.2.3`, `1.2.0`, the number in `version 2`.
    Version,
    /// The number in `§ 12.8`, `section 5.2`, `appendix B`, or a footnote's `[^1]`; the word before it is a token of
    /// its own.
    Reference,
    Punctuation,
    /// Any other character.
    Symbol,
}

/// Where in the markup a token stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    Prose,
    Code,
    /// The text of a link.
    Label,
    /// The target of a link.
    Target,
    Html,
    Struck,
}

/// The tokens of a canonical text, ascending and not overlapping. Whitespace belongs to none.
///
/// `inlines` are the text's marked parts; what does not fit the text (out of bounds, overlapping, inside a character)
/// is passed over.
pub(crate) fn tokens(text: &str, inlines: &[Inline]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    for inline in inlines {
        if inline.start < at || inline.start >= inline.end || text.get(inline.start..inline.end).is_none() {
            continue;
        }
        scan_prose(text, at..inline.start, &mut tokens);
        scan_inline(text, inline, &mut tokens);
        at = inline.end;
    }
    scan_prose(text, at..text.len(), &mut tokens);
    context::refine(text, tokens)
}

/// Prose with the tags that set a note apart in it.
fn scan_prose(text: &str, range: Range<usize>, tokens: &mut Vec<Token>) {
    let mut at = range.start;
    while let Some(tag) = html::note_tag(text, at..range.end) {
        scan::prose(text, at..tag.start, Place::Prose, tokens);
        html::note(text, tag.clone(), tokens);
        at = tag.end;
    }
    scan::prose(text, at..range.end, Place::Prose, tokens);
}

fn scan_inline(text: &str, inline: &Inline, tokens: &mut Vec<Token>) {
    let range = inline.start..inline.end;
    match inline.kind {
        InlineKind::Code => code::code(text, range, tokens),
        InlineKind::Label => scan::prose(text, range, Place::Label, tokens),
        InlineKind::Strikethrough => scan::prose(text, range, Place::Struck, tokens),
        InlineKind::Html => html::html(text, range, tokens),
        InlineKind::Target => {
            tokens.push(Token { kind: TokenKind::LinkTarget, place: Place::Target, start: range.start, end: range.end })
        }
    }
}

impl Token {
    pub(crate) fn text<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start..self.end]
    }

    /// The key by which two tokens read the same: compatibility forms (full-width, ligatures) and typographic
    /// apostrophes folded, units by their canonical symbol, lower case where case is typography. Code, links and
    /// identifiers keep their case, unless the identifier looks like a name (`GitHub`).
    pub(crate) fn fold<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let spelling = self.text(text);
        if self.kind == TokenKind::Unit
            && let Some(unit) = words::unit(spelling)
        {
            return Cow::Borrowed(unit);
        }
        // One kind of quotes serves as well as another.
        if self.place == Place::Code && matches!(spelling, "'" | "`" | "’" | "‘" | "“" | "”") {
            return Cow::Borrowed("\"");
        }
        // 2<sup>16</sup> is 2^16.
        if self.kind == TokenKind::Html && spelling.eq_ignore_ascii_case("<sup>") {
            return Cow::Borrowed("^");
        }
        if self.kind == TokenKind::Number && spelling.contains([' ', '\u{a0}']) {
            return Cow::Owned(spelling.replace([' ', '\u{a0}'], ""));
        }
        if self.keeps_case(spelling) { compatible(spelling) } else { fold(spelling) }
    }

    fn keeps_case(&self, spelling: &str) -> bool {
        match self.kind {
            TokenKind::Code | TokenKind::LinkTarget | TokenKind::Html => true,
            TokenKind::Identifier => {
                !(spelling.starts_with(char::is_uppercase) && spelling.chars().all(char::is_alphabetic))
            }
            TokenKind::Word
            | TokenKind::Number
            | TokenKind::Unit
            | TokenKind::Comparator
            | TokenKind::Date
            | TokenKind::Version
            | TokenKind::Reference
            | TokenKind::Punctuation
            | TokenKind::Symbol => self.place == Place::Code,
        }
    }
}

/// A word as the lexicon compares it: compatibility forms and typographic apostrophes folded, lower case.
pub(crate) fn fold(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(compatible(word).to_lowercase())
}

fn compatible(word: &str) -> Cow<'_, str> {
    if word.is_ascii() || (is_nfkc(word) && !word.contains(['’', 'ʼ', '−', '\u{ad}', '\u{202f}', '\u{2009}'])) {
        return Cow::Borrowed(word);
    }
    let folded = word.chars().flat_map(|character| match character {
        '’' | 'ʼ' => [None, Some('\'')],
        '−' => [None, Some('-')],
        // Soft hyphens are invisible; thin spaces inside a number only group its digits.
        '\u{ad}' | '\u{202f}' | '\u{2009}' => [None, None],
        // 10² is not 102.
        '²' | '³' | '¹' | '⁰' | '⁴'..='⁹' => [Some('^'), Some(character)],
        other => [None, Some(other)],
    });
    Cow::Owned(folded.flatten().nfkc().collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every token but plain words and punctuation as `Kind:text`. Text between backticks is code, without them.
    fn special(text: &str) -> String {
        let (text, inlines) = unmark(text);
        let shown = tokens(&text, &inlines).into_iter().filter(|token| {
            token.place != Place::Prose || !matches!(token.kind, TokenKind::Word | TokenKind::Punctuation)
        });
        shown.map(|token| format!("{:?}:{}", token.kind, token.text(&text))).collect::<Vec<_>>().join(" ")
    }

    fn unmark(marked: &str) -> (String, Vec<Inline>) {
        let (mut text, mut inlines) = (String::new(), Vec::new());
        for (at, part) in marked.split('`').enumerate() {
            let start = text.len();
            text.push_str(part);
            if at % 2 == 1 {
                inlines.push(Inline { kind: InlineKind::Code, start, end: text.len() });
            }
        }
        (text, inlines)
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(special(text), expected, "{text}");
    }

    fn keys(text: &str) -> Vec<String> {
        tokens(text, &[]).iter().map(|token| token.fold(text).into_owned()).collect()
    }

    #[test]
    fn numbers() {
        check("at 5, 5.10 or 1,000.", "Number:5 Number:5.10 Number:1,000");
        check("from -1 to +2 (−3)", "Number:-1 Number:+2 Number:−3");
        check("5-7 and 5 - 3", "Number:5 Number:7 Number:5 Number:3");
        check("0x1F 0b01 1e3 1.5E-3 1_000", "Number:0x1F Number:0b01 Number:1e3 Number:1.5E-3 Number:1_000");
        check("½ of １２３ and 1st, 2nd", "Number:½ Number:１２３ Number:1st Number:2nd");
        check("at 12:30 and 00:00:05", "Number:12:30 Number:00:00:05");
        check("1.000.000 Teile", "Number:1.000.000");
        check("٣ items", "Number:٣");
    }

    #[test]
    fn units() {
        check("50ms", "Number:50 Unit:ms");
        check("45°C, 45 °C and 45 ℃", "Number:45 Unit:°C Number:45 Unit:°C Number:45 Unit:℃");
        check("3.5 bar, 10 % or 10%", "Number:3.5 Unit:bar Number:10 Unit:% Number:10 Unit:%");
        check("90 km/h in 4 MiB", "Number:90 Unit:km/h Number:4 Unit:MiB");
        check("5 times per hour, every other hour", "Number:5 Unit:hour");
        check("a 30-second delay", "Number:30 Unit:second");
        check("wait 5 seconds in the bar", "Number:5 Unit:seconds");
        check("$5 and 5 €", "Unit:$ Number:5 Number:5 Unit:€");
        check("10秒以内、3時間", "Number:10 Unit:秒 Number:3 Unit:時間");
        check("5 in a row, 5 a day", "Number:5 Number:5");
    }

    #[test]
    fn comparators_and_symbols() {
        check("x < 5 ≤ 6 >= 7", "Comparator:< Number:5 Comparator:≤ Number:6 Comparator:>= Number:7");
        check(
            "5 ± 1, ~3, a == b != c",
            "Number:5 Comparator:± Number:1 Comparator:~ Number:3 Comparator:== Comparator:!=",
        );
        check("a -> b => c, 1 + 2", "Symbol:-> Symbol:=> Number:1 Symbol:+ Number:2");
    }

    #[test]
    fn identifiers() {
        check("CamelCase and snake_case", "Identifier:CamelCase Identifier:snake_case");
        check("see foo.bar, std::fmt and MAX_SIZE", "Identifier:foo.bar Identifier:std::fmt Identifier:MAX_SIZE");
        check("use --verbose=1 or -x (-y)", "Identifier:--verbose Comparator:= Number:1 Identifier:-x Identifier:-y");
        check("in /etc/x or src/main.rs.", "Identifier:/etc/x Identifier:src/main.rs");
        check("$HOME ${X} @scope/x", "Identifier:$HOME Identifier:${X} Identifier:@scope/x");
        check("SHA-256, REQ-12, utf8, 3D", "Identifier:SHA-256 Identifier:REQ-12 Identifier:utf8 Identifier:3D");
        check("MS.AAD.1.1v1 at 127.0.0.1", "Identifier:MS.AAD.1.1v1 Identifier:127.0.0.1");
        check("A NOTE that you MUST read, e.g. URLs and/or well-known -based words, i.e. these", "");
    }

    #[test]
    fn code() {
        check("set `max = 30` now", "Code:max Comparator:= Number:30");
        check("`-rf --all $X`", "Code:-rf Code:--all Code:$X");
        check("`X-Retry`", "Code:X Symbol:- Code:Retry");
        check("`!f(x)?;`", "Symbol:! Code:f Punctuation:( Code:x Punctuation:) Symbol:? Punctuation:;");
        check("`;` and `a, b`", "Symbol:; Code:a Punctuation:, Code:b");
        check("`a -- b // c`", "Code:a Punctuation:- Punctuation:- Code:b Punctuation:/ Punctuation:/ Code:c");
    }

    #[test]
    fn dates_and_versions() {
        check("on 2024-01-31, 31.01.2024", "Date:2024-01-31 Date:31.01.2024");
        check("2024-01-31T12:00:00Z", "Date:2024-01-31T12:00:00Z");
        check("31 January 2024, January 31, 2024", "Date:31 January 2024 Date:January 31, 2024");
        check("(May 2024) am 31. Januar 2024", "Date:May 2024 Date:31. Januar 2024");
        check("1er janvier 2024, 31 de enero de 2024", "Date:1er janvier 2024 Date:31 de enero de 2024");
        check("2024年1月31日", "Date:2024年1月31日");
        check("You may use 2024 bytes", "Number:2024 Unit:bytes");
        check("v1.2, 1.2.3-rc.1, version 2", "Version:v1.2 Version:1.2.3-rc.1 Version:2");
        check("version 1.2.x", "Version:1.2.x");
    }

    #[test]
    fn references() {
        check("§12.8.9 and § 5", "Symbol:§ Reference:12.8.9 Symbol:§ Reference:5");
        check("section 5.2, 5.3 and 6", "Reference:5.2 Reference:5.3 Reference:6");
        check("Appendix B, Annex A.2.1, Chapter IV", "Reference:B Reference:A.2.1 Reference:IV");
        check("Art. 5 Abs. 2 Satz 1", "Reference:5 Reference:2 Reference:1");
        check("noted[^1] at 第3章", "Reference:[^1] Reference:3");
        check("Table A shows the section I wrote", "Reference:A");
        check("see Section 5.2 for 30 bytes", "Reference:5.2 Number:30 Unit:bytes");
    }

    #[test]
    fn links_and_tags() {
        check("see https://example.org/a?b=1.", "LinkTarget:https://example.org/a?b=1");
        let text = "see manual (m.md#x)";
        let inline = |kind, start, end| Inline { kind, start, end };
        let found = tokens(text, &[inline(InlineKind::Label, 4, 10), inline(InlineKind::Target, 12, 18)]);
        assert!(found.iter().any(|token| token.place == Place::Label && token.text(text) == "manual"));
        assert!(found.iter().any(|token| token.place == Place::Target && token.text(text) == "m.md#x"));
        let text = "<b>30</b> ms";
        let kinds: Vec<_> = tokens(text, &[inline(InlineKind::Html, 0, 9)]).iter().map(|token| token.kind).collect();
        assert_eq!(kinds, [TokenKind::Html, TokenKind::Number, TokenKind::Html, TokenKind::Word]);
    }

    #[test]
    fn folding() {
        assert_eq!(keys("The ＡＢＣ don’t"), ["the", "abc", "don't"]);
        assert_eq!(keys("１０ seconds"), keys("10 s"));
        assert_eq!(keys("GitHub"), keys("Github"));
        assert_ne!(keys("max_size"), keys("Max_size"));
        let code = |text: &str| -> Vec<String> {
            let inlines = [Inline { kind: InlineKind::Code, start: 0, end: text.len() }];
            tokens(text, &inlines).iter().map(|token| token.fold(text).into_owned()).collect()
        };
        assert_eq!(code("f('x')"), code("f(\"x\")"));
        assert_ne!(keys("10²"), keys("102"));
        assert_ne!(keys("5 mW"), keys("5 MW"));
        assert_ne!(keys("1.0"), keys("1,0"));
    }

    /// One-edit changes that mean something: exactly one token differs, and its kind tells what.
    #[test]
    fn slips_that_are_changes() {
        let check = |before: &str, after: &str, kind: TokenKind| {
            let (was, is) = (tokens(before, &[]), tokens(after, &[]));
            let pairs = was.iter().zip(&is).filter(|(was, is)| was.fold(before) != is.fold(after));
            let kinds: Vec<_> = pairs.map(|(was, is)| (was.kind, is.kind)).collect();
            assert_eq!(kinds, [(kind, kind)], "{before} {after}");
            assert_eq!(was.len(), is.len());
        };
        check("wait 30 s", "wait 300 s", TokenKind::Number);
        check("is 1.0", "is 1,0", TokenKind::Number);
        check("is -1", "is 1", TokenKind::Number);
        check("wait 10 ms", "wait 10 s", TokenKind::Unit);
        check("up to 0x1F", "up to 0x2F", TokenKind::Number);
        check("since v1.2", "since v1.12", TokenKind::Version);
        check("p ≤ 5", "p < 5", TokenKind::Comparator);
        check("set max_size", "set min_size", TokenKind::Identifier);
    }

    #[test]
    fn words() {
        assert_eq!(keys("l'eau n’est pas"), ["l'", "eau", "n'", "est", "pas"]);
        assert_eq!(keys("on/off, re-use"), ["on", "/", "off", ",", "re", "-", "use"]);
        assert_eq!(keys("不得使用"), ["不", "得", "使", "用"]);
        assert_eq!(keys("データを消す"), ["データ", "を", "消", "す"]);
    }

    #[test]
    fn sentence_bounds() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<_> = sentences(text, &[]).into_iter().map(|(start, end)| &text[start..end]).collect();
            assert_eq!(found, expected);
        };
        check("One. Two!  Three?", &["One.", "Two!", "Three?"]);
        check("Use it, e.g. A. Then 3.5 bar.", &["Use it, e.g. A.", "Then 3.5 bar."]);
        check(
            "Nach Art. 5 Abs. 2 gilt es. Am 1. Januar nicht.",
            &["Nach Art. 5 Abs. 2 gilt es.", "Am 1. Januar nicht."],
        );
        check("一。二！", &["一。", "二！"]);
        check("a; b; c.", &["a; b; c."]);
        let long = format!("{}.", "Word ".repeat(900).trim_end());
        check(&format!("One. {long} Two."), &["One.", &long, "Two."]);
    }

    proptest! {
        #[test]
        fn tokens_are_ordered_and_cover_every_word(text in "\\PC{0,60}", at in 0usize..30, length in 0usize..30) {
            let inlines = [Inline { kind: InlineKind::Code, start: at, end: at + length }];
            let found = tokens(&text, &inlines);
            let mut end = 0;
            for token in &found {
                prop_assert!(token.start >= end && token.start < token.end && token.end <= text.len());
                prop_assert!(text.is_char_boundary(token.start) && text.is_char_boundary(token.end));
                prop_assert!(!text[end..token.start].contains(char::is_alphanumeric));
                token.fold(&text);
                end = token.end;
            }
            prop_assert!(!text[end..].contains(char::is_alphanumeric));
            let mut last = 0;
            for (start, end) in sentences(&text, &inlines) {
                prop_assert!(start >= last && start < end && text.is_char_boundary(start));
                last = end;
            }
        }

        #[test]
        fn confusable_text_is_cut_too(text in "[-+.:$@/_0-9vx§aA<=~°m%'² \\n年月１ア\\[^\\]]{0,60}") {
            let covered: usize = tokens(&text, &[]).iter().map(|token| token.end - token.start).sum();
            prop_assert!(covered <= text.len());
        }
    }
}
