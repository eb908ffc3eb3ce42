//! `citecheck sections`: what can be cited, and how.

use std::io::Write;

use super::Context;
use super::reporting::say;
use crate::error::{Error, Exit};
use crate::git::Selection;
use crate::manual::Index;
use crate::sanitize::sanitize;

const EXAMPLES: &str = "\
Examples:
  citecheck sections             every section of the work tree
  citecheck sections alarm       those with `alarm` in id, title or file
  citecheck sections --rev v1.0  as they were in a release";

/// List the sections of the manual, and how each can be cited
///
/// Each line has the shortest citation, the number and title of the section, and its file and line.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only sections with this text in their id, title or file
    #[arg(value_name = "PATTERN")]
    pub(crate) pattern: Option<String>,

    /// List the sections of this revision instead of the work tree
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,
}

/// Prints one line for each section that matches.
pub(crate) fn run(args: &Args, context: &Context, out: &mut dyn Write) -> Result<Exit, Error> {
    let selection = args.rev.clone().map_or(Selection::Worktree, Selection::Rev);
    let mut session = context.open(&selection)?;
    let revision = session.load_after()?;
    let resolver = Index::new(&revision.manual, &session.base_urls());
    let mut rows = Vec::new();
    for (at, section) in revision.manual.sections() {
        let file = revision.manual.document(at).path.to_string();
        let matches = |pattern: &String| {
            let pattern = pattern.to_lowercase();
            [&section.id.0, &section.title, &file].iter().any(|text| text.to_lowercase().contains(&pattern))
        };
        if args.pattern.as_ref().is_none_or(matches) {
            let name = [section.number.as_deref().unwrap_or(""), &section.title].join(" ").trim().to_owned();
            rows.push(
                [resolver.shortest(at), name, format!("{file}:{}", section.line)]
                    .map(|cell| sanitize(&cell).into_owned()),
            );
        }
    }
    if let Some(pattern) = args.pattern.as_ref().filter(|_| rows.is_empty()) {
        let is_revision = args.rev.is_none() && session.repo.resolve(pattern).is_ok();
        let instead = format!("; `--rev {pattern}` lists those of that revision");
        let instead = if is_revision { &instead } else { "" };
        say(&[format!("note: no section has `{pattern}` in its id, title or file{instead}")], context.looks)?;
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default().min(48);
    let (first, second) = (width(0), width(1));
    for [citation, name, place] in &rows {
        writeln!(out, "{citation:first$}  {name:second$}  {place}")
            .map_err(|error| Error::io("write the sections", error))?;
    }
    if revision.manual.documents.is_empty() {
        writeln!(out, "no manual was found: `manuals` in citecheck.yaml selects the Markdown files")
            .map_err(|error| Error::io("write the sections", error))?;
        return Ok(Exit::NothingChecked);
    }
    Ok(Exit::Clean)
}
