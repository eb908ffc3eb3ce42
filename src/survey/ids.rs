//! Which marks of the manual give ids to blocks: `r[…]`, `**REQ-12**`, `- 4b1)` and the like. Finds marks at the starts
//! of blocks and keeps those that cases cite, or that are too many and too different to be chance.

use std::collections::{BTreeMap, BTreeSet};

use regex::Regex;

use super::manuals::Manuals;
use super::{CaseText, Doubt, Ground, Text, evidence, likeness};

/// So many marks with nothing that cites them are no chance, if their ids differ.
const MANY: usize = 8;
/// More, where a mark is no more than a word at the start of a sentence.
const VERY_MANY: usize = 20;
/// As many cited ids show that marks are meant to be cited.
const CITED: usize = 2;
/// Of so many marks at least, in percent, the ids must differ.
const DIFFERENT: usize = 90;

/// A pattern for the ids of blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct IdPattern {
    pub(crate) pattern: String,
    /// Blocks with such an id in the manual.
    pub(crate) blocks: usize,
    /// How many of the ids a case cites.
    pub(crate) cited: usize,
    pub(crate) example: String,
    /// An id that stands twice in one file.
    pub(crate) repeated: Option<String>,
}

/// One way to mark a block.
struct Style {
    /// Finds the id in its last group; with a group `word`, what stands before it.
    regex: Regex,
    /// Pattern around `{id}`, which stands for the ids' own pattern, and `{word}`.
    template: &'static str,
    trust: Trust,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trust {
    /// Nobody writes this but to mark a block.
    Mark,
    /// May be a word that starts a sentence.
    Word,
    /// Only if it is cited.
    Cited,
}

/// The ways to mark a block, the more special before the more general.
const STYLES: &[(&str, &str, Trust)] = &[
    (r"^(?P<word>[A-Za-z]{1,12})\[([^\]\s]+)\]\s*$", r"^{word}\[(?P<id>[^\]]+)\]", Trust::Mark),
    (r"^\*\*([^*\s]*[^*\s:])\*\*", r"^\*\*(?P<id>{id})\*\*", Trust::Mark),
    (r"^\*\*([^*\s]*[^*\s:]):\*\*", r"^\*\*(?P<id>{id}):\*\*", Trust::Mark),
    (r"^\[([^\]\s]+)\](?:\s|$)", r"^\[(?P<id>{id})\]", Trust::Mark),
    (r"^`([^`\s]+)`(?:[\s:]|$)", r"^`(?P<id>{id})`", Trust::Cited),
    (r"^(\d{1,3}[a-z](?:\d{1,2}[a-z]?)?)\)(?:\s|$)", r"^(?P<id>\d+[a-z](?:\d+[a-z]?)?)\)", Trust::Mark),
    (r"^([\w][\w./-]*\w)[:.)]?(?:\s|$)", r"^(?P<id>{id})[:.)]?(?:\s|$)", Trust::Word),
    (r"^\*\*([^*]{3,60}?)[.:]?\*\*", r"^\*\*(?P<id>[^*]+?)[.:]?\*\*", Trust::Cited),
];

fn styles() -> Vec<Style> {
    let style = |(regex, template, trust): &(&str, &'static str, Trust)| Style {
        regex: Regex::new(regex).expect("the pattern is a constant"),
        template,
        trust: *trust,
    };
    STYLES.iter().map(style).collect()
}

/// Finds the patterns that the pages use.
pub(super) fn find(pages: &[Text], files: &[CaseText<'_>]) -> Vec<IdPattern> {
    let cited = evidence::words(files);
    let mut found: BTreeMap<(usize, String), Vec<String>> = BTreeMap::new();
    let mut headings: BTreeSet<String> = BTreeSet::new();
    let styles = styles();
    for start in pages.iter().flat_map(|page| starts(&page.text)) {
        if start.is_heading {
            headings.insert(start.text.to_owned());
        }
        let marks = styles.iter().enumerate().filter_map(|(at, style)| Some((at, style.mark(start.text)?)));
        if let Some((at, (word, id))) = marks.into_iter().next() {
            found.entry((at, word.to_owned())).or_default().push(id.to_owned());
        }
    }
    // What is a heading can be cited already, and what one style marks others only mention.
    let mut known = headings;
    let mut patterns = Vec::new();
    for ((at, word), mut marks) in found {
        marks.retain(|id| !known.contains(id));
        if let Some(pattern) = styles[at].pattern(&word, &marks, &|id| cited.contains(id)) {
            known.extend(marks);
            patterns.push(pattern);
        }
    }
    patterns
}

/// The patterns as they are configured.
pub(super) fn regexes(patterns: &[IdPattern]) -> Vec<Regex> {
    patterns.iter().filter_map(|it| Regex::new(&it.pattern).ok()).collect()
}

/// The patterns that something in the manual matches, with the count of what is there.
pub(super) fn within(patterns: Vec<IdPattern>, ground: &Ground<'_>, manuals: &Manuals) -> Vec<IdPattern> {
    let pages: Vec<&Text> = ground.pages.iter().filter(|page| manuals.has(&page.path)).collect();
    let mut kept = Vec::new();
    for (regex, pattern) in regexes(&patterns).into_iter().zip(patterns) {
        let mut blocks = 0;
        let mut repeated = None;
        for page in &pages {
            let mut ids = BTreeSet::new();
            for id in starts(&page.text).filter_map(|start| Some(regex.captures(start.text)?["id"].to_owned())) {
                blocks += 1;
                if !ids.insert(id.clone()) {
                    repeated.get_or_insert(id);
                }
            }
        }
        if blocks > 0 {
            kept.push(IdPattern { blocks, repeated, ..pattern });
        }
    }
    kept
}

pub(super) fn repeated(patterns: &[IdPattern]) -> Vec<Doubt> {
    let doubt =
        |it: &IdPattern| Some(Doubt::RepeatedIds { pattern: it.pattern.clone(), example: it.repeated.clone()? });
    patterns.iter().filter_map(doubt).collect()
}

impl Style {
    /// The word before the id, and the id.
    fn mark<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let found = self.regex.captures(text)?;
        let word = found.name("word").map_or("", |word| word.as_str());
        let id = found.iter().skip(1).flatten().map(|group| group.as_str()).last()?;
        let is_id = match self.trust {
            // A word in brackets, or a number with a letter, needs nothing more.
            Trust::Mark if !word.is_empty() || !self.template.contains("{id}") => true,
            Trust::Mark | Trust::Word => likeness::is_identifier(id) || is_dotted(id) && self.trust == Trust::Mark,
            // A label of several words, or an id; any other word is cited by chance.
            Trust::Cited => likeness::is_identifier(id) || id.contains(char::is_whitespace) || is_compound_name(id),
        };
        is_id.then_some((word, id))
    }

    /// The pattern for the marks of this style, if they are no chance.
    fn pattern(&self, word: &str, marks: &[String], is_cited: &dyn Fn(&str) -> bool) -> Option<IdPattern> {
        let marks = self.of_one_kind(marks, is_cited);
        let ids: BTreeSet<&str> = marks.iter().map(|id| id.as_str()).collect();
        let cited: BTreeSet<&str> = ids.iter().copied().filter(|id| is_cited(id)).collect();
        let is_different = ids.len() * 100 >= marks.len() * DIFFERENT;
        let is_meant = match self.trust {
            Trust::Mark => cited.len() >= CITED || marks.len() >= MANY && is_different,
            Trust::Word => cited.len() >= CITED || marks.len() >= VERY_MANY && is_different,
            Trust::Cited => cited.len() >= CITED,
        };
        if !is_meant {
            return None;
        }
        let alike = likeness::pattern(ids.iter().copied());
        let pattern = self.template.replace("{word}", word).replace("{id}", &alike);
        likeness::compiled(&pattern)?;
        let example = cited.first().or(ids.first()).map(|id| (*id).to_owned())?;
        Some(IdPattern { pattern, blocks: marks.len(), cited: cited.len(), example, repeated: None })
    }

    /// Without the marks that start like no cited one and like few others: `UTF-8` among many `REQ-12`.
    fn of_one_kind<'m>(&self, marks: &'m [String], is_cited: &dyn Fn(&str) -> bool) -> Vec<&'m String> {
        if !self.template.contains("{id}") {
            return marks.iter().collect();
        }
        let stem = |id: &String| id.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default().to_owned();
        let mut stems: BTreeMap<String, (usize, bool)> = BTreeMap::new();
        for mark in marks {
            let (count, cited) = stems.entry(stem(mark)).or_default();
            *count += 1;
            *cited = *cited || is_cited(mark);
        }
        let any_cited = stems.values().any(|(_, cited)| *cited);
        let least = if self.trust == Trust::Word { MANY } else { CITED };
        let fits = |mark: &&String| {
            let (count, cited) = stems[&stem(mark)];
            cited || !(any_cited && self.trust != Trust::Mark) && count >= least && self.trust != Trust::Cited
        };
        marks.iter().filter(fits).collect()
    }
}

