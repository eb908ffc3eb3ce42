//! Why a text is no YAML, told to the person who wrote it: the slip that was probably made, where it was made, and what
//! would be right. The parser knows only where it could not go on, which is often behind that place, and which of its own
//! rules was broken. What is no common slip keeps the parser's place and words.
#![expect(clippy::wildcard_enum_match_arm, reason = "most of the parser's errors are no common slips")]

use std::ops::Range;

use granit_parser::ErrorKind;

use super::offsets::leading_spaces;
use super::tree::{self, Comments, MAX_DEPTH, word_starting};

/// Why a document could not be read: what is wrong and, behind a semicolon, what would be right.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    pub(super) message: String,
    pub(super) range: Range<usize>,
}

/// Where the parser stopped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// Where the last node ends that was read.
    pub(super) read: usize,
    /// The innermost bracket that is open.
    pub(super) bracket: Option<usize>,
}

/// What parts a document from the next. No line beyond is looked at, as each document can have an error.
const DIVIDERS: [&str; 2] = ["---", "..."];

/// What git leaves in a file that it could not merge.
const CONFLICT_MARKERS: [&str; 2] = ["<<<<<<< ", ">>>>>>> "];

/// What may stand behind a backslash in double quotes.
const ESCAPES: &str = "0abt\tnvfre \"/\\N_LPxuU\r\n";

const DEEPER: &str = "the line is deeper than the key above it, which has a value; indent both alike";

const UNCLOSED_QUOTE: &str = "unclosed quote; close it where the text ends";

/// Why a text is no YAML, and where: what is wrong and, behind a semicolon, what would be right.
pub(crate) fn why_no_yaml(text: &str) -> Option<(String, Range<usize>)> {
    let SyntaxError { message, range } = tree::read(text, Comments::Skip).errors.into_iter().next()?;
    Some((message, range))
}

/// What an error of the parser means.
pub(super) fn told(kind: &ErrorKind, stop: Stop<'_>) -> SyntaxError {
    let found = stop
        .conflict()
        .or_else(|| stop.in_a_word(kind))
        .or_else(|| stop.unclosed_bracket(kind))
        .or_else(|| stop.between_words(kind));
    let (message, range) = found.unwrap_or_else(|| (quoted(&kind.to_string()), stop.character(stop.at)));
    SyntaxError { message, range }
}

pub(super) fn too_deep() -> String {
    format!("nested deeper than {MAX_DEPTH} levels")
}

/// The library's words with its marks, as `'['`, in backquotes, as all that is quoted; apostrophes stay.
pub(crate) fn quoted(message: &str) -> String {
    let mut text = message.to_owned();
    for (at, _) in message.match_indices('\'') {
        let mut rest = message[at + 1..].chars();
        if rest.next().is_some_and(|mark| mark.is_ascii_punctuation()) && rest.next() == Some('\'') {
            text.replace_range(at..at + 3, &format!("`{}`", &message[at + 1..at + 2]));
        }
    }
    text
}

/// What is wrong, and where.
type Slip = (String, Range<usize>);

