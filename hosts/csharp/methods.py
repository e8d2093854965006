"""The methods of the C# classes that follow from what functions of throng.h take: the rows of hosts/calls/calls.txt."""

import textwrap

CLASSES = {"Published": "PublishedCrowd", "Lasting": "LastingNeighbours"}
# What a call returns in a structure of C.
ANSWERS = {"hits": "Hits", "pairs": "Pairs", "near_hits": "NearHits", "contact_frame": "ContactFrame",
           "crowd_counts": "CrowdCounts", "query_costs": "QueryCosts",
           "cell_stats": "CellStats"}
LENT = {"Batch": ["lease"], "Contacts": ["lease"], "Lasting": ["lists", "answers"]}  # what ends with the next call
# The arrays of a structure with room for answers.
ROOMS = {"hits_room": ("ulong offsets", "uint ids"), "pairs_room": ("uint first", "uint second"),
         "near_room": ("Near near", "uint counts")}
NUMBERS = {"sets": "Sets", "pair_sets": "PairSets", "order": "Order", "uint64_t": "ulong", "size_t": "ulong",
           "uint32_t": "uint"}
# What may be left out comes last, in this order.
LAST = {"obstacle_search": "ObstacleSearch search = null", "filter": "Filter? looks = null",
        "executor": "Executor executor = null"}
WIDTH = 120


def pascal(name):
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


