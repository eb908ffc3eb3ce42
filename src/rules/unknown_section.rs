//! `unknown-section`: a citation leads nowhere, and it is not known where it led.

use super::fate::{Leads, leads};
use super::{Examined, Input, describe, facts};
use crate::cases::Citation;
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::impact::Home;
use crate::manual::Resolution;
use crate::review::Loss;
use crate::source::Sources;

pub(crate) static RULE: Rule = Rule {
    name: "unknown-section",
    level: Some(Level::Error),
    summary: "a citation names a section that the manual does not have",
    explain: "\
No section of the checked revision has this id, path, title, anchor or number, and no file this name. A section is
cited by its explicit id, by its slug or the end of its path (`safety-limits/cut-off`), by its heading, by
`file.md#anchor`, or by its number. `-`, `_` and `.` are different characters.

Where the history knows, the commit is named that took the section away, and where its text is now. A citation that never
led anywhere says so.

What to do: `citecheck sections PATTERN` lists what can be cited. Where a near id is offered, see whether it was meant.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  cites: [alarm]
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [alarms]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        let Resolution::Unknown { nearest } = &examined.impact.now else { continue };
        let told_otherwise = examined.impact.home != Home::Unasked;
        if told_otherwise || leads(&examined.impact) != Leads::There {
            continue;
        }
        let citation = &examined.impact.cited.citation.text;
        let message = format!("no section `{citation}` in the manual");
        let mut finding = describe::finding(&RULE, examined, message, "leads nowhere".to_owned());
        let near: Vec<String> =
            nearest.iter().map(|near| format!("`{}`", describe::section_for(examined, input, *near))).collect();
        match near.is_empty() {
            true => finding.helps.push("`citecheck sections` lists what can be cited".to_owned()),
            false => finding.helps.push(format!("sections with a similar name: {}", near.join(", "))),
        }
        if are_entries(examined.impact.cited.citation, input.sources) {
            let help = "YAML takes these lines for one text: start each entry with `- `, all indented alike";
            finding.helps.insert(0, help.to_owned());
        }
        tell_loss(input, examined, &mut finding);
        finding.group = Some(format!("{} {citation}", RULE.name));
        findings.push(finding);
    }
}

/// Whether a citation looks like entries of a list that are indented or spaced so that they are none.
fn are_entries(citation: &Citation, sources: &Sources) -> bool {
    let written = &sources.get(citation.span.source).text[citation.span.start..citation.span.end];
    written.contains(['\n', '\r']) && (citation.text.starts_with('-') || citation.text.contains(" - "))
}

/// What the history knows of it.
fn tell_loss(input: &Input<'_>, examined: &Examined<'_>, finding: &mut Diagnostic) {
    match &examined.review.loss {
        Loss::Lost { commit, title, home } => {
            if let Some(commit) = commit {
                let told = describe::commit(&facts::commit(commit));
                finding.notes.push(format!("it led to `{title}` until {told}"));
            }
            if let Some(home) = home {
                let after = facts::target(examined.passage.after, *home);
                let citation = describe::citation_for(examined, input.citing(examined), *home);
                let place = describe::place(&after);
                finding.helps.insert(0, format!("its text is now {place}: cite `{citation}` and look at the case"));
            }
        }
        Loss::Never => finding.notes.push("no revision in the history of the manual had such a section".to_owned()),
        Loss::Unknown if !input.is_complete && examined.review.way.is_none() => {
            finding.helps.push("`citecheck check` asks the whole history whether it led somewhere".to_owned());
        }
        Loss::Unknown => {}
    }
}
