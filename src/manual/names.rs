//! Whether a text may hold a name, seen from its letters alone: far cheaper than reading the text as Markdown or YAML, and
//! never a wrong no. Says where it pays to look; what is really there, only the parsers know.
//!
//! Slugs, headings and citations of them are spelled differently: `cut-off`, `Cut *off*`, `Cut  Off`. Their letters and
//! digits in a row are the same, so these are compared.

use regex::bytes::Regex;
use unicode_normalization::char::decompose_canonical;

use super::canonical::fold;
use super::number::split_number;
use super::published::{decode, link_target};
use super::resolve::{last_component, number_parts};
use super::{Document, Options, Section, SectionKind};

/// How many bytes of a name are looked for. To look for very long ones takes their length times that of the text.
const MOST_LETTERS: usize = 256;

/// The letter or digit that each byte of ASCII is in lower case; 0 for all others.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    let mut byte = 0u8;
    while byte.is_ascii() {
        if byte.is_ascii_alphanumeric() {
            letters[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    letters
};

/// Names to be looked for. Without any, nothing holds them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Letters in a row.
    letters: Vec<Vec<u8>>,
    /// Numbers of sections, which as letters would be everywhere: `5.2` is not in `15 26`.
    numbers: Vec<String>,
    /// Whether there is a name that may be anywhere, such as one without a letter.
    anywhere: bool,
    /// Whether names of places in the text are among them, not only of sections.
    places: bool,
    /// Whether numbers may stand anywhere in a longer scalar, not only at its end.
    inside: bool,
}

/// Names ready to be looked for in many texts.
pub(crate) struct Search {
    names: Names,
    letters: Option<Regex>,
    numbers: Option<Regex>,
}

impl Names {
    /// For texts in which a citation may be a part of a scalar.
    pub(crate) fn inside_scalars(mut self) -> Self {
        self.inside = true;
        self
    }

    /// What a citation may call a section by.
    pub(crate) fn add_section(&mut self, section: &Section) {
        for anchor in &section.anchors {
            self.add(anchor);
        }
        if section.kind == SectionKind::Preamble {
            return;
        }
        self.add(last_component(&section.path));
        self.add(&section.title);
        if section.explicit {
            self.add(last_component(&section.id.0));
        }
        match &section.number {
            Some(number) if number.is_ascii() && number.len() > MOST_LETTERS => self.anywhere = true,
            Some(number) if number.is_ascii() => self.numbers.push(number_parts(number).1.to_owned()),
            Some(number) => self.add(number_parts(number).1),
            None => {}
        }
    }

    /// What a citation may call a file by. A published address leaves out the ending, and the names of index pages.
    pub(crate) fn add_file(&mut self, document: &Document, is_published: bool) {
        let path = document.path.to_string();
        let stem = |path: &str| last_component(path).split('.').next().unwrap_or_default().to_owned();
        match stem(&path) {
            index if is_published && ["index", "_index", "README", ""].contains(&index.as_str()) => {
                self.add(path.rsplit('/').nth(1).unwrap_or_default());
                self.add(last_component(&path));
            }
            stem => self.add(&stem),
        }
    }

    /// What the section that a citation names may be called, however it is meant.
    pub(crate) fn add_citation(&mut self, citation: &str) {
        let citation = link_target(citation.trim()).unwrap_or(citation.trim());
        let inside = citation.rsplit_once('#').map(|(_, inside)| decode(inside));
        self.places |= citation.starts_with('#');
        for name in inside.iter().map(String::as_str).chain([citation]) {
            self.add(without_count(last_component(name)));
        }
        let folded = fold(citation);
        let (number, title) = split_number(&folded);
        self.add(title);
        if number.as_deref() == Some(title) || !folded.contains(' ') {
            self.add(number_parts(number.as_deref().unwrap_or(&folded)).1);
        }
    }

    /// A name as it stands.
    pub(crate) fn add(&mut self, name: &str) {
        let mut letters = letters(name);
        let is_start = |at: &usize| letters.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80);
        letters.truncate((0..=MOST_LETTERS.min(letters.len())).rev().find(is_start).unwrap_or(0));
        self.anywhere |= letters.is_empty();
        self.letters.push(letters);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.letters.is_empty() && self.numbers.is_empty()
    }

    pub(crate) fn search(mut self) -> Search {
        self.letters.sort();
        self.letters.dedup();
        let literal = |letters: &Vec<u8>| regex::escape(&String::from_utf8_lossy(letters));
        let letters = alternatives(self.letters.iter().map(literal), "(?:", ")");
        let numbers = self.numbers.iter().map(|number| regex::escape(number));
        // A number cites only where it ends its scalar, but for a pin or a comment, or what nobody sees.
        let (before, after) = match self.inside {
            true => ("(?:^|[^0-9A-Za-z])(?:", ")(?:$|[^0-9A-Za-z])"),
            false => (r"(?m)(?:^|[^0-9A-Za-z._/-])(?:", r#")[.:)\]]*["']?[ \t]*(?:$|[,{\]}#@\r\n]|[^\x00-\x7f])"#),
        };
        let numbers = alternatives(numbers, before, after);
        Search { names: self, letters, numbers }
    }
}

impl Search {
    /// Whether there is no name, so that no text has one.
    pub(crate) fn is_for_nothing(&self) -> bool {
        self.names.is_empty()
    }

    /// Whether a text of any kind may speak of one of the names.
    pub(crate) fn may_be_in(&self, text: &[u8]) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let Ok(text) = std::str::from_utf8(text) else { return true };
        self.names.anywhere
            || has_escapes(text.as_bytes())
            || finds(self.numbers.as_ref(), !self.names.numbers.is_empty(), text.as_bytes())
            || finds(self.letters.as_ref(), !self.names.letters.is_empty(), &letters(text))
    }

    /// Whether a Markdown text may have a section with one of the names.
    pub(crate) fn may_name_in(&self, text: &[u8], options: &Options) -> bool {
        if self.names.is_empty() {
            return false;
        }
        let Ok(text) = std::str::from_utf8(text) else { return true };
        let lines = NamingLines::of(text);
        if self.names.anywhere || lines.headings.iter().any(|heading| self.may_hide_in(heading)) {
            return true;
        }
        // A paragraph may be an item of a list, whose number follows from the one before it.
        let is_number = |letters: &Vec<u8>| letters.iter().all(u8::is_ascii_digit);
        if options.numbered_paragraphs && self.names.letters.iter().any(is_number) {
            return true;
        }
        let clauses = self.names.places || options.numbered_paragraphs || !options.id_patterns.is_empty();
        let mut row = Vec::new();
        for line in lines.headings.into_iter().chain(lines.ids).chain(clauses.then_some(text)) {
            row.extend(letters(line));
            row.push(b' ');
        }
        finds(self.letters.as_ref(), !self.names.letters.is_empty(), &row)
    }

    /// Whether a heading with links, tags or entities may read like one of the names once these are left out.
    fn may_hide_in(&self, line: &str) -> bool {
        if line.contains('&') && line.contains(';') {
            return true;
        }
        if !line.contains(['[', '<']) {
            return false;
        }
        let row = letters(line);
        let is_within = |name: &Vec<u8>| {
            let mut rest = row.iter();
            name.iter().all(|letter| rest.any(|other| other == letter))
        };
        self.names.letters.iter().any(is_within)
    }
}

