//! `section-moved`: the citation no longer leads to the section that it led to, and the section is known.

use super::fate::{Leads, leads};
use super::section_mismatch::retitled;
use super::{Examined, Input, describe, facts, reason};
use crate::cases::Pin;
use crate::diagnostic::{Diagnostic, Fix, Level, Rule, SectionFact};
use crate::manual::Resolution;
use crate::review::Basis;

pub(crate) static RULE: Rule = Rule {
    name: "section-moved",
    level: Some(Level::Warning),
    summary: "the section that a case cites has another place or name, and the citation does not lead there",
    explain: "\
The cited section was moved, renamed or renumbered. Its text was followed to its new place; the citation was not
changed along with it and leads nowhere, or, worse, to another section that now has the old number or position. The
latter is an error: such a citation looks right and is not. A pinned citation is known by the text of its pin: where it
is misspelt, or was given another name, the section with that text is told.

What to do: `citecheck fix` rewrites the citation and changes nothing else in the file. A citation whose text changed
too keeps its review point, so `fix` hides nothing. One whose heading says something else now is left to you.

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
        let replacement = describe::citation_for(examined, input.citing(examined), home);
        let has_led = has_led_there(examined, input);
        let now = elsewhere.map(|now| facts::target(examined.passage.after, now));
        let Told { message, label } = match &now {
            None => nowhere(examined, &section, &after, has_led),
            Some(now) => leading_elsewhere(examined, &section, (&after, now), has_led),
        };
        let mut finding = describe::finding(&RULE, examined, message, label);
        if elsewhere.is_some() {
            finding.level = Level::Error;
        }
        finding.notes.extend(describe::since(examined));
        // No pin holds a heading: rewritten by a command, the citation would be fresh.
        let has_fix = !reason::is_restated(examined);
        let title = retitled(examined, home).filter(|_| examined.impact.cited.citation.has_own_title);
        finding.helps.push(match title {
            _ if !has_fix => format!("its heading says something else: look at the case, and cite `{replacement}`"),
            Some(title) => format!("run `citecheck fix` to rewrite the citation, and the title beside it to `{title}`"),
            None => "run `citecheck fix` to rewrite the citation".to_owned(),
        });
        if let Some(now) = now.filter(|_| !has_led) {
            finding.helps.push(format!("if {} is meant, take the pin out", describe::name(&now)));
        }
        finding.fix = has_fix.then(|| Fix {
            title: format!("cite `{replacement}`"),
            span: examined.impact.cited.citation.span,
            replacement: with_pins(examined, &replacement),
        });
        // Every place has its own replacement; where it is the same one again and again, one stands for all.
        finding.group = describe::group(&RULE, examined)
            .map(|group| format!("{group} {} {} {replacement}", examined.case().id.0, examined.impact.cited.citation.text));
        findings.push(finding);
    }
}

/// What is told of a citation, and at it.
struct Told {
    message: String,
    label: String,
}

/// Of a citation that leads nowhere, or to several; `was` is what it led to, `is` the same now.
fn nowhere(examined: &Examined<'_>, was: &SectionFact, is: &SectionFact, has_led: bool) -> Told {
    let citation = &examined.impact.cited.citation.text;
    let is_ambiguous = matches!(examined.impact.now, Resolution::Ambiguous { .. });
    let (name_was, name_is, place) = (describe::name(was), describe::name(is), describe::place(is));
    let message = match (has_led, is_ambiguous) {
        (true, _) => {
            let name = if name_is == name_was { String::new() } else { format!("{name_is} ") };
            let moved = format!("{name_was} is now {name}{place}");
            if is_ambiguous { format!("`{citation}` may mean several sections now: {moved}") } else { moved }
        }
        (false, true) => format!("`{citation}` may mean several sections, but is pinned to a text of {name_is} {place}"),
        (false, false) => format!("`{citation}` leads nowhere, but is pinned to a text of {name_is} {place}"),
    };
    let label = match (has_led, is_ambiguous) {
        (true, true) => "finds several now",
        (true, false) => "leads nowhere now",
        (false, true) => "finds several",
        (false, false) => "leads nowhere",
    };
    Told { message, label: label.to_owned() }
}

/// Of a citation that leads to `now`, and not to `is`, which `was` is now.
fn leading_elsewhere(
    examined: &Examined<'_>,
    was: &SectionFact,
    (is, now): (&SectionFact, &SectionFact),
    has_led: bool,
) -> Told {
    let citation = &examined.impact.cited.citation.text;
    let (wrong, meant) = (describe::name(now), describe::name(was));
    let (there, here) = (describe::place(now), describe::place(is));
    let message = match (has_led, wrong == meant) {
        (true, false) => format!("`{citation}` now leads to {wrong}, not to {meant}"),
        (true, true) => format!("`{citation}` now leads to another {wrong}, {there}, not to the one {here}"),
        (false, false) => format!("`{citation}` leads to {wrong}, but is pinned to a text of {meant}"),
        (false, true) => format!("`{citation}` leads to the {wrong} {there}, but is pinned to a text of the one {here}"),
    };
    Told { message, label: format!("leads to {wrong}{}", if has_led { " now" } else { "" }) }
}

/// Whether the citation, as it is spelled, led to the section at its review point. A pinned text is found by itself,
/// whatever the citation says.
fn has_led_there(examined: &Examined<'_>, input: &Input<'_>) -> bool {
    if !matches!(examined.review.basis, Basis::Pin(_)) {
        return true;
    }
    examined.review.way.as_ref().is_none_or(|way| {
        let named = way.from.index.named(&examined.impact.cited.citation.text, Some(input.citing(examined)));
        named.contains(&way.target)
    })
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
