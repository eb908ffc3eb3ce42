//! Cases that a range takes out of the check: what went in order is a count, what may be a slip has a place, and nothing
//! is dropped in silence.

use serde_json::Value;

use crate::support::Repo;

const MANUAL: &str = "# Pump\n\n## Limits\n\nThe pump shall stop within 30 s.\n\n## Alarms\n\nThe alarm sounds.\n";
const A: &str = "cases:\n  - id: A-1\n    cites: [limits]\n  - id: A-2\n    cites: [alarms]\n";
const B: &str = "B-1: {cites: limits}\nB-2: {cites: [alarms]}\n";

/// A repository with the manual, the case file `b.yaml` and others.
fn repo(files: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.write("docs/pump.md", MANUAL);
    repo.write("b.yaml", B);
    files.iter().for_each(|(path, text)| repo.write(path, text));
    repo.commit("Add manual and cases");
    repo
}

/// Writes the files; one without text is taken out.
fn change(repo: &Repo, files: &[(&str, &str)]) {
    for (path, text) in files {
        match text.is_empty() {
            true => std::fs::remove_file(repo.path().join(path)).unwrap(),
            false => repo.write(path, text),
        }
    }
    repo.git(["add", "--all"]);
}

#[track_caller]
fn notes(repo: &Repo, arguments: &[&str]) -> Vec<String> {
    let out = repo.citecheck(arguments.iter().chain(&["--format", "json"]));
    let report: Value = serde_json::from_str(&out.stdout).unwrap();
    report["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap().to_owned()).collect()
}

/// Compares what is told where `a.yaml` and others change, whatever is compared and however large the repository is.
#[track_caller]
fn check(before: &[(&str, &str)], after: &[(&str, &str)], expected: &[&str]) {
    let repo = repo(before);
    change(&repo, after);
    for option in ["--staged", "--worktree"] {
        assert_eq!(notes(&repo, &["check", option]), expected, "{option}: {before:?} to {after:?}");
    }
    repo.commit("Change the cases");
    assert_eq!(notes(&repo, &["check", "HEAD~1..HEAD"]), expected, "{before:?} to {after:?}");
    let large = self::repo(before);
    for file in 0..40 {
        large.write(&format!("docs/{file}.md"), "# More\n");
    }
    large.commit("Add manuals");
    change(&large, after);
    assert_eq!(notes(&large, &["check", "--staged"]), expected, "of a large repository: {before:?} to {after:?}");
}

#[test]
fn a_citation_key_that_is_respelled_in_a_whole_file_is_told_with_its_place() {
    let told = "`A-1` and 1 more case are no longer checked: they cite nothing any more";
    let slip = A.replace("cites", "cite");
    check(&[("a.yaml", A)], &[("a.yaml", &slip)], &[&format!("a.yaml:2: {told}; write `cites` for `cite`")]);
    check(
        &[("a.yaml", A)],
        &[("a.yaml", ""), ("c.yaml", &slip)],
        &[&format!("c.yaml:2: {told}; write `cites` for `cite`")],
    );
    let other = A.replace("cites", "verifies");
    check(&[("a.yaml", A)], &[("a.yaml", &other)], &[&format!("a.yaml:2: {told}; cases cite with `cites`")]);
    check(
        &[],
        &[("b.yaml", "B-1: {Cites: limits}\nB-2: {cites: [alarms]}\nB-3: {cites: limits}\n"), ("a.yaml", A)],
        &[],
    );
}

#[test]
fn a_slip_in_many_files_is_told_of_the_first_ones() {
    let files = |key: &str| -> Vec<(String, String)> {
        (0..5).map(|at| (format!("c{at}.yaml"), format!("C-{at}: {{{key}: limits}}\n"))).collect()
    };
    let (before, after) = (files("cites"), files("cite"));
    let [before, after] = [&before, &after]
        .map(|files| files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>());
    let told = |at: usize| {
        format!("c{at}.yaml:1: `C-{at}` is no longer checked: it cites nothing any more; write `cites` for `cite`")
    };
    let more = "2 more cases cite nothing any more, in 2 other files";
    check(&before, &after, &[&told(0), &told(1), &told(2), more]);
    check(
        &before[..4],
        &after[..4],
        &[&told(0), &told(1), &told(2), "1 more case cites nothing any more, in another file"],
    );
}

#[test]
fn a_case_that_loses_its_citations_is_told_with_its_place() {
    let told = |line: usize, id: &str| format!("a.yaml:{line}: `{id}` is no longer checked: it cites nothing any more");
    check(&[("a.yaml", A)], &[("a.yaml", &A.replace("[alarms]", "[]"))], &[&told(4, "A-2")]);
    check(&[("a.yaml", A)], &[("a.yaml", &A.replace("[limits]", ""))], &[&told(2, "A-1")]);
    let without = A.replace("    cites: [alarms]\n", "    note: x\n");
    check(&[("a.yaml", A)], &[("a.yaml", &without)], &[&format!("{}; cases cite with `cites`", told(4, "A-2"))]);
    check(&[("a.yaml", &A.replace("[alarms]", "[]"))], &[("a.yaml", &A.replace("[alarms]", "~"))], &[]);
    let group = "cases: {files: '*.yaml', cites: [covers.sections, verifies]}\n";
    let nested = "- {id: T, covers: {sections: limits}}\n- {id: U, covers: {sections: alarms}}\n";
    check(
        &[("citecheck.yaml", group), ("a.yaml", nested), ("b.yaml", "- {id: B, verifies: limits}\n")],
        &[("a.yaml", &nested.replacen("sections", "parts", 1))],
        &[
            "a.yaml:1: `T` is no longer checked: it cites nothing any more; cases cite with `covers.sections` or `verifies`",
        ],
    );
}

#[test]
fn cases_that_are_taken_out_are_counted() {
    check(&[("a.yaml", A)], &[("a.yaml", "")], &["2 cases are gone with a.yaml"]);
    let first = "cases:\n  - id: A-1\n    cites: [limits]\n";
    check(&[("a.yaml", A)], &[("a.yaml", first)], &["`A-2` is gone from a.yaml"]);
    check(&[("a.yaml", A)], &[("a.yaml", "cases: []\n")], &["2 cases are gone from a.yaml"]);
    // What else has the id had it before.
    let order = "order: [{id: A-1}, {id: A-2}]\n";
    check(
        &[("a.yaml", &format!("{A}{order}"))],
        &[("a.yaml", &format!("{first}{order}"))],
        &["`A-2` is gone from a.yaml"],
    );
    let many: Vec<(String, String)> =
        (0..5).map(|at| (format!("c{at}.yaml"), format!("C-{at}: {{cites: limits}}\n"))).collect();
    let before: Vec<(&str, &str)> = many.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let after: Vec<(&str, &str)> = before.iter().map(|(path, _)| (*path, "")).collect();
    check(
        &before,
        &after,
        &["5 cases are gone: `C-0` with c0.yaml, `C-1` with c1.yaml, `C-2` with c2.yaml, 2 from other files"],
    );
}

#[test]
fn what_is_still_checked_or_told_otherwise_is_no_loss() {
    check(&[("a.yaml", A)], &[("a.yaml", ""), ("c/d.yaml", A)], &[]);
    check(&[("a.yaml", A)], &[("a.yaml", &format!("# Cases.\n{A}"))], &[]);
    let both = [A.replace("[alarms]", "[limits]"), A.replacen("cites", "cite", 1), A.replacen("id: A-1", "name: A", 1)];
    for text in &both[..2] {
        check(&[("a.yaml", A)], &[("a.yaml", text)], &[]);
    }
    check(&[("a.yaml", A)], &[("a.yaml", "cases: [\n")], &[]);
    check(&[("a.yaml", "- {id: T, cites: []}\n")], &[("a.yaml", "- {id: T}\n")], &[]);
    check(&[("a.yaml", A)], &[("a.yaml", &both[2])], &["`A-1` is gone from a.yaml"]);
}

/// Their ids are citations, which change where a citation is respelled.
#[test]
fn entries_of_a_plan_are_no_loss_where_they_cite_something_else() {
    let group = "cases: {files: 'plan.yaml', id: section, cites: section}\n";
    let plan = "- {section: limits, by: test}\n- {section: alarms, by: test}\n";
    let respelled = plan.replace("alarms", "docs/pump.md#alarms");
    let before = [("citecheck.yaml", group), ("plan.yaml", plan)];
    check(&before, &[("plan.yaml", &respelled)], &[]);
    check(&before, &[("plan.yaml", "- {section: alarms}\n")], &["`limits` is gone from plan.yaml"]);
    let slip = plan.replacen("section: alarms", "sections: alarms", 1);
    check(&before, &[("plan.yaml", &slip)], &["`alarms` is gone from plan.yaml"]);
}

#[test]
fn where_no_case_is_left_that_is_told_and_each_slip() {
    let repo = repo(&[]);
    change(&repo, &[("b.yaml", &B.replace("cites", "cite"))]);
    let slip =
        "b.yaml:1: `B-1` and 1 more case are no longer checked: they cite nothing any more; write `cites` for `cite`";
    let told = notes(&repo, &["check", "--staged"]);
    assert!(told[0].starts_with("no case was found, though 2 were there before"), "{told:?}");
    assert_eq!(told[1..], [slip]);
    change(&repo, &[("b.yaml", "")]);
    assert_eq!(notes(&repo, &["check", "--staged"]).len(), 1);
}

#[test]
fn a_merge_tells_what_neither_side_has_dropped() {
    let repo = repo(&[("a.yaml", A)]);
    repo.git(["switch", "--quiet", "--create", "topic"]);
    change(&repo, &[("a.yaml", "")]);
    repo.commit("Take cases out");
    repo.git(["switch", "--quiet", "main"]);
    repo.write("docs/pump.md", MANUAL.replace("sounds", "is loud"));
    repo.commit("Edit the manual");
    repo.git(["merge", "--quiet", "--no-commit", "topic"]);
    let merged = || repo.citecheck(["hook", "run"]).stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!merged().contains("no longer"), "{}", merged());
    change(&repo, &[("b.yaml", &B.replacen("cites", "covers", 1))]);
    let told = "b.yaml:1: `B-1` is no longer checked: it cites nothing any more; cases cite with `cites`";
    assert_eq!(merged().matches(told).count(), 1, "{}", merged());
}