/// Letters and digits in lower case, accents and everything else left out.
fn letters(text: &str) -> Vec<u8> {
    let mut letters = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii() {
            // Most texts are ASCII to their end, which is seen many bytes at a time.
            let end = match rest.is_ascii() {
                true => rest.len(),
                false => rest.bytes().position(|byte| !byte.is_ascii()).unwrap_or(rest.len()),
            };
            add_ascii(&mut letters, &rest.as_bytes()[..end]);
            rest = &rest[end..];
        } else {
            decompose_canonical(first, |part| add_lower(&mut letters, part));
            rest = &rest[first.len_utf8()..];
        }
    }
    letters
}

/// Megabytes pass here: every byte is written, and the next one over it unless it counts.
fn add_ascii(letters: &mut Vec<u8>, ascii: &[u8]) {
    let start = letters.len();
    letters.resize(start + ascii.len(), 0);
    let row = &mut letters[start..];
    let mut length = 0;
    for byte in ascii {
        let letter = LETTERS[usize::from(*byte)];
        row[length] = letter;
        length += usize::from(letter != 0);
    }
    letters.truncate(start + length);
}

fn add_lower(letters: &mut Vec<u8>, part: char) {
    // At the end of a word the Greek sigma is another letter in lower case.
    let lower = part.to_lowercase().map(|lower| if lower == 'ς' { 'σ' } else { lower });
    for lower in lower.filter(|lower| lower.is_alphanumeric()) {
        letters.extend_from_slice(lower.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// A name without the `-1` that tells it from others of the same name.
fn without_count(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((name, count)) if !name.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()) => name,
        Some(_) | None => name,
    }
}

/// Whether characters may be spelled as others: `\u00e9`, `%20`.
fn has_escapes(text: &[u8]) -> bool {
    let is_escape = |at: usize| match text[at..] {
        [b'%', first, second, ..] => first.is_ascii_hexdigit() && second.is_ascii_hexdigit(),
        [b'\\', code, ..] => b"0abtnvfrexuUNLP_".contains(&code),
        _ => false,
    };
    memchr::memchr2_iter(b'\\', b'%', text).any(is_escape)
}

/// What in a Markdown text may be a heading or give an id; more than there are, as code and quotes are not told apart.
/// A heading may come with what stands before it in its paragraph.
struct NamingLines<'t> {
    headings: Vec<&'t str>,
    ids: Vec<&'t str>,
}

