//! `citecheck draft`: drafts of cases for sections of the manual, by a model. What it writes says that it is a draft and
//! where it came from; nothing of it is made up where the model gives no valid answer.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Context;
use super::model::{Sending, model, show};
use crate::ai::{Drafting, Drafts, Given, PROMPT, Reply, SCHEMA};
use crate::cases::Scope;
use crate::config::quoted;
use crate::diagnostic::EndFact;
use crate::error::{Error, Exit, Kind};
use crate::git::Selection;
use crate::manual::{Index, Manual, Resolution, SectionRef, Target};
use crate::pipeline::{self, Session};
use crate::review::covered;
use crate::whole::{self, Access, Unfinished, Worth};

const EXAMPLES: &str = "\
Examples:
  citecheck draft alarms                       a section and those below it
  citecheck draft alarms --output drafts.yaml  in a file of their own
  citecheck draft alarms --dry-run             what would be sent
  citecheck draft alarms --force               other drafts for the same text

A draft has `status: draft`. Read it against the manual; take the status away
when it has become a case of yours.";

/// Draft test cases for sections of the manual, by a model
///
/// The model of the configuration gives three to five cases, as YAML, with `status: draft` and where they came from: model,
/// time, and the sections with their fingerprints. The same sections give the same drafts, which are kept under
/// .git/citecheck, until --force asks again.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Sections as a case would cite them, taken with those below them
    #[arg(value_name = "SECTION", required = true)]
    sections: Vec<String>,

    /// Take the sections of this revision instead of the work tree
    #[arg(long, value_name = "REV")]
    rev: Option<String>,

    /// Write to this file, which must not exist, instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file of --output if it exists
    #[arg(long, requires = "output")]
    overwrite: bool,

    /// Ask the model again, even if it answered for the same sections before
    #[arg(long)]
    force: bool,

    /// Print what would be sent, and send nothing
    #[arg(long, conflicts_with = "output")]
    dry_run: bool,

    /// Seconds that one request may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// A section that drafts are for.
struct Source {
    given: Given,
    fingerprint: String,
    place: String,
}

/// Asks for drafts and writes them.
pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    if let Some(path) = args.output.as_deref().filter(|path| !args.overwrite && path.symlink_metadata().is_ok()) {
        return Err(exists(path));
    }
    let selection = args.rev.clone().map_or(Selection::Worktree, Selection::Rev);
    let mut session = context.open(&selection)?;
    let sending = if args.dry_run { Sending::Never } else { Sending::For(Duration::from_secs(args.timeout)) };
    let model = model(&session, sending, context)?;
    let model = if args.force { model.forced() } else { model };
    let sources = sources(args, &mut session)?;
    let drafting = Drafting { sections: sources.iter().map(|source| source.given.clone()).collect() };
    if let Some((length, most)) = drafting.excess() {
        let message = format!("the sections have {length} bytes, more than the {most} that a draft is made from");
        return Err(Error::new(Kind::Usage, message).hint("name fewer or smaller sections"));
    }
    let (question, read) = (drafting.question(&model), |answer: &str| drafting.read(answer));
    if args.dry_run {
        show(&model, &model.request(&question, &read).into_iter().collect::<Vec<_>>(), out)?;
        return Ok(Exit::Clean);
    }
    match model.ask(&question, &read)? {
        Reply::Answered { answer, time } => {
            let head = Provenance { model: &model.name, time: &time, end: &pipeline::end(Some(&session.after)) };
            let text = yaml(&head, &sources, &answer, &question.key);
            write(args, &text, out)?;
            Ok(Exit::Clean)
        }
        Reply::Invalid(invalid) => {
            let errors = invalid.errors.join("; then: ");
            let message = format!("the model `{}` gave no valid answer in two tries: {errors}", model.name);
            Err(Error::new(Kind::Network, message).hint(format!("both are in `{}`", invalid.kept.display())))
        }
    }
}

