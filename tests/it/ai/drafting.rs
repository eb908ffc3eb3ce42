//! `draft`: cases that say that they are drafts, and nothing where no answer is valid.

use serde_json::{Value, json};

use super::Bench;

fn drafts(cites: &[&str]) -> String {
    let case =
        |cite: &&str| json!({"title": "Stops", "trigger": "Press stop.", "expected": "It stops.", "cites": [cite]});
    json!({"cases": cites.iter().map(case).collect::<Vec<_>>()}).to_string()
}

#[test]
fn drafts_are_cases_that_say_so_and_where_they_came_from() {
    let answer = drafts(&["limits", "limits", "limits"]);
    let bench = Bench::new(&[&answer]);
    let out = bench.run(&["draft", "pump/limits", "--output", "drafts.yaml"]);
    assert!(out.code == 0 && out.stdout.is_empty() && out.stderr.is_empty(), "{out:?}");
    let text = bench.repo.read("drafts.yaml");
    let file: Value = serde_yaml::from_str(&text).unwrap();
    let provenance = &file["provenance"];
    assert_eq!(
        (&provenance["model"], &provenance["prompt"], &provenance["schema"]),
        (&json!("small"), &json!(1), &json!(1))
    );
    assert_eq!(provenance["revision"], "worktree");
    assert!(provenance["time"].as_str().unwrap().ends_with('Z'));
    let section = &provenance["sections"][0];
    assert_eq!((&section["section"], &section["place"]), (&json!("limits"), &json!("docs/manual.md:3")));
    assert!(section["fingerprint"].as_str().unwrap().starts_with("c1-"), "{section}");
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 3);
    for (nth, case) in cases.iter().enumerate() {
        assert_eq!((&case["status"], &case["cites"]), (&json!("draft"), &json!(["limits"])));
        assert!(case["id"].as_str().unwrap().ends_with(&format!("-{}", nth + 1)), "{case}");
        assert_eq!((&case["trigger"], &case["expected"]), (&json!("Press stop."), &json!("It stops.")));
    }
    // They are cases at once, and cite what is there.
    let check = bench.repo.json(&["check", "drafts.yaml"]);
    assert_eq!((&check["findings"], &check["summary"]["cases"]), (&json!([]), &json!(4)), "{check}");
    let again = bench.run(&["draft", "pump/limits"]);
    assert_eq!((again.stdout.as_str(), bench.asked().len()), (text.as_str(), 1), "the same, and nobody was asked");
    bench.script(&[&drafts(&["limits"; 5])]);
    let forced = bench.run(&["draft", "pump/limits", "--force"]);
    assert_eq!((forced.stdout.matches("status: draft").count(), bench.asked().len()), (5, 2));
    assert_eq!(bench.run(&["draft", "pump/limits"]).stdout, forced.stdout);
    bench.script(&[&answer]);
    let committed = bench.run(&["draft", "pump/limits", "--rev", "HEAD~1"]);
    let id = bench.repo.git(["rev-parse", "HEAD~1"]);
    assert!(
        committed.stdout.contains(&format!("revision: \"{}\"", id.trim())),
        "other text, other drafts: {committed:?}"
    );
}

#[test]
fn an_existing_file_is_replaced_only_on_request() {
    let bench = Bench::new(&[&drafts(&["limits"; 3])]);
    bench.repo.write("drafts.yaml", "mine");
    let out = bench.run(&["draft", "limits", "--output", "drafts.yaml"]);
    assert!(
        out.code == 2 && out.stderr.contains("`drafts.yaml` exists") && out.stderr.contains("--overwrite"),
        "{out:?}"
    );
    assert_eq!((bench.repo.read("drafts.yaml").as_str(), bench.asked().len()), ("mine", 0), "and nobody was asked");
    assert_eq!(bench.run(&["draft", "limits", "--output", "drafts.yaml", "--overwrite"]).code, 0);
    assert!(bench.repo.read("drafts.yaml").contains("status: draft"));
}

