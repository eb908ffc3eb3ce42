//! The words and places that several rules share: how a citation, a section and a change are named and shown.

use std::ops::Range;

use crate::diagnostic::{CommitFact, Diagnostic, Facts, Label, Level, Rule, SectionFact, Snippet, advice};
use crate::diff::{Change, FragmentChange, FragmentChangeKind, FragmentRef, Outcome, Signal, SignalKind};
use crate::impact::{Home, Weighed, weight};
use crate::manual::{Fragment, Manual, Resolution, SectionRef, Target};
use crate::source::{RepoPath, Sources, Span};

use super::{Examined, Input, facts};

/// Words marked in one diagnostic, at most: a rewritten chapter is better read with `citecheck diff`.
const MOST_MARKS: usize = 6;

/// A finding about a citation, with everything in it but what the rule adds.
pub(super) fn finding(rule: &'static Rule, examined: &Examined<'_>, message: String, label: String) -> Diagnostic {
    let citation = examined.impact.cited.citation;
    Diagnostic {
        snippets: citation.alias.map(alias).into_iter().collect(),
        facts: facts_of(examined),
        ..about_file(rule, citation.span, message, &label)
    }
}

/// A finding about a file itself: no citation is involved.
pub(super) fn about_file(rule: &'static Rule, span: Span, message: String, label: &str) -> Diagnostic {
    Diagnostic {
        rule,
        level: rule.level.unwrap_or(Level::Warning),
        message,
        primary: Label { span, text: label.to_owned() },
        snippets: Vec::new(),
        notes: Vec::new(),
        helps: Vec::new(),
        fix: None,
        facts: Facts::default(),
        group: None,
    }
}

/// The same with what a reader of files says: what is wrong and, behind a semicolon, what would be right.
pub(super) fn told_by_reader(rule: &'static Rule, span: Span, told: &str) -> Diagnostic {
    let (message, help) = advice(told);
    let mut finding = about_file(rule, span, message.to_owned(), "");
    finding.helps.extend(help.map(str::to_owned));
    finding
}

/// The place that a second one clashes with.
pub(super) fn other_place(span: Span, label: &str) -> Snippet {
    let label = Label { span, text: label.to_owned() };
    Snippet { title: "the other place".to_owned(), labels: vec![label], visible: Vec::new() }
}

fn alias(span: Span) -> Snippet {
    let label = Label { span, text: "brought in by this alias".to_owned() };
    Snippet { title: "the citation is shared".to_owned(), labels: vec![label], visible: Vec::new() }
}

fn facts_of(examined: &Examined<'_>) -> Facts {
    let Examined { passage, impact, .. } = examined;
    let pair = facts::Pair { before: passage.before, after: passage.after };
    let home = match &impact.home {
        Home::Here(target) => Some(facts::target(passage.after, *target)),
        Home::Merged(whole) => Some(facts::section(passage.after, *whole)),
        Home::Parts(parts) => parts.first().map(|part| facts::section(passage.after, *part)),
        Home::Unasked | Home::Removed | Home::Lost(_) => None,
    };
    Facts {
        impacted: examined.impacted,
        case: Some(impact.cited.case.id.0.clone()),
        citation: Some(impact.cited.citation.text.clone()),
        cited_at: Some(impact.cited.citation.span),
        before: impact.before.map(|target| facts::target(passage.before, target)),
        after: home,
        change: worst(&impact.changes).map(|it| facts::change(pair, it.change, Vec::new())),
        reviewed_at: Some(examined.reviewed_at.clone()).filter(|reviewed_at| !reviewed_at.is_empty()),
        since: examined.since.clone(),
        judgement: None,
    }
}

/// The change that matters most; of equals the first, which is the cited section's own.
pub(super) fn worst<'i, 'a>(changes: &'i [Weighed<'a>]) -> Option<&'i Weighed<'a>> {
    changes.iter().rev().max_by_key(|it| it.weight)
}

/// `` `5.2 Over-pressure` ``: number and title as a reader knows the section, else its id or its file.
pub(super) fn name(section: &SectionFact) -> String {
    match (&section.number, section.title.is_empty()) {
        // A heading that is nothing but a number has it as its title.
        (Some(number), false) if *number != section.title => format!("`{number} {}`", section.title),
        (_, false) => format!("`{}`", section.title),
        (_, true) if section.id.is_empty() => format!("`{}`", section.file),
        (_, true) => format!("`{}`", section.id),
    }
}

