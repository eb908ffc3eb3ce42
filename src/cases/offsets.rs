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

    /// The source of a range of the decoded text.
    pub(super) fn to_source(&self, decoded: Range<usize>) -> Option<Range<usize>> {
        if decoded.is_empty() {
            return (decoded.start == 0).then_some(self.content.start..self.content.start);
        }
        let first = self.pieces.get(self.pieces.partition_point(|piece| piece.decoded.end <= decoded.start))?;
        let last = self.pieces.get(self.pieces.partition_point(|piece| piece.decoded.end < decoded.end))?;
        Some(
            shift(decoded.start, &first.decoded, &first.source, first.same)?
                ..shift(decoded.end, &last.decoded, &last.source, last.same)?,
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

fn leading_spaces(text: &str) -> usize {
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
                self.fold(lead)?;
            } else if style == Style::SingleQuoted && rest.starts_with("''") {
                self.take(2, 1)?;
            } else if style == Style::DoubleQuoted && rest.starts_with('\\') {
                self.escape(rest)?;
            } else {
                self.same_character(rest)?;
            }
        }
        (self.done == self.decoded.len()).then_some(())
    }

    /// A line break inside a flow scalar: one is a space, more are one less; blanks around it are nothing.
    fn fold(&mut self, lead: usize) -> Option<()> {
        let (length, breaks) = self.breaks(lead);
        self.take(length, if breaks == 1 { 1 } else { breaks - 1 })
    }

    /// How long the line breaks and blanks behind `lead` are, and how many breaks there are.
    fn breaks(&self, lead: usize) -> (usize, usize) {
        let rest = self.rest();
        let (mut length, mut count) = (lead, 0);
        while let width @ 1.. = line_break(&rest[length..]) {
            count += 1;
            length += width;
            length += blanks(&rest[length..]);
        }
        (length, count)
    }

    fn escape(&mut self, rest: &str) -> Option<()> {
        let escaped = rest[1..].chars().next()?;
        if line_break(&rest[1..]) > 0 {
            let (length, breaks) = self.breaks(1);
            return self.take(length, breaks - 1);
        }
        let length = match escaped {
            'x' => 4,
            // A pair of surrogates is one character.
            'u' if rest
                .get(2..4)
                .is_some_and(|hex| matches!(hex, "d8" | "d9" | "da" | "db" | "D8" | "D9" | "DA" | "DB")) =>
            {
                12
            }
            'u' => 6,
            'U' => 10,
            other => 1 + other.len_utf8(),
        };
        let character = self.decoded[self.done..].chars().next()?;
        self.take(length, character.len_utf8())
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

    /// Takes `source` bytes that stand for `decoded` bytes.
    fn take(&mut self, source: usize, decoded: usize) -> Option<()> {
        let (at, done) = (self.at + source, self.done + decoded);
        if at > self.end || !self.text.is_char_boundary(at) || !self.decoded.is_char_boundary(done) {
            return None;
        }
        if decoded > 0 {
            self.pieces.push(Piece { decoded: self.done..done, source: self.at..at, same: false });
        }
        (self.at, self.done) = (at, done);
        Some(())
    }

    /// Literal and folded scalars. The line breaks at the end are chomped or kept; they belong to no text that is cited.
    fn block(&mut self, style: Style) -> Option<()> {
        let indentation = self.indentation();
        self.skip_indentation(indentation);
        while self.at < self.end && self.done < self.decoded.len() {
            let rest = self.rest();
            let width = line_break(rest);
            if width == 0 {
                self.same_character(rest)?;
                continue;
            }
            if style == Style::Literal {
                self.decoded[self.done..].starts_with('\n').then_some(())?;
                self.take(width, 1)?;
            } else {
                self.fold_block()?;
            }
            self.skip_indentation(indentation);
        }
        let rest = self.decoded[self.done..].trim_end_matches('\n');
        (rest.is_empty() && self.at == self.end).then_some(())
    }

    /// Line breaks of a folded scalar: a space, or as many or one less where blank or deeper lines are about.
    fn fold_block(&mut self) -> Option<()> {
        let rest = self.rest();
        let (mut length, mut breaks) = (line_break(rest), 1);
        loop {
            let blank = length + leading_spaces(&rest[length..]);
            let width = line_break(&rest[blank..]);
            if width == 0 {
                break;
            }
            length = blank + width;
            breaks += 1;
        }
        let decoded = &self.decoded[self.done..];
        let kept = decoded.len() - decoded.trim_start_matches('\n').len();
        if kept == breaks || (kept > 0 && kept + 1 == breaks) {
            self.take(length, kept)
        } else if breaks == 1 && decoded.starts_with(' ') {
            self.take(length, 1)
        } else {
            None
        }
    }

    /// The first line with text is indented by what the decoded text does not show.
    fn indentation(&self) -> usize {
        let first =
            |text: &str| leading_spaces(text.split(['\n', '\r']).find(|line| !line.trim().is_empty()).unwrap_or(""));
        first(self.rest()).saturating_sub(first(self.decoded))
    }

    fn skip_indentation(&mut self, indentation: usize) {
        self.at += leading_spaces(self.rest()).min(indentation);
    }
}
