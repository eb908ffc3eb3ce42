//! `citecheck comment` against a server that behaves like GitHub's API: pages, authors, permissions, limits and faults.

use std::collections::VecDeque;
use std::fs;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use crate::server::{Asked, Reply, Server};
use crate::support::{Output, Repo, output};

const TOKEN: &str = "ghs_0123456789secret";
const BOT: &str = "github-actions[bot]";
const MARKER: &str = "<!-- citecheck: report -->";
const LIST: &str = "GET /repos/o/r/issues/7/comments?per_page=100";

/// What the server holds: one pull request, number 7 of `o/r`.
#[derive(Default)]
struct Hub {
    /// Author and text; the id is 1 and up.
    comments: Vec<(String, String)>,
    per_page: usize,
    /// Answered before anything else, each once, to requests with this method.
    faults: VecDeque<(&'static str, Reply)>,
    /// Whose token it is, where GET /user says so; else it is that of a job.
    user: Option<&'static str>,
    /// Whether a request that is answered with a fault is carried out all the same.
    faults_write: bool,
}

struct Job {
    folder: Repo,
    hub: Arc<Mutex<Hub>>,
    server: Server,
}

fn comment_json(id: usize, (login, body): &(String, String)) -> Value {
    let url = format!("https://github.example/o/r/pull/7#issuecomment-{id}");
    json!({"id": id, "html_url": url, "body": body, "user": {"login": login}})
}

fn answer(hub: &Mutex<Hub>, asked: &Asked) -> Reply {
    let mut hub = hub.lock().unwrap();
    let fault = hub.faults.front().is_some_and(|(method, _)| *method == asked.method).then(|| hub.faults.pop_front());
    if asked.headers.get("authorization").map(String::as_str) != Some(&format!("Bearer {TOKEN}")) {
        return Reply::new(401, json!({"message": "Bad credentials"}));
    }
    if let Some((_, reply)) = fault.flatten() {
        if hub.faults_write {
            write(&mut hub, asked);
        }
        return reply;
    }
    let (path, query) = asked.path.split_once('?').unwrap_or((&asked.path, ""));
    match (asked.method.as_str(), path) {
        ("GET", "/user") => match hub.user {
            Some(login) => Reply::new(200, json!({"login": login})),
            None => Reply::new(403, json!({"message": "Resource not accessible by integration"})),
        },
        ("POST", "/graphql") => Reply::new(200, json!({"data": {"viewer": {"login": BOT}}})),
        ("GET", "/repos/o/r/issues/7/comments") => list(&hub, query, &asked.headers["host"]),
        _ => write(&mut hub, asked),
    }
}

fn list(hub: &Hub, query: &str, host: &str) -> Reply {
    let page = query.split('&').find_map(|it| it.strip_prefix("page=")).map_or(1, |page| page.parse().unwrap());
    let per_page = if hub.per_page == 0 { 100 } else { hub.per_page };
    let all: Vec<Value> = hub.comments.iter().enumerate().map(|(at, it)| comment_json(at + 1, it)).collect();
    let pages: Vec<&[Value]> = all.chunks(per_page).collect();
    let reply = Reply::new(200, json!(pages.get(page - 1).unwrap_or(&&[][..])));
    match page < pages.len() {
        true => reply.header(
            "Link",
            format!("<http://{host}/repos/o/r/issues/7/comments?per_page=100&page={}>; rel=\"next\"", page + 1),
        ),
        false => reply,
    }
}

fn write(hub: &mut Hub, asked: &Asked) -> Reply {
    let body = || asked.json()["body"].as_str().unwrap().to_owned();
    let id = || asked.path.rsplit('/').next().unwrap().parse::<usize>().unwrap();
    match asked.method.as_str() {
        "POST" if asked.path == "/repos/o/r/issues/7/comments" => {
            hub.comments.push((hub.user.unwrap_or(BOT).to_owned(), body()));
            Reply::new(201, comment_json(hub.comments.len(), hub.comments.last().unwrap()))
        }
        "PATCH" => {
            hub.comments[id() - 1].1 = body();
            Reply::new(200, comment_json(id(), &hub.comments[id() - 1]))
        }
        "DELETE" => {
            hub.comments.remove(id() - 1);
            Reply::new(204, "")
        }
        _ => Reply::new(404, json!({"message": "Not Found"})),
    }
}

impl Job {
    fn new(hub: Hub) -> Self {
        let hub = Arc::new(Mutex::new(hub));
        let served = Arc::clone(&hub);
        let job = Self { folder: Repo::bare_folder(), hub, server: Server::start(move |asked| answer(&served, asked)) };
        job.folder.write("report.md", "## citecheck\n\n**2 cases need a look**\n");
        job.event(&json!({"pull_request": {"number": 7}}));
        job
    }

