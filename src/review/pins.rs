//! The pins file: review points that stand beside the cases instead of in them. One pin a line, sorted, so
//! that two branches merge line by line; every line can be understood without the others, so that no merge makes one
//! say something else.
//!
//! ```yaml
//! - {case: TC-017, cites: safety-limits/thermal-cut-off, fingerprint: c1-0123456789abcdef}
//! ```
//!
//! Text in, text out: reads and writes no files.

use std::collections::{BTreeMap, BTreeSet};

use crate::cases::{self, CaseId, Pin, PinKind, Record};
use crate::source::{Parsed, SourceId, Span};

/// What a new file says about itself.
const HEADER: &str = "# Texts that were reviewed, written by `citecheck accept`. One line a citation, sorted.\n";

const KEYS: [&str; 3] = ["case", "cites", "fingerprint"];

/// The pins of one revision.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pins {
    entries: BTreeMap<Key, Vec<PinLine>>,
    /// Whether the text has conflict markers of a merge.
    conflicted: bool,
}

/// A case's id and a citation of it, without pin.
type Key = (CaseId, String);

/// One line of the file.
#[derive(Clone, Debug)]
pub(crate) struct PinLine {
    /// The mapping.
    pub(crate) span: Span,
    pub(crate) pin: Pin,
}

/// What is wrong with a pins file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A line that is no pin.
    Invalid { message: String, span: Span },
    /// Two lines that pin one citation to different texts.
    Contradiction { case: CaseId, citation: String, first: Span, second: Span },
    /// A merge that was not finished: the lines that open and close the conflict.
    Unmerged { first: Span, second: Span },
}

/// What to write into a pins file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PinEdit {
    /// Pins a citation, whatever it was pinned to. The fingerprint as it is written, `c1-…`.
    Set {
        case: CaseId,
        citation: String,
        fingerprint: String,
    },
    Remove {
        case: CaseId,
        citation: String,
    },
}

impl PinEdit {
    /// What it is about, and the fingerprint that it sets.
    fn parts(&self) -> (Key, Option<&String>) {
        match self {
            Self::Set { case, citation, fingerprint } => ((case.clone(), citation.clone()), Some(fingerprint)),
            Self::Remove { case, citation } => ((case.clone(), citation.clone()), None),
        }
    }
}

impl Pins {
    /// The pin of a citation; none where two lines contradict each other.
    pub(crate) fn get(&self, case: &CaseId, citation: &str) -> Option<&Pin> {
        let entries = self.entries.get(&(case.clone(), citation.to_owned()))?;
        let [first, others @ ..] = entries.as_slice() else { return None };
        others.iter().all(|other| other.pin.kind == first.pin.kind).then_some(&first.pin)
    }

    /// Whether the text has conflict markers of a merge; such a file is not written to.
    pub(crate) fn is_conflicted(&self) -> bool {
        self.conflicted
    }

    /// The texts that each citation is pinned to, as they are spelled: one, where the file is sound.
    fn spelled(&self) -> BTreeMap<&Key, BTreeSet<String>> {
        let spelled = |lines: &[PinLine]| lines.iter().map(|line| line.pin.kind.spelled()).collect();
        self.entries.iter().map(|(key, lines)| (key, spelled(lines))).collect()
    }

    /// Every line, by case and citation.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&CaseId, &str, &PinLine)> {
        self.entries
            .iter()
            .flat_map(|((case, citation), entries)| entries.iter().map(move |entry| (case, citation.as_str(), entry)))
    }
}

/// Reads a pins file.
pub(crate) fn parse(source: SourceId, text: &str) -> Parsed<Pins, Problem> {
    let (cleared, mut problems) = without_markers(source, text);
    let parsed = cases::records(source, &cleared);
    let mut pins = Pins { conflicted: !problems.is_empty(), ..Pins::default() };
    problems.extend(parsed.problems.into_iter().map(|problem| {
        let span = problem.span();
        let message = match problem {
            cases::Problem::Yaml { message, .. } => format!("not YAML: {message}"),
            cases::Problem::Case { message, .. } => message,
            cases::Problem::DuplicateKey { key, .. } => format!("`{key}` stands twice"),
        };
        Problem::Invalid { message, span }
    }));
    for record in &parsed.value {
        match entry(record) {
            Ok((key, entry)) => pins.entries.entry(key).or_default().push(entry),
            Err(problem) => problems.push(problem),
        }
    }
    for ((case, citation), entries) in &pins.entries {
        for other in &entries[1..] {
            if other.pin.kind != entries[0].pin.kind {
                let (case, citation) = (case.clone(), citation.clone());
                problems.push(Problem::Contradiction { case, citation, first: entries[0].span, second: other.span });
            }
        }
    }
    Parsed { value: pins, problems }
}

