#!/usr/bin/env bash
# Runs citecheck through the hook managers that people have, with real commits: pre-commit and prek with the manifest of
# this repository, lefthook with the recipe of hooks/README.md.
#
# usage: tests/hooks-frameworks.sh [CITECHECK]
#
# The managers come from PyPI into target/hook-managers. One that cannot be installed is skipped with a word.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
citecheck=$(realpath "${1:-$target/release/citecheck}")
tools=$target/hook-managers
[[ -x $citecheck ]] || { echo "hooks-frameworks.sh: no program at \`$citecheck\`" >&2; exit 2; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset "${!GIT_@}"
export GIT_CONFIG_GLOBAL=$scratch/gitconfig GIT_CONFIG_SYSTEM=/dev/null HOME=$scratch
export PRE_COMMIT_HOME=$scratch/caches/pre-commit PREK_HOME=$scratch/caches/prek PRE_COMMIT_COLOR=never NO_COLOR=1
printf '[user]\nname = t\nemail = t@example.org\n[init]\ndefaultBranch = main\n' >"$scratch/gitconfig"
mkdir "$scratch/bin"
ln -s "$citecheck" "$scratch/bin/citecheck"
export PATH="$scratch/bin:$tools/bin:$PATH"

python3 -m venv "$tools"
install() {
    [[ -x $tools/bin/$1 ]] || "$tools/bin/pip" install --quiet --disable-pip-version-check "$1==$2" </dev/null
}

# What the managers clone: the manifest as it is, without the history around it.
mkdir "$scratch/hooks"
cp "$root/.pre-commit-hooks.yaml" "$scratch/hooks"
git -C "$scratch/hooks" init --quiet
git -C "$scratch/hooks" add .
git -C "$scratch/hooks" commit --quiet -m hooks
rev=$(git -C "$scratch/hooks" rev-parse HEAD)

# repository NAME: a new repository with a manual and a case that cites it, and goes there.
repository() {
    rm -rf "${scratch:?}/$1"
    mkdir -p "$scratch/$1/docs"
    cd "$scratch/$1"
    git init --quiet
    printf '# Pump\n\n## Limits\n\nThe pump shall stop within 30 s.\n\n## Storage\n\nUpright.\n' >docs/manual.md
    printf 'cases:\n  - id: TC-1\n    cites: pump/limits\n' >cases.yaml
    git add .
    git commit --quiet -m 'Add manual and cases'
}

raise() {
    sed 's/30 s/300 s/' docs/manual.md >raised.txt
    mv raised.txt docs/manual.md
}

failed=0
# expect STATUS WORDS COMMAND...: runs a command, and wants its exit status and words in what it says. Status `1` is any
# but 0: managers have their own.
expect() {
    local status=$1 words=$2 code=0 told
    shift 2
    told=$("$@" 2>&1 </dev/null) || code=$?
    [[ $code -eq 0 || $status -eq 0 ]] || code=1
    if [[ $code -eq $status && $told == *"$words"* ]]; then
        echo "ok: $manager: $* ($words)"
    else
        failed=1
        printf 'FAILED: %s: %s: status %s, wanted %s with "%s"\n%s\n' "$manager" "$*" "$code" "$status" "$words" "$told"
    fi
}

# commits COMMAND...: every shape of a commit that a manager could get wrong; the command is its way to check everything.
commits() {
    raise
    expect 0 '' git commit --allow-empty -m 'Bad text is not staged'
    [[ $(cat docs/manual.md) == *'300 s'* ]] || { echo "FAILED: $manager: the unstaged change is gone"; failed=1; }
    git add docs
    printf '\nMore.\n' >>docs/manual.md
    expect 1 text-changed git commit -m 'Bad text is staged, more is not'
    git checkout --quiet -- docs
    expect 1 text-changed git commit --all -m 'All'
    expect 1 text-changed git commit -m 'One path' docs/manual.md
    git reset --quiet --hard
    git rm --quiet docs/manual.md
    expect 1 section-removed git commit -m 'Only a deletion'
    git reset --quiet --hard
    git mv docs/manual.md docs/handbook.md
    expect 0 '' git commit -m 'Only a renaming'
    expect 0 'everything in the index was checked' "$@"
    printf 'cases:\n  - id: TC-2\n    cites: pump/nowhere\n' >more.yaml
    git add .
    git commit --quiet --no-verify -m 'A dead citation'
    expect 1 unknown-section "$@"
    git rm --quiet --cached more.yaml
    rm more.yaml
    git commit --quiet --no-verify -m 'No dead citation'
}

# A merge without conflicts of two branches that are fine by themselves.
merge() {
    git switch --quiet -c topic
    printf 'cases:\n  - id: TC-3\n    cites: pump/limits\n' >third.yaml
    git add .
    git commit --quiet --no-verify -m 'A case'
    git switch --quiet main
    sed 's/30 s/300 s/' docs/handbook.md >raised.txt
    mv raised.txt docs/handbook.md
    printf '    title: Looked at\n' >>cases.yaml
    git add .
    git commit --quiet --no-verify -m 'Another limit, and its case'
    expect 1 text-changed git merge --no-edit topic
    git merge --abort 2>/dev/null || git reset --quiet --hard
}

push() {
    git clone --quiet --bare . "$scratch/$manager.git"
    git remote add origin "$scratch/$manager.git"
    git fetch --quiet origin
    sed 's/300 s/3 s/' docs/handbook.md >lowered.txt
    mv lowered.txt docs/handbook.md
    git add .
    git commit --quiet --no-verify -m 'A lower limit'
    expect 1 text-changed git push origin main
    git reset --quiet --hard HEAD~1
}

# pre-commit and prek read the same configuration.
manifest() {
    manager=$1
    repository "$manager"
    printf 'repos:\n- repo: file://%s\n  rev: %s\n  hooks: [{ id: citecheck-system }]\n' "$scratch/hooks" "$rev" \
        >.pre-commit-config.yaml
    git add .
    git commit --quiet -m 'Use citecheck'
    "$manager" install --hook-type pre-commit --hook-type pre-merge-commit --hook-type pre-push >/dev/null
    commits "$manager" run --all-files --verbose
    expect 0 'everything in the index was checked' "$manager" run --verbose --files cases.yaml
    merge
    push
}

if install pre-commit 4.7.0; then manifest pre-commit; else echo 'skipped: pre-commit cannot be installed'; fi
if install prek 0.5.11; then manifest prek; else echo 'skipped: prek cannot be installed'; fi
if install lefthook 2.2.2; then
    manager=lefthook
    repository lefthook
    recipe=$(awk '/^```yaml$/ { text = ""; next } /^```$/ { if (text ~ /lefthook/) printf "%s", text; text = ""; next } { text = text $0 "\n" }' \
        "$root/hooks/README.md")
    printf '%s\n' "$recipe" >lefthook.yml
    git add .
    git commit --quiet -m 'Use citecheck'
    lefthook install >/dev/null
    commits lefthook run pre-commit --force
    merge
else
    echo 'skipped: lefthook cannot be installed'
fi
exit "$failed"
