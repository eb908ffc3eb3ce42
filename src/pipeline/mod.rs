//! The stages in the order in which they run. The page to read first.
//!
//! Reads the two revisions, follows every citation from one to the other, and hands what it found to the rules. Prints
//! nothing; what is told, the rules decide.
//!
//! [`Session`] is the repository, how it is read and what is compared. Its methods by file: what is checked and compared
//! here, reading revisions in `load.rs` and, of a large repository, only what a range touched in `touched.rs`; which reviews
//! are asked for in `reviewing.rs`, with citations of which a range alone cannot tell in `copied.rs` and `repinned.rs`;
//! facts for the rules in `telling.rs`, what a range loosened in `loosened.rs` and which cases it dropped in `dropped.rs`,
//! which never were checked in `strays.rs`, who cites what in `citing.rs`, what a result depends on in `inputs.rs`;
//! earlier revisions under other settings in `past.rs`.

mod citing;
mod copied;
mod dropped;
mod inputs;
mod load;
mod loosened;
mod past;
mod repinned;
mod reviewing;
mod strays;
mod telling;
mod touched;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

#[cfg(feature = "ai")]
use crate::ai;
use crate::cases::{self, CaseFile, Doubt};
use crate::config::{self, Config};
use crate::diagnostic::{Diagnostic, EndFact};
use crate::diff::{self, Compared, Diff, Files, Lexicons};
use crate::error::Error;
use crate::git::{self, BlobId, End, Entry, Repo, Selection, Snapshot};
use crate::manual::{self, Document, Index, Manual};
use crate::review::{self, Lineage};
use crate::rules::{self, Given, Input, Policy, Remedy};
use crate::source::{RepoPath, Rev, SourceId, Sources, Span};

pub(crate) use load::{PinsFile, Revision};
pub(crate) use loosened::Loosened;
pub(crate) use strays::Strays;

use load::{How, locate_config, read_config};
use past::Past;
use reviewing::Reviews;
use telling::{CitedSections, withhold_older};

/// Up to how many manuals and case files everything is looked at, whatever a range touched: it is quick, and tells more.
const FEW_FILES: usize = 32;

/// The repository, how it is read, and what is compared.
pub(crate) struct Session {
    pub(crate) repo: Rc<Repo>,
    pub(crate) config: Config,
    /// What words mean, and in which language the texts of this run are.
    lexicons: Arc<Lexicons>,
    /// Levels of rules for this run, over those of the configuration.
    pub(crate) levels: BTreeMap<&'static str, Given>,
    /// Where the configuration was found.
    pub(crate) config_path: Option<RepoPath>,
    /// How it was looked for.
    configured: Configured,
    /// Where pins are that stand in no citation, whether or not there are any.
    pub(crate) pins_path: RepoPath,
    pub(crate) before: Option<End>,
    pub(crate) after: End,
    pub(crate) sources: Sources,
    /// Manuals that were parsed, by content: a blob that stands in several revisions is read once.
    documents: BTreeMap<(RepoPath, BlobId), Arc<Document>>,
    /// Manuals of which only the name is known, by content.
    named: BTreeMap<(RepoPath, BlobId), Arc<Document>>,
    manual_problems: BTreeMap<SourceId, Vec<manual::Problem>>,
    /// The files that are checked, once they were asked for.
    tip: OnceCell<Snapshot>,
    /// How earlier revisions are read.
    past: Past,
    /// Whether the settings are those of another revision: a pattern that matches nothing is no slip then.
    has_settings_of_other: bool,
    /// Whether a check shall keep what a model would be asked.
    #[cfg(feature = "ai")]
    pub(crate) asks_model: bool,
}

/// Where the configuration is read from, by default from one of its places in the checked revision, and what goes over
/// it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Configured {
    pub(crate) file: Option<RepoPath>,
    pub(crate) rev: Option<String>,
    /// Whether no file is read, and the defaults hold.
    pub(crate) isolated: bool,
    /// `KEY=VALUE`, each over those before it.
    pub(crate) settings: Vec<String>,
}

