//! Values that are told by where they stand: a version or a date that a sentence states, a cell of a table, a part of a
//! name. Finds them; how much they weigh is said in `magnitude`.

use std::ops::Range;

use super::hunks::Hunk;
use super::passage::gives_example;
use super::sides::{Content, Sides, Told};
use super::stream::Stream;
use super::thresholds::{NAME_JOINTS, STAMPED_WORDS};
use super::token::{Place, TokenKind, fold};
use super::words;
use super::{Signal, SignalKind};
use crate::manual::FragmentKind;

impl<'m> Sides<'_, 'm> {
    /// Whether a version or a date that is another one now is what a sentence says of its subject: `It speaks Modbus version
    /// 2 on port B`. `Available since version 2` and `This manual is for version 2` say how old something is.
    pub(super) fn states_stamp(&self, hunk: &Hunk) -> bool {
        let is_stamp = |stream: &Stream<'m>, at: usize| matches!(stream.kind(at), TokenKind::Version | TokenKind::Date);
        // `Reviewed on 2 May by the board`.
        let is_of_document = |stream: &Stream<'m>, at: usize| {
            let before = |length: usize| at.checked_sub(length).map(|from| from..at);
            let words = |run: Range<usize>| run.map(|at| fold(stream.key(at))).collect::<Vec<_>>();
            (1..=2).filter_map(before).any(|run| self.lexicon.is_before_editorial_date(&words(run)))
        };
        let has_stamp = |stream: &Stream<'m>, run: &Range<usize>| {
            let mut stamps = run.clone().filter(|at| is_stamp(stream, *at) && stream.place(*at) == Place::Prose);
            stamps.any(|at| !is_of_document(stream, at))
        };
        let states = |stream: &Stream<'m>, sentence: &Range<usize>| {
            let says = |at: &usize| {
                !is_stamp(stream, *at)
                    && stream.place(*at) == Place::Prose
                    && !words::is_version(stream.key(*at))
                    && self.has_more_words(stream, &(*at..*at + 1), 0)
            };
            let words: Vec<_> = sentence.clone().map(|at| fold(stream.key(at))).collect();
            sentence.clone().filter(says).nth(STAMPED_WORDS - 1).is_some()
                && !self.lexicon.is_about_document(&words)
                && !gives_example(self.lexicon, stream, sentence)
        };
        let Some(sentences) = self.sentence(hunk) else { return false };
        has_stamp(self.before, &hunk.before)
            && has_stamp(self.after, &hunk.after)
            && states(self.before, &sentences.before)
            && states(self.after, &sentences.after)
    }

    /// A cell of a table that holds another word: `int` for `number`, `yes` for nothing.
    pub(super) fn other_cell(&self, hunk: &Hunk, content: &Content, told: &Told) -> Option<Signal> {
        let is_whole = self.is_cell(self.before, &hunk.before) && self.is_cell(self.after, &hunk.after);
        let is_part = is_part_of_name(self.before, &hunk.before) && is_part_of_name(self.after, &hunk.after);
        if !is_whole && !is_part {
            return None;
        }
        let (gone, come) = told.untold(content);
        let is_said = |stream: &Stream<'m>, words: &[usize]| {
            words.iter().any(|at| stream.key(*at).contains(char::is_alphanumeric))
        };
        let is_other = match is_whole {
            true => !gone.is_empty() || !come.is_empty(),
            // A mark in a name may be how it is written.
            false => is_said(self.before, &gone) || is_said(self.after, &come),
        };
        is_other.then(|| Signal {
            kind: SignalKind::Statement,
            before: self.before.text(&hunk.before).to_owned(),
            after: self.after.text(&hunk.after).to_owned(),
        })
    }

    /// Whether a run is a cell of a few words, or an empty one.
    fn is_cell(&self, stream: &Stream<'m>, run: &Range<usize>) -> bool {
        /// More words are a text.
        const WORDS: usize = 3;
        // The first cell is what a row is called by.
        let Some(before) = run.start.checked_sub(1) else { return false };
        let row = stream.tokens_of(stream.part(before));
        let ends = |at: usize| !row.contains(&at) || stream.key(at) == "|";
        stream.fragment(before).kind == FragmentKind::TableRow
            && ends(before)
            && ends(run.end)
            && !run.clone().any(ends)
            && self.words(stream, run).len() <= WORDS
    }

    /// Whether a word is a part of a name that is words joined by hyphens: `db` in `user-db-primary`, but not in `state-of-
    /// the-art`.
    pub(super) fn is_in_name(&self, stream: &Stream<'m>, at: usize) -> bool {
        let is_word = |at: usize| {
            let is_said = stream.kind(at) == TokenKind::Word && stream.place(at) == Place::Prose;
            is_said && !self.lexicon.is_stop(stream.key(at)) && !self.lexicon.is_signal(stream.key(at))
        };
        let is_joined = |hyphen: usize| {
            let joint = hyphen - 1..hyphen + 2;
            stream.key(hyphen) == "-"
                && stream.part(joint.start) == stream.part(joint.end - 1)
                && !stream.text(&joint).contains(char::is_whitespace)
        };
        let before = (1..).take_while(|step| {
            let Some(word) = at.checked_sub(2 * step) else { return false };
            is_joined(word + 1) && is_word(word)
        });
        let behind = (1..).take_while(|step| {
            let word = at + 2 * step;
            word < stream.len() && is_joined(word - 1) && is_word(word)
        });
        before.count() + behind.count() >= NAME_JOINTS
    }
}

/// Whether a run is a part of a cell that is one name, without a space: `db` in `user-db-primary`.
fn is_part_of_name(stream: &Stream<'_>, run: &Range<usize>) -> bool {
    let Some(first) = run.clone().next().or(run.start.checked_sub(1)) else { return false };
    let row = stream.tokens_of(stream.part(first));
    if stream.fragment(first).kind != FragmentKind::TableRow || run.start < row.start || run.end > row.end {
        return false;
    }
    let is_border = |at: &usize| stream.key(*at) == "|";
    let start = (row.start..run.start).rev().find(is_border).map_or(row.start, |border| border + 1);
    let end = (run.end..row.end).find(is_border).unwrap_or(row.end);
    end - start > run.len() && !stream.text(&(start..end)).contains(char::is_whitespace)
}
