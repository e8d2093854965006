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

    def measures_variants(self, status=0):
        """The n-th run takes n times as long, and periodic lists 3 ns for every 2 of plain ones."""
        self.program(os.path.join(self.build, "bench", "throng_bench"), f"""
if [[ $1 == --machine ]]; then echo Made up; exit; fi
counter=$(dirname "$0")/count
count=$(($(cat "$counter" 2>/dev/null || echo 0) + 1))
echo $count >"$counter"
python3 - "$count" <<'END'
import json, sys
run = float(sys.argv[1])
times = {{"neighbours/2d/plain": 2, "neighbours/2d/periodic": 3, "half_lists/2d/plain": 1.5, "neighbours/3d/plain": 8}}
print(json.dumps({{"context": {{"machine": "Made up", "isa": "avx2", "date": "2026-01-02T03:04:05"}}, "benchmarks": [
    {{"name": f"worlds/{{name}}/manual_time", "run_type": "iteration", "real_time": run * time / 10, "time_unit": "ms"}}
    for name, time in times.items()]}}))
END
exit {status}""")
        # A goal is missed.
        self.program(os.path.join(self.build, "bench", "throng_ranks"),
                     "echo \"one rank: 3 ms, a plain grid 2 ms; one of 64 bricks: $2.0 ms, a plain grid of as many agents 10.0 ms\"; exit 1")

    def measure_variants(self):
        with self.start("--variants") as running:
            running.wait(timeout=60)
            return running.returncode, running.stderr.read()

    def test_variants_are_medians_of_five_runs(self):
        self.measures_variants()
        self.assertEqual(self.measure_variants()[0], 0)
        self.assertEqual(self.results(), ["variants.csv"])
        path = os.path.join(self.root, "bench", "results", "Made-up", "variants.csv")
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[1:4], [
            "Made up,avx2,2026-01-02,periodic,lists of all,2,100000,6.0000,9.0000,5",
            "Made up,avx2,2026-01-02,half-lists,half lists,2,100000,6.0000,4.5000,5",
            'Made up,avx2,2026-01-02,ranks,"3,125 agents a rank",2,3125,3200.0000,16000000.0000,5'])
        self.assertEqual(len(lines), 6)
        pictures = os.path.join(self.root, "pictures")
        with self.start("--from", path, "--pictures", pictures) as running:
            self.assertEqual(running.wait(timeout=60), 0)
        self.assertEqual(sorted(os.listdir(pictures)), ["half-lists.svg", "periodic.svg", "ranks.svg"])
        with open(os.path.join(pictures, "periodic.svg"), encoding="utf-8") as file:
            text = file.read()
        for words in ("a plain world", "lists of all, 2D: 9.0000 ns an agent, 6.0000 plain", 'data-at="2:ns"', "Made up, avx2, 2026-01-02"):
            self.assertIn(words, text)

    def test_variants_that_fail_leave_what_was_there(self):
        self.measures_variants(1)
        self.assertNotEqual(self.measure_variants()[0], 0)
        self.assertEqual(self.results(), [])
        self.measures_variants()
        self.program(os.path.join(self.build, "bench", "throng_ranks"), "exit 139")
        self.assertIn("a run of throng_ranks has no times", self.measure_variants()[1])
        self.assertEqual(self.results(), [])

    def test_what_is_no_variant_is_refused(self):
        path = os.path.join(self.root, "variants.csv")
        header = "machine,isa,date,chart,question,dim,agents,plain_ns,ns,runs"
        good = "a,b,c,periodic,lists,2,1,2.0,3.0,5"
        for lines, words in (([header], "no measurement"), ([header, good, "a,b,c,periodic,lists,2,1,0,3.0,5"], "line 3"),
                             ([header, "a,b,c,other,lists,2,1,2.0,3.0,5"], "line 2"), ([header, "a,b,c,periodic,lists,4,1,2.0,3.0,5"], "line 2"),
                             ([header, "a,b,c,periodic,lists,2,1,2.0,x,5"], "line 2"), ([header, "a,b"], "line 2")):
            self.write(path, "\n".join(lines) + "\n")
            with self.start("--from", path, "--pictures", self.root) as running:
                said = running.communicate(timeout=60)[1]
            self.assertEqual(running.returncode, 2)
            self.assertIn(words, said)
        self.write(path, f"{header}\n{good}\n")
        for arguments in (("--from", path), ("--variants", "--quick"), ("--variants", "--pictures", self.root),
                          ("--variants", "--from", path, "--pictures", self.root)):
            with self.start(*arguments) as running:
                said = running.communicate(timeout=60)[1]
            self.assertEqual((running.returncode, len(said.splitlines())), (2, 1), said)


if __name__ == "__main__":
    unittest.main()
