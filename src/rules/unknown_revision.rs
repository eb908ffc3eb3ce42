//! `unknown-revision`: a citation is pinned to a revision that does not exist.

use super::{Input, describe};
use crate::cases::PinKind;
use crate::diagnostic::{Diagnostic, Label, Level, Rule};
use crate::review::Basis;

pub(crate) static RULE: Rule = Rule {
    name: "unknown-revision",
    level: Some(Level::Error),
    summary: "a citation is pinned to a git revision that does not exist",
    explain: "\
`section@v2.1` says that the citation was reviewed against the revision `v2.1`: a tag, a branch or a commit id. This one
does not exist in the repository. Ids of commits die when history is squashed or rebased; tags may not have been fetched.

What to do: correct the name, fetch the tags (`git fetch --tags`), or review the case and run `citecheck accept CASE`,
which pins the citation to the text itself. Such pins outlive any rewriting of history.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  cites: [alarms@v2.1]
```

Corrected:

```yaml cases.yaml
- id: TC-1
  cites: [alarms@main]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        let Basis::UnknownRevision { spec, why } = &examined.review.basis else { continue };
        let mut finding = describe::finding(&RULE, examined, why.clone(), String::new());
        let pins = examined.impact.cited.citation.pins.iter();
        if let Some(pin) = pins.clone().find(|pin| pin.kind == PinKind::Revision(spec.clone())) {
            finding.primary = Label { span: pin.span, text: "the citation is pinned to it".to_owned() };
        }
        finding.helps.push("correct the name, or bring it in with `git fetch --tags`".to_owned());
        finding.helps.push(describe::accept(examined));
        findings.push(finding);
    }
}
