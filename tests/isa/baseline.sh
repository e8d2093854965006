#!/usr/bin/env bash
# What runs on every processor has no instruction that only some have: reads the machine code of all objects but those of
# kernels, of which each instruction set has its own.
# usage: baseline.sh <objdump> <archive>...
set -euo pipefail
objdump=$1
shift

# wide <whether kernels>: the instructions of AVX, AVX-512 and BMI in these objects.
wide() {
    "$objdump" -d --no-show-raw-insn "${archives[@]}" | awk -v kernels="$1" '
        /file format/ { member = $1; next }
        (member ~ /kernel\.(cpp\.)?o(bj)?:/) != kernels { next }
        $2 ~ /^v/ && /%[xyz]mm|%k[0-7]/ { print member, $0 }
        $2 ~ /^(andn|bextr|blsi|blsr|blsmsk|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx|lzcnt)[lq]?$/ { print member, $0 }'
}

archives=("$@")
if [[ -n $(wide 0) ]]; then
    wide 0 | head -n 20
    echo "code that every processor runs has instructions that some lack"
    exit 1
fi
found=$(wide 1 | wc -l)
if ((found < 1000)); then
    echo "only $found wide instructions in kernels: the check looks for the wrong thing"
    exit 1
fi
echo "none but in kernels, which have $found"
