//! What is told to the user, as data: diagnostics with places, notes, helps and fixes, and the facts behind them that
//! machine formats print. Holds no opinion on when something is told (that is `rules`) nor on how it looks (`report`).

pub(crate) mod coverage;

use crate::source::Span;

/// How loud a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Level {
    Note,
    Warning,
    Error,
}

/// A rule's identity and texts. One `static` per rule, in its file.
#[derive(Debug)]
pub(crate) struct Rule {
    /// `text-changed`.
    pub(crate) name: &'static str,
    /// The level unless configured otherwise; `None` is off.
    pub(crate) level: Option<Level>,
    /// One line: what a finding of this rule says.
    pub(crate) summary: &'static str,
    /// Markdown: when it fires, why it matters, what to do, how to tune it, and an example, which a test runs: what
    /// `Reviewed:` was there (if that matters), what is `Reported:`, and how it is `Corrected:`. Each is blocks of code: a
    /// file with its path behind the language, or commands (`sh`). Files stay as they were until a later block has them.
    pub(crate) explain: &'static str,
}

/// One finding.
#[derive(Clone, Debug)]
pub(crate) struct Diagnostic {
    pub(crate) rule: &'static Rule,
    pub(crate) level: Level,
    /// States the fact, lower case, no full stop, stands alone.
    pub(crate) message: String,
    /// The place to look at first, in the checked revision: usually the citation.
    pub(crate) primary: Label,
    /// Further places, grouped in the order they are shown.
    pub(crate) snippets: Vec<Snippet>,
    pub(crate) notes: Vec<String>,
    /// What to do next: exact commands.
    pub(crate) helps: Vec<String>,
    pub(crate) fix: Option<Fix>,
    pub(crate) facts: Facts,
    /// Findings with the same key are one diagnostic in human output.
    pub(crate) group: Option<String>,
}

/// A place with a word on it; an empty text marks the place only.
#[derive(Clone, Debug)]
pub(crate) struct Label {
    pub(crate) span: Span,
    pub(crate) text: String,
}

/// Places in one text, under a title of their own.
#[derive(Clone, Debug)]
pub(crate) struct Snippet {
    /// `the manual said`.
    pub(crate) title: String,
    pub(crate) labels: Vec<Label>,
    /// Lines to show without a mark, as the section's heading.
    pub(crate) visible: Vec<Span>,
}

/// An edit that a machine can apply.
#[derive(Clone, Debug)]
pub(crate) struct Fix {
    pub(crate) title: String,
    pub(crate) span: Span,
    pub(crate) replacement: String,
}

