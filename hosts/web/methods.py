"""The methods of the module's classes that follow from what functions of throng.h take, the rows of
hosts/calls/calls.txt with a name in JavaScript; and their types."""

import re
import textwrap

import fields

WIDTH = 120
# The classes that have them: those of batches and of crowds are the crowd's here.
CLASSES = {"CrowdCalls": ("Asking", ("Crowd", "Batch")), "ObstacleCalls": ("Held", ("Obstacles",)),
           "ContactCalls": ("Held", ("Contacts",))}
# By the structure of C: what reads it, and its type.
ANSWERS = {"hits": ("new Hits(machine, this.turns, answer)", "Hits"),
           "pairs": ("new Pairs(machine, this.turns, answer)", "Pairs"),
           "contact_frame": ("contactsOf(machine, answer)", "ContactFrame"), "near_hits": ("nearOf(machine, answer)", "Nearest"),
           "crowd_counts": ("machine.read('crowdCounts', answer)", "Counts"),
           "cell_stats": ("machine.read('cellStats', answer)", "CellStats"),
           "query_costs": ("costsOf(machine, answer)", "Costs")}
# By the type of an element: its bytes, what reads it, and its type.
ARRAYS = {"uint32_t": (4, "u32", "Uint32Array"), "uint64_t": (8, "u64", "BigUint64Array"), "uint8_t": (1, "u8", "Uint8Array"), "int8_t": (1, "i8", "Int8Array"),
          "meeting": (8, "meeting", "Meetings"), "agent_handle": (12, "u32", "Uint32Array"),
          "near": (32, "obstacleNear", "ObstaclesNear"),
          "hits": (32, "obstacleHit", "ObstacleHits")}
# The same of arrays that calls take: what reads them, and their type.
ARRAYS_TAKEN = {"agent_handle": ("handlesOf", "Ids"), "uint32_t": ("idsOf", "Ids"), "uint64_t": ("keysOf", "Keys")}
# By the structure of C: what refusals call it, and the type of the options.
WANTED = {"neighbourhood": ("neighbours", "NeighbourOptions"), "pairing": ("pairs", "PairOptions"),
          "nearest": ("nearest", "NearestOptions"), "obstacle_search": ("nearest", "ObstacleSearchOptions")}
# Options, of which these must be given, and what some count, by the structure of C.
OPTIONS = {"throng_neighbourhood": ("NeighbourOptions extends SightOptions", ("radius",)),
           "throng_pairing": ("PairOptions", ()), "throng_nearest": ("NearestOptions", ()),
           "throng_lasting_settings": ("LastingSettings", ("radius", "skin")),
           "throng_obstacle_search": ("ObstacleSearchOptions", ())}
ABOUT = {"LastingSettings": "Lists reach farther than the radius, by the skin, and last until an agent has moved half "
                            "of that."}
COUNTS = {"throng_crowd_counts": "Counts", "throng_cell_stats": "CellStats", "throng_query_costs": "Costs"}
STRUCTS = {"throng_height_band": "{ up?: number; below?: number; above?: number }",
           "throng_near": "{ distance2: number; id: number }"}
KINDS = {"CrowdShape": "Shapes", "Path": "Paths", "ObstaclePath": "MovingShapes", "Region": "Shapes"}


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


