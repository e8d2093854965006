"""The page docs/hosts/hits.md is right: its blocks run, one after another."""

from __future__ import annotations

import importlib.util
import os
import re
import unittest
import warnings
from typing import Any, Dict, List

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class HitsPage(unittest.TestCase):
    def test_every_block_runs(self) -> None:
        with open(os.path.join(_ROOT, "docs", "hosts", "hits.md"), encoding="utf-8") as page:
            blocks = re.findall(r"```python\n(.*?)```", page.read(), re.DOTALL)
        self.assertGreater(len(blocks), 8)
        names: Dict[str, Any] = {}
        left_out: List[str] = []
        ran = 0
        for block in blocks:
            packages = re.findall(r"^import (numba|scipy|torch)", block, re.MULTILINE)
            missing = [name for name in packages if importlib.util.find_spec(name) is None]
            if missing:
                left_out += missing
                continue
            with warnings.catch_warnings(): # of the packages themselves
                warnings.simplefilter("ignore", DeprecationWarning)
                exec(compile(block, "docs/hosts/hits.md", "exec"), names)
            ran += 1
        self.assertGreater(ran, 5)
        if left_out:
            self.skipTest("lacks " + ", ".join(dict.fromkeys(left_out)))
