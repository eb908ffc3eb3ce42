//! Every number that decides something in the diff, with its reason. Nothing else in `diff` holds a bare threshold.
//!
//! The start values are the published ones; where evidence from labelled revisions moved one, its comment
//! says so.

/// Words in a shingle. Three is the usual choice for near-duplicate text: two match by chance, four break at every edit.
pub(super) const SHINGLE: usize = 3;

/// Below this many words a text has too few shingles to compare by them: one edit would remove half. Words are compared
/// instead.
pub(super) const SHORT: usize = 24;

/// A body of fewer words ("None.", "TBD", "See the general conditions.") can't identify a section: title or parent must
/// agree too.
pub(super) const WEIGHTY: usize = 8;

/// From this similarity on, a section under the same id is the same section, edited.
pub(super) const SAME_ID: f64 = 0.5;

/// From this similarity on, a section under another id is the same section.
pub(super) const OTHER_ID: f64 = 0.6;

/// As [`OTHER_ID`], where the titles agree too.
pub(super) const OTHER_ID_SAME_TITLE: f64 = 0.4;

/// As [`OTHER_ID`], where the parents and a neighbour are the same and only numbers differ in the titles.
pub(super) const OTHER_ID_SAME_NEIGHBOURS: f64 = 0.3;

/// How far a pair must be ahead of every other pair of its two sections to be clear without a second witness.
pub(super) const CLEAR: f64 = 0.15;

/// How much of the shorter text must stand in the longer one for a section that was cut down, or that grew.
pub(super) const CUT_DOWN: f64 = 0.7;

/// Titles that share this much of their words agree.
pub(super) const TITLE: f64 = 0.6;

/// From this similarity on, a candidate is worth telling when no better one was found.
pub(super) const CANDIDATE: f64 = 0.4;

/// Candidates told for a section that was lost, at most.
pub(super) const CANDIDATES_TOLD: usize = 3;

/// How much of a new section must come from an old one to be a part of it (or the reverse, for a merge).
pub(super) const PART: f64 = 0.5;

/// How much of the whole a part must hold: a short section that shares common words with a big one is no part of it.
pub(super) const PART_OF_WHOLE: f64 = 0.1;

/// How much of the whole the parts must hold together.
pub(super) const WHOLE: f64 = 0.6;

/// A shingle that occurs in more sections than this says nothing about where a section went.
pub(super) const COMMON_SHINGLE: usize = 24;

/// From this share of equal words on, two fragments are one that changed.
pub(super) const SAME_FRAGMENT: f64 = 0.4;

/// As [`SAME_FRAGMENT`], where one fragment went and one came between the same neighbours.
pub(super) const SAME_FRAGMENT_ALONE: f64 = 0.15;

/// The share of tokens from which on a rewording counts as substantive.
pub(super) const EXTENT: f64 = 0.15;

/// Words in a row that were cut in one place of a text and pasted in another, from which on this is a move: shorter
/// ones ("5 ms") swap places with a meaning.
pub(super) const MOVED_PHRASE: usize = 4;

/// How much of a sentence must be gone for the sentence to be gone.
pub(super) const SENTENCE: f64 = 0.8;

/// Words beside stop words that a sentence needs to state something.
pub(super) const STATEMENT_WORDS: usize = 2;

/// The share of a sentence's content words from which on it says something else, whatever the size of its section.
pub(super) const SENTENCE_EXTENT: f64 = 0.5;

/// Words in a row that stand elsewhere in the section already: putting them in again (or taking one of two away) changes
/// nothing that is said.
pub(super) const REPEATED_PHRASE: usize = 4;

/// Words gone and come together from which on a replacement in a sentence that obliges changes what it applies to.
pub(super) const SCOPE_WORDS: usize = 3;

/// Words beside a version or a date from which on a sentence states it: fewer say when something came, or how old it is.
pub(super) const STAMPED_WORDS: usize = 3;

/// Hyphens from which on the words they join are a name, as `user-db-primary`: one joins any compound.
pub(super) const NAME_JOINTS: usize = 2;

/// Words gone or come from which on another scope is told of a sentence that says what will be done.
pub(super) const PROMISE_WORDS: usize = 2;

/// Words beside a link that say no more than that it is there.
pub(super) const POINTER_WORDS: usize = 2;

/// Words from which on the text of a link is a title, not a word of its sentence.
pub(super) const TITLE_WORDS: usize = 3;

/// Words that the label of a button, a menu or a switch has at most.
pub(super) const LABEL_WORDS: usize = 8;

/// As [`MOVED_PHRASE`], where the words are a whole sentence.
pub(super) const MOVED_SENTENCE: usize = 2;

/// Words before times words after that are compared letter by letter: two hundred of each. Where more were replaced at
/// once, a form of a word or a slip makes no difference.
pub(super) const COMPARED_WORDS: usize = 40_000;

/// Bytes of differing text of one section, before and after together, that are compared by words: two thousand pages.
pub(super) const LONGEST: usize = 4_000_000;

/// Words that a text is recognized by, the first ones: more than any book has. Beyond, only memory would grow.
pub(super) const MOST_WORDS: usize = 1_000_000;

/// How far the words that initials stand for reach back from them, in tokens.
pub(super) const MOST_INITIALS: usize = 16;
