//! Sections followed through structural changes of real manuals whose truth is known: moves, splits, merges, waves of
//! renumbering, shifted levels, twins. Prints a table and holds floors. Judging of texts is tested elsewhere.

mod kinds;
mod model;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Repo, files, output, root};
use kinds::{MUTATIONS, Mutation, Rng};
use model::{Piece, Told, pieces, render, truth};

/// Of all labels.
const PAIRS: f64 = 0.99;
const KINDS: f64 = 0.97;
/// Of the labels of one kind of mutation.
const EACH: f64 = 0.85;
/// Manuals taken, at most, and each mutation of each of them with these seeds.
const MANUALS: usize = 6;
const SEEDS: u64 = 1;
/// Labels told wrong that are printed, at most.
const SHOWN: usize = 20;

/// A manual before and after a mutation, as two commits.
struct Pair {
    mutation: usize,
    name: String,
    before: Vec<Piece>,
    after: Vec<Piece>,
}

/// How many labels there are, and how many were told right.
#[derive(Clone, Copy, Default)]
struct Tally {
    runs: usize,
    pairs: (usize, usize),
    kinds: (usize, usize),
    ghosts: usize,
}

#[test]
fn sections_are_followed_through_structural_changes() {
    let repo = Repo::new();
    let manuals = readable(&repo, manuals());
    assert!(manuals.len() > 1, "a manual moves sections to another one");
    let pairs = pairs(&manuals);
    commit(&repo, "pairs", pairs.iter().flat_map(|pair| [&pair.before, &pair.after]));
    waves_are_told_once(&repo, &pairs);
    let mut tallies = vec![Tally::default(); MUTATIONS.len()];
    let mut wrong = Vec::new();
    for (at, told) in diffs(&repo, "pairs", pairs.len()).into_iter().enumerate() {
        let tally = &mut tallies[pairs[at].mutation];
        score(&pairs[at], &told, tally, &mut wrong);
    }
    let all = tallies.iter().fold(Tally::default(), |all, tally| all.with(tally));
    let mut table = format!("{:28} runs  pairs        kinds        ghosts\n", "mutation");
    for (mutation, tally) in MUTATIONS.iter().zip(&tallies) {
        table.push_str(&tally.row(mutation.name));
    }
    table.push_str(&all.row("all"));
    table.push_str(&wrong.iter().take(SHOWN).map(|line| format!("{line}\n")).collect::<String>());
    std::io::stderr().write_all(table.as_bytes()).unwrap();
    assert!(share(all.pairs) >= PAIRS && share(all.kinds) >= KINDS && all.ghosts == 0, "{table}");
    for (mutation, tally) in MUTATIONS.iter().zip(&tallies) {
        assert!(share(tally.pairs).min(share(tally.kinds)) >= EACH, "{}\n{table}", mutation.name);
    }
}

/// People read of many renumbered headings in one line.
fn waves_are_told_once(repo: &Repo, pairs: &[Pair]) {
    for (at, pair) in pairs.iter().enumerate().filter(|(_, pair)| MUTATIONS[pair.mutation].name == "chapter put in") {
        let out = repo.citecheck(["diff", &format!("pairs-{}..pairs-{}", at * 2, at * 2 + 1)]);
        let lines = out.stdout.lines().filter(|line| line.contains("renumbered")).count();
        assert_eq!(lines, 1, "{}:\n{}", pair.name, out.stdout);
    }
}

