//! Code blocks: which part is code, byte for byte, and which is a comment, which a reader reads as prose.
//! Knows the ways in which common languages open a comment, not the languages: a string that looks like one is taken for
//! one, and its words are compared as words.

use std::ops::Range;

use super::scan;
use super::{Place, Token, TokenKind};

/// Scans code. Inline code has no comments; a block may.
pub(super) fn code(text: &str, range: Range<usize>, tokens: &mut Vec<Token>) {
    let only = &text[range.clone()];
    if !only.contains('\n') {
        return inline(text, range.start + prompt(only)..range.end, tokens);
    }
    let mut at = range.start;
    let mut block = None;
    for line in text[range].split_inclusive('\n') {
        let end = at + line.len();
        scan_line(text, at + prompt(line)..end, &mut block, tokens);
        at = end;
    }
}

/// The length of the sign before a command, which nobody types: `$ ls`.
fn prompt(line: &str) -> usize {
    let command = line.trim_start().strip_prefix("$ ");
    command.map_or(0, |command| line.len() - command.len())
}

/// Code within a text. A mark by itself, as `;`, is spoken of there, not used.
fn inline(text: &str, range: Range<usize>, tokens: &mut Vec<Token>) {
    let (first, is_marks) = (tokens.len(), !text[range.clone()].contains(char::is_alphanumeric));
    scan::code(text, range, tokens);
    for token in tokens[first..].iter_mut().filter(|token| is_marks && token.kind == TokenKind::Punctuation) {
        token.kind = TokenKind::Symbol;
    }
}

/// One line; `block` is what closes the comment that it begins in.
fn scan_line(text: &str, range: Range<usize>, block: &mut Option<&'static str>, tokens: &mut Vec<Token>) {
    let line = &text[range.clone()];
    if let Some(close) = *block {
        let end = line.find(close).map(|at| range.start + at + close.len());
        comment(text, range.start..end.unwrap_or(range.end), tokens);
        if let Some(end) = end {
            *block = None;
            scan_line(text, end..range.end, block, tokens);
        }
        return;
    }
    let Some((at, opening)) = opening(line) else { return scan::code(text, range, tokens) };
    scan::code(text, range.start..range.start + at, tokens);
    let from = range.start + at;
    match opening {
        Opening::Line => comment(text, from..range.end, tokens),
        Opening::Block { length, close } => {
            // The marker itself, then what it opens.
            scan::code(text, from..from + length, tokens);
            *block = Some(close);
            scan_line(text, from + length..range.end, block, tokens);
        }
    }
}

enum Opening {
    /// To the end of the line.
    Line,
    Block {
        length: usize,
        close: &'static str,
    },
}

/// Where a comment begins in a line of code.
fn opening(line: &str) -> Option<(usize, Opening)> {
    let free = |at: usize| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    let line_comment = ["// ", "//\n", "///", "//!", "# ", "-- ", ";; "];
    let found = line_comment.iter().filter_map(|marker| {
        line.match_indices(marker).map(|(at, _)| at).find(|at| free(*at)).map(|at| (at, Opening::Line))
    });
    let blocks = [("/*", "*/"), ("<!--", "-->"), ("(*", "*)")];
    let blocks = blocks.iter().filter_map(|(open, close)| {
        let at = line.find(open).filter(|at| free(*at))?;
        Some((at, Opening::Block { length: open.len(), close }))
    });
    found.chain(blocks).min_by_key(|(at, _)| *at)
}

/// The places between quotation marks that hold several words: texts, neither keys nor values. In order.
pub(in crate::diff) fn quoted_sentences(text: &str) -> Vec<Range<usize>> {
    /// A key or a value is one word.
    const WORDS: usize = 2;
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        for (at, piece) in line.split('"').enumerate() {
            if at % 2 == 1 && piece.split_whitespace().nth(WORDS - 1).is_some() {
                found.push(start..start + piece.len());
            }
            start += piece.len() + 1;
        }
        // Behind the last piece stands no quotation mark.
        start -= 1;
    }
    found
}

/// The text of a comment; the target of a Markdown link in it is a target.
fn comment(text: &str, range: Range<usize>, tokens: &mut Vec<Token>) {
    let mut at = range.start;
    while let Some(target) = target(text, at..range.end) {
        scan::prose(text, at..target.start, Place::Prose, tokens);
        tokens.push(Token { kind: TokenKind::LinkTarget, place: Place::Target, start: target.start, end: target.end });
        at = target.end;
    }
    scan::prose(text, at..range.end, Place::Prose, tokens);
}

/// The first `](target)` of a line.
fn target(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let line = &text[range.clone()];
    let start = line.find("](")? + 2;
    let length = line[start..].find(')')?;
    let target = &line[start..start + length];
    let start = range.start + start;
    (!target.is_empty() && !target.contains(char::is_whitespace)).then_some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::token::tokens;
    use crate::manual::{Inline, InlineKind};

    /// The words of a block, those of comments in quotes, targets in brackets.
    fn check(text: &str, expected: &str) {
        let inlines = [Inline { kind: InlineKind::Code, start: 0, end: text.len() }];
        let shown: Vec<String> = tokens(text, &inlines)
            .iter()
            .filter(|token| !matches!(token.kind, TokenKind::Punctuation | TokenKind::Symbol))
            .map(|token| match (token.kind, token.place) {
                (TokenKind::LinkTarget, _) => format!("<{}>", token.text(text)),
                (_, Place::Prose) => format!("'{}'", token.text(text)),
                _ => token.text(text).to_owned(),
            })
            .collect();
        assert_eq!(shown.join(" "), expected, "{text:?}");
    }

    #[test]
    fn comments_are_prose() {
        check("a(); // must wait\nb();", "a 'must' 'wait' b");
        check("a: b # as set\nc: d\n", "a b 'as' 'set' c d");
        check("see http://x.example/a\nb", "see http://x.example/a b");
        check("/* one\n two */ three\n", "'one' 'two' three");
        check("#include x\nint y;", "include x int y");
        check("// see [the limits](limits.md#5) now\na", "'see' 'the' 'limits' <limits.md#5> 'now' a");
        check("a // not a block", "a not a block");
    }

    #[test]
    fn a_prompt_is_not_typed() {
        check("$ ls $HOME\n  $ cd\n", "ls $HOME cd");
        check("$ ls", "ls");
        check("x $ y\n$x\n", "x y $x");
    }
}
