//! Follows a section from one revision to another: by the two whole manuals where these were compared already, as those
//! of a range are, or where that is quick; else by the two versions of its file first, then by the whole manuals; and
//! where both lose it, commit by commit through the history in between.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::rc::Rc;
use std::sync::Arc;

use rayon::prelude::*;

use super::archive::{Archive, Edition};
use super::chain::{Arrived, Course, Steps};
use super::lineage::Lineage;
use super::since::SectionKey;
use crate::cases::Scope;
use crate::diff::{self, Change, Compared, Files, Outcome, SignalKind};
use crate::git::Error;
use crate::manual::{Document, Manual, SectionRef, Target};
use crate::source::{RepoPath, Rev, SourceId};

/// How a target came from one edition to another.
#[derive(Clone)]
pub(crate) enum Route {
    /// It reads the same at its place, which is this one after.
    Still(Target),
    /// The changes tell.
    Changed(Rc<Compared>),
}

/// So many sections, before and after together, are compared in a few milliseconds.
const FEW_SECTIONS: usize = 600;

/// Two versions of a file: their texts, and their places in their manuals.
type FilePair = (SourceId, SourceId, usize, usize);

/// Two revisions of which the files are compared that sections left or came to; and the file of the section that is
/// followed, where it is none of these.
type MoverKey = (RevPair, Option<RepoPath>);

/// A target that will be followed from a revision.
pub(super) struct Origin<'s> {
    pub(super) from: &'s Stop,
    pub(super) target: Target,
    pub(super) scope: Scope,
}

/// Versions of files to compare, and the sections that will be asked about.
struct Job {
    before: Files,
    after: Files,
    wanted: BTreeSet<SectionRef>,
}

/// Two revisions that are compared.
type RevPair = (Rev, Rev);

/// What was compared so far.
#[derive(Default)]
pub(crate) struct Follower {
    /// By the texts and by the places of the two files.
    files: HashMap<FilePair, Rc<Compared>>,
    manuals: HashMap<RevPair, Rc<Compared>>,
    /// Which of these are compared in any case.
    quick: HashMap<RevPair, bool>,
    /// The files whose sections are not the same ones by their ids.
    movers: HashMap<RevPair, BTreeSet<RepoPath>>,
    /// These files, and one more where it is none of them.
    moved: HashMap<MoverKey, Rc<Compared>>,
    pub(super) steps: Steps,
}

/// An edition and where it stands in the history; the ends of a way.
#[derive(Clone)]
pub(crate) struct Stop {
    /// `None` outside the history that is looked at.
    pub(crate) node: Option<usize>,
    pub(crate) edition: Rc<Edition>,
}

impl Follower {
    /// Follows what a citation covers.
    pub(crate) fn route(
        &mut self,
        archive: &mut Archive<'_>,
        lineage: &Lineage,
        (from, to): (&Stop, &Stop),
        (target, scope): (Target, Scope),
    ) -> Result<Route, Error> {
        match self.followed(archive, lineage, (from, to), (target, scope))? {
            Route::Still(still) => Ok(Route::Still(still)),
            Route::Changed(compared) => self.settled(archive, lineage, (from, to), (compared, target)),
        }
    }

    fn followed(
        &mut self,
        archive: &mut Archive<'_>,
        lineage: &Lineage,
        (from, to): (&Stop, &Stop),
        (target, scope): (Target, Scope),
    ) -> Result<Route, Error> {
        if let Some(still) = still(&from.edition, &to.edition, target, scope) {
            return Ok(Route::Still(still));
        }
        let wanted = covered(&from.edition.manual, target, scope);
        if !self.manuals.contains_key(&revs(from, to)) && !self.is_quick(from, to) {
            if let Some(diff) = self.file_diff(archive, from, to, target)
                && wanted.iter().all(|at| is_certain(&diff, (&from.edition.manual, *at), &to.edition.manual))
            {
                return Ok(Route::Changed(diff));
            }
            let movers = self.movers_diff(archive, from, to, target);
            if !loses(&movers, &wanted) {
                return Ok(Route::Changed(movers));
            }
        }
        let direct = self.manual_diff(archive, from, to);
        if !loses(&direct, &wanted) {
            return Ok(Route::Changed(direct));
        }
        let Some(course) = Course::between(lineage, &from.edition.rev, to.node) else {
            return Ok(Route::Changed(direct));
        };
        let chained = self.chained(archive, &course, (from, to), (&wanted, &direct))?;
        Ok(Route::Changed(chained.map_or(direct, Rc::new)))
    }

