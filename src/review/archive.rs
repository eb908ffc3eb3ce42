//! Versions of files as they were at earlier revisions: each content is read and parsed once, whenever it is first asked
//! for. What a version of a case file says is kept as the little that is needed to compare cases.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use super::lineage::Entries;
use crate::ahead::work_ahead;
use crate::cases::{self, Case, CaseFile, CaseId, Problem, Shape};
use crate::diff::Lexicons;
use crate::git::{BlobId, Content, Entry, Error, Repo};
use crate::manual::{self, Document, Index, Manual};
use crate::source::{Parsed, RepoPath, Rev, SourceId, Sources};

/// How the files of the repository are read.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'r> {
    pub(crate) repo: &'r Repo,
    pub(crate) options: &'r manual::Options,
    pub(crate) base_urls: &'r [(String, String)],
    pub(crate) lexicons: &'r Arc<Lexicons>,
    pub(crate) is_manual: &'r dyn Fn(&Rev, &RepoPath) -> bool,
    /// How a case file may be read: the first shape that finds a case is the right one. None for a file that is none.
    pub(crate) shapes: &'r dyn Fn(&Rev, &RepoPath) -> Vec<Shape>,
}

/// Everything that was read so far.
pub(crate) struct Archive<'r> {
    pub(crate) reading: Reading<'r>,
    pub(crate) sources: Sources,
    documents: HashMap<(RepoPath, BlobId), Option<Arc<Document>>>,
    /// Each as it was read by shapes with these citation keys, where there were several.
    case_files: HashMap<(RepoPath, BlobId, Vec<String>), Rc<Roll>>,
    outlines: HashMap<SourceId, OutlineHash>,
    indexes: HashMap<Vec<OutlineHash>, Rc<Index>>,
}

/// Stands for everything in a file that citations are resolved by: files with the same outline answer the same.
pub(crate) type OutlineHash = (u64, u64);

/// The manual at one revision.
pub(crate) struct Edition {
    pub(crate) rev: Rev,
    pub(crate) entries: Rc<Entries>,
    pub(crate) manual: Manual,
    /// What citations name at this revision.
    pub(crate) index: Rc<Index>,
}

/// The cases of one version of a case file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roll {
    cases: Vec<Stand>,
    by_id: HashMap<CaseId, Vec<usize>>,
    /// Whether there may be more cases, which could not be read.
    pub(crate) is_broken: bool,
}

/// What is compared of a case.
#[derive(Clone, Debug)]
pub(crate) struct Stand {
    pub(crate) id: CaseId,
    pub(crate) ordinal: usize,
    pub(crate) cited_id: bool,
    pub(crate) content: [u8; 32],
    /// What its citations cite, as spelled.
    pub(crate) citations: Vec<String>,
}

impl<'r> Archive<'r> {
    /// An archive in which nothing was read yet; texts are added to `sources`.
    pub(crate) fn new(reading: Reading<'r>, sources: Sources) -> Self {
        Self {
            reading,
            sources,
            documents: HashMap::new(),
            case_files: HashMap::new(),
            outlines: HashMap::new(),
            indexes: HashMap::new(),
        }
    }

    /// Makes a manual file known that was read already.
    pub(crate) fn keep(&mut self, path: &RepoPath, id: BlobId, document: &Arc<Document>) {
        self.documents.insert((path.clone(), id), Some(Arc::clone(document)));
    }

    /// A version of a manual file; `None` if it is not text.
    pub(crate) fn document(
        &mut self,
        rev: &Rev,
        path: &RepoPath,
        entry: Entry,
    ) -> Result<Option<Arc<Document>>, Error> {
        let key = entry.id.map(|id| (path.clone(), id));
        if let Some(known) = key.as_ref().and_then(|key| self.documents.get(key)) {
            return Ok(known.clone());
        }
        let document = self.reading.text(rev, path, entry)?.map(|text| {
            let source = self.sources.add(rev.clone(), path.clone(), text);
            let text = &self.sources.get(source).text;
            Arc::new(manual::parse(source, path, text, self.reading.options).value)
        });
        if let Some(key) = key {
            self.documents.insert(key, document.clone());
        }
        Ok(document)
    }

    /// Makes versions of manual files known before they are asked for: parsing takes all cores. What a partial clone
    /// left out stays unknown.
    pub(crate) fn read_ahead(&mut self, versions: Vec<(Rev, RepoPath, Entry)>) -> Result<(), Error> {
        let (reading, sources, documents) = (self.reading, &mut self.sources, &mut self.documents);
        let unread = versions.into_iter().filter_map(|(rev, path, entry)| {
            let key = (path, entry.id?);
            if documents.contains_key(&key) {
                return None;
            }
            match reading.text(&rev, &key.0, entry) {
                Ok(Some(text)) => {
                    let source = sources.add(rev, key.0.clone(), text);
                    Some(Ok((source, Arc::clone(&sources.get(source).text), key)))
                }
                Ok(None) => {
                    documents.insert(key, None);
                    None
                }
                Err(Error::MissingObject { .. }) => None,
                Err(error) => Some(Err(error)),
            }
        });
        let options = reading.options;
        let parse = |(source, text, key): (SourceId, Arc<str>, (RepoPath, BlobId))| {
            let document = manual::parse(source, &key.0, &text, options).value;
            (key, Some(Arc::new(document)))
        };
        let parsed = work_ahead(unread, parse)?;
        self.documents.extend(parsed);
        Ok(())
    }

