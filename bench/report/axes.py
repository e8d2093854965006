"""Maps values to places on a drawing, and chooses ticks."""

import math


class Scale:
    """Maps values from `low` to `high` to places from `begin` to `end`, evenly or by logarithm."""

    def __init__(self, low, high, begin, end, log):
        self.low, self.high, self.begin, self.end, self.log = low, high, begin, end, log

    def share(self, value):
        """How far along it stands: 0 at `low`, 1 at `high`."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def __call__(self, value):
        return self.begin + self.share(value) * (self.end - self.begin)

    def ticks(self, most):
        return log_ticks(self.low, self.high, most) if self.log else even_ticks(self.low, self.high, most)


def log_scale(values, begin, end, room=0.04):
    """Adds a little room on either side, a share of the width, and never has a width of zero."""
    low, high = min(values), max(values)
    room = max((high / low) ** room, 1.15)
    return Scale(low / room, high * room, begin, end, True)


def zero_scale(values, begin, end):
    return Scale(0.0, (max(values, default=0) or 1.0) * 1.02, begin, end, False)


def log_ticks(low, high, most):
    """Powers of ten: every second or third if there are too many, with values between them if there is
    room."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    decades = [10.0 ** power for power in range(first, last + 1)]
    if len(decades) > most:
        step = math.ceil(len(decades) / most)
        return decades[::step]
    for factors in ((1, 2, 5), (1, 3)):
        fine = [factor * 10.0 ** power for power in range(first - 1, last + 1) for factor in factors]
        fine = [value for value in fine if low <= value <= high]
        if len(fine) <= most:
            return fine
    return decades or fine[::2]


def even_ticks(low, high, most):
    """Multiples of 1, 2 or 5 times a power of ten."""
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw)
    first = math.ceil(low / step)
    return [index * step for index in range(first, math.floor(high / step) + 1)]


def spread(places, gap, low, high):
    """Moves places apart until each has `gap`, as little as may be, within `low` and `high`."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    moved = list(places)
    for _ in range(60):
        for above, below in zip(order, order[1:]):
            lack = gap - (moved[below] - moved[above])
            if lack > 0.01:
                moved[above] -= lack / 2
                moved[below] += lack / 2
        for index in order:
            moved[index] = min(max(moved[index], low), high)
    return moved