impl<'t> Stop<'t> {
    /// Tabs, quotes, brackets and other characters.
    fn in_a_word(self, kind: &ErrorKind) -> Option<Slip> {
        let here = |message: &str| Some((message.to_owned(), self.character(self.at)));
        match kind {
            ErrorKind::RecursionLimitExceeded => here(&too_deep()),
            ErrorKind::TabNotAllowed
            | ErrorKind::TabInBlockIndentation
            | ErrorKind::TabInIndentation
            | ErrorKind::TabInPlainScalar
            | ErrorKind::TabAtBlockScalarStart => self.tab(),
            ErrorKind::UnclosedQuotedScalar | ErrorKind::DocumentIndicatorInQuotedScalar => here(UNCLOSED_QUOTE),
            ErrorKind::InvalidTrailingSingleQuotedScalar => self.behind_quote('\''),
            ErrorKind::InvalidTrailingDoubleQuotedScalar => self.behind_quote('"'),
            ErrorKind::UnknownQuotedScalarEscape => self.escape(),
            ErrorKind::UnexpectedCharacter { character } => self.unexpected(*character),
            ErrorKind::UnclosedFlowCollection { .. } => self.unclosed(self.at),
            ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
                let message = format!("bracket `{open}` closed by `{close}`; close it with `{}`", closing(*open));
                here(&message)
            }
            ErrorKind::MisplacedFlowCollectionEnd => {
                here("this bracket closes none; take it out, or put the value in quotes")
            }
            ErrorKind::CommentNotSeparated => here("no space before `#`; write a space, or put the value in quotes"),
            _ => None,
        }
    }

    /// What stands where it cannot stand, or is missing.
    fn between_words(self, kind: &ErrorKind) -> Option<Slip> {
        let here = |message: &str| Some((message.to_owned(), self.character(self.at)));
        match kind {
            ErrorKind::ExpectedFlowSequenceSeparator => here("no `,` or `]` before this; separate entries by commas"),
            ErrorKind::ExpectedFlowMappingSeparator => here("no `,` or `}` before this; separate entries by commas"),
            ErrorKind::MappingValueNotAllowed => self.colon(),
            ErrorKind::SimpleKeyExpected => self.no_colon(self.at),
            ErrorKind::ExpectedBlockMappingKey | ErrorKind::ExpectedBlockSequenceEntry => self.misfit(),
            ErrorKind::MissingAnchorOrAliasName => self.first_of_value(),
            ErrorKind::MappingKeyNotAllowed if self.is_in_value() => self.first_of_value(),
            ErrorKind::BlockSequenceEntryNotAllowed if self.is_in_value() => {
                here("a list starts on the line of its key; start it on the next line, or put the value in quotes")
            }
            ErrorKind::InvalidBlockScalarHeader => {
                here("text stands on the line of its `|` or `>`; start it on the next line, or put the value in quotes")
            }
            ErrorKind::InvalidBlockScalarIndent => self.deeper_blank_line(),
            ErrorKind::CommentInterceptedScalar => here("a comment between two lines of a text; put it elsewhere"),
            _ => None,
        }
    }

    fn conflict(self) -> Option<Slip> {
        let line = self.line(self.at);
        let mut lines = std::iter::successors(Some(line), |line| self.line_before(line));
        let line = lines.find(|line| CONFLICT_MARKERS.iter().any(|it| self.text[line.clone()].starts_with(it)))?;
        Some(("a conflict marker of git stands here; resolve the conflict".to_owned(), line.start..line.start + 7))
    }

    /// A bracket that is open where lines go on as if it was not: no deeper than the line that it stands in.
    fn unclosed_bracket(self, kind: &ErrorKind) -> Option<Slip> {
        let open = self.bracket?;
        let (its, line) = (self.line(open), self.line(self.at));
        let misses_comma =
            matches!(kind, ErrorKind::ExpectedFlowSequenceSeparator | ErrorKind::ExpectedFlowMappingSeparator);
        let goes_on = line.start > its.start
            && self.first(&line) - line.start <= self.first(&its) - its.start
            && (!misses_comma || self.text[line].trim_start().starts_with("- "));
        if goes_on { self.unclosed(open) } else { None }
    }

    fn unclosed(self, open: usize) -> Option<Slip> {
        let bracket = self.text[open..].chars().next()?;
        Some((format!("unclosed bracket `{bracket}`; close it with `{}`", closing(bracket)), self.character(open)))
    }

    /// The first tab before the text of a line, from where the parser saw one.
    fn tab(self) -> Option<Slip> {
        let mut from = self.line(self.at).start;
        let mut lines = self.text[from..].split_inclusive(['\n', '\r']).take_while(|line| !is_divider(line));
        let tab = lines.find_map(|line| {
            let lead = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
            let tab = lead.find('\t').filter(|_| !line.trim().is_empty()).map(|tab| from + tab);
            from += line.len();
            tab
        })?;
        let message = "the line is indented with a tab; YAML does not allow tabs for indentation, write spaces";
        Some((message.to_owned(), tab..tab + 1))
    }

    /// More text behind the quote that closes: a quote inside, or one that should have closed before.
    fn behind_quote(self, quote: char) -> Option<Slip> {
        let open = word_starting(self.text, self.read..self.at, &[quote])?;
        if open < self.line(self.at).start {
            return Some((UNCLOSED_QUOTE.to_owned(), self.character(open)));
        }
        let inside = if quote == '"' { "\\\"" } else { "''" };
        let message =
            format!("text behind the closing quote; put all of it in quotes, and write a quote inside as `{inside}`");
        Some((message, self.character(self.at)))
    }

    fn escape(self) -> Option<Slip> {
        let mut from = self.at;
        loop {
            let slash = from + self.text[from..].find('\\')?;
            let escaped = self.text[slash + 1..].chars().next()?;
            from = slash + 1 + escaped.len_utf8();
            if !ESCAPES.contains(escaped) {
                let message = format!(
                    "`\\{escaped}` means nothing in double quotes; write `\\\\` for a backslash, or use single quotes"
                );
                return Some((message, slash..from));
            }
        }
    }

    /// A `: ` where no key can stand.
    fn colon(self) -> Option<Slip> {
        let line = self.line(self.at);
        let first = self.first(&line);
        if has_colon(self.text.get(first..self.at)?) {
            return Some(("`: ` inside a value; put the value in quotes".to_owned(), self.character(self.at)));
        }
        let above = self.line_before(&line)?;
        let key = self.first(&above);
        let (depth, depth_above) = (first - line.start, key - above.start);
        let text = &self.text[key..above.end];
        if depth > depth_above && has_colon(text) {
            return Some((DEEPER.to_owned(), first..self.at));
        }
        if has_colon(text) || depth != depth_above {
            return None;
        }
        let colon = text.find(':').filter(|at| !text[*at..].starts_with("://"));
        match colon {
            Some(colon) => Some(("no space behind this `:`; write a space".to_owned(), self.character(key + colon))),
            None => self.no_colon(key),
        }
    }

    /// A line that can only be a key.
    fn no_colon(self, key: usize) -> Option<Slip> {
        let line = self.line(key);
        let text = self.text[key..line.end].split(" #").next()?.trim_end();
        let message = "a key without `:`; write `: ` behind it, or indent the line if it goes on with the one above";
        Some((message.to_owned(), key..key + text.len()))
    }

    /// What is neither the next key nor the next entry of a list.
    fn misfit(self) -> Option<Slip> {
        let line = self.line(self.at);
        let first = line.start + leading_spaces(&self.text[line.clone()]);
        let place = self.character(first);
        let Some(before) = self.text.get(first..self.at).filter(|it| !it.trim_matches(['-', ' ']).is_empty()) else {
            if self.text[first..].starts_with(char::is_whitespace) {
                return Some(("this only looks like a space; write a space".to_owned(), place));
            }
            let depth = first - line.start;
            if self.line_before(&line).is_some_and(|above| depth > self.first(&above) - above.start) {
                return Some((DEEPER.to_owned(), place));
            }
            if !self.columns_above(&line).contains(&depth) {
                let message = "the line is indented like none above it; indent it like those that it belongs with";
                return Some((message.to_owned(), place));
            }
            let message = match self.text[first..].starts_with("- ") {
                true => "an entry of a list among keys; indent it below its key, or write a key",
                false => "a key among the entries of a list; write `- ` before it, or indent it",
            };
            return Some((message.to_owned(), place));
        };
        let before = before.trim_end();
        let value = before.rsplit(": ").next().unwrap_or(before);
        let behind = match before.chars().next_back()? {
            mark @ (']' | '}') => format!("`{mark}`"),
            _ if value.starts_with('*') => "an alias".to_owned(),
            _ => return None,
        };
        Some((format!("text behind {behind}; put the value in quotes"), self.character(self.at)))
    }

    fn unexpected(self, character: char) -> Option<Slip> {
        if self.text[self.at..].starts_with(character) && "@`%".contains(character) {
            return self.first_of_value();
        }
        let at = self.at + self.text[self.at..].find(character)?;
        let code = u32::from(character);
        let message = format!("the character U+{code:04X} is not allowed in YAML; take it out");
        Some((message, self.character(at)))
    }

    /// A mark that no plain value starts with.
    fn first_of_value(self) -> Option<Slip> {
        let message = match self.text[self.at..].chars().next()? {
            '`' => "a value starts with a backquote; put the value in quotes".to_owned(),
            mark => format!("a value starts with `{mark}`; put the value in quotes"),
        };
        Some((message, self.character(self.at)))
    }

    /// What makes the text of a block scalar look less indented than it should be.
    fn deeper_blank_line(self) -> Option<Slip> {
        let line = self.line(self.at);
        let depth = self.at - line.start;
        let mut above = line;
        loop {
            above = self.line_above(&above)?;
            let text = &self.text[above.clone()];
            if !text.trim().is_empty() {
                return None;
            }
            if text.len() > depth {
                let message = "a blank line is deeper than the text below it; take the blanks out";
                return Some((message.to_owned(), above));
            }
        }
    }

    /// Whether a key stands before this in its line.
    fn is_in_value(self) -> bool {
        let line = self.line(self.at);
        self.text.get(self.first(&line)..self.at).is_some_and(has_colon)
    }

    /// Where the collections start that are open above a line.
    fn columns_above(self, line: &Range<usize>) -> Vec<usize> {
        let mut columns = Vec::new();
        let mut limit = usize::MAX;
        let mut at = line.clone();
        while let Some(above) = self.line_before(&at) {
            let spaces = leading_spaces(&self.text[above.clone()]);
            if spaces < limit {
                columns.extend([spaces, self.first(&above) - above.start].into_iter().filter(|it| *it < limit));
                limit = spaces;
            }
            at = above;
        }
        columns
    }

    /// Where the text of a line starts, behind the dashes of lists.
    fn first(self, line: &Range<usize>) -> usize {
        let mut at = line.start + leading_spaces(&self.text[line.clone()]);
        while self.text[at..line.end].starts_with("- ") {
            at += 1;
            at += leading_spaces(&self.text[at..line.end]);
        }
        at
    }

    /// The line around a place, without its line break.
    fn line(self, at: usize) -> Range<usize> {
        let start = self.text[..at].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        start..self.text[at..].find(['\n', '\r']).map_or(self.text.len(), |end| at + end)
    }

    /// The line above in the same document.
    fn line_above(self, line: &Range<usize>) -> Option<Range<usize>> {
        let above = self.text[..line.start].strip_suffix(['\n', '\r'])?;
        let is_pair = self.text[above.len()..line.start].starts_with('\n');
        let end = above.strip_suffix('\r').filter(|_| is_pair).unwrap_or(above).len();
        Some(self.line(end)).filter(|above| !is_divider(&self.text[above.clone()]))
    }

    /// The nearest line above that says something.
    fn line_before(self, line: &Range<usize>) -> Option<Range<usize>> {
        std::iter::successors(self.line_above(line), |line| self.line_above(line)).find(|line| {
            let text = self.text[line.clone()].trim_start();
            !text.is_empty() && !text.starts_with('#')
        })
    }

    /// The place of one character; of none at the end of a line.
    fn character(self, at: usize) -> Range<usize> {
        let character = self.text[at..].chars().next().filter(|it| !matches!(it, '\n' | '\r'));
        at..at + character.map_or(0, char::len_utf8)
    }
}

