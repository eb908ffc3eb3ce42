//! The history behind the checked revision, as a graph: what is checked first, then its ancestors, each with the files
//! that differ between it and every parent. Reads no file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::git::{Delta, Entry, Error, Repo, Snapshot};
use crate::source::{CommitId, RepoPath, Rev};

/// The files of one revision.
pub(crate) type Entries = BTreeMap<RepoPath, Entry>;

/// The checked revision and its history; children before their parents.
pub(crate) struct Lineage {
    pub(crate) nodes: Vec<Node>,
    places: HashMap<CommitId, usize>,
    /// The wanted files of nodes that were asked for.
    known: HashMap<usize, Rc<Entries>>,
}

/// One revision.
pub(crate) struct Node {
    pub(crate) rev: Rev,
    pub(crate) parents: Vec<Edge>,
    /// Whether its parents are not in the clone.
    pub(crate) cut_off: bool,
    /// A child, and which of its parents this is.
    via: Option<(usize, usize)>,
}

/// From a revision to one of its parents.
pub(crate) struct Edge {
    /// The parent; `None` if it lies before the range that is looked at.
    pub(crate) to: Option<usize>,
    pub(crate) parent: CommitId,
    /// The wanted files that differ, by path: `before` is in the parent.
    pub(crate) changed: BTreeMap<RepoPath, Delta>,
}

impl Lineage {
    /// The history of a revision but for that of `exclude`. An index or a work tree stands on HEAD, and on what is being
    /// merged into it.
    pub(crate) fn new(
        repo: &Repo,
        tip: &Snapshot,
        exclude: &[CommitId],
        want: &dyn Fn(&RepoPath) -> bool,
    ) -> Result<Self, Error> {
        let mut nodes = Vec::new();
        let heads = match &tip.rev {
            Rev::Commit(id) => vec![id.clone()],
            Rev::Index | Rev::Worktree => {
                let heads = beneath(repo, exclude)?;
                nodes.push(uncommitted(repo, tip, &heads, want)?);
                heads
            }
            Rev::Nothing => Vec::new(),
        };
        let first = nodes.len();
        let links = if heads.is_empty() { Vec::new() } else { repo.lineage(&heads, exclude, want)? };
        let places: HashMap<CommitId, usize> =
            links.iter().enumerate().map(|(at, link)| (link.id.clone(), first + at)).collect();
        for (node, head) in nodes.iter_mut().flat_map(|node: &mut Node| node.parents.iter_mut()).zip(&heads) {
            node.to = places.get(head).copied();
        }
        // A revision that lies before its own range: as it stands, it does so there.
        if let (Rev::Commit(id), true) = (&tip.rev, links.is_empty()) {
            let itself = Edge { to: None, parent: id.clone(), changed: BTreeMap::new() };
            nodes.push(Node { rev: tip.rev.clone(), parents: vec![itself], cut_off: false, via: None });
        }
        for link in links {
            let edge = |parent: crate::git::Ancestor| Edge {
                to: places.get(&parent.id).copied(),
                parent: parent.id,
                changed: by_path(parent.changed),
            };
            let parents = link.parents.into_iter().map(edge).collect();
            nodes.push(Node { rev: Rev::Commit(link.id), parents, cut_off: link.is_boundary, via: None });
        }
        connect(&mut nodes);
        let known = HashMap::from([(0, Rc::new(tip.entries.clone()))]);
        Ok(Self { nodes, places, known })
    }

    /// Takes files out of what differs, and gives the revisions before each that differed in one of them.
    pub(crate) fn without(&mut self, paths: &[RepoPath]) -> Vec<Rev> {
        let mut before = Vec::new();
        for edge in self.nodes.iter_mut().flat_map(|node| &mut node.parents) {
            let count = edge.changed.len();
            edge.changed.retain(|path, _| !paths.contains(path));
            before.extend((edge.changed.len() < count).then(|| edge.rev()));
        }
        before
    }

    /// Where a commit stands, if it is part of the history that is looked at.
    pub(crate) fn place(&self, commit: &CommitId) -> Option<usize> {
        self.places.get(commit).copied()
    }

