//! The command line as it is typed: global options and the commands. Reads nothing and decides nothing; what a command
//! takes stands in its own file.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::builder::{FalseyValueParser, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{ArgMatches, ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

#[cfg(feature = "http")]
use crate::commands::comment;
#[cfg(feature = "ai")]
use crate::commands::draft;
use crate::commands::{
    Context, accept, check, ci, completions, coverage, diff, doctor, explain, fix, hook, init, lsp, man, rules, schema,
    sections, settings,
};
use crate::config;
use crate::diagnostic::{Diagnostic, Facts, Label, Level, Rule};
use crate::error::{Error, Exit, Kind};
use crate::git::Env;
use crate::report::{Looks, render_lines, render_problems};
use crate::rules::RULES;
use crate::sanitize::mute_commands;

const EXIT_STATUS: &str = "\
Exit status:
  0  nothing at or above the threshold of --fail-on
  1  findings at or above it
  2  could not run: usage, configuration, git, a range whose history is cut off
  3  no manual or no case was found, so nothing was checked

Examples:
  citecheck check                 what is out of date in the work tree
  citecheck check --staged        what the next commit would put out of date
  citecheck check main...         what this branch put out of date
  citecheck diff v1.0..v1.1       what changed between two releases
  citecheck explain text-changed  what a finding means and what to do about it

Options with [env: NAME] can be given by the environment, too; what is typed
goes before it.";

const GLOBAL: &str = "Global options";

/// Tells which test cases may be out of date when the manual they cite changes.
///
/// The manual is Markdown, the cases are YAML, and both live in one git repository. Without a configuration, every
/// Markdown file is part of the manual and every YAML mapping with a key `cites` is a case.
#[derive(Debug, Parser)]
#[command(name = "citecheck", version, max_term_width = 100, after_help = EXIT_STATUS)]
pub(crate) struct Cli {
    /// Run as if started in this directory
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = GLOBAL)]
    pub(crate) directory: Option<PathBuf>,

    /// Read the settings from this file of the revision that is checked, not from `citecheck.yaml`; or set one of them,
    /// whatever the file says; can be repeated
    ///
    /// A setting is a key of the configuration, or one in a mapping of it, and a value in YAML, as
    /// `rules.text-reworded=warning` or `manuals=["docs/**/*.md"]`.
    #[arg(
        long,
        value_name = "FILE|KEY=VALUE",
        global = true,
        help_heading = GLOBAL,
        env = "CITECHECK_CONFIG",
        hide_env_values = true
    )]
    pub(crate) config: Vec<PathBuf>,

    /// Read the settings from this revision, so that the one that is checked can't change them
    #[arg(
        long,
        value_name = "REV",
        global = true,
        help_heading = GLOBAL,
        env = "CITECHECK_CONFIG_FROM",
        hide_env_values = true
    )]
    pub(crate) config_from: Option<String>,

    /// Read no configuration file: the defaults hold, and what `--config KEY=VALUE` sets
    #[arg(
        long,
        global = true,
        help_heading = GLOBAL,
        env = "CITECHECK_ISOLATED",
        hide_env_values = true,
        value_parser = FalseyValueParser::new()
    )]
    pub(crate) isolated: bool,

    /// Color the output; `auto` colors on a terminal
    ///
    /// The variables NO_COLOR and CLICOLOR_FORCE decide for `auto`. With color, or on a terminal, frames are drawn in
    /// Unicode if LC_ALL, LC_CTYPE or LANG name UTF-8, else in ASCII.
    #[arg(
        long,
        value_name = "WHEN",
        default_value = "auto",
        global = true,
        help_heading = GLOBAL,
        env = "CITECHECK_COLOR",
        hide_env_values = true
    )]
    pub(crate) color: ColorChoice,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(check::Args),
    Ci(ci::Args),
    #[cfg(feature = "http")]
    Comment(comment::Args),
    Diff(diff::Args),
    #[cfg(feature = "ai")]
    Draft(draft::Args),
    Accept(accept::Args),
    Fix(fix::Args),
    Sections(sections::Args),
    Coverage(coverage::Args),
    Explain(explain::Args),
    Rules(rules::Args),
    Init(init::Args),
    Doctor(doctor::Args),
    Config(settings::Args),
    Schema(schema::Args),
    Hook(hook::Args),
    Lsp(lsp::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// Reads the command line, runs the command, and prints what went wrong.
pub(crate) fn run() -> Exit {
    let parsed = Cli::command().try_get_matches();
    let parsed = parsed.and_then(|matches| Cli::from_arg_matches(&matches).map(|cli| (cli, matches)));
    let (mut cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(told) => return tell_usage(&with_revision(told, std::env::args_os())),
    };
    cli.forget_variables(&matches);
    let looks = looks(cli.color);
    let context = match context(&cli, looks) {
        Ok(context) => context,
        Err(error) => return fail(&error, looks),
    };
    let mut out = io::BufWriter::new(Deaf(io::stdout().lock()));
    let ended = dispatch(&cli, &context, &mut out);
    let flushed = out.flush().map_err(|error| Error::io("write the results", error));
    match ended.and_then(|exit| flushed.map(|()| exit)) {
        Ok(exit) => exit,
        Err(error) => fail(&error, looks),
    }
}

/// Says how a revision is given, where one was typed to a command that takes it by an option only.
fn with_revision(mut told: clap::Error, mut arguments: impl Iterator<Item = OsString>) -> clap::Error {
    let Some(ContextValue::String(typed)) = told.get(ContextKind::InvalidArg) else { return told };
    let cli = Cli::command();
    let takes_revision = arguments
        .find_map(|argument| cli.find_subcommand(argument))
        .is_some_and(|command| command.get_arguments().any(|argument| argument.get_id() == "rev"));
    if told.kind() == ErrorKind::UnknownArgument && takes_revision && !typed.starts_with('-') {
        let tip = StyledStr::from(format!("a revision is given as '--rev {typed}'"));
        told.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    told
}

/// Help, the version, or what is wrong with the command line.
fn tell_usage(told: &clap::Error) -> Exit {
    let is_error = told.use_stderr();
    match told.print().and_then(|()| io::stdout().flush()) {
        Err(error) if !is_error && error.kind() != io::ErrorKind::BrokenPipe => {
            fail(&Error::io("write the help", error), looks(ColorChoice::Auto))
        }
        _ if is_error => Exit::CouldNotRun,
        _ => Exit::Clean,
    }
}

/// Standard output, of which nobody need read the end: `head` closes it when it has enough. What was begun goes on, as
/// cases are written and further reports, and the status is the one of the whole.
struct Deaf<W>(W);

impl<W: Write> Write for Deaf<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush(), ())
    }
}

