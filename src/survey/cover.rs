//! Patterns for files: as narrow as leaves out what must not be in, as wide as takes in what is added tomorrow.

use std::collections::BTreeMap;

/// Folders are not given up for a few files that do not fit, in percent of those that do.
const TOLERATED: usize = 25;
/// So many files of a folder are named one by one.
const NAMED: usize = 4;

/// Patterns that select the `wanted` and, as far as that can be said in few words, not the `unwanted`. Both are paths.
pub(super) fn patterns(wanted: &[&str], unwanted: &[&str]) -> Vec<String> {
    let mut patterns = Vec::new();
    cover("", wanted, unwanted, &mut patterns);
    patterns.sort();
    patterns.dedup();
    patterns
}

/// A path as a pattern that selects it alone.
pub(super) fn exactly(path: &str) -> String {
    let anchor = if path.contains('/') { "" } else { "/" };
    format!("{anchor}{}", escaped(path))
}

/// The folder that all paths lie in; empty for the root.
pub(super) fn common_folder<'p>(paths: &[&'p str]) -> &'p str {
    let Some((first, rest)) = paths.split_first() else { return "" };
    let folder = first.rfind('/').map_or("", |slash| &first[..slash]);
    let holds = |folder: &str| rest.iter().all(|path| in_folder(path, folder).is_some());
    std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| above(folder)))
        .find(|folder| holds(folder))
        .unwrap_or_default()
}

/// The path seen from a folder, if it lies in it.
pub(super) fn in_folder<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') }
}

/// The folder around a folder.
pub(super) fn above(folder: &str) -> &str {
    folder.rfind('/').map_or("", |slash| &folder[..slash])
}

pub(super) fn escaped(path: &str) -> String {
    let mut out = String::new();
    for (at, character) in path.char_indices() {
        if "*?[]{}\\".contains(character) || at == 0 && "!#".contains(character) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

fn cover(folder: &str, wanted: &[&str], unwanted: &[&str], out: &mut Vec<String>) {
    if wanted.is_empty() {
        return;
    }
    let unwanted: Vec<&str> = unwanted.iter().copied().filter(|path| in_folder(path, folder).is_some()).collect();
    let common = common_folder(wanted);
    if common.len() > folder.len() {
        return cover(common, wanted, &unwanted, out);
    }
    let ending = common_ending(wanted);
    let spoiled = unwanted.iter().filter(|path| path.ends_with(ending)).count();
    let is_special = ending.matches('.').count() > 1;
    if spoiled * 100 <= wanted.len() * TOLERATED && !ending.is_empty() && (is_special || !folder.is_empty()) {
        let prefix = if folder.is_empty() { "**".to_owned() } else { format!("{}/**", escaped(folder)) };
        out.push(format!("{prefix}/*{}", escaped(ending)));
        return;
    }
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut here = Vec::new();
    for path in wanted {
        let rest = in_folder(path, folder).unwrap_or(path);
        match rest.split_once('/') {
            Some((name, _)) => folders.entry(&path[..path.len() - rest.len() + name.len()]).or_default().push(path),
            None => here.push(*path),
        }
    }
    for (inner, wanted) in folders {
        cover(inner, &wanted, &unwanted, out);
    }
    files(folder, &here, &unwanted, out);
}

/// Files directly in a folder.
fn files(folder: &str, wanted: &[&str], unwanted: &[&str], out: &mut Vec<String>) {
    let direct = |path: &&&str| in_folder(path, folder).is_some_and(|rest| !rest.contains('/'));
    let ending = common_ending(wanted);
    let spoiled = unwanted.iter().filter(direct).filter(|path| path.ends_with(ending)).count();
    if wanted.len() > NAMED && spoiled * 100 <= wanted.len() * TOLERATED && !ending.is_empty() {
        out.push(format!("{}/*{}", escaped(folder), escaped(ending)));
    } else {
        out.extend(wanted.iter().map(|path| exactly(path)));
    }
}

/// What all names end with, from a dot on.
fn common_ending<'p>(paths: &[&'p str]) -> &'p str {
    let Some((first, rest)) = paths.split_first() else { return "" };
    let name = first.rsplit('/').next().unwrap_or(first);
    let mut endings = name.match_indices('.').map(|(at, _)| &name[at..]);
    // One file tells nothing of how others are called, and `.2.yaml` is no kind of file.
    let is_kind = |ending: &str| {
        ending.matches('.').count() == 1
            || !rest.is_empty() && ending.split('.').skip(1).all(|part| part.starts_with(char::is_alphabetic))
    };
    endings.find(|ending| is_kind(ending) && rest.iter().all(|path| path.ends_with(ending))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(wanted: &[&str], unwanted: &[&str], expected: &[&str]) {
        assert_eq!(patterns(wanted, unwanted), expected, "{wanted:?} {unwanted:?}");
    }

    #[test]
    fn a_folder_is_taken_whole() {
        check(&["t/a.yaml", "t/b/c.yaml"], &["x.yaml"], &["t/**/*.yaml"]);
        check(&["a/t/1.yaml"], &["a/2.yaml"], &["a/t/**/1.yaml".replace("1", "*").as_str()]);
        check(&["t/a.yaml", "u/a.yaml"], &[], &["t/**/*.yaml", "u/**/*.yaml"]);
        check(&["t/a.yaml", "t/b.yml"], &[], &["t/a.yaml", "t/b.yml"]);
    }

    #[test]
    fn a_common_ending_narrows() {
        check(&["p/a.test.yaml", "q/b.c.test.yaml"], &["p/x.yaml"], &["**/*.test.yaml"]);
        check(&["p/a.test.yaml", "p/b.test.yaml"], &["p/x.yaml"], &["p/**/*.test.yaml"]);
    }

    #[test]
    fn what_must_not_be_in_stays_out() {
        check(&["t/a/1.yaml", "t/a/2.yaml"], &["t/b/1.yaml"], &["t/a/**/*.yaml"]);
        check(&["t/1.yaml"], &["t/2.yaml"], &["t/1.yaml"]);
        check(&["m.md"], &["docs/n.md"], &["/m.md"]);
        check(&["t/[a].yaml"], &["t/b.yaml"], &[r"t/\[a\].yaml"]);
    }
}
