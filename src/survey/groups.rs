//! Which case files belong together, and how each group is read: the keys found before, the ids of the cases, a pattern
//! where citations stand in longer texts, and the files.

use std::collections::BTreeSet;

use regex::Regex;

use super::keys::CitingKey;
use super::{Doubt, Ground, case_ids, cover, likeness, names};
use crate::cases::Shape;
use crate::config::Globs;
use crate::manual::Target;

/// Case files of one shape.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Group {
    /// Patterns of the files.
    pub(crate) files: Vec<String>,
    pub(crate) keys: Vec<CitingKey>,
    /// Keys that hold ids; empty where the mappings' own keys are the ids.
    pub(crate) ids: Vec<String>,
    pub(crate) cite_pattern: Option<String>,
    /// Citations tried, and how many name one section or file; set by the trial.
    pub(crate) tried: super::Count,
    /// How many files were seen to cite.
    pub(crate) citing_files: usize,
}

/// Puts keys that occur in the same files together.
pub(super) fn group(ground: &Ground<'_>, keys: Vec<CitingKey>) -> (Vec<Group>, Vec<Doubt>) {
    let mut groups = Vec::new();
    let mut doubts = Vec::new();
    for keys in apart(ground, together(keys)) {
        let (keys, pattern) = with_pattern(ground, keys, &mut doubts);
        if keys.is_empty() {
            continue;
        }
        let case_ids::Found { ids, keys, is_sure } = case_ids::find(ground, keys);
        if !is_sure {
            doubts.push(Doubt::Ids { keys: ids.clone() });
        }
        let citing: BTreeSet<usize> = keys.iter().flat_map(files).collect();
        let files = patterns(ground, &keys, &citing);
        let citing_files = citing.len();
        groups.push(Group { files, keys, ids, cite_pattern: pattern, citing_files, ..Group::default() });
    }
    (groups, doubts)
}

/// The documents that anything cites.
pub(super) fn cited_documents(ground: &Ground<'_>, groups: &[Group]) -> BTreeSet<usize> {
    let targets = groups.iter().flat_map(|group| &group.keys).flat_map(|key| &key.places);
    let targets = targets.flat_map(|place| &place.targets);
    let documents = targets.map(|target| match target {
        Target::Section(at) => at.document,
        Target::File(document) => *document,
    });
    documents.filter(|document| *document < ground.documents.len()).collect()
}

impl Group {
    pub(super) fn shape(&self) -> Shape {
        let default = Shape::default();
        Shape {
            id: if self.ids.is_empty() { default.id } else { self.ids.clone() },
            cites: self.keys.iter().map(|key| key.key.clone()).collect(),
            cite_pattern: self.cite_pattern.as_ref().and_then(|pattern| Regex::new(pattern).ok()),
            ..default
        }
    }

    /// Whether only citecheck reads the citations.
    pub(crate) fn is_own(&self) -> bool {
        self.keys.iter().all(|key| names::is_own(&key.key))
    }
}

fn files(key: &CitingKey) -> BTreeSet<usize> {
    key.places.iter().map(|place| place.file).collect()
}

fn together(keys: Vec<CitingKey>) -> Vec<Vec<CitingKey>> {
    let mut groups: Vec<(BTreeSet<usize>, Vec<CitingKey>)> = Vec::new();
    for key in keys {
        let mut merged = (files(&key), vec![key]);
        let (joined, apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|(files, _)| !files.is_disjoint(&merged.0));
        groups = apart;
        for (files, keys) in joined {
            merged.0.extend(files);
            merged.1.splice(0..0, keys);
        }
        groups.push(merged);
    }
    groups.into_iter().map(|(_, keys)| keys).collect()
}

/// Joins groups until none has a pattern that selects a file of a later one: a file is read by the first that does.
fn apart(ground: &Ground<'_>, mut groups: Vec<Vec<CitingKey>>) -> Vec<Vec<CitingKey>> {
    let selects = |group: &[CitingKey], later: &[CitingKey]| {
        let citing: BTreeSet<usize> = group.iter().flat_map(files).collect();
        let globs = Globs::of_cases(&patterns(ground, group, &citing));
        globs.is_some_and(|globs| later.iter().flat_map(files).any(|file| globs.matches(ground.files[file].path)))
    };
    let pairs = |count: usize| (0..count).flat_map(move |one| (one + 1..count).map(move |later| (one, later)));
    while let Some((one, later)) = pairs(groups.len()).find(|(one, later)| selects(&groups[*one], &groups[*later])) {
        let joined = groups.remove(later);
        groups[one].extend(joined);
    }
    groups
}

