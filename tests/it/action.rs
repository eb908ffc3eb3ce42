//! The scripts of the GitHub Action, run by a runner of our own: files for outputs and summary, the event, the
//! environment of a job. No token is set anywhere, as in a pull request from a fork.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::ci::{Depth, Job, MANUAL, pull_request};
use crate::support::{Repo, citecheck, output, root, run};

/// What a step of the action did.
#[derive(Debug)]
struct Step {
    code: i32,
    log: String,
    outputs: BTreeMap<String, String>,
    summary: String,
}

struct Runner {
    job: Job,
    /// Where the action is, with the folder that holds it.
    action: PathBuf,
}

impl Runner {
    fn new() -> Self {
        Self { job: Job::new(), action: root().join("action") }
    }

    /// The folder for temporary files.
    fn temp(&self) -> PathBuf {
        let temp = self.job.origin.path().join("../temp");
        fs::create_dir_all(&temp).unwrap();
        temp
    }

    fn step(&self, script: &str, event: (&str, &str, &Value), variables: &[(&str, &str)]) -> Step {
        let (outputs, summary) = (self.temp().join("outputs"), self.temp().join("summary"));
        for file in [&outputs, &summary] {
            fs::write(file, "").unwrap();
        }
        let folder = if self.job.checkout().exists() { self.job.checkout() } else { self.temp() };
        let mut command = self.job.origin.command("bash", folder);
        let (name, sha, payload) = event;
        self.job.set(&mut command, name, sha, payload);
        command
            .arg(self.action.join(script))
            .env("RUNNER_TEMP", self.temp())
            .env("RUNNER_OS", "Linux")
            .env("RUNNER_ARCH", "X64")
            .env("GITHUB_OUTPUT", &outputs)
            .env("GITHUB_STEP_SUMMARY", &summary)
            .env("PLAN_FOLDER", self.temp().join("citecheck-program"))
            .envs(variables.iter().copied());
        let out = output(&mut command);
        let text = fs::read_to_string(outputs).unwrap();
        let pair = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
        Step {
            code: out.code,
            log: out.stdout + &out.stderr,
            outputs: text.lines().map(|line| pair(line).unwrap_or_else(|| panic!("{line:?} is no output"))).collect(),
            summary: fs::read_to_string(summary).unwrap(),
        }
    }

    /// Runs the check as the action does, with the program in its place.
    fn check(&self, event: (&str, &str, &Value), inputs: &[(&str, &str)]) -> Step {
        let folder = self.temp().join("citecheck-program");
        fs::create_dir_all(&folder).unwrap();
        place(&folder);
        self.step("run.sh", event, inputs)
    }

    fn checked_pull_request(&self, depth: u8, inputs: &[(&str, &str)]) -> Step {
        let merge = self.job.pull_request();
        self.job.check_out("refs/pull/1/merge", Depth::Of(depth));
        self.check(("pull_request", &merge, &pull_request(&self.job)), inputs)
    }
}

/// Puts the program into a folder, without a copy where the file system can do that.
fn place(folder: &Path) {
    let path = folder.join("citecheck");
    _ = fs::remove_file(&path);
    if fs::hard_link(citecheck(), &path).is_err() {
        fs::copy(citecheck(), &path).unwrap();
    }
}

const PLAIN: [(&str, &str); 2] = [("INPUT_ANNOTATIONS", "false"), ("INPUT_SUMMARY", "false")];

/// All outputs of action.yml, except those that are the run's own business.
const OUTPUTS: [&str; 13] = [
    "base",
    "errors",
    "exit-code",
    "head",
    "impacted-cases",
    "json-file",
    "program",
    "report-file",
    "result",
    "sarif-file",
    "stale-cases",
    "version",
    "warnings",
];

impl Step {
    #[track_caller]
    fn has(&self, code: i32, outputs: &[(&str, &str)]) -> &Self {
        assert_eq!(self.code, code, "{}", self.log);
        let names: Vec<&str> = self.outputs.keys().map(String::as_str).collect();
        assert_eq!(names, OUTPUTS, "every output is set in every mode");
        for (name, value) in outputs {
            assert_eq!(self.outputs[*name], *value, "{name}: {}", self.log);
        }
        self
    }

    fn json(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(&self.outputs["json-file"]).unwrap()).unwrap()
    }
}

