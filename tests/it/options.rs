//! Options that tune one run: levels of rules, how much is told, counts instead of findings, settings.

use crate::support::{Output, Repo};

const MANUAL: &str = "# Pump\n\n## Limits\n\nThe pump shall stop within 30 s.\n\n## Notes\n\nKeep the pump dry in \
                      transport.\n\n## Store\n\nStore the pump upright.\n";

/// A limit changed, a word without weight, and two cases cite both; all of it committed.
fn pump() -> Repo {
    let repo = Repo::with_manual(MANUAL, "pump/limits, pump/notes");
    repo.write("more.yaml", "cases:\n  - id: TC-2\n    cites: pump/limits\n");
    repo.commit("Add a case");
    let manual = MANUAL.replace("30 s", "300 s").replace("dry in transport", "dry during transport");
    repo.write("docs/manual.md", manual);
    repo.commit("Raise the limit");
    repo
}

/// Rule and level of each finding, sorted.
fn levels(repo: &Repo, arguments: &[&str]) -> Vec<String> {
    let report = repo.json(arguments);
    let findings = report["findings"].as_array().unwrap().iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let mut levels: Vec<String> = findings.map(|it| format!("{} {}", text(&it["rule"]), text(&it["level"]))).collect();
    levels.sort();
    levels.dedup();
    levels
}

/// Expects a usage error that names every part.
fn refused(out: &Output, parts: &[&str]) {
    assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{}", out.stderr);
    for part in parts {
        assert!(out.stderr.contains(part), "{part}: {}", out.stderr);
    }
}

#[test]
fn options_give_rules_a_level_over_the_configuration() {
    let repo = pump();
    repo.write("citecheck.yaml", "rules: { text-reworded: off, no-citations: warning }\n");
    repo.commit("Configure");
    let range = ["check", "HEAD~2..HEAD"];
    let check = |options: &[&str], expected: &[&str], code| {
        let arguments = [&range[..], options].concat();
        assert_eq!(levels(&repo, &arguments), expected, "{options:?}");
        assert_eq!(repo.citecheck(&arguments).code, code, "{options:?}");
    };
    check(&[], &["text-changed error"], 1);
    check(&["--warn", "text-changed"], &["text-changed warning"], 0);
    check(&["-A", "text-changed", "-D", "text-reworded"], &["text-reworded error"], 1);
    check(&["-Wtext-changed,text-reworded"], &["text-changed warning", "text-reworded warning"], 0);
    check(&["-A", "text-changed", "-W", "text-changed"], &["text-changed warning"], 0);
}

#[test]
fn a_level_of_an_option_is_said_once() {
    let repo = pump();
    repo.write("citecheck.yaml", "rules: { text-changed: warning }\n");
    repo.commit("Configure");
    let told =
        |options: &[&str]| repo.citecheck([&["check", "HEAD~2..HEAD", "--ungrouped"][..], options].concat()).stdout;
    assert_eq!(told(&[]).matches("the configuration makes `text-changed` a warning").count(), 1);
    let out = told(&["-D", "text-reworded", "-W", "text-changed"]);
    assert_eq!(out.matches("`--warn` makes `text-changed` a warning").count(), 1, "{out}");
    assert_eq!(out.matches("`--deny` makes `text-reworded` an error").count(), 1, "{out}");
    let out = told(&["-D", "text-changed"]);
    assert!(!out.contains("makes `text-changed`"), "that is its own level: {out}");
}

#[test]
fn an_unknown_rule_is_a_usage_error_with_the_nearest_name() {
    for command in [&["check"][..], &["ci"], &["hook", "run"]] {
        let out = pump().citecheck([command, &["-D", "text-chnged"]].concat());
        refused(&out, &["text-chnged", "'text-changed'"]);
    }
}

#[test]
fn hooks_and_jobs_take_levels_too() {
    let repo = Repo::with_manual(MANUAL, "pump/notes");
    repo.write("docs/manual.md", MANUAL.replace("dry in transport", "dry during transport"));
    repo.git(["add", "."]);
    assert_eq!(repo.citecheck(["hook", "run"]).code, 0);
    assert_eq!(repo.citecheck(["hook", "run", "--deny", "text-reworded"]).code, 1);
    repo.commit("Reword");
    let ci = |options: &[&str]| repo.citecheck([&["ci", "--base", "HEAD~1"][..], options].concat()).code;
    assert_eq!((ci(&[]), ci(&["-D", "text-reworded"]), ci(&["-D", "text-reworded", "-A", "text-reworded"])), (0, 1, 0));
}

#[test]
fn a_merge_takes_levels_too() {
    let repo = Repo::with_manual(MANUAL, "pump/store");
    repo.git(["checkout", "--quiet", "-b", "topic"]);
    repo.write("more.yaml", "cases:\n  - id: TC-2\n    cites: pump/notes\n");
    repo.commit("Add a case");
    repo.git(["checkout", "--quiet", "main"]);
    repo.write("docs/manual.md", MANUAL.replace("dry in transport", "dry during transport"));
    repo.commit("Reword");
    repo.git(["merge", "--quiet", "--no-commit", "--no-ff", "topic"]);
    let code = |options: &[&str]| repo.citecheck([&["hook", "run", "pre-merge-commit"][..], options].concat()).code;
    assert_eq!((code(&[]), code(&["-D", "text-reworded"])), (0, 1));
}
