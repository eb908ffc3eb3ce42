//! Which two revisions are compared, from what the user asked for.

use super::error::Error;
use super::open::Repo;
use crate::source::Rev;

/// What the user asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// From one commit, or the merge base, to another.
    Range(Range),
    /// HEAD to the index: what a commit would change.
    Staged,
    /// A commit to the index: what a merge brings to the side that is not HEAD.
    StagedSince(String),
    /// The index by itself, compared with nothing.
    Index,
    /// HEAD to the work tree.
    Worktree,
    /// A commit to the work tree.
    WorktreeSince(String),
    /// The work tree by itself, compared with nothing.
    Checkout,
    /// One revision by itself, compared with nothing.
    Rev(String),
    Between {
        base: String,
        head: String,
    },
}

/// The revision that is checked, and the one it is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// `None` if one revision was asked for.
    pub(crate) before: Option<End>,
    pub(crate) after: End,
}

/// One end of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) rev: Rev,
    /// As typed: `v1`, `HEAD`; else `index`, `worktree`, `nothing`, `merge base of main and HEAD`.
    pub(crate) name: String,
}

/// A range as it was typed, cut at its dots. A side that was left out is HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) base: String,
    pub(crate) head: String,
    /// Whether it starts at the merge base: three dots.
    pub(crate) from_merge_base: bool,
}

impl Range {
    /// Reads `A..B` or `A...B`, each side optional but one; `None` for anything else. A revision neither starts nor ends with
    /// `/`, so `../docs` and `docs/..` are paths.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let or_head = |side: &str| if side.is_empty() { "HEAD" } else { side }.to_owned();
        let (base, rest) = text.split_once("..")?;
        let (head, from_merge_base) = rest.strip_prefix('.').map_or((rest, false), |head| (head, true));
        let has_side = !base.is_empty() || !head.is_empty();
        let is_path = base.ends_with('/') || head.starts_with('/');
        (has_side && !is_path).then(|| Self { base: or_head(base), head: or_head(head), from_merge_base })
    }
}

/// Finds the revisions. Before the first commit everything is compared with [`Rev::Nothing`].
pub(crate) fn select(repo: &Repo, selection: &Selection) -> Result<Comparison, Error> {
    let (before, after) = match selection {
        Selection::Range(range) => return select_range(repo, range),
        Selection::Staged => (Some(head(repo)?), index(repo)?),
        Selection::StagedSince(base) => (Some(end(repo, base)?), index(repo)?),
        Selection::Index => (None, index(repo)?),
        Selection::Worktree => (Some(head(repo)?), worktree(repo)?),
        Selection::WorktreeSince(base) => (Some(end(repo, base)?), worktree(repo)?),
        Selection::Checkout => (None, worktree(repo)?),
        Selection::Rev(spec) => (None, end(repo, spec)?),
        Selection::Between { base, head } => (Some(end(repo, base)?), end(repo, head)?),
    };
    Ok(Comparison { before, after })
}

fn select_range(repo: &Repo, range: &Range) -> Result<Comparison, Error> {
    let Range { base, head, from_merge_base } = range;
    if !from_merge_base {
        return Ok(Comparison { before: Some(end(repo, base)?), after: end(repo, head)? });
    }
    let after = end(repo, head)?;
    let (one, other) = (repo.resolve(base)?, repo.resolve(head)?);
    let Some(id) = repo.merge_base(&one, &other)? else {
        return Err(Error::NoMergeBase { one: base.clone(), other: head.clone() });
    };
    let before = End { rev: Rev::Commit(id), name: format!("merge base of {base} and {head}") };
    Ok(Comparison { before: Some(before), after })
}

impl Repo {
    /// The range that is probably meant by one revision, and what for: what came since, or, where nothing did, the last
    /// commit in it. `None` for what is no revision, or has nothing before it.
    pub(crate) fn range_of(&self, spec: &str) -> Option<String> {
        let id = self.resolve(spec).ok()?;
        if self.head().ok().flatten() != Some(id) {
            return Some(format!("`{spec}..HEAD` for what changed since"));
        }
        let before = format!("{spec}~1");
        self.resolve(&before).ok()?;
        Some(format!("`{before}..{spec}` for what its last commit changed"))
    }
}

fn end(repo: &Repo, spec: &str) -> Result<End, Error> {
    Ok(End { rev: Rev::Commit(repo.resolve(spec)?), name: spec.to_owned() })
}

fn index(repo: &Repo) -> Result<End, Error> {
    repo.index()?;
    Ok(End { rev: Rev::Index, name: "index".into() })
}

fn worktree(repo: &Repo) -> Result<End, Error> {
    repo.require_workdir()?;
    Ok(End { rev: Rev::Worktree, name: "worktree".into() })
}

