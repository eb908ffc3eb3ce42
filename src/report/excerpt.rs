//! Whole lines of a text around marked places, as they are shown: sanitized, long lines cut to the columns there are,
//! and where each source offset went. Draws nothing.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthChar as _;

use crate::columns::clamp;
use crate::sanitize::{escaped, is_hostile};
use crate::source::{LineColumn, Sources, Span};

/// Columns of a tab, as annotate-snippets draws it.
const TAB: usize = 4;
/// Columns that one byte takes at most: `\u{1b}`.
const WIDEST: usize = 6;
/// Bytes of a column that are looked at: a base character with many marks.
const MOST_BYTES: usize = 32;
/// Columns of a mark in a long line that are shown however many there are, and how far a cut may go to end at a word.
const NARROWEST: usize = 2;
const WORD: usize = 10;

/// A marked place in a text.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    /// On character boundaries, within the text: as [`clamp`] gives it.
    pub(super) range: Range<usize>,
    /// Columns of the words that will stand after it.
    pub(super) label: usize,
}

/// Lines to show.
#[derive(Clone, Debug)]
pub(super) struct Excerpt {
    pub(super) text: String,
    /// Offset in the source where the first line starts.
    pub(super) start: usize,
    runs: Vec<Run>,
}

/// Source bytes and where they are shown.
#[derive(Clone, Copy, Debug)]
struct Run {
    source: usize,
    shown: usize,
    /// Bytes that are the same in both; 0 for what was replaced or cut.
    same: usize,
}

/// How wide lines may be, and how a cut is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) columns: usize,
    pub(super) ellipsis: &'static str,
}

/// Where a place is said to be: as people count, and in no case behind the text.
pub(super) fn line_column(span: Span, sources: &Sources) -> LineColumn {
    let text = &sources.get(span.source).text;
    sources.line_column(span.source, clamp(text, span.start..span.end).start)
}

/// The lines from the first to the last mark or visible place.
pub(super) fn excerpt(text: &str, marks: &[Mark], visible: &[Range<usize>], room: Room) -> Excerpt {
    let places = || marks.iter().map(|mark| &mark.range).chain(visible);
    let first = places().map(|range| range.start).min().unwrap_or(0);
    let last = places().map(|range| range.end).max().unwrap_or(0);
    let start = text[..first].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let mut excerpt = Excerpt { text: String::new(), start, runs: Vec::new() };
    let mut at = start;
    loop {
        let end = text[at..].find(['\n', '\r']).map_or(text.len(), |length| at + length);
        excerpt.push_line(text, at..end, marks, room);
        let next = end + if text[end..].starts_with("\r\n") { 2 } else { 1 };
        if end >= last || next > text.len() {
            return excerpt;
        }
        at = next;
    }
}

impl Excerpt {
    /// Where a range of the source is shown.
    pub(super) fn range(&self, source: &Range<usize>) -> Range<usize> {
        let start = self.offset(source.start);
        start..self.offset(source.end).max(start)
    }

    fn offset(&self, source: usize) -> usize {
        let at = self.runs.partition_point(|run| run.source <= source);
        let Some(run) = at.checked_sub(1).map(|at| self.runs[at]) else { return 0 };
        run.shown + (source - run.source).min(run.same)
    }

    fn push_line(&mut self, text: &str, line: Range<usize>, marks: &[Mark], room: Room) {
        let mut at = line.start;
        for kept in cut(&text[line.clone()], line.start, marks, room.columns, room.ellipsis) {
            if kept.start > at {
                self.push_replaced(at, room.ellipsis);
            }
            self.push_text(text, kept.clone());
            at = kept.end;
        }
        if at < line.end {
            self.push_replaced(at, room.ellipsis);
        }
        self.push_run(line.end, 0);
        self.text.push('\n');
    }

