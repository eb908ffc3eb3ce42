//! `invalid-case`: a case that can't be checked as it is written.

use super::{Input, describe};
use crate::cases::Problem;
use crate::diagnostic::{Diagnostic, Level, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "invalid-case",
    level: Some(Level::Error),
    summary: "a case has no id, or a citation that can't be read",
    explain: "\
A mapping with a citation key is a case. It needs an id (`id`, `key`, or the key under which it stands), and each
citation is a scalar or a map with `section:` and, if wanted, `rev:`, `fingerprint:`, `quote:`, `title:`, `scope:`.

Keys of your own are left alone, but for what is one letter away from one of these, or `pin` or `revision`: it would not
be read. So is a key one letter away from the citation key that the cases beside it have, if its value names a section,
and a name behind `#`, which YAML takes for a comment.

What to do: correct the case at the place shown. Where the keys have other names in your files, say so in the
configuration (`cases: [{ files: …, id: [key], cites: [verifies] }]`).

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- title: The alarm sounds
  cites: [alarms]
```

Corrected:

```yaml cases.yaml
- id: TC-1
  title: The alarm sounds
  cites: [alarms]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for problem in input.case_problems {
        match problem {
            Problem::Case { message, span } => findings.push(describe::told_by_reader(&RULE, *span, message)),
            Problem::Yaml { .. } | Problem::DuplicateKey { .. } => {}
        }
    }
}
