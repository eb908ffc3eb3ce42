//! Whether a case still holds after the text that it cites was edited, in the opinion of a model. Anything but a clear
//! answer means that it does not.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

use super::several::each;
use super::{Model, PROMPT, Question, Reply, check_text, key, strict};
use crate::cases::Scope;
use crate::diagnostic::Diagnostic;
use crate::error::Error;
use crate::hash::Hex;
use crate::impact::Home;
use crate::manual::{Manual, Target};
use crate::review::covered;
use crate::rules::{Input, is_about_text};
use crate::source::{Sources, Span};

/// A case that a finding says may be out of date as its text was edited.
#[derive(Clone, Debug)]
pub(crate) struct Edited {
    pub(crate) case: String,
    /// The citation.
    pub(crate) span: Span,
    /// Fingerprints of the cited text, as it was reviewed and as it is.
    before: String,
    after: String,
    /// The hash of what the case says.
    content: String,
    texts: Texts,
}

#[derive(Clone, Debug)]
struct Texts {
    before: String,
    after: String,
    case: String,
}

/// What is thought of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Holds {
        reason: String,
    },
    DoesNotHold {
        reason: String,
    },
    /// No answer that counts; why.
    None {
        why: String,
    },
}

/// The verdicts, one for each question, and what kept the rest from being asked.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) verdicts: Vec<Verdict>,
    pub(crate) failure: Option<Error>,
}

/// Bytes of a question: what is longer cannot be judged, and a part of it must not be.
const MOST_TEXT: usize = 60_000;
/// Characters of a reason.
const MOST_REASON: usize = 600;

const TASK: &str = "The document has three strings: `before`, the cited text of the manual when the test case was last \
reviewed; `after`, the same text now; and `case`, the test case as YAML. Decide whether the test case, as it is written, is \
still right for the text in `after`. It holds only if every step, value, condition and expectation in it agrees with `after`, \
and nothing that `after` newly asks of what it tests is missing. If you are not sure, it does not hold. Give the reason in one \
or two sentences that name the words which decide.";

/// The questions that the findings give rise to, in their order.
pub(crate) fn edited(input: &Input<'_>, findings: &[Diagnostic]) -> Vec<Edited> {
    let is_edit = |finding: &&Diagnostic| is_about_text(finding.rule);
    let citations: BTreeSet<(&str, Span)> = findings.iter().filter(is_edit).filter_map(Diagnostic::about).collect();
    let mut questions = Vec::new();
    for examined in input.citations {
        let cited = examined.impact.cited;
        let (Some(before), Home::Here(after)) = (examined.impact.before, &examined.impact.home) else { continue };
        if !citations.contains(&cited.key()) {
            continue;
        }
        let (scope, passage) = (cited.citation.scope, examined.passage);
        let whole = scope == Scope::Whole;
        questions.push(Edited {
            case: cited.case.id.0.clone(),
            span: cited.citation.span,
            before: passage.before.fingerprint(before, whole).to_string(),
            after: passage.after.fingerprint(*after, whole).to_string(),
            content: Hex(&cited.case.content).to_string(),
            texts: Texts {
                before: text(passage.before, before, scope, input.sources),
                after: text(passage.after, *after, scope, input.sources),
                case: input.sources.slice(cited.case.span).to_owned(),
            },
        });
    }
    questions
}

/// Asks all questions.
pub(crate) fn judge(model: &Model, questions: &[Edited]) -> Judged {
    let (verdicts, failure) = each(questions, |edited| verdict(model, edited));
    let none = || Verdict::None { why: "it could not be asked".to_owned() };
    Judged { verdicts: verdicts.into_iter().map(|verdict| verdict.unwrap_or_else(none)).collect(), failure }
}

impl Edited {
    pub(crate) fn question(&self, model: &Model) -> Question {
        let prompt = PROMPT.to_string();
        Question {
            kind: "judge",
            key: key(["judge", &self.before, &self.after, &self.content, &model.name, &prompt]),
            task: TASK,
            data: json!({"before": self.texts.before, "after": self.texts.after, "case": self.texts.case}),
            schema: schema(),
        }
    }

    pub(crate) fn is_too_long(&self) -> bool {
        let Texts { before, after, case } = &self.texts;
        before.len() + after.len() + case.len() > MOST_TEXT
    }

    /// The request that judging would send; none where the verdict is known or there will be none.
    pub(crate) fn request(&self, model: &Model) -> Option<Value> {
        if self.is_too_long() { None } else { model.request(&self.question(model), &read) }
    }
}

fn verdict(model: &Model, edited: &Edited) -> Result<Verdict, Error> {
    if edited.is_too_long() {
        return Ok(Verdict::None { why: "the texts are too long to be judged".to_owned() });
    }
    Ok(match model.ask(&edited.question(model), &read)? {
        Reply::Answered { answer: Judgement { verdict: Holds::Holds, reason }, .. } => Verdict::Holds { reason },
        Reply::Answered { answer: Judgement { verdict: Holds::DoesNotHold, reason }, .. } => {
            Verdict::DoesNotHold { reason }
        }
        Reply::Invalid(_) => Verdict::None { why: "it gave no valid answer in two tries".to_owned() },
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Judgement {
    verdict: Holds,
    reason: String,
}

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
enum Holds {
    Holds,
    DoesNotHold,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "verdict": {"type": "string", "enum": ["holds", "does_not_hold"]},
            "reason": {"type": "string"},
        },
        "required": ["verdict", "reason"],
        "additionalProperties": false,
    })
}

fn read(answer: &str) -> Result<Judgement, String> {
    let judgement: Judgement = strict(answer, "")?;
    check_text("reason", &judgement.reason, MOST_REASON)?;
    Ok(judgement)
}

/// What a reader finds in the source: headings and bodies of all that is cited.
fn text(manual: &Manual, target: Target, scope: Scope, sources: &Sources) -> String {
    let mut text = String::new();
    for at in covered(manual, target, scope) {
        text.push_str(sources.slice(manual.document(at).sections[at.section].extent));
        if !text.ends_with('\n') {
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_form_counts() {
        let good = r#" {"verdict": "holds", "reason": "Both say 30 s."} "#;
        assert_eq!(read(good).expect("a judgement").verdict, Holds::Holds);
        let long = format!(r#"{{"verdict":"holds","reason":"{}"}}"#, "x".repeat(601));
        for (answer, expected) in [
            ("", "EOF"),
            ("holds", "expected"),
            ("```json\n{\"verdict\":\"holds\",\"reason\":\"x\"}\n```", "expected"),
            (r#"{"verdict":"holds"}"#, "missing field `reason`"),
            (r#"{"verdict":"holds","reason":" "}"#, "`reason` is empty"),
            (r#"{"verdict":"silence","reason":"x"}"#, "unknown variant"),
            (r#"{"verdict":"holds","reason":"x","level":"off"}"#, "unknown field `level`"),
            (r#"{"verdict":"holds","verdict":"holds","reason":"x"}"#, "duplicate field"),
            (r#"{"verdict":"holds","reason":"x"} {"verdict":"holds","reason":"x"}"#, "trailing"),
            (r#"["holds","x"]"#, "expected"),
            (&long, "longer than 600"),
        ] {
            let error = read(answer).expect_err(answer);
            assert!(error.contains(expected), "{answer}: {error}");
        }
    }
}
