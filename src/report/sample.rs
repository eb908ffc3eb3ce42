//! One report that every format's test prints: grouped, fixable, removed and unreadable findings, over texts with a byte
//! order mark, CRLF, tabs, wide characters, emoji, long lines and everything hostile that a repository can hold.

use std::collections::{BTreeMap, BTreeSet};

use super::{CheckReport, DiffReport, Looks};
use crate::diagnostic::{
    ChangeFact, CheckSummary, CommitFact, Diagnostic, DiffSummary, EndFact, Facts, Fix, FragmentFact, JudgementFact,
    Label, Level, Rule, SectionFact, SignalFact, Snippet, TextFact, WordFact,
};
use crate::source::{CommitId, RepoPath, Rev, SourceId, Sources, Span};

pub(super) const BASE: &str = "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678";
const CASES: &str = "cases:
  - id: TC-017
    cites:
      - safety-limits/thermal-cut-off
  - id: TC-018
    cites:
      - safety-limits/thermal-cut-off
      - docs/manual.md#alarms
  - id: TC-019
    cites: [safety-limits/thermal-cut-off, safety-limits/over-pressure]
";
const MANUAL_BEFORE: &str = "\u{feff}# Pump\r
\r
## 5.2 Thermal cut-off\r
\r
When the plate is heated in normal use, the controller reads the sensor every 100 ms, and the heater shall switch off at \
45 °C within 2 s; the display then shows the alarm and the log keeps the value.\r
\r
## 5.3 Over-pressure 過圧 ⚠️\r
\r
\t弁は 3.5 bar で開く。\r
";
const MANUAL_AFTER: &str = "\u{feff}# Pump\r
\r
New introduction.\r
\r
## 5.2 Thermal cut-off\r
\r
When the plate is heated in normal use, the controller reads the sensor every 100 ms, and the heater should switch off at \
40 °C within 2 s; the display then shows the alarm and the log keeps the value.\r
\r
## 5.3 Alarms\r
";
const BROKEN: &str = "cases:\n\t- id: 漢字 \u{1b}[31m ::error::x ##[error]y \u{202e}evil\n";
pub(super) const BROKEN_PATH: &str = "tests/::error::\u{1b}[31m漢.yaml";

static TEXT_CHANGED: Rule = rule("text-changed", Level::Error);
static SECTION_MOVED: Rule = rule("section-moved", Level::Warning);
static SECTION_REMOVED: Rule = rule("section-removed", Level::Error);
static INVALID_YAML: Rule = rule("invalid-yaml", Level::Error);

const fn rule(name: &'static str, level: Level) -> Rule {
    Rule { name, level: Some(level), summary: "", explain: "" }
}

/// Owns what a [`CheckReport`] borrows.
pub(super) struct Sample {
    pub(super) sources: Sources,
    pub(super) findings: Vec<Diagnostic>,
    pub(super) notes: Vec<String>,
    /// Nothing: no format may need to know them.
    changed_files: BTreeSet<RepoPath>,
    kept_places: BTreeSet<Span>,
    shown: BTreeMap<RepoPath, String>,
}

pub(super) fn looks() -> Looks {
    Looks {
        color: false,
        width: 80,
        unicode: false,
        grouped: true,
        stat: false,
        ci_log: false,
        quiet: false,
        most: None,
    }
}

impl Sample {
    pub(super) fn new() -> Self {
        let mut sources = Sources::default();
        let cases = sources.add(Rev::Worktree, RepoPath::new("cases.yaml"), CASES);
        let base = Rev::Commit(CommitId::new(BASE));
        let before = sources.add(base, RepoPath::new("docs/manual.md"), MANUAL_BEFORE);
        let after = sources.add(Rev::Worktree, RepoPath::new("docs/manual.md"), MANUAL_AFTER);
        let broken = sources.add(Rev::Worktree, RepoPath::new(BROKEN_PATH), BROKEN);
        let find = |source, word: &str, nth| find(&sources, source, word, nth);
        let changed = |nth, case: &str| {
            text_changed(find(cases, "safety-limits/thermal-cut-off", nth), case, &|after_text, word| {
                find(if after_text { after } else { before }, word, 0)
            })
        };
        let findings = vec![
            changed(0, "TC-017"),
            changed(1, "TC-018"),
            section_moved(find(cases, "docs/manual.md#alarms", 0)),
            changed(2, "TC-019"),
            section_removed(find(cases, "safety-limits/over-pressure", 0), &|word| find(before, word, 0)),
            invalid_yaml(find(broken, "\t", 0), find(broken, "漢字", 0)),
        ];
        let notes =
            vec!["2 citations were stale before a1b2c3d already; `citecheck check --all` shows them".to_owned()];
        Self {
            sources,
            findings,
            notes,
            changed_files: BTreeSet::new(),
            kept_places: BTreeSet::new(),
            shown: BTreeMap::new(),
        }
    }

