//! Cuts a stretch of text into tokens by spelling alone, in one pass with bounded lookahead. What depends on the
//! neighbours (units, dates in words, references) is settled afterwards in `context`.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::{Place, Token, TokenKind};

/// How far a single token may look ahead, so that the whole stays linear; no identifier or path is longer.
const LOOKAHEAD: usize = 256;

/// Arrows first, so that they are not taken for comparisons.
const ARROWS: [&str; 9] = ["<=>", "<->", "-->", "<--", "==>", "->", "=>", "<<", ">>"];

const COMPARATORS: [&str; 26] = [
    "===", "!==", "+/-", "<=", ">=", "=<", "==", "!=", "<>", "~=", "≤", "≥", "≦", "≧", "⩽", "⩾", "≠", "≈", "±", "<",
    ">", "=", "＜", "＞", "＝", "≙",
];

/// Words that lose their vowel before another word, in French: both sides are words.
const ELISIONS: [&str; 13] = ["l", "d", "n", "s", "c", "j", "m", "t", "qu", "lorsqu", "puisqu", "jusqu", "quoiqu"];

/// Scans text that is read as language.
pub(super) fn prose(text: &str, range: Range<usize>, place: Place, tokens: &mut Vec<Token>) {
    Scanner { text, at: range.start, end: range.end, place, tokens }.run();
}

/// Scans code: as finely as prose, so that a changed number is seen, but words and identifiers count as code, and so do
/// marks that mean something there.
pub(super) fn code(text: &str, range: Range<usize>, tokens: &mut Vec<Token>) {
    let first = tokens.len();
    prose(text, range, Place::Code, tokens);
    for token in &mut tokens[first..] {
        match token.kind {
            TokenKind::Word | TokenKind::Identifier | TokenKind::LinkTarget => token.kind = TokenKind::Code,
            TokenKind::Punctuation if is_notation(text, token) => token.kind = TokenKind::Symbol,
            TokenKind::Punctuation
            | TokenKind::Number
            | TokenKind::Unit
            | TokenKind::Comparator
            | TokenKind::Code
            | TokenKind::Html
            | TokenKind::Date
            | TokenKind::Version
            | TokenKind::Reference
            | TokenKind::Symbol => {}
        }
    }
}

/// Whether a mark of code says something: `!ready`, `x?`, `["x"]`, `pump/{id}`. Commas, brackets around a group and the end of
/// a statement come and go with the layout; rows of `-` and `/` are drawn.
fn is_notation(text: &str, token: &Token) -> bool {
    let mark = token.text(text);
    match mark {
        "!" | "?" | "[" | "]" | "{" | "}" | "\"" | "'" => true,
        "-" | "/" => {
            let (before, after) = (&text[..token.start], &text[token.end..]);
            let is_drawn = before.ends_with(mark) || after.starts_with(mark);
            // `docs/` is the folder `docs`, and `- x` an entry of a list.
            let ends_name = before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric);
            let opens_line =
                after.starts_with(' ') && before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
            !is_drawn && !ends_name && !opens_line
        }
        _ => false,
    }
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    end: usize,
    place: Place,
    tokens: &'t mut Vec<Token>,
}