fn unless_closed<T>(done: io::Result<T>, otherwise: T) -> io::Result<T> {
    match done {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(otherwise),
        done => done,
    }
}

impl Cli {
    /// Leaves out settings of the environment where those that are typed exclude them, and in a hook: what it checks by is
    /// in the repository, where everybody sees it.
    fn forget_variables(&mut self, matches: &ArgMatches) {
        let is_typed = |id| matches.value_source(id) == Some(ValueSource::CommandLine);
        let is_hook = matches!(&self.command, Command::Hook(args) if args.is_run());
        if !is_typed("config") && (is_hook || is_typed("isolated")) {
            self.config.clear();
        }
        if !is_typed("config_from") && (is_hook || is_typed("isolated")) {
            self.config_from = None;
        }
        let names_file = is_typed("config_from") || is_typed("config") && self.config.iter().any(|it| !is_setting(it));
        self.isolated &= is_typed("isolated") || !(is_hook || names_file);
    }
}

fn dispatch(cli: &Cli, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    match &cli.command {
        Command::Check(args) => check::run(args, context, out),
        Command::Ci(args) => ci::run(args, context, out),
        #[cfg(feature = "http")]
        Command::Comment(args) => muted(context.looks, out, |out| comment::run(args, context, out)),
        Command::Diff(args) => diff::run(args, context, out),
        #[cfg(feature = "ai")]
        Command::Draft(args) => draft::run(args, context, out),
        Command::Accept(args) => muted(context.looks, out, |out| accept::run(args, context, out)),
        Command::Fix(args) => muted(context.looks, out, |out| fix::run(args, context, out)),
        Command::Sections(args) => muted(context.looks, out, |out| sections::run(args, context, out)),
        Command::Explain(args) => explain::run(args, RULES, context.looks.width, out),
        Command::Coverage(args) => coverage::run(args, context, out),
        Command::Rules(args) => rules::run(args, RULES, out),
        Command::Init(args) => init::run(args, context, out),
        Command::Doctor(args) => doctor::run(args, context, out),
        Command::Config(args) => settings::run(args, context, out),
        Command::Schema(args) => schema::run(args, out),
        Command::Lsp(_) => lsp::run(context, out),
        Command::Hook(args) => muted(context.looks, out, |out| hook::run(args, context, &mut io::stdin().lock(), out)),
        Command::Completions(args) => completions::run(args, &mut Cli::command(), out),
        Command::Man(args) => man::run(args, Cli::command(), out),
    }
}

