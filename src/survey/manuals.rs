//! Which pages are the manual: those that cases cite and their neighbours; where nothing cites, the folders with most of
//! the text. Texts about the project, templates and other people's pages stay out.

use std::collections::{BTreeMap, BTreeSet};

use super::ids::{self, IdPattern};
use super::roles::{self, Role};
use super::{Doubt, Ground, cover};
use crate::config::Globs;
use crate::manual::SectionKind;
use crate::source::RepoPath;

/// Names of folders that hold a manual as a whole.
const MANUAL_FOLDERS: &[&str] = &[
    "manual",
    "manuals",
    "spec",
    "specs",
    "specification",
    "specifications",
    "standards",
    "requirements",
    "reqs",
    "handbook",
    "reference",
    "baselines",
    "rules",
    "guide",
    "policies",
    "procedures",
];
/// Where nothing cites, a folder with less of the sections than this many percent is passed by.
const LEAST_SHARE: usize = 15;
/// So many numbered paragraphs in a text without headings are its sections.
const NUMBERED: usize = 5;

/// The manual as it is proposed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Manuals {
    pub(crate) patterns: Vec<String>,
    /// Selected files, and the sections in them.
    pub(crate) files: usize,
    pub(crate) sections: usize,
    /// Selected files that a case cites.
    pub(crate) cited: usize,
    /// Pages that the patterns leave out, by why.
    pub(crate) left_out: BTreeMap<Role, usize>,
    globs: Option<Globs>,
}

impl Manuals {
    pub(super) fn has(&self, path: &RepoPath) -> bool {
        self.globs.as_ref().is_some_and(|globs| globs.matches(path))
    }
}

/// Finds the manual around the documents that are cited.
pub(super) fn find(ground: &Ground<'_>, cited: &BTreeSet<usize>, marked: &[IdPattern]) -> (Manuals, Vec<Doubt>) {
    let paths: Vec<String> = ground.pages.iter().map(|page| page.path.to_string()).collect();
    let pages: Vec<usize> = (0..paths.len()).filter(|at| roles::role(&ground.pages[*at].path) == Role::Page).collect();
    let mut doubts = Vec::new();
    let folders: BTreeSet<&str> = if cited.is_empty() {
        let marked = with_marks(ground, &pages, marked);
        doubts.push(if pages.is_empty() { Doubt::NoManual } else { Doubt::Uncited });
        by_weight(ground, &paths, if marked.is_empty() { &pages } else { &marked })
    } else {
        around(&paths, cited)
    };
    let is_inside =
        |at: &usize| folders.iter().any(|folder| !folder.is_empty() && cover::in_folder(&paths[*at], folder).is_some());
    let at_root = |at: &usize| !paths[*at].contains('/') && folders.contains("");
    let wanted: BTreeSet<usize> = if cited.is_empty() {
        pages.iter().copied().filter(|at| is_inside(at) || at_root(at)).collect()
    } else {
        pages.iter().copied().filter(is_inside).chain(cited.iter().copied()).collect()
    };
    let mut patterns = selecting(ground, &paths, &wanted);
    patterns.extend(excluding(ground, &paths, &wanted));
    let mut manuals = Manuals { globs: Globs::of_manuals(&patterns), patterns, ..Manuals::default() };
    measure(ground, cited, &mut manuals);
    let others: Vec<&usize> = pages.iter().filter(|at| !manuals.has(&ground.pages[**at].path)).collect();
    if let Some(example) = others.first().filter(|_| !cited.is_empty()) {
        doubts.push(Doubt::OtherPages { count: others.len(), example: paths[**example].clone() });
    }
    (manuals, doubts)
}

/// Numbered paragraphs of the manual's texts without headings, where there are enough to be meant.
pub(super) fn numbered(ground: &Ground<'_>, manuals: &Manuals) -> usize {
    let selected = ground.documents.iter().filter(|document| manuals.has(&document.path));
    let counts = selected.map(|it| it.sections.iter().filter(|section| section.kind == SectionKind::Paragraph).count());
    counts.filter(|count| *count >= NUMBERED).sum()
}

