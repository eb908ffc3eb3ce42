//! What the cases of a group are called: the key whose values tell them apart, the key that they stand under, or, where
//! the citing mapping is only a part of a case, the one around it.

use std::collections::{BTreeMap, BTreeSet};

use super::keys::{CitingKey, under};
use super::likeness::is_identifier;
use super::names::{Fit, fit, speaks_of_citing};
use super::{Ground, groups};
use crate::cases::Mapping;

/// An id may be missing or repeated now and then, and is told by `check`.
const ENOUGH: usize = 95;
/// A mapping that only says what is cited has few keys.
const SMALL: usize = 3;
/// More keys are those of a table and not of a case.
const MOST_KEYS: usize = 200;
/// Longer texts are no ids.
const LONGEST: usize = 100;

#[derive(Debug)]
pub(super) struct Found {
    /// Keys that hold ids; empty where mappings have a name.
    pub(super) ids: Vec<String>,
    /// The keys, dotted where the case is around the mapping that cites.
    pub(super) keys: Vec<CitingKey>,
    pub(super) is_sure: bool,
}

/// How mappings can be told apart, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    /// By the values of these keys.
    Keys(Vec<String>),
    /// By the keys that they stand under.
    Names,
}

pub(super) fn find(ground: &Ground<'_>, keys: Vec<CitingKey>) -> Found {
    let (inner, outer): (Vec<CitingKey>, Vec<CitingKey>) = keys.into_iter().partition(|key| is_part(ground, key));
    let keys: Vec<CitingKey> = outer.into_iter().chain(inner.into_iter().map(|key| lifted(ground, key))).collect();
    let citing = mappings(ground, &keys);
    let cites: Vec<&str> = keys.iter().map(|key| key.key.as_str()).collect();
    let own = identity(&citing, &cites, Fit::Naming(usize::MAX));
    let (ids, is_sure) = match own {
        Some(Identity::Keys(ids)) => (ids, true),
        Some(Identity::Names) => (Vec::new(), true),
        None => match cited_ids(&citing, &cites) {
            Some(keys) => (keys, true),
            None => match identity(&citing, &cites, Fit::Other) {
                Some(Identity::Keys(ids)) => (ids, false),
                Some(Identity::Names) | None => (Vec::new(), false),
            },
        },
    };
    Found { ids, keys, is_sure }
}

fn mappings<'g>(ground: &'g Ground<'_>, keys: &[CitingKey]) -> Vec<&'g Mapping> {
    groups::citing_mappings(keys).into_iter().map(|(file, at)| &ground.files[file].mappings[at]).collect()
}

/// Whether a key's mappings only say what a case around them cites: `links: [{ verifies: REQ-1 }]`.
fn is_part(ground: &Ground<'_>, key: &CitingKey) -> bool {
    let own = mappings(ground, std::slice::from_ref(key));
    let has_place = |mapping: &&&Mapping| mapping.parent.as_ref().is_some_and(|(_, key)| speaks_of_citing(key));
    let is_small = |mapping: &&&Mapping| mapping.fields.len() <= SMALL;
    let places = own.iter().filter(has_place).filter(is_small).count();
    let around: Vec<&Mapping> =
        around(ground, key).into_iter().map(|(file, at)| &ground.files[file].mappings[at]).collect();
    places * 100 >= own.len() * ENOUGH && places > 0 && identity(&around, &[], Fit::Naming(usize::MAX)).is_some()
}

fn around(ground: &Ground<'_>, key: &CitingKey) -> BTreeSet<(usize, usize)> {
    let parent = |file: usize, at: usize| Some((file, ground.files[file].mappings[at].parent.as_ref()?.0));
    key.places.iter().filter_map(|place| parent(place.file, place.mapping)).collect()
}

/// The key as it is seen from the mapping around.
fn lifted(ground: &Ground<'_>, mut key: CitingKey) -> CitingKey {
    let mut steps: BTreeMap<&str, usize> = BTreeMap::new();
    for place in &mut key.places {
        let mappings = &ground.files[place.file].mappings;
        if let Some((parent, step)) = &mappings[place.mapping].parent {
            *steps.entry(step).or_default() += 1;
            place.mapping = *parent;
        }
    }
    if let Some((step, _)) = steps.into_iter().max_by_key(|(_, count)| *count) {
        key.key = format!("{step}.{}", key.key);
    }
    if let Some(place) = key.places.first() {
        let file = &ground.files[place.file];
        key.under = under(file, &file.mappings[place.mapping]);
    }
    key
}

