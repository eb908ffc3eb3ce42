//! Drafts of cases for sections of the manual, in the words of a model. What they cite is limited to what was given;
//! writing them down, and that they are drafts, is the command's business.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Model, PROMPT, Question, SCHEMA, check_text, key, strict};

/// A section that cases are drafted for, or one below it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Given {
    /// How it is cited.
    pub(crate) cite: String,
    pub(crate) title: String,
    /// The heading and the own body.
    pub(crate) text: String,
}

/// What drafts are asked for.
#[derive(Clone, Debug)]
pub(crate) struct Drafting {
    pub(crate) sections: Vec<Given>,
}

/// One drafted case.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Draft {
    pub(crate) title: String,
    pub(crate) trigger: String,
    pub(crate) expected: String,
    /// As the sections were given.
    pub(crate) cites: Vec<String>,
}

/// The answer.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Drafts {
    pub(crate) cases: Vec<Draft>,
}

/// How many cases an answer has.
const LEAST: usize = 3;
const MOST: usize = 5;
/// Characters of a title, and of what is done or expected.
const MOST_TITLE: usize = 200;
const MOST_WORDS: usize = 2_000;
/// Bytes of all sections.
const MOST_TEXT: usize = 60_000;

const TASK: &str = "The document has a list `sections` of a manual, each with `cite` (how it is cited), `title` and `text`. \
Draft 3 to 5 test cases that check what these sections require and nothing that they do not say. Each has a `title`; a \
`trigger`, what the tester does, with the values of the text; `expected`, what must be observed then, with the limits of the \
text; and `cites`, the `cite` strings of the sections that it checks, spelled exactly as given. Write in the language of the \
sections. Prefer limits, conditions and prohibitions, and check each of them once.";

impl Drafting {
    /// How much too long the sections are together, if they are.
    pub(crate) fn excess(&self) -> Option<(usize, usize)> {
        let length = self.sections.iter().map(|section| section.text.len()).sum();
        (length > MOST_TEXT).then_some((length, MOST_TEXT))
    }

    pub(crate) fn question(&self, model: &Model) -> Question {
        let data = json!({"sections": self.sections});
        let forms = [PROMPT.to_string(), SCHEMA.to_string()];
        Question {
            kind: "draft",
            key: key(["draft", &model.name, &forms[0], &forms[1], &data.to_string()]),
            task: TASK,
            data,
            schema: self.schema(),
        }
    }

    fn schema(&self) -> Value {
        let cites: Vec<&str> = self.sections.iter().map(|section| section.cite.as_str()).collect();
        json!({
            "type": "object",
            "properties": {"cases": {
                "type": "array",
                "minItems": LEAST,
                "maxItems": MOST,
                "items": {
                    "type": "object",
                    "properties": {
                        "title": {"type": "string"},
                        "trigger": {"type": "string"},
                        "expected": {"type": "string"},
                        "cites": {"type": "array", "minItems": 1, "items": {"type": "string", "enum": cites}},
                    },
                    "required": ["title", "trigger", "expected", "cites"],
                    "additionalProperties": false,
                },
            }},
            "required": ["cases"],
            "additionalProperties": false,
        })
    }

    /// Reads an answer: the form, and that it cites what was given and nothing else.
    pub(crate) fn read(&self, answer: &str) -> Result<Drafts, String> {
        let drafts: Drafts = strict(answer, "/cases")?;
        if !(LEAST..=MOST).contains(&drafts.cases.len()) {
            return Err(format!("`cases` has {} entries, not {LEAST} to {MOST}", drafts.cases.len()));
        }
        for draft in &drafts.cases {
            check_text("title", &draft.title, MOST_TITLE)?;
            check_text("trigger", &draft.trigger, MOST_WORDS)?;
            check_text("expected", &draft.expected, MOST_WORDS)?;
            if draft.cites.is_empty() || draft.cites.len() > self.sections.len() {
                return Err(format!("`cites` has {} entries", draft.cites.len()));
            }
            let is_given = |cite: &String| self.sections.iter().any(|section| section.cite == *cite);
            if let Some(unknown) = draft.cites.iter().find(|cite| !is_given(cite)) {
                return Err(format!("`cites` names `{}`, which is none of the sections", super::cut(unknown, 100)));
            }
        }
        Ok(drafts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drafting() -> Drafting {
        let given = |cite: &str| Given { cite: cite.to_owned(), title: String::new(), text: "x".repeat(20_000) };
        Drafting { sections: vec![given("a/b"), given("a/c")] }
    }

    fn case(cites: &str) -> String {
        format!(r#"{{"title":"t","trigger":"do","expected":"see","cites":{cites}}}"#)
    }

    fn answer(cases: &[String]) -> String {
        format!(r#"{{"cases":[{}]}}"#, cases.join(","))
    }

    #[test]
    fn three_to_five_cases_cite_what_was_given() {
        let good = case(r#"["a/b"]"#);
        for number in 3..=5 {
            assert_eq!(drafting().read(&answer(&vec![good.clone(); number])).expect("drafts").cases.len(), number);
        }
        let check = |cases: &[String], expected: &str| {
            let error = drafting().read(&answer(cases)).expect_err(expected);
            assert!(error.contains(expected), "{error}");
        };
        check(&vec![good.clone(); 2], "2 entries, not 3 to 5");
        check(&vec![good.clone(); 6], "6 entries, not 3 to 5");
        for (bad, expected) in [
            (case(r#"["a/d"]"#), "names `a/d`, which is none"),
            (case("[]"), "`cites` has 0 entries"),
            (case(r#"["a/b","a/c","a/b"]"#), "`cites` has 3 entries"),
            (case(r#""a/b""#), "expected a sequence"),
            (case(r#"["a/b"],"status":"reviewed""#), "unknown field `status`"),
            (good.replace("\"t\"", "\"\""), "`title` is empty"),
            (good.replace("see", &"x".repeat(2_001)), "`expected` is longer than 2000"),
            (r#"["t","do","see",["a/b"]]"#.to_owned(), "expected an object"),
        ] {
            check(&[good.clone(), good.clone(), bad], expected);
        }
        let error = drafting().read(&format!("{} x", answer(&vec![good; 3]))).expect_err("more behind it");
        assert!(error.contains("trailing"), "{error}");
    }

    #[test]
    fn what_is_too_long_is_known() {
        let mut drafting = drafting();
        assert_eq!(drafting.excess(), None);
        drafting.sections.push(drafting.sections[0].clone());
        drafting.sections.push(drafting.sections[0].clone());
        assert_eq!(drafting.excess(), Some((80_000, 60_000)));
    }
}
