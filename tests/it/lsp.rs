//! The language server, driven as an editor drives it: the program itself, over its standard input and output.

use std::time::Duration;

use serde_json::{Value, json};

use crate::editor::{Editor, frame, lsp_uri, modern};
use crate::support::Repo;

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}})
}

/// Applies the edits of a code action to a text; they count in UTF-16.
fn applied(text: &str, edits: &Value) -> String {
    let mut edits = edits.as_array().unwrap().clone();
    edits.sort_by_key(|edit| edit["range"]["start"]["line"].as_u64());
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        let offset = |position: &Value| {
            let line = usize::try_from(position["line"].as_u64().unwrap()).unwrap();
            let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
            let units = usize::try_from(position["character"].as_u64().unwrap()).unwrap();
            let line: Vec<u16> = text[start..].encode_utf16().take(units).collect();
            start + String::from_utf16(&line).unwrap().len()
        };
        let (start, end) = (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]));
        text.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    text
}

const MANUAL: &str = "# Pump\n\n## Limits\n\nThe pump stops at 30 °C.\n\n## Alarms\n\nAn alarm sounds within 2 s.\n";
/// What stands before the citation takes other columns in every unit.
const CASES: &str = "cases:\n  - {id: \"é👩-1\", cites: [limits]}\n  - id: TC-2\n    cites:\n      - pump/alarms\n";

/// A manual and two cases that are fresh.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.write("docs ä/manual.md", MANUAL);
    repo.write("cases.yaml", CASES);
    repo.commit("Add manual and cases");
    repo
}

#[test]
fn a_stale_case_is_told_where_it_cites_and_where_the_manual_changed() {
    let repo = repo();
    let (mut editor, greeting) = Editor::greeting(&repo, &modern());
    let capabilities = &greeting["capabilities"];
    assert_eq!(capabilities["positionEncoding"], "utf-16");
    assert_eq!(greeting["serverInfo"]["name"], "citecheck");
    assert_eq!(editor.await_check(), "checked 3 sections, 2 cases, 2 citations, 0 findings");
    editor.open("docs ä/manual.md");
    editor.save("docs ä/manual.md", &MANUAL.replace("30 °C", "300 °C"));
    let told = editor.diagnostics("cases.yaml");
    let [finding] = told.as_array().unwrap().as_slice() else { panic!("{told}") };
    assert_eq!(finding["range"], range(1, 26, 32));
    assert_eq!((&finding["severity"], &finding["code"]), (&json!(1), &json!("text-changed")));
    assert_eq!(finding["source"], "citecheck");
    let message = finding["message"].as_str().unwrap();
    assert!(message.starts_with("the text of `Limits` changed in substance: number `30` is now `300`\n"), "{message}");
    assert!(message.contains("\nhelp: if the case still holds, run `citecheck accept "), "{message}");
    let related = &finding["relatedInformation"][0];
    assert_eq!(related["location"], json!({"uri": editor.uri("docs ä/manual.md"), "range": range(4, 18, 21)}));
    let told = editor.diagnostics("docs ä/manual.md");
    let [section] = told.as_array().unwrap().as_slice() else { panic!("{told}") };
    assert_eq!((&section["range"], &section["severity"]), (&range(2, 0, 9), &json!(3)));
    assert_eq!(section["message"], "a case that cites this section is stale: é👩-1 (text-changed)");
    assert_eq!(section["relatedInformation"][0]["location"]["range"], range(1, 26, 32));
    editor.save("docs ä/manual.md", MANUAL);
    assert_eq!(editor.diagnostics("cases.yaml"), json!([]));
    assert_eq!(editor.diagnostics("docs ä/manual.md"), json!([]));
    assert_eq!(editor.close(), 0);
}

