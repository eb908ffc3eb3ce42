//! Reads what a range touched, and no more: the files that differ, and of the others those whose bytes may have to do
//! with it.
//!
//! Two questions are asked of the bytes of a file that did not change. Of a case file: may it cite a section that did?
//! Of a manual: may it have a section that one of these citations names? Where the answer is no, nothing in the file has
//! a part in what the range did. Which citations lead to what is then found out from the files that were read.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Ends, How, PinsFile, Range, Revision, Session, Touched, differs};
use crate::cases::{self, CaseFile, CaseId, PinKind};
use crate::diff::Diff;
use crate::error::Error;
use crate::git::{Content, End, Entry, Peek, Snapshot};
use crate::manual::{Document, Index, Manual, Names, SectionRef, Target};
use crate::review::{Lineage, same_outline};
use crate::source::{RepoPath, Rev, SourceId};

/// More threads than this have nothing left to read.
const MOST_THREADS: usize = 4;

/// Whether the bytes of a file may have what is looked for.
type May<'m> = &'m (dyn Fn(&[u8]) -> bool + Sync);

/// What the range may have put out of date, at one of its ends: what to cite means to be looked at.
struct Side {
    index: Index,
    wanted: BTreeSet<Target>,
}

/// What is looked for in files that did not change.
struct Wanted {
    before: Side,
    after: Side,
    /// Cases that came into the files that changed: no other case may have their ids.
    cases: BTreeSet<CaseId>,
    /// Citations with another pin in the pins file.
    pins: BTreeSet<(CaseId, String)>,
}

impl Session {
    /// Reads what the range from `end` to the checked revision touched.
    pub(super) fn load_touched(&mut self, tip: Snapshot, end: &End, pins: &PinsFile) -> Result<Ends, Error> {
        self.learn_settings(&end.rev)?;
        let start = self.snapshot(&end.rev)?;
        let lineage = self.lineage(&tip, &end.rev)?;
        let paths = touched(&start, &tip, &lineage);
        let how = |path: &RepoPath, entry: &Entry| {
            if paths.contains(path) || entry.id.is_none() { How::Parse } else { How::Name }
        };
        let mut after = self.load(&tip, &how)?;
        let mut before = self.load(&start, &how)?;
        let compared = self.compare((&start, &before.manual), (&tip, &after.manual));
        let mut wanted = self.wanted((&before, &after), (&start, &tip), &paths, &compared.diff());
        let pins_before = self.read_pins(&end.rev)?;
        wanted.pins = new_pins(&pins_before, pins);
        let mut has_cases = after.cases.iter().any(|file| !file.cases.is_empty());
        has_cases |= self.load_citing(&tip, &paths, &wanted, &mut after)?;
        has_cases = has_cases || self.has_case(&tip, &paths)?;
        self.load_named((&tip, pins), &wanted, (&mut before, &mut after))?;
        let differing =
            |path: &&RepoPath| self.config.is_manual(path) && differs(start.entries.get(*path), tip.entries.get(*path));
        let manuals = paths.iter().filter(differing).count();
        let range = Some(Range { start, compared, lineage, pins: pins_before });
        Ok(Ends { before, after, tip, range, touched: Some(Touched { paths, manuals }), has_cases })
    }

    fn wanted(
        &self,
        (before, after): (&Revision, &Revision),
        (start, tip): (&Snapshot, &Snapshot),
        paths: &BTreeSet<RepoPath>,
        diff: &Diff,
    ) -> Wanted {
        let urls = self.base_urls();
        let side = |one: &Manual, there: &Snapshot, other: &Manual, here: &Snapshot, places: &[SectionRef]| {
            let mut wanted = BTreeSet::new();
            for (at, document) in one.documents.iter().enumerate() {
                let differs = differs(there.entries.get(&document.path), here.entries.get(&document.path));
                if !differs && !paths.contains(&document.path) {
                    continue;
                }
                wanted.insert(Target::File(at));
                let partner = other.documents.iter().find(|other| other.path == document.path);
                if differs && partner.is_some_and(|partner| same_outline(document, partner)) {
                    let places = places.iter().filter(|place| place.document == at);
                    wanted.extend(places.flat_map(|place| one.lineage(*place)).map(Target::Section));
                } else {
                    let sections = 0..document.sections.len();
                    wanted.extend(sections.map(|section| Target::Section(SectionRef { document: at, section })));
                }
            }
            Side { index: Index::new(one, &urls), wanted }
        };
        let changes = || diff.changes.iter().filter(|change| !change.is_nothing());
        let befores: Vec<SectionRef> = changes().flat_map(|change| change.befores()).collect();
        let afters: Vec<SectionRef> = changes().flat_map(|change| change.afters()).collect();
        let known: BTreeSet<&CaseId> = ids(&before.cases).collect();
        Wanted {
            before: side(&before.manual, start, &after.manual, tip, &befores),
            after: side(&after.manual, tip, &before.manual, start, &afters),
            cases: ids(&after.cases).filter(|id| !known.contains(id)).cloned().collect(),
            pins: BTreeSet::new(),
        }
    }

