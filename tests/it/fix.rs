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
    assert!(dry.stdout.replace(" (dry run: nothing was written)", "").ends_with(&out.stdout), "{}", dry.stdout);
    assert_eq!(rules(&repo), BTreeSet::new());
    assert_eq!(repo.citecheck(["fix"]).stdout, "no citation has to be rewritten\n");
    assert_eq!(repo.read("cases.yaml"), expected);
    assert_eq!(repo.git(["diff", "--cached", "--name-only"]), "");
}

/// Case files that are hard to edit, with these texts as their only citations.
fn torture(pressure: &str, speed: &str) -> Vec<String> {
    vec![
        format!("- id: T # limits/pressure\n  cites: {pressure}   # é limits/pressure\n  x: limits/pressure\n"),
        format!("- {{id: T, cites: '{pressure}', x:  limits/pressure }}"),
        format!("- {{id: T, cites: [\"{pressure}\" ,{speed}]}} # limits/pressure"),
        format!("\u{feff}id: T\r\ncites:\r\n- {pressure}\r\n- {speed}\r\nquote: limits/speed"),
        format!("id: T\ncites: |\n  {pressure}\n  {speed}\nexpected: |+\n  limits/speed\n\n\n"),
        format!("id: T\ncites: >- # c\n  {pressure}\nx: 1"),
        format!("id: T\ncites: >1+\n\n   {pressure},\n   \n  {speed}\n \n   \nx: 1"),
        format!("id: T\ncites: {pressure},\n\t# limits/speed\n {speed}\n"),
        format!("id: T\ncites: \"\\\n  {pressure},\n\n  {speed} \\\n  \"\n"),
        format!("id: T\ncites: {pressure}, {speed}\n"),
        format!("id: T\ncites: &x {pressure}\nx: &y limits/pressure\nz: *y\n"),
        format!("--- # one\nid: T\ncites: [{pressure}]\n...\n---\nid: U\ncites:\n    -   {speed}\n"),
        format!(
            "id: T\ncites:\n- section: \"{pressure}\" # c\n  note: limits/pressure\n- {{scope: own, section: {speed}}}\n"
        ),
        format!("T:\n  cites:\n    ? {pressure}\n    : note\n"),
        format!("one: &a {{id: A, cites: !!str {pressure} }}\ntwo: {{<<: *a, id: B}}\n"),
    ]
}

/// A heading that takes the name of another moves nothing: the citation only has to say more.
#[test]
fn a_name_that_became_ambiguous_is_told_as_that() {
    let repo = Repo::new();
    repo.write("docs/pump.md", MANUAL);
    repo.write("cases.yaml", "- id: T\n  cites: [speed]\n");
    repo.commit("Add manual and cases");
    repo.write("docs/pump.md", format!("{MANUAL}\n### Speed\n\nThe speed is printed on the label.\n"));
    let told = repo.citecheck(["check"]).stdout;
    assert!(
        told.contains("error[ambiguous-citation]: `speed` may mean 2 sections now, and led to `Speed` at"),
        "{told}"
    );
    assert!(told.contains("several sections match now"), "{told}");
    repo.citecheck(["fix"]);
    assert!(repo.read("cases.yaml").contains("limits/speed"), "{}", repo.read("cases.yaml"));
    assert!(rules(&repo).is_empty());
}

#[test]
fn citations_are_rewritten_in_every_style() {
    let befores = torture("limits/pressure", "limits/speed");
    for (before, after) in befores.iter().zip(torture("hydraulics/pressure", "operation/speed")) {
        check(before, &after);
    }
}

#[test]
fn the_manner_of_a_citation_stays() {
    let one = |citation: &str| format!("- id: T\n  cites: {citation}\n");
    check(&one("docs/pump.md#limits/pressure"), &one("docs/pump.md#hydraulics/pressure"));
    check(&one("\"[P](docs/pump.md#limits/pressure)\""), &one("\"[P](docs/pump.md#hydraulics/pressure)\""));
    check(&one("/pump/limits/speed"), &one("/pump/operation/speed"));
}

