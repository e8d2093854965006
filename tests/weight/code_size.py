"""Functions in object files of Linux (ELF, 64 bits): how large they are, and which are alike."""

import struct

EXECUTED = 4  # SHF_EXECINSTR
RELOCATIONS = 4  # SHT_RELA
SYMBOLS = 2  # SHT_SYMTAB
FUNCTION = 2  # STT_FUNC
SECTION = 3  # STT_SECTION


class Section:
    def __init__(self, name, fields):
        self.name = name
        _, self.type, self.flags, _, self.offset, self.size, self.link, self.info, _, _ = fields


class Object:
    """`text`: bytes of machine code. `functions`: (name, bytes, what is filled in by the linker) of each function."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.content = file.read()
        if self.content[:6] != b"\x7fELF\x02\x01":
            raise OSError(f"{path} is no object file of Linux with 64 bits")
        start = struct.unpack_from("<Q", self.content, 40)[0]
        size, count, names = struct.unpack_from("<HHH", self.content, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.content, start + size * at) for at in range(count or 1)]
        if count == 0:  # more than fit there
            count, names = headers[0][5], names if names != 0xFFFF else headers[0][6]
            headers = [struct.unpack_from("<IIQQQQIIQQ", self.content, start + size * at) for at in range(count)]
        elif names == 0xFFFF:
            names = headers[0][6]
        texts = headers[names][4]
        self.sections = [Section(self.text_at(texts + header[0]), header) for header in headers]
        self.text = sum(section.size for section in self.sections if section.flags & EXECUTED)
        self.functions = list(self.read_functions())

    def text_at(self, offset):
        return self.content[offset:self.content.index(b"\0", offset)].decode()

    def read_functions(self):
        table = next((section for section in self.sections if section.type == SYMBOLS), None)
        if table is None:
            return
        texts = self.sections[table.link].offset
        symbols = []
        for offset in range(table.offset, table.offset + table.size, 24):
            name, info, _, section, value, size = struct.unpack_from("<IBBHQQ", self.content, offset)
            symbols.append((self.text_at(texts + name), info & 15, section, value, size))
        filled = {}
        for section in self.sections:
            if section.type == RELOCATIONS and self.sections[section.info].flags & EXECUTED:
                there = filled.setdefault(section.info, [])
                for offset in range(section.offset, section.offset + section.size, 24):
                    place, info, addend = struct.unpack_from("<QQq", self.content, offset)
                    symbol = symbols[info >> 32]
                    target = self.sections[symbol[2]].name if symbol[1] == SECTION else symbol[0]
                    there.append((place, info & 0xFFFFFFFF, target, addend))
        seen = set()
        for name, kind, section, value, size in symbols:
            # Constructors have two names for one body.
            if kind != FUNCTION or size == 0 or section >= len(self.sections) or (section, value) in seen:
                continue
            seen.add((section, value))
            start = self.sections[section].offset + value
            references = tuple(sorted((place - value, kind, target, addend) for place, kind, target, addend in filled.get(section, ())
                                      if value <= place < value + size))
            yield name, self.content[start:start + size], references


def alike(objects):
    """Bytes of functions whose like is there under another name: all but the first of each."""
    seen, bytes_twice = {}, 0
    for content in objects:
        for name, body, references in content.functions:
            names = seen.setdefault((body, references), set())
            if names and name not in names:
                bytes_twice += len(body)
            names.add(name)
    return bytes_twice
