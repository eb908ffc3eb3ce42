//! Where the decoded text of a scalar stands in the source, character by character: through quotes, escapes, folded
//! lines and indentation. Follows the decoded text that the parser gave and decides nothing; where the two do not
//! fit together there is no answer, rather than a wrong one.

use std::ops::Range;

use super::tree::{Scalar, Style};

/// The places of one scalar's text.
#[derive(Debug)]
pub(super) struct Offsets {
    pieces: Vec<Piece>,
    /// The source between the quotes, or behind the block header.
    content: Range<usize>,
}

/// A run of decoded text and the source it came from.
#[derive(Debug)]
struct Piece {
    decoded: Range<usize>,
    source: Range<usize>,
    /// Byte by byte the same; else the two correspond only as wholes, as an escape does.
    same: bool,
}

impl Offsets {
    /// `range` is the scalar's place in `text`, quotes or header included.
    pub(super) fn of(text: &str, range: Range<usize>, scalar: &Scalar<'_>) -> Option<Offsets> {
        let content = content(text, range, scalar.style)?;
        if text[content.clone()] == *scalar.text {
            let piece = Piece { decoded: 0..scalar.text.len(), source: content.clone(), same: true };
            return Some(Offsets { pieces: vec![piece], content });
        }
        let mut walk =
            Walk { text, at: content.start, end: content.end, decoded: &scalar.text, done: 0, pieces: vec![] };
        match scalar.style {
            Style::Absent => {}
            Style::Plain | Style::SingleQuoted | Style::DoubleQuoted => walk.flow(scalar.style)?,
            Style::Literal | Style::Folded => walk.block(scalar.style)?,
        }
        Some(Offsets { pieces: walk.pieces, content })
    }

    /// The source between the quotes, or behind the block header.
    pub(super) fn content(&self) -> Range<usize> {
        self.content.clone()
    }

    /// The source of a range of the decoded text. Line breaks at the end of a block scalar stand behind its source.
    pub(super) fn to_source(&self, decoded: Range<usize>) -> Option<Range<usize>> {
        if decoded.is_empty() {
            return (decoded.start == 0).then_some(self.content.start..self.content.start);
        }
        let end = decoded.end.min(self.pieces.last().map_or(0, |piece| piece.decoded.end));
        if end <= decoded.start {
            return Some(self.content.end..self.content.end);
        }
        let first = self.pieces.get(self.pieces.partition_point(|piece| piece.decoded.end <= decoded.start))?;
        let last = self.pieces.get(self.pieces.partition_point(|piece| piece.decoded.end < end))?;
        Some(
            shift(decoded.start, &first.decoded, &first.source, first.same)?
                ..shift(end, &last.decoded, &last.source, last.same)?,
        )
    }

    /// The decoded text that a range of the source stands for.
    pub(super) fn to_decoded(&self, source: Range<usize>) -> Option<Range<usize>> {
        if source.is_empty() {
            return (source.start == self.content.start).then_some(0..0);
        }
        let first = self.pieces.get(self.pieces.partition_point(|piece| piece.source.end <= source.start))?;
        let last = self.pieces.get(self.pieces.partition_point(|piece| piece.source.end < source.end))?;
        Some(
            shift(source.start, &first.source, &first.decoded, first.same)?
                ..shift(source.end, &last.source, &last.decoded, last.same)?,
        )
    }
}

/// Carries `at` from one side of a piece to the other.
fn shift(at: usize, from: &Range<usize>, to: &Range<usize>, same: bool) -> Option<usize> {
    if at == from.start {
        Some(to.start)
    } else if at == from.end {
        Some(to.end)
    } else if same && from.contains(&at) {
        Some(to.start + (at - from.start))
    } else {
        None
    }
}

fn content(text: &str, range: Range<usize>, style: Style) -> Option<Range<usize>> {
    match style {
        Style::Absent | Style::Plain => Some(range),
        Style::SingleQuoted | Style::DoubleQuoted => (range.len() >= 2).then(|| range.start + 1..range.end - 1),
        Style::Literal | Style::Folded => {
            let header = text[range.clone()].find(['\n', '\r']).unwrap_or(range.len());
            let start = range.start + header;
            Some(start + line_break(&text[start..range.end])..range.end)
        }
    }
}

