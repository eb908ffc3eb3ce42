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
use crate::source::{RepoPath, Rev};

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
        if ends.touched.is_some() {
            self.named.iter().for_each(|((path, id), document)| archive.keep(path, *id, document));
        }
        self.documents.iter().for_each(|((path, id), document)| archive.keep(path, *id, document));
        let mut edition = |snapshot: &Snapshot, manual: &Manual| {
            archive.edition_of(&snapshot.rev, &Rc::new(snapshot.entries.clone()), manual.clone())
        };
        let checked = edition(&ends.tip, &ends.after.manual);
        let start = ends.range.as_ref().map(|range| edition(&range.start, &ends.before.manual));
        let repinned = repinned.unless_fresh((&ends.after.cases, pins), &checked, &archive.sources);
        let files = &ends.after.cases;
        let is_everything = |_: usize| true;
        let (Some(start), Some(range)) = (start, ends.range.take()) else {
            let lineage = self.lineage(&ends.tip, &Rev::Nothing)?;
            let mut reviewer = Reviewer::new(archive, lineage, Rc::clone(&checked));
            let first = reviewer.review(files, &is_everything, &pin_of)?;
            self.sources = reviewer.archive.sources;
            let last = first.iter().map(|_| None).collect();
            return Ok(Reviews { first, last, checked, start: None });
        };
        let reviewer = Reviewer::new(archive, range.lineage, Rc::clone(&checked));
        let mut reviewer = reviewer.starting_at(Rc::clone(&start), range.compared);
        let mut first = reviewer.review(files, &is_everything, &pin_of)?;
        archive = reviewer.archive;
        let copied = copied::copied(&first);
        let asked: BTreeSet<usize> = match depth {
            Depth::History => (0..first.len()).collect(),
            Depth::Doubts => {
                let (sources, before) = (&archive.sources, Some(&*start));
                let telling = Telling { sources, start: self.before.as_ref(), checked: &checked, before, diff };
                telling.doubtful(files, &first).union(&copied).copied().collect()
            }
            Depth::Range => copied.clone(),
        };
        let mut last: Vec<Option<Review>> = first.iter().map(|_| None).collect();
        if !asked.is_empty() || !repinned.is_empty() {
            let lineage = self.lineage(&ends.tip, &Rev::Nothing)?;
            let mut reviewer = Reviewer::new(archive, lineage, Rc::clone(&checked));
            let found = reviewer.review(files, &|at| asked.contains(&at), &pin_of)?;
            asked.iter().zip(found).for_each(|(at, review)| last[*at] = Some(review));
            let is_read = |at: SectionRef| ends.is_read(&checked.manual.document(at).path);
            copied::settle(&mut first, &copied, &last, &is_read);
            if !repinned.is_empty() {
                let is_repinned = |at: usize| repinned.has(at);
                let found = reviewer.review(files, &is_repinned, &pin_of)?;
                let former = reviewer.review(&repinned.as_pinned_before(files), &is_repinned, &|_, _| None)?;
                repinned.settle(&mut first, files, (found, former));
            }
            archive = reviewer.archive;
        }
        if depth == Depth::Range {
            last.iter_mut().for_each(|review| *review = None);
        }
        self.sources = archive.sources;
        Ok(Reviews { first, last, checked, start: Some(start) })
    }
}
