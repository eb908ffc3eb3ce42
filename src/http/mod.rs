//! Requests to one server, for those who asked for them: with time limits, a bounded answer, patience where the server
//! asks for it, and a secret that goes to no other host. Knows no API; what an answer means is the caller's to say.

mod retry;
mod secret;

use std::io::Read;
use std::time::{Duration, Instant};

use reqwest::blocking;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::redirect::Policy;

pub(crate) use reqwest::{Method, Url};
pub(crate) use retry::{RateLimit, Retry};
pub(crate) use secret::Secret;

/// What a server may cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// One request, from the connection to the end of the answer.
    pub(crate) timeout: Duration,
    /// All waiting between the tries of one request.
    pub(crate) patience: Duration,
    /// Bytes of an answer.
    pub(crate) answer: u64,
}

/// One server, and what is sent to it with every request.
#[derive(Debug)]
pub(crate) struct Client {
    http: blocking::Client,
    base: Url,
    secret: Option<Secret>,
    limits: Limits,
}

/// One request.
#[derive(Clone, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) method: Method,
    pub(crate) url: Url,
    /// JSON.
    pub(crate) body: Option<&'a str>,
    pub(crate) retry: Retry,
}

/// What came back, whatever the status.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// Why there is no answer. Never holds a secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Failure {
    #[error("`{0}` is not an address that requests can go to")]
    NoAddress(String),
    #[error("a secret does not go to `{0}` unencrypted")]
    Unencrypted(String),
    #[error("cannot reach `{host}`: {cause}")]
    Unreachable { host: String, cause: String },
    #[error("`{host}` did not answer within {} s", .seconds)]
    TimedOut { host: String, seconds: u64 },
    #[error("the answer of `{host}` is larger than {limit} bytes")]
    TooLarge { host: String, limit: u64 },
    #[error("`{host}` sends the request on to `{to}`")]
    Redirected { host: String, to: String },
    #[error("cannot make requests: {0}")]
    Broken(String),
}

/// How often a server may send a request on.
const MOST_REDIRECTS: usize = 5;

impl Client {
    /// A client for the server at `base`. A secret is taken along only encrypted, or to this machine.
    pub(crate) fn new(
        base: &str,
        secret: Option<Secret>,
        headers: &[(&'static str, &'static str)],
        limits: Limits,
    ) -> Result<Self, Failure> {
        let no_address = || Failure::NoAddress(base.to_owned());
        let url = Url::parse(base.trim_end_matches('/')).map_err(|_| no_address())?;
        let has_credentials = !url.username().is_empty() || url.password().is_some();
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() || url.query().is_some() {
            return Err(no_address());
        }
        // What stands in an address is told in errors.
        if has_credentials {
            return Err(Failure::NoAddress(format!("{}://…@{}", url.scheme(), host(&url))));
        }
        if secret.is_some() && url.scheme() != "https" && !is_this_machine(&url) {
            return Err(Failure::Unencrypted(host(&url)));
        }
        // A second one finds the first in its place, which is as good.
        _ = rustls::crypto::ring::default_provider().install_default();
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        let mut http = blocking::Client::builder();
        if is_this_machine(&url) {
            // A proxy would be another one.
            http = http.no_proxy();
        }
        let http = http
            .user_agent(concat!("citecheck/", env!("CARGO_PKG_VERSION")))
            .default_headers(headers.iter().map(pair).collect())
            .timeout(limits.timeout)
            .connect_timeout(limits.timeout)
            // Followed here, where it is known which hosts may see the secret.
            .redirect(Policy::none())
            .build()
            .map_err(|error| Failure::Broken(cause(&error)))?;
        Ok(Self { http, base: url, secret, limits })
    }

