//! How the case files of one group are read. Says which keys matter, not what stands under them.

use super::Shape;

/// The keys of [`Shape`] cut at their dots.
#[derive(Debug)]
pub(super) struct Keys<'a> {
    pub(super) id: Vec<Path<'a>>,
    pub(super) cites: Vec<Path<'a>>,
    pub(super) cite_pattern: Option<&'a regex::Regex>,
}

/// A key, or keys of nested mappings: `links.verifies`.
#[derive(Debug)]
pub(super) struct Path<'a> {
    /// As configured: a file may have that very key, dots and all.
    pub(super) whole: &'a str,
    /// Two or more where there is a dot, else none.
    pub(super) steps: Vec<&'a str>,
}

impl Default for Shape {
    /// citecheck's own shape.
    fn default() -> Self {
        Self { id: vec!["id".into(), "key".into()], cites: vec!["cites".into()], cite_pattern: None }
    }
}

impl<'a> Keys<'a> {
    pub(super) fn of(shape: &'a Shape) -> Self {
        Self {
            id: shape.id.iter().map(|key| Path::of(key)).collect(),
            cites: shape.cites.iter().map(|key| Path::of(key)).collect(),
            cite_pattern: shape.cite_pattern.as_ref(),
        }
    }
}

impl<'a> Path<'a> {
    fn of(key: &'a str) -> Self {
        Self { whole: key, steps: if key.contains('.') { key.split('.').collect() } else { Vec::new() } }
    }
}
