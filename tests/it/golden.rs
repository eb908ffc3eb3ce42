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

const MANUAL: &str = "\
# Pump

## 1 Limits

The valve opens at 3.5 bar.

The pump may stop within 30 s, unless the door is open.

## 2 Alarms

The alarm sounds until the door is closed.

## 3 Service

Replace the hose every year and write it down.
";

const CASES: &str = "\
- {id: TC-1, cites: [limits, \"§2\"]}
- {id: TC-2, cites: limits}
- {id: TC-3, cites: [alarms@c1-0123456789abcdef, service@c9-12]}
- {id: TC-4, cites: {section: limits, scope: 'all; of it'}}
- {id: TC-5, cites: [{rev: v1}]}
- id: TC-6
  id: TC-7
  cites: [nothing-like-it]
- {id: TC-8, cites: docs/manual.md}
- {id: TC-9, cites: [2], note: x}   # citecheck: ignore[section-mvoed] it is known
";

const PINS: &str = "\
<<<<<<< HEAD
- {case: TC-1, cites: limits, fingerprint: c1-0123456789abcdef}
=======
>>>>>>> topic
- {case: TC-1, fingerprint: c1-0123456789abcdef}
- {case: TC-1, cites: limits, fingerprint: c1-01}
";

/// What the rules say beside what their examples show.
fn further() -> Repo {
    let repo = Repo::new();
    repo.write("docs/manual.md", MANUAL);
    repo.write("cases.yaml", CASES);
    repo.write("citecheck.pins.yaml", PINS);
    repo.write("docs/service.md", b"# \xff\n");
    repo.write("more.yaml", "- {id: 'TC-10, cites: limits}\n");
    repo.commit("Add manual and cases");
    let other = MANUAL.replace("3.5", "4.5").replace("may stop within 30 s", "must stop within 20 min");
    let other = other.replace("## 3", "## 4").replace("## 2", "## 2 Doors\n\nA door locks by itself.\n\n## 3");
    repo.write("docs/manual.md", other);
    repo.commit("Edit the manual");
    repo
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

#[test]
fn what_else_the_rules_say_looks_as_it_should() {
    expect(page(&further(), WIDTHS[0], "never", "human"), "fixtures/rules/further.txt");
}