/// Runs a command that prints nothing but text for people. A log that obeys commands gets them muted.
fn muted(
    looks: Looks,
    out: &mut dyn Write,
    run: impl FnOnce(&mut dyn Write) -> Result<Exit, Error>,
) -> Result<Exit, Error> {
    if !looks.ci_log {
        return run(out);
    }
    let mut page = Vec::new();
    let ended = run(&mut page);
    let told = out.write_all(mute_commands(&String::from_utf8_lossy(&page)).as_bytes());
    told.map_err(|error| Error::io("write the results", error))?;
    ended
}

fn context(cli: &Cli, looks: Looks) -> Result<Context, Error> {
    let here = std::env::current_dir().map_err(|error| Error::io("find the current directory", error))?;
    let start = cli.directory.as_ref().map_or(here.clone(), |directory| here.join(directory));
    if let Some(directory) = cli.directory.as_ref().filter(|_| !start.is_dir()) {
        let error = Error::new(Kind::Usage, format!("`{}` is no directory", directory.display()));
        return Err(error.hint("`-C` takes the directory to run in"));
    }
    let lossy = |text: OsString| text.to_string_lossy().into_owned();
    let variables = std::env::vars_os().map(|(name, value)| (lossy(name), lossy(value))).collect();
    let (config, settings) = configuration(cli)?;
    let (config_from, isolated) = (cli.config_from.clone(), cli.isolated);
    Ok(Context { start, env: Env::from_process(), config, config_from, isolated, settings, looks, variables })
}

/// The file and the settings that are given with `--config`.
fn configuration(cli: &Cli) -> Result<(Option<PathBuf>, Vec<String>), Error> {
    let (settings, files): (Vec<&PathBuf>, Vec<&PathBuf>) = cli.config.iter().partition(|given| is_setting(given));
    if let [first, second, ..] = files[..] {
        let message = format!("two configurations: `{}` and `{}`", first.display(), second.display());
        let error = Error::new(Kind::Usage, message);
        let help = config::setting_help(&second.to_string_lossy()).or(config::setting_help(&first.to_string_lossy()));
        return Err(
            error.hint(help.unwrap_or_else(|| "`--config` takes one file, and any number of settings".to_owned()))
        );
    }
    let option = files.first().map(|_| "--config FILE").or(cli.config_from.as_ref().map(|_| "--config-from"));
    if let Some(option) = option.filter(|_| cli.isolated) {
        let message = format!("`--isolated` reads no configuration, and `{option}` names one");
        return Err(Error::new(Kind::Usage, message).hint("leave out one of the two"));
    }
    let settings = settings.into_iter().map(|given| given.to_string_lossy().into_owned()).collect();
    Ok((files.into_iter().next().cloned(), settings))
}

fn is_setting(given: &Path) -> bool {
    given.to_str().is_some_and(config::is_setting)
}

/// How human output looks on this terminal, or in this file.
fn looks(color: ColorChoice) -> Looks {
    let out = io::stdout();
    let is_terminal = out.is_terminal();
    let color = match color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => anstream::AutoStream::choice(&out) != anstream::ColorChoice::Never,
    };
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = is_terminal.then(terminal_size::terminal_size).flatten().map(|(width, _)| usize::from(width.0));
    let width = columns.or(terminal).unwrap_or(NO_TERMINAL_WIDTH).max(LEAST_WIDTH);
    let ci_log = std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true");
    // Who wants colour where there is no terminal has one in mind, as behind `less -R`.
    let unicode = (is_terminal || color) && !ci_log && is_unicode(|name| std::env::var(name).ok());
    Looks { color, width, unicode, grouped: true, stat: false, ci_log, quiet: false, most: None }
}

/// Whether a terminal with these variables shows more than ASCII: the first that is set names the encoding.
fn is_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| variable(name).filter(|it| !it.is_empty()));
    match locale.map(|locale| locale.to_lowercase()) {
        Some(locale) => locale.contains("utf-8") || locale.contains("utf8"),
        // The console of Windows takes Unicode without them.
        None => cfg!(windows),
    }
}

/// Columns where there is no terminal to ask: what logs and pagers show without wrapping.
const NO_TERMINAL_WIDTH: usize = 100;
/// Narrower than this, source lines could no longer be shown.
const LEAST_WIDTH: usize = 40;

fn fail(error: &Error, looks: Looks) -> Exit {
    let mut stderr = io::stderr().lock();
    // A closed standard error leaves nobody to tell.
    _ = tell(error, looks, &mut stderr);
    Exit::CouldNotRun
}