/// The named sections with those below them, each once, in the order of the manual.
fn sources(args: &Args, session: &mut Session) -> Result<Vec<Source>, Error> {
    let revision = session.load_after()?;
    let (manual, index) = (&revision.manual, Index::new(&revision.manual, &session.base_urls()));
    let mut sections = BTreeSet::new();
    for citation in &args.sections {
        let target = target(citation, &index)?;
        sections.extend(covered(manual, target, Scope::Whole));
    }
    let source = |at: SectionRef| {
        let (document, section) = (manual.document(at), &manual.document(at).sections[at.section]);
        Source {
            given: Given {
                cite: index.shortest(at),
                title: section.title.clone(),
                text: session.sources.slice(section.extent).to_owned(),
            },
            fingerprint: manual.fingerprint(Target::Section(at), true).pin(),
            place: format!("{}:{}", document.path, section.line),
        }
    };
    Ok(sections.into_iter().map(source).collect())
}

fn target(citation: &str, index: &Index) -> Result<Target, Error> {
    let names = |sections: &[SectionRef]| {
        let names: Vec<String> = sections.iter().take(5).map(|at| format!("`{}`", index.shortest(*at))).collect();
        names.join(", ")
    };
    let error = |message: String| Error::new(Kind::Usage, message);
    match index.resolve(citation, None) {
        Resolution::Found { target, .. } if is_empty(index.manual(), target) => {
            Err(error(format!("`{citation}` is an empty file")))
        }
        Resolution::Found { target, .. } => Ok(target),
        Resolution::Ambiguous { candidates, .. } => {
            Err(error(format!("`{citation}` names several sections")).hint(format!("one of {}", names(&candidates))))
        }
        Resolution::Unknown { nearest } => Err(error(format!("`{citation}` names no section")).hint(match &*nearest {
            [] => "`citecheck sections` lists them".to_owned(),
            nearest => format!("similar ones are {}", names(nearest)),
        })),
    }
}

fn is_empty(manual: &Manual, target: Target) -> bool {
    covered(manual, target, Scope::Whole).is_empty()
}

/// Where drafts came from.
struct Provenance<'a> {
    model: &'a str,
    time: &'a str,
    end: &'a EndFact,
}

/// The drafts as a case file. Every text of the model and of the manual is quoted: none can become a key.
fn yaml(head: &Provenance<'_>, sources: &[Source], drafts: &Drafts, key: &str) -> String {
    let mut text = format!(
        "# Drafts of a model. Read each against the manual before it counts as a case.\n\
         provenance:\n  model: {}\n  prompt: {PROMPT}\n  schema: {SCHEMA}\n  time: {}\n  revision: {}\n",
        quoted(head.model),
        quoted(head.time),
        quoted(head.end.commit.as_deref().unwrap_or(&head.end.rev)),
    );
    text.push_str("  sections:\n");
    for Source { given, fingerprint, place } in sources {
        let (section, place) = (quoted(&given.cite), quoted(place));
        text.push_str(&format!("    - {{ section: {section}, place: {place}, fingerprint: {fingerprint} }}\n"));
    }
    text.push_str("cases:\n");
    for (nth, draft) in drafts.cases.iter().enumerate() {
        text.push_str(&format!("  - id: DRAFT-{}-{}\n    status: draft\n", &key[..8], nth + 1));
        text.push_str(&format!("    title: {}\n    cites:\n", quoted(&draft.title)));
        for cite in &draft.cites {
            text.push_str(&format!("      - {}\n", quoted(cite)));
        }
        let (trigger, expected) = (quoted(&draft.trigger), quoted(&draft.expected));
        text.push_str(&format!("    trigger: {trigger}\n    expected: {expected}\n"));
    }
    text
}

fn write(args: &Args, text: &str, out: &mut dyn Write) -> Result<(), Error> {
    let Some(path) = &args.output else {
        return out.write_all(text.as_bytes()).map_err(|error| Error::io("write the drafts", error));
    };
    let failed = |error| Error::io(&format!("write `{}`", path.display()), error);
    whole::sweep(whole::folder_of(path));
    let mut file = Unfinished::beside(path, Access::Shared, Worth::Lasting).map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    match if args.overwrite { file.replace(path) } else { file.create(path) } {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(exists(path)),
        written => written.map_err(failed),
    }
}

fn exists(path: &Path) -> Error {
    Error::new(Kind::Usage, format!("`{}` exists", path.display())).hint("--overwrite replaces it")
}
