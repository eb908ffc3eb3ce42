//! `citecheck hook install`, `uninstall` and `status` on real repositories, and what pre-push makes of real pushes.

use std::fs;
use std::path::Path;

use crate::support::{Output, Repo, citecheck, output, root};

const MANUAL: &str = "# Pump\n\n## Limits\n\nThe pump shall stop within 30 s.\n";

fn pump() -> Repo {
    Repo::with_manual(MANUAL, "pump/limits")
}

fn raise(repo: &Repo) {
    repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    repo.commit("Raise");
}

/// The names in a folder of the repository.
fn names(repo: &Repo, folder: &str) -> Vec<String> {
    let Ok(entries) = fs::read_dir(repo.path().join(folder)) else { return Vec::new() };
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[track_caller]
fn has(out: &Output, code: i32, words: &[&str]) {
    let told = format!("{}{}", out.stdout, out.stderr);
    assert_eq!(out.code, code, "{told}");
    for word in words {
        assert!(told.contains(word), "no `{word}` in:\n{told}");
    }
}

#[test]
fn the_usual_hooks_are_installed_once_and_left_alone_after_that() {
    let repo = pump();
    has(&repo.citecheck(["hook", "status"]), 1, &["pre-commit: not installed", "pre-push: not installed"]);
    has(&repo.citecheck(["hook", "install"]), 0, &["pre-commit: installed", "pre-merge-commit: installed"]);
    assert_eq!(names(&repo, ".git/hooks"), ["pre-commit", "pre-merge-commit"]);
    assert_eq!(repo.read(".git/hooks/pre-commit"), fs::read_to_string(root().join("hooks/pre-commit")).unwrap());
    has(&repo.citecheck(["hook", "install"]), 0, &["pre-commit: is up to date"]);
    has(&repo.citecheck(["hook", "status"]), 0, &["pre-commit: installed", "pre-push: not installed"]);
    has(&repo.citecheck(["hook", "install", "--hook", "pre-push"]), 0, &["pre-push: installed"]);
    assert_eq!(names(&repo, ".git/hooks"), ["pre-commit", "pre-merge-commit", "pre-push"]);
}

#[cfg(unix)]
#[test]
fn a_hook_of_ours_is_brought_up_to_date_and_made_executable() {
    use std::os::unix::fs::PermissionsExt;

    let repo = pump();
    repo.citecheck(["hook", "install"]);
    let path = repo.path().join(".git/hooks/pre-commit");
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o111;
    assert_ne!(mode(), 0);
    fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    has(&repo.citecheck(["hook", "status"]), 1, &["pre-commit: not executable"]);
    has(&repo.citecheck(["hook", "install"]), 0, &["pre-commit: brought up to date"]);
    assert_ne!(mode(), 0);
    let text = repo.read(".git/hooks/pre-commit");
    repo.write(".git/hooks/pre-commit", format!("{text}# of an older version\n"));
    has(&repo.citecheck(["hook", "status"]), 0, &["installed by another version"]);
    has(&repo.citecheck(["hook", "install"]), 0, &["pre-commit: brought up to date"]);
    assert_eq!(repo.read(".git/hooks/pre-commit"), text);
}

#[test]
fn somebody_elses_hook_is_never_touched_and_nothing_is_half_done() {
    let repo = pump();
    let theirs = "#!/bin/sh\nmake lint\n";
    repo.write(".git/hooks/pre-merge-commit", theirs);
    let told = ["somebody else's hook", "citecheck hook run pre-merge-commit"];
    has(&repo.citecheck(["hook", "install"]), 2, &told);
    assert_eq!(names(&repo, ".git/hooks"), ["pre-merge-commit"]);
    assert_eq!(repo.read(".git/hooks/pre-merge-commit"), theirs);
    has(&repo.citecheck(["hook", "install", "--hook=pre-commit"]), 0, &["pre-commit: installed"]);
    has(&repo.citecheck(["hook", "status"]), 1, &["pre-merge-commit: somebody else's hook, which does not name"]);
    repo.write(".git/hooks/pre-merge-commit", format!("{theirs}citecheck hook run pre-merge-commit \"$@\" || exit\n"));
    has(&repo.citecheck(["hook", "status"]), 0, &["pre-merge-commit: somebody else's hook, which runs citecheck"]);
}

#[cfg(unix)]
#[test]
fn a_link_is_somebodys_wherever_it_leads() {
    let repo = pump();
    fs::create_dir_all(repo.path().join(".git/hooks")).unwrap();
    for target in ["nowhere", "../../docs/manual.md"] {
        let link = repo.path().join(".git/hooks/pre-commit");
        std::os::unix::fs::symlink(target, &link).unwrap();
        has(&repo.citecheck(["hook", "install"]), 2, &["somebody else's hook"]);
        assert_eq!(fs::read_link(&link).unwrap(), Path::new(target));
        fs::remove_file(link).unwrap();
    }
}

#[test]
fn hooks_go_where_git_looks_for_them() {
    let repo = pump();
    repo.git(["config", "core.hooksPath", "tools/hooks"]);
    let out = output(repo.citecheck_command().args(["-C", "docs", "hook", "install"]));
    has(&out, 0, &["tools/hooks/pre-commit"]);
    assert_eq!(names(&repo, "tools/hooks"), ["pre-commit", "pre-merge-commit"]);
    assert_eq!(names(&repo, ".git/hooks").len(), 0);
}

#[test]
fn linked_worktrees_share_their_hooks() {
    let repo = pump();
    repo.git(["worktree", "add", "--quiet", "-b", "topic", "../linked"]);
    has(&output(repo.citecheck_command().args(["-C", "../linked", "hook", "install"])), 0, &["installed"]);
    assert_eq!(names(&repo, ".git/hooks"), ["pre-commit", "pre-merge-commit"]);
}

#[test]
fn outside_of_a_repository_there_is_nowhere_to_install_to() {
    has(&Repo::bare_folder().citecheck(["hook", "install"]), 2, &["not in a git repository"]);
}

#[test]
fn uninstall_takes_away_what_install_wrote_and_nothing_else() {
    let repo = pump();
    has(&repo.citecheck(["hook", "uninstall"]), 0, &["pre-commit: not installed", "pre-push: not installed"]);
    repo.citecheck(["hook", "install", "--hook=pre-commit", "--hook=pre-merge-commit", "--hook=pre-push"]);
    repo.write(".git/hooks/commit-msg", "#!/bin/sh\n");
    has(&repo.citecheck(["hook", "uninstall", "--hook", "pre-push"]), 0, &["pre-push: removed"]);
    assert_eq!(names(&repo, ".git/hooks"), ["commit-msg", "pre-commit", "pre-merge-commit"]);
    let told = ["pre-commit: removed", "pre-merge-commit: removed", "pre-push: not installed"];
    has(&repo.citecheck(["hook", "uninstall"]), 0, &told);
    assert_eq!(names(&repo, ".git/hooks"), ["commit-msg"]);
}

#[test]
fn uninstall_leaves_hooks_of_others_and_edited_ones() {
    let repo = pump();
    repo.citecheck(["hook", "install"]);
    let edited = repo.read(".git/hooks/pre-commit") + "make lint\n";
    let (theirs, with_us) = ("#!/bin/sh\nmake lint\n", "#!/bin/sh\ncitecheck hook run pre-push \"$@\" || exit\n");
    repo.write(".git/hooks/pre-commit", &edited);
    repo.write(".git/hooks/pre-merge-commit", theirs);
    repo.write(".git/hooks/pre-push", with_us);
    let told = [
        "pre-commit: edited, or of another version, so it stays",
        "pre-merge-commit: somebody else's hook, which does not name citecheck",
        "pre-push: somebody else's hook, which stays; take out what names citecheck",
    ];
    has(&repo.citecheck(["hook", "uninstall"]), 1, &told);
    let kept = ["pre-commit", "pre-merge-commit", "pre-push"].map(|name| repo.read(&format!(".git/hooks/{name}")));
    assert_eq!(kept, [&edited, theirs, with_us]);
    has(&repo.citecheck(["hook", "uninstall", "--hook=pre-merge-commit"]), 0, &[]);
    // As the message says: written anew, it is ours.
    has(&repo.citecheck(["hook", "install", "--hook=pre-commit"]), 0, &["pre-commit: brought up to date"]);
    has(&repo.citecheck(["hook", "uninstall", "--hook=pre-commit"]), 0, &["pre-commit: removed"]);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_told_and_keeps_no_other_hook_from_its_turn() {
    let repo = pump();
    repo.citecheck(["hook", "install", "--hook=pre-commit", "--hook=pre-push"]);
    let hooks = repo.path().join(".git/hooks");
    fs::create_dir(hooks.join("pre-merge-commit")).unwrap();
    let told = ["pre-commit: installed", "pre-merge-commit: a folder, which git does not run", "pre-push: installed"];
    has(&repo.citecheck(["hook", "status"]), 1, &told);
    has(&repo.citecheck(["hook", "install"]), 2, &["pre-merge-commit` is a folder and stays", "move it away"]);
    let told = ["pre-commit: removed", "pre-merge-commit: a folder, which git does not run", "pre-push: removed"];
    has(&repo.citecheck(["hook", "uninstall"]), 0, &told);
    assert_eq!(names(&repo, ".git/hooks"), ["pre-merge-commit"]);
    // A link to itself cannot be read.
    std::os::unix::fs::symlink("pre-push", hooks.join("pre-push")).unwrap();
    let told = ["pre-commit: not installed", "pre-push: cannot be read, so it stays"];
    has(&repo.citecheck(["hook", "uninstall"]), 1, &told);
    has(&repo.citecheck(["hook", "install", "--hook=pre-push"]), 2, &["pre-push` cannot be read"]);
    has(&repo.citecheck(["hook", "status"]), 1, &["pre-push: cannot be read"]);
}

#[cfg(unix)]
#[test]
fn uninstall_removes_no_link_and_looks_where_git_does() {
    let repo = pump();
    repo.git(["config", "core.hooksPath", "tools/hooks"]);
    repo.citecheck(["hook", "install"]);
    fs::remove_file(repo.path().join("tools/hooks/pre-commit")).unwrap();
    std::os::unix::fs::symlink("pre-merge-commit", repo.path().join("tools/hooks/pre-commit")).unwrap();
    let told = ["pre-commit: a link, which stays", "pre-merge-commit: removed", "tools/hooks"];
    has(&output(repo.citecheck_command().args(["-C", "docs", "hook", "uninstall"])), 1, &told);
    assert_eq!(names(&repo, "tools/hooks"), ["pre-commit"]);
}

#[cfg(unix)]
#[test]
fn a_hook_that_pre_commit_took_the_place_of_runs_and_is_taken_away() {
    let repo = pump();
    repo.citecheck(["hook", "install"]);
    let hooks = repo.path().join(".git/hooks");
    fs::rename(hooks.join("pre-commit"), hooks.join("pre-commit.legacy")).unwrap();
    repo.write(".git/hooks/pre-commit", "#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\n");
    repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    repo.git(["add", "."]);
    let run = output(repo.command(hooks.join("pre-commit.legacy"), repo.path()).env("CITECHECK", citecheck()));
    has(&run, 1, &["text-changed", "citecheck: pre-commit stops here"]);
    let told = ["pre-commit: somebody else's hook", "pre-commit.legacy: removed", "pre-merge-commit: removed"];
    has(&repo.citecheck(["hook", "uninstall"]), 0, &told);
    assert_eq!(names(&repo, ".git/hooks"), ["pre-commit"]);
}

/// A repository that pushes to a bare one, with our hook before it; `main` is there already.
struct Pushing(Repo);

impl Pushing {
    fn new() -> Self {
        let repo = pump();
        repo.git(["clone", "--quiet", "--bare", ".", "../remote.git"]);
        repo.git(["remote", "add", "origin", "../remote.git"]);
        repo.git(["fetch", "--quiet", "origin"]);
        has(&repo.citecheck(["hook", "install", "--hook=pre-push"]), 0, &[]);
        Self(repo)
    }

    fn push(&self, arguments: &[&str]) -> Output {
        let mut command = self.0.command("git", self.0.path());
        output(command.arg("push").args(arguments).env("CITECHECK", citecheck()))
    }
}

#[test]
fn a_push_is_compared_with_what_the_remote_has() {
    let repo = Pushing::new();
    raise(&repo.0);
    let told =
        ["text-changed", "300 s", "is compared with what the remote has", "Commit what you change; CITECHECK_SKIP=1"];
    has(&repo.push(&["origin", "main"]), 1, &told);
    repo.0.write("docs/manual.md", MANUAL);
    repo.0.commit("Take it back");
    has(&repo.push(&["origin", "main"]), 0, &["is compared with what the remote has"]);
}

#[test]
fn a_new_branch_is_compared_with_where_it_left_the_remote() {
    let repo = Pushing::new();
    repo.0.git(["switch", "--quiet", "-c", "topic"]);
    raise(&repo.0);
    let left = "`refs/heads/topic` is compared with where it left the branches of the remote";
    has(&repo.push(&["origin", "topic"]), 1, &["text-changed", left]);
    has(&repo.push(&["origin", "main:other", "topic:copy"]), 1, &["text-changed", left]);
    has(&repo.push(&["origin", "main:other"]), 0, &["the remote has all of `refs/heads/main` already"]);
}

#[test]
fn a_first_push_checks_all_and_a_deletion_nothing() {
    let repo = Pushing::new();
    repo.0.git(["init", "--quiet", "--bare", "../empty.git"]);
    has(&repo.push(&["../empty.git", "main"]), 0, &["has nothing of `refs/heads/main`, so all of it was checked"]);
    has(&repo.push(&["origin", "main:other"]), 0, &[]);
    let deleted = repo.push(&["origin", "--delete", "other"]);
    has(&deleted, 0, &[]);
    assert!(!deleted.stdout.contains("citation"), "{}", deleted.stdout);
}

#[test]
fn a_forced_push_is_compared_with_what_it_replaces_where_that_is_known() {
    let repo = Pushing::new();
    repo.0.write("notes.txt", "x");
    repo.0.commit("Notes");
    has(&repo.push(&["origin", "main"]), 0, &[]);
    repo.0.git(["reset", "--quiet", "--hard", "HEAD~1"]);
    raise(&repo.0);
    has(&repo.push(&["--force", "origin", "main"]), 1, &["text-changed", "is compared with what the remote has"]);
    let other = repo.0.path().join("../other");
    repo.0.git(["clone", "--quiet", "../remote.git", "../other"]);
    fs::write(other.join("more.txt"), "x").unwrap();
    for arguments in [&["add", "."][..], &["commit", "--quiet", "-m", "Elsewhere"], &["push", "--quiet"]] {
        output(repo.0.command("git", &other).args(arguments));
    }
    has(&repo.push(&["--force", "origin", "main"]), 1, &["text-changed", "where it left the branches of the remote"]);
}

#[test]
fn a_tag_is_pushed_like_a_branch() {
    let repo = Pushing::new();
    repo.0.git(["tag", "-a", "-m", "Release", "v1"]);
    has(&repo.push(&["origin", "v1"]), 0, &["the remote has all of `refs/tags/v1` already"]);
    raise(&repo.0);
    repo.0.git(["tag", "v2"]);
    has(&repo.push(&["origin", "v2"]), 1, &["text-changed", "`refs/tags/v2` is compared with where"]);
}
