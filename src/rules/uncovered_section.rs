//! `uncovered-section`: a section that no case cites.

use std::collections::BTreeSet;

use super::{Input, describe, facts};
use crate::diagnostic::{Diagnostic, Rule};
use crate::manual::SectionRef;
use crate::review::covered;

pub(crate) static RULE: Rule = Rule {
    name: "uncovered-section",
    level: None,
    summary: "a section has text that no case cites",
    explain: "\
No case cites the section, a section it stands in, or its file. Headings without text of their own are left out: their
subsections count; so are tables of contents. Off unless it is configured, because few manuals are to be tested in
every section; it is told only where everything is checked, not for a range or for what is staged.

What to do: write a case, or cite the section from one that tests it.

To tune: `rules: { uncovered-section: warning }`, and `manuals:` leaves out files that nobody tests.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.

## Lamp
A lamp shows that the plate is hot.
```

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
```

```yaml citecheck.yaml
rules: { uncovered-section: warning }
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
- id: TC-2
  cites: [lamp]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    if !input.is_whole_revision {
        return;
    }
    let mut cited: BTreeSet<SectionRef> = BTreeSet::new();
    for examined in input.citations {
        if let Some(target) = examined.impact.now.target() {
            cited.extend(covered(input.manual, target, examined.impact.cited.citation.scope));
        }
    }
    for (at, section) in input.manual.sections().filter(|(at, section)| section.says_something() && !cited.contains(at)) {
        let fact = facts::section(input.manual, at);
        let message = format!("no case cites {}", describe::name(&fact));
        let mut finding = describe::about_file(&RULE, section.heading, message, "cited by no case");
        finding.facts.after = Some(fact);
        findings.push(finding);
    }
}
