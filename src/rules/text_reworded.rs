//! `text-reworded`: the cited text was reworded, and nothing says that its meaning changed.

use super::fate::{Fate, fate};
use super::{Input, describe, reason};
use crate::diagnostic::{Diagnostic, Level, Rule};

pub(crate) static RULE: Rule = Rule {
    name: "text-reworded",
    level: Some(Level::Warning),
    summary: "the text that a case cites was reworded without a sign of another meaning",
    explain: "\
The section that the case cites reads differently than when the case was last reviewed, but no number, duty, negation,
condition or identifier changed, and no more than 15 % of the words are others: a corrected spelling, a synonym, a
link that points elsewhere, a date or a version stamp.

This is a judgement by rules, and words can mislead: a glance is enough, but worth it.

What to do: nothing, or `citecheck accept CASE` to make it quiet.

To tune: `rules: { text-reworded: off }` where such changes never matter, `error` where every word does.

Reviewed:

```markdown docs/manual.md
## Storage
Keep the pump dry during transport and away from direct sunlight.
```

```yaml cases.yaml
- id: TC-1
  cites: [storage]
```

Reported:

```markdown docs/manual.md
## Storage
Keep the pump dry in transport and away from direct sunlight.
```

Corrected:

```sh
citecheck accept TC-1
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        if fate(&examined.impact) != Fate::Reworded {
            continue;
        }
        let Some(section) = describe::cited_before(examined) else { continue };
        let reason = reason::subsections_alone(examined);
        let message = format!("the text of {} was reworded{reason}", describe::name(&section));
        let mut finding = describe::finding(&RULE, examined, message, format!("`{}` cites it", examined.case().id.0));
        finding.snippets.extend(describe::before_and_after(examined, input.sources));
        finding.notes.extend(describe::since(examined));
        finding.helps.push(describe::accept(examined));
        finding.group = describe::group(&RULE, examined);
        findings.push(finding);
    }
}
