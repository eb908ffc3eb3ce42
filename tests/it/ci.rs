//! What `citecheck ci` compares for each event of GitHub, in clones as actions/checkout makes them.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Output, Repo, citecheck, output, run};

pub(crate) const MANUAL: &str = "# Pump\n\n## Limits\n\nThe pump shall stop within 30 s.\n\n## Storage\n\nUpright.\n";
const ZEROS: &str = "0000000000000000000000000000000000000000";

/// A repository on GitHub, and what a runner has of it.
pub(crate) struct Job {
    pub(crate) origin: Repo,
}

/// How actions/checkout fetches.
#[derive(Clone, Copy)]
pub(crate) enum Depth {
    /// `fetch-depth: 0`: all branches with their history.
    Whole,
    Of(u8),
}

impl Job {
    /// `main` went on after `topic` left it; `topic` raises a limit that a case cites.
    pub(crate) fn new() -> Self {
        let origin = Repo::with_manual(MANUAL, "pump/limits");
        origin.git(["switch", "--quiet", "-c", "topic"]);
        origin.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
        origin.commit("Raise the limit");
        origin.git(["switch", "--quiet", "main"]);
        origin.write("docs/manual.md", MANUAL.replace("Upright", "Upright and dry"));
        origin.commit("Keep it dry");
        Self { origin }
    }

    /// The pull request of `topic`, and the merge that GitHub makes of it. Gives the id of the merge.
    pub(crate) fn pull_request(&self) -> String {
        self.origin.git(["switch", "--quiet", "--detach", "main"]);
        self.origin.git(["merge", "--quiet", "--no-edit", "topic"]);
        self.origin.git(["update-ref", "refs/pull/1/merge", "HEAD"]);
        self.origin.git(["switch", "--quiet", "main"]);
        self.id("refs/pull/1/merge")
    }

    pub(crate) fn id(&self, rev: &str) -> String {
        self.origin.git(["rev-parse", &format!("{rev}^{{commit}}")]).trim().to_owned()
    }

    pub(crate) fn checkout(&self) -> PathBuf {
        self.origin.path().join("../checkout")
    }

    fn git(&self, arguments: &[&str]) {
        run(self.origin.command("git", self.checkout()).args(arguments));
    }

    /// Checks out a ref or a commit as actions/checkout does it.
    pub(crate) fn check_out(&self, what: &str, depth: Depth) {
        let url = format!("file://{}", self.origin.path().display());
        _ = fs::remove_dir_all(self.checkout());
        fs::create_dir(self.checkout()).unwrap();
        self.origin.git(["config", "uploadpack.allowAnySHA1InWant", "true"]);
        self.git(&["init", "--quiet", "--template="]);
        self.git(&["remote", "add", "origin", &url]);
        let refspec = format!("+{what}:refs/remotes/job");
        match depth {
            Depth::Whole => {
                let branches = "+refs/heads/*:refs/remotes/origin/*";
                self.git(&["fetch", "--quiet", "origin", branches, "+refs/tags/*:refs/tags/*", &refspec]);
            }
            Depth::Of(depth) => self.git(&["fetch", "--quiet", &format!("--depth={depth}"), "origin", &refspec]),
        }
        self.git(&["checkout", "--quiet", "--detach", "refs/remotes/job"]);
    }

    /// Gives a command of the job the variables that GitHub sets.
    pub(crate) fn set(&self, command: &mut Command, name: &str, sha: &str, event: &Value) {
        let path = self.origin.path().join("../event.json");
        fs::write(&path, event.to_string()).unwrap();
        command
            .env("CI", "true")
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_EVENT_NAME", name)
            .env("GITHUB_EVENT_PATH", path)
            .env("GITHUB_SHA", sha);
    }

    fn ci(&self, arguments: &[&str], name: &str, sha: &str, event: &Value) -> Output {
        let mut command = self.origin.command(citecheck(), self.checkout());
        self.set(&mut command, name, sha, event);
        output(command.arg("ci").args(arguments))
    }

    /// What would be compared, as `base head why`; the error if nothing can be.
    fn choice(&self, name: &str, sha: &str, event: &Value) -> String {
        let out = self.ci(&["--print"], name, sha, event);
        match out.code {
            0 => out.stdout.lines().map(|line| line.split_once(": ").unwrap().1).collect::<Vec<_>>().join(" "),
            code => format!("{code}: {}", out.stderr),
        }
    }

    #[track_caller]
    fn chooses(&self, name: &str, sha: &str, event: &Value, expected: &str) {
        let told = self.choice(name, sha, event);
        assert!(told.starts_with(expected), "{name}: {told}\nexpected: {expected}");
    }

    #[track_caller]
    fn cannot_choose(&self, name: &str, sha: &str, event: &Value, words: &[&str]) {
        let told = self.choice(name, sha, event);
        assert!(told.starts_with("2: error: ") && words.iter().all(|word| told.contains(word)), "{name}: {told}");
    }
}

