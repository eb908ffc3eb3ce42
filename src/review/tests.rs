//! Random histories against a slow and obvious reading of what a review point is: every citation must have the review
//! point that the definition gives it, and what became of its section must be what the history did to it.
//!
//! Sections have a hidden identity here, told by their words, so that what a renamed, moved and edited section is needs
//! no guess.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use git2::{Oid, Repository, Signature};

use super::{Archive, Basis, Lineage, Reading, Review, Reviewer, Route};
use crate::cases::{self, Shape};
use crate::diff::{Lexicons, Magnitude, Outcome};
use crate::git::{Env, Repo};
use crate::manual::{Manual, Options, SectionRef, Target};
use crate::source::{CommitId, RepoPath, Rev, Sources};

const HISTORIES: u64 = 2_000;
const NAMES: [&str; 6] = ["Alpha", "Bravo", "Delta", "Kilo", "Tango", "Zulu"];
const MANUALS: [&str; 2] = ["a.md", "b.md"];
const CASES: [&str; 2] = ["one.yaml", "two.yaml"];

/// A section of the manual; its place in its file is its place in [`State::sections`].
#[derive(Clone, PartialEq, Eq)]
struct Section {
    name: usize,
    title: u32,
    text: u32,
    file: usize,
}

#[derive(Clone, PartialEq, Eq)]
struct Case {
    id: u32,
    file: usize,
    content: u32,
    layout: u32,
    cites: Vec<String>,
}

#[derive(Clone, Default)]
struct State {
    sections: Vec<Section>,
    cases: Vec<Case>,
}

struct Commit {
    id: Oid,
    parents: Vec<usize>,
    state: State,
}

/// What the definition says of one citation: the commit and the spelling there.
type Expected = (usize, String);

/// xorshift: the same histories on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.roll(from.len())].clone())
    }
}

impl Section {
    fn heading(&self) -> String {
        format!("{} v{}", NAMES[self.name], self.title)
    }

    fn slug(&self) -> String {
        format!("{}-v{}", NAMES[self.name].to_lowercase(), self.title)
    }

    fn body(&self) -> String {
        let words: Vec<String> = (0..30).map(|word| format!("{}{word}", NAMES[self.name])).collect();
        format!("{} for {} seconds.\n", words.join(" "), self.text)
    }
}

impl State {
    fn in_file(&self, file: usize) -> impl Iterator<Item = &Section> {
        self.sections.iter().filter(move |section| section.file == file)
    }

    /// The number `5.2` is the second section of the first file.
    fn resolve(&self, cited: &str) -> Option<&Section> {
        match cited.strip_prefix("§5.") {
            Some(number) => self.in_file(0).nth(number.parse::<usize>().unwrap() - 1),
            None => self.sections.iter().find(|section| section.slug() == cited),
        }
    }

    fn named(&self, name: usize) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    fn case(&self, id: u32) -> Option<&Case> {
        self.cases.iter().find(|case| case.id == id)
    }

    fn files(&self) -> BTreeMap<&'static str, String> {
        let mut files = BTreeMap::new();
        for (at, path) in MANUALS.iter().enumerate() {
            let mut text = format!("# Manual {path}\n");
            for (number, section) in self.in_file(at).enumerate() {
                let number = if at == 0 { format!("5.{} ", number + 1) } else { String::new() };
                text += &format!("\n## {number}{}\n\n{}", section.heading(), section.body());
            }
            files.insert(*path, text);
        }
        for (at, path) in CASES.iter().enumerate() {
            let cases: String = self.cases.iter().filter(|case| case.file == at).map(Case::yaml).collect();
            if !cases.is_empty() {
                files.insert(*path, format!("cases:\n{cases}"));
            }
        }
        files
    }
}

