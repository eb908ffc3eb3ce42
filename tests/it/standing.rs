//! What was wrong before a range began: a note, in the hook as in a range; and what the range itself did to a section that
//! a citation does not find any more, which is told.

use crate::support::Repo;

const MANUAL: &str =
    "# Lift\n\n## Motor\n\nThe motor shall stop when it is hotter than 130 °C.\n\n## Doors\n\nThey close after 4 s.\n";

/// One case cites a section that was renamed meanwhile, one what never was there, and one is fresh.
fn repo() -> Repo {
    let repo = Repo::with_manual(MANUAL, "motor");
    repo.write("other.yaml", "- id: TC-2\n  cites: [doors]\n");
    repo.write("slip.yaml", "- id: TC-3\n  cites: [dors]\n");
    repo.commit("Add other cases");
    edit(&repo, "## Motor", "## Drive unit");
    repo.commit("Rename a section");
    repo
}

fn edit(repo: &Repo, before: &str, after: &str) {
    let text = repo.read("docs/manual.md");
    assert!(text.contains(before));
    repo.write("docs/manual.md", text.replace(before, after));
}

/// Checks what is staged, and the same as a range once it is committed: the status, what both say, and what neither does.
#[track_caller]
fn check(repo: &Repo, code: i32, says: &[&str], not: &[&str]) {
    repo.git(["add", "."]);
    let staged = repo.citecheck(["check", "--staged"]);
    repo.commit("Change something");
    let range = repo.citecheck(["check", "HEAD~1..HEAD"]);
    for out in [staged, range] {
        assert_eq!(out.code, code, "{}{}", out.stdout, out.stderr);
        for text in says {
            assert!(out.stdout.contains(text), "{text}: {}", out.stdout);
        }
        for text in not {
            assert!(!out.stdout.contains(text), "{text}: {}", out.stdout);
        }
    }
}

#[test]
fn who_edits_something_else_is_not_stopped() {
    let repo = repo();
    repo.write("other.yaml", "- id: TC-2\n  title: Doors\n  cites: [doors]\n");
    let notes = ["1 citation was stale before this range", "1 citation leads nowhere, as before this range"];
    check(&repo, 0, &notes, &["unknown-section", "section-moved"]);
    edit(&repo, "4 s", "5 s");
    check(&repo, 1, &["text-changed", "`TC-2`", "1 more citation leads nowhere"], &["unknown-section", "TC-1", "TC-3"]);
    let all = repo.citecheck(["check"]);
    assert!(all.code == 1 && all.stdout.contains("unknown-section"), "{}", all.stdout);
}

#[test]
fn the_section_behind_a_citation_that_leads_nowhere_is_followed() {
    let repo = repo();
    edit(&repo, "130 °C", "150 °C");
    check(&repo, 1, &["text-changed", "`TC-1`", "`130`"], &["TC-3"]);
    // From the next change on it was so before.
    repo.write("notes.txt", "x");
    check(&repo, 0, &["1 citation was stale before this range"], &["TC-1"]);
}

#[test]
fn a_new_citation_that_leads_nowhere_is_told() {
    let repo = repo();
    repo.write("new.yaml", "- id: TC-4\n  cites: [floors]\n");
    check(&repo, 1, &["unknown-section", "`floors`"], &["TC-3"]);
}

#[test]
fn what_other_settings_find_no_more_is_told() {
    let repo = repo();
    repo.write("docs/b.md", "# B\n\n## Brakes\n\nThe brakes hold.\n");
    repo.write("citecheck.yaml", "manuals: ['docs/*.md']\n");
    repo.write("brakes.yaml", "- id: TC-5\n  cites: [brakes]\n");
    repo.commit("Add brakes");
    repo.write("citecheck.yaml", "manuals: ['docs/manual.md']\n");
    check(&repo, 1, &["`brakes`"], &[]);
}

#[test]
fn a_change_that_nobody_reviewed_can_be_taken_back() {
    let repo = repo();
    edit(&repo, "4 s", "5 s");
    repo.commit("Change the doors");
    edit(&repo, "5 s", "4 s");
    check(&repo, 0, &["makes no citation stale"], &["text-changed"]);
}
