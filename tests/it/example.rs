//! What the README says of the shipped example, word by word, and the picture that it shows.

use std::collections::BTreeSet;

use serde_json::Value;
use snapbox::data::DataFormat;
use snapbox::{Assert, Data};

use crate::support::{Repo, output, root};

/// A finding in short: case, citation, rule, level.
fn told(report: &Value) -> BTreeSet<[&str; 4]> {
    findings(report)
        .iter()
        .map(|finding| {
            [&finding["case"]["id"], &finding["citation"], &finding["rule"], &finding["level"]]
                .map(|value| value.as_str().unwrap_or("-"))
        })
        .collect()
}

fn findings(report: &Value) -> &[Value] {
    report["findings"].as_array().unwrap()
}

#[test]
fn exactly_the_changed_limit_asks_for_a_look() {
    let report = Repo::example().json(&["check", "v1..v2"]);
    let errors: Vec<_> = findings(&report).iter().filter(|finding| finding["level"] == "error").collect();
    assert_eq!(errors.len(), 1, "{report:#}");
    assert_eq!(errors[0]["rule"], "text-changed");
    assert_eq!(errors[0]["case"]["id"], "TC-003");
    assert_eq!(errors[0]["case"]["file"], "cases/limits.yaml");
    let signals = errors[0]["change"]["signals"].as_array().unwrap();
    assert_eq!(signals.len(), 1, "{report:#}");
    assert_eq!([&signals[0]["kind"], &signals[0]["before"], &signals[0]["after"]], ["number", "30", "300"]);
}

#[test]
fn the_moved_section_offers_its_remap_and_nothing_else_is_told() {
    let report = Repo::example().json(&["check", "v1..v2"]);
    assert_eq!(
        told(&report),
        BTreeSet::from([
            ["TC-003", "safety-limits/line-pressure", "text-changed", "error"],
            ["TC-104", "docs/operation.md#bubble-detection", "section-moved", "warning"],
        ])
    );
    assert_eq!(findings(&report).len(), 2);
}

#[test]
fn the_offered_remap_settles_the_move() {
    let repo = Repo::example();
    let report = repo.json(&["check", "v1..v2"]);
    let moved = findings(&report).iter().find(|finding| finding["rule"] == "section-moved").unwrap();
    let fix = &moved["fix"];
    let file = fix["file"].as_str().unwrap();
    let offset = |key: &str| usize::try_from(fix[key].as_u64().unwrap()).unwrap();

    repo.git(["checkout", "--quiet", "-B", "main", "v2"]);
    let mut text = repo.read(file);
    assert_eq!(&text[offset("start")..offset("end")], "docs/operation.md#bubble-detection");
    text.replace_range(offset("start")..offset("end"), fix["text"].as_str().unwrap());
    repo.write(file, &text);
    repo.commit("Follow the moved section");

    let report = repo.json(&["check", "v1..HEAD"]);
    assert_eq!(told(&report), BTreeSet::from([["TC-003", "safety-limits/line-pressure", "text-changed", "error"]]));
}

#[test]
fn the_diff_tells_the_four_changes_apart() {
    let report = Repo::example().json(&["diff", "v1..v2"]);
    let place = |entry: &Value| {
        let side = if entry["after"].is_null() { "before" } else { "after" };
        entry[side]["title"].as_str().unwrap().to_owned()
    };
    let with = |wanted: &dyn Fn(&Value) -> bool| -> Vec<String> {
        report["sections"].as_array().unwrap().iter().filter(|entry| wanted(entry)).map(place).collect()
    };
    let kind = |name: &'static str| move |entry: &Value| entry["kinds"].as_array().unwrap().contains(&name.into());
    assert_eq!(
        with(&|entry| entry["magnitude"] == "trivial" && entry["kinds"] == Value::Array(vec![])),
        ["Thermal cut-off"]
    );
    assert_eq!(with(&kind("moved")), ["Bubble detection"]);
    assert_eq!(with(&kind("edited")), ["Line pressure"]);
    assert_eq!(with(&kind("added")), ["Access"]);
    let renumbered = with(&kind("renumbered"));
    assert_eq!(renumbered.first().map(String::as_str), Some("Self-test"), "{report:#}");
    for other in ["renamed", "split", "merged", "removed", "ambiguous"] {
        assert_eq!(with(&kind(other)), [""; 0], "{other}");
    }
}

