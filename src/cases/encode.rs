//! How a text is written as a YAML scalar in a given place: plain, quoted or inside what stands there. Prefers the way
//! it was written; whether the whole file still reads right is checked by `splice.rs`.

use std::borrow::Cow;
use std::fmt::Write;
use std::ops::Range;

use super::offsets::Offsets;
use super::tree::{self, Comments, Kind, Scalar, Style};

/// Where a scalar stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Site {
    /// Inside `[]` or `{}`.
    pub(super) flow: bool,
    /// A mapping's key.
    pub(super) key: bool,
}

/// A scalar rewritten: its source, and the text that the source stands for.
#[derive(Debug)]
pub(super) struct Rewritten {
    pub(super) source: String,
    pub(super) decoded: String,
}

/// What an edit replaces.
struct Replaced<'e> {
    /// In the scalar's text.
    decoded: Range<usize>,
    /// In its source, where that can be told.
    source: Option<Range<usize>>,
    text: &'e str,
}

/// Plain scalars that many readers take for something else than text.
const LOADED_WORDS: [&str; 11] = ["~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", ""];

/// Replaces parts of a scalar. `parts` are ranges of `source`, the scalar's source, in order, with what comes in their
/// place. An error says why a part is not some characters of the scalar's text.
pub(super) fn rewrite(
    source: &str,
    scalar: &Scalar<'_>,
    site: Site,
    parts: &[(Range<usize>, &str)],
) -> Result<Rewritten, &'static str> {
    // A citation that could not be placed has the place of the whole scalar, which others may stand in as well.
    let offsets =
        Offsets::of(source, 0..source.len(), scalar).ok_or("it is not clear where in this scalar the text stands")?;
    let places = parts.iter().map(|(range, text)| place(range, text, source, scalar, &offsets));
    let places: Option<Vec<Replaced<'_>>> = places.collect();
    let places = places.ok_or("the place cuts through an escape or a line break")?;
    let decoded = places.iter().map(|place| (place.decoded.clone(), Cow::Borrowed(place.text)));
    let decoded = replaced(&scalar.text, decoded);
    if decoded == scalar.text {
        return Ok(Rewritten { source: source.to_owned(), decoded });
    }
    let kept = keeping_style(source, scalar.style, &places).filter(|kept| reads_as(kept, scalar.style, &decoded, site));
    let source = kept.unwrap_or_else(|| format!("{}{}", quoted(&decoded), header_comment(source, scalar.style)));
    Ok(Rewritten { source, decoded })
}

/// A text as a scalar inside `[]` or `{}`: plain where every reader of YAML takes it for text, else quoted.
pub(crate) fn in_flow(text: &str) -> String {
    let looks_like_number = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let plain = !looks_like_number && is_line(text) && is_plain(text, text, Site { flow: true, key: false });
    if plain { text.to_owned() } else { quoted(text) }
}

/// Finds what a range of the source stands for; the range of all of it stands for all of the text.
fn place<'e>(
    range: &Range<usize>,
    text: &'e str,
    source: &str,
    scalar: &Scalar<'_>,
    offsets: &Offsets,
) -> Option<Replaced<'e>> {
    if *range == (0..source.len()) || *range == offsets.content() {
        return Some(Replaced { decoded: whole(scalar), source: offsets.to_source(whole(scalar)), text });
    }
    Some(Replaced { decoded: offsets.to_decoded(range.clone())?, source: Some(range.clone()), text })
}

/// Single quotes where they can hold the text, else double quotes.
fn quoted(text: &str) -> String {
    if is_line(text) {
        return format!("'{}'", text.replace('\'', "''"));
    }
    format!("\"{}\"", escaped(text))
}

/// All of a scalar's text but the line break at the end that a block scalar implies, and blank lines.
fn whole(scalar: &Scalar<'_>) -> Range<usize> {
    match scalar.style {
        Style::Literal | Style::Folded => {
            let (text, blank) = scalar.text.split_at(scalar.text.trim_end_matches([' ', '\t', '\n']).len());
            0..text.len() + blank.find('\n').unwrap_or(blank.len())
        }
        Style::Absent | Style::Plain | Style::SingleQuoted | Style::DoubleQuoted => 0..scalar.text.len(),
    }
}

