//! The categories that cases are sorted into. Knows their names, not which case is in which.

/// The category of cases that say none.
pub(crate) const UNCLASSIFIED: &str = "unclassified";

/// What teams under the usual standards for device software sort their cases by.
const DEFAULT: [&str; 9] = [
    "software lifecycle",
    "risk management",
    "design control",
    "usability",
    "electrical safety",
    "alarms",
    "third-party software",
    "maintenance",
    UNCLASSIFIED,
];

/// The categories that a case may have, in the order in which they are shown. [`UNCLASSIFIED`] is always one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taxonomy(Vec<String>);

impl Taxonomy {
    pub(crate) fn new(mut names: Vec<String>) -> Self {
        if !names.iter().any(|name| is_same_word(name, UNCLASSIFIED)) {
            names.push(UNCLASSIFIED.to_owned());
        }
        Self(names)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The category that a name means.
    pub(crate) fn find(&self, name: &str) -> Option<&str> {
        self.names().find(|known| is_same_word(known, name))
    }

    /// The category of cases that say none, as it is spelled here.
    pub(crate) fn unclassified(&self) -> &str {
        self.find(UNCLASSIFIED).unwrap_or(UNCLASSIFIED)
    }
}

impl Default for Taxonomy {
    fn default() -> Self {
        Self::new(DEFAULT.iter().map(|name| (*name).to_owned()).collect())
    }
}

/// Whether two names are the same to people: in any case, with `-` or `_` for spaces.
pub(crate) fn is_same_word(one: &str, other: &str) -> bool {
    let words = |name: &str| {
        let name = name.to_lowercase();
        name.split([' ', '-', '_']).filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>()
    };
    words(one) == words(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_category_is_found_however_it_is_spelled() {
        let taxonomy = Taxonomy::new(vec!["Third-party software".to_owned(), "Ärger".to_owned()]);
        for name in ["third party software", "THIRD_PARTY-Software", " Third-party software "] {
            assert_eq!(taxonomy.find(name), Some("Third-party software"), "{name}");
        }
        assert_eq!(taxonomy.find("äRGER"), Some("Ärger"));
        assert_eq!(taxonomy.find("third"), None);
        assert_eq!(taxonomy.find(""), None);
    }

    #[test]
    fn cases_without_a_category_have_a_place() {
        assert_eq!(Taxonomy::default().names().last(), Some("unclassified"));
        let own = Taxonomy::new(vec!["Unclassified".to_owned(), "alarms".to_owned()]);
        assert_eq!((own.unclassified(), own.names().count()), ("Unclassified", 2));
        assert_eq!(Taxonomy::new(Vec::new()).unclassified(), "unclassified");
    }
}
