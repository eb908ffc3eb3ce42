//! `citecheck comment`: a report as one comment of a pull request, kept up to date in place. Checks nothing itself: the
//! token is needed here alone, so that what reads the repository holds none.

mod github;
mod target;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use self::github::{Comment, GitHub, Refusal};
use self::target::target;
use super::Context;
use crate::error::{Error, Exit, Kind};
use crate::http::{Client, Limits, Secret};
use crate::report::comment;
use crate::sanitize::sanitize;

const EXAMPLES: &str = "\
Examples:
  citecheck comment --report report.md                what a job calls
  citecheck comment --report report.md --pr 7         for another pull request
  citecheck comment --report report.md --only-update  where nothing was found
  citecheck comment --report report.md --dry-run      print it and send nothing
  citecheck comment --delete                          take the comment away

The report is a page as `citecheck check --output markdown=report.md` writes it.";

/// Put a report into a comment of a pull request
///
/// There is one comment for each marker: it is made once and changed from then on, and left alone where it says the same
/// already. It is found by its hidden marker and by its author, so that nobody else can put one in its place. The token
/// comes from the environment; it needs the permission `pull-requests: write`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The report, a Markdown file; `-` is standard input
    #[arg(long, value_name = "FILE", required_unless_present = "delete")]
    report: Option<PathBuf>,

    /// The repository of the pull request; else GITHUB_REPOSITORY
    #[arg(long, value_name = "OWNER/NAME", value_parser = target::repository)]
    repo: Option<(String, String)>,

    /// The number of the pull request; else the one of the event in GITHUB_EVENT_PATH
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pr: Option<u64>,

    /// Keeps several comments apart, as for several configurations
    #[arg(long, value_name = "NAME", default_value = "report", value_parser = marker_name)]
    marker: String,

    /// Change a comment that is there and make no new one, as for a report without findings
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true)]
    #[arg(default_value_t = false, default_missing_value = "true", action = clap::ArgAction::Set)]
    only_update: bool,

    /// Delete the comment, if there is one
    #[arg(long, conflicts_with_all = ["report", "only_update"])]
    delete: bool,

    /// The variable that holds the token; else GITHUB_TOKEN or GH_TOKEN
    #[arg(long, value_name = "VARIABLE")]
    token_env: Option<String>,

    /// Whose comments are ours; else the one whom the token belongs to
    #[arg(long, value_name = "LOGIN")]
    author: Option<String>,

    /// Seconds that one request may take
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=600))]
    timeout: u64,

    /// Print the comment and send nothing
    #[arg(long, conflicts_with = "delete")]
    dry_run: bool,
}

/// Bytes of a report; more is none.
const MOST_REPORT: u64 = 4 * 1024 * 1024;
/// Bytes of an answer: a page of a hundred comments, each as long as it can be.
const MOST_ANSWER: u64 = 32 * 1024 * 1024;
/// How long all tries of one request may wait: GitHub asks for a minute where it is asked too much.
const PATIENCE: Duration = Duration::from_secs(90);
const API: &str = "https://api.github.com";
const HEADERS: [(&str, &str); 2] = [("accept", "application/vnd.github+json"), ("x-github-api-version", "2022-11-28")];

/// Puts the report where it belongs and says what was done.
pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let marker = format!("<!-- citecheck: {} -->", args.marker);
    let body = args.report.as_deref().map(|path| read(path).map(|page| comment(&marker, &page))).transpose()?;
    if let Some(body) = body.as_deref().filter(|_| args.dry_run) {
        out.write_all(body.as_bytes()).map_err(|error| Error::io("write to standard output", error))?;
        return Ok(Exit::Clean);
    }
    let target = target(args.repo.as_ref(), args.pr, context)?;
    let (token_env, token) = token(args, context)?;
    let limits = Limits { timeout: Duration::from_secs(args.timeout), patience: PATIENCE, answer: MOST_ANSWER };
    let api = context.variable("GITHUB_API_URL").unwrap_or(API);
    let client = Client::new(api, Some(token), &HEADERS, limits).map_err(|failure| {
        Error::new(Kind::Usage, failure.to_string()).hint("GITHUB_API_URL is an address as `https://api.github.com`")
    })?;
    let github = GitHub { client, target: &target, token_env };
    let done = match upsert(&github, args, &marker, body.as_deref()) {
        Ok(done) => done,
        Err(Refusal::ReadOnly(_)) if target.is_fork => {
            "no comment: the token of a pull request from a fork can only read".to_owned()
        }
        Err(refusal) => return Err(refusal.into()),
    };
    writeln!(out, "{}", sanitize(&done)).map_err(|error| Error::io("write to standard output", error))?;
    Ok(Exit::Clean)
}

