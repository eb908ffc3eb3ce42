//! How to cite a section that has another place or name now, in the manner in which it was cited: a link stays a link that
//! a browser can follow, a number a number, a path a path of that many steps. Which section it is, is known already.

use super::resolve::{Index, Resolution, Target, suffixes};
use super::{Section, SectionRef};
use crate::source::RepoPath;

impl Index {
    /// A citation of `target` that is written like `citation`, or else the shortest; `citing` is the file it stands in.
    pub(crate) fn recite(&self, citation: &str, citing: &RepoPath, target: Target) -> String {
        let leads = |candidate: &String| match self.resolve(candidate, Some(citing)) {
            Resolution::Found { target: found, .. } => found == target,
            Resolution::Ambiguous { .. } | Resolution::Unknown { .. } => false,
        };
        let alike = match target {
            Target::Section(at) => self.sections_alike(citation.trim(), citing, at),
            Target::File(file) => self.files_alike(citation.trim(), citing, file),
        };
        alike.into_iter().find(leads).unwrap_or_else(|| match target {
            Target::Section(at) => self.shortest(at),
            Target::File(file) => self.whole(file),
        })
    }

    fn sections_alike(&self, citation: &str, citing: &RepoPath, at: SectionRef) -> Vec<String> {
        let section = self.manual.section(at);
        if let Some((file, inside)) = citation.rsplit_once('#') {
            let insides = insides_alike(inside, section);
            let files = if file.is_empty() { vec![String::new()] } else { self.files_alike(file, citing, at.document) };
            return files
                .iter()
                .flat_map(|file| insides.iter().map(move |inside| format!("{file}#{inside}")))
                .collect();
        }
        let mut alike: Vec<String> = numbers_alike(citation, section).into_iter().collect();
        let is_heading = citation.contains(char::is_whitespace) || citation.chars().any(char::is_uppercase);
        if is_heading {
            alike.push(section.title.clone());
        } else if let Some(path) = citation.strip_prefix('/') {
            alike.extend((!path.is_empty()).then(|| format!("/{}", section.path)));
        } else if !section.explicit {
            let steps = citation.matches('/').count();
            alike.extend(suffixes(&section.path).filter(|end| end.matches('/').count() >= steps).map(str::to_owned));
        }
        alike
    }

    /// The spelling that it has, which may still be right; then an address for an address, a relative path for a
    /// relative one, a name for a name.
    fn files_alike(&self, citation: &str, citing: &RepoPath, file: usize) -> Vec<String> {
        let path = self.path(file);
        let mut alike = vec![citation.to_owned()];
        for (base, folder) in &self.published.bases {
            let folder = folder.trim_matches('/');
            let rest = if folder.is_empty() { Some(path.as_str()) } else { path.strip_prefix(folder) };
            let (Some(_), Some(rest)) = (citation.strip_prefix(base.as_str()), rest) else { continue };
            let rest = rest.trim_start_matches('/');
            let stem = rest.rsplit_once('.').map_or(rest, |(stem, _)| stem);
            let end = [".html", ".md", ".markdown", "/"].into_iter().find(|end| citation.ends_with(end)).unwrap_or("");
            alike.push(format!("{}/{stem}{end}", base.trim_end_matches('/')));
        }
        let relative = relative(&citing.to_string(), &path);
        if citation.starts_with('.') {
            alike.push(if citation.starts_with("./") && !relative.starts_with('.') {
                format!("./{relative}")
            } else {
                relative
            });
        } else if citation.contains('/') {
            alike.extend([path.clone(), relative]);
        } else {
            alike.extend(suffixes(&path).map(str::to_owned));
        }
        alike.push(path);
        if citation.contains('%') {
            alike = alike.into_iter().flat_map(|path| [path.replace(' ', "%20"), path]).collect();
        }
        alike
    }

    pub(super) fn path(&self, file: usize) -> String {
        self.manual.documents[file].path.to_string()
    }
}

/// An anchor for an anchor, a path of ids for such a path.
fn insides_alike(inside: &str, section: &Section) -> Vec<String> {
    let steps = inside.matches('/').count();
    let anchors = section.anchors.iter().cloned();
    let paths = suffixes(&section.path).filter(|end| end.matches('/').count() >= steps).map(str::to_owned);
    if steps == 0 { anchors.chain(paths).collect() } else { paths.chain(anchors).collect() }
}

/// `§5.3` for `§5.2`, `Section 5.3` for `Section 5.2`.
fn numbers_alike(citation: &str, section: &Section) -> Option<String> {
    let number = section.number.as_deref()?;
    let from = citation.find(|character: char| character.is_ascii_digit())?;
    let (word, digits) = citation.split_at(from);
    let counts = digits.chars().all(|character| character.is_ascii_alphanumeric() || character == '.');
    let is_word = word.chars().all(|character| character.is_alphabetic() || " §".contains(character));
    let bare = &number[number.find(|character: char| character.is_ascii_digit())?..];
    (counts && is_word).then(|| format!("{word}{bare}"))
}

