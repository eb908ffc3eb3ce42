//! The canonical form: what a reader reads, independent of how it was typed.
//! The only normalisation in the program; `inline.rs` and `blocks.rs` feed it from the parser's events.
//! What is done here is frozen as form 1, because fingerprints depend on it.

use std::cmp::Reverse;
use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::{Inline, InlineKind};

/// The canonical form of a plain text (a quote, a title): white space, quotes and Unicode form, no Markdown.
pub(crate) fn fold(text: &str) -> String {
    let mut writer = Writer::default();
    writer.prose(text, 0);
    writer.finish().text
}

/// A canonical text with the places its parts come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) text: String,
    /// As in [`Fragment::map`](super::Fragment::map).
    pub(super) map: Vec<(u32, u32)>,
    pub(super) inlines: Vec<Inline>,
    /// As in [`Fragment::strong`](super::Fragment::strong).
    pub(super) strong: Vec<Range<usize>>,
}

/// Code to the byte, but for line ends and space at the end of lines and of the block.
pub(super) fn code(pieces: &[(String, usize)]) -> Written {
    let mut writer = Writer::default();
    for (piece, at) in pieces {
        for line in piece.split_inclusive(['\n', '\r']) {
            let start = at + (line.as_ptr() as usize - piece.as_ptr() as usize);
            let words = line.trim_end_matches(['\n', '\r']);
            writer.verbatim(words, start);
            if words.len() < line.len() {
                writer.trim_end(|c| c == ' ' || c == '\t');
                writer.verbatim("\n", start + words.len());
            }
        }
    }
    writer.trim_end(char::is_whitespace);
    let Writer { text, map, inlines, strong, .. } = writer;
    Written { text, map, inlines, strong }
}

/// A text with a place in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// Writes canonical text piece by piece.
#[derive(Clone, Debug, Default)]
pub(super) struct Writer {
    text: String,
    map: Vec<(u32, u32)>,
    inlines: Vec<Inline>,
    strong: Vec<Range<usize>>,
    /// Where white space was read that becomes one space, unless it stands at an end of the text or between characters of
    /// a script that is written without spaces: a line end is none there, and formatters make a space of it.
    gap: Option<usize>,
}

impl Writer {
    /// Prose as the parser gives it: `text` stands at `at` in the source, byte for byte unless entities were resolved.
    pub(super) fn prose(&mut self, text: &str, at: usize) {
        let mut done = 0;
        while let Some(first) = text[done..].chars().next() {
            let run = plain_run(&text.as_bytes()[done..]);
            if run > 0 {
                self.copy(&text[done..done + run], at + done);
                done += run;
                continue;
            }
            let piece = &text[done..done + first.len_utf8()];
            match first {
                '\u{feff}' | '\u{200b}' => {}
                '‘' | '’' | '‚' | '‛' => self.copy("'", at + done),
                '“' | '”' | '„' | '‟' => self.copy("\"", at + done),
                _ if first.is_whitespace() => self.space(at + done),
                _ => self.copy(piece, at + done),
            }
            done += piece.len();
        }
    }

    /// Inline code, an address or a tag: only its white space is folded. Its words are looked up in the source, because a
    /// line of it may start after the marks of a quote or a list.
    pub(super) fn literal(&mut self, text: &str, source: Source<'_>) {
        let Source { text: source, mut at } = source;
        for word in text.split_inclusive(char::is_whitespace) {
            let visible = word.trim_end_matches(char::is_whitespace);
            match find_near(source, visible, at) {
                _ if visible.is_empty() => {}
                Some(found) => {
                    self.copy(visible, found);
                    at = found + visible.len();
                }
                None => self.mark(visible, at),
            }
            if visible.len() < word.len() {
                self.space(at);
            }
        }
    }

    /// A mark of the canonical form itself, such as `](`, or what is spelled in another way at `at`: all of it stands there.
    pub(super) fn mark(&mut self, mark: &str, at: usize) {
        let mut buffer = [0; 4];
        mark.chars().for_each(|it| self.copy(it.encode_utf8(&mut buffer), at));
    }

    pub(super) fn space(&mut self, at: usize) {
        self.gap.get_or_insert(at);
    }

    /// Forgets white space at the end of what was written.
    pub(super) fn drop_gap(&mut self) {
        self.gap = None;
    }

    /// Where the next character will stand; writes the space that is due.
    pub(super) fn position(&mut self) -> usize {
        self.fill_gap(' ');
        self.text.len()
    }

    /// The end of a table cell.
    pub(super) fn cell_end(&mut self, at: usize) {
        self.gap = Some(at);
        self.copy("|", at);
        self.gap = Some(at);
    }

