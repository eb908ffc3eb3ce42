//! The name that was probably meant. Knows nothing of what is named.

/// The candidate nearest to a misspelt name, if one is near enough to be what was meant: at most a third of its letters
/// differ. Case and the choice between `_` and `-` do not count. The first of equally near ones wins.
pub(crate) fn nearest<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let folded = fold(name);
    candidates
        .iter()
        .map(|candidate| (distance(&folded, &fold(candidate)), *candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count().max(3) / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Longer names are cut: no name of ours is this long, and the cost grows with the length.
const LONGEST: usize = 64;

fn fold(name: &str) -> Vec<char> {
    name.chars().take(LONGEST).flat_map(char::to_lowercase).map(|char| if char == '_' { '-' } else { char }).collect()
}

/// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours.
fn distance(before: &[char], after: &[char]) -> usize {
    let mut two_back: Vec<usize> = Vec::new();
    let mut back: Vec<usize> = (0..=after.len()).collect();
    for (row, from) in before.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, to) in after.iter().enumerate() {
            let replaced = back[column] + usize::from(from != to);
            let mut best = replaced.min(back[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && *from == after[column - 1] && before[row - 1] == *to {
                best = best.min(two_back[column - 1] + 1);
            }
            current.push(best);
        }
        two_back = std::mem::replace(&mut back, current);
    }
    back[after.len()]
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
}
