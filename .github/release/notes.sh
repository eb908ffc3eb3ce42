#!/usr/bin/env bash
# Prints the notes of the release: what the changelog says of this version, and how to verify what is downloaded.
#
# usage: .github/release/notes.sh
set -euo pipefail
# shellcheck source=.github/release/target.sh
. "$(dirname "${BASH_SOURCE[0]}")/target.sh"

notes=$(awk -v heading="## $version" '
    /^## / { within = ($0 == heading || index($0, heading " ") == 1); next }
    within { print }' "$root/.github/CHANGELOG.md")
[[ $notes == *[![:space:]]* ]] || fail "the changelog has no entry for $version"
cat <<EOT
${notes#$'\n'}

### Verify what you download

\`\`\`sh
sha256sum --check --ignore-missing SHA256SUMS
gh attestation verify citecheck-$version-*.tar.gz --repo ${GITHUB_REPOSITORY:-OWNER/citecheck}
\`\`\`
EOT
