//! How the files of earlier revisions are read: as the settings say now, and what they do not know as settings said that
//! stood before. Where a folder or a key gets another name in the repository and in the configuration at once, the cases and
//! sections of before are found that way; else all of them would seem to begin there. What is checked is read as the
//! settings say now.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use super::load::locate_config;
use super::{Lineage, Session};
use crate::cases::Shape;
use crate::config::{self, Config};
use crate::error::Error;
use crate::git::{BlobId, Snapshot};
use crate::source::{CommitId, RepoPath, Rev};

/// Settings of revisions before the checked one that select other files or read other keys.
#[derive(Default)]
pub(super) struct Past {
    former: RefCell<Vec<Rc<Config>>>,
    /// The contents of configurations that were looked at.
    seen: RefCell<BTreeSet<BlobId>>,
    /// All files of the checked revision. Of these its settings have the say.
    here: OnceCell<BTreeSet<RepoPath>>,
}

impl Session {
    /// The history of the checked revision, but for that of `base`.
    pub(super) fn lineage(&self, tip: &Snapshot, base: &Rev) -> Result<Lineage, Error> {
        let exclude: Vec<CommitId> = base.commit().cloned().into_iter().collect();
        let candidates = match &self.configured.file {
            Some(file) => vec![file.clone()],
            None => config::candidates(),
        };
        loop {
            let is_wanted = |path: &RepoPath| candidates.contains(path) || self.was_wanted(path);
            let mut lineage = Lineage::new(&self.repo, tip, &exclude, &is_wanted)?;
            let mut has_learned = false;
            for rev in lineage.without(&candidates) {
                has_learned |= self.learn_settings(&rev)?;
            }
            if !has_learned {
                return Ok(lineage);
            }
        }
    }

    /// Looks at the settings of a revision; whether they select other files than all that are known.
    pub(super) fn learn_settings(&self, rev: &Rev) -> Result<bool, Error> {
        let Ok(Some((_, entry))) = locate_config(&self.repo, rev, &self.configured) else { return Ok(false) };
        if entry.id.is_none_or(|id| !self.past.seen.borrow_mut().insert(id)) {
            return Ok(false);
        }
        let Some(config) = self.settings(rev).map(|settings| settings.config) else { return Ok(false) };
        let mut former = self.past.former.borrow_mut();
        if config.reads_like(&self.config) || former.iter().any(|known| known.reads_like(&config)) {
            return Ok(false);
        }
        if self.past.here.get().is_none() {
            let here = self.repo.snapshot(&self.after.rev, &|_| true)?.entries.into_keys().collect();
            self.past.here.get_or_init(|| here);
        }
        former.push(Rc::new(config));
        Ok(true)
    }

    /// Whether a file of an earlier revision belongs to the manual.
    pub(super) fn was_manual(&self, path: &RepoPath) -> bool {
        self.config.is_manual(path) || self.former_of(path).any(|config| config.is_manual(path))
    }

    /// How a file of an earlier revision may be read for cases: the first shape that finds any is the right one.
    pub(super) fn former_shapes(&self, path: &RepoPath) -> Vec<Shape> {
        let now = self.config.case_group(path).map(|group| group.shape.clone());
        let former = self.past.former.borrow();
        let is_known = now.is_some() || !self.is_here(path);
        let before = former.iter().filter(|_| is_known && !self.was_manual(path));
        now.into_iter().chain(before.filter_map(|it| Some(it.case_group(path)?.shape.clone()))).collect()
    }

    pub(super) fn was_wanted(&self, path: &RepoPath) -> bool {
        self.is_wanted(path) || self.former_of(path).any(|it| it.is_manual(path) || it.case_group(path).is_some())
    }

    /// The former settings that may select a file: none where the file is still there.
    fn former_of(&self, path: &RepoPath) -> impl Iterator<Item = Rc<Config>> {
        let former = if self.is_here(path) { Vec::new() } else { self.past.former.borrow().clone() };
        former.into_iter()
    }

    fn is_here(&self, path: &RepoPath) -> bool {
        self.past.here.get().is_none_or(|here| here.contains(path))
    }
}
