//! Which reviews are asked for: of every citation the one where the range starts, and the last one of those of which the
//! range alone cannot tell. What is told of them is for `telling.rs`.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::telling::Telling;
use super::{Depth, Ends, PinsFile, Session, copied};
use crate::cases::CaseId;
use crate::diff::Diff;
use crate::error::Error;
use crate::git::Snapshot;
use crate::manual::{Manual, SectionRef};
use crate::review::{Archive, Edition, Reading, Review, Reviewer};
use crate::source::{RepoPath, Rev, Sources};

/// What was found about the reviews of all citations, in their order.
pub(super) struct Reviews {
    /// Where the range starts; without a range, the last ones.
    pub(super) first: Vec<Review>,
    /// The last ones, of the citations of which they were asked for beside a range.
    pub(super) last: Vec<Option<Review>>,
    pub(super) checked: Rc<Edition>,
    pub(super) start: Option<Rc<Edition>>,
}

impl Session {
    /// `diff` is what the range did.
    pub(super) fn review(
        &mut self,
        ends: &mut Ends,
        depth: Depth,
        (diff, pins): (&Diff, &PinsFile),
    ) -> Result<Reviews, Error> {
        let pin_of = |case: &CaseId, citation: &str| pins.pins.get(case, citation).cloned();
        let urls = self.base_urls();
        let is_manual = |path: &RepoPath| self.config.is_manual(path);
        let shape = |path: &RepoPath| self.config.case_group(path).map(|group| &group.shape);
        let reading = Reading {
            repo: &self.repo,
            options: &self.config.sections,
            base_urls: &urls,
            lexicons: &self.lexicons,
            is_manual: &is_manual,
            shape: &shape,
        };
        let repinned = self.repinned(ends, pins);
        let mut archive = Archive::new(reading, std::mem::take(&mut self.sources));
        let named = self.named.iter().filter(|_| ends.touched.is_some());
        named.chain(&self.documents).for_each(|((path, id), document)| archive.keep(path, *id, document));
        let mut edition = |snapshot: &Snapshot, manual: &Manual| {
            archive.edition_of(&snapshot.rev, &Rc::new(snapshot.entries.clone()), manual.clone())
        };
        let checked = edition(&ends.tip, &ends.after.manual);
        let start = ends.range.as_ref().map(|range| edition(&range.start, &ends.before.manual));
        let repinned = repinned.unless_fresh((&ends.after.cases, pins), &checked, &archive.sources);
        let files = &ends.after.cases;
        let (Some(start), Some(range)) = (start, ends.range.take()) else {
            let lineage = self.lineage(&ends.tip, &Rev::Nothing)?;
            let mut reviewer = Reviewer::new(archive, lineage, Rc::clone(&checked));
            let first = reviewer.review(files, &|_| true, &pin_of)?;
            self.sources = reviewer.archive.sources;
            let last = vec![None; first.len()];
            return Ok(Reviews { first, last, checked, start: None });
        };
        let reviewer = Reviewer::new(archive, range.lineage, Rc::clone(&checked));
        let mut reviewer = reviewer.starting_at(Rc::clone(&start), range.compared);
        let mut first = reviewer.review(files, &|_| true, &pin_of)?;
        archive = reviewer.archive;
        let copied = copied::copied(&first);
        let asked: BTreeSet<usize> = match depth {
            Depth::History => (0..first.len()).collect(),
            Depth::Doubts => {
                let telling = self.telling(&archive.sources, (Some(&*start), &checked), diff);
                telling.doubtful(files, &first).union(&copied).copied().collect()
            }
            Depth::Range => copied.clone(),
        };
        let mut last = vec![None; first.len()];
        if !asked.is_empty() || !repinned.is_empty() {
            let lineage = self.lineage(&ends.tip, &Rev::Nothing)?;
            let mut reviewer = Reviewer::new(archive, lineage, Rc::clone(&checked));
            let found = reviewer.review(files, &|at| asked.contains(&at), &pin_of)?;
            asked.iter().zip(found).for_each(|(at, review)| last[*at] = Some(review));
            let is_read = |at: SectionRef| ends.is_read(&checked.manual.document(at).path);
            copied::settle(&mut first, &copied, &last, &is_read);
            repinned.settle(&mut first, files, (&mut reviewer, &pin_of))?;
            archive = reviewer.archive;
        }
        if depth == Depth::Range {
            last.fill(None);
        }
        self.sources = archive.sources;
        Ok(Reviews { first, last, checked, start: Some(start) })
    }

    /// What facts are made from; `diff` is what the range did.
    pub(super) fn telling<'a>(
        &'a self,
        sources: &'a Sources,
        (before, checked): (Option<&'a Edition>, &'a Edition),
        diff: &'a Diff,
    ) -> Telling<'a> {
        Telling { sources, start: self.before.as_ref(), checked, before, diff }
    }
}
