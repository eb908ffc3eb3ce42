//! The document of `--format json` line by line: one object a finding or section, then one with the ends, the notes and
//! the numbers. The `type` of each object tells which it is; all else is as in the document.

use std::io::{self, Write};

use serde::Serialize;

use super::{CheckReport, DiffReport, json, json_line};

pub(super) fn render_check(report: &CheckReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    json::findings(report).try_for_each(|finding| line("finding", &finding, out))?;
    line("summary", &json::Check::new(report), out)
}

pub(super) fn render_diff(report: &DiffReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    json::sections(report).try_for_each(|section| line("section", &section, out))?;
    line("summary", &json::Diff::new(report), out)
}

#[derive(Serialize)]
struct Line<'a, T: Serialize> {
    r#type: &'static str,
    #[serde(flatten)]
    object: &'a T,
}

fn line<T: Serialize>(r#type: &'static str, object: &T, out: &mut dyn Write) -> io::Result<()> {
    json_line::write(&Line { r#type, object }, out)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::report::sample::{Sample, changes, diff_report};

    fn lines(render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Vec<Value> {
        let mut page = Vec::new();
        render(&mut page).unwrap();
        String::from_utf8(page).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn document(render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Value {
        lines(render).remove(0)
    }

    /// Expects the lines to hold what the document holds, and each a type besides.
    fn check(mut lines: Vec<Value>, mut document: Value, r#type: &str, list: &str) {
        let take_type = |line: &mut Value| line.as_object_mut().unwrap().remove("type").unwrap();
        let mut summary = lines.pop().unwrap();
        assert_eq!(take_type(&mut summary), "summary");
        assert!(lines.iter_mut().all(|line| take_type(line) == r#type));
        assert_eq!(Value::from(lines), document.as_object_mut().unwrap().remove(list).unwrap());
        assert_eq!(summary, document);
    }

    #[test]
    fn the_lines_are_the_document() {
        let sample = Sample::new();
        let report = sample.report();
        let of_check = document(|out| json::render_check(&report, out));
        check(lines(|out| render_check(&report, out)), of_check, "finding", "findings");
        let changes = changes();
        let report = diff_report(&changes);
        let of_diff = document(|out| json::render_diff(&report, out));
        check(lines(|out| render_diff(&report, out)), of_diff, "section", "sections");
    }
}
