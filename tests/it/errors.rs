//! Everything that stops a run and can be provoked here, each with the command that it follows, in fixtures/errors.txt.
//! `SNAPSHOTS=overwrite cargo test errors` writes it anew. Not on Windows, which words the failures of files in its own way.

use std::fmt::Write as _;

use snapbox::{Assert, Data};

use crate::support::{Repo, output, root};

const MANUAL: &str = "# Pump\n\n## Limits\n\nThe pump stops within 30 s.\n\n## Notes\n\nKeep the pump dry.\n";

/// A place to run in, and the command lines to run there.
type Scenery = (&'static str, fn() -> Repo, &'static [&'static str]);

const SCENES: &[Scenery] = &[
    (
        "The command line",
        pump,
        &[
            "citecheck chek",
            "citecheck check --stagd",
            "citecheck check --staged --worktree",
            "citecheck check --staged HEAD~1..HEAD",
            "citecheck check --base v1",
            "citecheck check --fail-on note",
            "citecheck check --format xml",
            "citecheck check --output json",
            "citecheck check --output json=no/such/folder.json",
            "citecheck check --fix HEAD~1..HEAD",
            "citecheck check docs/manul.md",
            "citecheck check ../elsewhere",
            "citecheck check HEAD",
            "citecheck check HEAD~1 docs",
            "citecheck check TC-1",
            "citecheck coverage HEAD",
            "citecheck -C nowhere check",
            "citecheck diff HEAD~1..HEAD --format sarif",
            "citecheck diff HEAD~1..HEAD docs/manul.md",
            "citecheck explain",
            "citecheck explain text-chnged",
            "citecheck explain everything",
            "citecheck explain TC-1",
            "citecheck check --rev docs/manual.md",
            "citecheck check docs/manual.md..HEAD",
            "citecheck accept",
            "citecheck accept TC-11",
            "citecheck accept everything",
            "citecheck accept --section limit",
            "citecheck accept --section everything",
            "citecheck accept --rule text-chnged",
            "citecheck accept --rule unknown-section",
            "citecheck accept --all",
            "citecheck sections --rev v9",
            "citecheck coverage --since v9",
            "citecheck coverage --since 2026-13-01",
            "citecheck coverage --points 5",
            "citecheck schema findings",
            "citecheck completions csh",
            "citecheck man --out docs/manual.md",
            "citecheck ci",
            "GITHUB_EVENT_NAME=pull_request_target GITHUB_EVENT_PATH=event.json citecheck ci",
            "GITHUB_EVENT_NAME=push GITHUB_EVENT_PATH=event.json citecheck ci",
            "GITHUB_EVENT_NAME=push GITHUB_EVENT_PATH=docs/manual.md citecheck ci",
            "GITHUB_EVENT_NAME=push GITHUB_EVENT_PATH=none.json citecheck ci",
            "citecheck hook run post-merge",
        ],
    ),
    (
        "Revisions",
        pump,
        &[
            "citecheck check v9..HEAD",
            "citecheck check HEAD..v9",
            "citecheck check --rev v9",
            "citecheck check --rev abc",
            "citecheck check --rev HEAD..HEAD",
            "citecheck check --rev HEAD:docs/manual.md",
            "citecheck check --rev topic",
            "citecheck check HEAD~9..HEAD",
            "citecheck check HEAD...alone",
            "citecheck diff v9",
            "citecheck diff --staged HEAD~1..HEAD",
            "citecheck check --config-from v9",
            "citecheck coverage --since alone",
        ],
    ),
    ("No repository", Repo::bare_folder, &["citecheck check", "citecheck init", "citecheck hook status"]),
    (
        "A repository without commit",
        Repo::new,
        &["citecheck check HEAD~1..HEAD", "citecheck coverage --since 2026-01-01"],
    ),
    ("A bare repository", bare, &["citecheck check", "citecheck fix", "citecheck init", "citecheck check --staged"]),
    ("A merge with conflicts", conflict, &["citecheck check --staged"]),
    ("A shallow clone", shallow, &["citecheck check HEAD~1..HEAD", "citecheck check v1...HEAD"]),
    ("A text that is gone", without_object, &["citecheck check HEAD~1..HEAD"]),
    ("An index in two pieces", split_index, &["citecheck check --staged"]),
    ("An index elsewhere", pump, &["GIT_INDEX_FILE=none citecheck check --staged"]),
    ("A repository of the future", extended, &["citecheck check"]),
    (
        "A configuration with errors",
        misconfigured,
        &["citecheck check", "citecheck check --config none.yaml", "citecheck check --config ../citecheck.yaml"],
    ),
    ("A configuration that is no YAML", || configured("manuals: [docs/*.md\n"), &["citecheck check"]),
    ("A configuration that is no text", || configured(b"manuals: \xff\n"), &["citecheck check"]),
    ("A configuration that is a list", || configured("- docs/*.md\n"), &["citecheck check"]),
    ("Two configurations", two_configurations, &["citecheck check", "citecheck init", "citecheck init --force"]),
    ("A configuration of another name", misnamed, &["citecheck check"]),
    ("Somebody else's hook", hooked, &["citecheck hook install"]),
    ("Pins that can't be written", unwritable_pins, &["citecheck accept TC-1"]),
    ("Pins that are no text", pins_without_text, &["citecheck check"]),
    ("A citation of two cases", shared, &["citecheck accept TC-1"]),
];

/// A limit changed; a branch `topic` at a remote; a branch `alone` that has nothing in common with the rest.
fn pump() -> Repo {
    let repo = Repo::with_manual(MANUAL, "pump/limits, pump/notes");
    repo.git(["checkout", "--quiet", "--orphan", "alone"]);
    repo.commit("Start anew");
    repo.git(["checkout", "--quiet", "main"]);
    repo.git(["remote", "add", "origin", "https://git.example.org/pump"]);
    repo.git(["update-ref", "refs/remotes/origin/topic", "HEAD"]);
    repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    repo.write("event.json", "{}");
    repo.commit("Raise the limit");
    repo
}

fn bare() -> Repo {
    let repo = pump();
    repo.git(["config", "core.bare", "true"]);
    repo
}

fn conflict() -> Repo {
    let repo = pump();
    let blob = repo.git(["hash-object", "-w", "docs/manual.md"]);
    let entries: String = (1..=3).map(|stage| format!("100644 {} {stage}\tdocs/manual.md\n", blob.trim())).collect();
    repo.write(".git/entries", format!("0 {} 0\tdocs/manual.md\n{entries}", "0".repeat(blob.trim().len())));
    let entries = std::fs::File::open(repo.path().join(".git/entries")).unwrap();
    let out = output(repo.command("git", repo.path()).args(["update-index", "--index-info"]).stdin(entries));
    assert_eq!(out.code, 0, "{}", out.stderr);
    repo
}

fn shallow() -> Repo {
    let repo = pump();
    repo.git(["tag", "v1", "HEAD~1"]);
    repo.make_shallow();
    repo.git(["fetch", "--quiet", "--depth", "1", "origin", "tag", "v1"]);
    repo
}

fn without_object() -> Repo {
    let repo = pump();
    let id = repo.git(["rev-parse", "HEAD~1:docs/manual.md"]);
    let (folder, file) = id.trim().split_at(2);
    std::fs::remove_file(repo.path().join(".git/objects").join(folder).join(file)).unwrap();
    repo
}

fn split_index() -> Repo {
    let repo = pump();
    repo.git(["update-index", "--split-index"]);
    repo
}

fn extended() -> Repo {
    let repo = pump();
    repo.git(["config", "core.repositoryFormatVersion", "1"]);
    repo.git(["config", "extensions.holograms", "true"]);
    repo
}

fn configured(text: impl AsRef<[u8]>) -> Repo {
    let repo = pump();
    repo.write("citecheck.yaml", text);
    repo
}

fn misconfigured() -> Repo {
    configured(
        r"manual: docs/*.md
manuals: [docs/*.markdown, '../*.md', '']
cases: { files: 'cases.yaml', cites: [], id: 3, cite-pattern: 'REQ-(\d+' }
sections: { id-patterns: ['^REQ'], numbered-paragraphs: perhaps }
pins: outside
rules: { text-chnged: error, text-reworded: loud }
words: { modality: shall, colour: [red] }
base-urls: { 'docs.example.org': docs/ }
coverage: { taxonomy: [] }
pins: inline
",
    )
}

fn two_configurations() -> Repo {
    let repo = configured("pins: inline\n");
    repo.write(".github/citecheck.yaml", "pins: inline\n");
    repo
}

fn misnamed() -> Repo {
    let repo = pump();
    repo.write("citecheck.yml", "pins: inline\n");
    repo
}

fn hooked() -> Repo {
    let repo = pump();
    repo.write(".git/hooks/pre-commit", "#!/bin/sh\nmake lint\n");
    repo
}

fn unwritable_pins() -> Repo {
    let repo = configured("pins: file\n");
    repo.write("citecheck.pins.yaml", "<<<<<<< ours\n=======\n>>>>>>> theirs\n");
    repo
}

fn pins_without_text() -> Repo {
    let repo = pump();
    repo.write("citecheck.pins.yaml", b"\xff");
    repo
}

/// One scalar, which an alias brings into a second case.
fn shared() -> Repo {
    let repo = pump();
    repo.write("cases.yaml", "- id: TC-1\n  cites: &cited [pump/limits]\n- id: TC-2\n  cites: *cited\n");
    repo.commit("Share a citation");
    repo.write("docs/manual.md", MANUAL.replace("30 s", "3 s"));
    repo
}

/// What a command line prints to standard error, with names of the place taken out.
fn told(line: &str, repo: &Repo) -> String {
    let mut command = repo.citecheck_command();
    let (variables, arguments) = line.split_once("citecheck").unwrap();
    for (name, value) in variables.split_whitespace().filter_map(|word| word.split_once('=')) {
        command.env(name, value);
    }
    let out = output(command.args(arguments.split_whitespace()).env("COLUMNS", "80"));
    assert_eq!(out.code, 2, "{line}: {}{}", out.stdout, out.stderr);
    let path = repo.path();
    let canonical = path.canonicalize().unwrap();
    let text = out.stderr.replace(canonical.to_str().unwrap(), "/repository");
    text.replace(path.to_str().unwrap(), "/repository")
}

#[test]
fn every_error_reads_as_it_should() {
    let mut page = String::new();
    for (title, scenery, lines) in SCENES {
        let repo = scenery();
        write!(page, "## {title}\n\n").unwrap();
        for line in *lines {
            write!(page, "$ {line}\n{}\n", told(line, &repo)).unwrap();
        }
    }
    let file = root().join("fixtures/errors.txt");
    Assert::new().action_env("SNAPSHOTS").eq(page, Data::read_from(&file, None).raw());
}
