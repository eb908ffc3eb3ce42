//! How fast citecheck is, seen from outside: the built binary on generated repositories, beside what git takes to look at
//! the same thing in the same run. `cargo bench` prints all of it, `cargo bench -- working` one group. Asserts nothing but
//! that runs end as they should; needs `git` on the path, and GNU `time` for the peaks of memory.
//!
//! - `working`: the runs of a working day on a repository of 10,000 sections, 10,000 cases and 1,000 commits.
//! - `curves`: the same runs while manuals, cases and commits double one at a time.
//! - `moved`: every section of a manual moved to another file or parent and a third of them edited, in three sizes.
//! - `volume`: 5 MB of manual with an edit in every tenth section.
//!
//! Each time is the median of several runs after one that is not counted. An exponent tells how a time grows with what
//! doubled: 0 is not at all, 1 in proportion, 2 with the square.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that cannot go on has failed")]

mod measure;
mod repository;

use std::time::Duration;

use measure::{citecheck, exponent, git, in_megabytes, peak, shown};
use repository::{Grown, Size, Text, edited, moved_manuals};

fn main() {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let groups: [(&str, fn()); 4] = [("working", working), ("curves", curves), ("moved", moved), ("volume", volume)];
    for (name, group) in groups {
        if wanted.as_deref().is_none_or(|wanted| name.contains(wanted)) {
            group();
        }
    }
}

/// A run, and the command of git that looks at the same thing.
struct Row {
    run: &'static [&'static str],
    git: &'static [&'static str],
}

const STAGED: Row = Row { run: &["check", "--staged"], git: &["diff", "--cached", "--stat"] };
const LAST: Row = Row { run: &["check", "HEAD~1..HEAD"], git: &["diff", "--stat", "HEAD~1..HEAD"] };
const HUNDRED: Row = Row { run: &["check", "HEAD~100..HEAD"], git: &["diff", "--stat", "HEAD~100..HEAD"] };
const ALL: Row = Row { run: &["check"], git: &["log", "--name-only", "--format=%H", "--", "cases", "manual"] };

fn working() {
    let grown = Grown::new(Size::WORKING);
    println!("working: {}\n", Size::WORKING);
    println!("| run | time | git | ratio | peak memory |");
    println!("|---|--:|--:|--:|--:|");
    grown.stage_unrelated();
    tell("`check --staged`, no manual or case staged", &grown, &STAGED, || ());
    grown.stage_edit();
    tell("`check --staged`, a section edited", &grown, &STAGED, || ());
    grown.unstage();
    tell("`check HEAD~1..HEAD`", &grown, &LAST, || ());
    tell("`check HEAD~100..HEAD`", &grown, &HUNDRED, || ());
    tell("`check`, the first time", &grown, &ALL, || grown.forget());
    tell("`check`, nothing changed since", &grown, &ALL, || ());
    println!();
}

fn tell(name: &str, grown: &Grown, row: &Row, prepare: impl Fn()) {
    let (took, peak) = measured(grown, row, prepare);
    let floor = git(grown.path(), row.git);
    let ratio = took.as_secs_f64() / floor.as_secs_f64();
    println!("| {name} | {} | {} | {ratio:.1} | {peak} |", shown(took), shown(floor));
}

/// How long a run takes, and how much memory, with something done before each.
fn measured(grown: &Grown, row: &Row, prepare: impl Fn()) -> (Duration, String) {
    let took = citecheck(grown.path(), row.run, &prepare);
    prepare();
    (took, peak(grown.path(), row.run).map_or("-".to_owned(), in_megabytes))
}

/// A size of which one number is so many times as large.
type Grow = fn(Size, usize) -> Size;

fn curves() {
    println!("curves: from {}, doubled twice\n", Size::SMALL);
    println!("| doubled | run | 1 | 2 | 4 | exponent | peak memory |");
    println!("|---|---|--:|--:|--:|--:|--:|");
    let grow: [(&str, Grow); 3] = [
        ("manuals", |size, by| Size { manuals: size.manuals * by, ..size }),
        ("cases", |size, by| Size { case_files: size.case_files * by, ..size }),
        ("commits", |size, by| Size { commits: size.commits * by, ..size }),
    ];
    for (what, grow) in grow {
        let sizes = [1, 2, 4].map(|by| Grown::new(grow(Size::SMALL, by)));
        for row in [LAST, STAGED, ALL] {
            let times = sizes.each_ref().map(|grown| {
                if row.run == STAGED.run {
                    grown.stage_edit();
                }
                measured(grown, &row, || grown.forget())
            });
            sizes.iter().for_each(Grown::unstage);
            let peaks: Vec<&str> = times.iter().map(|(_, peak)| peak.as_str()).collect();
            let [(one, _), (two, _), (four, _)] = times;
            let times = [one, two, four].map(shown).join(" | ");
            let exponent = exponent(4.0, one, four);
            println!("| {what} | `{}` | {times} | {exponent:.2} | {} |", row.run.join(" "), peaks.join(", "));
        }
    }
    println!();
}

fn moved() {
    println!("moved: all sections moved, a third edited\n");
    let mut last: Option<(usize, Duration)> = None;
    for count in [1_000, 5_000, 20_000] {
        let grown = Grown::of(&moved_manuals(count));
        let took = citecheck(grown.path(), &["diff", "HEAD~1..HEAD", "--format", "json"], || ());
        let growth = last.map_or(String::new(), |(fewer, less)| {
            format!("   exponent {:.2}", exponent(count as f64 / fewer as f64, less, took))
        });
        println!("  {count:6} sections {:>9}{growth}", shown(took));
        last = Some((count, took));
    }
    println!();
}

fn volume() {
    let before = Text::of(6_500);
    let after = edited(&before, 10);
    let grown = Grown::of(&[before.files(), after.files()]);
    let took = citecheck(grown.path(), &["diff", "HEAD~1..HEAD", "--format", "json"], || ());
    let floor = git(grown.path(), &["diff", "--stat", "HEAD~1..HEAD"]);
    let megabytes = before.bytes() as f64 / 1e6;
    let (speed, ratio) = (megabytes / took.as_secs_f64(), took.as_secs_f64() / floor.as_secs_f64());
    println!("volume: {megabytes:.1} MB of manual, a tenth of the sections edited\n");
    println!("  {:>9}   {speed:.0} MB/s   {ratio:.1} x git diff --stat ({})\n", shown(took), shown(floor));
}