class Method:
    """One method: what it takes, with its type, what it does before the call, and what it returns."""

    def __init__(self, call, sight):
        self.call, self.sight = call, sight
        self.takes, self.types, self.generic, self.before, self.passed = [], [], "", [], []
        self.result, self.returned, self.length, self.many = "", "void", "", None
        self.options = "rest" if sight else "options"
        for parameter in call.parameters:
            getattr(self, parameter.kind)(parameter)

    def take(self, name, of, default=""):
        self.takes.append(name + default)
        optional = "?" if default and not of.endswith("NeighbourOptions") else ""
        self.types.append(f"{name}{optional}: {of}")

    def options_of(self, of):
        more = " & SightOptions" if self.sight and of == "QuestionOptions" else ""
        self.take("options", of + more, " = {}")

    def handle(self, of):
        if self.call.owner == "Batch":  # which is the crowd's own
            self.passed.append("this.handle")
        else:
            self.take(of.name, "Crowd")
            self.passed.append(f"{of.name}.handle")

    def questions(self, of):
        shapes, one = self.call.shapes, not of.name.endswith("s")
        if shapes in KINDS:
            self.generic = f"<Kind extends keyof {KINDS[shapes]}>"
            self.take("kind", "Kind")
            kind, shape = "kind", f"{KINDS[shapes]}[Kind]"
        else:
            kind, shape = f"'{shapes.lower()}'", shapes
        self.take(of.name, shape if one else f"Many<{shape}>")
        self.options_of("QuestionOptions")
        count = ", count" if self.call.of_kind("array_out") and not one else ""
        self.before.append(f"const [asked{count}] = questionsOf(machine, this.dimension, {kind}, {of.name}, "
                           f"{self.options});")
        self.passed.append("asked")
        self.length = "count"

    def points(self, of):
        self.take(of.name, "ArrayLike<number>")
        count = ", count" if self.call.of_kind("array_out") else ""
        self.before.append(f"const [from{count}] = pointsOf(machine, this.dimension, {of.name});")
        self.passed.append("from")
        self.length = "count"

    def wanted(self, of):
        called, options = WANTED[of.struct]
        self.options_of(options)
        self.before.append(f"const wanted = machine.make('{camel(of.struct)}', {self.options}, '{called}');")
        self.passed.append("wanted")
        if of.struct == "neighbourhood" and self.call.of_kind("array_out"):
            self.before.append("const count = machine.call('throng_answers_bound', this.handle, "
                               f"{self.options}.order ?? 0);")

    def agents(self, of):
        own = f"'{of.name}'"
        if of.name in ("points", "positions"):  # nothing else is used
            self.take(of.name, "Points")
            self.before.append(f"const {of.name}Given = agentsOf(machine, this.dimension, {of.name}, {{}}, {own});")
            self.passed.append(f"{of.name}Given")
            return
        self.take("positions", "Points")
        options = "{}"
        named = self.call.of_kind("array")
        if named and named.struct == "uint64_t":
            self.take(named.name, "Keys")  # before what may be left out
        if not named or named.struct != "agent_handle":  # which says who the agents are that move
            self.take("options", "AgentOptions", " = {}")
            options = "options"
        self.before.append(f"const agents = agentsOf(machine, this.dimension, positions, {options}, {own});")
        if self.call.of_kind("array_out"):
            self.before.append("const { count } = machine.read('agents', agents);")
        self.passed.append("agents")

    def executor(self, _):
        self.passed.append("0")

    def array(self, of):
        reader, kind = ARRAYS_TAKEN[of.struct]
        if of.name not in self.takes:
            self.take(of.name, kind)
        names = ["keysAt", "keysCount"] if of.struct == "uint64_t" else ["address", "count"]
        self.before.append(f"const [{', '.join(names)}] = {reader}(machine, {of.name});")
        self.passed += names

    def array_out(self, of):
        bytes_, kind, self.returned = ARRAYS[of.name if of.of == "void*" else of.struct]
        if kind.startswith("obstacle"):
            kind = f"`{kind}${{this.dimension}}`"
        columns = kind[0] == "`" or kind == "meeting"
        kind = kind if kind[0] == "`" else f"'{kind}'"
        times = "3 * " if of.struct == "agent_handle" else ""
        read = f"machine.columns({kind}, {of.name}, count)" if columns \
            else f"machine.array({kind}, {of.name}, {times}count).slice()"
        number = self.call.of_kind("number_out")
        if of.struct == "int8_t":  # a number for each axis
            self.before.append("const count = this.dimension * machine.read('agents', positionsGiven).count;")
        if number and number.name == "total":
            self.many = (bytes_, of.name, read)
        else:
            if self.call.parameters[0] is of:
                self.before.append("const count = this.size;")
            self.before.append(f"const {of.name} = machine.take({f'{bytes_} * ' if bytes_ > 1 else ''}count);")
            self.result = read
        self.passed += [of.name, "count"]

    def obstacle(self, _):
        self.generic = "<Kind extends keyof ObstacleShapes>"
        self.take("kind", "Kind")
        self.take("obstacle", "ObstacleShapes[Kind]")
        self.before += ["const [shape, struct] = shapeOf(kind, this.dimension);",
                        "const [address] = arrayOf(machine, struct, obstacle, kind);"]
        self.passed += ["shape", "address"]

    def number(self, of):
        self.take(of.name, "number", " = 0xFFFFFFFF" if of.name == "groups" else "")
        self.passed.append(of.name)

    def answer(self, of):
        self.result, self.returned = ANSWERS[of.struct]
        self.before.append(f"const answer = machine.make('{camel(of.struct)}');")
        self.passed.append("answer")

    def number_out(self, of):
        if self.call.of_kind("array_out"):
            self.passed.append("total" if self.many else "0")
            return
        self.before.append(f"const {of.name} = machine.take(8);")
        self.passed.append(of.name)
        self.result, self.returned = f"Number(machine.view('u64')[{of.name} / 8])", "number"

    def summary(self):
        own = self.call.doc_for("JS", lambda owner, name: f"{name[:1].lower()}{name[1:]}()")
        lines = textwrap.wrap(f"/** {own} */", WIDTH - 4, subsequent_indent="    ", break_long_words=False,
                              break_on_hyphens=False)
        return lines

    def text(self):
        batch = self.call.owner == "Batch"
        begin = ["this.begin();"] if batch else ["machine.begin();"]
        name, own = f"'{self.call.function}'", ["this.batch"] if batch else ["this.handle"]
        if self.sight:
            begin = ["const [obstacles, rest] = this.sight(options);"]
            name = f"obstacles.length ? '{self.sight}' : {name}"
            self.passed[0] += ", ...obstacles"
        asked = f"machine.call({', '.join([name] + own + self.passed)})"
        if self.many:
            bytes_, array, read = self.many
            end = [f"return manyOf(machine, {bytes_}, (count, {array}, total) => {asked}, ({array}, count) => {read});"]
        else:
            end = [f"{asked};"] + ([f"return {self.result};"] if self.result else [])
        lines = ["const { machine } = this;", *begin, *self.before, *end]
        return [*self.summary(), f"{self.call.js_name}({', '.join(self.takes)}) {{",
                *(piece for line in lines for piece in wrapped("    " + line)), "}"]

    def declared(self):
        head = f"{self.call.js_name}{self.generic}({', '.join(self.types)}): {self.returned};"
        return self.summary() + wrapped(head)


