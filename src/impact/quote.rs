//! Whether a text holds the words that a citation quotes: as the canonical form has them, or as a reader sees them, without
//! the marks of code and links. Words and numbers are held whole: `3.5` does not hold `3`, nor `unable` `able`.

use crate::manual::{Fragment, InlineKind, fold, is_written_without_spaces};

/// Whether these blocks, one after the other, hold the quote.
pub(super) fn holds<'f>(fragments: impl Iterator<Item = &'f Fragment> + Clone, quote: &str) -> bool {
    let quote = fold(quote);
    let typed: Vec<&str> = fragments.clone().map(|fragment| fragment.text.as_str()).collect();
    if holds_whole(&typed.join(" "), &quote) {
        return true;
    }
    let seen: Vec<String> = fragments.map(as_seen).collect();
    holds_whole(&seen.join(" "), &quote.replace('`', ""))
}

/// The text of a block without backticks, tags, and where links lead.
fn as_seen(fragment: &Fragment) -> String {
    let mut seen = String::with_capacity(fragment.text.len());
    let mut at = 0;
    for inline in &fragment.inlines {
        // Backticks around code may be a part of the label that it stands in.
        let (start, end) = (inline.start.max(at), inline.end.max(at));
        let (before, within) = (&fragment.text[at..start], &fragment.text[start..end]);
        let rest = &fragment.text[end..];
        at = end;
        match inline.kind {
            InlineKind::Code => {
                seen.extend([before.trim_end_matches('`'), within]);
                at += rest.len() - rest.trim_start_matches('`').len();
            }
            InlineKind::Label => seen.extend([before.strip_suffix('[').unwrap_or(before), within.trim_matches('`')]),
            InlineKind::Target => {
                seen.push_str(before.strip_suffix("](").unwrap_or(before));
                at += usize::from(rest.starts_with(')'));
            }
            InlineKind::Html => seen.push_str(before),
            InlineKind::Strikethrough => seen.extend([before, within.trim_matches('`')]),
        }
    }
    seen.push_str(&fragment.text[at..]);
    seen
}

/// Whether a text holds a quote, and starts and ends no word or number in the middle of one.
fn holds_whole(text: &str, quote: &str) -> bool {
    let Some(first) = quote.chars().next() else { return false };
    let mut from = 0;
    while let Some(found) = text[from..].find(quote) {
        let (start, end) = (from + found, from + found + quote.len());
        if !cuts(&text[..start], &text[start..]) && !cuts(&text[..end], &text[end..]) {
            return true;
        }
        from = start + first.len_utf8();
    }
    false
}

/// Whether something that is read as one stands on both sides of a place.
fn cuts(left: &str, right: &str) -> bool {
    let mut lefts = left.chars().rev();
    let mut rights = right.chars();
    let (Some(before), Some(after)) = (lefts.next(), rights.next()) else { return false };
    let (outer, next) = (lefts.next(), rights.next());
    let is_word = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
    let is_digit = |it: Option<char>| it.is_some_and(char::is_numeric);
    let (one, other) = (Some(before), Some(after));
    if is_word(one) && is_word(other) {
        return is_digit(one) && is_digit(other) || ![before, after].into_iter().any(runs_on);
    }
    let links = |around: [Option<char>; 2], link: char| match link {
        ',' | ':' => around.into_iter().all(is_digit),
        _ => LINKS.contains(&link) && around.into_iter().all(is_word),
    };
    links([outer, other], before)
        || links([one, next], after)
        || (SIGNS.contains(&before) && is_digit(other) && !is_word(outer))
        || (is_digit(one) && UNITS.contains(&after))
}

