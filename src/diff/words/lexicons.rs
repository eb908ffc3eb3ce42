//! The word lists of a run: those of every language with the words of the configuration, and which language each text is
//! in. What is in a list is [`Lexicon`]'s.

use std::collections::HashMap;
use std::sync::{OnceLock, PoisonError, RwLock};

use super::{ExtraWords, Language, Lexicon};
use crate::manual::{Document, FragmentKind};
use crate::source::SourceId;

/// The lists of every language, and the language of every text. For one run: a text is known by its place among the
/// sources.
#[derive(Debug, Default)]
pub(crate) struct Lexicons {
    extra: Option<ExtraWords>,
    extended: [OnceLock<Lexicon>; 7],
    languages: RwLock<HashMap<SourceId, Language>>,
}

/// Blocks of a document that its language is guessed from.
const SAMPLE: usize = 200;

impl Lexicons {
    pub(crate) fn new(extra: ExtraWords) -> Self {
        let is_empty = extra.modality.is_empty()
            && extra.negation.is_empty()
            && extra.quantifier.is_empty()
            && extra.filler.is_empty();
        Self { extra: (!is_empty).then_some(extra), ..Self::default() }
    }

    pub(crate) fn of(&self, language: Language) -> &Lexicon {
        match &self.extra {
            None => Lexicon::of(language),
            Some(extra) => self.extended[language as usize].get_or_init(|| Lexicon::of(language).with(extra)),
        }
    }

    /// The language of a document, guessed from its prose the first time it is asked for.
    pub(crate) fn language(&self, document: &Document) -> Language {
        let known = |languages: &HashMap<SourceId, Language>| languages.get(&document.source).copied();
        if let Some(language) = known(&self.languages.read().unwrap_or_else(PoisonError::into_inner)) {
            return language;
        }
        let prose = document.sections.iter().flat_map(|section| &section.fragments);
        let prose = prose.filter(|fragment| fragment.kind != FragmentKind::Code).map(|fragment| &*fragment.text);
        let language = Language::guess(prose.take(SAMPLE));
        self.languages.write().unwrap_or_else(PoisonError::into_inner).insert(document.source, language);
        language
    }
}
