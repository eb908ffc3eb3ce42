//! Runs commands and tells how long they take, and how much memory. Knows nothing of what they work on.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of each command; the median is told.
const RUNS: usize = 20;

/// The same for what takes seconds.
const FEW_RUNS: usize = 5;
const LONG: Duration = Duration::from_secs(1);

/// The median time of a run of citecheck, with something done before each.
pub(crate) fn citecheck(folder: &Path, arguments: &[&str], prepare: impl Fn()) -> Duration {
    median(prepare, || {
        let mut run = command(env!("CARGO_BIN_EXE_citecheck"), folder);
        let status = run.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        // Findings are no failure.
        assert!(status.code().is_some_and(|code| code <= 1), "{arguments:?} ends with {status}");
    })
}

/// The median time of a command of git.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Duration {
    median(|| (), || succeed(command("git", folder).args(arguments).stdout(Stdio::null())))
}

/// The largest amount of memory that a run of citecheck holds, in kilobytes; `None` without GNU `time`.
pub(crate) fn peak(folder: &Path, arguments: &[&str]) -> Option<u64> {
    let mut run = command("/usr/bin/time", folder);
    run.args(["--format", "%M", env!("CARGO_BIN_EXE_citecheck")]).args(arguments).stdout(Stdio::null());
    let told = String::from_utf8(run.output().ok()?.stderr).ok()?;
    told.lines().last()?.parse().ok()
}

/// A command in a folder, by the settings of the repository alone.
pub(crate) fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    command
}

pub(crate) fn succeed(command: &mut Command) {
    assert!(command.status().unwrap().success(), "{command:?} fails");
}

/// How a time grows with what became `times` as much.
pub(crate) fn exponent(times: f64, less: Duration, more: Duration) -> f64 {
    (more.as_secs_f64() / less.as_secs_f64()).ln() / times.ln()
}

pub(crate) fn shown(time: Duration) -> String {
    match time.as_secs_f64() * 1e3 {
        short if short < 100.0 => format!("{short:.1} ms"),
        long => format!("{long:.0} ms"),
    }
}

pub(crate) fn in_megabytes(kilobytes: u64) -> String {
    format!("{} MB", kilobytes.div_ceil(1024))
}

fn median(prepare: impl Fn(), run: impl Fn()) -> Duration {
    let time = || {
        prepare();
        let start = Instant::now();
        run();
        start.elapsed()
    };
    let runs = if time() > LONG { FEW_RUNS } else { RUNS };
    let mut times: Vec<Duration> = (0..runs).map(|_| time()).collect();
    times.sort_unstable();
    times[runs / 2]
}
