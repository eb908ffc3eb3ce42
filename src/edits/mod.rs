//! Citations rewritten in their files, and categories put in: which scalar and which pin changes how, and whether the file
//! then says what was meant and nothing else. Writes nothing itself; what comes out is for the commands to write and for
//! editors to apply.

mod accept;
#[cfg(feature = "ai")]
mod categories;
mod fix;

use std::collections::{BTreeMap, BTreeSet};

use crate::cases::{self, Case, CaseFile, CaseId, Citation, Edit, Pin, PinKind};
use crate::config::{self, Config};
use crate::error::{Error, Kind};
use crate::pipeline::{Checked, PinsFile, Session};
use crate::review::pins::{self, PinEdit, Pins};
use crate::rules::Remedy;
use crate::source::{RepoPath, Sources, Span};

pub(crate) use accept::{accepted, rules_by_citation};
#[cfg(feature = "ai")]
pub(crate) use categories::{Categorized, categorized, category_key};
pub(crate) use fix::fixes;

/// What is edited: the texts of a check, and where pins go.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) config: &'a Config,
    /// Where pins are that stand in no citation.
    pub(crate) pins_path: &'a RepoPath,
}

/// How one citation shall read.
#[derive(Clone, Debug)]
pub(crate) struct Respelling {
    pub(crate) case: CaseId,
    pub(crate) citation: Citation,
    /// What to cite, without pin.
    pub(crate) text: String,
    /// The title beside it, where that changes.
    pub(crate) title: Option<String>,
    pub(crate) pin: NewPin,
}

/// What becomes of a citation's pin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NewPin {
    /// What it had; none if it had none.
    Keep,
    /// This fingerprint, as it is written.
    Set(String),
}

/// A file as it was read and as it shall be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rewrite {
    pub(crate) path: RepoPath,
    /// `None` where the file does not exist yet.
    pub(crate) before: Option<String>,
    pub(crate) after: String,
}

impl<'a> Ground<'a> {
    pub(crate) fn of(session: &'a Session) -> Self {
        Self { sources: &session.sources, config: &session.config, pins_path: &session.pins_path }
    }
}

/// The files of a check of the work tree with all respellings in them, in the order in which they are to be written.
///
/// The pins come first: a run that is killed after them leaves a citation that still does not lead to its section, which
/// is told. The other way round it would leave one that does, without the text that it was reviewed against, and a stale
/// case could pass.
///
/// An error where a scalar is shared, through an alias or a merge key, by a citation that shall stay as it is.
pub(crate) fn rewrites(
    ground: Ground<'_>,
    checked: &Checked,
    respellings: &[Respelling],
) -> Result<Vec<Rewrite>, Error> {
    let (files, pins_file) = (&checked.after.cases, &checked.pins);
    refuse_shared(ground, checked, respellings)?;
    refuse_both_scopes(ground, checked, respellings)?;
    let mut rewrites = Vec::new();
    let mut pin_edits = Vec::new();
    for file in files {
        let mine: Vec<&Respelling> =
            respellings.iter().filter(|respelling| respelling.citation.span.source == file.source).collect();
        let edits: Vec<Edit> = mine.iter().flat_map(|respelling| edits(ground.config.pins, respelling)).collect();
        pin_edits.extend(mine.iter().flat_map(|it| pin_edits_of(ground.config.pins, &pins_file.pins, it)));
        rewrites.extend(rewrite(ground, file, &mine, &edits)?);
    }
    Ok(pins_rewrite(ground, pins_file, &mut pin_edits)?.into_iter().chain(rewrites).collect())
}

/// The edits of the case file.
fn edits(mode: config::PinPlace, respelling: &Respelling) -> Vec<Edit> {
    let Respelling { citation, text, title, pin, .. } = respelling;
    let mut edits = Vec::new();
    let mut suffix = citation.pins.iter().find(|pin| is_inside(pin, citation)).map(|pin| pin.kind.spelled());
    if let NewPin::Set(fingerprint) = pin {
        let beside: Vec<&Pin> = citation.pins.iter().filter(|pin| !is_inside(pin, citation)).collect();
        for pin in &beside {
            edits.push(Edit { span: pin.span, text: fingerprint.clone() });
            edits.extend(pin.key.map(|span| Edit { span, text: "fingerprint".to_owned() }));
        }
        if suffix.is_some() || (beside.is_empty() && mode == config::PinPlace::Inline) {
            suffix = Some(fingerprint.clone());
        }
    }
    let spelled = match suffix {
        Some(pin) => format!("{text}@{pin}"),
        None => text.clone(),
    };
    edits.push(Edit { span: citation.span, text: spelled });
    if let (Some(written), Some(title)) = (&citation.title, title) {
        edits.push(Edit { span: written.span, text: title.clone() });
    }
    edits
}

