//! Citations whose section a range took away, while a copy of it, which was made before the range, is still there. The
//! hook that sees the range and a check of the whole history shall tell the same, so these few are asked against their
//! last review.

use std::collections::BTreeSet;

use crate::manual::SectionRef;
use crate::review::Review;

/// Such citations, by their place among all.
pub(super) fn copied(range: &[Review]) -> BTreeSet<usize> {
    (0..range.len()).filter(|at| range[*at].left_a_copy()).collect()
}

/// Puts the last reviews of these citations in the place of what the range tells, where they know where the text is now:
/// in a section that was read.
pub(super) fn settle(
    range: &mut [Review],
    copied: &BTreeSet<usize>,
    last: &[Option<Review>],
    is_read: &dyn Fn(SectionRef) -> bool,
) {
    for at in copied {
        let Some(review) = &last[*at] else { continue };
        let homes = review.homes();
        if !homes.is_empty() && homes.into_iter().all(is_read) {
            range[*at] = review.clone();
        }
    }
}
