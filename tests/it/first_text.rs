//! Citations that led nowhere when their case was last touched, or where they are pinned to: the first text that they led
//! to counts, and no way of checking calls a later one fresh.

use crate::support::Repo;

const CASE: &str = "- id: T\n  cites: limits\n";
const BEFORE: &str = "# Pump\n\nHow it works.\n";
const MANUAL: &str = "# Pump\n\nHow it works.\n\n## Limits\n\nThe valve opens at 5 bar.\n";
const CHANGED: &str = "error[text-changed] the text of `Limits` changed in substance: number `5` is now `9`";

/// A repository with these files in its first commit.
fn repo(files: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    files.iter().for_each(|(path, text)| repo.write(path, text));
    repo.commit("Begin");
    repo
}

/// What is told, one finding a line, without place and case.
fn told(repo: &Repo, arguments: &[&str]) -> Vec<String> {
    let out = repo.citecheck(arguments.iter().chain(&["--format", "concise"])).stdout;
    let finding = |line: &str| {
        let (_, told) = line.split_once(": ")?;
        Some(told.rsplit_once(" [case ")?.0.to_owned())
    };
    out.lines().filter_map(finding).collect()
}

/// Raises the limit in the manual, and expects every way of checking to tell it; before the last commit none does.
#[track_caller]
fn check(repo: &Repo, manual: &str, expected: &str) {
    let fresh: [&str; 0] = [];
    assert_eq!(told(repo, &["check"]), fresh);
    repo.write(manual, repo.read(manual).replace("5 bar", "9 bar"));
    repo.git(["add", "--all"]);
    assert_eq!(told(repo, &["check", "--staged"]), [expected]);
    repo.commit("Raise the limit");
    let first = repo.git(["rev-list", "--max-parents=0", "--first-parent", "HEAD"]);
    let whole = format!("{}..HEAD", first.trim());
    for arguments in [&["check"][..], &["check", "--rev", "HEAD"], &["check", "HEAD^..HEAD"], &["check", &whole]] {
        assert_eq!(told(repo, arguments), [expected], "{arguments:?}");
    }
    let covered = repo.citecheck(["coverage"]).stdout;
    assert!(covered.contains("100 % of the covered are stale"), "{covered}");
    repo.commit("Something else");
    assert_eq!(told(repo, &["check", "HEAD^..HEAD", "--all"]), [expected]);
}

#[test]
fn a_case_that_was_there_before_its_section() {
    let repo = repo(&[("cases.yaml", CASE), ("pump.md", BEFORE)]);
    repo.write("pump.md", MANUAL);
    repo.commit("Add the section");
    check(&repo, "pump.md", CHANGED);
}

#[test]
fn a_case_that_was_there_before_its_manual() {
    let repo = repo(&[("cases.yaml", CASE), ("pump.txt", MANUAL)]);
    repo.git(["mv", "pump.txt", "pump.md"]);
    repo.commit("Make it Markdown");
    check(&repo, "pump.md", CHANGED);
}

#[test]
fn a_case_that_cites_the_file_that_comes() {
    let repo = repo(&[("cases.yaml", "- id: T\n  cites: docs/pump.md\n"), ("pump.md", MANUAL)]);
    repo.write("docs/notes.md", "# Notes\n");
    repo.git(["mv", "pump.md", "docs/pump.md"]);
    repo.commit("Move the manual");
    let changed = "error[text-changed] the text of `docs/pump.md` changed in substance: number `5` is now `9`";
    repo.write("docs/notes.md", "# Notes\n\nOf no weight.\n");
    repo.commit("Write notes");
    assert_eq!(told(&repo, &["check"]), [""; 0]);
    repo.write("docs/pump.md", MANUAL.replace('5', "9"));
    assert_eq!(told(&repo, &["check"]), [changed]);
}

#[test]
fn a_manual_that_was_merged_in_after_the_cases() {
    let repo = repo(&[("cases.yaml", CASE)]);
    repo.git(["checkout", "--quiet", "--orphan", "manual"]);
    repo.git(["rm", "--quiet", "-rf", "."]);
    repo.write("pump.md", MANUAL.replace("5 bar", "4 bar"));
    repo.commit("Begin the manual");
    repo.write("pump.md", MANUAL);
    repo.commit("Correct it");
    repo.git(["checkout", "--quiet", "main"]);
    repo.git(["merge", "--quiet", "--no-edit", "--allow-unrelated-histories", "manual"]);
    check(&repo, "pump.md", CHANGED);
}

#[test]
fn a_branch_that_brought_the_section_and_changed_it() {
    let repo = repo(&[("cases.yaml", CASE), ("pump.md", BEFORE)]);
    repo.git(["checkout", "--quiet", "-b", "section"]);
    repo.write("pump.md", MANUAL);
    repo.commit("Add the section");
    repo.write("pump.md", MANUAL.replace('5', "9"));
    repo.commit("Raise the limit");
    repo.git(["checkout", "--quiet", "main"]);
    repo.write("notes.md", "# Notes\n");
    repo.commit("Add notes");
    repo.git(["merge", "--quiet", "--no-edit", "section"]);
    assert_eq!(told(&repo, &["check"]), [CHANGED]);
}