/// The text with `edits` applied, and nothing if they say so already. `None` where that, read again, would say anything
/// else: as where the file has several pins on a line, and one cannot go without the others.
pub(crate) fn rewritten(source: SourceId, text: &str, pins: &Pins, edits: &[PinEdit]) -> Option<String> {
    let keys: Vec<(Key, Option<&String>)> = edits.iter().map(PinEdit::parts).collect();
    let mut expected = pins.spelled();
    keys.iter().for_each(|(key, _)| drop(expected.remove(key)));
    expected.extend(keys.iter().filter_map(|(key, set)| Some((key, BTreeSet::from([(*set)?.clone()])))));
    let after = edited(text, pins, edits);
    (parse(source, &after).value.spelled() == expected).then_some(after)
}

/// Only lines of these pins differ.
fn edited(text: &str, pins: &Pins, edits: &[PinEdit]) -> String {
    let mut lines = Lines::of(text);
    let set: BTreeSet<(&CaseId, &str)> = edits
        .iter()
        .filter_map(|edit| match edit {
            PinEdit::Set { case, citation, .. } => Some((case, citation.as_str())),
            PinEdit::Remove { .. } => None,
        })
        .collect();
    for edit in edits {
        match edit {
            // Two citations that swap their names: each line stays and gets the other's pin.
            PinEdit::Remove { case, citation } if set.contains(&(case, citation.as_str())) => {}
            PinEdit::Remove { case, citation } => {
                for entry in pins.entries.get(&(case.clone(), citation.clone())).into_iter().flatten() {
                    lines.remove(entry.span);
                }
            }
            PinEdit::Set { case, citation, fingerprint } => {
                let key = (case.clone(), citation.clone());
                match pins.entries.get(&key).map(Vec::as_slice) {
                    Some([first, others @ ..]) => {
                        lines.replace(first.pin.span, fingerprint);
                        others.iter().for_each(|other| lines.remove(other.span));
                    }
                    Some([]) | None => {
                        let behind = pins.entries.range(key.clone()..).next().and_then(|(_, entries)| entries.first());
                        lines.insert(behind.map(|entry| entry.span), &key, fingerprint);
                    }
                }
            }
        }
    }
    lines.written()
}

/// Edits of a text, kept apart until all are known: places stay those of the text as it was.
struct Lines<'t> {
    text: &'t str,
    /// What comes in the place of which bytes; at one place in the order in which they came.
    parts: Vec<(usize, usize, String)>,
    added: BTreeMap<(usize, Key), String>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        Self { text, parts: Vec::new(), added: BTreeMap::new() }
    }

    fn replace(&mut self, span: Span, by: &str) {
        self.parts.push((span.start, span.end, by.to_owned()));
    }

    /// Removes the lines that a mapping stands on.
    fn remove(&mut self, span: Span) {
        let end = self.text[span.end..].find('\n').map_or(self.text.len(), |at| span.end + at + 1);
        self.parts.push((self.line_start(span.start), end, String::new()));
    }

    /// Adds a line before the mapping at `behind`, or at the end.
    fn insert(&mut self, behind: Option<Span>, key: &Key, fingerprint: &str) {
        let at = behind.map_or(self.text.len(), |span| self.line_start(span.start));
        let (case, citation) = (cases::in_flow(&key.0.0), cases::in_flow(&key.1));
        let line = format!("- {{case: {case}, cites: {citation}, fingerprint: {fingerprint}}}");
        self.added.insert((at, key.clone()), line);
    }

    fn line_start(&self, at: usize) -> usize {
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        // A byte order mark stays first.
        if start == 0 && self.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { start }
    }

    fn written(mut self) -> String {
        let line_end = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        for ((at, _), line) in &self.added {
            // The last line may have no end.
            let open = *at == self.text.len() && !matches!(self.text.as_bytes().last(), None | Some(b'\n'));
            let lead = if open && self.parts.iter().all(|part| part.0 != *at) { line_end } else { "" };
            self.parts.push((*at, *at, format!("{lead}{line}{line_end}")));
        }
        self.parts.sort_by_key(|(start, end, _)| (*start, *end));
        let mut out = if self.text.is_empty() && !self.added.is_empty() { HEADER.to_owned() } else { String::new() };
        let mut from = 0;
        for (start, end, part) in &self.parts {
            // Two edits of one line: the first, which removes it, has it.
            if *start < from {
                continue;
            }
            out += &self.text[from..*start];
            out += part;
            from = *end;
        }
        out + &self.text[from..]
    }
}

