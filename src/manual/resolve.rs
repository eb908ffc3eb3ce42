//! Which section a citation names. Looks at ids, headings and files of one revision; never at cases.
//!
//! The kinds of citation are tried in the order of [`MatchKind`]; the first that matches anything decides. A path that is
//! complete decides before one that is only the end of others, so every section has a citation of its own.

use std::collections::HashMap;

use super::canonical::fold;
use super::ids::composed;
use super::number::split_number;
use super::published::{Published, decode, link_target};
use super::{Manual, Section, SectionKind, SectionRef};
use crate::source::RepoPath;

/// Everything that a citation can name in one revision of the manual.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(super) manual: Manual,
    pub(super) published: Published,
    explicit: Places,
    /// By the last component of a section's path.
    pub(super) paths: Places,
    /// By the heading's words.
    headings: Places,
    /// By GitHub's anchor, `<a id>` and the like.
    anchors: Places,
    /// By a number without the word before it.
    numbers: Places,
    files: HashMap<String, usize>,
    /// By the last component of a file's path.
    file_names: HashMap<String, Vec<usize>>,
}

type Places = HashMap<String, Vec<SectionRef>>;

/// What a citation names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resolution {
    Found {
        target: Target,
        by: MatchKind,
    },
    /// Several sections, in order.
    Ambiguous {
        candidates: Vec<SectionRef>,
        by: MatchKind,
    },
    /// None; the nearest ones, best first.
    Unknown {
        nearest: Vec<SectionRef>,
    },
}

/// A section, or a whole file by its place in the manual.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Target {
    Section(SectionRef),
    File(usize),
}

impl Resolution {
    /// The one thing that is named, if it is one.
    pub(crate) fn target(&self) -> Option<Target> {
        match self {
            Self::Found { target, .. } => Some(*target),
            Self::Ambiguous { .. } | Self::Unknown { .. } => None,
        }
    }
}

impl Target {
    /// The file that it is, or that it stands in, among those of the manual.
    pub(crate) fn document(self) -> usize {
        match self {
            Target::Section(section) => section.document,
            Target::File(file) => file,
        }
    }
}

/// By what a citation was understood, in the order they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum MatchKind {
    ExplicitId,
    /// A path of slugs, or the end of one.
    Path,
    /// The heading's text.
    Heading,
    /// `manual.md#anchor`, as copied from a browser.
    Anchor,
    /// `manual.md#path`.
    PathInFile,
    File,
    /// `§5.2`.
    Number,
}

impl Index {
    /// `base_urls`: published addresses and the folders that are published there.
    pub(crate) fn new(manual: &Manual, base_urls: &[(String, String)]) -> Self {
        let mut index = Self {
            manual: manual.clone(),
            published: Published::new(base_urls),
            explicit: Places::new(),
            paths: Places::new(),
            headings: Places::new(),
            anchors: Places::new(),
            numbers: Places::new(),
            files: HashMap::new(),
            file_names: HashMap::new(),
        };
        for (at, document) in manual.documents.iter().enumerate() {
            let path = composed(&document.path.to_string());
            index.file_names.entry(last_component(&path).to_string()).or_default().push(at);
            index.files.insert(path, at);
        }
        for (at, section) in manual.sections() {
            index.add(at, section);
        }
        index
    }

    pub(crate) fn manual(&self) -> &Manual {
        &self.manual
    }

    /// What a citation names; `citing` is the file that it stands in, for relative paths.
    pub(crate) fn resolve(&self, citation: &str, citing: Option<&RepoPath>) -> Resolution {
        let citation = composed(citation.trim());
        let cited = link_target(&citation).unwrap_or(&citation);
        let found = self.find(cited, citing);
        found.unwrap_or_else(|| Resolution::Unknown { nearest: self.nearest(cited) })
    }

    /// Whether a citation names anything: one section or several. Does not look for what comes near.
    pub(crate) fn has(&self, citation: &str, citing: Option<&RepoPath>) -> bool {
        let citation = composed(citation.trim());
        self.find(link_target(&citation).unwrap_or(&citation), citing).is_some()
    }

    /// Every section or file that a citation may name; several where it is ambiguous.
    pub(crate) fn named(&self, citation: &str, citing: Option<&RepoPath>) -> Vec<Target> {
        let citation = composed(citation.trim());
        match self.find(link_target(&citation).unwrap_or(&citation), citing) {
            Some(Resolution::Found { target, .. }) => vec![target],
            Some(Resolution::Ambiguous { candidates, .. }) => candidates.into_iter().map(Target::Section).collect(),
            Some(Resolution::Unknown { .. }) | None => Vec::new(),
        }
    }

