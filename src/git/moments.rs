//! Points in the past of a revision, for figures over time: days along the main line, or tags. Knows nothing of figures.

use std::collections::{BTreeMap, HashSet};

use git2::Oid;

use super::error::Error;
use super::history::{day, walk_error};
use super::open::Repo;
use super::resolve::commit_id;
use crate::source::CommitId;

/// A commit of the past.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) id: CommitId,
    /// The tag, where tags were asked for.
    pub(crate) tag: Option<String>,
    /// `2026-11-30`: the day at the committer's place.
    pub(crate) date: String,
    /// In seconds, as the committer's clock said.
    time: i64,
}

impl Repo {
    /// At most `most` commits from `since` up to `head`, both among them, along the first parents and spread evenly over
    /// the time between; earliest first. `since` is a revision, or a day as `2026-11-30`: the first commit from then on.
    pub(crate) fn moments(&self, since: &str, head: &CommitId, most: usize) -> Result<Vec<Moment>, Error> {
        let line = self.main_line(since, head)?;
        let (Some(first), Some(last)) = (line.first(), line.last()) else { return Ok(Vec::new()) };
        let steps = i64::try_from(most.min(line.len())).unwrap_or(i64::MAX).saturating_sub(1).max(1);
        let step = |nth: i64| first.time + (last.time - first.time) / steps * nth;
        let mut wanted: Vec<usize> = Vec::new();
        for nth in 0..steps {
            // The state that held at that time: the last commit until then.
            wanted.push(line.iter().rposition(|moment| moment.time <= step(nth)).unwrap_or(0));
        }
        wanted.push(line.len() - 1);
        wanted.dedup();
        Ok(wanted.into_iter().map(|at| line[at].clone()).collect())
    }

    /// The latest `most` tags of commits in the history of `head` that are not older than `since`; earliest first.
    pub(crate) fn tagged_moments(&self, since: &str, head: &CommitId, most: usize) -> Result<Vec<Moment>, Error> {
        let line = self.main_line(since, head)?;
        let Some(first) = line.first() else { return Ok(Vec::new()) };
        let names =
            self.objects().tag_names(None).map_err(|source| Error::Git { doing: "list the tags".into(), source })?;
        let mut tagged: BTreeMap<(i64, CommitId), String> = BTreeMap::new();
        for name in names.iter().filter_map(|name| name.ok().flatten()) {
            // A tag of something else than a commit is no state of the manual.
            let Ok(id) = self.resolve(&format!("refs/tags/{name}")) else { continue };
            let moment = self.moment(self.oid(&id)?)?;
            if moment.time >= first.time && self.is_ancestor(&id, head)? {
                tagged.entry((moment.time, id)).or_insert_with(|| name.to_owned());
            }
        }
        let skipped = tagged.len().saturating_sub(most);
        let moment =
            |((_, id), name): ((i64, CommitId), String)| Ok(Moment { tag: Some(name), ..self.moment(self.oid(&id)?)? });
        tagged.into_iter().skip(skipped).map(moment).collect()
    }

    /// The first parents from `head` back to `since`, earliest first.
    fn main_line(&self, since: &str, head: &CommitId) -> Result<Vec<Moment>, Error> {
        if is_day(since) {
            return self.main_line_while(head, &|moment| moment.date.as_str() >= since);
        }
        let start = self.resolve(since)?;
        if !self.is_ancestor(&start, head)? {
            return Err(Error::NotInHistory { since: since.to_owned(), head: head.short().to_owned() });
        }
        let walk = self.walk(&[self.oid(head)?], &[self.oid(&start)?])?;
        let later = walk.collect::<Result<HashSet<Oid>, _>>().map_err(walk_error(self))?;
        let later: HashSet<CommitId> = later.into_iter().map(commit_id).collect();
        // Where `since` came in with a merge, the line passes it by: it is the first point all the same.
        let mut line = vec![self.moment(self.oid(&start)?)?];
        line.extend(self.main_line_while(head, &|moment| later.contains(&moment.id))?);
        Ok(line)
    }

