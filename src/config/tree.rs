//! YAML text to a tree in which every key and value has its place. Knows no key of ours.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::options::DuplicateKeyPolicy;
use serde_yaml::{DefaultMessageFormatter, Location, MessageFormatter, NonFiniteFloatPolicy, Spanned};

use super::Problem;
use crate::cases::{quoted, why_no_yaml};
use crate::diagnostic::advice;
use crate::source::{SourceId, Span};

/// A value with its place: all of a scalar, quotes included; of a collection only its start, often empty.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Nothing,
    Bool(bool),
    /// Text, or a number as it was typed: `5.10` is not 5.1.
    Text(String),
    List(Vec<Node>),
    /// In the order of the text; repeated keys are all there.
    Map(Vec<(Node, Node)>),
}

/// Reads one document. An empty text holds [`Value::Nothing`].
pub(super) fn parse(source: SourceId, text: &str) -> Result<Node, Problem> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! { max_depth: 64, max_nodes: 10_000, enforce_alias_anchor_ratio: false },
        strict_booleans: true,
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        // Text such as `1234567e8901` is a number too big for a float: no reason to stop.
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
    };
    match serde_yaml::from_str_with_options::<Spanned<Raw>>(text, options) {
        Ok(root) => Ok(Places { source, text }.node(root)),
        Err(error) => Err(Places { source, text }.problem(&error)),
    }
}

/// Turns the library's places into ours.
struct Places<'a> {
    source: SourceId,
    text: &'a str,
}

impl Places<'_> {
    fn node(&self, raw: Spanned<Raw>) -> Node {
        let value = match raw.value {
            Raw::Nothing => Value::Nothing,
            Raw::Bool(value) => Value::Bool(value),
            Raw::Number => {
                let typed = self.span(raw.defined);
                Value::Text(self.text[typed.start..typed.end].to_owned())
            }
            Raw::Text(text) => Value::Text(text),
            Raw::List(items) => Value::List(items.into_iter().map(|item| self.node(item)).collect()),
            Raw::Map(entries) => {
                Value::Map(entries.into_iter().map(|(key, value)| (self.node(key), self.node(value))).collect())
            }
        };
        Node { span: self.span(raw.referenced), value }
    }

    fn problem(&self, error: &serde_yaml::Error) -> Problem {
        use serde_yaml::Error;

        let mut cause = error;
        while let Error::AliasError { error, .. } | Error::WithSnippet { error, .. } = cause {
            cause = error;
        }
        let message = if matches!(cause, Error::MultipleDocuments { .. }) {
            "a second YAML document starts in the configuration".to_owned()
        } else if matches!(cause, Error::Budget { .. }) {
            "the configuration is too big".to_owned()
        } else if let Some((told, range)) = why_no_yaml(self.text) {
            let span = Span::new(self.source, range.start, range.end);
            let (message, help) = advice(&told);
            return Problem { message: format!("not YAML: {message}"), span, help: help.map(str::to_owned) };
        } else {
            format!("not YAML: {}", quoted(&DefaultMessageFormatter.format_message(cause)))
        };
        let place = cause.location().or_else(|| error.location()).unwrap_or(Location::UNKNOWN);
        let span = self.span(place);
        let span = if span.start == span.end { self.character_at(place) } else { span };
        Problem { message, span, help: None }
    }

    /// The bytes of a location. A syntax error knows only the character.
    fn span(&self, location: Location) -> Span {
        let span = location.span();
        match (span.byte_offset(), span.byte_len()) {
            (Some(start), Some(length)) => self.checked(to_usize(start), to_usize(length)),
            _ => self.character_at(location),
        }
    }

    /// The character of a location; nothing at the end of a line or of the text.
    fn character_at(&self, location: Location) -> Span {
        match self.text.char_indices().nth(to_usize(location.span().offset())) {
            Some((start, character)) if character.is_control() => self.checked(start, 0),
            Some((start, character)) => self.checked(start, character.len_utf8()),
            None => self.checked(self.text.len(), 0),
        }
    }

    /// A place from outside is never trusted to lie in the text.
    fn checked(&self, start: usize, length: usize) -> Span {
        let end = start.saturating_add(length);
        match self.text.get(start..end) {
            Some(_) => Span::new(self.source, start, end),
            None => Span::new(self.source, self.text.len(), self.text.len()),
        }
    }
}

fn to_usize(value: impl TryInto<usize>) -> usize {
    value.try_into().unwrap_or(usize::MAX)
}

/// A value as the library hands it over: a number has lost its spelling, its place has not.
enum Raw {
    Nothing,
    Bool(bool),
    Number,
    Text(String),
    List(Vec<Spanned<Raw>>),
    Map(Vec<(Spanned<Raw>, Spanned<Raw>)>),
}

struct RawVisitor;

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Nothing)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Nothing)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Raw::Map(entries))
    }
}