    /// The files that a citation names, whole or by a place in them.
    pub(crate) fn named_files(&self, citation: &str, citing: Option<&RepoPath>) -> Vec<usize> {
        let citation = composed(citation.trim());
        let cited = link_target(&citation).unwrap_or(&citation);
        if let Some(file) = self.published.file(cited) {
            return file.paths.iter().filter_map(|path| self.files.get(path).copied()).collect();
        }
        let hashes = cited.match_indices('#').map(|(hash, _)| &cited[..hash]);
        hashes.chain([cited]).flat_map(|file| self.files(file, citing)).collect()
    }

    fn find(&self, cited: &str, citing: Option<&RepoPath>) -> Option<Resolution> {
        match self.published.file(cited) {
            Some(file) => self.by_published_file(&file),
            None => self
                .by_explicit_id(cited)
                .or_else(|| self.by_path(cited))
                .or_else(|| self.by_heading(cited))
                .or_else(|| self.by_file(cited, citing))
                .or_else(|| self.by_number(cited)),
        }
    }

    fn add(&mut self, at: SectionRef, section: &Section) {
        let note = |places: &mut Places, key: &str| {
            // A heading without a word has no name that could be meant.
            if !key.is_empty() {
                places.entry(key.to_string()).or_default().push(at);
            }
        };
        for anchor in &section.anchors {
            note(&mut self.anchors, &composed(anchor));
        }
        if section.kind == SectionKind::Preamble {
            return;
        }
        if section.explicit {
            note(&mut self.explicit, &section.id.0);
        }
        note(&mut self.paths, last_component(&section.path));
        if section.kind != SectionKind::Clause {
            note(&mut self.headings, &heading_key(&section.title));
        }
        if let Some(number) = &section.number {
            note(&mut self.numbers, number_parts(number).1);
        }
    }

    fn by_explicit_id(&self, cited: &str) -> Option<Resolution> {
        decide(self.explicit.get(cited)?.clone(), MatchKind::ExplicitId)
    }

    fn by_path(&self, cited: &str) -> Option<Resolution> {
        decide(self.with_path(cited, |_| true), MatchKind::Path)
    }

    fn by_heading(&self, cited: &str) -> Option<Resolution> {
        let folded = fold(cited);
        if let Some(places) = self.headings.get(&heading_key(&folded)) {
            return decide(places.clone(), MatchKind::Heading);
        }
        let (number, title) = split_number(&folded);
        let places = self.headings.get(&heading_key(title))?;
        let numbered =
            places.iter().copied().filter(|at| self.manual.section(*at).number == number).collect::<Vec<_>>();
        // The number may have moved on since; the words are what the author meant.
        decide(if numbered.is_empty() { places.clone() } else { numbered }, MatchKind::Heading)
    }

    /// `file#inside` or `file`. A file's name may contain a `#` itself.
    fn by_file(&self, cited: &str, citing: Option<&RepoPath>) -> Option<Resolution> {
        for hash in [cited.rfind('#'), cited.find('#')].into_iter().flatten() {
            let files = self.files(&cited[..hash], citing);
            if let [file] = files[..] {
                return self.in_file(file, &cited[hash + 1..]);
            }
            if !files.is_empty() {
                let inside = files.iter().filter_map(|file| self.in_file(*file, &cited[hash + 1..]));
                return merge(inside.collect());
            }
        }
        if let Some(anchor) = cited.strip_prefix('#') {
            return decide(self.anchors.get(&decode(anchor))?.clone(), MatchKind::Anchor);
        }
        self.whole_file(&self.files(cited, citing))
    }

    fn by_published_file(&self, file: &super::published::File) -> Option<Resolution> {
        let found = file.paths.iter().find_map(|path| self.files.get(path).copied())?;
        match &file.fragment {
            Some(fragment) => self.in_file(found, fragment),
            None => self.whole_file(&[found]),
        }
    }

