//! What `init` proposes for repositories of many shapes, and how well that works: on small ones of our own, and on real
//! histories, where the share of citations that resolve is held against configurations written by hand. Says `skipped`
//! where the histories are not beside the checkout (`CITECHECK_SHARED`).

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use regex::Regex;
use snapbox::data::DataFormat;
use snapbox::{Assert, Data};

use crate::support::{Repo, output, root};

const SHAPES: &str = "fixtures/init";

/// A repository with the files of a shape.
fn shape(folder: &Path) -> Repo {
    let repo = Repo::new();
    copy(&folder.join("repository"), "", &repo);
    repo.commit("Add manual and cases");
    repo
}

fn copy(folder: &Path, prefix: &str, repo: &Repo) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            copy(&entry.path(), &format!("{path}/"), repo);
        } else {
            repo.write(&path, fs::read(entry.path()).unwrap());
        }
    }
}

#[test]
fn each_shape_gets_the_configuration_that_fits_it() {
    let entries = fs::read_dir(root().join(SHAPES)).unwrap().map(|entry| entry.unwrap().path());
    let mut shapes: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    shapes.sort();
    assert!(shapes.len() >= 10, "{shapes:?}");
    for folder in shapes {
        let repo = shape(&folder);
        let out = repo.citecheck(["init"]);
        assert_eq!(out.code, 0, "{}: {}", folder.display(), out.stderr);
        let expect = |found: String, file: &str| {
            Assert::new().action_env("SNAPSHOTS").eq(found, Data::read_from(&folder.join(file), None).raw());
        };
        expect(out.stdout, "told.txt");
        expect(repo.read("citecheck.yaml"), "citecheck.yaml");

        let check = repo.citecheck(["check"]);
        let nothing = ["no-cases", "keys-of-mappings"].iter().any(|name| folder.ends_with(name));
        assert_eq!(check.code, if nothing { 3 } else { 0 }, "{}: {}{}", folder.display(), check.stdout, check.stderr);
    }
}

