//! `coverage` on real manuals and on a large generated repository, held against a count of its own: a few lines that know
//! nothing of citecheck read the same Markdown and YAML. Says `skipped` where the data are not beside the checkout
//! (`CITECHECK_SHARED`).

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use regex::Regex;
use serde_json::Value;

use crate::support::{Repo, root, run};

fn shared(path: &str) -> Option<PathBuf> {
    let shared = std::env::var_os("CITECHECK_SHARED").map_or_else(|| root().join("../shared"), Into::into);
    let path = shared.join("eval").join(path);
    if !path.exists() {
        tell(&format!("skipped: no {}", path.display()));
        return None;
    }
    Some(path)
}

/// Past the capture of the test runner.
fn tell(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

fn history(name: &str, config: &str) -> Option<Repo> {
    let bundle = shared(&format!("histories/{name}.bundle"))?;
    let repo = Repo::new();
    repo.git(["fetch", "--quiet", bundle.to_str().unwrap(), "main"]);
    repo.git(["checkout", "--quiet", "--force", "-B", "main", "FETCH_HEAD"]);
    repo.write("citecheck.yaml", config);
    Some(repo)
}

/// A heading, or the top of a file, as far as counting needs it.
#[derive(Debug)]
struct Heading {
    level: usize,
    title: String,
    anchor: String,
    has_text: bool,
    is_cited: bool,
}

/// The headings of a file by its lines.
fn headings(text: &str) -> Vec<Heading> {
    let comment = Regex::new(r"(?s)<!--.*?-->").unwrap();
    let heading = Regex::new(r"^ {0,3}(#{1,6})\s+(.*?)(\s+#+)?\s*$").unwrap();
    let fence = Regex::new(r"^\s*(```+|~~~+)").unwrap();
    let pointer = Regex::new(r"^\s*([-*+]|\d+\.)\s+\[[^\]]*\]\([^:)]*\)\s*$").unwrap();
    let silent = Regex::new(r"^\s*(\[[^\]]+\]:\s.*|---+|\*\*\*+|___+)?\s*$").unwrap();
    let text = comment.replace_all(text, |found: &regex::Captures<'_>| "\n".repeat(found[0].matches('\n').count()));
    let mut all =
        vec![Heading { level: 0, title: String::new(), anchor: String::new(), has_text: false, is_cited: false }];
    let mut anchors: BTreeMap<String, usize> = BTreeMap::new();
    let mut open: Option<String> = None;
    let mut lines: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        let mark = fence.captures(line).map(|found| found[1].to_owned());
        match (&open, mark) {
            (None, Some(mark)) => open = Some(mark),
            (Some(opened), Some(mark)) if mark.starts_with(opened.as_str()) => open = None,
            _ => {}
        }
        if let Some(found) = heading.captures(line).filter(|_| open.is_none()) {
            let title = plain(&found[2]);
            let base = slug(&title);
            let count = anchors.entry(base.clone()).or_default();
            let anchor = if *count == 0 { base.clone() } else { format!("{base}-{count}") };
            *count += 1;
            all.push(Heading { level: found[1].len(), title, anchor, has_text: false, is_cited: false });
            lines.push(Vec::new());
        } else if let Some(last) = lines.last_mut() {
            last.push(line);
        }
    }
    for (heading, lines) in all.iter_mut().zip(lines) {
        let told: Vec<&&str> = lines.iter().filter(|line| !silent.is_match(line)).collect();
        heading.has_text = told.iter().any(|line| !pointer.is_match(line));
    }
    all
}

/// A title without links, code marks and emphasis.
fn plain(title: &str) -> String {
    let link = Regex::new(r"\[([^\]]*)\]\([^)]*\)").unwrap();
    link.replace_all(title, "$1").replace(['`', '*'], "").replace('\\', "").trim().to_owned()
}

/// GitHub's anchor.
fn slug(title: &str) -> String {
    let kept = title.to_lowercase();
    let kept = kept.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect()
}

/// The numbers that the states come to, but for covered and stale, which look the same from here: all, cited, partial,
/// uncovered.
fn count(files: &BTreeMap<String, Vec<Heading>>) -> [usize; 4] {
    let (mut cited, mut partial, mut uncovered) = (0, 0, 0);
    for headings in files.values() {
        let end = |at: usize| {
            let after = headings[at + 1..].iter().position(|next| next.level <= headings[at].level);
            if headings[at].level == 0 { at + 1 } else { after.map_or(headings.len(), |more| at + 1 + more) }
        };
        let covered: BTreeSet<usize> =
            (0..headings.len()).filter(|at| headings[*at].is_cited).flat_map(|at| at..end(at)).collect();
        for at in (0..headings.len()).filter(|at| headings[*at].has_text) {
            let below = (at + 1..end(at)).any(|below| covered.contains(&below) && headings[below].has_text);
            match covered.contains(&at) {
                true => cited += 1,
                false if below => partial += 1,
                false => uncovered += 1,
            }
        }
    }
    [cited + partial + uncovered, cited, partial, uncovered]
}

fn figures(report: &Value) -> [usize; 4] {
    let sections = &report["summary"]["sections"];
    let number = |key: &str| usize::try_from(sections[key].as_u64().unwrap()).unwrap();
    [number("total"), number("covered") + number("stale"), number("partial"), number("uncovered")]
}

/// What `check` says makes up what is stale.
fn compare_with_check(repo: &Repo, report: &Value) {
    let check = repo.json(&["check"]);
    let about: Vec<&Value> =
        check["findings"].as_array().unwrap().iter().filter(|finding| finding["citation"].is_string()).collect();
    let places: BTreeSet<String> = about.iter().map(|finding| finding["place"].to_string()).collect();
    let citations = report["cases"].as_array().unwrap().iter().flat_map(|case| case["citations"].as_array().unwrap());
    let told =
        citations.filter(|citation| citation["standing"] == "stale" || citation["standing"] == "nowhere").count();
    assert_eq!(told, places.len());
    let stale: BTreeSet<(&str, &str)> = report["sections"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["state"] == "stale")
        .map(|it| (it["section"]["file"].as_str().unwrap(), it["section"]["id"].as_str().unwrap()))
        .collect();
    for finding in &about {
        let after = &finding["section"]["after"];
        let (Some(file), Some(id)) = (after["file"].as_str(), after["id"].as_str()) else { continue };
        // A whole file is no section.
        if id.is_empty() {
            continue;
        }
        assert!(stale.contains(&(file, id)), "{file} {id} is not stale: {finding}");
    }
}

fn manuals(repo: &Repo, pattern: &str) -> BTreeMap<String, Vec<Heading>> {
    repo.git(["ls-files", pattern]).lines().map(|path| (path.to_owned(), headings(&repo.read(path)))).collect()
}

/// Runs `coverage` and says how long it took and how large the page is.
fn timed(name: &str, repo: &Repo) -> Value {
    let start = Instant::now();
    let report = repo.json(&["coverage", "--output", "html=.git/coverage.html"]);
    let size = std::fs::metadata(repo.path().join(".git/coverage.html")).unwrap().len();
    let sections = &report["summary"]["sections"];
    tell(&format!(
        "{name}: {} sections, {} % covered, {} % stale, {} cases; {:.1} s with the tests' build, page of {} kB",
        sections["total"],
        sections["functional_percent"],
        sections["stale_percent"],
        report["summary"]["cases"]["total"],
        start.elapsed().as_secs_f32(),
        size / 1000,
    ));
    report
}

#[test]
fn policies_and_their_test_plans() {
    let config =
        "manuals: ['**/baselines/*.md']\ncases: [{files: '**/*.testplan.yaml', id: [PolicyId], cites: [PolicyId]}]\n";
    let Some(repo) = history("scubagear", config) else { return };
    let report = timed("scubagear", &repo);
    let policy = Regex::new(r"(?m)^\s*(?:- )?PolicyId:\s*(\S+)\s*$").unwrap();
    let mut cited = Vec::new();
    for path in repo.git(["ls-files", "*.testplan.yaml"]).lines() {
        cited.extend(policy.captures_iter(&repo.read(path)).map(|found| found[1].to_owned()));
    }
    let mut files = manuals(&repo, "*baselines/*.md");
    for heading in files.values_mut().flatten() {
        heading.is_cited = cited.contains(&heading.title);
    }
    assert_eq!(figures(&report), count(&files));
    assert_eq!(report["summary"]["citations"], cited.len());
    compare_with_check(&repo, &report);
}

#[test]
fn a_specification_and_its_compliance_matrix() {
    let config = "manuals: ['specification/**/*.md']\n\
                  cases: [{files: 'spec-compliance-matrix/*.yaml', id: [heading, name], cites: [heading]}]\n";
    let Some(repo) = history("opentelemetry", config) else { return };
    let report = timed("opentelemetry", &repo);
    let mut files = manuals(&repo, "specification/*.md");
    let link = Regex::new(r"(?m)^\s*(?:- )?heading: .*\]\((?:\.\./)?(specification/[^)#]*)#?([^)]*)\)").unwrap();
    for path in repo.git(["ls-files", "spec-compliance-matrix/*.yaml"]).lines() {
        for found in link.captures_iter(&repo.read(path)) {
            for heading in files.get_mut(&found[1]).into_iter().flatten() {
                heading.is_cited |= found[2].is_empty() || heading.anchor == found[2];
            }
        }
    }
    assert_eq!(figures(&report), count(&files));
    compare_with_check(&repo, &report);
}

#[test]
fn ten_thousand_cases() {
    let Some(workload) = shared("workload.py") else { return };
    let repo = Repo::bare_folder();
    std::fs::remove_dir(repo.path()).unwrap();
    let options = ["--manuals", "40", "--cases", "10000", "--case-files", "100", "--commits", "20"];
    run(Command::new("python3").arg(workload).arg(repo.path()).args(options));
    let report = timed("generated", &repo);
    let mut files = manuals(&repo, "manual/*.md");
    let mut cited: BTreeSet<String> = BTreeSet::new();
    let mut citations = 0;
    for path in repo.git(["ls-files", "cases/*.yaml"]).lines() {
        for line in repo.read(path).lines().filter_map(|line| line.strip_prefix("      - ")) {
            cited.insert(line.to_owned());
            citations += 1;
        }
    }
    for heading in files.values_mut().flatten() {
        heading.is_cited = cited.contains(&heading.anchor);
    }
    assert_eq!(figures(&report), count(&files));
    assert_eq!(
        (&report["summary"]["citations"], &report["summary"]["cases"]["total"]),
        (&citations.into(), &10_000.into())
    );
    compare_with_check(&repo, &report);
}
