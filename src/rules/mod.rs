//! The rules: when something is told, how loud, and in which words. Facts come from below, and how a finding looks is
//! decided above.
//!
//! One file per rule, and beside them what rules share: the table of fates in `fate.rs`, words and places in
//! `describe.rs`, what a text changed by in `reason.rs`, changes and sections as plain facts in `facts.rs`, comments that
//! suppress in `suppression.rs`. Others ask about rules in `kinds.rs`, and what can be written into a citation in
//! `remedy.rs`.

mod describe;
pub(crate) mod facts;
mod fate;
mod kinds;
mod reason;
mod remedy;
mod suppression;

use std::collections::{BTreeMap, BTreeSet};

use crate::cases::{self, Case, CaseFile, Taxonomy};
use crate::diagnostic::{CommitFact, Diagnostic, Level, Rule};
use crate::impact::{Impact, Passage};
use crate::manual;
use crate::review::pins::{self, Pins};
use crate::review::{Basis, Review};
use crate::source::{RepoPath, Sources, Span};

pub(crate) use describe::shell_word;
pub(crate) use kinds::{
    is_about_category, is_about_text, is_fixable, is_history_missing, is_nowhere, is_review_unknown,
    is_settled_by_review, is_staleness, is_unread, levels,
};
pub(crate) use remedy::{Remedy, remedies};

/// Everything that a rule may look at.
pub(crate) struct Input<'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) citations: &'a [Examined<'a>],
    pub(crate) case_files: &'a [CaseFile],
    pub(crate) case_problems: &'a [cases::Problem],
    pub(crate) manual_problems: &'a [manual::Problem],
    /// Files that should be read and could not be: where, and why.
    pub(crate) unreadable: &'a [Unreadable],
    /// The pins that stand in no citation.
    pub(crate) pins: &'a Pins,
    pub(crate) pin_problems: &'a [pins::Problem],
    /// Whether each citation was followed from its last review, and not only from the start of a range: then what is not
    /// found is not there.
    pub(crate) is_complete: bool,
    /// Whether a revision is checked by itself, and not a range.
    pub(crate) is_whole_revision: bool,
    /// The manual of the checked revision.
    pub(crate) manual: &'a manual::Manual,
    /// The categories of cases, where they are looked at.
    pub(crate) taxonomy: Option<&'a Taxonomy>,
}

/// What the rules say.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Sorted by place and rule.
    pub(crate) findings: Vec<Diagnostic>,
    /// Those that a comment suppresses.
    pub(crate) suppressed: Vec<Diagnostic>,
}

/// One citation, followed from its review point to the checked revision.
pub(crate) struct Examined<'a> {
    pub(crate) passage: &'a Passage<'a>,
    pub(crate) impact: Impact<'a>,
    pub(crate) review: &'a Review,
    /// The review point as it is shown: a commit, a pin, the start of the range.
    pub(crate) reviewed_at: String,
    /// Whether what happened lies in the checked range.
    pub(crate) impacted: bool,
    /// Commits after the review point that changed the cited text, latest first.
    pub(crate) since: Vec<CommitFact>,
}

/// A file that could not be read as text.
#[derive(Clone, Debug)]
pub(crate) struct Unreadable {
    /// An empty place in an empty text of that path.
    pub(crate) span: Span,
    pub(crate) is_manual: bool,
    pub(crate) why: String,
}

/// Levels as configured: a rule without an entry keeps its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Policy {
    pub(crate) levels: BTreeMap<String, Option<Level>>,
    /// Levels of this run alone, by rule; they go before those of the configuration.
    pub(crate) given: BTreeMap<&'static str, Given>,
}

/// A level that a rule is given for one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    /// `None` is off.
    pub(crate) level: Option<Level>,
    /// What gives it, as it is told to people: an option.
    pub(crate) by: &'static str,
}

