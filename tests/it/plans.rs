//! Writing back on real test plans: 14 YAML files that a team maintains by hand, whose every citation is rewritten. Says
//! `skipped` where the data are not beside the checkout (`CITECHECK_SHARED`).

use std::collections::BTreeMap;
use std::io::Write;

use regex::Regex;

use crate::support::{Repo, root};

const CONFIG: &str = "\
manuals: ['**/baselines/*.md']
cases: [{files: '**/*.testplan.yaml', id: [PolicyId], cites: [PolicyId]}]
";

fn plans() -> Option<Repo> {
    let shared = std::env::var_os("CITECHECK_SHARED").map_or_else(|| root().join("../shared"), Into::into);
    let bundle = shared.join("eval/histories/scubagear.bundle");
    if !bundle.exists() {
        std::io::stderr().write_all(format!("skipped: no {}\n", bundle.display()).as_bytes()).unwrap();
        return None;
    }
    let repo = Repo::new();
    repo.git(["fetch", "--quiet", bundle.to_str().unwrap(), "main"]);
    repo.git(["checkout", "--quiet", "--force", "-B", "main", "FETCH_HEAD"]);
    repo.write("citecheck.yaml", CONFIG);
    Some(repo)
}

/// The test plans, by path.
fn texts(repo: &Repo) -> BTreeMap<String, String> {
    let paths = repo.git(["ls-files", "*.testplan.yaml"]);
    paths.lines().map(|path| (path.to_owned(), repo.read(path))).collect()
}

/// Every policy gets another name, with the same text below it.
fn rename_policies(repo: &Repo) {
    let policy = Regex::new(r"(?m)^(#+ MS\.[A-Z]+\.[0-9.]+v)([0-9]+)").unwrap();
    for path in repo.git(["ls-files", "*.md"]).lines() {
        repo.write(path, policy.replace_all(&repo.read(path), "${1}90$2").as_ref());
    }
}

/// Nothing but citations differs, byte for byte; how many do.
fn citations_changed(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> usize {
    let written = Regex::new(r"MS\.[A-Z]+\.[0-9.]+v90[0-9]+(@c1-[0-9a-f]{16})?").unwrap();
    let mut count = 0;
    assert_eq!(before.len(), 14);
    for (path, before) in before {
        let after = &after[path];
        let (lines, others) = (before.split_inclusive('\n'), after.split_inclusive('\n'));
        assert_eq!(lines.clone().count(), others.clone().count(), "{path}");
        for (line, other) in lines.zip(others).filter(|(line, other)| line != other) {
            let (head, id) = line.split_once("PolicyId: ").unwrap_or_else(|| panic!("{path}: {line} became {other}"));
            let id = id.trim_end_matches(['\r', '\n']);
            let cited = written.captures(other).unwrap_or_else(|| panic!("{path}: {line} became {other}"));
            assert_eq!(other.replace(&cited[0], id), line, "{path}: after {head}");
            count += 1;
        }
    }
    count
}

#[test]
fn only_citations_change_in_real_test_plans() {
    let Some(repo) = plans() else { return };
    let before = texts(&repo);
    rename_policies(&repo);
    assert_eq!(repo.citecheck(["fix"]).code, 0);
    assert_eq!(citations_changed(&before, &texts(&repo)), 136);
    assert_eq!(repo.citecheck(["fix"]).stdout, "no citation has to be rewritten\n");

    let out = repo.citecheck(["accept", "--all", "--yes"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let accepted = texts(&repo);
    assert_eq!(citations_changed(&before, &accepted), 136);
    let report = repo.json(&["check"]);
    assert_eq!(report["summary"]["findings"], 0, "{:#}", report["findings"][0]);
    assert_eq!(repo.citecheck(["accept", "--all", "--yes"]).stdout, "nothing to accept\n");
    assert_eq!(texts(&repo), accepted);
}