/// The length of the line break that `text` starts with.
fn line_break(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// The length of the blanks that `text` starts with.
fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

/// What YAML takes for white space.
fn is_blank_or_break(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

/// The first half of a character that JSON writes as two.
fn is_high_surrogate(unit: u32) -> bool {
    (0xd800..0xdc00).contains(&unit)
}

pub(super) fn leading_spaces(text: &str) -> usize {
    text.len() - text.trim_start_matches(' ').len()
}

/// Walks source and decoded text side by side.
struct Walk<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    decoded: &'t str,
    done: usize,
    pieces: Vec<Piece>,
}

impl<'t> Walk<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    /// Plain and quoted scalars.
    fn flow(&mut self, style: Style) -> Option<()> {
        while self.at < self.end {
            let rest = self.rest();
            let lead = blanks(rest);
            if line_break(&rest[lead..]) > 0 {
                let breaks = self.breaks(lead, style == Style::Plain);
                self.fold(&breaks)?;
            } else if style == Style::SingleQuoted && rest.starts_with("''") {
                self.take(self.at..self.at + 2, "'")?;
            } else if style == Style::DoubleQuoted && rest.starts_with('\\') {
                self.escape(rest)?;
            } else {
                self.same_character(rest)?;
            }
        }
        (self.done == self.decoded.len()).then_some(())
    }

    /// Passes `lead` bytes, and all line breaks and blanks behind them. Blanks around line breaks in flow scalars are
    /// nothing. So is a comment between the lines of a plain one, which the parser overlooks behind a tab.
    fn breaks(&mut self, lead: usize, is_plain: bool) -> Vec<Range<usize>> {
        let mut breaks = Vec::new();
        self.at += lead;
        while let width @ 1.. = line_break(self.rest()) {
            breaks.push(self.at..self.at + width);
            self.at += width;
            self.at += blanks(self.rest());
            if is_plain && self.rest().starts_with('#') {
                self.at += self.rest().find(['\n', '\r']).unwrap_or(self.rest().len());
            }
        }
        breaks
    }

    /// Line breaks between two lines of text: one is a space, of more the first is nothing.
    fn fold(&mut self, breaks: &[Range<usize>]) -> Option<()> {
        match breaks {
            [] => Some(()),
            [only] => self.take(only.clone(), " "),
            [_, others @ ..] => self.keep(others),
        }
    }

    /// Line breaks that stay.
    fn keep(&mut self, breaks: &[Range<usize>]) -> Option<()> {
        breaks.iter().try_for_each(|range| self.take(range.clone(), "\n"))
    }

    fn escape(&mut self, rest: &str) -> Option<()> {
        let escaped = rest[1..].chars().next()?;
        if line_break(&rest[1..]) > 0 {
            let breaks = self.breaks(1, false);
            return self.keep(&breaks[1..]);
        }
        let length = match escaped {
            'x' => 4,
            // A pair of surrogates is one character.
            'u' if rest.get(2..6).and_then(|hex| u32::from_str_radix(hex, 16).ok()).is_some_and(is_high_surrogate) => {
                12
            }
            'u' => 6,
            'U' => 10,
            other => 1 + other.len_utf8(),
        };
        let decoded = self.decoded;
        let character = decoded[self.done..].chars().next()?;
        self.take(self.at..self.at + length, &decoded[self.done..self.done + character.len_utf8()])
    }

    fn same_character(&mut self, rest: &str) -> Option<()> {
        let character = rest.chars().next()?;
        if !self.decoded[self.done..].starts_with(character) {
            return None;
        }
        let width = character.len_utf8();
        let (at, done) = (self.at, self.done);
        match self.pieces.last_mut() {
            Some(piece) if piece.same && piece.source.end == at && piece.decoded.end == done => {
                piece.source.end += width;
                piece.decoded.end += width;
            }
            Some(_) | None => {
                self.pieces.push(Piece { decoded: done..done + width, source: at..at + width, same: true })
            }
        }
        (self.at, self.done) = (at + width, done + width);
        Some(())
    }

    /// Takes the `source` that stands for `text`.
    fn take(&mut self, source: Range<usize>, text: &str) -> Option<()> {
        let done = self.done + text.len();
        let fits = source.end <= self.end && self.text.is_char_boundary(source.end);
        if !fits || !self.decoded[self.done..].starts_with(text) {
            return None;
        }
        // The walk may have passed the last of some line breaks already.
        self.at = self.at.max(source.end);
        self.pieces.push(Piece { decoded: self.done..done, source, same: false });
        self.done = done;
        Some(())
    }

    /// Literal and folded scalars, line by line. Blank lines at the end are chomped or kept, and belong to no text that is
    /// cited.
    fn block(&mut self, style: Style) -> Option<()> {
        let indentation = self.indentation();
        // Line breaks since the last line, its own the first of them.
        let mut breaks = Vec::new();
        let mut folds = false;
        while self.at < self.end {
            self.at += leading_spaces(self.rest()).min(indentation);
            let width = line_break(self.rest());
            if width > 0 {
                breaks.push(self.at..self.at + width);
                self.at += width;
                continue;
            }
            // A line that starts with a blank, even if nothing follows, keeps the line breaks on both sides of it.
            let is_text = style == Style::Folded && !self.rest().starts_with([' ', '\t']);
            if folds && is_text {
                self.fold(&breaks)?
            } else {
                self.keep(&breaks)?
            }
            folds = is_text;
            breaks.clear();
            while self.at < self.end && line_break(self.rest()) == 0 {
                self.same_character(self.rest())?;
            }
        }
        self.decoded[self.done..].chars().all(is_blank_or_break).then_some(())
    }

    /// The first line with text is indented by what the decoded text does not show.
    fn indentation(&self) -> usize {
        let first = |text: &str| {
            let mut lines = text.split(['\n', '\r']);
            leading_spaces(lines.find(|line| !line.chars().all(is_blank_or_break)).unwrap_or(""))
        };
        first(self.rest()).saturating_sub(first(self.decoded))
    }
}
