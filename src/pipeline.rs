//! The stages in the order in which they run. The page to read first.
//!
//! Opens the repository, reads the two revisions, follows every citation from one to the other, and hands what it found
//! to the rules. Prints nothing and decides nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use crate::cases::{self, CaseFile, CaseId};
use crate::config::{self, Config};
use crate::diagnostic::{Diagnostic, EndFact};
use crate::diff::{self, Diff, Lexicons};
use crate::error::{Error, Kind};
use crate::git::{self, BlobId, Content, End, Env, Repo, Selection, Snapshot};
use crate::impact::{self, Cited, Passage};
use crate::manual::{self, Document, Index, Manual, Resolution, SectionRef, Target};
use crate::review::pins::{self, Pins};
use crate::review::{self, Archive, Basis, Compared, Edition, Lineage, Reading, Review, Reviewer, Route, covered};
use crate::rules::{self, Examined, Input, Policy, Remedy, Unreadable, facts};
use crate::source::{CommitId, RepoPath, Rev, SourceId, Sources, Span};

/// The repository, how it is read, and what is compared.
pub(crate) struct Session {
    pub(crate) repo: Repo,
    pub(crate) config: Config,
    /// Where pins are that stand in no citation, whether or not there are any.
    pub(crate) pins_path: RepoPath,
    pub(crate) before: Option<End>,
    pub(crate) after: End,
    pub(crate) sources: Sources,
    /// Manuals that were parsed, by content: a blob that stands in several revisions is read once.
    documents: BTreeMap<(RepoPath, BlobId), Arc<Document>>,
    manual_problems: BTreeMap<SourceId, Vec<manual::Problem>>,
}

/// The manual and the cases of one revision.
#[derive(Default)]
pub(crate) struct Revision {
    pub(crate) manual: Manual,
    pub(crate) cases: Vec<CaseFile>,
    case_problems: Vec<cases::Problem>,
    manual_problems: Vec<manual::Problem>,
    unreadable: Vec<Unreadable>,
}

/// What a check found.
pub(crate) struct Checked {
    pub(crate) findings: Vec<Diagnostic>,
    pub(crate) diff: Diff,
    pub(crate) before: Revision,
    pub(crate) after: Revision,
    /// Sections before that a case cites, for the closing line.
    pub(crate) cited: BTreeSet<SectionRef>,
    /// What was left out, in words.
    pub(crate) notes: Vec<String>,
    /// How many findings a comment suppresses.
    pub(crate) suppressed: usize,
    /// What can be written into the citations that have findings.
    pub(crate) remedies: Vec<Remedy>,
    pub(crate) pins: PinsFile,
}

/// The pins file of one revision.
pub(crate) struct PinsFile {
    pub(crate) source: SourceId,
    /// Without one the text is empty.
    pub(crate) exists: bool,
    pub(crate) pins: Pins,
    pub(crate) problems: Vec<pins::Problem>,
}

impl Session {
    /// Opens the repository that `start` lies in and reads the configuration of the revision that is checked.
    pub(crate) fn open(start: &Path, env: &Env, selection: &Selection, file: Option<&RepoPath>) -> Result<Self, Error> {
        let repo = Repo::open(start, env)?;
        let comparison = git::select(&repo, selection)?;
        let mut sources = Sources::default();
        let (config, path) = read_config(&repo, &comparison.after.rev, file, &mut sources)?;
        let pins_path = config::pins_path(path.as_ref());
        let (before, after) = (comparison.before, comparison.after);
        let (documents, manual_problems) = (BTreeMap::new(), BTreeMap::new());
        Ok(Self { repo, config, pins_path, before, after, sources, documents, manual_problems })
    }

    /// Whether every pattern of the configuration selects something in the checked revision.
    fn check_patterns(&self, snapshot: &Snapshot) -> Result<(), Error> {
        self.config.check_patterns(snapshot.entries.keys()).map_err(|error| Error::config(error, &self.sources))
    }

    fn snapshot(&self, rev: &Rev) -> Result<Snapshot, Error> {
        Ok(self.repo.snapshot(rev, &|path| self.config.is_manual(path) || self.config.case_group(path).is_some())?)
    }

