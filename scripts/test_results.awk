# What scripts/test says of ctest's results: a line for each test case that was skipped, with its reason, and the
# line "<passed> <failed> <skipped>" for the sum.
#
# awk -v results=<folder> -f test_results.awk <folder>/ctest.xml
#
# ctest counts entries; each executable has written how many test cases it ran, in <folder>/<entry>.xml. If one
# crashed before or after it wrote, its entry counts as one failure. Any entry may print "skipped: <case>: <reason>"
# for a case, and pass.

function attribute(line, name) {
    if (!match(line, " " name "=\"[^\"]*\"")) { return "" }
    return plain(substr(line, RSTART + length(name) + 3, RLENGTH - length(name) - 4))
}
function plain(text) {
    gsub(/&#x0A;/, " ", text)
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&apos;/, "'", text)
    gsub(/&amp;/, "\\&", text)
    sub(/ +$/, "", text)
    return text
}
# Of GoogleTest's message, what follows the file and the line.
function reason_of(message) {
    sub(/^[^ ]*:[0-9]+ */, "", message)
    return message == "" ? "no reason is given" : message
}
function finish(    file, line, cases, bad, out, name, i) {
    if (entry == "") { return }
    file = results "/" entry ".xml"
    cases = bad = out = 0
    name = ""
    while ((getline line < file) > 0) {
        if (line ~ /<testsuites /) {
            cases = attribute(line, "tests") - attribute(line, "disabled")
            bad = attribute(line, "failures") + attribute(line, "errors")
        }
        if (line ~ /<testcase / && line ~ / result="skipped"/) {
            ++out
            name = attribute(line, "classname") "." attribute(line, "name")
        }
        if (line ~ /<skipped / && name != "") {
            print "skipped: " entry "/" name ": " reason_of(attribute(line, "message"))
            name = ""
        }
    }
    close(file)
    if (state == "passed" && cases == 0) { ++passed }
    passed += cases - bad - out
    failed += bad
    skipped += out
    if (state == "failed" && bad == 0) { ++failed }
    if (state == "skipped") {
        ++skipped
        print "skipped: " entry ": " (last == "" ? "no reason is given" : last)
    } else {
        for (i = 1; i <= parts; ++i) { print "skipped: " entry part[i] }
        skipped += parts
    }
    entry = ""
}
function look_at(line) {
    line = plain(line)
    if (line ~ /[^ ]/) { last = line }
    sub(/^ *(ended with 77: )?(skipped: )?/, "", last)
    if (line ~ /^skipped: [^ ]+: /) { part[++parts] = "/" substr(line, 10) }
}

/<testcase / {
    finish()
    entry = attribute($0, "name")
    status = attribute($0, "status")
    state = status == "run" ? "passed" : (status == "disabled" ? "skipped" : "failed")
    parts = 0
    last = ""
}
# A missing executable is "notrun" too.
/<skipped / && /SKIP_(RETURN_CODE|REGULAR_EXPRESSION)/ { state = "skipped" }
/<system-out>/ {
    output = 1
    sub(/^[ \t]*<system-out>/, "")
}
output {
    ends = sub(/<\/system-out>.*/, "")
    look_at($0)
    if (ends) { output = 0 }
}
END {
    finish()
    print passed + 0, failed + 0, skipped + 0
}
