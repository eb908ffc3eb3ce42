//! The automatic numbers of headings: `5.2 Limits` is the number `5.2` and the title `Limits`.
//! Decides on the text alone; never looks at neighbouring headings.

/// Splits the number off a heading's text. A heading that is only a number keeps it as its title too.
pub(crate) fn split_number(title: &str) -> (Option<String>, &str) {
    let digits = title.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(title.len());
    let (number, rest) = title.split_at(digits);
    let number = number.trim_end_matches('.');
    let rest = rest.trim_start();
    if number.is_empty() || rest.is_empty() || !title[digits..].starts_with(' ') || !number.contains('.') {
        return (None, title);
    }
    (Some(number.to_string()), rest)
}
