//! Pins in a file of their own: branches that accept merge line by line, in real git, and what a merge breaks is told.

use crate::support::Repo;

const MANUAL: &str = "\
# Pump

## Limits

The pump shall stop within 30 s.

## Notes

Keep the pump dry in transport.

## Speed

The speed shall stay below 900 rpm whenever the lid is open or the housing is wet.
";

/// A case for each section, all accepted once; pins are in a file.
fn accepted() -> Repo {
    let repo = Repo::new();
    repo.write("citecheck.yaml", "pins: file\n");
    repo.write("docs/pump.md", MANUAL);
    repo.write("cases.yaml", "- {id: A, cites: limits}\n- {id: B, cites: notes}\n- {id: C, cites: speed}\n");
    repo.commit("Add manual and cases");
    edit(&repo, &[("30 s", "31 s"), ("dry in", "dry during"), ("900", "901")]);
    accept(&repo, "--all");
    repo.commit("Accept all");
    repo
}

fn edit(repo: &Repo, words: &[(&str, &str)]) {
    let mut text = repo.read("docs/pump.md");
    for (before, after) in words {
        assert!(text.contains(before), "{before}");
        text = text.replace(before, after);
    }
    repo.write("docs/pump.md", text);
}

fn accept(repo: &Repo, what: &str) {
    let out = repo.citecheck(["accept", what, "--yes"]);
    assert_eq!(out.code, 0, "{}{}", out.stdout, out.stderr);
}

/// Two branches change words of the manual and accept what that concerns; the second one is merged into the first.
fn merged(ours: &[(&str, &str)], theirs: &[(&str, &str)], attributes: &str) -> Repo {
    let repo = accepted();
    repo.write(".gitattributes", attributes);
    repo.commit("Set attributes");
    repo.git(["checkout", "--quiet", "-b", "theirs"]);
    edit(&repo, theirs);
    accept(&repo, "--all");
    repo.commit("Theirs");
    repo.git(["checkout", "--quiet", "main"]);
    edit(&repo, ours);
    accept(&repo, "--all");
    repo.commit("Ours");
    // A conflict is no failure here.
    repo.git(["-c", "alias.try=!git merge --quiet theirs || true", "try"]);
    repo
}

fn pins(repo: &Repo) -> Vec<String> {
    repo.read("citecheck.pins.yaml").lines().filter(|line| line.starts_with('-')).map(str::to_owned).collect()
}