pub(crate) fn pull_request(job: &Job) -> Value {
    let (base, topic) = (job.id("main~1"), job.id("topic"));
    json!({"pull_request": {"base": {"ref": "main", "sha": base}, "head": {"ref": "topic", "sha": topic}}})
}

fn push(job: &Job, branch: &str, before: &str) -> Value {
    let after = job.id(branch);
    json!({"ref": format!("refs/heads/{branch}"), "before": before, "after": after,
           "repository": {"default_branch": "main"}})
}

#[test]
fn a_pull_request_is_compared_with_the_base_that_it_was_merged_on() {
    let job = Job::new();
    let merge = job.pull_request();
    let expected = format!("{} HEAD compared: the merge of the pull request", job.id("main"));
    for depth in [Depth::Of(2), Depth::Whole] {
        job.check_out("refs/pull/1/merge", depth);
        // The event still names the base of the time when it was opened.
        job.chooses("pull_request", &merge, &pull_request(&job), &expected);
    }
    let out = job.ci(&[], "pull_request", &merge, &pull_request(&job));
    assert!(out.code == 1 && out.stdout.contains("text-changed"), "{}{}", out.stdout, out.stderr);
}

#[test]
fn a_pull_request_in_a_clone_of_one_commit_asks_for_two() {
    let job = Job::new();
    let merge = job.pull_request();
    job.check_out("refs/pull/1/merge", Depth::Of(1));
    job.cannot_choose("pull_request", &merge, &pull_request(&job), &["shallow clone", "`fetch-depth: 2`"]);
}

#[test]
fn a_pull_request_checked_out_by_its_head_is_compared_with_where_it_left_its_base() {
    let job = Job::new();
    let merge = job.pull_request();
    let expected = format!("{} HEAD compared: the head of the pull request", job.id("main~1"));
    job.check_out("refs/heads/topic", Depth::Whole);
    job.chooses("pull_request", &merge, &pull_request(&job), &expected);
    job.check_out("refs/heads/topic", Depth::Of(1));
    job.cannot_choose("pull_request", &merge, &pull_request(&job), &["shallow clone", "`fetch-depth: 0`"]);
    // A head that is a merge itself is not the one that GitHub made.
    job.origin.git(["switch", "--quiet", "topic"]);
    job.origin.git(["merge", "--quiet", "--no-edit", "main"]);
    job.check_out("refs/heads/topic", Depth::Whole);
    let expected = format!("{} HEAD compared: the head of the pull request", job.id("main"));
    job.chooses("pull_request", &merge, &pull_request(&job), &expected);
}

#[test]
fn a_pull_request_without_its_base_branch_falls_back_to_the_commit_that_the_event_names() {
    let job = Job::new();
    let merge = job.pull_request();
    job.check_out("refs/heads/topic", Depth::Whole);
    job.git(&["update-ref", "-d", "refs/remotes/origin/main"]);
    let expected = format!("{} HEAD compared: the head of the pull request", job.id("main~1"));
    job.chooses("pull_request", &merge, &pull_request(&job), &expected);
}

#[test]
fn a_pull_request_with_rights_to_write_is_refused() {
    let job = Job::new();
    job.check_out("refs/heads/main", Depth::Whole);
    job.cannot_choose("pull_request_target", &job.id("main"), &pull_request(&job), &["use `pull_request`"]);
}

#[test]
fn a_merge_group_is_compared_with_what_it_is_queued_on() {
    let job = Job::new();
    let merge = job.pull_request();
    let event = json!({"merge_group": {"base_sha": job.id("main"), "head_sha": merge}});
    job.check_out("refs/pull/1/merge", Depth::Whole);
    job.chooses("merge_group", &merge, &event, &format!("{} {merge} compared: the merge group", job.id("main")));
    job.check_out("refs/pull/1/merge", Depth::Of(1));
    job.cannot_choose("merge_group", &merge, &event, &["shallow clone", "`fetch-depth: 0`"]);
    job.cannot_choose("merge_group", &merge, &json!({}), &["has no `merge_group`", "--base and --head"]);
}

#[test]
fn a_push_is_compared_with_what_was_there_before() {
    let job = Job::new();
    let (main, before) = (job.id("main"), job.id("main~1"));
    job.check_out("refs/heads/main", Depth::Of(2));
    let expected = format!("{before} {main} compared: the push, with what was there before");
    job.chooses("push", &main, &push(&job, "main", &before), &expected);
    job.check_out("refs/heads/main", Depth::Of(1));
    job.cannot_choose("push", &main, &push(&job, "main", &before), &["shallow clone", "`fetch-depth: 0`"]);
}

