//! Markdown to sections: places are places, and what promises to be without effect has none.

use std::sync::LazyLock;

use super::{text_of, worktree};
use crate::manual::{self, Document, Options};
use crate::source::RepoPath;

/// Plain, and with everything that a configuration can switch on.
pub(super) static OPTIONS: LazyLock<[Options; 2]> = LazyLock::new(|| {
    let patterns = [r"^r\[(?P<id>[^\]]+)\]$", r"^\*\*(?P<id>REQ-\d+)\*\*", r"^(?P<id>\d+[a-z]\d*)\)"];
    let id_patterns = patterns.iter().filter_map(|it| regex::Regex::new(it).ok()).collect();
    [Options::default(), Options { id_patterns, numbered_paragraphs: true }]
});

/// The input is a manual.
pub fn sections(input: &[u8]) {
    let Some(text) = text_of(input) else { return };
    for options in &*OPTIONS {
        let document = read(text, options);
        manual::invariants::check(text, &document);
        let expected = shown(&document);
        for (change, reformatted) in reformatted(text) {
            assert_eq!(shown(&read(&reformatted, options)), expected, "{change} has an effect on {text:?}");
        }
    }
}

fn read(text: &str, options: &Options) -> Document {
    let (_, source) = worktree("m.md", text);
    manual::parse(source, &RepoPath::new("m.md"), text, options).value
}

/// What a citation, a pin and a comparison go by.
fn shown(document: &Document) -> Vec<String> {
    let line = |(at, section): (usize, &manual::Section)| {
        let fingerprint = document.fingerprint(at, true);
        let read: Vec<String> = section.fragments.iter().map(|it| format!("{}{}", it.context, it.text)).collect();
        let named = (&section.id.0, &section.title, &section.number, &section.anchors);
        format!("{} {named:?} {fingerprint} {read:?}", section.level)
    };
    document.sections.iter().enumerate().map(line).collect()
}

/// The text in other forms that read the same.
fn reformatted(text: &str) -> Vec<(&'static str, String)> {
    let mut forms = Vec::new();
    if !text.starts_with('\u{feff}') {
        forms.push(("a byte order mark", format!("\u{feff}{text}")));
    }
    if !text.contains('\r') {
        forms.push(("a final line break", format!("{text}\n")));
        forms.push(("CRLF", text.replace('\n', "\r\n")));
        let spaced = |line: &str| match line.strip_suffix('\n') {
            // A backslash at the end of a line breaks it, before a space it is one.
            Some(line) if !line.ends_with('\\') => format!("{line} \n"),
            Some(_) | None => line.to_owned(),
        };
        forms.push(("trailing space", text.split_inclusive('\n').map(spaced).collect()));
    }
    forms
}
