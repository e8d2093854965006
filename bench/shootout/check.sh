#!/usr/bin/env bash
# check.sh <throng_shootout>: small crowds, about which all indexes must give the right answers; and bad
# input, which must leave nothing behind.
set -euo pipefail
shootout=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
csv=$scratch/shootout.csv

fail() {
    echo "shootout: $*" >&2
    exit 1
}

"$shootout" --agents 2000 --scenes mixed,sparse --questions 500 --seconds-per-line 0.001 \
    --csv "$csv" 2>"$scratch/progress" || fail "failed: $(tail -n 1 "$scratch/progress")"
[[ ! -e $csv.part ]] || fail "left its unfinished file behind"

# All indexes that can be measured, each with right answers and with times.
"$shootout" --list | grep -v 'was not found' | awk '{ print $1 }' >"$scratch/names"
awk -F, '
    FNR == NR { expected[$1] = 1; next }
    /^#/ { next }
    !columns { columns = NF; next }
    NF != columns { print "not " columns " columns: " $0; bad = 1 }
    $18 != "yes" && !($18 == "-" && $5 == "update") { print "not right: " $0; bad = 1 }
    $12 == "too slow" { print "not measured: " $0; bad = 1 }
    !($13 > 0 && $14 > 0 && $14 <= $13 && $13 <= $15) { print "no such times: " $0; bad = 1 }
    $5 != "update" && !($10 > 0) { print "no hits: " $0; bad = 1 }
    $5 == "update" && !($17 >= 8) { print "less than a position each: " $0; bad = 1 }
    $18 == "yes" { ++answered[$1] }
    END {
        for (name in expected) if (!answered[name]) { print "no answers: " name; bad = 1 }
        exit bad
    }' "$scratch/names" "$csv" || fail "the result is not as it should be"

# refused <what it says> <argument>...: one line, and exit code 2.
refused() {
    local says=$1 code=0
    shift
    "$shootout" --csv "$scratch/none.csv" "$@" >"$scratch/out" 2>"$scratch/err" || code=$?
    [[ $code == 2 ]] || fail "exit code $code for $*"
    [[ $(wc -l <"$scratch/err") == 1 && ! -s $scratch/out ]] || fail "not one line for $*"
    grep -qF -- "$says" "$scratch/err" || fail "for $*: $(cat "$scratch/err")"
    [[ -z $(find "$scratch" -name 'none.csv*') ]] || fail "a file is left after $*"
}
refused "there is no option '--speed'" --speed
refused "--agents needs a value" --agents
refused "--agents cannot be '5'" --agents 10000,5
refused "--agents cannot be '1e4'" --agents 1e4
refused "--subjects cannot be 'unknown'" --subjects crowd,unknown
refused "--work cannot be ''" --work ''
refused "--scenes cannot be 'plaza'" --scenes plaza
refused "--dims cannot be '4'" --dims 4
refused "--threads cannot be '0'" --threads 0
refused "--seconds-per-line cannot be 'nan'" --seconds-per-line nan
refused "--budget cannot be '-1'" --budget -1
refused "cannot write ''" --csv ''
refused "cannot write '$scratch'" --csv "$scratch"
refused "cannot write $scratch/nowhere/a.csv.part" --csv "$scratch/nowhere/a.csv"