/// ``at `docs/manual.md` line 12``: where a section stands.
pub(super) fn place(section: &SectionFact) -> String {
    format!("at `{}` line {}", section.file, section.line)
}

/// The signals in words: ``number `30` is now `300`, `not` added``; the first few.
pub(super) fn signals(signals: &[Signal]) -> String {
    let strong: Vec<&Signal> = signals.iter().filter(|signal| signal.kind.is_strong()).collect();
    let shown = if strong.is_empty() { signals.iter().collect() } else { strong };
    let words: Vec<String> = shown.iter().take(3).map(|signal| one_signal(signal)).collect();
    match shown.len() {
        0..=3 => words.join(", "),
        more => format!("{}, and {} more", words.join(", "), more - 3),
    }
}

pub(super) fn one_signal(signal: &Signal) -> String {
    if signal.kind == SignalKind::Extent {
        return format!("{} changed", signal.after);
    }
    if signal.kind == SignalKind::Order {
        return match cut(&signal.before) {
            before if before.is_empty() => format!("step `{}` stands elsewhere", cut(&signal.after)),
            before => format!("`{}` stands in the place of `{before}`", cut(&signal.after)),
        };
    }
    let kind = signal.kind.name().replace('-', " ");
    match (cut(&signal.before), cut(&signal.after)) {
        (before, after) if before.is_empty() && after.is_empty() => kind,
        (before, after) if after.is_empty() => format!("{kind} `{before}` removed"),
        (before, after) if before.is_empty() => format!("{kind} `{after}` added"),
        (before, after) => format!("{kind} `{before}` is now `{after}`"),
    }
}

/// A value short enough for a sentence.
fn cut(text: &str) -> String {
    const MOST: usize = 48;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let head: String = text.chars().take(MOST - 1).collect();
    format!("{}…", head.trim_end())
}

/// The changed words before and after, with the headings they stand under.
pub(super) fn before_and_after(examined: &Examined<'_>, sources: &Sources) -> Vec<Snippet> {
    let passage = examined.passage;
    let mut said = Shown::new(passage.before, sources, "the manual said");
    let mut says = Shown::new(passage.after, sources, "the manual now says");
    let mut ranked: Vec<&Change> = examined.impact.changes.iter().map(|it| it.change).collect();
    ranked.sort_by_key(|change| std::cmp::Reverse(weight(change)));
    let worst = ranked.first().map(|change| weight(change)).unwrap_or_default();
    for change in ranked.into_iter().filter(|change| weight(change) == worst) {
        match &change.outcome {
            Outcome::Removed { before } | Outcome::Ambiguous { before, .. } => said.heading(*before, "removed"),
            Outcome::Added { after } => says.heading(*after, "added"),
            Outcome::Same { .. } | Outcome::Split { .. } | Outcome::Merged { .. } => {
                for fragment in change.edit.fragments.iter().filter(|fragment| fragment.magnitude == worst) {
                    fragment_marks(fragment, &mut said, &mut says);
                }
            }
        }
    }
    let changes = examined.impact.changes.iter().map(|it| it.change);
    for change in changes.filter(|change| !change.edit.heading.is_empty()) {
        change.befores().into_iter().for_each(|before| said.heading(before, "heading before"));
        change.afters().into_iter().for_each(|after| says.heading(after, "heading now"));
    }
    [said, says].into_iter().filter_map(Shown::snippet).collect()
}

fn fragment_marks(fragment: &FragmentChange, said: &mut Shown<'_>, says: &mut Shown<'_>) {
    match &fragment.kind {
        FragmentChangeKind::Changed { before, after, words } => {
            for word in words {
                let Marks { there, here } =
                    marks(&fragment.signals, said.text(*before, word.before), says.text(*after, word.after));
                said.mark(*before, word.before, &there);
                says.mark(*after, word.after, &here);
            }
        }
        FragmentChangeKind::Moved { before, after } => {
            said.whole(*before, "stood here");
            says.whole(*after, "stands here");
        }
        FragmentChangeKind::Added { after } => says.whole(*after, "added"),
        FragmentChangeKind::Removed { before } => said.whole(*before, "removed"),
    }
}

/// What to write under changed words.
#[derive(Debug, PartialEq, Eq)]
struct Marks {
    there: String,
    here: String,
}