#[test]
fn a_dry_run_prints_what_would_be_written() {
    let repo = shape(&root().join(SHAPES).join("own-keys"));
    let out = repo.citecheck(["init", "--dry-run"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(!repo.path().join("citecheck.yaml").exists());
    assert!(out.stderr.contains("4 of 4 values of `cites`"), "{}", out.stderr);
    repo.citecheck(["init"]);
    assert_eq!(out.stdout, repo.read("citecheck.yaml"));
}

#[test]
fn ignored_files_have_no_say_and_untracked_ones_do() {
    let repo = Repo::new();
    repo.write(".gitignore", "/out/\n");
    repo.write("out/cases.yaml", "- {id: A, req: [docs/m.md#a]}\n- {id: B, req: [docs/m.md#b]}\n");
    repo.write("docs/m.md", "# M\n\n## A\n\nText.\n\n## B\n\nText.\n");
    let told = repo.citecheck(["init", "--dry-run"]).stderr;
    assert!(told.contains("no key has values that name sections"), "{told}");
    repo.write("tests/cases.yaml", repo.read("out/cases.yaml"));
    let told = repo.citecheck(["init", "--dry-run"]).stderr;
    assert!(told.contains("2 of 2 values of `req`"), "{told}");
}

#[test]
fn names_from_the_repository_cannot_act_on_the_terminal_or_the_file() {
    let repo = Repo::new();
    repo.write("docs/\u{1b}[31mm.md", "# M\n\n## A-1\n\nText.\n\n## B-2\n\nText.\n");
    repo.write(
        "t.yaml",
        "- {id: A, \"req\\nrules: {no: 1}\\e[2J\": A-1}\n- {id: B, \"req\\nrules: {no: 1}\\e[2J\": B-2}\n",
    );
    repo.commit("Add");
    let out = repo.citecheck(["init"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(out.stdout.contains("2 of 2 values of `req"), "{}", out.stdout);
    for text in [&out.stdout, &repo.read("citecheck.yaml")] {
        assert!(!text.contains('\u{1b}') && !text.contains("\nrules:"), "{text}");
    }
    assert_eq!(repo.citecheck(["check"]).code, 0, "{}", repo.citecheck(["check"]).stderr);
}

/// The README's way for a team that starts with stale cases, and that an acceptance can be taken back.
#[test]
fn a_baseline_is_worked_off_in_slices_or_accepted_whole() {
    let manual = |power: &str, heat: &str, horn: &str| {
        format!("# Oven\n\n## REQ-1 Power\n\n{power}\n\n## REQ-2 Heat\n\n{heat}\n\n## REQ-3 Horn\n\n{horn}\n")
    };
    let repo = Repo::new();
    repo.write(
        "docs/oven.md",
        manual("It draws 10 A.", "It heats the big plate quickly and evenly.", "It sounds for 5 s."),
    );
    let cases = ["REQ-1", "REQ-2", "REQ-3"].map(|req| format!("- {{id: T-{req}, req: {req}}}\n")).concat();
    repo.write("tests/oven.yaml", cases);
    repo.commit("Add manual and cases");
    repo.write(
        "docs/oven.md",
        manual("It draws 12 A.", "It heats the large plate quickly and evenly.", "It sounds for 9 s."),
    );
    repo.commit("Change the manual");
    assert_eq!(repo.citecheck(["init"]).code, 0);
    repo.commit("Add the configuration");

    let stale = || {
        let report = repo.json(&["check"]);
        let findings = report["findings"].as_array().unwrap().iter();
        findings.map(|finding| finding["citation"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(repo.citecheck(["check", "--output", "markdown=stale.md"]).code, 1);
    assert!(repo.read("stale.md").contains("REQ-1"));
    assert_eq!(stale(), ["REQ-1", "REQ-2", "REQ-3"]);
    assert_eq!(repo.citecheck(["check", "HEAD~1..HEAD"]).code, 0, "what was stale before fails no range");
    repo.citecheck(["accept", "--rule", "text-reworded", "--yes"]);
    assert_eq!(stale(), ["REQ-1", "REQ-3"]);
    repo.citecheck(["accept", "--section", "REQ-1", "--yes"]);
    assert_eq!(stale(), ["REQ-3"]);
    repo.citecheck(["accept", "--all", "--yes"]);
    assert_eq!(stale(), [""; 0]);
    let pins = repo.read("citecheck.pins.yaml");
    assert_eq!(pins.lines().filter(|line| line.starts_with("- ")).count(), 3, "{pins}");
    repo.write(
        "citecheck.pins.yaml",
        pins.lines().filter(|line| !line.contains("REQ-1")).fold(String::new(), |text, line| text + line + "\n"),
    );
    assert_eq!(stale(), ["REQ-1"]);
}

/// A history of the evaluation data, checked out.
fn history(name: &str) -> Option<Repo> {
    let shared = std::env::var_os("CITECHECK_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    let bundle = shared.join(format!("eval/histories/{name}.bundle"));
    if !bundle.exists() {
        std::io::stderr().write_all(format!("skipped: no {}\n", bundle.display()).as_bytes()).unwrap();
        return None;
    }
    let repo = Repo::new();
    repo.git(["fetch", "--quiet", bundle.to_str().unwrap(), "main"]);
    repo.git(["checkout", "--quiet", "--force", "-B", "main", "FETCH_HEAD"]);
    Some(repo)
}

/// Citations that name one section or file, and all, with the proposed configuration, by which `check` runs.
fn resolved(repo: &Repo) -> (usize, usize) {
    let out = repo.citecheck(["init"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    repo.commit("Add the configuration");
    let check = repo.citecheck(["check", "HEAD~2..HEAD"]);
    assert!(check.code <= 1, "{}{}", check.stdout, check.stderr);
    let told = repo.citecheck(["doctor"]).stdout;
    let number = |pattern: &str| {
        let found = Regex::new(pattern).unwrap().captures(&told).map(|found| found[1].parse::<usize>().unwrap());
        found.unwrap_or_default()
    };
    let all = number(r"\d+ cases, (\d+) citations");
    (all - number(r"(\d+) of \d+ citations name no single section"), all)
}

/// A configuration written by hand, `PolicyId` in `**/*.testplan.yaml`, resolves 136 of 136 citations.
#[test]
fn the_test_plans_of_a_real_history_are_found() {
    let Some(repo) = history("scubagear") else { return };
    assert_eq!(resolved(&repo), (136, 136));
    let manuals = repo.citecheck(["sections", "MS.AAD.1.1v1"]).stdout;
    assert!(manuals.contains("baselines/aad.md"), "{manuals}");
}

/// A configuration written by hand, `heading` in `spec-compliance-matrix/*.yaml`, resolves 156 of 221: the others are bold
/// titles and no links. There are more links under `name`.
#[test]
fn the_links_of_a_real_matrix_are_found() {
    let Some(repo) = history("opentelemetry") else { return };
    assert_eq!(resolved(&repo), (780, 780));
}

/// A configuration written by hand, `^r\[(?P<id>[^\]]+)\]$` in `src/**/*.md`, finds 122 manuals with 2958 clauses.
#[test]
fn the_clauses_of_a_real_manual_are_found() {
    let Some(repo) = history("rust-reference") else { return };
    let out = repo.citecheck(["init"]);
    assert!(out.stdout.contains("122 files"), "{}", out.stdout);
    assert!(out.stdout.contains("2958 blocks with an id"), "{}", out.stdout);
    let config = repo.read("citecheck.yaml");
    assert!(config.contains(r"id-patterns: ['^r\[(?P<id>[^\]]+)\]']"), "{config}");
}

/// The terminal of the README: what the two commands print, each behind its prompt.
#[test]
fn the_session_of_the_readme_is_what_is_printed() {
    let Some(repo) = history("scubagear") else { return };
    let mut session = String::new();
    for arguments in [&["init"][..], &["doctor"]] {
        let out = output(repo.citecheck_command().args(arguments).args(["--color", "always"]).env("COLUMNS", "110"));
        assert_eq!(out.code, 0, "{}", out.stderr);
        session += &format!("\u{1b}[1m$ citecheck {}\u{1b}[0m\n{}\n", arguments.join(" "), out.stdout);
    }
    let picture = root().join(SHAPES).join("session.svg");
    Assert::new().action_env("SNAPSHOTS").eq(session, Data::read_from(&picture, Some(DataFormat::TermSvg)));
}
