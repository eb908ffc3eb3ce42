//! `duplicate-case-id`: two cases have the same id.

use std::collections::BTreeMap;

use super::{Input, describe};
use crate::cases::{Case, CaseId};
use crate::diagnostic::{Diagnostic, Level, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "duplicate-case-id",
    level: Some(Level::Error),
    summary: "two cases have the same id",
    explain: "\
A case is known by its id wherever it stands, so that moving it to another file changes nothing. Two cases with one id
can't be told apart in history.

Cases that cite nothing have no history to be told apart in: their ids may repeat.

Cases whose id is itself the citation (a test plan keyed by requirement) may repeat it; they are told apart by order.

What to do: give one of them another id.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
- id: TC-1
  cites: [alarms]
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
- id: TC-2
  cites: [alarms]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    let mut first: BTreeMap<&CaseId, &Case> = BTreeMap::new();
    for case in input.case_files.iter().flat_map(|file| &file.cases).filter(|case| !case.cited_id) {
        let Some(other) = first.get(&case.id) else {
            first.insert(&case.id, case);
            continue;
        };
        if case.citations.is_empty() && other.citations.is_empty() {
            continue;
        }
        let message = format!("two cases have the id `{}`", case.id.0);
        let mut finding = describe::about_file(&RULE, case.id_span, message, "used here again");
        finding.snippets.push(describe::other_place(other.id_span, "first used here"));
        finding.helps.push("give one of them another id".to_owned());
        finding.facts.case = Some(case.id.0.clone());
        findings.push(finding);
    }
}
