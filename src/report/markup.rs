//! Repository text in a Markdown page of GitHub or GitLab, where nobody can be mentioned, nothing linked, no HTML started and
//! no comment closed by it. What comes out means the same in a paragraph, a table cell and inside of HTML.
//!
//! A backslash would not do: mentions and references are looked for in the rendered text, and only code is spared there.

use crate::sanitize::{sanitize, sanitize_lines};
use std::borrow::Cow;
use std::fmt::Write as _;

/// A value: an id, a path, a word of the manual.
pub(super) fn code(text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("<code>{}</code>", escape(&sanitize(text), "<i>&#64;</i>")),
    }
}

/// A sentence of ours with values between backquotes. Whatever the values hold, no part of it is live.
pub(super) fn prose(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let mut page = String::new();
    for (nth, part) in parts.iter().enumerate() {
        // An odd number of backquotes leaves the last one without its other end.
        let unpaired = nth + 1 == parts.len() && parts.len().is_multiple_of(2);
        match nth % 2 {
            1 if !unpaired => page.push_str(&code(part)),
            _ => page.push_str(&plain(part)),
        }
    }
    page
}

/// Lines of a text in a block of code, each behind its sign: `-`, `+` or a space.
pub(super) fn diff_block<'a>(lines: impl IntoIterator<Item = (char, &'a str)>) -> String {
    let mut block = String::new();
    for (sign, text) in lines {
        for line in sanitize_lines(text).lines() {
            // Writing to a string does not fail.
            let _ = writeln!(block, "{sign} {}", opened(line));
        }
    }
    let longest = block.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}diff\n{block}{fence}\n")
}

/// What would close a comment that the page may be put into, spelled so that it doesn't.
fn opened(line: &str) -> Cow<'_, str> {
    match line.contains("-->") || line.contains("--!>") {
        true => Cow::Owned(line.replace("-->", "--\\>").replace("--!>", "--!\\>")),
        false => Cow::Borrowed(line),
    }
}

/// Text without values: references to people and issues become code, which is not looked at.
fn plain(text: &str) -> String {
    let text = escape(&sanitize(text), "<code>&#64;</code>");
    let text = text.replace("GH-", "<code>GH-</code>").replace("gh-", "<code>gh-</code>");
    text.replace("&#35;", "<code>&#35;</code>")
}

/// Everything that Markdown or HTML could take for markup as a character reference, which never is; `at` stands for `@`.
fn escape(text: &str, at: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(it) = chars.next() {
        let live = match it {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '!' | '|' | '~' | '&' | '$' | '"' => true,
            ':' => chars.peek() == Some(&'/'),
            '.' => escaped.len() >= 3 && escaped.as_bytes()[escaped.len() - 3..].eq_ignore_ascii_case(b"www"),
            _ => false,
        };
        match it {
            '@' => escaped.push_str(at),
            _ if live => _ = write!(escaped, "&#{};", u32::from(it)),
            _ => escaped.push(it),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_code() {
        let check = |text: &str, expected: &str| assert_eq!(code(text), expected);
        check("", "");
        check("safety-limits/cut-off", "<code>safety-limits/cut-off</code>");
        check("a|b\\|c", "<code>a&#124;b&#92;&#124;c</code>");
        check("[x](javascript:y)", "<code>&#91;x&#93;(javascript:y)</code>");
        check("</code><img src=x>", "<code>&#60;/code&#62;&#60;img src=x&#62;</code>");
        check("--> @me", "<code>--&#62; <i>&#64;</i>me</code>");
        check("\u{1b}[31m\n", "<code>&#92;u{1b}&#91;31m&#92;n</code>");
    }

    #[test]
    fn sentences_keep_their_values_and_nothing_is_live() {
        let check = |text: &str, expected: &str| assert_eq!(prose(text), expected);
        check("number `45` is now `40`", "number <code>45</code> is now <code>40</code>");
        check("moved to docs/a.md, same text", "moved to docs/a.md, same text");
        check("by @user in #12, GH-3", "by <code>&#64;</code>user in <code>&#35;</code>12, <code>GH-</code>3");
        check("https://x.example www.x.example", "https&#58;//x.example www&#46;x.example");
        check("a ` b @c", "a  b <code>&#64;</code>c");
        check("**b** <b>", "&#42;&#42;b&#42;&#42; &#60;b&#62;");
    }

    #[test]
    fn a_block_is_longer_fenced_than_its_text() {
        let check = |text: &str, expected: &str| assert_eq!(diff_block([('-', text)]), expected);
        check("45 °C", "```diff\n- 45 °C\n```\n");
        check("```\n````x\n<!-- -->", "`````diff\n- ```\n- ````x\n- <!-- --\\>\n`````\n");
        check("\u{202e}a\r\n##[x", "```diff\n- \\u{202e}a\\r\n- ##[x\n```\n");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn nothing_is_live(text in "[ab@#<>!`\\\\|\\[\\]()*_~&:/\u{1b}\n-]{0,40}") {
            for page in [code(&text), prose(&text)] {
                let ours = ["<code>", "</code>", "<i>", "</i>"].iter().fold(page.clone(), |page, tag| page.replace(tag, ""));
                prop_assert!(!ours.contains(['<', '>', '[', ']', '`', '|', '*', '_', '~', '@', '\n', '\u{1b}']), "{page}");
                prop_assert_eq!(page.matches("<code>").count(), page.matches("</code>").count());
            }
            let block = diff_block([('+', text.as_str())]);
            prop_assert!(!block.contains("-->"));
        }
    }
}
