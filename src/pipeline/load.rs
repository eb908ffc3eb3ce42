//! Reads a revision: its files to manuals and cases, its configuration and its pins.

use std::sync::Arc;

use super::{Configured, Session};
use crate::ahead::work_ahead;
use crate::cases::{self, Case, CaseFile, Citation, Pin, Shape};
use crate::config::{self, Config, Setting};
use crate::error::{Error, Kind};
use crate::git::{BlobId, Content, Entry, Repo, Snapshot};
use crate::manual::{self, Document, Manual};
use crate::review::pinned;
use crate::review::pins::{self, Pins};
use crate::rules::{self, Unreadable};
use crate::source::{Parsed, RepoPath, Rev, SourceId, Sources, Span};

/// The manual and the cases of one revision.
#[derive(Default)]
pub(crate) struct Revision {
    pub(crate) manual: Manual,
    pub(crate) cases: Vec<CaseFile>,
    pub(super) case_problems: Vec<cases::Problem>,
    pub(super) manual_problems: Vec<manual::Problem>,
    pub(super) unreadable: Vec<Unreadable>,
}

/// What is done with a file when its revision is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Parse,
    /// A manual is known to be there, a case file is not; the text is not read.
    Name,
}

/// The pins file of one revision.
pub(crate) struct PinsFile {
    pub(crate) source: SourceId,
    /// Without one the text is empty.
    pub(crate) exists: bool,
    pub(crate) pins: Pins,
    pub(crate) problems: Vec<pins::Problem>,
}

impl PinsFile {
    /// The pin of a citation: its own, or else the one that stands here.
    pub(super) fn of<'p>(&'p self, case: &Case, citation: &'p Citation) -> Option<&'p Pin> {
        pinned(&citation.pins).or_else(|| self.pins.get(&case.id, &citation.text))
    }
}

/// What a file is.
enum Role {
    Manual,
    Cases(Shape),
}

/// A file that was parsed as what it is.
enum ParsedFile {
    Manual(Parsed<Document, manual::Problem>),
    Cases(Parsed<CaseFile, cases::Problem>),
}

impl ParsedFile {
    fn new((source, path): (SourceId, &RepoPath), text: &str, role: &Role, options: &manual::Options) -> Self {
        match role {
            Role::Manual => Self::Manual(manual::parse(source, path, text, options)),
            Role::Cases(shape) => Self::Cases(cases::parse(source, text, shape)),
        }
    }
}

impl Session {
    /// Whether every pattern of the configuration selects something in the checked revision.
    fn check_patterns(&self, snapshot: &Snapshot) -> Result<(), Error> {
        self.config.check_patterns(snapshot.entries.keys()).map_err(|error| Error::config(error, &self.sources))
    }

    /// The files that are checked, listed once.
    pub(super) fn tip(&self) -> Result<Snapshot, Error> {
        if let Some(tip) = self.tip.get() {
            return Ok(tip.clone());
        }
        let tip = self.snapshot(&self.after.rev)?;
        if !self.has_settings_of_other {
            self.check_patterns(&tip)?;
        }
        Ok(self.tip.get_or_init(|| tip).clone())
    }

    pub(super) fn snapshot(&self, rev: &Rev) -> Result<Snapshot, Error> {
        Ok(self.repo.snapshot(rev, &|path| self.was_wanted(path))?)
    }

    /// Whether a path is a manual's or a case file's as the settings say now.
    pub(super) fn is_wanted(&self, path: &RepoPath) -> bool {
        self.config.is_manual(path) || self.config.case_group(path).is_some()
    }

    /// Reads the files of a revision, each as `how` says.
    pub(super) fn load(
        &mut self,
        snapshot: &Snapshot,
        how: &dyn Fn(&RepoPath, &Entry) -> How,
    ) -> Result<Revision, Error> {
        let is_parsed = |(path, entry): &(&RepoPath, &Entry)| how(path, entry) == How::Parse;
        let (parsed, named): (Vec<_>, Vec<_>) = snapshot.entries.iter().partition(is_parsed);
        let mut revision = self.load_files(&snapshot.rev, &parsed)?;
        for (path, entry) in named {
            if let Some(id) = entry.id.filter(|_| self.was_manual(&snapshot.rev, path)) {
                revision.manual.documents.push(self.named(&snapshot.rev, path, id));
            }
        }
        revision.manual.documents.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(revision)
    }

