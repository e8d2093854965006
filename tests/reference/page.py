"""The page of the reference, from what headers declare."""

import re

import text
from headers import Refused

NOISE = re.compile(r"\[\[nodiscard\]\] ?|\bTHRONG_\w+ ?|\b(?:constexpr|inline|explicit|friend|noexcept|mutable)\b ?")
# A comment that begins like this goes on from the one before it.
GOES_ON = ("The same", "Only how many", "And back")
SAME_AS = re.compile(r"(?:std::)?same_as<(.*)>$")


def plain(code):
    """Code without what every line would have."""
    code = NOISE.sub("", code).replace("<Dim>", "")
    code = re.sub(r"\bstd::(?:ranges::)?", "", code)
    code = re.sub(r"(\bExecutor& \w+) = serial_executor\(\)", r"[\1]", code)
    return " ".join(code.split())


def anchor(heading):
    """What GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def is_special(item, owner):
    """Constructors and assignments that copy, move or make nothing else than an object, and destructors."""
    if item.name.startswith("~"):
        return True
    like = rf"(?:const )?{owner}(?:<[^>]*>)?\s*&&?\s*\w*"
    if item.name == "operator=":
        return bool(re.fullmatch(like, item.text))
    return item.name == owner and bool(item.text == "" or re.fullmatch(like, item.text))


def is_shown(item, owner):
    if item.kind != "function":
        return item.kind != "forward" and not (item.comment and item.comment[-1].strip().endswith("Internal."))
    if "delete" in item.ending or (item.name.startswith("operator") and "default" in item.ending):
        return False
    return bool(item.comment) or not (is_special(item, owner) or "override" in item.ending)


def signature(item):
    """A call on one line, and what it answers, or "" if nothing."""
    arguments, name, result = item.text, plain(item.name), item.result
    explicit = []
    for parameter in item.template:
        constraint, _, parameter_name = parameter.rpartition(" ")
        whole = rf"\b{parameter_name}\b"
        if not re.search(whole, arguments):
            explicit.append(parameter_name)
        elif same := SAME_AS.match(constraint):
            arguments = re.sub(whole, same[1], arguments)
        elif not re.match(r"class|typename|template|std::size_t|auto", constraint) and "..." not in constraint:
            concept = re.sub(r"<.*>$", "", constraint)
            arguments = re.sub(whole + r"(?=[& ])", f"{concept} auto", arguments)
    if explicit and result:
        name += f"<{', '.join(explicit)}>"
    words = plain(result).split()
    before = "".join(word + " " for word in words if word in ("static", "virtual"))
    answer = " ".join(word for word in words if word not in ("static", "virtual", "void"))
    behind = "".join(f" {word}" for word in ("const",) if word in item.ending) + (" = 0" if "0" in item.ending else "")
    return f"{before}{name}({plain(arguments)}){behind}", answer


class Page:
    def __init__(self):
        self.lines = []
        self.places = {}  # where each type and each name is explained

    def answer(self, words):
        """The type of an answer, with a link if the page has it."""
        target = next((self.places[word] for word in re.findall(r"\w+", words) if word in self.places), None)
        return f"[`{words}`]({target})" if target else f"`{words}`"

    def call(self, item):
        code, answer = signature(item)
        return f"`{code}`" + (f" → {self.answer(answer)}" if answer else "")

    def name(self, item):
        """A constant, an alias or a concept, with its value if that says anything."""
        value = plain(item.text.removeprefix("= "))
        if item.kind == "concept" or len(value) > 90 or "+1 +1" in value:
            return f"`{plain(item.name)}`"
        return f"`{plain(item.name)} = {value}`"

    def calls(self, items, owner):
        """Calls and names as a list. Several that share a comment stay together, and one whose comment goes on from the
        comment before it is below that."""
        groups = []
        for item in items:
            if item.kind == "remark":
                groups.append([item])
                continue
            last = groups[-1] if groups else None
            joins = (item.kind == "function" and not item.comment and item.text and last and item.gap != "blank"
                     and last[0].kind == "function" and not last[0].trailing
                     and (item.gap == "" or (item.name != owner and item.name in [other.name for other in last])))
            if joins:
                last.append(item)
            else:
                groups.append([item])
        begun = False
        for group in groups:
            first = group[0]
            if first.kind == "remark":
                self.lines += [""] + text.markdown(first.comment) + [""]
                begun = False
                continue
            comment = first.comment
            below = begun and " ".join(comment).strip().startswith(GOES_ON)
            indent = "  " if below else ""
            shown = [self.call(item) if item.kind == "function" else self.name(item) for item in group]
            if first.trailing:
                shown[0] += ": " + text.cell(comment)
                comment = []
            self.lines.append(f"{indent}- " + f"<br>\n{indent}  ".join(shown) + ("<br>" if comment else ""))
            self.lines += text.markdown(comment, indent + "  ")
            begun = True
        self.lines.append("")

    def table(self, head, rows):
        self.lines += [f"| {head} | |", "|---|---|"]
        self.lines += [f"| {code} | {comment} |" for code, comment in rows]
        self.lines.append("")

    def members(self, items):
        """Data members, and constants of a class."""
        shown = [(re.sub(r" ?(?:= ?)?\{\}$", "", plain(item.text)) if item.kind == "member"
                  else self.name(item).strip("`"), text.cell(item.comment)) for item in items]
        if any(comment for _, comment in shown):
            self.table("member", [(text.code_cell(code), comment) for code, comment in shown])
        elif shown:
            head = "Constants: " if all(item.kind == "constant" for item in items) else "Members: "
            self.lines += text.wrapped(head + ", ".join(f"`{code}`" for code, _ in shown) + ".") + [""]

    def enumerators(self, items, of=""):
        shown = [(item.name + (f" = {item.text}" if item.text else ""), text.cell(item.comment)) for item in items]
        if any(comment for _, comment in shown):
            self.table(of or "value", [(text.code_cell(code), comment) for code, comment in shown])
        else:
            self.lines += text.wrapped(f"{of or 'Values'}: " + ", ".join(f"`{code}`" for code, _ in shown) + ".") + [""]

    def type(self, item, title, header, comment):
        self.lines += [f"### {title}", ""]
        made = f"[{header}](../{header})"
        if bases := re.findall(r"public (\w+)", item.bases):
            made += ", with all calls of " + " and ".join(self.answer(base) for base in bases)
        self.lines += [f"In {made}.", ""]
        if comment:
            self.lines += text.markdown(comment, most=1) + [""]
        if item.kind == "enum":
            self.enumerators(item.members)
            return
        inner = [member for member in item.members if is_shown(member, item.name)]
        self.members([member for member in inner if member.kind == "member" or member.kind == "constant"])
        for member in inner:
            if member.kind == "enum":
                self.enumerators(member.members, f"`{item.name}::{member.name}`")
            elif member.kind == "type":
                raise Refused(f"{header}:{member.line}: a class in a class; tests/reference/page.py must learn it")
        calls = [member for member in inner if member.kind in ("function", "alias", "remark")]
        if calls:
            self.calls(calls, item.name)

    def header(self, path, title, types, others, first):
        """What one header has; `types` with their titles and comments."""
        for item, heading, comment in types:
            self.type(item, heading, path, comment)
        if not others:
            return
        if title:
            self.lines += [f"### {title}", ""] + text.wrapped(f"In [{path}](../{path}). {text.marked(first)}") + [""]
        else:
            self.lines += [f"In the same header, {path.rsplit('/', 1)[-1]}:", ""]
        self.calls(others, None)
