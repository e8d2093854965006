"""What a header declares, with its comments.

It reads as much of C++ as the public headers of this library use, and refuses the rest, so that nothing is left out
unseen.
"""

import dataclasses
import re

TOKEN = re.compile(r"""
      (?P<blank>\n[ \t]*(?=\n))
    | (?P<space>[ \t\v]+|\n)
    | (?P<after>///<[^\n]*)
    | (?P<doc>///[^\n]*)
    | (?P<remark>//[^\n]*|/\*.*?\*/)
    | (?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])')
    | (?P<word>[A-Za-z_]\w*)
    | (?P<number>\d[\w'.]*)
    | (?P<mark>::|->|\.\.\.|&&|\|\||.)
    """, re.VERBOSE | re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|[^\n])*$", re.MULTILINE)
DEFINE = re.compile(r"#\s*define\s+(\w+)\(([^)]*)\)\s*(.*)", re.DOTALL)
CLOSING = {"(": ")", "[": "]", "{": "}"}
TYPES = {"class", "struct", "union", "enum"}
LABELS = {"public", "private", "protected"}


class Refused(Exception):
    """Something that cannot be done, in a sentence."""


@dataclasses.dataclass
class Token:
    kind: str
    value: str
    start: int
    end: int
    lead: list  # the comments and empty lines before it: (kind, text, whether it begins a line)


@dataclasses.dataclass
class Item:
    """A declaration; or a remark, a comment between two empty lines that is about all declarations behind it."""
    kind: str  # type, enum, forward, function, member, constant, alias, concept, enumerator, remark
    name: str
    line: int
    text: str = ""  # of a function its arguments, of others what they are or are set to
    result: str = ""  # of a function
    ending: frozenset = frozenset()  # words behind a function's arguments: const, override, default, delete, 0
    template: tuple = ()  # its template parameters; of a class, its own
    special: str = ""  # arguments of a specialisation
    bases: str = ""
    friend: bool = False
    comment: list = dataclasses.field(default_factory=list)  # lines
    trailing: bool = False  # the comment stands behind it, and so is about nothing else
    gap: str = ""  # between it and the declaration before it: "", remark or blank
    members: list = dataclasses.field(default_factory=list)


def expanded(text, macros):
    """The text without directives. A list of the kind LIST(M), whose M is a macro too, is written out; where M declares
    functions, M stands there once, with its own parameters. `macros` gets those that the text defines."""

    def call(name, arguments, depth=0):
        parameters, body = macros[name]
        for parameter, argument in zip(parameters, arguments):
            body = re.sub(rf"\b{parameter}\b", argument, body)
        if depth < 4:
            body = re.sub(r"\b(\w+)\(([^()]*)\)", lambda found: call(found[1], split(found[2]), depth + 1)
                          if found[1] in macros else found[0], body)
        return body

    def split(arguments):
        return [argument.strip() for argument in arguments.split(",")]

    def list_of(found):
        name, argument = found[1], found[2]
        if name not in macros or argument not in macros:
            return found[0]
        return macros[argument][1] if macros[argument][1].endswith(";") else call(name, [argument])

    parts, at = [], 0
    for directive in DIRECTIVE.finditer(text):
        parts.append(re.sub(r"\b(THRONG_\w+)\((\w+)\)", list_of, text[at:directive.start()]))
        at = directive.end()
        # Not an empty line: a comment before a directive belongs to what is behind it.
        parts.append("\v" + "\n\v" * directive[0].count("\n"))
        if define := DEFINE.match(directive[0].strip()):
            body = " ".join(define[3].replace("\\\n", " ").split())
            macros[define[1]] = ([parameter.strip() for parameter in define[2].split(",")], body)
    return "".join(parts) + re.sub(r"\b(THRONG_\w+)\((\w+)\)", list_of, text[at:])


