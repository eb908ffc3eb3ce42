//! What others ask about a rule, one function a question: whether it tells staleness, has a fix, can be suppressed. What
//! its findings are and how they are worded stands in the rule's own file.

use super::{
    ambiguous_citation, duplicate_case_id, duplicate_section_id, history_missing, invalid_case, invalid_manual,
    invalid_pins, invalid_suppression, invalid_yaml, pin_conflict, quote_missing, section_lost, section_merged,
    section_moved, section_removed, section_split, text_changed, text_reworded, uncovered_section, unknown_category,
    unknown_revision, unknown_section, unused_pin, unused_suppression,
};
use crate::diagnostic::{Level, Rule};

/// The least and the most serious level at which a rule is told, configured or not; `None` is off.
pub(crate) fn levels(rule: &Rule, configured: Option<Option<Level>>) -> (Option<Level>, Option<Level>) {
    // These are errors where more is at stake than the place of a text.
    const LOUDER: [&Rule; 3] = [&section_merged::RULE, &section_moved::RULE, &section_split::RULE];
    match configured {
        Some(level) => (level, level),
        None if is_among(rule, &LOUDER) => (rule.level, Some(Level::Error)),
        None => (rule.level, rule.level),
    }
}

/// Whether findings of a rule say that a citation may be out of date; others say that it is wrong in itself.
pub(crate) fn is_staleness(rule: &Rule) -> bool {
    const STALENESS: [&Rule; 9] = [
        &history_missing::RULE,
        &quote_missing::RULE,
        &section_lost::RULE,
        &section_merged::RULE,
        &section_moved::RULE,
        &section_removed::RULE,
        &section_split::RULE,
        &text_changed::RULE,
        &text_reworded::RULE,
    ];
    is_among(rule, &STALENESS)
}

/// Whether findings of a rule say no more than that the words of a cited text changed.
pub(crate) fn is_about_text(rule: &Rule) -> bool {
    is_among(rule, &[&text_changed::RULE, &text_reworded::RULE])
}

/// Whether a rule is about the categories of cases.
pub(crate) fn is_about_category(rule: &Rule) -> bool {
    is_among(rule, &[&unknown_category::RULE])
}

/// Whether findings of a rule can have a fix.
pub(crate) fn is_fixable(rule: &Rule) -> bool {
    is_among(rule, &[&ambiguous_citation::RULE, &section_moved::RULE])
}

/// Whether a rule says that a file or a case could not be read as it is meant.
pub(crate) fn is_unread(rule: &Rule) -> bool {
    is_among(rule, &[&invalid_case::RULE, &invalid_manual::RULE, &invalid_pins::RULE, &invalid_yaml::RULE])
}

/// Whether a rule says that a citation leads to no section.
pub(crate) fn is_nowhere(rule: &Rule) -> bool {
    is_among(rule, &[&unknown_section::RULE])
}

/// Whether a rule says that staleness could not be found out.
pub(crate) fn is_history_missing(rule: &Rule) -> bool {
    is_among(rule, &[&history_missing::RULE])
}

/// Whether a rule says that it is not known what a citation was reviewed against.
pub(crate) fn is_review_unknown(rule: &Rule) -> bool {
    is_among(rule, &[&history_missing::RULE, &unknown_revision::RULE])
}

/// Whether a review settles what a rule tells.
pub(crate) fn is_settled_by_review(rule: &Rule) -> bool {
    is_staleness(rule) || is_review_unknown(rule)
}

/// Whether a comment may take findings of a rule away. Not of rules about files, manuals, the run, or suppressions:
/// nobody's judgement makes a file readable, and no comment stands in a manual.
pub(super) fn can_be_suppressed(rule: &Rule) -> bool {
    const NOT_SUPPRESSED: [&Rule; 13] = [
        &duplicate_case_id::RULE,
        &duplicate_section_id::RULE,
        &history_missing::RULE,
        &invalid_case::RULE,
        &invalid_manual::RULE,
        &invalid_pins::RULE,
        &invalid_suppression::RULE,
        &invalid_yaml::RULE,
        &pin_conflict::RULE,
        &uncovered_section::RULE,
        &unknown_category::RULE,
        &unused_pin::RULE,
        &unused_suppression::RULE,
    ];
    !is_among(rule, &NOT_SUPPRESSED)
}

fn is_among(rule: &Rule, rules: &[&Rule]) -> bool {
    rules.iter().any(|other| other.name == rule.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RULES;

    /// The answers for a rule, in a line.
    fn answers(rule: &Rule) -> String {
        let questions = [
            ("staleness", is_staleness(rule)),
            ("text", is_about_text(rule)),
            ("category", is_about_category(rule)),
            ("fixable", is_fixable(rule)),
            ("unread", is_unread(rule)),
            ("nowhere", is_nowhere(rule)),
            ("history missing", is_history_missing(rule)),
            ("review unknown", is_review_unknown(rule)),
            ("settled", is_settled_by_review(rule)),
            ("louder", levels(rule, None).1 > rule.level),
            ("never suppressed", !can_be_suppressed(rule)),
        ];
        let yes: Vec<&str> = questions.into_iter().filter(|(_, answer)| *answer).map(|(name, _)| name).collect();
        format!("{}: {}", rule.name, yes.join(", "))
    }

    #[test]
    fn each_rule_is_asked_every_question() {
        let expected = "
            ambiguous-citation: fixable
            duplicate-case-id: never suppressed
            duplicate-section-id: never suppressed
            history-missing: staleness, history missing, review unknown, settled, never suppressed
            invalid-case: unread, never suppressed
            invalid-manual: unread, never suppressed
            invalid-pins: unread, never suppressed
            invalid-suppression: never suppressed
            invalid-yaml: unread, never suppressed
            no-citations:
            pin-conflict: never suppressed
            quote-missing: staleness, settled
            section-lost: staleness, settled
            section-merged: staleness, settled, louder
            section-mismatch:
            section-moved: staleness, fixable, settled, louder
            section-removed: staleness, settled
            section-split: staleness, settled, louder
            text-changed: staleness, text, settled
            text-reworded: staleness, text, settled
            uncovered-section: never suppressed
            unknown-category: category, never suppressed
            unknown-revision: review unknown, settled
            unknown-section: nowhere
            unused-pin: never suppressed
            unused-suppression: never suppressed
        ";
        let expected: Vec<&str> = expected.trim().lines().map(str::trim).collect();
        let found: Vec<String> = RULES.iter().map(|rule| answers(rule).trim().to_owned()).collect();
        assert_eq!(found, expected);
    }
}
