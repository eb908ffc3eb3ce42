//! `invalid-yaml`: a case file is not YAML.

use super::{Input, describe};
use crate::cases::Problem;
use crate::diagnostic::{Diagnostic, Level, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "invalid-yaml",
    level: Some(Level::Error),
    summary: "a case file can't be read as YAML",
    explain: "\
The file is not YAML 1.2, is not UTF-8 text, or exceeds a bound that keeps hostile files harmless (nesting, aliases).
The cases in the part that can't be read are not checked; other documents and files are.

What to do: mend the file at the place shown. If it is no case file, exclude it in the configuration:
`cases: [{ files: [\"tests/**/*.yaml\", \"!tests/data/**\"] }]`.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  cites: [alarms
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for problem in input.case_problems {
        match problem {
            Problem::Yaml { message, span } => {
                findings.push(describe::told_by_reader(&RULE, *span, message));
            }
            Problem::DuplicateKey { key, first, second } => {
                let message = format!("the key `{key}` stands twice in one mapping");
                let mut finding = describe::about_file(&RULE, *second, message, "stands here again");
                finding.snippets.push(describe::other_place(*first, "first used here"));
                findings.push(finding);
            }
            Problem::Case { .. } => {}
        }
    }
    for file in input.unreadable.iter().filter(|file| !file.is_manual) {
        findings.push(describe::told_by_reader(&RULE, file.span, &file.why));
    }
}
