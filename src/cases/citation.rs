//! The value of a citation key to citations: scalars, lists, the map form, maps keyed by citation. Reports what is none.

use std::collections::HashSet;
use std::ops::Range;

use crate::source::{SourceId, Span};

use super::content::Extras;
use super::expand::{Expander, Place, child};
use super::mention::{self, Commas, Mention};
use super::offsets::Offsets;
use super::shape::Keys;
use super::tree::{Kind, NodeId, Scalar};
use super::{Citation, Doubt, Pin, PinKind, Problem, Scope, Spanned};

/// The keys of the map form.
pub(super) const MAP_FORM: [&str; 6] = ["section", "rev", "fingerprint", "quote", "title", "scope"];

/// Whether a key is one of a citation's map form.
pub(crate) fn is_key_of_citation(key: &str) -> bool {
    MAP_FORM.contains(&key)
}

/// What is said of an entry without a name.
const EMPTY: &str = "the citation is empty; name a section, or take the entry out";

const WHAT_TO_NAME: &str = "a section is named by its id, path, title or number";

/// How many nodes a citation costs that an alias brings in; it takes that much more memory.
const CITATION_COST: usize = 16;

/// What all readers of one file share.
pub(super) struct Context<'c, 't, 's> {
    pub(super) source: SourceId,
    pub(super) text: &'s str,
    pub(super) expander: Expander<'t, 's>,
    pub(super) keys: &'c Keys<'c>,
    pub(super) found: Found,
}

/// What was wrong in a file, or may be.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) problems: Vec<Problem>,
    pub(super) doubts: Vec<Doubt>,
}

/// What the citation keys of one case hold.
#[derive(Debug, Default)]
pub(super) struct Cited {
    pub(super) citations: Vec<Citation>,
    pub(super) extras: Extras,
    /// What was read. Nothing is cited more often by more aliases of it.
    read: HashSet<NodeId>,
}

/// What the map form says beside `section`.
#[derive(Clone, Debug, Default)]
struct Details {
    pins: Vec<Pin>,
    quote: Option<Spanned>,
    title: Option<Spanned>,
    /// The alias that brought in the title.
    title_alias: Option<NodeId>,
    /// Whether other places may have it by its anchor.
    is_title_shared: bool,
    scope: Scope,
    map_form: bool,
}

/// A scalar in its source.
struct Located<'t, 's> {
    scalar: &'t Scalar<'s>,
    range: Range<usize>,
    offsets: Option<Offsets>,
}

impl<'c, 't, 's> Context<'c, 't, 's> {
    pub(super) fn new(source: SourceId, text: &'s str, expander: Expander<'t, 's>, keys: &'c Keys<'c>) -> Self {
        Self { source, text, expander, keys, found: Found::default() }
    }

