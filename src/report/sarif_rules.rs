//! The rules as SARIF describes them: those that something was found of, each with its texts.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Level, Rule};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor {
    pub(super) id: &'static str,
    short_description: Text,
    full_description: Text,
    help: Help,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    enabled: bool,
    level: &'static str,
}

#[derive(Serialize)]
struct Properties {
    tags: [&'static str; 2],
    precision: &'static str,
    #[serde(rename = "problem.severity")]
    severity: &'static str,
}

/// The rules of these findings, by name.
pub(super) fn rules(findings: &[Diagnostic]) -> Vec<Descriptor> {
    let rules: BTreeMap<&str, &'static Rule> =
        findings.iter().map(|finding| (finding.rule.name, finding.rule)).collect();
    rules.into_values().map(Descriptor::from).collect()
}

impl From<&'static Rule> for Descriptor {
    fn from(rule: &'static Rule) -> Self {
        let explain = rule.explain.trim();
        // Texts may not be empty.
        let explain = if explain.is_empty() { rule.name } else { explain };
        let summary = if rule.summary.is_empty() { rule.name } else { rule.summary };
        let paragraph = explain.split("\n\n").next().unwrap_or(explain).replace('\n', " ");
        let level = rule.level.unwrap_or(Level::Note);
        Self {
            id: rule.name,
            short_description: Text { text: summary.to_owned() },
            full_description: Text { text: paragraph },
            help: Help { text: explain.to_owned(), markdown: explain.to_owned() },
            default_configuration: Configuration { enabled: rule.level.is_some(), level: level.name() },
            properties: Properties {
                tags: ["documentation", "test-cases"],
                precision: "high",
                severity: match level {
                    Level::Error => "error",
                    Level::Warning => "warning",
                    Level::Note => "recommendation",
                },
            },
        }
    }
}
