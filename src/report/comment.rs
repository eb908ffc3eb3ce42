//! A page as the comment of a pull request: behind a mark to find it by, with nobody mentioned and nothing hidden in it,
//! and no longer than a comment can be. The page may be anybody's, as the artifact of another run is; that it is Markdown
//! and what it says is not looked at.

use std::panic::catch_unwind;
use std::sync::LazyLock;

use pulldown_cmark::{Event, Options, Parser, TagEnd};
use regex::Regex;

use super::layout::count;
use crate::sanitize::sanitize_lines;

/// Characters of a comment; GitHub refuses more than 65,536.
const MOST: usize = 65_000;
/// Characters kept for the line that says what was left out.
const RESERVE: usize = 200;
/// Between a sign and what would give it a meaning; takes no room.
const WORD_JOINER: char = '\u{2060}';
/// Ways to write `@` in Markdown and HTML; HTML does without the semicolon.
static AT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"@|&#0*64;?|&#[xX]0*40;?|&commat;").expect("a valid pattern"));
/// What GitHub's Markdown has beside CommonMark, as far as it makes blocks.
const OPTIONS: Options = Options::ENABLE_TABLES.union(Options::ENABLE_TASKLISTS);
/// Elements of HTML that have no end.
const VOID: [&str; 6] = ["br", "hr", "img", "input", "wbr", "source"];

/// The text of a comment that starts with `marker`.
pub(crate) fn comment(marker: &str, page: &str) -> String {
    let page = harmless(page);
    let room = MOST - marker.len() - RESERVE;
    let kept = &page[..cut(&page, room)];
    let mut text = format!("{marker}\n{}\n", kept.trim_end());
    if kept.len() < page.len() {
        let lines = count(page[kept.len()..].lines().count(), "line", "lines");
        text.push_str(&format!("\n_{lines} left out here: a comment holds no more than 65,536 characters_\n"));
    }
    text
}

/// A page that mentions nobody and has no HTML comment: such a one could hide what follows it, or be the mark of another
/// program. Wherever the signs stand they look as before.
fn harmless(page: &str) -> String {
    let mut page = sanitize_lines(&page.replace("\r\n", "\n")).into_owned();
    page = page.replace("<!--", &format!("<!{WORD_JOINER}--"));
    let mut joined = String::with_capacity(page.len() + 64);
    let mut from = 0;
    for at in AT.find_iter(&page) {
        joined.push_str(&page[from..at.end()]);
        from = at.end();
        // An element of its own cannot go on in the next one.
        if !page[from..].starts_with(['<', ' ', '\n']) && from < page.len() {
            joined.push(WORD_JOINER);
        }
    }
    joined.push_str(&page[from..]);
    joined
}

/// The last place within `room` at which no block, table row or HTML element is open.
fn cut(page: &str, room: usize) -> usize {
    let units = |text: &str| text.chars().map(char::len_utf16).sum::<usize>();
    if units(page) <= room {
        return page.len();
    }
    // Of what comes later nothing fits, however it is written: a character has four bytes at most, and two units then.
    let head = &page[..page.floor_char_boundary(room.saturating_mul(4))];
    // The parser is known to fail on some texts; such a one is left out whole.
    let places = catch_unwind(|| closed_places(head)).unwrap_or_default();
    let (mut best, mut used, mut from) = (0, 0, 0);
    for end in places {
        used += units(&page[from..end]);
        from = end;
        if used > room {
            break;
        }
        best = end;
    }
    best
}

/// The places between two blocks or rows at which everything is closed, ascending.
fn closed_places(page: &str) -> Vec<usize> {
    let (mut places, mut blocks, mut elements) = (Vec::new(), 0_usize, 0_usize);
    for (event, range) in Parser::new_ext(page, OPTIONS).into_offset_iter() {
        let is_closed = match event {
            Event::Start(_) => {
                blocks += 1;
                false
            }
            Event::End(end) => {
                blocks = blocks.saturating_sub(1);
                let is_row = matches!(end, TagEnd::TableRow | TagEnd::TableHead) && blocks == 1;
                blocks == 0 || is_row
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                elements = still_open(&html, elements);
                false
            }
            Event::Rule => blocks == 0,
            Event::Text(_)
            | Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::TaskListMarker(_) => false,
        };
        if is_closed && elements == 0 {
            places.push(past_the_line(page, range.end));
        }
    }
    places.dedup();
    places
}

/// How many HTML elements are open behind this piece of HTML, if `before` it there were so many.
fn still_open(html: &str, before: usize) -> usize {
    let mut open = before;
    for tag in html.split('<').skip(1) {
        let (is_end, name) = tag.strip_prefix('/').map_or((false, tag), |rest| (true, rest));
        let length = name.find(|it: char| !it.is_ascii_alphanumeric()).unwrap_or(name.len());
        let name = name[..length].to_ascii_lowercase();
        let is_whole = tag.split('>').next().is_some_and(|tag| tag.ends_with('/'));
        if name.is_empty() || is_whole || VOID.contains(&name.as_str()) {
            continue;
        }
        open = if is_end { open.saturating_sub(1) } else { open + 1 };
    }
    open
}

