//! Which YAML keys hold citations: those whose values name sections, tried one by one. Knows keys and what is under them;
//! which files belong together and what the cases are called is decided after.

use std::collections::{BTreeMap, BTreeSet};

use super::evidence::{Grade, tokens};
use super::{CaseText, Doubt, Ground, likeness, names};
use crate::cases::{self, Field, Mapping};
use crate::manual::Target;

/// So many titles that differ, under a key that does not speak of citing, are no chance.
const MANY_TITLES: usize = 5;
/// So many sure citations that differ show a key that does not speak of citing.
const FEW_SURE: usize = 2;
/// So many different links to places in the manual show that a key cites, even if most of its values don't.
const MANY_LINKS: usize = 5;

/// A key that holds citations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CitingKey {
    /// As it is configured; dotted where the case is further out.
    pub(crate) key: String,
    /// Where it stands: `Tests[]`, `cases.*`, or nothing at the top of a file.
    pub(crate) under: String,
    /// How many values name a section.
    pub(crate) count: Count,
    pub(crate) example: String,
    /// Whether the citations stand in longer texts, so that a pattern has to find them.
    pub(super) in_prose: bool,
    /// The citations as they are written, each once.
    pub(super) texts: BTreeSet<String>,
    /// Where those that name something stand.
    pub(super) places: Vec<Place>,
}

/// Of how many things something is true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) hits: usize,
    pub(crate) of: usize,
}

/// A mapping that cites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: usize,
    pub(super) mapping: usize,
    pub(super) targets: Vec<Target>,
}

#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) keys: Vec<CitingKey>,
    pub(super) doubts: Vec<Doubt>,
}

/// What the values of one key name, read in one way.
#[derive(Debug, Default)]
struct Tally {
    /// Of the values of each file, how many name a section.
    files: BTreeMap<usize, Count>,
    texts: BTreeSet<String>,
    /// Those among `texts` that nothing else looks like.
    sure: BTreeSet<String>,
    places: Vec<Place>,
    under: BTreeMap<String, usize>,
    /// Mappings that have other keys too, or a key that is their name.
    records: usize,
}

/// The values of one key, read as citations and as texts in which citations stand.
#[derive(Debug, Default)]
struct Tallies {
    exact: Tally,
    prose: Tally,
}

/// A value under a key, and where.
struct Value<'a> {
    file: usize,
    mapping: usize,
    cited: Vec<&'a str>,
}

/// Tries the values of every key.
pub(super) fn find(ground: &Ground<'_>) -> Found {
    let mut tallies: BTreeMap<String, Tallies> = BTreeMap::new();
    let mut keys_of_mappings: BTreeMap<String, Tally> = BTreeMap::new();
    for (at, file) in ground.files.iter().enumerate() {
        for (mapping, it) in file.mappings.iter().enumerate() {
            let map_form = map_form(it);
            for field in it.fields.iter().filter(|field| can_be_configured(&field.key)) {
                // What a citation's map says beside its section cites nothing.
                let (mapping, key) = match map_form {
                    Some((parent, key)) if field.key == "section" => (*parent, key),
                    Some(_) => continue,
                    None => (mapping, &field.key),
                };
                let tallies = tallies.entry(key.clone()).or_default();
                for value in &field.values {
                    let exact = Value { file: at, mapping, cited: cases::cited(value) };
                    tallies.exact.add(ground, &exact, |hits, all| hits == all);
                    let prose = Value { file: at, mapping, cited: tokens(value).collect() };
                    tallies.prose.add_sure(ground, &prose);
                }
            }
            if map_form.is_none() {
                keyed(ground, at, mapping, &mut tallies, &mut keys_of_mappings);
            }
        }
    }
    choose(ground, tallies, keys_of_mappings)
}

/// The name of a file, with its anchor.
fn without_folders(reference: &str) -> &str {
    let file = reference.split('#').next().unwrap_or(reference);
    &reference[file.rfind('/').map_or(0, |slash| slash + 1)..]
}

/// The mapping and the key in it that a citation in map form belongs to: `cites: [{section: a, quote: b}]`.
fn map_form(mapping: &Mapping) -> Option<&(usize, String)> {
    let has = |name: &str| mapping.fields.iter().any(|field| field.key == name);
    let parent = mapping.parent.as_ref().filter(|(_, key)| can_be_configured(key))?;
    let is_form = has("section") && mapping.fields.iter().all(|field| cases::is_key_of_citation(&field.key));
    let is_ours = ["rev", "fingerprint", "quote", "scope"].into_iter().any(has) || names::speaks_of_citing(&parent.1);
    (is_form && is_ours).then_some(parent)
}

