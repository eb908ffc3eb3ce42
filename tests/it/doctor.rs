//! What `doctor` says of repositories where one thing is not as it should be.

use crate::support::{Output, Repo};

const MANUAL: &str = "\
# Pump

## 1 Limits

### Rationale

Why.

## 2 Alarms

### Rationale

Why, too.

## Overview

All of it.
";

/// A repository in which everything is in order.
fn healthy() -> Repo {
    let repo = Repo::with_manual(MANUAL, "limits/rationale");
    repo.write("citecheck.yaml", "manuals: [docs/]\n");
    repo.write(".github/workflows/citecheck.yml", "steps: [{uses: x/citecheck/action@v1, with: {fetch-depth: 0}}]\n");
    repo.commit("Set up");
    assert_eq!(repo.citecheck(["hook", "install"]).code, 0);
    repo
}

/// The lines about one thing that are not in order.
fn told(out: &Output, name: &str) -> String {
    let starts = |line: &str| line.starts_with("attention") || line.starts_with("problem");
    let mut lines = Vec::new();
    let mut inside = false;
    for line in out.stdout.lines() {
        if !line.starts_with(' ') {
            inside = starts(line) && line.split_whitespace().nth(1) == Some(name);
        }
        if inside {
            lines.push(line.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    lines.join("\n")
}

#[track_caller]
fn check(repo: &Repo, code: i32, name: &str, expected: &[&str]) {
    let out = repo.citecheck(["doctor"]);
    assert_eq!(out.code, code, "{}{}", out.stdout, out.stderr);
    let told = told(&out, name);
    assert!(!told.is_empty(), "nothing on {name}: {}", out.stdout);
    for part in expected {
        assert!(told.contains(part), "{part:?} is not in:\n{told}");
    }
}

#[test]
fn a_healthy_repository_is_told_to_be_so() {
    let repo = healthy();
    let out = repo.citecheck(["doctor"]);
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
    assert!(out.stdout.ends_with("\n0 problems, 0 to look at, 9 in order\n"), "{}", out.stdout);
    assert_eq!(repo.citecheck(["doctor", "--quiet"]).stdout, "\n0 problems, 0 to look at, 9 in order\n");
}

#[test]
fn missing_hooks_and_workflows_are_told() {
    let repo = healthy();
    repo.git(["config", "core.hooksPath", "elsewhere"]);
    check(&repo, 0, "hooks", &["no hook runs citecheck", "pre-commit: not installed", "next: citecheck hook install"]);
    let workflow = ".github/workflows/citecheck.yml";
    repo.write(workflow, "steps: [{uses: actions/checkout@v6}, {uses: x/citecheck/action@v1}]\n");
    check(&repo, 1, "ci", &["checks out one commit", "fetch-depth: 0"]);
    repo.write(workflow, "# citecheck was here\n");
    check(&repo, 0, "ci", &["no workflow runs citecheck", "next: add the workflow of the README"]);
    repo.write(".gitlab-ci.yml", "check: {script: [citecheck ci]}\n");
    assert_eq!(told(&repo.citecheck(["doctor"]), "ci"), "");
}

#[test]
fn a_shallow_clone_is_a_problem_and_a_partial_one_is_told() {
    let repo = healthy();
    let url = format!("file://{}", repo.path().display());
    repo.git(["config", "uploadpack.allowFilter", "true"]);
    for (name, option) in [("shallow", "--depth=1"), ("partial", "--filter=blob:none")] {
        repo.git(["clone", "--quiet", option, url.as_str(), name]);
    }
    let doctor = |name: &str| repo.citecheck(["-C", name, "doctor"]);
    let shallow = doctor("shallow");
    assert_eq!(shallow.code, 1, "{}", shallow.stdout);
    assert!(told(&shallow, "history").contains("next: git fetch --unshallow"), "{}", shallow.stdout);
    let partial = doctor("partial");
    assert_eq!(partial.code, 0, "{}{}", partial.stdout, partial.stderr);
    assert!(told(&partial, "history").contains("without `--filter`"), "{}", partial.stdout);
}

#[test]
fn a_configuration_that_does_not_hold_is_a_problem() {
    let repo = healthy();
    repo.write("citecheck.yaml", "manuls: [docs/]\n");
    check(&repo, 1, "configuration", &["the configuration has an error", "manuls", "next: `citecheck check`"]);
    repo.write("citecheck.yaml", "manuals: [handbook/]\n");
    check(&repo, 1, "configuration", &["handbook/", "matches no file"]);
}

#[test]
fn a_configuration_is_asked_for_where_nothing_is_found_without_one() {
    let repo = healthy();
    std::fs::remove_file(repo.path().join("citecheck.yaml")).unwrap();
    let out = repo.citecheck(["doctor"]);
    let (without, found) =
        (told(&out, "configuration"), "ok         configuration  there is none, and there are cases");
    assert!(without.is_empty() && out.stdout.contains(found), "{}", out.stdout);
    assert!(!out.stdout.contains("citecheck init"), "{}", out.stdout);
    repo.write("cases.yaml", "cases: [{id: TC-1, verifies: [limits]}]\n");
    check(&repo, 1, "configuration", &["there is none", "next: citecheck init"]);
    check(&repo, 1, "cases", &["no case was found", "next: citecheck init --dry-run"]);
    repo.write("citecheck.yaml", "cases: {files: cases.yaml, cites: covers}\n");
    check(&repo, 1, "cases", &["no case was found", "next: say in `cases` in which files"]);
}

#[test]
fn cases_that_check_nothing_are_told() {
    let repo = healthy();
    repo.write("more.yaml", "cases: [{id: TC-2, cites: []}, {id: TC-3, cites: [nowhere, rationale]}]\n");
    check(&repo, 1, "cases", &["1 of 3 cases cite nothing", "more.yaml:1 `TC-2`", "no-citations: warning"]);
    check(
        &repo,
        1,
        "citations",
        &["2 of 3 citations name no single section", "`nowhere` names nothing", "`rationale` names several"],
    );
    let empty = Repo::new();
    empty.write("a.txt", "a");
    empty.commit("Add");
    check(&empty, 1, "cases", &["no case was found", "next: citecheck init --dry-run"]);
    check(&empty, 1, "manual", &["no section was found"]);
}

#[test]
fn fragile_citations_are_told_with_what_to_write() {
    let repo = healthy();
    repo.write(
        "more.yaml",
        "cases:\n  - id: TC-2\n    cites: ['§1', 'docs/manual.md#rationale-1', overview]\n  - id: TC-3\n    cites: docs/manual.md#rationale\n",
    );
    check(
        &repo,
        0,
        "citations",
        &[
            "1 citation cites by number",
            "more.yaml:3 `§1` → `limits`",
            "`docs/manual.md#rationale-1` → `docs/manual.md#alarms/rationale`",
            "more.yaml:5 `docs/manual.md#rationale` → `docs/manual.md#limits/rationale`",
            "`overview` → `pump/overview`",
        ],
    );
}

#[test]
fn pins_in_a_file_need_a_way_to_merge() {
    let repo = healthy();
    repo.write("citecheck.yaml", "manuals: [docs/]\npins: file\n");
    check(&repo, 0, "pins", &["citecheck.pins.yaml", "next: echo 'citecheck.pins.yaml merge=union' >> .gitattributes"]);
    repo.write(".gitattributes", "citecheck.pins.yaml merge=union\n");
    assert_eq!(told(&repo.citecheck(["doctor"]), "pins"), "");
}

#[test]
fn outside_of_a_repository_nothing_can_be_said() {
    let out = Repo::bare_folder().citecheck(["doctor"]);
    assert_eq!((out.code, out.stdout.as_str()), (2, ""));
    assert!(out.stderr.contains("not in a git repository"), "{}", out.stderr);
}
