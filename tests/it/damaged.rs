//! Repositories that were damaged: a file of git's cut short, emptied, lost or overwritten. Every command either says what
//! it says of the sound one, or that it cannot know: never that all is fresh where it is not.

use std::fs;
use std::path::PathBuf;

use crate::support::{Output, Repo};

const INDEX: &str = ".git/index";

/// What is done to something, and its name.
type Damage<T> = (&'static str, fn(&T));

const COMMANDS: [&[&str]; 8] = [
    &["check"],
    &["check", "--staged"],
    &["check", "HEAD~2..HEAD"],
    &["check", "--rev", "HEAD"],
    &["diff", "HEAD~2..HEAD"],
    &["coverage"],
    &["sections"],
    &["fix", "--dry-run"],
];

/// Two manuals and two cases; one limit was changed, then a section moved.
fn repo() -> Repo {
    let repo = Repo::new();
    let manual = |name: &str, limit: usize| {
        format!(
            "# {name}\n\n## Limits of {name}\n\nThe {name} shall stop within {limit} s.\n\n## Notes on {name}\n\nKeep the {name} dry.\n"
        )
    };
    repo.write("docs/pump.md", manual("pump", 30));
    repo.write("docs/valve.md", manual("valve", 20));
    repo.write("cases/a.yaml", "- id: TC-1\n  cites: [limits-of-pump]\n");
    repo.write("cases/b.yaml", "- id: TC-2\n  cites: [limits-of-valve]\n- id: TC-3\n  cites: [valve/notes-on-valve]\n");
    repo.commit("Add manual and cases");
    repo.write("docs/pump.md", manual("pump", 300));
    repo.commit("Raise the limit");
    let text = manual("valve", 20);
    repo.write("docs/valve.md", text.replace("## Notes on valve", "## Remarks on valve"));
    repo.commit("Rename a section");
    repo
}

fn object(repo: &Repo, name: &str) -> PathBuf {
    let id = repo.git(["rev-parse", name]);
    repo.path().join(".git/objects").join(&id[..2]).join(id[2..].trim())
}

fn pack(repo: &Repo, ending: &str) -> PathBuf {
    repo.git(["repack", "-adq"]);
    let packs = fs::read_dir(repo.path().join(".git/objects/pack")).unwrap().map(|entry| entry.unwrap().path());
    packs.into_iter().find(|path| path.extension().is_some_and(|found| found == ending)).unwrap()
}

/// What git writes is read-only.
fn overwrite(file: &PathBuf, bytes: &[u8]) {
    fs::remove_file(file).unwrap();
    fs::write(file, bytes).unwrap();
}

fn flip(file: &PathBuf, at: usize) {
    let mut bytes = fs::read(file).unwrap();
    bytes[at] ^= 0xff;
    overwrite(file, &bytes);
}

fn cut(file: &PathBuf, part: f64) {
    let bytes = fs::read(file).unwrap();
    overwrite(file, &bytes[..(bytes.len() as f64 * part) as usize]);
}

fn outputs(repo: &Repo) -> Vec<Output> {
    COMMANDS.iter().map(|arguments| repo.citecheck(*arguments)).collect()
}

/// Expects of each command what it says of the sound repository, or an error with a way out, or that history is missing.
#[track_caller]
fn check(what: &str, repo: &Repo, sound: &[Output]) {
    let mut refused = 0;
    for ((arguments, sound), out) in COMMANDS.iter().zip(sound).zip(outputs(repo)) {
        let is_same = (out.code, &out.stdout) == (sound.code, &sound.stdout);
        let is_error = out.code == 2 && out.stderr.starts_with("error: ") && out.stderr.contains("\n  hint: ");
        let is_doubt = out.stdout.contains("history-missing")
            || out.stdout.contains("could not be followed")
            || arguments[0] == "coverage" && out.stdout.contains("100 % of the covered are stale");
        assert!(is_same || is_error || is_doubt, "{what}: {arguments:?}: {out:?}");
        assert!(!out.stderr.contains("panicked"), "{what}: {arguments:?}: {}", out.stderr);
        refused += usize::from(!is_same);
    }
    assert!(refused > 0, "{what}: nobody met the damage");
}

/// One that is cut in the middle is left out: libgit2 1.9.7 reads on without end there (its issue 7342, mended since).
#[test]
fn a_lost_or_broken_object_is_never_taken_for_fresh() {
    let names = ["HEAD~2:docs/pump.md", "HEAD~2:docs", "HEAD~2^{tree}", "HEAD~1", "HEAD~2"];
    let sound = outputs(&repo());
    for name in names {
        let damages: [Damage<PathBuf>; 3] = [
            ("lost", |file| fs::remove_file(file).unwrap()),
            ("emptied", |file| overwrite(file, b"")),
            // As after a loss of power.
            ("zeroed", |file| overwrite(file, &vec![0; fs::metadata(file).unwrap().len() as usize])),
        ];
        for (how, damage) in damages {
            let repo = repo();
            damage(&object(&repo, name));
            check(&format!("{name} {how}"), &repo, &sound);
        }
    }
}

#[test]
fn another_text_under_the_id_of_an_object_is_not_believed() {
    let (repo, sound) = (repo(), outputs(&repo()));
    let now = fs::read(object(&repo, "HEAD:docs/pump.md")).unwrap();
    overwrite(&object(&repo, "HEAD~2:docs/pump.md"), &now);
    check("the text of today", &repo, &sound);
}

#[test]
fn a_broken_pack_is_told() {
    let sound = outputs(&repo());
    for (ending, part) in [("pack", 0.0), ("pack", 0.5), ("pack", 0.95), ("idx", 0.0), ("idx", 0.5), ("idx", 0.95)] {
        let repo = repo();
        cut(&pack(&repo, ending), part);
        check(&format!("{part} of the {ending}"), &repo, &sound);
    }
    let repo = repo();
    let file = pack(&repo, "pack");
    let whole = fs::read(&file).unwrap();
    let told = &sound[0];
    for at in (12..whole.len()).step_by(37) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        overwrite(&file, &bytes);
        let out = repo.citecheck(["check"]);
        let is_error = out.code == 2 && out.stderr.contains("\n  hint: ");
        assert!(is_error || (out.code, &out.stdout) == (told.code, &told.stdout), "byte {at}: {out:?}");
    }
}

