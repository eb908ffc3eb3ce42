//! `coverage --classify`: the category of a case that names none, as a model says, marked as that, and written only where
//! that is asked for.

use std::fs;
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use super::{Bench, chat, config};
use crate::server::{Asked, Reply, Server};

/// A repository whose model answers by what stands in the case.
fn bench(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Bench {
    let reply = move |asked: &Asked| chat(&answer(case_of(asked).as_str()));
    Bench::served(Server::start(reply), Arc::default())
}

/// The case that a request asks about.
fn case_of(asked: &Asked) -> String {
    let data: Value = serde_json::from_str(asked.json()["messages"][1]["content"].as_str().unwrap()).unwrap();
    data["case"].as_str().unwrap().to_owned()
}

fn category(name: &str) -> String {
    json!({ "category": name }).to_string()
}

/// Alarms for what cites alarms, nothing for what says `vague`, else usability.
fn sorted(case: &str) -> String {
    category(match (case.contains("vague"), case.contains("pump/alarms")) {
        (true, _) => "unclassified",
        (false, true) => "alarms",
        (false, false) => "usability",
    })
}

const CASES: &str = "\
- id: TC-1
  cites: [pump/alarms]
- id: TC-2
  cites: [pump/limits]
  category: risk management
- id: TC-3
  cites: [pump/limits]
  category: pressure
- id: TC-4
  cites: [pump/limits]
  expected: something vague
";

fn categories(report: &Value) -> Vec<(&str, bool)> {
    let cases = report["cases"].as_array().unwrap().iter();
    cases.map(|it| (it["category"].as_str().unwrap(), it["category_by_model"].as_bool().unwrap())).collect()
}

/// The report of a run with further arguments.
#[track_caller]
fn report(bench: &Bench, arguments: &[&str]) -> Value {
    let out = bench.run(&[&["coverage", "--classify", "--format", "json"], arguments].concat());
    assert_eq!(out.code, 0, "{out:?}");
    serde_json::from_str(&out.stdout).unwrap()
}

#[test]
fn missing_categories_are_counted_as_the_model_says_and_marked() {
    let bench = bench(sorted);
    bench.repo.write("cases.yaml", CASES);
    let expected = [("alarms", true), ("risk management", false), ("unclassified", false), ("unclassified", false)];
    let before = report(&bench, &[]);
    assert_eq!(categories(&before), expected);
    assert_eq!(bench.asked().len(), 2, "only those without a category are asked about");
    assert_eq!(before["summary"]["cases"]["by_model"], 1);
    let alarms = before["categories"].as_array().unwrap().iter().find(|it| it["name"] == "alarms").unwrap();
    assert_eq!((&alarms["cases"]["total"], &alarms["cases"]["by_model"]), (&json!(1), &json!(1)));
    let note = "the model `small` gave 1 of 2 cases without a category one, marked `by model`";
    assert!(before["notes"].to_string().contains(note), "{}", before["notes"]);
    let shown = |format: &str| bench.run(&["coverage", "--classify", "--format", format]).stdout;
    assert!(shown("human").contains("lead nowhere  by model\n"), "{}", shown("human"));
    assert!(shown("markdown").contains("| lead nowhere | by model |\n|---|--:|--:|--:|--:|--:|\n"));
    assert!(shown("markdown").contains("| <code>alarms</code> | 1 | 0 | 0 | 0 | 1 |"), "{}", shown("markdown"));
    assert!(shown("html").contains("<span class=\"tag\">alarms</span> <span class=\"tag\">by model</span>"));
    for format in ["csv", "csv-by-case"] {
        let csv = shown(format);
        let marked = |id: &str, mark: &str| {
            let row = csv.lines().find(|row| row.contains(id)).unwrap();
            assert!(row.ends_with(&format!("\"{mark}\"")), "{row}");
        };
        marked("category_by_model", "category_by_model");
        [("TC-1", "yes"), ("TC-2", "no"), ("TC-4", "no")].iter().for_each(|(id, mark)| marked(id, mark));
    }
    // Kept answers serve again, and nothing was written.
    assert_eq!(bench.asked().len(), 2);
    assert_eq!(bench.kept("classify").len(), 2);
    assert_eq!(bench.repo.read("cases.yaml"), CASES);
    let plain = bench.repo.json(&["coverage"]);
    assert_eq!((categories(&plain)[0], &plain["summary"]["cases"]["by_model"]), (("unclassified", false), &json!(0)));
    assert!(!bench.run(&["coverage"]).stdout.contains("by model"));
}

#[test]
fn what_is_no_clear_answer_leaves_a_case_unclassified() {
    for answer in [
        "alarms".to_owned(),
        category("root"),
        category("ALARMS\u{1b}[2J"),
        r#"{"category":"alarms","level":"off"}"#.to_owned(),
        r#"["alarms"]"#.to_owned(),
    ] {
        let told = answer.clone();
        let bench = bench(move |_| told.clone());
        bench.repo.write("cases.yaml", "- id: TC-1\n  cites: [pump/alarms]\n");
        let report = report(&bench, &["--write"]);
        assert_eq!(categories(&report), [("unclassified", false)], "{answer}");
        assert_eq!(bench.asked().len(), 2, "one correction");
        assert_eq!(bench.kept("classify").len(), 1, "what did not count can be looked at");
        assert_eq!(bench.repo.read("cases.yaml"), "- id: TC-1\n  cites: [pump/alarms]\n");
        assert!(!report["notes"].to_string().contains('\u{1b}'));
    }
}

#[test]
fn a_dry_run_shows_the_questions_and_sends_nothing() {
    let bench = bench(sorted);
    bench.repo.write("citecheck.yaml", config(&bench.server, ", api-key-env: NO_SUCH_KEY"));
    bench.repo.write("cases.yaml", CASES);
    let out = bench.run(&["coverage", "--classify", "--dry-run"]);
    assert_eq!((out.code, out.stdout.matches("POST http://127.0.0.1:").count()), (0, 2), "{out:?}");
    assert!(out.stdout.contains("TC-1") && out.stdout.contains("TC-4") && !out.stdout.contains("TC-3"), "{out:?}");
    let out = bench.run(&["coverage", "--classify"]);
    assert!(out.code == 2 && out.stderr.contains("there is no key: `NO_SUCH_KEY` is not set"), "{out:?}");
    assert!(bench.asked().is_empty());
    bench.repo.write("citecheck.yaml", config(&bench.server, ""));
    report(&bench, &[]);
    let out = bench.run(&["coverage", "--classify", "--dry-run"]);
    assert_eq!((out.code, out.stdout.as_str()), (0, "nothing would be sent\n"), "all is known");
}

#[test]
fn cases_that_read_the_same_are_asked_about_once() {
    let bench = bench(sorted);
    bench.repo.write("cases.yaml", "A: {cites: pump/alarms}\nB: {cites: pump/alarms}\nC: {cites: pump/limits}\n");
    let found = report(&bench, &[]);
    assert_eq!(categories(&found), [("alarms", true), ("alarms", true), ("usability", true)]);
    assert_eq!(bench.asked().len(), 2);
}

#[test]
fn a_failing_server_leaves_the_rest_unclassified_and_is_told() {
    let server = Server::start(|_| Reply::new(401, json!({"error": {"message": "no such key"}})));
    let bench = Bench::served(server, Arc::default());
    let report = report(&bench, &["--write"]);
    assert_eq!(categories(&report), [("unclassified", false)]);
    let notes = report["notes"].to_string();
    for note in ["gave 0 of 1 cases", "does not accept the key: no such key", "no category was written"] {
        assert!(notes.contains(note), "{note}: {notes}");
    }
}

#[test]
fn what_cannot_be_done_is_told_with_a_way_out() {
    let bench = bench(sorted);
    let refused = |arguments: &[&str], words: &[&str]| {
        let out = bench.run(&[&["coverage"], arguments].concat());
        assert!(out.code == 2 && out.stdout.is_empty(), "{out:?}");
        words.iter().for_each(|word| assert!(out.stderr.contains(word), "{word}: {}", out.stderr));
    };
    refused(&["--write"], &["--classify"]);
    refused(&["--dry-run"], &["--classify"]);
    refused(&["--classify", "--write", "--dry-run"], &["cannot be used with"]);
    refused(&["--classify", "--write", "--rev", "HEAD"], &["cannot be used with"]);
    let with = |more: &str| bench.repo.write("citecheck.yaml", config(&bench.server, "") + more);
    with("cases: {category: [meta.kind, kind]}\n");
    refused(&["--classify", "--write"], &["`meta.kind` lies in another mapping", "write a plain key first"]);
    with("coverage: {taxonomy: [Unclassified]}\n");
    refused(&["--classify"], &["the taxonomy has no category", "list them"]);
    bench.repo.write("citecheck.yaml", "");
    refused(&["--classify"], &["the configuration names no model", "add `ai:"]);
    assert!(bench.asked().is_empty());
}

#[test]
fn written_categories_are_lines_of_their_own_and_every_other_byte_stays() {
    let files = [
        (
            "a.yaml",
            "# c\ncases:\n  - id: T-1 # c\n    # of the list\n    cites:\n      - pump/alarms\n",
            "    # of",
            "    category: alarms\n    # of",
        ),
        ("b.yaml", "\u{feff}T-2:\r\n  cites: [pump/limits]", "  cites", "  category: usability\r\n  cites"),
        ("c.yaml", "cites: &c pump/limits # c\nid: &i 'T-3'", "'T-3'", "'T-3'\ncategory: usability"),
        (
            "d.yaml",
            "- <<: {title: t}\n  \"id\":   T-4  \n\n  cites: pump/alarms\n...\n",
            "\n\n",
            "\n  category: alarms\n\n",
        ),
        ("e.yaml", "---\nid: T-5\ncites: [pump/alarms]\n--- # next\n", "cites", "category: alarms\ncites"),
        ("f.yaml", "id: T-6\rcites: [pump/alarms]\r", "cites", "category: alarms\rcites"),
        ("g.yaml", "id: T-7\ncites: pump/limits\nexpected: vague\n", "", ""),
        ("h.yaml", "id: T-8\ncites: pump/limits\ncategory: usability\n", "", ""),
    ];
    let bench = bench(sorted);
    fs::remove_file(bench.repo.path().join("cases.yaml")).unwrap();
    files.iter().for_each(|(path, text, ..)| bench.repo.write(path, text));
    bench.repo.commit("Add cases");
    let found = report(&bench, &["--write"]);
    for (path, text, from, to) in &files {
        let expected = if from.is_empty() { (*text).to_owned() } else { text.replacen(from, to, 1) };
        assert_eq!(bench.repo.read(path), expected, "{path}");
    }
    assert!(found["notes"].to_string().contains("the categories of 6 cases were written, in 6 files"), "{found}");
    assert_eq!(found["summary"]["cases"]["by_model"], 6, "they are the model's in this report");
    assert_eq!(found["cases"][1]["citations"][0]["line"], 3, "lines are those of the files as they are");
    let plain = bench.repo.json(&["coverage"]);
    let names = |report| categories(report).into_iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(names(&plain), names(&found));
    assert_eq!(bench.repo.git(["diff", "--cached", "--name-only"]), "", "nothing is staged");
    let (before, asked) = (bench.repo.git(["diff"]), bench.asked().len());
    report(&bench, &["--write"]);
    assert_eq!((bench.repo.git(["diff"]), bench.asked().len()), (before, asked), "a second time changes nothing");
}

#[test]
fn cases_in_which_no_line_can_stand_are_left_out_and_named() {
    let text = "- {id: T-1, cites: pump/alarms}\n- &t\n  id: T-2\n  cites: pump/limits\n- *t\n- id: T-3\n  cites: pump/alarms\n  category:\n- id: T-4\n  cites: pump/alarms\n";
    let bench = bench(sorted);
    bench.repo.write("cases.yaml", text);
    let notes = report(&bench, &["--write"])["notes"].to_string();
    for note in [
        "the category of 1 case was written, in 1 file",
        "cases.yaml:1:8: no category was written for `T-1`: it is written in braces",
        "cases.yaml:3:7: no category was written for `T-2`: an alias or a merge key shares its text",
        "cases.yaml:6:7: no category was written for `T-3`: it has a key `category` without a text",
    ] {
        assert!(notes.contains(note), "{note}: {notes}");
    }
    assert_eq!(bench.repo.read("cases.yaml"), text.replace("id: T-4\n", "id: T-4\n  category: alarms\n"));
}

#[test]
fn the_first_configured_key_and_taxonomy_are_written() {
    let bench = bench(|_| category("on: #1"));
    let more = "cases: {category: [Art, kind]}\ncoverage: {taxonomy: ['on: #1', b]}\n";
    bench.repo.write("citecheck.yaml", config(&bench.server, "") + more);
    bench.repo.write("cases.yaml", "- id: T-1\n  cites: pump/alarms\n  category: other\n");
    report(&bench, &["--write"]);
    let expected = "- id: T-1\n  Art: 'on: #1'\n  cites: pump/alarms\n  category: other\n";
    assert_eq!(bench.repo.read("cases.yaml"), expected);
    assert!(bench.repo.citecheck(["check"]).stdout.lines().all(|line| !line.contains("unknown-category")));
}

#[test]
fn a_stale_case_stays_stale_when_its_category_is_written() {
    let bench = bench(sorted);
    let stale = |report: &Value| report["summary"]["cases"]["stale"].clone();
    assert_eq!(stale(&report(&bench, &["--write"])), 1);
    assert!(bench.repo.read("cases.yaml").contains("\n    category: usability\n"));
    bench.repo.commit("Sort the cases");
    assert_eq!(stale(&bench.repo.json(&["coverage"])), 1, "nobody reviewed it");
    bench.repo.write("cases.yaml", bench.repo.read("cases.yaml").replace("30 s", "300 s"));
    bench.repo.commit("Follow the manual");
    assert_eq!(stale(&bench.repo.json(&["coverage"])), 0);
}

#[test]
fn a_file_that_changes_meanwhile_is_not_written() {
    let path = Arc::new(OnceLock::<std::path::PathBuf>::new());
    let changed = Arc::clone(&path);
    let bench = bench(move |case| {
        fs::write(changed.get().unwrap(), "# somebody else's\n").unwrap();
        sorted(case)
    });
    path.set(bench.repo.path().join("cases.yaml")).unwrap();
    let out = bench.run(&["coverage", "--classify", "--write"]);
    assert!(out.code == 2 && out.stderr.contains("changed while citecheck was running"), "{out:?}");
    assert_eq!(bench.repo.read("cases.yaml"), "# somebody else's\n");
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_repository_is_not_followed() {
    let bench = bench(sorted);
    let (inside, outside) = (bench.repo.path().join("cases"), bench.repo.path().join("../outside"));
    bench.repo.write("cases/more.yaml", "id: T-1\ncites: pump/alarms\n");
    bench.repo.commit("Add a case");
    fs::rename(&inside, &outside).unwrap();
    std::os::unix::fs::symlink(&outside, &inside).unwrap();
    bench.run(&["coverage", "--classify", "--write"]);
    assert_eq!(fs::read_to_string(outside.join("more.yaml")).unwrap(), "id: T-1\ncites: pump/alarms\n");
}
