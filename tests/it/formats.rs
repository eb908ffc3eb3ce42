//! The formats for platforms, from real runs: where a finding is put, what makes it the same one, and what is refused.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Repo, formats};

const MANUAL: &str = "# Pump\n\n## Limits\n\nThe valve opens at 45 bar.\n";

/// A manual whose limit was changed after the tag `reviewed`; `cases` cite it.
fn changed(cases: usize) -> Repo {
    let repo = Repo::new();
    repo.write("docs/manual.md", MANUAL);
    repo.write("cases.yaml", cases_text(cases));
    repo.commit("Add manual and cases");
    repo.git(["tag", "reviewed"]);
    repo.write("docs/manual.md", MANUAL.replace("45", "40"));
    repo.commit("Lower the limit");
    repo
}

fn cases_text(cases: usize) -> String {
    let one = |nth| format!("  - id: TC-{nth}\n    cites: [limits]\n");
    format!("cases:\n{}", (1..=cases).map(one).collect::<String>())
}

fn told(repo: &Repo, format: &str) -> String {
    let out = repo.citecheck(["check", "reviewed..", "--format", format]);
    assert_eq!(out.code, 1, "{format}: {}", out.stderr);
    out.stdout
}

/// The fingerprints of GitLab and SARIF, which are the same.
fn fingerprints(repo: &Repo) -> Vec<String> {
    let gitlab: Value = serde_json::from_str(&told(repo, "gitlab")).unwrap();
    let sarif: Value = serde_json::from_str(&told(repo, "sarif")).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let prints: Vec<String> = gitlab.as_array().unwrap().iter().map(|it| text(&it["fingerprint"])).collect();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(prints, results.iter().map(|it| text(&it["partialFingerprints"]["citecheck/v1"])).collect::<Vec<_>>());
    prints
}

#[test]
fn a_finding_has_a_fingerprint_that_lines_do_not_change() {
    let repo = changed(2);
    let prints = fingerprints(&repo);
    assert_eq!((prints.len(), prints.iter().collect::<BTreeSet<_>>().len()), (2, 2));
    assert_eq!(fingerprints(&repo), prints);
    repo.write("docs/manual.md", format!("# Preface\n\n{}\n{}", "A line.\n".repeat(10), MANUAL.replace("45", "40")));
    repo.commit("Insert lines above");
    assert_eq!(fingerprints(&repo), prints);
}

#[test]
fn a_change_of_the_manual_alone_is_annotated_there() {
    let page = told(&changed(35), "github");
    let annotations: Vec<&str> = page.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(annotations.len(), 1, "{page}");
    assert!(annotations[0].starts_with("::error file=docs/manual.md,line=5,"), "{page}");
    assert!(annotations[0].contains("TC-1 (cases.yaml:3:13), TC-2 (cases.yaml:5:13)"), "{page}");
    assert!(annotations[0].contains("more%0A"), "{page}");
}

#[test]
fn a_case_beside_a_changed_one_is_annotated_on_the_manual() {
    let repo = changed(35);
    repo.write("cases.yaml", cases_text(35).replace("TC-35\n", "TC-35\n    title: Looked at\n"));
    repo.commit("Review one case");
    let page = told(&repo, "github");
    let annotations: Vec<&str> = page.lines().filter(|line| line.starts_with("::")).collect();
    assert_eq!(annotations.len(), 1, "{page}");
    assert!(annotations[0].starts_with("::error file=docs/manual.md,line=5,"), "{page}");
    assert!(!annotations[0].contains("TC-35 "), "{page}");
}

#[test]
fn ten_annotations_are_shown_and_the_rest_is_counted() {
    let repo = changed(35);
    repo.write("cases.yaml", cases_text(35).replace("[limits]", "[limits] # touched"));
    repo.commit("Touch the cases");
    let page = told(&repo, "github");
    assert_eq!(page.matches("::error file=cases.yaml,").count(), 10, "{page}");
    assert!(page.contains("::notice title=citecheck::25 more findings in the job summary\n"), "{page}");
}

#[test]
fn every_format_comes_from_one_run() {
    let repo = changed(1);
    let formats = formats("check");
    let outputs = formats.iter().flat_map(|format| ["--output".to_owned(), format!("{format}=out.{format}")]);
    let arguments = ["check", "reviewed..", "--format", "concise"].map(str::to_owned);
    let out = repo.citecheck(arguments.into_iter().chain(outputs));
    assert_eq!(out.code, 1, "{}", out.stderr);
    for format in formats {
        assert!(repo.read(&format!("out.{format}")).contains("text-changed"), "{format}");
    }
    assert_eq!(repo.read("out.concise"), out.stdout);
}

#[test]
fn a_diff_refuses_formats_that_hold_findings() {
    let repo = changed(1);
    for format in ["concise", "sarif", "github", "gitlab", "junit", "rdjson"] {
        for option in [format!("--output={format}=out"), format!("--format={format}")] {
            let out = repo.citecheck(["diff", "reviewed..", &option]);
            assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{option}");
            assert!(out.stderr.starts_with(&format!("error: invalid value '{format}")), "{option}: {}", out.stderr);
        }
        assert!(!repo.path().join("out").exists());
    }
    assert!(!repo.citecheck(["diff", "--help"]).stdout.contains("sarif"));
    let page = repo.citecheck(["diff", "reviewed..", "--format", "markdown"]).stdout;
    assert!(page.contains("- The valve opens at 45 bar.\n+ The valve opens at 40 bar.\n"), "{page}");
}
