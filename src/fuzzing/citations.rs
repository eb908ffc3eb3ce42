//! Citations and ranges: every section has a citation of its own, one that is written anew leads to the same place, and
//! what sifts files before they are read never says no to one that matters.

use std::sync::Arc;

use super::sections::OPTIONS;
use super::{parts_of, text_of, worktree};
use crate::cases::{self, Shape};
use crate::git::Range;
use crate::manual::{self, Index, Manual, Names, Options, Resolution, SectionRef, Target};
use crate::source::RepoPath;

const BASE: &str = "https://docs.example.org/m/";

/// The input is citations, or ranges, one a line, and behind a divider the manual.
pub fn citations(input: &[u8]) {
    let Some(text) = text_of(input) else { return };
    let mut parts = parts_of(text);
    let (Some(cited), Some(text)) = (parts.next(), parts.next()) else { return };
    let path = RepoPath::new("docs/m.md");
    let (_, source) = worktree("docs/m.md", text);
    for options in &*OPTIONS {
        let document = manual::parse(source, &path, text, options).value;
        let manual = Manual { documents: vec![Arc::new(document)] };
        let index = Index::new(&manual, &[(BASE.to_owned(), "docs/".to_owned())]);
        for (at, _) in manual.sections() {
            let shortest = index.shortest(at);
            let found = index.resolve(&shortest, None).target();
            assert_eq!(found.and_then(|found| section_of(&manual, found)), Some(at), "{shortest:?} in {text:?}");
        }
        for citation in cited.lines().take(8) {
            check_citation(&index, citation, (text, options));
        }
    }
    cited.lines().for_each(check_range);
    cited.lines().for_each(check_pin);
}

/// The text before a file's first heading is cited by the file.
fn section_of(manual: &Manual, target: Target) -> Option<SectionRef> {
    match target {
        Target::Section(at) => Some(at),
        Target::File(document) => manual.sections().map(|(at, _)| at).find(|at| at.document == document),
    }
}

fn check_citation(index: &Index, citation: &str, (text, options): (&str, &Options)) {
    let citing = RepoPath::new("cases/c.yaml");
    let resolution = index.resolve(citation, Some(&citing));
    let named = index.named(citation, Some(&citing));
    let targets = match &resolution {
        Resolution::Found { target, .. } => vec![*target],
        Resolution::Ambiguous { candidates, .. } => candidates.iter().copied().map(Target::Section).collect(),
        Resolution::Unknown { .. } => Vec::new(),
    };
    assert_eq!(targets, named, "{citation:?} in {text:?}");
    assert_eq!(index.has(citation, Some(&citing)), !named.is_empty(), "{citation:?} in {text:?}");
    let _ = index.fragility(citation, &citing);
    for target in named {
        let recited = index.recite(citation, &citing, target);
        let leads = index.resolve(&recited, Some(&citing)).target();
        let same = |found| section_of(index.manual(), found) == section_of(index.manual(), target);
        assert!(leads.is_some_and(same), "{citation:?} as {recited:?} in {text:?}");
        check_sifting(index, citation, target, (text, options));
    }
}

/// Where a citation names something, neither its letters nor those of what it names rule it out.
fn check_sifting(index: &Index, citation: &str, target: Target, (text, options): (&str, &Options)) {
    let mut names = Names::default();
    match target {
        Target::Section(at) => names.add_section(index.manual().section(at)),
        Target::File(at) => names.add_file(&index.manual().documents[at], true),
    }
    for names in [names.clone(), names.inside_scalars()] {
        assert!(names.search().may_be_in(citation.as_bytes()), "{target:?} by {citation:?} in {text:?}");
    }
    let mut names = Names::default();
    names.add_citation(citation);
    let is_file = matches!(target, Target::File(_));
    assert!(is_file || names.search().may_name_in(text.as_bytes(), options), "{citation:?} in {text:?}");
}

/// A range is its sides with its dots between them.
fn check_range(range: &str) {
    let Some(Range { base, head, from_merge_base }) = Range::read(range) else {
        let is_path = range.contains("/..") || range.contains("../") || range.contains(".../");
        assert!(!range.contains("..") || is_path || range.trim_matches('.').is_empty(), "{range:?} is a range");
        return;
    };
    let (base, head) = (base.as_str(), head.as_str());
    let dots = if from_merge_base { "..." } else { ".." };
    assert!(!base.contains(".."), "{range:?}");
    let spelled = |base: &str, head: &str| format!("{base}{dots}{head}");
    let is_head = |side: &'static str, it: &str| if it == "HEAD" { side } else { "HEAD" };
    let forms = [(base, head), (is_head("", base), head), (base, is_head("", head)), ("", "")];
    assert!(forms.iter().any(|(base, head)| spelled(base, head) == range), "{range:?} as {base:?} and {head:?}");
}

/// A pinned citation that is written as it was read is read as it was.
fn check_pin(line: &str) {
    let quoted = |line: &str| serde_json::to_string(line).unwrap_or_default();
    let read = |citation: &str| {
        let text = format!("{{id: a, cites: {{section: {}}}}}", quoted(citation));
        let (_, source) = worktree("c.yaml", &text);
        let cases = cases::parse(source, &text, &Shape::default()).value.cases;
        cases.into_iter().flat_map(|case| case.citations).collect::<Vec<_>>()
    };
    let [citation] = &read(line)[..] else { return };
    let Some(pin) = citation.pins.first() else { return };
    let again = read(&format!("{}@{}", citation.text, pin.kind.spelled()));
    assert_eq!(again.len(), 1, "{line:?}");
    assert_eq!((&again[0].text, &again[0].pins[0].kind), (&citation.text, &pin.kind), "{line:?}");
}
