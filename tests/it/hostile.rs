//! A repository of somebody who means harm: names, texts, ids, subjects and settings that a terminal, the log of a runner or
//! a page would obey, files that no parser should have to read. In every format and command nothing of it is live, and
//! every run ends.

use std::process::Command;

use regex::Regex;
use serde_json::Value;

use crate::support::{Output, Repo, formats, output};

/// What a terminal, a runner, Markdown, HTML and XML would obey.
const EVIL: &str = "\u{1b}[31m\u{1b}]8;;http://x\u{7}\u{9b}2J\u{202e}\u{2066}\u{200b} ##[error]x ]](javascript:y) [z](javascript:w) \
    @me #1 <b>b</b> <img src=x> --> <!-- ]]> &amp; `x` ``` | \\";

/// A file name can have everything but a slash.
const EVIL_NAME: &str =
    "a,b:c%0A::error::x\n::stop-commands::t\n##[group]\u{1b}[31m\u{9b}2J\u{202e}漢 \"'<b>&@me#1](javascript:y)--> |`x`";

fn repo() -> Repo {
    let repo = Repo::new();
    let manual = |limit: &str| {
        format!(
            "# Top\n\n## Limit {EVIL}\n\n::add-mask::{limit}\n{EVIL} opens at {limit} bar.\n\n::warning::{EVIL}\n\n\
             ```\n::error::{limit}\n##[error]{EVIL}\n```\n\n## Moved\n\nThis {EVIL} text is moved to another place and stays as it is.\n"
        )
    };
    repo.write(&format!("docs/{EVIL_NAME}.md"), manual("45"));
    repo.write(
        "docs/gone.md",
        format!("# Gone\n\n## Old {EVIL}\n\nIt says {EVIL} until it is removed with the file.\n"),
    );
    repo.write("citecheck.yaml", format!("words: {{modality: [{}]}}\nrules: {{}}\n", quoted("evil ##[error] @me <b>")));
    let id = quoted(&format!("T-1 {EVIL}\n::error::id"));
    let cites = quoted(&format!("nowhere {EVIL}\n::error::citation"));
    let case =
        |number: usize, cites: &str| format!("  - id: {}{number}\"\n    cites: [{cites}]\n", &id[..id.len() - 1]);
    let cases = format!("cases:\n{}{}", case(1, &format!("top, {cites}")), case(2, "gone, moved, old"));
    repo.write(&format!("cases/{EVIL_NAME}.yaml"), &cases);
    repo.git(["config", "user.name", EVIL.replace(['\n', '<', '>'], "").as_str()]);
    repo.commit(EVIL);
    repo.write(&format!("docs/{EVIL_NAME}.md"), manual("40").replace("## Moved", "## Moved on"));
    std::fs::remove_file(repo.path().join("docs/gone.md")).unwrap();
    repo.write("citecheck.yaml", "rules: {text-reworded: off}\n");
    let ignore = format!("    # citecheck: ignore[text-changed] {}\n", EVIL.replace(['\u{1b}', '\u{7}', '\u{9b}'], ""));
    repo.write(&format!("cases/{EVIL_NAME}.yaml"), format!("{cases}{ignore}"));
    unreadable(&repo);
    repo.commit(EVIL);
    repo
}

/// A text as a quoted scalar of YAML.
fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|it| match it {
            '"' | '\\' => format!("\\{it}"),
            it if it.is_control() || !it.is_ascii() => format!("\\U{:08x}", u32::from(it)),
            it => it.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}

/// Files that cannot be read, or should not be.
fn unreadable(repo: &Repo) {
    repo.write(&format!("cases/broken {EVIL_NAME}.yaml"), "\tx: [ ##[error] ::error::\u{1b}");
    let bomb: String = (1..=9).map(|at| format!("a{at}: &a{at} [{}]\n", format!("*a{}, ", at - 1).repeat(9))).collect();
    repo.write("cases/bomb.yaml", format!("a0: &a0 {{cites: x}}\n{bomb}cites: *a9\n"));
    repo.write("cases/deep.yaml", format!("cites: {}", "[".repeat(100_000)));
    repo.write("cases/deep-map.yaml", "{a: ".repeat(100_000));
    repo.write("cases/anchor.yaml", "&a [*a]\n");
    repo.write("docs/latin.md", b"# Caf\xe9\n");
    repo.write("cases/latin.yaml", b"cites: caf\xe9\n");
    repo.write("docs/deep.md", format!("# Deep\n\n{}x\n\n{}x\n", "> ".repeat(20_000), "- ".repeat(20_000)));
    repo.write("docs/brackets.md", format!("# Brackets\n\n{}\n\n{}\n", "[".repeat(20_000), "*a _".repeat(10_000)));
    repo.write("docs/line.md", format!("# Line\n\n{}\n", "word ".repeat(20_000)));
    #[cfg(unix)]
    for (link, to) in
        [("docs/out.md", "/etc/passwd"), ("cases/out.yaml", "../../../../../etc/passwd"), ("docs/loop.md", "loop.md")]
    {
        std::os::unix::fs::symlink(to, repo.path().join(link)).unwrap();
    }
}