    /// Makes the comparisons that will be asked for, on all cores: of single files first, then what these leave open.
    pub(super) fn compare_ahead(&mut self, archive: &mut Archive<'_>, mut origins: Vec<Origin<'_>>, to: &Stop) {
        origins.retain(|Origin { from, target, scope }| {
            !self.manuals.contains_key(&revs(from, to)) && still(&from.edition, &to.edition, *target, *scope).is_none()
        });
        let mut jobs = HashMap::new();
        for Origin { from, target, scope } in &origins {
            if let Some(pair) = file_pair(from, to, *target).filter(|pair| !self.files.contains_key(pair)) {
                let job = jobs.entry(pair).or_insert_with(|| Job::of_file(from, to, pair));
                job.wanted.extend(covered(&from.edition.manual, *target, *scope));
            }
        }
        self.files.extend(done(jobs, archive));
        origins.retain(|origin| {
            let wanted = covered(&origin.from.edition.manual, origin.target, origin.scope);
            let known = file_pair(origin.from, to, origin.target).and_then(|pair| self.files.get(&pair));
            let is_certain =
                |at| known.is_some_and(|it| is_certain(it, (&origin.from.edition.manual, at), &to.edition.manual));
            !wanted.into_iter().all(is_certain)
        });
        let mut jobs = HashMap::new();
        for Origin { from, target, .. } in &origins {
            let key = self.mover_key(archive, from, to, *target);
            if !self.moved.contains_key(&key) && !jobs.contains_key(&key) {
                let job = self.mover_job((from, to), &key);
                jobs.insert(key, job);
            }
        }
        self.moved.extend(done(jobs, archive));
    }

    /// Whether so little differs that the whole manuals are compared at once. Beyond, one file has to tell of a section what
    /// may be told otherwise by who knows what went to other files.
    fn is_quick(&mut self, from: &Stop, to: &Stop) -> bool {
        let sections = |one: &Edition, other: &Edition| -> usize {
            changed(one, other).into_iter().map(|at| one.manual.documents[at].sections.len()).sum()
        };
        let count = || sections(&from.edition, &to.edition) + sections(&to.edition, &from.edition);
        *self.quick.entry(revs(from, to)).or_insert_with(|| count() <= FEW_SECTIONS)
    }

    /// The two versions of the target's file, if it is there after.
    fn file_diff(&mut self, archive: &Archive<'_>, from: &Stop, to: &Stop, target: Target) -> Option<Rc<Compared>> {
        let pair = file_pair(from, to, target)?;
        let compared = self.files.entry(pair).or_insert_with(|| Rc::new(Job::of_file(from, to, pair).done(archive)));
        Some(Rc::clone(compared))
    }

    /// The target's file and the files that sections left or came to: without these a section that left might be taken
    /// for one that came.
    fn movers_diff(&mut self, archive: &mut Archive<'_>, from: &Stop, to: &Stop, target: Target) -> Rc<Compared> {
        let key = self.mover_key(archive, from, to, target);
        if let Some(known) = self.moved.get(&key) {
            return Rc::clone(known);
        }
        let compared = Rc::new(self.mover_job((from, to), &key).done(archive));
        self.moved.insert(key, Rc::clone(&compared));
        compared
    }

    /// The two revisions, and the target's file where it is none of those that sections left or came to.
    fn mover_key(&mut self, archive: &mut Archive<'_>, from: &Stop, to: &Stop, target: Target) -> MoverKey {
        let ends = revs(from, to);
        let movers = self.movers.entry(ends.clone()).or_insert_with(|| movers(archive, &from.edition, &to.edition));
        let path = &from.edition.manual.documents[target.document()].path;
        (ends, (!movers.contains(path)).then(|| path.clone()))
    }

    fn mover_job(&self, (from, to): (&Stop, &Stop), (ends, alone): &MoverKey) -> Job {
        let movers = self.movers.get(ends);
        let is_wanted = |document: &Arc<Document>| {
            alone.as_ref() == Some(&document.path) || movers.is_some_and(|movers| movers.contains(&document.path))
        };
        let files = |manual: &Manual| {
            let documents = manual.documents.iter().enumerate();
            Files::new(manual, documents.filter(|(_, document)| is_wanted(document)).map(|(at, _)| at).collect())
        };
        Job { before: files(&from.edition.manual), after: files(&to.edition.manual), wanted: BTreeSet::new() }
    }

