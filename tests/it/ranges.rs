//! Stories of several commits: whatever range they are looked at in, it tells what each commit told and nobody reviewed,
//! and what its help says can be done.

use crate::support::Repo;

const ALARM: &str = "The alarm sounds for 30 s when the pressure at the outlet exceeds 4 bar for longer than a second.";
const LAMP: &str = "The lamp blinks red until the door has been closed and the operator has pressed the reset button.";
const NOTES: &str = "Keep the pump dry in transport and store it away from direct sunlight at all times.";

/// A manual of sections with these headings and texts.
fn manual(sections: &[(&str, &str)]) -> String {
    let sections = sections.iter().map(|(heading, text)| format!("\n## {heading}\n\n{text}\n"));
    format!("# Pump\n{}", sections.collect::<String>())
}

/// A repository with one commit: the manual, and a case with one citation.
fn repo(sections: &[(&str, &str)], citation: &str) -> Repo {
    Repo::with_manual(&manual(sections), &format!("\"{citation}\""))
}

fn commit(repo: &Repo, sections: &[(&str, &str)], message: &str) {
    repo.write("docs/manual.md", manual(sections));
    repo.commit(message);
}

fn cite(repo: &Repo, citation: &str, message: &str) {
    repo.write("cases.yaml", format!("cases:\n  - id: TC-1\n    cites: [\"{citation}\"]\n"));
    repo.commit(message);
}