#[test]
fn drafts_cite_what_was_asked_for() {
    let bench = Bench::new(&[&drafts(&["limits", "alarms", "limits"]), &drafts(&["limits"; 3])]);
    let out = bench.run(&["draft", "limits"]);
    assert!(out.code == 0 && !out.stdout.contains("alarms"), "{out:?}");
    let asked = bench.asked();
    let correction = asked[1]["messages"][3]["content"].as_str().unwrap();
    assert!(correction.contains("`alarms`, which is none of the sections"), "{correction}");
    // A section comes with those below it, each once.
    let bench = Bench::new(&[&drafts(&["alarms", "limits", "pump"])]);
    let out = bench.run(&["draft", "pump", "limits"]);
    assert_eq!(out.code, 0, "{out:?}");
    let data: Value = serde_json::from_str(bench.asked()[0]["messages"][1]["content"].as_str().unwrap()).unwrap();
    let cites: Vec<&Value> = data["sections"].as_array().unwrap().iter().map(|section| &section["cite"]).collect();
    assert_eq!(cites, ["pump", "limits", "alarms"]);
}

#[test]
fn nothing_is_made_up_where_no_answer_is_valid() {
    let two = drafts(&["limits"; 2]);
    let reviewed = drafts(&["limits"; 3]).replace("\"title\"", "\"status\":\"reviewed\",\"title\"");
    let bench = Bench::new(&[&two, &reviewed]);
    let out = bench.run(&["draft", "limits", "--output", "drafts.yaml"]);
    assert!(out.code == 2 && out.stdout.is_empty(), "{out:?}");
    assert!(out.stderr.contains("2 entries, not 3 to 5; then: unknown field `status`"), "{}", out.stderr);
    assert!(!bench.repo.path().join("drafts.yaml").exists());
    let [(path, record)] = &bench.kept("draft")[..] else { panic!("both answers are kept") };
    assert!(out.stderr.contains(path.file_name().unwrap().to_str().unwrap()), "{}", out.stderr);
    assert_eq!((&record["attempts"][0]["answer"], &record["attempts"][1]["answer"]), (&json!(two), &json!(reviewed)));
    let refused = bench.run(&["draft", "limits"]);
    assert!(refused.code == 2 && refused.stderr.contains("refuses the request: the script is through"), "{refused:?}");
}

#[test]
fn hostile_drafts_stay_values() {
    let text = "x\"\n    status: reviewed\ncases: []\n# \u{1b}[2J\u{202e}\u{2028}\r::error::y ##[z";
    let case = json!({"title": text, "trigger": text, "expected": text, "cites": ["limits"]});
    let bench = Bench::new(&[&json!({"cases": [case, case, case]}).to_string()]);
    let out = bench.run(&["draft", "limits"]);
    assert_eq!(out.code, 0, "{out:?}");
    assert!(!out.stdout.contains(['\u{1b}', '\u{202e}', '\u{2028}', '\r']), "{}", out.stdout);
    assert!(!out.stdout.lines().any(|line| line.trim_start().starts_with("::")), "{}", out.stdout);
    let file: Value = serde_yaml::from_str(&out.stdout).unwrap();
    for case in file["cases"].as_array().unwrap() {
        assert_eq!(
            (&case["status"], &case["title"], case.as_object().unwrap().len()),
            (&json!("draft"), &json!(text), 6)
        );
    }
}

#[test]
fn a_draft_can_be_looked_at_before_it_is_asked_for() {
    let bench = Bench::new(&[&drafts(&["limits"; 3])]);
    let out = bench.run(&["draft", "limits", "--dry-run"]);
    assert!(out.code == 0 && bench.asked().is_empty(), "{out:?}");
    bench.run(&["draft", "limits"]);
    assert_eq!(serde_json::from_str::<Value>(out.stdout.lines().nth(1).unwrap()).unwrap(), bench.asked()[0]);
    assert_eq!(bench.run(&["draft", "limits", "--dry-run"]).stdout, "nothing would be sent\n");
}

#[test]
fn a_section_to_draft_for_has_to_be_one() {
    let bench = Bench::new(&[]);
    let fails = |section: &str, words: &[&str]| {
        let out = bench.run(&["draft", section]);
        assert!(out.code == 2 && words.iter().all(|word| out.stderr.contains(word)), "{words:?}: {out:?}");
    };
    fails("limitz", &["`limitz` names no section", "similar ones are `limits`"]);
    bench.repo.write("docs/other.md", "# Fan\n\n## Limits\n\nNone.\n");
    fails("limits", &["`limits` names several sections", "one of "]);
    bench.repo.write("docs/other.md", format!("# Long\n\n{}\n", "It hums. ".repeat(8_000)));
    fails("long", &["more than the 60000", "name fewer or smaller sections"]);
    bench.repo.write("docs/other.md", "");
    fails("docs/other.md", &["is an empty file"]);
    assert!(bench.asked().is_empty());
}
