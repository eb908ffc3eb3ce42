//! Cases that were stale before anybody asked: `check` without a range, on histories made by git.

use serde_json::Value;

use crate::support::Repo;

const MANUAL: &str = "# Pump\n\n## Limits\n\nThe pump stops after 30 s without water, and the lamp shows it.\n\n\
    ## Notes\n\nKeep the pump upright and dry, and cover it when it is not in use.\n";

fn pump(cites: &str) -> Repo {
    Repo::with_manual(MANUAL, cites)
}

fn edit_the_notes(repo: &Repo) {
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("upright", "flat"));
    repo.git(["add", "--all"]);
}

fn raise(repo: &Repo) {
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("30 s", "300 s"));
    repo.commit("Raise the limit");
}

fn case(repo: &Repo, cites: &str, step: &str) {
    repo.write("cases.yaml", format!("cases:\n  - id: TC-1\n    cites: [{cites}]\n    step: {step}\n"));
}

/// The findings of a run as `level rule: message`.
#[track_caller]
fn told(repo: &Repo, arguments: &[&str], expected: &[&str]) {
    let json = repo.json(arguments);
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    let line =
        |finding: &Value| format!("{} {}: {}", text(finding, "level"), text(finding, "rule"), text(finding, "message"));
    let lines: Vec<String> = json["findings"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(lines, expected, "{arguments:?}");
}

/// What the text of `Limits` is pinned by. Never to change: users' files are full of such.
const LIMITS: &str = "c1-ebc0de9084b34a47";

const CHANGED: &str = "error text-changed: the text of `Limits` changed in substance: number `30` is now `300`";

#[test]
fn a_case_is_stale_from_the_change_of_its_text_to_the_next_review() {
    let repo = pump("pump/limits");
    told(&repo, &["check"], &[]);
    raise(&repo);
    repo.commit("Something else");
    told(&repo, &["check"], &[CHANGED]);
    told(&repo, &["check", "--rev", "HEAD~1"], &[CHANGED]);
    told(&repo, &["check", "--rev", "HEAD~2"], &[]);
    case(&repo, "pump/limits", "wait 300 s");
    told(&repo, &["check"], &[]);
    repo.commit("Review the case");
    told(&repo, &["check"], &[]);
}

#[test]
fn the_commit_that_changed_the_text_is_named() {
    let repo = pump("pump/limits");
    raise(&repo);
    repo.commit("Something else");
    let findings = repo.json(&["check"])["findings"].clone();
    let since = findings[0]["since"].as_array().unwrap();
    assert_eq!(since.len(), 1, "{findings}");
    assert_eq!(since[0]["subject"], "Raise the limit");
    assert_eq!(findings[0]["impacted"], false);
}

#[test]
fn what_does_not_change_the_case_is_no_review() {
    let repo = pump("pump/limits");
    raise(&repo);
    repo.git(["mv", "cases.yaml", "moved.yaml"]);
    repo.commit("Move the cases");
    repo.write("moved.yaml", "# all cases\ncases:\n  - cites: ['pump/limits'] # the limit\n    \"id\": TC-1\n");
    repo.commit("Lay it out");
    told(&repo, &["check"], &[CHANGED]);
    repo.write("moved.yaml", "cases:\n  - id: TC-1\n    cites: [docs/manual.md#limits]\n");
    repo.commit("Cite the same section by another name");
    told(&repo, &["check"], &[CHANGED]);
    repo.write("moved.yaml", "cases:\n  - id: TC-1\n    cites: [docs/manual.md#limits, pump/notes]\n");
    repo.commit("Cite another section, too");
    told(&repo, &["check"], &[CHANGED]);
    repo.write("moved.yaml", "cases:\n  - id: TC-1\n    cites: [pump/notes]\n");
    repo.commit("Cite the other section only");
    told(&repo, &["check"], &[]);
}

#[test]
fn a_citation_that_was_rewritten_for_a_renamed_section_is_no_review() {
    let repo = pump("pump/limits");
    raise(&repo);
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("## Limits", "## Bounds"));
    repo.commit("Rename the section");
    case(&repo, "pump/bounds", "x");
    repo.write("cases.yaml", "cases:\n  - id: TC-1\n    cites: [pump/bounds]\n");
    repo.commit("Follow the section");
    told(&repo, &["check"], &[CHANGED]);
}

