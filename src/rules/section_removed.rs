//! `section-removed`: the cited section is gone.

use super::fate::{Fate, fate};
use super::{Examined, Input, describe, facts};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::manual::{SectionRef, Target};

pub(crate) static RULE: Rule = Rule {
    name: "section-removed",
    level: Some(Level::Error),
    summary: "the section that a case cites is gone, and no other took its text over",
    explain: "\
The cited section is no longer in the manual, and no other section took its text over: it was not moved, renamed, split or
merged as far as the texts tell. One that had the same text all along is named.

What to do: the case tests something that the manual no longer asks for. Take the case out, or cite the section that
took over. If the text is still there but was rewritten at the same time, cite it at its new place. A citation may still
lead somewhere, to another section that has the name now: that is said, and is no sign that the text is there.

Reviewed:

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

Reported:

```markdown docs/manual.md
## Lamp
A lamp shows that the plate is hot.
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [lamp]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        if fate(&examined.impact) != Fate::Removed {
            continue;
        }
        let Some(section) = describe::cited_before(examined) else { continue };
        // What cannot be read is told as that.
        if is_unread(input, &section.file) {
            continue;
        }
        let is_file = section.id.is_empty();
        let whence = if is_file { String::new() } else { format!(" from `{}`", section.file) };
        let message = format!("{} was removed{whence}", describe::name(&section));
        let mut finding = describe::finding(&RULE, examined, message, format!("`{}` cites it", examined.case().id.0));
        finding.snippets.extend(describe::before_and_after(examined, input.sources));
        finding.notes.extend(describe::quoted(examined));
        finding.notes.extend(leads_elsewhere(examined));
        finding.notes.extend(describe::since(examined));
        finding.helps.push(help(examined, input));
        finding.group = describe::group(&RULE, examined);
        findings.push(finding);
    }
}

fn is_unread(input: &Input<'_>, file: &str) -> bool {
    let manuals = input.unreadable.iter().filter(|file| file.is_manual);
    manuals.map(|manual| &input.sources.get(manual.span.source).path).any(|path| path.to_string() == file)
}

/// What to cite: the only section with the same text, which may have been another one all along, if there is one.
fn help(examined: &Examined<'_>, input: &Input<'_>) -> String {
    let Some(twin) = twin(examined) else { return "cite the section that took over, or take the case out".to_owned() };
    let citation = describe::section_for(examined, input, twin);
    let place = describe::place(&facts::section(examined.passage.after, twin));
    format!("the same text stands {place}: cite `{citation}` if that took over, or take the case out")
}

fn twin(examined: &Examined<'_>) -> Option<SectionRef> {
    let Some(Target::Section(at)) = examined.impact.before else { return None };
    let lost = examined.passage.before.section(at);
    let mut same = examined.passage.after.sections().filter(|(_, section)| section.own == lost.own);
    match (same.next(), same.next()) {
        (Some((only, _)), None) if !lost.fragments.is_empty() => Some(only),
        (_, _) => None,
    }
}

/// A citation that looks right, as another section has the name now.
fn leads_elsewhere(examined: &Examined<'_>) -> Option<String> {
    let target = examined.impact.now.target()?;
    let now = facts::target(examined.passage.after, target);
    let citation = &examined.impact.cited.citation.text;
    Some(format!("`{citation}` now leads to another section, {} {}", describe::name(&now), describe::place(&now)))
}
