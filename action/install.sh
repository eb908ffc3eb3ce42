#!/usr/bin/env bash
# Puts the program into PLAN_FOLDER, as plan.sh has planned.
# In: PLAN_HOW, PLAN_FOLDER, PLAN_VERSION, PLAN_ARCHIVE, PLAN_CHECKSUM, RUNNER_OS, RUNNER_TEMP;
# CITECHECK_RELEASES, the address of a mirror.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
# shellcheck source=action/words.sh
. "$here/words.sh"
repository=${GITHUB_ACTION_REPOSITORY:-${GITHUB_REPOSITORY:-}}
releases=${CITECHECK_RELEASES:-https://github.com/$repository/releases/download}

program=citecheck
[[ ${RUNNER_OS:-} != Windows ]] || program=citecheck.exe
target=${PLAN_FOLDER:?}/$program
mkdir -p "$PLAN_FOLDER"

# download URL FILE: slim containers lack one or the other, so whichever is there.
download() {
    if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --retry 5 --retry-connrefused --output "$2" "$1"
    elif command -v pwsh >/dev/null; then
        # shellcheck disable=SC2016 # $args is PowerShell's
        pwsh -NoProfile -Command '& { Invoke-WebRequest -Uri $args[0] -OutFile $args[1] -MaximumRetryCount 5 }' "$1" "$2"
    else
        fail 'neither curl nor PowerShell is here to download citecheck'
    fi
}

# Nothing of an archive is unpacked before its checksum is right.
from_release() {
    local file=${RUNNER_TEMP:?}/$PLAN_ARCHIVE found
    download "$releases/v$PLAN_VERSION/$PLAN_ARCHIVE" "$file" || fail "cannot download $PLAN_ARCHIVE of release $PLAN_VERSION"
    found=$(sha256 <"$file")
    [[ $found == "$PLAN_CHECKSUM" ]] || fail "$PLAN_ARCHIVE has the checksum $found and not $PLAN_CHECKSUM"
    tar -xzf "$file" -C "$PLAN_FOLDER" --strip-components=1
    rm -f "$file"
}

from_checkout() {
    command -v cargo >/dev/null || fail 'there is no release for this version yet and no cargo to build it: install Rust'
    (cd "$root" && CARGO_TARGET_DIR=${RUNNER_TEMP:?}/citecheck-build cargo build --release --locked --quiet)
    cp "$RUNNER_TEMP/citecheck-build/release/$program" "$target"
}

case ${PLAN_HOW:?} in
release) from_release ;;
build) [[ -x $target ]] || from_checkout ;;
*) fail "no way to install by \`$PLAN_HOW\`" ;;
esac
[[ -x $target ]] || fail "$PLAN_ARCHIVE holds no $program"
"$target" --version
