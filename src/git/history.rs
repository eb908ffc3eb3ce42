//! Commits and what they changed. In a shallow clone every answer knows whether the history behind it is whole.
//!
//! As libgit2 reads it: `refs/replace` has no say, the old `info/grafts` has.

use git2::{Oid, Revwalk, Sort};

use super::error::Error;
use super::open::Repo;
use super::resolve::commit_id;
use super::snapshot::Delta;
use super::tree;
use crate::source::{CommitId, RepoPath};

/// Who committed what, as far as a report tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(crate) id: CommitId,
    /// None for the first commit, and for one at the boundary of a shallow clone.
    pub(crate) parents: Vec<CommitId>,
    pub(crate) author: String,
    /// `2026-11-30`: the day at the author's place.
    pub(crate) date: String,
    /// The first paragraph of the message, on one line.
    pub(crate) subject: String,
}

/// One commit of a [`Repo::lineage`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) id: CommitId,
    /// None for the first commit, and for one at the boundary of a shallow clone.
    pub(crate) parents: Vec<Ancestor>,
    pub(crate) is_boundary: bool,
}

/// A parent, and how the wanted files differ between it and its child.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ancestor {
    pub(crate) id: CommitId,
    pub(crate) changed: Vec<Delta>,
}

impl Repo {
    /// The commits that are reachable from `heads` and from none of `exclude`, children before their parents, each with
    /// its difference from every parent.
    pub(crate) fn lineage(
        &self,
        heads: &[CommitId],
        exclude: &[CommitId],
        want: &dyn Fn(&RepoPath) -> bool,
    ) -> Result<Vec<Link>, Error> {
        let ids = |ids: &[CommitId]| ids.iter().map(|id| self.oid(id)).collect::<Result<Vec<_>, _>>();
        let mut links = Vec::new();
        for id in self.walk(&ids(heads)?, &ids(exclude)?)? {
            let commit = self.find_commit(id.map_err(walk_error(self))?)?;
            let mut parents = Vec::with_capacity(commit.parent_count());
            for parent in commit.parent_ids() {
                let before = self.find_commit(parent)?.tree_id();
                let mut changed = Vec::new();
                tree::compare(self, Some(before), Some(commit.tree_id()), &mut |path, before, after| {
                    if want(&path) {
                        changed.push(Delta { path, before, after });
                    }
                })?;
                parents.push(Ancestor { id: commit_id(parent), changed });
            }
            let is_boundary = self.boundary.contains(&commit.id());
            links.push(Link { id: commit_id(commit.id()), parents, is_boundary });
        }
        Ok(links)
    }

    /// Who made a commit, when, and its subject.
    pub(crate) fn commit(&self, id: &CommitId) -> Result<Commit, Error> {
        Ok(describe(&self.find_commit(self.oid(id)?)?))
    }

    /// Whether `ancestor` is `head` or lies in its history. An error if a shallow clone hides the answer.
    pub(crate) fn is_ancestor(&self, ancestor: &CommitId, head: &CommitId) -> Result<bool, Error> {
        let (ancestor, head) = (self.oid(ancestor)?, self.oid(head)?);
        let found = ancestor == head || self.objects().graph_descendant_of(head, ancestor).map_err(walk_error(self))?;
        if !found && self.is_cut_off(&[head], &[ancestor])? {
            return Err(Error::Shallow(format!("cannot tell whether {ancestor} is an ancestor of {head}")));
        }
        Ok(found)
    }

    /// The best common ancestor. An error if a shallow clone may hide a better one: a clone of some depth can well have
    /// a common ancestor that is older than the real one.
    pub(crate) fn merge_base(&self, one: &CommitId, other: &CommitId) -> Result<Option<CommitId>, Error> {
        let tips = [self.oid(one)?, self.oid(other)?];
        let base = match self.objects().merge_base(tips[0], tips[1]) {
            Ok(base) => Some(base),
            Err(error) if error.class() == git2::ErrorClass::Merge => None,
            Err(source) => return Err(walk_error(self)(source)),
        };
        if self.is_cut_off(&tips, base.as_slice())? {
            return Err(Error::Shallow(format!("cannot find the merge base of {} and {}", one.short(), other.short())));
        }
        Ok(base.map(commit_id))
    }

