//! Which files are read where there are too many for a quick look: the same ones on every run, spread over the folders.

use crate::source::RepoPath;

use super::roles;

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
    for path in paths {
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

/// At most `most` of them at even distances.
fn spread(all: Vec<RepoPath>, most: usize) -> Vec<RepoPath> {
    if all.len() <= most {
        return all;
    }
    (0..most).map(|at| all[at * all.len() / most].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_files_are_thinned_out_evenly() {
        let paths: Vec<RepoPath> =
            (0..4500).map(|at| RepoPath::new(format!("cases/{:02}/{at:04}.yaml", at / 100))).collect();
        let sample = sample(paths.iter());
        assert_eq!((sample.yaml.len(), sample.all_yaml, sample.is_all()), (MOST_CASE_FILES, 4500, false));
        for folder in 0..45 {
            let prefix = format!("cases/{folder:02}/");
            assert!(sample.yaml.iter().any(|path| path.to_string().starts_with(&prefix)), "{prefix}");
        }
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
