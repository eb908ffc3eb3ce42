//! `quote-missing`: the words that a case depends on are gone from the section it cites.

use super::fate::{Fate, fate};
use super::{Examined, Input, describe, facts};
use super::section_merged::merged;
use crate::diagnostic::{Diagnostic, Label, Level, Rule, Snippet};
use crate::impact::Home;
use crate::manual::{Resolution, Target, fold};
use crate::review::covered;

pub(crate) static RULE: Rule = Rule {
    name: "quote-missing",
    level: Some(Level::Error),
    summary: "the words that a citation quotes are not in the cited section",
    explain: "\
The citation has a `quote:`, the words that the case depends on. As long as the cited section holds them, however they
are wrapped or emphasised, the citation is fresh whatever else changed. They are held whole: `at least 3` is not in
`at least 3.5`, nor `able` in `unable`. Now the section is there and they are not. Where the section went with them, that
is told instead, as `section-removed` or `section-lost`.

What to do: read the closest text that is shown. Change the case, or the quote if only its wording is out of date.

Reviewed:

```markdown docs/manual.md
## Over-pressure
The valve opens at 3.5 bar.
```

```yaml cases.yaml
- id: TC-1
  cites:
    - section: over-pressure
      quote: opens at 3.5 bar
```

Reported:

```markdown docs/manual.md
## Over-pressure
The valve opens at 4.5 bar.
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites:
    - section: over-pressure
      quote: opens at 4.5 bar
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        if fate(&examined.impact) != Fate::QuoteMissing {
            continue;
        }
        let Some(quote) = &examined.impact.cited.citation.quote else { continue };
        let message = format!("the cited text no longer contains `{}`", quote.text);
        let label = format!("`{}` depends on these words", examined.case().id.0);
        let mut finding = describe::finding(&RULE, examined, message, label);
        finding.primary.span = quote.span;
        finding.snippets.extend(closest(examined, &quote.text));
        finding.notes.extend(fate_of_section(examined));
        finding.notes.extend(describe::since(examined));
        finding.helps.push("change the case and its quote to what the manual says now".to_owned());
        findings.push(finding);
    }
}

/// That the section is no longer one by itself.
fn fate_of_section(examined: &Examined<'_>) -> Option<String> {
    let section = describe::cited_before(examined)?;
    match &examined.impact.home {
        Home::Parts(parts) => Some(describe::split(&section, parts)),
        Home::Merged(whole) => Some(merged(examined, &section, &facts::section(examined.passage.after, *whole))),
        Home::Unasked | Home::Here(_) | Home::Removed | Home::Lost(_) => None,
    }
}

/// The fragment that shares most words with the quote.
fn closest(examined: &Examined<'_>, quote: &str) -> Option<Snippet> {
    let manual = examined.passage.after;
    let target = match (&examined.impact.home, &examined.impact.now) {
        (Home::Here(target), _) | (Home::Unasked, Resolution::Found { target, .. }) => *target,
        (Home::Merged(whole), _) => Target::Section(*whole),
        (Home::Parts(parts), _) => Target::Section(*parts.first()?),
        (Home::Unasked | Home::Removed | Home::Lost(_), _) => return None,
    };
    let wanted: Vec<String> = words(quote);
    let sections = covered(manual, target, examined.impact.cited.citation.scope);
    let fragments = sections.iter().flat_map(|at| &manual.section(*at).fragments);
    let shared = |text: &str| words(text).iter().filter(|word| wanted.contains(word)).count();
    let best = fragments.rev().max_by_key(|fragment| shared(&fragment.text)).filter(|best| shared(&best.text) > 0)?;
    let label = Label { span: best.span, text: "the closest text".to_owned() };
    Some(Snippet { title: "the manual now says".to_owned(), labels: vec![label], visible: Vec::new() })
}

fn words(text: &str) -> Vec<String> {
    fold(text).split(|character: char| !character.is_alphanumeric()).map(str::to_lowercase).collect()
}