def wrapped(line):
    indent = " " * (len(line) - len(line.lstrip()))
    return textwrap.wrap(line.strip(), WIDTH - 4, initial_indent=indent, subsequent_indent=indent + "    ",
                         break_long_words=False, break_on_hyphens=False)


def classes(calls):
    """The name of each class, what it extends, and its methods."""
    functions = {call.function for call in calls}
    for name, (base, owners) in CLASSES.items():
        own = [call for call in calls if call.owner in owners and call.js_name]
        yield name, base, [Method(call, f"{call.function}_in_sight" if f"{call.function}_in_sight" in functions else "")
                           for call in own]


HEAD = """import { Asking, contactsOf, costsOf, Hits, manyOf, nearOf, Pairs } from './answers.mjs';
import { Held } from './held.mjs';
import { agentsOf, arrayOf, handlesOf, idsOf, keysOf, pointsOf, questionsOf, shapeOf } from './questions.mjs';
"""


def indented(lines):
    return [("    " + line).rstrip() for line in lines]


def module(note, calls):
    out = [note + HEAD]
    for name, base, methods in classes(calls):
        out.append(f"export class {name} extends {base} {{")
        for index, method in enumerate(methods):
            out += ([""] if index else []) + indented(method.text())
        out += ["}", ""]
    return "\n".join(out[:-1]) + "\n"


def name_of(name):
    """A name of throng.h in JavaScript."""
    if name.startswith("THRONG_BODY_"):
        return f"`Body.{name[len('THRONG_BODY_'):].lower()}`"
    if not name.endswith("()"):
        return camel(name)
    return f"{name[len('throng_'):-2].rpartition('_')[2]}()"


def interface(name, struct, needed):
    out = [f"/** {ABOUT[name]} */"] if name in ABOUT else []
    out.append(f"export interface {name} {{")
    for field in fields.fields_of(struct):
        own = field.doc_for(name_of)
        if field.enum:
            own += f" {'One of' if field.enum in ('Order', 'Body') else 'A sum of'} `{field.enum}`."
        if own:
            out += indented(textwrap.wrap(f"/** {own.strip()} */", WIDTH - 4, subsequent_indent="    "))
        of = STRUCTS.get(field.of, "string" if "char" in field.of else "boolean" if field.is_flag else "number")
        if "[" in field.name:
            of += "[]"
        if needed is None and of == "boolean":
            of = "number"
        word = camel(re.sub(r"\[\d\]", "", field.name))
        out.append(f"    {word}{'?' if needed is not None and field.name not in needed else ''}: {of};")
    return out + ["}"]


def types(note, calls):
    out = [note]
    for struct, (name, needed) in OPTIONS.items():
        out += interface(name, struct, needed)
    for struct, name in COUNTS.items():
        out += interface(name, struct, None)
    out.append("")
    for name, _, methods in classes(calls):
        out.append(f"export interface {name} {{")
        for method in methods:
            out += indented(method.declared())
        out += ["}", ""]
    return "\n".join(out[:-1]) + "\n"
