//! What went wrong in other tools, after public reports of their users, as the smallest input: a manual before and after,
//! and what is told of the cases that cite it. Every comment says what the tool did.

use serde_json::Value;

use crate::support::Repo;

/// A sentence that is long enough to be known again.
const WAIT: &str = "The client waits 30 seconds before it tries again, and tells the operator of the plant.";

/// The findings of the second of two commits, as `rule: message`.
#[track_caller]
fn check(cites: &str, before: &str, after: &str, expected: &[&str]) {
    let repo = Repo::with_manual(before, cites);
    repo.write("docs/manual.md", after);
    repo.commit("Edit the manual");
    assert_eq!(told(&repo, &["check", "HEAD~1..HEAD"]), expected, "{before:?} → {after:?}");
}

fn told(repo: &Repo, arguments: &[&str]) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = repo.json(arguments)["findings"].clone();
    let line = |finding: &Value| format!("{}: {}", text(&finding["rule"]), text(&finding["message"]));
    findings.as_array().unwrap().iter().map(line).collect()
}

/// A section that is cited as `retry.wait`.
fn retry(text: &str) -> String {
    format!("# Manual\n\n## 3.2 Retry policy {{#retry.wait}}\n\n{text}\n")
}

#[track_caller]
fn edit(before: &str, after: &str, expected: &[&str]) {
    check("retry.wait", &retry(before), &retry(after), expected);
}

const REWORDED: &str = "text-reworded: the text of `3.2 Retry policy` was reworded";

#[test]
fn form_is_no_change() {
    // Quotes that differed in white space only no longer matched; a final newline was a change; so were line ends.
    edit("The client waits 30 seconds.", "The client\nwaits\u{a0}30\n  seconds.  ", &[]);
    check("retry.wait", &retry(WAIT), retry(WAIT).trim_end(), &[]);
    check("retry.wait", &retry(WAIT), &retry(WAIT).replace('\n', "\r\n"), &[]);
    edit("- a one\n  - b two\n  - c three", "- a one\n    - b two\n    - c three", &[]);
    // The other side of it: other nesting reads otherwise.
    edit("- a one\n  - b two\n  - c three", "- a one\n- b two\n  - c three", &[REWORDED]);
}

#[test]
fn one_word_in_a_paragraph_that_was_wrapped_again_is_found() {
    let told = "text-changed: the text of `3.2 Retry policy` changed in substance: modality `may` is now `must`";
    edit(
        "The operator may open the valve\nafter the alarm has been shown,\nand writes it down.",
        "The operator must open the valve after\nthe alarm has been shown, and writes it down.",
        &[told],
    );
}

#[test]
fn a_range_that_ends_where_it_began_impacts_nobody() {
    // A newer commit touched the file, that was enough.
    let repo = Repo::with_manual(&retry(WAIT), "retry.wait");
    repo.write("docs/manual.md", retry(WAIT).replace("30", "45"));
    repo.commit("Raise it");
    repo.write("docs/manual.md", retry(WAIT));
    repo.commit("Take it back");
    assert!(told(&repo, &["check", "HEAD~2..HEAD"]).is_empty());
    assert!(told(&repo, &["check"]).is_empty());
}

#[test]
fn small_edits_that_mean_something_are_substantive() {
    // A tolerance of one letter hid digits; without `not` there was no finding.
    let text = |word: &str| format!("The client of the system is bound by {word} in every mode of operation.");
    let substance = |before: &str, after: &str, signal: &str| {
        let told = format!("text-changed: the text of `3.2 Retry policy` changed in substance: {signal}");
        edit(&text(before), &text(after), &[&told]);
    };
    substance("30 s", "31 s", "number `30` is now `31`");
    substance("1.0 bar", "1,0 bar", "number `1.0` is now `1,0`");
    substance("10 ms", "10 s", "unit `ms` is now `s`");
    substance("-1 V", "1 V", "number `-1` is now `1`");
    substance("≤ 5", "< 5", "comparator `≤` is now `<`");
    substance("must not retry", "must retry", "modality `must not` is now `must`");
    substance("cannot", "can", "modality `cannot` is now `can`");
    substance("unless", "if", "condition `unless` is now `if`");
    edit("They recieve a telegram from the pump.", "They receive a telegram from the pump.", &[REWORDED]);
    edit("The client must wait for an answer.", "The client MUST wait for an answer.", &[REWORDED]);
}