    pub(super) fn report(&self) -> CheckReport<'_> {
        CheckReport {
            base: EndFact { rev: "HEAD".to_owned(), commit: Some(BASE.to_owned()) },
            head: EndFact { rev: "worktree".to_owned(), commit: None },
            findings: &self.findings,
            notes: &self.notes,
            sources: &self.sources,
            summary: CheckSummary {
                changed_manuals: None,
                has_cases: true,
                manuals: 12,
                sections: 340,
                cases: 9,
                citations: 1_204,
                suppressed: 0,
                elsewhere: 0,
                older: 0,
                fresh: 1_199,
                is_range_only: false,
                cases_to_look_at: 3,
                fixable: 1,
                findings: 6,
                errors: 5,
                warnings: 1,
                uncited_substantive: 0,
                renumbered: 290,
            },
            cases: &[],
            changed_files: &self.changed_files,
            kept_places: &self.kept_places,
            shown: &self.shown,
            statistics: false,
            category: "citecheck",
        }
    }
}

fn find(sources: &Sources, source: SourceId, word: &str, nth: usize) -> Span {
    let (start, word) = sources.get(source).text.match_indices(word).nth(nth).unwrap();
    Span::new(source, start, start + word.len())
}

fn label(span: Span, text: &str) -> Label {
    Label { span, text: text.to_owned() }
}

fn text_changed(citation: Span, case: &str, find: &dyn Fn(bool, &str) -> Span) -> Diagnostic {
    let snippet = |after: bool, title: &str, modality: &str, number: &str| Snippet {
        title: title.to_owned(),
        labels: vec![label(find(after, modality), "modality"), label(find(after, number), "number")],
        visible: vec![find(after, "## 5.2 Thermal cut-off")],
    };
    Diagnostic {
        rule: &TEXT_CHANGED,
        level: Level::Error,
        message: "`safety-limits/thermal-cut-off` changed since it was reviewed".to_owned(),
        primary: label(citation, "reviewed at a1b2c3d"),
        snippets: vec![
            snippet(false, "the manual said", "shall", "45"),
            snippet(true, "the manual now says", "should", "40"),
        ],
        notes: vec![
            "changed by 9f8e7d6 on 2026-11-30 (Kim Doe): Lower the limit \u{1b}[31m##[warning]and more words"
                .to_owned(),
        ],
        helps: vec!["review the case, then run `citecheck accept TC-017`".to_owned()],
        fix: None,
        facts: Facts {
            impacted: true,
            case: Some(case.to_owned()),
            citation: Some("safety-limits/thermal-cut-off".to_owned()),
            cited_at: Some(citation),
            before: Some(section("5.2", "safety-limits/thermal-cut-off", "Thermal cut-off", 3)),
            after: Some(section("5.2", "safety-limits/thermal-cut-off", "Thermal cut-off", 5)),
            change: Some(edited()),
            reviewed_at: Some(BASE.to_owned()),
            since: vec![CommitFact {
                id: "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432".to_owned(),
                date: "2026-11-30".to_owned(),
                author: "Kim Doe".to_owned(),
                subject: "Lower the limit \u{1b}[31m##[warning]".to_owned(),
            }],
            judgement: Some(JudgementFact {
                holds: false,
                reason: "It expects 45 °C \u{1b}[31m".to_owned(),
                model: "some-model".to_owned(),
            }),
        },
        group: Some("safety-limits/thermal-cut-off".to_owned()),
    }
}

fn section_moved(citation: Span) -> Diagnostic {
    let title = "cite the section where it is now".to_owned();
    Diagnostic {
        rule: &SECTION_MOVED,
        level: Level::Warning,
        message: "`docs/manual.md#alarms` moved to docs/alarms.md, same text".to_owned(),
        primary: label(citation, "no longer resolves"),
        snippets: Vec::new(),
        notes: Vec::new(),
        helps: Vec::new(),
        fix: Some(Fix { title, span: citation, replacement: "docs/alarms.md#alarms".to_owned() }),
        facts: Facts { impacted: true, case: Some("TC-018".to_owned()), ..Facts::default() },
        group: None,
    }
}