    /// The wanted files of a node.
    pub(crate) fn entries(&mut self, node: usize) -> Rc<Entries> {
        let mut path = Vec::new();
        let mut at = node;
        let mut entries = loop {
            if let Some(entries) = self.known.get(&at) {
                break Rc::clone(entries);
            }
            let Some((child, parent)) = self.nodes[at].via else { break Rc::default() };
            path.push((child, parent));
            at = child;
        };
        let state = Rc::make_mut(&mut entries);
        for (child, parent) in path.into_iter().rev() {
            for delta in self.nodes[child].parents[parent].changed.values() {
                match delta.before {
                    Some(entry) => _ = state.insert(delta.path.clone(), entry),
                    None => _ = state.remove(&delta.path),
                }
            }
        }
        self.known.insert(node, Rc::clone(&entries));
        entries
    }

    /// The nodes that have a commit in their history, its own included; it may lie right before what is looked at.
    pub(crate) fn descendants(&self, ancestor: &CommitId) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let comes_from = |edge: &Edge| edge.parent == *ancestor || edge.to.is_some_and(|to| found.contains(&to));
            if matches!(&node.rev, Rev::Commit(id) if id == ancestor) || node.parents.iter().any(comes_from) {
                found.insert(at);
            }
        }
        found
    }

    /// The nodes that are reachable from the first one and not from `base`, latest first: what came after it.
    pub(crate) fn since(&self, base: usize) -> Vec<usize> {
        let mut old = BTreeSet::from([base]);
        for at in base..self.nodes.len() {
            if old.contains(&at) {
                old.extend(self.nodes[at].parents.iter().filter_map(|edge| edge.to));
            }
        }
        (0..self.nodes.len()).filter(|at| !old.contains(at)).collect()
    }
}

impl Edge {
    /// The revision of the parent.
    pub(crate) fn rev(&self) -> Rev {
        Rev::Commit(self.parent.clone())
    }
}

/// What an index or a work tree stands on: HEAD, what is being merged into it, and what it is compared with.
fn beneath(repo: &Repo, compared: &[CommitId]) -> Result<Vec<CommitId>, Error> {
    let mut heads: Vec<CommitId> = repo.head()?.into_iter().collect();
    for other in repo.merge_heads()?.iter().chain(compared) {
        if !heads.contains(other) {
            heads.push(other.clone());
        }
    }
    Ok(heads)
}

/// The index or the work tree as the first node.
fn uncommitted(
    repo: &Repo,
    tip: &Snapshot,
    heads: &[CommitId],
    want: &dyn Fn(&RepoPath) -> bool,
) -> Result<Node, Error> {
    let mut parents = Vec::new();
    for head in heads {
        let before = repo.snapshot(&Rev::Commit(head.clone()), want)?.entries;
        parents.push(Edge { to: None, parent: head.clone(), changed: differences(&before, &tip.entries) });
    }
    Ok(Node { rev: tip.rev.clone(), parents, cut_off: false, via: None })
}

fn differences(before: &Entries, after: &Entries) -> BTreeMap<RepoPath, Delta> {
    let paths: BTreeSet<&RepoPath> = before.keys().chain(after.keys()).collect();
    let delta = |path: &RepoPath| Delta {
        path: path.clone(),
        before: before.get(path).copied(),
        after: after.get(path).copied(),
    };
    let differs = |delta: &Delta| delta.before != delta.after || delta.after.is_some_and(|entry| entry.id.is_none());
    by_path(paths.into_iter().map(delta).filter(differs).collect())
}

fn by_path(deltas: Vec<Delta>) -> BTreeMap<RepoPath, Delta> {
    deltas.into_iter().map(|delta| (delta.path.clone(), delta)).collect()
}

/// Notes for each node a child to come from.
fn connect(nodes: &mut [Node]) {
    for child in 0..nodes.len() {
        for parent in 0..nodes[child].parents.len() {
            if let Some(to) = nodes[child].parents[parent].to {
                let node = &mut nodes[to];
                node.via = node.via.or(Some((child, parent)));
            }
        }
    }
}
