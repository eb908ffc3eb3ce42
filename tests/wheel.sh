#!/usr/bin/env bash
# Builds the Python wheel, installs it into an environment of its own, and uses it through pre-commit with the recipe of
# hooks/README.md: with pip and without Rust.
#
# usage: tests/wheel.sh
#
# The release build is used if it is there. maturin, pre-commit and what pip needs to install come from PyPI; citecheck
# comes from the wheel alone.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
tools=$target/hook-managers

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset "${!GIT_@}"
export GIT_CONFIG_GLOBAL=$scratch/gitconfig GIT_CONFIG_SYSTEM=/dev/null
export PRE_COMMIT_HOME=$scratch/caches PRE_COMMIT_COLOR=never NO_COLOR=1
printf '[user]\nname = t\nemail = t@example.org\n[init]\ndefaultBranch = main\n' >"$scratch/gitconfig"

wheels=$scratch/wheels
"$root/.github/release/wheel.sh" "$(rustc -vV | sed -n 's/^host: //p')" "$wheels"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml" | head -n 1)
wheel=$(cd "$wheels" && echo ./*.whl)
[[ $wheel == "./citecheck_bin-$version-py3-none-"*.whl ]] || { echo "FAILED: the wheel is $wheel"; exit 1; }

failed=0
# expect STATUS WORDS COMMAND...: runs a command, and wants its exit status, 0 or another, and words in what it says.
expect() {
    local status=$1 words=$2 code=0 told
    shift 2
    told=$("$@" 2>&1 </dev/null) || code=1
    if [[ $code -eq $status && $told == *"$words"* ]]; then
        echo "ok: $* ($words)"
    else
        failed=1
        printf 'FAILED: %s: status %s, wanted %s with "%s"\n%s\n' "$*" "$code" "$status" "$words" "$told"
    fi
}

# By itself, as pipx and uv install it.
python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check --no-index --find-links "$wheels" \
    "citecheck-bin==$version" </dev/null
expect 0 "citecheck $version" "$scratch/venv/bin/citecheck" --version
"$scratch/venv/bin/python" - <<'PYTHON' || failed=1
from importlib.metadata import files, metadata

told = metadata("citecheck-bin")
assert told["License-Expression"] == "MIT OR Apache-2.0", told["License-Expression"]
assert told["Summary"] and "# citecheck" in told.get_payload()
names = {path.name for path in files("citecheck-bin")}
assert {"citecheck", "LICENSE-MIT", "LICENSE-APACHE"} <= names, names
print("ok: the wheel has the program, its licences and its description")
PYTHON

# pre-commit makes a package of its own around the wheel, for which pip wants setuptools. Nothing else may come from
# outside, or the citecheck of somebody else could.
python3 -m venv "$tools"
if ! { [[ -x $tools/bin/pre-commit ]] ||
    "$tools/bin/pip" install --quiet --disable-pip-version-check pre-commit==4.7.0 </dev/null; } ||
    ! "$tools/bin/pip" download --quiet --disable-pip-version-check --dest "$wheels" setuptools==80.9.0 </dev/null; then
    echo 'skipped: pre-commit cannot be installed'
    exit "$failed"
fi
export PATH="$tools/bin:$PATH" PIP_NO_INDEX=1 PIP_FIND_LINKS=$wheels

sh "$root/fixtures/example/build.sh" "$scratch/example"
cd "$scratch/example"
git reset --quiet --hard v1
awk '/^```yaml$/ { within = 1; text = ""; next }
     /^```$/ { if (within && text ~ /citecheck-bin/) printf "%s", text; within = 0 }
     within { text = text $0 "\n" }' "$root/hooks/README.md" >.pre-commit-config.yaml
git add .
git commit --quiet -m 'Use citecheck'
pre-commit install --hook-type pre-commit --hook-type pre-merge-commit >/dev/null

manual=docs/safety-manual.md
sed 's/30 kPa/300 kPa/' "$manual" >edited.txt
mv edited.txt "$manual"
expect 1 'text-changed' git commit --all -m 'Raise a limit'
expect 0 "$manual" git diff --name-only HEAD
git reset --quiet --hard
awk '{ sub(/30 kPa /, "30 kPa\n"); print }' "$manual" >edited.txt
mv edited.txt "$manual"
expect 0 'Passed' git commit --all -m 'Wrap a line'
expect 0 "$manual" git show --name-only --format= HEAD
exit "$failed"