/// `Cut-off`, and not `Warning` or `dry-run`.
fn is_compound_name(id: &str) -> bool {
    id.starts_with(char::is_uppercase) && id.contains('-')
}

/// `safety.power.loss`: words of letters joined by dots.
fn is_dotted(id: &str) -> bool {
    let words: Vec<&str> = id.split('.').collect();
    words.len() >= 2
        && words.iter().all(|word| word.len() >= 2 && word.chars().all(|it| it.is_alphanumeric() || "-_".contains(it)))
}

/// The first line of a block, without the marks of headings, lists and quotes.
#[derive(Clone, Copy, Debug)]
struct Start<'t> {
    text: &'t str,
    is_heading: bool,
}

/// The starts of the blocks of a Markdown text, code aside. A quick look: what is exactly a block the parser says.
fn starts(text: &str) -> impl Iterator<Item = Start<'_>> {
    let mut fence: Option<&str> = None;
    let mut continues = false;
    text.lines().filter_map(move |line| {
        let trimmed = line.trim();
        if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| trimmed.starts_with(mark)) {
            fence = match fence {
                Some(open) if open == mark => None,
                None => Some(mark),
                open @ Some(_) => open,
            };
            continues = false;
            return None;
        }
        let text = trimmed.trim_start_matches(['>', ' ']);
        let item = unlisted(text);
        let heading =
            text.strip_prefix('#').map(|rest| rest.trim_start_matches('#')).filter(|rest| rest.starts_with(' '));
        let starts_block = fence.is_none() && !text.is_empty() && (!continues || item.is_some() || heading.is_some());
        continues = !text.is_empty() && heading.is_none();
        let is_heading = heading.is_some();
        let inner = heading.or(item).unwrap_or(text).trim();
        (starts_block && !inner.is_empty()).then_some(Start { text: inner, is_heading })
    })
}

