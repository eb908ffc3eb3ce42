#!/usr/bin/env bash
# Formats real manuals with two real formatters and expects citecheck to see nothing but form.
#
# usage: tests/formatters.sh [CITECHECK]
#
# prettier comes from npm and mdformat from PyPI, both into target/formatters. The texts are our own and, where they
# are, those of the evaluation data (CITECHECK_SHARED, else ../shared). A file that a formatter itself renders
# differently proves nothing and is left out; both are counted.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
citecheck=$(realpath "${1:-$target/release/citecheck}")
tools=$target/formatters
golden=${CITECHECK_SHARED:-$root/../shared}/eval/golden

for name in npm python3; do
    command -v "$name" >/dev/null || { echo "formatters.sh: \`$name\` is missing" >&2; exit 2; }
done
if [[ ! -x $tools/node_modules/.bin/prettier ]]; then
    npm install --prefix "$tools" --no-save --no-audit --no-fund --loglevel=error prettier@3.10.1 </dev/null
fi
if [[ ! -x $tools/venv/bin/mdformat ]]; then
    python3 -m venv "$tools/venv"
    "$tools/venv/bin/pip" install --quiet --disable-pip-version-check \
        mdformat==1.0.0 mdformat-gfm==1.0.0 mdformat-footnote==0.1.3 mdformat-frontmatter==2.2.0 </dev/null
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset "${!GIT_@}"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.org GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.org

mkdir "$scratch/texts"
cp -R "$root/fixtures/example/before/docs" "$scratch/texts/example"
cp -R "$root/fixtures/example/later/docs" "$scratch/texts/example-later"
if [[ -d $golden ]]; then
    for pair in "$golden"/*/; do
        cp -R "$pair/before" "$scratch/texts/$(basename "$pair")"
    done
    chmod -R u+w "$scratch/texts"
else
    echo "skipped: no evaluation data in $golden"
fi
find "$scratch/texts" -type f ! -name '*.md' -delete

# format NAME REPOSITORY: formats all Markdown of a repository in place; prints nothing.
format() {
    case $1 in
    prettier-wrapped) prettier always "$2" ;;
    prettier-unwrapped) prettier never "$2" ;;
    mdformat-wrapped) mdformat 72 "$2" ;;
    mdformat-kept) mdformat keep "$2" ;;
    esac
}

prettier() {
    "$tools/node_modules/.bin/prettier" --write --log-level error --parser markdown --prose-wrap "$1" --print-width 72 \
        --embedded-language-formatting off --no-config --no-editorconfig "$2/**/*.md" || true
}

# It stops at a file that it cannot format without changing how it renders, so it gets one file at a time.
mdformat() {
    "$tools/venv/bin/python" - "$1" "$2" <<'PYTHON'
import pathlib, sys
import mdformat
from mdformat.renderer import MDRenderer

wrap = sys.argv[1] if sys.argv[1] == "keep" else int(sys.argv[1])
for path in sorted(pathlib.Path(sys.argv[2]).rglob("*.md")):
    try:
        text = path.read_text(encoding="utf-8")
        done = mdformat.text(text, options={"wrap": wrap, "number": False}, extensions={"gfm", "footnote", "frontmatter"})
        path.write_text(done, encoding="utf-8")
    except Exception as problem:
        print(f"left out: mdformat fails on {path.name}: {type(problem).__name__}")
PYTHON
}

# restore_unfaithful BEFORE AFTER: puts back the files that a third parser renders differently now.
restore_unfaithful() {
    "$tools/venv/bin/python" - "$1" "$2" <<'PYTHON'
import pathlib, re, sys
from markdown_it import MarkdownIt

parser = MarkdownIt("gfm-like", {"linkify": False})


def rendered(text):
    text = re.sub(r"\A---\n.*?\n(---|\.\.\.)\n", "", text, flags=re.S)
    # An alert is one only while its word stands alone on its line, which this parser does not know.
    text = re.sub(r"^(\s*> *)\[!(\w+)\]\s*$", r"\1<b>\2</b>", text, flags=re.M)
    html = parser.render(re.sub(r"<!--.*?-->", "", text, flags=re.S))
    code = re.findall(r"<pre>.*?</pre>", html, flags=re.S)
    html = re.sub(r"</?p>", " ", html)  # loose and tight lists read the same
    return re.sub(r"\s+", " ", re.sub(r"\s*(</?[a-z][^>]*>)\s*", r"\1", html)), code


before, after = map(pathlib.Path, sys.argv[1:])
kept = 0
for path in sorted(after.rglob("*.md")):
    source = before / path.relative_to(after)
    was, now = source.read_bytes(), path.read_bytes()
    try:
        same = rendered(was.decode()) == rendered(now.decode())
    except UnicodeDecodeError:
        same = False
    if same:
        kept += was != now
    else:
        path.write_bytes(was)
        print(f"left out: renders differently after formatting: {path.relative_to(after)}")
print(f"{kept} files changed in form")
PYTHON
}

# check NAME: formats a copy of the texts and fails if citecheck sees more than form.
check() {
    local repository=$scratch/$1
    cp -R "$scratch/texts" "$repository"
    git -C "$repository" init --quiet
    git -C "$repository" add --all --force
    git -C "$repository" commit --quiet -m before
    echo "-- $1"
    format "$1" "$repository"
    restore_unfaithful "$scratch/texts" "$repository"
    git -C "$repository" add --all --force
    git -C "$repository" commit --quiet --allow-empty -m after
    # Status 1 only says that there are findings.
    (cd "$repository" && "$citecheck" diff --format json HEAD~1..HEAD) >"$scratch/diff.json" || [[ $? -eq 1 ]]
    python3 - "$scratch/diff.json" <<'PYTHON'
import json, sys

told = json.load(open(sys.argv[1], encoding="utf-8"))["sections"]
wrong = [entry for entry in told if entry["kinds"] or entry["magnitude"] != "trivial"]
for entry in wrong[:40]:
    place = entry["before"] or entry["after"]
    print(f"not only form: {place['file']}:{place['line']} {place['id']}: {entry['kinds']} {entry['magnitude']}")
    for fragment in entry["fragments"][:2]:
        print("   ", {side: (fragment.get(side) or {}).get("text") for side in ("before", "after")})
print(f"{len(told)} sections changed in form, {len(wrong)} in more")
sys.exit(1 if wrong else 0)
PYTHON
}

status=0
for name in prettier-wrapped prettier-unwrapped mdformat-wrapped mdformat-kept; do
    check "$name" || status=1
done
exit "$status"
