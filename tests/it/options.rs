//! Options that tune one run: levels of rules, how much is told, counts instead of findings, settings.

use crate::support::{Output, Repo, output};

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

#[test]
fn quiet_prints_findings_and_nothing_else() {
    let repo = pump();
    let loud = repo.citecheck(["check", "HEAD~1..HEAD"]).stdout;
    let quiet = repo.citecheck(["check", "HEAD~1..HEAD", "-q"]);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (1, ""));
    assert!(loud.starts_with(&quiet.stdout) && loud.len() > quiet.stdout.len(), "{}", quiet.stdout);
    assert!(!quiet.stdout.contains("citations"), "{}", quiet.stdout);
    let clean = repo.citecheck(["check", "HEAD..HEAD", "--quiet"]);
    assert_eq!((clean.code, clean.stdout.as_str()), (0, ""));
    let json = |options: &[&str]| repo.citecheck([&["check", "--format=json"][..], options].concat()).stdout;
    assert_eq!(json(&["--quiet"]), json(&[]), "programs are told everything");
    let junit = repo.citecheck(["check", "--staged", "--format=junit"]);
    assert!(junit.stderr.starts_with("note: nothing is staged"), "{}", junit.stderr);
    assert_eq!(repo.citecheck(["check", "--staged", "--format=junit", "-q"]).stderr, "");
}

#[test]
fn quiet_does_not_hide_that_nothing_was_checked() {
    let repo = Repo::new();
    repo.write("manual.md", MANUAL);
    repo.commit("Add a manual");
    let out = repo.citecheck(["check", "-q"]);
    assert_eq!((out.code, out.stdout.lines().count()), (3, 1), "{}", out.stdout);
    assert!(out.stdout.starts_with("note: no case was found"), "{}", out.stdout);
}

#[test]
fn hooks_and_jobs_can_be_quiet() {
    let repo = pump();
    assert_eq!(repo.citecheck(["hook", "run", "-q"]).stdout, repo.citecheck(["check", "-q"]).stdout);
    let ci = repo.citecheck(["ci", "--base=HEAD~1", "-q"]);
    assert_eq!(ci.stdout, repo.citecheck(["check", "HEAD~1..HEAD", "-q"]).stdout);
    repo.git(["commit", "--quiet", "--allow-empty", "-m", "Nothing"]);
    assert_eq!(repo.citecheck(["ci", "--base=HEAD~1", "-q"]).stdout, "");
}

#[test]
fn verbose_says_what_is_compared_and_why() {
    let repo = pump();
    let commit = repo.git(["rev-parse", "HEAD~1"]);
    let check = |arguments: &[&str], expected: &[&str]| {
        let loud = repo.citecheck([arguments, &["-v"]].concat());
        assert_eq!(loud.stderr.lines().collect::<Vec<_>>(), expected, "{arguments:?}");
        assert_eq!(loud.stdout, repo.citecheck(arguments).stdout, "{arguments:?}");
    };
    let base = format!("base: HEAD~1 ({})", commit.trim());
    let head = format!("head: HEAD ({})", repo.git(["rev-parse", "HEAD"]).trim());
    let none = "configuration: none, so the defaults hold";
    check(&["check", "HEAD~1.."], &[&base, &head, "why: the range `HEAD~1..` was given", none]);
    let why = "why: no range was given, so each case is compared with its last review";
    check(&["check"], &["base: nothing", "head: worktree", why, none]);
    let why = "why: nothing is staged, so everything in the index was checked";
    check(&["check", "--staged"], &["base: nothing", "head: index", why, none]);
    check(&["ci", "--base=HEAD~1"], &[&base, &head, "why: compared as --base and --head say", none]);
    repo.write("citecheck.yaml", "pins: file\n");
    repo.git(["add", "."]);
    let base = head.replace("head:", "base:");
    check(&["hook", "run"], &[&base, "head: index", "why: what is staged", "configuration: citecheck.yaml"]);
    check(
        &["check", "--worktree"],
        &[&base, "head: worktree", "why: `--worktree` was given", "configuration: citecheck.yaml"],
    );
    refused(&repo.citecheck(["check", "-q", "-v"]), &["--quiet", "--verbose"]);
}