fn section_removed(citation: Span, find: &dyn Fn(&str) -> Span) -> Diagnostic {
    Diagnostic {
        rule: &SECTION_REMOVED,
        level: Level::Error,
        message: "`safety-limits/over-pressure` was removed".to_owned(),
        primary: label(citation, ""),
        snippets: vec![Snippet {
            title: "the manual said".to_owned(),
            labels: vec![label(find("3.5 bar"), "gone")],
            visible: vec![find("## 5.3 Over-pressure")],
        }],
        notes: Vec::new(),
        helps: vec!["cite another section, or delete the case".to_owned()],
        fix: None,
        facts: Facts { case: Some("TC-019".to_owned()), ..Facts::default() },
        group: None,
    }
}

fn invalid_yaml(tab: Span, word: Span) -> Diagnostic {
    Diagnostic {
        rule: &INVALID_YAML,
        level: Level::Error,
        message: "tabs cannot indent YAML".to_owned(),
        primary: label(tab, "a tab"),
        snippets: vec![Snippet {
            title: "\u{202e}evil\ntitle".to_owned(),
            labels: vec![label(word, "evil \u{9b}2J label\n::error::z")],
            visible: Vec::new(),
        }],
        notes: vec!["the other files were checked".to_owned()],
        helps: Vec::new(),
        fix: None,
        facts: Facts::default(),
        group: None,
    }
}

fn section(number: &str, id: &str, title: &str, line: usize) -> SectionFact {
    SectionFact {
        file: "docs/manual.md".to_owned(),
        id: id.to_owned(),
        number: Some(number.to_owned()),
        title: title.to_owned(),
        line,
    }
}

fn signal(kind: &'static str, before: &str, after: &str) -> SignalFact {
    SignalFact { kind, strong: true, before: before.to_owned(), after: after.to_owned() }
}

/// A section whose one long paragraph was edited in two places.
pub(super) fn edited() -> ChangeFact {
    let text = |line, text: &str| TextFact {
        line,
        text: text.lines().find(|it| it.starts_with("When")).unwrap().to_owned(),
        section: None,
    };
    let (before, after) = (text(5, MANUAL_BEFORE), text(7, MANUAL_AFTER));
    let range = |text: &TextFact, word: &str| text.text.find(word).map(|at| (at, at + word.len())).unwrap();
    let words = vec![
        WordFact { before: range(&before, "shall"), after: range(&after, "should") },
        WordFact { before: range(&before, "45"), after: range(&after, "40") },
    ];
    let signals = vec![signal("modality", "shall", "should"), signal("number", "45", "40")];
    ChangeFact {
        kinds: vec!["edited"],
        magnitude: "substantive",
        signals: signals.clone(),
        fragments: vec![FragmentFact {
            change: "changed",
            magnitude: "substantive",
            before: Some(before),
            after: Some(after),
            signals,
            words,
        }],
        cases: vec!["TC-017".to_owned(), "TC-018".to_owned(), "TC-019".to_owned()],
        ..change(
            Some(section("5.2", "safety-limits/thermal-cut-off", "Thermal cut-off", 3)),
            Some(section("5.2", "safety-limits/thermal-cut-off", "Thermal cut-off", 5)),
        )
    }
}

fn change(before: Option<SectionFact>, after: Option<SectionFact>) -> ChangeFact {
    ChangeFact {
        kinds: Vec::new(),
        magnitude: "none",
        with_parent: false,
        before,
        after,
        into: Vec::new(),
        from: Vec::new(),
        candidates: Vec::new(),
        signals: Vec::new(),
        fragments: Vec::new(),
        cases: Vec::new(),
    }
}

pub(super) fn diff_report(sections: &[ChangeFact]) -> DiffReport<'_> {
    DiffReport {
        base: EndFact { rev: "v1".to_owned(), commit: Some(BASE.to_owned()) },
        head: EndFact { rev: "v2".to_owned(), commit: Some(BASE.chars().rev().collect()) },
        sections,
        summary: DiffSummary {
            sections: 1_340,
            unchanged: 1_328,
            trivial: 1,
            minor: 1,
            substantive: 1,
            moved: 1,
            added: 1,
            removed: 1,
        },
    }
}

