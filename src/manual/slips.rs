//! What breaks a text without making it unreadable: markers of a merge that was not finished, and a fence of code that is
//! never closed, so that all below it is code. Says where; what stands in other code was put there on purpose.

use std::ops::Range;

use super::{FragmentKind, Problem, Section};
use crate::source::{SourceId, Span};

/// Looks for slips in the text of these sections.
pub(super) fn find(source: SourceId, text: &str, sections: &[Section]) -> Vec<Problem> {
    conflicts(source, text, sections).into_iter().chain(open_fence(source, text, sections)).collect()
}

/// The conflicts of a merge: from the line that opens one to the line that closes it.
fn conflicts(source: SourceId, text: &str, sections: &[Section]) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(first) = marker(text, rest, "<<<<<<< ") {
        rest = first.end;
        let between = next_line(text, first.end).and_then(|at| divider(text, at));
        let Some(last) = between.and_then(|at| marker(text, at, ">>>>>>> ")) else { break };
        let span = |line: &Range<usize>| Span::new(source, line.start, line.end);
        if !is_code(sections, first.start) && !is_comment(text, first.start) {
            found.push(Problem::Unmerged { first: span(&first), second: span(&last) });
            rest = last.end;
        }
    }
    found
}

/// The first line from an offset on that starts like this.
fn marker(text: &str, from: usize, start: &str) -> Option<Range<usize>> {
    let found = text[from..].match_indices(start).map(|(at, _)| from + at);
    let mut lines = found.filter(|at| *at == 0 || text.as_bytes()[at - 1] == b'\n');
    let at = lines.next()?;
    let length = text[at..].find(['\r', '\n']).unwrap_or(text.len() - at);
    Some(at..at + length)
}

/// Where the line behind the next one starts that parts the two sides of a conflict.
fn divider(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        let end = next_line(text, at).unwrap_or(text.len());
        if text[at..end].trim_end() == "=======" {
            return Some(end);
        }
        if end == text.len() {
            return None;
        }
        at = end;
    }
}

fn next_line(text: &str, from: usize) -> Option<usize> {
    text[from..].find('\n').map(|at| from + at + 1)
}

/// Whether an offset is in code, or in raw HTML that shows text as it is typed.
fn is_code(sections: &[Section], at: usize) -> bool {
    let section = sections.iter().find(|section| section.extent.start <= at && at < section.extent.end);
    section.into_iter().flat_map(|section| &section.fragments).any(|fragment| {
        let shows = match fragment.kind {
            FragmentKind::Code => true,
            FragmentKind::Html => fragment.text.contains("<pre"),
            FragmentKind::Paragraph
            | FragmentKind::ListItem
            | FragmentKind::TableHead
            | FragmentKind::TableRow
            | FragmentKind::Quote
            | FragmentKind::Rule
            | FragmentKind::Footnote
            | FragmentKind::Other => false,
        };
        shows && fragment.span.start <= at && at < fragment.span.end
    })
}

/// Whether an offset is in a comment.
fn is_comment(text: &str, at: usize) -> bool {
    let opened = text[..at].rfind("<!--");
    opened.is_some_and(|opened| !text[opened..at].contains("-->"))
}

/// A fence at the end of the text that nothing closes, where it swallowed what looks like headings: lines that start as one
/// and stand between blank lines, as comments in code hardly do.
fn open_fence(source: SourceId, text: &str, sections: &[Section]) -> Option<Problem> {
    let last = sections.last()?.fragments.last().filter(|fragment| fragment.kind == FragmentKind::Code)?;
    let block = &text[last.span.start..];
    let end = text.trim_end().len();
    if last.span.end < end {
        return None;
    }
    let fence = block.trim_start_matches(' ');
    let letter = fence.chars().next().filter(|letter| ['`', '~'].contains(letter))?;
    let length = fence.chars().take_while(|it| *it == letter).count();
    let closing = block.trim_end().lines().skip(1).last().unwrap_or_default().trim();
    if length < 3 || (closing.len() >= length && closing.chars().all(|it| it == letter)) {
        return None;
    }
    let mut lines = block.lines().peekable();
    let (mut headings, mut behind_blank) = (Vec::new(), false);
    while let Some(line) = lines.next() {
        let is_between = behind_blank && lines.peek().is_none_or(|next| next.trim().is_empty());
        headings.extend(heading(line).filter(|_| is_between).map(str::to_owned));
        behind_blank = line.trim().is_empty();
    }
    let opening = block.find(['\r', '\n']).unwrap_or(block.len());
    let span = Span::new(source, last.span.start, last.span.start + opening);
    (!headings.is_empty()).then_some(Problem::OpenFence { span, headings })
}

