//! Every way in which git runs the hooks, with real git: what was checked, what came out, and that the hook left index,
//! git directory and work tree as they were.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{Output, Repo, citecheck, output};

const MANUAL: &str = "# Pump\n\n## Limits\n\nThe pump shall stop within 30 s.\n\n## Transport\n\nKeep the pump dry.\n\n\
                      Drain it before.\n\n## Storage\n\nStore the pump upright.\n";

/// Stands in for citecheck: notes how it was called, runs it, and notes whether anything in the repository changed.
const WATCH: &str = r#"#!/bin/sh
state() {
    top=$(git rev-parse --show-toplevel)
    find "$top" "$(git rev-parse --absolute-git-dir)" -type f ! -name watch.log -exec cksum {} + | sort -u
    [ -z "${GIT_INDEX_FILE:-}" ] || (cd "$top" && cksum "$GIT_INDEX_FILE")
}
state >"$WATCH_FOLDER/before"
echo "$* index=${GIT_INDEX_FILE:-none}" >>"$WATCH_FOLDER/log"
"$WATCHED" "$@"
status=$?
state >"$WATCH_FOLDER/after"
cmp "$WATCH_FOLDER/before" "$WATCH_FOLDER/after" || exit 99
exit $status
"#;

/// A repository with our hooks, a manual and a case that cites two of its sections.
struct Hooked(Repo);

impl Hooked {
    fn new() -> Self {
        let repo = Repo::with_manual(MANUAL, "pump/limits, pump/transport");
        let out =
            repo.citecheck(["hook", "install", "--hook=pre-commit", "--hook=pre-merge-commit", "--hook=pre-push"]);
        assert_eq!(out.code, 0, "{}", out.stderr);
        Self::watched(repo)
    }

    fn watched(repo: Repo) -> Self {
        let folder = repo.path().join("../watch");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("citecheck"), WATCH).unwrap();
        output(Command::new("chmod").arg("+x").arg(folder.join("citecheck")));
        Self(repo)
    }

    fn command(&self, folder: &str, arguments: &[&str]) -> Command {
        let watch = self.0.path().join("../watch");
        let mut command = self.0.command("git", self.0.path().join(folder));
        command
            .args(arguments)
            .env("CITECHECK", watch.join("citecheck"))
            .env("WATCHED", citecheck())
            .env("WATCH_FOLDER", &watch)
            .env("GIT_EDITOR", "true");
        command
    }

    /// Runs git with the hooks, in a folder relative to the top.
    fn git_in(&self, folder: &str, arguments: &[&str]) -> Ran {
        let log = self.0.path().join("../watch/log");
        _ = fs::remove_file(&log);
        let out = output(&mut self.command(folder, arguments));
        Ran { out, calls: fs::read_to_string(log).unwrap_or_default() }
    }

    fn git(&self, arguments: &[&str]) -> Ran {
        self.git_in(".", arguments)
    }

    fn edit(&self, before: &str, after: &str) {
        let text = self.0.read("docs/manual.md");
        assert!(text.contains(before), "{before}: {text}");
        self.0.write("docs/manual.md", text.replace(before, after));
    }

    /// Raises the limit that the case cites: what the hooks are there to stop.
    fn raise(&self) {
        self.edit("30 s", "300 s");
    }

    /// Changes the case, so that it counts as reviewed.
    fn review(&self, title: &str) {
        let case = self.0.read("cases.yaml");
        self.0.write("cases.yaml", format!("{case}    title: {title}\n"));
    }

    fn head(&self) -> String {
        self.0.git(["rev-parse", "--short=7", "HEAD"]).trim().to_owned()
    }
}

/// A run of git: what it printed, and how it called citecheck.
struct Ran {
    out: Output,
    calls: String,
}

impl Ran {
    fn told(&self) -> String {
        format!("{}{}{}", self.out.stdout, self.out.stderr, self.calls)
    }

    #[track_caller]
    fn has(&self, words: &[&str]) -> &Self {
        for word in words {
            assert!(self.told().contains(word), "no `{word}` in:\n{}", self.told());
        }
        self
    }

    #[track_caller]
    fn passes(&self, words: &[&str]) -> &Self {
        assert_eq!(self.out.code, 0, "{}", self.told());
        self.has(words)
    }

