//! How much a change of a fragment matters, and by what signs (design §6.3).
//! Judges texts that are already aligned; what the words of a language mean is data, in [`words`](super::words).

use std::ops::Range;

use super::hunks::{Hunk, Tokens, hunks};
use super::thresholds::EXTENT;
use super::token::{TokenKind, tokens};
use super::words::Lexicon;
use super::{Edit, Magnitude, Signal, SignalKind, WordChange};
use crate::manual::{Fragment, Manual};

/// What a change of one fragment comes to.
#[derive(Clone, Debug, Default)]
pub(super) struct Judgement {
    pub(super) magnitude: Magnitude,
    pub(super) signals: Vec<Signal>,
}

pub(super) struct Judge<'a> {
    lexicon: &'a Lexicon,
}

impl<'a> Judge<'a> {
    pub(super) fn new(lexicon: &'a Lexicon, _before: &Manual, _after: &Manual) -> Self {
        Self { lexicon }
    }

    pub(super) fn changed(&self, before: &Fragment, after: &Fragment) -> (Judgement, Vec<WordChange>) {
        let _ = self.lexicon;
        let there = Tokens::new(&before.text, tokens(&before.text, &before.inlines));
        let here = Tokens::new(&after.text, tokens(&after.text, &after.inlines));
        let hunks = hunks(&there, &here);
        let words = hunks.iter().map(|hunk| WordChange { before: there.bytes(&hunk.before), after: here.bytes(&hunk.after) }).collect();
        let mut signals = Vec::new();
        for hunk in &hunks {
            signals.extend(self.signals(&there, &here, hunk));
        }
        let substantive = signals.iter().any(|signal: &Signal| signal.kind.is_strong());
        let magnitude = if substantive { Magnitude::Substantive } else { Magnitude::Minor };
        (Judgement { magnitude, signals }, words)
    }

    fn signals(&self, there: &Tokens<'_>, here: &Tokens<'_>, hunk: &Hunk) -> Vec<Signal> {
        let (before, after) = (strong(there, &hunk.before), strong(here, &hunk.after));
        let mut signals = Vec::new();
        for at in 0..before.len().max(after.len()) {
            let (b, a) = (before.get(at), after.get(at));
            if b == a {
                continue;
            }
            let kind = b.or(a).map_or(SignalKind::Number, |(kind, _)| *kind);
            let text = |side: Option<&(SignalKind, String)>| side.map_or_else(String::new, |(_, text)| text.clone());
            signals.push(Signal { kind, before: text(b), after: text(a) });
        }
        signals
    }

    pub(super) fn moved_inside(&self, _fragment: &Fragment) -> Judgement {
        Judgement { magnitude: Magnitude::Minor, signals: Vec::new() }
    }

    pub(super) fn removed(&self, _fragment: &Fragment) -> Judgement {
        Judgement { magnitude: Magnitude::Substantive, signals: Vec::new() }
    }

    pub(super) fn added(&self, _fragment: &Fragment) -> Judgement {
        Judgement { magnitude: Magnitude::Substantive, signals: Vec::new() }
    }

    pub(super) fn left(&self, _fragment: &Fragment) -> Judgement {
        Judgement { magnitude: Magnitude::Substantive, signals: Vec::new() }
    }

    pub(super) fn arrived(&self, _fragment: &Fragment) -> Judgement {
        Judgement { magnitude: Magnitude::Minor, signals: Vec::new() }
    }

    pub(super) fn whole(&self, edit: Edit, _before: Vec<&str>, _after: Vec<&str>) -> Edit {
        let _ = EXTENT;
        edit
    }
}

fn strong(tokens: &Tokens<'_>, run: &Range<usize>) -> Vec<(SignalKind, String)> {
    run.clone()
        .filter_map(|at| {
            let kind = match tokens.tokens[at].kind {
                TokenKind::Number => SignalKind::Number,
                TokenKind::Unit => SignalKind::Unit,
                TokenKind::Comparator => SignalKind::Comparator,
                TokenKind::Code => SignalKind::Code,
                TokenKind::Identifier => SignalKind::Identifier,
                _ => return None,
            };
            Some((kind, tokens.key(at).to_owned()))
        })
        .collect()
}