fn is_divider(line: &str) -> bool {
    DIVIDERS.iter().any(|divider| line.starts_with(divider))
}

fn closing(bracket: char) -> char {
    if bracket == '[' { ']' } else { '}' }
}

/// Whether a line has a key, or looks as if it had.
fn has_colon(text: &str) -> bool {
    text.contains(": ") || text.ends_with(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares each error of `text`, as `message @ line:column source`, with `expected`, whatever its line ends.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        for text in [text.to_owned(), text.replace('\n', "\r\n")] {
            let tree = tree::read(&text, Comments::Skip);
            let shown = tree.errors.iter().map(|error| {
                let (before, source) = (&text[..error.range.start], &text[error.range.clone()]);
                let column = before.chars().rev().take_while(|it| *it != '\n').count() + 1;
                format!("{} @ {}:{column} {source}", error.message, before.matches('\n').count() + 1)
            });
            assert_eq!(shown.collect::<Vec<_>>().join("\n"), expected, "{text:?}");
        }
    }

    #[test]
    fn tabs_are_shown_where_they_stand() {
        let tab = "the line is indented with a tab; YAML does not allow tabs for indentation, write spaces @";
        check("- id: a\n\tcites: b\n", &format!("{tab} 2:1 \t"));
        check("a:\n  b: c\n\n  \td: e\n", &format!("{tab} 4:3 \t"));
        check("a:\n\tb: c\n", &format!("{tab} 2:1 \t"));
        check("a:\n  - b\n\t- c\n", &format!("{tab} 3:1 \t"));
        check("- a: |\n\n\tb\n", &format!("{tab} 3:1 \t"));
        check("- a: |\n    b\n\tc\n", &format!("{tab} 3:1 \t"));
        check("a: [\n\tb]\n", &format!("{tab} 2:1 \t"));
        // A tab that stands elsewhere, whatever another document has.
        check(
            "-\t-\ta\n---\na:\n\tb: c",
            &format!("`-` must be followed by a valid YAML whitespace @ 1:3 -\n{tab} 4:1 \t"),
        );
    }

    #[test]
    fn what_is_open_is_shown_where_it_opens() {
        let quote = "unclosed quote; close it where the text ends @";
        check("a: 'b\n", &format!("{quote} 1:4 '"));
        check("a: b # it's\nc: \"d\ne: \"f\"\n", &format!("{quote} 2:4 \""));
        check("a: 'b\n---\nc: d", &format!("{quote} 1:4 '"));
        let bracket = "unclosed bracket `[`; close it with `]` @";
        check("a: [b\n", &format!("{bracket} 1:4 ["));
        check("- a: [b\n  c: d\n", &format!("{bracket} 1:6 ["));
        check("- a: [b, c\n- a: [d]\n", &format!("{bracket} 1:6 ["));
        check("- {a: b\n- {c: d}\n", "unclosed bracket `{`; close it with `}` @ 1:3 {");
        check("a: [b}", "bracket `[` closed by `}`; close it with `]` @ 1:4 [");
        check("a: [b]]", "this bracket closes none; take it out, or put the value in quotes @ 1:7 ]");
        check("a: [\n'b'\n'c'\n]", "no `,` or `]` before this; separate entries by commas @ 3:1 '");
        check("- {a: b c: d}", "no `,` or `}` before this; separate entries by commas @ 1:10 :");
    }

    #[test]
    fn values_that_need_quotes() {
        check("a: b: c", "`: ` inside a value; put the value in quotes @ 1:5 :");
        check("a: @b", "a value starts with `@`; put the value in quotes @ 1:4 @");
        check("- `b` c", "a value starts with a backquote; put the value in quotes @ 1:3 `");
        check("a: & b", "a value starts with `&`; put the value in quotes @ 1:4 &");
        check("a: ? b", "a value starts with `?`; put the value in quotes @ 1:4 ?");
        check(
            "a: - b",
            "a list starts on the line of its key; start it on the next line, or put the value in quotes @ 1:4 -",
        );
        check(
            "a: | b\n  c",
            "text stands on the line of its `|` or `>`; start it on the next line, or put the value in quotes @ 1:4 |",
        );
        check("a: [b] c\n", "text behind `]`; put the value in quotes @ 1:8 c");
        check(
            "a: *b c\n",
            "unknown anchor `b`: no `&b` stands before this in the document; put the value in quotes if it is text @ 1:4 *b\n\
             text behind an alias; put the value in quotes @ 1:7 c",
        );
        check(
            "a: 'it's'",
            "text behind the closing quote; put all of it in quotes, and write a quote inside as `''` @ 1:8 s",
        );
        check(
            "a: \"b\" c",
            "text behind the closing quote; put all of it in quotes, and write a quote inside as `\\\"` @ 1:8 c",
        );
        check("a: \"b\"#c", "no space before `#`; write a space, or put the value in quotes @ 1:7 #");
        check(
            "a: \"b\\\\\\n\\d\"",
            "`\\d` means nothing in double quotes; write `\\\\` for a backslash, or use single quotes @ 1:10 \\d",
        );
        check("a: b\u{7}", "the character U+0007 is not allowed in YAML; take it out @ 1:5 \u{7}");
    }

    #[test]
    fn lines_that_do_not_fit() {
        let deeper = "the line is deeper than the key above it, which has a value; indent both alike @";
        check("- a: b\n   c: d\n", &format!("{deeper} 2:4 c"));
        check("a: b\n\n# c\n  c: d\n", &format!("{deeper} 4:3 c"));
        let alone = "the line is indented like none above it; indent it like those that it belongs with @";
        check("- a: b\n c: d\n", &format!("{alone} 2:2 c"));
        check("a:\n  - b\n - c\n", &format!("{alone} 3:2 -"));
        check("a:\n    b:\n        c: d\n      e: f\n", &format!("{alone} 4:7 e"));
        check("a: b\n- c\n", "an entry of a list among keys; indent it below its key, or write a key @ 2:1 -");
        check("- a: b\nc: d\n", "a key among the entries of a list; write `- ` before it, or indent it @ 2:1 c");
        check("- a: b\n\u{a0} c: d\n", "this only looks like a space; write a space @ 2:1 \u{a0}");
        check("- a:b\n  c: d\n", "no space behind this `:`; write a space @ 1:4 :");
        let no_colon = "a key without `:`; write `: ` behind it, or indent the line if it goes on with the one above @";
        check("- a b\n  c: d\n", &format!("{no_colon} 1:3 a b"));
        check("a: b\nc d # e\nf: g", &format!("{no_colon} 2:1 c d"));
        check("a: |\n    \n  b\n", "a blank line is deeper than the text below it; take the blanks out @ 2:1     ");
        check("a: b # c\n  d\n", "a comment between two lines of a text; put it elsewhere @ 1:6 #");
        let marker = "a conflict marker of git stands here; resolve the conflict @";
        check("a: b\n<<<<<<< HEAD\nc: d\n=======\nc: e\n>>>>>>> f\n", &format!("{marker} 2:1 <<<<<<<"));
    }
}