    pub(super) fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.source, range.start, range.end)
    }

    /// The scalar's text as a person reads it, and where that stands in the source, without quotes.
    pub(super) fn spanned(&self, node: NodeId) -> Option<Spanned> {
        let located = self.located(node)?;
        let range = trimmed(&located.scalar.text);
        let text = located.scalar.text[range.clone()].to_owned();
        Some(Spanned { text, span: self.span(located.source(range)) })
    }

    /// What the scalar cites, with the pattern of `keys`.
    pub(super) fn mentions(&self, node: NodeId, keys: &Keys<'_>) -> Vec<Mention> {
        self.expander
            .tree
            .scalar(node)
            .map_or_else(Vec::new, |scalar| mention::mentions(&scalar.text, keys.cite_pattern, Commas::Split))
    }

    /// Reads the value of a citation key.
    pub(super) fn read_citations(&mut self, value: Place, keys: &Keys<'_>, out: &mut Cited) {
        let Some(value) = self.expander.resolve(value) else { return };
        if !out.read.insert(value.node) {
            return;
        }
        match &self.expander.tree.get(value.node).kind {
            Kind::Scalar(scalar) if scalar.is_null() => self.doubt_comment(value.node),
            Kind::Scalar(_) => self.read_scalar(value, keys, Details::default(), out),
            Kind::Sequence { items, .. } => {
                for item in items.iter().map(|&item| child(value, item)) {
                    self.check_entry(item, keys);
                    self.read_citations(item, keys, out);
                }
            }
            Kind::Mapping { .. } => self.read_mapping(value, keys, out),
            Kind::Alias(_) => {}
        }
    }

    /// An entry of a list that names nothing is a slip. One that is left blank is not: a list has to start somewhere.
    fn check_entry(&mut self, item: Place, keys: &Keys<'_>) {
        let Some(item) = self.expander.resolve(item) else { return };
        let names_nothing = match &self.expander.tree.get(item.node).kind {
            // Where there is a pattern, a text without it cites nothing.
            Kind::Scalar(scalar) => !scalar.is_null() && is_blank(&scalar.text) && keys.cite_pattern.is_none(),
            Kind::Mapping { entries, .. } => entries.is_empty(),
            Kind::Sequence { .. } | Kind::Alias(_) => false,
        };
        if names_nothing {
            self.problem(EMPTY.to_owned(), self.node_range(item.node));
        }
    }

    fn read_scalar(&mut self, place: Place, keys: &Keys<'_>, details: Details, out: &mut Cited) {
        let Some(located) = self.located(place.node) else { return };
        let text = &*located.scalar.text;
        let commas = if details.map_form { Commas::Keep } else { Commas::Split };
        let mentions = mention::mentions(text, keys.cite_pattern, commas);
        for word in mention::residue(text, &mentions) {
            out.extras.add("", &word);
        }
        if mentions.is_empty() && details.map_form {
            self.problem(format!("`section` names no section; {WHAT_TO_NAME}"), located.range.clone());
        }
        for mention in mentions {
            if let Some(alias) = place.alias
                && self.expander.charge(alias, CITATION_COST).is_none()
            {
                return;
            }
            let cited = &text[mention.range.clone()];
            let pinned = match mention::pinned(cited) {
                Ok(pinned) => pinned,
                Err(bad) => {
                    let range = shifted(&bad.range, mention.range.start);
                    self.problem(bad.message, located.source(range));
                    continue;
                }
            };
            let mut pins = details.pins.clone();
            if let Some((kind, range)) = pinned.pin {
                let range = shifted(&range, mention.range.start);
                pins.insert(0, Pin { kind, span: self.span(located.source(range)), key: None });
            }
            out.citations.push(Citation {
                text: cited[..pinned.cited].to_owned(),
                span: self.span(located.source(mention.range)),
                scalar: self.span(located.range.clone()),
                alias: place.alias.map(|alias| self.node_span(alias)),
                pins,
                quote: details.quote.clone(),
                title: details.title.clone(),
                has_own_title: details.title_alias == place.alias && !details.is_title_shared,
                scope: details.scope,
            });
        }
    }

    /// The map form, or a map whose keys are the citations.
    fn read_mapping(&mut self, mapping: Place, keys: &Keys<'_>, out: &mut Cited) {
        let has_section = self.expander.find(mapping, "section");
        if let Some(section) = has_section {
            let details = self.read_details(mapping, out);
            match self.expander.resolve(section.value) {
                Some(place) if self.expander.tree.scalar(place.node).is_some_and(|scalar| !scalar.is_null()) => {
                    self.read_scalar(place, keys, details, out);
                }
                Some(_) => {
                    let message = "`section` must be one section's id, path, title or number".to_owned();
                    self.problem(message, self.node_range(section.key));
                }
                None => {}
            }
            return;
        }
        if let Some(key) = MAP_FORM.into_iter().find_map(|key| self.expander.find(mapping, key)) {
            let name = self.expander.tree.key(key.key).unwrap_or_default();
            let help = match self.like_section(mapping) {
                Some(typed) => format!("`{typed}` is probably meant to be `section`"),
                None => format!("the keys of a citation are {}", key_list()),
            };
            self.problem(format!("the citation has `{name}` but no `section`; {help}"), self.node_range(key.key));
            return;
        }
        self.doubt_section(mapping);
        self.read_keyed(mapping, keys, out);
    }

    /// `REQ-3: fingerprint`, one or more in a map: the keys are the citations, the values another tool's notes, or our
    /// pins.
    fn read_keyed(&mut self, mapping: Place, keys: &Keys<'_>, out: &mut Cited) {
        let mut entries = Vec::new();
        self.expander.all_entries(mapping, &mut entries);
        for entry in entries {
            let value = self.expander.scalar(entry.value).map(|scalar| &*scalar.text);
            let key = self.expander.resolve(Place { node: entry.key, ..mapping });
            let (Some(value), Some(key)) = (value, key.filter(|key| self.expander.tree.scalar(key.node).is_some()))
            else {
                let message = format!(
                    "not a citation; write a section's name, a map with the keys {}, or `section: fingerprint`",
                    key_list()
                );
                self.problem(message, self.node_range(entry.key));
                continue;
            };
            if self.expander.tree.scalar(key.node).is_some_and(|key| is_blank(&key.text)) && keys.cite_pattern.is_none()
            {
                self.problem(EMPTY.to_owned(), self.node_range(entry.key));
                continue;
            }
            let mut details = Details::default();
            if let Some(Ok(digits)) = mention::fingerprint(value)
                && let Some(place) = self.expander.resolve(entry.value)
                && let Some(spanned) = self.spanned(place.node)
            {
                details.pins.push(Pin { kind: PinKind::Fingerprint(digits), span: spanned.span, key: None });
            }
            self.read_scalar(key, keys, details, out);
        }
    }

    fn read_details(&mut self, mapping: Place, out: &mut Cited) -> Details {
        let mut details = Details { map_form: true, ..Details::default() };
        let mut entries = Vec::new();
        self.expander.all_entries(mapping, &mut entries);
        // As content, the order of keys means nothing.
        entries.sort_by_key(|entry| self.expander.tree.key(entry.key));
        for entry in entries {
            let Some(key) = self.expander.tree.key(entry.key) else { continue };
            if !matches!(key, "section" | "rev" | "fingerprint" | "title") {
                out.extras.add_node(&mut self.expander, self.keys, key, entry.value);
            }
            self.check_key(key, entry.key);
            let known = MAP_FORM.contains(&key) && key != "section";
            let Some(value) = self.expander.resolve(entry.value).filter(|_| known) else { continue };
            match self.expander.tree.scalar(value.node) {
                Some(scalar) if scalar.is_null() => {}
                Some(_) => {
                    if let Some(spanned) = self.spanned(value.node) {
                        let key_span = self.node_span(entry.key);
                        self.read_detail((key, key_span), spanned, &mut details);
                        if key == "title" {
                            details.title_alias = value.alias;
                            details.is_title_shared = self.expander.tree.get(value.node).anchored;
                        }
                    }
                }
                None => self.problem(format!("`{key}` must be a single value"), self.node_range(entry.key)),
            }
        }
        details
    }

    fn read_detail(&mut self, (key, key_span): (&str, Span), value: Spanned, details: &mut Details) {
        let pin = |kind: PinKind| Pin { kind, span: value.span, key: Some(key_span) };
        let range = value.span.start..value.span.end;
        match key {
            "rev" => details.pins.push(pin(PinKind::Revision(value.text))),
            "fingerprint" => match mention::only_fingerprint(&value.text) {
                Ok(digits) => details.pins.push(pin(PinKind::Fingerprint(digits))),
                Err(message) => self.problem(message, range),
            },
            // Every text holds no words.
            "quote" if value.text.is_empty() => {
                self.problem(
                    "`quote` has no words; write those that the case depends on, or take it out".to_owned(),
                    range,
                );
            }
            "quote" => details.quote = Some(value),
            "title" => details.title = Some(value),
            _ => match &*value.text {
                "own" => details.scope = Scope::Own,
                "whole" => details.scope = Scope::Whole,
                other => self.problem(format!("unknown scope `{other}`; a scope is `own` or `whole`"), range),
            },
        }
    }

    pub(super) fn problem(&mut self, message: String, range: Range<usize>) {
        let span = self.span(range);
        self.found.problems.push(Problem::Case { message, span });
    }

    pub(super) fn node_range(&self, node: NodeId) -> Range<usize> {
        self.expander.tree.get(node).range.clone()
    }

    pub(super) fn node_span(&self, node: NodeId) -> Span {
        self.span(self.node_range(node))
    }

    fn located(&self, node: NodeId) -> Option<Located<'t, 's>> {
        let tree = self.expander.tree;
        let scalar = tree.scalar(node)?;
        let range = self.node_range(node);
        let offsets = Offsets::of(self.text, range.clone(), scalar);
        Some(Located { scalar, range, offsets })
    }
}

