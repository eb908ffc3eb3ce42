//! Which files are read where there are too many for a quick look: the same ones on every run, spread over the folders.

use std::collections::BTreeMap;

use super::roles;
use crate::source::RepoPath;

/// As many pages as the largest manuals have; a citation can only be tried against what was read.
const MOST_PAGES: usize = 4000;
/// More case files say nothing else.
const MOST_CASE_FILES: usize = 1500;

/// The files to read, sorted by path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) pages: Vec<RepoPath>,
    pub(crate) yaml: Vec<RepoPath>,
    /// Markdown files that can't be part of the manual, whatever is in them.
    pub(crate) other_pages: Vec<RepoPath>,
    /// How many there are of each, read or not.
    pub(crate) all_pages: usize,
    pub(crate) all_yaml: usize,
}

/// Chooses among the paths of a repository, which are sorted.
pub(crate) fn sample<'a>(paths: impl Iterator<Item = &'a RepoPath>) -> Sample {
    let (mut pages, mut yaml, mut other_pages) = (Vec::new(), Vec::new(), Vec::new());
    // A pattern is text, so it can't name a path that is none.
    for path in paths.filter(|path| std::str::from_utf8(path.as_bytes()).is_ok()) {
        if is_page(path) {
            let list = if roles::may_be_manual(path) { &mut pages } else { &mut other_pages };
            list.push(path.clone());
        } else if is_yaml(path) && roles::may_hold_cases(path) {
            yaml.push(path.clone());
        }
    }
    let (all_pages, all_yaml) = (pages.len(), yaml.len());
    let (pages, yaml) = (spread(pages, MOST_PAGES), spread(yaml, MOST_CASE_FILES));
    Sample { pages, yaml, other_pages, all_pages, all_yaml }
}

impl Sample {
    pub(crate) fn is_all(&self) -> bool {
        self.pages.len() == self.all_pages && self.yaml.len() == self.all_yaml
    }
}

pub(crate) fn is_page(path: &RepoPath) -> bool {
    ends_with(path, &["md", "markdown"])
}

pub(crate) fn is_yaml(path: &RepoPath) -> bool {
    ends_with(path, &["yaml", "yml"])
}

fn ends_with(path: &RepoPath, endings: &[&str]) -> bool {
    let ending = path.as_bytes().rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    endings.iter().any(|it| it.as_bytes() == ending)
}

/// At most `most` of them: of each folder up to a number that is the same for all, so that a small folder is read whole
/// beside a huge one, and at even distances.
fn spread(all: Vec<RepoPath>, most: usize) -> Vec<RepoPath> {
    if all.len() <= most {
        return all;
    }
    let mut folders: BTreeMap<Vec<u8>, Vec<RepoPath>> = BTreeMap::new();
    for path in all {
        let bytes = path.as_bytes();
        let folder = bytes.iter().rposition(|byte| *byte == b'/').map_or(&[][..], |slash| &bytes[..slash]).to_vec();
        folders.entry(folder).or_default().push(path);
    }
    let read = |share: usize| folders.values().map(|files| files.len().min(share)).sum::<usize>();
    let share = (1..=most).rev().find(|share| read(*share) <= most);
    let mut spread = match share {
        Some(share) => folders.values().flat_map(|files| evenly(files, share)).collect(),
        None => evenly(&folders.into_values().flatten().collect::<Vec<_>>(), most),
    };
    spread.sort();
    spread
}

fn evenly(files: &[RepoPath], most: usize) -> Vec<RepoPath> {
    let count = files.len().min(most);
    (0..count).map(|at| files[at * files.len() / count].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_files_are_thinned_out_where_there_are_most() {
        let huge = (0..9000).map(|at| format!("deploy/{:02}/{at:04}.yaml", at / 1000));
        let paths: Vec<RepoPath> =
            huge.chain((0..30).map(|at| format!("tests/{at:02}.yaml"))).map(RepoPath::new).collect();
        let sample = sample(paths.iter());
        assert!(!sample.is_all() && sample.yaml.len() <= MOST_CASE_FILES && sample.all_yaml == 9030);
        let read = |prefix: &str| sample.yaml.iter().filter(|path| path.to_string().starts_with(prefix)).count();
        assert_eq!((read("tests/"), read("deploy/00/"), read("deploy/08/")), (30, 163, 163));
    }

    #[test]
    fn folders_without_number_are_thinned_out_themselves() {
        let paths: Vec<RepoPath> = (0..4500).map(|at| RepoPath::new(format!("{at:04}/a.yaml"))).collect();
        assert_eq!(sample(paths.iter()).yaml.len(), MOST_CASE_FILES);
    }

    #[test]
    fn only_what_can_matter_is_read() {
        let paths = ["CHANGELOG.md", "a.md", "a.yaml", "b.rs", "vendor/a.md"].map(RepoPath::new);
        let sample = sample(paths.iter());
        assert_eq!(sample.pages, ["CHANGELOG.md", "a.md"].map(RepoPath::new));
        assert_eq!(sample.yaml, [RepoPath::new("a.yaml")]);
        assert!(sample.is_all());
    }
}
