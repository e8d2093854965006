# Pairs of benchmarks, "<old name> <tab> <new name>", of two lists of names, the old one first. Names that were changed are
# matched by a table: how a name began, a tab, how it begins now. Those that have no pair are counted.
#
# filter='<regular expression>' awk -v table=<file> -f against_pairs.awk <old> <new>

function renamed(name,    i) {
    for (i = 1; i <= count; ++i) {
        if (index(name, from[i]) == 1) { return to[i] substr(name, length(from[i]) + 1) }
    }
    return name
}
BEGIN {
    FS = "\t"
    filter = ENVIRON["filter"] # -v would take backslashes away
    while ((getline < table) > 0) {
        if ($1 !~ /^#/ && NF == 2) {
            from[++count] = $1
            to[count] = $2
        }
    }
}
FILENAME == ARGV[1] {
    called[renamed($0)] = $0
    next
}
$0 in called {
    print called[$0] "\t" $0
    delete called[$0]
    next
}
{ ++added }
END {
    for (name in called) { gone += name ~ filter }
    if (added) { print added " benchmarks are not in the other commit" >"/dev/stderr" }
    if (gone) { print gone " of the other commit are not here" >"/dev/stderr" }
}
