//! `accept`: what a person reviewed is pinned to the text as it is, where the configuration says, and nothing else is.

use crate::support::Repo;

const MANUAL: &str =
    "# Pump\n\n## Limits\n\nThe pump shall stop within 30 s.\n\n## Notes\n\nKeep the pump dry in transport.\n";

/// Two cases whose texts both changed since; the second one cites a section that did not change as well.
fn stale(cases: &str) -> Repo {
    let repo = Repo::new();
    repo.write("docs/pump.md", MANUAL);
    repo.write("cases.yaml", cases);
    repo.commit("Add manual and cases");
    repo.write("docs/pump.md", MANUAL.replace("30 s", "300 s"));
    repo.commit("Raise the limit");
    repo.write("docs/pump.md", MANUAL.replace("30 s", "40 s"));
    repo
}

const CASES: &str = "- {id: T, cites: [limits, notes]}\n- {id: U, cites: limits}\n";

/// The first fingerprint in a text.
fn pin(text: &str) -> String {
    text.split("c1-").nth(1).unwrap_or_else(|| panic!("no pin in {text}")).chars().take(16).collect()
}

#[test]
fn accepted_cases_are_pinned_where_they_cite() {
    let repo = stale(CASES);
    let out = repo.citecheck(["accept", "T"]);
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
    let pin = pin(&repo.read("cases.yaml"));
    assert_eq!(repo.read("cases.yaml"), CASES.replace("[limits", &format!("[limits@c1-{pin}")));
    for shown in ["T cites `limits` (cases.yaml:1:19)", "substantive", "40", "1 citation accepted"] {
        assert!(out.stdout.contains(shown), "{shown}: {}", out.stdout);
    }
    assert!(!out.stdout.contains("U cites"), "{}", out.stdout);
    assert_eq!(repo.git(["diff", "--cached", "--name-only"]), "");
}

