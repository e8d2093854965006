"""The compiler cache, as scripts set it up, returns no stale precompiled header."""

import os
import shutil
import subprocess
import sys
import unittest

from checkout import Checkout

SCRIPTS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "scripts")
# As CMake calls g++.
HEADER = "ccache g++ -I. -x c++-header -include pch.hpp -MD -MF pch.d -o pch.hpp.gch -c pch.cpp"
PROGRAM = "ccache g++ -I. -Werror=invalid-pch -include pch.hpp -MD -MF main.d -o main.o -c main.cpp && g++ main.o -o main"


class Cache(Checkout):
    def setUp(self):
        super().setUp()
        os.symlink(SCRIPTS, self.path("scripts"))
        self.write("pch.hpp", '#include "answer.hpp"\n')
        self.write("pch.cpp", "\n")
        self.write("main.cpp", "int main() { return answer; }\n")
        # The caller's variables would replace those of lib.sh.
        others = {name: value for name, value in os.environ.items() if not name.startswith("CCACHE_")}
        self.environment = {**others, "CCACHE_DIR": self.path("cache")}

    def built(self, answer):
        """The program's exit code, after its precompiled header, and then itself, are built over what is there."""
        self.write("answer.hpp", f"constexpr int answer = {answer};\n")
        subprocess.run(["bash", "-euc", f"source scripts/lib.sh; {HEADER}; {PROGRAM}"], cwd=self.path("."), check=True, timeout=60,
                       env=self.environment)
        return subprocess.run([self.path("main")], check=False).returncode

    # The third would be filed under the bytes of the first, as the second was.
    def test_what_replaced_a_header_once_does_not_come_back(self):
        self.assertEqual(self.built(1), 1)
        shutil.copy2(self.path("pch.hpp.gch"), self.path("first"))
        self.assertEqual(self.built(2), 2)
        shutil.copy2(self.path("first"), self.path("pch.hpp.gch"))
        self.assertEqual(self.built(3), 3)

    # Headers that were not cached could not be stale.
    def test_a_second_build_comes_from_the_cache(self):
        self.built(1)
        for name in ("pch.hpp.gch", "main.o"):
            os.remove(self.path(name))
        self.assertEqual(self.built(1), 1)
        said = subprocess.run(["ccache", "--print-stats"], check=True, capture_output=True, text=True, env=self.environment)
        self.assertIn("direct_cache_hit\t2\n", said.stdout)


if __name__ == "__main__":
    if not shutil.which("g++"):
        print("lacks g++")
        sys.exit(77)
    if subprocess.run(["bash", "-c", f"source {SCRIPTS}/lib.sh; [[ -n ${{CCACHE_DEPEND:-}} ]]"], check=False).returncode:
        print("lacks ccache (4.7 or newer)")
        sys.exit(77)
    unittest.main()
