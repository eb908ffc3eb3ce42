//! `section-merged`: the cited section became part of another one, or another one of it.

use super::fate::{Fate, fate};
use super::{Examined, Input, describe, facts};
use crate::diagnostic::{Diagnostic, Level, Rule, SectionFact};
use crate::diff::{Change, Magnitude};
use crate::manual::{SectionKind, SectionRef, Target};

pub(crate) static RULE: Rule = Rule {
    name: "section-merged",
    level: Some(Level::Warning),
    summary: "the section that a case cites became part of another section",
    explain: "\
The text of the cited section now stands in one section together with that of others; that may be the cited section
itself, where it took in another one. A clause that lost the marker with its id is a part of the section around it. It is an
error where the text changed in substance at the same time, otherwise a warning.

What to do: cite the section that holds the text now, or give a clause its id again, and see whether what came along matters
to the case.

Reviewed:

```markdown docs/manual.md
## Door alarm
The alarm sounds until the door is closed.

## Heat alarm
The lamp blinks until the plate is cool.
```

```yaml cases.yaml
- id: TC-1
  cites: [heat-alarm]
```

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds until the door is closed.

The lamp blinks until the plate is cool.
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        let Fate::Merged(whole) = fate(&examined.impact) else { continue };
        let Some(section) = describe::cited_before(examined) else { continue };
        let now = facts::section(examined.passage.after, whole);
        let is_host = is_at_its_place(&section, &now);
        let message = merged(examined, &section, &now);
        let mut finding = describe::finding(&RULE, examined, message, format!("`{}` cites it", examined.case().id.0));
        if examined.impact.magnitude == Magnitude::Substantive {
            finding.level = Level::Error;
            finding.snippets.extend(describe::before_and_after(examined, input.sources));
        }
        let place = if is_host { "it stands where it stood" } else { "its text now stands in" };
        finding.snippets.extend(describe::headings(examined.passage.after, place, &[whole]));
        finding.notes.extend(describe::since(examined));
        if !is_host {
            let citation = describe::section_for(examined, input, whole);
            let marker = lost_marker(examined).map(|id| format!(", or give the text its id `{id}` again"));
            finding.helps.push(format!("cite `{citation}`, where the text stands now{}", marker.unwrap_or_default()));
        }
        finding.helps.extend(describe::accept_if_found(examined));
        finding.group = describe::group(&RULE, examined);
        findings.push(finding);
    }
}

/// Whether a section kept its place and its name: then others became part of it.
fn is_at_its_place(before: &SectionFact, after: &SectionFact) -> bool {
    (&before.file, &before.id, &before.title) == (&after.file, &after.id, &after.title)
}

/// `` `Alarms` was merged into `Signals` ``; where the cited section is the one that others came to, that it took them in.
pub(super) fn merged(examined: &Examined<'_>, section: &SectionFact, whole: &SectionFact) -> String {
    let (name, into) = (describe::name(section), describe::name(whole));
    match (is_at_its_place(section, whole), name == into) {
        (true, _) => took_in(examined, section),
        (false, true) => format!("{name} was merged into another {into}, {}", describe::place(whole)),
        (false, false) => format!("{name} was merged into {into}"),
    }
}

/// `` `Pump` took in `REQ-12` ``.
fn took_in(examined: &Examined<'_>, host: &SectionFact) -> String {
    let others: Vec<SectionFact> = parts(examined)
        .into_iter()
        .filter(|part| Some(Target::Section(*part)) != examined.impact.before)
        .map(|part| facts::section(examined.passage.before, part))
        .collect();
    let name = describe::name(host);
    match &others[..] {
        [other] if describe::name(other) == name => format!("{name} took in another {name}, that was {}", describe::place(other)),
        [other] => format!("{name} took in {}", describe::name(other)),
        _ => format!("{name} took in {} other sections", others.len()),
    }
}

/// The sections that became one together with the cited one, itself among them.
fn parts(examined: &Examined<'_>) -> Vec<SectionRef> {
    let change = match examined.impact.before {
        Some(Target::Section(before)) => examined.passage.change_of(before),
        Some(Target::File(_)) | None => None,
    };
    change.map(Change::befores).unwrap_or_default()
}

/// The id that an author gave a clause, and that nothing has any more.
fn lost_marker<'m>(examined: &Examined<'m>) -> Option<&'m str> {
    let Some(Target::Section(before)) = examined.impact.before else { return None };
    let clause = examined.passage.before.section(before);
    let is_gone = || examined.passage.after.sections().all(|(_, section)| section.id != clause.id);
    (clause.kind == SectionKind::Clause && is_gone()).then_some(clause.id.0.as_str())
}