/// The pattern for keys whose citations stand in longer texts. It has to find the citations of all keys of the group;
/// where one can't, the keys with citations alone are kept.
fn with_pattern(
    ground: &Ground<'_>,
    keys: Vec<CitingKey>,
    doubts: &mut Vec<Doubt>,
) -> (Vec<CitingKey>, Option<String>) {
    if keys.iter().all(|key| !key.in_prose) {
        return (keys, None);
    }
    let texts: BTreeSet<&str> = keys.iter().flat_map(|key| &key.texts).map(String::as_str).collect();
    if let Some(pattern) = pattern(ground, &texts) {
        return (keys, Some(pattern.as_str().to_owned()));
    }
    // A key whose values are mostly citations can do without a pattern.
    let (kept, given_up): (Vec<_>, Vec<_>) = keys.into_iter().partition(|key| !key.in_prose || key.count.reaches(50));
    doubts.extend(given_up.iter().map(|key| Doubt::Prose { key: key.key.clone(), count: key.count }));
    (kept, None)
}

/// A pattern for all of the texts, if there is one that a person could read.
fn pattern(ground: &Ground<'_>, texts: &BTreeSet<&str>) -> Option<Regex> {
    let (published, others): (Vec<&str>, Vec<&str>) = texts.iter().copied().partition(|text| text.contains("://"));
    let (files, ids): (Vec<&str>, Vec<&str>) = others.into_iter().partition(|text| likeness::is_file_reference(text));
    let bases = ground.addresses.iter().map(|address| address.url.as_str());
    let bases = bases.filter(|base| published.iter().any(|text| text.starts_with(base)));
    let mut parts: Vec<String> =
        bases.map(|base| format!(r"{}[^\s)\]>]*[^\s)\]>.,;:!?]", likeness::escaped(base))).collect();
    if !files.is_empty() {
        parts.push(likeness::file_pattern(&files));
    }
    if !ids.is_empty() {
        parts.push(format!(r"\b{}\b", likeness::pattern(ids.into_iter())));
    }
    let pattern = likeness::compiled(&parts.join("|"))?;
    let finds = |text: &&str| pattern.find(text).is_some_and(|found| found.as_str() == *text);
    texts.iter().all(finds).then_some(pattern)
}

/// Where the files are. A file that has one of the keys, and nothing under it names a section, must not be in.
fn patterns(ground: &Ground<'_>, keys: &[CitingKey], citing: &BTreeSet<usize>) -> Vec<String> {
    let names: BTreeSet<&str> = keys.iter().map(|key| key.key.rsplit('.').next().unwrap_or(&key.key)).collect();
    let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
    let paths: Vec<String> = ground.files.iter().map(|file| file.path.to_string()).collect();
    for (at, file) in ground.files.iter().enumerate() {
        let has_key = || file.mappings.iter().flat_map(|it| &it.fields).any(|field| names.contains(field.key.as_str()));
        if citing.contains(&at) {
            wanted.push(paths[at].as_str());
        } else if has_key() {
            unwanted.push(paths[at].as_str());
        }
    }
    let mut found = Vec::new();
    for ending in [".yaml", ".yml"] {
        found.extend(cover::patterns(&ending_with(&wanted, ending), &ending_with(&unwanted, ending)));
    }
    found
}

fn ending_with<'p>(paths: &[&'p str], ending: &str) -> Vec<&'p str> {
    paths.iter().copied().filter(|path| path.ends_with(ending)).collect()
}

/// The mappings that cite, each once: its file, and where it is there.
pub(super) fn citing_mappings(keys: &[CitingKey]) -> BTreeSet<(usize, usize)> {
    keys.iter().flat_map(|key| &key.places).map(|place| (place.file, place.mapping)).collect()
}
