"""The page as a reader sees it: opened in headless Chromium, pointed at, clicked and made narrow.

    browser_test.py [<folder for screenshots>]

Exits with 77 where there is no Chromium.
"""

import csv
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from urllib.parse import unquote

HERE = os.path.dirname(os.path.abspath(__file__))
REPORT = os.path.join(os.path.dirname(os.path.dirname(HERE)), "bench", "report")
sys.dont_write_bytecode = True
sys.path.insert(0, REPORT)

import browser  # noqa: E402
import derived  # noqa: E402
import drawing  # noqa: E402
import measurements  # noqa: E402
import packed  # noqa: E402
import page  # noqa: E402
import svg  # noqa: E402

FIXTURE = os.path.join(HERE, "fixture.csv")
CHARTS = ("sixty-2d-uniform", "frame-2d-uniform", "tail-2d-uniform", "update-2d-uniform", "scenes-frame-2d",
          "packets-box-2d-uniform", "sweep-2d-uniform", "scaling-frame-2d-uniform", "memory-2d-uniform", "calls-1000",
          "ratio-2d")
ARROW_RIGHT, TABULATOR, ESCAPE = "\ue014", "\ue004", "\ue00c"

MIDDLE = """
const mark = document.querySelector(arguments[0]);
mark.scrollIntoView({block: "center"});
const box = mark.getBoundingClientRect();
return [box.left + box.width / 2, box.top + box.height / 2];
"""
# The elements of a drawing in their order: [name, {attribute: value}, text].
ELEMENTS = """
return [...document.querySelectorAll(arguments[0])].map(e => [e.localName,
    Object.fromEntries([...e.attributes].map(({name, value}) => [name, value])),
    e.children.length ? "" : e.textContent]);"""
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
TIP = 'const tip = document.getElementById("tip"); return tip.hidden ? "" : tip.textContent;'


def fields_of_fixture():
    with open(FIXTURE, encoding="utf-8") as file:
        return [next(csv.reader([line])) for line in file.read().splitlines()]


def charts_of_fixture():
    """All charts of the page."""
    charts = []

    class Watched(packed.Packed):
        def add_chart(self, chart):
            charts.append(chart)
            super().add_chart(chart)
    usual, packed.Packed = packed.Packed, Watched
    try:
        page.html(derived.Table(measurements.read(FIXTURE)))
    finally:
        packed.Packed = usual
    return charts


