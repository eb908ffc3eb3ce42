//! `section-mismatch`: a citation leads to a section of another title than the author saw.

use super::{Examined, Input, describe, facts};
use crate::diagnostic::{Diagnostic, Label, Level, Rule, SectionFact};
use crate::impact::Home;
use crate::manual::{Target, fold, heading_key};

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
        if is_title(&title.text, &section) {
            continue;
        }
        let citation = &examined.impact.cited.citation.text;
        let message = format!("`{citation}` leads to {}, not to `{}`", describe::name(&section), title.text);
        let mut finding = describe::finding(&RULE, examined, message, "leads to a section of another title".to_owned());
        finding.primary = Label { span: title.span, text: "the title beside the citation".to_owned() };
        finding.helps.push(match retitled(examined, target) {
            Some(title) => format!("the section has another title now: write `title: {title}`"),
            None => "cite the section that was meant, or correct the title".to_owned(),
        });
        findings.push(finding);
    }
}

/// The title to write beside a citation of `now`, where that is the section of the written title, which has another one
/// since. With its number where that was written, too.
pub(super) fn retitled(examined: &Examined<'_>, now: Target) -> Option<String> {
    let title = &examined.impact.cited.citation.title.as_ref()?.text;
    let was = describe::cited_before(examined)?;
    let is_same = examined.impact.home == Home::Here(now) || examined.impact.heir == Some(now);
    let is = facts::target(examined.passage.after, now);
    if !is_same || is.title.is_empty() || !is_title(title, &was) || is_title(title, &is) {
        return None;
    }
    let has_number = !is_plain_title(title, &was);
    Some(is.number.filter(|_| has_number).map_or(is.title.clone(), |number| format!("{number} {}", is.title)))
}

/// Whether a section has a title, with or without its number.
fn is_title(written: &str, section: &SectionFact) -> bool {
    let numbered = section.number.as_ref().map(|number| format!("{number} {}", section.title));
    is_plain_title(written, section) || numbered.is_some_and(|it| is_same(written, &it))
}

fn is_plain_title(written: &str, section: &SectionFact) -> bool {
    is_same(written, &section.title)
}

/// Whether a title reads as it is written here, the marks of code aside.
fn is_same(written: &str, title: &str) -> bool {
    heading_key(&fold(written)).to_lowercase() == heading_key(title).to_lowercase()
}
