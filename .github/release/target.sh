# shellcheck shell=bash
# What the scripts that build share: the folders, the version, and how cargo builds for a target.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# fail MESSAGE
fail() {
    echo "${0##*/}: $1" >&2
    exit 2
}

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml" | head -n 1)
[[ -n $version ]] || fail 'Cargo.toml has no version'

# options TARGET: sets the array `options` for cargo and maturin, and the folder `built` where the program will lie. For this
# very machine nothing is said, so that a build that is there already counts.
# shellcheck disable=SC2034 # who reads this file uses them
options() {
    local host
    host=$(rustc -vV | sed -n 's/^host: //p')
    options=(--release --locked)
    built=${CARGO_TARGET_DIR:-$root/target}/release
    if [[ $1 != "$host" ]]; then
        options+=(--target "$1")
        built=${CARGO_TARGET_DIR:-$root/target}/$1/release
    fi
    # The program needs no runtime of Visual C++ then.
    [[ $1 != *-msvc ]] || export RUSTFLAGS='-C target-feature=+crt-static'
}

# python ARGUMENT...: under whichever name it runs; on Windows a name may be there that only leads to a shop.
python() {
    if python3 -c '' 2>/dev/null; then python3 "$@"; else command python "$@"; fi
}
