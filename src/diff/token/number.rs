//! Numbers and what is spelled like numbers: dates in digits, versions, names that begin with a digit.

use super::TokenKind;
use super::scan::{is_ideographic, prefix};

/// No number is longer; more digits are the next number.
const LOOKAHEAD: usize = 256;

/// Endings of ordinal numbers.
const ORDINALS: [&str; 14] = ["st", "nd", "rd", "th", "er", "re", "ère", "e", "ème", "ª", "º", "ter", "te", "ten"];

/// The number, date or version that begins here. `signed` tells whether a sign here belongs to the number, `spaced` whether
/// a space may group its digits.
pub(super) fn scan(rest: &str, (signed, spaced): (bool, bool)) -> Option<(TokenKind, usize)> {
    let window = prefix(rest, LOOKAHEAD);
    if let Some(length) = numeric_date(window) {
        return Some((TokenKind::Date, length));
    }
    if let Some(length) = prefixed_version(window) {
        return Some((TokenKind::Version, length));
    }
    let sign = sign(window, signed);
    let body = &window[sign..];
    if !body.starts_with(is_digit) {
        return None;
    }
    let (kind, length) = radix(body).unwrap_or_else(|| decimal(body, spaced));
    let (kind, length) = with_suffix(body, kind, length);
    Some((kind, sign + length))
}

fn is_digit(character: char) -> bool {
    character.is_numeric() && !is_ideographic(character)
}

fn sign(window: &str, signed: bool) -> usize {
    let sign = window.chars().next().filter(|first| signed && "+-−–＋－".contains(*first));
    sign.map_or(0, char::len_utf8)
}

/// `0x1F`, `0b01`, `0o17`.
fn radix(body: &str) -> Option<(TokenKind, usize)> {
    let (digits, radix) = [("0x", 16), ("0X", 16), ("0b", 2), ("0o", 8)]
        .into_iter()
        .find_map(|(mark, radix)| Some((body.strip_prefix(mark)?, radix)))?;
    let end = digits.find(|character: char| !character.is_digit(radix) && character != '_').unwrap_or(digits.len());
    (end > 0).then_some((TokenKind::Number, end + 2))
}

/// Digits with separators inside, an exponent, or the minutes of a time.
fn decimal(body: &str, spaced: bool) -> (TokenKind, usize) {
    let mut end = digits(body);
    let mut dots = Vec::new();
    while let Some(separator) = body[end..].chars().next() {
        let next = end + separator.len_utf8();
        let more = digits(&body[next..]);
        let groups = spaced && (separator == ' ' || separator == '\u{a0}');
        if more == 0 || !(".,'’_٫．\u{202f}\u{2009}".contains(separator) || (groups && is_grouped(body, end, more)))
        {
            break;
        }
        dots.push((separator, more));
        end = next + more;
    }
    if dots.len() >= 2
        && dots.iter().all(|(separator, _)| *separator == '.')
        && !dots.iter().all(|(_, more)| *more == 3)
    {
        // Four parts and more are addresses and object identifiers.
        return if dots.len() == 2 {
            (TokenKind::Version, end + pre_release(&body[end..]))
        } else {
            (TokenKind::Identifier, end)
        };
    }
    if dots.len() <= 1 && body[end..].starts_with(".x") && !continues(&body[end + 2..]) {
        return (TokenKind::Version, end + 2);
    }
    (TokenKind::Number, end + exponent(&body[end..]).max(if dots.is_empty() { minutes(&body[end..]) } else { 0 }))
}

/// Whether a space stands between the thousands and what is below them: three digits behind at most three, as ISO 80000-1
/// has it, `50 000`.
fn is_grouped(body: &str, end: usize, more: usize) -> bool {
    let lead = body[..end].rsplit([' ', '\u{a0}']).next().unwrap_or_default();
    let is_first = lead.len() == end;
    more == 3 && lead.bytes().all(|byte| byte.is_ascii_digit()) && (lead.len() == 3 || (is_first && lead.len() < 3))
}

fn digits(text: &str) -> usize {
    text.find(|character| !is_digit(character)).unwrap_or(text.len())
}

fn continues(rest: &str) -> bool {
    rest.starts_with(char::is_alphanumeric)
}

fn exponent(rest: &str) -> usize {
    let Some(power) = rest.strip_prefix(['e', 'E']) else { return 0 };
    let sign = usize::from(power.starts_with(['+', '-']));
    let length = power[sign..].bytes().take_while(u8::is_ascii_digit).count();
    if length == 0 || continues(&power[sign + length..]) { 0 } else { 1 + sign + length }
}

