//! A check, run and reported: what `check`, `ci`, hooks and merges have in common once they know what to compare. Which
//! that is they find out themselves.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::rc::Rc;

use super::chosen::ChosenPaths;
use super::reporting::{FailOn, Reporting, say};
use super::{Context, empty_range, shown, unstaged};
use crate::diagnostic::{CheckSummary, Diagnostic, EndFact, Level};
use crate::diff::{Change, Magnitude};
use crate::error::{Error, Exit};
use crate::git::{Repo, Selection};
use crate::pipeline::{self, Checked, Revision, Session};
use crate::report::{CasePlace, CheckReport, Looks, render_check};
use crate::rules;
use crate::source::{CommitId, RepoPath, Span};

/// What is fixed for a run, however many comparisons it makes: how they are told, where it was started, and the
/// repository.
#[derive(Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) reporting: &'a Reporting,
    pub(crate) context: &'a Context,
    pub(crate) repo: &'a Rc<Repo>,
}

/// What to check, and what to say about the choice.
pub(crate) struct Asked<'a> {
    pub(crate) selection: Selection,
    /// Files that findings have to concern; none: everything.
    pub(crate) paths: Vec<&'a Path>,
    /// Why this is checked, for who asks.
    pub(crate) why: String,
    /// What has to be said of the choice even to who does not ask.
    pub(crate) notes: Vec<String>,
    /// The commit whose files a page for review shows, where that is not the one that is checked.
    pub(crate) page: Option<CommitId>,
}

/// What a check came to.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) exit: Exit,
    pub(crate) base: EndFact,
    pub(crate) head: EndFact,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    /// Cases with a finding about a change in the range.
    pub(crate) impacted: usize,
    /// Cases with a finding.
    pub(crate) stale: usize,
    /// Whether there is a manual without a case, and there were cases at the start of the range.
    pub(crate) is_lost: bool,
}

impl Asked<'_> {
    pub(crate) fn new(selection: Selection, why: impl Into<String>) -> Self {
        Self { selection, paths: Vec::new(), why: why.into(), notes: Vec::new(), page: None }
    }

    /// With the reason told as a note, where the user did not choose.
    pub(crate) fn noted(selection: Selection, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { notes: vec![why.clone()], ..Self::new(selection, why) }
    }

    /// What is staged. Where nothing is, a comparison would see nothing and pass: outside of a commit the whole index is
    /// checked instead, as for `pre-commit run --all-files`.
    pub(crate) fn staged(repo: &Repo, context: &Context) -> Result<Self, Error> {
        let (selection, note) = match (repo.has_staged()?, context.env.is_committing()) {
            (true, _) => return Ok(Self::new(Selection::Staged, "what is staged")),
            // An empty commit or one that only gets another message.
            (false, true) => (Selection::Staged, "the commit changes no file"),
            (false, false) => (Selection::Index, "nothing is staged, so everything in the index was checked"),
        };
        Ok(Self::noted(selection, note))
    }
}

impl Run<'_> {
    /// Opens what is to be checked, with the levels of this run, and says what that is where it is asked for.
    pub(super) fn open(self, asked: &Asked<'_>) -> Result<Session, Error> {
        self.reporting.refuse_lost_statistics()?;
        let mut session = self.context.open_in(self.repo, &asked.selection)?;
        session.levels = self.reporting.loudness.levels.by_rule();
        if self.reporting.loudness.verbose {
            say(&compared(&session, asked), self.context.looks)?;
        }
        Ok(session)
    }

    /// Checks what was asked for and reports it in every format.
    pub(super) fn check(self, asked: &Asked<'_>, out: &mut dyn Write) -> Result<Outcome, Error> {
        let mut session = self.open(asked)?;
        let checked = session.check(self.reporting.all)?;
        self.report(asked, (&session, &checked), out)
    }

    /// Reports what a check found.
    pub(super) fn report(
        self,
        asked: &Asked<'_>,
        (session, checked): (&Session, &Checked),
        out: &mut dyn Write,
    ) -> Result<Outcome, Error> {
        let Self { reporting, context, .. } = self;
        let mut findings = checked.findings.clone();
        let chosen = ChosenPaths::new(session, context, &asked.paths, &checked.after.cases)?;
        if !chosen.is_everything() {
            findings.retain(|finding| chosen.concerns(finding, &session.sources));
        }
        let summary = summary(&findings, checked);
        let cases: Vec<CasePlace> = checked
            .after
            .cases
            .iter()
            .flat_map(|file| &file.cases)
            .map(|case| CasePlace { id: case.id.0.clone(), span: case.id_span })
            .collect();
        let mut all_notes = asked.notes.clone();
        let empty = empty_range(session).filter(|_| !reporting.all);
        all_notes.extend(empty.map(|empty| format!("{empty}; without a range every case is looked at")));
        all_notes.extend(unstaged::notes(session)?);
        all_notes.extend(notes(&summary, &findings, &checked.before));
        all_notes.extend(checked.loosened.notes().chain(checked.notes.iter().cloned()));
        let changed_files = reporting.changed_files(session)?;
        let report = CheckReport {
            base: pipeline::end(session.before.as_ref()),
            head: pipeline::end(Some(&session.after)),
            findings: &findings,
            notes: &all_notes,
            sources: &session.sources,
            summary,
            cases: &cases,
            changed_files: &changed_files,
            kept_places: &shown::kept(session, &findings, &changed_files)?,
            shown: &shown::texts(session, asked.page.as_ref())?,
            statistics: reporting.statistics,
            category: &reporting.sarif_category,
        };
        self.write(&report, out)?;
        Ok(outcome(reporting.loudness.fail_on, &report, count_cases(&checked.before) > 0))
    }

    fn write(self, report: &CheckReport<'_>, out: &mut dyn Write) -> Result<(), Error> {
        let reporting = self.reporting;
        let looks = reporting.looks(self.context.looks);
        let told = render_check(reporting.format, report, looks, out);
        if !reporting.format.tells_notes() {
            let notes: Vec<String> =
                report.told_notes(looks.quiet).iter().map(|note| format!("note: {note}")).collect();
            say(&notes, looks)?;
        }
        for output in &reporting.output {
            let plain = Looks { color: false, unicode: false, ..looks };
            output.write(&mut |file| render_check(output.format, report, plain, file))?;
        }
        told.map_err(|error| Error::io("write the results", error))
    }
}

