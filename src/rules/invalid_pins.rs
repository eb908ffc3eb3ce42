//! `invalid-pins`: a line of the pins file that is no pin.

use super::{Input, describe};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::review::pins::Problem;

pub(crate) static RULE: Rule = Rule {
    name: "invalid-pins",
    level: Some(Level::Error),
    summary: "a line of the pins file can't be read",
    explain: "\
`citecheck.pins.yaml` holds the pins that stand in no citation: a list with one pin a line, sorted, as

    - {case: TC-017, cites: safety-limits/thermal-cut-off, fingerprint: c1-0123456789abcdef}

A line that can't be read pins nothing: its citation counts as reviewed when its case last changed.

What to do: correct the line, or remove it and run `citecheck accept` for the case.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
```

```yaml citecheck.yaml
pins: file
```

```yaml citecheck.pins.yaml
- {case: TC-1, cites: alarms, fingerprint: unknown}
```

Corrected:

```yaml citecheck.pins.yaml
- {case: TC-1, cites: alarms, fingerprint: c1-d6221dd07788bb5a}
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for problem in input.pin_problems {
        match problem {
            Problem::Invalid { message, span } => {
                findings.push(describe::told_by_reader(&RULE, *span, &format!("the pin can't be read: {message}")));
            }
            Problem::Contradiction { .. } | Problem::Unmerged { .. } => {}
        }
    }
}
