"""Charts of span.csv hold what the file holds, to the digit; and what is not such a file gets none."""

import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
REPORT = os.path.join(os.path.dirname(os.path.dirname(HERE)), "bench", "report")
sys.dont_write_bytecode = True
sys.path.insert(0, REPORT)

import gallery_span  # noqa: E402
import measurements  # noqa: E402
import names  # noqa: E402
import span  # noqa: E402

MACHINE = '"Made up, 2 processors on 2 cores, 1 socket; memory 20.0 GB/s with 1 thread"'
SVG = "{http://www.w3.org/2000/svg}"


def line(workload, threads, ms, speedup, lost_memory="0.00000", ground="crowd,uniform,2", agents=1000):
    return (f"{MACHINE},avx2,pool,{workload},{ground},{agents},{threads},{ms},{speedup},0.5,none,"
            f"0.00000,0.00000,0.00000,{lost_memory},4,100,0.01000,0.01000,7")


def file_of(*lines):
    return [",".join(span.COLUMNS), *lines]


WHOLE = file_of(
    line("update", 1, "8.00000", "1.0000"), line("update", 2, "4.10000", "1.9512"),
    line("update", 16, "2.00000", "4.0000", "1.20000"),
    line("pairs", 16, "0.60000", "15.0000"), line("pairs", 1, "9.00000", "1.0000"),
    line("balls", 1, "9.00000", "1.0000", agents=5000), line("rays", 1, "9.00000", "1.0000"),
    line("update", 1, "9.00000", "1.0000", ground="grid,uniform,2", agents=70))


def draw(lines, *options):
    """(status, what it says, {name: root of the drawing})."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "span.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        pictures = os.path.join(folder, "pictures")
        options = options or ("--pictures", pictures)
        done = subprocess.run([sys.executable, "-B", REPORT, path, *options], capture_output=True, text=True)
        drawn = os.listdir(pictures) if os.path.isdir(pictures) else []
        return done.returncode, done.stderr, {name: xml.parse(os.path.join(pictures, name)).getroot() for name in drawn}


class ChartsHoldTheReckoning(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.status, cls.said, cls.drawn = draw(WHOLE)

    def marks(self, name="speedup-1000.svg"):
        return [mark for mark in self.drawn[name].iter(f"{SVG}path") if mark.get("data-at")]

    def test_one_for_each_number_of_agents(self):
        self.assertEqual((self.status, self.said), (0, ""))
        self.assertEqual(sorted(self.drawn), ["speedup-1000.svg", "speedup-5000.svg"])
        text = "".join(self.drawn["speedup-1000.svg"].itertext())
        for words in ("Reckoned speed-up by number of threads, 1,000 agents", "Made up, 2 processors", "pool", "avx2",
                      "as many times as threads", names.LOADS["update"].title, names.LOADS["pairs"].title):
            self.assertIn(words, text)
        self.assertNotIn(names.LOADS["balls"].title, text)

    def test_marks_show_what_the_csv_says(self):
        marks = self.marks()
        # Lines of memory's bound and without it, for what memory bounds; one line for what it does not.
        self.assertEqual(len(marks), 2 * 3 + 2)
        for mark in marks:
            number, column = mark.get("data-at").split(":")
            fields = next(span.csv.reader([WHOLE[int(number) - 1]]))
            self.assertEqual(mark.get("data-csv"), fields[span.COLUMNS.index(column)])
            self.assertIn(mark.get("data-csv"), mark.get("aria-label"))

    def test_without_the_bound_the_loss_to_memory_is_gone(self):
        free, bounded, _ = gallery_span.speedup_chart(span.parse(WHOLE, "test"), 1000).series
        self.assertEqual([mark.y for mark in bounded.marks], [1, 1.9512, 4])
        for mark, expected in zip(free.marks, (1, 1.9512, 10)):
            self.assertAlmostEqual(mark.y, expected)
        self.assertEqual((free.look.light, bool(free.look.dash), bounded.look.dash), (bounded.look.light, True, ""))

    def test_marks_stand_where_their_numbers_belong(self):
        places = {}
        for mark in self.marks():
            across, down = map(float, re.findall(r"[\d.]+", mark.get("transform")))
            places[mark.get("data-at")] = across, down
        rows = {f"{row.line}:speedup": row for row in span.parse(WHOLE, "test").rows}
        shown = sorted(((rows[at], place) for at, place in places.items() if at in rows),
                       key=lambda pair: pair[0].speedup)
        (low, (_, bottom)), (high, (_, top)) = shown[0], shown[-1]
        for row, (_, down) in shown:
            share = math.log(row.speedup / low.speedup) / math.log(high.speedup / low.speedup)
            self.assertAlmostEqual(down, bottom + share * (top - bottom), delta=0.15)
        by_threads = {row.threads: across for row, (across, _) in shown}
        self.assertAlmostEqual(by_threads[2], by_threads[1] + (by_threads[16] - by_threads[1]) / 4, delta=0.15)

    def test_the_ideal_line_is_where_speed_up_is_threads(self):
        rules = [rule for rule in self.drawn["speedup-1000.svg"].iter(f"{SVG}line") if rule.get("class") == "rule"]
        self.assertEqual(len(rules), 2)  # from 1 to 2 threads, and on to 16
        at = {mark.get("data-at"): [float(x) for x in re.findall(r"[\d.]+", mark.get("transform"))]
              for mark in self.marks()}
        one = at["2:speedup"]
        self.assertEqual([float(rules[0].get(end)) for end in ("x1", "y1")], one)


class WhatIsNoReckoningIsRefused(unittest.TestCase):
    def refused(self, lines, *words):
        with self.assertRaises(measurements.Malformed) as caught:
            span.parse(lines, "test")
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_broken_files(self):
        good = line("update", 1, "8.00000", "1.0000")
        self.refused([], "line 1")
        self.refused(["machine,isa"], "line 1")
        self.refused(file_of(), "no reckoning")
        self.refused(file_of(good, good), "line 3", "line 2")
        self.refused(file_of(good, good + ",1"), "line 3", "23 fields")
        self.refused(file_of(good, ""), "line 3", "0 fields")
        for broken, column in ((line("update", 0, "8", "1"), "threads"), (line("update", 2.5, "8", "1"), "threads"),
                               (line("update", 1, "nan", "1"), "column ms"),
                               (line("update", 1, "inf", "1"), "column ms"),
                               (line("update", 1, "8", "0"), "speedup"), (line("update", 1, "8", "x"), "speedup"),
                               (line("update", 1, "8", "1", "8"), "lost_memory_ms"),
                               (line("update", 1, "8", "1", "-1"), "lost_memory_ms")):
            self.refused(file_of(broken), "line 2", column)

    def test_from_the_command_line(self):
        status, said, drawn = draw(file_of(line("update", 0, "8", "1")))
        self.assertEqual((status, drawn), (2, {}))
        self.assertIn("line 2", said)
        status, said, _ = draw(WHOLE, "--output", os.path.join(tempfile.gettempdir(), "no.html"))
        self.assertEqual(status, 2)
        self.assertIn("--pictures", said)


if __name__ == "__main__":
    unittest.main()
