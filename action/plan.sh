#!/usr/bin/env bash
# Decides where the program comes from: a release whose checksum is known, else a build of this very checkout.
# In: INPUT_VERSION, INPUT_VERSION_FILE, INPUT_CHECKSUM, RUNNER_OS, RUNNER_ARCH, RUNNER_TEMP. Out, in GITHUB_OUTPUT: how, version, folder,
# archive and checksum of a release, key of the cache for a build.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
# shellcheck source=action/words.sh
. "$here/words.sh"

own=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$root/Cargo.toml" | head -n 1)
version=${INPUT_VERSION:-}
if [[ -z $version && -n ${INPUT_VERSION_FILE:-} ]]; then
    IFS=$' \t\r' read -r version <"$INPUT_VERSION_FILE" || [[ -n $version ]] || fail "no version in \`$INPUT_VERSION_FILE\`"
fi
version=${version:-$own}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || fail "\`$version\` is no version, as $own is"

case ${RUNNER_OS:-} in
Linux) system=unknown-linux-musl ;;
macOS) system=apple-darwin ;;
Windows) system=pc-windows-msvc ;;
*) fail "no program for the system \`${RUNNER_OS:-}\`" ;;
esac
case ${RUNNER_ARCH:-} in
X64) machine=x86_64 ;;
ARM64) machine=aarch64 ;;
*) machine= ;;
esac
archive=citecheck-$version-$machine-$system.tar.gz

checksum=${INPUT_CHECKSUM:-}
if [[ -z $checksum ]]; then
    checksum=$(awk -v version="$version" -v archive="$archive" \
        '$2 == version && $3 == archive { print $1 }' "$here/checksums.txt")
elif [[ -z $machine ]]; then
    fail "no release for the machine \`${RUNNER_ARCH:-}\`"
fi

if [[ -n $checksum ]]; then
    [[ $checksum =~ ^[0-9a-f]{64}$ ]] || fail "the input \`checksum\` is no SHA-256 in lower case"
    how=release
    key=
elif [[ $version == "$own" ]]; then
    how=build
    key=citecheck-$own-${RUNNER_OS}-${RUNNER_ARCH:-any}-$(
        cd "$root"
        find src hooks Cargo.toml Cargo.lock -type f | LC_ALL=C sort | tr '\n' '\0' | xargs -0 cat | sha256
    )
else
    fail "no checksum is known for release $version: give it as the input \`checksum\`, or use the action of that release"
fi

put how "$how"
put version "$version"
put folder "${RUNNER_TEMP:?}/citecheck-program"
put archive "$archive"
put checksum "$checksum"
put key "$key"
