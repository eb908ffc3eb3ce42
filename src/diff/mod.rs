//! What happened to every section between two revisions of a manual: which section is which, how its text changed,
//! how much that matters and by what signs. Facts only, no wording; never sees cases and reads no files.
//!
//! - Which section is which: `pair.rs` has the steps in order, `side.rs` what they work on; the steps are `exact.rs`,
//!   `candidate.rs` (by the likeness in `feature.rs`), `places.rs` and `parts.rs`; `relation.rs` says what became of place
//!   and name.
//! - What changed in a text: `edit.rs` has the steps; `align.rs` pairs fragments, `moves.rs` finds those that went to another
//!   section, `footnotes.rs` those with another label; `stream.rs` and `token/mod.rs` cut them into tokens, `hunks.rs` finds
//!   those that differ.
//! - How much that matters: `magnitude.rs` judges, by the signs of `signs.rs` and `values.rs`; all ask `sides.rs`, which puts
//!   together what `event.rs`, `passage.rs`, `clause.rs` and `phrases.rs` find and `words/mod.rs` knows.
//! - `compared.rs` is what others ask, section by section; every number that decides something is in `thresholds.rs`.

mod align;
mod candidate;
mod clause;
mod compared;
mod edit;
mod event;
mod exact;
mod feature;
mod footnotes;
mod heading;
mod hunks;
mod magnitude;
mod moves;
mod pair;
mod parts;
mod passage;
mod phrases;
mod places;
mod relation;
mod side;
mod sides;
mod signs;
mod stream;
#[cfg(test)]
mod tests;
mod thresholds;
mod token;
mod values;
mod words;

use std::collections::BTreeSet;

use crate::manual::{Fragment, Manual, SectionRef};

pub(crate) use compared::{Compared, Files, change, diff};
pub(crate) use side::is_alike;
pub(crate) use words::{ExtraWords, Lexicons};

/// Everything that happened between two revisions. Every section before and every section after is in exactly one
/// outcome; unchanged ones too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diff {
    /// Sorted by place: file and position after, then before.
    pub(crate) changes: Vec<Change>,
}

/// What happened to one section.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) outcome: Outcome,
    /// What changed in the own body; empty for added and removed sections.
    pub(crate) edit: Edit,
}

/// Where a section went.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    /// One section before is one section after.
    Same {
        before: SectionRef,
        after: SectionRef,
        relation: Relation,
    },
    /// One before, several after that together hold most of it.
    Split {
        before: SectionRef,
        into: Vec<SectionRef>,
        relation: Relation,
    },
    /// Several before, one after.
    Merged {
        from: Vec<SectionRef>,
        after: SectionRef,
        relation: Relation,
    },
    /// Lost track: the candidates after, best first.
    Ambiguous {
        before: SectionRef,
        candidates: Vec<Candidate>,
    },
    Removed {
        before: SectionRef,
    },
    Added {
        after: SectionRef,
    },
}

/// How the place and the name of a section changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Relation {
    /// Another file or another parent.
    pub(crate) moved: bool,
    /// Another title (or another explicit id where that is its name).
    pub(crate) renamed: bool,
    /// Another number.
    pub(crate) renumbered: bool,
    /// It only went along with its parent or its file, which is reported.
    pub(crate) with_parent: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) section: SectionRef,
    /// From 0 to 1.
    pub(crate) similarity: f64,
}

/// How much a change matters, least first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Magnitude {
    /// The canonical forms are equal and so are the bytes, or the parts that were compared.
    #[default]
    None,
    /// The source differs, what a reader reads does not.
    Trivial,
    Minor,
    Substantive,
}

/// What changed in the own body of a section.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edit {
    pub(crate) magnitude: Magnitude,
    /// Every signal of every fragment, without repetition.
    pub(crate) signals: Vec<Signal>,
    pub(crate) fragments: Vec<FragmentChange>,
    /// What the title says differently, where that is more than a name; no part of the magnitude, which is of the body.
    pub(crate) heading: Vec<Signal>,
}

