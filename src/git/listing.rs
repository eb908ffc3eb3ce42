//! What files a tree or the index lists, found out once: a run asks several questions of the same few revisions.
//! Selects nothing and reads no file.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use git2::Oid;

use super::error::Error;
use super::open::Repo;
use super::snapshot::{Entry, is_intent_to_add, is_unmerged};
use super::tree;
use crate::source::RepoPath;

/// How many trees are remembered: both ends of what is compared.
const MOST_TREES: usize = 2;

/// Files in the order of their paths.
pub(super) type Listing = Rc<Vec<(RepoPath, Entry)>>;

/// The listings of a run.
#[derive(Default)]
pub(super) struct Listings {
    index: OnceCell<Staged>,
    /// Of trees, the last one that was asked for at the end.
    trees: RefCell<Vec<(Oid, Listing)>>,
}

/// The files of the index.
pub(super) struct Staged {
    pub(super) files: Vec<(RepoPath, Entry)>,
    /// With `git add -N`: without content, so that a commit would not take them.
    pub(super) announced: Vec<RepoPath>,
    /// Paths with a conflict, which are no files of the next commit yet.
    unmerged: BTreeSet<RepoPath>,
}

impl Staged {
    /// An error if a file with a conflict is wanted.
    pub(super) fn ensure_merged(&self, want: &dyn Fn(&RepoPath) -> bool) -> Result<(), Error> {
        let unmerged: Vec<RepoPath> = self.unmerged.iter().filter(|path| want(path)).cloned().collect();
        if unmerged.is_empty() { Ok(()) } else { Err(Error::Unmerged(unmerged)) }
    }
}

impl Repo {
    /// Every file of a tree.
    pub(super) fn tree_listing(&self, tree: Oid) -> Result<Listing, Error> {
        let mut trees = self.listings.trees.borrow_mut();
        if let Some(known) = trees.iter().position(|(id, _)| *id == tree) {
            return Ok(Rc::clone(&trees[known].1));
        }
        // Most trees of a run are much alike: what differs from the last one is found without looking at the rest.
        let mut changed = BTreeMap::new();
        let last = trees.last();
        tree::compare(self, last.map(|(id, _)| *id), Some(tree), &mut |path, _, after| {
            changed.insert(path, after);
        })?;
        let kept = last.iter().flat_map(|(_, files)| files.iter()).filter(|(path, _)| !changed.contains_key(path));
        let mut files: Vec<(RepoPath, Entry)> = kept.cloned().collect();
        files.extend(changed.into_iter().filter_map(|(path, entry)| Some((path, entry?))));
        files.sort_by(|(one, _), (other, _)| one.cmp(other));
        let listing = Rc::new(files);
        if trees.len() == MOST_TREES {
            trees.remove(0);
        }
        trees.push((tree, Rc::clone(&listing)));
        Ok(listing)
    }

    /// Every file of the index that a commit would take.
    pub(super) fn index_listing(&self) -> Result<&Staged, Error> {
        if let Some(known) = self.listings.index.get() {
            return Ok(known);
        }
        let mut staged = Staged { files: Vec::new(), announced: Vec::new(), unmerged: BTreeSet::new() };
        for raw in self.index()?.iter() {
            let path = RepoPath::new(&raw.path);
            if is_unmerged(&raw) {
                staged.unmerged.insert(path);
            } else if is_intent_to_add(&raw) {
                staged.announced.push(path);
            } else {
                staged.files.push((path, Entry::of_index(&raw)));
            }
        }
        Ok(self.listings.index.get_or_init(|| staged))
    }
}
