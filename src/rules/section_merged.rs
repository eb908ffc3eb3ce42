//! `section-merged`: the cited section became part of another one.

use super::fate::{Fate, fate};
use super::{Input, describe, facts};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::diff::Magnitude;

pub(crate) static RULE: Rule = Rule {
    name: "section-merged",
    level: Some(Level::Warning),
    summary: "the section that a case cites became part of another section",
    explain: "\
The text of the cited section now stands in one section together with that of others. It is an error where the text
changed in substance at the same time, otherwise a warning.

What to do: cite the section that holds the text now, and see whether what came along matters to the case.

Reviewed:

```markdown docs/manual.md
## Door alarm
The alarm sounds until the door is closed.

## Heat alarm
The lamp blinks until the plate is cool.
```

```yaml cases.yaml
- id: TC-1
  cites: [heat-alarm]
```

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds until the door is closed.

The lamp blinks until the plate is cool.
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        let Fate::Merged(whole) = fate(&examined.impact) else { continue };
        let Some(section) = describe::cited_before(examined) else { continue };
        let now = facts::section(examined.passage.after, whole);
        let message = describe::merged(&section, &now);
        let mut finding = describe::finding(&RULE, examined, message, format!("`{}` cites it", examined.case().id.0));
        if examined.impact.magnitude == Magnitude::Substantive {
            finding.level = Level::Error;
            finding.snippets.extend(describe::before_and_after(examined, input.sources));
        }
        finding.snippets.extend(describe::headings(examined.passage.after, "its text now stands in", &[whole]));
        finding.notes.extend(describe::since(examined));
        let citation = describe::section_for(examined, input, whole);
        finding.helps.push(format!("cite `{citation}`, where the text stands now"));
        finding.helps.extend(describe::accept_if_found(examined));
        finding.group = describe::group(&RULE, examined);
        findings.push(finding);
    }
}