#[test]
fn a_pull_request_gets_a_log_and_outputs_and_fails() {
    let runner = Runner::new();
    let step = runner.checked_pull_request(2, &PLAIN);
    let (base, head) = (runner.job.id("main"), runner.job.id("refs/pull/1/merge"));
    let counts = [("errors", "1"), ("warnings", "0"), ("impacted-cases", "1"), ("stale-cases", "1")];
    step.has(1, &[("exit-code", "1"), ("result", "findings"), ("base", &base), ("head", &head), ("sarif-file", "")]);
    step.has(1, &counts).has(1, &[("version", env!("CARGO_PKG_VERSION"))]);
    assert!(step.log.contains("text-changed") && step.log.contains('\u{1b}'), "coloured: {}", step.log);
    let report = fs::read_to_string(&step.outputs["report-file"]).unwrap();
    assert!(report.contains("text-changed") && step.summary.is_empty(), "{report}{}", step.summary);
    assert!(run(runner.job.origin.command(&step.outputs["program"], ".").arg("--version")).starts_with("citecheck "));
    assert_eq!(step.json()["findings"][0]["rule"], "text-changed");
}

#[test]
fn one_run_also_gives_annotations_a_summary_and_sarif() {
    let runner = Runner::new();
    let step =
        runner.checked_pull_request(2, &[("INPUT_SARIF_FILE", "out.sarif"), ("INPUT_SARIF_CATEGORY", "pump/docs")]);
    step.has(1, &[("result", "findings"), ("sarif-file", "out.sarif")]);
    // The case file is no part of the change, so GitHub would not show an annotation there.
    let annotation =
        step.log.lines().find(|line| line.starts_with("::error ")).unwrap_or_else(|| panic!("{}", step.log));
    assert!(annotation.contains("file=docs/manual.md,line=5") && annotation.contains("TC-1"), "{annotation}");
    assert!(step.summary.contains("TC-1") && step.summary.contains("text-changed"), "{}", step.summary);
    let sarif = fs::read_to_string(runner.job.checkout().join("out.sarif")).unwrap();
    let sarif: Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "text-changed");
    assert_eq!(sarif["runs"][0]["automationDetails"]["id"], "pump/docs/");
}

#[test]
fn annotations_stand_on_the_lines_that_the_page_shows() {
    let runner = Runner::new();
    // The base put a paragraph above the change, which the page of the pull request does not show.
    runner.job.origin.write("docs/manual.md", MANUAL.replace("# Pump\n", "# Pump\n\nFor water.\n"));
    runner.job.origin.commit("Say what it pumps");
    let step = runner.checked_pull_request(2, &[]);
    assert_eq!(step.code, 1, "{}", step.log);
    let annotation =
        step.log.lines().find(|line| line.starts_with("::error ")).unwrap_or_else(|| panic!("{}", step.log));
    assert!(annotation.contains("file=docs/manual.md,line=5,endLine=5,col="), "{annotation}");
    assert_eq!(step.json()["findings"][0]["change"]["fragments"][0]["after"]["line"], 7, "of the merge");
}

#[test]
fn a_good_run_has_a_summary_and_no_annotation() {
    let runner = Runner::new();
    runner.job.check_out("refs/heads/main", Depth::Of(2));
    let event = json!({"before": runner.job.id("main~1"), "after": runner.job.id("main")});
    let step = runner.check(("push", &runner.job.id("main"), &event), &[]);
    step.has(0, &[("result", "clean"), ("errors", "0"), ("impacted-cases", "0")]);
    assert!(!step.log.lines().any(|line| line.starts_with("::")), "{}", step.log);
    assert!(step.summary.contains("1 citation"), "{}", step.summary);
}

#[test]
fn the_threshold_decides_and_files_stay_where_they_were_asked_for() {
    let runner = Runner::new();
    let step = runner
        .checked_pull_request(2, &[PLAIN[0], PLAIN[1], ("INPUT_FAIL_ON", "never"), ("INPUT_JSON_FILE", "check.json")]);
    step.has(0, &[("exit-code", "0"), ("result", "clean"), ("errors", "1"), ("json-file", "check.json")]);
    assert!(runner.job.checkout().join("check.json").exists());
    let step = runner.checked_pull_request(2, &[PLAIN[0], PLAIN[1], ("INPUT_FAIL_ON", "sometimes")]);
    step.has(2, &[("result", "error"), ("json-file", "")]);
}

