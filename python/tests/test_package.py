"""The package as users and type checkers see it, and the examples."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import pydoc
import subprocess
import sys
from typing import Any, Dict, Iterator, Set, Tuple

import numpy as np
from support import TestCase

import throng

PACKAGE = os.path.dirname(throng.__file__)
PYTHON = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def public_names() -> Iterator[Tuple[str, Any]]:
    """All public names of the package and of its classes."""
    for name in throng.__all__:
        thing = getattr(throng, name)
        yield name, thing
        if inspect.isclass(thing):
            for member in dir(thing):
                if not member.startswith("_"):
                    yield f"{name}.{member}", inspect.getattr_static(thing, member)


class Documented(TestCase):
    def test_every_public_name_has_a_docstring_and_types(self) -> None:
        looked_at = 0
        for name, thing in public_names():
            if isinstance(thing, (int, float, str, np.dtype)):
                continue
            if isinstance(thing, (staticmethod, classmethod)):
                thing = thing.__func__
            owner, _, member = name.partition(".")
            inherited = member and not any(
                member in vars(cls)
                for cls in getattr(throng, owner).__mro__
                if cls.__module__.startswith("throng")
            )
            if inherited or type(thing).__name__ in ("member_descriptor", "_tuplegetter"):
                continue # of the base of an exception or tuple; slots and fields have types
            looked_at += 1
            with self.subTest(name):
                self.assertTrue(pydoc.getdoc(thing).strip())
                function = thing.fget if isinstance(thing, property) else thing
                if inspect.isfunction(function):
                    self.assertIn("return", function.__annotations__)
                    for parameter in list(inspect.signature(function).parameters)[1:]:
                        self.assertIn(parameter, function.__annotations__)
        self.assertGreater(looked_at, 80)

    def test_keywords_of_tables_are_shown_and_others_refused(self) -> None:
        shown = inspect.signature(throng.Crowd.count).parameters
        self.assertEqual(list(shown), ["self", "shapes", "groups", "without", "sets", "out"])
        self.assertEqual(shown["groups"].default, throng.ALL_GROUPS)
        words = ["count()", "'colour'"]
        self.assert_refused(TypeError, words, throng.Crowd(dim=2).count, None, colour=1)

    def test_all_is_all(self) -> None:
        public = {name for name in vars(throng) if not name.startswith("_")}
        modules = {name for name in public if inspect.ismodule(getattr(throng, name))}
        self.assertEqual(public - modules, set(throng.__all__) - {"__version__"})

    def test_it_is_marked_as_typed(self) -> None:
        self.assertTrue(os.path.exists(os.path.join(PACKAGE, "py.typed")))


class Stubs(TestCase):
    """The stubs of the extension; the rest of the package has its types in its source."""

    def setUp(self) -> None:
        with open(os.path.join(PACKAGE, "_native.pyi"), encoding="utf-8") as file:
            self.stub = ast.parse(file.read())

    def classes(self) -> Dict[str, Dict[str, int]]:
        """The number of arguments of each method, inherited ones included."""
        found: Dict[str, Dict[str, int]] = {}
        for node in self.stub.body:
            if isinstance(node, ast.ClassDef):
                methods: Dict[str, int] = {}
                for base in node.bases:
                    assert isinstance(base, ast.Name)
                    methods.update(found[base.id])
                for method in node.body:
                    if isinstance(method, ast.FunctionDef):
                        methods[method.name] = len(method.args.posonlyargs + method.args.args)
                found[node.name] = methods
        return found

    def test_names_are_those_of_the_extension(self) -> None:
        declared: Set[str] = set()
        for node in self.stub.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                declared.add(node.name)
            elif isinstance(node, ast.AnnAssign):
                assert isinstance(node.target, ast.Name)
                declared.add(node.target.id)
        there = {name for name in dir(throng._native) if not name.startswith("__")}
        self.assertEqual({name for name in declared if not name.startswith("_")}, there)

    def test_methods_are_those_of_the_extension(self) -> None:
        compared = 0
        for name, methods in self.classes().items():
            if name.startswith("_"):
                continue
            native = getattr(throng._native, name)
            there = {member for member in dir(native) if not member.startswith("_")}
            self.assertEqual({m for m in methods if not m.startswith("_")}, there, name)
            for method, arguments in methods.items():
                # pybind11 writes the signature into the first line of the documentation.
                signature = getattr(native, method).__doc__.splitlines()[0]
                with self.subTest(signature):
                    inner = signature[signature.index("(") + 1 : signature.rindex(") ->")]
                    self.assertEqual(len(inner.split(", ")), arguments)
                    compared += 1
        self.assertGreater(compared, 80)

    def test_mypy_finds_nothing(self) -> None:
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("lacks mypy")
        sources = [
            os.path.join(PYTHON, "examples", "ckdtree.py"),
            os.path.join(PYTHON, "examples", "simulation.py"),
            os.path.join(PYTHON, "bench", "overhead.py"),
        ]
        folder = os.path.dirname(PACKAGE)
        checked = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, *sources],
            # An installed package is found without MYPYPATH.
            env=os.environ if "-packages" in PACKAGE else {**os.environ, "MYPYPATH": folder},
            capture_output=True,
            text=True,
        )
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)


class Examples(TestCase):
    def run_example(self, name: str, *arguments: str) -> str:
        command = [sys.executable, "-B", os.path.join(PYTHON, "examples", name), *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=100)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        return ran.stdout

    def test_ckdtree(self) -> None:
        said = self.run_example("ckdtree.py", "3000")
        if importlib.util.find_spec("scipy") is None:
            self.assertIn("not installed", said)
        else:
            self.assertIn("the same answers", said)

    def test_simulation(self) -> None:
        self.assertIn("pairs touch", self.run_example("simulation.py", "2000", "5"))
