//! `section-split`: the cited section became several.

use super::fate::{Fate, fate};
use super::{Input, describe};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::diff::Magnitude;

pub(crate) static RULE: Rule = Rule {
    name: "section-split",
    level: Some(Level::Warning),
    summary: "the section that a case cites became several sections",
    explain: "\
The text of the cited section now stands in several sections. The citation may cover only a part of what the case
depends on. It is an error where the text changed in substance at the same time, otherwise a warning.

What to do: cite the part, or the parts, that the case tests. Where that is the part that the citation leads to already,
another spelling of it settles nothing: run `citecheck accept CASE`.

Reviewed:

```markdown docs/manual.md
## Alarms
The alarm sounds until the door is closed.

The lamp blinks until the plate is cool.
```

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
```

Reported:

```markdown docs/manual.md
## Door alarm
The alarm sounds until the door is closed.

## Heat alarm
The lamp blinks until the plate is cool.
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [heat-alarm]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        let Fate::Split(parts) = fate(&examined.impact) else { continue };
        let Some(section) = describe::cited_before(examined) else { continue };
        let message = describe::split(&section, &parts);
        let mut finding = describe::finding(&RULE, examined, message, format!("`{}` cites it", examined.case().id.0));
        if examined.impact.magnitude == Magnitude::Substantive {
            finding.level = Level::Error;
            finding.snippets.extend(describe::before_and_after(examined, input.sources));
        }
        finding.snippets.extend(describe::headings(examined.passage.after, "its text now stands in", &parts));
        finding.notes.extend(describe::since(examined));
        let names: Vec<String> =
            parts.iter().map(|part| format!("`{}`", describe::section_for(examined, input, *part))).collect();
        finding.helps.push(format!("cite what the case tests: {}", names.join(", ")));
        finding.helps.extend(describe::accept_if_found(examined));
        finding.group = describe::group(&RULE, examined);
        findings.push(finding);
    }
}
