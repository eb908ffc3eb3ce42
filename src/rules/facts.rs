//! Changes and sections as the plain facts that reports print. A translation only: nothing is decided here.

use crate::diagnostic::{ChangeFact, CommitFact, FragmentFact, SectionFact, SignalFact, TextFact, WordFact};
use crate::diff::{Change, FragmentChange, FragmentChangeKind, FragmentRef, Outcome, Signal, WordChange};
use crate::git::Commit;
use crate::manual::{Manual, SectionRef, Target};

/// The two manuals that a change's places point into.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) before: &'a Manual,
    pub(crate) after: &'a Manual,
}

pub(crate) fn section(manual: &Manual, at: SectionRef) -> SectionFact {
    let section = manual.section(at);
    SectionFact {
        file: manual.document(at).path.to_string(),
        id: section.id.0.clone(),
        number: section.number.clone(),
        title: section.title.clone(),
        line: section.line,
    }
}

/// A section, or a whole file as the section that it is: without id.
pub(crate) fn target(manual: &Manual, target: Target) -> SectionFact {
    match target {
        Target::Section(at) => section(manual, at),
        Target::File(file) => SectionFact {
            file: manual.documents[file].path.to_string(),
            id: String::new(),
            number: None,
            title: String::new(),
            line: 1,
        },
    }
}

/// A change; `cases` are the ids of those that cite it.
pub(crate) fn change(pair: Pair<'_>, change: &Change, cases: Vec<String>) -> ChangeFact {
    let before = |at: &SectionRef| section(pair.before, *at);
    let after = |at: &SectionRef| section(pair.after, *at);
    let mut fact = ChangeFact {
        kinds: change.kinds().into_iter().map(crate::diff::Kind::name).collect(),
        magnitude: change.edit.magnitude.name(),
        with_parent: change.relation().with_parent,
        before: None,
        after: None,
        into: Vec::new(),
        from: Vec::new(),
        candidates: Vec::new(),
        signals: change.edit.signals.iter().chain(&change.edit.heading).map(signal).collect(),
        fragments: change.edit.fragments.iter().map(|it| fragment(pair, change, it)).collect(),
        cases,
    };
    match &change.outcome {
        Outcome::Same { before: there, after: here, .. } => {
            (fact.before, fact.after) = (Some(before(there)), Some(after(here)));
        }
        Outcome::Split { before: there, into, .. } => {
            fact.before = Some(before(there));
            fact.into = into.iter().map(after).collect();
        }
        Outcome::Merged { from, after: here, .. } => {
            fact.from = from.iter().map(before).collect();
            fact.after = Some(after(here));
        }
        Outcome::Ambiguous { before: there, candidates } => {
            fact.before = Some(before(there));
            fact.candidates = candidates.iter().map(|it| (after(&it.section), it.similarity)).collect();
        }
        Outcome::Removed { before: there } => fact.before = Some(before(there)),
        Outcome::Added { after: here } => fact.after = Some(after(here)),
    }
    fact
}

pub(crate) fn commit(commit: &Commit) -> CommitFact {
    CommitFact {
        id: commit.id.as_str().to_owned(),
        date: commit.date.clone(),
        author: commit.author.clone(),
        subject: commit.subject.clone(),
    }
}

fn signal(signal: &Signal) -> SignalFact {
    SignalFact {
        kind: signal.kind.name(),
        strong: signal.kind.is_strong(),
        before: signal.before.clone(),
        after: signal.after.clone(),
    }
}

fn fragment(pair: Pair<'_>, change: &Change, it: &FragmentChange) -> FragmentFact {
    let before = |at: &FragmentRef| Some(text(pair.before, *at, &change.befores()));
    let after = |at: &FragmentRef| Some(text(pair.after, *at, &change.afters()));
    let (kind, before, after, words) = match &it.kind {
        FragmentChangeKind::Changed { before: there, after: here, words } => {
            ("changed", before(there), after(here), words.iter().map(word).collect())
        }
        FragmentChangeKind::Moved { before: there, after: here } => ("moved", before(there), after(here), Vec::new()),
        FragmentChangeKind::Added { after: here } => ("added", None, after(here), Vec::new()),
        FragmentChangeKind::Removed { before: there } => ("removed", before(there), None, Vec::new()),
    };
    let signals = it.signals.iter().map(signal).collect();
    FragmentFact { change: kind, magnitude: it.magnitude.name(), before, after, signals, words }
}

/// A fragment's text; its section is named where it is not one of those that the change speaks of.
fn text(manual: &Manual, at: FragmentRef, home: &[SectionRef]) -> TextFact {
    let fragment = at.of(manual);
    let elsewhere = (!home.contains(&at.section)).then(|| section(manual, at.section));
    TextFact { line: fragment.line, text: fragment.text.clone(), section: elsewhere }
}

fn word(word: &WordChange) -> WordFact {
    WordFact { before: word.before, after: word.after }
}