/// A dot goes into a mapping, so there has to be a key on each side of it.
fn can_be_configured(key: &str) -> bool {
    key.split('.').all(|part| !part.trim().is_empty())
}

/// The keys of a mapping as citations: `verifies: { REQ-1: pass }`, `links: [REQ-1: …]`. A key whose value is a mapping
/// cites nothing; where such keys name sections, somebody should know.
fn keyed(
    ground: &Ground<'_>,
    file: usize,
    mapping: usize,
    tallies: &mut BTreeMap<String, Tallies>,
    keys_of_mappings: &mut BTreeMap<String, Tally>,
) {
    let it = &ground.files[file].mappings[mapping];
    let names = |field: &&Field| ground.named(&field.key, ground.files[file].path).grade == Grade::Sure;
    let hits = it.fields.iter().filter(names).count();
    if hits == 0 || it.parent.as_ref().is_some_and(|(_, key)| !can_be_configured(key)) {
        return;
    }
    let is_flat = it.fields.iter().all(|field| !field.is_list && field.values.len() == 1);
    let (tally, mapping) = match &it.parent {
        Some((parent, key)) if is_flat => (&mut tallies.entry(key.clone()).or_default().exact, *parent),
        Some((parent, key)) => (keys_of_mappings.entry(key.clone()).or_default(), *parent),
        None => (keys_of_mappings.entry(String::new()).or_default(), mapping),
    };
    for field in &it.fields {
        tally.add(ground, &Value { file, mapping, cited: vec![&field.key] }, |hits, all| hits == all);
    }
}

fn choose(
    ground: &Ground<'_>,
    mut tallies: BTreeMap<String, Tallies>,
    keys_of_mappings: BTreeMap<String, Tally>,
) -> Found {
    let mut found = Found::default();
    let mut order: Vec<String> = tallies.keys().cloned().collect();
    order.sort_by_cached_key(|key| {
        let exact = &tallies[key].exact;
        std::cmp::Reverse((names::is_own(key), names::speaks_of_citing(key), exact.sure.len(), exact.count().hits))
    });
    for key in &order {
        let tally = &tallies[key].exact;
        if tally.is_meant(key) && !tally.is_told(ground, &found.keys) {
            let tally = std::mem::take(&mut tallies.entry(key.clone()).or_default().exact);
            found.keys.push(tally.into_key(key));
        }
    }
    order.sort_by_cached_key(|key| (std::cmp::Reverse(tallies[key].prose.count().hits), key.clone()));
    for key in &order {
        let tally = &tallies[key].prose;
        let is_new = found.keys.iter().all(|it| it.key != *key);
        if is_new && tally.is_meant_in_prose(key) && !tally.is_told(ground, &found.keys) {
            let tally = std::mem::take(&mut tallies.entry(key.clone()).or_default().prose);
            found.keys.push(CitingKey { in_prose: true, ..tally.into_key(key) });
        }
    }
    let by_chance = order.iter().filter(|key| tallies[*key].exact.is_perhaps_chance());
    let by_chance = by_chance.filter(|key| found.keys.iter().all(|it| it.key != **key));
    let by_chance: Vec<String> = by_chance.cloned().collect();
    for key in by_chance {
        let count = tallies[&key].exact.count();
        if found.keys.is_empty() && tallies[&key].exact.texts.len() >= MANY_TITLES {
            let tally = std::mem::take(&mut tallies.entry(key.clone()).or_default().exact);
            found.keys.push(tally.into_key(&key));
            found.doubts.push(Doubt::Weak { key, count });
        } else {
            found.doubts.push(Doubt::Chance { key, count });
        }
    }
    for (under, tally) in keys_of_mappings {
        let is_new = found.keys.iter().all(|it| it.key != under);
        if is_new && tally.sure.len() >= FEW_SURE && !tally.is_told(ground, &found.keys) {
            found.doubts.push(Doubt::KeysOfMappings { under, count: tally.count() });
        }
    }
    found
}

impl Count {
    fn add(&mut self, hits: usize, of: usize) {
        self.hits += hits;
        self.of += of;
    }

    /// Whether it is true of so many percent.
    pub(super) fn reaches(self, percent: usize) -> bool {
        self.of > 0 && self.hits * 100 >= self.of * percent
    }
}

