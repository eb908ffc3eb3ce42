//! `section-moved`: the citation no longer leads to the section that it led to, and the section is known.

use super::fate::{Leads, leads};
use super::{Examined, Input, describe, facts};
use crate::cases::Pin;
use crate::diagnostic::{Diagnostic, Fix, Level, Rule};
use crate::manual::Resolution;

pub(crate) static RULE: Rule = Rule {
    name: "section-moved",
    level: Some(Level::Warning),
    summary: "the section that a case cites has another place or name, and the citation does not lead there",
    explain: "\
The cited section was moved, renamed or renumbered. Its text was followed to its new place; the citation was not
changed along with it and leads nowhere, or, worse, to another section that now has the old number or position. The
latter is an error: such a citation looks right and is not.

What to do: `citecheck fix` rewrites the citation and changes nothing else in the file. A citation whose text changed
too keeps its review point, so `fix` hides nothing.

Reviewed:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
```

Reported:

```markdown docs/manual.md
## Signals
The alarm sounds for 30 s.
```

Corrected:

```sh
citecheck fix
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        let (home, elsewhere) = match leads(&examined.impact) {
            Leads::There => continue,
            Leads::Nowhere { home } => (home, None),
            Leads::Elsewhere { home, now } => (home, Some(now)),
        };
        let Some(section) = describe::cited_before(examined) else { continue };
        let after = facts::target(examined.passage.after, home);
        let citation = &examined.impact.cited.citation.text;
        let replacement = describe::citation_for(examined, input.citing(examined), home);
        let (message, label) = match elsewhere {
            None => {
                let (was, is) = (describe::name(&section), describe::name(&after));
                let name = if is == was { String::new() } else { format!("{is} ") };
                let moved = format!("{was} is now {name}{}", describe::place(&after));
                match examined.impact.now {
                    Resolution::Ambiguous { .. } => {
                        (format!("`{citation}` may mean several sections now: {moved}"), "finds several now".to_owned())
                    }
                    Resolution::Found { .. } | Resolution::Unknown { .. } => (moved, "leads nowhere now".to_owned()),
                }
            }
            Some(now) => {
                let now = facts::target(examined.passage.after, now);
                let (wrong, meant) = (describe::name(&now), describe::name(&section));
                let message = match wrong == meant {
                    false => format!("`{citation}` now leads to {wrong}, not to {meant}"),
                    true => format!(
                        "`{citation}` now leads to another {wrong}, {}, not to the one {}",
                        describe::place(&now),
                        describe::place(&after)
                    ),
                };
                (message, format!("leads to {wrong} now"))
            }
        };
        let mut finding = describe::finding(&RULE, examined, message, label);
        if elsewhere.is_some() {
            finding.level = Level::Error;
        }
        finding.notes.extend(describe::since(examined));
        finding.helps.push("run `citecheck fix` to rewrite the citation".to_owned());
        finding.fix = Some(Fix {
            title: format!("cite `{replacement}`"),
            span: examined.impact.cited.citation.span,
            replacement: with_pins(examined, &replacement),
        });
        findings.push(finding);
    }
}

/// A pin in the scalar stays behind the new spelling.
fn with_pins(examined: &Examined<'_>, replacement: &str) -> String {
    let citation = examined.impact.cited.citation;
    let inside = |pin: &&Pin| citation.span.start <= pin.span.start && pin.span.end <= citation.span.end;
    match citation.pins.iter().find(inside) {
        Some(pin) => format!("{replacement}@{}", pin.kind.spelled()),
        None => replacement.to_owned(),
    }
}
