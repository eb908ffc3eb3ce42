# shellcheck shell=bash
# What the scripts of the action share.

# fail MESSAGE: ends the step with a message that is shown on the page of the run.
fail() {
    printf '::error title=citecheck::%s\n' "$(escape "$1")"
    exit 2
}

# escape TEXT: as data of a workflow command; of several lines it makes one.
escape() {
    local text=$1
    text=${text//\%/%25}
    text=${text//$'\r'/%0D}
    printf '%s' "${text//$'\n'/%0A}"
}

# put NAME VALUE: sets an output of the step. A value of several lines could set others.
put() {
    [[ $2 != *$'\n'* && $2 != *$'\r'* ]] || fail "the output \`$1\` has several lines"
    printf '%s=%s\n' "$1" "$2" >>"${GITHUB_OUTPUT:?}"
}

# sha256 <FILE: by whichever program the system has for it.
sha256() {
    if command -v sha256sum >/dev/null; then
        sha256sum
    else
        shasum -a 256
    fi | cut -d ' ' -f 1
}