#[test]
fn a_new_branch_is_compared_with_where_it_left_the_default_branch() {
    let job = Job::new();
    let (topic, fork) = (job.id("topic"), job.id("main~1"));
    job.check_out("refs/heads/topic", Depth::Whole);
    let expected = format!("{fork} {topic} compared: a new branch, with where it left `main`");
    job.chooses("push", &topic, &push(&job, "topic", ZEROS), &expected);
    job.check_out("refs/heads/topic", Depth::Of(1));
    job.cannot_choose("push", &topic, &push(&job, "topic", ZEROS), &["shallow clone", "`fetch-depth: 0`"]);
    job.check_out("refs/heads/main", Depth::Whole);
    let expected = format!("nothing {} compared with nothing: a new branch to the default branch", job.id("main"));
    job.chooses("push", &job.id("main"), &push(&job, "main", ZEROS), &expected);
}

#[test]
fn a_forced_push_is_compared_with_where_the_branch_left_the_default_branch() {
    let job = Job::new();
    let (topic, fork) = (job.id("topic"), job.id("main~1"));
    job.check_out("refs/heads/topic", Depth::Whole);
    let expected = format!("{fork} {topic} compared: a forced push, with where it left `main`");
    // Gone from the server, or still there beside the branch.
    for before in ["1".repeat(40), job.id("main")] {
        job.chooses("push", &topic, &push(&job, "topic", &before), &expected);
    }
    let everything = format!("nothing {} compared with nothing: a forced push to the default branch", job.id("main"));
    job.chooses("push", &job.id("main"), &push(&job, "main", &"1".repeat(40)), &everything);
}

#[test]
fn a_deleted_branch_leaves_nothing_to_check() {
    let job = Job::new();
    job.check_out("refs/heads/main", Depth::Whole);
    let mut event = push(&job, "topic", &job.id("topic"));
    event["after"] = ZEROS.into();
    let out = job.ci(&[], "push", &job.id("main"), &event);
    assert_eq!((out.code, out.stdout.as_str()), (0, "nothing to check: the push deletes a branch or tag\n"));
}

#[test]
fn a_tag_is_checked_by_itself() {
    let job = Job::new();
    job.origin.git(["tag", "-a", "-m", "Release", "v1", "main"]);
    job.check_out("refs/tags/v1", Depth::Of(1));
    let object = job.origin.git(["rev-parse", "v1"]);
    let event = json!({"ref": "refs/tags/v1", "before": ZEROS, "after": object.trim()});
    job.chooses("push", &job.id("v1"), &event, &format!("nothing {} compared with nothing", object.trim()));
    job.check_out("refs/tags/v1", Depth::Whole);
    assert_eq!(job.ci(&[], "push", &job.id("v1"), &event).code, 0);
}

#[test]
fn other_events_check_everything() {
    let job = Job::new();
    job.check_out("refs/heads/main", Depth::Of(1));
    for name in ["schedule", "workflow_dispatch", "release", "an_event_of_tomorrow"] {
        let expected = format!("nothing HEAD compared with nothing: `{name}` compares no revisions");
        job.chooses(name, &job.id("main"), &json!({}), &expected);
    }
    job.check_out("refs/heads/main", Depth::Whole);
    assert_eq!(job.ci(&[], "schedule", &job.id("main"), &json!({})).code, 0);
}

#[test]
fn revisions_that_are_named_go_before_the_event() {
    let job = Job::new();
    job.check_out("refs/heads/topic", Depth::Whole);
    let out = job.ci(&["--base", "origin/main", "--print"], "push", "", &json!({}));
    assert_eq!(out.stdout, "base: origin/main\nhead: HEAD\nwhy: compared as --base and --head say\n");
}

#[test]
fn outside_of_a_job_or_with_a_broken_event_it_says_so() {
    let job = Job::new();
    job.check_out("refs/heads/main", Depth::Whole);
    let outside = output(job.origin.command(citecheck(), job.checkout()).arg("ci"));
    assert!(outside.code == 2 && outside.stderr.contains("`GITHUB_EVENT_NAME` is not set"), "{}", outside.stderr);
    job.cannot_choose("push", "", &json!({}), &["the event `push` has no `after`"]);
    let broken = job.origin.path().join("../broken.json");
    fs::write(&broken, "{").unwrap();
    let mut command = job.origin.command(citecheck(), job.checkout());
    job.set(&mut command, "push", "", &json!({}));
    let out = output(command.arg("ci").env("GITHUB_EVENT_PATH", broken));
    assert!(out.code == 2 && out.stderr.contains("is not JSON"), "{}", out.stderr);
}

#[test]
fn hostile_names_in_an_event_stay_names() {
    let job = Job::new();
    let merge = job.pull_request();
    job.check_out("refs/heads/topic", Depth::Whole);
    let hostile = "##[add-mask]x\n::error::y\u{1b}[2J";
    let event = json!({"pull_request": {"base": {"ref": hostile}, "head": {}}});
    let told = job.choice("pull_request", &merge, &event);
    assert!(told.starts_with("2: error: unknown revision"), "{told}");
    let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("##[");
    assert!(!told.lines().any(is_command) && !told.contains('\u{1b}'), "{told}");
}
