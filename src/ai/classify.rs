//! The category of a case that names none, out of a given list, in the opinion of a model. Without a clear answer a case
//! stays unclassified; nothing is written down here.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::several::each;
use super::{Model, PROMPT, Question, Reply, cut, key, strict};
use crate::cases::CaseFile;
use crate::error::Error;
use crate::hash::Hex;
use crate::source::Sources;

/// A case without a category, or several that read the same.
#[derive(Clone, Debug)]
pub(crate) struct Unclassified {
    /// Their places among all cases, in the order of files and text.
    pub(crate) cases: Vec<usize>,
    /// What it says, as YAML.
    text: String,
    /// The hash of that and what it cites; layout and order have no part in it.
    content: String,
}

/// What an answer says where no category fits.
const NONE: &str = "unclassified";
/// Characters of a case; of a longer one the rest is left out, as its start tells what it is about.
const MOST_TEXT: usize = 20_000;

const TASK: &str = "The document has a list `categories` and a string `case`, a test case as YAML. Choose the one category \
that fits what the case tests, or `unclassified` if none does.";

/// The cases that name no category.
pub(crate) fn unclassified(sources: &Sources, files: &[CaseFile]) -> Vec<Unclassified> {
    let mut found: BTreeMap<String, Unclassified> = BTreeMap::new();
    let cases = files.iter().flat_map(|file| &file.cases).enumerate();
    for (at, case) in cases.filter(|(_, case)| case.category.is_none()) {
        let hash = Hex(&case.content).to_string();
        let content = key([hash.as_str()].into_iter().chain(case.citations.iter().map(|it| it.text.as_str())));
        let text = || sources.slice(case.span).to_owned();
        let first = || Unclassified { cases: Vec::new(), text: text(), content: content.clone() };
        found.entry(content.clone()).or_insert_with(first).cases.push(at);
    }
    let mut found: Vec<Unclassified> = found.into_values().collect();
    found.sort_by_key(|unclassified| unclassified.cases[0]);
    found
}

/// The requests that asking would send; none for what is known.
pub(crate) fn requests(model: &Model, taxonomy: &[String], cases: &[Unclassified]) -> Vec<Value> {
    let request = |case| model.request(&question(model, taxonomy, case), &|answer| read(taxonomy, answer));
    cases.iter().filter_map(request).collect()
}

/// The category of each case, one of `taxonomy` or none, and what kept the rest from being asked.
pub(crate) fn classify(
    model: &Model,
    taxonomy: &[String],
    cases: &[Unclassified],
) -> (Vec<Option<String>>, Option<Error>) {
    let ask = |case: &Unclassified| {
        let asked = model.ask(&question(model, taxonomy, case), &|answer| read(taxonomy, answer))?;
        Ok(match asked {
            Reply::Answered { answer, .. } => answer,
            Reply::Invalid(_) => None,
        })
    };
    let (answers, failure) = each(cases, ask);
    (answers.into_iter().map(Option::flatten).collect(), failure)
}

fn question(model: &Model, taxonomy: &[String], case: &Unclassified) -> Question {
    let prompt = PROMPT.to_string();
    let choices: Vec<&str> = taxonomy.iter().map(String::as_str).chain([NONE]).collect();
    let parts = ["classify", &case.content, &model.name, &prompt].into_iter().chain(choices.iter().copied());
    Question {
        kind: "classify",
        key: key(parts),
        task: TASK,
        data: json!({"categories": choices, "case": cut(&case.text, MOST_TEXT)}),
        schema: json!({
            "type": "object",
            "properties": {"category": {"type": "string", "enum": choices}},
            "required": ["category"],
            "additionalProperties": false,
        }),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Category {
    category: String,
}

fn read(taxonomy: &[String], answer: &str) -> Result<Option<String>, String> {
    let Category { category } = strict(answer, "")?;
    match category.as_str() {
        NONE => Ok(None),
        _ if taxonomy.contains(&category) => Ok(Some(category)),
        _ => Err(format!("`{}` is none of the categories", cut(&category, 100))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ai::testing::Scripted;

    fn case(content: &str) -> Unclassified {
        Unclassified { cases: Vec::new(), text: format!("title: {content}"), content: content.to_owned() }
    }

    #[test]
    fn a_category_is_one_of_the_list_or_none() {
        let taxonomy = ["alarms".to_owned(), "usability".to_owned()];
        let server = Scripted::start(&[
            r#"{"category":"alarms"}"#,
            r#"{"category":"off"}"#,
            r#"{"category":"usability"}"#,
            r#"{"category":"unclassified"}"#,
            "alarms",
            r#"["alarms"]"#,
        ]);
        // One at a time, so that the answers come in order.
        let ask = |content: &str| {
            let (answers, failure) = classify(&server.model(), &taxonomy, &[case(content)]);
            assert!(failure.is_none(), "{failure:?}");
            answers[0].clone()
        };
        assert_eq!(ask("a").as_deref(), Some("alarms"));
        assert_eq!(ask("b").as_deref(), Some("usability"), "after a correction");
        assert_eq!(ask("c"), None, "none fits");
        assert_eq!(ask("d"), None, "neither answer counts");
        let asked = server.asked();
        assert_eq!(asked.len(), 6);
        assert!(asked[2]["messages"][3]["content"].as_str().unwrap_or_default().contains("`off` is none of"));
        assert_eq!(asked[0]["response_format"]["json_schema"]["schema"]["properties"]["category"]["enum"][2], NONE);
        assert_eq!((ask("a").as_deref(), ask("c")), (Some("alarms"), None), "known");
        assert_eq!(server.asked().len(), 6);
    }

    #[test]
    fn a_failure_leaves_cases_unclassified_and_is_told() {
        let server = Scripted::start(&[]);
        let (answers, failure) = classify(&server.model(), &["alarms".to_owned()], &[case("a"), case("b")]);
        assert_eq!(answers, [None, None]);
        assert!(failure.is_some_and(|error| error.to_string().contains("refuses the request")));
    }
}