type Check = fn(&Input<'_>, &mut Vec<Diagnostic>);

macro_rules! rules {
    ($($name:ident)*; $last:ident) => {
        $(mod $name;)*
        mod $last;

        /// Every rule, by name.
        pub(crate) static RULES: &[&Rule] = &[$(&$name::RULE,)* &$last::RULE];

        static CHECKS: &[(&Rule, Check)] = &[$((&$name::RULE, $name::check)),*];
    };
}

rules! {
    ambiguous_citation
    duplicate_case_id
    duplicate_section_id
    history_missing
    invalid_case
    invalid_manual
    invalid_pins
    invalid_suppression
    invalid_yaml
    no_citations
    pin_conflict
    quote_missing
    section_lost
    section_merged
    section_mismatch
    section_moved
    section_removed
    section_split
    text_changed
    text_reworded
    uncovered_section
    unknown_category
    unknown_revision
    unknown_section
    unused_pin;
    // Judges what the others found.
    unused_suppression
}

/// All findings that no comment suppresses, at their configured level.
pub(crate) fn run(input: &Input<'_>, policy: &Policy) -> Told {
    let mut findings = Vec::new();
    for (rule, check) in CHECKS {
        policy.apply(rule, &mut findings, |findings| check(input, findings));
    }
    let suppression::Suppressed { kept: mut findings, taken, unused } = suppression::apply(input, findings);
    policy.apply(&unused_suppression::RULE, &mut findings, |findings| {
        unused_suppression::tell(input, &unused, findings);
    });
    let place = |finding: &Diagnostic| {
        let file = input.sources.get(finding.primary.span.source);
        (file.path.clone(), finding.primary.span.start, finding.rule.name, finding.message.clone())
    };
    findings.sort_by_cached_key(place);
    policy.say_where_from(&mut findings);
    Told { findings, suppressed: taken }
}

impl Policy {
    /// Adds the findings of a rule at its configured level, unless it is off.
    fn apply(&self, rule: &Rule, findings: &mut Vec<Diagnostic>, check: impl FnOnce(&mut Vec<Diagnostic>)) {
        let configured = self.configured(rule);
        let Some(level) = configured.unwrap_or(rule.level) else { return };
        let from = findings.len();
        check(findings);
        if configured.is_some() {
            findings[from..].iter_mut().for_each(|finding| finding.level = level);
        }
    }

    /// The level that a rule does not have by itself.
    fn configured(&self, rule: &Rule) -> Option<Option<Level>> {
        let given = self.given.get(rule.name).map(|given| given.level);
        given.or_else(|| self.levels.get(rule.name).copied())
    }

    /// Notes with the first finding of a rule that it has another level than by itself.
    fn say_where_from(&self, findings: &mut [Diagnostic]) {
        let mut said = BTreeSet::new();
        for finding in findings {
            let (rule, level) = (finding.rule, finding.level);
            if self.configured(rule).is_some() && rule.level != Some(level) && said.insert(rule.name) {
                let by = match self.given.get(rule.name) {
                    Some(given) => format!("`{}`", given.by),
                    None => "the configuration".to_owned(),
                };
                let level = match level {
                    Level::Error => "an error",
                    Level::Warning => "a warning",
                    Level::Note => "a note",
                };
                finding.notes.push(format!("{by} makes `{}` {level}", rule.name));
            }
        }
    }
}

impl<'a> Input<'a> {
    /// The file that a citation stands in.
    fn citing(&self, examined: &Examined<'_>) -> &'a RepoPath {
        &self.sources.get(examined.impact.cited.file.source).path
    }
}

impl Examined<'_> {
    /// Whether there is anything to tell about what happened since the review.
    pub(crate) fn is_news(&self) -> bool {
        !self.is_known() || !self.impact.is_untouched()
    }

    /// Whether it is known which text was reviewed.
    fn is_known(&self) -> bool {
        match self.review.basis {
            Basis::Now | Basis::Commit(_) | Basis::Start | Basis::Older | Basis::Pin(_) => true,
            Basis::UnknownSection(_) | Basis::UnknownRevision { .. } | Basis::UnknownText(_) | Basis::CutOff => false,
        }
    }

    fn case(&self) -> &Case {
        self.impact.cited.case
    }
}
