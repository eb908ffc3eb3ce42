//! `ambiguous-citation`: a citation leads to several sections.

use super::fate::{Leads, has_led_there, leads, rewritable};
use super::section_moved::offer_rewriting;
use super::{Examined, Input, describe, facts};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::manual::{Resolution, SectionRef, Target};

pub(crate) static RULE: Rule = Rule {
    name: "ambiguous-citation",
    level: Some(Level::Error),
    summary: "a citation may mean several sections",
    explain: "\
Several sections match the citation equally well, as `rationale` does where every chapter has one. Which one the case
depends on can't be told, so no change can be told either. Where the citation was not ambiguous when the case was last
reviewed, the section that it led to is named, and what changed in its text is told.

What to do: cite more of the path (`over-pressure/rationale`), or the file (`docs/manual.md#rationale-2`). The message
lists the shortest citation for each. `citecheck fix` does it where the section that the citation led to is where it was
and says what it said.

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
    for examined in input.citations {
        let Resolution::Ambiguous { candidates, .. } = &examined.impact.now else { continue };
        let citation = &examined.impact.cited.citation.text;
        let (led, label) = match leads(&examined.impact) {
            Leads::Nowhere { home } => (led(examined, input, home), "several sections match now"),
            Leads::There | Leads::Elsewhere { .. } => (String::new(), "several sections match"),
        };
        let message = format!("`{citation}` may mean {} sections{led}", candidates.len());
        let mut finding = describe::finding(&RULE, examined, message, label.to_owned());
        match rewritable(examined, input) {
            Some(home) => offer_rewriting(examined, input, home, &mut finding),
            None => finding.helps.push(format!("cite one of {}", names(examined, candidates))),
        }
        findings.push(finding);
    }
}

/// What a citation led to when it meant one section.
fn led(examined: &Examined<'_>, input: &Input<'_>, home: Target) -> String {
    let is = facts::target(examined.passage.after, home);
    let (name, place) = (describe::name(&is), describe::place(&is));
    match (examined.impact.rival, has_led_there(examined, input)) {
        (Some(_), _) => format!(" now; the text that it led to is {name} {place}"),
        (None, true) => format!(" now, and led to {name} {place}"),
        (None, false) => format!(", but is pinned to a text of {name} {place}"),
    }
}

fn names(examined: &Examined<'_>, candidates: &[SectionRef]) -> String {
    const MOST: usize = 8;
    let shortest = |at: &SectionRef| format!("`{}`", examined.passage.after_resolver.shortest(*at));
    let names: Vec<String> = candidates.iter().take(MOST).map(shortest).collect();
    match candidates.len().saturating_sub(MOST) {
        0 => names.join(", "),
        more => format!("{}, and {more} more", names.join(", ")),
    }
}