    /// Reads the manual of a revision; its cases too where they are wanted.
    fn load(&mut self, snapshot: &Snapshot, want_cases: bool) -> Result<Revision, Error> {
        let mut revision = Revision::default();
        for (path, entry) in &snapshot.entries {
            let is_manual = self.config.is_manual(path);
            if is_manual {
                if let Some(document) = entry.id.and_then(|id| self.documents.get(&(path.clone(), id))) {
                    let problems = self.manual_problems.get(&document.source);
                    revision.manual_problems.extend(problems.into_iter().flatten().cloned());
                    revision.manual.documents.push(Arc::clone(document));
                    continue;
                }
            } else if !want_cases {
                continue;
            }
            let content = self.repo.read(&snapshot.rev, path, entry)?;
            let (source, why) = self.add(&snapshot.rev, path, content);
            if let Some(why) = why {
                revision.unreadable.push(Unreadable { span: Span::new(source, 0, 0), is_manual, why });
            } else if is_manual {
                let document = self.parse_manual(source, path, &mut revision);
                if let Some(id) = entry.id {
                    self.documents.insert((path.clone(), id), Arc::clone(&document));
                }
                revision.manual.documents.push(document);
            } else {
                self.parse_cases(source, path, &mut revision);
            }
        }
        Ok(revision)
    }

    /// Keeps the text of a file, or an empty one and the reason why it can't be read.
    fn add(&mut self, rev: &Rev, path: &RepoPath, content: Content) -> (SourceId, Option<String>) {
        let read = match content {
            Content::Text(bytes) => String::from_utf8(bytes).map_err(|error| {
                format!("not UTF-8 text: byte {} is no character", error.utf8_error().valid_up_to() + 1)
            }),
            Content::LfsPointer => Err("the text is in Git LFS and was not fetched".to_owned()),
            Content::Link { .. } => Err("a symbolic link; links are not followed".to_owned()),
            Content::Submodule => Err("a submodule; its files are in another repository".to_owned()),
            Content::TooLarge { size } => Err(format!("{size} bytes are too many to be read")),
        };
        match read {
            Ok(text) => (self.sources.add(rev.clone(), path.clone(), text), None),
            Err(why) => (self.sources.add(rev.clone(), path.clone(), ""), Some(why)),
        }
    }

    fn parse_manual(&mut self, source: SourceId, path: &RepoPath, revision: &mut Revision) -> Arc<Document> {
        let parsed = manual::parse(source, path, &self.sources.get(source).text, &self.config.sections);
        revision.manual_problems.extend(parsed.problems.iter().cloned());
        self.manual_problems.insert(source, parsed.problems);
        Arc::new(parsed.value)
    }

    fn parse_cases(&self, source: SourceId, path: &RepoPath, revision: &mut Revision) {
        let Some(group) = self.config.case_group(path) else { return };
        let parsed = cases::parse(source, &self.sources.get(source).text, std::slice::from_ref(&group.shape));
        revision.case_problems.extend(parsed.problems);
        revision.cases.push(parsed.value);
    }

    /// The pins of the checked revision that stand in no citation.
    pub(crate) fn read_pins(&mut self) -> Result<PinsFile, Error> {
        let (rev, path) = (self.after.rev.clone(), self.pins_path.clone());
        let snapshot = self.repo.snapshot(&rev, &|other| *other == path)?;
        let mut text = String::new();
        if let Some(entry) = snapshot.entries.get(&path) {
            let unreadable = || Error::new(Kind::Config, format!("`{path}` is not a file with UTF-8 text"));
            let Content::Text(bytes) = self.repo.read(&rev, &path, entry)? else { return Err(unreadable()) };
            text = String::from_utf8(bytes).map_err(|_| unreadable())?;
        }
        let exists = snapshot.entries.contains_key(&path);
        let source = self.sources.add(rev, path, text.as_str());
        let parsed = pins::parse(source, &text);
        Ok(PinsFile { source, exists, pins: parsed.value, problems: parsed.problems })
    }

    pub(crate) fn base_urls(&self) -> Vec<(String, String)> {
        self.config.base_urls.iter().map(|(from, to)| (from.clone(), to.clone())).collect()
    }

