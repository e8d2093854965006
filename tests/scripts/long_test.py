"""scripts/long goes on where its notes end, in a checkout whose tests only say what they were asked for, and are copied
when they should be built."""

import os
import shutil
import signal
import subprocess
import time
import unittest

from checkout import Checkout

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

TESTS = """#!/bin/bash
echo "${THRONG_SEEDS:-all} ${GTEST_SHARD_INDEX:-}" >>asked
for argument in "$@"; do
    if [[ $argument == "--gtest_filter=*Every/Sequences.*" ]]; then echo "[  PASSED  ] $(cat cases 2>/dev/null || echo 10) tests."; fi
done
sleep "$(cat time 2>/dev/null || echo 0)"
if [[ -f commits ]]; then bash commits; rm commits; fi
[[ ! -f bad || ${THRONG_SEEDS:-} != "$(cat bad)" ]]
"""
SOAK = """#!/bin/bash
echo "$*" >>asked
[[ ! -f bad ]]
"""
FUZZ = """#!/bin/bash
if [[ " $* " == *" -runs=0 "* ]]; then exit; fi
if [[ $0 == *_$(cat bad 2>/dev/null) ]]; then echo "crash"; exit 1; fi
grep -oE -- "-max_total_time=[0-9]+" <<<"$*" >>asked
echo "stat::number_of_executed_units: 1500000000"
echo "stat::average_exec_per_sec: 10"
"""
VALGRIND = """#!/bin/bash
for argument in "$@"; do
    if [[ $argument == build/* ]]; then
        basename "$argument" >>asked
        [[ ! -f bad || $argument != *_"$(cat bad)"_* ]] || exit 1
    fi
done
"""
LIBRARY = ("CMakeLists.txt", "throng.h", "throng.hpp", "cmake/file", "c/file", "distributed/file", "engine/file", "fused/file",
           "parallel/file", "simd/file")