/// The lines of the pins file that the respelling concerns.
fn pin_edits_of(mode: config::PinPlace, pins: &Pins, respelling: &Respelling) -> Vec<PinEdit> {
    let Respelling { case, citation, text, pin, .. } = respelling;
    if !citation.pins.is_empty() {
        return Vec::new();
    }
    let stood = pins.get(case, &citation.text).map(|pin| pin.kind.spelled());
    let fingerprint = match pin {
        NewPin::Set(fingerprint) if mode == config::PinPlace::File => Some(fingerprint.clone()),
        // From now on the pin stands in the citation; the line would be one too many.
        NewPin::Set(_) => None,
        NewPin::Keep => stood.clone(),
    };
    let mut edits = Vec::new();
    if stood.is_some() && (fingerprint.is_none() || *text != citation.text) {
        edits.push(PinEdit::Remove { case: case.clone(), citation: citation.text.clone() });
    }
    edits.extend(fingerprint.map(|fingerprint| PinEdit::Set {
        case: case.clone(),
        citation: text.clone(),
        fingerprint,
    }));
    edits
}

fn rewrite(
    ground: Ground<'_>,
    file: &CaseFile,
    mine: &[&Respelling],
    edits: &[Edit],
) -> Result<Option<Rewrite>, Error> {
    let before = &ground.sources.get(file.source);
    let after = cases::splice(&before.text, edits).map_err(|error| refused(ground, error.span, &error.message))?;
    if *after == *before.text {
        return Ok(None);
    }
    let group = ground.config.case_group(&before.path).expect("it was read as a case file");
    let read = cases::parse(file.source, &after, &group.shape);
    if let Some(span) = difference(ground.config.pins, file, &read.value, mine) {
        return Err(refused(ground, span, "read again, the file would say something else"));
    }
    Ok(Some(Rewrite { path: before.path.clone(), before: Some(before.text.to_string()), after }))
}

fn refused(ground: Ground<'_>, span: Span, why: &str) -> Error {
    Error::new(Kind::Io, format!("{} cannot be rewritten: {why}", place(ground.sources, span)))
        .hint("nothing was written; change the citation by hand")
}

/// The place in `before` of the first thing that `after` does not say as it should.
fn difference(
    mode: config::PinPlace,
    before: &CaseFile,
    after: &CaseFile,
    respellings: &[&Respelling],
) -> Option<Span> {
    let wanted: BTreeMap<Span, &Respelling> =
        respellings.iter().map(|respelling| (respelling.citation.span, *respelling)).collect();
    let mut afters = after.cases.iter();
    for case in &before.cases {
        let Some(read) = afters.next() else { return Some(case.id_span) };
        let same_case = (case.id == read.id || case.cited_id)
            && case.content == read.content
            && case.citations.len() == read.citations.len();
        if !same_case {
            return Some(case.id_span);
        }
        for (citation, read) in case.citations.iter().zip(&read.citations) {
            if !reads_as_meant(mode, citation, read, wanted.get(&citation.span).copied()) {
                return Some(citation.span);
            }
        }
    }
    afters.next().map(|case: &Case| before.cases.last().map_or(case.id_span, |last| last.id_span))
}

fn reads_as_meant(mode: config::PinPlace, before: &Citation, after: &Citation, wanted: Option<&Respelling>) -> bool {
    let kinds = |citation: &Citation| citation.pins.iter().map(|pin| pin.kind.clone()).collect::<Vec<_>>();
    let (text, pins) = match wanted {
        None => (&before.text, kinds(before)),
        Some(Respelling { text, pin: NewPin::Keep, .. }) => (text, kinds(before)),
        Some(Respelling { text, pin: NewPin::Set(fingerprint), .. }) => {
            let digits = fingerprint.trim_start_matches("c1-").to_owned();
            let count = match (before.pins.len(), mode) {
                (0, config::PinPlace::Inline) => 1,
                (count, config::PinPlace::Inline | config::PinPlace::File) => count,
            };
            (text, vec![PinKind::Fingerprint(digits); count])
        }
    };
    let titled = |citation: &Citation| citation.title.as_ref().map(|title| title.text.clone());
    let title = wanted.and_then(|wanted| wanted.title.clone()).or_else(|| titled(before));
    after.text == *text && kinds(after) == pins && titled(after) == title
}

/// A scalar that several citations share is edited once, so all of them must want the same.
///
/// A pin may be added to one that others share if they have no finding: they are as fresh with it as without.
fn refuse_shared(ground: Ground<'_>, checked: &Checked, respellings: &[Respelling]) -> Result<(), Error> {
    let mut wanted: BTreeMap<Span, &Respelling> = BTreeMap::new();
    let keys: BTreeSet<(&str, Span)> = respellings.iter().map(|it| (it.case.0.as_str(), it.citation.span)).collect();
    let troubled: BTreeSet<(&str, Span)> = checked.remedies.iter().map(Remedy::key).collect();
    for respelling in respellings.iter().filter(|it| !leaves_scalar(ground.config.pins, it)) {
        let first = wanted.entry(respelling.citation.span).or_insert(respelling);
        let said = |it: &Respelling| (it.text.clone(), it.title.clone(), it.pin.clone());
        if said(first) != said(respelling) {
            return Err(shared(ground, &respelling.citation, &first.case, &respelling.case));
        }
    }
    for case in checked.after.cases.iter().flat_map(|file| &file.cases) {
        for citation in &case.citations {
            if let Some(respelling) = wanted.get(&citation.span)
                && !keys.contains(&(case.id.0.as_str(), citation.span))
                && (respelling.text != citation.text || troubled.contains(&(case.id.0.as_str(), citation.span)))
            {
                return Err(shared(ground, citation, &respelling.case, &case.id));
            }
        }
    }
    Ok(())
}

