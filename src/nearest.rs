//! The name that was probably meant. Knows nothing of what is named.

/// The candidate nearest to a misspelt name, if one is near enough to be what was meant: at most a third of its letters
/// differ. Case and the choice between `_` and `-` do not count. The first of equally near ones wins.
pub(crate) fn nearest<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let folded = fold(name);
    candidates
        .iter()
        .map(|candidate| (strsim::osa_distance(&folded, &fold(candidate)), *candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(3) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The candidate that a name is one slip of the keyboard away from: a letter too many, one missing, another one, or two
/// swapped; of a short candidate nothing but its case. Case, `_` and `-` do not count. For names that may just as well be
/// somebody's own; the first candidate wins.
pub(crate) fn slip<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let bare = |name: &str| fold(name).replace('-', "");
    let typed = bare(name);
    let is_slip = |candidate: &&str| {
        let meant = bare(candidate);
        let most = usize::from(meant.len() >= LONG_ENOUGH);
        meant.len().abs_diff(typed.len()) <= MOST_BYTES && strsim::osa_distance(&typed, &meant) <= most
    };
    candidates.iter().copied().find(is_slip)
}

/// Of a candidate with fewer bytes than this, a letter is too much of it to be a slip: `ref` is not meant to be `rev`.
const LONG_ENOUGH: usize = 4;

/// How many bytes a letter has, at most.
const MOST_BYTES: usize = 4;

/// Longer names are cut: no name of ours is this long, and the cost grows with the length.
const LONGEST: usize = 64;

fn fold(name: &str) -> String {
    name.chars().take(LONGEST).flat_map(char::to_lowercase).map(|char| if char == '_' { '-' } else { char }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_near_if_a_third_of_its_letters_differ() {
        let check = |name: &str, expected: Option<&str>| {
            assert_eq!(nearest(name, &["manuals", "cases", "pins", "base-urls", "ai"]), expected, "{name}");
        };
        check("manuls", Some("manuals"));
        check("mnauals", Some("manuals"));
        check("Base_URLs", Some("base-urls"));
        check("case", Some("cases"));
        check("pinz", Some("pins"));
        check("al", Some("ai"));
        check("sections", None);
        check("", None);
        check(&"x".repeat(1_000_000), None);
    }

    #[test]
    fn a_slip_is_one_letter() {
        let check = |name: &str, expected: Option<&str>| {
            assert_eq!(slip(name, &["quote", "rev", "fingerprint", "größe"]), expected, "{name}");
        };
        check("quotes", Some("quote"));
        check("qoute", Some("quote"));
        check("QUOTE", Some("quote"));
        check("finger-print", Some("fingerprint"));
        check("Finger_Prints", Some("fingerprint"));
        check("grösse", None);
        check("grö漢e", Some("größe"));
        check("Rev", Some("rev"));
        check("ref", None);
        check("note", None);
        check("", None);
    }
}