    /// A server that has these comments.
    fn with(comments: &[(&str, &str)]) -> Self {
        let comments = comments.iter().map(|(login, body)| ((*login).to_owned(), (*body).to_owned())).collect();
        Self::new(Hub { comments, ..Hub::default() })
    }

    fn event(&self, event: &Value) {
        self.folder.write("event.json", event.to_string());
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, &[])
    }

    /// Runs the command as a job does; whatever happens, the token is told nowhere.
    fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
        let mut command = self.folder.citecheck_command();
        command
            .arg("comment")
            .args(arguments)
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_TOKEN", TOKEN)
            .env("GITHUB_REPOSITORY", "o/r")
            .env("GITHUB_EVENT_NAME", "pull_request")
            .env("GITHUB_EVENT_PATH", self.folder.path().join("event.json"))
            .env("GITHUB_API_URL", self.server.url())
            .envs(variables.iter().copied());
        let out = output(&mut command);
        assert!(!out.stdout.contains("0123456789") && !out.stderr.contains("0123456789"), "{out:?}");
        out
    }

    #[track_caller]
    fn says(&self, arguments: &[&str], expected: &str) {
        let out = self.run(arguments);
        assert!(out.code == 0 && out.stdout.starts_with(expected) && out.stderr.is_empty(), "{out:?}");
    }

    #[track_caller]
    fn fails(&self, arguments: &[&str], words: &[&str]) {
        let out = self.run(arguments);
        assert!(out.code == 2 && out.stdout.is_empty() && out.stderr.starts_with("error: "), "{out:?}");
        assert!(words.iter().all(|word| out.stderr.contains(word)), "{words:?}: {}", out.stderr);
    }

    fn comments(&self) -> Vec<(String, String)> {
        self.hub.lock().unwrap().comments.clone()
    }

    fn fault(&self, method: &'static str, reply: Reply) {
        self.hub.lock().unwrap().faults.push_back((method, reply));
    }
}

const REPORT: [&str; 2] = ["--report", "report.md"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&REPORT[..], more].concat()
}

#[test]
fn a_comment_is_made_once_then_changed_then_left_alone() {
    let job = Job::new(Hub::default());
    job.says(&REPORT, "created: https://github.example/o/r/pull/7#issuecomment-1\n");
    let body = format!("{MARKER}\n## citecheck\n\n**2 cases need a look**\n");
    assert_eq!(job.comments(), [(BOT.to_owned(), body)]);
    assert_eq!(job.server.lines(), [LIST, "POST /repos/o/r/issues/7/comments"], "no question whose token it is");
    job.says(&REPORT, "unchanged: https://github.example/o/r/pull/7#issuecomment-1\n");
    job.folder.write("report.md", "all 3 citations are fresh\r\n");
    job.says(&REPORT, "updated: https://github.example/o/r/pull/7#issuecomment-1\n");
    assert_eq!(job.comments(), [(BOT.to_owned(), format!("{MARKER}\nall 3 citations are fresh\n"))]);
    let asked = job.server.asked();
    let [first, .., last] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(last.method, "PATCH");
    assert_eq!(first.headers["accept"], "application/vnd.github+json");
    assert!(first.headers["user-agent"].starts_with("citecheck/"), "{first:?}");
    assert_eq!(first.headers["x-github-api-version"], "2022-11-28");
}

