#!/usr/bin/env bash
# Runs the check once and makes everything of it: the log, annotations, the summary of the job, files and outputs.
# In: PLAN_FOLDER and INPUT_*, as in action.yml, and what GitHub sets for a job. Nothing of them is run or pasted into
# a command; what the repository says comes out through citecheck, which makes it harmless for each format.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=action/words.sh
. "$here/words.sh"

program=$PLAN_FOLDER/citecheck
[[ ${RUNNER_OS:-} != Windows ]] || program=$program.exe
scratch=$(TMPDIR=${RUNNER_TEMP:?} mktemp -d)
json=${INPUT_JSON_FILE:-$scratch/check.json}
version=$("$program" --version)

# Every output has a value in every mode. Citecheck appends those that it knows, and the later ones count.
for name in errors warnings impacted-cases stale-cases base head json-file sarif-file report-file; do
    put "$name" ''
done
put program "$program"
put version "${version#citecheck }"

# With -C the files that are written stay relative to the workspace.
arguments=(-C "${INPUT_WORKING_DIRECTORY:-.}" --color=always ci "--outputs=$GITHUB_OUTPUT" "--output=json=$json")
arguments+=("--output=markdown=$scratch/report.md")
arguments+=("--fail-on=${INPUT_FAIL_ON:-error}")
[[ -z ${INPUT_BASE:-} ]] || arguments+=("--base=$INPUT_BASE")
[[ -z ${INPUT_HEAD:-} ]] || arguments+=("--head=$INPUT_HEAD")
[[ -z ${INPUT_CONFIG:-} ]] || arguments+=("--config=$INPUT_CONFIG")
[[ -z ${INPUT_SARIF_FILE:-} ]] || arguments+=("--output=sarif=$INPUT_SARIF_FILE")
[[ -z ${INPUT_SARIF_CATEGORY:-} ]] || arguments+=("--sarif-category=$INPUT_SARIF_CATEGORY")
[[ ${INPUT_ANNOTATIONS:-true} != true ]] || arguments+=("--output=github=$scratch/annotations")
while IFS= read -r argument; do
    argument=${argument%$'\r'}
    [[ -z $argument ]] || arguments+=("$argument")
done <<<"${INPUT_ARGS:-}"

status=0
"$program" "${arguments[@]}" 2>"$scratch/problems" || status=$?
cat "$scratch/problems" >&2

case $status in
0) result=clean ;;
1) result=findings ;;
3) result=nothing ;;
*) result=error ;;
esac
put exit-code "$status"
put result "$result"

if [[ -f $scratch/annotations ]]; then
    # The closing line stands in the log already.
    grep '^::' "$scratch/annotations" || true
fi
if [[ -f $scratch/report.md ]]; then
    put report-file "$scratch/report.md"
    if [[ ${INPUT_SUMMARY:-true} == true && -n ${GITHUB_STEP_SUMMARY:-} ]]; then
        cat "$scratch/report.md" >>"$GITHUB_STEP_SUMMARY"
    fi
fi
if [[ -f $json ]]; then
    put json-file "$json"
fi
if [[ -n ${INPUT_SARIF_FILE:-} && -f $INPUT_SARIF_FILE ]]; then
    put sarif-file "$INPUT_SARIF_FILE"
fi
if [[ $result == error ]]; then
    printf '::error title=citecheck could not run::%s\n' "$(escape "$(cat "$scratch/problems")")"
    if [[ ${INPUT_SUMMARY:-true} == true && -n ${GITHUB_STEP_SUMMARY:-} ]]; then
        # Indented, so that it is code whatever stands in it.
        { printf '### citecheck could not run\n\n'; sed 's/^/    /' "$scratch/problems"; } >>"$GITHUB_STEP_SUMMARY"
    fi
elif [[ $result == nothing ]]; then
    printf '::error title=citecheck checked nothing::no manual or no case was found\n'
fi
exit "$status"
