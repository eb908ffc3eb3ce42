//! How the case files of one group are read. Says which keys matter, not what stands under them.

/// How the case files of one group are read: one entry of the configuration key `cases`, without its globs.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// Keys that may hold the id; else the mapping's own key in its parent.
    pub(crate) id: Vec<String>,
    /// Keys that hold citations; dotted means nested.
    pub(crate) cites: Vec<String>,
    /// What a citation inside a longer scalar looks like; every match is one.
    pub(crate) cite_pattern: Option<regex::Regex>,
    /// Keys that may hold the title.
    pub(crate) title: Vec<String>,
    /// Keys that may hold the status, as `draft`.
    pub(crate) status: Vec<String>,
    /// Keys that may hold the category.
    pub(crate) category: Vec<String>,
}

/// The keys of [`Shape`] cut at their dots.
#[derive(Debug)]
pub(super) struct Keys<'a> {
    pub(super) id: Vec<Path<'a>>,
    pub(super) cites: Vec<Path<'a>>,
    pub(super) cite_pattern: Option<&'a regex::Regex>,
    pub(super) title: Vec<Path<'a>>,
    pub(super) status: Vec<Path<'a>>,
    pub(super) category: Vec<Path<'a>>,
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
    /// citecheck's own shape, which `init` describes.
    fn default() -> Self {
        Self {
            id: vec!["id".into(), "key".into()],
            cites: vec!["cites".into()],
            cite_pattern: None,
            title: vec!["title".into()],
            status: vec!["status".into()],
            category: vec!["category".into()],
        }
    }
}

impl<'a> Keys<'a> {
    pub(super) fn of(shape: &'a Shape) -> Self {
        let paths = |keys: &'a [String]| keys.iter().map(|key| Path::of(key)).collect();
        Self {
            id: paths(&shape.id),
            cites: paths(&shape.cites),
            cite_pattern: shape.cite_pattern.as_ref(),
            title: paths(&shape.title),
            status: paths(&shape.status),
            category: paths(&shape.category),
        }
    }

    /// The names of the citation keys.
    pub(super) fn citing(&self) -> Vec<&'a str> {
        self.cites.iter().map(|path| path.whole).collect()
    }
}

impl<'a> Path<'a> {
    fn of(key: &'a str) -> Self {
        Self { whole: key, steps: if key.contains('.') { key.split('.').collect() } else { Vec::new() } }
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::Shape;
    use crate::cases::parse::tests::read;

    #[test]
    fn what_a_case_says_of_itself_is_read_with_its_place() {
        let shape = Shape { category: vec!["meta.kind".into(), "category".into()], ..Shape::default() };
        let check = |text: &str, expected: [Option<&str>; 3]| {
            let parsed = read(text, &shape);
            let case = &parsed.value.cases[0];
            for (said, expected) in [&case.title, &case.status, &case.category].into_iter().zip(expected) {
                assert_eq!(said.as_ref().map(|it| it.text.as_str()), expected, "{text}");
                let source = said.as_ref().map(|it| &text[it.span.start..it.span.end]);
                assert_eq!(source, expected.map(|it| if text.contains(it) { it } else { "it''s" }), "{text}");
            }
        };
        check("{id: a, cites: b}", [None; 3]);
        check(
            "{id: a, cites: b, title: T t, status: ' draft ', category: alarms}",
            [Some("T t"), Some("draft"), Some("alarms")],
        );
        check(
            "{id: a, cites: b, title: 'it''s', status: ~, category: [x], meta: {kind: y}}",
            [Some("it's"), None, Some("y")],
        );
        check("{id: a, cites: b, title: {x: y}, meta: {kind: }, category: z}", [None, None, Some("z")]);
        check("{id: a, cites: b, <<: {status: draft}}", [None, Some("draft"), None]);
    }
}
