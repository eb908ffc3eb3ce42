//! Runs that are killed while they write, at moments spread over the whole run: every file is the one before or the one
//! after, what is left lying about is read by nobody, and the same command, run again, brings the same end as if nothing
//! had happened. `CITECHECK_KILLS` says how many kills, of all commands together.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Repo, output};

/// Kills of all commands together where nothing else is asked for; each takes a second.
const KILLS: usize = 32;

/// How many tests share them.
const TESTS: usize = 8;

/// The text of each file.
type State = BTreeMap<PathBuf, Vec<u8>>;

/// A command on a repository, and how it ends when nobody kills it.
struct Victim {
    repo: Repo,
    arguments: Vec<&'static str>,
    /// Whether it runs as the first time, each time.
    forgets: bool,
    before: State,
    after: State,
    /// What a clone that never saw a kill tells of the state after.
    told: String,
    whole: Duration,
    /// From the first file that is begun to the end.
    writing: Duration,
}

/// When a run is killed.
#[derive(Clone, Copy)]
enum Moment {
    After(Duration),
    /// So long after the first sign of writing.
    Writing(Duration),
}

/// What the kills met.
#[derive(Debug, Default)]
struct Met {
    nothing: usize,
    some: usize,
    all: usize,
    left_over: usize,
}

