//! What one scalar cites: whole texts, parts of comma lists, targets of Markdown links, matches of a pattern; and the
//! pin at the end of a citation. Works on decoded text and knows no YAML.

use std::ops::Range;

use regex::Regex;

use super::PinKind;

/// How many digits a fingerprint in a pin may have.
const FINGERPRINT_DIGITS: std::ops::RangeInclusive<usize> = 16..=64;

/// Parentheses inside a link's target nest at most this deep (CommonMark says at least three).
const MAX_PARENTHESES: usize = 32;

/// One citation in a scalar's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mention {
    /// The citation with its pin; of a link its target.
    pub(super) range: Range<usize>,
    /// The citation with everything that is only its spelling: the whole link.
    pub(super) outer: Range<usize>,
    /// The text of the link.
    pub(super) label: Option<Range<usize>>,
}

/// Whether a scalar may be a comma list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Commas {
    Split,
    Keep,
}

/// A citation cut into what it cites and what it is pinned to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pinned {
    /// How much of the text names the section.
    pub(super) cited: usize,
    pub(super) pin: Option<(PinKind, Range<usize>)>,
}

/// A pin that is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BadPin {
    pub(super) message: String,
    pub(super) range: Range<usize>,
}

/// What `text` cites, in order.
///
/// - With a pattern: every match, with a pin directly behind it.
/// - Else, where the text holds Markdown links: their targets. Prose around them is ignored; ids in a comma list with
///   them count.
/// - Else each line. A line with commas is a list if every part reads like an id (see [`is_id`]); so `REQ-1, REQ-2`
///   are two citations, and the heading `Errors, warnings and notes` is one.
pub(super) fn mentions(text: &str, pattern: Option<&Regex>, commas: Commas) -> Vec<Mention> {
    if let Some(pattern) = pattern {
        return matches(text, pattern);
    }
    let mut found = links(text);
    if found.is_empty() {
        lines(text, commas)
    } else {
        if commas == Commas::Split {
            found.extend(ids_beside(text, &found));
            found.sort_by_key(|mention| mention.range.start);
        }
        found
    }
}

/// Cuts a pin from a citation: what stands behind the last `@`.
///
/// No pin: an `@` at the start, behind a space or a slash (`npm/@scope`), or with a space behind it; in an address of
/// a web page or of a person only a fingerprint is one, as `@` is at home there.
pub(super) fn pinned(text: &str) -> Result<Pinned, BadPin> {
    let none = Pinned { cited: text.len(), pin: None };
    let Some((cited, pin)) = text.rsplit_once('@') else { return Ok(none) };
    if cited.is_empty() || cited.ends_with(|c: char| c.is_whitespace() || c == '/') || pin.contains(char::is_whitespace)
    {
        return Ok(none);
    }
    let range = cited.len() + 1..text.len();
    if pin.is_empty() {
        let message = "the citation ends in `@` without a revision or fingerprint behind it".to_owned();
        return Err(BadPin { message, range: cited.len()..text.len() });
    }
    let kind = match fingerprint(pin) {
        Some(Ok(digits)) => PinKind::Fingerprint(digits),
        Some(Err(message)) => return Err(BadPin { message, range }),
        None if cited.contains("://") || cited.starts_with("mailto:") || is_mail(cited, pin) => return Ok(none),
        None => PinKind::Revision(pin.to_owned()),
    };
    Ok(Pinned { cited: cited.len(), pin: Some((kind, range)) })
}

/// The digits of `c1-…`; an error where it is meant to be a fingerprint and is none, `None` where it is not meant to.
pub(super) fn fingerprint(text: &str) -> Option<Result<String, String>> {
    let (form, digits) = text.strip_prefix('c')?.split_once('-')?;
    let numbered = !form.is_empty() && form.bytes().all(|byte| byte.is_ascii_digit());
    if !numbered || digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let (least, most) = (*FINGERPRINT_DIGITS.start(), *FINGERPRINT_DIGITS.end());
    Some(match digits.len() {
        _ if form != "1" => Err(format!("fingerprint form `c{form}` is not known; this version reads `c1-…`")),
        length if length < least => Err(format!(
            "fingerprint `{text}` is too short: {length} digits behind `c1-`; write the first {least} at least, as `citecheck accept` does"
        )),
        length if length > most => {
            Err(format!("fingerprint `{text}` is too long: {length} digits behind `c1-`, at most {most} are possible"))
        }
        _ => Ok(digits.to_ascii_lowercase()),
    })
}

