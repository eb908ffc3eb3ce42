//! Slips of the keyboard in case files: what would be passed over in silence is told, and keys of the user's own are not.

use crate::support::Repo;

/// The findings of a run over these cases, as `line:column message`.
#[track_caller]
fn check(cases: &str, expected: &[&str]) {
    let repo = Repo::new();
    repo.write("docs/pump.md", "# Pump\n\n## Limits\n\nThe pump stops within 30 s.\n\n## Alarms\n\nA lamp is lit.\n");
    repo.write("cases.yaml", cases);
    repo.commit("Add manual and cases");
    let out = repo.citecheck(["check", "--format", "concise"]);
    let told = out.stdout.lines().filter_map(|line| line.strip_prefix("cases.yaml:"));
    let told = told.map(|line| line.replace(": error[invalid-case]", ""));
    assert_eq!(told.collect::<Vec<_>>(), expected, "{cases}");
}

#[test]
fn a_quote_or_pin_under_a_misspelt_key_is_told() {
    check(
        "- id: T\n  cites:\n    - section: limits\n      quotes: within 300 s\n      note: mine\n",
        &["4:7 a citation has no key `quotes`, so it is not read"],
    );
    check(
        "- {id: T, cites: [{section: limits, revision: v1}]}\n",
        &["1:37 a citation has no key `revision`, so it is not read"],
    );
}

#[test]
fn a_misspelt_citation_key_is_told_where_it_names_a_section() {
    check(
        "- {id: T, cites: limits}\n- {id: U, cite: alarms}\n- {id: V, Cites: [docs/pump.md#alarms]}\n",
        &[
            "2:11 `cite` is no citation key, so what it cites is not checked",
            "3:11 `Cites` is no citation key, so what it cites is not checked",
        ],
    );
    check("- {id: T, cites: limits}\n- {id: U, cities: [Paris]}\n- {id: V, cited: true}\n", &[]);
}

#[test]
fn a_name_that_yaml_takes_for_a_comment_is_told_where_it_is_that_of_a_section() {
    check(
        "- id: T\n  cites:\n    - limits\n    - #alarms\n    - #todo\n",
        &["4:7 `#alarms` is a comment, so nothing is cited"],
    );
}

#[test]
fn an_entry_that_names_nothing_is_told_and_one_left_blank_is_not() {
    check("- {id: T, cites: [limits, \"\"]}\n", &["1:27 the citation is empty"]);
    check("- {id: T, cites: [limits, {}]}\n", &["1:27 the citation is empty"]);
    check("- id: T\n  cites:\n    - limits\n    -\n- {id: U, cites: []}\n- {id: V, cites: ''}\n", &[]);
}

#[test]
fn a_pinned_citation_of_another_name_is_not_told_as_a_move() {
    let manual = "# Pump\n\n## Limits\n\nThe pump stops within 30 s.\n\n## Alarms\n\nA lamp is lit.\n";
    let repo = Repo::with_manual(manual, "limits");
    repo.write("docs/manual.md", manual.replace("30 s", "20 s"));
    assert_eq!(repo.citecheck(["accept", "--all", "--yes"]).code, 0);
    repo.commit("Accept");
    let accepted = repo.read("cases.yaml");
    let told = |citation: &str| {
        repo.write("cases.yaml", accepted.replace("limits@", &format!("{citation}@")));
        let out = repo.citecheck(["check", "--format", "concise"]).stdout;
        out.lines().next().unwrap_or_default().split_once("section-moved] ").unwrap_or(("", "nothing")).1.to_owned()
    };
    let misspelt = "`limts` leads nowhere, but is pinned to a text of `Limits` at `docs/manual.md` line 3 [case TC-1]";
    let other = "`alarms` leads to `Alarms`, but is pinned to a text of `Limits` [case TC-1]";
    assert_eq!((told("limts").as_str(), told("alarms").as_str()), (misspelt, other));
    assert!(repo.citecheck(["check"]).stdout.contains("help: if `Alarms` is meant, take the pin out"));
    // The text of the pin changed since.
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("20 s", "10 s"));
    repo.commit("Change it");
    assert_eq!((told("limts").as_str(), told("alarms").as_str()), (misspelt, other));
    assert!(repo.citecheck(["check"]).stdout.contains("number `20` is now `10`"));
    // What had that name at its review did move.
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("## Limits", "## Bounds"));
    repo.write("cases.yaml", "- {id: T, cites: limits@HEAD~1}\n");
    assert!(repo.citecheck(["check"]).stdout.contains("`Limits` is now `Bounds` at"));
}
