//! When the work tree is checked: at most one check at a time, and what is asked for while one runs is one more check.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use super::Start;
use super::client::Client;
use super::diagnostics::{self, ByFile};
use super::project::{self, Failure, Project};
use super::server::Event;
use crate::error::{Error, Kind};

/// What runs, and what shall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Checks {
    #[default]
    Idle,
    Running,
    /// Something was saved since the one that runs began.
    RunningAndWanted,
}

/// What a check found, also as the editor will show it.
pub(super) struct Found {
    pub(super) project: Project,
    pub(super) findings: ByFile,
}

impl Checks {
    /// Notes that a check is wanted; whether one has to be started for that.
    pub(super) fn want(&mut self) -> bool {
        let starts = *self == Checks::Idle;
        *self = if starts { Checks::Running } else { Checks::RunningAndWanted };
        starts
    }

    /// Notes that the check is done; whether another one has to be started.
    pub(super) fn done(&mut self) -> bool {
        let starts = *self == Checks::RunningAndWanted;
        *self = if starts { Checks::Running } else { Checks::Idle };
        starts
    }
}

/// Checks on a thread of its own; what comes out is an event.
pub(super) fn start(start: &Arc<Start>, client: &Client, events: &Sender<Event>) {
    let (start, client, events) = (Arc::clone(start), client.clone(), events.clone());
    std::thread::spawn(move || {
        let checked = catch_unwind(AssertUnwindSafe(|| {
            let project = project::check(&start, &client)?;
            let findings = diagnostics::diagnostics(&project, &client);
            Ok(Box::new(Found { project, findings }))
        }));
        let checked = checked.unwrap_or_else(|_| {
            let error = Error::new(Kind::Io, "the check ended unexpectedly");
            let error = error.hint("the output of the server says where; `citecheck check` may say more");
            Err(Box::new(Failure { error, places: None }))
        });
        // Nobody is left to tell where the server is gone already.
        _ = events.send(Event::Checked(checked));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saves_while_a_check_runs_are_one_check() {
        let mut checks = Checks::default();
        assert!(checks.want());
        assert_eq!([checks.want(), checks.want(), checks.want()], [false; 3]);
        assert!(checks.done(), "what was saved meanwhile was not checked yet");
        assert!(!checks.done());
        assert!(checks.want(), "and the next save is");
    }
}
