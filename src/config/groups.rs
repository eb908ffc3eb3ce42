//! The groups of case files, as the key `cases` has them: which files, and how they are read. Which files there are, and
//! whether a pattern selects any, is not known here.

use super::glob::Kind;
use super::tree::Value;
use super::value::{CASES, Entry, Reader, items};
use super::{CaseGroup, Globs, Pattern};
use crate::cases::Shape;

impl Reader {
    pub(super) fn cases(&mut self, entry: Entry<'_>) -> Vec<CaseGroup> {
        let items = items(entry);
        if items.is_empty() {
            self.problem(entry.span(), "`cases` is empty, so no case would be checked", "list at least one group");
        }
        let mut groups: Vec<CaseGroup> = Vec::new();
        for item in self.bounded(entry, items) {
            let Some(group) = self.case_group(item) else { continue };
            if groups.iter().any(|before| hides(before, &group)) {
                let span = group.files.patterns().iter().find_map(Pattern::span).unwrap_or(item.span());
                let message = "a group before this one has the same pattern and takes all of its files";
                self.problem(
                    span,
                    message,
                    "put the keys of both into one group, or narrow the patterns of the one before",
                );
            }
            groups.push(group);
        }
        groups
    }

    fn case_group(&mut self, entry: Entry<'_>) -> Option<CaseGroup> {
        if let Value::Text(text) = &entry.value.value {
            let help = format!("write `files: {text}`");
            self.problem(entry.span(), "expected a mapping in `cases`, found text", &help);
            return None;
        }
        let fields = self.fields(entry, &CASES)?;
        let default = Shape::default();
        let files = match fields.get("files") {
            Some(files) => self.globs(*files, Kind::Yaml)?,
            None => Globs::cases(),
        };
        let mut keys = |key, default| fields.get(key).map_or(default, |it| self.key_paths(*it));
        let (id, title) = (keys("id", default.id), keys("title", default.title));
        let (status, category) = (keys("status", default.status), keys("category", default.category));
        Some(CaseGroup {
            files,
            shape: Shape {
                id,
                title,
                status,
                category,
                cites: fields.get("cites").map_or(default.cites, |it| self.cites(*it)),
                cite_pattern: fields.get("cite-pattern").and_then(|it| self.regex(*it)),
            },
        })
    }

    fn cites(&mut self, entry: Entry<'_>) -> Vec<String> {
        if items(entry).is_empty() {
            self.problem(entry.span(), "`cites` is empty, so no case would be found", "name at least one key");
        }
        self.key_paths(entry)
    }

    /// Keys, dotted where they are nested.
    fn key_paths(&mut self, entry: Entry<'_>) -> Vec<String> {
        let mut paths = Vec::new();
        for (path, span) in self.texts(entry) {
            if path.split('.').any(|key| key.trim().is_empty()) {
                let message = format!("`{}` holds a path with an empty key", entry.key);
                self.problem(span, &message, "write nested keys as `links.verifies`");
            }
            paths.push(path);
        }
        paths
    }
}

/// Whether a group has the patterns of one before it and another key, which is looked for in no file.
fn hides(before: &CaseGroup, group: &CaseGroup) -> bool {
    let takes_all = group.files.patterns().iter().all(|pattern| before.files.has(pattern.text()));
    takes_all && !group.shape.cites.iter().all(|key| before.shape.cites.contains(key))
}

#[cfg(test)]
mod tests {
    use crate::config::read;
    use crate::source::{RepoPath, Rev, Sources};

    #[test]
    fn a_group_whose_files_another_takes_is_told() {
        let check = |first: &str, second: &str, expected: &[&str]| {
            let text = format!("cases:\n- {{{first}cites: one}}\n- {{{second}cites: two}}");
            let mut sources = Sources::default();
            let source = sources.add(Rev::Worktree, RepoPath::new("citecheck.yaml"), text.as_str());
            let problems = read(source, &text, &[]).err().map_or(Vec::new(), |error| error.problems);
            let told: Vec<&str> = problems.iter().map(|problem| sources.slice(problem.span)).collect();
            assert_eq!(told, expected, "{text}");
        };
        check("files: 't/**', ", "files: 't/**', ", &["'t/**'"]);
        check("files: [a/, b/], ", "files: b/, ", &["b/"]);
        check("", "", &["{"]);
        check("files: 't/b/*.yaml', ", "files: 't/**', ", &[]);
        check("files: 't/*.yaml', ", "files: 't/b/*.yaml', ", &[]);
        check("files: a/, ", "", &[]);
    }
}
