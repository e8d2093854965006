"""The Python door: what the package says when it is asked as each row of the table says."""

from __future__ import annotations

import sys

try:
    import numpy  # noqa: F401
except ImportError:
    print("lacks numpy")
    sys.exit(77)

import things  # noqa: F401
import questions  # noqa: F401
import worlds  # noqa: F401
import throng
from yard import CASES


def said(name: str) -> str:
    """The sentence of the package's own exception. Others are named, so that no row can ask for one by mistake."""
    try:
        CASES[name]()
    except throng.Error as error:
        return str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "nothing is wrong"


if __name__ == "__main__":
    for each in CASES:
        print(each, said(each), sep="\t")
