//! How good the detection is: the scorer of the evaluation data on labelled pairs of real manuals and on mutations of
//! real manuals, against floors. Says `skipped` where the data are not beside the checkout (`CITECHECK_SHARED`).

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;
use tempfile::TempDir;

use crate::support::{citecheck, files, root, run};

/// The scorer's figures, as bounds or as measured.
#[derive(Debug)]
struct Figures {
    noticed: f64,
    recall: f64,
    false_alarms: f64,
    ghosts: u64,
    pairs: f64,
    kinds: f64,
}

/// What was reached; these only rise.
const GOLDEN: Figures = Figures { noticed: 1.0, recall: 0.96, false_alarms: 0.14, ghosts: 3, pairs: 0.99, kinds: 0.96 };
const MUTATIONS: Figures =
    Figures { noticed: 1.0, recall: 0.99, false_alarms: 0.02, ghosts: 0, pairs: 0.99, kinds: 0.99 };

const MANUALS: usize = 10;
/// Of each manual and seed.
const PAIRS: &str = "3";
const SEEDS: [&str; 3] = ["1", "2", "3"];

/// The folder of the evaluation data, if it is there.
fn evaluation() -> Option<PathBuf> {
    let shared = std::env::var_os("CITECHECK_SHARED").map_or_else(|| root().join("../shared"), PathBuf::from);
    let folder = shared.join("eval");
    if folder.join("score.py").exists() {
        return Some(folder);
    }
    tell(&format!("skipped: no evaluation data in {}", folder.display()));
    None
}

/// Past the capture of the test runner, which would hide it.
fn tell(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// Runs the scorer, which fails if a pair could not be scored.
fn score(evaluation: &Path, folder: &Path) -> Figures {
    let printed = run(Command::new("python3").arg(evaluation.join("score.py")).arg(citecheck()).arg(folder));
    tell(printed.trim_end());
    let figure = |name: &str| {
        let pattern = Regex::new(&format!(r"\b{name} (?:\d+/\d+ = ([\d.]+)|none)")).unwrap();
        let found = pattern.captures(&printed).unwrap_or_else(|| panic!("no figure `{name}` in:\n{printed}"));
        found.get(1).map(|value| value.as_str().parse::<f64>().unwrap())
    };
    let ghosts = Regex::new(r"\bghosts (\d+)").unwrap().captures(&printed).unwrap()[1].parse().unwrap();
    Figures {
        noticed: figure("noticed").unwrap_or(1.0),
        recall: figure("recall").unwrap_or(1.0),
        false_alarms: figure("false alarms").unwrap_or(0.0),
        ghosts,
        pairs: figure("pairs").unwrap_or(1.0),
        kinds: figure("kinds").unwrap_or(1.0),
    }
}

fn compare(name: &str, measured: &Figures, bound: &Figures) {
    let holds = measured.noticed >= bound.noticed
        && measured.recall >= bound.recall
        && measured.false_alarms <= bound.false_alarms
        && measured.ghosts <= bound.ghosts
        && measured.pairs >= bound.pairs
        && measured.kinds >= bound.kinds;
    assert!(holds, "{name}:\nmeasured {measured:?}\nbound    {bound:?}");
}

#[test]
fn labelled_pairs_are_judged_as_well_as_before() {
    let Some(evaluation) = evaluation() else { return };
    compare("golden", &score(&evaluation, &evaluation.join("golden")), &GOLDEN);
}

#[test]
fn known_changes_are_judged_as_well_as_before() {
    let Some(evaluation) = evaluation() else { return };
    let manuals = manuals(&evaluation);
    for seed in SEEDS {
        let pairs = TempDir::new().unwrap();
        run(Command::new("python3")
            .arg(evaluation.join("mutate.py"))
            .arg(pairs.path())
            .args(["--pairs", PAIRS, "--seed", seed])
            .args(&manuals));
        compare(&format!("mutations, seed {seed}"), &score(&evaluation, pairs.path()), &MUTATIONS);
    }
}

/// Manuals of middle size out of the pairs, evenly spread over the repositories.
fn manuals(evaluation: &Path) -> Vec<PathBuf> {
    let golden = evaluation.join("golden");
    let all: Vec<PathBuf> = files(golden.to_str().unwrap(), "md")
        .iter()
        .map(|path| root().join(path))
        .filter(|path| path.components().any(|part| part.as_os_str() == "before"))
        .filter(|path| (8_000..200_000).contains(&fs::metadata(path).unwrap().len()))
        .collect();
    let step = (all.len() / MANUALS).max(1);
    all.into_iter().step_by(step).take(MANUALS).collect()
}
