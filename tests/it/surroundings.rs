//! What is around a repository and must not matter, or matters and is told: clock, language, zone and home of the user,
//! times and modes of files, how git was told where things are, what stands where a file is expected.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::support::{Output, Repo, output};

/// Three case files: one citation moved, one section changed, one is fresh.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write(
        "docs/pump.md",
        "# Pump\n\n## Limits\n\nThe pump stops after 30 s.\n\n## Notes\n\nKeep the pump dry and cold.\n",
    );
    repo.write("cases/a.yaml", "- id: TC-1\n  cites: [pump/limits]\n");
    repo.write("cases/b.yaml", "- id: TC-2\n  cites: [pump/notes]\n");
    repo.write("cases/c.yaml", "- id: TC-3\n  cites: [pump]\n  scope: own\n");
    repo.commit("Add manual and cases");
    repo.write(
        "docs/pump.md",
        "# Pump\n\n## Limits\n\nThe pump stops after 300 s.\n\n## Remarks\n\nKeep the pump dry and cold.\n",
    );
    repo.commit("Raise the limit");
    repo
}

const READERS: [&[&str]; 8] = [
    &["check"],
    &["check", "--staged"],
    &["check", "HEAD~1..HEAD"],
    &["diff", "HEAD~1..HEAD"],
    &["coverage", "--since", "HEAD~1"],
    &["coverage", "--format", "html"],
    &["sections"],
    &["doctor"],
];

/// Everything that reads, and `fix`, whose work is taken back.
fn told(repo: &Repo, set: &dyn Fn(&mut Command)) -> Vec<Output> {
    let run = |arguments: &[&str]| {
        let mut command = repo.citecheck_command();
        set(command.args(arguments));
        output(&mut command)
    };
    let mut told: Vec<Output> = READERS.iter().map(|arguments| run(arguments)).collect();
    told.push(run(&["fix"]));
    told.push(run(&["accept", "--all", "--yes"]));
    for file in ["cases/a.yaml", "cases/b.yaml"] {
        told.push(Output { code: 0, stdout: repo.read(file), stderr: String::new() });
    }
    repo.git(["checkout", "--quiet", "--", "cases"]);
    _ = fs::remove_dir_all(repo.path().join(".git/citecheck"));
    told
}

#[track_caller]
fn check_same(repo: &Repo, what: &str, set: &dyn Fn(&mut Command)) {
    let text = |told: Vec<Output>| told.iter().map(|out| format!("{out:#?}")).collect::<Vec<_>>();
    let (expected, found) = (text(told(repo, &|_| {})), text(told(repo, set)));
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!(found, expected, "{what}");
    }
}

#[test]
fn language_zone_home_and_mask_do_not_matter() {
    let repo = repo();
    let environments: [&[(&str, &str)]; 3] = [
        &[("LC_ALL", "de_DE.UTF-8"), ("LANG", "de_DE.UTF-8"), ("LANGUAGE", "de"), ("TZ", "Pacific/Kiritimati")],
        &[("LC_ALL", "tr_TR.UTF-8"), ("LANG", "tr_TR.UTF-8"), ("TZ", "America/Los_Angeles")],
        &[("LC_ALL", "no such"), ("TZ", "no such"), ("HOME", "/no/such/home"), ("XDG_CONFIG_HOME", "/no/such")],
    ];
    for environment in environments {
        check_same(&repo, &format!("{environment:?}"), &|command| _ = command.envs(environment.iter().copied()));
    }
    check_same(&repo, "nothing at all", &|command| {
        let path = std::env::var_os("PATH").unwrap();
        command.env_clear().env("PATH", path).env("GIT_CEILING_DIRECTORIES", repo.path().parent().unwrap());
    });
}

/// Where libfaketime is installed.
#[test]
fn the_clock_does_not_matter() {
    let Ok(found) = Command::new("faketime").args(["-f", "@2001-01-01 00:00:00", "true"]).status() else { return };
    assert!(found.success());
    let repo = repo();
    let now = told(&repo, &|_| {});
    for time in ["@1971-01-01 00:00:00", "@2040-06-01 12:00:00"] {
        for (arguments, expected) in READERS.iter().zip(&now) {
            let mut command = repo.command("faketime", repo.path());
            let out = output(command.args(["-f", time]).arg(crate::support::citecheck()).args(*arguments));
            assert_eq!((out.code, &out.stdout), (expected.code, &expected.stdout), "{time}: {arguments:?}");
        }
    }
}

