//! What was probably meant by what is none of ours: a key that is nearly one of a citation, a key of a case that is nearly
//! the citation key, a name behind `#`. Keys that are the user's own are left alone: where they cannot be told from slips,
//! it is a doubt, and the manual decides.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::nearest::slip;

use super::citation::{Cited, Context, MAP_FORM};
use super::expand::{Entry, Place};
use super::shape::Keys;
use super::tree::NodeId;
use super::{Doubt, Problem};

/// Words with a meaning of their own that are one letter from a key of a citation.
const OTHER_WORDS: [&str; 7] = ["quota", "quoted", "score", "slope", "tile", "titel", "titre"];

/// What people call a key of a citation that has another name, and how it is written.
const OTHER_NAMES: [(&str, &str); 3] = [
    ("revision", "`rev`"),
    ("pin", "`fingerprint` or, for a revision, `rev`"),
    ("pins", "`fingerprint` or, for a revision, `rev`"),
];

impl<'t> Context<'_, 't, '_> {
    /// Tells a key beside `section` that is nearly one that is read there.
    pub(super) fn check_key(&mut self, key: &str, node: NodeId) {
        // `title2` is numbered, not misspelt.
        let is_numbered = key.ends_with(|last: char| last.is_ascii_digit());
        if is_numbered || MAP_FORM.contains(&key) || OTHER_WORDS.contains(&key) {
            return;
        }
        let other = OTHER_NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(key));
        let meant = match (other, slip(key, &MAP_FORM)) {
            (Some((_, meant)), _) => (*meant).to_owned(),
            (None, Some(near)) => format!("`{near}`"),
            (None, None) => return,
        };
        let message = format!(
            "a citation has no key `{key}`, so it is not read; write {meant}; a key of your own needs a name less like it"
        );
        self.problem(message, self.node_range(node));
    }

    /// The key of a citation's map that is nearly `section`.
    pub(super) fn like_section(&mut self, mapping: Place) -> Option<&'t str> {
        self.misspelt(mapping, &["section"]).map(|(_, typed, _)| typed)
    }

    /// A citation that is a map with one key, nearly `section`: what the key names is cited, unless what stands behind it
    /// is a section.
    pub(super) fn doubt_section(&mut self, mapping: Place) {
        let Some((entry, typed, _)) = self.misspelt(mapping, &["section"]) else { return };
        let Some(named) = self.expander.scalar(entry.value).map(|scalar| scalar.text.to_string()) else { return };
        let message = format!("`{typed}` is no key of a citation, so it is taken for what is cited; write `section`");
        self.doubt(message, self.node_range(entry.key), vec![named]);
    }

    /// Of mappings beside cases, and of cases that lack one of several citation keys: whether one has nearly a citation key
    /// that a case has, or has one inside the keys around it, as `links.verfies`.
    pub(super) fn doubt_keys(&mut self, cases: &[Place], others: &[Place]) {
        let mut known = None;
        // Of many cases with the same slip the first one answers for all.
        let mut answers = HashMap::new();
        let keys = self.keys;
        others.iter().chain(cases).filter(|_| !cases.is_empty()).for_each(|it| self.doubt_nested(*it, keys));
        let names = keys.citing();
        let lacking = if names.len() > 1 { cases } else { &[] };
        for &mapping in others.iter().filter(|_| !cases.is_empty()).chain(lacking) {
            let Some((entry, typed, meant)) = self.misspelt(mapping, &names) else { continue };
            let known: &Vec<HashSet<&str>> = known.get_or_insert_with(|| {
                let keys = |&case| self.named_entries(case).into_iter().map(|(key, _)| key).collect();
                cases.iter().map(keys).collect()
            });
            let has = |case: &HashSet<&str>| case.contains(meant);
            // Where a case has both, the one is no slip of the other; what no case has is not meant.
            let is_slip = || known.iter().any(has) && !known.iter().any(|case| has(case) && case.contains(typed));
            if *answers.entry((typed, meant)).or_insert_with(is_slip) {
                self.doubt_key(entry, (typed, meant), keys);
            }
        }
    }

    /// Nearly the last one of several keys, under the others: nobody else's key stands there.
    fn doubt_nested(&mut self, mapping: Place, keys: &Keys<'_>) {
        for path in &keys.cites {
            let [around @ .., last] = path.steps.as_slice() else { continue };
            let mut found = Vec::new();
            self.expander.nested(mapping, around, &mut found);
            for entry in found {
                let Some(inside) = self.expander.resolve(entry.value) else { continue };
                let Some((entry, typed, meant)) = self.misspelt(inside, &[last]) else { continue };
                self.doubt_key(entry, (typed, meant), keys);
            }
        }
    }

    fn doubt_key(&mut self, entry: Entry, (typed, meant): (&str, &str), keys: &Keys<'_>) {
        let names = self.names_under(entry, keys);
        let message = format!(
            "`{typed}` is no citation key, so what it cites is not checked; write `{meant}`, as the cases beside it do"
        );
        self.doubt(message, self.node_range(entry.key), names);
    }

    /// What a key would cite if it were a citation key. What is wrong there is not told.
    pub(super) fn names_under(&mut self, entry: Entry, keys: &Keys<'_>) -> Vec<String> {
        let told = self.found.problems.len();
        let doubts = self.found.doubts.len();
        let mut cited = Cited::default();
        self.read_citations(entry.value, keys, &mut cited);
        self.found.problems.truncate(told);
        self.found.doubts.truncate(doubts);
        cited.citations.into_iter().map(|citation| citation.text).collect()
    }

    /// The first key of a mapping that is nearly one of these names and none of them, with the name, which it lacks.
    pub(super) fn misspelt<'n>(&mut self, mapping: Place, names: &[&'n str]) -> Option<(Entry, &'t str, &'n str)> {
        let entries = self.named_entries(mapping);
        let has = |name: &str| entries.iter().any(|(key, _)| *key == name);
        let lacking: Vec<&str> = names.iter().copied().filter(|name| !has(name)).collect();
        let mut others = entries.iter().filter(|(key, _)| !names.contains(key));
        others.find_map(|&(key, entry)| Some((entry, key, slip(key, &lacking)?)))
    }

    /// The entries of a mapping whose keys are scalars.
    fn named_entries(&mut self, mapping: Place) -> Vec<(&'t str, Entry)> {
        let mut entries = Vec::new();
        self.expander.all_entries(mapping, &mut entries);
        let tree = self.expander.tree;
        entries.into_iter().filter_map(|entry| Some((tree.key(entry.key)?, entry))).collect()
    }

    /// A value that is left blank, with something like `#alarms` behind it: to YAML that is a comment.
    pub(super) fn doubt_comment(&mut self, blank: NodeId) {
        let blank = self.node_range(blank);
        let Some(range) = blank.is_empty().then(|| comment_behind(self.text, blank.start)).flatten() else { return };
        let name = self.text[range.start + 1..range.end].to_owned();
        let message = format!("`#{name}` is a comment, so nothing is cited; leave out the `#`");
        self.doubt(message, range, vec![name]);
    }

    fn doubt(&mut self, message: String, range: Range<usize>, names: Vec<String>) {
        let problem = Problem::Case { message, span: self.span(range) };
        self.found.doubts.push(Doubt { problem, names });
    }
}

