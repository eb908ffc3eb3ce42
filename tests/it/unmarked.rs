//! Clauses that lose the marker with their id, and headings that go, while the text stays: it is a part of the section around
//! it then, which nothing else happened to.

use crate::support::Repo;

const START: &str = "The pump shall start within 3 seconds of the command of the operator.";
const FLOW: &str = "The pump shall deliver five litres in every minute of its running time.";

/// What `check` tells of citations, and what `fix` leaves in the case, when a manual becomes another one.
#[track_caller]
fn check(cites: &str, before: &str, after: &str, expected: &[&str]) {
    let repo = Repo::with_manual(before, cites);
    repo.write("citecheck.yaml", r"sections: {id-patterns: ['^\*\*(?P<id>REQ-\d+)\*\*', '^r\[(?P<id>[^\]]+)\]$']}");
    repo.commit("Say what a clause is");
    repo.write("docs/manual.md", after);
    let report = repo.json(&["check"]);
    let findings = report["findings"].as_array().unwrap().iter();
    let told: Vec<String> =
        findings.map(|it| format!("{} {}", it["level"].as_str().unwrap(), it["message"].as_str().unwrap())).collect();
    assert_eq!(told, expected, "{before:?} to {after:?}");
    repo.citecheck(["fix"]);
    assert!(repo.read("cases.yaml").contains(&format!("[{cites}]")), "{}", repo.read("cases.yaml"));
}

#[test]
fn a_clause_without_its_id_is_a_part_of_the_section_around_it() {
    let cites = "pump, REQ-1, REQ-2";
    let before = format!("# M\n\n## Pump\n\n**REQ-1**: {START}\n\n**REQ-2**: {FLOW}\n");
    check(
        cites,
        &before,
        &before.replace("**REQ-1**: ", ""),
        &["warning `Pump` took in `REQ-1`", "warning `REQ-1` was merged into `Pump`"],
    );
    check(
        cites,
        &before,
        &before.replace("**REQ-2**: ", ""),
        &["warning `REQ-1` took in `REQ-2`", "warning `REQ-2` was merged into `REQ-1`"],
    );
    check(
        cites,
        &before,
        &format!("# M\n\n## Pump\n\nIt is blue. {FLOW}\n\n**REQ-1**: {START}\n"),
        &["error `Pump` took in `REQ-2`", "error `REQ-2` was merged into `Pump`"],
    );
    check(
        cites,
        &before,
        &before.replace("**REQ-1**: ", "").replace("## Pump", "## Pumps"),
        &["warning `Pump` was merged into `Pumps`", "warning `REQ-1` was merged into `Pumps`"],
    );
}

#[test]
fn so_is_one_of_a_few_words_and_one_with_its_id_on_a_line_of_its_own() {
    let short = "# M\n\n## Pump\n\nr[p.flow]\nFive litres a minute.\n\nr[p.noise]\n\nIt is quiet.\n";
    check(
        "pump, p.flow, p.noise",
        short,
        &short.replace("r[p.flow]\n", ""),
        &["warning `Pump` took in `p.flow`", "warning `p.flow` was merged into `Pump`"],
    );
    check(
        "pump, p.flow, p.noise",
        short,
        &short.replace("r[p.noise]\n\n", ""),
        &["warning `p.flow` took in `p.noise`", "warning `p.noise` was merged into `p.flow`"],
    );
}

#[test]
fn so_is_a_section_that_lost_its_heading() {
    let before = format!("# M\n\n## Pump\n\n### Flow\n\n{FLOW}\n\n### Start\n\n{START}\n");
    check(
        "m, pump, flow",
        &before,
        &before.replace("### Flow\n\n", ""),
        &[
            "warning the text of `M` was reworded: subsection `Flow` is now part of `Pump`",
            "warning `Pump` took in `Flow`",
            "warning `Flow` was merged into `Pump`",
        ],
    );
}

#[test]
fn a_text_that_went_to_another_section_is_missed_where_it_was() {
    let before = format!("# M\n\n## Pump\n\n**REQ-1**: {FLOW}\n\n## Valve\n\nIt is red.\n");
    check(
        "pump, REQ-1",
        &before,
        &format!("# M\n\n## Pump\n\nNone.\n\n## Valve\n\nIt is red.\n\n{FLOW}\n"),
        &[
            "error the text of `Pump` changed in substance: subsection `REQ-1` moved away",
            "warning `REQ-1` was merged into `Valve`",
        ],
    );
}

#[test]
fn no_file_is_cited_for_a_clause_of_it() {
    let before = format!("**REQ-1**: {START}\n\n**REQ-2**: {FLOW}\n");
    check(
        "REQ-1",
        &before,
        &before.replace("**REQ-1**: ", ""),
        &[
            "warning `REQ-1` is now `docs/manual.md` at `docs/manual.md` line 1",
            "error the text of `REQ-1` changed in substance: subsection `REQ-2` moved here",
        ],
    );
}

#[test]
fn sections_of_one_name_are_told_apart() {
    let manual = |text: &str| format!("# M\n\n## Alarms\n\n{text}\n");
    let repo = Repo::with_manual(&manual(START), "m/alarms, n/alarms");
    repo.write("docs/notes.md", format!("# N\n\n## Alarms\n\n{FLOW}\n"));
    repo.commit("Add notes");
    repo.write("docs/manual.md", manual(&format!("{START}\n\n{FLOW}")));
    repo.write("docs/notes.md", "# N\n");
    repo.commit("Merge");
    let shown = repo.citecheck(["check", "HEAD~1..HEAD", "--format", "concise"]).stdout;
    assert!(shown.contains("`Alarms` took in another `Alarms`, that was at `docs/notes.md` line 3"), "{shown}");
    assert!(shown.contains("`Alarms` was merged into another `Alarms`, at `docs/manual.md` line 3"), "{shown}");
}

#[test]
fn an_empty_heading_above_one_of_its_title_splits_nothing() {
    let before = format!("# M\n\n## Alarms\n\n{START}\n");
    // The citation leads to the empty one now.
    let repo = Repo::with_manual(&before, "m/alarms");
    repo.write("docs/manual.md", before.replace("## Alarms\n\n", "## Alarms\n\n## Alarms\n\n"));
    let shown = repo.citecheck(["check", "--format", "concise"]).stdout;
    let moved = "`m/alarms` now leads to another `Alarms`, at `docs/manual.md` line 3, not to the one at";
    assert!(shown.contains(moved) && !shown.contains("split"), "{shown}");
    let shown = repo.citecheck(["diff"]).stdout;
    assert!(shown.starts_with("added: Alarms\n") && shown.contains("1 added"), "{shown}");
    // What it covers is the same where it is around the other one, and where it goes.
    let nested = before.replace("## Alarms\n\n", "## Alarms\n\n### Alarms\n\n");
    check("m/alarms", &before, &nested, &[]);
    check("m/alarms", &nested, &before, &[]);
}
