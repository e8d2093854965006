"""The fields of structures of throng.h, with what it says of each, for the generators of classes in other languages."""

import os
import re

import header as header_of_c

# What a field of this name holds; in a pairing, sets are those of pairs.
ENUMS = {"sets": "Sets", "order": "Order", "body": "Body"}
FLAGS = {"with_self", "later_only", "large_first"}
# Where a comment says no more than the type.
WORDS = {"order": "The k-th answer is that of the k-th id of throng_crowd_order(), or that of agent k.",
         "with_self": "Whether agents find themselves."}


class Field:
    def __init__(self, struct, of, name, doc):
        self.of, self.name, self.doc = of.strip(), name, doc or WORDS.get(name, "")
        self.is_flag = name in FLAGS
        self.enum = "PairSets" if (struct, name) == ("throng_pairing", "sets") else ENUMS.get(name)

    def doc_for(self, name_of):
        """In the words of a language; `name_of` says what it calls a name of throng.h."""
        return re.sub(r"\b(THRONG_\w+|throng_\w+\(\)|with_self\b)", lambda part: name_of(part.group(1)), self.doc)


def sentence(text):
    """What a comment says, but for what types say where there are such."""
    text = " ".join(text.split())
    text = re.sub(r"[:,]? ?\b(?:one of|a sum of|a) throng_\w+\b(?!\()", "", text)
    text = re.sub(r"^0 or 1\.? ?(?:With 1 )?", "", text).replace("; valid for ever", "")
    text = re.sub(r"^1 if ", "whether ", text).strip()
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}" if text else ""


def fields_of(struct):
    """All but those that are for the library alone."""
    with open(os.path.join(header_of_c.ROOT, "throng.h"), encoding="utf-8") as file:
        body = re.search(rf"typedef struct {struct} \{{(.*?)\}} {struct};", file.read(), flags=re.S).group(1)
    fields, before = [], ""
    for gap, comment, declared in re.findall(r"(\s*)(?:/\*(.*?)\*/|([^;/]+);)", body, flags=re.S):
        if comment and "\n" in gap:
            before = comment
        elif comment:
            for field in fields[-names:]:
                field.doc = sentence(comment) or field.doc
        else:
            of, first = re.match(r"(.*?)(\w+(?:\[\d\])?(?:, \w+)*)$", declared.strip()).groups()
            names = first.count(",") + 1
            fields += [Field(struct, of, name, sentence(before)) for name in first.split(", ")]
            before = ""
    return [field for field in fields if not re.match("struct_size|reserved", field.name)]