impl Scanner<'_> {
    fn run(&mut self) {
        while let Some(character) = self.rest().chars().next() {
            if character.is_whitespace() || is_invisible(character) {
                self.at += character.len_utf8();
            } else {
                self.token(character);
            }
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..self.end]
    }

    /// The character before, of the same stretch or not.
    fn previous(&self) -> Option<char> {
        self.text[..self.at].chars().next_back()
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        self.tokens.push(Token { kind, place: self.place, start: self.at, end: self.at + length });
        self.at += length;
    }

    fn token(&mut self, first: char) {
        let rest = self.rest();
        let found = footnote(rest)
            .or_else(|| self.chunk(first))
            .or_else(|| self.number())
            .or_else(|| identifier(rest))
            .or_else(|| (!first.is_alphanumeric()).then(|| operator(rest)).flatten());
        match found {
            Some((kind, length)) => self.push(kind, length),
            None if first.is_alphanumeric() || first == '_' => self.words(),
            None if is_punctuation(first) => self.push(TokenKind::Punctuation, first.len_utf8()),
            None => self.push(TokenKind::Symbol, grapheme(rest)),
        }
    }

    /// A URL, path, flag or variable that begins here: after whitespace or an opening mark.
    fn chunk(&self, first: char) -> Option<(TokenKind, usize)> {
        let begins = self.previous().is_none_or(|before| is_delimiter(before) || before == '=') || first == '$';
        if !begins {
            return None;
        }
        let chunk = chunk(self.rest());
        let kind = classify_chunk(chunk, self.place)?;
        Some((kind, flag_or_variable(chunk).unwrap_or(chunk.len())))
    }

    fn number(&self) -> Option<(TokenKind, usize)> {
        let before = self.previous();
        // In `2<sup>16</sup>-1` nothing is negative.
        let is_behind_power = self.text[..self.at].ends_with("</sup>");
        let signed = before.is_none_or(|before| is_delimiter(before) || "=<>≤≥±:+*/^~→".contains(before));
        let signed = signed && !is_behind_power;
        // In code a space parts two values.
        super::number::scan(self.rest(), (signed, self.place != Place::Code))
    }

    /// Words by Unicode's boundaries; what Unicode joins at a dot or colon is apart here, as is an elided article.
    fn words(&mut self) {
        let piece = word(self.rest());
        let mut parts = Vec::new();
        let mut start = 0;
        for (at, mark) in piece.match_indices(['.', ':', '·', '_']) {
            parts.push((start, at));
            parts.push((at, at + mark.len()));
            start = at + mark.len();
        }
        parts.push((start, piece.len()));
        let length = piece.len();
        let base = self.at;
        for (from, to) in parts.into_iter().filter(|(from, to)| from < to) {
            self.at = base + from;
            let part = &self.text[base + from..base + to];
            if part.starts_with(['.', ':', '·', '_']) {
                self.push(TokenKind::Punctuation, to - from);
                continue;
            }
            if let Some(prefix) = elision(part) {
                self.push(TokenKind::Word, prefix);
            }
            let left = base + to - self.at;
            self.push(TokenKind::Word, left);
        }
        self.at = base + length.max(1);
    }
}

/// The text up to the first word boundary.
fn word(rest: &str) -> &str {
    // Most words are ASCII letters before a space or a comma, and that is a boundary in any case.
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    match rest.as_bytes().get(letters) {
        Some(b' ' | b',' | b';' | b'-' | b'/' | b'(' | b')' | b'\n') if letters > 0 => &rest[..letters],
        Some(_) | None => rest.split_word_bounds().next().unwrap_or_default(),
    }
}

/// `[^1]`.
fn footnote(rest: &str) -> Option<(TokenKind, usize)> {
    let label = rest.strip_prefix("[^")?;
    let end = prefix(label, 64).find(']')?;
    let plain = end > 0 && !label[..end].contains(|character: char| character.is_whitespace() || character == '[');
    plain.then_some((TokenKind::Reference, end + 3))
}

/// From here to whitespace, a bracket, a quote or text without spaces; without closing punctuation.
fn chunk(rest: &str) -> &str {
    let window = prefix(rest, LOOKAHEAD);
    let end = window.find(|character| is_delimiter(character) || is_ideographic(character)).unwrap_or(window.len());
    window[..end].trim_end_matches(['.', ',', ':', ';', '!', '?'])
}

fn classify_chunk(chunk: &str, place: Place) -> Option<TokenKind> {
    if chunk.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let is_url = chunk.split_once("://").is_some_and(|(scheme, host)| is_name(scheme) && !host.is_empty())
        || chunk.strip_prefix("www.").or(chunk.strip_prefix("mailto:")).is_some_and(|host| !host.is_empty());
    if is_url {
        return Some(TokenKind::LinkTarget);
    }
    let is_flag = flag_or_variable(chunk).is_some_and(|length| place == Place::Code || !is_suffix(&chunk[..length]));
    let is_ending = place != Place::Code && is_extension(chunk);
    (is_flag || is_path(chunk) || is_address(chunk) || is_ending).then_some(TokenKind::Identifier)
}

/// `-based`: a word's second half in prose, while `-x` and `--anything` are flags.
fn is_suffix(flag: &str) -> bool {
    flag.starts_with('-') && !flag.starts_with("--") && flag.len() > 2
}

