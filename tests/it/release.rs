//! What a release is made with: the scripts of `.github/release` on a copy of this tree, and that all places that name a
//! version, an archive or an address agree. The wheel has a script of its own, `tests/wheel.sh`.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use regex::Regex;
use sha2::{Digest, Sha256};

use crate::support::{Output, Repo, citecheck, output, root, run};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Owner and name, as GitHub has them.
fn repository() -> &'static str {
    env!("CARGO_PKG_REPOSITORY").strip_prefix("https://github.com/").unwrap()
}

/// The shells' scripts and the rest of an archive; a page for each command comes with them.
const CONTENT: [&str; 11] = [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "citecheck",
    "completions/_citecheck",
    "completions/_citecheck.ps1",
    "completions/citecheck.bash",
    "completions/citecheck.elv",
    "completions/citecheck.fish",
    "man/citecheck.1",
];

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The parts of this tree that a release is made of, with one commit.
fn checkout() -> Repo {
    let repo = Repo::new();
    let mut paths = ["README.md", "Cargo.toml", "LICENSE-MIT", "LICENSE-APACHE", ".github/CHANGELOG.md"]
        .map(str::to_owned)
        .to_vec();
    for name in ["archive", "notes", "ready", "tag", "target"] {
        paths.push(format!(".github/release/{name}.sh"));
    }
    for name in ["checksums.txt", "install.sh", "plan.sh", "words.sh"] {
        paths.push(format!("action/{name}"));
    }
    for path in &paths {
        repo.write(path, read(path));
        fs::copy(root().join(path), repo.path().join(path)).unwrap();
    }
    repo.commit("Everything");
    repo
}

/// A script of the copy.
fn script(repo: &Repo, name: &str) -> Command {
    let mut command = repo.command("bash", repo.path());
    command.arg(format!(".github/release/{name}.sh"));
    command
}

/// Where archives go: not into the copy, which has to stay as it was committed.
fn beside(repo: &Repo, name: &str) -> PathBuf {
    repo.path().join("..").join(name)
}

