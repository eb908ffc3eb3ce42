//! `history-missing`: the history that would tell when a citation was reviewed is not in the clone.

use super::{Input, describe};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::review::Basis;

pub(crate) static RULE: Rule = Rule {
    name: "history-missing",
    level: Some(Level::Error),
    summary: "the history that tells when a citation was reviewed is not in this clone",
    explain: "\
A case counts as reviewed at the last commit that changed it. A shallow clone leaves out old commits, a partial one old
files; here the answer lies behind that, so nobody can tell whether the cited text changed since. Nothing is taken to be
fresh that was not looked at.

What to do: fetch the history. In GitHub Actions set `fetch-depth: 0` for actions/checkout; by hand run
`git fetch --unshallow`, or clone without `--filter`. Citations that are pinned to a fingerprint (`section@c1-…`, written
by `citecheck accept`) need no history.

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
## Alarms
The alarm sounds for 30 s.

## Storage
Keep the pump dry.
```

```sh
git clone --depth 1 https://git.example.org/pump
```

Corrected:

```sh
git fetch --unshallow
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    for examined in input.citations {
        if examined.review.basis != Basis::CutOff {
            continue;
        }
        let message = "the history that tells when this citation was reviewed is not in the clone".to_owned();
        let label = format!("`{}` cites it", examined.case().id.0);
        let mut finding = describe::finding(&RULE, examined, message, label);
        finding.helps.push(
            "fetch the rest: `fetch-depth: 0` in actions/checkout, `git fetch --unshallow`, or a clone without `--filter`"
                .to_owned(),
        );
        finding.group = Some(RULE.name.to_owned());
        findings.push(finding);
    }
}
