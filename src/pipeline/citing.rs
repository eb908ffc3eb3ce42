//! Who cites what changed: the cases behind each section before and after, whether or not a rule tells of them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Revision, Session};
use crate::diff::Change;
use crate::manual::{Index, Manual, SectionRef};
use crate::review::covered;

/// The cases that cite each section, directly or with a section above it.
pub(crate) struct Citing {
    before: BTreeMap<SectionRef, BTreeSet<String>>,
    after: BTreeMap<SectionRef, BTreeSet<String>>,
}

impl Session {
    /// Who cites what: the citations of the checked revision, in the manual before and in that after.
    pub(crate) fn citing(&self, before: &Revision, after: &Revision) -> Citing {
        Citing { before: self.cited_in(&before.manual, after), after: self.cited_in(&after.manual, after) }
    }

    fn cited_in(&self, manual: &Manual, after: &Revision) -> BTreeMap<SectionRef, BTreeSet<String>> {
        let mut cases: BTreeMap<SectionRef, BTreeSet<String>> = BTreeMap::new();
        if after.citations() == 0 {
            return cases;
        }
        let index = Index::new(manual, &self.base_urls());
        for file in &after.cases {
            let path = &self.sources.get(file.source).path;
            for (case, citation) in file.cases.iter().flat_map(|case| case.citations.iter().map(move |it| (case, it))) {
                let Some(target) = index.resolve(&citation.text, Some(path)).target() else { continue };
                for section in covered(manual, target, citation.scope) {
                    cases.entry(section).or_default().insert(case.id.0.clone());
                }
            }
        }
        cases
    }
}

impl Citing {
    /// The ids of the cases that cite what a change speaks of, as it was or as it is, sorted.
    pub(crate) fn cases(&self, change: &Change) -> Vec<String> {
        let (befores, afters) = (change.befores(), change.afters());
        let before = befores.iter().filter_map(|at| self.before.get(at));
        let after = afters.iter().filter_map(|at| self.after.get(at));
        let cases: BTreeSet<&String> = before.chain(after).flatten().collect();
        cases.into_iter().cloned().collect()
    }
}
