//! What holds for any manual: made-up ones are compared through `citecheck diff --all`, with the tree that they were
//! made from as the truth.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::Config;
use serde_json::Value;

use crate::support::Repo;

/// A made-up section: level, title, paragraphs as words.
#[derive(Clone, Debug)]
struct Part {
    level: usize,
    title: &'static str,
    paragraphs: Vec<Vec<&'static str>>,
}

const TITLES: &[&str] = &[
    "Limits",
    "Rationale",
    "Alarms",
    "5.2 Setting up",
    "Shut-down",
    "Überdruck",
    "Notes",
    "A. Codes",
    "The `start` command",
];
const WORDS: &[&str] = &[
    "the",
    "pump",
    "shall",
    "not",
    "stop",
    "within",
    "30",
    "s",
    "at",
    "least",
    "pressure",
    "of",
    "line",
    "valve",
    "may",
    "*open*",
    "`reset`",
    "unless",
    "5 kPa",
    "sensor",
    "[manual](other.md)",
    "Druck",
    "every",
    "heater",
    "door",
    "closed",
];

/// Pieces that mean something to the parsers, in orders that nobody writes.
const MARKDOWN: &[&[u8]] = &[
    b"# ",
    b"## a\n",
    b"\n",
    b"\n\n",
    b"```",
    b"> ",
    b"- ",
    b"1. ",
    b"|",
    b"|-|\n",
    b"<a id=\"x\">",
    b"[x](",
    b"{#id}",
    b"***",
    b"---\n",
    b"\t",
    b"\r",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"[^1]",
    b"~~",
    b"\\",
    b"&amp;",
    b"<!--",
    "\u{e9}\u{202e}".as_bytes(),
];
const YAML: &[&[u8]] = &[
    b"cites: ",
    b"id: ",
    b"- ",
    b"\n",
    b"  ",
    b"&a ",
    b"*a",
    b"<<: ",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"'",
    b"|\n",
    b">-\n",
    b"? ",
    b": ",
    b"!x ",
    b"#",
    b"---\n",
    b"...\n",
    b"%YAML 1.2\n",
    b"\xff",
    b"\t",
    b"\r\n",
    b"\0",
    b"a/b@c1-0123456789abcdef",
    b"\xef\xbb\xbf",
];

fn soup(pieces: &'static [&'static [u8]]) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}

fn part() -> impl Strategy<Value = Part> {
    let paragraph = prop::collection::vec(select(WORDS), 1..24);
    (1..=4_usize, select(TITLES), prop::collection::vec(paragraph, 0..3)).prop_map(|(level, title, paragraphs)| Part {
        level,
        title,
        paragraphs,
    })
}

/// A manual, and one that came of it by leaving out, swapping, doubling and rewording parts.
fn revisions() -> impl Strategy<Value = (Vec<Part>, Vec<Part>)> {
    let changes = prop::collection::vec((0..5_u8, any::<prop::sample::Index>(), part()), 0..5);
    (prop::collection::vec(part(), 1..12), changes).prop_map(|(before, changes)| {
        let mut after = before.clone();
        for (change, at, part) in changes {
            if after.is_empty() {
                break;
            }
            let at = at.index(after.len());
            match change {
                0 => drop(after.remove(at)),
                1 => after.insert(at, part),
                2 => after.swap(0, at),
                3 => after[at].paragraphs = part.paragraphs,
                _ => after[at].title = part.title,
            }
        }
        (before, after)
    })
}

/// The text, lines filled up to a width, and the line of each heading.
fn write(parts: &[Part], width: usize) -> (String, BTreeSet<u64>) {
    let (mut lines, mut headings) = (Vec::new(), BTreeSet::new());
    for part in parts {
        headings.insert(lines.len() as u64 + 1);
        lines.extend([format!("{} {}", "#".repeat(part.level), part.title), String::new()]);
        for paragraph in &part.paragraphs {
            // The mark keeps a line from being taken for a list item or a heading.
            let mut line = "So".to_owned();
            for word in paragraph {
                if line.len() + word.len() >= width && !word.starts_with(|first: char| first.is_ascii_digit()) {
                    lines.push(std::mem::take(&mut line));
                }
                line.push_str(if line.is_empty() { "" } else { " " });
                line.push_str(word);
            }
            lines.extend([line, String::new()]);
        }
    }
    (lines.join("\n"), headings)
}