impl Case {
    fn yaml(&self) -> String {
        let cites: Vec<String> = self.cites.iter().map(|cited| format!("\"{cited}\"")).collect();
        let (id, step) = (self.id, self.content);
        match self.layout % 3 {
            0 => format!("  - id: TC-{id}\n    step: wait {step}\n    cites: [{}]\n", cites.join(", ")),
            1 => format!("  - cites: [{}] # why\n    id: 'TC-{id}'\n    step: \"wait {step}\"\n", cites.join(",")),
            _ => format!("  # first\n  - {{step: wait {step}, cites: [{}], id: TC-{id}}}\n", cites.join(", ")),
        }
    }
}

/// One random edit.
fn change(state: &mut State, dice: &mut Dice, fresh: &mut u32) {
    *fresh += 1;
    let version = *fresh;
    let count = state.sections.len();
    match dice.roll(16) {
        0..=2 if count > 0 => state.sections[dice.roll(count)].text = version,
        3 if count > 0 => state.sections[dice.roll(count)].title = version,
        4 if count > 1 => {
            let section = state.sections.remove(dice.roll(count));
            state.sections.insert(dice.roll(count), section);
        }
        5 if count > 0 => {
            let at = dice.roll(count);
            state.sections[at].file = 1 - state.sections[at].file;
        }
        6 if count > 2 => _ = state.sections.remove(dice.roll(count)),
        7 => {
            let absent: Vec<usize> = (0..NAMES.len()).filter(|name| state.named(*name).is_none()).collect();
            if let Some(name) = dice.pick(&absent) {
                let section = Section { name, title: version, text: version, file: dice.roll(2) };
                state.sections.insert(dice.roll(count + 1), section);
            }
        }
        _ => change_cases(state, dice, version),
    }
}

fn change_cases(state: &mut State, dice: &mut Dice, version: u32) {
    let spellings = spellings(state);
    if state.cases.is_empty() {
        return;
    }
    let at = dice.roll(state.cases.len());
    let current = state.clone();
    let case = &mut state.cases[at];
    let cite = if case.cites.is_empty() { 0 } else { dice.roll(case.cites.len()) };
    match dice.roll(8) {
        0 => case.content = version,
        1 => case.layout = version,
        2 => case.file = 1 - case.file,
        3 => case.cites.extend(dice.pick(&spellings)),
        4 if case.cites.len() > 1 => _ = case.cites.remove(cite),
        5 => case.cites[cite] = dice.pick(&spellings).unwrap_or_else(|| case.cites[cite].clone()),
        // What `fix` does, whether or not it is needed.
        _ => {
            let name = NAMES.iter().position(|name| case.cites[cite].starts_with(&name.to_lowercase()));
            let now = name.and_then(|name| current.named(name));
            case.cites[cite] = now.map_or_else(|| case.cites[cite].clone(), Section::slug);
        }
    }
    case.cites.sort();
    case.cites.dedup();
}

fn spellings(state: &State) -> Vec<String> {
    let slugs = state.sections.iter().map(Section::slug);
    let numbers = (1..=state.in_file(0).count()).map(|number| format!("§5.{number}"));
    slugs.chain(numbers).collect()
}

/// Takes each section and each case from one of two sides.
fn merged(one: &State, other: &State, dice: &mut Dice) -> State {
    let mut state = State::default();
    for name in 0..NAMES.len() {
        let side = if dice.roll(2) == 0 { one } else { other };
        state.sections.extend(side.named(name).cloned());
    }
    let ids = one.cases.iter().chain(&other.cases).map(|case| case.id);
    for id in ids.collect::<std::collections::BTreeSet<_>>() {
        let side = if dice.roll(2) == 0 { one } else { other };
        state.cases.extend(side.case(id).cloned());
    }
    state
}

fn first(dice: &mut Dice) -> State {
    let section = |name: usize| Section { name, title: 0, text: 0, file: name % 2 };
    let mut state = State { sections: (0..4).map(section).collect(), cases: Vec::new() };
    let spellings = spellings(&state);
    for id in 0..3 {
        let cites = vec![dice.pick(&spellings).unwrap()];
        state.cases.push(Case { id, file: dice.roll(2), content: 0, layout: 0, cites });
    }
    state
}

