//! Work that all cores share while the next piece of it is still being fetched. Knows nothing of files.

use std::sync::mpsc;

/// Does each job as soon as it is there, on any core; the results in the order of the jobs. Fetching stays on this thread
/// and stops at the first error.
pub(crate) fn work_ahead<J: Send, T: Send, E>(
    jobs: impl Iterator<Item = Result<J, E>>,
    work: impl Fn(J) -> T + Sync,
) -> Result<Vec<T>, E> {
    let (done, results) = mpsc::channel();
    let work = &work;
    rayon::in_place_scope(|scope| {
        for (at, job) in jobs.enumerate() {
            let (job, done) = (job?, done.clone());
            // Whoever asked is waiting for the scope to end, so somebody takes it.
            scope.spawn(move |_| _ = done.send((at, work(job))));
        }
        Ok(())
    })?;
    drop(done);
    let mut results: Vec<(usize, T)> = results.into_iter().collect();
    results.sort_by_key(|(at, _)| *at);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_jobs() {
        let jobs = (0..100).map(Ok::<u64, ()>);
        let slow_first = |job: u64| {
            std::thread::sleep(std::time::Duration::from_micros(500_u64.saturating_sub(job * 50)));
            job * 2
        };
        assert_eq!(work_ahead(jobs, slow_first), Ok((0..100).map(|job| job * 2).collect()));
    }

    #[test]
    fn nothing_is_fetched_after_an_error() {
        let mut fetched = 0;
        let jobs = [Ok(1), Err("gone"), Ok(3)].into_iter().inspect(|_| fetched += 1);
        assert_eq!(work_ahead(jobs, |job| job), Err("gone"));
        assert_eq!(fetched, 2);
    }
}
