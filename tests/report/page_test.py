"""The page holds what the CSV holds, to the digit; and what is not a CSV gets no page."""

import csv
import glob
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
REPORT = os.path.join(ROOT, "bench", "report")
RESULTS = os.path.join(ROOT, "bench", "results")
FIXTURE = os.path.join(HERE, "fixture.csv")
MOST_BYTES = 500_000  # of a page: it comes with every clone, anew with every measurement
sys.dont_write_bytecode = True
sys.path.insert(0, REPORT)

import contest  # noqa: E402
import derived  # noqa: E402
import gallery_calls  # noqa: E402
import gallery_obstacles  # noqa: E402
import gallery_rows  # noqa: E402
import measurements  # noqa: E402
import names  # noqa: E402
import page  # noqa: E402
import prose  # noqa: E402
import tables  # noqa: E402
from read_page import Page  # noqa: E402


def fixture_lines():
    with open(FIXTURE, encoding="utf-8") as file:
        return file.read().splitlines()


def table_of(lines):
    return derived.Table(measurements.parse(lines, "test"))


def split(lines):
    """(facts, header, rows) of a CSV."""
    begin = next(index for index, line in enumerate(lines) if not line.startswith("#"))
    return lines[:begin], lines[begin], lines[begin + 1:]


def run(*arguments):
    return subprocess.run([sys.executable, "-B", REPORT, *arguments], capture_output=True, text=True)


