//! `text-changed`: the cited text changed in substance.

use super::fate::{Fate, fate};
use super::{Examined, Input, describe, facts, reason};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::review::Basis;

pub(crate) static RULE: Rule = Rule {
    name: "text-changed",
    level: Some(Level::Error),
    summary: "the text that a case cites changed in substance",
    explain: "\
The section that the case cites says something else than when the case was last reviewed: a number, a unit, a
comparison, a duty (must, may), a negation, a condition, an identifier, code or the bold label of a step changed, a
word became its opposite, a list got another entry, text was taken out, or more than 15 % of the words are others. The
case may now expect the wrong thing.

The signals name what changed, with the value before and after. A heading counts where it states a duty, a negation or
an amount with its unit. A subsection that was added or removed counts too, unless the citation has `scope: own`.

What to do: read both texts and the case. If the case is wrong, change it; a changed case counts as reviewed. If it
still holds, run `citecheck accept CASE`, which pins the citation to the text as it is.

What does not count: other line breaks, bullet or emphasis style, table padding, moved or renumbered sections, and
words that change without changing the duty (`shall` to `SHALL`, `cannot` to `must not`).

To tune: `rules: { text-changed: warning }`, and `words:` adds to the lists of signal words.

Reviewed:

```markdown docs/manual.md
## Over-pressure
The valve opens at 3.5 bar.
```

```yaml cases.yaml
- id: TC-1
  cites: [over-pressure]
  expected: The valve opens at 3.5 bar.
```

Reported:

```markdown docs/manual.md
## Over-pressure
The valve opens at 4.5 bar.
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [over-pressure]
  expected: The valve opens at 4.5 bar.
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        findings.extend(unknown_text(examined));
        if fate(&examined.impact) != Fate::Changed {
            continue;
        }
        let Some(section) = describe::cited_before(examined) else { continue };
        let (name, reason) = (describe::name(&section), reason::signals_or_subsections(examined));
        let message = format!("the text of {name} changed in substance{reason}");
        let label = format!("`{}` cites it", examined.case().id.0);
        let mut finding = describe::finding(&RULE, examined, message, label);
        finding.snippets.extend(describe::before_and_after(examined, input.sources));
        finding.notes.extend(describe::since(examined));
        finding.helps.push(describe::accept(examined));
        finding.group = describe::group(&RULE, examined);
        findings.push(finding);
    }
}

/// The text that a pin speaks of is nowhere: it differs, and no more can be told.
fn unknown_text(examined: &Examined<'_>) -> Option<Diagnostic> {
    let citation = &examined.impact.cited.citation.text;
    let why = match &examined.review.basis {
        Basis::UnknownText(pin) => format!("the pin `{pin}` matches no known text of the section"),
        Basis::UnknownSection(pin) => format!("`{citation}` leads nowhere at `{pin}`, to which it is pinned"),
        Basis::Now
        | Basis::Commit(_)
        | Basis::Start
        | Basis::Older
        | Basis::Pin(_)
        | Basis::UnknownRevision { .. }
        | Basis::CutOff => return None,
    };
    let target = examined.impact.now.target()?;
    let name = describe::name(&facts::target(examined.passage.after, target));
    let message = format!("the text of {name} is not the one that was reviewed");
    let label = format!("`{}` cites it", examined.case().id.0);
    let mut finding = describe::finding(&RULE, examined, message, label);
    finding.notes.push(format!("{why}, so there is nothing to compare"));
    if let Basis::UnknownSection(pin) = &examined.review.basis {
        finding.helps.push(format!("pin it to a revision that has the section, in the place of `{pin}`"));
    }
    finding.helps.push(describe::accept(examined));
    Some(finding)
}
