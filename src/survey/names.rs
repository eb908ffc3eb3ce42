//! What the name of a key says: whether it speaks of citing, or of identity. Data and how it is looked up.

/// Words for what is cited and for citing it.
const CITING: &[&str] = &[
    "cite",
    "citation",
    "cover",
    "verify",
    "verifie",
    "validate",
    "satisfy",
    "satisfie",
    "require",
    "requirement",
    "req",
    "ref",
    "reference",
    "section",
    "clause",
    "spec",
    "specification",
    "manual",
    "link",
    "trace",
    "implement",
    "derive",
    "derived",
    "control",
    "policy",
    "rule",
    "standard",
    "criterion",
    "criteria",
    "article",
    "paragraph",
    "anchor",
    "heading",
    "doc",
    "source",
    "fulfil",
    "fulfill",
    "norm",
    "covered",
    "verified",
    "tested",
    "regulation",
];

/// Words for an id, the surest first.
const IDENTITY: &[&str] =
    &["id", "uid", "key", "identifier", "uuid", "guid", "case", "test", "testcase", "code", "number"];

/// Words for what people call a thing.
const NAMING: &[&str] = &["name", "title", "summary", "scenario", "label"];

/// How well a key's name fits an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// The place in the list.
    Identity(usize),
    Naming(usize),
    Other,
}

/// Whether a key's name speaks of citing: `req_ids`, `verifies`, `PolicyId`.
pub(super) fn speaks_of_citing(key: &str) -> bool {
    words(key).iter().any(|word| CITING.contains(&word.as_str()) || CITING.contains(&singular(word)))
}

/// Whether a key is citecheck's own.
pub(super) fn is_own(key: &str) -> bool {
    key == "cites"
}

/// By the last word, or the only one: `case_id`, `testName`.
pub(super) fn fit(key: &str) -> Fit {
    let words = words(key);
    let find = |list: &[&str]| list.iter().position(|it| words.last().is_some_and(|word| word == it));
    match (find(IDENTITY), find(NAMING)) {
        (Some(at), _) => Fit::Identity(at * 2 + usize::from(words.len() > 1)),
        (None, Some(at)) => Fit::Naming(at),
        (None, None) => Fit::Other,
    }
}

fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// `PolicyId`, `policy_id` and `policy-id` are the words `policy` and `id`.
fn words(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for character in key.chars() {
        let starts_word = !character.is_alphanumeric() || character.is_uppercase() && was_lower;
        if starts_word && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| character.is_alphanumeric()) {
            word.extend(character.to_lowercase());
        }
        was_lower = character.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_speak() {
        for key in
            ["cites", "req_ids", "PolicyId", "verifies", "satisfies", "requirement-refs", "Requirements", "heading"]
        {
            assert!(speaks_of_citing(key), "{key}");
        }
        for key in ["id", "name", "title", "status", "expected", "description", "prerequisite"] {
            assert!(!speaks_of_citing(key), "{key}");
        }
        let mut keys = ["owner", "title", "test_id", "name", "id"];
        keys.sort_by_key(|key| fit(key));
        assert_eq!(keys, ["id", "test_id", "name", "title", "owner"]);
    }
}
