//! Generated repositories: manuals, cases that cite them, and a history of edits; the same ones on every run. Measures
//! nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

use crate::measure::{command, succeed};

/// Sections of a manual file.
const SECTIONS: usize = 50;

/// Cases of a file.
const CASES: usize = 20;

/// Files by path.
pub(crate) type Files = BTreeMap<String, String>;

/// How much a repository holds.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) manuals: usize,
    pub(crate) case_files: usize,
    pub(crate) commits: usize,
}

/// A repository in a folder of its own, checked out.
pub(crate) struct Grown {
    folder: TempDir,
}

/// The sections of a manual, in order.
#[derive(Clone)]
pub(crate) struct Text {
    sections: Vec<Section>,
}

/// The words of a title, and the sentences below it.
#[derive(Clone)]
struct Section {
    title: String,
    sentences: Vec<String>,
}

/// A case file: the sections that each of its cases cites, and what the case expects.
#[derive(Clone)]
struct CaseFile {
    cases: Vec<(Vec<usize>, String)>,
}

/// A seeded sequence of numbers (SplitMix64).
struct Rng(u64);

impl Size {
    pub(crate) const WORKING: Self = Self { manuals: 200, case_files: 500, commits: 1_000 };
    pub(crate) const SMALL: Self = Self { manuals: 50, case_files: 125, commits: 250 };
}

impl fmt::Display for Size {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sections, cases) = (self.manuals * SECTIONS, self.case_files * CASES);
        let Self { manuals, case_files, commits } = self;
        write!(out, "{sections} sections in {manuals} manuals, {cases} cases in {case_files} files, {commits} commits")
    }
}

impl Grown {
    /// A repository in which each commit edits one to three sections of one manual and every fourth the cases that cite
    /// them too.
    pub(crate) fn new(size: Size) -> Self {
        let mut rng = Rng(3);
        let mut text = Text::new(size.manuals * SECTIONS, &mut rng);
        let mut cases: Vec<CaseFile> = (0..size.case_files).map(|_| CaseFile::new(&text, &mut rng)).collect();
        let mut first = text.files();
        first.extend(cases.iter().enumerate().map(|(at, file)| (CaseFile::path(at), file.text(at, &text))));
        let mut commits = vec![first];
        for at in 1..size.commits {
            let manual = rng.below(size.manuals);
            let edited: Vec<usize> = (0..=rng.below(3)).map(|_| manual * SECTIONS + rng.below(SECTIONS)).collect();
            edited.iter().for_each(|section| text.sections[*section].edit(&mut rng));
            let mut changed = Files::from([text.file(manual)]);
            for (place, file) in cases.iter_mut().enumerate().filter(|_| at % 4 == 0) {
                if file.review(&edited, &mut rng) {
                    changed.insert(CaseFile::path(place), file.text(place, &text));
                }
            }
            commits.push(changed);
        }
        Self::of(&commits)
    }

    /// A repository with these commits in a row, each with the files that it changes. What is gone from one commit to the
    /// next stays.
    pub(crate) fn of(commits: &[Files]) -> Self {
        let folder = TempDir::new().unwrap();
        let git = |arguments: &[&str]| succeed(command("git", folder.path()).args(arguments));
        git(&["init", "--quiet", "--initial-branch=main"]);
        let mut import = command("git", folder.path());
        let mut running = import.args(["fast-import", "--quiet"]).stdin(Stdio::piped()).spawn().unwrap();
        let mut stream = BufWriter::new(running.stdin.take().unwrap());
        for (at, files) in commits.iter().enumerate() {
            let time = 1_700_000_000 + at;
            write!(stream, "commit refs/heads/main\ncommitter A <a@example.org> {time} +0000\ndata 0\n").unwrap();
            for (path, text) in files {
                write!(stream, "M 100644 inline {path}\ndata {}\n{text}\n", text.len()).unwrap();
            }
        }
        drop(stream);
        assert!(running.wait().unwrap().success());
        // As a clone has it: the import by itself leaves deltas between unrelated files.
        git(&["repack", "-adfq"]);
        git(&["reset", "--quiet", "--hard"]);
        Self { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Stages a file that is neither a manual nor a case.
    pub(crate) fn stage_unrelated(&self) {
        fs::write(self.path().join("notes.txt"), "x\n").unwrap();
        self.git(&["add", "--all"]);
    }

    /// Stages an edit of one section.
    pub(crate) fn stage_edit(&self) {
        let path = self.path().join(Text::path(0));
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, text.replacen(" ms.", " s.", 1)).unwrap();
        self.git(&["add", "--all"]);
    }

    /// Takes back what was staged.
    pub(crate) fn unstage(&self) {
        self.git(&["reset", "--quiet", "--hard"]);
    }

    /// Drops what earlier runs kept.
    pub(crate) fn forget(&self) {
        drop(fs::remove_dir_all(self.path().join(".git/citecheck")));
    }

    fn git(&self, arguments: &[&str]) {
        succeed(command("git", self.path()).args(arguments));
    }
}

impl Text {
    pub(crate) fn of(sections: usize) -> Self {
        Self::new(sections, &mut Rng(2))
    }

