//! What files are for, told by their names alone: pages of a manual, pages about the project, templates, other people's
//! texts. Only what is the same in every repository counts.

use crate::source::RepoPath;

/// What a Markdown file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Perhaps a page of the manual.
    Page,
    /// About the project: read me, changes, how to contribute.
    About,
    /// To be filled in.
    Template,
    /// Brought in from elsewhere, built, or of no reader's concern.
    Foreign,
}

/// Folders with what is not the repository's own text.
const FOREIGN: &[&str] = &[
    "node_modules",
    "vendor",
    "vendored",
    "third_party",
    "third-party",
    "thirdparty",
    "3rdparty",
    "external",
    "extern",
    "bower_components",
    "site-packages",
    "dist",
    "build",
    "target",
    "out",
    "venv",
    "__pycache__",
    "submodules",
];

/// Names, without ending, that mean the same in any folder.
const ABOUT: &[&str] = &[
    "readme",
    "changelog",
    "changes",
    "history",
    "contributing",
    "code_of_conduct",
    "code-of-conduct",
    "release-notes",
    "release_notes",
    "releasenotes",
    "license",
    "licence",
    "copying",
    "pull_request_template",
    "issue_template",
    "contributors",
];

/// Names that are a page's as well, but not at the root.
const ABOUT_AT_ROOT: &[&str] = &[
    "security",
    "support",
    "roadmap",
    "governance",
    "maintainers",
    "authors",
    "notice",
    "news",
    "todo",
    "releasing",
    "codeowners",
    "funding",
    "credits",
    "acknowledgements",
    "upgrading",
    "development",
    "claude",
    "agents",
    "summary",
];

/// Settings of other programs, and tables of contents.
const SETTINGS: &[&str] = &[
    "mkdocs",
    "_toc",
    "toc",
    "_config",
    "nav",
    "navigation",
    "sidebar",
    "sidebars",
    "docker-compose",
    "compose",
    "antora",
    "pubspec",
    "renovate",
    "codecov",
    "taskfile",
    "lefthook",
    "openapi",
];

pub(crate) fn role(path: &RepoPath) -> Role {
    let path = path.to_string();
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default().to_lowercase();
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let is_template = |name: &str| name.split(['-', '_', '.']).any(|word| matches!(word, "template" | "templates"));
    if is_foreign(&parts) {
        Role::Foreign
    } else if parts.iter().any(|part| is_template(&part.to_lowercase())) || is_template(stem) {
        Role::Template
    } else if ABOUT.contains(&stem) || stem.starts_with("readme.") || parts.is_empty() && ABOUT_AT_ROOT.contains(&stem)
    {
        Role::About
    } else {
        Role::Page
    }
}

/// Whether a Markdown file can be cited at all; a text about the project can.
pub(super) fn may_be_manual(path: &RepoPath) -> bool {
    matches!(role(path), Role::Page | Role::About)
}

/// Whether a YAML file can hold cases of this repository: not what tools write or bring in, and no tool's settings.
pub(super) fn may_hold_cases(path: &RepoPath) -> bool {
    let path = path.to_string();
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or_default();
    let is_lock = name.contains("-lock.") || name.contains(".lock.");
    let is_ours = matches!(name, "citecheck.yaml" | "citecheck.pins.yaml");
    let stem = name.split('.').next().unwrap_or_default().to_lowercase();
    let is_settings = name.starts_with('.') || SETTINGS.contains(&stem.as_str());
    !is_foreign(&parts) && !is_settings && !is_lock && !is_ours
}

/// The foreign or template folder that a path lies in, with those above it.
pub(super) fn folder_of_kind(path: &str) -> Option<&str> {
    let ends = path.match_indices('/').map(|(at, _)| at);
    let is_kind = |folder: &&str| {
        let probe = RepoPath::new(format!("{folder}/page.md"));
        matches!(role(&probe), Role::Foreign | Role::Template)
    };
    ends.map(|end| &path[..end]).find(is_kind)
}

fn is_foreign(folders: &[&str]) -> bool {
    folders.iter().any(|part| part.starts_with('.') || FOREIGN.contains(&part.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_page_is_for() {
        let check = |path: &str, expected| assert_eq!(role(&RepoPath::new(path)), expected, "{path}");
        check("docs/limits.md", Role::Page);
        check("docs/security.md", Role::Page);
        check("SECURITY.md", Role::About);
        check("docs/README.md", Role::About);
        check("docs/readme.de.md", Role::About);
        check("CHANGELOG.md", Role::About);
        check("docs/templates/limit.md", Role::Template);
        check("docs/limit-template.md", Role::Template);
        check("docs/contemplate.md", Role::Page);
        check("web/node_modules/x/docs/a.md", Role::Foreign);
        check(".github/a.md", Role::Foreign);
    }

    #[test]
    fn tools_files_hold_no_cases() {
        let check = |path: &str, expected| assert_eq!(may_hold_cases(&RepoPath::new(path)), expected, "{path}");
        check("tests/a.yaml", true);
        check(".github/workflows/ci.yml", false);
        check(".pre-commit-config.yaml", false);
        check("pnpm-lock.yaml", false);
        check("citecheck.pins.yaml", false);
        check("vendor/x/a.yaml", false);
    }
}
