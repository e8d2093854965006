#!/usr/bin/env python3
"""Every public function that takes an Id has an overload for wider numbers that is deleted: see WiderThanId.

ids.py <folder with throng/> [<header>...]

Of throng.hpp and family.hpp, unless other headers are named. Ends with 77 where there is no clang to ask.
"""

import sys

from count import FUNCTIONS, INSIDE, RECORDS, namespaces

CALLS = FUNCTIONS | {"FunctionDecl"}


def functions(scope, prefix=""):
    """All public functions in a namespace or class, with their names."""
    public = scope.get("tagUsed") != "class"
    for node in scope.get("inner", []):
        if node["kind"] == "AccessSpecDecl":
            public = node["access"] == "public"
        if not public or (node["kind"] == "NamespaceDecl" and node.get("name", "detail") in INSIDE):
            continue
        if node["kind"] == "ClassTemplateDecl":
            node = next(inner for inner in node["inner"] if inner["kind"] == "CXXRecordDecl")
        if node["kind"] == "NamespaceDecl" or (node["kind"] in RECORDS and not node.get("isImplicit")):
            yield from functions(node, f"{prefix}{node.get('name', '?')}::")
        if node["kind"] == "FunctionTemplateDecl":
            node = next(inner for inner in node["inner"] if inner["kind"] in CALLS)
        if node["kind"] in CALLS:
            yield prefix + node.get("name", "?"), node


def main():
    headers = sys.argv[2:] or ["throng.hpp", "family.hpp"]
    taking, deleted = {}, {}
    for scope in namespaces(sys.argv[1], headers):
        for name, node in functions(scope):
            if node.get("explicitlyDeleted"):
                deleted[name] = deleted.get(name, 0) + 1
                continue
            types = [inner["type"]["qualType"] for inner in node.get("inner", [])
                     if inner["kind"] == "ParmVarDecl"]
            if any(of in ("Id", "throng::Id", "const Id", "const throng::Id") for of in types):
                taking[name] = taking.get(name, 0) + 1
    open_to_wider = [name for name, count in taking.items() if deleted.get(name, 0) < count]
    for name in sorted(open_to_wider):
        print(f"{name}: cuts numbers that are wider than an Id")
    print(f"{sum(taking.values())} functions take an Id")
    if open_to_wider:
        sys.exit(1)
    if not sys.argv[2:] and sum(taking.values()) < 30:
        sys.exit("hardly anything was seen")


if __name__ == "__main__":
    main()