#[test]
fn names_that_were_swapped_are_followed_once() {
    let chapter = |first: &str, second: &str| {
        format!(
            "# Pump\n\n## {first}\n\nThe pressure shall stay below 3 bar at the outlet.\n\n## {second}\n\n\
             Speed is limited to 900 rpm whenever the lid is open.\n"
        )
    };
    let repo = Repo::with_manual(&chapter("Alpha", "Beta"), "alpha, beta");
    repo.write("docs/manual.md", chapter("Beta", "Alpha"));
    assert_eq!(repo.citecheck(["fix"]).code, 0);
    // Without a pin, `beta` would be taken for the section that had this name when the case was reviewed.
    let text = repo.read("cases.yaml");
    let cites = text.strip_prefix("cases:\n  - id: TC-1\n    cites: [").unwrap();
    assert!(cites.starts_with("beta@c1-") && cites.contains(", alpha@c1-"), "{text}");
    assert_eq!(rules(&repo), BTreeSet::new());
    assert_eq!(repo.citecheck(["fix"]).stdout, "no citation has to be rewritten\n");
}

#[test]
fn a_citation_whose_text_changed_keeps_its_review_point() {
    let repo = moved("- id: T\n  cites: [limits/pressure, limits/speed]\n");
    let pinned = |repo: &Repo, speed: &str| {
        let text = repo.read("cases.yaml");
        let pin = text.split("hydraulics/pressure@c1-").nth(1).expect("a pin").get(..16).expect("16 digits").to_owned();
        assert_eq!(text, format!("- id: T\n  cites: [hydraulics/pressure@c1-{pin}, {speed}]\n"));
        pin
    };
    repo.write("docs/pump.md", MOVED.replace("3 bar", "5 bar"));
    assert_eq!(repo.citecheck(["fix"]).code, 0);
    let pin = pinned(&repo, "operation/speed");
    assert_eq!(rules(&repo), BTreeSet::from(["text-changed".to_owned()]));
    // The pin is that of the text as it was reviewed.
    let reviewed = Repo::new();
    reviewed.write("docs/pump.md", MANUAL.replace("3 bar", "4 bar"));
    reviewed.write("cases.yaml", "- id: T\n  cites: limits/pressure\n");
    reviewed.commit("Add manual and cases");
    reviewed.write("docs/pump.md", MANUAL);
    assert_eq!(reviewed.citecheck(["accept", "T"]).code, 0);
    assert_eq!(reviewed.read("cases.yaml"), format!("- id: T\n  cites: limits/pressure@c1-{pin}\n"));
}

/// Fixes one case in a manual whose section got another title; `left` is what a check tells then.
#[track_caller]
fn retitle(cases: &str, expected: &str, left: &[&str]) {
    let text = |title: &str, limit: u32| {
        let limits = format!("The pressure shall stay below {limit} bar at the outlet of the pump.");
        format!("# Pump\n\n## 1 {title}\n\n{limits}\n\n## 2 Speed\n\nThe speed is {limit} rpm at most.\n")
    };
    let repo = Repo::new();
    repo.write("docs/pump.md", text("Limits", 3));
    repo.write("cases.yaml", cases);
    repo.commit("Add manual and cases");
    repo.write("docs/pump.md", text("Bounds", 3).replace("3 rpm", "900 rpm"));
    let out = repo.citecheck(["fix"]);
    assert_eq!((out.code, repo.read("cases.yaml").as_str()), (0, expected), "{}{}", out.stdout, out.stderr);
    assert_eq!(rules(&repo), left.iter().map(|rule| (*rule).to_owned()).collect(), "{cases}");
}

#[test]
fn the_title_beside_a_citation_follows_its_section() {
    let cited = "- id: T\n  cites:\n  - section: limits\n    title: 'Limits' # seen\n";
    let fixed = "- id: T\n  cites:\n  - section: bounds\n    title: 'Bounds' # seen\n";
    retitle(cited, fixed, &[]);
    let numbered = |text: &str, name: &str| text.replace(&format!("'{name}'"), &format!("1 {name}"));
    retitle(&numbered(cited, "Limits"), &numbered(fixed, "Bounds"), &[]);
    // A title that was wrong before stays so, and is told.
    let wrong = |text: &str| text.replace("'Limits'", "Alarms").replace("'Bounds'", "Alarms");
    retitle(&wrong(cited), &wrong(fixed), &["section-mismatch"]);
    // To correct it is no review of the case.
    let speed = "  - speed\n";
    retitle(&format!("{cited}{speed}"), &format!("{fixed}{speed}"), &["text-changed"]);
    // Others see it, too.
    let alias = "- {id: T, cites: {section: limits, title: *t}}\n";
    let anchor = "- {id: U, cites: {section: speed, scope: own, title: Speed}, note: &t Limits}\n";
    let expected = format!("{anchor}{}", alias.replace("section: limits", "section: bounds"));
    retitle(&format!("{anchor}{alias}"), &expected, &["section-mismatch", "text-changed"]);
}

