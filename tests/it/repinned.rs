//! Pins that a range takes out, changes or puts in: what that makes stale is its doing, whenever the text changed.

use crate::support::Repo;

/// A repository whose manual changed in its second commit; the case was accepted in the third, at tag `accepted`. Pins of
/// three texts of the section: what it said at first, what it says, and what it never said.
struct Scene {
    repo: Repo,
    /// Where the pins are.
    file: &'static str,
    pins: [String; 3],
}

fn manual(bar: usize) -> String {
    format!("# M\n\n## Valve\n\nIt opens at {bar} bar.\n")
}

/// The pin of a text.
fn pin(bar: usize) -> String {
    let repo = Repo::with_manual(&manual(bar + 1), "valve");
    repo.write("docs/manual.md", manual(bar));
    assert_eq!(repo.citecheck(["accept", "TC-1"]).code, 0);
    let text = repo.read("cases.yaml");
    let start = text.find("c1-").unwrap();
    text[start..start + 19].to_owned()
}

impl Scene {
    fn new(file: &'static str, others: usize) -> Self {
        let repo = Repo::with_manual(&manual(5), "valve");
        if file == "citecheck.pins.yaml" {
            repo.write("citecheck.yaml", "pins: file\n");
        }
        (0..others).for_each(|at| repo.write(&format!("docs/{at}.md"), format!("# {at}\n")));
        repo.commit("Begin");
        repo.git(["tag", "begin"]);
        repo.write("docs/manual.md", manual(9));
        repo.commit("Raise the pressure");
        assert_eq!(repo.citecheck(["accept", "TC-1"]).code, 0);
        repo.commit("Accept");
        repo.git(["tag", "accepted"]);
        Self { repo, file, pins: [5, 9, 12].map(pin) }
    }

    /// Rewrites the file with the pins, and says what the range tells that does so, in a commit and staged.
    #[track_caller]
    fn check(&self, rewrite: impl Fn(&str) -> String, expected: &str) {
        let repo = &self.repo;
        repo.write(self.file, rewrite(&repo.read(self.file)));
        repo.git(["add", "--all"]);
        for range in [&["check", "--staged"][..], &["check", "accepted..HEAD"]] {
            if range[1] != "--staged" {
                repo.commit("Pin");
            }
            let report = repo.json(range);
            let findings = report["findings"].as_array().unwrap().iter();
            let told: Vec<&str> = findings.map(|it| it["message"].as_str().unwrap()).collect();
            assert_eq!(told.join("; "), expected, "{range:?}: {}", repo.read(self.file));
        }
        repo.git(["reset", "--quiet", "--hard", "accepted"]);
    }
}

#[test]
fn what_a_range_does_to_a_pin_is_told_in_full() {
    let changed = "the text of `Valve` changed in substance: number `5` is now `9`";
    let unknown = "the text of `Valve` is not the one that was reviewed";
    for (file, others) in
        [("cases.yaml", 0), ("cases.yaml", 40), ("citecheck.pins.yaml", 0), ("citecheck.pins.yaml", 40)]
    {
        let scene = Scene::new(file, others);
        let [former, current, never] = &scene.pins;
        scene.check(|text| text.replace(current, former), changed);
        scene.check(|text| text.replace(current, never), unknown);
        scene.check(|text| text.to_owned(), "");
        let without = |text: &str| match file {
            "cases.yaml" => text.replace(&format!("@{current}"), ""),
            _ => text.lines().filter(|line| !line.contains(current)).map(|line| format!("{line}\n")).collect(),
        };
        scene.check(without, changed);
        // Whoever edits a case reviews it.
        if file == "cases.yaml" {
            scene.check(|text| without(text).replace("cites", "expected: Opens.\n    cites"), "");
            scene.check(|text| text.replace(&format!("@{current}"), "@begin"), changed);
            scene.check(|text| format!("{text}  - id: TC-2\n    cites: [valve@{former}]\n"), changed);
            scene.check(|text| text.replace("valve@", "m/valve@"), "");
            scene.check(|text| text.replace(&format!("valve@{current}"), "m/valve"), changed);
        }
    }
}

#[test]
fn a_pin_that_holds_what_was_stale_before_makes_nothing_stale() {
    for others in [0, 40] {
        let scene = Scene::new("cases.yaml", others);
        let [former, current, _] = &scene.pins;
        scene.repo.write("cases.yaml", scene.repo.read("cases.yaml").replace(&format!("@{current}"), ""));
        scene.repo.commit("Take the pin out");
        scene.repo.git(["tag", "--force", "accepted"]);
        scene.check(|text| text.replace("valve", &format!("valve@{former}")), "");
        scene.check(|text| text.replace("valve", &format!("m/valve@{former}")), "");
    }
}
