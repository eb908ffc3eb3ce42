//! Properties of reading a manual that hold for every text, and the public bug reports that it must survive.
//! Tests only.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::{Document, Fingerprint, FragmentKind, InlineKind, Options, Problem, parse};
use crate::source::{Parsed, RepoPath, Rev, SourceId, Sources};

fn source(text: &str) -> SourceId {
    Sources::default().add(Rev::Worktree, RepoPath::new("m.md"), text)
}

/// Compiled once: a property test reads a thousand texts.
static OPTIONS: LazyLock<Options> = LazyLock::new(|| {
    let patterns = [r"^r\[(?P<id>[^\]]+)\]$", r"^\*\*(?P<id>REQ-\d+)\*\*", r"^(?P<id>\d+[a-z]\d*)\)"];
    let id_patterns = patterns.iter().map(|pattern| regex::Regex::new(pattern).unwrap()).collect();
    Options { id_patterns, numbered_paragraphs: true }
});

fn read(text: &str) -> Parsed<Document, Problem> {
    parse(source(text), &RepoPath::new("m.md"), text, &OPTIONS)
}

/// The fingerprints of all own bodies.
fn bodies(text: &str) -> Vec<Fingerprint> {
    read(text).value.sections.iter().map(|section| section.own).collect()
}

fn ids(text: &str) -> Vec<String> {
    read(text).value.sections.iter().map(|section| section.id.0.clone()).collect()
}

/// The canonical texts of all fragments with their contexts.
fn texts(text: &str) -> Vec<String> {
    let sections = read(text).value.sections;
    sections.iter().flat_map(|it| &it.fragments).map(|it| format!("{}{}", it.context, it.text)).collect()
}

fn reads_the_same(before: &str, after: &str) {
    assert_eq!(bodies(before), bodies(after), "\n{:?}\n{:?}", texts(before), texts(after));
}

fn reads_differently(before: &str, after: &str) {
    assert_ne!(bodies(before), bodies(after), "{before:?} {after:?}");
}

/// Everything that must hold for any text.
fn check_invariants(text: &str) {
    let document = read(text).value;
    let is_place = |span: crate::source::Span| text.get(span.start..span.end).is_some();
    for pair in document.sections.windows(2) {
        assert_eq!(pair[0].extent.end, pair[1].extent.start, "extents tile the text: {text:?}");
    }
    if let Some(last) = document.sections.last() {
        assert_eq!(last.extent.end, text.len());
    }
    for (at, section) in document.sections.iter().enumerate() {
        assert!(is_place(section.heading) && is_place(section.extent), "{text:?}");
        assert!(section.parent.is_none_or(|parent| parent < at && document.sections[parent].level < section.level));
        for fragment in &section.fragments {
            assert!(is_place(fragment.span), "{text:?} {fragment:?}");
            assert!(fragment.map.is_sorted_by(|first, second| first.0 < second.0), "{text:?} {fragment:?}");
            assert!(fragment.map.iter().all(|(at, _)| *at as usize <= fragment.text.len()), "{text:?} {fragment:?}");
            assert!(fragment.inlines.is_sorted_by(|first, second| first.end <= second.start), "{text:?} {fragment:?}");
            for inline in &fragment.inlines {
                assert!(fragment.text.get(inline.start..inline.end).is_some(), "{text:?} {fragment:?}");
            }
        }
    }
    let mut known: Vec<_> = document.sections.iter().filter(|it| !it.explicit).map(|it| &it.id).collect();
    known.sort();
    assert!(known.is_sorted_by(|first, second| first < second), "derived ids are unique: {text:?}");
}

/// Markdown-like noise: dense in everything that means something.
fn markdown() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "# ",
        "## ",
        "#### ",
        "\n",
        "\n\n",
        "\r\n",
        "- ",
        "  ",
        "    ",
        "1. ",
        "> ",
        "|",
        "|---|---|\n",
        "`",
        "```\n",
        "~~",
        "**",
        "*",
        "[",
        "](",
        ")",
        "![",
        "<a id=\"x\"></a>",
        "<a name=y>",
        "</a>",
        "<!--",
        "-->",
        "<div>",
        "<br>",
        "&amp;",
        "&nbsp;",
        "[^1]",
        "[^1]: ",
        "---\n",
        "===\n",
        "r[a.b]",
        "**REQ-1**: ",
        "4b) ",
        "{#x}",
        "word",
        " two words ",
        "\u{feff}",
        "é",
        "e\u{301}",
        "\u{301}",
        "漢字",
        "“q”",
        "\\",
        "[!NOTE]",
        "\t",
        "\u{a0}",
        "<https://e.org>",
        "1.1 ",
        "§ 4 ",
        "<pre>",
        "\r",
        "\0",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(text in markdown()) {
        check_invariants(&text);
    }

    #[test]
    fn any_characters_are_read(text in any::<String>()) {
        check_invariants(&text);
    }

    #[test]
    fn reading_twice_gives_the_same(text in markdown()) {
        prop_assert_eq!(bodies(&text), bodies(&text));
    }

    /// Line ends do not matter.
    #[test]
    fn crlf_reads_as_lf(text in markdown()) {
        let lf = text.replace('\r', "");
        prop_assert_eq!(bodies(&lf), bodies(&lf.replace('\n', "\r\n")), "{:?}", texts(&lf));
    }

    #[test]
    fn rewrapped_prose_reads_the_same(words in prop::collection::vec("[a-z]{1,9}", 1..30), width in 1usize..9) {
        let wrapped: Vec<_> = words.chunks(width).map(|line| line.join("  ")).collect();
        prop_assert_eq!(bodies(&words.join(" ")), bodies(&wrapped.join("\n")));
        prop_assert_eq!(
            bodies(&format!("> - {}", words.join(" "))),
            bodies(&format!("> * {}\n", wrapped.join(" \n>   "))),
        );
    }
}