#[test]
fn line_ends_that_the_server_stores_are_no_change() {
    let body = format!("{MARKER}\r\n## citecheck\r\n\r\n**2 cases need a look**");
    Job::with(&[(BOT, &body)]).says(&REPORT, "unchanged: ");
}

#[test]
fn the_comment_is_found_on_a_later_page() {
    let mut comments = vec![("ada", "looks good"); 250];
    comments[249] = (BOT, MARKER);
    let job = Job::with(&comments);
    job.says(&REPORT, "updated: https://github.example/o/r/pull/7#issuecomment-250\n");
    assert_eq!(job.server.lines()[..3], [LIST, &format!("{LIST}&page=2"), &format!("{LIST}&page=3")]);
}

#[test]
fn a_page_on_another_server_is_not_fetched() {
    let job = Job::new(Hub::default());
    let other = Server::start(|_| Reply::new(200, "[]"));
    job.fault("GET", Reply::new(200, "[]").header("Link", format!("<{}/x>; rel=\"next\"", other.url())));
    job.fails(&REPORT, &["names a page on another server"]);
    assert!(other.lines().is_empty());
}

#[test]
fn pages_without_end_are_given_up() {
    let job = Job::new(Hub { comments: vec![("ada".into(), "x".into()); 40], per_page: 1, ..Hub::default() });
    job.fails(&REPORT, &["there are more than 30 pages"]);
    assert_eq!(job.server.lines().len(), 30);
}

#[test]
fn a_marker_of_somebody_else_is_no_comment_of_ours() {
    let job = Job::with(&[("mallory", MARKER)]);
    job.says(&REPORT, "created: https://github.example/o/r/pull/7#issuecomment-2\n");
    assert_eq!(job.comments()[0].1, MARKER);
    assert_eq!(job.server.lines()[1..3], ["GET /user", "POST /graphql"]);
    job.says(&REPORT, "unchanged: https://github.example/o/r/pull/7#issuecomment-2\n");
    // Quoted in the middle of another comment of the same bot it is none either.
    Job::with(&[(BOT, &format!("> {MARKER}"))]).says(&REPORT, "created: ");
}

#[test]
fn the_author_is_whom_the_token_belongs_to() {
    let job = Job::with(&[(BOT, MARKER), ("Ada", MARKER)]);
    job.hub.lock().unwrap().user = Some("ada");
    job.says(&REPORT, "updated: https://github.example/o/r/pull/7#issuecomment-2\n");
    assert!(!job.server.lines().contains(&"POST /graphql".to_owned()));
    // A server without GraphQL knows whose token it is, or the user says it.
    let job = Job::with(&[("pump-bot[bot]", MARKER)]);
    job.fault("POST", Reply::new(404, "{}"));
    job.fails(&REPORT, &["cannot find out whose token it is", "--author"]);
    job.says(&with(&["--author", "pump-bot[bot]"]), "updated: ");
}

#[test]
fn markers_keep_comments_apart() {
    let job = Job::with(&[(BOT, MARKER)]);
    job.says(&with(&["--marker", "pump"]), "created: ");
    assert!(job.comments()[1].1.starts_with("<!-- citecheck: pump -->\n"), "{:?}", job.comments());
    job.fails(&with(&["--marker", "a-->b"]), &["'--marker <NAME>'"]);
}

#[test]
fn without_a_comment_an_all_clear_is_not_posted() {
    let job = Job::new(Hub::default());
    job.says(&with(&["--only-update"]), "nothing to do: there is no comment\n");
    job.says(&["--delete"], "nothing to do: there is no comment\n");
    assert!(job.comments().is_empty());
    job.says(&REPORT, "created: ");
    job.says(&with(&["--only-update=false"]), "unchanged: ");
    job.folder.write("report.md", "all clear");
    job.says(&with(&["--only-update=true"]), "updated: ");
    job.says(&["--delete"], "deleted: https://github.example/o/r/pull/7#issuecomment-1\n");
    assert!(job.comments().is_empty());
}