#[test]
fn a_case_of_one_branch_and_a_text_of_the_other_are_stale_together() {
    let repo = pump("pump/limits");
    repo.git(["switch", "--quiet", "-c", "topic"]);
    case(&repo, "pump/limits", "wait 30 s");
    repo.commit("Review the case");
    repo.git(["switch", "--quiet", "main"]);
    raise(&repo);
    repo.git(["merge", "--quiet", "--no-edit", "topic"]);
    told(&repo, &["check"], &[CHANGED]);
}

#[test]
fn what_was_stale_before_the_range_is_one_note() {
    let repo = pump("pump/limits, pump/notes");
    raise(&repo);
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("upright and dry", "upright, dry and warm"));
    repo.commit("Keep it warm");
    let range = ["check", "HEAD~1..HEAD"];
    let out = repo.citecheck(range);
    assert!(out.stdout.contains("1 more citation was stale before this range"), "{}", out.stdout);
    assert!(out.stdout.contains("`Notes`") && !out.stdout.contains("`Limits`"), "{}", out.stdout);
    let all = repo.json(&["check", "HEAD~1..HEAD", "--all"])["findings"].clone();
    let impacted: Vec<bool> = all.as_array().unwrap().iter().map(|it| it["impacted"].as_bool().unwrap()).collect();
    assert_eq!(impacted, [false, true]);
    let staged = repo.citecheck(["check", "--staged"]);
    assert!(!staged.stdout.contains("stale before"), "{}", staged.stdout);
}

#[test]
fn what_a_range_left_as_it_was_is_not_its_doing() {
    let repo = pump("{section: limits, quote: within 3 minutes}, nowhere");
    edit_the_notes(&repo);
    let told = |arguments: &[&str]| {
        let report = repo.json(arguments);
        assert_eq!(report["findings"], serde_json::json!([]), "{arguments:?}");
        report["notes"].clone()
    };
    let notes = serde_json::json!([
        "1 citation was stale before this range; `--all` shows it",
        "1 citation leads nowhere, as before this range; `--all` shows it",
    ]);
    assert_eq!(told(&["check", "--staged"]), notes);
    repo.commit("Edit another section");
    assert_eq!(told(&["check", "HEAD~1..HEAD"]), notes);
}

#[test]
fn what_a_range_does_to_a_section_that_was_renamed_before_is_its_doing() {
    let repo = pump("limits");
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("## Limits", "## Bounds"));
    repo.commit("Rename the limits");
    edit_the_notes(&repo);
    repo.commit("Edit the notes");
    told(&repo, &["check", "HEAD~1..HEAD"], &[]);
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("30 s", "300 s"));
    repo.commit("Raise the limit");
    let moved = "warning section-moved: `Limits` is now `Bounds` at `docs/manual.md` line 3";
    told(&repo, &["check", "HEAD~1..HEAD"], &[moved, CHANGED]);
}

#[test]
fn a_review_in_the_range_counts_from_there() {
    let repo = pump("pump/limits");
    case(&repo, "pump/limits", "wait 30 s");
    repo.commit("Review the case");
    raise(&repo);
    told(&repo, &["check", "HEAD~2..HEAD"], &[CHANGED]);
    case(&repo, "pump/limits", "wait 300 s");
    repo.commit("Review it again");
    told(&repo, &["check", "HEAD~3..HEAD"], &[]);
}

