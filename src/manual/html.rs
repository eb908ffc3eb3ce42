//! Just enough HTML to see what a reader does not: comments, and tags that only name a place.
//! No HTML parser: what stands in a manual is shown as it is written.

/// A tag such as `<a id="x">` or `</a>`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    pub(super) closing: bool,
    pub(super) id: Option<&'a str>,
    /// The attribute `name`.
    pub(super) named: Option<&'a str>,
    pub(super) href: bool,
}

impl<'a> Tag<'a> {
    /// Reads the tag that a text starts with.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let inside = text.strip_prefix('<')?.split('>').next()?;
        let closing = inside.starts_with('/');
        let inside = inside.trim_start_matches('/').trim_end_matches('/');
        let end = inside.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(inside.len());
        let mut tag = Tag { name: &inside[..end], closing, ..Tag::default() };
        if !tag.name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let mut rest = &inside[end..];
        while let Some((name, value, after)) = read_attribute(rest) {
            match name.to_ascii_lowercase().as_str() {
                "id" => tag.id = Some(value),
                "name" => tag.named = Some(value),
                "href" => tag.href = true,
                _ => {}
            }
            rest = after;
        }
        Some(tag)
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The place that this tag names: any `id`, and the `name` of an `<a>`. No citation can write one of several lines.
    pub(super) fn anchor(&self) -> Option<&'a str> {
        let named = if self.is("a") { self.named } else { None };
        self.id.or(named).filter(|anchor| !anchor.is_empty() && !anchor.contains(['\n', '\r']) && !self.closing)
    }

    /// Whether it is an `<a>` that names a place and leads nowhere: nothing a reader sees.
    pub(super) fn is_mere_anchor(&self) -> bool {
        self.is("a") && !self.closing && !self.href
    }
}

/// The name and the value of the first attribute, and what follows it.
fn read_attribute(text: &str) -> Option<(&str, &str, &str)> {
    let text = text.trim_start_matches(|c: char| c.is_whitespace() || c == '/');
    let end = text.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(text.len());
    if text.is_empty() {
        return None;
    }
    let (name, rest) = text.split_at(end);
    let Some(value) = rest.trim_start().strip_prefix('=').map(str::trim_start) else {
        return Some((name, "", rest));
    };
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
    match quote {
        Some(quote) => {
            let (value, after) = value[1..].split_once(quote).unwrap_or((&value[1..], ""));
            Some((name, value, after))
        }
        None => {
            let end = value.find(char::is_whitespace).unwrap_or(value.len());
            Some((name, &value[..end], &value[end..]))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, anchor: Option<&str>, mere: bool) {
        let tag = Tag::read(text).unwrap();
        assert_eq!((tag.anchor(), tag.is_mere_anchor()), (anchor, mere), "{text}");
    }

    #[test]
    fn tags_name_places() {
        check(r#"<a id="x">"#, Some("x"), true);
        check(r#"<A name='x y' />"#, Some("x y"), true);
        check("<a id=x>", Some("x"), true);
        check(r##"<a class="k" id="x" href="#y">"##, Some("x"), false);
        check(r#"<div data-id="no" id = "x">"#, Some("x"), false);
        check(r#"<input name="x">"#, None, false);
        check("</a>", None, false);
        check("<a", None, true);
        check("<a id=", None, true);
        assert_eq!(Tag::read("<!-- a -->"), None);
        assert_eq!(Tag::read("a"), None);
    }
}
