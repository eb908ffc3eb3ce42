//! `citecheck coverage`: how well the manual is covered by cases, as a report.

use std::io::{self, Write};

#[cfg(feature = "ai")]
use super::classifying::{Classifier, Classifying};
use super::{Context, OutputFile};
use crate::cases::CaseFile;
#[cfg(feature = "ai")]
use crate::coverage::categorize;
use crate::coverage::{Looked, coverage, unread};
use crate::diagnostic::coverage::{Coverage, TrendPoint};
use crate::diagnostic::{CommitFact, Diagnostic};
use crate::error::{Error, Exit, Kind};
use crate::git::{End, Moment, Selection};
use crate::pipeline::{self, Session};
use crate::report::{CoverageFormat, CoverageReport, Looks, render_coverage, render_problems};
use crate::rules::{self, facts};
use crate::source::{CommitId, Rev};

const EXAMPLES: &str = "\
Examples:
  citecheck coverage                              the work tree, in figures
  citecheck coverage --output html=coverage.html  and a page to read, or print
  citecheck coverage --rev v1.0 --format csv      the matrix of a release
  citecheck coverage --since v1.0 --tags          from release to release";

/// Tell which sections have cases, and which are out of date
///
/// Each section with text is uncovered (no case cites it), partial (only drafts do, or only some subsections are cited),
/// covered (cases cite it and all are up to date) or stale. What is out of date is what `citecheck check` tells. The page
/// of html and the rows of csv are a traceability matrix, with the text that each case was reviewed against.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Look at this revision instead of the work tree
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,

    /// Add how the figures changed since a revision, or since a day such as 2026-11-30
    #[arg(long, value_name = "REV|DATE")]
    pub(crate) since: Option<String>,

    /// How many points of the past --since looks at, at most
    #[arg(
        long,
        value_name = "N",
        default_value_t = 10,
        requires = "since",
        value_parser = clap::value_parser!(u16).range(2..=200)
    )]
    pub(crate) points: u16,

    /// Let --since look at the tags instead of points that are spread evenly over the time
    #[arg(long, requires = "since")]
    pub(crate) tags: bool,

    /// How the results look on standard output
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: CoverageFormat,

    /// Write the results to a file as well, in this format; can be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_parser = OutputFile::<CoverageFormat>::parse)]
    pub(crate) output: Vec<OutputFile<CoverageFormat>>,

    #[cfg(feature = "ai")]
    #[command(flatten)]
    classifying: Classifying,
}

/// Finds the coverage of the revision, and of those before where they are asked for, and reports it.
pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let selection = args.rev.clone().map_or(Selection::Checkout, Selection::Rev);
    let mut session = context.open(&selection)?;
    let commit = base_commit(&session)?;
    #[cfg(feature = "ai")]
    let classifier = args.classifying.classifier(&session, context)?;
    #[cfg_attr(not(feature = "ai"), expect(unused_mut, reason = "a model may say more of it"))]
    let mut seen = look(&mut session, commit.as_ref())?;
    #[cfg(feature = "ai")]
    if let Some(classifier) = classifier {
        if classifier.is_dry {
            classifier.show(&session, &seen.files, out)?;
            return Ok(Exit::Clean);
        }
        seen = classified(&classifier, seen, &mut session, &|| context.open(&selection))?;
    }
    // What is wrong in case files that only coverage looks at.
    let mut stderr = io::stderr().lock();
    render_problems(&seen.problems, &session.sources, context.looks, &mut stderr)
        .map_err(|error| Error::io("write to standard error", error))?;
    let mut coverage = seen.coverage;
    if let Some(since) = &args.since {
        let head = commit.ok_or_else(|| {
            let error = Error::new(Kind::Usage, "there is no commit that `--since` could go back from");
            error.hint("commit first, or leave out `--since`")
        })?;
        coverage.trend = trend(args, since, &mut session, (&coverage, &CommitId::new(&head.id)))?;
    }
    let mut notes = notes(&coverage, seen.unread);
    notes.extend(seen.notes);
    let report = CoverageReport { coverage: &coverage, notes: &notes };
    render_coverage(args.format, &report, context.looks, out).map_err(|error| Error::io("write the results", error))?;
    let plain = Looks { color: false, unicode: false, ..context.looks };
    for output in &args.output {
        output.write(&mut |file| render_coverage(output.format, &report, plain, file))?;
    }
    let is_empty = coverage.files.is_empty() || coverage.cases.is_empty();
    Ok(if is_empty { Exit::NothingChecked } else { Exit::Clean })
}