#[test]
fn a_broken_index_or_head_is_told() {
    let damages: [(Damage<Repo>, &str); 6] = [
        (("index cut", |repo| cut(&repo.path().join(INDEX), 0.3)), "git reset"),
        (("index emptied", |repo| overwrite(&repo.path().join(INDEX), b"")), "git reset"),
        (("index overwritten", |repo| flip(&repo.path().join(INDEX), 70)), "git reset"),
        (("HEAD", |repo| overwrite(&repo.path().join(".git/HEAD"), b"junk\n")), "git fsck"),
        (("branch", |repo| overwrite(&repo.path().join(".git/refs/heads/main"), b"")), "git fsck"),
        (("commit", |repo| fs::remove_file(object(repo, "HEAD")).unwrap()), "git fsck"),
    ];
    for ((what, damage), way_out) in damages {
        let repo = repo();
        damage(&repo);
        for arguments in [&["check"][..], &["check", "--staged"], &["fix"], &["accept", "--all", "--yes"]] {
            let out = repo.citecheck(arguments);
            assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{what}: {arguments:?}: {}", out.stderr);
            assert!(out.stderr.contains(way_out), "{what}: {arguments:?}: {}", out.stderr);
        }
        assert_eq!(repo.read("cases/b.yaml").matches("c1-").count(), 0);
    }
}

#[test]
fn what_speeds_git_up_may_be_broken() {
    let repo = repo();
    let told = repo.citecheck(["check"]).stdout;
    repo.git(["-c", "core.commitGraph=true", "commit-graph", "write", "--reachable"]);
    repo.git(["repack", "-adq"]);
    repo.git(["multi-pack-index", "write"]);
    for file in [".git/objects/info/commit-graph", ".git/objects/pack/multi-pack-index"] {
        let file = repo.path().join(file);
        if file.exists() {
            cut(&file, 0.2);
        }
    }
    assert_eq!(repo.citecheck(["check"]).stdout, told);
}

#[test]
fn what_a_clone_left_out_is_not_taken_for_fresh() {
    for (filter, way_out) in [("blob:none", "without `--filter`"), ("tree:0", "without `--filter`")] {
        let repo = repo();
        repo.git(["config", "uploadpack.allowFilter", "true"]);
        let (from, to) = (format!("file://{}", repo.path().display()), repo.path().with_extension("partial"));
        repo.git(["clone", "--quiet", "--filter", filter, &from, to.to_str().unwrap()]);
        for arguments in [&["check"][..], &["check", "HEAD~2..HEAD"], &["coverage"], &["fix"]] {
            let mut command = repo.command(crate::support::citecheck(), &to);
            let out = crate::support::output(command.args(arguments));
            assert_eq!(out.code, 2, "{filter}: {arguments:?}: {}", out.stdout);
            assert!(out.stderr.contains(way_out), "{filter}: {arguments:?}: {}", out.stderr);
        }
    }
}

#[test]
fn where_the_history_is_cut_off_fix_does_not_say_that_nothing_is_to_do() {
    let repo = repo();
    repo.make_shallow();
    let out = repo.citecheck(["fix"]);
    assert_eq!(out.code, 0);
    assert!(out.stdout.ends_with("3 citations could not be followed: their history is not in this clone\n"), "{out:?}");
}