/// What a check found.
pub(crate) struct Checked {
    pub(crate) findings: Vec<Diagnostic>,
    pub(crate) diff: Diff,
    pub(crate) before: Revision,
    pub(crate) after: Revision,
    /// What cases cite, for the closing line.
    pub(crate) cited: CitedSections,
    /// Citations that were stale before the range, of which that is not told.
    pub(crate) older: BTreeSet<(String, Span)>,
    /// Whether the last review was not asked of every citation.
    pub(crate) is_range_only: bool,
    /// What was left out, in words.
    pub(crate) notes: Vec<String>,
    pub(crate) loosened: Loosened,
    /// How many findings a comment suppresses.
    pub(crate) suppressed: usize,
    /// What can be written into the citations that have findings.
    pub(crate) remedies: Vec<Remedy>,
    pub(crate) pins: PinsFile,
    /// Where only what a range touched was looked at.
    pub(crate) touched: Option<Touched>,
    /// Whether there is any case, looked at or not.
    pub(crate) has_cases: bool,
    /// What a model can be asked about the findings; empty unless the session asks one.
    #[cfg(feature = "ai")]
    pub(crate) edited: Vec<ai::Edited>,
}

/// Looks at the facts and at what the rules say of them while both are there.
pub(crate) type Look<'l> = &'l mut dyn FnMut(&Input<'_>, &rules::Told);

/// What a range touched.
pub(crate) struct Touched {
    /// Files that differ between its ends, or did on the way.
    pub(crate) paths: BTreeSet<RepoPath>,
    /// How many manuals differ between its ends.
    pub(crate) manuals: usize,
}

impl Session {
    /// Chooses what is compared in a repository and reads the configuration.
    pub(crate) fn open(repo: Rc<Repo>, selection: &Selection, configured: Configured) -> Result<Self, Error> {
        let comparison = git::select(&repo, selection)?;
        let (before, after) = (comparison.before, comparison.after);
        let mut sources = Sources::default();
        let rev = match &configured.rev {
            Some(rev) => Rev::Commit(repo.resolve(rev)?),
            None => after.rev.clone(),
        };
        let located = locate_config(&repo, &rev, &configured)?;
        let config_path = located.as_ref().map(|(path, _)| path.clone());
        let pins_path = config::pins_path(config_path.as_ref());
        let config = read_config(&repo, (&rev, located), &configured, &mut sources)?;
        let lexicons = Arc::new(Lexicons::new(config.words.clone()));
        let (documents, named, manual_problems) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let has_settings_of_other = false;
        Ok(Self {
            repo,
            config,
            lexicons,
            levels: BTreeMap::new(),
            config_path,
            configured,
            pins_path,
            before,
            after,
            sources,
            documents,
            named,
            manual_problems,
            tip: OnceCell::new(),
            past: Past::default(),
            has_settings_of_other,
            #[cfg(feature = "ai")]
            asks_model: false,
        })
    }

    pub(crate) fn base_urls(&self) -> Vec<(String, String)> {
        self.config.base_urls.iter().map(|(from, to)| (from.clone(), to.clone())).collect()
    }

    /// The manual and cases of the checked revision alone.
    pub(crate) fn load_after(&mut self) -> Result<Revision, Error> {
        let tip = self.tip()?;
        self.load(&tip, &|_, _| How::Parse)
    }

    /// What happened to the manual between the two revisions, and who cites it. Cases are those of the checked one. In a
    /// large repository files that are the same in both are left out, unless `all` is asked for.
    pub(crate) fn diff(&mut self, all: bool) -> Result<(Diff, Revision, Revision), Error> {
        let tip = self.tip()?;
        let pins = self.read_pins(&tip.rev)?;
        let (ends, is_whole) = match self.before.clone().filter(|_| !all && !is_small(&tip)) {
            Some(range) => (self.load_touched(tip, &range, &pins)?, false),
            None => (self.load_all(tip)?, true),
        };
        let diff = match &ends.range {
            Some(range) if !is_whole => range.compared.diff(),
            Some(_) | None => diff::diff(&ends.before.manual, &ends.after.manual, &self.sources, &self.lexicons),
        };
        Ok((diff, ends.before, ends.after))
    }

    /// Finds the review point of every citation, follows its section from there, and runs the rules.
    ///
    /// Of a range what lies in it is told in full. What was stale before it takes the whole history to find out: it is
    /// summed up in a note, and with `all` told in full. A hook has no time for that, and asks only what became of the
    /// citations that it would stop a commit for. In a large repository nothing is looked at that the range did not touch.
    pub(crate) fn check(&mut self, all: bool) -> Result<Checked, Error> {
        let tip = self.tip()?;
        let pins = self.read_pins(&tip.rev)?;
        let Some(range) = self.before.clone().filter(|_| !all) else {
            let ends = self.load_all(tip)?;
            return self.judge(ends, pins, Depth::History, None);
        };
        let (is_staged, is_small) = (tip.rev == Rev::Index, is_small(&tip));
        let ends = if is_small { self.load_all(tip)? } else { self.load_touched(tip, &range, &pins)? };
        let depth = match (is_small, is_staged) {
            (true, false) => Depth::History,
            (true, true) => Depth::Doubts,
            (false, _) => Depth::Range,
        };
        // What other settings no longer find led somewhere with those before.
        let knows_nowhere = is_small && self.has_same_configuration(&range.rev, &ends.tip.rev)?;
        let mut checked = self.judge(ends, pins, depth, None)?;
        let (older, mut notes) = withhold_older(&mut checked.findings, knows_nowhere);
        checked.older = older;
        if !is_small && !is_staged {
            notes.push("what was stale before this range was not looked for; `--all` shows it".to_owned());
        }
        checked.notes.splice(0..0, notes);
        Ok(checked)
    }

    /// Checks a revision by itself, and shows what it found out about each citation, and what the rules say of it.
    pub(crate) fn survey(&mut self, look: Look<'_>) -> Result<Checked, Error> {
        let tip = self.tip()?;
        let pins = self.read_pins(&tip.rev)?;
        let ends = self.load_all(tip)?;
        self.judge(ends, pins, Depth::History, Some(look))
    }

    /// Turns to another revision and keeps the settings, so that its figures can be compared with those before.
    pub(crate) fn turn_to(&mut self, end: End) {
        (self.before, self.after, self.tip, self.past) = (None, end, OnceCell::new(), Past::default());
        self.has_settings_of_other = true;
    }

    /// Runs the rules on what was loaded.
    fn judge(
        &mut self,
        mut ends: Ends,
        pins: PinsFile,
        depth: Depth,
        look: Option<Look<'_>>,
    ) -> Result<Checked, Error> {
        let diff = ends.range.as_ref().map(|range| range.compared.diff()).unwrap_or_default();
        let reviews = self.review(&mut ends, depth, (&diff, &pins))?;
        let Ends { before, mut after, touched, has_cases, .. } = ends;
        after.case_problems.extend(contradictions(&after.cases));
        let Reviews { checked, start, .. } = &reviews;
        after.case_problems.extend(self.confirmed(&after.cases, &checked.index));
        let telling = self.telling(&self.sources, (start.as_deref(), checked), &diff);
        let passages = telling.passages(reviews.first.iter().map(Some));
        let last_passages = telling.passages(reviews.last.iter().map(Option::as_ref));
        let citations = telling.examine(&after.cases, &reviews, (&passages, &last_passages));
        let categories = &self.config.coverage;
        let input = Input {
            sources: &self.sources,
            citations: &citations,
            case_files: &after.cases,
            case_problems: &after.case_problems,
            manual_problems: &after.manual_problems,
            unreadable: &after.unreadable,
            pins: &pins.pins,
            pin_problems: &pins.problems,
            is_complete: depth == Depth::History,
            is_whole_revision: self.before.is_none(),
            manual: &after.manual,
            taxonomy: Some(&categories.taxonomy).filter(|_| categories.has_taxonomy || look.is_some()),
        };
        let opinion = self.opinion(&input, look);
        let cited = telling.cited(&citations);
        let mut loosened = match start {
            Some(start) => self.loosened((start, checked), (&before, &after))?,
            None => Loosened::default(),
        };
        // Where no case is left, that is told.
        loosened.cases.retain(|case| has_cases || case.is_uncited());
        let notes = self.stray_notes(&after.cases, (start.as_deref(), checked), &loosened.cases);
        drop(citations);
        Ok(Checked {
            findings: opinion.findings,
            diff,
            before,
            after,
            cited,
            older: BTreeSet::new(),
            is_range_only: depth != Depth::History,
            notes,
            loosened,
            suppressed: opinion.suppressed,
            remedies: opinion.remedies,
            pins,
            touched,
            has_cases,
            #[cfg(feature = "ai")]
            edited: opinion.edited,
        })
    }

    /// What the rules say of the facts.
    fn opinion(&self, input: &Input<'_>, look: Option<Look<'_>>) -> Opinion {
        let policy = Policy { levels: self.config.rules.clone(), given: self.levels.clone() };
        let told = rules::run(input, &policy);
        if let Some(look) = look {
            look(input, &told);
        }
        let rules::Told { findings, suppressed } = told;
        Opinion {
            suppressed: suppressed.len(),
            remedies: rules::remedies(input, &findings),
            #[cfg(feature = "ai")]
            edited: if self.asks_model { ai::edited(input, &findings) } else { Vec::new() },
            findings,
        }
    }

    /// The doubts about cases that are none, as all that they name is there.
    fn confirmed(&self, files: &[CaseFile], index: &Index) -> Vec<cases::Problem> {
        let doubts = files.iter().flat_map(|file| file.doubts.iter().map(move |doubt| (file.source, doubt)));
        let is_slip = |source: SourceId, doubt: &Doubt| {
            let citing = &self.sources.get(source).path;
            !doubt.names.is_empty() && doubt.names.iter().all(|name| index.has(name, Some(citing)))
        };
        doubts.filter(|(source, doubt)| is_slip(*source, doubt)).map(|(_, doubt)| doubt.problem.clone()).collect()
    }

    /// Reads everything.
    fn load_all(&mut self, tip: Snapshot) -> Result<Ends, Error> {
        let after = self.load(&tip, &|_, _| How::Parse)?;
        let (mut before, mut range) = (Revision::default(), None);
        if let Some(end) = self.before.clone() {
            self.learn_settings(&end.rev)?;
            let start = self.snapshot(&end.rev)?;
            before = self.load(&start, &|_, _| How::Parse)?;
            let compared = self.compare((&start, &before.manual), (&tip, &after.manual));
            let lineage = self.lineage(&tip, &start.rev)?;
            let pins = self.read_pins(&end.rev)?;
            range = Some(Range { start, compared, lineage, pins });
        }
        let has_cases = after.cases.iter().any(|file| !file.cases.is_empty());
        Ok(Ends { before, after, tip, range, touched: None, has_cases })
    }

    /// What happened between two revisions. Sections of files that are the same in both are the same.
    fn compare(&self, before: (&Snapshot, &Manual), after: (&Snapshot, &Manual)) -> Rc<Compared> {
        let differing = |(one, manual): (&Snapshot, &Manual), other: &Snapshot| -> Vec<usize> {
            let documents = manual.documents.iter().enumerate();
            documents
                .filter(|(_, document)| differs(one.entries.get(&document.path), other.entries.get(&document.path)))
                .map(|(at, _)| at)
                .collect()
        };
        let there = Files::new(before.1, differing(before, after.0));
        let here = Files::new(after.1, differing(after, before.0));
        Rc::new(Compared::new(there, here, &self.sources, &self.lexicons))
    }
}

/// How far back a check asks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// To the last review of each citation.
    History,
    /// To the start of the range, and to their last reviews for the citations of which the range alone cannot tell.
    Doubts,
    /// To the start of the range.
    Range,
}