/// The subjects of the commits that each finding names, behind its rule.
fn blamed(repo: &Repo, arguments: &[&str]) -> Vec<String> {
    let report = repo.json(arguments);
    let subjects = |finding: &Value| {
        let since = finding["since"].as_array().unwrap().iter();
        since.map(|commit| commit["subject"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(", ")
    };
    let line = |finding: &Value| format!("{}: {}", finding["rule"].as_str().unwrap(), subjects(finding));
    report["findings"].as_array().unwrap().iter().map(line).collect()
}

/// Takes `Limits` to a file of its own.
fn move_the_limits(repo: &Repo, file: &str) {
    let text = repo.read("docs/manual.md");
    let (start, end) = (text.find("## Limits").unwrap(), text.find("## Notes").unwrap());
    repo.write(&format!("docs/{file}"), format!("# Bounds\n\nWhat is allowed.\n\n{}", &text[start..end]));
    repo.write("docs/manual.md", format!("{}{}", &text[..start], &text[end..]));
    repo.commit("Move the limits");
}

#[test]
fn the_commit_that_removed_a_section_is_named_and_not_one_that_moved_it_before() {
    let repo = pump(&format!("limits, limits@{LIMITS}"));
    move_the_limits(&repo, "limits.md");
    edit_the_notes(&repo);
    repo.commit("Edit the notes");
    repo.git(["mv", "docs/limits.md", "docs/bounds.md"]);
    repo.commit("Rename the file");
    repo.write("docs/bounds.md", "# Bounds\n\nWhat is allowed.\n");
    repo.git(["add", "--all"]);
    let nobody = ["section-removed: "; 2];
    assert_eq!(blamed(&repo, &["check"]), nobody, "what is not committed has no commit");
    repo.commit("Drop the limits");
    let told = ["section-removed: Drop the limits"; 2];
    for arguments in [&["check"][..], &["check", "HEAD~1..HEAD"], &["check", "HEAD~4..HEAD"]] {
        assert_eq!(blamed(&repo, arguments), told, "{arguments:?}");
    }
}

#[test]
fn the_commit_that_changed_a_text_on_its_way_is_named_and_not_those_that_moved_it() {
    let repo = pump("limits");
    move_the_limits(&repo, "limits.md");
    assert_eq!(blamed(&repo, &["check", "--config=rules.section-moved=note"]), [""; 0], "it is found by its name");
    repo.write("docs/limits.md", repo.read("docs/limits.md").replace("30 s", "300 s"));
    repo.commit("Raise the limit");
    repo.git(["mv", "docs/limits.md", "docs/bounds.md"]);
    repo.commit("Rename the file");
    for arguments in [&["check"][..], &["check", "HEAD~3..HEAD"]] {
        assert_eq!(blamed(&repo, arguments), ["text-changed: Raise the limit"], "{arguments:?}");
    }
    // A citation that is lost by the moves alone has no other commits to name.
    let repo = pump("docs/manual.md#limits");
    move_the_limits(&repo, "limits.md");
    assert_eq!(blamed(&repo, &["check"]), ["section-moved: Move the limits"]);
}

#[test]
fn a_range_follows_a_section_commit_by_commit_where_its_ends_have_little_in_common() {
    let repo = pump("limits");
    let rewrite = |before: &str, after: &str, subject: &str| {
        repo.write("docs/manual.md", repo.read("docs/manual.md").replace(before, after));
        repo.commit(subject);
    };
    rewrite("## Limits", "## When it stops", "Rename");
    rewrite("The pump stops after 30 s", "Our machine is off 30 s later if it runs", "Reword the start");
    rewrite("without water, and the lamp shows it", "dry, as a red light tells whoever stands by", "Reword the end");
    let moved = "warning section-moved: `Limits` is now `When it stops` at `docs/manual.md` line 3";
    for arguments in [&["check"][..], &["check", "HEAD~3..HEAD"]] {
        let found = repo.json(arguments);
        let findings = found["findings"].as_array().unwrap();
        let rules: Vec<&str> = findings.iter().map(|finding| finding["rule"].as_str().unwrap()).collect();
        assert_eq!(rules, ["section-moved", "text-changed"], "{arguments:?}");
        assert_eq!(format!("warning section-moved: {}", findings[0]["message"].as_str().unwrap()), moved);
    }
    // What is compared directly has no way in between.
    let diff = repo.json(&["diff", "HEAD~3..HEAD"]);
    assert!(diff["sections"].as_array().unwrap().iter().any(|it| it["kinds"][0] == "removed"), "{diff}");
}

#[test]
fn what_a_range_does_to_a_pinned_case_is_told_whatever_the_pin_says() {
    // `fix` pins the text that was reviewed: under its new name no section had it before.
    let repo = pump("limits");
    let halt = repo.read("docs/manual.md").replace("## Limits", "## Halt").replace("30 s", "300 s");
    repo.write("docs/manual.md", halt);
    assert_eq!(repo.citecheck(["fix"]).code, 0);
    assert!(repo.read("cases.yaml").contains(&format!("halt@{LIMITS}")), "{}", repo.read("cases.yaml"));
    repo.git(["add", "--all"]);
    told(&repo, &["check", "--staged"], &[CHANGED]);
    repo.commit("Rename the limits and raise them");
    told(&repo, &["check", "HEAD~1..HEAD"], &[CHANGED]);
    // A case that was stale before is made so again by every further change, and by nothing else.
    let repo = pump(&format!("limits@{LIMITS}"));
    raise(&repo);
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("300 s", "400 s"));
    repo.git(["add", "--all"]);
    let again = CHANGED.replace("300", "400").replace("`30`", "`300`");
    told(&repo, &["check", "--staged"], &[&again]);
    repo.commit("Raise it more");
    told(&repo, &["check", "HEAD~1..HEAD"], &[&again]);
    edit_the_notes(&repo);
    told(&repo, &["check", "--staged"], &[]);
}

#[test]
fn quoted_words_that_a_split_took_elsewhere_are_told() {
    let manual = "# M\n\n## Press\n\nPut the sheet in and push the pedal.\n\nThe force is 820 kN at the most.\n";
    for (quote, expected) in [("The force is 820 kN", 1), ("push the pedal", 0)] {
        let repo = Repo::with_manual(manual, &format!("{{section: press, quote: {quote}}}"));
        repo.write("docs/manual.md", manual.replace("The force", "## Force\n\nThe force"));
        repo.commit("Give the force a heading");
        let split = ["warning section-split: `Press` was split into 2 sections"];
        for arguments in [&["check"][..], &["check", "HEAD~1..HEAD"]] {
            told(&repo, arguments, &split[..expected]);
        }
    }
}

#[test]
fn another_spelling_of_the_same_words_is_shown() {
    let repo = Repo::with_manual(&MANUAL.replace("30 s", "5 %"), "limits");
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("5 %", "5%"));
    repo.commit("Close a gap");
    let diff = repo.citecheck(["diff", "HEAD~1..HEAD"]).stdout;
    assert!(diff.contains("[-5 %-]{+5%+}"), "{diff}");
}

