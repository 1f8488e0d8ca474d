"""Writes docs/reference/status.md: op x element type x executor, found by trying.

    /usr/bin/python3 docs/status_table.py build docs/reference/status.md

Each op gets one small program per element type. `ragged-opt` says whether the types are legal and
whether the program lowers to the CPU, `ragged-run --target=reference` whether the interpreter
evaluates it. Elementwise ops are read from dialect/elementwise.def; every other op that the generated
reference of the dialect lists needs a program in PROGRAMS, or this script fails. The test is
test/tools/examples.test; it shows what exists, not that the numbers are right (see docs/testing.md).
"""
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ELEMENT_TYPES = ["f64", "f32", "bf16", "i64"]
X = "!ragged.tensor<[n, 3], T>"
ANY = "!ragged.tensor<*, T>"

# Op → (arguments, body, result type). The body defines %r; T stands for the element type.
PROGRAMS = {
    "from_values": ("%x: " + X, """
  %v = ragged.values %x : !ragged.tensor<[n, 3], T> -> tensor<?x3xT>
  %l = ragged.extents %x dim = 0 : !ragged.tensor<[n, 3], T> -> tensor<?xi64>
  %k = ragged.from_values %v, %l axes = ["k"]
      : tensor<?x3xT>, tensor<?xi64> -> !ragged.tensor<[k, 3], T>
  %r = ragged.extents %k dim = 0 : !ragged.tensor<[k, 3], T> -> tensor<?xi64>""", "tensor<?xi64>"),
    "from_offsets": ("%x: " + X, """
  %v = ragged.values %x : !ragged.tensor<[n, 3], T> -> tensor<?x3xT>
  %o = ragged.offsets %x : !ragged.tensor<[n, 3], T> -> tensor<?xi64>
  %k = ragged.from_offsets %v, %o axes = ["k"]
      : tensor<?x3xT>, tensor<?xi64> -> !ragged.tensor<[k, 3], T>
  %r = ragged.extents %k dim = 0 : !ragged.tensor<[k, 3], T> -> tensor<?xi64>""", "tensor<?xi64>"),
    "pack": ("%x: " + X, """
  %p = ragged.unpack %x : !ragged.tensor<[n, 3], T> -> tensor<?x?x3xT>
  %l = ragged.extents %x dim = 0 : !ragged.tensor<[n, 3], T> -> tensor<?xi64>
  %k = ragged.pack %p, %l axes = ["k"]
      : tensor<?x?x3xT>, tensor<?xi64> -> !ragged.tensor<[k, 3], T>
  %r = ragged.values %k : !ragged.tensor<[k, 3], T> -> tensor<?x3xT>""", "tensor<?x3xT>"),
    "values": ("%x: " + X, """
  %r = ragged.values %x : !ragged.tensor<[n, 3], T> -> tensor<?x3xT>""", "tensor<?x3xT>"),
    "unpack": ("%x: " + X, """
  %r = ragged.unpack %x : !ragged.tensor<[n, 3], T> -> tensor<?x?x3xT>""", "tensor<?x?x3xT>"),
    "extents": ("%x: " + X, """
  %r = ragged.extents %x dim = 0 : !ragged.tensor<[n, 3], T> -> tensor<?xi64>""", "tensor<?xi64>"),
    "offsets": ("%x: " + X, """
  %r = ragged.offsets %x : !ragged.tensor<[n, 3], T> -> tensor<?xi64>""", "tensor<?xi64>"),
    "expand_dims": ("%x: " + X, """
  %r = ragged.expand_dims %x dim = 1 : !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "squeeze": ("%x: !ragged.tensor<[n, 1], T>", """
  %r = ragged.squeeze %x dims = [1] : !ragged.tensor<[n, 1], T> -> !ragged.tensor<*, T>""", ANY),
    "broadcast": ("%x: " + X + ", %w: tensor<3xT>", """
  %r = ragged.broadcast %w dims = [1] like %x
      : tensor<3xT>, !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "transpose": ("%x: " + X, """
  %r = ragged.transpose %x permutation = [1, 0]
      : !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "reorder": ("%x: !ragged.tensor<[n, n, 3], T>", """
  %r = ragged.reorder %x order = [1, 0, 2]
      : !ragged.tensor<[n, n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "assume_same_axis": ("%x: !ragged.tensor<[m, 3], T>, %y: " + X, """
  %r = ragged.assume_same_axis %x from = "m" to = "n" like %y
      : !ragged.tensor<[m, 3], T>, !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "schema_cast": ("%x: " + X, """
  %r = ragged.schema_cast %x : !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "linear": ("%x: " + X + ", %w: tensor<5x3xT>, %b: tensor<5xT>", """
  %r = ragged.linear %x, %w, %b dim = 1
      : !ragged.tensor<[n, 3], T>, tensor<5x3xT>, tensor<5xT> -> !ragged.tensor<*, T>""", ANY),
    "product_over_rows": ("%x: " + X + ", %y: !ragged.tensor<[n, 5], T>", """
  %r = ragged.product_over_rows %x, %y dims = [1, 1]
      : !ragged.tensor<[n, 3], T>, !ragged.tensor<[n, 5], T> -> tensor<5x3xT>""", "tensor<5x3xT>"),
    "argmax": ("%x: !ragged.tensor<[n, n, 3], T>", """
  %r = ragged.argmax %x dims = [1]
      : !ragged.tensor<[n, n, 3], T> -> !ragged.tensor<*, i64>""", "!ragged.tensor<*, i64>"),
    "scatter_max": ("%y: " + X + ", %p: !ragged.tensor<[n, 3], i64>, %x: !ragged.tensor<[n, n, 3], f32>", """
  %r = ragged.scatter_max %y, %p dims = [1] like %x
      : !ragged.tensor<[n, 3], T>, !ragged.tensor<[n, 3], i64>, !ragged.tensor<[n, n, 3], f32>
      -> !ragged.tensor<*, T>""", ANY),
    "layer_norm": ("%x: " + X + ", %w: tensor<3xT>, %b: tensor<3xT>", """
  %r = ragged.layer_norm %x, %w, %b dims = [1] eps = 1.0e-5
      : !ragged.tensor<[n, 3], T>, tensor<3xT>, tensor<3xT> -> !ragged.tensor<*, T>""", ANY),
    "softmax": ("%x: " + X, """
  %r = ragged.softmax %x dim = 1 : !ragged.tensor<[n, 3], T> -> !ragged.tensor<*, T>""", ANY),
    "call": ("%x: " + X, """
  %r = ragged.call @twice(%x) : (!ragged.tensor<[n, 3], T>) -> !ragged.tensor<[n, 3], T>""", X),
}
for reduction in ["sum", "mean", "max"]:
    PROGRAMS[reduction] = ("%x: !ragged.tensor<[n, n, 3], T>", f"""
  %r = ragged.{reduction} %x dims = [1]
      : !ragged.tensor<[n, n, 3], T> -> !ragged.tensor<*, T>""", ANY)

CALLEE = """func.func private @twice(%x: !ragged.tensor<[k, 3], T>) -> !ragged.tensor<[k, 3], T> {
  %r = ragged.add %x, %x
      : !ragged.tensor<[k, 3], T>, !ragged.tensor<[k, 3], T> -> !ragged.tensor<[k, 3], T>
  return %r : !ragged.tensor<[k, 3], T>
}
"""

# Section of the table → ODS file; elementwise ops have a file that is made from the .def.
FAMILIES = [
    ("Conversion", "RaggedConversionOps.td"),
    ("Structure", "RaggedStructureOps.td"),
    ("Elementwise", None),
    ("Reduction", "RaggedReductionOps.td"),
    ("Contraction", "RaggedLinearOps.td"),
    ("Normalisation", "RaggedNormalizationOps.td"),
    ("Calls", "RaggedCallOps.td"),
]


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def add_elementwise(source):
    """Programs for the rows of elementwise.def; returns their names in its order."""
    names = []
    rows = re.findall(r"^RAGGED_(UNARY|BINARY)\(\w+, (\w+),", read(source, "dialect", "elementwise.def"),
                      re.MULTILINE)
    for kind, name in rows:
        names.append(name)
        operands = 1 if kind == "UNARY" else 2
        types = ", ".join([X] * operands)
        PROGRAMS[name] = (f"%x: {X}" + (f", %y: {X}" if operands == 2 else ""), f"""
  %r = ragged.{name} %x{', %y' if operands == 2 else ''} : {types} -> !ragged.tensor<*, T>""", ANY)
    return names


def read_families(source):
    """(family, op names) in the order of the definitions."""
    elementwise = add_elementwise(source)
    families = []
    for family, file in FAMILIES:
        if file is None:
            families.append((family, elementwise))
            continue
        text = read(source, "dialect", file)
        names = re.findall(r'^def \w+\s*:\s*(?:Ragged_\w*Op|Op)<(?:Ragged_Dialect, )?"(\w+)"', text,
                           re.MULTILINE)
        families.append((family, names))
    return families


def program(name, element_type):
    arguments, body, result = PROGRAMS[name]
    text = f"func.func @{name}({arguments}) -> {result} {{{body}\n  return %r : {result}\n}}\n"
    if name == "call":
        text = CALLEE + text
    return re.sub(r"\bT\b|(?<=x)T\b", element_type, text)


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def failing_sections(opt, sections, *flags):
    """Numbers of the sections that ragged-opt reports an error in."""
    separator = "// -----\n"
    result = run(opt, "--split-input-file", "--mlir-disable-threading", *flags, "-o", os.devnull, "-",
                 text=separator.join(sections))
    starts, line = [], 1
    for section in sections:
        starts.append(line)
        line += section.count("\n") + 1
    failing = set()
    for error in re.findall(r"^<stdin>:(\d+):\d+: error:", result.stderr, re.MULTILINE):
        failing.add(max(k for k, start in enumerate(starts) if start <= int(error)))
    if (result.returncode != 0) != bool(failing):
        sys.exit(f"{opt} {' '.join(flags)}: cannot tell which section failed\n{result.stderr}")
    return failing


def evaluates(runner, folder, number, name, section):
    path = os.path.join(folder, f"{number}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(section)
    axes = [f"--axis={axis}=2,0,3" for axis in "nm" if f"[{axis}, " in PROGRAMS[name][0]]
    return run(runner, path, f"--entry={name}", "--target=reference", *axes).returncode == 0


def main():
    build = os.path.abspath(sys.argv[1])
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    opt, runner = (os.path.join(build, "bin", tool) for tool in ("ragged-opt", "ragged-run"))
    families = read_families(source)
    names = [name for _, ops in families for name in ops]
    defined = set(re.findall(r"^### `ragged\.(\w+)`", read(build, "dialect", "RaggedOps.md"),
                             re.MULTILINE))
    missing = (defined | set(names)) - (set(PROGRAMS) & set(names))
    if missing:
        sys.exit(f"docs/status_table.py has no program for {', '.join(sorted(missing))}")

    cases = [(name, element_type) for name in names for element_type in ELEMENT_TYPES]
    sections = [program(*case) for case in cases]
    illegal = failing_sections(opt, sections)
    legal = [k for k in range(len(cases)) if k not in illegal]
    failed = failing_sections(opt, [sections[k] for k in legal], "--lower-to-cpu")
    lowers = {legal[k] for k in range(len(legal)) if k not in failed}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = pool.map(lambda k: evaluates(runner, folder, k, cases[k][0], sections[k]), legal)
        interpreted = {k for k, good in zip(legal, outcomes) if good}

    write_table(sys.argv[2], families, cases, illegal, interpreted, lowers)


HEADER = """<!-- Written by docs/status_table.py; `ninja ragged-status` updates it. -->

# Status: op x element type x executor

Found by trying one small program for each. `reference`: the interpreter evaluates it. `cpu`: it
lowers to code for the CPU. `-`: the op does not take the type. `nothing`: the type is legal, but no
executor runs it.
"""


def write_table(path, families, cases, illegal, interpreted, lowers):
    lines = [HEADER]
    for family, ops in families:
        lines += [f"## {family}\n", "| op | " + " | ".join(ELEMENT_TYPES) + " |",
                  "|---" * (1 + len(ELEMENT_TYPES)) + "|"]
        for name in ops:
            cells = []
            for element_type in ELEMENT_TYPES:
                k = cases.index((name, element_type))
                parts = ["reference"] * (k in interpreted) + ["cpu"] * (k in lowers)
                cells.append("-" if k in illegal else ", ".join(parts) or "nothing")
            lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
        lines.append("")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines[:-1]) + "\n")


main()