/// Packs a program that is small, and is the one under test all the same.
fn pack(repo: &Repo, target: &str, folder: &str) -> PathBuf {
    let program = beside(repo, "program");
    fs::write(&program, format!("#!/bin/sh\nexec '{}' \"$@\"\n", citecheck().display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let folder = beside(repo, folder);
    run(script(repo, "archive").arg(target).arg(&folder).arg(&program));
    folder.join(format!("citecheck-{VERSION}-{target}.tar.gz"))
}

/// The targets of the release workflow.
fn targets() -> BTreeSet<String> {
    let target = Regex::new(r"\{ target: ([a-z0-9_-]+), runner: ").unwrap();
    target.captures_iter(&read(".github/workflows/release.yml")).map(|found| found[1].to_owned()).collect()
}

#[test]
fn an_archive_has_the_program_with_all_that_belongs_to_it() {
    let repo = checkout();
    let archive = pack(&repo, "x86_64-unknown-linux-gnu", "first");
    let listed = run(repo.command("tar", repo.path()).arg("-tzf").arg(&archive));
    let top = format!("citecheck-{VERSION}-x86_64-unknown-linux-gnu/");
    let listed: Vec<&str> = listed.lines().map(|line| line.strip_prefix(&top).expect(line)).collect();
    let pages = listed.iter().filter(|path| path.starts_with("man/citecheck-")).count();
    let rest: Vec<&str> = listed.iter().filter(|path| !path.starts_with("man/citecheck-")).copied().collect();
    assert_eq!(rest, CONTENT);
    let help = repo.citecheck(["--help"]).stdout;
    let commands: Vec<&str> = help
        .split("Commands:\n")
        .nth(1)
        .and_then(|rest| rest.split("\n\n").next())
        .unwrap()
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() > 10 && pages >= commands.len(), "{commands:?}: {listed:?}");
    for command in commands {
        assert!(listed.contains(&format!("man/citecheck-{command}.1").as_str()), "{command}: {listed:?}");
    }
}

#[test]
fn the_same_program_gives_the_same_archive_and_its_checksum() {
    let repo = checkout();
    let first = pack(&repo, "x86_64-unknown-linux-gnu", "first");
    let second = pack(&repo, "x86_64-unknown-linux-gnu", "second");
    let bytes = fs::read(&first).unwrap();
    assert!(bytes == fs::read(second).unwrap(), "the archives differ");
    let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    let name = first.file_name().unwrap().to_str().unwrap();
    let told = fs::read_to_string(first.with_file_name(format!("{name}.sha256"))).unwrap();
    assert_eq!(told, format!("{sum}  {name}\n"));
    let verbose = run(repo.command("tar", repo.path()).arg("-tvzf").arg(&first).env("TZ", "UTC"));
    let owner = Regex::new(r"(?m)^-rw[xr-]{7}\s+.*\b0\b").unwrap();
    assert_eq!(owner.find_iter(&verbose).count(), verbose.lines().count(), "{verbose}");
}

#[test]
fn the_action_of_a_release_installs_the_archive_of_that_release() {
    let repo = checkout();
    let parent = repo.git(["rev-parse", "HEAD"]);
    let archive = pack(&repo, "x86_64-unknown-linux-musl", &format!("releases/v{VERSION}"));
    let folder = archive.parent().unwrap();
    let other = pack(&repo, "aarch64-apple-darwin", &format!("releases/v{VERSION}"));
    let sum = |archive: &PathBuf| fs::read_to_string(archive.with_extension("gz.sha256")).unwrap();
    let sums = folder.join("SHA256SUMS");
    fs::write(&sums, format!("{}{}", sum(&archive), sum(&other))).unwrap();
    assert_eq!(run(script(&repo, "tag").arg(&sums)), format!("tagged v{VERSION}\n"));

    assert_eq!(repo.git(["rev-parse", &format!("v{VERSION}^{{commit}}~")]), parent, "one commit on top");
    assert_eq!(repo.git(["diff", "--name-only", "HEAD~"]), "action/checksums.txt\n");
    let action = repo.path().join("action");
    let temp = beside(&repo, "temp");
    fs::create_dir(&temp).unwrap();
    let step = |name: &str, variables: &[(&str, &str)]| {
        let mut command = repo.command("bash", &temp);
        command.arg(action.join(name)).env("RUNNER_OS", "Linux").env("RUNNER_ARCH", "X64").env("RUNNER_TEMP", &temp);
        output(command.env("GITHUB_OUTPUT", temp.join("outputs")).envs(variables.iter().copied()))
    };
    let planned = step("plan.sh", &[]);
    let told = fs::read_to_string(temp.join("outputs")).unwrap_or_default();
    assert!(planned.code == 0 && told.contains("how=release\n"), "{planned:?} {told}");
    let checksum = sum(&archive)[..64].to_owned();
    assert!(told.contains(&format!("checksum={checksum}\n")), "{told}");
    let releases = format!("file://{}", beside(&repo, "releases").canonicalize().unwrap().display());
    let installed = step(
        "install.sh",
        &[
            ("PLAN_HOW", "release"),
            ("PLAN_FOLDER", temp.join("program").to_str().unwrap()),
            ("PLAN_VERSION", VERSION),
            ("PLAN_ARCHIVE", archive.file_name().unwrap().to_str().unwrap()),
            ("PLAN_CHECKSUM", &checksum),
            ("CITECHECK_RELEASES", &releases),
        ],
    );
    assert_eq!((installed.code, installed.stdout.as_str()), (0, &*format!("citecheck {VERSION}\n")), "{installed:?}");
}

#[test]
fn what_is_no_checksum_of_this_release_is_not_tagged() {
    let repo = checkout();
    let sums = beside(&repo, "SHA256SUMS");
    let tag = |text: &str| -> Output {
        fs::write(&sums, text).unwrap();
        output(script(&repo, "tag").arg(&sums))
    };
    let sum = "0".repeat(64);
    let good = format!("{sum}  citecheck-{VERSION}-x86_64-unknown-linux-musl.tar.gz\n");
    for bad in [
        String::new(),
        format!("{good}{sum}  citecheck-9.9.9-x86_64-unknown-linux-musl.tar.gz\n"),
        format!("{good}{}  citecheck-{VERSION}-aarch64-apple-darwin.tar.gz\n", &sum[1..]),
        format!("{good}{sum}  SHA256SUMS\n"),
    ] {
        let refused = tag(&bad);
        assert!(refused.code == 2 && refused.stderr.contains("no checksum of an archive"), "{bad}: {refused:?}");
        assert_eq!(repo.git(["status", "--porcelain"]) + &repo.git(["tag", "--list"]), "", "{bad}");
    }
    assert_eq!(tag(&good).code, 0);
    let again = tag(&good);
    assert!(again.code == 2 && again.stderr.contains("has checksums of"), "{again:?}");
    let name = format!("v{VERSION}");
    let first = repo.git(["rev-parse", &name]);
    repo.git(["tag", "--delete", &name]);
    repo.git(["reset", "--quiet", "--hard", "HEAD~"]);
    assert_eq!((tag(&good).code, repo.git(["rev-parse", &name])), (0, first), "a run that broke off can be repeated");
}

#[test]
fn a_release_is_refused_before_anything_is_built() {
    let repo = checkout();
    let origin = beside(&repo, "origin.git");
    repo.git(["clone", "--quiet", "--bare", ".", origin.to_str().unwrap()]);
    repo.git(["remote", "add", "origin", origin.to_str().unwrap()]);
    let ready = |repository: &str, reference: &str| {
        let mut command = script(&repo, "ready");
        let server = ("GITHUB_SERVER_URL", "https://github.com");
        output(command.envs([server, ("GITHUB_REPOSITORY", repository), ("GITHUB_REF", reference)]))
    };
    let good = ready(repository(), "refs/heads/main");
    assert_eq!((good.code, good.stdout.as_str()), (0, &*format!("{VERSION}\n")), "{good:?}");
    let refused = |out: Output, words: &str| assert!(out.code == 2 && out.stderr.contains(words), "{words}: {out:?}");
    refused(ready("somebody/citecheck", "refs/heads/main"), "and this is https://github.com/somebody/citecheck");
    refused(ready(repository(), "refs/heads/topic"), "not of refs/heads/topic");
    repo.git(["push", "--quiet", "origin", &format!("HEAD:refs/tags/v{VERSION}")]);
    refused(ready(repository(), "refs/heads/main"), "is released already");
    repo.write("Cargo.toml", repo.read("Cargo.toml").replacen(VERSION, "9.9.9", 1));
    refused(ready(repository(), "refs/heads/main"), "the changelog has no entry for 9.9.9");
}

#[test]
fn the_notes_are_what_the_changelog_says_of_the_version() {
    let repo = checkout();
    let changelog =
        format!("# Changelog\n\n## 9.0.0\n\nLater.\n\n## {VERSION} - 2026-01-31\n\nThis one.\n\n## 0.0.1\n\nOlder.\n");
    repo.write(".github/CHANGELOG.md", changelog);
    let notes = run(script(&repo, "notes").env("GITHUB_REPOSITORY", "a/b"));
    assert!(notes.starts_with("This one.\n") && notes.contains("--repo a/b"), "{notes}");
    assert!(!notes.contains("Later") && !notes.contains("Older"), "{notes}");
}

#[test]
fn manual_pages_are_read_without_a_warning() {
    let repo = Repo::bare_folder();
    if Command::new("groff").arg("--version").output().is_err() {
        eprintln!("skipped: no groff");
        return;
    }
    let told = run(repo.citecheck_command().args(["man", "--out", "man"]));
    let mut pages = 0;
    for entry in fs::read_dir(repo.path().join("man")).unwrap() {
        let path = entry.unwrap().path();
        let read = output(repo.command("groff", repo.path()).args(["-man", "-Tutf8", "-ww"]).arg(&path));
        assert_eq!((read.code, read.stderr.as_str()), (0, ""), "{}", path.display());
        let command = path.file_stem().unwrap().to_str().unwrap().replace('-', " ");
        assert!(read.stdout.contains(&format!("\n       {command} [OPTIONS]")), "{command}: {}", read.stdout);
        pages += 1;
    }
    assert_eq!(told, format!("wrote {pages} pages to man\n"));
    assert!(repo.read("man/citecheck-check.1").contains("CITECHECK_FORMAT"), "variables stand there as in the help");
}

#[test]
fn every_place_that_names_a_version_names_this_one() {
    let named = Regex::new(concat!(
        r"(?:rev: v|action@v|citecheck-bin==|\bversion=|The release to use, as `)",
        r"([0-9]+\.[0-9]+\.[0-9]+[0-9A-Za-z.-]*)"
    ))
    .unwrap();
    for (path, least) in [
        ("README.md", 2),
        (".github/docs/install.md", 1),
        ("hooks/README.md", 1),
        ("action/README.md", 1),
        (".github/wheel/README.md", 1),
        ("action/action.yml", 1),
    ] {
        let text = read(path);
        let versions: Vec<&str> =
            named.captures_iter(&text).filter_map(|found| found.get(1)).map(|it| it.as_str()).collect();
        assert!(versions.len() >= least, "{path}: {versions:?}");
        assert!(versions.iter().all(|version| *version == VERSION), "{path} is to name {VERSION}: {versions:?}");
    }
    let changelog = read(".github/CHANGELOG.md");
    let newest = changelog.lines().find_map(|line| line.strip_prefix("## ")).unwrap();
    assert_eq!(newest.split(' ').next(), Some(VERSION), "the newest entry of the changelog");
    let wheel = read(".github/wheel/pyproject.toml");
    assert!(wheel.contains("dynamic = [\"version\"") && !wheel.contains("\nversion"), "the wheel's is Cargo.toml's");
}

#[test]
fn every_address_is_the_one_of_cargo_toml() {
    let address = Regex::new(r"(?:github\.com/|uses: |--repo )([\w.-]+/citecheck)\b").unwrap();
    for path in ["README.md", "action/README.md", ".github/docs/install.md", ".github/wheel/README.md"] {
        let text = read(path);
        let found: BTreeSet<&str> =
            address.captures_iter(&text).filter_map(|it| it.get(1)).map(|it| it.as_str()).collect();
        assert_eq!(found, BTreeSet::from([repository()]), "{path}");
    }
}

#[test]
fn archives_have_the_names_that_binstall_and_the_action_look_for() {
    let manifest = read("Cargo.toml");
    let template = |key: &str| {
        let line = manifest.lines().find_map(|line| line.strip_prefix(&format!("{key} = \""))).expect(key);
        line.trim_end_matches('"').to_owned()
    };
    let filled = |template: &str, target: &str| {
        let pairs =
            [("repo", "R"), ("version", VERSION), ("name", "citecheck"), ("bin", "citecheck"), ("target", target)];
        let with_target =
            pairs.iter().fold(template.to_owned(), |text, (key, value)| text.replace(&format!("{{ {key} }}"), value));
        with_target.replace("{ binary-ext }", "")
    };
    let repo = checkout();
    let target = "aarch64-unknown-linux-gnu";
    let archive = pack(&repo, target, "out");
    let name = archive.file_name().unwrap().to_str().unwrap();
    assert_eq!(filled(&template("pkg-url"), target), format!("R/releases/download/v{VERSION}/{name}"));
    let listed = run(repo.command("tar", repo.path()).arg("-tzf").arg(&archive));
    assert!(listed.lines().any(|line| line == filled(&template("bin-dir"), target)), "{listed}");

    let targets = targets();
    assert_eq!(targets.len(), 8, "{targets:?}");
    for system in ["unknown-linux-musl", "apple-darwin", "pc-windows-msvc"] {
        assert!(read("action/plan.sh").contains(&format!("system={system} ;;")), "{system}");
        for machine in ["x86_64", "aarch64"] {
            assert!(targets.contains(&format!("{machine}-{system}")), "{machine}-{system}: {targets:?}");
        }
    }
}

/// A job that can write or sign runs nothing that others can change under us.
#[test]
fn the_release_takes_actions_by_commit_and_no_secret() {
    let workflow = read(".github/workflows/release.yml");
    let pinned = Regex::new(r"^[\w./-]+@[0-9a-f]{40} # v[0-9.]+$").unwrap();
    let uses = workflow.lines().filter_map(|line| line.trim_start().trim_start_matches("- ").strip_prefix("uses: "));
    let uses: Vec<&str> = uses.collect();
    assert!(uses.len() > 8 && uses.iter().all(|action| pinned.is_match(action)), "{uses:?}");
    assert!(!workflow.contains("secrets."), "trusted publishing needs none");
    assert!(workflow.contains("\npermissions: {}\n"));
    assert_eq!(workflow.matches("contents: write").count(), 1);
    assert!(workflow.contains(&format!("RUSTUP_TOOLCHAIN: {}", env!("CARGO_PKG_RUST_VERSION"))));
}
