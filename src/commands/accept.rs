//! `citecheck accept`: a person looked at cases and says that they still hold. Shows what that means, then pins their
//! citations to the text as it is.

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Write};

use super::write_back::write_back;
use super::{Context, patch};
use crate::edits::{Ground, Respelling, Rewrite, accepted, place, rewrites, rules_by_citation};
use crate::error::{Error, Exit, Kind};
use crate::git::Selection;
use crate::manual::{Index, Resolution, SectionRef, Target};
use crate::nearest::nearest;
use crate::pipeline::{Checked, Session};
use crate::report::render_changes;
use crate::review::covered;
use crate::rules::{RULES, Remedy, is_settled_by_review, shell_word};
use crate::sanitize::sanitize;
use crate::source::Rev;

const EXAMPLES: &str = "\
Examples:
  citecheck accept TC-017                   this case was reviewed and holds
  citecheck accept --section safety-limits  all cases that cite this section do
  citecheck accept --rule text-reworded     all cases with such a finding do
  citecheck accept --all --dry-run          look at everything first";

/// Record that cases were reviewed and hold for the manual as it is
///
/// Shows what changed in the text that the cases cite, then pins each of their stale citations to the text in the work
/// tree: in the citation, or in citecheck.pins.yaml where the configuration says `pins: file`. A citation whose section
/// moved is rewritten as `citecheck fix` does. Nothing is staged, and citations that are not stale stay as they are.
/// Several conditions narrow each other.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = clap::ArgGroup::new("what").required(true).multiple(true))]
pub(crate) struct Args {
    /// Cases that were reviewed, by id
    #[arg(value_name = "CASE", group = "what")]
    pub(crate) cases: Vec<String>,

    /// Citations of this section and what stands below it
    #[arg(long, value_name = "ID", group = "what")]
    pub(crate) section: Option<String>,

    /// Citations with a finding of this rule
    #[arg(long, value_name = "RULE", group = "what")]
    pub(crate) rule: Option<String>,

    /// Every stale citation; asks first
    #[arg(long, group = "what", conflicts_with_all = ["cases", "section", "rule"])]
    pub(crate) all: bool,

    /// Accept without being asked
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Show what would be accepted and written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Stale citations, as far as the arguments want them.
struct Chosen<'c> {
    accepted: Vec<(&'c Remedy, Respelling)>,
    /// Those that a review can't settle, and why.
    refused: Vec<(&'c Remedy, &'static str)>,
}

pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let mut session = context.open(&Selection::Checkout)?;
    let checked = session.check(true)?;
    if checked.after.manual.documents.is_empty() || checked.after.cases.iter().all(|file| file.cases.is_empty()) {
        super::say_nothing_was_read(out)?;
        return Ok(Exit::NothingChecked);
    }
    let chosen = choose(args, &session, &checked)?;
    let failed = |error| Error::io("write the results", error);
    show(&session, &chosen, context, out).map_err(failed)?;
    let respellings: Vec<Respelling> = chosen.accepted.iter().map(|(_, respelling)| respelling.clone()).collect();
    let rewrites = rewrites(Ground::of(&session), &checked, &respellings)?;
    if args.dry_run {
        patch::show(&rewrites, out).map_err(failed)?;
    } else if !respellings.is_empty() {
        if args.all && !args.yes && !agreed(out)? {
            writeln!(out, "nothing was accepted").map_err(failed)?;
            return Ok(Exit::Findings);
        }
        write_back(&session.repo, &rewrites)?;
    }
    let count = match respellings.len() {
        0 => "nothing to accept".to_owned(),
        1 => "1 citation accepted".to_owned(),
        count => format!("{count} citations accepted"),
    };
    let would = if args.dry_run && !respellings.is_empty() { " (dry run: nothing was written)" } else { "" };
    writeln!(out, "{count}{would}").map_err(failed)?;
    if let Some(command) = adding_pins(&session, &rewrites, context).filter(|_| !args.dry_run) {
        let path = &session.pins_path;
        writeln!(out, "{}", sanitize(&format!("`{path}` is not in git yet: run `{command}`"))).map_err(failed)?;
    }
    Ok(if chosen.refused.is_empty() { Exit::Clean } else { Exit::Findings })
}

/// The command that adds the pins file, where it was written and git does not know it: no `git commit --all` takes it.
fn adding_pins(session: &Session, rewrites: &[Rewrite], context: &Context) -> Option<String> {
    let path = rewrites.iter().map(|rewrite| &rewrite.path).find(|path| **path == session.pins_path)?;
    let index = session.repo.named(&Rev::Index, std::slice::from_ref(path)).ok()?;
    let is_tracked = index.entries.contains_key(path);
    // A path as git takes it anywhere in the work tree.
    let is_at_top = context.start.canonicalize().ok() == session.repo.workdir()?.canonicalize().ok();
    let path = if is_at_top { path.to_string() } else { format!(":/{path}") };
    (!is_tracked).then(|| format!("git add {}", shell_word(&path)))
}

