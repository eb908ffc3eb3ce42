//! The checks of `doctor`: what each looks at, and in which words it tells. Adding one is a function and a line in a
//! table.

use super::{Item, Patient, State, fragile};
use crate::cases::CaseFile;
use crate::commands::{hook, plural};
use crate::config::PinPlace;
use crate::error::Error;
use crate::git::{Content, Repo};
use crate::manual::Target;
use crate::pipeline::Strays;
use crate::source::{RepoPath, Rev, Span};

type OfTheClone = fn(&Repo) -> Result<Vec<Item>, Error>;
type OfTheCases = fn(&Patient<'_>) -> Result<Vec<Item>, Error>;

/// Checks that need no configuration.
pub(super) const OF_THE_CLONE: &[(&str, OfTheClone)] = &[("hooks", hooks), ("ci", ci), ("history", history)];

/// Checks of what the configuration selects.
pub(super) const OF_THE_CASES: &[(&str, OfTheCases)] = &[
    ("configuration", configuration),
    ("manual", manual),
    ("cases", cases),
    ("citations", citations),
    ("citations", fragile::check),
    ("pins", pins),
];

/// Longer lists are cut.
pub(super) const SHOWN: usize = 5;

/// A configuration that cannot be used.
pub(super) fn broken(error: &Error) -> Item {
    let mut places: Vec<String> = Vec::new();
    if let Some(found) = error.places() {
        places.extend(found.problems.iter().map(|problem| problem.message.clone()));
    }
    Item::new(State::Problem, error.to_string()).places(cut(places)).next("`citecheck check` shows the places")
}

fn hooks(repo: &Repo) -> Result<Vec<Item>, Error> {
    let hooks = hook::hooks(repo)?;
    let usual: Vec<_> = hooks.iter().filter(|hook| hook.is_usual).collect();
    let running: Vec<&str> = hooks.iter().filter(|hook| hook.runs).map(|hook| hook.name).collect();
    if usual.iter().all(|hook| hook.runs) {
        return Ok(vec![Item::in_order(format!("{} run citecheck", running.join(", ")))]);
    }
    let idle: Vec<_> = usual.iter().filter(|hook| !hook.runs).collect();
    let places = idle.iter().map(|hook| format!("{}: {}", hook.name, hook.told)).collect();
    let text = if running.is_empty() { "no hook runs citecheck" } else { "not every hook runs citecheck" };
    Ok(vec![Item::new(State::Attention, text).places(places).next("citecheck hook install")])
}

/// Whether a workflow runs citecheck, and with a history.
fn ci(repo: &Repo) -> Result<Vec<Item>, Error> {
    let snapshot = repo.snapshot(&Rev::Worktree, &is_ci_file)?;
    let mut found: Vec<(String, bool)> = Vec::new();
    for (path, entry) in &snapshot.entries {
        let Content::Text(bytes) = repo.read(&Rev::Worktree, path, entry)? else { continue };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let lines = || text.lines().filter(|line| !line.trim_start().starts_with('#'));
        if lines().any(|line| line.contains("citecheck")) {
            let says = |word: &str| lines().any(|line| line.contains(word));
            let is_deep = !says("actions/checkout") || says("fetch-depth");
            found.push((path.to_string(), is_deep));
        }
    }
    let names = found.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>().join(", ");
    let text = "no workflow runs citecheck; hooks can be passed by, and a rebase runs none";
    Ok(vec![if found.is_empty() {
        Item::new(State::Attention, text).next("add the workflow of the README, section `On GitHub`")
    } else if let Some((path, _)) = found.iter().find(|(_, is_deep)| !is_deep) {
        let text = format!("{path} checks out one commit, so there is no history to compare with");
        Item::new(State::Problem, text).next("add `with: { fetch-depth: 0 }` to `actions/checkout`")
    } else {
        Item::in_order(format!("{names} runs citecheck"))
    }])
}

fn history(repo: &Repo) -> Result<Vec<Item>, Error> {
    Ok(vec![if repo.is_shallow() {
        let text = "the clone is shallow: reviews before its oldest commit are not known";
        Item::new(State::Problem, text).next("git fetch --unshallow")
    } else if repo.is_partial_clone() {
        let text = "the clone is partial: texts that were left out can't be read";
        Item::new(State::Attention, text).next("clone again without `--filter`")
    } else if repo.head()?.is_none() {
        Item::in_order("there is no commit yet")
    } else {
        Item::in_order("the clone has all of it")
    }])
}

fn configuration(patient: &Patient<'_>) -> Result<Vec<Item>, Error> {
    let defaults = "every Markdown file is the manual, and `cites` is the citation key";
    Ok(vec![if patient.has_config {
        Item::in_order("it loads, and every pattern selects something")
    } else if patient.revision.citations() > 0 {
        Item::in_order(format!("there is none, and there are cases without one: {defaults}"))
    } else {
        Item::new(State::Attention, format!("there is none: {defaults}")).next("citecheck init")
    }])
}

fn manual(patient: &Patient<'_>) -> Result<Vec<Item>, Error> {
    let manual = &patient.revision.manual;
    let (files, sections) = (manual.documents.len(), manual.sections().count());
    Ok(vec![if sections == 0 {
        Item::new(State::Problem, "no section was found").next("say in `manuals` which Markdown files are the manual")
    } else {
        Item::in_order(format!("{} with {}", plural(files, "file"), plural(sections, "section")))
    }])
}

fn cases(patient: &Patient<'_>) -> Result<Vec<Item>, Error> {
    let files = &patient.revision.cases;
    let cases = || files.iter().flat_map(|file| &file.cases);
    // Where a pattern looks for citations in texts, a text without one is no slip.
    let is_meant = |file: &&CaseFile| {
        let group = patient.config().case_group(&patient.session.sources.get(file.source).path);
        group.is_some_and(|group| group.shape.cite_pattern.is_none())
    };
    let strays = patient.session.strays(files, &patient.index);
    let count = cases().count();
    if count == 0 && strays.is_empty() {
        let next = if patient.has_config {
            "say in `cases` in which files and under which keys the cases are"
        } else {
            "citecheck init --dry-run"
        };
        return Ok(vec![Item::new(State::Problem, "no case was found, so nothing is checked").next(next)]);
    }
    let stray = strays_item(&strays);
    let idle: Vec<String> = files
        .iter()
        .filter(is_meant)
        .flat_map(|file| &file.cases)
        .filter(|case| case.citations.is_empty())
        .map(|case| format!("{} `{}`", patient.place(case.id_span), case.id.0))
        .collect();
    let citing =
        Item::in_order(format!("{}, {}", plural(count, "case"), plural(patient.revision.citations(), "citation")));
    let items = [Some(citing).filter(|_| count > 0), stray].into_iter().flatten();
    if idle.is_empty() {
        return Ok(items.collect());
    }
    let text =
        format!("{} of {} cite nothing, so no change will ask for a look at them", idle.len(), plural(count, "case"));
    let next = "cite what they test; `rules: { no-citations: warning }` keeps it so";
    Ok(items.chain([Item::new(State::Attention, text).places(cut(idle)).next(next)]).collect())
}

/// Case files of which no case is checked, for a key that is misspelt.
fn strays_item(strays: &[Strays]) -> Option<Item> {
    let first = strays.first()?;
    let places = strays.iter().map(|it| format!("{}:{}: {}", it.file, it.line, it.told())).collect();
    let text = match strays.len() {
        1 => "1 file cites under a key that is none, so nothing in it is checked".to_owned(),
        count => format!("{count} files cite under a key that is none, so nothing in them is checked"),
    };
    Some(Item::new(State::Attention, text).places(cut(places)).next(first.hint.clone()))
}

/// Whether every citation names one section or file.
fn citations(patient: &Patient<'_>) -> Result<Vec<Item>, Error> {
    let mut lost = Vec::new();
    for file in &patient.revision.cases {
        let path = &patient.session.sources.get(file.source).path;
        for citation in file.cases.iter().flat_map(|case| &case.citations) {
            let named: Vec<Target> = patient.index.named(&citation.text, Some(path));
            let why = match named.len() {
                0 => "nothing",
                1 => continue,
                _ => "several sections",
            };
            lost.push(format!("{} `{}` names {why}", patient.place(citation.span), citation.text));
        }
    }
    let count = patient.revision.citations();
    Ok(vec![if lost.is_empty() {
        Item::in_order("each names one section or file")
    } else {
        let text = format!("{} of {} name no single section", lost.len(), plural(count, "citation"));
        Item::new(State::Problem, text).places(cut(lost)).next("citecheck check")
    }])
}

fn pins(patient: &Patient<'_>) -> Result<Vec<Item>, Error> {
    let path = &patient.session.pins_path;
    Ok(match patient.config().pins {
        PinPlace::Inline => vec![Item::in_order("they stand in the citations")],
        PinPlace::File => vec![match patient.repo.attribute(path, "merge")?.as_deref() {
            Some("union") => Item::in_order(format!("they stand in {path}, which branches merge by themselves")),
            Some(_) | None => {
                let text = format!("two branches that accept will conflict in {path}");
                Item::new(State::Attention, text).next(format!("echo '{path} merge=union' >> .gitattributes"))
            }
        }],
    })
}

impl Patient<'_> {
    /// `file:line` of a place.
    pub(super) fn place(&self, span: Span) -> String {
        let sources = &self.session.sources;
        format!("{}:{}", sources.get(span.source).path, sources.line_column(span.source, span.start).line)
    }
}

/// The first of a list, and how many more there are.
fn cut(mut places: Vec<String>) -> Vec<String> {
    let more = places.len().saturating_sub(SHOWN);
    if more > 0 {
        places.truncate(SHOWN);
        places.push(format!("and {more} more"));
    }
    places
}

/// Files in which CI services look for what to run.
fn is_ci_file(path: &RepoPath) -> bool {
    let path = path.to_string();
    let known = [".gitlab-ci.yml", "azure-pipelines.yml", ".circleci/config.yml", "Jenkinsfile", ".woodpecker.yml"];
    let is_workflow = path.strip_prefix(".github/workflows/").is_some_and(|rest| !rest.contains('/'));
    is_workflow && (path.ends_with(".yml") || path.ends_with(".yaml")) || known.contains(&path.as_str())
}
