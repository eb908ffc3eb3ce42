//! What makes a finding the same one from run to run, so that a platform can tell known findings from fresh ones and a
//! dismissed one stays dismissed: the rule, the case, the citation, the section and what happened to its text. Lines,
//! files' order and the words of the message have no part in it.

use std::collections::BTreeMap;

use crate::diagnostic::{ChangeFact, Diagnostic, SectionFact};
use crate::hash::Hash;
use crate::source::Sources;

/// Hexadecimal digits: enough that two findings of a repository never share one by chance.
const DIGITS: usize = 32;

/// The fingerprint of each finding, in order; unique within a run.
pub(super) fn fingerprints(findings: &[Diagnostic], sources: &Sources) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let identities = findings.iter().map(|finding| digest(&identity(finding, sources)));
    identities
        .map(|identity| {
            let nth = seen.entry(identity.clone()).or_default();
            *nth += 1;
            // Findings that are alike in all that counts are told apart by their order.
            if *nth == 1 { identity } else { digest(&[identity, nth.to_string()]) }
        })
        .collect()
}

fn identity(finding: &Diagnostic, sources: &Sources) -> Vec<String> {
    let facts = &finding.facts;
    let mut parts = vec![finding.rule.name.to_owned()];
    match &facts.case {
        // A case is known by its id, whatever file it stands in.
        Some(case) => parts.extend(["case".to_owned(), case.clone()]),
        None => parts.extend([sources.get(finding.primary.span.source).path.to_string(), finding.message.clone()]),
    }
    parts.push(facts.citation.clone().unwrap_or_default());
    parts.extend(facts.before.iter().flat_map(section));
    parts.extend(facts.change.iter().flat_map(texts));
    parts
}

fn section(section: &SectionFact) -> [String; 2] {
    [section.file.clone(), section.id.clone()]
}

/// The texts that a change touched: a later change of the same section is another finding.
fn texts(change: &ChangeFact) -> Vec<String> {
    let sides = change.fragments.iter().flat_map(|fragment| [&fragment.before, &fragment.after]);
    sides.map(|side| side.as_ref().map_or_else(String::new, |text| text.text.clone())).collect()
}

fn digest(parts: &[String]) -> String {
    let mut digits = parts.iter().collect::<Hash>().to_string();
    digits.truncate(DIGITS);
    digits
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::report::sample::Sample;
    use crate::source::{RepoPath, Rev};

    fn of(sample: &Sample) -> Vec<String> {
        fingerprints(&sample.findings, &sample.sources)
    }

    #[test]
    fn every_finding_has_its_own() {
        let mut sample = Sample::new();
        sample.findings.push(sample.findings[0].clone());
        let unique: BTreeSet<String> = of(&sample).into_iter().collect();
        assert_eq!(unique.len(), sample.findings.len());
        assert!(unique.iter().all(|it| it.len() == DIGITS));
    }

    #[test]
    fn lines_and_files_of_cases_have_no_part() {
        let sample = Sample::new();
        let mut later = Sample::new();
        let moved = later.sources.add(Rev::Worktree, RepoPath::new("moved.yaml"), "\n".repeat(900));
        for finding in later.findings.iter_mut().take(5) {
            finding.primary.span.source = moved;
            finding.primary.span.start += 400;
            finding.primary.span.end += 400;
            finding.message.push_str(" in other words");
        }
        assert_eq!(of(&sample), of(&later));
    }

    #[test]
    fn another_change_of_the_section_is_another_finding() {
        let (sample, mut later) = (Sample::new(), Sample::new());
        later.findings[0].facts.change.as_mut().unwrap().fragments[0].after.as_mut().unwrap().text.push('!');
        assert_ne!(of(&sample)[0], of(&later)[0]);
        assert_eq!(of(&sample)[1..], of(&later)[1..]);
    }
}
