"""scripts/mutants goes on where it was, in a checkout whose library is a line and whose compiler is `cp`."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Configuring writes the suite of tests: each wants a word of the library.
CMAKE = """#!/bin/bash
[[ $1 == --build ]] && exit
tree=$4
mkdir -p "$tree/tests"
touch "$tree/build.ninja"
cat >"$tree/tests/throng_engine_tests" <<'END'
#!/bin/bash
echo "${@: -1}" >>../../../../asked
for word in "one" "two" "three"; do
    if ! grep -q "$word" ../../engine/words.cpp; then
        echo "[  FAILED  ] Words.$word (0 ms)"
        exit 1
    fi
done
echo "[  PASSED  ] 1 test."
END
chmod +x "$tree/tests/throng_engine_tests"
"""


class Mutants(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("tools/cmake", CMAKE)
        os.chmod(self.path("tools/cmake"), 0o755)
        for name in ("mutants", "lib.sh"):
            self.write(f"scripts/{name}", "")
            shutil.copy(os.path.join(ROOT, "scripts", name), self.path(f"scripts/{name}"))
        for folder in ("c", "cmake", "distributed", "examples", "fused", "parallel", "simd"):
            self.write(f"{folder}/file", "")
        for name in ("CMakeLists.txt", "throng.h", "throng.hpp", "tests/words_test.cpp"):
            self.write(name, "Words\n")
        self.write(".gitignore", "/build/\n/tools/\n")
        self.write("engine/words.cpp", "one\ntwo\nthree\nfour\n")
        for line, word in enumerate(("one", "two", "three", "four"), 1):
            self.mutant(word, line)
        subprocess.run(["git", "init", "-q", self.folder.name], check=True)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def mutant(self, word, line, says="A word is lost."):
        self.write(f"tests/mutants/engine/no-{word}.patch",
                   f"{says}\n\nkilled by: engine Words*\n\n--- a/engine/words.cpp\n+++ b/engine/words.cpp\n"
                   f"@@ -{line} +{line} @@\n-{word}\n+\n")

    def run_script(self, *arguments):
        """(status, the mutants that were made, last line, what was said)."""
        done = subprocess.run(
            [self.path("scripts/mutants"), "--named", *arguments], capture_output=True, text=True, timeout=60,
            env={**os.environ, "PATH": self.path("tools") + ":" + os.environ["PATH"], "CXX": "true", "CMAKE_PREFIX_PATH": "/"})
        lines = done.stdout.splitlines() or [""]
        return done.returncode, [line.split()[0] for line in lines[:-1]], lines[-1], done.stderr

    def test_what_is_killed_is_not_made_again(self):
        status, made, last, _ = self.run_script("no-one", "no-two")
        self.assertEqual((status, made, last), (0, ["no-one", "no-two"], "2 of 2 killed"))
        status, made, last, said = self.run_script()
        self.assertEqual((status, made, last), (1, ["no-four", "no-three"], "3 of 4 killed"))
        self.assertIn("2 of 4 were killed before", said)
        self.assertEqual(self.run_script()[:3], (1, ["no-four"], "3 of 4 killed"))
        self.assertEqual(self.run_script("no-three")[:3], (0, [], "1 of 1 killed"))

    def test_a_run_that_ends_early_is_no_success(self):
        self.assertEqual(self.run_script("no-one")[0], 0)
        status, made, last, _ = self.run_script("--seconds", "0", "no-one", "no-two", "no-three")
        self.assertEqual((status, made, last), (1, [], "1 of 3 killed, 2 left"))
        self.assertEqual(self.run_script("--seconds", "60", "no-one", "no-two")[:3], (0, ["no-two"], "2 of 2 killed"))

    def test_notes_belong_to_one_state_of_the_library_and_to_one_patch(self):
        names = ["no-one", "no-two"]
        self.assertEqual(self.run_script(*names)[1], names)
        self.write("extra/new.md", "")
        self.write("tests/scripts/new_test.py", "")
        self.mutant("two", 2, "The second word is lost.")
        self.assertEqual(self.run_script(*names)[1], ["no-two"])
        for changed in ("parallel/new", "tests/words_test.cpp", "throng.h"):
            self.write(changed, "Words of another state\n")
            status, made, _, said = self.run_script(*names)
            self.assertEqual((status, made), (0, names))
            self.assertIn("all mutants are made again", said)

    def test_tests_must_pass_without_a_mutant_once(self):
        self.assertEqual(self.run_script("no-one")[0], 0)
        with open(self.path("build/asked"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 2)
        self.write("engine/words.cpp", "one\ntwo\nthre\nfour\n")
        status, made, _, said = self.run_script("no-one")
        self.assertEqual((status, made), (1, []))
        self.assertIn("error: without any mutant, engine: Words.three fails", said)


if __name__ == "__main__":
    unittest.main()