/// The text of a list item.
fn unlisted(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix(['-', '*', '+']) {
        return rest.strip_prefix(' ').map(str::trim_start);
    }
    let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
    if rest.len() == text.len() {
        return None;
    }
    rest.strip_prefix(['.', ')']).and_then(|rest| rest.strip_prefix(' ')).map(str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::RepoPath;

    /// The patterns found in a page while a case cites `cites`, with how many blocks.
    #[track_caller]
    fn check(page: &str, cites: &[&str], expected: &[(&str, usize)]) {
        let page = Text { path: RepoPath::new("docs/m.md"), text: page.to_owned() };
        let yaml = Text { path: RepoPath::new("t.yaml"), text: format!("{{a: [{}]}}", cites.join(", ")) };
        let found = find(std::slice::from_ref(&page), &[CaseText::of(&yaml)]);
        let found: Vec<(&str, usize)> = found.iter().map(|it| (it.pattern.as_str(), it.blocks)).collect();
        assert_eq!(found, expected, "{}", page.text);
    }

    fn many(line: impl Fn(usize) -> String) -> String {
        (1..=24).map(|at| line(at) + "\n\n").collect()
    }

    #[test]
    fn marks_of_each_style_are_found() {
        check(&many(|at| format!("r[items.x{at}]\nText.")), &[], &[(r"^r\[(?P<id>[^\]]+)\]", 24)]);
        check(&many(|at| format!("**REQ-{at}**: Text.")), &[], &[(r"^\*\*(?P<id>REQ-\d+)\*\*", 24)]);
        check(&many(|at| format!("**REQ-{at}:** Text.")), &[], &[(r"^\*\*(?P<id>REQ-\d+):\*\*", 24)]);
        check(&many(|at| format!("[SYS-{at}] Text.")), &[], &[(r"^\[(?P<id>SYS-\d+)\]", 24)]);
        check(&many(|at| format!("- 4b{at}) Text.")), &[], &[(r"^(?P<id>\d+[a-z](?:\d+[a-z]?)?)\)", 24)]);
        check(&many(|at| format!("REQ-{at}: Text.")), &[], &[(r"^(?P<id>REQ-\d+)[:.)]?(?:\s|$)", 24)]);
        check(&many(|at| format!("## REQ-{at}: Title")), &[], &[(r"^(?P<id>REQ-\d+)[:.)]?(?:\s|$)", 24)]);
    }

    #[test]
    fn what_is_cited_needs_no_crowd() {
        let page = "**REQ-1**: a\n\n**REQ-2**: b\n\n**Note**: c\n\n`mode-1` d\n\n`mode-2` e\n";
        check(page, &[], &[]);
        check(page, &["REQ-1", "REQ-2"], &[(r"^\*\*(?P<id>REQ-\d+)\*\*", 2)]);
        check(page, &["mode-1", "mode-2"], &[(r"^`(?P<id>mode-\d+)`", 2)]);
        let labels = "**Cut-off.** a\n\n**Line pressure.** b\n";
        check(labels, &["Cut-off", "Line pressure"], &[(r"^\*\*(?P<id>[^*]+?)[.:]?\*\*", 2)]);
    }

    #[test]
    fn what_is_no_mark_is_left_alone() {
        check(&many(|at| format!("## REQ-{at}")), &["REQ-1", "REQ-2"], &[]);
        check(&many(|at| format!("[a-{at}](b.md) and more")), &[], &[]);
        check(&many(|at| format!("```\n**REQ-{at}**\n```")), &[], &[]);
        check(&many(|at| format!("Text\n**REQ-{at}** is no start")), &[], &[]);
        check(&many(|_| "**Note**: the same".to_owned()), &[], &[]);
        check(&many(|_| "UTF-8 is used".to_owned()), &[], &[]);
    }
}
