"""Runs all tests, or those of the modules that are named: `run.py test_crowd`. Exits with 77 where NumPy, which throng
needs, is not installed."""

import os
import sys
import unittest

if __name__ == "__main__":
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("lacks numpy")
        sys.exit(77)
    folder = os.path.dirname(os.path.abspath(__file__))
    loader = unittest.defaultTestLoader
    names = sys.argv[1:]
    suite = loader.loadTestsFromNames(names) if names else loader.discover(folder)
    result = unittest.TextTestRunner(verbosity=1).run(suite)
    # scripts/test lists them.
    for test, reason in result.skipped:
        print(f"skipped: {test.id().replace(' ', '_')}: {reason}")
    # A run that finds no test has not passed.
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