impl Victim {
    fn new(repo: Repo, arguments: &[&'static str]) -> Self {
        Self::with_memory(repo, arguments, true)
    }

    fn with_memory(repo: Repo, arguments: &[&'static str], forgets: bool) -> Self {
        let mut victim = Self {
            before: state(&repo.path()),
            repo,
            arguments: arguments.to_vec(),
            forgets,
            after: State::new(),
            told: String::new(),
            whole: Duration::ZERO,
            writing: Duration::ZERO,
        };
        // Twice: the first run finds nothing in the caches of the machine.
        for _ in 0..2 {
            victim.restore();
            let start = Instant::now();
            let mut child = victim.command().spawn().unwrap();
            while !victim.writes() && child.try_wait().unwrap().is_none() {}
            let writing = Instant::now();
            child.wait().unwrap();
            (victim.whole, victim.writing) = (start.elapsed(), writing.elapsed());
        }
        victim.after = state(&victim.repo.path());
        let fresh = victim.repo.path().with_extension("fresh");
        victim.repo.git(["clone", "--quiet", ".", fresh.to_str().unwrap()]);
        put(&fresh, &victim.after);
        let check = output(victim.repo.command(crate::support::citecheck(), &fresh).arg("check"));
        assert!(check.code <= 1, "{}", check.stderr);
        victim.told = check.stdout;
        victim
    }

    fn command(&self) -> Command {
        let mut command = self.repo.citecheck_command();
        command.args(&self.arguments).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// The state before, without anything that was remembered.
    fn restore(&self) {
        let top = self.repo.path();
        for path in state(&top).keys().filter(|path| !self.before.contains_key(*path)) {
            fs::remove_file(top.join(path)).unwrap();
        }
        put(&top, &self.before);
        if self.forgets {
            _ = fs::remove_dir_all(top.join(".git/citecheck"));
        }
    }

    /// Whether there is a first sign of writing.
    fn writes(&self) -> bool {
        let top = self.repo.path();
        (self.forgets && top.join(".git/citecheck").exists()) || !left_over(&top).is_empty()
    }

    /// Kills runs at moments over the whole run, and as many while files are written, and looks at what is left each time.
    #[expect(clippy::print_stdout, reason = "for who asks for many kills")]
    fn kill(&self, test: &str) {
        let asked = std::env::var("CITECHECK_KILLS").ok().map(|kills| kills.parse::<usize>().unwrap());
        let kills = asked.unwrap_or(KILLS).div_ceil(TESTS);
        let mut met = Met::default();
        for nth in 0..kills {
            let part = |whole: Duration| whole.mul_f64((nth as f64 + 0.5) / kills as f64);
            let moment =
                if nth % 2 == 0 { Moment::After(part(self.whole)) } else { Moment::Writing(part(self.writing)) };
            self.kill_at(moment);
            self.look(&mut met);
            self.finish();
        }
        if asked.is_some() {
            println!("{test}: {kills} kills in {:?}, {:?} of it writing: {met:?}", self.whole, self.writing);
        }
    }

    fn kill_at(&self, moment: Moment) {
        self.restore();
        let mut child = self.command().spawn().unwrap();
        match moment {
            Moment::After(time) => thread::sleep(time),
            Moment::Writing(time) => {
                while !self.writes() && child.try_wait().unwrap().is_none() {}
                thread::sleep(time);
            }
        }
        // It may have come to its end.
        _ = child.kill();
        child.wait().unwrap();
    }

    /// Expects whole files and nothing that is read by mistake.
    fn look(&self, met: &mut Met) {
        let top = self.repo.path();
        let now = state(&top);
        let left = left_over(&top);
        for (path, text) in now.iter().filter(|(path, _)| !left.contains(path)) {
            let known = [self.before.get(path), self.after.get(path)];
            assert!(known.contains(&Some(text)), "{} is neither before nor after", path.display());
        }
        let gone = self.before.keys().find(|path| !now.contains_key(*path));
        assert_eq!(gone, None, "a file is gone");
        let changed = self.after.iter().filter(|(path, text)| self.before.get(*path) != Some(text));
        let done: Vec<bool> = changed.map(|(path, text)| now.get(path) == Some(text)).collect();
        match done.iter().filter(|done| **done).count() {
            0 => met.nothing += 1,
            some if some < done.len() => met.some += 1,
            _ => met.all += 1,
        }
        if left.is_empty() {
            return;
        }
        met.left_over += 1;
        let among = self.repo.citecheck(["check"]);
        // What is kept beside the objects is removed by the next run that keeps something.
        left.iter().for_each(|path| _ = fs::remove_file(top.join(path)));
        let without = self.repo.citecheck(["check"]);
        assert_eq!((among.code, among.stdout, among.stderr), (without.code, without.stdout, without.stderr));
        left.iter().for_each(|path| fs::write(top.join(path), "- id: X\n  cites: nowhere\n# X\n").unwrap());
    }

    /// Expects that the same command does the rest.
    fn finish(&self) {
        self.command().status().unwrap();
        let top = self.repo.path();
        assert!(state(&top) == self.after, "the second run leaves another state: {:?}", left_over(&top));
        assert_eq!(left_over(&top), Vec::<PathBuf>::new());
        assert_eq!(self.repo.citecheck(["check"]).stdout, self.told);
    }
}

/// Every file of the work tree, and what waits to become one of git's own folder.
fn state(top: &Path) -> State {
    let mut state = State::new();
    let mut folders = vec![top.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with(".git") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else {
                state.insert(path.strip_prefix(top).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    state
}

/// Files that were begun and are not complete, in the work tree and among what is kept.
fn left_over(top: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![top.to_owned(), top.join(".git/citecheck")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name().into_string().unwrap();
            if name.starts_with(".citecheck-") {
                found.push(entry.path().strip_prefix(top).unwrap().to_owned());
            } else if name != ".git" && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            }
        }
    }
    found
}

fn put(top: &Path, state: &State) {
    for (path, text) in state {
        fs::create_dir_all(top.join(path).parent().unwrap()).unwrap();
        fs::write(top.join(path), text).unwrap();
    }
}

/// Cases in several files and folders, on sections that moved or changed or both since.
fn repo(configuration: &str) -> Repo {
    const SECTIONS: usize = 24;
    let section = |at: usize, limit: usize| {
        format!("### Part {at}\n\nThe part number {at} of the pump shall stay below {limit} bar.\n\n")
    };
    let manual = |order: &mut dyn Iterator<Item = usize>, title: &str, limit: &dyn Fn(usize) -> usize| {
        format!("# Pump\n\n## {title}\n\n{}", order.map(|at| section(at, limit(at))).collect::<String>())
    };
    let repo = Repo::new();
    repo.write("citecheck.yaml", configuration);
    repo.write("docs/pump.md", manual(&mut (0..SECTIONS), "Limits", &|at| 100 + at));
    for file in 0..9 {
        let cases: String = (0..SECTIONS)
            .map(|at| format!("- id: TC-{file}-{at}\n  cites: [pump/limits/part-{at}]   # as it was\n"))
            .collect();
        repo.write(&format!("cases/{}/{file}.yaml", ["a", "b", "c/d"][file % 3]), cases);
    }
    repo.commit("Add manual and cases");
    repo.write("docs/pump.md", manual(&mut (0..SECTIONS).rev(), "Hydraulics", &|at| 100 + at + 50 * (at % 2)));
    repo.commit("Reorganize");
    repo
}

#[test]
fn fix_in_the_citations() {
    Victim::new(repo(""), &["fix"]).kill("fix");
}

#[test]
fn fix_with_a_pins_file() {
    Victim::new(repo("pins: file\n"), &["fix"]).kill("fix, pins: file");
}

/// The pins are written before the citations that need them, so no state on the way hides anything.
#[test]
fn between_the_pins_and_the_citations_nothing_passes() {
    for arguments in [&["fix"][..], &["accept", "--all", "--yes"]] {
        let victim = Victim::new(repo("pins: file\n"), arguments);
        victim.restore();
        let pins = PathBuf::from("citecheck.pins.yaml");
        put(&victim.repo.path(), &State::from([(pins.clone(), victim.after[&pins].clone())]));
        let told = victim.repo.json(&["check"]);
        let moved = told["findings"].as_array().unwrap().iter().filter(|finding| finding["rule"] == "section-moved");
        assert_eq!(moved.count(), 9 * 24, "{arguments:?}");
        victim.finish();
    }
}

#[test]
fn accept_in_the_citations() {
    Victim::new(repo(""), &["accept", "--all", "--yes"]).kill("accept");
}

#[test]
fn accept_into_a_pins_file() {
    Victim::new(repo("pins: file\n"), &["accept", "--all", "--yes"]).kill("accept, pins: file");
}

#[test]
fn check_keeps_what_it_printed() {
    Victim::new(repo(""), &["check", "--all"]).kill("check");
}

#[test]
fn init_replaces_the_configuration() {
    let repo = repo("");
    repo.write("citecheck.yaml", "rules: {}\n");
    Victim::new(repo, &["init", "--force"]).kill("init");
}

#[cfg(feature = "ai")]
mod asking {
    use serde_json::json;

    use super::*;
    use crate::server::{Reply, Server};

    /// A repository with a model that always answers this.
    fn asking(answer: serde_json::Value) -> (Repo, Server) {
        let message = json!({"role": "assistant", "content": answer.to_string()});
        let reply = json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]});
        let server = Server::start(move |_| Reply::new(200, reply.clone()));
        let repo = repo(&format!("ai: {{ endpoint: '{}/v1', model: small }}\n", server.url()));
        (repo, server)
    }

    #[test]
    fn categories_are_written_into_the_cases() {
        let (repo, _server) = asking(json!({"category": "usability"}));
        for file in ["cases/a/0.yaml", "cases/b/1.yaml", "cases/c/d/2.yaml"] {
            repo.write(file, &repo.read(file)[..120]);
        }
        for file in ["a/3", "a/6", "b/4", "b/7", "c/d/5", "c/d/8"] {
            fs::remove_file(repo.path().join(format!("cases/{file}.yaml"))).unwrap();
        }
        repo.commit("Fewer cases");
        Victim::new(repo, &["coverage", "--classify", "--write"]).kill("coverage --classify --write");
    }

    #[test]
    fn drafts_are_written_to_a_file() {
        let case = json!({"title": "Stops", "trigger": "Press.", "expected": "It stops.", "cites": ["part-1"]});
        let (repo, _server) = asking(json!({"cases": [case, case, case]}));
        // The time of the answer is part of what is written.
        let arguments = ["draft", "part-1", "--output", "cases/drafts.yaml", "--overwrite"];
        Victim::with_memory(repo, &arguments, false).kill("draft");
    }
}
