#!/usr/bin/env python3
"""Makes docs/reference.md from the comments of the headers that throng.hpp and jobs.hpp include.

reference.py                 writes the page
reference.py --check         fails, and says what to run, if the page is not what it would write, or a comment names a
                             member that is not there
reference.py --root <folder> ...    of another checkout

The order of the page is the table SECTIONS here. A header that these include and that the table does not have is
refused, and so is a declaration that headers.py does not understand: nothing is left out unseen.
"""

import argparse
import os
import re
import sys

import page
import text
from headers import Header, Refused

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PAGE = "docs/reference.md"
# What these include is on the page.
DOORS = ["throng.hpp", "jobs.hpp", "engine/memory/capped_memory.hpp"]

# A title is for headers that have functions and names, but no class.
SECTIONS = [
    ("A crowd", ["engine/crowd/crowd.hpp", "engine/crowd/sets.hpp"]),
    ("What a crowd is given", [
        "engine/agents/agents.hpp", "engine/agents/view.hpp", "engine/agents/point.hpp", ("engine/core/id.hpp", "Ids"),
        "engine/agents/handles.hpp", "engine/agents/names.hpp", "engine/agents/edit.hpp",
        "engine/agents/world_agents.hpp"]),
    ("What a call answers", [
        "engine/core/status.hpp", "engine/agents/found.hpp", "engine/agents/filter.hpp", "engine/agents/nearest.hpp",
        ("engine/answers/visitors.hpp", "Visitors"), ("engine/answers/predicate.hpp", "Conditions of your own"),
        "engine/crowd/images.hpp"]),
    ("Batches", ["parallel/batch/batch.hpp", "parallel/batch/asked.hpp"]),
    ("Shapes", [
        ("engine/shapes/shapes.hpp", "What is a shape"), "engine/shapes/shapes_view.hpp", "engine/agents/box.hpp",
        "engine/shapes/ball.hpp", "engine/shapes/sector.hpp", "engine/shapes/segment.hpp", "engine/shapes/ray.hpp",
        "engine/shapes/capsule.hpp", "engine/shapes/convex.hpp", "engine/shapes/oriented_box.hpp",
        "engine/shapes/cylinder.hpp", "engine/shapes/with_body.hpp", "simd/views/body.hpp",
        ("engine/agents/body.hpp", "Distances to bodies"), ("engine/shapes/direction.hpp", "Directions")]),
    ("Obstacles in the world", [
        "engine/obstacles/obstacles.hpp", "engine/obstacles/obstacle_shapes.hpp", "engine/obstacles/moving.hpp"]),
    ("Sight past obstacles", ["parallel/sight/in_sight.hpp"]),
    ("From frame to frame", ["parallel/frames/contacts.hpp", "parallel/frames/lasting_neighbours.hpp"]),
    ("The grid", [
        "engine/grid/row_grid.hpp", "engine/agents/grid_shape.hpp", "engine/grid/named_grid.hpp"]),
    ("Readers during updates", ["engine/crowd/published_crowd.hpp", "engine/crowd/snapshots.hpp"]),
    ("Executors", [
        "engine/core/executor.hpp", ("parallel/executors/default_executor.hpp", "The default"),
        "parallel/executors/thread_pool.hpp"]),
    ("For a job system of your own", [
        "parallel/executors/callback_executor.hpp", "engine/grid/grid_parts.hpp", "engine/agents/buffers.hpp",
        "engine/grid/change.hpp", ("engine/crowd/crowd_change.hpp", "Changes of a crowd")]),
    ("Memory", ["engine/memory/memory_source.hpp", "engine/memory/capped_memory.hpp", "engine/memory/memory_use.hpp"]),
    ("Files", [
        ("engine/archive/freezable.hpp", "Saving and loading"), ("engine/frozen/frozen.hpp", "What can be saved"),
        "engine/core/progress.hpp"]),
    ("The rest", [
        ("engine/core/limits.hpp", "Limits"), ("engine/agents/validation.hpp", "Checks"),
        ("engine/agents/reorder.hpp", "Sorting your arrays"), "engine/core/function_ref.hpp",
        ("engine/core/assert.hpp", "Assertions")]),
]
# These have macros and namespaces of the library's own.
SILENT = {
    "throng.hpp", "jobs.hpp", "engine/core/state_pointer.hpp", "engine/crowd/snapshot_core.hpp", "engine/shapes/box_facts.hpp",
    "engine/shapes/ray_test.hpp", "engine/shapes/shape_facts.hpp", "simd/isa/compiler.hpp", "simd/isa/export.hpp",
    "simd/isa/names_begin.hpp", "simd/isa/names_end.hpp", "simd/isa/same_library.hpp", "simd/isa/slack.hpp",
    "simd/isa/version.hpp", "simd/views/shape_blocks.hpp"}