fn tell(error: &Error, looks: Looks, out: &mut dyn Write) -> io::Result<()> {
    if let Some(places) = error.places() {
        let problems: Vec<Diagnostic> = places.problems.iter().map(located).collect();
        render_problems(&problems, &places.sources, looks, out)?;
    }
    // A line of its own for each hint.
    render_lines(error.render().lines(), looks, out)
}

/// A problem of the configuration as a diagnostic, so that it is drawn like one.
fn located(problem: &config::Problem) -> Diagnostic {
    static CONFIGURATION: Rule = Rule {
        name: "configuration",
        level: Some(Level::Error),
        summary: "the configuration has an error",
        explain: "",
    };
    Diagnostic {
        rule: &CONFIGURATION,
        level: Level::Error,
        message: problem.message.clone(),
        primary: Label { span: problem.span, text: String::new() },
        snippets: Vec::new(),
        notes: Vec::new(),
        helps: problem.help.iter().cloned().collect(),
        fix: None,
        facts: Facts::default(),
        group: None,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(line: &str) -> Result<Cli, ErrorKind> {
        Cli::try_parse_from(line.split(' ')).map_err(|error| error.kind())
    }

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// What a line of help may have, and a summary in the list of commands, so that a terminal of 80 columns breaks none.
    const LINE: usize = 80;
    const SUMMARY: usize = 65;

    /// Looks at a command and those below it.
    fn reads_well(command: &clap::Command, name: &str) {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        assert!((21..=SUMMARY).contains(&about.len()) && !about.ends_with('.'), "{name}: {about:?}");
        let closing = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(closing.contains(&format!("Examples:\n  {name}")), "{name}: {closing:?}");
        let long = closing.lines().find(|line| line.chars().count() > LINE);
        assert_eq!(long, None, "{name}");
        for argument in command.get_arguments().filter(|it| it.get_id() != "help") {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!help.is_empty() && !help.ends_with('.'), "{name} {}: {help:?}", argument.get_id());
        }
        for below in command.get_subcommands() {
            reads_well(below, &format!("{name} {}", below.get_name()));
        }
    }

    #[test]
    fn every_command_tells_what_it_does_and_shows_an_example() {
        Cli::command().get_subcommands().for_each(|it| reads_well(it, &format!("citecheck {}", it.get_name())));
        let closing = Cli::command().get_after_help().map(ToString::to_string).unwrap_or_default();
        assert!(closing.lines().all(|line| line.chars().count() <= LINE), "{closing}");
    }

    #[test]
    fn global_options_stand_before_or_after_the_command() {
        for line in ["citecheck -C x --color never rules", "citecheck rules -C x --color=never"] {
            let cli = parse(line).expect(line);
            assert_eq!((cli.directory, cli.color), (Some("x".into()), ColorChoice::Never), "{line}");
        }
    }

    #[test]
    fn the_locale_tells_what_a_terminal_shows() {
        let check = |locale: &[(&str, &str)], expected| {
            let variable =
                |wanted: &str| locale.iter().find(|(name, _)| *name == wanted).map(|(_, value)| (*value).to_owned());
            assert_eq!(is_unicode(variable), expected, "{locale:?}");
        };
        check(&[("LANG", "de_DE.UTF-8")], true);
        check(&[("LC_CTYPE", "C.utf8"), ("LANG", "C")], true);
        check(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")], false);
        check(&[("LC_ALL", ""), ("LANG", "de_DE.ISO-8859-1")], false);
        check(&[], cfg!(windows));
    }

    #[test]
    fn usage_errors_are_usage_errors() {
        let check = |line: &str, expected| assert_eq!(parse(line).map(|_| ()), expected, "{line}");
        check("citecheck", Err(ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand));
        check("citecheck chek", Err(ErrorKind::InvalidSubcommand));
        check("citecheck explain", Err(ErrorKind::MissingRequiredArgument));
        check("citecheck schema sarif", Err(ErrorKind::InvalidValue));
        check("citecheck check --staged --worktree", Err(ErrorKind::ArgumentConflict));
        check("citecheck check --rev v1 --staged", Err(ErrorKind::ArgumentConflict));
        check("citecheck check --base v1 --head v2 --staged", Err(ErrorKind::ArgumentConflict));
        check("citecheck check --base v1", Err(ErrorKind::MissingRequiredArgument));
        check("citecheck check --head v1", Err(ErrorKind::MissingRequiredArgument));
        check("citecheck check --fail-on note", Err(ErrorKind::InvalidValue));
        check("citecheck check --output json", Err(ErrorKind::ValueValidation));
        check("citecheck completions csh", Err(ErrorKind::InvalidValue));
        check("citecheck check --base v1 --head v2", Ok(()));
        check("citecheck check --output json=a --output json=b --format json", Ok(()));
        check("citecheck sections", Ok(()));
    }
}
