//! How to cite a section: by the shortest citation, or where it has another place or name now, in the manner in which it
//! was cited: a link stays a link that a browser can follow, a number a number, a path a path of that many steps. Which
//! section it is, is known already.

use super::resolve::{Index, Target, suffixes};
use super::{Section, SectionKind, SectionRef};
use crate::source::RepoPath;

impl Index {
    /// The shortest citation that names this section and no other. For the text before a file's first heading that is
    /// the file.
    pub(crate) fn shortest(&self, at: SectionRef) -> String {
        let section = self.manual.section(at);
        let file = self.manual.document(at).path.to_string();
        if section.kind == SectionKind::Preamble {
            return self.whole(at.document);
        }
        let explicit = section.explicit.then(|| section.id.0.clone());
        let suffixes = || suffixes(&section.path).map(str::to_string);
        let in_file = |inside: String| format!("{file}#{inside}");
        explicit
            .iter()
            .cloned()
            .chain(suffixes())
            .chain(explicit.iter().cloned().chain(suffixes()).chain(section.anchors.iter().cloned()).map(in_file))
            .find(|citation| self.names(citation, at))
            .unwrap_or_else(|| in_file(format!("/{}", section.path)))
    }

    /// A citation of a whole file: its path, which says that it is one where a section goes by that name.
    fn whole(&self, file: usize) -> String {
        let path = self.path(file);
        if self.resolve(&path, None).target() == Some(Target::File(file)) { path } else { format!("./{path}") }
    }

    fn names(&self, citation: &str, at: SectionRef) -> bool {
        self.resolve(citation, None).target() == Some(Target::Section(at))
    }

    /// A citation of `target` that is written like `citation`, or else the shortest; `citing` is the file it stands in.
    pub(crate) fn recite(&self, citation: &str, citing: &RepoPath, target: Target) -> String {
        let leads = |candidate: &String| self.resolve(candidate, Some(citing)).target() == Some(target);
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
    use super::*;
    use crate::manual::resolve::tests as resolving;

    const PUMP: &str = "# Pump\n## 5.3 Limits\n### Pressure\nx\n### Speed {#speed}\ny\n## Notes\nz\n";

    fn index() -> Index {
        let manual = resolving::manual(&[("docs/hydraulics/pump.md", PUMP), ("docs/a b.md", "# Other\n## Notes\nx\n")]);
        let urls = [("https://x.org/m/".to_owned(), "docs".to_owned())];
        Index::new(&manual, &urls)
    }

    /// How the section of that citation is cited in the manner of another one, from a file in `docs/cases`.
    #[track_caller]
    fn check(to: &str, like: &str, expected: &str) {
        let (index, citing) = (index(), RepoPath::new("docs/cases/t.yaml"));
        let target = index.resolve(to, None).target().expect(to);
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

    #[test]
    fn the_shortest_citation_tells_twins_apart() {
        let index = resolving::index();
        let all: Vec<_> = index.manual.sections().map(|(at, _)| index.shortest(at)).collect();
        assert_eq!(
            all,
            [
                "docs/pump.md",
                "pump-manual",
                "safety-limits",
                "safety-limits/cut-off",
                "retry-limit",
                "pump-manual/alarms",
                "alarms/cut-off",
                "limits",
                "type.dyn-compat",
                "prüf",
                "pump.stop",
                "other",
                "other/alarms",
                "scope",
            ]
        );
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
                let found = index.resolve(&citation, Some(&citing)).target();
                prop_assert_eq!(found, Some(target), "{} for {}", citation, written);
            }

        #[test]
        fn the_shortest_citation_leads_back(
            lines in prop::collection::vec("(#{1,3} )?[ab1](-1|/|\\.2| \\{#a\\}| \\{#a-1\\}|#a)?", 0..14),
            others in prop::collection::vec("#{1,2} [ab](-1)?", 0..6),
        ) {
            let manual = resolving::manual(&[("a.md", &lines.join("\n\n")), ("b/a.md", &others.join("\n\n"))]);
            let index = Index::new(&manual, &[]);
            for (at, section) in manual.sections() {
                if section.kind != SectionKind::Preamble {
                    prop_assert!(index.names(&index.shortest(at), at), "{} {:?}", index.shortest(at), lines);
                }
            }
        }
        }
    }
}
