//! `section-moved`: the citation no longer leads to the section that it led to, and the section is known.

use super::fate::{Leads, has_led_there, leads, rewritable};
use super::section_mismatch::retitled;
use super::{Examined, Input, describe, facts, reason};
use crate::cases::Pin;
use crate::diagnostic::{Diagnostic, Fix, Level, Rule, SectionFact};
use crate::manual::{Resolution, Target};

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
too keeps its review point, so `fix` hides nothing. One whose heading says something else now is left to you. So is one
where another text stands at the old place, as it may be that section, rewritten, with its former text kept elsewhere: the
finding names both.

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
        // That a name may mean several sections is told as that.
        if matches!(examined.impact.now, Resolution::Ambiguous { .. }) {
            continue;
        }
        let Some(section) = describe::cited_before(examined) else { continue };
        let after = facts::target(examined.passage.after, home);
        let has_led = has_led_there(examined, input);
        let now = elsewhere.map(|now| facts::target(examined.passage.after, now));
        let rival = examined.impact.rival.map(|rival| facts::section(examined.passage.after, rival));
        let Told { message, label } = match (&now, &rival) {
            (Some(now), Some(_)) => with_another_text(examined, &after, now),
            (Some(now), None) => leading_elsewhere(examined, &section, (&after, now), has_led),
            (None, _) => nowhere(examined, &section, &after, has_led),
        };
        let mut finding = describe::finding(&RULE, examined, message, label);
        if elsewhere.is_some() || rival.is_some() {
            finding.level = Level::Error;
        }
        finding.notes.extend(describe::since(examined));
        match rewritable(examined, input) {
            Some(home) => offer_rewriting(examined, input, home, &mut finding),
            None => finding.helps.extend(choices(examined, input, home, (now.as_ref(), rival.as_ref()))),
        }
        // Every place has its own replacement; where it is the same one again and again, one stands for all.
        let replacement = describe::citation_for(examined, input.citing(examined), home);
        finding.group = describe::group(&RULE, examined)
            .map(|group| format!("{group} {} {} {replacement}", examined.case().id.0, examined.impact.cited.citation.text));
        findings.push(finding);
    }
}

/// Offers what `fix` will write.
pub(super) fn offer_rewriting(examined: &Examined<'_>, input: &Input<'_>, home: Target, finding: &mut Diagnostic) {
    let replacement = describe::citation_for(examined, input.citing(examined), home);
    let title = retitled(examined, home).filter(|_| examined.impact.cited.citation.has_own_title);
    finding.helps.push(match title {
        Some(title) => format!("run `citecheck fix` to rewrite the citation, and the title beside it to `{title}`"),
        None => "run `citecheck fix` to rewrite the citation".to_owned(),
    });
    finding.fix = Some(Fix {
        title: format!("cite `{replacement}`"),
        span: examined.impact.cited.citation.span,
        replacement: with_pins(examined, &replacement),
    });
}

/// What a person can do who knows which section is meant.
fn choices(
    examined: &Examined<'_>,
    input: &Input<'_>,
    home: Target,
    (now, rival): (Option<&SectionFact>, Option<&SectionFact>),
) -> Vec<String> {
    let former = describe::citation_for(examined, input.citing(examined), home);
    let place = describe::place(&facts::target(examined.passage.after, home));
    // No pin holds a heading: rewritten by a command, the citation would be fresh.
    if reason::is_restated(examined) {
        return vec![format!("its heading says something else: look at the case, and cite `{former}`")];
    }
    let mut choices = vec![format!("if the text {place} is meant, cite `{former}`")];
    choices.extend(match (now, rival) {
        (Some(now), None) => Some(format!("if {} is meant, take the pin out", describe::name(now))),
        (Some(now), Some(_)) => Some(format!(
            "if the one {} is meant, look at the case, then run `citecheck accept {}`",
            describe::place(now),
            describe::shell_word(&examined.case().id.0)
        )),
        (None, Some(rival)) => Some(format!("if the one {} is meant, cite that, and look at the case", describe::place(rival))),
        (None, None) => None,
    });
    choices
}

/// What is told of a citation, and at it.
struct Told {
    message: String,
    label: String,
}

/// Of a citation that leads nowhere; `was` is what it led to, `is` the same now.
fn nowhere(examined: &Examined<'_>, was: &SectionFact, is: &SectionFact, has_led: bool) -> Told {
    let citation = &examined.impact.cited.citation.text;
    let (name_was, name_is, place) = (describe::name(was), describe::name(is), describe::place(is));
    let message = match has_led {
        true => {
            let name = if name_is == name_was { String::new() } else { format!("{name_is} ") };
            format!("{name_was} is now {name}{place}")
        }
        false => format!("`{citation}` leads nowhere, but is pinned to a text of {name_is} {place}"),
    };
    Told { message, label: format!("leads nowhere{}", if has_led { " now" } else { "" }) }
}

/// Of a citation that leads to where it led, if that is still the section; the text that stood there is at `is`.
fn with_another_text(examined: &Examined<'_>, is: &SectionFact, now: &SectionFact) -> Told {
    let citation = &examined.impact.cited.citation.text;
    let ((name_now, there), (name_is, here)) =
        ((describe::name(now), describe::place(now)), (describe::name(is), describe::place(is)));
    let is_other = if name_is == name_now { String::new() } else { format!("{name_is} ") };
    Told {
        message: format!("`{citation}` leads to another text of {name_now} {there}; the former one is now {is_other}{here}"),
        label: "leads to another text now".to_owned(),
    }
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

/// A pin in the scalar stays behind the new spelling.
fn with_pins(examined: &Examined<'_>, replacement: &str) -> String {
    let citation = examined.impact.cited.citation;
    let inside = |pin: &&Pin| citation.span.start <= pin.span.start && pin.span.end <= citation.span.end;
    match citation.pins.iter().find(inside) {
        Some(pin) => format!("{replacement}@{}", pin.kind.spelled()),
        None => replacement.to_owned(),
    }
}