#[test]
fn a_section_that_is_gone_is_told_before_words_or_texts_of_it_are() {
    let pinned = format!("limits@{LIMITS}");
    for cites in ["{section: limits, quote: after 30 s}", pinned.as_str()] {
        let repo = pump(cites);
        let notes = MANUAL.split_once("## Notes").unwrap().1;
        repo.write("docs/manual.md", format!("# Pump\n\n## Notes{notes}"));
        repo.commit("Drop the limits");
        let removed = "error section-removed: `Limits` was removed from `docs/manual.md`";
        told(&repo, &["check"], &[removed]);
        told(&repo, &["check", "HEAD~1..HEAD"], &[removed]);
        assert_eq!(blamed(&repo, &["check"]), ["section-removed: Drop the limits"]);
        let page = repo.citecheck(["check"]).stdout;
        let note = "the words that `TC-1` quotes went with it: `after 30 s`";
        assert_eq!(page.contains(note), cites.contains("quote"), "{page}");
        let refused = repo.citecheck(["accept", "TC-1"]);
        let said = format!("{}{}", refused.stdout, refused.stderr);
        assert!(said.contains("it leads to no section: cite another one"), "{said}");
    }
}

#[test]
fn words_that_are_gone_from_a_section_that_was_split_are_told_with_the_split() {
    let halves = |at: usize| (0..40).map(|word| format!("word{at}{word} ")).collect::<String>();
    let whole = format!("# Pump\n\n## Limits\n\n{}\n\nIt stops after 30 s.\n\n{}\n", halves(1), halves(2));
    let repo = Repo::with_manual(&whole, "{section: limits, quote: after 30 s}");
    repo.write("docs/manual.md", format!("# Pump\n\n## Times\n\n{}\n\n## Bounds\n\n{}\n", halves(1), halves(2)));
    repo.commit("Split the limits");
    told(&repo, &["check"], &["error quote-missing: the cited text no longer contains `after 30 s`"]);
    let page = repo.citecheck(["check"]).stdout;
    assert!(page.contains("note: `Limits` was split into 2 sections"), "{page}");
}

