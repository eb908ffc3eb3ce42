//! The state of each section from the citations that cover it, and the figures of files and of the whole. Pure
//! arithmetic: what a citation covers and whether it is stale is known before.

use crate::diagnostic::coverage::{Coverage, State};

/// Gives every section its state and counts them.
pub(super) fn settle(coverage: &mut Coverage) {
    let own: Vec<Own> = (0..coverage.sections.len()).map(|section| Own::of(coverage, section)).collect();
    let mut below = vec![Below::default(); own.len()];
    // Children stand behind their parents.
    for section in (0..own.len()).rev() {
        let counts = coverage.sections[section].counts;
        let state = match counts {
            true => Some(own[section].state(below[section])),
            false => below[section].together(),
        };
        let cover = &mut coverage.sections[section];
        cover.state = state;
        cover.in_backlog = counts && own[section].in_backlog;
        let mut told = below[section];
        told.add(state.filter(|_| counts));
        if let Some(parent) = cover.parent {
            below[parent].join(told);
        }
    }
    for cover in &coverage.sections {
        if let Some(state) = cover.state.filter(|_| cover.counts) {
            coverage.files[cover.file].tally.add(state, cover.in_backlog);
            coverage.total.add(state, cover.in_backlog);
        }
    }
}

/// What covers a section itself.
#[derive(Clone, Copy, Debug, Default)]
struct Own {
    has_finished: bool,
    has_draft: bool,
    is_stale: bool,
    in_backlog: bool,
}

impl Own {
    fn of(coverage: &Coverage, section: usize) -> Self {
        let mut own = Self { in_backlog: true, ..Self::default() };
        for (_, at) in coverage.covering(section) {
            let reach = &coverage.citation(at).reach;
            match coverage.cases[at.case].is_draft {
                true => own.has_draft = true,
                false => own.has_finished = true,
            }
            own.is_stale |= reach.stale.has(section);
            own.in_backlog &= reach.changed.has(section);
        }
        own.in_backlog &= own.has_draft || own.has_finished;
        own
    }

    fn state(self, below: Below) -> State {
        match (self.has_finished, self.is_stale) {
            (true, true) => State::Stale,
            (true, false) => State::Covered,
            (false, _) if self.has_draft || below.has_cover() => State::Partial,
            (false, _) => State::Uncovered,
        }
    }
}

/// Which states there are below a section.
#[derive(Clone, Copy, Debug, Default)]
struct Below {
    uncovered: bool,
    partial: bool,
    stale: bool,
    covered: bool,
}

impl Below {
    fn add(&mut self, state: Option<State>) {
        match state {
            Some(State::Uncovered) => self.uncovered = true,
            Some(State::Partial) => self.partial = true,
            Some(State::Stale) => self.stale = true,
            Some(State::Covered) => self.covered = true,
            None => {}
        }
    }

    fn join(&mut self, other: Self) {
        self.uncovered |= other.uncovered;
        self.partial |= other.partial;
        self.stale |= other.stale;
        self.covered |= other.covered;
    }

    fn has_cover(self) -> bool {
        self.partial || self.stale || self.covered
    }

    /// What a heading without text comes to.
    fn together(self) -> Option<State> {
        match self {
            Below { stale: true, .. } => Some(State::Stale),
            Below { partial: false, uncovered: false, covered: true, .. } => Some(State::Covered),
            Below { partial: true, .. } | Below { covered: true, .. } => Some(State::Partial),
            Below { uncovered: true, .. } => Some(State::Uncovered),
            Below { .. } => None,
        }
    }
}