class PageInTheBrowser(unittest.TestCase):
    pictures = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.page = os.path.join(cls.folder.name, "report.html")
        subprocess.run([sys.executable, "-B", REPORT, FIXTURE, "--output", cls.page], check=True,
                       stdout=subprocess.DEVNULL)
        cls.browser = browser.Browser(browser.found()).__enter__()
        cls.addClassCleanup(cls.browser.__exit__)
        cls.fields = fields_of_fixture()

    def setUp(self):
        self.browser.resize(1400, 1000)
        self.browser.prefer("light")
        self.browser.open(self.page)

    def tearDown(self):
        self.assertEqual([(entry["level"], entry["message"]) for entry in self.browser.log("browser")], [])

    def css(self, selector, name):
        return self.browser.run(
            "return getComputedStyle(document.querySelector(arguments[0])).getPropertyValue(arguments[1]);",
            selector, name)

    def middle_of(self, selector):
        """Of a mark or button on screen, after scrolling to it."""
        middle = self.browser.run(MIDDLE, selector)
        self.browser.settle()
        return middle

    def of_csv(self, selector):
        """What the CSV says where a mark claims to come from."""
        at = self.browser.run("return document.querySelector(arguments[0]).dataset.at;", selector)
        line, column = at.split(":")
        header = next(fields for fields in self.fields if fields[0] == "subject")
        return self.fields[int(line) - 1][header.index(column)]

    def test_asks_the_network_for_nothing(self):
        asked = [entry["message"] for entry in self.browser.log("performance")
                 if '"Network.requestWillBeSent"' in entry["message"]]
        self.assertTrue(any("report.html" in unquote(message) for message in asked))
        for message in asked:
            self.assertRegex(message, r'"url":"(file:///|data:|chrome://)')

    def test_charts_are_there_and_drawn(self):
        drawn = self.browser.run("""
            return [...document.querySelectorAll("figure.chart")].map(chart => [chart.id,
                chart.querySelectorAll("svg.wide .m[data-at]").length,
                chart.querySelectorAll("svg.narrow .m[data-at]").length,
                chart.querySelectorAll("svg > title").length, chart.querySelectorAll("table tbody tr").length]);""")
        self.assertLessEqual(set(CHARTS), {key for key, *_ in drawn})
        for key, wide, narrow, titles, rows in drawn:
            self.assertGreater(wide, 0, key)
            self.assertEqual(wide, narrow, key)
            self.assertEqual(titles, 2, key)
            self.assertGreater(rows, 0, key)
        for key in CHARTS:
            visible = self.browser.run(
                "return document.querySelector(arguments[0]).getBoundingClientRect().height;", f"#{key} svg.wide .m")
            self.assertGreater(visible, 0, key)

    def test_all_that_is_shown_is_what_the_csv_says(self):
        shown = self.browser.run("""
            return [...document.querySelectorAll("[data-at]")].map(e => [e.dataset.at, e.dataset.csv,
                e.getAttribute("aria-label") || e.title || e.firstChild.textContent]);""")
        header = next(fields for fields in self.fields if fields[0] == "subject")
        self.assertGreater(len(shown), 2000)
        for at, exact, words in shown:
            line, column = at.split(":")
            self.assertEqual(exact, self.fields[int(line) - 1][header.index(column)], at)
            self.assertIn(exact, words)

    def test_is_drawn_as_pictures_are(self):
        """drawing.js makes the elements that drawing.py writes, in the same places but for the rounding of the data."""
        charts = charts_of_fixture()
        self.assertLessEqual(set(CHARTS), {chart.key for chart in charts})
        for chart in charts:
            for size in (svg.WIDE, svg.NARROW):
                body = svg.titled(f"{chart.key}-{size.name}", chart.title, chart.about,
                                  drawing.write(chart, drawing.lay_out(chart, size)))
                written = xml.fromstring(f"<g>{body}</g>").iter()
                expected = [[e.tag, e.attrib, "" if len(e) else e.text or ""] for e in written]
                drawn = self.browser.run(ELEMENTS, f'figure[id="{chart.key}"] svg.{size.name} *')
                self.assert_same(drawn, expected[1:], f"{chart.key}, {size.name}")

    def assert_same(self, drawn, expected, where):
        self.assertEqual(len(drawn), len(expected), where)
        for (name, attributes, words), (tag, known, text) in zip(drawn, expected):
            attributes.pop("tabindex", None)  # page.js adds it
            self.assertEqual((name, words, set(attributes)), (tag, text, set(known)), where)
            for key, value in attributes.items():
                self.assertEqual(NUMBER.sub("#", value), NUMBER.sub("#", known[key]), where)
                for one, other in zip(NUMBER.findall(value), NUMBER.findall(known[key])):
                    near = 0 if key in ("aria-label", "data-at", "data-csv", "class", "id") else 0.15
                    self.assertAlmostEqual(float(one), float(other), delta=near, msg=f"{where}: {key} of {name}")

    def test_parts_that_scripts_fill_are_found_by_links(self):
        self.browser.open(self.page, "#near")
        self.browser.settle()
        top = self.browser.run('return document.getElementById("near").getBoundingClientRect().top;')
        self.assertTrue(0 <= top < 200, top)

    def test_pointing_at_a_mark_tells_the_number(self):
        for key in CHARTS:
            selector = f"#{key} svg.wide .m[data-at]"
            self.browser.point_at(*self.middle_of(selector))
            tip = self.browser.run(TIP)
            self.assertIn(self.of_csv(selector + ".at"), tip, key)
            self.assertEqual(tip, self.browser.run(
                "return document.querySelector(arguments[0]).getAttribute('aria-label');", selector + ".at"))
        self.browser.point_at(5, 500)
        self.assertEqual(self.browser.run(TIP), "")

    def test_every_mark_can_be_pointed_at(self):
        told = self.browser.run("""
            const chart = document.querySelector("#frame-2d-uniform svg.wide");
            chart.scrollIntoView({block: "center"});
            let wrong = 0;
            for (const mark of chart.querySelectorAll(".m[data-at]")) {
              mark.focus();
              if (!document.getElementById("tip").textContent.includes(mark.dataset.csv)) ++wrong;
            }
            return wrong;""")
        self.assertEqual(told, 0)

    def test_keys_go_from_mark_to_mark(self):
        # A pointer that rests on a mark tells of that one once the page has scrolled under it.
        self.browser.point_at(5, 500)
        self.browser.run('document.querySelector("#frame-2d-uniform .legend button:last-child").focus();'
                         'document.querySelector("#frame-2d-uniform svg.wide .m").focus();')
        self.browser.settle()
        first = self.browser.run(TIP)
        self.browser.press(ARROW_RIGHT)
        second = self.browser.run(TIP)
        self.assertIn(self.of_csv("#frame-2d-uniform svg.wide .m.at"), second)
        self.assertNotEqual(first, second)
        stops = self.browser.run(
            'return document.querySelectorAll("#frame-2d-uniform svg.wide .m[tabindex=\\"0\\"]").length;')
        self.assertEqual(stops, 1)
        self.browser.press(ESCAPE)
        self.assertEqual(self.browser.run(TIP), "")

    def test_legends_hide_and_show(self):
        line = '#frame-2d-uniform svg.wide .s[data-s="crowd"]'
        button = '#frame-2d-uniform [data-toggle="crowd"]'
        for display, pressed in (("none", "false"), ("inline", "true")):
            self.browser.click(*self.middle_of(button))
            self.assertEqual(self.css(line, "display"), display)
            self.assertEqual(self.browser.run(
                "return document.querySelector(arguments[0]).getAttribute('aria-pressed');", button), pressed)

    def test_panels_show_one_scene_at_a_time(self):
        for at, other in (("2d-uniform", "2d-mixed"), ("2d-mixed", "2d-uniform")):
            if at == "2d-mixed":
                self.browser.click(*self.middle_of('label[for="f-1"]'))
            height = "return document.querySelector(arguments[0]).getBoundingClientRect().height;"
            self.assertGreater(self.browser.run(height, f"#frame-{at}"), 100)
            self.assertEqual(self.browser.run(height, f"#frame-{other}"), 0)

    def test_light_and_dark(self):
        def brightness():
            parts = self.css("body", "background-color").strip("rgb()").split(",")
            return sum(map(int, parts)) / 3
        self.assertGreater(brightness(), 200)
        self.browser.prefer("dark")
        self.assertLess(brightness(), 60)
        dark_line = self.css("#frame-2d-uniform .c-crowd .line", "stroke")
        self.browser.click(*self.middle_of("#theme"))
        self.assertGreater(brightness(), 200)
        self.assertNotEqual(self.css("#frame-2d-uniform .c-crowd .line", "stroke"), dark_line)
        self.browser.click(*self.middle_of("#theme"))
        self.assertLess(brightness(), 60)
        self.browser.prefer("light")
        self.assertLess(brightness(), 60, "what was chosen counts more than what the system prefers")
        self.browser.run("localStorage.clear();")

    def test_fits_a_phone(self):
        self.browser.resize(360, 740, phone=True)
        self.browser.open(self.page)
        self.browser.run('document.querySelectorAll("details").forEach(part => { part.open = true; });')
        for index in range(0, 3):
            self.browser.run("document.querySelectorAll(`.panels > input:nth-of-type(${arguments[0] + 1})`)"
                             ".forEach(input => { input.checked = true; });", index)
            width = self.browser.run("return document.documentElement.scrollWidth;")
            self.assertLessEqual(width, 360)
        self.assertEqual(self.css("#ratio-2d svg.wide", "display"), "none")
        small = self.browser.run("""
            return [...document.querySelectorAll("#ratio-2d svg.narrow text")].map(text =>
                parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)
                .filter(size => size < 9).length;""")
        self.assertEqual(small, 0)

    def test_looks(self):
        """Screenshots for people; the test only checks that they are not blank."""
        if not self.pictures:
            self.skipTest("no folder for pictures was named")
        os.makedirs(self.pictures, exist_ok=True)
        for name, width, phone, scheme in (("wide", 1400, False, "light"), ("narrow", 390, True, "dark")):
            self.browser.resize(width, 1000, phone)
            self.browser.prefer(scheme)
            self.browser.open(self.page)
            path = os.path.join(self.pictures, f"report-{name}-{scheme}.png")
            self.browser.picture(path)
            self.assertGreater(os.path.getsize(path), 100_000)


if __name__ == "__main__":
    if not browser.found():
        print("skipped: lacks chromium (Debian: chromium chromium-driver)")
        sys.exit(77)
    if len(sys.argv) > 1:
        PageInTheBrowser.pictures = sys.argv.pop(1)
    unittest.main()
