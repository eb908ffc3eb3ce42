//! Coverage as one page by itself: the figures with small charts, the manual as a tree with the cases of each section, the
//! texts of stale sections before and after, and the cases with what they cite. Nothing is loaded from anywhere; without
//! a script everything can still be read and folded.
//!
//! The page is a template that escapes whatever is put in; what comes from the repository has passed the sanitizer before.
//! Its style and its script are the only ones that its policy lets run. The same facts give the same bytes.

mod chart;
mod view;

use std::io::{self, Write};

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};

use super::CoverageReport;

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// What the policy of the page knows the style and the script by; a test compares.
const STYLE_HASH: &str = "sha256-8dOo2OZUDXQUI+/6MjzGPPX0p+4Xelk5VI7GKfjPv00=";
const SCRIPT_HASH: &str = "sha256-/ayNz80IHfJBnisJ7TwG7NtZgI4nVCntkBnd1hYWaqc=";

pub(super) fn render(report: &CoverageReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().map_err(io::Error::other)?;
    environment.set_syntax(syntax);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let template = environment.template_from_str(PAGE).map_err(io::Error::other)?;
    let values = context! {
        style => Value::from_safe_string(STYLE.to_owned()),
        script => Value::from_safe_string(SCRIPT.to_owned()),
        style_hash => Value::from_safe_string(STYLE_HASH.to_owned()),
        script_hash => Value::from_safe_string(SCRIPT_HASH.to_owned()),
        version => env!("CARGO_PKG_VERSION"),
        page => Serde(view::Page::new(report)),
    };
    let page = template.render(values).map_err(io::Error::other)?;
    out.write_all(page.as_bytes())
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::report::coverage::sample::Sample;

    fn page(sample: &Sample) -> String {
        let mut page = Vec::new();
        render(&sample.report(), &mut page).unwrap();
        String::from_utf8(page).unwrap()
    }

    /// The bytes in base 64, as the policy of a page has them.
    fn base64(bytes: &[u8]) -> String {
        const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for chunk in bytes.chunks(3) {
            let word = chunk.iter().chain(&[0, 0]).take(3).fold(0, |word, byte| word << 8 | usize::from(*byte));
            for (nth, shift) in [18, 12, 6, 0].into_iter().enumerate() {
                text.push(if nth > chunk.len() { '=' } else { char::from(DIGITS[word >> shift & 63]) });
            }
        }
        text
    }

    #[test]
    fn the_policy_lets_only_our_style_and_script_run() {
        let hash = |text: &str| format!("sha256-{}", base64(&Sha256::digest(text)));
        assert_eq!((STYLE_HASH, SCRIPT_HASH), (hash(STYLE).as_str(), hash(SCRIPT).as_str()));
        let page = page(&Sample::new());
        assert!(page.contains(&format!("<style>{STYLE}</style>")), "the style is in the page as it is");
        assert!(page.contains(&format!("<script>{SCRIPT}</script>")), "the script is in the page as it is");
        let policy = format!(
            "default-src 'none'; style-src '{STYLE_HASH}'; script-src '{SCRIPT_HASH}'; base-uri 'none'; form-action 'none'"
        );
        assert!(page.contains(&policy), "{}", &page[..800]);
    }

    #[test]
    fn nothing_of_the_repository_is_markup() {
        let mut sample = Sample::new();
        let hostile = "</script><img src=x onerror=y>\u{202e}\u{1b}[2J\"'&";
        sample.coverage.sections[1].section.title = hostile.to_owned();
        sample.coverage.cases[0].id = hostile.to_owned();
        sample.coverage.cases[0].title = Some(hostile.to_owned());
        sample.coverage.files[0].path = hostile.to_owned();
        sample.coverage.texts[0].before[0].text = hostile.to_owned();
        sample.coverage.categories[0].0 = hostile.to_owned();
        sample.notes.push(hostile.to_owned());
        let page = page(&sample);
        let body = page.replace(STYLE, "").replace(SCRIPT, "");
        assert!(!body.contains("<img") && !body.contains(['\u{202e}', '\u{1b}']), "{body}");
        assert_eq!(body.matches("</script>").count(), 1);
        assert!(body.contains("&lt;img src=x onerror=y&gt;\\u{202e}"), "{body}");
    }

    #[test]
    fn nothing_is_loaded_from_anywhere() {
        let page = page(&Sample::new());
        for word in ["http://", "https://", " src=", "url(", "@import", "<link"] {
            assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(word), "{word}");
        }
    }

    #[test]
    fn every_link_leads_somewhere() {
        let page = page(&Sample::new());
        let ids: std::collections::BTreeSet<&str> =
            page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let mut links = 0;
        for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(ids.contains(link), "#{link} is not there");
            links += 1;
        }
        assert!(links > 10, "{links} links");
        for label in page.split(" aria-labelledby=\"").chain(page.split(" for=\"")).skip(1) {
            let Some(id) = label.split('"').next().filter(|id| !id.contains('<')) else { continue };
            assert!(ids.contains(id), "{id} labels nothing");
        }
    }

    #[test]
    fn words_that_differ_are_marked() {
        let page = page(&Sample::new());
        for part in ["opens at <del>30</del> bar", "opens at <ins>300</ins> bar", "as reviewed in v1 by TC-1"] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }

    #[test]
    fn the_same_facts_give_the_same_bytes() {
        assert_eq!(page(&Sample::new()), page(&Sample::new()));
    }
}