/// What tells mappings apart, if its name fits at least so well.
fn identity(mappings: &[&Mapping], cites: &[&str], least: Fit) -> Option<Identity> {
    let mut keys: Vec<(Fit, usize, &str)> = Vec::new();
    for mapping in mappings {
        for (place, field) in mapping.fields.iter().enumerate().take(MOST_KEYS) {
            let known = keys.len() >= MOST_KEYS || keys.iter().any(|(_, _, key)| *key == field.key);
            if !known && !cites.contains(&field.key.as_str()) {
                keys.push((fit(&field.key), place, &field.key));
            }
        }
    }
    for (fit, _, key) in &mut keys {
        if *fit == Fit::Other && mappings.iter().filter_map(|mapping| value(mapping, key)).all(is_identifier) {
            *fit = Fit::Identity(usize::MAX);
        }
    }
    keys.sort_unstable();
    let good: Vec<&str> = keys.iter().filter(|(fit, ..)| *fit <= least).map(|(.., key)| *key).collect();
    let identities: Vec<&str> =
        keys.iter().filter(|(fit, ..)| matches!(fit, Fit::Identity(_))).map(|(.., key)| *key).collect();
    let single =
        |keys: &[&str]| keys.iter().find(|key| is_unique(mappings, &[**key])).map(|key| vec![(*key).to_owned()]);
    if let Some(key) = single(&identities) {
        return Some(Identity::Keys(key));
    }
    if has_names(mappings) {
        return Some(Identity::Names);
    }
    let several = |keys: &[&str]| {
        let keys: Vec<&str> =
            keys.iter().copied().filter(|key| mappings.iter().any(|it| value(it, key).is_some())).collect();
        (keys.len() > 1 && is_unique(mappings, &keys)).then(|| keys.into_iter().map(str::to_owned).collect())
    };
    let either = || keys_or_names(mappings, &identities);
    several(&identities).map(Identity::Keys).or_else(either).or_else(|| single(&good).map(Identity::Keys))
}

/// Where some files list cases with an id and others have the ids for keys: a case without the key is called by its own.
fn keys_or_names(mappings: &[&Mapping], keys: &[&str]) -> Option<Identity> {
    let used: Vec<&str> =
        keys.iter().copied().filter(|key| mappings.iter().any(|it| value(it, key).is_some())).collect();
    let has_key = |mapping: &Mapping| used.iter().any(|key| value(mapping, key).is_some());
    let values: Vec<&str> = mappings.iter().filter_map(|mapping| called(mapping, &used)).collect();
    if used.is_empty() || mappings.iter().all(|mapping| has_key(mapping)) || !is_distinct(&values, mappings.len()) {
        return None;
    }
    // Without configuration a case is called so.
    Some(if used == ["id"] { Identity::Names } else { Identity::Keys(used.into_iter().map(str::to_owned).collect()) })
}

/// The value of the first of the keys that a mapping has, or else its name.
fn called<'m>(mapping: &'m Mapping, keys: &[&str]) -> Option<&'m str> {
    let name = || mapping.parent.as_ref().filter(|_| mapping.is_named).map(|(_, name)| name.as_str());
    keys.iter().find_map(|key| value(mapping, key)).or_else(name)
}

/// The citing keys whose values are the best names that the cases have: in a plan that lists sections.
fn cited_ids(mappings: &[&Mapping], cites: &[&str]) -> Option<Vec<String>> {
    let has_scalar = |mapping: &Mapping, key: &str| {
        mapping.fields.iter().any(|field| field.key == key && !field.is_list && !field.values.is_empty())
    };
    let is_scalar = |key: &&&str| mappings.iter().any(|mapping| has_scalar(mapping, key));
    let keys: Vec<String> = cites.iter().filter(is_scalar).map(|key| (*key).to_owned()).collect();
    let has = mappings.iter().filter(|mapping| keys.iter().any(|key| has_scalar(mapping, key))).count();
    (has > 0 && has * 100 >= mappings.len() * ENOUGH).then_some(keys)
}

/// Whether the first of the keys that a mapping has tells it from the others.
fn is_unique(mappings: &[&Mapping], keys: &[&str]) -> bool {
    let values: Vec<&str> =
        mappings.iter().filter_map(|mapping| keys.iter().find_map(|key| value(mapping, key))).collect();
    is_distinct(&values, mappings.len())
}

fn has_names(mappings: &[&Mapping]) -> bool {
    let named = mappings.iter().filter(|mapping| mapping.is_named);
    let names: Vec<&str> = named.filter_map(|mapping| mapping.parent.as_ref()).map(|(_, key)| key.as_str()).collect();
    is_distinct(&names, mappings.len())
}

fn is_distinct(values: &[&str], of: usize) -> bool {
    let distinct: BTreeSet<&&str> = values.iter().collect();
    !values.is_empty() && values.len() * 100 >= of * ENOUGH && distinct.len() * 100 >= values.len() * ENOUGH
}

fn value<'m>(mapping: &'m Mapping, key: &str) -> Option<&'m str> {
    let field = mapping.fields.iter().find(|field| field.key == key && !field.is_list)?;
    field.values.first().map(String::as_str).filter(|value| value.len() <= LONGEST && !value.contains('\n'))
}
