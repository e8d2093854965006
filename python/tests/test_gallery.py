"""The pictures of docs/gallery.md can be made, and are those that the page shows."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_SCRIPT = os.path.join(_ROOT, "python", "examples", "gallery.py")


class Gallery(unittest.TestCase):
    def setUp(self) -> None:
        with open(os.path.join(_ROOT, "docs", "gallery.md"), encoding="utf-8") as page:
            self.shown = re.findall(r"\(images/(python-[a-z]+\.png)\)", page.read())
        self.assertGreater(len(self.shown), 5)

    def test_the_page_shows_small_pictures(self) -> None:
        folder = os.path.join(_ROOT, "docs", "images")
        made = [name for name in os.listdir(folder) if name.startswith("python-")]
        self.assertEqual(sorted(made), sorted(self.shown))
        for name in self.shown:
            self.assertLessEqual(os.path.getsize(os.path.join(folder, name)), 60_000, name)

    def test_all_are_made(self) -> None:
        try:
            from throng import family # noqa: F401
        except ImportError as missing:
            self.skipTest(str(missing))
        if importlib.util.find_spec("matplotlib") is None:
            self.skipTest("lacks matplotlib")
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "MPLCONFIGDIR": folder}
            pictures = os.path.join(folder, "pictures")
            subprocess.run(
                [sys.executable, _SCRIPT, pictures],
                env=environment, check=True, timeout=120, stdout=subprocess.DEVNULL,
            )
            self.assertEqual(sorted(os.listdir(pictures)), sorted(self.shown))
            for name in self.shown:
                size = os.path.getsize(os.path.join(pictures, name))
                self.assertGreater(size, 5_000, name)
                self.assertLessEqual(size, 60_000, name)
            unknown = subprocess.run(
                [sys.executable, _SCRIPT, pictures, "nonsense"],
                env=environment, capture_output=True, text=True, timeout=60,
            )
            self.assertNotEqual(unknown.returncode, 0)
            self.assertIn("nonsense", unknown.stderr)
