#!/usr/bin/env python3
"""The ABI of throng.h, or another header for C: functions, layouts and numbers, compared with a committed list.

usage: abi.py check|renew <throng.h> <list> <C compiler> <nm> <library>
       abi.py called <throng.h> <C file>...

`check` fails if the library has other functions, prototypes, structures, types, defaults or numbers than the
list, and says whether THRONG_ABI must rise: names of parameters and of types count, since two of the same type
may change places; `renew` writes the list anew. `called` fails if a function of the header is in none of
the files.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

HEAD = """\
# What programs that were compiled with this header rely on, on 64-bit Linux (x86-64 and AArch64 alike).
# Made by tests/c/header/abi.py, which says how; after a change: cmake --build <build> --target throng_renew_abi
"""


def code_of(header):
    """The header without comments and continued lines."""
    with open(header, encoding="utf-8") as file:
        text = file.read()
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S).replace("\\\n", " ")


def functions_of(code):
    """Those that the library exports, and those that are inline."""
    exported = re.findall(r"^THRONG_C [^;(]*?\b(throng_\w+)\(", code, flags=re.M)
    inline = re.findall(r"^static inline [^;(]*?\b(throng_\w+)\(", code, flags=re.M)
    if len(set(exported)) != len(exported) or not exported:
        raise SystemExit("the header is written in a way that abi.py cannot read")
    return exported, inline


def normal(text):
    """With single spaces, where there must be any."""
    close = re.sub(r"\s*([(),*{}\[\];])\s*", r"\1", " ".join(text.split()))
    return close.replace("*", "* ").replace("* )", "*)").replace(",", ", ").strip()


def prototypes_of(code):
    """What each function returns and takes, as it is written; of inline ones too, and of callbacks."""
    facts = {}
    for kind, start, end in (("function", "THRONG_C ", ";"), ("inline", "static inline ", r" \{")):
        for text in re.findall(rf"^{start}([^;{{]*?\)){end}", code, flags=re.M):
            returned, name, taken = re.match(r"(.*?)\b(throng_\w+)\((.*)\)$", text, flags=re.S).groups()
            facts[f"{kind} {name}"] = normal(f"{returned}({taken})")
    for returned, name, taken in re.findall(r"^typedef ([^;{]*?)\(\*(\w+)\)\(([^;]*?)\);", code, flags=re.M):
        facts[f"callback {name}"] = normal(f"{returned}(*)({taken})")
    return facts


def types_of(body):
    """The type of each field of a structure, as it is written."""
    types = {}
    for declaration in filter(None, (part.strip() for part in body.split(";"))):
        pointer = re.match(r"([\w\s\*]*)\(\*(\w+)\)(.*)$", declaration, flags=re.S)
        if pointer:
            types[pointer.group(2)] = normal(f"{pointer.group(1)}(*){pointer.group(3)}")
            continue
        base = None
        for declarator in declaration.split(","):
            before, name, places = re.match(r"(.*?)(\w+)((?:\[\w+\])*)$", declarator.strip(), flags=re.S).groups()
            if base is None:
                base = before.rstrip("* \n") if "," in declaration else before
                before = before[len(base):]
            types[name] = normal(f"{base} {before}{places}")
    return types


def defaults_of(code):
    """What each ..._INIT macro stands for, as it is written."""
    return {f"init {name}": normal(text)
            for name, text in re.findall(r"^#define (THRONG_\w+_INIT)\s+(.*)$", code, flags=re.M)}


def structs_of(code):
    """The names of all structures, each with its fields and their types."""
    structs = {}
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \1;", code, flags=re.S):
        structs[name] = types_of(body)
    if len(structs) != code.count("typedef struct") - len(handles_of(code)):
        raise SystemExit("abi.py has not understood every structure of throng.h")
    return structs


def handles_of(code):
    return re.findall(r"typedef struct (\w+) \1;", code)


def numbers_of(code):
    """Enumerators, and macros that are numbers."""
    names = []
    for body in re.findall(r"enum \w+ \{(.*?)\}", code, flags=re.S):
        names += re.findall(r"\b(THRONG_\w+)\s*=", body)
    names += re.findall(r"^#define (THRONG_\w+) (?:0x)?[0-9A-F]+u?$", code, flags=re.M)
    return names


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def facts_of(header, compiler):
    """What a compiler makes of the header, by name."""
    code = code_of(header)
    lines = []
    for name, fields in structs_of(code).items():
        lines.append(f'printf("struct {name} %zu\\n", sizeof({name}));')
        for field in fields:
            lines.append(
                f'printf("field {name}.{field} %zu %zu\\n", offsetof({name}, {field}), '
                f"sizeof((({name}*)0)->{field}));"
            )
    for name in numbers_of(code):
        lines.append(f'printf("number {name} %lld\\n", (long long){name});')
    program = '#include <stdio.h>\n#include "%s"\nint main(void) {\n%s\nreturn 0;\n}\n' % (
        os.path.abspath(header), "\n".join(lines))
    with tempfile.TemporaryDirectory() as folder:
        source, binary = os.path.join(folder, "abi.c"), os.path.join(folder, "abi")
        with open(source, "w", encoding="utf-8") as file:
            file.write(program)
        run(compiler, "-std=c99", "-o", binary, source)
        said = run(binary)
    facts = {}
    for line in said.splitlines():
        kind, name, value = line.split(" ", 2)
        facts[f"{kind} {name}"] = value
    for name, fields in structs_of(code).items():
        facts.update({f"type {name}.{field}": text for field, text in fields.items()})
    facts.update(defaults_of(code))
    return facts


def exported_by(library, nm):
    """The C functions that a library has for others."""
    dynamic = ["-D"] if ".so" in os.path.basename(library) else []
    said = run(nm, "-g", "--defined-only", *dynamic, library)
    return sorted(set(re.findall(r"^[0-9a-f]+ [TW] (throng_\w+)$", said, flags=re.M)))


def text_of(facts):
    return HEAD + "".join(f"{name} {value}".rstrip() + "\n" for name, value in facts.items())


def read_list(path):
    facts = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                words = line.split()
                facts[" ".join(words[:2])] = " ".join(words[2:])
    return facts


def breaks(name, old, new, facts):
    """Whether programs that were compiled before would go wrong."""
    if new is None:
        return True  # gone
    if old is None:
        # A field in the middle moves others, which are reported themselves; one at the end of a structure
        # without struct_size changes the size.
        return False
    if name.startswith("struct "):
        has_size = f"field {name[7:]}.struct_size" in facts
        return not has_size or int(new) < int(old)
    if name.startswith("init "):
        return not new.startswith(old[:-1] + ", ")  # defaults of fields that have come at the end
    return True


def check(known, facts):
    changed = [name for name in {**known, **facts} if known.get(name) != facts.get(name)]
    abi = "number THRONG_ABI"
    for name in changed:
        old, new = known.get(name), facts.get(name)
        print(f"{name}: {'absent' if old is None else old or 'there'} in the list, "
              f"{'absent' if new is None else new or 'there'} now")
    if not changed:
        print(f"{len(facts)} facts, all as they were")
        return True
    broken = [name for name in changed
              if name != abi and breaks(name, known.get(name), facts.get(name), facts)]
    if broken and known.get(abi) == facts.get(abi):
        print("\nPrograms that were compiled before go wrong with this: take it back, or let THRONG_ABI in "
              "throng.h rise by one, and say so under Breaking in CHANGELOG.md. It is because of\n  "
              + "\n  ".join(broken))
    elif broken:
        print("\nTHRONG_ABI has changed, as it must.")
    else:
        print("\nPrograms that were compiled before go on working: THRONG_ABI may stay.")
    print("Then renew the list, and commit it: "
          "cmake --build <build> --target throng_renew_abi")
    return False


def main(arguments):
    if len(arguments) >= 3 and arguments[0] == "called":
        exported, inline = functions_of(code_of(arguments[1]))
        text = ""
        for path in arguments[2:]:
            text += code_of(path)
        forgotten = [name for name in exported + inline if not re.search(rf"\b{name}\(", text)]
        for name in forgotten:
            print(f"no call of {name}()")
        print(f"{len(exported) + len(inline)} functions, {len(forgotten)} forgotten")
        return 1 if forgotten else 0
    if len(arguments) != 6 or arguments[0] not in ("check", "renew"):
        raise SystemExit(__doc__)
    mode, header, path, compiler, nm, library = arguments
    declared = functions_of(code_of(header))[0]
    # A shared library has the functions of other headers, too.
    others = set()
    for other in glob.glob(os.path.join(os.path.dirname(header), "throng*.h")):
        if not os.path.samefile(other, header):
            others.update(functions_of(code_of(other))[0])
    exported = [name for name in exported_by(library, nm) if name not in others]
    if sorted(declared) != exported:
        print("declared and not in the library:", *sorted(set(declared) - set(exported)))
        print("in the library and not declared:", *sorted(set(exported) - set(declared)))
        return 1
    facts = prototypes_of(code_of(header))
    if [name for name in facts if name.startswith("function ")] != [f"function {name}" for name in declared]:
        raise SystemExit("abi.py has not understood every prototype of throng.h")
    facts.update(facts_of(header, compiler))
    if mode == "renew":
        with open(path, "w", encoding="utf-8") as file:
            file.write(text_of(facts))
        print(f"{path}: {len(facts)} facts")
        return 0
    return 0 if check(read_list(path), facts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
