//! Pairing by similarity: sections whose place and text both changed.
//! Candidates come from an index of shingles, titles and parents; the best pairs overall are taken first.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::side::Pairing;
use super::thresholds::{
    CANDIDATE, CANDIDATES_TOLD, CLEAR, COMMON_SHINGLE, CUT_DOWN, OTHER_ID, OTHER_ID_SAME_NEIGHBOURS,
    OTHER_ID_SAME_TITLE,
};

/// A section after that a section before may have become.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lead {
    pub(super) after: usize,
    pub(super) similarity: f64,
    /// How much of the shorter text stands in the longer one: high where a section was cut down or grew.
    containment: f64,
    /// How far the similarity is above that of the next best pair of either section.
    margin: f64,
}

/// Pairs open sections that are similar enough.
pub(super) fn similar(pairing: &mut Pairing<'_>) {
    let mut pairs = Vec::new();
    for (before, leads) in leads(pairing) {
        for lead in leads {
            if is_enough(pairing, before, lead) {
                let rank = lead.similarity + pairing.affinity(before, lead.after) as f64 * AFFINITY_WEIGHT;
                pairs.push((rank, before, lead.after));
            }
        }
    }
    pairs.sort_by(|before, after| {
        after.0.total_cmp(&before.0).then_with(|| before.1.abs_diff(before.2).cmp(&after.1.abs_diff(after.2)))
    });
    let mut paired = Vec::new();
    for &(rank, before, after) in &pairs {
        if pairing.are_open(before, after) {
            pairing.pair(before, after);
            paired.push((rank, before, after));
        }
    }
    part_equals(pairing, &pairs, paired);
}

/// Takes back a pair where a section that was left over is as like to be the partner in everything: which of the two it
/// is, nobody can tell. Where none is left over, the order of the sections told.
fn part_equals(pairing: &mut Pairing<'_>, pairs: &[(f64, usize, usize)], paired: Vec<(f64, usize, usize)>) {
    let is_open = |(_, before, after): &&(f64, usize, usize)| {
        pairing.to_after[*before].is_none() || pairing.to_before[*after].is_none()
    };
    let rivals: Vec<_> = pairs.iter().filter(is_open).copied().collect();
    for (rank, before, after) in paired {
        let is_rival = |(other, there, here): &(f64, usize, usize)| {
            *other == rank
                && (*there == before || *here == after)
                && pairing.titles_agree(*there, *here) == pairing.titles_agree(before, after)
        };
        if rivals.iter().any(is_rival) {
            pairing.part(before, after);
        }
    }
}

/// What speaks for a pair beside its text decides between texts that are about as similar, and no more.
const AFFINITY_WEIGHT: f64 = 0.01;

/// For each open section before that nothing was similar enough to: what comes near.
pub(super) fn near_misses(pairing: &Pairing<'_>) -> BTreeMap<usize, Vec<Lead>> {
    let mut near = leads(pairing);
    for (before, leads) in &mut near {
        let weighty = pairing.before.nodes[*before].is_weighty();
        leads.retain(|lead| weighty && lead.similarity >= CANDIDATE && pairing.after.nodes[lead.after].is_weighty());
        leads.sort_by(|before, after| {
            after.similarity.total_cmp(&before.similarity).then(before.after.cmp(&after.after))
        });
        leads.truncate(CANDIDATES_TOLD);
    }
    near.retain(|_, leads| !leads.is_empty());
    near
}

/// Whether a lead is good enough to be the same section.
fn is_enough(pairing: &Pairing<'_>, before: usize, lead: Lead) -> bool {
    let after = lead.after;
    let weighty = pairing.before.nodes[before].is_weighty() && pairing.after.nodes[after].is_weighty();
    let titles_agree = pairing.titles_agree(before, after);
    let same_parent = pairing.same_parent(before, after);
    let identifies = pairing.same_file(before, after) || same_parent || pairing.title_is_rare(before, after);
    let clear = weighty && lead.margin >= CLEAR && (titles_agree || pairing.same_stem(before, after));
    (lead.similarity >= OTHER_ID && (weighty || titles_agree))
        || (lead.similarity >= OTHER_ID_SAME_TITLE && titles_agree && identifies)
        || (lead.similarity >= OTHER_ID_SAME_TITLE && clear)
        || (lead.containment >= CUT_DOWN && clear)
        || (lead.similarity >= OTHER_ID_SAME_NEIGHBOURS
            && same_parent
            && pairing.same_stem(before, after)
            && pairing.neighbours(before, after) > 0)
}

