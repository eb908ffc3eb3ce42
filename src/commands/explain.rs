//! `citecheck explain`: one rule in full.

use std::io::Write;

use super::rules::{self, RuleFormat};
use crate::diagnostic::Rule;
use crate::error::{Error, Exit, Kind};
use crate::nearest::nearest;
use crate::report::{self, render_rules};

const EXAMPLES: &str = "\
Examples:
  citecheck explain text-changed                what it says, with an example
  citecheck explain text-changed --format json  the same for a program
  citecheck rules                               which rules there are";

/// Explain a rule: when it fires, what to do, how to tune it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The name of the rule, as findings show it in brackets
    #[arg(value_name = "RULE")]
    pub(crate) rule: String,

    /// How the rule is shown
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: RuleFormat,
}

/// Prints the text of a rule, which is Markdown, in lines of this width.
pub(crate) fn run(args: &Args, rules: &[&'static Rule], width: usize, out: &mut dyn Write) -> Result<Exit, Error> {
    let Some(rule) = rules.iter().find(|rule| rule.name == args.rule) else {
        return Err(unknown(&args.rule, rules));
    };
    let told = match args.format {
        RuleFormat::Text => writeln!(out, "{}", report::fill(&text(rule), width)),
        RuleFormat::Json => render_rules(&[rules::fact(rule)], out),
    };
    told.map_err(|error| Error::io("write the explanation", error))?;
    Ok(Exit::Clean)
}

fn text(rule: &Rule) -> String {
    let level = rule.level.map_or("off", |level| level.name());
    format!("# {} ({level})\n\n{}.\n\n{}", rule.name, sentence(rule.summary), rule.explain.trim())
}

fn unknown(name: &str, rules: &[&'static Rule]) -> Error {
    let names: Vec<&str> = rules.iter().map(|rule| rule.name).collect();
    let error = Error::new(Kind::Usage, format!("unknown rule `{name}`"));
    match nearest(name, &names) {
        Some(near) => error.hint(format!("a rule with a similar name exists: `{near}`")),
        None => error
            .hint("it takes the name of a rule; `citecheck rules` lists them")
            .hint("to look at a case, check the file that it stands in: `citecheck check FILE`"),
    }
}

/// A summary starts in lower case, as it stands in tables.
fn sentence(summary: &str) -> String {
    let mut characters = summary.trim_end_matches('.').chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Level;

    static CHANGED: Rule = Rule {
        name: "text-changed",
        level: Some(Level::Error),
        summary: "the cited text changed",
        explain: "\nFires when …\n",
    };

    fn check(name: &str, expected: &str) {
        let mut out = Vec::new();
        let result = run(&Args { rule: name.to_owned(), format: RuleFormat::Text }, &[&CHANGED], 80, &mut out);
        let text = result.map_or_else(|error| error.render(), |_| String::from_utf8_lossy(&out).into_owned());
        assert_eq!(text, expected);
    }

    #[test]
    fn a_rule_is_printed_in_full() {
        check("text-changed", "# text-changed (error)\n\nThe cited text changed.\n\nFires when …\n");
    }

    #[test]
    fn an_unknown_rule_is_told_with_the_nearest_one() {
        check(
            "text-chnged",
            "error: unknown rule `text-chnged`\n  hint: a rule with a similar name exists: `text-changed`\n",
        );
        check(
            "TC-1",
            "error: unknown rule `TC-1`\n  hint: it takes the name of a rule; `citecheck rules` lists them\n  \
             hint: to look at a case, check the file that it stands in: `citecheck check FILE`\n",
        );
    }
}
