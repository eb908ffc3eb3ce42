//! What holds of citations however YAML lets their scalar be written: each has a place of its own, and another text can be
//! put there without touching the others.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use regex::Regex;

use super::{CaseFile, Citation, Edit, Problem, Shape, parse, splice};
use crate::source::{Parsed, RepoPath, Rev, Sources};

/// What stands before a scalar, and how deep the collection around it is indented.
type Site = (&'static str, usize);

/// Where any scalar can stand.
const SITES: [Site; 7] = [
    ("- id: a\n  cites: ", 2),
    ("id: a\ncites: &x !!str ", 0),
    ("- id: a\n  cites:\n  - b-9\n  - ", 2),
    ("- - id: a\n    cites:\n      - section: ", 8),
    ("a:\n  cites:\n    # | c\n    ", 2),
    ("--- # >\nid: a\ncites: !x &x\n  ", 0),
    ("id: a\ncites:\n  ? ", 2),
];

/// Where no block scalar can.
const BRACKETS: [Site; 3] = [
    ("- id: a\n  cites: [b-9, ", 2),
    ("- id: a\n  cites: [{section:\n    ", 2),
    ("- {id: a, cites: [\n\n   &x !!str ", 0),
];

/// Lines that cite once, twice, or along with the next line.
const TEXTS: [&str; 9] =
    ["\tR-5", "\u{a0}R-3", "R-1", "R-1, R-2,", "one two", "see [t](a.md#b)", "é-3 , b/c", "漢", "R-1,\u{a0}"];

/// The same where a plain scalar may hold neither commas nor brackets.
const TEXTS_IN_BRACKETS: [&str; 3] = ["R-1", "one two", "é-3\t b/c"];

/// A line of a block scalar.
#[derive(Clone, Debug)]
enum Line {
    /// Nothing but so many spaces, below the indentation.
    Empty(usize),
    /// So much deeper than the indentation, and the blanks at its end. The text may be empty.
    Text(usize, &'static str, &'static str),
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    let end = || select(vec!["", "", " ", "\t"]);
    let text = (0..3_usize, select(&TEXTS[..]), end()).prop_map(|(deeper, text, end)| Line::Text(deeper, text, end));
    let blank = (0..3_usize, end()).prop_map(|(deeper, end)| Line::Text(deeper, "", end));
    let empty = || (0..9_usize).prop_map(Line::Empty);
    let others = vec(prop_oneof![2 => text, 1 => blank, 1 => empty()], 0..5);
    let first = select(&TEXTS[..]).prop_map(|text| Line::Text(0, text, ""));
    (vec(empty(), 0..3), first, others)
        .prop_map(|(empty, first, others)| empty.into_iter().chain([first]).chain(others).collect())
}

/// A block scalar and what stands before it.
fn block() -> impl Strategy<Value = String> {
    let comment = select(vec!["", " ", " # c"]);
    let header = (select(vec!["|", ">"]), select(vec!["", "-", "+"]), any::<bool>(), any::<bool>(), comment);
    (select(&SITES[..]), header, 1..5_usize, 0..3_usize, lines()).prop_map(
        |((before, parent), (style, chomping, indicated, chomping_first, comment), added, first_deeper, lines)| {
            let indicator = if indicated { added.to_string() } else { String::new() };
            let header = if chomping_first { chomping.to_owned() + &indicator } else { indicator + chomping };
            let indentation = parent + added;
            // The first line may be the deepest only where the header tells the indentation.
            let mut more = if indicated { first_deeper } else { 0 };
            let mut out = format!("{before}{style}{header}{comment}");
            for line in lines {
                out.push('\n');
                out += &match line {
                    Line::Empty(spaces) => " ".repeat(spaces.min(indentation)),
                    Line::Text(deeper, text, end) => {
                        format!("{}{text}{end}", " ".repeat(indentation + deeper + std::mem::take(&mut more)))
                    }
                };
            }
            out
        },
    )
}

/// A plain or quoted scalar over several lines, and what stands around it.
fn flow() -> impl Strategy<Value = String> {
    let quote = select(vec!["", "'", "\""]);
    let site = prop_oneof![select(&SITES[..]), select(&BRACKETS[..])];
    let empty_lines = vec(select(vec!["", " ", "      ", " \t"]), 0..3);
    let line_break = (select(vec!["", " ", "\t "]), empty_lines, 1..4_usize, select(vec!["", "\t"]));
    (site, quote, vec((0..10_usize, line_break), 1..5)).prop_map(|((before, parent), quote, lines)| {
        let open =
            before.chars().filter_map(|it| ['[', '{'].contains(&it).then_some(if it == '[' { ']' } else { '}' }));
        let close: String = open.collect::<Vec<_>>().into_iter().rev().collect();
        let mut out = format!("{before}{quote}");
        for (at, (which, (end, empty_lines, deeper, tab))) in lines.into_iter().enumerate() {
            if at > 0 {
                let empty_lines: String = empty_lines.iter().map(|blanks| format!("\n{blanks}")).collect();
                out += &format!("{end}{empty_lines}\n{}{tab}", " ".repeat(parent + deeper));
            }
            out += match (quote, which) {
                ("'", 8..) => "it''s",
                ("\"", 8) => r#"\x52\u002d\\\uDbfF\uDFfd\""#,
                ("\"", 9..) => "R-\\\n         \\\n  \n         1",
                ("", _) if !close.is_empty() => TEXTS_IN_BRACKETS[which % TEXTS_IN_BRACKETS.len()],
                _ => TEXTS[which % TEXTS.len()],
            };
        }
        out + quote + &close
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn citations_are_replaced_one_by_one(
        text in prop_oneof![block(), flow()],
        end in select(vec!["", "\n", "\n\n", "\n   \n", "\n# c\n"]),
        line_break in select(vec!["\n", "\r\n"]),
        pattern in select(vec![None, Some("[^,]+")]),
    ) {
        check(&(text + end).replace('\n', line_break), pattern)?;
    }
}

fn check(text: &str, pattern: Option<&str>) -> Result<(), TestCaseError> {
    let cite_pattern = pattern.map(|pattern| Regex::new(pattern).expect("a regex"));
    let shape = Shape { cite_pattern, ..Shape::default() };
    let before = read(text, &shape);
    prop_assert!(before.problems.is_empty(), "{:?} {:?}", text, before.problems);
    let citations = citations(&before.value);
    let mut from = 0;
    for citation in &citations {
        let (span, scalar) = (citation.span, citation.scalar);
        prop_assert!(from.max(scalar.start) <= span.start && span.end <= scalar.end, "{:?} {:?}", text, citation);
        prop_assert_eq!(letters(&text[span.start..span.end]), letters(&citation.text), "{:?}", text);
        from = span.end;
    }
    for (nth, citation) in citations.iter().enumerate() {
        let mut expected = names(&citations);
        expected[nth] = "new-1";
        let out = splice(text, &[Edit { span: citation.span, text: expected[nth].to_owned() }]);
        let out = out.map_err(|error| TestCaseError::fail(format!("{text:?} {error:?}")))?;
        let after = read(&out, &shape).value;
        prop_assert_eq!(names(&self::citations(&after)), expected, "{:?} {:?}", text, out);
    }
    Ok(())
}

fn read(text: &str, shape: &Shape) -> Parsed<CaseFile, Problem> {
    let source = Sources::default().add(Rev::Worktree, RepoPath::new("cases.yaml"), text);
    parse(source, text, shape)
}

fn citations(file: &CaseFile) -> Vec<&Citation> {
    file.cases.iter().flat_map(|case| &case.citations).collect()
}

fn names<'c>(citations: &[&'c Citation]) -> Vec<&'c str> {
    citations.iter().map(|citation| &*citation.text).collect()
}

/// What a text says but for its blanks and backslashes, whether it is quoted or not.
fn letters(text: &str) -> String {
    let escapes = [("''", "'"), ("\\x52", "R"), ("\\u002d", "-"), ("\\uDbfF\\uDFfd", "\u{10fffd}")];
    let text = escapes.iter().fold(text.to_owned(), |text, (escape, read)| text.replace(escape, read));
    text.chars().filter(|it| !it.is_whitespace() && *it != '\\').collect()
}