#[test]
fn a_case_that_cites_a_whole_file_is_told_where_the_file_starts() {
    let repo = Repo::with_manual(MANUAL, "docs/manual.md");
    repo.write("docs/manual.md", MANUAL.replace("2 s", "9 s"));
    let mut editor = Editor::checked(&repo);
    let told = editor.diagnostics("docs/manual.md");
    assert_eq!(told[0]["range"], range(0, 0, 0));
    assert_eq!(told[0]["message"], "a case that cites this section is stale: TC-1 (text-changed)");
}

#[test]
fn the_same_is_found_as_by_the_command() {
    let repo = Repo::example();
    repo.git(["checkout", "--quiet", "v3"]);
    let report = repo.json(&["check"]);
    let mut expected: Vec<(String, String)> = Vec::new();
    for finding in report["findings"].as_array().unwrap() {
        let file = finding["case"]["file"].as_str().unwrap();
        expected.push((file.to_owned(), finding["rule"].as_str().unwrap().to_owned()));
    }
    expected.sort();
    let mut editor = Editor::checked(&repo);
    // The check is over when it says so, the diagnostics follow; another answer comes after them.
    editor.ask("textDocument/none", Value::Null);
    let mut told: Vec<(String, String)> = Vec::new();
    while let Some(at) = editor.pending.iter().position(|it| it["method"] == "textDocument/publishDiagnostics") {
        let params = editor.pending.remove(at).unwrap()["params"].take();
        let file = params["uri"].as_str().unwrap().strip_prefix(&format!("{}/", editor.uri(""))).unwrap().to_owned();
        let codes = params["diagnostics"].as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap());
        told.extend(codes.filter(|code| *code != "stale-cases").map(|code| (file.clone(), code.to_owned())));
    }
    told.sort();
    assert_eq!(told, expected);
    assert!(told.len() > 3);
}

#[test]
fn columns_count_bytes_where_the_editor_offers_that() {
    let repo = repo();
    repo.write("docs ä/manual.md", MANUAL.replace("30 °C", "300 °C"));
    let mut capabilities = modern();
    capabilities["general"] = json!({"positionEncodings": ["utf-8", "utf-16"]});
    let (mut editor, greeting) = Editor::greeting(&repo, &capabilities);
    assert_eq!(greeting["capabilities"]["positionEncoding"], "utf-8");
    assert_eq!(editor.diagnostics("cases.yaml")[0]["range"], range(1, 29, 35));
}

#[test]
fn a_hover_shows_the_text_and_what_became_of_it() {
    let repo = repo();
    repo.write("docs ä/manual.md", MANUAL.replace("30 °C", "300 °C"));
    repo.commit("Raise the limit");
    let mut editor = Editor::checked(&repo);
    editor.open("cases.yaml");
    let hover = editor.at("textDocument/hover", "cases.yaml", 1, 28);
    assert_eq!(hover["range"], range(1, 26, 32));
    assert_eq!(hover["contents"]["kind"], "markdown");
    let page = hover["contents"]["value"].as_str().unwrap();
    assert!(
        page.starts_with("**Limits \\(docs ä\\/manual\\.md\\:3\\)**\n\nchanged \\(error\\)\\: the text of"),
        "{page}"
    );
    assert!(page.contains("changed by ") && page.contains("2026\\-01\\-02 \\\"Raise the limit\\\""), "{page}");
    assert!(page.ends_with("```markdown\n## Limits\n\nThe pump stops at 300 °C.\n```"), "{page}");
    let hover = editor.at("textDocument/hover", "cases.yaml", 4, 8);
    let page = hover["contents"]["value"].as_str().unwrap();
    assert!(page.contains("\n\nfresh\\: it reads as it did when the case was last reviewed\n\n"), "{page}");
    assert_eq!(editor.at("textDocument/hover", "cases.yaml", 2, 8), Value::Null, "an id is no citation");
    // What is not saved is shown, and that nobody checked it.
    editor.open("docs ä/manual.md");
    editor.change("docs ä/manual.md", 2, &format!("Before.\n\n{}", MANUAL.replace("2 s", "3 s")));
    editor.change("cases.yaml", 2, &format!("# one line more\n{}", CASES.replace("[limits]", "[pump/limits]")));
    let hover = editor.at("textDocument/hover", "cases.yaml", 5, 8);
    let page = hover["contents"]["value"].as_str().unwrap();
    assert!(page.starts_with("**Alarms \\(docs ä\\/manual\\.md\\:9\\)**"), "{page}");
    assert!(page.contains("not saved and not checked yet") && page.contains("within 3 s."), "{page}");
    let hover = editor.at("textDocument/hover", "cases.yaml", 2, 28);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("not checked yet\\:"), "{hover}");
}

