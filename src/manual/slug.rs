//! GitHub's anchors for headings: the algorithm of the `github-slugger` package.
//! Works on the rendered text of a heading; what is a heading and what its text is, is decided elsewhere.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::ids::composed;

/// What GitHub removes: everything but letters, marks, decimal digits, connector punctuation, hyphen and space.
static REMOVED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]").expect("the pattern is a constant"));

/// Hands out slugs that are unique within one text: the second `errors` becomes `errors-1`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slugger {
    /// Every slug given out, with the last suffix that was tried for it.
    taken: HashMap<String, usize>,
}

impl Slugger {
    /// The slug of a heading's rendered text, with a suffix where an earlier one has it already.
    pub(crate) fn slug(&mut self, text: &str) -> String {
        self.unique(slug(text))
    }

    /// The wanted name, or the first of `wanted-1`, `wanted-2`… that is free.
    pub(crate) fn unique(&mut self, wanted: String) -> String {
        let Some(mut suffix) = self.taken.get(&wanted).copied() else {
            self.taken.insert(wanted.clone(), 0);
            return wanted;
        };
        let given = loop {
            suffix += 1;
            let candidate = format!("{wanted}-{suffix}");
            if !self.taken.contains_key(&candidate) {
                break candidate;
            }
        };
        self.taken.insert(wanted, suffix);
        self.taken.insert(given.clone(), 0);
        given
    }
}

/// The slug of a text, without regard to other headings; in Unicode's composed form, as everything that is looked up.
pub(crate) fn slug(text: &str) -> String {
    let text = text.trim();
    if text.is_ascii() {
        let kept = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b' ');
        let shown = |byte: u8| if byte == b' ' { '-' } else { char::from(byte.to_ascii_lowercase()) };
        return text.bytes().filter(kept).map(shown).collect();
    }
    // Without a mark that stood between them, a letter and an accent are one.
    composed(&REMOVED.replace_all(&text.to_lowercase(), "").replace(' ', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(slug(text), expected, "{text:?}");
    }

    #[test]
    fn slugs_are_those_of_github() {
        check("Safety limits", "safety-limits");
        check("5.2 Limits", "52-limits");
        check("C++", "c");
        check("a & b", "a--b");
        check("naïve", "naïve");
        check("before — after", "before--after");
        check("snake_case and kebab-case", "snake_case-and-kebab-case");
        check("😄 emoji", "-emoji");
        check("検査 一", "検査-一");
        check("Пределы Безопасности", "пределы-безопасности");
        check("ÉCLAIR", "éclair");
        check("x²", "x");
        check("  trimmed  ", "trimmed");
        check("tab\there", "tabhere");
        check("what? why!", "what-why");
        check("‿undertie", "‿undertie");
        check("e\u{301}", "\u{e9}");
        check("4a)\u{308}", "4\u{e4}");
        check("", "");
    }

    #[test]
    fn repeated_slugs_are_numbered_and_never_collide() {
        let mut slugger = Slugger::default();
        let given: Vec<_> =
            ["Errors", "Errors", "Errors 1", "Errors-1", "Errors"].iter().map(|text| slugger.slug(text)).collect();
        assert_eq!(given, ["errors", "errors-1", "errors-1-1", "errors-1-2", "errors-2"]);
    }
}