#[test]
fn only_so_many_diagnostics_are_shown_and_all_of_them_count() {
    let repo = pump();
    let range = ["check", "HEAD~1..HEAD", "--ungrouped"];
    let check = |options: &[&str]| repo.citecheck([&range[..], options].concat());
    let (all, one) = (check(&[]), check(&["--max-diagnostics=1"]));
    assert_eq!(all.stdout.matches("[text-").count(), 3, "{}", all.stdout);
    assert_eq!(one.stdout.matches("[text-").count(), 1, "{}", one.stdout);
    assert!(one.stdout.contains("… and 2 more findings; `--max-diagnostics 1` leaves them out\n"), "{}", one.stdout);
    assert_eq!(one.stdout.lines().last(), all.stdout.lines().last());
    let none = check(&["--max-diagnostics=0"]);
    assert_eq!(none.code, 1, "what is not shown counts");
    assert_eq!(check(&["--max-diagnostics=3"]).stdout, all.stdout);
    let concise = check(&["--max-diagnostics=2", "--format=concise", "-q"]).stdout;
    assert_eq!(concise.lines().count(), 3, "{concise}");
    for format in ["--format=json", "--format=markdown", "--format=sarif"] {
        assert_eq!(check(&[format, "--max-diagnostics=0"]).stdout, check(&[format]).stdout);
    }
}

#[test]
fn findings_are_counted_where_that_is_asked_for() {
    let repo = pump();
    let range = ["check", "HEAD~1..HEAD", "--statistics"];
    let told = repo.citecheck(range);
    let expected = "\
findings by rule
2  text-changed   2 errors
1  text-reworded  1 warning

findings by manual
3  docs/manual.md  2 errors, 1 warning

findings by section
2  docs/manual.md pump/limits  2 errors
1  docs/manual.md pump/notes   1 warning

";
    assert!(told.code == 1 && told.stdout.starts_with(expected), "{}", told.stdout);
    assert_eq!(told.stdout.lines().last(), repo.citecheck(["check", "HEAD~1..HEAD"]).stdout.lines().last());
    let report = repo.json(&range);
    assert_eq!(report["findings"].as_array().unwrap().len(), 3);
    assert_eq!(report["statistics"]["rules"][0]["findings"], 2);
    assert_eq!(report["statistics"]["manuals"][0]["file"], "docs/manual.md");
    assert_eq!(report["statistics"]["sections"][1]["id"], "pump/notes");
    assert_eq!(repo.json(&range[..2]).get("statistics"), None, "only where it is asked for");
    let clean = repo.citecheck(["check", "HEAD..HEAD", "--statistics", "-q"]);
    assert_eq!((clean.code, clean.stdout.as_str()), (0, ""));
}

