//! The examples in the texts of the rules: what is reported is exactly that rule, and the correction settles it.

use serde_json::Value;

use crate::scenes::{Scene, apply, rules};
use crate::support::Repo;

/// `rule: message` of every finding.
fn told(repo: &Repo) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let line = |finding: &Value| format!("{}: {}", text(&finding["rule"]), text(&finding["message"]));
    repo.json(&["check"])["findings"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn every_example_is_reported_and_its_correction_is_not() {
    for rule in rules() {
        let scene = Scene::of(&rule);
        assert!(!scene.reported.is_empty() && !scene.corrected.is_empty(), "{rule} has no example");
        let repo = scene.set_up();
        let findings = told(&repo);
        assert!(!findings.is_empty(), "the example of {rule} is not reported");
        assert!(findings.iter().all(|it| it.starts_with(&format!("{rule}: "))), "{rule}: {findings:#?}");
        apply(&scene.corrected, &repo);
        repo.commit("Correct it");
        assert_eq!(told(&repo), [""; 0], "{rule} as corrected");
    }
}