    /// What was written; the space that is due may still come to nothing.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Notes that what was written from `start` on is of its own kind.
    pub(super) fn note(&mut self, kind: InlineKind, start: usize) {
        if start < self.text.len() {
            self.inlines.push(Inline { kind, start, end: self.text.len() });
        }
    }

    /// Notes that what was written from `start` on is printed bold.
    pub(super) fn note_strong(&mut self, start: usize) {
        if start < self.text.len() {
            self.strong.push(start..self.text.len());
        }
    }

    /// Takes back the bytes of `start..end`, a mark that turned out not to be needed.
    pub(super) fn remove(&mut self, start: usize, end: usize) {
        self.text.replace_range(start..end, "");
        let gone = end - start;
        let after = source_of(&self.map, end);
        let kept = self.map.partition_point(|(text, _)| (*text as usize) < start);
        let moved = self.map.partition_point(|(text, _)| (*text as usize) <= end);
        for entry in &mut self.map[moved..] {
            entry.0 -= offset(gone);
        }
        self.map.splice(kept..moved, [(offset(start), offset(after))]);
        let back = |at: usize| if at >= end { at - gone } else { at.min(start) };
        self.strong.iter_mut().for_each(|range| *range = back(range.start)..back(range.end));
        for inline in self.inlines.iter_mut().rev().take_while(|inline| inline.end > start) {
            inline.end = inline.end.saturating_sub(gone).max(start);
            if inline.start >= end {
                inline.start -= gone;
            }
        }
    }

    /// The text, in Unicode's composed form.
    pub(super) fn finish(self) -> Written {
        let Self { text, map, inlines, strong, .. } = self;
        let written = Written { text, map, inlines: side_by_side(inlines), strong };
        if written.text.is_ascii() || is_nfc_quick(written.text.chars()) == IsNormalized::Yes {
            return written;
        }
        compose(&written)
    }

    fn verbatim(&mut self, piece: &str, at: usize) {
        if !piece.is_empty() {
            self.place(at);
            self.text.push_str(piece);
        }
    }

    fn trim_end(&mut self, is_space: fn(char) -> bool) {
        let kept = self.text.trim_end_matches(is_space).len();
        self.text.truncate(kept);
        let known = self.map.partition_point(|(text, _)| (*text as usize) < kept);
        self.map.truncate(known);
    }

    fn copy(&mut self, piece: &str, at: usize) {
        if let Some(next) = piece.chars().next() {
            self.fill_gap(next);
        }
        self.place(at);
        self.text.push_str(piece);
    }

    fn fill_gap(&mut self, next: char) {
        let Some(gap) = self.gap.take() else { return };
        let Some(last) = self.text.chars().next_back() else { return };
        if is_written_without_spaces(last) && is_written_without_spaces(next) {
            return;
        }
        self.place(gap);
        self.text.push(' ');
    }

    /// Notes that what is written next comes from `at`, unless that follows from the note before.
    fn place(&mut self, at: usize) {
        let here = self.text.len();
        let follows = self.map.last().is_some_and(|(text, source)| here - *text as usize + *source as usize == at);
        if !follows {
            self.map.push((offset(here), offset(at)));
        }
    }
}

/// Parts that hold others are cut around them, so that each byte is in one part at most.
fn side_by_side(mut nested: Vec<Inline>) -> Vec<Inline> {
    if nested.is_sorted_by(|first, second| first.end <= second.start) {
        return nested;
    }
    nested.sort_by_key(|inline| (inline.start, Reverse(inline.end)));
    let mut flat = Vec::with_capacity(nested.len());
    let mut open: Vec<Inline> = Vec::new();
    let mut at = 0;
    let mut until = |inline: &Inline, end: usize| {
        let start = inline.start.max(at);
        if start < end {
            flat.push(Inline { kind: inline.kind, start, end });
        }
        at = at.max(end);
    };
    for inline in nested {
        while let Some(outer) = open.pop_if(|outer| outer.end <= inline.start) {
            until(&outer, outer.end);
        }
        if let Some(outer) = open.last() {
            until(outer, inline.start);
        }
        open.push(inline);
    }
    while let Some(outer) = open.pop() {
        until(&outer, outer.end);
    }
    flat
}

/// How many bytes from the start are printable ASCII with single spaces between them: copied as they are.
fn plain_run(bytes: &[u8]) -> usize {
    let graphic = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let mut run = 0;
    while graphic(bytes.get(run)) || (run > 0 && bytes.get(run) == Some(&b' ') && graphic(bytes.get(run + 1))) {
        run += 1;
    }
    run
}

/// Where a word stands, at `at` or soon after; `None` if it is spelled in another way there.
fn find_near(source: &str, word: &str, at: usize) -> Option<usize> {
    const SOON: usize = 64;
    let end = source.len().min(at.saturating_add(word.len() + SOON));
    let near = source.as_bytes().get(at..end)?;
    memchr::memmem::find(near, word.as_bytes()).map(|found| at + found)
}