/// The source with the new parts in it, written as its quotes ask for.
fn keeping_style(source: &str, style: Style, places: &[Replaced<'_>]) -> Option<String> {
    let mut parts = Vec::new();
    for Replaced { source: range, text, .. } in places {
        let text = match style {
            Style::Absent => return None,
            Style::DoubleQuoted => Cow::Owned(escaped(text)),
            _ if !is_line(text) => return None,
            Style::SingleQuoted => Cow::Owned(text.replace('\'', "''")),
            // At the start of a line it would be indentation, or a blank line.
            Style::Literal | Style::Folded if text.is_empty() || text.starts_with(' ') => return None,
            Style::Plain | Style::Literal | Style::Folded => Cow::Borrowed(*text),
        };
        parts.push((range.clone()?, text));
    }
    Some(replaced(source, parts.into_iter()))
}

/// Whether `source` in the place `site` is one scalar of that style and text.
fn reads_as(source: &str, style: Style, decoded: &str, site: Site) -> bool {
    match style {
        Style::Absent => false,
        Style::Plain => is_plain(source, decoded, site),
        Style::SingleQuoted | Style::DoubleQuoted | Style::Literal | Style::Folded => {
            let scalar = Scalar { text: Cow::Borrowed(decoded), style };
            Offsets::of(source, 0..source.len(), &scalar).is_some()
        }
    }
}

fn is_plain(source: &str, decoded: &str, site: Site) -> bool {
    let loaded = LOADED_WORDS.iter().any(|word| word.eq_ignore_ascii_case(decoded));
    if loaded || source.starts_with("---") || source.starts_with("...") {
        return false;
    }
    let (text, at) = match site {
        Site { flow: false, key: false } => (format!("k: {source}\n"), 3),
        Site { flow: true, key: false } => (format!("[{source}]"), 1),
        Site { flow: false, key: true } => (format!("{source}: v\n"), 0),
        Site { flow: true, key: true } => (format!("{{{source}: v}}"), 1),
    };
    let tree = tree::read(&text, Comments::Skip);
    let found = tree.nodes().iter().any(|node| match &node.kind {
        Kind::Scalar(scalar) => {
            node.range == (at..at + source.len()) && scalar.style == Style::Plain && scalar.text == decoded
        }
        Kind::Sequence { .. } | Kind::Mapping { .. } | Kind::Alias(_) => false,
    });
    found && tree.errors.is_empty()
}

/// Whether a text is a single line without characters that must be escaped.
fn is_line(text: &str) -> bool {
    !text.contains(must_be_escaped)
}

fn must_be_escaped(character: char) -> bool {
    character.is_control() || matches!(character, '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
}

/// As it stands between double quotes.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            _ if must_be_escaped(character) => {
                let code = u32::from(character);
                let written = if code < 0x100 { write!(out, "\\x{code:02x}") } else { write!(out, "\\u{code:04x}") };
                written.expect("a string takes all that is written to it");
            }
            _ => out.push(character),
        }
    }
    out
}

/// The comment behind a block scalar's header, which has to stay when the header goes.
fn header_comment(source: &str, style: Style) -> &str {
    match style {
        Style::Literal | Style::Folded => {
            let header = source.split(['\n', '\r']).next().unwrap_or("");
            let comment = header.find('#').map_or("", |at| &header[at..]);
            &header[header.len() - comment.len() - usize::from(!comment.is_empty())..]
        }
        Style::Absent | Style::Plain | Style::SingleQuoted | Style::DoubleQuoted => "",
    }
}

/// `parts` are in order and do not overlap.
fn replaced<'a>(text: &str, parts: impl Iterator<Item = (Range<usize>, Cow<'a, str>)>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (range, part) in parts {
        out += &text[from..range.start];
        out += &part;
        from = range.end;
    }
    out + &text[from..]
}