    /// Reads the cases in files that did not change and may cite what did; keeps the citations that do. Whether there
    /// was any case.
    fn load_citing(
        &mut self,
        tip: &Snapshot,
        paths: &BTreeSet<RepoPath>,
        wanted: &Wanted,
        after: &mut Revision,
    ) -> Result<bool, Error> {
        let names = wanted.names(!self.config.base_urls.is_empty());
        let has_pattern = self.config.cases.iter().any(|group| group.shape.cite_pattern.is_some());
        let search = if has_pattern { names.inside_scalars() } else { names }.search();
        let may = |bytes: &[u8]| search.may_be_in(bytes);
        let may = (!search.is_for_nothing()).then_some(&may as May<'_>);
        let citing = self.sift(&tip.rev, self.other_cases(tip, paths), may)?;
        let mut found = self.load_files(&tip.rev, &citing)?;
        let has_cases = found.cases.iter().any(|file| !file.cases.is_empty());
        for file in &mut found.cases {
            let path = &self.sources.get(file.source).path;
            // A case with the id of another one is told as a whole.
            for case in file.cases.iter_mut().filter(|case| !wanted.cases.contains(&case.id)) {
                let id = case.id.clone();
                let is_pinned = |citation: &str| wanted.pins.contains(&(id.clone(), citation.to_owned()));
                let is_cited =
                    |citation: &str| search.may_be_in(citation.as_bytes()) && wanted.is_cited(citation, path);
                case.citations.retain(|it| is_cited(&it.text) || is_pinned(&it.text));
            }
            file.cases.retain(|case| !case.citations.is_empty() || wanted.cases.contains(&case.id));
            file.doubts.clear();
        }
        after.cases.extend(found.cases.into_iter().filter(|file| !file.cases.is_empty()));
        after.cases.sort_by(|one, other| self.sources.get(one.source).path.cmp(&self.sources.get(other.source).path));
        // What cannot be read cannot be found fresh.
        after.case_problems.extend(found.case_problems.into_iter().filter(is_unreadable));
        after.unreadable.extend(found.unreadable);
        Ok(has_cases)
    }

    /// Reads the manuals that did not change and may have what the citations name that were read.
    fn load_named(
        &mut self,
        (tip, pins): (&Snapshot, &PinsFile),
        wanted: &Wanted,
        (before, after): (&mut Revision, &mut Revision),
    ) -> Result<(), Error> {
        let mut names = Names::default();
        let mut files = BTreeSet::new();
        let (there, here) = (&wanted.before.index, &wanted.after.index);
        for file in after.cases.iter().chain(&before.cases) {
            let path = &self.sources.get(file.source).path;
            let citations = file.cases.iter().flat_map(|case| &case.citations).map(|citation| &citation.text);
            let doubted = file.doubts.iter().flat_map(|doubt| &doubt.names);
            let strayed = file.strays.iter().flat_map(|found| &found.misspelt).flat_map(|misspelt| &misspelt.names);
            for citation in citations.chain(doubted).chain(strayed) {
                names.add_citation(citation);
                for (index, revision) in [(there, &*before), (here, &*after)] {
                    let named = index.named_files(citation, Some(path));
                    files.extend(named.into_iter().map(|at| revision.manual.documents[at].path.clone()));
                }
            }
        }
        // A citation that is offered must name no other section.
        if wanted.is_restructured() {
            wanted.after.sections().for_each(|at| names.add_section(after.manual.section(at)));
        }
        let search = names.search();
        let named: Vec<(&RepoPath, &Entry)> =
            tip.entries.iter().filter(|(path, entry)| self.is_named(path, entry)).collect();
        let (cited, others) = named.into_iter().partition::<Vec<_>, _>(|(path, _)| files.contains(*path));
        let options = self.config.sections.clone();
        let may = |bytes: &[u8]| search.may_name_in(bytes, &options);
        let found = self.sift(&tip.rev, others, (!search.is_for_nothing()).then_some(&may))?;
        self.read_named(&tip.rev, &[cited, found].concat(), (before, after))?;
        if self.is_undecided((before, after), pins) {
            let named: Vec<_> = tip.entries.iter().filter(|(path, entry)| self.is_named(path, entry)).collect();
            self.read_named(&tip.rev, &named, (before, after))?;
        }
        Ok(())
    }

    /// Whether of a manual only the name is known so far.
    fn is_named(&self, path: &RepoPath, entry: &Entry) -> bool {
        let key = entry.id.map(|id| (path.clone(), id));
        key.is_some_and(|key| self.named.contains_key(&key) && !self.documents.contains_key(&key))
    }

    /// Reads manuals of which only the name is known so far, in both revisions.
    fn read_named(
        &mut self,
        rev: &Rev,
        files: &[(&RepoPath, &Entry)],
        (before, after): (&mut Revision, &mut Revision),
    ) -> Result<(), Error> {
        let names = |(path, entry): &(&RepoPath, &Entry)| {
            let id = entry.id?;
            Some((self.named.get(&((*path).clone(), id))?.source, (*path).clone(), id))
        };
        let named: Vec<_> = files.iter().filter_map(names).collect();
        self.load_files(rev, files)?;
        let read: BTreeMap<SourceId, &Arc<Document>> = named
            .into_iter()
            .filter_map(|(source, path, id)| Some((source, self.documents.get(&(path, id))?)))
            .collect();
        for document in before.manual.documents.iter_mut().chain(&mut after.manual.documents) {
            if let Some(read) = read.get(&document.source) {
                *document = Arc::clone(read);
            }
        }
        Ok(())
    }

    /// Whether something about a citation can only be told with the whole manual at hand: what comes near to one that
    /// leads nowhere, or where the text of a fingerprint is.
    fn is_undecided(&self, (before, after): (&Revision, &Revision), pins: &PinsFile) -> bool {
        let urls = self.base_urls();
        let (there, here) = (Index::new(&before.manual, &urls), Index::new(&after.manual, &urls));
        after.cases.iter().any(|file| {
            let path = &self.sources.get(file.source).path;
            let cited = file.cases.iter().flat_map(|case| case.citations.iter().map(move |it| (case, it)));
            cited.into_iter().any(|(case, citation)| {
                let named = |index: &Index| index.named(&citation.text, Some(path));
                let (then, now) = (named(&there), named(&here));
                let reads = |manual: &Manual, targets: &[Target], digits: &str| {
                    let whole = citation.scope == cases::Scope::Whole;
                    targets.iter().any(|target| manual.fingerprint(*target, whole).matches(digits))
                };
                let is_lost = |pin: &cases::Pin| match &pin.kind {
                    PinKind::Fingerprint(digits) => {
                        !reads(&before.manual, &then, digits) && !reads(&after.manual, &now, digits)
                    }
                    PinKind::Revision(_) => false,
                };
                let pins = citation.pins.iter().chain(pins.pins.get(&case.id, &citation.text));
                then.is_empty() && now.is_empty() || pins.into_iter().any(is_lost)
            })
        })
    }

    /// Whether a case file that did not change has a case.
    fn has_case(&mut self, tip: &Snapshot, paths: &BTreeSet<RepoPath>) -> Result<bool, Error> {
        for (path, entry) in &tip.entries {
            if paths.contains(path) || self.config.is_manual(path) {
                continue;
            }
            let Some(group) = self.config.case_group(path) else { continue };
            let mut keys = Names::default();
            group.shape.cites.iter().for_each(|key| keys.add(key.rsplit('.').next().unwrap_or(key)));
            let search = keys.search();
            if !self.sift(&tip.rev, vec![(path, entry)], Some(&|bytes| search.may_be_in(bytes)))?.is_empty() {
                let found = self.load_files(&tip.rev, &[(path, entry)])?;
                if found.cases.iter().any(|file| !file.cases.is_empty()) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The case files that did not change.
    fn other_cases<'t>(&self, tip: &'t Snapshot, paths: &BTreeSet<RepoPath>) -> Vec<(&'t RepoPath, &'t Entry)> {
        let others = tip.entries.iter().filter(|(path, _)| !paths.contains(*path) && !self.config.is_manual(path));
        others.collect()
    }

    /// The files whose bytes may have what is looked for, if anything is, and what is no file. Those on disk are read by
    /// several threads.
    fn sift<'t>(
        &self,
        rev: &Rev,
        files: Vec<(&'t RepoPath, &'t Entry)>,
        may: Option<May<'_>>,
    ) -> Result<Vec<(&'t RepoPath, &'t Entry)>, Error> {
        let Some(may) = may else { return Ok(files.into_iter().filter(|(_, entry)| !entry.is_file()).collect()) };
        let places: Vec<Option<Peek>> = files.iter().map(|(path, entry)| self.repo.peek(rev, path, entry)).collect();
        let seen = look(&places, may);
        let mut kept = Vec::new();
        for ((path, entry), found) in files.into_iter().zip(seen) {
            let found = match found {
                Some(found) => found,
                None => match self.repo.read(rev, path, entry)? {
                    Content::Text(bytes) => may(&bytes),
                    // Reading it will say what it is.
                    Content::LfsPointer | Content::Link { .. } | Content::Submodule | Content::TooLarge { .. } => true,
                },
            };
            if found {
                kept.push((path, entry));
            }
        }
        Ok(kept)
    }
}

/// Looks into files on disk; `None` for what is not there.
fn look(places: &[Option<Peek>], may: May<'_>) -> Vec<Option<bool>> {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS));
    let share = places.len().div_ceil(threads).max(1);
    let look = |places: &[Option<Peek>]| -> Vec<Option<bool>> {
        places.iter().map(|place| Some(may(&place.as_ref()?.bytes()?))).collect()
    };
    std::thread::scope(|scope| {
        let shares: Vec<_> = places.chunks(share).map(|places| scope.spawn(move || look(places))).collect();
        let found =
            shares.into_iter().map(|share| share.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        found.flatten().collect()
    })
}

impl Wanted {
    /// What a case may call what it cites of these.
    fn names(&self, is_published: bool) -> Names {
        let mut names = Names::default();
        for side in [&self.before, &self.after] {
            for target in &side.wanted {
                match target {
                    Target::Section(at) => names.add_section(side.index.manual().section(*at)),
                    Target::File(at) => names.add_file(&side.index.manual().documents[*at], is_published),
                }
            }
        }
        let pinned = self.pins.iter().map(|(case, _)| case);
        self.cases.iter().chain(pinned).for_each(|id| names.add(&id.0));
        names
    }

    /// Whether a citation leads, or led, to something of these.
    fn is_cited(&self, citation: &str, path: &RepoPath) -> bool {
        let leads = |side: &Side| {
            let named = side.index.named(citation, Some(path));
            named.iter().any(|target| side.wanted.contains(target))
        };
        leads(&self.before) || leads(&self.after)
    }

    /// Whether more happened than edits of texts: then every section of a file is wanted.
    fn is_restructured(&self) -> bool {
        let names = |side: &Side| -> BTreeSet<_> {
            let section = |at: SectionRef| side.index.manual().section(at);
            side.sections().map(|at| (section(at).id.clone(), section(at).path.clone())).collect()
        };
        names(&self.before) != names(&self.after)
    }
}

impl Side {
    fn sections(&self) -> impl Iterator<Item = SectionRef> {
        self.wanted.iter().filter_map(|target| match target {
            Target::Section(at) => Some(*at),
            Target::File(_) => None,
        })
    }
}

/// The files that differ between the ends of a range, and those that a commit in it changed: not those that a merge
/// took as they were from one of its sides.
fn touched(start: &Snapshot, tip: &Snapshot, lineage: &Lineage) -> BTreeSet<RepoPath> {
    let entries = start.entries.keys().chain(tip.entries.keys());
    let differs = |path: &&RepoPath| differs(start.entries.get(*path), tip.entries.get(*path));
    let mut paths: BTreeSet<RepoPath> = entries.filter(differs).cloned().collect();
    for node in &lineage.nodes {
        let Some((first, others)) = node.parents.split_first() else { continue };
        let changed = first.changed.keys().filter(|path| others.iter().all(|edge| edge.changed.contains_key(*path)));
        paths.extend(changed.cloned());
    }
    paths
}

/// The citations whose pins in the pins file are not as they were.
fn new_pins(before: &PinsFile, after: &PinsFile) -> BTreeSet<(CaseId, String)> {
    let pinned = |file: &PinsFile| -> BTreeSet<(CaseId, String, String)> {
        let pins = file.pins.iter();
        pins.map(|(case, citation, line)| (case.clone(), citation.to_owned(), line.pin.kind.spelled())).collect()
    };
    let changed = &pinned(before) ^ &pinned(after);
    changed.into_iter().map(|(case, citation, _)| (case, citation)).collect()
}

fn ids(files: &[CaseFile]) -> impl Iterator<Item = &CaseId> {
    files.iter().flat_map(|file| &file.cases).map(|case| &case.id)
}

fn is_unreadable(problem: &cases::Problem) -> bool {
    match problem {
        cases::Problem::Yaml { .. } => true,
        cases::Problem::Case { .. } | cases::Problem::DuplicateKey { .. } => false,
    }
}