class PageHoldsTheMeasurements(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "report.html")
        done = run(FIXTURE, "--output", cls.path)
        assert done.returncode == 0, done.stderr
        with open(cls.path, encoding="utf-8") as file:
            cls.page = Page(file.read())
        cls.lines = fixture_lines()
        cls.table = table_of(cls.lines)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def field(self, at):
        line, column = at.split(":")
        return next(csv.reader([self.lines[int(line) - 1]]))[measurements.COLUMNS.index(column)]

    def fields_of(self, key):
        """The fields of the CSV that the marks of a chart show."""
        return {mark.at for mark in self.page.marks(key)}

    def test_is_well_formed_and_complete(self):
        self.assertEqual(self.page.unclosed, [])
        self.assertEqual(os.listdir(self.folder.name), ["report.html"])
        ids = [e["id"] for e in self.page.elements.all if e.get("id")]
        self.assertEqual(len(ids), len(set(ids)))
        for element in self.page.elements.all:
            if element.get("href", "").startswith("#"):
                self.assertIn(element["href"][1:], ids)

    def test_every_chart_and_table_has_its_place(self):
        charts = [e["id"] for e in self.page.elements.all if e.get("class") == "chart"]
        self.assertEqual(charts, list(self.page.charts))
        tables = [int(e["data-table"]) for e in self.page.elements.all if e.get("data-table")]
        self.assertEqual(tables, list(range(len(self.page.data["tables"]))))
        self.assertIn("<noscript>", self.page.text)

    def test_marks_show_what_the_csv_says(self):
        marks = self.page.all_marks()
        self.assertGreater(len(marks), 500)
        for mark in marks:
            self.assertEqual(mark.csv, self.field(mark.at))
            self.assertIn(mark.csv, mark.tip)

    def test_cells_show_what_the_csv_says(self):
        cells = [cell for cell in self.page.all_cells() if cell.at]
        self.assertGreater(len(cells), 500)
        for cell in cells:
            exact = self.field(cell.at)
            self.assertEqual(cell.csv, exact)
            if cell.text == exact:
                continue
            # Three digits of it, perhaps in a larger unit.
            ratio = float(exact) / float(cell.text.replace(",", ""))
            unit = 1000.0 ** round(math.log(ratio, 1000))
            self.assertAlmostEqual(ratio / unit, 1.0, delta=0.0051, msg=f"{cell.text} for {exact}")

    def test_every_timed_row_of_a_chart_has_its_mark(self):
        for ground in self.table.grounds:
            rows = [row for row in self.table.select("frame", ground) if row.timed]
            self.assertEqual(self.fields_of(f"frame-{ground[0]}d-{ground[1]}"),
                             {f"{row.line}:median_ns" for row in rows})

    def test_single_calls_have_their_marks_and_ratios(self):
        self.assertEqual(gallery_calls.counts(self.table), [1000, 10000])
        for agents in gallery_calls.counts(self.table):
            rows = [row for row in self.table.calls if row.agents == agents]
            key = f"calls-{agents}"
            self.assertEqual(self.fields_of(key), {f"{row.line}:median_ns" for row in rows})
            crowd, plain = (next(row for row in rows if row.subject == subject) for subject in ("crowd", "plain_grid"))
            cells = [cell for line in self.page.cells(self.page.charts[key]) for cell in line]
            cell = next(cell for cell in cells if cell.at == f"{crowd.line}:median_ns")
            self.assertTrue(cell.small.endswith("×"), cell.small)
            self.assertAlmostEqual(float(cell.small[:-1]), crowd.median_ns / plain.median_ns, delta=0.006)

    def test_obstacles_have_their_marks(self):
        scenes = gallery_obstacles.scenes(self.table)
        self.assertEqual(scenes, ["walls_along_the_axes", "walls_turned_anyhow", "triangles_in_space"])
        for scene in scenes:
            rows = [row for row in self.table.obstacles if row.scene == scene]
            self.assertEqual(self.fields_of(f"obstacles-{scene}"), {f"{row.line}:median_ns" for row in rows})

    def test_marks_stand_where_their_numbers_belong(self):
        by_line = {row.line: row for row in self.table.rows}
        for key, value_of in (("pairs-2d-uniform", lambda row: row.median_ns),
                              ("frame-2d-uniform", lambda row: row.median_ns * row.agents)):
            for size in ("wide", "narrow"):
                points = sorted((math.log(value_of(by_line[int(mark.at.split(":")[0])])), mark.places[size][1])
                                for mark in self.page.marks(key))
                (low, low_y), (high, high_y) = points[0], points[-1]
                self.assertGreater(len(points), 4)
                for value, height in points:
                    expected = low_y + (value - low) / (high - low) * (high_y - low_y)
                    self.assertAlmostEqual(height, expected, delta=0.15)

    def test_close_lines_have_hollow_marks(self):
        near = {f"{one.peer.line}:median_ns" for one in contest.lines(self.table.all) if one.near}
        for dim in (2, 3):
            marks = self.page.marks(f"ratio-{dim}d")
            hollow = {mark.at for mark in marks if mark.hollow}
            self.assertTrue(hollow)
            self.assertLessEqual(hollow, near)
            self.assertLess(len(hollow), len(marks))

    def test_the_best_of_each_column_is_marked(self):
        ground = self.table.main
        at = {cell.at for cell in self.page.cells_within("summary") if "best" in cell.classes}
        for work in ("update", "frame", "nearest"):
            rows = [row for row in self.table.select(work, ground, agents=self.table.agents[ground])
                    if row.timed and not derived.is_shuffled(row) and row.subject != "brute_force"]
            self.assertIn(f"{min(rows, key=lambda row: row.median_ns).line}:median_ns", at)

    def test_the_fastest_of_all_is_the_choice(self):
        lines = [one for one in contest.lines(self.table.all) if one.agents == 10000 and one.threads == 1 and not one.size]
        sheet = tables.choice(self.table, lines, 10000)
        self.assertEqual(sheet.header[1:], [names.ground_title(ground) for ground in self.table.grounds])
        shown = {(row[0].text, head): cell for row in sheet.rows for head, cell in zip(sheet.header[1:], row[1:])}
        self.assertTrue(any(one.ratio < 1 for one in lines), "a peer should win somewhere")
        for one in lines:
            if "shuffled" in one.task:
                continue
            cell = shown[one.title, names.ground_title(one.ground)]
            first, second = (one.ours, one.peer) if one.ratio >= 1 else (one.peer, one.ours)
            self.assertEqual(cell.text, names.title_of(first.subject))
            self.assertIn(names.title_of(second.subject), cell.small)
            ratio = second.median_ns / first.median_ns
            self.assertAlmostEqual(float(cell.small.split()[0].replace(",", "")), ratio, delta=0.051 * ratio)
            self.assertEqual(cell.classes == "behind", first is one.peer)
        alone = {(one.title, names.ground_title(one.ground)) for one in lines}
        for (title, head), cell in shown.items():
            if title.endswith(", one call each") and (title, head) not in alone:
                self.assertEqual(cell, shown[title.removesuffix(", one call each"), head])

    def test_the_choice_begins_with_the_most_agents(self):
        counts = [int(caption.split()[-2].replace(",", "")) for caption in self.page.captions_within("choice")]
        self.assertEqual(counts, sorted(counts, reverse=True))
        grounds = set(self.table.grounds)
        for agents in {one.agents for one in contest.lines(self.table.all)}:
            here = {one.ground for one in contest.lines(self.table.all) if one.agents == agents}
            self.assertEqual(agents in counts, here >= grounds, agents)

    def test_every_close_line_is_listed(self):
        near = [one for one in contest.lines(self.table.all) if one.near]
        pairs = [cell.at for cell in self.page.cells_within("near-lines") if cell.at]
        self.assertEqual(len(pairs), 2 * len(near))
        for one in near:
            self.assertIn(f"{one.peer.line}:median_ns", pairs)

    def test_needs_nothing_from_outside(self):
        for element in self.page.elements.all:
            for name in ("src", "href", "xlink:href", "action", "data"):
                value = element.get(name) or ""
                self.assertTrue(value.startswith(("#", "data:")) or not value, value)
        for word in ("url(", "@import", "fetch(", "XMLHttpRequest"):
            self.assertNotIn(word, self.page.text)


