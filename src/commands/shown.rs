//! What the page of a pull request shows: which lines of the files it lists, and which files in another state than the
//! checked one. What is checked is the merge, and the page shows the branch; they differ where the base changed a file,
//! too, and there lines have other numbers.

use std::collections::{BTreeMap, BTreeSet};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::diagnostic::Diagnostic;

use crate::error::Error;
use crate::git::Content;
use crate::pipeline::Session;
use crate::source::{CommitId, RepoPath, Rev, SourceId, Span};

/// Files with more lines are not compared: all of their lines count as changed.
const MOST_LINES: usize = 20_000;

/// The texts of manuals and cases on the page that are not as they were checked; what is no text there is left out.
pub(super) fn texts(session: &Session, page: Option<&CommitId>) -> Result<BTreeMap<RepoPath, String>, Error> {
    let Some(page) = page else { return Ok(BTreeMap::new()) };
    let (config, page) = (&session.config, Rev::Commit(page.clone()));
    let mut texts = BTreeMap::new();
    for delta in session.repo.changed(&session.after.rev, &page)? {
        let path = delta.path;
        let Some(entry) = delta.after else { continue };
        if !config.is_manual(&path) && config.case_group(&path).is_none() {
            continue;
        }
        if let Content::Text(bytes) = session.repo.read(&page, &path, &entry)?
            && let Ok(text) = String::from_utf8(bytes)
        {
            texts.insert(path, text);
        }
    }
    Ok(texts)
}

/// The places of findings in changed files on lines that did not change.
pub(super) fn kept(
    session: &Session,
    findings: &[Diagnostic],
    changed: &BTreeSet<RepoPath>,
) -> Result<BTreeSet<Span>, Error> {
    let Some(start) = session.before.as_ref().filter(|_| !changed.is_empty()) else { return Ok(BTreeSet::new()) };
    let mut places: BTreeMap<SourceId, Vec<Span>> = BTreeMap::new();
    for span in findings.iter().map(|finding| finding.primary.span) {
        if changed.contains(&session.sources.get(span.source).path) {
            places.entry(span.source).or_default().push(span);
        }
    }
    let mut kept = BTreeSet::new();
    for (source, spans) in places {
        let file = session.sources.get(source);
        let entries = session.repo.snapshot(&start.rev, &|path| *path == file.path)?.entries;
        let Some(entry) = entries.get(&file.path) else { continue };
        let Content::Text(before) = session.repo.read(&start.rev, &file.path, entry)? else { continue };
        let is_kept = kept_lines(&String::from_utf8_lossy(&before), &file.text);
        let line = |at: usize| session.sources.line(source, at).0 - 1;
        let on_kept = |span: &Span| (line(span.start)..=line(span.end)).all(|line| is_kept.get(line) == Some(&true));
        kept.extend(spans.into_iter().filter(on_kept));
    }
    Ok(kept)
}

/// For each line after whether it stands in the text before.
fn kept_lines(before: &str, after: &str) -> Vec<bool> {
    let (before, after): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut kept = vec![false; after.len()];
    if before.len().max(after.len()) > MOST_LINES {
        return kept;
    }
    for step in capture_diff_slices(Algorithm::Myers, &before, &after) {
        if let DiffOp::Equal { .. } = step {
            kept[step.new_range()].fill(true);
        }
    }
    kept
}