    pub(super) fn by_number(&self, cited: &str) -> Option<Resolution> {
        let folded = fold(cited);
        let (number, title) = split_number(&folded);
        let is_number = number.as_deref() == Some(title);
        if !is_number && folded.contains(' ') {
            return None;
        }
        let (word, digits) = number_parts(number.as_deref().filter(|_| is_number).unwrap_or(&folded));
        let places = self.numbers.get(digits)?;
        let with_word = |wanted: &str| -> Vec<SectionRef> {
            let has = |at: &SectionRef| self.manual.section(*at).number.as_deref().map(|it| number_parts(it).0);
            places.iter().copied().filter(|at| has(at).is_some_and(|word| word == wanted)).collect()
        };
        let places = match word.as_str() {
            "" => places.clone(),
            // `Section 5.2` and `§5.2` name what is only numbered `5.2`, unless something is numbered just so.
            _ => Some(with_word(&word)).filter(|exact| !exact.is_empty()).unwrap_or_else(|| with_word("")),
        };
        decide(places, MatchKind::Number)
    }

    fn in_file(&self, file: usize, inside: &str) -> Option<Resolution> {
        let inside = decode(inside);
        let here = |at: &SectionRef| at.document == file;
        let anchored = [Some(inside.as_str()), inside.strip_prefix("user-content-")]
            .into_iter()
            .flatten()
            .filter_map(|anchor| self.anchors.get(anchor))
            .map(|places| places.iter().copied().filter(here).collect::<Vec<_>>())
            .find(|places| !places.is_empty());
        if let Some(places) = anchored {
            return decide(places, MatchKind::Anchor);
        }
        let explicit = self.explicit.get(&inside).into_iter().flatten().copied().filter(here).collect::<Vec<_>>();
        decide(explicit, MatchKind::PathInFile).or_else(|| decide(self.with_path(&inside, here), MatchKind::PathInFile))
    }

    /// The sections with this path; else those whose path ends with it. A leading `/` wants the whole path.
    fn with_path(&self, cited: &str, fits: impl Fn(&SectionRef) -> bool) -> Vec<SectionRef> {
        let wanted = cited.strip_prefix('/').unwrap_or(cited);
        let Some(places) = self.paths.get(last_component(wanted)) else { return Vec::new() };
        let path = |at: &SectionRef| self.manual.section(*at).path.as_str();
        let places = || places.iter().copied().filter(|at| fits(at));
        let whole: Vec<_> = places().filter(|at| path(at) == wanted).collect();
        if !whole.is_empty() || wanted.len() < cited.len() {
            return whole;
        }
        places().filter(|at| is_suffix(wanted, path(at))).collect()
    }

    /// The file with this path; else those whose path ends with it; else the one that it leads to from the citing file.
    fn files(&self, cited: &str, citing: Option<&RepoPath>) -> Vec<usize> {
        let decoded = decode(cited);
        for path in [cited, decoded.as_str()] {
            let path = path.strip_prefix("./").unwrap_or(path);
            if let Some(file) = self.files.get(path.trim_start_matches('/')) {
                return vec![*file];
            }
        }
        let named = self.file_names.get(last_component(&decoded)).map(Vec::as_slice).unwrap_or_default();
        let full = |file: &usize| self.manual.documents[*file].path.to_string();
        let ending: Vec<_> = named.iter().copied().filter(|it| is_suffix(&decoded, &composed(&full(it)))).collect();
        let relative = citing.and_then(|citing| self.files.get(&joined(&citing.to_string(), &decoded)));
        match (ending.len(), relative) {
            (0, Some(file)) | (2.., Some(file)) => vec![*file],
            _ => ending,
        }
    }

    fn whole_file(&self, files: &[usize]) -> Option<Resolution> {
        match files {
            [] => None,
            [file] => Some(Resolution::Found { target: Target::File(*file), by: MatchKind::File }),
            several => {
                let filled = several.iter().filter(|file| !self.manual.documents[**file].sections.is_empty());
                let candidates = filled.map(|file| SectionRef { document: *file, section: 0 }).collect();
                Some(Resolution::Ambiguous { candidates, by: MatchKind::File })
            }
        }
    }
}

fn decide(mut places: Vec<SectionRef>, by: MatchKind) -> Option<Resolution> {
    places.sort();
    places.dedup();
    match places[..] {
        [] => None,
        [only] => Some(Resolution::Found { target: Target::Section(only), by }),
        _ => Some(Resolution::Ambiguous { candidates: places, by }),
    }
}