    /// The manual and cases of the checked revision alone.
    pub(crate) fn load_after(&mut self) -> Result<Revision, Error> {
        let snapshot = self.snapshot(&self.after.rev.clone())?;
        self.check_patterns(&snapshot)?;
        self.load(&snapshot, true)
    }

    /// What happened to the manual between the two revisions, and who cites it. Cases are those of the checked one.
    pub(crate) fn diff(&mut self) -> Result<(Diff, Revision, Revision), Error> {
        let (before, after) = self.load_both(false)?;
        let diff = diff::diff(&before.manual, &after.manual, &self.sources, &self.lexicons());
        Ok((diff, before, after))
    }

    /// Who cites what, in the checked revision.
    pub(crate) fn citing(&self, after: &Revision) -> Citing {
        let urls = self.base_urls();
        let resolver = Index::new(&after.manual, &urls);
        let mut cases: BTreeMap<SectionRef, BTreeSet<String>> = BTreeMap::new();
        for file in &after.cases {
            let path = &self.sources.get(file.source).path;
            for case in &file.cases {
                for citation in &case.citations {
                    if let Resolution::Found { target, .. } = resolver.resolve(&citation.text, Some(path)) {
                        for section in covered(&after.manual, target, citation.scope) {
                            cases.entry(section).or_default().insert(case.id.0.clone());
                        }
                    }
                }
            }
        }
        Citing { cases }
    }

    fn load_both(&mut self, cases_before: bool) -> Result<(Revision, Revision), Error> {
        let before_rev = self.before.as_ref().map_or(Rev::Nothing, |end| end.rev.clone());
        let after_snapshot = self.snapshot(&self.after.rev.clone())?;
        self.check_patterns(&after_snapshot)?;
        let before_snapshot = self.snapshot(&before_rev)?;
        let after = self.load(&after_snapshot, true)?;
        let before = self.load(&before_snapshot, cases_before)?;
        Ok((before, after))
    }

    fn lexicons(&self) -> Lexicons {
        let words = &self.config.words;
        Lexicons::new(diff::Extra {
            modality: words.modality.clone(),
            negation: words.negation.clone(),
            quantifier: words.quantifier.clone(),
            filler: words.filler.clone(),
        })
    }

    /// Finds the review point of every citation, follows its section from there, and runs the rules.
    ///
    /// Of a range what lies in it is told in full. What was stale before it takes the whole history to find out: it is
    /// summed up in a note, and with `all` told in full. Staged changes are checked without the history unless `all` is
    /// asked for: a hook has no time for it.
    pub(crate) fn check(&mut self, all: bool) -> Result<Checked, Error> {
        let range = self.before.clone();
        let ends = self.load_ends(range.as_ref())?;
        let pins = self.read_pins()?;
        let is_complete = range.is_none() || all || ends.tip.rev != Rev::Index;
        let reviewed = self.review(&ends, is_complete, &pins)?;
        let Ends { before, mut after, .. } = ends;
        after.case_problems.extend(contradictions(&after.cases));
        let Reviewed { rounds, compared, checked, start } = &reviewed;
        let telling = Telling { sources: &self.sources, start: range.as_ref(), checked, before: start.as_deref() };
        let passages: Vec<Vec<Passage<'_>>> = rounds.iter().map(|reviews| telling.passages(reviews)).collect();
        let citations = telling.examine(&after.cases, rounds, &passages);
        let input = Input {
            sources: &self.sources,
            citations: &citations,
            case_files: &after.cases,
            case_problems: &after.case_problems,
            manual_problems: &after.manual_problems,
            unreadable: &after.unreadable,
            pins: &pins.pins,
            pin_problems: &pins.problems,
            is_complete,
        };
        let rules::Told { mut findings, suppressed } =
            rules::run(&input, &Policy { levels: self.config.rules.clone() });
        let remedies = rules::remedies(&input, &findings);
        let cited = telling.cited(&citations);
        let mut notes = if range.is_some() && !all { withhold_older(&mut findings) } else { Vec::new() };
        if let Some(start) = start {
            notes.extend(self.added_suppressions(start, &after.cases)?);
        }
        drop(citations);
        let diff = compared.diff.clone();
        Ok(Checked { findings, diff, before, after, cited, notes, suppressed, remedies, pins })
    }

