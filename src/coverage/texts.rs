//! The texts of stale sections: as cases were reviewed against them, and as they are, with the words that differ.

use std::collections::{BTreeMap, HashMap};

use super::Places;
use crate::diagnostic::coverage::{Coverage, Differs, Paragraph, TextCover};
use crate::diff::{Change, FragmentChangeKind, FragmentRef, Outcome};
use crate::impact::Passage;
use crate::manual::{Fingerprint, Manual, SectionRef};

/// Texts before and after, each pair once.
#[derive(Default)]
pub(super) struct Texts {
    texts: Vec<TextCover>,
    /// By the section that a text is shown with, and the texts of the sections before.
    known: HashMap<(usize, Vec<Fingerprint>), usize>,
    /// The section that each text is shown with.
    shown_with: Vec<usize>,
}

impl Texts {
    /// Keeps the texts of a change. One that is gone is shown with `home`.
    pub(super) fn add(
        &mut self,
        passage: &Passage<'_>,
        change: &Change,
        places: &Places,
        (home, case, reviewed_at): (Option<usize>, usize, &str),
    ) {
        let befores: Vec<Fingerprint> = change.befores().iter().map(|at| passage.before.section(*at).own).collect();
        let afters: Vec<usize> = change.afters().iter().map(|at| places.section(*at)).collect();
        let shown_with = if afters.is_empty() { home.into_iter().collect() } else { afters };
        for section in shown_with {
            let key = (section, befores.clone());
            let at = match self.known.get(&key) {
                Some(at) => *at,
                None => {
                    self.known.insert(key, self.texts.len());
                    self.texts.push(text(passage, change, reviewed_at));
                    self.shown_with.push(section);
                    self.texts.len() - 1
                }
            };
            if self.texts[at].cases.last() != Some(&case) {
                self.texts[at].cases.push(case);
            }
        }
    }

    pub(super) fn hand_over(self, coverage: &mut Coverage) {
        for (at, section) in self.shown_with.into_iter().enumerate() {
            coverage.sections[section].texts.push(at);
        }
        coverage.texts = self.texts;
    }
}

fn text(passage: &Passage<'_>, change: &Change, reviewed_at: &str) -> TextCover {
    let [before, after] = marks(change);
    let title = |at: &SectionRef| passage.before.section(*at).title.clone();
    let is_other_title = match change.outcome {
        Outcome::Same { .. } | Outcome::Split { .. } | Outcome::Merged { .. } => change.relation().renamed,
        Outcome::Ambiguous { .. } | Outcome::Removed { .. } => true,
        Outcome::Added { .. } => false,
    };
    TextCover {
        reviewed_at: reviewed_at.to_owned(),
        before: paragraphs(passage.before, &change.befores(), &before),
        after: paragraphs(passage.after, &change.afters(), &after),
        title_before: change.befores().first().filter(|_| is_other_title).map(title),
        cases: Vec::new(),
    }
}

/// How blocks differ, and in which words.
type Marks = BTreeMap<FragmentRef, (Differs, Vec<(usize, usize)>)>;

/// The blocks before and after that differ.
fn marks(change: &Change) -> [Marks; 2] {
    let [mut befores, mut afters] = [Marks::new(), Marks::new()];
    for fragment in &change.edit.fragments {
        match &fragment.kind {
            FragmentChangeKind::Changed { before, after, words } => {
                befores.insert(*before, (Differs::InWords, words.iter().map(|word| word.before).collect()));
                afters.insert(*after, (Differs::InWords, words.iter().map(|word| word.after).collect()));
            }
            FragmentChangeKind::Moved { before, after } => {
                befores.insert(*before, (Differs::InPlace, Vec::new()));
                afters.insert(*after, (Differs::InPlace, Vec::new()));
            }
            FragmentChangeKind::Added { after } => _ = afters.insert(*after, (Differs::Wholly, Vec::new())),
            FragmentChangeKind::Removed { before } => _ = befores.insert(*before, (Differs::Wholly, Vec::new())),
        }
    }
    // Of what came or went whole nothing was compared.
    let is_whole =
        matches!(change.outcome, Outcome::Removed { .. } | Outcome::Added { .. } | Outcome::Ambiguous { .. });
    if is_whole {
        return [Marks::new(), Marks::new()];
    }
    [befores, afters]
}

fn paragraphs(manual: &Manual, sections: &[SectionRef], marks: &Marks) -> Vec<Paragraph> {
    let fragments = sections.iter().flat_map(|section| {
        let fragments = manual.section(*section).fragments.iter().enumerate();
        fragments.map(move |(fragment, it)| (FragmentRef { section: *section, fragment }, it))
    });
    let paragraph = |(at, fragment): (FragmentRef, &crate::manual::Fragment)| {
        let (change, ranges) = marks.get(&at).cloned().unwrap_or((Differs::Not, Vec::new()));
        let is_range = |(start, end): &(usize, usize)| fragment.text.get(*start..*end).is_some_and(|it| !it.is_empty());
        Paragraph {
            context: fragment.context.clone(),
            text: fragment.text.clone(),
            change,
            marks: ranges.into_iter().filter(is_range).collect(),
        }
    };
    fragments.map(paragraph).collect()
}
