//! How every rule's findings look: the examples of `citecheck explain`, drawn in every way, one file a rule in
//! fixtures/rules. `SNAPSHOTS=overwrite cargo test golden` draws them anew.

use snapbox::{Assert, Data};

use crate::scenes::{Scene, rules};
use crate::support::{Repo, output, root};

/// Columns of a narrow and of a wide terminal.
const WIDTHS: [&str; 2] = ["80", "140"];

/// The page of `check`, its escapes as `␛`.
fn page(repo: &Repo, width: &str, color: &str, format: &str) -> String {
    let mut command = repo.citecheck_command();
    command.args(["check", "--color", color, "--format", format]);
    let out = output(command.env("COLUMNS", width).env("LC_ALL", "C.UTF-8"));
    assert!(out.code <= 1, "{}", out.stderr);
    out.stdout.replace('\u{1b}', "␛")
}

fn without_color(page: &str) -> String {
    let mut parts = page.split("␛[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |page, part| page + part.split_once('m').unwrap().1)
}

/// Every way a finding is drawn, under headings; ways that draw the same together.
fn gallery(repo: &Repo) -> String {
    let colored = WIDTHS.map(|width| page(repo, width, "always", "human"));
    let ways = [
        ("ASCII", WIDTHS.map(|width| page(repo, width, "never", "human"))),
        ("Unicode", [without_color(&colored[0]), without_color(&colored[1])]),
        ("Colour", colored),
    ];
    let mut gallery = String::new();
    for (way, [narrow, wide]) in ways {
        let [small, large] = WIDTHS;
        match narrow == wide {
            true => gallery.push_str(&format!("## {way}, {small} and {large} columns\n\n{narrow}\n")),
            false => {
                gallery.push_str(&format!("## {way}, {small} columns\n\n{narrow}\n"));
                gallery.push_str(&format!("## {way}, {large} columns\n\n{wide}\n"));
            }
        }
    }
    format!("{gallery}## Concise\n\n{}", page(repo, WIDTHS[0], "never", "concise"))
}

fn expect(found: String, path: &str) {
    Assert::new().action_env("SNAPSHOTS").eq(found, Data::read_from(&root().join(path), None).raw());
}

#[test]
fn every_rule_looks_as_it_should() {
    for rule in rules() {
        let repo = Scene::of(&rule).set_up();
        expect(gallery(&repo), &format!("fixtures/rules/{rule}.txt"));
    }
}
