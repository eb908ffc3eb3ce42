//! The examples of the rules, as `citecheck explain` prints them, and repositories made from them. Holds no expectations.

use std::fmt::Write as _;

use crate::support::Repo;

/// The states of an example, each from the one before.
const STATES: [&str; 3] = ["Reviewed:", "Reported:", "Corrected:"];

/// What a rule's text shows, step by step.
#[derive(Debug, Default)]
pub(crate) struct Scene {
    /// What the last review saw; nothing where it does not matter.
    pub(crate) reviewed: Vec<Block>,
    pub(crate) reported: Vec<Block>,
    pub(crate) corrected: Vec<Block>,
}

/// A block of code.
#[derive(Debug)]
pub(crate) enum Block {
    File {
        path: String,
        text: String,
    },
    /// Commands, one a line: of git, or of citecheck.
    Commands(String),
}

/// The names of all rules, in the order of `citecheck rules`.
pub(crate) fn rules() -> Vec<String> {
    let out = Repo::bare_folder().citecheck(["rules"]);
    out.stdout.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

impl Scene {
    /// The example of a rule.
    pub(crate) fn of(rule: &str) -> Self {
        let out = Repo::bare_folder().citecheck(["explain", rule]);
        assert_eq!(out.code, 0, "{}", out.stderr);
        Self::parse(&out.stdout)
    }

    fn parse(text: &str) -> Self {
        let mut scene = Self::default();
        let mut state = None;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(at) = STATES.iter().position(|state| *state == line) {
                assert!(state.is_none_or(|before| before < at), "`{line}` is out of order");
                state = Some(at);
            }
            let Some(info) = line.strip_prefix("```") else { continue };
            let body = lines.by_ref().take_while(|line| *line != "```").fold(String::new(), |mut body, line| {
                writeln!(body, "{line}").unwrap();
                body
            });
            let block = match info.split_once(' ') {
                Some((_, path)) => Block::File { path: path.to_owned(), text: body },
                None if info == "sh" => Block::Commands(body),
                None => panic!("a block is a file or `sh`, not `{info}`"),
            };
            let states = [&mut scene.reviewed, &mut scene.reported, &mut scene.corrected];
            states.into_iter().nth(state.expect("a block belongs to a state")).unwrap().push(block);
        }
        scene
    }

    /// A repository in the state that is reported: one commit for it, after one for the review.
    pub(crate) fn set_up(&self) -> Repo {
        let repo = Repo::new();
        if !self.reviewed.is_empty() {
            apply(&self.reviewed, &repo);
            repo.commit("Add manual and cases");
        }
        let clone = self.reported.iter().any(|block| matches!(block, Block::Commands(text) if is_clone(text)));
        apply(&self.reported, &repo);
        repo.commit("Edit them");
        if clone {
            repo.make_shallow();
        }
        repo
    }
}

/// A clone is made of the repository itself, whatever address stands there, and when everything is committed.
fn is_clone(command: &str) -> bool {
    command.starts_with("git clone --depth 1 ")
}

/// Writes the files and runs the commands.
pub(crate) fn apply(blocks: &[Block], repo: &Repo) {
    for block in blocks {
        match block {
            Block::File { path, text } => repo.write(path, text),
            Block::Commands(commands) if is_clone(commands) => {}
            Block::Commands(commands) => commands.lines().for_each(|line| command(line, repo)),
        }
    }
}

fn command(line: &str, repo: &Repo) {
    let mut words = line.split(' ');
    match words.next() {
        Some("git") => _ = repo.git(words),
        Some("citecheck") => {
            let out = repo.citecheck(words);
            assert_eq!(out.code, 0, "{line}: {}{}", out.stdout, out.stderr);
        }
        program => panic!("an example runs {program:?}"),
    }
}
