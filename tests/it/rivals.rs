//! Sections that stand where they were with another text, while their former text stands elsewhere, and names that may mean
//! several: no way of checking calls the case fresh, and `fix` leaves to a person what only a person can say.

use crate::support::Repo;

const FLOW: &str = "The pump shall deliver five litres in every minute of its running time.";
const CHANGED: &str = "error[text-changed] the text of `Flow` changed in substance: number `five` is now `six`";

fn repo(manual: &str, cites: &str) -> Repo {
    let repo = Repo::new();
    repo.write("pump.md", manual);
    repo.write("cases.yaml", format!("- id: T\n  cites: {cites}\n"));
    repo.commit("Begin");
    repo
}

/// What is told, one finding a line, without place and case.
fn told(repo: &Repo, arguments: &[&str]) -> Vec<String> {
    let out = repo.citecheck(arguments.iter().chain(&["--format", "concise"])).stdout;
    let finding = |line: &str| Some(line.split_once(": ")?.1.rsplit_once(" [case ")?.0.to_owned());
    out.lines().filter_map(finding).collect()
}

/// Expects the same of the work tree, of a commit and of a range, and that `fix` writes nothing.
#[track_caller]
fn check(repo: &Repo, expected: &[&str]) {
    assert_eq!(told(repo, &["check"]), expected);
    repo.commit("Change the manual");
    for arguments in [&["check"][..], &["check", "HEAD^..HEAD"]] {
        assert_eq!(told(repo, arguments), expected, "{arguments:?}");
    }
    let cases = repo.read("cases.yaml");
    assert_eq!(repo.citecheck(["fix"]).stdout, "no citation has to be rewritten\n");
    assert_eq!(repo.read("cases.yaml"), cases);
}

/// Pins every citation to the text as it is.
#[track_caller]
fn pin(repo: &Repo, from: &str, to: &str) {
    repo.write("pump.md", repo.read("pump.md").replace(from, to));
    assert_eq!(repo.citecheck(["accept", "--all", "--yes"]).code, 0);
    repo.commit("Accept");
}

fn flow(sections: &[(&str, &str)]) -> String {
    let section = |(heading, text): &(&str, &str)| format!("{heading}\n\n{text}\n\n");
    format!("# Pump\n\n{}", sections.iter().map(section).collect::<String>())
}

#[test]
fn a_section_whose_former_text_is_kept_in_an_annex() {
    let six = FLOW.replace("five", "six");
    let notes = ("## Notes", "Keep it dry.");
    let before = flow(&[("## Flow", FLOW), notes]);
    let ambiguous = "error[ambiguous-citation] `flow` may mean 2 sections now, and led to `Flow` at `pump.md` line 3";
    let same_heading = repo(&before, "flow");
    let annex = flow(&[("## Flow", &six), notes]) + &format!("# Former texts\n\n## Flow\n\n{FLOW}\n");
    same_heading.write("pump.md", annex);
    check(&same_heading, &[ambiguous, CHANGED]);
    let other_heading = repo(&before, "flow");
    other_heading.write("pump.md", flow(&[("## Flow", &six), notes, ("## Flow until 2025", FLOW)]));
    check(&other_heading, &[CHANGED]);
}

#[test]
fn a_short_text_that_was_filled_in_where_another_one_like_it_came() {
    let filled = "The pump shall not be used at 40 degrees.";
    let cleaning = ("## Cleaning", "Wash the pump with warm water after use.");
    let before = flow(&[("## Contraindications", "None."), cleaning]);
    let after = flow(&[("## Contraindications", filled), ("## Warnings", "None."), cleaning]);
    let at_once = repo(&before, "contraindications");
    at_once.write("pump.md", &after);
    let message = "error[section-moved] `contraindications` leads to another text of `Contraindications` at `pump.md` line \
        3; the former one is now `Warnings` at `pump.md` line 7";
    check(&at_once, &[message]);
    let human = at_once.citecheck(["check"]).stdout;
    let helps = [
        "help: if the text at `pump.md` line 7 is meant, cite `warnings`",
        "help: if the one at `pump.md` line 3 is meant, look at the case, then run `citecheck accept T`",
    ];
    helps.iter().for_each(|line| assert!(human.contains(line), "{human}"));
    // Either choice settles it; another spelling of the same name is none.
    at_once.write("cases.yaml", "- id: T\n  cites: pump/contraindications\n");
    assert_eq!(told(&at_once, &["check"]), [message.replace("`contraindications`", "`pump/contraindications`")]);
    assert_eq!(at_once.citecheck(["accept", "T"]).code, 0);
    assert_eq!(told(&at_once, &["check"]), [""; 0]);
    at_once.write("cases.yaml", "- id: T\n  cites: warnings\n");
    assert_eq!(told(&at_once, &["check"]), [""; 0]);
    // The history tells that it was filled in.
    let step_by_step = repo(&before, "contraindications");
    step_by_step.write("pump.md", flow(&[("## Contraindications", filled), cleaning]));
    step_by_step.commit("Fill it in");
    step_by_step.write("pump.md", &after);
    step_by_step.commit("Add warnings");
    let findings = told(&step_by_step, &["check"]);
    assert!(findings[0].starts_with("error[text-changed] the text of `Contraindications`"), "{findings:?}");
    assert_eq!(told(&step_by_step, &["check", "HEAD~2..HEAD"]), findings);
}

