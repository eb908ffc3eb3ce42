//! Citations as they are copied: Markdown links, percent-encoded paths, addresses of a published manual.
//! Text to text; whether such a file is there is not known here.

use unicode_normalization::UnicodeNormalization;

/// Where manual files are published: addresses and the folders behind them, the longest address first.
#[derive(Clone, Debug, Default)]
pub(super) struct Published {
    pub(super) bases: Vec<(String, String)>,
}

/// A file that a published address may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct File {
    /// The paths it may have, the likeliest first.
    pub(super) paths: Vec<String>,
    pub(super) fragment: Option<String>,
}

impl Published {
    pub(super) fn new(base_urls: &[(String, String)]) -> Self {
        let mut bases = base_urls.to_vec();
        bases.sort_by_key(|(base, _)| std::cmp::Reverse(base.len()));
        Self { bases }
    }

    /// The file behind a citation, if it is an address under one of the bases.
    pub(super) fn file(&self, cited: &str) -> Option<File> {
        self.bases.iter().find_map(|(base, folder)| {
            let rest = cited.strip_prefix(base.as_str())?;
            let at_boundary = base.ends_with('/') || rest.is_empty() || rest.starts_with(['/', '#', '?']);
            at_boundary.then(|| File::behind(rest, folder))
        })
    }
}

impl File {
    fn behind(rest: &str, folder: &str) -> Self {
        let (page, fragment) = match rest.split_once('#') {
            Some((page, fragment)) => (page, Some(fragment.to_string())),
            None => (rest, None),
        };
        let page = decode(page.split('?').next().unwrap_or(page));
        let page = page.trim_matches('/');
        let folder = folder.trim_matches('/');
        let stem = page.strip_suffix(".html").unwrap_or(page);
        let stem = [folder, stem].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("/");
        let ends = ["", ".md", ".markdown", "/index.md", "/README.md", "/_index.md"];
        let paths = ends.iter().map(|end| format!("{stem}{end}").trim_start_matches('/').to_string());
        Self { paths: paths.collect(), fragment: fragment.filter(|fragment| !fragment.is_empty()) }
    }
}

/// The target of a text that is one Markdown link, or an address in angle brackets.
pub(super) fn link_target(text: &str) -> Option<&str> {
    if let Some(address) = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
        return (address.contains("://") && !address.contains(char::is_whitespace)).then_some(address);
    }
    let inside = text.strip_prefix('[')?.strip_suffix(')')?;
    let (_, target) = inside.split_once("](")?;
    if let Some(target) = target.trim().strip_prefix('<') {
        return target.split('>').next();
    }
    let title = target.find([' ', '\t']).filter(|space| target[*space..].trim_start().starts_with(['"', '\'']));
    Some(target[..title.unwrap_or(target.len())].trim())
}

/// Percent-decoded and composed; what does not decode to text stays as it is.
pub(super) fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let encoded = percent_encoded(rest);
        bytes.push(encoded.unwrap_or(*first));
        rest = if encoded.is_some() { &after[2..] } else { after };
    }
    match String::from_utf8(bytes) {
        Ok(decoded) => decoded.nfc().collect(),
        Err(_) => text.to_string(),
    }
}

/// The byte that the first three stand for, as `%41` for `A`.
pub(super) fn percent_encoded(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_cites_its_target() {
        let check = |text: &str, expected: Option<&str>| assert_eq!(link_target(text), expected, "{text}");
        check("[Tracer](spec/trace.md#tracer)", Some("spec/trace.md#tracer"));
        check("[a](b.md \"title\")", Some("b.md"));
        check("[a](<b c.md>)", Some("b c.md"));
        check("[a](b c.md)", Some("b c.md"));
        check("<https://example.org/a>", Some("https://example.org/a"));
        check("<a>", None);
        check("plain", None);
        check("[x]", None);
        check("[", None);
    }

    #[test]
    fn addresses_lead_to_files() {
        let published = Published::new(&[
            ("https://docs.example.org/".to_string(), String::new()),
            ("https://docs.example.org/standards".to_string(), "Standards/".to_string()),
        ]);
        let check = |address: &str, path: &str, fragment: Option<&str>| {
            let file = published.file(address).unwrap();
            assert!(file.paths.contains(&path.to_string()), "{address} {file:?}");
            assert_eq!(file.fragment.as_deref(), fragment, "{address}");
        };
        check("https://docs.example.org/standards/s1#tests", "Standards/s1.md", Some("tests"));
        check("https://docs.example.org/standards/s1/", "Standards/s1.md", None);
        check("https://docs.example.org/standards/s1.html", "Standards/s1.md", None);
        check("https://docs.example.org/standards/s1.md?plain=1#x", "Standards/s1.md", Some("x"));
        check("https://docs.example.org/standards", "Standards/index.md", None);
        check("https://docs.example.org/standardsx", "standardsx.md", None);
        check("https://docs.example.org/", "README.md", None);
        assert_eq!(published.file("https://elsewhere.example.org/"), None);
    }

    #[test]
    fn percent_signs_are_decoded() {
        assert_eq!(decode("a%20b%C3%A9%zz%"), "a bé%zz%");
        assert_eq!(decode("%ff"), "%ff");
    }
}
