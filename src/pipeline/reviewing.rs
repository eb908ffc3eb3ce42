//! Which reviews are asked for: of every citation the one where the range starts, and the last one of those of which the
//! range alone cannot tell. What is told of them is for `telling.rs`.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::repinned::Repinned;
use super::telling::Telling;
use super::{Depth, Ends, PinsFile, Range, Session, copied};
use crate::cases::CaseId;
use crate::diff::Diff;
use crate::error::Error;
use crate::git::Snapshot;
use crate::manual::{Manual, SectionRef};
use crate::review::{Archive, Edition, PinOf, Reading, Review, Reviewer};
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

/// What is asked, of which citations.
#[derive(Clone, Copy)]
struct Asked<'a> {
    ends: &'a Ends,
    depth: Depth,
    /// What the range did.
    diff: &'a Diff,
    /// The pins that stand in no citation.
    pin_of: PinOf<'a>,
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
        let repinned = self.repinned(ends, pins);
        let sources = std::mem::take(&mut self.sources);
        let urls = self.base_urls();
        let is_manual = |rev: &Rev, path: &RepoPath| self.was_manual(rev, path);
        let shapes = |rev: &Rev, path: &RepoPath| self.former_shapes(rev, path);
        let reading = Reading {
            repo: &self.repo,
            options: &self.config.sections,
            base_urls: &urls,
            lexicons: &self.lexicons,
            is_manual: &is_manual,
            shapes: &shapes,
        };
        let mut archive = Archive::new(reading, sources);
        let named = self.named.iter().filter(|_| ends.touched.is_some());
        named.chain(&self.documents).for_each(|((path, id), document)| archive.keep(path, *id, document));
        let mut edition = |snapshot: &Snapshot, manual: &Manual| {
            archive.edition_of(&snapshot.rev, &Rc::new(snapshot.entries.clone()), manual.clone())
        };
        let checked = edition(&ends.tip, &ends.after.manual);
        let start = ends.range.as_ref().map(|range| edition(&range.start, &ends.before.manual));
        let repinned = repinned.unless_fresh((&ends.after.cases, pins), &checked, &archive.sources);
        let range = ends.range.take();
        let asked = Asked { ends, depth, diff, pin_of: &pin_of };
        let (reviews, archive) = match start.zip(range) {
            Some((start, range)) => self.of_range(&asked, archive, (start, checked, range), &repinned)?,
            None => {
                let mut reviewer = Reviewer::new(archive, self.lineage(&ends.tip, &Rev::Nothing)?, Rc::clone(&checked));
                let first = reviewer.review(&ends.after.cases, &|_| true, &pin_of)?;
                (Reviews { last: vec![None; first.len()], first, checked, start: None }, reviewer.archive)
            }
        };
        self.sources = archive.sources;
        Ok(reviews)
    }

    /// What the range did to each citation, and the last reviews of those of which it alone cannot tell.
    fn of_range<'r>(
        &self,
        asked: &Asked<'_>,
        archive: Archive<'r>,
        (start, checked, range): (Rc<Edition>, Rc<Edition>, Range),
        repinned: &Repinned,
    ) -> Result<(Reviews, Archive<'r>), Error> {
        let Asked { ends, depth, diff, pin_of } = *asked;
        let files = &ends.after.cases;
        let reviewer = Reviewer::new(archive, range.lineage, Rc::clone(&checked));
        let mut reviewer = reviewer.starting_at(Rc::clone(&start), range.compared);
        let mut first = reviewer.review(files, &|_| true, pin_of)?;
        let mut archive = reviewer.archive;
        let copied = copied::copied(&first);
        let doubtful: BTreeSet<usize> = match depth {
            Depth::History => (0..first.len()).collect(),
            Depth::Doubts => {
                let telling = self.telling(&archive.sources, (Some(&*start), &checked), diff);
                telling.doubtful(files, &first).union(&copied).copied().collect()
            }
            Depth::Range => copied.clone(),
        };
        let mut last = vec![None; first.len()];
        if !doubtful.is_empty() || !repinned.is_empty() {
            let mut reviewer = Reviewer::new(archive, self.lineage(&ends.tip, &Rev::Nothing)?, Rc::clone(&checked));
            let found = reviewer.review(files, &|at| doubtful.contains(&at), pin_of)?;
            doubtful.iter().zip(found).for_each(|(at, review)| last[*at] = Some(review));
            let is_read = |at: SectionRef| ends.is_read(&checked.manual.document(at).path);
            copied::settle(&mut first, &copied, &last, &is_read);
            repinned.settle(&mut first, files, (&mut reviewer, pin_of))?;
            archive = reviewer.archive;
        }
        if depth == Depth::Range {
            last.fill(None);
        }
        Ok((Reviews { first, last, checked, start: Some(start) }, archive))
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