    /// Reads manuals and case files of a revision, but for manuals whose text was read already. Parsing takes all cores.
    pub(super) fn load_files(&mut self, rev: &Rev, files: &[(&RepoPath, &Entry)]) -> Result<Revision, Error> {
        let mut revision = Revision::default();
        let mut unread = Vec::new();
        for (path, entry) in files {
            let Some(document) = self.known(path, entry) else {
                unread.extend(self.role(rev, path).map(|role| (*path, *entry, role)));
                continue;
            };
            revision.manual_problems.extend(self.manual_problems.get(&document.source).into_iter().flatten().cloned());
            revision.manual.documents.push(document);
        }
        let Self { repo, config, sources, .. } = self;
        let texts = unread.into_iter().filter_map(|(path, entry, role)| {
            let text = match repo.read(rev, path, entry) {
                Ok(content) => text_of(content),
                Err(error) => return Some(Err(Error::from(error))),
            };
            let (text, why) = text.map_or_else(|why| (String::new(), Some(why)), |text| (text, None));
            let source = sources.add(rev.clone(), path.clone(), text);
            let Some(why) = why else {
                return Some(Ok((source, Arc::clone(&sources.get(source).text), (path, entry.id, role))));
            };
            let (span, is_manual) = (Span::new(source, 0, 0), matches!(role, Role::Manual));
            revision.unreadable.push(Unreadable { span, is_manual, why });
            None
        });
        let options = &config.sections;
        type Text<'p> = (SourceId, Arc<str>, (&'p RepoPath, Option<BlobId>, Role));
        let parsed = work_ahead(texts, |(source, text, (path, id, role)): Text<'_>| {
            (source, path, id, ParsedFile::new((source, path), &text, &role, options))
        })?;
        for (source, path, id, parsed) in parsed {
            match parsed {
                ParsedFile::Manual(parsed) => {
                    revision.manual_problems.extend(parsed.problems.iter().cloned());
                    self.manual_problems.insert(source, parsed.problems);
                    let document = Arc::new(parsed.value);
                    if let Some(id) = id {
                        self.documents.insert((path.clone(), id), Arc::clone(&document));
                    }
                    revision.manual.documents.push(document);
                }
                ParsedFile::Cases(parsed) => {
                    revision.case_problems.extend(parsed.problems);
                    revision.cases.push(parsed.value);
                }
            }
        }
        Ok(revision)
    }

    /// What a file of the checked revision or an earlier one is.
    fn role(&self, rev: &Rev, path: &RepoPath) -> Option<Role> {
        match self.was_manual(rev, path) {
            true => Some(Role::Manual),
            false => self.former_shapes(rev, path).into_iter().next().map(Role::Cases),
        }
    }

    /// A manual that was read before.
    fn known(&self, path: &RepoPath, entry: &Entry) -> Option<Arc<Document>> {
        self.documents.get(&(path.clone(), entry.id?)).cloned()
    }

    /// A manual that is there, without its sections; the same one wherever its text is the same.
    fn named(&mut self, rev: &Rev, path: &RepoPath, id: BlobId) -> Arc<Document> {
        let key = (path.clone(), id);
        if let Some(document) = self.documents.get(&key).or_else(|| self.named.get(&key)) {
            return Arc::clone(document);
        }
        let source = self.sources.add(rev.clone(), path.clone(), "");
        let document = Arc::new(Document { source, path: path.clone(), sections: Vec::new() });
        self.named.insert(key, Arc::clone(&document));
        document
    }

    /// The pins of a revision that stand in no citation.
    pub(super) fn read_pins(&mut self, rev: &Rev) -> Result<PinsFile, Error> {
        let path = self.pins_path.clone();
        let snapshot = self.repo.named(rev, std::slice::from_ref(&path))?;
        let mut text = String::new();
        if let Some(entry) = snapshot.entries.get(&path) {
            let unreadable = || {
                let error = Error::new(Kind::Config, format!("`{path}` is not a file with UTF-8 text"));
                error.hint("it is a list in YAML with one pin a line, as `citecheck accept` writes it")
            };
            let Content::Text(bytes) = self.repo.read(rev, &path, entry)? else { return Err(unreadable()) };
            text = String::from_utf8(bytes).map_err(|_| unreadable())?;
        }
        let exists = snapshot.entries.contains_key(&path);
        let source = self.sources.add(rev.clone(), path, text.as_str());
        let parsed = pins::parse(source, &text);
        Ok(PinsFile { source, exists, pins: parsed.value, problems: parsed.problems })
    }
}