class ComparisonsAreRight(unittest.TestCase):
    def frames(self, *points):
        header = ",".join(measurements.COLUMNS)
        rows = [f"crowd,ours,2,uniform,frame,,{agents},1,,,,,{ns},,,30,0,yes" if ns else
                f"crowd,ours,2,uniform,frame,,{agents},1,,,,too slow,,,,0,0,-" for agents, ns in points]
        return table_of([header, *rows])

    def test_sixty_hertz_lies_on_the_line_between_two_counts(self):
        # Time as the square of the count: 1 ms for 10,000, so 16.7 ms for sqrt(16.7) times as many.
        at = self.frames((10000, 100), (100000, 1000)).sixty_hertz("crowd", (2, "uniform"))
        self.assertAlmostEqual(at.agents, 10000 * math.sqrt(1000 / 60), delta=1)
        self.assertTrue(at.exact)

    def test_sixty_hertz_says_when_all_counts_are_on_one_side(self):
        at = self.frames((10000, 10), (100000, 10)).sixty_hertz("crowd", (2, "uniform"))
        self.assertEqual((at.agents, at.bound), (100000, "at least"))
        frames = self.frames((10000, 10), (100000, 10), (1000000, None), (10000000, None))
        at = frames.sixty_hertz("crowd", (2, "uniform"))
        self.assertEqual((at.agents, at.bound, at.until), (100000, "between", 1000000))
        at = self.frames((1000000, 100),).sixty_hertz("crowd", (2, "uniform"))
        self.assertEqual((at.agents, at.bound), (1000000, "fewer than"))

    def test_the_best_of_ours_meets_the_best_peer(self):
        rows = ["crowd,ours,2,uniform,box,single,1000,1,1,1,,,90,,,1,0,yes",
                "crowd,ours,2,uniform,box,batch,1000,1,1,1,,,20,,,1,0,yes",
                "nanoflann,peer,2,uniform,box,single,1000,1,1,1,,,110,,,1,0,yes",
                "embree,peer,2,uniform,box,single,1000,1,1,1,,,10,,,1,0,no",
                "plain_grid,plain,2,uniform,box,single,1000,1,1,1,,,95,,,1,0,yes",
                "crowd,ours,2,uniform,update,,1000,1,1,1,,,10,,,1,0,-",
                "plain_grid,plain,2,uniform,update,,1000,1,1,1,,,21,,,1,0,-"]
        lines = contest.lines(table_of([",".join(measurements.COLUMNS), *rows]).all)
        found = {line.task: (line.peer.subject, round(line.ratio, 3), line.near) for line in lines}
        self.assertEqual(found, {"box": ("plain_grid", 4.75, True), "box-single": ("plain_grid", 1.056, True),
                                 "update": ("plain_grid", 2.1, False)})

    def test_single_and_shuffled_meet_their_like(self):
        rows = ["crowd,ours,2,uniform,box,single_shuffled,1000,1,1,1,,,90,,,1,0,yes",
                "crowd,ours,2,uniform,box,batch_shuffled,1000,1,1,1,,,20,,,1,0,yes",
                "row_grid,ours,2,uniform,box,single_shuffled,1000,1,1,1,,,45,,,1,0,yes",
                "plain_grid,plain,2,uniform,box,single_shuffled,1000,1,1,1,,,180,,,1,0,yes"]
        lines = contest.lines(table_of([",".join(measurements.COLUMNS), *rows]).all)
        self.assertEqual({line.task: (line.ratio, line.crowd_ratio) for line in lines},
                         {"box-shuffled": (9, 9), "box-shuffled-single": (4, 2)})

    def test_reasons_are_of_things_that_exist(self):
        for key in contest.Reasons().keys():
            (task, peer), where = key.split("/")[:2], key.split("/")[2:]
            self.assertIn(task.split("-")[0], names.WORKS)
            self.assertLessEqual(set(task.split("-")[1:]), {"shuffled", "single"})
            self.assertIn(peer, names.SUBJECTS)
            self.assertLessEqual(len(where), 1, key)
            self.assertLessEqual(set(where), {*names.SCENES, "2d", "3d"}, key)

    def test_the_nearest_reason_counts(self):
        peer = next(row for row in table_of(fixture_lines()).rows if row.subject == "nanoflann")

        def line(task, dim, scene):
            return contest.Line(task, "", (dim, scene), 1, 1, None, None, peer)
        with tempfile.NamedTemporaryFile("w", suffix=".ini") as file:
            for key in ("box", "box-single", "box-shuffled"):
                file.write(f"[{key}/nanoflann]\nwhy = {key}\n")
            file.write("[box/nanoflann/3d]\nwhy = 3d\n[box/nanoflann/mixed]\nwhy = mixed\n")
            file.flush()
            reasons = contest.Reasons(file.name)
        for task, dim, scene, why in (("box", 2, "uniform", "box"), ("box", 3, "uniform", "3d"),
                                      ("box", 3, "mixed", "mixed"), ("box-single", 3, "uniform", "box-single"),
                                      ("box-shuffled", 2, "mixed", "box-shuffled"),
                                      ("box-shuffled-single", 2, "uniform", "box-single"),
                                      ("ray", 2, "uniform", "no reason known yet")):
            self.assertEqual(reasons.of(line(task, dim, scene)), why)

    def test_slowest_frames_need_frames_enough(self):
        def chart(*runs):
            rows = [f"{subject},ours,2,uniform,frame,,1000,1,,,,,10,9,20,{count},0,yes"
                    for subject, count in zip(("crowd", "row_grid", "loose_tree"), runs)]
            return gallery_rows.tail_chart(table_of([",".join(measurements.COLUMNS), *rows]), (2, "uniform"))
        shown = chart(19, 60, 100)
        self.assertEqual([[cell.text for cell in row][3] for row in shown.table], ["slowest of 60", "99th percentile"])
        tips = " ".join(mark.tip for mark in shown.marks)
        self.assertIn("RowGrid: slowest of 60", tips)
        self.assertNotIn("Crowd", tips)
        self.assertTrue(chart(3, 3, 19).empty)

    def test_why_there_is_no_figure(self):
        rows = ["crowd,ours,2,uniform,frame,,1000000,1,,,,,10,,,30,40,yes",
                "brute_force,ours,2,uniform,frame,,10000,1,,,,,10,,,30,40,yes",
                "nanoflann,peer,2,uniform,frame,,1000000,1,,,,,10,,,30,,yes",
                "embree,peer,3,uniform,frame,,1000000,1,,,,,10,,,30,40,yes"]
        table, flat = table_of([",".join(measurements.COLUMNS), *rows]), (2, "uniform")
        self.assertEqual(table.why_none("brute_force", "frame", flat), "up to 10,000 only")
        self.assertEqual([table.why_no_bytes(subject, flat) for subject in ("brute_force", "nanoflann", "embree")],
                         ["up to 10,000 only", "unknown", "not in 2D"])
        self.assertEqual(table.why_none("crowd", "ray", flat), "not offered")

    def test_scenes_are_compared_at_one_count(self):
        rows = [f"crowd,ours,2,{scene},frame,,{agents},1,,,,,{agents / 100},,,30,0,yes"
                for scene, agents in (("uniform", 10000), ("uniform", 1000000), ("mixed", 10000))]
        shown = gallery_rows.scenes_chart(table_of([",".join(measurements.COLUMNS), *rows]), "frame", 2)
        self.assertEqual([mark.exact for mark in shown.marks], ["100.0", "100.0"])
        self.assertTrue(all("10,000 agents" in mark.tip for mark in shown.marks))