    /// Whether a commit that is reachable from `tips` and not from `hidden` has parents that are not here.
    fn is_cut_off(&self, tips: &[Oid], hidden: &[Oid]) -> Result<bool, Error> {
        if !self.is_shallow() {
            return Ok(false);
        }
        for id in self.walk(tips, hidden)? {
            if self.boundary.contains(&id.map_err(walk_error(self))?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(super) fn walk(&self, tips: &[Oid], hidden: &[Oid]) -> Result<Revwalk<'_>, Error> {
        let start = || {
            let mut walk = self.objects().revwalk()?;
            walk.set_sorting(Sort::TOPOLOGICAL | Sort::TIME)?;
            tips.iter().try_for_each(|id| walk.push(*id))?;
            hidden.iter().try_for_each(|id| walk.hide(*id))?;
            Ok(walk)
        };
        start().map_err(walk_error(self))
    }
}

pub(super) fn walk_error(repo: &Repo) -> impl Fn(git2::Error) -> Error + '_ {
    |source| repo.object_error("walk the history", None, source)
}

fn describe(commit: &git2::Commit<'_>) -> Commit {
    let author = commit.author();
    let when = author.when();
    Commit {
        id: commit_id(commit.id()),
        parents: commit.parent_ids().map(commit_id).collect(),
        author: String::from_utf8_lossy(author.name_bytes()).into_owned(),
        date: day(when),
        subject: String::from_utf8_lossy(commit.summary_bytes().unwrap_or_default()).into_owned(),
    }
}

/// The day at the place of whoever's clock it was.
pub(super) fn day(when: git2::Time) -> String {
    date((when.seconds().saturating_add(i64::from(when.offset_minutes()) * 60)).div_euclid(86_400))
}

/// The date of a day counted from 1970-01-01 in the proleptic Gregorian calendar
/// (<https://howardhinnant.github.io/date_algorithms.html#civil_from_days>).
pub(crate) fn date(day: i64) -> String {
    let shifted = day + 719_468;
    let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day_of_month:02}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::git::Env;
    use crate::git::testing::{TestRepo, all, git};

    /// `subject: changed paths`, newest first, those against each parent apart; a boundary is marked `|`.
    fn check(repo: &Repo, head: &CommitId, exclude: &[CommitId], expected: &[&str]) {
        assert_eq!(told(repo, head, exclude, &all), expected);
    }

    fn told(repo: &Repo, head: &CommitId, exclude: &[CommitId], want: &dyn Fn(&RepoPath) -> bool) -> Vec<String> {
        let links = repo.lineage(std::slice::from_ref(head), exclude, want).unwrap();
        let line = |link: &Link| {
            let paths = |parent: &Ancestor| {
                let mut paths: Vec<String> = parent.changed.iter().map(|delta| delta.path.to_string()).collect();
                paths.sort();
                paths.join(" ")
            };
            let mark = if link.is_boundary { "|" } else { "" };
            let parents: Vec<String> = link.parents.iter().map(paths).collect();
            format!("{}{mark}: {}", repo.commit(&link.id).unwrap().subject, parents.join("; "))
        };
        links.iter().map(line).collect()
    }

    /// A clone of the given depth.
    fn shallow(test: &TestRepo, depth: &str) -> Repo {
        let url = format!("file://{}", test.top.display());
        git(&test.root, &["clone", "--quiet", &format!("--depth={depth}"), &url, "shallow"]);
        Repo::open(&test.root.join("shallow"), &Env::default()).unwrap()
    }

    fn linear() -> TestRepo {
        let test = TestRepo::new();
        test.write("a.md", "1");
        test.write("docs/b.md", "1");
        test.commit("one");
        test.write("a.md", "2");
        test.commit("two");
        fs::remove_file(test.top.join("docs/b.md")).unwrap();
        test.commit("three");
        test
    }

    #[test]
    fn each_commit_has_the_paths_that_it_changed() {
        let test = linear();
        let (repo, head) = (test.open(), test.id("HEAD"));
        check(&repo, &head, &[], &["three: docs/b.md", "two: a.md", "one: "]);
        check(&repo, &head, &[test.id("HEAD~2")], &["three: docs/b.md", "two: a.md"]);
        check(&repo, &head, std::slice::from_ref(&head), &[]);
        let only = told(&repo, &head, &[], &|path| path.as_bytes() == b"a.md");
        assert_eq!(only, ["three: ", "two: a.md", "one: "]);
    }

    #[test]
    fn a_merge_differs_from_each_parent_in_its_own_way() {
        let test = TestRepo::new();
        let files = |m: &str, n: &str, o: &str| {
            test.write("docs/m.md", m);
            test.write("docs/n.md", n);
            test.write("o.md", o);
        };
        files("0", "0", "0");
        test.commit("base");
        test.git(&["switch", "--quiet", "-c", "topic"]);
        files("topic", "0", "topic");
        test.commit("topic");
        test.git(&["switch", "--quiet", "main"]);
        files("0", "main", "main");
        test.commit("main");
        test.git(&["merge", "--quiet", "--no-commit", "--strategy=ours", "topic"]);
        files("topic", "main", "both");
        test.commit("merge");
        let head = test.id("HEAD");
        let lines = told(&test.open(), &head, &[], &all);
        let changed = |subject: &str| lines.iter().find(|line| line.starts_with(subject)).unwrap().as_str();
        assert_eq!(changed("merge"), "merge: docs/m.md o.md; docs/n.md o.md");
        assert_eq!(changed("topic"), "topic: docs/m.md o.md");
        assert_eq!(changed("main"), "main: docs/n.md o.md");
        assert_eq!(lines[3], "base: ");
    }

