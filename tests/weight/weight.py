#!/usr/bin/env python3
"""What the project weighs, against a table: machine code of kernels, public names, files and lines.

weight.py [--build <folder>] [--table <file>] [--root <folder>]     what is more than 3 % above the table is named, and fails
weight.py --print ...     prints what there is, and how long each file took to compile
weight.py --update ...    writes the table anew; what this build does not have stays as it was

The machine code is that of one compiler, which the table names; with another it is skipped. Seconds of test cases are not
here: to count their instructions takes valgrind an hour.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys

import code_size

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ALLOWED = 0.03
# Of these lines are counted; whatever else there is, is data.
SOURCES = (".cpp", ".hpp", ".h", ".c", ".cxx", ".cmake", ".py", ".mjs", ".js", ".ts", ".rs", ".cs", ".awk", ".md", ".txt")


class Refused(Exception):
    """Something that cannot be done, in a sentence."""


def files_of(root):
    """Paths of all files, from the root; not what is built, nor hidden folders but .ci, nor the fuzzers' corpus."""
    if os.path.exists(os.path.join(root, ".git")):
        try:
            known = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            known = ""  # no git, or a checkout of somebody else's
        if known:
            yield from (path for path in known.split("\0")
                        if path and not path.startswith("tests/fuzz/corpus/") and re.match(r"[^.]|\.ci/", path)
                        and os.path.isfile(os.path.join(root, path)))
            return
    for folder, folders, names in os.walk(root):
        at = os.path.relpath(folder, root)
        at = "" if at == "." else at + "/"
        folders[:] = [name for name in folders if name != "__pycache__" and at + name != "tests/fuzz/corpus"
                      and (at or not re.match(r"build|\.(?!ci$)", name))]
        for name in names:
            if at or not name.startswith("."):
                yield at + name


def is_source(root, path):
    if path.endswith(SOURCES):
        return True
    if "." in os.path.basename(path):
        return False
    with open(os.path.join(root, path), "rb") as file:
        return file.read(2) == b"#!"


def sources(root):
    """{(what, name): number} of files and lines."""
    found = {}
    per_folder = collections.Counter()
    lines = collections.Counter()
    longest = (0, "")
    for path in files_of(root):
        per_folder[os.path.dirname(path) or "."] += 1
        if not is_source(root, path):
            continue
        with open(os.path.join(root, path), "rb") as file:
            count = file.read().count(b"\n")
        lines[path.split("/")[0] if "/" in path else "."] += count
        # What scripts write is as long as it must be, and so are pages.
        if path.endswith((".cpp", ".hpp")):
            longest = max(longest, (count, path))
    folder, count = max(per_folder.items(), key=lambda item: (item[1], item[0]))
    found["files", "the biggest folder"] = (count, folder)
    found["lines", "the longest file of C++"] = longest
    # Small folders together, or a few lines would be 3 %.
    small = {top for top, count in lines.items() if count < 1000 or top == "."}
    for top, count in lines.items():
        if top not in small:
            found["lines", top] = (count, "")
    found["lines", "other folders"] = (sum(lines[top] for top in small), "")
    return found


def public_names(build):
    """Types and functions of throng.hpp."""
    count = os.path.join(ROOT, "tests", "public_api", "count.py")
    done = subprocess.run([sys.executable, "-B", count, os.path.join(build, "include")], capture_output=True, text=True)
    said = re.search(r"(\d+) public types, (\d+) public member functions", done.stdout)
    if done.returncode != 0 or not said:
        raise Refused("no clang is here that lists what throng.hpp declares")
    return {("public", "types"): (int(said[1]), ""), ("public", "member functions"): (int(said[2]), "")}


def settings_of(build):
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
        return dict(re.findall(r"^([\w.+-]+):\w+=(.*)$", file.read(), re.MULTILINE))


