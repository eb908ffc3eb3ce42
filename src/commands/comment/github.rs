//! The comments of a pull request through GitHub's API: list, make, change, delete. What a refusal means is said here;
//! which comment is ours and what it shall say is decided elsewhere.

use serde::Deserialize;
use serde_json::json;

use super::target::Target;
use crate::error::{Error, Kind};
use crate::http::{Answer, Client, Failure, Method, RateLimit, Request, Retry, Url};

/// As many as GitHub gives at once, and as many pages as its 2,500 comments of one pull request can take.
const PER_PAGE: &str = "100";
const MOST_PAGES: usize = 30;

/// A pull request on a server that speaks GitHub's API.
pub(super) struct GitHub<'a> {
    pub(super) client: Client,
    pub(super) target: &'a Target,
    /// The variable that the token is from.
    pub(super) token_env: &'a str,
}

/// A comment, as far as it matters here.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Comment {
    pub(super) id: u64,
    #[serde(default)]
    pub(super) html_url: String,
    #[serde(default)]
    pub(super) body: Option<String>,
    /// None for somebody who is gone.
    user: Option<User>,
}

#[derive(Clone, Debug, Deserialize)]
struct User {
    login: String,
}

/// Why something could not be done, told apart as far as the way on differs.
pub(super) enum Refusal {
    /// It may have been done all the same.
    Unknown(Error),
    /// The token may not write.
    ReadOnly(Error),
    Other(Error),
}

impl Comment {
    pub(super) fn is_by(&self, login: &str) -> bool {
        self.user.as_ref().is_some_and(|user| user.login.eq_ignore_ascii_case(login))
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unknown(error) | Refusal::ReadOnly(error) | Refusal::Other(error) => error,
        }
    }
}