class TextsAreFilled(unittest.TestCase):
    def test_every_structure_has_its_text(self):
        texts = prose.load()
        for subject in names.SUBJECTS:
            self.assertEqual(set(texts[subject]), {"what", "when", "not"})

    def test_figures_come_from_the_csv_or_the_sentence_goes(self):
        table = table_of([",".join(measurements.COLUMNS),
                          "crowd,ours,2,uniform,frame,,1000000,1,,,,,21.94,,,30,40,yes",
                          "row_grid,ours,2,uniform,frame,,1000000,1,,,,,10.97,,,30,,yes"])
        said = prose.fill("It takes {frame}. Rays take {ray}. {frame/row_grid.frame} times. {bytes} bytes.",
                          table, "crowd")
        self.assertEqual(said, "It takes 21.9 ns. 2 times. 40 bytes.")

    def test_figures_are_spelt_right(self):
        table = table_of(fixture_lines())
        for subject, section in prose.load().items():
            for text in section.values():
                self.assertNotRegex(prose.fill(text, table, subject), "[{}]")
        with self.assertRaises(ValueError):
            prose.fill("{framme}", table, "crowd")


class LessIsEnough(unittest.TestCase):
    """Whatever is lacking, there is a page."""

    def builds(self, lines):
        text = page.html(table_of(lines))
        self.assertEqual(Page(text).unclosed, [])
        return text

    def setUp(self):
        self.facts, self.header, self.rows = split(fixture_lines())

    def keep(self, *wanted):
        return [row for row in self.rows if all(word in f",{row}," for word in wanted)]

    def test_without_facts_peers_or_threads(self):
        self.builds([self.header, *self.rows])
        self.builds([self.header, *self.keep(",ours,")])
        self.builds([self.header, *self.keep(",peer,")])
        self.builds([self.header, *self.keep(",10000,1,")])
        self.builds([self.header, *self.keep(",3,")])

    def test_single_calls_compete_with_each_other_only(self):
        calls = [row for row in self.rows if row.split(",")[4] in (*names.CALLS, *names.OBSTACLES)]
        without = [row for row in self.rows if row not in calls]
        self.assertLess(len(without), len(self.rows))
        page = self.builds([*self.facts, self.header, *without])
        self.assertNotIn('id="calls"', page)
        self.assertNotIn('id="obstacles"', page)
        one, other = (contest.lines(table_of([self.header, *rows]).all) for rows in (self.rows, without))
        self.assertEqual([(line.task, line.ratio) for line in one], [(line.task, line.ratio) for line in other])
        with self.assertRaises(measurements.Malformed):
            table_of([self.header, *calls])

    def test_one_row_of_each_kind_of_work(self):
        for work in names.WORKS:
            self.builds([self.header, self.keep(f",{work},")[0]])

    def test_too_slow_and_wrong_are_said(self):
        def untimed(row, path, right):
            fields = row.split(",")
            fields[11:15], fields[17] = [path, "", "", ""], right
            return ",".join(fields)
        for words, path, right in (("too slow", "too slow", "-"), ("wrong answers", "", "no")):
            changed = [untimed(row, path, right) if row.startswith("row_grid,") else row for row in self.rows]
            text = self.builds([*self.facts, self.header, *changed])
            self.assertIn(words, text)
            self.assertNotIn("row_grid", Page(text).series())

    def test_disturbance_is_said(self):
        said = "Other programs used 12.5 % of the processors meanwhile."
        text = self.builds(["# disturbed,12.5", *self.facts, self.header, *self.rows])
        self.assertEqual(text.count(said), 2, "in the head and in the method")
        self.assertNotIn("Other programs", self.builds([*self.facts, self.header, *self.rows]))

    def test_who_was_lacking_is_no_peer(self):
        table = table_of(["# lacking,embree", *self.facts, self.header, *self.rows])
        self.assertNotIn("lacking", table.all.peer_versions)

    def test_no_text_of_the_csv_ends_the_data(self):
        way = "</script><!--<script>"
        text = self.builds([self.header, *(row.replace(",batch,", f",{way},") for row in self.rows)])
        self.assertTrue(any(way in mark.tip for mark in Page(text).all_marks()))

    def test_a_structure_unknown_so_far(self):
        text = self.builds([self.header, *(row.replace("nanoflann", "new_tree") for row in self.rows)])
        self.assertIn("new_tree", text)


