#!/usr/bin/env bash
# File systems that cannot be written to or are full, limits on the size of files, repositories of other users: what reads
# works, what writes says why and leaves every file as it was.
#
# usage: tests/disk.sh [CITECHECK]
# Parts that need to mount something or to be another user say so where that is not possible.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
citecheck=$(realpath "${1:-${CARGO_TARGET_DIR:-$root/target}/release/citecheck}")
unset "${!GIT_@}"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org

# The mounts are seen in here alone, and gone with it.
if [[ -z ${CITECHECK_MOUNTS:-} ]]; then
    for way in --mount '--mount --map-root-user'; do
        # shellcheck disable=SC2086 # two options
        if unshare $way true 2>/dev/null; then
            CITECHECK_MOUNTS=yes exec unshare $way bash "${BASH_SOURCE[0]}" "$citecheck"
        fi
    done
fi

scratch=$(mktemp -d)
# What other users have to reach.
chmod 755 "$scratch"
cp "$citecheck" "$scratch/citecheck"
citecheck=$scratch/citecheck
trap 'cd /; umount "$scratch"/*/.git "$scratch"/* 2>/dev/null || true; rm -rf "$scratch"' EXIT
failed=0

# repository NAME: one citation moved, and many more cases whose section changed.
repository() {
    mkdir -p "$scratch/$1"
    cd "$scratch/$1"
    git init --quiet .
    mkdir docs cases
    printf '# Pump\n\n## Limits\n\nThe valve opens at 45 bar.\n\n## Notes\n\nKeep the pump dry and cold.\n' >docs/pump.md
    for case in $(seq 300); do printf -- '- id: TC-%s\n  cites: [pump/limits]\n' "$case"; done >cases/many.yaml
    printf -- '- id: TC-0\n  cites: [pump/notes]\n' >cases/one.yaml
    git add .
    git commit --quiet -m before
    sed -i 's/45 bar/40 bar/; s/## Notes/## Remarks/' docs/pump.md
    git commit --quiet -am after
}

fail() {
    printf 'FAILED: %s\n' "$*"
    failed=1
}

# reads: every command that reads works, and says nothing of what it could not keep.
reads() {
    local expected arguments code
    while read -r expected arguments; do
        code=0
        # shellcheck disable=SC2086 # several arguments
        "$citecheck" $arguments >"$told/out" 2>"$told/error" || code=$?
        [[ $code -eq $expected && ! -s $told/error ]] || fail "$1: $arguments: $code: $(cat "$told/error")"
    done <<'COMMANDS'
1 check
1 check --staged
1 check HEAD~1..HEAD
0 diff HEAD~1..HEAD
0 coverage
0 sections
1 doctor
1 hook run
0 fix --dry-run
COMMANDS
}