    #[track_caller]
    fn is_blocked(&self, words: &[&str]) -> &Self {
        assert_eq!(self.out.code, 1, "{}", self.told());
        self.has(words)
    }

    /// Git ran no hook.
    #[track_caller]
    fn is_unseen(&self) -> &Self {
        assert_eq!((self.out.code, self.calls.as_str()), (0, ""), "{}", self.told());
        self
    }
}

#[test]
fn a_plain_commit_is_compared_with_head() {
    let repo = Hooked::new();
    let head = repo.head();
    repo.raise();
    repo.0.git(["add", "."]);
    let range = format!("{head}..index");
    let blocked = repo.git(&["commit", "-m", "Raise"]);
    blocked.is_blocked(&["text-changed", "TC-1", "300 s", &range, "hook run pre-commit index=.git/index\n"]);
    blocked.has(&["citecheck: pre-commit stops here. Stage what you change with `git add`; CITECHECK_SKIP=1 git"]);
    assert_eq!(repo.head(), head, "nothing was committed");
    repo.review("Stops in time");
    repo.0.git(["add", "."]);
    repo.git(&["commit", "-m", "Raise, and review"]).passes(&[&range]);
    assert_ne!(repo.head(), head);
}

#[test]
fn a_commit_from_a_subfolder_checks_the_whole_repository() {
    let repo = Hooked::new();
    repo.raise();
    repo.git_in("docs", &["commit", "-a", "-m", "Raise"]).is_blocked(&["text-changed"]);
    repo.git_in("docs", &["commit", "manual.md", "-m", "Raise"]).is_blocked(&["text-changed"]);
}

#[test]
fn with_all_the_index_of_the_commit_is_read_not_the_one_on_disk() {
    let repo = Hooked::new();
    repo.raise();
    let index = "/.git/index.lock\n";
    let blocked = repo.git(&["commit", "--all", "-m", "Raise"]);
    blocked.is_blocked(&["text-changed", index]);
    assert!(!blocked.told().contains("on disk"), "{}", blocked.told());
    repo.0.git(["add", "."]);
    repo.edit("300 s", "30 s");
    repo.0.write("notes.txt", "x");
    repo.0.git(["add", "notes.txt"]);
    repo.git(&["commit", "--all", "-m", "Not any more"]).passes(&[index]);
}

#[test]
fn with_include_the_file_comes_on_top_of_what_is_staged() {
    let repo = Hooked::new();
    repo.raise();
    repo.0.write("notes.txt", "x");
    repo.0.git(["add", "notes.txt"]);
    repo.git(&["commit", "--include", "docs/manual.md", "-m", "Raise"]).is_blocked(&["text-changed", "index.lock\n"]);
}

