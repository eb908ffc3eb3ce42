//! What can be written into a citation that has findings: where its section is now, and what its text hashes to. Facts
//! for `fix` and `accept`; whether and where anything is written is theirs to decide.

use std::collections::BTreeSet;

use super::fate::{astray, rewritable};
use super::section_mismatch::retitled;
use super::{Examined, Input, describe, facts};
use crate::cases::{CaseId, Citation, Scope};
use crate::diagnostic::{ChangeFact, Diagnostic, SectionFact};
use crate::impact::Quoted;
use crate::manual::{Fingerprint, Target};
use crate::source::Span;

/// One citation of one case, and what can be done for it.
#[derive(Clone, Debug)]
pub(crate) struct Remedy {
    pub(crate) case: CaseId,
    pub(crate) citation: Citation,
    /// How to cite the section where it is, if the citation does not lead there.
    pub(crate) moved_to: Option<String>,
    /// Whether it takes nobody to look at it to write that.
    pub(crate) is_certain: bool,
    /// The title to write beside it then, where that is another one now.
    pub(crate) retitled: Option<String>,
    /// The text at the review point.
    pub(crate) before: Option<Fingerprint>,
    /// The text where the section is, or else where the citation leads.
    pub(crate) now: Option<Fingerprint>,
    /// The section that was cited, in the manual before.
    pub(crate) cited: Option<SectionFact>,
    /// The section itself where it is, or else what the citation leads to, in the checked manual.
    pub(crate) target: Option<Target>,
    /// The same as a reader finds it.
    pub(crate) place: Option<SectionFact>,
    /// Whether words that it quotes are not there.
    pub(crate) is_quote_gone: bool,
    /// Everything that changed in the cited text.
    pub(crate) changes: Vec<ChangeFact>,
}

impl Remedy {
    /// The same as [`Diagnostic::about`] has.
    pub(crate) fn key(&self) -> (&str, Span) {
        (&self.case.0, self.citation.span)
    }
}

/// The remedies of all citations that have findings, in the order of the cases.
pub(crate) fn remedies(input: &Input<'_>, findings: &[Diagnostic]) -> Vec<Remedy> {
    let found: BTreeSet<(&str, Span)> = findings.iter().filter_map(Diagnostic::about).collect();
    let has_finding = |examined: &&Examined<'_>| found.contains(&examined.impact.cited.key());
    input.citations.iter().filter(has_finding).map(|examined| remedy(input, examined)).collect()
}

fn remedy(input: &Input<'_>, examined: &Examined<'_>) -> Remedy {
    let Examined { passage, impact, .. } = examined;
    let cited = impact.cited;
    let home = astray(examined, input);
    let target = home.or_else(|| impact.now.target());
    let whole = cited.citation.scope == Scope::Whole;
    let pair = facts::Pair { before: passage.before, after: passage.after };
    Remedy {
        case: cited.case.id.clone(),
        citation: cited.citation.clone(),
        moved_to: home.map(|home| describe::citation_for(examined, input.citing(examined), home)),
        is_certain: rewritable(examined, input).is_some(),
        retitled: home.and_then(|home| retitled(examined, home)).filter(|_| cited.citation.has_own_title),
        before: impact.before.map(|target| passage.before.fingerprint(target, whole)),
        now: target.map(|target| passage.after.fingerprint(target, whole)),
        cited: describe::cited_before(examined),
        target,
        place: target.map(|target| facts::target(passage.after, target)),
        is_quote_gone: impact.quoted == Quoted::Gone,
        changes: impact.changes.iter().map(|it| facts::change(pair, it.change, Vec::new())).collect(),
    }
}