/// What a look at one revision gave.
struct Seen {
    coverage: Coverage,
    /// Categories that there are not.
    problems: Vec<Diagnostic>,
    /// How many findings say that something could not be read.
    unread: usize,
    /// What else there is to say.
    notes: Vec<String>,
    #[cfg_attr(not(feature = "ai"), expect(dead_code, reason = "only a model is asked about them"))]
    files: Vec<CaseFile>,
}

fn look(session: &mut Session, commit: Option<&CommitFact>) -> Result<Seen, Error> {
    let settings = session.config.coverage.clone();
    let head = pipeline::end(Some(&session.after));
    let mut seen = None;
    let checked = session.survey(&mut |input, told| {
        let looked = Looked { input, told, settings: &settings, head: head.clone(), commit: commit.cloned() };
        let problems = told.findings.iter().filter(|finding| rules::is_about_category(finding.rule)).cloned();
        seen = Some(Seen {
            coverage: coverage(&looked),
            problems: problems.collect(),
            unread: unread(told),
            notes: Vec::new(),
            files: Vec::new(),
        });
    })?;
    let seen = seen.expect("a survey shows what it found");
    Ok(Seen { files: checked.after.cases, ..seen })
}

/// The same with the categories that a model gives. Where they were written, the files are looked at again: their lines
/// moved.
#[cfg(feature = "ai")]
fn classified(
    classifier: &Classifier,
    mut seen: Seen,
    session: &mut Session,
    open: &dyn Fn() -> Result<Session, Error>,
) -> Result<Seen, Error> {
    let classified = classifier.ask(session, &seen.files)?;
    if classified.has_written {
        *session = open()?;
        let commit = base_commit(session)?;
        seen = look(session, commit.as_ref())?;
    }
    categorize(&mut seen.coverage, &session.config.coverage, &classified.categories);
    seen.notes = classified.notes;
    Ok(seen)
}

/// The commit that is looked at, or that the index or the work tree is based on.
fn base_commit(session: &Session) -> Result<Option<CommitFact>, Error> {
    let id = match &session.after.rev {
        Rev::Commit(id) => Some(id.clone()),
        Rev::Index | Rev::Worktree => session.repo.head()?,
        Rev::Nothing => None,
    };
    Ok(match id {
        Some(id) => Some(facts::commit(&session.repo.commit(&id)?)),
        None => None,
    })
}

/// The figures of the past, earliest first, and at last those that were just found.
fn trend(
    args: &Args,
    since: &str,
    session: &mut Session,
    (now, head): (&Coverage, &CommitId),
) -> Result<Vec<TrendPoint>, Error> {
    let most = usize::from(args.points);
    let moments = match args.tags {
        true => session.repo.tagged_moments(since, head, most)?,
        false => session.repo.moments(since, head, most)?,
    };
    let mut points = Vec::new();
    for moment in moments.into_iter().filter(|moment| moment.id != *head) {
        let name = name(&moment);
        session.turn_to(End { rev: Rev::Commit(moment.id.clone()), name: name.clone() });
        let past = look(session, None)?.coverage;
        points.push(TrendPoint {
            name,
            commit: Some(moment.id.as_str().to_owned()),
            date: moment.date,
            sections: past.total,
            cases: past.case_total,
        });
    }
    points.push(TrendPoint {
        name: now.head.rev.clone(),
        commit: now.head.commit.clone(),
        date: now.date.clone().unwrap_or_default(),
        sections: now.total,
        cases: now.case_total,
    });
    Ok(points)
}

fn name(moment: &Moment) -> String {
    moment.tag.clone().unwrap_or_else(|| moment.id.short().to_owned())
}

/// What the figures don't tell by themselves.
fn notes(coverage: &Coverage, unread: usize) -> Vec<String> {
    let count = |number: usize, one: &str, many: &str| match number {
        1 => format!("1 {one}"),
        many_of => format!("{many_of} {many}"),
    };
    let mut notes = Vec::new();
    if coverage.files.is_empty() {
        notes.push("no manual was found: `manuals` in citecheck.yaml selects the Markdown files".to_owned());
    }
    if coverage.cases.is_empty() {
        notes.push("no case was found: `cases` in citecheck.yaml selects the YAML files and their keys".to_owned());
    }
    if unread > 0 {
        let what = count(unread, "file or case could not be read", "files or cases could not be read");
        notes.push(format!("{what} and do not count; `citecheck check` says why"));
    }
    if coverage.case_total.nowhere > 0 {
        let cases = count(coverage.case_total.nowhere, "case has", "cases have");
        notes.push(format!("{cases} a citation that leads to no section or to several; `citecheck check` says which"));
    }
    if coverage.case_total.suppressed > 0 {
        let cases = count(coverage.case_total.suppressed, "case has", "cases have");
        notes.push(format!("{cases} a finding that a comment suppresses, which counts as up to date"));
    }
    notes
}
