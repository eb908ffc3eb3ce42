//! Categories written into the cases that lack them: a line for each, and nothing else. Cases in which that can't be done
//! are left out and named.

use std::collections::BTreeMap;

use super::{Ground, Rewrite, place};
use crate::cases::{self, Case, CaseFile, Citation, Slot};
use crate::config::Config;
use crate::error::{Error, Kind};
use crate::source::{RepoPath, SourceFile};

/// What becomes of the case files.
#[derive(Debug, Default)]
pub(crate) struct Categorized {
    pub(crate) rewrites: Vec<Rewrite>,
    /// How many cases get a category.
    pub(crate) count: usize,
    /// Where none could be put and why, in words.
    pub(crate) left: Vec<String>,
}

/// The key under which the cases of a file get their category: the first of its group.
pub(crate) fn category_key<'c>(config: &'c Config, path: &RepoPath) -> Result<&'c str, Error> {
    let keys = config.case_group(path).map(|group| group.shape.category.as_slice()).unwrap_or_default();
    let refused = |message: String| {
        let hint = "write a plain key first, as `category: [category]`, in the group of `cases`; nothing was written";
        Error::new(Kind::Config, message).hint(hint)
    };
    match keys {
        [] => Err(refused(format!("no key is configured for the category of cases in `{path}`"))),
        [key, ..] if key.contains('.') => {
            Err(refused(format!("`{key}` lies in another mapping, so no category can be written into `{path}`")))
        }
        [key, ..] => Ok(key),
    }
}

/// Puts categories into cases, by their place among all cases of the files.
pub(crate) fn categorized(
    ground: Ground<'_>,
    files: &[CaseFile],
    categories: &BTreeMap<usize, String>,
) -> Result<Categorized, Error> {
    let mut categorized = Categorized::default();
    let mut first = 0;
    for file in files {
        let mine: Vec<Option<&str>> =
            (first..first + file.cases.len()).map(|at| categories.get(&at).map(String::as_str)).collect();
        first += file.cases.len();
        if mine.iter().any(Option::is_some) {
            categorize(ground, file, mine, &mut categorized)?;
        }
    }
    Ok(categorized)
}

/// Adds what becomes of one file, whose cases get these categories.
fn categorize(
    ground: Ground<'_>,
    file: &CaseFile,
    mut mine: Vec<Option<&str>>,
    categorized: &mut Categorized,
) -> Result<(), Error> {
    let source = ground.sources.get(file.source);
    let key = category_key(ground.config, &source.path)?;
    let shape = &ground.config.case_group(&source.path).expect("it was read as a case file").shape;
    let cases: Vec<&Case> = file.cases.iter().collect();
    let slots = cases::slots(&source.text, &cases, &shape.id, key);
    let mut lines: Vec<(Slot, &str)> = Vec::new();
    for ((case, category), slot) in file.cases.iter().zip(&mut mine).zip(slots) {
        match (*category, slot) {
            (None, _) => {}
            (Some(name), Ok(slot)) => lines.push((slot, name)),
            (Some(_), Err(why)) => {
                *category = None;
                let at = place(ground.sources, case.id_span);
                categorized.left.push(format!("{at}: no category was written for `{}`: {why}", case.id.0));
            }
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    let after = cases::insert(&source.text, key, &lines).ok_or_else(|| refused(source))?;
    let read = cases::parse(file.source, &after, shape).value;
    if !reads_as_meant(file, &read, &mine) {
        return Err(refused(source));
    }
    categorized.count += lines.len();
    categorized.rewrites.push(Rewrite { path: source.path.clone(), before: Some(source.text.to_string()), after });
    Ok(())
}

/// Whether the cases are what they were, but for the categories that they shall have.
fn reads_as_meant(before: &CaseFile, after: &CaseFile, categories: &[Option<&str>]) -> bool {
    let pairs = || before.cases.iter().zip(&after.cases);
    let text = |said: &Option<cases::Spanned>| said.as_ref().map(|said| said.text.clone());
    let is_same_case = |(case, read): (&Case, &Case)| {
        let own = |case: &Case| (case.id.clone(), case.cited_id, case.ordinal, case.content);
        own(case) == own(read)
            && (text(&case.title), text(&case.status)) == (text(&read.title), text(&read.status))
            && case.citations.len() == read.citations.len()
            && case.citations.iter().zip(&read.citations).all(|(citation, read)| is_same_citation(citation, read))
    };
    let has_category = |((case, read), category): ((&Case, &Case), &Option<&str>)| match category {
        Some(category) => text(&read.category).is_some_and(|read| read.trim() == category.trim()),
        None => text(&read.category) == text(&case.category),
    };
    before.cases.len() == after.cases.len()
        && pairs().all(is_same_case)
        && pairs().zip(categories).all(has_category)
        && before.comments.iter().map(|it| &it.text).eq(after.comments.iter().map(|it| &it.text))
}

fn is_same_citation(before: &Citation, after: &Citation) -> bool {
    let said = |citation: &Citation| {
        let text = |it: &Option<cases::Spanned>| it.as_ref().map(|it| it.text.clone());
        let pins: Vec<cases::PinKind> = citation.pins.iter().map(|pin| pin.kind.clone()).collect();
        (citation.text.clone(), text(&citation.quote), text(&citation.title), citation.scope, pins)
    };
    said(before) == said(after)
}

fn refused(source: &SourceFile) -> Error {
    let message = format!("`{}` cannot be rewritten: read again, the file would say something else", source.path);
    Error::new(Kind::Io, message).hint("nothing was written; write the categories by hand")
}
