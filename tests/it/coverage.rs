//! `coverage`: which sections count, their states, what makes them stale, the figures, categories, trends, and the two
//! directions of the matrix. How the page looks is `tests/coverage-html.sh`.

use std::fs;

use serde_json::Value;

use crate::support::{Repo, formats};

const MANUAL: &str = "\
Before anything.

# Pump

## Contents

- [Limits](#limits)
- [Alarms](#alarms)

## Limits

All limits hold at 23 °C.

### Pressure

It opens at 30 bar.

### Flow

At most 150 ml/min.

## Alarms

### Tone

The tone sounds for 30 s.

### Light

The light is red.

## Empty
";

fn repo(cases: &str) -> Repo {
    let repo = Repo::new();
    repo.write("docs/manual.md", MANUAL);
    repo.write("cases.yaml", cases);
    repo.commit("Add manual and cases");
    repo
}

/// A case that cites these, with further keys.
fn case(id: &str, cites: &str, more: &str) -> String {
    format!("- id: {id}\n  cites: [{cites}]\n{more}")
}

fn coverage(repo: &Repo, arguments: &[&str]) -> Value {
    repo.json(&[&["coverage"], arguments].concat())
}

/// The state of each section that has one, by its title: `+` where it is to be reviewed, in brackets where it does not
/// count.
fn states(report: &Value) -> String {
    let shown = |cover: &Value| {
        let state = cover["state"].as_str()?;
        let title = cover["section"]["title"].as_str().unwrap().split(' ').next().unwrap();
        let review = if cover["backlog"] == true { "+" } else { "" };
        Some(if cover["counts"] == true { format!("{title}={state}{review}") } else { format!("({title}={state})") })
    };
    report["sections"].as_array().unwrap().iter().filter_map(shown).collect::<Vec<_>>().join(" ")
}

/// Expects the states after a change of the manual; an empty change is none.
fn check(cases: &str, (before, after): (&str, &str), expected: &str) -> Value {
    let repo = repo(cases);
    repo.write("docs/manual.md", MANUAL.replace(before, after));
    let report = coverage(&repo, &[]);
    assert_eq!(states(&report), expected, "{cases}");
    let count = |state: &str| {
        let sections = report["sections"].as_array().unwrap().iter();
        sections.filter(|it| it["counts"] == true && it["state"] == state).count()
    };
    let figures = &report["summary"]["sections"];
    let states = ["covered", "stale", "partial", "uncovered"];
    for state in states {
        assert_eq!(figures[state], count(state), "{state}");
    }
    assert_eq!(figures["total"], states.map(count).iter().sum::<usize>());
    report
}

const SAME: (&str, &str) = ("", "");

#[test]
fn sections_with_text_count_and_headings_and_contents_do_not() {
    let report = check(
        &case("TC-1", "tone", ""),
        SAME,
        "=uncovered (Pump=partial) Limits=uncovered Pressure=uncovered Flow=uncovered (Alarms=partial) Tone=covered \
         Light=uncovered",
    );
    assert_eq!(report["summary"]["sections"]["functional_percent"], 16.7);
    // The rule looks at the same sections.
    let repo = repo(&case("TC-1", "tone", ""));
    repo.write("citecheck.yaml", "rules: {uncovered-section: warning}\n");
    let findings = repo.json(&["check"])["summary"]["findings"].clone();
    assert_eq!(findings, report["summary"]["sections"]["uncovered"]);
}

#[test]
fn a_citation_covers_what_stands_below_it_unless_it_says_so() {
    let all =
        "(Pump=partial) Limits=covered Pressure=covered Flow=covered (Alarms=uncovered) Tone=uncovered Light=uncovered";
    check(&case("TC-1", "limits", ""), SAME, &format!("=uncovered {all}"));
    let own = all.replace("Pressure=covered Flow=covered", "Pressure=uncovered Flow=uncovered");
    check(&case("TC-1", "{section: limits, scope: own}", ""), SAME, &format!("=uncovered {own}"));
    let whole = "=covered (Pump=covered) Limits=covered Pressure=covered Flow=covered (Alarms=covered) Tone=covered Light=covered";
    check(&case("TC-1", "docs/manual.md", ""), SAME, whole);
}

#[test]
fn a_section_with_cited_subsections_is_partial_and_so_is_one_with_drafts() {
    let expected = "=uncovered (Pump=partial) Limits=partial Pressure=covered Flow=uncovered (Alarms=uncovered) \
                    Tone=uncovered Light=uncovered";
    check(&case("TC-1", "pressure", ""), SAME, expected);
    let drafted = expected.replace("Pressure=covered", "Pressure=partial");
    check(&case("TC-1", "pressure", "  status: Draft\n"), SAME, &drafted);
    // A draft beside a finished case takes nothing away.
    let both = case("TC-1", "pressure", "") + &case("TC-2", "pressure", "  status: draft\n");
    check(&both, SAME, expected);
    // A stale draft is still a draft.
    let edited = drafted.replace("Pressure=partial", "Pressure=partial+");
    check(&case("TC-1", "pressure", "  status: draft\n"), ("30 bar", "300 bar"), &edited);
}

#[test]
fn stale_are_what_is_cited_and_what_changed_below_it() {
    let alarms = "(Alarms=uncovered) Tone=uncovered Light=uncovered";
    check(
        &case("TC-1", "limits", ""),
        ("30 bar", "300 bar"),
        &format!("=uncovered (Pump=stale) Limits=stale Pressure=stale+ Flow=covered {alarms}"),
    );
    check(
        &case("TC-1", "docs/manual.md", ""),
        ("30 bar", "300 bar"),
        "=covered (Pump=stale) Limits=covered Pressure=stale+ Flow=covered (Alarms=covered) Tone=covered Light=covered",
    );
    // Another spelling changes nothing.
    check(
        &case("TC-1", "limits", ""),
        ("It opens at 30 bar.", "It opens\nat 30 bar."),
        &format!("=uncovered (Pump=partial) Limits=covered Pressure=covered Flow=covered {alarms}"),
    );
    // A subsection that is gone makes stale what it was cited with.
    check(
        &case("TC-1", "limits", ""),
        ("### Flow\n\nAt most 150 ml/min.\n\n", ""),
        &format!("=uncovered (Pump=stale) Limits=stale Pressure=covered {alarms}"),
    );
}

#[test]
fn a_case_covers_its_text_where_it_is_and_nothing_else() {
    let renamed = ("### Tone", "### Sound");
    let report = check(
        &case("TC-1", "tone", ""),
        renamed,
        "=uncovered (Pump=stale) Limits=uncovered Pressure=uncovered Flow=uncovered (Alarms=stale) Sound=stale \
         Light=uncovered",
    );
    assert_eq!(report["cases"][0]["citations"][0]["rules"][0], "section-moved");
    assert_eq!(report["cases"][0]["citations"][0]["cites"][0]["id"], "pump/alarms/sound");
    // Another section took the name.
    let swapped =
        ("### Tone\n\nThe tone sounds for 30 s.\n\n### Light", "### Sound\n\nThe tone sounds for 30 s.\n\n### Tone");
    let repo = repo(&case("TC-1", "tone", ""));
    repo.write("docs/manual.md", MANUAL.replace(swapped.0, swapped.1));
    let report = coverage(&repo, &[]);
    assert!(states(&report).ends_with("Sound=stale Tone=uncovered"), "{}", states(&report));
    // What leads nowhere covers nothing, and is told.
    repo.write("docs/manual.md", MANUAL.replace("### Tone\n\nThe tone sounds for 30 s.\n\n", ""));
    let report = coverage(&repo, &[]);
    assert_eq!(report["summary"]["cases"]["nowhere"], 1);
    assert_eq!(report["cases"][0]["standing"], "nowhere");
    assert!(report["notes"][0].as_str().unwrap().contains("leads to no section"), "{}", report["notes"]);
}

#[test]
fn the_backlog_are_sections_that_nobody_looked_at_since_they_changed() {
    let repo = repo(&(case("TC-1", "pressure", "") + &case("TC-2", "pressure", "")));
    repo.write("docs/manual.md", MANUAL.replace("30 bar", "300 bar"));
    assert!(states(&coverage(&repo, &[])).contains("Pressure=stale+"));
    assert_eq!(repo.citecheck(["accept", "TC-2"]).code, 0);
    let report = coverage(&repo, &[]);
    assert!(states(&report).contains("Pressure=stale "), "one case has a review to come: {}", states(&report));
    assert_eq!(report["summary"]["sections"]["backlog"], 0);
    assert_eq!(repo.citecheck(["accept", "--all", "--yes"]).code, 0);
    assert!(states(&coverage(&repo, &[])).contains("Pressure=covered "));
}

#[test]
fn what_check_tells_is_what_is_stale() {
    let repo = repo(&(case("TC-1", "pressure", "") + &case("TC-2", "tone, {section: light, quote: is red}", "")));
    let edited = MANUAL.replace("30 bar", "30 bars").replace("30 s", "300 s").replace("is red", "is red, always");
    repo.write("docs/manual.md", &edited);
    let figures = |repo: &Repo| {
        let (check, coverage) = (repo.json(&["check"]), coverage(repo, &[]));
        let citations =
            coverage["cases"].as_array().unwrap().iter().flat_map(|case| case["citations"].as_array().unwrap());
        let fresh = citations.filter(|it| it["standing"] == "fresh" || it["standing"] == "suppressed").count();
        assert_eq!(check["summary"]["fresh"], fresh);
        (check["summary"]["findings"].clone(), coverage["summary"]["sections"]["stale"].clone())
    };
    let (findings, stale) = figures(&repo);
    assert_eq!((findings.clone(), stale), (2.into(), 2.into()));
    // A rule that is off makes nothing stale, nor does a finding that is suppressed; that one is told.
    repo.write("citecheck.yaml", "rules: {text-reworded: off, text-changed: off}\n");
    assert_eq!(figures(&repo), (0.into(), 0.into()));
    repo.write("citecheck.yaml", "");
    let reason = "# citecheck: ignore[text-changed] the device is the same\n";
    repo.write("cases.yaml", repo.read("cases.yaml").replace("- id: TC-2", &format!("{reason}- id: TC-2")));
    let report = coverage(&repo, &[]);
    assert!(states(&report).contains("Tone=covered"), "{}", states(&report));
    assert_eq!(report["cases"][1]["citations"][0]["standing"], "suppressed");
    assert_eq!(report["summary"]["cases"]["suppressed"], 1);
    assert!(report["notes"].to_string().contains("a comment suppresses"), "{}", report["notes"]);
}

#[test]
fn what_cannot_be_known_is_stale() {
    let repo = repo(&case("TC-1", "limits@c1-0123456789abcdef, tone@v9", ""));
    let report = coverage(&repo, &[]);
    let expected = "Limits=stale+ Pressure=stale+ Flow=stale+ (Alarms=stale) Tone=stale+ Light=uncovered";
    assert!(states(&report).ends_with(expected), "{}", states(&report));
    assert_eq!(report["cases"][0]["citations"][0]["reviewed"]["at"], "c1-0123456789abcdef");
}

#[test]
fn clauses_and_numbered_paragraphs_are_sections_too() {
    let repo = Repo::new();
    repo.write(
        "citecheck.yaml",
        "sections: {id-patterns: ['^\\*\\*(?P<id>REQ-\\d+)\\*\\*'], numbered-paragraphs: true}\n",
    );
    repo.write("a.md", "# Limits\n\n**REQ-1**: It opens at 30 bar.\n\n**REQ-2**: It shuts at 5 bar.\n");
    repo.write("b.md", "1. Scope\n\n1.1 It pumps.\n\n1.2 It stops.\n");
    repo.write("cases.yaml", case("TC-1", "REQ-1, '1.2'", ""));
    repo.commit("Start");
    let report = coverage(&repo, &[]);
    assert_eq!(
        states(&report),
        "(Limits=partial) REQ-1=covered REQ-2=uncovered (Scope=partial) 1.1=uncovered 1.2=covered"
    );
}

#[test]
fn each_case_has_what_it_was_reviewed_against() {
    let repo = repo(&case("TC-1", "pressure", "  title: Opens\n"));
    let first = repo.git(["rev-parse", "HEAD"]).trim().to_owned();
    repo.write("docs/manual.md", MANUAL.replace("30 bar", "300 bar"));
    repo.commit("Raise");
    let report = coverage(&repo, &["--rev", "HEAD"]);
    let reviewed = &report["cases"][0]["citations"][0]["reviewed"];
    assert_eq!((&reviewed["at"], &reviewed["commit"]), (&first.clone().into(), &first.into()));
    let pressure =
        report["sections"].as_array().unwrap().iter().find(|it| it["section"]["title"] == "Pressure").unwrap();
    assert_ne!(reviewed["fingerprint"], pressure["fingerprint"]);
    // The pin that accept writes is the fingerprint that coverage tells.
    assert_eq!(repo.citecheck(["accept", "TC-1"]).code, 0);
    let pin = pressure["fingerprint"].as_str().unwrap();
    assert!(repo.read("cases.yaml").contains(&format!("pressure@{pin}")), "{}", repo.read("cases.yaml"));
    let report = coverage(&repo, &[]);
    assert_eq!(report["cases"][0]["citations"][0]["reviewed"]["fingerprint"], pin);
    assert_eq!(report["cases"][0]["title"], "Opens");
}

#[test]
fn cases_are_counted_by_category() {
    let cases = case("TC-1", "tone", "  category: Alarms\n")
        + &case("TC-2", "light", "  category: third_party software\n")
        + &case("TC-3", "flow", "");
    let repo = repo(&cases);
    let count = |report: &Value, name: &str| {
        let categories = report["categories"].as_array().unwrap();
        categories.iter().find(|it| it["name"] == name).map(|it| it["cases"]["total"].as_u64().unwrap())
    };
    let report = coverage(&repo, &[]);
    let counts = ["alarms", "third-party software", "unclassified", "usability"].map(|name| count(&report, name));
    assert_eq!(counts, [Some(1), Some(1), Some(1), Some(0)]);

    repo.write("cases.yaml", cases.replace("Alarms", "allarms"));
    let out = repo.citecheck(["coverage"]);
    assert_eq!(out.code, 0);
    for part in [
        "warning[unknown-category]",
        "no category `allarms`",
        "a category with a similar name exists: `alarms`",
        "cases.yaml:3:13",
    ] {
        assert!(out.stderr.contains(part), "{part}: {}", out.stderr);
    }
    // `check` leaves a key alone that may mean anything, until there is a taxonomy.
    assert_eq!(repo.json(&["check"])["summary"]["findings"], 0);
    repo.write("citecheck.yaml", "coverage: {taxonomy: [safety]}\ncases: {category: kind}\n");
    repo.write("cases.yaml", case("TC-1", "tone", "  category: x\n  kind: safe ty\n"));
    let findings = repo.json(&["check"])["findings"].clone();
    assert_eq!((findings[0]["rule"].as_str(), findings[1].is_null()), (Some("unknown-category"), true), "{findings:#}");
    assert_eq!(findings[0]["message"], "no category `safe ty` in the taxonomy");
    repo.write(
        "citecheck.yaml",
        "coverage: {taxonomy: [safe-ty], drafts: [proposed]}\ncases: {category: kind, status: is}\n",
    );
    repo.write("cases.yaml", case("TC-1", "tone", "  kind: safe ty\n  is: proposed\n"));
    let report = coverage(&repo, &[]);
    assert_eq!((count(&report, "safe-ty"), count(&report, "unclassified")), (Some(1), Some(0)));
    assert_eq!(report["summary"]["cases"]["drafts"], 1);
}

#[test]
fn a_trend_goes_through_tags_or_days_with_the_settings_of_today() {
    let repo = Repo::new();
    repo.write("docs/manual.md", MANUAL);
    repo.write("old.yaml", case("TC-1", "tone", ""));
    repo.commit("Start");
    repo.git(["tag", "v1"]);
    repo.git(["mv", "old.yaml", "cases.yaml"]);
    repo.write("cases.yaml", case("TC-1", "tone", "") + &case("TC-2", "light, limits", ""));
    repo.commit("Cover more");
    repo.git(["tag", "v2"]);
    repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    // A pattern that the past has no file for is no error there.
    repo.write("citecheck.yaml", "manuals: docs/*.md\ncases: [{files: cases.yaml}, {files: '*.yaml'}]\n");
    repo.commit("Change");
    let trend = |arguments: &[&str]| {
        let report = coverage(&repo, arguments);
        let shown = |point: &Value| {
            let sections = &point["sections"];
            format!(
                "{} {}/{}",
                point["rev"].as_str().unwrap(),
                sections["functional_percent"],
                sections["stale_percent"]
            )
        };
        report["trend"].as_array().unwrap().iter().map(shown).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(trend(&["--since", "v1", "--tags"]), "v1 16.7/0.0, v2 83.3/0.0, worktree 83.3/20.0");
    let first = repo.git(["rev-parse", "--short=7", "v1"]);
    let second = repo.git(["rev-parse", "--short=7", "v2"]);
    let (first, second) = (first.trim(), second.trim());
    let days = trend(&["--rev", "HEAD", "--since", "2026-01-01"]);
    assert_eq!(days, format!("{first} 16.7/0.0, {second} 83.3/0.0, HEAD 83.3/20.0"));
    assert_eq!(
        trend(&["--rev", "HEAD", "--since", "v1", "--points", "2"]),
        format!("{first} 16.7/0.0, HEAD 83.3/20.0")
    );
    assert_eq!(trend(&["--rev", "v2", "--since", "v1"]), format!("{first} 16.7/0.0, v2 83.3/0.0"));
    let human = repo.citecheck(["coverage", "--since", "v1"]).stdout;
    assert!(human.contains(&format!("{first}   2026-01-01")), "{human}");

    let out = repo.citecheck(["coverage", "--since", "v9"]);
    assert_eq!((out.code, out.stdout.as_str()), (2, ""));
    assert!(out.stderr.contains("`v9`"), "{}", out.stderr);
    let out = repo.citecheck(["coverage", "--rev", "v1", "--since", "v2"]);
    assert!(out.stderr.contains("`v2` is not in the history"), "{}", out.stderr);
    assert_eq!(repo.citecheck(["coverage", "--points", "5"]).code, 2);
    assert_eq!(repo.citecheck(["coverage", "--since", "v1", "--points", "1"]).code, 2);
}

#[test]
fn every_format_is_written_and_the_same_each_time() {
    let repo = repo(&(case("TC-1", "limits", "") + &case("TC-2", "'=tone', tone", "")));
    repo.write("docs/manual.md", MANUAL.replace("30 bar", "300 bar"));
    let run = || {
        let formats = formats("coverage");
        let outputs: Vec<String> =
            formats.iter().map(|format| format!("--output={format}=.git/out.{format}")).collect();
        let out = repo.citecheck(["coverage".to_owned()].iter().chain(&outputs));
        assert_eq!((out.code, out.stderr.as_str()), (0, ""));
        assert_eq!(out.stdout, repo.read(".git/out.human"));
        let text = |format: &String| fs::read_to_string(repo.path().join(format!(".git/out.{format}"))).unwrap();
        formats.iter().map(text).collect::<Vec<_>>()
    };
    let texts = run();
    assert!(texts == run());
    assert!(
        texts[0].starts_with("66.7 % of 6 sections are covered by cases, 50 % of the covered are stale (worktree on "),
        "{}",
        texts[0]
    );
    assert!(texts[0].contains("  docs/manual.md:14  Pressure  TC-1  (to review)\n"), "{}", texts[0]);
    assert!(texts[0].contains("  cases.yaml:4  TC-2  =tone\n"), "{}", texts[0]);
    assert!(texts[1].contains("<code>docs/manual.md:14</code>): <code>TC-1</code>, to review"), "{}", texts[1]);
    assert!(texts[3].contains("\"'=tone\"") && texts[4].contains("\"'=tone\""), "{}", texts[3]);
    assert_eq!(texts[3].lines().count(), texts[4].lines().count());
    assert!(texts[5].starts_with("<!DOCTYPE html>\n"), "{}", &texts[5][..100]);
    assert!(repo.citecheck(["coverage", "--format", "sarif"]).code == 2);
    let out = repo.citecheck(["coverage", "--output", "htm=x"]);
    assert!(out.stderr.contains("a similar one exists: `html`"), "{}", out.stderr);
}

#[test]
fn without_manual_or_cases_nothing_is_checked() {
    let repo = Repo::new();
    repo.write("cases.yaml", case("TC-1", "x", ""));
    let out = repo.citecheck(["coverage"]);
    assert_eq!(out.code, 3, "{}{}", out.stdout, out.stderr);
    assert!(out.stdout.contains("note: no manual was found"), "{}", out.stdout);
    let repo = Repo::new();
    repo.write("m.md", "# A\n\nText.\n");
    let out = repo.citecheck(["coverage"]);
    assert_eq!(out.code, 3);
    assert!(out.stdout.contains("note: no case was found"), "{}", out.stdout);
    assert!(out.stdout.starts_with("0 % of 1 section"), "{}", out.stdout);
    let out = repo.citecheck(["coverage", "--since", "2026-01-01"]);
    assert_eq!(out.code, 2, "there is no commit yet");
    repo.write("broken.yaml", "\tx: [");
    repo.write("cases.yaml", case("TC-1", "a", ""));
    let out = repo.citecheck(["coverage"]);
    assert!(out.stdout.contains("1 file or case could not be read"), "{}", out.stdout);
}