class Method:
    """One method, in C#'s words: what it takes, what it does before the call, and what it returns."""

    def __init__(self, call, type_of, dimension=0):
        self.call, self.type_of, self.dimension = call, type_of, dimension
        self.taken, self.last, self.before, self.passed = [], {}, [], ["Handle"]
        self.returned, self.result, self.fits, self.makes = "void", None, None, None
        self.pins = self.sized = False
        for parameter in call.parameters:
            getattr(self, parameter.kind)(parameter)

    def take(self, of, name, *passed):
        self.taken.append(f"{of} {name}")
        self.passed += passed

    def local(self, of, name, passed=None):
        """A variable that the call fills or reads, by its address."""
        self.before.append(f"{of} {name};")
        self.passed.append(passed or f"&{name}")

    def returns(self, of, result):
        self.returned, self.result = of, result

    def handle(self, of):
        self.take(pascal(of.struct), of.name, f"{pascal(of.struct)}.HandleOf({of.name})")

    def questions(self, of):
        self.pins = True
        self.take("Questions", of.name)
        self.local("Native.throng_questions", "asked")
        self.before += ["Filter filter;", f"{of.name}.Fill(out asked, &filter, call.Pins);"]
        self.fits = (of.name, f"{of.name}.shape")

    def points(self, of):
        self.pins = True
        given = of.name
        if self.dimension and of.name == "point":
            self.take(f"Float{self.dimension}", of.name)
            given = f"Points.At({self.dimension}, &point.X, 1)"
        else:
            self.take("Points", of.name)
            self.fits = (of.name, of.name)
        self.local("Native.throng_points", "from")
        self.before.append(f"{given}.Fill(out from, call.Pins);")

    def agents(self, of):
        self.pins = True
        self.take("Agents", of.name)
        second = "Native.throng_agents raw;" in self.before
        raw = f"{of.name}Raw" if second else "raw"
        self.local("Native.throng_agents", raw)
        self.before.append(f"{of.name}.Fill(out {raw}, call.Pins);")
        self.sized = f"{of.name}.Count"

    def wanted(self, of):
        raw = f"Native.throng_{of.struct}"
        if of.struct == "obstacle_search":
            self.last[of.struct] = LAST[of.struct]
        else:
            default = " = null" if of.struct == "pairing" and not self.call.of_kind("room") else ""
            self.taken.append(f"{pascal(of.struct)} {of.name}{default}")
        given = f"{of.name}.Raw"
        if of.struct in ("pairing", "obstacle_search"):
            given = f"{of.name} == null ? {raw}.Init : {given}"
        self.local(raw, "wanted = " + given, "&wanted")

    def filter(self, of):
        self.last["filter"] = LAST["filter"]
        self.local("Filter", f"look = {of.name}.GetValueOrDefault()", f"{of.name} == null ? null : &look")

    def executor(self, of):
        self.last["executor"] = LAST["executor"]
        self.passed.append("Executor.HandleOf(executor)")

    def path(self, of):
        self.take("string", of.name, "text")

    def after(self, of):
        self.take("Meeting", of.name, f"&{of.name}")

    def array(self, of):
        self.pins = True
        name, kind = of.name, self.type_of(of.of.rstrip("*"))
        self.take(f"Items<{kind}>", name, f"({kind}*){name}.Pin(call.Pins)", f"{name}.Count")
        self.sized = f"{name}.Length"

    def array_out(self, of):
        self.pins = True
        name, kind = of.name, self.type_of(of.of.rstrip("*"))
        if self.dimension:
            kind = f"Obstacle{'Near' if name == 'near' else 'Hit'}{self.dimension}"
        elif not self.call.of_kind("number_out"):
            self.makes = (kind, name)
            if kind == "sbyte":  # a number for each axis
                self.sized = self.sized.replace("Count", "Dimension * ") + self.sized
        pointer = "void" if self.dimension else kind
        self.take(f"Items<{kind}>", name, f"({pointer}*){name}.Pin(call.Pins)", f"{name}.Count")

    def offsets_out(self, of):
        self.take("Items<ulong>", of.name, f"(ulong*){of.name}.Pin(call.Pins)", f"{of.name}.Count")

    def one(self, of):
        kind = f"Obstacle{'Near' if of.name == 'near' else 'Hit'}{self.dimension}"
        self.local(kind, f"found = default({kind})", "&found")
        if self.fits:
            self.taken.append(f"out {kind} {of.name}")
            self.result = f"{of.name} = found"
        else:
            self.returns(kind, "found")

    def obstacle(self, of):
        self.take("T", of.name, "ShapeOf<T>.Number", "(void*)call.Pins.Add(new[] { obstacle })")
        self.pins = True

    def number(self, of):
        kind = NUMBERS.get(of.name, NUMBERS[of.of])
        raw = self.type_of(of.of)
        default = " = Crowd.AllGroups" if of.name == "groups" else ""
        self.take(kind, pascal(of.name)[:1].lower() + pascal(of.name)[1:] + default)
        name = self.taken[-1].split(" ")[1]
        self.passed.append(name if kind == raw else f"({raw}){name}")

    def answer(self, of):
        name = ANSWERS[of.struct]
        self.local("var", f"answer = Native.throng_{of.struct}.Init", "&answer")
        self.returns(name, f"new {name}(answer{', lease' if self.call.owner in LENT else ''})")

    def room(self, of):
        self.pins = True
        arrays = [part.split(" ") for part in ROOMS[of.struct]]
        for kind, name in arrays:
            self.take(f"Items<{kind}>", name)
        names = ", ".join(name for _, name in arrays)
        self.local(f"Native.throng_{of.struct}", f"room = Room({names}, call.Pins)", "&room")
        self.returns("ulong", "room.total")

    def meeting(self, of):
        self.local("Meeting", of.name)
        self.returns("Meeting", of.name)

    def flag(self, of):
        self.local("uint", of.name)
        self.returns("bool", f"{of.name} != 0")

    def number_out(self, of):
        self.local("ulong", of.name)
        self.returns("ulong", of.name)

    def text(self):
        call = self.call
        out = self.summary()
        body = []
        if self.dimension and self.fits:
            body.append(f'Fit((uint){self.fits[0]}.Dimension, {self.dimension}, "{self.fits[1]}");')
        if call.owner in LENT and not (call.is_const and not self.taken):
            body += [f"{lease}.Renew();" for lease in LENT[call.owner]]
        inner = list(self.before)
        asked = f"Native.{call.function}({', '.join(self.passed)})"
        if call.returned == "uint64_t":
            self.returned = "ulong"
            inner.append(f"return {asked};")
        else:
            check = f"Status.Check({asked});"
            inner.append(f"fixed (byte* text = Library.PathOf(path)) {check}" if call.of_kind("path") else check)
            if self.result:
                inner.append(f"{self.result};" if self.returned == "void" else f"return {self.result};")
        if self.pins:
            inner = ["using (Pins.Scope call = Pins.Open())", "{", *("    " + line for line in inner), "}"]
        if call.is_const and not self.taken and self.result:
            out.append(f"public {self.returned} {call.name}")
            inner = ["get", "{", *("    " + line for line in body + inner), "}"]
            body = []
        else:
            generic = "<T>" if call.of_kind("obstacle") else ""
            where = " where T : struct" if generic else ""
            given = self.taken + [self.last[key] for key in LAST if key in self.last]
            out += wrapped(f"public {self.returned} {call.name}{generic}({', '.join(given)}){where}")
        out += ["{", *(piece for line in body + inner for piece in wrapped("    " + line)), "}"]
        return out + self.making()

    def summary(self):
        own = self.call.doc_for("C#", lambda owner, name: f"{owner + '.' if owner else ''}{name}()")
        own = own.replace("<", "&lt;")
        return textwrap.wrap(f"<summary>{own}</summary>", WIDTH - 12, initial_indent="/// ", subsequent_indent="/// ",
                             break_long_words=False, break_on_hyphens=False)

    def making(self):
        """The same with an array of its own, where it is known how long that must be."""
        if not self.makes:
            return []
        kind, name = self.makes
        given = [one for one in self.taken if not one.endswith(f" {name}")]
        given += [self.last[key] for key in LAST if key in self.last]
        names = ", ".join(one.split(" = ")[0].split(" ")[-1] for one in self.taken + list(self.last.values()))
        if kind in ("float", "double"):
            return []
        return ["", "/// <summary>The same into an array of its own.</summary>",
                f"public {kind}[] {self.call.name}({', '.join(given)})", "{",
                f"    var {name} = new {kind}[{self.sized or 'Counts.Agents'}];",
                f"    {self.call.name}({names});", f"    return {name};", "}"]


def wrapped(line):
    """A line of code in lines that are not too long."""
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line.strip(), WIDTH - 8, initial_indent=indent, subsequent_indent=indent + "    ",
                         break_long_words=False, break_on_hyphens=False) or [""]


def file(note, calls, type_of):
    """All classes with their methods."""
    out = [note + "using System;", "", "namespace Throng", "{"]
    for owner in dict.fromkeys(call.owner for call in calls):
        out += [f"    public sealed unsafe partial class {CLASSES.get(owner, owner)}", "    {"]
        texts = []
        for call in (call for call in calls if call.owner == owner):
            two = any(each.of == "void*" for each in call.parameters)
            texts += [Method(call, type_of, dimension).text() for dimension in ((2, 3) if two else (0,))]
        for index, text in enumerate(texts):
            out += [""] if index else []
            out += [("        " + line).rstrip() if line[:1] != "#" else line for line in text]
        out += ["    }", ""]
    return "\n".join(out[:-1] + ["}"]) + "\n"
