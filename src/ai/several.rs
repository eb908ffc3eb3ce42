//! Several questions at once, a few at a time. After a failure of the server nothing more is asked: it would fail, too.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::error::Error;

/// Requests that are under way at once.
const PARALLEL: usize = 4;

/// What was answered to each item, in their order, and what kept the rest from being asked.
pub(super) fn each<T: Sync, R: Send>(
    items: &[T],
    ask: impl Fn(&T) -> Result<R, Error> + Sync,
) -> (Vec<Option<R>>, Option<Error>) {
    let (next, stopped, failure) = (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(None));
    let answers: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        while !stopped.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { break };
            match ask(item) {
                Ok(answer) => *locked(&answers[at]) = Some(answer),
                Err(error) => {
                    stopped.store(true, Ordering::Relaxed);
                    locked(&failure).get_or_insert(error);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..PARALLEL.min(items.len()) {
            scope.spawn(work);
        }
    });
    let failure = locked(&failure).take();
    (answers.iter().map(|answer| locked(answer).take()).collect(), failure)
}

/// A thread that failed left a whole value behind: it is set in one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;

    #[test]
    fn answers_keep_the_order_of_the_questions() {
        let items: Vec<usize> = (0..40).collect();
        let (answers, failure) = each(&items, |item| Ok(item * 2));
        assert!(failure.is_none());
        assert_eq!(answers, items.iter().map(|item| Some(item * 2)).collect::<Vec<_>>());
    }

    #[test]
    fn after_a_failure_nothing_more_is_asked() {
        let asked = AtomicUsize::new(0);
        let items = vec![(); 1_000];
        let (answers, failure) = each(&items, |()| {
            asked.fetch_add(1, Ordering::Relaxed);
            Err::<(), _>(Error::new(Kind::Network, "gone"))
        });
        assert_eq!(failure.map(|error| error.to_string()).as_deref(), Some("gone"));
        assert!(asked.load(Ordering::Relaxed) <= PARALLEL && answers.iter().all(Option::is_none));
    }
}
