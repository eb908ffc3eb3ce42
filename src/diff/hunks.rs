//! Which tokens of two texts differ: runs that were replaced, put in or taken out. A phrase that only changed its place
//! within the text is no difference. Says nothing about what a difference means.

use std::collections::HashMap;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::stream::Stream;
use super::thresholds::{MOVED_PHRASE, MOVED_SENTENCE};
use super::token::TokenKind;

/// A run of tokens before and the run that stands in its place after; one of them may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

/// The runs that differ, in order.
pub(super) fn hunks(before: &Stream<'_>, after: &Stream<'_>) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, before.keys(), after.keys()) {
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let (there, here) = (op.old_range(), op.new_range());
        match hunks.last_mut() {
            // A comma that happened to stay between two replaced phrases does not part them.
            Some(last)
                if only_marks(before, last.before.end, there.start)
                    && only_marks(after, last.after.end, here.start) =>
            {
                last.before.end = there.end;
                last.after.end = here.end;
            }
            Some(_) | None => hunks.push(Hunk { before: there, after: here }),
        }
    }
    let hunks = without_moved_phrases(before, after, hunks);
    hunks.into_iter().flat_map(|hunk| parted(before, after, hunk)).collect()
}

/// The end of a fragment that changed and whole fragments behind it are two differences.
fn parted(before: &Stream<'_>, after: &Stream<'_>, hunk: Hunk) -> impl Iterator<Item = Hunk> {
    let rest = |stream: &Stream<'_>, run: &Range<usize>| -> usize {
        if run.is_empty() {
            return run.end;
        }
        let fragment = stream.tokens_of(stream.part(run.start));
        if fragment.start < run.start { run.end.min(fragment.end) } else { run.start }
    };
    let (there, here) = (rest(before, &hunk.before), rest(after, &hunk.after));
    let end = Hunk { before: hunk.before.start..there, after: hunk.after.start..here };
    let rest = Hunk { before: there..hunk.before.end, after: here..hunk.after.end };
    [end, rest].into_iter().filter(|hunk| !hunk.before.is_empty() || !hunk.after.is_empty())
}

fn only_marks(tokens: &Stream<'_>, from: usize, to: usize) -> bool {
    from <= to && to - from <= 1 && (from..to).all(|at| tokens.is_mark(at))
}

/// Takes out phrases that were cut here and pasted there.
fn without_moved_phrases(before: &Stream<'_>, after: &Stream<'_>, hunks: Vec<Hunk>) -> Vec<Hunk> {
    let mut gone: Vec<bool> = mask(before.len(), hunks.iter().map(|hunk| &hunk.before));
    let mut come: Vec<bool> = mask(after.len(), hunks.iter().map(|hunk| &hunk.after));
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for at in (0..come.len()).filter(|at| come[*at]) {
        places.entry(after.key(at)).or_default().push(at);
    }
    let mut moved = false;
    let mut at = 0;
    while at < gone.len() {
        let found =
            if gone[at] { longest(before, after, &gone, &come, (at, places.get(before.key(at)))) } else { None };
        let Some((there, length)) = found else {
            at += 1;
            continue;
        };
        gone[at..at + length].fill(false);
        come[there..there + length].fill(false);
        moved = true;
        at += length;
    }
    if moved { remaining(&hunks, &gone, &come) } else { hunks }
}

fn mask<'h>(length: usize, runs: impl Iterator<Item = &'h Range<usize>>) -> Vec<bool> {
    let mut mask = vec![false; length];
    for run in runs {
        mask[run.clone()].fill(true);
    }
    mask
}

/// The longest phrase that starts at a token before and was put in somewhere after: enough words not to be chance.
fn longest(
    before: &Stream<'_>,
    after: &Stream<'_>,
    gone: &[bool],
    come: &[bool],
    (at, places): (usize, Option<&Vec<usize>>),
) -> Option<(usize, usize)> {
    /// Places tried for one phrase; a word that was put in more often starts no phrase worth finding.
    const MOST_PLACES: usize = 16;
    let length = |there: usize| {
        let same = |k: &usize| {
            gone.get(at + k) == Some(&true)
                && come.get(there + k) == Some(&true)
                && before.key(at + k) == after.key(there + k)
        };
        (0..).take_while(same).count()
    };
    let best = places?
        .iter()
        .take(MOST_PLACES)
        .map(|there| (length(*there), *there))
        .max_by_key(|(n, there)| (*n, usize::MAX - there));
    let (length, there) = best?;
    let is_word = |at: &usize| !before.is_mark(*at) && before.kind(*at) != TokenKind::Symbol;
    let words = (at..at + length).filter(is_word).count();
    let is_sentence = before.sentences(&(at..at + 1)).iter().any(|it| it.start == at && it.end <= at + length);
    (words >= MOVED_PHRASE || (is_sentence && words >= MOVED_SENTENCE)).then_some((there, length))
}

/// The hunks again, by what is still gone or come in each.
fn remaining(hunks: &[Hunk], gone: &[bool], come: &[bool]) -> Vec<Hunk> {
    let runs = |range: &Range<usize>, mask: &[bool]| -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for at in range.clone().filter(|at| mask[*at]) {
            match runs.last_mut() {
                Some(run) if run.end == at => run.end += 1,
                Some(_) | None => runs.push(at..at + 1),
            }
        }
        runs
    };
    let mut remaining = Vec::new();
    for hunk in hunks {
        let (befores, afters) = (runs(&hunk.before, gone), runs(&hunk.after, come));
        for at in 0..befores.len().max(afters.len()) {
            let before = befores.get(at).cloned().unwrap_or(hunk.before.end..hunk.before.end);
            let after = afters.get(at).cloned().unwrap_or(hunk.after.end..hunk.after.end);
            remaining.push(Hunk { before, after });
        }
    }
    remaining
}