/// The digits of a text that can be nothing but a fingerprint.
pub(crate) fn only_fingerprint(text: &str) -> Result<String, String> {
    let none = || format!("`{text}` is no fingerprint; a fingerprint is `c1-` and 16 to 64 hexadecimal digits");
    fingerprint(text).ok_or_else(none)?
}

/// The words of `text` that belong to no citation, separators aside: what else a citing scalar says.
pub(super) fn residue(text: &str, mentions: &[Mention]) -> Vec<String> {
    let gaps = gaps(text, mentions);
    let words = gaps.iter().flat_map(|gap| text[gap.clone()].split_whitespace());
    let words = words.map(|word| word.trim_matches([',', ';', '|']));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The text before, between and behind mentions, which are in order.
fn gaps(text: &str, mentions: &[Mention]) -> Vec<Range<usize>> {
    let starts = std::iter::once(0).chain(mentions.iter().map(|mention| mention.outer.end));
    let ends = mentions.iter().map(|mention| mention.outer.start).chain(std::iter::once(text.len()));
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

fn plain(range: Range<usize>) -> Mention {
    Mention { outer: range.clone(), range, label: None }
}

/// The matches of a pattern, each with the pin that follows it directly. What looks like a match in a pin is none.
fn matches(text: &str, pattern: &Regex) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(next) = pattern.find_at(text, from) {
        if next.is_empty() {
            let Some(character) = text[next.end()..].chars().next() else { break };
            from = next.end() + character.len_utf8();
            continue;
        }
        from = next.end() + pin_length(&text[next.end()..]);
        // Blanks and line breaks around a name are no part of it, as without a pattern.
        let cited = &text[next.start()..from];
        let start = from - cited.trim_start().len();
        if start < from {
            found.push(plain(start..start + cited.trim().len()));
        }
    }
    found
}

/// The length of the `@` and the pin that a text starts with.
fn pin_length(text: &str) -> usize {
    text.strip_prefix('@').map_or(0, |pin| {
        let end = pin.find(|c: char| c.is_whitespace() || ",;)]}>\"'".contains(c)).unwrap_or(pin.len());
        let pin = pin[..end].trim_end_matches(['.', ':']);
        if pin.is_empty() { 0 } else { 1 + pin.len() }
    })
}

fn lines(text: &str, commas: Commas) -> Vec<Mention> {
    let mut found = Vec::new();
    for line in pieces(text, 0..text.len(), &['\n']) {
        let parts = pieces(text, line.clone(), &[',']);
        if commas == Commas::Split && !parts.is_empty() && parts.iter().all(|part| is_id(&text[part.clone()])) {
            found.extend(parts.into_iter().map(plain));
        } else {
            found.push(plain(line));
        }
    }
    found
}

/// The parts of `text[range]` between separators, trimmed, without the empty ones.
fn pieces(text: &str, range: Range<usize>, separators: &[char]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = range.start;
    for part in text[range].split(separators) {
        let lead = part.len() - part.trim_start().len();
        let trimmed = part.trim();
        if !trimmed.is_empty() {
            parts.push(start + lead..start + lead + trimmed.len());
        }
        start += part.len() + 1;
    }
    parts
}

/// Whether a part of a comma list reads like an id and not like a word of a sentence: `§ 4`, or no space in it and
/// either a digit or one of `-_./#:`, or no capitalised word (`alarms` and `REQ` are ids, `Errors` is prose).
fn is_id(part: &str) -> bool {
    if let Some(number) = part.strip_prefix('§') {
        return !number.trim_start().contains(char::is_whitespace);
    }
    let mut letters = part.chars();
    let capitalised = letters.next().is_some_and(char::is_uppercase) && letters.any(char::is_lowercase);
    !part.contains(char::is_whitespace)
        && part.contains(char::is_alphanumeric)
        && (!capitalised || part.contains(|c: char| c.is_ascii_digit() || "-_./#:".contains(c)))
}

/// `name@host.example`: a last label of letters only, which no version number has.
fn is_mail(name: &str, host: &str) -> bool {
    !name.contains(['/', '#', '§', ' '])
        && !host.contains('/')
        && host.rsplit_once('.').is_some_and(|(_, label)| label.len() > 1 && label.chars().all(char::is_alphabetic))
}

/// The ids in a comma list with links; none where anything else stands in it but bullets and `and`.
fn ids_beside(text: &str, links: &[Mention]) -> Vec<Mention> {
    let mut ids = Vec::new();
    for gap in gaps(text, links) {
        for part in pieces(text, gap.clone(), &[',', ';', '\n']) {
            let word = &text[part.clone()];
            if word == "and" || !word.contains(char::is_alphanumeric) {
                continue;
            }
            // A word that touches a link without a comma is part of a sentence.
            let touches = |side: &str| !side.contains([',', ';', '\n']);
            let behind_link = gap.start > 0 && touches(&text[gap.start..part.start]);
            let before_link = gap.end < text.len() && touches(&text[part.end..gap.end]);
            if behind_link || before_link || !is_id(word) {
                return Vec::new();
            }
            ids.push(plain(part));
        }
    }
    ids
}

/// The inline links of a Markdown text, images aside. Links do not nest: the innermost counts.
fn links(text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut brackets: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find(['[', ']', '\\']) {
        let here = at + next;
        at = here + 1;
        match text.as_bytes()[here] {
            b'[' => brackets.push(here),
            b']' => {
                let Some(open) = brackets.pop() else { continue };
                let Some((range, end)) = link_target(text, at) else { continue };
                let image = text[..open].ends_with('!');
                if !image {
                    found.push(Mention { range, outer: open..end, label: Some(open + 1..here) });
                    brackets.clear();
                }
                at = end;
            }
            _ => at += text[at..].chars().next().map_or(0, char::len_utf8),
        }
    }
    found
}

/// The target of a link whose `(` stands at `at`, and where the link ends.
fn link_target(text: &str, at: usize) -> Option<(Range<usize>, usize)> {
    let start = at + 1;
    let inside = text[at..].strip_prefix('(')?;
    let start = start + (inside.len() - inside.trim_start().len());
    let (range, behind) = if text[start..].starts_with('<') {
        let length = text[start + 1..].find(['>', '<', '\n'])?;
        let end = start + 1 + length;
        text[end..].starts_with('>').then_some((start + 1..end, end + 1))?
    } else {
        let end = start + bare_target(&text[start..])?;
        (start..end, end)
    };
    let rest = text[behind..].trim_start();
    let rest = match rest.chars().next()? {
        quote @ ('"' | '\'') => rest[1..].split_once(quote)?.1.trim_start(),
        _ => rest,
    };
    let end = text.len() - rest.strip_prefix(')')?.len();
    (!range.is_empty()).then_some((range, end))
}

/// How long a target without `<>` is: to the next space or the `)` that closes the link.
fn bare_target(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '(' if depth == MAX_PARENTHESES => return None,
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ if character.is_whitespace() => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found = mentions(text, None, Commas::Split);
        let found: Vec<&str> = found.into_iter().map(|mention| &text[mention.range]).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn comma_lists_are_told_from_headings() {
        check("a", &["a"]);
        check("a, b", &["a", "b"]);
        check("REQ-1,REQ_2 , SR.3,", &["REQ-1", "REQ_2", "SR.3"]);
        check("§ 4, § 5.2", &["§ 4", "§ 5.2"]);
        check("docs/a.md#b, c/d@v1", &["docs/a.md#b", "c/d@v1"]);
        check("Errors, warnings", &["Errors, warnings"]);
        check("Errors, warnings and notes", &["Errors, warnings and notes"]);
        check("limits, upper and lower", &["limits, upper and lower"]);
        check("one\n\n two, three\n", &["one", "two", "three"]);
        check("", &[]);
        check(" , ", &[","]);
    }

    #[test]
    fn links_cite_their_targets() {
        check("[Tracer](spec/trace.md#tracer)", &["spec/trace.md#tracer"]);
        check("[a](x), [b]( <y z> )", &["x", "y z"]);
        check("[`f[0]`](x \"title\") and [b](y(1)) ", &["x", "y(1)"]);
        check("[a](x), REQ-2", &["x", "REQ-2"]);
        check("REQ-1; [a](x) and [b](y),\nREQ-2", &["REQ-1", "x", "y", "REQ-2"]);
        check("See, as always, [a](x)", &["x"]);
        check("in [a](x), b", &["x"]);
        check("- [a](x)\n- [b](y)", &["x", "y"]);
        check("![i](p.png)", &["![i](p.png)"]);
        check("[![i](p.png)](x)", &["x"]);
        check(r"\[a](x)", &[r"\[a](x)"]);
        check("[a]()", &["[a]()"]);
        check("[a] (x)", &["[a] (x)"]);
        check("r[a.b]", &["r[a.b]"]);
    }

    #[test]
    fn patterns_find_every_citation_with_its_pin() {
        let pattern = Regex::new(r"MS\.\d+v\d+").expect("a regex");
        let text = "MS.1v1 as in (MS.2v3@v2.1), MS.4v1@c1-0123456789abcdef. MS.x";
        let found = mentions(text, Some(&pattern), Commas::Keep);
        let cited: Vec<&str> = found.iter().map(|mention| &text[mention.range.clone()]).collect();
        assert_eq!(cited, ["MS.1v1", "MS.2v3@v2.1", "MS.4v1@c1-0123456789abcdef"]);
        assert_eq!(residue(text, &found), ["as", "in", "(", ")", ".", "MS.x"]);
        let text = "MS.1v1@v1:MS.2v2é";
        assert_eq!(mentions(text, Some(&pattern), Commas::Keep), [plain(0..text.len())]);
        let between = Regex::new("[^,]+").expect("a regex");
        assert_eq!(mentions(" a, b c@v1\n, \n", Some(&between), Commas::Keep), [plain(1..2), plain(4..10)]);
        let any = Regex::new("é?").expect("a regex");
        assert_eq!(mentions("aé", Some(&any), Commas::Keep), [plain(1..3)]);
    }

    #[test]
    fn pins_are_cut_from_the_end() {
        let check = |text: &str, expected: &str| {
            let shown = match pinned(text) {
                Ok(Pinned { cited, pin: None }) => text[..cited].to_owned(),
                Ok(Pinned { cited, pin: Some((PinKind::Revision(rev), _)) }) => format!("{} rev {rev}", &text[..cited]),
                Ok(Pinned { cited, pin: Some((PinKind::Fingerprint(hex), _)) }) => {
                    format!("{} text {hex}", &text[..cited])
                }
                Err(bad) => format!("{} at {}", bad.message, &text[bad.range]),
            };
            assert_eq!(shown, expected);
        };
        check("a/b", "a/b");
        check("a/b@v2.1", "a/b rev v2.1");
        check("m.md#alarms@feature/x", "m.md#alarms rev feature/x");
        check("Safety limits@HEAD~3", "Safety limits rev HEAD~3");
        check("a@c1-0123456789ABCDEF", "a text 0123456789abcdef");
        check("a@b@c1-0123456789abcdef", "a@b text 0123456789abcdef");
        check("https://x.org/@me/a", "https://x.org/@me/a");
        check("https://u@x.org", "https://u@x.org");
        check("https://x.org/a#b@c1-0123456789abcdef", "https://x.org/a#b text 0123456789abcdef");
        check("who@host.example", "who@host.example");
        check("the @ sign", "the @ sign");
        check("@property", "@property");
        check("npm/@scope", "npm/@scope");
        check("a@c1-fix", "a rev c1-fix");
        check("a@", "the citation ends in `@` without a revision or fingerprint behind it at @");
        check(
            "a@c1-0123",
            "fingerprint `c1-0123` is too short: 4 digits behind `c1-`; write the first 16 at least, as `citecheck accept` does at c1-0123",
        );
        check(
            "a@c2-0123456789abcdef",
            "fingerprint form `c2` is not known; this version reads `c1-…` at c2-0123456789abcdef",
        );
    }
}
