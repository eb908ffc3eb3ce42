//! Suppressions: `# citecheck: ignore[rule] reason` in a case file. Which there are, what each is about, and which findings
//! they take away; what is wrong with them is told by rules of their own.
//!
//! A comment speaks for the line that it stands on, or, alone on its line, for the next line with something else on it.
//! It is about the citations on that line, or, where a case starts or has its id there, about all citations of the case.

use std::collections::BTreeSet;

use super::kinds::can_be_suppressed;
use super::{Input, RULES};
use crate::cases::{Case, CaseFile, Citation, Spanned};
use crate::diagnostic::Diagnostic;
use crate::nearest::nearest;
use crate::source::{SourceId, Sources, Span};

/// What a comment says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instruction<'t> {
    pub(super) rules: Vec<&'t str>,
    pub(super) reason: &'t str,
}

/// What became of the findings.
pub(super) struct Suppressed<'a> {
    pub(super) kept: Vec<Diagnostic>,
    pub(super) taken: Vec<Diagnostic>,
    /// Comments that took nothing away, or not for all of their rules, where that is certain; those rules.
    pub(super) unused: Vec<(&'a Spanned, Vec<&'a str>)>,
}

/// A comment in its place.
struct Suppression<'a> {
    comment: &'a Spanned,
    instruction: Instruction<'a>,
    /// The line that it is about.
    line: usize,
    used: BTreeSet<&'a str>,
}

/// Reads what stands behind `citecheck:`.
pub(super) fn instruction(text: &str) -> Result<Instruction<'_>, String> {
    let form = "a suppression reads `# citecheck: ignore[rule] reason`";
    let word = text.split(|c: char| !c.is_alphanumeric() && c != '-').next().unwrap_or("");
    if word != "ignore" {
        return Err(format!("unknown instruction `{word}`; {form}"));
    }
    let Some((names, reason)) = text[word.len()..].strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return Err(format!("the rule is missing; {form}"));
    };
    let rules: Vec<&str> = names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
    if rules.is_empty() {
        return Err(format!("the rule is missing; {form}"));
    }
    for name in &rules {
        known(name)?;
    }
    let reason = reason.trim_start().trim_start_matches([':', '-', '–', '—']).trim();
    if !reason.chars().any(char::is_alphanumeric) {
        return Err(format!("the reason is missing; {form}"));
    }
    Ok(Instruction { rules, reason })
}

/// Takes away the findings that a comment suppresses.
pub(super) fn apply<'a>(input: &Input<'a>, findings: Vec<Diagnostic>) -> Suppressed<'a> {
    let mut files: Vec<(&CaseFile, Vec<Suppression<'a>>)> =
        input.case_files.iter().map(|file| (file, suppressions(input.sources, file))).collect();
    files.retain(|(_, suppressions)| !suppressions.is_empty());
    let mut kept = Vec::new();
    let mut taken = Vec::new();
    for finding in findings {
        let source = finding.primary.span.source;
        let mut is_suppressed = false;
        if let Some((file, suppressions)) = files.iter_mut().find(|(file, _)| file.source == source) {
            let lines = lines(input.sources, file, &finding);
            // All that name the rule count as used: two are one too many, but neither does nothing.
            for suppression in suppressions {
                is_suppressed |= suppression.takes(finding.rule.name, &lines);
            }
        }
        match is_suppressed {
            true => taken.push(finding),
            false => kept.push(finding),
        }
    }
    let undecided = undecided_lines(input);
    let unused = files.into_iter().flat_map(|(file, suppressions)| suppressions.into_iter().map(move |it| (file, it)));
    let unused = unused.filter(|(file, suppression)| !undecided.contains(&(file.source, suppression.line)));
    let unused = unused.filter_map(|(_, suppression)| suppression.unused()).collect();
    Suppressed { kept, taken, unused }
}

impl<'a> Suppression<'a> {
    fn takes(&mut self, rule: &str, lines: &BTreeSet<usize>) -> bool {
        let Some(name) = self.instruction.rules.iter().find(|name| **name == rule) else { return false };
        let takes = lines.contains(&self.line);
        if takes {
            self.used.insert(name);
        }
        takes
    }

    fn unused(self) -> Option<(&'a Spanned, Vec<&'a str>)> {
        let rules: Vec<&str> = self.instruction.rules.into_iter().filter(|name| !self.used.contains(name)).collect();
        (!rules.is_empty()).then_some((self.comment, rules))
    }
}

fn known(name: &str) -> Result<(), String> {
    match RULES.iter().find(|rule| rule.name == name) {
        Some(rule) if can_be_suppressed(rule) => Ok(()),
        Some(_) => Err(format!("findings of `{name}` can't be suppressed")),
        None => {
            let names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
            Err(match nearest(name, &names) {
                Some(near) => format!("unknown rule `{name}`; a similar one exists: `{near}`"),
                None => format!("unknown rule `{name}`; `citecheck rules` lists them"),
            })
        }
    }
}

