#!/usr/bin/env bash
# Commits the checksums of the archives into the action and tags that commit, so that the action of a release knows the
# archives of the same release. The archives are built of its parent; nothing else differs.
#
# usage: .github/release/tag.sh SHA256SUMS
#
# Leaves the commit and the tag vVERSION in this clone and pushes nothing.
set -euo pipefail
# shellcheck source=.github/release/target.sh
. "$(dirname "${BASH_SOURCE[0]}")/target.sh"
[[ $# -eq 1 && -f $1 ]] || fail 'usage: tag.sh SHA256SUMS'
sums=$(realpath "$1")
cd "$root"
[[ -z $(git status --porcelain) ]] || fail 'the work tree has changes'

table=action/checksums.txt
! awk -v version="$version" '$2 == version { found = 1 } END { exit !found }' "$table" ||
    fail "$table has checksums of $version already"
rows=$(LC_ALL=C sort -k 2 "$sums" | awk -v version="$version" '
    $2 ~ "^citecheck-" version "-.*[.]tar[.]gz$" && $1 ~ /^[0-9a-f]+$/ && length($1) == 64 { print $1 "  " version "  " $2 }')
[[ $(printf '%s\n' "$rows" | wc -l) -eq $(wc -l <"$sums") ]] || fail "$1 has a line that is no checksum of an archive of $version"
printf '%s\n' "$rows" >>"$table"

# As old as its parent: tagging again after a run that broke off gives the same tag.
GIT_COMMITTER_DATE=$(git log -1 --format=%cI)
export GIT_COMMITTER_DATE GIT_AUTHOR_DATE=$GIT_COMMITTER_DATE
git add "$table"
git commit --quiet -m "Add the checksums of $version"
git tag --annotate "v$version" -m "citecheck $version"
echo "tagged v$version"