impl Tally {
    /// Counts a value; `is_hit` decides by how many of its citations name something.
    fn add(&mut self, ground: &Ground<'_>, value: &Value<'_>, is_hit: impl Fn(usize, usize) -> bool) {
        let file = &ground.files[value.file];
        let named: Vec<_> = value.cited.iter().map(|cited| (*cited, ground.named(cited, file.path))).collect();
        let hits = named.iter().filter(|(_, named)| named.grade != Grade::Miss).count();
        let is_hit = hits > 0 && is_hit(hits, named.len());
        self.files.entry(value.file).or_default().add(usize::from(is_hit), 1);
        if !is_hit {
            return;
        }
        let mapping = &file.mappings[value.mapping];
        *self.under.entry(under(file, mapping)).or_default() += 1;
        self.records += usize::from(mapping.is_named || mapping.fields.len() > 1);
        let mut targets = Vec::new();
        for (cited, named) in named {
            self.texts.insert(cited.to_owned());
            if named.grade == Grade::Sure {
                self.sure.insert(cited.to_owned());
            }
            targets.extend(named.targets);
        }
        self.places.push(Place { file: value.file, mapping: value.mapping, targets });
    }

    /// Counts a value by the citations in it that nothing else looks like.
    fn add_sure(&mut self, ground: &Ground<'_>, value: &Value<'_>) {
        let path = ground.files[value.file].path;
        let is_sure = |cited: &&str| ground.named(cited, path).grade == Grade::Sure;
        // A path may start with what only its readers know: `SPEC_ROOT/units.md#mass`.
        let cited =
            value.cited.iter().filter_map(|cited| [*cited, without_folders(cited)].into_iter().find(is_sure)).collect();
        self.add(ground, &Value { cited, ..*value }, |_, _| true);
    }

    /// Over the files in which any value names something.
    fn count(&self) -> Count {
        let mut sum = Count::default();
        self.files.values().filter(|count| count.hits > 0).for_each(|count| sum.add(count.hits, count.of));
        sum
    }

    /// Whether the values are citations and nothing else.
    fn is_meant(&self, key: &str) -> bool {
        let speaks = names::speaks_of_citing(key);
        let is_record = speaks || self.records * 2 >= self.places.len();
        let is_sure = self.sure.len() >= FEW_SURE && self.sure.len() * 2 >= self.texts.len();
        self.count().reaches(50) && is_record && (speaks || is_sure)
    }

    fn is_meant_in_prose(&self, key: &str) -> bool {
        let least = if names::speaks_of_citing(key) { 30 } else { 50 };
        // Nobody writes links to places in the manual by chance, however many values have none.
        let links = self.sure.iter().filter(|text| likeness::is_file_reference(text) && text.contains('#')).count();
        self.sure.len() >= FEW_SURE && (self.count().reaches(least) || links >= MANY_LINKS)
    }

    fn is_perhaps_chance(&self) -> bool {
        let has_words = self.texts.iter().filter(|text| text.contains(char::is_alphabetic)).count() >= 3;
        has_words && self.count().reaches(80)
    }

    /// Whether the same mapping, or one around it, cites the same by a key that was taken already: a title that repeats
    /// the id of its case.
    fn is_told(&self, ground: &Ground<'_>, taken: &[CitingKey]) -> bool {
        let places = taken.iter().flat_map(|key| &key.places);
        let mut known: BTreeMap<(usize, usize), BTreeSet<Target>> = BTreeMap::new();
        for place in places {
            known.entry((place.file, place.mapping)).or_default().extend(&place.targets);
        }
        let is_told = |place: &&Place| {
            let mappings = &ground.files[place.file].mappings;
            let mut around =
                std::iter::successors(Some(place.mapping), |at| mappings[*at].parent.as_ref().map(|it| it.0));
            around.any(|at| {
                known.get(&(place.file, at)).is_some_and(|known| place.targets.iter().all(|it| known.contains(it)))
            })
        };
        !known.is_empty() && self.places.iter().filter(is_told).count() * 5 >= self.places.len() * 4
    }

    fn into_key(self, key: &str) -> CitingKey {
        let count = self.count();
        let under = self.under.iter().max_by_key(|(_, count)| **count).map(|(under, _)| under.clone());
        let example = self.sure.first().or(self.texts.first()).cloned().unwrap_or_default();
        // Where a good part names nothing, the rest may have a form of its own.
        let is_mixed = !count.reaches(95) && self.sure.len() == self.texts.len();
        CitingKey {
            key: key.to_owned(),
            under: under.unwrap_or_default(),
            count,
            example,
            in_prose: is_mixed,
            texts: self.texts,
            places: self.places,
        }
    }
}

/// Where a mapping stands, as people write it: `cases[]`, `cases.*`.
pub(super) fn under(file: &CaseText<'_>, mapping: &Mapping) -> String {
    match &mapping.parent {
        None => String::new(),
        Some((_, key)) if !mapping.is_named => format!("{key}[]"),
        Some((parent, _)) => match &file.mappings[*parent].parent {
            Some((_, key)) => format!("{key}.*"),
            None => "*".to_owned(),
        },
    }
}
