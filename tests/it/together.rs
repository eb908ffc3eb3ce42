//! Runs at the same time in one repository: readers see whole files and agree, writers lose nothing of each other without
//! a word, and git may pack, commit and check out meanwhile.

use std::fs;
use std::process::{Child, Stdio};
use std::thread;

use crate::editor::Editor;
use crate::support::{Output, Repo};

const WRITERS: usize = 6;

/// As many citations as make a check worth keeping, all on a section that changed after them; the first of each file in a
/// case of its own name.
fn repo(configuration: &str) -> Repo {
    let repo = Repo::new();
    repo.write("citecheck.yaml", configuration);
    repo.write("docs/pump.md", "# Pump\n\n## Limits\n\nThe pump stops after 30 s.\n\n## Notes\n\nKeep it dry.\n");
    let cases: String = (0..200).map(|at| format!("- id: TC-{at}\n  cites: [limits]\n")).collect();
    repo.write("cases/many.yaml", cases);
    let cases: String = (0..WRITERS).map(|at| format!("- id: W-{at}\n  cites: [limits]\n")).collect();
    repo.write("cases/few.yaml", cases);
    repo.commit("Add manual and cases");
    repo.write("docs/pump.md", repo.read("docs/pump.md").replace("30 s", "300 s"));
    repo.commit("Raise the limit");
    repo
}

fn start(repo: &Repo, arguments: &[&str]) -> Child {
    let mut command = repo.citecheck_command();
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(child: Child) -> Output {
    let out = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Output { code: out.status.code().unwrap(), stdout: text(out.stdout), stderr: text(out.stderr) }
}

fn all(repo: &Repo, commands: &[&[&str]]) -> Vec<Output> {
    let children: Vec<Child> = commands.iter().map(|arguments| start(repo, arguments)).collect();
    children.into_iter().map(end).collect()
}

/// What a clone that never saw any of this tells of the work tree as it is.
fn told_fresh(repo: &Repo) -> String {
    let mut command = repo.citecheck_command();
    fs::remove_dir_all(repo.path().join(".git/citecheck")).unwrap();
    let out = crate::support::output(command.arg("check"));
    assert!(out.code <= 1, "{}", out.stderr);
    out.stdout
}

#[test]
fn checks_that_fill_the_cache_together_agree() {
    let repo = repo("");
    let found = all(&repo, &[&["check"][..]; 6]);
    assert!(found.iter().all(|out| (out.code, &out.stderr) == (1, &String::new()) && out.stdout == found[0].stdout));
    let kept = fs::read_dir(repo.path().join(".git/citecheck/checks")).unwrap();
    assert_eq!(kept.count(), 1, "one result and nothing that was not completed");
    assert_eq!(repo.citecheck(["check"]).stdout, found[0].stdout);
    assert_eq!(told_fresh(&repo), found[0].stdout);
}

/// Everybody accepts a case of their own, all in one file. Who is told that it was accepted finds it there; who comes too
/// late is told so, and the second try does it.
fn accepting_together(configuration: &str, file: &str, pin: fn(&str) -> String) {
    let repo = repo(configuration);
    let ids: Vec<String> = (0..WRITERS).map(|at| format!("W-{at}")).collect();
    let commands: Vec<[&str; 2]> = ids.iter().map(|id| ["accept", id]).collect();
    let commands: Vec<&[&str]> = commands.iter().map(|command| &command[..]).collect();
    let is_accepted = |id: &str| fs::read_to_string(repo.path().join(file)).is_ok_and(|text| text.contains(&pin(id)));
    let mut too_late = 0;
    for (id, out) in ids.iter().zip(all(&repo, &commands)) {
        assert_eq!(is_accepted(id), out.code == 0, "{id}: {out:?}\n{}", repo.read(file));
        if out.code != 0 {
            too_late += 1;
            assert_eq!(out.code, 2, "{out:?}");
            let told = format!("error: `{file}` changed while citecheck was running\n  hint: nothing was written");
            assert!(out.stderr.starts_with(&told), "{}", out.stderr);
            assert_eq!(repo.citecheck(["accept", id]).code, 0);
            assert!(is_accepted(id), "{id}");
        }
    }
    assert!(too_late < WRITERS, "somebody is the first");
    assert_eq!(repo.read(file).matches("c1-").count(), WRITERS);
    assert_eq!(repo.git(["status", "--short", "--", ".", ":!cases", ":!citecheck.pins.yaml"]), "");
}

#[test]
fn nobody_loses_a_pin_in_the_pins_file() {
    accepting_together("pins: file\n", "citecheck.pins.yaml", |id| {
        format!("case: {id}, cites: limits, fingerprint: c1-")
    });
}

#[test]
fn nobody_loses_a_pin_in_a_case_file() {
    accepting_together("", "cases/few.yaml", |id| format!("id: {id}\n  cites: [limits@c1-"));
}

#[test]
fn a_check_beside_writers_sees_whole_files_and_keeps_nothing_mixed() {
    let repo = repo("");
    let editor = Editor::checked(&repo);
    let commands: [&[&str]; 7] = [
        &["check"],
        &["accept", "W-1"],
        &["check"],
        &["fix"],
        &["check", "--format", "json"],
        &["accept", "TC-7"],
        &["check"],
    ];
    for out in all(&repo, &commands) {
        let is_too_late = out.code == 2 && out.stderr.contains("changed while citecheck was running");
        assert!(out.code <= 1 || is_too_late, "{out:?}");
        assert!(!out.stdout.contains("invalid-"), "a part of a file was read: {}", out.stdout);
    }
    assert_eq!(editor.close(), 0);
    let now = repo.citecheck(["check"]).stdout;
    assert_eq!(told_fresh(&repo), now);
}

#[test]
fn git_packs_while_the_history_is_read() {
    let repo = repo("");
    let told = repo.citecheck(["check", "--all"]).stdout;
    let git = |arguments: &[&str]| {
        let mut command = repo.command("git", repo.path());
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let mut packing = [
        git(&["repack", "-adf", "--quiet"]),
        git(&["gc", "--prune=now", "--quiet"]),
        git(&["pack-refs", "--all"]),
        git(&["commit-graph", "write", "--reachable"]),
    ];
    thread::scope(|scope| {
        let packer = scope.spawn(move || {
            for round in 0..8 {
                packing[round % 4].status().unwrap();
            }
        });
        while !packer.is_finished() {
            let out = repo.citecheck(["check", "--all"]);
            assert_eq!((out.code, &out.stdout), (1, &told), "{}", out.stderr);
            let out = repo.citecheck(["check", "HEAD~1..HEAD"]);
            assert_eq!(out.code, 1, "{}", out.stderr);
        }
        packer.join().unwrap();
    });
}

#[test]
fn a_commit_with_our_hook_goes_through_beside_checks() {
    let repo = repo("");
    repo.citecheck(["hook", "install"]);
    repo.write("docs/pump.md", repo.read("docs/pump.md") + "\n## More\n\nMore of it.\n");
    repo.git(["add", "docs"]);
    let checks = [start(&repo, &["check"]), start(&repo, &["check", "--staged"])];
    let folder = crate::support::citecheck().parent().unwrap().to_owned();
    let path =
        std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())));
    let mut commit = repo.command("git", repo.path());
    let out = crate::support::output(commit.args(["commit", "--quiet", "-m", "Say more"]).env("PATH", path.unwrap()));
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
    checks.into_iter().map(end).for_each(|out| assert!(out.code <= 1, "{out:?}"));
    assert_eq!(repo.git(["log", "-1", "--format=%s"]), "Say more\n");
}