/// The start of the next line, for a place behind the text of a line.
fn past_the_line(page: &str, end: usize) -> usize {
    let is_line_start = page[..end].ends_with('\n');
    if is_line_start { end } else { page[end..].find('\n').map_or(page.len(), |at| end + at + 1) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::report::sample::{Sample, looks};
    use crate::report::{Format, render_check};

    const MARKER: &str = "<!-- mark -->";

    #[test]
    fn a_page_of_ours_stays_as_it_is() {
        let mut page = Vec::new();
        render_check(Format::Markdown, &Sample::new().report(), looks(), &mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert_eq!(comment(MARKER, &page), format!("{MARKER}\n{}\n", page.trim_end()));
    }

    #[test]
    fn nobody_is_mentioned_and_nothing_hidden() {
        let check = |page: &str, expected: &str| {
            assert_eq!(harmless(page).replace(WORD_JOINER, "+"), expected, "{page}");
        };
        check("hi @ada, @org/team", "hi @+ada, @+org/team");
        check("&#64;ada &#x40;ada &commat;ada &#0064;ada", "&#64;+ada &#x40;+ada &commat;+ada &#0064;+ada");
        check("<b>&#64ada &#X040ada</b>", "<b>&#64+ada &#X040+ada</b>");
        check("\\@ada `@ada` @&#97;da", "\\@+ada `@+ada` @+&#97;da");
        check("<code>&#64;</code>ada", "<code>&#64;</code>ada");
        check("<!-- other --> text", "<!+-- other --> text");
        check("a\u{202e}b\r\nc\u{1b}", "a\\u{202e}b\nc\\u{1b}");
        check("45 °C @", "45 °C @");
    }

    /// The comment for a page of this many parts, and how many of them are left.
    fn kept(head: &str, part: &str, parts: usize) -> (String, usize) {
        let text = comment(MARKER, &format!("{head}{}", part.repeat(parts)));
        assert!(text.encode_utf16().count() <= MOST, "{}", text.len());
        let left = text.matches(part).count();
        (text, left)
    }

    #[test]
    fn what_is_too_long_ends_where_everything_is_closed() {
        let row = "| error | `text-changed` | 漢字 |\n";
        let (text, rows) = kept("| a | b | c |\n|---|---|---|\n", row, 5_000);
        let left_out =
            format!("|\n\n_{} lines left out here: a comment holds", crate::report::layout::thousands(5_000 - rows));
        assert!(rows > 1_500 && text.contains(&left_out), "{rows}: {}", &text[text.len() - 200..]);
        let folded = "<details>\n<summary>x</summary>\n\n```diff\n- a\n\n+ b\n```\n\n- help\n\n</details>\n\n";
        let (text, folds) = kept("## x\n\n", folded, 2_000);
        assert!(folds > 500, "{folds}");
        assert_eq!(text.matches("<details>").count(), folds);
        let (_, paragraphs) = kept("", &format!("{}\n\n", "word ".repeat(100)), 1_000);
        assert!(paragraphs > 100, "{paragraphs}");
        let (text, _) = kept("", "🦀", 40_000);
        assert!(text.starts_with(&format!("{MARKER}\n\n\n_1 line left out")), "{}", &text[..80]);
    }

    const PARTS: &[&str] = &[
        "<details>\n\n",
        "</details>\n\n",
        "```\nx\n",
        "```\n\n",
        "| a |\n|---|\n",
        "| b |\n",
        "- i\n",
        "p <b>q\n",
        "</b>\n\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn a_cut_leaves_nothing_open(parts in proptest::collection::vec(proptest::sample::select(PARTS), 0..40), room in 0_usize..200) {
            let page = parts.concat();
            let kept = &page[..cut(&page, room)];
            prop_assert!(kept.len() <= room || kept.len() == page.len());
            if kept.len() < page.len() {
                // What follows is a paragraph of its own, in nothing.
                let marked = format!("{kept}\n\nAFTER\n");
                let (mut blocks, mut elements, mut found) = (0_usize, 0, None);
                for event in Parser::new_ext(&marked, OPTIONS) {
                    match event {
                        Event::Start(_) => blocks += 1,
                        Event::End(_) => blocks -= 1,
                        Event::Html(html) | Event::InlineHtml(html) => elements = still_open(&html, elements),
                        Event::Text(text) if &*text == "AFTER" => found = Some((blocks, elements)),
                        Event::Text(_)
                        | Event::Code(_)
                        | Event::InlineMath(_)
                        | Event::DisplayMath(_)
                        | Event::FootnoteReference(_)
                        | Event::SoftBreak
                        | Event::HardBreak
                        | Event::Rule
                        | Event::TaskListMarker(_) => {}
                    }
                }
                prop_assert_eq!(found, Some((1, 0)), "{}", marked);
            }
        }
    }
}