#[test]
fn another_id_takes_the_citation_along_and_hides_no_edit() {
    // A renamed id left every citation dangling; one renamed and edited at once passed as an addition.
    let renamed = |text: &str| retry(text).replace("retry.wait", "retry.delay");
    let moved = "section-moved: `3.2 Retry policy` is now at `docs/manual.md` line 3";
    let edited = "text-changed: the text of `3.2 Retry policy` changed in substance: number `30` is now `45`";
    check("retry.wait", &retry(WAIT), &renamed(WAIT), &[moved]);
    check("retry.wait", &retry(WAIT), &renamed(&WAIT.replace("30", "45")), &[moved, edited]);
    let copy = format!("{}\n## Delay {{#delay}}\n\n{}\n", retry(WAIT), WAIT.replace("30", "45"));
    check("retry.wait", &retry(WAIT), &copy, &[]);
}

#[test]
fn numbers_that_name_another_text_are_found() {
    // A section was split, and the numbers after it named other texts.
    let (hash, end, scan) = (
        "Passwords are hashed with a slow function and a salt of sixteen bytes, and again after a while.",
        "Sessions end after thirty minutes without any action. The user is told before that happens.",
        "Uploads are scanned for malware before anybody opens them, and the result is kept for long.",
    );
    let before = format!("# V\n\n### 7.3 Storage\n\n{hash}\n\n{end}\n\n### 7.4 Uploads\n\n{scan}\n");
    let after = format!("# V\n\n### 7.3 Hashes\n\n{hash}\n\n### 7.4 Ends\n\n{end}\n\n### 7.5 Uploads\n\n{scan}\n");
    let split = "section-split: `7.3 Storage` was split into 2 sections";
    let moved = "section-moved: `7.4` now leads to `7.4 Ends`, not to `7.4 Uploads`";
    check("7.3, 7.4", &before, &after, &[split, moved]);
    // Two branches that each add `5.1` merge without a conflict.
    let twice = "# M\n\n## 5 All\n\n### 5.1 Foo\n\nFoo.\n\n## 6 End\n\n### 5.1 Bar\n\nBar.\n";
    check("§5.1", "# M\n\n## 5 All\n", twice, &["ambiguous-citation: `§5.1` may mean 2 sections"]);
    // Most wrong citations of two specifications named a real section, about something else.
    let size = "# P\n\n### 3.3.4 Negotiate\n\nAsk first.\n\n### 3.3.5 Read size\n\nAt most 64 kB.\n";
    let mismatch = "section-mismatch: `3.3.5` leads to `3.3.5 Read size`, not to `Negotiate`";
    check("{section: 3.3.5, title: Negotiate}", size, size, &[mismatch]);
}

#[test]
fn a_chapter_at_the_front_is_three_hundred_remaps_and_no_edit() {
    let chapter = |number: usize, of: usize| {
        format!(
            "## {number}. Topic {of}\n\nThe rule of topic {of} is that part {} holds in place under load.\n\n",
            of * 7
        )
    };
    let before: String = (1..=300).map(|at| chapter(at, at)).collect();
    let after: String = (1..=300).map(|at| chapter(at + 1, at)).collect();
    let cites: Vec<String> = (1..=300).map(|at| format!("§{at}")).collect();
    let repo = Repo::with_manual(&format!("# M\n\n{before}"), &cites.join(", "));
    repo.write("docs/manual.md", format!("# M\n\n## 1. Preface\n\nA new chapter comes first.\n\n{after}"));
    repo.commit("Insert a chapter");
    let told = told(&repo, &["check", "HEAD~1..HEAD"]);
    assert_eq!(told.iter().filter(|line| line.starts_with("section-moved: ")).count(), 300, "{told:?}");
    assert_eq!(told.len(), 300, "{told:?}");
}

#[test]
fn what_is_alike_by_chance_is_not_paired() {
    // Boilerplate was taken for a move; headings were paired because they share a letter.
    let part = |name: &str| format!("## Part {name}\n\nSee the general conditions.\n\n");
    let before = format!("# M\n\n{}{}{}", part("A"), part("B"), part("C"));
    let after = format!("# M\n\n{}{}## Zulu\n\nSee the general conditions.\n", part("A"), part("C"));
    check("part-b", &before, &after, &["section-removed: `Part B` was removed from `docs/manual.md`"]);
    let before = "# M\n\n## A\n\nThe first valve opens at four bar and stays open.\n";
    let after = "# M\n\n## Appendix\n\nPeople who helped are listed in this place by name.\n";
    check("m/a", before, after, &["section-removed: `A` was removed from `docs/manual.md`"]);
    // The same sentence under two headings: the edit belongs to one.
    let twice = |second: &str| format!("# M\n\n## One\n\n{WAIT}\n\n## Two\n\n{second}\n");
    let told = "text-changed: the text of `Two` changed in substance: number `30` is now `45`";
    check("one, two", &twice(WAIT), &twice(&WAIT.replace("30", "45")), &[told]);
}