fn history(git: &Repository, dice: &mut Dice) -> Vec<Commit> {
    let mut commits: Vec<Commit> = Vec::new();
    let mut fresh = 0;
    let length = 3 + dice.roll(9);
    for at in 0..length {
        let last = at.saturating_sub(1);
        let (parents, state) = match (at, dice.roll(10)) {
            (0, _) => (Vec::new(), first(dice)),
            // Reverts to what was, and branches off from there.
            (_, 0) => (vec![last], commits[dice.roll(at)].state.clone()),
            (_, 1 | 2) => {
                let parent = dice.roll(at);
                (vec![parent], commits[parent].state.clone())
            }
            (2.., 3 | 4) => {
                let other = dice.roll(last);
                (vec![last, other], merged(&commits[last].state, &commits[other].state, dice))
            }
            (_, _) => (vec![last], commits[last].state.clone()),
        };
        let mut state = state;
        if parents.len() == 1 {
            (0..=dice.roll(2)).for_each(|_| change(&mut state, dice, &mut fresh));
        }
        let id = write(git, &commits, &parents, &state);
        commits.push(Commit { id, parents, state });
    }
    commits
}

fn write(git: &Repository, commits: &[Commit], parents: &[usize], state: &State) -> Oid {
    let mut tree = git.treebuilder(None).unwrap();
    for (path, text) in state.files() {
        tree.insert(path, git.blob(text.as_bytes()).unwrap(), 0o100_644).unwrap();
    }
    let tree = git.find_tree(tree.write().unwrap()).unwrap();
    let parents: Vec<_> = parents.iter().map(|at| git.find_commit(commits[*at].id).unwrap()).collect();
    let who = Signature::new("Ada", "ada@example.org", &git2::Time::new(commits.len() as i64, 0)).unwrap();
    git.commit(None, &who, &who, "step", &tree, &parents.iter().collect::<Vec<_>>()).unwrap()
}

/// The definition, word by word: as long as a parent has the case the same and the citation in it, go there; a citation
/// that leads where another one of the case led before is that one. `None` where the section of the other one is gone:
/// what stands under its number now may count as that section, rewritten.
fn expected(commits: &[Commit], at: usize, id: u32, cited: &str) -> Option<Expected> {
    let commit = &commits[at];
    let case = commit.state.case(id).unwrap();
    let same: Vec<usize> = commit
        .parents
        .iter()
        .copied()
        .filter(|parent| commits[*parent].state.case(id).is_some_and(|there| there.content == case.content))
        .collect();
    let has = |parent: &&usize| commits[**parent].state.case(id).unwrap().cites.iter().any(|other| other == cited);
    if let Some(parent) = same.iter().find(has) {
        return expected(commits, *parent, id, cited);
    }
    let Some(parent) = same.first() else { return Some((at, cited.to_owned())) };
    let now = commit.state.resolve(cited);
    for other in commits[*parent].state.case(id).unwrap().cites.iter().filter(|other| !case.cites.contains(other)) {
        let (then, spelled) = landed(commits, expected(commits, *parent, id, other)?, (at, other));
        let was = commits[then].state.resolve(&spelled);
        let followed = was.and_then(|was| commit.state.named(was.name));
        if now.is_some() && (followed == now || commit.state.resolve(&spelled) == now) {
            return Some((then, spelled));
        }
        if was.is_some() && followed.is_none() && now.is_some() {
            return None;
        }
    }
    Some((at, cited.to_owned()))
}

