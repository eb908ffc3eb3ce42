//! `unused-suppression`: a comment suppresses a finding that there is not.

use super::{Input, describe};
use crate::cases::Spanned;
use crate::diagnostic::{Diagnostic, Level, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "unused-suppression",
    level: Some(Level::Warning),
    summary: "a comment suppresses a finding that there is not",
    explain: "\
A `# citecheck: ignore[rule] reason` stands where no citation has a finding of that rule: the case was reviewed since, or
the comment stands on another line than the citation. Left where it is, it would hide the next finding, which nobody
has judged.

What to do: remove the comment, or move it to the line of the citation or the line above it.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  cites:
    - alarms   # citecheck: ignore[text-changed] only the example changed
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites:
    - alarms
```",
};

/// `unused` are the comments, each with those of its rules that suppressed nothing.
pub(super) fn tell(input: &Input<'_>, unused: &[(&Spanned, Vec<&str>)], findings: &mut Vec<Diagnostic>) {
    if !input.is_complete {
        return;
    }
    for (comment, rules) in unused {
        let names: Vec<String> = rules.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("no finding of {} to suppress here", names.join(", "));
        let mut finding = describe::about_file(&RULE, comment.span, message, "");
        finding.helps.push("remove the comment".to_owned());
        findings.push(finding);
    }
}
