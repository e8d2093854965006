"""Runs the tests inside Blender: blender --background --factory-startup --python-exit-code 1 --python main.py"""

import os
import sys
import sysconfig
import unittest
from pathlib import Path

here = Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(here), str(here.parent), os.environ["THRONG_PACKAGE"]]

suffix = sysconfig.get_config_var("EXT_SUFFIX")
if not Path(os.environ["THRONG_PACKAGE"], "throng", f"_native{suffix}").exists():
    print(f"skipped: lacks blender (its Python is {sys.version.split()[0]}, and the package is for another)")
    sys.exit(77)

import throng_points  # noqa: E402

throng_points.register()
tests = unittest.defaultTestLoader.discover(str(here), "test_*.py")
result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