#[test]
fn a_hover_shows_nothing_live_and_not_too_much() {
    let repo = Repo::new();
    let lines: String = (0..100).map(|line| format!("Line {line}.\n\n")).collect();
    repo.write("m.md", format!("# A<img src=x>\u{202e} `b`\n\n![x](http://e.org/x.png)\n\n```\ncode\n```\n\n{lines}"));
    repo.write("cases.yaml", "cases:\n  - id: T\n    cites: m.md\n");
    repo.commit("Add all");
    let mut editor = Editor::checked(&repo);
    editor.open("cases.yaml");
    let hover = editor.at("textDocument/hover", "cases.yaml", 2, 12);
    let page = hover["contents"]["value"].as_str().unwrap();
    let (words, source) = page.split_once("````markdown\n").unwrap();
    assert!(!words.contains('<') || words.contains("\\<"), "{words}");
    assert!(source.contains("# A<img src=x>\\u{202e} `b`\n") && source.ends_with("\n````"), "{source}");
    assert!(source.lines().count() < 50 && source.contains("more lines"), "{source}");
}

#[test]
fn a_definition_is_the_heading_as_it_stands_in_the_editor() {
    let repo = repo();
    let mut editor = Editor::checked(&repo);
    editor.open("cases.yaml");
    let links = editor.at("textDocument/definition", "cases.yaml", 4, 12);
    let manual = editor.uri("docs ä/manual.md");
    let expected = json!([{
        "originSelectionRange": range(4, 8, 19),
        "targetUri": manual,
        "targetRange": {"start": {"line": 6, "character": 0}, "end": {"line": 8, "character": 27}},
        "targetSelectionRange": range(6, 0, 9),
    }]);
    assert_eq!(links, expected);
    editor.open("docs ä/manual.md");
    editor.change("docs ä/manual.md", 2, &MANUAL.replace("## Limits", "Ü\n\n## Limits"));
    let links = editor.at("textDocument/definition", "cases.yaml", 4, 12);
    assert_eq!(links[0]["targetSelectionRange"], range(8, 0, 9));
    // An editor that knows no links gets the place alone.
    let (mut editor, _) = Editor::greeting(&repo, &json!({}));
    editor.await_check();
    editor.open("cases.yaml");
    let places = editor.at("textDocument/definition", "cases.yaml", 4, 12);
    assert_eq!(places, json!([{"uri": manual, "range": range(6, 0, 9)}]));
    assert_eq!(editor.at("textDocument/definition", "cases.yaml", 0, 0), Value::Null);
}