impl<'t> NamingLines<'t> {
    fn of(text: &'t str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = Self { headings: Vec::new(), ids: lines_with_marks(text) };
        // Where the paragraph started that the line goes on with.
        let mut paragraph = 0;
        let mut start = 0;
        let ends = memchr::memchr2_iter(b'\n', b'\r', text.as_bytes()).chain([text.len()]);
        for end in ends {
            let words = text[start..end].trim_ascii();
            match words.bytes().next() {
                None => paragraph = end,
                Some(b'#') => {
                    lines.headings.push(words);
                    paragraph = end;
                }
                Some(mark @ (b'=' | b'-')) if words.bytes().all(|byte| byte == mark) => {
                    lines.headings.push(&text[paragraph..start]);
                    paragraph = end;
                }
                Some(_) => {}
            }
            start = end + 1;
        }
        lines
    }
}

/// The lines with tags or attributes.
fn lines_with_marks(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = memchr::memchr3(b'<', b'>', b'=', &bytes[from..]).map(|at| from + at) {
        let start = memchr::memrchr2(b'\n', b'\r', &bytes[..at]).map_or(0, |end| end + 1);
        let end = memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |end| at + end);
        found.push(&text[start..end]);
        from = end;
    }
    found
}

/// A pattern for any of these; `None` if there are none, or too many.
fn alternatives(words: impl Iterator<Item = String>, before: &str, after: &str) -> Option<Regex> {
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| Regex::new(&format!("{before}{}{after}", words.join("|"))).ok()).flatten()
}

