//! Text from the repository made harmless to look at: what could repaint a terminal, hide or reorder text, forge a line
//! of output or start a workflow command becomes a visible escape. Everything that is printed for people passes here
//! once. Does not quote for HTML, Markdown or workflow commands: a format that needs that does it on top.

use std::borrow::Cow;

/// One line of text: ids, titles, paths, messages, commit subjects. Line breaks and tabs are escaped too.
///
/// Ordinary Unicode stays: a joiner between two letters or emoji is spelling, one between ASCII letters hides something.
/// Borrows where nothing had to change.
pub(crate) fn sanitize(text: &str) -> Cow<'_, str> {
    replace(text, |_| false)
}

/// Text of several lines: as [`sanitize`], but line feeds and tabs stay.
pub(crate) fn sanitize_lines(text: &str) -> Cow<'_, str> {
    replace(text, |it| matches!(it, '\n' | '\t'))
}

/// What to show for a character between its neighbours; `None` if it can be shown as it is. `before` is what is shown
/// before it: the last character of an escape where one was needed.
pub(crate) fn escaped(before: Option<char>, it: char, after: Option<char>) -> Option<String> {
    let keep = match class(it) {
        Class::Visible => true,
        Class::Hostile => false,
        Class::Joiner => before.is_some_and(is_foreign) && after.is_some_and(is_foreign_letter),
        // U+20E3 makes a keycap of an ASCII digit.
        Class::Selector => before.is_some_and(is_foreign) || after == Some('\u{20e3}'),
    };
    let escape = || match it {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        _ => it.escape_unicode().to_string(),
    };
    (!keep).then(escape)
}

/// Whether a character must never reach a terminal raw, whatever stands beside it.
pub(crate) fn is_hostile(it: char) -> bool {
    matches!(class(it), Class::Hostile)
}

/// A finished page for a log that takes commands from what it prints, as that of GitHub Actions: `::` where a line's
/// text starts gets a backslash, and in `##[`, which counts anywhere in a line, the second sign becomes a sharp: as wide,
/// so that marks below stay under their words.
pub(crate) fn mute_commands(page: &str) -> Cow<'_, str> {
    if !page.contains("::") && !page.contains("##[") {
        return Cow::Borrowed(page);
    }
    let mut muted = String::with_capacity(page.len() + 16);
    for line in page.split_inclusive('\n') {
        let line = line.replace("##[", "#♯[");
        let text = skip_blank(&line);
        muted.push_str(&line[..line.len() - text.len()]);
        if text.starts_with("::") {
            muted.push('\\');
        }
        muted.push_str(text);
    }
    Cow::Owned(muted)
}

enum Class {
    Visible,
    Hostile,
    /// Zero-width joiner or non-joiner.
    Joiner,
    /// Chooses a glyph for the character before.
    Selector,
}

fn class(it: char) -> Class {
    match it {
        ' '..='~' => Class::Visible,
        '\u{200c}' | '\u{200d}' => Class::Joiner,
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => Class::Selector,
        // Soft hyphen, grapheme joiner and fillers: invisible.
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{3164}'
        | '\u{ffa0}' => Class::Hostile,
        // Zero-width space, direction marks, line and paragraph separator, embeddings, isolates, invisible operators.
        '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => {
            Class::Hostile
        }
        // Byte order mark, interlinear annotation, musical formatting, tags.
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e007f}' => Class::Hostile,
        _ if it.is_control() => Class::Hostile,
        _ => Class::Visible,
    }
}

/// Whether a joiner or selector behind the character is spelling.
fn is_foreign(it: char) -> bool {
    is_foreign_letter(it) || matches!(class(it), Class::Selector)
}

fn is_foreign_letter(it: char) -> bool {
    !it.is_ascii() && matches!(class(it), Class::Visible)
}