#[test]
fn a_citation_that_was_respelled_since() {
    let repo = repo(&[("cases.yaml", CASE), ("pump.md", BEFORE)]);
    repo.write("pump.md", MANUAL);
    repo.commit("Add the section");
    repo.write("pump.md", MANUAL.replace('5', "9"));
    repo.commit("Raise the limit");
    repo.write("pump.md", repo.read("pump.md").replace("## Limits", "## Bounds"));
    repo.write("cases.yaml", CASE.replace("limits", "bounds"));
    repo.commit("Rename it");
    assert_eq!(told(&repo, &["check"]), [CHANGED]);
}

#[test]
fn a_section_that_got_another_name_since_it_came() {
    let repo = repo(&[("cases.yaml", CASE), ("pump.md", BEFORE)]);
    repo.write("pump.md", MANUAL);
    repo.commit("Add the section");
    repo.write("pump.md", MANUAL.replace("## Limits", "## Bounds"));
    let moved = "warning[section-moved] `Limits` is now `Bounds` at `pump.md` line 5";
    assert_eq!(told(&repo, &["check"]), [moved]);
    repo.commit("Rename it");
    assert_eq!(told(&repo, &["check"]), [moved]);
    assert_eq!(told(&repo, &["check", "HEAD^..HEAD"]), [moved]);
    repo.write("pump.md", repo.read("pump.md").replace('5', "9"));
    assert_eq!(told(&repo, &["check"]), [moved, CHANGED]);
    assert_eq!(repo.citecheck(["fix"]).code, 0);
    assert_eq!(told(&repo, &["check"]), [CHANGED.replace("Limits", "Bounds")]);
}

#[test]
fn a_section_that_came_again_is_told_from_there_on() {
    let repo = repo(&[("cases.yaml", CASE), ("pump.md", BEFORE)]);
    for text in [MANUAL, BEFORE, &MANUAL.replace('5', "7")] {
        repo.write("pump.md", text);
        repo.commit("Change the manual");
    }
    assert_eq!(told(&repo, &["check"]), [""; 0]);
    repo.write("pump.md", MANUAL.replace('5', "8"));
    let changed = "error[text-changed] the text of `Limits` changed in substance: number `7` is now `8`";
    assert_eq!(told(&repo, &["check"]), [changed]);
}

#[test]
fn a_pin_to_a_revision_that_has_the_section_elsewhere() {
    let repo = repo(&[("cases.yaml", ""), ("docs/old/pump.md", MANUAL)]);
    repo.git(["tag", "v2.1"]);
    repo.git(["mv", "docs/old", "docs/new"]);
    repo.write(
        "cases.yaml",
        "- {id: T, cites: docs/new/pump.md#limits@v2.1}\n- {id: U, cites: docs/new/pump.md@v2.1}\n",
    );
    repo.commit("Move the manual, and cite it");
    assert_eq!(told(&repo, &["check"]), [""; 0]);
    assert_eq!(told(&repo, &["check", "v2.1..HEAD"]), [""; 0]);
    repo.write("docs/new/pump.md", MANUAL.replace('5', "9"));
    repo.commit("Raise the limit");
    let file = "error[text-changed] the text of `docs/old/pump.md` changed in substance: number `5` is now `9`";
    for arguments in [&["check"][..], &["check", "--rev", "HEAD"], &["check", "v2.1..HEAD"]] {
        assert_eq!(told(&repo, arguments), [CHANGED, file], "{arguments:?}");
    }
    assert_eq!(told(&repo, &["check", "HEAD^..HEAD"]), [CHANGED, &file.replace("old", "new")]);
}

#[test]
fn a_pin_to_a_revision_that_has_no_such_section_is_told() {
    let repo = repo(&[("cases.yaml", ""), ("pump.md", BEFORE)]);
    repo.git(["tag", "v2.1"]);
    repo.write("pump.md", MANUAL);
    repo.write("cases.yaml", CASE.replace("limits", "limits@v2.1"));
    repo.commit("Add a section and cite it");
    let unknown = "error[text-changed] the text of `Limits` is not the one that was reviewed";
    assert_eq!(told(&repo, &["check"]), [unknown]);
    let human = repo.citecheck(["check"]).stdout;
    let notes = [
        "note: `limits` leads nowhere at `v2.1`, to which it is pinned, so there is nothing to compare",
        "help: pin it to a revision that has the section, in the place of `v2.1`",
        "help: if the case still holds, run `citecheck accept T`",
    ];
    notes.iter().for_each(|line| assert!(human.contains(line), "{human}"));
    assert_eq!(told(&repo, &["check", "v2.1..HEAD"]), [unknown]);
    repo.write("pump.md", MANUAL.replace('5', "9"));
    repo.commit("Raise the limit");
    assert_eq!(told(&repo, &["check", "HEAD^..HEAD"]), [CHANGED]);
    assert_eq!(repo.citecheck(["accept", "T"]).code, 0);
    assert_eq!(told(&repo, &["check"]), [""; 0]);
}
