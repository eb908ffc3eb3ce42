//! How much it says that a text names a section: an id or a file is no chance, a word that is also a title may be.

use std::collections::BTreeSet;

use super::{CaseText, Ground, likeness};
use crate::cases;
use crate::manual::{SectionKind, SectionRef, Target};
use crate::source::RepoPath;

/// What a text names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) targets: Vec<Target>,
    pub(super) grade: Grade,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Grade {
    /// Nothing.
    #[default]
    Miss,
    /// A title, a number: words that mean something else elsewhere.
    Chance,
    /// An id, a file, a place in a file: nothing else looks like it.
    Sure,
}

impl Ground<'_> {
    /// What a citation of a file would name.
    pub(super) fn named(&self, cited: &str, citing: &RepoPath) -> Named {
        let targets = self.index.named(cited, Some(citing));
        let grade = if targets.is_empty() {
            Grade::Miss
        } else if self.is_sure(cited, &targets) {
            Grade::Sure
        } else {
            Grade::Chance
        };
        Named { targets, grade }
    }

    fn is_sure(&self, cited: &str, targets: &[Target]) -> bool {
        let section = |at: &SectionRef| &self.documents[at.document].sections[at.section];
        let is_clause = |target: &Target| match target {
            Target::Section(at) => section(at).kind == SectionKind::Clause,
            Target::File(_) => true,
        };
        // Where only the slug is alike, `page-2` may be anything.
        let is_written_so = |target: &Target| match target {
            Target::Section(at) => {
                section(at).title.starts_with(cited) || section(at).id.0 == cited && section(at).explicit
            }
            Target::File(_) => true,
        };
        let is_path = cited.contains('/') && !cited.contains(char::is_whitespace);
        likeness::is_identifier(cited) && targets.iter().any(is_written_so)
            || likeness::is_file_reference(cited)
            || is_path
            || cited.starts_with(['§', '#'])
            || targets.iter().all(is_clause)
    }
}

/// The words in a longer text that may be citations: ids and files.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |character: char| character.is_whitespace() || "()[]{}<>,;\"'`|*".contains(character);
    let words = text.split(is_mark).map(|word| word.trim_end_matches(['.', ':', '!', '?']));
    words.filter(|word| likeness::is_identifier(word) || likeness::is_file_reference(word))
}

/// Everything in the values of the files that an id of the manual could be compared with.
pub(super) fn words<'f>(files: &'f [CaseText<'_>]) -> BTreeSet<&'f str> {
    let mut words = BTreeSet::new();
    let fields = files.iter().flat_map(|file| &file.mappings).flat_map(|mapping| &mapping.fields);
    for field in fields {
        words.insert(field.key.as_str());
        for value in &field.values {
            words.extend(cases::cited(value));
            words.extend(tokens(value));
        }
    }
    words
}
