//! Suppressions: a comment takes away the finding that it names, where it stands, and nothing hides behind it.

use crate::support::Repo;

const MANUAL: &str =
    "# Pump\n\n## Limits\n\nThe pump shall stop within 30 s.\n\n## Notes\n\nKeep the pump dry in transport.\n";

/// The findings as `rule case`, and how many are suppressed, after the limit changed.
#[track_caller]
fn check(cases: &str, expected: &[&str], suppressed: u64) {
    let repo = Repo::new();
    repo.write("docs/pump.md", MANUAL);
    repo.write("cases.yaml", cases);
    repo.commit("Add manual and cases");
    repo.write("docs/pump.md", MANUAL.replace("30 s", "300 s"));
    let report = repo.json(&["check"]);
    let told: Vec<String> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| format!("{} {}", it["rule"].as_str().unwrap(), it["case"]["id"].as_str().unwrap_or("-")))
        .collect();
    assert_eq!(told, expected, "{cases}");
    assert_eq!(report["summary"]["suppressed"], suppressed, "{cases}");
}

const IGNORE: &str = "# citecheck: ignore[text-changed] only the example";

#[test]
fn a_comment_speaks_for_its_line_or_the_next() {
    check("- id: T\n  cites: [limits, notes]\n", &["text-changed T"], 0);
    check(&format!("- id: T\n  cites: [limits, notes] {IGNORE}\n"), &[], 1);
    check(&format!("- id: T\n  cites:\n    {IGNORE}\n    # and more\n\n    - limits\n    - notes\n"), &[], 1);
    check(&format!("{IGNORE}\n- id: T\n  cites:\n    - limits\n"), &[], 1);
    check(&format!("-\n  title: x\n  id: T {IGNORE}\n  cites:\n    - limits\n"), &[], 1);
    check(&format!("- {{id: T, cites: &l limits}} {IGNORE}\n- {{id: U, cites: *l}} {IGNORE}\n"), &[], 2);
    check(
        &format!("- id: T\n  cites:\n    - notes {IGNORE}\n    - limits\n"),
        &["unused-suppression -", "text-changed T"],
        0,
    );
}

#[test]
fn a_comment_without_a_finding_or_a_reason_is_told() {
    check(
        "- id: T # citecheck: ignore[text-changed]\n  cites: limits\n",
        &["invalid-suppression -", "text-changed T"],
        0,
    );
    check(
        "- id: T # citecheck: ignore[txt-changed] x\n  cites: limits\n",
        &["invalid-suppression -", "text-changed T"],
        0,
    );
    check(
        "- id: T # citecheck: ignore[text-reworded] x\n  cites: limits\n",
        &["unused-suppression -", "text-changed T"],
        0,
    );
    check(
        "- id: T # citecheck: ignore[text-changed, text-reworded] x\n  cites: limits\n",
        &["unused-suppression -"],
        1,
    );
}

#[test]
fn a_suppressed_finding_fails_nothing_and_is_counted() {
    let repo = Repo::with_manual(MANUAL, "limits");
    repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    repo.commit("Raise the limit");
    assert_eq!(repo.citecheck(["check", "HEAD~1..HEAD"]).code, 1);
    let cases = repo.read("cases.yaml");
    repo.write("cases.yaml", cases.replace("cites: [limits]", &format!("cites: [limits] {IGNORE}")));
    repo.commit("Suppress it");
    let out = repo.citecheck(["check", "HEAD~2..HEAD", "--fail-on", "warning"]);
    assert_eq!(out.code, 0, "{}", out.stdout);
    assert!(out.stdout.contains("1 finding is suppressed"), "{}", out.stdout);
    // A range that brings a suppression in shows it; a later one does not.
    assert!(out.stdout.contains("new in cases.yaml:3: ignore[text-changed] only the example"), "{}", out.stdout);
    repo.commit("Nothing");
    let out = repo.citecheck(["check", "HEAD~1..HEAD"]);
    assert!(!out.stdout.contains("new in"), "{}", out.stdout);
    // What was stale before a staged change is not looked for, so its suppression is not unused.
    assert_eq!(repo.citecheck(["check", "--staged", "--fail-on", "warning"]).code, 0);
}

#[test]
fn a_range_calls_no_suppression_unused_that_the_history_needs() {
    let check = |rules: &str, place: [&str; 2]| {
        let repo = Repo::with_manual(MANUAL, "limits");
        repo.write("citecheck.yaml", rules);
        repo.commit("Configure");
        let [from, to] = place;
        repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
        repo.write("cases.yaml", repo.read("cases.yaml").replace(from, to));
        repo.commit("Raise the limit");
        repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s").replace("The pump", "This pump"));
        repo.commit("Reword");
        for arguments in [&["check"][..], &["check", "HEAD~1..HEAD"], &["check", "HEAD~2..HEAD"]] {
            let out = repo.citecheck(arguments.iter().chain(&["--format", "concise"]));
            assert!(!out.stdout.contains("unused-suppression"), "{arguments:?}: {}", out.stdout);
        }
        // Where the range puts nothing out of date, the whole history was asked.
        repo.write("docs/manual.md", MANUAL);
        repo.commit("Take it back");
        repo.write("other.md", "# Other\n");
        repo.commit("Add another file");
        let out = repo.citecheck(["check", "HEAD~1..HEAD"]);
        assert!(out.stdout.contains("unused-suppression"), "{}", out.stdout);
    };
    let line = format!("cites: [limits] {IGNORE}");
    check("", ["cites: [limits]", &line]);
    check("rules: { text-reworded: off }", ["cites: [limits]", &line]);
}

#[test]
fn a_shallow_clone_calls_no_suppression_unused() {
    let repo = Repo::with_manual(MANUAL, "limits");
    repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    repo.write("cases.yaml", repo.read("cases.yaml").replace("cites: [limits]", &format!("cites: [limits] {IGNORE}")));
    repo.commit("Raise the limit");
    repo.make_shallow();
    let out = repo.citecheck(["check", "--format", "concise"]);
    let told = (out.stdout.contains("history-missing"), out.stdout.contains("unused-suppression"));
    assert_eq!(told, (true, false), "{}", out.stdout);
}

#[test]
fn a_case_that_has_nothing_to_cite_says_why() {
    let repo = Repo::new();
    repo.write("docs/pump.md", MANUAL);
    repo.write(
        "cases.yaml",
        "- id: T\n  cites: limits\n- id: SMOKE # citecheck: ignore[no-citations] starts it\n  cites: []\n",
    );
    let out = repo.citecheck(["check", "--warn", "no-citations"]);
    assert_eq!((out.code, out.stdout.contains("1 finding is suppressed")), (0, true), "{}", out.stdout);
    repo.write("cases.yaml", "- id: T # citecheck: ignore[uncovered-section] later\n  cites: limits\n");
    let told = repo.citecheck(["check"]).stdout;
    assert!(told.contains("findings of `uncovered-section` can't be suppressed"), "{told}");
}
