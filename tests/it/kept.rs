//! What a check printed is kept for when nothing has changed since: it is recalled then, and never otherwise.

use std::fs;
use std::path::PathBuf;

use crate::support::Repo;

/// As many cases as make a check worth keeping, all of them on one section that was changed after them.
fn large() -> Repo {
    let repo = Repo::new();
    repo.write("manual.md", "# Pump\n\n## Limits\n\nThe pump stops after 30 s.\n\n## Notes\n\nKeep it dry.\n");
    let cases: String = (0..250).map(|at| format!("- id: TC-{at}\n  cites: [limits]\n")).collect();
    repo.write("cases.yaml", cases);
    repo.commit("Add manual and cases");
    repo.write("manual.md", repo.read("manual.md").replace("30 s", "300 s"));
    repo.commit("Raise the limit");
    repo
}

fn kept(repo: &Repo) -> Vec<PathBuf> {
    let Ok(folder) = fs::read_dir(repo.path().join(".git/citecheck/checks")) else { return Vec::new() };
    folder.map(|entry| entry.unwrap().path()).collect()
}

/// Puts another text into everything that is kept, so that what is recalled can be told from what is found.
fn mark(repo: &Repo) {
    for file in kept(repo) {
        let text = "recalled\n";
        // The hash of the text, as sha256sum prints it.
        fs::write(&file, format!("citecheck.kept/1 1 {RECALLED}\n{text}")).unwrap();
    }
}

const RECALLED: &str = "f8e5baf16d64d9dfe25eafda79afbd02873313711f9dff3c6cd47fb8f924990a";

/// Whether a run recalls what was kept.
fn recalls(repo: &Repo, arguments: &[&str]) -> bool {
    mark(repo);
    repo.citecheck(arguments).stdout == "recalled\n"
}

#[test]
fn the_same_check_is_recalled_and_says_the_same() {
    let repo = large();
    let found = repo.citecheck(["check"]);
    assert_eq!((found.code, kept(&repo).len()), (1, 1), "{}", found.stdout);
    let again = repo.citecheck(["check"]);
    assert_eq!((again.code, again.stdout), (1, found.stdout));
    assert!(recalls(&repo, &["check"]));
    assert!(!recalls(&repo, &["check", "--format", "json"]), "another format is another output");
    assert!(!recalls(&repo, &["check", "--fail-on", "never"]));
    assert!(!recalls(&repo, &["check", "--warn", "text-changed"]));
    assert!(!recalls(&repo, &["check", "--quiet"]));
    assert!(!recalls(&repo, &["check", "--config", "rules.text-changed=warning"]));
    assert!(!recalls(&repo, &["check", "--config", "rules.text-changed=note"]));
    assert!(!recalls(&repo, &["check", "--statistics"]));
    assert!(!recalls(&repo, &["check", "--max-diagnostics=1"]));
    assert!(!recalls(&repo, &["check", "--allow", "text-changed"]));
    assert!(!recalls(&repo, &["check", "--rev", "HEAD~1"]));
    assert!(recalls(&repo, &["check", "--rev", "HEAD~1"]));
}

#[test]
fn a_run_without_the_configuration_is_another_run() {
    let repo = large();
    repo.write("citecheck.yaml", "rules: { text-changed: warning }\n");
    assert_eq!(repo.citecheck(["check"]).code, 0);
    assert!(!recalls(&repo, &["check", "--isolated"]));
    assert!(recalls(&repo, &["check"]));
}

#[test]
fn verbose_says_that_it_is_recalled() {
    let repo = large();
    let told = || repo.citecheck(["check", "-v"]).stderr.contains("recalled: nothing has changed");
    assert_eq!([told(), told()], [false, true]);
}

#[test]
fn what_changed_is_looked_at() {
    type Change = (&'static str, fn(&Repo));
    let changes: [Change; 7] = [
        ("a manual", |repo| repo.write("manual.md", repo.read("manual.md") + "\nMore.\n")),
        ("another manual", |repo| repo.write("other.md", "# Other\n\nText.\n")),
        ("a case", |repo| repo.write("cases.yaml", repo.read("cases.yaml") + "- id: TC-X\n  cites: [notes]\n")),
        ("line ends", |repo| repo.write("cases.yaml", repo.read("cases.yaml").replace('\n', "\r\n"))),
        ("the configuration", |repo| repo.write("citecheck.yaml", "rules: { text-changed: warning }\n")),
        ("pins", |repo| repo.write("citecheck.pins.yaml", "TC-1 limits c1-0123456789abcdef\n")),
        ("the history", |repo| _ = repo.git(["commit", "--quiet", "--allow-empty", "-m", "Nothing"])),
    ];
    for (what, change) in changes {
        let repo = large();
        repo.git(["config", "core.autocrlf", "input"]);
        repo.citecheck(["check"]);
        assert!(recalls(&repo, &["check"]), "{what}");
        change(&repo);
        assert!(!recalls(&repo, &["check"]), "{what}");
    }
}

#[test]
fn what_depends_on_more_is_not_kept() {
    let kept_after = |repo: &Repo, arguments: &[&str]| {
        repo.citecheck(arguments);
        kept(repo).len()
    };
    let repo = large();
    assert_eq!(kept_after(&repo, &["check", "HEAD~1..HEAD"]), 0, "a range");
    assert_eq!(kept_after(&repo, &["check", "--staged"]), 0, "what is staged");
    assert_eq!(kept_after(&repo, &["check", "manual.md"]), 0, "some files");
    assert_eq!(kept_after(&repo, &["hook", "run"]), 0, "a hook");
    let tagged = large();
    tagged.git(["tag", "v1", "HEAD~1"]);
    tagged.write("cases.yaml", tagged.read("cases.yaml").replacen("[limits]", "[limits@v1]", 1));
    assert_eq!(kept_after(&tagged, &["check"]), 0, "a tag may be moved");
    let few = Repo::with_manual("# Pump\n\nText.\n", "pump");
    assert_eq!(kept_after(&few, &["check"]), 0, "little work");
}

#[test]
fn what_cannot_be_read_or_written_is_done_without() {
    let repo = large();
    let found = repo.citecheck(["check"]);
    for file in kept(&repo) {
        fs::write(file, "citecheck.kept/1 0 nonsense\n").unwrap();
    }
    assert_eq!(repo.citecheck(["check"]).stdout, found.stdout);
    fs::remove_dir_all(repo.path().join(".git/citecheck")).unwrap();
    fs::write(repo.path().join(".git/citecheck"), "in the way").unwrap();
    let again = repo.citecheck(["check"]);
    assert_eq!((again.code, again.stdout, again.stderr), (1, found.stdout, found.stderr));
}
