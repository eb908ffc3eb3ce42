//! How fast the diff and the checks are, seen from outside: the built binary on generated repositories, medians of several
//! runs. `cargo bench` prints them; `cargo bench -- moved` runs one group. Asserts nothing; needs `git` on the path.
//!
//! - `moved`: every section of a manual moved to another file or parent and a third of them edited, in three sizes; the
//!   last column is the exponent of growth from the size before (1 is linear, 2 is the square).
//! - `volume`: 5 MB of manual with an edit in every tenth section.
//! - `check`: the runs of a working day on a repository of 10,000 sections, 10,000 cases and a history, as multiples of
//!   what git itself takes to look at the same thing.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// Runs of each command; the median is told.
const RUNS: usize = 5;

/// Files of one commit by path.
type Files = BTreeMap<String, String>;

/// A section of the generated manual: the words of its title, and its sentences.
#[derive(Clone)]
struct Section {
    title: String,
    sentences: Vec<String>,
}

/// A seeded sequence of numbers (SplitMix64).
struct Rng(u64);

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let groups: [(&str, fn()); 3] = [("moved", moved), ("volume", volume), ("check", check)];
    for (name, group) in groups {
        if wanted.as_deref().is_none_or(|wanted| name.contains(wanted)) {
            group();
        }
    }
}

fn moved() {
    println!("moved: all sections moved, a third edited");
    let mut last: Option<(usize, Duration)> = None;
    for count in [1_000, 5_000, 20_000] {
        let mut rng = Rng(1);
        let sections: Vec<Section> = (0..count).map(|at| section(&mut rng, at)).collect();
        let before = manual(&sections);
        let mut after = sections;
        for at in (1..count).rev() {
            after.swap(at, rng.below(at + 1));
        }
        after.iter_mut().step_by(3).for_each(|section| edit(section, &mut rng));
        let repo = repository(&[before, manual(&after)]);
        let took = citecheck(repo.path(), &["diff", "HEAD~1..HEAD", "--format", "json"]);
        let growth = last.map_or(String::new(), |(fewer, less)| {
            let exponent = (took.as_secs_f64() / less.as_secs_f64()).ln() / (count as f64 / fewer as f64).ln();
            format!("   n^{exponent:.2}")
        });
        println!("  {count:6} sections {:>9}{growth}", shown(took));
        last = Some((count, took));
    }
}

fn volume() {
    let mut rng = Rng(2);
    let mut sections: Vec<Section> = (0..12_000).map(|at| section(&mut rng, at)).collect();
    let before = manual(&sections);
    sections.iter_mut().step_by(10).for_each(|section| edit(section, &mut rng));
    let bytes: usize = before.values().map(String::len).sum();
    let repo = repository(&[before, manual(&sections)]);
    let took = citecheck(repo.path(), &["diff", "HEAD~1..HEAD", "--format", "json"]);
    let megabytes = bytes as f64 / 1e6;
    println!("volume: {megabytes:.1} MB, a tenth edited");
    println!("  {:>9}   {:.1} MB/s of manual", shown(took), megabytes / took.as_secs_f64());
}

fn check() {
    let mut rng = Rng(3);
    let mut sections: Vec<Section> = (0..10_000).map(|at| section(&mut rng, at)).collect();
    let cases = cases(&sections, &mut rng);
    let mut commits = Vec::new();
    for _ in 0..200 {
        let mut files = manual(&sections);
        files.extend(cases.clone());
        commits.push(files);
        for _ in 0..2 {
            let at = rng.below(sections.len());
            edit(&mut sections[at], &mut rng);
        }
    }
    let repo = repository(&commits);
    let folder = repo.path();
    println!("check: 10,000 sections, 10,000 cases, {} commits", commits.len());
    compare(folder, &["check", "HEAD~1..HEAD"], &["diff", "--stat", "HEAD~1..HEAD"]);
    compare(folder, &["check", "HEAD~100..HEAD"], &["diff", "--stat", "HEAD~100..HEAD"]);
    compare(folder, &["check"], &["log", "--format=%H", "--", "cases"]);
    edit(&mut sections[4_321], &mut rng);
    for (path, text) in manual(&sections) {
        fs::write(folder.join(path), text).unwrap();
    }
    git(folder, &["add", "--all"]);
    compare(folder, &["check", "--staged"], &["diff", "--cached", "--stat"]);
}