/// One change of every kind.
pub(super) fn changes() -> Vec<ChangeFact> {
    let parent = section("6", "alarms", "Alarms", 20);
    let moved_to = SectionFact { file: "docs/alarms.md".to_owned(), line: 1, number: None, ..parent.clone() };
    let child = |nth: usize, file: &str| SectionFact {
        file: file.to_owned(),
        ..section(&format!("6.{nth}"), &format!("alarms/kind-{nth}"), "Kind", 20 + nth)
    };
    let mut changes = vec![edited(), reworded()];
    changes.push(ChangeFact {
        kinds: vec!["moved"],
        cases: vec!["TC-018".to_owned()],
        ..change(Some(parent), Some(moved_to))
    });
    changes.extend((1..=3).map(|nth| ChangeFact {
        kinds: vec!["moved"],
        with_parent: true,
        ..change(Some(child(nth, "docs/manual.md")), Some(child(nth, "docs/alarms.md")))
    }));
    changes.extend((2..=5).map(|nth| ChangeFact {
        kinds: vec!["renumbered"],
        ..change(
            Some(section(&format!("7.{nth}"), &format!("service/s{nth}"), "S", 60)),
            Some(section(&format!("7.{}", nth + 1), &format!("service/s{nth}"), "S", 70)),
        )
    }));
    changes.push(ChangeFact {
        magnitude: "trivial",
        ..change(Some(section("8", "notes", "Notes", 90)), Some(section("8", "notes", "Notes", 95)))
    });
    changes
        .push(ChangeFact {
            kinds: vec!["added"], ..change(None, Some(section("9", "漢字", "漢字 \u{202e}evil", 99)))
        });
    changes.push(ChangeFact {
        kinds: vec!["removed"],
        cases: vec!["TC-019".to_owned()],
        ..change(Some(section("5.3", "safety-limits/over-pressure", "Over-pressure", 7)), None)
    });
    changes.push(split());
    changes.push(ChangeFact {
        kinds: vec!["ambiguous"],
        candidates: vec![(section("10.1", "x/y", "Y", 101), 0.4712), (section("10.2", "x/z", "Z", 105), 0.45)],
        ..change(Some(section("10", "x", "X", 100)), None)
    });
    changes
}

fn split() -> ChangeFact {
    let text = |line, text: &str, section| Some(TextFact { line, text: text.to_owned(), section });
    let into =
        vec![section("11.1", "care/daily", "Daily care", 120), section("11.2", "care/weekly", "Weekly care", 130)];
    let moved = FragmentFact {
        change: "moved",
        magnitude: "none",
        before: text(112, "Wipe the housing with a damp cloth.", None),
        after: text(132, "Wipe the housing with a damp cloth.", Some(into[1].clone())),
        signals: Vec::new(),
        words: Vec::new(),
    };
    let added = FragmentFact {
        change: "added",
        before: None,
        after: text(122, "::error:: Never \u{1b}[31mopen ##[group] it.", None),
        ..moved.clone()
    };
    let code = FragmentFact {
        change: "removed",
        before: text(114, "pump --stop\n\tpump --drain", None),
        after: None,
        ..moved.clone()
    };
    ChangeFact {
        kinds: vec!["edited", "split"],
        magnitude: "minor",
        into,
        fragments: vec![moved, added, code],
        ..change(Some(section("11", "care", "Care", 110)), None)
    }
}

/// A renamed and reworded section with a weak signal.
fn reworded() -> ChangeFact {
    let text = |line, text: &str| TextFact { line, text: text.to_owned(), section: None };
    let (before, after) = (text(12, "See 5.2 for the limit."), text(14, "See also 5.3 for the limit."));
    let words = vec![WordFact { before: (4, 4), after: (4, 9) }, WordFact { before: (4, 7), after: (9, 12) }];
    let signals = vec![SignalFact { strong: false, ..signal("cross-reference", "5.2", "5.3") }];
    ChangeFact {
        kinds: vec!["edited", "renamed", "renumbered"],
        magnitude: "minor",
        signals: signals.clone(),
        fragments: vec![FragmentFact {
            change: "changed",
            magnitude: "minor",
            before: Some(before),
            after: Some(after),
            signals,
            words,
        }],
        ..change(
            Some(section("5.4", "limits/others", "Others", 11)),
            Some(section("5.5", "limits/other-limits", "Other limits", 13)),
        )
    }
}
