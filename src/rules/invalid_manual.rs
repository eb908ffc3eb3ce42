//! `invalid-manual`: a manual file can't be read, or not as it was meant.

use super::{Input, describe};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::manual::Problem;
use crate::source::Span;

pub(crate) static RULE: Rule = Rule {
    name: "invalid-manual",
    level: Some(Level::Error),
    summary: "a manual file can't be read as text, or has conflict markers",
    explain: "\
The file is selected as a manual but is not UTF-8 text, is a pointer of Git LFS whose content is not here, leads out
of the repository, or is longer than anybody reads (16 MiB or 500,000 lines). What it says can't be compared, so nothing
that cites it is called fresh. So is a file with the markers of a merge that was not finished, as it says two things at
once; markers in code are text. A code fence that is never closed, so that what looks like headings below it is code, is a
warning.

What to do: convert the file to UTF-8, fetch the content (`git lfs pull`), finish the merge, close the fence, or exclude the
file: `manuals: [\"docs/**/*.md\", \"!docs/generated/**\"]`.

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
            Problem::Unmerged { first, second } => findings.push(unmerged(*first, *second)),
            Problem::OpenFence { span, headings } => findings.push(open_fence(*span, headings)),
            Problem::DuplicateId { .. } => {}
        }
    }
    for file in input.unreadable.iter().filter(|file| file.is_manual) {
        findings.push(describe::told_by_reader(&RULE, file.span, &file.why));
    }
}

fn unmerged(first: Span, second: Span) -> Diagnostic {
    let message = "the manual has conflict markers of a merge".to_owned();
    let mut finding = describe::about_file(&RULE, first, message, "");
    finding.snippets.push(describe::other_place(second, ""));
    finding.helps.push("keep what the text shall say of both sides, and take out the lines with the markers".to_owned());
    finding
}

fn open_fence(fence: Span, headings: &[String]) -> Diagnostic {
    let swallowed = match headings {
        [only] => format!("`{only}` is code"),
        [first, others @ ..] => match others.len() {
            1 => format!("`{first}` and 1 more heading are code"),
            more => format!("`{first}` and {more} more headings are code"),
        },
        [] => "all below it is code".to_owned(),
    };
    let message = format!("this code fence is never closed, so that {swallowed}");
    let mut finding = describe::about_file(&RULE, fence, message, "");
    finding.level = Level::Warning;
    finding.helps.push("close it where the code ends".to_owned());
    finding
}
