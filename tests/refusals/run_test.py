"""run.py notices every way in which a door can differ from the table."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import unittest
from typing import List

import run

TABLE = """# a comment
@throng.h\tc rust
ball\ta ball of radius -1\t{ball|throng.h: shapes|python: balls}[1] is negative
null\tno positions\tpositions is a null pointer\tpython:absent
short\ttwo filters\tfilters is too short\tpython:ValueError
"""
GOOD = {
    "cpp": "ball\tball[1] is negative\nnull\tpositions is a null pointer\nshort\tfilters is too short\n",
    "c": "ball\tshapes[1] is negative\nnull\tpositions is a null pointer\nshort\tfilters is too short\n",
    "python": "ball\tballs[1] is negative\nshort\tValueError: two, not three\n",
}


class Run(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "table.tsv")
        self.write(TABLE)

    def write(self, table: str) -> None:
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(table)

    def faults(self, door: str, output: str) -> List[str]:
        return run.faults_of(door, output, run.read(self.path))

    def test_what_is_right_has_no_faults(self) -> None:
        for door, output in GOOD.items():
            self.assertEqual(self.faults(door, output), [])

    def test_other_sentences(self) -> None:
        for door, other in [("cpp", "ball[0]"), ("cpp", "shapes[1]"), ("c", "ball[1]"), ("python", "ball[1]")]:
            rest = GOOD[door].split("\n", 1)[1]
            faults = self.faults(door, f"ball\t{other} is negative\n{rest}")
            self.assertEqual(len(faults), 1)
            self.assertIn("should say", faults[0])

    def test_rows_that_are_not_asked_or_not_there(self) -> None:
        output = GOOD["cpp"]
        self.assertEqual(self.faults("cpp", output.rsplit("short")[0]), ["short: is not asked"])
        self.assertEqual(self.faults("cpp", output + "more\tis wrong\n"), ["more: is not in the table"])
        for line in ("ball\tball[1] is negative\n", "hello\n"):
            self.assertIn("comes twice", self.faults("cpp", output + line)[0])

    def test_exceptions(self) -> None:
        output = GOOD["python"]
        self.assertIn("cannot be asked", self.faults("python", output + "null\tpositions is a null pointer\n")[0])
        self.assertIn("should be a ValueError", self.faults("python", output.replace("ValueError: ", ""))[0])

    def test_tables(self) -> None:
        for line in ("ball\tagain\tball[1] is negative\n", "a name alone\n"):
            self.write(TABLE + line)
            with self.assertRaises(SystemExit):
                run.read(self.path)

    def said(self, code: int, output: str, ends: int = 0) -> str:
        """What run.py says of a program that says this, and ends so; it must end with `code` itself."""
        program = f"import sys; sys.stdout.write({output!r}); sys.exit({ends})"
        command = [sys.executable, "-B", run.__file__, "--table", self.path, "--door", "cpp"]
        done = subprocess.run(
            command + [sys.executable, "-c", program], capture_output=True, encoding="utf-8"
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def test_programs(self) -> None:
        self.assertIn("cpp: 3 refusals, 0 faults", self.said(0, GOOD["cpp"]))
        self.assertIn("should say", self.said(1, GOOD["c"]))
        self.assertIn("ended with 3", self.said(1, GOOD["cpp"], ends=3))
        self.assertIn("skipped: cpp: it lacks a tool", self.said(1, "it lacks a tool", ends=77))


if __name__ == "__main__":
    unittest.main()
