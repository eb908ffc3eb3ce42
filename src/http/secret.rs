//! A token or key: can be sent, and can't be shown. Does not know where it comes from.

use std::fmt;

use reqwest::header::HeaderValue;

/// A secret. What shows it for people or programs shows that there is one.
#[derive(Clone)]
pub(crate) struct Secret(String);

/// Shorter secrets could stand in any text by chance.
const LEAST_TO_REDACT: usize = 6;

impl Secret {
    /// White space around it is no part of it, as a file or a pipe may have added a line end. `None` if nothing is left
    /// or it has characters that no header can carry.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let can_be_sent = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        can_be_sent.then(|| Self(text.to_owned()))
    }

    pub(super) fn bearer(&self) -> HeaderValue {
        let text = format!("Bearer {}", self.0);
        let mut value = HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""));
        value.set_sensitive(true);
        value
    }

    /// A text in which the secret, wherever it stands, is covered.
    pub(super) fn redact(&self, text: &str) -> String {
        match self.0.len() < LEAST_TO_REDACT {
            true => text.to_owned(),
            false => text.replace(&self.0, "(secret)"),
        }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("(secret)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_shown() {
        let secret = Secret::new(" ghs_abcdef\n").expect("a secret");
        assert_eq!(format!("{secret:?} {:?}", Some(&secret)), "(secret) Some((secret))");
        assert_eq!(secret.redact("bad token ghs_abcdef, ghs_abcde"), "bad token (secret), ghs_abcde");
        assert!(!format!("{:?}", secret.bearer()).contains("ghs"));
        assert_eq!(secret.bearer(), "Bearer ghs_abcdef");
    }

    #[test]
    fn what_no_header_can_carry_is_no_secret() {
        for text in ["", " \n", "a b", "a\r\nX-Evil: 1", "é"] {
            assert!(Secret::new(text).is_none(), "{text:?}");
        }
    }
}