/// Brings the comment to what it shall say; without a body, away. Gives what was done.
fn upsert(github: &GitHub<'_>, args: &Args, marker: &str, body: Option<&str>) -> Result<String, Refusal> {
    let told = |did: &str, comment: &Comment| format!("{did}: {}", comment.html_url);
    match (ours(github, args, marker)?, body) {
        (Some(comment), None) => github.delete(comment.id).map(|()| told("deleted", &comment)),
        (Some(comment), Some(body)) if is_same(&comment, body) => Ok(told("unchanged", &comment)),
        (Some(comment), Some(body)) => github.update(comment.id, body).map(|comment| told("updated", &comment)),
        (None, Some(body)) if !args.only_update => match github.create(body) {
            Ok(comment) => Ok(told("created", &comment)),
            // It may be there all the same, and must not be there twice.
            Err(Refusal::Unknown(error)) => match ours(github, args, marker)? {
                Some(comment) if is_same(&comment, body) => Ok(told("created", &comment)),
                Some(_) | None => Err(Refusal::Unknown(error)),
            },
            Err(refusal) => Err(refusal),
        },
        (None, Some(_) | None) => Ok("nothing to do: there is no comment".to_owned()),
    }
}

/// The comment that is ours: it has the marker, and the author is the one whom the token belongs to. Anybody can write a
/// marker.
fn ours(github: &GitHub<'_>, args: &Args, marker: &str) -> Result<Option<Comment>, Refusal> {
    let marked = github.marked(marker)?;
    if marked.is_empty() {
        return Ok(None);
    }
    let login = match &args.author {
        Some(login) => login.clone(),
        None => github.login()?.ok_or_else(|| {
            let error = Error::new(
                Kind::Network,
                "cannot find out whose token it is, so a comment with our marker may be anybody's",
            );
            Refusal::Other(error.hint("name the author of the comment with --author, as `github-actions[bot]`"))
        })?,
    };
    Ok(marked.into_iter().find(|comment| comment.is_by(&login)))
}

/// Whether a comment says so already. GitHub may store it with other line ends.
fn is_same(comment: &Comment, body: &str) -> bool {
    let normal = |text: &str| text.replace("\r\n", "\n").trim_end().to_owned();
    comment.body.as_deref().is_some_and(|stored| normal(stored) == normal(body))
}

/// The token, and the name of the variable that holds it.
fn token<'a>(args: &'a Args, context: &Context) -> Result<(&'a str, Secret), Error> {
    let given = args.token_env.as_deref();
    let names = given.map_or_else(|| vec!["GITHUB_TOKEN", "GH_TOKEN"], |name| vec![name]);
    let Some((name, value)) = names.iter().find_map(|name| context.variable(name).map(|value| (*name, value))) else {
        let names = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" nor ");
        let is = if given.is_some() { "is not" } else { "is" };
        let neither = if given.is_some() { "" } else { "neither " };
        return Err(Error::new(Kind::Usage, format!("there is no token: {neither}{names} {is} set"))
            .hint("in a workflow, set `env: { GITHUB_TOKEN: ${{ github.token }} }` on the step"));
    };
    let secret =
        Secret::new(value).ok_or_else(|| Error::new(Kind::Usage, format!("what `{name}` holds is no token")))?;
    Ok((name, secret))
}

fn read(path: &Path) -> Result<String, Error> {
    let doing = format!("read the report `{}`", path.display());
    let failed = |error| Error::io(&doing, error);
    let reader: Box<dyn Read> = match path.as_os_str() == "-" {
        true => Box::new(io::stdin().lock()),
        false => Box::new(File::open(path).map_err(failed)?),
    };
    let mut bytes = Vec::new();
    reader.take(MOST_REPORT + 1).read_to_end(&mut bytes).map_err(failed)?;
    let wrong = |why: &str| {
        Error::new(Kind::Usage, format!("the report `{}` {why}", path.display()))
            .hint("`citecheck check --output markdown=report.md` writes one")
    };
    if bytes.len() as u64 > MOST_REPORT {
        return Err(wrong(&format!("is larger than {MOST_REPORT} bytes")));
    }
    let page = String::from_utf8(bytes).map_err(|_| wrong("is not UTF-8"))?;
    if page.trim().is_empty() { Err(wrong("is empty")) } else { Ok(page) }
}

/// A name that an HTML comment can hold; clap shows the error behind the value.
fn marker_name(text: &str) -> Result<String, String> {
    let is_plain = text.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.'));
    match is_plain && !text.is_empty() && text.len() <= 60 && !text.contains("--") && !text.ends_with('-') {
        true => Ok(text.to_owned()),
        false => Err("use up to 60 letters, digits, `.`, `_` and single `-`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_cannot_close_its_comment() {
        for name in ["report", "pump-2.cfg", "A_1"] {
            assert_eq!(marker_name(name).as_deref(), Ok(name));
        }
        for name in ["", "a--b", "a-", "-->", "a b", "ä", &"x".repeat(61)] {
            assert!(marker_name(name).is_err(), "{name}");
        }
    }
}
