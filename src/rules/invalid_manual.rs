//! `invalid-manual`: a manual file can't be read.

use super::{Input, describe};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::manual::Problem;

pub(crate) static RULE: Rule = Rule {
    name: "invalid-manual",
    level: Some(Level::Error),
    summary: "a manual file can't be read as text",
    explain: "\
The file is selected as a manual but is not UTF-8 text, is a pointer of Git LFS whose content is not here, leads out
of the repository, or is longer than anybody reads (16 MiB or 500,000 lines). What it says can't be compared, so nothing
that cites it is called fresh.

What to do: convert the file to UTF-8, fetch the content (`git lfs pull`), or exclude the file:
`manuals: [\"docs/**/*.md\", \"!docs/generated/**\"]`.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
```

```markdown docs/service.md
version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 12345
```

Corrected:

```markdown docs/service.md
## Service
Replace the hose every year.
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for problem in input.manual_problems {
        match problem {
            Problem::Unreadable { span, why } => {
                findings.push(describe::told_by_reader(&RULE, *span, why));
            }
            Problem::DuplicateId { .. } => {}
        }
    }
    for file in input.unreadable.iter().filter(|file| file.is_manual) {
        findings.push(describe::told_by_reader(&RULE, file.span, &file.why));
    }
}