/// Of a citation that led nowhere at its review point, the first commit since from which on it led somewhere until `end`.
fn landed(commits: &[Commit], (point, spelled): Expected, (end, cited): (usize, &str)) -> Expected {
    if commits[point].state.resolve(&spelled).is_some() {
        return (point, spelled);
    }
    let mut after = BTreeSet::from([point]);
    for (at, commit) in commits.iter().enumerate() {
        after.extend(commit.parents.iter().any(|parent| after.contains(parent)).then_some(at));
    }
    let mut at = end;
    let leads = |at: &&usize| after.contains(*at) && commits[**at].state.resolve(cited).is_some();
    while let Some(parent) = commits[at].parents.iter().find(leads) {
        at = *parent;
    }
    if at == end { (point, spelled) } else { (at, cited.to_owned()) }
}

/// The reviews of every citation of the last commit, in the order of files, cases and citations.
fn reviews(repo: &Repo, tip: Oid) -> (Vec<Review>, Manual) {
    let options = Options::default();
    let shape = Shape { id: vec!["id".into()], ..Shape::default() };
    let lexicons = std::sync::Arc::new(Lexicons::default());
    let is_manual = |_: &Rev, path: &RepoPath| path.as_bytes().ends_with(b".md");
    let shape_of = |path: &RepoPath| path.as_bytes().ends_with(b".yaml").then_some(&shape);
    let shapes = |_: &Rev, path: &RepoPath| shape_of(path).into_iter().cloned().collect();
    let reading = Reading {
        repo,
        options: &options,
        base_urls: &[],
        lexicons: &lexicons,
        is_manual: &is_manual,
        shapes: &shapes,
    };
    let rev = Rev::Commit(CommitId::new(&tip.to_string()));
    let snapshot = repo.snapshot(&rev, &|_| true).unwrap();
    let mut archive = Archive::new(reading, Sources::default());
    let mut files = Vec::new();
    for (path, entry) in snapshot.entries.iter().filter(|(path, _)| shape_of(path).is_some()) {
        let crate::git::Content::Text(bytes) = repo.read(&rev, path, entry).unwrap() else { panic!("text") };
        let text = String::from_utf8(bytes).unwrap();
        let source = archive.sources.add(rev.clone(), path.clone(), text.as_str());
        files.push(cases::parse(source, &text, &shape).value);
    }
    let checked = archive.edition(&rev, &Rc::new(snapshot.entries.clone())).unwrap();
    let lineage = Lineage::new(repo, &snapshot, &[], &|_| true).unwrap();
    let manual = checked.manual.clone();
    (Reviewer::new(archive, lineage, checked).review(&files, &|_| true, &|_, _| None).unwrap(), manual)
}

fn name(manual: &Manual, at: SectionRef) -> usize {
    let title = &manual.section(at).title;
    NAMES.iter().position(|name| title.starts_with(name)).unwrap()
}

/// What the review says became of the section: its name and whether its text changed, or that it is gone.
fn told(review: &Review, after: &Manual, place: &str) -> Option<(usize, Option<bool>)> {
    let way = review.way.as_ref()?;
    let Target::Section(section) = way.target else { panic!("only sections are cited") };
    let was = name(&way.from.manual, section);
    let fate = match &way.route {
        Route::Still(Target::Section(at)) => Some((name(after, *at), false)),
        Route::Still(Target::File(_)) => panic!("only sections are cited"),
        Route::Changed(compared) => {
            let change = compared.change_of(section).unwrap();
            match change.outcome {
                Outcome::Same { after: at, .. } => Some((name(after, at), change.edit.magnitude > Magnitude::Trivial)),
                Outcome::Removed { .. } => None,
                ref other @ (Outcome::Split { .. }
                | Outcome::Merged { .. }
                | Outcome::Ambiguous { .. }
                | Outcome::Added { .. }) => panic!("{place}: {other:?}"),
            }
        }
    };
    // What stands under the number and between the neighbours of a section that is gone counts as that section,
    // rewritten. It never counts as unchanged.
    let gone = fate.is_none_or(|(is, changed)| is != was && changed);
    assert!(gone || fate.is_some_and(|(is, _)| is == was), "{place}: {} was followed to {fate:?}", NAMES[was]);
    Some((was, fate.filter(|_| !gone).map(|(_, changed)| changed)))
}