    /// The reviews of all citations: against the start of the range, where there is one, and, to be complete, against the
    /// history.
    fn review(&mut self, ends: &Ends, is_complete: bool, pins: &PinsFile) -> Result<Reviewed, Error> {
        let pin_of = |case: &CaseId, citation: &str| pins.pins.get(case, citation).cloned();
        let lexicons = self.lexicons();
        let Ends { before, after, tip, start } = ends;
        let compared = Rc::new(match start {
            Some(_) => Compared::new(diff::diff(&before.manual, &after.manual, &self.sources, &lexicons)),
            None => Compared::default(),
        });
        let urls = self.base_urls();
        let is_manual = |path: &RepoPath| self.config.is_manual(path);
        let shape = |path: &RepoPath| self.config.case_group(path).map(|group| &group.shape);
        let want = |path: &RepoPath| is_manual(path) || shape(path).is_some();
        let reading = Reading {
            repo: &self.repo,
            options: &self.config.sections,
            base_urls: &urls,
            lexicons: &lexicons,
            is_manual: &is_manual,
            shape: &shape,
        };
        let mut archive = Archive::new(reading, std::mem::take(&mut self.sources));
        for ((path, id), document) in &self.documents {
            archive.keep(path, *id, document);
        }
        let mut edition = |snapshot: &Snapshot, manual: &Manual| {
            archive.edition_of(&snapshot.rev, &Rc::new(snapshot.entries.clone()), manual.clone())
        };
        let checked = edition(tip, &after.manual);
        let start = start.as_ref().map(|start| edition(start, &before.manual));
        let mut rounds = Vec::new();
        if let Some(start) = &start {
            let exclude: Vec<CommitId> = commit(&start.rev).into_iter().collect();
            let lineage = Lineage::new(&self.repo, tip, &exclude, &want)?;
            let reviewer = Reviewer::new(archive, lineage, Rc::clone(&checked));
            let mut reviewer = reviewer.starting_at(Rc::clone(start), Rc::clone(&compared));
            rounds.push(reviewer.review(&after.cases, &pin_of)?);
            archive = reviewer.archive;
        }
        if is_complete {
            let lineage = Lineage::new(&self.repo, tip, &[], &want)?;
            let mut reviewer = Reviewer::new(archive, lineage, Rc::clone(&checked));
            rounds.push(reviewer.review(&after.cases, &pin_of)?);
            archive = reviewer.archive;
        }
        self.sources = archive.sources;
        Ok(Reviewed { rounds, compared, checked, start })
    }

    /// The suppressions that the range brought in, in words: whoever looks at the range should see what it hides.
    fn added_suppressions(&self, start: &Edition, files: &[CaseFile]) -> Result<Vec<String>, Error> {
        let mut notes = Vec::new();
        for file in files.iter().filter(|file| !file.comments.is_empty()) {
            let path = &self.sources.get(file.source).path;
            let mut before = Vec::new();
            if let (Some(entry), Some(group)) = (start.entries.get(path), self.config.case_group(path))
                && let Content::Text(bytes) = self.repo.read(&start.rev, path, entry)?
                && let Ok(text) = String::from_utf8(bytes)
            {
                let parsed = cases::parse(file.source, &text, std::slice::from_ref(&group.shape));
                before.extend(parsed.value.comments.into_iter().map(|comment| comment.text));
            }
            for comment in &file.comments {
                match before.iter().position(|text| *text == comment.text) {
                    Some(at) => _ = before.swap_remove(at),
                    None => {
                        let (line, _) = self.sources.line(file.source, comment.span.start);
                        notes.push(format!("new in {path}:{line}: {}", comment.text));
                    }
                }
            }
        }
        Ok(notes)
    }

    fn load_ends(&mut self, range: Option<&End>) -> Result<Ends, Error> {
        let tip = self.snapshot(&self.after.rev.clone())?;
        self.check_patterns(&tip)?;
        let start = range.map(|end| self.snapshot(&end.rev)).transpose()?;
        let after = self.load(&tip, true)?;
        let before = match &start {
            Some(start) => self.load(start, true)?,
            None => Revision::default(),
        };
        Ok(Ends { before, after, tip, start })
    }
}