class Long(Checkout):
    def setUp(self):
        super().setUp()
        self.program("tools/cmake", "#!/bin/bash\ncp -r tools/build .\n")
        for name in ("scripts/long", "scripts/lib.sh", "tests/fuzz/run"):
            self.write(name, "")
            shutil.copy(os.path.join(ROOT, name), self.path(name))
        self.program("tools/build/release/tests/throng_trust_tests", TESTS)
        self.program("tools/build/release/tests/throng_soak", SOAK)
        for name in LIBRARY:
            self.write(name, "")
        self.write("docs/figures/long_runs.tsv", "step\n")
        self.write(".gitignore", "/build/\n/tools/\n/asked\n/bad\n/cases\n/time\n/commits\n")
        self.git("init", "-q")
        self.commit()

    def git(self, *arguments):
        subprocess.run(["git", "-C", self.folder.name, "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True)

    def commit(self):
        self.git("add", ".")
        self.git("commit", "-q", "--allow-empty", "-m", "all")

    def environment(self, piece=1_000_000):
        return {**os.environ, "PATH": self.path("tools") + ":" + os.environ["PATH"], "CXX": "true", "CMAKE_PREFIX_PATH": "/",
                "THRONG_JOBS": "2", "THRONG_PIECE": str(piece)}

    def run_script(self, *arguments, piece=1_000_000):
        """(status, what the tests were asked for, what was said)."""
        if os.path.exists(self.path("asked")):
            os.remove(self.path("asked"))
        done = subprocess.run([self.path("scripts/long"), *arguments], capture_output=True, text=True, timeout=60,
                              env=self.environment(piece))
        asked = []
        if os.path.exists(self.path("asked")):
            with open(self.path("asked"), encoding="utf-8") as file:
                asked = sorted(file.read().splitlines())
        return done.returncode, asked, done.stdout + done.stderr

    def record(self):
        """{step: its sum} of this commit."""
        lines = self.run_script("--record")[2].splitlines()
        return {line.split()[0]: int(line.split()[1]) for line in lines}

    def notes(self):
        with open(self.path("docs/figures/long_runs.tsv"), encoding="utf-8") as file:
            return file.read().splitlines()[1:]

    def test_sequences_go_on_where_the_last_piece_ended(self):
        self.write("time", "1")
        status, asked, said = self.run_script("--seconds", "1", "sequences", piece=3_000_000)
        self.assertEqual((status, asked), (0, ["0:3000000 0", "0:3000000 1", "all "]), said)
        self.assertEqual(self.record(), {"histories": 1, "sequences": 6_000_000})
        self.assertTrue(os.path.exists(self.path("build/long/sequences.log")))
        # What is left is less than a piece.
        self.assertEqual(self.run_script("sequences", piece=3_000_000)[:2], (0, ["3000000:5000000 0", "3000000:5000000 1"]))
        self.assertEqual(self.record(), {"histories": 1, "sequences": 10_000_000})
        self.assertEqual(self.run_script("sequences")[:2], (0, []))

    def test_valgrind_goes_on_with_the_suite_that_failed(self):
        self.program("tools/valgrind", VALGRIND)
        self.write("bad", "crowd")
        asked = ["throng_crowd_tests", "throng_engine_tests", "throng_simd_tests"]
        self.assertEqual(self.run_script("valgrind")[:2], (1, asked))
        os.remove(self.path("bad"))
        asked = ["throng_c_tests", "throng_crowd_tests", "throng_family_tests", "throng_trust_tests"]
        self.assertEqual(self.run_script("valgrind")[:2], (0, asked))
        suites = ("simd", "engine", "crowd", "family", "trust", "c")
        self.assertEqual(self.record(), {"valgrind." + suite: 1 for suite in suites})

    def test_the_address_sanitizer_goes_on_with_the_part_that_failed(self):
        self.program("tools/clang++-19", "#!/bin/bash\n")
        self.program("scripts/test", '#!/bin/bash\necho $2 >>asked\n[[ ! -f bad || $2 != "$(cat bad)" ]]\n')
        self.commit()
        self.write("bad", "fuzz")
        self.assertEqual(self.run_script("asan")[:2], (1, ["asan", "fuzz"]))
        os.remove(self.path("bad"))
        self.assertEqual(self.run_script("asan")[:2], (0, ["asan-kernels", "fuzz"]))
        self.assertEqual(self.record(), {"asan.suite": 1, "asan.copies": 1, "asan.kernels": 1})

    def test_twenty_runs_of_the_thread_sanitizer_in_pieces(self):
        self.program("tools/clang++-19", "#!/bin/bash\n")
        self.program("scripts/test", "#!/bin/bash\necho $* >>asked\nsleep $(cat time)\n[[ ! -f bad ]]\n")
        self.write("time", "1")
        self.commit()
        self.assertEqual(self.run_script("--seconds", "1", "tsan")[:2], (0, ["--config tsan"]))
        self.write("bad", "")
        self.assertEqual(self.run_script("tsan")[:2], (1, ["--config tsan"]))
        os.remove(self.path("bad"))
        self.write("time", "0")
        self.assertEqual(self.run_script("tsan")[:2], (0, ["--config tsan"] * 19))
        self.assertEqual(self.record(), {"tsan": 20})
        self.assertEqual(self.run_script("tsan")[:2], (0, []))

    def test_determinism_goes_on_with_what_failed(self):
        for tool in ("clang++-14", "clang++-19", "aarch64-linux-gnu-g++", "qemu-aarch64"):
            self.program("tools/" + tool, "#!/bin/bash\n")
        self.program("tools/build/release/tests/throng_golden_tests", '#!/bin/bash\necho orders $THRONG_LONG >>asked\n')
        self.program("scripts/determinism", '#!/bin/bash\necho "$*" >>asked\n[[ ! -f bad || $* != "$(cat bad)" ]]\n')
        self.commit()
        asked = [f"--compiler {compiler} --level {level} --no-arm" for level in ("-O0", "-O2", "-O3")
                 for compiler in ("g++", "clang++-14", "clang++-19")] + [f"--arm --level {level}" for level in ("-O0", "-O2", "-O3")]
        self.write("bad", "--compiler clang++-14 --level -O0 --no-arm")
        status, first, said = self.run_script("determinism")
        self.assertEqual((status, first), (1, sorted([*asked, "orders 1"])), said)
        os.remove(self.path("bad"))
        self.assertEqual(self.run_script("determinism")[:2], (0, ["--compiler clang++-14 --level -O0 --no-arm"]))
        self.assertEqual(self.run_script("determinism")[:2], (0, []))
        self.assertEqual(list(self.record().values()), [1] * 13)

    def test_pieces_follow_each_other(self):
        _, asked, _ = self.run_script("sequences", piece=2_500_000)
        self.assertEqual(asked[:-1], ["0:2500000 0", "0:2500000 1", "2500000:5000000 0", "2500000:5000000 1"])

    def test_what_fails_is_not_noted(self):
        self.write("bad", "2500000:5000000")
        status, _, said = self.run_script("sequences", piece=2_500_000)
        self.assertEqual(status, 1, said)
        self.assertEqual(self.record()["sequences"], 5_000_000)
        for step in ("soak", "churn"):
            self.assertEqual(self.run_script(step)[0], 1)
        self.assertEqual(set(self.record()), {"histories", "sequences"})

    def test_sequences_that_no_test_played_are_not_noted(self):
        self.write("cases", "9")
        self.assertEqual(self.run_script("sequences", piece=5_000_000)[0], 1)
        self.assertEqual(self.record(), {"histories": 1})

    def test_another_library_begins_anew(self):
        self.run_script("churn")
        self.commit()
        for name in LIBRARY:
            self.assertEqual(self.record(), {"churn": 1})
            self.write(name, "changed")
            self.commit()
            self.assertEqual(self.record(), {}, name)
            self.run_script("churn")
            self.commit()
        self.run_script("sequences", piece=5_000_000)
        self.assertEqual(self.record(), {"churn": 1, "histories": 1, "sequences": 10_000_000})
        self.write(LIBRARY[-1], "changed again")
        self.commit()
        self.assertEqual(self.run_script("sequences", piece=5_000_000)[1][0], "0:5000000 0")

    def test_nothing_is_noted_of_what_is_not_committed(self):
        for name in (*LIBRARY, "tests/file", "scripts/lib.sh", "throng_new.h"):
            with open(self.path(name), "a", encoding="utf-8") as file:
                file.write("\n")
            status, asked, said = self.run_script("churn")
            self.assertEqual((status, asked), (0, ["churn 1e9"]), said)
            self.assertIn("nothing is noted", said)
            self.assertEqual(self.notes(), [], name)
            self.commit()
        self.write(LIBRARY[0], "changed")
        status, asked, said = self.run_script("sequences", piece=2_500_000)
        self.assertEqual((status, len(asked), self.notes()), (0, 5, []), said)

    def test_a_library_that_changes_meanwhile_is_not_noted(self):
        for change in ("echo changed >engine/file", "echo changed >engine/file; git add .; git -c user.name=a -c user.email=a@b commit -qm new"):
            self.write("commits", change)
            self.assertEqual(self.run_script("sequences", piece=5_000_000)[0], 1)
            self.assertEqual(self.notes(), [])
            self.write("engine/file", "as before")
            self.commit()

    def interrupt(self, step):
        """Interrupts the step once one of its programs has written to the file `pids`; which of these still run?"""
        with subprocess.Popen([self.path("scripts/long"), step], start_new_session=True, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=self.environment()) as running:
            pids = []
            while not pids and running.poll() is None:
                time.sleep(0.02)
                if os.path.exists(self.path("pids")):
                    with open(self.path("pids"), encoding="utf-8") as file:
                        pids = [int(line) for line in file]
            # To the scripts alone: programs in the background take no interrupt of a terminal.
            with open(f"/proc/{running.pid}/task/{running.pid}/children", encoding="utf-8") as file:
                scripts = [running.pid, *map(int, file.read().split())]
            for pid in scripts:
                os.kill(pid, signal.SIGINT)
            running.wait(timeout=20)
        self.assertTrue(pids)
        for _ in range(200):
            alive = [pid for pid in pids if os.path.exists(f"/proc/{pid}")]
            if not alive:
                break
            time.sleep(0.02)
        return alive

    def test_an_interrupt_leaves_no_sequence_running(self):
        self.program("tools/build/release/tests/throng_trust_tests",
                     "#!/bin/bash\n[[ -n ${THRONG_SEEDS:-} ]] || exit 0\necho $$ >>pids\nexec sleep 60\n")
        self.assertEqual(self.interrupt("sequences"), [])

    def test_an_interrupt_leaves_no_fuzzer_running(self):
        self.program("tools/clang++-19", "#!/bin/bash\n")
        self.write("tests/fuzz/corpus/edits/input", "")
        self.program("tools/build/fuzz/tests/throng_fuzz_edits", "#!/bin/bash\necho $$ >>pids\nexec sleep 60\n")
        self.assertEqual(self.interrupt("fuzz"), [])

    def test_pieces_of_a_soak_have_crowds_of_their_own(self):
        self.assertEqual(self.run_script("--seconds", "14000", "soak")[:2], (0, ["frames 14000 1"]))
        self.assertEqual(self.run_script("--seconds", "14000", "soak")[:2], (0, ["frames 400 2"]))
        self.assertEqual(self.record(), {"soak": 14_400})

    def test_executions_of_each_fuzzer_are_counted(self):
        names = ("edits", "grids", "trees")
        for name in names:
            self.write(f"tests/fuzz/corpus/{name}/input", "")
            self.program(f"tools/build/fuzz/tests/throng_fuzz_{name}", FUZZ)
        self.program("tools/clang++-19", "#!/bin/bash\n")
        self.commit()
        for _ in range(2):
            # 31 s for three fuzzers, two at a time.
            self.assertEqual(self.run_script("--seconds", "31", "fuzz")[:2], (0, ["-max_total_time=21"] * 3))
        self.assertEqual(self.record(), {"fuzz": 9_000_000_000, **{f"fuzz.{name}": 3_000_000_000 for name in names}})
        for name in names:
            self.write("bad", name)
            status, _, said = self.run_script("--seconds", "31", "fuzz")
            self.assertEqual(status, 1)
            self.assertIn(f"throng_fuzz_{name}", said)
            self.assertNotIn(name, " ".join(self.notes()[-2:]))

    def test_what_passed_is_noted_once(self):
        self.assertEqual(self.run_script("churn", "load")[:2], (0, ["churn 1e9", "load 1e7 1000"]))
        self.assertEqual(self.record(), {"churn": 1, "load": 1})


if __name__ == "__main__":
    unittest.main()
