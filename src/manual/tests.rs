//! Properties of reading a manual that hold for every text, and the public bug reports that it must survive.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::{Document, Fingerprint, FragmentKind, InlineKind, Options, Problem, fold, invariants, parse};
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
        invariants::check(&text, &read(&text).value);
    }

    #[test]
    fn any_characters_are_read(text in any::<String>()) {
        invariants::check(&text, &read(&text).value);
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

/// The source stands at these places for the words of the canonical text: each word is found where the map says.
fn check_places(text: &str) {
    let document = read(text).value;
    let mut words = 0;
    for fragment in document.sections.iter().flat_map(|section| &section.fragments) {
        for (at, _) in fragment.text.match_indices(char::is_alphanumeric) {
            let is_start = !fragment.text[..at].ends_with(char::is_alphanumeric);
            let word = fragment.text[at..].split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            if is_start {
                let place = fragment.source_offset(at);
                assert!(fold(&text[place..]).starts_with(word), "{word} at {place}: {:?}", &text[place..]);
                words += 1;
            }
        }
    }
    assert!(words > 0, "{text:?}");
}

#[test]
fn every_word_is_found_in_the_source() {
    check_places("one two\nthree  four\n  five\r\nsix");
    check_places("> - one *two*\n>   three **four\n>   five** six\n>   - seven\n");
    check_places("# H\n\n1. one\n2. two\n\n   three\n");
    check_places("| one | two `three` |\n|---|---|\n| four\u{a0} five | [six](seven) | eight |\n");
    check_places("one\r\ntwo [three\r\nfour](five/six \"t\") ![seven](eight)\r\n");
    check_places("é one “two” ‘three’ 漢字 four\n");
    check_places("one &amp; two &lt; three \\* four\n");
    check_places("```\none  \ntwo\r\n  three\n```\n");
    check_places("    one\n      two\n");
    check_places("<div>one\n  <b>two</b>\n<!-- x -->three</div>\n");
    check_places("a `one  two\nthree` ~~four~~ <https://five.six> [seven](nine) <span>eight</span>\n");
    check_places("e\u{301} one e\u{301}a\u{308} two\n");
    check_places("one[^n] two\n\n[^n]: three\n    four\n");
    check_places("r[a.b]\none\ntwo\n");
}

#[test]
fn a_word_is_found_in_the_source_to_its_end() {
    let check = |text: &str, word: &str, expected: &str| {
        let document = read(text).value;
        invariants::check(text, &document);
        let fragment = &document.sections[0].fragments[0];
        let start = fragment.text.find(word).unwrap();
        let found = fragment.source_range(text, (start, start + word.len()));
        assert_eq!(&text[found], expected, "{text:?}");
    };
    check("in the cafe\u{301} at", "café", "cafe\u{301}");
    check("a “b” c", "\"b\"", "“b”");
    check("a\t\t\u{308}b é", "b", "b");
    check("a 漢字 b", "漢字", "漢字");
    check("[漢][r] b\n\n[r]: 漢字", "b", "b");
    check("[漢字][字] b\n\n[字]: 字%20x", "b", "b");
    check("~漢~ b", "b", "b");
}

#[test]
fn form_has_no_effect() {
    reads_the_same("The client waits 30 seconds.", "The client\nwaits\u{a0}30\n   seconds.  \n\n");
    reads_the_same("- a\n- b\n", "*   a\n\n*   b\n");
    reads_the_same("- a\n  - b\n", "- a\n    - b\n");
    reads_the_same("*a* __b__ ***c***", "_a_ **b** **_c_**");
    reads_the_same("1. a\n1. b\n1. c\n", "1) a\n2) b\n3) c\n");
    reads_the_same("|a|b|\n|-|-|\n|c|d|\n", "| a  | b |\n|:---|--:|\n| c  | d |\n");
    reads_the_same("a|b\n-|-\nc|d\n", "| a | b |\n|---|---|\n| c | d |\n");
    reads_the_same("T\n===\na\n", "# T #\n\na\n");
    reads_the_same("[a][r]\n\n[r]: x.md 'title'\n", "[a](<x.md> \"other\")\n");
    reads_the_same("<https://e.org/x> and <a@e.org>", "[https://e.org/x](https://e.org/x) and a@e.org");
    reads_the_same("a &amp; b &#x2014; c \\* d", "a & b — c * d");
    reads_the_same("a <!-- note --> b\n\n<!--\nmore\n\n# x\n-->\n\nc", "a b\n\nc");
    reads_the_same("“It’s”", "\"It's\"");
    reads_the_same("cafe\u{301}", "café");
    reads_the_same("a  \nb\\\nc<br/>d", "a b c d");
    reads_the_same("***", "- - -");
    reads_the_same("```rust\na \nb\n```", "~~~~\na\nb\t\n\n~~~~\n");
    reads_the_same("    code\n", "```\ncode\n```\n");
    reads_the_same("`a  b`", "``a\nb``");
    reads_the_same("<a id=\"x\"></a>text", "text");
    reads_the_same("<div>\n  a\n</div>\n", "<div> a </div>\n");
    reads_the_same("> a\nb\n", "> a\n> b\n");
    reads_the_same("\u{feff}a\u{feff}b\n", "ab");
    reads_the_same("---\ntitle: x\n---\na", "a");
    reads_the_same("検査\n一", "検査一");
    reads_the_same("# A\nr[x.y]\ntext\n", "# A\nr[x.z]\n\ntext\n");
    reads_the_same("# A\n**REQ-1**: stops\n", "# A\n**REQ-2**  stops\n");
}

#[test]
fn meaning_has_an_effect() {
    reads_differently("file name", "filename");
    reads_differently("a\n\nb", "a b");
    reads_differently("a ~~b~~", "a b");
    reads_differently("a `b`", "a b");
    reads_differently("[a](x)", "[a](y)");
    reads_differently("[a](x)", "a");
    reads_differently("![a](x)", "[a](x)");
    reads_differently("- a\n  - b\n", "- a\n- b\n");
    reads_differently("- a\n- b\n", "- b\n- a\n");
    reads_differently("- a\n", "1. a\n");
    reads_differently("2. a\n", "3. a\n");
    reads_differently("- a\n-\n- b\n", "- a\n- b\n");
    reads_differently("- a\n\n  b\n", "- a\n- b\n");
    reads_differently("| a | b |\n|-|-|\n| c | |\n", "| a | b |\n|-|-|\n| | c |\n");
    reads_differently("| a |\n|-|\n| b | 30 |\n", "| a |\n|-|\n| b | 40 |\n");
    reads_differently("| a | b |\n|-|-|\n| x \\| y | z |\n", "| a | b |\n|-|-|\n| x | y \\| z |\n");
    reads_differently("```\n a\n```", "```\na\n```");
    reads_differently("```\na\n\nb\n```", "```\na\nb\n```");
    reads_differently("> a", "a");
    reads_differently("> [!NOTE]\n> a", "> [!WARNING]\n> a");
    reads_differently("a[^1]\n\n[^1]: b", "a[^2]\n\n[^2]: b");
    reads_differently("> # a", "> ## a");
    reads_differently("a\n\n***\n\nb", "a\n\nb");
    reads_differently("<div>a</div>", "<div>b</div>");
    reads_differently("<details open>\na", "<details>\na");
    reads_differently("may", "May");
    reads_differently("10–20", "10-20");
    reads_differently("a", "");
}

/// Numbers are those of the collection of public bug reports that this stage was built against.
#[test]
fn public_bug_reports_are_survived() {
    // 2: a final line end; 4: line ends.
    reads_the_same("# A\n\nx\n", "# A\n\nx");
    reads_the_same("# A\r\n\r\n- x\r\n  y\r\n", "# A\n\n- x\n  y\n");
    for heading in ["[`\na `x\n-\n", "a `b\nc` d\n===\n"] {
        assert_eq!(ids(&heading.replace('\n', "\r\n")), ids(heading), "{heading}");
        let anchors = |text: &str| read(text).value.sections[0].anchors.clone();
        assert_eq!(anchors(&heading.replace('\n', "\r\n")), anchors(heading), "{heading}");
    }
    // 44, 53: ids in code and in comments are none.
    for fenced in
        ["```\n# F {#fake}\n```", "~~~~\n# F\n~~~\n~~~~", "    # F", "- ```\n  # F\n  ```", "> ```\n> # F\n> ```"]
    {
        assert_eq!(ids(fenced), [""], "{fenced}");
    }
    assert_eq!(ids("# A\n<!--\n## Old {#old}\n-->\n"), ["a"]);
    // 47: ids that are not ASCII, in either Unicode form.
    assert_eq!(ids("# A {#prüfung.größe}\n# B {#検査.一}\n# C {#pru\u{308}f}\n"), ["prüfung.größe", "検査.一", "prüf"]);
    // 49: repeated headings.
    let repeated = "## Errors\n## Errors\n## Errors 1\n## Errors-1\n";
    assert_eq!(ids(repeated), ["errors", "errors-1", "errors-1-1", "errors-1-2"]);
    let anchors: Vec<_> = read(repeated).value.sections.iter().map(|section| section.anchors.join(" ")).collect();
    assert_eq!(anchors, ["errors", "errors-1", "errors-1-1", "errors-1-2"]);
    // 52: a rule, a table's delimiter row and front matter are no underlines.
    assert_eq!(ids("para\n\n---\n\n| a |\n|---|\n"), [""]);
    assert_eq!(ids("---\ntitle: x\n---\n\npara\n"), [""]);
    assert_eq!(ids("# A\n\npara\n\n---\n# B\n\ntext\n---\n"), ["a", "b", "b/text"]);
}

/// 50: anchors as GitHub makes them from the rendered heading.
#[test]
fn anchors_are_those_of_github() {
    let check = |heading: &str, anchor: &str| {
        let document = read(&format!("## {heading}\n")).value;
        assert_eq!(document.sections[0].anchors[0], anchor, "{heading}");
    };
    check("The `code` option", "the-code-option");
    check("😄 Smile", "-smile");
    check("A &amp; B", "a--b");
    check("C++", "c");
    check("naïve", "naïve");
    check("before — after", "before--after");
    check("[Link](x.md) text", "link-text");
    check("Trailing ##", "trailing");
    check("a <b>bold</b> move", "a-bold-move");
    check("5.2 Limits", "52-limits");
    check("snake_case *emphasis*", "snake_case-emphasis");
    check("<a name=\"x\"></a>Named", "named");
}

#[test]
fn authors_name_sections() {
    let check = |text: &str, expected: &[(&str, usize)]| {
        let document = read(text).value;
        let found: Vec<_> = document.sections.iter().map(|it| (it.id.0.as_str(), it.line)).collect();
        assert_eq!(found, expected, "{text:?}");
    };
    check("# A {#x}\n## <a id=\"y\"></a>B\n", &[("x", 1), ("y", 2)]);
    check("# A\n\n<a id=\"x\"></a>\n## B\n", &[("a", 1), ("x", 4)]);
    check("# A\n\n<a name=x></a>\n\n<a id=y></a>\n\nB\n=\n", &[("a", 1), ("x", 7)]);
    check("<a id=\"x\"></a>\n\ntext\n\n# A\n", &[("", 1), ("a", 5)]);
    check("r[x]\n\nA\n=\n", &[("x", 3)]);
    check("# A {#x}\n# B {#x}\n", &[("x", 1), ("x", 2)]);
    check("# x\n# B {#x}\n", &[("x-1", 1), ("x", 2)]);
    check("# ???\n# !!!\n", &[("-", 1), ("--1", 2)]);
    let long = format!("# {}é\n## b\n", "a".repeat(199));
    assert_eq!(ids(&long)[1], format!("{}/b", "a".repeat(199)));
    let document = read("# A\n<a id=\"in\"></a>text\n\n<div id=\"block\">\n\n> ## [Quoted](x.md)\n").value;
    assert_eq!(document.sections[0].anchors, ["a", "quoted", "in", "block"]);
    let problems = read("# A {#x}\n# B {#x}\n").problems;
    assert!(matches!(&problems[..], [Problem::DuplicateId { id, .. }] if id == "x"));
}

#[test]
fn parts_that_are_not_prose_are_marked() {
    let text = "a `b` [c `d`](e) ![f](g) ~~h~~ <kbd>i</kbd> <https://j.org>";
    let document = read(text).value;
    let fragment = &document.sections[0].fragments[0];
    assert_eq!(fragment.text, "a `b` [c `d`](e) ![f](g) ~~h~~ <kbd>i</kbd> https://j.org");
    let marked: Vec<_> = fragment.inlines.iter().map(|it| (it.kind, &fragment.text[it.start..it.end])).collect();
    assert_eq!(
        marked,
        [
            (InlineKind::Code, "b"),
            (InlineKind::Label, "c `"),
            (InlineKind::Code, "d"),
            (InlineKind::Label, "`"),
            (InlineKind::Target, "e"),
            (InlineKind::Target, "g"),
            (InlineKind::Strikethrough, "h"),
            (InlineKind::Html, "<kbd>"),
            (InlineKind::Html, "</kbd>"),
            (InlineKind::Target, "https://j.org"),
        ]
    );
}

#[test]
fn fragments_tell_what_they_are() {
    let text =
        "a\n\n- b\n\n  c\n\n> d\n\n```\ne\n```\n\n| f |\n|-|\n| g |\n\n<div>h</div>\n\n***\n\n[^1]: i\n\n> # j\n";
    let document = read(text).value;
    let kinds: Vec<_> = document.sections[0].fragments.iter().map(|it| (it.kind, it.text.as_str(), it.line)).collect();
    assert_eq!(
        kinds,
        [
            (FragmentKind::Paragraph, "a", 1),
            (FragmentKind::ListItem, "b", 3),
            (FragmentKind::Paragraph, "c", 5),
            (FragmentKind::Quote, "d", 7),
            (FragmentKind::Code, "e", 9),
            (FragmentKind::TableHead, "f", 13),
            (FragmentKind::TableRow, "g", 15),
            (FragmentKind::Html, "<div>h</div>", 17),
            (FragmentKind::Rule, "---", 19),
            (FragmentKind::Footnote, "i", 21),
            (FragmentKind::Other, "j", 23),
        ]
    );
}
