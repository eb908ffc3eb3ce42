//! Whether a text is well-formed XML of the kind that we write: elements, attributes in double quotes, the five entities
//! and character references. No comments, no sections of other kinds.

/// What is wrong, if anything.
pub(super) fn check(text: &str) -> Result<(), String> {
    let body = text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").ok_or("no declaration")?;
    let mut open: Vec<&str> = Vec::new();
    let mut rest = body;
    while let Some(start) = rest.find('<') {
        content(&rest[..start])?;
        let (tag, behind) = rest[start + 1..].split_once('>').ok_or("a tag without end")?;
        rest = behind;
        match tag.strip_prefix('/') {
            Some(name) if open.pop() == Some(name) => {}
            Some(name) => return Err(format!("`{name}` is closed and was not open")),
            None => {
                let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
                let (name, list) = tag.split_once(' ').unwrap_or((tag, ""));
                attributes(list)?;
                if !is_empty {
                    open.push(name);
                }
            }
        }
    }
    content(rest)?;
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} stay open")) }
}

/// `name="value" other="value"`.
fn attributes(mut list: &str) -> Result<(), String> {
    let mut seen = Vec::new();
    while !list.is_empty() {
        let (name, behind) = list.split_once("=\"").ok_or_else(|| format!("no attribute: {list}"))?;
        let (value, behind) = behind.split_once('"').ok_or_else(|| format!("a value without end: {list}"))?;
        let is_name = name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-');
        if !is_name || seen.contains(&name) {
            return Err(format!("no name of an attribute: {name}"));
        }
        content(value)?;
        seen.push(name);
        list = behind.strip_prefix(' ').unwrap_or(behind);
    }
    Ok(())
}

/// Characters that XML has, and references that it knows.
fn content(text: &str) -> Result<(), String> {
    if let Some(it) = text.chars().find(|it| !is_character(*it)) {
        return Err(format!("{it:?} is no character of XML"));
    }
    let references = text.split('&').skip(1);
    for reference in references {
        let name = reference.split_once(';').ok_or_else(|| format!("an ampersand by itself: {reference}"))?.0;
        let number = name.strip_prefix("#x").and_then(|it| u32::from_str_radix(it, 16).ok());
        let number = number.or_else(|| name.strip_prefix('#').and_then(|it| it.parse().ok()));
        let is_known = ["amp", "lt", "gt", "quot", "apos"].contains(&name);
        if !is_known && !number.and_then(char::from_u32).is_some_and(is_character) {
            return Err(format!("an unknown reference: {name}"));
        }
    }
    Ok(())
}

fn is_character(it: char) -> bool {
    matches!(it, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
