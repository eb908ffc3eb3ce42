//! Places as each format counts them. Lines and columns start at 1 and ends are exclusive in all of them; what a column is
//! differs, and every format says here which one it wants. For editors, which count from 0 and tell places too, it goes
//! both ways.
//!
//! | format | column | byte order mark |
//! |---|---|---|
//! | human, concise, json, jsonl | characters (code points) | no column |
//! | sarif (`columnKind: unicodeCodePoints`) | characters | no column |
//! | github | characters | no column |
//! | rdjson | bytes of UTF-8 | three bytes of the first line |
//! | gitlab, junit, markdown | lines only | |
//! | lsp | UTF-16 code units, or bytes of UTF-8 where the editor offers them | no column: editors don't show it |
//!
//! Tabs, combining marks and the parts of an emoji count one each where characters count: no format knows of widths.

use std::ops::Range;

use crate::source::{LineColumn, SourceId, Sources, Span};

const BOM: char = '\u{feff}';

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Characters,
    /// Bytes of UTF-8, those of a byte order mark too: for programs that read the file.
    Bytes,
    /// UTF-16 code units, without a byte order mark.
    Utf16,
    /// Bytes of UTF-8 without those of a byte order mark: for editors, which don't show it.
    Utf8,
}

pub(crate) const SARIF: Unit = Unit::Characters;
pub(crate) const GITHUB: Unit = Unit::Characters;
pub(crate) const RDJSON: Unit = Unit::Bytes;

/// From a place to one that is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) start: LineColumn,
    pub(crate) end: LineColumn,
}

/// Where a span is, in no case behind the text.
pub(crate) fn region(span: Span, sources: &Sources, unit: Unit) -> Region {
    let range = clamp(&sources.get(span.source).text, span.start..span.end);
    let place = |at: usize| place(at, span.source, sources, unit);
    Region { start: place(range.start), end: place(range.end) }
}

/// Where a byte offset is.
pub(crate) fn place(offset: usize, source: SourceId, sources: &Sources, unit: Unit) -> LineColumn {
    let (line, start) = sources.line(source, offset);
    let head = &sources.get(source).text[start..offset];
    let shown = if start == 0 { head.strip_prefix(BOM).unwrap_or(head) } else { head };
    let before = match unit {
        Unit::Characters => return sources.line_column(source, offset),
        Unit::Bytes => head.len(),
        Unit::Utf16 => shown.encode_utf16().count(),
        Unit::Utf8 => shown.len(),
    };
    LineColumn { line, column: before + 1 }
}

/// The byte offset of a place; behind the end of a line it is that end, in the middle of a character its start.
pub(crate) fn offset(place: LineColumn, source: SourceId, sources: &Sources, unit: Unit) -> usize {
    let text = &sources.get(source).text;
    let Some(start) = sources.line_start(source, place.line) else { return text.len() };
    let line = text[start..].split(['\n', '\r']).next().unwrap_or("");
    let is_marked = start == 0 && unit != Unit::Bytes && line.starts_with(BOM);
    let low = start + if is_marked { BOM.len_utf8() } else { 0 };
    let mut left = place.column.saturating_sub(1);
    for (at, character) in text[low..start + line.len()].char_indices() {
        let width = match unit {
            Unit::Characters => 1,
            Unit::Utf16 => character.len_utf16(),
            Unit::Bytes | Unit::Utf8 => character.len_utf8(),
        };
        if left < width {
            return low + at;
        }
        left -= width;
    }
    start + line.len()
}

/// The line that a span starts in.
pub(crate) fn line(span: Span, sources: &Sources) -> usize {
    let range = clamp(&sources.get(span.source).text, span.start..span.start);
    sources.line(span.source, range.start).0
}

