//! The lines that are ours: styled words, wrapped at the width; numbers and lists in words.
//! Source excerpts are laid out elsewhere.

use std::borrow::Cow;
use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

pub(super) const PLAIN: Style = Style::new();
pub(super) const BOLD: Style = Style::new().bold();
pub(super) const DIM: Style = Style::new().dimmed();
/// The colours of rustc's levels, as annotate-snippets has them.
pub(super) const ERROR: Style = AnsiColor::BrightRed.on_default().bold();
pub(super) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const NOTE: Style = AnsiColor::BrightGreen.on_default().bold();
pub(super) const FRAME: Style = AnsiColor::BrightBlue.on_default().bold();
pub(super) const REMOVED: Style = AnsiColor::Red.on_default();
pub(super) const ADDED: Style = AnsiColor::Green.on_default();

/// A run of text, part by part with its style. Holds sanitized text only.
#[derive(Clone, Debug, Default)]
pub(super) struct Styled {
    parts: Vec<(Style, String)>,
}

impl Styled {
    pub(super) fn new() -> Self {
        Self::default()
    }

    pub(super) fn with(mut self, style: Style, text: impl Into<String>) -> Self {
        self.push(style, text);
        self
    }

    pub(super) fn push(&mut self, style: Style, text: impl Into<String>) {
        let text = text.into();
        match self.parts.last_mut() {
            Some((last, run)) if *last == style => run.push_str(&text),
            _ if text.is_empty() => {}
            _ => self.parts.push((style, text)),
        }
    }

    pub(super) fn append(&mut self, other: Styled) {
        for (style, text) in other.parts {
            self.push(style, text);
        }
    }

    /// The text with its colours, or without.
    pub(super) fn paint(&self, color: bool) -> String {
        let mut painted = String::new();
        for (style, text) in &self.parts {
            // Writing to a string does not fail.
            let _ = match color && *style != PLAIN {
                true => write!(painted, "{style}{text}{style:#}"),
                false => write!(painted, "{text}"),
            };
        }
        painted
    }

    /// Lines of at most `width` columns, broken at spaces, between wide characters, or where nothing else helps.
    /// Text in backquotes, as a command to copy, is never broken.
    pub(super) fn wrap(&self, width: usize) -> Vec<Styled> {
        let units: Vec<Grapheme<'_>> = self.units().collect();
        let mut lines = Vec::new();
        let mut start = 0;
        while start < units.len() {
            let end = line_end(&units[start..], width.max(1)) + start;
            let line = units[start..end].iter().fold(Styled::new(), |line, unit| line.with(unit.style, unit.text));
            lines.push(line.trim_end());
            start = end;
        }
        lines
    }

    /// The lines that the text itself has.
    pub(super) fn lines(&self) -> Vec<Styled> {
        let mut lines = vec![Styled::new()];
        for (style, text) in &self.parts {
            for (at, piece) in text.split('\n').enumerate() {
                if at > 0 {
                    lines.push(Styled::new());
                }
                if let Some(line) = lines.last_mut() {
                    line.push(*style, piece);
                }
            }
        }
        lines
    }

    pub(super) fn trim_end(mut self) -> Self {
        while let Some((_, text)) = self.parts.last_mut() {
            text.truncate(text.trim_end_matches(' ').len());
            if !text.is_empty() {
                break;
            }
            self.parts.pop();
        }
        self
    }

    fn units(&self) -> impl Iterator<Item = Grapheme<'_>> {
        let mut quoted = false;
        self.parts.iter().flat_map(|(style, text)| text.graphemes(true).map(move |text| (*style, text))).map(
            move |(style, text)| {
                quoted ^= text == "`";
                Grapheme { style, text, width: text.width(), quoted }
            },
        )
    }
}

/// One character as people count.
struct Grapheme<'a> {
    style: Style,
    text: &'a str,
    width: usize,
    /// In backquotes; the closing one is not.
    quoted: bool,
}