/// The first signal that the words carry, or are a part of. Where there are no words on one side, only the place can be
/// shown.
fn marks(signals: &[Signal], before: &str, after: &str) -> Marks {
    let has = |text: &str, part: &str| !part.is_empty() && has_words(text, part);
    let carries = |it: &&Signal| has(before, &it.before) || has(after, &it.after);
    let is_part = |it: &&Signal| has(&it.before, before) || has(&it.after, after);
    let kind = signals.iter().find(carries).or_else(|| signals.iter().find(is_part));
    let kind = kind.map(|signal| signal.kind.name().replace('-', " ")).unwrap_or_default();
    let mark = |words: &str, there: &str, gone: &str| match (words.is_empty(), kind.is_empty()) {
        (false, true) => String::new(),
        (false, false) => format!("{kind} {there}"),
        (true, true) => gone.to_owned(),
        (true, false) => format!("{kind} {gone}"),
    };
    Marks { there: mark(before, "before", "added here"), here: mark(after, "now", "removed here") }
}

/// Whether some words stand in a text, and not inside other words.
fn has_words(text: &str, words: &str) -> bool {
    let (first, last) = (words.chars().next(), words.chars().next_back());
    let parts = |one: Option<char>, other: Option<char>| {
        !one.zip(other).is_some_and(|(one, other)| one.is_alphanumeric() && other.is_alphanumeric())
    };
    text.match_indices(words).any(|(at, _)| {
        let (before, behind) = (text[..at].chars().next_back(), text[at + words.len()..].chars().next());
        parts(before, first) && parts(last, behind)
    })
}

/// Places in one manual, collected for a snippet.
struct Shown<'m> {
    manual: &'m Manual,
    sources: &'m Sources,
    title: &'static str,
    labels: Vec<Label>,
    visible: Vec<Span>,
}

impl<'m> Shown<'m> {
    fn new(manual: &'m Manual, sources: &'m Sources, title: &'static str) -> Self {
        Self { manual, sources, title, labels: Vec::new(), visible: Vec::new() }
    }

    fn fragment(&self, at: FragmentRef) -> &'m Fragment {
        at.of(self.manual)
    }

    fn text(&self, at: FragmentRef, range: (usize, usize)) -> &'m str {
        self.fragment(at).text.get(range.0..range.1).unwrap_or("")
    }

    /// Marks a range of a fragment's canonical text where it stands in the source.
    fn mark(&mut self, at: FragmentRef, range: (usize, usize), text: &str) {
        let fragment = self.fragment(at);
        let Range { start, end } = fragment.source_range(&self.sources.get(fragment.span.source).text, range);
        self.push(at.section, Span { start, end, ..fragment.span }, text);
    }

    /// Marks the first line of a fragment.
    fn whole(&mut self, at: FragmentRef, text: &str) {
        let fragment = self.fragment(at);
        let first = fragment.text.floor_char_boundary(fragment.text.find('\n').unwrap_or(fragment.text.len()).min(80));
        let end = fragment.source_offset(first).max(fragment.span.start);
        self.push(at.section, Span { end, ..fragment.span }, text);
    }

    fn heading(&mut self, at: SectionRef, text: &str) {
        let heading = self.manual.section(at).heading;
        self.push(at, heading, text);
    }

    fn push(&mut self, section: SectionRef, span: Span, text: &str) {
        if self.labels.len() == MOST_MARKS || self.labels.iter().any(|label| label.span.source != span.source) {
            return;
        }
        self.labels.push(Label { span, text: text.to_owned() });
        let heading = self.manual.section(section).heading;
        if heading.end > heading.start && !self.visible.contains(&heading) {
            self.visible.push(heading);
        }
    }

    fn snippet(self) -> Option<Snippet> {
        let Shown { title, labels, visible, .. } = self;
        (!labels.is_empty()).then(|| Snippet { title: title.to_owned(), labels, visible })
    }
}

/// A snippet that marks headings, as for candidates and parts.
pub(super) fn headings(manual: &Manual, title: &str, sections: &[SectionRef]) -> Vec<Snippet> {
    let mut snippets: Vec<Snippet> = Vec::new();
    for at in sections.iter().take(MOST_MARKS) {
        let label = Label { span: manual.section(*at).heading, text: String::new() };
        match snippets.iter_mut().find(|snippet| snippet.labels[0].span.source == label.span.source) {
            Some(snippet) => snippet.labels.push(label),
            None => snippets.push(Snippet { title: title.to_owned(), labels: vec![label], visible: Vec::new() }),
        }
    }
    snippets
}

