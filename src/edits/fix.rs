//! Citations whose section moved: how they shall read, so that they lead to it again and what was stale stays so.

use std::collections::BTreeSet;

use super::{NewPin, Respelling};
use crate::cases::{CaseId, PinKind};
use crate::pipeline::Checked;
use crate::rules::Remedy;

/// The citations of a check of the work tree that have to be rewritten. All at once, so that none is followed twice where
/// one takes another's old name. Not those of which only a person can say where they shall lead.
pub(crate) fn fixes(checked: &Checked) -> Vec<Respelling> {
    let mut spelled: BTreeSet<(&CaseId, &str)> = BTreeSet::new();
    for case in checked.after.cases.iter().flat_map(|file| &file.cases) {
        spelled.extend(case.citations.iter().map(|citation| (&case.id, citation.text.as_str())));
    }
    let respelling = |remedy: &Remedy| {
        let text = remedy.moved_to.clone()?;
        let is_listed = checked.pins.pins.get(&remedy.case, &remedy.citation.text).is_some();
        let takes_name = spelled.contains(&(&remedy.case, text.as_str()));
        let pin = pin(remedy, is_listed, takes_name);
        let title = remedy.retitled.clone();
        Some(Respelling { case: remedy.case.clone(), citation: remedy.citation.clone(), text, title, pin })
    };
    checked.remedies.iter().filter(|remedy| remedy.is_certain).filter_map(respelling).collect()
}

/// What pin a citation gets, so that its review point stays. One with a fingerprint keeps it. Else it needs the
/// fingerprint of the text that was reviewed
///
/// - where that text changed, too;
/// - where the case cites another section by the name that this one gets: history would take the one for the other;
/// - in the place of a revision, which knows the section by its old name only.
fn pin(remedy: &Remedy, is_listed: bool, takes_name: bool) -> NewPin {
    let has = |is: fn(&PinKind) -> bool| remedy.citation.pins.iter().any(|pin| is(&pin.kind));
    let by_text = is_listed || has(|kind| matches!(kind, PinKind::Fingerprint(_)));
    let by_revision = has(|kind| matches!(kind, PinKind::Revision(_)));
    match remedy.before {
        Some(before) if by_revision || (!by_text && (takes_name || remedy.now != Some(before))) => {
            NewPin::Set(before.pin())
        }
        Some(_) | None => NewPin::Keep,
    }
}
