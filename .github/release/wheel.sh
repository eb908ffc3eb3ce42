#!/usr/bin/env bash
# Builds the Python wheel that holds citecheck for a target.
#
# usage: .github/release/wheel.sh TARGET FOLDER
#
# maturin comes from PyPI by its checksum, into target/wheel-tools. For musl the program needs no C library at all, so
# that one wheel is for every Linux.
set -euo pipefail
# shellcheck source=.github/release/target.sh
. "$(dirname "${BASH_SOURCE[0]}")/target.sh"
[[ $# -eq 2 ]] || fail 'usage: wheel.sh TARGET FOLDER'
target=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)

tools=$root/target/wheel-tools
python -m venv "$tools"
# Windows has another name for it.
bin=$tools/bin
[[ -d $bin ]] || bin=$tools/Scripts
"$bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
    --requirement "$root/.github/wheel/maturin.txt" </dev/null

# The licences have to lie beside the description of the wheel.
project=$root/target/wheel
rm -rf "$project"
mkdir -p "$project"
cp "$root"/.github/wheel/{pyproject.toml,README.md} "$root"/LICENSE-* "$project"

options "$target"
[[ $target != *-musl ]] || options+=(--compatibility manylinux_2_17 musllinux_1_1)
cd "$project"
"$bin/maturin" build "${options[@]}" --out "$folder"
