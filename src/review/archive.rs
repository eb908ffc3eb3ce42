//! Versions of files as they were at earlier revisions: each content is read and parsed once, whenever it is first asked
//! for. What a version of a case file says is kept as the little that is needed to compare cases.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::lineage::Entries;
use crate::cases::{self, Case, CaseFile, CaseId, Shape};
use crate::diff::Lexicons;
use crate::git::{BlobId, Content, Entry, Error, Repo};
use crate::manual::{self, Document, Index, Manual};
use crate::source::{RepoPath, Rev, SourceId, Sources};

/// How the files of the repository are read.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'r> {
    pub(crate) repo: &'r Repo,
    pub(crate) options: &'r manual::Options,
    pub(crate) base_urls: &'r [(String, String)],
    pub(crate) lexicons: &'r Lexicons,
    pub(crate) is_manual: &'r dyn Fn(&RepoPath) -> bool,
    /// How a case file is read; `None` for a file that is none.
    pub(crate) shape: &'r dyn Fn(&RepoPath) -> Option<&'r Shape>,
}

/// Everything that was read so far.
pub(crate) struct Archive<'r> {
    pub(crate) reading: Reading<'r>,
    pub(crate) sources: Sources,
    documents: HashMap<(RepoPath, BlobId), Option<Arc<Document>>>,
    case_files: HashMap<(RepoPath, BlobId), Rc<Roll>>,
}

/// The manual at one revision.
pub(crate) struct Edition {
    pub(crate) rev: Rev,
    pub(crate) entries: Rc<Entries>,
    pub(crate) manual: Manual,
    index: OnceCell<Index>,
}

/// The cases of one version of a case file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roll {
    cases: Vec<Stand>,
    by_id: HashMap<CaseId, Vec<usize>>,
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
    /// `documents`: what was read already.
    pub(crate) fn new(reading: Reading<'r>, sources: Sources) -> Self {
        Self { reading, sources, documents: HashMap::new(), case_files: HashMap::new() }
    }

    /// Makes a manual file known that was read already.
    pub(crate) fn keep(&mut self, path: &RepoPath, id: BlobId, document: &Arc<Document>) {
        self.documents.insert((path.clone(), id), Some(Arc::clone(document)));
    }

    /// A version of a manual file; `None` if it is not text.
    pub(crate) fn document(&mut self, rev: &Rev, path: &RepoPath, entry: Entry) -> Result<Option<Arc<Document>>, Error> {
        let key = entry.id.map(|id| (path.clone(), id));
        if let Some(known) = key.as_ref().and_then(|key| self.documents.get(key)) {
            return Ok(known.clone());
        }
        let document = self.text(rev, path, entry)?.map(|text| {
            let source = self.sources.add(rev.clone(), path.clone(), text);
            let text = &self.sources.get(source).text;
            Arc::new(manual::parse(source, path, text, self.reading.options).value)
        });
        if let Some(key) = key {
            self.documents.insert(key, document.clone());
        }
        Ok(document)
    }

    /// The manual of a revision with these files.
    pub(crate) fn edition(&mut self, rev: &Rev, entries: &Rc<Entries>) -> Result<Rc<Edition>, Error> {
        let mut documents = Vec::new();
        for (path, entry) in entries.iter().filter(|(path, _)| (self.reading.is_manual)(path)) {
            documents.extend(self.document(rev, path, *entry)?);
        }
        Ok(Rc::new(Edition::new(rev.clone(), Rc::clone(entries), Manual { documents })))
    }

    /// The cases of a version of a case file; none if it is not text.
    pub(crate) fn roll(&mut self, rev: &Rev, path: &RepoPath, entry: Entry) -> Result<Rc<Roll>, Error> {
        let Some(shape) = (self.reading.shape)(path) else { return Ok(Rc::default()) };
        let key = entry.id.map(|id| (path.clone(), id));
        if let Some(known) = key.as_ref().and_then(|key| self.case_files.get(key)) {
            return Ok(Rc::clone(known));
        }
        let roll = match self.text(rev, path, entry)? {
            Some(text) => {
                let source: SourceId = Sources::default().add(rev.clone(), path.clone(), "");
                Rc::new(Roll::new(&cases::parse(source, &text, std::slice::from_ref(shape)).value))
            }
            None => Rc::default(),
        };
        if let Some(key) = key {
            self.case_files.insert(key, Rc::clone(&roll));
        }
        Ok(roll)
    }

    fn text(&self, rev: &Rev, path: &RepoPath, entry: Entry) -> Result<Option<String>, Error> {
        Ok(match self.reading.repo.read(rev, path, &entry)? {
            Content::Text(bytes) => String::from_utf8(bytes).ok(),
            Content::LfsPointer | Content::Link { .. } | Content::Submodule | Content::TooLarge { .. } => None,
        })
    }
}

impl Edition {
    pub(crate) fn new(rev: Rev, entries: Rc<Entries>, manual: Manual) -> Self {
        Self { rev, entries, manual, index: OnceCell::new() }
    }

    /// What citations name at this revision.
    pub(crate) fn index(&self, base_urls: &[(String, String)]) -> &Index {
        self.index.get_or_init(|| Index::new(&self.manual, base_urls))
    }

    /// The place of a file.
    pub(crate) fn file(&self, path: &RepoPath) -> Option<usize> {
        self.manual.documents.binary_search_by(|document| document.path.cmp(path)).ok()
    }

    /// The content of a file, if it has an id.
    pub(crate) fn blob(&self, path: &RepoPath) -> Option<BlobId> {
        self.entries.get(path)?.id
    }
}

impl Roll {
    fn new(file: &CaseFile) -> Self {
        let cases: Vec<Stand> = file.cases.iter().map(Stand::of).collect();
        let mut by_id: HashMap<CaseId, Vec<usize>> = HashMap::new();
        for (at, case) in cases.iter().enumerate() {
            by_id.entry(case.id.clone()).or_default().push(at);
        }
        Self { cases, by_id }
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