/// The first word of a comment on the line of a blank value, directly behind the `-` or `:` that opens it. There is no
/// space behind its `#`.
fn comment_behind(text: &str, blank: usize) -> Option<Range<usize>> {
    let start = text[..blank].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].lines().next()?;
    let hash = line.find(" #")? + 1;
    // `#12` is an issue.
    let word = line[hash + 1..].split(char::is_whitespace).next()?;
    if word.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let opens = line[..hash].trim_end().ends_with(['-', ':']);
    opens.then(|| start + hash..start + hash + 1 + word.len())
}

#[cfg(test)]
mod tests {
    use crate::cases::parse::tests::read;
    use crate::cases::{Problem, Shape};
    use crate::source::Span;

    /// Each problem as `what is told @ place`, each doubt with the names that would make it one.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        check_shape(&Shape::default(), text, expected);
    }

    #[track_caller]
    fn check_shape(shape: &Shape, text: &str, expected: &[&str]) {
        let parsed = read(text, shape);
        let slice = |span: Span| &text[span.start..span.end];
        let told = |problem: &Problem| match problem {
            Problem::Yaml { message, span } | Problem::Case { message, span } => {
                let said = message.split([',', ';']).next().unwrap_or_default();
                format!("{said} @ {}", slice(*span))
            }
            Problem::DuplicateKey { key, .. } => format!("{key} twice"),
        };
        let problems = parsed.problems.iter().map(told);
        let doubts = parsed.value.doubts.iter();
        let doubts = doubts.map(|doubt| format!("{}, if {}", told(&doubt.problem), doubt.names.join("|")));
        assert_eq!(problems.chain(doubts).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn a_key_of_a_citation_is_told_where_it_is_nearly_ours() {
        let told = |key: &str| format!("a citation has no key `{key}` @ {key}");
        for key in ["quotes", "Quote", "qoute", "titles", "scop", "finger-print", "fingerprnt", "sections", "REV"] {
            check(&format!("- {{id: T, cites: {{section: a, {key}: x}}}}"), &[&told(key)]);
        }
        for key in ["revision", "Revision", "pin", "pins"] {
            check(&format!("- {{id: T, cites: [b, {{section: a, {key}: x}}]}}"), &[&told(key)]);
        }
        for key in [
            "titel", "title2", "note", "notes", "comment", "ref", "refs", "reason", "score", "tile", "quota", "by",
            "date", "é",
        ] {
            check(&format!("- {{id: T, cites: [{{section: a, {key}: x}}]}}"), &[]);
        }
        check("- {id: T, cites: {sectoin: a, quote: x}}", &["the citation has `quote` but no `section` @ quote"]);
    }

    #[test]
    fn a_citation_key_is_doubted_beside_cases_that_have_it() {
        let told = |key: &str| format!("`{key}` is no citation key @ {key}, if a|b");
        for key in ["cite", "Cites", "citess", "cties"] {
            check(
                &format!("- {{id: T, cites: x}}\n- {{id: U, {key}: [a, {{section: b, quots: c}}]}}\n"),
                &[&told(key)],
            );
            check(&format!("T: {{cites: x}}\nU: {{{key}: [a, b]}}\n"), &[&told(key)]);
        }
        // Own keys, keys that a case has as well, and files in which nothing says what the key is called.
        check("- {id: T, cites: x}\n- {id: U, note: [a]}\n", &[]);
        check("- {id: T, cites: x, cite: y}\n- {id: U, cite: [a]}\n", &[]);
        check("- {id: U, cite: [a]}\n", &[]);
        check("- {id: T, cites: x, step: {cite: y}}\n- {id: U, cites: x, step: {cite: y}}\n", &[]);
        let shape = Shape { cites: vec!["cites".into(), "verifies".into()], ..Shape::default() };
        check_shape(&shape, "- {id: T, cites: x}\n- {id: U, verified: a}\n", &[]);
        let verified = "`verified` is no citation key @ verified, if a";
        check_shape(&shape, "- {id: T, cites: x, verified: a}\n- {id: U, cites: x, verifies: a}\n", &[verified]);
        check_shape(&shape, "- {id: T, cites: x, verified: a}\n- {id: U, verified: y, verifies: a}\n", &[]);
        check_shape(
            &shape,
            "- {id: T, verifies: x}\n- {id: U, verified: a}\n",
            &["`verified` is no citation key @ verified, if a"],
        );
    }

    #[test]
    fn a_name_behind_a_hash_is_doubted() {
        check("- id: T\n  cites:\n    - #a\n    - b\n", &["`#a` is a comment @ #a, if a"]);
        check("- id: T\n  cites: #a then b\n", &["`#a` is a comment @ #a, if a"]);
        check("- id: T\n  cites:\n  -\t #é", &["`#é` is a comment @ #é, if é"]);
        check("- id: T\n  cites: #12\n", &[]);
        check("- id: T\n  cites:\n    - # later\n    - b #c\n    - ~ #c\n    - #\n", &[]);
    }
}
