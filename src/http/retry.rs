//! When a request is worth another try, and how long to wait before it: as the server says, or longer each time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Answer, Failure};

/// Which failures let a request be sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Retry {
    /// All that may pass: doing it twice is as good as once.
    Always,
    /// Those after which it is certain that nothing was done: sent twice it would be done twice.
    IfRefused,
}

/// The server wants no further requests for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RateLimit {
    /// How long, as far as it says.
    pub(crate) wait: Option<Duration>,
}

/// How often a request is sent.
const TRIES: u32 = 4;
/// The first wait where the server names none; it doubles.
const FIRST_WAIT: Duration = Duration::from_millis(250);
/// The wait where a rate limit has no end: GitHub asks for a minute at least.
const RATE_LIMIT_WAIT: Duration = Duration::from_secs(60);

impl Answer {
    /// Whether the request was refused for there being too many: 429, or GitHub's 403 that says so in its headers or its
    /// text (<https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api>).
    pub(crate) fn rate_limit(&self) -> Option<RateLimit> {
        self.rate_limit_at(SystemTime::now())
    }

    fn rate_limit_at(&self, now: SystemTime) -> Option<RateLimit> {
        let retry_after = self.header("retry-after").and_then(|text| text.trim().parse().ok()).map(Duration::from_secs);
        let is_used_up = self.header("x-ratelimit-remaining").is_some_and(|left| left.trim() == "0");
        let says_so = || String::from_utf8_lossy(&self.body).to_ascii_lowercase().contains("rate limit");
        let is_limited = match self.status {
            429 => true,
            403 => retry_after.is_some() || is_used_up || says_so(),
            _ => false,
        };
        let reset = self.header("x-ratelimit-reset").filter(|_| is_used_up).and_then(|text| text.trim().parse().ok());
        let until_reset = reset.and_then(|reset: u64| {
            let now = now.duration_since(UNIX_EPOCH).ok()?.as_secs();
            Some(Duration::from_secs(reset.saturating_sub(now)))
        });
        is_limited.then_some(RateLimit { wait: retry_after.or(until_reset) })
    }
}

/// How long to wait before the next try; `None` if there shall be none.
pub(super) fn wait(outcome: &Result<Answer, Failure>, retry: Retry, tries: u32) -> Option<Duration> {
    if tries + 1 >= TRIES {
        return None;
    }
    let growing = FIRST_WAIT * 2_u32.pow(tries);
    let always = retry == Retry::Always;
    match outcome {
        Ok(answer) => match (answer.rate_limit(), answer.status) {
            (Some(RateLimit { wait: Some(wait) }), _) => Some(wait.max(growing)),
            // Other servers than GitHub say 429 for a moment's load.
            (Some(RateLimit { wait: None }), 429) => Some(growing),
            (Some(RateLimit { wait: None }), _) => Some(RATE_LIMIT_WAIT),
            (None, 408 | 500 | 502 | 503 | 504 | 529) if always => Some(growing),
            (None, _) => None,
        },
        Err(Failure::Unreachable { .. }) if always => Some(growing),
        // Whoever was silent for the whole time will hardly be quicker.
        Err(
            Failure::Unreachable { .. }
            | Failure::TimedOut { .. }
            | Failure::NoAddress(_)
            | Failure::Unencrypted(_)
            | Failure::TooLarge { .. }
            | Failure::Redirected { .. }
            | Failure::Broken(_),
        ) => None,
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

    use super::*;

    fn answer(status: u16, headers: &[(&'static str, &'static str)], body: &str) -> Answer {
        let pair = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        Answer { status, headers: headers.iter().map(pair).collect::<HeaderMap>(), body: body.into() }
    }

    #[test]
    fn rate_limits_are_told_from_missing_permissions() {
        let now = UNIX_EPOCH + Duration::from_secs(1_000);
        let check = |status, headers: &[(&'static str, &'static str)], body, expected: Option<Option<u64>>| {
            let found = answer(status, headers, body).rate_limit_at(now);
            assert_eq!(found.map(|it| it.wait.map(|wait| wait.as_secs())), expected, "{status} {headers:?} {body}");
        };
        check(429, &[], "", Some(None));
        check(429, &[("retry-after", "7")], "", Some(Some(7)));
        check(403, &[("retry-after", "7")], "", Some(Some(7)));
        check(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1090")], "", Some(Some(90)));
        check(403, &[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "10")], "", Some(Some(0)));
        check(403, &[], "You have exceeded a secondary rate limit.", Some(None));
        check(403, &[("x-ratelimit-remaining", "12"), ("x-ratelimit-reset", "1090")], "no", None);
        check(200, &[("x-ratelimit-remaining", "0")], "", None);
        check(500, &[("retry-after", "7")], "", None);
    }

    #[test]
    fn what_may_have_been_done_is_not_done_again() {
        let millis =
            |outcome: Result<Answer, Failure>, retry, tries| wait(&outcome, retry, tries).map(|wait| wait.as_millis());
        let status = |status| Ok(answer(status, &[], ""));
        assert_eq!(millis(status(502), Retry::Always, 0), Some(250));
        assert_eq!(millis(status(502), Retry::Always, 2), Some(1_000));
        assert_eq!(millis(status(502), Retry::Always, 3), None);
        assert_eq!(millis(status(502), Retry::IfRefused, 0), None);
        assert_eq!(millis(status(429), Retry::IfRefused, 1), Some(500));
        assert_eq!(millis(Ok(answer(429, &[("retry-after", "2")], "")), Retry::IfRefused, 0), Some(2_000));
        assert_eq!(millis(Ok(answer(403, &[], "secondary rate limit")), Retry::Always, 0), Some(60_000));
        assert_eq!(millis(status(404), Retry::Always, 0), None);
        assert_eq!(millis(status(200), Retry::Always, 0), None);
        let cut = || Err(Failure::Unreachable { host: String::new(), cause: String::new() });
        assert_eq!(millis(cut(), Retry::Always, 0), Some(250));
        assert_eq!(millis(cut(), Retry::IfRefused, 0), None);
        let slow = Err(Failure::TimedOut { host: String::new(), seconds: 1 });
        assert_eq!(millis(slow, Retry::Always, 0), None);
    }
}
