//! What a range does to be told less: suppressions that it brings in, what its configuration no longer reads or tells, and
//! the cases that it drops, which `dropped.rs` finds.
//! The two configurations are compared by their effects, so another spelling of the same is no news. What gets stricter
//! needs no notice, and nothing is judged: whoever looks at the range should see it.

use std::collections::BTreeMap;

use super::dropped::Dropped;
use super::load::{locate_config, read_config};
use super::{Revision, Session};
use crate::cases::{self, CaseFile, Shape};
use crate::config::Config;
use crate::diagnostic::Level;
use crate::diff::ExtraWords;
use crate::error::Error;
use crate::git::{Content, Entry, Snapshot};
use crate::review::Edition;
use crate::rules;
use crate::source::{RepoPath, Rev, Sources};

/// How many names one note has.
const MOST_NAMES: usize = 3;

/// What a range does to be told less.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Loosened {
    pub(crate) configuration: Vec<String>,
    pub(crate) suppressions: Vec<String>,
    pub(crate) cases: Vec<Dropped>,
}

/// The configuration of one end of the range.
pub(super) struct Settings {
    pub(super) config: Config,
    /// `None` where there is no file, and the defaults hold.
    path: Option<RepoPath>,
}

impl Loosened {
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        let loosened = self.configuration.iter().chain(&self.suppressions).cloned();
        loosened.chain(Dropped::notes(&self.cases))
    }
}

impl Session {
    pub(super) fn loosened(
        &self,
        (start, checked): (&Edition, &Edition),
        (before, after): (&Revision, &Revision),
    ) -> Result<Loosened, Error> {
        Ok(Loosened {
            configuration: self.loosened_configuration(&start.rev, &checked.rev)?,
            suppressions: self.added_suppressions(start, checked, &after.cases)?,
            cases: self.dropped((start, checked), (before, after)),
        })
    }

    /// The suppressions that the range brought in.
    fn added_suppressions(&self, start: &Edition, checked: &Edition, files: &[CaseFile]) -> Result<Vec<String>, Error> {
        let mut notes = Vec::new();
        for file in files.iter().filter(|file| !file.comments.is_empty()) {
            let path = &self.sources.get(file.source).path;
            if start.blob(path).is_some() && start.blob(path) == checked.blob(path) {
                continue;
            }
            let mut before = Vec::new();
            if let (Some(entry), Some(group)) = (start.entries.get(path), self.config.case_group(path))
                && let Some(text) = self.text(&start.rev, path, entry)?
            {
                let parsed = cases::parse(file.source, &text, &group.shape);
                before.extend(parsed.value.comments.into_iter().map(|comment| comment.text));
            }
            for comment in &file.comments {
                match before.iter().position(|text| *text == comment.text) {
                    Some(at) => _ = before.swap_remove(at),
                    None => {
                        let (line, _) = self.sources.line(file.source, comment.span.start);
                        notes.push(format!("new in {path}:{line}: {}", comment.text));
                    }
                }
            }
        }
        Ok(notes)
    }

    /// What the configuration of the checked revision leaves out that the one before did not.
    fn loosened_configuration(&self, start: &Rev, tip: &Rev) -> Result<Vec<String>, Error> {
        if *start == Rev::Nothing || self.has_same_configuration(start, tip)? {
            return Ok(Vec::new());
        }
        let Some(before) = self.settings(start) else {
            let what = "the configuration at the start of the range cannot be read, so what the range changed in it";
            return Ok(vec![format!("{what} is not told")]);
        };
        let Some(after) = self.settings(tip) else {
            return Ok(vec!["the configuration that the range brings cannot be read".to_owned()]);
        };
        let mut notes: Vec<String> = moved(&before, &after).into_iter().collect();
        let place = match after.path.as_ref().or(before.path.as_ref()) {
            Some(path) => format!("loosened in {path}"),
            None => "loosened".to_owned(),
        };
        let (before, after) = (&before.config, &after.config);
        let mut loosened = lowered(before, after);
        loosened.extend(self.unread(tip, before, after)?);
        loosened.extend(forgotten_words(&before.words, &after.words));
        if !has_same_sections(before, after) {
            loosened.push("`sections` says otherwise what begins a section".to_owned());
        }
        notes.extend(loosened.into_iter().map(|what| format!("{place}: {what}")));
        Ok(notes)
    }

    pub(super) fn has_same_configuration(&self, start: &Rev, tip: &Rev) -> Result<bool, Error> {
        let locate = |rev| locate_config(&self.repo, rev, &self.configured);
        // What cannot be located is told of like what cannot be read.
        let (Ok(before), Ok(after)) = (locate(start), locate(tip)) else { return Ok(false) };
        let is_known = before.as_ref().is_none_or(|(_, entry)| entry.id.is_some());
        Ok(is_known && before == after)
    }

    /// `None` where the configuration has an error, which nobody asked about.
    pub(super) fn settings(&self, rev: &Rev) -> Option<Settings> {
        let located = locate_config(&self.repo, rev, &self.configured).ok()?;
        let path = located.as_ref().map(|(path, _)| path.clone());
        let config = read_config(&self.repo, (rev, located), &self.configured, &mut Sources::default()).ok()?;
        Some(Settings { config, path })
    }