impl GitHub<'_> {
    /// The comments that start with the marker, oldest first, whoever wrote them.
    pub(super) fn marked(&self, marker: &str) -> Result<Vec<Comment>, Refusal> {
        let doing = "read the comments";
        let mut url = self.of_issue(&["comments"]);
        url.query_pairs_mut().append_pair("per_page", PER_PAGE);
        let mut marked = Vec::new();
        for _ in 0..MOST_PAGES {
            let answer = self.ask(&Request::new(Method::GET, url, None), doing)?;
            let comments: Vec<Comment> = self.read(&answer, doing)?;
            let is_marked = |comment: &Comment| comment.body.as_deref().is_some_and(|body| body.starts_with(marker));
            marked.extend(comments.into_iter().filter(is_marked));
            let Some(next) = answer.next_page() else { return Ok(marked) };
            url = self.client.own_url(next).ok_or_else(|| {
                let message = format!("cannot {doing}: `{}` names a page on another server", self.client.host());
                Refusal::Other(Error::new(Kind::Network, message))
            })?;
        }
        let message = format!("cannot {doing}: there are more than {MOST_PAGES} pages of them");
        Err(Refusal::Other(Error::new(Kind::Network, message)))
    }

    /// Whom the token belongs to. GitHub answers that question for the tokens of people only; to those of apps, as jobs
    /// have one, it tells it in GraphQL.
    pub(super) fn login(&self) -> Result<Option<String>, Refusal> {
        let ask = |request: &Request<'_>| self.client.send(request).map_err(|failure| failed(failure, WHO));
        let user = ask(&Request::new(Method::GET, self.client.url(&["user"]), None))?;
        if user.status == 401 || user.rate_limit().is_some() {
            return Err(self.refused(&user, WHO));
        }
        let login = |answer: &Answer, pointer: &str| {
            let value = answer.json().filter(|_| answer.is_success())?;
            value.pointer(pointer).and_then(|login| login.as_str()).filter(|login| !login.is_empty()).map(str::to_owned)
        };
        if let Some(login) = login(&user, "/login") {
            return Ok(Some(login));
        }
        let query = json!({"query": "query { viewer { login } }"}).to_string();
        let viewer = ask(&Request::new(Method::POST, self.graphql(), Some(&query)))?;
        Ok(login(&viewer, "/data/viewer/login"))
    }

    pub(super) fn create(&self, body: &str) -> Result<Comment, Refusal> {
        let doing = "write a comment";
        let body = json!({"body": body}).to_string();
        let request = Request::new(Method::POST, self.of_issue(&["comments"]), Some(&body));
        let answer = self.ask(&Request { retry: Retry::IfRefused, ..request }, doing)?;
        self.read(&answer, doing)
    }

    pub(super) fn update(&self, id: u64, body: &str) -> Result<Comment, Refusal> {
        let doing = "change the comment";
        let body = json!({"body": body}).to_string();
        let answer = self.ask(&Request::new(Method::PATCH, self.of_comment(id), Some(&body)), doing)?;
        self.read(&answer, doing)
    }

    pub(super) fn delete(&self, id: u64) -> Result<(), Refusal> {
        let doing = "delete the comment";
        let request = Request::new(Method::DELETE, self.of_comment(id), None);
        let answer = self.client.send(&request).map_err(|failure| failed(failure, doing))?;
        // Gone is gone, be it by an earlier try.
        if answer.is_success() || answer.status == 404 { Ok(()) } else { Err(self.refused(&answer, doing)) }
    }

    fn of_issue(&self, rest: &[&str]) -> Url {
        let Target { owner, name, number, .. } = self.target;
        self.client.url(&[&["repos", owner, name, "issues", &number.to_string()], rest].concat())
    }

    fn of_comment(&self, id: u64) -> Url {
        let Target { owner, name, .. } = self.target;
        self.client.url(&["repos", owner, name, "issues", "comments", &id.to_string()])
    }

    /// `api.github.com/graphql`, and on a server of one's own `/api/graphql` beside `/api/v3`.
    fn graphql(&self) -> Url {
        let mut url = self.client.url(&["graphql"]);
        if let Some(path) = url.path().strip_suffix("/v3/graphql").map(|path| format!("{path}/graphql")) {
            url.set_path(&path);
        }
        url
    }

    fn ask(&self, request: &Request<'_>, doing: &str) -> Result<Answer, Refusal> {
        let answer = self.client.send(request).map_err(|failure| failed(failure, doing))?;
        if answer.is_success() { Ok(answer) } else { Err(self.refused(&answer, doing)) }
    }

    fn read<T: serde::de::DeserializeOwned>(&self, answer: &Answer, doing: &str) -> Result<T, Refusal> {
        serde_json::from_slice(&answer.body).map_err(|error| {
            // The error quotes what it found.
            let error = self.client.without_secret(&error.to_string());
            let message =
                format!("cannot {doing}: the answer of `{}` is not what GitHub answers: {error}", self.client.host());
            Refusal::Unknown(Error::new(Kind::Network, message).hint("GITHUB_API_URL names the address of the API"))
        })
    }

    /// Puts a refusal into words: what was refused, GitHub's own reason, and the way out.
    fn refused(&self, answer: &Answer, doing: &str) -> Refusal {
        let said = answer.json().and_then(|value| value.get("message")?.as_str().map(str::to_owned));
        let said = self.client.without_secret(&said.unwrap_or_default().chars().take(200).collect::<String>());
        let reason = if said.is_empty() { format!("status {}", answer.status) } else { said };
        let error = |text: String| Error::new(Kind::Network, format!("cannot {doing}: {text}"));
        let Target { owner, name, number, .. } = self.target;
        if let Some(limit) = answer.rate_limit() {
            return Refusal::Other(error(format!("too many requests: {reason}")).hint(until(limit)));
        }
        match answer.status {
            401 => Refusal::Other(
                error(format!("the token is not accepted: {reason}"))
                    .hint(format!("`{}` holds a token that is wrong or has expired", self.token_env)),
            ),
            403 => Refusal::ReadOnly(error(format!("the token may not do that: {reason}")).hint(PERMISSION).hint(FORK)),
            404 => {
                let unknown =
                    format!("there is no pull request {number} in `{owner}/{name}`, or the token may not see it");
                Refusal::Other(error(unknown).hint(PERMISSION).hint("--repo and --pr name another one"))
            }
            422 => Refusal::Other(error(format!("the comment is refused: {reason}"))),
            500.. => {
                Refusal::Unknown(error(format!("`{}` fails: {reason}", self.client.host())).hint("try again later"))
            }
            _ => Refusal::Other(error(reason)),
        }
    }
}

const WHO: &str = "find out whose token it is";
const PERMISSION: &str = "in a workflow, give the job `permissions: { contents: read, pull-requests: write }`";
const FORK: &str = "in a pull request from a fork the job's token can only read, whatever the permissions are";

fn failed(failure: Failure, doing: &str) -> Refusal {
    let error = Error::new(Kind::Network, format!("cannot {doing}: {failure}"));
    match failure {
        Failure::Unreachable { .. } => Refusal::Unknown(error),
        Failure::TimedOut { .. } => Refusal::Unknown(error.hint("--timeout gives it more time")),
        Failure::Redirected { .. } => Refusal::Other(error.hint("name the repository as it is called now with --repo")),
        Failure::NoAddress(_) | Failure::Unencrypted(_) | Failure::TooLarge { .. } | Failure::Broken(_) => {
            Refusal::Other(error)
        }
    }
}

fn until(limit: RateLimit) -> String {
    match limit.wait.map(|wait| wait.as_secs()) {
        None => "try again in a few minutes".to_owned(),
        Some(seconds) if seconds < 120 => format!("try again in {seconds} s"),
        Some(seconds) => format!("try again in {} min", seconds.div_ceil(60)),
    }
}
