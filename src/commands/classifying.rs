//! `citecheck coverage --classify`: a model's opinion on which category a case belongs to that names none. It counts in
//! the figures and is marked there; it is written into the case files only where that is asked for, and what a case says of
//! itself stays.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use super::Context;
use super::model::{Sending, model, show};
use super::write_back::write_back;
use crate::ai::{Model, Unclassified, classify, requests, unclassified};
use crate::cases::CaseFile;
use crate::edits::{Categorized, Ground, categorized, category_key};
use crate::error::{Error, Kind};
use crate::pipeline::Session;

/// Whether and how a model is asked for categories.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Classifying {
    /// Ask the model of the configuration for the category of each case that names none
    ///
    /// It is one of the taxonomy, counts in the figures, and is marked `by model`. Where there is no clear answer, the case
    /// stays unclassified. Answers are kept under .git/citecheck and serve again.
    #[arg(long)]
    classify: bool,

    /// With --classify: write the categories into the case files of the work tree, a line for each
    #[arg(long, requires = "classify", conflicts_with = "rev")]
    write: bool,

    /// With --classify: print what would be sent, and send and report nothing further
    #[arg(long, requires = "classify", conflicts_with_all = ["write", "output", "since"])]
    dry_run: bool,

    /// With --classify: seconds that one request may take
    #[arg(long, value_name = "SECONDS", requires = "classify", default_value_t = 120)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
}

/// A model and what it may answer.
pub(super) struct Classifier {
    model: Model,
    categories: Vec<String>,
    is_written: bool,
    pub(super) is_dry: bool,
}

/// What came of it.
pub(super) struct Classified {
    /// By the place of the case among all cases.
    pub(super) categories: BTreeMap<usize, String>,
    /// Whether case files were changed.
    pub(super) has_written: bool,
    pub(super) notes: Vec<String>,
}

/// Cases named that could not be written to.
const MOST_LEFT: usize = 20;

impl Classifying {
    /// The model to ask; none where that is not wanted.
    pub(super) fn classifier(&self, session: &Session, context: &Context) -> Result<Option<Classifier>, Error> {
        if !self.classify {
            return Ok(None);
        }
        if self.write {
            session.repo.workdir().ok_or_else(super::no_work_tree)?;
        }
        let sending = if self.dry_run { Sending::Never } else { Sending::For(Duration::from_secs(self.timeout)) };
        let taxonomy = &session.config.coverage.taxonomy;
        let categories = taxonomy.names().filter(|name| *name != taxonomy.unclassified());
        let classifier = Classifier {
            model: model(session, sending, context)?,
            categories: categories.map(str::to_owned).collect(),
            is_written: self.write,
            is_dry: self.dry_run,
        };
        if classifier.categories.is_empty() {
            let error = Error::new(Kind::Config, "the taxonomy has no category that a case could get");
            return Err(error.hint("list them, as `coverage: { taxonomy: [safety, usability] }`"));
        }
        Ok(Some(classifier))
    }
}

impl Classifier {
    /// Prints what would be sent.
    pub(super) fn show(&self, session: &Session, files: &[CaseFile], out: &mut dyn Write) -> Result<(), Error> {
        let cases = unclassified(&session.sources, files);
        show(&self.model, &requests(&self.model, &self.categories, &cases), out)
    }

    /// Asks, and writes where that is wanted. What would keep it from writing is told before anything is sent.
    pub(super) fn ask(&self, session: &Session, files: &[CaseFile]) -> Result<Classified, Error> {
        if self.is_written {
            for file in files.iter().filter(|file| file.cases.iter().any(|case| case.category.is_none())) {
                category_key(&session.config, &session.sources.get(file.source).path)?;
            }
        }
        let cases = unclassified(&session.sources, files);
        let (answers, failure) = classify(&self.model, &self.categories, &cases);
        let mut categories = BTreeMap::new();
        for (unclassified, answer) in cases.iter().zip(answers) {
            let Some(category) = answer else { continue };
            categories.extend(unclassified.cases.iter().map(|at| (*at, category.clone())));
        }
        let mut notes = vec![self.summary(&cases, categories.len(), failure)];
        let mut has_written = false;
        if self.is_written {
            let categorized = categorized(Ground::of(session), files, &categories)?;
            write_back(&session.repo, &categorized.rewrites)?;
            has_written = !categorized.rewrites.is_empty();
            notes.extend(written(categorized));
        }
        Ok(Classified { categories, has_written, notes })
    }

    fn summary(&self, cases: &[Unclassified], sorted: usize, failure: Option<Error>) -> String {
        let mut text = match cases.iter().map(|unclassified| unclassified.cases.len()).sum() {
            0 => "every case names a category, so no model was asked".to_owned(),
            all => {
                let model = &self.model.name;
                format!("the model `{model}` gave {sorted} of {all} cases without a category one, marked `by model`")
            }
        };
        if let Some(failure) = failure {
            text.push_str(&format!("; {failure}"));
        }
        text
    }
}

/// What was written and what was not.
fn written(categorized: Categorized) -> Vec<String> {
    let Categorized { rewrites, count, mut left } = categorized;
    let files = if rewrites.len() == 1 { "file" } else { "files" };
    let summary = match count {
        0 => "no category was written".to_owned(),
        1 => "the category of 1 case was written, in 1 file".to_owned(),
        count => format!("the categories of {count} cases were written, in {} {files}", rewrites.len()),
    };
    let more = left.len().saturating_sub(MOST_LEFT);
    left.truncate(MOST_LEFT);
    if more > 0 {
        left.push(format!("and {more} more cases to which no category was written"));
    }
    [vec![summary], left].concat()
}