/// The length of a flag (`--name`, `-x`, without its `=value`) or variable (`$NAME`, `${NAME}`).
fn flag_or_variable(chunk: &str) -> Option<usize> {
    if let Some(name) = chunk.strip_prefix('$') {
        let braced = name.strip_prefix('{').and_then(|inner| inner.find('}')).map(|end| end + 3);
        return braced.or_else(|| name.starts_with(is_name_start).then(|| 1 + name_length(name)));
    }
    let name = chunk.strip_prefix("--").or_else(|| chunk.strip_prefix('-'))?;
    let dashes = chunk.len() - name.len();
    name.starts_with(|first: char| first.is_ascii_alphabetic()).then(|| dashes + name_length(name))
}

fn name_length(name: &str) -> usize {
    name.find(|character: char| !(character.is_alphanumeric() || "_-".contains(character))).unwrap_or(name.len())
}

/// `/etc/x`, `./x`, `../x`, `~/x`, `src/main.rs`.
fn is_path(chunk: &str) -> bool {
    let rooted = ["/", "./", "../", "~/"].iter().any(|root| {
        chunk.strip_prefix(root).is_some_and(|path| path.starts_with(|first| is_name_start(first) || first == '.'))
    });
    let has_extension = || {
        let name = chunk.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').is_some_and(|(stem, extension)| {
            !stem.is_empty() && (1..=5).contains(&extension.len()) && is_name(extension)
        })
    };
    rooted || (chunk.contains('/') && chunk.starts_with(is_name_start) && has_extension())
}