/// A text of sixty words, of which some are others.
fn words(step: usize) -> String {
    (0..60).map(|at| if at < step * 6 { format!("later{at} ") } else { format!("first{at} ") }).collect()
}

fn chapters(title: &str, text: &str) -> String {
    let filler: String = (0..40).map(|at| format!("filler{at} ")).collect();
    format!("# Manual\n\n## Start\n\n{filler}\n\n## {title}\n\n{text}\n")
}

#[test]
fn a_section_is_followed_through_steps_of_which_nothing_direct_is_left() {
    let repo = Repo::with_manual(&chapters("Limits", &words(0)), "manual/limits");
    for step in 1..=10 {
        let title = ["Limits", "Bounds", "Borders"][step / 4];
        let (path, other) =
            if step > 5 { ("docs/other.md", "docs/manual.md") } else { ("docs/manual.md", "docs/other.md") };
        repo.write(other, chapters("Nothing", "Nothing at all stands here."));
        repo.write(path, chapters(title, &words(step)));
        repo.commit("Next step");
    }
    let findings = repo.json(&["check"])["findings"].clone();
    let rules: Vec<&str> = findings.as_array().unwrap().iter().map(|it| it["rule"].as_str().unwrap()).collect();
    assert_eq!(rules, ["section-moved", "text-changed"], "{findings}");
    assert_eq!(findings[1]["section"]["after"]["title"], "Borders");
    assert_eq!(findings[1]["section"]["after"]["file"], "docs/other.md");
}

#[test]
fn a_section_that_is_lost_on_the_way_is_told_with_what_it_may_be_now() {
    let said = [
        "The pump shall deliver five litres in every minute of its running time.",
        "The operator opens the valve with the red lever near the door at noon.",
        "A lamp is lit while the heater is on and the plate is warm or hot.",
    ];
    let says = [
        "Staff write the date of each change in the log book of the device.",
        "The alarm sounds for thirty seconds when the door stays open.",
        "Each hose is checked for leaks before the first use of the day.",
    ];
    let manual = |step: usize| {
        let text: Vec<&str> = says[..step].iter().chain(&said[step..]).copied().collect();
        format!("# Pump\n\n## Step {}\n\n{}\n", ["one", "two", "three", "four"][step], text.join("\n\n"))
    };
    let repo = Repo::with_manual(&manual(0), "step-one");
    for step in 1..=3 {
        repo.write("docs/manual.md", manual(step));
        repo.commit("Replace a sentence and the title");
    }
    let lost = "error section-lost: lost track of `Step one`";
    told(&repo, &["check"], &[lost]);
    told(&repo, &["check", "HEAD~3..HEAD"], &[lost]);
    let human = repo.citecheck(["check"]).stdout;
    assert!(human.contains("it may have become") && human.contains("if it is that one, cite `step-four`"), "{human}");
}

#[test]
fn a_number_that_now_belongs_to_another_section_is_an_error_with_a_fix() {
    let numbered = "# Pump\n\n## 1 Limits\n\nThe pump stops after 30 s without water.\n\n## 2 Notes\n\nKeep it dry.\n";
    let repo = Repo::with_manual(numbered, "§2");
    let shifted = numbered.replace("## 2 Notes", "## 2 Alarms\n\nThe lamp is lit.\n\n## 3 Notes");
    repo.write("docs/manual.md", shifted);
    repo.commit("Add alarms");
    repo.commit("Something else");
    told(&repo, &["check"], &["error section-moved: `§2` now leads to `2 Alarms`, not to `2 Notes`"]);
    assert!(repo.json(&["check"])["findings"][0]["fix"].is_object());
}

#[test]
fn a_pin_to_a_revision_is_the_review_point() {
    let repo = pump("pump/limits@v1");
    repo.git(["tag", "v1"]);
    raise(&repo);
    told(&repo, &["check"], &[CHANGED]);
    case(&repo, "pump/limits@v1", "wait 300 s");
    repo.commit("A pin outlives a changed case");
    told(&repo, &["check"], &[CHANGED]);
    case(&repo, "pump/limits@main", "wait 300 s");
    told(&repo, &["check"], &[]);
    case(&repo, "pump/limits@v9", "wait 300 s");
    told(&repo, &["check"], &["error unknown-revision: unknown revision `v9`"]);
}

