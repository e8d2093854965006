"""The table of scripts/bench --against holds what two programs measured, of which these only say that they did."""

import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCH = os.path.join(ROOT, "scripts", "bench")

# Each run takes the next of its times.
PROGRAM = r"""#!/usr/bin/env bash
filter= list=no
for argument in "$@"; do
    case $argument in
    --benchmark_list_tests) list=yes ;;
    --benchmark_filter=*) filter=${argument#*=} ;;
    esac
done
cd "$(dirname "$0")"
if [[ $list == yes ]]; then grep -E -- "$filter" names; exit 0; fi
name=$(grep -E -- "$filter" names)
count=$(cat count 2>/dev/null || echo 0)
echo $((count + 1)) >count
times=($(cat "times.${name//\//_}"))
echo "$(basename "$PWD") $name" >>../order
echo '{ "benchmarks": [ {'
echo "  \"name\": \"$name\","
echo '  "real_time": 1.0,'
time=${times[$((count % ${#times[@]}))]}
if [[ $time == wrong ]]; then echo '  "error_occurred": true,'; time=1; fi
echo "  \"cpu_time\": $time,"
echo '  "time_unit": "us"'
echo '} ] }'
"""


def against(old, new, *arguments):
    """(status, lines, what it complains, who ran in which order) for two programs, as {benchmark: times}."""
    with tempfile.TemporaryDirectory() as folder:
        programs = []
        for name, measured in (("old", old), ("new", new)):
            home = os.path.join(folder, name)
            os.mkdir(home)
            with open(os.path.join(home, "names"), "w", encoding="utf-8") as file:
                file.write("".join(benchmark + "\n" for benchmark in measured))
            for benchmark, times in measured.items():
                path = os.path.join(home, "times." + benchmark.replace("/", "_"))
                with open(path, "w", encoding="utf-8") as file:
                    file.write(" ".join(str(time) for time in times))
            programs.append(os.path.join(home, "program"))
            with open(programs[-1], "w", encoding="utf-8") as file:
                file.write(PROGRAM)
            os.chmod(programs[-1], 0o755)
        done = subprocess.run([BENCH, "--against", "--programs", *programs, *arguments], capture_output=True, text=True)
        ran = []
        if os.path.exists(os.path.join(folder, "order")):
            with open(os.path.join(folder, "order"), encoding="utf-8") as file:
                ran = file.read().split("\n")[:-1]
        return done.returncode, done.stdout.split("\n")[:-1], done.stderr, ran


def fields(line):
    return re.split(r" +", line)


class TheTable(unittest.TestCase):
    def test_medians_and_ratios_are_of_runs_that_followed_each_other(self):
        status, lines, said, ran = against({"a/2d": [10, 30, 20]}, {"a/2d": [5, 60, 21]}, "--rounds", "3")
        self.assertEqual((status, said), (0, ""))
        self.assertEqual(fields(lines[-2]), ["a/2d", "20000.0", "21000.0", "1.050", "0.500", "2.000"])
        self.assertEqual(lines[-1], "geometric mean of 1: 1.050; the worst: 1.050, a/2d")
        self.assertEqual(ran, ["old a/2d", "new a/2d", "new a/2d", "old a/2d", "old a/2d", "new a/2d"])

    def test_the_last_line_has_the_mean_of_all_and_the_worst(self):
        status, lines, _, _ = against({"a": [10], "b": [10], "c": [10]}, {"a": [20], "b": [40], "c": [10]}, "--rounds", "1")
        self.assertEqual(status, 0)
        self.assertEqual(lines[-1], "geometric mean of 3: 2.000; the worst: 4.000, b")

    def test_who_times_itself_is_believed(self):
        _, lines, _, _ = against({"a/manual_time": [10]}, {"a/manual_time": [20]}, "--rounds", "1")
        self.assertEqual(fields(lines[-2]), ["a/manual_time", "1000.0", "1000.0", "1.000", "1.000", "1.000"])

    def test_an_even_number_of_runs_has_a_median_between_two(self):
        _, lines, _, _ = against({"a": [10, 10]}, {"a": [10, 30]}, "--rounds", "2")
        self.assertEqual(fields(lines[-2]), ["a", "10000.0", "20000.0", "2.000", "1.000", "3.000"])

    def test_only_what_matches_and_both_have_is_measured(self):
        status, lines, said, _ = against({"a/2d": [10], "b/2d": [10], "gone/2d": [1]},
                                         {"a/2d": [10], "b/3d": [10], "c/2d": [10]}, "--rounds", "1", "/2d")
        self.assertEqual(status, 0)
        self.assertEqual(lines[-1], "geometric mean of 1: 1.000; the worst: 1.000, a/2d")
        self.assertIn("1 benchmarks are not in the other commit\n", said)
        self.assertIn("2 of the other commit are not here\n", said)

    def test_names_that_begin_alike_are_not_mixed_up(self):
        _, lines, _, _ = against({"a": [10], "a/b": [70], "a.b": [90]}, {"a": [10], "a/b": [35]}, "--rounds", "1")
        self.assertEqual(fields(lines[-2])[3], "0.500")


class Renamed(unittest.TestCase):
    def test_names_that_began_otherwise_are_pairs(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("table", "# old, new\nbefore/\tafter/\n"), ("old", "before/2d\nsame\nlost\n"),
                               ("new", "after/2d\nsame\nnew\n")):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)
            done = subprocess.run(["awk", "-v", "table=table", "-f", os.path.join(ROOT, "scripts", "against_pairs.awk"),
                                   "old", "new"], cwd=folder, capture_output=True, text=True,
                                  env={**os.environ, "filter": "."})
        self.assertEqual(done.stdout, "before/2d\tafter/2d\nsame\tsame\n")
        self.assertEqual(done.stderr, "1 benchmarks are not in the other commit\n1 of the other commit are not here\n")


class Refusals(unittest.TestCase):
    def refused(self, sentence, *arguments, programs=False):
        if programs:
            status, _, said, _ = against({"a": [10, "wrong"]}, {"a": [10]}, *arguments)
        else:
            done = subprocess.run([BENCH, "--against", *arguments], capture_output=True, text=True)
            status, said = done.returncode, done.stderr
        self.assertEqual(status, 1)
        self.assertEqual(said, f"error: {sentence}\n")

    def test_each_is_one_sentence(self):
        self.refused("--against needs a commit")
        self.refused("there is no commit no-such here", "no-such")
        self.refused("--rounds needs a whole number from 1 to 9999, and not 0", "HEAD", "--rounds", "0")
        self.refused("--seconds needs a number, and not soon", "HEAD", "--seconds", "soon")
        self.refused("--isa needs a value", "HEAD", "--isa")
        self.refused("there is no instruction set mmx; there are scalar, sse2, sse4.2, avx2, avx512 and neon",
                     "HEAD", "--isa", "mmx")
        self.refused("the filter is no regular expression: (", "HEAD", "(")
        self.refused("one filter is enough, and b is another", "HEAD", "a", "b")
        self.refused("there is no processor 100000", "HEAD", "--cpu", "100000")
        self.refused("--programs needs two programs", "--programs", "a")
        self.refused("no-such is no program", "--programs", "no-such", "no-such")

    def test_nothing_matches(self):
        self.refused("no benchmark that both have matches ^b", "^b", programs=True)

    def test_a_wrong_answer_is_no_time(self):
        self.refused("the older a gave no time, or a wrong answer", programs=True)


if __name__ == "__main__":
    unittest.main()