#[test]
fn statistics_need_a_format_that_has_them() {
    let repo = pump();
    let out = repo.citecheck(["check", "--statistics", "--format=sarif"]);
    refused(&out, &["`--statistics` has no place in this format", "`--output json=FILE`"]);
    let out = repo.citecheck(["check", "--statistics", "--format=sarif", "--output=json=out.json"]);
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert!(repo.read("out.json").contains(r#""statistics":{"rules":[{"rule":"text-changed","findings":2"#));
}

#[test]
fn rules_are_told_to_programs_too() {
    let folder = Repo::bare_folder();
    let document = |arguments: &[&str]| -> serde_json::Value {
        let out = folder.citecheck(arguments.iter().chain(&["--format", "json"]));
        assert_eq!(out.code, 0, "{}", out.stderr);
        serde_json::from_str(&out.stdout).unwrap()
    };
    let all = document(&["rules"]);
    let names = |document: &serde_json::Value| -> Vec<String> {
        let rules = document["rules"].as_array().unwrap().iter();
        rules.map(|rule| rule["name"].as_str().unwrap().to_owned()).collect()
    };
    let table = folder.citecheck(["rules"]).stdout;
    let listed: Vec<_> = table.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(names(&all), listed);
    for (name, rule) in listed.iter().zip(all["rules"].as_array().unwrap()) {
        let one = document(&["explain", name]);
        assert_eq!(
            (names(&one), &one["rules"][0], &one["schema"]),
            (vec![name.clone()], rule, &"citecheck.rules/1".into())
        );
        assert!(rule["explanation"].as_str().unwrap().len() > 60, "{rule}");
    }
    let changed = &document(&["explain", "text-changed"])["rules"][0];
    assert_eq!((&changed["level"], &changed["fixable"]), (&"error".into(), &false.into()));
    let states: Vec<_> =
        changed["examples"].as_array().unwrap().iter().map(|it| it.as_str().unwrap().lines().next().unwrap()).collect();
    assert_eq!(states, ["Reviewed:", "Reported:", "Corrected:"]);
}

#[test]
fn what_has_a_fix_is_of_a_fixable_rule() {
    let repo = Repo::example();
    let is_fixable = |rule: &serde_json::Value| {
        let rule = rule.as_str().unwrap();
        let out = repo.citecheck(["explain", rule, "--format=json"]).stdout;
        serde_json::from_str::<serde_json::Value>(&out).unwrap()["rules"][0]["fixable"].as_bool().unwrap()
    };
    let report = repo.json(&["check", "v1..v3"]);
    let fixed: Vec<_> = report["findings"].as_array().unwrap().iter().filter(|it| !it["fix"].is_null()).collect();
    assert!(!fixed.is_empty() && fixed.iter().all(|finding| is_fixable(&finding["rule"])), "{fixed:?}");
}

/// A run with variables of the environment.
fn with_variables(repo: &Repo, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
    output(repo.citecheck_command().envs(variables.iter().copied()).args(arguments))
}

#[test]
fn settings_go_over_the_configuration() {
    let repo = pump();
    repo.write("citecheck.yaml", "rules: { text-changed: warning }\nmanuals: [docs/*.md]\n");
    repo.commit("Configure");
    let check = |options: &[&str], expected: &[&str]| {
        assert_eq!(levels(&repo, &[&["check", "HEAD~2..HEAD"], options].concat()), expected, "{options:?}");
    };
    check(&[], &["text-changed warning", "text-reworded warning"]);
    check(&["--config", "rules.text-reworded=off"], &["text-changed warning"]);
    check(&["--config=rules.text-reworded=off", "--config=rules.text-changed=error"], &["text-changed error"]);
    check(&["--config=rules.text-changed=note", "--config=rules.text-changed=off"], &["text-reworded warning"]);
    check(&["--config=rules={}"], &["text-changed error", "text-reworded warning"]);
    check(
        &["--config=rules={text-changed: off}", "--deny=text-changed"],
        &["text-changed error", "text-reworded warning"],
    );
    check(&["--isolated"], &["text-changed error", "text-reworded warning"]);
    check(&["--isolated", "--config=rules.text-changed=off"], &["text-reworded warning"]);
    repo.write("other.yaml", "rules: { text-reworded: error }\n");
    repo.commit("Configure otherwise");
    let other = ["check", "HEAD~3..HEAD", "--config=other.yaml", "--config=rules.text-changed=off"];
    assert_eq!(levels(&repo, &other), ["text-reworded error"]);
    // Before the command and in another folder.
    let out =
        repo.citecheck(["-C", "docs", "--config=rules.text-changed=off", "check", "HEAD~3..HEAD", "--format=concise"]);
    assert!(!out.stdout.contains("text-changed") && out.stdout.contains("warning[text-reworded]"), "{}", out.stdout);
}

#[test]
fn what_is_wrong_with_a_setting_is_shown_in_the_option() {
    let repo = pump();
    let out = repo.citecheck(["check", "--config", "rules.text-changed=wanring"]);
    refused(&out, &[" --config:1:20", "rules.text-changed=wanring", "unknown value `wanring`", "`warning`"]);
    let out = repo.citecheck(["check", "--config", "rules.text-chnged=off"]);
    refused(&out, &[" --config:1:1", "unknown rule `text-chnged`", "`text-changed`"]);
    let out = repo.citecheck(["check", "--config", "manuals=[handbook/*.md]"]);
    refused(&out, &[" --config:1:10", "pattern `handbook/*.md` matches no file"]);
    let out = repo.citecheck(["check", "--config", "rulez.text-changed=off"]);
    refused(&out, &["`rulez.text-changed=off` does not exist", "a key with a similar name exists: `rules`"]);
    refused(&repo.citecheck(["check", "--config=a.yaml", "--config=b.yaml"]), &["`a.yaml` and `b.yaml`", "one file"]);
    refused(&repo.citecheck(["check", "--isolated", "--config=a.yaml"]), &["`--isolated`", "`--config FILE`"]);
    refused(&repo.citecheck(["check", "--isolated", "--config-from=HEAD"]), &["`--isolated`", "`--config-from`"]);
}

#[test]
fn the_settings_that_hold_can_be_printed_and_read_again() {
    let repo = pump();
    let defaults = repo.citecheck(["config"]);
    assert_eq!(defaults.code, 0, "{}", defaults.stderr);
    assert!(
        defaults.stdout.starts_with("# No configuration was read: the defaults.\nmanuals: ["),
        "{}",
        defaults.stdout
    );
    repo.write("citecheck.yaml", "rules: { text-changed: warning }\npins: file\n");
    repo.commit("Configure");
    let told = repo.citecheck(["config", "--config", "words.modality=[shall]"]).stdout;
    let head = "# From citecheck.yaml, with the defaults.\n# --config words.modality=[shall]\n";
    assert!(told.starts_with(head), "{told}");
    for part in ["\n  text-changed: warning\n", "\n#  text-reworded: warning\n", "pins: file", "modality: [\"shall\"]"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    repo.write("citecheck.yaml", &told);
    let body = |text: &str| text.lines().filter(|line| !line.starts_with("# ")).collect::<Vec<_>>().join("\n");
    assert_eq!(body(&repo.citecheck(["config"]).stdout), body(&told));
    assert_eq!(body(&repo.citecheck(["config", "--isolated"]).stdout), body(&defaults.stdout));
    assert!(repo.citecheck(["config", "--rev", "HEAD~1"]).stdout.starts_with("# No configuration"));
    assert_eq!(
        levels(&repo, &["check", "HEAD~2..HEAD", "--config-from=HEAD"]),
        ["text-changed warning", "text-reworded warning"]
    );
}

#[test]
fn options_can_come_from_the_environment() {
    let repo = pump();
    let range = ["check", "HEAD~1..HEAD"];
    let code = |name: &str, value: &str, options: &[&str]| {
        with_variables(&repo, &[(name, value)], &[&range[..], options].concat()).code
    };
    assert_eq!(code("CITECHECK_FAIL_ON", "never", &[]), 0);
    assert_eq!(code("CITECHECK_FAIL_ON", "never", &["--fail-on", "error"]), 1, "what is typed goes before it");
    assert_eq!(code("CITECHECK_FAIL_ON", "nonsense", &[]), 2);
    assert_eq!(code("CITECHECK_CONFIG", "rules.text-changed=warning", &[]), 0);
    assert_eq!(code("CITECHECK_CONFIG", "rules.text-changed=warning", &["--config=pins=inline"]), 1);
    assert_eq!(code("CITECHECK_CONFIG_FROM", "no-such-revision", &[]), 2);
    assert_eq!(code("CITECHECK_CONFIG_FROM", "no-such-revision", &["--isolated"]), 1);
    let stdout = |name: &str, value: &str| with_variables(&repo, &[(name, value)], &range).stdout;
    assert!(stdout("CITECHECK_FORMAT", "json").starts_with("{\"schema\""));
    assert!(stdout("CITECHECK_COLOR", "always").contains('\u{1b}'));
    assert!(stdout("CITECHECK_MAX_DIAGNOSTICS", "0").starts_with("… and 3 more"));
    repo.write("citecheck.yaml", "rules: { text-changed: warning }\n");
    repo.commit("Configure");
    let isolated =
        |value: &str| with_variables(&repo, &[("CITECHECK_ISOLATED", value)], &["check", "HEAD~2..HEAD"]).code;
    assert_eq!([isolated("1"), isolated("true"), isolated("0"), isolated("")], [1, 1, 0, 0]);
    let with =
        |option: &str| with_variables(&repo, &[("CITECHECK_ISOLATED", "1")], &["check", "HEAD~2..HEAD", option]).code;
    assert_eq!([with("--config=citecheck.yaml"), with("--config=pins=inline"), with("--config-from=HEAD")], [0, 1, 0]);
    let help = with_variables(&repo, &[("CITECHECK_FAIL_ON", "never")], &["check", "-h"]).stdout;
    assert!(help.contains("[env: CITECHECK_FAIL_ON]"), "{help}");
}

#[test]
fn a_hook_decides_by_the_repository_and_not_by_the_environment() {
    let repo = Repo::with_manual(MANUAL, "pump/limits");
    repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    repo.git(["add", "."]);
    let plain = repo.citecheck(["hook", "run"]);
    assert_eq!(plain.code, 1, "{}", plain.stderr);
    for (name, value) in [
        ("CITECHECK_FAIL_ON", "never"),
        ("CITECHECK_FAIL_ON", "nonsense"),
        ("CITECHECK_CONFIG", "rules.text-changed=off"),
        ("CITECHECK_CONFIG", "no-such-file.yaml"),
        ("CITECHECK_CONFIG_FROM", "no-such-revision"),
        ("CITECHECK_FORMAT", "json"),
    ] {
        let out = with_variables(&repo, &[(name, value)], &["hook", "run"]);
        assert_eq!((out.code, &out.stdout), (1, &plain.stdout), "{name}={value}: {}", out.stderr);
    }
    let typed = repo.citecheck(["hook", "run", "--config=rules.text-changed=off"]);
    assert_eq!(typed.code, 0, "{}", typed.stdout);
    repo.write("citecheck.yaml", "rules: { text-changed: off }\n");
    repo.git(["add", "."]);
    assert_eq!(with_variables(&repo, &[("CITECHECK_ISOLATED", "1")], &["hook", "run"]).code, 0);
    assert_eq!(repo.citecheck(["hook", "run", "--isolated"]).code, 1);
}
