//! The cases: YAML text to cases with the exact place of every id and citation, and edits spliced back into the text.
//! Does not know what a citation resolves to, and reads no files.
//!
//! - From text to cases: `tree.rs` has the nodes with their places, `syntax.rs` tells why there are none, `expand.rs`
//!   looks through aliases and merge keys, `parse.rs` finds the cases by the keys of `shape.rs`, `citation.rs` and
//!   `mention.rs` what they cite, `content.rs` hashes what they say, `keys.rs` checks their keys, `slips.rs` sees what was
//!   probably meant.
//! - Back into the text: `splice.rs` replaces citations and whole scalars, `insert.rs` adds a key; `encode.rs` writes
//!   scalars, `offsets.rs` knows where their text stands.
//! - For others: `records.rs` reads the pins file, `fields.rs` any mapping, `identified.rs` those with an id, `taxonomy.rs`
//!   has the categories.

mod citation;
mod content;
mod encode;
mod expand;
mod fields;
mod identified;
#[cfg(feature = "ai")]
mod insert;
mod keys;
mod mention;
mod offsets;
mod parse;
mod records;
mod shape;
mod slips;
mod splice;
mod syntax;
mod taxonomy;
#[cfg(test)]
mod tests;
mod tree;

use crate::source::{SourceId, Span};

pub(crate) use citation::is_key_of_citation;
pub(crate) use encode::in_flow;
pub(crate) use fields::{Field, Mapping, cited, mappings};
pub(crate) use identified::{Identified, Misspelt, identified};
#[cfg(feature = "ai")]
pub(crate) use insert::{Slot, insert, slots};
pub(crate) use mention::only_fingerprint;
pub(crate) use parse::parse;
pub(crate) use records::{Record, records};
pub(crate) use shape::Shape;
pub(crate) use splice::{Edit, splice};
pub(crate) use syntax::{quoted, why_no_yaml};
pub(crate) use taxonomy::{Taxonomy, is_same_word};

/// The id of a case, unique in the repository.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CaseId(pub(crate) String);

/// One case file.
#[derive(Clone, Debug)]
pub(crate) struct CaseFile {
    pub(crate) source: SourceId,
    /// In the order in which they start; a case inside another behind it.
    pub(crate) cases: Vec<Case>,
    /// Comments that speak to citecheck, as `# citecheck: …`: the text behind the colon, and the whole comment's place.
    pub(crate) comments: Vec<Spanned>,
    /// In the order in which they stand.
    pub(crate) doubts: Vec<Doubt>,
    /// Where there is no case, the mappings that have an id and nearly a citation key.
    pub(crate) strays: Vec<Identified>,
}

/// What may be a slip of the keyboard, or somebody's own. Who knows the manual can tell: it is one if there are `names` and
/// all of them are those of sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Doubt {
    pub(crate) problem: Problem,
    pub(crate) names: Vec<String>,
}

/// A YAML mapping with a citation key.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) id: CaseId,
    /// Where the id stands: the key or the scalar, without quotes.
    pub(crate) id_span: Span,
    /// Whether the id's scalar is itself a citation, as where a plan lists sections by their ids. Such ids may repeat.
    pub(crate) cited_id: bool,
    /// Which of the cases with this id in its file it is, from 0.
    pub(crate) ordinal: usize,
    /// The whole mapping.
    pub(crate) span: Span,
    pub(crate) citations: Vec<Citation>,
    /// What the case says of itself, where it does.
    pub(crate) title: Option<Spanned>,
    pub(crate) status: Option<Spanned>,
    pub(crate) category: Option<Spanned>,
    /// SHA-256 of the case's content but for the spelling of its citations, the titles beside them, and its category: keys,
    /// values and order of sequences; comments, layout, quoting and the order of keys have no part in it. Two cases with
    /// equal content read the same.
    pub(crate) content: [u8; 32],
}

/// One entry of a case's citation list.
#[derive(Clone, Debug)]
pub(crate) struct Citation {
    /// What is cited, without its pin: a section's id, path, title, file, anchor, number or address.
    /// For a Markdown link its target.
    pub(crate) text: String,
    /// Exactly the source of `text`, pin included.
    pub(crate) span: Span,
    /// The scalar that holds it, with quotes or block header.
    pub(crate) scalar: Span,
    /// Where an alias brought the scalar in, if one did.
    pub(crate) alias: Option<Span>,
    pub(crate) pins: Vec<Pin>,
    pub(crate) quote: Option<Spanned>,
    /// The heading that the author saw.
    pub(crate) title: Option<Spanned>,
    /// Whether the title is written beside the citation, and not brought in by an alias of its own.
    pub(crate) has_own_title: bool,
    pub(crate) scope: Scope,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spanned {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A review point written into a citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pin {
    pub(crate) kind: PinKind,
    pub(crate) span: Span,
    /// In the map form the key that it stands under.
    pub(crate) key: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PinKind {
    /// A git revision: tag, branch or commit id.
    Revision(String),
    /// `c1-` and at least 16 hexadecimal digits of the SHA-256 of canonical form 1; the digits.
    Fingerprint(String),
}

impl PinKind {
    /// As it is written behind the `@`.
    pub(crate) fn spelled(&self) -> String {
        match self {
            PinKind::Revision(revision) => revision.clone(),
            PinKind::Fingerprint(digits) => format!("c1-{digits}"),
        }
    }
}

/// How much of the cited section a case depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Scope {
    /// The section's own body and its subsections.
    #[default]
    Whole,
    /// The own body only.
    Own,
}

/// What is wrong with a case file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// Not YAML: the parser's words and where it stopped.
    Yaml { message: String, span: Span },
    /// YAML, but not a case that can be checked: what is wrong, and where.
    Case { message: String, span: Span },
    /// The same key twice in one mapping.
    DuplicateKey { key: String, first: Span, second: Span },
}

impl Problem {
    /// Where it is; of a repeated key the second place.
    pub(crate) fn span(&self) -> Span {
        match self {
            Problem::Yaml { span, .. } | Problem::Case { span, .. } | Problem::DuplicateKey { second: span, .. } => {
                *span
            }
        }
    }
}