fn choose<'c>(args: &Args, session: &Session, checked: &'c Checked) -> Result<Chosen<'c>, Error> {
    refuse_unknown(args, checked)?;
    let section = match &args.section {
        Some(id) => Some(section(session, checked, id)?),
        None => None,
    };
    let mut chosen = Chosen { accepted: Vec::new(), refused: Vec::new() };
    let rules = rules_by_citation(&checked.findings);
    for remedy in &checked.remedies {
        let Some(rules) = rules.get(&remedy.key()) else { continue };
        let is_wanted = (args.cases.is_empty() || args.cases.contains(&remedy.case.0))
            && args.rule.as_deref().is_none_or(|name| rules.iter().any(|rule| rule.name == name))
            && section.as_ref().is_none_or(|sections| remedy.target.is_some_and(|target| cites(sections, target)));
        if !is_wanted {
            continue;
        }
        match accepted(remedy, rules, args.all) {
            Ok(respelling) => chosen.accepted.push((remedy, respelling)),
            Err(why) => chosen.refused.push((remedy, why)),
        }
    }
    Ok(chosen)
}

/// The section that `--section` names and those below it, or the file.
fn section(session: &Session, checked: &Checked, id: &str) -> Result<Vec<Target>, Error> {
    let manual = &checked.after.manual;
    let index = Index::new(manual, &session.base_urls());
    let shortest = |sections: &[SectionRef]| {
        let names: Vec<String> = sections.iter().take(4).map(|at| format!("`{}`", index.shortest(*at))).collect();
        names.join(", ")
    };
    let (message, near) = match index.resolve(id, None) {
        Resolution::Found { target, .. } => {
            let below = covered(manual, target, crate::cases::Scope::Whole);
            return Ok(below.into_iter().map(Target::Section).chain([target]).collect());
        }
        Resolution::Ambiguous { candidates, .. } => (format!("`{id}` names several sections"), shortest(&candidates)),
        Resolution::Unknown { nearest } => (format!("no section is named `{id}`"), shortest(&nearest)),
    };
    let error = Error::new(Kind::Usage, message);
    Err(match near.is_empty() {
        true => error.hint("`citecheck sections` lists what there is"),
        false => error.hint(format!("there is {near}")),
    })
}

fn cites(sections: &[Target], target: Target) -> bool {
    sections.contains(&target)
}

fn refuse_unknown(args: &Args, checked: &Checked) -> Result<(), Error> {
    let ids: BTreeSet<&str> =
        checked.after.cases.iter().flat_map(|file| &file.cases).map(|case| case.id.0.as_str()).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let rules: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    for case in &args.cases {
        known("case", case, &ids, "`citecheck coverage --format csv-by-case` lists the cases")?;
    }
    if let Some(rule) = &args.rule {
        known("rule", rule, &rules, "`citecheck rules` lists them")?;
        if RULES.iter().any(|known| known.name == rule && !is_settled_by_review(known)) {
            let error = Error::new(Kind::Usage, format!("findings of `{rule}` can't be accepted"));
            return Err(error.hint(format!("`citecheck explain {rule}` says what to do about them")));
        }
    }
    Ok(())
}

fn known(what: &str, name: &str, names: &[&str], list: &str) -> Result<(), Error> {
    if names.contains(&name) {
        return Ok(());
    }
    let error = Error::new(Kind::Usage, format!("unknown {what} `{name}`"));
    Err(match nearest(name, names) {
        Some(near) => error.hint(format!("a similar one exists: `{near}`")),
        None => error.hint(list),
    })
}

/// What changed in the text behind each citation; citations of one change together.
fn show(session: &Session, chosen: &Chosen<'_>, context: &Context, out: &mut dyn Write) -> io::Result<()> {
    let mut groups: Vec<(&Remedy, Vec<&(&Remedy, Respelling)>)> = Vec::new();
    for pair in &chosen.accepted {
        match groups.iter_mut().find(|(first, _)| first.cited == pair.0.cited && first.cited.is_some()) {
            Some((_, group)) => group.push(pair),
            None => groups.push((pair.0, vec![pair])),
        }
    }
    for (first, group) in groups {
        for (remedy, respelling) in group {
            writeln!(out, "{}", sanitize(&heading(session, remedy, respelling)))?;
        }
        render_changes(&first.changes, context.looks, out)?;
        if let (true, Some(place)) = (first.changes.is_empty(), &first.place) {
            // It only moved, or what it was reviewed against is not in the history.
            writeln!(out, "  reads as in {} line {}\n", sanitize(&place.file), place.line)?;
        }
    }
    for (remedy, why) in &chosen.refused {
        let line = format!("{} is not accepted: {why}", cited(session, remedy));
        writeln!(out, "{}", sanitize(&line))?;
    }
    Ok(())
}

fn heading(session: &Session, remedy: &Remedy, respelling: &Respelling) -> String {
    let moved = match &remedy.moved_to {
        Some(_) => format!(", rewritten to `{}`", respelling.text),
        None => String::new(),
    };
    format!("{}{moved}", cited(session, remedy))
}

fn cited(session: &Session, remedy: &Remedy) -> String {
    let at = place(&session.sources, remedy.citation.span);
    format!("{} cites `{}` ({at})", remedy.case.0, remedy.citation.text)
}

/// Asks; where nobody is there to answer, that is an error.
fn agreed(out: &mut dyn Write) -> Result<bool, Error> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        let error = Error::new(Kind::Usage, "`accept --all` asks before it writes, and there is no terminal");
        return Err(error.hint("look at the changes, then run `citecheck accept --all --yes`"));
    }
    let failed = |error| Error::io("ask", error);
    write!(out, "accept all of this? [y/N] ").and_then(|()| out.flush()).map_err(failed)?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).map_err(failed)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}
