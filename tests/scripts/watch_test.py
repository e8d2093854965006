"""What scripts/bench --watch says of counts of instructions, against a list of them."""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def watch(listed, counts):
    """(status, lines, what it complains)."""
    with tempfile.TemporaryDirectory() as folder:
        for name, numbers in (("list", listed), ("counts", counts)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write("# a comment\ncompiler\tGNU 12\n")
                file.write("".join(f"{path}\t{number}\n" for path, number in numbers.items()))
        done = subprocess.run(["awk", "-f", os.path.join(ROOT, "scripts", "watch_lines.awk"), "list", "counts"],
                              cwd=folder, capture_output=True, text=True)
    return done.returncode, [line.split() for line in done.stdout.split("\n")[1:-1]], done.stderr


class Watch(unittest.TestCase):
    def test_three_percent_more_are_too_many(self):
        listed = {"pairs/2d": 100000, "balls": 2000000000, "first": 1000}
        self.assertEqual(watch(listed, {**listed, "pairs/2d": 103000, "first": 500}),
                         (0, [["pairs/2d", "100000", "103000", "1.030"], ["balls", "2000000000", "2000000000", "1.000"],
                              ["first", "1000", "500", "0.500"]], ""))
        status, lines, said = watch(listed, {"pairs/2d": 103001, "balls": 2100000000, "first": 1000})
        self.assertEqual((status, len(lines)), (1, 3))
        self.assertEqual(said, "error: 3 % more instructions than listed: pairs/2d, balls\n")

    def test_a_path_that_only_one_of_them_has(self):
        status, lines, said = watch({"gone": 1, "a": 1}, {"a": 1, "new": 7})
        self.assertEqual((status, lines), (1, [["a", "1", "1", "1.000"], ["new", "7"]]))
        self.assertEqual(said, "error: not in the list, or only there: new, gone; --renew writes it anew\n")

    def test_an_option_that_there_is_not(self):
        done = subprocess.run([os.path.join(ROOT, "scripts", "bench"), "--watch", "--anew"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"\Aerror: --watch has no option --anew;[^\n]*\n\Z")


if __name__ == "__main__":
    unittest.main()