/// The sections after that share shingles, a title or a parent with each open section before.
fn leads(pairing: &Pairing<'_>) -> BTreeMap<usize, Vec<Lead>> {
    let index = Index::new(pairing);
    let mut all: BTreeMap<usize, Vec<Lead>> = pairing
        .open_before()
        .into_iter()
        .map(|before| {
            let feature = pairing.before.nodes[before].body();
            let leads = index
                .candidates(pairing, before)
                .into_iter()
                .map(|after| {
                    let other = pairing.after.nodes[after].body();
                    let (part, whole) = if feature.len() < other.len() { (feature, other) } else { (other, feature) };
                    let containment = part.contained_in(whole);
                    Lead { after, similarity: feature.similarity(other), containment, margin: 0.0 }
                })
                .collect();
            (before, leads)
        })
        .collect();
    set_margins(&mut all);
    all
}

/// Compares each lead with the next best one of the section before and of the section after.
fn set_margins(all: &mut BTreeMap<usize, Vec<Lead>>) {
    let mut best_after: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    let rank = |[first, second]: &mut [f64; 2], value: f64| {
        if value > *first {
            (*second, *first) = (*first, value);
        } else if value > *second {
            *second = value;
        }
    };
    for lead in all.values().flatten() {
        rank(best_after.entry(lead.after).or_default(), lead.similarity);
    }
    for leads in all.values_mut() {
        let mut best = [0.0, 0.0];
        leads.iter().for_each(|lead| rank(&mut best, lead.similarity));
        for lead in leads {
            let other = |[first, second]: [f64; 2]| if lead.similarity >= first { second } else { first };
            let rival = other(best).max(best_after.get(&lead.after).copied().map_or(0.0, other));
            lead.margin = lead.similarity - rival;
        }
    }
}

/// The open sections after, by what they may be found by.
struct Index<'m> {
    shingles: HashMap<u64, Vec<usize>>,
    titles: HashMap<&'m str, Vec<usize>>,
    children: HashMap<usize, Vec<usize>>,
}

impl<'m> Index<'m> {
    fn new(pairing: &Pairing<'m>) -> Self {
        let mut index = Self { shingles: HashMap::new(), titles: HashMap::new(), children: HashMap::new() };
        for after in pairing.open_after() {
            let node = &pairing.after.nodes[after];
            for shingle in node.body().shingles() {
                index.shingles.entry(*shingle).or_default().push(after);
            }
            index.titles.entry(node.section.title.as_str()).or_default().push(after);
            if let Some(parent) = node.parent {
                index.children.entry(parent).or_default().push(after);
            }
        }
        index
    }

    fn candidates(&self, pairing: &Pairing<'_>, before: usize) -> BTreeSet<usize> {
        let node = &pairing.before.nodes[before];
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for shingle in node.body().shingles() {
            let there = self.shingles.get(shingle).map_or(&[][..], Vec::as_slice);
            if there.len() <= COMMON_SHINGLE {
                for after in there {
                    *shared.entry(*after).or_default() += 1;
                }
            }
        }
        let mut ranked: Vec<(usize, usize)> = shared.into_iter().map(|(after, n)| (n, after)).collect();
        ranked.sort_unstable_by(|before, after| after.0.cmp(&before.0).then(before.1.cmp(&after.1)));
        let mut found: BTreeSet<usize> = ranked.into_iter().take(MOST).map(|(_, after)| after).collect();
        let titled = self.titles.get(node.section.title.as_str()).map_or(&[][..], Vec::as_slice);
        let siblings =
            node.parent.and_then(|parent| pairing.to_after[parent]).and_then(|parent| self.children.get(&parent));
        for group in [titled, siblings.map_or(&[][..], Vec::as_slice)] {
            if group.len() <= COMMON_SHINGLE {
                found.extend(group);
            }
        }
        found
    }
}

/// Candidates looked at for one section: those that share the most.
const MOST: usize = 16;