/// A range that can be marked: within the text, on character boundaries, no byte order mark, no line end at its end; at
/// the end of a text that ends a line, the end of that line.
pub(crate) fn clamp(text: &str, range: Range<usize>) -> Range<usize> {
    let low = text.len() - text.trim_start_matches('\u{feff}').len();
    let floor = |at: usize| text.floor_char_boundary(at.min(text.len())).max(low);
    let (start, end) = (floor(range.start), floor(range.end.max(range.start)));
    let trimmed = low + text[low..end].trim_end_matches(['\n', '\r']).len();
    if start < end {
        return start..trimmed.max(start);
    }
    let at_end = start == text.len() && text.ends_with(['\n', '\r']);
    let last = low + text[low..].strip_suffix('\n').map_or(text.len() - low, str::len);
    let last = low + text[low..last].strip_suffix('\r').map_or(last - low, str::len);
    if at_end { last..last } else { start..start }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::source::{RepoPath, Rev};

    /// Where a text starts behind its byte order mark.
    fn low(text: &str) -> usize {
        if text.starts_with(BOM) { BOM.len_utf8() } else { 0 }
    }

    fn region_of(text: &str, start: usize, end: usize, unit: Unit) -> Region {
        let mut sources = Sources::default();
        let source = sources.add(Rev::Worktree, RepoPath::new("a"), text);
        region(Span { source, start, end }, &sources, unit)
    }

    /// Where `mark` stands in `text`, as `start-end` in each unit.
    fn check(text: &str, mark: &str, characters: &str, bytes: &str) {
        let start = text.find(mark).unwrap();
        for (unit, expected) in [(Unit::Characters, characters), (Unit::Bytes, bytes)] {
            let Region { start, end } = region_of(text, start, start + mark.len(), unit);
            let told = format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column);
            assert_eq!(told, expected, "{text:?} {unit:?}");
        }
    }

    #[test]
    fn each_unit_counts_its_own_way() {
        check("ab cd", "cd", "1:4-1:6", "1:4-1:6");
        check("漢字 x", "x", "1:4-1:5", "1:8-1:9");
        check("👩\u{200d}👧 x", "x", "1:5-1:6", "1:13-1:14");
        check("e\u{301} x", "x", "1:4-1:5", "1:5-1:6");
        check("\t\tx", "x", "1:3-1:4", "1:3-1:4");
        check("a\r\n漢x\r\n", "x", "2:2-2:3", "2:4-2:5");
        check("a\rb x", "x", "2:3-2:4", "2:3-2:4");
        check("\u{feff}é x", "x", "1:3-1:4", "1:7-1:8");
        check("\u{feff}a\n漢", "漢", "2:1-2:2", "2:1-2:4");
        check("one\ntwo", "e\nt", "1:3-2:2", "1:3-2:2");
    }

    #[test]
    fn a_line_end_is_not_marked() {
        check("one\r\ntwo", "one\r\n", "1:1-1:4", "1:1-1:4");
    }

    #[test]
    fn editors_count_in_units_of_their_own() {
        let check = |text: &str, mark: &str, utf16: &str, utf8: &str| {
            let start = text.find(mark).unwrap();
            for (unit, expected) in [(Unit::Utf16, utf16), (Unit::Utf8, utf8)] {
                let Region { start, end } = region_of(text, start, start + mark.len(), unit);
                let told = format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column);
                assert_eq!(told, expected, "{text:?} {unit:?}");
            }
        };
        check("漢 x", "x", "1:3-1:4", "1:5-1:6");
        check("👩 x", "x", "1:4-1:5", "1:6-1:7");
        check("\u{feff}é x", "x", "1:3-1:4", "1:4-1:5");
        check("a\n\u{feff}x", "x", "2:2-2:3", "2:4-2:5");
    }

    #[test]
    fn a_place_that_is_none_is_the_nearest_before() {
        let check = |text: &str, line, column, unit, expected| {
            let mut sources = Sources::default();
            let source = sources.add(Rev::Worktree, RepoPath::new("a"), text);
            assert_eq!(offset(LineColumn { line, column }, source, &sources, unit), expected, "{text:?}");
        };
        check("a👩b", 1, 3, Unit::Utf16, 1);
        check("a👩b", 1, 4, Unit::Utf16, 5);
        check("a👩b", 1, 3, Unit::Utf8, 1);
        check("ab\r\ncd", 1, 9, Unit::Utf16, 2);
        check("ab\ncd", 9, 1, Unit::Utf16, 5);
        check("ab\n", 2, 1, Unit::Utf16, 3);
        check("\u{feff}ab", 1, 1, Unit::Utf16, 3);
        check("", 1, 1, Unit::Utf8, 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn a_place_leads_back_to_its_offset(text in "[a漢\u{301}👩\t\r\n\u{feff}]{0,24}", at in 0_usize..90) {
            let at = clamp(&text, at..at).start;
            let mut sources = Sources::default();
            let source = sources.add(Rev::Worktree, RepoPath::new("a"), text.as_str());
            // Between the two signs of one line end there is no place.
            let at = if text[..at].ends_with('\r') && text[at..].starts_with('\n') { at - 1 } else { at };
            for unit in [Unit::Utf16, Unit::Utf8] {
                prop_assert_eq!(offset(place(at, source, &sources, unit), source, &sources, unit), at.max(low(&text)));
            }
        }

        #[test]
        fn a_place_lies_in_its_line(text in "[a漢\u{301}👩\t\r\n\u{feff}]{0,24}", start in 0_usize..90, length in 0_usize..20) {
            let bytes = region_of(&text, start, start + length, Unit::Bytes);
            let characters = region_of(&text, start, start + length, Unit::Characters);
            prop_assert!(bytes.start <= bytes.end && characters.start <= characters.end);
            prop_assert_eq!(bytes.start.line, characters.start.line);
            prop_assert!(bytes.start.column >= characters.start.column);
        }
    }
}