    fn push_text(&mut self, text: &str, range: Range<usize>) {
        let mut before = text[..range.start].chars().next_back();
        let mut same = range.start;
        let mut chars = text[range.clone()].char_indices().peekable();
        while let Some((offset, it)) = chars.next() {
            let at = range.start + offset;
            let after = chars.peek().map(|(_, next)| *next);
            let escaped = if it == '\t' { None } else { escape(before, it, after) };
            before = Some(it);
            if let Some(escape) = escaped {
                self.push_same(text, same..at);
                self.push_replaced(at, &escape);
                same = at + it.len_utf8();
                before = escape.chars().next_back().or(before);
            }
        }
        self.push_same(text, same..range.end);
    }

    fn push_same(&mut self, text: &str, range: Range<usize>) {
        self.push_run(range.start, range.len());
        self.text.push_str(&text[range]);
    }

    fn push_replaced(&mut self, source: usize, shown: &str) {
        self.push_run(source, 0);
        self.text.push_str(shown);
    }

    fn push_run(&mut self, source: usize, same: usize) {
        self.runs.push(Run { source, shown: self.text.len(), same });
    }
}

/// A byte order mark at the start of the text is not shown; anything else as the sanitizer says.
fn escape(before: Option<char>, it: char, after: Option<char>) -> Option<String> {
    if it == '\u{feff}' && before.is_none() {
        return Some(String::new());
    }
    escaped(before, it, after)
}

/// Which parts of a line to show: all of it where it fits, else the marks with what context there is room for.
fn cut(line: &str, start: usize, marks: &[Mark], columns: usize, ellipsis: &str) -> Vec<Range<usize>> {
    let whole = start..start + line.len();
    if line.len() * WIDEST <= columns {
        return vec![whole];
    }
    let on_line = || marks.iter().filter(|mark| mark.range.start <= whole.end && mark.range.end >= whole.start);
    let near = near(line, on_line().map(|mark| mark.range.start.saturating_sub(start)), columns);
    let cells = Cells::new(&line[near.clone()], start + near.start);
    if near.len() == line.len() && cells.columns() <= columns {
        return vec![whole];
    }
    let mut spots: Vec<(Range<usize>, usize)> =
        on_line().map(|mark| (cells.at(mark.range.start)..cells.at(mark.range.end), mark.label)).collect();
    spots.sort_by_key(|(range, _)| (range.start, range.end));
    if spots.is_empty() {
        spots.push((0..0, 0));
    }
    let ellipsis = ellipsis.chars().count();
    let mut kept = windows(&cells, &spots, columns, ellipsis);
    spend_rest(&cells, &mut kept, columns, ellipsis);
    kept.iter().map(|range| cells.trim_to_words(range, &spots)).collect()
}

/// The part of a line that can be shown whatever its characters are, so that a line of megabytes costs no more than others.
fn near(line: &str, marks: impl Iterator<Item = usize> + Clone, columns: usize) -> Range<usize> {
    let reach = columns.saturating_mul(MOST_BYTES);
    let (first, last) = (marks.clone().min().unwrap_or(0), marks.max().unwrap_or(0));
    let low = line.floor_char_boundary(first.saturating_sub(reach));
    low..line.ceil_char_boundary(last.saturating_add(reach).min(line.len()))
}

/// The columns around each mark, overlapping ones joined.
fn windows(cells: &Cells<'_>, spots: &[(Range<usize>, usize)], columns: usize, ellipsis: usize) -> Vec<Range<usize>> {
    let number = spots.len();
    let columns = columns.saturating_sub((number + 1) * ellipsis);
    let widest = (columns * 3 / 4 / number).max(NARROWEST);
    let marked: usize = spots.iter().map(|(range, _)| cells.width(range).min(widest)).sum();
    let spare = columns.saturating_sub(marked);
    // The label of the last mark stands below what is to the right of it.
    let label = spots.last().map_or(0, |(_, label)| label + 1).min(spare);
    let half = spare / (2 * number);
    let half = if label > half { (spare - label) / (2 * number - 1) } else { half };
    let mut kept: Vec<Range<usize>> = Vec::new();
    for (at, (range, _)) in spots.iter().enumerate() {
        let (left, right) = (cells.column(range.start), cells.column(range.end));
        let right = right.min(left + widest) + if at + 1 == number { half.max(label) } else { half };
        let window = left.saturating_sub(half)..right.min(cells.columns());
        match kept.last_mut() {
            Some(last) if window.start <= last.end + ellipsis => last.end = last.end.max(window.end),
            _ => kept.push(window),
        }
    }
    kept
}

