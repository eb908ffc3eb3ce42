//! The command line: exit status, formats, and the errors that a user meets first.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Repo, citecheck, output};

const MANUAL: &str =
    "# Pump\n\n## Limits\n\nThe pump shall stop within 30 s.\n\n## Notes\n\nKeep the pump dry in transport.\n";

/// A limit changed and a word without weight, in two commits on top of a first one.
fn pump() -> Repo {
    let repo = Repo::with_manual(MANUAL, "pump/limits, pump/notes");
    repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    repo.commit("Raise the limit");
    repo
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn status_tells_whether_there_is_something_to_do() {
    let repo = pump();
    let check = |arguments: &[&str], code| {
        let out = repo.citecheck(arguments);
        assert_eq!(out.code, code, "{arguments:?}:\n{}{}", out.stdout, out.stderr);
    };
    check(&["check", "HEAD..HEAD"], 0);
    check(&["check", "HEAD~1..HEAD"], 1);
    check(&["check", "HEAD~1...HEAD"], 1);
    check(&["check", "--base", "HEAD~1", "--head", "HEAD"], 1);
    check(&["check", "HEAD~1..HEAD", "--fail-on", "never"], 0);
    check(&["check", "HEAD~1..HEAD", "--format", "json"], 1);
    check(&["check", "HEAD~1..HEAD", "--format", "json", "--fail-on", "never"], 0);
    check(&["diff", "HEAD..HEAD"], 0);
    check(&["check", "no-such-revision..HEAD"], 2);
    check(&["diff", "HEAD~7..HEAD"], 2);
    check(&["check", "--no-such-flag"], 2);
    check(&["check", "HEAD~1..HEAD", "--format", "no-such-format"], 2);
    check(&["no-such-command"], 2);
}

#[test]
fn a_warning_fails_only_where_it_is_asked_to() {
    let repo = Repo::with_manual(MANUAL, "pump/notes");
    repo.write("docs/manual.md", MANUAL.replace("dry in transport", "dry during transport"));
    repo.commit("Reword the notes");
    let report = repo.json(&["check", "HEAD~1..HEAD"]);
    assert_eq!(report["findings"][0]["rule"], "text-reworded", "{report:#}");
    assert_eq!(repo.citecheck(["check", "HEAD~1..HEAD"]).code, 0);
    assert_eq!(repo.citecheck(["check", "HEAD~1..HEAD", "--fail-on", "warning"]).code, 1);
}

#[test]
fn a_level_of_the_configuration_is_said_once() {
    let repo = Repo::with_manual(MANUAL, "pump/limits");
    repo.write("more.yaml", "cases:\n  - {id: TC-2, cites: pump/limits}\n  - {id: TC-3, cites: no}\n");
    repo.write("citecheck.yaml", "rules: {text-changed: warning, unknown-section: error}\n");
    repo.commit("Add cases and configuration");
    repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    let out = repo.citecheck(["check", "--ungrouped"]);
    assert_eq!(out.stdout.matches("warning[text-changed]").count(), 2, "{}", out.stdout);
    assert_eq!(out.stdout.matches("the configuration makes `text-changed` a warning").count(), 1, "{}", out.stdout);
    assert_eq!(out.stdout.matches("the configuration makes").count(), 1, "{}", out.stdout);
}

#[test]
fn nothing_to_check_is_told_apart_from_nothing_found() {
    let repo = Repo::new();
    repo.write("notes.txt", "no manual\n");
    repo.commit("Start");
    assert_eq!(repo.citecheck(["check", "--rev", "HEAD"]).code, 3, "no manual");
    repo.write("manual.md", MANUAL);
    repo.commit("Add a manual");
    let out = repo.citecheck(["check", "--rev", "HEAD"]);
    assert_eq!(out.code, 3, "no case: {}{}", out.stdout, out.stderr);
}

#[test]
fn outside_of_a_repository_is_an_error_that_says_so() {
    let out = Repo::bare_folder().citecheck(["check"]);
    assert_eq!(out.code, 2);
    assert!(out.stderr.contains("repository"), "{}", out.stderr);
    assert_eq!(out.stdout, "");
}

#[test]
fn an_unknown_revision_is_named() {
    let out = pump().citecheck(["check", "v9..HEAD"]);
    assert_eq!(out.code, 2);
    assert!(out.stderr.contains("v9"), "{}", out.stderr);
    assert_eq!(out.stdout, "");
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let repo = Repo::new();
    repo.write("manual.md", MANUAL);
    repo.write("cases.yaml", "cases:\n  - id: TC-1\n    cites: pump/limits\n");
    repo.git(["add", "."]);
    for arguments in [&["check", "--staged"][..], &["check"], &["check", "--worktree"]] {
        let out = repo.citecheck(arguments);
        assert_eq!(out.code, 0, "{arguments:?}: {}{}", out.stdout, out.stderr);
    }
}

#[test]
fn index_and_work_tree_are_kept_apart() {
    let repo = Repo::with_manual(MANUAL, "pump/limits");
    let rules = |arguments: &[&str]| repo.json(arguments)["findings"].as_array().unwrap().len();
    repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    assert_eq!([rules(&["check", "--staged"]), rules(&["check", "--worktree"])], [0, 1]);
    repo.git(["add", "."]);
    repo.write("docs/manual.md", MANUAL);
    assert_eq!([rules(&["check", "--staged"]), rules(&["check", "--worktree"])], [1, 0]);
}

#[test]
fn diff_shows_what_is_not_committed_as_git_does() {
    let repo = pump();
    repo.git(["branch", "docs"]);
    repo.write("docs/manual.md", MANUAL.replace("30 s", "31 s"));
    let told = |arguments: &[&str]| {
        let report = repo.json(arguments);
        let end = |end: &str| report[end]["rev"].as_str().unwrap_or_default().to_owned();
        let numbers = report["sections"].as_array().unwrap().iter().flat_map(|it| it["signals"].as_array().unwrap());
        let numbers: Vec<_> = numbers.map(|it| format!("{}-{}", it["before"], it["after"]).replace('"', "")).collect();
        format!("{}..{}: {}", end("base"), end("head"), numbers.join(" "))
    };
    assert_eq!(told(&["diff"]), "HEAD..worktree: 300-31");
    assert_eq!(told(&["diff", "docs"]), "HEAD..worktree: 300-31", "a folder is a path, whatever branch has its name");
    assert_eq!(told(&["diff", "HEAD~1"]), "HEAD~1..worktree: 30-31");
    assert_eq!(told(&["diff", "HEAD~1", "docs/manual.md"]), "HEAD~1..worktree: 30-31");
    assert_eq!(told(&["diff", "--staged"]), "HEAD..index: ");
    repo.git(["add", "docs"]);
    repo.write("docs/manual.md", MANUAL);
    assert_eq!(told(&["diff", "--staged"]), "HEAD..index: 300-31");
    assert_eq!(told(&["diff", "--cached"]), "HEAD..index: 300-31", "as git calls it, too");
    assert_eq!(told(&["diff", "--staged", "HEAD~1"]), "HEAD~1..index: 30-31");
    assert_eq!(told(&["diff", "HEAD~1..HEAD"]), "HEAD~1..HEAD: 30-300");
}

#[test]
fn a_manual_that_diff_cannot_read_is_told_once_and_where() {
    let repo = pump();
    let told = |arguments: &[&str]| repo.citecheck(arguments).stderr;
    let why = "the file is not UTF-8 text: byte 3 is no character; convert it, or leave it out by a pattern\n";
    repo.write("docs/more.md", b"# \xff\n");
    assert_eq!(told(&["diff"]), format!("warning: `docs/more.md` at worktree: {why}"));
    repo.commit("Add more");
    repo.write("docs/more.md", b"# \xff\n\n## More\n");
    assert_eq!(told(&["diff"]), format!("warning: `docs/more.md`: {why}"));
    repo.write("docs/more.md", "# More\n");
    assert_eq!(told(&["diff"]), format!("warning: `docs/more.md` at HEAD: {why}"));
    repo.write("docs/more.md", b"# More \xff\n");
    let other = why.replace('3', "8");
    assert_eq!(
        told(&["diff"]),
        format!("warning: `docs/more.md` at worktree: {other}warning: `docs/more.md` at HEAD: {why}")
    );
}

#[test]
fn a_run_writes_nothing_into_the_repository() {
    let repo = pump();
    let before = (repo.git(["status", "--porcelain", "--ignored"]), repo.read(".git/index").len());
    for arguments in [&["check", "HEAD~1..HEAD"][..], &["check"], &["check", "--staged"], &["diff", "HEAD~1..HEAD"]] {
        repo.citecheck(arguments);
    }
    assert_eq!((repo.git(["status", "--porcelain", "--ignored"]), repo.read(".git/index").len()), before);
    assert!(!repo.path().join(".git/index.lock").exists());
}

#[test]
fn the_json_of_check_has_its_keys() {
    let repo = pump();
    let report = repo.json(&["check", "HEAD~1..HEAD"]);
    assert_eq!(report["schema"], "citecheck.check/1");
    for key in ["base", "findings", "head", "summary"] {
        assert!(keys(&report).contains(&key), "{key}");
    }
    assert_eq!(report["base"]["rev"], "HEAD~1");
    assert_eq!(report["base"]["commit"], repo.git(["rev-parse", "HEAD~1"]).trim());
    assert_eq!(report["head"]["commit"], repo.git(["rev-parse", "HEAD"]).trim());

    let finding = &report["findings"][0];
    for key in ["rule", "level", "impacted", "case", "citation", "section", "change", "since", "message", "help"] {
        assert!(keys(finding).contains(&key), "{key}: {finding:#}");
    }
    assert_eq!(finding["case"]["id"], "TC-1");
    assert_eq!(finding["case"]["file"], "cases.yaml");
    assert_eq!(finding["case"]["line"], 3);
    assert_eq!(finding["citation"], "pump/limits");
    assert_eq!(finding["impacted"], true);
    assert_eq!(finding["section"]["before"]["file"], "docs/manual.md");
    assert_eq!(finding["section"]["after"]["line"], 3);
    assert_eq!(finding["change"]["magnitude"], "substantive");
    assert_eq!(finding["since"][0]["subject"], "Raise the limit");

    let summary = &report["summary"];
    let count = |key: &str| summary[key].as_u64();
    assert_eq!(
        ["cases", "citations", "findings", "errors", "warnings"].map(count),
        [1, 2, 1, 1, 0].map(Some),
        "{summary:#}"
    );
}

#[test]
fn the_json_of_diff_has_its_keys() {
    let report = pump().json(&["diff", "HEAD~1..HEAD"]);
    assert_eq!(report["schema"], "citecheck.diff/1");
    let entry = &report["sections"][0];
    let wanted = [
        "after",
        "before",
        "candidates",
        "cases",
        "fragments",
        "from",
        "into",
        "kinds",
        "magnitude",
        "signals",
        "with_parent",
    ];
    for key in wanted {
        assert!(keys(entry).contains(&key), "{key}: {entry:#}");
    }
    assert_eq!(entry["kinds"], serde_json::json!(["edited"]));
    assert_eq!(entry["before"]["id"], "pump/limits");
    assert_eq!(entry["before"]["line"], 3);
    assert_eq!(entry["cases"], serde_json::json!(["TC-1"]));
    assert_eq!(entry["signals"][0]["kind"], "number");
    assert_eq!(entry["fragments"][0]["change"], "changed");
    assert_eq!(entry["fragments"][0]["before"]["line"], 5);
    let summary = keys(&report["summary"]);
    assert_eq!(summary, ["added", "minor", "moved", "removed", "sections", "substantive", "trivial", "unchanged"]);
}

#[test]
fn further_formats_go_to_files_in_the_same_run() {
    let repo = pump();
    let out = repo.citecheck(["check", "HEAD~1..HEAD", "--output", "json=report.json", "--output", "human=report.txt"]);
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert_eq!(repo.read("report.txt"), out.stdout);
    assert_eq!(repo.read("report.json"), repo.citecheck(["check", "HEAD~1..HEAD", "--format", "json"]).stdout);
    let out = repo.citecheck(["check", "HEAD~1..HEAD", "--output", "json=no/such/folder/report.json"]);
    assert_eq!(out.code, 2);
    assert!(out.stderr.contains("no/such/folder/report.json"), "{}", out.stderr);
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    let repo = Repo::example();
    for arguments in [
        &["check", "v1..v3"][..],
        &["check", "v1..v3", "--format", "json"],
        &["diff", "v1..v3"],
        &["diff", "v1..v3", "--all", "--format", "json"],
        &["sections"],
    ] {
        let first = repo.citecheck(arguments);
        assert_eq!(first.stdout, repo.citecheck(arguments).stdout, "{arguments:?}");
        assert!(!first.stdout.is_empty(), "{arguments:?}: {}", first.stderr);
    }
}

#[test]
fn colour_is_for_terminals_or_on_request() {
    let repo = pump();
    let coloured = |arguments: &[&str], variable: Option<&str>| {
        let mut command = repo.citecheck_command();
        command.arg("check").arg("HEAD~1..HEAD").args(arguments);
        if let Some(name) = variable {
            command.env(name, "1");
        }
        output(&mut command).stdout.contains('\u{1b}')
    };
    assert!(!coloured(&[], None));
    assert!(coloured(&["--color", "always"], None));
    assert!(coloured(&[], Some("CLICOLOR_FORCE")));
    assert!(!coloured(&["--color", "never"], Some("CLICOLOR_FORCE")));
    assert!(!coloured(&[], Some("NO_COLOR")));
}

#[test]
fn the_last_line_says_what_was_compared() {
    let out = pump().citecheck(["check", "HEAD~1..HEAD"]);
    let last =
        [out.stdout.trim_end(), out.stderr.trim_end()].map(|text| text.lines().last().unwrap_or_default().to_owned());
    assert!(last.iter().any(|line| line.contains("1 case") && line.contains("2 citations")), "{last:?}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let repo = Repo::example();
    for arguments in
        [&["check", "v1..v3"][..], &["diff", "v1..v3", "--all", "--format", "json"], &["sections"], &["rules"]]
    {
        let mut child =
            repo.citecheck_command().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let out = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(repo.citecheck(arguments).code), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked") && !stderr.to_lowercase().contains("pipe"), "{arguments:?}: {stderr}");
    }
}

#[test]
fn an_unknown_key_names_the_nearest_one() {
    let repo = pump();
    repo.write("citecheck.yaml", "manuls: [\"docs/*.md\"]\n");
    let out = repo.citecheck(["check"]);
    assert_eq!(out.code, 2, "{}", out.stdout);
    for part in ["manuls", "manuals", "citecheck.yaml"] {
        assert!(out.stderr.contains(part), "{part}: {}", out.stderr);
    }
}

#[test]
fn a_glob_that_matches_nothing_is_an_error() {
    let repo = pump();
    repo.write("citecheck.yaml", "manuals: [\"handbook/**/*.md\"]\n");
    let out = repo.citecheck(["check"]);
    assert_eq!(out.code, 2, "{}{}", out.stdout, out.stderr);
    assert!(out.stderr.contains("handbook/**/*.md"), "{}", out.stderr);
}

#[test]
fn a_proposed_configuration_is_a_valid_one_and_is_never_overwritten() {
    let repo = pump();
    let out = repo.citecheck(["init"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let written = repo.read("citecheck.yaml");
    assert_eq!(repo.citecheck(["check", "HEAD~1..HEAD"]).code, 1);
    assert_eq!(repo.citecheck(["check"]).code, 1, "with the configuration of the work tree");
    assert_eq!(repo.citecheck(["init"]).code, 2);
    assert_eq!(repo.read("citecheck.yaml"), written);
}

#[test]
fn sections_are_listed_with_their_places() {
    let out = pump().citecheck(["sections"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let line = out.stdout.lines().find(|line| line.contains("limits")).expect("the section is listed");
    assert!(line.contains("Limits") && line.contains("docs/manual.md:3"), "{line}");
    let only = pump().citecheck(["sections", "notes"]).stdout;
    assert!(only.contains("notes") && !only.contains("limits"), "{only}");
}

#[test]
fn rules_are_listed_and_explained() {
    let folder = Repo::bare_folder();
    let rules = folder.citecheck(["rules"]);
    assert_eq!(rules.code, 0, "{}", rules.stderr);
    for rule in
        ["text-changed", "text-reworded", "section-moved", "section-removed", "unknown-section", "ambiguous-citation"]
    {
        assert!(rules.stdout.contains(rule), "{rule}");
        assert_eq!(folder.citecheck(["explain", rule]).code, 0, "{rule}");
    }
    let out = folder.citecheck(["explain", "text-chnaged"]);
    assert_eq!(out.code, 2);
    assert!(out.stderr.contains("text-changed"), "{}", out.stderr);
}

#[test]
fn help_and_completions_need_no_repository() {
    let folder = Repo::bare_folder();
    let help = folder.citecheck(["--help"]);
    assert_eq!(help.code, 0);
    for command in ["check", "diff", "sections", "explain", "rules", "init", "completions"] {
        assert!(help.stdout.contains(command), "{command}");
        assert_eq!(folder.citecheck([command, "--help"]).code, 0, "{command}");
    }
    for shell in ["bash", "zsh", "fish", "powershell"] {
        assert!(folder.citecheck(["completions", shell]).stdout.contains("citecheck"), "{shell}");
    }
    let version = output(Command::new(citecheck()).arg("--version"));
    assert_eq!(version.stdout.trim(), concat!("citecheck ", env!("CARGO_PKG_VERSION")));
}

#[test]
fn text_of_the_repository_cannot_steer_the_terminal() {
    let repo = Repo::with_manual("# Pump\n\n## Limits\n\nStop \u{1b}[31mwithin 30 s\u{202e}.\n", "pump/limits");
    repo.write("docs/manual.md", "# Pump\n\n## Limits\n\nStop \u{1b}[31mwithin 40 s\u{202e}.\n");
    repo.commit("Say \u{1b}]0;owned\u{7} more");
    for arguments in [&["check", "HEAD~1..HEAD"][..], &["diff", "HEAD~1..HEAD"]] {
        let out = repo.citecheck(arguments);
        assert_eq!(out.stdout.find(['\u{1b}', '\u{7}', '\u{202e}']), None, "{arguments:?}: {:?}", out.stdout);
        assert!(out.stdout.contains("40"), "{arguments:?}: {}", out.stdout);
    }
}

#[test]
fn a_broken_case_file_is_a_finding_and_the_others_are_checked() {
    let repo = pump();
    repo.write("broken.yaml", "cases:\n  - id: [TC-2\n    cites: pump/limits\n");
    repo.commit("Add a broken file");
    let report = repo.json(&["check", "HEAD~2..HEAD"]);
    let rules: Vec<_> = report["findings"].as_array().unwrap().iter().map(|it| it["rule"].as_str().unwrap()).collect();
    assert!(rules.contains(&"invalid-yaml") && rules.contains(&"text-changed"), "{rules:?}");
}

#[test]
fn citations_that_name_nothing_or_too_much_are_told() {
    let manual = "# A\n\n## Limits\n\nOne.\n\n# B\n\n## Limits\n\nTwo.\n";
    let repo = Repo::with_manual(manual, "limits, a/limit");
    let report = repo.json(&["check", "--rev", "HEAD"]);
    let findings = report["findings"].as_array().unwrap();
    let with =
        |rule: &str| findings.iter().find(|it| it["rule"] == rule).unwrap_or_else(|| panic!("no {rule}: {report:#}"));
    let ambiguous = with("ambiguous-citation").to_string();
    assert!(ambiguous.contains("a/limits") && ambiguous.contains("b/limits"), "{ambiguous}");
    assert!(with("unknown-section").to_string().contains("a/limits"), "{report:#}");
}

#[test]
fn a_path_limits_what_is_told_and_says_so() {
    let repo = Repo::example();
    let out = repo.citecheck(["check", "v1..v2", "cases/software.yaml"]);
    assert_eq!(out.code, 0, "{}", out.stdout);
    assert!(out.stdout.contains("nothing to look at in these files"), "{}", out.stdout);
    assert!(out.stdout.replace('\n', " ").contains("2 findings are about other files"), "{}", out.stdout);
    for slip in ["cases/sofware.yaml", "v2"] {
        let out = repo.citecheck(["check", "v1..v2", slip]);
        assert_eq!(out.code, 2, "{}", out.stdout);
        assert!(out.stderr.contains("names no file in the compared revisions"), "{}", out.stderr);
    }
}

#[test]
fn what_comes_under_a_cited_section_counts() {
    let manual = "# M\n\n## Alpha\n\nThe pump stops when the door is opened.\n\n## Beta\n\nOther things than those.\n";
    let repo = Repo::with_manual(manual, "alpha");
    let below = "### New\n\nAll users shall wait for 5 min before they open the lid.\n\n## Beta";
    repo.write("docs/manual.md", manual.replace("## Beta", below));
    repo.commit("Add a subsection");
    for arguments in [&["check", "HEAD~1..HEAD"][..], &["check"]] {
        assert_eq!(repo.json(arguments)["findings"][0]["rule"], "text-changed", "{arguments:?}");
    }
}

#[test]
fn a_citation_that_meant_several_is_not_fresh_because_one_is_left() {
    let repo = Repo::with_manual("# A\n\n## Limits\n\nThe pump stops in 3 s.\n", "Limits");
    repo.write("docs/other.md", "# B\n\n## Limits\n\nThe lamp lights up for 4 min.\n");
    repo.commit("Say it twice");
    repo.git(["rm", "--quiet", "docs/manual.md"]);
    repo.commit("Take one away");
    assert_eq!(repo.json(&["check", "HEAD~1..HEAD"])["findings"][0]["rule"], "section-removed");
}

#[test]
fn a_range_in_which_nothing_lies_says_so() {
    let repo = Repo::with_manual("# Pump\n\n## Limits\n\nThe pump stops within 30 s.\n", "limits");
    repo.git(["branch", "topic"]);
    let note = "the range is empty: both its ends are the same commit";
    for range in ["main..HEAD", "main...topic"] {
        let check = repo.citecheck(["check", range]);
        assert!(check.code == 0 && check.stdout.contains(note), "{range}: {}", check.stdout);
        assert!(!repo.citecheck(["check", range, "--all"]).stdout.contains(note), "{range}");
        let diff = repo.citecheck(["diff", range]);
        assert!(diff.code == 0 && diff.stderr.contains(note), "{range}: {}", diff.stderr);
    }
    repo.commit("Nothing");
    assert!(!repo.citecheck(["check", "topic..main"]).stdout.contains(note));
}

#[test]
fn sections_says_where_a_pattern_finds_nothing() {
    let repo = Repo::with_manual("# Pump\n\n## Limits\n\nThe pump stops within 30 s.\n", "limits");
    let told = |pattern: &str| repo.citecheck(["sections", pattern]).stderr;
    assert_eq!(told("limit"), "");
    assert_eq!(told("valve"), "note: no section has `valve` in its id, title or file\n");
    assert!(told("HEAD").ends_with("; `--rev HEAD` lists those of that revision\n"), "{}", told("HEAD"));
}
