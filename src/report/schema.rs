//! The schemas of what citecheck writes and reads, as JSON Schema: our own documents, the configuration and case files.

/// What `check` writes as JSON.
pub(crate) const CHECK: &str = include_str!("schema/check.json");
/// What `diff` writes as JSON.
pub(crate) const DIFF: &str = include_str!("schema/diff.json");
/// What `coverage` writes as JSON.
pub(crate) const COVERAGE: &str = include_str!("schema/coverage.json");
/// What `rules` and `explain` write as JSON.
pub(crate) const RULES: &str = include_str!("schema/rules.json");
/// The configuration.
pub(crate) const CONFIG: &str = include_str!("schema/config.json");
/// Case files in the default shape.
pub(crate) const CASES: &str = include_str!("schema/cases.json");

#[cfg(test)]
mod tests {
    use std::io::{self, Write};

    use serde_json::Value;

    use super::*;
    use crate::report::coverage::sample::Sample as CoverageSample;
    use crate::report::json::{render_check, render_diff};
    use crate::report::sample::{Sample, changes, diff_report, looks};
    use crate::report::{CheckReport, CoverageFormat, RuleFact, render_coverage, render_rules};

    /// Everything in a value that a schema does not describe or forbids, as `path: what`. Knows the keywords that our
    /// schemas use and takes a key that is not described for a fault, which a reader would not.
    fn faults(root: &Value, schema: &Value, value: &Value, path: &str) -> Vec<String> {
        if let Some(name) = schema["$ref"].as_str() {
            let target = root.pointer(name.trim_start_matches('#')).unwrap_or_else(|| panic!("{name} is not there"));
            return faults(root, target, value, path);
        }
        if let Some(choices) = schema["anyOf"].as_array() {
            let found: Vec<_> = choices.iter().map(|choice| faults(root, choice, value, path)).collect();
            return found.iter().find(|found| found.is_empty()).or(found.first()).cloned().unwrap_or_default();
        }
        let mut found = Vec::new();
        if schema.get("const").is_some_and(|wanted| wanted != value)
            || schema["enum"].as_array().is_some_and(|wanted| !wanted.contains(value))
            || !is_of(&schema["type"], value)
        {
            found.push(format!("{path}: {value}"));
        }
        for (nth, item) in value.as_array().into_iter().flatten().enumerate() {
            if schema.get("items").is_some() {
                found.extend(faults(root, &schema["items"], item, &format!("{path}/{nth}")));
            }
        }
        for (key, item) in value.as_object().into_iter().flatten() {
            match schema["properties"].get(key) {
                Some(property) => found.extend(faults(root, property, item, &format!("{path}/{key}"))),
                None => found.push(format!("{path}/{key}: not described")),
            }
        }
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        found.extend(required.filter(|key| value.get(key).is_none()).map(|key| format!("{path}/{key}: missing")));
        found
    }

    fn is_of(types: &Value, value: &Value) -> bool {
        let is = |name: &str| match name {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "integer" => value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            other => panic!("unknown type {other}"),
        };
        match types {
            Value::String(name) => is(name),
            Value::Array(names) => names.iter().filter_map(Value::as_str).any(is),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => true,
        }
    }

    fn document(render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Value {
        let mut page = Vec::new();
        render(&mut page).unwrap();
        serde_json::from_slice(&page).unwrap()
    }

    #[test]
    fn every_key_that_is_written_is_described() {
        let sample = Sample::new();
        let changes = changes();
        let coverage = CoverageSample::new();
        let rules: Vec<RuleFact> = sample
            .findings
            .iter()
            .map(|finding| RuleFact { rule: finding.rule, most: finding.rule.level, fixable: false })
            .collect();
        let documents = [
            (CHECK, document(|out| render_check(&sample.report(), out))),
            (CHECK, document(|out| render_check(&CheckReport { statistics: true, ..sample.report() }, out))),
            (DIFF, document(|out| render_diff(&diff_report(&changes), out))),
            (RULES, document(|out| render_rules(&rules, out))),
            (COVERAGE, document(|out| render_coverage(CoverageFormat::Json, &coverage.report(), looks(), out))),
        ];
        for (schema, value) in documents {
            let schema: Value = serde_json::from_str(schema).unwrap();
            assert_eq!(faults(&schema, &schema, &value, ""), Vec::<String>::new());
        }
    }

    #[test]
    fn what_a_schema_forbids_is_found() {
        let schema: Value = serde_json::from_str(CHECK).unwrap();
        let mut value = document(|out| render_check(&Sample::new().report(), out));
        value["findings"][0]["level"] = "fatal".into();
        value["findings"][1]["place"]["line"] = "4".into();
        value["summary"].as_object_mut().unwrap().remove("fresh");
        value["more"] = Value::Null;
        let expected = [
            "/findings/0/level: \"fatal\"",
            "/findings/1/place/line: \"4\"",
            "/more: not described",
            "/summary/fresh: missing",
        ];
        let mut found = faults(&schema, &schema, &value, "");
        found.sort();
        assert_eq!(found, expected);
    }
}