#[test]
fn sections_are_offered_where_a_citation_is_written() {
    let repo = repo();
    let mut editor = Editor::checked(&repo);
    editor.open("cases.yaml");
    editor.change("cases.yaml", 2, &CASES.replace("[limits]", "[al"));
    let list = editor.at("textDocument/completion", "cases.yaml", 1, 28);
    assert_eq!(list["isIncomplete"], false);
    let items = list["items"].as_array().unwrap();
    let labels: Vec<&str> = items.iter().map(|item| item["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["pump", "limits", "alarms"]);
    assert_eq!(items[2]["detail"], "Alarms · docs ä/manual.md:7");
    let filter = |item: &Value| item["filterText"].as_str().unwrap().to_owned();
    assert_eq!(filter(&items[2]), "alarms pump/alarms docs ä/manual.md#alarms Alarms");
    assert_eq!(items[2]["textEdit"], json!({"range": range(1, 26, 28), "newText": "alarms"}));
    // However it is begun, it is found.
    editor.change("cases.yaml", 3, CASES);
    let list = editor.at("textDocument/completion", "cases.yaml", 4, 13);
    assert_eq!(filter(&list["items"][2]), "pump/alarms alarms docs ä/manual.md#alarms Alarms");
    let elsewhere = editor.at("textDocument/completion", "cases.yaml", 2, 10);
    assert_eq!(elsewhere, Value::Null);
    editor.open("docs ä/manual.md");
    editor.change("docs ä/manual.md", 2, &MANUAL.replace("## Limits", "## 7 New: one {#a'b}\n\n## Limits"));
    let list = editor.at("textDocument/completion", "cases.yaml", 1, 28);
    let new = &list["items"][1];
    assert_eq!((&new["label"], &new["detail"]), (&json!("a'b"), &json!("7 New: one · docs ä/manual.md:3")));
}

#[test]
fn what_moved_is_rewritten_by_an_action() {
    let repo = repo();
    repo.write("docs ä/manual.md", MANUAL.replace("## Limits", "## Bounds"));
    let mut editor = Editor::checked(&repo);
    editor.open("cases.yaml");
    assert_eq!(editor.diagnostics("cases.yaml")[0]["code"], "section-moved");
    let actions = editor.actions("cases.yaml", 1);
    let [fix] = actions.as_slice() else { panic!("{actions:?}") };
    assert_eq!((&fix["title"], &fix["kind"]), (&json!("cite `bounds`, where the section is now"), &json!("quickfix")));
    assert_eq!(fix["isPreferred"], true);
    let change = &fix["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": editor.uri("cases.yaml"), "version": 1}));
    let after = applied(CASES, &change["edits"]);
    assert_eq!(after, CASES.replace("[limits]", "[bounds]"));
    assert_eq!(editor.actions("cases.yaml", 4), Vec::<Value>::new());
    editor.change("cases.yaml", 2, &after);
    assert_eq!(editor.actions("cases.yaml", 1), Vec::<Value>::new(), "no edit for a text that was not checked");
    editor.save("cases.yaml", &after);
    assert_eq!(editor.diagnostics("cases.yaml"), json!([]));
}

#[test]
fn what_moved_and_changed_can_be_followed_or_accepted() {
    let repo = Repo::new();
    let long =
        "The pump stops at 30 °C. It starts again by itself once the plate has cooled down and the lid is closed.";
    let manual = MANUAL.replace("The pump stops at 30 °C.", long);
    repo.write("docs ä/manual.md", &manual);
    repo.write("cases.yaml", CASES);
    repo.commit("Add manual and cases");
    repo.write("docs ä/manual.md", manual.replace("## Limits", "## Bounds").replace("30 °C", "31 °C"));
    let mut editor = Editor::checked(&repo);
    editor.open("cases.yaml");
    let actions = editor.actions("cases.yaml", 1);
    let [fix, accept] = actions.as_slice() else { panic!("{actions:?}") };
    let after = |action: &Value| applied(CASES, &action["edit"]["documentChanges"][0]["edits"]);
    let (fixed, accepted) = (after(fix), after(accept));
    assert!(fixed.contains("[bounds@c1-") && accepted.contains("[bounds@c1-") && fixed != accepted);
    editor.save("cases.yaml", &fixed);
    editor.await_check();
    editor.change("cases.yaml", 2, &fixed);
    let actions = editor.actions("cases.yaml", 1);
    let [accept] = actions.as_slice() else { panic!("{actions:?}") };
    assert!(accept["title"].as_str().unwrap().starts_with("accept: "), "what changed stays stale: {accept}");
    assert_eq!(applied(&fixed, &accept["edit"]["documentChanges"][0]["edits"]), accepted);
}

