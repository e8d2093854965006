"""The test of weight finds what is planted, and skips what it cannot see."""

import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import code_size  # noqa: E402
import weight  # noqa: E402

COMPILER = os.environ.get("CXX", "c++")


class Planted(unittest.TestCase):
    """A small project, and its table."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = os.path.join(scratch.name, "project")
        self.table = os.path.join(scratch.name, "table.tsv")
        self.write("engine/a.cpp", 1000)
        self.write("engine/b.cpp", 900)
        self.write(os.path.join("docs", "a.md"), 1000)
        self.write("build/engine/a.cpp", 5000)
        self.write(".git/engine/a.cpp", 5000)
        with open(self.table, "w", encoding="utf-8") as file:
            file.write("compiler\tGNU 12\n")
        self.run_weight("--update")

    def write(self, path, lines):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("line\n" * lines)

    def run_weight(self, *arguments):
        done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "weight.py"), "--root", self.root, "--table", self.table,
                               *arguments], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_what_is_as_it_was_passes(self):
        status, said = self.run_weight()
        self.assertEqual((status, said), (0, "5 numbers, 0 too large\n"))

    def test_three_in_a_hundred_may_be_added(self):
        self.write("engine/b.cpp", 957)
        self.assertEqual(self.run_weight()[0], 0)
        self.write("engine/b.cpp", 958)
        status, said = self.run_weight()
        self.assertEqual(status, 1)
        self.assertIn("lines, engine: 1958, 3.1 % above the table's 1900\n", said)
        self.run_weight("--update")
        self.assertEqual(self.run_weight()[0], 0)

    def test_a_longer_file_is_named(self):
        self.write("engine/b.cpp", 10)
        self.write("engine/a.cpp", 1100)
        self.assertIn("lines, the longest file of C++: 1100, 10.0 % above the table's 1000 (engine/a.cpp)\n", self.run_weight()[1])

    def test_files_in_one_folder_are_counted_whatever_they_are(self):
        self.write("engine/picture.png", 1)
        self.assertIn("files, the biggest folder: 3, 50.0 % above the table's 2 (engine)\n", self.run_weight()[1])

    def test_a_new_folder_has_to_be_in_the_table(self):
        self.write("more/a.cpp", 1000)
        self.assertIn("lines, more: 1000, which the table does not have\n", self.run_weight()[1])

    def test_a_folder_that_is_gone_has_to_leave_it(self):
        os.remove(os.path.join(self.root, "docs", "a.md"))
        self.assertIn("lines, docs: the table has it, and it is gone\n", self.run_weight()[1])

    def test_bad_input_is_one_sentence(self):
        self.assertEqual(self.run_weight("--build", "no-such")[0], 1)
        self.assertEqual(self.run_weight("--build", "no-such")[1].count("\n"), 1)
        self.assertEqual(self.run_weight("--no-such"), (1, "error: unrecognized arguments: --no-such\n"))
        with open(self.table, "w", encoding="utf-8") as file:
            file.write("lines engine many\n")
        self.assertEqual(self.run_weight(), (1, f"error: {self.table}, line 1: not what, name and number, with tabs between them\n"))


class TheCheck(unittest.TestCase):
    TABLE = {("bytes", "Avx2/locate"): 1000, ("bytes", "Avx512/locate"): 1000, ("bytes of all kernels", "Avx2"): 1000,
             ("public", "types"): 10}

    def check(self, found, missing=None):
        return weight.check(self.TABLE, {key: (number, "") for key, number in found.items()}, missing or {})

    def test_machine_code_that_grew_is_found(self):
        whole = {**self.TABLE, ("bytes", "Avx512/locate"): 1031}
        self.assertEqual(self.check(whole), (["bytes, Avx512/locate: 1031, 3.1 % above the table's 1000"], []))
        self.assertEqual(self.check({**self.TABLE, ("bytes", "Avx512/locate"): 1030}), ([], []))

    def test_a_new_kernel_is_found_and_one_that_is_gone(self):
        found = {("bytes", "Avx2/find"): 10, ("bytes", "Avx512/locate"): 1000, ("bytes of all kernels", "Avx2"): 1000,
                 ("public", "types"): 10}
        self.assertEqual(self.check(found)[0], ["bytes, Avx2/find: 10, which the table does not have",
                                                "bytes, Avx2/locate: the table has it, and it is gone"])

    def test_a_set_that_is_not_built_is_skipped_by_name(self):
        found = {key: number for key, number in self.TABLE.items() if "Avx512" not in key[1]}
        self.assertEqual(self.check(found), ([], ["skipped: bytes.Avx512: this build is without Avx512"]))
        self.assertEqual(self.check({**self.TABLE, ("bytes", "Sse2/locate"): 7}),
                         ([], ["skipped: bytes.Sse2: the table is without Sse2"]))

    def test_another_compiler_is_skipped_by_name(self):
        self.assertEqual(self.check({("public", "types"): 10}, {"bytes": "another compiler"}),
                         ([], ["skipped: bytes: another compiler"]))


class Functions(unittest.TestCase):
    """What the compiler makes of a source."""

    def objects(self, *texts):
        with tempfile.TemporaryDirectory() as folder:
            for at, text in enumerate(texts):
                path = os.path.join(folder, f"{at}.cpp")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                subprocess.run([COMPILER, "-O1", "-fno-ipa-icf", "-c", path, "-o", path + ".o"], check=True)
            return [code_size.Object(os.path.join(folder, f"{at}.cpp.o")) for at in range(len(texts))]

    def setUp(self):
        if not sys.platform.startswith("linux"):
            self.skipTest("objects of Linux")

    TWICE = "int twice(int x) { return x * 3 + 1; }\n"

    def test_bodies_alike_count_but_for_the_first(self):
        one = self.objects(self.TWICE)
        size = len(one[0].functions[0][1])
        self.assertGreater(size, 0)
        self.assertEqual(code_size.alike(one), 0)
        self.assertEqual(code_size.alike(self.objects(self.TWICE + self.TWICE.replace("twice", "again"))), size)
        self.assertEqual(code_size.alike(self.objects(self.TWICE, self.TWICE.replace("twice", "again"))), size)

    def test_the_same_name_in_two_files_is_one_function(self):
        self.assertEqual(code_size.alike(self.objects(self.TWICE, self.TWICE)), 0)

    def test_bodies_that_call_others_are_not_alike(self):
        calls = "int f(int); int g(int); int a(int x) { return f(x) + 1; } int b(int x) { return g(x) + 1; }"
        self.assertEqual(code_size.alike(self.objects(calls)), 0)
        self.assertGreater(code_size.alike(self.objects(calls.replace("g(x)", "f(x)"))), 0)

    def test_text_grows_with_a_function(self):
        small, large = self.objects(self.TWICE, self.TWICE + self.TWICE.replace("twice", "again"))
        self.assertGreater(large.text, small.text)


if __name__ == "__main__":
    unittest.main()
