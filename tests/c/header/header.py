"""What throng.h declares, for the generators of bindings: read by the rules of abi.py, and complete or refused."""

import os
import re

import abi

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


class Header:
    """Structures, handles, prototypes, callbacks, defaults and numbers, each by name and in the header's order."""

    def __init__(self):
        self.code = abi.code_of(os.path.join(ROOT, "throng.h"))
        self.structs = abi.structs_of(self.code)
        self.handles = [name for name in abi.handles_of(self.code) if name not in self.structs]
        self.defaults = abi.defaults_of(self.code)
        self.prototypes = abi.prototypes_of(self.code)
        self.callbacks = [name.split(" ")[1] for name in self.prototypes if name.startswith("callback ")]
        self.enums = {name: re.findall(r"\b(THRONG_\w+)\s*=\s*(\d+)", body)
                      for name, body in re.findall(r"enum (\w+) \{(.*?)\}", self.code, flags=re.S)}
        self.macros = dict(re.findall(r"^#define (THRONG_\w+) ((?:0x)?[0-9A-F]+u?)$", self.code, flags=re.M))
        self.braces = dict(re.findall(r"^#define (THRONG_\w+) (\{.*?\})$", self.code, flags=re.M))
        named = sorted(name for name, _ in sum(self.enums.values(), [])) + sorted(self.macros)
        if sorted(named) != sorted(abi.numbers_of(self.code)):
            raise SystemExit("not every number of throng.h was understood")

    def number(self, text):
        """What stands for a number, with names looked up."""
        return self.macros.get(text) or dict(sum(self.enums.values(), [])).get(text) or text


def version():
    """Which only simd/isa/version.hpp says."""
    with open(os.path.join(ROOT, "simd", "isa", "version.hpp"), encoding="utf-8") as file:
        numbers = dict(re.findall(r"define THRONG_VERSION_(MAJOR|MINOR|PATCH) (\d+)", file.read()))
    return ".".join(numbers[part] for part in ("MAJOR", "MINOR", "PATCH"))


def parts_of(text):
    """The parts between the outermost braces."""
    parts, depth = [""], 0
    for letter in text.strip()[1:-1]:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]
