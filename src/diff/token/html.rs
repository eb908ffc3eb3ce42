//! Raw HTML: tags are markup, but some attributes hold words that a reader reads or an id that others cite.

use std::ops::Range;

use super::scan;
use super::{Place, Token, TokenKind};

/// Attributes whose value is read, or names something.
const TELLING: [&str; 10] =
    ["title", "alt", "summary", "label", "placeholder", "aria-label", "id", "name", "value", "type"];

/// Attributes whose value is an address.
const ADDRESSES: [&str; 3] = ["href", "src", "cite"];

/// What templates call the boxes that they set notes in.
const NOTES: [&str; 11] =
    ["alert", "callout", "caution", "danger", "hint", "important", "info", "note", "notice", "tip", "warning"];

/// The first tag of a template that sets a note apart: `{{% alert color="red" %}}`, `{{< /note >}}`. What other tags put in
/// their place nobody sees.
pub(super) fn note_tag(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    /// No tag is longer, in bytes.
    const LONGEST: usize = 256;
    let prose = &text[range.clone()];
    prose.match_indices("{{").find_map(|(start, _)| {
        let inner = scan::prefix(&prose[start + 2..], LONGEST);
        let (inner, close) = match inner.as_bytes().first()? {
            b'%' => (&inner[1..], "%}}"),
            b'<' => (&inner[1..], ">}}"),
            _ => return None,
        };
        let end = inner.find(close)?;
        let name = inner[..end].trim_start().trim_start_matches('/').split_whitespace().next()?;
        let length = 3 + end + close.len();
        NOTES.contains(&name).then(|| range.start + start..range.start + start + length)
    })
}

/// Scans a tag that [`note_tag`] found. Of one that opens a note, the kind of note is read.
pub(super) fn note(text: &str, range: Range<usize>, tokens: &mut Vec<Token>) {
    let name = range.start + text[range.clone()].find(|character: char| character.is_alphanumeric()).unwrap_or(0);
    let length = text[name..range.end].find(|character: char| !character.is_alphanumeric()).unwrap_or(0);
    let closes = text[range.start..name].contains('/');
    let end = if closes { range.start } else { name + length };
    if !closes {
        push(TokenKind::Html, range.start..name, tokens);
        scan::prose(text, name..end, Place::Html, tokens);
    }
    scan_tag(text, end..range.end, tokens);
}

/// Scans raw HTML: markup in tags is one token a piece, text between tags is prose.
pub(super) fn html(text: &str, range: Range<usize>, tokens: &mut Vec<Token>) {
    let mut at = range.start;
    while at < range.end {
        let rest = &text[at..range.end];
        let (before, tag) = match rest.find('<').map(|open| (open, rest[open..].find('>'))) {
            Some((open, Some(close))) => (open, open + close + 1),
            Some((_, None)) | None => (rest.len(), rest.len()),
        };
        scan::prose(text, at..at + before, Place::Html, tokens);
        if tag > before {
            scan_tag(text, at + before..at + tag, tokens);
        }
        at += tag;
    }
}

fn scan_tag(text: &str, range: Range<usize>, tokens: &mut Vec<Token>) {
    let mut markup = range.start;
    for (name, value) in attributes(text, range.clone()) {
        let is = |names: &[&str]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        if !is(&TELLING) && !is(&ADDRESSES) {
            continue;
        }
        push(TokenKind::Html, markup..value.start, tokens);
        if is(&ADDRESSES) {
            tokens.push(Token {
                kind: TokenKind::LinkTarget,
                place: Place::Target,
                start: value.start,
                end: value.end,
            });
        } else {
            scan::prose(text, value.clone(), Place::Html, tokens);
        }
        markup = value.end;
    }
    push(TokenKind::Html, markup..range.end, tokens);
}

fn push(kind: TokenKind, range: Range<usize>, tokens: &mut Vec<Token>) {
    if !range.is_empty() {
        tokens.push(Token { kind, place: Place::Html, start: range.start, end: range.end });
    }
}

/// The attributes of a tag that have a value in quotes, with the value's range.
fn attributes(text: &str, range: Range<usize>) -> Vec<(&str, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = range.start;
    while let Some(equals) = text[at..range.end].find('=').map(|equals| at + equals) {
        let name =
            text[at..equals].trim_end().rsplit(|character: char| character.is_whitespace() || character == '<').next();
        let value = text[equals + 1..range.end].trim_start();
        let start = range.end - value.len();
        let Some(quote) = value.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else {
            at = equals + 1;
            continue;
        };
        let Some(length) = value[1..].find(quote) else { break };
        if length > 0 {
            found.push((name.unwrap_or(""), start + 1..start + 1 + length));
        }
        at = start + length + 2;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut tokens = Vec::new();
        html(text, 0..text.len(), &mut tokens);
        let shown: Vec<String> = tokens
            .iter()
            .filter(|token| token.kind != TokenKind::Html)
            .map(|token| {
                let text = token.text(text);
                if token.kind == TokenKind::LinkTarget { format!("<{text}>") } else { text.to_owned() }
            })
            .collect();
        assert_eq!(shown.join(" "), expected, "{text:?}");
    }

    #[test]
    fn attributes_that_are_read_are_words() {
        check("<div class=\"note\">Stop.</div>", "Stop .");
        check("<div id=\"REQ-1\" title=\"Stop at once\">", "REQ-1 Stop at once");
        check("<a href=\"x.html\">more</a>", "<x.html> more");
        check("<img src='a.png' alt = 'a pump' width=3>", "<a.png> a pump");
        check("a < b", "a < b");
        check("<p title=\"open", "< p title = \" open");
        check("<br/>", "");
    }

    #[test]
    fn the_tags_of_a_note_are_markup() {
        let found = |text: &'static str| note_tag(text, 0..text.len()).map(|tag| &text[tag]);
        assert_eq!(found("a {{% alert color=\"red\" %}} b {{% /alert %}}"), Some("{{% alert color=\"red\" %}}"));
        assert_eq!(found("{{ max }} {{< max >}} b {{< /note >}}."), Some("{{< /note >}}"));
        assert_eq!(found("{{% alert {{< note"), None);
    }
}