def compiler_of(build):
    """Such as "GNU 12"."""
    for folder, _, names in os.walk(os.path.join(build, "CMakeFiles")):
        if "CMakeCXXCompiler.cmake" in names:
            with open(os.path.join(folder, "CMakeCXXCompiler.cmake"), encoding="utf-8") as file:
                text = file.read()
            name = re.search(r'set\(CMAKE_CXX_COMPILER_ID "(\w+)"\)', text)[1]
            version = re.search(r'set\(CMAKE_CXX_COMPILER_VERSION "(\d+)', text)[1]
            return f"{name} {version}"
    raise Refused(f"{build} is no build folder of CMake")


def machine_code(build, unity):
    """Bytes of each kernel file and instruction set, and of functions that are there under another name, too. Of the core
    only where as many of its files as usual are compiled as one."""
    objects = collections.defaultdict(list)
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        # Not all that lies there: objects stay when a set is no longer built.
        for entry in json.load(file):
            path = re.search(r" -o (CMakeFiles/throng_(?:c_)?(family_)?objects(_\w+)?[.]dir/\S+[.]o)( |$)", entry["command"])
            if path and os.path.isfile(os.path.join(build, path[1])):
                objects[path[3] and path[3][1:], bool(path[2])].append(code_size.Object(os.path.join(build, path[1])))
    found = {}
    for (arch, family), contents in objects.items():
        if arch is None:
            if not family and unity == "10":
                found["bytes of the core", "core"] = (sum(content.text for content in contents), "")
            continue
        for content in contents:
            kernel = os.path.basename(content.path)[:-len(".kernel.cpp.o")]
            found["bytes of the family" if family else "bytes", f"{arch}/{kernel}"] = (content.text, "")
        label = arch + (" of the family" if family else "")
        found["bytes of all kernels", label] = (sum(content.text for content in contents), "")
        found["bytes under two names", label] = (code_size.alike(contents), "")
    return found


def measure(root, build, compiler):
    """What there is, and {what: why it is not here}. `compiler`: the table's; None takes any."""
    found, missing = sources(root), {}
    if build is None:
        return found, {"public": "there is no build", "bytes": "there is no build"}
    try:
        found.update(public_names(build))
    except Refused as reason:
        missing["public"] = str(reason)
    here, settings = compiler_of(build), settings_of(build)
    if compiler is not None and here != compiler:
        missing["bytes"] = f"the table is of {compiler}, and this build of {here}"
    elif settings.get("CMAKE_BUILD_TYPE") != "Release" or settings.get("THRONG_SANITIZE") or settings.get("CMAKE_CXX_FLAGS"):
        missing["bytes"] = "the table is of release builds without flags of one's own"
    elif not sys.platform.startswith("linux") or os.uname().machine != "x86_64" or "CMAKE_TOOLCHAIN_FILE" in settings:
        missing["bytes"] = "the table is of Linux on x86-64"
    else:
        found.update(machine_code(build, settings.get("THRONG_UNITY")))
    return found, missing


def read_table(path):
    """({(what, name): number}, the compiler)."""
    table, compiler = {}, None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#") or not line.strip():
                continue
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 2 and fields[0] == "compiler":
                compiler = fields[1]
            elif len(fields) == 3 and fields[2].isdigit():
                table[fields[0], fields[1]] = int(fields[2])
            else:
                raise Refused(f"{path}, line {number}: not what, name and number, with tabs between them")
    return table, compiler


def write_table(path, table, compiler):
    with open(path, "w", encoding="utf-8") as file:
        file.write("# What the project may weigh; 3 % more than a number fails the test `weight`. scripts/weight --update writes it,\n"
                   "# and a commit that raises a number says why.\n")
        file.write(f"compiler\t{compiler}\n")
        for (what, name), number in sorted(table.items()):
            file.write(f"{what}\t{name}\t{number}\n")


def is_bytes(key):
    return key[0].startswith("bytes")


def set_of(key):
    """The instruction set whose machine code it is."""
    return re.split(r"[/ ]", key[1])[0] if is_bytes(key) else None


def unseen(key, found, missing):
    """Why a number of the table is not here, where that is no fault; None where it is."""
    if key[0] == "public":
        return missing.get("public")
    if is_bytes(key):
        if "bytes" in missing:
            return missing["bytes"]
        if set_of(key) not in {set_of(other) for other in found if is_bytes(other)}:
            return f"this build is without {set_of(key)}"
        if "family" in " ".join(key) and not any("family" in " ".join(other) for other in found if is_bytes(other)):
            return "this build is without the family"
    return None


