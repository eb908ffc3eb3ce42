//! Diagnostics and facts with any texts, of what comes next in an input.

use super::bytes::Bytes;
use crate::diagnostic::{
    ChangeFact, CommitFact, Diagnostic, EndFact, Facts, Fix, FragmentFact, JudgementFact, Label, Level, SectionFact,
    SignalFact, Snippet, TextFact, WordFact,
};
use crate::rules::RULES;
use crate::source::{SourceId, Sources, Span};

/// Makes them.
pub(super) struct Maker<'m> {
    pub(super) bytes: Bytes<'m>,
    pub(super) sources: &'m Sources,
    pub(super) read: &'m [SourceId],
}

impl Maker<'_> {
    pub(super) fn text(&mut self) -> String {
        self.bytes.text()
    }

    pub(super) fn number(&mut self) -> usize {
        self.bytes.below(2_000)
    }

    pub(super) fn some<T>(&mut self, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.bytes.yes().then(|| value(self))
    }

    pub(super) fn several<T>(&mut self, mut value: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.bytes.below(4)).map(|_| value(self)).collect()
    }

    pub(super) fn span(&mut self) -> Span {
        let source = self.bytes.one_of(self.read);
        let text = &self.sources.get(source).text;
        let mut place = || {
            let at = self.bytes.below(text.len() + 1);
            (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
        };
        let (one, other) = (place(), place());
        Span::new(source, one.min(other), one.max(other))
    }

    /// A run of a text.
    pub(super) fn range(&mut self, text: &str) -> (usize, usize) {
        let mut place = || {
            let at = self.bytes.below(text.len() + 1);
            (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
        };
        let (one, other) = (place(), place());
        (one.min(other), one.max(other))
    }

    /// What git tells is no free text.
    pub(super) fn commit(&mut self) -> String {
        self.bytes.one_of(&["1", "a", "0"]).repeat(40)
    }

    pub(super) fn date(&mut self) -> String {
        self.bytes.one_of(&["2026-11-30", "1970-01-01"]).to_owned()
    }

    pub(super) fn end(&mut self) -> EndFact {
        EndFact { rev: self.text(), commit: self.some(Self::commit) }
    }

    pub(super) fn finding(&mut self) -> Diagnostic {
        Diagnostic {
            rule: self.bytes.one_of(RULES),
            level: self.bytes.one_of(&[Level::Note, Level::Warning, Level::Error]),
            message: self.text(),
            primary: self.label(),
            snippets: self.several(|it| Snippet {
                title: it.text(),
                labels: it.several(Self::label),
                visible: it.several(Self::span),
            }),
            notes: self.several(Self::text),
            helps: self.several(Self::text),
            fix: self.some(|it| Fix { title: it.text(), span: it.span(), replacement: it.text() }),
            facts: self.facts(),
            group: self.some(Self::text),
        }
    }

    pub(super) fn label(&mut self) -> Label {
        Label { span: self.span(), text: self.text() }
    }

    pub(super) fn facts(&mut self) -> Facts {
        Facts {
            impacted: self.bytes.yes(),
            case: self.some(Self::text),
            citation: self.some(Self::text),
            cited_at: self.some(Self::span),
            before: self.some(Self::section),
            after: self.some(Self::section),
            change: self.some(Self::change),
            reviewed_at: self.some(Self::text),
            since: self.several(|it| CommitFact {
                id: it.commit(),
                date: it.date(),
                author: it.text(),
                subject: it.text(),
            }),
            judgement: self.some(|it| JudgementFact { holds: it.bytes.yes(), reason: it.text(), model: it.text() }),
        }
    }

    pub(super) fn section(&mut self) -> SectionFact {
        SectionFact {
            file: self.text(),
            id: self.text(),
            number: self.some(Self::text),
            title: self.text(),
            line: self.number() + 1,
        }
    }

    pub(super) fn change(&mut self) -> ChangeFact {
        let kinds = ["edited", "moved", "renamed", "renumbered", "split", "merged", "added", "removed", "ambiguous"];
        ChangeFact {
            kinds: self.several(|it| it.bytes.one_of(&kinds)),
            magnitude: self.magnitude(),
            with_parent: self.bytes.yes(),
            before: self.some(Self::section),
            after: self.some(Self::section),
            into: self.several(Self::section),
            from: self.several(Self::section),
            candidates: self.several(|it| (it.section(), 0.5)),
            signals: self.several(Self::signal),
            fragments: self.several(Self::fragment),
            cases: self.several(Self::text),
        }
    }

    pub(super) fn magnitude(&mut self) -> &'static str {
        self.bytes.one_of(&["none", "trivial", "minor", "substantive"])
    }

    pub(super) fn signal(&mut self) -> SignalFact {
        SignalFact {
            kind: self.bytes.one_of(&["number", "modality", "date"]),
            strong: self.bytes.yes(),
            before: self.text(),
            after: self.text(),
        }
    }

    pub(super) fn fragment(&mut self) -> FragmentFact {
        let (magnitude, signals) = (self.magnitude(), self.several(Self::signal));
        let (before, after) = (self.words_of_manual(), self.words_of_manual());
        let words = self.several(|it| WordFact { before: it.range(&before.text), after: it.range(&after.text) });
        let (change, before, after, words) = match self.bytes.below(4) {
            0 => ("moved", Some(before), Some(after), Vec::new()),
            1 => ("added", None, Some(after), Vec::new()),
            2 => ("removed", Some(before), None, Vec::new()),
            _ => ("changed", Some(before), Some(after), in_order(words)),
        };
        FragmentFact { change, magnitude, before, after, signals, words }
    }

    pub(super) fn words_of_manual(&mut self) -> TextFact {
        TextFact { line: self.number() + 1, text: self.text(), section: self.some(Self::section) }
    }
}

/// Those that lie behind the ones before them on both sides, as the runs of words that were replaced do.
fn in_order(words: Vec<WordFact>) -> Vec<WordFact> {
    let mut kept: Vec<WordFact> = Vec::new();
    for word in words {
        let is_behind = |last: &WordFact| last.before.1 <= word.before.0 && last.after.1 <= word.after.0;
        if kept.last().is_none_or(is_behind) {
            kept.push(word);
        }
    }
    kept
}
