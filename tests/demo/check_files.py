# check_files.py <name> <width> <height> <agents> <frames>: whether <name>.png, .ply, .usda and .csv,
# as far as they are there, hold what they should.
import csv
import os
import re
import struct
import sys
import zlib

name = sys.argv[1]
width, height, agents, frames = map(int, sys.argv[2:])


def check_png(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, stream, chunks = 8, b"", []
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        (crc,) = struct.unpack(">I", data[at + 8 + length : at + 12 + length])
        assert crc == zlib.crc32(kind + body), "crc"
        chunks.append(kind)
        if kind == b"IHDR":
            assert struct.unpack(">IIBBBBB", body) == (width, height, 8, 2, 0, 0, 0)
        if kind == b"IDAT":
            stream += body
        at += 12 + length
    assert chunks == [b"IHDR", b"IDAT", b"IEND"], chunks
    rows = zlib.decompress(stream)
    assert len(rows) == height * (1 + 3 * width)
    # Undone as readers of PNG do: from the left, or from above.
    above = bytearray(3 * width)
    colours = set()
    for y in range(height):
        begin = y * (1 + 3 * width)
        how, row = rows[begin], bytearray(rows[begin + 1 : begin + 1 + 3 * width])
        assert how in (1, 2)
        if how == 1:
            for i in range(3, len(row)):
                row[i] = (row[i] + row[i - 3]) & 255
        else:
            row = bytearray((a + b) & 255 for a, b in zip(row, above))
        colours.update(row[i : i + 3].hex() for i in range(0, len(row), 30))
        above = row
    # The background is there, and others are too.
    assert "07080f" in colours and len(colours) > 20, sorted(colours)[:20]


def check_ply(data):
    head, body = data.split(b"end_header\n", 1)
    assert head.startswith(b"ply\nformat binary_little_endian 1.0\n")
    assert b"element vertex %d\n" % agents in head
    vertices = list(struct.iter_unpack("<ffffI", body))
    assert len(vertices) == agents
    assert all(v[3] > 0 for v in vertices) and any(v[4] > 0 for v in vertices)
    return vertices


def check_usda(text, vertices):
    assert text.startswith("#usda 1.0\n") and text.count("{") == text.count("}") == 1
    points = re.findall(r"\(([^,()]+), ([^,()]+), ([^,()]+)\)", text)
    assert len(points) == agents
    # Numbers that come back as the same floats.
    for point, vertex in zip(points, vertices):
        assert all(struct.unpack("f", struct.pack("f", float(p)))[0] == v for p, v in zip(point, vertex))
    widths = re.search(r"float\[\] widths = \[([^]]*)\]", text).group(1).split(", ")
    near = re.search(r"int\[\] primvars:neighbours = \[([^]]*)\]", text).group(1).split(", ")
    assert len(widths) == agents and [int(n) for n in near] == [v[4] for v in vertices]


def check_csv(rows, vertices):
    assert len(rows) == frames and [int(row["frame"]) for row in rows] == list(range(1, frames + 1))
    for row in rows:
        parts = sum(float(row[part + "_ms"]) for part in ("move", "update", "query", "collide"))
        assert 0 < parts <= float(row["frame_ms"]) + 0.01
    assert int(rows[-1]["neighbours"]) == sum(v[4] for v in vertices)


with open(name + ".png", "rb") as file:
    check_png(file.read())
with open(name + ".ply", "rb") as file:
    vertices = check_ply(file.read())
if os.path.exists(name + ".usda"):
    with open(name + ".usda") as file:
        check_usda(file.read(), vertices)
if os.path.exists(name + ".csv"):
    with open(name + ".csv", newline="") as file:
        check_csv(list(csv.DictReader(file)), vertices)