    fn main_line_while(&self, head: &CommitId, holds: &dyn Fn(&Moment) -> bool) -> Result<Vec<Moment>, Error> {
        let mut line = Vec::new();
        let mut next = Some(self.oid(head)?);
        while let Some(id) = next {
            let moment = self.moment(id)?;
            if !holds(&moment) {
                break;
            }
            line.push(moment);
            next = self.find_commit(id)?.parent_ids().next().filter(|_| !self.boundary.contains(&id));
        }
        line.reverse();
        Ok(line)
    }

    fn moment(&self, id: Oid) -> Result<Moment, Error> {
        let commit = self.find_commit(id)?;
        let when = commit.committer().when();
        Ok(Moment { id: commit_id(id), tag: None, date: day(when), time: when.seconds() })
    }
}

/// `2026-11-30`, and not `2026-13-01`: that would be after all of the year.
fn is_day(text: &str) -> bool {
    let shape: String = text.chars().map(|it| if it.is_ascii_digit() { '0' } else { it }).collect();
    shape == "0000-00-00" && ("01"..="12").contains(&&text[5..7]) && ("01"..="31").contains(&&text[8..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::TestRepo;

    /// A commit on each of these days.
    fn history(days: &[&str]) -> TestRepo {
        let test = TestRepo::new();
        for day in days {
            test.commit_at(day, &format!("{day}T12:00:00Z"));
        }
        test
    }

    fn check(found: Result<Vec<Moment>, Error>, expected: &str) {
        let shown = found.map_or_else(
            |error| error.to_string(),
            |moments| moments.iter().map(|it| it.tag.as_deref().unwrap_or(&it.date)).collect::<Vec<_>>().join(" "),
        );
        assert_eq!(shown, expected);
    }

    #[test]
    fn moments_are_spread_over_the_time() {
        let test = history(&["2026-01-01", "2026-01-02", "2026-01-03", "2026-01-11", "2026-01-21"]);
        let (repo, head) = (test.open(), test.id("HEAD"));
        check(repo.moments("HEAD~4", &head, 3), "2026-01-01 2026-01-11 2026-01-21");
        check(repo.moments("HEAD~4", &head, 2), "2026-01-01 2026-01-21");
        check(repo.moments("HEAD~4", &head, 99), "2026-01-01 2026-01-03 2026-01-11 2026-01-21");
        check(repo.moments("2026-01-03", &head, 2), "2026-01-03 2026-01-21");
        check(repo.moments("HEAD", &head, 5), "2026-01-21");
        check(repo.moments("2027-01-01", &head, 5), "");
        check(repo.moments("v9", &head, 5), "unknown revision `v9`");
    }

    #[test]
    fn tags_are_those_of_the_history() {
        let test = history(&["2026-01-01", "2026-01-02", "2026-01-03"]);
        test.git(&["tag", "v1", "HEAD~2"]);
        test.git(&["tag", "-a", "-m", "x", "v2", "HEAD~1"]);
        test.git(&["tag", "tree", "HEAD^{tree}"]);
        let head = test.id("HEAD");
        test.git(&["switch", "--quiet", "-c", "other"]);
        test.commit_at("o", "2026-01-04T12:00:00Z");
        test.git(&["tag", "aside"]);
        let repo = test.open();
        check(repo.tagged_moments("HEAD~3", &head, 9), "v1 v2");
        check(repo.tagged_moments("2026-01-02", &head, 9), "v2");
        check(repo.tagged_moments("v1", &head, 1), "v2");
        let other = test.id("other");
        check(repo.moments("other", &head, 2), &format!("`other` is not in the history of `{}`", head.short()));
        check(repo.moments("v1", &other, 2), "2026-01-01 2026-01-04");
    }

    #[test]
    fn what_came_in_with_a_merge_is_a_start_too() {
        let test = history(&["2026-01-01"]);
        test.git(&["switch", "--quiet", "-c", "topic"]);
        test.commit_at("t", "2026-01-02T12:00:00Z");
        test.git(&["switch", "--quiet", "main"]);
        test.commit_at("m", "2026-01-03T12:00:00Z");
        test.git(&["merge", "--quiet", "--no-ff", "-m", "merge", "topic"]);
        let merged = test.open().moments("topic", &test.id("HEAD"), 2).unwrap();
        assert_eq!((merged[0].id.clone(), merged.len()), (test.id("topic"), 2));
    }
}