#[test]
fn a_shallow_clone_fails_with_the_depth_to_fetch() {
    let step = Runner::new().checked_pull_request(1, &[("INPUT_FAIL_ON", "never")]);
    let empty = ["errors", "warnings", "impacted-cases", "stale-cases", "json-file", "report-file"].map(|it| (it, ""));
    step.has(2, &[("exit-code", "2"), ("result", "error")]).has(2, &empty);
    assert!(step.log.contains("::error title=citecheck could not run::error: the base of"), "{}", step.log);
    assert!(step.log.contains("fetch-depth: 2"), "{}", step.log);
    assert!(step.summary.starts_with("### citecheck could not run\n\n    error: "), "{}", step.summary);
}

#[test]
fn a_repository_without_cases_is_no_success() {
    let runner = Runner::new();
    runner.job.origin.git(["rm", "--quiet", "cases.yaml"]);
    runner.job.origin.commit("Drop the cases");
    runner.job.check_out("refs/heads/main", Depth::Of(1));
    let step = runner.check(("schedule", &runner.job.id("main"), &json!({})), &PLAIN);
    step.has(3, &[("exit-code", "3"), ("result", "nothing"), ("errors", "0"), ("base", "")]);
    assert!(step.log.contains("::error title=citecheck checked nothing::"), "{}", step.log);
}

#[test]
fn inputs_reach_the_program_as_they_are_and_nothing_of_them_is_run() {
    let runner = Runner::new();
    let hostile = "$(touch ran);`touch ran`\"; touch ran; '\n--no-such-option $(touch ran)";
    for name in ["INPUT_BASE", "INPUT_CONFIG", "INPUT_FAIL_ON", "INPUT_WORKING_DIRECTORY", "INPUT_ARGS"] {
        let step = runner.checked_pull_request(2, &[PLAIN[0], PLAIN[1], (name, hostile)]);
        assert_eq!((step.code, step.outputs["result"].as_str()), (2, "error"), "{name}: {}", step.log);
        assert!(!runner.job.checkout().join("ran").exists(), "{name}");
    }
    let step = runner.checked_pull_request(2, &[PLAIN[0], PLAIN[1], ("INPUT_ARGS", "--ungrouped\r\n\n--all\n")]);
    step.has(1, &[("result", "findings")]);
}

#[test]
fn a_folder_of_the_workspace_can_be_the_repository() {
    let runner = Runner::new();
    let merge = runner.job.pull_request();
    runner.job.check_out("refs/pull/1/merge", Depth::Of(2));
    let event = pull_request(&runner.job);
    let checkout = runner.job.checkout();
    let inputs = [PLAIN[0], PLAIN[1], ("INPUT_WORKING_DIRECTORY", checkout.to_str().unwrap())];
    runner.check(("pull_request", &merge, &event), &inputs).has(1, &[("result", "findings")]);
}

#[test]
fn text_of_the_repository_is_no_command_in_the_log() {
    let runner = Runner::new();
    let hostile = "Stop within 30 s.\n\n::error::owned\n\n##[add-mask]owned\n";
    runner.job.origin.git(["switch", "--quiet", "topic"]);
    runner.job.origin.write("docs/manual.md", MANUAL.replace("The pump shall stop within 30 s.", hostile));
    runner.job.origin.commit("::set-output name=x::y ##[error]z");
    let step = runner.checked_pull_request(2, &[]);
    assert_eq!(step.code, 1, "{}", step.log);
    assert!(step.log.contains("owned"), "{}", step.log);
    let commands = step.log.lines().filter(|line| line.trim_start().starts_with("::") || line.contains("##["));
    for command in commands {
        assert!(command.starts_with("::error file=") && !command.contains('\r'), "{command}");
    }
}

