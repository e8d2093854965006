"""What calls of throng.h are for, for the generators of C#, Rust and JavaScript: the rows of calls.txt, with what each
function takes.

What a parameter is follows from its type and its name, as throng.h has them; what is none of these is an error.
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests", "c", "header"))
import abi  # noqa: E402

# By type. Others are told by their names, or by what comes after them.
KINDS = {
    "const throng_questions*": "questions", "const throng_points*": "points", "const throng_agents*": "agents",
    "const throng_neighbourhood*": "wanted", "const throng_pairing*": "wanted", "const throng_nearest*": "wanted",
    "const throng_obstacle_search*": "wanted", "const throng_filter*": "filter", "throng_executor*": "executor",
    "const char*": "path", "throng_meeting*": "meeting", "const throng_meeting*": "after",
    "throng_hits*": "answer", "throng_pairs*": "answer", "throng_near_hits*": "answer",
    "throng_contact_frame*": "answer", "throng_crowd_counts*": "answer", "throng_cell_stats*": "answer", "throng_query_costs*": "answer",
    "throng_hits_room*": "room", "throng_pairs_room*": "room", "throng_near_room*": "room",
    "uint64_t*": "number_out", "uint32_t*": "flag", "void*": "one",
    "uint32_t": "number", "uint64_t": "number", "size_t": "number"}


class Parameter:
    def __init__(self, kind, of, name):
        self.kind, self.of, self.name = kind, of, name

    @property
    def struct(self):
        """The structure of C that it points to, without throng_."""
        return re.sub(r"const |throng_|\*", "", self.of)

    @property
    def is_const(self):
        return self.of.startswith("const ")


class Call:
    """A function, with the class that has it as a method."""

    def __init__(self, owner, handle, words, prototype):
        self.owner, self.function = owner, words[0]
        self.name, _, rust = words[1].partition("/")
        self.rust_name = rust or snake(self.name)
        more = [word for word in words[2:] if ":" not in word]
        self.shapes = more[0] if more else ""
        self.js_name = "".join(word[3:] for word in words[2:] if word.startswith("js:"))
        self.doc = ""
        self.returned, taken = re.match(r"(.*?)\((.*)\)$", abi.normal(prototype)).groups()
        own, *self.parameters = parameters_of(taken)
        if own.struct != handle.removeprefix("throng_"):
            raise SystemExit(f"{self.function} is no call with a {handle}")
        self.is_const = own.is_const

    def doc_for(self, language, name_of):
        """What it does, in the words of a language; `name_of` says what a method of a class is called there."""
        text = re.sub(r"\[((?:C#|Rust|JS|,)+):((?:[^][]|\[[^]]*\])*)\]",
                      lambda part: part.group(2) if language in part.group(1).split(",") else "", self.doc)
        return re.sub(r"\{(?:(\w+)\.)?(\w+)\}", lambda part: name_of(part.group(1), part.group(2)), text)

    def of_kind(self, *kinds):
        """The first parameter of such a kind."""
        return next((each for each in self.parameters if each.kind in kinds), None)


def parameters_of(taken):
    parts = [re.match(r"(.*?)\s*(\w+)$", part).groups() for part in taken.split(", ")]
    parts = [(of.replace(" *", "*"), name) for of, name in parts]
    while parts:
        of, name = parts.pop(0)
        after = parts[0][1] if parts else ""
        if re.match(r"(const )?throng_(batch|crowd|obstacles|contacts|lasting|published)\*$", of):
            yield Parameter("handle", of, name)
        elif after == "offset_room":
            parts.pop(0)
            yield Parameter("offsets_out", of, name)
        elif of.endswith("*") and (after in ("room", "count") or name == f"{after.removesuffix('_count')}s"):
            parts.pop(0)
            yield Parameter("array_out" if after == "room" else "array", of, name)
        elif name == "shape":
            parts.pop(0)  # the structure, whose type says the shape
            yield Parameter("obstacle", of, "obstacle")
        elif of in KINDS:
            yield Parameter(KINDS[of], of, name)
        else:
            raise SystemExit(f"calls.py does not know what a {of} {name} is")


def snake(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def read(prototypes):
    """All rows of calls.txt, in their order. No function of throng.h may be missing there."""
    calls, owner, handle, by_hand = [], None, None, []
    with open(os.path.join(HERE, "calls.txt"), encoding="utf-8") as file:
        for line in filter(None, (line.rstrip("\n") for line in file)):
            words = line.split()
            if words[0] == "class":
                _, owner, handle = words
            elif words[0] == "hand":
                by_hand += words[1:]
            elif line.startswith(" "):
                calls[-1].doc = f"{calls[-1].doc} {line.strip()}".strip()
            elif not line.startswith("#"):
                calls.append(Call(owner, handle, words, prototypes[f"function {words[0]}"]))
    named = by_hand + [call.function for call in calls]
    there = [name.split(" ")[1] for name in prototypes if name.startswith("function ")]
    if sorted(named) != sorted(there):
        wrong = ", ".join(sorted(set(named) ^ set(there)) or sorted(name for name in named if named.count(name) > 1))
        raise SystemExit(f"calls.txt must have each function of throng.h once, as a method or behind `hand`: {wrong}")
    return calls