#[test]
fn a_report_of_anybody_mentions_nobody_and_ends_closed() {
    let job = Job::new(Hub::default());
    let row = "| error | ping @ada &#64;org/team | --> <!-- |\n";
    job.folder.write("report.md", format!("{MARKER} -->\n\n| a | b | c |\n|---|---|---|\n{}", row.repeat(3_000)));
    job.says(&REPORT, "created: ");
    let body = &job.comments()[0].1;
    assert!(body.encode_utf16().count() <= 65_536, "{}", body.len());
    assert!(body.ends_with(" lines left out here: a comment holds no more than 65,536 characters_\n"));
    assert_eq!(body.matches("<!--").count(), 1, "ours");
    assert!(!body.contains("@a") && !body.contains("&#64;o") && !body.contains('\u{202e}'));
    job.says(&REPORT, "unchanged: ");
}

#[test]
fn a_real_report_arrives_as_it_is() {
    let job = Job::new(Hub::default());
    let example = Repo::example();
    example.citecheck(["check", "v1..v3", "--output", "markdown=report.md"]);
    let report = example.read("report.md");
    assert!(report.contains("<details>"), "{report}");
    job.folder.write("report.md", &report);
    job.says(&REPORT, "created: ");
    assert_eq!(job.comments()[0].1, format!("{MARKER}\n{}\n", report.trim_end()));
}

#[test]
fn a_dry_run_prints_the_comment_and_asks_nobody() {
    let job = Job::new(Hub::default());
    job.folder.write("report.md", "hi\n::error::x\n");
    let out = job.run(&with(&["--dry-run"]));
    assert_eq!((out.code, out.stdout.as_str()), (0, "<!-- citecheck: report -->\nhi\n\\::error::x\n"));
    assert!(job.server.lines().is_empty());
}

#[test]
fn refusals_are_explained_with_a_way_out() {
    let refused = |status: u16, message: &str, words: &[&str]| {
        let job = Job::new(Hub::default());
        job.fault("POST", Reply::new(status, json!({"message": message})));
        job.fails(&REPORT, words);
    };
    refused(
        403,
        "Resource not accessible by integration",
        &["the token may not", "pull-requests: write", "from a fork"],
    );
    refused(401, "Bad credentials", &["the token is not accepted: Bad credentials", "`GITHUB_TOKEN` holds a token"]);
    refused(404, "Not Found", &["no pull request 7 in `o/r`", "pull-requests: write", "--repo and --pr"]);
    refused(422, "Body is \u{1b}[31mtoo long", &["the comment is refused: Body is \\u{1b}[31mtoo long"]);
    refused(418, "teapot\n::error::x", &["teapot"]);
    let job = Job::new(Hub::default());
    let out = job.run_with(&REPORT, &[("GITHUB_TOKEN", "another")]);
    assert!(out.code == 2 && out.stderr.contains("not accepted"), "{out:?}");
}

#[test]
fn a_fork_has_no_comment_and_no_failure() {
    let job = Job::new(Hub::default());
    let repo = |name: &str| json!({"repo": {"full_name": name}});
    job.event(&json!({"pull_request": {"number": 7, "head": repo("fork/r"), "base": repo("o/r")}}));
    job.fault("POST", Reply::new(403, json!({"message": "Resource not accessible by integration"})));
    job.says(&REPORT, "no comment: the token of a pull request from a fork can only read\n");
    // A fork is no excuse for what is wrong besides, nor for another pull request.
    job.fault("POST", Reply::new(422, json!({"message": "no"})));
    job.fails(&REPORT, &["refused"]);
    job.event(&json!({"pull_request": {"number": 8, "head": repo("fork/r"), "base": repo("o/r")}}));
    job.fault("POST", Reply::new(403, json!({"message": "no"})));
    job.fails(&with(&["--pr", "7"]), &["the token may not do that: no"]);
}

