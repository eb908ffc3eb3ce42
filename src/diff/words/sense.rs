//! The meanings that words of the lists have, so that words of one meaning can replace each other.

/// What a phrase means for an obligation. Phrases of equal sense replace each other without a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Sense {
    Modality(Strength),
    Negation,
    Quantifier(Quantifier),
    Comparator(Comparator),
    Condition(Condition),
    /// A number written as a word.
    Number(u32),
}

/// How much something obliges (RFC 2119, ISO directives), a negation beside the word included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// must, shall, required, has to
    Required,
    /// must not, cannot, not allowed
    Prohibited,
    /// should, recommended
    Recommended,
    /// should not, not recommended
    Discouraged,
    /// may, optional, allowed
    Permitted,
    /// can, able to
    Able,
    /// need not, not required
    Unnecessary,
    /// `may not`: forbids, or allows not to.
    Unclear,
    /// A word of the configuration, by its place there: equal to itself only.
    Configured(u16),
    /// The same, negated.
    ConfiguredNot(u16),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Quantifier {
    All,
    Any,
    Some,
    Most,
    Only,
    OneOrMore,
    Both,
    /// one of several, at most one
    Either,
    /// A word of the configuration, by its place there.
    Configured(u16),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Comparator {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    About,
    Between,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Condition {
    If,
    Unless,
    OnlyIf,
    Until,
    While,
    Except,
    Otherwise,
    Before,
    After,
}

/// A modality section of the lists: its strength, and what a negation beside the word makes of it.
pub(super) fn modality(name: &str) -> Option<(Strength, Strength)> {
    Some(match name {
        "required" => (Strength::Required, Strength::Prohibited),
        "necessary" => (Strength::Required, Strength::Unnecessary),
        "prohibited" => (Strength::Prohibited, Strength::Permitted),
        "recommended" => (Strength::Recommended, Strength::Discouraged),
        "discouraged" => (Strength::Discouraged, Strength::Permitted),
        "permitted" => (Strength::Permitted, Strength::Prohibited),
        "may" => (Strength::Permitted, Strength::Required),
        "able" => (Strength::Able, Strength::Prohibited),
        "unnecessary" => (Strength::Unnecessary, Strength::Required),
        "unclear" => (Strength::Unclear, Strength::Unclear),
        _ => return None,
    })
}

pub(super) fn quantifier(name: &str) -> Option<Quantifier> {
    Some(match name {
        "all" => Quantifier::All,
        "any" => Quantifier::Any,
        "some" => Quantifier::Some,
        "most" => Quantifier::Most,
        "only" => Quantifier::Only,
        "one-or-more" => Quantifier::OneOrMore,
        "both" => Quantifier::Both,
        "either" => Quantifier::Either,
        _ => return None,
    })
}

pub(super) fn comparator(name: &str) -> Option<Comparator> {
    Some(match name {
        "less" => Comparator::Less,
        "less-equal" => Comparator::LessEqual,
        "greater" => Comparator::Greater,
        "greater-equal" => Comparator::GreaterEqual,
        "equal" => Comparator::Equal,
        "not-equal" => Comparator::NotEqual,
        "about" => Comparator::About,
        "between" => Comparator::Between,
        _ => return None,
    })
}

/// The comparison that a symbol stands for.
pub(super) fn symbol(symbol: &str) -> Option<Comparator> {
    Some(match symbol {
        "<" => Comparator::Less,
        "<=" | "=<" | "≤" | "≦" | "⩽" => Comparator::LessEqual,
        ">" => Comparator::Greater,
        ">=" | "≥" | "≧" | "⩾" => Comparator::GreaterEqual,
        "=" | "==" | "===" => Comparator::Equal,
        "!=" | "!==" | "<>" | "≠" | "~=" => Comparator::NotEqual,
        "~" | "≈" => Comparator::About,
        _ => return None,
    })
}

pub(super) fn condition(name: &str) -> Option<Condition> {
    Some(match name {
        "if" => Condition::If,
        "unless" => Condition::Unless,
        "only-if" => Condition::OnlyIf,
        "until" => Condition::Until,
        "while" => Condition::While,
        "except" => Condition::Except,
        "otherwise" => Condition::Otherwise,
        "before" => Condition::Before,
        "after" => Condition::After,
        _ => return None,
    })
}