/// Gives columns that are still free to the ends of the outer windows.
fn spend_rest(cells: &Cells<'_>, kept: &mut [Range<usize>], columns: usize, ellipsis: usize) {
    let used: usize = kept.iter().map(|range| range.len() + ellipsis).sum();
    let mut free = columns.saturating_sub(used + ellipsis);
    if let Some(last) = kept.last_mut() {
        let more = free.min(cells.columns() - last.end);
        last.end += more;
        free -= more;
    }
    if let Some(first) = kept.first_mut() {
        first.start = first.start.saturating_sub(free);
    }
}

/// A line as characters with columns.
struct Cells<'a> {
    line: &'a str,
    start: usize,
    /// Byte offset in the line and column of each character, then of the end.
    places: Vec<(usize, usize)>,
}

impl<'a> Cells<'a> {
    fn new(line: &'a str, start: usize) -> Self {
        let mut column = 0;
        let mut places = vec![(0, 0)];
        for (at, grapheme) in line.grapheme_indices(true) {
            column += grapheme.chars().map(width).sum::<usize>();
            places.push((at + grapheme.len(), column));
        }
        Self { line, start, places }
    }

    fn columns(&self) -> usize {
        self.places.last().map_or(0, |(_, column)| *column)
    }

    /// The character that holds a source offset.
    fn at(&self, offset: usize) -> usize {
        let byte = offset.saturating_sub(self.start);
        self.places.partition_point(|(at, _)| *at < byte).min(self.places.len() - 1)
    }

    fn column(&self, cell: usize) -> usize {
        self.places[cell].1
    }

    fn width(&self, cells: &Range<usize>) -> usize {
        self.column(cells.end) - self.column(cells.start)
    }

    /// The source range of a window of columns, a little smaller if it then starts and ends with whole words, but never
    /// cutting into a mark.
    fn trim_to_words(&self, window: &Range<usize>, spots: &[(Range<usize>, usize)]) -> Range<usize> {
        let first = self.places.partition_point(|(_, column)| *column < window.start).min(self.places.len() - 1);
        let last = self.places.partition_point(|(_, column)| *column <= window.end).max(1) - 1;
        let last = last.max(first);
        let space = |at: usize| self.line[self.places[at].0..].starts_with([' ', '\t']);
        let left = (first.saturating_sub(1)..last.min(first + WORD)).find(|at| *at > 0 && space(*at)).map(|at| at + 1);
        let left =
            left.filter(|left| first > 0 && !spots.iter().any(|(range, _)| (first..*left).contains(&range.start)));
        let right = (last.saturating_sub(WORD).max(first + 1)..=last).rev().find(|at| space(*at));
        let marked = |at: usize| spots.iter().any(|(range, _)| range.start <= last && at < range.end.min(last));
        let right = right.filter(|right| last + 1 < self.places.len() && !marked(*right));
        let (left, right) = (left.unwrap_or(first), right.unwrap_or(last));
        self.start + self.places[left].0..self.start + self.places[right.max(left)].0
    }
}

