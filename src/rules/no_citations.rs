//! `no-citations`: a case whose citation key holds nothing.

use super::{Input, describe};
use crate::diagnostic::{Diagnostic, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "no-citations",
    level: None,
    summary: "a case cites nothing",
    explain: "\
The case has a citation key with nothing under it, so no change of the manual will ever ask for a look at it. Off unless
it is configured, because a case that is being written has to start somewhere.

What to do: cite the section that the case tests, or remove the key if it tests none.

To tune: `rules: { no-citations: warning }`.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
- id: TC-2
  cites: []
```

```yaml citecheck.yaml
rules: { no-citations: warning }
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
    for case in input.case_files.iter().flat_map(|file| &file.cases).filter(|case| case.citations.is_empty()) {
        let message = format!("`{}` cites nothing", case.id.0);
        let mut finding = describe::about_file(&RULE, case.id_span, message, "its citation key is empty");
        finding.facts.case = Some(case.id.0.clone());
        finding.helps.push("cite the section that the case tests; `citecheck sections` lists them".to_owned());
        findings.push(finding);
    }
}
