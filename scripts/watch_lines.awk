# Compares counts of instructions with a list of them: awk -f watch_lines.awk <list> <counts>, both with lines
# "<path><tab><instructions>". Fails, with a sentence, where a path executes 3 % more, or only one of the two has it.

BEGIN {
    FS = "\t"
    printf "%-24s %12s %12s %7s\n", "instructions", "listed", "here", "ratio"
}
/^(#|compiler\t)/ { next }
FNR == NR {
    listed[$1] = $2
    next
}
{
    seen[$1] = 1
    if (!($1 in listed)) {
        printf "%-24s %12s %12d\n", $1, "", $2
        lost = lost ", " $1
        next
    }
    printf "%-24s %12d %12d %7.3f\n", $1, listed[$1], $2, $2 / listed[$1]
    if ($2 > listed[$1] * 1.03) { more = more ", " $1 }
}
END {
    for (path in listed) {
        if (!(path in seen)) { lost = lost ", " path }
    }
    fflush()
    if (more != "") { print "error: 3 % more instructions than listed: " substr(more, 3) > "/dev/stderr" }
    if (lost != "") {
        print "error: not in the list, or only there: " substr(lost, 3) "; --renew writes it anew" > "/dev/stderr"
    }
    exit more != "" || lost != ""
}
