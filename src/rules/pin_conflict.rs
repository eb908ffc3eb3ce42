//! `pin-conflict`: a merge left two pins for one citation.

use super::{Input, describe};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::review::pins::Problem;

pub(crate) static RULE: Rule = Rule {
    name: "pin-conflict",
    level: Some(Level::Error),
    summary: "a merge left two pins for one citation, or conflict markers, in the pins file",
    explain: "\
Two branches accepted the same citation against different texts, and both lines are in `citecheck.pins.yaml` now; or
the merge stopped and its conflict markers are still there. Neither pin is trusted: at most one of the two texts is
the one that stands in the manual.

What to do: finish the merge, keep either line, and run `citecheck check`: if the pin that was kept is not that of the
merged text, the case is reported as stale and wants a look. `citecheck accept CASE` then leaves one line.

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
- {case: TC-1, cites: alarms, fingerprint: c1-0123456789abcdef}
- {case: TC-1, cites: alarms, fingerprint: c1-d6221dd07788bb5a}
```

Corrected:

```yaml citecheck.pins.yaml
- {case: TC-1, cites: alarms, fingerprint: c1-d6221dd07788bb5a}
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for problem in input.pin_problems {
        let (message, first, second, help) = match problem {
            Problem::Contradiction { case, citation, first, second } => (
                format!("`{citation}` of `{}` is pinned to two texts", case.0),
                *first,
                *second,
                format!("look at the case, then run `citecheck accept {}`", describe::shell_word(&case.0)),
            ),
            Problem::Unmerged { first, second } => {
                let message = "the pins file has conflict markers of a merge".to_owned();
                (message, *first, *second, "keep the lines of both sides, then run `citecheck check`".to_owned())
            }
            Problem::Invalid { .. } => continue,
        };
        let mut finding = describe::about_file(&RULE, second, message, "");
        if first != second {
            finding.snippets.push(describe::other_place(first, ""));
        }
        finding.helps.push(help);
        findings.push(finding);
    }
}
