//! Markdown text to a [`Document`]: what is cut off before the Markdown starts, and what happens when the parser fails.
//! The walk over the text is in `blocks.rs`, the naming of sections in `ids.rs`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::outline::{Draft, Outline};
use super::{Document, Fragment, FragmentKind, Options, Problem, blocks, ids, slips};
use crate::source::{Parsed, RepoPath, SourceId, Span};

/// A file with more lines is not parsed: each may be a block, and what is kept of a block is much more than a line.
const MOST_LINES: usize = 500_000;

/// Reads one manual file. What cannot be understood is in the problems; the text is never lost.
pub(crate) fn parse(source: SourceId, path: &RepoPath, text: &str, options: &Options) -> Parsed<Document, Problem> {
    let body = body_start(text);
    let lines = Lines::of(text);
    let read = || blocks::read(source, text, body, options);
    let mut problems = Vec::new();
    let drafts = match lines.starts.len() > MOST_LINES || u32::try_from(text.len()).is_err() {
        true => Err("this file is too long to be parsed: it has more than 500,000 lines"),
        false => catch_unwind(AssertUnwindSafe(read)).map_err(|_| "the Markdown of this file can't be parsed"),
    };
    let drafts = drafts.unwrap_or_else(|why| {
        problems.push(Problem::Unreadable { span: Span::new(source, body, text.len()), why });
        unread(source, text, body)
    });
    let drafts = if text[body..].trim().is_empty() { Vec::new() } else { drafts };
    let (sections, named) = ids::name(drafts, source, &lines, text.len());
    problems.extend(named);
    problems.extend(slips::find(source, text, &sections));
    Parsed { value: Document { source, path: path.clone(), sections }, problems }
}

/// Where lines start.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
        let ends = ends.filter(|at| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        Self { starts: ends.map(|at| at + 1).collect() }
    }

    /// The line of an offset, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at) + 1
    }
}

/// Where the Markdown starts: after a byte order mark and front matter, in YAML or in TOML as Hugo and Zola have it. A
/// text that starts with a thematic break and a blank line has no front matter: what stands before its next break must
/// not be lost.
fn body_start(text: &str) -> usize {
    let mark = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lines = text[mark..].split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let ends: &[&str] = match first.trim_end() {
        "---" => &["---", "..."],
        "+++" => &["+++"],
        _ => return mark,
    };
    let mut at = mark + first.len();
    let is_matter = match first.trim_end() {
        "+++" => opens_toml(&text[at..]),
        _ => text[at..].lines().next().is_some_and(|line| !line.trim().is_empty()),
    };
    if !is_matter {
        return mark;
    }
    for line in lines {
        at += line.len();
        if ends.contains(&line.trim_end()) {
            return at;
        }
    }
    mark
}

/// Whether a text starts with what TOML has: a table or a key with a value, behind comments.
fn opens_toml(text: &str) -> bool {
    let said = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    said.is_some_and(|line| {
        let key = line.split_once('=').map(|(key, _)| key.trim());
        line.starts_with('[') || key.is_some_and(|key| !key.is_empty() && !key.contains(char::is_whitespace))
    })
}