/// How many units go on the first line.
fn line_end(units: &[Grapheme<'_>], width: usize) -> usize {
    let mut column = 0;
    let mut fallback = None;
    for (at, unit) in units.iter().enumerate() {
        if at > 0 && may_break(&units[at - 1], unit) {
            fallback = Some(at);
        }
        column += unit.width;
        // A space may hang over the edge: it is not printed.
        if column > width && unit.text != " " {
            match fallback {
                Some(end) => return end,
                None if at > 0 && !unit.quoted && unit.text != "`" => return at,
                None => {}
            }
        }
    }
    units.len()
}

fn may_break(before: &Grapheme<'_>, after: &Grapheme<'_>) -> bool {
    let space = before.text == " " && after.text != " ";
    let wide = (before.width > 1 || after.width > 1) && !"、。，．・：；！？）」』】〉》".contains(after.text);
    !before.quoted && (space || wide && after.text != " ")
}

/// `1,204`.
pub(super) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `1 case`, `1,204 cases`.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// The first `most` items, and how many were left out.
pub(super) fn list(items: &[String], most: usize) -> String {
    // One more item takes no more room than the words that stand for it.
    let shown = if items.len() == most + 1 { items.len() } else { items.len().min(most) };
    let mut text = items[..shown].join(", ");
    if shown < items.len() {
        let _ = write!(text, ", … and {} more", thousands(items.len() - shown));
    }
    text
}

/// The first characters, with a sign that more followed.
pub(super) fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// A text of ours with its paragraphs as wide as the terminal; titles, lists, what is indented and what is fenced stay as
/// they are.
pub(crate) fn fill(text: &str, width: usize) -> String {
    let mut fenced = false;
    let mut fill = |paragraph: &str| {
        let fences = paragraph.lines().filter(|line| line.starts_with("```")).count();
        let code = fenced || fences > 0;
        fenced ^= !fences.is_multiple_of(2);
        if code || paragraph.lines().any(|line| line.starts_with([' ', '#', '-', '|'])) {
            return paragraph.to_owned();
        }
        let line = Styled::new().with(PLAIN, paragraph.replace('\n', " "));
        line.wrap(width).iter().map(|line| line.paint(false)).collect::<Vec<_>>().join("\n")
    };
    text.split("\n\n").map(&mut fill).collect::<Vec<_>>().join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, width: usize, expected: &[&str]) {
        let lines: Vec<String> =
            Styled::new().with(PLAIN, text).wrap(width).iter().map(|line| line.paint(true)).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn paragraphs_fill_the_width_and_code_stays() {
        let text = "# Title of it\n\nOne two\nthree four.\n\n    code stays as it is\n\n- a list, too";
        let expected = "# Title of it\n\nOne two three\nfour.\n\n    code stays as it is\n\n- a list, too";
        assert_eq!(fill(text, 14), expected);
        let text = "```yaml\none two three four\n\nfive\nsix\n```\n\nOne two\nthree four.";
        let expected = "```yaml\none two three four\n\nfive\nsix\n```\n\nOne two three\nfour.";
        assert_eq!(fill(text, 14), expected);
    }

    #[test]
    fn lines_break_between_words() {
        check("", 10, &[]);
        check("one two three", 7, &["one two", "three"]);
        check("one two three", 8, &["one two", "three"]);
        check("incomprehensible", 10, &["incomprehe", "nsible"]);
        check("run `a b c d e f` now", 8, &["run", "`a b c d e f`", "now"]);
        check("漢字漢字。漢字", 8, &["漢字漢", "字。漢字"]);
    }

    #[test]
    fn colour_is_kept_over_a_break() {
        let text = Styled::new().with(REMOVED, "red words").with(PLAIN, " plain");
        let lines: Vec<String> = text.wrap(6).iter().map(|line| line.paint(true)).collect();
        assert_eq!(lines, ["\u{1b}[31mred\u{1b}[0m", "\u{1b}[31mwords\u{1b}[0m", "plain"]);
        assert_eq!(text.paint(false), "red words plain");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!((cut("漢字", 2), cut("漢字", 1)), ("漢字".into(), "漢…".into()));
    }

    #[test]
    fn numbers_and_lists_in_words() {
        assert_eq!(count(1, "case", "cases"), "1 case");
        assert_eq!(count(1_204, "case", "cases"), "1,204 cases");
        assert_eq!(thousands(1_000_000), "1,000,000");
        let items = |number: usize| (1..=number).map(|it| it.to_string()).collect::<Vec<_>>();
        assert_eq!(list(&items(3), 3), "1, 2, 3");
        assert_eq!(list(&items(4), 3), "1, 2, 3, 4");
        assert_eq!(list(&items(5), 3), "1, 2, 3, … and 2 more");
    }
}
