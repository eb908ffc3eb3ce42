//! `--allow`, `--warn` and `--deny`: levels of rules for one run, as rustc takes them for lints. Which rules there are is
//! `rules`' business.

use std::collections::BTreeMap;

use clap::builder::PossibleValuesParser;
use clap::error::Error;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};

use crate::diagnostic::Level;
use crate::rules::{Given, RULES};

/// An option that gives rules a level.
struct Choice {
    short: char,
    name: &'static str,
    /// As it is told to people.
    option: &'static str,
    /// `None` is off.
    level: Option<Level>,
    help: &'static str,
}

const CHOICES: [Choice; 3] = [
    Choice {
        short: 'A',
        name: "allow",
        option: "--allow",
        level: None,
        help: "Leave out the findings of a rule, whatever the configuration says; can be repeated",
    },
    Choice {
        short: 'W',
        name: "warn",
        option: "--warn",
        level: Some(Level::Warning),
        help: "Make the findings of a rule warnings; of several options for one rule the last one counts",
    },
    Choice {
        short: 'D',
        name: "deny",
        option: "--deny",
        level: Some(Level::Error),
        help: "Make the findings of a rule errors",
    },
];

/// The levels as typed. Derived arguments don't know in which order different options stand, so this reads them itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Levels(Vec<(&'static str, Given)>);

impl Levels {
    /// By rule; of several for one rule the last.
    pub(crate) fn by_rule(&self) -> BTreeMap<&'static str, Given> {
        self.0.iter().copied().collect()
    }
}

impl clap::Args for Levels {
    fn augment_args(command: Command) -> Command {
        command.args(CHOICES.iter().map(|choice| {
            Arg::new(choice.name)
                .short(choice.short)
                .long(choice.name)
                .value_name("RULE")
                .value_delimiter(',')
                .value_parser(PossibleValuesParser::new(RULES.iter().map(|rule| rule.name)))
                .hide_possible_values(true)
                .action(ArgAction::Append)
                .help(choice.help)
        }))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Levels {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut typed = Vec::new();
        for choice in &CHOICES {
            let given = Given { level: choice.level, by: choice.option };
            let names = matches.get_many::<String>(choice.name).into_iter().flatten();
            let places = matches.indices_of(choice.name).into_iter().flatten();
            let rule = |name: &String| RULES.iter().find(|rule| rule.name == name).map(|rule| rule.name);
            typed.extend(places.zip(names).filter_map(|(place, name)| Some((place, rule(name)?, given))));
        }
        typed.sort_by_key(|(place, ..)| *place);
        Ok(Self(typed.into_iter().map(|(_, rule, given)| (rule, given)).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Args as _;

    use super::*;

    fn parse(arguments: &str) -> Result<Vec<String>, String> {
        let command = Levels::augment_args(Command::new("check"));
        let arguments = std::iter::once("check").chain(arguments.split_whitespace());
        let matches = command.try_get_matches_from(arguments).map_err(|error| error.to_string())?;
        let levels = Levels::from_arg_matches(&matches).map_err(|error| error.to_string())?;
        let word = |level: Option<Level>| level.map_or("off", Level::name);
        Ok(levels.by_rule().iter().map(|(rule, given)| format!("{rule} {} {}", word(given.level), given.by)).collect())
    }

    #[test]
    fn the_last_option_for_a_rule_counts() {
        let check = |arguments: &str, expected: &[&str]| {
            assert_eq!(parse(arguments).expect(arguments), expected, "{arguments}");
        };
        check("", &[]);
        check("-A text-changed", &["text-changed off --allow"]);
        check("-A text-changed -D text-changed", &["text-changed error --deny"]);
        check("-D text-changed -W text-changed -A text-changed", &["text-changed off --allow"]);
        check("--deny text-changed --allow=text-changed -Wtext-changed", &["text-changed warning --warn"]);
        check(
            "-D text-changed,text-reworded -A text-changed",
            &["text-changed off --allow", "text-reworded error --deny"],
        );
    }

    #[test]
    fn an_unknown_rule_is_told_with_the_nearest_one() {
        let error = parse("-D text-changed,text-chnged").expect_err("no such rule");
        assert!(error.contains("'text-chnged' for '--deny <RULE>'"), "{error}");
        assert!(error.contains("'text-changed'"), "{error}");
    }
}