    /// The address of something of the server: the segments of its path, each taken as it is, below the base.
    pub(crate) fn url(&self, segments: &[&str]) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        url
    }

    /// An address that the server gave, if it is on the same server.
    pub(crate) fn own_url(&self, text: &str) -> Option<Url> {
        Url::parse(text).ok().filter(|url| url.origin() == self.base.origin())
    }

    /// Sends a request, again where that may help, and gives the last answer.
    pub(crate) fn send(&self, request: &Request<'_>) -> Result<Answer, Failure> {
        let started = Instant::now();
        let mut tries = 0;
        loop {
            let outcome = self.follow(request);
            let left = self.limits.patience.saturating_sub(started.elapsed());
            match retry::wait(&outcome, request.retry, tries) {
                Some(wait) if wait <= left => std::thread::sleep(wait),
                Some(_) | None => return outcome,
            }
            tries += 1;
        }
    }

    /// A text without the secret, should a server have repeated it.
    pub(crate) fn without_secret(&self, text: &str) -> String {
        self.secret.as_ref().map_or_else(|| text.to_owned(), |secret| secret.redact(text))
    }

    pub(crate) fn host(&self) -> String {
        host(&self.base)
    }

    /// One try, through redirections on the same server: another could be anybody's.
    fn follow(&self, request: &Request<'_>) -> Result<Answer, Failure> {
        let mut url = request.url.clone();
        for _ in 0..=MOST_REDIRECTS {
            let answer = self.once(request, &url)?;
            if !(300..400).contains(&answer.status) || answer.status == 304 {
                return Ok(answer);
            }
            let to = answer.headers.get(LOCATION).and_then(|to| to.to_str().ok());
            let to = to.and_then(|to| url.join(to).ok());
            // 301 to 303 would turn a request that writes into one that reads.
            let keeps_method = request.method == Method::GET || matches!(answer.status, 307 | 308);
            match to {
                Some(to) if keeps_method && to.origin() == self.base.origin() => url = to,
                Some(to) => {
                    let to = self.without_secret(&format!("{}{}", host(&to), to.path()));
                    return Err(Failure::Redirected { host: self.host(), to });
                }
                None => return Ok(answer),
            }
        }
        Err(Failure::Redirected { host: self.host(), to: "itself, without end".to_owned() })
    }

    fn once(&self, request: &Request<'_>, url: &Url) -> Result<Answer, Failure> {
        let ends = Instant::now() + self.limits.timeout;
        let mut sent = self.http.request(request.method.clone(), url.clone());
        if let Some(secret) = &self.secret {
            sent = sent.header(AUTHORIZATION, secret.bearer());
        }
        if let Some(body) = request.body {
            let json = HeaderValue::from_static("application/json");
            sent = sent.header(HeaderName::from_static("content-type"), json).body(body.to_owned());
        }
        let mut response = sent.send().map_err(|error| self.failure(&error))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let mut body = Vec::new();
        let mut chunk = [0; 16 * 1024];
        // The time limit of the client starts anew with every chunk.
        loop {
            let read = match response.read(&mut chunk) {
                Ok(0) => return Ok(Answer { status, headers, body }),
                Ok(read) => read,
                Err(error) => {
                    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<reqwest::Error>());
                    let cut = || Failure::Unreachable { host: self.host(), cause: error.kind().to_string() };
                    return Err(inner.map_or_else(cut, |inner| self.failure(inner)));
                }
            };
            body.extend_from_slice(&chunk[..read]);
            if body.len() as u64 > self.limits.answer {
                return Err(Failure::TooLarge { host: self.host(), limit: self.limits.answer });
            }
            if Instant::now() >= ends {
                return Err(self.timed_out());
            }
        }
    }

    fn failure(&self, error: &reqwest::Error) -> Failure {
        match error.is_timeout() {
            true => self.timed_out(),
            false => Failure::Unreachable { host: self.host(), cause: self.without_secret(&cause(error)) },
        }
    }

    fn timed_out(&self) -> Failure {
        Failure::TimedOut { host: self.host(), seconds: self.limits.timeout.as_secs() }
    }
}

impl<'a> Request<'a> {
    /// One that may be sent twice.
    pub(crate) fn new(method: Method, url: Url, body: Option<&'a str>) -> Self {
        Self { method, url, body, retry: Retry::Always }
    }
}

impl Answer {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    pub(crate) fn json(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// Where the next page of a list is, as the server says.
    pub(crate) fn next_page(&self) -> Option<&str> {
        let links = self.header("link")?.split(',');
        links.filter_map(|link| link.trim().strip_prefix('<')?.split_once('>')).find_map(|(url, parameters)| {
            let is_next = parameters.split(';').any(|it| matches!(it.trim(), "rel=\"next\"" | "rel=next"));
            is_next.then_some(url)
        })
    }
}

/// The host with its port, as errors name it.
fn host(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"))
}

fn is_this_machine(url: &Url) -> bool {
    let name = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The innermost cause: the ones around it only say that a request failed.
fn cause(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { timeout: Duration::from_secs(1), patience: Duration::from_secs(1), answer: 1_000 };

    fn client(base: &str, secret: Option<&str>) -> Result<Client, Failure> {
        Client::new(base, secret.and_then(Secret::new), &[], LIMITS)
    }

    #[test]
    fn a_secret_goes_encrypted_or_nowhere_else() {
        for base in ["https://api.example.org", "http://127.0.0.1:1/v1", "http://localhost:1", "http://[::1]:1"] {
            assert!(client(base, Some("s")).is_ok(), "{base}");
        }
        for base in ["http://api.example.org", "http://127.0.0.1.example.org", "http://10.0.0.1"] {
            assert!(client(base, None).is_ok(), "{base}");
            assert!(matches!(client(base, Some("s")), Err(Failure::Unencrypted(_))), "{base}");
        }
    }

    #[test]
    fn an_address_is_one_of_the_web_without_credentials() {
        for base in ["", "x", "file:///etc", "https://", "ftp://a.example", "https://a.example/?q=1"] {
            assert!(matches!(client(base, None), Err(Failure::NoAddress(_))), "{base}");
        }
        let error = client("https://me:password@a.example", None).expect_err("credentials");
        assert!(!error.to_string().contains("password"), "{error}");
    }

    #[test]
    fn segments_stay_segments() {
        let client = client("https://a.example/api/v3/", None).expect("a client");
        assert_eq!(
            client.url(&["repos", "o/../x?y#z", "n"]).as_str(),
            "https://a.example/api/v3/repos/o%2F..%2Fx%3Fy%23z/n"
        );
        assert!(client.own_url("https://a.example/p?page=2").is_some());
        for other in ["https://b.example/p", "http://a.example/p", "https://a.example:444/p", "/p", ""] {
            assert!(client.own_url(other).is_none(), "{other}");
        }
    }

    #[test]
    fn the_next_page_is_the_one_that_is_called_so() {
        let next = |link: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert("link", HeaderValue::from_static(link));
            Answer { status: 200, headers, body: Vec::new() }.next_page().map(str::to_owned)
        };
        let check = |link, expected: Option<&str>| assert_eq!(next(link).as_deref(), expected, "{link}");
        check("<https://a/2>; rel=\"next\", <https://a/9>; rel=\"last\"", Some("https://a/2"));
        check("<https://a/1>; rel=\"prev\", <https://a/3>; title=x; rel=next", Some("https://a/3"));
        check("<https://a/1>; rel=\"prev\"", None);
        check("rel=\"next\"", None);
        check("", None);
    }
}