#[test]
fn a_fingerprint_tells_fresh_from_changed_and_finds_what_it_was_taken_from() {
    let repo = pump("pump/limits");
    case(&repo, &format!("pump/limits@{LIMITS}"), "x");
    repo.commit("Pin it");
    told(&repo, &["check"], &[]);
    raise(&repo);
    case(&repo, &format!("pump/limits@{LIMITS}"), "y");
    repo.commit("A changed case keeps its pin");
    told(&repo, &["check"], &[CHANGED]);
    case(&repo, "pump/limits@c1-0123456789abcdef", "y");
    told(&repo, &["check"], &["error text-changed: the text of `Limits` is not the one that was reviewed"]);
    let both = format!("pump/limits@{LIMITS}");
    case(&repo, &both, "y");
    repo.write("docs/manual.md", MANUAL.replace("## Limits", "## Bounds"));
    repo.commit("Rename");
    let pinned = "`pump/limits` leads nowhere, but is pinned to a text of `Bounds` at `docs/manual.md` line 3";
    told(&repo, &["check"], &[&format!("warning section-moved: {pinned}")]);
}

#[test]
fn a_shallow_clone_is_never_silently_fresh() {
    let repo = pump("pump/limits");
    repo.commit("Something else");
    let clone = Repo::bare_folder();
    let url = format!("file://{}", repo.path().display());
    clone.git(["clone", "--quiet", "--depth=1", &url, "."]);
    told(
        &clone,
        &["check"],
        &["error history-missing: the history that tells when this citation was reviewed is not in the clone"],
    );
    let out = clone.citecheck(["check"]);
    assert!(out.stdout.contains("fetch-depth: 0"), "{}", out.stdout);
    case(&clone, &format!("pump/limits@{LIMITS}"), "x");
    told(&clone, &["check"], &[]);
    clone.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    clone.commit("Raise the limit");
    told(&clone, &["check"], &[CHANGED]);
}

#[test]
fn a_citation_that_leads_nowhere_tells_whether_it_ever_led_somewhere() {
    let repo = pump("pump/notes");
    repo.write("docs/manual.md", MANUAL.replace("## Limits", "## Bounds"));
    repo.commit("Rename the section");
    case(&repo, "pump/limits, pump/lamps", "x");
    repo.commit("Cite what is gone and what never was");
    let text = repo.citecheck(["check"]).stdout;
    assert!(text.contains("it led to `Limits` until") && text.contains("\"Rename the section\""), "{text}");
    assert!(text.contains("cite `pump/bounds`"), "{text}");
    assert!(text.contains("no revision in the history of the manual had such a section"), "{text}");
}

#[test]
fn a_name_that_another_section_took_over_is_told() {
    let repo = pump("docs/manual.md#limits");
    let other = "# Pump\n\n## Notes\n\nKeep the pump upright and dry, and cover it when it is not in use.\n\n\
        # Delivery\n\n### Limits\n\nCarriers take parcels of twenty kilograms, boxed and strapped on a pallet.\n";
    repo.write("docs/manual.md", other);
    repo.commit("Take out the limits");
    let told = repo.citecheck(["check"]);
    assert_eq!(told.code, 1);
    let expected = [
        "error[section-removed]: `Limits` was removed from `docs/manual.md`",
        "note: `docs/manual.md#limits` now leads to another section, `Limits` at `docs/manual.md` line",
    ];
    expected.iter().for_each(|line| assert!(told.stdout.contains(line), "{}", told.stdout));
}

#[test]
fn another_id_of_a_section_is_nothing_to_who_cites_the_file() {
    let repo = Repo::with_manual(&MANUAL.replace("## Limits", "## Limits {#limits}"), "docs/manual.md");
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("{#limits}", "{#pump-limits}"));
    repo.commit("Give it another id");
    told(&repo, &["check"], &[]);
    repo.write("docs/manual.md", repo.read("docs/manual.md").replace("## Limits", "## Bounds"));
    repo.commit("Give it another title");
    told(
        &repo,
        &["check"],
        &["warning text-reworded: the text of `docs/manual.md` was reworded: section `Limits` is now `Bounds`"],
    );
}