impl Revision {
    /// The manuals that could not be read, with the reason: what was in them looks as if it were gone.
    pub(crate) fn unread_manuals<'a>(&'a self, sources: &'a Sources) -> Vec<(&'a RepoPath, &'a str)> {
        let manuals = self.unreadable.iter().filter(|file| file.is_manual);
        manuals.map(|file| (&sources.get(file.span.source).path, file.why.as_str())).collect()
    }

    pub(crate) fn citations(&self) -> usize {
        self.cases.iter().flat_map(|file| &file.cases).map(|case| case.citations.len()).sum()
    }
}

/// The text of a file, or the reason why it can't be read.
fn text_of(content: Content) -> Result<String, String> {
    match content {
        Content::Text(bytes) => String::from_utf8(bytes).map_err(|error| {
            let byte = error.utf8_error().valid_up_to() + 1;
            format!("the file is not UTF-8 text: byte {byte} is no character; convert it, or leave it out by a pattern")
        }),
        Content::LfsPointer => Err("the text is in Git LFS and was not fetched; `git lfs pull` fetches it".to_owned()),
        Content::Link { .. } => Err("the file is a symbolic link, which is not followed".to_owned()),
        Content::Submodule => Err("the file is a submodule, whose files are in another repository".to_owned()),
        Content::TooLarge { size } => Err(format!("the file has {size} bytes, too many to be read")),
    }
}

/// Finds the configuration in a revision, or the file that was named as it. `None`: there is none, or none is wanted.
pub(super) fn locate_config(
    repo: &Repo,
    rev: &Rev,
    configured: &Configured,
) -> Result<Option<(RepoPath, Entry)>, Error> {
    if configured.isolated {
        return Ok(None);
    }
    let file = configured.file.as_ref();
    let mut snapshot = match file {
        Some(file) => repo.named(rev, std::slice::from_ref(file))?,
        None => repo.named(rev, &config::candidates())?,
    };
    let path = match file {
        Some(file) => file.clone(),
        None => match config::locate(|path| snapshot.entries.contains_key(&RepoPath::new(path)))? {
            Some(path) => RepoPath::new(path),
            None => return Ok(None),
        },
    };
    let missing = || {
        let message = format!("the configuration `{path}` does not exist in the revision that it is read from ({rev})");
        let help = "`--config` takes a file of the repository, which the checked revision has to have".to_owned();
        Error::new(Kind::Config, message).hint(config::setting_help(&path.to_string()).unwrap_or(help))
    };
    let entry = snapshot.entries.remove(&path).ok_or_else(missing)?;
    Ok(Some((path, entry)))
}

/// Reads the configuration where it was found, with the settings that go over it; without one the defaults hold.
pub(super) fn read_config(
    repo: &Repo,
    (rev, located): (&Rev, Option<(RepoPath, Entry)>),
    configured: &Configured,
    sources: &mut Sources,
) -> Result<Config, Error> {
    if located.is_none() && configured.settings.is_empty() {
        return Ok(Config::default());
    }
    let (path, text) = match located {
        Some((path, entry)) => {
            let text = config_text(repo, rev, (&path, &entry))?;
            (path, text)
        }
        None => (RepoPath::new(config::PATHS[0]), String::new()),
    };
    let source = sources.add(rev.clone(), path, text.as_str());
    let mut setting = |text| Setting { source: sources.add(rev.clone(), RepoPath::new("--config"), text), text };
    let settings: Vec<Setting<'_>> = configured.settings.iter().map(|text| setting(text.as_str())).collect();
    let names: Vec<&str> = rules::RULES.iter().map(|rule| rule.name).collect();
    config::read_with((source, &text), &settings, &names).map_err(|error| Error::config(error, sources))
}

fn config_text(repo: &Repo, rev: &Rev, (path, entry): (&RepoPath, &Entry)) -> Result<String, Error> {
    let unreadable = |why: &str| {
        let error = Error::new(Kind::Config, format!("the configuration `{path}` {why}"));
        error.hint("a configuration is YAML; `citecheck init --dry-run` prints one")
    };
    let Content::Text(bytes) = repo.read(rev, path, entry)? else {
        return Err(unreadable("is not a file with text"));
    };
    String::from_utf8(bytes).map_err(|_| unreadable("is not UTF-8 text"))
}