class BadInputIsRefused(unittest.TestCase):
    def setUp(self):
        self.facts, self.header, self.rows = split(fixture_lines())
        self.first = len(self.facts) + 2

    def refused(self, content, *words):
        with tempfile.TemporaryDirectory() as folder:
            path, output = os.path.join(folder, "bad.csv"), os.path.join(folder, "report.html")
            with open(path, "wb") as file:
                file.write(content if isinstance(content, bytes) else "\n".join(content).encode())
            with open(output, "w", encoding="utf-8") as file:
                file.write("as it was")
            done = run(path, "--output", output)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("error: "), done.stderr)
            for word in words:
                self.assertIn(word, done.stderr)
            self.assertEqual(sorted(os.listdir(folder)), ["bad.csv", "report.html"])
            with open(output, encoding="utf-8") as file:
                self.assertEqual(file.read(), "as it was")

    def with_field(self, column, value):
        fields = self.rows[0].split(",")
        fields[measurements.COLUMNS.index(column)] = value
        return [*self.facts, self.header, ",".join(fields), *self.rows[1:]]

    def test_fields(self):
        for column, value in (
                ("median_ns", "nan"), ("median_ns", "inf"), ("median_ns", "-1"), ("median_ns", "0"),
                ("median_ns", ""), ("median_ns", "fast"), ("p99_ns", "NaN"), ("agents", "0"), ("agents", "1.5"),
                ("agents", ""), ("threads", "0"), ("dim", "4"), ("kind", "theirs"), ("work", "sleep"),
                ("right", "perhaps"), ("subject", ""), ("subject", "<b>"), ("scene", "a b"), ("bytes", "many")):
            with self.subTest(column=column, value=value):
                with self.assertRaises(measurements.Malformed) as refusal:
                    measurements.parse(self.with_field(column, value), "bad.csv")
                self.assertIn(f"bad.csv, line {self.first}, column {column}: ", str(refusal.exception))
        self.refused(self.with_field("median_ns", "nan"), f"line {self.first}", "column median_ns")

    def test_lines(self):
        facts, header, rows = self.facts, self.header, self.rows
        self.refused([*facts, header, rows[0] + ",1", *rows[1:]], f"line {self.first}", "19 fields", "column right")
        self.refused([*facts, header, rows[0].rsplit(",", 2)[0], *rows[1:]], f"line {self.first}", "16 fields",
                     "column runs")
        self.refused([*facts, header, rows[0], rows[0]], f"line {self.first + 1}", f"in line {self.first}")
        self.refused(["# machine", header, *rows], "line 1", "# name,value")

    def test_headers(self):
        facts, header, rows = self.facts, self.header, self.rows
        where = f"line {self.first - 1}"
        self.refused([*facts, header + ",mood", *rows], where, "column mood", "unknown")
        self.refused([*facts, header.replace("median_ns", "mean_ns"), *rows], where, "column mean_ns")
        self.refused([*facts, header.replace(",way", ""), *rows], where, "column way")

    def test_files(self):
        self.refused(b"", "no header")
        self.refused([self.header], "no measurement")
        self.refused(b"\xff\xfe\x00", "UTF-8")
        done = run("/nonexistent/shootout.csv")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1))

    def test_places_that_cannot_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            blocked = os.path.join(folder, "file")
            open(blocked, "w", encoding="utf-8").close()
            for arguments in (("--output", os.path.join(blocked, "report.html")), ("--output", folder),
                              ("--pictures", blocked)):
                done = run(FIXTURE, *arguments)
                self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)
                self.assertEqual(os.listdir(folder), ["file"])

    def test_a_full_disk(self):
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "report.html")
            done = subprocess.run([sys.executable, "-B", REPORT, FIXTURE, "--output", output], capture_output=True,
                                  text=True, preexec_fn=small_files)
            self.assertEqual((done.returncode, os.listdir(folder)), (2, []))
            self.assertTrue(done.stderr.startswith(f"error: cannot write {output}: "), done.stderr)

    def test_options(self):
        for arguments in (("--quick",), (), (FIXTURE, "--output"), (FIXTURE, "--output", "a", "--pictures", "b")):
            done = run(*arguments)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)


