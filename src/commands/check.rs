//! `citecheck check`: which cases may be out of date.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

#[cfg(feature = "ai")]
use super::judging::{self, Judging};
use super::kept::{Kept, Printed};
use super::reporting::{FailOn, Reporting, say};
use super::{Context, Wanted, fix, shown, unstaged};
use crate::diagnostic::{CheckSummary, Diagnostic, EndFact, Level};
use crate::diff::{Change, Magnitude};
use crate::error::{Error, Exit, Kind};
use crate::git::{Repo, Selection};
use crate::pipeline::{self, Checked, Session};
use crate::report::{CasePlace, CheckReport, Looks, render_check};
use crate::rules;
use crate::source::{CommitId, RepoPath};

const EXAMPLES: &str = "\
Examples:
  citecheck check                           every stale case of the work tree
  citecheck check --staged                  what the next commit changes
  citecheck check main...                   since this branch left main
  citecheck check v1.0..v1.1 tests/pump     between two tags, for some cases
  citecheck check --statistics              how many of what
  citecheck check --output json=check.json  the same run, also in a file";

/// Report cases whose cited text changed since they were reviewed
///
/// Follows every citation from the revision it was last reviewed against to the one that is checked: without a range the
/// work tree, with untracked files that are not ignored. With a range, what changed in it is told in full, and what was
/// stale before in one note. --staged leaves that note out, as a hook has to be fast; --all tells all of it.
///
/// Nothing is written but the files of --output. What was printed is kept in `.git` for as long as nothing changes, and
/// with --judge the answers of the model.
#[derive(Debug, clap::Args)]
#[command(
    after_help = EXAMPLES,
    override_usage = "citecheck check [OPTIONS] [RANGE] [PATH]... [-- PATH...]"
)]
pub(crate) struct Args {
    /// A range of commits, A..B or A...B (from the merge base), then manuals and cases to look at
    ///
    /// The first one is the range if it has the form of one and is no path that exists. What follows `--` is a path.
    #[arg(value_name = "RANGE|PATH")]
    targets: Vec<PathBuf>,

    /// Paths, even if they look like a range
    #[arg(last = true, value_name = "PATH", hide = true)]
    paths: Vec<PathBuf>,

    /// Check the index against HEAD: exactly what would be committed
    #[arg(long, conflicts_with_all = ["worktree", "rev", "base"])]
    pub(crate) staged: bool,

    /// Check the work tree against HEAD
    #[arg(long, conflicts_with_all = ["rev", "base"])]
    pub(crate) worktree: bool,

    /// Check one revision, comparing it with nothing
    #[arg(long, value_name = "REV", conflicts_with = "base")]
    pub(crate) rev: Option<String>,

    /// Compare from this revision, together with --head
    #[arg(long, value_name = "REV", requires = "head")]
    pub(crate) base: Option<String>,

    /// Compare up to this revision, together with --base
    #[arg(long, value_name = "REV", requires = "base")]
    pub(crate) head: Option<String>,

    /// First rewrite citations whose section moved, as `citecheck fix` does; for the work tree only
    #[arg(long, conflicts_with_all = ["staged", "rev", "base"])]
    pub(crate) fix: bool,

    #[cfg(feature = "ai")]
    #[command(flatten)]
    judging: Judging,

    #[command(flatten)]
    pub(crate) reporting: Reporting,
}

/// The positional arguments, told apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Targets<'a> {
    pub(crate) range: Option<&'a str>,
    pub(crate) paths: Vec<&'a Path>,
}

impl Args {
    /// Tells the range from the paths; `exists` knows the files. A path that exists is a path whatever it looks like.
    pub(crate) fn targets(&self, exists: impl Fn(&Path) -> bool) -> Result<Targets<'_>, Error> {
        let first = self.targets.first().filter(|first| !exists(first));
        let range = first.and_then(|first| first.to_str()).filter(|first| is_range(first));
        if let Some(range) = range
            && let Some(option) = self.selecting_option()
        {
            let message = format!("the range `{range}` cannot be used with `{option}`");
            return Err(Error::new(Kind::Usage, message).hint("if it is a path, write it after `--`"));
        }
        let paths = self.targets.iter().skip(usize::from(range.is_some())).chain(&self.paths);
        Ok(Targets { range, paths: paths.map(PathBuf::as_path).collect() })
    }

    /// Why the revisions are compared that are.
    fn why(&self, range: Option<&str>) -> String {
        match range.map(|range| format!("the range `{range}`")).or(self.selecting_option().map(|it| format!("`{it}`")))
        {
            Some(given) => format!("{given} was given"),
            None => "no range was given, so each case is compared with its last review".to_owned(),
        }
    }

    /// The option that says what is compared.
    fn selecting_option(&self) -> Option<&'static str> {
        let options = [
            (self.staged, "--staged"),
            (self.worktree, "--worktree"),
            (self.rev.is_some(), "--rev"),
            (self.base.is_some(), "--base"),
        ];
        options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }
}