/// `a1b2c3d 2026-11-30 "Lower the limit" (Ada)`.
pub(super) fn commit(commit: &CommitFact) -> String {
    let id = commit.id.get(..7).unwrap_or(&commit.id);
    format!("{id} {} \"{}\" ({})", commit.date, commit.subject, commit.author)
}

/// The commits since the review point as one note.
pub(super) fn since(examined: &Examined<'_>) -> Option<String> {
    const MOST: usize = 3;
    let commits: Vec<String> = examined.since.iter().take(MOST).map(commit).collect();
    let more = examined.since.len().saturating_sub(MOST);
    match (commits.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(format!("changed by {}", commits.join(", "))),
        (false, more) => Some(format!("changed by {}, and {more} earlier", commits.join(", "))),
    }
}

/// The words that the case depends on, where the text that had them is gone.
pub(super) fn quoted(examined: &Examined<'_>) -> Option<String> {
    let quote = examined.impact.cited.citation.quote.as_ref()?;
    Some(format!("the words that `{}` quotes went with it: `{}`", examined.case().id.0, quote.text))
}

/// `` `Alarms` was split into 2 sections``.
pub(super) fn split(section: &SectionFact, parts: &[SectionRef]) -> String {
    format!("{} was split into {} sections", name(section), parts.len())
}

/// One diagnostic for all cases that one change hits under one rule.
pub(super) fn group(rule: &Rule, examined: &Examined<'_>) -> Option<String> {
    let before = examined.impact.before.map(|target| facts::target(examined.passage.before, target))?;
    Some(format!("{} {} {} {}", rule.name, examined.reviewed_at, before.file, before.id))
}

/// The command that says: looked at, still right.
pub(super) fn accept(examined: &Examined<'_>) -> String {
    format!("if the case still holds, run `citecheck accept {}`", shell_word(&examined.case().id.0))
}

/// The same, where the citation leads somewhere: what leads nowhere can't be accepted.
pub(super) fn accept_if_found(examined: &Examined<'_>) -> Option<String> {
    matches!(examined.impact.now, Resolution::Found { .. }).then(|| accept(examined))
}

/// The section before, named; for messages about what was cited.
pub(super) fn cited_before(examined: &Examined<'_>) -> Option<SectionFact> {
    examined.impact.before.map(|target| facts::target(examined.passage.before, target))
}

/// How to cite the target after, in the manner in which the citation is written.
pub(super) fn citation_for(examined: &Examined<'_>, citing: &RepoPath, target: Target) -> String {
    examined.passage.after_resolver.recite(&examined.impact.cited.citation.text, citing, target)
}

/// The same for a section, one of those that may be meant.
pub(super) fn section_for(examined: &Examined<'_>, input: &Input<'_>, section: SectionRef) -> String {
    citation_for(examined, input.citing(examined), Target::Section(section))
}

/// A word that a shell takes as it is.
pub(crate) fn shell_word(word: &str) -> String {
    let plain = |character: char| character.is_alphanumeric() || "._-/:@%+=,#~§".contains(character);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with(['-', '#', '~']) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_marked_with_the_signal_that_they_carry() {
        let signal = |kind, before: &str, after: &str| Signal { kind, before: before.into(), after: after.into() };
        let signals = [
            signal(SignalKind::Number, "5", ""),
            signal(SignalKind::Unit, "ms", "s"),
            signal(SignalKind::Comparator, "at most", "at least"),
            signal(SignalKind::Condition, "", "unless"),
            signal(SignalKind::LinkTarget, "", "a.md"),
        ];
        let check = |before: &str, after: &str, there: &str, here: &str| {
            let expected = Marks { there: there.to_owned(), here: here.to_owned() };
            assert_eq!(marks(&signals, before, after), expected, "{before:?} {after:?}");
        };
        check("5 bar", "", "number before", "number removed here");
        check("", "unless asked", "condition added here", "condition now");
        check("items", "less", "", "");
        check("ms", "s", "unit before", "unit now");
        check("most", "least", "comparator before", "comparator now");
        check("", "", "added here", "removed here");
        check("soon", "", "", "removed here");
        check("b.md", "a.md", "link target before", "link target now");
        check("15", "25", "", "");
    }
}