/// The pins file has one line for a case and what it cites, and what that section reads whole and by itself are two texts.
fn refuse_both_scopes(ground: Ground<'_>, checked: &Checked, respellings: &[Respelling]) -> Result<(), Error> {
    let in_file = |it: &&Respelling| {
        ground.config.pins == config::PinPlace::File && it.citation.pins.is_empty() && it.pin != NewPin::Keep
    };
    let cases = || checked.after.cases.iter().flat_map(|file| &file.cases);
    for Respelling { case, citation, text, .. } in respellings.iter().filter(in_file) {
        let is_other = |it: &Citation| it.text == *text && it.pins.is_empty() && it.scope != citation.scope;
        if cases().any(|it| it.id == *case && it.citations.iter().any(is_other)) {
            let path = ground.pins_path;
            let message =
                format!("`{}` cites `{text}` whole and with `scope: own`; `{path}` has one line for both", case.0);
            return Err(Error::new(Kind::Io, message).hint("nothing was written; take one of the two citations out"));
        }
    }
    Ok(())
}

/// Whether the respelling changes the pins file only.
fn leaves_scalar(mode: config::PinPlace, respelling: &Respelling) -> bool {
    let Respelling { citation, text, pin, .. } = respelling;
    let no_pin = *pin == NewPin::Keep || (mode == config::PinPlace::File && citation.pins.is_empty());
    *text == citation.text && no_pin
}

fn shared(ground: Ground<'_>, citation: &Citation, one: &CaseId, other: &CaseId) -> Error {
    let defined = place(ground.sources, citation.span);
    let used = citation.alias.map_or_else(|| defined.clone(), |alias| place(ground.sources, alias));
    let message = format!(
        "the citation at {defined} is shared through an alias at {used}: `{}` and `{}` need different ones",
        one.0, other.0
    );
    Error::new(Kind::Io, message).hint("nothing was written; give each case a citation of its own, or name both cases")
}

fn pins_rewrite(ground: Ground<'_>, file: &PinsFile, edits: &mut [PinEdit]) -> Result<Option<Rewrite>, Error> {
    if edits.is_empty() {
        return Ok(None);
    }
    // Removals first: another case's new citation may be the one that this case had.
    edits.sort_by_key(|edit| matches!(edit, PinEdit::Set { .. }));
    let path = ground.pins_path.clone();
    let before = file.exists.then(|| ground.sources.get(file.source).text.to_string());
    if file.pins.is_conflicted() {
        let error = Error::new(Kind::Io, format!("`{path}` has conflict markers of a merge"));
        return Err(error.hint("resolve the conflict first; nothing was written"));
    }
    if let Some((case, citation)) = twice(edits) {
        let message = format!("`{}` would cite `{citation}` twice; `{path}` has one line for both", case.0);
        return Err(Error::new(Kind::Io, message).hint("nothing was written; take one of the two citations out"));
    }
    let Some(after) = pins::rewritten(file.source, before.as_deref().unwrap_or(""), &file.pins, edits) else {
        let error =
            Error::new(Kind::Io, format!("`{path}` cannot be rewritten: read again, it would say something else"));
        return Err(error.hint("nothing was written; the file must be a list with one pin a line"));
    };
    Ok((before.as_deref() != Some(&after)).then_some(Rewrite { path, before, after }))
}

/// A citation that is to be pinned to two texts.
fn twice(edits: &[PinEdit]) -> Option<(&CaseId, &str)> {
    let mut pinned = BTreeMap::new();
    edits.iter().find_map(|edit| match edit {
        PinEdit::Set { case, citation, fingerprint } => {
            let first = *pinned.entry((case, citation)).or_insert(fingerprint);
            (first != fingerprint).then_some((case, citation.as_str()))
        }
        PinEdit::Remove { .. } => None,
    })
}

fn is_inside(pin: &Pin, citation: &Citation) -> bool {
    citation.span.start <= pin.span.start && pin.span.end <= citation.span.end
}

/// `cases.yaml:12:9`.
pub(crate) fn place(sources: &Sources, span: Span) -> String {
    let at = sources.line_column(span.source, span.start);
    format!("{}:{}:{}", sources.get(span.source).path, at.line, at.column)
}
