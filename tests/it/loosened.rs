//! What a range does to be told less: a change of the configuration is told by what it leaves out, in every format, and
//! the configuration can be read from a revision that the range cannot change.

use serde_json::Value;

use crate::support::{Repo, formats};

const MANUAL: &str = "# Pump\n\n## Limits\n\nThe pump shall stop within 30 s.\n";
const CASES: &str = "cases:\n  - id: TC-1\n    cites: [limits]\n    verifies: [notes]\n";

/// A repository with this configuration, or none.
fn repo(before: Option<&str>) -> Repo {
    let repo = Repo::new();
    repo.write("docs/pump.md", MANUAL);
    repo.write("docs/notes.md", "# Notes\n\nKeep the pump dry.\n");
    repo.write("cases/pump.yaml", CASES);
    repo.write("compose.yaml", "services: {}\n");
    configure(&repo, before);
    repo.commit("Add manual and cases");
    repo
}

fn configure(repo: &Repo, text: Option<&str>) {
    match text {
        Some(text) => repo.write("citecheck.yaml", text),
        None => _ = std::fs::remove_file(repo.path().join("citecheck.yaml")),
    }
}

fn notes(repo: &Repo, arguments: &[&str]) -> Vec<String> {
    let report = repo.json(arguments);
    report["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap().to_owned()).collect()
}

#[track_caller]
fn check(before: Option<&str>, after: Option<&str>, expected: &[&str]) {
    let repo = repo(before);
    configure(&repo, after);
    repo.commit("Change the configuration");
    assert_eq!(notes(&repo, &["check", "HEAD~1..HEAD"]), expected, "{before:?} to {after:?}");
    assert_eq!(notes(&repo, &["check", "HEAD~1..HEAD", "--all"]), expected, "{before:?} to {after:?}");
}

#[test]
fn a_rule_that_is_told_less_is_told() {
    check(
        Some("rules: {}\n"),
        Some("rules: {text-changed: warning, section-split: warning, no-citations: note, text-reworded: off}\n"),
        &[
            "loosened in citecheck.yaml: `section-split` is warning, was warning or error",
            "loosened in citecheck.yaml: `text-changed` is warning, was error",
            "loosened in citecheck.yaml: `text-reworded` is off, was warning",
        ],
    );
    check(
        Some("rules: {section-moved: error, no-citations: error}\n"),
        Some("rules: {text-changed: error}\n"),
        &[
            "loosened in citecheck.yaml: `no-citations` is off, was error",
            "loosened in citecheck.yaml: `section-moved` is warning or error, was error",
        ],
    );
}

#[test]
fn files_that_are_no_longer_read_are_told() {
    check(
        Some("manuals: docs/\n"),
        Some("manuals: ['docs/', '!docs/notes.md']\n"),
        &["loosened in citecheck.yaml: docs/notes.md is no longer part of the manual"],
    );
    check(
        None,
        Some("manuals: docs/pump.md\ncases: {files: cases/, cites: verifies}\n"),
        &[
            "the configuration citecheck.yaml is new",
            "loosened in citecheck.yaml: docs/notes.md is no longer part of the manual",
            "loosened in citecheck.yaml: 1 citation is no longer read, in cases/pump.yaml",
        ],
    );
    check(
        Some("cases: {files: '*.yaml', cites: [cites, verifies]}\n"),
        None,
        &[
            "the configuration citecheck.yaml is gone, so the defaults hold",
            "loosened in citecheck.yaml: 1 citation is no longer read, in cases/pump.yaml",
        ],
    );
    check(
        Some("cases: {files: cases/, cites: [cites, verifies]}\n"),
        Some("cases: {files: '*.yaml', cites: [cites, verifies], cite-pattern: 'lim\\w+'}\n"),
        &["loosened in citecheck.yaml: 1 citation is no longer read, in cases/pump.yaml"],
    );
}

#[test]
fn other_settings_that_tell_less_are_told() {
    check(
        Some("words: {modality: [soll], filler: [etwa]}\n"),
        Some("words: {filler: [etwa, stets]}\nsections: {numbered-paragraphs: true}\n"),
        &[
            "loosened in citecheck.yaml: `soll` no longer signals modality",
            "loosened in citecheck.yaml: `stets` may now come and go",
            "loosened in citecheck.yaml: `sections` says otherwise what begins a section",
        ],
    );
}

#[test]
fn what_reads_the_same_or_more_is_no_news() {
    check(Some("manuals: docs/\n"), Some("# Where the manual is.\nmanuals: ['docs/**']\n"), &[]);
    check(Some("manuals: docs/pump.md\n"), Some("manuals: docs/\nrules: {text-reworded: error}\n"), &[]);
    check(Some("manuals: docs/\n"), Some("manuals: docs/\n"), &[]);
    check(None, Some("rules: {}\n"), &["the configuration citecheck.yaml is new"]);
    check(None, None, &[]);
}

#[test]
fn a_configuration_that_moves_or_cannot_be_read_is_told() {
    let repo = repo(Some("rules: {}\n"));
    configure(&repo, None);
    repo.write(".github/citecheck.yaml", "rules: {text-changed: off}\n");
    repo.git(["add", "--all"]);
    let told = [
        "the configuration is in .github/citecheck.yaml, before in citecheck.yaml",
        "loosened in .github/citecheck.yaml: `text-changed` is off, was error",
    ];
    assert_eq!(notes(&repo, &["check", "--staged"]), told);
    let repo = self::repo(Some("manuals: [docs/\n"));
    configure(&repo, Some("manuals: docs/\n"));
    repo.commit("Mend the configuration");
    let told =
        "the configuration at the start of the range cannot be read, so what the range changed in it is not told";
    assert_eq!(notes(&repo, &["check", "HEAD~1..HEAD"]), [told]);
}

#[test]
fn a_configuration_that_is_not_staged_is_told() {
    let repo = repo(Some("rules: {}\n"));
    repo.write("docs/pump.md", MANUAL.replace("30", "300"));
    repo.git(["add", "--all"]);
    configure(&repo, Some("rules: {text-changed: off}\n"));
    let out = repo.citecheck(["check", "--staged"]);
    assert_eq!(out.code, 1, "{}", out.stdout);
    assert!(out.stdout.contains("`citecheck.yaml` on disk differs from what was checked, the index"), "{}", out.stdout);
}

#[test]
fn a_range_that_leaves_the_configuration_alone_says_nothing_of_it() {
    let repo = repo(Some("rules: {text-changed: off}\n"));
    repo.write("docs/pump.md", MANUAL.replace("30", "300"));
    repo.commit("Raise the limit");
    assert!(notes(&repo, &["check", "HEAD~1..HEAD"]).is_empty());
    // The first commit of all has nothing to compare with.
    let first = Repo::new();
    first.write("docs/pump.md", MANUAL);
    first.write("cases/pump.yaml", CASES);
    first.write("citecheck.yaml", "rules: {text-changed: off}\n");
    first.git(["add", "--all"]);
    assert!(!notes(&first, &["check", "--staged"]).iter().any(|note| note.contains("configuration")));
}

#[test]
fn a_merge_tells_what_it_loosens_itself() {
    let repo = repo(Some("rules: {}\n"));
    repo.git(["switch", "--quiet", "--create", "topic"]);
    configure(&repo, Some("rules: {text-changed: off}\n"));
    repo.commit("Loosen");
    repo.git(["switch", "--quiet", "main"]);
    repo.write("docs/notes.md", "# Notes\n\nKeep the pump clean.\n");
    repo.commit("Edit the notes");
    repo.git(["merge", "--quiet", "--no-commit", "topic"]);
    let merged = repo.citecheck(["hook", "run"]);
    assert!(!merged.stdout.contains("loosened"), "{}", merged.stdout);
    configure(&repo, Some("rules: {text-changed: off, text-reworded: off}\n"));
    repo.git(["add", "--all"]);
    let merged = repo.citecheck(["hook", "run"]);
    let told = "loosened in citecheck.yaml: `text-reworded` is off, was warning";
    let page = merged.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(page.matches(told).count(), 1, "{}", merged.stdout);
}

#[test]
fn every_format_tells_it() {
    let repo = repo(Some("rules: {}\n"));
    configure(&repo, Some("rules: {text-changed: off}\n"));
    repo.commit("Loosen");
    let told = "`text-changed` is off, was error";
    // These have no place for it.
    let without = ["gitlab", "junit", "rdjson"];
    for format in formats("check") {
        let out = repo.citecheck(["check", "HEAD~1..HEAD", "--format", &format]);
        let page = out.stdout.replace("<code>", "`").replace("</code>", "`").replace("&#8203;", "");
        let is_without = without.contains(&format.as_str());
        assert_eq!((page.contains(told), out.stderr.contains(told)), (!is_without, is_without), "{format}: {page}");
    }
}

#[test]
fn the_settings_can_be_those_of_another_revision() {
    let repo = repo(Some("rules: {}\n"));
    configure(&repo, Some("rules: {text-changed: off}\n"));
    repo.write("docs/pump.md", MANUAL.replace("30", "300"));
    repo.commit("Loosen and raise the limit");
    assert_eq!(repo.citecheck(["check", "HEAD~1..HEAD"]).code, 0);
    let report = repo.json(&["check", "HEAD~1..HEAD", "--config-from", "HEAD~1"]);
    assert_eq!(report["findings"][0]["rule"], "text-changed", "{report}");
    assert_ne!(report["notes"], Value::Array(Vec::new()));
    let out = repo.citecheck(["check", "HEAD~1..HEAD", "--config-from", "nowhere"]);
    assert_eq!(out.code, 2);
    assert!(out.stderr.starts_with("error: unknown revision `nowhere`"), "{}", out.stderr);
}

#[test]
fn a_file_that_only_looks_like_the_configuration_is_refused() {
    let repo = repo(None);
    repo.write("citecheck.yml", "rules: {text-changed: off}\n");
    let out = repo.citecheck(["check"]);
    assert_eq!(out.code, 2, "{}", out.stdout);
    assert!(out.stderr.contains("rename it to `citecheck.yaml`"), "{}", out.stderr);
}

#[test]
fn what_is_not_read_loosens_nothing() {
    let repo = repo(None);
    configure(&repo, Some("rules: { text-changed: off }\n"));
    repo.commit("Change the configuration");
    let told = |options: &[&str]| notes(&repo, &[&["check", "HEAD~1..HEAD"], options].concat()).len();
    assert_eq!(told(&[]), 2, "it is new, and it takes a rule away");
    assert_eq!(told(&["--isolated"]), 0);
    assert_eq!(told(&["--config=rules.text-changed=error"]), 1, "the same level on both ends");
}
