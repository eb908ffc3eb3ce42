//! `section-lost`: the cited section could not be followed.

use super::fate::{Fate, fate};
use super::{Input, describe};
use crate::diagnostic::{Diagnostic, Level, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "section-lost",
    level: Some(Level::Error),
    summary: "the section that a case cites could not be followed; some sections come near",
    explain: "\
The cited section is not at its place any more, and what comes near is not similar enough to be called the same
(a similarity between 0.4 and 0.6). Nothing is guessed: the candidates are listed, the most similar first.

What to do: read the candidates. Cite the one that took over and check that the case still holds, or take the case out.

Reviewed:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s when the door is open. The operator silences it with
the red key.
```

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
```

Reported:

```markdown docs/manual.md
## Sounds
The alarm sounds for 30 s when the door is open.

## Lamp
A lamp in the hall blinks.
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [sounds]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        let Fate::Lost(candidates) = fate(&examined.impact) else { continue };
        let Some(section) = describe::cited_before(examined) else { continue };
        let message = format!("lost track of {}", describe::name(&section));
        let mut finding = describe::finding(&RULE, examined, message, format!("`{}` cites it", examined.case().id.0));
        finding.snippets.extend(describe::headings(examined.passage.after, "it may have become", &candidates));
        finding.notes.extend(describe::quoted(examined));
        finding.notes.extend(describe::since(examined));
        let near = candidates.first().map(|near| describe::section_for(examined, input, *near));
        let which = if candidates.len() == 1 { "that one" } else { "the first" };
        finding.helps.extend(near.map(|near| format!("if it is {which}, cite `{near}` and look at the case")));
        finding.group = describe::group(&RULE, examined);
        findings.push(finding);
    }
}