#[test]
fn everything_is_accepted_only_after_a_yes() {
    let repo = stale(CASES);
    let out = repo.citecheck(["accept", "--all"]);
    assert_eq!(out.code, 2, "{}", out.stdout);
    assert!(out.stdout.contains("U cites") && out.stderr.contains("--yes"), "{}{}", out.stdout, out.stderr);
    assert_eq!(repo.read("cases.yaml"), CASES);
    let out = repo.citecheck(["accept", "--all", "--dry-run"]);
    assert_eq!((out.code, repo.read("cases.yaml").as_str()), (0, CASES));
    assert!(out.stdout.contains("\n+- {id: U, cites: limits@c1-"), "{}", out.stdout);
    let out = repo.citecheck(["accept", "--all", "--yes"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let text = repo.read("cases.yaml");
    assert_eq!(text, CASES.replace("limits", &format!("limits@c1-{}", pin(&text))));
    assert_eq!(repo.json(&["check"])["summary"]["findings"], 0);
    assert_eq!(repo.citecheck(["accept", "--all"]).stdout, "nothing to accept\n");
    assert_eq!(repo.read("cases.yaml"), text);
}

#[test]
fn conditions_narrow_what_is_accepted() {
    let accepted = |arguments: &[&str]| {
        let repo = stale(CASES);
        let out = repo.citecheck([&["accept"], arguments].concat());
        (out.code, repo.read("cases.yaml").matches("@c1-").count())
    };
    assert_eq!(accepted(&["T", "U"]), (0, 2));
    assert_eq!(accepted(&["--section", "limits"]), (0, 2));
    assert_eq!(accepted(&["--section", "pump"]), (0, 2));
    assert_eq!(accepted(&["--section", "limits", "U"]), (0, 1));
    assert_eq!(accepted(&["--section", "notes"]), (0, 0));
    assert_eq!(accepted(&["--rule", "text-changed"]), (0, 2));
    assert_eq!(accepted(&["--rule", "text-reworded"]), (0, 0));
    assert_eq!(accepted(&[]), (2, 0));
    assert_eq!(accepted(&["V"]), (2, 0));
    assert_eq!(accepted(&["--section", "limit"]), (2, 0));
    assert_eq!(accepted(&["--rule", "text-chnaged"]), (2, 0));
    assert_eq!(accepted(&["--rule", "invalid-yaml"]), (2, 0));
    assert_eq!(accepted(&["--all", "T"]), (2, 0));
}

#[test]
fn what_leads_nowhere_cannot_be_accepted() {
    let repo = stale(CASES);
    repo.write("docs/pump.md", "# Pump\n\n## Notes\n\nKeep the pump dry in transport.\n");
    let out = repo.citecheck(["accept", "U"]);
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert!(
        out.stdout.contains("U cites `limits` (cases.yaml:2:18) is not accepted: it leads to no section"),
        "{}",
        out.stdout
    );
    assert_eq!(repo.read("cases.yaml"), CASES);
}

#[test]
fn a_pin_is_replaced_in_every_form() {
    let check = |before: &str, after: &str| {
        let cases = format!("- id: T\n  cites: {before}\n");
        let repo = stale(&cases);
        let out = repo.citecheck(["accept", "T"]);
        let text = repo.read("cases.yaml");
        assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
        let pin = format!("c1-{}", pin(&text));
        assert_eq!(text, format!("- id: T\n  cites: {}\n", after.replace("PIN", &pin)));
    };
    check("limits", "limits@PIN");
    check("\"limits\" # why", "\"limits@PIN\" # why");
    check("'[L](docs/pump.md#limits)'", "'[L](docs/pump.md#limits@PIN)'");
    check("{section: limits, note: x}", "{section: limits@PIN, note: x}");
    check("Limits # heading", "Limits@PIN # heading");
}

#[test]
fn a_revision_is_replaced_by_a_fingerprint() {
    let check = |before: &str, after: &str| {
        let repo = stale(&format!("- id: T\n  cites: {before}\n"));
        repo.git(["tag", "v1", "HEAD~1"]);
        let out = repo.citecheck(["accept", "T"]);
        let text = repo.read("cases.yaml");
        assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
        assert_eq!(text, format!("- id: T\n  cites: {}\n", after.replace("PIN", &format!("c1-{}", pin(&text)))));
        assert_eq!(repo.json(&["check"])["summary"]["findings"], 0);
    };
    check("limits@v1", "limits@PIN");
    check("{section: limits, rev: v1}", "{section: limits, fingerprint: PIN}");
    check("{\"rev\": 'v1', section: limits}", "{\"fingerprint\": 'PIN', section: limits}");
    check("{section: limits, fingerprint: c1-0123456789abcdef}", "{section: limits, fingerprint: PIN}");
    check("{limits: c1-0123456789abcdef}", "{limits: PIN}");
}

#[test]
fn what_it_was_reviewed_against_must_be_known_unless_a_case_is_named() {
    let cases = "- id: T\n  cites: limits@v9\n";
    let repo = stale(cases);
    let out = repo.citecheck(["accept", "--all", "--yes"]);
    assert_eq!((out.code, repo.read("cases.yaml").as_str()), (1, cases), "{}", out.stdout);
    assert!(out.stdout.contains("not in this clone"), "{}", out.stdout);
    assert_eq!(repo.citecheck(["accept", "T"]).code, 0);
    let text = repo.read("cases.yaml");
    assert_eq!(text, format!("- id: T\n  cites: limits@c1-{}\n", pin(&text)));
    assert_eq!(repo.json(&["check"])["summary"]["findings"], 0);
}

#[test]
fn pins_stand_in_a_file_of_their_own_where_that_is_wanted() {
    let repo = stale(CASES);
    repo.write("citecheck.yaml", "pins: file\n");
    let out = repo.citecheck(["accept", "--all", "--yes"]);
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
    assert_eq!(repo.read("cases.yaml"), CASES);
    let text = repo.read("citecheck.pins.yaml");
    let pin = pin(&text);
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let line = |case: &str| format!("- {{case: {case}, cites: limits, fingerprint: c1-{pin}}}");
    assert_eq!(lines, [line("T"), line("U")]);
}