    #[test]
    fn a_commit_is_told_by_author_and_the_authors_day() {
        let test = TestRepo::new();
        let id = test.commit("a subject\non two lines\n\nbody");
        let commit = test.open().commit(&id).unwrap();
        let expected = Commit {
            id,
            parents: Vec::new(),
            author: "Ada".into(),
            date: "2026-01-31".into(),
            subject: "a subject on two lines".into(),
        };
        assert_eq!(commit, expected);
    }

    #[test]
    fn the_boundary_of_a_shallow_clone_is_no_first_commit() {
        let test = linear();
        let repo = shallow(&test, "2");
        check(&repo, &test.id("HEAD"), &[], &["three: docs/b.md", "two|: "]);
        check(&repo, &test.id("HEAD"), &[test.id("HEAD~1")], &["three: docs/b.md"]);
    }

    #[test]
    fn the_boundary_is_known_in_a_linked_worktree_too() {
        let test = linear();
        let repo = shallow(&test, "2");
        git(repo.workdir().unwrap(), &["worktree", "add", "--quiet", "../linked"]);
        let linked = Repo::open(&test.root.join("linked"), &Env::default()).unwrap();
        assert!(linked.is_shallow());
        check(&linked, &test.id("HEAD"), &[], &["three: docs/b.md", "two|: "]);
    }

    #[test]
    fn ancestry_is_refused_where_it_cannot_be_known() {
        let test = linear();
        let (head, first) = (test.id("HEAD"), test.id("HEAD~2"));
        let repo = test.open();
        assert!(repo.is_ancestor(&first, &head).unwrap());
        assert!(repo.is_ancestor(&head, &head).unwrap());
        assert!(!repo.is_ancestor(&head, &first).unwrap());
        test.git(&["branch", "old", first.as_str()]);
        let repo = shallow(&test, "1");
        git(repo.workdir().unwrap(), &["fetch", "--quiet", "--depth=1", "origin", "old"]);
        let repo = Repo::open(repo.workdir().unwrap(), &Env::default()).unwrap();
        assert!(!repo.is_ancestor(&head, &first).unwrap());
        let error = repo.is_ancestor(&first, &head).unwrap_err();
        assert!(error.to_string().ends_with("history is cut off (shallow clone)"), "{error}");
    }

    /// `A-B-X-L`, `A-Q`, `H` merges `L` and `Q`, `R` is on `B`. At depth 3 the clone knows of `H-Q-A` and of `R-B-A`,
    /// but not that `X` is on `B`: it would find `A`, where the answer is `B`.
    #[test]
    fn an_older_merge_base_is_not_mistaken_for_the_real_one() {
        let test = TestRepo::new();
        let tree = test.git(&["mktree"]);
        let commit = |name: &str, parents: &[&str]| {
            let parents = parents.iter().flat_map(|parent| ["-p", parent]);
            let arguments: Vec<&str> =
                ["commit-tree", "-m", name].into_iter().chain(parents).chain([tree.trim()]).collect();
            let id = test.git(&arguments).trim().to_owned();
            test.git(&["branch", name, &id]);
        };
        for (name, parents) in [
            ("A", &[][..]),
            ("B", &["A"]),
            ("X", &["B"]),
            ("L", &["X"]),
            ("Q", &["A"]),
            ("H", &["L", "Q"]),
            ("R", &["B"]),
        ] {
            commit(name, parents);
        }
        let (head, other) = (test.id("H"), test.id("R"));
        assert_eq!(test.open().merge_base(&head, &other).unwrap(), Some(test.id("B")));
        git(&test.root, &["init", "--quiet", "shallow"]);
        let top = test.root.join("shallow");
        let url = format!("file://{}", test.top.display());
        git(&top, &["fetch", "--quiet", "--depth=3", &url, "H", "R"]);
        assert_eq!(git(&top, &["merge-base", head.as_str(), other.as_str()]).trim(), test.id("A").as_str());
        let repo = Repo::open(&top, &Env::default()).unwrap();
        let error = repo.merge_base(&head, &other).unwrap_err();
        assert!(error.to_string().ends_with("history is cut off (shallow clone)"), "{error}");
    }

    #[test]
    fn replaced_commits_are_read_as_they_were_made() {
        let test = linear();
        test.git(&["replace", "--graft", "HEAD"]);
        assert_eq!(test.git(&["rev-list", "--count", "HEAD"]).trim(), "1");
        let head = test.id("HEAD");
        check(&test.open(), &head, &[], &["three: docs/b.md", "two: a.md", "one: "]);
    }

    #[test]
    fn days_are_dates() {
        let check = |day, expected: &str| assert_eq!(date(day), expected);
        check(0, "1970-01-01");
        check(-1, "1969-12-31");
        check(11_016, "2000-02-29");
        check(20_787, "2026-11-30");
    }
}