/// Whether a text has the form `A..B` or `A...B`, each side optional but one. A revision neither starts nor ends with
/// `/`, so `../docs` and `docs/..` are paths.
fn is_range(text: &str) -> bool {
    let Some((before, after)) = text.split_once("..") else { return false };
    let after = after.strip_prefix('.').unwrap_or(after);
    let has_side = !before.is_empty() || !after.is_empty();
    has_side && !before.ends_with('/') && !after.starts_with('/')
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
}

/// Runs the check and reports it in every format that was asked for.
pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let targets = args.targets(|path| context.start.join(path).symlink_metadata().is_ok())?;
    if let Some(range) = targets.range.filter(|_| args.fix) {
        let message = format!("`--fix` rewrites the work tree, and the range `{range}` ends in a commit");
        return Err(Error::new(Kind::Usage, message).hint("leave out the range, or `--fix`"));
    }
    let selection = args.selection(targets.range);
    let repo = context.repo()?;
    let mut asked = match selection == Selection::Staged {
        true => staged(&repo, context)?,
        false => Asked::new(selection, args.why(targets.range)),
    };
    asked.paths = targets.paths;
    if args.fix {
        let mut session = args.reporting.open(&asked, &context.repo()?, context)?;
        let checked = session.check(true)?;
        let fixed = fix::fix(&session, &checked)?;
        asked.notes.extend((!fixed.is_empty()).then(|| fix::count(fixed.len())));
    }
    #[cfg(feature = "ai")]
    if args.judging.judge {
        return judging::run(&args.judging, &args.reporting, asked, context, out);
    }
    run_or_recall(&args.reporting, &asked, &repo, context, out)
}

/// Prints what was printed for the same state before, or else checks it.
fn run_or_recall(
    reporting: &Reporting,
    asked: &Asked<'_>,
    repo: &Rc<Repo>,
    context: &Context,
    out: &mut dyn Write,
) -> Result<Exit, Error> {
    let mut session = reporting.open(asked, repo, context)?;
    let Some(kept) = Kept::of(&session, reporting, asked, context)? else {
        let checked = session.check(reporting.all)?;
        return Ok(report(reporting, asked, (&session, &checked), context, out)?.exit);
    };
    let printed = match kept.recall() {
        Some(printed) => {
            let told = "recalled: nothing has changed since an earlier run";
            if reporting.loudness.verbose {
                say(&[told.to_owned()], context.looks)?;
            }
            printed
        }
        None => {
            let checked = session.check(reporting.all)?;
            let mut text = Vec::new();
            let exit = report(reporting, asked, (&session, &checked), context, &mut text)?.exit;
            let printed = Printed { text, exit };
            let now = || Kept::of(&context.open(&asked.selection).ok()?, reporting, asked, context).ok()?;
            kept.keep(&checked, &printed, now);
            printed
        }
    };
    out.write_all(&printed.text).map_err(|error| Error::io("write the results", error))?;
    Ok(printed.exit)
}

/// What is staged. Where nothing is, a comparison would see nothing and pass: outside of a commit the whole index is
/// checked instead, as for `pre-commit run --all-files`.
pub(crate) fn staged<'a>(repo: &Repo, context: &Context) -> Result<Asked<'a>, Error> {
    let (selection, note) = match (repo.has_staged()?, context.env.is_committing()) {
        (true, _) => return Ok(Asked::new(Selection::Staged, "what is staged")),
        // An empty commit or one that only gets another message.
        (false, true) => (Selection::Staged, "the commit changes no file"),
        (false, false) => (Selection::Index, "nothing is staged, so everything in the index was checked"),
    };
    Ok(Asked::noted(selection, note))
}

/// Checks what was asked for and reports it in every format.
pub(crate) fn run_selection(
    reporting: &Reporting,
    asked: &Asked<'_>,
    repo: &Rc<Repo>,
    context: &Context,
    out: &mut dyn Write,
) -> Result<Outcome, Error> {
    let mut session = reporting.open(asked, repo, context)?;
    let checked = session.check(reporting.all)?;
    report(reporting, asked, (&session, &checked), context, out)
}

