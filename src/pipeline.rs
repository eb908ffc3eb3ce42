//! The stages in the order in which they run. The page to read first.
//!
//! Opens the repository, reads the two revisions, follows every citation from one to the other, and hands what it found
//! to the rules. Prints nothing and decides nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use crate::cases::{self, CaseFile};
use crate::config::{self, Config};
use crate::diagnostic::{CommitFact, Diagnostic, EndFact};
use crate::diff::{self, Diff, Lexicons};
use crate::error::{Error, Kind};
use crate::git::{self, BlobId, Content, End, Env, Repo, Selection, Snapshot};
use crate::impact::{self, Cited, Impact, Passage};
use crate::manual::{self, Document, Index, Manual, Resolution, SectionRef, Target};
use crate::review::{Since, Standing};
use crate::rules::{self, Examined, Input, Policy, Unreadable, facts};
use crate::source::{RepoPath, Rev, SourceId, Sources, Span};

/// The repository, how it is read, and what is compared.
pub(crate) struct Session {
    pub(crate) repo: Repo,
    pub(crate) config: Config,
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
}

impl Session {
    /// Opens the repository that `start` lies in and reads the configuration of the revision that is checked.
    pub(crate) fn open(start: &Path, env: &Env, selection: &Selection, file: Option<&RepoPath>) -> Result<Self, Error> {
        let repo = Repo::open(start, env)?;
        let comparison = git::select(&repo, selection)?;
        let mut sources = Sources::default();
        let config = read_config(&repo, &comparison.after.rev, file, &mut sources)?;
        let (before, after) = (comparison.before, comparison.after);
        let (documents, manual_problems) = (BTreeMap::new(), BTreeMap::new());
        Ok(Self { repo, config, before, after, sources, documents, manual_problems })
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
                        for section in impact::subtree(&after.manual, target, citation.scope) {
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
            filler: Vec::new(),
        })
    }

    /// Follows every citation and runs the rules.
    pub(crate) fn check(&mut self) -> Result<Checked, Error> {
        let (before, after) = self.load_both(true)?;
        let diff = diff::diff(&before.manual, &after.manual, &self.sources, &self.lexicons());
        let urls = self.base_urls();
        let before_resolver = Index::new(&before.manual, &urls);
        let after_resolver = Index::new(&after.manual, &urls);
        let passage = Passage::new((&before.manual, &before_resolver), (&after.manual, &after_resolver), &diff);
        let impacts = self.follow(&passage, &before, &after);
        let cited = impacts.iter().filter_map(|impact| impact.before).filter_map(section).collect();
        let citations = self.examine(&passage, impacts)?;
        let input = Input {
            sources: &self.sources,
            citations: &citations,
            case_files: &after.cases,
            case_problems: &after.case_problems,
            manual_problems: &after.manual_problems,
            unreadable: &after.unreadable,
        };
        let findings = rules::run(&input, &Policy { levels: self.config.rules.clone() });
        drop(citations);
        drop(passage);
        drop((before_resolver, after_resolver));
        Ok(Checked { findings, diff, before, after, cited })
    }

    fn follow<'a>(&self, passage: &Passage<'a>, before: &Revision, after: &'a Revision) -> Vec<Impact<'a>> {
        let standing = Standing::new(&before.cases, &self.sources);
        let mut impacts = Vec::new();
        for file in &after.cases {
            let path = &self.sources.get(file.source).path;
            for case in &file.cases {
                for citation in &case.citations {
                    let reviewed = standing.had(case, citation, path);
                    impacts.push(impact::follow(passage, Cited { file, case, citation }, &self.sources, reviewed));
                }
            }
        }
        impacts
    }

    /// Adds to each impact what the finding tells about its review: since when, by whom.
    fn examine<'a>(&self, passage: &'a Passage<'a>, impacts: Vec<Impact<'a>>) -> Result<Vec<Examined<'a>>, Error> {
        let touched = |impact: &Impact<'_>| impact.changes.iter().flat_map(|change| places(passage, change)).collect();
        let files: BTreeSet<RepoPath> = impacts
            .iter()
            .flat_map(|impact| -> Vec<(RepoPath, String)> { touched(impact) })
            .map(|(file, _)| file)
            .collect();
        let before_rev = self.before.as_ref().map_or(Rev::Nothing, |end| end.rev.clone());
        let mut since = Since::new(&self.repo, &self.config.sections, (&before_rev, &self.after.rev), &files)?;
        let mut known: BTreeMap<(RepoPath, String), Vec<CommitFact>> = BTreeMap::new();
        let reviewed_at = self.before.as_ref().map_or_else(String::new, |end| end.name.clone());
        let mut examined = Vec::new();
        for impact in impacts {
            let mut commits: Vec<CommitFact> = Vec::new();
            for place in touched(&impact) {
                let (file, id) = &place;
                let found = known
                    .entry(place.clone())
                    .or_insert_with(|| since.commits(file, id).iter().map(facts::commit).collect());
                for commit in found.iter() {
                    if !commits.contains(commit) {
                        commits.push(commit.clone());
                    }
                }
            }
            let reviewed_at = reviewed_at.clone();
            examined.push(Examined { passage, impact, reviewed_at, impacted: true, since: commits });
        }
        Ok(examined)
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

/// Where the sections of a change stand: file and id, after where they are still there.
fn places(passage: &Passage<'_>, change: &diff::Change) -> Vec<(RepoPath, String)> {
    let named =
        |manual: &Manual, at: &SectionRef| (manual.document(*at).path.clone(), manual.section(*at).id.0.clone());
    let mut places: Vec<_> = change.afters().iter().map(|at| named(passage.after, at)).collect();
    places.extend(change.befores().iter().map(|at| named(passage.before, at)));
    places.dedup();
    places
}

/// Reads the configuration from the revision that is checked; the one named by `--config` from the same revision.
fn read_config(repo: &Repo, rev: &Rev, file: Option<&RepoPath>, sources: &mut Sources) -> Result<Config, Error> {
    let known: Vec<RepoPath> = config::PATHS.iter().map(RepoPath::new).collect();
    let snapshot = repo.snapshot(rev, &|path| file.map_or_else(|| known.contains(path), |file| file == path))?;
    let path = match file {
        Some(file) => file.clone(),
        None => match config::locate(|path| snapshot.entries.contains_key(&RepoPath::new(path)))? {
            Some(path) => RepoPath::new(path),
            None => return Ok(Config::default()),
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
    config::read(source, &text, &names).map_err(|error| Error::config(error, sources))
}
