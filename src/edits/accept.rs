//! Citations of cases that a person looked at and found right: how they shall read, pinned to the text as it is. Which
//! ones a person means is for others to say.

use std::collections::BTreeMap;

use super::{NewPin, Respelling};
use crate::cases::PinKind;
use crate::diagnostic::{Diagnostic, Rule};
use crate::rules::{Remedy, is_review_unknown, is_settled_by_review};
use crate::source::Span;

/// The rules that a review settles and that have findings, for each citation of each case.
pub(crate) fn rules_by_citation(findings: &[Diagnostic]) -> BTreeMap<(&str, Span), Vec<&'static Rule>> {
    let mut rules: BTreeMap<(&str, Span), Vec<&Rule>> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| is_settled_by_review(finding.rule)) {
        if let Some(citation) = finding.about() {
            rules.entry(citation).or_default().push(finding.rule);
        }
    }
    rules
}

/// The citation as a review leaves it, or why a review can't settle what these rules tell of it.
pub(crate) fn accepted(remedy: &Remedy, rules: &[&Rule], all: bool) -> Result<Respelling, &'static str> {
    if all && rules.iter().any(|rule| is_review_unknown(rule)) {
        return Err("what it was reviewed against is not in this clone: fetch the history, or name the case");
    }
    let Some(now) = remedy.now else {
        return Err("it leads to no section: cite another one");
    };
    if remedy.is_quote_gone {
        return Err("the words that it quotes are gone: correct the quote");
    }
    let by_revision = remedy.citation.pins.iter().any(|pin| matches!(pin.kind, PinKind::Revision(_)));
    let text = remedy.moved_to.clone().unwrap_or_else(|| remedy.citation.text.clone());
    // Where the same text stands elsewhere now, there is nothing to remember once the citation leads there.
    let only_moved = remedy.moved_to.is_some() && remedy.before == remedy.now && !by_revision && remedy.is_certain;
    let pin = if only_moved { NewPin::Keep } else { NewPin::Set(now.pin()) };
    let title = remedy.retitled.clone();
    Ok(Respelling { case: remedy.case.clone(), citation: remedy.citation.clone(), text, title, pin })
}
