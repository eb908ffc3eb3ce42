//! What the source tree promises about itself: imports only downwards, short files that open with what they are, a
//! README that names every rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use regex::Regex;

use crate::support::{Repo, files, formats, root};

/// The top of the tree, and what tries all of it. They import what they like.
const TOP: [&str; 3] = ["lib", "main", "fuzzing"];

/// Longest file, tests included.
const LINES: usize = 600;

/// Files that may be longer, each with the reason.
const LONG: &[(&str, &str)] = &[];

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// `src/diff/pair.rs` and `src/diff/mod.rs` are `diff`, `src/source.rs` is `source`.
fn module(path: &str) -> &str {
    let path = path.trim_start_matches("src/").trim_end_matches(".rs");
    path.split('/').next().unwrap()
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// The modules that stand right after `crate::`, groups in braces included.
fn imports(code: &str) -> BTreeSet<String> {
    let name = Regex::new(r"^\s*(\w+)").unwrap();
    let mut found = BTreeSet::new();
    for (start, prefix) in code.match_indices("crate::") {
        let rest = &code[start + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(group) => found.extend(top_names(group)),
            None => found.extend(name.captures(rest).map(|found| found[1].to_owned())),
        }
    }
    found
}

/// The first name of each entry of a group: `a::{b, c}, d::e}` gives `a` and `d`.
fn top_names(group: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut entry) = (0, String::new());
    for character in group.chars() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(std::mem::take(&mut entry)),
            _ => {}
        }
        if depth == 0 && !matches!(character, ',' | '}') {
            entry.push(character);
        }
    }
    names.push(entry);
    names
        .iter()
        .filter_map(|entry| entry.trim().split("::").next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn imports_are_found_in_groups_and_in_code() {
    let code = "use crate::{a::{b, c}, d, e::f};\nfn g() { crate::h::i() }\nuse super::j;\n$crate::k!()";
    assert_eq!(imports(code), ["a", "d", "e", "h", "k"].map(str::to_owned).into());
}

/// The lines of the crate documentation's table: a module, and what it may import.
fn import_rows(documentation: &str) -> Vec<(String, String)> {
    let row = Regex::new(r"(?m)^//! \| \[?`(\w+)`[^|]*\|[^|]*\| ([\w, ]+) \|$").unwrap();
    row.captures_iter(documentation).map(|row| (row[1].to_owned(), row[2].to_owned())).collect()
}

/// Which module may import which.
fn import_table(documentation: &str) -> BTreeMap<String, Vec<String>> {
    let rows = import_rows(documentation);
    let at = |name: &str| rows.iter().position(|(module, _)| module == name).expect(name);
    let between = &rows[at("git")..=at("rules")];
    let stages = || between.iter().map(|(name, _)| name.clone()).chain(["source", "diagnostic"].map(str::to_owned));
    let allowed = |list: &str| {
        let names = list.split(", ").filter(|name| *name != "nothing");
        names.flat_map(|name| if name == "stages" { stages().collect() } else { vec![name.to_owned()] }).collect()
    };
    let mut table: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (module, list) in &rows {
        let allowed: Vec<String> = allowed(list);
        let below: Vec<&String> = allowed.iter().filter(|name| !table.contains_key(*name)).collect();
        assert!(below.is_empty(), "`{module}` imports what stands below it in the table: {below:?}");
        table.insert(module.clone(), allowed);
    }
    table
}

#[test]
fn modules_import_only_downwards() {
    let table = import_table(&read("src/lib.rs"));
    assert!(table.len() > 20, "the crate documentation has its table: {table:?}");
    let mut wrong = Vec::new();
    for path in files("src", "rs") {
        let module = module(&path);
        if TOP.contains(&module) {
            continue;
        }
        let Some(allowed) = table.get(module) else {
            wrong.push(format!("{path}: the import table has no line for `{module}`"));
            continue;
        };
        for import in imports(&without_comments(&read(&path))) {
            if import != module && !allowed.contains(&import) {
                wrong.push(format!("{path} imports `{import}`; `{module}` may import: {}", allowed.join(", ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the table allows without need hides which way things go.
#[test]
fn what_may_be_imported_by_name_is_imported() {
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in files("src", "rs") {
        used.entry(module(&path).to_owned()).or_default().extend(imports(&without_comments(&read(&path))));
    }
    for (module, list) in import_rows(&read("src/lib.rs")) {
        let names = list.split(", ").filter(|name| !["nothing", "stages"].contains(name));
        let unused: Vec<&str> = names.filter(|name| !used[&module].contains(*name)).collect();
        assert!(unused.is_empty(), "`{module}` does not import {unused:?}: take it out of the import table");
    }
}

/// A path that climbs to the crate's root would pass by the table.
#[test]
fn no_path_climbs_to_the_root() {
    let climbs = Regex::new(r"\bsuper::super\b").unwrap();
    let from_top = Regex::new(r"(?m)^(pub(\(\w+\))? )?use super::").unwrap();
    for path in files("src", "rs") {
        let code = without_comments(&read(&path));
        let top = path.matches('/').count() == 1 || path.ends_with("/mod.rs") && path.matches('/').count() == 2;
        assert!(!climbs.is_match(&code), "{path}: say `crate::` instead of `super::super`");
        assert!(!top || !from_top.is_match(&code), "{path}: say `crate::` instead of `super::`");
    }
}

#[test]
fn every_file_opens_with_what_it_is() {
    for path in files("src", "rs").into_iter().chain(files("tests", "rs")) {
        assert!(read(&path).starts_with("//! "), "{path} does not open with `//!`");
    }
}

/// A file that a comment or the documentation sends the reader to: from the top, from `src`, or beside the comment.
#[test]
fn every_file_that_is_named_is_there() {
    let named = Regex::new(r"`([\w/]+\.rs)`").unwrap();
    let documents = [".github/CONTRIBUTING.md", "README.md"].map(str::to_owned);
    for path in files("src", "rs").into_iter().chain(files("tests", "rs")).chain(documents) {
        let is_code = path.ends_with(".rs");
        let text = read(&path);
        for line in text.lines().filter(|line| !is_code || line.trim_start().starts_with("//")) {
            for found in named.captures_iter(line) {
                let folders = [root().to_path_buf(), root().join("src"), root().join(&path).with_file_name("")];
                let is_there = folders.iter().any(|folder| folder.join(&found[1]).is_file());
                assert!(is_there, "{path} names `{}`, which is not there", &found[1]);
            }
        }
    }
}

#[test]
fn no_file_is_longer_than_can_be_read() {
    let long: BTreeSet<&str> = LONG.iter().map(|(path, _)| *path).collect();
    for path in files("src", "rs").into_iter().chain(files("tests", "rs")) {
        let lines = read(&path).lines().count();
        let excused = long.contains(path.as_str());
        assert_eq!(
            lines > LINES,
            excused,
            "{path} has {lines} lines of {LINES}; the list of long files has it: {excused}"
        );
    }
}

#[test]
fn nothing_is_left_to_do() {
    let marks = [
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
        concat!("XX", "X"),
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
    ];
    let texts = ["rs", "sh", "md", "yaml", "yml"].map(|extension| {
        ["src", "tests", "fixtures", "hooks", "action", ".github"].map(|folder| files(folder, extension)).concat()
    });
    for path in texts.concat().iter().map(String::as_str).chain(["README.md", ".ci/run"]) {
        let text = read(path);
        for mark in marks {
            assert!(!text.contains(mark), "{path} has a {mark}");
        }
    }
}

#[test]
fn every_fixture_is_used() {
    let tests: String = files("tests", "rs").iter().map(|path| read(path)).collect();
    for entry in fs::read_dir(root().join("fixtures")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        assert!(!entry.path().is_dir() || tests.contains(&format!("fixtures/{name}")), "fixtures/{name} is in no test");
    }
}

/// The rules in the README's table: names in backquotes in the first column below `## Rules`.
fn readme_rules() -> BTreeSet<String> {
    let readme = read("README.md");
    let table = readme.split("\n## Rules\n").nth(1).expect("the README has a section `Rules`");
    let table = table.split("\n## ").next().unwrap();
    let row = Regex::new(r"(?m)^\| `([a-z-]+)` \|").unwrap();
    row.captures_iter(table).map(|row| row[1].to_owned()).collect()
}

#[test]
fn the_readme_names_every_rule() {
    let rules: BTreeSet<String> = files("src/rules", "rs")
        .iter()
        .filter(|path| read(path).contains("static RULE: Rule = "))
        .filter_map(|path| path.rsplit('/').next()?.strip_suffix(".rs"))
        .map(|name| name.replace('_', "-"))
        .collect();
    let missing: Vec<_> = rules.difference(&readme_rules()).cloned().collect();
    assert!(missing.is_empty(), "not in the README's table of rules: {missing:?}");
}

#[test]
fn the_readme_names_every_format() {
    let readme = read("README.md");
    for format in ["check", "diff", "coverage"].into_iter().flat_map(formats) {
        let word = Regex::new(&format!(r"[ `]{format}\b")).unwrap();
        assert!(word.is_match(&readme), "not in the README: the format `{format}`");
    }
}

#[test]
fn every_rule_of_the_readme_is_explained() {
    let folder = Repo::bare_folder();
    for rule in readme_rules() {
        let out = folder.citecheck(["explain", &rule]);
        assert_eq!(out.code, 0, "explain {rule}: {}", out.stderr);
        assert!(out.stdout.contains(&rule), "{}", out.stdout);
    }
}
