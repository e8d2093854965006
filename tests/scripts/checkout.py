"""A checkout of made-up files, for tests of scripts that only these files decide."""

import os
import tempfile
import unittest


class Checkout(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def program(self, name, text):
        self.write(name, text)
        os.chmod(self.path(name), 0o755)