fn width(it: char) -> usize {
    match it {
        '\t' => TAB,
        _ if is_hostile(it) => it.escape_unicode().len(),
        _ => it.width().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Marks what stands between `<` and `>`, then shows the lines and the mark in them the same way.
    fn check(marked: &str, columns: usize, expected: &str) {
        let start = marked.find('<').unwrap();
        let end = marked.find('>').unwrap() - 1;
        let text = marked.replacen('<', "", 1).replacen('>', "", 1);
        let mark = Mark { range: clamp(&text, start..end), label: 0 };
        let it = excerpt(&text, std::slice::from_ref(&mark), &[], Room { columns, ellipsis: "…" });
        let range = it.range(&mark.range);
        let mut shown = it.text.clone();
        shown.insert(range.end, '>');
        shown.insert(range.start, '<');
        assert_eq!(shown, expected);
    }

    #[test]
    fn whole_lines_are_shown() {
        check("a\nb <c> d\ne\n", 40, "b <c> d\n");
        check("a\r\nb <c\r\nd> e\r\nf", 40, "b <c\nd> e\n");
        check("a\rb<\r>c", 40, "b<>\n");
        check("a\n<>", 40, "a<>\n");
        check("<>", 40, "<>\n");
        check("\u{feff}<>a", 40, "<>a\n");
    }

    #[test]
    fn what_is_hostile_is_shown_and_marks_stay_on_their_words() {
        check("\u{feff}k: \u{9b}31m <red>\n", 40, "k: \\u{9b}31m <red>\n");
        check("a\u{202e}<b\u{1b}c>\td\n", 80, "a\\u{202e}<b\\u{1b}c>\td\n");
    }

    #[test]
    fn long_lines_are_cut_around_the_mark() {
        let words = "lorem ipsum dolor sit amet ".repeat(4);
        check(&format!("{words}<45> {words}"), 40, "…dolor sit amet <45> lorem ipsum dolor…\n");
        check(&format!("<45> {words}"), 30, "<45> lorem ipsum dolor sit…\n");
        check(&format!("{words}<45>"), 30, "…ipsum dolor sit amet <45>\n");
        check(&format!("{words}<{words}>{words}"), 40, "…amet <lorem ipsum dolor sit amet lorem >…\n");
        check(&format!("{}<漢字>{}", "漢字".repeat(20), "かな".repeat(20)), 30, "…漢字漢字漢字<漢字>かなかなかな…\n");
    }

    #[test]
    fn several_marks_share_a_long_line() {
        let words = "lorem ipsum dolor sit amet ".repeat(4);
        let text = format!("{words}45 {words}K {words}");
        let mark = |word: &str| {
            let start = text.find(word).unwrap();
            Mark { range: start..start + word.len(), label: 0 }
        };
        let it = excerpt(&text, &[mark("45"), mark("K ")], &[], Room { columns: 50, ellipsis: "…" });
        assert_eq!(it.text, "…sit amet 45 lorem…sit amet K lorem ipsum…\n");
    }

    #[test]
    fn however_many_marks_there_are_the_line_fits() {
        let text = "lorem ipsum dolor sit 45 amet ".repeat(40);
        for number in 1..=6 {
            let places = text.match_indices("45").step_by(5).take(number);
            let marks: Vec<Mark> = places.map(|(at, word)| Mark { range: at..at + word.len(), label: 13 }).collect();
            for columns in 36..200 {
                let it = excerpt(&text, &marks, &[], Room { columns, ellipsis: "..." });
                let shown = it.text.trim_end_matches('\n');
                assert!(shown.len() <= columns, "{number} marks in {columns} columns: {shown}");
                assert!(marks.iter().all(|mark| &it.text[it.range(&mark.range)] == "45"), "{columns}: {shown}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn any_text_and_any_places(
            text in "[a\u{e9}漢\u{1b}\u{202e}\u{200d}👩\r\n\t \u{feff}]{0,60}",
            places in prop::collection::vec((0_usize..260, 0_usize..260), 1..4),
            columns in 1_usize..60,
        ) {
            let marks: Vec<Mark> = places
                .iter()
                .map(|(start, end)| Mark { range: clamp(&text, *start..*end), label: *end })
                .collect();
            let it = excerpt(&text, &marks, &[], Room { columns, ellipsis: "…" });
            for mark in &marks {
                let range = it.range(&mark.range);
                prop_assert!(it.text.get(range).is_some());
            }
            prop_assert!(it.text.lines().all(|line| !line.contains(|it| it != '\t' && is_hostile(it))));
        }
    }
}
