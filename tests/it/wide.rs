//! Lines that are longer than the terminal, of Latin, wide and drawn characters: what is shown of them fits, holds the
//! place that is meant, and is marked under it.

use unicode_width::UnicodeWidthStr as _;

use crate::support::{Repo, output};

/// Text without anything that could be told, more than 200 columns.
const FILLERS: [&str; 3] = [
    "the pump is kept dry and upright while it is carried from one room to the next, ",
    "搬送中はポンプを乾いた状態に保ち、直立させておくこと。隣の部屋へ移す間も同じである。",
    "🔥 stands for heat, 💧 for water and 🔒 for a lock that is closed, ",
];
const WIDTHS: [usize; 5] = [40, 60, 80, 140, 200];

/// A limit deep in one long line changed, and a section of a list of many on one long line has another name.
fn repository(filler: &str) -> Repo {
    let long = filler.repeat(6);
    let manual = |limit: &str, title: &str| {
        format!(
            "# Pump\n\n## Limits 過圧 🔥\n\n{long} and stops within {limit} s, {long}\n\n## {title}\n\nRinse the pump after use.\n"
        )
    };
    let cites = ["pump/limits-過圧-"; 12].join(", ");
    let repo = Repo::with_manual(&manual("45", "Care"), &format!("{cites}, pump/care, {cites}"));
    repo.write("docs/manual.md", manual("40", "Cleaning"));
    repo.commit("Edit the manual");
    repo
}

/// The words above the marks of a page, in their order.
fn marked(page: &str) -> Vec<String> {
    let lines: Vec<&str> = page.lines().collect();
    let pairs = lines.windows(2).filter_map(|pair| {
        let (_, source) = pair[0].split_once("| ")?;
        let marks = pair[1].trim_start().strip_prefix("| ")?;
        let start = marks.find(['^', '-'])?;
        let length = marks[start..].chars().take_while(|it| matches!(it, '^' | '-')).count();
        Some(columns(source, start, length))
    });
    pairs.collect()
}

/// What stands in some columns of a line.
fn columns(line: &str, start: usize, length: usize) -> String {
    let mut at = 0;
    let inside = line.chars().filter(|it| {
        let column = at;
        at += it.to_string().width();
        start <= column && column < start + length
    });
    inside.collect()
}

fn check(page: &str, width: usize, about: &str) {
    // The title stands alone in one line, as that of rustc: it is what is copied and searched for.
    for line in page.lines().filter(|line| !line.starts_with("error[") && !line.starts_with("warning[")) {
        assert!(line.width() <= width, "{about}: {} columns: {line}\n{page}", line.width());
    }
}

#[test]
fn a_long_line_is_cut_around_what_is_marked() {
    for filler in FILLERS {
        let repo = repository(filler);
        for width in WIDTHS {
            let about = format!("{filler} in {width} columns");
            let out = output(repo.citecheck_command().arg("check").env("COLUMNS", width.to_string()));
            assert_eq!(out.code, 1, "{about}: {}", out.stderr);
            check(&out.stdout, width, &about);
            let marked = marked(&out.stdout);
            for word in ["pump/limits-過圧-", "pump/care", "45", "40"] {
                assert!(marked.iter().any(|it| it == word), "{about}: {word} in {marked:?}\n{}", out.stdout);
            }
            let diff =
                output(repo.citecheck_command().args(["diff", "HEAD~1..HEAD"]).env("COLUMNS", width.to_string()));
            check(&diff.stdout, width, &about);
            assert!(diff.stdout.contains("[-45-]{+40+}"), "{about}: {}", diff.stdout);
        }
    }
}
