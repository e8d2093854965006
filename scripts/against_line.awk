# A line of the table of scripts/against, of runs in turns, "<old nanoseconds> <new nanoseconds>" each: medians of both; of
# the ratios the median, the least and the most.
#
# awk -v name=<benchmark> -f against_line.awk <runs>

# The median; sorts.
function middle(values, count,    i, j, x) {
    for (i = 2; i <= count; ++i) {
        x = values[i]
        for (j = i - 1; j > 0 && values[j] > x; --j) { values[j + 1] = values[j] }
        values[j + 1] = x
    }
    return count % 2 ? values[(count + 1) / 2] : (values[count / 2] + values[count / 2 + 1]) / 2
}
{
    before[NR] = $1 + 0
    after[NR] = $2 + 0
    ratio[NR] = $2 / $1
}
END {
    half = middle(ratio, NR)
    printf "%-60s %12.1f %12.1f %7.3f %7.3f %7.3f\n", name, middle(before, NR), middle(after, NR), half, ratio[1], ratio[NR]
}
