#!/usr/bin/env bash
# Says whether this checkout can be released, before anything is built: one version everywhere, an entry in the changelog,
# no tag of that name yet, the address of this very repository.
#
# usage: .github/release/ready.sh
#
# In: GITHUB_REPOSITORY, GITHUB_REF and GITHUB_SERVER_URL, as GitHub sets them for a job. Prints the version.
set -euo pipefail
# shellcheck source=.github/release/target.sh
. "$(dirname "${BASH_SOURCE[0]}")/target.sh"
cd "$root"

address=$(sed -n 's/^repository = "\(.*\)"$/\1/p' Cargo.toml)
here=${GITHUB_SERVER_URL:?}/${GITHUB_REPOSITORY:?}
[[ $address == "$here" ]] || fail "Cargo.toml gives the address $address, and this is $here"
[[ ${GITHUB_REF:?} == refs/heads/main ]] || fail "a release is made of the branch main, not of $GITHUB_REF"
"$root/.github/release/notes.sh" >/dev/null
tagged=$(git ls-remote origin "refs/tags/v$version")
[[ -z $tagged ]] || fail "v$version is released already: the next version belongs into Cargo.toml"
echo "$version"