#[test]
fn a_section_that_was_renamed_before_another_took_its_name() {
    let repo = repo(&flow(&[("## Flow", FLOW)]), "flow");
    repo.write("pump.md", flow(&[("## Delivery", FLOW)]));
    repo.commit("Rename it");
    let other = "Water comes in on the left and leaves on the right, through a filter that holds back sand and grit.";
    repo.write("pump.md", flow(&[("## Flow", other), ("## Delivery", FLOW)]));
    repo.commit("Add a section");
    let message = "error[section-moved] `flow` leads to another text of `Flow` at `pump.md` line 3; the former one is now \
        `Delivery` at `pump.md` line 7";
    assert_eq!(told(&repo, &["check"]), [message]);
    assert_eq!(repo.citecheck(["fix"]).stdout, "no citation has to be rewritten\n");
}

#[test]
fn a_duplicate_heading_that_came_in_before_moves_the_citation() {
    let other = "Water runs from left to right, and never back.";
    let repo = repo(&flow(&[("## Flow", FLOW)]), "pump.md#flow");
    repo.write("pump.md", flow(&[("## Flow", other), ("## Flow", FLOW)]));
    let message = "error[section-moved] `pump.md#flow` now leads to another `Flow`, at `pump.md` line 3, not to the one at \
        `pump.md` line 7";
    assert_eq!(told(&repo, &["check"]), [message]);
    assert_eq!(repo.citecheck(["fix"]).code, 0);
    assert_eq!(
        (repo.read("cases.yaml").as_str(), told(&repo, &["check"]).len()),
        ("- id: T\n  cites: pump.md#flow-1\n", 0)
    );
}

#[test]
fn a_pinned_section_that_was_edited_while_a_copy_of_it_was_made() {
    let repo = Repo::new();
    repo.write("docs/v2/pump.md", flow(&[("## Flow", &FLOW.replace("five", "four"))]));
    repo.write("cases.yaml", "- id: T\n  cites: flow\n");
    repo.commit("Begin");
    repo.write("docs/v2/pump.md", flow(&[("## Flow", FLOW)]));
    assert_eq!(repo.citecheck(["accept", "T"]).code, 0);
    repo.commit("Accept");
    repo.write("docs/v1/pump.md", flow(&[("## Flow", FLOW)]));
    repo.write("docs/v2/pump.md", flow(&[("## Flow", &FLOW.replace("five", "six"))]));
    let ambiguous =
        "error[ambiguous-citation] `flow` may mean 2 sections now, and led to `Flow` at `docs/v2/pump.md` line 3";
    check(&repo, &[ambiguous, CHANGED]);
    // Whatever happens to the copy later.
    repo.write("docs/v1/pump.md", flow(&[("## Flow", FLOW), ("## Notes", "Keep it dry.")]));
    repo.commit("Add notes to the copy");
    assert_eq!(told(&repo, &["check"]), [ambiguous, CHANGED]);
    // Who accepts has been shown which one that is.
    let accepted = repo.citecheck(["accept", "T"]).stdout;
    assert!(accepted.contains("docs/v2/pump.md"), "{accepted}");
    assert!(repo.read("cases.yaml").contains("cites: docs/v2/pump.md#flow@c1-"), "{}", repo.read("cases.yaml"));
    assert_eq!(told(&repo, &["check"]), [""; 0]);
}

#[test]
fn a_pinned_section_beside_another_with_the_same_text() {
    let why = |degrees: &str| format!("The value was chosen with respect to the flow at {degrees} degrees.");
    let manual = |pump: &str, valve: &str| {
        let [pump, valve] = [pump, valve].map(why);
        format!("# M\n\n## Pump\n\n### Rationale\n\n{pump}\n\n## Valve\n\n### Rationale\n\n{valve}\n")
    };
    let repo = repo(&manual("20", "20"), "valve/rationale");
    pin(&repo, "20", "21");
    repo.write("pump.md", manual("21", "35"));
    check(&repo, &["error[text-changed] the text of `Rationale` changed in substance: number `21` is now `35`"]);
    repo.write("pump.md", manual("21", "35") + "\nMore.\n");
    repo.commit("Add a word");
    let findings = told(&repo, &["check"]);
    assert!(findings[0].contains("number `21` is now `35`"), "{findings:?}");
}

