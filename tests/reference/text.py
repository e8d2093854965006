"""Comments of headers as Markdown."""

import re
import textwrap

WIDTH = 118
# What is code though no backticks say so: calls, members, elements, constants, names of several words, files.
WORD = re.compile(r"~?[A-Za-z_]\w*(?:::~?\w+)*(?:/\w+)*"
                  r"(?:\.[A-Za-z_]\w*|<[\w:]+(?:\([\w:]*\))?>|\([^()]*\)|\[[^\]\s]*\]|\{\})*")
CODE = re.compile(r".*[\w>]\(.*\)|.*::|.*\w\[.*\]|.*\w<.*>|.*\{\}|k[A-Z]|.*\w_\w|(?:[A-Z][a-z]+){2,}$"
                  r"|[a-z]{2,}\.[a-z]{2,}$|.*\.hpp$")
PAGE = re.compile(r"\bdocs/([\w/-]+\.md)\b")
DEMAND = re.compile(r"\b([Rr]efuse[sd]?|must not|must|may not)\b")
# Wrapped lines must not begin with what Markdown takes for a list, a heading or a quotation.
MARKS = re.compile(r" (?=(?:[-+*=#>]|\d+[.)]) )")
KEPT = "\x00"


def outside(text, change):
    """Changes what is not between backticks."""
    parts = text.split("`")
    return "`".join(part if at % 2 else change(part) for at, part in enumerate(parts))


def marked(text, demands=True):
    """One paragraph, with its code and its demands marked."""

    def code(found):
        return f"`{found[0]}`" if CODE.match(found[0]) else found[0]

    def prose(part):
        part = re.sub(r"<(?=[\w/])", "&lt;", part)
        return DEMAND.sub(r"**\1**", part) if demands else part

    links = []

    def link(found):
        links.append(f"[{found[1].rsplit('/', 1)[-1]}]({found[1]})")
        return f"{KEPT}{len(links) - 1}{KEPT}"

    text = outside(text, lambda part: WORD.sub(code, PAGE.sub(link, part)))
    text = outside(text, prose)
    return re.sub(f"{KEPT}(\\d+){KEPT}", lambda found: links[int(found[1])], text)


def paragraphs(comment):
    """(kind, lines) of each paragraph; kinds are text, list, code and table."""
    found, ended = [], True
    for line in comment:
        line = line[1:] if line.startswith(" ") else line
        if not line.strip():
            ended = True
            continue
        kind = "code" if line.startswith("    ") and (ended or found[-1][0] == "code") else \
            "table" if line.startswith("|") or (not ended and found[-1][0] == "table") else \
            "list" if line.startswith("* ") or (not ended and found[-1][0] == "list") else "text"
        if kind == "code" and found and found[-1][0] == "code" or not ended and kind == found[-1][0]:
            if kind == "code" and ended:
                found[-1][1].append("")
            found[-1][1].append(line)
        else:
            found.append((kind, [line]))
        ended = False
    return found


def wrapped(text, indent="", first=None):
    """Lines of a paragraph, none of which Markdown takes for anything else."""
    kept = re.sub(r"`[^`]{1,70}`", lambda code: code[0].replace(" ", KEPT), text)
    kept = MARKS.sub(KEPT, kept)
    kept = re.sub(r"(?<= [-+*=#>]) |(?<=\x00[-+*=#>]) ", KEPT, kept)
    lines = textwrap.wrap(kept, WIDTH, initial_indent=indent if first is None else first, subsequent_indent=indent,
                          break_long_words=False, break_on_hyphens=False)
    return [line.replace(KEPT, " ") for line in lines]


def markdown(comment, indent="", most=None):
    """A comment as lines; `most`: no more paragraphs than these."""
    out = []
    for kind, lines in paragraphs(comment)[:most]:
        if out:
            out.append("")
        if kind == "text":
            out += wrapped(marked(" ".join(lines)), indent)
        elif kind == "code":
            out += [indent + "```cpp"] + [(indent + line[4:]).rstrip() for line in lines] + [indent + "```"]
        elif kind == "list":
            entries = []
            for line in lines:
                if line.startswith("* "):
                    entries.append(line[2:])
                else:
                    entries[-1] += " " + line.strip()
            for entry in entries:
                out += wrapped(marked(entry), indent + "  ", indent + "* ")
        else:
            rows = []
            for line in lines:
                rows[-1:] = [rows[-1] + " " + line] if rows and not rows[-1].endswith("|") else rows[-1:] + [line]
            out += [indent + marked(row) for row in rows]
    return out


def cell(comment):
    """A comment in a table."""
    texts = [" ".join(line.strip() for line in lines) for _, lines in paragraphs(comment)]
    return "<br>".join(marked(text) for text in texts).replace("|", "\\|")


def code_cell(text):
    return "`" + text.replace("|", "\\|") + "`"