/// A copy of the action whose table knows one archive; the archive lies where releases would be.
fn release(runner: &mut Runner) -> (String, String) {
    let action = runner.temp().join("source/action");
    fs::create_dir_all(&action).unwrap();
    for file in ["plan.sh", "install.sh", "words.sh"] {
        fs::copy(root().join("action").join(file), action.join(file)).unwrap();
    }
    fs::copy(root().join("Cargo.toml"), action.join("../Cargo.toml")).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let archive = format!("citecheck-{version}-x86_64-unknown-linux-musl.tar.gz");
    let folder = runner.temp().join(format!("releases/v{version}/citecheck"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("citecheck"), format!("#!/bin/sh\necho citecheck {version}\n")).unwrap();
    run(runner.job.origin.command("chmod", &folder).args(["+x", "citecheck"]));
    let tar = ["-czf", &archive, "citecheck"];
    run(runner.job.origin.command("tar", folder.parent().unwrap()).args(tar));
    let file = folder.parent().unwrap().join(&archive);
    let sum: String = Sha256::digest(fs::read(file).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect();
    fs::write(action.join("checksums.txt"), format!("# comment\n{sum}  {version}  {archive}\n")).unwrap();
    runner.action = action;
    (archive, sum)
}

fn plan(runner: &Runner, variables: &[(&str, &str)]) -> Step {
    runner.step("plan.sh", ("push", "", &json!({})), variables)
}

fn install(runner: &Runner, plan: &Step, releases: &Path) -> Step {
    let value = |name: &str| plan.outputs[name].as_str();
    let releases = format!("file://{}", releases.display());
    let variables = [
        ("PLAN_HOW", value("how")),
        ("PLAN_VERSION", value("version")),
        ("PLAN_ARCHIVE", value("archive")),
        ("PLAN_CHECKSUM", value("checksum")),
        ("CITECHECK_RELEASES", &releases),
    ];
    runner.step("install.sh", ("push", "", &json!({})), &variables)
}

#[test]
fn a_release_whose_checksum_is_known_is_downloaded_and_verified() {
    let mut runner = Runner::new();
    let (archive, sum) = release(&mut runner);
    let planned = plan(&runner, &[]);
    assert_eq!(planned.code, 0, "{}", planned.log);
    let value = |name: &str| planned.outputs[name].as_str();
    assert_eq!([value("how"), value("archive"), value("checksum"), value("key")], ["release", &archive, &sum, ""]);
    let installed = install(&runner, &planned, &runner.temp().join("releases"));
    assert!(installed.code == 0 && installed.log.contains("citecheck 0."), "{}", installed.log);
}

#[test]
fn an_archive_with_another_checksum_is_not_unpacked() {
    let mut runner = Runner::new();
    let (archive, sum) = release(&mut runner);
    let releases = runner.temp().join("releases");
    let path = releases.join(format!("v{}/{archive}", env!("CARGO_PKG_VERSION")));
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let installed = install(&runner, &plan(&runner, &[]), &releases);
    assert_eq!(installed.code, 2, "{}", installed.log);
    assert!(installed.log.contains(&format!("and not {sum}")), "{}", installed.log);
    assert!(!runner.temp().join("citecheck-program/citecheck").exists());
    fs::remove_file(path).unwrap();
    let installed = install(&runner, &plan(&runner, &[]), &releases);
    assert!(installed.code == 2 && installed.log.contains("cannot download"), "{}", installed.log);
}

#[test]
fn a_release_that_the_table_does_not_know_needs_a_checksum() {
    let mut runner = Runner::new();
    release(&mut runner);
    let unknown = plan(&runner, &[("INPUT_VERSION", "9.9.9")]);
    assert!(unknown.code == 2 && unknown.log.contains("no checksum is known"), "{}", unknown.log);
    let sum = "a".repeat(64);
    let given = plan(&runner, &[("INPUT_VERSION", "9.9.9"), ("INPUT_CHECKSUM", &sum)]);
    assert_eq!((given.outputs["how"].as_str(), given.outputs["checksum"].as_str()), ("release", sum.as_str()));
    for (name, value) in [("INPUT_VERSION", "latest"), ("INPUT_VERSION", "1.0.0\nhow=x"), ("INPUT_CHECKSUM", "abc")] {
        let refused = plan(&runner, &[(name, value)]);
        assert!(refused.code == 2 && refused.outputs.is_empty(), "{value}: {}", refused.log);
    }
    let file = runner.temp().join("version");
    fs::write(&file, "9.9.8\r\n").unwrap();
    let from_file = plan(&runner, &[("INPUT_VERSION_FILE", file.to_str().unwrap()), ("INPUT_CHECKSUM", &sum)]);
    assert_eq!(from_file.outputs["version"], "9.9.8", "{}", from_file.log);
    for (name, value) in [("INPUT_VERSION_FILE", "/no/such/file"), ("INPUT_VERSION_FILE", "/dev/null")] {
        let refused = plan(&runner, &[(name, value)]);
        assert!(refused.code != 0 && refused.outputs.is_empty(), "{value}: {}", refused.log);
    }
    let refused = plan(&runner, &[("RUNNER_OS", "Plan9")]);
    assert!(refused.code == 2 && refused.log.contains("`Plan9`"), "{}", refused.log);
}

#[test]
fn without_a_release_the_checkout_is_built_once() {
    let runner = Runner::new();
    let planned = plan(&runner, &[]);
    assert_eq!((planned.code, planned.outputs["how"].as_str()), (0, "build"), "{}", planned.log);
    let key = &planned.outputs["key"];
    let start = format!("citecheck-{}-Linux-X64-", env!("CARGO_PKG_VERSION"));
    assert!(key.starts_with(&start) && key.len() == start.len() + 64, "{key}");
    assert_eq!(&plan(&runner, &[]).outputs["key"], key);
    // What the cache brought back is used; there is nothing to build with.
    let folder = runner.temp().join("citecheck-program");
    fs::create_dir_all(&folder).unwrap();
    place(&folder);
    let installed = install(&runner, &planned, Path::new("/none"));
    assert!(installed.code == 0 && installed.log.contains("citecheck 0."), "{}", installed.log);
}

#[cfg(unix)]
#[test]
fn a_build_takes_the_locked_versions_and_needs_cargo() {
    let runner = Runner::new();
    let planned = plan(&runner, &[]);
    let bin = runner.temp().join("bin");
    fs::create_dir_all(&bin).unwrap();
    let cargo = "#!/bin/sh\necho \"cargo $*\"\nmkdir -p \"$CARGO_TARGET_DIR/release\"\n\
        printf '#!/bin/sh\\necho built\\n' >\"$CARGO_TARGET_DIR/release/citecheck\"\n\
        chmod +x \"$CARGO_TARGET_DIR/release/citecheck\"\n";
    fs::write(bin.join("cargo"), cargo).unwrap();
    run(runner.job.origin.command("chmod", &bin).args(["+x", "cargo"]));
    let value = |name: &str| planned.outputs[name].as_str();
    let install = |path: &str| {
        let variables = [("PLAN_HOW", value("how")), ("PLAN_VERSION", value("version")), ("PATH", path)];
        let rest = [("PLAN_ARCHIVE", value("archive")), ("PLAN_CHECKSUM", "")];
        runner.step("install.sh", ("push", "", &json!({})), &[&variables[..], &rest[..]].concat())
    };
    let without = install("/usr/bin:/bin");
    assert!(without.code == 2 && without.log.contains("no cargo to build it"), "{}", without.log);
    let built = install(&format!("{}:/usr/bin:/bin", bin.display()));
    assert_eq!((built.code, built.log.as_str()), (0, "cargo build --release --locked --quiet\nbuilt\n"));
}

#[test]
fn the_problem_matcher_reads_the_concise_format() {
    let file = fs::read_to_string(root().join("action/problem-matcher.json")).unwrap();
    let file: Value = serde_json::from_str(&file).unwrap();
    let pattern = &file["problemMatcher"][0]["pattern"][0];
    let expression = Regex::new(pattern["regexp"].as_str().unwrap()).unwrap();
    let repo = Repo::with_manual(MANUAL, "limits, nowhere");
    repo.write("docs/manual.md", MANUAL.replace("30 s", "300 s"));
    let page = repo.citecheck(["check", "--format", "concise"]).stdout;
    let part = |line: &str, name: &str| {
        let group = usize::try_from(pattern[name].as_u64().unwrap()).unwrap();
        expression.captures(line).map(|found| found[group].to_owned())
    };
    let parts = ["file", "line", "column", "severity", "code"];
    let read: Vec<Vec<String>> =
        page.lines().map(|line| parts.iter().filter_map(|name| part(line, name)).collect()).collect();
    let expected = [
        vec!["cases.yaml", "3", "13", "error", "text-changed"],
        vec!["cases.yaml", "3", "21", "error", "unknown-section"],
        vec![],
    ];
    assert_eq!(read, expected, "{page}");
    let message = part(page.lines().next().unwrap(), "message").unwrap();
    assert!(message.starts_with("the text of `Limits` changed in substance"), "{page}");
}

#[test]
fn inputs_and_expressions_never_stand_in_a_script() {
    let action = fs::read_to_string(root().join("action/action.yml")).unwrap();
    for line in action.lines().filter(|line| line.trim_start().trim_start_matches("- ").starts_with("run:")) {
        assert!(!line.contains("${{"), "{line}");
    }
    let declared: Vec<&str> = action
        .split("\noutputs:\n")
        .nth(1)
        .and_then(|rest| rest.split("\nruns:").next())
        .unwrap()
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':').filter(|name| !name.starts_with(' ')))
        .collect();
    let mut names = declared.clone();
    names.sort_unstable();
    assert_eq!(names, OUTPUTS);
    for script in ["plan.sh", "install.sh", "run.sh", "words.sh"] {
        let text = fs::read_to_string(root().join("action").join(script)).unwrap();
        assert!(!text.contains("eval ") && !text.contains("wget"), "{script}");
    }
}
