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

/// Told of each difference: the path, its entry in the first of the trees before, its entry after.
pub(super) type Visit<'v> = dyn FnMut(RepoPath, Option<Entry>, Option<Entry>) + 'v;

/// A directory still to be compared.
struct Level {
    /// Empty, or ends with `/`.
    prefix: Vec<u8>,
    befores: Vec<Option<Oid>>,
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

/// Visits every file of the tree `after` whose entry differs from the one in **each** of the trees `befores`, and every
/// file that all of these have and `after` has not. With one tree before, that is their difference; with the trees of
/// all parents of a merge, it is what the merge itself changed. `None` is the empty tree. Comes in no particular order.
pub(super) fn compare(
    repo: &Repo,
    befores: Vec<Option<Oid>>,
    after: Option<Oid>,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    compare_within(repo, befores, after, PATH_BUDGET, visit)
}

fn compare_within(
    repo: &Repo,
    befores: Vec<Option<Oid>>,
    after: Option<Oid>,
    mut budget: usize,
    visit: &mut Visit<'_>,
) -> Result<(), Error> {
    let mut levels = vec![Level { prefix: Vec::new(), befores, after }];
    while let Some(level) = levels.pop() {
        if level.befores.contains(&level.after) {
            continue;
        }
        let ids = std::iter::once(level.after).chain(level.befores.iter().copied());
        let trees = ids.map(|id| read(repo, &level.prefix, id)).collect::<Result<Vec<_>, _>>()?;
        let mut sides: Vec<Side<'_>> = trees.iter().map(Side::new).collect();
        while let Some(cost) = step(&mut sides, &level.prefix, &mut levels, visit) {
            budget = budget.checked_sub(cost).ok_or_else(|| too_many(&level))?;
        }
    }
    Ok(())
}

/// Compares the next name of a directory. Returns how long its path is; `None` at the end.
fn step(sides: &mut [Side<'_>], prefix: &[u8], levels: &mut Vec<Level>, visit: &mut Visit<'_>) -> Option<usize> {
    let key = sides.iter().filter_map(Side::key).min()?;
    let found = |side: &Side<'_>| side.entries.get(side.at).filter(|_| side.key() == Some(key)).map(facts);
    let cost = prefix.len() + key.0.len() + 1;
    let (after, befores) = sides.split_first()?;
    let after = found(after);
    if !befores.iter().any(|before| found(before) == after) {
        let mut path = [prefix, key.0].concat();
        if key.1 {
            path.push(b'/');
            let befores = befores.iter().map(|before| found(before).map(|(_, id)| id)).collect();
            levels.push(Level { prefix: path, befores, after: after.map(|(_, id)| id) });
        } else {
            visit(RepoPath::new(path), befores.first().and_then(found).map(entry), after.map(entry));
        }
    }
    let hits: Vec<bool> = sides.iter().map(|side| side.key() == Some(key)).collect();
    sides.iter_mut().zip(hits).for_each(|(side, hit)| side.at += usize::from(hit));
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
    let id = level.after.or_else(|| level.befores.iter().copied().flatten().next());
    Error::TooManyFiles(id.map(|id| id.to_string()).unwrap_or_default())
}

fn facts(entry: &TreeEntry<'_>) -> (i32, Oid) {
    (entry.filemode(), entry.id())
}

fn entry((mode, id): (i32, Oid)) -> Entry {
    Entry { mode: Mode::from_git(mode.unsigned_abs()), id: Some(BlobId::new(id)) }
}

impl<'t> Side<'t> {
    fn new(tree: &'t Option<Tree<'_>>) -> Self {
        let entries = tree.as_ref().map(|tree| tree.iter().collect()).unwrap_or_default();
        Self { entries, at: 0 }
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
        let error = compare_within(&repo, vec![None], Some(id), 10_000, &mut |_, _, _| {}).unwrap_err();
        assert!(error.to_string().ends_with("holds too many files to be read"), "{error}");
        compare(&repo, vec![Some(id)], Some(id), &mut |_, _, _| panic!("equal trees are not entered")).unwrap();
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