    fn new(sections: usize, rng: &mut Rng) -> Self {
        Self { sections: (0..sections).map(|at| Section::new(at, rng)).collect() }
    }

    fn path(file: usize) -> String {
        format!("manual/part-{:02}/chapter-{file:03}.md", file / 20)
    }

    pub(crate) fn files(&self) -> Files {
        (0..self.sections.len().div_ceil(SECTIONS)).map(|file| self.file(file)).collect()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.files().values().map(String::len).sum()
    }

    /// A file with its path; ten sections in a chapter.
    fn file(&self, file: usize) -> (String, String) {
        let sections = self.sections.iter().skip(file * SECTIONS).take(SECTIONS);
        let mut text = format!("# Part {file}\n\n");
        for (at, section) in sections.enumerate() {
            let level = if at % 10 == 0 { "##" } else { "###" };
            let body = section.sentences.chunks(3).map(|it| it.join(" ")).collect::<Vec<_>>().join("\n\n");
            text.push_str(&format!("{level} {}\n\n{body}\n\n", section.title));
        }
        (Self::path(file), text)
    }
}

/// The same text with an edit in each `every`th section.
pub(crate) fn edited(text: &Text, every: usize) -> Text {
    let (mut rng, mut text) = (Rng(4), text.clone());
    text.sections.iter_mut().step_by(every).for_each(|section| section.edit(&mut rng));
    text
}

/// A manual, and the same with all sections in another order and a third of them edited.
pub(crate) fn moved_manuals(sections: usize) -> [Files; 2] {
    let mut rng = Rng(1);
    let before = Text::new(sections, &mut rng);
    let mut after = edited(&before, 3);
    for at in (1..sections).rev() {
        after.sections.swap(at, rng.below(at + 1));
    }
    [before.files(), after.files()]
}

impl Section {
    fn new(at: usize, rng: &mut Rng) -> Self {
        let title = format!("{} {} {at}", rng.word(ADJECTIVES), rng.word(NOUNS));
        Self { title, sentences: (0..6 + rng.below(12)).map(|_| sentence(rng)).collect() }
    }

    fn edit(&mut self, rng: &mut Rng) {
        let at = rng.below(self.sentences.len());
        self.sentences[at] = sentence(rng);
    }
}

impl CaseFile {
    /// Cases with one to three citations each, of one manual.
    fn new(text: &Text, rng: &mut Rng) -> Self {
        let case = |rng: &mut Rng| {
            let manual = rng.below(text.sections.len() / SECTIONS) * SECTIONS;
            ((0..=rng.below(3)).map(|_| manual + rng.below(SECTIONS)).collect(), sentence(rng))
        };
        Self { cases: (0..CASES).map(|_| case(rng)).collect() }
    }

    fn path(file: usize) -> String {
        format!("cases/group-{:02}/cases-{file:03}.yaml", file / 50)
    }

    /// Changes the cases that cite one of the sections. Whether there is any.
    fn review(&mut self, sections: &[usize], rng: &mut Rng) -> bool {
        let mut found = false;
        for (cited, expected) in &mut self.cases {
            if cited.iter().any(|section| sections.contains(section)) {
                *expected = sentence(rng);
                found = true;
            }
        }
        found
    }

    fn text(&self, file: usize, manual: &Text) -> String {
        let mut text = "cases:\n".to_owned();
        for (at, (cited, expected)) in self.cases.iter().enumerate() {
            let id = |section: &usize| manual.sections[*section].title.replace(' ', "-");
            let cited: Vec<String> = cited.iter().map(id).collect();
            text.push_str(&format!("  - id: TC-{file}-{at}\n    cites: [{}]\n", cited.join(", ")));
            text.push_str(&format!("    expected: {expected}\n"));
        }
        text
    }
}

const ADJECTIVES: &str =
    "primary secondary upstream downstream manual automatic remote local idle active faulty redundant";
const NOUNS: &str = "valve pump sensor controller heater relay display battery alarm operator service network packet message \
                     session token record queue buffer frame channel port module unit cover lock lamp motor brake filter";
const VERBS: &str =
    "open close start stop report reject accept store send receive verify reset disable enable record retry";
const DUTIES: &str = "must shall should may can";

fn sentence(rng: &mut Rng) -> String {
    let (subject, object) = (rng.word(NOUNS), rng.word(NOUNS));
    let (first, second) = (rng.word(ADJECTIVES), rng.word(ADJECTIVES));
    let (duty, verb, limit) = (rng.word(DUTIES), rng.word(VERBS), rng.below(400));
    format!("The {first} {subject} {duty} {verb} the {second} {object} within {limit} ms.")
}

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }

    fn word(&mut self, words: &'static str) -> &'static str {
        let words: Vec<&str> = words.split_whitespace().collect();
        words[self.below(words.len())]
    }
}
