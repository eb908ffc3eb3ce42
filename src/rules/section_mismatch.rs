//! `section-mismatch`: a citation leads to a section of another title than the author saw.

use super::{Input, describe, facts};
use crate::diagnostic::{Diagnostic, Label, Level, Rule};
use crate::manual::fold;

pub(crate) static RULE: Rule = Rule {
    name: "section-mismatch",
    level: Some(Level::Error),
    summary: "a citation leads to a section of another title than the one written beside it",
    explain: "\
The citation has a `title:`, the heading that the author saw. The section it leads to has another one. Most wrong
citations do lead somewhere: to the wrong text.

What to do: cite the section that was meant, or correct the title.

Reported:

```markdown docs/manual.md
## 5.1 Door
The door locks.

## 5.2 Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  cites:
    - section: 5.1
      title: Alarms
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites:
    - section: 5.2
      title: Alarms
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        let Some(title) = &examined.impact.cited.citation.title else { continue };
        let Some(target) = examined.impact.now.target() else { continue };
        let section = facts::target(examined.passage.after, target);
        let numbered = section.number.as_ref().map(|number| format!("{number} {}", section.title));
        let wanted = fold(&title.text).to_lowercase();
        if wanted == section.title.to_lowercase() || numbered.is_some_and(|it| it.to_lowercase() == wanted) {
            continue;
        }
        let citation = &examined.impact.cited.citation.text;
        let message = format!("`{citation}` leads to {}, not to `{}`", describe::name(&section), title.text);
        let mut finding = describe::finding(&RULE, examined, message, "leads to a section of another title".to_owned());
        finding.primary = Label { span: title.span, text: "the title beside the citation".to_owned() };
        finding.helps.push("cite the section that was meant, or correct the title".to_owned());
        findings.push(finding);
    }
}
