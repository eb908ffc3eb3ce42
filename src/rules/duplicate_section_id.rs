//! `duplicate-section-id`: two sections of one file carry the same explicit id.

use super::{Input, describe};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::manual::Problem;

pub(crate) static RULE: Rule = Rule {
    name: "duplicate-section-id",
    level: Some(Level::Error),
    summary: "two sections of one file have the same explicit id",
    explain: "\
An explicit id (`{#id}`, `<a id=\"…\">`, an id pattern) names one section. Here two carry the same, so a citation of it
can't be followed. It happens when two branches add a section each and merge without a conflict.

What to do: give one of them another id.

Reported:

```markdown docs/manual.md
## Door alarm {#alarm}
It sounds until the door is closed.

## Heat alarm {#alarm}
It sounds until the plate is cool.
```

```yaml cases.yaml
- id: TC-1
  cites: [docs/manual.md]
```

Corrected:

```markdown docs/manual.md
## Door alarm {#door-alarm}
It sounds until the door is closed.

## Heat alarm {#heat-alarm}
It sounds until the plate is cool.
```

```yaml cases.yaml
- id: TC-1
  cites: [door-alarm, heat-alarm]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for problem in input.manual_problems {
        match problem {
            Problem::DuplicateId { id, first, second } => {
                let message = format!("two sections have the id `{id}`");
                let mut finding = describe::about_file(&RULE, *second, message, "used here again");
                finding.snippets.push(describe::other_place(*first, "first used here"));
                finding.helps.push("give one of them another id".to_owned());
                findings.push(finding);
            }
            Problem::Unreadable { .. } | Problem::Unmerged { .. } | Problem::OpenFence { .. } => {}
        }
    }
}