    /// The manuals and citations of the checked revision that would be read with the configuration before.
    fn unread(&self, tip: &Rev, before: &Config, after: &Config) -> Result<Vec<String>, Error> {
        let is_left =
            |path: &RepoPath| before.is_manual(path) && !after.is_manual(path) || before.case_group(path).is_some();
        let Snapshot { entries, .. } = self.repo.snapshot(tip, &is_left)?;
        let mut manuals = Vec::new();
        let (mut citations, mut files) = (0, Vec::new());
        for (path, entry) in &entries {
            if before.is_manual(path) {
                if !after.is_manual(path) {
                    manuals.push(path);
                }
                continue;
            }
            let shape = |config: &Config| config.case_group(path).map(|group| group.shape.clone());
            let count = self.unread_citations((tip, path, entry), shape(before), shape(after))?;
            citations += count;
            if count > 0 {
                files.push(path);
            }
        }
        let manuals = (!manuals.is_empty()).then(|| match manuals.len() {
            1 => format!("{} is no longer part of the manual", names(&manuals)),
            _ => format!("{} are no longer part of the manual", names(&manuals)),
        });
        let citations = (citations > 0).then(|| match citations {
            1 => format!("1 citation is no longer read, in {}", names(&files)),
            _ => format!("{citations} citations are no longer read, in {}", names(&files)),
        });
        Ok(manuals.into_iter().chain(citations).collect())
    }

    /// How many citations of a file are read with one shape and not with the other.
    fn unread_citations(
        &self,
        (tip, path, entry): (&Rev, &RepoPath, &Entry),
        before: Option<Shape>,
        after: Option<Shape>,
    ) -> Result<usize, Error> {
        let key = |shape: &Option<Shape>| shape.as_ref().map(|it| (it.cites.clone(), spelling(&it.cite_pattern)));
        if key(&before) == key(&after) {
            return Ok(0);
        }
        let Some(text) = self.text(tip, path, entry)? else { return Ok(0) };
        let mut left: BTreeMap<String, usize> = BTreeMap::new();
        for citation in cited(&text, before) {
            *left.entry(citation).or_default() += 1;
        }
        for citation in cited(&text, after) {
            left.entry(citation).and_modify(|count| *count = count.saturating_sub(1));
        }
        Ok(left.values().sum())
    }

    /// The text of a file, if it is one.
    fn text(&self, rev: &Rev, path: &RepoPath, entry: &Entry) -> Result<Option<String>, Error> {
        Ok(match self.repo.read(rev, path, entry)? {
            Content::Text(bytes) => String::from_utf8(bytes).ok(),
            Content::LfsPointer | Content::Link { .. } | Content::Submodule | Content::TooLarge { .. } => None,
        })
    }
}

/// A configuration that comes, goes or stands elsewhere.
fn moved(before: &Settings, after: &Settings) -> Option<String> {
    match (&before.path, &after.path) {
        (None, Some(path)) => Some(format!("the configuration {path} is new")),
        (Some(path), None) => Some(format!("the configuration {path} is gone, so the defaults hold")),
        (Some(before), Some(after)) if before != after => {
            Some(format!("the configuration is in {after}, before in {before}"))
        }
        (Some(_), Some(_)) | (None, None) => None,
    }
}

/// The rules that are told at a lower level, or not at all.
fn lowered(before: &Config, after: &Config) -> Vec<String> {
    let lowered = rules::RULES.iter().filter_map(|rule| {
        let levels = |config: &Config| rules::levels(rule, config.rules.get(rule.name).copied());
        let (before, after) = (levels(before), levels(after));
        let is_lower = after.0 < before.0 || after.1 < before.1;
        is_lower.then(|| format!("`{}` is {}, was {}", rule.name, level(after), level(before)))
    });
    lowered.collect()
}

/// The least and the most serious level of a rule, in a word.
fn level((least, most): (Option<Level>, Option<Level>)) -> String {
    match (least, most) {
        (None, _) | (_, None) => "off".to_owned(),
        (Some(least), Some(most)) if least == most => least.name().to_owned(),
        (Some(least), Some(most)) => format!("{} or {}", least.name(), most.name()),
    }
}

/// Words that would have made a change one of substance, and those that may come and go from the range on.
fn forgotten_words(before: &ExtraWords, after: &ExtraWords) -> Vec<String> {
    let missing = |here: &[String], there: &[String]| -> Vec<String> {
        here.iter().filter(|word| !there.contains(word)).map(|word| format!("`{word}`")).collect()
    };
    let forgotten = [
        ("modality", missing(&before.modality, &after.modality)),
        ("negation", missing(&before.negation, &after.negation)),
        ("quantifier", missing(&before.quantifier, &after.quantifier)),
    ];
    let forgotten = forgotten.into_iter().filter(|(_, words)| !words.is_empty());
    let mut notes: Vec<String> =
        forgotten.map(|(kind, words)| format!("{} no longer signals {kind}", words.join(", "))).collect();
    let fillers = missing(&after.filler, &before.filler);
    notes.extend((!fillers.is_empty()).then(|| format!("{} may now come and go", fillers.join(", "))));
    notes
}

fn has_same_sections(before: &Config, after: &Config) -> bool {
    let patterns = |config: &Config| -> Vec<String> {
        config.sections.id_patterns.iter().map(|it| it.as_str().to_owned()).collect()
    };
    patterns(before) == patterns(after) && before.sections.numbered_paragraphs == after.sections.numbered_paragraphs
}

/// The citations of a text in the given shape.
fn cited(text: &str, shape: Option<Shape>) -> Vec<String> {
    let Some(shape) = shape else { return Vec::new() };
    let mut sources = Sources::default();
    let source = sources.add(Rev::Nothing, RepoPath::new(""), "");
    let cases = cases::parse(source, text, &shape).value.cases;
    cases.into_iter().flat_map(|case| case.citations).map(|citation| citation.text).collect()
}

fn spelling(pattern: &Option<regex::Regex>) -> Option<String> {
    pattern.as_ref().map(|pattern| pattern.as_str().to_owned())
}

fn names(paths: &[&RepoPath]) -> String {
    let shown: Vec<String> = paths.iter().take(MOST_NAMES).map(ToString::to_string).collect();
    match paths.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