fn head(repo: &Repo) -> Result<End, Error> {
    Ok(match repo.head()? {
        Some(id) => End { rev: Rev::Commit(id), name: "HEAD".into() },
        None => End { rev: Rev::Nothing, name: "nothing".into() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::Env;
    use crate::git::testing::{TestRepo, git};

    /// `name=rev..name=rev`, or the error.
    fn check(repo: &Repo, selection: Selection, expected: &str) {
        let show = |end: &End| match &end.rev {
            Rev::Commit(id) => format!("{}={}", end.name, repo.commit(id).unwrap().subject),
            rev @ (Rev::Nothing | Rev::Index | Rev::Worktree) => format!("{}={rev}", end.name),
        };
        let told = match select(repo, &selection) {
            Ok(found) => format!("{}..{}", found.before.as_ref().map(show).unwrap_or_default(), show(&found.after)),
            Err(error) => error.to_string(),
        };
        assert_eq!(told, expected, "{selection:?}");
    }

    fn range(range: &str) -> Selection {
        Selection::Range(Range::read(range).unwrap())
    }

    #[test]
    fn ranges_are_read_as_git_reads_them() {
        let test = TestRepo::forked();
        let repo = test.open();
        check(&repo, range("topic..main"), "topic=topic..main=main");
        check(&repo, range("topic.."), "topic=topic..HEAD=main");
        check(&repo, range("..topic"), "HEAD=main..topic=topic");
        check(&repo, range("topic...main"), "merge base of topic and main=base..main=main");
        check(&repo, range("topic..."), "merge base of topic and HEAD=base..HEAD=main");
        check(&repo, range("HEAD~1..HEAD"), "HEAD~1=base..HEAD=main");
        check(&repo, range("main..nosuch"), "unknown revision `nosuch`");
        for no_range in ["main", "", "..", "...", "../docs", "docs/.."] {
            assert_eq!(Range::read(no_range), None);
        }
        let instead = |revision| repo.range_of(revision).unwrap_or_default();
        assert_eq!(instead("topic"), "`topic..HEAD` for what changed since");
        assert_eq!(instead("main"), "`main~1..main` for what its last commit changed");
        assert_eq!(instead("HEAD"), "`HEAD~1..HEAD` for what its last commit changed");
        assert_eq!(instead("docs/manual.md"), "");
    }

    #[test]
    fn the_other_selections_start_at_head_or_at_nothing() {
        let test = TestRepo::forked();
        let repo = test.open();
        check(&repo, Selection::Staged, "HEAD=main..index=index");
        check(&repo, Selection::StagedSince("topic".into()), "topic=topic..index=index");
        check(&repo, Selection::Index, "..index=index");
        check(&repo, Selection::Worktree, "HEAD=main..worktree=worktree");
        check(&repo, Selection::WorktreeSince("topic".into()), "topic=topic..worktree=worktree");
        check(&repo, Selection::Rev("topic".into()), "..topic=topic");
        check(&repo, Selection::Between { base: "main".into(), head: "topic".into() }, "main=main..topic=topic");
        let test = TestRepo::new();
        let empty = test.open();
        check(&empty, Selection::Staged, "nothing=nothing..index=index");
        check(&empty, Selection::Worktree, "nothing=nothing..worktree=worktree");
        check(&empty, range("HEAD~1..HEAD"), "unknown revision `HEAD~1`");
    }

    #[test]
    fn unrelated_histories_have_no_merge_base() {
        let test = TestRepo::forked();
        test.git(&["switch", "--quiet", "--orphan", "other"]);
        test.commit("other");
        check(&test.open(), range("main...other"), "`main` and `other` have no common ancestor");
        check(&test.open(), range("main..other"), "main=main..other=other");
    }

    #[test]
    fn a_shallow_clone_compares_what_it_has_and_trusts_no_merge_base() {
        let test = TestRepo::forked();
        let url = format!("file://{}", test.top.display());
        git(&test.root, &["clone", "--quiet", "--depth=1", "--no-single-branch", &url, "shallow"]);
        let top = test.root.join("shallow");
        let repo = Repo::open(&top, &Env::default()).unwrap();
        check(&repo, range("origin/topic..HEAD"), "origin/topic=topic..HEAD=main");
        let error = select(&repo, &range("origin/topic...HEAD")).unwrap_err();
        assert!(error.to_string().ends_with("history is cut off (shallow clone)"), "{error}");
        assert!(error.hint().unwrap().contains("git fetch --unshallow"));
        // With the fork inside the clone the answer is certain.
        git(&top, &["fetch", "--quiet", "--depth=2"]);
        let repo = Repo::open(&top, &Env::default()).unwrap();
        assert!(repo.is_shallow() || repo.resolve("HEAD~1").is_ok());
        check(&repo, range("origin/topic...HEAD"), "merge base of origin/topic and HEAD=base..HEAD=main");
    }
}