/// Whether the pattern is found; where one was wanted and could not be made, it might be.
fn finds(pattern: Option<&Regex>, is_wanted: bool, text: &[u8]) -> bool {
    pattern.map_or(is_wanted, |pattern| pattern.is_match(text))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::manual::{Index, Manual, parse};
    use crate::source::{RepoPath, Rev, Sources};

    fn read(text: &str) -> Manual {
        let mut sources = Sources::default();
        let path = RepoPath::new("docs/m.md");
        let source = sources.add(Rev::Worktree, path.clone(), text);
        Manual { documents: vec![Arc::new(parse(source, &path, text, &Options::default()).value)] }
    }

    /// Whatever names a section must be found: in the cases by the section's names, in the manual by the citation's.
    fn check(text: &str, citations: &[&str]) {
        let manual = read(text);
        let index = Index::new(&manual, &[]);
        for citation in citations {
            assert!(index.has(citation, None), "{citation} names nothing in {text:?}");
            let mut names = Names::default();
            manual.sections().for_each(|(_, section)| names.add_section(section));
            names.add_file(&manual.documents[0], false);
            let case = format!("- id: x\n  cites: [{citation}]\n");
            assert!(names.search().may_be_in(case.as_bytes()), "{citation} of {text:?} is not found in a case");
            let mut names = Names::default();
            names.add_citation(citation);
            let is_file = !index.named_files(citation, None).is_empty();
            let found = names.search().may_name_in(text.as_bytes(), &Options::default());
            assert!(found || is_file, "{citation} is not found in {text:?}");
        }
    }

    #[test]
    fn a_name_is_found_however_it_is_spelled() {
        check("# Cut *off*\n", &["cut-off", "Cut off", "docs/m.md#cut-off", "m.md"]);
        check("# Pump\n\n## 5.2 Limits\n", &["pump/limits", "5.2", "§5.2", "5.2 Limits", "Limits"]);
        check("See [the\n*pump*](a.md)\n===\n", &["see-the-pump", "See the pump"]);
        check("# R&amp;D <b>no</b>tes\n", &["rd-notes"]);
        check("# `a_b` \\*c\\*\n", &["a_b-c"]);
        check("# A {#REQ-1}\n\n<a id='y'></a>\n\n# B\n\n<i\nid=z>x</i>\n", &["REQ-1", "y", "#z"]);
        check("# Same\n\n# Same\n", &["same", "same-1", "m.md#same-1"]);
        check("# U\u{308}berdruck\n", &["überdruck", "u\u{308}berdruck"]);
        check("> # Quoted\n\n# ΟΔΟΣ\n", &["#quoted", "οδος"]);
        check("\u{feff}# 漢字\r\n", &["漢字"]);
        check("# ???\n", &["-"]);
        let long = "éa".repeat(200);
        check(&format!("# {long}\n"), &[&long]);
    }

    /// To look for all of it would take minutes.
    #[test]
    fn of_a_very_long_name_the_start_is_looked_for() {
        let mut names = Names::default();
        names.add(&"docs ".repeat(8_000));
        let search = names.search();
        let text = format!("{}x ", "docs ".repeat(7_000)).repeat(25);
        assert!(search.may_be_in(text.as_bytes()) && !search.may_be_in(&text.as_bytes()[..200]));
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let mut names = Names::default();
        read("# Pump\n\n## 5.2 Limits\n").sections().for_each(|(_, section)| names.add_section(section));
        let search = names.search();
        let in_case = |text: &str| search.may_be_in(text.as_bytes());
        assert!(!in_case("cites: [lamps, 15.2, 5.21]\nexpected: within 5.2 s at 20 %"));
        assert!(in_case("cites: [\"\\u0070ump\"]") && in_case("cites: [p%75mp]"), "escapes hide anything");
        let mut names = Names::default();
        names.add_citation("pump/cut-off");
        let search = names.search();
        let in_manual = |text: &str| search.may_name_in(text.as_bytes(), &Options::default());
        assert!(!in_manual("# Pump\n\nThe cut-off is somewhere else.\n\n- cut-off\n"));
        assert!(in_manual("# Cut-off\n") && in_manual("\nCut-off\n---\n"));
        assert!(!Names::default().search().may_be_in(b"x") && search.may_be_in(b"\xff"));
    }
}
