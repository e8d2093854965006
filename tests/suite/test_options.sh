#!/usr/bin/env bash
# scripts/test refuses options that it does not know, in one sentence and before it builds, and shows all by --help.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
failed=0

# refused <part of the sentence> <argument>...
refused() {
    local wanted=$1 code=0 said
    shift
    said=$("$root/scripts/test" "$@" 2>&1 </dev/null) || code=$?
    if [[ $code != 1 || $said != "error: "*"$wanted"* || $said == *$'\n'* ]]; then
        printf 'scripts/test %s: ended with %s, and said:\n%s\n' "$*" "$code" "$said"
        failed=1
    fi
}
refused "no option --every" --every
refused "no option -N" -N
refused "release is none" release
refused "no preset is called swift" --config swift
refused "no preset is called " --config=
refused "--config needs a preset" --config
refused "--target needs a target" --all --target
refused "-R needs a value" -R
refused "--require needs all" --require
refused "--require needs all" --require -R engine
refused "no test needs numbba; they may lack: all avx2" --require numba numbba
refused "no preset is called swift" --require all --require numba cargo --config swift

help=$("$root/scripts/test" --help)
for option in --all --long --config --target --require -R; do
    if [[ $help != *" $option "* ]]; then
        echo "--help does not name $option"
        failed=1
    fi
done
exit "$failed"