#[test]
fn the_second_edition_shows_every_other_kind() {
    let report = Repo::example().json(&["check", "v2..v3"]);
    let expected = BTreeSet::from([
        // One limit more, above a flow.
        ["TC-001", "Fluid temperature", "text-changed", "error"],
        // A heading of the same name came in before it: the anchor means another section now.
        ["TC-001", "docs/safety-manual.md#rationale-1", "section-moved", "error"],
        // shall, should
        ["TC-002", "docs/software.md#start-up-test", "text-changed", "error"],
        // TC-003 was changed together with its section.
        ["TC-005", "Enclosure temperature", "quote-missing", "error"],
        ["TC-006", "docs/safety-manual.md#fuses", "text-changed", "error"],
        ["TC-006", "electrical-safety/protective-earth", "section-moved", "warning"],
        // at least, more than
        ["TC-007", "Patients", "text-changed", "error"],
        // A table cell; `alarms` is cited for its own text only.
        ["TC-101", "alarms/alarm-priorities", "text-changed", "error"],
        // TC-102: the quoted words are still there.
        ["TC-103", "alarms/pausing-an-alarm", "text-changed", "error"],
        // TC-104: only the spelling of its citation changed.
        // Steps in another order.
        ["TC-105", "docs/operation.md#inserting-the-set", "text-changed", "error"],
        ["TC-106", "warming/priming-the-line", "text-reworded", "warning"],
        ["TC-106", "warming/starting", "text-changed", "error"],
        ["TC-107", "docs/operation.md#shut-down", "section-moved", "warning"],
        ["TC-108", "care/cleaning-and-disinfection", "section-split", "warning"],
        ["TC-109", "care/transport", "section-merged", "warning"],
        // min, s
        ["TC-110", "care/battery", "text-changed", "error"],
        // An item more on a list.
        ["TC-111", "care/yearly-inspection", "text-changed", "error"],
        // The numbers shifted: both mean another section now.
        ["TC-201", "§2.1", "section-moved", "error"],
        ["TC-202", "2.3", "section-moved", "error"],
        ["TC-203", "docs/software.md#watchdog", "text-reworded", "warning"],
        // A default in a code sample.
        ["TC-204", "docs/software.md#serial-interface/settings", "text-changed", "error"],
        ["TC-205", "serial-interface/commands", "section-removed", "error"],
        // at least, at most
        ["TC-206", "event-log/entries", "text-changed", "error"],
        // A link's target.
        ["TC-206", "event-log/export", "text-reworded", "warning"],
        ["TC-207", "Error codes", "text-changed", "error"],
        // The file has another name.
        ["TC-207", "docs/glossary.md", "section-moved", "warning"],
    ]);
    let told = told(&report);
    let missing: Vec<_> = expected.difference(&told).collect();
    let unexpected: Vec<_> = told.difference(&expected).collect();
    assert!(missing.is_empty() && unexpected.is_empty(), "missing: {missing:#?}\nunexpected: {unexpected:#?}");
}

/// `SNAPSHOTS=overwrite cargo test picture` draws it anew.
#[test]
fn the_picture_of_the_readme_is_what_check_prints() {
    let repo = Repo::example();
    let out = output(
        repo.citecheck_command()
            .args(["check", "v1..v2", "--color", "always"])
            .env("COLUMNS", "110")
            .env("LC_ALL", "C.UTF-8"),
    );
    let picture = root().join("fixtures/example/check.svg");
    Assert::new().action_env("SNAPSHOTS").eq(out.stdout, Data::read_from(&picture, Some(DataFormat::TermSvg)));
}

/// The first block of a language below a heading of the README.
fn readme_block(heading: &str, language: &str) -> String {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let (_, below) = readme.split_once(&format!("\n## {heading}\n")).unwrap();
    let (_, block) = below.split_once(&format!("```{language}\n")).unwrap();
    block.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_configuration_and_the_case_of_the_readme_are_valid() {
    let repo = Repo::new();
    repo.write(
        "docs/manual.md",
        "# Manual\n\n## Safety limits\n\n### Thermal cut-off\n\nAt 46 °C.\n\n\
         ### Over-pressure\n\nThe valve opens at 3.5 bar.\n\n## Alarms\n\nLoud.\n",
    );
    repo.write("tests/cases/limits.yaml", readme_block("How cases cite", "yaml"));
    repo.commit("Add manual and cases");
    let report = repo.json(&["check", "--rev", "HEAD"]);
    assert_eq!(told(&report), BTreeSet::new(), "{report:#}");
    assert_eq!(report["summary"]["citations"], 3);

    repo.write("citecheck.yaml", readme_block("Configuration", "yaml"));
    repo.commit("Add the configuration");
    let out = repo.citecheck(["check", "--rev", "HEAD"]);
    assert!(out.code <= 1, "{}{}", out.stdout, out.stderr);
}

#[test]
fn a_folder_that_exists_is_not_touched() {
    let repo = Repo::example();
    let mut command = std::process::Command::new("sh");
    let out = output(command.arg(root().join("fixtures/example/build.sh")).arg(repo.path()));
    assert_eq!(out.code, 2);
    assert!(out.stderr.contains("exists already"), "{}", out.stderr);
}
