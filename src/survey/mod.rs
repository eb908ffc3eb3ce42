//! A look at a repository that has no configuration yet: where its manual is, how its cases cite, which ids it uses.
//! Finds out by trying what names a section, and counts. Reads no files and chooses no words.
//!
//! One file answers one question. What is found holds for any repository that shows it: nothing here knows a project.

mod addresses;
mod case_ids;
mod cover;
mod evidence;
mod groups;
mod ids;
mod keys;
mod likeness;
mod manuals;
mod names;
mod roles;
mod sample;
#[cfg(test)]
mod tests;
mod trial;

use std::sync::Arc;

use crate::cases::{self, Mapping};
use crate::manual::{self, Document, Index, Manual};
use crate::source::{RepoPath, Rev, Sources};

pub(crate) use addresses::Address;
pub(crate) use groups::Group;
pub(crate) use ids::IdPattern;
pub(crate) use keys::{CitingKey, Count};
pub(crate) use manuals::Manuals;
pub(crate) use roles::Role;
pub(crate) use sample::{Sample, is_page, is_yaml, sample};
pub(crate) use trial::Trial;

/// A file that was read.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) path: RepoPath,
    pub(crate) text: String,
}

/// What a repository shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    pub(crate) manuals: Manuals,
    /// Case files of one shape each.
    pub(crate) groups: Vec<Group>,
    pub(crate) ids: Vec<IdPattern>,
    /// How many numbered paragraphs there are in texts without headings; 0 where they are no sections.
    pub(crate) numbered: usize,
    pub(crate) addresses: Vec<Address>,
    pub(crate) doubts: Vec<Doubt>,
    /// What came out when all of it was tried.
    pub(crate) trial: Trial,
}

/// Something that a person has to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// No page with sections was found.
    NoManual,
    /// No key was found whose values name sections.
    NoCitations,
    /// The manual was told by its folders alone, because nothing cites it.
    Uncited,
    /// The values of a key are titles of sections as well, which may be chance.
    Chance { key: String, count: Count },
    /// A key was taken although its values may only look like titles by chance.
    Weak { key: String, count: Count },
    /// The keys of mappings name sections; only values, and keys of scalars, can be citations.
    KeysOfMappings { under: String, count: Count },
    /// A key cites in its text, but one pattern can't serve it and the keys beside it.
    Prose { key: String, count: Count },
    /// Nothing identifies the cases of a group well.
    Ids { keys: Vec<String> },
    /// Pages outside the proposed folders that nothing cites.
    OtherPages { count: usize, example: String },
    /// A marker would open several sections with one id in one file.
    RepeatedIds { pattern: String, example: String },
}

/// What all questions look at.
struct Ground<'a> {
    /// Every page that may be part of a manual.
    pages: &'a [Text],
    /// Pages that may not.
    other_pages: &'a [RepoPath],
    documents: Vec<Arc<Document>>,
    addresses: &'a [Address],
    index: Index,
    files: Vec<CaseText<'a>>,
}

/// A YAML file that may hold cases.
struct CaseText<'a> {
    path: &'a RepoPath,
    text: &'a str,
    mappings: Vec<Mapping>,
}

/// Looks at the files that were read. `other_pages` are Markdown files that can't be the manual's.
pub(crate) fn survey(pages: &[Text], yaml: &[Text], other_pages: &[RepoPath]) -> Survey {
    let files: Vec<CaseText<'_>> = yaml.iter().map(CaseText::of).collect();
    let marked = ids::find(pages, &files);
    let options = manual::Options { id_patterns: ids::regexes(&marked), numbered_paragraphs: true };
    let documents = parse(pages, &options);
    let addresses = addresses::find(&documents, &files);
    let index = Index::new(&Manual { documents: documents.clone() }, &addresses::base_urls(&addresses));
    let ground = Ground { pages, other_pages, documents, addresses: &addresses, index, files };

    let keys::Found { keys, mut doubts } = keys::find(&ground);
    let (mut groups, more) = groups::group(&ground, keys);
    doubts.extend(more);
    let cited = groups::cited_documents(&ground, &groups);
    let (manuals, more) = manuals::find(&ground, &cited, &marked);
    doubts.extend(more);
    let ids = ids::within(marked, &ground, &manuals);
    doubts.extend(ids::repeated(&ids));
    let numbered = manuals::numbered(&ground, &manuals);
    if groups.is_empty() {
        doubts.push(Doubt::NoCitations);
    }
    let trial = trial::settle(&ground, &manuals, &mut groups);
    Survey { manuals, groups, ids, numbered, addresses, doubts, trial }
}

fn parse(pages: &[Text], options: &manual::Options) -> Vec<Arc<Document>> {
    let mut sources = Sources::default();
    let parse = |page: &Text| {
        let source = sources.add(Rev::Worktree, page.path.clone(), page.text.as_str());
        Arc::new(manual::parse(source, &page.path, &page.text, options).value)
    };
    pages.iter().map(parse).collect()
}

impl<'a> CaseText<'a> {
    fn of(text: &'a Text) -> Self {
        Self { path: &text.path, text: &text.text, mappings: cases::mappings(&text.text) }
    }
}