class Header:
    def __init__(self, path, text, macros=None):
        self.path = path
        self.first = " ".join(re.match(r"(?://[^\n]*\n)*", text)[0].replace("//", "").split())
        self.source = expanded(text, {} if macros is None else macros)
        self.tokens, self.pair = [], {}
        lead, opened, begins_line = [], [], True
        for found in TOKEN.finditer(self.source):
            kind, value = found.lastgroup, found[0]
            if kind in ("blank", "after", "doc", "remark"):
                lead.append((kind, value, begins_line))
            elif kind != "space":
                if value in CLOSING:
                    opened.append(len(self.tokens))
                elif value in CLOSING.values():
                    if not opened or CLOSING[self.tokens[opened[-1]].value] != value:
                        raise Refused(f"{path}:{self.line_of(found.start())}: nothing is open that {value} closes")
                    self.pair[opened.pop()] = len(self.tokens)
                self.tokens.append(Token(kind, value, found.start(), found.end(), lead))
                lead = []
            begins_line = value.startswith("\n") if kind in ("blank", "space") and "\n" in value else \
                begins_line and kind == "space"
        if opened:
            raise Refused(f"{path}:{self.line(opened[-1])}: never closed")
        self.tokens.append(Token("end", "", len(self.source), len(self.source), lead))
        self.items = self.scope(0, len(self.tokens) - 1, None, True)

    def line_of(self, offset):
        return self.source.count("\n", 0, offset) + 1

    def line(self, at):
        return self.line_of(self.tokens[at].start)

    def refuse(self, at, why):
        raise Refused(f"{self.path}:{self.line(at)}: {why}; tests/reference/headers.py must learn it")

    def value(self, at):
        return self.tokens[at].value

    def joined(self, at, end):
        """The source of some tokens, on one line and without comments."""
        out = ""
        for here, token in enumerate(self.tokens[at:end], at):
            if out and self.tokens[here - 1].end != token.start:
                out += " "
            out += token.value
        return out

    def angle(self, at):
        """The end of what `<` opens."""
        depth = 0
        while True:
            value = self.value(at)
            if value in CLOSING:
                at = self.pair[at]
            elif value == "<":
                depth += 1
            elif value == ">":
                depth -= 1
                if depth == 0:
                    return at
            elif value in (";", ""):
                self.refuse(at, "no > ends what < has begun")
            at += 1

    def parts(self, at, end):
        """Where parameters, of templates or enumerators, begin and end."""
        begin, angles = at, 0
        while at < end:
            value = self.value(at)
            if value in CLOSING:
                at = self.pair[at]
            elif value == "," and angles == 0:
                yield begin, at
                begin = at + 1
            angles += (value == "<") - (value == ">")
            at += 1
        if begin < end:
            yield begin, end

    def after_requires(self, at):
        """Behind a requires-clause, if there is one."""
        if self.value(at) != "requires":
            return at
        while True:
            at += 1
            if self.value(at) == "requires":
                at += 1
                if self.value(at) == "(":
                    at = self.pair[at] + 1
                at = self.pair[at] + 1
            elif self.value(at) == "(":
                at = self.pair[at] + 1
            else:
                while self.tokens[at].kind == "word" or self.value(at) == "::":
                    at += 1
                    if self.value(at) == "<":
                        at = self.angle(at) + 1
            if self.value(at) not in ("&&", "||"):
                return at

    def semicolon(self, at):
        while self.value(at) != ";":
            at = self.pair.get(at, at) + 1
            if self.value(at) == "":
                self.refuse(at, "no semicolon")
        return at

    def scope(self, at, end, owner, public):
        """The public declarations of a namespace or a class."""
        items, last = [], None
        while True:
            doc, remark, gap = [], [], ""
            for kind, text, begins_line in self.tokens[at].lead:
                if kind == "after" and last is not None:
                    last.comment.append(text[4:])
                    last.trailing = True
                elif kind == "doc":
                    doc.append(text[3:])
                elif kind == "remark" and begins_line:
                    remark.append(text[2:])
                    gap = gap or "remark"
                elif kind == "blank":
                    if remark and public and owner is not None:
                        items.append(Item("remark", "", self.line(at), comment=remark))
                    doc, remark, gap = [], [], "blank"
            if at >= end:
                return items
            value = self.value(at)
            if value in LABELS and self.value(at + 1) == ":":
                public = value == "public"
                at += 2
                last = None
            elif value == ";":
                at += 1
            elif value == "namespace":
                if owner:
                    self.refuse(at, "a namespace in a class")
                begin = at
                while self.value(at) != "{":
                    at += 1
                name = self.joined(begin + 1, at)
                if name == "throng":
                    items += self.scope(at + 1, self.pair[at], "", True)
                elif not re.fullmatch(r"(throng::)?(detail|simd)", name):
                    self.refuse(begin, f"a namespace {name}")
                at = self.pair[at] + 1
            elif value == "extern":
                at = self.pair[at + 2] + 1 if self.value(at + 2) == "{" else self.semicolon(at) + 1
            elif value == "static_assert":
                at = self.semicolon(at) + 1
            else:
                last, at = self.declaration(at, owner)
                if last is not None:
                    last.comment, last.gap = doc, gap
                    # Outside of namespace throng there are only specialisations for std.
                    if public and owner is not None:
                        items.append(last)

    def declaration(self, at, owner):
        begin, friend, template = at, False, ()
        while self.value(at) == "template":
            if self.value(at + 1) != "<":
                self.refuse(at, "an instantiation")
            close = self.angle(at + 1)
            template += tuple(self.joined(*part) for part in self.parts(at + 2, close))
            at = self.after_requires(close + 1)
        value = self.value(at)
        if value == "friend":
            if self.value(at + 1) in TYPES:
                return None, self.semicolon(at) + 1
            friend, at = True, at + 1
        if value in TYPES:
            return self.type(at, template)
        if value in ("using", "concept"):
            close = self.semicolon(at)
            if self.value(at + 2) != "=":
                self.refuse(at, f"{value} without =")
            kind = "alias" if value == "using" else "concept"
            item = Item(kind, self.value(at + 1), self.line(begin), self.joined(at + 3, close), template=template)
            return item, close + 1
        here = name_at = at
        while True:
            value = self.value(here)
            if value == "operator":
                name_at = here
                here += 3 if self.value(here + 1) == "(" else 1
                while self.value(here) != "(":
                    here += 1
                return self.function(at, name_at, here, template, friend, begin)
            if value == "(" and self.value(here + 1) != "*":
                name_at = here - 2 if self.value(here - 2) == "~" else here - 1
                return self.function(at, name_at, here, template, friend, begin)
            if value in ("(", "=", ";", "{"):
                return self.variable(at, name_at, here, owner, template)
            if value == "alignas":
                here += 1
            if value == "[" or value == "(":
                here = self.pair[here]
            elif self.tokens[here].kind == "word":
                name_at = here
                here = self.angle(here + 1) if self.value(here + 1) == "<" else here
            elif value in ("}", ""):
                self.refuse(begin, "no declaration that it knows")
            here += 1

    def type(self, at, template):
        begin, keyword = at, self.value(at)
        at += 2 if self.value(at + 1) in TYPES else 1
        while True:
            if self.value(at) == "[":
                at = self.pair[at] + 1
            elif self.value(at) == "alignas":
                at = self.pair[at + 1] + 1
            elif self.value(at).startswith("THRONG_"):
                at += 1
            else:
                break
        while self.value(at + 1) == "::":
            at += 2
        kind = "enum" if keyword == "enum" else "type"
        item = Item(kind, self.value(at), self.line(begin), keyword, template=template)
        at += 1
        if self.value(at) == "<":
            item.special = self.joined(at + 1, self.angle(at))
            at = self.angle(at) + 1
        bases = at
        while self.value(at) not in ("{", ";"):
            at += 1
        if self.value(at) == ";":
            item.kind = "forward"
            return item, at + 1
        item.bases = self.joined(bases, at)
        if keyword == "enum":
            item.members = self.enumerators(at + 1, self.pair[at])
        else:
            item.members = self.scope(at + 1, self.pair[at], item.name, keyword != "class")
        return item, self.semicolon(self.pair[at]) + 1

    def enumerators(self, at, end):
        items = []
        for begin, close in self.parts(at, end):
            text = self.joined(begin + 2, close) if self.value(begin + 1) == "=" else ""
            items.append(Item("enumerator", self.value(begin), self.line(begin), text))
            items[-1].comment = [line[3:] for kind, line, _ in self.tokens[begin].lead if kind == "doc"]
            # Behind the comma, and so before the next.
            behind = self.tokens[min(close + 1, end)].lead
            items[-1].comment += [line[4:] for kind, line, _ in behind if kind == "after"]
        return items

    def variable(self, at, name_at, here, owner, template):
        close = self.semicolon(here)
        text = self.joined(at, close)
        name = self.joined(name_at, here) if self.value(here) != "(" else self.value(here + 2)
        kind = "constant" if "constexpr" in text.split() or not owner else "member"
        shown = self.joined(here, close) if kind == "constant" else text
        return Item(kind, name, self.line(at), shown, template=template), close + 1

    def function(self, at, name_at, here, template, friend, begin):
        item = Item("function", self.joined(name_at, here), self.line(begin), self.joined(here + 1, self.pair[here]),
                    self.joined(at, name_at), template=template, friend=friend)
        at, ending = self.pair[here] + 1, []
        while True:
            value = self.value(at)
            if value in ("const", "override", "final", "&", "&&"):
                ending.append(value)
            elif value == "requires":
                at = self.after_requires(at) - 1
            elif value == "noexcept":
                at = self.pair[at + 1] if self.value(at + 1) == "(" else at
            elif value == "[":
                at = self.pair[at]
            elif value == "->":
                begin = at + 1
                while self.value(at) not in ("{", ";"):
                    at += 1
                item.result = self.joined(begin, at)
                at -= 1
            elif value == "=":
                ending.append(self.value(at + 1))
                at += 1
            elif value == ":":
                at = self.after_initialisers(at + 1) - 1
            elif value == "{":
                at = self.pair[at] + 1
                break
            elif value == ";":
                at += 1
                break
            else:
                self.refuse(at, f"{value} behind the arguments of {item.name}()")
            at += 1
        item.ending = frozenset(ending)
        return item, at

    def after_initialisers(self, at):
        """The body of a constructor, behind the values of its members."""
        while True:
            while self.value(at) not in ("(", "{"):
                at = self.angle(at) + 1 if self.value(at) == "<" else at + 1
            at = self.pair[at] + 1
            if self.value(at) != ",":
                return at
            at += 1
