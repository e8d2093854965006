"""Scripts refuse what they do not know in one sentence, before they build or install anything."""

import os
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPTS = os.path.join(ROOT, "scripts")


def run(command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


class UnknownOptions(unittest.TestCase):
    def test_each_script_refuses_them_in_a_sentence(self):
        tried = 0
        for name in sorted(os.listdir(SCRIPTS)):
            path = os.path.join(SCRIPTS, name)
            if not os.access(path, os.X_OK):
                continue
            tried += 1
            with self.subTest(name):
                status, out, said = run([path, "--no-such-option"])
                self.assertIn(status, (1, 2))
                self.assertEqual(out, "")
                self.assertRegex(said, r"\Aerror: [^\n]*--no-such-option[^\n]*\n\Z")
        self.assertGreater(tried, 10)


class Packages(unittest.TestCase):
    """install_packages of scripts/lib.sh, with an apt-get of the test's own."""

    def install(self, apt, *packages, user=0):
        with tempfile.TemporaryDirectory() as folder:
            tools = {"apt-get": apt, "env": 'shift; exec "$@"', "sudo": 'echo "sudo: a password is required" >&2; exit 1'}
            for name, text in tools.items():
                if text is None:
                    continue
                path = os.path.join(folder, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(f"#!/bin/bash\n{text}\n")
                os.chmod(path, 0o755)
            for name in ("bash", "dirname", "grep", "tail", "nproc", "cat"):
                os.symlink(f"/bin/{name}" if os.path.exists(f"/bin/{name}") else f"/usr/bin/{name}", os.path.join(folder, name))
            # EUID cannot be set: root is whoever the script takes for it.
            library = os.path.join(folder, "lib.sh")
            with open(os.path.join(SCRIPTS, "lib.sh"), encoding="utf-8") as file:
                text = file.read().replace("EUID", "THRONG_USER")
            with open(library, "w", encoding="utf-8") as file:
                file.write(text)
            return run(["bash", "-euo", "pipefail", "-c", f"source {library}; install_packages {' '.join(packages)}"],
                       PATH=folder, THRONG_USER=str(user))

    def test_apt_get_that_can_is_all(self):
        self.assertEqual(self.install("echo much; exit 0", "a", "b"), (0, "", "installing: a b\n"))

    def test_no_network(self):
        apt = "echo 'W: old lists' >&2; echo 'E: Unable to fetch a' >&2; echo 'E: Maybe run apt-get update' >&2; exit 100"
        self.assertEqual(self.install(apt, "a"),
                         (1, "", "installing: a\nerror: cannot install a: apt-get says Unable to fetch a\n"))

    def test_neither_root_nor_sudo(self):
        self.assertEqual(self.install("exit 1", "a", user=1),
                         (1, "", "installing: a\nerror: cannot install a: apt-get says sudo: a password is required\n"))

    def test_another_system(self):
        self.assertEqual(self.install(None, "a", "b"), (1, "", "error: please install what Debian calls: a b\n"))


if __name__ == "__main__":
    unittest.main()
