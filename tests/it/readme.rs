//! What the README and the pages beside it promise: the tour is walked, links lead somewhere, paths exist. That its
//! pictures, its examples and its table of rules are right is for `example`, `init` and `tidy`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use regex::Regex;
use snapbox::{Assert, Data};

use crate::support::{Repo, citecheck, files, output, root};

const README: &str = "README.md";

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The pages for people, the crate documentation aside.
fn pages() -> Vec<String> {
    let folders = [".github", "action", "hooks"].map(|folder| files(folder, "md")).concat();
    [README.to_owned()].into_iter().chain(folders).collect()
}

/// What a reader sees who types a command, the folder as `try.sh` names it.
fn typed(repo: &Repo, command: &str) -> String {
    let mut shell = repo.command("sh", repo.path());
    shell.args(["-c", &format!("exec 2>&1; PATH=$PROGRAMS:$PATH\n{command}")]);
    shell.env("PROGRAMS", citecheck().parent().unwrap());
    for date in ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"] {
        shell.env(date, "2026-04-01T09:00:00+0000");
    }
    let out = output(shell.env("COLUMNS", "100"));
    let place = repo.path().canonicalize().unwrap();
    out.stdout.replace(place.to_str().unwrap(), "/tmp/fluid-warmer")
}

/// The README with every block of the language `console` as it comes out when it is typed, all in one repository.
fn walked(readme: &str) -> String {
    let repo = Repo::example();
    let (mut text, mut within) = (String::new(), false);
    for line in readme.lines() {
        within = if within { line != "```" } else { line == "```console" };
        let command = line.strip_prefix("$ ").filter(|_| within);
        if !within || line == "```console" || command.is_some() {
            text += &format!("{line}\n");
        }
        if let Some(command) = command {
            text += &typed(&repo, command);
        }
    }
    text
}

/// `SNAPSHOTS=overwrite cargo test tour` writes what is printed into the README.
#[test]
fn the_tour_of_the_readme_is_what_is_printed() {
    let readme = read(README);
    assert!(readme.matches("\n$ ").count() > 10, "the README has its tour");
    Assert::new().action_env("SNAPSHOTS").eq(walked(&readme), Data::read_from(&root().join(README), None).raw());
}

/// Without code: blocks between fences, and what stands in backquotes.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    });
    Regex::new("`[^`]*`").unwrap().replace_all(&lines.collect::<Vec<_>>().join("\n"), "").into_owned()
}

/// Targets of links and pictures that are neither addresses nor within the page: path and fragment.
fn links(page: &str) -> Vec<(PathBuf, String)> {
    let link = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let folder = Path::new(page).parent().unwrap();
    let targets = link.captures_iter(&prose(&read(page))).map(|found| found[1].to_owned()).collect::<Vec<_>>();
    let targets = targets.iter().filter(|target| !target.contains("://"));
    let split = targets.map(|target| target.split_once('#').unwrap_or((target, "")));
    split
        .map(|(path, fragment)| {
            let target = if path.is_empty() { PathBuf::from(page) } else { plain(&folder.join(path)) };
            (target, fragment.to_owned())
        })
        .collect()
}

/// Without `..` and `.`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => assert!(plain.pop(), "{} leaves the repository", path.display()),
            Component::Normal(name) => plain.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
        plain
    })
}

/// The anchors of a page's headings, as GitHub makes them of plain ones.
fn anchors(page: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join(page)).unwrap();
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| line.trim_start_matches('#').trim().to_lowercase())
        .map(|title| title.chars().filter(|it| it.is_alphanumeric() || " -_".contains(*it)).collect::<String>())
        .map(|title| title.replace(' ', "-"))
        .collect()
}

#[test]
fn links_lead_somewhere() {
    for page in pages() {
        for (target, fragment) in links(&page) {
            assert!(root().join(&target).exists(), "{page} links to {}", target.display());
            let found = fragment.is_empty() || anchors(&target).contains(&fragment);
            assert!(found, "{page} links to #{fragment} of {}", target.display());
        }
    }
}

/// What the README links to is in the package that crates.io has, and what that links to.
#[test]
fn links_lead_somewhere_in_the_package_too() {
    let manifest = read("Cargo.toml");
    let included = manifest.split_once("\ninclude = [").unwrap().1.split_once(']').unwrap().0.to_owned();
    let patterns: Vec<String> = Regex::new("\"/([^\"]+)\"")
        .unwrap()
        .captures_iter(&included)
        .map(|found| format!("^{}(/|$)", found[1].replace('.', r"\.").replace('*', "[^/]*")))
        .collect();
    let packaged = |path: &str| patterns.iter().any(|pattern| Regex::new(pattern).unwrap().is_match(path));
    for page in pages().iter().filter(|page| packaged(page)) {
        for (target, _) in links(page) {
            let target = target.to_str().unwrap().replace('\\', "/");
            assert!(packaged(&target), "{page} links to {target}, which the package does not have");
        }
    }
}

