//! `invalid-suppression`: a comment to citecheck that suppresses nothing, because it can't be understood.

use super::{Input, describe, suppression};
use crate::diagnostic::{Diagnostic, Level, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "invalid-suppression",
    level: Some(Level::Error),
    summary: "a comment to citecheck has no reason, or names a rule that is none",
    explain: "\
A comment in a case file takes away the findings of a rule for one citation:

    cites:
      - safety-limits/cut-off   # citecheck: ignore[text-changed] only the example changed

It speaks for the citations on its line; alone on a line, for the next line. On the line where a case starts or has its
id, it speaks for all citations of the case. Several rules stand in the brackets with commas between them. The reason is
part of it: whoever reads the case next wants to know. Findings about files, as `invalid-yaml`, can't be suppressed.

What to do: correct the comment; until then it has no effect.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  cites:
    - alarms   # citecheck: ignore[text-changed]
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites:
    - alarms
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for comment in input.case_files.iter().flat_map(|file| &file.comments) {
        if let Err(why) = suppression::instruction(&comment.text) {
            findings.push(describe::told_by_reader(&RULE, comment.span, &format!("the comment has no effect: {why}")));
        }
    }
}
