//! Findings whose place is not the citation, as that of a quote that is gone, and citations that share a place or a text:
//! merges, counts, `accept` and the editor all take a finding for that of the one citation that it is about.

use serde_json::Value;

use crate::editor::Editor;
use crate::support::Repo;

const MANUAL: &str = "# Oven

## Door

The valve opens at 30 bar. A spring closes it as soon as the pressure is below the limit, and no power is needed for that.

## Lamp

The lamp is white.

### Bulb

The bulb takes 5 W.
";
const QUOTED: &str = "cases:\n  - id: T\n    cites:\n      - {section: door, quote: opens at 30 bar}\n      - lamp\n";

fn repo(cases: &str) -> Repo {
    let repo = Repo::new();
    repo.write("docs/oven.md", MANUAL);
    repo.write("cases.yaml", cases);
    repo.commit("Add manual and cases");
    repo
}

fn edit(repo: &Repo, before: &str, after: &str) {
    let text = repo.read("docs/oven.md");
    assert!(text.contains(before));
    repo.write("docs/oven.md", text.replace(before, after));
}

fn fresh(json: &Value) -> (&Value, &Value) {
    (&json["summary"]["citations"], &json["summary"]["fresh"])
}

#[test]
fn a_merge_takes_a_quote_that_is_gone_for_settled_where_a_side_has_settled_it() {
    let repo = repo(QUOTED);
    repo.git(["checkout", "--quiet", "-b", "topic"]);
    repo.write("notes.txt", "x");
    repo.commit("Add notes");
    repo.git(["checkout", "--quiet", "main"]);
    edit(&repo, "30 bar", "40 bar");
    repo.commit("Raise the pressure");
    repo.git(["merge", "--quiet", "--no-commit", "topic"]);
    let out = repo.citecheck(["hook", "run", "pre-merge-commit"]);
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
}

#[test]
fn a_citation_with_two_findings_is_one_citation() {
    let repo = repo(
        "cases:\n  - id: T\n    cites:\n      - {section: door, title: Door, quote: opens at 30 bar}\n      - lamp\n",
    );
    edit(&repo, "## Door", "## Hatch");
    edit(&repo, "30 bar", "40 bar");
    repo.commit("Rename and change");
    let json = repo.json(&["check"]);
    assert!(json["findings"].as_array().unwrap().len() > 1, "{json}");
    assert_eq!(fresh(&json), (&2.into(), &1.into()), "{json}");
    repo.write("notes.txt", "x");
    repo.commit("Add notes");
    let out = repo.citecheck(["check", "HEAD~1..HEAD", "--all"]);
    assert!(out.stdout.contains("quote-missing"), "{}", out.stdout);
}

#[test]
fn a_citation_that_two_cases_share_is_one_of_each() {
    let repo = repo("cases:\n  - {id: A, cites: [&d door, lamp]}\n  - {id: B, cites: [*d]}\n");
    edit(&repo, "30 bar", "40 bar");
    repo.commit("Raise the pressure");
    let json = repo.json(&["check"]);
    assert_eq!(fresh(&json), (&3.into(), &1.into()), "{json}");
}

#[test]
fn one_of_two_citations_of_a_section_is_accepted() {
    let cases = "cases:\n  - id: T\n    cites:\n      - {section: lamp, scope: own}\n      - lamp\n";
    let edited = || {
        let repo = repo(cases);
        edit(&repo, "5 W", "9 W");
        repo
    };
    let first = edited();
    assert_eq!(first.json(&["check"])["findings"].as_array().unwrap().len(), 1);
    let out = first.citecheck(["accept", "T"]);
    assert!(out.code == 0 && out.stdout.contains("1 citation accepted"), "{}{}", out.stdout, out.stderr);
    let text = first.read("cases.yaml");
    assert!(text.contains("{section: lamp, scope: own}\n") && text.contains("- lamp@c1-"), "{text}");
    // The pins file would have one line for both.
    let second = edited();
    second.write("citecheck.yaml", "pins: file\n");
    let out = second.citecheck(["accept", "T"]);
    assert!(out.code == 2 && out.stderr.contains("has one line for both"), "{}{}", out.stdout, out.stderr);
}

#[test]
fn a_comment_beside_one_of_them_speaks_of_that_one() {
    let cases = |first: &str, second: &str| {
        format!("cases:\n  - id: T\n    cites:\n      - {{section: lamp, scope: own}}{first}\n      - lamp{second}\n")
    };
    let comment = "   # citecheck: ignore[text-changed] another bulb";
    for (text, code) in [(cases("", comment), 0), (cases(comment, ""), 1)] {
        let repo = repo(&cases("", ""));
        edit(&repo, "5 W", "9 W");
        repo.write("cases.yaml", &text);
        let out = repo.citecheck(["check", "--format", "concise"]);
        assert_eq!(out.code, code, "{text}{}", out.stdout);
    }
}

#[test]
fn the_editor_tells_of_a_citation_what_is_told_of_its_quote() {
    let repo = repo(QUOTED);
    edit(&repo, "30 bar", "40 bar");
    repo.commit("Raise the pressure");
    let mut editor = Editor::checked(&repo);
    editor.open("cases.yaml");
    let hover = editor.at("textDocument/hover", "cases.yaml", 3, 20);
    let page = hover["contents"]["value"].as_str().unwrap();
    assert!(page.contains("no longer contains") && !page.contains("fresh"), "{page}");
}

#[test]
fn a_pins_file_of_another_form_loses_no_pin() {
    let repo = repo("cases:\n  - {id: T, cites: [door, lamp]}\n");
    repo.write("citecheck.yaml", "pins: file\n");
    edit(&repo, "30 bar", "40 bar");
    edit(&repo, "white", "red");
    assert_eq!(repo.citecheck(["accept", "T"]).code, 0);
    let lines = repo.read("citecheck.pins.yaml");
    let pins: Vec<&str> = lines.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let row = format!("[{}]\n", pins.join(", "));
    repo.write("citecheck.pins.yaml", &row);
    repo.commit("Write the pins in a row");
    edit(&repo, "## Door", "## Hatch");
    let out = repo.citecheck(["fix"]);
    assert!(out.code == 2 && out.stderr.contains("one pin a line"), "{}{}", out.stdout, out.stderr);
    assert_eq!(repo.read("citecheck.pins.yaml"), row);
}