impl Located<'_, '_> {
    /// The source of a range of the scalar's text; the whole scalar where that cannot be told.
    fn source(&self, decoded: Range<usize>) -> Range<usize> {
        self.offsets.as_ref().and_then(|offsets| offsets.to_source(decoded)).unwrap_or_else(|| self.range.clone())
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn trimmed(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

fn shifted(range: &Range<usize>, by: usize) -> Range<usize> {
    range.start + by..range.end + by
}

fn key_list() -> String {
    MAP_FORM.map(|key| format!("`{key}`")).join(", ")
}

#[cfg(test)]
mod tests {
    use crate::cases::parse::tests::{check, check_shape, shape};

    #[test]
    fn what_is_no_citation_is_told() {
        check(
            "{id: T, cites: [{quote: x}]}",
            &[
                "T: ",
                "! the citation has `quote` but no `section`; the keys of a citation are `section`, `rev`, `fingerprint`, `quote`, `title`, `scope` @ quote",
            ],
        );
        check(
            "{id: T, cites: {section: a, scope: owm, fingerprint: abc}}",
            &[
                "T: a",
                "! unknown scope `owm`; a scope is `own` or `whole` @ owm",
                "! `abc` is no fingerprint; a fingerprint is `c1-` and 16 to 64 hexadecimal digits @ abc",
            ],
        );
        check(
            "{id: T, cites: {section: [a]}}",
            &["T: ", "! `section` must be one section's id, path, title or number @ section"],
        );
        check(
            "{id: T, cites: {a: [b]}}",
            &[
                "T: ",
                "! not a citation; write a section's name, a map with the keys `section`, `rev`, `fingerprint`, `quote`, `title`, `scope`, or `section: fingerprint` @ a",
            ],
        );
        let blank = "! `quote` has no words; write those that the case depends on, or take it out @";
        check("{id: T, cites: {section: a, quote: ' '}}", &["T: a", &format!("{blank} ' '")]);
        let empty = "! the citation is empty; name a section, or take the entry out @";
        check("{id: T, cites: ['', a]}", &["T: a", &format!("{empty} ''")]);
        check(
            "{id: T, cites: [[\" \", {}], {'': x}]}",
            &["T: ", &format!("{empty} \" \""), &format!("{empty} {{}}"), &format!("{empty} ''")],
        );
        check("{id: T, cites: {}}\n---\n{id: U, cites: [[], ~]}", &["T: ", "U: "]);
        check(
            "{id: T, cites: {section: ''}}",
            &["T: ", "! `section` names no section; a section is named by its id, path, title or number @ ''"],
        );
        check_shape(&shape(&["id"], &["cites"], Some("R-[0-9]")), "{id: T, cites: ['', R-1]}", &["T: R-1"]);
        check(
            "{id: T, cites: 'a@'}",
            &["T: ", "! the citation ends in `@` without a revision or fingerprint behind it @ @"],
        );
    }
}