#[test]
fn rate_limits_are_waited_for_or_told() {
    let job = Job::new(Hub::default());
    job.fault("GET", Reply::new(429, "{}").header("Retry-After", 1));
    job.fault(
        "POST",
        Reply::new(403, json!({"message": "You have exceeded a secondary rate limit"})).header("Retry-After", 1),
    );
    job.says(&REPORT, "created: ");
    assert_eq!(job.comments().len(), 1);
    job.fault("GET", Reply::new(403, json!({"message": "secondary rate limit"})).header("retry-after", 3_600));
    job.fails(&REPORT, &["too many requests: secondary rate limit", "try again in 60 min"]);
    let reset = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() + 600;
    let used_up = Reply::new(403, json!({"message": "API rate limit exceeded"})).header("x-ratelimit-remaining", 0);
    job.fault("GET", used_up.header("x-ratelimit-reset", reset));
    job.fails(&REPORT, &["too many requests: API rate limit exceeded", "try again in 10 min"]);
}

#[test]
fn a_server_that_stumbles_is_asked_again_and_one_that_fails_is_told() {
    let job = Job::with(&[(BOT, MARKER)]);
    for method in ["GET", "GET", "PATCH"] {
        job.fault(method, Reply::new(502, "<html>"));
    }
    job.says(&REPORT, "updated: ");
    for _ in 0..4 {
        job.fault("GET", Reply::new(500, json!({"message": format!("oops {TOKEN}")})));
    }
    job.fails(&REPORT, &["fails: oops (secret)", "try again later"]);
}

#[test]
fn a_comment_whose_answer_was_lost_is_not_made_twice() {
    let job = Job::new(Hub { faults_write: true, ..Hub::default() });
    job.fault("POST", Reply::new(502, ""));
    job.says(&REPORT, "created: ");
    assert_eq!(job.comments().len(), 1);
    assert_eq!(job.server.lines().iter().filter(|line| line.starts_with("POST /repos")).count(), 1);
    let job = Job::new(Hub::default());
    job.fault("POST", Reply::new(502, ""));
    job.fails(&REPORT, &["cannot write a comment", "status 502"]);
    assert!(job.comments().is_empty());
}

#[test]
fn a_slow_server_does_not_hold_the_job() {
    for late in [1_500, 700] {
        let job = Job::new(Hub::default());
        job.fault("GET", Reply::new(200, " []").late(late));
        job.fails(&with(&["--timeout", "1"]), &["did not answer within 1 s", "--timeout"]);
    }
}

#[test]
fn an_answer_that_is_too_large_or_none_is_told() {
    let job = Job::new(Hub::default());
    job.fault("GET", Reply::new(200, " ".repeat(33 * 1024 * 1024)));
    job.fails(&REPORT, &["is larger than 33554432 bytes"]);
    job.fault("GET", Reply::new(200, "<html>welcome</html>"));
    job.fails(&REPORT, &["is not what GitHub answers", "GITHUB_API_URL"]);
    let gone = job.run_with(&REPORT, &[("GITHUB_API_URL", "http://127.0.0.1:1")]);
    assert!(gone.code == 2 && gone.stderr.contains("cannot reach `127.0.0.1:1`"), "{gone:?}");
}

#[test]
fn the_token_goes_to_no_other_host() {
    let job = Job::new(Hub::default());
    let other = Server::start(|_| Reply::new(200, "[]"));
    for status in [301, 302, 307, 308] {
        job.fault("GET", Reply::new(status, "").header("Location", format!("{}/stolen", other.url())));
        job.fails(&REPORT, &["sends the request on to `127.0.0.1:", "/stolen`", "--repo"]);
    }
    assert!(other.asked().is_empty(), "{:?}", other.asked());
    for address in ["http://api.example.org", "http://ada:pass@api.example.org", "nonsense"] {
        let out = job.run_with(&REPORT, &[("GITHUB_API_URL", address)]);
        assert!(out.code == 2 && out.stderr.contains("GITHUB_API_URL") && !out.stderr.contains("pass@"), "{out:?}");
    }
}

