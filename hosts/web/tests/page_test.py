#!/usr/bin/env python3
"""The page in headless Chromium: it runs from a disk, shows numbers, and comes to what native code comes to.

usage: page_test.py <page> [<picture>]

With `<picture>` it also shows a million agents for a while, and writes what the page looks like then. Ends with 77 where
Chromium or its driver is missing.
"""

import json
import os
import re
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "..", "tests", "report"))
import browser as browsers  # noqa: E402

PAGE = sys.argv[1] if len(sys.argv) > 1 else ""


def number(text):
    """The first number in a text, without commas."""
    return float(re.search(r"[\d,.]+", text).group().replace(",", ""))


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = browsers.Browser(browsers.found()).__enter__()
        cls.browser.resize(1100, 760)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__(None, None, None)

    def begin(self, agents):
        # A page that differs in what is behind # alone is not loaded anew.
        self.browser.run("location.href = 'about:blank'")
        self.browser.open(PAGE)
        self.browser.run(f"location.hash = 'agents={agents}'; location.reload()")
        self.wait("return window.page && document.getElementById('fps').textContent !== '…'")

    def wait(self, condition, seconds=120):
        end = time.monotonic() + seconds
        while not self.browser.run(condition):
            self.assertLess(time.monotonic(), end, f"never: {condition}")
            time.sleep(0.1)

    def text(self, name):
        return self.browser.run("return document.getElementById(arguments[0]).textContent", name)

    def slide(self, name, value):
        self.browser.run(
            "const slider = document.getElementById(arguments[0]); slider.value = arguments[1];"
            "slider.dispatchEvent(new Event('input')); slider.dispatchEvent(new Event('change'));", name, value)

    def test_it_comes_to_what_native_code_comes_to(self):
        self.begin(1000)
        with open(os.path.join(HERE, "golden.txt"), encoding="utf-8") as file:
            golden = [line.split() for line in file]
        for agents, steps, pairs, hashed in golden:
            got = self.browser.run("return page.run(arguments[0], arguments[1])", int(agents), int(steps))
            self.assertEqual(got, {"pairs": int(pairs), "hash": hashed})
        self.browser.run("document.getElementById('check').click()")
        self.assertRegex(self.text("checked"), "^Equal to the bit: .* 1,000, 10,000, 200,000 agents")

    def test_numbers_are_live(self):
        self.begin(20000)
        steps = self.browser.run("return page.steps")
        self.wait(f"return page.steps > {steps} + 20")
        self.assertEqual(number(self.text("agents-now")), 20000)
        self.assertEqual(number(self.text("in-view")), 20000)
        self.assertGreater(number(self.text("pair-count")), 1000)
        for name in ("fps", "update", "pairs", "move", "draw"):
            self.assertGreater(number(self.text(name)), 0, name)
        self.assertRegex(self.text("hash"), "^[0-9a-f]{16}$")

    def test_brushes_find(self):
        self.begin(20000)
        place = self.browser.run(
            "const box = document.getElementById('canvas').getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]")
        self.slide("speed", 0)  # the crowd stays as it is, and the brushes find the same
        self.browser.point_at(*place)
        found = {}
        for brush, name in enumerate(("box", "ball", "ray", "nearest")):
            self.browser.run(f"document.querySelector('[data-brush=\"{brush}\"]').click()")
            self.browser.point_at(place[0] + (90 if name == "ray" else 0), place[1])
            steps = self.browser.run("return page.steps")
            self.wait(f"return page.steps > {steps} + 20")
            found[name] = number(self.text("found"))
        # The ball is the largest in the box; of the nearest there are as many as the size says.
        self.assertGreater(found["box"], found["ball"])
        self.assertAlmostEqual(found["ball"] / found["box"], 0.785, delta=0.1)
        self.assertGreater(found["ray"], 3)
        self.assertEqual(found["nearest"], 24)

    def test_sliders_and_the_wheel(self):
        self.begin(2000)
        self.slide("agents", 4)
        self.wait("return document.getElementById('agents-now').textContent === '10,000'")
        pairs = number(self.text("pair-count"))
        self.slide("radius", 0.5)
        self.wait("return Number(document.getElementById('pair-count').textContent.replaceAll(',', ''))"
                  f" > {pairs} * 1.5")
        self.browser.run("document.getElementById('canvas').dispatchEvent(new WheelEvent('wheel', { deltaY: -1200 }))")
        self.wait("return Number(document.getElementById('in-view').textContent.replaceAll(',', '')) < 9000")

    def test_the_picture_has_the_crowd(self):
        self.begin(20000)
        shares = self.browser.run("""
            const canvas = document.getElementById('canvas');
            const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            const colours = new Set();
            let drawn = 0;
            for (let i = 0; i < data.length; i += 4) {
                if (data[i] !== 11 || data[i + 1] !== 15 || data[i + 2] !== 26) ++drawn;
                colours.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
            }
            return [drawn * 4 / data.length, colours.size];""")
        self.assertGreater(shares[0], 0.05)
        self.assertLess(shares[0], 0.8)
        self.assertGreater(shares[1], 100)

    def test_nothing_is_fetched_and_nothing_fails(self):
        self.begin(1000)
        self.assertEqual([entry["message"] for entry in self.browser.log("browser")], [])
        for entry in self.browser.log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.assertNotRegex(message["params"]["request"]["url"], "^(http|ws)s?:")


def picture(path):
    """What a million agents look like after some hundred steps."""
    with browsers.Browser(browsers.found()) as browser:
        browser.resize(1280, 800)
        browser.open(PAGE)
        end = time.monotonic() + 300
        while time.monotonic() < end and not browser.run("return (window.page?.steps ?? 0) > 150"):
            time.sleep(0.5)
        print(json.dumps(browser.run("return page.times")))
        browser.picture(path)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    if not browsers.found():
        print("skipped: lacks chromium (Debian: chromium chromium-driver)")
        raise SystemExit(77)
    if len(sys.argv) > 2:
        picture(sys.argv[2])
    else:
        unittest.main(argv=sys.argv[:1])