#[test]
fn a_citation_that_cases_share_is_edited_for_all_of_them_or_not_at_all() {
    let repo = repo();
    let shared = "cases:\n  - id: A\n    cites: [&l limits]\n  - id: B\n    cites: [*l]\n";
    repo.write("cases.yaml", shared);
    repo.commit("Share a citation");
    repo.write("docs ä/manual.md", MANUAL.replace("30 °C", "300 °C"));
    let mut editor = Editor::checked(&repo);
    editor.open("cases.yaml");
    let actions = editor.actions("cases.yaml", 2);
    assert_eq!(actions[0]["title"], "accept: `A`, `B` were reviewed and still hold");
    let after = applied(shared, &actions[0]["edit"]["documentChanges"][0]["edits"]);
    assert!(after.contains("[&l limits@c1-"), "{after}");
    let links = editor.at("textDocument/definition", "cases.yaml", 4, 13);
    assert_eq!(links[0]["originSelectionRange"], range(4, 12, 14));
}

#[test]
fn what_was_reviewed_is_pinned_by_an_action() {
    let repo = repo();
    repo.write("docs ä/manual.md", MANUAL.replace("2 s", "9 s"));
    let mut editor = Editor::checked(&repo);
    editor.open("cases.yaml");
    assert_eq!(editor.diagnostics("cases.yaml")[0]["range"], range(4, 8, 19));
    let actions = editor.actions("cases.yaml", 4);
    let [accept] = actions.as_slice() else { panic!("{actions:?}") };
    assert_eq!(accept["title"], "accept: `TC-2` was reviewed and still holds");
    let after = applied(CASES, &accept["edit"]["documentChanges"][0]["edits"]);
    repo.citecheck(["accept", "TC-2"]);
    assert_eq!(after, repo.read("cases.yaml"), "as the command does it");
    assert!(after.contains("- pump/alarms@c1-"), "{after}");
    editor.save("cases.yaml", &after);
    assert_eq!(editor.diagnostics("cases.yaml"), json!([]));
}

#[test]
fn pins_go_to_their_file_where_that_is_the_setting() {
    let repo = repo();
    repo.write("citecheck.yaml", "pins: file\n");
    repo.commit("Keep pins in a file");
    repo.write("docs ä/manual.md", MANUAL.replace("2 s", "9 s"));
    let mut editor = Editor::checked(&repo);
    editor.open("cases.yaml");
    assert_eq!(editor.diagnostics("cases.yaml")[0]["code"], "text-changed");
    let actions = editor.actions("cases.yaml", 4);
    let changes = actions[0]["edit"]["documentChanges"].as_array().unwrap();
    let pins = editor.uri("citecheck.pins.yaml");
    assert_eq!(changes[0], json!({"kind": "create", "uri": pins}));
    assert_eq!(changes[1]["textDocument"], json!({"uri": pins, "version": null}));
    let after = applied("", &changes[1]["edits"]);
    assert!(after.contains("TC-2") && after.contains("c1-"), "{after}");
    // The file that the edit would make is there meanwhile.
    repo.write("citecheck.pins.yaml", "");
    assert_eq!(editor.actions("cases.yaml", 4), Vec::<Value>::new());
    editor.save("citecheck.pins.yaml", &after);
    assert_eq!(editor.diagnostics("cases.yaml"), json!([]));
    // An editor that cannot create files is offered nothing that it could not do.
    std::fs::remove_file(repo.path().join("citecheck.pins.yaml")).unwrap();
    let mut capabilities = modern();
    capabilities["workspace"] = json!({});
    let (mut editor, _) = Editor::greeting(&repo, &capabilities);
    editor.await_check();
    editor.open("cases.yaml");
    assert_eq!(editor.actions("cases.yaml", 4), Vec::<Value>::new());
    repo.write("citecheck.pins.yaml", "");
    editor.save("cases.yaml", CASES);
    editor.await_check();
    let actions = editor.actions("cases.yaml", 4);
    assert_eq!(applied("", &actions[0]["edit"]["changes"][pins.as_str()]), after);
}