/// What machine formats print beside the words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Whether the change lies in the checked range.
    pub(crate) impacted: bool,
    pub(crate) case: Option<String>,
    /// The citation as written.
    pub(crate) citation: Option<String>,
    /// The place of the citation, whatever place is shown first.
    pub(crate) cited_at: Option<Span>,
    pub(crate) before: Option<SectionFact>,
    pub(crate) after: Option<SectionFact>,
    pub(crate) change: Option<ChangeFact>,
    /// Commit, pin or range start against which the citation was reviewed.
    pub(crate) reviewed_at: Option<String>,
    /// Commits between review and now that changed the section, latest first.
    pub(crate) since: Vec<CommitFact>,
    /// What a model thinks of the case, where one was asked.
    pub(crate) judgement: Option<JudgementFact>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JudgementFact {
    /// Whether the case holds as it is. An answer that does not count says no.
    pub(crate) holds: bool,
    pub(crate) reason: String,
    pub(crate) model: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommitFact {
    pub(crate) id: String,
    /// `2026-11-30`, the author's own day.
    pub(crate) date: String,
    pub(crate) author: String,
    pub(crate) subject: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SectionFact {
    pub(crate) file: String,
    pub(crate) id: String,
    pub(crate) number: Option<String>,
    pub(crate) title: String,
    pub(crate) line: usize,
}

/// One section's change as `diff` tells it.
#[derive(Clone, Debug)]
pub(crate) struct ChangeFact {
    pub(crate) kinds: Vec<&'static str>,
    pub(crate) magnitude: &'static str,
    pub(crate) with_parent: bool,
    pub(crate) before: Option<SectionFact>,
    pub(crate) after: Option<SectionFact>,
    pub(crate) into: Vec<SectionFact>,
    pub(crate) from: Vec<SectionFact>,
    pub(crate) candidates: Vec<(SectionFact, f64)>,
    pub(crate) signals: Vec<SignalFact>,
    pub(crate) fragments: Vec<FragmentFact>,
    pub(crate) cases: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SignalFact {
    pub(crate) kind: &'static str,
    pub(crate) strong: bool,
    pub(crate) before: String,
    pub(crate) after: String,
}

#[derive(Clone, Debug)]
pub(crate) struct FragmentFact {
    /// `changed`, `moved`, `added`, `removed`.
    pub(crate) change: &'static str,
    pub(crate) magnitude: &'static str,
    pub(crate) before: Option<TextFact>,
    pub(crate) after: Option<TextFact>,
    pub(crate) signals: Vec<SignalFact>,
    /// Byte ranges in the texts of `before` and `after` that were replaced.
    pub(crate) words: Vec<WordFact>,
}

/// A replaced run of words: byte ranges into the text before and the text after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WordFact {
    pub(crate) before: (usize, usize),
    pub(crate) after: (usize, usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextFact {
    pub(crate) line: usize,
    pub(crate) text: String,
    /// The section it stands in, where that is not the section of the change.
    pub(crate) section: Option<SectionFact>,
}

/// The two ends of a run: what was asked for and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EndFact {
    /// As given: `v1`, `HEAD`, `index`.
    pub(crate) rev: String,
    pub(crate) commit: Option<String>,
}

/// What a `check` looked at and found, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckSummary {
    pub(crate) manuals: usize,
    /// Where only what a range touched was looked at, how many manuals differ between its ends. The numbers of sections,
    /// cases and citations are then of what was looked at.
    pub(crate) changed_manuals: Option<usize>,
    pub(crate) sections: usize,
    pub(crate) cases: usize,
    /// Whether there is any case, looked at or not.
    pub(crate) has_cases: bool,
    pub(crate) citations: usize,
    /// Citations without a finding, told or not.
    pub(crate) fresh: usize,
    /// Whether only a range was looked at: what was stale before it is not known.
    pub(crate) is_range_only: bool,
    /// Cases with at least one finding at error level.
    pub(crate) cases_to_look_at: usize,
    pub(crate) fixable: usize,
    pub(crate) findings: usize,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    /// Findings that a comment in a case file takes away; not among the others.
    pub(crate) suppressed: usize,
    /// Findings about other files than those that the run was limited to.
    pub(crate) elsewhere: usize,
    /// Citations that were stale before the range, which a note tells.
    pub(crate) older: usize,
    /// Sections that changed in substance and that no case cites; told in the closing line.
    pub(crate) uncited_substantive: usize,
    /// Sections that were renumbered and that no case cites.
    pub(crate) renumbered: usize,
}

/// What a `diff` found, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DiffSummary {
    pub(crate) sections: usize,
    pub(crate) unchanged: usize,
    pub(crate) trivial: usize,
    pub(crate) minor: usize,
    pub(crate) substantive: usize,
    pub(crate) moved: usize,
    pub(crate) added: usize,
    pub(crate) removed: usize,
}

impl Diagnostic {
    /// Of which case which citation this is told, if of any: by this findings, citations and remedies find each other. A
    /// scalar that an alias brings in is one place of several cases.
    pub(crate) fn about(&self) -> Option<(&str, Span)> {
        Some((self.facts.case.as_deref()?, self.facts.cited_at?))
    }
}

impl Level {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Level::Note => "note",
            Level::Warning => "warning",
            Level::Error => "error",
        }
    }
}

/// What a reader of files says, in two: what is wrong and, behind a semicolon, what would be right. One that stands in
/// backquotes belongs to the user's text.
pub(crate) fn advice(told: &str) -> (&str, Option<&str>) {
    let is_outside = |at: &usize| told[..*at].matches('`').count().is_multiple_of(2);
    let cut = told.match_indices("; ").map(|(at, _)| at).find(is_outside);
    cut.map_or((told, None), |at| (&told[..at], Some(&told[at + 2..])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_semicolon_of_the_user_parts_nothing() {
        assert_eq!(advice("unknown key `a; b`; write `c`"), ("unknown key `a; b`", Some("write `c`")));
        assert_eq!(advice("unknown key `a; b`"), ("unknown key `a; b`", None));
    }
}
