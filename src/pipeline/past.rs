//! How the files of earlier revisions are read: as the settings say now, and what these do not know there, and what is not
//! in the checked revision either, as the settings said that held then. Where a folder or a key gets another name in the
//! repository and in the configuration at once, the cases and sections of before are found that way; else all of them would
//! seem to begin there. What is checked is read as the settings say now.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
    /// By the content of the configuration; `None` for one that reads like the present one.
    former: RefCell<BTreeMap<BlobId, Option<Rc<Config>>>>,
    /// Which of them held at a revision that was asked for.
    held: RefCell<HashMap<Rev, Option<Rc<Config>>>>,
    /// All files of the checked revision, found out when former settings are.
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

    /// Looks at the settings of a revision; whether they are news and select other files or read other keys.
    pub(super) fn learn_settings(&self, rev: &Rev) -> Result<bool, Error> {
        let Ok(Some((_, entry))) = locate_config(&self.repo, rev, &self.configured) else { return Ok(false) };
        let Some(id) = entry.id.filter(|id| !self.past.former.borrow().contains_key(id)) else { return Ok(false) };
        let settings = self.settings(rev).map(|settings| settings.config);
        let former = settings.filter(|config| !config.reads_like(&self.config)).map(Rc::new);
        let is_news = former.is_some();
        self.past.former.borrow_mut().insert(id, former);
        if is_news && self.past.here.get().is_none() {
            let here = self.repo.snapshot(&self.after.rev, &|_| true)?.entries.into_keys().collect();
            self.past.here.get_or_init(|| here);
        }
        Ok(is_news)
    }

    /// Whether a file of a revision belongs to the manual.
    pub(super) fn was_manual(&self, rev: &Rev, path: &RepoPath) -> bool {
        let held = || self.held_at(rev).is_some_and(|config| config.is_manual(path));
        self.config.is_manual(path) || (!self.is_here(path) && held())
    }

    /// How a file of a revision may be read for cases: the first shape that finds any is the right one.
    pub(super) fn former_shapes(&self, rev: &Rev, path: &RepoPath) -> Vec<Shape> {
        let now = self.config.case_group(path);
        let held = self.held_at(rev).filter(|_| now.is_some() || !self.is_here(path));
        let then = held.as_ref().and_then(|config| config.case_group(path));
        now.into_iter().chain(then).map(|group| group.shape.clone()).collect()
    }

    /// The former settings that held at a revision, if they are not like the present ones.
    fn held_at(&self, rev: &Rev) -> Option<Rc<Config>> {
        // Without former settings all files of the checked revision are unknown, and nothing is asked.
        self.past.here.get()?;
        if let Some(known) = self.past.held.borrow().get(rev) {
            return known.clone();
        }
        let located = locate_config(&self.repo, rev, &self.configured).ok().flatten();
        let id = located.and_then(|(_, entry)| entry.id);
        let held = id.and_then(|id| self.past.former.borrow().get(&id).cloned().flatten());
        self.past.held.borrow_mut().insert(rev.clone(), held.clone());
        held
    }

    /// Whether a file of any revision may be a manual's or a case file's.
    pub(super) fn was_wanted(&self, path: &RepoPath) -> bool {
        let selects = |config: &Rc<Config>| config.is_manual(path) || config.case_group(path).is_some();
        self.is_wanted(path) || (!self.is_here(path) && self.past.former.borrow().values().flatten().any(selects))
    }

    fn is_here(&self, path: &RepoPath) -> bool {
        self.past.here.get().is_none_or(|here| here.contains(path))
    }
}
