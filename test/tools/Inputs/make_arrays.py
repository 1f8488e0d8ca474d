"""Writes the good and bad arrays and sequence files that the ragged-run tests read.

make_arrays.py FOLDER"""
import os
import struct
import sys

import numpy as np

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)


def path(name):
    return os.path.join(folder, name)


def write(name, data):
    with open(path(name), "wb") as file:
        file.write(data)


def header(text, version=1):
    data = text.encode()
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H", len(data)) + data


x = np.arange(6, dtype="<f4").reshape(3, 2)
np.save(path("x.npy"), x)  # three rows of two
np.save(path("more.npy"), np.arange(10, dtype="<f4").reshape(5, 2))
np.save(path("w.npy"), np.array([[1, 0], [0, 1], [1, 1]], "<f4"))
np.save(path("values.npy"), np.arange(12, dtype="<f4").reshape(6, 2))
np.save(path("lengths.npy"), np.array([2, 0, 1], "<i8"))
np.save(path("lengths32.npy"), np.array([2, 0, 1], "<i4"))
np.save(path("lengths2d.npy"), np.array([[2, 0, 1]], "<i8"))
np.save(path("negative.npy"), np.array([2, -1], "<i8"))
np.save(path("too_many.npy"), np.array([5, 2], "<i8"))
np.save(path("bf16.npy"), np.array([0x3F80, 0xC000, 0x7FC0], "<u2"))  # 1, -2, nan
np.save(path("i64.npy"), np.array([-(2**63), 0, 2**63 - 1], "<i8"))
np.save(path("truth.npy"), np.array([True, False, True]))
np.save(path("bytes.npy"), np.array([0, 255, 1], "u1").view("?"))  # any byte but 0 is true
np.save(path("false.npy"), np.array(False))
np.save(path("u1.npy"), np.array([1, 0, 1], "u1"))
np.save(path("square.npy"), np.array([[0.1, -0.0], [np.inf, 1e300]]))
np.save(path("scalar.npy"), np.array(0.5, "<f4"))
np.save(path("rows.npy"), np.array([[1, 2], [3, 4], [5, 6]], "<f4"))
np.save(path("pairs.npy"), np.arange(14, dtype="<f8").reshape(7, 2))
with open(path("version2.npy"), "wb") as file:
    np.lib.format.write_array(file, x, version=(2, 0))

whole = open(path("x.npy"), "rb").read()
np.save(path("big_endian.npy"), x.astype(">f4"))
np.save(path("fortran.npy"), np.asfortranarray(x))
np.save(path("f64.npy"), x.astype("<f8"))
np.save(path("objects.npy"), np.array([None]), allow_pickle=True)
np.save(path("few.npy"), x[:2])
np.save(path("wide.npy"), np.zeros((3, 3), "<f4"))
np.save(path("flat.npy"), np.zeros(6, "<f4"))
write("truncated.npy", whole[:-1])
write("short_header.npy", whole[:40])
write("short_length.npy", whole[:9])
write("empty.npy", b"")
write("no_array.npy", b"PK" + whole[2:])
write("version9.npy", whole[:6] + b"\x09\x00" + whole[8:])
shape = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s), }\n"
write("overflow.npy", header(shape % "99999999999, 99999999999"))
write("digits.npy", header(shape % ("9" * 30 + ", 2")))
write("huge.npy", header(shape % "1000000000000, 2"))
write("negative_shape.npy", header(shape % "-1, 2"))
write("many_dimensions.npy", header(shape % ("1, " * 100)))
write("structure.npy", header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1, 2)}"))
write("unended.npy", header("{'descr': '<f4"))
write("nested.npy", header("{" * 60000))
write("no_shape.npy", header("{'descr': '<f4', 'fortran_order': False, }"))
plain = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }"
write("after_brace.npy", header(plain + " 7\n") + x.tobytes())
write("no_comma.npy", header("{'descr': '<f4', 'fortran_order': False, 'shape': (6), }") + x.tobytes())
write("twice.npy", header(plain[:-1] + "'shape': (3, 2), }") + x.tobytes())
write("zero_in_type.npy", header("{'descr': '<f4\0x', 'fortran_order': False, 'shape': (3, 2), }"))
write("too_long.npy", whole + b"\0")
os.makedirs(path("folder.npy"), exist_ok=True)

write("three.fasta", b">one first\nABC\nDE\n\n>two\n>three\r\nA\r\n")
write("headless.fasta", b"ABC\n>one\nA\n")
write("empty.fasta", b"")
write("binary.fasta", b">one\nAB\0C\n")
write("text.fasta", b">one\nABC, D\n")
write("one.fasta", b">one\nAB\n")
# Comments, gaps, stops and counted columns are no residues: 3, 0, 1.
write("noise.fasta", b";by hand\n>one\n; none\n1 A-b.C*\n>two\r*\r>three\nx\n")
