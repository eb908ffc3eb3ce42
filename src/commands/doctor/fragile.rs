//! The check of `doctor` for fragile citations: those that find their section today, and another one after a change that
//! has nothing to do with them.

use std::collections::BTreeMap;

use super::checks::SHOWN;
use super::{Item, Patient, State};
use crate::commands::plural;
use crate::error::Error;
use crate::manual::Fragility;

/// A fragile citation, and what to write instead.
struct Fragile {
    place: String,
    citation: String,
    instead: Option<String>,
}

pub(super) fn check(patient: &Patient<'_>) -> Result<Vec<Item>, Error> {
    let mut found: BTreeMap<Fragility, Vec<Fragile>> = BTreeMap::new();
    for file in &patient.revision.cases {
        let path = &patient.session.sources.get(file.source).path;
        for citation in file.cases.iter().flat_map(|case| &case.citations) {
            let cited = citation.text.as_str();
            if patient.index.named(cited, Some(path)).len() != 1 {
                continue;
            }
            let Some(fragility) = patient.index.fragility(cited, path) else { continue };
            found.entry(fragility).or_default().push(Fragile {
                place: patient.place(citation.span),
                citation: cited.to_owned(),
                instead: patient.index.robust(cited, path),
            });
        }
    }
    if found.is_empty() {
        return Ok(vec![Item::in_order("none is fragile")]);
    }
    Ok(found.into_iter().map(|(fragility, all)| item(fragility, &all)).collect())
}

fn item(fragility: Fragility, all: &[Fragile]) -> Item {
    let why = match fragility {
        Fragility::Number => "by number, which shifts when a chapter comes in before it",
        Fragility::Position => "by place among headings of one name, as `-1` counts them",
        Fragility::Duplicate => "the first of several headings of one name, which another may become",
        Fragility::Neighbour => "by a name that one more heading makes ambiguous",
    };
    let verb = if all.len() == 1 { "cites" } else { "cite" };
    let mut places: Vec<String> = all.iter().take(SHOWN).map(Fragile::told).collect();
    if all.len() > SHOWN {
        places.push(format!("and {} more", all.len() - SHOWN));
    }
    let text = format!("{} {verb} {why}", plural(all.len(), "citation"));
    let can_be_rewritten = all.iter().any(|it| it.instead.is_some());
    let next = if can_be_rewritten {
        "write what stands behind the arrow; `citecheck sections` lists how sections can be cited"
    } else {
        "give the cited headings ids of their own, as `## Limits {#limits}`"
    };
    Item::new(State::Attention, text).places(places).next(next)
}

impl Fragile {
    fn told(&self) -> String {
        match &self.instead {
            Some(instead) => format!("{} `{}` → `{instead}`", self.place, self.citation),
            None => format!("{} `{}`; give its heading an id of its own", self.place, self.citation),
        }
    }
}
