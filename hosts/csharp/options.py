"""The C# classes of what calls are told, and of what some count, from structures of throng.h."""

import re
import textwrap

import fields

# What a class is, and what it cannot be made without.
OPTIONS = {
    "Neighbourhood": ("Which agents are within Radius of me?", ("radius",)),
    "Pairing": ("Which pairs are wanted: those that overlap, or with Within of zero or more those that are near.", ()),
    "Nearest": ("The K nearest within Radius, by distance, and at equal distances by id.", ("k",)),
    "LastingSettings": ("Neighbour lists that last: made with a skin around the radius, and kept while no agent has "
                        "moved farther than half of it.", ("radius", "skin")),
    "ObstacleSearch": ("Which obstacles count as the nearest.", ())}
COUNTS = {"CrowdCounts": "What a crowd has, and what it takes.",
          "CellStats": "How well the cells of a crowd suit its agents.",
          "QueryCosts": "What one question costs, and by which way it is answered."}
TYPES = {"float": "float", "double": "double", "uint32_t": "uint", "uint64_t": "ulong", "const char*": "string",
         "throng_height_band": "HeightBand", "throng_near": "Near"}
NUMBERS = {"k", "dimension"}  # that are int here
WIDTH = 120


def pascal(name):
    return "".join(word[:1].upper() + word[1:] for word in re.sub(r"\[\d\]", "", name).split("_"))


def name_of(name):
    """A name of throng.h in C#."""
    if name.startswith("THRONG_BODY_"):
        return "Body." + pascal(name[len("THRONG_BODY_"):].lower())
    if not name.endswith("()"):
        return pascal(name)
    owner, _, method = name[len("throng_"):-2].rpartition("_")
    return f"{pascal(owner) or 'Batch'}.{pascal(method)}()"


def type_of(field):
    if field.is_flag:
        return "bool"
    if field.name == "cells[3]":
        return "UInt3"
    return field.enum or ("int" if field.name in NUMBERS else TYPES[field.of.replace(" *", "*")])


def summary(text, indent):
    text = text.replace("<", "&lt;")
    lines = textwrap.wrap(f"<summary>{text}</summary>", WIDTH - indent - 4, break_long_words=False,
                          break_on_hyphens=False)
    return [f"{' ' * indent}/// {line}" for line in lines] if text else []


def options(name):
    what, needed = OPTIONS[name]
    struct = "throng" + re.sub("([A-Z])", r"_\1", name).lower()
    all_ = fields.fields_of(struct)
    raw = f"Native.{struct}"
    out = summary(what, 4) + [f"    public sealed class {name}", "    {"]
    out += [f"        internal {raw} Raw = {raw}.Init;", ""]
    if needed:
        own = [field for field in all_ if field.name in needed]
        taken = ", ".join(f"{type_of(field)} {field.name}" for field in own)
        sets = " ".join(f"{pascal(field.name)} = {field.name};" for field in own)
        out += [f"        public {name}({taken}) {{ {sets} }}", ""]
    for field in all_:
        of, place = type_of(field), f"Raw.{field.name}"
        read, written = place, "value"
        if of == "bool":
            read, written = f"{place} != 0", "value ? 1u : 0"
        elif of not in TYPES.values():
            read, written = f"({of}){place}", "(uint)value"
        out += summary(field.doc_for(name_of), 8)
        out.append(f"        public {of} {pascal(field.name)} {{ get {{ return {read}; }} "
                   f"set {{ {place} = {written}; }} }}")
    return out + ["    }", ""]


def counts(name):
    struct = "throng" + re.sub("([A-Z])", r"_\1", name).lower()
    out = summary(COUNTS[name], 4) + [f"    public unsafe struct {name}", "    {"]
    sets = []
    for field in fields.fields_of(struct):
        of, place = type_of(field), "raw." + field.name.split("[")[0]
        read = {"bool": f"{place} != 0", "string": f"Status.Text({place})", "int": f"(int){place}"}.get(of, place)
        out += summary(field.doc_for(name_of), 8) + [f"        public readonly {of} {pascal(field.name)};"]
        sets.append(f"            {pascal(field.name)} = {read};")
    return out + ["", f"        internal {name}(Native.{struct} raw)", "        {", *sets, "        }", "    }", ""]


def file(note):
    out = [note + "\nnamespace Throng\n{"]
    for name in OPTIONS:
        out += options(name)
    for name in COUNTS:
        out += counts(name)
    return "\n".join(out[:-1] + ["}"]) + "\n"
