#!/usr/bin/env bash
# Files that are made to take time or memory without bound: each is checked within a minute and 2 GB of address space, and
# a change beside it is told all the same.
#
# usage: tests/hostile.sh [CITECHECK]
# Without pipefail: what makes the texts is ended by whoever has enough of them.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
citecheck=$(realpath "${1:-${CARGO_TARGET_DIR:-$root/target}/release/citecheck}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset "${!GIT_@}"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org

# Each thread takes address space of its own, whatever it does; there are as many as the machine has cores.
export RAYON_NUM_THREADS=2 MALLOC_ARENA_MAX=2

# repeat TEXT BYTES: the text as often as it goes into so many bytes.
repeat() {
    yes -- "$1" | tr -d '\n' | head -c "$2"
}

# lines TEXT COUNT
lines() {
    yes -- "$1" | head -n "$2"
}

yaml_bomb() {
    echo 'a0: &a0 {cites: x}'
    local level
    for level in $(seq 30); do
        printf 'a%s: &a%s [%s]\n' "$level" "$level" "$(repeat "*a$((level - 1)), " 90 | sed 's/,[^,]*$//')"
    done
}

failed=0
# try NAME FILE: the file comes in the second of two commits, as the command writes it to standard output; in the same
# commit a limit changes, which is told.
try() {
    local name=$1 file=$2 repository=$scratch/repository code=0
    shift 2
    rm -rf "$repository"
    mkdir -p "$repository"
    cd "$repository"
    git init --quiet
    printf '# Pump\n\n## Limits\n\nThe valve opens at 45 bar.\n' >manual.md
    printf 'cases:\n  - id: TC-1\n    cites: limits\n' >cases.yaml
    "$@" >"$file"
    git add .
    git commit --quiet -m before
    sed -i 's/45 bar/40 bar/' manual.md
    printf ' more 46' >>"$file"
    git add .
    git commit --quiet -m after
    for format in human json; do
        code=0
        (ulimit -v 2000000 && exec timeout 60 "$citecheck" check HEAD~1..HEAD --all --format "$format") >"$scratch/told" 2>&1 || code=$?
        if [[ $code -ne 1 ]] || ! grep -q 'text-changed' "$scratch/told"; then
            printf 'FAILED: %s as %s: status %s\n%s\n' "$name" "$format" "$code" "$(head -c 2000 "$scratch/told")"
            failed=1
        fi
    done
    [[ $failed -ne 0 ]] || printf 'ok: %s (%s bytes)\n' "$name" "$(stat -c %s "$file")"
}

try 'a line of 50 MB in the manual' line.md repeat 'The pump stops and the valve opens. ' 50000000
try 'a line of 15 MB in the manual' line.md repeat 'The pump stops and the valve opens. ' 15000000
try 'a line of 50 MB in a case' line.yaml repeat 'text of a line ' 50000000
try 'a line of 15 MB in a case' line.yaml repeat 'text of a line ' 15000000
try 'a word of 15 MB' word.md repeat 'x' 15000000
try 'emphasis without end' emphasis.md repeat '*a _b ' 3000000
try 'brackets without end' brackets.md repeat '[' 3000000
try 'links without end' links.md repeat '[a](' 3000000
try 'code without end' code.md repeat '`a` ``' 3000000
try 'quotes in quotes' quotes.md repeat '> ' 200000
try 'lists in lists' lists.md repeat '- ' 200000
try 'a table without end' table.md repeat '|' 3000000
try 'headings without end' headings.md lines '# a' 1000000
try 'paragraphs without end' paragraphs.md lines $'a\n' 1000000
try 'comments without end' comments.yaml lines '# a' 2000000
try 'items without end' items.yaml lines '- {id: a, cites: limits}' 200000
try 'an alias that expands without end' bomb.yaml yaml_bomb
try 'lists in lists of YAML' lists.yaml repeat '[' 100000
try 'mappings in mappings of YAML' mappings.yaml repeat '{a: ' 400000
try 'keys in keys of YAML' keys.yaml repeat '? ' 200000
exit "$failed"
