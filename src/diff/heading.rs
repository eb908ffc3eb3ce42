//! Whether another title says something else: in some manuals the heading is the requirement, with little or nothing below
//! it. A title that only names another thing is no statement.

use super::SignalKind;
use super::event::events;
use super::footnotes::Relabelled;
use super::magnitude::{Case, judge};
use super::sides::Renumbered;
use super::stream::Stream;
use super::thresholds::LONGEST;
use super::words::Lexicon;
use super::{Signal, passage};
use crate::manual::{Fragment, FragmentKind, Manual, SectionRef};

/// A section's title as a text of its own.
pub(super) fn title(manual: &Manual, at: SectionRef) -> Fragment {
    let section = manual.section(at);
    Fragment {
        kind: FragmentKind::Other,
        context: String::new(),
        text: section.title.clone(),
        inlines: Vec::new(),
        strong: Vec::new(),
        span: section.heading,
        line: section.line,
        map: Vec::new(),
    }
}

/// Whether a title alone says what must be, or how much.
pub(super) fn is_statement(lexicon: &Lexicon, title: &Fragment) -> bool {
    is_measured(lexicon, title) || passage::obliges(lexicon, title)
}

/// What two titles say differently, if both say what must be or how much, or one of them what must not.
pub(super) fn signals(lexicon: &Lexicon, [before, after]: [&Fragment; 2]) -> Vec<Signal> {
    if before.text == after.text || before.text.len() + after.text.len() > LONGEST {
        return Vec::new();
    }
    let (renumbered, relabelled) = (Renumbered::default(), Relabelled::default());
    let judgement = judge(
        lexicon,
        Case {
            before: vec![before],
            after: vec![after],
            differs_before: vec![before],
            differs_after: vec![after],
            titles_before: &[],
            titles_after: &[],
            editorial: false,
            pending: false,
            enacted: false,
            renumbered: &renumbered,
            relabelled: &relabelled,
        },
    );
    let are_statements = is_statement(lexicon, before) && is_statement(lexicon, after);
    // `Do not open it` says something without a word of duty.
    let states = |signal: &Signal| match are_statements {
        true => signal.kind.is_strong(),
        false => signal.kind == SignalKind::Negation,
    };
    let found = judgement.findings.into_iter().flat_map(|finding| finding.signals);
    found.filter(states).collect()
}

fn is_measured(lexicon: &Lexicon, title: &Fragment) -> bool {
    events(&Stream::of(vec![title]), lexicon).iter().any(|event| event.kind == SignalKind::Unit)
}
