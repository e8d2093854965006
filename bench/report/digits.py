"""Writes numbers with three significant digits and a unit that fits."""

import math


def significant(value, digits=3):
    """1234567 -> 1,230,000; 12.345 -> 12.3; 0.0123 -> 0.0123; 1.0 -> 1."""
    if value == 0:
        return "0"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    value = round(value, places)
    text = f"{value:,.{max(places, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def whole(value):
    return f"{value:,.0f}"


def count(value):
    """Short, for axes: 10k, 1M, 2.5M."""
    for unit, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= unit:
            return f"{significant(value / unit)}{name}"
    return significant(value)


UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns"))


def unit_for(smallest_ns):
    """Size and name of the unit for a column of times, of which this one is the smallest."""
    for size, name in UNITS:
        if smallest_ns >= size:
            return size, name
    return UNITS[-1]


def time(ns):
    """9.41 ns, 37 µs."""
    size, name = unit_for(ns)
    return f"{significant(ns / size)} {name}"


def times(ratio):
    """A ratio in words: 6.6, 12, 0.83."""
    return significant(ratio, 2)