/// What is found in several files that one name may mean.
fn merge(found: Vec<Resolution>) -> Option<Resolution> {
    let mut places = Vec::new();
    let mut kind = MatchKind::PathInFile;
    for resolution in found {
        match resolution {
            Resolution::Found { target: Target::Section(at), by } => {
                places.push(at);
                kind = by;
            }
            Resolution::Ambiguous { candidates, by } => {
                places.extend(candidates);
                kind = by;
            }
            Resolution::Found { target: Target::File(_), .. } | Resolution::Unknown { .. } => {}
        }
    }
    decide(places, kind)
}

pub(super) fn last_component(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The ends of a path, shortest first, the whole of it last.
pub(super) fn suffixes(path: &str) -> impl Iterator<Item = &str> {
    path.rmatch_indices('/').map(|(at, _)| &path[at + 1..]).chain([path])
}

fn is_suffix(end: &str, path: &str) -> bool {
    path.strip_suffix(end).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// A heading's words in canonical form, whether or not code is marked as such.
pub(crate) fn heading_key(title: &str) -> String {
    title.replace('`', "")
}

/// The word of a number (`appendix`, `§`, or nothing) and what it counts with.
pub(super) fn number_parts(number: &str) -> (String, &str) {
    if let Some(rest) = number.strip_prefix('§') {
        return ("§".to_string(), rest.trim_start_matches('§').trim_start());
    }
    match number.split_once(' ') {
        Some((word, digits)) => (word.to_lowercase(), digits),
        None => (String::new(), number),
    }
}

/// Where a relative path leads from the folder of a file; stays inside the repository.
fn joined(from: &str, relative: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::manual::{Options, parse};
    use crate::source::{Rev, Sources};

    const PUMP: &str = "Preface\n# Pump manual\n## 5.2 Safety limits\n### Cut-off\nx\n### 5.2.1 `retry` limit\n## Alarms\n### Cut-off\n\
        ## Appendix B. Limits\n## 6 Type {#type.dyn-compat}\n## Prüfung {#pru\u{308}f}\nr[pump.stop]\nStops.\n";
    const OTHER: &str = "# Other\n## Alarms\n<a id=\"deep\"></a>z\n## § 7 Scope\n";

    pub(in crate::manual) fn manual(files: &[(&str, &str)]) -> Manual {
        let mut sources = Sources::default();
        let options =
            Options { id_patterns: vec![regex::Regex::new(r"^r\[(?P<id>[^\]]+)\]$").unwrap()], ..Options::default() };
        let documents = files.iter().map(|(path, text)| {
            let path = RepoPath::new(path);
            let source = sources.add(Rev::Worktree, path.clone(), *text);
            Arc::new(parse(source, &path, text, &options).value)
        });
        Manual { documents: documents.collect() }
    }

    pub(in crate::manual) fn index() -> Index {
        let manual = manual(&[("docs/pump.md", PUMP), ("docs/sub dir/other.md", OTHER)]);
        Index::new(&manual, &[("https://example.org/m/".to_string(), "docs".to_string())])
    }

    /// The resolution in words: the paths of what is found.
    fn shown(index: &Index, citation: &str) -> String {
        let citing = RepoPath::new("docs/cases/a.yaml");
        let path = |at: &SectionRef| {
            let Section { id, explicit, path, .. } = index.manual.section(*at);
            if *explicit { id.0.clone() } else { path.clone() }
        };
        let paths = |places: &[SectionRef]| places.iter().map(path).collect::<Vec<_>>().join(" ");
        match index.resolve(citation, Some(&citing)) {
            Resolution::Found { target: Target::Section(at), by } => format!("{by:?} {}", path(&at)),
            Resolution::Found { target: Target::File(file), by } => {
                format!("{by:?} {}", index.manual.documents[file].path)
            }
            Resolution::Ambiguous { candidates, by } => format!("ambiguous {by:?} {}", paths(&candidates)),
            Resolution::Unknown { nearest } => format!("unknown {}", paths(&nearest)),
        }
    }

    #[test]
    fn a_file_is_cited_by_its_path_even_if_a_heading_has_it() {
        let index = Index::new(&manual(&[("docs/a.md", "Before.\n# docs/a.md\nx\n# b.md\n"), ("b.md", "y\n")]), &[]);
        let shortest = |document| index.shortest(SectionRef { document, section: 0 });
        assert_eq!([shortest(0), shortest(1)], ["./docs/a.md", "./b.md"]);
        assert_eq!(shown(&index, "./b.md"), "File b.md");
        assert_eq!(shown(&index, "b.md"), "Heading bmd");
        assert_eq!(index.recite("x.md", &RepoPath::new("c.yaml"), Target::File(1)), "./b.md");
    }

    #[test]
    fn a_heading_without_words_is_meant_by_no_other_name() {
        let index = Index::new(&manual(&[("m.md", "# A\n\n## ***\n\nx\n\n## ~~~\n")]), &[]);
        let check = |citation: &str, expected: &str| assert_eq!(shown(&index, citation), expected, "{citation}");
        check("m.md#old-name", "unknown ");
        check("m.md#user-content-", "unknown ");
        check("m.md#", "unknown ");
        check("\u{200b}", "unknown ");
        check("``", "unknown ");
        check("m.md#a/-", "PathInFile a/-");
    }

    #[test]
    fn citations_are_understood_in_order() {
        let index = index();
        let check = |citation: &str, expected: &str| assert_eq!(shown(&index, citation), expected, "{citation}");
        check("type.dyn-compat", "ExplicitId type.dyn-compat");
        check("pr\u{fc}f", "ExplicitId prüf");
        check("pump.stop", "ExplicitId pump.stop");
        check("safety-limits/cut-off", "Path pump-manual/safety-limits/cut-off");
        check("cut-off", "ambiguous Path pump-manual/safety-limits/cut-off pump-manual/alarms/cut-off");
        check("Safety limits", "Heading pump-manual/safety-limits");
        check("5.2 Safety limits", "Heading pump-manual/safety-limits");
        check("5.9 Safety  limits", "Heading pump-manual/safety-limits");
        check("retry limit", "Heading pump-manual/safety-limits/retry-limit");
        check("docs/pump.md#52-safety-limits", "Anchor pump-manual/safety-limits");
        check("docs/pump.md#cut-off-1", "Anchor pump-manual/alarms/cut-off");
        check("docs/pump.md#user-content-alarms", "Anchor pump-manual/alarms");
        check("docs/pump.md#safety-limits/cut-off", "PathInFile pump-manual/safety-limits/cut-off");
        check("pump.md#alarms", "Anchor pump-manual/alarms");
        check("../pump.md#alarms", "Anchor pump-manual/alarms");
        check("docs/sub%20dir/other.md#deep", "Anchor other/alarms");
        check("#deep", "Anchor other/alarms");
        check("docs/pump.md", "File docs/pump.md");
        check("pump.md", "File docs/pump.md");
        check("5.2", "Number pump-manual/safety-limits");
        check("§5.2", "Number pump-manual/safety-limits");
        check("Section 5.2", "Number pump-manual/safety-limits");
        check("Appendix B", "Number pump-manual/limits");
        check("B", "Number pump-manual/limits");
        check("§ 7", "Number other/scope");
        check("Article 7", "unknown ");
        check("[Alarms](../pump.md#alarms)", "Anchor pump-manual/alarms");
        check("https://example.org/m/pump/#alarms", "Anchor pump-manual/alarms");
        check("https://example.org/m/pump", "File docs/pump.md");
        check("https://example.com/pump", "unknown ");
    }

    #[test]
    fn what_names_nothing_gets_the_nearest() {
        let index = index();
        let check = |citation: &str, expected: &str| assert_eq!(shown(&index, citation), expected, "{citation}");
        check("type.dyn.compat", "unknown type.dyn-compat");
        check("alarm", "unknown other/alarms pump-manual/alarms");
        check("old-chapter/safety-limits", "unknown pump-manual/safety-limits");
        check("docs/pump.md#alarmz", "unknown pump-manual/alarms other/alarms");
        check("other.md#alarmz", "unknown other/alarms pump-manual/alarms");
        check("nothing of the sort", "unknown ");
        check("", "unknown ");
    }

    #[test]
    fn a_numbered_heading_is_near_with_its_number_and_without() {
        let index = Index::new(&manual(&[("docs/a.md", "# Pump\n\n## 3.2 Power\n\nx\n\n## 4 Flow\n")]), &[]);
        for citation in
            ["docs/a.md#32-powr", "docs/b.md#32-power", "docs/a.md#3-2-power", "3.2 Powr", "pump/powr", "Powr"]
        {
            assert_eq!(shown(&index, citation), "unknown pump/power", "{citation}");
        }
        assert_eq!(shown(&index, "docs/a.md#99-other"), "unknown ");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

        #[test]
        fn any_citation_is_answered(citation in any::<String>()) {
            index().resolve(&citation, None);
        }
    }
}