#[test]
fn a_renamed_repository_is_followed_where_that_is_safe() {
    let job = Job::new(Hub::default());
    let there = "/repos/o/r/issues/7/comments";
    job.fault("GET", Reply::new(301, "").header("Location", there));
    job.fault("POST", Reply::new(307, "").header("Location", there));
    // The server sends both on to the address that was asked, which would go round in a circle.
    let circle = job.run(&REPORT);
    assert!(circle.code == 0 && circle.stdout.starts_with("created: "), "{circle:?}");
    assert_eq!(job.comments().len(), 1);
    let job = Job::new(Hub::default());
    job.fault("POST", Reply::new(301, "").header("Location", "/repositories/1/issues/7/comments"));
    job.fails(&REPORT, &["sends the request on to", "/repositories/1/issues/7/comments", "--repo"]);
    assert!(job.comments().is_empty(), "not turned into a request that reads");
}

#[test]
fn what_is_missing_is_named() {
    let job = Job::new(Hub::default());
    let fails = |arguments: &[&str], variable: (&str, &str), words: &[&str]| {
        let out = job.run_with(arguments, &[variable]);
        assert!(out.code == 2 && words.iter().all(|word| out.stderr.contains(word)), "{words:?}: {out:?}");
    };
    fails(&REPORT, ("GITHUB_TOKEN", ""), &["neither `GITHUB_TOKEN` nor `GH_TOKEN` is set", "env: { GITHUB_TOKEN: $"]);
    fails(&with(&["--token-env", "MINE"]), ("X", ""), &["there is no token: `MINE` is not set"]);
    fails(&REPORT, ("GITHUB_TOKEN", "a b\r\nc"), &["what `GITHUB_TOKEN` holds is no token"]);
    fails(&REPORT, ("GITHUB_REPOSITORY", ""), &["the repository is not known", "--repo OWNER/NAME"]);
    fails(&REPORT, ("GITHUB_REPOSITORY", "../x"), &["`../x`, which is no repository"]);
    fails(&REPORT, ("GITHUB_EVENT_PATH", ""), &["the pull request is not known", "--pr N"]);
    fails(&REPORT, ("GITHUB_EVENT_PATH", "/no/such"), &["cannot read the event in `/no/such`"]);
    fails(&["--report", "none.md"], ("X", ""), &["cannot read the report `none.md`"]);
    fails(&[], ("X", ""), &["--report <FILE>"]);
    job.event(&json!({"ref": "refs/heads/main"}));
    fails(&REPORT, ("GITHUB_EVENT_NAME", "push"), &["the event `push` is about no single pull request", "--pr N"]);
    fs::write(job.folder.path().join("report.md"), b"\xff\xfe").unwrap();
    fails(&REPORT, ("X", ""), &["the report `report.md` is not UTF-8"]);
    job.folder.write("report.md", " \n");
    fails(&REPORT, ("X", ""), &["is empty"]);
    assert!(job.server.lines().is_empty());
}

#[test]
fn options_stand_in_for_the_job() {
    let job = Job::new(Hub::default());
    let none = [("GITHUB_REPOSITORY", ""), ("GITHUB_EVENT_PATH", ""), ("GITHUB_TOKEN", ""), ("MINE", TOKEN)];
    let out = job.run_with(&with(&["--repo", "o/r", "--pr", "7", "--token-env", "MINE"]), &none);
    assert!(out.code == 0 && out.stdout.starts_with("created: "), "{out:?}");
    let out = job.run_with(&REPORT, &[("GITHUB_TOKEN", ""), ("GH_TOKEN", TOKEN)]);
    assert!(out.code == 0 && out.stdout.starts_with("unchanged: "), "{out:?}");
}
