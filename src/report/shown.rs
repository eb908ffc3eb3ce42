//! Lines of the checked text as a page numbers them that shows the file in another state.

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// More lines are not compared; their numbers stay.
const MOST_LINES: usize = 50_000;

/// Where a line of the checked text stands in the shown one, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Same(usize),
    /// The shown text does not have the line; this one is where it would be.
    Near(usize),
}

impl Line {
    pub(super) fn number(self) -> usize {
        match self {
            Line::Same(number) | Line::Near(number) => number,
        }
    }
}

/// Finds lines again, each counted from 1.
pub(super) fn find(checked: &str, shown: &str, lines: [usize; 2]) -> [Line; 2] {
    let (checked, shown): (Vec<&str>, Vec<&str>) = (checked.lines().collect(), shown.lines().collect());
    if checked.len().max(shown.len()) > MOST_LINES {
        return lines.map(Line::Near);
    }
    let steps = capture_diff_slices(Algorithm::Myers, &checked, &shown);
    lines.map(|line| {
        let at = line.saturating_sub(1);
        let step = steps.iter().find(|step| step.old_range().contains(&at));
        match step {
            Some(DiffOp::Equal { old_index, new_index, .. }) => Line::Same(new_index + (at - old_index) + 1),
            Some(step) => Line::Near((step.new_range().start + 1).min(shown.len().max(1))),
            None => Line::Near(shown.len().max(1)),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(checked: &str, shown: &str, line: usize, expected: Line) {
        assert_eq!(find(checked, shown, [line, line]), [expected, expected], "{checked:?} {shown:?}");
    }

    #[test]
    fn a_line_is_found_where_it_moved_to() {
        check("a\nb\nc\n", "a\nb\nc\n", 2, Line::Same(2));
        check("new\na\nb\n", "a\nb\n", 3, Line::Same(2));
        check("b\n", "a\nb\n", 1, Line::Same(2));
    }

    #[test]
    fn a_line_that_is_not_shown_is_near_its_neighbours() {
        check("a\nnew\nb\n", "a\nb\n", 2, Line::Near(2));
        check("a\nother\nb\n", "a\none\nb\n", 2, Line::Near(2));
        check("a\nb\nnew\n", "a\nb\n", 3, Line::Near(2));
        check("a\n", "", 1, Line::Near(1));
        check("a\n", "a\n", 9, Line::Near(1));
    }
}