def check(table, found, missing):
    """Sentences about what is too much."""
    wrong, skipped = [], set()
    sets = {set_of(key) for key in table}
    for key, (number, where) in sorted(found.items()):
        if is_bytes(key) and set_of(key) not in sets:
            skipped.add(f"skipped: bytes.{set_of(key)}: the table is without {set_of(key)}")
        elif key not in table:
            wrong.append(f"{key[0]}, {key[1]}: {number}, which the table does not have")
        elif number > table[key] * (1 + ALLOWED):
            share = f"{100 * number / table[key] - 100:.1f} % " if table[key] else ""
            wrong.append(f"{key[0]}, {key[1]}: {number}, {share}above the table's {table[key]}{' (' + where + ')' if where else ''}")
    for key in sorted(set(table) - set(found)):
        why = unseen(key, found, missing)
        if why is None:
            wrong.append(f"{key[0]}, {key[1]}: the table has it, and it is gone")
        else:
            name = key[0].split(" ")[0] + ("." + set_of(key) if "bytes" not in missing and is_bytes(key) else "")
            skipped.add(f"skipped: {name}: {why}")
    return wrong, sorted(skipped)


def show(table, found, build):
    for key, (number, where) in sorted(found.items()):
        note = f"{100 * number / table[key] - 100:+6.1f} %" if table.get(key) else "     new" if key not in table else ""
        print(f"{key[0]:24} {key[1]:32} {number:9} {note}  {where}".rstrip())
    log = os.path.join(build or "", ".ninja_log")
    if build is None or not os.path.isfile(log):
        print("no seconds of compiling: there is no log of ninja")
        return
    seconds = {}
    with open(log, encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 5 and re.search(r"\.(o|pch|gch)$", fields[3]):
                name = re.sub(r"CMakeFiles/(\w+)\.dir/", r"\1: ", fields[3])
                seconds[name] = (int(fields[1]) - int(fields[0])) / 1000
    print(f"\nseconds of compiling, as they passed (with a compiler cache they are none): {sum(seconds.values()):.0f} together")
    for name, took in sorted(seconds.items(), key=lambda item: -item[1])[:60]:
        print(f"{took:8.1f}  {name}")


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("--print", action="store_true", dest="shown")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--build")
    parser.add_argument("--table", default=os.path.join(HERE, "table.tsv"))
    parser.add_argument("--root", default=ROOT)
    parser.error = lambda message: sys.exit(f"error: {message}")
    arguments = parser.parse_args()
    if arguments.help:
        print(__doc__)
        return
    table, compiler = read_table(arguments.table) if os.path.exists(arguments.table) else ({}, None)
    found, missing = measure(arguments.root, arguments.build, None if arguments.update else compiler)
    if arguments.update:
        kept = {key: number for key, number in table.items() if key not in found and unseen(key, found, missing)}
        here = compiler_of(arguments.build) if arguments.build else compiler
        if "bytes" in missing:
            here = compiler
        elif here != compiler:
            kept = {key: number for key, number in kept.items() if not is_bytes(key)}
        write_table(arguments.table, {**kept, **{key: value[0] for key, value in found.items()}}, here)
        for what, why in missing.items():
            print(f"as before: {what}: {why}")
        return
    if arguments.shown:
        show(table, found, arguments.build)
        for what, why in missing.items():
            print(f"not here: {what}: {why}")
        return
    if not table:
        sys.exit(f"error: {arguments.table} has no numbers")
    wrong, skipped = check(table, found, missing)
    for sentence in skipped + wrong:
        print(sentence)
    print(f"{len(found)} numbers, {len(wrong)} too large")
    if wrong:
        print("scripts/weight shows all. To raise a number: scripts/weight --update, and the reason in the commit's message")
        sys.exit(1)


if __name__ == "__main__":
    try:
        main()
    except (Refused, OSError) as reason:
        sys.exit(f"error: {reason}")