fn replace(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut clean: Option<String> = None;
    let mut before = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, it)) = chars.next() {
        let after = chars.peek().map(|(_, next)| *next);
        before = match escaped(before, it, after).filter(|_| !keep(it)) {
            Some(escape) => {
                clean.get_or_insert_with(|| text[..at].to_owned()).push_str(&escape);
                escape.chars().next_back()
            }
            None => {
                if let Some(clean) = &mut clean {
                    clean.push(it);
                }
                Some(it)
            }
        };
    }
    clean.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The rest of a line after white space and colour sequences: what a runner sees as its start.
fn skip_blank(line: &str) -> &str {
    let mut rest = line.trim_start();
    while let Some(tail) = rest.strip_prefix("\u{1b}[") {
        let end = tail.find(|it: char| !it.is_ascii_digit() && it != ';').map_or(tail.len(), |at| at + 1);
        rest = tail.get(end..).unwrap_or("").trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(sanitize(text), expected);
    }

    #[test]
    fn what_hides_or_repaints_is_shown() {
        check("\u{1b}[31mred\u{7}", "\\u{1b}[31mred\\u{7}");
        check("a\u{9b}2Jb\u{7f}", "a\\u{9b}2Jb\\u{7f}");
        check("abc\u{202e}fed\u{2066}\u{200f}", "abc\\u{202e}fed\\u{2066}\\u{200f}");
        check("a\u{200b}b\u{feff}c\u{ad}", "a\\u{200b}b\\u{feff}c\\u{ad}");
        check("a\nb\r\nc\td\u{2028}e", "a\\nb\\r\\nc\\td\\u{2028}e");
        check("tag\u{e0041}", "tag\\u{e0041}");
    }

    #[test]
    fn ordinary_text_stays() {
        for text in [
            "",
            "plain ~ text",
            "Überdruck ≤ 3 bar",
            "漢字テスト、。",
            "שלום",
            "e\u{301}",
            "👩\u{200d}👧 ❤\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
        ] {
            assert!(matches!(sanitize(text), Cow::Borrowed(same) if same == text), "{text:?}");
        }
        check("می\u{200c}خواهم", "می\u{200c}خواهم");
    }

    #[test]
    fn joiners_that_hide_something_are_shown() {
        check("ad\u{200d}min", "ad\\u{200d}min");
        check("a\u{fe0f}", "a\\u{fe0f}");
        check("漢\u{200d}\u{200d}字", "漢\\u{200d}\\u{200d}字");
        check("\u{85}\u{fe0f}\u{fe0f}", "\\u{85}\\u{fe0f}\\u{fe0f}");
        check("漢\u{200d}\u{fe0f}", "漢\\u{200d}\\u{fe0f}");
    }

    #[test]
    fn lines_keep_their_breaks_and_tabs() {
        assert_eq!(sanitize_lines("a\n\tb\r\u{1b}"), "a\n\tb\\r\\u{1b}");
    }

    #[test]
    fn workflow_commands_are_muted() {
        let check = |page: &str, expected: &str| assert_eq!(mute_commands(page), expected);
        check("::error::x\n  ::add-mask::y\na :: b\n", "\\::error::x\n  \\::add-mask::y\na :: b\n");
        check("1 | ##[error]x ###[a]\n", "1 | #♯[error]x ##♯[a]\n");
        check("\u{1b}[1m ::error::x", "\u{1b}[1m \\::error::x");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn nothing_hostile_is_left_and_nothing_is_done_twice(text in any::<String>()) {
            let once = sanitize(&text).into_owned();
            prop_assert!(!once.chars().any(is_hostile), "{once:?}");
            prop_assert_eq!(sanitize(&once), once.as_str());
        }

        #[test]
        fn a_muted_page_commands_nothing(page in "[:# \\[\na\u{1b}]{0,40}") {
            let muted = mute_commands(&page);
            prop_assert!(!muted.contains("##["));
            prop_assert!(!muted.lines().any(|line| line.trim_start().starts_with("::")));
        }
    }
}