fn diff(before: &str, after: &str, arguments: &[&str]) -> Value {
    let repo = Repo::new();
    repo.write("manual.md", before);
    repo.write("other.md", "# Other\n\nNothing changes here.\n");
    repo.commit("before");
    repo.write("manual.md", after);
    repo.commit("after");
    repo.json(&[&["diff", "HEAD~1..HEAD"], arguments].concat())
}

fn entries(report: &Value) -> &[Value] {
    report["sections"].as_array().unwrap()
}

/// How often each heading of the manual stands on one side of the outcomes, by line.
fn seen(report: &Value, one: &str, several: &str) -> BTreeMap<u64, usize> {
    let mut seen = BTreeMap::new();
    for entry in entries(report) {
        let places = std::iter::once(&entry[one]).chain(entry[several].as_array().unwrap());
        let lines: BTreeSet<u64> = places
            .filter(|place| place["file"] == "manual.md" && place["id"] != "")
            .map(|place| place["line"].as_u64().unwrap())
            .collect();
        for line in lines {
            *seen.entry(line).or_default() += 1;
        }
    }
    seen
}

fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, ..Config::default() }
}

proptest! {
    #![proptest_config(config(32))]

    #[test]
    fn every_section_is_in_exactly_one_outcome((before, after) in revisions()) {
        let ((before, headings_before), (after, headings_after)) = (write(&before, 72), write(&after, 72));
        let report = diff(&before, &after, &["--all"]);
        let once = |headings: BTreeSet<u64>| headings.into_iter().map(|line| (line, 1)).collect::<BTreeMap<_, _>>();
        prop_assert_eq!(seen(&report, "before", "from"), once(headings_before), "before: {:#}", report);
        prop_assert_eq!(seen(&report, "after", "into"), once(headings_after), "after: {:#}", report);
    }

    #[test]
    fn a_text_does_not_differ_from_itself((before, _) in revisions()) {
        let (text, headings) = write(&before, 72);
        prop_assert_eq!(entries(&diff(&text, &text, &[])).len(), 0);
        let all = diff(&text, &text, &["--all"]);
        prop_assert!(entries(&all).iter().all(|entry| entry["kinds"].as_array().unwrap().is_empty()), "{:#}", all);
        prop_assert_eq!(seen(&all, "after", "into").len(), headings.len());
    }

    #[test]
    fn wrapping_lines_elsewhere_is_only_form((before, _) in revisions(), width in 20..200_usize) {
        let report = diff(&write(&before, 72).0, &write(&before, width).0, &[]);
        let form = |entry: &Value| entry["kinds"].as_array().unwrap().is_empty() && entry["magnitude"] == "trivial";
        prop_assert!(entries(&report).iter().all(form), "{:#}", report);
    }

    #[test]
    fn the_summary_adds_up((before, after) in revisions()) {
        let report = diff(&write(&before, 72).0, &write(&after, 72).0, &["--all"]);
        let summary = &report["summary"];
        // What is new has the magnitude of what it states, and is counted as added.
        let compared = |entry: &&Value| !entry["kinds"].as_array().unwrap().contains(&"added".into());
        let with = |magnitude: &str| {
            entries(&report).iter().filter(compared).filter(|entry| entry["magnitude"] == magnitude).count() as u64
        };
        let kind = |name: &str| {
            entries(&report).iter().filter(|entry| entry["kinds"].as_array().unwrap().contains(&name.into())).count() as u64
        };
        prop_assert_eq!(summary["substantive"].as_u64(), Some(with("substantive")), "{:#}", report);
        prop_assert_eq!(summary["minor"].as_u64(), Some(with("minor")), "{:#}", report);
        prop_assert_eq!(summary["added"].as_u64(), Some(kind("added")), "{:#}", report);
        prop_assert_eq!(summary["removed"].as_u64(), Some(kind("removed")), "{:#}", report);
    }

    #[test]
    fn no_bytes_make_it_fall_over(manual in soup(MARKDOWN), changed in soup(MARKDOWN), cases in soup(YAML)) {
        let repo = Repo::new();
        repo.write("manual.md", &manual);
        repo.write("cases.yaml", [b"cases:\n- id: a\n  cites: [a, x, manual.md]\n", cases.as_slice()].concat());
        repo.commit("before");
        repo.write("manual.md", &changed);
        repo.commit("after");
        for arguments in [&["check", "HEAD~1..HEAD"][..], &["check", "HEAD~1..HEAD", "--format", "json"], &["diff", "HEAD~1..HEAD"], &["sections"]] {
            let out = repo.citecheck(arguments);
            prop_assert!([0, 1, 3].contains(&out.code) && !out.stderr.contains("panicked"), "{:?}: {:?}", arguments, out);
        }
    }
}
