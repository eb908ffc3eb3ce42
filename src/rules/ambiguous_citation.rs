//! `ambiguous-citation`: a citation leads to several sections.

use super::fate::{Leads, leads};
use super::{Input, describe};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::manual::Resolution;

pub(crate) static RULE: Rule = Rule {
    name: "ambiguous-citation",
    level: Some(Level::Error),
    summary: "a citation may mean several sections",
    explain: "\
Several sections match the citation equally well, as `rationale` does where every chapter has one. Which one the case
depends on can't be told, so no change can be told either.

What to do: cite more of the path (`over-pressure/rationale`), or the file (`docs/manual.md#rationale-2`). The message
lists the shortest citation for each.

Reported:

```markdown docs/manual.md
# Pump
## Rationale
Hoses burst under pressure.

# Heater
## Rationale
Hot plates burn the skin.
```

```yaml cases.yaml
- id: TC-1
  cites: [rationale]
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [heater/rationale]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    const MOST: usize = 8;
    for examined in input.citations {
        let Resolution::Ambiguous { candidates, .. } = &examined.impact.now else { continue };
        if leads(&examined.impact) != Leads::There {
            continue;
        }
        let citation = &examined.impact.cited.citation.text;
        let message = format!("`{citation}` may mean {} sections", candidates.len());
        let mut finding = describe::finding(&RULE, examined, message, "several sections match".to_owned());
        let names: Vec<String> = candidates
            .iter()
            .take(MOST)
            .map(|at| format!("`{}`", examined.passage.after_resolver.shortest(*at)))
            .collect();
        let more = match candidates.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        finding.helps.push(format!("cite one of {}{more}", names.join(", ")));
        findings.push(finding);
    }
}
