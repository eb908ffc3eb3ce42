//! JSON as one line that no terminal and no log obeys: it can be appended to a log, read line by line, and no reader needs
//! to find its end. `jq` makes it pretty. What could do harm is spelled `\u` and four digits, which means the same to a
//! reader of JSON. What is written is for others to say.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use crate::sanitize::is_hostile;

/// Writes a document and the end of its line.
pub(crate) fn write(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    document.serialize(&mut Serializer::with_formatter(&mut *out, Harmless))?;
    writeln!(out)
}

/// Compact JSON in which no string holds what a terminal or a log could obey.
struct Harmless;

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut written = 0;
        let mut before = None;
        for (at, it) in fragment.char_indices() {
            let end = at + it.len_utf8();
            // `##[` starts a workflow command anywhere in a line.
            let command = it == '#' && before == Some('#') && fragment[end..].starts_with('[');
            if command || is_hostile(it) {
                writer.write_all(&fragment.as_bytes()[written..at])?;
                for unit in it.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
                written = end;
            }
            before = Some(it);
        }
        writer.write_all(&fragment.as_bytes()[written..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_do_harm_is_spelled_out_and_means_the_same() {
        let check = |text: &str, expected: &str| {
            let mut line = Vec::new();
            write(&text, &mut line).unwrap();
            assert_eq!(String::from_utf8(line.clone()).unwrap(), format!("{expected}\n"));
            assert_eq!(serde_json::from_slice::<String>(&line).unwrap(), text);
        };
        check("Überdruck \"a\" \\ 5 µm", r#""Überdruck \"a\" \\ 5 µm""#);
        check("a\nb\u{1b}[2J", r#""a\nb\u001b[2J""#);
        check("\u{202e}x\u{9b}y", r#""\u202ex\u009by""#);
        check("\u{e0041}", r#""\udb40\udc41""#);
        check("##[group] and # [", r##""#\u0023[group] and # [""##);
    }
}
