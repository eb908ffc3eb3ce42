//! Slips of the keyboard in case files, and in manuals: what would be passed over in silence is told, and keys of the user's own are
//! not.

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
fn a_misspelt_key_inside_another_and_one_in_the_map_form_are_told() {
    check(
        "- {id: T, cites: [{sectoin: limits}]}\n",
        &[
            "1:20 `sectoin` is no key of a citation, so it is taken for what is cited",
            "1:20: error[unknown-section] no section `sectoin` in the manual [case T]",
        ],
    );
    check(
        "- {id: T, cites: [{REQ-1: limits}, {sections: mine}]}\n",
        &[
            "1:20: error[unknown-section] no section `REQ-1` in the manual [case T]",
            "1:37: error[unknown-section] no section `sections` in the manual [case T]",
        ],
    );
    let repo = Repo::with_manual("# Pump\n\n## Limits\n\nIt stops.\n", "limits");
    repo.write("citecheck.yaml", "cases: [{files: cases.yaml, cites: [links.verifies]}]\n");
    repo.write(
        "cases.yaml",
        "- {id: A, links: {verifies: limits}}\n- {id: B, links: {verfies: [limits]}}\n- {id: C, links: {verified: yes}}\n",
    );
    let told = repo.citecheck(["check", "--format", "concise"]).stdout;
    assert!(told.starts_with("cases.yaml:2:19: error[invalid-case] `verfies` is no citation key"), "{told}");
    assert!(!told.contains("verified"), "{told}");
}

/// What is told of files that cite nothing, whatever is compared and however large the repository is.
#[track_caller]
fn check_strays(files: &[(&str, &str)], expected: &[&str]) {
    for more in [0, 40] {
        let repo = Repo::with_manual("# Pump\n\n## Limits\n\nIt stops.\n\n## Alarms\n\nA lamp is lit.\n", "limits");
        (0..more).for_each(|file| repo.write(&format!("docs/{file}.md"), "# More\n"));
        repo.commit("Add manuals");
        files.iter().for_each(|(path, text)| repo.write(path, text));
        repo.git(["add", "--all"]);
        for option in [&["check"][..], &["check", "--staged"]] {
            let report = repo.json(option);
            assert_eq!(report["findings"], serde_json::json!([]), "{files:?}");
            assert_eq!(report["notes"], serde_json::json!(expected), "{option:?}: {files:?}");
        }
        repo.commit("Add cases");
        assert_eq!(repo.json(&["check"])["notes"], serde_json::json!(expected));
        repo.commit("Nothing");
        let told = repo.json(&["check", "HEAD~1..HEAD"])["notes"].to_string();
        assert!(!told.contains("not checked"), "{told}");
    }
}

#[test]
fn a_file_that_cites_under_a_misspelt_key_only_is_told() {
    let told = "more.yaml:1: `T-2` is not checked: it cites nothing; write `cites` for `cite`";
    check_strays(&[("more.yaml", "- {id: T-2, cite: [docs/manual.md#alarms, limits]}\n")], &[told]);
    check_strays(
        &[("more.yaml", "T-2: {cite: alarms}\nT-3: {Cites: limits}\nT-4: {note: x}\n")],
        &["more.yaml:1: `T-2` and 1 more case are not checked: they cite nothing; write `cites` for `cite`"],
    );
    // What names no section, has no id or is less like the key is somebody's own.
    check_strays(
        &[
            ("a.yaml", "- {id: T-2, cite: [alarms, Paris]}\n- {id: T-3, cities: [Paris]}\n- {id: T-4, cite: }\n"),
            ("b.yaml", "- {cite: alarms}\n"),
            ("c.yaml", "- {id: T-5, quotes: alarms}\n"),
        ],
        &[],
    );
    let many: Vec<String> = (0..5).map(|at| format!("{at}.yaml")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|path| (path.as_str(), "T: {cite: limits}\n")).collect();
    let told = |at| format!("{at}.yaml:1: `T` is not checked: it cites nothing; write `cites` for `cite`");
    let more = "2 more cases are not checked for such a key, in 2 other files";
    check_strays(&many, &[&told(0), &told(1), &told(2), more]);
}

#[test]
fn doctor_names_a_file_that_cites_under_a_misspelt_key() {
    let repo = Repo::with_manual("# Pump\n\n## Limits\n\nIt stops.\n", "limits");
    repo.write("more.yaml", "- {id: T-2, cite: limits}\n");
    let told = repo.citecheck(["doctor"]).stdout;
    assert!(told.contains("1 file cites under a key that is none, so nothing in it is checked"), "{told}");
    assert!(told.contains("more.yaml:1: `T-2` is not checked: it cites nothing; write `cites` for `cite`"), "{told}");
    // Where nothing else cites, it is the answer.
    repo.write("cases.yaml", "");
    let told = repo.citecheck(["doctor"]).stdout;
    assert!(told.contains("1 file cites under a key") && !told.contains("no case was found"), "{told}");
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
fn entries_of_a_list_that_yaml_reads_as_one_text_are_told() {
    let help = "help: YAML takes these lines for one text: start each entry with `- `";
    let told = |entries: &str| {
        let repo = Repo::with_manual("# Pump\n\n## Limits\n\nThe pump stops.\n\n## Alarms\n\nA lamp.\n", "limits");
        repo.write("cases.yaml", format!("- id: T\n  cites:\n{entries}"));
        repo.citecheck(["check"]).stdout.contains(help)
    };
    assert!(told("    - limits\n      - alarms\n"));
    assert!(told("    -limits\n    -alarms\n"));
    assert!(!told("    - limits - alarms\n"));
    assert!(!told("    - limits and\n      alarms\n"));
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

#[test]
fn what_breaks_a_manual_by_mistake_is_told_at_its_place() {
    let text = "# Pump\n\n## Limits\n\nIt stops within 30 s.\n\n## Alarms\n\nA lamp is lit.\n";
    let told = |text: &str| {
        let repo = Repo::with_manual(text, "limits");
        let out = repo.citecheck(["check", "--format", "concise"]);
        let told = out.stdout.lines().filter(|line| line.starts_with("docs/")).collect::<Vec<_>>().join("\n");
        (told, out.code)
    };
    assert_eq!(told(text), (String::new(), 0));
    let fence = text.replace("## Alarms", "```\npump --stop\n\n## Alarms");
    let warning =
        "docs/manual.md:7:1: warning[invalid-manual] this code fence is never closed, so that `## Alarms` is code";
    assert_eq!(told(&fence), (warning.to_owned(), 0));
    let conflict = text.replace("It stops", "<<<<<<< HEAD\nIt stops within 20 s.\n=======\nIt stops");
    let conflict = conflict.replace("30 s.\n", "30 s.\n>>>>>>> topic\n");
    let error = "docs/manual.md:5:1: error[invalid-manual] the manual has conflict markers of a merge";
    assert_eq!(told(&conflict), (error.to_owned(), 1));
}