#[test]
fn children_of_a_removed_parent_live_on() {
    let kids =
        |level: &str| format!("{level} Kid one\n\nThe first is of its own kind.\n\n{level} Kid two\n\nAnother one.\n");
    let before = format!("# M\n\n## Parent\n\nThe parent says something, too.\n\n{}", kids("###"));
    let removed = "section-removed: `Parent` was removed from `docs/manual.md`";
    check("parent, kid-one, kid-two", &before, &format!("# M\n\n{}", kids("##")), &[removed]);
}

#[test]
fn what_only_looks_like_a_heading_is_none() {
    // Ids in code, comments and quotes were read as items.
    let manual = "---\ntitle: x\n---\n\n# M\n\n```md\n## F {#fence}\n```\n\n~~~~\n~~~\n## T {#tilde}\n~~~~\n\n    ## I {#indented}\n\n\
        - item\n\n  ```\n  ## L {#list}\n  ```\n\n<!--\n## C {#comment}\n-->\n\nText\n\n---\n\n| a | b |\n|---|---|\n";
    let repo = Repo::with_manual(manual, "m");
    assert_eq!(repo.citecheck(["sections"]).stdout, "m  M  docs/manual.md:5\n");
    let unknown: Vec<String> = ["fence", "tilde", "indented", "list", "comment"]
        .map(|id| format!("unknown-section: no section `{id}` in the manual"))
        .to_vec();
    repo.write("cases.yaml", "cases:\n  - id: TC-1\n    cites: [fence, tilde, indented, list, comment]\n");
    assert_eq!(told(&repo, &["check"]), unknown);
}

#[test]
fn ids_are_compared_by_letter() {
    // Dashes and dots were mixed up; an umlaut was dropped.
    let manual =
        "# M\n\n## Dyn {#type.dyn-compat}\n\nText.\n\n## G {#prüfung.größe}\n\nText.\n\n## K {#検査.一}\n\nText.\n";
    let unknown = "unknown-section: no section `type.dyn.compat` in the manual";
    let decomposed = "pru\u{308}fung.gro\u{308}ße";
    let repo = Repo::with_manual(manual, &format!("type.dyn.compat, {decomposed}, 検査.一"));
    assert_eq!(told(&repo, &["check"]), [unknown]);
}

#[test]
fn an_anchor_that_another_heading_took_over_is_told() {
    let errors = "## Errors\n\nFirst text on errors of the pump.\n\n## Errors 1\n\nAnother text, on its faults.\n";
    let told = "section-moved: `docs/manual.md#errors` now leads to another `Errors`, at `docs/manual.md` line 3, \
        not to the one at `docs/manual.md` line 7";
    let after = format!("# M\n\n## Errors\n\nA wholly different one comes first.\n\n{errors}");
    check("docs/manual.md#errors", &format!("# M\n\n{errors}"), &after, &[told]);
}

#[test]
fn no_file_name_is_skipped() {
    // Quoted paths in the output of git were taken for the names.
    let repo = Repo::new();
    for (name, title) in [("docs/prüfung.md", "A1"), ("docs/a b.md", "B1"), ("docs/n\nl.md", "C1")] {
        repo.write(name, format!("# {title}\n\nText.\n"));
    }
    repo.write("cases.yaml", "- {id: T, cites: [a1, b1, c1, 'docs/a b.md#b1', 'docs/a%20b.md#b1', docs/prüfung.md]}\n");
    repo.commit("Add manual and cases");
    assert_eq!(told(&repo, &["check"]), [""; 0]);
}

#[test]
fn ids_repeat_where_nothing_is_cited() {
    let repo = Repo::with_manual(&retry(WAIT), "retry.wait");
    let one = "- {id: A, cites: []}\n- {id: A, cites: []}\n- {id: B, cites: []}\n- {id: B, cites: [retry.wait]}\n";
    repo.write("more.yaml", one);
    assert_eq!(told(&repo, &["check"]), ["duplicate-case-id: two cases have the id `B`"]);
}
