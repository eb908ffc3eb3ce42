//! What a survey makes of small repositories that lie in wait for it.

use super::*;

const MANUAL: &str = "\
# Pump

## 1.1 Flow

### REQ-1

Text.

### REQ-2

Text.

## 1.2 Air in the line

## Alarms

## Power supply

## Self-test
";

#[track_caller]
fn look(yaml: &[(&str, &str)]) -> Survey {
    let text = |(path, text): &(&str, &str)| Text { path: RepoPath::new(path), text: (*text).to_owned() };
    survey(&[text(&("docs/pump.md", MANUAL))], &yaml.iter().map(text).collect::<Vec<_>>(), &[])
}

fn keys(survey: &Survey) -> Vec<&str> {
    survey.groups.iter().flat_map(|group| &group.keys).map(|key| key.key.as_str()).collect()
}

#[test]
fn numbers_and_words_are_cited_by_chance() {
    let chart = "version: 1.1\nitems:\n- {level: 1.1, title: Alarms}\n- {level: 1.2, title: Flow}\n";
    let found = look(&[("chart.yaml", chart)]);
    assert!(found.groups.is_empty(), "{:?}", found.groups);
    assert!(found.doubts.contains(&Doubt::NoCitations), "{:?}", found.doubts);
}

#[test]
fn titles_under_any_key_are_told_and_not_taken_where_something_cites() {
    let areas = "- {id: A, area: Alarms, req: REQ-1}\n- {id: B, area: Flow, req: REQ-2}\n- {id: C, area: Self-test, req: REQ-1}\n";
    let found = look(&[("t.yaml", areas)]);
    assert_eq!(keys(&found), ["req"]);
    let chance = Doubt::Chance { key: "area".to_owned(), count: Count { hits: 3, of: 3 } };
    assert!(found.doubts.contains(&chance), "{:?}", found.doubts);
}

#[test]
fn what_repeats_the_citation_of_its_case_is_no_second_one() {
    let plan = "- req: REQ-1\n  tests: [{title: REQ-1 with air}, {title: REQ-1 again}]\n- req: REQ-2\n  tests: [{title: REQ-2 dry}]\n";
    assert_eq!(keys(&look(&[("t.yaml", plan)])), ["req"]);
}

#[test]
fn a_citing_key_that_stands_in_other_mappings_too_makes_no_broken_cases() {
    let text = "servers: [{link: 'x REQ-9 y'}]\ntests: [{id: A, link: see REQ-1}, {id: B, link: see REQ-2}]\n";
    let found = look(&[("t.yaml", text)]);
    assert_eq!((found.trial.invalid, found.groups[0].ids.join(" ")), (0, "id link".to_owned()));
}

#[test]
fn part_of_a_case_is_seen_from_the_case() {
    let text = "- id: A\n  links: [{verifies: REQ-1}, {verifies: REQ-2}]\n- id: B\n  links: [{verifies: REQ-2}]\n";
    let found = look(&[("t.yaml", text)]);
    assert_eq!((keys(&found), found.groups[0].ids.join(" ")), (vec!["links.verifies"], "id".to_owned()));
    assert_eq!((found.trial.cases, found.trial.citations), (2, Count { hits: 3, of: 3 }));
}

#[test]
fn files_of_other_shapes_make_groups_of_their_own() {
    let one = "- {id: A, req: REQ-1}\n- {id: B, req: REQ-2}\n";
    let other = "- {uid: X, covers: docs/pump.md#alarms}\n- {uid: Y, covers: docs/pump.md#flow}\n";
    let found = look(&[("a/t.yaml", one), ("b/t.yaml", other), ("b/req.yaml", "req: {}\n")]);
    let groups: Vec<_> = found.groups.iter().map(|group| (group.files.join(" "), group.ids.join(" "))).collect();
    assert_eq!(
        groups,
        [("b/**/*.yaml", "uid"), ("a/**/*.yaml", "id")].map(|(files, ids)| (files.to_owned(), ids.to_owned()))
    );
}

#[test]
fn a_citation_in_map_form_belongs_to_its_key() {
    let cases =
        "- {id: A, cites: [REQ-1]}\n- {id: B, cites: [{section: REQ-2, quote: Text.}]}\n- {id: C, cites: [REQ-2]}\n";
    let found = look(&[("t.yaml", cases)]);
    assert_eq!(keys(&found), ["cites"]);
    assert_eq!(found.groups[0].tried.of, 3, "{:?}", found.groups);
}

#[test]
fn keys_of_files_in_one_folder_make_one_group() {
    let cases = |key: &str| format!("- {{id: A, {key}: [REQ-1]}}\n- {{id: B, {key}: [REQ-2, \"1.1 Flow\"]}}\n");
    let found =
        look(&[("tests/a.yaml", &cases("cites")), ("tests/b.yaml", &cases("cites")), ("tests/c.yaml", &cases("cite"))]);
    assert_eq!((found.groups.len(), keys(&found)), (1, vec!["cites", "cite"]), "{:?}", found.groups);
}

#[test]
fn dangling_citations_do_not_hide_the_key() {
    let text = "- {id: A, req: REQ-1}\n- {id: B, req: REQ-2}\n- {id: C, req: REQ-77}\n";
    let found = look(&[("t.yaml", text)]);
    assert_eq!(found.trial.citations, Count { hits: 2, of: 3 });
    assert_eq!(found.trial.unresolved, Some(("REQ-77".to_owned(), "t.yaml".to_owned())));
}

#[test]
fn hostile_files_are_survived() {
    let deep = format!("{}x{}", "[".repeat(500), "]".repeat(500));
    let texts =
        ["a: [&a x, *a]\nb: *c\n", "{", "\u{0}", "'': ''\n'..': REQ-1\n.x: REQ-2\n", "? [a]\n: REQ-1\n", deep.as_str()];
    let files: Vec<(String, &str)> = texts.iter().enumerate().map(|(at, text)| (format!("{at}.yaml"), *text)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    assert!(look(&files).groups.is_empty());
}

#[test]
fn a_file_is_known_behind_a_prefix_of_its_readers() {
    let text = "- {name: A, about: See ROOT/pump.md#flow.}\n- {name: B, about: See ROOT/pump.md#alarms.}\n- {name: C, about: None.}\n";
    let found = look(&[("t.yaml", text)]);
    assert_eq!((keys(&found), found.trial.citations), (vec!["about"], Count { hits: 2, of: 2 }));
}

#[test]
fn cases_in_lists_and_cases_under_their_ids_are_called_alike() {
    let named = "TC-1:\n  title: Opens\n  cites: [REQ-1]\nTC-2:\n  title: Shuts\n  cites: [REQ-2]\n";
    let listed = |key: &str| {
        format!("- {{{key}: TC-3, title: Stops, cites: [REQ-1]}}\n- {{{key}: TC-4, title: Starts, cites: [REQ-2]}}\n")
    };
    for (key, expected) in [("id", &[][..]), ("key", &["key"]), ("ref", &["ref"])] {
        let found = look(&[("a.yaml", named), ("b.yaml", &listed(key))]);
        assert_eq!(found.groups[0].ids, expected, "{key}");
    }
    // A title is the id only where nothing else tells cases apart.
    let found = look(&[("a.yaml", "- {title: Opens, cites: [REQ-1]}\n- {title: Shuts, cites: [REQ-2]}\n")]);
    assert_eq!(found.groups[0].ids, ["title"]);
}