/// The folders of the cited files, and those around them whose name says that they hold all of it.
fn around<'p>(paths: &'p [String], cited: &BTreeSet<usize>) -> BTreeSet<&'p str> {
    let mut tops: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in cited.iter().map(|at| paths[*at].as_str()) {
        let top = path.split_once('/').map_or("", |(top, _)| top);
        tops.entry(top).or_default().push(path);
    }
    let whole = |folder: &'p str| {
        let name = |folder: &str| folder.rsplit('/').next().unwrap_or_default().to_lowercase();
        let outer = std::iter::successors(Some(folder), |it| it.contains('/').then(|| cover::above(it)));
        outer.filter(|it| MANUAL_FOLDERS.contains(&name(it).as_str())).last().unwrap_or(folder)
    };
    tops.values().map(|paths| whole(cover::common_folder(paths))).collect()
}

fn with_marks(ground: &Ground<'_>, pages: &[usize], marked: &[IdPattern]) -> Vec<usize> {
    if ids::regexes(marked).is_empty() {
        return Vec::new();
    }
    let has_clause =
        |at: &usize| ground.documents[*at].sections.iter().any(|section| section.kind == SectionKind::Clause);
    pages.iter().copied().filter(has_clause).collect()
}

/// The folders at the root with most of the sections, each as narrow as its pages allow; empty stands for the root.
fn by_weight<'p>(ground: &Ground<'_>, paths: &'p [String], pages: &[usize]) -> BTreeSet<&'p str> {
    let mut tops: BTreeMap<&str, (usize, Vec<&str>)> = BTreeMap::new();
    for at in pages {
        let top = paths[*at].split_once('/').map_or("", |(top, _)| top);
        let (sections, files) = tops.entry(top).or_default();
        *sections += ground.documents[*at].sections.len();
        files.push(&paths[*at]);
    }
    let all: usize = tops.values().map(|(sections, _)| sections).sum();
    let is_big = |sections: usize| sections > 0 && sections * 100 >= all * LEAST_SHARE;
    tops.values().filter(|(sections, _)| is_big(*sections)).map(|(_, files)| cover::common_folder(files)).collect()
}

/// Other pages are kept out by how the folders are chosen, texts about the project by name.
fn selecting(ground: &Ground<'_>, paths: &[String], wanted: &BTreeSet<usize>) -> Vec<String> {
    let (wanted, mut unwanted): (Vec<usize>, Vec<usize>) = (0..paths.len()).partition(|at| wanted.contains(at));
    unwanted.retain(|at| roles::role(&ground.pages[*at].path) == Role::Page);
    let mut found = Vec::new();
    for ending in [".md", ".markdown"] {
        let of_kind = |list: &[usize]| -> Vec<&str> {
            list.iter().map(|at| paths[*at].as_str()).filter(|path| path.ends_with(ending)).collect()
        };
        found.extend(cover::patterns(&of_kind(&wanted), &of_kind(&unwanted)));
    }
    found
}

/// Patterns for what the others take in and must not. A name that is about the project is so in every folder.
fn excluding(ground: &Ground<'_>, paths: &[String], wanted: &BTreeSet<usize>) -> Vec<String> {
    let Some(globs) = Globs::of_manuals(&selecting(ground, paths, wanted)) else { return Vec::new() };
    let taken = (0..paths.len()).filter(|at| globs.matches(&RepoPath::new(&paths[*at])) && !wanted.contains(at));
    let names: BTreeSet<&str> = taken.map(|at| paths[at].rsplit('/').next().unwrap_or(&paths[at])).collect();
    let back = wanted.iter().map(|at| paths[*at].as_str());
    let back = back.filter(|path| names.contains(path.rsplit('/').next().unwrap_or(path))).map(cover::exactly);
    let others: Vec<String> =
        ground.other_pages.iter().filter(|path| globs.matches(path)).map(RepoPath::to_string).collect();
    let of_others = others.iter().map(|path| match roles::folder_of_kind(path) {
        Some(folder) => format!("!{}/", cover::escaped(folder)),
        None => format!("!{}", cover::escaped(path.rsplit('/').next().unwrap_or(path))),
    });
    let of_others: BTreeSet<String> = of_others.collect();
    names.iter().map(|name| format!("!{}", cover::escaped(name))).chain(of_others).chain(back).collect()
}

fn measure(ground: &Ground<'_>, cited: &BTreeSet<usize>, manuals: &mut Manuals) {
    for (at, document) in ground.documents.iter().enumerate() {
        if manuals.has(&document.path) {
            manuals.files += 1;
            manuals.sections += document.sections.len();
            manuals.cited += usize::from(cited.contains(&at));
        } else {
            *manuals.left_out.entry(roles::role(&document.path)).or_default() += 1;
        }
    }
    for path in ground.other_pages {
        if !manuals.has(path) {
            *manuals.left_out.entry(roles::role(path)).or_default() += 1;
        }
    }
}