/// The way from the folder of one file to another.
fn relative(from: &str, to: &str) -> String {
    let mut folder: Vec<&str> = from.split('/').collect();
    folder.pop();
    let to: Vec<&str> = to.split('/').collect();
    let shared = folder.iter().zip(&to).take_while(|(one, other)| one == other).count().min(to.len() - 1);
    let up = std::iter::repeat_n("..", folder.len() - shared);
    up.chain(to[shared..].iter().copied()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::manual::{Manual, Options, parse};
    use crate::source::{Rev, Sources};

    const PUMP: &str = "# Pump\n## 5.3 Limits\n### Pressure\nx\n### Speed {#speed}\ny\n## Notes\nz\n";

    fn index() -> Index {
        let mut sources = Sources::default();
        let files = [("docs/hydraulics/pump.md", PUMP), ("docs/a b.md", "# Other\n## Notes\nx\n")];
        let documents = files.map(|(path, text)| {
            let path = RepoPath::new(path);
            let source = sources.add(Rev::Worktree, path.clone(), text);
            Arc::new(parse(source, &path, text, &Options::default()).value)
        });
        let urls = [("https://x.org/m/".to_owned(), "docs".to_owned())];
        Index::new(&Manual { documents: documents.into() }, &urls)
    }

    /// How the section of that citation is cited in the manner of another one, from a file in `docs/cases`.
    #[track_caller]
    fn check(to: &str, like: &str, expected: &str) {
        let (index, citing) = (index(), RepoPath::new("docs/cases/t.yaml"));
        let Resolution::Found { target, .. } = index.resolve(to, None) else { panic!("{to} is not found") };
        assert_eq!(index.recite(like, &citing, target), expected);
    }

    #[test]
    fn the_manner_stays() {
        check("pressure", "pressure-limit", "pressure");
        check("pressure", "safety/pressure", "limits/pressure");
        check("pressure", "/a/safety/pressure", "/pump/limits/pressure");
        check("pressure", "Pressure limit", "Pressure");
        check("pressure", "docs/old.md#pressure-limit", "docs/hydraulics/pump.md#pressure");
        check("pressure", "docs/old.md#safety/pressure", "docs/hydraulics/pump.md#limits/pressure");
        check("pressure", "docs/hydraulics/pump.md#old", "docs/hydraulics/pump.md#pressure");
        check("pressure", "pump.md#old", "pump.md#pressure");
        check("pressure", "old.md#pressure", "pump.md#pressure");
        check("pressure", "../old.md#pressure", "../hydraulics/pump.md#pressure");
        check("pressure", "#old", "#pressure");
        check("pressure", "https://x.org/m/old.html#pressure", "https://x.org/m/hydraulics/pump.html#pressure");
        check("limits", "§5.2", "§5.3");
        check("limits", "5.2", "5.3");
        check("limits", "Section 5.2", "Section 5.3");
        check("speed", "limits/speed", "speed");
        check("docs/hydraulics/pump.md", "docs/old.md", "docs/hydraulics/pump.md");
        check("docs/hydraulics/pump.md", "./old.md", "../hydraulics/pump.md");
        check("docs/a b.md#notes", "docs/old%20.md#notes", "docs/a%20b.md#notes");
    }

    #[test]
    fn what_would_not_lead_there_is_not_proposed() {
        check("pressure", "§5.2", "pressure");
        check("limits/pressure", "Notes", "Pressure");
        check("docs/hydraulics/pump.md#notes", "notes", "pump/notes");
        check("docs/hydraulics/pump.md#notes", "Notes of the pump", "pump/notes");
    }

    mod properties {
        use super::*;
        use proptest::prelude::*;

        proptest! {
            #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

            #[test]
            fn whatever_was_written_the_new_citation_leads_there(
                written in prop_oneof!["[-a-zA-Z#/.§%: 0-9]{0,16}", "(docs/|../|./|https://x.org/m/)?[a-z]{1,5}.(md|html)(#[a-z/]{0,8})?"],
                at in 0..16usize,
            ) {
                let (index, citing) = (index(), RepoPath::new("docs/cases/t.yaml"));
                let sections: Vec<SectionRef> = index.manual.sections().map(|(at, _)| at).collect();
                let targets: Vec<Target> =
                    sections.into_iter().map(Target::Section).chain([Target::File(0), Target::File(1)]).collect();
                let target = targets[at % targets.len()];
                let citation = index.recite(&written, &citing, target);
                let found = match index.resolve(&citation, Some(&citing)) {
                    Resolution::Found { target, .. } => Some(target),
                    Resolution::Ambiguous { .. } | Resolution::Unknown { .. } => None,
                };
                prop_assert_eq!(found, Some(target), "{} for {}", citation, written);
            }
        }
    }
}