#[test]
fn the_dates_of_commits_do_not_order_the_history() {
    let repo = Repo::new();
    repo.write("cases.yaml", "- id: TC-1\n  cites: [limits]\n");
    let dates = ["4102444800 +1400", "1900000000 +0000", "100000000 -1200", "0 +0000", "2000000000 +0000"];
    for (limit, date) in dates.iter().enumerate() {
        repo.write("manual.md", format!("# Pump\n\n## Limits\n\nThe pump stops after {limit} s.\n"));
        repo.git(["add", "."]);
        let mut commit = repo.command("git", repo.path());
        let date = format!("@{date}");
        commit
            .args(["commit", "--quiet", "-m", "Change"])
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date);
        assert_eq!(output(&mut commit).code, 0);
    }
    let out = repo.citecheck(["check"]);
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert!(out.stdout.contains("number `0` is now `4`"), "{}", out.stdout);
    assert_eq!(repo.citecheck(["coverage", "--since", "HEAD~3"]).code, 0);
}

#[test]
fn the_times_of_files_do_not_matter_and_hide_no_change() {
    let repo = repo();
    let expected = repo.citecheck(["check"]).stdout;
    let age = |path: &str, time: SystemTime| {
        fs::File::options().write(true).open(repo.path().join(path)).unwrap().set_modified(time).unwrap();
    };
    let now = SystemTime::now();
    for time in
        [SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH - Duration::from_secs(9), now + Duration::from_secs(4 << 30)]
    {
        ["docs/pump.md", "cases/a.yaml", "cases/b.yaml"].iter().for_each(|path| age(path, time));
        assert_eq!(repo.citecheck(["check"]).stdout, expected);
    }
    // Racy: another text of the same size, with the time that the index has for it, which is the index's own.
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    age("docs/pump.md", time);
    repo.git(["update-index", "--refresh"]);
    age(".git/index", time);
    repo.write("docs/pump.md", repo.read("docs/pump.md").replace("300 s", "900 s"));
    age("docs/pump.md", time);
    assert!(repo.citecheck(["check"]).stdout.contains("is now `900`"));
}

#[test]
fn git_may_say_where_things_are() {
    let repo = repo();
    let expected = repo.citecheck(["check"]);
    let elsewhere = repo.path().with_extension("git");
    fs::rename(repo.path().join(".git"), &elsewhere).unwrap();
    let run = |arguments: &[&str]| {
        let mut command = repo.citecheck_command();
        output(command.args(arguments).env("GIT_DIR", &elsewhere).env("GIT_WORK_TREE", repo.path()))
    };
    assert_eq!(run(&["check"]).stdout, expected.stdout);
    assert_eq!(run(&["fix"]).stdout.lines().last(), Some("1 citation rewritten"));
    fs::rename(&elsewhere, repo.path().join(".git")).unwrap();
    repo.git(["checkout", "--quiet", "--", "cases"]);
    for lock in [".git/index.lock", ".git/HEAD.lock", ".git/config.lock", ".git/packed-refs.lock"] {
        repo.write(lock, "");
    }
    assert_eq!(repo.citecheck(["check"]).stdout, expected.stdout);
    assert_eq!(repo.citecheck(["fix"]).code, 0);
    repo.write("other-index", fs::read(repo.path().join(".git/index")).unwrap());
    for (index, code, told) in
        [("other-index", 0, ""), ("no-index", 2, "does not exist\n  hint: unset"), ("docs", 2, "cannot read the index")]
    {
        let mut command = repo.citecheck_command();
        let out = output(command.args(["check", "--staged", "--fail-on", "never"]).env("GIT_INDEX_FILE", index));
        assert_eq!(out.code, code, "{index}: {}{}", out.stdout, out.stderr);
        assert!(out.stderr.contains(told), "{index}: {}", out.stderr);
    }
}