INTRODUCTION = """\
# The C++ reference

Every public type and call of `throng.hpp`, of `jobs.hpp`, which is for job systems, and of
`engine/memory/capped_memory.hpp`, with the comments of the headers. [features.md](features.md) says which
page explains what, and [tutorial.md](tutorial.md) shows how to begin. `scripts/reference` makes this page: to change
it, change a comment in a header, and run the script.

**How to read an answer.** Calls that can be refused return a [`Status`](#status) or a [`Found`](#found). `ok()` is
true when the call has done its work. Otherwise the index is as it was, and answers must not be read: `status.cause`
says what is wrong, `status.argument` and `status.index` say where, and `to_string(status)` makes a sentence of them. A
`Found` has a `count` beside its `status`: how many answers there are, even where the caller's array is too short for
all of them.

**How to read a line.** A type behind an arrow is what the call answers. `std::` and the dimension are left out:
`Crowd` is `Crowd<2>` or `Crowd<3>`. An argument in brackets, `[Executor& executor]`, may be left out, and then the
calling thread does the work. A call with `const` at its end changes nothing. What a call **refuses**, and what it
demands, is in bold. Of a long comment on a type only the first paragraph is here; its header has the rest. Calls that
copy or move an object, comparisons, and overloads that only keep a wider number from being cut are not listed.
"""


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def listed(root):
    """The public headers, in CMake's list."""
    lists = re.findall(r"(?:set\(|list\(APPEND )THRONG_PUBLIC_HEADERS\s([^)]*)\)", read(root, "cmake/headers.cmake"))
    found = [path for paths in lists for path in paths.split()]
    if not found:
        raise Refused("cmake/headers.cmake has no THRONG_PUBLIC_HEADERS")
    return found


def included(root, known):
    """The headers that the doors include, each behind those that it includes itself."""
    found = {}

    def visit(path):
        if path in found:
            return
        if path not in known:
            raise Refused(f"{door} includes {path}, which cmake/headers.cmake does not have")
        content = found[path] = read(root, path)
        for name in re.findall(r'^#\s*include "([^"]*)"', content, re.MULTILINE):
            visit(os.path.normpath(os.path.join(os.path.dirname(path), name)))
        found[path] = found.pop(path)

    for door in DOORS:
        visit(door)
    return found


def types_of(header):
    """Types with their headings and comments; the one that the file is named after comes first."""
    forward = {item.name: item.comment for item in header.items if item.kind == "forward"}
    types = []
    for item in header.items:
        if item.kind in ("type", "enum"):
            # ObstacleArrays<2>, but FunctionRef for every signature.
            heading = f"{item.name}<{item.special}>" if item.special.isdigit() else item.name
            types.append((item, heading, item.comment or forward.get(item.name, [])))
    stem = os.path.basename(header.path).removesuffix(".hpp").replace("_", "")
    return sorted(types, key=lambda of: of[0].name.lower() != stem)


def paths(entries):
    return [entry if isinstance(entry, str) else entry[0] for entry in entries]