/// `.exe`, `.gitignore`: what the names of files end in, or are.
fn is_extension(chunk: &str) -> bool {
    chunk.strip_prefix('.').is_some_and(|name| {
        name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// `@scope/name`, `@user`, `name@host.org`.
fn is_address(chunk: &str) -> bool {
    match chunk.split_once('@') {
        Some(("", name)) => name.starts_with(is_name_start),
        Some((user, host)) => {
            user.starts_with(is_name_start) && host.contains('.') && host.starts_with(char::is_alphanumeric)
        }
        None => false,
    }
}

/// A name as programs use it, from here on.
fn identifier(rest: &str) -> Option<(TokenKind, usize)> {
    if !rest.starts_with(is_name_start) {
        return None;
    }
    let candidate = &rest[..identifier_length(prefix(rest, LOOKAHEAD))];
    is_identifier(candidate).then_some((TokenKind::Identifier, candidate.len()))
}

/// Letters, digits and `_`, joined by `.` or `::` before another one; by `-` between capitals and digits.
fn identifier_length(window: &str) -> usize {
    let is_part = |character: char| (character.is_alphanumeric() && !is_ideographic(character)) || character == '_';
    let mut end = 0;
    loop {
        end += window[end..].find(|character| !is_part(character)).unwrap_or(window.len() - end);
        let rest = &window[end..];
        let joint = if rest.starts_with("::") { 2 } else { usize::from(rest.starts_with(['.', '-'])) };
        let follows = rest.get(joint..).is_some_and(|rest| rest.starts_with(is_part));
        let dashed = rest.starts_with('-') && !is_dashed_number(&window[..end], &rest[1..]);
        if joint == 0 || !follows || dashed {
            return end;
        }
        end += joint;
    }
}

/// `SHA-256`, `ISO-8859-1`, `REQ-12`: capitals, then digits.
fn is_dashed_number(name: &str, after: &str) -> bool {
    let capitals = name.split('-').next().unwrap_or_default();
    capitals.len() >= 2
        && capitals.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && after.starts_with(|first: char| first.is_ascii_digit())
}

fn is_identifier(candidate: &str) -> bool {
    if candidate.contains("::") || candidate.contains('-') {
        return true;
    }
    let mut parts = candidate.split('.');
    let first = parts.next().unwrap_or_default();
    let rest: Vec<_> = parts.collect();
    let is_single = |part: &str| part.chars().count() == 1;
    let is_digits = |part: &&str| part.chars().all(char::is_numeric);
    // `e.g`, `z.B`; `Fig.3`, `A.1`, but not `MS.AAD.1`.
    let is_abbreviation = is_single(first) && rest.iter().all(|part| is_single(part))
        || !rest.is_empty() && first.chars().all(char::is_alphabetic) && rest.iter().all(is_digits);
    if !rest.is_empty() && !is_abbreviation {
        return true;
    }
    rest.is_empty() && is_program_name(first)
}

/// A single name that no language would spell so: with a digit, an inner `_` or an inner capital.
fn is_program_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase();
    if name
        .as_bytes()
        .split_first()
        .is_some_and(|(first, rest)| first.is_ascii_alphabetic() && rest.iter().all(|byte| is_plain(*byte)))
    {
        return false;
    }
    let characters: Vec<char> = name.chars().collect();
    let has = |test: fn(char) -> bool| characters.iter().any(|character| test(*character));
    let snake = characters.contains(&'_') && has(char::is_alphanumeric);
    let digits = has(|character| character.is_numeric() && !"²³¹".contains(character)) && has(char::is_alphabetic);
    let humps = characters.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    // `JSONPath`, but not the plural `URLs`.
    let acronym = characters.windows(4).any(|four| {
        four[0].is_uppercase() && four[1].is_uppercase() && four[2].is_lowercase() && four[3].is_lowercase()
    });
    snake || digits || humps || acronym
}

/// Comparisons and arrows.
fn operator(rest: &str) -> Option<(TokenKind, usize)> {
    if let Some(arrow) = ARROWS.iter().find(|arrow| rest.starts_with(**arrow)) {
        return Some((TokenKind::Symbol, arrow.len()));
    }
    if let Some(comparator) = COMPARATORS.iter().find(|comparator| rest.starts_with(**comparator)) {
        return Some((TokenKind::Comparator, comparator.len()));
    }
    let about = rest.strip_prefix(['~', '～'])?.trim_start_matches(' ').starts_with(char::is_numeric);
    about.then(|| (TokenKind::Comparator, rest.chars().next().map_or(0, char::len_utf8)))
}

fn elision(word: &str) -> Option<usize> {
    let (prefix, apostrophe) = word.match_indices(['\'', '’']).next()?;
    let elided = word[..prefix].to_lowercase();
    let splits = prefix + apostrophe.len() < word.len() && ELISIONS.contains(&elided.as_str());
    splits.then_some(prefix + apostrophe.len())
}

fn grapheme(rest: &str) -> usize {
    prefix(rest, LOOKAHEAD).graphemes(true).next().map_or(rest.len(), str::len)
}

/// The longest prefix of at most `limit` bytes.
pub(super) fn prefix(rest: &str, limit: usize) -> &str {
    &rest[..rest.floor_char_boundary(limit)]
}

fn is_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn is_name_start(character: char) -> bool {
    (character.is_alphabetic() && !is_ideographic(character)) || character == '_'
}

/// Scripts that are written without spaces between words.
pub(super) fn is_ideographic(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{303f}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

fn is_delimiter(character: char) -> bool {
    match character {
        '(' | ')' | '[' | ']' | '<' | '>' | '"' | '\'' | '`' | ',' | ';' | '|' => true,
        '«' | '»' | '“' | '”' | '‘' | '’' | '„' => true,
        _ => character.is_whitespace() || (is_wide(character) && is_punctuation(character)),
    }
}

fn is_wide(character: char) -> bool {
    matches!(character, '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff65}')
}

fn is_punctuation(character: char) -> bool {
    match character {
        '.' | ',' | ';' | ':' | '!' | '?' | '-' | '/' | '"' | '\'' | '`' => true,
        '(' | ')' | '[' | ']' | '{' | '}' => true,
        _ => {
            !character.is_ascii()
                && "‐‑–—…«»“”‘’„‚‹›¡¿·•、。！（），－．／：；？［］｛｝「」『』【】〈〉《》〔〕〖〗・～—"
                    .contains(character)
        }
    }
}

/// Characters without a look of their own: joiners, soft hyphens, byte order marks.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
        || character.is_control()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The words that are cut without asking the library are cut as it would.
        #[test]
        fn words_end_at_the_bounds_of_unicode(text in "[a-zA-Z]{1,4}[-a-z0-9 ,;/()\n_'.:\u{301}\u{200d}é漢]{0,4}") {
            prop_assert_eq!(Some(word(&text)), text.split_word_bounds().next());
        }
    }
}