/// What is checked, and where its range starts; without a range nothing is before.
struct Ends {
    before: Revision,
    after: Revision,
    tip: Snapshot,
    start: Option<Snapshot>,
}

/// What was found about the reviews, each round in the order of the citations.
struct Reviewed {
    rounds: Vec<Vec<Review>>,
    /// What happened in the range.
    compared: Rc<Compared>,
    checked: Rc<Edition>,
    start: Option<Rc<Edition>>,
}

/// Pins that cannot both be right, as problems of their cases.
fn contradictions(files: &[CaseFile]) -> Vec<cases::Problem> {
    let citations = files.iter().flat_map(|file| &file.cases).flat_map(|case| &case.citations);
    citations.filter_map(review::contradiction).collect()
}

/// What the facts about each citation are made from.
struct Telling<'a> {
    sources: &'a Sources,
    start: Option<&'a End>,
    checked: &'a Edition,
    /// Where the range starts.
    before: Option<&'a Edition>,
}

impl<'a> Telling<'a> {
    /// One for each review.
    fn passages(&self, reviews: &'a [Review]) -> Vec<Passage<'a>> {
        static NOTHING: LazyLock<(Manual, Compared)> = LazyLock::new(Default::default);
        let after = || (&self.checked.manual, &*self.checked.index);
        let passage = |review: &'a Review| match &review.way {
            None => Passage::new(&NOTHING.0, after(), &NOTHING.1),
            Some(way) => match &way.route {
                Route::Still(_) => Passage::new(&way.from.manual, after(), &NOTHING.1),
                Route::Changed(compared) => Passage::new(&way.from.manual, after(), compared),
            },
        };
        reviews.iter().map(passage).collect()
    }

    /// What is told of each citation: what happened in the range, and if nothing did, what happened before.
    fn examine(
        &self,
        files: &'a [CaseFile],
        rounds: &'a [Vec<Review>],
        passages: &'a [Vec<Passage<'a>>],
    ) -> Vec<Examined<'a>> {
        let cited = files.iter().flat_map(|file| {
            file.cases
                .iter()
                .flat_map(move |case| case.citations.iter().map(move |citation| Cited { file, case, citation }))
        });
        let examined = cited.enumerate().map(|(at, cited)| {
            let told =
                |round: usize, impacted| self.examined(cited, &rounds[round][at], &passages[round][at], impacted);
            let first = told(0, self.start.is_some());
            if rounds.len() == 1 || first.is_news() {
                return first;
            }
            // Of what leads nowhere and is new, only the whole history knows whether it ever led somewhere.
            let is_new = matches!(rounds[0][at].basis, Basis::Now | Basis::Commit(_));
            told(1, is_new && rounds[1][at].way.is_none())
        });
        examined.collect()
    }

    fn examined(&self, cited: Cited<'a>, review: &'a Review, passage: &'a Passage<'a>, impacted: bool) -> Examined<'a> {
        let reviewed = review.way.as_ref().map(|way| impact::Reviewed {
            target: way.target,
            still: match way.route {
                Route::Still(target) => Some(target),
                Route::Changed(_) => None,
            },
        });
        let impact = impact::follow(passage, cited, self.sources, reviewed);
        let reviewed_at = match &review.basis {
            Basis::Start => self.start.map_or_else(String::new, |end| end.name.clone()),
            Basis::Commit(id) => id.as_str().to_owned(),
            Basis::Pin(pin) | Basis::UnknownText(pin) | Basis::UnknownRevision { spec: pin, .. } => pin.clone(),
            Basis::Now | Basis::Older | Basis::CutOff => String::new(),
        };
        let since = review.since.iter().map(facts::commit).collect();
        Examined { passage, impact, review, reviewed_at, impacted, since }
    }

    /// The sections where the range starts that a case cites.
    fn cited(&self, citations: &[Examined<'_>]) -> BTreeSet<SectionRef> {
        let Some(before) = self.before else { return BTreeSet::new() };
        let target = |examined: &Examined<'_>| {
            let cited = examined.impact.cited;
            match before.index.resolve(&cited.citation.text, Some(&self.sources.get(cited.file.source).path)) {
                Resolution::Found { target, .. } => section(target),
                Resolution::Ambiguous { .. } | Resolution::Unknown { .. } => None,
            }
        };
        citations.iter().filter_map(target).collect()
    }
}