def check_places(headers):
    """Every header is in one of the tables, as what it is."""
    titles = dict((entry, None) if isinstance(entry, str) else entry for _, entries in SECTIONS for entry in entries)
    for path, header in headers.items():
        shown = [item for item in header.items if page.is_shown(item, None)]
        if path in SILENT and shown:
            raise Refused(f"{path}:{shown[0].line}: {shown[0].name} has no place on the page: move the header from "
                          "SILENT to SECTIONS in tests/reference/reference.py")
        if path not in SILENT and path not in titles:
            raise Refused(f"{path} has no place on the page: add it to SECTIONS in tests/reference/reference.py")
        if path in titles and bool(titles[path]) == bool(types_of(header)):
            raise Refused(f"{path} needs a title in tests/reference/reference.py if it has no type, and else none")
    for path in titles.keys() | SILENT:
        if path not in headers:
            raise Refused(f"tests/reference/reference.py has {path}, which no door includes")
    return titles


def add_contents(out, headers, titles):
    """The list at the top; and where each name is explained."""
    taken = {}
    for section, entries in SECTIONS:
        shown = []
        for path in paths(entries):
            names = [heading for _, heading, _ in types_of(headers[path])] or [titles[path]]
            for item in headers[path].items:
                if item.kind in ("type", "enum", "alias"):
                    out.places[item.name] = "#" + page.anchor(item.name if item.name in names else names[0])
            shown += names
        for heading in [section] + shown:
            if page.anchor(heading) in taken:
                raise Refused(f"two headings are alike: {heading}, {taken[page.anchor(heading)]}")
            taken[page.anchor(heading)] = heading
        out.lines += text.wrapped(f"- [{section}](#{page.anchor(section)}): "
                                  + ", ".join(f"[{name}](#{page.anchor(name)})" for name in shown), "  ", "")


def stale_names(headers):
    """Sentences about comments that name a member which is not there, such as Crowd::ask()."""
    members, comments = {}, []

    def visit(header, item):
        comments.append((f"{header.path}:{item.line}", " ".join(item.comment)))
        if item.kind in ("type", "enum"):
            members.setdefault(item.name, set()).update(member.name for member in item.members)
        for member in item.members:
            visit(header, member)

    for header in headers:
        for item in header.items:
            visit(header, item)
    return [f"{where}: the comment names {owner}::{name}, and {owner} has no such member" for where, comment in comments
            for owner, name in re.findall(r"\b([A-Z]\w*)::(\w+)", comment) if name not in members.get(owner, {name})]


def made(root):
    """The page, and what is wrong with the comments on it."""
    known = listed(root)
    macros = {}
    headers = {path: Header(path, content, macros) for path, content in included(root, known).items()}
    others = [Header(path, read(root, path), macros) for path in known if path.endswith(".hpp") and path not in headers]
    titles = check_places(headers)
    out = page.Page()
    for header in others:
        out.places.update({item.name: f"../{header.path}" for item in header.items if item.kind in ("type", "enum")})
    out.lines = [INTRODUCTION]
    add_contents(out, headers, titles)
    for section, entries in SECTIONS:
        out.lines += ["", f"## {section}", ""]
        for path in paths(entries):
            header = headers[path]
            rest = [item for item in header.items if item.kind not in ("type", "enum") and page.is_shown(item, None)]
            out.header(path, titles[path], types_of(header), rest, header.first)
    out.lines += ["## Headers of their own", "",
                  "No header above includes these: a program that needs one includes it.", "",
                  "| header | |", "|---|---|"]
    out.lines += [f"| [{header.path}](../{header.path}) | {text.cell([header.first])} |" for header in others]
    content = re.sub(r"\n{3,}", "\n\n", "\n".join(out.lines)).rstrip() + "\n"
    return content, stale_names([*headers.values(), *others])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", default=ROOT)
    arguments = parser.parse_args()
    content, stale = made(arguments.root)
    path = os.path.join(arguments.root, PAGE)
    for sentence in stale:
        print(sentence)
    if not arguments.check:
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
    elif not os.path.exists(path) or read(arguments.root, PAGE) != content:
        sys.exit(f"error: {PAGE} is not what the headers say: run scripts/reference")
    elif stale:
        sys.exit("error: mend these comments, and run scripts/reference")


if __name__ == "__main__":
    try:
        main()
    except (Refused, OSError) as reason:
        sys.exit(f"error: {reason}")
