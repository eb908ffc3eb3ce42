//! `citecheck check --judge`: a model's opinion on each finding of edited text. It is shown, and where the case is said to
//! hold it makes an error a warning; it takes no finding away.

use std::collections::BTreeSet;
use std::io::Write;
use std::time::Duration;

use super::Context;
use super::checking::{Asked, Run};
use super::chosen::ChosenPaths;
use super::model::{Sending, model, show};
use crate::ai::{Edited, Judged, Verdict, judge};
use crate::diagnostic::{Diagnostic, JudgementFact, Level};
use crate::error::{Error, Exit};
use crate::pipeline::{Checked, Session};
use crate::rules::is_about_text;

/// Whether and how a model is asked.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Judging {
    /// Ask the model of the configuration whether each case with edited text still holds
    ///
    /// The verdict is shown with the finding. Where the case holds, `text-changed` becomes a warning, unless the command
    /// line gives it a level; no finding is taken away, and what is no clear answer changes nothing. Answers are kept
    /// under .git/citecheck and serve again.
    #[arg(long)]
    pub(crate) judge: bool,

    /// With --judge: print what would be sent, and send and check nothing further
    #[arg(long, requires = "judge")]
    dry_run: bool,

    /// With --judge: seconds that one request may take
    #[arg(long, value_name = "SECONDS", requires = "judge", default_value_t = 120)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// Checks, asks, and reports with the verdicts.
pub(super) fn run(judging: &Judging, run: Run<'_>, mut asked: Asked<'_>, out: &mut dyn Write) -> Result<Exit, Error> {
    let mut session = run.open(&asked)?;
    let sending = if judging.dry_run { Sending::Never } else { Sending::For(Duration::from_secs(judging.timeout)) };
    let model = model(&session, sending, run.context)?;
    session.asks_model = true;
    let mut checked = session.check(run.reporting.all)?;
    let questions = questions(&session, &mut checked, &asked, run.context)?;
    if judging.dry_run {
        let requests: Vec<_> = questions.iter().filter_map(|edited| edited.request(&model)).collect();
        show(&model, &requests, out)?;
        return Ok(Exit::Clean);
    }
    let judged = judge(&model, &questions);
    for (edited, verdict) in questions.iter().zip(&judged.verdicts) {
        let is_asked = |finding: &&mut Diagnostic| finding.about() == Some((edited.case.as_str(), edited.span));
        checked.findings.iter_mut().filter(is_asked).for_each(|finding| {
            tell(finding, verdict, &model.name);
            if lowers(finding, verdict, &session) {
                finding.level = Level::Warning;
            }
        });
    }
    asked.notes.push(summary(&judged));
    Ok(run.report(&asked, (&session, &checked), out)?.exit)
}

/// What to ask about: the findings that the run is limited to, each question once.
fn questions(
    session: &Session,
    checked: &mut Checked,
    asked: &Asked<'_>,
    context: &Context,
) -> Result<Vec<Edited>, Error> {
    let chosen = ChosenPaths::new(session, context, &asked.paths, &checked.after.cases)?;
    let findings = checked.findings.iter().filter(|finding| chosen.concerns(finding, &session.sources));
    let citations: BTreeSet<_> = findings.filter_map(Diagnostic::about).collect();
    let mut questions = std::mem::take(&mut checked.edited);
    questions.retain(|edited| citations.contains(&(edited.case.as_str(), edited.span)));
    Ok(questions)
}

/// Whether a verdict makes a warning of an error. What the command line says of a rule, no model unsays.
fn lowers(finding: &Diagnostic, verdict: &Verdict, session: &Session) -> bool {
    let holds = matches!(verdict, Verdict::Holds { .. });
    let is_error = finding.level == Level::Error;
    is_error && holds && is_about_text(finding.rule) && !session.levels.contains_key(finding.rule.name)
}

/// Adds a verdict to a finding. A group would show one verdict for several cases.
fn tell(finding: &mut Diagnostic, verdict: &Verdict, model: &str) {
    if !is_about_text(finding.rule) {
        return;
    }
    let (holds, reason, note) = match verdict {
        Verdict::Holds { reason } => (true, reason, format!("the model `{model}` says the case still holds: {reason}")),
        Verdict::DoesNotHold { reason } => {
            (false, reason, format!("the model `{model}` says the case does not hold any more: {reason}"))
        }
        Verdict::None { why } => (false, why, format!("no verdict of the model `{model}`: {why}")),
    };
    finding.notes.push(note);
    finding.group = None;
    finding.facts.judgement = Some(JudgementFact { holds, reason: reason.clone(), model: model.to_owned() });
}

fn summary(judged: &Judged) -> String {
    let count = |is: fn(&Verdict) -> bool| judged.verdicts.iter().filter(|verdict| is(verdict)).count();
    let holds = count(|verdict| matches!(verdict, Verdict::Holds { .. }));
    let none = count(|verdict| matches!(verdict, Verdict::None { .. }));
    let mut text = match judged.verdicts.len() {
        0 => "nothing to judge: no finding is about edited text".to_owned(),
        all => format!("judged: {holds} of {all} still hold in the opinion of the model"),
    };
    if none > 0 {
        text.push_str(&format!(", {none} without a verdict"));
    }
    if let Some(failure) = &judged.failure {
        text.push_str(&format!("; {failure}"));
    }
    text
}