/// Reports what a check found.
pub(crate) fn report(
    reporting: &Reporting,
    asked: &Asked<'_>,
    (session, checked): (&Session, &Checked),
    context: &Context,
    out: &mut dyn Write,
) -> Result<Outcome, Error> {
    let mut findings = checked.findings.clone();
    let wanted = Wanted::new(session, context, &asked.paths)?;
    if !wanted.is_everything() {
        findings.retain(|finding| wanted.concerns(finding, &session.sources));
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
    all_notes.extend(unstaged::notes(session)?);
    all_notes.extend(notes(&summary, &findings));
    all_notes.extend(checked.loosened.notes().chain(&checked.notes).cloned());
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
    write_reports(reporting, &report, context.looks, out)?;
    Ok(outcome(reporting.loudness.fail_on, &report))
}

fn write_reports(
    reporting: &Reporting,
    report: &CheckReport<'_>,
    looks: Looks,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let looks = reporting.looks(looks);
    let told = render_check(reporting.format, report, looks, out);
    if !reporting.format.tells_notes() {
        let notes: Vec<String> = report.told_notes(looks.quiet).iter().map(|note| format!("note: {note}")).collect();
        say(&notes, looks)?;
    }
    for output in &reporting.output {
        let plain = Looks { color: false, unicode: false, ..looks };
        output.write(&mut |file| render_check(output.format, report, plain, file))?;
    }
    told.map_err(|error| Error::io("write the results", error))
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
}

impl Args {
    fn selection(&self, range: Option<&str>) -> Selection {
        match (range, self.staged, &self.rev, &self.base, &self.head) {
            (Some(range), ..) => Selection::Range(range.to_owned()),
            (None, true, ..) => Selection::Staged,
            (None, false, Some(rev), ..) => Selection::Rev(rev.clone()),
            (None, false, None, Some(base), Some(head)) => {
                Selection::Between { base: base.clone(), head: head.clone() }
            }
            (None, false, None, _, _) if self.worktree => Selection::Worktree,
            (None, false, None, _, _) => Selection::Checkout,
        }
    }
}

fn outcome(fail_on: FailOn, report: &CheckReport<'_>) -> Outcome {
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
    let citations: BTreeSet<_> = findings
        .iter()
        .filter(|finding| finding.facts.citation.is_some())
        .map(|finding| finding.primary.span)
        .collect();
    let uncited = |change: &&Change| {
        let befores = change.befores();
        !befores.is_empty() && !befores.iter().any(|at| cited.contains(at))
    };
    let total = after.citations();
    CheckSummary {
        manuals: after.manual.documents.len(),
        changed_manuals: checked.touched.as_ref().map(|touched| touched.manuals),
        sections: sections_looked_at(checked),
        has_cases: checked.has_cases,
        cases: after.cases.iter().map(|file| file.cases.len()).sum(),
        citations: total,
        fresh: total.saturating_sub(citations.len()),
        cases_to_look_at: cases.len(),
        fixable: findings.iter().filter(|finding| finding.fix.is_some()).count(),
        findings: findings.len(),
        errors: count(Level::Error),
        warnings: count(Level::Warning),
        suppressed: checked.suppressed,
        elsewhere: checked.findings.len() - findings.len(),
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

fn notes(summary: &CheckSummary, findings: &[Diagnostic]) -> Vec<String> {
    let mut notes = Vec::new();
    if summary.manuals == 0 {
        notes.push("no manual was found: `manuals` in citecheck.yaml selects the Markdown files".to_owned());
    }
    // Where a case or its file can't be read, that is the answer.
    if !summary.has_cases && !findings.iter().any(|finding| rules::is_unread(finding.rule)) {
        notes.push(
            "no case was found: a case is a YAML mapping with a key `cites`, or as `cases` configures".to_owned(),
        );
    }
    notes
}

#[cfg(test)]
mod tests {
    use clap::{Args as _, FromArgMatches};

    use super::*;

    /// Parses the arguments, separated by blanks, with files that exist.
    fn parse(arguments: &str, files: &[&str]) -> String {
        let command = Args::augment_args(clap::Command::new("check"));
        let arguments = std::iter::once("check").chain(arguments.split_whitespace());
        let matches = command.try_get_matches_from(arguments).expect("valid arguments");
        let args = Args::from_arg_matches(&matches).expect("valid arguments");
        match args.targets(|path| files.iter().any(|file| path == Path::new(file))) {
            Ok(Targets { range, paths }) => format!("{range:?} {paths:?}"),
            Err(error) => error.render(),
        }
    }

    #[test]
    fn the_first_argument_is_the_range_if_it_looks_like_one() {
        let check = |arguments: &str, expected: &str| assert_eq!(parse(arguments, &["a..b"]), expected, "{arguments}");
        check("", "None []");
        check("v1..v2", "Some(\"v1..v2\") []");
        check("main... docs tests", "Some(\"main...\") [\"docs\", \"tests\"]");
        check("..topic", "Some(\"..topic\") []");
        check("origin/main..HEAD~2", "Some(\"origin/main..HEAD~2\") []");
        check("docs v1..v2", "None [\"docs\", \"v1..v2\"]");
        check("docs", "None [\"docs\"]");
        check("../docs", "None [\"../docs\"]");
        check("docs/../tests", "None [\"docs/../tests\"]");
        check("..", "None [\"..\"]");
        check("a..b", "None [\"a..b\"]");
        check("-- v1..v2", "None [\"v1..v2\"]");
        check("v1..v2 -- c..d", "Some(\"v1..v2\") [\"c..d\"]");
        check("--staged docs", "None [\"docs\"]");
    }

    #[test]
    fn a_range_excludes_the_options_that_choose_revisions() {
        assert_eq!(
            parse("--staged v1..v2", &[]),
            "error: the range `v1..v2` cannot be used with `--staged`\n  hint: if it is a path, write it after `--`\n"
        );
    }
}