/// What is compared, why, and by which configuration, as `ci --print` says it.
fn compared(session: &Session, asked: &Asked<'_>) -> Vec<String> {
    let end = |end: EndFact| match end.commit.filter(|commit| *commit != end.rev) {
        Some(commit) => format!("{} ({commit})", end.rev),
        None => end.rev,
    };
    let configuration = match &session.config_path {
        Some(path) => path.to_string(),
        None => "none, so the defaults hold".to_owned(),
    };
    let (base, head) = (pipeline::end(session.before.as_ref()), pipeline::end(Some(&session.after)));
    vec![
        format!("base: {}", end(base)),
        format!("head: {}", end(head)),
        format!("why: {}", asked.why),
        format!("configuration: {configuration}"),
    ]
}

/// `had_cases`: at the start of the range.
fn outcome(fail_on: FailOn, report: &CheckReport<'_>, had_cases: bool) -> Outcome {
    let exit = match (report.is_about_nothing(), fail_on.is_reached(report.findings)) {
        (true, false) => Exit::NothingChecked,
        (_, true) => Exit::Findings,
        (false, false) => Exit::Clean,
    };
    let cases = |want: &dyn Fn(&Diagnostic) -> bool| {
        let findings = report.findings.iter().filter(|finding| want(finding));
        findings.filter_map(|finding| finding.facts.case.as_ref()).collect::<BTreeSet<_>>().len()
    };
    Outcome {
        exit,
        base: report.base.clone(),
        head: report.head.clone(),
        errors: report.summary.errors,
        warnings: report.summary.warnings,
        impacted: cases(&|finding| finding.facts.impacted),
        stale: cases(&|_| true),
        is_lost: had_cases && report.summary.manuals > 0 && !report.summary.has_cases,
    }
}

fn summary(findings: &[Diagnostic], checked: &Checked) -> CheckSummary {
    let Checked { after, diff, cited, .. } = checked;
    let count = |level: Level| findings.iter().filter(|finding| finding.level == level).count();
    let cases: BTreeSet<&String> = findings
        .iter()
        .filter(|finding| finding.level == Level::Error)
        .filter_map(|finding| finding.facts.case.as_ref())
        .collect();
    let older = checked.older.iter().map(|(case, at)| (case.as_str(), *at));
    let citations: BTreeSet<(&str, Span)> = findings.iter().filter_map(Diagnostic::about).chain(older).collect();
    let uncited = |change: &&Change| !change.befores().is_empty() && !cited.are_touched(change);
    let total = after.citations();
    CheckSummary {
        manuals: after.manual.documents.len(),
        changed_manuals: checked.touched.as_ref().map(|touched| touched.manuals),
        sections: sections_looked_at(checked),
        has_cases: checked.has_cases,
        cases: count_cases(after),
        citations: total,
        fresh: total.saturating_sub(citations.len()),
        is_range_only: checked.is_range_only,
        cases_to_look_at: cases.len(),
        fixable: findings.iter().filter(|finding| finding.fix.is_some()).count(),
        findings: findings.len(),
        errors: count(Level::Error),
        warnings: count(Level::Warning),
        suppressed: checked.suppressed,
        elsewhere: checked.findings.len() - findings.len(),
        older: checked.older.len(),
        uncited_substantive: diff
            .changes
            .iter()
            .filter(|change| change.edit.magnitude == Magnitude::Substantive)
            .filter(uncited)
            .count(),
        renumbered: diff.changes.iter().filter(|change| change.relation().renumbered).filter(uncited).count(),
    }
}

/// The sections of the files that were looked at for themselves, not only to see what a citation may name.
fn sections_looked_at(checked: &Checked) -> usize {
    let is_touched = |path: &RepoPath| checked.touched.as_ref().is_none_or(|touched| touched.paths.contains(path));
    let documents = checked.after.manual.documents.iter().filter(|document| is_touched(&document.path));
    documents.map(|document| document.sections.len()).sum()
}

/// Says where there is nothing to check, and whether there was at the start of the range.
fn notes(summary: &CheckSummary, findings: &[Diagnostic], before: &Revision) -> Vec<String> {
    let had = |count: usize| match count {
        0 => String::new(),
        1 => ", though 1 was there before".to_owned(),
        more => format!(", though {more} were there before"),
    };
    let mut notes = Vec::new();
    if summary.manuals == 0 {
        let had = had(before.manual.documents.len());
        notes.push(format!("no manual was found{had}: `manuals` in citecheck.yaml selects the Markdown files"));
    }
    // Where a case or its file can't be read, that is the answer.
    if !summary.has_cases && !findings.iter().any(|finding| rules::is_unread(finding.rule)) {
        let had = had(count_cases(before));
        let what = "a case is a YAML mapping with a key `cites`, or as `cases` configures";
        notes.push(format!("no case was found{had}: {what}"));
    }
    notes
}

fn count_cases(revision: &Revision) -> usize {
    revision.cases.iter().map(|file| file.cases.len()).sum()
}