/// Real manuals of middle size where the evaluation data are beside the checkout, one of a repository; else our own.
fn manuals() -> Vec<String> {
    let shared = std::env::var_os("CITECHECK_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    let golden = shared.join("eval/golden");
    let read = |path: &String| fs::read_to_string(root().join(path)).unwrap();
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for path in files(golden.to_str().unwrap(), "md").iter().filter(|path| path.contains("/before/")) {
        let pair = path.split("/before/").next().unwrap();
        let repository = pair.rsplit_once('-').map_or(pair, |(repository, _)| repository);
        let text = read(path);
        if (8_000..60_000).contains(&text.len()) {
            found.entry(repository.to_owned()).or_insert(text);
        }
    }
    if found.is_empty() {
        return files("fixtures/example/before", "md").iter().map(read).collect();
    }
    found.into_values().collect()
}

/// Those whose headings citecheck reads as we do, without what a text means only in its own file: link definitions, ids.
fn readable(repo: &Repo, manuals: Vec<String>) -> Vec<Vec<Piece>> {
    let definition = regex::Regex::new(r"(?m)^ {0,3}\[[^\]]+\]:.*$| *\{#[^}]*\}|</?a\b[^>]*>").unwrap();
    let cut: Vec<Vec<Piece>> = manuals
        .iter()
        .map(|text| pieces("a.md", &definition.replace_all(text, "")))
        .filter(|pieces| pieces.len() > 7 && pieces[0].level == 1)
        .collect();
    let empty = Vec::new();
    commit(repo, "manuals", cut.iter().flat_map(|manual| [&empty, manual]));
    let told = diffs(repo, "manuals", cut.len());
    let places = |told: &[Told]| told.iter().flat_map(|told| told.after.iter().cloned()).collect::<BTreeSet<_>>();
    let sound = cut
        .iter()
        .zip(told)
        .filter(|(manual, told)| places(told) == render(manual).1.into_iter().collect::<BTreeSet<_>>());
    let sound: Vec<Vec<Piece>> = sound.map(|(manual, _)| manual.clone()).collect();
    let step = (sound.len() / MANUALS).max(1);
    sound.into_iter().step_by(step).take(MANUALS).collect()
}

/// Every mutation of every manual, each beside another manual.
fn pairs(manuals: &[Vec<Piece>]) -> Vec<Pair> {
    let seeds: u64 = std::env::var("CITECHECK_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(SEEDS);
    let mut pairs = Vec::new();
    for seed in 0..seeds {
        for (at, first) in manuals.iter().enumerate() {
            let second = manuals[(at + 1 + seed as usize) % manuals.len()].iter();
            let second = second.map(|piece| Piece { file: "b.md".to_owned(), ..piece.clone() });
            let both: Vec<Piece> = first.iter().cloned().chain(second).collect();
            let mutated = MUTATIONS.iter().enumerate().filter_map(|(mutation, it)| {
                let mut rng = Rng(seed * 1_000_003 + (at * 101 + mutation) as u64);
                let (before, after) = mutate(it, both.clone(), &mut rng)?;
                Some(Pair { mutation, name: format!("{} (manual {at}, seed {seed})", it.name), before, after })
            });
            pairs.extend(mutated);
        }
    }
    pairs
}

fn mutate(mutation: &Mutation, mut pieces: Vec<Piece>, rng: &mut Rng) -> Option<(Vec<Piece>, Vec<Piece>)> {
    (mutation.prepare)(&mut pieces, rng)?;
    for (at, piece) in pieces.iter_mut().enumerate() {
        piece.origins = vec![at];
    }
    let before = pieces.clone();
    (mutation.apply)(&mut pieces, rng)?;
    pieces.sort_by(|one, other| one.file.cmp(&other.file));
    Some((before, pieces))
}

/// Commits manuals one after the other to a branch of their own.
fn commit<'p>(repo: &Repo, branch: &str, manuals: impl Iterator<Item = &'p Vec<Piece>>) {
    let mut stream = String::new();
    for (at, manual) in manuals.enumerate() {
        let time = 1_767_258_000 + at;
        stream.push_str(&format!("commit refs/heads/{branch}\ncommitter A <a@example.org> {time} +0000\ndata 0\n"));
        stream.push_str("deleteall\n");
        for (path, text) in render(manual).0 {
            stream.push_str(&format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len()));
        }
        stream.push_str(&format!("reset refs/tags/{branch}-{at}\nfrom refs/heads/{branch}\n"));
    }
    let mut import = repo.command("git", repo.path());
    import.args(["fast-import", "--quiet"]).stdin(Stdio::piped());
    let mut running = import.spawn().unwrap();
    running.stdin.take().unwrap().write_all(stream.as_bytes()).unwrap();
    assert!(running.wait().unwrap().success());
}

