#!/usr/bin/env python3
"""Counts what a host has to know of throng.hpp: public types, and their public member functions.

count.py <folder with throng/> [<most types> <most functions> [<header besides throng.hpp> ...]] [--list]

Counted are the classes and enumerations of namespace throng, nested public ones too, in all that
the headers include; a template once, whatever it is made for. Namespaces detail and simd are inside.
Of functions those that are public and have a body of their own: neither defaulted nor deleted.
Fails where there are more than the most. Ends with 77 where there is no clang to ask.
"""

import json
import shutil
import subprocess
import sys

INSIDE = {"detail", "simd"}
FUNCTIONS = {"CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl"}

RECORDS = {"CXXRecordDecl", "ClassTemplatePartialSpecializationDecl"}


def namespaces(folder, headers=("throng.hpp",)):
    """What clang sees in each `namespace throng {}` of these headers."""
    clang = next((name for name in ("clang++-19", "clang++-14", "clang++") if shutil.which(name)), None)
    if clang is None:
        print("skipped: lacks clang")
        sys.exit(77)
    command = [clang, "-std=c++20", "-fsyntax-only", "-I", folder, "-x", "c++", "-", "-Xclang",
               "-ast-dump=json", "-Xclang", "-ast-dump-filter=throng"]
    includes = "".join(f"#include <throng/{header}>\n" for header in headers)
    text = subprocess.run(command, input=includes, capture_output=True, check=True, text=True).stdout
    decoder = json.JSONDecoder()
    at = 0
    while (at := text.find("{", at)) >= 0:
        node, at = decoder.raw_decode(text, at)
        if node["kind"] == "NamespaceDecl" and node["name"] == "throng":
            yield node


def counted_function(node):
    """The name of the function that a member is, and None if it is none that counts."""
    if node["kind"] == "FunctionTemplateDecl":
        node = next(inner for inner in node["inner"] if inner["kind"] in FUNCTIONS)
    if node["kind"] not in FUNCTIONS or node.get("isImplicit"):
        return None
    if node.get("explicitlyDefaulted") or node.get("explicitlyDeleted"):
        return None
    return node.get("name", "?")


class Counts:
    def __init__(self):
        self.types = {}  # and the functions of each

    def visit(self, scope, prefix):
        """All that is public in a namespace or class."""
        public = scope.get("tagUsed") != "class"
        for node in scope.get("inner", []):
            if node["kind"] == "AccessSpecDecl":
                public = node["access"] == "public"
            if not public:
                continue
            if node["kind"] == "NamespaceDecl":
                if node.get("name", "detail") not in INSIDE:
                    self.visit(node, prefix)
                continue
            if node["kind"] == "ClassTemplateDecl":
                node = next(inner for inner in node["inner"] if inner["kind"] == "CXXRecordDecl")
            if node["kind"] == "EnumDecl":
                self.types.setdefault(prefix + node.get("name", "?"), [])
            elif node["kind"] in RECORDS and not node.get("isImplicit"):
                if node.get("completeDefinition"):
                    name = prefix + node.get("name", "?")
                    self.types.setdefault(name, [])
                    self.visit(node, name + "::")
            elif prefix:
                function = counted_function(node)
                if function is not None:
                    self.types[prefix[:-2]].append(function)


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--list"]
    counts = Counts()
    for node in namespaces(arguments[0], ["throng.hpp", *arguments[3:]]):
        counts.visit(node, "")
    functions = sum(len(of) for of in counts.types.values())
    if "--list" in sys.argv:
        for name, of in sorted(counts.types.items()):
            print(f"{len(of):4} {name}: {' '.join(of)}")
    print(f"{len(counts.types)} public types, {functions} public member functions")
    if len(arguments) >= 3:
        most = [int(number) for number in arguments[1:3]]
        if len(counts.types) > most[0] or functions > most[1]:
            sys.exit(f"more than {most[0]} and {most[1]}")
        if len(counts.types) < 10 or functions < 100:
            sys.exit("hardly anything was seen")


if __name__ == "__main__":
    main()