    /// Where one commit took a section that stood at `place` in a parent of it.
    pub(super) fn step(
        &mut self,
        archive: &mut Archive<'_>,
        lineage: &Lineage,
        (node, parent): (usize, usize),
        place: &SectionKey,
    ) -> Result<Arrived, Error> {
        self.steps.single(archive, lineage, (node, parent), place)
    }

    /// Takes a comparison of two whole manuals that was made already.
    pub(crate) fn keep(&mut self, from: &Edition, to: &Edition, compared: Rc<Compared>) {
        self.manuals.insert((from.rev.clone(), to.rev.clone()), compared);
    }

    /// Everything that happened between two editions.
    pub(crate) fn manual_diff(&mut self, archive: &Archive<'_>, from: &Stop, to: &Stop) -> Rc<Compared> {
        let compared = self.manuals.entry(revs(from, to));
        Rc::clone(compared.or_insert_with(|| Rc::new(Job::of_manuals(from, to).done(archive))))
    }

    /// The direct changes with those of the lost sections replaced by what the history between tells; `None` if it tells
    /// no more.
    fn chained(
        &mut self,
        archive: &mut Archive<'_>,
        course: &Course<'_>,
        (from, to): (&Stop, &Stop),
        (wanted, direct): (&[SectionRef], &Compared),
    ) -> Result<Option<Compared>, Error> {
        let lost: Vec<SectionRef> = wanted.iter().copied().filter(|at| is_lost(direct, *at)).collect();
        let mut found = Vec::new();
        for section in lost {
            let outcome = self.steps.follow(archive, course, (&from.edition, &to.edition), section)?;
            // Candidates by one comparison are worth more than those by many.
            let is_guess = |outcome: &Outcome| matches!(outcome, Outcome::Ambiguous { .. });
            let outcome =
                outcome.filter(|found| !(is_guess(found) && direct.outcome_of(section).is_some_and(is_guess)));
            let (before, after) = (&from.edition.manual, &to.edition.manual);
            let lexicons = archive.reading.lexicons;
            found.extend(outcome.map(|outcome| diff::change(before, after, outcome, &archive.sources, lexicons)));
        }
        Ok((!found.is_empty()).then(|| direct.amended(found)))
    }
}

impl Job {
    fn of_file(from: &Stop, to: &Stop, (_, _, before, after): FilePair) -> Self {
        let before = Files::new(&from.edition.manual, vec![before]);
        let after = Files::new(&to.edition.manual, vec![after]);
        Self { before, after, wanted: BTreeSet::new() }
    }

    fn of_manuals(from: &Stop, to: &Stop) -> Self {
        let before = Files::new(&from.edition.manual, changed(&from.edition, &to.edition));
        let after = Files::new(&to.edition.manual, changed(&to.edition, &from.edition));
        Self { before, after, wanted: BTreeSet::new() }
    }

    fn done(self, archive: &Archive<'_>) -> Compared {
        Compared::new(self.before, self.after, &archive.sources, archive.reading.lexicons)
    }
}

/// Does jobs on all cores, and judges what will be asked about.
fn done<K: Eq + Hash + Send>(jobs: HashMap<K, Job>, archive: &Archive<'_>) -> Vec<(K, Rc<Compared>)> {
    if jobs.is_empty() {
        return Vec::new();
    }
    let (sources, lexicons) = (&archive.sources, archive.reading.lexicons);
    let compare = |(key, Job { before, after, wanted }): (K, Job)| {
        let compared = Compared::new(before, after, sources, lexicons);
        wanted.into_iter().for_each(|at| _ = compared.change_of(at));
        (key, compared)
    };
    let compared: Vec<(K, Compared)> = jobs.into_par_iter().map(compare).collect();
    compared.into_iter().map(|(key, compared)| (key, Rc::new(compared))).collect()
}

fn revs(from: &Stop, to: &Stop) -> RevPair {
    (from.edition.rev.clone(), to.edition.rev.clone())
}

/// The two versions of a target's file, if it is there after.
fn file_pair(from: &Stop, to: &Stop, target: Target) -> Option<FilePair> {
    let before = target.document();
    let there = &from.edition.manual.documents[before];
    let after = to.edition.file(&there.path)?;
    Some((there.source, to.edition.manual.documents[after].source, before, after))
}

/// Where a target is after, if it is one section or file there.
pub(crate) fn destination(route: &Route, from: &Edition, to: &Edition, target: Target) -> Option<Target> {
    match (route, target) {
        (Route::Still(after), _) => Some(*after),
        (Route::Changed(compared), Target::Section(section)) => match compared.outcome_of(section)? {
            Outcome::Same { after, .. } => Some(Target::Section(*after)),
            Outcome::Split { .. }
            | Outcome::Merged { .. }
            | Outcome::Ambiguous { .. }
            | Outcome::Removed { .. }
            | Outcome::Added { .. } => None,
        },
        (Route::Changed(_), Target::File(file)) => to.file(&from.manual.documents[file].path).map(Target::File),
    }
}