/// The commits after `base` that gave a section another text than it has in any parent, or none, latest first. `None` where
/// it came back after it had gone: whether it is the same one then is a matter of opinion.
fn changing(commits: &[Commit], base: usize, name: usize) -> Option<Vec<usize>> {
    let history = |from: usize| {
        let mut found = BTreeSet::from([from]);
        for at in (0..=from).rev() {
            let parents = if found.contains(&at) { &commits[at].parents[..] } else { &[] };
            found.extend(parents);
        }
        found
    };
    let text = |at: usize| commits[at].state.named(name).map(|section| section.text);
    let after: Vec<usize> = history(commits.len() - 1).difference(&history(base)).copied().collect();
    let comes_back = after.iter().skip_while(|at| text(**at).is_some()).any(|at| text(*at).is_some());
    let is_change = |at: &usize| commits[*at].parents.iter().all(|parent| text(*parent) != text(*at));
    (!comes_back).then(|| after.into_iter().rev().filter(is_change).collect())
}

/// Every commit that changed or removed the text is named, wherever the section stood; where it was removed, no other.
fn check_since(commits: &[Commit], base: usize, (name, is_there): (usize, bool), review: &Review, place: &str) {
    let Some(expected) = changing(commits, base, name) else { return };
    let place_of = |id: &str| commits.iter().position(|commit| commit.id.to_string() == id).unwrap();
    let named: Vec<usize> = review.since.iter().map(|commit| place_of(commit.id.as_str())).collect();
    assert!(expected.iter().all(|at| named.contains(at)), "{place}: changed by {expected:?}, told {named:?}");
    let way = review.way.as_ref().unwrap();
    if let (Route::Changed(compared), Target::Section(section), false) = (&way.route, way.target, is_there)
        && matches!(compared.outcome_of(section), Some(Outcome::Removed { .. }))
    {
        assert_eq!(named, expected, "{place}");
    }
}

fn check(seed: u64, git: &Repository, repo: &Repo) {
    let commits = history(git, &mut Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1));
    let tip = commits.len() - 1;
    let state = &commits[tip].state;
    let (reviews, manual) = reviews(repo, commits[tip].id);
    let mut reviews = reviews.iter();
    for file in 0..CASES.len() {
        for case in state.cases.iter().filter(|case| case.file == file) {
            for cited in &case.cites {
                let review = reviews.next().unwrap();
                let Some(point) = expected(&commits, tip, case.id, cited) else { continue };
                let (at, spelled) = match state.resolve(cited) {
                    Some(_) => landed(&commits, point, (tip, cited)),
                    None => point,
                };
                let basis =
                    if at == tip { Basis::Now } else { Basis::Commit(CommitId::new(&commits[at].id.to_string())) };
                let place = format!("history {seed}: TC-{} cites {cited}", case.id);
                assert_eq!(review.basis, basis, "{place}");
                let was = commits[at].state.resolve(&spelled).filter(|_| at != tip);
                let fate = was.map(|was| {
                    let is = state.named(was.name);
                    (was.name, is.map(|is| is.text != was.text))
                });
                assert_eq!(told(review, &manual, &place), fate, "{place}");
                if let Some((name, changed)) = fate.filter(|(_, changed)| *changed != Some(false)) {
                    check_since(&commits, at, (name, changed.is_some()), review, &place);
                }
            }
        }
    }
    assert!(reviews.next().is_none());
}

#[test]
fn review_points_and_what_followed_are_as_defined() {
    let folder = tempfile::tempdir().unwrap();
    let git = Repository::init_bare(folder.path()).unwrap();
    let repo = Repo::open(folder.path(), &Env::default()).unwrap();
    for seed in 1..=HISTORIES {
        check(seed, &git, &repo);
    }
}