#[test]
fn signals_without_a_value_before_say_what_happened() {
    let repo = Repo::with_manual(
        "# Pump\n\n## Start\n\n1. Open the lid.\n2. Fill the tank.\n\n## Looks\n\nIt is grey.\n",
        "pump",
    );
    repo.write(
        "docs/manual.md",
        "# Pump\n\n## Start\n\n1. Fill the tank.\n2. Open the lid.\n\n## Looks\n\nIt is grey.\n\nThe lid has a blue rim.\n",
    );
    repo.commit("Fill first, and tell of the rim");
    let told = repo.citecheck(["check", "HEAD~1.."]).stdout + &repo.citecheck(["diff", "HEAD~1.."]).stdout;
    assert!(told.contains("step `Fill the tank.` stands elsewhere"), "{told}");
    assert!(told.contains("order Fill the tank. stands elsewhere"), "{told}");
    assert!(told.contains("% of the words changed"), "{told}");
    assert!(!told.contains("words added"), "{told}");
}

#[test]
fn a_case_that_cites_a_section_again_and_again_has_one_block_for_it() {
    let manual = "# Pump\n\n## 1 Limits\n\nIt stops within 30 s.\n\n## 2 Alarms\n\nThe horn of the pump sounds.\n";
    let repo = Repo::with_manual(manual, "§2, §2, docs/manual.md#2-alarms, §2");
    repo.write("docs/manual.md", manual.replace("## 2", "## 3").replace("## 1", "## 1 Use\n\nRead.\n\n## 2"));
    let shown = repo.citecheck(["check"]).stdout;
    assert_eq!(shown.matches("error[section-moved]").count(), 1, "{shown}");
    assert!(shown.contains("note: also cited by TC-1 (cases.yaml:3:17), TC-1 (cases.yaml:3:46)"), "{shown}");
    // Another spelling has another replacement.
    assert_eq!(shown.matches("warning[section-moved]").count(), 1, "{shown}");
    assert!(shown.contains("4 citations can be remapped"), "{shown}");
}

#[test]
fn a_subsection_that_came_or_went_is_named() {
    const ALARMS: &str = "# Pump\n\n## Alarms\n\nThe alarm sounds for 30 s when a door is open.\n";
    const NOTES: &str = "\n## Notes\n\nKeep it dry in transport, and out of the sun while it is stored.\n";
    const LAMP: &str = "\n### Lamp\n\nThe lamp of the pump is lit as soon as somebody presses the button.\n";
    const HORN: &str = "\n### Horn\n\nThe horn of the pump shall sound at 80 dB until somebody presses the button.\n";
    let check = |cited: &str, [before, after]: [&[&str]; 2], expected: &str| {
        let repo = Repo::with_manual(&before.concat(), cited);
        repo.write("docs/manual.md", after.concat());
        let report = repo.json(&["check"]);
        assert_eq!(report["findings"][0]["message"], expected, "{after:?}");
    };
    let substance = |reason: &str| format!("the text of `Alarms` changed in substance: {reason}");
    check("alarms", [&[ALARMS, LAMP], &[ALARMS]], &substance("subsection `Lamp` removed"));
    check("alarms", [&[ALARMS, NOTES], &[ALARMS, HORN, NOTES]], &substance("subsection `Horn` added"));
    check("alarms", [&[ALARMS, LAMP, NOTES], &[ALARMS, NOTES, LAMP]], &substance("subsection `Lamp` moved away"));
    check("alarms", [&[ALARMS, NOTES, LAMP], &[ALARMS, LAMP, NOTES]], &substance("subsection `Lamp` moved here"));
    let edited = ALARMS.replace("30 s", "40 s");
    check("alarms", [&[ALARMS, LAMP], &[&edited]], &substance("number `30` is now `40`"));
    let light = LAMP.replace("### Lamp", "### Light");
    let reworded = "the text of `Alarms` was reworded: subsection `Lamp` is now `Light`";
    check("alarms", [&[ALARMS, LAMP], &[ALARMS, &light]], reworded);
    let whole = "the text of `docs/manual.md` changed in substance: section `Horn` added";
    check("docs/manual.md", [&[ALARMS], &[ALARMS, HORN]], whole);
}