fn entry(record: &Record) -> Result<(Key, PinLine), Problem> {
    let invalid = |message: String, span: Span| Problem::Invalid { message, span };
    if let Some((key, value)) = record.fields.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
        return Err(invalid(format!("unknown key `{key}`; a pin has the keys {}", key_list()), value.span));
    }
    let [case, citation, fingerprint] = KEYS.map(|key| record.get(key));
    let (Some(case), Some(citation), Some(fingerprint)) = (case, citation, fingerprint) else {
        return Err(invalid(format!("a key is missing; a pin has the keys {}", key_list()), record.span));
    };
    let digits = cases::only_fingerprint(&fingerprint.text).map_err(|message| invalid(message, fingerprint.span))?;
    let pin = Pin { kind: PinKind::Fingerprint(digits), span: fingerprint.span, key: None };
    Ok(((CaseId(case.text.clone()), citation.text.clone()), PinLine { span: record.span, pin }))
}

fn key_list() -> String {
    KEYS.map(|key| format!("`{key}`")).join(", ")
}

/// The text with conflict markers blanked, so that both sides are read; and each conflict. Of a conflict that shows the
/// common ancestor too, that part is blanked.
fn without_markers(source: SourceId, text: &str) -> (String, Vec<Problem>) {
    let mut out = String::with_capacity(text.len());
    let mut conflicts = Vec::new();
    let mut open: Option<Span> = None;
    let mut ancestor = false;
    for line in text.split_inclusive('\n') {
        let (start, content) = (out.len(), line.trim_end_matches(['\n', '\r']));
        let span = Span::new(source, start, start + content.len());
        let is = |marker: &str| content == marker || content.starts_with(&format!("{marker} "));
        let marker = match open {
            None if is("<<<<<<<") => {
                open = Some(span);
                true
            }
            None => false,
            Some(_) if is("|||||||") => {
                ancestor = true;
                true
            }
            Some(_) if content == "=======" => {
                ancestor = false;
                true
            }
            Some(first) if is(">>>>>>>") => {
                conflicts.push(Problem::Unmerged { first, second: span });
                (open, ancestor) = (None, false);
                true
            }
            Some(_) => false,
        };
        if marker || ancestor {
            out.extend(std::iter::repeat_n(' ', content.len()));
            out += &line[content.len()..];
        } else {
            out += line;
        }
    }
    conflicts.extend(open.map(|first| Problem::Unmerged { first, second: first }));
    (out, conflicts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{RepoPath, Rev, Sources};

    const TWO: &str = "\
- {case: A, cites: x/y, fingerprint: c1-aaaaaaaaaaaaaaaa}
- {case: C, cites: '5.2', fingerprint: c1-cccccccccccccccc}
";

    fn read(text: &str) -> Parsed<Pins, Problem> {
        parse(Sources::default().add(Rev::Worktree, RepoPath::new("citecheck.pins.yaml"), text), text)
    }

    fn set(case: &str, citation: &str, digit: &str) -> PinEdit {
        let fingerprint = format!("c1-{}", digit.repeat(16));
        PinEdit::Set { case: CaseId(case.to_owned()), citation: citation.to_owned(), fingerprint }
    }

    /// Applies the edits; they hold afterwards, and a second time they change nothing.
    #[track_caller]
    fn check(text: &str, edits: &[PinEdit], expected: &str) {
        let out = apply(text, edits).expect("one pin a line");
        assert_eq!(out, expected);
        let again = read(&out);
        assert_eq!(again.problems, []);
        assert_eq!(apply(&out, edits), Some(out.clone()));
        for edit in edits {
            match edit {
                PinEdit::Set { case, citation, fingerprint } => {
                    let pin = again.value.get(case, citation).expect("it was set");
                    assert_eq!(pin.kind, PinKind::Fingerprint(fingerprint[3..].to_owned()));
                }
                PinEdit::Remove { case, citation } => {
                    let is_set =
                        edits.iter().any(|it| matches!(it, PinEdit::Set { .. }) && it.parts().0 == edit.parts().0);
                    assert_eq!(again.value.get(case, citation).is_some(), is_set);
                }
            }
        }
    }

    fn apply(text: &str, edits: &[PinEdit]) -> Option<String> {
        let source = Sources::default().add(Rev::Worktree, RepoPath::new("citecheck.pins.yaml"), text);
        rewritten(source, text, &read(text).value, edits)
    }

    #[test]
    fn pins_are_found_by_case_and_citation() {
        let pins = read(TWO).value;
        let found =
            |case: &str, citation: &str| pins.get(&CaseId(case.to_owned()), citation).map(|pin| pin.kind.clone());
        assert_eq!(found("A", "x/y"), Some(PinKind::Fingerprint("a".repeat(16))));
        assert_eq!(found("C", "5.2"), Some(PinKind::Fingerprint("c".repeat(16))));
        assert_eq!(found("A", "5.2"), None);
        assert_eq!(read("").problems, []);
    }

    #[test]
    fn a_pin_is_one_line_in_its_place() {
        let a = "- {case: A, cites: x/y, fingerprint: c1-aaaaaaaaaaaaaaaa}\n";
        let c = "- {case: C, cites: '5.2', fingerprint: c1-cccccccccccccccc}\n";
        let b = "- {case: B, cites: x, fingerprint: c1-bbbbbbbbbbbbbbbb}\n";
        check("", &[set("A", "x/y", "a")], &format!("{HEADER}{a}"));
        check("", &[set("C", "5.2", "c"), set("A", "x/y", "a")], &format!("{HEADER}{a}{c}"));
        check(TWO, &[set("B", "x", "b")], &format!("{a}{b}{c}"));
        check(
            TWO,
            &[set("D", "a: b", "d")],
            &format!("{TWO}- {{case: D, cites: 'a: b', fingerprint: c1-dddddddddddddddd}}\n"),
        );
        check(
            TWO.trim_end(),
            &[set("D", "x", "d")],
            &format!("{TWO}- {{case: D, cites: x, fingerprint: c1-dddddddddddddddd}}\n"),
        );
        check(&format!("# c\n{c}"), &[set("B", "x", "b")], &format!("# c\n{b}{c}"));
        check(&format!("\u{feff}{c}"), &[set("B", "x", "b")], &format!("\u{feff}{b}{c}"));
        check(&a.replace('\n', "\r\n"), &[set("B", "x", "b")], &format!("{a}{b}").replace('\n', "\r\n"));
    }

    #[test]
    fn a_pin_is_replaced_where_it_stands_and_removed_with_its_line() {
        let odd = "- case: A # why\n  cites: x/y\n  fingerprint: \"c1-aaaaaaaaaaaaaaaa\"\n";
        check(odd, &[set("A", "x/y", "b")], &odd.replace("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"));
        let remove = PinEdit::Remove { case: CaseId("A".to_owned()), citation: "x/y".to_owned() };
        let c = TWO.split_inclusive('\n').next_back().unwrap();
        check(TWO, std::slice::from_ref(&remove), c);
        let moved = "- {case: A, cites: z, fingerprint: c1-aaaaaaaaaaaaaaaa}\n";
        check(TWO, &[remove.clone(), set("A", "x/y", "b")], &TWO.replace("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"));
        check(TWO, &[remove, set("A", "z", "a")], &format!("{moved}{c}"));
        check(
            &format!("{TWO}{TWO}"),
            &[set("A", "x/y", "b"), set("C", "5.2", "c")],
            &TWO.replace("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"),
        );
    }

    #[test]
    fn no_pin_goes_with_another() {
        let remove = PinEdit::Remove { case: CaseId("A".to_owned()), citation: "x/y".to_owned() };
        let [a, c] =
            ["A, cites: x/y, fingerprint: c1-aaaaaaaaaaaaaaaa", "C, cites: x, fingerprint: c1-cccccccccccccccc"];
        assert_eq!(apply(&format!("[{{case: {a}}}, {{case: {c}}}]\n"), std::slice::from_ref(&remove)), None);
        assert_eq!(apply(&format!("[{{case: {a}}},\n {{case: {c}}}]\n"), &[remove]), None);
        let set = set("A", "x/y", "b");
        let changed = format!("[{{case: {a}}}, {{case: {c}}}]").replace("aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb");
        assert_eq!(apply(&format!("[{{case: {a}}}, {{case: {c}}}]"), &[set]), Some(changed));
    }

    #[test]
    fn what_a_merge_leaves_behind_is_told() {
        let problems = |text: &str| -> Vec<String> {
            let slice = |span: Span| text[span.start..span.end].chars().take(20).collect::<String>();
            let shown = |problem: &Problem| match problem {
                Problem::Invalid { message, span } => format!("{message} @ {}", slice(*span)),
                Problem::Contradiction { case, citation, first, second } => {
                    format!("{} {citation}: {} {}", case.0, first.start, second.start)
                }
                Problem::Unmerged { first, second } => format!("{} to {}", slice(*first), slice(*second)),
            };
            read(text).problems.iter().map(shown).collect()
        };
        let line = |digit: &str| format!("- {{case: A, cites: x, fingerprint: c1-{}}}\n", digit.repeat(16));
        assert_eq!(problems(&format!("{}{}", line("a"), line("a"))), [""; 0]);
        assert_eq!(problems(&format!("{}{}", line("a"), line("b"))), ["A x: 2 58"]);
        let conflict =
            format!("<<<<<<< HEAD\n{}||||||| base\n{}=======\n{}>>>>>>> other\n", line("a"), line("0"), line("b"));
        assert_eq!(problems(&conflict), ["<<<<<<< HEAD to >>>>>>> other", "A x: 15 148"]);
        assert_eq!(problems("- {case: A}\n- x\n- {case: A, cites: x, fingerprint: v1}\n").len(), 3);
        assert_eq!(
            problems("- {kase: A}")[0],
            "unknown key `kase`; a pin has the keys `case`, `cites`, `fingerprint` @ A"
        );
        let contradicting = read(&format!("{}{}", line("a"), line("b"))).value;
        assert!(contradicting.get(&CaseId("A".to_owned()), "x").is_none());
    }

    mod properties {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

            #[test]
            fn any_text_is_read(text in "[-{}:, a-c\n<=>|'c1]{0,80}") {
                read(&text);
            }

            #[test]
            fn what_is_written_is_read(keys in proptest::collection::vec(("[ -~é]{1,12}", "[ -~é]{1,12}", 0..16u8), 1..8)) {
                let edits: Vec<PinEdit> = keys.iter().map(|(case, cites, digit)| set(case, cites, &format!("{digit:x}"))).collect();
                let mut text = String::new();
                for edit in &edits {
                    text = apply(&text, std::slice::from_ref(edit)).expect("one pin a line");
                }
                let pins = read(&text);
                prop_assert!(pins.problems.is_empty(), "{text}");
                let last: BTreeMap<_, _> = keys.iter().map(|(case, cites, digit)| ((case, cites), digit)).collect();
                for ((case, cites), digit) in last {
                    let pin = pins.value.get(&CaseId(case.clone()), cites).expect("it was set");
                    prop_assert_eq!(&pin.kind, &PinKind::Fingerprint(format!("{digit:x}").repeat(16)));
                }
            }
        }
    }
}
