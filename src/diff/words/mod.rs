//! What words mean for an obligation, as far as lists can tell: strengths, negations, quantities, comparisons,
//! conditions, opposites. The lists are data, one file a language; how words are found in a text is `token`'s.

mod common;
mod language;
mod lexicon;
mod lexicons;
mod list;
mod phrase;
mod sense;
mod spelling;
#[cfg(test)]
mod tests;

pub(crate) use common::{
    is_abbreviation, is_currency, is_lettered, is_month, is_reference, is_version, unit, unit_of_rate,
};
pub(crate) use language::Language;
pub(crate) use lexicon::{ExtraWords, Lexicon};
pub(crate) use lexicons::Lexicons;
pub(crate) use sense::{Condition, Quantifier, Sense, Strength};