fn suppressions<'a>(sources: &Sources, file: &'a CaseFile) -> Vec<Suppression<'a>> {
    let text = &sources.get(file.source).text;
    let suppression = |comment: &'a Spanned| {
        let instruction = instruction(&comment.text).ok()?;
        let (line, _) = sources.line(file.source, subject(text, comment.span.start));
        Some(Suppression { comment, instruction, line, used: BTreeSet::new() })
    };
    file.comments.iter().filter_map(suppression).collect()
}

/// Where the line starts that a comment is about.
fn subject(text: &str, comment: usize) -> usize {
    let start = text[..comment].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let is_alone = |line: &str| line.trim_start_matches('\u{feff}').trim().is_empty();
    if !is_alone(&text[start..comment]) {
        return start;
    }
    let mut at = comment;
    for line in text[comment..].split_inclusive(['\n', '\r']).skip(1) {
        at = line.as_ptr() as usize - text.as_ptr() as usize;
        let content = line.trim();
        if !content.is_empty() && !content.starts_with('#') {
            break;
        }
    }
    at
}

/// The lines on which a comment is about a finding; none where it is about no case.
fn lines(sources: &Sources, file: &CaseFile, finding: &Diagnostic) -> BTreeSet<usize> {
    let Some(case) = &finding.facts.case else { return BTreeSet::new() };
    let mut places = vec![finding.primary.span];
    let has_id = |it: &&Case| it.id.0 == *case;
    for case in file.cases.iter().filter(has_id) {
        let Some(at) = finding.facts.cited_at else {
            places.extend([case.span, case.id_span]);
            continue;
        };
        if let Some(citation) = case.citations.iter().find(|citation| citation.span == at) {
            places.extend([case.span, case.id_span]);
            places.extend(places_of(citation));
        }
    }
    places.iter().map(|place| sources.line(place.source, place.start).0).collect()
}

/// The lines on which a comment is about a citation of which nobody knows all that there is to suppress: the range puts it
/// out of date, so what was stale before is not asked for, or the reviewed text is not known.
fn undecided_lines(input: &Input<'_>) -> BTreeSet<(SourceId, usize)> {
    let undecided = input.citations.iter().filter(|examined| examined.impacted || !examined.is_known());
    let cited = undecided.map(|examined| examined.impact.cited);
    let places = cited.flat_map(|cited| places_of(cited.citation).chain([cited.case.span, cited.case.id_span]));
    places.map(|place| (place.source, input.sources.line(place.source, place.start).0)).collect()
}

fn places_of(citation: &Citation) -> impl Iterator<Item = Span> {
    [citation.span, citation.scalar].into_iter().chain(citation.alias)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{RepoPath, Rev};

    #[test]
    fn an_instruction_names_rules_and_a_reason() {
        let check = |text: &str, rules: &[&str], reason: &str| {
            assert_eq!(instruction(text), Ok(Instruction { rules: rules.to_vec(), reason }), "{text}");
        };
        check("ignore[text-changed] wording only", &["text-changed"], "wording only");
        check("ignore[text-changed, section-split]: see #4", &["text-changed", "section-split"], "see #4");
        check("ignore[text-changed] — ok", &["text-changed"], "ok");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let check = |text: &str, expected: &str| {
            let error = instruction(text).expect_err(text);
            assert!(error.starts_with(expected), "{text}: {error}");
        };
        check("igonre[text-changed] x", "unknown instruction `igonre`");
        check("", "unknown instruction ``");
        check("ignore text-changed", "the rule is missing");
        check("ignore[] x", "the rule is missing");
        check("ignore[text-changed", "the rule is missing");
        check("ignore[text-changed]", "the reason is missing");
        check("ignore[text-changed] -- ", "the reason is missing");
        check("ignore[text-chnaged] x", "unknown rule `text-chnaged`; a similar one exists: `text-changed`");
        check("ignore[zzz] x", "unknown rule `zzz`; `citecheck rules`");
        check("ignore[invalid-yaml] x", "findings of `invalid-yaml` can't be suppressed");
    }

    #[test]
    fn a_comment_is_about_its_line_or_the_next() {
        let check = |text: &str, expected: usize| {
            let comment = text.find('#').unwrap();
            let mut sources = Sources::default();
            let source = sources.add(Rev::Worktree, RepoPath::new("cases.yaml"), text);
            assert_eq!(sources.line(source, subject(text, comment)).0, expected, "{text:?}");
        };
        check("a: b # c\nd: e", 1);
        check("  # c\nd: e", 2);
        check("\u{feff}# c\r\n\r\n  # d\r\n - e\r\nf", 4);
        check("a\n# c", 2);
    }
}
