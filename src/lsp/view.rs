//! The manual as it stands in the editor: the checked one, with the texts in it that are open and not saved yet. What
//! became of the citations since their review only a check knows.

use std::cell::OnceCell;
use std::sync::Arc;

use super::documents::Documents;
use super::project::Project;
use crate::cases::Scope;
use crate::manual::{self, Index, Manual, SectionKind, SectionRef, Target};
use crate::source::{Rev, Sources, Span};

/// The manual, and what citations name in it.
pub(super) struct View {
    pub(super) sources: Sources,
    pub(super) index: Index,
    citable: OnceCell<Vec<Citable>>,
}

/// A section and its shortest citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Citable {
    pub(super) citation: String,
    /// Number and title.
    pub(super) name: String,
    /// `docs/manual.md:12`.
    pub(super) place: String,
    /// The other names that it may be cited by: its whole path, its file and anchor, its title.
    pub(super) others: [String; 3],
}

impl View {
    pub(super) fn new(project: &Project, documents: &Documents) -> Self {
        let mut sources = project.sources.clone();
        let mut manual = project.checked.after.manual.clone();
        let open = documents.by_file(&project.places);
        for document in &mut manual.documents {
            let Some(open) = open.get(&document.path) else { continue };
            if !open.is(&sources.get(document.source).text) {
                let (path, text) = (document.path.clone(), Arc::clone(&open.text));
                let source = sources.add(Rev::Worktree, path.clone(), Arc::clone(&text));
                *document = Arc::new(manual::parse(source, &path, &text, &project.config.sections).value);
            }
        }
        let index = Index::new(&manual, &project.base_urls);
        Self { sources, index, citable: OnceCell::new() }
    }

    pub(super) fn manual(&self) -> &Manual {
        self.index.manual()
    }

    /// The heading of a section; the start of a file.
    pub(super) fn heading(&self, target: Target) -> Span {
        match target {
            Target::Section(at) => self.manual().section(at).heading,
            Target::File(file) => Span::new(self.manual().documents[file].source, 0, 0),
        }
    }

    /// All that a citation speaks of.
    pub(super) fn extent(&self, target: Target, scope: Scope) -> Span {
        match target {
            Target::Section(at) => self.section_extent(at, scope),
            Target::File(file) => {
                let source = self.manual().documents[file].source;
                Span::new(source, 0, self.sources.get(source).text.len())
            }
        }
    }

    fn section_extent(&self, at: SectionRef, scope: Scope) -> Span {
        let document = self.manual().document(at);
        let own = document.sections[at.section].extent;
        let last = match scope {
            Scope::Whole => document.subtree(at.section).last().unwrap_or(at.section),
            Scope::Own => at.section,
        };
        Span { end: document.sections[last].extent.end.max(own.end), ..own }
    }

    /// Number and title of a section, or the name of a file.
    pub(super) fn name(&self, target: Target) -> String {
        match target {
            Target::Section(at) => {
                let section = self.manual().section(at);
                let number = section.number.as_deref().filter(|number| *number != section.title).unwrap_or("");
                let name = format!("{number} {}", section.title);
                if name.trim().is_empty() { self.file_name(at.document) } else { name.trim().to_owned() }
            }
            Target::File(file) => self.file_name(file),
        }
    }

    /// `docs/manual.md:12`.
    pub(super) fn place(&self, target: Target) -> String {
        match target {
            Target::Section(at) => format!("{}:{}", self.file_name(at.document), self.manual().section(at).line),
            Target::File(file) => self.file_name(file),
        }
    }

    fn file_name(&self, file: usize) -> String {
        self.manual().documents[file].path.to_string()
    }

    /// Every section, with the shortest citation that names it and no other.
    pub(super) fn citable(&self) -> &[Citable] {
        self.citable.get_or_init(|| {
            let sections = self.manual().sections().filter(|(_, section)| section.kind != SectionKind::Preamble);
            let citable = sections.map(|(at, section)| {
                let inside = section.anchors.first().unwrap_or(&section.path);
                let anchor = format!("{}#{inside}", self.file_name(at.document));
                Citable {
                    citation: self.index.shortest(at),
                    name: self.name(Target::Section(at)),
                    place: self.place(Target::Section(at)),
                    others: [section.path.clone(), anchor, section.title.clone()],
                }
            });
            citable.collect()
        })
    }
}
