//! Words by their letters alone: the stems of inflected forms, and how near two spellings are.

/// Shorter stems are chance.
const MIN_STEM: usize = 3;

/// Longer words are not compared letter by letter.
const MAX_WORD: usize = 40;

/// Which slips of the pen a correction may undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slips {
    /// Letters left out, added, swapped or replaced.
    Any,
    NoReplacement,
}

/// The word and what it may be without each of the endings, which are given with what stands in their place in the
/// plain form. Two forms of a word have one in common.
pub(super) fn stems(word: &str, endings: &[(String, String)]) -> Vec<String> {
    let mut stems = vec![word.to_string()];
    for (ending, plain) in endings {
        let Some(stem) = word.strip_suffix(ending.as_str()) else { continue };
        // `process` has no ending `s`.
        if ending == "s" && stem.ends_with('s') {
            continue;
        }
        stems.push(format!("{stem}{plain}"));
        // `stopped`, `stopping`.
        let mut last = stem.char_indices().rev();
        if let (true, Some((at, one)), Some((_, other))) = (plain.is_empty(), last.next(), last.next())
            && matches!(ending.as_str(), "ed" | "ing")
            && one == other
        {
            stems.push(stem[..at].to_string());
        }
    }
    stems.retain(|stem| stem == word || stem.chars().count() >= MIN_STEM);
    stems
}

/// Whether two spellings are so near that one may be a slip of the other: one slip in a word of 4 to 7 letters, two in
/// a longer one, two letters swapped from 3 letters on; the first letter is the same or swapped.
pub(super) fn is_near(before: &str, after: &str, slips: Slips) -> bool {
    let before: Vec<char> = before.chars().collect();
    let after: Vec<char> = after.chars().collect();
    let shorter = before.len().min(after.len());
    let longer = before.len().max(after.len());
    let letters = before.iter().chain(&after).all(|character| character.is_alphabetic() || *character == '\'');
    if before == after || !letters || longer > MAX_WORD || shorter < MIN_STEM {
        return false;
    }
    if is_swap(&before, &after) {
        return true;
    }
    let allowed = match longer {
        0..=3 => return false,
        4..=7 => 1,
        _ => 2,
    };
    before[0] == after[0] && longer - shorter <= allowed && distance(&before, &after, slips) <= allowed
}

/// Whether two neighbouring letters changed places, and nothing else.
fn is_swap(before: &[char], after: &[char]) -> bool {
    let Some(at) = before.iter().zip(after).position(|(before, after)| before != after) else { return false };
    before.len() == after.len()
        && before.get(at + 1) == Some(&after[at])
        && after.get(at + 1) == Some(&before[at])
        && before[at + 2..] == after[at + 2..]
}

/// Slips between two spellings: letters left out, added, replaced, or swapped with their neighbour.
fn distance(before: &[char], after: &[char], slips: Slips) -> usize {
    let replacement = match slips {
        Slips::Any => 1,
        Slips::NoReplacement => 3,
    };
    let width = after.len() + 1;
    let mut rows = vec![0; (before.len() + 1) * width];
    for (at, cell) in rows.iter_mut().take(width).enumerate() {
        *cell = at;
    }
    for row in 1..=before.len() {
        rows[row * width] = row;
        for column in 1..width {
            let cost = if before[row - 1] == after[column - 1] { 0 } else { replacement };
            let cell = |up: usize, left: usize| rows[(row - up) * width + column - left];
            let mut best = (cell(1, 1) + cost).min(cell(1, 0) + 1).min(cell(0, 1) + 1);
            if row > 1 && column > 1 && before[row - 1] == after[column - 2] && before[row - 2] == after[column - 1] {
                best = best.min(cell(2, 2) + 1);
            }
            rows[row * width + column] = best;
        }
    }
    rows[before.len() * width + after.len()]
}