/// A place in the text: a fragment of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct FragmentRef {
    pub(crate) section: SectionRef,
    pub(crate) fragment: usize,
}

/// What happened to one fragment.
#[derive(Clone, Debug)]
pub(crate) struct FragmentChange {
    pub(crate) kind: FragmentChangeKind,
    pub(crate) magnitude: Magnitude,
    pub(crate) signals: Vec<Signal>,
}

#[derive(Clone, Debug)]
pub(crate) enum FragmentChangeKind {
    /// The words that changed, as ranges of the canonical texts.
    Changed {
        before: FragmentRef,
        after: FragmentRef,
        words: Vec<WordChange>,
    },
    /// The same text elsewhere, in this section or in another one.
    Moved {
        before: FragmentRef,
        after: FragmentRef,
    },
    Added {
        after: FragmentRef,
    },
    Removed {
        before: FragmentRef,
    },
}

/// A run of words that was replaced: byte ranges of the canonical texts, one of them empty where words came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WordChange {
    pub(crate) before: (usize, usize),
    pub(crate) after: (usize, usize),
}

/// A sign that a change matters, or that it does not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Signal {
    pub(crate) kind: SignalKind,
    /// The value before; empty where it was added.
    pub(crate) before: String,
    /// The value after; empty where it was removed.
    pub(crate) after: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum SignalKind {
    Number,
    Unit,
    Comparator,
    Modality,
    Negation,
    Quantifier,
    /// If, unless, until, only when.
    Condition,
    /// A word replaced by its opposite.
    Opposite,
    /// An item joined by "and" or "or" came or went, or what joins two numbers is another word.
    Alternative,
    Code,
    Identifier,
    /// A reference that names another clause than before, although no clause was renumbered so.
    Reference,
    /// The steps of a numbered list are in another order.
    Order,
    /// Words that say what an obligation applies to came, went or were replaced.
    Scope,
    /// A sentence that says something went or became another one, or a list or a table got one more entry.
    Statement,
    /// Text was removed or added in bulk, beyond the share of tokens that still counts as a rewording.
    Extent,
    /// Weak: shown, not substantive by itself.
    LinkTarget,
    CrossReference,
    Date,
    Version,
}

/// What happened to a section, in the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    Edited,
    Moved,
    Renamed,
    Renumbered,
    Split,
    Merged,
    Added,
    Removed,
    Ambiguous,
}

impl FragmentRef {
    /// The fragment that stands there in its manual.
    pub(crate) fn of(self, manual: &Manual) -> &Fragment {
        &manual.section(self.section).fragments[self.fragment]
    }
}

impl Outcome {
    /// The sections before that this speaks of.
    pub(crate) fn befores(&self) -> Vec<SectionRef> {
        match self {
            Outcome::Same { before, .. }
            | Outcome::Split { before, .. }
            | Outcome::Ambiguous { before, .. }
            | Outcome::Removed { before } => vec![*before],
            Outcome::Merged { from, .. } => from.clone(),
            Outcome::Added { .. } => Vec::new(),
        }
    }

    /// The sections after that this speaks of.
    pub(crate) fn afters(&self) -> Vec<SectionRef> {
        match self {
            Outcome::Same { after, .. } | Outcome::Merged { after, .. } | Outcome::Added { after } => vec![*after],
            Outcome::Split { into, .. } => into.clone(),
            Outcome::Ambiguous { .. } | Outcome::Removed { .. } => Vec::new(),
        }
    }
}

impl Change {
    /// The sections before that this change speaks of.
    pub(crate) fn befores(&self) -> Vec<SectionRef> {
        self.outcome.befores()
    }

    /// The sections after that this change speaks of.
    pub(crate) fn afters(&self) -> Vec<SectionRef> {
        self.outcome.afters()
    }