/// What stands in fences and in backquotes.
fn code(text: &str) -> Vec<&str> {
    let code = Regex::new(r"(?s)```.*?```|`[^`\n]+`").unwrap();
    code.find_iter(text).map(|found| found.as_str().trim_matches('`')).collect()
}

/// Words of a page that look like paths in this tree: in code, and below one of its folders or, where a page speaks of
/// nothing else, with the end of one of its files.
fn named_paths(text: &str, speaks_of_the_tree: bool) -> BTreeSet<String> {
    let folder = Regex::new(r"^(src|fixtures|hooks|action|benches|\.github|\.ci)/").unwrap();
    let file = Regex::new(r"^tests/|^[\w./-]+\.(rs|sh|toml|md)$").unwrap();
    let words = code(text).into_iter().flat_map(str::split_whitespace);
    words
        .filter(|word| folder.is_match(word) || speaks_of_the_tree && file.is_match(word))
        .map(|word| word.trim_end_matches([',', ';', '.', ')']).to_owned())
        .collect()
}

#[test]
fn paths_are_found_in_code_alone() {
    let text = "See src/no.rs and `src/a.rs`, `b.rs`.\n\n```sh\nsh fixtures/c.sh d.md  # hooks/e\n```\n`docs/f.yaml`\n";
    let found = |whole| named_paths(text, whole).into_iter().collect::<Vec<_>>();
    assert_eq!(found(false), ["fixtures/c.sh", "hooks/e", "src/a.rs"]);
    assert_eq!(found(true), ["b.rs", "d.md", "fixtures/c.sh", "hooks/e", "src/a.rs"]);
}

#[test]
fn every_path_that_is_named_exists() {
    let crate_docs = ("src/lib.rs".to_owned(), read("src/lib.rs").replace("//! ", ""));
    let pages = pages().into_iter().map(|page| (page.clone(), read(&page)));
    for (page, text) in pages.chain([crate_docs]) {
        let speaks_of_the_tree = ["src/lib.rs", ".github/CONTRIBUTING.md"].contains(&page.as_str());
        let paths = named_paths(&text, speaks_of_the_tree);
        assert!(!paths.is_empty() || !speaks_of_the_tree, "{page} names no path");
        for path in paths {
            let (folder, pattern) = path.split_once('*').unwrap_or((&path, ""));
            assert!(root().join(folder).exists(), "{page} names `{path}`");
            assert!(
                pattern.is_empty() || !files(folder, pattern.trim_start_matches('.')).is_empty(),
                "{page}: `{path}`"
            );
        }
    }
}

/// The command lines in a piece of code, without what follows them on the line. Those with a placeholder, as in
/// `citecheck explain RULE`, are none.
#[cfg(all(feature = "ai", feature = "http"))]
fn command_lines(code: &str) -> Vec<&str> {
    let end = Regex::new(r" ( |\\?[|>#])").unwrap();
    let placeholder = Regex::new(r" (--[\w-]+=)?[A-Z]+(=[A-Z]+)?( |$)").unwrap();
    let lines = code.lines().map(|line| line.trim_start().trim_start_matches("$ "));
    let commands = lines.filter(|line| line.starts_with("citecheck ")).filter_map(|line| end.split(line).next());
    commands.filter(|line| !placeholder.is_match(&line.replace("HEAD", "head"))).collect()
}

#[test]
#[cfg(all(feature = "ai", feature = "http"))]
fn every_command_line_that_is_shown_can_be_typed() {
    let folder = Repo::bare_folder();
    let help = |command: &str| typed(&folder, &format!("citecheck {command} --help"));
    let names = Regex::new(r"(?m)^  ([a-z]+)  ").unwrap();
    let commands: Vec<String> = names.captures_iter(&help("")).map(|found| found[1].to_owned()).collect();
    let below = ["hook install", "hook status", "hook run"].map(str::to_owned);
    let helps: Vec<String> = commands.iter().chain(&below).map(|command| help(command)).collect();
    assert!(helps.len() > 20, "{commands:?}");
    let pages: Vec<String> = pages().iter().map(|page| read(page)).collect();
    let shown: BTreeSet<&str> = helps.iter().map(String::as_str).chain(pages.iter().flat_map(|it| code(it))).collect();
    let lines: BTreeSet<&str> = shown.iter().flat_map(|code| command_lines(code)).collect();
    assert!(lines.len() > 60, "{lines:#?}");
    for line in lines {
        let told = typed(&folder, line);
        // A command by its name alone is spoken of.
        let is_name = line.split(' ').count() == 2 && told.contains("required arguments were not provided");
        assert!(is_name || !told.contains("try '--help'"), "{line}: {told}");
    }
}
