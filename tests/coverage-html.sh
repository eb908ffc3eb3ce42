#!/usr/bin/env bash
# Opens the page of `citecheck coverage --format html` in a real browser, clicks through it and looks at what is shown.
#
# usage: tests/coverage-html.sh [CITECHECK]
#
# The pages are of the example's repository, with its trend, and of a generated one with 10,000 sections. What is clicked
# and expected is in coverage-html.mjs, which drives Chromium (Debian's package `chromium`, or CHROMIUM) through
# playwright-core and axe-core from npm, in target/coverage-html; pictures of what was seen are left there. Status 77 and
# "skipped" where the browser or these are not to be had.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
citecheck=$(realpath "${1:-$target/release/citecheck}")
tools=$target/coverage-html

skip() {
    echo "skipped: $1"
    exit 77
}

chromium=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[[ -n $chromium ]] || skip "there is no Chromium"
for name in git node npm python3; do
    command -v "$name" >/dev/null || skip "\`$name\` is missing"
done
if [[ ! -d $tools/node_modules/axe-core ]]; then
    npm install --prefix "$tools" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
        playwright-core@1.65.1 axe-core@4.14.1 </dev/null || skip "playwright-core and axe-core cannot be installed"
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset "${!GIT_@}" GITHUB_ACTIONS
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org

sh "$root/fixtures/example/build.sh" "$scratch/example" >/dev/null
# Drafts, categories, and names that would be markup if they came through.
cat >"$scratch/example/cases/more.yaml" <<'YAML'
cases:
  - id: TC-D1
    title: <img src=x onerror="document.title='hit'"> & draft
    status: draft
    category: usability
    cites: [docs/operation.md#mounting]
  - id: TC-E1
    title: "</script><script>document.title='hit'</script>"
    category: alarms
    cites: [docs/operation.md#monitoring]
YAML
(cd "$scratch/example" && "$citecheck" coverage --since v1 --tags --format json \
    --output "html=$scratch/example.html" >"$scratch/example.json")

python3 - "$scratch/large" <<'PYTHON'
import pathlib, sys
top = pathlib.Path(sys.argv[1])
for file in range(100):
    manual = [f"# Part {file}\n"]
    for section in range(100):
        level = "##" if section % 10 == 0 else "###"
        manual.append(f"{level} Valve {file}-{section}\n\nIt opens at {section + 1} bar within {file + 1} ms.\n")
    path = top / f"manual/part-{file:02}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(manual))
    cases = [f"- id: TC-{file}-{nth}\n  title: Opens\n  cites: [valve-{file}-{nth}]\n" for nth in range(0, 100, 2)]
    path = top / f"cases/part-{file:02}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(cases))
PYTHON
git -C "$scratch" init --quiet large
git -C "$scratch/large" add --all
git -C "$scratch/large" commit --quiet --message v1
sed -i 's/opens at 21 bar/opens at 23 bar/' "$scratch"/large/manual/*.md
(cd "$scratch/large" && "$citecheck" coverage --format json --output "html=$scratch/large.html" >"$scratch/large.json")

cd "$tools"
cp "$root/tests/coverage-html.mjs" "$tools/coverage-html.mjs"
node "$tools/coverage-html.mjs" "$chromium" "$scratch" "$tools"