    pub(crate) fn relation(&self) -> Relation {
        match &self.outcome {
            Outcome::Same { relation, .. } | Outcome::Split { relation, .. } | Outcome::Merged { relation, .. } => {
                *relation
            }
            Outcome::Ambiguous { .. } | Outcome::Removed { .. } | Outcome::Added { .. } => Relation::default(),
        }
    }

    /// All kinds that apply. Empty: unchanged, or changed in form only.
    pub(crate) fn kinds(&self) -> BTreeSet<Kind> {
        let mut kinds = BTreeSet::new();
        match self.outcome {
            Outcome::Same { .. } => None,
            Outcome::Split { .. } => Some(Kind::Split),
            Outcome::Merged { .. } => Some(Kind::Merged),
            Outcome::Ambiguous { .. } => Some(Kind::Ambiguous),
            Outcome::Removed { .. } => Some(Kind::Removed),
            Outcome::Added { .. } => Some(Kind::Added),
        }
        .map(|kind| kinds.insert(kind));
        let relation = self.relation();
        for (holds, kind) in [
            (self.edit.magnitude >= Magnitude::Minor && !self.is_added(), Kind::Edited),
            (relation.moved, Kind::Moved),
            (relation.renamed, Kind::Renamed),
            (relation.renumbered, Kind::Renumbered),
        ] {
            if holds {
                kinds.insert(kind);
            }
        }
        kinds
    }

    /// What is new was not edited; its magnitude says whether it states something.
    fn is_added(&self) -> bool {
        matches!(self.outcome, Outcome::Added { .. })
    }

    /// Whether nothing at all happened, not even in form.
    pub(crate) fn is_nothing(&self) -> bool {
        self.kinds().is_empty() && self.edit.magnitude == Magnitude::None
    }
}

impl Magnitude {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Magnitude::None => "none",
            Magnitude::Trivial => "trivial",
            Magnitude::Minor => "minor",
            Magnitude::Substantive => "substantive",
        }
    }
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Edited => "edited",
            Kind::Moved => "moved",
            Kind::Renamed => "renamed",
            Kind::Renumbered => "renumbered",
            Kind::Split => "split",
            Kind::Merged => "merged",
            Kind::Added => "added",
            Kind::Removed => "removed",
            Kind::Ambiguous => "ambiguous",
        }
    }
}

impl SignalKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            SignalKind::Number => "number",
            SignalKind::Unit => "unit",
            SignalKind::Comparator => "comparator",
            SignalKind::Modality => "modality",
            SignalKind::Negation => "negation",
            SignalKind::Quantifier => "quantifier",
            SignalKind::Condition => "condition",
            SignalKind::Opposite => "opposite",
            SignalKind::Alternative => "alternative",
            SignalKind::Code => "code",
            SignalKind::Identifier => "identifier",
            SignalKind::Reference => "reference",
            SignalKind::Order => "order",
            SignalKind::Scope => "scope",
            SignalKind::Statement => "statement",
            SignalKind::Extent => "extent",
            SignalKind::LinkTarget => "link-target",
            SignalKind::CrossReference => "cross-reference",
            SignalKind::Date => "date",
            SignalKind::Version => "version",
        }
    }

    /// Whether the signal alone makes a change substantive.
    pub(crate) fn is_strong(self) -> bool {
        match self {
            SignalKind::Number
            | SignalKind::Unit
            | SignalKind::Comparator
            | SignalKind::Modality
            | SignalKind::Negation
            | SignalKind::Quantifier
            | SignalKind::Condition
            | SignalKind::Opposite
            | SignalKind::Alternative
            | SignalKind::Code
            | SignalKind::Identifier
            | SignalKind::Reference
            | SignalKind::Order
            | SignalKind::Scope
            | SignalKind::Statement
            | SignalKind::Extent => true,
            SignalKind::LinkTarget | SignalKind::CrossReference | SignalKind::Date | SignalKind::Version => false,
        }
    }
}