/// Expects that neither a terminal, nor a runner, nor a page obeys anything of the repository in it.
#[track_caller]
fn check_harmless(what: &str, page: &str) {
    let obeyed = |it: char| {
        it.is_control() && !matches!(it, '\n' | '\t')
            || matches!(it, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let excerpt = |at: usize| page[at..].chars().take(80).collect::<String>();
    assert_eq!(page.find(obeyed).map(excerpt), None, "{what}");
    assert_eq!(page.find("##[").map(excerpt), None, "{what}");
    assert_eq!(page.find("root:").map(excerpt), None, "{what}: a link was followed");
    let ours = Regex::new(
        r"^::(error|warning|notice) (file=[^:,\s][^:,]*,line=\d+,endLine=\d+(,col=\d+,endColumn=\d+)?,)?title=[^:,]+::",
    )
    .unwrap();
    let commands = page.lines().filter(|line| line.trim_start().starts_with("::"));
    for line in commands {
        assert!(what.contains("github") && ours.is_match(line), "{what}: {line}");
    }
}

/// Expects Markdown of which nothing is live but the tags that are ours. What stands in a fence is text; no line in it
/// may close it.
#[track_caller]
fn check_markdown(page: &str) {
    let (mut fence, mut fenced, mut prose) = (None, 0, String::new());
    for line in page.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            None if ticks >= 3 => (fence, fenced) = (Some(ticks), fenced + 1),
            None => prose.extend([line, "\n"]),
            Some(opened) if ticks >= opened => fence = None,
            Some(_) => {
                let is_ours =
                    ["+ ", "- ", "  ", "@@"].iter().any(|mark| line.starts_with(mark)) || line.trim().is_empty();
                assert!(is_ours, "{line:?} stands in a fence");
            }
        }
    }
    assert!(fence.is_none() && fenced > 0, "{page}");
    let prose = Regex::new("</?(code|i|details|summary)>").unwrap().replace_all(&prose, "");
    let live = Regex::new(r"<|\]\(|-->|@|(^|[^&])#[0-9]").unwrap();
    let excerpt = live.find(&prose).map(|found| prose[found.start()..].chars().take(80).collect::<String>());
    assert_eq!(excerpt, None);
}

fn on_github(repo: &Repo, arguments: &[&str]) -> Output {
    output(repo.citecheck_command().args(arguments).env("GITHUB_ACTIONS", "true"))
}

#[test]
fn nothing_is_live_in_any_format() {
    let repo = repo();
    let formats = formats("check");
    let outputs: Vec<String> = formats.iter().map(|format| format!("--output={format}=../out.{format}")).collect();
    let check = ["check", "HEAD~1..HEAD", "--all", "--color", "always"];
    let arguments: Vec<&str> = check.into_iter().chain(outputs.iter().map(String::as_str)).collect();
    let out = on_github(&repo, &arguments);
    assert_eq!(out.code, 1, "{}", out.stderr);
    let uncolored = Regex::new("\u{1b}\\[[0-9;]*m").unwrap().replace_all(&out.stdout, "").into_owned();
    check_harmless("standard output", &uncolored);
    for format in &formats {
        let page = repo.read(&format!("../out.{format}"));
        assert!(page.contains("invalid-yaml") && page.contains("unknown-section"), "{format}: {page}");
        check_harmless(format, &page);
    }
    check_markdown(&repo.read("../out.markdown"));
    for format in ["json", "sarif", "gitlab", "rdjson"] {
        let page: Value = serde_json::from_str(&repo.read(&format!("../out.{format}"))).unwrap();
        assert!(!page.is_null(), "{format}");
    }
    let sarif: Value = serde_json::from_str(&repo.read("../out.sarif")).unwrap();
    let link = Regex::new(r"(?:^|[^\\])\]\(([^)]*)\)").unwrap();
    for result in sarif["runs"][0]["results"].as_array().unwrap() {
        let text = result["message"]["text"].as_str().unwrap();
        assert!(link.captures_iter(text).all(|found| found[1].parse::<usize>().is_ok()), "{text}");
    }
    let junit = repo.read("../out.junit");
    assert!(!junit.contains("<b>") && !junit.contains("<img") && !junit.contains("]]>"), "{junit}");
}

