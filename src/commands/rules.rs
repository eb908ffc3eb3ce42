//! `citecheck rules`: the rules and their levels.

use std::io::Write;

use crate::diagnostic::Rule;
use crate::error::{Error, Exit};
use crate::report::{RuleFact, render_rules};
use crate::rules;

const EXAMPLES: &str = "\
Examples:
  citecheck rules                 the table
  citecheck rules --format json   all about every rule
  citecheck explain text-changed  one rule in full";

/// List the rules with their levels and what they report
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How the rules are shown
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: RuleFormat,
}

/// How rules are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RuleFormat {
    /// For people
    Text,
    /// One JSON document, as `citecheck schema rules` describes it
    Json,
}

/// Prints one line for each rule, in the order given, or all about them as JSON.
pub(crate) fn run(args: &Args, rules: &[&'static Rule], out: &mut dyn Write) -> Result<Exit, Error> {
    let told = match args.format {
        RuleFormat::Text => out.write_all(table(rules).as_bytes()),
        RuleFormat::Json => render_rules(&rules.iter().map(|rule| fact(rule)).collect::<Vec<_>>(), out),
    };
    told.map_err(|error| Error::io("write the rules", error))?;
    Ok(Exit::Clean)
}

/// All that is known of a rule.
pub(super) fn fact(rule: &'static Rule) -> RuleFact {
    let (_, most) = rules::levels(rule, None);
    RuleFact { rule, most, fixable: rules::is_fixable(rule) }
}

fn table(rules: &[&'static Rule]) -> String {
    let width = rules.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for rule in rules {
        let level = rule.level.map_or("off", |level| level.name());
        text.push_str(&format!("{:width$}  {level:7}  {}\n", rule.name, rule.summary));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Level;

    static CHANGED: Rule =
        Rule { name: "text-changed", level: Some(Level::Error), summary: "the cited text changed", explain: "" };
    static BARE: Rule = Rule { name: "bare", level: None, summary: "a case cites nothing", explain: "" };

    fn page(format: RuleFormat) -> String {
        let mut out = Vec::new();
        assert_eq!(run(&Args { format }, &[&CHANGED, &BARE], &mut out).expect("memory takes everything"), Exit::Clean);
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn the_rules_are_a_table() {
        let expected = "text-changed  error    the cited text changed\nbare          off      a case cites nothing\n";
        assert_eq!(page(RuleFormat::Text), expected);
    }

    #[test]
    fn the_rules_are_a_document() {
        let document: serde_json::Value = serde_json::from_str(&page(RuleFormat::Json)).expect("JSON");
        let names: Vec<_> = document["rules"].as_array().into_iter().flatten().map(|rule| &rule["name"]).collect();
        assert_eq!(names, ["text-changed", "bare"]);
        assert_eq!(document["rules"][1]["level"], "off");
    }
}