/// The rules that have a finding, separated by blanks.
#[track_caller]
fn told(repo: &Repo, arguments: &[&str]) -> String {
    let report = repo.json(&[&["check"], arguments].concat());
    let rules = report["findings"].as_array().unwrap().iter().map(|finding| finding["rule"].as_str().unwrap());
    rules.collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(repo: &Repo, arguments: &[&str], expected: &str) {
    assert_eq!(told(repo, arguments), expected, "{arguments:?}");
}

/// A section is split, and in the next commit all numbers move up.
fn split_and_renumbered(citation: &str) -> Repo {
    let repo = repo(&[("1 Alarms", &format!("{ALARM}\n\n{LAMP}")), ("2 Notes", NOTES)], citation);
    commit(&repo, &[("1 Alarms", ALARM), ("2 Lamp", LAMP), ("3 Notes", NOTES)], "Split");
    check(&repo, &["HEAD~1..HEAD"], "section-split");
    repo.write(
        "docs/manual.md",
        manual(&[("1 Use", "Read."), ("2 Alarms", ALARM), ("3 Lamp", LAMP), ("4 Notes", NOTES)]),
    );
    repo
}

#[test]
fn a_respelling_that_follows_a_part_is_no_review_of_the_split() {
    for (citation, respelled) in [("§1", "§2"), ("§1", "alarms"), ("docs/manual.md#1-alarms", "alarms")] {
        let repo = split_and_renumbered(citation);
        repo.commit("Renumber");
        check(&repo, &["HEAD~1..HEAD"], "section-moved");
        check(&repo, &[], "section-moved section-split");
        cite(&repo, respelled, "Respell");
        check(&repo, &["HEAD~1..HEAD"], "");
        check(&repo, &["HEAD~3..HEAD"], "section-split");
        check(&repo, &[], "section-split");
        cite(&repo, "pump/alarms", "Respell again");
        check(&repo, &["HEAD~4..HEAD"], "section-split");
        assert_eq!(repo.citecheck(["accept", "TC-1"]).code, 0);
        check(&repo, &[], "");
    }
}

#[test]
fn a_split_is_settled_by_citing_another_part() {
    let repo = split_and_renumbered("§1");
    repo.commit("Renumber");
    cite(&repo, "lamp", "Cite the part that is tested");
    check(&repo, &["HEAD~3..HEAD"], "");
    check(&repo, &[], "");
}

#[test]
fn fix_follows_the_part_that_the_citation_led_to_and_hides_no_split() {
    let repo = split_and_renumbered("§1");
    repo.git(["add", "--all"]);
    check(&repo, &["--staged"], "section-moved");
    let fixed = repo.citecheck(["fix"]).stdout;
    assert!(fixed.contains("TC-1: §1 -> §2@c1-"), "{fixed}");
    repo.git(["add", "--all"]);
    check(&repo, &["--staged"], "");
    check(&repo, &[], "section-split");
    repo.commit("Renumber");
    check(&repo, &["HEAD~2..HEAD"], "section-split");
    cite(&repo, "alarms", "Respell");
    check(&repo, &["HEAD~1..HEAD"], "");
    check(&repo, &["HEAD~3..HEAD"], "section-split");
    check(&repo, &[], "section-split");
}

#[test]
fn a_respelling_that_follows_a_merged_section_is_no_review_of_the_merge() {
    let repo = repo(&[("1 Alarms", ALARM), ("2 Lamp", LAMP), ("3 Notes", NOTES)], "§1");
    commit(&repo, &[("1 Signals", &format!("{ALARM}\n\n{LAMP}")), ("2 Notes", NOTES)], "Merge");
    check(&repo, &["HEAD~1..HEAD"], "section-merged");
    let renumbered = [("1 Use", "Read."), ("2 Signals", &format!("{ALARM}\n\n{LAMP}")), ("3 Notes", NOTES)];
    commit(&repo, &renumbered, "Renumber");
    cite(&repo, "§2", "Respell");
    check(&repo, &["HEAD~3..HEAD"], "section-merged");
    check(&repo, &[], "section-merged");
}

/// The pin names a text that is older than the range, so only the spelling where it starts says which section was cited.
#[test]
fn a_citation_that_fix_renumbered_and_pinned_leads_where_it_led() {
    let repo = repo(&[("1 Alarms", ALARM), ("2 Lamp", LAMP), ("3 Notes", NOTES)], "§1");
    let edited = ALARM.replace("30 s", "40 s");
    commit(&repo, &[("1 Alarms", &edited), ("2 Lamp", LAMP), ("3 Notes", NOTES)], "Edit");
    let renumbered = [("1 Use", "Read."), ("2 Alarms", &*edited), ("3 Lamp", LAMP), ("4 Notes", NOTES)];
    repo.write("docs/manual.md", manual(&renumbered));
    assert!(repo.citecheck(["fix"]).stdout.contains("§1 -> §2@c1-"), "{}", repo.read("cases.yaml"));
    repo.git(["add", "--all"]);
    check(&repo, &["--staged"], "");
    repo.commit("Renumber");
    check(&repo, &["HEAD~1..HEAD"], "");
    check(&repo, &["HEAD~2..HEAD"], "text-changed");
    check(&repo, &[], "text-changed");
}

/// A copy that was made before the range took over, whatever the range alone shows; in a large repository, too.
#[test]
fn a_range_that_takes_the_original_of_a_copy_away_tells_what_a_check_tells() {
    for more in [0, 40] {
        for (citation, rule) in [("alarms", "section-moved"), ("§1", "")] {
            let repo = repo(&[("1 Alarms", ALARM), ("2 Notes", NOTES)], citation);
            (0..more).for_each(|file| repo.write(&format!("docs/{file}.md"), "# More\n"));
            commit(&repo, &[("1 Alarms", ALARM), ("2 Signals", ALARM), ("3 Notes", NOTES)], "Copy");
            repo.write("docs/manual.md", manual(&[("1 Signals", ALARM), ("2 Notes", NOTES)]));
            repo.git(["add", "--all"]);
            check(&repo, &["--staged"], rule);
            check(&repo, &[], rule);
            repo.commit("Take the original out");
            check(&repo, &["HEAD~1..HEAD"], rule);
            repo.citecheck(["fix"]);
            check(&repo, &[], "");
            repo.commit("Follow");
            check(&repo, &["HEAD~2..HEAD"], "");
        }
    }
}

/// The last line of a run, in one line.
fn closing(repo: &Repo, arguments: &[&str]) -> String {
    let shown = repo.citecheck([&["check", "--format", "concise"], arguments].concat()).stdout;
    shown.lines().last().unwrap().split(" (").next().unwrap().to_owned()
}

#[test]
fn the_closing_line_agrees_with_what_is_told_above_it() {
    let repo = repo(&[("Alarms", ALARM), ("Notes", NOTES)], "alarms");
    commit(&repo, &[("Alarms", &ALARM.replace("30 s", "40 s")), ("Notes", NOTES)], "Edit");
    repo.commit("Nothing");
    assert_eq!(closing(&repo, &["HEAD~1..HEAD"]), "this range makes no citation stale");
    let report = repo.json(&["check", "HEAD~1..HEAD"]);
    assert_eq!(report["notes"][0], "1 citation was stale before this range; `--all` shows it");
    assert_eq!(report["summary"]["fresh"], 0);
}

#[test]
fn a_section_that_is_cited_by_another_name_than_before_is_not_cited_by_nobody() {
    for (cited, respelled) in [("alarms", "signals"), ("§1", "signals"), ("alarms", "§1")] {
        let repo = repo(&[("1 Alarms", ALARM), ("2 Notes", NOTES)], cited);
        repo.write("docs/manual.md", manual(&[("1 Signals", &ALARM.replace("30 s", "40 s")), ("2 Notes", NOTES)]));
        cite(&repo, respelled, "Rename, edit and respell");
        check(&repo, &["HEAD~1..HEAD"], "text-changed");
        assert_eq!(closing(&repo, &["HEAD~1..HEAD"]), "1 case needs a look");
    }
}

/// Two sections may always have had the same text: that one is gone is told, and the other one named.
#[test]
fn a_section_that_is_gone_did_not_move_to_one_that_always_had_its_text() {
    let repo = repo(&[("1 Left pump", ALARM), ("2 Right pump", ALARM), ("3 Notes", NOTES)], "left-pump");
    commit(&repo, &[("1 Right pump", ALARM), ("2 Notes", NOTES)], "Take the left pump out");
    check(&repo, &["HEAD~1..HEAD"], "section-removed");
    check(&repo, &[], "section-removed");
    let shown = repo.citecheck(["check"]).stdout;
    let help = "help: the same text stands at `docs/manual.md` line 3: cite `right-pump` if that took over";
    assert!(shown.contains(help), "{shown}");
    cite(&repo, "right-pump", "Cite the other one");
    check(&repo, &["HEAD~2..HEAD"], "");
    check(&repo, &[], "");
}

#[test]
fn a_change_that_nobody_reviewed_is_taken_back_without_an_alarm() {
    let with = |limit: &str| [("Alarm", ALARM.replace("30 s", limit)), ("Lamp", LAMP.to_owned())];
    let story = |limits: &[&str]| {
        let repo = repo(&[("Alarm", ALARM), ("Lamp", LAMP)], "alarm");
        for limit in limits {
            let sections = with(limit);
            let sections: Vec<(&str, &str)> = sections.iter().map(|(title, text)| (*title, text.as_str())).collect();
            commit(&repo, &sections, "Change the limit");
        }
        repo
    };
    let reverted = story(&["300 s", "30 s"]);
    check(&reverted, &["HEAD~2..HEAD~1"], "text-changed");
    check(&reverted, &["HEAD~1..HEAD"], "");
    check(&reverted, &["HEAD~1..HEAD", "--all"], "");
    // What was reviewed meanwhile is another text now.
    let reviewed = story(&["300 s"]);
    reviewed.write("cases.yaml", "cases:\n  - id: TC-1\n    cites: [alarm]\n    step: wait 300 s\n");
    reviewed.commit("Review the case");
    let sections = with("30 s");
    commit(&reviewed, &[("Alarm", &sections[0].1), ("Lamp", LAMP)], "Take it back");
    check(&reviewed, &["HEAD~1..HEAD"], "text-changed");
    // Half of the way back is none.
    check(&story(&["300 s", "60 s"]), &["HEAD~1..HEAD"], "text-changed");
}

/// What one file tells alone is another thing where sections of two files changed places.
#[test]
fn a_check_of_a_range_and_its_diff_tell_of_one_change() {
    let (flow, lever) = (
        "The pump shall deliver five litres in every minute of its running time.",
        "The valve is opened by the operator with the red lever near the door.",
    );
    let repo = repo(&[("A", flow), ("D", &format!("Dee {lever}\n\nDee {flow}"))], "d");
    repo.write("docs/notes.md", "# N\n\nNothing.\n");
    repo.commit("Add notes");
    repo.write("docs/manual.md", manual(&[("D", &format!("Dee {lever}")), ("D2", &format!("Dee {flow}"))]));
    repo.write("docs/notes.md", format!("# N\n\nNothing.\n\n## Alpha\n\n{flow}\n"));
    repo.commit("Split, and move");
    let diff = repo.json(&["diff", "HEAD~1..HEAD"]);
    let sections = diff["sections"].as_array().unwrap();
    assert!(sections.iter().any(|it| it["kinds"][0] == "split" && it["cases"][0] == "TC-1"), "{diff}");
    check(&repo, &["HEAD~1..HEAD"], "section-split");
}
