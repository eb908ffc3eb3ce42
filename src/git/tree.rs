//! Compares trees without reading a file: equal subtrees are skipped, so the cost grows with what differs.

use std::cmp::Ordering;

use git2::{ObjectType, Oid, Tree, TreeEntry};

use super::error::Error;
use super::open::Repo;
use super::snapshot::{BlobId, Entry, Mode};
use crate::source::RepoPath;

/// How many bytes of paths one comparison may meet. A million files need a fifth of it; a few kilobytes of trees that
/// name each other many times over would never end.
const PATH_BUDGET: usize = 1 << 28;

/// Told of each difference: the path, its entry before, its entry after.
pub(super) type Visit<'v> = dyn FnMut(RepoPath, Option<Entry>, Option<Entry>) + 'v;

/// A directory still to be compared.
struct Level {
    /// Empty, or ends with `/`.
    prefix: Vec<u8>,
    before: Option<Oid>,
    after: Option<Oid>,
}

/// The entries of one directory in one of the trees, read from first to last.
struct Side<'t> {
    entries: Vec<TreeEntry<'t>>,
    at: usize,
}

/// A name and whether it is a directory; ordered as git sorts trees.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key<'t>(&'t [u8], bool);

/// Visits every file that is another one in the tree `after` than in the tree `before`, or in only one of them. `None` is
/// the empty tree. Comes in no particular order.
pub(super) fn compare(
    repo: &Repo,
    before: Option<Oid>,
    after: Option<Oid>,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    compare_within(repo, before, after, PATH_BUDGET, visit)
}

fn compare_within(
    repo: &Repo,
    before: Option<Oid>,
    after: Option<Oid>,
    mut budget: usize,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let mut levels = vec![Level { prefix: Vec::new(), before, after }];
    while let Some(level) = levels.pop() {
        if level.before == level.after {
            continue;
        }
        let (there, here) = (read(repo, &level.prefix, level.before)?, read(repo, &level.prefix, level.after)?);
        let (mut there, mut here) = (Side::new(&there), Side::new(&here));
        while let Some(cost) = step((&mut there, &mut here), &level.prefix, &mut levels, visit) {
            budget = budget.checked_sub(cost).ok_or_else(|| too_many(&level))?;
        }
    }
    Ok(())
}

/// Compares the next name of a directory. Returns how long its path is; `None` at the end.
fn step(
    (there, here): (&mut Side<'_>, &mut Side<'_>),
    prefix: &[u8],
    levels: &mut Vec<Level>,
    visit: &mut Visit<'_>,
) -> Option<usize> {
    let key = [there.key(), here.key()].into_iter().flatten().min()?;
    let (before, after) = (there.at_name(key), here.at_name(key));
    let cost = prefix.len() + key.0.len() + 1;
    if before != after {
        let mut path = [prefix, key.0].concat();
        if key.1 {
            path.push(b'/');
            levels.push(Level { prefix: path, before: before.map(|(_, id)| id), after: after.map(|(_, id)| id) });
        } else {
            visit(RepoPath::new(path), before.map(entry), after.map(entry));
        }
    }
    let next = |side: &Side<'_>, found: Option<_>| side.at + usize::from(found.is_some());
    let (past, present) = (next(there, before), next(here, after));
    (there.at, here.at) = (past, present);
    Some(cost)
}

fn read<'r>(repo: &'r Repo, prefix: &[u8], id: Option<Oid>) -> Result<Option<Tree<'r>>, Error> {
    let Some(id) = id else { return Ok(None) };
    let tree = repo.objects().find_tree(id).map_err(|source| {
        let path = prefix.strip_suffix(b"/").map(RepoPath::new);
        repo.object_error(&format!("read the tree {id}"), path.as_ref(), source)
    })?;
    Ok(Some(tree))
}

fn too_many(level: &Level) -> Error {
    let id = level.after.or(level.before);
    Error::TooManyFiles(id.map(|id| id.to_string()).unwrap_or_default())
}

fn entry((mode, id): (i32, Oid)) -> Entry {
    Entry { mode: Mode::from_git(mode.unsigned_abs()), id: Some(BlobId::new(id)) }
}

impl<'t> Side<'t> {
    fn new(tree: &'t Option<Tree<'_>>) -> Self {
        let entries = tree.as_ref().map(|tree| tree.iter().collect()).unwrap_or_default();
        Self { entries, at: 0 }
    }

    /// The mode and the id of the next entry, if it has this name.
    fn at_name(&self, key: Key<'_>) -> Option<(i32, Oid)> {
        let entry = self.entries.get(self.at).filter(|_| self.key() == Some(key))?;
        Some((entry.filemode(), entry.id()))
    }

    fn key(&self) -> Option<Key<'_>> {
        let entry = self.entries.get(self.at)?;
        Some(Key(entry.name_bytes(), entry.kind() == Some(ObjectType::Tree)))
    }
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let mark = |key: &Self| key.1.then_some(&b'/');
        self.0.iter().chain(mark(self)).cmp(other.0.iter().chain(mark(other)))
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::git::testing::TestRepo;

    #[test]
    fn trees_that_contain_each_other_many_times_over_are_refused() {
        let test = TestRepo::new();
        let repo = test.open();
        let mut id = repo.git.blob(b"x").unwrap();
        let mut mode = 0o100_644;
        for _ in 0..40 {
            let mut tree = repo.git.treebuilder(None).unwrap();
            tree.insert("a", id, mode).unwrap();
            tree.insert("b", id, mode).unwrap();
            (id, mode) = (tree.write().unwrap(), 0o040_000);
        }
        let error = compare_within(&repo, None, Some(id), 10_000, &mut |_, _, _| {}).unwrap_err();
        assert!(error.to_string().ends_with("holds too many files to be read"), "{error}");
        compare(&repo, Some(id), Some(id), &mut |_, _, _| panic!("equal trees are not entered")).unwrap();
    }

    proptest! {
        #[test]
        fn keys_sort_as_git_sorts_trees(names in prop::collection::btree_set("[ab./]{0,3}", 0..6)) {
            let names: Vec<String> = names.into_iter().filter(|name| !name.contains('/')).collect();
            let mut keys: Vec<Key<'_>> =
                names.iter().flat_map(|name| [Key(name.as_bytes(), false), Key(name.as_bytes(), true)]).collect();
            keys.sort();
            let mut paths: Vec<Vec<u8>> =
                keys.iter().map(|key| [key.0, if key.1 { b"/" } else { b"" }].concat()).collect();
            let found = paths.clone();
            paths.sort();
            prop_assert_eq!(found, paths);
        }
    }
}
