"""Values derived from the measurements: the count to compare at, the fastest way, agents at 60 Hz."""

import math
from dataclasses import dataclass

import digits
import names
from measurements import TOO_SLOW

FRAME_NS = 1e9 / 60
COMPARED_AT = 1_000_000
# With fewer frames the slowest says nothing; below a hundred, the 99th percentile is the slowest.
FEWEST_FRAMES, PERCENTILE_FRAMES = 20, 100
# Its updates put nothing in order, so their times are not compared.
NO_CONTENDER = "brute_force"


def subjects_in(rows):
    """Structures in their order, ours first."""
    kinds = {row.subject: names.KINDS.index(row.kind) for row in rows}
    return sorted(kinds, key=lambda subject: (kinds[subject],) + names.order_of(subject))


def grounds_in(rows):
    """Dimensions and scenes, in order."""
    def place(ground):
        dim, scene = ground
        known = scene in names.SCENES
        return dim, names.SCENES.index(scene) if known else len(names.SCENES), scene
    return sorted({row.ground for row in rows}, key=place)


def compared_at(rows):
    """A million agents, or the largest measured count below."""
    counts = {row.agents for row in rows if row.timed}
    return COMPARED_AT if COMPARED_AT in counts else max(counts, default=0)


def is_shuffled(row):
    return row.way.endswith("_shuffled")


def fastest(rows):
    """The row with the least time, of rows that differ in the way only; one without a time if no row
    has one; None if there are no rows."""
    timed = [row for row in rows if row.timed]
    if timed:
        return min(timed, key=lambda row: row.median_ns)
    return rows[0] if rows else None


@dataclass(frozen=True)
class AtSixtyHertz:
    """Agents whose frame takes 16.7 ms. With `bound`, "at least" or "fewer than": the counts
    measured all lie on one side of it; with "between", it lies below `until`, which was too slow."""

    agents: float
    bound: str = ""
    row: object = None  # the measurement next to it
    until: int = None

    @property
    def exact(self):
        return not self.bound

    @property
    def most(self):
        """The largest value that it may have."""
        return math.inf if self.bound == "at least" else self.until or self.agents


def at_sixty_hertz(frames):
    """Between two counts time grows as a power of the count: a straight line on a log-log chart."""
    points = sorted((row.agents, row.median_ns * row.agents, row) for row in frames if row.timed)
    if not points:
        return None
    if points[0][1] > FRAME_NS:
        return AtSixtyHertz(points[0][0], "fewer than", points[0][2])
    for (few, fast, row), (many, slow, _) in zip(points, points[1:]):
        if fast <= FRAME_NS < slow:
            share = math.log(FRAME_NS / fast) / math.log(slow / fast)
            return AtSixtyHertz(few * (many / few) ** share, row=row)
    few, _, row = points[-1]
    beyond = [row.agents for row in frames if row.why_not == TOO_SLOW and row.agents > few]
    if beyond:
        return AtSixtyHertz(few, "between", row, min(beyond))
    return AtSixtyHertz(few, "at least", row)


class Table:
    """Finds measurements by their fields; one thread unless threads are given."""

    def __init__(self, measurements):
        self.all = measurements
        self.rows = measurements.rows
        self.calls = measurements.calls
        self.obstacles = measurements.obstacles
        self.threads = min(row.threads for row in self.rows)
        self.single = [row for row in self.rows if row.threads == self.threads]
        self.subjects = subjects_in(self.rows)
        self.kinds = {row.subject: row.kind for row in self.rows}
        self._parts = {}  # rows by the fields of most selections, which makes these fast
        for row in self.rows:
            self._parts.setdefault((row.threads, row.ground, row.work), []).append(row)
        self.grounds = grounds_in(self.rows)
        self.agents = {ground: compared_at([row for row in self.single if row.ground == ground])
                       for ground in self.grounds}
        self.main = self._main_ground()

    def _main_ground(self):
        return (2, "uniform") if (2, "uniform") in self.grounds else self.grounds[0]

    def select(self, work, ground, threads=None, **wanted):
        """Rows of a kind of work on a ground with the wanted other fields, in the file's order."""
        rows = self._parts.get((threads or self.threads, ground, work), [])
        return [row for row in rows
                if all(getattr(row, name) == value for name, value in wanted.items())]

    def ours(self, subject):
        return self.kinds.get(subject) == "ours"

    def best(self, subject, work, ground, agents=None, shuffled=False):
        """The fastest way of a structure for a kind of work, asked in order or shuffled."""
        agents = self.agents[ground] if agents is None else agents
        rows = self.select(work, ground, subject=subject, agents=agents)
        return fastest([row for row in rows if is_shuffled(row) == shuffled])

    def why_none(self, subject, work, ground):
        """Why a structure has no time where others have one."""
        rows = [row for row in self.single if row.subject == subject and row.work == work]
        here = [row for row in rows if row.ground == ground and row.agents == self.agents[ground]]
        if here:
            return here[0].why_not
        return self._why_absent(rows, ground) if rows else "not offered"

    def why_no_bytes(self, subject, ground):
        rows = [row for row in self.single if row.subject == subject]
        if any(row.ground == ground and row.agents == self.agents[ground] for row in rows):
            return "unknown"
        return self._why_absent(rows, ground)

    def _why_absent(self, rows, ground):
        """The reason where no row is at the count that is compared."""
        if not any(row.dim == ground[0] for row in rows):
            return f"not in {ground[0]}D"
        here = [row.agents for row in rows if row.ground == ground]
        if here and max(here) < self.agents[ground]:
            return f"up to {digits.whole(max(here))} only"
        return "not measured"

    def common_count(self, work, grounds):
        """The count to compare scenes at, with which all of them were measured. None if there is none."""
        timed = [[row for row in self.select(work, ground) if row.timed] for ground in grounds]
        counts = [{row.agents for row in rows} for rows in timed if rows]
        common = set.intersection(*counts) if counts else set()
        return compared_at([row for rows in timed for row in rows if row.agents in common]) or None

    def tail_count(self, ground):
        """The largest count, up to the one that is compared, at which most structures had enough frames
        for a slowest one to mean something; otherwise the one that is compared."""
        frames = [row for row in self.select("frame", ground) if row.timed and row.agents <= self.agents[ground]]
        for agents in sorted({row.agents for row in frames}, reverse=True):
            here = [row for row in frames if row.agents == agents]
            if 2 * sum(row.runs >= FEWEST_FRAMES for row in here) > len(here):
                return agents
        return self.agents[ground]

    def sixty_hertz(self, subject, ground):
        return at_sixty_hertz(self.select("frame", ground, subject=subject))

    def bytes(self, subject, ground):
        """The row with the memory an agent, or None. Frames first, which also hold the memory of
        questions."""
        for work in ("frame", "update"):
            for row in self.select(work, ground, subject=subject, agents=self.agents[ground]):
                if row.bytes:
                    return row
        return None