#[test]
fn nothing_is_live_in_any_other_command() {
    let repo = repo();
    for format in ["human", "json", "jsonl", "markdown"] {
        let out = on_github(&repo, &["diff", "HEAD~1..HEAD", "--all", "--format", format]);
        assert_eq!(out.code, 0, "{}", out.stderr);
        check_harmless(&format!("diff {format}"), &out.stdout);
        if format == "markdown" {
            check_markdown(&out.stdout);
        }
    }
    for arguments in [
        &["sections"][..],
        &["fix", "--dry-run"],
        &["accept", "--all", "--dry-run"],
        &["accept", "--all"],
        &["check", "--fix"],
        &["hook", "run"],
        &["hook", "status"],
        &["check", "no ##[error]\u{1b}[31m\n::error::x..HEAD"],
        &["accept", "##[error]\u{1b}[31m\n::error::x"],
        &["check", "--config", "##[error]\u{1b}[31m\n::error::x"],
    ] {
        let out = on_github(&repo, arguments);
        check_harmless(&format!("{arguments:?}"), &out.stdout);
        check_harmless(&format!("{arguments:?}"), &out.stderr);
    }
}

#[test]
fn a_hostile_configuration_is_refused_with_its_place() {
    let check = |text: &str, expected: &str| {
        let repo = Repo::with_manual("# Pump\n", "pump");
        repo.write("citecheck.yaml", text);
        let out = on_github(&repo, &["check"]);
        assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{text:.60}");
        assert!(out.stderr.contains(expected), "{text:.60}: {}", out.stderr);
        check_harmless("configuration", &out.stderr);
    };
    check("manuals: ['../../etc/*.md']\n", "leaves the repository");
    check("manuals: ['/../etc/passwd']\n", "leaves the repository");
    check("cases: {files: 'C:\\etc\\*.yaml'}\n", "outside the repository");
    check("base-urls: {'https://x.org/': '../../etc/'}\n", "repository");
    check("sections: {id-patterns: ['(?P<id>(?:(?:a{1000}){1000}){1000})']}\n", "the pattern is too big");
    check(&format!("manuals: {}\n", "[".repeat(100_000)), "not YAML");
    check("\"\\e[31m\\n::error::x ##[error]\": 1\n", "unknown key");
}

/// A pattern that would take a backtracking engine longer than anybody lives.
#[test]
fn a_pattern_takes_no_time_to_match() {
    let repo = Repo::with_manual(&format!("# Pump\n\n## Limits\n\n{}!\n", "a".repeat(50_000)), "limits");
    repo.write(
        "citecheck.yaml",
        "sections: {id-patterns: ['^(?P<id>(a+)+)$']}\ncases: {files: '*.yaml', cites: cites, cite-pattern: '(l|i|m|s|t|.*)*[a-z]$'}\n",
    );
    let out = on_github(&repo, &["check"]);
    assert!(out.code <= 1, "{}", out.stderr);
}

#[test]
fn a_run_has_bounded_memory() {
    let repo = repo();
    // In kilobytes of address space; the program and its libraries take some of it before anything is read.
    let mut command = repo.command("sh", repo.path());
    limited(&mut command, 1_000_000, &["check", "HEAD~1..HEAD", "--all", "--format", "json"]);
    let out = output(&mut command);
    assert_eq!(out.code, 1, "{}", out.stderr);
}

fn limited(command: &mut Command, kilobytes: usize, arguments: &[&str]) {
    // Each thread takes address space of its own, and there are as many as the machine has cores.
    command.env("RAYON_NUM_THREADS", "2").env("MALLOC_ARENA_MAX", "2");
    let script = format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"");
    command.args(["-c", &script]).arg(crate::support::citecheck()).args(arguments);
}