/// `:30`, `:00:00`.
fn minutes(rest: &str) -> usize {
    let part = |rest: &str| {
        let digits = rest.strip_prefix(':').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
        if digits == 2 { 3 } else { 0 }
    };
    let first = part(rest);
    if first == 0 { 0 } else { first + part(&rest[first..]) }
}

/// `-rc.1`.
fn pre_release(rest: &str) -> usize {
    let Some(label) =
        rest.strip_prefix(['-', '+']).filter(|label| label.starts_with(|c: char| c.is_ascii_alphabetic()))
    else {
        return 0;
    };
    let end = label
        .find(|character: char| !character.is_ascii_alphanumeric() && !".-+".contains(character))
        .unwrap_or(label.len());
    1 + label[..end].trim_end_matches(['.', '-', '+']).len()
}

/// An ordinal's ending belongs to the number, a unit stays apart, anything else makes it a name (`3D`, `802.11ac`).
fn with_suffix(body: &str, kind: TokenKind, length: usize) -> (TokenKind, usize) {
    let is_name = |character: char| (character.is_alphanumeric() && !is_ideographic(character)) || character == '_';
    let rest = &body[length..];
    let suffix = &rest[..rest.find(|character| !is_name(character)).unwrap_or(rest.len())];
    if suffix.is_empty() || suffix.chars().all(|character| character.is_numeric()) {
        return (kind, length + suffix.len());
    }
    if ORDINALS.contains(&suffix) {
        return (kind, length + suffix.len());
    }
    if crate::diff::words::unit(suffix).is_some() || suffix.chars().any(is_unit_sign) {
        return (kind, length);
    }
    (TokenKind::Identifier, length + suffix.len())
}

fn is_unit_sign(character: char) -> bool {
    "°µμΩ".contains(character)
}

/// `v1`, `v1.2.3-rc.1`, `V2.0`.
fn prefixed_version(window: &str) -> Option<usize> {
    let number = window.strip_prefix(['v', 'V'])?;
    let end = number.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(number.len());
    let end = number[..end].trim_end_matches('.').len();
    let starts = number.starts_with(|first: char| first.is_ascii_digit());
    let end = end + pre_release(&number[end..]);
    (starts && !continues(&number[end..])).then_some(end + 1)
}

/// `2024-01-31`, `2024-01`, `2024/01/31`, `31.01.2024`, `01/31/2024`, each with an ISO time after it.
fn numeric_date(window: &str) -> Option<usize> {
    let bytes = window.as_bytes();
    let number = |at: usize, length: usize| -> Option<u32> {
        let digits = bytes.get(at..at + length)?;
        digits.iter().try_fold(0, |value, digit| digit.is_ascii_digit().then(|| value * 10 + u32::from(digit - b'0')))
    };
    let ends = |at: usize| !bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let separator = |at: usize| bytes.get(at).copied().filter(|byte| b"-/.".contains(byte));
    let month = |value: u32| (1..=12).contains(&value);
    let day = |value: u32| (1..=31).contains(&value);
    let year = |value: u32| (1000..=2999).contains(&value);
    if let (Some(first), Some(mark)) = (number(0, 4), separator(4))
        && year(first)
        && number(5, 2).is_some_and(month)
    {
        if separator(7) == Some(mark) && number(8, 2).is_some_and(day) {
            return Some(10 + time(&window[10..])).filter(|end| ends(*end));
        }
        return (mark == b'-' && ends(7) && separator(7).is_none_or(|mark| mark == b'.' && ends(8))).then_some(7);
    }
    // Day and month in either order, with one or two digits.
    let first = 1 + usize::from(bytes.get(1).is_some_and(u8::is_ascii_digit));
    let mark = separator(first).filter(|mark| *mark != b'-')?;
    let second = 1 + usize::from(bytes.get(first + 2).is_some_and(u8::is_ascii_digit));
    let at = first + 1 + second;
    let plausible = number(0, first).is_some_and(day) && number(first + 1, second).is_some_and(day);
    let valid = plausible && separator(at) == Some(mark) && number(at + 1, 4).is_some_and(year);
    (valid && ends(at + 5)).then_some(at + 5)
}

/// `T12:00:00Z`, `T12:00:00.5+02:00`.
fn time(rest: &str) -> usize {
    let Some(clock) = rest.strip_prefix('T').filter(|clock| clock.starts_with(|c: char| c.is_ascii_digit())) else {
        return 0;
    };
    let end = clock.find(|c: char| !c.is_ascii_digit() && !":.+-Z".contains(c)).unwrap_or(clock.len());
    1 + clock[..end].trim_end_matches(['.', ':', '+', '-']).len()
}