/// The whole text as one fragment, for when the parser gave up.
fn unread(source: SourceId, text: &str, body: usize) -> Vec<Draft> {
    let mut outline = Outline::new(body);
    outline.add(Fragment {
        kind: FragmentKind::Other,
        context: String::new(),
        text: text[body..].to_string(),
        inlines: Vec::new(),
        strong: Vec::new(),
        span: Span::new(source, body, text.len()),
        line: 0,
        map: vec![(0, u32::try_from(body).unwrap_or(u32::MAX))],
    });
    outline.finish()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::manual::Section;
    use crate::source::{Rev, Sources};

    pub(crate) fn document(text: &str, patterns: &[&str]) -> Parsed<Document, Problem> {
        let path = RepoPath::new("m.md");
        let source = Sources::default().add(Rev::Worktree, path.clone(), text);
        let id_patterns = patterns.iter().map(|pattern| regex::Regex::new(pattern).unwrap()).collect();
        parse(source, &path, text, &Options { id_patterns, numbered_paragraphs: false })
    }

    /// A line for each section (`line level id`) and, indented, for each fragment (context and text).
    fn check(text: &str, patterns: &[&str], expected: &[&str]) {
        let document = document(text, patterns).value;
        let mut shown = Vec::new();
        for Section { line, level, id, fragments, .. } in &document.sections {
            shown.push(format!("{line} {level} {}", id.0));
            shown.extend(fragments.iter().map(|it| format!("  {}{}", it.context, it.text)));
        }
        assert_eq!(shown, expected, "{text:?}");
    }

    #[test]
    fn a_table_of_contents_says_nothing_by_itself() {
        let check = |body: &str, expected: bool| {
            let document = document(&format!("# A\n\n{body}\n"), &[]).value;
            assert_eq!(document.sections[0].says_something(), expected, "{body}");
        };
        check("", false);
        check("<!-- later -->", false);
        check("---", false);
        check("- [Limits](#limits)\n\n---", false);
        check("Text.", true);
        check("- [Limits](#limits)\n  - [`Tone`](b.md#tone)\n- [*C* and d](c.md).", false);
        check("1. [Limits](#limits)", false);
        check("- [Limits](#limits)\n\nText.", true);
        check("- [Limits](#limits): at most 5", true);
        check("- See [Limits](#limits)", true);
        check("- [Published](https://example.org/limits)", true);
        check("[Limits](#limits)", true);
        check("- Limits", true);
    }

    #[test]
    fn sections_hold_all_of_the_text() {
        check("", &[], &[]);
        check("a\n", &[], &["1 0 ", "  a"]);
        check("# A\n", &[], &["1 1 a"]);
        check(
            "x\n# A\ny\n## B\nz\n#### C\n# D",
            &[],
            &["1 0 ", "  x", "2 1 a", "  y", "4 2 a/b", "  z", "6 4 a/b/c", "7 1 d"],
        );
        check("T\n=\n- a\n  1. b\n\n     c\n- # h\n", &[], &["1 1 t", "  - a", "    1. b", "      c", "  - # h"]);
        check("> [!NOTE]\n> a\n>\n> b\n", &[], &["1 0 ", "  > [!NOTE]", "  > a", "  > b"]);
        check("| a | b |\n|---|--:|\n| c | d | e |\n| f |\n", &[], &["1 0 ", "  a | b", "  c | d | e", "  f |"]);
        check("a[^1]\n\n[^1]: b\n\n    c\n", &[], &["1 0 ", "  a[^1]", "  [^1]: b", "    c"]);
        check(
            "```x\na  \n\n b\n```\n***\n<!-- c -->\n<div>x <!-- y -->\nz</div>\n",
            &[],
            &["1 0 ", "  a\n\n b", "  ---", "  <div>x z</div>"],
        );
    }

    #[test]
    fn id_patterns_open_clauses() {
        let rule = &[r"^r\[(?P<id>[^\]]+)\]$"];
        check(
            "# A\nr[a.b]\ntext\nmore\n\nlast\n\nr[a.c]\n\nx\n",
            rule,
            &["1 1 a", "2 2 a.b", "  text more", "  last", "8 2 a.c", "  x"],
        );
        check("r[a]\n# A\nx\n\nr[b]\n\n## B\ny\n\nr[c]\nC\n-\n", rule, &["2 1 a", "  x", "7 2 b", "  y", "11 2 c"]);
        let bold = &[r"^\*\*(?P<id>REQ-\d+)\*\*"];
        check("# A\n**REQ-1**: The pump\nstops.\n", bold, &["1 1 a", "2 2 REQ-1", "  The pump stops."]);
        let item = &[r"^(?P<id>\d+[a-z]\d*)\)"];
        check(
            "# A\nx\n- 4a) foo\n  - 4a1) bar\n    - sub\n  - 4a2) baz\n- 4b) qux\n\ny\n",
            item,
            &[
                "1 1 a", "  x", "  y", "3 2 4a", "  foo", "4 3 4a1", "  bar", "  - sub", "6 3 4a2", "  baz", "7 2 4b",
                "  qux",
            ],
        );
    }

    #[test]
    fn numbered_paragraphs_open_sections() {
        let check = |text: &str, expected: &[&str]| {
            let path = RepoPath::new("m.md");
            let source = Sources::default().add(Rev::Worktree, path.clone(), text);
            let options = Options { id_patterns: Vec::new(), numbered_paragraphs: true };
            let document = parse(source, &path, text, &options).value;
            let mut shown = Vec::new();
            for Section { line, level, id, number, fragments, .. } in &document.sections {
                shown.push(format!("{line} {level} {} {}", id.0, number.as_deref().unwrap_or_default()));
                shown.extend(fragments.iter().map(|it| format!("  {}{}", it.context, it.text)));
            }
            assert_eq!(shown, expected, "{text:?}");
        };
        check(
            "x\n\n1. Scope\n\n1.1 The pump stops.\n\n1. a\n2. b\n\n1.1.1 Deep title\n\ny\n\n2. Limits\n",
            &[
                "1 0  ",
                "  x",
                "3 1 scope 1",
                "5 2 scope/1.1 1.1",
                "  The pump stops.",
                "  1. a",
                "  2. b",
                "10 3 scope/1.1/deep-title 1.1.1",
                "  y",
                "14 1 limits 2",
            ],
        );
        check("1. A b.\n\n   c\n2. D e.\n", &["1 1 1 1", "  A b.", "  c", "4 1 2 2", "  D e."]);
        check("**5.1 Title**\n\nx\n\n§ 4\nThe pump.\n", &["1 1 title 5.1", "  x", "5 2 title/§-4 § 4", "  The pump."]);
        check("# H\n\n1.1 The pump\n", &["1 1 h ", "  1.1 The pump"]);
    }

    #[test]
    fn a_text_that_cannot_be_read_is_kept() {
        let source = Sources::default().add(Rev::Worktree, RepoPath::new("m.md"), "x");
        let drafts = unread(source, "---\na: 1\n---\n# x\n", 13);
        let [preamble] = &drafts[..] else { panic!("one section") };
        assert_eq!((preamble.level, preamble.fragments[0].text.as_str()), (0, "# x\n"));
    }

    #[test]
    fn front_matter_is_no_text() {
        let check = |text: &str, expected: usize| assert_eq!(body_start(text), expected, "{text:?}");
        check("---\na: 1\n---\nx", 13);
        check("\u{feff}---\r\na: 1\r\n...\r\nx", 19);
        check("---\nnever ends\n", 0);
        check(" ---\na\n---\n", 0);
        check("----\na\n---\n", 0);
        check("\u{feff}x", 3);
        check("---", 0);
        check("---\n---", 7);
        check("---\n\n# A\n\n---\nx", 0);
        check("+++\na = 1\n# b\n+++\nx", 18);
        check("+++\na = 1\n---\nx", 0);
        check("+++\n\n# b\n\n[a]\nb = 1\n+++\nx", 24);
        check("+++\n# Limits\n\nOpens at 5 bar.\n\n+++\nx", 0);
        check("---\na: 1\n+++\nx", 0);
    }
}
