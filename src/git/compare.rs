//! Which two revisions are compared, from what the user asked for.

use super::error::Error;
use super::open::Repo;
use crate::source::Rev;

/// What the user asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selection {
    /// `A..B`; `A...B` starts at the merge base; a missing side is HEAD.
    Range(String),
    /// HEAD to the index: what a commit would change.
    Staged,
    /// HEAD to the work tree.
    Worktree,
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

/// Finds the revisions. Before the first commit everything is compared with [`Rev::Nothing`].
pub(crate) fn select(repo: &Repo, selection: &Selection) -> Result<Comparison, Error> {
    let (before, after) = match selection {
        Selection::Range(range) => return select_range(repo, range),
        Selection::Staged => {
            repo.index()?;
            (Some(head(repo)?), End { rev: Rev::Index, name: "index".into() })
        }
        Selection::Worktree => {
            repo.require_workdir()?;
            (Some(head(repo)?), End { rev: Rev::Worktree, name: "worktree".into() })
        }
        Selection::Rev(spec) => (None, end(repo, spec)?),
        Selection::Between { base, head } => (Some(end(repo, base)?), end(repo, head)?),
    };
    Ok(Comparison { before, after })
}

fn select_range(repo: &Repo, range: &str) -> Result<Comparison, Error> {
    let or_head = |side: &'_ str| if side.is_empty() { "HEAD".to_owned() } else { side.to_owned() };
    let Some((base, head)) = range.split_once("..").filter(|_| range != ".." && range != "...") else {
        return Err(Error::NotARange(range.to_owned()));
    };
    let base = or_head(base);
    let Some(head) = head.strip_prefix('.') else {
        return Ok(Comparison { before: Some(end(repo, &base)?), after: end(repo, &or_head(head))? });
    };
    let head = or_head(head);
    let after = end(repo, &head)?;
    let (one, other) = (repo.resolve(&base)?, repo.resolve(&head)?);
    let Some(id) = repo.merge_base(&one, &other)? else {
        return Err(Error::NoMergeBase { one: base, other: head });
    };
    let before = End { rev: Rev::Commit(id), name: format!("merge base of {base} and {head}") };
    Ok(Comparison { before: Some(before), after })
}

fn end(repo: &Repo, spec: &str) -> Result<End, Error> {
    Ok(End { rev: Rev::Commit(repo.resolve(spec)?), name: spec.to_owned() })
}

fn head(repo: &Repo) -> Result<End, Error> {
    Ok(match repo.head()? {
        Some(id) => End { rev: Rev::Commit(id), name: "HEAD".into() },
        None => End { rev: Rev::Nothing, name: "nothing".into() },
    })
}