    /// The manual of a revision with these files.
    pub(crate) fn edition(&mut self, rev: &Rev, entries: &Rc<Entries>) -> Result<Rc<Edition>, Error> {
        let mut documents = Vec::new();
        for (path, entry) in entries.iter().filter(|(path, _)| (self.reading.is_manual)(rev, path)) {
            documents.extend(self.document(rev, path, *entry)?);
        }
        Ok(self.edition_of(rev, entries, Manual { documents }))
    }

    /// What citations to a file are resolved by.
    pub(crate) fn outline(&mut self, document: &Arc<Document>) -> OutlineHash {
        *self.outlines.entry(document.source).or_insert_with(|| outline(document))
    }

    /// A revision whose manual was read already. Most commits change no heading, so most editions share an index.
    pub(crate) fn edition_of(&mut self, rev: &Rev, entries: &Rc<Entries>, manual: Manual) -> Rc<Edition> {
        let key: Vec<OutlineHash> = manual.documents.iter().map(|document| self.outline(document)).collect();
        let index = self.indexes.entry(key).or_insert_with(|| Rc::new(Index::new(&manual, self.reading.base_urls)));
        Rc::new(Edition { rev: rev.clone(), entries: Rc::clone(entries), index: Rc::clone(index), manual })
    }

    /// The cases of a version of a case file; none if it is not text.
    pub(crate) fn roll(&mut self, rev: &Rev, path: &RepoPath, entry: Entry) -> Result<Rc<Roll>, Error> {
        let shapes = (self.reading.shapes)(rev, path);
        if shapes.is_empty() {
            return Ok(Rc::default());
        }
        let keys = || shapes.iter().skip(1).flat_map(|shape| shape.cites.clone()).collect();
        let key = entry.id.map(|id| (path.clone(), id, keys()));
        if let Some(known) = key.as_ref().and_then(|key| self.case_files.get(key)) {
            return Ok(Rc::clone(known));
        }
        let roll = match self.reading.text(rev, path, entry)? {
            Some(text) => {
                let source: SourceId = Sources::default().add(rev.clone(), path.clone(), "");
                let read = |shape: &Shape| Roll::new(&cases::parse(source, &text, shape));
                let better = |found: Roll, shape: &Shape| if found.cases.is_empty() { read(shape) } else { found };
                Rc::new(shapes.iter().fold(Roll::default(), better))
            }
            None => Rc::new(Roll { is_broken: true, ..Roll::default() }),
        };
        if let Some(key) = key {
            self.case_files.insert(key, Rc::clone(&roll));
        }
        Ok(roll)
    }
}

impl Reading<'_> {
    fn text(&self, rev: &Rev, path: &RepoPath, entry: Entry) -> Result<Option<String>, Error> {
        Ok(match self.repo.read(rev, path, &entry)? {
            Content::Text(bytes) => String::from_utf8(bytes).ok(),
            Content::LfsPointer | Content::Link { .. } | Content::Submodule | Content::TooLarge { .. } => None,
        })
    }
}

impl Edition {
    /// The place of a file.
    pub(crate) fn file(&self, path: &RepoPath) -> Option<usize> {
        self.manual.documents.binary_search_by(|document| document.path.cmp(path)).ok()
    }

    /// The content of a file, if it has an id.
    pub(crate) fn blob(&self, path: &RepoPath) -> Option<BlobId> {
        self.entries.get(path)?.id
    }
}

/// Whether citations of two versions of a file lead to the same places.
pub(crate) fn same_outline(one: &Document, other: &Document) -> bool {
    outline(one) == outline(other)
}

/// Two hashes, so that no two outlines are taken for one.
fn outline(document: &Document) -> OutlineHash {
    let hash = |seed: u8| {
        let mut hasher = DefaultHasher::new();
        (seed, &document.path, document.sections.len()).hash(&mut hasher);
        for section in &document.sections {
            (section.kind, &section.id, section.explicit, &section.path, section.level, section.parent)
                .hash(&mut hasher);
            (&section.number, &section.title, &section.anchors).hash(&mut hasher);
        }
        hasher.finish()
    };
    (hash(0), hash(1))
}

impl Roll {
    fn new(read: &Parsed<CaseFile, Problem>) -> Self {
        let cases: Vec<Stand> = read.value.cases.iter().map(Stand::of).collect();
        let mut by_id: HashMap<CaseId, Vec<usize>> = HashMap::new();
        for (at, case) in cases.iter().enumerate() {
            by_id.entry(case.id.clone()).or_default().push(at);
        }
        Self { cases, by_id, is_broken: read.problems.iter().any(|problem| matches!(problem, Problem::Yaml { .. })) }
    }

    /// The cases with an id, in order.
    pub(crate) fn with_id(&self, id: &CaseId) -> impl Iterator<Item = &Stand> {
        self.by_id.get(id).into_iter().flatten().map(|at| &self.cases[*at])
    }

    pub(crate) fn cases(&self) -> &[Stand] {
        &self.cases
    }
}

impl Stand {
    fn of(case: &Case) -> Self {
        Self {
            id: case.id.clone(),
            ordinal: case.ordinal,
            cited_id: case.cited_id,
            content: case.content,
            citations: case.citations.iter().map(|citation| citation.text.clone()).collect(),
        }
    }
}
