#!/usr/bin/env python3
"""Calls the shared library from another language, as docs/hosts/c.md shows.

usage: foreign.py <library>     exits with 77 if it is not a shared one
"""

import sys

if ".so" not in sys.argv[1]:
    print("skipped: only a shared library can be loaded")
    sys.exit(77)
path = sys.argv[1]

import ctypes as c  # noqa: E402, from here on as shown
from ctypes import byref, c_double, c_float, c_int32, c_size_t, c_ssize_t, c_uint32, c_uint64, c_void_p

class Status(c.Structure):
    _fields_ = [("code", c_int32), ("reserved", c_uint32), ("argument", c.c_char_p), ("index", c_uint64)]

class Settings(c.Structure):
    _fields_ = [("struct_size", c_size_t), ("dimension", c_uint32), ("given", c_uint32), ("lo", c_float * 3),
                ("hi", c_float * 3), ("cell", c_float * 3), ("periodic", c_uint32), ("origin", c_double * 3),
                ("memory", c_void_p), ("kept", c_uint32), ("common_half_extent", c_float * 3)]

class Agents(c.Structure):
    _fields_ = [("struct_size", c_size_t), ("dimension", c_uint32), ("doubles", c_uint32), ("count", c_size_t),
                ("position", c_void_p * 3), ("position_stride", c_ssize_t * 3), ("half_extent", c_void_p * 3),
                ("half_extent_stride", c_ssize_t * 3), ("common_half_extent", c_float * 3),
                ("reserved", c_uint32), ("groups", c_void_p), ("groups_stride", c_ssize_t)]

class Questions(c.Structure):
    _fields_ = [("struct_size", c_size_t), ("shape", c_uint32), ("sets", c_uint32), ("shapes", c_void_p),
                ("count", c_size_t), ("filters", c_void_p), ("filter_count", c_size_t)]

def call(function, *arguments):
    """Raises what the library has to say."""
    function.restype = Status
    status = function(*arguments)
    if status.code:
        text = c.create_string_buffer(200)
        throng.throng_status_text(status, text, c_size_t(200))
        raise RuntimeError(text.value.decode())

throng, crowd = c.CDLL(path), c_void_p()
call(throng.throng_check_abi, c_uint32(2))
call(throng.throng_crowd_create, byref(Settings(c.sizeof(Settings), 2)), byref(crowd))
x, y = (c_float * 3)(1, 2, 50), (c_float * 3)(1, 1, 80)
agents = Agents(c.sizeof(Agents), 2, 0, 3, (c.addressof(x), c.addressof(y), None), (4, 4, 0))
call(throng.throng_crowd_update, crowd, byref(agents), None)
ball, ids, total = (c_float * 3)(1.5, 1, 2), (c_uint32 * 3)(), c_uint64()
question = Questions(c.sizeof(Questions), 22, 7, c.addressof(ball), 1)  # THRONG_BALL2, THRONG_EVERYBODY
call(throng.throng_query_one, crowd, byref(question), ids, c_size_t(3), byref(total))
print(f"{total.value} agents are near: {ids[0]} and {ids[1]}")
call(throng.throng_crowd_destroy, crowd)

# Mistakes give sentences, and never crashes, as docs/hosts/c.md says.
try:
    call(throng.throng_crowd_update, crowd, byref(agents), None)
except RuntimeError as error:
    print(error)
