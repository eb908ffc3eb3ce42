//! The configuration, its globs, settings of the command line, and the pins file: problems have places, what is written
//! out or proposed reads as a configuration, and an edit of a pin is the only thing that changes.

use std::collections::BTreeMap;

use super::{is_place, parts_of, text_of, worktree};
use crate::cases::CaseId;
use crate::commands::init;
use crate::config::{Config, Setting, dump, is_setting, read_with, setting_help};
use crate::review::pins::{self, PinEdit, Pins};
use crate::rules::RULES;
use crate::source::{RepoPath, Rev, Sources};
use crate::survey::{Text, survey};

/// The input is, between dividers, a configuration, which is taken for a case file, too, paths, one a line, settings, one a
/// line, a pins file, and a manual.
pub fn config(input: &[u8]) {
    let Some(text) = text_of(input) else { return };
    let mut parts = parts_of(text);
    let mut next = || parts.next().unwrap_or_default();
    let [text, paths, settings, pinned, manual] = std::array::from_fn(|_| next());
    let paths: Vec<RepoPath> = paths.lines().map(RepoPath::new).collect();
    if let Some(read) = read(text, &[]) {
        check_globs(&read, &paths);
        check_dump(&read);
    }
    let settings: Vec<&str> = settings.lines().filter(|it| is_setting(it)).take(4).collect();
    if let Some(read) = read("", &settings) {
        check_dump(&read);
    }
    settings.iter().for_each(|setting| drop(setting_help(setting)));
    check_pins(pinned);
    check_proposal(manual, text);
}

fn read(text: &str, settings: &[&str]) -> Option<Config> {
    let names: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    let mut sources = Sources::default();
    let source = sources.add(Rev::Worktree, RepoPath::new("citecheck.yaml"), text);
    let mut setting = |text| Setting { source: sources.add(Rev::Worktree, RepoPath::new("--config"), text), text };
    let settings: Vec<Setting<'_>> = settings.iter().map(|text| setting(*text)).collect();
    match read_with((source, text), &settings, &names) {
        Ok(config) => Some(config),
        Err(error) => {
            assert!(!error.problems.is_empty(), "{text:?}");
            for problem in &error.problems {
                assert!(is_place(&sources.get(problem.span.source).text, problem.span), "{problem:?} of {text:?}");
            }
            None
        }
    }
}

fn check_globs(config: &Config, paths: &[RepoPath]) {
    let unused = config.manuals.unused(paths.iter());
    let is_used = |path: &RepoPath| config.manuals.unused(std::iter::once(path)).len() < unused.len();
    assert!(unused.is_empty() || !paths.iter().any(is_used), "a pattern that matches is unused: {unused:?}");
    for path in paths {
        let _ = config.is_manual(path);
        assert!(config.case_group(path).is_none_or(|group| group.files.matches(path)), "{path}");
    }
}

/// What is written out is a configuration that means the same.
fn check_dump(config: &Config) {
    let written = dump(config, RULES);
    let again = read(&written, &[]).map(|config| dump(&config, RULES));
    assert_eq!(again.as_deref(), Some(written.as_str()));
}

/// What `init` proposes for a repository is a configuration.
fn check_proposal(manual: &str, cases: &str) {
    let text = |path: &str, text: &str| Text { path: RepoPath::new(path), text: text.to_owned() };
    let proposed = init::proposal(&survey(&[text("docs/m.md", manual)], &[text("c.yaml", cases)], &[]));
    assert!(read(&proposed, &[]).is_some(), "{proposed}");
}

fn check_pins(text: &str) {
    let (_, source) = worktree("citecheck.pins.yaml", text);
    let parsed = pins::parse(source, text);
    let read = &parsed.value;
    for (_, _, entry) in read.iter() {
        assert!(is_place(text, entry.span) && is_place(text, entry.pin.span), "{entry:?} of {text:?}");
    }
    let keys: Vec<(CaseId, String)> =
        read.iter().map(|(case, citation, _)| (case.clone(), citation.to_owned())).collect();
    let fresh = (CaseId("new: 'one'".to_owned()), "a/b, c#d".to_owned());
    for (case, citation) in keys.into_iter().take(3).chain([fresh]) {
        let fingerprint = "c1-00112233445566778899".to_owned();
        for edit in [
            PinEdit::Set { case: case.clone(), citation: citation.clone(), fingerprint },
            PinEdit::Remove { case: case.clone(), citation: citation.clone() },
        ] {
            check_edit(text, read, parsed.problems.is_empty(), &edit);
        }
    }
}

/// The edit holds, and every other pin is what it was. A file of another form than the promised one may refuse it.
fn check_edit(text: &str, pins: &Pins, is_valid: bool, edit: &PinEdit) {
    let (_, source) = worktree("citecheck.pins.yaml", text);
    let out = pins::rewritten(source, text, pins, std::slice::from_ref(edit));
    if !is_valid {
        return;
    }
    let Some(out) = out else {
        assert!(!is_one_a_line(text, pins), "{edit:?} of {text:?} is refused");
        return;
    };
    let again = pins::parse(source, &out);
    let mut expected = spelled(pins);
    match edit {
        PinEdit::Set { case, citation, fingerprint } => {
            expected.insert((case.clone(), citation.clone()), fingerprint.clone());
        }
        PinEdit::Remove { case, citation } => drop(expected.remove(&(case.clone(), citation.clone()))),
    }
    assert_eq!((again.problems, spelled(&again.value)), (Vec::new(), expected), "{edit:?} of {text:?} gives {out:?}");
}

/// Whether the file has the form that is promised to be written to: a pin in braces on each line.
fn is_one_a_line(text: &str, pins: &Pins) -> bool {
    let lines = text.trim_start_matches('\u{feff}').lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let is_pin = |line: &str| line.starts_with("- {case: ") && line.ends_with('}');
    let lines: Vec<&str> = lines.collect();
    lines.iter().all(|line| is_pin(line)) && lines.len() == pins.iter().count()
}

fn spelled(pins: &Pins) -> BTreeMap<(CaseId, String), String> {
    let pin = |(case, citation, entry): (&CaseId, &str, &pins::PinLine)| {
        ((case.clone(), citation.to_owned()), entry.pin.kind.spelled())
    };
    pins.iter().map(pin).collect()
}
