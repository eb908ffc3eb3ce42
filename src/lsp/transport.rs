//! Messages as they come in: the frames of the base protocol, read on a thread of their own. Does not know what a message
//! asks for.
//!
//! The library's own reader ends at the first malformed message and takes memory for whatever length a header claims. A
//! client that makes one mistake should not lose its server, so frames are read here.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::Sender;

use lsp_server::Message;

use super::server::Event;

/// The longest message: many times the size of a text that an editor opens.
const MOST_BYTES: u64 = 64 << 20;
/// The longest line of a header.
const MOST_HEADER: u64 = 4 << 10;

/// What a client sent.
#[derive(Debug)]
pub(super) enum Incoming {
    Message(Message),
    /// No message, and why.
    Malformed(String),
}

/// Reads standard input until it ends, each message an event.
pub(super) fn listen(events: Sender<Event>) {
    std::thread::spawn(move || {
        let mut input = io::stdin().lock();
        // What can't be read any more has ended, too.
        while let Ok(Some(incoming)) = read(&mut input) {
            if events.send(Event::Incoming(incoming)).is_err() {
                return;
            }
        }
        // Nobody left to tell: the server is gone already.
        _ = events.send(Event::Closed);
    });
}

/// The next message; `None` at the end of the input.
pub(super) fn read(input: &mut dyn BufRead) -> io::Result<Option<Incoming>> {
    let malformed = |why: String| Ok(Some(Incoming::Malformed(why)));
    let mut length = None;
    loop {
        let mut line = Vec::new();
        input.take(MOST_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        match line.split_once(':') {
            None if line.is_empty() => break,
            None => return malformed("a header line without a colon".to_owned()),
            Some((name, value)) if name.eq_ignore_ascii_case("Content-Length") => match value.trim().parse::<u64>() {
                Ok(bytes) => length = Some(bytes),
                Err(error) => return malformed(format!("Content-Length is no number: {error}")),
            },
            Some(_) => {}
        }
    }
    let Some(length) = length else { return malformed("a header without Content-Length".to_owned()) };
    let mut body = input.take(length);
    if length > MOST_BYTES {
        io::copy(&mut body, &mut io::sink())?;
        return malformed(format!("a message of {length} bytes is too long"));
    }
    let mut bytes = Vec::new();
    if (body.read_to_end(&mut bytes)? as u64) < length {
        return Ok(None);
    }
    match serde_json::from_slice(&bytes) {
        Ok(message) => Ok(Some(Incoming::Message(message))),
        Err(error) => malformed(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads all of it and names what came.
    fn all(text: &[u8]) -> Vec<String> {
        let mut input = text;
        let mut read = || super::read(&mut input).unwrap();
        std::iter::from_fn(|| {
            read().map(|incoming| match incoming {
                Incoming::Message(Message::Request(request)) => request.method,
                Incoming::Message(Message::Notification(notification)) => notification.method,
                Incoming::Message(Message::Response(response)) => response.id.to_string(),
                Incoming::Malformed(why) => format!("! {why}"),
            })
        })
        .collect()
    }

    fn frame(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn messages_follow_each_other() {
        let two = format!(
            "{}content-type: x\r\n{}",
            frame(r#"{"jsonrpc":"2.0","id":1,"method":"a"}"#),
            frame(r#"{"method":"é"}"#)
        );
        assert_eq!(all(two.as_bytes()), ["a", "é"]);
        assert!(all(b"").is_empty());
        assert!(all(b"Content-Length: 9\r\n\r\n{}").is_empty(), "cut off");
    }

    #[test]
    fn what_is_malformed_hides_nothing_behind_it() {
        let after = frame(r#"{"method":"exit"}"#);
        let check = |bad: &[u8], expected: &str| {
            let told = all(&[bad, after.as_bytes()].concat());
            assert!(told[0].starts_with(expected), "{told:?}");
            assert_eq!(told.last().unwrap(), "exit", "{told:?}");
        };
        check(b"hello\r\n", "! a header line without a colon");
        check(b"\xff\xfe\r\n", "! a header line without a colon");
        check(b"Content-Length: many\r\n", "! Content-Length is no number");
        check(b"X: y\r\n\r\n", "! a header without Content-Length");
        check(frame("{\"method\":").as_bytes(), "! EOF while parsing");
        check(frame("[]").as_bytes(), "! data did not match any variant");
        check(frame(r#"{"id":{},"method":"a"}"#).as_bytes(), "");
        check(b"Content-Length: 2\r\n\r\n\xff\xfe", "! expected value");
    }

    #[test]
    fn a_length_takes_no_memory_before_the_bytes_are_there() {
        assert_eq!(
            all(b"Content-Length: 18446744073709551615\r\n\r\n{}"),
            ["! a message of 18446744073709551615 bytes is too long"]
        );
        assert!(all(b"Content-Length: 60000000\r\n\r\n{}").is_empty());
    }
}
