"""scripts/report: what it measures and keeps, and what it refuses."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
REPORT = os.path.join(ROOT, "bench", "report")
FIXTURE = os.path.join(HERE, "fixture.csv")


class BadInputIsRefused(unittest.TestCase):
    def test_script(self):
        script = os.path.join(ROOT, "scripts", "report")
        for arguments in (("--from",), ("--from", FIXTURE, "--quick"), ("--csv", "x.csv"),
                          ("--from", "/nonexistent.csv"), ("--list", "--output", "/dev/null/report.html"),
                          ("--list", "--output", HERE), ("--list", "--pictures", FIXTURE)):
            done = subprocess.run([script, *arguments], capture_output=True, text=True, timeout=20)
            self.assertEqual((done.returncode, len(done.stderr.splitlines())), (2, 1), done.stderr)


class ScriptMeasures(unittest.TestCase):
    """scripts/report in a tree of its own, where nothing is built and the fixture stands for a measurement."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        shutil.copytree(os.path.join(ROOT, "scripts"), os.path.join(self.root, "scripts"))
        shutil.copytree(REPORT, os.path.join(self.root, "bench", "report"))
        self.build = os.path.join(self.root, "build", "release")
        for name in ("cmake", "apt-get", "g++", "sudo"):
            self.program(os.path.join(self.root, "bin", name), "[[ $1 == -dumpversion ]] && echo 12 || true")
        self.write(os.path.join(self.build, "build.ninja"), "")
        self.write(os.path.join(self.build, "CMakeCache.txt"), "THRONG_BUILD_BENCH:BOOL=ON\n")
        self.counts_calls(0)
        self.measures(f"while [[ $1 != --csv ]]; do shift; done; cp '{FIXTURE}' \"$2\"")

    def write(self, path, text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def program(self, path, text):
        self.write(path, f"#!/usr/bin/env bash\n{text}\n")
        os.chmod(path, 0o755)

    def measures(self, text):
        self.program(os.path.join(self.build, "bench", "shootout", "throng_shootout"), text)

    def counts_calls(self, status):
        self.program(os.path.join(self.build, "bench", "throng_single_calls"),
                     f"echo crowd,ours,2,uniform,single_any,,77,1,10,20,1,,5,5,5,4,,yes; exit {status}")

        self.program(os.path.join(self.build, "bench", "shootout", "throng_obstacle_contest"),
                     f"echo obstacles,ours,2,walls,obstacle_first,batch,78,1,10,9,,,5,5,5,5,,yes; exit {status}")

    def start(self, *arguments):
        path = os.path.join(self.root, "bin") + os.pathsep + os.environ["PATH"]
        return subprocess.Popen([os.path.join(self.root, "scripts", "report"), *arguments], text=True,
                                env={**os.environ, "PATH": path}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                start_new_session=True)

    def results(self):
        return sorted(name for _, _, files in os.walk(os.path.join(self.root, "bench", "results")) for name in files)

    def test_a_part_leaves_the_whole_as_it_is(self):
        for arguments, files in ((("--dims", "2"), ["report-part.html", "shootout-part.csv"]),
                                 ((), ["report-part.html", "report.html", "shootout-part.csv", "shootout.csv"])):
            with self.start(*arguments) as running:
                said = running.communicate(timeout=60)
            self.assertEqual(running.returncode, 0, said)
            self.assertEqual(self.results(), files)

    def calls_in(self, name):
        found = os.path.join(self.root, "bench", "results")
        folder = next(folder for folder, _, files in os.walk(found) if name in files)
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(",single_any,,77," in text, ",obstacle_first,batch,78," in text)
        return ",single_any,,77," in text

    def test_single_calls_follow_unless_a_part_is_asked_for(self):
        for arguments, name, calls in (((), "shootout.csv", True), (("--quick",), "shootout-part.csv", True),
                                       (("--dims", "2"), "shootout-part.csv", False)):
            with self.start(*arguments) as running:
                said = running.communicate(timeout=60)
            self.assertEqual((running.returncode, self.calls_in(name)), (0, calls), said)

    def test_single_calls_that_fail_leave_the_rest(self):
        self.counts_calls(1)
        with self.start() as running:
            said = running.communicate(timeout=60)
        self.assertNotEqual(running.returncode, 0)
        self.assertIn("throng_single_calls failed", said[1])
        self.assertIn("throng_obstacle_contest failed", said[1])
        self.assertEqual((self.results(), self.calls_in("shootout.csv")), (["report.html", "shootout.csv"], False))

    def test_a_page_that_fails_leaves_the_csv(self):
        self.write(os.path.join(self.root, "bench", "report", "page.py"), "raise OSError")
        with self.start() as running:
            running.communicate(timeout=60)
        self.assertNotEqual(running.returncode, 0)
        self.assertEqual(self.results(), ["shootout.csv"])

    def test_interrupted(self):
        # One process, which is there to be interrupted from the moment that the file is: a shell whose
        # command has just ended well does not take the signal for its own, and goes on to the next.
        self.measures('while [[ $1 != --csv ]]; do shift; done; : >"$2.part"; exec sleep 60')
        part = os.path.join(self.build, "shootout.csv.part")
        with self.start() as running:
            began = time.monotonic()
            while not os.path.exists(part) and time.monotonic() < began + 30:
                time.sleep(0.02)
            self.assertTrue(os.path.exists(part))
            os.killpg(running.pid, signal.SIGINT)
            running.communicate(timeout=60)
        self.assertEqual(running.returncode, 130)
        self.assertFalse(os.path.exists(part))
        self.assertEqual(self.results(), [])


if __name__ == "__main__":
    unittest.main()
