//! In a large repository a range is checked from what it touched alone. Made-up ones are checked both ways: what a look at
//! everything says of the range must be the same.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::Repo;

const HISTORIES: u64 = 12;

/// Enough files that nobody would read all of them for one edit.
const MANUALS: usize = 14;
const CASES: usize = 30;

/// What is wrong with a citation whatever the range did: a look at everything tells it of every case.
const STANDING: [&str; 3] = ["unknown-section", "ambiguous-citation", "history-missing"];

/// Titles as they are written, and what a case may call them.
const TITLES: [(&str, &[&str]); 12] = [
    ("## Cut-off", &["cut-off", "Cut-off"]),
    ("## 5.2 Limits", &["limits", "5.2", "§5.2", "Limits", "5.2 Limits"]),
    ("## Line *pres*sure", &["line-pressure", "\"Line\\x20pressure\""]),
    ("## The [pump](other.md#x) room", &["the-pump-room", "The pump room"]),
    ("Door\n----", &["door", "Door"]),
    ("Long\ntitle\n===", &["long-title", ">-\n          Long\n          title"]),
    ("## Größe & Überdruck", &["größe--überdruck", "Größe & Überdruck"]),
    ("## R&amp;D <b>notes</b>", &["rd-notes", "\"R&D notes\""]),
    ("## Reset {#req-12}", &["req-12", "reset"]),
    ("<a id=\"safe-state\"></a>\n\n## Safe", &["safe-state", "safe"]),
    ("## 漢字", &["漢字"]),
    ("## Don't panic", &["dont-panic", "Don't panic"]),
];

/// xorshift: the same histories on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }
}

/// The sections of each manual: which title, which text.
type Manuals = Vec<Vec<(usize, usize)>>;

fn manual(at: usize, sections: &[(usize, usize)]) -> String {
    let mut text = format!("# Part {at}\n\nThis is about part {at}.\n");
    for (title, number) in sections {
        let words: Vec<String> = (0..12).map(|word| format!("word{title}x{at}x{word}")).collect();
        text += &format!("\n{}\n\n{} within {number} seconds.\n", TITLES[*title].0, words.join(" "));
    }
    text
}

fn case(dice: &mut Dice, at: usize, manuals: &Manuals) -> String {
    let mut cites = String::new();
    for _ in 0..=dice.roll(2) {
        let file = dice.roll(MANUALS);
        let (title, _) = manuals[file][dice.roll(manuals[file].len())];
        let names = TITLES[title].1;
        let name = names[dice.roll(names.len())];
        let is_bare = !name.contains(['"', '>', ' ', '§']);
        cites += &match dice.roll(5) {
            0 => format!("      - docs/m{file}.md\n"),
            1 | 2 if is_bare => format!("      - m{file}.md#{}\n", names[0]),
            3 if is_bare => format!("      - part-{file}/{}\n", names[0]),
            _ => format!("      - {name}\n"),
        };
    }
    format!("cases:\n  - id: TC-{at}\n    step: wait {}\n    cites:\n{cites}", dice.roll(100))
}

/// One edit of the manuals or of a case.
fn change(repo: &Repo, dice: &mut Dice, manuals: &mut Manuals) {
    let (file, other) = (dice.roll(MANUALS), dice.roll(MANUALS));
    let at = dice.roll(manuals[file].len());
    match dice.roll(8) {
        0 if manuals[file].len() > 1 => _ = manuals[file].remove(at),
        1 => manuals[file].push((dice.roll(TITLES.len()), dice.roll(1000))),
        2 if manuals[file].len() > 1 => {
            let moved = manuals[file].remove(at);
            manuals[other].push(moved);
        }
        3 => manuals[file][at].0 = dice.roll(TITLES.len()),
        4 => {
            let case_at = dice.roll(CASES);
            repo.write(&format!("cases/c{case_at}.yaml"), case(dice, case_at, manuals));
        }
        _ => manuals[file][at].1 += 1,
    }
    for (at, sections) in manuals.iter().enumerate() {
        repo.write(&format!("docs/m{at}.md"), manual(at, sections));
    }
}

/// What the range put out of date.
fn told(document: &Value) -> BTreeSet<String> {
    let findings = document["findings"].as_array().unwrap().iter();
    let is_of_range = |it: &&Value| it["impacted"] == true && !STANDING.contains(&it["rule"].as_str().unwrap());
    let parts = ["rule", "level", "case", "citation", "section", "change", "message", "help", "fix"];
    findings.filter(is_of_range).map(|it| parts.map(|part| it[part].to_string()).join(" ")).collect()
}

fn check(seed: u64) -> usize {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let repo = Repo::new();
    let mut manuals: Manuals = (0..MANUALS)
        .map(|_| (0..=dice.roll(3)).map(|_| (dice.roll(TITLES.len()), dice.roll(1000))).collect())
        .collect();
    for at in 0..CASES {
        repo.write(&format!("cases/c{at}.yaml"), case(&mut dice, at, &manuals));
    }
    for _ in 0..3 {
        (0..=dice.roll(3)).for_each(|_| change(&repo, &mut dice, &mut manuals));
        repo.commit("Step");
    }
    (0..=dice.roll(2)).for_each(|_| change(&repo, &mut dice, &mut manuals));
    repo.git(["add", "--all"]);
    let mut found = 0;
    for selection in ["HEAD~2..HEAD", "HEAD~1..HEAD", "--staged"] {
        let touched = told(&repo.json(&["check", selection]));
        let everything = told(&repo.json(&["check", selection, "--all"]));
        assert_eq!(touched, everything, "history {seed}, {selection}");
        found += touched.len();
    }
    found
}

#[test]
fn what_a_range_touched_is_all_that_it_put_out_of_date() {
    let found: usize = (1..=HISTORIES).map(check).sum();
    assert!(found > 50, "only {found} findings were compared");
}