# refuses NAME CAUSE COMMANDS: each ends with 2, the cause and a way out, and no file is another one or left behind.
refuses() {
    local name=$1 cause=$2 code before arguments
    shift 2
    before=$(git status --porcelain; cat cases/*)
    for arguments in "$@"; do
        code=0
        # shellcheck disable=SC2086 # several arguments
        "$citecheck" $arguments >"$told/out" 2>"$told/error" || code=$?
        if [[ $code -ne 2 ]] || ! grep -q "^error: cannot write .*$cause" "$told/error" || ! grep -q '^  hint: ' "$told/error"; then
            fail "$name: $arguments: $code: $(cat "$told/error")"
        fi
        ! grep -q 'citecheck-' "$told/error" || fail "$name: $arguments names a file on the way: $(cat "$told/error")"
        [[ $(git status --porcelain; cat cases/*) == "$before" ]] || fail "$name: $arguments left something: $(git status --porcelain)"
    done
}

writers=('fix' 'accept --all --yes' 'init' 'check --fix' 'check --output json=report.json' 'man --out pages')
told=$scratch/told
mkdir "$told"

if [[ ${CITECHECK_MOUNTS:-} == yes ]]; then
    repository readonly
    mount --bind . . && mount -o remount,bind,ro . && cd "$PWD"
    reads 'a read-only file system'
    refuses 'a read-only file system' 'Read-only file system' "${writers[@]}" 'hook install'
    echo 'ok: a read-only file system'

    repository readonly-git
    mount --bind .git .git && mount -o remount,bind,ro .git
    reads 'a read-only .git'
    refuses 'a read-only .git' 'Read-only file system' 'hook install'
    "$citecheck" fix >/dev/null && "$citecheck" accept --all --yes >/dev/null || fail 'a read-only .git keeps from writing cases'
    [[ $("$citecheck" check --format concise) == 'all 301 citations'* ]] || fail 'what was accepted is not fresh'
    echo 'ok: a read-only .git'

    mkdir "$scratch/full"
    mount -t tmpfs -o size=2m tmpfs "$scratch/full"
    repository full/repository
    rm -rf .git/hooks
    dd if=/dev/zero of=../filler bs=1k 2>/dev/null || true
    # Without git, which writes its index anew where it can.
    export GIT_OPTIONAL_LOCKS=0
    reads 'a full disk'
    refuses 'a full disk' 'No space left on device' "${writers[@]:0:5}"
    rm ../filler
    "$citecheck" accept --all --yes >/dev/null || fail 'accept fails where there is room again'
    [[ -z $(find . -name '.citecheck-*') ]] || fail "a full disk leaves $(find . -name '.citecheck-*')"
    echo 'ok: a full disk'
else
    echo 'skipped: read-only file systems and full disks: this user may not mount any'
fi

repository limited
for ignored in '' 'trap "" XFSZ;'; do
    # Where nobody ignores the signal, it ends the program.
    code=0
    { bash -c "$ignored ulimit -f 4; exec \"\$0\" accept --all --yes" "$citecheck" >/dev/null 2>"$told/error" || code=$?; } 2>/dev/null
    [[ $code -ne 0 ]] || fail 'a file grows over its limit'
    [[ -z $ignored ]] || grep -q 'cannot write `cases/many.yaml`: File too large' "$told/error" || fail "$(cat "$told/error")"
    [[ -z $(git diff --name-only) ]] || fail 'a limit on the size of files leaves a part of one'
done
"$citecheck" accept --all --yes >/dev/null || fail 'accept fails after one that was ended'
[[ -z $(find . -name '.citecheck-*') ]] || fail 'what an ended run left is still there'
echo 'ok: a limit on the size of files'

if [[ $(id -u) -eq 0 ]] && command -v setpriv >/dev/null && setpriv --reuid 65534 --regid 65534 --clear-groups true 2>/dev/null; then
    other() {
        HOME=/no/such/home setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
    }
    repository foreign
    other "$citecheck" check >/dev/null 2>"$told/error" && fail 'the repository of another user is read'
    grep -q 'safe.directory' "$told/error" || fail "another user: $(cat "$told/error")"
    chown -R 65534:65534 .
    chmod 555 cases .git
    other "$citecheck" check >/dev/null 2>"$told/error" || [[ $? -eq 1 ]] || fail "folders that may not be written to: $(cat "$told/error")"
    other "$citecheck" accept --all --yes >/dev/null 2>"$told/error" && fail 'accept writes into a folder that is read-only'
    grep -q 'cannot write `cases/.*Permission denied' "$told/error" || fail "$(cat "$told/error")"
    chmod 755 cases
    chmod 444 cases/one.yaml
    other "$citecheck" accept --all --yes >/dev/null 2>"$told/error" && fail 'accept replaces a file that is read-only'
    grep -q 'cannot write `cases/one.yaml`: Permission denied' "$told/error" || fail "$(cat "$told/error")"
    ! grep -q 'c1-' cases/*.yaml || fail 'a refused run wrote something'
    chmod 644 cases/one.yaml
    other "$citecheck" accept --all --yes >/dev/null || fail 'accept fails where everything may be written to'
    echo 'ok: another user'
else
    echo 'skipped: other users: this one may not become another'
fi
exit "$failed"
