//! Citations whose section a range took away, while a copy of it, which was made before the range, is still there. The
//! hook that sees the range and a check of the whole history shall tell the same, so these few are asked against their
//! last review.

use std::collections::BTreeSet;

use crate::cases::CaseFile;
use crate::manual::SectionRef;
use crate::review::Review;

/// Such citations, by their place among all.
pub(super) fn copied(range: &[Review]) -> BTreeSet<usize> {
    (0..range.len()).filter(|at| range[*at].left_a_copy()).collect()
}

/// The case files with no other citations.
pub(super) fn only(files: &[CaseFile], wanted: &BTreeSet<usize>) -> Vec<CaseFile> {
    let mut files = files.to_vec();
    let mut at = 0;
    for citations in files.iter_mut().flat_map(|file| &mut file.cases).map(|case| &mut case.citations) {
        citations.retain(|_| {
            at += 1;
            wanted.contains(&(at - 1))
        });
    }
    files
}

/// Puts the last reviews of these citations in the place of what the range tells, where they know where the text is now:
/// in a section that was read.
pub(super) fn settle(
    range: &mut [Review],
    copied: &BTreeSet<usize>,
    last: Vec<Review>,
    is_read: &dyn Fn(SectionRef) -> bool,
) {
    for (at, review) in copied.iter().zip(last) {
        let homes = review.homes();
        if !homes.is_empty() && homes.into_iter().all(is_read) {
            range[*at] = review;
        }
    }
}
