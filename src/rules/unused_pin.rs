//! `unused-pin`: the pins file has a pin for a case or a citation that is gone.

use std::collections::BTreeMap;

use super::{Input, describe};
use crate::cases::{CaseId, Citation, Problem};
use crate::diagnostic::{Diagnostic, Level, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "unused-pin",
    level: Some(Level::Warning),
    summary: "the pins file has a pin that no citation uses",
    explain: "\
A line of `citecheck.pins.yaml` names a case that is gone, or a citation that its case does not have; or the citation
has a pin of its own, which wins. Often the case was renamed or the citation was respelled by hand: then the review is
lost with it, and the citation counts as reviewed when its case last changed.

What to do: remove the line, or give it the case's or the citation's present name. `citecheck fix` takes pins along
when it respells a citation.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-2
  cites: [alarms]
```

```yaml citecheck.yaml
pins: file
```

```yaml citecheck.pins.yaml
- {case: TC-1, cites: alarms, fingerprint: c1-d6221dd07788bb5a}
```

Corrected:

```yaml citecheck.pins.yaml
- {case: TC-2, cites: alarms, fingerprint: c1-d6221dd07788bb5a}
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    if !is_complete(input) {
        return;
    }
    let mut cited: BTreeMap<&CaseId, Vec<&Citation>> = BTreeMap::new();
    for case in input.case_files.iter().flat_map(|file| &file.cases) {
        cited.entry(&case.id).or_default().extend(&case.citations);
    }
    for (case, citation, entry) in input.pins.iter() {
        let message = match cited.get(case) {
            None => format!("no case has the id `{}`", case.0),
            Some(citations) => {
                let mut same = citations.iter().filter(|it| it.text == citation).peekable();
                if same.peek().is_none() {
                    format!("`{}` has no citation `{citation}`", case.0)
                } else if same.all(|it| !it.pins.is_empty()) {
                    format!("`{citation}` of `{}` has a pin of its own", case.0)
                } else {
                    continue;
                }
            }
        };
        let mut finding = describe::about_file(&RULE, entry.span, message, "this pin is not used");
        finding.helps.push(help(&heirs(input, &cited, (case, citation))));
        findings.push(finding);
    }
}

/// The cases with this citation and no pin for it, where the one that had the pin is gone: it may have another id now.
fn heirs<'a>(
    input: &Input<'_>,
    cited: &BTreeMap<&'a CaseId, Vec<&Citation>>,
    (gone, citation): (&CaseId, &str),
) -> Vec<&'a CaseId> {
    if cited.contains_key(gone) {
        return Vec::new();
    }
    let is_heir = |(case, citations): &(&&CaseId, &Vec<&Citation>)| {
        citations.iter().any(|it| it.text == citation && it.pins.is_empty()) && input.pins.get(case, citation).is_none()
    };
    cited.iter().filter(is_heir).map(|(case, _)| *case).collect()
}

/// A review that goes with its line is forgotten: what it was of counts as reviewed when the case last changed.
fn help(heirs: &[&CaseId]) -> String {
    match heirs {
        [] => "remove the line, or give it the present name".to_owned(),
        [heir] => format!("if that case is `{}` now, write this id into the line; else remove it", heir.0),
        [heir, _, ..] => {
            format!("if that case has another id now, as `{}`, write that into the line; else remove it", heir.0)
        }
    }
}

/// Whether all cases are known: one that can't be read may have the citation.
fn is_complete(input: &Input<'_>) -> bool {
    let is_yaml = |problem: &Problem| matches!(problem, Problem::Yaml { .. });
    input.is_complete && !input.case_problems.iter().any(is_yaml) && input.unreadable.iter().all(|file| file.is_manual)
}
