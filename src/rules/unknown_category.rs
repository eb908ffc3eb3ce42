//! `unknown-category`: a case has a category that the taxonomy does not have.

use super::{Input, describe};
use crate::diagnostic::{Diagnostic, Level, Rule};
use crate::nearest::nearest;

pub(crate) static RULE: Rule = Rule {
    name: "unknown-category",
    level: Some(Level::Warning),
    summary: "a case has a category that the taxonomy does not have",
    explain: "\
`citecheck coverage` counts cases by the category that stands under their key `category`. One that is not among the
categories of the taxonomy is counted as unclassified, which hides a slip of the keyboard. Capitals do not matter, and
`-` and `_` count as spaces.

`check` looks at categories only where the configuration has a taxonomy, as a key `category` may mean anything;
`coverage` always does.

What to do: write one of the categories, or add this one to the taxonomy.

To tune: `coverage: { taxonomy: [safety, usability] }` lists the categories, and `category: kind` in a group of `cases`
names another key.

Reported:

```markdown docs/manual.md
## Alarms
The alarm sounds for 30 s.
```

```yaml cases.yaml
- id: TC-1
  category: safty
  cites: [alarms]
```

```yaml citecheck.yaml
coverage: { taxonomy: [safety, usability] }
```

Corrected:

```yaml cases.yaml
- id: TC-1
  category: safety
  cites: [alarms]
```",
};

pub(super) fn check(input: &Input<'_>, findings: &mut Vec<Diagnostic>) {
    let Some(taxonomy) = input.taxonomy else { return };
    for case in input.case_files.iter().flat_map(|file| &file.cases) {
        let Some(category) = case.category.as_ref().filter(|category| taxonomy.find(&category.text).is_none()) else {
            continue;
        };
        let message = format!("no category `{}` in the taxonomy", category.text);
        let mut finding = describe::about_file(&RULE, category.span, message, "counted as unclassified");
        finding.facts.case = Some(case.id.0.clone());
        let names: Vec<&str> = taxonomy.names().collect();
        finding.helps.push(match nearest(&category.text, &names) {
            Some(near) => format!("a category with a similar name exists: `{near}`"),
            None => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                format!("the categories are {}", names.join(", "))
            }
        });
        findings.push(finding);
    }
}
