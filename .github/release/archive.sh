#!/usr/bin/env bash
# Builds citecheck for a target and packs it as a release has it, with README, licences, completions and manual pages.
#
# usage: .github/release/archive.sh TARGET FOLDER [PROGRAM]
#
# Writes citecheck-VERSION-TARGET.tar.gz and its checksum into FOLDER. PROGRAM is packed instead of building one. The
# archive says nothing about the machine and the hour: the same program of the same commit gives the same bytes.
set -euo pipefail
# shellcheck source=.github/release/target.sh
. "$(dirname "${BASH_SOURCE[0]}")/target.sh"
[[ $# -eq 2 || $# -eq 3 ]] || fail 'usage: archive.sh TARGET FOLDER [PROGRAM]'
target=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
name=citecheck-$version-$target
date=$(git -C "$root" log -1 --format=%ct)

program=${3:-}
if [[ -z $program ]]; then
    options "$target"
    (cd "$root" && cargo build "${options[@]}")
    program=$built/citecheck
    [[ $target != *-windows-* ]] || program=$program.exe
fi
[[ -x $program ]] || fail "no program at \`$program\`"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
content=$scratch/$name
mkdir -p "$content/completions"
cp "$program" "$content/citecheck"
[[ $target != *-windows-* ]] || mv "$content/citecheck" "$content/citecheck.exe"
cp "$root/README.md" "$root/LICENSE-MIT" "$root/LICENSE-APACHE" "$root/.github/CHANGELOG.md" "$content"
"$program" completions bash >"$content/completions/citecheck.bash"
"$program" completions zsh >"$content/completions/_citecheck"
"$program" completions fish >"$content/completions/citecheck.fish"
"$program" completions elvish >"$content/completions/citecheck.elv"
"$program" completions powershell >"$content/completions/_citecheck.ps1"
"$program" man --out "$content/man" >/dev/null

# Each system's tar is another one; Python's is the same on all.
cd "$scratch"
python - "$name" "$date" "$name.tar.gz" <<'PYTHON'
import gzip, pathlib, sys, tarfile

top, date, archive = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
with open(archive, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for path in sorted(path for path in top.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(path.as_posix())
            entry.size, entry.mtime = path.stat().st_size, date
            entry.mode = 0o755 if path.name in ("citecheck", "citecheck.exe") else 0o644
            with path.open("rb") as content:
                tar.addfile(entry, content)
PYTHON
sum=$(python -c 'import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())' "$name.tar.gz")
mv "$name.tar.gz" "$folder"
printf '%s  %s\n' "${sum%$'\r'}" "$name.tar.gz" >"$folder/$name.tar.gz.sha256"
echo "packed $name.tar.gz"
