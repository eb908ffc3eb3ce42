//! Which commits changed a section since its review: the answer to "since when".
//! Looks only at commits that touched the section's file; the section is looked for by its ids at both ends, and on the
//! way where `trail.rs` finds that it stood elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::follow::covered;
use super::trail::Trail;
use super::{Reviewer, Route, Way, if_there};
use crate::cases::Scope;
use crate::diff::{Change, Magnitude, Outcome};
use crate::git::{Commit, Entry, Error};
use crate::manual::{Fingerprint, Manual, SectionRef, Target};
use crate::source::{RepoPath, Rev};

/// Versions of one file that are read to answer for one section, at most; what is older is not named.
const MOST_VERSIONS: usize = 50;

/// A section by its file and id.
pub(super) type SectionKey = (RepoPath, String);

/// What was found out so far, by the node after which commits count.
#[derive(Default)]
pub(super) struct Memory {
    nodes: BTreeMap<Option<usize>, Vec<usize>>,
    /// Nodes whose commits changed a section's own text.
    changed: BTreeMap<(Option<usize>, SectionKey), Vec<usize>>,
}

/// What is asked about one change of the cited text.
struct Asked {
    /// Where its sections stand at the ends.
    places: BTreeSet<SectionKey>,
    /// Where a section stood whose text changed or went, if it is not there any more: it may have changed on the way. Who
    /// only moved it has not changed it.
    left: Option<SectionKey>,
}

impl Reviewer<'_> {
    /// The commits after `base` that changed what was cited, latest first.
    pub(super) fn since(&mut self, base: Option<usize>, way: &Way, scope: Scope) -> Result<Vec<Commit>, Error> {
        let mut nodes = BTreeSet::new();
        for Asked { places, left } in self.asked(way, scope) {
            let trail = match left {
                Some(left) => if_there(self.trail(base, left), Trail::default)?,
                None => Trail::default(),
            };
            for place in places.into_iter().chain(trail.places).collect::<BTreeSet<_>>() {
                nodes.extend(self.changed(base, place)?.into_iter().filter(|node| !trail.movers.contains(node)));
            }
        }
        let mut commits = Vec::new();
        for node in nodes {
            if let Rev::Commit(id) = &self.lineage.nodes[node].rev {
                commits.push(self.archive.reading.repo.commit(id)?);
            }
        }
        Ok(commits)
    }

    /// What the changes of the cited text speak of.
    fn asked(&self, way: &Way, scope: Scope) -> Vec<Asked> {
        let (Route::Changed(compared), Some(to)) = (&way.route, self.editions.get(&0)) else { return Vec::new() };
        let (before, after) = (&way.from.manual, &to.manual);
        let departed: Vec<&Change> =
            covered(before, way.target, scope).into_iter().filter_map(|at| compared.change_of(at)).collect();
        let homes = departed.iter().take(1).flat_map(|change| change.afters());
        let below = homes.flat_map(|home| covered(after, Target::Section(home), scope));
        let added = below
            .filter_map(|at| compared.arrival_of(at))
            .filter(|change| matches!(change.outcome, Outcome::Added { .. }));
        let named =
            |manual: &Manual, at: &SectionRef| (manual.document(*at).path.clone(), manual.section(*at).id.0.clone());
        let asked = |change: &Change| {
            let befores: Vec<SectionKey> = change.befores().iter().map(|at| named(before, at)).collect();
            let afters: Vec<SectionKey> = change.afters().iter().map(|at| named(after, at)).collect();
            let left = befores.first().filter(|place| is_other_text(change) && !afters.contains(place)).cloned();
            Asked { places: befores.into_iter().chain(afters).collect(), left }
        };
        let changes = departed.iter().copied().chain(added).filter(|change| !change.is_nothing());
        changes.map(asked).collect()
    }

    pub(super) fn changed(&mut self, base: Option<usize>, section: SectionKey) -> Result<Vec<usize>, Error> {
        let key = (base, section);
        if let Some(known) = self.memory.changed.get(&key) {
            return Ok(known.clone());
        }
        let lineage = &self.lineage;
        let nodes = self.memory.nodes.entry(base).or_insert_with(|| match base {
            Some(base) => lineage.since(base),
            None => (0..lineage.nodes.len()).collect(),
        });
        let (file, _) = &key.1;
        let touches = |node: &usize| {
            let parents = &lineage.nodes[*node].parents;
            !parents.is_empty() && parents.iter().all(|edge| edge.changed.contains_key(file))
        };
        let candidates: Vec<usize> = nodes.iter().copied().filter(touches).take(MOST_VERSIONS).collect();
        let mut found = Vec::new();
        for node in candidates {
            if self.changed_by(node, &key.1)? {
                found.push(node);
            }
        }
        self.memory.changed.insert(key, found.clone());
        Ok(found)
    }

    /// Whether the own text of a section is another one than in every parent.
    fn changed_by(&mut self, node: usize, (file, id): &SectionKey) -> Result<bool, Error> {
        let here = self.lineage.nodes[node].rev.clone();
        let versions: Vec<(Rev, Option<Entry>, Option<Entry>)> = self.lineage.nodes[node]
            .parents
            .iter()
            .filter_map(|edge| {
                let delta = edge.changed.get(file)?;
                Some((edge.rev(), delta.before, delta.after))
            })
            .collect();
        for (rev, before, after) in versions {
            if self.own(&rev, before, file, id)? == self.own(&here, after, file, id)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn own(
        &mut self,
        rev: &Rev,
        entry: Option<Entry>,
        file: &RepoPath,
        id: &str,
    ) -> Result<Option<Fingerprint>, Error> {
        let Some(entry) = entry else { return Ok(None) };
        let document = self.archive.document(rev, file, entry)?;
        Ok(document.and_then(|document| {
            document.sections.iter().find(|section| section.id.0 == id).map(|section| section.own)
        }))
    }
}

/// Whether more happened to a section than that it has another place or name.
fn is_other_text(change: &Change) -> bool {
    match change.outcome {
        Outcome::Same { .. } => change.edit.magnitude > Magnitude::Trivial,
        Outcome::Split { .. } | Outcome::Merged { .. } | Outcome::Ambiguous { .. } | Outcome::Removed { .. } => true,
        Outcome::Added { .. } => false,
    }
}