#[test]
fn a_second_fix_finds_what_the_first_one_left() {
    let sections =
        |last: &str| flow(&[("## Notes", "None."), ("## Uses", "For water of any kind."), ("## Deviations", last)]);
    let repo = repo(&sections("None."), "pump.md#deviations");
    repo.git(["mv", "pump.md", "moved.md"]);
    repo.write("moved.md", sections("The pump shall stop at 9 bar."));
    assert_eq!(repo.citecheck(["fix"]).code, 0);
    let fixed = repo.read("cases.yaml");
    assert!(fixed.contains("cites: moved.md#deviations@c1-"), "{fixed}");
    for _ in 0..2 {
        let findings = told(&repo, &["check"]);
        assert_eq!(findings.len(), 1);
        assert!(findings[0].starts_with("error[text-changed] the text of `Deviations`"), "{findings:?}");
        assert_eq!(repo.citecheck(["fix"]).stdout, "no citation has to be rewritten\n");
        repo.commit("Move and fill it in");
    }
    assert_eq!(repo.read("cases.yaml"), fixed);
}

#[test]
fn a_pin_of_another_section_is_nothing_to_follow() {
    let repo = repo(&flow(&[("## Flow", "Water runs."), ("## Notes", "Keep it dry.")]), "notes");
    pin(&repo, "dry", "very dry");
    repo.write("cases.yaml", repo.read("cases.yaml").replace("notes@", "flow@"));
    let message = "error[section-moved] `flow` leads to `Flow`, but is pinned to a text of `Notes`";
    assert_eq!(told(&repo, &["check"]), [message]);
    let human = repo.citecheck(["check"]).stdout;
    let helps =
        ["help: if the text at `pump.md` line 7 is meant, cite `notes`", "help: if `Flow` is meant, take the pin out"];
    helps.iter().for_each(|line| assert!(human.contains(line), "{human}"));
    assert_eq!(repo.citecheck(["fix"]).stdout, "no citation has to be rewritten\n");
}

#[test]
fn a_name_that_means_several_now_is_an_error_that_a_fix_settles_only_where_nothing_else_changed() {
    let added = |flow: &str| format!("# Pump\n\n## Flow\n\n{flow}\n\n## Valve\n\n### Flow\n\nWater runs.\n");
    let message = "error[ambiguous-citation] `flow` may mean 2 sections now, and led to `Flow` at `pump.md` line 3";
    let unpinned = repo(&flow(&[("## Flow", FLOW)]), "flow");
    let pinned = repo(&flow(&[("## Flow", &FLOW.replace("five", "four"))]), "flow");
    pin(&pinned, "four", "five");
    for repo in [unpinned, pinned] {
        repo.write("pump.md", added(FLOW));
        assert_eq!(told(&repo, &["check"]), [message]);
        assert_eq!(repo.citecheck(["check"]).code, 1);
        repo.write("pump.md", added(&FLOW.replace("five", "six")));
        check(&repo, &[message, CHANGED]);
        repo.write("pump.md", added(FLOW));
        assert_eq!(repo.citecheck(["fix"]).code, 0);
        assert!(repo.read("cases.yaml").contains("cites: pump/flow"), "{}", repo.read("cases.yaml"));
        assert_eq!(told(&repo, &["check"]), [""; 0]);
    }
}

#[test]
fn a_heading_of_the_same_name_before_the_cited_one_is_another_section() {
    let text = "Replace the ropes when more than 10 wires per lay are broken.\n";
    let before = format!("# Lift\n\n## Ropes\n\n{text}");
    for came in ["See below.\n", "The ropes are those of the counterweight and of the car, as the drawing shows.\n"] {
        let repo = Repo::with_manual(&before, "docs/manual.md#ropes");
        repo.write("docs/manual.md", format!("# Lift\n\n## Ropes\n\n{came}\n## Ropes\n\n{text}"));
        let out = repo.citecheck(["check", "--format", "concise"]);
        let told = "error[section-moved] `docs/manual.md#ropes` now leads to another `Ropes`";
        assert!(out.code == 1 && out.stdout.contains(told), "{came}{}", out.stdout);
        assert_eq!(repo.citecheck(["fix"]).code, 0);
        assert!(repo.read("cases.yaml").contains("docs/manual.md#ropes-1"), "{}", repo.read("cases.yaml"));
    }
}
