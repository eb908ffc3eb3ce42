//! Case files that could not be read for a while: who mends one has looked at no case in it.

use crate::support::Repo;

const MANUAL: &str = "# Lift\n\n## Motor\n\nThe motor shall stop when it is hotter than 130 °C.\n";
const CASES: &str = "- id: TC-1\n  title: Too hot\n  cites: [motor]\n- id: TC-2\n  cites: [lift]\n";

/// The limit is raised while nobody looks; then the file is broken and mended.
fn mended(broken: &[u8], mended: &str) -> Repo {
    let repo = Repo::new();
    repo.write("docs/lift.md", MANUAL);
    repo.write("cases.yaml", CASES);
    repo.commit("Add manual and cases");
    repo.git(["tag", "base"]);
    repo.write("docs/lift.md", MANUAL.replace("130", "300"));
    repo.commit("Raise the limit");
    repo.write("cases.yaml", broken);
    repo.commit("Break the cases");
    repo.write("notes.txt", "x");
    repo.commit("Add notes");
    repo.write("cases.yaml", mended);
    repo
}

#[test]
fn who_mends_a_file_reviews_no_case() {
    let latin = [CASES.as_bytes(), b"  # \xb0C\n"].concat();
    let broken: [&[u8]; 4] = [
        format!("<<<<<<< HEAD\n{CASES}").as_bytes(),
        CASES.replace("  title", "\ttitle").as_bytes(),
        CASES.replace("Too hot", "\"Too hot").as_bytes(),
        &latin,
    ]
    .map(<[u8]>::to_vec)
    .map(|bytes| &*bytes.leak());
    for broken in broken {
        let repo = mended(broken, CASES);
        let shown = String::from_utf8_lossy(broken);
        let before = repo.citecheck(["check", "--rev", "HEAD"]);
        assert!(before.code == 1 && before.stdout.contains("invalid-"), "{shown}{}", before.stdout);
        for commit in [false, true] {
            if commit {
                repo.commit("Mend the cases");
            }
            let out = repo.citecheck(["check"]);
            assert!(out.code == 1 && out.stdout.contains("`TC-1` cites it"), "{shown}{}", out.stdout);
        }
        let range = repo.citecheck(["check", "base..HEAD"]);
        assert!(range.code == 1 && range.stdout.contains("text-changed"), "{shown}{}", range.stdout);
    }
}

#[test]
fn a_case_that_is_changed_while_its_file_is_mended_is_reviewed_then() {
    let broken = format!("<<<<<<< HEAD\n{CASES}");
    let repo = mended(broken.as_bytes(), &CASES.replace("Too hot", "Hotter than 300 °C"));
    repo.commit("Mend the cases and follow the manual");
    let out = repo.citecheck(["check"]);
    assert!(out.stdout.contains("`TC-2` cites it") && !out.stdout.contains("TC-1"), "{}", out.stdout);
}

#[test]
fn a_new_case_beside_one_that_cannot_be_read_whole_is_new() {
    let repo = Repo::with_manual(MANUAL, "motor");
    repo.write(
        "more.yaml",
        "- id: TC-7\n  title: a\n  title: b\n  cites: [lift]\n- id: TC-8\n  cites: [{section: lift, quote: [1]}]\n",
    );
    repo.commit("Add cases with slips");
    let text = repo.read("more.yaml");
    repo.write("more.yaml", format!("{text}- id: TC-9\n  cites: [motor]\n"));
    repo.write("docs/manual.md", MANUAL.replace("130", "300"));
    repo.commit("Raise the limit, with a new case");
    for arguments in [&["check"][..], &["check", "HEAD~1..HEAD"]] {
        let out = repo.citecheck(arguments);
        assert!(out.stdout.contains("`TC-1` cites it") && !out.stdout.contains("TC-9"), "{}", out.stdout);
    }
}