#[test]
fn with_patch_only_the_chosen_hunks_count() {
    let repo = Hooked::new();
    repo.raise();
    repo.edit("upright", "upright and locked");
    let commit = |answers: &str| {
        let mut command = repo.command(".", &["commit", "--patch", "-m", "Some"]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
        let out = child.wait_with_output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap() + &String::from_utf8(out.stderr).unwrap();
        (out.status.code(), text)
    };
    let (code, text) = commit("s\ny\nn\n");
    assert!(code == Some(1) && text.contains("text-changed"), "{code:?} {text}");
    let (code, text) = commit("s\nn\ny\n");
    assert!(code == Some(0) && !text.contains("text-changed"), "{code:?} {text}");
}

#[test]
fn with_a_path_other_staged_files_have_no_say() {
    let repo = Hooked::new();
    repo.raise();
    repo.0.git(["add", "."]);
    repo.0.write("notes.txt", "x");
    repo.0.git(["add", "--intent-to-add", "notes.txt"]);
    repo.git(&["commit", "notes.txt", "-m", "Notes"]).passes(&["/.git/next-index-", ".lock\n"]);
    repo.review("Stops in time");
    repo.git(&["commit", "docs/manual.md", "-m", "Raise"]).is_blocked(&["text-changed", "/.git/next-index-"]);
    repo.git(&["commit", "docs/manual.md", "cases.yaml", "-m", "Both"]).passes(&[]);
}

#[test]
fn an_amended_commit_is_compared_with_the_one_that_it_replaces() {
    let repo = Hooked::new();
    repo.edit("upright", "upright and locked");
    repo.git(&["commit", "--all", "-m", "Storage"]).passes(&[]);
    let head = repo.head();
    repo.git(&["commit", "--amend", "-m", "Another message"]).passes(&["the commit changes no file", "..index"]);
    repo.raise();
    repo.git(&["commit", "--all", "--amend", "-m", "Raise"]).is_blocked(&["text-changed", "..index"]);
    assert_ne!(repo.head(), head);
}

/// Git tells nobody that it amends: the case seems to be under review, as in any commit that changes it.
#[test]
fn an_amended_commit_that_takes_back_a_review_passes_and_the_range_shows_it() {
    let repo = Hooked::new();
    let case = repo.0.read("cases.yaml");
    repo.raise();
    repo.review("Stops in time");
    repo.git(&["commit", "--all", "-m", "Raise, and review"]).passes(&[]);
    repo.0.write("cases.yaml", case);
    repo.git(&["commit", "--all", "--amend", "--no-edit"]).passes(&[]);
    let range = repo.0.citecheck(["check", "HEAD~1..HEAD"]);
    assert!(range.code == 1 && range.stdout.contains("text-changed"), "{}{}", range.stdout, range.stderr);
}

#[test]
fn before_the_first_commit_everything_is_new() {
    let repo = Repo::new();
    assert_eq!(repo.citecheck(["hook", "install"]).code, 0);
    let repo = Hooked::watched(repo);
    repo.0.write("README.txt", "x");
    repo.0.git(["add", "."]);
    let commit = ["commit", "-m", "First"];
    repo.0.write("docs/manual.md", MANUAL);
    repo.0.write("cases.yaml", "cases:\n  - id: TC-1\n    cites: pump/limit\n");
    repo.0.git(["add", "."]);
    repo.git(&commit).is_blocked(&["unknown-section", "nothing..index", "index=.git/index\n"]);
    repo.0.write("cases.yaml", "cases:\n  - id: TC-1\n    cites: pump/limits\n");
    repo.0.git(["add", "."]);
    repo.git(&commit).passes(&["nothing..index"]);
}

#[test]
fn a_repository_without_manual_or_cases_can_be_committed_to_and_hears_of_it() {
    let repo = Repo::new();
    assert_eq!(repo.citecheck(["hook", "install"]).code, 0);
    let repo = Hooked::watched(repo);
    repo.0.write("README.txt", "x");
    repo.0.git(["add", "."]);
    repo.git(&["commit", "-m", "First"]).passes(&["no manual was found", "no case was found"]);
    assert_eq!(repo.0.citecheck(["hook", "run"]).code, 3, "run by hand, a check of nothing is no success");
}

#[test]
fn a_commit_that_takes_the_last_case_or_spells_its_key_otherwise_is_blocked() {
    let repo = Hooked::new();
    let words = &["no case was found, though 1 was there before", "CITECHECK_SKIP=1"];
    repo.git(&["rm", "--quiet", "cases.yaml"]);
    repo.git(&["commit", "--quiet", "--message=Take it out"]).is_blocked(words);
    repo.git(&["reset", "--quiet", "--hard"]);
    repo.0.write("cases.yaml", repo.0.read("cases.yaml").replace("cites", "cite"));
    repo.git(&["commit", "--quiet", "--all", "--message=Rename the key"]).is_blocked(words);
    // In a large repository, too, where only what is touched is read.
    for file in 0..40 {
        repo.0.write(&format!("docs/{file}.md"), "# More\n");
    }
    repo.0.git(["add", "docs"]);
    repo.git(&["commit", "--quiet", "--message=Add manuals"]).passes(&[]);
    repo.git(&["commit", "--quiet", "--all", "--message=Rename the key"]).is_blocked(words);
}

#[test]
fn another_hash_and_hostile_settings_change_nothing() {
    let repo = Repo::bare_folder();
    repo.git(["init", "--quiet", "--template=", "--object-format=sha256", "--initial-branch=main", "."]);
    assert_eq!(repo.citecheck(["hook", "install"]).code, 0);
    for (name, value) in [
        ("core.quotePath", "true"),
        ("diff.noprefix", "true"),
        ("diff.external", "false"),
        ("diff.renames", "false"),
        ("core.pager", "false"),
        ("status.showUntrackedFiles", "no"),
        ("commit.verbose", "true"),
    ] {
        repo.git(["config", name, value]);
    }
    repo.write(".gitattributes", "*.md diff=loud\n");
    repo.git(["config", "diff.loud.textconv", "false"]);
    repo.write("docs/Prüfung.md", MANUAL);
    repo.write("cases.yaml", "cases:\n  - id: TC-1\n    cites: docs/Prüfung.md#limits\n");
    let repo = Hooked::watched(repo);
    repo.0.git(["add", "."]);
    repo.git(&["commit", "-m", "First"]).passes(&["nothing..index"]);
    repo.0.write("docs/Prüfung.md", MANUAL.replace("30 s", "300 s"));
    repo.git(&["commit", "--all", "-m", "Raise"]).is_blocked(&["text-changed", "docs/Prüfung.md"]);
}

#[test]
fn an_empty_commit_passes_and_says_that_it_is_empty() {
    let repo = Hooked::new();
    repo.git(&["commit", "--allow-empty", "-m", "Empty"]).passes(&["the commit changes no file", "index=.git/index\n"]);
}

#[test]
fn a_commit_that_only_deletes_is_checked() {
    let repo = Hooked::new();
    repo.0.git(["rm", "--quiet", "docs/manual.md"]);
    repo.git(&["commit", "-m", "Delete"]).is_blocked(&["section-removed", "pump/limits"]);
    repo.0.git(["rm", "--quiet", "cases.yaml"]);
    repo.git(&["commit", "-m", "Delete both"]).passes(&[]);
}

#[test]
fn a_commit_that_only_renames_is_checked() {
    let repo = Hooked::new();
    repo.0.write("more.yaml", "cases:\n  - id: TC-2\n    cites: docs/manual.md#limits\n");
    repo.0.commit("Cite by file");
    repo.0.git(["mv", "docs/manual.md", "docs/handbook.md"]);
    repo.git(&["commit", "-m", "Rename"]).passes(&[
        "section-moved",
        "docs/manual.md#limits",
        "1 citation can be remapped",
    ]);
}

#[test]
fn a_file_staged_in_part_is_checked_as_staged() {
    let repo = Hooked::new();
    repo.edit("upright", "upright and locked");
    repo.0.git(["add", "."]);
    repo.raise();
    let note = "`docs/manual.md` on disk differs from what was checked, the index";
    repo.git(&["commit", "-m", "Storage"]).passes(&[note]);
    repo.0.git(["add", "."]);
    repo.edit("300 s", "30 s");
    repo.git(&["commit", "-m", "Raise"]).is_blocked(&["text-changed", "300 s"]);
}

#[test]
fn a_file_that_is_only_announced_is_not_in_the_commit() {
    let repo = Hooked::new();
    repo.0.write("docs/valve.md", "# Valve\n\nOpens at 3 bar.\n");
    repo.0.write("valve.yaml", "cases:\n  - id: TC-2\n    cites: valve\n");
    repo.0.git(["add", "--intent-to-add", "docs/valve.md"]);
    repo.0.git(["add", "valve.yaml"]);
    repo.git(&["commit", "-m", "Case"]).is_blocked(&["unknown-section", "`docs/valve.md` was only announced"]);
    repo.0.git(["add", "docs/valve.md"]);
    repo.git(&["commit", "-m", "Both"]).passes(&[]);
}

#[test]
fn a_linked_worktree_commits_its_own_index() {
    let repo = Hooked::new();
    repo.0.git(["worktree", "add", "--quiet", "-b", "topic", "../linked"]);
    let manual = repo.0.path().join("../linked/docs/manual.md");
    fs::write(&manual, MANUAL.replace("30 s", "300 s")).unwrap();
    let index = "/.git/worktrees/linked/index.lock\n";
    repo.git_in("../linked", &["commit", "--all", "-m", "Raise"]).is_blocked(&["text-changed", index]);
    repo.git_in("../linked/docs", &["commit", "--all", "-m", "Raise"]).is_blocked(&["text-changed", index]);
    repo.git(&["commit", "--allow-empty", "-m", "In the main one"]).passes(&["the commit changes no file"]);
    fs::write(&manual, MANUAL.replace("upright", "upright and locked")).unwrap();
    repo.git_in("../linked", &["commit", "--all", "-m", "Storage"]).passes(&[index]);
}

#[test]
fn a_submodule_is_a_repository_of_its_own_and_no_text_of_the_outer_one() {
    let inner = Hooked::new();
    let outer = Hooked::new();
    let path = inner.0.path();
    outer.0.git(["-c", "protocol.file.allow=always", "submodule", "add", "--quiet", path.to_str().unwrap(), "sub.md"]);
    outer.git(&["commit", "-m", "Take in the pump"]).is_blocked(&["invalid-manual", "sub.md", "submodule"]);
    outer.0.git(["mv", "sub.md", "sub"]);
    outer.git(&["commit", "-m", "Take in the pump"]).passes(&[]);
    outer.git_in("sub", &["commit", "--allow-empty", "-m", "No hook is cloned"]).is_unseen();
    let hooks = output(outer.0.citecheck_command().args(["-C", "sub", "hook", "install"]));
    assert_eq!(hooks.code, 0, "{}", hooks.stderr);
    outer.0.write("sub/docs/manual.md", MANUAL.replace("30 s", "300 s"));
    let index = "/.git/modules/sub.md/index.lock\n";
    outer.git_in("sub", &["commit", "--all", "-m", "Raise"]).is_blocked(&["text-changed", index]);
}

/// Two branches from one commit: `work` on one, `other` on the other, each committed without hooks.
fn branches(work: impl Fn(&Hooked), other: impl Fn(&Hooked)) -> Hooked {
    let repo = Hooked::new();
    repo.0.git(["switch", "--quiet", "-c", "topic"]);
    other(&repo);
    repo.0.commit("On the other branch");
    repo.0.git(["switch", "--quiet", "main"]);
    work(&repo);
    repo.0.commit("On this branch");
    repo
}

fn add_case(repo: &Hooked) {
    repo.0.write("more.yaml", "cases:\n  - id: TC-2\n    cites: pump/limits\n");
}

#[test]
fn a_merge_is_not_blamed_for_what_was_checked_on_the_other_branch() {
    let repo = branches(|repo| repo.0.write("notes.txt", "x"), Hooked::raise);
    let calls = "hook run pre-merge-commit index=.git/index\n";
    repo.git(&["merge", "topic"]).passes(&["what was checked on one of its sides", "..index", calls]);
}

#[test]
fn a_clean_merge_of_two_fine_branches_can_put_a_case_out_of_date() {
    let reviewed = |repo: &Hooked| {
        repo.raise();
        repo.review("Stops in time");
    };
    for (this, other) in [(add_case as fn(&Hooked), &reviewed as &dyn Fn(&Hooked)), (reviewed, &add_case)] {
        let repo = branches(this, other);
        let merge = repo.git(&["merge", "topic"]);
        merge.is_blocked(&["text-changed", "TC-2", "300 s"]);
        assert!(!merge.told().contains("TC-1"), "{}", merge.told());
    }
}

#[test]
fn a_merge_with_conflicts_is_checked_when_it_is_committed() {
    let repo = branches(
        |repo| repo.edit("upright", "upright and dry"),
        |repo| {
            repo.raise();
            repo.edit("upright", "upright and locked");
        },
    );
    assert_eq!(repo.git(&["merge", "topic"]).out.code, 1);
    let by_hand = repo.0.citecheck(["hook", "run"]);
    assert!(by_hand.code == 2 && by_hand.stderr.contains("merge conflict"), "{}", by_hand.stderr);
    let resolved = MANUAL.replace("upright", "upright, dry and locked");
    repo.0.write("docs/manual.md", resolved.replace("30 s", "300 s"));
    repo.0.git(["add", "."]);
    repo.git(&["commit", "--no-edit"])
        .passes(&["what was checked on one of its sides", "pre-commit index=.git/index\n"]);
}

#[test]
fn what_the_resolution_of_a_conflict_changes_is_the_merges_own() {
    let repo =
        branches(|repo| repo.edit("upright", "upright and dry"), |repo| repo.edit("upright", "upright and locked"));
    assert_eq!(repo.git(&["merge", "topic"]).out.code, 1);
    repo.0.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    repo.0.git(["add", "."]);
    repo.git(&["commit", "--no-edit"]).is_blocked(&["text-changed", "300 s"]);
}

#[test]
fn git_runs_no_hook_in_a_rebase_but_the_range_shows_it() {
    let repo = branches(add_case, Hooked::raise);
    repo.git(&["rebase", "--quiet", "topic"]).is_unseen();
    let range = repo.0.citecheck(["check", "HEAD~2..HEAD"]);
    assert!(range.code == 1 && range.stdout.contains("text-changed"), "{}{}", range.stdout, range.stderr);
}

#[test]
fn a_cherry_pick_is_checked_only_where_it_stops() {
    let repo = branches(|repo| repo.0.write("notes.txt", "x"), Hooked::raise);
    repo.git(&["cherry-pick", "topic"]).is_unseen();
    let repo = branches(|repo| repo.edit("30 s", "20 s"), Hooked::raise);
    assert_eq!(repo.git(&["cherry-pick", "topic"]).out.code, 1);
    repo.0.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    repo.0.git(["add", "."]);
    repo.git(&["cherry-pick", "--continue"]).is_blocked(&["text-changed", "300 s", "pre-commit index=.git/index\n"]);
}

#[test]
fn without_a_commit_under_way_an_empty_index_means_everything() {
    let repo = Hooked::new();
    repo.0.write("more.yaml", "cases:\n  - id: TC-2\n    cites: pump/limit\n");
    repo.0.commit("A dead citation");
    let note = "nothing is staged, so everything in the index was checked";
    for arguments in [&["hook", "run"][..], &["check", "--staged"]] {
        let out = repo.0.citecheck(arguments);
        assert_eq!(out.code, 1, "{arguments:?} {}{}", out.stdout, out.stderr);
        assert!(out.stdout.contains(note) && out.stdout.contains("unknown-section"), "{}", out.stdout);
    }
}

#[test]
fn a_range_that_a_framework_names_goes_before_the_index() {
    let repo = Hooked::new();
    repo.raise();
    repo.0.commit("Raise");
    let mut command = repo.0.citecheck_command();
    command.args(["hook", "run"]).env("PRE_COMMIT_FROM_REF", "HEAD~1").env("PRE_COMMIT_TO_REF", "HEAD");
    let out = output(&mut command);
    assert!(out.code == 1 && out.stdout.contains("text-changed"), "{}{}", out.stdout, out.stderr);
}

#[test]
fn hooks_are_skipped_by_git_and_by_us_on_request() {
    let repo = Hooked::new();
    repo.raise();
    let skipped = output(repo.command(".", &["commit", "--all", "-m", "Raise"]).env("CITECHECK_SKIP", "1"));
    assert_eq!(skipped.code, 0, "{}", skipped.stderr);
    assert!(skipped.stderr.contains("pre-commit was skipped"), "{}", skipped.stderr);
    repo.edit("300 s", "3 s");
    repo.git(&["commit", "--all", "--no-verify", "-m", "Lower"]).is_unseen();
}

#[cfg(unix)]
#[test]
fn a_missing_program_stops_the_commit_and_says_how_to_get_it() {
    let repo = Hooked::new();
    let commit = |program: Option<&str>| {
        let mut command = repo.command(".", &["commit", "--allow-empty", "-m", "Empty"]);
        command.env_remove("CITECHECK").env("PATH", "/usr/local/bin:/usr/bin:/bin");
        if let Some(program) = program {
            command.env("CITECHECK", program);
        }
        output(&mut command)
    };
    let out = commit(None);
    assert_eq!(out.code, 1, "{}", out.stderr);
    for word in ["cargo install", "git config citecheck.program", "CITECHECK_SKIP=1"] {
        assert!(out.stderr.contains(word), "{word}: {}", out.stderr);
    }
    let out = commit(Some("/no/such/citecheck"));
    assert!(out.code == 1 && out.stderr.contains("`/no/such/citecheck`"), "{}", out.stderr);
    repo.0.git(["config", "citecheck.program", citecheck().to_str().unwrap()]);
    assert_eq!(commit(None).code, 0);
}