/// Whether words of the script stand without spaces between them, or with endings that a reader takes off: Chinese and
/// Japanese, Korean, Thai and its neighbours.
fn runs_on(c: char) -> bool {
    is_written_without_spaces(c)
        || matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Makes one of what stands on both sides: `3.5`, `e.g.`, `--force-with-lease`, `km/h`, `can't`.
const LINKS: [char; 14] = ['.', '-', '\u{2010}', '\u{2011}', '\u{2013}', '−', '/', '\'', '’', '@', '&', '+', '=', '·'];

/// Makes another number of the one behind it.
const SIGNS: [char; 11] = ['-', '−', '+', '±', '<', '>', '≤', '≥', '~', '$', '€'];

/// Makes another quantity of the number before it.
const UNITS: [char; 9] = ['%', '‰', '°', '′', '″', '$', '€', '²', '³'];

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::manual::{Options, parse};
    use crate::source::{RepoPath, Rev, Sources};

    const PIECES: [&str; 14] =
        ["`", "``", "[", "](x)", "![", "~~", "**", "<b>", "</b>", "é", " ", "a", "\n", "| a | `b` |\n|--|--|\n"];

    #[track_caller]
    fn check(text: &str, quote: &str, expected: bool) {
        let path = RepoPath::new("m.md");
        let source = Sources::default().add(Rev::Worktree, path.clone(), text);
        let document = parse(source, &path, text, &Options::default()).value;
        let fragments = document.sections.iter().flat_map(|section| &section.fragments);
        assert_eq!(holds(fragments, quote), expected, "{text:?} {quote:?}");
    }

    #[test]
    fn words_and_numbers_are_held_whole() {
        check("The limit is 30 bar.", "limit is 30", true);
        check("The limit is 300 bar.", "limit is 30", false);
        check("Wait at least 3.5 s.", "at least 3", false);
        check("Wait at least 3.", "at least 3", true);
        check("Keep 2.5 bar, or 5 bar.", "5 bar", true);
        check("Keep 2.5 bar.", "5 bar", false);
        check("Keep 1,500 bar.", "500 bar", false);
        check("Keep 5 mm away.", "5 m", false);
        check("Go 5 km/h.", "5 km", false);
        check("Store it at -5 °C.", "5 °C", false);
        check("Store it at 5 °C - 8 °C.", "8 °C", true);
        check("It is unable to run.", "able to run", false);
        check("Conductive and non-conductive parts.", "conductive parts", false);
        check("Call `push --force-with-lease`.", "push --force", false);
        check("You can't run it.", "You can", false);
        check("At least 5% of it.", "at least 5", false);
        check("Hold it (for 5 s); then go.", "for 5 s", true);
        check("Pumps: on, off.", "on, off", true);
    }

    proptest! {
        #[test]
        fn any_text_can_be_looked_at(pieces in vec(select(&PIECES[..]), 0..24)) {
            check(&pieces.concat(), "no such words", false);
        }
    }

    #[test]
    fn a_quote_is_found_behind_one_that_is_cut() {
        check("Unable, able to run.", "able", true);
        check("aaab aab", "aab", true);
    }

    #[test]
    fn words_without_spaces_between_them_start_anywhere() {
        check("温度が15秒を超えた場合", "秒を超えた", true);
        check("温度が15秒を超えた場合", "15秒", true);
        check("温度が15秒を超えた場合", "5秒", false);
        check("밸브는 5 bar에서 열린다.", "밸브", true);
        check("วาล์วเปิดที่ 5 bar", "เปิด", true);
    }

    #[test]
    fn marks_of_code_and_links_need_not_be_typed() {
        let text = "Call `run -f` and see the [log](l.md) first. H<sub>2</sub>O ![a valve](v.png), `` a`b ``.";
        for quote in [
            "Call run -f and see the log first.",
            "Call `run -f` and see the [log](l.md)",
            "`run -f` and see the log",
            "H2O",
            "a valve",
            "a`b",
        ] {
            check(text, quote, true);
        }
        check(text, "see the blog", false);
        check(text, "``", false);
        let nested = "See [`run -f`](x), ~~`stop`~~ and [**`a`** b `c`](y) <b>`d`</b>`e`.";
        check(nested, "See run -f", true);
        check(nested, "stop", true);
        check(nested, "and a b c de.", true);
        check("Press **Stop *now***, [please].", "Press Stop now, [please]", true);
    }
}
