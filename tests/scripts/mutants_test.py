"""scripts/mutants goes on where it was, in a checkout whose library is a line and whose compiler is `cp`."""

import os
import shutil
import subprocess
import unittest

from checkout import Checkout

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


class Mutants(Checkout):
    def setUp(self):
        super().setUp()
        self.program("tools/cmake", CMAKE)
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

    def test_only_files_with_the_named_tests_are_compiled_and_all_else_that_is_linked(self):
        self.write("tests/others_test.cpp", "Others\n")
        self.write("tests/help.cpp", "")
        tests = "tests/CMakeFiles/throng_engine_tests.dir"
        self.program("tools/ninja", f"""#!/bin/bash
if [[ " $* " == *" -t commands "* ]]; then
    echo "compile"
    echo ": && {self.path("tools/link")} {tests}/words_test.cpp.o {tests}/others_test.cpp.o {tests}/help.cpp.o" \\
        "tests/CMakeFiles/kernels.dir/k.cpp.o -o tests/throng_engine_tests libthrong.a /usr/lib/libtbb.a && :"
else
    echo "$*" >>"{self.path("built")}"
fi
""")
        self.program("tools/link", f"""#!/bin/bash
echo "$*" >>"{self.path("linked")}"
sed 's/^echo .*asked$/[[ $1 == --gtest_list_tests ]] \\&\\& echo "  one" \\&\\& exit/' tests/throng_engine_tests >tests/throng_engine_tests.named
chmod +x tests/throng_engine_tests.named
""")
        self.assertEqual(self.run_script("no-one")[:3], (0, ["no-one"], "1 of 1 killed"))
        for name, wanted in (("built", f"{tests}/words_test.cpp.o {tests}/help.cpp.o tests/CMakeFiles/kernels.dir/k.cpp.o libthrong.a"),
                             ("linked", f"{tests}/words_test.cpp.o {tests}/help.cpp.o tests/CMakeFiles/kernels.dir/k.cpp.o "
                                        "-o tests/throng_engine_tests.named libthrong.a /usr/lib/libtbb.a")):
            with open(self.path(name), encoding="utf-8") as file:
                lines = file.read().splitlines()
            # Without the mutant, and with it.
            self.assertEqual(len(lines), 2)
            for line in lines:
                self.assertTrue(line.endswith(wanted), line)

    def test_what_ran_no_test_killed_nothing(self):
        self.assertEqual(self.run_script("no-one")[0], 0)
        self.program("build/mutants/source/build/mutants/tests/throng_engine_tests", "#!/bin/bash\nexit 77\n")
        status, made, _, said = self.run_script("no-two")
        self.assertEqual((status, made), (1, []))
        self.assertIn("no test of engine ran", said)


if __name__ == "__main__":
    unittest.main()