#[test]
fn a_title_that_is_left_behind_is_told_with_the_one_to_write() {
    let repo = Repo::new();
    repo.write("docs/pump.md", MANUAL);
    repo.write("cases.yaml", "- {id: T, cites: {section: docs/pump.md#a, title: Notes}}\n");
    let anchored = |title: &str| MANUAL.replace("## Notes", &format!("<a id=\"a\"></a>\n## {title}"));
    repo.write("docs/pump.md", anchored("Notes"));
    repo.commit("Add manual and cases");
    repo.write("docs/pump.md", anchored("Care"));
    let told = repo.citecheck(["check"]).stdout;
    assert!(told.contains("leads to `Care`, not to `Notes`"), "{told}");
    assert!(told.contains("help: the section has another title now: write `title: Care`"), "{told}");
}

#[test]
fn a_scalar_that_cases_share_is_rewritten_for_all_or_not_at_all() {
    check(
        "- {id: A, cites: &x limits/pressure}\n- {id: B, cites: *x}\n",
        "- {id: A, cites: &x hydraulics/pressure}\n- {id: B, cites: *x}\n",
    );
    // The other case changed meanwhile: it was reviewed with the moved section, and its citation leads nowhere.
    let cases = "- {id: A, cites: &x limits/pressure}\n- {id: B, cites: *x, x: 1}\n";
    let repo = moved(cases);
    let cases = cases.replace("x: 1", "x: 2");
    repo.write("cases.yaml", &cases);
    let out = repo.citecheck(["fix"]);
    assert_eq!((out.code, repo.read("cases.yaml")), (2, cases));
    assert!(out.stderr.contains("cases.yaml:1:21") && out.stderr.contains("cases.yaml:2:18"), "{}", out.stderr);
    // What an alias brings to a place that is no citation would change, too.
    let cases = "- {id: A, cites: &x limits/pressure}\n- {id: B, cites: notes, title: *x}\n";
    let repo = moved(cases);
    assert_eq!((repo.citecheck(["fix"]).code, repo.read("cases.yaml").as_str()), (2, cases));
    // And so would a key.
    let cases = "- {id: A, cites: notes, &x limits/pressure: 1}\n- {id: B, cites: *x}\n";
    let repo = moved(cases);
    assert_eq!((repo.citecheck(["fix"]).code, repo.read("cases.yaml").as_str()), (2, cases));
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_left_as_it_was() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    let repo = moved("");
    repo.write("locked/cases.yaml", "- {id: T, cites: limits/pressure}\n");
    repo.write("cases.yaml", "- {id: U, cites: limits/speed}\n");
    repo.write("docs/pump.md", MANUAL);
    repo.commit("Add cases");
    repo.write("docs/pump.md", MOVED);
    let folder = repo.path().join("locked");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
    let can_write = fs::write(folder.join("probe"), "").is_ok();
    let out = repo.citecheck(["fix"]);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    if !can_write {
        assert_eq!(out.code, 2);
        assert!(out.stderr.contains("cannot write `locked/cases.yaml`"), "{}", out.stderr);
        assert_eq!(repo.read("cases.yaml"), "- {id: U, cites: limits/speed}\n");
    }
    let target = repo.path().join("../outside.yaml");
    fs::write(&target, "- {id: V, cites: limits/speed}\n").unwrap();
    symlink(&target, repo.path().join("link.yaml")).unwrap();
    assert_eq!(repo.citecheck(["fix"]).code, 0);
    assert_eq!(fs::read_to_string(&target).unwrap(), "- {id: V, cites: limits/speed}\n");
    assert_eq!(repo.read("cases.yaml"), "- {id: U, cites: operation/speed}\n");
}

#[test]
fn only_the_work_tree_is_fixed() {
    let repo = moved("- {id: T, cites: limits/pressure}\n");
    for arguments in
        [&["check", "--fix", "--staged"][..], &["check", "--fix", "--rev", "HEAD"], &["check", "--fix", "HEAD..HEAD"]]
    {
        assert_eq!(repo.citecheck(arguments).code, 2, "{arguments:?}");
    }
    assert_eq!(repo.read("cases.yaml"), "- {id: T, cites: limits/pressure}\n");
    let out = repo.citecheck(["check", "--fix"]);
    assert_eq!((out.code, repo.read("cases.yaml").as_str()), (0, "- {id: T, cites: hydraulics/pressure}\n"));
    assert!(out.stdout.contains("1 citation rewritten"), "{}", out.stdout);
}