/// Takes out what was stale before the range, and says so in notes.
fn withhold_older(findings: &mut Vec<Diagnostic>) -> Vec<String> {
    let is_older = |finding: &Diagnostic| !finding.facts.impacted && rules::is_staleness(finding.rule);
    let (older, told) = std::mem::take(findings).into_iter().partition::<Vec<_>, _>(is_older);
    *findings = told;
    let (unknown, stale): (Vec<_>, Vec<_>) = older.iter().partition(|finding| rules::is_history_missing(finding.rule));
    let stale: BTreeSet<_> = stale.iter().map(|finding| finding.primary.span).collect();
    let mut notes = match stale.len() {
        0 => Vec::new(),
        1 => vec!["1 more citation was stale before this range; `--all` shows it".to_owned()],
        more => vec![format!("{more} more citations were stale before this range; `--all` shows them")],
    };
    if !unknown.is_empty() {
        notes.push("the history is cut off: what was stale before this range is not known".to_owned());
    }
    notes
}

fn commit(rev: &Rev) -> Option<CommitId> {
    match rev {
        Rev::Commit(id) => Some(id.clone()),
        Rev::Nothing | Rev::Index | Rev::Worktree => None,
    }
}

/// The cases that cite each section after, directly or with a section above it.
pub(crate) struct Citing {
    cases: BTreeMap<SectionRef, BTreeSet<String>>,
}

impl Citing {
    /// The ids of the cases that cite what a change speaks of, sorted.
    pub(crate) fn cases(&self, change: &diff::Change) -> Vec<String> {
        let afters = change.afters();
        let cases: BTreeSet<&String> = afters.iter().filter_map(|at| self.cases.get(at)).flatten().collect();
        cases.into_iter().cloned().collect()
    }
}

impl Revision {
    pub(crate) fn citations(&self) -> usize {
        self.cases.iter().flat_map(|file| &file.cases).map(|case| case.citations.len()).sum()
    }
}

/// Both ends of a run, for reports.
pub(crate) fn end(end: Option<&End>) -> EndFact {
    match end {
        None => EndFact { rev: "nothing".to_owned(), commit: None },
        Some(end) => EndFact {
            rev: end.name.clone(),
            commit: match &end.rev {
                Rev::Commit(id) => Some(id.as_str().to_owned()),
                Rev::Nothing | Rev::Index | Rev::Worktree => None,
            },
        },
    }
}

fn section(target: Target) -> Option<SectionRef> {
    match target {
        Target::Section(section) => Some(section),
        Target::File(_) => None,
    }
}

/// Reads the configuration from the revision that is checked; the one named by `--config` from the same revision. Without
/// one there is no path.
fn read_config(
    repo: &Repo,
    rev: &Rev,
    file: Option<&RepoPath>,
    sources: &mut Sources,
) -> Result<(Config, Option<RepoPath>), Error> {
    let known: Vec<RepoPath> = config::PATHS.iter().map(RepoPath::new).collect();
    let snapshot = repo.snapshot(rev, &|path| file.map_or_else(|| known.contains(path), |file| file == path))?;
    let path = match file {
        Some(file) => file.clone(),
        None => match config::locate(|path| snapshot.entries.contains_key(&RepoPath::new(path)))? {
            Some(path) => RepoPath::new(path),
            None => return Ok((Config::default(), None)),
        },
    };
    let unreadable = |why: &str| Error::new(Kind::Config, format!("the configuration `{path}` {why}"));
    let Some(entry) = snapshot.entries.get(&path) else {
        return Err(unreadable(&format!("does not exist in the checked revision ({rev})")));
    };
    let Content::Text(bytes) = repo.read(rev, &path, entry)? else { return Err(unreadable("is not a file with text")) };
    let text = String::from_utf8(bytes).map_err(|_| unreadable("is not UTF-8 text"))?;
    let source = sources.add(rev.clone(), path.clone(), text.as_str());
    let names: Vec<&str> = rules::RULES.iter().map(|rule| rule.name).collect();
    let config = config::read(source, &text, &names).map_err(|error| Error::config(error, sources))?;
    Ok((config, Some(path)))
}
