//! Reports whose texts, paths and places are anything: every format shows them, none obeys them, and programs can read
//! what is for programs.

use std::collections::{BTreeMap, BTreeSet};

use super::bytes::Bytes;
use super::facts::Maker;
use super::page;
use crate::diagnostic::{CheckSummary, DiffSummary};
use crate::report::{CasePlace, CheckReport, CoverageReport, DiffReport};
use crate::source::{CommitId, RepoPath, Rev, SourceId, Sources, Span};

/// The input is the answers to everything that a report consists of.
pub fn reports(input: &[u8]) {
    let mut bytes = Bytes::new(input);
    let kind = bytes.below(3);
    let mut sources = Sources::default();
    let read: Vec<SourceId> = (0..2).map(|_| source(&mut bytes, &mut sources)).collect();
    let mut maker = Maker { bytes, sources: &sources, read: &read };
    match kind {
        0 => findings(&mut maker),
        1 => changes(&mut maker),
        _ => coverage(&mut maker),
    }
}

fn source(bytes: &mut Bytes<'_>, sources: &mut Sources) -> SourceId {
    let rev = if bytes.yes() { Rev::Worktree } else { Rev::Commit(CommitId::new(&"1".repeat(40))) };
    sources.add(rev, RepoPath::new(bytes.text()), bytes.text())
}

fn findings(maker: &mut Maker<'_>) {
    let path = |maker: &mut Maker<'_>| {
        let source = maker.bytes.one_of(maker.read);
        maker.sources.get(source).path.clone()
    };
    let findings = maker.several(Maker::finding);
    let notes = maker.several(Maker::text);
    let cases = maker.several(|it| CasePlace { id: it.text(), span: it.span() });
    let kept_places: BTreeSet<Span> = maker.several(Maker::span).into_iter().collect();
    let changed_files: BTreeSet<RepoPath> = maker.several(path).into_iter().collect();
    let shown: BTreeMap<RepoPath, String> = maker.several(|it| (path(it), it.text())).into_iter().collect();
    let summary = CheckSummary {
        manuals: maker.number(),
        has_cases: maker.bytes.yes(),
        findings: findings.len(),
        fixable: maker.number(),
        suppressed: maker.number(),
        ..CheckSummary::default()
    };
    page::check_findings(&CheckReport {
        base: maker.end(),
        head: maker.end(),
        findings: &findings,
        notes: &notes,
        sources: maker.sources,
        summary,
        cases: &cases,
        changed_files: &changed_files,
        kept_places: &kept_places,
        shown: &shown,
        statistics: maker.bytes.yes(),
        category: &maker.text(),
    });
}

fn changes(maker: &mut Maker<'_>) {
    let (base, head, sections) = (maker.end(), maker.end(), maker.several(Maker::change));
    page::check_diff(&DiffReport { base, head, sections: &sections, summary: DiffSummary::default() });
}

fn coverage(maker: &mut Maker<'_>) {
    let (coverage, notes) = (maker.coverage(), maker.several(Maker::text));
    page::check_coverage(&CoverageReport { coverage: &coverage, notes: &notes });
}