/// What the rules say.
struct Opinion {
    findings: Vec<Diagnostic>,
    suppressed: usize,
    remedies: Vec<Remedy>,
    #[cfg(feature = "ai")]
    edited: Vec<ai::Edited>,
}

/// What is checked, and the range in which it is.
struct Ends {
    before: Revision,
    after: Revision,
    tip: Snapshot,
    range: Option<Range>,
    /// Where only what the range touched was loaded.
    touched: Option<Touched>,
    has_cases: bool,
}

impl Ends {
    /// Whether the text of a manual was looked at.
    fn is_read(&self, path: &RepoPath) -> bool {
        self.touched.as_ref().is_none_or(|touched| touched.paths.contains(path))
    }
}

/// Where a range starts, and what happened in it.
struct Range {
    start: Snapshot,
    compared: Rc<Compared>,
    /// The commits in it.
    lineage: Lineage,
    /// Where it starts.
    pins: PinsFile,
}

fn is_small(tip: &Snapshot) -> bool {
    tip.entries.len() <= FEW_FILES
}

/// Whether a file is another one than it was. One that could not be read may be.
fn differs(one: Option<&Entry>, other: Option<&Entry>) -> bool {
    one != other || one.is_some_and(|entry| entry.id.is_none())
}

/// Pins that cannot both be right, as problems of their cases.
fn contradictions(files: &[CaseFile]) -> Vec<cases::Problem> {
    let citations = files.iter().flat_map(|file| &file.cases).flat_map(|case| &case.citations);
    citations.filter_map(review::contradiction).collect()
}

/// One end of a run, for reports.
pub(crate) fn end(end: Option<&End>) -> EndFact {
    match end {
        None => EndFact { rev: "nothing".to_owned(), commit: None },
        Some(end) => EndFact { rev: end.name.clone(), commit: end.rev.commit().map(|id| id.as_str().to_owned()) },
    }
}
