//! What a configuration would find: the sampled files read with it, and every citation resolved. Changes nothing of what
//! was decided.

use super::addresses;
use super::groups::Group;
use super::manuals::Manuals;
use super::{Count, Ground};
use crate::cases;
use crate::config::Globs;
use crate::manual::{Index, Manual, Resolution};
use crate::source::{Rev, Sources};

/// What came out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trial {
    pub(crate) cases: usize,
    /// Citations, and how many of them name one section or file.
    pub(crate) citations: Count,
    /// A citation that names nothing, and its file.
    pub(crate) unresolved: Option<(String, String)>,
    /// What could not be read as a case.
    pub(crate) invalid: usize,
}

/// Tries the groups, and once more with ids for mappings that have a citing key and no id: what such a key says is the
/// name of what is no case in truth, and has no citation.
pub(super) fn settle(ground: &Ground<'_>, manuals: &Manuals, groups: &mut [Group]) -> Trial {
    let trial = run(ground, manuals, groups);
    if trial.invalid == 0 {
        return trial;
    }
    let mut named = groups.to_vec();
    for group in named.iter_mut().filter(|group| !group.ids.is_empty()) {
        let keys = group.keys.iter().map(|key| key.key.clone());
        let new: Vec<String> = keys.filter(|key| !key.contains('.') && !group.ids.contains(key)).collect();
        group.ids.extend(new);
    }
    let again = run(ground, manuals, &mut named);
    if again.invalid >= trial.invalid {
        return trial;
    }
    groups.clone_from_slice(&named);
    again
}

fn run(ground: &Ground<'_>, manuals: &Manuals, groups: &mut [Group]) -> Trial {
    let selected = ground.documents.iter().filter(|document| manuals.has(&document.path));
    let manual = Manual { documents: selected.cloned().collect() };
    let index = Index::new(&manual, &addresses::base_urls(ground.addresses));
    let globs: Vec<Option<Globs>> = groups.iter().map(|group| Globs::of_cases(&group.files)).collect();
    groups.iter_mut().for_each(|group| group.tried = Count::default());
    let mut trial = Trial::default();
    let mut sources = Sources::default();
    for file in &ground.files {
        let selects = |globs: &Option<Globs>| globs.as_ref().is_some_and(|globs| globs.matches(file.path));
        let Some(group) = globs.iter().position(selects).and_then(|at| groups.get_mut(at)) else { continue };
        let source = sources.add(Rev::Worktree, file.path.clone(), file.text);
        let parsed = cases::parse(source, file.text, &group.shape());
        trial.invalid += parsed.problems.len();
        trial.cases += parsed.value.cases.len();
        for citation in parsed.value.cases.iter().flat_map(|case| &case.citations) {
            let is_found = index.named(&citation.text, Some(file.path)).len() == 1
                && matches!(index.resolve(&citation.text, Some(file.path)), Resolution::Found { .. });
            for count in [&mut group.tried, &mut trial.citations] {
                count.of += 1;
                count.hits += usize::from(is_found);
            }
            if !is_found {
                trial.unresolved.get_or_insert_with(|| (citation.text.clone(), file.path.to_string()));
            }
        }
    }
    trial
}