#[test]
fn saves_that_come_together_are_few_checks() {
    let repo = repo();
    let mut editor = Editor::checked(&repo);
    let saved = json!({"textDocument": {"uri": editor.uri("cases.yaml")}});
    let frame = frame(&json!({"jsonrpc": "2.0", "method": "textDocument/didSave", "params": saved}));
    editor.send_bytes(frame.repeat(50).as_bytes());
    editor.await_check();
    editor.ask("textDocument/none", Value::Null);
    std::thread::sleep(Duration::from_millis(500));
    editor.ask("textDocument/none", Value::Null);
    let checks = editor.pending.iter().filter(|it| it["method"] == "window/logMessage").count();
    assert!(checks < 25, "{checks} more checks");
}

#[test]
fn the_end_is_as_the_protocol_says() {
    let repo = repo();
    let mut editor = Editor::checked(&repo);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.status(), 1, "without shutdown");
    let editor = Editor::checked(&repo);
    assert_eq!(editor.status(), 1, "the client is gone");
    let mut editor = Editor::checked(&repo);
    editor.request("shutdown", Value::Null);
    assert_eq!(editor.ask("textDocument/hover", json!({}))["error"]["code"], -32600);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.status(), 0);
    let mut editor = Editor::silent(&repo);
    editor.notify("exit", Value::Null);
    assert_eq!(editor.status(), 1);
}

#[test]
fn requests_that_are_none_are_refused() {
    let repo = repo();
    let mut editor = Editor::silent(&repo);
    assert_eq!(editor.ask("textDocument/hover", json!({}))["error"]["code"], -32002);
    let mut editor = Editor::checked(&repo);
    let unknown = editor.ask("textDocument/none", json!({}));
    assert_eq!(unknown["error"], json!({"code": -32601, "message": "there is no method `textDocument/none`"}));
    assert_eq!(editor.ask("$/none", json!({}))["error"]["code"], -32601);
    assert_eq!(editor.ask("textDocument/hover", json!({"position": 7}))["error"]["code"], -32602);
    assert_eq!(editor.ask("initialize", json!({}))["error"]["code"], -32600);
    editor.notify("$/none", json!({}));
    // A text that is not open, one outside, one that is no file.
    assert_eq!(editor.at("textDocument/hover", "cases.yaml", 1, 28), Value::Null);
    let item = json!({"uri": "untitled:Untitled-1", "languageId": "yaml", "version": 1, "text": CASES});
    editor.notify("textDocument/didOpen", json!({"textDocument": item}));
    let position = json!({"line": 1, "character": 28});
    let params = json!({"textDocument": {"uri": "untitled:Untitled-1"}, "position": position});
    assert_eq!(editor.request("textDocument/hover", params), Value::Null);
    // Far behind the end of everything.
    editor.open("cases.yaml");
    assert_eq!(editor.at("textDocument/hover", "cases.yaml", 4_000_000_000, 4_000_000_000), Value::Null);
    assert_eq!(editor.close(), 0);
}

#[test]
fn a_request_that_is_taken_back_is_not_answered_with_a_result() {
    let repo = repo();
    let mut editor = Editor::checked(&repo);
    editor.open("cases.yaml");
    let params = json!({"textDocument": {"uri": editor.uri("cases.yaml")}, "position": {"line": 4, "character": 12}});
    // Many at once, so that the last ones wait while the first are answered.
    let mut frames = String::new();
    for id in 1000..1200 {
        frames += &frame(&json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/hover", "params": params}));
    }
    frames += &frame(&json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 1199}}));
    editor.send_bytes(frames.as_bytes());
    let last = editor.response(1199);
    assert_eq!(last["error"]["code"], -32800, "{last}");
    editor.notify("$/cancelRequest", json!({"id": 1199}));
    assert_eq!(editor.close(), 0);
}

