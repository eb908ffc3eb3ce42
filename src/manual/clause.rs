//! Markers that make a block citeable: a match of an id pattern at the start of its first line.

use regex::Regex;

/// The id patterns of a configuration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Markers<'t> {
    patterns: &'t [Regex],
}

/// A marker at the start of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    pub(super) id: String,
    /// Its length in the source.
    pub(super) length: usize,
    /// Its length with what separates it from the text, such as a colon.
    pub(super) skip: usize,
    /// Whether nothing else stands on the line.
    pub(super) alone: bool,
}

impl<'t> Markers<'t> {
    pub(super) fn new(patterns: &'t [Regex]) -> Self {
        Self { patterns }
    }

    /// The marker at `start` of a text. The line is matched as written, without the markers of lists and quotes.
    pub(super) fn at(&self, text: &str, start: usize) -> Option<Marker> {
        if self.patterns.is_empty() {
            return None;
        }
        let rest = text.get(start..)?;
        let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        let line = rest[..end].trim_end();
        self.patterns.iter().find_map(|pattern| marker(pattern, line))
    }
}

fn marker(pattern: &Regex, line: &str) -> Option<Marker> {
    let found = pattern.captures(line)?;
    let whole = found.get(0).filter(|whole| whole.start() == 0 && !whole.is_empty())?;
    let id = found.name("id").or_else(|| found.get(1)).unwrap_or(whole).as_str().trim();
    let rest = &line[whole.end()..];
    let text = rest.trim_start_matches(|c: char| c == ':' || c.is_whitespace());
    let skip = line.len() - text.len();
    (!id.is_empty()).then(|| Marker { id: id.to_string(), length: whole.end(), skip, alone: text.is_empty() })
}
