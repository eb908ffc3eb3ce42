//! Folders and keys that get another name in the repository and in the configuration at once: the cases and sections of
//! before are still found, so that nothing counts as new.

use crate::support::Repo;

const CONFIG: &str = "manuals: ['docs/**/*.md']\ncases:\n- files: ['tests/cases/*.yaml']\n  cites: [cites]\n";

fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("docs/lift.md", "# Lift\n\n## Motor\n\nThe motor shall stop when it is hotter than 130 °C.\n");
    repo.write("tests/cases/a.yaml", "- id: A\n  title: Too hot\n  cites: [motor]\n");
    repo.write("citecheck.yaml", CONFIG);
    // It was never part of the manual, and names what the manual names.
    repo.write("README.md", "# Lift\n\n## Motor\n\nSee the manual.\n");
    repo.commit("Add manual and cases");
    repo.git(["tag", "base"]);
    repo
}

fn replace(repo: &Repo, path: &str, before: &str, after: &str) {
    let text = repo.read(path);
    assert!(text.contains(before), "{text}");
    repo.write(path, text.replace(before, after));
}

fn rename_cases(repo: &Repo) {
    repo.git(["mv", "tests/cases", "tests/system"]);
    replace(repo, "citecheck.yaml", "tests/cases", "tests/system");
}

fn rename_manual(repo: &Repo) {
    repo.git(["mv", "docs", "manual"]);
    replace(repo, "citecheck.yaml", "docs/", "manual/");
}

fn rename_key(repo: &Repo) {
    replace(repo, "tests/cases/a.yaml", "cites:", "verifies:");
    replace(repo, "citecheck.yaml", "[cites]", "[verifies]");
}

/// What a check says of the motor: that it changed, in full or as older than the range, or nothing.
fn told(repo: &Repo, arguments: &[&str]) -> &'static str {
    let out = repo.citecheck(std::iter::once("check").chain(arguments.iter().copied()));
    match (out.stdout.contains("text-changed"), out.stdout.contains("was stale before")) {
        (true, false) => "changed",
        (false, true) => "older",
        (false, false) => "fresh",
        (true, true) => "both",
    }
}

#[test]
fn what_was_stale_before_other_settings_is_stale() {
    for rename in [rename_cases, rename_manual, rename_key] {
        let repo = repo();
        let limit = |repo: &Repo| {
            let path = if repo.path().join("docs").exists() { "docs/lift.md" } else { "manual/lift.md" };
            replace(repo, path, "130", "300");
        };
        limit(&repo);
        repo.commit("Raise the limit");
        rename(&repo);
        repo.git(["add", "."]);
        assert_eq!(told(&repo, &["--staged"]), "fresh");
        assert_eq!(told(&repo, &[]), "changed");
        repo.commit("Rename");
        assert_eq!(told(&repo, &["HEAD~1..HEAD"]), "older");
        assert_eq!(told(&repo, &["base..HEAD"]), "changed");
        assert_eq!(told(&repo, &[]), "changed");
        repo.write("notes.txt", "x");
        repo.commit("Go on");
        assert_eq!(told(&repo, &[]), "changed");
    }
}

#[test]
fn what_changes_with_the_settings_is_told() {
    for rename in [rename_cases, rename_key] {
        let repo = repo();
        rename(&repo);
        replace(&repo, "docs/lift.md", "130", "300");
        repo.git(["add", "."]);
        assert_eq!(told(&repo, &["--staged"]), "changed");
        repo.commit("Rename and raise");
        assert_eq!(told(&repo, &["HEAD~1..HEAD"]), "changed");
        assert_eq!(told(&repo, &[]), "changed");
    }
}

#[test]
fn what_is_still_there_is_read_as_the_settings_say_now() {
    let repo = repo();
    repo.write("citecheck.yaml", "cases:\n- files: ['tests/cases/*.yaml']\n  cites: [cites]\n");
    repo.commit("Read every manual");
    repo.write("citecheck.yaml", CONFIG);
    replace(&repo, "docs/lift.md", "130", "300");
    repo.commit("Read what belongs to it");
    assert_eq!(told(&repo, &[]), "changed");
    assert_eq!(told(&repo, &["base..HEAD"]), "changed");
}

#[test]
fn what_the_settings_of_then_left_out_is_no_manual_of_then() {
    let repo = repo();
    repo.write("citecheck.yaml", CONFIG.replace("'docs/**/*.md'", "'**/*.md'"));
    repo.write("tests/cases/a.yaml", "- id: A\n  title: Too hot\n  cites: [docs/lift.md#motor]\n");
    repo.commit("Read every manual");
    repo.write("citecheck.yaml", CONFIG);
    repo.write("tests/cases/a.yaml", "- id: A\n  title: Much too hot\n  cites: [motor]\n");
    repo.commit("Read what belongs to it");
    repo.write("drafts/lift.md", "# Lift\n\n## Motor\n\nA draft.\n");
    repo.write("tests/cases/b.yaml", "- id: B\n  cites: [motor]\n");
    repo.commit("Draft");
    repo.git(["rm", "--quiet", "-r", "drafts", "README.md"]);
    repo.commit("Tidy up");
    let out = repo.citecheck(["check"]);
    assert!(out.code == 0 && out.stdout.contains("all 2 citations are fresh"), "{}", out.stdout);
    replace(&repo, "docs/lift.md", "130", "300");
    assert_eq!(told(&repo, &[]), "changed");
}