/// A line that would be a heading outside of code.
fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    ((1..=6).contains(&level) && title.starts_with(' ') && !title.trim().is_empty()).then(|| line.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manual::parse::tests::document;

    fn check(text: &str, expected: &[&str]) {
        let shown = |problem: &Problem| match problem {
            Problem::Unmerged { first, second } => {
                format!("{} to {}", &text[first.start..first.end], &text[second.start..second.end])
            }
            Problem::OpenFence { span, headings } => {
                format!("{} swallows {}", &text[span.start..span.end], headings.join(", "))
            }
            Problem::DuplicateId { .. } | Problem::Unreadable { .. } => "another one".to_owned(),
        };
        let told: Vec<String> = document(text, &[]).problems.iter().map(shown).collect();
        assert_eq!(told, expected, "{text:?}");
    }

    #[test]
    fn a_merge_that_was_not_finished_is_found() {
        let conflict = "<<<<<<< HEAD\n## A\n\nx\n=======\n## B\n\ny\n>>>>>>> topic\n";
        let told = "<<<<<<< HEAD to >>>>>>> topic";
        check(&format!("# M\n\n{conflict}\nz\n"), &[told]);
        check(&format!("# M\n\n{conflict}\n{conflict}"), &[told, told]);
        check(&conflict.replace('\n', "\r\n"), &[told]);
        check("<<<<<<< HEAD\nx\n||||||| 1a2b3c4\nz\n=======\ny\n>>>>>>> topic\n", &[told]);
        // One that takes a fence apart.
        check(&format!("# M\n\n```\na\n```\n\n{conflict}\n```\nb\n```\n"), &[told]);
    }

    #[test]
    fn other_text_is_no_merge() {
        let conflict = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> topic\n";
        check(&format!("# M\n\n```\n{conflict}```\n"), &[]);
        check(&format!("# M\n\n~~~ diff\n{conflict}~~~\n\nz\n"), &[]);
        check(&format!("# M\n\n<pre>\n{conflict}</pre>\n"), &[]);
        check(&format!("# M\n\n<div><pre>\n{conflict}</pre></div>\n"), &[]);
        check(&format!("# M\n\n<!-- as in\n{conflict}-->\n"), &[]);
        check("# M\n\n    <<<<<<< HEAD\n    x\n    =======\n    y\n    >>>>>>> topic\n", &[]);
        check("Title\n=======\n\nx\n", &[]);
        check("<<<<<<< HEAD\nx\n", &[]);
        check(">>>>>>> topic\n\nTitle\n=======\n\n<<<<<<< HEAD\n", &[]);
        check("<<<<<<< HEAD\nx\n======= =======\n>>>>>>> topic\n", &[]);
        check("Write `<<<<<<< HEAD`, then =======, then `>>>>>>> topic`.\n", &[]);
    }

    #[test]
    fn a_fence_that_swallows_headings_is_found() {
        let told = "```sh swallows ## B, ### C";
        check("# M\n\n```sh\npump --stop\n\n## B\n\nx\n\n### C\n\ny\n", &[told]);
        check("# M\n\n```sh\npump --stop\n\n## B\n\nx\n\n### C", &[told]);
        check("# M\n\n~~~~\npump\n~~~\n\n## B\n\nx\n", &["~~~~ swallows ## B"]);
        check("# M\n\n```\na\n```\n\n```\n\n## B\n\nx\n", &["``` swallows ## B"]);
    }

    #[test]
    fn other_code_swallows_nothing() {
        check("# M\n\n```sh\n\n## B\n\nx\n```\n", &[]);
        check("# M\n\n```sh\n\n## B\n\nx\n````\n\n", &[]);
        check("# M\n\n```sh\n# start it\npump --start\n", &[]);
        check("# M\n\n```sh\npump --start\n\n# stop it\npump --stop\n", &[]);
        check("# M\n\n- ```\n  x\n\n  ## B\n\n## C\n\ny\n", &[]);
        check("# M\n\n    x\n\n    ## B\n\n    y\n", &[]);
        check("# M\n\n```\nx\n", &[]);
    }
}
