#!/usr/bin/env python3
"""Writes the bindings of throng.h from the facts in tests/c/header/abi.txt, which a test of the library keeps true.

usage: generate.py write|check

`check` fails if the committed files are not those that it would write. Of throng.h itself it reads only which
numbers are codes, since codes are signed, and what macros inside of defaults stand for.
"""

import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
HEAD = "// Made by generate.py from tests/c/header/abi.txt. Do not edit.\n\n"

SCALARS = {
    "float": "f32", "double": "f64", "int32_t": "i32", "uint32_t": "u32", "uint64_t": "u64", "uint8_t": "u8",
    "size_t": "usize", "ptrdiff_t": "isize", "char": "c_char", "void": "c_void",
}


def facts():
    """The list as (kind, name, value), in its order."""
    lines = (ROOT / "tests/c/header/abi.txt").read_text(encoding="utf-8").splitlines()
    found = [tuple((line.split(" ", 2) + [""])[:3]) for line in lines if not line.startswith("#")]
    return list(dict.fromkeys(found))


def split(text):
    """What is between commas that are not in brackets."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "({[") - (c in ")}]")
        if c == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += c
    return parts + [part.strip()] if part.strip() else parts


def rust_type(c_type):
    """The Rust type of a C type as abi.txt writes it."""
    text = c_type.strip()
    callback = re.match(r"(.*?)\(\*\)\((.*)\)$", text)
    if callback:
        returned, taken = callback.groups()
        arrow = "" if returned.strip() == "void" else f" -> {rust_type(returned)}"
        return f"Option<unsafe extern \"C\" fn({parameters(taken)}){arrow}>"
    array = re.match(r"(.*?)\[(\d+)\](.*)$", text)
    if array:
        base, count, rest = array.groups()
        return f"[{rust_type(base + rest)}; {count}]"
    pointer = re.match(r"(.*)\*$", text)
    if pointer:
        target = pointer.group(1).strip()
        constant = target.startswith("const ")
        return f"*{'const' if constant else 'mut'} {rust_type(target[6:] if constant else target)}"
    return SCALARS.get(text, text)


def parameters(taken):
    """A list of parameters; an array is a pointer, as in C."""
    if taken.strip() in ("", "void"):
        return ""
    parts = []
    for part in split(taken):
        c_type, name = re.match(r"(.*?)(\w+)(?:\[\d+\])?$", part).groups()
        pointer = " *" if part.endswith("]") else ""
        parts.append(f"{name}: {rust_type(c_type + pointer)}")
    return ", ".join(parts)


def default(c_type, text, structs, macros):
    """A value of an ..._INIT macro in Rust."""
    text = macros.get(text, text)
    if text.startswith("{"):
        parts = split(text[1:-1])
        array = re.match(r"(.*?)\[(\d+)\]$", c_type)
        if array:
            return "[" + ", ".join(default(array.group(1), part, structs, macros) for part in parts) + "]"
        fields = structs[c_type]
        if len(parts) != len(fields):
            raise SystemExit(f"{c_type} has another number of fields than its default")
        return c_type + " { " + ", ".join(
            f"{name}: {default(of, part, structs, macros)}" for (name, of), part in zip(fields, parts)) + " }"
    if text == "NULL":
        if "(*)" in c_type:
            return "None"
        return "std::ptr::null()" if c_type.strip().startswith("const") else "std::ptr::null_mut()"
    if text.startswith('"'):
        return f"b{text[:-1]}\\0\".as_ptr() as *const c_char"
    size = re.match(r"sizeof\((\w+)\)$", text)
    if size:
        return f"std::mem::size_of::<{size.group(1)}>()"
    if c_type in ("float", "double"):
        number = text.rstrip("f")
        return number if re.search(r"[.e]", number) else number + ".0"
    return text


def files():
    """The text of each file, by its path."""
    known = facts()
    header = re.sub(r"/\*.*?\*/", "", (ROOT / "throng.h").read_text(encoding="utf-8"), flags=re.S)
    codes = set(re.findall(r"\bTHRONG_\w+", re.search(r"enum throng_code \{(.*?)\}", header, flags=re.S).group(1)))
    macros = dict(re.findall(r"^#define (THRONG_\w+) (\{.*\})$", header, flags=re.M))
    handles = re.findall(r"^typedef struct (\w+) \1;", header, flags=re.M)

    structs = {name: [] for kind, name, _ in known if kind == "struct"}
    for kind, name, value in known:
        if kind == "type":
            structs[name.split(".")[0]].append((name.split(".")[1], value))
    numbers = [(name, int(value)) for kind, name, value in known if kind == "number"]
    functions = [(name, value) for kind, name, value in known if kind == "function"]

    types = "use std::ffi::c_void;\nuse std::os::raw::c_char;\n\n"
    for name in handles:
        types += f"/// What a handle names; never looked at.\n#[repr(C)] pub struct {name} {{ _private: [u8; 0] }}\n"
    for kind, name, value in known:
        if kind == "callback":
            types += f"pub type {name} = {rust_type(value)};\n"
    for name, fields in structs.items():
        parts = "".join(f"pub {field}: {rust_type(of)}, ".replace(" ", "\0") for field, of in fields)
        lines = textwrap.wrap(parts.replace(",\0pub", ", pub").rstrip("\0"), 110, break_long_words=False)
        types += f"\n#[repr(C)] #[derive(Clone, Copy, Debug)]\npub struct {name} {{"
        types += f" {lines[0]} }}\n" if len(lines) == 1 else "".join(f"\n    {line}" for line in lines) + "\n}\n"

    types = types.replace("\0", " ")
    constants = "".join(
        f"pub const {name}: {'i32' if name in codes else 'u32'} = {value};\n" for name, value in numbers)

    defaults = "use super::*;\nuse std::os::raw::c_char;\n\n"
    for kind, name, value in known:
        if kind == "init":
            of = re.match(r"\{sizeof\((\w+)\)", value).group(1)
            defaults += f"pub const {name}: {of} = {default(of, value, structs, macros)};\n"

    calls = "use super::*;\nuse std::ffi::c_void;\nuse std::os::raw::c_char;\n\nextern \"C\" {\n"
    for name, value in functions:
        returned, taken = re.match(r"(.*?)\((.*)\)$", value).groups()
        calls += f"    pub fn {name}({parameters(taken)}) -> {rust_type(returned)};\n"
    calls += "}\n"

    tests = "use throng_sys::*;\n\n/// Name, size, and the place and size of each field, as this compiler has them.\n"
    tests += "pub fn structs() -> Vec<Struct> {\n    vec![\n"
    for name, fields in structs.items():
        tests += f"        layout!({name}, " + ", ".join(field for field, _ in fields) + "),\n"
    tests += "    ]\n}\n\npub fn numbers() -> Vec<(&'static str, i64)> {\n    vec![\n"
    tests += "".join(f'        ("{name}", i64::from({name})),\n' for name, _ in numbers)
    tests += "    ]\n}\n\n/// Their addresses: a program with a name that the library lacks is not linked.\n"
    tests += "pub fn functions() -> Vec<(&'static str, *const ())> {\n    vec![\n"
    tests += "".join(f'        ("{name}", {name} as *const ()),\n' for name, _ in functions)
    tests += "    ]\n}\n"
    return {"src/generated/types.rs": types, "src/generated/constants.rs": constants,
            "src/generated/defaults.rs": defaults, "src/generated/functions.rs": calls,
            "tests/facts/table.rs": tests}


def main(arguments):
    if arguments not in (["write"], ["check"]):
        raise SystemExit(__doc__)
    stale = []
    for name, text in files().items():
        path = HERE / name
        if arguments == ["write"]:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(HEAD + text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != HEAD + text:
            stale.append(name)
    for name in stale:
        print(f"{name} is not what throng.h has now: run hosts/rust/throng-sys/generate.py write")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
