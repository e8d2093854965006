# Of what scripts/test says was skipped, a block of what is lacking: a line for each thing, with the tests that were skipped
# for it. Such a skip's reason is "lacks <name>[, <name>]...", and what a parenthesis may add.
#
# awk -v required="<name>..." -f lacking.awk <lines of test_results.awk>
#
# Fails, with a sentence, if one of the required is lacking; all: if anything is.

/^skipped: [^ ]+: lacks / {
    test = $2
    sub(/:$/, "", test)
    names = $0
    sub(/^skipped: [^ ]+: lacks /, "", names)
    sub(/ \(.*/, "", names)
    count = split(names, name, /, /)
    for (i = 1; i <= count; ++i) {
        if (!(name[i] in tests)) { lacking[++things] = name[i] }
        tests[name[i]] = tests[name[i]] (tests[name[i]] == "" ? "" : ", ") test
    }
}
END {
    if (things) { print "lacking, and skipped for that:" }
    count = split(required, wanted, " ")
    for (i = 1; i <= things; ++i) {
        printf "  %-12s %s\n", lacking[i], tests[lacking[i]]
        for (k = 1; k <= count; ++k) {
            if (wanted[k] == "all" || wanted[k] == lacking[i]) {
                missed = missed (missed == "" ? "" : ", ") lacking[i]
                break
            }
        }
    }
    fflush()
    if (missed != "") {
        print "error: --require " required ": this machine lacks " missed > "/dev/stderr"
        exit 1
    }
}
