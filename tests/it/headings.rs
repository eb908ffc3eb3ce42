//! Headings that are requirements: what they state counts as text, what they name does not.

use crate::support::Repo;

/// Says with which rules `check` tells of cases A, which cites the first section by its number, and B, which cites the
/// second with its subsections.
#[track_caller]
fn check(before: [&str; 2], after: [&str; 2], expected: &str) {
    let manual = |[own, below]: [&str; 2]| {
        format!(
            "# M\n\n## 5.2 {own}\n\nEach export is logged.\n\n## Pump\n\nIt stands dry.\n\n### {below}\n\nKept dry.\n"
        )
    };
    let repo = Repo::with_manual(&manual(before), "§5.2, pump");
    repo.write("docs/manual.md", manual(after));
    let report = repo.json(&["check"]);
    let findings = report["findings"].as_array().unwrap().iter();
    let told: Vec<String> = findings.map(|it| format!("{}: {}", it["citation"], it["rule"]).replace('"', "")).collect();
    assert_eq!(told.join(", "), expected, "{before:?} to {after:?}");
}

#[test]
fn what_a_heading_states_is_text() {
    let rest = ["Exports", "Notes"];
    check(["Users may export keys", "Notes"], ["Users must not export keys", "Notes"], "§5.2: text-changed");
    check(["Exports", "Hold 5 bar"], ["Exports", "Hold 6 bar"], "pump: text-changed");
    check(["Exports", "Do not open it"], ["Exports", "Open it"], "pump: text-changed");
    check(["Doors must be open", "Notes"], ["Doors must be closed", "Notes"], "§5.2: text-changed");
    check(["All doors must be shut", "Notes"], ["Some doors must be shut", "Notes"], "§5.2: text-changed");
    check(rest, ["Exports", "It shall be locked\n\n### Notes"], "pump: text-changed");
    check(rest, ["Exports", "Wait 5 s\n\n### Notes"], "pump: text-changed");
}

#[test]
fn what_a_heading_names_is_none() {
    check(["Exports", "Notes"], ["Export of keys", "Notes"], "");
    check(["Step 1", "Notes"], ["Step 2", "Notes"], "");
    check(["Required fields", "Notes"], ["Fields", "Notes"], "");
    check(["Exports", "Notes"], ["Exports", "More notes"], "pump: text-reworded");
    check(["Exports", "Notes"], ["Exports", "Drawings\n\n### Notes"], "");
}

#[test]
fn no_command_makes_a_case_fresh_whose_heading_states_something_else() {
    let manual = |title: &str| format!("# M\n\n## {title}\n\nEach export is logged.\n");
    let repo = Repo::with_manual(&manual("Users may export keys"), "users-may-export-keys");
    repo.write("docs/manual.md", manual("Users must not export keys"));
    let shown = repo.citecheck(["check"]).stdout;
    assert!(shown.contains("in the heading, modality `may` is now `must not`"), "{shown}");
    assert!(shown.contains("cite `users-must-not-export-keys`") && !shown.contains("citecheck fix"), "{shown}");
    assert!(shown.contains("heading before") && shown.contains("heading now"), "{shown}");
    let cases = repo.read("cases.yaml");
    repo.citecheck(["fix"]);
    assert_eq!(repo.read("cases.yaml"), cases);
    assert!(repo.citecheck(["check"]).stdout.contains("text-changed"));
    // Somebody who read both settles it at once.
    repo.citecheck(["accept", "--all", "--yes"]);
    assert_eq!(repo.citecheck(["check"]).code, 0);
    assert!(repo.read("cases.yaml").contains("users-must-not-export-keys@c1-"));
}

#[test]
fn what_a_heading_states_is_the_reason_and_no_harmless_word_below_it() {
    let manual = |heading: &str, link: &str| format!("# M\n\n## {heading} {{#stop}}\n\nSee [the list]({link}.md).\n");
    let repo = Repo::with_manual(&manual("The operator may stop", "a"), "stop");
    repo.write("docs/manual.md", manual("The operator must stop", "b"));
    let out = repo.citecheck(["check", "--format", "concise"]).stdout;
    assert!(out.contains("changed in substance: in the heading, modality `may` is now `must`"), "{out}");
}

#[test]
fn a_subsection_that_moved_away_is_the_reason_and_makes_no_other_one_stale() {
    let limits = "## Limits\n\nThe valve opens at 3.5 bar and stays open for a while.\n\n";
    let manual = |link: &str, pump: &str, heater: &str| {
        format!(
            "# Pump\n\nIt is large, see [the list]({link}.md).\n\n{pump}## Noise\n\nKeep away from the machine while it \
             runs.\n\n# Heater\n\nThe heater is hot.\n\n{heater}"
        )
    };
    let repo = Repo::with_manual(&manual("a", limits, ""), "pump");
    repo.write("docs/manual.md", manual("b", "", limits));
    let out = repo.citecheck(["check", "--format", "concise"]).stdout;
    assert!(out.contains("the text of `Pump` changed in substance: subsection `Limits` moved away"), "{out}");
    let report = repo.json(&["coverage"]);
    let sections = report["sections"].as_array().unwrap().iter();
    let stale: Vec<&str> =
        sections.filter(|it| it["state"] == "stale").map(|it| it["section"]["title"].as_str().unwrap()).collect();
    assert_eq!(stale, ["Pump"], "{report}");
}
