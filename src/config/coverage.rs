//! What `coverage` counts by: the taxonomy and the statuses of drafts, as the key `coverage` has them. Which keys of a case
//! hold its category and status stands with the groups of case files.

use super::value::{COVERAGE, Entry, Reader, items};
use crate::cases::{Taxonomy, is_same_word};

/// What `coverage` counts by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Coverage {
    pub(crate) taxonomy: Taxonomy,
    /// Whether the taxonomy was written down: without one a key `category` may mean anything.
    pub(crate) has_taxonomy: bool,
    /// What the status of a case is that is not finished.
    pub(crate) drafts: Vec<String>,
}

impl Default for Coverage {
    fn default() -> Self {
        Self { taxonomy: Taxonomy::default(), has_taxonomy: false, drafts: vec!["draft".to_owned()] }
    }
}

impl Coverage {
    /// Whether a case with this status is not finished.
    pub(crate) fn is_draft(&self, status: &str) -> bool {
        self.drafts.iter().any(|draft| is_same_word(draft, status))
    }
}

impl Reader {
    pub(super) fn coverage(&mut self, entry: Entry<'_>) -> Coverage {
        let default = Coverage::default();
        let Some(fields) = self.fields(entry, &COVERAGE) else { return default };
        let mut taxonomy: Vec<String> = Vec::new();
        for name in fields.get("taxonomy").map(|it| self.bounded(*it, items(*it))).unwrap_or_default() {
            let span = name.span();
            let Some(name) = self.nonempty_text(name) else { continue };
            match taxonomy.iter().any(|known| is_same_word(known, &name)) {
                true => self.problem(span, &format!("category `{name}` stands twice"), "remove one of them"),
                false => taxonomy.push(name),
            }
        }
        let has_taxonomy = fields.contains_key("taxonomy");
        if has_taxonomy && taxonomy.is_empty() && self.problems.is_empty() {
            let help = "list the categories, or remove the key for the default";
            self.problem(fields["taxonomy"].span(), "`taxonomy` is empty, so every category would be unknown", help);
        }
        let drafts = fields.get("drafts").map_or(default.drafts, |it| self.nonempty_texts(*it));
        let taxonomy = if has_taxonomy { Taxonomy::new(taxonomy) } else { default.taxonomy };
        Coverage { taxonomy, has_taxonomy, drafts }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, ConfigError, read};
    use crate::source::{RepoPath, Rev, Sources};

    fn read_text(text: &str) -> Result<Config, ConfigError> {
        let source = Sources::default().add(Rev::Worktree, RepoPath::new("citecheck.yaml"), text);
        read(source, text, &[])
    }

    /// Expects one problem, as its message and help.
    fn check(text: &str, message: &str, help: &str) {
        let problems = read_text(text).expect_err(text).problems;
        let found: Vec<_> = problems.iter().map(|it| (it.message.as_str(), it.help.as_deref())).collect();
        assert_eq!(found, [(message, Some(help))], "{text}");
    }

    #[test]
    fn each_group_says_where_its_cases_tell_of_themselves() {
        let text = "cases: [{title: [name], status: meta.state, category: [kind, category]}, {files: '*.yml'}]";
        let config = read_text(text).expect("a valid configuration");
        let shown = |nth: usize| {
            let shape = &config.cases[nth].shape;
            [&shape.title, &shape.status, &shape.category].map(|keys| keys.join(" "))
        };
        assert_eq!(shown(0), ["name", "meta.state", "kind category"]);
        assert_eq!(shown(1), ["title", "status", "category"]);
    }

    #[test]
    fn names_are_found_however_they_are_spelled() {
        let text = "coverage: {taxonomy: [safety, Third-party software], drafts: [draft, proposed]}";
        let coverage = read_text(text).expect("a valid configuration").coverage;
        assert_eq!(coverage.taxonomy.find("third_party SOFTWARE"), Some("Third-party software"));
        assert_eq!((coverage.taxonomy.find("alarms"), coverage.has_taxonomy), (None, true));
        assert_eq!((coverage.is_draft("Proposed"), coverage.is_draft("done")), (true, false));
    }

    #[test]
    fn a_taxonomy_names_each_category_once() {
        check("coverage: {taxonomy: [a b, A-b]}", "category `A-b` stands twice", "remove one of them");
        let help = "list the categories, or remove the key for the default";
        check("coverage: {taxonomy: []}", "`taxonomy` is empty, so every category would be unknown", help);
        let config = read_text("coverage: {drafts: []}").expect("a valid configuration");
        assert_eq!(config.coverage.taxonomy, Config::default().coverage.taxonomy);
        assert!(!config.coverage.is_draft("draft"));
    }
}
