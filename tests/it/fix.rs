//! Writing back: `fix` changes citations and not one byte beside them, whatever YAML they stand in, and hides nothing.

use std::collections::BTreeSet;

use crate::support::Repo;

const MANUAL: &str = "\
# Pump

## Limits

### Pressure

The pressure shall stay below 3 bar at the outlet of the pump.

### Speed

The speed shall stay below 900 rpm whenever the lid is open.

## Notes

Keep the pump dry in transport.
";

/// The same texts under another heading.
const MOVED: &str = "\
# Pump

## Operation

### Speed

The speed shall stay below 900 rpm whenever the lid is open.

## Hydraulics

### Pressure

The pressure shall stay below 3 bar at the outlet of the pump.

## Notes

Keep the pump dry in transport.
";

fn rules(repo: &Repo) -> BTreeSet<String> {
    let report = repo.json(&["check"]);
    report["findings"].as_array().unwrap().iter().map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect()
}

/// A repository with one case file and a manual whose sections moved since.
fn moved(cases: &str) -> Repo {
    let repo = Repo::new();
    repo.write("docs/pump.md", MANUAL);
    repo.write("cases.yaml", cases);
    repo.commit("Add manual and cases");
    repo.write("docs/pump.md", MOVED);
    repo
}

/// Runs `fix` on a file whose citations moved; nothing else may change in it, and nothing is left to fix.
#[track_caller]
fn check(cases: &str, expected: &str) {
    let repo = moved(cases);
    let dry = repo.citecheck(["fix", "--dry-run"]);
    assert_eq!((dry.code, repo.read("cases.yaml").as_str()), (0, cases), "{}{}", dry.stdout, dry.stderr);
    let out = repo.citecheck(["fix"]);
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
    assert_eq!(repo.read("cases.yaml"), expected);
    assert_eq!(dry.stdout.replace("would be ", ""), out.stdout);
    assert_eq!(rules(&repo), BTreeSet::new());
    assert_eq!(repo.citecheck(["fix"]).stdout, "no citation has to be rewritten\n");
    assert_eq!(repo.read("cases.yaml"), expected);
    assert_eq!(repo.git(["diff", "--cached", "--name-only"]), "");
}

#[test]
fn citations_are_rewritten_in_every_style() {
    let sample = |pressure: &str, speed: &str| {
        [
            format!("- id: T # {pressure}\n  cites: {pressure}   # é {pressure}\n  x: limits/pressure\n"),
            format!("- {{id: T, cites: '{pressure}', x:  limits/pressure }}"),
            format!("- {{id: T, cites: [\"{pressure}\" ,{speed}]}} # {pressure}"),
            format!("\u{feff}id: T\r\ncites:\r\n- {pressure}\r\n- {speed}\r\nquote: limits/speed"),
            format!("id: T\ncites: |\n  {pressure}\n  {speed}\nexpected: |+\n  limits/speed\n\n\n"),
            format!("id: T\ncites: >- # c\n  {pressure}\nx: 1"),
            format!("id: T\ncites: {pressure}, {speed}\n"),
            format!("id: T\ncites: &x {pressure}\nx: &y limits/pressure\nz: *y\n"),
            format!("--- # one\nid: T\ncites: [{pressure}]\n...\n---\nid: U\ncites:\n    -   {speed}\n"),
            format!("id: T\ncites:\n- section: \"{pressure}\" # c\n  note: limits/pressure\n- {{scope: own, section: {speed}}}\n"),
            format!("T:\n  cites:\n    ? {pressure}\n    : note\n"),
        ]
    };
    let befores = sample("limits/pressure", "limits/speed");
    let afters = sample("hydraulics/pressure", "operation/speed");
    for (before, after) in befores.iter().zip(&afters) {
        // Comments and other fields say the old name, and are not touched.
        let after = after.replace("# hydraulics/pressure", "# limits/pressure").replace("é hydraulics", "é limits");
        check(before, &after);
    }
}
