//! What words mean for an obligation, as far as lists can tell: strengths, negations, quantities, comparisons, units.
//! The lists are data (`*.txt` beside this file, see `lexicon`); how words are found in a text is `token`.

mod lexicon;

pub(crate) use lexicon::{is_abbreviation, is_currency, is_lettered, is_month, is_reference, is_version, unit};

#[derive(Default)]
pub(crate) struct Lexicon;
impl Lexicon { pub(crate) fn new(_e: &()) -> Self { Self } }
