//! Sections and paragraphs that wander between the files of small random manuals: a check of everything, which follows each
//! section from its last review, tells what a check of the range tells, which compares the two manuals whole.

use crate::support::Repo;

const FILES: [&str; 3] = ["l.md", "m.md", "n.md"];
const WORDS: [&str; 12] =
    ["pump", "valve", "lamp", "door", "lever", "filter", "water", "tank", "hose", "motor", "sensor", "display"];

/// A heading and its paragraphs.
type Part = (String, Vec<String>);

/// Numbers that are the same on every run.
struct Dice(usize);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(1_103_515_245).wrapping_add(12_345) % (1 << 31);
        (self.0 >> 8) % sides.max(1)
    }

    fn paragraph(&mut self) -> String {
        format!("The {}.", [(); 11].map(|()| WORDS[self.roll(WORDS.len())]).join(" "))
    }
}

fn write(repo: &Repo, files: &[Vec<Part>; 3]) {
    for (path, parts) in FILES.iter().zip(files) {
        let parts = parts.iter().map(|(title, text)| format!("\n## {title}\n\n{}\n", text.join("\n\n")));
        repo.write(path, format!("# {path}\n{}", parts.collect::<String>()));
    }
}

fn change(files: &mut [Vec<Part>; 3], dice: &mut Dice) {
    let (what, from, to) = (dice.roll(5), dice.roll(3), dice.roll(3));
    if files[from].is_empty() || files[to].is_empty() {
        return;
    }
    let (one, other) = (dice.roll(files[from].len()), dice.roll(files[to].len()));
    match what {
        0 => {
            let part = files[from].remove(one);
            files[to].push(part);
        }
        1 => {
            let there = std::mem::take(&mut files[from][one].1);
            let here = std::mem::replace(&mut files[to][other].1, there);
            files[from][one].1.extend(here);
        }
        2 if files[from][one].1.len() > 1 => {
            let text = files[from][one].1.remove(0);
            files[to][other].1.push(text);
        }
        3 if files[from][one].1.len() > 1 => {
            let rest = files[from][one].1.split_off(1);
            files[to].push((format!("Part {}", dice.roll(90)), rest));
        }
        _ => files[from][one].1[0] = files[from][one].1[0].replacen("The ", "The other ", 1),
    }
}

#[test]
fn a_check_of_everything_and_one_of_the_range_tell_the_same() {
    for seed in 0..24 {
        let (repo, mut dice) = (Repo::new(), Dice(seed * 7_919 + 1));
        let mut part = |title: &str| (title.to_owned(), (0..1 + dice.roll(3)).map(|_| dice.paragraph()).collect());
        let mut files = [["Alpha", "Beta", "Gamma"], ["Beta", "Gamma", "Delta"], ["Gamma", "Delta", "Alpha"]]
            .map(|titles| titles.map(&mut part).to_vec());
        write(&repo, &files);
        let cites = FILES.iter().zip(&files).flat_map(|(path, parts)| {
            parts
                .iter()
                .map(move |(title, _)| format!("- {{id: {path}-{title}, cites: '{path}#{}'}}\n", title.to_lowercase()))
        });
        repo.write("cases.yaml", cites.collect::<String>());
        repo.commit("Begin");
        (0..2 + dice.roll(4)).for_each(|_| change(&mut files, &mut dice));
        write(&repo, &files);
        repo.commit("Edit");
        let told = |arguments: &[&str]| {
            let findings = repo.json(arguments)["findings"].clone();
            let told =
                findings.as_array().unwrap().iter().map(|it| format!("{} {}\n", it["case"]["id"], it["message"]));
            told.collect::<String>()
        };
        assert_eq!(told(&["check"]), told(&["check", "HEAD~1..HEAD"]), "seed {seed}");
    }
}