#[test]
fn malformed_messages_are_told_once_and_hurt_nobody() {
    let repo = repo();
    let mut editor = Editor::checked(&repo);
    editor.send_bytes(b"Content-Length: 5\r\n\r\n{\"a\":");
    editor.send_bytes(b"nonsense\r\nContent-Length: x\r\n");
    editor.send_bytes(b"Content-Length: 2\r\n\r\n\xff\xfe");
    editor.notify("textDocument/didOpen", json!({"textDocument": []}));
    let log = editor.next("window/logMessage");
    assert_eq!(log["type"], 2);
    assert!(
        log["message"].as_str().unwrap().starts_with("left out a message that is not as the protocol says"),
        "{log}"
    );
    editor.open("cases.yaml");
    assert_eq!(editor.at("textDocument/hover", "cases.yaml", 4, 12)["range"], range(4, 8, 19));
    assert!(!editor.pending.iter().any(|it| it["method"] == "window/logMessage"), "{:?}", editor.pending);
    assert_eq!(editor.close(), 0);
}

#[test]
fn a_folder_without_a_repository_is_told_once() {
    let folder = Repo::bare_folder();
    folder.write("cases.yaml", CASES);
    let (mut editor, _) = Editor::greeting(&folder, &modern());
    let shown = editor.next("window/showMessage");
    assert_eq!(shown["type"], 1);
    let message = shown["message"].as_str().unwrap();
    assert!(message.starts_with("citecheck cannot check: ") && message.contains("git repository"), "{message}");
    editor.open("cases.yaml");
    editor.save("cases.yaml", CASES);
    for method in ["textDocument/hover", "textDocument/definition", "textDocument/completion"] {
        assert_eq!(editor.at(method, "cases.yaml", 1, 28), Value::Null, "{method}");
    }
    std::thread::sleep(Duration::from_millis(300));
    editor.ask("textDocument/none", Value::Null);
    assert!(!editor.pending.iter().any(|it| it["method"] == "window/showMessage"), "{:?}", editor.pending);
    assert_eq!(editor.close(), 0);
}

#[test]
fn the_first_folder_in_a_repository_counts() {
    let (folder, repo) = (Repo::bare_folder(), repo());
    let mut editor = Editor::silent(&folder);
    let folders = json!([
        {"uri": editor.uri(""), "name": "none"},
        {"uri": "https://example.org/", "name": "far"},
        {"uri": lsp_uri(&repo, "docs ä"), "name": "below the top"},
    ]);
    editor.request("initialize", json!({"capabilities": modern(), "workspaceFolders": folders}));
    editor.notify("initialized", json!({}));
    assert_eq!(editor.await_check(), "checked 3 sections, 2 cases, 2 citations, 0 findings");
}

#[test]
fn a_broken_repository_or_configuration_leaves_what_was_found() {
    let repo = repo();
    repo.write("docs ä/manual.md", MANUAL.replace("30 °C", "300 °C"));
    let mut editor = Editor::checked(&repo);
    assert_eq!(editor.diagnostics("cases.yaml").as_array().unwrap().len(), 1);
    editor.save("citecheck.yaml", "manual: x\n");
    let told = editor.diagnostics("citecheck.yaml");
    assert_eq!((&told[0]["range"], &told[0]["code"]), (&range(0, 0, 6), &json!("configuration")));
    assert!(editor.next("window/showMessage")["message"].as_str().unwrap().contains("the configuration has an error"));
    assert_eq!(editor.diagnostics("cases.yaml").as_array().unwrap().len(), 1);
    editor.save("citecheck.yaml", "pins: inline\n");
    assert_eq!(editor.diagnostics("citecheck.yaml"), json!([]));
    std::fs::write(repo.path().join(".git/HEAD"), "nonsense").unwrap();
    editor.save("cases.yaml", CASES);
    editor.next("window/showMessage");
    editor.open("cases.yaml");
    assert_eq!(editor.at("textDocument/hover", "cases.yaml", 4, 12)["range"], range(4, 8, 19));
    assert_eq!(editor.close(), 0);
}