fn compare(folder: &Path, run: &[&str], against: &[&str]) {
    let took = citecheck(folder, run);
    let floor = median(|| {
        command("git", folder).args(against).stdout(Stdio::null()).status().unwrap();
    });
    let ratio = took.as_secs_f64() / floor.as_secs_f64();
    println!("  {:22} {:>9}   {ratio:.1} x git {} ({})", run.join(" "), shown(took), against.join(" "), shown(floor));
}

/// The median time of a run of citecheck. Findings are no failure.
fn citecheck(folder: &Path, arguments: &[&str]) -> Duration {
    median(|| {
        let mut run = command(env!("CARGO_BIN_EXE_citecheck"), folder);
        let status = run.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(status.code().is_some_and(|code| code <= 1), "{arguments:?} ends with {status}");
    })
}

fn median(run: impl Fn()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[RUNS / 2]
}

fn shown(time: Duration) -> String {
    format!("{:.0} ms", time.as_secs_f64() * 1e3)
}

/// A repository with these commits in a row, checked out.
fn repository(commits: &[Files]) -> TempDir {
    let folder = TempDir::new().unwrap();
    git(folder.path(), &["init", "--quiet", "--initial-branch=main"]);
    let mut import = command("git", folder.path());
    let mut running = import.args(["fast-import", "--quiet"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stream = running.stdin.take().unwrap();
    let empty = Files::new();
    for (at, files) in commits.iter().enumerate() {
        let before = at.checked_sub(1).map_or(&empty, |before| &commits[before]);
        let time = 1_700_000_000 + at;
        write!(stream, "commit refs/heads/main\ncommitter A <a@example.org> {time} +0000\ndata 0\n").unwrap();
        for (path, text) in files.iter().filter(|(path, text)| before.get(*path) != Some(text)) {
            write!(stream, "M 100644 inline {path}\ndata {}\n{text}\n", text.len()).unwrap();
        }
    }
    drop(stream);
    assert!(running.wait().unwrap().success());
    git(folder.path(), &["reset", "--quiet", "--hard"]);
    folder
}

fn git(folder: &Path, arguments: &[&str]) {
    assert!(command("git", folder).args(arguments).status().unwrap().success(), "git {arguments:?}");
}

fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    command
}

/// Fifty sections a file, ten in a chapter.
fn manual(sections: &[Section]) -> Files {
    let mut files = Files::new();
    for (file, sections) in sections.chunks(50).enumerate() {
        let mut text = format!("# Part {file}\n\n");
        for (at, section) in sections.iter().enumerate() {
            let level = if at % 10 == 0 { "##" } else { "###" };
            let body = section.sentences.chunks(3).map(|it| it.join(" ")).collect::<Vec<_>>().join("\n\n");
            text.push_str(&format!("{level} {}\n\n{body}\n\n", section.title));
        }
        files.insert(format!("manual/part-{file:03}.md"), text);
    }
    files
}

/// Ten thousand cases in five hundred files, each with one to three citations.
fn cases(sections: &[Section], rng: &mut Rng) -> Files {
    let mut files = Files::new();
    for file in 0..500 {
        let mut text = "cases:\n".to_owned();
        for case in 0..20 {
            let id = |title: &str| title.to_lowercase().replace(' ', "-");
            let cited: Vec<String> =
                (0..1 + rng.below(3)).map(|_| id(&sections[rng.below(sections.len())].title)).collect();
            text.push_str(&format!("  - id: TC-{file}-{case}\n    cites: [{}]\n", cited.join(", ")));
            text.push_str(&format!("    expected: {}\n", sentence(rng)));
        }
        files.insert(format!("cases/cases-{file:03}.yaml"), text);
    }
    files
}

fn section(rng: &mut Rng, at: usize) -> Section {
    let title = format!("{} {} {at}", rng.word(ADJECTIVES), rng.word(NOUNS));
    Section { title, sentences: (0..4 + rng.below(4)).map(|_| sentence(rng)).collect() }
}

fn edit(section: &mut Section, rng: &mut Rng) {
    let at = rng.below(section.sentences.len());
    section.sentences[at] = sentence(rng);
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
