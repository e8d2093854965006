"""What scripts/demo and the scripts after it ask of CMake, held with a CMake of the test's own that compiles nothing."""

import os
import re
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Keeps settings as CMake does, and makes a demo that says how it was called.
CMAKE = r"""#!/bin/bash
folder=${*: -1}
case $1 in
--build)
    printf '#!/bin/bash\necho "demo $*"\n' >"$2/demo/throng-demo"
    chmod +x "$2/demo/throng-demo"
    exit
    ;;
--preset)
    folder=$PWD/build/$2
    mkdir -p "$folder/demo"
    touch "$folder/build.ninja"
    echo "THRONG_ISAS:STRING=default" >"$folder/CMakeCache.txt"
    ;;
esac
for setting in "$@"; do
    [[ $setting == -D* ]] || continue
    setting=${setting#-D}
    sed -i "/^${setting%%=*}:/d" "$folder/CMakeCache.txt"
    echo "${setting%%=*}:STRING=${setting#*=}" >>"$folder/CMakeCache.txt"
done
"""


class Settings(unittest.TestCase):
    def setUp(self):
        checkout = tempfile.TemporaryDirectory()
        self.addCleanup(checkout.cleanup)
        self.folder = checkout.name
        for name in ("scripts", "demo"):
            os.symlink(os.path.join(ROOT, name), os.path.join(self.folder, name))
        os.mkdir(os.path.join(self.folder, "tools"))
        path = os.path.join(self.folder, "tools", "cmake")
        with open(path, "w", encoding="utf-8") as file:
            file.write(CMAKE)
        os.chmod(path, 0o755)

    def run_script(self, *command):
        # With these two nothing is looked for, and nothing installed.
        environment = {**os.environ, "CMAKE_PREFIX_PATH": self.folder, "CXX": "c++"}
        environment["PATH"] = os.path.join(self.folder, "tools") + ":" + environment["PATH"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              timeout=60, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def demo(self, *options):
        self.assertEqual(self.run_script("scripts/demo", *options), f"demo {' '.join(options)}\n")

    def prepare(self, part):
        self.run_script("bash", "-euc", f"source scripts/lib.sh; prepare release {part}")

    def setting(self, name):
        with open(os.path.join(self.folder, "build", "release", "CMakeCache.txt"), encoding="utf-8") as file:
            found = re.findall(f"^{name}:STRING=(.*)$", file.read(), re.MULTILINE)
        self.assertLessEqual(len(found), 1)
        return found[0] if found else None

    def test_a_demo_builds_for_its_own_machine_and_no_tests(self):
        self.demo("--agents", "100")
        self.assertEqual(self.setting("THRONG_ISAS"), "native")
        self.assertEqual(self.setting("THRONG_DEMO_PARTS"), "none")
        self.assertEqual(self.setting("THRONG_BUILD_TESTS"), "OFF")
        self.assertEqual(self.setting("THRONG_BUILD_DEMO"), "ON")

    def test_a_named_instruction_set_needs_the_default_ones(self):
        self.demo("--isa", "avx2")
        self.assertEqual(self.setting("THRONG_ISAS"), "default")

    def test_a_demo_of_one_set_is_built_for_others_when_they_are_named(self):
        self.demo("--agents", "100")
        self.demo("--isa", "avx2")
        self.assertEqual(self.setting("THRONG_ISAS"), "default")

    def test_tests_and_benchmarks_after_a_demo_are_of_the_default_sets(self):
        for part in ("TESTS", "BENCH"):
            self.demo("--agents", "100")
            self.prepare(part)
            self.assertEqual(self.setting("THRONG_ISAS"), "default")
            self.assertEqual(self.setting(f"THRONG_BUILD_{part}"), "ON")

    def test_benchmarks_after_tests_are_all_of_them(self):
        self.run_script("bash", "-euc", "source scripts/lib.sh; prepare release TESTS -DTHRONG_BUILD_BENCH=tests")
        self.prepare("BENCH")
        self.assertEqual(self.setting("THRONG_BUILD_BENCH"), "ON")

    def test_a_demo_after_tests_takes_what_they_built(self):
        self.prepare("TESTS")
        self.demo("--agents", "100")
        self.assertEqual(self.setting("THRONG_ISAS"), "default")
        self.assertEqual(self.setting("THRONG_BUILD_TESTS"), "ON")

    def test_sets_that_somebody_chose_stay(self):
        self.run_script("bash", "-euc", "source scripts/lib.sh; prepare release TESTS -DTHRONG_ISAS=avx2")
        self.demo("--isa", "avx2")
        self.prepare("BENCH")
        self.assertEqual(self.setting("THRONG_ISAS"), "avx2")

    def test_parts_are_built_when_they_are_asked_for_and_stay(self):
        self.demo("--structure", "crowd")
        self.assertEqual(self.setting("THRONG_DEMO_PARTS"), "none")
        self.demo("--ranks", "4")
        self.assertEqual(self.setting("THRONG_DEMO_PARTS"), "ranks")
        self.demo("--structure", "double_grid")
        self.assertEqual(self.setting("THRONG_DEMO_PARTS"), "ranks;family")
        self.demo("--agents", "100")
        self.assertEqual(self.setting("THRONG_DEMO_PARTS"), "ranks;family")


if __name__ == "__main__":
    unittest.main()