fn rules(repo: &Repo) -> Vec<String> {
    let report = repo.json(&["check"]);
    report["findings"].as_array().unwrap().iter().map(|it| it["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn pins_of_different_cases_merge_line_by_line() {
    let repo = merged(&[("31 s", "32 s")], &[("901", "902")], "");
    assert_eq!(repo.git(["status", "--porcelain"]), "");
    assert_eq!(pins(&repo).len(), 3);
    assert_eq!(rules(&repo), [""; 0]);
}

#[test]
fn branches_that_accept_the_same_agree() {
    let same = [("31 s", "32 s"), ("901", "902")];
    let repo = merged(&same, &same, "");
    assert_eq!(repo.git(["status", "--porcelain"]), "");
    assert_eq!(rules(&repo), [""; 0]);
}

#[test]
fn a_conflict_is_told_until_one_line_is_left() {
    let repo = merged(&[("31 s", "32 s")], &[("31 s", "33 s")], "");
    repo.write("docs/pump.md", MANUAL.replace("30 s", "32 s").replace("dry in", "dry during").replace("900", "901"));
    repo.git(["add", "docs/pump.md"]);
    let out = repo.citecheck(["check"]);
    assert_eq!(out.code, 2, "{}", out.stdout);
    assert!(out.stderr.contains("citecheck.pins.yaml"), "{}", out.stderr);
    // Somebody adds the file as it is.
    repo.git(["add", "."]);
    assert!(rules(&repo).contains(&"pin-conflict".to_owned()), "{:?}", rules(&repo));
    let before = repo.read("citecheck.pins.yaml");
    edit(&repo, &[("901", "903")]);
    let out = repo.citecheck(["accept", "C"]);
    assert_eq!((out.code, repo.read("citecheck.pins.yaml")), (2, before.clone()), "{}", out.stdout);
    assert!(out.stderr.contains("conflict markers"), "{}", out.stderr);
    edit(&repo, &[("903", "901")]);
    // Both lines are kept: one too many.
    let both: String =
        before.lines().filter(|line| !line.starts_with(['<', '=', '>'])).flat_map(|it| [it, "\n"]).collect();
    repo.write("citecheck.pins.yaml", both);
    assert!(rules(&repo).contains(&"pin-conflict".to_owned()), "{:?}", rules(&repo));
    // Ours is kept, and the text is ours.
    let ours = before.replace("<<<<<<< HEAD\n", "");
    let (head, rest) = ours.split_once("=======\n").unwrap();
    let (_, tail) = rest.split_once(">>>>>>> theirs\n").unwrap();
    repo.write("citecheck.pins.yaml", format!("{head}{tail}"));
    assert_eq!(rules(&repo), [""; 0]);
}

#[test]
fn a_union_of_contradicting_pins_is_told_with_both_lines() {
    let attributes = "citecheck.pins.yaml merge=union\n";
    let repo = merged(&[("31 s", "32 s")], &[("31 s", "33 s")], attributes);
    repo.write("docs/pump.md", MANUAL.replace("30 s", "33 s").replace("dry in", "dry during").replace("900", "901"));
    repo.git(["add", "."]);
    repo.commit("Merge");
    assert_eq!(pins(&repo).len(), 4);
    let out = repo.citecheck(["check"]);
    assert_eq!(out.code, 1, "{}", out.stdout);
    assert!(out.stdout.contains("error[pin-conflict]: `limits` of `A` is pinned to two texts"), "{}", out.stdout);
    assert_eq!(out.stdout.matches("citecheck.pins.yaml:").count(), 2, "{}", out.stdout);
    let theirs: Vec<String> =
        pins(&repo).into_iter().enumerate().filter(|(at, _)| *at != 0).map(|(_, line)| line).collect();
    repo.write("citecheck.pins.yaml", theirs.join("\n"));
    assert_eq!(rules(&repo), [""; 0]);
}

#[test]
fn a_pin_that_nobody_uses_is_told_and_an_inline_pin_wins() {
    let repo = accepted();
    let cases = repo.read("cases.yaml");
    repo.write("cases.yaml", cases.replace("id: A", "id: A2").replace("cites: notes", "cites: pump/notes"));
    // The review went with the pin: the citation counts as reviewed when its case last changed.
    assert_eq!(rules(&repo), ["text-reworded", "unused-pin", "unused-pin"]);
    let text = pins(&repo)[0].clone();
    let pin = &text[text.find("c1-").unwrap()..text.len() - 1];
    repo.write("cases.yaml", cases.replace("cites: limits", &format!("cites: limits@{pin}")));
    assert_eq!(rules(&repo), ["unused-pin"]);
    repo.write("cases.yaml", "- {id: A, cites: limits\n");
    assert!(!rules(&repo).contains(&"unused-pin".to_owned()));
}

#[test]
fn a_moved_citation_takes_its_pin_along() {
    let repo = accepted();
    edit(&repo, &[("## Limits", "## Bounds"), ("## Speed", "## Velocity"), ("901", "950")]);
    let before = pins(&repo);
    assert_eq!(repo.citecheck(["fix"]).code, 0);
    let cases = "- {id: A, cites: bounds}\n- {id: B, cites: notes}\n- {id: C, cites: velocity}\n";
    assert_eq!(repo.read("cases.yaml"), cases);
    // Text that changed keeps the pin of the text that was reviewed.
    let after: Vec<String> = before
        .iter()
        .map(|line| line.replace("cites: limits", "cites: bounds").replace("cites: speed", "cites: velocity"))
        .collect();
    assert_eq!(pins(&repo), after);
    assert_eq!(rules(&repo), ["text-changed"]);
}

#[test]
fn accept_says_how_a_pins_file_that_git_does_not_know_gets_there() {
    let repo = Repo::new();
    repo.write("citecheck.yaml", "pins: file\n");
    repo.write("docs/pump.md", MANUAL);
    repo.write("cases.yaml", "- {id: A, cites: limits}\n");
    repo.commit("Add manual and cases");
    let accept = |arguments: &[&str], limit: &str| {
        repo.write("docs/pump.md", MANUAL.replace("30 s", limit));
        let out = repo.citecheck(arguments.iter().chain(&["accept", "A"]));
        assert_eq!(out.code, 0, "{}", out.stderr);
        out.stdout.lines().last().unwrap().to_owned()
    };
    let told = |path: &str| format!("`citecheck.pins.yaml` is not in git yet: run `git add {path}`");
    assert_eq!(accept(&[], "31 s"), told("citecheck.pins.yaml"));
    assert_eq!(accept(&["-C", "docs"], "32 s"), told(":/citecheck.pins.yaml"));
    repo.git(["-C", "docs", "add", ":/citecheck.pins.yaml"]);
    assert_eq!(accept(&[], "33 s"), "1 citation accepted");
    repo.write("citecheck.yaml", "pins: inline\n");
    repo.git(["rm", "--quiet", "--force", "citecheck.pins.yaml"]);
    assert_eq!(accept(&[], "34 s"), "1 citation accepted");
}

#[test]
fn a_citation_whole_and_by_itself_has_no_line_for_both() {
    let repo = Repo::with_manual("# M\n\n## A\n\nOpens at 5 bar.\n\n### B\n\nText.\n", "a, {section: a, scope: own}");
    repo.write("citecheck.yaml", "pins: file\n");
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("5 bar", "9 bar"));
    let out = repo.citecheck(["accept", "--all", "--yes"]);
    assert_eq!(out.code, 2);
    let told = "`TC-1` cites `a` whole and with `scope: own`; `citecheck.pins.yaml` has one line for both";
    assert!(out.stderr.contains(told), "{}", out.stderr);
}

#[test]
fn a_pin_whose_case_has_another_id_says_which() {
    let repo = Repo::with_manual("# M\n\n## A\n\nOpens at 5 bar.\n", "a");
    repo.write("citecheck.yaml", "pins: file\n");
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("5 bar", "9 bar"));
    assert_eq!(repo.citecheck(["accept", "--all", "--yes"]).code, 0);
    repo.write("cases.yaml", repo.read("cases.yaml").replace("TC-1", "TC-2"));
    let help = |expected: &str| {
        let out = repo.citecheck(["check"]);
        assert!(out.stdout.contains(&format!("help: {expected}\n")), "{}", out.stdout);
    };
    help("if that case is `TC-2` now, write this id into the line; else remove it");
    repo.write("more.yaml", "- {id: TC-3, cites: a}\n");
    help("if that case has another id now, as `TC-2`, write that into the line; else remove it");
    repo.write("cases.yaml", "cases:\n  - {id: TC-2, cites: m}\n");
    repo.write("more.yaml", "");
    help("remove the line, or give it the present name");
}
