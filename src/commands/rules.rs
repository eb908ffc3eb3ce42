//! `citecheck rules`: the rules and their levels.

use std::io::Write;

use crate::diagnostic::Rule;
use crate::error::{Error, Exit};

const EXAMPLES: &str = "\
Examples:
  citecheck rules                  the table
  citecheck explain text-changed   one rule in full";

/// List the rules with their levels and what they report
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {}

/// Prints one line for each rule, in the order given.
pub(crate) fn run(rules: &[&'static Rule], out: &mut dyn Write) -> Result<Exit, Error> {
    let width = rules.iter().map(|rule| rule.name.len()).max().unwrap_or_default();
    let mut text = String::new();
    for rule in rules {
        let level = rule.level.map_or("off", |level| level.name());
        text.push_str(&format!("{:width$}  {level:7}  {}\n", rule.name, rule.summary));
    }
    out.write_all(text.as_bytes()).map_err(|error| Error::io("write the rules", error))?;
    Ok(Exit::Clean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Level;

    static CHANGED: Rule =
        Rule { name: "text-changed", level: Some(Level::Error), summary: "the cited text changed", explain: "" };
    static BARE: Rule = Rule { name: "bare", level: None, summary: "a case cites nothing", explain: "" };

    #[test]
    fn the_rules_are_a_table() {
        let mut out = Vec::new();
        assert_eq!(run(&[&CHANGED, &BARE], &mut out).expect("memory takes everything"), Exit::Clean);
        let expected = "text-changed  error    the cited text changed\nbare          off      a case cites nothing\n";
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }
}
