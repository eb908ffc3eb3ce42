//! The format of the word lists.
//!
//! `[section]` or `[section name]` opens a section; below it stand entries separated by commas, over as many lines as
//! it takes. Where a section relates words, a line is `canonical = spelling, spelling`. A `#` at a line's start opens
//! a comment. Case, full-width forms and the kind of apostrophe do not matter, but for unit symbols.
//!
//! | section | entries |
//! |---|---|
//! | `modality NAME` | words of one obligation; what a negation makes of them goes by NAME (`sense.rs`) |
//! | `negation`, `negation particle` | words that negate; particles form one obligation with a modality beside them |
//! | `negation prefix` | what turns a word into its opposite |
//! | `complement` | `word = word` that says what a negation beside the first says, and nothing else |
//! | `quantifier NAME`, `comparator NAME`, `condition NAME` | words and phrases that mean the same |
//! | `comparator NAME before-number` | those that only mean it before a number |
//! | `neutral` | phrases that contain such words and mean none of it |
//! | `number` | `value = word` |
//! | `antonym` | `word = opposite, opposite` |
//! | `class NAME` | words each of which is another one's opposite |
//! | `same` | `phrase = phrase`: no difference to a reader |
//! | `inflection` | `word = form, form` that no ending tells |
//! | `ending` | `plain = ending` of inflected forms; `-` is nothing |
//! | `misspelling` | `word = word`: corrected, although both are words |
//! | `distinct` | words that differ by a letter or two from another one |
//! | `filler`, `stop` | may come and go; carry no content |
//! | `conjunction` | what joins alternatives |
//! | `editorial line`, `editorial title` | openings of lines, and titles of sections, about the document itself |
//! | `editorial title pending` | titles of sections that say what is still to be written |
//! | `editorial date`, `editorial status` | what stands before a date of the document itself; lines that say how far it got |
//! | `document` | two words that a document calls itself by |
//! | `note` | labels of text that informs and requires nothing by itself |
//! | `mapping` | how labels open or end of lines that name the same thing elsewhere |
//! | `example` | openings of sentences that give an example |
//! | `example clause`, `reason clause` | what examples, or a reason, follow within a sentence |
//! | `pointer`, `pointer opening` | what stands before a link that a reader shall follow, how such sentences open |
//! | `promise` | words by which a sentence says what will be done |
//! | `agent` | words before the one who acts, in the passive |
//! | `article` | words that stand before the name of a thing |
//! | `pronoun` | words that stand for one said before |
//! | `reason` | labels of text that says why something is required |
//! | `placeholder`, `placeholder pending` | what fills a place where nothing is said; behind a label too where it is pending |
//! | `homonym` | English words that are something else in this language |
//! | `unit`, `currency`, `month`, `reference`, `version`, `rate`, `abbreviation` | spellings, for every language (`common.rs`) |

/// One entry of a list: its section with the section's name, and for `canonical = spelling` the canonical form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'f> {
    pub(super) section: &'f str,
    pub(super) name: &'f str,
    pub(super) canonical: &'f str,
    pub(super) spelling: &'f str,
}

/// The entries of a list in order.
pub(super) fn entries(file: &str) -> Vec<Entry<'_>> {
    let mut entries = Vec::new();
    let (mut section, mut name) = ("", "");
    for line in file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            (section, name) = header.split_once(' ').unwrap_or((header, ""));
            continue;
        }
        let (canonical, spellings) = line.split_once(" = ").unwrap_or(("", line));
        for spelling in spellings.split(',').map(str::trim).filter(|spelling| !spelling.is_empty()) {
            entries.push(Entry { section, name, canonical, spelling });
        }
    }
    entries
}