class CommittedPages(unittest.TestCase):
    """Pages beside the results that they were made from."""

    def setUp(self):
        self.pages = sorted(glob.glob(os.path.join(RESULTS, "*", "report.html")))
        self.assertTrue(self.pages)

    def test_are_small(self):
        for path in self.pages:
            self.assertLessEqual(os.path.getsize(path), MOST_BYTES, path)

    def test_are_what_the_program_makes_of_the_csv(self):
        # So that the limit holds for the page of today's program, too.
        for path in self.pages:
            with open(path, encoding="utf-8") as file:
                committed = file.read()
            made = page.html(derived.Table(measurements.read(os.path.join(os.path.dirname(path), "shootout.csv"))))
            anew = f"{path} is old: scripts/report --from, with the shootout.csv beside it, makes it anew"
            self.assertTrue(made == committed, anew)
            self.assertLessEqual(len(made.encode()), MOST_BYTES, path)


class PicturesStandAlone(unittest.TestCase):
    def test_are_svg_and_name_the_machine(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run(FIXTURE, "--pictures", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(os.listdir(folder)),
                             ["agents.svg", "frame.svg", "memory.svg", "packets.svg", "ratio.svg"])
            machine = table_of(fixture_lines()).all.machine
            for name in os.listdir(folder):
                tree = xml.parse(os.path.join(folder, name)).getroot()
                self.assertIn(machine, "".join(tree.itertext()))
                self.assertTrue(any(e.get("data-csv") for e in tree.iter()))


if __name__ == "__main__":
    unittest.main()