#[test]
fn linked_worktrees_and_submodules_are_written_to_where_they_are() {
    let repo = repo();
    let linked = repo.path().with_extension("linked");
    repo.git(["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    let fix = |top: &Path| output(repo.command(crate::support::citecheck(), top).arg("fix"));
    assert_eq!(fix(&linked).code, 0);
    assert!(fs::read_to_string(linked.join("cases/b.yaml")).unwrap().contains("remarks"));
    assert!(repo.read("cases/b.yaml").contains("pump/notes"));
    let outer = Repo::new();
    outer.write("cases.yaml", "- id: TC-1\n  cites: [pump]\n");
    let from = repo.path();
    outer.git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", from.to_str().unwrap(), "inner"]);
    outer.commit("Add the submodule");
    assert!(outer.citecheck(["check"]).stdout.contains("(0 manuals, 0 sections, 1 citation; worktree)"));
    assert_eq!(fix(&outer.path().join("inner")).code, 0);
    assert!(outer.read("inner/cases/b.yaml").contains("remarks"));
}

#[test]
fn what_a_sparse_checkout_left_out_is_read_and_not_written() {
    let repo = repo();
    let expected = repo.citecheck(["check"]).stdout;
    repo.git(["sparse-checkout", "set", "docs"]);
    assert!(!repo.path().join("cases").exists());
    assert_eq!(repo.citecheck(["check"]).stdout, expected);
    let out = repo.citecheck(["fix"]);
    assert_eq!(out.code, 2, "{}", out.stdout);
    assert!(
        out.stderr.starts_with("error: `cases/b.yaml` is not on disk\n  hint: `git sparse-checkout add`"),
        "{}",
        out.stderr
    );
    assert!(!repo.path().join("cases").exists());
}

#[test]
fn modes_owners_links_and_line_ends_stay() {
    let repo = repo();
    let path = |file: &str| repo.path().join(file);
    let mode = |file: &str| fs::metadata(path(file)).unwrap().permissions().mode() & 0o7777;
    fs::set_permissions(path("cases/a.yaml"), fs::Permissions::from_mode(0o751)).unwrap();
    repo.write("cases/b.yaml", repo.read("cases/b.yaml").replace('\n', "\r\n"));
    fs::set_permissions(path("cases/b.yaml"), fs::Permissions::from_mode(0o640)).unwrap();
    // Only the administrator can give files away.
    let is_given = std::os::unix::fs::chown(path("cases/b.yaml"), Some(1234), Some(4321)).is_ok();
    let owner = |file: &str| fs::metadata(path(file)).map(|metadata| (metadata.uid(), metadata.gid())).unwrap();
    let before = owner("cases/b.yaml");
    assert!(!is_given || before == (1234, 4321));
    let mut command = repo.command("sh", repo.path());
    command.args(["-c", "umask 077 && \"$0\" fix && \"$0\" accept --all --yes"]).arg(crate::support::citecheck());
    let out = output(&mut command);
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
    assert_eq!((mode("cases/a.yaml"), mode("cases/b.yaml")), (0o751, 0o640));
    assert_eq!(owner("cases/b.yaml"), before);
    assert_eq!(repo.read("cases/b.yaml"), "- id: TC-2\r\n  cites: [pump/remarks]\r\n");
    assert!(repo.read("cases/a.yaml").contains("c1-"));
    // What a link leads to is no file of the repository: told, and neither read nor written.
    fs::rename(path("cases/a.yaml"), path("elsewhere.txt")).unwrap();
    repo.write("elsewhere.txt", "- id: TC-1\n  cites: [pump/limits]\n");
    symlink("../elsewhere.txt", path("cases/a.yaml")).unwrap();
    assert_eq!(repo.citecheck(["accept", "--all", "--yes"]).code, 0);
    assert!(fs::symlink_metadata(path("cases/a.yaml")).unwrap().is_symlink());
    assert!(!repo.read("elsewhere.txt").contains("c1-"));
}

#[test]
fn a_read_only_file_is_not_replaced() {
    let repo = repo();
    let file = repo.path().join("cases/a.yaml");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let may_write = fs::File::options().write(true).open(&file).is_ok();
    let out = repo.citecheck(["accept", "--all", "--yes"]);
    // The administrator may write to every file.
    assert_eq!(out.code, if may_write { 0 } else { 2 }, "{}", out.stderr);
    if !may_write {
        assert!(out.stderr.contains("cannot write `cases/a.yaml`: Permission denied"), "{}", out.stderr);
        assert_eq!(repo.git(["diff", "--name-only"]), "");
    }
}

#[test]
fn a_folder_where_a_file_is_expected_is_told() {
    let repo = repo();
    fs::create_dir(repo.path().join("citecheck.pins.yaml")).unwrap();
    repo.write("citecheck.yaml", "pins: file\n");
    let out = repo.citecheck(["accept", "TC-1"]);
    assert_eq!(out.code, 2);
    assert!(out.stderr.contains("cannot write `citecheck.pins.yaml`: Is a directory"), "{}", out.stderr);
    let out = repo.citecheck(["check", "--output", "json=docs"]);
    assert_eq!(out.code, 2);
    assert!(out.stderr.contains("cannot write `docs`: Is a directory"), "{}", out.stderr);
    fs::remove_file(repo.path().join("cases/a.yaml")).unwrap();
    repo.write("cases/a.yaml/x.yaml", "- id: TC-9\n  cites: [pump/limits]\n");
    fs::remove_dir_all(repo.path().join(".git/citecheck")).unwrap();
    fs::create_dir_all(repo.path().join(".git/citecheck/lock")).unwrap();
    let out = repo.citecheck(["fix"]);
    assert_eq!((out.code, out.stdout.lines().last()), (0, Some("1 citation rewritten")), "{}", out.stderr);
}

#[test]
fn before_the_first_commit_nothing_fails() {
    let repo = Repo::new();
    for arguments in [&["check"][..], &["check", "--staged"], &["coverage"], &["sections"], &["fix"], &["hook", "run"]]
    {
        let out = repo.citecheck(arguments);
        assert_eq!((out.code, out.stderr.as_str()), (3, ""), "{arguments:?}");
    }
    repo.write("manual.md", "# Pump\n\nText.\n");
    repo.write("cases.yaml", "- id: TC-1\n  cites: [pump]\n");
    repo.git(["add", "."]);
    for arguments in [&["check"][..], &["check", "--staged"], &["fix"], &["accept", "--all", "--yes"], &["coverage"]] {
        assert_eq!(repo.citecheck(arguments).code, 0, "{arguments:?}");
    }
}

#[test]
fn a_bare_repository_is_checked_by_revision() {
    let repo = repo();
    let range = repo.citecheck(["check", "HEAD~1..HEAD"]);
    let bare = repo.path().with_extension("bare");
    repo.git(["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let run = |arguments: &[&str]| output(repo.command(crate::support::citecheck(), &bare).args(arguments));
    assert_eq!(run(&["check", "HEAD~1..HEAD"]).stdout, range.stdout);
    assert_eq!(run(&["check", "--rev", "HEAD"]).code, 1);
    for arguments in [&["check"][..], &["check", "--staged"], &["fix"], &["accept", "--all", "--yes"], &["init"]] {
        let out = run(arguments);
        assert_eq!(out.code, 2, "{arguments:?}");
        assert!(
            out.stderr.contains("has no work tree\n  hint: run citecheck in a clone"),
            "{arguments:?}: {}",
            out.stderr
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_the_output_is_told() {
    let repo = repo();
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    for arguments in READERS.iter().copied().chain([&["help"][..], &["--version"], &["man"], &["rules"], &["config"]]) {
        let mut command = repo.citecheck_command();
        let out = command.args(arguments).stdout(full()).output().unwrap();
        let told = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(
            told.starts_with("error: cannot write ") && told.contains("  hint: make room"),
            "{arguments:?}: {told}"
        );
    }
    let out = repo.citecheck(["check", "--output", "json=/dev/full"]);
    assert_eq!(out.code, 2);
    assert!(out.stderr.starts_with("error: cannot write `/dev/full`: No space left on device"), "{}", out.stderr);
    let mut command = repo.citecheck_command();
    let status = command.args(["check", "nonsense"]).stdout(full()).stderr(full()).status().unwrap();
    assert_eq!(status.code(), Some(2));
}