/// Chinese and Japanese, where a line can end anywhere.
pub(crate) fn is_written_without_spaces(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff01}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

/// A text offset as it is stored. Larger texts are not parsed.
pub(super) fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Composes a text piece by piece, so that the places stay right.
fn compose(written: &Written) -> Written {
    let mut composed = Written::default();
    let mut ends = Vec::new();
    let mut places = written.map.iter().peekable();
    let mut start = 0;
    for end in piece_ends(&written.text) {
        let piece = &written.text[start..end];
        let before = composed.text.len();
        composed.text.extend(piece.nfc());
        let is_same = composed.text[before..] == *piece;
        while let Some((text, source)) = places.next_if(|(text, _)| (*text as usize) < end) {
            if is_same {
                note_place(&mut composed.map, before + *text as usize - start, *source);
            }
        }
        if !is_same {
            // Its characters come from all of the piece together.
            let source = offset(source_of(&written.map, start));
            let characters = composed.text[before..].char_indices();
            characters.for_each(|(at, _)| note_place(&mut composed.map, before + at, source));
            note_place(&mut composed.map, composed.text.len(), offset(source_of(&written.map, end)));
        }
        ends.push((end, composed.text.len()));
        start = end;
    }
    let moved = |at: usize| match ends.get(ends.partition_point(|(end, _)| *end < at)) {
        Some((_, end)) if at > 0 => *end,
        _ => 0,
    };
    composed.inlines =
        written.inlines.iter().map(|it| Inline { start: moved(it.start), end: moved(it.end), ..*it }).collect();
    composed.strong = written.strong.iter().map(|range| moved(range.start)..moved(range.end)).collect();
    composed
}

/// Notes where the character at `here` comes from; the latest note for a place holds.
fn note_place(map: &mut Vec<(u32, u32)>, here: usize, source: u32) {
    match map.last_mut() {
        Some(last) if last.0 == offset(here) => last.1 = source,
        _ => map.push((offset(here), source)),
    }
}

/// Where a place of the text is in the source.
fn source_of(map: &[(u32, u32)], at: usize) -> usize {
    let known = map.partition_point(|(text, _)| (*text as usize) <= at);
    known.checked_sub(1).map_or(0, |known| at - map[known].0 as usize + map[known].1 as usize)
}

/// The ends of the pieces that compose on their own: each starts with a character that joins nothing before it.
fn piece_ends(text: &str) -> impl Iterator<Item = usize> {
    let starts = |c: char| canonical_combining_class(c) == 0 && is_nfc_quick(std::iter::once(c)) == IsNormalized::Yes;
    text.char_indices()
        .filter(move |(at, c)| *at > 0 && starts(*c))
        .map(|(at, _)| at)
        .chain((!text.is_empty()).then_some(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_folded_to_what_a_reader_reads() {
        let check = |text: &str, expected: &str| assert_eq!(fold(text), expected, "{text:?}");
        check("  a \t b\r\n c\u{a0}\u{3000}d  ", "a b c d");
        check("“a” ‘b’ don’t", "\"a\" 'b' don't");
        check("e\u{301}te\u{301}", "été");
        check("\u{feff}file\u{200b}name", "filename");
        check("検査\n一 二", "検査一二");
        check("한국\n어", "한국 어");
        check("a\n検", "a 検");
        check("", "");
        check(" \n", "");
    }

    #[test]
    fn places_survive_composition() {
        let mut writer = Writer::default();
        writer.prose("e\u{301} x e\u{301}y", 10);
        let Written { text, map, .. } = writer.finish();
        assert_eq!(text, "é x éy");
        assert_eq!(source_of(&map, 3), 14);
        assert_eq!(source_of(&map, text.len()), 20);
    }

    #[test]
    fn nested_parts_are_laid_side_by_side() {
        let part = |kind, start, end| Inline { kind, start, end };
        let nested = vec![
            part(InlineKind::Code, 3, 5),
            part(InlineKind::Label, 1, 7),
            part(InlineKind::Target, 9, 12),
            part(InlineKind::Strikethrough, 0, 14),
        ];
        let flat: Vec<_> = side_by_side(nested).into_iter().map(|it| (it.kind, it.start, it.end)).collect();
        assert_eq!(
            flat,
            [
                (InlineKind::Strikethrough, 0, 1),
                (InlineKind::Label, 1, 3),
                (InlineKind::Code, 3, 5),
                (InlineKind::Label, 5, 7),
                (InlineKind::Strikethrough, 7, 9),
                (InlineKind::Target, 9, 12),
                (InlineKind::Strikethrough, 12, 14),
            ]
        );
    }
}