/// The place after of a target that reads the same at its place before.
pub(super) fn still(from: &Edition, to: &Edition, target: Target, scope: Scope) -> Option<Target> {
    let before = &from.manual.documents[target.document()];
    let file = to.file(&before.path)?;
    let after = &to.manual.documents[file];
    let same_file =
        Arc::ptr_eq(before, after) || from.blob(&before.path).is_some_and(|blob| to.blob(&before.path) == Some(blob));
    match target {
        Target::File(_) if same_file || same_text(before, after) => Some(Target::File(file)),
        Target::File(_) => None,
        Target::Section(at) if same_file => Some(Target::Section(SectionRef { document: file, ..at })),
        Target::Section(at) => {
            let id = &before.sections[at.section].id;
            let section = after.sections.iter().position(|section| section.id == *id)?;
            let (there, here) = (&before.sections[at.section], &after.sections[section]);
            let whole = scope == Scope::Whole;
            let same = there.title == here.title
                && there.number == here.number
                && before.fingerprint(at.section, whole) == after.fingerprint(section, whole);
            same.then_some(Target::Section(SectionRef { document: file, section }))
        }
    }
}

/// Whether two files have the same sections with the same texts.
fn same_text(before: &Document, after: &Document) -> bool {
    let said = |document: &Document| -> Vec<_> {
        document.sections.iter().map(|section| (section.id.clone(), section.title.clone(), section.own)).collect()
    };
    said(before) == said(after)
}

/// The files in which sections came or went, by their ids.
fn movers(archive: &mut Archive<'_>, from: &Edition, to: &Edition) -> BTreeSet<RepoPath> {
    let mut found = BTreeSet::new();
    for (one, other) in [(from, to), (to, from)] {
        for document in &one.manual.documents {
            let same = other.file(&document.path).is_some_and(|file| {
                let there = &other.manual.documents[file];
                Arc::ptr_eq(document, there)
                    || archive.outline(document) == archive.outline(there)
                    || same_ids(document, there)
            });
            if !same {
                found.insert(document.path.clone());
            }
        }
    }
    found
}

fn same_ids(before: &Document, after: &Document) -> bool {
    let ids = |document: &Document| document.sections.iter().map(|section| section.id.clone()).collect::<BTreeSet<_>>();
    ids(before) == ids(after)
}

/// The files that differ from another edition's.
fn changed(edition: &Edition, other: &Edition) -> Vec<usize> {
    let documents = edition.manual.documents.iter().enumerate();
    documents
        .filter(|(_, document)| {
            let blob = edition.blob(&document.path);
            blob.is_none() || blob != other.blob(&document.path)
        })
        .map(|(at, _)| at)
        .collect()
}

/// The sections that a citation covers.
pub(crate) fn covered(manual: &Manual, target: Target, scope: Scope) -> Vec<SectionRef> {
    match (target, scope) {
        (Target::Section(section), Scope::Own) => vec![section],
        (Target::Section(SectionRef { document, section }), Scope::Whole) => {
            manual.documents[document].subtree(section).map(|section| SectionRef { document, section }).collect()
        }
        (Target::File(document), _) => {
            (0..manual.documents[document].sections.len()).map(|section| SectionRef { document, section }).collect()
        }
    }
}

/// Whether it is beyond doubt which section is which, whatever happened in other files: by its id and most of its
/// text.
pub(super) fn is_certain(compared: &Compared, (before, at): (&Manual, SectionRef), after: &Manual) -> bool {
    let Some(Change { outcome: Outcome::Same { after: here, .. }, edit }) = compared.change_of(at) else {
        return false;
    };
    let rewritten = edit.signals.iter().any(|signal| signal.kind == SignalKind::Extent);
    before.section(at).id == after.section(*here).id && !rewritten
}

/// Whether one of the sections has gone without a trace, as far as these changes tell.
fn loses(compared: &Compared, sections: &[SectionRef]) -> bool {
    sections.iter().any(|at| is_lost(compared, *at))
}

fn is_lost(compared: &Compared, section: SectionRef) -> bool {
    matches!(compared.outcome_of(section), Some(Outcome::Removed { .. } | Outcome::Ambiguous { .. }))
}