/// What is told between each two commits in a row, on two threads.
fn diffs(repo: &Repo, branch: &str, count: usize) -> Vec<Vec<Told>> {
    let command = |at: usize| {
        let range = format!("{branch}-{}..{branch}-{}", at * 2, at * 2 + 1);
        let mut command = repo.citecheck_command();
        command.args(["diff", "--format", "json", &range]);
        command
    };
    let mut first: Vec<Command> = (0..count).map(command).collect();
    let mut second = first.split_off(count / 2);
    let run_all = |commands: &mut Vec<Command>| commands.iter_mut().map(diff).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let beside = scope.spawn(|| run_all(&mut second));
        let mut told = run_all(&mut first);
        told.extend(beside.join().unwrap());
        told
    })
}

fn diff(command: &mut Command) -> Vec<Told> {
    let out = output(command);
    assert!(out.code <= 1, "{command:?} ends with {}:\n{}", out.code, out.stderr);
    let document: Value = serde_json::from_str(&out.stdout).unwrap();
    document["sections"].as_array().unwrap().iter().map(told).collect()
}

fn told(entry: &Value) -> Told {
    let place = |section: &Value| format!("{}:{}", section["file"].as_str().unwrap(), section["line"]);
    let side = |one: &str, many: &str| {
        let one = [&entry[one]].into_iter().filter(|section| !section.is_null());
        one.chain(entry[many].as_array().unwrap()).map(place).collect()
    };
    let mut kinds: BTreeSet<String> =
        entry["kinds"].as_array().unwrap().iter().map(|kind| kind.as_str().unwrap().to_owned()).collect();
    kinds.remove("edited");
    Told {
        before: side("before", "from"),
        after: side("after", "into"),
        kinds,
        with_parent: entry["with_parent"].as_bool().unwrap(),
        edited: !matches!(entry["magnitude"].as_str().unwrap(), "none" | "trivial"),
    }
}

fn score(pair: &Pair, told: &[Told], tally: &mut Tally, wrong: &mut Vec<String>) {
    tally.runs += 1;
    let touches =
        |one: &&Told, label: &Told| !one.before.is_disjoint(&label.before) || !one.after.is_disjoint(&label.after);
    for label in truth(&pair.before, &pair.after) {
        let hits: Vec<&Told> = told.iter().filter(|one| touches(one, &label)).collect();
        let is_same = |one: &&&Told| one.before == label.before && one.after == label.after;
        let same = hits.iter().find(is_same).copied();
        let parts = label.before.len().max(label.after.len()) > 1;
        if label.is_nothing() {
            let quiet = hits.iter().all(|one| one.is_nothing() && is_same(&one));
            tally.ghosts += usize::from(!quiet);
            if !quiet {
                wrong.push(format!("{}: {label:?} is told as {hits:?}", pair.name));
            }
            continue;
        }
        let paired = same.is_some();
        if !parts && !label.before.is_empty() && !label.after.is_empty() {
            tally.pairs = (tally.pairs.0 + usize::from(paired), tally.pairs.1 + 1);
        }
        let right = same.is_some_and(|one| {
            if parts {
                one.kinds.is_superset(&label.kinds)
            } else {
                Told { edited: label.edited, ..one.clone() } == label
            }
        });
        let noticed = !label.edited || same.is_some_and(|one| one.edited);
        tally.kinds = (tally.kinds.0 + usize::from(right && noticed), tally.kinds.1 + 1);
        if !(right && noticed) {
            wrong.push(format!("{}: {label:?} is told as {hits:?}", pair.name));
        }
    }
}

impl Tally {
    fn with(self, other: &Self) -> Self {
        let sum = |one: (usize, usize), other: (usize, usize)| (one.0 + other.0, one.1 + other.1);
        Self {
            runs: self.runs + other.runs,
            pairs: sum(self.pairs, other.pairs),
            kinds: sum(self.kinds, other.kinds),
            ghosts: self.ghosts + other.ghosts,
        }
    }

    fn row(&self, name: &str) -> String {
        let figure = |(right, all): (usize, usize)| match all {
            0 => "none".to_owned(),
            _ => format!("{:.3} ({all})", share((right, all))),
        };
        format!("{name:28} {:4}  {:12} {:12} {}\n", self.runs, figure(self.pairs), figure(self.kinds), self.ghosts)
    }
}

fn share((right, all): (usize, usize)) -> f64 {
    if all == 0 { 1.0 } else { right as f64 / all as f64 }
}
